"""Relics in play: offered when a check went wrong, or used before it."""

from __future__ import annotations

import re

import pytest

from bot.games.counterblast.core.checks import Check, Rally
from bot.games.counterblast.core.relics import SettleAnew, UseRelicNow
from bot.games.counterblast.gear.devices import ShowGear
from bot.games.counterblast.gear.tasks import Treat, Work
from bot.games.counterblast.psionics.power_use import UsePower
from bot.games.counterblast.state.table_state import ModelState
from bot.games.counterblast.templates.template_attacks import Template
from bot.games.counterblast.turn.activation_actions import ActNamed
from bot.table.encounter import Encounter
from bot.table.journal.history import Undo
from bot.table.realdice import EnterFaces
from bot.table.rolling.dice_settings import DiceMode
from rules.systems.counterblast.core.counters import Counter
from tests.bot.arranging import Step
from tests.bot.counterblast.building.test_build_gear import carries
from tests.bot.counterblast.psionics.test_psi_play import ready, throws
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, block, change, hurt, under

SKIP = "Skip Westmoreland"


def bears(name: str, **relics: int) -> Step:
    return change(name, lambda row: row.counters.update({f"relic: {key}": n for key, n in relics.items()}))


# ------------------------------------------------------------------------------------------- Boon


@pytest.mark.rule("CB-RELIC-05", "CB-CHECK-06")
async def test_a_boon_rolls_a_failed_check_again_once_whatever_it_was_for(ring: Ring) -> None:
    await ring.arrange(bears("Skip", boon=1), active("Skip"))
    await throws(ring, ANNA, Work("Skip", "technology", task="Relay"), 2, 3)
    assert ring.labels == [f"Use {SKIP}'s Boon", "Undo", "Why"]
    given = await ring.table.press(ANNA, ring.answer, f"Use {SKIP}'s Boon")
    assert given.reply.lines[1] == f"{SKIP} uses a Boon, so this check is rolled again."
    lines = await ring.ask(ANNA, EnterFaces((8, 3)))
    assert lines[0] == f"{SKIP} finishes Relay (1 of 1 success)."
    model = await ring.model("Skip")
    assert model.count(Counter.ACTIONS) == 1
    await throws(ring, ANNA, Check("Skip", "AGL", 9), 2, 3, 3)
    assert f"Use {SKIP}'s Boon" not in ring.labels


@pytest.mark.rule("CB-RELIC-05")
async def test_no_boon_after_a_success_and_only_right_after_the_failed_check(
    ring: Ring,
) -> None:
    await ring.arrange(bears("Skip", boon=1), active("Skip"))
    await throws(ring, ANNA, Check("Skip", "AGL", 5), 6, 3, 3)
    assert f"Use {SKIP}'s Boon" not in ring.labels
    await throws(ring, ANNA, Check("Skip", "AGL", 5), 2, 3, 3)
    failed = ring.answer
    await ring.arrange(active("Wanda"))
    ring.answer = failed
    assert "right after" in (await ring.press(ANNA, f"Use {SKIP}'s Boon"))[0]
    model = await ring.model("Skip")
    assert not model.count("used:boon")
    forged = SettleAnew(model.count(ModelState.failed_check_entry.key) + 1, model.id)
    assert "right after" in await ring.refused(ANNA, forged)


@pytest.mark.rule("CB-RELIC-05", "CB-TMPL-05")
async def test_a_boon_rolls_a_template_that_missed_its_spot_again(ring: Ring) -> None:
    await ring.arrange(block("Skip", "skip_westmoreland", "grenade"), bears("Skip", boon=1), active("Skip"))
    grenade = Template("Skip", "Grenade", distance=6, under="Trapper")
    await throws(ring, ANNA, grenade, rest=2)
    assert "scatters" in ring.answer.reply.lines[0]
    given = await ring.table.press(ANNA, ring.answer, f"Use {SKIP}'s Boon")
    while found := re.search(r"throws (\d+) d", given.reply.text):
        given = await ring.entered(ANNA, ((9,) * int(found[1])))
    assert "on target" in given.reply.text
    assert not [debt for debt in given.reply.lines if "who is under it" in debt.casefold()]
    assert (await ring.model("Skip")).count("attacks made") == 1


