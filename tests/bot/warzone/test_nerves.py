"""Morale found from the stored squad, what fear forbids and costs, rallies, charts with what follows."""

from __future__ import annotations

import pytest

from bot.games.warzone.core.turn_actions import Activate
from bot.games.warzone.melee.break_play import BreakAway
from bot.games.warzone.melee.fight_play import Charge, Fight, SetContact
from bot.games.warzone.movement.move_play import Move, SetPresence
from bot.games.warzone.nerves.amok_play import Reboot, Regroup
from bot.games.warzone.nerves.chart_play import RollChart
from bot.games.warzone.nerves.nerve_play import LdTest, Morale
from bot.games.warzone.nerves.rally_play import Rally
from bot.games.warzone.nerves.rampage_play import Dominate, Rampage
from bot.games.warzone.nerves.unhinged_play import Attack, Derangement, NobodyThere
from bot.games.warzone.powers.backlash_play import MindStorm
from bot.games.warzone.powers.power_play import Channel, Concentrate, Wake
from bot.games.warzone.roster.roster_play import FormSquad
from bot.games.warzone.shooting.shoot_play import Aim
from bot.games.warzone.shooting.shots import Shoot
from bot.games.warzone.shooting.spot_play import Conceal, Spot
from bot.games.warzone.waiting.wait_actions import Wait
from bot.table.session.encounters import NextStep
from bot.table.session.models import DamageModel, RemoveModel
from rules.systems.warzone.model import Condition
from tests.bot.warzone.skirmish import RIFLE, SWORD, Skirmish


async def squad_of_five(game: Skirmish) -> None:
    await game.add("Blue", "Lead", "leader", RIFLE, SWORD, squad="Five", LD=11)
    await game.add("Blue", "Man", squad="Five", count=4)


async def fall(game: Skirmish, *names: str) -> None:
    """In a round of Rex these models are lost."""
    await game.act("Rex")
    for name in names:
        await game.bo(RemoveModel(name))


@pytest.mark.rule("WZ-MORALE-01", "WZ-TEST-07")
async def test_a_test_is_due_from_the_third_of_five_and_for_each_later_activation(game: Skirmish) -> None:
    await squad_of_five(game)
    await game.begin()
    await fall(game, "Man", "Man 2")
    reply = await game.done()
    assert not any("must test morale" in line for line in reply.lines)
    await game.act("Five", "bo")
    await game.done("bo")
    await game.act("Bex", "bo")
    await game.done("bo")
    await game.do(NextStep(), 20, 1)
    await fall(game, "Man 3")
    assert "Five must test morale: 3 of 5 lost." in (await game.done()).lines
    assert "must test morale first" in await game.refused(Activate("Bex"), "bo")
    assert "You do not play Blue" in await game.refused(Morale("Five"))
    reply = await game.press("Morale: Five", 11, who="bo")
    assert reply.lines[0] == "Five: morale test passed."
    assert "Morale, Lead rolls: 11 or less (LD 11)" in reply.lines
    await game.act("Bex", "bo")
    await game.done("bo")
    await game.act("Five", "bo")
    await game.bo(RemoveModel("Man 4"))
    assert "Five must test morale: 4 of 5 lost." in (await game.done("bo")).lines
    assert "must test morale first" in await game.refused(NextStep())


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
    assert "Hero must test morale: half its wounds lost." in reply.lines
    reply = await game.press("Morale: Hero", 15, who="bo")
    assert reply.lines[:2] == ("Hero: morale test failed.", "Hero is Panicked.")


@pytest.mark.rule("WZ-MORALE-05")
async def test_exactly_half_the_wounds_call_for_a_test(game: Skirmish) -> None:
    await game.add("Blue", "Hero", WD=4)
    await game.begin()
    await game.act("Rex")
    await game.bo(DamageModel("Hero", 2))
    assert "Hero must test morale: half its wounds lost." in (await game.done()).lines


