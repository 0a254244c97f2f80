"""Frac'd Earth's readings: which of several readings of its text a table plays by.

Owns the frozen `Settings`; every default is the reading that the ledger rules. It decides nothing itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from rules.refusals import InvalidInput
from rules.systems.fracd_earth.cards import Cards
from rules.systems.fracd_earth.library import (
    EdgeKind,
    EffectsTable,
    standard_cards,
    standard_edges,
    standard_effects,
)


@dataclass(frozen=True, slots=True)
class Settings:
    """The house readings of one encounter.

    Cards: `deck` is the make-up of each player's deck (FE-DECK-02); `ace_link` says where the card linked to
    an Ace comes from (FE-DECK-03); `empty_deck` what an empty Draw Deck does (FE-DECK-11); `buff_hand_size`
    and `refill` when the Buff Hand is filled up (FE-HAND-01); `push_tokens` a crew's pool (FE-HAND-03);
    `underdog_pushes` the weaker crew's bonus (FE-CREW-03); `penalty_hand` how a penalty hand is played
    (FE-DRAW-03); `morph` names what a Morph does (FE-CHAL-09).

    Outcomes: `tie_rule` for attacks on equal totals (FE-OUT-01, FE-DEF-03); `edges` is the list with its
    costs (FE-OUT-08); `two_edges_keep_hit` lets two Edges pay a two-Edge effect beside the hit (FE-OUT-09);
    `effects` is the Effects Table (FE-PRO-06); `effect_shift` what one Effect shift moves (FE-PRO-04);
    `vl_underflow` what lies left of VL (FE-PRO-05).

    Modifiers: `crew_stacking` for effects of the Crew Card (FE-MOD-03); `size_mod` (FE-CMB-01); `easy_target`
    (FE-CMB-08).

    Areas and movement: `aoe_hit_at` is the total that hits the point (FE-AOE-05); `scatter_range` which range
    is halved (FE-AOE-07); `half_move_standard` the inches of half a standard Move of 6 (FE-MOV-05).

    Turn: `initiative` is drawn for each turn, or for each activation (FE-TURN-01).
    """

    deck: Cards = field(default_factory=standard_cards)
    ace_link: Literal["buff_hand", "top_card"] = "buff_hand"
    empty_deck: Literal["reshuffle", "stop"] = "reshuffle"
    buff_hand_size: int = 5
    refill: Literal["turn", "never"] = "turn"
    push_tokens: int = 10
    underdog_pushes: int = 1
    penalty_hand: Literal["lowest", "opponent_picks", "fewer"] = "lowest"
    morph: str = ""

    tie_rule: Literal["partial_hit", "defender_wins"] = "partial_hit"
    edges: tuple[EdgeKind, ...] = field(default_factory=standard_edges)
    two_edges_keep_hit: bool = True
    effects: EffectsTable = field(default_factory=standard_effects)
    effect_shift: Literal["row", "column_right"] = "row"
    vl_underflow: Literal["clamp", "no_effect"] = "clamp"

    crew_stacking: Literal["best_of_kind", "all"] = "best_of_kind"
    size_mod: Literal["trait", "cards"] = "trait"
    easy_target: Literal["attacker_bonus", "per_reason", "defender_penalty"] = "attacker_bonus"

    aoe_hit_at: Literal[11, 12] = 11
    scatter_range: Literal["to_point", "weapon"] = "to_point"
    half_move_standard: Literal[3, 6] = 3

    initiative: Literal["turn", "activation"] = "turn"

    def __post_init__(self) -> None:
        if not 0 <= self.buff_hand_size <= 20:
            raise InvalidInput(f"A Buff Hand must have 0 to 20 cards (you entered {self.buff_hand_size}).")
        if not 0 <= self.push_tokens <= 99:
            raise InvalidInput(f"A crew must have 0 to 99 Push tokens (you entered {self.push_tokens}).")
        if not 0 <= self.underdog_pushes <= 99:
            raise InvalidInput(
                f"The underdog must get 0 to 99 Push tokens (you entered {self.underdog_pushes})."
            )
        if len(self.deck) < self.buff_hand_size + 5:
            raise InvalidInput("The deck is too small. It must fill a Buff Hand and leave five more cards.")
        if len(self.morph) > 200:
            raise InvalidInput("Describe a Morph in at most 200 characters.")


DEFAULTS = Settings()
"""The ledger's readings."""