@pytest.mark.rule("CB-RELIC-05")
async def test_undone_the_dice_of_a_boon_never_stand_for_those_of_the_check(ring: Ring) -> None:
    await ring.table.done(ANNA, DiceMode("bot"))
    await ring.arrange(bears("Skip", boon=1), active("Skip"))
    check = Check("Skip", "AGL", 15, modifier=-5)
    await ring.ask(ANNA, check)
    while f"Use {SKIP}'s Boon" not in ring.labels:
        await ring.ask(ANNA, check)
    first = await faces_of(ring)
    await ring.press(ANNA, f"Use {SKIP}'s Boon")
    second = await faces_of(ring)
    assert first != second
    await ring.table.done(ANNA, Undo(2))
    await ring.ask(ANNA, check)
    assert await faces_of(ring) == first
    await ring.press(ANNA, f"Use {SKIP}'s Boon")
    assert await faces_of(ring) == second


async def faces_of(ring: Ring) -> str:
    scope = (await ring.table.loaded()).scope
    entry = await ring.table.desk.store.entry(scope.id, scope.tip)
    assert entry is not None
    return entry.faces


@pytest.mark.rule("CB-RELIC-05")
async def test_a_boon_with_the_bots_dice_is_undone_in_one_step(ring: Ring) -> None:
    await ring.table.done(ANNA, DiceMode("bot"))
    await ring.arrange(bears("Skip", boon=1), active("Skip"))
    await ring.ask(ANNA, Check("Skip", "AGL", 15, modifier=-5))
    while f"Use {SKIP}'s Boon" not in ring.labels:
        await ring.ask(ANNA, Check("Skip", "AGL", 15, modifier=-5))
    before = await ring.model("Skip")
    await ring.press(ANNA, f"Use {SKIP}'s Boon")
    assert (await ring.model("Skip")).count("used:boon") == 1
    await ring.table.done(ANNA, Undo())
    assert await ring.model("Skip") == before


# ------------------------------------------------------------------------------------------- Trinket


@pytest.mark.rule("CB-RELIC-07")
async def test_a_trinket_makes_a_critical_failure_a_plain_one_with_the_same_dice(ring: Ring) -> None:
    await ring.arrange(bears("Skip", trinket=1), active("Skip"), hurt("Wanda", 1))
    lines = await throws(ring, ANNA, Treat("Skip", "medicine", patient="Wanda"), 1, 1)
    assert (await ring.model("Wanda")).damage == 3
    lines = await ring.press(ANNA, f"Use {SKIP}'s Trinket")
    assert lines[0].endswith("without success: 2 of 3 Life left.")
    assert (await ring.model("Wanda")).damage == 1
    model = await ring.model("Skip")
    assert (model.count("used:trinket"), model.count("trinket now")) == (1, 0)
    await throws(ring, ANNA, Treat("Skip", "medicine", patient="Wanda"), 1, 2)
    assert f"Use {SKIP}'s Trinket" not in ring.labels


# ------------------------------------------------------------------------------------------- before a check


@pytest.mark.rule("CB-RELIC-08")
async def test_lost_tech_gives_the_next_engineering_check_a_success_without_dice(ring: Ring) -> None:
    await ring.arrange(bears("Skip", lost_tech=1), active("Skip"), hurt("HOpR", 1))
    lines = await ring.ask(ANNA, UseRelicNow("Skip"))
    assert lines == [f"{SKIP} uses Lost Tech and gets one success on its next Engineering check."]
    assert "CB-RELIC-08" in await ring.refused(ANNA, UseRelicNow("Skip"))
    lines = await ring.ask(ANNA, Treat("Skip", "engineering", patient="HOpR"))
    assert "Life restored, 1" in lines[0]
    assert not (await ring.model("Skip")).count("lost tech now")
    await throws(ring, ANNA, Work("Skip", "engineering", task="Engine"), 3, 3)


