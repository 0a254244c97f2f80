"""Moving, jumping, falling, waiting and reacting, spotting, profiles typed and written out."""

from __future__ import annotations

import pytest

from bot.games.warzone import GAME
from bot.games.warzone.core.units import squads_of
from bot.games.warzone.melee.fight_play import Charge, Fight
from bot.games.warzone.movement.gap_play import Gap
from bot.games.warzone.movement.jump_play import FallDown, Jump
from bot.games.warzone.movement.move_play import Move, SetPresence
from bot.games.warzone.roster.roster_play import AddModels, ExportModel, FormSquad
from bot.games.warzone.shooting.band_play import Band
from bot.games.warzone.shooting.shots import Shoot, Template
from bot.games.warzone.shooting.spot_play import Conceal, Spot
from bot.games.warzone.waiting.wait_actions import Dive, React, Wait
from bot.table.rosters.crews import CreateCrew, RecruitMember, ShowCrew
from bot.table.session.encounters import StartDemo, StartEncounter
from bot.table.session.models import DamageModel, ShowModel
from rules.systems.warzone.model import Condition
from tests.bot.tables import Table
from tests.bot.warzone.skirmish import GRUNT, RIFLE, TANK, Skirmish, profile


@pytest.mark.rule("WZ-MOVE-01", "WZ-MOVE-03", "WZ-MOVE-04", "WZ-TERR-01", "WZ-TERR-06", "WZ-TERR-07")
@pytest.mark.usefixtures("acting")
async def test_terrain_by_movement_type(game: Skirmish) -> None:
    assert "Rex moves up to 5 in." in (await game.do(Move("Rex"))).lines
    assert "Rex moves up to 2.5 in." in (await game.do(Move("Rex", "rough+normal"))).lines
    reply = await game.do(Move("Rex", "limiting"))
    assert "This action takes it just over the feature." in reply.lines
    assert "may not enter impassable" in await game.refused(Move("Rex", "impassable"))
    assert "Terrain is" in await game.refused(Move("Rex", "lava"))
    assert "Rex climbs up to 2.5 in." in (await game.do(Move("Rex", gait="climb"))).lines
    await game.do(SetPresence("Rex", "prone"))
    assert "only crawl" in await game.refused(Move("Rex"))
    assert "Rex crawls up to 2.5 in." in (await game.do(Move("Rex", gait="crawl"))).lines


@pytest.mark.rule("WZ-TERR-01", "WZ-TERR-02", "WZ-TERR-03", "WZ-TERR-05", "WZ-TERR-08")
@pytest.mark.usefixtures("acting")
async def test_vehicles_on_the_ground(game: Skirmish) -> None:
    await game.add("Red", "Mech", "vehicle, walker", RIFLE, stats=TANK)
    await game.add("Red", "Car", "vehicle, wheeled", RIFLE, stats=TANK, MV=1)
    await game.do(Move("Mech", "impassable", obstacle=2.5))
    assert "strides over obstacles up to 2.5 in" in await game.refused(Move("Mech", "impassable", obstacle=3))
    assert "Car moves up to 1 in." in (await game.do(Move("Car", "rough"))).lines
    assert "may not enter impassable" in await game.refused(Move("Car", "water", deep=True))
    assert "turns 90 degrees" in await game.refused(Move("Car", turn=91))


@pytest.mark.rule("WZ-MOVE-02", "WZ-PRES-01", "WZ-PRES-03")
async def test_a_change_of_presence_costs_an_action(game: Skirmish) -> None:
    await game.begin()
    await game.act("Rex")
    await game.do(SetPresence("Rex", "minimized"))
    await game.do(SetPresence("Rex", "prone"))
    await game.do(SetPresence("Rex", "standing"))
    assert "Rex is standing already" in await game.refused(SetPresence("Rex", "standing"))
    assert (await game.model("Rex")).count("actions") == 0
    assert "has 0 left" in await game.refused(SetPresence("Rex", "prone"))
    reply = await game.do(SetPresence("Rex", "prone", knocked=True))
    assert reply.lines[0] == "Rex is knocked prone."


