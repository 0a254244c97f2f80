"""What a drawn card might have been: the cards that were left, and no luck on average."""

from __future__ import annotations

from random import Random
from statistics import mean, pstdev

from rules.dice import solve
from rules.systems.fracd_earth.cards import card_number
from rules.systems.fracd_earth.deck import Deck, cards_drawn, top_card, worths
from rules.systems.fracd_earth.settings import Settings

SETTINGS = Settings()


def numbers(*keys: str) -> tuple[int, ...]:
    return tuple(card_number(SETTINGS.deck, key) for key in keys)


def test_each_card_comes_of_what_is_left() -> None:
    deck = Deck(numbers("9S", "3S", "5S"))
    assert cards_drawn(deck, numbers("9S", "3S"), SETTINGS) == [((3, 5, 9), 9), ((3, 5), 3)]


def test_an_empty_pile_is_the_discards() -> None:
    deck = Deck(numbers("9S"), discards=numbers("2H", "4C"))
    assert cards_drawn(deck, numbers("9S", "4C"), SETTINGS) == [((9,), 9), ((2, 4), 4)]


def test_an_ace_is_worth_what_it_links_too() -> None:
    ace = next(number for number, card in enumerate(SETTINGS.deck) if card.link)
    usual = round(sum(card.value for card in SETTINGS.deck) / len(SETTINGS.deck))
    assert worths([ace], SETTINGS) == (1 + usual,)


def test_fair_shuffles_bring_what_is_due() -> None:
    """Over 400 shuffles of eight cards each the difference from the mean is nothing but chance."""
    chance = Random(5)
    cards = list(range(len(SETTINGS.deck)))
    off = []
    for _ in range(400):
        chance.shuffle(cards)
        for left, came in cards_drawn(Deck(tuple(cards)), cards[:8], SETTINGS):
            odds = solve(top_card, left)
            assert came in odds.chances
            off.append(came - odds.mean(float))
    assert abs(mean(off)) < 3 * pstdev(off) / len(off) ** 0.5
