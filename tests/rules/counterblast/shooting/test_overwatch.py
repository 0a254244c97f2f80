from dataclasses import replace

import pytest

from rules.dice import Solver
from rules.effects import Assign, Lose
from rules.refusals import Forbidden
from rules.systems.counterblast.core.checks import Throw
from rules.systems.counterblast.core.conditions import ENDING_EVENTS, Event, end_conditions
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Condition
from rules.systems.counterblast.core.impacts import needs_handling
from rules.systems.counterblast.core.panic import (
    after_breaking_free,
    break_free,
    pin,
    prepare_breaking_free,
    wrestle_free,
)
from rules.systems.counterblast.shooting.shooting import Mark
from rules.systems.counterblast.shooting.special_attacks import (
    arc,
    go_on_overwatch,
    handle,
    may_strike_back,
    prepare_arc,
    prepare_handling,
    prepare_overwatch,
    prepare_slash_and_dash,
)
from rules.systems.counterblast.turn.activation import ACTION
from tests.rules.counterblast.arena import armed, reasons, weapon
from tests.rules.counterblast.field import model
from tests.rules.helpers import fed

RIFLE = "pulsar_rifle"
MOVING = model(2, 2, under=(Condition.ACTIVE,))


def waiting(*under):
    return armed(1, 1, RIFLE, agility="2D", under=(Condition.OVERWATCH, *under))


@pytest.mark.rule("CB-OVER-01")
def test_going_on_overwatch():
    (gained,) = go_on_overwatch(model())
    assert gained.condition == Condition.OVERWATCH
    assert ACTION["overwatch"].attack
    with pytest.raises(Forbidden, match="is engaged, so it can't go on Overwatch"):
        go_on_overwatch(armed(1, 1, engaged=(2,)))


@pytest.mark.rule("CB-OVER-02", "CB-HIDE-09")
def test_an_overwatch_shot_is_a_normal_one_at_the_active_enemy():
    ready = prepare_overwatch(waiting(), Mark(MOVING, weapon(RIFLE), 6)).shots[0]
    assert ready.shot.throws == (Throw(2, 0, 7),)
    hidden = prepare_overwatch(waiting(Condition.HIDDEN), Mark(MOVING, weapon(RIFLE), 6)).shots[0]
    assert hidden.shot.throws[0].pool == 3
    with pytest.raises(Forbidden, match="not on Overwatch"):
        prepare_overwatch(armed(1, 1, RIFLE), Mark(MOVING, weapon(RIFLE), 6))
    with pytest.raises(Forbidden, match="during its activation"):
        prepare_overwatch(waiting(), Mark(model(2, 2), weapon(RIFLE), 6))


@pytest.mark.rule("CB-OVER-03", "CB-COND-01")
def test_what_ends_overwatch_and_other_conditions():
    both = model(1, under=(Condition.OVERWATCH, Condition.PRONE))
    for event in (Event.WOUNDED, Event.ENGAGED, Event.ACTIVATED, Event.WENT_DOWN):
        assert end_conditions(both, event) == (Lose(1, Condition.OVERWATCH),)
    assert end_conditions(both, Event.STOOD_UP) == (Lose(1, Condition.PRONE),)
    assert end_conditions(both, Event.RALLIED) == ()
    assert Event.ACTIVATION_ENDED in ENDING_EVENTS[Condition.ACTIVE]


@pytest.mark.rule("CB-SLASH-01", "CB-WEAP-09")
def test_slash_and_dash_is_a_reach_attack_in_passing_at_minus_1():
    lancer = armed(1, 1, "arc_halberd", strength="2D")
    blow = prepare_slash_and_dash(lancer, model(2, 2, strength="2D"), weapon("arc_halberd"), 1.5).blows[0]
    assert blow.attack.throw == Throw(2, -1, 7)
    assert reasons(blow.attack.modifiers) == {"Slash and Dash": -1}
    # the target defends though it has no Reach
    assert blow.defence.throw.pool == 2
    with pytest.raises(Forbidden, match="no Reach"):
        prepare_slash_and_dash(lancer, model(2, 2), weapon("club"), 1)