@pytest.mark.rule("WZ-JUMP-01", "WZ-JUMP-02", "WZ-FALL-01", "WZ-FALL-02")
@pytest.mark.usefixtures("acting")
async def test_jumps_across(game: Skirmish) -> None:
    assert (await game.do(Jump("Rex", across=2.5))).lines[0] == "Rex jumps 2.5 in across."
    assert (await game.do(Jump("Rex", across=4), 18)).lines[0] == "Rex jumps 4 in across."
    assert "jumps up to 5 in" in await game.refused(Jump("Rex", across=6))
    odds = await game.asks(Jump("Rex", across=4, odds=True))
    assert any(line.startswith("falls at the start") and "5 %" in line for line in odds.lines)
    reply = await game.do(Jump("Rex", across=4, depth=3), 20, 15)
    assert reply.lines[:2] == ("Rex falls at the start.", "Rex falls 3 in: no wound.")
    assert (await game.model("Rex")).has(Condition.PRONE)
    assert "Stand up first" in await game.refused(Jump("Rex", across=4))
    assert "across what gap it jumps, or down what height" in await game.refused(Jump("Rex"))


@pytest.mark.rule("WZ-WAIT-02", "WZ-JUMP-01", "WZ-JUMP-03")
@pytest.mark.usefixtures("acting")
async def test_a_jump_is_a_move_to_react_to(game: Skirmish) -> None:
    await game.bo(Wait("Bex"))
    for jump in (Jump("Rex", across=2), Jump("Rex", down=2)):
        reply = await game.do(jump)
        assert "On wait and may react: Bex." in reply.lines
        assert "Bex fires" in [button.label for button in reply.buttons]


@pytest.mark.rule("WZ-JUMP-03", "WZ-JUMP-04")
@pytest.mark.usefixtures("acting")
async def test_jumps_down(game: Skirmish) -> None:
    assert (await game.do(Jump("Rex", down=2))).lines[0] == "Rex jumps down 2 in: no wound."
    reply = await game.do(Jump("Rex", down=5), 11)
    assert reply.lines[0] == "Rex dares not jump: action lost."
    odds = await game.asks(Jump("Rex", down=5, odds=True))
    assert "DM 9 x2: save 13 or less" in odds.lines
    reply = await game.do(Jump("Rex", down=5), 10, 13, 14)
    assert reply.lines[0] == "Rex jumps down 5 in: 1 wound, out."


@pytest.mark.rule("WZ-FALL-01", "WZ-FALL-02")
@pytest.mark.usefixtures("acting")
async def test_falls(game: Skirmish) -> None:
    odds = await game.asks(FallDown("Rex", 3, odds=True))
    assert "DM 7 x1: save 15 or less" in odds.lines
    assert "out       25 % #####" in odds.lines
    assert (await game.do(FallDown("Rex", 2))).lines[0] == "Rex falls 2 in: no wound."
    assert (await game.do(FallDown("Rex", 5), 13, 14)).lines[0] == "Rex falls 5 in: 1 wound, out."


# ------------------------------------------------------------------------------------------- waiting


async def bex_waits(game: Skirmish) -> None:
    await game.begin("Blue")
    await game.act("Bex", "bo")
    assert "waits with its last action; it has 3" in await game.refused(Wait("Bex"), "bo")
    await game.bo(Move("Bex"))
    await game.bo(Move("Bex"))
    await game.bo(Wait("Bex"))
    await game.done("bo")
    await game.act("Rex")


