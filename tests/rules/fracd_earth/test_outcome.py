import pytest

from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth.outcomes import (
    AttackResult,
    Budget,
    ChallengeResult,
    allowed,
    attack_result,
    counterattack,
    edges,
    extra_target_refusal,
    inactive_target_result,
    must_counter,
    purchase,
    usable_edges,
)
from rules.systems.fracd_earth.settings import DEFAULTS, Settings
from tests.rules.fracd_earth.build import figure


@pytest.mark.rule("FE-OUT-05", "FE-OUT-04")
@pytest.mark.parametrize(
    ("margin", "count"), [(0, 0), (2, 0), (3, 1), (5, 1), (6, 2), (8, 2), (9, 3), (-4, 0)]
)
def test_edges(margin, count):
    assert edges(margin) == count
    if margin > 0:
        assert attack_result(ChallengeResult(margin), DEFAULTS) == AttackResult(True, 0, count)


@pytest.mark.rule("FE-OUT-03")
def test_active_wins_narrowly():
    for margin in (1, 2):
        result = ChallengeResult(margin)
        assert (result.edges, result.success) == (0, True)
        assert attack_result(result, DEFAULTS) == AttackResult(True)


@pytest.mark.rule("FE-OUT-06", "FE-OUT-07")
def test_reactive_wins():
    for margin, count in ((-1, 0), (-2, 0), (-3, 1), (-7, 2)):
        result = ChallengeResult(margin)
        assert (result.edges, result.success) == (count, False)
        assert attack_result(result, DEFAULTS) == AttackResult(False, 0, 0, count)


@pytest.mark.rule("FE-OUT-01", "FE-DEF-03")
def test_tie():
    tie = ChallengeResult(0)
    assert (tie.partial, tie.success, tie.edges) == (True, True, 0)
    assert attack_result(tie, DEFAULTS) == AttackResult(True, column_shift=-1)
    assert attack_result(tie, Settings(tie_rule="defender_wins")) == AttackResult(False)


@pytest.mark.rule("FE-OUT-02")
def test_tie_all_or_nothing():
    tie = ChallengeResult(0, all_or_nothing=True)
    assert not tie.success
    assert attack_result(tie, DEFAULTS) == AttackResult(False)
    assert ChallengeResult(1, all_or_nothing=True).success


@pytest.mark.rule("FE-DEF-02")
def test_inactive_target():
    assert inactive_target_result(9) == AttackResult(False)
    assert inactive_target_result(10) == AttackResult(True, column_shift=-1)
    assert inactive_target_result(13) == AttackResult(True, 0, 1)
    assert not inactive_target_result(10, all_or_nothing=True).hit


@pytest.mark.rule("FE-DEF-04", "FE-DEF-05")
def test_counterattack():
    assert counterattack(14, 23, 6).edges == 1  # 23 - 14 - 6 = 3
    assert counterattack(14, 28, 6).edges == 2  # 8 left
    assert counterattack(14, 20, 6).edges == 0
    assert counterattack(14, 19, 6) is None
    assert counterattack(14, 23, 6, able=False) is None
    with pytest.raises(Forbidden, match="20"):
        must_counter(14, 19, 6, able=True)
    with pytest.raises(Forbidden):
        must_counter(14, 23, 6, able=False)
    with pytest.raises(InvalidInput):
        counterattack(1, 2, 31)


@pytest.mark.rule("FE-RCH-02")
def test_no_counter_to_a_wild_strike():
    assert counterattack(14, 23, 6, wild_strike=True) is None
    with pytest.raises(Forbidden):
        must_counter(14, 23, 6, able=True, wild_strike=True)


def bought(count, *wanted, settings=DEFAULTS, give_up=False, **kwargs):
    return purchase(Budget(count, **kwargs), wanted, settings, give_up_primary=give_up)


