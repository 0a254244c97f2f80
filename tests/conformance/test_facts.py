"""No dice are fished for by calling something else measured: what is seen or measured of a roll is a fact.

Whoever takes a roll back and asks it again a tenth of an inch further, or with another word beside it, gets
the same dice; only another decision gets others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from bot.actions import ACTIONS, Action, Part, action_of, decision_json, facts_of, parts
from bot.games.counterblast.melee.charges import Charge
from bot.games.infinity.attack_actions import Shoot
from bot.games.infinity.roll_actions import FaceToFaceRoll, RollD20
from bot.games.soluna.model_actions import ModeTest
from bot.games.warzone.jump_actions import FallDown
from bot.games.warzone.morale_actions import LdTest
from bot.table.asking.kinds import Number, Text, Token
from bot.table.handlers import HANDLERS
from bot.table.journal.history import Undo
from bot.table.rolling.rolls import Roll
from bot.table.session.encounters import NextStep, StartDemo
from bot.table.steps import Weighed
from tests.bot.tables import Table
from tests.conformance.test_steps import throws

ANNA = "anna"

DICE, LEVEL, COST, WHICH = "how many are thrown", "what is used of it", "what is paid", "which of several"
CHOSEN: dict[str, str] = {
    "act tokens": COST,
    "cb.move moves": COST,
    "cb.shoot dice": DICE,
    "cb.veh.drive moves": COST,
    "fe.check skill": WHICH,
    "fe.dodge skill": WHICH,
    "fe.draw cards": DICE,
    "inf.assault martial_arts": LEVEL,
    "inf.cc martial_arts": LEVEL,
    "inf.f2f against_burst": DICE,
    "inf.f2f burst": DICE,
    "inf.order path": "the way that a Jump takes",
    "inf.roll burst": DICE,
    "inf.shoot dice": DICE,
    "roll expression": "what is thrown; what is said of it decides nothing",
    "sol.attack cost": COST,
    "sol.attack dice": DICE,
    "sol.flip turns": "which dice are flipped",
    "sol.lunge dice": DICE,
    "sol.test flips": COST,
    "spoils.build level": WHICH,
    "upkeep back": WHICH,
    "wz.channel cost": COST,
    "wz.channel magnitude": LEVEL,
    "wz.channel power": WHICH,
    "wz.terrain piece": WHICH,
}
"""Numbers and words of what rolls that somebody chooses, with what they say."""


def rolling() -> list[str]:
    """Every action that throws dice, in one way or another."""
    in_steps = [
        command
        for command, handler in HANDLERS.items()
        if isinstance(getattr(handler.run, "__self__", None), Weighed)
    ]
    return sorted({*in_steps, *(command for command, handler in HANDLERS.items() if throws(handler, "bot"))})


def may_fish(part: Part) -> bool:
    """Whether a field can be said a little otherwise at will: inches, numbers, words."""
    return part.wire is float or type(part.kind) in (Number, Text)


def test_what_is_measured_of_a_roll_is_no_decision() -> None:
    found = {
        f"{command} {part.name}"
        for command in rolling()
        if ACTIONS[command].__module__.startswith("bot.")
        for part in parts(command)
        if may_fish(part) and part.name not in facts_of(command)
    }
    assert sorted(found - set(CHOSEN)) == [], "a fact, or chosen for a reason that stands here"
    assert sorted(set(CHOSEN) - found) == []


KEPT_FORM, ASKED = "its one form says nothing of it", "who is asked throws the same dice"
SWITCHED: dict[str, str] = {
    "bag.draw asks": KEPT_FORM,
    "cb.charge burrow": "which way it goes",
    "cb.charge.hits further": "which of two explosions",
    "cb.charge.hits heavy": "which charge goes off",
    "cb.defend lend": KEPT_FORM,
    "cb.disengage ask": ASKED,
    "cb.douse again": "another try",
    "cb.douse whole": COST,
    "cb.explode attack": "as its attack, or since it fell",
    "cb.fall ask": ASKED,
    "cb.fight ask": ASKED,
    "cb.fight contact": KEPT_FORM,
    "cb.gear.bomb off": "whether it goes off",
    "cb.gear.use attack": "what it is used for",
    "cb.melee contact": KEPT_FORM,
    "cb.psi.free fights": "whether it is fought",
    "cb.psi.ultonium ignore": "whether it is ignored",
    "cb.repair again": "another try",
    "cb.snap order": COST,
    "cb.template landed": "whether it is fired",
    "cb.terrain average": "whether anything is rolled",
    "cb.treat again": "another try",
    "cb.unlock again": "another try",
    "cb.unlock drop": "what becomes of the task",
    "cb.uplink order": COST,
    "cb.veh.hit aside": "whether it turns aside",
    "cb.veh.hit falls": "that it falls",
    "cb.veh.hit ram": "that it rams",
    "cb.veh.hit wild": "that it is out of control",
    "cb.veh.ram ram": COST,
    "cb.work again": "another try",
    "cb.work drop": "what becomes of the task",
    "fe.area moving": "whether it moves",
    "fe.attack moving": "whether it moves",
    "fe.check aon": "what is at stake",
    "fe.detect other_sense": WHICH,
    "fe.detect random": "whether a card tells the difficulty",
    "inf.cc berserk": LEVEL,
    "mission.search again": "another try",
    "sol.attack force": COST,
    "sol.break force": COST,
    "sol.grapple force": COST,
    "sol.lunge force": COST,
    "spoils.build foreign": WHICH,
    "upkeep confirm": "whether the turn ends",
    "upkeep roll": "whether it is rolled now",
    "wz.break let_go": "whether the enemy is asked",
    "wz.fight secondary": "which of two attacks",
    "wz.fight together": "whether both strike",
    "wz.move reverse": "which way it goes",
}
"""Switches of what rolls, but for tokens, with what they say."""


def test_a_question_that_was_answered_makes_no_other_decision() -> None:
    """Who is asked something on the way, and who types it at once, throws the same dice."""
    found = {
        f"{command} {part.name}"
        for command in rolling()
        if ACTIONS[command].__module__.startswith("bot.")
        for part in parts(command)
        if part.wire is bool
        and part.name not in {*facts_of(command), "odds"}
        and type(part.kind) is not Token
    }
    assert sorted(found - set(SWITCHED)) == [], "a fact, or decided for a reason that stands here"
    assert sorted(set(SWITCHED) - found) == []


def test_no_distance_of_a_roll_is_ever_chosen() -> None:
    inches = {
        f"{command} {part.name}" for command in rolling() for part in parts(command) if part.wire is float
    }
    assert not inches & set(CHOSEN)
    assert len(inches) > 20


CORRECTED: dict[str, tuple[tuple[Action, dict[str, Any]], ...]] = {
    "counterblast": ((Roll("2d6+1 # a door"), {"expression": "2d6+1 # the other door"}),),
    "infinity": (
        (RollD20(value=12), {"value": 14, "mod": -3}),
        (FaceToFaceRoll(), {"value": 9, "against_armour": 3}),
    ),
    "soluna": ((ModeTest("Vey", difficulty=2, dice=4), {"difficulty": 3}),),
    "warzone": (
        (LdTest("Adams", reason="a howl"), {"reason": "a growl", "modifier": -1}),
        (FallDown("Adams", height=4.0), {"height": 5.0}),
    ),
}
"""Rolls that show their faces at once, and what of them is corrected."""


async def faces(table: Table, action: Action) -> str:
    """What fell for a roll, as its entry keeps it."""
    answer = await table.done(ANNA, action)
    entry = await table.desk.store.entry(answer.scope, answer.version)
    assert entry is not None
    return str(entry.faces)


@pytest.mark.parametrize("system", CORRECTED)
async def test_a_corrected_fact_keeps_the_dice(table: Table, system: str) -> None:
    await table.done(ANNA, StartDemo(system=system))
    await table.done(ANNA, NextStep())
    for action, facts in CORRECTED[system]:
        fell = await faces(table, action)
        assert fell.strip("[]")
        await table.done(ANNA, Undo())
        assert await faces(table, replace(action, **facts)) == fell


TOLD_BESIDE: Sequence[tuple[str, dict[str, Any]]] = (
    ("cb.shoot", {"straight": "yes"}),
    ("cb.shoot", {"mount": "turret"}),
    ("cb.team", {"straight": "no"}),
    ("cb.veh.drive", {"end": "deep water"}),
    ("sol.attack", {"item": "Medkit"}),
    ("sol.attack", {"extra": "power+1"}),
    ("spoils.relic", {"holder": "Neema"}),
    ("wz.morale", {"effect": "a howl"}),
    ("wz.morale", {"source": 3}),
)
"""What is said of a roll and costs nothing: none of it buys other dice."""


@pytest.mark.parametrize(("command", "said"), TOLD_BESIDE)
def test_what_is_said_beside_a_roll_buys_no_dice(command: str, said: dict[str, Any]) -> None:
    assert decision_json(action_of(command, said)) == decision_json(action_of(command, {}))


MIXED: Sequence[tuple[Action, dict[str, Any], dict[str, Any]]] = (
    (Shoot(), {"more": "#7 22 1, #8 18 2 cover"}, {"more": "#7 23 1 cover, #8 17.5 2"}),
    (Charge(), {"more": (7, 50, 0, 8, 61, 1)}, {"more": (7, 55, 0, 8, 60, 1)}),
)


@pytest.mark.parametrize(("action", "asked", "corrected"), MIXED)
def test_of_what_tells_both_only_the_decision_counts(
    action: Action, asked: dict[str, Any], corrected: dict[str, Any]
) -> None:
    def decided(values: dict[str, Any]) -> str:
        return decision_json(action_of(action.command, values))

    assert decided(asked) == decided(corrected)
    (name, value), *_ = asked.items()
    other = value.replace("#8", "#9") if isinstance(value, str) else (*value[:-1], 2)
    assert decided({name: other}) != decided(asked)