@pytest.mark.rule("WZ-MORALE-02", "WZ-MORALE-03", "WZ-MORALE-04", "WZ-PANIC-05", "WZ-UNH-01")
@pytest.mark.usefixtures("acting")
async def test_panicked_then_broken_then_unhinged(game: Skirmish) -> None:
    await game.add("Blue", "Lead", "leader", RIFLE, squad="Pair", LD=12)
    await game.add("Blue", "Man", squad="Pair")
    reply = await game.bo(Morale("Pair", effect="a scream"), 13)
    assert reply.lines[:2] == ("Pair: morale test failed, by a scream.", "Pair: 2 models Panicked.")
    reply = await game.bo(Morale("Pair", effect="a scream"), 10)
    assert "Morale, Lead rolls: 9 or less (LD 12 -3)" in reply.lines
    assert reply.lines[1] == "Pair: 2 models Broken."
    reply = await game.bo(Morale("Pair", effect="a scream"), 7, 11, 17)
    assert "Morale, Lead rolls: 6 or less (LD 12 -6)" in reply.lines
    assert reply.lines[1:3] == ("Lead is Unhinged: Crippling Fear.", "Man is Unhinged: Forced Regression.")
    lead, man = await game.model("Lead"), await game.model("Man")
    assert lead.unhinged is Condition.CRIPPLING_FEAR
    assert lead.broken
    assert man.unhinged is Condition.REGRESSION
    reply = await game.bo(Morale("Pair", effect="a scream", hidden=True), 12)
    assert "Morale, Lead rolls: 12 or less (LD 12)" in reply.lines, "Broken counts while an enemy is in sight"


@pytest.mark.rule("WZ-UNH-02", "WZ-UNH-03")
@pytest.mark.usefixtures("acting")
async def test_every_row_of_the_unhinged_chart(game: Skirmish) -> None:
    for face, name, condition in (
        (1, "Crippling Fear", Condition.CRIPPLING_FEAR),
        (12, "Forced Regression", Condition.REGRESSION),
        (19, "Derangement", Condition.DERANGED),
    ):
        reply = await game.do(RollChart("unhinged", "Rex"), face)
        assert reply.lines[0] == f"Rex is Unhinged: {name}."
        assert (await game.model("Rex")).unhinged is condition
        if face == 1:
            fled = await game.do(Move("Rex", bearing="away"))
            assert "Rex moves straight away, up to 2.5 in." in fled.lines
    await game.do(RollChart("unhinged", "Rex"), 20)
    assert await game.gone("Rex") == "horror"


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
        assert f"Panicked and may not {word}" in refusal
        assert "WZ-PANIC-04" in refusal
    reply = await game.do(Shoot("Rex", "Bex", "8"), 20)
    assert "-3 Panicked, enemy in sight WZ-PANIC-03" in reply.why
    reply = await game.do(Move("Rex", bearing="nearer"), 8)
    assert reply.lines[0] == "Rex dares not: the action is lost."
    assert (await game.model("Rex")).count("actions") == 1
    reply = await game.do(Move("Rex", bearing="nearer"), 7)
    assert reply.lines[:2] == ("Rex keeps its nerve.", "Rex moves up to 5 in.")
    assert (await game.model("Rex")).count("actions") == 0


@pytest.mark.rule("WZ-PANIC-04", "WZ-SPOT-05", "WZ-WAIT-01")
@pytest.mark.usefixtures("acting")
async def test_panicked_models_neither_spot_nor_wait(game: Skirmish) -> None:
    await game.bo(Conceal("Bex"))
    await game.under("Rex", "panicked")
    assert "may not spot" in await game.refused(Spot("Rex", "Bex"))
    assert "may not wait" in await game.refused(Wait("Rex"))


