from fractions import Fraction

import pytest

from rules.effects import Gain, Lose
from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth import combat, turns
from rules.systems.fracd_earth import movement as m
from rules.systems.fracd_earth import movement as meta
from rules.systems.fracd_earth import turns as act
from rules.systems.fracd_earth.profile import CrewEffect, Profile
from rules.systems.fracd_earth.settings import DEFAULTS, Settings
from rules.systems.fracd_earth.turns import Activation
from tests.rules.fracd_earth.build import RIFLE, SPEAR, SWORD, card, cards, figure, stacked


@pytest.mark.rule("FE-MOV-01", "FE-MOV-02", "FE-MOV-03")
def test_rates():
    assert Profile("Anybody").move_inches == 6
    assert [m.distance(6, pace) for pace in ("move", "run", "rush")] == [6, 9, 12]
    assert m.rate(7, "run") == 10.5


@pytest.mark.rule("FE-TER-01", "FE-TER-02", "FE-TER-03")
def test_ground():
    for pace, clear, rough, difficult in (("move", 6, 4, 2), ("run", 9, 6, 3), ("rush", 12, 8, 4)):
        assert m.distance(6, pace, ("clear",)) == clear
        assert m.distance(6, pace, ("rough",)) == rough
        assert m.distance(6, pace, ("difficult",)) == difficult


@pytest.mark.rule("FE-TER-05")
def test_rounding_and_worst_ground():
    assert (m.on_ground(7, ("rough",)), m.on_ground(7, ("difficult",))) == (5, 2)
    assert (m.on_ground(8, ("rough",)), m.on_ground(8, ("difficult",))) == (5, 3)
    assert (m.on_ground(4.5, ("rough",)), m.on_ground(4.5, ("difficult",))) == (3, 1.5)
    assert m.on_ground(3.5, ("difficult",)) == 1  # 1 1/6
    assert m.on_ground(2.5, ("difficult",)) == 1  # 5/6
    assert m.on_ground(6, ("rough", "clear", "difficult", "rough")) == 2


@pytest.mark.rule("FE-TER-04")
def test_impassable():
    with pytest.raises(Forbidden):
        m.distance(6, "move", ("clear", "impassable"))
    with pytest.raises(InvalidInput):
        m.on_ground(6, ("lava",))


@pytest.mark.rule("FE-TER-06")
def test_leaving_bad_ground():
    assert m.distance(6, "move", ("difficult",), leaving_at_once=True) == 6


@pytest.mark.rule("FE-MOV-04")
def test_crawl():
    for grounds in ((), ("rough",), ("difficult",)):
        assert m.distance(6, "crawl", grounds, prone=True) == 2
    for pace in ("move", "run", "rush"):
        with pytest.raises(Forbidden):
            m.distance(6, pace, prone=True)
    with pytest.raises(Forbidden):
        act.half_move(act.move(Activation(), "crawl"), "stand")


@pytest.mark.rule("FE-MOV-05")
def test_half_moves():
    assert m.half_rate(6, "run", DEFAULTS) == 4.5
    assert m.half_rate(6, "rush", DEFAULTS) == 6
    assert m.half_rate(6, "move", DEFAULTS) == 3
    assert m.half_rate(6, "move", Settings(half_move_standard=6)) == 6
    one = act.half_move(Activation(), "stand")
    two = act.half_move(one, "lock")
    with pytest.raises(Forbidden):
        act.half_move(two, "mount")
    with pytest.raises(Forbidden):
        act.move(two, "move")
    ran = act.move(one, "run")
    assert act.half_paced(ran)
    assert not act.half_paced(act.move(Activation(), "run"))
    with pytest.raises(Forbidden):
        act.half_move(ran, "lock")


@pytest.mark.rule("FE-MOV-07")
def test_transport():
    assert m.passenger_inches("move") == m.on_ground(6, ("rough",)) == 4
    for pace in ("run", "rush"):
        with pytest.raises(Forbidden):
            m.passenger_inches(pace)
    assert act.half_move(Activation(), "mount").halves == 1


@pytest.mark.rule("FE-MOV-10")
def test_crossing_bases():
    assert m.may_cross(1, 1)
    assert not m.may_cross(1, 2)


@pytest.mark.rule("FE-OBS-09")
def test_climb_jump_swim():
    assert m.special_rate(6) == 2
    assert m.special_rate(7) == 2
    assert m.special_rate(8) == 3
    assert [m.special_cost(kind) for kind in ("climb", "swim", "jump")] == ["move", "move", "half_move"]


@pytest.mark.rule("FE-META-01")
def test_surge():
    assert [6 * meta.surge_multiple(ranks, 0) for ranks in range(5)] == [6, 9, 12, 18, 24]
    with pytest.raises(InvalidInput):
        meta.multiples(21)


