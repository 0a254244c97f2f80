"""Places, fires, structures and surroundings of an encounter, and what flames leave on a model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from bot.games.counterblast.state.models import fighter
from bot.games.counterblast.state.table_state import EncounterState, ModelState
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.board import surface
from bot.table.board.surface import Terrain, board_of
from bot.table.encounter import Encounter, EncounterView, set_counter
from bot.table.names import base_name, find, find_free_name
from bot.table.throw_purposes import Whose
from rules import measure
from rules.counters import PerPart
from rules.dice import Entered, Roller, Shown
from rules.measure import Point
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.burning import (
    ACTIONS_ON_OWN_FIRE,
    CONDITION,
    HIT_DUE_TURN,
    Fire,
    Growth,
    Kind,
    apply_growth,
    must_suffer,
    roll_fire_growth,
)
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Profile, Rating
from rules.systems.counterblast.core.tables import ChartRow
from rules.systems.counterblast.movement.environment import water
from rules.systems.counterblast.movement.ground import (
    SUGGESTED_POWER,
    Hazard,
    HazardArea,
    Rugged,
    climate,
    hazard_rugged,
)
from rules.systems.counterblast.turn.activation import ACTIONS

AREA: PerPart[str] = PerPart("area:")
"""Counters of the encounter, by place: the grade of its kind, which is one of KINDS, and its Power."""
POWER = "power"
ROCKS = "dangerous"
KINDS: tuple[str, ...] = (ROCKS, Hazard.ACID, Hazard.TOXIC, Hazard.SLICK, Hazard.HEAT_OR_COLD)

GROUND_WORDS: dict[str, str] = {
    ROCKS: "dangerous ground",
    Hazard.TOXIC: "toxic ground",
    Hazard.SLICK: "slick ground",
}
"""Words for a place without a name of its own, for kinds that aren't nouns."""

MAX_AREAS = 20


@dataclass(frozen=True, slots=True)
class AreaPlace:
    """A round piece of ground on the board: its middle and its width. point: None without a board."""

    point: Point | None = None
    inches: int = 0


NOWHERE = AreaPlace()


@dataclass(frozen=True, slots=True)
class Ground:
    """A dangerous place as it is tested: its name if it has one, its kind, grade and Power."""

    name: str
    kind: str
    grade: int
    power: int

    @property
    def words(self) -> str:
        """Return the place in a few words."""
        kind = kind_words(self.kind)
        if base_name(self.name or kind) == kind:
            return f"{GROUND_WORDS.get(self.kind, kind)}{self.name[len(kind) :]} [{self.grade}]"
        if self.name.casefold().startswith(kind):
            return f"{self.name} [{self.grade}]"
        return f"{self.name} ({kind} [{self.grade}])"


def kind_words(kind: str) -> str:
    """Return a kind of danger as people read it."""
    return kind.replace("_", " ")


def ruggedness(ground: Ground) -> tuple[Rugged, ...]:
    """Return the Rugged penalty of toxic and slick places. Rules: CB-HAZ-05, CB-HAZ-06."""
    return hazard_rugged(HazardArea(Hazard(ground.kind), ground.grade)) if ground.kind != ROCKS else ()


def area_names(encounter: EncounterView) -> list[str]:
    """Return the places on the table, by name: those that were told, and dangerous terrain on the board."""
    names = AREA.things(encounter.row.counters)
    return [*names, *(name for name in _find_dangerous_terrain(encounter) if name not in names)]


def _find_dangerous_terrain(encounter: EncounterView) -> dict[str, int]:
    board = board_of(encounter)
    return (
        {terrain.name: terrain.dangerous for terrain in board.terrain if terrain.dangerous}
        if board is not None
        else {}
    )


def read_area(encounter: EncounterView, name: str) -> Ground:
    """Return the place of exactly this name."""
    if name not in AREA.things(encounter.row.counters):
        return Ground(name, ROCKS, _find_dangerous_terrain(encounter)[name], SUGGESTED_POWER)
    kind = next(kind for kind in KINDS if encounter.count(AREA.of(name, kind)))
    power = encounter.count(AREA.of(name, POWER)) or SUGGESTED_POWER
    return Ground(name, kind, encounter.count(AREA.of(name, kind)), power)


