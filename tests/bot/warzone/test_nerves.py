"""Morale found from the stored squad, and what fear forbids and costs."""

from __future__ import annotations

import pytest

from bot.games.warzone.activation import Activate
from bot.games.warzone.break_away_actions import BreakAway
from bot.games.warzone.chart_actions import InDire
from bot.games.warzone.close_combat_actions import Charge, Fight, SetContact
from bot.games.warzone.jump_actions import Jump
from bot.games.warzone.morale_actions import LdTest, Morale
from bot.games.warzone.move_actions import Move, SetPresence
from bot.games.warzone.power_actions import Channel, Wake
from bot.games.warzone.reactions import React, Wait
from bot.games.warzone.shooting_actions import Aim, AttackTerrain
from bot.games.warzone.shots import Shoot
from bot.games.warzone.waiting_actions import Conceal, Spot
from bot.table.session.encounters import NextStep
from bot.table.session.models import DamageModel, RemoveModel
from rules.systems.warzone.model import Condition
from tests.bot.warzone.skirmish import RIFLE, SWORD, Skirmish


async def fall(game: Skirmish, *names: str) -> None:
    """In a round of Rex these models are lost."""
    await game.act("Rex")
    for name in names:
        await game.bo(RemoveModel(name))


async def squad_of_five(game: Skirmish) -> None:
    await game.add("Blue", "Lead", "leader", RIFLE, SWORD, squad="Five", LD=11)
    await game.add("Blue", "Man", squad="Five", count=4)


@pytest.mark.rule("WZ-MORALE-01", "WZ-TEST-07")
async def test_a_test_is_due_from_the_third_of_five_and_for_each_later_activation(game: Skirmish) -> None:
    await squad_of_five(game)
    await game.begin()
    await fall(game, "Man", "Man 2")
    reply = await game.done()
    assert not any("must take a morale test" in line for line in reply.lines)
    await game.act("Five", "bo")
    await game.done("bo")
    await game.act("Bex", "bo")
    await game.done("bo")
    await game.do(NextStep(), 20, 1)
    await fall(game, "Man 3")
    assert "Five must take a morale test after losing 3 of 5 models." in (await game.done()).lines
    assert "must take its morale test first. Use /wz morale." in await game.refused(Activate("Bex"), "bo")
    assert "can do this for Blue" in await game.refused(Morale("Five"))
    reply = await game.press("Morale: Five", 11, who="bo")
    assert reply.lines[0] == "Five passed the morale test."
    assert "Morale (Lead rolls): 11 or less (LD 11)" in reply.lines
    await game.act("Bex", "bo")
    await game.done("bo")
    await game.act("Five", "bo")
    await game.bo(RemoveModel("Man 4"))
    assert "Five must take a morale test after losing 4 of 5 models." in (await game.done("bo")).lines
    assert "must take its morale test first. Use /wz morale." in await game.refused(NextStep())


@pytest.mark.rule("WZ-MORALE-05")
async def test_a_single_model_tests_by_its_wounds(game: Skirmish) -> None:
    await game.add("Blue", "Hero", WD=3)
    await game.begin()
    await game.act("Rex")
    await game.bo(DamageModel("Hero", 1))
    assert not any("morale" in line for line in (await game.done()).lines)
    await game.act("Bex", "bo")
    await game.bo(DamageModel("Hero", 1))
    reply = await game.done("bo")
    assert "Hero must take a morale test after losing at least half its wounds." in reply.lines
    reply = await game.press("Morale: Hero", 15, who="bo")
    assert reply.lines[:2] == ("Hero failed the morale test.", "Hero is Panicked.")


@pytest.mark.rule("WZ-MORALE-05")
async def test_exactly_half_the_wounds_call_for_a_test(game: Skirmish) -> None:
    await game.add("Blue", "Hero", WD=4)
    await game.begin()
    await game.act("Rex")
    await game.bo(DamageModel("Hero", 2))
    reply = await game.done()
    assert "Hero must take a morale test after losing at least half its wounds." in reply.lines


