"""Vehicles: systems that break and stay broken, wrecks with their passengers, explosions."""

from __future__ import annotations

import pytest

from bot.actions import raw_of
from bot.games.warzone.activation import Activate
from bot.games.warzone.chart_actions import RollChart
from bot.games.warzone.close_combat_actions import SetContact
from bot.games.warzone.move_actions import Move
from bot.games.warzone.reactions import Wait
from bot.games.warzone.roster_actions import FormSquad
from bot.games.warzone.shots import Shoot, Template
from bot.games.warzone.vehicle_actions import Board, Explosion
from bot.table.offers.legal_actions import Looking
from bot.table.session.models import DamageModel, ShowModel
from rules.systems.warzone.model import Condition
from tests.bot.warzone.skirmish import CANNON, RIFLE, TANK, Skirmish, tank


async def tank_and_gunner(game: Skirmish, side: str = "Blue", **changes: int) -> None:
    await tank(game, side, **changes)
    await game.add("Red", "Gunner", CANNON)


@pytest.mark.rule("WZ-VEH-01", "WZ-VEH-02", "WZ-DMG-05", "WZ-SYS-01")
@pytest.mark.usefixtures("acting")
async def test_a_failed_save_costs_a_wound_and_a_system_by_its_margin(game: Skirmish) -> None:
    await tank_and_gunner(game)
    reply = await game.do(Shoot("Gunner", "Tank", "8"), 5, 14)
    assert reply.lines[0] == "Gunner hits Tank: 1 wound (5 of 6 left)."
    assert "Weapons (1st hit):" in reply.lines, "14 against 24 - 15 is a margin of 5"
    assert "Armour: 14 Weapons" in reply.lines
    reply = await game.do(Shoot("Gunner", "Tank", "8", rear=True), 5, 7)
    assert "Save: 6 or less (AR 24 - DM 18)" in reply.lines
    assert "+3 AV weapon from the rear WZ-VEH-01" in reply.why
    assert reply.lines[:2] == ("Gunner hits Tank: 1 wound (4 of 6 left).", ""), "a margin of 1 is cosmetic"


@pytest.mark.rule("WZ-SYS-01", "WZ-SYS-04", "WZ-SYS-07", "WZ-SYS-08")
@pytest.mark.parametrize(
    ("face", "said"),
    [
        (2, "Steering (1st hit):"),
        (7, "Weapons (1st hit):"),
        (8, "Engine (1st hit):"),
        (13, "Transmission (1st hit):"),
        (14, "Cascade (1st hit):"),
        (19, "Structural (1st hit):"),
    ],
)
@pytest.mark.usefixtures("acting")
async def test_every_row_of_the_system_chart(game: Skirmish, face: int, said: str) -> None:
    await tank_and_gunner(game, "Red")
    reply = await game.do(RollChart("system", "Tank"), face)
    assert reply.lines[:2] == ("Tank: 1 wound (5 of 6 left).", said)


@pytest.mark.rule("WZ-SYS-08")
@pytest.mark.usefixtures("acting")
async def test_a_chain_reaction_goes_on(game: Skirmish) -> None:
    await tank_and_gunner(game, "Red")
    assert (await game.do(RollChart("system", "Tank"), 1)).lines[0] == "Tank: 1 wound (5 of 6 left)."
    reply = await game.do(RollChart("system", "Tank"), 20, 20, 18)
    assert reply.lines[:2] == ("Tank: 3 wounds (2 of 6 left).", "Structural (1st hit):")
    await game.do(RollChart("system", "Tank"), 20, 8)
    assert await game.gone("Tank") == "wrecked"
    for odds in (False, True):
        assert "Choose a vehicle" in await game.refused(RollChart("system", "Rex", odds=odds))


@pytest.mark.rule("WZ-SYS-02", "WZ-SYS-05", "WZ-TERR-08")
@pytest.mark.usefixtures("acting")
async def test_steering_and_transmission_get_worse_with_each_hit(game: Skirmish) -> None:
    await tank_and_gunner(game, "Red", WD=9)
    reply = await game.do(Move("Tank", turn=90))
    assert reply.lines[:2] == ("Tank moves up to 8 in.", "Tank turns up to 90 degrees.")
    assert "can turn at most 180 degrees" in await game.refused(Move("Tank", turn=200))
    await game.do(RollChart("system", "Tank"), 2)
    assert "Tank turns up to 90 degrees." in (await game.do(Move("Tank", turn=90), 10)).lines
    await game.do(RollChart("system", "Tank"), 3)
    reply = await game.do(Move("Tank", turn=90), 6)
    assert reply.lines[:2] == ("Tank can't turn.", "Tank moves up to 8 in.")
    await game.do(RollChart("system", "Tank"), 4)
    assert (await game.do(Move("Tank", turn=90))).lines[0] == "Tank can't turn.", "no roll any more"
    shown = await game.table.do("anna", ShowModel("Tank"))
    assert shown.reply.lines[-1] == "steering x3"
    await game.do(Move("Tank", reverse=True))
    await game.do(RollChart("system", "Tank"), 11)
    assert "can't reverse with a damaged transmission." in await game.refused(Move("Tank", reverse=True))
    assert (await game.do(Move("Tank"), 11)).lines[0] == "Tank doesn't move."
    await game.do(RollChart("system", "Tank"), 12)
    assert (await game.do(Move("Tank"), 5)).lines[0] == "Tank moves up to 8 in."
    await game.do(RollChart("system", "Tank"), 13)
    assert (await game.do(Move("Tank"))).lines[0] == "Tank doesn't move."


