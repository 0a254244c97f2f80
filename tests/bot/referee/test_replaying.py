"""/replay and /since tell a game again in its channel: to each only what that person may see."""

from __future__ import annotations

import pytest

from bot.actions import with_text
from bot.games.counterblast.missions.mission_choices import ChooseSecretly
from bot.replies.reply import Reply
from bot.table.journal.history import Redo, Undo
from bot.table.journal.log import Export, ShowLog
from bot.table.luck.luck_actions import ShowLuck
from bot.table.referee.replay_story import EVERYBODY, MAX_SINCE, WATCHER, Replay, retold
from bot.table.rolling.rolls import Roll
from bot.table.session.encounters import EndEncounter, JoinEncounter, NextStep, StartDemo
from bot.table.session.models import NoteModel
from bot.table.session.possible_actions import Since, WhatNow
from tests.bot.house import House
from tests.bot.tables import Table, all_lines

SECRET = "Sabotage"


async def played(table: Table) -> None:
    """Bo chooses a mission in secret; each rolls once in the first turn."""
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    await table.done("bo", ChooseSecretly(SECRET))
    await table.done("anna", NextStep())
    await table.done("anna", Roll("3d6"))
    await table.done("bo", Roll("2d10"))


async def step_by_step(table: Table, person: str, who: str = "") -> list[str]:
    """Everything that is told by pressing Next until it cannot be pressed; as the command line writes it."""
    lines: list[str] = []
    answer = await table.do(person, Replay(who))
    while True:
        assert answer.reply.private
        first, *more = answer.reply.lines[1:]
        lines += [first, *(f"    {line}" for line in more)]
        button = next(one for one in answer.reply.buttons if one.label == "Next")
        if button.disabled:
            return lines
        answer = await table.press(person, answer, "Next")


@pytest.mark.parametrize("who", ["anna", "bo", WATCHER, EVERYBODY])
async def test_after_the_end_it_is_told_as_the_command_line_tells_it(table: Table, who: str) -> None:
    await played(table)
    await table.done("anna", EndEncounter())
    data = (await table.do("bo", Export())).reply.files[0].data
    assert await step_by_step(table, "cy", who) == retold(data, who)
    if who in ("anna", "bo"):
        assert await step_by_step(table, who) == retold(data, who)


async def test_buttons_below_a_game_that_is_over_tell_that_game_whatever_is_played_now(
    table: Table,
) -> None:
    await played(table)
    ended = await table.done("anna", EndEncounter())
    name = (await table.do("bo", Replay())).reply.lines[0]
    file = (await table.do("bo", Export())).reply.files[0]
    luck = (await table.do("bo", ShowLuck())).reply.lines
    log = (await table.do("bo", ShowLog())).reply.lines
    await table.done("anna", StartDemo("warzone"))
    assert (await table.do("bo", Replay())).reply.lines[0] != name
    first = await table.press("bo", ended, "Replay")
    assert first.reply.lines[0] == name
    assert (await table.press("bo", first, "Next")).reply.lines[0].split(":")[0] == name.split(":")[0]
    assert (await table.press("bo", ended, "Export")).reply.files[0].data == file.data
    assert (await table.press("bo", ended, "How lucky were we?")).reply.lines == luck
    assert (await table.do("bo", ShowLog(), scope=ended.scope)).reply.lines == log


async def test_a_button_of_another_channels_game_tells_nothing_of_it(table: Table) -> None:
    await played(table)
    scope = (await table.loaded()).scope.id
    name = (await table.do("bo", Replay())).reply.lines[0]
    there = table.actor("bo", channel=501)
    for action in (Replay(), ShowLog(), Export(), ShowLuck()):
        answer = await table.do(there, action, scope=scope)
        assert answer.refusal, action
        assert name.split(":")[0] not in answer.reply.text


async def test_while_it_runs_nobody_sees_what_others_saw(table: Table) -> None:
    await played(table)
    told = {who: "\n".join(await step_by_step(table, who)) for who in ("anna", "bo", "cy")}
    assert SECRET in told["bo"]
    assert SECRET not in told["anna"] + told["cy"]
    assert told["cy"] == "\n".join(await step_by_step(table, "bo", WATCHER))
    for who in ("bo", EVERYBODY, "anna", "nobody"):
        answer = await table.do("anna", Replay(who))
        assert answer.reply.private
        assert answer.reply.lines == (
            "Choose one of these people: me, watcher. You can see other people's views when the "
            "game has ended.",
        )