@pytest.mark.rule("FE-OUT-08")
def test_list_of_edges():
    costs = {kind.key: kind.cost for kind in DEFAULTS.edges}
    assert costs == {"abuse": 1, "extra_abuse": 2, "extra_hit": 2, "extra_target": 2, "move": 1}
    with pytest.raises(Forbidden):
        bought(2, "extra_abuse")
    assert bought(2, "extra_abuse", listed=("extra_abuse",)).column_shift == 2
    with pytest.raises(InvalidInput):
        bought(2, "flight")
    assert [key for key in costs if allowed(Budget(0), (key,), DEFAULTS)] == ["move"]


@pytest.mark.rule("FE-OUT-09")
def test_swapping_the_primary_success():
    win_by_1 = bought(0, "move")
    assert (win_by_1.keeps_primary, win_by_1.hits, win_by_1.inches) == (False, 0, 2)
    win_by_3 = bought(1, "abuse")
    assert (win_by_3.keeps_primary, win_by_3.hits, win_by_3.column_shift, win_by_3.edges_left) == (
        True,
        1,
        1,
        0,
    )
    two_for_two = bought(1, "extra_target")
    assert (two_for_two.keeps_primary, two_for_two.targets) == (False, 1)
    with pytest.raises(Forbidden):
        bought(0, "extra_target")
    with pytest.raises(Forbidden):
        bought(1, "move", "extra_hit")
    two_edges = bought(2, "extra_target")
    assert (two_edges.keeps_primary, two_edges.edges_left) == (True, 0)
    strict = bought(2, "extra_target", settings=Settings(two_edges_keep_hit=False))
    assert (strict.keeps_primary, strict.edges_left) == (False, 1)
    chosen = bought(1, "move", give_up=True)
    assert (chosen.keeps_primary, chosen.edges_left) == (False, 1)


@pytest.mark.rule("FE-OUT-10")
def test_abuse_once_and_not_both():
    with pytest.raises(Forbidden):
        bought(4, "abuse", "abuse")
    with pytest.raises(Forbidden):
        bought(4, "abuse", "extra_abuse", listed=("extra_abuse",))
    with pytest.raises(Forbidden):
        bought(0, "abuse")  # it would cost the hit it needs


@pytest.mark.rule("FE-OUT-11", "FE-TEAM-02")
def test_extra_hit():
    assert bought(2, "extra_hit").hits == 2
    assert bought(4, "extra_hit", "extra_hit").hits == 3
    with pytest.raises(Forbidden):
        bought(4, "extra_hit", "extra_hit", repeatable=())
    # One Edge and the primary hit would pay the two that it costs, and leave one hit as before.
    for count, team, give_up in ((1, False, False), (0, True, False), (2, False, True)):
        with pytest.raises(Forbidden, match="only if you keep the primary hit"):
            bought(count, "extra_hit", team=team, give_up=give_up)
    with pytest.raises(Forbidden, match="only if you keep the primary hit"):
        bought(2, "extra_hit", "move")
    alone = bought(2, "extra_hit", settings=Settings(two_edges_keep_hit=False))
    assert (alone.hits, alone.edges_left) == (2, 0)
    team = bought(2, "extra_hit", "extra_hit", team=True)
    assert (team.hits, team.edges_left, team.keeps_primary) == (3, 0, True)


@pytest.mark.rule("FE-OUT-12")
def test_extra_target():
    extra_target_refusal("shoot", 3, 20, 0)
    with pytest.raises(Forbidden):
        extra_target_refusal("shoot", 3.5, 20, 0)
    extra_target_refusal("fight", 9, 1, 1)
    with pytest.raises(Forbidden):
        extra_target_refusal("fight", 1, 1.5, 1)
    assert bought(2, "extra_target").targets == 1


@pytest.mark.rule("FE-CREW-02")
def test_minions_have_no_edges_against_others():
    minion, other = figure(rank="minion"), figure(2)
    assert usable_edges(3, minion, other) == 0
    assert usable_edges(3, minion, figure(3, rank="minion")) == 3
    assert usable_edges(3, other, minion) == 3
