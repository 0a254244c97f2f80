"""Dangerous places on the table: put there and removed, and the fields that name them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from bot.actions import Action
from bot.games.counterblast.core.narration import Telling, finish
from bot.games.counterblast.state.ground import (
    KINDS,
    ROCKS,
    AreaPlace,
    Ground,
    add_area,
    area_names,
    find_place,
    forget_area,
    kind_words,
    kinds,
    list_areas,
    list_fires,
    read_area,
    ruggedness,
    structure_names,
    structures_on,
)
from bot.games.counterblast.state.models import game_of, kept
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.asking import fields, measuring
from bot.table.asking.kinds import Asking
from bot.table.asking.measuring import Spot
from bot.table.board.surface import has_board
from bot.table.encounter import EncounterView
from bot.table.handlers import handles
from bot.table.names import check_name
from bot.table.owners import PLAYER
from rules.measure import Point
from rules.refusals import InvalidInput, Missing
from rules.systems.counterblast.core.burning import MAX_INCHES
from rules.systems.counterblast.movement.ground import COVER_KINDS

any_area = kept(lambda encounter: [*area_names(encounter), *map(kind_words, KINDS)])
placed_area = kept(area_names)
any_structure = kept(structure_names)


def cover_kind(context: Asking) -> Sequence[str]:
    """Return the kinds of cover."""
    return list(COVER_KINDS)


T = TypeVar("T")


def _on_table(list_things: Callable[[EncounterView], Sequence[T]]) -> Callable[[Asking], Sequence[T]]:
    def there(context: Asking) -> Sequence[T]:
        encounter = game_of(context)
        return list_things(encounter) if encounter is not None else ()

    return there


def _name(item: Any) -> str:
    return str(item.name)


def fire_field(about: str, **more: Any) -> Any:
    """Return a burning area, or a pool of acid."""
    return fields.among(about, _on_table(list_fires), _name, what="fire", **more)


def placed_danger_field(about: str, **more: Any) -> Any:
    """Return a dangerous place that stays on the table."""
    return fields.among(about, _on_table(list_areas), _name, what="place", **more)


def danger_field(about: str, **more: Any) -> Any:
    """Return a dangerous place, or a kind of danger whose grade the action names."""
    return fields.sought(
        about,
        any_area,
        lambda context, text: find_place(context.act.encounter, text),
        written=lambda ground: ground.name or ground.kind,
        **more,
    )


def wall(about: str, **more: Any) -> Any:
    """Return a field for a wall or door on the table."""
    return fields.among(about, _on_table(structures_on), _name, what="structure", **more)


def wall_kind(about: str, what: str = "structure", **more: Any) -> Any:
    """Return a field for the kind of a wall or door, as the chart names it."""
    return fields.among(about, lambda context: kinds(), _name, what=what, **more)


def place_on_board() -> Any:
    """Return where the middle of an area is on the board: a `Spot`, or None."""
    return measuring.spot("", "Place on the board", begun=False, notation=True, labelled="Place")


def require_area_place(encounter: EncounterView, spot: Spot | None) -> Point | None:
    """Return where an area is on the board; None without a board. Raises Missing."""
    if spot is not None:
        return spot.at
    if has_board(encounter):
        raise Missing('Choose the place on the board, such as "D7" or the name of a model.')
    return None


MAX_NAME_LENGTH = 16
HAZARD_INCHES = 5
"""The width in inches of a random hazard, and of a dangerous place whose size isn't entered."""


@dataclass(frozen=True, slots=True)
class AddArea(Action):
    """Add a dangerous place.

    kind: dangerous, acid, toxic, slick, heat_or_cold. spot: its middle on the board, inches: how wide it is
    there.
    """

    command = "cb.area"
    typed = "cb field add"
    titled = "Add a dangerous place"
    waits_for_dice = True
    said_first = ("kind", "grade", "name", "power", "inches", "spot")
    decision_of = PLAYER

    name: str = fields.text("Name", None)
    kind: str = fields.one_of("Kind of danger", KINDS, needed=True, default=ROCKS)
    grade: int = fields.whole("Grade (1 to 3)", 1, 3, default=1, checked=True)
    power: int = fields.whole("Power (default 5)", 0, 10, default=0, checked=True)
    inches: int = fields.whole("Size (inches)", 1, MAX_INCHES, default=HAZARD_INCHES, checked=True)
    spot: Spot | None = place_on_board()


@dataclass(frozen=True, slots=True)
class DropArea(Action):
    """Remove a dangerous place."""

    command = "cb.area.drop"
    typed = "cb field drop"
    titled = "Remove a dangerous place"
    waits_for_dice = True
    decision_of = PLAYER

    name: Ground = placed_danger_field("Place", needed=True)


@handles(AddArea)
def place_area(act: Act, action: AddArea) -> Reply:
    """Place an area, which stays until it is removed."""
    typed = check_name(action.name or kind_words(action.kind), "place")
    if len(typed) > MAX_NAME_LENGTH:
        raise InvalidInput(f"Shorten the name. A place's name can have at most {MAX_NAME_LENGTH} characters.")
    at = AreaPlace(require_area_place(act.encounter, action.spot), action.inches)
    name = add_area(act.encounter, typed, action.kind, action.grade, action.power, at)
    ground = read_area(act.encounter, name)
    telling = Telling([f"Added {ground.words}."])
    telling.lines += [f"It is also Rugged [{piece.rating}]." for piece in ruggedness(ground)]
    return finish(act, telling)


@handles(DropArea)
def drop_area(act: Act, action: DropArea) -> Reply:
    """Remove an area by hand, if gear or abilities removed it."""
    ground = action.name
    forget_area(act.encounter, ground.name)
    return finish(act, Telling([f"{ground.words[:1].upper()}{ground.words[1:]} is removed from the table."]))
