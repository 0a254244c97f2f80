"""Suggestions for sol'una's fields: weapons, items, targets, squares, facings."""

from __future__ import annotations

from collections.abc import Sequence

from bot.actions import reference_by_number
from bot.games.soluna.board import (
    ARTIFACT,
    FACING_WORDS,
    OBJECT,
    at,
    board_of,
    facing_of,
    facing_towards,
    has_board,
    is_square,
    split_path,
    square_of,
    thing_rows,
)
from bot.games.soluna.settings import settings_of
from bot.games.soluna.state import clock_of, model_of
from bot.store.rows import ModelRow, ThingRow
from bot.table.asking.kinds import MAX_CHOICES, Asking, Names, Offer
from bot.table.asking.offering import foe, friend_rows, friendly, models_offered
from bot.table.asking.table_kinds import own_first
from bot.table.encounter import EncounterView
from rules.refusals import is_allowed
from rules.systems.soluna.board import Point, reach
from rules.systems.soluna.models import Model
from rules.systems.soluna.movement import check_helpers, format_speed_points, speed_left, squares_in_speed
from rules.systems.soluna.profile import Weapon

HANDS = "hands"
"""The name of an attack without a weapon."""

MIN_COLUMN_GAP = 3
"""The number of columns between models that are placed as suggested."""


def _find_encounter(context: Asking) -> EncounterView | None:
    encounter = context.act.encounter if context.act.has_encounter else None
    return encounter if encounter is not None and encounter.row.system == "soluna" else None


def _model_in_field(context: Asking, name: str) -> Model | None:
    model = context.so_far.get(name)
    return model if isinstance(model, Model) else None


def carried_weapon(context: Asking) -> Sequence[Offer]:
    """Suggest the attacker's weapons and bare hands, only those that reach an enemy if any does."""
    model = _model_in_field(context, "attacker")
    if model is None:
        return []
    all_weapons = [*model.profile.weapons, None]
    nearest_foe = min(_list_foe_reaches(context, model), default=None)
    reaching_weapons = [
        weapon for weapon in all_weapons if nearest_foe is not None and _reaches(weapon, nearest_foe)
    ]
    weapons = all_weapons if context.typed or not reaching_weapons else reaching_weapons
    return [_build_weapon_offer(weapon) for weapon in weapons]


def _list_foe_reaches(context: Asking, model: Model) -> list[int]:
    """Return the reach of every enemy that stands where the model can strike at all."""
    encounter = _find_encounter(context)
    own_square = square_of(encounter.model(model.id)) if encounter is not None else None
    if encounter is None or own_square is None:
        return []
    facing = facing_of(encounter.model(model.id))
    foe_squares = (square_of(row) for row in encounter.models() if row.side != model.side)
    foe_reaches = (reach(own_square, facing, square) for square in foe_squares if square is not None)
    return [distance for distance in foe_reaches if distance is not None]


def _reaches(weapon: Weapon | None, foe_distance: int) -> bool:
    """Return whether a weapon, None for bare hands, reaches an enemy; area weapons always do."""
    return foe_distance <= 1 if weapon is None else bool(weapon.area) or foe_distance <= weapon.reach


def _build_weapon_offer(weapon: Weapon | None) -> Offer:
    if weapon is None:
        return Offer(HANDS, HANDS)
    return Offer(weapon.name, weapon.name, f"Reach {weapon.reach}, Power {weapon.power}")


def helpers(held_model_field: str) -> Names:
    """Return suggestions of models that may help the one in the field `held_model_field` in a grapple.

    Rules: SU-GRAP-02.
    """

    def list_offers(context: Asking) -> Sequence[Offer]:
        encounter, model = _find_encounter(context), _model_in_field(context, held_model_field)
        rows = friend_rows(context) if encounter is not None else []
        if encounter is None or model is None:
            return models_offered(context, rows)
        board = board_of(encounter)
        adjacent_rows = [
            row for row in rows if is_allowed(check_helpers, board, model, model, (model_of(encounter, row),))
        ]
        return models_offered(context, adjacent_rows)

    return list_offers


def list_carried_things(context: Asking) -> Sequence[str]:
    """Return what the target carries and still has."""
    model = _model_in_field(context, "target")
    return [name for name, health in model.carried() if health] if model else []


def list_value_keys(context: Asking) -> Sequence[str]:
    """Return locations of the model, and what it carries."""
    model = _model_in_field(context, "model")
    if model is None:
        return []
    keys = [key for key in model.profile.grid.keys if key != "arsenal"]
    return [*keys, *(name for name, _ in model.carried())]


def list_objects(context: Asking) -> Sequence[ThingRow]:
    """Return objects and Artifacts on the board."""
    encounter = _find_encounter(context)
    if encounter is None:
        return []
    return [row for kind in (OBJECT, ARTIFACT) for row in thing_rows(encounter, kind)]


def offer_standing_models(context: Asking) -> Sequence[Offer]:
    """Return models on the board as targets, enemies of the acting model first."""
    encounter = _find_encounter(context)
    if encounter is None or not has_board(encounter):
        return []
    placed_ids = {piece.id for piece in board_of(encounter).pieces}
    rows = [row for row in encounter.models() if row.id in placed_ids]
    accepted_words = {word for row in rows for word in (row.name, str(reference_by_number(row.id)))}
    return [offer for offer in foe(context) if offer.value in accepted_words]