@pytest.mark.rule("WZ-BROKEN-01", "WZ-BROKEN-02", "WZ-BROKEN-03", "WZ-BROKEN-04", "WZ-BROKEN-05")
async def test_broken_models_flee_first(game: Skirmish) -> None:
    await game.under("Rex", "broken")
    await game.begin()
    reply = await game.act("Rex")
    assert "Rex first moves straight away from what broke it." in reply.lines
    assert "first action" in await game.refused(Shoot("Rex", "Bex", "8"))
    assert "never moves towards" in await game.refused(Move("Rex", bearing="nearer"))
    assert "Broken and may not charge" in await game.refused(Charge("Rex", "Bex"))
    reply = await game.press("Rex flees")
    assert reply.lines[0] == "Rex moves straight away, up to 5 in."
    reply = await game.do(Shoot("Rex", "Bex", "8"), 5)
    assert reply.lines[:2] == ("Rex fails its nerve test and flees.", "It moves straight away, 5 in.")
    reply = await game.do(Shoot("Rex", "Bex", "8"), 4, 20)
    assert reply.lines[:2] == ("Rex keeps its nerve.", "Rex misses Bex.")
    assert "-6 Broken, enemy in sight WZ-BROKEN-04" in reply.why


@pytest.mark.rule("WZ-BROKEN-01", "WZ-BROKEN-02", "WZ-BREAK-03")
async def test_a_broken_model_in_close_combat_breaks_away_to_flee(game: Skirmish) -> None:
    await game.do(SetContact("Rex", "Bex"))
    await game.under("Rex", "broken")
    await game.begin()
    await game.act("Rex")
    assert "locked" in await game.refused(Move("Rex", bearing="away"))
    assert "first action" in await game.refused(Fight("Rex", "Bex"))
    reply = await game.press("Rex breaks away", 1, 20)
    assert reply.lines[0] == "Rex does not get away."
    reply = await game.do(Fight("Rex", "Bex"), 5)
    assert reply.lines[0] == "Rex fails its nerve test: the action is lost."
    assert "Rex is locked in close combat: it must break away to flee." in reply.lines
    odds = await game.asks(Fight("Rex", "Bex", odds=True))
    assert "But first a nerve test: 20 %" in odds.lines
    await game.do(BreakAway("Rex"), 20, 1)
    assert (await game.model("Rex")).count("actions") == 0
    assert not (await game.model("Rex")).has(Condition.ENGAGED)


@pytest.mark.rule("WZ-UNH-04", "WZ-RC-07", "WZ-RALLY-04")
async def test_forced_regression(game: Skirmish) -> None:
    await game.under("Rex", "broken", "forced_regression")
    await game.begin()
    await game.act("Rex")
    await game.do(Move("Rex", bearing="away"))
    reply = await game.do(Shoot("Rex", "Bex", "8"), 1, 3)
    assert "Rifle, SR: 2 or less (RC 8 -6)" in reply.lines
    assert "-8 Forced Regression WZ-UNH-04" in reply.why
    assert "its one action of the turn" in await game.refused(Shoot("Rex", "Bex", "8"))


@pytest.mark.rule("WZ-UNH-05")
async def test_derangement(game: Skirmish) -> None:
    await game.under("Rex", "broken", "derangement")
    await game.begin()
    reply = await game.act("Rex")
    assert "Rex rolls for whom it attacks." in reply.lines
    reply = await game.press("Rex: direction", 6)
    assert reply.lines[0] == "Rex turns 6 o'clock."
    assert [button.label for button in reply.buttons][:2] == ["Attack...", "Nobody is there"]
    assert "has its direction" in await game.refused(Derangement("Rex"))
    await game.add("Red", "Brute", SWORD)
    assert "can only strike" in await game.refused(Attack("Brute", "Bex", "8"))
    await game.do(FormSquad("Rex", "Brute"))
    assert "of its own squad" in await game.refused(Attack("Rex", "Brute", "8"))
    reply = await game.do(Attack("Rex", "Bex", "8"), 20)
    assert "-6 Derangement WZ-UNH-05" in reply.why
    assert (await game.model("Rex")).count("actions") == 2
    await game.do(Move("Rex", bearing="away"))
    assert "does not look" in await game.refused(NobodyThere("Rex"))
    await game.done()
    await game.act("Bex", "bo")
    await game.done("bo")
    await game.do(NextStep(), 20, 1)
    await game.act("Rex")
    await game.press("Rex: direction", 12)
    reply = await game.do(NobodyThere("Rex"))
    assert reply.lines[0] == "Rex finds nobody: action lost."
    assert (await game.model("Rex")).count("actions") == 2


