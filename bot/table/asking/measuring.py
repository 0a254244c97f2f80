"""Values that a board measures for the fields of actions. Each function is the `measures` of a field."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from bot.actions import declared
from bot.table.asking.fields import inches
from bot.table.asking.kinds import Asking
from bot.table.asking.offering import friendly
from bot.table.asking.table_kinds import Sought
from bot.table.board import facts
from bot.table.board.facts import Fact
from bot.table.board.places import COMPASS, place
from bot.table.board.routes import BoardPath, planned, standing
from bot.table.board.surface import has_board, kept, place_of, require_board
from bot.table.encounter import EncounterView
from rules.measure import Body, Point, Sight, is_within, tenths
from rules.refusals import InvalidInput, Missing

Measures = Callable[[Asking], Fact | None]


def both(context: Asking, one_field: str, other_field: str) -> tuple[int, int] | None:
    """Return the numbers of the models that two fields name; None if one of them is empty."""
    first, second = (getattr(context.so_far.get(name), "id", 0) for name in (one_field, other_field))
    return (first, second) if first > 0 and second > 0 else None


def distance(one_field: str, other_field: str) -> Measures:
    """Return the inches between the models in two fields."""

    def measure(context: Asking) -> Fact | None:
        pair = both(context, one_field, other_field)
        return facts.between(context.act.encounter, *pair) if pair else None

    return measure


def inches_between(one_field: str, other_field: str, hint: str = "Distance (inches)", **extra: Any) -> Any:
    """Declare the inches between the models in two fields, measured if there is a board."""
    return inches(
        hint, 0.0, 200.0, default=0.0, called="distance", measures=distance(one_field, other_field), **extra
    )


def distances(pairs: Callable[[Asking], Sequence[tuple[int, int]]]) -> Measures:
    """Return the inches between the models of each pair: a tuple."""

    def measure(context: Asking) -> Fact | None:
        pair_facts = [facts.between(context.act.encounter, *pair) for pair in pairs(context)]
        known_facts = [fact for fact in pair_facts if fact is not None]
        if not pair_facts or len(known_facts) < len(pair_facts):
            return None
        models = known_facts[0].of if len(known_facts) == 1 else (0, 0)
        words = ", ".join(fact.words for fact in known_facts)
        return Fact(tuple(fact.value for fact in known_facts), words, of=models)

    return measure


def seen(viewer: str, target: str, judged: Callable[[EncounterView, int, int, Sight], Any]) -> Measures:
    """Return what a game makes of how one model sees another. judged: gives that, from their numbers."""

    def measure(context: Asking) -> Fact | None:
        pair = both(context, viewer, target)
        if pair is None:
            return None
        sight = facts.sight(context.act.encounter, *pair)
        return None if sight is None else judged(context.act.encounter, *pair, sight)

    return measure


# ------------------------------------------------------------------------------------ ways


def ways(context: Asking) -> Sequence[str]:
    """Return ways that a model may go, in words: towards each enemy, into contact, by the compass."""
    if not context.act.has_encounter or not has_board(context.act.encounter):
        return ()
    foes = _foes(context)
    return [
        *(f"6 towards {name}" for name in foes[:8]),
        *(f"into contact with {name}" for name in foes[:8]),
        *(f"6 {word}" for word in COMPASS),
    ]


def _foes(context: Asking) -> list[str]:
    friends = friendly(context) if context.act.has_encounter else ()
    rows = context.act.encounter.models() if context.act.has_encounter else ()
    return [row.name for row in rows if place_of(row) is not None and row.side not in friends]


@dataclass(frozen=True, slots=True, kw_only=True)
class PathField(Sought):
    """A way on the board of the model in an earlier field: a `BoardPath`, None if nothing is said."""

    notation: bool = True
    pointed: str = "route"
    on_board: ClassVar[bool] = True


def way(model_field: str, hint: str = 'Route, such as "D7" or "6 towards Trapper"') -> Any:
    """Return where the model in an earlier field goes on the board: a `BoardPath`, or None."""

    def find(context: Asking, text: str) -> BoardPath:
        model = getattr(context.so_far.get(model_field), "id", 0)
        if not model:
            raise Missing("Choose the model first.")
        if model < 0:
            raise InvalidInput(
                'A hidden model can\'t be moved like this. Press "Place a hidden model", or use /board hide.'
            )
        return planned(context.act.encounter, model, text)

    return declared(PathField(help=hint, names=ways, find=find, written=lambda walk: walk.words), None)


def approached(
    one_field: str, other_field: str, fact_of: Callable[[EncounterView, BoardPath], Fact]
) -> Measures:
    """Return what the straight way into contact tells of ground and distance. fact_of: gives the fact."""

    def measure(context: Asking) -> Fact | None:
        pair, encounter = both(context, one_field, other_field), context.act.encounter
        if pair is None or facts.between(encounter, *pair) is None:
            return None
        try:
            return fact_of(encounter, planned(encounter, pair[0], f"into contact with #{pair[1]}"))
        except InvalidInput:
            return None

    return measure


def walked(route_field: str, fact_of: Callable[[BoardPath], Any]) -> Measures:
    """Return what the way in a field tells of ground and distance. fact_of: gives the fact."""

    def measure(context: Asking) -> Fact | None:
        walk = context.so_far.get(route_field)
        return fact_of(walk) if isinstance(walk, BoardPath) else None

    return measure


def walked_inches(walk: BoardPath) -> Fact:
    """Return the length of a way."""
    inches = facts.inches(walk.length)
    return Fact(inches, f"{tenths(inches):g} in")


def sees_nobody(context: Asking) -> Fact | None:
    """Return whether the model that acts sees none of its enemies on the board."""
    names, encounter = ("model", "firer", "attacker", "leader"), context.act.encounter
    model = next((number for name in names if (number := getattr(context.so_far.get(name), "id", 0)) > 0), 0)
    if not model or facts.standing(encounter, model) is None:
        return None
    row = encounter.model(model)
    foes = [number.id for number in encounter.models() if number.side != row.side]
    sees_one = any((view := facts.sight(encounter, model, foe)) and not view.is_blocked for foe in foes)
    return Fact(not sees_one, "" if sees_one else f"{row.name} sees no enemy")


# ------------------------------------------------------------------------------------ templates


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a template is placed on the board. words: as it was entered."""

    words: str
    at: Point
    level: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Spots(Sought):
    """A place on the board for a template: a `Spot`, None if nothing is said."""

    freely: bool = True
    begun: bool = True
    pointed: str = "spot"

    on_board: ClassVar[bool] = True


