"""Exact odds of the campaign's and machines' plain dice: against every face, and by hand."""

from __future__ import annotations

import pytest

from rules.dice import Solver
from rules.systems.counterblast.campaign import casualty
from rules.systems.counterblast.core.checks import Throw
from rules.systems.counterblast.core.impacts import Impact
from rules.systems.counterblast.gear.items import extinguish_area, extinguish_model
from rules.systems.counterblast.gear.salvage import bauble, relic_roll
from rules.systems.counterblast.melee.engagement import Grapple, control, grapple
from rules.systems.counterblast.psionics.powers import astray
from rules.systems.counterblast.psionics.psionics import psionic_impact
from rules.systems.counterblast.vehicle_rules import careen, critical_damage, explosion, maneuver
from tests.rules.counterblast.field import model
from tests.rules.helpers import brute


@pytest.mark.parametrize(
    ("rule", "args"),
    [
        (casualty, (-1,)),
        (critical_damage, (3,)),
        (careen, (8,)),
        (extinguish_area, (3,)),
        (astray, ()),
        (relic_roll, ()),
        (bauble, ()),
    ],
)
def test_solved_and_counted_odds_agree(rule, args):
    solved = Solver(exact=True).solve(rule, *args)
    assert {outcome: chance for outcome, chance in solved.chances.items() if chance} == brute(rule, *args)


def test_single_dice_by_hand():
    one = (Throw(1, 0, 7),)
    assert chance(grapple, Grapple(one[0], None)) == pytest.approx(0.4)  # 7 to 10
    assert chance(control, one, psionic_impact(model(psionic="1D"), model(2, 2), damage=0)) == pytest.approx(
        0.4
    )
    assert chance(extinguish_model, one) == pytest.approx(0.4 * 0.4)
    assert chance(maneuver, one) == pytest.approx(0.4)
    assert chance(explosion, Impact(power=7, shields=1)) == pytest.approx(0.6)


def chance(rule, *args) -> float:
    """The chance of any outcome but nothing."""
    return Solver().solve(rule, *args).chance(bool)
