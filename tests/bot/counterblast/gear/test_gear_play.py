"""Every piece of gear where it acts: a re-roll, a lock, a pack, armour, what an EMP switches off."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games.counterblast.gear.breaching import BlastHits, Detonate, PlaceCharge
from bot.games.counterblast.gear.devices import ShowGear
from bot.games.counterblast.gear.items import HandItem, UseItem
from bot.games.counterblast.gear.tasks import Treat, Work
from bot.games.counterblast.melee.attacks import Fight
from bot.games.counterblast.melee.charges import Charge
from bot.games.counterblast.movement.moves import Move
from bot.games.counterblast.shooting.volleys import Shoot
from bot.table.rolling.dice_settings import DiceMode
from tests.bot.arranging import Step
from tests.bot.counterblast.building.test_build_gear import carries
from tests.bot.counterblast.psionics.test_psi_play import throws
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, change, hurt, touching, under

SKIP = "Skip Westmoreland"


def skip(*gear: str, weapons: tuple[str, ...] = ()) -> Step:
    """Skip, INT 2D+1, a Xenon Mesh, carries these things too."""
    return carries("Skip", "skip_westmoreland", *gear, weapons=weapons)


# ------------------------------------------------------------------------------------------- skills


@pytest.mark.rule("CB-GEAR-33")
async def test_the_extraction_tool_rolls_a_failed_die_again_by_itself(ring: Ring) -> None:
    await ring.arrange(skip("extraction_tool"), active("Skip"))
    lines = await throws(ring, ANNA, Work("Skip", "technology", task="Relay"), 1, 3, 7)
    assert lines[0] == f"{SKIP} finishes Relay (1 of 1 success)."
    assert "One failed die is rolled again because of the Extraction Tool. CB-GEAR-33" in ring.why
    await ring.arrange(active("Skip"))
    lines = await throws(ring, ANNA, Work("Skip", "technology", task="Door"), 9, 3)
    assert lines[0] == f"{SKIP} finishes Door (1 of 1 success)."


@pytest.mark.rule("CB-GEAR-33")
async def test_the_odds_count_the_second_try(ring: Ring) -> None:
    await ring.arrange(skip(), active("Skip"))
    plain = await ring.ask(ANNA, Work("Skip", "technology", task="Relay", odds=True))
    await ring.arrange(skip("extraction_tool"))
    helped = await ring.ask(ANNA, Work("Skip", "technology", task="Relay", odds=True))
    assert _percent(helped, "done") > _percent(plain, "done")


def _percent(lines: list[str], word: str) -> int:
    return next(
        int(line.removeprefix(word).split()[0].rstrip("%")) for line in lines if line.startswith(word)
    )


@pytest.mark.rule("CB-GEAR-32")
async def test_a_lockpick_helps_at_the_same_lock_every_time_without_being_named_again(ring: Ring) -> None:
    await ring.arrange(skip("electronic_lockpick"), active("Skip"))
    lock = Work("Skip", "technology", task="Gate", needed=2, purpose="lock", security=-1)
    lines = await throws(ring, ANNA, lock, 6, 3)
    assert "INT 2D+2 vs 7" in lines
    assert "Reminder: no model on the team has Technology gear." not in lines
    assert "+2 Electronic Lockpick CB-GEAR-32" in ring.why
    assert "-1 high security CB-GEAR-32" in ring.why
    lines = await throws(ring, ANNA, Work("Skip", task="Gate"), 6, 2)
    assert lines[0] == f"{SKIP} finishes Gate (2 of 2 successes)."


@pytest.mark.rule("CB-GEAR-32")
async def test_a_mechanical_lock_is_not_picked(ring: Ring) -> None:
    await ring.arrange(skip("electronic_lockpick"), active("Skip"))
    assert "INT 2D+1 vs 7" in await throws(ring, ANNA, Work("Skip", "technology", task="Padlock"), 6, 3)


@pytest.mark.rule("CB-GEAR-38", "CB-GEAR-39", "CB-GEAR-40", "CB-GEAR-43")
async def test_tools_help_their_own_skill_only(ring: Ring) -> None:
    tools = ("scanner", "techpad", "toolkit", "medkit")
    await ring.arrange(skip(*tools), active("Skip"), hurt("Wanda", 1), hurt("HOpR", 1))
    lines = await ring.ask(ANNA, Work("Skip", "technology", task="Relay", purpose="objective", odds=True))
    assert "INT 2D+3 vs 7" in lines
    lines = await ring.ask(ANNA, Work("Skip", "technology", task="Console", odds=True))
    assert "INT 2D+2 vs 7" in lines
    await throws(ring, ANNA, Treat("Skip", "medicine", patient="Wanda"), 2, 2)
    assert "+1 Medkit CB-GEAR-43" in ring.why
    await throws(ring, ANNA, Treat("Skip", "engineering", patient="HOpR"), 2, 2)
    assert "+1 Toolkit CB-GEAR-40" in ring.why


# ------------------------------------------------------------------------------------------- armour, EMP


@pytest.mark.rule("CB-GEAR-16", "CB-GEAR-20", "CB-GEAR-24", "CB-GEAR-11")
async def test_what_is_put_on_shields_at_once(ring: Ring) -> None:
    assert (await ring.model("Skip")).shield == 1
    await ring.arrange(skip("lazsteel_armor", "personal_force_field"))
    assert (await ring.model("Skip")).shield == 3


@pytest.mark.rule("CB-GEAR-09", "CB-FEAT-25")
async def test_an_emp_switches_energized_gear_off_and_nothing_else(ring: Ring) -> None:
    await ring.arrange(skip("personal_force_field", "techpad", "medkit"), under("drained", "Skip"))
    model = await ring.model("Skip")
    assert model.shield == 1
    assert not model.gear_modifiers("technology")
    assert model.gear_modifiers("medicine")


# ------------------------------------------------------------------------------------------- rocket pack


@pytest.mark.rule("CB-GEAR-47")
async def test_a_rocket_pack_flies_ten_inches_and_charges_as_far(ring: Ring) -> None:
    await ring.arrange(skip("rocket_pack"), active("Skip"))
    lines = await ring.ask(ANNA, Move("Skip", odds=True))
    assert lines[:2] == [f"{SKIP} moves up to 10 in", "1 x Mv 10 with a rocket pack"]
    assert "10 in" in await ring.refused(ANNA, Charge("Skip", "Trapper", 11.0))
    await ring.arrange(under("drained item: rocket_pack", "Skip"))
    lines = await ring.ask(ANNA, Move("Skip", odds=True))
    assert lines[0] == f"{SKIP} moves up to 6 in"


@pytest.mark.rule("CB-GEAR-47", "CB-FEAT-30")
async def test_a_passenger_halves_the_flight_and_has_no_larger_base(ring: Ring) -> None:
    await ring.arrange(skip("rocket_pack"), carries("Smap", "reaper"), active("Skip"))
    assert "larger base" in await ring.refused(ANNA, Move("Skip", carry="Smap"))
    assert "not Skip Westmoreland" in await ring.refused(ANNA, Move("Skip", carry="Skip"))
    assert "can't fly, so it can't carry anyone" in await ring.refused(ANNA, Move("Wanda", carry="Skip"))
    lines = await ring.ask(ANNA, Move("Skip", carry="Wanda"))
    assert lines[0] == f"{SKIP} moves up to 5 in."
    assert "Wanda Whitestar is carried along." in lines


# ------------------------------------------------------------------------------------------- what it carries


@pytest.mark.rule("CB-GEAR-01", "CB-GEAR-42")
async def test_the_list_says_what_is_used_up_off_and_how_it_is_used(ring: Ring) -> None:
    await ring.arrange(skip("med_gel", "techpad"), active("Skip"), hurt("Skip", 1), under("drained", "Skip"))
    await ring.ask(ANNA, UseItem("Skip", "Med Gel"))
    lines = await ring.ask(BO, ShowGear("Skip"))
    assert ring.answer.reply.private
    gel = next(place for place, line in enumerate(lines) if line.startswith("Med Gel (used up):"))
    assert lines[gel + 1] == "  Use: /gear use"
    assert any(line.startswith("Techpad (off):") for line in lines)


# ------------------------------------------------------------------------------------------- changing hands


@pytest.mark.rule("CB-GEAR-02", "CB-GEAR-01")
async def test_a_used_item_is_not_handed_on_and_a_fresh_one_works_beside_a_used_one(ring: Ring) -> None:
    await ring.arrange(skip("med_gel"), carries("Wanda", "wanda_whitestar", "med_gel"))
    await ring.arrange(active("Skip", "Wanda"), hurt("Skip", 2), hurt("Wanda", 1))
    await ring.ask(ANNA, UseItem("Wanda", "Med Gel"))
    assert "used up" in await ring.refused(ANNA, HandItem("Wanda", "Med Gel", "Skip"))
    await ring.ask(ANNA, UseItem("Skip", "Med Gel"))
    assert "used up" in await ring.refused(ANNA, UseItem("Skip", "Med Gel"))


@pytest.mark.rule("CB-GEAR-02", "CB-GEAR-11", "CB-GEAR-25")
async def test_nobody_is_handed_what_it_cannot_wear(ring: Ring) -> None:
    await ring.arrange(skip("lazsteel_armor"), carries("Wanda", "wanda_whitestar", "heavy_lazsteel_armor"))
    await ring.arrange(active("Skip", "Wanda"))
    assert "A model can only wear one" in await ring.refused(
        ANNA, HandItem("Wanda", "Heavy LazSteel", "Skip")
    )
    await ring.arrange(skip("heavy_force_field"))
    assert "a model with Heavy LazSteel Armor can have Heavy Force Field" in await ring.refused(
        ANNA, HandItem("Skip", "Heavy Force", "Smap")
    )


# ------------------------------------------------------------------------------------------- charges


@pytest.mark.rule("CB-GEAR-29", "CB-GEAR-30", "CB-GEAR-31", "CB-SCORE-02")
async def test_earlier_charges_are_counted_and_who_is_near_is_asked(ring: Ring) -> None:
    await ring.arrange(skip("breaching_charge", "heavy_breaching_charge"), active("Skip"))
    await ring.ask(ANNA, PlaceCharge("Skip"))
    lines = await throws(ring, ANNA, Detonate("Skip", "Normal wall"), 2, 2)
    assert "The check for the next charge at the same place gets +1." in lines
    await ring.arrange(active("Skip"))
    await ring.arrange(change("Skip", lambda row: row.counters.update({"actions spent": 0})))
    await ring.ask(ANNA, PlaceCharge("Skip", heavy=True))
    lines = await throws(ring, ANNA, Detonate("Skip", "Normal wall", heavy=True), 4, 2)
    assert lines[0] == f"{SKIP} blows a hole in the structure (Normal wall, medium door)."
    assert "+1 earlier charges CB-GEAR-29" in ring.why
    assert "+2 Heavy Breaching Charge CB-GEAR-31" in ring.why
    prompts = [menu.prompt for menu in ring.answer.reply.menus]
    assert prompts == [
        "Which models on this side of the structure are within 1 in of the charge?",
        "Which models on the far side of the structure are within 1 in of the charge?",
    ]
    trapper = await ring.model("Trapper")
    lines = await ring.choose(ANNA, trapper.id)
    assert any("from the blast" in line for line in lines), lines
    assert await ring.hurt_by("Trapper") == "Skip Westmoreland"
    assert [menu.prompt for menu in ring.answer.reply.menus] == [
        "Which models on the far side of the structure are within 1 in of the charge?"
    ]
    lines = await ring.choose(ANNA, (await ring.model("Edo Guardling")).id, faces=(2,))
    assert any("from the blast" in line for line in lines)
    assert ring.answer.reply.menus == ()
    assert "Choose the models that are within 1 in" in await ring.refused(ANNA, BlastHits())
    await ring.arrange(change("Skip", lambda row: row.counters.update({"actions spent": 0})))
    lines = await ring.ask(ANNA, Detonate("Skip", "Normal wall", spot="Gate", odds=True))
    assert "earlier" not in ring.why


@pytest.mark.rule("CB-GEAR-28", "CB-GEAR-30")
async def test_the_odds_of_a_breach_tell_what_an_order_changes_and_whom_it_hits(ring: Ring) -> None:
    await ring.arrange(skip("breaching_charge"), active("Skip"))
    asks = Detonate("Skip", "Normal wall", far=("Trapper",), odds=True)
    lines = await ring.ask(ANNA, asks)
    ordered = await ring.ask(ANNA, replace(asks, order=True))
    (more,) = (line for line in lines if line.startswith("With an order token: breaches the"))
    assert more.removesuffix("%").endswith(ordered[0].partition(": ")[2].removesuffix("%"))
    chance = lines[0].partition(": ")[2]
    assert any(line.startswith(f"Trapper, if the breach succeeds ({chance}): hurt ") for line in lines)


# ------------------------------------------------------------------------------------------- why


@pytest.mark.rule("CB-GEAR-11", "CB-GEAR-20", "CB-GEAR-24", "CB-RELIC-03")
async def test_why_names_every_item_that_shields(ring: Ring) -> None:
    await ring.arrange(skip("personal_force_field"), active("Trapper"), under("warded", "Skip", value=2))
    await ring.arrange(change("Skip", lambda row: row.counters.update({"relic: alien_artifact": 1})))
    assert (await ring.model("Skip")).shield == 5
    parts = {(part.amount, part.reason, part.rule) for part in (await ring.model("Skip")).shield_parts()}
    assert parts == {
        (1, "Xenon Mesh", "CB-GEAR-20"),
        (1, "Personal Force Field", "CB-GEAR-24"),
        (2, "Force Field", "CB-PSI-12"),
        (1, "Alien Artifact", "CB-RELIC-03"),
    }


@pytest.mark.rule("CB-GEAR-23", "CB-GEAR-26", "CB-GEAR-22", "CB-WEAP-17")
async def test_why_names_combat_gear(ring: Ring) -> None:
    await ring.table.done(ANNA, DiceMode("bot"))
    await ring.arrange(skip("scope", "infrared_optics"), active("Skip"))
    await ring.ask(ANNA, Shoot("Skip", "Trapper", 6, cover=2))
    assert "+1 Scope CB-GEAR-26" in ring.why
    assert "-1 Infrared Optics CB-GEAR-22" in ring.why
    await ring.arrange(carries("Wanda", "skip_westmoreland", "melee_spurs", weapons=("neiran_glaive",)))
    await ring.arrange(active("Wanda"), touching(("Wanda", "Edo Underling 2")))
    await ring.ask(ANNA, Fight("Wanda", "Edo Underling 2", weapon="Neiran Glaive"))
    assert "03\nDamage from critical successes" in ring.why
    assert "+1 Neiran Glaive CB-WEAP-17" in ring.why
