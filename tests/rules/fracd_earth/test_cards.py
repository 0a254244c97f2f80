from collections import Counter
from dataclasses import replace

import pytest

from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth import cards as c
from rules.systems.fracd_earth import deck as d
from rules.systems.fracd_earth import seat as seats
from rules.systems.fracd_earth.cards import Active, Group
from rules.systems.fracd_earth.library import DataError, read_cards, read_edges, read_effects
from rules.systems.fracd_earth.settings import DEFAULTS, Settings
from tests.rules.fracd_earth.build import assert_whole, card, cards, prepared, seat, stacked

DECK = DEFAULTS.deck


def played(key, linked=None):
    return Group(card(key), None if linked is None else card(linked))


@pytest.mark.rule("FE-DECK-01", "FE-DECK-02")
def test_deck_of_54():
    assert len(DECK) == 54
    assert Counter(each.suit for each in DECK) == {
        "clubs": 13,
        "diamonds": 13,
        "hearts": 13,
        "spades": 13,
        "": 2,
    }
    values = Counter(each.value for each in DECK if not each.link)
    # four each of 2 to 9; 10 four times, and jack, queen, king 10 each: 16
    assert values == {0: 1, 12: 1, 10: 16} | dict.fromkeys(range(2, 10), 4)
    assert [each.key for each in DECK if each.value == 12] == ["FLOOD"]
    assert DECK[card("FLOOD")].suit == DECK[card("VOID")].suit == ""
    assert sum(each.link for each in DECK) == 4


@pytest.mark.rule("FE-DECK-04")
def test_force_icons():
    for key, icons in {
        "VOID": 1,
        "4S": 1,
        "5S": 2,
        "7S": 2,
        "8S": 3,
        "10S": 3,
        "JS": 4,
        "FLOOD": 4,
        "AS": 1,
    }.items():
        assert DECK[card(key)].force == icons, key


@pytest.mark.rule("FE-DECK-03")
def test_ace_links():
    pair = played("AS", "9H")
    assert c.worth(DECK, pair) == 10
    assert c.suits(DECK, pair) == {"spades", "hearts"}
    assert c.force(DECK, pair) == 4  # Ace 1, nine 3
    assert c.worth(DECK, played("AS", "FLOOD")) == 13
    with pytest.raises(Forbidden):
        c.link(DECK, played("9S"), card("2S"))
    with pytest.raises(Forbidden):
        c.link(DECK, pair, card("2S"))


@pytest.mark.rule("FE-DECK-06")
@pytest.mark.parametrize(
    ("joined", "on", "worth"),
    [("4S", "10H", 14), ("4S", "FLOOD", 16), ("7S", "7H", 14), ("2S", "2H", 4), ("5S", "VOID", 5)],
)
def test_reinforce(joined, on, worth):
    assert c.active_worth(DECK, c.reinforce(DECK, Active(played(on)), card(joined))) == worth


@pytest.mark.rule("FE-DECK-06")
@pytest.mark.parametrize(
    ("joined", "on"), [("7S", "8H"), ("4S", "3H"), ("8S", "8H"), ("AS", "8H"), ("JS", "2H")]
)
def test_reinforce_refused(joined, on):
    with pytest.raises(Forbidden):
        c.reinforce(DECK, Active(played(on)), card(joined))


@pytest.mark.rule("FE-DECK-07", "FE-DECK-08")
def test_replace_and_not_both():
    assert c.active_worth(DECK, c.substitute(DECK, Active(played("5H")), card("7S"))) == 7
    reinforced = c.reinforce(DECK, Active(played("5H")), card("4S"))
    with pytest.raises(Forbidden):
        c.substitute(DECK, reinforced, card("7S"))
    with pytest.raises(Forbidden):
        c.reinforce(DECK, reinforced, card("3S"))


@pytest.mark.rule("FE-HAND-01", "FE-HAND-03")
def test_start_deals_buff_hand():
    order = tuple(reversed(range(54)))
    deck = d.start(order, DEFAULTS)
    assert deck.buff_hand == (53, 52, 51, 50, 49)
    assert deck.pile[0] == 48
    assert len(deck.pile) == 49
    assert deck.pushes == 10
    assert_whole(deck)
    assert len(d.start(order, Settings(buff_hand_size=3, push_tokens=4)).buff_hand) == 3
    with pytest.raises(InvalidInput):
        d.start((0,) * 54, DEFAULTS)
    short = d.play(deck, 53)
    filled = d.refill(short, DEFAULTS)
    assert filled.buff_hand == (52, 51, 50, 49, 48)


@pytest.mark.rule("FE-HAND-02", "FE-CHAL-08")
def test_draw_hand_apart():
    deck = d.draw(stacked("9H 5C", "2S 3S"), 2, DEFAULTS)
    assert deck.draw_hand == cards("9H 5C")
    assert deck.buff_hand == cards("2S 3S")
    after = d.discard_all(d.play(deck, card("2S")))
    assert after.draw_hand == after.played == ()
    assert after.buff_hand == cards("3S")
    assert set(after.discards) == set(cards("9H 5C 2S"))
    assert_whole(after)


