"""What the table did otherwise than the ledger says, each where it was found."""

from __future__ import annotations

import pytest

from bot.games.warzone.core.turn_actions import Activate
from bot.games.warzone.melee.break_play import BreakAway
from bot.games.warzone.melee.fight_play import Charge, SetContact
from bot.games.warzone.movement.gap_play import Gap
from bot.games.warzone.movement.jump_play import FallDown, Jump
from bot.games.warzone.movement.move_play import Move
from bot.games.warzone.nerves.nerve_play import Morale
from bot.games.warzone.nerves.rampage_play import Rampage
from bot.games.warzone.powers.backlash_play import MindStorm
from bot.games.warzone.powers.power_play import Channel
from bot.games.warzone.shooting.shots import Shoot
from bot.games.warzone.shooting.spot_play import Conceal, Spot
from bot.games.warzone.turn.command_play import InCommand
from bot.games.warzone.vehicles.vehicle_play import Board, Explosion
from rules.odds import Solver
from rules.systems.warzone.vehicles import Hull, vehicle_hit
from tests.bot.warzone.skirmish import RIFLE, SWORD, TANK, Skirmish

CANNON = "weapon Cannon: DM 15, SR 0, LR 0, AV 3"


async def tank(game: Skirmish, side: str = "Blue", **changes: int) -> None:
    await game.add(side, "Tank", "vehicle, tracked", RIFLE, stats=TANK, **changes)


# ------------------------------------------------------------------------------------------- vehicles


@pytest.mark.rule("WZ-VEH-02", "WZ-FALL-01", "WZ-DMG-05")
@pytest.mark.usefixtures("acting")
async def test_a_fall_breaks_a_vehicle_s_systems(game: Skirmish) -> None:
    await tank(game, "Red")
    # SZ 5, 10 in: DM 6 + 5 = 11, x2: two saves of AR 24 at 13 or less
    reply = await game.do(FallDown("Tank", 10), 16, 13)
    assert reply.lines[:2] == ("Tank falls 10 in: 1 wound (1/6).", "Steering, 1st hit:"), "a margin of 3"
    odds = await game.asks(FallDown("Tank", 10, odds=True))
    assert any(line.startswith("no wound") for line in odds.lines)
    solved = Solver().solve(vehicle_hit, Hull(5, (1, 0, 0, 0, 0, 0)), 2, 24, 11)
    unhurt = solved.chance(lambda hull: hull.wounds == 5)
    assert f"{unhurt:.0%}".replace("%", " %") in next(x for x in odds.lines if x.startswith("no wound"))


@pytest.mark.rule("WZ-VEH-02", "WZ-JUMP-04")
@pytest.mark.usefixtures("acting")
async def test_so_does_a_jump_down(game: Skirmish) -> None:
    await tank(game, "Red")
    reply = await game.do(Jump("Tank", down=6), 12, 20)
    # DM 7: AR 24 saves at 17 or less, a 20 fails by 3
    assert reply.lines[:2] == ("Tank jumps down 6 in: 1 wound (1/6).", "Steering, 1st hit:")
    assert (await game.do(Jump("Tank", down=6), 13)).lines[0] == "Tank dares not jump: action lost."
    await game.setting("jump down damage", "on fail")
    assert (await game.do(Jump("Tank", down=6), 12)).lines[0] == "Tank jumps down 6 in: no wound."
    odds = await game.asks(Jump("Tank", down=6, odds=True))
    assert any(line.startswith("jumps") for line in odds.lines)


@pytest.mark.rule("WZ-VEH-02", "WZ-WRECK-01", "WZ-WRECK-02")
@pytest.mark.usefixtures("acting")
async def test_an_explosion_breaks_them_too(game: Skirmish) -> None:
    await tank(game, WD=1)
    await game.add("Red", "Gunner", CANNON)
    await game.add("Blue", "Car", "vehicle, wheeled", RIFLE, stats=TANK, AR=20)
    await game.do(Shoot("Gunner", "Tank", "8"), 5, 15, 20)
    odds = await game.asks(Explosion(wreck="Tank", near_names="Car", odds=True))
    assert "Car hurt  45 % #########" in odds.lines, "AR 20 - DM 9: 11 or less saves"
    reply = await game.do(Explosion(roll=True, wreck="Tank", near_names="Car"), 17)
    assert reply.lines[1:3] == ("Car: 1 wound (1/6)", "Weapons, 1st hit:"), "a margin of 6"


@pytest.mark.rule("WZ-WRECK-04")
@pytest.mark.usefixtures("acting")
async def test_survivors_stand_in_the_explosion(game: Skirmish) -> None:
    await tank(game, WD=1)
    await game.add("Red", "Gunner", CANNON)
    await game.bo(Board("Bex", "Tank"))
    await game.do(Shoot("Gunner", "Tank", "8"), 5, 15, 1, 16)
    reply = await game.do(Explosion(roll=True, wreck="Tank", near_names="Rex"), 13, 14)
    assert reply.lines[1:3] == ("Rex: no wound", "Bex: 1 wound, out"), "whether named or not"


# ------------------------------------------------------------------------------------------- close combat