def spot(
    model_field: str,
    hint: str = 'Target point, such as "Trapper", "D7" or "12 30"',
    *,
    unless: Callable[[Asking], bool] = lambda context: False,
    **more: Any,
) -> Any:
    """Return a place on the board, at which the model in an earlier field aims a template: a `Spot`, or None.

    model_field: empty where no model aims. unless: whether nothing is aimed, so that no place is suggested.
    """

    def nearest(context: Asking) -> Sequence[str]:
        if unless(context):
            return ()
        foes, model = _foes(context), getattr(context.so_far.get(model_field), "id", 0)
        if not foes or model <= 0 or facts.standing(context.act.encounter, model) is None:
            return foes
        encounter = context.act.encounter
        return sorted(foes, key=lambda name: facts.apart(encounter, model, encounter.find_model(name).id))

    kind = Spots(help=hint, names=nearest, find=read_spot, written=lambda point: point.words, **more)
    return declared(kind, None)


def read_spot(context: Asking, text: str) -> Spot:
    """Return a place on the board in words. Raises InvalidInput, also for one beside the table."""
    board, levels = require_board(context.act.encounter), [0.0]

    def body_of(name: str) -> Body:
        body = standing(context.act.encounter, name)
        levels[0] = body.bottom
        return body

    at = kept(place(board, text, body_of))
    if not is_within([at], board.width, board.depth):
        size = f"{board.width:g} by {board.depth:g} in"
        raise InvalidInput(f"Choose a place on the table, which is {size} (you entered {text}).")
    return Spot(text, at, levels[0])


def aimed(model_field: str, fact_of: Callable[[Asking, EncounterView, Body, Spot], Fact | None]) -> Measures:
    """Return what a game measures of a template that a model in a field aims at the field `spot`."""

    def measure(context: Asking) -> Fact | None:
        spot, model = context.so_far.get("spot"), getattr(context.so_far.get(model_field), "id", 0)
        body = facts.standing(context.act.encounter, model) if isinstance(spot, Spot) else None
        if body is None or not isinstance(spot, Spot):
            return None
        return fact_of(context, context.act.encounter, body, spot)

    return measure