@pytest.mark.rule("WZ-MORALE-02", "WZ-MORALE-03", "WZ-MORALE-04", "WZ-PANIC-05", "WZ-UNH-01")
@pytest.mark.usefixtures("acting")
async def test_panicked_then_broken_then_unhinged(game: Skirmish) -> None:
    await game.add("Blue", "Lead", "leader", RIFLE, squad="Pair", LD=12)
    await game.add("Blue", "Man", squad="Pair")
    reply = await game.bo(Morale("Pair", effect="a scream"), 13)
    assert reply.lines[:2] == (
        "Pair failed the morale test caused by a scream.",
        "2 models of Pair are Panicked.",
    )
    reply = await game.bo(Morale("Pair", effect="a scream"), 10)
    assert "Morale (Lead rolls): 9 or less (LD 12 -3)" in reply.lines
    assert reply.lines[1] == "2 models of Pair are Broken."
    reply = await game.bo(Morale("Pair", effect="a scream"), 7, 11, 17)
    assert "Morale (Lead rolls): 6 or less (LD 12 -6)" in reply.lines
    assert reply.lines[1:3] == ("Lead is Unhinged: Crippling Fear.", "Man is Unhinged: Forced Regression.")
    lead, man = await game.model("Lead"), await game.model("Man")
    assert lead.unhinged is Condition.CRIPPLING_FEAR
    assert lead.broken
    assert man.unhinged is Condition.REGRESSION
    reply = await game.bo(Morale("Pair", effect="a scream", hidden=True), 12)
    assert "Morale (Lead rolls): 12 or less (LD 12)" in reply.lines, (
        "Broken counts while an enemy is in sight"
    )


@pytest.mark.rule("WZ-PANIC-01", "WZ-PANIC-02", "WZ-PANIC-03", "WZ-PANIC-04", "WZ-RC-06", "WZ-CC-05")
async def test_what_panic_forbids_and_costs(game: Skirmish) -> None:
    await game.under("Rex", "panicked")
    await game.begin()
    await game.act("Rex")
    for action, word in (
        (Charge("Rex", "Bex"), "charge"),
        (Aim("Rex", "Bex"), "aim"),
        (SetPresence("Rex", "minimized"), "minimize presence"),
        (Channel("Rex", 1), "channel a power"),
    ):
        refusal = await game.refused(action)
        assert f"Panicked and can't {word}" in refusal
        assert "WZ-PANIC-04" in refusal
    reply = await game.do(Shoot("Rex", "Bex", "8"), 20)
    assert "-3 Panicked with an enemy in sight WZ-PANIC-03" in reply.why
    reply = await game.do(Move("Rex", bearing="nearer"), 8)
    assert reply.lines[0] == "Rex fails its nerve test and loses the action."
    assert (await game.model("Rex")).count("actions") == 1
    reply = await game.do(Move("Rex", bearing="nearer"), 7)
    assert reply.lines[:2] == ("Rex passes its nerve test.", "Rex moves up to 5 in.")
    assert (await game.model("Rex")).count("actions") == 0


@pytest.mark.rule("WZ-PANIC-04", "WZ-SPOT-05", "WZ-WAIT-01")
@pytest.mark.usefixtures("acting")
async def test_panicked_models_neither_spot_nor_wait(game: Skirmish) -> None:
    await game.bo(Conceal("Bex"))
    await game.under("Rex", "panicked")
    assert "and can't spot." in await game.refused(Spot("Rex", "Bex"))
    assert "can't wait" in await game.refused(Wait("Rex"))