@pytest.mark.rule("FE-DECK-11")
def test_empty_deck_is_shuffled_anew():
    whole = stacked("9H")
    low = replace(whole, pile=whole.pile[:1], discards=whole.pile[1:])
    assert d.shortfall(low, 1) == 0
    assert d.shortfall(low, 3) == 53
    order = tuple(reversed(range(53)))
    taken, after = d.take(low, 3, DEFAULTS, order)
    assert taken == (card("9H"), low.discards[52], low.discards[51])
    assert after.discards == ()
    assert_whole(replace(after, discards=taken))
    with pytest.raises(InvalidInput):
        d.take(low, 3, DEFAULTS)
    with pytest.raises(Forbidden):
        d.take(low, 3, Settings(empty_deck="stop"), order)
    with pytest.raises(Forbidden):
        d.take(replace(low, discards=()), 3, DEFAULTS)


@pytest.mark.rule("FE-HAND-03")
def test_push_token_is_spent():
    top, deck = d.push(stacked("9H", pushes=1), DEFAULTS)
    assert (top, deck.pushes, deck.played) == (card("9H"), 0, cards("9H"))
    with pytest.raises(Forbidden):
        d.push(deck, DEFAULTS)


def test_no_fifth_card():
    with pytest.raises(Forbidden):
        d.draw(stacked(), 5, DEFAULTS)
    deck = d.draw(stacked(), 4, DEFAULTS)
    with pytest.raises(Forbidden):
        d.draw(deck, 1, DEFAULTS)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[[card]]\nkey='a'\nname='a'\nvalue=21\nforce=1",
        "[[card]]\nkey='a'\nname='a'\nvalue=2\nforce=1\nsuit='cups'",
        "[[card]]\nkey='a'\nname='a'\nvalue=2\nforce=1\nodd=1",
        "[[card]]\nkey='a'\nname='a'\nvalue=2\nforce=1\nlink=true",
        "[[card]]\nkey='a'\nname='a'\nvalue=2\nforce=1\n[[card]]\nkey='A'\nname='b'\nvalue=2\nforce=1",
        "[[card]]\nkey='a'\nname='a'\nvalue=true\nforce=1",
        "card = 3",
        "card = [",
    ],
)
def test_bad_decks_are_refused(text):
    with pytest.raises(DataError):
        read_cards(text)


def test_bad_tables_are_refused():
    with pytest.raises(DataError):
        read_effects("margin_per_level = 3\n[[level]]\ndamage = [1, 2]")
    with pytest.raises(DataError):
        read_edges("[[edge]]\nkey='a'\nname='a'\ncost=3")


def test_card_names():
    assert card("9h") == card("9H")
    assert c.card_number(DECK, "9 of hearts") == card("9H")
    with pytest.raises(InvalidInput):
        c.card_number(DECK, "11H")


@pytest.mark.rule("FE-DECK-03", "FE-DECK-06", "FE-DECK-07")
def test_what_no_card_may_do():
    house = tuple(replace(one, replaces=one.key != "2C") for one in DECK)
    for wrong, sentence in (
        (lambda: c.worth(DECK, played("5H", "2C")), "Only an Ace can link"),
        (lambda: c.reinforce(DECK, Active(), card("2C")), "no draw card to reinforce"),
        (lambda: c.substitute(DECK, Active(), card("KH")), "no draw card to replace"),
        (lambda: c.substitute(house, Active(draw=played("5H")), card("2C")), "can't replace"),
    ):
        with pytest.raises(Forbidden, match=sentence):
            wrong()


@pytest.mark.rule("FE-CHAL-02", "FE-CHAL-07", "FE-CHAL-08", "FE-DECK-03", "FE-DECK-08")
def test_a_side_lays_each_card_once_and_in_its_turn():
    one = seat(1, "5H 9H 8S", "2C 3C")
    held = seats.Buff("reinforce", card("2C"))
    drawn = replace(one, shown=replace(one.shown, active=Active(draw=played("5H"))))
    laid = replace(drawn, shown=replace(drawn.shown, buff="placed"))
    pushed = seats.place_push(one, DEFAULTS)
    for wrong, sentence in (
        (lambda: seats.reveal(one), "Select a card first"),
        (lambda: seats.take_link(drawn, DEFAULTS), "no Ace to link"),
        (lambda: seats.place_buff(laid, held, DEFAULTS), "only one Buff card"),
        (lambda: seats.place_push(pushed, DEFAULTS), "push only once"),
        (lambda: seats.sit(1, prepared(), replace(stacked(), draw_hand=(card("5H"),))), "Finish the current"),
        (lambda: d.discard(stacked(), (card("5H"),)), "a card from the Draw Hand or the table"),
    ):
        with pytest.raises(Forbidden, match=sentence):
            wrong()
