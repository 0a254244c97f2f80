"""One player's part in a Challenge or Check: what everyone sees, and what only this player knows.

Owns the frozen `Seat` and the single steps of one side: draw, select, reveal, link, buff, push, discard.
`challenge` and `checks` own the turns and what the other side does.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth import cards as card_rules
from rules.systems.fracd_earth import deck as decks
from rules.systems.fracd_earth.cards import Active
from rules.systems.fracd_earth.deck import Deck, Draw, Prepared
from rules.systems.fracd_earth.settings import Settings

Act = Literal["", "passed", "placed"]
BuffKind = Literal["reinforce", "replace", "block"]
Target = Literal["draw", "buff"]
Place = Literal["draw", "push"]


@dataclass(frozen=True, slots=True)
class Entry:
    """The start of a side: the table's number of its player, its trait, its hand.

    `combined`: a group attacks or defends, so an unused draw card may reinforce. `caster`: may Morph.
    """

    player: int
    trait: int
    draw: Draw
    combined: bool = False
    caster: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """The public part of one side. `linking` marks an Ace whose card has been taken but not yet named."""

    drawn: int = 0
    ready: bool = False
    active: Active = field(default_factory=Active)
    linking: bool = False
    buff: Act = ""
    push: Act = ""
    morphed: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Buff:
    """A Buff card lying face down: what it is to do, and for a Block what it removes."""

    kind: BuffKind
    card: int
    target: Target = "draw"


@dataclass(frozen=True, slots=True)
class Hidden:
    """The secret part of one side, which only its player knows (the Push card not even the player)."""

    deck: Deck
    selected: int | None = None
    buff: Buff | None = None
    push: int | None = None


@dataclass(frozen=True, slots=True)
class Seat:
    """One side of a Challenge, or the one side of a Check."""

    entry: Entry
    shown: Shown
    hidden: Hidden


def sit(player: int, prepared: Prepared, deck: Deck, *, combined: bool = False, caster: bool = False) -> Seat:
    """Return a side at the start, with nothing drawn. Raises Forbidden if cards are still on the table."""
    if deck.draw_hand or deck.played:
        raise Forbidden(
            "Finish the current Challenge or Check first. This player has cards on the table.", "FE-CHAL-08"
        )
    return Seat(Entry(player, prepared.trait, prepared.draw, combined, caster), Shown(), Hidden(deck))


def total(seat: Seat, settings: Settings) -> int:
    """Return the trait and all active cards that are face up. Rules: FE-CHAL-03, FE-CHK-02."""
    return seat.entry.trait + card_rules.active_worth(settings.deck, seat.shown.active)


def draw(seat: Seat, settings: Settings, order: tuple[int, ...] = ()) -> Seat:
    """Draw the cards of the hand. Raises Forbidden where they are drawn. Rules: FE-DRAW-01, FE-CHAL-02."""
    if seat.shown.drawn:
        raise Forbidden("Select one of your drawn cards.", "FE-CHAL-02")
    count = seat.entry.draw.cards
    deck = decks.draw(seat.hidden.deck, count, settings, order)
    return replace(seat, shown=replace(seat.shown, drawn=count), hidden=replace(seat.hidden, deck=deck))


def lowest(hand: tuple[int, ...], settings: Settings) -> tuple[int, ...]:
    """Return the cards of lowest value in a hand; an Ace counts 1. Rules: FE-DRAW-03."""
    least = min(settings.deck[card].value for card in hand)
    return tuple(card for card in hand if settings.deck[card].value == least)


def picks_own(seat: Seat, settings: Settings) -> bool:
    """Return whether the player selects from the own hand; not from a penalty hand where the opponent
    picks.

    Rules: FE-DRAW-03, FE-DRAW-04.
    """
    return not (seat.entry.draw.penalty and settings.penalty_hand == "opponent_picks")


def select(seat: Seat, card: int, settings: Settings) -> Seat:
    """Lay one drawn card on top, face down.

    A penalty hand must use its lowest card, unless the opponent picks. Raises Forbidden.
    Rules: FE-DRAW-03, FE-DRAW-04, FE-CHAL-02.
    """
    hand = seat.hidden.deck.draw_hand
    if not seat.shown.drawn:
        raise Forbidden("Draw your cards first.", "FE-CHAL-02")
    if seat.shown.ready:
        raise Forbidden("You've already selected a card.", "FE-CHAL-02")
    if card not in hand:
        raise Forbidden("Select a card from your Draw Hand.", "FE-CHAL-02")
    must_be_lowest = seat.entry.draw.penalty and settings.penalty_hand == "lowest"
    if must_be_lowest and card not in lowest(hand, settings):
        name = settings.deck[lowest(hand, settings)[0]].name
        raise Forbidden(f"Select the lowest card ({name}), because this is a penalty hand.", "FE-DRAW-03")
    return replace(seat, shown=replace(seat.shown, ready=True), hidden=replace(seat.hidden, selected=card))


def reveal(seat: Seat) -> Seat:
    """Flip the selected card. Rules: FE-CHAL-02."""
    if seat.hidden.selected is None:
        raise Forbidden("Select a card first.", "FE-CHAL-02")
    group = card_rules.Group(seat.hidden.selected)
    return replace(seat, shown=replace(seat.shown, active=replace(seat.shown.active, draw=group)))


def open_link(seat: Seat, settings: Settings) -> Place | None:
    """Return where an Ace lies face up and waits for its second card, or None. Rules: FE-DECK-03."""
    active = seat.shown.active
    places: tuple[tuple[Place, card_rules.Group | None], ...] = (("draw", active.draw), ("push", active.push))
    for place, group in places:
        if group is not None and group.linked is None and settings.deck[group.card].link:
            return place
    return None


def take_link(seat: Seat, settings: Settings, order: tuple[int, ...] = ()) -> Seat:
    """Return the seat with the top card taken for an Ace: into the Buff Hand, or linked by the settings.

    Raises Forbidden where no Ace waits. Rules: FE-DECK-03.
    """
    if open_link(seat, settings) is None:
        raise Forbidden("There is no Ace to link a card to.", "FE-DECK-03")
    if seat.shown.linking:
        raise Forbidden("Link a card from your Buff Hand. The top card has already been drawn.", "FE-DECK-03")
    if settings.ace_link == "top_card":
        card, deck = decks.top_to_table(seat.hidden.deck, settings, order)
        return _linked(replace(seat, hidden=replace(seat.hidden, deck=deck)), card, settings)
    deck = decks.top_to_buff(seat.hidden.deck, settings, order)
    return replace(seat, shown=replace(seat.shown, linking=True), hidden=replace(seat.hidden, deck=deck))


def link(seat: Seat, card: int, settings: Settings) -> Seat:
    """Link a card of the Buff Hand to the Ace. Raises Forbidden. Rules: FE-DECK-03."""
    if not seat.shown.linking:
        raise Forbidden("Draw the top card for the Ace first.", "FE-DECK-03")
    deck = decks.play(seat.hidden.deck, card)
    return _linked(replace(seat, hidden=replace(seat.hidden, deck=deck)), card, settings)


def _linked(seat: Seat, card: int, settings: Settings) -> Seat:
    place = open_link(seat, settings)
    active = seat.shown.active
    if place == "draw" and active.draw is not None:
        active = replace(active, draw=card_rules.link(settings.deck, active.draw, card))
    elif active.push is not None:
        active = replace(active, push=card_rules.link(settings.deck, active.push, card))
    return replace(seat, shown=replace(seat.shown, active=active, linking=False))


def place_buff(seat: Seat, buff: Buff, settings: Settings) -> Seat:
    """Lay one Buff card face down. It must be allowed now, so that nothing is refused when it is revealed.

    A reinforcement may come from the unused cards of the Draw Hand where a group acts together. Raises
    Forbidden, InvalidInput. Rules: FE-CHAL-04, FE-DECK-06, FE-DECK-07, FE-DECK-08, FE-DECK-09, FE-DECK-10.
    """
    if buff.kind not in ("reinforce", "replace", "block"):
        raise InvalidInput("Use a Buff card to reinforce, replace or block.")
    if seat.shown.buff == "placed":
        raise Forbidden("Each side can play only one Buff card.", "FE-DECK-08")
    deck = seat.hidden.deck
    if buff.card in deck.draw_hand:
        _may_draw_reinforce(seat, buff)
    else:
        deck = decks.play(deck, buff.card)
    if buff.kind == "block":
        if not settings.deck[buff.card].blocks:
            raise Forbidden(f"{settings.deck[buff.card].name} is not a Block card.", "FE-DECK-10")
    else:
        _with_buff(seat.shown.active, buff, settings)
    return replace(
        seat, shown=replace(seat.shown, buff="placed"), hidden=replace(seat.hidden, deck=deck, buff=buff)
    )


def _may_draw_reinforce(seat: Seat, buff: Buff) -> None:
    if not seat.entry.combined or buff.kind != "reinforce":
        raise Forbidden(
            "You can use a draw card only to reinforce a Combined attack or defence.", "FE-DECK-09"
        )
    if buff.card == seat.hidden.selected:
        raise Forbidden("That draw card is already in use.", "FE-DECK-09")


def _with_buff(active: Active, buff: Buff, settings: Settings) -> Active:
    if buff.kind == "reinforce":
        return card_rules.reinforce(settings.deck, active, buff.card)
    return card_rules.substitute(settings.deck, active, buff.card)


def reveal_buff(seat: Seat, settings: Settings) -> Seat:
    """Turn up the Buff card and let it count; what it replaces is discarded.

    Rules: FE-CHAL-05, FE-DECK-07.
    """
    buff = seat.hidden.buff
    if buff is None or buff.kind == "block":
        return seat
    drawn_card = seat.shown.active.draw
    deck = seat.hidden.deck
    if buff.kind == "replace" and drawn_card is not None:
        deck = decks.discard(deck, drawn_card.cards)
    active = _with_buff(seat.shown.active, buff, settings)
    return replace(seat, shown=replace(seat.shown, active=active), hidden=replace(seat.hidden, deck=deck))


def remove(seat: Seat, target: Target) -> Seat:
    """Return the seat without a blocked card or linked pair, which is discarded; the others stay.

    Rules: FE-DECK-10.
    """
    active, hidden = seat.shown.active, seat.hidden
    buff = hidden.buff
    if target == "buff" and buff is not None and buff.kind == "block":
        deck = decks.discard(hidden.deck, (buff.card,))
        return replace(seat, hidden=replace(hidden, deck=deck, buff=None))
    reinforced = target == "buff" and buff is not None and buff.kind == "reinforce"
    group = active.reinforcement if reinforced else active.draw
    if group is None:
        return seat
    active = replace(active, reinforcement=None) if reinforced else replace(active, draw=None)
    deck = decks.discard(hidden.deck, group.cards)
    return replace(seat, shown=replace(seat.shown, active=active), hidden=replace(hidden, deck=deck))


def place_push(seat: Seat, settings: Settings, order: tuple[int, ...] = ()) -> Seat:
    """Spend a Push token and lay the top card face down. Raises Forbidden. Rules: FE-CHAL-06, FE-CHK-05."""
    if seat.shown.push == "placed":
        raise Forbidden("Each side can push only once.", "FE-CHAL-07")
    card, deck = decks.push(seat.hidden.deck, settings, order)
    return replace(
        seat, shown=replace(seat.shown, push="placed"), hidden=replace(seat.hidden, deck=deck, push=card)
    )


def reveal_push(seat: Seat) -> Seat:
    """Turn up the Push card; its value is added. Rules: FE-CHAL-07."""
    if seat.hidden.push is None:
        return seat
    active = replace(seat.shown.active, push=card_rules.Group(seat.hidden.push))
    return replace(seat, shown=replace(seat.shown, active=active))


def morphable(seat: Seat) -> tuple[int, ...]:
    """Return the unused draw cards of a Caster who has not morphed one yet. Rules: FE-CHAL-09."""
    if not seat.entry.caster or seat.shown.morphed:
        return ()
    return tuple(card for card in seat.hidden.deck.draw_hand if card not in seat.shown.active.cards)


def morph(seat: Seat, card: int) -> Seat:
    """Reveal one unused draw card of a Caster. Raises Forbidden. Rules: FE-CHAL-09."""
    if not seat.entry.caster:
        raise Forbidden("Only a Caster can Morph.", "FE-CHAL-09")
    if seat.shown.morphed:
        raise Forbidden("You can Morph only a single card.", "FE-CHAL-09")
    if card not in morphable(seat):
        raise Forbidden("Morph an unused card from your Draw Hand.", "FE-CHAL-09")
    return replace(seat, shown=replace(seat.shown, morphed=(card,)))


def finish(seat: Seat) -> Seat:
    """Discard the Draw Hand and all cards used; unused Buff cards stay. Rules: FE-CHAL-08, FE-CHK-06."""
    return replace(seat, hidden=Hidden(decks.discard_all(seat.hidden.deck)))
