""""""

from __future__ import annotations

from fractions import Fraction
from math import inf

import pytest

from rules.dice import Solver
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.checks import roll_one_success
from rules.systems.counterblast.core.general import roll_off
from rules.systems.counterblast.missions.setup import (
    STEPS,
    average_terrain,
    deployment_order,
    deployment_steps,
    in_default_zone,
    pieces_left,
    placing_player,
    prepare_entry,
    require_in_zone,
    require_infiltrator_spot,
    roll_terrain,
    start_on_overwatch,
    terrain_dice,
)
from tests.rules.counterblast.field import model
from tests.rules.helpers import brute, fed


@pytest.mark.rule("CB-SETUP-04")
def test_one_terrain_die_for_every_two_full_square_feet_added_up():
    assert terrain_dice(3, 3) == 4  # 9 square feet
    assert terrain_dice(4, 4) == 8
    assert fed(roll_terrain, [10, 1, 5, 6], 4) == 22  # no bonus die, nothing cancelled
    assert (average_terrain(3, 3), average_terrain(4, 4)) == (20, 40)
    with pytest.raises(InvalidInput):
        terrain_dice(0, 3)
    with pytest.raises(InvalidInput, match="The table must have at least 2 square feet for terrain"):
        terrain_dice(1, 1)


@pytest.mark.rule("CB-SETUP-04")
def test_odds_of_the_number_of_pieces():
    odds = Solver(exact=True).solve(roll_terrain, 2)
    assert odds.chances[20] == Fraction(1, 100)
    assert odds.chances[11] == Fraction(10, 100)
    assert dict(odds.chances) == brute(roll_terrain, 2)


@pytest.mark.rule("CB-SETUP-05")
def test_big_pieces_count_as_several():
    assert pieces_left(20, 3) == 17
    assert pieces_left(2, 3) == 0
    for wrong in (0, 4):
        with pytest.raises(InvalidInput):
            pieces_left(5, wrong)


@pytest.mark.rule("CB-SETUP-06")
def test_players_place_one_piece_each_in_their_order_over_and_over():
    assert [placing_player((2, 0, 1), placed) for placed in range(7)] == [2, 0, 1, 2, 0, 1, 2]


@pytest.mark.rule("CB-SETUP-08")
def test_the_winner_of_the_roll_off_chooses_the_order_of_deployment():
    winner = fed(roll_off, [7, 7, 3, 9], 2)
    assert winner == 1
    assert deployment_order((0, 1), winner, (0, 1)) == (0, 1)
    assert deployment_order((0, 1), winner) == (1, 0)
    assert deployment_order((0, 1, 2), 1, (2, 1, 0)) == (2, 1, 0)
    with pytest.raises(InvalidInput):
        deployment_order((0, 1, 2), 1, (2, 1, 1))


@pytest.mark.rule("CB-SETUP-09", "CB-SETUP-10")
def test_whole_crews_first_then_the_infiltrators_in_the_same_order():
    steps = deployment_steps((2, 0, 1), frozenset({0, 2}))
    assert [(step.player, step.infiltrators) for step in steps] == [
        (2, False), (0, False), (1, False), (2, True), (0, True),
    ]  # fmt: skip


@pytest.mark.rule("CB-SETUP-09")
def test_regular_models_stay_in_their_zone():
    require_in_zone(True, infiltrator=False)
    require_in_zone(False, infiltrator=True)
    with pytest.raises(Forbidden) as refusal:
        require_in_zone(False, infiltrator=False)
    assert refusal.value.rule == "CB-SETUP-09"


@pytest.mark.rule("CB-SETUP-10", "CB-FEAT-31")
@pytest.mark.parametrize("near", [(8, 20, 20), (20, 7.5, 20), (20, 20, 0)])
def test_infiltrators_keep_more_than_8_inches_from_zones_enemies_and_objectives(near):
    require_infiltrator_spot(8.1, 9, inf)
    with pytest.raises(Forbidden) as refusal:
        require_infiltrator_spot(*near)
    assert refusal.value.rule == "CB-SETUP-10"


@pytest.mark.rule("CB-SETUP-07")
def test_the_default_zone_is_12_inches_around_the_middle_of_an_edge():
    assert in_default_zone(12)
    assert not in_default_zone(12.1)


@pytest.mark.rule("CB-SETUP-01")
def test_the_steps_before_the_first_turn_are_in_order():
    places = [STEPS.index(step) for step in ("choose missions", "choose and place terrain", "deploy crews")]
    assert places == sorted(places)
    assert STEPS[-2:] == ("deploy infiltrators", "first turn")


@pytest.mark.rule("CB-SETUP-10", "CB-FEAT-31")
def test_infiltrators_may_start_on_overwatch():
    (watch,) = start_on_overwatch(model(features=("infiltrator",)))
    assert watch.condition == "overwatch"
    assert start_on_overwatch(model(specialties=("scouting_party",)))
    with pytest.raises(Forbidden):
        start_on_overwatch(model())


@pytest.mark.rule("CB-SETUP-10", "CB-FEAT-32")
def test_reserves_enter_from_turn_2_by_the_leaders_int_at_5():
    waiting, leader = model(2, features=("infiltrator",)), model(1, rank="hero", intellect="2D", leader=True)
    ready = prepare_entry(waiting, leader, 2)
    assert (ready.throw.pool, ready.throw.target) == (2, 5)
    assert fed(roll_one_success, [5, 3], (ready.throw,)) is True
    assert fed(roll_one_success, [4, 3], (ready.throw,)) is False
    for who, by, turn in (
        (waiting, leader, 1),
        (model(2), leader, 2),
        (waiting, model(3, rank="hero"), 2),
        (waiting, model(3, side=2, leader=True), 2),
    ):
        with pytest.raises(Forbidden):
            prepare_entry(who, by, turn)
