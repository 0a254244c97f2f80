"""Whatever is asked in whatever order, the table answers; and undone step by step all is as it was."""

from __future__ import annotations

import random

import pytest

from bot.actions import Action
from bot.games.warzone import GAME
from bot.games.warzone.activation import Activate, ActNext, Done
from bot.games.warzone.blast_actions import Blast
from bot.games.warzone.break_away_actions import BreakAway, LetGo
from bot.games.warzone.chart_actions import CHARTS, Dominate, InDire, Rampage, RollChart
from bot.games.warzone.close_combat_actions import Charge, Fight, SetContact
from bot.games.warzone.jump_actions import FallDown, Jump
from bot.games.warzone.morale_actions import LdTest, Morale
from bot.games.warzone.move_actions import Gap, Move, SetPresence
from bot.games.warzone.power_actions import Channel, Concentrate, MindStorm, Wake
from bot.games.warzone.rally_actions import Rally
from bot.games.warzone.reactions import Dive, React, Wait
from bot.games.warzone.roster_actions import ExportModel, FormSquad
from bot.games.warzone.shooting_actions import Aim, AttackTerrain, Band
from bot.games.warzone.shots import Shoot, Template
from bot.games.warzone.unhinged_actions import Attack, Derangement, NobodyThere, Reboot, Regroup
from bot.games.warzone.unit_actions import CheckCommandDistance
from bot.games.warzone.vehicle_actions import Board, Explosion
from bot.games.warzone.waiting_actions import Conceal, Spot
from bot.panels.widgets import card_of
from bot.table.journal.history import Undo
from bot.table.session.encounters import NextStep, StartDemo
from bot.table.session.models import AddCondition, ReturnModel
from rules.systems.warzone.model import Condition
from rules.systems.warzone.tables import TERRAINS, obstacles
from tests.bot.tables import Table

BEARINGS = ("away", "nearer", "other")
HOWS = ("fire", "spot", "dive", "countercharge", "brace", "withdraw")


def any_action(dice: random.Random, names: list[str]) -> Action:
    """Something that somebody might ask of these models."""
    one, two, three = (dice.choice(names) for _ in range(3))
    yes, odds = dice.random() < 0.3, dice.random() < 0.2
    inches = dice.choice(("0", "3", "8", "SR", "20", "40", "60"))
    numbers = tuple(dice.randint(1, 15) for _ in range(dice.randint(1, 3)))
    cover = dice.choice(("none", "soft", "hard"))
    return dice.choice(
        (
            Shoot(one, two, inches, cover, smoke=dice.randint(0, 2), rear=yes, odds=odds),
            Template(one, two, inches, f"{two}, {three}", cover=cover, now=yes, odds=odds),
            Blast(numbers[0], "", numbers),
            Aim(one, two),
            Charge(one, two, yes),
            Fight(one, two, secondary=yes, odds=odds),
            BreakAway(one, yes, odds),
            SetContact(one, two, yes),
            Move(one, dice.choice(TERRAINS), bearing=dice.choice(BEARINGS), turn=dice.choice((0, 90))),
            SetPresence(one, dice.choice(("standing", "minimized", "prone")), yes),
            Jump(one, dice.choice((0.0, 4.0)), dice.choice((0.0, 5.0)), 3.0, odds=odds),
            FallDown(one, 6.0, odds),
            Wait(one),
            React(one, dice.choice(HOWS), two, dice.choice(("move", "charge", "template"))),
            Dive(one, yes, not yes),
            Spot(one, two, odds=odds),
            Conceal(one, yes),
            Morale(one, odds=odds),
            Morale("", one, dire=1),
            Rally(one, two, odds=odds),
            LdTest(one, odds=odds),
            Channel(one, dice.randint(0, 9), target=two, odds=odds),
            Concentrate(one),
            Wake(one, two if yes else "", odds=odds),
            RollChart(dice.choice(list(CHARTS)), one, 3, two),
            Rampage(one, two),
            Dominate(one),
            InDire(f"{one}, {two}", dice.randint(0, 2)),
            Reboot(numbers[0]),
            Regroup(numbers[0], numbers),
            LetGo(one, yes),
            MindStorm(numbers[0], 3, numbers),
            Attack(one, two, inches),
            Derangement(one),
            NobodyThere(one),
            Board(one, two, yes),
            Explosion(numbers[0], numbers, numbers[1:], roll=yes),
            AttackTerrain(one, dice.choice(list(obstacles().values())).name, odds=odds),
            CheckCommandDistance(one, 9.0),
            Gap("friends", 2.0),
            Band(7.0, 170),
            ExportModel(one, yes),
            FormSquad("Mixed", f"{one}, {two}", one),
            AddCondition(one, dice.choice(list(Condition)), 0),
            ReturnModel(one),
            Activate(one),
            Activate(one),
            Activate(one, two),
            Done(),
            Done(one),
            Done(step="attacks"),
            ActNext(one),
            NextStep(),
        )
    )


@pytest.mark.parametrize("number", range(4))
async def test_random_play_and_back(table: Table, number: int) -> None:
    dice = random.Random(number)
    await table.done("anna", StartDemo("warzone"))
    before = table.state()
    names = [model.name for model in (await table.encounter()).models()]
    changed = 0
    for _ in range(160):
        reason = "so it fell" if dice.random() < 0.2 else ""
        answer = await table.do("anna", any_action(dice, names), reason=reason)
        assert answer.reply.lines
        changed += answer.changed
        card_of(answer.reply, answer.scope, answer.version)
        card_of(GAME.panel(await table.encounter()), answer.scope, answer.version)
    assert changed > 25
    while changed:
        steps = min(changed, 40)
        await table.done("anna", Undo(steps))
        changed -= steps
    after = table.state()
    for kind in ("encounters", "sides", "models", "conditions"):
        assert after[kind] == before[kind]
