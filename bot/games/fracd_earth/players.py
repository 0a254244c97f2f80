"""Decks: one for each player in a secret row; initiative is drawn from it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from bot.games.fracd_earth.figures import figure_of, profile_of
from bot.games.fracd_earth.settings import settings_of
from bot.games.fracd_earth.state import SideState, encounter_state
from bot.store.rows import ModelRow, SecretRow
from bot.table.act import Act, ActView
from bot.table.encounter import Encounter, EncounterView
from bot.table.luck.outcome_values import register_value
from bot.table.throw_purposes import Whose
from rules.refusals import InvalidInput
from rules.systems.fracd_earth import deck as decks
from rules.systems.fracd_earth import store, turns
from rules.systems.fracd_earth.deck import Deck, cards_drawn, top_card
from rules.systems.fracd_earth.settings import Settings
from rules.systems.fracd_earth.turns import push_tokens
from rules.wording import possessive

CARDS_KIND = "cards"
"""Kind of the secret rows that hold a player's cards."""


NO_CHOICES = {"selected": None, "buff": None, "push": None}
"""A player's secret choices outside of a Challenge."""


def player_rows(encounter: EncounterView) -> list[SecretRow]:
    """Return the rows of all players, in order."""
    return [row for row in encounter.book.all(SecretRow) if row.kind == CARDS_KIND]


def player(encounter: EncounterView, number: int) -> SecretRow:
    """Return the row of one player. Raises InvalidInput."""
    secret_row = next((row for row in player_rows(encounter) if row.id == number), None)
    if secret_row is None:
        raise InvalidInput("Pick a player in this game.")
    return secret_row


def holder(encounter: EncounterView, row: SecretRow) -> int:
    """Return the person who holds these cards now: the one they were dealt to while that person plays
    the side, else its captain, or the owner of its figures if no one has taken it.
    """
    seats = [seat for seat in encounter.seats() if seat.side == row.side and seat.role != "spectator"]
    if any(seat.user_id == row.owner_id for seat in seats):
        return row.owner_id
    if seats:
        return next((seat.user_id for seat in seats if seat.role == "captain"), seats[0].user_id)
    owners = [model.owner_id for model in encounter.models(row.side, gone=True)]
    return row.owner_id if row.owner_id in owners or not owners else owners[0]


def rows_held_by(act: Act) -> list[SecretRow]:
    """Return the players whose cards the person who asks holds."""
    encounter = act.encounter
    return [row for row in player_rows(encounter) if holder(encounter, row) == act.actor.user_id]


def sides_open_to(act: Act) -> set[int]:
    """Return the sides whose secrets the asker may read: those of the cards that the asker holds; before
    any are dealt, those whose captain the person is or whose figures the person owns.
    """
    encounter, user = act.encounter, act.actor.user_id
    if player_rows(encounter):
        return {row.side for row in rows_held_by(act)}
    captained_sides = {
        seat.side for seat in encounter.seats() if seat.user_id == user and seat.role == "captain"
    }
    return captained_sides | {model.side for model in encounter.models(gone=True) if model.owner_id == user}


def require_holder(act: ActView, number: int) -> SecretRow:
    """Return a player's row. Raises InvalidInput for everyone but the holder, also with an override."""
    row = player(act.encounter, number)
    if holder(act.encounter, row) != act.actor.user_id:
        raise InvalidInput("You can't use those cards, because they are not yours.")
    return row


def name_of(encounter: Encounter, number: int) -> str:
    """Return a player's name: the person's, and the side's where the person plays several."""
    row = player(encounter, number)
    user = holder(encounter, row)
    person = next((seat.name for seat in encounter.seats() if seat.user_id == user), "")
    plays_several = sum(holder(encounter, other) == user for other in player_rows(encounter)) > 1
    side = encounter.side(row.side).name
    if not person:
        return side
    return f"{person} ({side})" if plays_several else person


def player_of(encounter: EncounterView, model: ModelRow) -> int:
    """Return the player of a figure: who owns it, else the first of its side. Raises InvalidInput."""
    side_rows = [row for row in player_rows(encounter) if row.side == model.side]
    if not side_rows:
        raise InvalidInput("Begin the game first (/encounter next). No cards have been dealt yet.")
    own_rows = [row for row in side_rows if holder(encounter, row) == model.owner_id]
    return (own_rows or side_rows)[0].id


# ------------------------------------------------------------------------------------ the cards


def pushes_of(encounter: EncounterView, side: int) -> int:
    """Return a crew's remaining Push tokens, which are public. Rules: FE-HAND-03."""
    return SideState(encounter.side(side)).push_tokens