@pytest.mark.rule("FE-META-02")
def test_deviations():
    assert [6 * meta.surge_multiple(4, count) for count in range(7)] == [24, 18, 12, 9, 6, 6, 6]
    assert [meta.deviations_of(turn) for turn in (0, 44, 45, 90, 91, 180)] == [0, 0, 1, 1, 2, 2]
    assert [meta.deviations_of(veer_bases=veer) for veer in (0.5, 0.6)] == [0, 1]


@pytest.mark.rule("FE-META-03")
def test_surge_through_rough_ground():
    assert meta.surge_through(6, Fraction(4), ("clear", "clear", "rough", "rough")) == 20
    assert meta.surge_through(6, Fraction(3, 2), ("difficult", "clear")) == 5
    with pytest.raises(Forbidden):
        meta.surge_through(6, Fraction(2), ("impassable",))
    with pytest.raises(InvalidInput):
        meta.surge_through(6, Fraction(2), ("rough",) * 3)


@pytest.mark.rule("FE-ACT-01")
def test_one_of_each():
    used = act.compatible(act.move(act.attack(Activation(), "basic"), "move"), "notice")
    for again in (
        lambda: act.attack(used, "basic"),
        lambda: act.move(used, "move"),
        lambda: act.compatible(used, "command"),
    ):
        with pytest.raises(Forbidden):
            again()
    for _ in range(5):
        used = act.react(act.free(used, "drop item"))
    assert (used.frees, used.reactions) == (5, 5)


@pytest.mark.rule("FE-ACT-04")
def test_focused_takes_main_and_move():
    focused = act.attack(Activation(), "focused")
    with pytest.raises(Forbidden):
        act.move(focused, "move")
    with pytest.raises(Forbidden):
        act.half_move(focused, "stand")
    with pytest.raises(Forbidden):
        act.attack(act.move(Activation(), "move"), "focused")
    with pytest.raises(Forbidden):
        act.attack(act.half_move(Activation(), "stand"), "focused")


@pytest.mark.rule("FE-ACT-05", "FE-ACT-10")
def test_quick_attacks_take_no_main_action():
    after = act.react(Activation())
    assert after.main == ""
    assert act.attack(after, "basic").main == "basic"


@pytest.mark.rule("FE-ACT-06")
def test_teamwork_takes_the_main_action():
    helped = act.attack(Activation(), "teamwork")
    with pytest.raises(Forbidden):
        act.attack(helped, "basic")


@pytest.mark.rule("FE-ACT-08", "FE-ACT-09")
def test_compatible_and_free():
    with pytest.raises(Forbidden):
        act.compatible(act.compatible(Activation(), "notice"), "notice")
    for what in ("drop item", "fall prone", "switch weapon", "alertness"):
        assert act.free(act.compatible(Activation(), "command"), what).compatible == "command"
    with pytest.raises(InvalidInput):
        act.free(Activation(), "notice")


@pytest.mark.rule("FE-MOV-02", "FE-MOV-03")
def test_run_and_rush_against_the_main_action():
    ran = act.move(Activation(), "run")
    assert act.attack(ran, "teamwork").main == "teamwork"
    with pytest.raises(Forbidden):
        act.attack(ran, "teamwork", opponent_near=False)
    rushed = act.move(Activation(), "rush")
    for use in ("basic", "teamwork"):
        with pytest.raises(Forbidden):
            act.attack(rushed, use)
    with pytest.raises(Forbidden):
        act.move(act.attack(Activation(), "basic"), "rush")


@pytest.mark.rule("FE-RCH-01")
def test_threat_zone():
    assert combat.threatens(0, 0, in_front=True)
    assert not combat.threatens(0, 0.5, in_front=True)
    assert combat.threatens(2, 2, in_front=True)
    assert not combat.threatens(2, 2.1, in_front=True)
    assert not combat.threatens(2, 1, in_front=False)


@pytest.mark.rule("FE-RCH-02")
def test_wild_strike():
    assert combat.wild_strike_allowed(1, 1, in_front=True, engages=False)
    assert not combat.wild_strike_allowed(1, 1, in_front=True, engages=True)
    assert not combat.wild_strike_allowed(1, 1.5, in_front=True, engages=False)


@pytest.mark.rule("FE-RCH-03", "FE-RCH-07")
def test_stopping():
    assert combat.must_stop(0, 1, 1, in_front=True)
    assert not combat.must_stop(0, 1, 1, in_front=False)
    assert combat.must_stop(1, 0, 1, in_front=False)
    assert not combat.must_stop(0, 1, 1, in_front=True, charging=True)
    assert combat.must_stop(0, 1, 0, in_front=True, charging=True)
    combat.strike_refusal(SPEAR, 1)
    with pytest.raises(Forbidden):
        combat.strike_refusal(SWORD, 1)
    with pytest.raises(Forbidden):
        combat.strike_refusal(RIFLE, 0)
    assert combat.enters_opponent(-1, charging=True)
    assert not combat.enters_opponent(0, charging=True)
    with pytest.raises(Forbidden):
        combat.enters_opponent(-1, charging=False)


