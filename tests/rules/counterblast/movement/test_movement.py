""""""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from rules.dice import Solver
from rules.effects import Assign, Gain, Leave, Lose, Propose
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.checks import Throw
from rules.systems.counterblast.core.conditions import (
    list_attacker_edges,
    list_target_edges,
    reach_table_edge,
)
from rules.systems.counterblast.core.counters import ENGAGED_WITH, Counter
from rules.systems.counterblast.core.fighter import Condition
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.settings import Settings
from rules.systems.counterblast.movement.ground import Rugged
from rules.systems.counterblast.movement.movement import (
    Jump,
    after_climb,
    after_jump,
    after_moving_into_view,
    after_spot,
    carried_inches,
    climb,
    drop_prone,
    free_jump,
    hide,
    jump,
    jump_successes,
    move_distance,
    prepare_climb,
    prepare_jump,
    prepare_scan,
    prepare_spot,
    require_jump,
    require_team_carry,
    spot,
    stand_up,
    stand_up_actions,
)
from tests.rules.counterblast.arena import armed
from tests.rules.counterblast.field import model
from tests.rules.helpers import brute, fed

CLIFF = Rugged("cliff", 3)


@pytest.mark.rule("CB-MOVE-01", "CB-TERR-12")
def test_one_or_two_moves_up_to_mv_less_rugged_ground_once():
    assert move_distance(model(mv=6)).inches == 6
    assert move_distance(model(mv=6), 2).inches == 12
    # Mv 4, two Moves, Rugged [3]: 8 - 3
    assert move_distance(model(mv=4), 2, [CLIFF]).inches == 5
    assert move_distance(model(mv=4), 2, [CLIFF, CLIFF]).inches == 5
    assert move_distance(model(mv=4), 2, [CLIFF, Rugged("mud", 1)]).inches == 4
    assert move_distance(model(mv=2), 1, [CLIFF]).inches == 0
    with pytest.raises(Forbidden):
        move_distance(model(), 3)


@pytest.mark.rule("CB-TERR-12", "CB-FEAT-53")
def test_sure_footed_models_and_flyers_mind_rugged_ground_less():
    assert move_distance(model(mv=4, features=("sure_footed:2",)), 1, [CLIFF]).inches == 3
    assert move_distance(model(mv=4, features=("sure_footed:3",)), 1, [CLIFF]).inches == 4
    assert move_distance(model(mv=4, features=("fly",)), 1, [CLIFF]).inches == 4


@pytest.mark.rule("CB-MOVE-01")
def test_every_part_of_a_distance_is_named():
    reach = move_distance(model(mv=5), 1, [CLIFF], other=(Modifier(-1, "cold", "CB-HAZ-04"),))
    assert reach.moves == "1 x Mv 5"
    assert [(part.amount, part.rule) for part in reach.parts] == [(-3, "CB-TERR-12"), (-1, "CB-HAZ-04")]
    assert reach.inches == 1


@pytest.mark.rule("CB-MOVE-12", "CB-WEAP-34")
def test_a_heavy_weapon_slows_each_move_unless_two_carry_it():
    gunner = replace(model(mv=6), weapons=(load().weapons["pulsar_heavy"],))
    assert move_distance(gunner, 1).inches == 5
    assert move_distance(gunner, 2).inches == 10
    assert move_distance(gunner, 2, carried=True).inches == 12


@pytest.mark.rule("CB-MOVE-02", "CB-CAS-06")
def test_only_panicked_models_leave_the_table():
    calm, panicked = model(), model(under=(Condition.PANICKED,))
    assert reach_table_edge(calm) == ()
    assert reach_table_edge(panicked) == (Leave(1, "fled"),)


@pytest.mark.rule("CB-MOVE-04")
def test_a_climb_needs_one_success_at_3_plus_the_rugged_rating():
    climber = model(agility="2D+1")
    assert prepare_climb(climber).throw == Throw(2, 1, 6)
    assert prepare_climb(climber, 1).throw.target == 4
    assert fed(climb, [5, 2], (Throw(2, 1, 6),)) is True
    assert fed(climb, [4, 4], (Throw(2, 1, 6),)) is False
    assert fed(climb, [1, 9], (Throw(2, 1, 6),)) is False  # the 1 cancels it
    with pytest.raises(InvalidInput):
        prepare_climb(climber, 4)


