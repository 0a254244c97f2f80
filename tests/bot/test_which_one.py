"""A name that means several models: it is asked which, with the side and a button for each; never guessed."""

from __future__ import annotations

import pytest

from bot.games.counterblast.shooting.team_shots import TeamShot
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.turn.activation_actions import ActNamed
from bot.table.journal.log import WhyModel
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from bot.table.session.models import DamageModel, NoteModel, RemoveModel, RenameModel
from tests.bot.arranging import arrange
from tests.bot.counterblast.ring import ANNA, BO, active
from tests.bot.house import House
from tests.bot.tables import Table


@pytest.fixture
async def twins(table: Table) -> Table:
    """Bo's Trapper is called as Anna's Smap is, with the number that the table gave it."""
    await table.done(ANNA, StartDemo())
    await table.done(BO, JoinEncounter("Edo"))
    await table.done(BO, RenameModel("Trapper", "Smap 2"))
    await table.done(ANNA, NextStep())
    return table


async def test_a_name_of_two_sides_asks_which(twins: Table) -> None:
    before = twins.state()
    answer = await twins.do("cleo", DamageModel("smap"))
    assert answer.reply.private
    assert answer.reply.lines == ("Which one do you mean? You can choose Smap (Lancers), Smap 2 (Edo).",)
    assert [button.label for button in answer.reply.buttons] == ["Smap (Lancers)", "Smap 2 (Edo)"]
    assert twins.state() == before


async def test_a_name_with_its_side_is_taken_as_it_is_shown(twins: Table) -> None:
    await arrange(twins, ANNA, active("Sally"))
    for shown in ("Smap 2 (Edo)", "smap 2  (edo)"):
        answer = await twins.do(ANNA, Shoot("Sally", shown, 5, odds=True))
        assert answer.reply.lines[0] == "Sally Starfield -> Smap 2"
    done = await twins.done(BO, NoteModel("Smap 2 (Edo)", "his"))
    assert done.reply.lines[0] == "Smap 2: his"


async def test_why_asks_which_one_too(twins: Table) -> None:
    answer = await twins.do("cleo", WhyModel("smap"))
    assert answer.reply.lines == ("Which one do you mean? You can choose Smap (Lancers), Smap 2 (Edo).",)
    shown = await twins.press("cleo", answer, "Smap 2 (Edo)")
    assert shown.reply.lines[0] == "Changes to Smap 2:"


async def test_a_target_is_never_guessed_and_its_button_asks_the_same(twins: Table) -> None:
    await arrange(twins, ANNA, active("Sally"))
    answer = await twins.do(ANNA, Shoot("Sally", "Smap", 5, odds=True))
    assert answer.reply.lines == ("Which one do you mean? You can choose Smap (Lancers), Smap 2 (Edo).",)
    shown = await twins.press(ANNA, answer, "Smap 2 (Edo)")
    assert shown.reply.lines[0] == "Sally Starfield -> Smap 2"
    whole = await twins.do(ANNA, Shoot("Sally", "Smap 2", 5, odds=True))
    assert whole.reply.lines[0] == "Sally Starfield -> Smap 2"


async def test_of_two_who_acts_is_the_askers_own(twins: Table) -> None:
    done = await twins.done(ANNA, NoteModel("Smap", "mine"))
    assert done.reply.lines[0] == "Smap: mine"
    done = await twins.done(BO, NoteModel("Smap", "his"))
    assert done.reply.lines[0] == "Smap 2: his"


async def test_one_name_for_both_is_asked_where_it_is_unclear_alone(twins: Table) -> None:
    """Bo's Smap shoots; at which Smap he is asked, and his own stays the shooter."""
    await arrange(twins, BO, active("Smap 2"))
    answer = await twins.do(BO, Shoot("Smap", "Smap", 5, weapon="Sticky Goo"))
    assert answer.reply.lines == ("Which one do you mean? You can choose Smap (Lancers), Smap 2 (Edo).",)
    shot = await twins.press(BO, answer, "Smap (Lancers)")
    assert shot.changed, shot.reply.text
    assert shot.reply.lines[0].startswith("Smap 2 ")


async def test_one_of_a_list_is_asked_for(twins: Table) -> None:
    await arrange(twins, ANNA, active("Sally", "Skip"))
    answer = await twins.do(ANNA, TeamShot("Sally, Skip", "Smap", "5"))
    assert [button.label for button in answer.reply.buttons] == ["Smap (Lancers)", "Smap 2 (Edo)"]
    underlings = await twins.do(BO, ActNamed("Edo, Smap"))
    assert underlings.reply.lines[0].startswith(
        "Which one do you mean? You can choose Edo Underling (Edo), Edo Underling 2 (Edo)"
    )
    assert "#" in underlings.reply.buttons[0].action.who  # type: ignore[attr-defined]
    assert underlings.reply.buttons[0].action.who.endswith(", Smap")  # type: ignore[attr-defined]


async def test_who_left_play_is_not_meant(twins: Table) -> None:
    await twins.done(BO, RemoveModel("Smap 2"))
    done = await twins.done(ANNA, DamageModel("Smap"))
    assert done.reply.lines[0].startswith("Smap takes 1")


async def test_suggestions_name_the_side_of_a_shared_name_and_mean_one(house: House) -> None:
    await house.slash("demo")
    await house.slash("model rename", model="Trapper", name="Smap 2")
    found = await house.anna.autocomplete("model damage", {"model": "smap"}, focused="model")
    assert [(one.name, one.value) for one in found] == [("Smap, Lancers", "#3"), ("Smap 2, Edo", "#15")]