@pytest.mark.rule("CB-SLASH-02", "CB-FEAT-27", "CB-FIGHT-07")
def test_contact_engages_and_lets_the_ferocious_strike_back():
    lancer = armed(1, 1, "arc_halberd")
    with pytest.raises(Forbidden, match="engaged"):
        prepare_slash_and_dash(lancer, model(2, 2), weapon("arc_halberd"), 0)
    fierce = armed(2, 2, "club", features=("ferocious",))
    assert may_strike_back(fierce, 0)
    assert not may_strike_back(fierce, 1)
    assert not may_strike_back(replace(fierce, damage=fierce.profile.life), 0)
    assert may_strike_back(armed(2, 2, "arc_halberd", features=("ferocious",)), 2)
    assert not may_strike_back(armed(2, 2, "club"), 0)
    assert not may_strike_back(armed(2, 2, "club", features=("ferocious",), under=(Condition.CALMED,)), 0)


@pytest.mark.rule("CB-COND-06", "CB-FEAT-49", "CB-FEAT-50")
def test_breaking_free():
    gained, target = pin(model(1))
    assert gained.condition == Condition.PINNED
    assert target == Assign("model", 1, Counter.PIN_TARGET, 5)
    assert prepare_breaking_free(model(strength="2D")).throw == Throw(2, 0, 5)
    assert prepare_breaking_free(model(counters={Counter.PIN_TARGET: 8})).throw.target == 8
    assert fed(break_free, [5], (Throw(1, 0, 5),))
    assert not fed(wrestle_free, [7, 8], Throw(1, 0, 7), Throw(1, 0, 7))
    assert fed(wrestle_free, [7, 3], Throw(1, 0, 7), Throw(1, 0, 7))
    stuck = model(1, under=(Condition.PINNED,))
    assert after_breaking_free(stuck, True) == (Lose(1, Condition.PINNED),)
    assert after_breaking_free(stuck, False) == ()


@pytest.mark.rule("CB-WEAP-23")
def test_one_die_arcs_to_a_neighbour_within_2_in():
    firer, first, friend = armed(1, 1, "arc_rifle"), model(2, 2), model(3, 1, defense=6, shield=1)
    leap = prepare_arc(firer, first, friend, weapon("arc_rifle"), -1, 2)
    assert leap.throws == (Throw(1, -1, 6),)
    assert (leap.impact.power, leap.impact.damage, leap.impact.shields) == (5, 1, 1)
    assert fed(arc, [7, 4], leap).suffered.through == 1
    with pytest.raises(Forbidden, match="2 in"):
        prepare_arc(firer, first, friend, weapon("arc_rifle"), -1, 2.5)
    with pytest.raises(Forbidden, match="another model"):
        prepare_arc(firer, first, first, weapon("arc_rifle"), -1, 0)
    with pytest.raises(Forbidden, match="is not an Arc weapon"):
        prepare_arc(firer, first, friend, weapon(RIFLE), -1, 1)


@pytest.mark.rule("CB-WEAP-24", "CB-CHECK-08")
def test_strangers_to_arc_weapons_must_master_them():
    human = armed(1, 1, "arc_rifle", psionic="1D")
    assert needs_handling(human, weapon("arc_rifle"))
    assert not needs_handling(human, weapon(RIFLE))
    assert not needs_handling(armed(1, 1, affiliations=("edofleini",)), weapon("arc_rifle"))
    assert prepare_handling(human).throw == Throw(1, 0, 8)
    with pytest.raises(Forbidden, match="psionic rating"):
        prepare_handling(model())
    assert [fed(handle, [face], (Throw(1, 0, 8),)) for face in (8, 7, 1)] == [
        "ready",
        "no attack",
        "backfires",
    ]
    odds = Solver().solve(handle, (Throw(1, 0, 8),))
    assert odds.chances["backfires"] == pytest.approx(0.1)
