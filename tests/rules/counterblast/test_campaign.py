"""A campaign: pairings, the table, points, the Underdog; casualties, salvage, relics; whole crews."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.dice import Solver
from rules.effects import Assign, Count, Leave, Lose
from rules.modifiers import total
from rules.pairings import pair_round_robin, pair_swiss
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.building.builder import add_gear
from rules.systems.counterblast.building.crew import AfterWin, check_crew, require_alignment
from rules.systems.counterblast.building.draft import list_members, start_hero, start_improving
from rules.systems.counterblast.campaign import (
    Campaign,
    Fate,
    FateProposal,
    FreshStart,
    Underdog,
    confirm_fate,
    count_points_below,
    count_reinforcements,
    disband,
    find_underdog_benefits,
    get_casualty_category,
    get_fate,
    list_casualty_modifiers,
    list_injury_modifiers,
    list_injury_skills,
    list_leader_choices,
    needs_second_roll,
    require_can_spend,
    require_fit,
    roll_casualty,
    roll_casualty_row,
    start_campaign_step,
    upgrade_points,
)
from rules.systems.counterblast.core.checks import CheckResult, Throw, throw
from rules.systems.counterblast.core.dice_pools import prepare_check
from rules.systems.counterblast.core.impacts import Impact
from rules.systems.counterblast.core.settings import Settings
from rules.systems.counterblast.gear.items import extinguish_area, extinguish_model
from rules.systems.counterblast.gear.salvage import (
    Plan,
    after_bauble,
    after_building,
    after_check,
    after_trinket,
    after_wreck,
    bauble,
    beacon,
    boon,
    build,
    build_level,
    extra_orders,
    give,
    haul,
    leaves_wreck,
    lost_tech,
    plan,
    points_for,
    prepare_building,
    prepare_search,
    recover_order,
    relic_roll,
    require_building,
    search,
    spend,
    timebomb,
    trinket,
    ultonium,
    unused,
)
from rules.systems.counterblast.melee.bouts import Blow, Melee
from rules.systems.counterblast.melee.engagement import Grapple, control, grapple
from rules.systems.counterblast.melee.fighting import prepare_melee
from rules.systems.counterblast.psionics.powers import astray
from rules.systems.counterblast.psionics.psionics import psionic_impact
from rules.systems.counterblast.shooting.shooting import Mark, Volley, prepare_volley
from rules.systems.counterblast.vehicle_rules import careen, critical_damage, explosion, maneuver
from tests.rules.counterblast.arena import armed, weapon
from tests.rules.counterblast.field import model, statblock
from tests.rules.helpers import brute, fed


def refuse(match: str, call, *args, **kwargs):
    with pytest.raises(Forbidden, match=match):
        call(*args, **kwargs)


# ------------------------------------------------------------------------------------------- the campaign


@pytest.mark.rule("CB-CAMP-01")
def test_what_a_campaign_agrees():
    assert Campaign(3, (1, 2, 3), 300, 250).encounters == 3
    for wrong in ((2, (1, 2)), (11, (1, 2)), (5, (1,)), (5, (1, 1))):
        with pytest.raises(InvalidInput):
            Campaign(*wrong, 300, 250)
    with pytest.raises(InvalidInput):
        Campaign(5, (1, 2), 0, 250)


@pytest.mark.rule("CB-CAMP-02")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 8])
def test_round_robin_lets_everyone_meet_once(players):
    everyone = tuple(range(1, players + 1))
    rounds = pair_round_robin(everyone)
    met = [frozenset(pair) for one in rounds for pair in one.pairs]
    assert sorted(map(sorted, met)) == [list(pair) for pair in combinations(everyone, 2)]
    resting = [one.rests for one in rounds]
    assert sorted(resting) == ([*everyone] if players % 2 else [0] * len(rounds))
    for one in rounds:
        assert len({player for pair in one.pairs for player in pair}) == 2 * (players // 2)


@pytest.mark.rule("CB-CAMP-02")
def test_swiss_pairs_neighbours_without_rematches():
    assert pair_swiss((1, 2, 3, 4)).pairs == ((1, 2), (3, 4))
    assert pair_swiss((1, 3, 2, 4), rounds_met=[((1, 3), (2, 4))]).pairs == ((1, 2), (3, 4))
    # 1 has met 2 and 3: it meets 4
    assert pair_swiss((1, 2, 3, 4), rounds_met=[((1, 2),), ((1, 3),)]).pairs == ((1, 4), (2, 3))
    odd = pair_swiss((5, 4, 3, 2, 1))
    assert (odd.rests, odd.pairs) == (1, ((5, 4), (3, 2)))
    assert pair_swiss((5, 4, 3, 2, 1), rested_players=(1,)).rests == 2
    # greedy pairing of 1-2 would force 3-4 to meet again
    assert pair_swiss((1, 2, 3, 4), rounds_met=[((3, 4),)]).pairs == ((1, 3), (2, 4))
    with pytest.raises(InvalidInput):
        pair_swiss((1,))


@pytest.mark.rule("CB-CAMP-02")
def test_a_rematch_that_cannot_be_avoided_is_the_one_longest_ago():
    three = [((1, 3), (2, 4)), ((1, 2), (3, 4)), ((1, 4), (2, 3))]
    assert pair_swiss((1, 2, 3, 4), rounds_met=three).pairs == ((1, 3), (2, 4))
    # they met again since: now the second round lies furthest back
    assert pair_swiss((1, 2, 3, 4), rounds_met=[*three, ((1, 3), (2, 4))]).pairs == ((1, 2), (3, 4))
    # all in one round: neighbours
    assert pair_swiss((1, 2, 3, 4), rounds_met=[tuple(combinations((1, 2, 3, 4), 2))]).pairs == (
        (1, 2),
        (3, 4),
    )
    # one rematch, however recent, is less than two from long ago
    seen = [((1, 2), (3, 4)), ((1, 3), (2, 4)), ((2, 3),)]
    assert pair_swiss((1, 2, 3, 4), rounds_met=seen).pairs == ((1, 4), (2, 3))


@pytest.mark.rule("CB-CAMP-02")
@given(st.lists(st.permutations((1, 2, 3, 4, 5, 6)), max_size=8), st.permutations((1, 2, 3, 4, 5, 6)))
def test_no_pairing_has_fewer_or_older_rematches(rounds, order):
    met = [tuple(zip(one[::2], one[1::2], strict=True)) for one in rounds]
    last = {frozenset(pair): number for number, pairs in enumerate(met) for pair in pairs}

    def again(pairs):
        seen = sorted((last[frozenset(pair)] for pair in pairs if frozenset(pair) in last), reverse=True)
        return len(seen), seen

    every = (tuple(zip(one[::2], one[1::2], strict=True)) for one in permutations(range(1, 7)))
    assert again(pair_swiss(order, met).pairs) == min(map(again, every))


@pytest.mark.rule("CB-CAMP-05")
def test_reinforcements_are_ten_points_a_victory_point():
    assert count_reinforcements(8) == 80
    assert count_reinforcements(-1) == 0


@pytest.mark.rule("CB-CAMP-06")
def test_survivors_earn_upgrade_points():
    hero, lackey = statblock(rank="hero"), statblock()
    assert upgrade_points(hero, took_part=True, survived=True) == 2
    assert upgrade_points(lackey, took_part=True, survived=True) == 1
    once = Settings(hero_up_per_game=1)
    assert upgrade_points(hero, took_part=True, survived=True, settings=once) == 1
    assert upgrade_points(hero, took_part=False, survived=True) == 0
    assert upgrade_points(hero, took_part=True, survived=False) == 0
    assert upgrade_points(hero, took_part=True, survived=True, injured=True) == 0


@pytest.mark.rule("CB-CAMP-09")
def test_a_crew_may_start_over():
    agreed, now = Campaign(5, (1, 2), 300, 250), 4
    assert disband(agreed, now, keep=True) == FreshStart(300, 4)
    assert disband(agreed, now, keep=False) == FreshStart(300, 0)
    refuse("between encounters", disband, agreed, now, keep=True, between_encounters=False)


@pytest.mark.rule("CB-UNDER-01", "CB-UNDER-02", "CB-UNDER-03", "CB-UNDER-04", "CB-UNDER-05", "CB-UNDER-06")
def test_underdogs_by_what_they_could_field():
    rows = {24: (0, 0), 25: (10, 0), 50: (10, 0), 51: (10, 0), 100: (10, 0), 101: (10, 1), 150: (10, 1)}
    rows |= {151: (10, 2), 200: (10, 2), 201: (10, 3)}
    for difference, gain in rows.items():
        found = find_underdog_benefits(count_points_below(300, 0, (300 + difference,)))
        assert (found.battle_points, found.campaign_points) == gain
    assert (
        find_underdog_benefits(count_points_below(300, 80, (400,))) == Underdog()
    )  # it could have fielded 380
    assert find_underdog_benefits(count_points_below(300, 76, (400,))) == Underdog()
    assert find_underdog_benefits(count_points_below(300, 75, (400,))) == Underdog(
        10
    )  # 25 below with all that it kept
    assert find_underdog_benefits(count_points_below(300, 0, (320, 401))) == Underdog(
        10, 1
    )  # the larger of two opponents counts
    assert find_underdog_benefits(count_points_below(400, 0, (300,))) == Underdog()
    assert (
        find_underdog_benefits(
            count_points_below(300, 0, (400,)), Settings(underdog_battle_points=1)
        ).battle_points
        == 1
    )


# ------------------------------------------------------------------------------------------- casualties


@pytest.mark.rule("CB-CASU-01", "CB-CASU-02")
def test_how_a_loss_is_counted():
    assert get_casualty_category(model(life=1, damage=1), "casualty") == "wounded"
    assert get_casualty_category(model(life=1, damage=2), "casualty") == "severely wounded"
    hero = {"rank": "hero", "life": 5}
    assert get_casualty_category(model(damage=6, **hero), "casualty") == "wounded"
    assert get_casualty_category(model(damage=7, **hero), "casualty") == "severely wounded"
    assert get_casualty_category(model(damage=9, **hero), "fled") == "fled"
    assert get_casualty_category(model(damage=7, **hero), "casualty", own=AfterWin(softer=True)) == "wounded"
    assert (
        get_casualty_category(model(damage=5, **hero), "casualty", foe=AfterWin(harsher=True))
        == "severely wounded"
    )


@pytest.mark.rule("CB-CASU-03", "CB-RELIC-10", "CB-MISS-18")
def test_modifiers_of_the_casualty_roll():
    assert total(list_casualty_modifiers(model(), "fled")) == 1
    assert total(list_casualty_modifiers(model(), "severely wounded")) == -1
    assert list_casualty_modifiers(model(), "wounded") == ()
    win = AfterWin(casualty_all=1, casualty_robots=1)
    assert total(list_casualty_modifiers(model(), "wounded", win)) == 1
    assert total(list_casualty_modifiers(model(types=("robot",)), "wounded", win)) == 2
    assert total(list_casualty_modifiers(model(), "severely wounded", invaded=True, timebomb=True)) == -3


@pytest.mark.rule("CB-CASU-02", "CB-CASU-04", "CB-CASU-05")
def test_the_casualty_chart():
    assert fed(roll_casualty, [1], 0) is Fate.DEAD
    assert fed(roll_casualty, [2], -1) is Fate.DEAD
    assert fed(roll_casualty, [2, 5], 0) is Fate.MAJOR_INJURY
    assert fed(roll_casualty, [3, 6], 0) is Fate.OUT_2
    assert fed(roll_casualty, [4, 1], 0) is Fate.MINOR_INJURY
    assert fed(roll_casualty, [5, 10], 0) is Fate.OUT_1
    assert fed(roll_casualty, [6], 0) is Fate.OKAY
    assert fed(roll_casualty, [5], 1) is Fate.OKAY
    row = fed(roll_casualty_row, [3], 0)
    assert needs_second_roll(row)
    assert get_fate(row, injury=True) is Fate.MAJOR_INJURY
    assert not needs_second_roll(fed(roll_casualty_row, [9], 0))
    odds = Solver(exact=True).solve(roll_casualty, 0)
    assert odds.chance(lambda fate: fate is Fate.OKAY) == pytest.approx(0.5)
    assert odds.chance(lambda fate: fate is Fate.MAJOR_INJURY) == pytest.approx(0.1)  # 2/10 x 1/2


@pytest.mark.rule("CB-CASU-06")
def test_the_dead_leave_with_all_they_had():
    dead = FateProposal(3, Fate.DEAD, upgrade_points=2)
    gone, lost = confirm_fate(dead, ("techpad", "club"))
    assert gone == Leave(3, "dead")
    assert dict(lost.details) == {"items": "techpad, club"}
    assert confirm_fate(dead) == (Leave(3, "dead"),)


@pytest.mark.rule("CB-CASU-07")
def test_a_dead_leader_is_followed_by_a_hero_or_nobody():
    assert list_leader_choices((statblock(), statblock(rank="hero"))) == ("choose",)
    assert list_leader_choices((statblock(),)) == ("buy", "disband")


@pytest.mark.rule("CB-CASU-08", "CB-CASU-09")
def test_injuries_last():
    major = FateProposal(3, Fate.MAJOR_INJURY, upgrade_points=2)
    refuse("choose the skill", confirm_fate, major)
    assert list_injury_skills(Fate.MAJOR_INJURY, statblock()) == ("marksmanship", "melee")
    assert list_injury_skills(Fate.MINOR_INJURY, statblock()) == ("engineering", "medicine", "technology")
    assert list_injury_skills(Fate.OKAY, statblock()) == ()
    hurt = confirm_fate(replace(major, skill="melee"))
    assert hurt == (Count("model", 3, "injury: melee", 1), Assign("model", 3, "no upgrades", 1))
    minor = replace(major, fate=Fate.MINOR_INJURY, skill="medicine")
    assert confirm_fate(minor)[0] == Count("model", 3, "injury: medicine", 1)
    scarred = replace(
        armed(1, 1, engaged=(2,)), standing=list_injury_modifiers((("injury: melee", 2), ("other", 1)))
    )
    blow = prepare_melee(Melee((Blow(scarred, armed(2, 2, engaged=(1,))),))).blows[0]
    assert blow.attack.throw.modifier == -2
    refuse("can't spend upgrade points now.", require_can_spend, model(counters={"no upgrades": 1}))
    assert start_campaign_step(model(counters={"no upgrades": 1})) == (Assign("model", 1, "no upgrades", 0),)


@pytest.mark.rule("CB-CASU-10")
def test_out_of_action_misses_encounters_and_keeps_its_points():
    out = FateProposal(3, Fate.OUT_2, upgrade_points=2)
    assert confirm_fate(out) == (
        Assign("model", 3, "encounters out", 2),
        Assign("model", 3, "no upgrades", 1),
        Count("model", 3, "upgrade points", 2),
    )
    assert confirm_fate(FateProposal(3, Fate.OUT_1))[0] == Assign("model", 3, "encounters out", 1)
    away = model(counters={"encounters out": 2, "no upgrades": 1})
    refuse("has to miss 2 more", require_fit, away)
    refuse("can't spend upgrade points now.", require_can_spend, away)
    assert start_campaign_step(away) == (Assign("model", 1, "encounters out", 1),)
    back = model(counters={"encounters out": 1, "no upgrades": 1})
    assert start_campaign_step(back) == (
        Assign("model", 1, "encounters out", 0), Assign("model", 1, "no upgrades", 0),
    )  # fmt: skip
    require_fit(model())
    assert confirm_fate(FateProposal(3, Fate.OKAY, upgrade_points=1)) == (
        Count("model", 3, "upgrade points", 1),
    )


# ------------------------------------------------------------------------------------------- salvage


@pytest.mark.rule("CB-SALV-01", "CB-SALV-04")
def test_wrecked_machines_leave_tokens():
    assert leaves_wreck(model(types=("robot",)), "casualty")
    assert leaves_wreck(model(types=("vehicle", "tracked")), "casualty")
    assert not leaves_wreck(model(types=("robot",)), "fled")
    assert not leaves_wreck(model(), "casualty")
    assert after_wreck(model(types=("robot",)), "casualty", "wreck 1")[0].action == "salvage_token"
    assert after_wreck(model(), "casualty", "wreck 1") == ()
    assert haul((("wreck 1", 3), ("wreck 2", 9), ("wreck 3", 0)), (3, 4)) == 1


@pytest.mark.rule("CB-SALV-02")
def test_each_success_finds_a_token():
    targets = {"casualty": 4, "man_made": 6, "natural": 8}
    for ground, target in targets.items():
        assert prepare_search(model(), ground).throw == Throw(1, 0, target)
    assert fed(search, [6, 9, 2], (Throw(3, 0, 6),)) == 2
    with pytest.raises(InvalidInput):
        prepare_search(model(), "water")


@pytest.mark.rule("CB-SALV-05")
def test_tokens_are_traded():
    assert points_for(3) == 15
    assert spend(1, 5, 2) == (Count("side", 1, "salvage tokens", -2),)
    refuse("The crew has only 5", spend, 1, 5, 6)


@pytest.mark.rule("CB-SALV-06", "CB-SALV-08", "CB-GEAR-48")
def test_what_may_be_built():
    own, other = statblock(points=30), statblock(points=30, affiliations=("neiran",), key="other")
    require_building(own, "gcw", 3, plan(own, foreign=False))
    refuse("3 Salvage Tokens to build", require_building, own, "gcw", 2, plan(own, foreign=False))
    foreign = plan(other, foreign=True)
    refuse("You need Secret Plans to build", require_building, other, "gcw", 9, foreign)
    require_building(other, "gcw", 9, foreign, plans=("other",))
    with pytest.raises(
        Forbidden, match="Between encounters, you can build only one model of another faction"
    ):
        require_building(other, "gcw", 9, foreign, plans=("other",), foreign_built=1)


@pytest.mark.rule("CB-SALV-10")
def test_levels_by_points_or_rank():
    assert [build_level(statblock(points=points)) for points in (35, 36, 55, 56)] == [1, 2, 2, 3]
    assert build_level(statblock(points=89), Settings(build_level="rank")) == 1
    assert [build_level(statblock(points=40), override=level) for level in (1, 3)] == [1, 3]
    for level in (-1, 4):
        with pytest.raises(InvalidInput):
            build_level(statblock(), override=level)
    assert plan(statblock(points=20), foreign=True) == Plan(4, 5, 3)
    assert plan(statblock(points=40), foreign=False) == Plan(4, 5, 3)


@pytest.mark.rule("CB-SALV-09", "CB-SALV-11")
def test_building_is_one_teamwork_check_all_or_nothing():
    crew = tuple(model(n, intellect="2D", gear=("toolkit",)) for n in (1, 2, 3))
    wanted = plan(statblock(points=40), foreign=False)  # 4 tokens, target 5, 3 successes
    checks = prepare_building(crew, wanted)
    assert [check.throw for check in checks] == [Throw(2, 2, 5)] * 3  # Toolkit and three together
    throws = tuple(check.throw for check in checks)
    assert fed(build, [3, 3, 3, 2, 2, 2], throws, wanted)
    assert not fed(build, [3, 3, 2, 2, 2, 2], throws, wanted)
    refuse("Choose 1 to 3 members", prepare_building, (*crew, model(4)), wanted)
    refuse("Choose 1 to 3 members", prepare_building, (), wanted)
    assert [check.throw for check in prepare_building(crew[:1], wanted)] == [Throw(2, 1, 5)]
    assert after_building(1, 6, wanted) == (Count("side", 1, "salvage tokens", -4),)


# ------------------------------------------------------------------------------------------- relics


def bearer(**relics):
    return model(counters={f"relic: {key}": number for key, number in relics.items()})


@pytest.mark.rule("CB-RELIC-01")
def test_the_relics_table():
    assert fed(relic_roll, [1]) == "alien_artifact"
    assert fed(relic_roll, [10]) == "crystalized_ultonium"


@pytest.mark.rule("CB-RELIC-02", "CB-RELIC-03")
def test_artifacts_shield_and_add_up():
    assert give(model(), "alien_artifact") == (Count("model", 1, "relic: alien_artifact", 1),)
    assert bearer(alien_artifact=2).shield == 2
    with pytest.raises(LookupError):
        give(model(), "spoon")


@pytest.mark.rule("CB-RELIC-04")
def test_ancient_texts_give_and_recover_orders():
    reader = bearer(ancient_text=1)
    assert extra_orders(reader) == 1
    used, back, fewer = recover_order(reader, spent=2)
    assert fewer == Count("side", 1, "orders spent", -1)
    assert back == Count("side", 1, "orders", 1)
    refuse("You haven't spent an order token yet, so you can't get one back.", recover_order, reader, 0)
    tired = model(counters={"relic: ancient_text": 1, "used:ancient_text": 1})
    refuse("left for this encounter", recover_order, tired, 2)
    assert used == Count("model", 1, "used:ancient_text", 1)


@pytest.mark.rule("CB-RELIC-05")
def test_a_boon_repeats_a_failed_check_once():
    lucky = bearer(boon=1)
    assert unused(lucky, "boon")
    assert boon(lucky) == (Count("model", 1, "used:boon", 1),)
    assert not unused(model(counters={"relic: boon": 1, "used:boon": 1}), "boon")
    refuse("no Boon left", boon, model())


@pytest.mark.rule("CB-RELIC-06")
def test_a_relic_weapon_is_better_by_one():
    shooter = armed(1, 1, "pulsar_pistol", engaged=())
    _, mark = give(shooter, "relic_weapon", "pulsar_pistol")
    assert mark == Count("model", 1, "relic weapon: pulsar_pistol", 1)
    refuse(r"doesn't carry that weapon\. It carries", give, shooter, "relic_weapon", "club")
    blessed = replace(shooter, counters=frozenset({("relic weapon: pulsar_pistol", 1)}))
    gun = weapon("pulsar_pistol")
    assert prepare_volley(Volley(blessed, (Mark(model(2, 2), gun, 3),))).shots[0].shot.throws[0].modifier == 1
    blow = Blow(blessed, model(2, 2), gun, charging=True)
    other = replace(blow, attacker=shooter)
    best, plain = (prepare_melee(Melee((one,))).blows[0].attack.throw.modifier for one in (blow, other))
    assert best == plain + 1


@pytest.mark.rule("CB-RELIC-07", "CB-RELIC-08")
def test_trinkets_and_lost_tech():
    used, now = trinket(bearer(trinket=1))
    assert (used, now) == (Count("model", 1, "used:trinket", 1), Assign("model", 1, "trinket now", 1))
    spared = prepare_check(model(counters={"trinket now": 1}), "INT", 7).throw
    assert fed(throw, [1] * spared.pool, (spared,)) == CheckResult(0)
    assert fed(throw, [1, 1], (Throw(1, 0, 7), replace(spared, pool=1))) == CheckResult(0)
    assert after_trinket(1) == (Assign("model", 1, "trinket now", 0),)
    refuse("no Trinket left", trinket, model())
    once, ready = lost_tech(bearer(lost_tech=1))
    assert (once, ready) == (Count("model", 1, "used:lost_tech", 1), Assign("model", 1, "lost tech now", 1))
    sure = model(counters={"lost tech now": 1})
    assert fed(throw, [], (prepare_check(sure, "INT", 9, skill="engineering").throw,)) == CheckResult(1)
    assert not prepare_check(sure, "INT", 9, skill="technology").throw.sure
    assert after_check(sure, "engineering") == (Assign("model", 1, "lost tech now", 0),)
    assert not after_check(sure, "medicine")
    refuse("no Lost Tech left", lost_tech, model())
    refuse("already gets a success on its next Engineering check.", lost_tech, sure)


@pytest.mark.rule("CB-RELIC-09", "CB-RELIC-10", "CB-RELIC-11", "CB-RELIC-12")
def test_relics_of_one_use_are_gone_after_it():
    assert fed(bauble, [7, 10]) == 17
    assert after_bauble(bearer(valuable_bauble=1)) == (Count("model", 1, "relic: valuable_bauble", -1),)
    assert timebomb(bearer(timebomb=1)) == (Count("model", 1, "relic: timebomb", -1),)
    afraid = replace(bearer(beacon=1), conditions=frozenset({("panicked", 0)}))
    assert beacon(afraid, rallied=False) == (Count("model", 1, "relic: beacon", -1), Lose(1, "panicked"))
    refuse("has already rallied", beacon, afraid, rallied=True)
    gone = Count("model", 1, "relic: crystalized_ultonium", -1)
    assert ultonium(bearer(crystalized_ultonium=1)) == (gone,)
    for use in (after_bauble, timebomb, ultonium):
        refuse("has no", use, model())


# ------------------------------------------------------------------------------------------- whole crews


@pytest.mark.rule("CB-CREW-01", "CB-CREW-07", "CB-GEAR-49")
def test_a_whole_crew_is_judged_together():
    hero = start_hero("human", faction="gcw")  # 13 points
    lackey = start_improving(statblock(points=20), 0)
    crew = list_members((hero, lackey))
    assert [member.points for member in crew] == [13, 20]
    check_crew(crew, 40, "gcw")
    refuse("points, which is 3", check_crew, crew, 30, "gcw")
    refuse("Add a Hero, because a crew needs at least one", check_crew, list_members((lackey,)), 40, "gcw")
    foreign = start_improving(statblock(affiliations=("neiran",)), 0)
    refuse(
        "because a crew can only have Lackeys of its own faction.",
        check_crew,
        list_members((hero, foreign)),
        99,
        "gcw",
    )
    refuse(
        "More than half of your Heroes' points must come from Heroes of the affiliation that you choose.",
        require_alignment,
        crew,
        "neiran",
    )
    dog = start_hero("beast", size="S")
    owner = add_gear(hero, "watchdog", watchdog=dog)
    assert [member.points for member in list_members((owner,))] == [13, 24]


@pytest.mark.parametrize(
    ("rule", "args"),
    [
        (roll_casualty, (-1,)),
        (critical_damage, (3,)),
        (careen, (8,)),
        (extinguish_area, (3,)),
        (astray, ()),
        (relic_roll, ()),
        (bauble, ()),
    ],
)
def test_solved_and_counted_odds_agree(rule, args):
    solved = Solver(exact=True).solve(rule, *args)
    assert {outcome: chance for outcome, chance in solved.chances.items() if chance} == brute(rule, *args)


def test_single_dice_by_hand():
    one = (Throw(1, 0, 7),)
    assert chance(grapple, Grapple(one[0], None)) == pytest.approx(0.4)  # 7 to 10
    assert chance(control, one, psionic_impact(model(psionic="1D"), model(2, 2), damage=0)) == pytest.approx(
        0.4
    )
    assert chance(extinguish_model, one) == pytest.approx(0.4 * 0.4)
    assert chance(maneuver, one) == pytest.approx(0.4)
    assert chance(explosion, Impact(power=7, shields=1)) == pytest.approx(0.6)


def chance(rule, *args) -> float:
    return Solver().solve(rule, *args).chance(bool)