@pytest.mark.rule("WZ-BROKEN-01", "WZ-BROKEN-02", "WZ-BROKEN-03", "WZ-BROKEN-04", "WZ-BROKEN-05")
async def test_broken_models_flee_first(game: Skirmish) -> None:
    await game.under("Rex", "broken")
    await game.begin()
    reply = await game.act("Rex")
    assert "Rex must first move directly away from what broke its morale." in reply.lines
    assert "first action" in await game.refused(Shoot("Rex", "Bex", "8"))
    assert "is Broken and can't move towards what broke its morale." in await game.refused(
        Move("Rex", bearing="nearer")
    )
    assert "Broken and can't charge" in await game.refused(Charge("Rex", "Bex"))
    reply = await game.press("Rex flees")
    assert reply.lines[0] == "Rex moves directly away from what broke its morale (up to 5 in)."
    reply = await game.do(Shoot("Rex", "Bex", "8"), 5)
    assert reply.lines[:2] == (
        "Rex fails its nerve test and flees.",
        "Rex moves directly away from what broke its morale (5 in).",
    )
    reply = await game.do(Shoot("Rex", "Bex", "8"), 4, 20)
    assert reply.lines[:2] == ("Rex passes its nerve test.", "Rex misses Bex.")
    assert "-6 Broken with an enemy in sight WZ-BROKEN-04" in reply.why


@pytest.mark.rule("WZ-BROKEN-01", "WZ-BROKEN-02", "WZ-BREAK-03")
async def test_a_broken_model_in_close_combat_breaks_away_to_flee(game: Skirmish) -> None:
    await game.do(SetContact("Rex", "Bex"))
    await game.under("Rex", "broken")
    await game.begin()
    await game.act("Rex")
    assert "in close combat" in await game.refused(Move("Rex", bearing="away"))
    assert "first action" in await game.refused(Fight("Rex", "Bex"))
    reply = await game.press("Rex breaks away", 1, 20)
    assert reply.lines[0] == "Rex fails to break away."
    reply = await game.do(Fight("Rex", "Bex"), 5)
    assert reply.lines[0] == "Rex fails its nerve test and loses the action."
    assert "Rex is in close combat and has to break away before it can flee." in reply.lines
    odds = await game.asks(Fight("Rex", "Bex", odds=True))
    assert "Rex must pass a nerve test first (20% chance of passing)" in odds.lines
    await game.do(BreakAway("Rex"), 20, 1)
    assert (await game.model("Rex")).count("actions") == 0
    assert not (await game.model("Rex")).has(Condition.ENGAGED)


@pytest.mark.rule("WZ-TEST-06", "WZ-TEST-03", "WZ-TEST-04")
@pytest.mark.usefixtures("acting")
async def test_any_other_ld_test(game: Skirmish) -> None:
    await game.under("Rex", "panicked")
    reply = await game.do(LdTest("Rex", 2, "a banner", dire=3), 7)
    assert reply.lines[0] == "Rex fails the LD test."
    assert "LD test: 6 or less (LD 10 -4)" in reply.lines
    assert "+2 a banner WZ-TEST-06" in reply.why
    assert (await game.do(LdTest("Rex", -20), 1)).lines[0] == "Rex passes the LD test."
    assert (await game.do(LdTest("Rex", 20), 20)).lines[0] == "Rex fails the LD test."
    odds = await game.asks(LdTest("Rex", hidden=True, odds=True))
    assert odds.lines[0] == "LD test for Rex: 10 or less"
    assert "passes  50% ##########" in odds.lines


@pytest.mark.rule("WZ-MORALE-01", "WZ-RALLY-06")
@pytest.mark.usefixtures("acting")
async def test_dire_wounds_are_offered_as_tests(game: Skirmish) -> None:
    await game.add("Red", "Fiend", "dire 2", RIFLE, SWORD, CC=12)
    await game.add("Blue", "Bull", WD=3)
    await game.do(SetContact("Fiend", "Bull"))
    reply = await game.do(Fight("Fiend", "Bull"), 5, 20)
    assert "Bull must take a morale test if it is in Fiend's Dire 2 area." in reply.lines
    reply = await game.press("Test morale in the Dire area", 9, who="bo")
    assert reply.lines[:2] == ("Bull failed the morale test.", "Bull is Panicked.")
    assert "Morale: 8 or less (LD 10 -2)" in reply.lines


