"""Undo and redo of what others did: who is asked, who may do without, and what is no step of the game."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from bot.actions import Action
from bot.games.infinity.roll_actions import FaceToFaceRoll, RollD20
from bot.store.doctor import examine
from bot.table.act import ANY_PLAYER, ENTERED_BY
from bot.table.game import UNDO_OF_OTHERS
from bot.table.journal.history import Redo, Undo
from bot.table.journal.log import ShowLog
from bot.table.realdice import EnterFaces
from bot.table.request import Answer
from bot.table.rolling.dice_settings import DiceMode
from bot.table.rolling.rolls import Roll
from bot.table.rosters.crews import CreateCrew
from bot.table.session.encounters import EndEncounter, JoinEncounter, NextStep, StartDemo
from bot.table.session.joining import RemovePerson
from bot.table.session.models import AddCondition, DamageModel, NoteModel
from bot.table.session.settings import Settings
from tests.bot.house import House
from tests.bot.tables import Table, opened, url_of

HURT = DamageModel("Trapper")
FREE = Settings(UNDO_OF_OTHERS.key, "free")


@pytest.fixture
async def game(table: Table) -> Table:
    """Anna organises it and plays the Lancers, Bo the Edo; it has begun."""
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    await table.done("anna", NextStep())
    return table


def labels(answer: Answer) -> list[str]:
    return [button.label for button in answer.reply.buttons]


# ------------------------------------------------------------------------------------ asked


async def test_what_another_did_is_undone_when_that_person_agrees(game: Table) -> None:
    before = game.state()
    await game.done("bo", HURT)
    hurt = game.state()
    asked = await game.done("anna", Undo())
    assert asked.reply.lines[0] == "anna asks bo to agree to undo this:"
    assert asked.reply.lines[1].startswith("~~Trapper takes 1")
    assert labels(asked) == ["Agree", "Don't agree", "Override..."]
    assert not asked.reply.private
    assert game.state() == hurt
    for who in ("anna", "cy"):
        assert (
            "can answer this request. The organiser can use the Override"
            in (await game.press(who, asked, "Agree")).reply.text
        )
    undone = await game.press("bo", asked, "Agree")
    assert undone.reply.lines[-1] == "anna asked, and bo agrees."
    assert game.state() == before
    again = await game.press("bo", asked, "Agree")
    assert not again.changed
    assert (await examine(url_of(game.file))).faults == ()


async def test_redo_asks_whose_it_is(game: Table) -> None:
    await game.done("bo", HURT)
    hurt = game.state()
    await game.done("bo", Undo())
    asked = await game.done("anna", Redo())
    assert asked.reply.lines[0] == "anna asks bo to agree to redo this:"
    assert (await game.press("bo", asked, "Agree")).reply.lines[0].startswith("Redone: Trapper takes 1")
    assert game.state() == hurt


async def test_ones_own_is_undone_at_once(game: Table) -> None:
    await game.done("anna", DamageModel("Smap"))
    assert (await game.done("anna", Undo())).reply.lines[0].startswith("Undone")
    assert (await game.done("anna", Redo())).reply.lines[0].startswith("Redone")


async def test_several_steps_ask_everybody_who_took_part(game: Table) -> None:
    await game.press("bo", await game.done("cy", JoinEncounter("Edo")), "Let in")
    before = game.state()
    await game.done("bo", HURT)
    await game.done("cy", Roll("4d6"))
    await game.done("anna", DamageModel("Smap"))
    asked = await game.done("anna", Undo(3))
    assert asked.reply.lines[0] == "anna asks cy and bo to agree to undo this:"
    part = await game.press("bo", asked, "Agree")
    assert part.reply.lines == ("bo agrees. Waiting for cy.",)
    told = (await game.press("bo", asked, "Agree")).reply.text
    assert "can answer this request. The organiser can use the Override" in told
    assert (await game.press("cy", asked, "Agree")).reply.lines[0].startswith("Undone")
    assert game.state() == before


async def test_who_does_not_agree_is_not_asked_the_same_again(game: Table) -> None:
    await game.done("bo", HURT)
    hurt = game.state()
    asked = await game.done("anna", Undo())
    assert "You have already asked" in await game.refused("anna", Undo())
    no = await game.press("bo", asked, "Don't agree")
    assert no.reply.lines == ("bo doesn't agree to the undo. Nothing changes.",)
    assert game.state() == hurt
    assert "You have already asked bo, and the answer was no." in await game.refused("anna", Undo())
    assert not (await game.press("bo", asked, "Agree")).changed
    await game.done("bo", DamageModel("Trapper"))
    assert (await game.done("anna", Undo())).reply.lines[0] == "anna asks bo to agree to undo this:"


async def test_a_question_is_good_while_the_game_stands_where_it_stood(game: Table) -> None:
    await game.done("bo", HURT)
    asked = await game.done("anna", Undo())
    await game.done("anna", DamageModel("Smap"))
    now = game.state()
    assert "moved on since that request" in (await game.press("bo", asked, "Agree")).reply.text
    pressed = await game.press("anna", asked, "Override...", reason="now")
    assert not pressed.changed
    assert game.state() == now


async def test_the_organiser_does_without_and_everybody_reads_why(game: Table) -> None:
    await game.done("bo", HURT)
    asked = await game.done("anna", Undo())
    overridden = await game.press("anna", asked, "Override...", reason="bo had to go")
    assert overridden.reply.lines[0].startswith("Undone: ~~Trapper takes 1")
    assert overridden.reply.lines[-2:] == ("Override by anna: bo had to go", "anna didn't ask bo to agree.")
    assert not overridden.reply.private
    assert "[override: bo had to go]" in (await game.do("bo", ShowLog())).reply.lines[-1]
    await game.done("anna", DamageModel("Smap"))
    by_force = await game.done("bo", Undo(), reason="I want to")
    assert by_force.reply.lines[0] == "bo asks anna to agree to undo this:"


async def test_a_reason_that_nobody_needed_is_not_told(game: Table) -> None:
    await game.done("anna", DamageModel("Smap"))
    undone = await game.done("anna", Undo(), reason="no need")
    assert "Override" not in undone.reply.text
    entries = await game.desk.store.all_entries(undone.scope)
    assert entries[-1].reason == ""


async def test_a_table_may_play_without_asking(game: Table) -> None:
    shown = await game.do("bo", Settings(UNDO_OF_OTHERS.key))
    assert "- Only if that player agrees. (default) (now)" in shown.reply.lines
    assert "Only the organiser" in await game.refused("bo", FREE)
    await game.done("anna", FREE)
    await game.done("bo", HURT)
    assert (await game.done("anna", Undo())).reply.lines[0].startswith("Undone: ~~Trapper")
    assert (await game.done("anna", Redo())).reply.lines[0].startswith("Redone: Trapper")


async def test_who_has_just_joined_takes_nothing_back_from_before(game: Table) -> None:
    await game.done("anna", FREE)
    await game.done("anna", DamageModel("Smap"))
    await game.done("anna", Undo())
    await game.press("bo", await game.done("cy", JoinEncounter("Edo")), "Let in")
    await game.done("bo", HURT)
    await game.done("cy", Undo())
    before = game.state()
    for steps in (1, 2, 5):
        assert "before you joined" in await game.refused("cy", Undo(steps))
    assert game.state() == before


async def test_for_who_has_left_the_organiser_speaks(game: Table) -> None:
    await game.press("anna", await game.done("cy", JoinEncounter("Lancers")), "Let in")
    await game.done("cy", Roll("3d6"))
    await game.done("anna", RemovePerson(game.ids["cy"], "too loud"))
    asked = await game.done("bo", Undo(2))
    assert asked.reply.lines[0] == "bo asks anna to agree to undo this:"
    assert (await game.done("anna", Undo(1))).reply.lines[0].startswith("Undone: ~~cy has been removed")


async def test_who_plays_both_sides_is_not_asked(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("anna", NextStep())
    await table.done("anna", HURT)
    await table.done("anna", DamageModel("Smap"))
    assert (await table.done("anna", Undo(2))).reply.lines[0].startswith("Undone")


async def test_typing_what_fell_for_another_is_no_part_of_the_roll(game: Table) -> None:
    await game.done("anna", Settings(ENTERED_BY, ANY_PLAYER))
    await game.done("bo", DiceMode("real"))
    await game.done("bo", Roll("2d6"))
    await game.done("anna", EnterFaces((3,)))
    await game.done("anna", EnterFaces((4,)))
    assert (await game.done("bo", Undo())).reply.lines[0].startswith("Undone")
    await game.done("bo", Redo())
    assert (await game.done("anna", Undo())).reply.lines[0] == "anna asks bo to agree to undo this:"


async def test_a_question_outlives_a_restart(file: Path) -> None:
    async with opened(file) as table:
        await table.done("anna", StartDemo())
        await table.done("bo", JoinEncounter("Edo"))
        await table.done("bo", HURT)
        asked = await table.done("anna", Undo())
        ids = table.ids
    async with opened(file, 50) as again:
        again.ids.update(ids)
        again.interactions = itertools.count(20_001)
        undone = await again.press("bo", asked, "Agree")
        assert undone.reply.lines[0].startswith("Undone: ~~Trapper takes 1")


async def test_the_same_press_delivered_twice_undoes_once(game: Table) -> None:
    await game.done("bo", DamageModel("Trapper"))
    await game.done("bo", DamageModel("Trapper"))
    asked = await game.done("anna", Undo())
    agree = asked.reply.buttons[0].action
    first = await game.done("bo", agree, scope=asked.scope, interaction=777)
    state = game.state()
    second = await game.do("bo", agree, scope=asked.scope, interaction=777)
    assert (second.repeated, second.reply) == (True, first.reply)
    assert game.state() == state


# ------------------------------------------------------------------------------------ beside the game


@pytest.mark.parametrize("role", ["stranger", "watcher"])
@pytest.mark.parametrize(
    "action",
    [Roll("3d6"), RollD20(13, 2), FaceToFaceRoll(13, 11, 2)],
    ids=lambda action: action.command,
)
async def test_rolls_of_who_does_not_play_belong_to_the_channel(
    game: Table, action: Action, role: str
) -> None:
    if role == "watcher":
        await game.done(role, JoinEncounter(watch=True))
    hurt = await game.done("bo", HURT)
    undone = await game.done("bo", Undo())
    loaded = await game.loaded()
    rolled = await game.done(role, action)
    assert not rolled.reply.private
    assert rolled.scope != hurt.scope
    now = await game.loaded()
    assert (now.scope.rolls, now.scope.version, now.scope.tip) == (
        loaded.scope.rolls,
        loaded.scope.version,
        loaded.scope.tip,
    )
    assert (await game.press("bo", undone, "Redo")).reply.lines[0].startswith("Redone: Trapper takes 1")
    await game.done(role, action)
    assert (await game.done("bo", Undo())).reply.lines[0].startswith("Undone: ~~Trapper takes 1")
    mine = await game.done(role, Undo())
    assert mine.scope == rolled.scope
    assert "Only players" in (await game.do(role, Undo(), scope=hurt.scope)).reply.text


async def test_rolls_of_who_plays_are_of_the_game(game: Table) -> None:
    scope = (await game.loaded()).scope
    await game.done("bo", Roll("3d6"))
    now = (await game.loaded()).scope
    assert (now.rolls, now.version) == (scope.rolls + 1, scope.version + 1)
    await game.done("anna", JoinEncounter(watch=True))
    await game.done("anna", Roll("3d6"))
    assert (await game.loaded()).scope.rolls == scope.rolls + 2, "the organiser leads the game"


async def test_in_a_channel_everybody_takes_back_their_own(table: Table) -> None:
    rolled = await table.done("cy", Roll("3d6"))
    await table.done("dan", Roll("2d6"))
    assert "can undo that" in await table.refused("cy", Undo(), scope=rolled.scope)
    assert await table.refused("cy", Undo()) == "Only dan or a channel manager can undo that."
    await table.done("dan", Undo())
    await table.done("cy", Undo())


async def test_to_watch_is_no_step(game: Table) -> None:
    await game.done("bo", AddCondition("Trapper", "hidden"))
    await game.done("cy", JoinEncounter(watch=True))
    await game.done("bo", Undo())
    assert (await game.encounter()).watches(game.ids["cy"])
    await game.done("dan", JoinEncounter(watch=True))
    assert (await game.done("bo", Redo())).reply.lines[0].startswith("Redone: Trapper now has the condition")
    assert "You are already watching" in await game.refused("cy", JoinEncounter(watch=True))
    await game.done("bo", NoteModel("Trapper", "x"))
    assert (await examine(url_of(game.file))).faults == ()


# ------------------------------------------------------------------------------------ who has left


async def test_what_a_removed_person_did_is_not_taken_back_behind_his_back(game: Table) -> None:
    await game.done("bo", HURT)
    await game.done("anna", RemovePerson(game.ids["bo"], "too loud"))
    asked = await game.done("anna", Undo(2))
    assert asked.reply.lines[0] == "anna asks bo to agree to undo this:"
    assert (await game.encounter()).find_model("Trapper").damage == 1
    told = (await game.press("anna", asked, "Agree")).reply.text
    assert "can answer this request. The organiser can use the Override" in told
    overridden = await game.press("anna", asked, "Override...", reason="bo was sent off")
    assert overridden.reply.lines[-2:] == (
        "Override by anna: bo was sent off",
        "anna didn't ask bo to agree.",
    )


async def test_a_removed_person_may_agree(game: Table) -> None:
    await game.done("bo", HURT)
    await game.done("anna", RemovePerson(game.ids["bo"], "too loud"))
    asked = await game.done("anna", Undo(2))
    agreed = await game.press("bo", asked, "Agree")
    assert agreed.reply.lines[-1] == "anna asked, and bo agrees."


# ------------------------------------------------------------------------------------ outside a game


async def test_who_manages_the_server_says_why_a_crew_of_another_is_set_back(table: Table) -> None:
    made = await table.done("bo", CreateCrew("The Fine"))
    moderator = table.actor("mod", manages=True)
    before = table.state()
    refused = await table.press(moderator, made, "Undo")
    assert refused.reply.lines == ("Only bo can undo that.",)
    assert refused.reply.private
    assert table.state() == before
    done = await table.press(moderator, refused, "Override...", reason="a bad name")
    assert done.reply.lines[-2:] == ("Override by mod: a bad name", "mod didn't ask bo to agree.")
    assert not done.reply.private
    assert table.state() != before
    again = await table.done("bo", Redo(), scope=made.scope)
    assert again.reply.lines[0].startswith("Redone")


async def test_who_manages_the_server_says_why_a_roll_of_another_is_taken_back(table: Table) -> None:
    rolled = await table.done("cy", Roll("3d6"))
    moderator = table.actor("mod", manages=True)
    assert "can undo that" in await table.refused(moderator, Undo(), scope=rolled.scope)
    done = await table.done(moderator, Undo(), scope=rolled.scope, reason="spam")
    assert done.reply.lines[-2:] == ("Override by mod: spam", "mod didn't ask cy to agree.")


async def test_undo_is_about_the_game_that_runs_here_once_ones_own_is_over(game: Table) -> None:
    await game.done("bo", HURT)
    await game.done("anna", EndEncounter())
    await game.done("cy", StartDemo())
    before = game.state()
    for action in (Undo(), Undo(3), Redo()):
        assert await game.refused("bo", action) == ("Only players of this game can undo and redo.")
    assert game.state() == before


# ------------------------------------------------------------------------------------ on the panel


@pytest.fixture
async def hurt(house: House) -> House:
    """Anna organises a game and plays the Lancers, Bo the Edo; Bo has done something last."""
    await house.slash("demo")
    await house.slash("encounter join", house.bo, side="Edo")
    await house.begin(await house.panel())
    await house.slash("model damage", house.bo, model="Trapper")
    return house


async def test_who_is_asked_to_undo_is_the_first_line_of_the_panel_and_answers_there(hurt: House) -> None:
    before = await hurt.panel()
    await hurt.slash("undo")
    panel = await hurt.panel()
    acts = before.content[before.content.index("Waiting for ") :].split("\n")[0].removeprefix("Waiting for ")
    assert (f"Waiting for Bo to answer Anna's undo request.**\n**Also waiting for {acts}") in panel.content, (
        "who acts, too"
    )
    assert [one.label for one in panel.controls][:4] == [
        "Undo",
        "Agree",
        "Don't agree",
        "Override... (only Anna)",
    ]
    told = (await hurt.slash("help", hurt.bo)).content
    assert "Waiting for Bo to answer Anna's undo request." in told
    assert told.count("undo request") == 1, "not said twice"
    assert (await hurt.slash("encounter status")).content.startswith("Waiting for Bo to answer")
    assert (
        "can answer this request. The organiser can use the Override"
        in (await hurt.press(panel, "Agree")).content
    )
    assert (await hurt.press(panel, "Agree", hurt.bo)).content.startswith("Undone")
    assert "Agree" not in [one.label for one in (await hurt.panel()).controls]


@pytest.mark.parametrize("answered", ["Don't agree", ""])
async def test_what_was_answered_or_overtaken_is_waited_for_no_more(hurt: House, answered: str) -> None:
    await hurt.slash("undo")
    if answered:
        await hurt.press(await hurt.panel(), answered, hurt.bo)
    else:
        await hurt.slash("model damage", hurt.bo, model="Trapper")
    panel = await hurt.panel()
    assert "undo?" not in panel.content
    assert "Agree" not in [one.label for one in panel.controls]
    told = (await hurt.slash("help", hurt.bo)).content
    assert "undo?" not in told


async def test_who_was_let_in_is_asked_before_the_joining_is_undone(game: Table) -> None:
    """It was the captain's entry, but the seat is the other person's."""
    asked = await game.done("cy", JoinEncounter("Edo"))
    await game.press("bo", asked, "Let in")
    before = game.state()
    question = await game.done("bo", Undo())
    assert question.reply.lines[0] == "bo asks cy to agree to undo this:"
    assert game.state() == before
    undone = await game.press("cy", question, "Agree")
    assert undone.reply.lines[0].startswith("Undone")
    assert (await game.encounter()).seat_of(game.ids["cy"]) is None


async def test_a_joining_is_not_undone_unasked_where_anybody_may_undo(game: Table) -> None:
    await game.done("anna", FREE)
    asked = await game.done("cy", JoinEncounter("Edo"))
    await game.press("bo", asked, "Let in")
    assert (await game.done("anna", Undo())).reply.lines[0] == "anna asks cy to agree to undo this:"
