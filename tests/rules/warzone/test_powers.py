from fractions import Fraction

import pytest

from rules.dice import Solver
from rules.effects import Assign, Count, Gain, Harm, Leave, Lose, Propose
from rules.refusals import Forbidden, InvalidInput
from rules.systems.warzone.characteristic import Grade, check
from rules.systems.warzone.command import spend_actions
from rules.systems.warzone.model import expire
from rules.systems.warzone.morale import Act
from rules.systems.warzone.powers import (
    Channel,
    after_channel,
    after_storm,
    after_waking,
    channel_limit,
    concentrate,
    mind_storm,
    storm_limit,
    wake_friend,
    wake_modifiers,
)
from rules.systems.warzone.ranged import may_act_on
from rules.systems.warzone.settings import Settings
from rules.systems.warzone.waiting import (
    Spot,
    after_reaction,
    after_spot,
    conceal,
    dive_inches,
    end_sightings,
    go_on_wait,
    needs_test_to_react,
    reactions,
    share_sightings,
    spot_limit,
)
from tests.rules.helpers import brute, fed
from tests.rules.warzone.build import PLAIN, model

HIDDEN = model(9, ["concealed"], side=2, squad=5)


def kinds(effects):
    return [type(effect).__name__ for effect in effects]


# ----------------------------------------------------------------------------------------------- spotting


@pytest.mark.rule("WZ-SPOT-01")
def test_spot_is_an_ld_test():
    assert spot_limit(Spot(model(1, ld=11, rc=7), HIDDEN), PLAIN) == 11
    assert spot_limit(Spot(model(1, ld=11, rc=7), HIDDEN), Settings(spot_stat="RC")) == 7
    failed = after_spot(Spot(model(1), HIDDEN), fed(check, [11], 10))
    assert failed == (Count("model", 1, "spot.9", 1),)
    with pytest.raises(Forbidden):
        spot_limit(Spot(model(1), model(2)), PLAIN)


@pytest.mark.rule("WZ-SPOT-02")
@pytest.mark.parametrize(("attempts", "bonus"), [(0, 0), (1, 2), (2, 3), (5, 3)])
def test_repeated_spotting(attempts, bonus):
    assert spot_limit(Spot(model(1, (), [("spot.9", attempts)]), HIDDEN), PLAIN) == 10 + bonus


@pytest.mark.rule("WZ-SPOT-02")
def test_concealing_again_resets_the_count():
    seen = model(9, (), [("spotted.1", 1)])
    effects = conceal(seen, (model(1, (), [("spot.9", 2)]), model(2)))
    assert effects == (
        Gain(9, "concealed"),
        Assign("model", 9, "spotted.1", 0),
        Assign("model", 1, "spot.9", 0),
    )


@pytest.mark.rule("WZ-SPOT-03")
def test_presence_of_both_sides_adds_up():
    small = model(9, ["concealed", "minimized"], side=2)
    assert spot_limit(Spot(model(1), small), PLAIN) == 8
    assert spot_limit(Spot(model(1, ["minimized"]), small), PLAIN) == 6


@pytest.mark.rule("WZ-SPOT-04")
def test_who_may_use_a_sighting():
    assert Assign("model", 9, "spotted.1", 1) in after_spot(Spot(model(1), HIDDEN), Grade.SUCCESS)
    seen = model(9, ["concealed"], [("spotted.1", 1)], side=2)
    assert may_act_on(model(2), seen)
    assert not may_act_on(model(3, squad=2), seen)
    assert share_sightings(model(1), 2, (seen, HIDDEN)) == (Assign("model", 9, "spotted.2", 1),)
    assert share_sightings(model(2), 2, (seen, HIDDEN)) == (), "a squad mate saw it, not the commander"
    assert end_sightings((seen,), PLAIN) == ()
    assert end_sightings((seen,), Settings(spotted_until="turn_end")) == (Assign("model", 9, "spotted.1", 0),)