@pytest.mark.rule("WZ-BROKEN-02", "WZ-BROKEN-04", "WZ-PANIC-02")
async def test_nerve_tests_without_an_enemy_in_sight(game: Skirmish) -> None:
    await game.under("Rex", "broken")
    await game.begin()
    await game.act("Rex")
    await game.do(Move("Rex", bearing="away"))
    odds = await game.asks(Shoot("Rex", "Bex", "8", odds=True))
    assert "Rex must pass a nerve test first (20% chance of passing)" in odds.lines, "LD 10 - 6"
    odds = await game.asks(Shoot("Rex", "Bex", "8", hidden=True, odds=True))
    assert "Rex must pass a nerve test first (50% chance of passing)" in odds.lines
    odds = await game.asks(SetPresence("Rex", "prone", hidden=True, odds=True))
    assert odds.lines[:2] == (
        "Rex can change presence.",
        "Rex must pass a nerve test first (50% chance of passing)",
    )
    assert [button.label for button in odds.buttons] == ["Do it", "Compare", "Change..."]
    reply = await game.do(SetPresence("Rex", "prone", hidden=True), 10)
    assert reply.lines[0] == "Rex passes its nerve test."
    assert "Nerve test: 10 or less (LD 10)" in reply.lines
    reply = await game.do(AttackTerrain("Rex", "Stone", "Rifle", hidden=True), 11)
    assert reply.lines[0] == "Rex fails its nerve test and flees."


@pytest.mark.rule("WZ-BROKEN-02")
async def test_giving_orders_and_waking_a_friend_need_nerve_too(game: Skirmish) -> None:
    await game.add("Red", "Chief", "commander, individual", RIFLE, PW=6)
    await game.add("Red", "Mage")
    await game.under("Mage", "unconscious")
    await game.under("Chief", "broken")
    await game.do(SetContact("Chief", "Mage"))
    await game.begin()
    await game.act("Chief")
    assert (
        "is Broken. Its first action must be a move directly away from what broke its morale."
        in await game.refused(Activate("Rex", "Chief"))
    )
    assert (
        "is Broken. Its first action must be a move directly away from what broke its morale."
        in await game.refused(Wake("Mage", "Chief"))
    )
    await game.do(Move("Chief", bearing="away"))
    reply = await game.do(Activate("Rex", "Chief"), 5)
    assert reply.lines[0] == "Chief fails its nerve test and flees."
    assert not (await game.model("Rex")).count("actions")
    reply = await game.do(Wake("Mage", "Chief", hidden=True), 10)
    assert reply.lines[:2] == ("Chief passes its nerve test.", "Chief wakes Mage, which is still Prone.")
    assert (await game.model("Chief")).count("actions") == 0


@pytest.mark.rule("WZ-RALLY-06", "WZ-TEST-06", "WZ-SPOT-05")
@pytest.mark.usefixtures("acting")
async def test_a_dire_area_lowers_every_ld_test(game: Skirmish) -> None:
    reply = await game.do(InDire("Rex, Bex", 2))
    assert reply.lines == ("Now in a Dire 2 area: Rex, Bex.",)
    assert (await game.asks(LdTest("Rex", odds=True))).lines[0] == "LD test for Rex: 8 or less"
    assert (await game.asks(LdTest("Rex", dire=1, odds=True))).lines[0] == "LD test for Rex: 8 or less"
    assert (await game.asks(LdTest("Rex", dire=3, odds=True))).lines[0] == "LD test for Rex: 7 or less"
    assert (await game.asks(Morale("Bex", odds=True))).lines[0] == "Morale test for Bex: 8 or less"
    assert "LD test to jump: 8 or less (LD 10 -2)" in (await game.asks(Jump("Rex", down=5, odds=True))).lines
    await game.do(Wait("Rex"))
    assert (await game.asks(React("Rex", "fire", "Bex", odds=True))).lines[0] == "Rex reacts: 8 or less"
    await game.bo(Conceal("Bex"))
    assert "affected by Fear or Dire" in await game.refused(Spot("Rex", "Bex"))
    await game.do(InDire("Rex", 0))
    await game.do(Spot("Rex", "Bex"), 20)
    assert "between 0 and 10" in await game.refused(InDire("Rex", 11))
    assert "Enter the models" in await game.refused(InDire("", 1))
