from dataclasses import replace

import pytest

from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth import challenge as ch
from rules.systems.fracd_earth import store
from rules.systems.fracd_earth.challenge import choices
from rules.systems.fracd_earth.deck import Deck, shortfall
from rules.systems.fracd_earth.outcomes import attack_result
from rules.systems.fracd_earth.seat import Buff
from rules.systems.fracd_earth.settings import DEFAULTS, Settings
from tests.rules.fracd_earth.build import card, cards, finished, seat, stacked

A, R = 1, 2


def opened(a_top, r_top, a=None, r=None, settings=DEFAULTS, **kwargs):
    """Both drew one card or more and selected their first one."""
    a, r = {"net": 0} | (a or {}), {"net": 0} | (r or {})
    c = ch.begin(seat(A, a_top, settings=settings, **a), seat(R, r_top, settings=settings, **r), **kwargs)
    for player in (A, R):
        c = ch.draw(c, player, settings)
    c = ch.select(c, A, card(a_top.split()[0], settings), settings)
    return ch.select(c, R, card(r_top.split()[0], settings), settings)


def both_pass(c, settings=DEFAULTS):
    for _ in range(2):
        player = c.seat(c.turn).entry.player
        c = ch.pass_step(c, player, settings)
    return c


def lay(c, player, kind, key, settings=DEFAULTS, **kwargs):
    return ch.buff(c, player, Buff(kind, card(key, settings), **kwargs), settings)


@pytest.mark.rule("FE-CHAL-10", "FE-CHAL-03", "FE-OUT-04")
def test_worked_challenge():
    start = ch.begin(seat(A, "9H 3C", net=1, trait=5), seat(R, "5C 2D", "4S 7S", net=1, trait=5))
    c = ch.draw(ch.draw(start, A, DEFAULTS), R, DEFAULTS)
    assert len(c.active.hidden.deck.draw_hand) == len(c.reactive.hidden.deck.draw_hand) == 2
    c = ch.select(c, A, card("9H"), DEFAULTS)
    assert c.step == "draw"
    c = ch.select(c, R, card("5C"), DEFAULTS)
    assert ch.totals(c, DEFAULTS) == (14, 10)
    assert c.turn == "reactive"
    tie = ch.pass_step(lay(c, R, "reinforce", "4S"), A, DEFAULTS)
    assert ch.totals(tie, DEFAULTS) == (14, 14)
    other = ch.pass_step(lay(c, R, "replace", "7S"), A, DEFAULTS)
    assert ch.totals(other, DEFAULTS) == (14, 12)
    end = both_pass(both_pass(c))
    result = ch.result(end)
    assert (result.margin, result.edges) == (4, 1)
    assert attack_result(result, DEFAULTS).hit


@pytest.mark.rule("FE-CHAL-02", "FE-DRAW-04")
def test_draw_and_select():
    c = ch.begin(seat(A, "9H 3C", net=1), seat(R, "5C"))
    with pytest.raises(Forbidden):
        ch.select(c, A, card("9H"), DEFAULTS)
    c = ch.draw(c, A, DEFAULTS)
    with pytest.raises(Forbidden):
        ch.draw(c, A, DEFAULTS)
    with pytest.raises(Forbidden):
        ch.select(c, A, card("KS"), DEFAULTS)
    c = ch.select(c, A, card("3C"), DEFAULTS)  # any card, the lower one too
    assert c.active.shown.active.draw is None
    with pytest.raises(Forbidden):
        ch.select(c, A, card("9H"), DEFAULTS)
    with pytest.raises(Forbidden):
        ch.pass_step(c, A, DEFAULTS)
    c = ch.select(ch.draw(c, R, DEFAULTS), R, card("5C"), DEFAULTS)
    assert c.active.shown.active.draw.card == card("3C")
    assert c.reactive.shown.active.draw.card == card("5C")
    with pytest.raises(Forbidden):
        ch.draw(c, 3, DEFAULTS)
    with pytest.raises(InvalidInput):
        ch.begin(seat(A), seat(A))


@pytest.mark.rule("FE-DRAW-03")
def test_penalty_hand_uses_lowest():
    c = ch.draw(ch.begin(seat(A, "9H 3C 5D", net=-2), seat(R, "5C")), A, DEFAULTS)
    with pytest.raises(Forbidden):
        ch.select(c, A, card("9H"), DEFAULTS)
    assert ch.select(c, A, card("3C"), DEFAULTS).active.hidden.selected == card("3C")