# ------------------------------------------------------------------------------------------- rally


@pytest.mark.rule("WZ-RALLY-01", "WZ-RALLY-02", "WZ-RALLY-03", "WZ-RALLY-05", "WZ-RALLY-06", "WZ-RALLY-07")
@pytest.mark.usefixtures("acting")
async def test_rallies_are_counted_and_lift_one_state(game: Skirmish) -> None:
    await game.add("Red", "Lead", "leader", RIFLE, squad="Pair", LD=12)
    await game.add("Red", "Man", squad="Pair")
    await game.add("Red", "Chief", "officer", RIFLE, LD=14)
    await game.under("Lead", "broken")
    await game.under("Man", "broken")
    await game.do(Move("Lead", bearing="away"))
    game.plays_on = False
    assert "neither Panicked nor Broken" in await game.refused(Rally("Chief", "Chief"))
    assert "no leader" in await game.refused(Rally("Rex", "Pair"))
    assert "out of the command distance" in await game.refused(Rally("Chief", "Pair", distance=9))
    game.plays_on = True
    reply = await game.do(Rally("Lead", lender="Chief", lent_from=8, dire=1), 6, 8)
    assert "Rally, attempt 1: 7 or less (LD 12 -5)" in reply.lines
    assert {
        "-6 Broken, enemy in sight WZ-BROKEN-04",
        "-1 Dire, level 1 WZ-RALLY-06",
        "+2 borrowed LD 14 WZ-RALLY-07",
    } <= set(reply.why)
    reply = await game.do(Rally("Chief", "Pair"), 11)
    assert "Rally, attempt 2: 11 or less (LD 14 -3)" in reply.lines
    assert reply.lines[:2] == ("Chief rallies Pair.", "Pair: 2 models Panicked.")
    reply = await game.do(Rally("Chief", "Pair"), 9)
    assert "Rally, attempt 3: 8 or less (LD 14 -6)" in reply.lines
    reply = await game.do(Rally("Chief", "Pair"), 8)
    assert "Pair: 2 models steady." in reply.lines


@pytest.mark.rule("WZ-RALLY-05")
@pytest.mark.usefixtures("acting")
async def test_a_new_turn_counts_attempts_anew(game: Skirmish) -> None:
    await game.add("Red", "Chief", "officer", RIFLE)
    await game.under("Rex", "panicked")
    await game.begin()
    await game.act("Chief")
    await game.do(Rally("Chief", "Rex"), 20)
    odds = await game.asks(Rally("Chief", "Rex", odds=True))
    assert odds.lines[0] == "Chief rallies Rex: 7 or less"
    await game.done()
    for unit, who in (("Bex", "bo"), ("Rex", "anna")):
        await game.act(unit, who)
        await game.done(who)
    await game.do(NextStep(), 20, 1)
    odds = await game.asks(Rally("Chief", "Rex", odds=True))
    assert odds.lines[0] == "Chief rallies Rex: 10 or less"


@pytest.mark.rule("WZ-RALLY-01")
@pytest.mark.usefixtures("acting")
async def test_an_unhinged_model_becomes_broken(game: Skirmish) -> None:
    await game.add("Red", "Chief", "officer", RIFLE)
    await game.under("Rex", "broken", "derangement")
    reply = await game.do(Rally("Chief", "Rex"), 1)
    assert "Rex is Broken." in reply.lines


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
    assert odds.lines[0] == "LD test of Rex: 10 or less"
    assert "passes  50 % ##########" in odds.lines


