"""Whose luck it is: what is better for who throws is worth more, and wounds are those of who deals them."""

from __future__ import annotations

import json
from itertools import count, pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

import bot.games  # noqa: F401
from bot.store.journal import Entry
from bot.table.encounter import Encounter
from bot.table.luck.luck_actions import _wounds, load_fallen_game
from bot.table.luck.luck_report import find_deciding_rolls, format_deciding_rolls
from bot.table.luck.outcome_values import Worth, find_worth
from bot.table.luck.replayed_rolls import CountedRoll, FallenGame, Wounds, _RollListener
from bot.table.throw_purposes import Heard
from rules.dice import Dice, Fall
from rules.systems.counterblast.core.checks import CheckResult
from rules.systems.counterblast.core.panic import PanicResult
from rules.systems.fracd_earth.deck import top_card
from rules.systems.infinity.armour import wounds
from rules.systems.infinity.rolls import FaceToFace, Hits, Reading
from rules.systems.soluna.movement import Contest
from rules.systems.warzone.characteristic import Grade
from rules.systems.warzone.vehicles import Hull, HullResult, attack_vehicle
from tests.bot.tables import opened
from tests.played import Played

BETTER: list[tuple[Any, list[Any]]] = [
    (None, [CheckResult(-1), CheckResult(1), CheckResult(3)]),
    (None, [PanicResult(True), PanicResult(False)]),
    (None, [Reading.FAILURE, Reading.SUCCESS, Reading.CRITICAL]),
    (None, [Hits(0), Hits(1), Hits(1, 1)]),
    (None, [FaceToFace(b=Hits(2)), FaceToFace(b=Hits(1)), FaceToFace(), FaceToFace(a=Hits(1))]),
    (wounds, [2, 1, 0]),
    (None, [Contest(1, 3), Contest(2, 3), Contest(2, 2), Contest(4, 1)]),
    (None, [Grade.FUMBLE, Grade.SUCCESS]),
    (attack_vehicle, [HullResult(Hull(3, ()), False), HullResult(Hull(1, ()), False)]),
    (top_card, [2, 9, 13]),
    (None, [False, True]),
]
"""A rule, where its outcomes tell nothing by their kind, and outcomes from the worst for who throws on."""


@pytest.mark.parametrize(
    ("rule", "outcomes"), BETTER, ids=[type(outcomes[-1]).__name__ for _, outcomes in BETTER]
)
def test_what_is_better_for_who_throws_is_worth_more(rule: Any, outcomes: list[Any]) -> None:
    worths = []
    for outcome in outcomes:
        known = find_worth(rule, outcome)
        assert known is not None
        worths.append(known.of(outcome))
    assert all(worse < better for worse, better in pairwise(worths)), worths


@pytest.fixture
async def infinity(played: Played, tmp_path: Path) -> FallenGame:
    async with opened(played.database("infinity_turn", tmp_path / "game.db")) as table:
        return (await load_fallen_game(table.desk.store, 1)).game


def test_wounds_are_told_of_the_side_that_dealt_them(infinity: FallenGame) -> None:
    """What a side dealt is what the saves of the other let through."""
    for side, name in infinity.sides.items():
        thrown = [roll.wounds for roll in infinity.rolls if roll.side != side and roll.wounds is not None]
        came, due = sum(one.came for one in thrown), sum(one.due for one in thrown)
        told = " ".join(_wounds(infinity, [side]))
        assert " ".join(told.split()) == f"{name} dealt {came:g} wounds; {due:.1f} were expected."


def test_saves_are_luck_of_who_is_wounded_and_wounds_of_who_shot(infinity: FallenGame) -> None:
    saves = [roll for roll in infinity.rolls if roll.wounds is not None]
    assert saves
    for roll in saves:
        assert roll.wounds is not None
        assert roll.wounds.by != roll.side
        assert roll.fall.worth == -roll.wounds.came
        assert roll.fall.mean == pytest.approx(-roll.wounds.due)


# ------------------------------------------------------------------------------------ what everybody reads


def entry(**more: Any) -> Entry:
    said = {"seq": 7, "quiet": False, "title": "Something happens.", "reply": json.dumps({})} | more
    return cast(Entry, SimpleNamespace(**said))


def coin(dice: Dice) -> bool:
    return dice.face(2, "coin") == 2


def heard(told: Entry) -> list[CountedRoll]:
    """What counts of an entry in which a coin was thrown."""
    ears = _RollListener()
    one = Heard(cast(Encounter, object()), (), coin, (), {}, True)
    ears._heard.append((one, Worth(float), [(1, 10)], 3))
    ears.made(told)
    return ears.rolls


def test_only_what_everybody_read_is_counted() -> None:
    (roll,) = heard(entry())
    assert (roll.entry, roll.side, roll.player, roll.turn) == (7, 1, 10, 3)
    assert roll.chance == pytest.approx(0.5)
    assert heard(entry(quiet=True)) == []
    assert heard(entry(reply=json.dumps({"private": True}))) == []


# ------------------------------------------------------------------------------------ what decided


NUMBERS = count(1)


def wounding(came: float, due: float, chances: dict[float, float]) -> CountedRoll:
    fall = Fall(chances, came)
    chance = sum(p for worth, p in chances.items() if worth >= came)
    return CountedRoll(next(NUMBERS), 2, "A shot.", 1, 10, (), fall, chance, Wounds(1, came, due))


def test_a_roll_decides_by_how_far_its_wounds_are_from_those_due() -> None:
    """Four wounds where hardly any are due are more than five where three are."""
    usual = [wounding(5.0, 3.0, {5.0: 0.2, 2.5: 0.8}) for _ in range(3)]
    far = wounding(4.0, 0.2, {4.0: 0.05, 0.0: 0.95})
    assert far in find_deciding_rolls([*usual, far])
    none = wounding(0.0, 4.0, {0.0: 0.2, 5.0: 0.8})
    assert none in find_deciding_rolls([*usual, none])


def test_it_is_told_for_whom_and_how_likely_as_good_or_as_bad_was() -> None:
    good = wounding(4.0, 0.2, {4.0: 0.05, 0.0: 0.95})
    bad = wounding(0.0, 4.0, {0.0: 0.2, 5.0: 0.8})
    said = format_deciding_rolls([good, bad], {}, {1: "Lancers"})
    assert [line.strip() for line in said if "for Lancers" in line] == [
        "chance of a result at least this good for Lancers: 5%",
        "chance of a result at least this bad for Lancers: 20%",
    ]
