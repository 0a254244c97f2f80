"""Before the first turn nobody acts, in a game that waits; tables are set up and chances are asked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.actions import Action
from bot.games.fracd_earth.move_actions import Move as FracdMove
from bot.games.infinity.attack_actions import Fight
from bot.games.infinity.attack_actions import Shoot as InfinityShoot
from bot.games.infinity.movement_actions import SpendOrder
from bot.games.soluna.attack_declaration import Attack as SolunaAttack
from bot.games.soluna.look_actions import Look
from bot.table.game import game_of
from bot.table.request import Answer
from bot.table.session.encounters import StartDemo
from bot.table.session.possible_actions import add_action_buttons
from rules.sections import cite_rule
from tests.bot.tables import Table
from tests.games import SYSTEMS

WAIT: tuple[tuple[str, str, Action], ...] = (
    ("infinity", "INF-ORD-01", SpendOrder("Angus")),
    ("infinity", "INF-ORD-01", InfinityShoot("Angus", "Tracker", 8)),
    ("infinity", "INF-ORD-01", Fight("Angus", "Tracker")),
    ("fracd_earth", "FE-TURN-01", FracdMove("Rook", "run")),
    ("soluna", "SU-SEQ-01", SolunaAttack("Ilka", "Oska")),
)


@pytest.mark.parametrize(("system", "rule", "action"), WAIT)
async def test_nobody_acts_before_the_first_turn(
    table: Table, system: str, rule: str, action: Action
) -> None:
    await table.done("anna", StartDemo(system))
    before = table.state()
    answer = await table.do("anna", action)
    assert answer.reply.lines == (
        "Begin the game first; no model can act yet.",
        f"Rulebook: {cite_rule(rule)}.",
    )
    assert answer.reply.private
    assert [button.label for button in answer.reply.buttons][:1] == ["Begin"]
    assert table.state() == before


ASKED: tuple[tuple[str, Action], ...] = (
    ("infinity", replace(InfinityShoot("Angus", "Tracker", 8), odds=True)),
    ("fracd_earth", FracdMove("Rook", "run", asks=True)),
    ("soluna", Look("Ilka")),
)


@pytest.mark.parametrize(("system", "action"), ASKED)
async def test_what_is_only_asked_need_not_wait(table: Table, system: str, action: Action) -> None:
    await table.done("anna", StartDemo(system))
    assert "has not begun" not in (await table.do("anna", action)).reply.text


@pytest.mark.parametrize("system", SYSTEMS)
async def test_undo_stands_on_the_panel_before_the_game_begins(table: Table, system: str) -> None:
    """In every game at the same place, behind what is set up, and nowhere else."""
    await table.done("anna", StartDemo(system))
    encounter = await table.encounter()
    shown = add_action_buttons(encounter, game_of(encounter).panel(encounter))
    assert [button.label for button in shown.buttons][-3:] == ["Set up...", "Undo", "More..."]
    more = await table.press("anna", Answer(shown), "More...")
    assert "Undo" not in [button.label for button in more.reply.buttons]
