"""What the deed refuses, its chances refuse: every action that can be asked for its chances, in many states.

Whoever acts is put under each condition of the game in turn, then the enemy, and acts until it may no more.
Only that it is not yet somebody's turn is no refusal of chances: they are asked before one decides.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.actions import ACTIONS, Action, parts
from bot.app import ALL_GAMES
from bot.games.counterblast.movement.moves import Move
from bot.games.fracd_earth.move_actions import HalfMove
from bot.games.fracd_earth.move_actions import Move as Pace
from bot.games.infinity.movement_actions import SpendOrder
from bot.games.soluna.move_actions import Pass, Turn
from bot.store.rows import ModelRow
from bot.table.game import game_of
from bot.table.handlers import HANDLERS, Place
from bot.table.journal.history import Undo
from bot.table.session.encounters import NextStep, StartDemo
from bot.table.session.models import AddCondition
from tests.bot.tables import Table
from tests.bot.test_who_may import NOT_ALLOWED, RULED_OUT, came, of_games, said
from tests.conformance.test_answers import Sweeper

SYSTEMS = [game.key for game in ALL_GAMES]
NOT_YET = (
    "The game hasn't started",
    "is not active: activate it first",
    "does not act now",
    "acts before",
    "nobody is acting",
    "is acting.",
    "doesn't need a morale test",
    "to act or pass before",
    "already passed in this phase",
)
"""Refusals that only say when."""

TURNS: dict[str, tuple[tuple[Any, ...], ...]] = {
    "counterblast": ((Move(), Move()),),
    "infinity": ((SpendOrder(skill="move"),), (SpendOrder(skill="other entire order"),)),
    "soluna": ((Turn(face="north"),), (Pass(),)),
    "fracd_earth": ((Pace(pace="rush"),), (HalfMove(what="cross"), HalfMove(what="jump"))),
}
"""What whoever acts does before it is asked once more, step by step, in ways that begin anew."""


FIRST = {"infinity": "Angus", "soluna": "Vey"}
"""Who acts in the sample game where nobody is activated: of the active side, or the first of the phase."""


FEW = 5
"""A game with fewer actions that have chances may have none that is refused here."""


def asking(command: str) -> str:
    """The field by which only chances are asked; empty for none."""
    found = (part.name for part in parts(command) if part.name in ("odds", "asks") and part.default is False)
    return next(found, "")


class Comparer:
    """Asks each deed and its chances, and notes where only the deed is refused."""

    def __init__(self, table: Table, system: str, mine: ModelRow, foe: ModelRow, side: str) -> None:
        self.table, self.mine, self.foe, self.side = table, mine, foe, side
        self.commands = [
            command
            for command in of_games()
            if HANDLERS[command].system == system
            and HANDLERS[command].place is Place.ENCOUNTER
            and asking(command)
        ]
        self.refused = 0
        self.wrong: set[tuple[str, str, str]] = set()

    async def compare(self, state: str) -> None:
        loaded = await self.table.loaded()
        for command in self.commands:
            deed = ACTIONS[command](**said(command, self.mine, self.foe, self.side))
            told: list[str] = []
            if await came(self.table, loaded, "anna", deed, told) != RULED_OUT:
                continue
            self.refused += 1
            if any(words in told[0] for words in NOT_YET):
                continue
            chances = replace(deed, **{asking(command): True})
            if await came(self.table, loaded, "anna", chances) not in (RULED_OUT, NOT_ALLOWED):
                self.wrong.add((command, state, told[0]))


@pytest.mark.parametrize("system", SYSTEMS)
async def test_what_the_deed_refuses_its_chances_refuse(
    table: Table, caplog: pytest.LogCaptureFixture, system: str
) -> None:
    sweeper = Sweeper(table, caplog)
    await table.done("anna", StartDemo(system))
    await (table.done("anna", NextStep()) if system == "soluna" else sweeper.begin())
    encounter = await table.encounter()
    models = encounter.models()
    acting = sweeper.acting or FIRST.get(system, "")
    mine = next((model for model in models if model.name == acting), models[0])
    foe = next(model for model in models if model.side != mine.side)
    comparer = Comparer(table, system, mine, foe, encounter.side(mine.side).name)
    await comparer.compare("as it stands")
    for one in (mine, foe):
        for condition in game_of(encounter).conditions():
            if (await table.do("anna", AddCondition(f"#{one.id}", condition))).changed:
                await comparer.compare(f"{one.name} {condition}")
                await table.done("anna", Undo())
    for way in TURNS.get(system, ()):
        for deed in way:
            await table.done("anna", of(deed, mine))
            await comparer.compare(f"after {deed.command}")
        for _ in way:
            await table.done("anna", Undo())
    assert comparer.refused > 20 or len(comparer.commands) < FEW
    assert not comparer.wrong


def of(deed: Action, model: ModelRow) -> Action:
    first = parts(deed.command)[0].name
    return replace(deed, **{first: f"#{model.id}"})  # type: ignore[arg-type]
