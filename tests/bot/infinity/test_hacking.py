"""Hacking Attacks and Reset, and shots that only a word of the organiser allows."""

from __future__ import annotations

import pytest

from bot.games.infinity.attack_actions import Shoot
from bot.games.infinity.movement_actions import SpendOrder
from bot.games.infinity.reaction_actions import Aro
from bot.games.infinity.reaction_menu import NOTHING, Resolve
from tests.bot.infinity.field import ANNA, BO, Field, profile

HACKER = "Angus: BS 12, PH 10, WIP 13, ARM 1, BTS 0, W 1; Combi Rifle B3 DAM 13; Scramble B2 DAM 14 BTS HACK"
GUARD = "Tracker: BS 12, PH 11, WIP 14, ARM 1, BTS 3, W 2; Rifle B3 DAM 13; Jammer B1 DAM 12 BTS HACK"
HACK = Shoot("Angus", "Tracker", 20, cover=True, weapon="Scramble")


@pytest.fixture
async def hackers(field: Field) -> Field:
    await field.arrange(profile("Angus", HACKER), profile("Tracker", GUARD))
    return field


@pytest.mark.rule("INF-F2F-01", "INF-ARM-04")
async def test_a_program_is_met_by_reset_and_saved_on_bts(hackers: Field) -> None:
    field = hackers
    lines = await field.ask(ANNA, HACK)
    assert lines[:2] == ["Angus hacks Tracker.", "Scramble, 20 in, in cover"]
    offered = await field.offered(BO, "Tracker")
    assert offered == ["Shoot with Rifle", "Hack with Jammer", "Reset", "Nothing"]
    # WIP 13 twice against WIP 14; cover takes nothing, and saves are on BTS 3: over 11
    lines = await field.react(BO, "Tracker", "reset:", 9, 12, 10, 11)
    assert "Angus, WIP 13, 2 dice" in lines
    assert "Tracker, WIP 14, 1 die" in lines
    assert "Tracker: BTS 3 against Damage 14" in lines
    assert lines[0] == "Angus hits Tracker: 1 wound, 1 of 2 W left."
    assert "Tracker's Reset fails." in lines


@pytest.mark.rule("INF-F2F-01")
async def test_a_reset_that_wins_stops_it(hackers: Field) -> None:
    field = hackers
    await field.ask(ANNA, HACK)
    lines = await field.react(BO, "Tracker", "reset:", 9, 12, 13)
    assert "Tracker's Reset succeeds." in lines
    assert lines[0] == "Angus misses Tracker."


@pytest.mark.rule("INF-F2F-01")
async def test_a_shot_answers_a_hacker_face_to_face_and_a_reset_meets_no_shot(hackers: Field) -> None:
    field = hackers
    await field.ask(ANNA, HACK)
    await field.react(BO, "Tracker", "shoot:Rifle", 20, 20, 20)
    assert "Face to Face INF-F2F-01" in field.why
    await field.ask(ANNA, Shoot("Angus", "Tracker", 12, weapon="Combi Rifle"))
    await field.ask(BO, Aro("Tracker", "reset"))
    # the Reset throws no die: there is nothing that it could meet
    lines = await field.pass_on(BO, 20, 20, 20)
    assert "Normal Rolls INF-F2F-01" in field.why
    assert not [line for line in lines if "Reset" in line or "reset" in line]


@pytest.mark.rule("INF-ORD-05")
async def test_hacking_is_an_aro_without_line_of_fire_within_eight_inches(hackers: Field) -> None:
    field = hackers
    await field.ask(ANNA, SpendOrder("Angus", skill="reset"))
    assert "Hack with Jammer (enemy within 8 in)" in await field.offered(BO, "Tracker")
    far = Aro("Tracker", "hack", 9, unseen=True)
    assert "more than 8 in away.\nRulebook: Orders (INF-ORD-05)" in await field.refused(BO, far)
    await field.choose(BO, "Tracker", "hack:Jammer:8")
    lines = await field.ask(BO, Resolve(rest=NOTHING))
    assert lines[0] == "ARO: Tracker hacks with Jammer, 8 in, no line of fire."
    # the Reset of the Order meets it: WIP 13 against WIP 14
    lines = await field.ask(ANNA, Resolve(), 12, 13, 5)
    assert "Angus, WIP 13, 1 die" in lines
    assert lines[0] == "Tracker hits Angus: 1 wound, unconscious."


async def test_a_program_is_no_weapon_to_shoot_with(hackers: Field) -> None:
    field = hackers
    await field.arrange(profile("Angus", HACKER.replace("Combi Rifle B3 DAM 13; ", "")))
    assert "has no weapon to shoot with" in await field.refused(ANNA, Shoot("Angus", "Tracker", 12))
    wild = Shoot("Angus", "Tracker", 12, weapon="Scramble", mode="speculative")
    assert "Choose direct as the fire mode" in await field.refused(ANNA, wild)


@pytest.mark.rule("INF-BS-01", "INF-SIX-12")
async def test_a_shooter_without_line_of_fire_needs_the_tables_word(field: Field) -> None:
    blind = Shoot("Angus", "Morph", 12, sight=False)
    said = await field.refused(ANNA, blind)
    assert said == (
        "Choose a target in line of fire. The shooter has no line of fire to this one.\n"
        "Rulebook: BS Attacks (INF-BS-01)."
    )
    assert "INF-BS-01" in await field.refused(ANNA, Shoot("Angus", "Morph", 12, sight=False, odds=True))
    answer = await field.table.do(ANNA, blind, reason="guided")
    assert "Override by anna: guided" in answer.reply.text
    # who cannot see the shooter either reacts at PH less 3
    assert await field.offered(BO, "Morph") == ["Dodge", "Nothing"]
    lines = await field.react(BO, "Morph", "dodge:", 20, 20, 20, 9)
    assert "Morph, PH 12 -3 = 9, 1 die" in lines
