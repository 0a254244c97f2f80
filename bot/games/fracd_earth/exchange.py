"""The Challenge or Check under way, and those that are due after it.

Owns two rows: "exchange" is the public part, "due" is what is to come. The players' hidden parts are split
off into their own rows when it is kept and joined again when it is read, so that no row but a player's own
holds that player's cards.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from bot.games.fracd_earth.players import NO_CHOICES, deck_of, hidden_values_of, keep_hidden, player_rows
from bot.games.fracd_earth.settings import settings_of
from bot.store.rows import SecretRow
from bot.table.answering import Answered
from bot.table.encounter import Encounter, EncounterView
from rules.refusals import Forbidden, InvalidInput
from rules.sections import format_rulebook_line
from rules.systems.fracd_earth import challenge as challenges
from rules.systems.fracd_earth import seat as seats
from rules.systems.fracd_earth import store
from rules.systems.fracd_earth.challenge import Challenge
from rules.systems.fracd_earth.checks import Check
from rules.systems.fracd_earth.seat import Seat

EXCHANGE, DUE = "exchange", "due"

Facts = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Exchange:
    """What is being resolved. kind: attack, protect, check ...; facts: what was declared, public.

    state: None before the defender has answered. stage: "cards" while the Challenge or Check runs, then what
    is to be decided; waits: the players whose answer that needs. entry: the journal's number of the last
    step, from which the time runs, and which its buttons carry; id: that of the first.
    """

    kind: str
    facts: Facts
    state: Challenge | Check | None = None
    stage: str = "cards"
    waits: tuple[int, ...] = ()
    id: int = 0
    entry: int = 0

    @property
    def challenge(self) -> Challenge:
        """Return the Challenge. Raises InvalidInput where it is none."""
        if not isinstance(self.state, Challenge):
            raise InvalidInput("Attack first. No Challenge is in progress.")
        return self.state

    @property
    def check(self) -> Check:
        """Return the Check. Raises InvalidInput where it is none."""
        if not isinstance(self.state, Check):
            raise InvalidInput("Make a Check first. None is in progress.")
        return self.state

    @property
    def players(self) -> tuple[int, ...]:
        """Return the players with cards in it, the active one first."""
        match self.state:
            case Challenge():
                return self.state.active.entry.player, self.state.reactive.entry.player
            case Check():
                return (self.state.seat.entry.player,)
        return ()

    def seat_of(self, number: int) -> Seat | None:
        """Return a player's part, None for others."""
        match self.state:
            case Challenge():
                seats = (self.state.active, self.state.reactive)
                return next((seat for seat in seats if seat.entry.player == number), None)
            case Check() if self.state.seat.entry.player == number:
                return self.state.seat
        return None


def _row(encounter: EncounterView, kind: str) -> SecretRow | None:
    return next((row for row in encounter.book.all(SecretRow) if row.kind == kind), None)


def _store_facts(encounter: Encounter, kind: str, value: object) -> None:
    row = _row(encounter, kind)
    if row is None:
        number = encounter.book.next_id(SecretRow)
        row = encounter.book.add(SecretRow(encounter.book.scope, number, 0, 0, kind, ""))
    row.content = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def save_exchange(encounter: Encounter, exchange: Exchange) -> None:
    """Store an exchange; each player's cards go into their own row."""
    stored_facts: Facts = {
        name: getattr(exchange, name) for name in ("kind", "facts", "stage", "waits", "id", "entry")
    }
    if exchange.state is not None:
        state = json.loads(store.write(exchange.state))
        for name in ("active", "reactive", "seat"):
            if name in state:
                keep_hidden(encounter, state[name]["entry"]["player"], state[name].pop("hidden"))
        stored_facts["state"] = state
    _store_facts(encounter, EXCHANGE, stored_facts)


def find_exchange(encounter: EncounterView) -> Exchange | None:
    """Return the Challenge or Check that is being resolved, or None; it is read only once."""
    return encounter.worked_out(find_exchange, lambda: _read(encounter))


def _read(encounter: EncounterView) -> Exchange | None:
    row = _row(encounter, EXCHANGE)
    if row is None:
        return None
    stored_facts = json.loads(row.content)
    stored_facts["waits"] = tuple(stored_facts["waits"])
    state = stored_facts.pop("state", None)
    parsed_state: Challenge | Check | None = None
    if state is not None:
        for name in ("active", "reactive", "seat"):
            if name in state:
                hidden_values = hidden_values_of(encounter, state[name]["entry"]["player"])
                state[name]["hidden"] = {part: hidden_values[part] for part in ("deck", *NO_CHOICES)}
        text = json.dumps(state)
        parsed_state = store.read(Challenge, text) if "active" in state else store.read(Check, text)
    return Exchange(**stored_facts, state=parsed_state)