@pytest.mark.rule("FE-DRAW-03")
def test_opponent_picks_from_penalty_hand():
    s = Settings(penalty_hand="opponent_picks")
    c = ch.begin(seat(A, "9H 3C", net=-1, settings=s), seat(R, "5C", settings=s))
    c = ch.draw(ch.draw(c, A, s), R, s)
    with pytest.raises(Forbidden):
        ch.select(c, A, card("3C"), s)
    assert choices(c, A, s).selectable == ()
    c = ch.select(c, R, card("5C"), s)
    view = choices(c, R, s)
    assert view.picks_for_opponent
    assert view.selectable == ("9H", "3C")
    c = ch.select(c, R, card("3C"), s)
    assert c.active.shown.active.draw.card == card("3C")


@pytest.mark.rule("FE-CHAL-04")
def test_loser_buffs_first_reactive_on_ties():
    assert opened("9H", "5C").turn == "reactive"
    assert opened("4H", "5C").turn == "active"
    c = opened("5H", "5C", a={"buff": "KS"}, r={"buff": "KD"})
    assert c.turn == "reactive"
    with pytest.raises(Forbidden):
        lay(c, A, "replace", "KS")
    with pytest.raises(Forbidden):
        ch.pass_step(c, A, DEFAULTS)
    with pytest.raises(Forbidden):
        lay(c, R, "replace", "KS")  # a card of the other player's hand
    after = lay(c, R, "replace", "KD")
    assert after.turn == "active"
    assert ch.totals(after, DEFAULTS) == (5, 5)  # face down until the step ends


@pytest.mark.rule("FE-CHAL-05")
def test_passing_a_buff_is_not_final():
    c = opened("9H", "5C", a={"buff": "KS"}, r={"buff": "KD QD"})
    c = ch.pass_step(c, R, DEFAULTS)
    c = lay(c, A, "replace", "KS")
    assert (c.step, c.turn) == ("buff", "reactive")
    c = lay(c, R, "replace", "KD")
    assert c.step == "push"
    assert ch.totals(c, DEFAULTS) == (10, 10)
    done = both_pass(opened("9H", "5C"))
    assert done.step == "push"


@pytest.mark.rule("FE-DECK-08")
def test_one_buff_card_each():
    c = opened("9H", "5C", r={"buff": "4D 3D"})
    c = lay(c, R, "reinforce", "4D")
    c = ch.pass_step(c, A, DEFAULTS)
    assert c.step == "push"
    with pytest.raises(Forbidden):
        lay(c, R, "reinforce", "3D")


@pytest.mark.rule("FE-CHAL-06", "FE-CHAL-07")
def test_push_step():
    c = both_pass(opened("9H KC", "5C 3C QC", r={"trait": 0}))
    assert c.turn == "reactive"
    with pytest.raises(Forbidden):
        ch.push(c, A, DEFAULTS)
    c = ch.pass_step(c, R, DEFAULTS)
    c = ch.push(c, A, DEFAULTS)
    assert c.turn == "reactive"  # it passed, and may answer
    assert ch.totals(c, DEFAULTS) == (9, 5)
    c = ch.push(c, R, DEFAULTS)
    assert c.step == "resolve"
    assert ch.totals(c, DEFAULTS) == (19, 8)
    assert ch.result(c).margin == 11
    assert (c.active.hidden.deck.pushes, c.reactive.hidden.deck.pushes) == (1, 1)
    broke = both_pass(opened("9H", "5C", r={"pushes": 0}))
    with pytest.raises(Forbidden):
        ch.push(broke, R, DEFAULTS)


@pytest.mark.rule("FE-CHAL-08", "FE-DECK-07")
def test_discard_step():
    c = opened("9H 3C", "5C", a={"net": 1}, r={"buff": "KD QD"})
    c = ch.pass_step(lay(c, R, "replace", "KD"), A, DEFAULTS)
    assert card("5C") in c.reactive.hidden.deck.discards
    mine, theirs = finished(both_pass(c))
    assert mine.discards == cards("9H 3C")
    assert set(theirs.discards) == set(cards("5C KD"))
    assert theirs.buff_hand == cards("QD")