@pytest.mark.rule("WZ-MORALE-01", "WZ-RALLY-06")
@pytest.mark.usefixtures("acting")
async def test_dire_wounds_are_offered_as_tests(game: Skirmish) -> None:
    await game.add("Red", "Fiend", "dire 2", RIFLE, SWORD, CC=12)
    await game.add("Blue", "Bull", WD=3)
    await game.do(SetContact("Fiend", "Bull"))
    reply = await game.do(Fight("Fiend", "Bull"), 5, 20)
    assert "Dire 2: a morale test if Bull is in its area." in reply.lines
    reply = await game.press("In its area: test morale", 9, who="bo")
    assert reply.lines[:2] == ("Bull: morale test failed.", "Bull is Panicked.")
    assert "Morale: 8 or less (LD 10 -2)" in reply.lines


# ------------------------------------------------------------------------------------------- amok


async def machines(game: Skirmish) -> None:
    await game.add("Red", "Bot", "machine, ai 2", RIFLE, squad="Bots", count=3)


@pytest.mark.rule("WZ-AMOK-01", "WZ-AMOK-02")
@pytest.mark.usefixtures("acting")
async def test_machines_roll_on_the_amok_table(game: Skirmish) -> None:
    await machines(game)
    await game.begin()
    reply = await game.do(Morale("Bots", effect="a virus"), 11, 3)
    assert reply.lines[:2] == (
        "Bots: morale test failed, by a virus.",
        "Bots on the amok table: Buffer Overflow.",
    )
    assert not any("rally" in line for line in reply.lines), "machines are not Panicked"
    assert "Each has 2 actions." in (await game.act("Bots")).lines


@pytest.mark.rule("WZ-AMOK-03")
@pytest.mark.usefixtures("acting")
async def test_recognition_fault(game: Skirmish) -> None:
    await machines(game)
    await game.begin()
    await game.do(RollChart("amok", "Bot"), 13)
    await game.act("Bots")
    odds = await game.asks(Shoot("Bot", "Bex", "8", odds=True))
    assert "But first an LD test: 50 %" in odds.lines
    reply = await game.do(Shoot("Bot", "Bex", "8"), 11)
    assert reply.lines[0] == "Bot knows no foe: action lost."
    reply = await game.do(Shoot("Bot", "Bex", "8"), 20)
    assert reply.lines[0] == "Bot takes friend for foe: action lost."
    assert "Bot attacks the nearest friend." in reply.lines
    await game.do(Attack("Bot", "Bot 2", "4"), 1, 20)
    assert await game.gone("Bot 2") == "casualty"
    assert (await game.model("Bot")).count("actions") == 1, "that attack was the one it wasted"
    reply = await game.do(Shoot("Bot", "Bex", "8"), 10, 20)
    assert reply.lines[0] == "Bot misses Bex."
    await game.done()
    assert not (await game.model("Bot")).has(Condition.RECOGNITION_FAULT)


@pytest.mark.rule("WZ-AMOK-04", "WZ-AMOK-05", "WZ-CMD-04")
@pytest.mark.usefixtures("acting")
async def test_system_reboot(game: Skirmish) -> None:
    await machines(game)
    await game.begin()
    reply = await game.do(RollChart("amok", "Bot"), 19)
    assert "System Reboot" in reply.lines[0]
    reply = await game.act("Bots")
    assert "Each has 1 action." in reply.lines
    assert "must move into" not in reply.text
    assert [button.label for button in reply.buttons].count("Bots reboots") == 1
    number = (await game.squad("Bot")).id
    bots = [await game.model(name) for name in ("Bot", "Bot 2", "Bot 3")]
    assert "Nobody of Bots has rebooted it yet" in await game.refused(Regroup(number, (bots[2].id,)))
    reply = await game.press("Bots reboots", 9, 8)
    assert reply.lines[0] == "Bot 2 reboots Bots and leads."
    assert "Bot 8 or less, Bot 2 8 or less, Bot 3 8 or less" in reply.lines
    assert [menu.prompt for menu in reply.menus] == ["Within 6 in of Bot 2"], "asked when it is known of whom"
    assert [choice.label for choice in reply.menus[0].choices] == ["Bot", "Bot 3"]
    assert "has rebooted" in await game.refused(Reboot(number))
    reply = await game.choose(str(bots[2].id))
    assert reply.lines[:2] == ("In command of Bot 2: Bot 3.", "Each of them has 1 action.")
    assert "Bot moves towards Bot 2's command distance." in reply.lines
    assert "must move into its leader's command" in await game.refused(Shoot("Bot", "Bex", "8"))
    await game.do(Shoot("Bot 3", "Bex", "8"), 20)
    await game.done()
    assert not (await game.model("Bot")).has(Condition.REBOOTED)


