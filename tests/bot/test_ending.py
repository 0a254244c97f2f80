"""An encounter ends only when its organiser has read the result and said so once more; in all five games."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games.infinity.turn_actions import PlayFirst
from bot.replies.reply import Reply
from bot.store.rows import ModelRow, SideRow
from bot.table.game import GAMES
from bot.table.journal.history import Undo
from bot.table.session import end_summary
from bot.table.session.encounters import AskEnd, EndEncounter, JoinEncounter, NextStep, StartDemo
from bot.table.session.end_summary import format_counts_by_turn
from bot.table.session.models import DamageModel, NoteModel, RemoveModel
from bot.table.session.possible_actions import WhatNow
from rules.wording import times
from tests.bot.counterblast.ring import Ring
from tests.bot.tables import Table


@pytest.fixture
async def ring(table: Table) -> Ring:
    return await Ring.open(table)


@pytest.mark.parametrize("system", sorted(GAMES))
async def test_the_result_is_shown_before_the_end_is_confirmed(table: Table, system: str) -> None:
    await table.done("anna", StartDemo(system))
    before = table.state()
    asked = await table.do("anna", AskEnd())
    assert table.state() == before
    assert asked.reply.private
    assert asked.reply.lines[0] == f"End {GAMES[system].name} now?"
    for side in (await table.encounter()).sides():
        assert side.name in asked.reply.text
    assert [button.label for button in asked.reply.buttons] == ["End the game", "Status"]
    ended = await table.press("anna", asked, "End the game")
    assert ended.reply.lines[0] == f"{GAMES[system].name}: the game has ended."
    assert not await table.desk.store.running_encounter(table.channel)


@pytest.mark.parametrize("system", sorted(GAMES))
async def test_the_end_tells_the_losses_of_each_side(table: Table, system: str) -> None:
    await table.done("anna", StartDemo(system))
    first, second = (await table.encounter()).sides()
    models = (await table.encounter()).models(first.id)
    others = len((await table.encounter()).models(second.id))
    await table.done("anna", RemoveModel(f"#{models[-1].id}"))
    ended = await table.press("anna", await table.do("anna", AskEnd()), "End the game")
    said = " ".join(ended.reply.text.split())
    assert f"{first.name}: 1 of {times(len(models), 'model')} out of play ({models[-1].name})." in said
    assert f"{second.name}: 0 of {times(others, 'model')} out of play." in said


async def _in_the_first_turn(table: Table, system: str) -> tuple[SideRow, SideRow, list[ModelRow]]:
    await table.done("anna", StartDemo(system))
    await table.done("anna", NextStep())
    if system == "infinity":
        winner = (await table.encounter()).row.counters["initiative"]
        await table.done("anna", PlayFirst(winner))
        await table.done("anna", NextStep())
    encounter = await table.encounter()
    first, second = encounter.sides()
    assert encounter.row.turn == 1
    return first, second, encounter.models(first.id)


async def _ended(table: Table) -> Reply:
    return (await table.press("anna", await table.do("anna", AskEnd()), "End the game")).reply


@pytest.mark.parametrize("system", sorted(GAMES))
async def test_the_end_tells_each_sides_worst_moment_with_a_picture(table: Table, system: str) -> None:
    first, second, models = await _in_the_first_turn(table, system)
    others = len((await table.encounter()).models(second.id))
    removed = await table.done("anna", RemoveModel(f"#{models[-1].id}"))
    ended = await _ended(table)
    said = " ".join(ended.text.split())
    assert f"Worst moment for {first.name}, best for {second.name}: 1 model out of play (turn 1)." in said
    assert removed.reply.lines[0] in said
    assert f"Worst moment for {second.name}" not in said
    (picture,) = ended.files
    assert picture.data.startswith(b"\x89PNG")
    left, whole = len(models) - 1, len(models)
    assert f"{first.name}: {left} of {whole} in play, 1 out of play." in picture.words
    assert f"In play by turn: {whole} at the start, {left} after turn 1." in picture.words
    assert "Worst moment: turn 1, 1 model out of play." in picture.words
    assert f"{second.name}: {others} of {others} in play, 0 out of play." in picture.words
    assert not ended.also


@pytest.mark.parametrize("system", sorted(GAMES))
async def test_what_was_undone_is_no_moment(table: Table, system: str) -> None:
    first, _, models = await _in_the_first_turn(table, system)
    await table.done("anna", RemoveModel(f"#{models[-1].id}"))
    await table.done("anna", Undo())
    ended = await _ended(table)
    assert "Worst moment" not in ended.text
    assert f"{first.name}: {len(models)} of {len(models)} in play, 0 out of play." in ended.files[0].words


async def test_of_a_journal_too_long_to_read_nothing_is_told(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _, models = await _in_the_first_turn(table, "warzone")
    await table.done("anna", RemoveModel(f"#{models[-1].id}"))
    monkeypatch.setattr(end_summary, "MAX_ENTRIES", 2)
    ended = await _ended(table)
    assert "Worst moment" not in ended.text
    assert f"{first.name}: {len(models) - 1} of {len(models)} in play, 1 out of play." in ended.files[0].words
    assert "by turn" not in ended.files[0].words


@pytest.mark.rule("CB-SCORE-06")
@pytest.mark.parametrize(
    ("points", "won", "said"),
    [
        (0, "Draw.", "No side is ahead. A side needs a lead of 4 to win."),
        (3, "Draw.", "Lancers is ahead by 3. A side needs a lead of 4 to win."),
        (4, "Victory for Lancers.", "Lancers is ahead by 4. A side needs a lead of 4 to win."),
    ],
)
async def test_counterblast_says_the_lead_and_what_a_win_takes(
    ring: Ring, points: int, won: str, said: str
) -> None:
    await ring.arrange(lambda encounter: encounter.side(1).counters.update({"objective points": points}))
    asked = await ring.table.do("anna", AskEnd())
    at = asked.reply.lines.index(won)
    assert asked.reply.lines[at + 1] == said
    ended = await ring.table.press("anna", asked, "End the game")
    assert said in ended.reply.lines


async def test_only_the_organiser_is_asked(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    assert await table.refused("bo", AskEnd()) == "Only the organiser can end the game."


async def test_a_game_that_went_on_is_not_ended_by_an_old_question(table: Table) -> None:
    await table.done("anna", StartDemo())
    asked = await table.do("anna", AskEnd())
    await table.done("anna", NoteModel("Smap", "behind the crates"))
    late = await table.press("anna", asked, "End the game")
    assert not late.changed
    assert "moved on" in late.reply.text
    assert (await table.encounter()).row.status == "setup"


async def test_the_question_does_not_tell_who_is_hidden(table: Table) -> None:
    """In Infinity the points that survive would tell what a hidden trooper costs."""
    await table.done("anna", StartDemo("infinity"))
    await table.done("bo", JoinEncounter("Nightfall"))
    await table.done("anna", NextStep())
    asked = await table.do("anna", AskEnd())
    assert asked.reply.lines[1:3] == ("Vanguard: 0 points lost.", "Nightfall: 0 points lost.")


@pytest.mark.parametrize("system", sorted(GAMES))
async def test_no_more_wounds_are_told_than_a_model_had_left(table: Table, system: str) -> None:
    _, _, models = await _in_the_first_turn(table, system)
    life = GAMES[system].life(models[-1])
    await table.done("anna", DamageModel(f"#{models[-1].id}", life + 3))
    ended = await _ended(table)
    told = next(line for line in ended.files[0].words.split(". ") if line.startswith("Worst moment"))
    assert f", {life} wound" in told
    assert f"{life} wound{'s' if life > 1 else ''} (turn 1)." in " ".join(ended.text.split())


LONG = tuple(max(1, 12 - turn // 3) for turn in range(31))


async def test_turns_left_out_of_the_chart_leave_a_gap(table: Table) -> None:
    await _in_the_first_turn(table, "warzone")
    encounter = await table.encounter()
    side = encounter.sides()[0]
    here = len(encounter.models(side.id))
    counts = (*(here + 1 for _ in range(30)), here)
    drawn = end_summary._Side(0, side, here, 0, counts, None).shown
    assert len(drawn) == end_summary.MAX_BARS
    assert drawn[:3] == ((0, here + 1), None, (17, here + 1))
    assert drawn[-1] == (30, here)
    picture = end_summary.draw_end_picture(encounter, end_summary.Course({side.id: counts}))
    assert picture is not None
    assert f"{here + 1} after turn 16, {here + 1} after turn 17" in picture.words


@pytest.mark.parametrize(("sides", "in_message"), [(2, False), (4, False), (8, True)])
async def test_what_the_pictures_description_has_no_room_for_the_message_says(
    table: Table, sides: int, in_message: bool
) -> None:
    await _in_the_first_turn(table, "warzone")
    encounter = await table.encounter()
    scope = encounter.book.scope
    for number in range(len(encounter.sides()) + 1, sides + 1):
        encounter.book.add(SideRow(scope, number, f"A Side of a Long Name, Number {number}"))
        model = replace(encounter.models()[0], id=encounter.book.next_id(ModelRow), side=number)
        encounter.book.add(model)
    present = {side.id: (*LONG, len(encounter.models(side.id))) for side in encounter.sides()}
    told = end_summary.Course(present, {side: end_summary.Blow(1, 2, "A blow", 3, 9) for side in present})
    picture = end_summary.draw_end_picture(encounter, told)
    assert picture is not None
    assert len(picture.words) <= end_summary.MAX_WORDS_LENGTH
    assert end_summary.has_turns(picture) is not in_message
    lines = " ".join(format_counts_by_turn(encounter, told))
    for side in encounter.sides():
        assert side.name in picture.words
        row = " ".join(map(str, present[side.id]))
        named = ", ".join(f"{count} after turn {turn}" for turn, count in enumerate(present[side.id]) if turn)
        assert row in (lines if in_message else picture.words) or named in picture.words


async def test_after_the_end_what_is_left_is_a_press_away(table: Table) -> None:
    """Below the end, and by any old More...: the game told again, whether it was luck, the file."""
    await table.done("anna", StartDemo())
    await table.done("anna", NextStep())
    ended = await table.done("anna", EndEncounter())
    offered = [button.label for button in ended.reply.buttons]
    assert {"Replay", "How lucky were we?", "Export"} <= set(offered)
    late = await table.do("anna", WhatNow(), scope=ended.scope)
    assert late.reply.lines == ("This game is over.",)
    assert [button.label for button in late.reply.buttons] == offered
    told = await table.press("anna", late, "Replay")
    assert told.reply.private
    assert "1 of" in told.reply.lines[0]