@pytest.mark.rule("CB-MOVE-04")
def test_a_climber_that_loses_its_grip_falls_from_its_present_height():
    assert after_climb(model(), 4, 3, held_on=True) == (Assign("model", 1, Counter.HEIGHT, 7),)
    assert after_climb(model(), 4, -6, held_on=True) == (Assign("model", 1, Counter.HEIGHT, 0),)
    effects = after_climb(model(), 4, 3, held_on=False)
    assert effects[0] == Assign("model", 1, Counter.HEIGHT, 0)
    assert isinstance(effects[1], Propose)
    assert (effects[1].action, effects[1].details) == ("fall", (("height", 4),))


@pytest.mark.rule("CB-MOVE-05")
def test_half_of_mv_is_jumped_freely_level_or_down_on_legs():
    assert free_jump(5) == 2.5
    assert jump_successes(6, 3) == 0
    assert fed(jump, [], (Throw(1, 0, 5),), 0) is Jump.CLEARED
    require_jump("legs", 3, 0, 6)
    require_jump("legs", 3, -4, 6)
    for wrong in (("wheels", 3, 0, 6), ("tracks", 3, 0, 6), ("legs", 3, 1, 6), ("legs", 7, 0, 6)):
        with pytest.raises(Forbidden):
            require_jump(*wrong)
    assert after_jump(model(), Jump.CLEARED, 9) == ()


@pytest.mark.rule("CB-MOVE-06", "CB-CHECK-15")
def test_a_longer_jump_needs_a_success_for_every_inch_more():
    assert jump_successes(6, 5) == 2
    assert prepare_jump(model(agility="2D")).throw == Throw(2, 0, 5)
    two = (Throw(2, 0, 5),)
    assert fed(jump, [5, 9], two, 2) is Jump.CLEARED
    assert fed(jump, [10, 4, 6], two, 2) is Jump.CLEARED  # bonus dice count
    assert fed(jump, [5, 4], two, 2) is Jump.STAYED
    assert fed(jump, [1, 1], two, 2) is Jump.FELL
    assert fed(jump, [1, 6], two, 2) is Jump.STAYED
    assert fed(jump, [5, 4], two, 2, short_falls=True) is Jump.FELL
    fall = after_jump(model(), Jump.FELL, 7)[0]
    assert (fall.action, fall.details) == ("fall", (("height", 7),))
    assert after_jump(model(), Jump.STAYED, 7) == ()


@pytest.mark.rule("CB-MOVE-06")
def test_odds_of_a_jump_with_one_die():
    one = (Throw(1, 0, 5),)
    # one success: 5 to 10; a 1 falls; 2 to 4 stay
    expected = {Jump.CLEARED: Fraction(6, 10), Jump.STAYED: Fraction(3, 10), Jump.FELL: Fraction(1, 10)}
    assert dict(Solver(exact=True).solve(jump, one, 1).chances) == expected == brute(jump, one, 1)


@pytest.mark.rule("CB-MOVE-07")
def test_lying_down():
    assert drop_prone(model()) == (Gain(1, Condition.PRONE, until="it stands up"),)
    for wrong in (
        model(counters={ENGAGED_WITH.of(2): 1}),
        model(types=("vehicle", "wheeled")),
        model(types=("vehicle", "cavalry")),
        model(under=(Condition.PRONE,)),
    ):
        with pytest.raises(Forbidden):
            drop_prone(wrong)
    with pytest.raises(Forbidden):
        drop_prone(model(types=("robot",)), "tracks")


@pytest.mark.rule("CB-MOVE-08", "CB-FEAT-44")
def test_standing_up_takes_two_actions_and_quick_models_none_after_a_knock():
    quick = model(features=("quick",))
    assert stand_up_actions(model(), knocked_down=True) == 2
    assert stand_up_actions(quick, knocked_down=False) == 2
    assert stand_up_actions(quick, knocked_down=True) == 0
    assert stand_up(model(under=(Condition.PRONE,))) == (Lose(1, Condition.PRONE),)
    with pytest.raises(Forbidden):
        stand_up(model())


@pytest.mark.rule("CB-MOVE-09")
def test_a_prone_model_crawls_at_half_mv():
    assert move_distance(model(mv=5, under=(Condition.PRONE,))).inches == 2.5
    assert move_distance(model(mv=6, under=(Condition.PRONE,)), 2, [Rugged("mud", 1)]).inches == 5


