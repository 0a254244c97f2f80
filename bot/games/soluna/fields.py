"""Fields of actions: models, squares, weapons, and what abilities and surroundings add to an attack."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from bot.actions import Raw, declared, number_in, numbered
from bot.games.soluna import suggestions
from bot.games.soluna.board import (
    FACING_WORDS,
    at,
    is_square,
    parse_facing,
    parse_square,
    parse_target,
    split_path,
    write_target,
)
from bot.games.soluna.state import model_of
from bot.games.soluna.strikes import fallen_row_of
from bot.games.soluna.suggestions import HANDS
from bot.store.rows import SideRow
from bot.table.asking import fields, offering
from bot.table.asking.kinds import Asking, Names, nothing
from bot.table.asking.table_kinds import Models
from bot.table.names import checked_name, find
from rules.refusals import InvalidInput, Missing
from rules.systems.soluna.board import Facing, Point
from rules.systems.soluna.faces import LOCATIONS
from rules.systems.soluna.models import Model

_EXTRA = re.compile(r"(power|accuracy|range|reach)\s*([+-]\s*\d{1,2})|ignore\s+([a-z]+)")


@dataclass(frozen=True, slots=True)
class Extras:
    """What is given to an attack beside what the table knows."""

    power: int = 0
    accuracy: int = 0
    weapon_reach: int = 0
    target_reach: int = 0
    ignored: frozenset[str] = frozenset()


def read_extras(text: str) -> Extras:
    """Return what was typed as power+1 accuracy-2 range+1 reach-1 ignore shield. Raises InvalidInput."""
    numbers = {"power": 0, "accuracy": 0, "range": 0, "reach": 0}
    ignored: set[str] = set()
    lowered = text.lower()
    for match in _EXTRA.finditer(lowered):
        if match[1]:
            numbers[match[1]] += int(match[2].replace(" ", ""))
        elif match[3] in LOCATIONS:
            ignored.add(match[3])
        else:
            raise InvalidInput(f"Pick one of these locations: {', '.join(LOCATIONS)}.")
    if _EXTRA.sub("", lowered).replace(",", "").strip():
        raise InvalidInput('Write extras like this: "power+1 accuracy-2 range+1 reach-1 ignore shield"')
    return Extras(
        numbers["power"], numbers["accuracy"], numbers["range"], numbers["reach"], frozenset(ignored)
    )


def extras_written(extras: Extras) -> str:
    """Return the words again that `read_extras` reads as the same."""
    numbers = (
        ("power", extras.power),
        ("accuracy", extras.accuracy),
        ("range", extras.weapon_reach),
        ("reach", extras.target_reach),
    )
    words = [f"{name}{number:+d}" for name, number in numbers if number]
    return " ".join([*words, *(f"ignore {location}" for location in sorted(extras.ignored))])


# ------------------------------------------------------------------------------------ who


def acting_model(label: str = "Model", **more: Any) -> Any:
    """Declare the acting model, as the rules see it; only its player may name it, except for odds."""
    return fields.own_model(label, **{"view": model_of, "mine": True, "needed": True, **more})


def model_to_place(label: str) -> Any:
    """Declare a model of one's own that is put on the board; those not placed yet are offered first."""
    return fields.model(label, suggestions.models_to_place, view=model_of, mine=True, needed=True)


@dataclass(frozen=True, kw_only=True)
class Strikers(Models):
    """A model that strikes: one in play, or one that fell in this phase and may still strike back."""

    def read(self, raw: Raw, context: Asking) -> Any:
        act = context.act
        row = act.encounter.find_model(str(raw), gone=True, user=act.actor.user_id)
        if fallen_row_of(act.encounter, row.id) is not None:
            return self._seen(row, context)
        return super().read(raw, context)


def attacker_field(label: str) -> Any:
    """Declare the model that attacks; who fell in this phase may still be named."""
    kind = Strikers(
        help=label, called="model", names=offering.own_model, view=model_of, mine=True, needed=True
    )
    return declared(kind, None)


def enemy_field(label: str) -> Any:
    """Return a field for the target; enemies are offered first."""
    return fields.model(label, suggestions.standing_foe, view=model_of, needed=True, against=True)


def friend_field(label: str, **more: Any) -> Any:
    """Return a model in play; those on the side of who acts are offered, but for that one."""
    return fields.model(label, offering.friends, view=model_of, **more)


def any_model(label: str, **more: Any) -> Any:
    """Return a model in play of any side."""
    return fields.model(label, view=model_of, **more)


def adjacent_helpers(held_field: str) -> Any:
    """Declare others of its side who help, next to the model that is held. held: the field that names it."""
    names = offering.completing(suggestions.helpers(held_field))
    return fields.models(
        "Adjacent helpers, separated by commas", names=names, view=model_of, mine=True, wire=str
    )


