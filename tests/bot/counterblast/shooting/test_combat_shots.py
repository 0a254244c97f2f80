"""Overwatch, shooting together, arcs, and what blows leave behind."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bot.games.counterblast.melee.attacks import Fight
from bot.games.counterblast.melee.strikes import Explode, StrikeBack
from bot.games.counterblast.shooting.team_shots import TeamShot
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.state.models import block_text
from bot.games.counterblast.turn.activations import Activate
from bot.games.counterblast.turn.overwatch import Interrupt, Overwatch
from bot.store.rows import ModelRow
from bot.table.encounter import Encounter
from bot.table.realdice import EnterFaces
from rules.systems.counterblast.core.fighter import Counter
from tests.bot.arranging import Step
from tests.bot.counterblast.psionics.test_psi_play import throws
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, block, change, gifted, hurt, touching, under

# ---------------------------------------------------------------- Overwatch


@pytest.mark.rule("CB-OVER-01", "CB-ACT-03")
async def test_going_on_overwatch_ends_the_activation(ring: Ring) -> None:
    await ring.arrange(active("Sally", "Skip"))
    await ring.ask(ANNA, Overwatch("Sally"))
    sally = await ring.model("Sally")
    assert sally.has("overwatch")
    assert not sally.has("active")
    assert (sally.count("actions spent"), sally.count("attacks made")) == (2, 1)
    await ring.arrange(touching(("Skip", "Trapper")))
    assert "CB-OVER-01" in await ring.refused(ANNA, Overwatch("Skip"))


@pytest.mark.rule("CB-OVER-02")
async def test_fires_once_at_an_enemy_that_is_active(ring: Ring) -> None:
    await ring.arrange(under("overwatch", "Sally"))
    shot = Shoot("Sally", "Trapper", 4, mode="overwatch")
    assert "during its activation.\nRulebook: Overwatch (page 16; CB-OVER-02)" in await ring.refused(
        ANNA, shot
    )
    assert "CB-OVER-02" in await ring.refused(ANNA, Interrupt())
    await ring.arrange(active("Trapper"))
    assert "is not on Overwatch.\nRulebook: Overwatch (page 16; CB-OVER-02)" in await ring.refused(
        ANNA, Shoot("Skip", "Trapper", 4, mode="overwatch")
    )
    await ring.ask(ANNA, Interrupt())
    assert ring.labels == ["Overwatch: Sally Starfield"]
    lines = await ring.ask(ANNA, shot, 9, 2)
    assert lines[0] == "Sally Starfield hits Trapper: 2 wounds, and Trapper goes down."
    sally = await ring.model("Sally")
    assert not sally.has("overwatch")
    assert sally.count("actions spent") == 0


@pytest.mark.rule("CB-OVER-02")
async def test_the_enemys_activation_offers_the_shot(ring: Ring) -> None:
    def drawn(encounter: Encounter) -> None:
        encounter.row.counters["drawn"] = 2

    await ring.arrange(under("overwatch", "Sally", "Wanda"), drawn)
    trapper = (await ring.model("Trapper")).id
    await ring.ask(BO, Activate((trapper,)))
    assert ring.labels == [
        "Overwatch: Sally Starfield",
        "Overwatch: Wanda Whitestar",
        "Undo",
    ]
    button = ring.answer.reply.buttons[0]
    assert button.anytime
    assert button.asks


@pytest.mark.rule("CB-OVER-03")
async def test_a_wound_ends_overwatch(ring: Ring) -> None:
    await ring.arrange(active("Skip"), under("overwatch", "Prime"))
    await ring.ask(ANNA, Shoot("Skip", "Prime", 5))
    await ring.table.press(BO, ring.answer, "Nobody reacts")
    await ring.ask(ANNA, EnterFaces((2, 2, 2, 2)))
    assert (await ring.model("Prime")).has("overwatch")
    await ring.arrange(change("Skip", lambda row: row.counters.clear()))
    await ring.ask(ANNA, Shoot("Skip", "Prime", 5))
    await ring.table.press(BO, ring.answer, "Nobody reacts")
    await ring.ask(ANNA, EnterFaces((9, 2, 2, 2, 2)))
    assert not (await ring.model("Prime")).has("overwatch")


@pytest.mark.rule("CB-HIDE-09")
async def test_overwatch_from_hiding_has_advantage_and_reveals(ring: Ring) -> None:
    await ring.arrange(under("overwatch", "Sally"), under("hidden", "Sally"), active("Trapper"))
    await ring.ask(ANNA, Shoot("Sally", "Trapper", 4, mode="overwatch"), 2, 2, 2)
    assert "+1 attack from hiding CB-HIDE-08" in ring.why
    assert not (await ring.model("Sally")).has("hidden")


# ---------------------------------------------------------------- together


@pytest.mark.rule("CB-ACT-08", "CB-ACT-09")
async def test_three_shoot_with_one_pool_at_plus_1(ring: Ring) -> None:
    await ring.arrange(active("Wanda", "Smap", "HOpR"))
    team = TeamShot("Wanda, Smap, HOpR", "Trapper", "4")
    lines = await ring.ask(ANNA, team, 2, 2, 8, 7, 1, 8)
    assert lines[0] == "Smap's team hits Trapper: 2 wounds, and Trapper goes down."
    assert lines[1] == "2 hits"
    assert "Wanda Whitestar: AGL 2D+3 vs 8" in lines
    assert "Smap: AGL 3D+0 vs 8" in lines
    assert ring.why.count("+1 teamwork of 3 models CB-ACT-09") == 3
    for name in ("Wanda", "Smap", "HOpR"):
        assert (await ring.model(name)).count("attacks made") == 1


@pytest.mark.rule("CB-ACT-08")
async def test_two_pool_their_dice_without_a_bonus_and_the_weakest_weapon_counts(ring: Ring) -> None:
    await ring.arrange(active("Wanda", "Sally"))
    lines = await ring.ask(ANNA, TeamShot("Wanda, Sally", "Edo Guardling", "4 6"), 7, 2, 8, 2, 3)
    assert "teamwork" not in ring.why
    assert "Power 4, damage 1" in ring.why
    assert lines[0] == "Sally Starfield's team hits Edo Guardling: 2 wounds, and Edo Guardling goes down."
    assert "-1 long range CB-SHOOT-03" in ring.why


@pytest.mark.rule("CB-ACT-08", "CB-ACT-11")
async def test_only_those_of_a_team_who_aim_have_the_advantage_and_pay_for_it(ring: Ring) -> None:
    await ring.arrange(active("Wanda", "Smap"))
    team = TeamShot("Wanda, Smap", "Trapper", "4", mode="aim", unaimed="Smap")
    lines = await ring.ask(ANNA, team, *[2] * 6)
    assert "Wanda Whitestar: AGL 3D+2 vs 8" in lines
    assert "Smap: AGL 3D-1 vs 8" in lines
    assert ring.why.count("aimed CB-ACT-11") == 1
    assert (await ring.model("Wanda")).count(Counter.ACTIONS) == 2
    assert (await ring.model("Smap")).count(Counter.ACTIONS) == 1


@pytest.mark.rule("CB-ACT-08")
async def test_who_does_not_aim_is_named_only_of_a_team_that_aims(ring: Ring) -> None:
    await ring.arrange(active("Wanda", "Smap"))
    plain = TeamShot("Wanda, Smap", "Trapper", "4", unaimed="Smap")
    assert "Choose Aim" in await ring.refused(ANNA, plain)
    nobody = TeamShot("Wanda, Smap", "Trapper", "4", mode="aim", unaimed="Smap, Wanda")
    assert "choose Shoot" in await ring.refused(ANNA, nobody)


async def test_a_team_may_name_the_weapon_of_those_who_carry_it(ring: Ring) -> None:
    await ring.arrange(active("Edo Guardling", "Edo Underling"))
    halberd = TeamShot("Edo Guardling, Underling 2", "Skip", "4", weapon="halberd", odds=True)
    assert "can't be fired at a model. Use /cb template for template weapons." in await ring.refused(
        BO, halberd
    )
    await ring.ask(BO, TeamShot("#10, Edo Guardling", "Skip", "4", weapon="Arc Pistol"), 7, 2, 2)
    assert "Power 4, damage 1" in ring.why


@pytest.mark.rule("CB-ACT-08", "CB-COND-07")
async def test_what_a_team_may_not(ring: Ring) -> None:
    await ring.arrange(active("Wanda"))
    assert "Activate" in await ring.refused(ANNA, TeamShot("Wanda, Smap", "Trapper", "4"))
    assert "12 models that shoot, separated by commas" in await ring.refused(
        ANNA, TeamShot("Wanda", "Trapper", "4")
    )
    assert "Enter one distance (0 to 200) for all, or" in await ring.refused(
        ANNA, TeamShot("Wanda, Smap", "Trapper", "4 5 6")
    )
    assert "once" in await ring.refused(ANNA, TeamShot("Wanda, Wanda", "Trapper", "4"))


@pytest.mark.rule("CB-ORDER-05")
async def test_one_token_for_the_whole_team(ring: Ring) -> None:
    await ring.arrange(active("Wanda", "Smap"))
    before = await ring.orders(1)
    await ring.ask(ANNA, TeamShot("Wanda, Smap", "Trapper", "4", order=True), 2, 2, 2, 2, 2)
    assert ring.why.count("+1 order token CB-ORDER-05") == 2
    assert await ring.orders(1) == before - 1


@pytest.mark.rule("CB-SHOOT-10", "CB-ACT-08")
async def test_a_teams_misses_hit_the_friend_in_the_melee(ring: Ring) -> None:
    await ring.arrange(active("Wanda", "Smap"), touching(("Skip", "Trapper")))
    lines = await ring.ask(ANNA, TeamShot("Wanda, Smap", "Trapper", "4"), 2, 2, 2, 2, 2, 8, 2, 2, 2, 2, 2)
    assert "Smap's team hits Skip Westmoreland: 1 wound, 2 Life left." in lines


@pytest.mark.rule("CB-SHOOT-10")
async def test_the_odds_of_a_team_into_a_melee_name_the_friend(ring: Ring) -> None:
    await ring.arrange(active("Wanda", "Smap"), touching(("Skip", "Trapper")))
    lines = await ring.ask(ANNA, TeamShot("Wanda, Smap", "Trapper", "4", odds=True))
    assert any(line.startswith("Risk to ") for line in lines)


@pytest.mark.rule("CB-SHOOT-10", "CB-SHOOT-06")
async def test_the_misses_of_a_split_shot_hit_the_friend_beside_each_target(ring: Ring) -> None:
    await ring.arrange(active("Smap"), touching(("Skip", "Trapper"), ("Sally", "Prime"), ("HOpR", "Prime")))
    split = Shoot("Smap", "Trapper", 4, dice=1, target2="Prime", distance2=4)
    asked = await ring.refused(ANNA, split)
    assert "Which friends are hit by shots that miss? Name one for each target, " in asked
    assert "separated by commas (at " in asked
    assert "at Trapper: Skip Westmoreland; at Prime Leader: Sally Starfield" in asked
    both = replace(split, friend="Skip, Sally")
    lines = await ring.ask(ANNA, replace(both, odds=True))
    assert any(line.startswith("Risk to ") for line in lines)
    lines = await ring.ask(ANNA, both, 2, 3, 2, 9, 3, 2, 2, 9, 2)
    assert "Smap misses Trapper." in lines
    assert "Smap misses Prime Leader." in lines
    assert any(line.startswith("Smap hits Skip Westmoreland: ") for line in lines)
    assert any(line.startswith("Smap hits Sally Starfield: ") for line in lines)


async def test_strays_and_the_shields_against_them_are_asked_for_by_name(ring: Ring) -> None:
    await ring.arrange(active("Smap"), touching(("Skip", "Trapper"), ("Sally", "Prime")))
    ring.answer = await ring.table.do(ANNA, Shoot("Smap", "Trapper", 4, dice=1, target2="Prime", distance2=4))
    assert await ring.asked_for(ANNA, 2, 3, 2, 9, 3, 2, 2, 9, 2) == [
        "Smap's attack at Prime Leader",
        "Smap's attack at Trapper",
        "Smap's misses that may hit Sally Starfield",
        "Sally Starfield's shield against Smap",
        "Smap's misses that may hit Skip Westmoreland",
        "Skip Westmoreland's shield against Smap",
    ]


# ---------------------------------------------------------------- arcs


@pytest.mark.rule("CB-WEAP-23")
async def test_an_arc_leaps_with_the_first_attacks_modifier(ring: Ring) -> None:
    await ring.arrange(active("Spawnguard"), touching(("Spawnguard", "Skip")))
    await ring.ask(BO, Fight("Spawnguard", "Skip"), 5, 2, 2, 2, 2, 2, 2)
    assert (await ring.model("Skip")).damage == 1
    assert "Arc from Skip Westmoreland..." in ring.labels
    await ring.press(BO, "Arc from Skip Westmoreland...")
    assert ring.answer.reply.private
    lines = await ring.choose(BO, (await ring.model("Wanda")).id, faces=(4, 2))
    assert lines[0] == "Spawnguard hits Wanda Whitestar: 1 wound, 2 Life left."
    assert "Arc from Skip Westmoreland: 1D+3 vs 7" in lines
    assert "Arc from Skip Westmoreland..." not in ring.labels


@pytest.mark.rule("CB-WEAP-23")
async def test_the_odds_of_an_arc_are_asked_before_it_leaps(ring: Ring) -> None:
    await ring.arrange(active("Spawnguard"), touching(("Spawnguard", "Skip")))
    await ring.ask(BO, Fight("Spawnguard", "Skip"), 5, 2, 2, 2, 2, 2, 2)
    await ring.press(BO, "Arc from Skip Westmoreland...")
    await ring.press(BO, "Odds...")
    wanda = await ring.model("Wanda")
    lines = await ring.choose(BO, wanda.id)
    assert "Arc from Skip Westmoreland: 1D+3 vs 7" in lines
    (unhurt,) = (line for line in lines if line.startswith("no wound"))
    # The die misses at 1 to 3; a wound that is left meets her shields.
    assert int(re.findall(r"(\d+)%", unhurt)[0]) > 30
    assert (await ring.model("Wanda")).damage == 0
    lines = await ring.press(BO, "Make the arc jump", 4, 2)
    assert lines[0] == "Spawnguard hits Wanda Whitestar: 1 wound, 2 Life left."


@pytest.mark.rule("CB-WEAP-23")
async def test_an_arc_of_a_shot(ring: Ring) -> None:
    await ring.arrange(active("Prime"))
    await ring.ask(BO, Shoot("Prime", "Skip", 8), 9, 2, 2)
    await ring.press(BO, "Arc from Skip Westmoreland...")
    await ring.press(BO, "Cover 1")
    lines = await ring.choose(BO, (await ring.model("Wanda")).id, faces=(6, 2, 2))
    assert "Arc from Skip Westmoreland: 1D+1 vs 7" in lines


@pytest.mark.rule("CB-WEAP-23", "CB-SHOOT-10")
async def test_an_arc_of_a_miss_that_hits_a_friend(ring: Ring) -> None:
    await ring.arrange(active("Prime"), touching(("Skip", "Trapper")))
    lines = await throws(ring, BO, Shoot("Prime", "Skip", 8), 2, 2, 9, 9)
    assert "Prime Leader hits Trapper: 2 wounds, and Trapper goes down." in lines, lines
    assert "Arc from Trapper..." in ring.labels


@pytest.mark.rule("CB-WEAP-24")
async def test_arc_weapons_in_other_hands_are_mastered_first(ring: Ring) -> None:
    await ring.arrange(active("Wanda"), change("Wanda", acolyte))
    fight = Fight("Wanda", "Trapper", "Arc Rod", contact=True)
    assert "before each attack (1 action, Psionics 8+)." in await ring.refused(ANNA, fight)
    await ring.ask(ANNA, fight)
    lines = await ring.press(ANNA, "Master the weapon", 9, 2, 2)
    assert lines[0] == "Wanda Whitestar masters the Arc weapon and can attack now."
    assert (await ring.model("Wanda")).count("actions spent") == 1
    await ring.ask(ANNA, fight, *[2] * 3)
    assert "before each attack" in await ring.refused(ANNA, fight)


def acolyte(row: ModelRow) -> None:
    row.profile = block_text("acolyte", ("arc_rod",))


# ---------------------------------------------------------------- what blows leave behind


@pytest.mark.rule("CB-FEAT-27")
async def test_a_ferocious_model_strikes_back_once(ring: Ring) -> None:
    await ring.arrange(active("Sally"), block("Trapper", "brute"), touching(("Sally", "Trapper")))
    await ring.ask(ANNA, Fight("Sally", "Trapper"), 2, 2, 2, 2, 2, 2)
    assert "Strike back" in ring.labels
    question = ring.answer
    assert "is not yours" in (await ring.table.press(ANNA, question, "Strike back")).reply.text
    lines = await ring.press(BO, "Strike back", 9, 6, 2, 2, 2, 2, 2, 2)
    assert lines[0] == "Trapper hits Sally Starfield: 3 wounds, and Sally Starfield goes down."
    assert "Strike back" not in ring.labels
    brute, sally = await ring.model("Trapper"), await ring.model("Sally")
    assert brute.count("actions spent") == 0
    assert "can't strike back at" in await ring.refused(BO, StrikeBack(brute.id, sally.id))


@pytest.mark.rule("CB-FEAT-27")
async def test_a_ferocious_attacker_does_not_answer_the_counter_attack(ring: Ring) -> None:
    await ring.arrange(active("Sally"), block("Trapper", "brute"), gifted("Sally", "ferocious"))
    await ring.arrange(touching(("Sally", "Trapper")))
    await ring.ask(ANNA, Fight("Sally", "Trapper"), 2, 2, 2, 2, 2, 2)
    lines = await ring.press(BO, "Strike back", 2, 2, 2, 2, 2, 2)
    assert lines[0] == "Sally Starfield holds off Trapper."
    assert "Strike back" not in ring.labels


@pytest.mark.rule("CB-FEAT-35", "CB-COND-03")
async def test_driven_back_is_engaged_no_more(ring: Ring) -> None:
    await ring.arrange(
        active("Sally"),
        touching(("Sally", "Edo Guardling")),
        block("Sally", "sally_starfield", "sonic_blaster_pistol"),
    )
    lines = await ring.ask(ANNA, Fight("Sally", "Edo Guardling", "Sonic"), 9, 2, 2, 2, 2)
    assert any("is pushed back 6 in." in line for line in lines)
    assert (await ring.model("Sally")).is_engaged
    await ring.press(ANNA, "Push back")
    assert not (await ring.model("Sally")).is_engaged


@pytest.mark.rule("CB-FEAT-16")
async def test_a_combustible_model_explodes_and_is_gone(ring: Ring) -> None:
    await ring.arrange(
        active("Skip"), block("Trapper", "kraken"), hurt("Trapper", 5), plain_shield("Trapper")
    )
    await ring.ask(ANNA, Shoot("Skip", "Trapper", 5), 9, 2, 2, 2)
    assert "Explode..." in ring.labels, ring.answer.reply.text
    await ring.press(BO, "Explode...")
    size = (await ring.model("Trapper")).profile.size
    assert size == "L"
    assert "6 in" in ring.answer.reply.menus[0].prompt
    skip, wanda = (await ring.model("Skip")).id, (await ring.model("Wanda")).id
    lines = await ring.choose(BO, skip, wanda, faces=(9, 2, 2, 4, 2, 2, 2))
    assert lines[0] == "Trapper explodes."
    assert "Trapper hits Skip Westmoreland: 1 wound, 2 Life left." in lines
    assert (await ring.table.encounter()).model((await ring.model("Trapper")).id).status == "gone"
    assert "not Combustible" in await ring.refused(ANNA, Explode(skip))


def plain_shield(name: str) -> Step:
    return change(name, lambda row: row.counters.update({"shield dice eaten by acid": 9}))


# ---------------------------------------------------------------- shots that take two actions


@pytest.mark.rule("CB-ACT-11", "CB-ACT-02")
async def test_aiming_takes_both_actions_and_gives_a_die(ring: Ring) -> None:
    await ring.arrange(active("Skip", "Wanda"))
    lines = await ring.ask(ANNA, Shoot("Skip", "Prime", 5, mode="aim"), 2, 2, 2, 2, 2)
    assert "AGL 5D-1 vs 7, Pulsar Rifle" in lines
    assert "+1 aimed CB-ACT-11" in ring.why
    assert (await ring.model("Skip")).count("actions spent") == 2
    await ring.arrange(change("Wanda", lambda row: row.counters.update({"actions spent": 1})))
    assert "costs 2 actions" in await ring.refused(ANNA, Shoot("Wanda", "Prime", 5, mode="aim"))


@pytest.mark.rule("CB-RUN-01", "CB-ACT-02")
async def test_run_and_gun_at_minus_1_at_one_target(ring: Ring) -> None:
    await ring.arrange(active("Skip", "HOpR"))
    two = Shoot("Skip", "Prime", 5, mode="run and gun", target2="Trapper", distance2=5, dice=2)
    assert "This attack can have only one target" in await ring.refused(ANNA, two)
    await ring.ask(ANNA, Shoot("Skip", "Prime", 5, mode="run and gun"), 2, 2, 2, 2)
    assert "-1 Run and Gun CB-RUN-01" in ring.why
    skip = await ring.model("Skip")
    assert (skip.count("actions spent"), skip.count("moves made")) == (2, 1)
    await ring.ask(ANNA, Shoot("HOpR", "Prime", 4, mode="run and gun"), 2)
    assert "Run and Gun" not in ring.why
