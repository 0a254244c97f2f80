import pytest

from rules.refusals import Forbidden
from rules.systems.infinity.reactions import (
    Activation,
    Exposure,
    Reaction,
    Window,
    allowed_reaction,
    aro_window,
    may_wait,
)
from rules.systems.infinity.settings import Settings, SixthSenseDelay
from rules.systems.infinity.trooper import Handicap, answers_unseen, ignores, in_zone

SEEN, NEAR, FAR = Exposure(True, 30), Exposure(False, 8), Exposure(False, 8.1)
L1, L2, BOTH = frozenset({1}), frozenset({2}), frozenset({1, 2})


@pytest.mark.rule("INF-ORD-06")
def test_the_zone_of_control():
    assert in_zone(0)
    assert in_zone(8)
    assert not in_zone(8.01)


@pytest.mark.rule("INF-ORD-05")
def test_when_an_aro_is_declared():
    assert aro_window(Activation(SEEN)) is aro_window(Activation(NEAR)) is Window.FIRST
    assert aro_window(Activation(FAR)) is Window.NONE
    # who could react to the first Skill has none against the second; who could not declares then
    assert aro_window(Activation(SEEN, SEEN)) is Window.FIRST
    assert aro_window(Activation(FAR, SEEN)) is Window.SECOND
    assert aro_window(Activation(FAR, FAR)) is Window.NONE
    with pytest.raises(Forbidden, match="only delay an ARO"):
        aro_window(Activation(SEEN, SEEN, waited=True))


@pytest.mark.rule("INF-ORD-05")
def test_without_line_of_fire_only_what_needs_none():
    assert allowed_reaction(SEEN, attacked=False) is Reaction.ANY
    assert allowed_reaction(NEAR, attacked=True) is Reaction.BLIND


@pytest.mark.rule("INF-ORD-07")
def test_waiting_for_a_marker():
    waiting = Activation(NEAR, NEAR, marker=True, waited=True)
    assert may_wait(waiting)
    assert aro_window(waiting) is Window.NONE
    assert aro_window(Activation(NEAR, NEAR, marker=True, revealed=True, waited=True)) is Window.SECOND
    # without announcing the wait the moment is the first
    assert aro_window(Activation(NEAR, NEAR, marker=True, revealed=True)) is Window.FIRST


@pytest.mark.rule("INF-SIX-06")
def test_sixth_sense_delays():
    strict = Settings(sixth_sense_delay=SixthSenseDelay.LOST_IF_UNREVEALED)
    figure = Activation(NEAR, NEAR, waited=True, sixth_sense=L1)
    assert aro_window(figure) is aro_window(figure, strict) is Window.SECOND
    marker = Activation(NEAR, NEAR, marker=True, waited=True, sixth_sense=L1)
    assert aro_window(marker) is Window.SECOND
    assert aro_window(marker, strict) is Window.NONE
    # farther off it waits as anybody does, and loses the ARO with the Marker's second secret Skill
    assert aro_window(Activation(SEEN, SEEN, marker=True, waited=True, sixth_sense=L1)) is Window.NONE
    with pytest.raises(Forbidden):
        aro_window(Activation(SEEN, SEEN, waited=True, sixth_sense=L1))
    # Level 2 alone does not list the delay
    with pytest.raises(Forbidden):
        aro_window(Activation(NEAR, NEAR, waited=True, sixth_sense=L2))
    # a second Skill that is no attack leaves only what needs no line of fire
    assert allowed_reaction(NEAR, attacked=False, sixth_sense=L1) is Reaction.BLIND


@pytest.mark.rule("INF-SIX-01", "INF-SIX-02")
def test_level_one_answers_attacks_from_its_zone():
    assert answers_unseen(L1, 6, attacked=True)
    assert not answers_unseen(L1, 6, attacked=False)
    assert not answers_unseen(L1, 8.1, attacked=True)
    assert not answers_unseen(frozenset(), 6, attacked=True)
    assert allowed_reaction(NEAR, attacked=True, sixth_sense=L1) is Reaction.ANSWER
    assert allowed_reaction(FAR, attacked=True, sixth_sense=L1) is Reaction.BLIND


@pytest.mark.rule("INF-SIX-09", "INF-SIX-10")
def test_level_two_answers_attacks_at_any_distance():
    assert answers_unseen(L2, 40, attacked=True)
    assert not answers_unseen(L2, 40, attacked=False)
    assert allowed_reaction(FAR, attacked=True, sixth_sense=BOTH) is Reaction.ANSWER


@pytest.mark.rule("INF-SIX-03", "INF-SIX-04", "INF-SIX-05", "INF-SIX-07", "INF-SIX-11", "INF-SIX-12")
@pytest.mark.parametrize("handicap", list(Handicap))
def test_what_is_ignored(handicap):
    assert ignores(L1, handicap, 8)
    assert not ignores(L1, handicap, 9)
    assert not ignores(frozenset(), handicap, 1)
    listed = handicap is not Handicap.SURPRISE_ATTACK
    assert ignores(L2, handicap, 9) is listed
    assert ignores(L2, handicap, 1) is listed
    assert ignores(BOTH, handicap, 1)
