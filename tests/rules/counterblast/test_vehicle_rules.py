"""Vehicles: paths, Maneuvers, riders, collisions, shots at them, Critical Damage, fire, crashes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.dice import Solver
from rules.effects import Gain, Leave
from rules.modifiers import total
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.burning import roll_burn
from rules.systems.counterblast.core.checks import Throw
from rules.systems.counterblast.core.conditions import can_be_healed_by, remove_casualties
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.impacts import chameleon, impact_on
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.settings import DEFAULTS
from rules.systems.counterblast.gear.skills import Job, prepare_job
from rules.systems.counterblast.melee.bouts import Blow, Melee
from rules.systems.counterblast.melee.fighting import prepare_melee
from rules.systems.counterblast.movement.environment import Faller, collide
from rules.systems.counterblast.movement.ground import require_passable
from rules.systems.counterblast.psionics.psionics import Aim, Use, prepare_power
from rules.systems.counterblast.shooting.shooting import Mark, Volley, prepare_volley
from rules.systems.counterblast.vehicle_rules import (
    PASSENGER_COVER,
    Careen,
    Path,
    absorbed_dice,
    after_critical,
    after_explosion,
    after_push,
    after_vehicle_lost,
    bounds,
    careen,
    collides,
    counts_as_moved,
    crash,
    critical_damage,
    damage_beyond,
    explosion,
    explosion_impact,
    in_motion,
    is_airborne,
    kind_of,
    leap_off,
    maneuver,
    maneuver_points,
    moving_edges,
    passenger_edges,
    passengers_burnt,
    passes_over,
    prepare_maneuver,
    pushes_through,
    require_boarding,
    require_handling,
    require_jump,
    require_path,
    require_vehicle,
    size_of,
    stays_in_play,
)
from tests.rules.counterblast.arena import armed, weapon
from tests.rules.counterblast.field import model
from tests.rules.helpers import fed


def refuse(match: str, call, *args, **kwargs):
    with pytest.raises(Forbidden, match=match):
        call(*args, **kwargs)


def vehicle(number: int = 1, side: int = 1, kind: str = "wheeled", gear: tuple[str, ...] = (), **changes):
    made = model(number, side, **{"types": ("vehicle", kind), "size": "M", "mv": 8, "life": 5, **changes})
    return replace(made, gear=tuple(load().vehicle_gear[key] for key in gear))


# ------------------------------------------------------------------------------------------- what they are


@pytest.mark.rule("CB-VEH-01", "CB-VEH-07")
def test_operators_stay_and_passengers_share_its_fate():
    bike, rider = vehicle(), model(2)
    assert after_vehicle_lost((rider,)) == (Leave(2, "casualty"),)
    wreck = replace(bike, damage=5, counters=frozenset({(Counter.DOWN, 1)}))
    aboard = replace(rider, counters=frozenset({(Counter.RIDES, bike.id)}))
    assert remove_casualties((aboard, wreck, model(3)), 2) == (
        Leave(bike.id, "casualty"),
        Leave(2, "casualty"),
    )
    refuse("is not a vehicle", require_vehicle, model())


@pytest.mark.rule("CB-VEH-02", "CB-VEH-08")
def test_kinds_of_vehicle_and_their_legs():
    assert [kind_of(vehicle(kind=kind)) for kind in ("cavalry", "mech", "tracked")] == [
        "cavalry", "mech", "tracked",
    ]  # fmt: skip
    assert is_airborne(vehicle(kind="flyer"))
    assert not is_airborne(vehicle(kind="tracked"))
    require_jump(vehicle(kind="mech"))
    refuse("no legs", require_jump, vehicle())
    refuse("no legs", require_jump, vehicle(kind="tracked"))


@pytest.mark.rule("CB-VEH-03")
def test_vehicles_are_medium_at_least():
    assert [size_of(size) for size in ("S", "M", "L")] == ["M", "M", "L"]


@pytest.mark.rule("CB-VEH-04", "CB-BUILD-14")
def test_cavalry_is_a_living_vehicle():
    rider = vehicle(kind="cavalry", size="L")
    assert rider.profile.is_living
    assert rider.profile.is_vehicle
    assert can_be_healed_by(rider.profile, "medicine")
    assert not can_be_healed_by(rider.profile, "engineering")
    assert not collides(rider, 8)
    require_boarding(rider, model(2), (), 0, moving=False)
    refuse("one passenger", require_boarding, rider, model(3), (model(2),), 0, moving=False)
    refuse("too big", require_boarding, vehicle(kind="cavalry"), model(2, size="M"), (), 0, moving=False)


@pytest.mark.rule("CB-BUILD-15")
def test_vehicles_are_repaired_and_open_to_psionics():
    tank = vehicle(2, 2, kind="tracked")
    assert not can_be_healed_by(tank.profile, "medicine")
    assert can_be_healed_by(tank.profile, "engineering")
    psionic = model(psionic="2D", powers=("blast",))
    assert prepare_power(Use(psionic, "blast", (Aim(tank, 5),))).throws == (Throw(2, 0, 7),)


@pytest.mark.rule("CB-VEH-05")
def test_transports_load_at_a_stop():
    van, rider = vehicle(features=("transport",)), model(2)
    require_boarding(van, rider, (), 2, moving=False)
    refuse("stand still", require_boarding, van, rider, (), 2, moving=True)
    refuse("can carry at most 1", require_boarding, van, rider, (model(3),), 1, moving=False)
    refuse("has no Transport", require_boarding, vehicle(), rider, (), 2, moving=False)


@pytest.mark.rule("CB-VEH-06")
def test_leaping_off_is_a_fall_over_the_distance_moved():
    assert fed(leap_off, [7, 6], 8, 7) == 1  # 8 in: two dice
    assert fed(leap_off, [], 2.9, 7) == 0
    assert fed(leap_off, [7, 3], 5, 7, tough=True) == 1
    assert fed(leap_off, [7, 7], 5, 7, tough=True) == 0


# ------------------------------------------------------------------------------------------- moving


@pytest.mark.rule("CB-VEH-09")
def test_a_move_is_up_to_mv_and_ends_at_the_edge():
    require_path(vehicle(), Path(8))
    refuse("can travel at most 8 in", require_path, vehicle(), Path(9))
    require_path(vehicle(), Path(16, moves=2))
    refuse("can travel at most 5 in", require_path, vehicle(), Path(8, edge_inches=5))
    with pytest.raises(InvalidInput):
        require_path(vehicle(), Path(8, moves=3))


@pytest.mark.rule("CB-VEH-10")
def test_in_motion_after_a_full_move():
    assert in_motion(vehicle(), 8)
    assert not in_motion(vehicle(), 7.5)
    assert not in_motion(vehicle(), 0)
    refuse("is In Motion, so it has to travel at least 8 in", require_path, vehicle(), Path(7), 8)
    require_path(vehicle(), Path(8), 8)
    require_path(vehicle(), Path(5, edge_inches=5), 8)
    bike = load().profiles.named("Rocket Bike")
    rider = replace(vehicle(), profile=bike)  # Mv 10, 16 in last turn
    assert bounds(rider, Path(10), 16) == (10, 10)


@pytest.mark.rule("CB-VEH-11")
def test_one_free_turn_for_each_move_none_in_motion():
    require_path(vehicle(), Path(8, turns=(45,)))
    refuse("can't turn that much", require_path, vehicle(), Path(8, turns=(50,)))
    refuse("can't turn that much", require_path, vehicle(), Path(8, turns=(45, -45)))
    require_path(vehicle(), Path(16, moves=2, turns=(45, -45)))
    require_path(vehicle(), Path(3, turns=(-30,)))
    refuse("In Motion, it can only turn with Maneuvers", require_path, vehicle(), Path(8, turns=(10,)), 8)


@pytest.mark.rule("CB-VEH-12")
def test_a_maneuver_check_is_technology_at_seven():
    pilot = vehicle(intellect="3D", gear=("onboard_computer",))
    check = prepare_maneuver(pilot, 8)
    assert check.throw == Throw(3, 1, 7)
    assert fed(maneuver, [7, 6, 8], (check.throw,)) == 3
    assert fed(maneuver, [1, 1, 2], (check.throw,)) == 0
    refuse("full Mv of 8 in", prepare_maneuver, pilot, 7)
    assert maneuver_points(pilot, 3) == 3
    assert maneuver_points(vehicle(features=("barnstormer",)), 0) == 1
    dear = Path(8, maneuvers=("turn", "hard_turn"), points=2)
    refuse("points?, but you have only", require_path, pilot, dear)


@pytest.mark.rule("CB-VEH-13", "CB-VEH-17")
def test_turns_bought_with_points():
    moving = 8
    require_path(vehicle(), Path(8, turns=(45,), maneuvers=("turn",), points=1), moving)
    refuse(
        "can't turn that much",
        require_path,
        vehicle(),
        Path(8, turns=(90,), maneuvers=("turn",), points=1),
        moving,
    )
    require_path(vehicle(), Path(8, turns=(-90,), maneuvers=("hard_turn",), points=2), moving)
    refuse(
        "points?, but you have only 1",
        require_path,
        vehicle(),
        Path(8, (1), (90,), ("hard_turn",), 1),
        moving,
    )
    require_path(vehicle(), Path(8, turns=(45, 90), maneuvers=("turn", "hard_turn"), points=3), moving)


@pytest.mark.rule("CB-VEH-14", "CB-VEH-18")
def test_accelerating_goes_farther():
    assert bounds(vehicle(), Path(0, maneuvers=("accelerate",), points=1), 0)[1] == 12
    assert bounds(vehicle(), Path(0, maneuvers=("hard_acceleration",), points=2), 0)[1] == 14
    require_path(vehicle(), Path(12, maneuvers=("accelerate",), points=1))
    refuse("can travel at most 12 in", require_path, vehicle(), Path(13, maneuvers=("accelerate",), points=1))
    refuse(
        "points?, but you have only 1",
        require_path,
        vehicle(),
        Path(13, maneuvers=("hard_acceleration",), points=1),
    )


@pytest.mark.rule("CB-VEH-15", "CB-VEH-19")
def test_braking_when_in_motion():
    require_path(vehicle(), Path(4, maneuvers=("decelerate",), points=1), 8)
    refuse(
        "is In Motion, so it has to travel at least 4 in",
        require_path,
        vehicle(),
        Path(3, maneuvers=("decelerate",), points=1),
        8,
    )
    require_path(vehicle(), Path(2, maneuvers=("hard_braking",), points=2), 8)
    refuse(
        "points?, but you have only 1",
        require_path,
        vehicle(),
        Path(2, maneuvers=("hard_braking",), points=1),
        8,
    )
    refuse("not In Motion", require_path, vehicle(), Path(4, maneuvers=("decelerate",), points=1), 0)


@pytest.mark.rule("CB-VEH-16")
def test_a_jink_is_one_base_width_for_a_point():
    note = load().maneuvers["jink"]
    assert (note.value("points"), note.value("base_widths")) == (1, 1)
    require_path(vehicle(), Path(8, maneuvers=("jink",), points=1), 8)
    twice = Path(8, maneuvers=("jink", "jink"), points=1)
    refuse("points?, but you have only", require_path, vehicle(), twice, 8)


@pytest.mark.rule("CB-VEH-20")
def test_a_u_turn_ends_a_full_move():
    turn = Path(8, turns=(180,), maneuvers=("u_turn",), points=2)
    require_path(vehicle(), turn, 8)
    refuse("A U-turn must be at the end of a full move.", require_path, vehicle(), replace(turn, inches=7), 0)
    refuse(
        "A U-turn must be at the end of a full move.",
        require_path,
        vehicle(),
        replace(turn, turns=(180, 45)),
        0,
    )
    assert counts_as_moved(turn) == 0  # it moves normally next turn
    assert counts_as_moved(Path(8)) == 8


@pytest.mark.rule("CB-VEH-38")
def test_flyers_pass_over_and_stop_beside():
    jet = vehicle(kind="flyer")
    assert passes_over(jet)
    assert not passes_over(vehicle())
    require_passable(jet, crosses=True)
    refuse("nearest free edge", require_passable, jet, end="on a model")
    refuse("stops at the edge", require_passable, jet, end="on impassable ground")


# ------------------------------------------------------------------------------------------- collisions


@pytest.mark.rule("CB-VEH-21")
def test_a_collision_needs_half_of_mv():
    assert collides(vehicle(), 4)
    assert not collides(vehicle(), 3.5)
    assert fed(collide, [7], 4, Faller(7, "M")).mover == 1  # terrain: only the vehicle is hurt


@pytest.mark.rule("CB-VEH-26")
def test_twice_as_big_pushes_through():
    assert pushes_through("L", "S")
    assert not pushes_through("L", "M")
    assert pushes_through("L", "M", footprint=2.5)
    assert not pushes_through("L", "S", footprint=1.5)
    assert after_push(model(2), 1) == (Gain(2, "prone", until="it stands up", source="pushed aside"),)
    assert after_push(model(2), 2) == ()  # no survivor


@pytest.mark.rule("CB-VEH-27")
def test_a_collision_that_uses_up_its_life_is_critical():
    assert damage_beyond(2, 1) is None
    assert damage_beyond(2, 2) == 0
    assert damage_beyond(2, 4) == 2
    assert damage_beyond(0, 4) is None  # it was out before


@pytest.mark.rule("CB-VEH-54")
def test_a_power_ram_absorbs_a_die_and_charges_better():
    ram = armed(1, 1, "power_ram", types=("vehicle", "mech"), size="M")
    assert absorbed_dice(ram, ramming=True) == 1
    assert absorbed_dice(ram, ramming=False) == 0
    assert absorbed_dice(vehicle(), ramming=True) == 0
    hurt = fed(collide, [7, 7, 7, 7, 7], 9, Faller(7, "M"), (Faller(7, "M"),), absorbed=1)
    assert (hurt.mover, hurt.struck) == (2, (3,))
    blow = prepare_melee(Melee((Blow(ram, model(2, 2), weapon("power_ram"), charging=True),))).blows[0]
    assert {part.reason: part.amount for part in blow.attack.modifiers}["Power Ram on a charge"] == 1


@pytest.mark.rule("CB-VEH-53")
def test_mounted_melee_weapons_reach_and_pincers_hold():
    mech = armed(1, 1, "mounted_pincers", "mounted_lazblade", types=("vehicle", "mech"), size="M")
    require_handling(mech)
    require_handling(model())
    require_handling(vehicle(kind="cavalry"))
    refuse("no Pincers", require_handling, vehicle())
    target = model(2, 2)
    for key in ("mounted_pincers", "mounted_lazblade"):
        assert prepare_melee(Melee((Blow(mech, target, weapon(key), inches=1),))).blows[0].bout.target == 2
        refuse("reaches 1 in", prepare_melee, Melee((Blow(mech, target, weapon(key), inches=2),)))
    blade = impact_on(mech, target, weapon("mounted_lazblade"), DEFAULTS, melee=True)
    assert (blade.impact.power, blade.impact.extra) == (5, 1)


# ------------------------------------------------------------------------------------------- shooting


@pytest.mark.rule("CB-VEH-28", "CB-VEH-29")
def test_passengers_are_hard_to_hit_and_have_their_own_shields():
    shooter = armed(1, 1, "pulsar_rifle", agility="3D")
    rider = model(2, 2, shield=1)
    mark = Mark(rider, weapon("pulsar_rifle"), 5, cover=PASSENGER_COVER)
    shot = prepare_volley(Volley(shooter, (replace(mark, edges=passenger_edges()),))).shots[0]
    assert shot.shot.throws == (Throw(2, 0, 7),)
    assert shot.shot.impact.shields == 1 + 3
    tank = vehicle(3, 2, gear=("vehicle_force_field",), shield=2)
    aimed = prepare_volley(Volley(shooter, (Mark(tank, weapon("pulsar_rifle"), 5),))).shots[0]
    assert aimed.shot.impact.shields == 2


@pytest.mark.rule("CB-VEH-30")
def test_moving_vehicles_are_hard_to_hit():
    shooter, bike = model(), vehicle(2, 2)
    assert total(moving_edges(shooter, bike, 8, 0)) == -1
    assert total(moving_edges(shooter, bike, 0, 8)) == -1
    assert moving_edges(shooter, bike, 7, 7) == ()
    assert moving_edges(shooter, bike, 8, 8, straight=True) == ()
    assert moving_edges(vehicle(), bike, 8, 8) == ()
    assert moving_edges(shooter, model(2, 2), 8, 8) == ()


# ------------------------------------------------------------------------------------------- Critical Damage


@pytest.mark.rule("CB-VEH-31")
def test_critical_damage_adds_what_was_too_much():
    assert damage_beyond(2, 4) == 2
    assert fed(critical_damage, [5], 2) == "careening"  # 5 + 2
    assert fed(critical_damage, [10], 2) == "explodes"
    odds = Solver(exact=True).solve(critical_damage, 2)  # 8, 9, 10 and what lies above: 3 to 12
    assert odds.chance(lambda row: row == "explodes") == pytest.approx(0.3)
    assert odds.chance(lambda row: row == "none") == 0
    with pytest.raises(InvalidInput):
        fed(critical_damage, [], -1)


@pytest.mark.rule("CB-VEH-32", "CB-VEH-33", "CB-VEH-35", "CB-VEH-36")
def test_rows_of_critical_damage():
    rows = {1: "none", 2: "none", 3: "out_of_control", 4: "out_of_control", 5: "careening", 7: "careening"}
    rows |= {8: "burning", 9: "burning", 10: "explodes"}
    for face, row in rows.items():
        assert fed(critical_damage, [face], 0) == row
    tank = vehicle()
    assert after_critical(tank, "none") == ()
    (runaway,) = after_critical(tank, "out_of_control")
    assert (runaway.action, dict(runaway.details)) == ("runaway", {"inches": 8})
    (fire,) = after_critical(tank, "burning")
    assert (fire.condition, stays_in_play("burning"), stays_in_play("none")) == ("burning", True, False)
    (boom,) = after_critical(tank, "explodes")
    assert dict(boom.details) == {"power": 7, "inches": 3}
    near = model(2, 2, shield=1)
    assert fed(explosion, [6], explosion_impact(near)) == 1
    assert fed(explosion, [7], explosion_impact(near)) == 0
    assert [effect.condition for effect in after_explosion(near, 3)] == ["burning"]
    assert after_explosion(near, 3.5) == ()


@pytest.mark.rule("CB-VEH-34")
def test_careening_is_two_moves_and_three_random_maneuvers():
    assert fed(careen, [1, 4, 9], 8) == Careen(("turn_left", "turn_right", "accelerate"), 20)
    assert fed(careen, [6, 7, 10], 8) == Careen(("jink_left", "jink_right", "decelerate"), 12)
    (proposed,) = after_critical(vehicle(), "careening")
    assert dict(proposed.details) == {"inches": 16}


@pytest.mark.rule("CB-VEH-37")
def test_passengers_of_a_burning_vehicle_burn():
    wreck = vehicle(under=("burning",))
    riders = (model(2, shield=1), model(3, gear=("envirosuit",)), model(4, gear=("personal_force_field",)))
    ((number, hit),) = passengers_burnt(wreck, riders)
    assert (number, hit.power, hit.damage) == (2, 5, 1)
    assert fed(roll_burn, [4], hit) == 1
    assert fed(roll_burn, [5], hit) == 0
    assert passengers_burnt(vehicle(), riders) == ()
    assert passengers_burnt(wreck, (model(5, under=("warded",)),)) == ()


@pytest.mark.rule("CB-VEH-39")
def test_a_disabled_flyer_crashes_after_the_critical_roll():
    jet = vehicle(kind="flyer")
    assert [effect.action for effect in after_critical(jet, "none")] == ["crash"]
    assert [effect.action for effect in after_critical(jet, "out_of_control")] == ["runaway", "crash"]
    assert [effect.action for effect in after_critical(jet, "explodes")] == ["vehicle_explodes"]
    assert after_critical(vehicle(), "none") == ()
    inches = fed(crash, [7])
    assert inches == 7
    ground = fed(collide, [7, 7, 6, 8], inches, Faller(7, "M"), (Faller(7, "M"),))
    assert (ground.mover, ground.struck) == (2, (1,))


# ------------------------------------------------------------------------------------------- vehicle gear


@pytest.mark.rule("CB-VEH-47")
def test_a_chameleon_screen_is_enhanced_chameleon():
    hidden = vehicle(2, 2, gear=("chameleon_screen",))
    assert total(chameleon(model(), hidden)) == -2


@pytest.mark.rule("CB-VEH-48")
def test_vehicle_gear_helps_checks():
    gun = weapon("pulsar_rifle")
    tank = replace(vehicle(gear=("targeting_array",)), weapons=(gun,))
    assert prepare_volley(Volley(tank, (Mark(model(2, 2), gun, 5),))).shots[0].shot.throws[0].modifier == 1
    assert prepare_job(vehicle(gear=("onboard_computer",)), Job("technology")).throw.modifier == 1
    assert prepare_job(vehicle(gear=("maintenance_system",)), Job("engineering")).throw.modifier == 1
    for key in ("deepstone_core", "deep_orb_node"):
        mind = vehicle(gear=(key,), psionic="2D", powers=("blast",))
        assert prepare_power(Use(mind, "blast", (Aim(model(2, 2), 5),))).throws[0].modifier == 1


@pytest.mark.rule("CB-VEH-49")
def test_vehicle_sensors_work_as_personal_ones():
    gun = weapon("pulsar_rifle")
    seeing = replace(vehicle(gear=("vehicle_infrared_optics",)), weapons=(gun,))
    shot = prepare_volley(Volley(seeing, (Mark(model(2, 2), gun, 5, cover=2),))).shots[0]
    assert shot.shot.impact.shields == 1
    night = replace(vehicle(gear=("vehicle_night_vision",)), weapons=(gun,))
    dark = prepare_volley(Volley(night, (Mark(model(2, 2), gun, 5),), dark=True)).shots[0]
    assert dark.shot.throws[0].modifier == 0
    scanner = vehicle(gear=("vehicle_scanner",))
    assert prepare_job(scanner, Job("technology", purpose="objective")).throw.modifier == 1
    assert chameleon(scanner, model(2, 2, features=("chameleon",))) == ()
