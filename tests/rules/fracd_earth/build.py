"""Decks stacked by hand, seats and figures for the tests."""

from rules.systems.fracd_earth import chances
from rules.systems.fracd_earth import seat as seats
from rules.systems.fracd_earth.cards import card_number
from rules.systems.fracd_earth.deck import Deck, Prepared, draw_for
from rules.systems.fracd_earth.profile import Figure, Profile
from rules.systems.fracd_earth.settings import DEFAULTS
from rules.systems.fracd_earth.weapons import read_weapon


def cards(text, settings=DEFAULTS):
    return tuple(card_number(settings.deck, key) for key in text.split())


def card(key, settings=DEFAULTS):
    return card_number(settings.deck, key)


def stacked(top="", buff="", pushes=2, settings=DEFAULTS):
    """A whole deck: these cards on top of the pile, these in the Buff Hand, all others below in order."""
    first, held = cards(top, settings), cards(buff, settings)
    rest = tuple(n for n in range(len(settings.deck)) if n not in first and n not in held)
    return Deck((*first, *rest), buff_hand=held, pushes=pushes)


def prepared(net=0, trait=0, settings=DEFAULTS):
    draw = draw_for(net, settings)
    return Prepared(draw, trait + draw.points, (), ())


def seat(player, top="", buff="", net=0, trait=0, pushes=2, settings=DEFAULTS, **kwargs):
    return seats.sit(player, prepared(net, trait, settings), stacked(top, buff, pushes, settings), **kwargs)


def figure(number=1, side=1, damage=0, conditions=(), sustained=0, second_damage=0, **kwargs):
    traits = kwargs.pop("traits", {"cast": 3, "def": 5, "fight": 6, "manv": 4, "shoot": 5})
    resists = kwargs.pop("resists", {"body": 4, "mind": 3, "dp": 2, "de": 1})
    profile = Profile(
        kwargs.pop("name", f"Figure {number}"),
        traits=tuple(traits.items()),
        resists=tuple(resists.items()),
        **kwargs,
    )
    return Figure(number, side, profile, damage, second_damage, frozenset(conditions), sustained)


def finished(challenge):
    """The decks of the active and the reactive player once all that was used is discarded."""
    return tuple(seats.finish(each).hidden.deck for each in (challenge.active, challenge.reactive))


def assert_whole(deck, settings=DEFAULTS):
    """Every card of the deck is there exactly once."""
    assert sorted(deck.cards) == list(range(len(settings.deck)))


def kind_of(number, settings=DEFAULTS):
    """The kind of a card, as chances count them."""
    return chances.ACE if settings.deck[number].link else settings.deck[number].value


def faces_of(bag, kinds):
    """The faces with which a bag gives these kinds in this order."""
    left, faces = list(bag), []
    for kind in kinds:
        assert left[kind] > 0, "it is not left"
        faces.append(sum(left[:kind]) + 1)
        left[kind] -= 1
    return faces


RIFLE = read_weapon("5 // Rifle // - // Range 24 // 3 M vs dp")
PISTOL = read_weapon("4 // Pistol // - // Range 8 // 2 L vs dp")
SWORD = read_weapon("2 // Sword // - // Reach 1/2 // 2 M vs dp")
FISTS = read_weapon("1 // Fists // - // Reach 0 // 1 L vs dp")
SPEAR = read_weapon("2 // Spear // - // Reach 1 // 2 M vs dp")
PIKE = read_weapon("2 // Pike // - // Reach 2 // 2 M vs dp")
BOLT = read_weapon("spades // Bolt // - // Range 24 // 3 H vs mind")
