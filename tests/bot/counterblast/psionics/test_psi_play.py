"""Psionic powers through the table: each with its effect, its cost, its botch."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bot.actions import Action
from bot.games.counterblast.melee.minders import Grapple, TakeMind
from bot.games.counterblast.melee.strikes import KnockedInto
from bot.games.counterblast.psionics.power_choices import (
    FeatureTaken,
    FreeAttack,
    OrderTokenTaken,
    PowerTaken,
)
from bot.games.counterblast.psionics.power_rolls import TakeFocus
from bot.games.counterblast.psionics.power_use import UsePower
from bot.games.counterblast.psionics.powers import ChoosePowers
from bot.games.counterblast.state.models import block_text, with_powers
from bot.store.rows import ModelRow
from bot.table.encounter import Encounter
from rules.systems.counterblast.core.dice_pools import knack
from tests.bot.arranging import Step
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, change, gifted, hurt, touching, under


def knows(name: str, *powers: str, key: str = "prime_leader") -> Step:
    """The model is a psionic that chose these powers."""

    def step(row: ModelRow) -> None:
        row.profile = with_powers(block_text(key), powers)

    return change(name, step)


async def throws(ring: Ring, who: str, action: Action, *faces: int, rest: int = 2) -> list[str]:
    """Ask; the dice fall as given, and whatever is still to be thrown shows `rest`."""
    answer = await ring.table.do(who, action)
    left = list(faces)
    while found := re.search(r"throws (\d+) d", answer.reply.text):
        count = int(found[1])
        now, left = left[:count], left[count:]
        answer = await ring.entered(who, (*now, *(rest,) * (count - len(now))))
    assert not left, answer.reply.text
    ring.answer = answer
    return list(answer.reply.lines)


async def ready(ring: Ring, *powers: str) -> None:
    await ring.arrange(knows("Prime", *powers), active("Prime"))


@pytest.mark.rule("CB-PSI-01")
async def test_powers_are_chosen_once_from_a_menu(ring: Ring) -> None:
    await ring.arrange(active("Prime"))
    assert "powers with /psi know" in await ring.refused(BO, UsePower("Prime", "Blast", "Sally", "6"))
    await ring.ask(BO, ChoosePowers("Prime"))
    assert ring.answer.reply.private
    menu = ring.answer.reply.menus[0]
    assert menu.most == 4
    assert len(menu.choices) == 12
    chosen = ("blast", "heal", "scan")
    assert "powers (you chose 5" in await ring.refused(BO, ChoosePowers("Prime", (*chosen, "stun", "calm")))
    assert (await ring.ask(BO, ChoosePowers("Prime", chosen)))[0] == "Prime Leader knows Blast, Heal, Scan."
    assert (await ring.model("Prime")).profile.powers == chosen
    assert "already" in await ring.refused(BO, ChoosePowers("Prime", ("stun",)))
    assert "doesn't know" in await ring.refused(BO, UsePower("Prime", "Stun", "Sally", "6"))


@pytest.mark.rule("CB-PSI-02", "CB-PSI-04", "CB-PSI-17", "CB-PSI-18")
async def test_blast_allots_dice_and_strikes_back_when_botched(ring: Ring) -> None:
    await ready(ring, "blast")
    blast = UsePower("Prime", "Blast", "Skip 2, Wanda 1", "6 9", unseen=True)
    assert "in (you entered 13 in" in await ring.refused(BO, UsePower("Prime", "Blast", "Skip", "13"))
    lines = await throws(ring, BO, blast, 9, 9, 2)
    assert lines[0] == "Prime Leader hits Skip Westmoreland: 2 wounds, 1 Life left."
    assert "Prime Leader misses Wanda Whitestar." in lines
    assert "CB-PSI-02" not in lines
    assert "has already attacked in this activation." in await ring.refused(BO, blast)
    assert (await ring.model("Prime")).count("actions spent") == 1
    await ring.arrange(change("Prime", lambda row: row.counters.clear()))
    lines = await throws(ring, BO, UsePower("Prime", "Blast", "Skip", "6"), 1, 1, 2, 9, 9)
    assert any(line.startswith("Backlash") for line in lines), lines


@pytest.mark.rule("CB-PSI-21", "CB-PSI-22")
async def test_power_blast_floors_on_a_critical(ring: Ring) -> None:
    await ready(ring, "power_blast")
    assert "can't see" in await ring.refused(BO, UsePower("Prime", "Power Blast", "Skip", "6", unseen=True))
    lines = await throws(ring, BO, UsePower("Prime", "Power Blast", "Skip", "6"), 10, 2, 2, 2)
    assert "Skip Westmoreland is knocked down." in lines
    assert (await ring.model("Skip")).has("prone")


@pytest.mark.rule("CB-PSI-11")
async def test_frighten_panics_unless_undaunted(ring: Ring) -> None:
    await ready(ring, "frighten")
    lines = await throws(
        ring, BO, UsePower("Prime", "Frighten", "Skip 2, Wanda 1", "8", unseen=True), 9, 2, 9
    )
    assert lines[0] == "Prime Leader frightens Skip Westmoreland, which panics."
    assert lines[1] == "Wanda Whitestar knows no fear."
    assert not (await ring.model("Wanda")).has("panicked")


@pytest.mark.rule("CB-PSI-11")
async def test_frighten_at_the_fearless_alone_costs_nothing(ring: Ring) -> None:
    await ready(ring, "frighten")
    refused = await ring.refused(BO, UsePower("Prime", "Frighten", "Wanda", "8", unseen=True))
    assert "Choose another target. Frighten doesn't affect Fearless, Ferocious or Scary models" in refused


@pytest.mark.rule("CB-PSI-11")
async def test_a_botched_frighten_panics_its_source(ring: Ring) -> None:
    await ready(ring, "frighten")
    lines = await throws(ring, BO, UsePower("Prime", "Frighten", "Skip", "8"), 1, 2, 2)
    assert "The power backfires and Prime Leader panics." in lines


@pytest.mark.rule("CB-PSI-12")
async def test_force_fields_add_up(ring: Ring) -> None:
    await ready(ring, "force_field")
    before = (await ring.model("Trapper")).shield
    field = UsePower("Prime", "Force Field", "Trapper", "8", unseen=True)
    await throws(ring, BO, field, 9, 9, 2)
    await throws(ring, BO, field, 9, 2, 2)
    assert (await ring.model("Trapper")).shield == before + 3
    assert "Choose only friends of" in await ring.refused(BO, UsePower("Prime", "Force Field", "Skip", "8"))


@pytest.mark.rule("CB-PSI-13", "CB-PSI-14")
async def test_heal_restores_in_contact_or_harms(ring: Ring) -> None:
    await ready(ring, "heal")
    heal = UsePower("Prime", "Heal", "Spawnguard")
    assert "has not lost any Life" in await ring.refused(BO, heal)
    await ring.arrange(hurt("Spawnguard", 2))
    assert "base contact" in await ring.refused(BO, UsePower("Prime", "Heal", "Spawnguard", "1"))
    lines = await throws(ring, BO, heal, 9, 2, 2)
    assert lines[0].startswith("Prime Leader heals Spawnguard: 1 Life restored, 3 of ")
    await throws(ring, BO, heal, 1, 2, 2)
    assert (await ring.model("Spawnguard")).damage == 2


@pytest.mark.rule("CB-PSI-07")
async def test_calm_frees_in_the_order_named(ring: Ring) -> None:
    await ready(ring, "calm")
    await ring.arrange(under("panicked", "Trapper", "Spawnguard"))
    lines = await throws(ring, BO, UsePower("Prime", "Calm", "Trapper, Spawnguard", "8"), 9, 2, 2)
    assert lines[0] == "Prime Leader calms Trapper."
    assert (await ring.model("Spawnguard")).has("panicked")


@pytest.mark.rule("CB-PSI-08")
async def test_a_botched_calm_lets_the_target_attack_at_once(ring: Ring) -> None:
    await ready(ring, "calm")
    calm = UsePower("Prime", "Calm", "Sally", "8")
    assert "not Ferocious" in await ring.refused(BO, calm)
    await ring.arrange(under("borrowed feature: ferocious", "Sally"))
    await throws(ring, BO, calm, 1, 2, 2)
    assert "Attack now..." in ring.labels
    await ring.press(ANNA, "Attack now...")
    assert ring.labels == ["Shoot...", "Fight", "Odds if it shoots...", "Odds if it fights"]
    free = ring.answer.reply.buttons[0].action
    before = (await ring.model("Sally")).count("actions spent")
    assert isinstance(free, FreeAttack)
    for asked in (replace(free, inches=6.0, odds=True), replace(free, fights=True, odds=True)):
        told = await ring.table.do(BO, asked)
        assert told.reply.private
        assert not told.changed
        assert told.reply.lines[0] == "Sally Starfield -> Prime Leader"
        assert "No dice were rolled." in told.reply.lines
    lines = await throws(ring, ANNA, replace(free, inches=6.0), 9)
    assert lines[0].startswith("Sally Starfield hits Prime Leader")
    assert (await ring.model("Sally")).count("actions spent") == before
    assert "no free attack" in await ring.refused(ANNA, free)


@pytest.mark.rule("CB-PSI-08", "CB-SHOOT-10")
async def test_a_free_shot_into_a_melee_strays(ring: Ring) -> None:
    sally, prime = (await ring.model("Sally")).id, (await ring.model("Prime")).id
    owed = change("Sally", lambda row: row.counters.update({f"free attack on:{prime}": 1}))
    await ring.arrange(owed, touching(("Skip", "Prime")))
    free = FreeAttack(sally, prime, 6.0)
    told = await ring.table.do(BO, replace(free, odds=True))
    assert any(line.startswith("Risk to ") for line in told.reply.lines)
    lines = await throws(ring, ANNA, free, 2, 3, 9)
    assert any("Skip Westmoreland" in line for line in lines), lines
    await ring.arrange(owed, touching(("Smap", "Prime")))
    await ring.ask(ANNA, free)
    (menu,) = ring.answer.reply.menus
    assert sorted(one.label for one in menu.choices) == ["Skip Westmoreland", "Smap"]


@pytest.mark.rule("CB-PSI-16")
async def test_stun_takes_the_turn_and_a_botch_ends_the_activation(ring: Ring) -> None:
    await ready(ring, "stun")
    lines = await throws(ring, BO, UsePower("Prime", "Stun", "Skip", "8"), 8, 8)
    assert lines[0] == "Prime Leader stuns Skip Westmoreland, which can't act this turn."
    assert (await ring.model("Skip")).count("activated") == 1
    await ring.arrange(change("Prime", lambda row: row.counters.clear()))
    await throws(ring, BO, UsePower("Prime", "Stun", "Wanda", "8"), 1, 2, 2)
    prime = await ring.model("Prime")
    assert prime.has("prone")
    assert prime.count("actions spent") == 2


@pytest.mark.rule("CB-PSI-19")
async def test_probe_steals_an_order_from_the_leader(ring: Ring) -> None:
    await ready(ring, "probe")
    mine, theirs = await ring.orders(2), await ring.orders(1)
    await ring.arrange(lambda encounter: encounter.side(2).counters.update(orders=0))
    await throws(ring, BO, UsePower("Prime", "Probe", "Sally", "16"), 9, 2, 2)
    assert "Order token" in ring.labels
    assert "not yours" in await ring.refused(ANNA, ring.answer.reply.buttons[0].action)
    await ring.press(BO, "Order token")
    assert (await ring.orders(2), await ring.orders(1)) == (1, theirs - 1)
    assert mine
    sally, prime = (await ring.model("Sally")).id, (await ring.model("Prime")).id
    assert "can't take anything" in await ring.refused(BO, OrderTokenTaken(prime, sally))


@pytest.mark.rule("CB-PSI-19", "CB-PSI-20")
async def test_probe_borrows_a_feature_and_a_botch_lends(ring: Ring) -> None:
    await ready(ring, "probe")
    await throws(ring, BO, UsePower("Prime", "Probe", "Wanda", "16"), 9, 2, 2)
    await ring.press(BO, "Feature...")
    key = ring.answer.reply.menus[0].choices[0].value
    wanda, prime = (await ring.model("Wanda")).id, (await ring.model("Prime")).id
    await ring.ask(BO, FeatureTaken(prime, wanda, key))
    assert (await ring.model("Prime")).has_feature(key)
    await throws(ring, BO, UsePower("Prime", "Probe", "Wanda", "16"), 1, 2, 2)
    assert "can't take anything" in await ring.refused(BO, PowerTaken(prime, wanda, "probe"))
    feature = (await ring.model("Prime")).profile.features[0].key
    await ring.ask(ANNA, FeatureTaken(wanda, prime, feature))
    assert (await ring.model("Wanda")).has_feature(feature)


@pytest.mark.rule("CB-PSI-19", "CB-FEAT-34")
async def test_a_knack_is_borrowed_with_its_skill(ring: Ring) -> None:
    await ring.arrange(knows("Prime", "probe"), gifted("Skip", "sure_footed:2"), active("Prime"))
    await throws(ring, BO, UsePower("Prime", "Probe", "Skip", "16"), 9, 2, 2)
    await ring.press(BO, "Feature...")
    offered = {choice.label: choice.value for choice in ring.answer.reply.menus[0].choices}
    skip, prime = (await ring.model("Skip")).id, (await ring.model("Prime")).id
    await ring.ask(BO, FeatureTaken(prime, skip, offered["Knack marksmanship"]))
    assert [part.amount for part in knack(await ring.model("Prime"), "marksmanship")] == [-1]
    assert knack(await ring.model("Prime"), "melee") == ()
    await ring.arrange(change("Prime", lambda row: row.counters.clear()))
    await throws(ring, BO, UsePower("Prime", "Probe", "Skip", "16"), 9, 2, 2)
    await ring.ask(BO, FeatureTaken(prime, skip, offered["Sure Footed 2"]))
    assert [part.amount for part in (await ring.model("Prime")).footing] == [2]


@pytest.mark.rule("CB-PSI-23")
async def test_a_weaker_scan_takes_nothing_of_a_better_one(ring: Ring) -> None:
    await ready(ring, "scan")
    before = (await ring.model("Skip")).defense
    await throws(ring, BO, UsePower("Prime", "Scan", "Skip", "6"), 10, 8, 8, 8)
    await throws(ring, BO, UsePower("Prime", "Scan", "Skip", "6"), 8, 8, 8)
    assert (await ring.model("Skip")).defense == before - 2


@pytest.mark.rule("CB-PSI-23")
async def test_scan_lowers_and_spots(ring: Ring) -> None:
    await ready(ring, "scan")
    await ring.arrange(under("hidden", "Skip"))
    before = await ring.model("Skip")
    await throws(ring, BO, UsePower("Prime", "Scan", "Skip", "16", unseen=True), 8)
    skip = await ring.model("Skip")
    assert skip.defense == before.defense - 1
    assert not skip.has("hidden")
    await throws(ring, BO, UsePower("Prime", "Scan", "Wanda", "16"), 1, 2, 2)
    assert (await ring.model("Prime")).count("failed Scan") == 1


@pytest.mark.rule("CB-PSI-09")
async def test_deep_portal_arrives_within_twice_its_mv_or_stays(ring: Ring) -> None:
    await ready(ring, "deep_portal")
    mv = (await ring.model("Prime")).profile.mv
    assert "CB-PSI-09" in await ring.refused(BO, UsePower("Prime", "Deep Portal", distance=f"{2 * mv + 1}"))
    lines = await throws(ring, BO, UsePower("Prime", "Deep Portal", distance="10"), 9, 2, 2)
    assert lines[0] == "Prime Leader appears 10 in away."
    lines = await throws(ring, BO, UsePower("Prime", "Deep Portal", distance="10"))
    assert "appears" not in lines[0], "no success at 7: it stays"


@pytest.mark.rule("CB-PSI-10")
async def test_a_portal_astray_may_lose_the_psionic(ring: Ring) -> None:
    await ready(ring, "deep_portal")
    lines = await throws(ring, BO, UsePower("Prime", "Deep Portal", distance="10"), 1, 2, 2, 3, 5)
    assert lines[:3] == [
        "Prime Leader goes astray and appears 4 in from the chosen spot.",
        "Measure from that spot towards 3 o'clock.",
        "12 o'clock points away from where Prime Leader was.",
    ]
    assert [one.words for one in ring.answer.reply.files] == [
        "Prime Leader goes astray 4 in towards 3 o'clock."
    ]
    lost = ring.answer.reply.buttons[0].action
    await ring.press(BO, "Prime Leader is lost in the Deep")
    assert "Prime" not in [model.name for model in (await ring.table.encounter()).models()]
    assert "lost" in ring.answer.reply.text
    assert "out of play" in await ring.refused(BO, UsePower("Prime Leader", "Deep Portal"))
    assert lost


async def minder(ring: Ring) -> None:
    await ring.arrange(
        change("Trapper", lambda row: setattr(row, "profile", block_text("mindstealer"))),
        active("Trapper"),
        touching(("Trapper", "Skip")),
    )


@pytest.mark.rule("CB-FEAT-38", "CB-FEAT-39", "CB-FEAT-18")
async def test_a_minder_takes_a_mind_and_it_changes_sides(ring: Ring) -> None:
    await minder(ring)
    skip = (await ring.model("Skip")).id
    assert "first. Use Grapple" in await ring.refused(BO, TakeMind("Trapper", f"#{skip}"))
    await throws(ring, BO, Grapple("Trapper", "Skip"), 9, 9)
    assert "Control a mind" in ring.labels
    take = next(one.action for one in ring.answer.reply.buttons if one.label == "Control a mind")
    lines = await throws(ring, BO, take, 10, 9, 9)
    assert lines[0] == "Trapper takes control of Skip Westmoreland."
    taken = await ring.model("Skip")
    assert (taken.side, taken.has_feature("controlled")) == (2, True)
    encounter = await ring.table.encounter()
    assert encounter.find_model("Trapper", gone=True).left_how == "absorbed"


@pytest.mark.rule("CB-FEAT-39")
async def test_a_mind_that_resists_leaves_them_engaged(ring: Ring) -> None:
    await minder(ring)
    await throws(ring, BO, Grapple("Trapper", "Skip"), 9, 9)
    lines = await throws(ring, BO, TakeMind("Trapper", "Skip"))
    assert lines[0] == "Skip Westmoreland resists Trapper."
    assert (await ring.model("Skip")).side == 1
    assert "first. Use Grapple." in await ring.refused(BO, TakeMind("Trapper", "Skip"))


@pytest.mark.rule("CB-PSI-24", "CB-PSI-26")
async def test_telekinesis_lifts_a_friend_once(ring: Ring) -> None:
    await ready(ring, "telekinesis")
    lift = UsePower("Prime", "Telekinesis", "Trapper", "8")
    lines = await throws(ring, BO, lift, 9, 9, 2)
    assert lines[0] == "Prime Leader lifts Trapper."
    assert "Trapper can be moved up to 6 in through the air. It doesn't engage anyone." in lines
    assert "once per activation" in await ring.refused(BO, lift)


@pytest.mark.rule("CB-PSI-25", "CB-PSI-26")
async def test_telekinesis_throws_an_enemy(ring: Ring) -> None:
    await ready(ring, "telekinesis")
    lines = await throws(ring, BO, UsePower("Prime", "Telekinesis", "Skip", "8"), 9, 9, 2)
    assert lines[0] == "Prime Leader throws Skip Westmoreland up to 6 in."
    strikes = next(one for one in ring.answer.reply.buttons if one.label == "It hits something...").action
    assert isinstance(strikes, KnockedInto)
    assert "must be between 0" in await ring.refused(BO, replace(strikes, inches=7.0))
    await ring.ask(BO, replace(strikes, inches=6.0))
    lines = await ring.press(BO, "Roll (no model is hit)", 9, 2)
    assert lines[0].startswith("Skip Westmoreland takes 1 wound")


@pytest.mark.rule("CB-PSI-15")
async def test_identify_is_two_actions_and_one_check(ring: Ring) -> None:
    await ready(ring, "identify")
    await ring.arrange(hurt("Spawnguard", 2))
    await throws(ring, BO, UsePower("Prime", "Identify", "Spawnguard", "0", skill="medicine"), 8, 2, 2, 6)
    prime = await ring.model("Prime")
    assert prime.count("actions spent") == 2
    assert (await ring.model("Spawnguard")).damage < 2


@pytest.mark.rule("CB-PSI-06")
async def test_together_their_dice_are_one_check(ring: Ring) -> None:
    await ready(ring, "blast")
    await ring.arrange(knows("Spawnguard", "blast", key="spawnguard"), active("Spawnguard"))
    assert "must be within 12 in of Prime" in await ring.refused(
        BO, UsePower("Prime", "Blast", "Skip", "6", helpers="Spawnguard 40")
    )
    team = UsePower("Prime", "Blast", "Skip", "6", helpers="Spawnguard 3")
    await throws(ring, BO, team, 2, 2, 2, 2, 2)
    assert (await ring.model("Spawnguard")).count("attacks made") == 1


@pytest.mark.rule("CB-PSI-05", "CB-GEAR-46")
async def test_fahz_jiin_throws_failed_dice_again_in_one_activation(ring: Ring) -> None:
    def stone(encounter: Encounter) -> None:
        row = encounter.find_model("Prime")
        row.profile = with_powers(block_text("prime_leader", (), ("fahz_jiin",)), ("scan",))

    await ring.arrange(stone, active("Prime"))
    await ring.ask(BO, TakeFocus("Prime"))
    lines = await throws(ring, BO, UsePower("Prime", "Scan", "Skip", "8"), 1, 2, 2, 9, 9, 9)
    assert lines[0].startswith("Skip Westmoreland is scanned")
    lines = await throws(ring, BO, UsePower("Prime", "Scan", "Wanda", "8"), 2, 2, 2)
    assert lines[0] == "Prime Leader fails to scan Wanda Whitestar."
    assert "one activation" in await ring.refused(BO, TakeFocus("Prime"))


async def test_odds_are_private_and_change_nothing(ring: Ring) -> None:
    await ready(ring, "blast", "scan", "heal", "stun")
    for action in (
        UsePower("Prime", "Blast", "Skip", "6", odds=True),
        UsePower("Prime", "Scan", "Skip", "6", odds=True),
        UsePower("Prime", "Stun", "Skip", "6", odds=True),
    ):
        before = ring.table.state()["models"]
        lines = await ring.ask(ANNA, action)
        assert ring.answer.reply.private
        assert any("%" in line for line in lines)
        assert ring.labels[0] == "Use power"
        assert ring.table.state()["models"] == before


@pytest.mark.rule("CB-PSI-13")
async def test_no_heal_while_engaged(ring: Ring) -> None:
    await ready(ring, "heal")
    await ring.arrange(hurt("Spawnguard", 1), touching(("Spawnguard", "Skip")))
    assert "CB-PSI-13" in await ring.refused(BO, UsePower("Prime", "Heal", "Spawnguard"))


@pytest.mark.rule("CB-ORDER-05")
@pytest.mark.parametrize(("power", "aim"), [("Blast", "goes down"), ("Stun", "works"), ("Scan", "")])
async def test_the_odds_of_a_power_tell_what_an_order_changes(ring: Ring, power: str, aim: str) -> None:
    await ready(ring, "blast", "scan", "stun", "heal")
    told = {}
    for order, other in ((False, "With an order token"), (True, "Without the order token")):
        lines = await ring.ask(BO, UsePower("Prime", power, "Skip", "6", order=order, odds=True))
        (line,) = (one for one in lines if one.startswith(f"{other}: {aim}"))
        told[order] = (line.partition(": ")[2], [one for one in lines if aim and one.startswith(aim)])
    assert told[True][0] != told[False][0]
    for order in (False, True):
        if aim:
            number = re.findall(r"\d+%", told[not order][1][0])[0]
            assert told[order][0].endswith(number) or "<" in told[order][0]


@pytest.mark.rule("CB-PSI-01")
async def test_a_power_that_takes_more_actions_than_are_left_is_not_offered(ring: Ring) -> None:
    await ready(ring, "blast", "scan", "stun", "heal")
    await ring.arrange(change("Prime", lambda row: row.counters.update({"actions spent": 2})))
    assert "has none left" in await ring.refused(BO, UsePower("Prime", "Blast", "Skip", "6"))
