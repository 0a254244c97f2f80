"""Fields of actions: models, squares, weapons, and what abilities and surroundings add to an attack."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from bot.actions import Raw, declared, number_in, reference_by_number
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
from bot.table.asking import fields, offering
from bot.table.asking.kinds import Asking, Names, nothing
from bot.table.asking.table_kinds import Models
from bot.table.names import find
from rules.refusals import InvalidInput, Missing
from rules.systems.soluna.board import Facing, Point
from rules.systems.soluna.faces import LOCATIONS
from rules.systems.soluna.models import Model

_EXTRA_PATTERN = re.compile(r"(power|accuracy|range|reach)\s*([+-]\s*\d{1,2})|ignore\s+([a-z]+)")


@dataclass(frozen=True, slots=True)
class Extras:
    """Bonuses and penalties of an attack that a player enters by hand."""

    power: int = 0
    accuracy: int = 0
    weapon_reach: int = 0
    target_reach: int = 0
    ignored: frozenset[str] = frozenset()


def read_extras(text: str) -> Extras:
    """Return what was typed as power+1 accuracy-2 range+1 reach-1 ignore shield. Raises InvalidInput."""
    numbers = {"power": 0, "accuracy": 0, "range": 0, "reach": 0}
    ignored_locations: set[str] = set()
    lowered_text = text.lower()
    for match in _EXTRA_PATTERN.finditer(lowered_text):
        if match[1]:
            numbers[match[1]] += int(match[2].replace(" ", ""))
        elif match[3] in LOCATIONS:
            ignored_locations.add(match[3])
        else:
            raise InvalidInput(f"Pick one of these locations: {', '.join(LOCATIONS)}.")
    if _EXTRA_PATTERN.sub("", lowered_text).replace(",", "").strip():
        raise InvalidInput('Write extras like this: "power+1 accuracy-2 range+1 reach-1 ignore shield"')
    return Extras(
        numbers["power"],
        numbers["accuracy"],
        numbers["range"],
        numbers["reach"],
        frozenset(ignored_locations),
    )


def write_extras(extras: Extras) -> str:
    """Return words from which `read_extras` reads the same extras."""
    numbers = (
        ("power", extras.power),
        ("accuracy", extras.accuracy),
        ("range", extras.weapon_reach),
        ("reach", extras.target_reach),
    )
    words = [f"{name}{number:+d}" for name, number in numbers if number]
    return " ".join([*words, *(f"ignore {location}" for location in sorted(extras.ignored))])


# ------------------------------------------------------------------------------------ who


def acting_model(label: str = "Model", **options: Any) -> Any:
    """Declare the acting model, as the rules see it; only its player may name it, except for odds."""
    return fields.own_model(label, **{"view": model_of, "mine": True, "needed": True, **options})


def placing_model_field(label: str) -> Any:
    """Declare an own model to put on the board; those not placed yet are offered first."""
    return fields.model(label, suggestions.offer_models_to_place, view=model_of, mine=True, needed=True)


@dataclass(frozen=True, kw_only=True)
class StrikerField(Models):
    """A field for an attacker: a model in play, or one that fell in this phase and may still strike back."""

    def read(self, raw: Raw, context: Asking) -> Any:
        act = context.act
        row = act.encounter.find_model(str(raw), gone=True, user=act.actor.user_id)
        if fallen_row_of(act.encounter, row.id) is not None:
            return self._seen(row, context)
        return super().read(raw, context)


def attacker_field(label: str) -> Any:
    """Declare the model that attacks; one that fell in this phase can be chosen too."""
    kind = StrikerField(
        help=label, called="model", names=offering.own_model, view=model_of, mine=True, needed=True
    )
    return declared(kind, None)


def enemy_field(label: str) -> Any:
    """Declare a target; enemies are offered first."""
    return fields.model(label, suggestions.offer_standing_models, view=model_of, needed=True, against=True)


def friend_field(label: str, **options: Any) -> Any:
    """Declare a model in play; the other models of the acting model's side are offered."""
    return fields.model(label, offering.friends, view=model_of, **options)


