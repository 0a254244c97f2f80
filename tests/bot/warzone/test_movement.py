"""Moving, jumping, falling, gaps."""

from __future__ import annotations

import pytest

from bot.games.warzone.jump_actions import FallDown, Jump
from bot.games.warzone.move_actions import Gap, Move, SetPresence
from bot.games.warzone.reactions import Wait
from bot.games.warzone.shooting_actions import Band
from rules.dice import Solver
from rules.systems.warzone.model import Condition
from rules.systems.warzone.vehicles import Hull, hit_vehicle
from tests.bot.warzone.skirmish import RIFLE, TANK, Skirmish, tank


@pytest.mark.rule("WZ-MOVE-01", "WZ-MOVE-03", "WZ-MOVE-04", "WZ-TERR-01", "WZ-TERR-06", "WZ-TERR-07")
@pytest.mark.usefixtures("acting")
async def test_terrain_by_movement_type(game: Skirmish) -> None:
    assert "Rex moves up to 5 in." in (await game.do(Move("Rex"))).lines
    assert "Rex moves up to 2.5 in." in (await game.do(Move("Rex", terrain="rough+normal"))).lines
    reply = await game.do(Move("Rex", terrain="limiting"))
    assert "This action takes Rex to just past the terrain." in reply.lines
    assert "can't enter impassable" in await game.refused(Move("Rex", terrain="impassable"))
    assert "Enter one of these for terrain" in await game.refused(Move("Rex", terrain="lava"))
    assert "Rex climbs up to 2.5 in." in (await game.do(Move("Rex", gait="climb"))).lines
    await game.do(SetPresence("Rex", "prone"))
    assert "is prone. It can crawl, or stand up first." in await game.refused(Move("Rex"))
    assert "Rex crawls up to 2.5 in." in (await game.do(Move("Rex", gait="crawl"))).lines


@pytest.mark.rule("WZ-TERR-01", "WZ-TERR-02", "WZ-TERR-03", "WZ-TERR-05", "WZ-TERR-08")
@pytest.mark.usefixtures("acting")
async def test_vehicles_on_the_ground(game: Skirmish) -> None:
    await game.add("Red", "Mech", "vehicle, walker", RIFLE, stats=TANK)
    await game.add("Red", "Car", "vehicle, wheeled", RIFLE, stats=TANK, MV=1)
    await game.do(Move("Mech", terrain="impassable", obstacle=2.5))
    assert "obstacles up to 2.5 in" in await game.refused(Move("Mech", terrain="impassable", obstacle=3))
    assert "Car moves up to 1 in." in (await game.do(Move("Car", terrain="rough"))).lines
    assert "can't enter impassable" in await game.refused(Move("Car", terrain="water", deep=True))
    assert "can turn at most 90 degrees" in await game.refused(Move("Car", turn=91))
    await game.add("Red", "Biker", "bike", RIFLE)
    assert "Biker turns up to 90 degrees." in (await game.do(Move("Biker", turn=90))).lines
    assert "Biker isn't a vehicle." in await game.refused(Move("Biker", reverse=True))


@pytest.mark.rule("WZ-MOVE-02", "WZ-PRES-01", "WZ-PRES-03")
async def test_a_change_of_presence_costs_an_action(game: Skirmish) -> None:
    await game.begin()
    await game.act("Rex")
    await game.do(SetPresence("Rex", "minimized"))
    await game.do(SetPresence("Rex", "prone"))
    await game.do(SetPresence("Rex", "standing"))
    assert "Rex is already standing" in await game.refused(SetPresence("Rex", "standing"))
    assert (await game.model("Rex")).count("actions") == 0
    assert "has 0 left" in await game.refused(SetPresence("Rex", "prone"))
    reply = await game.do(SetPresence("Rex", "prone", knocked=True))
    assert reply.lines[0] == "Rex is knocked Prone."


@pytest.mark.rule("WZ-JUMP-01", "WZ-JUMP-02", "WZ-FALL-01", "WZ-FALL-02")
@pytest.mark.usefixtures("acting")
async def test_jumps_across(game: Skirmish) -> None:
    assert (await game.do(Jump("Rex", across=2.5))).lines[0] == "Rex lands safely after a jump of 2.5 in."
    assert (await game.do(Jump("Rex", across=4), 18)).lines[0] == "Rex lands safely after a jump of 4 in."
    assert "can jump at most 5 in" in await game.refused(Jump("Rex", across=6))
    odds = await game.asks(Jump("Rex", across=4, odds=True))
    assert any(line.startswith("falls into the gap at the near edge") and "5%" in line for line in odds.lines)
    reply = await game.do(Jump("Rex", across=4, depth=3), 20, 15)
    assert reply.lines[:2] == ("Rex falls into the gap at the near edge.", "Rex falls 3 in: no wound.")
    assert (await game.model("Rex")).has(Condition.PRONE)
    assert "Stand up first" in await game.refused(Jump("Rex", across=4))
    assert "Enter either the width of the gap or the height of the drop (in inches)." in await game.refused(
        Jump("Rex")
    )


@pytest.mark.rule("WZ-WAIT-02", "WZ-JUMP-01", "WZ-JUMP-03")
@pytest.mark.usefixtures("acting")
async def test_a_jump_is_a_move_to_react_to(game: Skirmish) -> None:
    await game.bo(Wait("Bex"))
    for jump in (Jump("Rex", across=2), Jump("Rex", down=2)):
        reply = await game.do(jump)
        assert "bo can react with Bex (60 seconds)." in reply.lines
        assert "Bex fires" in [button.label for button in reply.buttons]
        await game.press("Nobody reacts", who="bo")