@pytest.mark.rule("WZ-SYS-03", "WZ-SYS-04", "WZ-SYS-07", "WZ-RC-10")
async def test_weapons_engine_and_hull(game: Skirmish) -> None:
    await game.add("Red", "Tank", "vehicle, tracked", "weapon Gun: DM 13, SR -2", stats=TANK, WD=9, RC=11)
    await game.add("Blue", "Gunner", CANNON)
    await game.add("Blue", "Wall", SZ=5)
    await game.begin()
    await game.act("Tank")
    reply = await game.do(Shoot("Tank", "Gunner", "8"), 19)
    assert "+3 stationary WZ-RC-10" in reply.why
    await game.do(Move("Tank"))
    await game.do(RollChart("system", "Tank"), 5)
    odds = await game.asks(Shoot("Tank", "Wall", "8", "hard", odds=True))
    assert "Gun, SR: 3 or less (RC 11 -8)" in odds.lines
    await game.do(RollChart("system", "Tank"), 5)
    refusal = await game.refused(Shoot("Tank", "Wall", "8", "hard"))
    assert "can't fire" in refusal
    assert "WZ-SYS-03" in refusal
    await game.do(RollChart("system", "Tank"), 9)
    await game.done()
    await game.act("Gunner", "bo")
    await game.do(RollChart("system", "Tank"), 17)
    reply = await game.bo(Shoot("Gunner", "Tank", "8"), 3, 4)
    assert "Save: 4 or less (AR 19 - DM 15)" in reply.lines
    assert "-5 structural damage x1 WZ-SYS-07" in reply.why


@pytest.mark.rule("WZ-SYS-06")
@pytest.mark.usefixtures("acting")
async def test_cascading_failures_before_an_activation(game: Skirmish) -> None:
    await tank_and_gunner(game, "Red")
    await game.add("Red", "Driver")
    await game.do(Board("Driver", "Tank", crew=True))
    await game.add("Red", "Guest")
    await game.do(Board("Guest", "Tank"))
    await game.add("Red", "Loader")
    await game.do(FormSquad("Tank", "Loader"))
    await game.do(Board("Loader", "Tank", crew=True))
    await game.begin()
    for _ in range(2):
        await game.do(RollChart("system", "Tank"), 14)
    reply = await game.do(Activate("Tank"), 11, 10)
    assert "Tank loses 1 action to cascading failures." in reply.lines
    assert "Each model has 2 actions." in reply.lines
    await game.done()
    await game.act("Bex", "bo")
    await game.done("bo")
    assert "Driver: 2 actions." in (await game.act("Driver")).lines, "crew of a unit of its own"
    await game.done()
    assert "Guest: 3 actions." in (await game.act("Guest")).lines, "no crew"


@pytest.mark.rule("WZ-DMG-04", "WZ-WRECK-01", "WZ-WRECK-03", "WZ-WRECK-04")
@pytest.mark.usefixtures("acting")
async def test_a_destroyed_transport(game: Skirmish) -> None:
    await tank_and_gunner(game, WD=1)
    for number in range(1, 5):
        await game.add("Blue", f"P{number}", WD=3)
        await game.bo(Board(f"P{number}", "Tank"))
    reply = await game.do(Shoot("Gunner", "Tank", "8"), 5, 15, 6, 7, 15, 16, 15)
    assert reply.lines[0] == "Gunner hits Tank: 1 wound, wrecked."
    assert {
        "P1 (aboard): unharmed.",
        "P2 (aboard): one wound.",
        "P3 (aboard): two wounds.",
        "P4 (aboard): killed.",
        "Wreck chart for Tank: terrain.",
    } <= set(reply.lines)
    assert [(await game.model(f"P{n}")).damage for n in (1, 2, 3)] == [0, 1, 2]
    assert await game.gone("P4") == "casualty"
    assert await game.gone("Tank") == "wrecked"
    assert "Place every survivor in contact with the wreck." in reply.lines


