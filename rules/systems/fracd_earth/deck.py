"""The cards of one player as pure transitions, and how many are drawn: marks and penalty hands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rules.dice import Dice
from rules.modifiers import Modifier, total
from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth.settings import Settings

MAX_DRAW = 4
"""Most cards of one Draw Hand."""


@dataclass(frozen=True, slots=True)
class Deck:
    """One player's cards. `pile` is the Draw Deck, top card first; `played` are Buff, Push and linked
    cards on the table; `pushes` are Push tokens left. Rules: FE-DECK-01, FE-HAND-01, FE-HAND-02,
    FE-HAND-03.
    """

    pile: tuple[int, ...]
    draw_hand: tuple[int, ...] = ()
    buff_hand: tuple[int, ...] = ()
    played: tuple[int, ...] = ()
    discards: tuple[int, ...] = ()
    pushes: int = 0

    @property
    def cards(self) -> tuple[int, ...]:
        """Return all cards, wherever they are."""
        return (*self.pile, *self.draw_hand, *self.buff_hand, *self.played, *self.discards)


def start(order: tuple[int, ...], settings: Settings, pushes: int | None = None) -> Deck:
    """Return the deck at the start of a game: shuffled, the Buff Hand dealt.

    order: a shuffle of all cards of the settings' deck. pushes: Push tokens, the settings' pool where None.
    Raises InvalidInput for an invalid shuffle. Rules: FE-DECK-01, FE-HAND-01, FE-HAND-03.
    """
    _is_shuffle(order, len(settings.deck))
    size = settings.buff_hand_size
    tokens = settings.push_tokens if pushes is None else pushes
    if not 0 <= tokens <= 999:
        raise InvalidInput("A player can have 0 to 999 Push tokens.")
    return Deck(order[size:], buff_hand=order[:size], pushes=tokens)


def shortfall(deck: Deck, count: int) -> int:
    """Return how many discards must be shuffled before `count` cards can be drawn; 0 if the pile has
    enough.

    Rules: FE-DECK-11.
    """
    return len(deck.discards) if len(deck.pile) < count else 0


def take(
    deck: Deck, count: int, settings: Settings, order: tuple[int, ...] = ()
) -> tuple[tuple[int, ...], Deck]:
    """Return cards from the top and the deck without them.

    order: a shuffle of the discards' places, needed where `shortfall` is above 0; the discards then go under
    what is left of the pile. Raises Forbidden where cards run out. Rules: FE-DECK-11.
    """
    if count < 0:
        raise InvalidInput("The number of cards to draw can't be below 0.")
    if len(deck.pile) < count:
        if settings.empty_deck == "stop":
            raise Forbidden("The Draw Deck is empty.", "FE-DECK-11")
        _is_shuffle(order, len(deck.discards))
        reshuffled = tuple(deck.discards[place] for place in order)
        deck = replace(deck, pile=(*deck.pile, *reshuffled), discards=())
    if len(deck.pile) < count:
        raise Forbidden("There are no cards left to draw. All are in hand or in play.", "FE-DECK-11")
    return deck.pile[:count], replace(deck, pile=deck.pile[count:])


def draw(deck: Deck, count: int, settings: Settings, order: tuple[int, ...] = ()) -> Deck:
    """Draw 1 to 4 cards as the Draw Hand, apart from the Buff Hand.

    Raises Forbidden for a fifth card or a Draw Hand already there. Rules: FE-DRAW-01, FE-HAND-02, FE-CHAL-02.
    """
    if not 1 <= count <= MAX_DRAW:
        raise Forbidden(f"A Draw Hand has 1 to {MAX_DRAW} cards (you entered {count}).", "FE-DRAW-01")
    if deck.draw_hand:
        raise Forbidden("Finish with the current Draw Hand first.", "FE-CHAL-02")
    cards, deck = take(deck, count, settings, order)
    return replace(deck, draw_hand=cards)


def refill(deck: Deck, settings: Settings, order: tuple[int, ...] = ()) -> Deck:
    """Fill the Buff Hand up to its size, at the start of a turn. Rules: FE-HAND-01."""
    missing = max(0, settings.buff_hand_size - len(deck.buff_hand))
    cards, deck = take(deck, missing, settings, order)
    return replace(deck, buff_hand=(*deck.buff_hand, *cards))


def top_to_buff(deck: Deck, settings: Settings, order: tuple[int, ...] = ()) -> Deck:
    """Return the deck with its top card moved to the Buff Hand, for an Ace. Rules: FE-DECK-03."""
    cards, deck = take(deck, 1, settings, order)
    return replace(deck, buff_hand=(*deck.buff_hand, *cards))


def top_to_table(deck: Deck, settings: Settings, order: tuple[int, ...] = ()) -> tuple[int, Deck]:
    """Lay the top card on the table; gives it and the deck. Rules: FE-DECK-03, FE-CHAL-06."""
    cards, deck = take(deck, 1, settings, order)
    return cards[0], replace(deck, played=(*deck.played, *cards))


def check_push(deck: Deck) -> None:
    """Check that a Push token is left. Raises Forbidden. Rules: FE-HAND-03."""
    if deck.pushes < 1:
        raise Forbidden("You have no Push tokens left.", "FE-HAND-03")


def push(deck: Deck, settings: Settings, order: tuple[int, ...] = ()) -> tuple[int, Deck]:
    """Spend a Push token and lay the top card on the table; gives it and the deck.

    Raises Forbidden without a token. Rules: FE-HAND-03, FE-CHAL-06, FE-CHK-05.
    """
    check_push(deck)
    card, deck = top_to_table(deck, settings, order)
    return card, replace(deck, pushes=deck.pushes - 1)


def play(deck: Deck, card: int) -> Deck:
    """Lay a card of the Buff Hand on the table. Raises Forbidden where it is not held. Rules: FE-CHAL-04."""
    if card not in deck.buff_hand:
        raise Forbidden("Use a card from your Buff Hand.", "FE-CHAL-04")
    return replace(deck, buff_hand=_without(deck.buff_hand, card), played=(*deck.played, card))


def discard(deck: Deck, cards: tuple[int, ...]) -> Deck:
    """Discard single cards of the Draw Hand or of those on the table. Raises Forbidden for other cards."""
    for card in cards:
        if card in deck.draw_hand:
            deck = replace(deck, draw_hand=_without(deck.draw_hand, card))
        elif card in deck.played:
            deck = replace(deck, played=_without(deck.played, card))
        else:
            raise Forbidden("Choose a card from the Draw Hand or the table.", "FE-CHAL-08")
        deck = replace(deck, discards=(*deck.discards, card))
    return deck


def discard_all(deck: Deck) -> Deck:
    """Discard the Draw Hand, used or not, and all cards on the table; the Buff Hand stays.

    Rules: FE-CHAL-08, FE-CHK-06.
    """
    return discard(deck, (*deck.draw_hand, *deck.played))


def _without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    return tuple(other for other in cards if other != card)


def _is_shuffle(order: tuple[int, ...], count: int) -> None:
    if sorted(order) != list(range(count)):
        raise InvalidInput(f"The new order must contain each of the {count} cards once.")


def worths(cards: Iterable[int], settings: Settings) -> tuple[int, ...]:
    """Return the worth of each card when it is drawn, lowest first.

    A card that links another is worth what such a card adds on average too. Rules: FE-DECK-02, FE-DECK-03.
    """
    deck = settings.deck
    usual = round(sum(card.value for card in deck) / len(deck))
    return tuple(sorted(deck[card].value + (usual if deck[card].link else 0) for card in cards))


def cards_drawn(old_deck: Deck, hand: Iterable[int], settings: Settings) -> list[tuple[tuple[int, ...], int]]:
    """Return the worths of all cards of which each card of a hand came, and its own, in their order.

    old_deck: the deck from which the hand was drawn. Rules: FE-DECK-01, FE-DECK-11.
    """
    pile, discards = list(old_deck.pile), list(old_deck.discards)
    cards = []
    for card in hand:
        pile, discards = (pile, discards) if pile else (discards, [])
        cards.append((worths(pile, settings), worths([card], settings)[0]))
        pile.remove(card)
    return cards


def top_card(dice: Dice, pile: tuple[int, ...]) -> int:
    """Return the worth of a shuffled pile's top card. pile: the worths of all in it. Rules: FE-DECK-01."""
    return pile[dice.face(len(pile), "card") - 1]