@pytest.mark.rule("FE-DECK-03")
def test_ace_takes_the_top_card_and_links_one_of_the_buff_hand():
    c = opened("AS 8H", "5C 2H", a={"buff": "2C JC"})
    assert ch.linker(c, DEFAULTS) == "active"
    with pytest.raises(Forbidden):
        ch.pass_step(c, R, DEFAULTS)
    with pytest.raises(Forbidden):
        ch.link(c, A, card("JC"), DEFAULTS)  # the top card comes first
    with pytest.raises(Forbidden):
        ch.take_link(c, R, DEFAULTS)
    c = ch.take_link(c, A, DEFAULTS)
    assert c.active.hidden.deck.buff_hand == cards("2C JC 8H")
    with pytest.raises(Forbidden):
        ch.take_link(c, A, DEFAULTS)
    c = ch.link(c, A, card("JC"), DEFAULTS)
    assert ch.totals(c, DEFAULTS) == (11, 5)
    assert c.turn == "reactive"
    assert set(finished(both_pass(both_pass(c)))[0].discards) == set(cards("AS JC"))


@pytest.mark.rule("FE-DECK-03")
def test_ace_on_the_top_card():
    s = Settings(ace_link="top_card")
    c = ch.take_link(opened("AS 8H", "5C", a={"buff": "KC"}, settings=s), A, s)
    assert ch.totals(c, s) == (9, 5)


@pytest.mark.rule("FE-CHAL-07")
def test_pushed_ace_links():
    c = both_pass(opened("9H", "5C AD 7C", r={"buff": "2C"}))
    c = ch.push(c, R, DEFAULTS)
    c = ch.pass_step(c, A, DEFAULTS)
    with pytest.raises(Forbidden):
        ch.result(c)
    c = ch.link(ch.take_link(c, R, DEFAULTS), R, card("7C"), DEFAULTS)
    assert ch.totals(c, DEFAULTS) == (9, 13)
    assert ch.result(c).margin == -4


def _blocks(*keys):
    deck = tuple(replace(each, blocks=each.key in keys) for each in DEFAULTS.deck)
    return Settings(deck=deck)


@pytest.mark.rule("FE-DECK-10")
def test_block_removes_a_card():
    s = _blocks("2D")
    c = opened("9H", "5C", r={"buff": "2D 3D"}, a={"buff": "4C"}, settings=s)
    with pytest.raises(Forbidden):
        lay(c, R, "block", "3D", s)
    with pytest.raises(Forbidden):
        lay(c, R, "block", "2D", s, target="buff")
    c = lay(c, R, "block", "2D", s)
    c = lay(c, A, "reinforce", "4C", s)
    assert ch.totals(c, s) == (4, 5)  # the reinforcement stays
    assert card("9H") in c.active.hidden.deck.discards
    alone = ch.pass_step(lay(opened("9H", "5C", r={"buff": "2D"}, settings=s), R, "block", "2D", s), A, s)
    assert ch.totals(alone, s) == (0, 5)
    assert set(finished(both_pass(alone, s))[1].discards) == set(cards("5C 2D"))


@pytest.mark.rule("FE-DECK-10")
def test_block_removes_a_linked_pair_and_buffs():
    s = _blocks("2D")
    c = opened("AS", "5C", a={"buff": "KC"}, r={"buff": "2D"}, settings=s)
    c = ch.link(ch.take_link(c, A, s), A, card("KC"), s)
    c = ch.pass_step(lay(c, R, "block", "2D", s), A, s)
    assert ch.totals(c, s) == (0, 5)
    assert set(cards("AS KC")) <= set(c.active.hidden.deck.discards)
    c = opened("4H", "5C", a={"buff": "4C"}, r={"buff": "2D"}, settings=s)
    c = lay(lay(c, A, "reinforce", "4C", s), R, "block", "2D", s, target="buff")
    assert ch.totals(c, s) == (4, 5)


@pytest.mark.rule("FE-DECK-09")
def test_draw_reinforce_of_a_group():
    c = opened("9H 4C", "KC", a={"net": 1, "combined": True})
    c = ch.pass_step(lay(c, A, "reinforce", "4C"), R, DEFAULTS)
    assert ch.totals(c, DEFAULTS) == (13, 10)
    alone = opened("9H 4C", "KC", a={"net": 1})
    with pytest.raises(Forbidden):
        lay(alone, A, "reinforce", "4C")
    with pytest.raises(Forbidden):
        lay(opened("4H 9C", "KC", a={"net": 1, "combined": True}), A, "reinforce", "4H")