@pytest.mark.rule("WZ-SPOT-05", "WZ-PANIC-04", "WZ-BROKEN-05")
def test_who_may_not_spot():
    refused = [
        Spot(model(1, ["climbing"]), HIDDEN),
        Spot(model(1, ["engaged"]), HIDDEN),
        Spot(model(1), HIDDEN, afraid=True),
        Spot(model(1, [("in_dire", 1)]), HIDDEN),
        Spot(model(1, ["panicked"]), HIDDEN),
        Spot(model(1, ["broken"]), HIDDEN),
    ]
    for spot in refused:
        with pytest.raises(Forbidden):
            spot_limit(spot, PLAIN)


# -------------------------------------------------------------------------------------------- channelling


@pytest.mark.rule("WZ-CONC-01")
def test_concentrating():
    assert concentrate(model(1)) == (Gain(1, "concentrating", 0, "its next action"),)
    focused = model(1, ["concentrating"], [("actions", 2)], pw=12)
    assert channel_limit(Channel(focused, 4), PLAIN) == 10
    assert Lose(1, "concentrating") in spend_actions(focused, Act.MOVE)
    assert Lose(1, "concentrating") not in spend_actions(focused, Act.CHANNEL)
    assert Lose(1, "concentrating") in after_channel(Channel(focused, 4), Grade.SUCCESS, PLAIN)
    assert Lose(1, "concentrating") in expire(focused, "activation")


@pytest.mark.rule("WZ-POW-01")
def test_nobody_channels_without_power():
    with pytest.raises(Forbidden, match="PW 0"):
        channel_limit(Channel(model(1, pw=0), 4), PLAIN)


@pytest.mark.rule("WZ-POW-01")
def test_channelling_is_pw_less_magnitude():
    assert channel_limit(Channel(model(1, pw=12), 4), PLAIN) == 8
    with pytest.raises(InvalidInput):
        channel_limit(Channel(model(1), -1), PLAIN)


@pytest.mark.rule("WZ-POW-01")
def test_a_table_may_leave_the_magnitude_out_of_the_test():
    bare = Settings(channel_test="pw")
    assert channel_limit(Channel(model(1, pw=12), 4), bare) == 12
    assert channel_limit(Channel(model(1, ["concentrating"], pw=12), 4), bare) == 14


@pytest.mark.rule("WZ-POW-02")
def test_cost_of_an_attempt():
    channel = Channel(model(1), 4, cost=3)
    assert after_channel(channel, Grade.SUCCESS, PLAIN) == (Count("model", 1, "actions", -3),)
    assert after_channel(channel, Grade.FAILURE, PLAIN) == (Count("model", 1, "actions", -1),)
    full = after_channel(channel, Grade.FAILURE, Settings(channel_fail_cost="full"))
    assert full == (Count("model", 1, "actions", -3),)


@pytest.mark.rule("WZ-POW-03", "WZ-PANIC-04", "WZ-BROKEN-05", "WZ-SPOT-06")
def test_who_may_not_channel():
    for channel in (
        Channel(model(1, ["panicked"]), 1),
        Channel(model(1, ["broken"]), 1),
        Channel(model(1), 1, target=HIDDEN),
    ):
        with pytest.raises(Forbidden):
            channel_limit(channel, PLAIN)
    seen = model(9, ["concealed"], [("spotted.1", 1)], side=2)
    assert channel_limit(Channel(model(1), 1, target=seen), PLAIN) == 5


@pytest.mark.rule("WZ-BACK-01")
def test_when_backlash_strikes():
    channel = Channel(model(1), 4)
    backlash = after_channel(channel, fed(check, [20], 2), PLAIN)[-1]
    assert isinstance(backlash, Propose)
    assert (backlash.action, backlash.details) == ("backlash", (("magnitude", 4),))
    assert len(after_channel(channel, Grade.FAILURE, PLAIN)) == 1
    assert len(after_channel(channel, Grade.FAILURE, Settings(backlash_trigger="any_failure"))) == 2


