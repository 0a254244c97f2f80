"""What is measured and seen at the table: distance, cover, sight, Dire, half under a template."""

from __future__ import annotations

import pytest

from bot.games.warzone.core.turn_actions import Activate
from bot.games.warzone.melee.fight_play import Charge, Fight, SetContact
from bot.games.warzone.movement.jump_play import Jump
from bot.games.warzone.movement.move_play import Move, SetPresence
from bot.games.warzone.nerves.dire_play import InDire
from bot.games.warzone.nerves.nerve_play import LdTest, Morale
from bot.games.warzone.nerves.rally_play import Rally
from bot.games.warzone.powers.power_play import Concentrate, Wake
from bot.games.warzone.shooting.shoot_play import Aim
from bot.games.warzone.shooting.shots import Shoot, Template
from bot.games.warzone.shooting.spot_play import Conceal, Spot
from bot.games.warzone.shooting.terrain_play import AttackTerrain
from bot.games.warzone.waiting.wait_actions import React, Wait
from bot.table.rolling.realdice import EnterFaces
from bot.table.session.models import RemoveModel, ReturnModel
from tests.bot.warzone.skirmish import RIFLE, SWORD, Skirmish

MORTAR = "weapon Mortar: DM 12, SR 0, template"


@pytest.mark.rule("WZ-RANGE-01", "WZ-RC-03")
@pytest.mark.usefixtures("acting")
async def test_distance_and_cover_stand_in_the_reply(game: Skirmish) -> None:
    reply = await game.do(Shoot("Rex", "Bex", "7.5", "soft", smoke=2), 20)
    assert reply.lines[:4] == ("Rex misses Bex.", "", "7.5 in, soft cover, smoke 2", reply.lines[3])
    assert "SR, no cover" in (await game.do(Shoot("Rex", "Bex", "sr"), 20)).lines, "a band is no distance"
    odds = await game.asks(Shoot("Rex", "Bex", "8", "hard", odds=True))
    assert odds.lines[1] == "8 in, hard cover"
    await game.add("Red", "Gunner", MORTAR)
    reply = await game.do(Template("Gunner", "Bex", "8", cover="hard", gap=2), 20, 14, 6)
    assert {"8 in, hard cover, through a gap of 2", "  in"} <= set(reply.lines)


@pytest.mark.rule("WZ-SPACE-03")
@pytest.mark.usefixtures("acting")
async def test_templates_need_the_gap_too(game: Skirmish) -> None:
    await game.add("Red", "Gunner", MORTAR)
    assert "gap of 1 in" in await game.refused(Template("Gunner", "Bex", "8", gap=0.5))


@pytest.mark.usefixtures("acting")
async def test_what_is_plain_in_close_combat_is_not_told(game: Skirmish) -> None:
    await game.do(SetContact("Rex", "Bex"))
    assert (await game.do(Fight("Rex", "Bex"), 20)).lines[2].startswith("Sword")
    reply = await game.do(Fight("Rex", "Bex", secondary=True, place="wall"), 20)
    assert reply.lines[2] == "at a wall, secondary attack"


# ------------------------------------------------------------------------------------------- sight


@pytest.mark.rule("WZ-RC-06", "WZ-PANIC-03", "WZ-BROKEN-04")
@pytest.mark.usefixtures("acting")
async def test_a_shot_can_say_that_no_enemy_is_in_sight(game: Skirmish) -> None:
    await game.under("Rex", "panicked")
    reply = await game.do(Shoot("Rex", "Bex", "8"), 20)
    assert "Rifle, SR: 7 or less (RC 8 -1)" in reply.lines, "+2 and -3"
    reply = await game.do(Shoot("Rex", "Bex", "8", hidden=True), 20)
    assert "Rifle, SR: 6 or less (RC 8 -2)" in reply.lines, "+2 and -4 after the fumble: no -3"
    assert "8 in, no cover, no enemy in sight" in " ".join(reply.lines)
    await game.under("Rex", "broken")
    await game.add("Red", "Gunner", MORTAR)
    await game.under("Gunner", "broken")
    await game.do(Move("Gunner", bearing="away"))
    odds = await game.asks(Template("Gunner", "Bex", "8", odds=True))
    assert "Mortar, SR: 2 or less (RC 8 -6)" in odds.lines
    odds = await game.asks(Template("Gunner", "Bex", "8", hidden=True, odds=True))
    assert "Mortar, SR: 8 or less (RC 8)" in odds.lines