def list_areas(encounter: EncounterView) -> list[Ground]:
    """Return the places on the table."""
    return [read_area(encounter, name) for name in area_names(encounter)]


def find_place(encounter: EncounterView, text: str) -> Ground:
    """Return the place on the table, or the kind of danger, without a grade. Raises InvalidInput."""
    names = area_names(encounter)
    typed = " ".join(text.split()).casefold()
    exact = next((name for name in names if name.casefold() == typed), "")
    place_name = exact or find(text, [*names, *(kind for kind in KINDS if kind not in names)], str, "place")
    return read_area(encounter, place_name) if place_name in names else Ground("", place_name, 0, 0)


def add_area(
    encounter: Encounter, wanted: str, kind: str, grade: int, power: int = 0, at: AreaPlace = NOWHERE
) -> str:
    """Add a place under a free name and return the name. at: where it is on the board."""
    names = area_names(encounter)
    if len(names) >= MAX_AREAS:
        raise InvalidInput(f"The table can have at most {MAX_AREAS} dangerous places. Remove one first.")
    name = find_free_name(wanted, [*names, *_on_board(encounter)])
    set_counter(encounter.row.counters, AREA.of(name, kind), grade)
    set_counter(encounter.row.counters, AREA.of(name, POWER), power)
    if at.point is not None:
        surface.add_ground(encounter, name, surface.HAZARD, at.point, at.inches / 2)
    return name


def forget_area(encounter: Encounter, name: str) -> None:
    """Remove a place from the table and from the board."""
    AREA.forget(encounter.row.counters, name)
    surface.resize_ground(encounter, name, surface.HAZARD, 0)


def _on_board(encounter: EncounterView) -> list[str]:
    board = board_of(encounter)
    return [terrain.name for terrain in board.terrain] if board is not None else []


Part = Literal["inches", "began", "acid", "lasts", "fought", "hemmed"]
"""What is counted of a burning area."""
FIRE: PerPart[Part] = PerPart("fire:")
PARTS: tuple[Part, ...] = get_args(Part)
MAX_FIRES = 20
MAX_LENGTH = 16
DEFAULT_FIRE_NAMES = ("fire", "acid", "flames")


def fire_names(encounter: EncounterView) -> list[str]:
    """Return the burning areas on the table, in the order of their names."""
    return FIRE.things(encounter.row.counters)


@dataclass(frozen=True, slots=True)
class Burning:
    """An area that burns, under its name."""

    name: str
    fire: Fire

    @property
    def words(self) -> str:
        """Return the area in a sentence."""
        return f"the {self.name}" if self.name in DEFAULT_FIRE_NAMES else self.name


def list_fires(encounter: EncounterView) -> list[Burning]:
    """Return the burning areas on the table, in the order of their names."""
    return [Burning(name, read_fire(encounter, name)) for name in fire_names(encounter)]


def fire_named(encounter: EncounterView, text: str) -> Burning:
    """Return the area that is meant. Raises InvalidInput."""
    return find(text, list_fires(encounter), lambda one: one.name, "fire")


def read_fire(encounter: EncounterView, name: str) -> Fire:
    """Return the area of exactly this name."""
    values = {part: encounter.count(FIRE.of(name, part)) for part in PARTS}
    return Fire(
        values["began"],
        values["inches"],
        "acid" if values["acid"] else "fire",
        values["lasts"],
        bool(values["fought"]),
        bool(values["hemmed"]),
    )


def write_fire(encounter: Encounter, name: str, fire: Fire | None) -> None:
    """Store a burning area, or remove it from the table."""
    values: dict[Part, int] = dict.fromkeys(PARTS, 0)
    if fire is not None:
        values = {
            "inches": fire.inches,
            "began": fire.began,
            "acid": int(fire.kind == "acid"),
            "lasts": fire.lasts,
            "fought": int(fire.fought),
            "hemmed": int(fire.hemmed),
        }
    for part, value in values.items():
        set_counter(encounter.row.counters, FIRE.of(name, part), value)
    surface.resize_ground(encounter, name, surface.FIRE, values["inches"] / 2)