@pytest.mark.rule("WZ-WRECK-04")
@pytest.mark.usefixtures("acting")
async def test_the_hull_may_come_first(game: Skirmish) -> None:
    await game.setting("wreck order", "hull first")
    await tank_and_gunner(game, WD=1)
    await game.bo(Board("Bex", "Tank"))
    reply = await game.do(Shoot("Gunner", "Tank", "8"), 5, 15, 1, 16)
    assert "Bex (aboard): killed." in reply.lines


@pytest.mark.rule("WZ-WRECK-01", "WZ-WRECK-02", "WZ-DIVE-01")
@pytest.mark.usefixtures("acting")
async def test_an_explosion(game: Skirmish) -> None:
    await tank_and_gunner(game, WD=1)
    for name in ("Soft", "Hard", "Bare"):
        await game.add("Blue", name)
    await game.bo(Wait("Bare"))
    reply = await game.do(Shoot("Gunner", "Tank", "8"), 5, 15, 16)
    assert "Wreck chart for Tank: it blows up." in reply.lines
    assert game.last
    assert game.last.reply.menus[0].prompt == "Which models are within 1 in of the wreck?"
    near = [await game.number(name) for name in ("Soft", "Hard", "Bare")]
    answer = await game.table.choose("anna", game.last, *near)
    assert "Choose the models in cover, then press Roll. Nothing has been rolled yet." in answer.reply.lines
    assert [menu.prompt[10:15] for menu in answer.reply.menus] == ["soft ", "hard "]
    vehicle = int(await game.number("Tank"))
    action = Explosion(vehicle, tuple(map(int, near)), (int(near[0]),), (int(near[1]),), True)
    await game.do(action)
    reply = await game.press("Nobody reacts", 13, 13, 14, 15, who="bo")
    assert reply.lines[0] == "Tank blows up (DM 9)."
    fates = [line for line in reply.lines if line.split(":")[0] in ("Soft", "Hard", "Bare")]
    assert "Soft avoids the blast on 12 or less (LD). If not, it saves on 13 or less" in reply.lines
    assert "Hard avoids the blast on 14 or less (LD). If not, it saves on 13 or less" in reply.lines
    assert fates[0] == "Soft: no wound"
    assert "Hard: no wound" in reply.lines
    assert "Bare: 1 wound, out of play" in reply.lines
    assert "Choose a wreck." in await game.refused(Explosion(int(await game.number("Rex")), (1,), roll=True))


@pytest.mark.rule("WZ-WRECK-02")
@pytest.mark.usefixtures("acting")
async def test_an_explosion_typed(game: Skirmish) -> None:
    await tank_and_gunner(game, WD=1)
    await game.do(Shoot("Gunner", "Tank", "8"), 5, 15, 20)
    reply = await game.do(Explosion(roll=True, wreck="Tank", near_names="Bex, Rex", hard_names="Rex"), 14, 14)
    assert reply.lines[1:3] == ("Rex: no wound", "Bex: 1 wound, out of play")
    assert (await game.do(RollChart("wreck", "Tank"), 15)).lines[0] == "Wreck chart for Tank: terrain."


@pytest.mark.rule("WZ-WRECK-03")
@pytest.mark.usefixtures("acting")
async def test_the_transport_chart_by_hand(game: Skirmish) -> None:
    await game.add("Red", "Hero", WD=5)
    for face, said in ((6, "unharmed"), (11, "one wound"), (12, "two wounds"), (20, "killed")):
        assert (await game.do(RollChart("passenger", "Hero"), face)).lines[0] == f"Hero: {said}."
    assert await game.gone("Hero") == "casualty"


@pytest.mark.rule("WZ-TMPL-01")
@pytest.mark.usefixtures("acting")
async def test_a_template_on_a_vehicle(game: Skirmish) -> None:
    await tank_and_gunner(game)
    await game.add("Red", "Mortar", "weapon Mortar: DM 14, SR 0, template")
    reply = await game.do(Template("Mortar", "Bex", "8", "Bex, Tank"), 1, 5, 15)
    assert "Tank: 1 wound (5 of 6 left)" in reply.lines
    assert "Save: 6 or less (AR 24 - DM 18)" in reply.lines, "a natural 1 counts for everybody"


async def test_odds_against_a_vehicle_name_its_systems(game: Skirmish) -> None:
    await tank_and_gunner(game)
    reply = await game.asks(Shoot("Gunner", "Tank", "8", odds=True))
    assert "steering: 7%" in reply.lines, "9 of 20 hit, 3 of 20 fail by 2 to 4"
    assert "Exact." in reply.lines


async def test_into_what_one_gets_is_filled_in(game: Skirmish) -> None:
    await tank(game, "Red")
    looking = Looking((await game.table.loaded()).book(), game.table.actor("anna"))
    assert raw_of(looking.legal(Board, {"model": "Rex"}).action) == {"model": "Rex", "vehicle": "Tank"}
    assert "Choose a vehicle for Rex to get into." in await game.refused(Board("Rex"))


