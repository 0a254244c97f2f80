"""Features that are about getting somewhere or pointing at something."""

from __future__ import annotations

import pytest

from bot.games.counterblast.melee.charges import Charge
from bot.games.counterblast.movement.climbing import Climb, Leap, Pounce
from bot.games.counterblast.movement.moves import LieDown, Move
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.templates.template_attacks import Template
from bot.table.encounter import Encounter
from tests.bot.arranging import Step
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, block, gifted, under


def easy_ground(encounter: Encounter) -> None:
    encounter.side(1).traits["easy ground"] = "1"


def alone(*kept: str) -> Step:
    def step(encounter: Encounter) -> None:
        for model in encounter.models(2):
            if model.name not in kept:
                model.status = "gone"

    return step


@pytest.mark.rule("CB-FEAT-53", "CB-TERR-12")
async def test_sure_footed_is_taken_off_each_piece(ring: Ring) -> None:
    """Mv 6, Rugged 3 and 1 with Sure Footed 2: 6 - 1 - 0."""
    await ring.arrange(active("Skip"), gifted("Skip", "sure_footed:2"))
    lines = await ring.ask(ANNA, Move("Skip", rugged=(3, 1)))
    assert lines[0] == "Skip Westmoreland moves up to 5 in."
    assert ring.why.count("Sure Footed CB-FEAT-53") == 2
    assert "+2 Sure Footed CB-FEAT-53" in ring.why


@pytest.mark.rule("CB-FEAT-53")
async def test_sure_footed_counts_in_a_charge(ring: Ring) -> None:
    """Mv 6 and half: 9; Rugged 3 takes 3, with Sure Footed 1 it takes 2."""
    await ring.arrange(active("Skip"), alone("Trapper"))
    assert "can charge 6 in" in await ring.refused(ANNA, Charge("Skip", "Trapper", 7, rugged=(3,)))
    await ring.arrange(gifted("Skip", "sure_footed:1"))
    await ring.ask(ANNA, Charge("Skip", "Trapper", 7, rugged=(3,), odds=True))


@pytest.mark.rule("CB-MISS-33")
async def test_scouted_ground_is_easier_for_the_whole_crew(ring: Ring) -> None:
    await ring.arrange(active("Skip"), easy_ground)
    lines = await ring.ask(ANNA, Move("Skip", rugged=(2,)))
    assert lines[0] == "Skip Westmoreland moves up to 5 in."
    assert "+1 scouted ground CB-MISS-33" in ring.why
    await ring.arrange(active("Trapper"))
    assert "moves up to 6 in" in (await ring.ask(BO, Move("Trapper", rugged=(2,))))[0]


@pytest.mark.rule("CB-FEAT-13")
async def test_burrowing_costs_2_in_and_is_rugged_2(ring: Ring) -> None:
    """Eye Slug, Mv 4: 4 - 2 - 2; staying under, the next Move pays no more for going underground: 4 - 2."""
    await ring.arrange(block("Skip", "eye_slug"), active("Skip", "Wanda"))
    assert "CB-FEAT-13" in await ring.refused(ANNA, Move("Wanda", burrow="come up"))
    lines = await ring.ask(ANNA, Move("Skip", 2, burrow="stay under", rugged=(3,), height=4, odds=True))
    assert lines[0] == "Skip Westmoreland moves up to 4 in"
    lines = await ring.ask(ANNA, Move("Skip", burrow="stay under"))
    assert lines[0] == "Skip Westmoreland moves up to 0 in."
    assert "-2 going underground" in lines
    lines = await ring.ask(ANNA, Move("Skip"))
    assert lines[0] == "Skip Westmoreland moves up to 2 in."
    assert "Skip Westmoreland comes up on clear ground outdoors." in lines
    assert not (await ring.model("Skip")).count("underground")


@pytest.mark.rule("CB-FEAT-13", "CB-CHARGE-02")
async def test_a_charge_underground(ring: Ring) -> None:
    """Mv 6 and half, less 2 to dig in and 2: 5 in."""
    await ring.arrange(active("Skip"), gifted("Skip", "burrow"), alone("Trapper"))
    assert "can charge 5 in" in await ring.refused(ANNA, Charge("Skip", "Trapper", 5.5, burrow=True))
    lines = await ring.ask(ANNA, Charge("Skip", "Trapper", 5, burrow=True), *[2] * 5)
    assert "Skip Westmoreland charges Trapper underground (5 in)." in lines


@pytest.mark.rule("CB-FEAT-41", "CB-CHARGE-02")
async def test_pounce_charges_4_in_farther(ring: Ring) -> None:
    await ring.arrange(active("Skip"), gifted("Skip", "pounce"))
    assert "can charge 13 in" in await ring.refused(ANNA, Charge("Skip", "Trapper", 14))