@pytest.mark.rule("CB-MOVE-10", "CB-MOVE-11")
def test_prone_models_shoot_better_and_are_harder_to_shoot_but_easier_to_strike():
    prone = model(under=(Condition.PRONE,))
    assert sum(edge.amount for edge in list_attacker_edges(prone, melee=False)) == 1
    assert list_attacker_edges(prone, melee=True) == ()
    assert sum(edge.amount for edge in list_target_edges(prone, melee=True)) == 1
    assert sum(edge.amount for edge in list_target_edges(prone, melee=False)) == -1


@pytest.mark.rule("CB-MOVE-12")
def test_carrying_together_lifts_the_penalty_for_the_inches_in_contact():
    gunner = replace(model(mv=6), weapons=(load().weapons["slugger_heavy"],))
    assert carried_inches(gunner, 0) == 0
    assert carried_inches(gunner, 6) == 1
    assert carried_inches(gunner, 3) == 0.5
    assert carried_inches(gunner, 12, 2) == 2
    with pytest.raises(InvalidInput):
        carried_inches(gunner, 7)
    with pytest.raises(Forbidden, match="doesn't carry a heavy weapon that slows it"):
        carried_inches(model(mv=6), 6)
    require_team_carry(gunner, model(2, under=("active",)))
    with pytest.raises(Forbidden, match="must be activated together with"):
        require_team_carry(gunner, model(2))
    for wrong in (gunner, model(2, 2, under=("active",))):
        with pytest.raises(InvalidInput, match="another model of its crew"):
            require_team_carry(gunner, wrong)


LURKER = model(2, 2, under=(Condition.HIDDEN,))


@pytest.mark.rule("CB-HIDE-01")
def test_hiding_needs_terrain_and_no_enemys_sight():
    (gained,) = hide(model(), out_of_sight=True, at_terrain=True)
    assert gained.condition == Condition.HIDDEN
    with pytest.raises(Forbidden, match="can't hide here, because an enemy"):
        hide(model(), out_of_sight=False, at_terrain=True)
    with pytest.raises(Forbidden, match="touch terrain"):
        hide(model(), out_of_sight=True, at_terrain=False)
    with pytest.raises(Forbidden, match="engaged"):
        hide(armed(1, 1, engaged=(2,)), out_of_sight=True, at_terrain=True)


@pytest.mark.rule("CB-HIDE-03")
def test_who_moves_into_view_is_hidden_no_more():
    assert after_moving_into_view(LURKER) == (Lose(2, Condition.HIDDEN),)


@pytest.mark.rule("CB-HIDE-04")
def test_spotting_is_intellect_at_7_or_5_for_beasts():
    assert prepare_spot(model(intellect="2D+1"), LURKER).throw == Throw(2, 1, 7)
    beast = model(types=("beast",))
    assert prepare_spot(beast, LURKER).throw.target == 5
    assert prepare_spot(model(types=("human", "cavalry")), LURKER).throw.target == 5
    other = Settings(spot_easy_for="hidden")
    assert prepare_spot(beast, LURKER, settings=other).throw.target == 7
    hidden_beast = model(2, 2, types=("beast",), under=(Condition.HIDDEN,))
    assert prepare_spot(model(), hidden_beast, settings=other).throw.target == 5
    with pytest.raises(Forbidden, match="has no line of sight to"):
        prepare_spot(model(), LURKER, sighted=False)
    with pytest.raises(Forbidden, match="not Hidden"):
        prepare_spot(model(), model(2, 2))
    assert fed(spot, [7], (Throw(1, 0, 7),))
    assert not fed(spot, [6], (Throw(1, 0, 7),))


@pytest.mark.rule("CB-HIDE-05", "CB-HIDE-06", "CB-GEAR-38")
def test_a_scanner_spots_within_8_in_without_sight_a_scope_does_not():
    scanner = model(gear=("scanner",), features=("tech_savvy",), types=("beast",))
    assert prepare_scan(scanner, LURKER, 8).throw == Throw(2, 0, 7)
    with pytest.raises(Forbidden, match="reaches 8 in"):
        prepare_scan(scanner, LURKER, 8.5)
    with pytest.raises(Forbidden, match="no Scanner"):
        prepare_scan(model(gear=("scope",)), LURKER, 4)
    with pytest.raises(InvalidInput):
        prepare_scan(scanner, LURKER, -1)
    assert prepare_spot(model(gear=("scope",)), LURKER).throw == Throw(1, 0, 7)


@pytest.mark.rule("CB-HIDE-07")
def test_a_spotted_model_is_revealed():
    assert after_spot(LURKER, True) == (Lose(2, Condition.HIDDEN),)
    assert after_spot(LURKER, False) == ()