@pytest.mark.rule("WZ-BACK-02")
def test_mind_scramble_in_play():
    scrambled = model(1, ["mind_scramble"], pw=12)
    assert channel_limit(Channel(scrambled, 4), PLAIN) == 5
    with pytest.raises(Forbidden):
        concentrate(scrambled)
    assert expire(scrambled, "turn") == (Lose(1, "mind_scramble"),)
    assert expire(scrambled, "activation") == ()


@pytest.mark.rule("WZ-BACK-03")
def test_waking():
    out = model(1, ["unconscious", "prone"])
    assert sum(each.amount for each in wake_modifiers(out, enemy_in_sight=True)) == -4
    assert after_waking(out, Grade.SUCCESS) == (Count("model", 1, "wakings", 1), Lose(1, "unconscious"))
    assert after_waking(out, Grade.FAILURE) == (Count("model", 1, "wakings", 1),)
    tried = model(1, ["unconscious"], [("wakings", 1)])
    with pytest.raises(Forbidden):
        wake_modifiers(tried, enemy_in_sight=False)
    assert Assign("model", 1, "wakings", 0) in expire(tried, "turn")
    assert Lose(1, "unconscious") in wake_friend(model(2), out, in_contact=True)
    for friend, contact in ((model(2), False), (model(2, side=2), True)):
        with pytest.raises(Forbidden):
            wake_friend(friend, out, in_contact=contact)
    with pytest.raises(Forbidden):
        spend_actions(model(1, ["unconscious"], [("actions", 3)]), Act.MOVE)


@pytest.mark.rule("WZ-BACK-04")
def test_mind_storm():
    limits = (
        storm_limit(model(1), 4, enemy_in_sight=True),
        storm_limit(model(2, ld=14), 4, enemy_in_sight=True),
    )
    assert limits == (6, 10)
    assert fed(mind_storm, [7, 10], limits) == (1, 0)
    assert after_storm((model(1), model(2)), (1, 0)) == (Harm(1, 1), Leave(1, "casualty"))
    odds = Solver(exact=True).solve(mind_storm, limits).chances
    assert odds == brute(mind_storm, limits)
    assert odds[(1, 1)] == Fraction(14, 20) * Fraction(10, 20)


# ------------------------------------------------------------------------------------------------ waiting


@pytest.mark.rule("WZ-WAIT-01")
def test_going_on_wait():
    assert go_on_wait(model(1), 1) == (Gain(1, "waiting", 1, "its next activation begins"),)
    for actions in (0, 2):
        with pytest.raises(Forbidden):
            go_on_wait(model(1), actions)
    ambusher = model(1, traits=("ambush",))
    assert go_on_wait(ambusher, 2) == (Gain(1, "waiting", 2, "its next activation begins"),)
    with pytest.raises(Forbidden):
        go_on_wait(ambusher, 3)
    for state in ("panicked", "broken"):
        with pytest.raises(Forbidden):
            go_on_wait(model(1, [state]), 1)


@pytest.mark.rule("WZ-WAIT-02", "WZ-WAIT-01")
def test_reacting_needs_an_ld_test():
    waiting, enemy = model(1, [("waiting", 1)]), model(2, side=2)
    assert needs_test_to_react(waiting, "fire", "move", enemy, PLAIN)
    assert after_reaction(waiting, "fire", enemy, PLAIN, passed=False) == (Lose(1, "waiting"),)
    fires = after_reaction(waiting, "fire", enemy, PLAIN, passed=True)
    assert fires[1].action == "shoot"
    with pytest.raises(Forbidden):
        needs_test_to_react(model(1), "fire", "move", enemy, PLAIN)
    ambusher = model(1, [("waiting", 2)], traits=("ambush",))
    assert not needs_test_to_react(ambusher, "fire", "move", enemy, PLAIN)
    kept = after_reaction(ambusher, "fire", enemy, PLAIN, passed=True)
    assert kept[0] == Gain(1, "waiting", 1, "its next activation begins")


