"""A squad moves and fires in one form."""

from __future__ import annotations

import pytest

from bot.games.warzone.activation import Activate, Done
from bot.games.warzone.game import Warzone
from bot.games.warzone.move_actions import Move
from bot.games.warzone.reactions import Wait
from bot.games.warzone.squad_actions import SquadFire
from bot.replies.reply import Reply
from bot.table.journal.history import Undo
from bot.table.rolling.dice_settings import DiceMode
from tests.bot.warzone.skirmish import RIFLE, SWORD, Skirmish, tank

NAMES = ("Ann", "Ben", "Cat", "Dan", "Eli", "Fay", "Gus")
MOST_PRESSES = 20
"""What the round of a squad of seven may take; it took 42."""


async def seven(game: Skirmish) -> None:
    await game.add("Red", "Ann", "leader", RIFLE, SWORD, squad="Seven")
    for name in NAMES[1:]:
        await game.add("Red", name, RIFLE, squad="Seven")


async def panel(game: Skirmish) -> Reply:
    return Warzone().panel(await game.table.encounter())


@pytest.mark.rule("WZ-TURN-03", "WZ-RC-01")
async def test_a_squad_moves_and_fires_in_one_form(game: Skirmish) -> None:
    await seven(game)
    await game.begin()
    for who in ("anna", "bo"):
        await game.table.done(who, DiceMode("bot"))
    await tank(game, "Blue")
    presses = ["Which unit?", "Seven"]
    await game.act("Seven")
    button = next(one for one in (await panel(game)).buttons if one.label == "Move and fire...")
    assert button.asks
    presses += ["Move and fire...", "the form"]
    answer = await game.table.done("anna", SquadFire((), 2, "Tank", "20"))
    for name in NAMES:
        assert sum(line.startswith(f"{name} moves up to") for line in answer.reply.lines) == 2
        assert any(line.startswith((f"{name} hits", f"{name} misses")) for line in answer.reply.lines), name
    assert "Seven has used all its actions." in answer.reply.lines
    presses.append("Done")
    assert (await game.table.press("anna", answer, "Done")).changed
    assert len(presses) <= MOST_PRESSES


async def test_each_model_keeps_its_dice_in_whatever_order_they_are_named(game: Skirmish) -> None:
    await seven(game)
    await game.begin()
    for who in ("anna", "bo"):
        await game.table.done(who, DiceMode("bot"))
    await game.act("Seven")
    first = await game.table.done("anna", SquadFire(("Ann", "Ben"), 1, "Bex", "20"))
    await game.table.done("anna", Undo())
    again = await game.table.done("anna", SquadFire(("Ben", "Ann"), 1, "Bex", "20"))
    rolled_again = [line for line in again.reply.lines if "These are the same dice" not in line]
    assert rolled_again == list(first.reply.lines)


@pytest.mark.rule("WZ-WAIT-02")
async def test_an_enemy_on_wait_is_asked_between_the_move_and_the_shot(game: Skirmish) -> None:
    await seven(game)
    await game.begin("Blue")
    await game.bo(Activate("Bex"))
    for _ in range(2):
        await game.bo(Move("Bex"))
    await game.bo(Wait("Bex"))
    await game.bo(Done())
    await game.act("Seven")
    answer = await game.table.do("anna", SquadFire(("Ann", "Ben"), 1, "Bex", "20"))
    labels = [button.label for button in answer.reply.buttons]
    assert "Ann moves up to" in answer.reply.text
    assert "Ann hits" not in answer.reply.text
    assert "Ben" not in answer.reply.text.split("Ann moves")[0]
    assert {"Ann continues", "The other models continue"} <= set(labels)
    waits = await game.table.press("anna", answer, "Ann continues")
    assert not waits.changed
    await game.table.press("bo", answer, "Nobody reacts")
    assert (await game.table.press("anna", answer, "Ann continues")).reply.text


async def test_what_would_do_nothing_is_refused(game: Skirmish) -> None:
    await seven(game)
    await game.begin()
    assert "No unit is active. Activate one first." in await game.refused(SquadFire((), 1))
    await game.act("Seven")
    for action, told in (
        (SquadFire(()), "Choose a number of moves, or a target to fire at."),
        (
            SquadFire((), 1, None, "20"),
            "Choose a target, or leave the distance and cover blank.",
        ),
        (SquadFire((), 1, "Bex"), "How far away is the target?"),
        (SquadFire(("Rex",), 1), "Choose models of Seven"),
    ):
        assert told in await game.refused(action)
    assert "Only anna can do this for Red" in await game.refused(SquadFire((), 1), "bo")
