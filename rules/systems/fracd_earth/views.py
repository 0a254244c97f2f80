"""What may be shown of a Challenge or Check: to everybody, and to one player.

Owns the frozen views. A public view is made from counts and from what lies face up, so it is the same
whatever the hidden cards are; a private view adds the viewer's own hands and nothing of the other side's.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.refusals import Forbidden
from rules.systems.fracd_earth import seat as seats
from rules.systems.fracd_earth.cards import Active, may_reinforce, worth
from rules.systems.fracd_earth.challenge import OTHER, Challenge, Role, linker, picks_for_opponent, role_of
from rules.systems.fracd_earth.checks import Check
from rules.systems.fracd_earth.seat import Act, BuffKind, Seat
from rules.systems.fracd_earth.settings import Settings


@dataclass(frozen=True, slots=True)
class SeatView:
    """What everybody sees of one side. Cards are keys of the deck. `total` is None until the cards are
    flipped.
    """

    player: int
    trait: int
    cards_to_draw: int
    penalty: bool
    drawn: int
    ready: bool
    face_up: tuple[str, ...]
    total: int | None
    buff: Act
    push: Act
    morphed: tuple[str, ...]
    buff_hand: int
    pile: int
    discards: int
    pushes: int


@dataclass(frozen=True, slots=True)
class PublicView:
    """A Challenge as everybody sees it. `turn` is the player who has to act, `linking` who has to link an Ace
    (None: nobody in particular); `margin` the final difference, active less reactive.
    """

    step: str
    turn: int | None
    linking: int | None
    active: SeatView
    reactive: SeatView
    margin: int | None
    all_or_nothing: bool


@dataclass(frozen=True, slots=True)
class Option:
    """A Buff card that may be laid now."""

    kind: BuffKind
    card: str


@dataclass(frozen=True, slots=True)
class PrivateView:
    """A Challenge as one player sees it. `selectable` are the draw cards that may be selected, of the
    opponent's hand where `picks_for_opponent`; `linkable` cards to link to an Ace; `options` Buff cards.
    """

    public: PublicView
    draw_hand: tuple[str, ...]
    selected: str | None
    buff_hand: tuple[str, ...]
    buff: Option | None
    selectable: tuple[str, ...]
    picks_for_opponent: bool
    linkable: tuple[str, ...]
    options: tuple[Option, ...]


def seat_view(seat: Seat, settings: Settings) -> SeatView:
    """One side, public. Rules: FE-CHAL-02, FE-HAND-02."""
    deck = seat.hidden.deck
    shown = seat.shown
    flipped = shown.active != Active()
    return SeatView(
        player=seat.entry.player,
        trait=seat.entry.trait,
        cards_to_draw=seat.entry.draw.cards,
        penalty=seat.entry.draw.penalty,
        drawn=shown.drawn,
        ready=shown.ready,
        face_up=_keys(shown.active.cards, settings),
        total=seats.total(seat, settings) if flipped or shown.buff or shown.push else None,
        buff=shown.buff,
        push=shown.push,
        morphed=_keys(shown.morphed, settings),
        buff_hand=len(deck.buff_hand),
        pile=len(deck.pile),
        discards=len(deck.discards),
        pushes=deck.pushes,
    )


def public_view(challenge: Challenge, settings: Settings) -> PublicView:
    """What everybody at the table may see of the Challenge. Rules: FE-CHAL-02, FE-CHAL-04, FE-CHAL-06."""
    waiting = linker(challenge, settings)
    return PublicView(
        step=challenge.step,
        turn=_player(challenge, challenge.turn),
        linking=_player(challenge, waiting),
        active=seat_view(challenge.active, settings),
        reactive=seat_view(challenge.reactive, settings),
        margin=challenge.final,
        all_or_nothing=challenge.all_or_nothing,
    )


def private_view(challenge: Challenge, player: int, settings: Settings) -> PrivateView:
    """What one of the two players may see: the public view and the own hands, with what may be done now.

    Raises Forbidden for anybody else. Rules: FE-CHAL-02, FE-DRAW-03, FE-HAND-02.
    """
    role = role_of(challenge, player)
    seat = challenge.seat(role)
    deck, chosen, laid = seat.hidden.deck, seat.hidden.selected, seat.hidden.buff
    picking = picks_for_opponent(challenge, role, settings)
    picked_from = challenge.seat(OTHER[role]) if picking else seat
    may_pick = picking or seats.picks_own(seat, settings)
    return PrivateView(
        public=public_view(challenge, settings),
        draw_hand=_keys(deck.draw_hand, settings),
        selected=None if chosen is None else settings.deck[chosen].key,
        buff_hand=_keys(deck.buff_hand, settings),
        buff=None if laid is None else Option(laid.kind, settings.deck[laid.card].key),
        selectable=_keys(selectable(picked_from, settings), settings) if may_pick else (),
        picks_for_opponent=picking,
        linkable=_keys(deck.buff_hand, settings) if seat.shown.linking else (),
        options=buff_options(seat, settings) if challenge.step == "buff" and challenge.turn == role else (),
    )


@dataclass(frozen=True, slots=True)
class CheckView:
    """A Check as everybody sees it; `linking`: an Ace waits for its link."""

    step: str
    seat: SeatView
    tn: int
    all_or_nothing: bool
    linking: bool


@dataclass(frozen=True, slots=True)
class PrivateCheckView:
    """A Check as the checking player sees it. `reinforcing` are draw cards that may reinforce now."""

    public: CheckView
    draw_hand: tuple[str, ...]
    buff_hand: tuple[str, ...]
    selectable: tuple[str, ...]
    linkable: tuple[str, ...]
    reinforcing: tuple[str, ...]


def public_check(check: Check, settings: Settings) -> CheckView:
    """What everybody at the table may see of a Check. Rules: FE-CHK-02, FE-HAND-02."""
    waits = seats.open_link(check.seat, settings) is not None
    return CheckView(check.step, seat_view(check.seat, settings), check.tn, check.all_or_nothing, waits)


def private_check(check: Check, player: int, settings: Settings) -> PrivateCheckView:
    """What the checking player may see. Raises Forbidden for anybody else. Rules: FE-CHK-02, FE-HAND-02."""
    seat = check.seat
    if player != seat.entry.player:
        raise Forbidden("This is another player's Check.", "FE-CHK-02")
    own = check.step == "draw" and seats.picks_own(seat, settings)
    reinforcing = buff_options(seat, settings) if check.step == "reinforce" else ()
    drawn = _keys(seat.hidden.deck.draw_hand, settings)
    return PrivateCheckView(
        public=public_check(check, settings),
        draw_hand=drawn,
        buff_hand=_keys(seat.hidden.deck.buff_hand, settings),
        selectable=_keys(selectable(seat, settings), settings) if own else (),
        linkable=_keys(seat.hidden.deck.buff_hand, settings) if seat.shown.linking else (),
        reinforcing=tuple(option.card for option in reinforcing if option.card in drawn),
    )


def selectable(seat: Seat, settings: Settings) -> tuple[int, ...]:
    """The draw cards that may be selected now. Rules: FE-DRAW-03, FE-DRAW-04."""
    hand = seat.hidden.deck.draw_hand
    if seat.shown.ready or not hand:
        return ()
    if seat.entry.draw.penalty and settings.penalty_hand == "lowest":
        return seats.lowest(hand, settings)
    return hand


def buff_options(seat: Seat, settings: Settings) -> tuple[Option, ...]:
    """Every Buff card with each use it may be put to.

    Rules: FE-DECK-06, FE-DECK-07, FE-DECK-09, FE-DECK-10.
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
    return tuple(found)


def _keys(cards: tuple[int, ...], settings: Settings) -> tuple[str, ...]:
    return tuple(settings.deck[card].key for card in cards)


def _player(challenge: Challenge, role: Role | None) -> int | None:
    return None if role is None else challenge.seat(role).entry.player