@pytest.mark.rule("WZ-WAIT-01", "WZ-WAIT-02", "WZ-WAIT-03", "WZ-TURN-03")
async def test_firing_from_wait(game: Skirmish) -> None:
    await bex_waits(game)
    odds = await game.asks(React("Bex", "fire", "Rex", odds=True))
    assert "reacts     50 % ##########" in odds.lines
    reply = await game.do(Move("Rex"))
    assert "On wait and may react: Bex." in reply.lines
    assert "not yours" in (await game.table.press("anna", game.last, "Bex fires")).reply.text  # type: ignore[arg-type]
    reply = await game.press("Bex fires", 10, who="bo")
    assert reply.lines[0] == "Bex reacts and fires."
    reply = await game.bo(Shoot("Bex", "Rex", "8"), 20)
    assert reply.lines[0] == "Bex misses Rex."
    assert "does not act now" in await game.refused(Shoot("Bex", "Rex", "8"), "bo")
    assert "not on wait" in await game.refused(React("Bex", "fire", "Rex"), "bo")


@pytest.mark.rule("WZ-WAIT-02")
async def test_a_failed_reaction_loses_the_action(game: Skirmish) -> None:
    await bex_waits(game)
    await game.do(Move("Rex"))
    reply = await game.press("Bex fires", 11, who="bo")
    assert reply.lines[0] == "Bex hesitates: the kept action is lost."
    assert "does not act now" in await game.refused(Shoot("Bex", "Rex", "8"), "bo")


@pytest.mark.rule("WZ-WAIT-04")
async def test_countercharge_both_strike_at_once(game: Skirmish) -> None:
    await bex_waits(game)
    reply = await game.do(Charge("Rex", "Bex"))
    assert [button.label for button in reply.buttons][:4] == [
        "Bex fires",
        "Bex countercharges",
        "Bex braces",
        "Bex withdraws",
    ]
    await game.press("Bex countercharges", 5, who="bo")
    reply = await game.press("Both strike", 9, 20, 9, 20, who="bo")
    assert reply.lines[:2] == ("Bex hits Rex: 1 wound, out.", "Rex hits Bex: 1 wound, out.")


@pytest.mark.rule("WZ-WAIT-04")
async def test_bracing_and_withdrawing(game: Skirmish) -> None:
    await bex_waits(game)
    await game.do(Charge("Rex", "Bex"))
    await game.press("Bex braces", 5, who="bo")
    reply = await game.do(Fight("Rex", "Bex"), 9)
    assert reply.lines[0] == "Rex misses Bex.", "8 without the bonus"


@pytest.mark.rule("WZ-WAIT-04")
async def test_withdrawing(game: Skirmish) -> None:
    await bex_waits(game)
    await game.do(Charge("Rex", "Bex"))
    reply = await game.press("Bex withdraws", 5, who="bo")
    assert "Bex withdraws up to 5 in." in reply.lines
    assert "not in contact" in await game.refused(Fight("Rex", "Bex"))


@pytest.mark.rule("WZ-SPOT-07", "WZ-SPOT-01", "WZ-SPOT-02", "WZ-SPOT-03", "WZ-SPOT-05", "WZ-SPOT-06")
@pytest.mark.usefixtures("acting")
async def test_spotting(game: Skirmish) -> None:
    await game.bo(Conceal("Bex"))
    await game.bo(SetPresence("Bex", "minimized"))
    reply = await game.do(Spot("Rex", "Bex"), 9)
    assert "Spot: 8 or less (LD 10 -2)" in reply.lines
    reply = await game.press("Again", 11)
    assert "Spot: 10 or less (LD 10)" in reply.lines
    odds = await game.asks(Spot("Rex", "Bex", odds=True))
    assert odds.lines[0] == "Rex spots Bex: 11 or less"
    assert "under Fear or Dire" in await game.refused(Spot("Rex", "Bex", afraid=True))
    reply = await game.do(Spot("Rex", "Bex"), 11)
    assert reply.lines[0] == "Rex spots Bex."
    await game.do(Shoot("Rex", "Bex", "8"), 20)
    assert "need not be spotted" in await game.refused(Spot("Rex", "Bex"))
    await game.bo(Conceal("Bex"))
    odds = await game.asks(Spot("Rex", "Bex", odds=True))
    assert odds.lines[0] == "Rex spots Bex: 8 or less", "the count begins anew"


