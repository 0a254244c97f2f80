"""The house rules that an encounter of Frac'd Earth may choose, in words for players."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, Literal, get_args, get_origin, get_type_hints

from bot.table.encounter import ChosenSettings, played_by
from bot.table.setting import Setting, number
from rules.refusals import InvalidInput
from rules.systems.fracd_earth.cards import MAX_FORCE, MAX_VALUE, REINFORCES, Card, Cards
from rules.systems.fracd_earth.library import EdgeKind, EffectsTable
from rules.systems.fracd_earth.settings import DEFAULTS, Settings
from rules.systems.fracd_earth.weapons import SEVERITIES

DECK_SETTING, TABLE_SETTING = "deck", "effects"
"""Settings kept as JSON: changes to cards by their keys, changes to cells of the Effects Table."""

CARDS, TOKENS, OUTCOMES, COMBAT, MOVING = "Cards", "Push tokens", "Outcomes", "Combat", "Movement and turns"
CHALLENGE_SECTION = "Quick Start Rules 2, Challenge Procedure"
OUTCOME_SECTION = "Quick Start Rules 2, Challenge Outcomes"
COMBAT_SECTION = "Quick Start Rules 2, Combat Challenge"
AREA_SECTION = "Quick Start Rules 1, Area of Effect Attacks"

_COST_PREFIX = "edge_cost_"


def _edge_cost(kind: EdgeKind) -> Setting:
    costs = {1: ("1", "It costs 1 Edge."), 2: ("2", "It costs 2 Edges.")}
    return Setting(
        _COST_PREFIX + kind.key,
        f"Cost of {kind.name}",
        f"You can buy {kind.name} with Edges, but the rules don't give its cost.",
        (costs[kind.cost], costs[3 - kind.cost]),
        OUTCOMES,
        OUTCOME_SECTION,
    )


SETTINGS: tuple[Setting, ...] = (
    Setting(
        "ace_link",
        "Card linked to an Ace",
        "An Ace is worth 1 plus the value of a second card.",
        (
            ("buff_hand", "Draw the top card into your Buff Hand, then link a card from that hand."),
            ("top_card", "The top card of your Draw Deck is linked."),
        ),
        CARDS,
        CHALLENGE_SECTION,
    ),
    Setting(
        "empty_deck",
        "Empty Draw Deck",
        "A Draw Deck can run out.",
        (("reshuffle", "Shuffle the discards into a new deck."), ("stop", "Nothing more can be drawn.")),
        CARDS,
    ),
    number(
        "buff_hand_size",
        "Size of the Buff Hand",
        "Each player holds a Buff Hand.",
        5,
        (0, 20),
        "Cards: {}.",
        group=CARDS,
        book=CHALLENGE_SECTION,
    ),
    Setting(
        "refill",
        "Refilling the Buff Hand",
        "Cards played from the Buff Hand are used up.",
        (("turn", "The hand is refilled each turn."), ("never", "The hand is never refilled.")),
        CARDS,
    ),
    Setting(
        "penalty_hand",
        "Penalty hands",
        "A figure with more penalties than bonuses draws a penalty hand.",
        (
            ("lowest", "Draw more cards and use the lowest."),
            ("opponent_picks", "Draw more cards, and the opponent picks one of them."),
            ("fewer", "Draw 1 card."),
        ),
        CARDS,
        CHALLENGE_SECTION,
    ),
    number(
        "push_tokens",
        "Push tokens for a crew",
        "A Push token buys one more card in a Challenge or Check.",
        10,
        (0, 99),
        "Tokens: {}.",
        group=TOKENS,
        book=CHALLENGE_SECTION,
    ),
    number(
        "underdog_pushes",
        "Push tokens for the underdog",
        "The crew with the lower build total gets more Push tokens.",
        1,
        (0, 99),
        "Extra tokens: {}.",
        group=TOKENS,
    ),
    Setting(
        "tie_rule",
        "Ties in an attack",
        "Attacker and defender may have equal totals.",
        (
            ("partial_hit", "The attack hits, one Severity column lower."),
            ("defender_wins", "The attack misses."),
        ),
        OUTCOMES,
        OUTCOME_SECTION,
    ),
    Setting(
        "two_edges_keep_hit",
        "Effects that cost two Edges",
        "An effect that costs two Edges can be paid for with the hit and one Edge.",
        (
            ("yes", "It can also be paid for with two Edges, and the hit stays."),
            ("no", "It always replaces the hit."),
        ),
        OUTCOMES,
        OUTCOME_SECTION,
    ),
    Setting(
        "effect_shift",
        "Effect shifts",
        "Focused attacks and some abilities shift the result on the Effects Table.",
        (
            ("row", "One level higher for each shift."),
            ("column_right", "One column to the right for each shift."),
        ),
        OUTCOMES,
    ),
    Setting(
        "vl_underflow",
        "Shifts beyond the Effects Table",
        "A shift to the left may go beyond column VL.",
        (("clamp", "The result stays in column VL."), ("no_effect", "The attack has no effect.")),
        OUTCOMES,
    ),
    *map(_edge_cost, DEFAULTS.edges),
    Setting(
        "crew_stacking",
        "Several effects of one kind",
        "A figure's Crew Card may give several effects of the same kind.",
        (("best_of_kind", "Only the best counts."), ("all", "They all count.")),
        COMBAT,
        COMBAT_SECTION,
    ),
    Setting(
        "size_mod",
        "Difference in size",
        "A smaller defender is harder to hit, and a larger one is easier to hit.",
        (
            ("trait", "The difference changes the defender's trait."),
            ("cards", "The difference changes how many cards are drawn."),
        ),
        COMBAT,
        COMBAT_SECTION,
    ),
    Setting(
        "easy_target",
        "Easy Target",
        "Prone, outreached or blindsided defenders in a Fight are Easy Targets.",
        (
            ("attacker_bonus", "The attacker gets one bonus card, however many reasons there are."),
            ("per_reason", "The attacker gets one bonus card for each reason."),
            ("defender_penalty", "The defender gets one penalty card."),
        ),
        COMBAT,
        COMBAT_SECTION,
    ),
    Setting(
        "aoe_hit_at",
        "Hitting a point on the ground",
        "An area attack makes a Check against the point it aims at.",
        (("11", "It hits on 11 or more."), ("12", "It hits on 12 or more.")),
        COMBAT,
        AREA_SECTION,
    ),
    Setting(
        "scatter_range",
        "Limit on scatter",
        "An area attack that misses scatters, but only up to a limit.",
        (("to_point", "Half the distance to the target point."), ("weapon", "Half the weapon's range.")),
        COMBAT,
        "Quick Start Rules 1, Attack Scatter",
    ),
    Setting(
        "half_move_standard",
        "Half of a standard Move",
        "Standing up and similar actions leave half a Move. The rules say that this is 6 inches.",
        (("3", "Half a standard Move is 3 inches."), ("6", "Half a standard Move is 6 inches.")),
        MOVING,
        "Quick Start Rules 1, Movement and Terrain",
    ),
    Setting(
        "initiative",
        "When initiative is drawn",
        "Players draw cards to see who has priority.",
        (("turn", "Once each turn."), ("activation", "For every activation.")),
        MOVING,
    ),
)
"""Every setting, grouped; the defaults are those of the rules package."""

_KEYS = frozenset(setting.key for setting in SETTINGS)
_TYPE_HINTS = get_type_hints(Settings)


@played_by
def settings_of(changed: ChosenSettings) -> Settings:
    """Return the settings of this encounter. Raises InvalidInput if they do not fit together."""
    values: dict[str, Any] = {}
    costs: dict[str, int] = {}
    for key, value in changed:
        if key.startswith(_COST_PREFIX):
            costs[key.removeprefix(_COST_PREFIX)] = int(value)
        elif key == DECK_SETTING:
            values["deck"] = apply_deck_changes(json.loads(value))
        elif key == TABLE_SETTING:
            values["effects"] = apply_table_changes(json.loads(value))
        elif key == "morph":
            values["morph"] = value
        elif key in _KEYS:
            values[key] = _typed_value(key, value)
    edges = tuple(_with_cost(kind, costs) for kind in DEFAULTS.edges)
    return replace(DEFAULTS, edges=edges, **values)


def _typed_value(key: str, value: str) -> object:
    hint = _TYPE_HINTS[key]
    if hint is bool:
        return value == "yes"
    if hint is int:
        return int(value)
    if get_origin(hint) is Literal:
        return next(option for option in get_args(hint) if str(option) == value)
    return value


def _with_cost(kind: EdgeKind, costs: dict[str, int]) -> EdgeKind:
    return replace(kind, cost=costs.get(kind.key, kind.cost))


def apply_deck_changes(changes: dict[str, dict[str, Any]]) -> Cards:
    """Return the standard deck with fields of some cards changed, by the cards' keys. Raises InvalidInput."""
    return tuple(_change_card(card, changes.get(card.key, {})) for card in DEFAULTS.deck)