@pytest.mark.rule("WZ-JUMP-03", "WZ-JUMP-04")
@pytest.mark.usefixtures("acting")
async def test_jumps_down(game: Skirmish) -> None:
    assert (await game.do(Jump("Rex", down=2))).lines[0] == "Rex jumps down 2 in: no wound."
    reply = await game.do(Jump("Rex", down=5), 11)
    assert reply.lines[0] == "Rex fails its LD test, doesn't jump and loses the action."
    odds = await game.asks(Jump("Rex", down=5, odds=True))
    assert "Save against 2 hits at DM 9: 13 or less" in odds.lines
    reply = await game.do(Jump("Rex", down=5), 10, 13, 14)
    assert reply.lines[0] == "Rex jumps down 5 in: 1 wound, out of play."


@pytest.mark.rule("WZ-FALL-01", "WZ-FALL-02")
@pytest.mark.usefixtures("acting")
async def test_falls(game: Skirmish) -> None:
    odds = await game.asks(FallDown("Rex", 3, odds=True))
    assert "Save against 1 hit at DM 7: 15 or less" in odds.lines
    assert "out       25% #####" in odds.lines
    assert (await game.do(FallDown("Rex", 2))).lines[0] == "Rex falls 2 in: no wound."
    assert (await game.do(FallDown("Rex", 5), 13, 14)).lines[0] == "Rex falls 5 in: 1 wound, out of play."


@pytest.mark.rule("WZ-SPACE-01", "WZ-SPACE-02", "WZ-SPACE-04", "WZ-RANGE-01", "WZ-VEH-01")
async def test_gaps_bands_and_arcs(game: Skirmish) -> None:
    assert "is wide enough to pass" in (await game.asks(Gap("friends", 1))).text
    assert "must be at least 1 in" in await game.refused(Gap("friends", 0.5))
    assert "must be at least 4 in" in await game.refused(Gap("enemies", 3))
    assert (await game.asks(Gap("same_squad", 0))).private
    assert (await game.asks(Band(12))).lines == ("A distance of 12 in belongs to range band SR.",)
    assert (await game.asks(Band(12.5, 136))).lines == (
        "A distance of 12.5 in belongs to range band MR.",
        "136 degrees from the front is in the rear arc.",
    )


@pytest.mark.rule("WZ-PANIC-02", "WZ-BROKEN-03")
async def test_a_jump_towards_what_frightens_needs_nerve(game: Skirmish) -> None:
    await game.under("Rex", "panicked")
    await game.begin()
    await game.act("Rex")
    reply = await game.do(Jump("Rex", across=2, bearing="nearer"), 8)
    assert reply.lines[0] == "Rex fails its nerve test and loses the action."
    await game.do(Jump("Rex", across=2))
    await game.under("Rex", "broken")
    assert "is Broken and can't move towards what broke its morale." in await game.refused(
        Jump("Rex", across=2, bearing="nearer")
    )
    assert "Toward: away, nearer, other." in await game.refused(Jump("Rex", across=2, bearing="up"))


@pytest.mark.rule("WZ-VEH-02", "WZ-FALL-01", "WZ-DMG-05")
@pytest.mark.usefixtures("acting")
async def test_a_fall_breaks_a_vehicle_s_systems(game: Skirmish) -> None:
    await tank(game, "Red")
    # SZ 5, 10 in: DM 6 + 5 = 11, x2: two saves of AR 24 at 13 or less
    reply = await game.do(FallDown("Tank", 10), 16, 13)
    assert reply.lines[:2] == ("Tank falls 10 in: 1 wound (5 of 6 left).", "Steering (1st hit):"), (
        "a margin of 3"
    )
    odds = await game.asks(FallDown("Tank", 10, odds=True))
    assert any(line.startswith("no wound") for line in odds.lines)
    solved = Solver().solve(hit_vehicle, Hull(5, (1, 0, 0, 0, 0, 0)), 2, 24, 11)
    unhurt = solved.chance(lambda hull: hull.wounds == 5)
    assert f"{unhurt:.0%}" in next(x for x in odds.lines if x.startswith("no wound"))


@pytest.mark.rule("WZ-VEH-02", "WZ-JUMP-04")
@pytest.mark.usefixtures("acting")
async def test_so_does_a_jump_down(game: Skirmish) -> None:
    await tank(game, "Red")
    reply = await game.do(Jump("Tank", down=6), 12, 20)
    # DM 7: AR 24 saves at 17 or less, a 20 fails by 3
    assert reply.lines[:2] == ("Tank jumps down 6 in: 1 wound (5 of 6 left).", "Steering (1st hit):")
    assert (await game.do(Jump("Tank", down=6), 13)).lines[
        0
    ] == "Tank fails its LD test, doesn't jump and loses the action."
    await game.setting("jump down damage", "on fail")
    assert (await game.do(Jump("Tank", down=6), 12)).lines[0] == "Tank jumps down 6 in: no wound."
    odds = await game.asks(Jump("Tank", down=6, odds=True))
    assert any(line.startswith("jumps") for line in odds.lines)
    assert any(line.startswith("LD test to jump unhurt: ") for line in odds.lines)


@pytest.mark.rule("WZ-SPACE-01")
async def test_bases_may_not_overlap_when_the_move_ends(game: Skirmish) -> None:
    assert "Bases can't overlap at the end of a move." in await game.refused(
        Gap("same_squad", 0, overlap=True)
    )
    assert "is wide enough to pass" in (await game.asks(Gap("same_squad", 0))).lines[0]
