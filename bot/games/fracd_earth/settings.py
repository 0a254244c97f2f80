"""The readings that a table plays by: kept in the encounter's settings, made into the rules' `Settings`.

Owns the words for each reading, the changes to the deck's make-up and to the Effects Table. Decides nothing.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

from bot.table.encounter import ChosenSettings, played_by
from rules.refusals import InvalidInput
from rules.systems.fracd_earth.cards import MAX_FORCE, MAX_VALUE, REINFORCES, Card, Cards
from rules.systems.fracd_earth.library import EdgeKind, EffectsTable
from rules.systems.fracd_earth.settings import DEFAULTS, Settings
from rules.systems.fracd_earth.weapons import SEVERITIES

DECK, TABLE = "deck", "effects"
"""Settings kept as JSON: changes to cards by their keys, changes to cells of the Effects Table."""

DECIDES: dict[str, str] = {
    "ace_link": "Where an Ace's second card comes from (FE-DECK-03)",
    "empty_deck": "What an empty Draw Deck does (FE-DECK-11)",
    "buff_hand_size": "Cards of a Buff Hand (FE-HAND-01)",
    "refill": "When the Buff Hand is filled up (FE-HAND-01)",
    "push_tokens": "Push tokens of a crew (FE-HAND-03)",
    "underdog_pushes": "More of them for the underdog (FE-CREW-03)",
    "penalty_hand": "How a penalty hand is played (FE-DRAW-03)",
    "tie_rule": "An attack on equal totals (FE-OUT-01)",
    "two_edges_keep_hit": "Two Edges pay a two-Edge effect beside the hit (FE-OUT-09)",
    "effect_shift": "What one Effect shift moves (FE-PRO-04)",
    "vl_underflow": "What lies left of column VL (FE-PRO-05)",
    "crew_stacking": "Crew Card effects of one kind (FE-MOD-03)",
    "size_mod": "What the size difference changes (FE-CMB-01)",
    "easy_target": "What an Easy Target gives (FE-CMB-08)",
    "aoe_hit_at": "Total that hits the point of ground (FE-AOE-05)",
    "scatter_range": "Which range limits scatter (FE-AOE-07)",
    "half_move_standard": "Inches of half a standard Move (FE-MOV-05)",
    "initiative": "When initiative is drawn for (FE-TURN-01)",
}
"""What each reading decides, in a few words."""

NUMBERS = {"buff_hand_size": "0..20", "push_tokens": "0..99", "underdog_pushes": "0..99"}

_COST = "edge_cost_"

_HINTS = get_type_hints(Settings)


@cache
def setting_words() -> tuple[tuple[str, tuple[str, ...], str], ...]:
    """Every reading with its values, the default first, and what it decides."""
    found = [(key, _values(key), DECIDES[key]) for key in DECIDES]
    found += [
        (_COST + kind.key, (str(kind.cost), str(3 - kind.cost)), f"Edges that {kind.name} costs (FE-OUT-08)")
        for kind in DEFAULTS.edges
    ]
    return tuple(found)


def _values(key: str) -> tuple[str, ...]:
    default = getattr(DEFAULTS, key)
    if key in NUMBERS:
        return (str(default), NUMBERS[key])
    if isinstance(default, bool):
        return ("yes", "no") if default else ("no", "yes")
    rest = [value for value in get_args(_HINTS[key]) if value != default]
    return (str(default), *map(str, rest))


@played_by
def settings_of(given: ChosenSettings) -> Settings:
    """The readings of this encounter. Raises InvalidInput where they do not fit together."""
    chosen: dict[str, Any] = {}
    costs: dict[str, int] = {}
    for key, value in given:
        if key.startswith(_COST):
            costs[key.removeprefix(_COST)] = int(value)
        elif key == DECK:
            chosen["deck"] = changed_deck(json.loads(value))
        elif key == TABLE:
            chosen["effects"] = changed_table(json.loads(value))
        elif key == "morph":
            chosen["morph"] = value
        elif key in DECIDES:
            chosen[key] = _typed(key, value)
    edges = tuple(_priced(kind, costs) for kind in DEFAULTS.edges)
    return replace(DEFAULTS, edges=edges, **chosen)


def _typed(key: str, value: str) -> object:
    hint = _HINTS[key]
    if hint is bool:
        return value == "yes"
    if hint is int:
        return int(value)
    if get_origin(hint) is Literal:
        return next(each for each in get_args(hint) if str(each) == value)
    return value


def _priced(kind: EdgeKind, costs: dict[str, int]) -> EdgeKind:
    return replace(kind, cost=costs.get(kind.key, kind.cost))


def changed_deck(changes: dict[str, dict[str, Any]]) -> Cards:
    """The standard deck with fields of some cards changed, by the cards' keys. Raises InvalidInput."""
    return tuple(_changed(card, changes.get(card.key, {})) for card in DEFAULTS.deck)


def _changed(card: Card, fields: dict[str, Any]) -> Card:
    made = replace(card, **fields)
    if not 0 <= made.value <= MAX_VALUE or not 0 <= made.force <= MAX_FORCE:
        raise InvalidInput(f"A card's value is 0 to {MAX_VALUE}, its Force 0 to {MAX_FORCE}.")
    if made.reinforces not in REINFORCES:
        raise InvalidInput("A card reinforces higher or lower ones, or none.")
    if card.link and made.value != card.value:
        raise InvalidInput("An Ace stays worth 1 and its link.")
    return made


def changed_table(changes: dict[str, Any]) -> EffectsTable:
    """The Effects Table with cells changed: "2 M" gives points lost and conditions. Raises InvalidInput."""
    table = DEFAULTS.effects
    damage = [list(row) for row in table.damage]
    conditions = [list(row) for row in table.conditions]
    for cell, (points, kinds) in changes.items():
        level, column = cell.split()
        row, place = int(level) - 1, SEVERITIES.index(next(each for each in SEVERITIES if each == column))
        damage[row][place] = int(points)
        conditions[row][place] = tuple((str(kind), int(grade)) for kind, grade in kinds)
    return replace(
        table,
        damage=tuple(tuple(row) for row in damage),
        conditions=tuple(tuple(row) for row in conditions),
    )