@pytest.mark.rule("WZ-BROKEN-02", "WZ-BROKEN-04", "WZ-PANIC-02")
async def test_nerve_tests_without_an_enemy_in_sight(game: Skirmish) -> None:
    await game.under("Rex", "broken")
    await game.begin()
    await game.act("Rex")
    await game.do(Move("Rex", bearing="away"))
    odds = await game.asks(Shoot("Rex", "Bex", "8", odds=True))
    assert "But first a nerve test: 20 %" in odds.lines, "LD 10 - 6"
    odds = await game.asks(Shoot("Rex", "Bex", "8", hidden=True, odds=True))
    assert "But first a nerve test: 50 %" in odds.lines
    odds = await game.asks(SetPresence("Rex", "prone", hidden=True, odds=True))
    assert odds.lines[:2] == ("Rex may change presence.", "But first a nerve test: 50 %")
    assert [button.label for button in odds.buttons] == ["Do it", "Compare"]
    reply = await game.do(SetPresence("Rex", "prone", hidden=True), 10)
    assert reply.lines[0] == "Rex keeps its nerve."
    assert "Nerve test: 10 or less (LD 10)" in reply.lines
    reply = await game.do(AttackTerrain("Rex", "Stone", "Rifle", hidden=True), 11)
    assert reply.lines[0] == "Rex fails its nerve test and flees."


@pytest.mark.rule("WZ-WAIT-02", "WZ-PANIC-03")
@pytest.mark.usefixtures("acting")
async def test_reacting_without_an_enemy_in_sight(game: Skirmish) -> None:
    await game.do(Wait("Rex"))
    await game.under("Rex", "panicked")
    seen = await game.asks(React("Rex", "dive", "Bex", "template", odds=True))
    assert seen.lines[0] == "Rex reacts: 7 or less"
    blind = await game.asks(React("Rex", "dive", "Bex", "template", hidden=True, odds=True))
    assert blind.lines[0] == "Rex reacts: 10 or less"


@pytest.mark.rule("WZ-BROKEN-02")
async def test_giving_orders_and_waking_a_friend_need_nerve_too(game: Skirmish) -> None:
    await game.add("Red", "Chief", "commander, individual", RIFLE, PW=6)
    await game.add("Red", "Mage")
    await game.under("Mage", "unconscious")
    await game.under("Chief", "broken")
    await game.do(SetContact("Chief", "Mage"))
    await game.begin()
    await game.act("Chief")
    assert "first action is to move" in await game.refused(Activate("Rex", "Chief"))
    assert "first action is to move" in await game.refused(Wake("Mage", "Chief"))
    await game.do(Move("Chief", bearing="away"))
    reply = await game.do(Activate("Rex", "Chief"), 5)
    assert reply.lines[0] == "Chief fails its nerve test and flees."
    assert not (await game.model("Rex")).count("actions")
    reply = await game.do(Wake("Mage", "Chief", hidden=True), 10)
    assert reply.lines[:2] == ("Chief keeps its nerve.", "Chief wakes Mage, who is still prone.")
    assert (await game.model("Chief")).count("actions") == 0


@pytest.mark.rule("WZ-BROKEN-02", "WZ-RALLY-01")
async def test_a_broken_leader_needs_nerve_to_rally(game: Skirmish) -> None:
    await game.add("Red", "Lead", "leader", RIFLE, AC=4)
    await game.under("Lead", "broken")
    await game.begin()
    await game.act("Lead")
    await game.do(Move("Lead", bearing="away"))
    asked = await game.table.do("anna", Rally("Lead", hidden=True))
    assert "Nerve test" in asked.reply.text
    rallies = await game.table.do("anna", EnterFaces((10,)))
    assert "Rally, attempt 1" in rallies.reply.text, "the second die is for the rally"
    told = (await game.table.do("anna", EnterFaces((11,)))).reply.lines
    assert told[:2] == ("Lead keeps its nerve.", "Lead does not rally Lead.")
    at = told.index("Nerve test: 10 or less (LD 10)")
    assert told[at : at + 5] == (
        "Nerve test: 10 or less (LD 10)",
        "Leadership: 10 passed",
        "no enemy in sight",
        "Rally, attempt 1: 10 or less (LD 10)",
        "Rally: 11 failed",
    )
    assert (await game.model("Lead")).count("actions") == 2
    fled = await game.do(Rally("Lead", hidden=True), 11)
    assert fled.lines[0] == "Lead fails its nerve test and flees.", "no second die is thrown"
    assert (await game.model("Lead")).count("actions") == 1


@pytest.mark.rule("WZ-PANIC-02", "WZ-BROKEN-03")
async def test_a_jump_towards_what_frightens_needs_nerve(game: Skirmish) -> None:
    await game.under("Rex", "panicked")
    await game.begin()
    await game.act("Rex")
    reply = await game.do(Jump("Rex", across=2, bearing="nearer"), 8)
    assert reply.lines[0] == "Rex dares not: the action is lost."
    await game.do(Jump("Rex", across=2))
    await game.under("Rex", "broken")
    assert "never moves towards" in await game.refused(Jump("Rex", across=2, bearing="nearer"))
    assert "Toward: away, nearer, other." in await game.refused(Jump("Rex", across=2, bearing="up"))


@pytest.mark.rule("WZ-BROKEN-02")
async def test_concentrating_needs_nerve(game: Skirmish) -> None:
    await game.under("Rex", "broken")
    await game.begin()
    await game.act("Rex")
    await game.do(Move("Rex", bearing="away"))
    assert (await game.do(Concentrate("Rex", hidden=True), 10)).lines[0] == "Rex keeps its nerve."


# ------------------------------------------------------------------------------------------- Dire