def hidden_values_of(encounter: EncounterView, number: int) -> dict[str, Any]:
    """Return a player's stored cards and secret choices; the Push tokens are those of the crew."""
    row = player(encounter, number)
    hidden_values: dict[str, Any] = json.loads(row.content)
    hidden_values["deck"]["pushes"] = pushes_of(encounter, row.side)
    return hidden_values


def keep_hidden(encounter: Encounter, number: int, hidden_values: dict[str, Any]) -> None:
    """Store a player's cards and choices."""
    row = player(encounter, number)
    row.content = json.dumps(hidden_values, sort_keys=True, separators=(",", ":"))
    SideState(encounter.side(row.side)).push_tokens = int(hidden_values["deck"]["pushes"])


def deck_of(encounter: EncounterView, number: int) -> Deck:
    """Return a player's cards."""
    return store.read(Deck, json.dumps(hidden_values_of(encounter, number)["deck"]))


def keep_deck(encounter: Encounter, number: int, deck: Deck) -> None:
    """Store a player's cards with nothing chosen."""
    keep_hidden(encounter, number, {"deck": json.loads(store.write(deck)), **NO_CHOICES})


def reshuffle(act: Act, side: int) -> None:
    """Shuffle each Buff Hand of a side back into its deck, and deal as many cards. Raises InvalidInput."""
    encounter = act.encounter
    for row in player_rows(encounter):
        if row.side != side:
            continue
        deck = deck_of(encounter, row.id)
        if deck.draw_hand or deck.played:
            raise InvalidInput("Finish the current Challenge or Check first. There are cards on the table.")
        cards = (*deck.buff_hand, *deck.pile)
        shuffled_cards = tuple(cards[place] for place in act.dice.shuffle(len(cards), f"deck {row.id} again"))
        size = len(deck.buff_hand)
        keep_deck(
            encounter, row.id, replace(deck, pile=shuffled_cards[size:], buff_hand=shuffled_cards[:size])
        )


def shuffle_for(act: Act, deck: Deck, count: int) -> tuple[int, ...]:
    """Return a shuffle of the discards where the pile is too short for so many cards. Rules: FE-DECK-11."""
    missing_count = decks.shortfall(deck, count)
    if settings_of(act.encounter).empty_deck == "stop":
        return ()
    return act.dice.shuffle(missing_count, "discards") if missing_count else ()


# ------------------------------------------------------------------------------------ dealing


def deal(act: Act) -> list[str]:
    """Deal a shuffled deck to everyone who plays figures and has no cards, and Push tokens to new crews.
    Rules: FE-DECK-01, FE-HAND-01, FE-HAND-03, FE-CREW-03.
    """
    encounter = act.encounter
    settings = settings_of(encounter)
    if not player_rows(encounter):
        _give_tokens(encounter)
    new_players: list[int] = []
    for side in encounter.sides():
        holders = {holder(encounter, row) for row in player_rows(encounter) if row.side == side.id}
        owners = dict.fromkeys(model.owner_id for model in encounter.models(side.id))
        seated_users = {seat.user_id for seat in encounter.seats() if seat.side == side.id}
        for owner in owners:
            if owner in holders or (holders and owner not in seated_users):
                continue
            order = act.dice.shuffle(len(settings.deck), f"deck of {side.name}")
            deck = decks.start(order, settings, pushes_of(encounter, side.id))
            player_number = encounter.book.next_id(SecretRow)
            encounter.book.add(SecretRow(encounter.book.scope, player_number, owner, side.id, CARDS_KIND, ""))
            keep_deck(encounter, player_number, deck)
            holders.add(owner)
            new_players.append(player_number)
    return [name_of(encounter, player_number) for player_number in new_players]


def _give_tokens(encounter: Encounter) -> None:
    sides = encounter.sides()
    build_totals = tuple(
        min(9999, sum(profile_of(model.profile).build for model in encounter.models(side.id)))
        for side in sides
    )
    settings = settings_of(encounter)
    token_counts = push_tokens(build_totals, settings) if len(sides) > 1 else (settings.push_tokens,)
    for side, count in zip(sides, token_counts, strict=True):
        SideState(side).push_tokens = count


def report_seen_cards(before: Encounter, now: Encounter) -> Iterator[tuple[int, str]]:
    """Return each side whose player drew cards or shuffled between the two, in public words."""
    earlier_players = {row.id for row in player_rows(before)}
    for row in player_rows(now):
        if row.id not in earlier_players:
            continue
        old_pile, pile = deck_of(before, row.id).pile, deck_of(now, row.id).pile
        untouched_count = next(
            n for n in range(len(old_pile), -1, -1) if old_pile[len(old_pile) - n :] == pile[:n]
        )
        drawn_count = len(old_pile) - untouched_count
        if drawn_count:
            top_words = "the next card" if drawn_count == 1 else f"the next {drawn_count} cards"
            yield row.side, f"{name_of(now, row.id)} has already seen {top_words} in their deck."
        elif old_pile != pile:
            yield row.side, f"{possessive(name_of(now, row.id))} deck was shuffled."