@pytest.mark.rule("WZ-SPOT-07")
async def test_spotting_from_wait(game: Skirmish) -> None:
    await game.do(Conceal("Rex"))
    await bex_waits(game)
    reply = await game.do(Move("Rex"))
    assert reply.buttons[0].label == "Bex spots"
    await game.press("Bex spots", 5, who="bo")
    reply = await game.press("Spot", 5, who="bo")
    assert reply.lines[0] == "Bex spots Rex."


@pytest.mark.rule("WZ-DIVE-01")
async def test_diving_for_cover_before_the_template(game: Skirmish) -> None:
    await game.add("Red", "Mortar", "weapon Mortar: DM 14, SR 0, template")
    await game.add("Blue", "Bud")
    await game.begin("Blue")
    await game.act("Bex", "bo")
    await game.bo(Move("Bex"))
    await game.bo(Move("Bex"))
    await game.bo(Wait("Bex"))
    await game.done("bo")
    await game.act("Mortar")
    reply = await game.do(Template("Mortar", "Bud", "8", "Bud, Bex"))
    assert "May dive for cover first: Bex." in reply.lines
    shown = game.last
    await game.press("Bex dives", 5, who="bo")
    assert game.last
    reply = await game.press("4 in, clear", who="bo")
    assert reply.lines[0] == "Bex dives: clear."
    game.last = shown
    reply = await game.press("Resolve", 8, 20)
    assert reply.lines[1] == "Bud: 1 wound, out"
    assert not any(line.startswith("Bex") for line in reply.lines[:3])
    assert "does not dive now" in await game.refused(Dive("Bex"), "bo")
    reply = await game.do(Template("Mortar", "Bex", "8"), 8, 1)
    assert reply.lines[:2] == ("Mortar hits Bex.", "Bex: no wound"), "the dive was from the one before"


@pytest.mark.rule("WZ-DIVE-01", "WZ-TMPL-01")
@pytest.mark.usefixtures("acting")
async def test_a_template_that_finds_nobody(game: Skirmish) -> None:
    await game.add("Red", "Mortar", "weapon Mortar: DM 12, SR 0, template")
    await game.bo(Wait("Bex"))
    await game.do(Template("Mortar", "Bex", "8"))
    shown = game.last
    await game.press("Bex dives", 5, who="bo")
    await game.press("4 in, clear", who="bo")
    game.last = shown
    assert (await game.press("Resolve", 8)).lines[0] == "Mortar fires at Bex: nobody is under it."


@pytest.mark.rule("WZ-WAIT-01")
async def test_ambush_keeps_two_actions_and_needs_no_test(game: Skirmish) -> None:
    await game.add("Blue", "Shade", "ambush", RIFLE)
    await game.begin("Blue")
    await game.act("Shade", "bo")
    await game.bo(Move("Shade"))
    assert "It keeps 2 actions (Ambush)." in (await game.bo(Wait("Shade"))).lines
    await game.done("bo")
    await game.act("Rex")
    await game.do(Move("Rex"))
    await game.press("Shade fires", who="bo")
    assert (await game.model("Shade")).value(Condition.WAITING) == 1


# ------------------------------------------------------------------------------------------- checks


@pytest.mark.rule("WZ-SPACE-01", "WZ-SPACE-02", "WZ-SPACE-04", "WZ-RANGE-01", "WZ-VEH-01")
async def test_gaps_bands_and_arcs(game: Skirmish) -> None:
    assert "may pass" in (await game.asks(Gap("friends", 1))).text
    assert "must be 1 in" in await game.refused(Gap("friends", 0.5))
    assert "must be 4 in" in await game.refused(Gap("enemies", 3))
    assert (await game.asks(Gap("same_squad", 0))).private
    assert (await game.asks(Band(12))).lines == ("12 in is SR.",)
    assert (await game.asks(Band(12.5, 136))).lines == (
        "12.5 in is MR.",
        "136 degrees off its front is its rear.",
    )


# ------------------------------------------------------------------------------------------- profiles