@pytest.mark.rule("CB-FEAT-41")
async def test_pounce_leaps_6_in_out_of_hiding(ring: Ring) -> None:
    await ring.arrange(active("Skip", "Wanda"), gifted("Skip", "pounce"))
    assert "doesn't have Pounce." in await ring.refused(ANNA, Pounce("Wanda", "Trapper", 5))
    assert "must be Hidden or an Infiltrator to Pounce" in await ring.refused(
        ANNA, Pounce("Skip", "Trapper", 5)
    )
    await ring.arrange(under("hidden", "Skip"))
    assert "can leap 6 in" in await ring.refused(ANNA, Pounce("Skip", "Trapper", 6.5))
    lines = await ring.ask(ANNA, Pounce("Skip", "Trapper", 6))
    assert lines[0] == "Skip Westmoreland leaps at Trapper (6 in)."
    skip = await ring.model("Skip")
    assert skip.is_engaged
    assert (skip.count("actions spent"), skip.count("attacks made")) == (1, 0)


@pytest.mark.rule("CB-FEAT-41")
async def test_an_infiltrator_leaps_too(ring: Ring) -> None:
    await ring.arrange(active("Skip"), gifted("Skip", "pounce", "infiltrator"))
    await ring.ask(ANNA, Pounce("Skip", "Trapper", 6))
    assert (await ring.model("Skip")).is_engaged


@pytest.mark.rule("CB-FEAT-28")
async def test_a_fixed_weapon_fires_into_90_degrees(ring: Ring) -> None:
    await ring.arrange(active("Skip"), gifted("Skip", "fixed_weapon"))
    refusal = await ring.refused(ANNA, Shoot("Skip", "Trapper", 5, bearing=46))
    assert "can only fire in an arc of 90" in refusal
    assert "CB-FEAT-28" in refusal
    lines = await ring.ask(ANNA, Shoot("Skip", "Trapper", 5, bearing=-45), *[2] * 4)
    assert "Skip Westmoreland's arc of fire: 90 degrees." in lines


@pytest.mark.rule("CB-VEH-08")
async def test_how_a_weapon_is_mounted_is_said_once(ring: Ring) -> None:
    await ring.arrange(active("Skip", "Wanda"), gifted("Skip", "fixed_weapon"))
    await ring.ask(ANNA, Shoot("Skip", "Trapper", 5, bearing=170, mount="turret"), *[2] * 4)
    assert "arc of fire" not in ring.answer.reply.text
    refusal = await ring.refused(ANNA, Shoot("Wanda", "Trapper", 5, bearing=23, mount="pintle"))
    assert "can only fire in an arc of 45" in refusal
    lines = await ring.ask(ANNA, Shoot("Wanda", "Trapper", 5, bearing=22, mount="pintle"), *[2] * 2)
    assert "Wanda Whitestar's arc of fire: 45 degrees." in lines
    weapon = (await ring.model("Wanda")).weapons[0].key
    assert (await ring.model("Wanda")).count(f"mounted: {weapon}") == 1


@pytest.mark.rule("CB-FEAT-48")
async def test_the_only_spotter_is_found_by_itself(ring: Ring) -> None:
    """Skip has a grenade; Wanda spots for it."""
    throw = Template("Skip", "Grenade", distance=4, sight="spotter")
    await ring.arrange(active("Skip"))
    assert "has Spotter" in await ring.refused(ANNA, throw)
    await ring.arrange(gifted("Wanda", "spotter"))
    await ring.ask(ANNA, throw, 9, 2, 2, 2)
    await ring.arrange(gifted("Smap", "spotter"), active("Sally"))
    assert "Choose the spotter who sees the spot: Smap, Wanda Whitestar." in await ring.refused(ANNA, throw)


@pytest.mark.rule("CB-BUILD-13", "CB-MOVE-05")
async def test_wheels_neither_jump_nor_climb_once_it_was_said(ring: Ring) -> None:
    await ring.arrange(active("HOpR"))
    await ring.ask(ANNA, Leap("HOpR", 2))
    assert "CB-MOVE-05" in await ring.refused(ANNA, Leap("HOpR", 2, goes_on="wheels"))
    await ring.ask(ANNA, Move("HOpR", goes_on="wheels"))
    assert "CB-MOVE-05" in await ring.refused(ANNA, Leap("HOpR", 2))
    assert "CB-BUILD-13" in await ring.refused(ANNA, Climb("HOpR", 2))
    assert "CB-MOVE-07" in await ring.refused(ANNA, LieDown("HOpR"))