# ------------------------------------------------------------------------------------------- powers


@pytest.mark.rule("WZ-POW-01", "WZ-POW-02", "WZ-CONC-01")
async def test_channelling(game: Skirmish) -> None:
    await game.add("Red", "Mage", RIFLE, PW=12)
    await game.begin()
    await game.act("Mage")
    reply = await game.do(Channel("Mage", 4, 2, power="Fire"), 9)
    assert reply.lines[0] == "Mage fails to channel Fire."
    assert (await game.model("Mage")).count("actions") == 2, "a failure costs one action"
    await game.do(Concentrate("Mage"))
    assert "needs 2 actions" in await game.refused(Channel("Mage", 4, 2))
    reply = await game.do(Channel("Mage", 4), 10)
    assert "Power: 10 or less (PW 12 -2)" in reply.lines
    assert not (await game.model("Mage")).has(Condition.CONCENTRATING)
    assert "A magnitude is" in await game.refused(Channel("Mage", 41))


@pytest.mark.rule("WZ-POW-01")
async def test_a_table_may_test_pw_without_the_magnitude(game: Skirmish) -> None:
    await game.add("Red", "Mage", RIFLE, PW=12)
    await game.setting("channel_test", "pw")
    assert (await game.asks(Channel("Mage", 4, odds=True))).lines[0] == "Mage channels: 12 or less"
    await game.begin()
    await game.act("Mage")
    assert "Power: 12 or less (PW 12)" in (await game.do(Channel("Mage", 4), 12)).lines


@pytest.mark.rule("WZ-CONC-01")
async def test_concentration_is_lost_by_anything_else(game: Skirmish) -> None:
    await game.add("Red", "Mage", RIFLE, PW=12)
    await game.begin()
    await game.act("Mage")
    await game.do(Concentrate("Mage"))
    await game.do(Move("Mage"))
    odds = await game.asks(Channel("Mage", 4, odds=True))
    assert odds.lines[0] == "Mage channels: 8 or less"


@pytest.mark.rule("WZ-BACK-01", "WZ-BACK-02", "WZ-BACK-03")
async def test_backlash_row_by_row(game: Skirmish) -> None:
    await game.add("Red", "Mage", RIFLE, PW=12, WD=2)
    await game.add("Red", "Pal")
    await game.begin()
    await game.act("Mage")
    reply = await game.do(Channel("Mage", 4), 20, 10)
    assert reply.lines[1] == "Backlash on Mage: Mind Scramble."
    assert "may not concentrate" in await game.refused(Concentrate("Mage"))
    reply = await game.do(Channel("Mage", 4), 20, 11)
    assert "-3 Mind Scramble WZ-BACK-02" in reply.why
    assert (await game.model("Mage")).count("actions") == 0, "Mind Spike ends its turn"
    reply = await game.do(RollChart("backlash", "Mage", 4), 18)
    mage = await game.model("Mage")
    assert mage.has(Condition.UNCONSCIOUS)
    assert mage.has(Condition.PRONE)
    assert "must be woken first" in await game.refused(LdTest("Mage"))
    reply = await game.do(Wake("Mage"), 7)
    assert reply.lines[0] == "Mage does not wake."
    assert "has tried to wake" in await game.refused(Wake("Mage"))
    await game.done()
    await game.act("Bex", "bo")
    await game.done("bo")
    await game.act("Pal")
    assert "base contact wakes" in await game.refused(Wake("Mage", "Pal"))
    await game.do(SetContact("Pal", "Mage"))
    asked = await game.asks(Wake("Mage", "Pal", odds=True))
    assert asked.lines[0] == "Pal wakes Mage without a test."
    assert (await game.model("Mage")).has(Condition.UNCONSCIOUS)
    await game.do(Wake("Mage", "Pal"))
    assert not (await game.model("Mage")).has(Condition.UNCONSCIOUS)
    assert (await game.model("Pal")).count("actions") == 2