def _change_card(card: Card, fields: dict[str, Any]) -> Card:
    changed_card = replace(card, **fields)
    if not 0 <= changed_card.value <= MAX_VALUE or not 0 <= changed_card.force <= MAX_FORCE:
        raise InvalidInput(
            f"A card's value must be between 0 and {MAX_VALUE}, and its Force between 0 and {MAX_FORCE}."
        )
    if changed_card.reinforces not in REINFORCES:
        raise InvalidInput("A card can reinforce higher cards, lower cards or none.")
    if card.link and changed_card.value != card.value:
        raise InvalidInput(
            "Leave the value of Aces at 1. An Ace counts as 1 plus the value of the card linked to it."
        )
    return changed_card


def apply_table_changes(changes: dict[str, Any]) -> EffectsTable:
    """Return the Effects Table with changed cells, such as "2 M". Raises InvalidInput."""
    table = DEFAULTS.effects
    damage = [list(row) for row in table.damage]
    conditions = [list(row) for row in table.conditions]
    for cell, (points, kinds) in changes.items():
        level, column = cell.split()
        row, place = int(level) - 1, SEVERITIES.index(next(name for name in SEVERITIES if name == column))
        damage[row][place] = int(points)
        conditions[row][place] = tuple((str(kind), int(grade)) for kind, grade in kinds)
    return replace(
        table, damage=tuple(tuple(row) for row in damage), conditions=tuple(tuple(row) for row in conditions)
    )
