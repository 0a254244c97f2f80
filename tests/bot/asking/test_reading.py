"""From what was asked to the things themselves: each kind reads, bounds, defaults and writes its one form."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from bot.actions import number_of, raw_of
from bot.replies.reply import Reply
from bot.table.act import NotAllowed
from bot.table.asking.reading import read
from bot.table.offers.legal_actions import Looking
from bot.table.session.encounters import JoinEncounter, StartDemo
from tests.bot.asking.samples import Draw, Gather, Kick, Rest
from tests.bot.tables import Table


@pytest.fixture
async def begun(table: Table) -> Table:
    await table.done("anna", StartDemo())
    return table


async def written(table: Table, kick: Kick) -> dict[str, object]:
    """What the journal keeps of a kick that was carried out."""
    answer = await table.done("anna", kick)
    entry = await table.desk.store.entry(answer.scope, answer.version)
    assert entry is not None
    return dict(json.loads(entry.input))


async def test_names_become_numbers_in_the_one_form(begun: Table) -> None:
    assert await written(begun, Kick("Sally", "trapper")) == {"model": "#1", "target": "#15"}


async def test_models_are_read_by_numbers_and_by_names_alike(begun: Table) -> None:
    gather = Gather(1, (2, 3), "Sally, smap; #1")
    answer = await begun.done("anna", gather)
    first, second = answer.reply.lines[:2]
    assert answer.reply.lines == (first, second, "Sally Starfield", "Smap")
    entry = await begun.desk.store.entry(answer.scope, answer.version)
    assert entry is not None
    smap = next(row.id for row in (await begun.encounter()).models() if row.name == "Smap")
    assert json.loads(entry.input) == {"around": 1, "near": [2, 3], "called": f"#1, #{smap}"}
    assert (await begun.do("anna", Gather(near=(2,)))).reply.lines == (first,)


async def test_what_waited_is_read_for_whoever_goes_on_with_it(begun: Table) -> None:
    await begun.done("bo", JoinEncounter("Edo"))
    act = Looking((await begun.loaded()).book(), begun.actor("bo")).act(Rest("#1"))
    with pytest.raises(NotAllowed):
        read(act, Rest("#1"))
    assert read(act, Rest("#1"), kept=True).model.name == "Sally Starfield"


async def test_words_that_are_meant_where_nothing_is_said_are_found_like_those_that_are(begun: Table) -> None:
    act = Looking((await begun.loaded()).book(), begun.actor("anna")).act(Draw())
    assert read(act, Draw()).lots == (2, 1)
    assert read(act, Draw("3+4")).lots == (3, 4)
    assert raw_of(read(act, Draw("3+4"))) == {"lots": "3+4"}
    assert raw_of(read(act, Draw("2+1"))) == raw_of(Draw()) == {}


def test_a_model_has_its_number_read_or_not() -> None:
    assert number_of("#12") == number_of(SimpleNamespace(id=12)) == 12


async def test_what_says_what_is_meant_anyway_is_not_written(begun: Table) -> None:
    kick = Kick("#1", "#15", inches=1.0, manner="gently", order=False, helpers=())
    assert await written(begun, kick) == {"model": "#1", "target": "#15"}


async def test_everything_said_is_written(begun: Table) -> None:
    kick = Kick("Sally", "Trapper", "hand", 3, 2, "hard", ("Smap", "Wanda"), "Edo", True, False, (3, 4))
    assert await written(begun, kick) == {
        "model": "#1",
        "target": "#15",
        "limb": "hand",
        "inches": 3.0,
        "force": 2,
        "manner": "hard",
        "helpers": ["Smap", "Wanda"],
        "side": "Edo",
        "order": True,
        "rest": [3, 4],
    }


@pytest.mark.parametrize(
    ("kick", "sentence"),
    [
        (Kick(target="Trapper"), 'Fill in "model": Who kicks.'),
        (Kick("Sally", "Trapper", inches=9), "Inches must be between 0 and 8 (you entered 9)."),
        (Kick("Sally", "Trapper", force=7), "Force must be between 1 and 6 (you entered 7)."),
        (Kick("Sally", "Trapper", manner="softly"), "Manner: gently, hard."),
        (Kick("Sally", "Trapper", "claw"), "There is no limb called claw. You can choose hand, foot."),
        (Kick("Sally", "Trapper", side="Night Watch"), "no side called Night Watch."),
        (Kick("Sally", "Sally"), "Sally Starfield cannot kick itself."),
    ],
)
async def test_what_cannot_be_read_is_refused_in_a_sentence(begun: Table, kick: Kick, sentence: str) -> None:
    assert sentence in await begun.refused("anna", kick)


async def test_a_thing_may_depend_on_what_was_said_before_it(begun: Table) -> None:
    assert (await written(begun, Kick("Smap", "Trapper", "claw")))["limb"] == "claw"


async def test_only_who_plays_it_kicks_with_it_but_anybody_may_ask_for_the_odds(begun: Table) -> None:
    assert "is not yours" in await begun.refused("bo", Kick("Sally", "Trapper"))
    answer = await begun.do("bo", Kick("Sally", "Trapper", odds=True))
    assert answer.reply.private
    assert answer.reply.lines == (
        "Sally Starfield kicks",
        "With an order token: hits 67%",
        "Exact.",
        "No dice were rolled.",
    )


async def test_odds_carry_the_whole_action_to_their_buttons(begun: Table) -> None:
    reply: Reply = (await begun.do("anna", Kick("Sally", "Trapper", force=2, odds=True))).reply
    assert [button.label for button in reply.buttons] == ["Kick", "Kick with an order token", "Compare"]
    told = [raw_of(button.action) for button in reply.buttons[:2]]
    assert told[0] == {"model": "#1", "target": "#15", "force": 2}
    assert told[1] == {**told[0], "order": True}


async def test_odds_refuse_what_the_action_refuses(begun: Table) -> None:
    plain = await begun.refused("anna", Kick("Sally", "Sally"))
    assert await begun.refused("anna", Kick("Sally", "Sally", odds=True)) == plain
