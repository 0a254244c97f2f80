"""Initiative: drawn from each player's own deck; the highest value goes first."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.fracd_earth.figures import PRIORITY, TO_ACT, figure_of
from bot.games.fracd_earth.players import (
    deck_of,
    hidden_of,
    keep_deck,
    keep_hidden,
    order_for,
    player_of,
    players,
)
from bot.games.fracd_earth.readings import settings_of
from bot.store.rows import SecretRow
from bot.table.act import Act
from bot.table.encounter import Encounter, set_counter
from rules.systems.fracd_earth import turns

DRAWN = "initiative"
"""Part of a player's hidden row: the cards drawn for initiative, until the figures act."""


def declared_anew(before: Encounter, now: Encounter) -> list[SecretRow]:
    """The players whose initiative was drawn and told between two states of a game."""
    rows = {row.id: row for row in players(before)}
    later = [row.id for row in players(now) if row.id in rows]
    both = [(rows[n], hidden_of(before, n).get(DRAWN), hidden_of(now, n).get(DRAWN)) for n in later]
    return [row for row, was, drawn in both if drawn and drawn != was]


def _declared(encounter: Encounter, row: SecretRow) -> int:
    drawn = tuple(hidden_of(encounter, row.id).get(DRAWN, ()))
    return turns.declared(drawn, settings_of(encounter)) if drawn else -1


def draw_one(act: Act, row: SecretRow) -> None:
    """A player draws for initiative; the cards are kept in secret, the value is told. Rules: FE-TURN-01."""
    encounter, settings = act.encounter, settings_of(act.encounter)
    deck = deck_of(encounter, row.id)
    own = [model for model in encounter.models(row.side) if player_of(encounter, model) == row.id]
    count = turns.initiative_cards(
        turns.initiative_bonus((figure_of(encounter, model) for model in own), settings)
    )
    drawn, deck = turns.draw_initiative(deck, count, settings, order_for(act, deck, count))
    keep_deck(encounter, row.id, deck)
    keep_hidden(encounter, row.id, hidden_of(encounter, row.id) | {DRAWN: list(drawn)})


def values_of(encounter: Encounter) -> dict[int, int]:
    """The highest value that each side declares."""
    best: dict[int, int] = {}
    for row in players(encounter):
        best[row.side] = max(best.get(row.side, -1), _declared(encounter, row))
    return best


def decide(act: Act, between: Sequence[int]) -> tuple[int, list[str]]:
    """The side with the highest value, of those between which it is; equal ones draw again.

    Rules: FE-TURN-01.
    """
    encounter = act.encounter
    lines: list[str] = []
    for _ in range(20):
        values = {side: value for side, value in values_of(encounter).items() if side in between}
        sides = list(values)
        found = turns.priority(tuple(values.values()))
        lines.append(", ".join(f"{encounter.side(side).name} {value}" for side, value in values.items()))
        if found.winner is not None:
            return sides[found.winner], lines
        tied = {sides[place] for place in found.tied}
        for row in players(encounter):
            if row.side in tied:
                draw_one(act, row)
    return sides[0], lines


def contest(act: Act, sides: Sequence[int]) -> tuple[int, list[str]]:
    """Two sides draw, the higher one wins; told in words. Rules: FE-TURN-02."""
    for row in players(act.encounter):
        if row.side in sides:
            draw_one(act, row)
    winner, lines = decide(act, sides)
    return winner, [f"Initiative: {line}" for line in lines]


def draw_initiative(act: Act, between: Sequence[int]) -> list[str]:
    """Everybody of these sides draws; the highest goes first. Rules: FE-TURN-01."""
    if len(between) > 1:
        for row in players(act.encounter):
            if row.side in between:
                draw_one(act, row)
    return told_of(act, between)


def told_of(act: Act, between: Sequence[int]) -> list[str]:
    """Who of these sides has priority, from what was drawn; in words."""
    encounter = act.encounter
    winner, lines = decide(act, between) if len(between) > 1 else (between[0], [])
    set_counter(encounter.row.counters, PRIORITY, winner)
    set_counter(encounter.row.counters, TO_ACT, winner)
    return [f"{encounter.side(winner).name} has priority.", *(f"Initiative: {line}" for line in lines)]