@pytest.mark.rule("FE-RCH-04")
def test_inside_reach():
    assert combat.inside_reach(0, 1)
    assert not combat.inside_reach(0.5, 1)
    assert combat.inside_reach(0, 2)
    assert not combat.inside_reach(2, 0)
    with pytest.raises(InvalidInput):
        combat.inside_reach(0, 3)


@pytest.mark.rule("FE-RCH-05")
def test_closing_in():
    assert combat.close_in(4) == combat.ClosingIn(2, True, 0)
    assert combat.close_in(2) == combat.ClosingIn(2, False, 0)
    assert combat.close_in(7) == combat.ClosingIn(2, True, 1)
    with pytest.raises(Forbidden):
        combat.close_in(0)


@pytest.mark.rule("FE-DIS-01", "FE-DIS-02")
def test_disengage():
    assert combat.disengage(restrained=False, opponent_engaged_elsewhere=False)
    assert not combat.disengage(restrained=False, opponent_engaged_elsewhere=True)
    assert not combat.disengage(restrained=False, opponent_engaged_elsewhere=False, by_edge=True)
    with pytest.raises(Forbidden):
        combat.disengage(restrained=True, opponent_engaged_elsewhere=False)


@pytest.mark.rule("FE-TURN-01")
def test_initiative():
    drawn, deck = turns.draw_initiative(stacked("9H AS"), turns.initiative_cards(1), DEFAULTS)
    assert drawn == cards("9H AS")
    assert turns.declared(drawn, DEFAULTS) == 9
    assert deck.discards == drawn
    assert turns.priority((9, 5)).winner == 0
    assert turns.priority((5, 9)).winner == 1
    assert turns.priority((9, 3, 9)) == turns.Priority(None, (0, 2))
    assert turns.initiative_cards() == 1
    scout = CrewEffect("Scout", "eyes", "initiative", 1)
    rally = CrewEffect("Rally", "voice", "Initiative", 2)
    led = figure(effects=(scout, rally))
    assert turns.initiative_bonus((figure(2), led), DEFAULTS) == 3
    assert turns.initiative_bonus((figure(2, effects=(scout,)), led), DEFAULTS) == 3
    assert turns.initiative_bonus((figure(2, effects=(scout,)), led), Settings(crew_stacking="all")) == 4
    slow = figure(effects=(CrewEffect("Slow", "gait", "initiative", -1),))
    assert turns.initiative_bonus((slow,), DEFAULTS) == 0


@pytest.mark.rule("FE-TURN-02")
def test_wait():
    assert turns.hold(figure(4), Activation()) == (Gain(4, "wait"),)
    with pytest.raises(Forbidden):
        turns.hold(figure(4), act.move(Activation(), "move"))
    waiting = figure(4, conditions=(("wait", 0),))
    turns.refuse_interrupt(waiting)
    with pytest.raises(Forbidden):
        turns.refuse_interrupt(figure(4))
    assert turns.release(waiting) == (Lose(4, "wait"),)


@pytest.mark.rule("FE-TURN-03")
def test_pass():
    kinds = [effect.condition for effect in turns.end_of_turn(figure(4), Activation())]
    assert kinds == ["wait", "redraw"]
    assert turns.end_of_turn(figure(4), act.free(Activation(), "drop item")) == ()
    passed = figure(4, conditions=(("redraw", 0),))
    drawn, deck = turns.redraw(passed, cards("2C 5D"), card("2C"), stacked("KD"), DEFAULTS)
    assert drawn == cards("5D KD")
    assert turns.after_redraw(passed) == (Lose(4, "redraw"),)
    with pytest.raises(Forbidden):
        turns.redraw(figure(4), cards("2C"), card("2C"), deck, DEFAULTS)
    with pytest.raises(Forbidden):
        turns.redraw(passed, cards("2C"), card("3C"), deck, DEFAULTS)


@pytest.mark.rule("FE-HAND-01")
def test_buff_hand_is_filled_each_turn():
    deck = stacked("9H 8H", "2S 3S 4S")
    assert turns.start_turn(deck, DEFAULTS).buff_hand == cards("2S 3S 4S 9H 8H")
    assert turns.start_turn(deck, Settings(refill="never")) == deck


@pytest.mark.rule("FE-MOV-05")
def test_a_crawl_has_no_half():
    with pytest.raises(Forbidden, match="a Half-Move with a Crawl"):
        m.half_rate(6, "crawl", DEFAULTS)