def add_fire(encounter: Encounter, wanted: str, fire: Fire, at: Point | None = None) -> str:
    """Put an area on the table under a name that is free; gives the name. at: its middle on the board."""
    names = fire_names(encounter)
    if len(names) >= MAX_FIRES:
        raise InvalidInput(f"The table can have at most {MAX_FIRES} fires. Remove one first.")
    name = find_free_name(wanted, [*names, *_on_board(encounter)])
    write_fire(encounter, name, fire)
    if at is not None:
        surface.add_ground(encounter, name, surface.FIRE, at, fire.inches / 2)
    return name


def fire_lines(encounter: Encounter) -> list[str]:
    """Return every area: what it is, how wide, since when."""
    lines = []
    for name in fire_names(encounter):
        fire = read_fire(encounter, name)
        end_text = f", goes out after turn {fire.began + fire.lasts - 1}" if fire.lasts else ""
        contained_text = ", contained" if fire.hemmed else ""
        lines.append(
            f"{name}: {fire.kind} R{fire.inches}, started in turn {fire.began}{end_text}{contained_text}"
        )
    return lines


def roll_growth(act: Act, name: str) -> int:
    """Roll whether a burning area grows, stays or ends; gives the face.

    Rules: CB-BURN-03, CB-HAZ-03, CB-TURN-04.
    """
    fire = read_fire(act.encounter, name)
    trace_start = len(act.dice.trace)
    roller = Whose(name, "growth", f"on the {fire.kind} chart, {fire.age(act.encounter.row.turn):+d}")
    act.roll(roller, roll_fire_growth, fire.age(act.encounter.row.turn), fire.kind)
    return next(entry.face for entry in act.dice.trace[trace_start:] if isinstance(entry, Shown))


def grow_fire(encounter: EncounterView, name: str, face: int) -> tuple[Fire | None, str]:
    """Return an area in the next turn by the face rolled, or None if it ends; and the line that says so.

    Rules: CB-BURN-03, CB-BURN-04, CB-HAZ-03, CB-HAZ-08, CB-TURN-04.
    """
    turn = encounter.row.turn
    fire = read_fire(encounter, name)
    age = fire.age(turn)
    rolled = roll_fire_growth(Roller(Entered((face,))), age, fire.kind)
    next_fire = apply_growth(fire, rolled, turn)
    return (
        next_fire,
        f"{name} {_describe_growth(fire, rolled, next_fire)} (d10 {face}{f' + {age}' if age else ''})",
    )


def _describe_growth(fire: Fire, rolled: Growth, next_fire: Fire | None) -> str:
    if next_fire is None:
        return "goes out" if rolled is Growth.OUT else "has burned out"
    if next_fire.inches > fire.inches:
        return f"grows to R{next_fire.inches}"
    if rolled is Growth.GROWS:
        return f"is contained at R{next_fire.inches}"
    return f"stays at R{next_fire.inches}"


STRUCTURE: PerPart[Literal["kind", "damage"]] = PerPart("structure:")
"""Counters of the encounter, by structure: the place of its kind among all, from 1, and its wounds."""


def kinds() -> tuple[ChartRow, ...]:
    """Return the kinds of structure, weakest first."""
    return tuple(load().charts["structures"].rows)


def structure_names(encounter: EncounterView) -> list[str]:
    """Return the structures on the table, by name."""
    return STRUCTURE.things(encounter.row.counters)


@dataclass(frozen=True, slots=True)
class Standing:
    """A structure as it stands."""

    name: str
    kind: ChartRow
    damage: int

    @property
    def defense(self) -> int:
        """Return what attack dice must reach."""
        return self.kind.value("target")

    @property
    def life(self) -> int:
        """Return the wounds until it gives way."""
        return self.kind.value("life")

    def as_target(self) -> Fighter:
        """Return the structure as the attack's rules look at a target: no shields, no model's numbers."""
        rating = Rating(1)
        abilities = (rating, rating, rating)
        block = Profile(
            self.kind.key, self.name, "lackey", (), (), 0, *abilities, self.defense, self.life, "L", 0
        )
        return Fighter(-1, self.name, -1, block, damage=self.damage)