@pytest.mark.rule("WZ-WAIT-03", "WZ-SPOT-07")
def test_what_a_waiting_model_may_do():
    assert reactions("move", PLAIN) == ("fire", "spot")
    charged = reactions("charge", PLAIN)
    assert charged == ("fire", "spot", "countercharge", "brace", "withdraw")
    assert reactions("template", PLAIN) == ("dive",)
    waiting, enemy = model(1, [("waiting", 1)]), model(2, side=2)
    with pytest.raises(Forbidden):
        needs_test_to_react(waiting, "brace", "move", enemy, PLAIN)
    spots = after_reaction(waiting, "spot", HIDDEN, PLAIN, passed=True)
    assert spots[1].action == "spot"


@pytest.mark.rule("WZ-PANIC-04", "WZ-BROKEN-05", "WZ-RC-09", "WZ-SPOT-06")
def test_what_a_waiting_model_could_not_do_is_refused_before_its_test():
    enemy = model(2, side=2)

    def refused(waiting, reaction, trigger="charge", whom=enemy):
        with pytest.raises(Forbidden) as refusal:
            needs_test_to_react(waiting, reaction, trigger, whom, PLAIN)
        return refusal.value.rule

    afraid = model(1, ["panicked", ("waiting", 1)])
    assert refused(afraid, "countercharge") == "WZ-PANIC-04"
    assert refused(afraid, "spot", whom=HIDDEN) == "WZ-PANIC-04"
    assert needs_test_to_react(afraid, "fire", "charge", enemy, PLAIN)
    broken = model(1, ["broken", ("waiting", 1)])
    assert refused(broken, "countercharge") == "WZ-BROKEN-05"
    prone = model(1, ["prone", ("waiting", 1)])
    assert (refused(prone, "fire"), refused(prone, "countercharge")) == ("WZ-RC-09", "WZ-MOVE-01")
    steady = model(1, [("waiting", 1)])
    assert refused(steady, "fire", whom=HIDDEN) == "WZ-SPOT-06"
    assert refused(steady, "spot") == "WZ-SPOT-01"
    assert refused(model(1, ["unconscious", ("waiting", 1)]), "brace") == "WZ-BACK-03"


@pytest.mark.rule("WZ-WAIT-04")
def test_reactions_to_a_charge():
    waiting, charger = model(1, [("waiting", 1)], mv=6), model(2, [("charged", 1)], side=2)
    counter = after_reaction(waiting, "countercharge", charger, PLAIN, passed=True)
    assert Gain(1, "charged", 2, "activation") in counter
    assert counter[-1].details == (("target", 2), ("together", 1))
    assert Lose(2, "charged") in after_reaction(waiting, "brace", charger, PLAIN, passed=True)
    withdraw = after_reaction(waiting, "withdraw", charger, PLAIN, passed=True)
    assert withdraw[-1].details == (("inches", "6"),)
    none = Settings(react_countercharge=False, react_brace=False, react_withdraw=False)
    assert reactions("charge", none) == ("fire", "spot")


@pytest.mark.rule("WZ-DIVE-01")
def test_diving_for_cover():
    waiting, enemy = model(1, [("waiting", 1)], mv=6), model(2, side=2)
    assert dive_inches(waiting) == (5, 6)
    assert needs_test_to_react(waiting, "dive", "template", enemy, PLAIN)
    assert after_reaction(waiting, "dive", enemy, PLAIN, passed=False) == (Lose(1, "waiting"),)
    dive = after_reaction(waiting, "dive", enemy, PLAIN, passed=True)[-1]
    assert dive.details == (("standing", "5"), ("prone", "6"))
    with pytest.raises(Forbidden):
        needs_test_to_react(waiting, "dive", "move", enemy, PLAIN)
