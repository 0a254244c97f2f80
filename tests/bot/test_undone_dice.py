"""Where the table plays so, the faces of an undone roll fall for whatever is rolled in its place."""

from __future__ import annotations

import pytest

from bot.games.counterblast.core.checks import Check
from bot.games.counterblast.setup.deployment import Dispute
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.turn.bag import DrawToken
from bot.store.rows import PendingRow
from bot.table.encounter import Encounter
from bot.table.game import NO_NEW_DICE, UNDO_OF_OTHERS, UNDONE_DICE, UNDONE_ROLL_WAITS
from bot.table.journal.history import FreshDice, Undo
from bot.table.journal.log import Export
from bot.table.realdice import DropRoll, EnterFaces, TakeBackFace
from bot.table.referee.game_replay import referee
from bot.table.rolling.dice_settings import DiceMode
from bot.table.rolling.rolls import Roll
from bot.table.session.encounters import EndEncounter, JoinEncounter, NextStep, StartDemo
from bot.table.session.models import AddCondition, DamageModel
from bot.table.session.settings import Settings
from tests.bot.arranging import arrange
from tests.bot.tables import Table

pytestmark = pytest.mark.both_databases


async def faces(table: Table) -> list[tuple[int, ...]]:
    entries = await table.desk.store.all_entries(1)
    return [tuple(face for _, face in entry.faces_shown()) for entry in entries if entry.faces != "[]"]


@pytest.fixture
async def strict(table: Table) -> Table:
    await table.done("anna", StartDemo())
    await table.done("anna", Settings(UNDONE_DICE.key, UNDONE_DICE.values[1]))
    return table


async def test_another_roll_in_its_place_shows_the_same_faces(strict: Table) -> None:
    await strict.done("anna", Roll("3d1000"))
    undone = await strict.done("anna", Undo())
    assert "The next roll gets the same dice." in undone.reply.lines
    again = await strict.done("anna", Roll("2d1000+5"))
    assert "These are the same dice as in the undone roll." in again.reply.lines
    await strict.done("anna", Roll("3d1000"))
    first, second, third = await faces(strict)
    assert second == first[:2]
    assert third != first


async def test_however_often_it_is_undone_the_same_faces_fall(strict: Table) -> None:
    for _ in range(4):
        await strict.done("anna", Roll("3d1000"))
        await strict.done("anna", Undo())
    assert len(set(await faces(strict))) == 1


async def test_dice_of_another_kind_use_nothing_up(strict: Table) -> None:
    await strict.done("anna", Roll("3d1000"))
    await strict.done("anna", Undo())
    await strict.done("anna", Roll("2d20"))
    await strict.done("anna", Roll("4d1000"))
    first, _, last = await faces(strict)
    assert last[:3] == first


async def test_a_roll_beside_the_game_uses_nothing_of_the_game_up(strict: Table) -> None:
    await strict.done("anna", NextStep())
    await strict.done("anna", DrawToken())
    await strict.done("anna", Undo())
    await strict.done("anna", Roll("1d15"))
    entry = (await strict.desk.store.all_entries(1))[-1]
    assert (entry.dice, entry.repeats) == ("bot", 0)