@pytest.mark.rule("WZ-BREAK-01")
async def test_breaking_away_may_include_a_move(game: Skirmish) -> None:
    await game.setting("breakaway includes move", "yes")
    await game.do(SetContact("Rex", "Bex"))
    await game.begin()
    await game.act("Rex")
    await game.do(BreakAway("Rex"), 20, 1)
    assert (await game.press("Rex moves")).lines[0] == "Rex moves up to 5 in."
    assert (await game.model("Rex")).count("actions") == 2, "the move costs no action"


@pytest.mark.rule("WZ-CC-03", "WZ-MOVE-01", "WZ-TERR-07")
@pytest.mark.usefixtures("acting")
async def test_a_charge_reaches_no_farther_than_a_move(game: Skirmish) -> None:
    assert "charges up to 5 in, not 6" in await game.refused(Charge("Rex", "Bex", distance=6))
    far = Charge("Rex", "Bex", distance=3, terrain="rough")
    assert "charges up to 2.5 in, not 3" in await game.refused(far)
    assert (await game.do(Charge("Rex", "Bex", distance=5))).lines[0] == "Rex charges Bex over 5 in."


# ------------------------------------------------------------------------------------------- the rest


@pytest.mark.rule("WZ-SPOT-04")
async def test_a_commander_shares_what_he_himself_has_spotted(game: Skirmish) -> None:
    await game.add("Red", "Chief", "leader, commander", RIFLE, squad="Staff")
    await game.add("Red", "Aide", squad="Staff")
    await game.bo(Conceal("Bex"))
    await game.begin()
    await game.act("Staff")
    await game.do(Spot("Aide", "Bex"), 1)
    await game.do(Activate("Rex", "Chief"))
    assert "must be spotted first" in await game.refused(Shoot("Rex", "Bex", "8"))


@pytest.mark.rule("WZ-SPACE-01")
async def test_bases_may_not_overlap_when_the_move_ends(game: Skirmish) -> None:
    assert "may not overlap" in await game.refused(Gap("same_squad", 0, overlap=True))
    assert "it may pass" in (await game.asks(Gap("same_squad", 0))).lines[0]


@pytest.mark.rule("WZ-CMD-04")
@pytest.mark.usefixtures("acting")
async def test_a_model_out_of_command_is_asked_how_far_it_came(game: Skirmish) -> None:
    await game.add("Red", "Sarge", "leader", RIFLE, squad="Pair")
    await game.add("Red", "Sam", squad="Pair")
    await game.do(InCommand("Sam", 9))
    reply = await game.do(Move("Sam", "rough"))
    assert reply.lines[:2] == ("Sam moves up to 2.5 in.", "Over rough ground.")
    button = next(one for one in reply.buttons if one.label == "How far now?")
    assert button.form
    await game.do(InCommand("Sam", 6))
    assert not any(one.label == "How far now?" for one in (await game.do(Move("Sam"))).buttons)


@pytest.mark.rule("WZ-AMOK-02")
@pytest.mark.usefixtures("acting")
async def test_a_machine_that_tested_alone_runs_amok_alone(game: Skirmish) -> None:
    await game.add("Red", "Bot", "machine, ai 2", RIFLE, squad="Bots", count=2)
    reply = await game.do(Morale(model="Bot"), 11, 7)
    assert "Bot on the amok table: Reboot." in reply.lines
    assert (await game.model("Bot")).count("lost_actions") == 2
    assert (await game.model("Bot 2")).count("lost_actions") == 0


@pytest.mark.rule("WZ-RAMP-02")
async def test_a_rampage_uses_up_this_turn_s_activation_alone(game: Skirmish) -> None:
    await game.add("Red", "Imp", RIFLE, SWORD, squad="Imps", count=2)
    await game.begin()
    await game.act("Imps")
    await game.done()
    await game.do(Rampage("Imp"), 2)
    assert (await game.model("Imp")).count("lost_actions") == 0, "it has acted this turn"


@pytest.mark.rule("WZ-BACK-04", "WZ-RALLY-02", "WZ-PANIC-03")
@pytest.mark.usefixtures("acting")
async def test_a_mind_storm_asks_whether_the_afraid_see_an_enemy(game: Skirmish) -> None:
    await game.add("Red", "Mage", RIFLE, PW=12, WD=2)
    await game.under("Rex", "panicked")
    await game.do(Channel("Mage", 4), 20, 20)
    assert game.last
    rex = await game.number("Rex")
    answer = await game.table.choose("anna", game.last, rex)
    assert "Is no enemy in sight of who is afraid?" in answer.reply.lines
    assert [menu.prompt for menu in answer.reply.menus] == ["No enemy in sight of"]
    mage = int(await game.number("Mage"))
    near = MindStorm(mage, 4, (int(rex),), roll=True)
    reply = await game.do(near, 3, 6)
    assert "Rex 3 or less, Mage 6 or less" in reply.lines
    reply = await game.do(MindStorm(mage, 4, (int(rex),), (int(rex),), roll=True), 6, 6)
    assert "Rex 6 or less, Mage 6 or less" in reply.lines
