"""Psionics: use, range, shields, every power with its failures."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.dice import Dice, Solver
from rules.effects import Assign, Gain, Harm, Leave, Lose, Mend, Propose
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.checks import CheckResult, Throw
from rules.systems.counterblast.core.fighter import Condition
from rules.systems.counterblast.core.impacts import Suffered
from rules.systems.counterblast.core.settings import Settings
from rules.systems.counterblast.gear.skills import Treatment
from rules.systems.counterblast.psionics.powers import (
    Insight,
    Portal,
    Taking,
    after_blast,
    after_calm_attack,
    after_calming,
    after_force_field,
    after_frighten,
    after_heal,
    after_lift,
    after_portal,
    after_power_blast,
    after_probe,
    after_scan,
    after_stun,
    after_throw,
    deep_portal,
    heal,
    identify,
    insight,
    is_undaunted,
    net_ones,
    portal_inches,
    require_healing,
    require_identifiable,
    require_portal,
    require_telekinesis,
    spoils,
    telekinesis_inches,
)
from rules.systems.counterblast.psionics.psionics import (
    Aim,
    Strike,
    Struck,
    Use,
    actions_of,
    backlash,
    backlash_impact,
    fahz_jiin_rerolls,
    helper_range,
    knows,
    prepare_power,
    prepare_team,
    psionic_impact,
    strength_row,
    strike,
    take_fahz_jiin,
    use_power,
)
from rules.systems.counterblast.turn.activation import end_activation
from tests.rules.counterblast.arena import reasons
from tests.rules.counterblast.field import model
from tests.rules.helpers import fed

PROSE = Settings(psi_text="prose")


def seer(*powers: str, psionic: str = "2D", number: int = 1, **changes):
    return model(number, changes.pop("side", 1), psionic=psionic, powers=powers, **changes)


def refuse(match: str, call, *args, **kwargs):
    with pytest.raises(Forbidden, match=match):
        call(*args, **kwargs)


# ------------------------------------------------------------------------------------------- in general


def prepared_strikes(use: Use) -> tuple[Strike, ...]:
    ready = prepare_power(use)
    return tuple(
        Strike(aim.target.id, (check.throw,), impact)
        for aim, check, impact in zip(use.aims, ready.checks, ready.impacts, strict=True)
    )


def strikes(dice: Dice, aimed: tuple[Strike, ...], criticals: bool = False) -> tuple[Struck, ...]:
    return tuple(dice.call(strike, one, criticals) for one in aimed)


@pytest.mark.rule("CB-PSI-02")
def test_powers_cost_an_action_and_attacks_are_the_attack():
    assert actions_of("heal") == ("psionic", 1)
    assert actions_of("identify") == ("psionic", 2)
    assert actions_of("blast") == ("psionic_attack", 1)
    target = model(2, 2)
    assert prepare_power(Use(seer("blast"), "blast", (Aim(target, 12),))).throws == (Throw(2, 0, 7),)
    refuse("doesn't know", prepare_power, Use(seer("heal"), "blast", (Aim(target, 5),)))
    refuse("reaches 12 in", prepare_power, Use(seer("blast"), "blast", (Aim(target, 13),)))
    refuse(
        "can have only one target",
        prepare_power,
        Use(seer("stun"), "stun", (Aim(target, 5), Aim(model(3, 2), 5))),
    )
    refuse("can't see", prepare_power, Use(seer("stun"), "stun", (Aim(target, 5, sighted=False),)))
    refuse("no psionic rating", prepare_power, Use(model(powers=("stun",)), "stun", (Aim(target, 5),)))
    refuse("same crew", prepare_power, Use(seer("stun"), "stun", (Aim(model(2, 1), 5),)))
    refuse("base contact", prepare_power, Use(seer("heal"), "heal", (Aim(model(2, 1), 1),)))
    with pytest.raises(InvalidInput):
        prepare_power(Use(seer("blast"), "blast", (Aim(target, -1),)))
    deep = seer(features=("savant:deep",))
    assert knows(deep, "stun")
    assert not knows(seer("heal"), "stun")


def test_dice_are_allotted_and_modified_with_reasons():
    one, two = model(2, 2), model(3, 2, defense=8)
    gifted = seer("blast", psionic="3D+1", features=("focused",), gear=("deepstone",))
    ready = prepare_power(Use(gifted, "blast", (Aim(one, 3, dice=1), Aim(two, 3, dice=3)), order_token=True))
    assert ready.throws == (Throw(1, 3, 7), Throw(3, 3, 8))
    assert reasons(ready.checks[0].modifiers) == {"PSI 3D+1": 1, "Deepstone": 1, "order token": 1}
    refuse(
        r"to share out \(you entered 3",
        prepare_power,
        Use(gifted, "blast", (Aim(one, 3, dice=1), Aim(two, 3, dice=2))),
    )


@pytest.mark.rule("CB-PSI-04")
def test_shields_are_lowered_not_ignored():
    assert strength_row(1) == (3, 0)
    assert strength_row(2) == (5, -1)
    assert strength_row(6) == (9, -3)
    shielded = model(2, 2, shield=3)
    hit = psionic_impact(seer(psionic="3D+1"), shielded)
    assert (hit.power, hit.shields) == (7, 1)
    assert psionic_impact(seer(psionic="4D"), model(2, 2, shield=2)).shields == 0
    stunning = psionic_impact(seer(psionic="1D"), model(2, 2, shield=1), damage=0)
    # two successes, one stopped by the shield die: one is left, and enough
    aimed = prepared_strikes(Use(seer("stun", psionic="2D"), "stun", (Aim(model(2, 2, shield=2), 5),)))[0]
    assert fed(strike, [7, 8, 5], aimed).suffered == Suffered(2, 1, 0, 1)
    assert stunning.stuns


def test_helpers_stand_in_command_range_or_in_the_range_of_the_power():
    source = seer("calm", "blast", "heal", features=("commanding_presence",))
    assert helper_range("calm_allies", source) == 18
    assert helper_range("blast", source) == 12
    assert helper_range("heal", source) == 0
    target = model(9, 2)
    helpers = tuple((Use(seer("blast", number=n), "blast", (Aim(target, 4),)), 12.0) for n in (2, 3))
    checks = prepare_team(((Use(source, "blast", (Aim(target, 4),)), 0.0), *helpers))
    assert [check.throw for check in checks] == [Throw(2, 1, 7)] * 3  # three models: +1 each
    far = (helpers[0][0], 13.0)
    refuse("within 12 in", prepare_team, ((Use(source, "blast", (Aim(target, 4),)), 0.0), far))


@pytest.mark.rule("CB-GEAR-46")
def test_fahz_jiin_is_one_reroll_for_each_die_in_one_activation():
    acolyte = seer(psionic="3D+1", gear=("fahz_jiin",))
    assert fahz_jiin_rerolls(acolyte) == 3
    assert take_fahz_jiin(acolyte) == (Assign("model", 1, "Fahz Jiin", 1),)
    busy = seer(psionic="3D+1", gear=("fahz_jiin",), counters={"Fahz Jiin": 1})
    assert fahz_jiin_rerolls(busy) == 3
    assert Assign("model", 1, "Fahz Jiin", 2) in end_activation(busy)
    done = seer(psionic="3D+1", gear=("fahz_jiin",), counters={"Fahz Jiin": 2})
    assert fahz_jiin_rerolls(done) == 0
    refuse("one activation", take_fahz_jiin, done)
    refuse("carries no Fahz Jiin", take_fahz_jiin, seer())


# ------------------------------------------------------------------------------------------- minds


@pytest.mark.rule("CB-PSI-07")
def test_calm_frees_an_ally_for_each_success():
    afraid = tuple(model(n, under=("panicked",)) for n in (2, 3, 4))
    ready = prepare_power(Use(seer("calm"), "calm_allies", (Aim(afraid[0], 8, sighted=False),)))
    assert ready.throws == (Throw(2, 0, 7),)
    assert after_calming(seer(), afraid, CheckResult(2)) == (Lose(2, "panicked"), Lose(3, "panicked"))
    assert after_calming(seer(), afraid[:1], CheckResult(3)) == (Lose(2, "panicked"),)
    assert after_calming(seer(), afraid, CheckResult(0)) == ()
    assert after_calming(seer(), afraid, CheckResult(-1)) == ()
    botched = after_calming(seer(), afraid, CheckResult(-1), PROSE)
    assert [(effect.model, effect.condition) for effect in botched] == [(1, "panicked")]
    refuse("belongs to another crew", after_calming, seer(), (model(2, 2),), CheckResult(1))


@pytest.mark.rule("CB-PSI-08")
def test_calm_takes_ferocity_or_lets_the_target_strike():
    beast = model(2, 2, features=("ferocious",))
    assert prepare_power(Use(seer("calm"), "calm_attack", (Aim(beast, 8),))).throws == (Throw(2, 0, 7),)
    refuse("can't see", prepare_power, Use(seer("calm"), "calm_attack", (Aim(beast, 8, sighted=False),)))
    (calmed,) = after_calm_attack(seer(), beast, CheckResult(1))
    assert calmed == Gain(2, "calmed", until="the end of its next activation", source="Calm")
    assert not replace(beast, conditions=frozenset({("calmed", 0)})).has_feature("ferocious")
    assert after_calm_attack(seer(), beast, CheckResult(0)) == ()
    assert after_calm_attack(seer(), model(2, 2), CheckResult(1)) == ()
    (strike_back,) = after_calm_attack(seer(), beast, CheckResult(-1))
    assert (strike_back.action, strike_back.model) == ("free_attack", 2)


@pytest.mark.rule("CB-PSI-11")
def test_frighten_panics_all_but_the_undaunted():
    for feature in ("fearless", "ferocious", "scary"):
        assert is_undaunted(model(features=(feature,)))
    plain, brave = model(2, 2), model(3, 2, features=("scary",))
    results = ((plain, CheckResult(1)), (brave, CheckResult(2)))
    assert [effect.model for effect in after_frighten(seer(), results)] == [2]
    assert after_frighten(seer(), ((plain, CheckResult(0)),)) == ()
    assert [effect.model for effect in after_frighten(seer(), ((plain, CheckResult(-1)),))] == [1]
    clever = model(4, 2, intellect="2D")
    assert after_frighten(seer(), ((clever, CheckResult(1)),), PROSE) == ()
    assert len(after_frighten(seer(), ((clever, CheckResult(2)),), PROSE)) == 1
    blind = Use(seer("frighten"), "frighten", (Aim(plain, 8, False, 1), Aim(brave, 8, False, 1)))
    assert len(prepare_power(blind).checks) == 2


@pytest.mark.rule("CB-PSI-16")
def test_stun_takes_the_turn_and_a_botch_the_psionics_own():
    target = model(2, 2, shield=2)
    aimed = prepared_strikes(Use(seer("stun"), "stun", (Aim(target, 8),)))[0]
    assert (aimed.impact.power, aimed.impact.shields) == (5, 1)
    hit = fed(strike, [7, 2, 3], aimed, True)  # one success, the shield die fails
    assert after_stun(seer(), target, hit) == (Assign("model", 2, "activated", 1),)
    critical = fed(strike, [10, 2, 4, 3], aimed, True)
    down = Gain(2, "prone", until="it stands up", source="Stun")
    assert after_stun(seer(), target, critical) == (Assign("model", 2, "activated", 1), down)
    stopped = fed(strike, [7, 2, 5], aimed, True)
    assert after_stun(seer(), target, stopped) == ()
    late = model(2, 2, activated=True)
    assert after_stun(seer(), late, hit) == ()
    botch = fed(strike, [1, 2], aimed, True)
    floored, over = after_stun(seer(), target, botch)
    assert (floored.model, floored.condition) == (1, "prone")
    assert over == Assign("model", 1, "actions spent", 2)


@pytest.mark.rule("CB-PSI-19")
def test_probe_takes_one_thing():
    leader = seer("blast", number=2, side=2, leader=True, features=("quick",))
    assert prepare_power(Use(seer("probe"), "probe", (Aim(leader, 16, False),))).throws == (Throw(2, 0, 7),)
    assert spoils(seer(), leader) == ("order", "power", "feature")
    own = model(3, 1, intellect="2D", leader=True)  # may hold 4 tokens
    token = Taking("order", tokens=3, own_tokens=1, own_leader=own)
    assert after_probe(seer(), leader, CheckResult(1), token) == (
        Assign("side", 2, "orders", 2), Assign("side", 1, "orders", 2),
    )  # fmt: skip
    (power,) = after_probe(seer(), leader, CheckResult(2), Taking("power", "blast"))
    assert knows(replace(seer(), conditions=frozenset({(power.condition, 0)})), "blast")
    assert power.until == "the end of its next activation"
    (quick,) = after_probe(seer(), leader, CheckResult(1), Taking("feature", "quick"))
    assert replace(seer(), conditions=frozenset({(quick.condition, 0)})).has_feature("quick")
    assert after_probe(seer(), leader, CheckResult(0), token) == ()
    refuse(
        "doesn't have that Feature", after_probe, seer(), leader, CheckResult(1), Taking("feature", "scary")
    )
    follower = model(4, 2)
    refuse("You can't take an order token", after_probe, seer(), follower, CheckResult(1), token)
    clever = seer(number=2, side=2, leader=True, intellect="2D")
    assert after_probe(seer(), clever, CheckResult(2), token, PROSE) == ()
    assert after_probe(seer(), clever, CheckResult(4), token, PROSE)[0] == Assign("side", 2, "orders", 1)


@pytest.mark.rule("CB-PSI-20")
def test_a_botched_probe_is_turned_around():
    psionic = seer("probe", features=("tough",), leader=True)
    target = model(2, 2)
    (taken,) = after_probe(psionic, target, CheckResult(-1), Taking("feature", "tough"))
    assert taken.model == 2
    assert after_probe(psionic, target, CheckResult(-1), Taking("order", tokens=2))[0] == Assign(
        "side", 1, "orders", 1
    )
    refuse(
        "You can't take a power from", after_probe, psionic, target, CheckResult(-1), Taking("power", "probe")
    )
    assert after_probe(psionic, target, CheckResult(-1), None) == ()


@pytest.mark.rule("CB-PSI-23")
def test_scan_lowers_defense_and_shield_until_upkeep():
    target = model(2, 2, shield=2)
    (seen,) = after_scan(seer(), target, CheckResult(1))
    assert (seen.value, seen.until) == (1, "Upkeep")
    scanned = replace(target, conditions=frozenset({("scanned", 2)}))
    assert (scanned.defense, scanned.shield) == (5, 0)
    rolled = fed(use_power, [10, 3, 4], (Throw(2, 0, 7),), True)
    assert after_scan(seer(), target, rolled)[0].value == 2
    hidden = model(3, 2, under=("hidden",))
    ready = prepare_power(Use(seer("scan"), "scan", (Aim(hidden, 16, sighted=False),)))
    assert ready.throws == (Throw(2, 0, 7),)
    assert Lose(3, "hidden") in after_scan(seer(), hidden, CheckResult(1))
    assert after_scan(seer(), target, CheckResult(0)) == ()
    assert after_scan(seer(), target, CheckResult(-1)) == (Assign("model", 1, "failed Scan", 1),)
    dazed = seer("blast", counters={"failed Scan": 1})
    assert prepare_power(Use(dazed, "blast", (Aim(target, 5),))).throws == (Throw(2, -1, 7),)
    assert Assign("model", 1, "failed Scan", 0) in end_activation(dazed)


@pytest.mark.rule("CB-PSI-15")
def test_identify_helps_or_spoils_the_check_after_it():
    assert insight(CheckResult(1)) == Insight(1)
    assert insight(CheckResult(2, criticals=1)) == Insight(2)
    assert insight(CheckResult(0)) == Insight(-1)
    assert insight(CheckResult(-2)).spoiled
    mind, work = (Throw(1, 0, 7),), Throw(2, 0, 7)
    assert fed(identify, [7, 6, 5], mind, work) == CheckResult(1)  # 6 + 1 succeeds, 5 + 1 does not
    assert fed(identify, [10, 2, 5, 4], mind, work) == CheckResult(1)  # 5 + 2
    assert fed(identify, [3, 7, 8], mind, work) == CheckResult(1)  # 7 - 1 fails
    assert fed(identify, [1], mind, work) == CheckResult(-1)
    with pytest.raises(InvalidInput):
        require_identifiable("melee")
    require_identifiable("medicine")


# ------------------------------------------------------------------------------------------- force


@pytest.mark.rule("CB-PSI-12")
def test_force_fields_add_up_until_upkeep():
    ally, other = model(2), model(3, shield=1)
    aims = (Aim(ally, 8, False, 2), Aim(other, 8, False, 1))
    use = Use(seer("force_field", psionic="3D"), "force_field", aims)
    assert prepare_power(use).throws == (Throw(2, 0, 7), Throw(1, 0, 7))
    assert after_force_field(((ally, CheckResult(2)), (other, CheckResult(0)))) == (
        Gain(2, "warded", 2, "Upkeep", "Force Field"),
    )
    warded = replace(other, conditions=frozenset({("warded", 2)}))
    assert warded.shield == 3
    assert after_force_field(((warded, CheckResult(1)),))[0].value == 3
    assert after_force_field(((ally, CheckResult(-1)),)) == ()


@pytest.mark.rule("CB-PSI-13")
def test_heal_mends_the_living_in_contact():
    hurt = model(2, life=3, damage=2)
    require_healing(hurt, (seer(),))
    assert fed(heal, [7, 8], (Throw(2, 0, 7),), 2) == Treatment(2, 0)
    assert fed(heal, [7, 8], (Throw(2, 0, 7),), 1) == Treatment(1, 0)
    assert after_heal(hurt, Treatment(2, 0)) == (Mend(2, 2),)
    assert after_heal(hurt, Treatment(0, 0)) == ()
    refuse("machine", require_healing, model(2, types=("robot",)), (seer(),))
    refuse("machine", require_healing, model(2, types=("vehicle", "wheeled")), (seer(),))
    refuse("contact", require_healing, hurt, (seer(),), 1)
    refuse("Trooper 1 is engaged", require_healing, hurt, (seer(under=("engaged",)),))
    refuse("Trooper 2 is engaged", require_healing, model(2, under=("engaged",)), (seer(),))


@pytest.mark.rule("CB-PSI-14")
def test_a_botched_heal_wounds():
    assert fed(heal, [1, 1], (Throw(2, 0, 7),), 2) == Treatment(0, 2)
    hurt = model(2, life=3, damage=1)
    assert after_heal(hurt, Treatment(0, 1)) == (Harm(2, 1),)
    assert after_heal(hurt, Treatment(0, 2)) == (Harm(2, 2), Leave(2, "casualty"))


@pytest.mark.rule("CB-PSI-17", "CB-PSI-18")
def test_blast_wounds_without_sight_and_a_botch_strikes_back():
    one, two = model(2, 2, life=3), model(3, 2, defense=8, shield=2)
    psionic = seer("blast", psionic="3D", shield=1)
    aims = (Aim(one, 12, False, 2), Aim(two, 6, False, 1))
    shots = prepared_strikes(Use(psionic, "blast", aims))
    first, second = fed(strikes, [7, 7, 1], shots)  # 3D take two shield dice away, Power 7
    assert (first.suffered.through, second.net_ones) == (2, 1)
    assert net_ones(((one, first), (two, second))) == 1
    own = backlash_impact(psionic)
    assert (own.power, own.shields) == (7, 0)
    back = fed(backlash, [7], 1, psionic.defense, own)
    assert after_blast(psionic, ((one, first), (two, second)), back) == (Harm(2, 2), Harm(1, 1))
    assert fed(backlash, [1, 6], 2, 7, own) == Suffered(0)  # 1s cancel nothing
    assert fed(backlash, [], 0, 7, own) == Suffered(0)
    assert fed(backlash, [10, 7], 1, 7, own).through == 2
    # one die at 7 with no shield: 4 of 10 faces wound
    odds = Solver(exact=True).solve(strike, replace(shots[0], throws=(Throw(1, 0, 7),)))
    assert odds.chance(lambda struck: struck.suffered.through > 0) == pytest.approx(0.4)


@pytest.mark.rule("CB-PSI-21", "CB-PSI-22")
def test_power_blast_needs_sight_and_floors():
    target, near = model(2, 2, life=3, shield=4), model(3, 2)
    psionic = seer("power_blast", life=3)
    refuse("can't see", prepare_power, Use(psionic, "power_blast", (Aim(target, 5, sighted=False),)))
    shots = prepared_strikes(Use(psionic, "power_blast", (Aim(target, 12),)))
    struck = fed(strikes, [10, 2, 3, 5, 6, 2], shots, True)  # one success; three shield dice, two stop
    assert struck[0].suffered.through == 0
    effects = after_power_blast(psionic, ((target, struck[0]),), Suffered(0))
    assert effects == (Gain(2, "prone", until="it stands up", source="Power Blast"),)
    prose = after_power_blast(
        psionic, ((target, struck[0]),), Suffered(0), in_range=(psionic, target, near), settings=PROSE
    )
    assert [effect.model for effect in prose] == [2, 3]
    botch = fed(strikes, [1, 2], shots, True)
    back = fed(backlash, [7], net_ones(((target, botch[0]),)), 7, backlash_impact(psionic))
    assert after_power_blast(psionic, ((target, botch[0]),), back) == (
        Harm(1, 1), Gain(1, "prone", until="it stands up", source="Power Blast"),
    )  # fmt: skip


# ------------------------------------------------------------------------------------------- moving things


@pytest.mark.rule("CB-PSI-09")
def test_a_portal_reaches_twice_mv_onto_free_ground():
    assert portal_inches(seer()) == 12
    require_portal(seer(), 12)
    refuse("reaches 12 in", require_portal, seer(), 13)
    refuse("free, open ground", require_portal, seer(), 5, blocked=True)
    assert prepare_power(Use(seer("deep_portal"), "deep_portal")).throws == (Throw(2, 0, 7),)
    assert fed(deep_portal, [7, 2], (Throw(2, 0, 7),)) == Portal("arrives")
    assert fed(deep_portal, [6, 2], (Throw(2, 0, 7),)) == Portal("stays")


@pytest.mark.rule("CB-PSI-10")
def test_a_botched_portal_goes_astray():
    check = (Throw(2, 0, 7),)
    assert fed(deep_portal, [1, 2, 12, 3], check) == Portal("astray", 12, 2)
    assert fed(deep_portal, [1, 2, 4, 4], check) == Portal("astray", 4, 4)
    assert fed(deep_portal, [1, 2, 4, 7], check) == Portal("astray", 4, 6)
    assert after_portal(seer(), Portal("astray", 4, 6), "blocked") == (Leave(1, "casualty"),)
    assert after_portal(seer(), Portal("astray", 4, 6)) == ()
    assert after_portal(seer(), Portal("arrives"), "blocked") == ()


@pytest.mark.rule("CB-PSI-24")
def test_telekinesis_lifts_friends_and_things():
    ally = model(2)
    psionic = seer("telekinesis")
    assert prepare_power(Use(psionic, "telekinesis_self")).throws == (Throw(2, 0, 4),)
    assert prepare_power(Use(psionic, "telekinesis_ally", (Aim(ally, 8),))).throws == (Throw(2, 0, 6),)
    (lift,) = after_lift(psionic, ally, CheckResult(2))
    assert (lift.action, lift.model, dict(lift.details)) == ("lift", 2, {"inches": 6})
    assert dict(after_lift(psionic, None, CheckResult(1), "L")[0].details) == {"inches": 1}
    assert after_lift(psionic, ally, CheckResult(0)) == after_lift(psionic, ally, CheckResult(-1)) == ()
    require_telekinesis(psionic)
    refuse("contact with an enemy", require_telekinesis, psionic, engages=True)
    refuse("as an attack", require_telekinesis, psionic, moves_enemy=True)
    refuse("once per activation", require_telekinesis, seer(counters={"telekinesis used": 1}))


@pytest.mark.rule("CB-PSI-25")
def test_telekinesis_throws_enemies_without_damage():
    enemy = model(2, 2, size="M")
    psionic = seer("telekinesis")
    assert prepare_power(Use(psionic, "telekinesis_attack", (Aim(enemy, 8),))).throws == (Throw(2, 0, 7),)
    (thrown,) = after_throw(psionic, enemy, CheckResult(2))
    assert isinstance(thrown, Propose)
    assert dict(thrown.details) == {"inches": 4}
    assert after_throw(psionic, enemy, CheckResult(0)) == ()
    assert after_throw(psionic, enemy, CheckResult(-1)) == (
        Gain(1, Condition.PRONE, until="it stands up", source="Telekinesis"),
    )


@pytest.mark.rule("CB-PSI-26")
def test_bigger_things_move_less():
    assert [telekinesis_inches("S", size, 2) for size in ("S", "M", "L")] == [6, 4, 2]
    assert [telekinesis_inches("M", size, 1, PROSE) for size in ("S", "M", "L")] == [3, 3, 1]
    assert telekinesis_inches("S", "M", 1, PROSE) == 2