async def test_usually_another_roll_is_fresh(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("anna", Roll("3d1000"))
    undone = await table.done("anna", Undo())
    assert "If you repeat the action, it gets the same dice." in undone.reply.lines
    await table.done("anna", Roll("2d1000"))
    first, second = await faces(table)
    assert second != first[:2]


async def test_such_a_game_is_refereed_again(strict: Table) -> None:
    await strict.done("anna", Roll("3d1000"))
    await strict.done("anna", Undo())
    await strict.done("anna", Roll("2d1000+5"))
    await strict.done("anna", EndEncounter())
    assert (await referee((await strict.do("anna", Export())).reply.files[0].data)).whole


async def test_what_alters_nothing_uses_no_faces_up(strict: Table) -> None:
    """A bad shot taken back, a roll-off for a dispute in its place: the next shot meets the same dice."""
    await strict.done("anna", NextStep())
    await strict.done("anna", AddCondition("Skip", "active"))
    await strict.done("anna", Shoot("Skip", "Trapper", 6))
    await strict.done("anna", Undo())
    await strict.done("anna", Dispute())
    await strict.done("anna", Check("Skip", "AGL", 6))
    shot = await strict.done("anna", Shoot("Skip", "Trapper", 7))
    assert any(line.startswith("These are the same dice as in the undone roll") for line in shot.reply.lines)
    *_, first, dispute, check, second = await faces(strict)
    assert second[: len(first)] == first
    assert (dispute[: len(first)], check[: len(first)]) == (first[: len(dispute)], first)


async def test_the_strict_setting_is_not_left_while_an_undone_roll_waits(strict: Table) -> None:
    await strict.done("anna", Roll("3d1000"))
    await strict.done("anna", Undo())
    loose = Settings(UNDONE_DICE.key, UNDONE_DICE.values[0])
    assert await strict.refused("anna", loose) == UNDONE_ROLL_WAITS
    assert await strict.refused("anna", Undo()) == UNDONE_ROLL_WAITS, "not by taking the setting back"
    await strict.done("anna", Roll("2d1000"))
    assert await strict.refused("anna", Undo(2)) == UNDONE_ROLL_WAITS, "nor with the roll"
    await strict.done("anna", loose)


# ------------------------------------------------------------------------------------ no second try


async def test_of_two_undone_rolls_the_one_with_such_dice_falls_again(strict: Table) -> None:
    """Who undoes an earlier roll of other dice besides gets no fresh ones by it."""
    await strict.done("anna", Roll("2d20"))
    await strict.done("anna", Roll("3d1000"))
    await strict.done("anna", Undo(2))
    await strict.done("anna", Roll("4d1000"))
    twenty, first, again = await faces(strict)
    assert again[:3] == first
    await strict.done("anna", Roll("1d20+1"))
    assert (await faces(strict))[-1] == twenty[:1]


async def test_who_throws_real_dice_after_an_undo_gets_the_faces_that_fell(strict: Table) -> None:
    await strict.done("anna", Roll("3d1000"))
    await strict.done("anna", Undo())
    await strict.done("anna", DiceMode("real"))
    await strict.done("anna", Roll("3d1000"))
    first, again = await faces(strict)
    assert again == first


@pytest.mark.parametrize("mode", ["real", "bot"])
async def test_table_dice_that_were_undone_fall_again_too(mode: str, strict: Table) -> None:
    await strict.done("anna", DiceMode("real"))
    await strict.done("anna", Roll("3d6"))
    await strict.done("anna", EnterFaces((1, 2, 3)))
    undone = await strict.done("anna", Undo())
    assert "The next roll gets the same dice." in undone.reply.lines
    if mode == "bot":
        await strict.done("anna", DiceMode("bot"))
    await strict.done("anna", Roll("2d6+1"))
    entry = (await strict.desk.store.all_entries(1))[-1]
    assert (entry.dice, entry.repeats, entry.number) == ("real", 5, -1)
    assert entry.faces_shown() == ((6, 1), (6, 2))
    await strict.done("anna", EndEncounter())
    verdict = await referee((await strict.do("anna", Export())).reply.files[0].data)
    assert verdict.whole
    assert [one.entry for one in verdict.decided if one.kind == "real dice"] == [5, entry.seq]


async def test_where_more_table_dice_are_thrown_the_rest_is_asked_for(strict: Table) -> None:
    await strict.done("anna", DiceMode("real"))
    await strict.done("anna", Roll("2d6"))
    await strict.done("anna", EnterFaces((1, 2)))
    await strict.done("anna", Undo())
    asked = await strict.done("anna", Roll("4d6"))
    assert "So far: 1 2 _ _" in asked.reply.lines
    assert (
        "That die was rolled before the undo, so you can't remove it. Use /dice drop to cancel the roll"
        in await strict.refused("anna", TakeBackFace())
    )
    await strict.done("anna", DropRoll())
    assert "So far: 1 2 _ _" in (await strict.done("anna", Roll("4d6"))).reply.lines
    await strict.done("anna", EnterFaces((5,)))
    await strict.done("anna", TakeBackFace())
    await strict.done("anna", EnterFaces((6, 6)))
    assert (await faces(strict))[-1] == (1, 2, 6, 6)
    await strict.done("anna", Roll("2d6"))
    assert (await strict.desk.store.all_entries(1))[-1].faces == "[]", (
        "they are asked for: none waits any more"
    )
    await strict.done("anna", EnterFaces((3, 3)))
    await strict.done("anna", EndEncounter())
    assert (await referee((await strict.do("anna", Export())).reply.files[0].data)).whole


async def test_nobody_allows_fresh_dice_where_undone_ones_stay_in_place(strict: Table) -> None:
    await strict.done("bo", JoinEncounter("Edo"))
    await strict.done("anna", Roll("3d1000"))
    undone = await strict.done("anna", Undo())
    assert [button.label for button in undone.reply.buttons] == ["Redo"]
    assert await strict.refused("bo", FreshDice(4)) == NO_NEW_DICE
    await strict.done("anna", Roll("3d1000"))
    first, again = await faces(strict)
    assert again == first


async def test_typed_faces_never_become_the_bots(strict: Table) -> None:
    """Not where the bot throws now, and not where they fell again once."""
    await strict.done("anna", DiceMode("real"))
    await strict.done("anna", Roll("3d6"))
    await strict.done("anna", EnterFaces((6, 6, 6)))
    await strict.done("anna", Undo())
    await strict.done("anna", Roll("3d6"))
    await strict.done("anna", Undo())
    await strict.done("anna", DiceMode("bot"))
    again = await strict.done("anna", Roll("3d6"))
    assert again.reply.lines[-1] == "These are the same dice as in the undone roll (real dice)."
    assert {entry.dice for entry in await strict.desk.store.all_entries(1)} == {"", "real"}


async def test_typed_faces_never_become_a_draw_from_the_bag(strict: Table) -> None:
    """A bag of ten tokens is drawn from as a d10 is thrown."""

    def ten(encounter: Encounter) -> None:
        for side, inside in zip(encounter.sides(), (5, 5), strict=True):
            encounter.set_tokens("initiative", side.id, inside)

    await strict.done("anna", NextStep())
    await arrange(strict, "anna", ten)
    await strict.done("anna", DiceMode("real"))
    await strict.done("anna", Check("Skip", "AGL", 6))
    while any(row for row in (await strict.loaded()).book().all(PendingRow)):
        await strict.done("anna", EnterFaces((1,)))
    await strict.done("anna", Undo())
    await strict.done("anna", DrawToken())
    drawn = (await strict.desk.store.all_entries(1))[-1]
    assert (drawn.command, drawn.dice) == ("bag.draw", "bot")
    assert drawn.faces_shown()[0][0] == 10


async def test_how_the_game_is_played_stays_the_organisers_where_undo_is_free(strict: Table) -> None:
    await strict.done("bo", JoinEncounter("Edo"))
    await strict.done("anna", Settings(UNDO_OF_OTHERS.key, "free"))
    asked = await strict.done("bo", Undo())
    assert asked.reply.lines[0] == "bo asks anna to agree to undo this:"
    await strict.press("anna", asked, "Don't agree")
    await strict.done("anna", DamageModel("Smap"))
    assert (await strict.done("bo", Undo())).reply.lines[0].startswith("Undone: ")
