"""Area weapons: squares, everyone in them, pulses that run on, clouds that stay and drift."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from bot.games.soluna.activation import names_of, phases_so_far, settings_for
from bot.games.soluna.attack_declaration import Attack, Declared
from bot.games.soluna.board import (
    CLOUD,
    PULSE,
    add_thing,
    at,
    board_of,
    cloud_of,
    describe_squares,
    remove_thing,
    store_cloud,
    thing_rows,
    to_json,
)
from bot.games.soluna.board_picture import Marks, draw_board
from bot.games.soluna.fields import read_extras, write_extras
from bot.games.soluna.flip_actions import resolve_strikes
from bot.games.soluna.narration import Narration
from bot.games.soluna.state import PulseState, clock_of, model_of
from bot.games.soluna.strikes import Strike, roll_strike
from bot.replies.reply import Reply
from bot.store.rows import ThingRow
from bot.table.act import Act
from bot.table.throw_purposes import Whose
from rules.modifiers import Modifier
from rules.systems.soluna.areas import (
    burst,
    corridor,
    drift,
    drift_roll,
    due,
    fan,
    place,
    pulse,
    reached,
    star_burst,
    victims,
)
from rules.systems.soluna.attack import prepare_in_area
from rules.systems.soluna.board import Board, Point
from rules.systems.soluna.models import Payment
from rules.systems.soluna.profile import Weapon
from rules.systems.soluna.settings import Settings
from rules.systems.soluna.sight import Factor, Sight, Visible
from rules.systems.soluna.situation import Distance, Situation
from rules.wording import join_with_and, times

"""Counter of a pulse: the phase it began in, counted from the game's start."""

SHAPE_NAMES = {"burst": "Burst", "corridor": "Corridor", "fan": "Fan", "star": "Star burst", "pulse": "Pulse"}


def area_squares(
    weapon: Weapon, source: Point, square: Point, board: Board, power: int, settings: Settings
) -> tuple[Point, frozenset[Point]]:
    """Return where an area comes from, and its squares. Rules: SU-AREA-02, SU-BURST-01 to SU-PULSE-01."""
    x = weapon.area_size
    origin = source if weapon.area in ("corridor", "fan") else square
    match weapon.area:
        case "corridor":
            squares = corridor(source, square, x, weapon.reach, settings)
        case "fan":
            squares = fan(source, square, x, weapon.reach, settings)
        case "star":
            squares = star_burst(square, x, settings)
        case "pulse":
            squares = pulse(square, x, 0, settings)
        case _:
            squares = burst(square, x, settings)
    return origin, reached(squares, origin, board, power)


def attack_area(act: Act, narration: Narration, declared: Declared, action: Attack) -> Reply:
    """Attack everyone in the area, each with dice and flips of its own. Rules: SU-AREA-01."""
    situation, plan, encounter = declared.situation, declared.plan, act.encounter
    weapon = situation.gear
    assert weapon is not None, "bare hands have no area"
    board, settings = situation.board, settings_for(act)
    source = board.piece(situation.attacker.id).square
    origin, squares = area_squares(weapon, source, declared.mark.square, board, plan.power, settings)
    strikes = _roll_strikes(act, situation, origin, squares, plan.distance, action.item)
    title = f"{SHAPE_NAMES[weapon.area]} {weapon.area_size} at {at(declared.mark.square)}"
    hit_text = f"{times(len(strikes), 'model')} in the area" if strikes else "no models in the area"
    narration.lines.append(f"{situation.attacker.name}: {weapon.name}, {hit_text}.")
    narration.lines.append(f"{title}: {describe_squares(squares) if squares else 'no square reached'}")
    cloud = place(0, squares, weapon, phases_so_far(act), settings) if squares else None
    if cloud is not None:
        number = encounter.book.next_id(ThingRow)
        store_cloud(encounter, replace(cloud, id=number), weapon.name)
        duration = f"{times(weapon.cloud, 'phase')}"
        narration.lines.append(f"The attack leaves a cloud with {cloud.factor} visibility for {duration}.")
    if weapon.area == "pulse":
        _start_pulse(act, declared, action, origin)
        narration.then.append(f"The pulse keeps spreading for {times(weapon.area_size, 'phase')}.")
    board_after = board_of(encounter)
    narration.files.append(draw_board(encounter, board_after, Marks(area=squares), [title]))
    return resolve_strikes(act, narration, strikes)


def _roll_strikes(
    act: Act,
    situation: Situation,
    origin: Point,
    squares: frozenset[Point],
    aim_distance: Distance,
    item: str | None = None,
) -> tuple[Strike, ...]:
    strikes = []
    for piece in victims(squares, situation.board):
        model = model_of(act.encounter, act.encounter.model(piece.id))
        model_situation = replace(situation, square=piece.square, target=model, origin=origin)
        plan = prepare_in_area(model_situation, aim_distance, settings_for(act))
        strikes.append(roll_strike(act, model_situation, plan, item, f"attack on {model.name}"))
    return tuple(strikes)


# ------------------------------------------------------------------------------------------- pulses