@pytest.mark.rule("FE-CHAL-09")
def test_morph():
    c = both_pass(both_pass(opened("9H 4C", "KC", a={"net": 1, "caster": True})))
    with pytest.raises(Forbidden):
        ch.morph(c, A, card("9H"))
    with pytest.raises(Forbidden):
        ch.morph(c, R, card("KC"))
    morphed = ch.morph(c, A, card("4C"))
    assert morphed.active.shown.morphed == cards("4C")
    assert ch.result(morphed) == ch.result(c)
    with pytest.raises(Forbidden):
        ch.morph(morphed, A, card("4C"))
    assert ch.morph_text(Settings(morph="turns into water")) == "turns into water"


def _states(a_top, r_top, a_buff, r_buff, a_key, r_key, a_laid, r_laid):
    c = ch.begin(seat(A, a_top, a_buff, net=1), seat(R, r_top, r_buff, net=1))
    yield c
    for player in (A, R):
        c = ch.draw(c, player, DEFAULTS)
        yield c
    c = ch.select(c, A, card(a_key), DEFAULTS)
    yield c
    flipped = ch.select(c, R, card(r_key), DEFAULTS)
    yield flipped
    c = lay(flipped, R, "replace", r_laid)
    yield c
    c = lay(c, A, "replace", a_laid)
    yield c
    first = c.turn
    c = ch.push(c, c.seat(first).entry.player, DEFAULTS)
    yield c


def test_choices_do_not_depend_on_what_the_other_holds():
    """Two games alike in all that lies face up and in what Active holds, at every step."""
    one = list(_states("9H 3C KD", "5C 2D QH", "8S JC", "7S 6C", "9H", "5C", "8S", "7S"))
    two = list(_states("9H 3C KD", "5C 8D 3H", "8S JC", "7S QC", "9H", "5C", "8S", "7S"))
    for left, right in zip(one, two, strict=True):
        assert left != right
        assert choices(left, A, DEFAULTS) == choices(right, A, DEFAULTS)


def test_choices_are_those_of_the_own_hands():
    c = list(_states("9H 3C KD", "5C 2D QH", "8S JC", "7S 6C", "9H", "5C", "8S", "7S"))[3]
    assert choices(c, A, DEFAULTS).selectable == ()
    assert choices(c, R, DEFAULTS).selectable == ("5C", "2D")
    with pytest.raises(Forbidden):
        choices(c, 3, DEFAULTS)


def test_options_are_what_the_rules_take():
    c = opened("9H", "5C", r={"buff": "4D 6D 8D"})
    found = {(each.kind, each.card) for each in choices(c, R, DEFAULTS).options}
    # 4 joins an equal or higher 5; 6 joins an equal or lower card: 5 is lower; 8 joins nothing
    assert found == {
        ("reinforce", "4D"),
        ("reinforce", "6D"),
        *(("replace", key) for key in ("4D", "6D", "8D")),
    }
    assert choices(c, A, DEFAULTS).options == ()


def test_saved_and_read_again():
    for state in _states("9H 3C KD", "5C 2D QH", "8S JC", "7S 6C", "9H", "5C", "8S", "7S"):
        assert store.read(ch.Challenge, store.write(state)) == state
        for other in ('"rest"', "[]", "1"):
            with pytest.raises(InvalidInput):
                store.read(
                    ch.Challenge, store.write(state).replace(f'"step":"{state.step}"', f'"step":{other}')
                )
    assert store.read(Deck, store.write(stacked("9H"))) == stacked("9H")
    for bad in ("", "[]", "{}", '{"pile": [true]}', store.write(stacked()).replace("[", '["x",', 1)):
        with pytest.raises(InvalidInput):
            store.read(Deck, bad)


def test_reshuffle_within_a_challenge():
    full = stacked("9H")
    low = replace(full, pile=full.pile[:1], discards=full.pile[1:])
    active = seat(A, "9H")
    active = replace(active, hidden=replace(active.hidden, deck=low))
    c = ch.draw(ch.begin(active, seat(R, "5C")), A, DEFAULTS)
    c = ch.select(ch.draw(c, R, DEFAULTS), A, card("9H"), DEFAULTS)
    c = both_pass(ch.select(c, R, card("5C"), DEFAULTS))
    c = ch.pass_step(c, R, DEFAULTS)
    assert shortfall(c.active.hidden.deck, 1) == 53
    with pytest.raises(InvalidInput):
        ch.push(c, A, DEFAULTS)
    c = ch.push(c, A, DEFAULTS, tuple(range(53)))
    assert len(c.active.hidden.deck.pile) == 52
