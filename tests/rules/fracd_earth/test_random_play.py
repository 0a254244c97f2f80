"""Many Challenges played at random from two shuffled decks: nothing is lost, nothing leaks, all ends."""

import random

import pytest

from rules.dice import Roller
from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth import challenge as ch
from rules.systems.fracd_earth import checks, store
from rules.systems.fracd_earth import deck as d
from rules.systems.fracd_earth import detection as hid
from rules.systems.fracd_earth import seat as seats
from rules.systems.fracd_earth.cards import card_number
from rules.systems.fracd_earth.challenge import choices
from rules.systems.fracd_earth.seat import Buff
from rules.systems.fracd_earth.settings import DEFAULTS, Settings
from tests.rules.fracd_earth.build import assert_whole, finished, prepared


class _Random:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def faces(self, n, sides, label):
        return [self.random.randint(1, sides) for _ in range(n)]


def _order(roller, c, player, count=1):
    deck = c.seat(ch.role_of(c, player)).hidden.deck
    return roller.shuffle(d.shortfall(deck, count), "shuffle")


def _moves(c, player, settings, roller):
    """Everything that this player might try now, legal or not, as calls."""
    view = choices(c, player, settings)
    count = c.seat(ch.role_of(c, player)).entry.draw.cards
    number = lambda key: card_number(settings.deck, key)  # noqa: E731
    yield lambda: ch.draw(c, player, settings, _order(roller, c, player, count))
    for key in view.selectable:
        yield lambda key=key: ch.select(c, player, number(key), settings)
    yield lambda: ch.take_link(c, player, settings, _order(roller, c, player))
    for key in view.linkable:
        yield lambda key=key: ch.link(c, player, number(key), settings)
    for option in view.options:
        yield lambda option=option: ch.buff(c, player, Buff(option.kind, number(option.card)), settings)
    yield lambda: ch.pass_step(c, player, settings)
    yield lambda: ch.push(c, player, settings, _order(roller, c, player))


def _play(decks, chance, roller, settings):
    nets = [chance.randint(-5, 5) for _ in decks]
    a, r = (
        seats.sit(place, prepared(net, 4, settings), deck, combined=chance.random() < 0.3)
        for place, (net, deck) in enumerate(zip(nets, decks, strict=True), 1)
    )
    c = ch.begin(a, r)
    for _ in range(60):
        if c.final is not None:
            break
        assert store.read(ch.Challenge, store.write(c)) == c
        _nothing_leaks(c, settings)
        tried = [move for player in (1, 2) for move in _moves(c, player, settings, roller)]
        chance.shuffle(tried)
        before = c
        for move in tried:
            try:
                c = move()
            except Forbidden:
                continue
            break
        assert c != before, "somebody can always do something"
    totals = ch.totals(c, settings)
    assert ch.result(c).margin == totals[0] - totals[1]
    return finished(c)


def _nothing_leaks(c, settings):
    """A player's choices are the same whatever the other one holds."""
    for player, role in ((1, "active"), (2, "reactive")):
        mine, theirs = c.seat(role), c.seat(ch.OTHER[role])
        swapped = seats.Hidden(
            d.Deck(
                theirs.hidden.deck.draw_hand[::-1] + theirs.hidden.deck.pile[::-1],
                buff_hand=(),
                pushes=theirs.hidden.deck.pushes,
            )
        )
        own = choices(c, player, settings)
        other = seats.Seat(theirs.entry, theirs.shown, swapped)
        changed = ch.Challenge(
            **{role: mine, ch.OTHER[role]: other},
            step=c.step,
            turn=c.turn,
            placed=c.placed,
            final=c.final,
        )
        again = choices(changed, player, settings)
        assert own == again


def _games(settings, seed, rounds=12):
    chance, roller = random.Random(seed), Roller(_Random(seed))
    decks = [d.start(roller.shuffle(54, "deck"), settings) for _ in range(2)]
    for _ in range(rounds):
        decks = list(_play(decks, chance, roller, settings))
        decks = [d.refill(each, settings, roller.shuffle(d.shortfall(each, 5), "shuffle")) for each in decks]
        for deck in decks:
            assert_whole(deck, settings)
            assert len(deck.buff_hand) >= settings.buff_hand_size


def test_random_challenges():
    for seed in range(4):
        _games(DEFAULTS, seed)


def test_random_challenges_by_other_readings():
    _games(Settings(ace_link="top_card"), 3)
    _games(Settings(penalty_hand="fewer", push_tokens=0), 4)


def test_wrong_cards_are_refused_everywhere():
    c = ch.begin(
        seats.sit(1, prepared(), d.start(tuple(range(54)), DEFAULTS)),
        seats.sit(2, prepared(), d.start(tuple(range(54)), DEFAULTS)),
    )
    for wrong in (
        lambda: ch.select(c, 1, 99, DEFAULTS),
        lambda: ch.link(c, 1, 3, DEFAULTS),
        lambda: ch.buff(c, 1, Buff("reinforce", 99), DEFAULTS),
        lambda: ch.buff(c, 1, Buff("juggle", 3), DEFAULTS),
        lambda: ch.push(c, 1, DEFAULTS),
        lambda: ch.morph(c, 1, 3),
        lambda: ch.result(c),
        lambda: ch.draw(c, 9, DEFAULTS),
    ):
        with pytest.raises((Forbidden, InvalidInput)) as refusal:
            wrong()
        assert refusal.value.sentence


def test_checks_and_tokens_are_saved():
    side = seats.sit(1, prepared(2), d.start(tuple(range(54)), DEFAULTS))
    check = checks.draw(checks.begin(side, 12, all_or_nothing=True), DEFAULTS)
    assert store.read(checks.Check, store.write(check)) == check
    token = hid.detect(hid.token_set(1, 1, 7, (0, 1, 2)), 1, 3, (2, 3)).tokens[0]
    assert store.read(hid.Token, store.write(token)) == token