@pytest.mark.rule("CB-RELIC-04", "CB-ORDER-03")
async def test_an_ancient_text_brings_a_spent_order_back_once(ring: Ring) -> None:
    await ring.arrange(bears("Skip", ancient_text=1), active("Skip"))
    assert "CB-RELIC-04" in await ring.refused(ANNA, UseRelicNow("Skip"))
    before = await ring.orders(1)
    await throws(ring, ANNA, Check("Skip", "AGL", 5, order=True), 6, 3, 3)
    assert await ring.orders(1) == before - 1
    await ring.ask(ANNA, UseRelicNow("Skip", "Ancient Text or Data"))
    assert await ring.orders(1) == before
    assert "CB-RELIC-04" in await ring.refused(ANNA, UseRelicNow("Skip"))


@pytest.mark.rule("CB-RELIC-04", "CB-RELIC-08", "CB-GEAR-21")
async def test_who_becomes_active_is_reminded_of_what_it_may_use(ring: Ring) -> None:
    def drawn(encounter: Encounter) -> None:
        encounter.row.counters.update({"drawer": 1, "drawn": 1})

    await ring.arrange(carries("Skip", "skip_westmoreland", "body_boost"))
    await ring.arrange(bears("Skip", ancient_text=1, lost_tech=1), drawn)
    lines = await ring.ask(ANNA, ActNamed("Skip"))
    assert f"{SKIP} can use Lost Tech (/gear relic) and Body Boost (/gear use)." in lines


# ------------------------------------------------------------------------------------------- Beacon, Ultonium


@pytest.mark.rule("CB-RELIC-11")
async def test_a_beacon_is_offered_after_a_failed_rally(ring: Ring) -> None:
    await ring.arrange(bears("Skip", beacon=1), active("Skip"), under("panicked", "Skip"))
    await throws(ring, ANNA, Rally("Skip"), 2, 2)
    assert f"Use {SKIP}'s Beacon" in ring.labels
    lines = await ring.press(ANNA, f"Use {SKIP}'s Beacon")
    assert lines[0] == f"{SKIP} lights a Beacon and rallies."
    model = await ring.model("Skip")
    assert not model.has("panicked")
    assert not model.count("relic: beacon")


@pytest.mark.rule("CB-RELIC-12")
async def test_the_bearer_of_ultonium_is_asked_before_the_dice_and_nothing_is_rolled(ring: Ring) -> None:
    await ready(ring, "blast")
    await ring.arrange(bears("Sally", crystalized_ultonium=1))
    lines = await ring.ask(BO, UsePower("Prime", "Blast", "Sally", "6"))
    assert "Sally Starfield carries Crystalized Ultonium." in lines
    asked = ring.answer
    assert "not yours" in (await ring.press(BO, "Ignore the attack"))[0]
    ring.answer = asked
    lines = await ring.press(ANNA, "Ignore the attack")
    assert lines[0] == "Sally Starfield uses Crystalized Ultonium to ignore the attack."
    sally, prime = await ring.model("Sally"), await ring.model("Prime")
    assert (sally.damage, sally.count("relic: crystalized_ultonium")) == (0, 0)
    assert prime.count(Counter.ATTACKS) == 1


@pytest.mark.rule("CB-RELIC-12")
async def test_ultonium_may_be_kept_and_the_attack_goes_on(ring: Ring) -> None:
    await ring.table.done(ANNA, DiceMode("bot"))
    await ready(ring, "blast")
    await ring.arrange(bears("Sally", crystalized_ultonium=1))
    await ring.ask(BO, UsePower("Prime", "Blast", "Sally", "6"))
    lines = await ring.press(ANNA, "Don't use the Ultonium")
    assert any(line.startswith("PSI ") for line in lines)
    assert (await ring.model("Sally")).count("relic: crystalized_ultonium") == 1


@pytest.mark.rule("CB-RELIC-02", "CB-RELIC-03")
async def test_artifacts_shield_and_the_list_names_every_relic(ring: Ring) -> None:
    before = (await ring.model("Skip")).shield
    await ring.arrange(bears("Skip", alien_artifact=2, boon=1))
    assert (await ring.model("Skip")).shield == before + 2
    lines = await ring.ask(ANNA, ShowGear("Skip"))
    assert any(line.startswith("Alien Artifact x2 (relic):") for line in lines)
    assert any(line.startswith("Boon (relic):") for line in lines)
