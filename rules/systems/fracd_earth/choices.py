"""What one player may do now in a Challenge or Check: the choices that the own cards give.

Owns the frozen choices. They are made from the player's own cards and from what lies face up, so they are the
same whatever the other side holds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.refusals import Forbidden
from rules.systems.fracd_earth import seat as seats
from rules.systems.fracd_earth.cards import may_reinforce, named, worth
from rules.systems.fracd_earth.challenge import OTHER, Challenge, picks_for_opponent, role_of
from rules.systems.fracd_earth.checks import Check
from rules.systems.fracd_earth.seat import Buff, BuffKind, Seat
from rules.systems.fracd_earth.settings import Settings


@dataclass(frozen=True, slots=True)
class Option:
    """A Buff card that may be laid now. totals: one's own and the opponent's, were it turned up at once and
    nothing else; of a Check one's own and 0.
    """

    kind: BuffKind
    card: str
    totals: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Choices:
    """What a player may do in a Challenge; cards are keys of the deck. `selectable` are the draw cards that
    may be selected, of the opponent's hand where `picks_for_opponent`; `linkable` cards to link to an Ace;
    `options` Buff cards.
    """

    selectable: tuple[str, ...]
    picks_for_opponent: bool
    linkable: tuple[str, ...]
    options: tuple[Option, ...]


def choices(challenge: Challenge, player: int, settings: Settings) -> Choices:
    """What one of the two players may do. Raises Forbidden for anybody else.

    Rules: FE-CHAL-02, FE-DRAW-03, FE-HAND-02.
    """
    role = role_of(challenge, player)
    seat = challenge.seat(role)
    picking = picks_for_opponent(challenge, role, settings)
    picked_from = challenge.seat(OTHER[role]) if picking else seat
    may_pick = picking or seats.picks_own(seat, settings)
    mine = challenge.step == "buff" and challenge.turn == role
    options = buff_options(seat, settings, challenge.seat(OTHER[role])) if mine else ()
    return Choices(
        selectable=_keys(selectable(picked_from, settings), settings) if may_pick else (),
        picks_for_opponent=picking,
        linkable=_keys(seat.hidden.deck.buff_hand, settings) if seat.shown.linking else (),
        options=options,
    )


@dataclass(frozen=True, slots=True)
class CheckChoices:
    """What the checking player may do. `reinforcing` are draw cards that may reinforce now."""

    selectable: tuple[str, ...]
    linkable: tuple[str, ...]
    reinforcing: tuple[Option, ...]


def check_choices(check: Check, player: int, settings: Settings) -> CheckChoices:
    """What the checking player may do. Raises Forbidden for anybody else. Rules: FE-CHK-02, FE-HAND-02."""
    seat = check.seat
    if player != seat.entry.player:
        raise Forbidden("This is another player's Check.", "FE-CHK-02")
    own = check.step == "draw" and seats.picks_own(seat, settings)
    reinforcing = buff_options(seat, settings) if check.step == "reinforce" else ()
    drawn = _keys(seat.hidden.deck.draw_hand, settings)
    return CheckChoices(
        selectable=_keys(selectable(seat, settings), settings) if own else (),
        linkable=_keys(seat.hidden.deck.buff_hand, settings) if seat.shown.linking else (),
        reinforcing=tuple(option for option in reinforcing if option.card in drawn),
    )


def selectable(seat: Seat, settings: Settings) -> tuple[int, ...]:
    """The draw cards that may be selected now. Rules: FE-DRAW-03, FE-DRAW-04."""
    hand = seat.hidden.deck.draw_hand
    if seat.shown.ready or not hand:
        return ()
    if seat.entry.draw.penalty and settings.penalty_hand == "lowest":
        return seats.lowest(hand, settings)
    return hand


def buff_options(seat: Seat, settings: Settings, against: Seat | None = None) -> tuple[Option, ...]:
    """Every Buff card with each use it may be put to, and what would come of it.

    against: the other side of a Challenge. Rules: FE-DECK-06, FE-DECK-07, FE-DECK-09, FE-DECK-10.
    """
    group = seat.shown.active.draw
    if group is None or seat.shown.buff == "placed":
        return ()
    value, deck = worth(settings.deck, group), seat.hidden.deck
    found: list[Option] = []
    for number in deck.buff_hand:
        card = settings.deck[number]
        found += [Option("reinforce", card.key)] if may_reinforce(card, value) else []
        found += [Option("replace", card.key)] if card.replaces else []
        found += [Option("block", card.key)] if card.blocks else []
    for number in deck.draw_hand if seat.entry.combined else ():
        card = settings.deck[number]
        if number != seat.hidden.selected and may_reinforce(card, value):
            found.append(Option("reinforce", card.key))
    return tuple(replace(one, totals=_made_of(seat, one, settings, against)) for one in found)


def _made_of(seat: Seat, option: Option, settings: Settings, against: Seat | None) -> tuple[int, int]:
    """Both totals from what lies face up, with that card turned up."""
    laid = seats.place_buff(seat, Buff(option.kind, named(settings.deck, option.card)), settings)
    mine = seats.total(seats.reveal_buff(laid, settings), settings)
    if against is None:
        return mine, 0
    hit = seats.remove(against, "draw") if option.kind == "block" else against
    return mine, seats.total(hit, settings)


def _keys(cards: tuple[int, ...], settings: Settings) -> tuple[str, ...]:
    return tuple(settings.deck[card].key for card in cards)