@pytest.mark.rule("WZ-BACK-04")
@pytest.mark.usefixtures("acting")
async def test_a_mind_storm(game: Skirmish) -> None:
    await game.add("Red", "Mage", RIFLE, PW=12, WD=2)
    reply = await game.do(Channel("Mage", 4), 20, 20)
    assert reply.lines[1] == "Backlash on Mage: Mind Storm."
    assert "Everyone within 2 in of Mage tests LD." in reply.lines
    reply = await game.choose(await game.number("Bex"), faces=(6, 7))
    assert reply.lines[:3] == ("Mind Storm: 1 wound.", "Bex: resists", "Mage: 1 wound (1/2)")
    assert (await game.model("Mage")).damage == 1
    number = int(await game.number("Mage"))
    assert "not yours" in await game.refused(MindStorm(number, 4, (1,)), "bo")


# ------------------------------------------------------------------------------------------- rampage


@pytest.mark.rule("WZ-RAMP-01", "WZ-RAMP-02")
@pytest.mark.usefixtures("acting")
async def test_rampage_row_by_row(game: Skirmish) -> None:
    await game.add("Red", "Beast", RIFLE, SWORD)
    await game.begin()
    await game.do(Rampage("Beast", "Rex"), 1)
    reply = await game.do(Shoot("Beast", "Bex", "8"), 20)
    assert "+3 reckless rampage WZ-RAMP-01" in reply.why
    await game.do(Rampage("Beast", "Rex"), 11)
    assert (await game.model("Beast")).has(Condition.WRACKED)
    await game.do(Dominate("Beast"))
    assert not (await game.model("Beast")).has(Condition.WRACKED)
    await game.next_turn()
    reply = await game.do(Rampage("Beast", "Rex"), 10)
    assert reply.lines[0] == "Beast rampages: Lashes out."
    await game.do(Attack("Beast", "Bex", "0"), 20)
    assert "has acted this turn" in await game.refused(Activate("Beast"))
    await game.act("Rex")
    reply = await game.do(Rampage("Beast", "Rex"), 20)
    assert reply.lines[0] == "Beast rampages: Turns on its summoner."
    for _ in range(3):
        await game.do(Attack("Beast", "Rex", "8"), 20)
    assert "does not act now" in await game.refused(Attack("Beast", "Rex", "8"))


@pytest.mark.rule("WZ-RAMP-01")
@pytest.mark.usefixtures("acting")
async def test_a_blinded_model_has_one_attack(game: Skirmish) -> None:
    await game.add("Red", "Beast", RIFLE)
    await game.begin()
    reply = await game.do(Rampage("Beast"), 20)
    assert "Its summoner is gone: it is blinded." in reply.lines
    assert (await game.model("Beast")).has(Condition.BLINDED), "without a summoner it is blinded"
    assert "Beast: 2 actions." in (await game.act("Beast")).lines
    await game.do(Shoot("Beast", "Bex", "8"), 20)
    assert "blinded by rampage" in await game.refused(Shoot("Beast", "Bex", "8"))


@pytest.mark.rule("WZ-RAMP-01")
@pytest.mark.usefixtures("acting")
async def test_a_dominated_model_need_not_roll_by_that_setting(game: Skirmish) -> None:
    await game.setting("rampage trigger", "no domination")
    await game.do(Dominate("Rex"))
    assert "is dominated this turn" in await game.refused(Rampage("Rex"))
