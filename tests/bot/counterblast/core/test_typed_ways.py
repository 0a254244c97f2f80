"""Slash commands whose options ask one of several actions: each becomes the one that is kept."""

from __future__ import annotations

import pytest

from bot.actions import Action
from bot.games.counterblast.core.checks import ClearPanic
from bot.games.counterblast.core.fields import Degrees
from bot.games.counterblast.gear.tasks import DropTask, Repair, Treat, Unlock, Work
from bot.games.counterblast.ground.walls import AddStructure, DropStructure
from bot.games.counterblast.movement.falls import TakeFall
from bot.games.counterblast.movement.moves import AtEdge, Flee, Move
from bot.games.counterblast.turn.activation_menu import PrepareGroup
from bot.games.counterblast.turn.bag import DrawToken, RedrawToken, SpendOrder
from bot.games.counterblast.turn.overwatch import Interrupt, Overwatch
from rules.refusals import InvalidInput

WAYS: list[tuple[Action, Action]] = [
    (DrawToken(), DrawToken(asks=True)),
    (SpendOrder("draw again"), RedrawToken()),
    (SpendOrder("clear panic"), ClearPanic()),
    (SpendOrder("larger group", 2), PrepareGroup(2)),
    (SpendOrder("+1 to a check"), SpendOrder("+1 to a check")),
    (Treat(worker="A", patient="B"), Treat(worker="A", patient="B", skill="medicine")),
    (Repair(worker="A", patient="B"), Treat(worker="A", patient="B", skill="engineering")),
    (Work(worker="A", task="Bomb", drop=True), DropTask("Bomb")),
    (Unlock(worker="A"), Work(worker="A", skill="technology", task="Door", purpose="lock")),
    (Unlock(worker="A", mechanical=True), Work(worker="A", skill="technology", task="Door")),
    (AddStructure("Gate", drop=True), DropStructure("Gate")),
    (Flee("A", edge=True), AtEdge("A")),
    (Overwatch(), Interrupt()),
    (Overwatch("A"), Overwatch("A")),
    (TakeFall("A", ask=True, odds=True), TakeFall("A", odds=True)),
    (Move("A", ground=("2 1", "slick")), Move("A", rugged=(2, 1), ground=("slick",))),
]


@pytest.mark.parametrize(("typed", "meant"), WAYS)
def test_what_was_typed_asks_the_action_that_is_kept(typed: Action, meant: Action) -> None:
    assert type(typed.as_typed_action()) is type(meant)
    assert typed.as_typed_action() == meant


def test_turns_are_degrees() -> None:
    kind = Degrees(wire=tuple[int, ...])
    assert kind.typed("45, -90 180") == (45, -90, 180)
    for text in ("181", "left", "1 2 3 4 5 6 7"):
        with pytest.raises(InvalidInput, match=r"turns in degrees .each at most"):
            kind.typed(text)