def any_model(label: str, **more: Any) -> Any:
    """Declare a model in play of any side."""
    return fields.model(label, view=model_of, **more)


def helpers_field(held_model_field: str) -> Any:
    """Declare helpers next to the grappled model. held_model_field: the field that names that model."""
    names = offering.completing(suggestions.helpers(held_model_field))
    return fields.models(
        "Adjacent helpers, separated by commas", names=names, view=model_of, mine=True, wire=str
    )


# ------------------------------------------------------------------------------------ where


def square_field(label: str, names: Names = nothing, **options: Any) -> Any:
    """Declare a square of the board: 3,4."""
    return fields.sought(label, names, lambda context, text: parse_square(text), written=at, **options)


def path_field(label: str) -> Any:
    """Declare a square to move to, or every square of the path."""

    def find(context: Asking, text: str) -> tuple[Point, ...]:
        squares = tuple(map(parse_square, split_path(text)))
        if not squares:
            raise InvalidInput('Enter a square, such as "3,4", or every square of the path.')
        return squares

    def write(squares: tuple[Point, ...]) -> str:
        return " ".join(map(at, squares))

    return fields.sought(label, suggestions.own_square, find, written=write, needed=True, freely=True)


def square_or_model(label: str) -> Any:
    """Declare a square, or a model on one."""
    return fields.sought(label, offering.any_model, _find_square_or_model, written=write_target)


def _find_square_or_model(context: Asking, text: str) -> Model | Point:
    if is_square(text):
        return parse_square(text)
    encounter = context.act.encounter
    return model_of(encounter, encounter.find_model(text))


def facing_field(label: str, names: Names = suggestions.list_look_targets, **options: Any) -> Any:
    """Declare which way a model faces: a facing, or a square or model that it faces."""

    def find(context: Asking, text: str) -> Facing | Model | Point:
        try:
            return parse_facing(text)
        except InvalidInput:
            return _find_square_or_model(context, text)

    def write(target: Facing | Model | Point) -> str:
        return FACING_WORDS[target] if isinstance(target, Facing) else write_target(target)

    return fields.sought(label, names, find, written=write, **options)


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
    """Declare a weapon of the model in `carrier_field`, as its place from 1, or 0 for bare hands."""

    def find(context: Asking, text: str) -> int:
        attacker = context.so_far.get(carrier_field)
        if attacker is None:
            raise Missing("Choose the attacker before the weapon.")
        return find_weapon_place(attacker, text)

    return fields.sought(
        label,
        suggestions.carried_weapon,
        find,
        written=lambda place: str(reference_by_number(place)),
        alone=True,
    )


def find_weapon_place(attacker: Model, text: str) -> int:
    """Return the place of the named weapon, from 1, or 0 for bare hands. Raises InvalidInput."""
    words = [HANDS, *(weapon.name for weapon in attacker.profile.weapons)]
    place = number_in(text)
    if place is not None:
        if place >= len(words):
            raise InvalidInput(f"Pick a weapon that {attacker.name} carries.")
        return place
    return words.index(find(text, [*words[1:], HANDS], str, "weapon"))


def arsenal_item_field() -> Any:
    """Declare the target's item that takes the Arsenal hits. Rules: SU-GRID-05."""

    def resolve(context: Asking, text: str) -> str:
        target = context.so_far.get("target")
        if not isinstance(target, Model):
            return text
        return find(text, [name for name, health in target.carried() if health], str, "item")

    return fields.sought(
        "Target's item that takes the Arsenal hits", suggestions.list_carried_things, resolve, fact=True
    )


def extras_field(label: str) -> Any:
    """Declare bonuses and penalties of an attack that a player enters by hand."""
    return fields.sought(
        label, nothing, lambda context, text: read_extras(text), written=write_extras, unsaid="", fact=True
    )


def force_point_field() -> Any:
    """Declare whether the Combat Point is forced."""
    return fields.switch("Force the Combat Point if the model has none left")


def dice_field() -> Any:
    """Declare the number of dice to roll, 0 for the full Power."""
    return fields.whole("Dice to roll (blank for full Power)", 1, 30, default=0)