MAX_MARKS = 3
POINTS_PER_MARK = 2
MAX_NET = 40
MAX_TRAIT = 60


@dataclass(frozen=True, slots=True)
class Draw:
    """The total of all marks: `cards` to draw, 1 to 4; `penalty` hands must use the lowest (or as the
    table's setting says); `points` are added to the Combat Trait.
    """

    cards: int
    penalty: bool
    points: int


@dataclass(frozen=True, slots=True)
class Prepared:
    """One side ready to draw, with every reason: `marks` add or take cards, `points` make up the trait.

    `trait` is what is added to the active cards, the points of marks beyond three included. `effect_shifts`
    are bonus Effect shifts earned by the action. `picked`: the opponent picks from a penalty hand.
    """

    draw: Draw
    trait: int
    marks: tuple[Modifier, ...]
    points: tuple[Modifier, ...]
    effect_shifts: int = 0
    picked: bool = False


def draw_for(net: int, settings: Settings) -> Draw:
    """Return the hand for a net number of marks.

    net: bonuses less penalties, -40 to 40. One neutral card and one for each of up to three marks; each
    further mark is worth 2 points. Raises InvalidInput beyond the range.
    Rules: FE-DRAW-01, FE-DRAW-02, FE-DRAW-03.
    """
    if abs(net) > MAX_NET:
        raise InvalidInput(f"At most {MAX_NET} marks can count (there are {abs(net)}).")
    beyond = max(0, abs(net) - MAX_MARKS)
    points = POINTS_PER_MARK * (beyond if net > 0 else -beyond)
    if net < 0 and settings.penalty_hand == "fewer":
        return Draw(1, penalty=False, points=points)
    return Draw(1 + min(abs(net), MAX_MARKS), penalty=net < 0, points=points)


def prepare(
    marks: Iterable[Modifier], points: Iterable[Modifier], settings: Settings, effect_shifts: int = 0
) -> Prepared:
    """Add up one side's marks and points.

    Marks cancel one for one. Raises InvalidInput where the sum is beyond what the game can mean.
    Rules: FE-DRAW-01, FE-DRAW-02, FE-MOD-02.
    """
    counting = tuple(mark for mark in marks if mark.amount)
    draw = draw_for(total(counting), settings)
    named = tuple(point for point in points if point.amount)
    if draw.points:
        named = (*named, Modifier(draw.points, "for marks beyond three", "FE-DRAW-02"))
    trait = total(named)
    if abs(trait) > MAX_TRAIT:
        raise InvalidInput(f"A modified trait must be between -{MAX_TRAIT} and {MAX_TRAIT}, not {trait}.")
    is_picked = draw.penalty and settings.penalty_hand == "opponent_picks"
    return Prepared(draw, trait, counting, named, effect_shifts, is_picked)