def _start_pulse(act: Act, declared: Declared, action: Attack, origin: Point) -> None:
    """Store what a pulse needs in later phases. Rules: SU-PULSE-01."""
    distance, payment = declared.plan.distance, declared.payment
    groping = distance.visible.groping
    pulse_data: dict[str, Any] = {
        "attacker": declared.situation.attacker.id,
        "weapon": declared.situation.weapon,
        "origin": list(origin),
        "low": action.low,
        "dice": action.dice,
        "extra": write_extras(action.extra),
        "reach": [distance.plain, distance.effective],
        "groping": [groping.reason, groping.rule] if groping else [],
        "paid": [payment.own, payment.forced, payment.forced_so_far],
    }
    name = declared.weapon_name
    PulseState(add_thing(act.encounter, PULSE, name, to_json(pulse_data))).set_off = phases_so_far(act)


def run_pulses(act: Act, narration: Narration) -> tuple[Strike, ...]:
    """Advance every pulse to its next ring and return the attacks on the models that it meets. Rules:
    SU-PULSE-01.
    """
    strikes: tuple[Strike, ...] = ()
    for row in thing_rows(act.encounter, PULSE):
        ring = phases_so_far(act) - PulseState(row).set_off
        strikes += _strike_ring(act, narration, row, ring)
    return strikes


def _strike_ring(act: Act, narration: Narration, row: ThingRow, ring: int) -> tuple[Strike, ...]:
    pulse_data = json.loads(row.content)
    attacker = model_of(act.encounter, act.encounter.model(pulse_data["attacker"]))
    weapon = attacker.profile.weapons[pulse_data["weapon"]]
    if ring >= weapon.area_size:
        remove_thing(act.encounter, row.id)
    if ring > weapon.area_size:
        return ()
    origin = (pulse_data["origin"][0], pulse_data["origin"][1])
    board = board_of(act.encounter)
    situation = _pulse_situation(act, board, attacker, pulse_data, origin)
    power = pulse_data["dice"] or weapon.power
    squares = reached(pulse(origin, weapon.area_size, ring, settings_for(act)), origin, board, power)
    reason, rule = pulse_data["groping"] or ("", "")
    groping_factor = Factor(factor=2, reason=reason, rule=rule) if reason else None  # type: ignore[arg-type]
    aim_distance = Distance(
        pulse_data["reach"][0], pulse_data["reach"][1], Visible((), groping_factor), Sight.CLEAR
    )
    strikes = _roll_strikes(act, situation, origin, squares, aim_distance)
    names = [act.encounter.model(strike.target).name for strike in strikes]
    victim_names = join_with_and(names) if names else "no one"
    narration.lines.append(
        f"{row.name} spreads to ring {ring} of {weapon.area_size} and reaches {victim_names}."
    )
    return strikes


def _pulse_situation(act: Act, board: Board, attacker: Any, data: dict[str, Any], origin: Point) -> Situation:
    extras = read_extras(data["extra"])
    own_points, forced, forced_before = data["paid"]
    power_modifiers = (
        (Modifier(extras.power, "abilities and Artifacts", "SU-PWR-03"),) if extras.power else ()
    )
    accuracy_modifiers = (
        (Modifier(extras.accuracy, "abilities and Artifacts", "SU-ACC-01"),) if extras.accuracy else ()
    )
    return Situation(
        board,
        attacker,
        origin,
        None,
        data["weapon"],
        clock_of(act.encounter),
        Payment(own_points, forced, forced_before),
        low_power=data["low"],
        dice=data["dice"] or None,
        power_effects=power_modifiers,
        accuracy_effects=accuracy_modifiers,
        ignored=extras.ignored,
        origin=origin,
        names=names_of(act.encounter),
    )


# ------------------------------------------------------------------------------------------- clouds


def drift_clouds(act: Act, narration: Narration) -> None:
    """Remove clouds whose life is over at the start of a phase; the others drift.

    Rules: SU-CLOUD-01, SU-CLOUD-02.
    """
    settings = settings_for(act)
    for row in thing_rows(act.encounter, CLOUD):
        cloud = cloud_of(row)
        name = row.name or "Cloud"
        match due(cloud, phases_so_far(act), settings):
            case "gone":
                remove_thing(act.encounter, row.id)
                narration.lines.append(f"{_cloud_title(row)} has dispersed.")
            case "drift":
                _drift_cloud(act, narration, row, name, settings)


def _drift_cloud(act: Act, narration: Narration, row: ThingRow, name: str, settings: Settings) -> None:
    cloud = cloud_of(row)
    purpose = Whose(name, "drift", f"from {describe_squares(cloud.squares)}")
    roll = act.roll(purpose, drift_roll, f"drift of {name}")
    moved_cloud = drift(cloud, roll, board_of(act.encounter), settings)
    if moved_cloud is None:
        remove_thing(act.encounter, row.id)
        narration.lines.append(f"{_cloud_title(row)} rolls {roll} for drift and disappears.")
        return
    store_cloud(act.encounter, moved_cloud)
    if roll and settings.cloud_directions[roll - 1] == (0, 0):
        movement_text = "stays where it is"
    elif moved_cloud == cloud:
        movement_text = "is stopped by an obstacle"
    else:
        movement_text = f"moves {_describe_direction(settings.cloud_directions[roll - 1])}"
    covered_squares = describe_squares(moved_cloud.squares)
    narration.lines.append(
        f"{_cloud_title(row)} rolls {roll} for drift. It {movement_text} and covers {covered_squares}."
    )


def _cloud_title(row: ThingRow) -> str:
    return f"The {row.name} cloud" if row.name else "The cloud"


def _describe_direction(step: tuple[int, int]) -> str:
    north_south = {1: "north", -1: "south", 0: ""}[step[1]]
    east_west = {1: "east", -1: "west", 0: ""}[step[0]]
    return "-".join(part for part in (north_south, east_west) if part)