def structures_on(encounter: EncounterView) -> list[Standing]:
    """Return the structures on the table as they stand."""
    return [_standing(encounter, name) for name in structure_names(encounter)]


def _standing(encounter: EncounterView, name: str) -> Standing:
    kind = kinds()[encounter.count(STRUCTURE.of(name, "kind")) - 1]
    return Standing(name, kind, encounter.count(STRUCTURE.of(name, "damage")))


def structure_lines(encounter: Encounter) -> list[str]:
    """Return every structure with its Defense and what is left of it."""
    lines = structures_on(encounter)
    return [
        f"{wall.name}: Def {wall.defense}, {wall.life - wall.damage} of {wall.life} Life left"
        for wall in lines
    ]


UNDERWATER_DEPTH = 600
"""Depth in tenths of an inch of a table that lies under water."""

MARK_NAMES = {
    EncounterState.dark.key: "dark",
    EncounterState.vacuum.key: "vacuum",
    EncounterState.underwater.key: "under water",
    EncounterState.low_gravity.key: "low gravity",
    EncounterState.climate.key: "severe heat or cold",
}


def depth_of(encounter: EncounterView, model: Fighter) -> tuple[float, float]:
    """Return the depth of a model's water and the model's height, both in inches; 0 on dry ground."""
    if EncounterState(encounter.row).underwater:
        return UNDERWATER_DEPTH / 10, 1.0
    return model.count(ModelState.water_depth.key) / 10, model.count(ModelState.height_in_water.key) / 10


def gravity_here(encounter: EncounterView, model: Fighter) -> int:
    """Return the Low Gravity rating where the model is: the table's, or that of deep water."""
    depth, height = depth_of(encounter, model)
    return max(EncounterState(encounter.row).low_gravity, water(model, depth, height).gravity if depth else 0)


def climate_here(encounter: EncounterView, model: Fighter) -> int:
    """Return the grade of heat or cold of a model: the table's, or that of this turn's tested area.

    Rules: CB-HAZ-04.
    """
    is_current = model.count(ModelState.climate_turn.key) == max(1, encounter.row.turn)
    return max(
        EncounterState(encounter.row).climate, model.count(ModelState.climate.key) if is_current else 0
    )


def find_turn_under_water(encounter: EncounterView, model: Fighter) -> int | None:
    """Return the turn in which the model was covered by water, None while it has air."""
    table = EncounterState(encounter.row).underwater
    first_turn = model.count(ModelState.underwater_turn.key)
    return table or first_turn or None


def is_airless(encounter: EncounterView, model: Fighter) -> bool:
    """Return whether the model is under water, alone or with the table. Rules: CB-WEAP-25, CB-WEAP-33."""
    return find_turn_under_water(encounter, model) is not None


def mark_lines(encounter: Encounter) -> list[str]:
    """Return what holds for the whole table."""
    lines = []
    for key, name in MARK_NAMES.items():
        value = encounter.count(key)
        if value:
            lines.append(
                f"{name} [{value}]"
                if key in (EncounterState.low_gravity.key, EncounterState.climate.key)
                else name
            )
    return lines


def become_due(encounter: Encounter, model: Fighter) -> list[Kind]:
    """Note fires that a model that becomes active carries, whose hit it owes or all its actions.

    Rules: CB-BURN-06, CB-FEAT-04.
    """
    row, turn = encounter.model(model.id), max(1, encounter.row.turn)
    kinds = [] if _is_settled(row, turn) else [kind for kind in CONDITION if must_suffer(model, kind=kind)]
    set_counter(row.counters, ACTIONS_ON_OWN_FIRE, 0)
    for kind in CONDITION:
        set_counter(row.counters, HIT_DUE_TURN[kind], turn if kind in kinds else 0)
    return kinds