@pytest.mark.rule("WZ-STAT-01")
async def test_profiles_typed_and_written_out(game: Skirmish) -> None:
    reply = await game.asks(AddModels(side="Red"))
    assert "Sergeant Rock" in reply.lines
    reply = await game.do(AddModels(profile("Rock", "leader", RIFLE).replace("\n", "; "), "Rocks", 3, "Red"))
    assert reply.lines == ("Red: Rock, Rock 2, Rock 3 joined.", "Rocks: 3 models.")
    assert (await game.squad("Rock")).leading.name == "Rock"  # type: ignore[union-attr]
    text = "\n".join((await game.asks(ExportModel("Rock"))).lines[2:-1])
    await game.do(AddModels(text, "Rocks", 1, "Red"))
    as_json = "\n".join((await game.asks(ExportModel("Rock", json=True))).lines[2:-1])
    await game.do(AddModels(as_json, "Rocks", 1, "Red"))
    squad = await game.squad("Rock")
    assert squad.starting == 5
    assert len({model.profile for model in squad.models}) == 1


@pytest.mark.rule("WZ-STAT-01")
async def test_bad_profiles_are_refused(game: Skirmish) -> None:
    for text, word in (
        ("Rock", "needs CC"),
        (profile("Rock", CC=41), "CC is 0 to 40"),
        (profile("Rock", "weapon Gun: SR 1"), "needs its DM"),
        (profile("Rock", "wizard"), "no trait wizard"),
        ("{", "no JSON"),
        (profile("@everyone"), "letters, digits"),
    ):
        assert word in await game.refused(AddModels(text, side="Red"))
    assert "Count: 1 to 20, not 21." in await game.refused(AddModels(profile("Rock"), count=21, side="Red"))


async def test_squads_of_models(game: Skirmish) -> None:
    await game.add("Red", "Sam")
    reply = await game.do(FormSquad("Wolves", "Rex, Sam", "Sam"))
    assert reply.lines == ("Wolves: 2 models.", "Leader: Sam.")
    assert (await game.squad("Rex")).starting == 2
    assert "Bex is not yours" in await game.refused(FormSquad("Odd", "Rex, Bex"))
    assert "not of this squad" in await game.refused(FormSquad("Wolves", "Rex", "Bex"))


async def test_common_commands_work_here(game: Skirmish) -> None:
    reply = await game.asks(ShowModel("Rex"))
    assert reply.lines[:3] == ("Rex, Red", "Squad: Rex", GRUNT)
    assert any("Sword" in line for line in reply.lines)
    reply = await game.do(DamageModel("Rex"))
    assert "It is out of play." in reply.lines


async def test_the_demo_has_two_forces_with_squads(table: Table) -> None:
    await table.done("anna", StartDemo("warzone"))
    encounter = await table.encounter()
    assert [(squad.name, len(squad.models)) for squad in squads_of(encounter)] == [
        ("Colonel Voss", 1),
        ("Guard", 5),
        ("Crawler", 1),
        ("Maelgor", 1),
        ("Husks", 5),
        ("Whisper", 1),
        ("Iron Sow", 1),
    ]
    panel = GAME.panel(encounter)
    assert panel.lines[0] == "ULTIMATE WARZONE  not begun"


async def test_a_crew_of_samples_brings_its_squads(table: Table) -> None:
    crew = (await table.done("anna", CreateCrew("Home Guard", "warzone"))).scope
    for name in ("Sgt Rook", "Adams", "Brandt", "Crawler"):
        await table.done("anna", RecruitMember(crew, name))
    shown = await table.do("anna", ShowCrew(crew))
    assert "Squads: Guard, Crawler." in shown.reply.lines
    await table.done("anna", StartEncounter("warzone", crew=crew))
    squads = squads_of(await table.encounter())
    assert [(squad.name, squad.starting) for squad in squads] == [("Guard", 3), ("Crawler", 1)]
    assert squads[0].leading is not None
    assert squads[0].leading.name == "Sgt Rook"