async def test_of_what_was_chosen_in_secret_others_read_what_everybody_read(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    before = (await table.do("cy", Replay(at=-1))).reply.lines
    await table.done("bo", ChooseSecretly(SECRET))
    after = (await table.do("cy", Replay(at=-1))).reply.lines
    assert (before[0], after[0]) == ("**Counterblast**: step 2 of 2", "**Counterblast**: step 3 of 3")
    assert after[1] == "3 bo: Edo has chosen a mission."
    assert SECRET not in "\n".join(after)


@pytest.mark.parametrize("who", ["anna", "bo", "cy"])
async def test_who_comes_back_finds_the_question_behind_more_of_the_panel(who: str, table: Table) -> None:
    await played(table)
    more = await table.do(who, WhatNow())
    pressed = await table.press(who, more, "What happened")
    assert pressed.reply.private
    assert pressed.reply.lines == (await table.do(who, Since())).reply.lines


async def test_a_menu_goes_to_a_turn(table: Table) -> None:
    await played(table)
    first = await table.do("anna", Replay())
    (menu,) = first.reply.menus
    assert [one.label for one in menu.choices] == ["Before the first turn", "Turn 1"]
    there = await table.do("anna", with_text(menu.action, {menu.fills: menu.choices[1].value}))
    assert there.reply.lines[0].endswith(", turn 1")
    assert "Turn 1 of 8" in there.reply.lines[1]


async def test_the_longest_name_fits_into_a_button(table: Table) -> None:
    name = "\U0001f600" * 32
    await table.done(name, StartDemo())
    await table.done(name, EndEncounter())
    answer = await table.do("bo", Replay(name))
    assert answer.reply.lines[0] == f"**Counterblast** as {name} saw it: step 1 of 2"
    assert "the game has ended." in (await table.press("bo", answer, "Next")).reply.lines[1]


async def test_a_button_from_after_the_end_shows_no_others_view_of_a_game_that_runs(table: Table) -> None:
    await played(table)
    for seer in range(1, 6):
        answer = await table.do("anna", Replay(at=2, seer=seer))
        assert answer.reply.lines[1] == "3 bo: Edo has chosen a mission."
        assert SECRET not in answer.reply.text


@pytest.mark.parametrize("at", [10**9, -(10**9)])
async def test_a_step_that_there_is_not_is_the_last(table: Table, at: int) -> None:
    await played(table)
    answer = await table.do("anna", Replay(at=at))
    assert "bo: " in answer.reply.lines[1]
    assert next(one for one in answer.reply.buttons if one.label == "Next").disabled


async def test_where_nothing_was_played_it_says_so(table: Table) -> None:
    for action in (Replay(), Since()):
        assert (await table.do("anna", action)).reply.text == "Nothing has been played in this channel yet."


# ------------------------------------------------------------------------------------ since you were here


def since(reply: Reply) -> list[str]:
    lines = list(reply.lines)
    return lines[lines.index("") + 1 :]


async def test_who_comes_back_is_told_what_others_did_since(table: Table) -> None:
    await played(table)
    answer = await table.do("anna", Since())
    assert answer.reply.private
    head, line = since(answer.reply)
    assert head == "Since you were last here:"
    assert " bo: bo: " in line
    step = await table.press("anna", answer, "Step by step")
    assert step.reply.lines[1] == line


async def test_who_was_the_last_to_do_something_is_told_the_turn(table: Table) -> None:
    await played(table)
    head, *lines = since((await table.do("bo", Since())).reply)
    assert head == "Nothing new since you were last here. Turn 1 so far:"
    assert len(lines) == 3
    head, *lines = since((await table.do("cy", Since())).reply)
    assert head == "Turn 1 so far:"
    assert len(lines) == 3


async def test_what_is_undone_is_struck_through_in_a_summary(table: Table) -> None:
    await played(table)
    await table.done("bo", NoteModel("Trapper", "limps"))
    await table.done("bo", Undo())
    *_, noted, undo = since((await table.do("anna", Since())).reply)
    assert noted.startswith("~~")
    assert noted.endswith("limps~~ (undone)")
    assert "~~" in undo
    assert not undo.startswith("~~")
    await table.done("bo", Redo())
    assert not any(line.startswith("~~") for line in since((await table.do("anna", Since())).reply))


async def test_what_was_done_in_secret_is_in_nobody_elses_summary(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    await table.done("bo", ChooseSecretly(SECRET))
    for who in ("anna", "cy"):
        assert SECRET not in "\n".join(all_lines((await table.do(who, Since())).reply))


async def test_a_long_absence_is_told_in_few_lines(table: Table) -> None:
    await played(table)
    for number in range(2 * MAX_SINCE):
        await table.done("bo", NoteModel("Trapper", f"note {number} " + "long " * 30))
    head, before, *lines = since((await table.do("anna", Since())).reply)
    assert (head, before) == ("Since you were last here:", f"Earlier steps not shown: {MAX_SINCE + 1}.")
    assert len(lines) == MAX_SINCE
    assert "note 29" in lines[-1]
    assert max(map(len, lines)) <= 100


async def test_after_the_end_there_is_replay(table: Table) -> None:
    await played(table)
    await table.done("anna", EndEncounter())
    answer = await table.do("anna", Since())
    assert answer.reply.text == "The game has ended. Use /replay to see it from the start."


async def test_help_has_a_button_for_it_while_a_game_runs(house: House) -> None:
    nothing = await house.slash("help")
    assert [button.label for button in nothing.controls] == ["Try a game", "Start a game"]
    await house.slash("demo")
    told = await house.slash("help")
    (button,) = told.controls
    summary = await house.press(told, button.label)
    assert summary.ephemeral
    assert "Nothing new since you were last here." in summary.content
    assert "This is a sample game of Counterblast." in summary.content
