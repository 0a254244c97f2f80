"""What fields of this room are: places, fires and walls on the table, by name; kinds of wall."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from bot.games.counterblast.core.fighters import game_of
from bot.games.counterblast.ground.areas import areas_on, place_meant
from bot.games.counterblast.ground.fires import fires_on
from bot.games.counterblast.ground.structures import kinds, structures_on
from bot.games.counterblast.ground.suggestions import any_area
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.encounter import Encounter

T = TypeVar("T")


def _on_table(things: Callable[[Encounter], Sequence[T]]) -> Callable[[Asking], Sequence[T]]:
    """What the game keeps; nothing where none runs."""

    def there(asking: Asking) -> Sequence[T]:
        encounter = game_of(asking)
        return things(encounter) if encounter is not None else ()

    return there


def _name(thing: Any) -> str:
    return str(thing.name)


def burning(about: str, **more: Any) -> Any:
    """A burning area, or a pool of acid."""
    return fields.among(about, _on_table(fires_on), _name, what="fire", **more)


def placed(about: str, **more: Any) -> Any:
    """A dangerous place that stays on the table."""
    return fields.among(about, _on_table(areas_on), _name, what="place", **more)


def danger_met(about: str, **more: Any) -> Any:
    """A dangerous place on the table, or a kind of danger, of which the action says how great it is."""
    return fields.sought(
        about,
        any_area,
        lambda asking, text: place_meant(asking.act.encounter, text),
        written=lambda ground: ground.name or ground.kind,
        **more,
    )


def wall(about: str, **more: Any) -> Any:
    """A wall or door that stands on the table."""
    return fields.among(about, _on_table(structures_on), _name, what="structure", **more)


def wall_kind(about: str, what: str = "structure", **more: Any) -> Any:
    """What a wall or door is, as the chart names it."""
    return fields.among(about, lambda asking: kinds(), _name, what=what, **more)