def side_or_new_name(label: str) -> Any:
    """Return a side, or, before the game, the name of one that is to be made."""

    def resolve(context: Asking, text: str) -> SideRow | str:
        folded_name = text.strip().casefold()
        sides = context.act.encounter.sides()
        known_side = next((side for side in sides if side.name.casefold() == folded_name), None)
        if known_side is None and context.act.encounter.row.turn:
            raise InvalidInput("Pick an existing side. You can't add one after the game begins.")
        return known_side or checked_name(text, "side's name")

    return fields.sought(label, offering.any_side, resolve, written=lambda side: side.name)


# ------------------------------------------------------------------------------------ where


def board_square(label: str, names: Names = nothing, **more: Any) -> Any:
    """Return a square of the board: 3,4."""
    return fields.sought(label, names, lambda context, text: parse_square(text), written=at, **more)


def path_field(label: str) -> Any:
    """Declare a square to go to, or every square of the way there."""

    def find(context: Asking, text: str) -> tuple[Point, ...]:
        squares = tuple(map(parse_square, split_path(text)))
        if not squares:
            raise InvalidInput('Enter a square, such as "3,4", or every square of the path.')
        return squares

    def write(squares: tuple[Point, ...]) -> str:
        return " ".join(map(at, squares))

    return fields.sought(label, suggestions.own_square, find, written=write, needed=True, freely=True)


def square_or_model(label: str) -> Any:
    """Return a field for a square, or a model on one."""
    return fields.sought(label, offering.any_model, _find_square_or_model, written=write_target)


def _find_square_or_model(context: Asking, text: str) -> Model | Point:
    if is_square(text):
        return parse_square(text)
    encounter = context.act.encounter
    return model_of(encounter, encounter.find_model(text))


def facing_field(label: str, names: Names = suggestions.look_targets, **more: Any) -> Any:
    """Declare which way a model looks: a facing, or a square or a model that it looks towards."""

    def find(context: Asking, text: str) -> Facing | Model | Point:
        try:
            return parse_facing(text)
        except InvalidInput:
            return _find_square_or_model(context, text)

    def write(target: Facing | Model | Point) -> str:
        return FACING_WORDS[target] if isinstance(target, Facing) else write_target(target)

    return fields.sought(label, names, find, written=write, **more)


def target_field(label: str) -> Any:
    """Declare what is attacked: a model, an object, an Artifact or a square."""
    return fields.sought(
        label,
        suggestions.any_target,
        lambda context, text: parse_target(context.act.encounter, text),
        written=write_target,
        needed=True,
        freely=True,
        against=True,
    )


# ------------------------------------------------------------------------------------ with what, how


def weapon_field(label: str, carrier_field: str = "attacker") -> Any:
    """Return a field for a weapon of the model in `of`, as its place from 1, or 0 for bare hands."""

    def find(context: Asking, text: str) -> int:
        attacker = context.so_far.get(carrier_field)
        if attacker is None:
            raise Missing("Choose the attacker before the weapon.")
        return weapon_place(attacker, text)

    return fields.sought(
        label, suggestions.carried_weapon, find, written=lambda place: str(numbered(place)), alone=True
    )


def weapon_place(attacker: Model, text: str) -> int:
    """Return the place of the weapon that is meant, from 1, or 0 for bare hands. Raises InvalidInput."""
    words = [HANDS, *(weapon.name for weapon in attacker.profile.weapons)]
    place = number_in(text)
    if place is not None:
        if place >= len(words):
            raise InvalidInput(f"Pick a weapon that {attacker.name} carries.")
        return place
    return words.index(find(text, [*words[1:], HANDS], str, "weapon"))


def arsenal_item() -> Any:
    """Declare the thing that the target carries which Arsenal hits go to. Rules: SU-GRID-05."""

    def resolve(context: Asking, text: str) -> str:
        target = context.so_far.get("target")
        if not isinstance(target, Model):
            return text
        return find(text, [name for name, health in target.carried() if health], str, "item")

    return fields.sought(
        "Target's item that takes the Arsenal hits", suggestions.carried_thing, resolve, fact=True
    )


def extras_field(label: str) -> Any:
    """Declare what is given to an attack beside what the table knows."""
    return fields.sought(
        label, nothing, lambda context, text: read_extras(text), written=extras_written, unsaid="", fact=True
    )


def forced_point() -> Any:
    """Declare whether the Combat Point is forced."""
    return fields.switch("Force the Combat Point if the model has none left")


def fewer_dice() -> Any:
    """Declare the dice that are thrown, 0 for as many as the Power gives."""
    return fields.whole("Dice to roll (blank for full Power)", 1, 30, default=0)