@pytest.mark.rule("WZ-BREAK-04")
async def test_who_is_aboard_can_get_out(game: Skirmish) -> None:
    await tank_and_gunner(game, "Red")
    assert "Choose a friendly vehicle." in await game.refused(Board("Rex", "Gunner"))
    await game.do(Board("Rex", "Tank"))
    assert (await game.do(Board("Rex", leave=True))).lines[0] == "Rex gets out."
    assert "isn't aboard a vehicle." in await game.refused(Board("Rex", leave=True))
    await game.do(SetContact("Tank", "Bex"))
    assert (await game.model("Bex")).has(Condition.ENGAGED)


@pytest.mark.rule("WZ-SYS-02", "WZ-SYS-05", "WZ-WRECK-01", "WZ-WRECK-02")
@pytest.mark.usefixtures("acting")
async def test_odds_of_moving_and_of_an_explosion(game: Skirmish) -> None:
    await tank_and_gunner(game, "Red")
    await game.do(RollChart("system", "Tank"), 2)
    await game.do(RollChart("system", "Tank"), 12)
    await game.do(RollChart("system", "Tank"), 12)
    odds = await game.asks(Move("Tank", turn=90, odds=True))
    assert odds.lines[1:3] == ("moves  25% #####", "turns  50% ##########")
    await tank_and_gunner(game, "Blue", WD=1)
    await game.do(Shoot("Gunner", "Tank 2", "8"), 5, 15, 20)
    odds = await game.asks(Explosion(wreck="Tank 2", near_names="Bex", soft_names="Rex", odds=True))
    assert "Bex wounded  35% #######" in odds.lines, "22 - 9: 13 or less saves"
    assert "Rex wounded  14% ###" in odds.lines, "and 12 or less avoids before that"


@pytest.mark.rule("WZ-RC-10")
@pytest.mark.usefixtures("acting")
async def test_the_crew_fires_as_gunners_while_the_vehicle_stands(game: Skirmish) -> None:
    await tank_and_gunner(game, "Red")
    await game.do(FormSquad("Tank", "Rex"))
    await game.do(Board("Rex", "Tank", crew=True))
    reply = await game.do(Shoot("Rex", "Bex", "8"), 19)
    assert "+3 stationary WZ-RC-10" in reply.why
    await game.done()
    await game.do(Move("Tank"))
    reply = await game.do(Shoot("Rex", "Bex", "8"), 19)
    assert not any("stationary" in line for line in reply.why)


@pytest.mark.rule("WZ-VEH-02", "WZ-WRECK-01", "WZ-WRECK-02")
@pytest.mark.usefixtures("acting")
async def test_an_explosion_breaks_them_too(game: Skirmish) -> None:
    await tank(game, WD=1)
    await game.add("Red", "Gunner", CANNON)
    await game.add("Blue", "Car", "vehicle, wheeled", RIFLE, stats=TANK, AR=20)
    await game.do(Shoot("Gunner", "Tank", "8"), 5, 15, 20)
    odds = await game.asks(Explosion(wreck="Tank", near_names="Car", odds=True))
    assert "Car wounded  45% #########" in odds.lines, "AR 20 - DM 9: 11 or less saves"
    reply = await game.do(Explosion(roll=True, wreck="Tank", near_names="Car"), 17)
    assert reply.lines[1:3] == ("Car: 1 wound (5 of 6 left)", "Weapons (1st hit):"), "a margin of 6"


@pytest.mark.rule("WZ-WRECK-04")
@pytest.mark.usefixtures("acting")
async def test_survivors_stand_in_the_explosion(game: Skirmish) -> None:
    await tank(game, WD=1)
    await game.add("Red", "Gunner", CANNON)
    await game.bo(Board("Bex", "Tank"))
    await game.do(Shoot("Gunner", "Tank", "8"), 5, 15, 1, 16)
    reply = await game.do(Explosion(roll=True, wreck="Tank", near_names="Rex"), 13, 14)
    assert reply.lines[1:3] == ("Rex: no wound", "Bex: 1 wound, out of play"), "whether named or not"


@pytest.mark.rule("WZ-VEH-02", "WZ-WRECK-01")
@pytest.mark.usefixtures("acting")
async def test_a_wrecking_hit_names_no_row_of_a_chart_that_nobody_rolled(game: Skirmish) -> None:
    await tank_and_gunner(game)
    await game.bo(DamageModel("Tank", 5))
    reply = await game.do(Shoot("Gunner", "Tank", "8"), 5, 14, 3)
    assert "Armour: 14 wrecked" in reply.lines
    assert not any(word in reply.text for word in ("Weapons", "Steering", "1st hit"))
    assert any("Terrain" in line for line in reply.lines), ("the chart that was rolled", reply.lines)