@pytest.mark.rule("WZ-RALLY-06", "WZ-TEST-06", "WZ-SPOT-05")
@pytest.mark.usefixtures("acting")
async def test_a_dire_area_lowers_every_ld_test(game: Skirmish) -> None:
    reply = await game.do(InDire("Rex, Bex", 2))
    assert reply.lines == ("In Dire 2: Rex, Bex.",)
    assert (await game.asks(LdTest("Rex", odds=True))).lines[0] == "LD test of Rex: 8 or less"
    assert (await game.asks(LdTest("Rex", dire=1, odds=True))).lines[0] == "LD test of Rex: 8 or less"
    assert (await game.asks(LdTest("Rex", dire=3, odds=True))).lines[0] == "LD test of Rex: 7 or less"
    assert (await game.asks(Morale("Bex", odds=True))).lines[0] == "Morale of Bex: 8 or less"
    assert "To jump: 8 or less (LD 10 -2)" in (await game.asks(Jump("Rex", down=5, odds=True))).lines
    await game.do(Wait("Rex"))
    assert (await game.asks(React("Rex", "fire", "Bex", odds=True))).lines[0] == "Rex reacts: 8 or less"
    await game.bo(Conceal("Bex"))
    assert "under Fear or Dire" in await game.refused(Spot("Rex", "Bex"))
    await game.do(InDire("Rex", 0))
    await game.do(Spot("Rex", "Bex"), 20)
    assert "0 to 10" in await game.refused(InDire("Rex", 11))
    assert "Name the models" in await game.refused(InDire("", 1))


# ------------------------------------------------------------------------------------------- templates


@pytest.mark.rule("WZ-TMPL-01")
@pytest.mark.usefixtures("acting")
async def test_models_half_under_a_template_count_unless_set_otherwise(game: Skirmish) -> None:
    await game.add("Red", "Gunner", MORTAR)
    await game.add("Blue", "Half")
    reply = await game.do(Template("Gunner", "Bex", "8", "Bex", "Half"), 5, 10, 10)
    assert {"Bex: no wound", "Half: no wound"} <= set(reply.lines)
    await game.setting("partial cover counts", "no")
    reply = await game.do(Template("Gunner", "Bex", "8", "Bex", "Half"), 5, 10)
    assert "Half: no wound" not in reply.lines
    assert "Nobody is wholly under it" in await game.refused(Template("Gunner", "Bex", "8", partly="Bex"))
    odds = await game.asks(Template("Gunner", "Bex", "8", partly="Half", odds=True))
    assert not any(line.startswith("Half") for line in odds.lines), "the target alone"
    assert any(line.startswith("Bex hurt") for line in odds.lines)
    await game.do(Template("Gunner", "Bex", "8"), 20, 14, 6)
    assert game.last
    assert game.last.reply.menus[0].prompt == "Who is wholly under it?"


# ------------------------------------------------------------------------------------------- aims


@pytest.mark.rule("WZ-AIM-02")
@pytest.mark.usefixtures("acting")
async def test_an_aim_is_lost_with_its_target(game: Skirmish) -> None:
    await game.do(Aim("Rex", "Bex"))
    await game.bo(Conceal("Bex"))
    await game.bo(Conceal("Bex", reveal=True))
    assert not any("aimed" in line for line in (await game.do(Shoot("Rex", "Bex", "8"), 20)).why)
    await game.add("Blue", "Cex")
    await game.do(Aim("Rex", "Cex"))
    await game.do(Shoot("Rex", "Cex", "8"), 1, 20)
    assert await game.gone("Cex")
    await game.bo(ReturnModel("Cex"))
    assert not (await game.model("Rex")).has("aiming")
    await game.bo(RemoveModel("Bex"))


@pytest.mark.rule("WZ-CC-03", "WZ-CC-09")
@pytest.mark.usefixtures("acting")
async def test_a_charge_s_odds_are_those_of_its_first_strike(game: Skirmish) -> None:
    odds = await game.asks(Charge("Rex", "Bex", odds=True))
    assert "Sword: 9 or less (CC 8 +1)" in odds.lines
    assert [button.label for button in odds.buttons] == ["Charge", "Compare"]
    odds = await game.asks(Charge("Rex", "Bex", cover=True, odds=True))
    assert "Sword: 8 or less (CC 8)" in odds.lines
    assert (await game.press("Charge")).lines[0] == "Rex charges Bex."


@pytest.mark.rule("WZ-PANIC-04")
@pytest.mark.usefixtures("acting")
async def test_a_frightened_model_on_wait_is_offered_no_countercharge(game: Skirmish) -> None:
    await game.add("Blue", "Cex", SWORD)
    await game.bo(Wait("Bex"))
    await game.under("Bex", "panicked")
    reply = await game.do(Charge("Rex", "Bex"))
    labels = [button.label for button in reply.buttons]
    assert "Bex braces" in labels
    assert "Bex countercharges" not in labels
    assert "may not charge" in await game.refused(React("Bex", "countercharge", "Rex", "charge"), "bo")
    assert (await game.model("Bex")).has("waiting"), "nothing is lost by asking"