def any_target(context: Asking) -> Sequence[Offer]:
    """Suggest enemies, objects and Artifacts; friends follow only while a name is typed."""
    encounter = _find_encounter(context)
    if encounter is None:
        return []
    own_sides = friendly(context)
    friend_names = {row.name for row in encounter.models() if row.side in own_sides}
    model_offers = offer_standing_models(context)
    enemy_offers = [offer for offer in model_offers if offer.label not in friend_names]
    friend_offers = [offer for offer in model_offers if offer.label in friend_names] if context.typed else []
    return [*enemy_offers, *(Offer(row.name, row.name) for row in list_objects(context)), *friend_offers]


def offer_models_to_place(context: Asking) -> Sequence[Offer]:
    """Suggest models in play, the asker's first, and of those the ones that are not placed yet."""
    encounter = _find_encounter(context)
    if encounter is None:
        return []
    rows = sorted(
        own_first(context), key=lambda row: (_belongs_to_others(context, row), square_of(row) is not None)
    )
    return models_offered(context, rows)


def _belongs_to_others(context: Asking, row: ModelRow) -> bool:
    return not context.act.plays_on(row.side)


def offer_edge_squares(context: Asking) -> Sequence[Offer]:
    """Return the typed square, or free ones of the model's own edge (south for the first side), spread
    out.
    """
    model, encounter = _model_in_field(context, "model"), _find_encounter(context)
    if is_square(context.typed):
        return [Offer(context.typed, context.typed)]
    if encounter is None or model is None or not has_board(encounter):
        return []
    board = board_of(encounter)
    is_south = encounter.sides()[0].id == model.side
    edge_rows = (
        range(min(2, board.height)) if is_south else range(board.height - 1, max(-1, board.height - 3), -1)
    )
    occupied_squares = {*board.walls()} | {piece.square for piece in board.pieces}
    own_squares = {square for row in encounter.models(model.side) if (square := square_of(row)) is not None}

    def rank(square: Point) -> tuple[int, int, int]:
        is_crowded = any(abs(square[0] - x) < MIN_COLUMN_GAP for x, _ in own_squares)
        return (is_crowded, abs(2 * square[0] - board.width), abs(square[1] - edge_rows[-1]))

    free_squares = [(x, y) for y in edge_rows for x in range(board.width) if (x, y) not in occupied_squares]
    return [Offer(at(square), at(square)) for square in sorted(free_squares, key=rank)[:MAX_CHOICES]]


def list_look_targets(context: Asking) -> Sequence[str]:
    """Return the models on the board to look at, enemies first, and facings."""
    encounter, model = _find_encounter(context), _model_in_field(context, "model")
    if encounter is None:
        return []
    own_id = model.id if model is not None else 0
    own_sides = friendly(context)
    placed_rows = [row for row in encounter.models() if row.id != own_id and square_of(row) is not None]
    other_rows = sorted(placed_rows, key=lambda row: row.side in own_sides)
    return [*(row.name for row in other_rows), *FACING_WORDS.values()]


def list_turn_targets(context: Asking) -> Sequence[str]:
    """Return the same, without the direction that the model already faces."""
    encounter, model = _find_encounter(context), _model_in_field(context, "model")
    row = encounter.model(model.id) if encounter is not None and model is not None else None
    model_square = square_of(row) if row is not None else None
    if encounter is None or row is None or model_square is None:
        return list_look_targets(context)
    facing = facing_of(row)
    names_ahead = {
        other.name
        for other in encounter.models()
        if (square := square_of(other)) is not None and facing_towards(model_square, square) == facing
    }
    return [
        word
        for word in list_look_targets(context)
        if word not in names_ahead and word != FACING_WORDS[facing]
    ]


def own_square(context: Asking) -> Sequence[Offer]:
    """Return the typed path, or squares that the model can move to, those nearest to an enemy first."""
    model, encounter = _model_in_field(context, "model"), _find_encounter(context)
    typed_squares = split_path(context.typed)
    if typed_squares and all(map(is_square, typed_squares)):
        return [Offer(context.typed, context.typed)]
    start = square_of(encounter.model(model.id)) if encounter is not None and model is not None else None
    if encounter is None or model is None or start is None:
        return []
    settings = settings_of(encounter)
    points = speed_left(model, clock_of(encounter), settings)
    costs = squares_in_speed(board_of(encounter), model.id, points, settings)
    foe_squares = {square_of(foe) for foe in encounter.models() if foe.side != model.side} - {None}

    def rank(square: Point) -> tuple[int, int]:
        distances = [max(abs(square[0] - foe[0]), abs(square[1] - foe[1])) for foe in foe_squares if foe]
        return (min(distances, default=0), costs[square])

    return [
        Offer(
            at(reachable_square),
            at(reachable_square),
            f"costs {format_speed_points(costs[reachable_square])}",
        )
        for reachable_square in sorted(costs, key=rank)
        if reachable_square != start
    ]