def list_turned_up_players(before: Encounter, now: Encounter) -> list[SecretRow]:
    """Return the players of whose cards some came to lie face up between two states of a game."""
    exchange_before, exchange_now = find_exchange(before), find_exchange(now)
    same_exchange = (
        exchange_now
        if exchange_before is not None and exchange_now is not None and exchange_before.id == exchange_now.id
        else None
    )
    remaining_ids, turned_up = {row.id for row in player_rows(now)}, []
    for row in player_rows(before):
        if row.id not in remaining_ids:
            continue
        old_deck, new_deck = deck_of(before, row.id), deck_of(now, row.id)
        known_cards = {
            *_list_face_up(exchange_before, row.id),
            *old_deck.discards,
            *old_deck.draw_hand,
            *old_deck.played,
        }
        newly_known = {*_list_face_up(exchange_now, row.id), *new_deck.discards} - known_cards
        if newly_known or _list_face_down_steps(exchange_before, row.id) - _list_face_down_steps(
            same_exchange, row.id
        ):
            turned_up.append(row)
    return turned_up


def _list_face_up(exchange: Exchange | None, number: int) -> tuple[int, ...]:
    seat = exchange.seat_of(number) if exchange is not None else None
    return (*seat.shown.active.cards, *seat.shown.morphed) if seat is not None else ()


def _list_face_down_steps(exchange: Exchange | None, number: int) -> set[str]:
    """Return the steps at whose end a card of this player is turned up that lies face down."""
    seat = exchange.seat_of(number) if exchange is not None else None
    if exchange is None or exchange.state is None or seat is None:
        return set()
    face_down_by_step = {
        "draw": seat.shown.ready,
        "buff": seat.shown.buff == "placed",
        "push": seat.shown.push == "placed",
    }
    return {
        step
        for step, is_face_down in face_down_by_step.items()
        if is_face_down and step == exchange.state.step
    }


def require_current(encounter: Encounter, exchange_id: int = 0, step: int = 0) -> Exchange:
    """Return what is being resolved. at: which one; step: its last step when the button was shown.

    Raises InvalidInput where it is over, or has gone on since. Other events at the table don't matter, for
    example if someone joins or changes how dice are thrown.
    """
    exchange = find_exchange(encounter)
    if exchange_id and (exchange is None or exchange_id != exchange.id):
        raise Answered("That Challenge or Check is already over, so nothing was changed.")
    if exchange is None:
        raise InvalidInput("Attack or make a Check first. No Challenge or Check is in progress.")
    if step and step != exchange.entry:
        raise Answered(
            "Nothing was changed, because the game has moved on since this was shown."
            " Use /fe now to see what is in progress."
        )
    return exchange


FINISH_FIRST = "Finish the current Challenge or Check first (use /fe now to see it)."
"""The refusal for anything that has to wait until the exchange is over."""


def refuse_while_busy(encounter: EncounterView) -> None:
    """Raise Forbidden while something is being resolved: every step is finished first. Rules: FE-CHAL-01."""
    exchange = find_exchange(encounter)
    if exchange is not None:
        raise InvalidInput(FINISH_FIRST)


def close(encounter: Encounter, exchange: Exchange) -> None:
    """Discard all cards used, once everything is resolved. Rules: FE-CHAL-08, FE-CHK-06."""
    for number in exchange.players:
        seat = exchange.seat_of(number)
        assert seat is not None, "it is one of its players"
        deck = seats.finish(seat).hidden.deck
        keep_hidden(encounter, number, {"deck": json.loads(store.write(deck)), **NO_CHOICES})
    drop(encounter)


def drop(encounter: Encounter) -> None:
    """Forget what was under way; cards stay as they are kept."""
    row = _row(encounter, EXCHANGE)
    if row is not None:
        encounter.book.remove(row)


def awaited_players(encounter: Encounter, exchange: Exchange) -> tuple[int, ...]:
    """Return the players who have to act now."""
    if exchange.stage != "cards" or exchange.state is None:
        return exchange.waits
    settings = settings_of(encounter)
    if isinstance(exchange.state, Check):
        check = exchange.state
        checker = check.seat.entry.player
        if check.step == "draw" and not seats.picks_own(check.seat, settings):
            return exchange.waits
        return (checker,)
    challenge = exchange.state
    linking_role = challenges.linker(challenge, settings)
    if linking_role is not None:
        return (challenge.seat(linking_role).entry.player,)
    if challenge.turn is not None and challenge.step in ("buff", "push"):
        return (challenge.seat(challenge.turn).entry.player,)
    awaited = []
    for role in ("active", "reactive"):
        seat = challenge.seat(role)
        must_pick = not seat.shown.ready and seats.picks_own(seat, settings)
        if must_pick or challenges.picks_for_opponent(challenge, role, settings):
            awaited.append(seat.entry.player)
    return tuple(awaited)


# ------------------------------------------------------------------------------------ what is due


def read_due(encounter: Encounter) -> list[Facts]:
    """Return what is to be resolved next, in order: each with its kind."""
    row = _row(encounter, DUE)
    return list(json.loads(row.content)) if row else []


def owe(encounter: Encounter, dues: list[Facts]) -> None:
    """Store what is to be resolved next."""
    row = _row(encounter, DUE)
    if dues:
        _store_facts(encounter, DUE, dues)
    elif row is not None:
        encounter.book.remove(row)


def as_invalid(error: Forbidden) -> InvalidInput:
    """Refuse about cards, which no organiser overrides: cards that are not there cannot be played."""
    return InvalidInput(
        f"{error.sentence}\n{format_rulebook_line(error.rule)}" if error.rule else error.sentence
    )
