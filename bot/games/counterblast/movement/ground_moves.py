"""Ground that a Move touches: how it is said, what it costs, and the checks that it asks for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeVar

from bot.actions import Raw, declared
from bot.games.counterblast.ground.areas import Ground, area_names, area_of, ruggedness
from bot.games.counterblast.ground.field_play import EXPOSED, note_checks
from bot.games.counterblast.ground.suggestions import placed_area
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.kinds import Asking, Listed
from bot.table.asking.offering import completing
from bot.table.names import find
from rules.effects import Propose
from rules.systems.counterblast.core.checks import DANGER_TARGET, FOOTING_TARGET
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.movement.ground import Hazard, Rugged

ENDS = ("on a model", "on impassable ground")

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Places(Listed):
    """Places on the table, by name, each once."""

    def write(self, thing: Any) -> Raw:
        """The name of each."""
        return tuple(one if isinstance(one, str) else one.name for one in thing or ())

    def read(self, raw: Raw, asking: Asking) -> tuple[Ground, ...]:
        """Each place. Raises InvalidInput for one that is not there."""
        assert isinstance(raw, tuple)
        encounter = asking.act.encounter
        names = [find(str(place), area_names(encounter), str, "place") for place in raw]
        return tuple(area_of(encounter, name) for name in dict.fromkeys(names))


def touched(about: str = "Rugged ground, by rating or place: 2 1, slick") -> Any:
    """Places that a Move touches, by name; typed as one option `rugged`, with the ratings among them."""
    names = completing(placed_area)
    return declared(Places(wire=tuple[str, ...], help=about, names=names, called="rugged", fact=True), ())


def crosses_impassable() -> Any:
    """Whether the way crosses Impassable ground."""
    return fields.switch("The way crosses Impassable ground", fact=True)


def ends_on() -> Any:
    """What a Move ends on, where that is not free."""
    return fields.one_of("What it ends on, where that is not free", ENDS, default="", fact=True)


def apart(action: T) -> T:
    """What was typed as `2 1, slick`: ratings among the places where they belong."""
    said: tuple[str, ...] = action.ground  # type: ignore[attr-defined]
    rated = [part for part in said if not part.strip("0123456789 ")]
    ratings = tuple(int(digit) for part in rated for digit in part if digit.isdecimal())
    named = tuple(part for part in said if part not in rated)
    return replace(action, rugged=ratings, ground=named)  # type: ignore[type-var]


def pieces_of(ratings: tuple[int, ...], places: tuple[Ground, ...]) -> tuple[Rugged, ...]:
    """Rugged ground by the ratings that are told, and what places on the table are besides.

    Rules: CB-TERR-12, CB-HAZ-05, CB-HAZ-06.
    """
    rated = (Rugged(f"ground {number}", rating) for number, rating in enumerate(ratings, 1))
    return (*rated, *(piece for place in places for piece in ruggedness(place)))


def ground_checks(act: Act, model: Fighter, places: tuple[Ground, ...]) -> list[Propose]:
    """The checks of the places that a Move touched, where the model was not tested there this turn.

    They are owed from now on.

    Rules: CB-TERR-07, CB-HAZ-01, CB-HAZ-04, CB-HAZ-05, CB-HAZ-06.
    """
    turn, found = max(1, act.encounter.row.turn), []
    for ground in places:
        if model.count(EXPOSED.of(ground.name)) == turn:
            continue
        details = (("area", ground.name),)
        if ground.kind == Hazard.SLICK:
            said = f"{ground.words}: Initiative check at {FOOTING_TARGET} or Prone."
            found.append(Propose("footing", model.id, said, details))
        elif ground.kind == Hazard.HEAT_OR_COLD:
            found.append(Propose("danger", model.id, f"{ground.words}: Mv and actions.", details))
        else:
            said = f"{ground.words}: Initiative check at {DANGER_TARGET} or damage."
            found.append(Propose("danger", model.id, said, details))
    note_checks(act.encounter, found)
    return found
