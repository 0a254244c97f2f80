"""Turns: initiative draws, Wait and interruption, Pass, the Buff Hand's refill.

Owns who acts first. Values are drawn from the players' decks.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.effects import Effect, Gain, Lose
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.fracd_earth import deck as decks
from rules.systems.fracd_earth.actions import Activation
from rules.systems.fracd_earth.deck import Deck
from rules.systems.fracd_earth.general import stacked
from rules.systems.fracd_earth.profile import REDRAW, WAIT, Figure
from rules.systems.fracd_earth.settings import Settings

MAX_BONUS = 10
INITIATIVE = "initiative"
"""What an effect of a Crew Card names that gives its player more cards for initiative."""


def initiative_cards(bonus: int = 0) -> int:
    """Cards that a player draws for initiative: 1 and one for each bonus, 0 to 10. Rules: FE-TURN-01."""
    if not 0 <= bonus <= MAX_BONUS:
        raise InvalidInput(f"An initiative bonus is 0 to {MAX_BONUS}, not {bonus}.")
    return 1 + bonus


def initiative_bonus(figures: Iterable[Figure], settings: Settings) -> int:
    """Cards that a player's figures add to the initiative draw, 0 to 10: effects of their Crew Cards on
    "initiative", of one kind only the best where the settings say so.

    Rules: FE-TURN-01, FE-MOD-03.
    """
    effects = tuple(
        effect
        for figure in figures
        for effect in figure.profile.effects
        if effect.target.casefold() == INITIATIVE
    )
    marks = sum(effect.marks for effect in stacked(effects, settings))
    return min(max(marks, 0), MAX_BONUS)


def draw_initiative(
    deck: Deck, count: int, settings: Settings, order: tuple[int, ...] = ()
) -> tuple[tuple[int, ...], Deck]:
    """Draw for initiative; gives the cards, and the deck with them discarded. Rules: FE-TURN-01."""
    cards, deck = decks.take(deck, count, settings, order)
    return cards, Deck(
        deck.pile, deck.draw_hand, deck.buff_hand, deck.played, (*deck.discards, *cards), deck.pushes
    )


def declared(cards: tuple[int, ...], settings: Settings) -> int:
    """The value declared: the highest drawn, an Ace counting 1. Rules: FE-TURN-01."""
    if not cards:
        raise InvalidInput("Draw a card first.")
    return max(settings.deck[card].value for card in cards)


@dataclass(frozen=True, slots=True)
class Priority:
    """`winner` is the place of the player with the highest value, or None; then those `tied` draw again."""

    winner: int | None
    tied: tuple[int, ...] = ()


def priority(values: tuple[int, ...]) -> Priority:
    """Who acts first, from the values declared. Raises InvalidInput for fewer than two. Rules: FE-TURN-01."""
    if len(values) < 2:
        raise InvalidInput("Initiative is drawn by two players or more.")
    best = tuple(place for place, value in enumerate(values) if value == max(values))
    return Priority(best[0]) if len(best) == 1 else Priority(None, best)


def redraw(
    figure: Figure,
    cards: tuple[int, ...],
    drop: int,
    deck: Deck,
    settings: Settings,
    order: tuple[int, ...] = (),
) -> tuple[tuple[int, ...], Deck]:
    """A figure that passed last turn discards one initiative card and draws another, once.

    cards: those drawn for initiative. drop: the card given up. Raises Forbidden. The table then applies
    `Lose` of the redraw. Rules: FE-TURN-03.
    """
    if not figure.has(REDRAW):
        raise Forbidden("Only a figure that passed last turn may redraw, once.", "FE-TURN-03")
    if drop not in cards:
        raise Forbidden("That card was not drawn for initiative.", "FE-TURN-03")
    fresh, deck = draw_initiative(deck, 1, settings, order)
    return (*(card for card in cards if card != drop), *fresh), deck


def after_redraw(figure: Figure) -> tuple[Effect, ...]:
    """The redraw is used up. Rules: FE-TURN-03."""
    return (Lose(figure.id, REDRAW),)


def hold(figure: Figure, activation: Activation) -> tuple[Effect, ...]:
    """A figure waits with its activation. Raises Forbidden once it has acted. Rules: FE-TURN-02."""
    if not activation.passed:
        raise Forbidden("It has begun to act: too late to wait.", "FE-TURN-02")
    return (Gain(figure.id, WAIT),)


def refuse_interrupt(figure: Figure) -> None:
    """Raise Forbidden for a figure that does not wait. Rules: FE-TURN-02."""
    if not figure.has(WAIT):
        forbid("Only a waiting figure may interrupt.", "FE-TURN-02")


def release(figure: Figure) -> tuple[Effect, ...]:
    """A waiting figure activates. Rules: FE-TURN-02."""
    return (Lose(figure.id, WAIT),)


def end_of_turn(figure: Figure, activation: Activation) -> tuple[Effect, ...]:
    """What the turn leaves a figure with: who took no action may begin the next on Wait, and may redraw once.

    Rules: FE-TURN-03.
    """
    if not activation.passed:
        return tuple(Lose(figure.id, kind) for kind in (WAIT, REDRAW) if figure.has(kind))
    return (Gain(figure.id, WAIT, source="passed"), Gain(figure.id, REDRAW, source="passed"))


def start_turn(deck: Deck, settings: Settings, order: tuple[int, ...] = ()) -> Deck:
    """A player's cards at the start of a turn: the Buff Hand filled up, where the settings say so.

    Rules: FE-HAND-01.
    """
    return decks.refill(deck, settings, order) if settings.refill == "turn" else deck