INITIATIVE_CARDS = "initiative"
"""Part of a player's hidden row: the cards drawn for initiative, until the figures act."""


def new_initiatives(before: Encounter, now: Encounter) -> list[SecretRow]:
    """Return the players who drew for initiative between two states of a game."""
    rows = {row.id: row for row in player_rows(before)}
    player_numbers = [row.id for row in player_rows(now) if row.id in rows]
    draws = [
        (
            rows[n],
            hidden_values_of(before, n).get(INITIATIVE_CARDS),
            hidden_values_of(now, n).get(INITIATIVE_CARDS),
        )
        for n in player_numbers
    ]
    return [row for row, old_cards, new_cards in draws if new_cards and new_cards != old_cards]


def _declared_value(encounter: Encounter, row: SecretRow) -> int:
    drawn_cards = tuple(hidden_values_of(encounter, row.id).get(INITIATIVE_CARDS, ()))
    return turns.declared(drawn_cards, settings_of(encounter)) if drawn_cards else -1


def draw_for_initiative(act: Act, row: SecretRow) -> None:
    """Draw for initiative; the cards stay secret, and only their value is announced. Rules: FE-TURN-01."""
    encounter, settings = act.encounter, settings_of(act.encounter)
    deck = deck_of(encounter, row.id)
    own_models = [model for model in encounter.models(row.side) if player_of(encounter, model) == row.id]
    count = turns.initiative_cards(
        turns.initiative_bonus((figure_of(encounter, model) for model in own_models), settings)
    )
    drawn_cards, deck = turns.draw_initiative(deck, count, settings, shuffle_for(act, deck, count))
    keep_deck(encounter, row.id, deck)
    keep_hidden(
        encounter, row.id, hidden_values_of(encounter, row.id) | {INITIATIVE_CARDS: list(drawn_cards)}
    )


def declared_values(encounter: Encounter) -> dict[int, int]:
    """Return the highest value that each side declares."""
    best_values: dict[int, int] = {}
    for row in player_rows(encounter):
        best_values[row.side] = max(best_values.get(row.side, -1), _declared_value(encounter, row))
    return best_values


def decide_initiative(act: Act, side_ids: Sequence[int]) -> tuple[int, list[str]]:
    """Return the side with the highest value among `side_ids`; equal ones draw again.

    Rules: FE-TURN-01.
    """
    encounter = act.encounter
    lines: list[str] = []
    for _ in range(20):
        values = {side: value for side, value in declared_values(encounter).items() if side in side_ids}
        sides = list(values)
        result = turns.priority(tuple(values.values()))
        lines.append(", ".join(f"{encounter.side(side).name} {value}" for side, value in values.items()))
        if result.winner is not None:
            return sides[result.winner], lines
        tied_sides = {sides[place] for place in result.tied}
        for row in player_rows(encounter):
            if row.side in tied_sides:
                draw_for_initiative(act, row)
    return sides[0], lines


def contest_initiative(act: Act, sides: Sequence[int]) -> tuple[int, list[str]]:
    """Draw for two sides; return the winner and the lines that announce it. Rules: FE-TURN-02."""
    for row in player_rows(act.encounter):
        if row.side in sides:
            draw_for_initiative(act, row)
    winner, lines = decide_initiative(act, sides)
    return winner, [f"Initiative: {line}" for line in lines]


def draw_initiative(act: Act, side_ids: Sequence[int]) -> list[str]:
    """Draw for each of these sides; the highest goes first. Rules: FE-TURN-01."""
    if len(side_ids) > 1:
        for row in player_rows(act.encounter):
            if row.side in side_ids:
                draw_for_initiative(act, row)
    return set_priority(act, side_ids)


def set_priority(act: Act, side_ids: Sequence[int]) -> list[str]:
    """Return which of these sides has priority, from what was drawn."""
    encounter = act.encounter
    winner, lines = decide_initiative(act, side_ids) if len(side_ids) > 1 else (side_ids[0], [])
    state = encounter_state(encounter)
    state.priority = state.to_act = winner
    return [f"Priority goes to {encounter.side(winner).name}.", *(f"Initiative: {line}" for line in lines)]


register_value(top_card, float)


def report_draw(act: Act, number: int, deck_before: Deck, hand: tuple[int, ...], settings: Settings) -> None:
    """Report to the listener which cards a player drew of all that were left."""
    purpose = Whose(act.encounter.side(player(act.encounter, number).side).name, "card", "")
    for remaining_cards, card in cards_drawn(deck_before, hand, settings):
        act.drew(purpose, top_card, card, remaining_cards)