def list_fires_entered(encounter: EncounterView, model: Fighter, pieces: Iterable[Terrain]) -> list[Kind]:
    """Return what burns in these pieces of the board and has not hit a model yet in this turn.

    Rules: CB-BURN-01, CB-BURN-05, CB-FEAT-03.
    """
    row, turn = encounter.model(model.id), max(1, encounter.row.turn)
    names = {piece.name for piece in pieces if piece.kind == surface.FIRE}
    kinds = dict.fromkeys(area.fire.kind for area in list_fires(encounter) if area.name in names)
    hit = _is_settled(row, turn)
    return [kind for kind in kinds if must_suffer(model, in_fire=True, already_hit=hit, kind=kind)]


def list_fires_touched(encounter: EncounterView, model: Fighter) -> list[Kind]:
    """Return the same for the burning pieces that a model touches on the board."""
    board = board_of(encounter)
    body = board.standing.get(model.id) if board is not None else None
    if board is None or body is None:
        return []
    touching_pieces = [
        piece
        for piece in board.terrain
        if abs(piece.bottom - body.bottom) < 1 and measure.touches(body, piece.shape.outline)
    ]
    return list_fires_entered(encounter, model, touching_pieces)


def owe_hit(encounter: Encounter, model: Fighter, kind: Kind) -> None:
    """Note that a model owes the hit of a fire in this turn. Rules: CB-BURN-05."""
    set_counter(encounter.model(model.id).counters, HIT_DUE_TURN[kind], max(1, encounter.row.turn))


def list_fires_owed(encounter: EncounterView, model: Fighter) -> list[Kind]:
    """Return the fires whose hit a model has neither fought with all its actions nor suffered in this turn.

    Rules: CB-BURN-06, CB-FEAT-04.
    """
    row, turn = encounter.model(model.id), max(1, encounter.row.turn)
    if _is_settled(row, turn):
        return []
    return [kind for kind in CONDITION if row.counters.get(HIT_DUE_TURN[kind], 0) == turn]


def is_hit_yet_to_come(encounter: EncounterView, model: Fighter, kind: Kind) -> bool:
    """Return whether a model carries a fire already whose hit comes with its activation, which has not
    begun.

    Rules: CB-BURN-05, CB-BURN-06.
    """
    is_waiting = not model.has(Condition.ACTIVE) and not model.count(Counter.ACTIVATED)
    return model.has(CONDITION[kind]) and is_waiting and bool(encounter.row.turn)


def mark_hit_settled(encounter: Encounter, model: Fighter) -> None:
    """Note that this turn's hit was suffered, or all actions were spent on being spared it."""
    ModelState(encounter.model(model.id)).fire_turn = max(1, encounter.row.turn)


def fight_flames(encounter: Encounter, model: Fighter) -> None:
    """Spend an action on its own flames; once all are spent, it is spared this turn's hit.

    Actions that it lost to heat or cold don't count. Rules: CB-BURN-06, CB-HAZ-04.
    """
    row = encounter.model(model.id)
    set_counter(row.counters, ACTIONS_ON_OWN_FIRE, 1, add=True)
    if list_fires_owed(encounter, model) and row.counters[
        ACTIONS_ON_OWN_FIRE
    ] >= ACTIONS - count_actions_lost_to_climate(encounter, model):
        mark_hit_settled(encounter, model)


def cancel_owed_hit(encounter: Encounter, model: Fighter, condition: str) -> None:
    """Note that a model carries no such fire and owes no hit of it, as players say."""
    for kind, fire_condition in CONDITION.items():
        if fire_condition == condition:
            set_counter(encounter.model(model.id).counters, HIT_DUE_TURN[kind], 0)


def has_acted_elsewhere(encounter: Encounter, model: Fighter) -> bool:
    """Return whether the model did something else in this activation. Rules: CB-BURN-06, CB-FEAT-04."""
    actions_spent = fighter(encounter, encounter.model(model.id)).count(Counter.ACTIONS)
    return actions_spent > count_actions_lost_to_climate(encounter, model) + model.count(ACTIONS_ON_OWN_FIRE)


def count_actions_lost_to_climate(encounter: Encounter, model: Fighter) -> int:
    """Return the actions that heat or cold takes from a model. Rules: CB-HAZ-04."""
    grade = climate_here(encounter, model)
    return ACTIONS - climate(model, grade).actions if grade else 0


def _is_settled(row: ModelRow, turn: int) -> bool:
    return ModelState(row).fire_turn == turn
