"""Shots at models and terrain: modifiers from the state, what was said of them, wounds carried through."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from bot.games.warzone.move_actions import Move, SetPresence
from bot.games.warzone.shooting_actions import Aim, AttackTerrain
from bot.games.warzone.shots import Shoot, Template
from bot.games.warzone.waiting_actions import Conceal, Spot
from bot.replies.chances import percent
from bot.table.journal.history import Undo
from bot.table.offers.forms import build_form
from bot.table.offers.legal_actions import Looking
from bot.table.rolling.dice_settings import DiceMode
from bot.table.session.models import RemoveModel, ReturnModel
from tests.bot.tables import all_lines
from tests.bot.warzone.skirmish import MORTAR, Skirmish


@pytest.mark.rule("WZ-RC-01", "WZ-RC-03", "WZ-TEST-02", "WZ-DMG-01", "WZ-DMG-04")
@pytest.mark.usefixtures("acting")
async def test_the_rulebooks_shot(game: Skirmish) -> None:
    reply = await game.do(Shoot("Rex", "Bex", "8", "hard"), 7, 10)
    assert reply.lines[0] == "Rex hits Bex: 1 wound, out of play."
    assert "Rifle, SR: 7 or less (RC 8 -1)" in reply.lines
    assert "Save: 9 or less (AR 22 - DM 13)" in reply.lines
    assert "Armour: 10 wound" in reply.lines
    assert "+2 Rifle at SR WZ-RANGE-02" in reply.why
    assert "-3 target in hard cover WZ-RC-03" in reply.why
    assert await game.gone("Bex") == "casualty"
    assert "Again" not in [button.label for button in reply.buttons]
    assert "out of play" in await game.refused(Shoot("Rex", "Bex", "8"))


@pytest.mark.rule("WZ-RC-04", "WZ-AIM-01", "WZ-AIM-02", "WZ-RC-08", "WZ-RC-09", "WZ-RC-05", "WZ-RC-11")
@pytest.mark.usefixtures("acting")
async def test_what_the_state_implies_is_applied_and_named(game: Skirmish) -> None:
    await game.add("Blue", "Giant", SZ=4)
    await game.bo(SetPresence("Bex", "minimized"))
    await game.do(Aim("Rex", "Bex"))
    reply = await game.do(Shoot("Rex", "Bex", "MR", smoke=2), 20)
    assert {
        "+3 aimed WZ-RC-04",
        "-2 target minimizes presence WZ-RC-08",
        "-2 smoke, level 2 WZ-RC-05",
    } <= set(reply.why)
    assert "Rex fumbled, so its next attack gets -4." in reply.lines
    await game.bo(SetPresence("Giant", "prone", knocked=True))
    reply = await game.do(Shoot("Rex", "Giant", "MR"), 9, 1)
    assert {"+4 target prone WZ-RC-09", "+1 target at least 2 SZ larger WZ-RC-11"} <= set(reply.why)
    assert "-4 first attack after a fumble WZ-RC-12" in reply.why
    assert not any("aimed" in line for line in reply.why)
    reply = await game.do(Shoot("Rex", "Bex", "MR"), 20)
    assert not any("aimed" in line for line in reply.why), "another target was shot at in between"


@pytest.mark.rule("WZ-AIM-01")
@pytest.mark.usefixtures("acting")
async def test_who_aims_has_something_to_shoot_with_and_is_asked_how_far(game: Skirmish) -> None:
    await game.add("Red", "Fist", "weapon Claws: DM 12, close")
    assert "has no ranged weapon" in await game.refused(Aim("Fist", "Bex"))
    reply = await game.do(Aim("Rex", "Bex"))
    (shot,) = [button for button in reply.buttons if button.label == "Shoot..."]
    assert shot.asks, "the form with the bands of the weapon"
    looking = Looking((await game.table.loaded()).book(), game.table.actor("anna"))
    whom = next(one for one in build_form(looking, shot.action).controls if one.name == "target")
    assert whom.said == ("Bex",), "by name, once"
    assert [choice.value for choice in whom.choices].count("Bex") == 1


@pytest.mark.rule("WZ-CRIT-01", "WZ-CRIT-04", "WZ-RC-12")
@pytest.mark.usefixtures("acting")
async def test_a_natural_one_and_a_natural_twenty(game: Skirmish) -> None:
    await game.add("Red", "Gunner", "weapon Gun: DM 13, ROF 3, SR -20")
    reply = await game.do(Shoot("Gunner", "Bex", "8"), 20, 1, 12, 6)
    assert reply.lines[:2] == ("Gunner hits Bex: 1 wound, out of play.", "1 of 3 shots hit")
    assert "Save after a natural 1 to hit (DM +4): 5 or less" in reply.lines
    assert "Save after a natural 1 to hit (DM +4): 5 or less WZ-CRIT-01" in reply.why
    assert "Armour, critical hit: 6 wound" in reply.lines
    assert not (await game.model("Gunner")).has("fumbled"), "the last roll was none"


@pytest.mark.rule("WZ-CRIT-04", "WZ-RC-12")
@pytest.mark.usefixtures("acting")
async def test_what_a_shot_after_a_fumble_needs_is_told(game: Skirmish) -> None:
    """A natural 20 lowers the next shot of the same attack: 9 misses where 10 was enough."""
    await game.add("Red", "Gunner", "weapon Gun: DM 13, ROF 2, SR +2")
    reply = await game.do(Shoot("Gunner", "Bex", "8"), 20, 9)
    assert reply.lines[0] == "Gunner misses Bex."
    needed = next(line for line in reply.lines if line.startswith("Gun, SR: "))
    assert needed.startswith("Gun, SR: 10 or less")
    assert "Attack roll after a fumble: 6 or less" in reply.lines
    reply = await game.do(Shoot("Gunner", "Bex", "8"), 11, 20)
    assert not any(line.startswith("Attack roll after a fumble") for line in reply.lines), (
        "no shot came after it"
    )


@pytest.mark.rule(
    "WZ-RANGE-01", "WZ-RANGE-03", "WZ-RC-09", "WZ-RC-13", "WZ-RC-14", "WZ-SPACE-03", "WZ-SPOT-06"
)
@pytest.mark.usefixtures("acting")
async def test_shots_that_are_refused(game: Skirmish) -> None:
    assert ", so it can't shoot at that range." in await game.refused(Shoot("Rex", "Bex", "ER"))
    assert "out of range" in await game.refused(Shoot("Rex", "Bex", "49"))
    assert "base contact" in await game.refused(Shoot("Rex", "Bex", "0"))
    assert "a range band" in await game.refused(Shoot("Rex", "Bex", "near"))
    assert "Enter one of these for cover" in await game.refused(Shoot("Rex", "Bex", "8", "thin"))
    assert "You can only shoot between two friends if the gap is at least 1 in wide." in await game.refused(
        Shoot("Rex", "Bex", "8", gap=0.5)
    )
    assert "not yours" in await game.refused(Shoot("Bex", "Rex", "8"))
    assert "can't shoot at itself. Choose an enemy." in await game.refused(Shoot("Rex", "Rex", "8"))
    assert "can't aim at itself. Choose an enemy." in await game.refused(Aim("Rex", "Rex"))
    await game.bo(Conceal("Bex"))
    assert "is concealed. Spot it first." in await game.refused(Shoot("Rex", "Bex", "8"))
    assert "is concealed. Spot it first." in await game.refused(Aim("Rex", "Bex"))
    await game.do(SetPresence("Rex", "minimized"))
    await game.do(Spot("Rex", "Bex"), 8)
    assert "can shoot up to 45 degrees to either side" in await game.refused(
        Shoot("Rex", "Bex", "8", angle=46)
    )
    await game.do(SetPresence("Rex", "prone"))
    assert "is prone and can't shoot. Stand up first." in await game.refused(Shoot("Rex", "Bex", "8"))


@pytest.mark.rule("WZ-RC-01", "WZ-DMG-01", "WZ-RC-02")
@pytest.mark.usefixtures("acting")
async def test_odds_of_shoot_then_armour_against_brute_force(game: Skirmish) -> None:
    await game.add("Red", "Gunner", "weapon Gun: DM 15, ROF 2, SR +2")
    await game.add("Blue", "Ox", WD=2)
    reply = await game.asks(Shoot("Gunner", "Ox", "8", odds=True))
    chances: dict[int, Fraction] = {}
    for first, second, save1, save2 in product(range(1, 21), repeat=4):
        wounds, fumbled = 0, 0
        for face, save in ((first, save1), (second, save2)):
            hit = face == 1 or (face <= 10 - 4 * fumbled and face != 20)
            dm = 19 if face == 1 else 15
            wounds += hit and save != 1 and save > 22 - dm
            fumbled = face == 20
        chances[wounds] = chances.get(wounds, Fraction(0)) + Fraction(1, 20**4)
    for line, key in (("no wound", 0), ("1 wound", 1), ("out (2+)", 2)):
        shown = next(each for each in reply.lines if each.startswith(line))
        assert percent(float(chances[key])).strip() in shown
    assert "Exact." in reply.lines
    assert (await game.press("Shoot", 20, 20)).lines[0] == "Gunner misses Ox."


@pytest.mark.usefixtures("acting")
async def test_the_same_shot_however_asked_has_the_same_dice_after_undo(game: Skirmish) -> None:
    await game.do(DiceMode("bot"))
    first = await game.do(Shoot("Rex", "Bex", "8", weapon="Rifle"))
    await game.do(Undo())
    again = await game.do(Shoot("rex", "#2", "8.0", "none"))
    assert again.lines[0] == first.lines[0]
    assert any("These are the same dice" in line for line in again.lines)


@pytest.mark.usefixtures("acting")
async def test_every_reply_tells_its_modifiers(game: Skirmish) -> None:
    reply = await game.do(Shoot("Rex", "Bex", "8"), 20)
    assert "RC 8" in all_lines(reply)


@pytest.mark.rule("WZ-TERRAIN-01", "WZ-TERRAIN-02")
async def test_terrain_is_shot_to_pieces(game: Skirmish) -> None:
    await game.add("Red", "Gunner", "weapon Gun: DM 15, ROF 2, SR 0, concussive")
    reply = await game.do(AttackTerrain("Gunner", "Stone"), 8, 7)
    assert reply.lines[0] == "Stone: 2 wounds (3 of 5 left)."
    assert "Save: 7 or less (AR 22 - DM 15)" in reply.lines
    odds = await game.asks(AttackTerrain("Gunner", "Stone", odds=True))
    assert any(line.startswith("destroyed (3 wounds)") for line in odds.lines)
    reply = await game.do(AttackTerrain("Gunner", "Stone"), 20, 20)
    assert reply.lines[0] == "Stone: 3 wounds, destroyed."
    assert "is already destroyed: Stone." in await game.refused(AttackTerrain("Gunner", "Stone"))
    assert (await game.do(AttackTerrain("Gunner", "Stone", piece=2), 1, 1)).lines[0] == "Stone 2: no wound."
    assert "kind of terrain" in await game.refused(AttackTerrain("Gunner", "Glass"))


@pytest.mark.rule("WZ-RANGE-01", "WZ-RC-03")
@pytest.mark.usefixtures("acting")
async def test_distance_and_cover_stand_in_the_reply(game: Skirmish) -> None:
    reply = await game.do(Shoot("Rex", "Bex", "7.5", "soft", smoke=2), 20)
    assert reply.lines[:4] == ("Rex misses Bex.", "", "7.5 in, soft cover, smoke level 2", reply.lines[3])
    assert "SR, no cover" in (await game.do(Shoot("Rex", "Bex", "sr"), 20)).lines, "a band is no distance"
    odds = await game.asks(Shoot("Rex", "Bex", "8", "hard", odds=True))
    assert odds.lines[1] == "8 in, hard cover"
    await game.add("Red", "Gunner", MORTAR)
    reply = await game.do(Template("Gunner", "Bex", "8", cover="hard", gap=2), 20, 14, 6)
    assert "8 in, hard cover, through a gap of 2 in between friendly models" in reply.lines


@pytest.mark.rule("WZ-RC-06", "WZ-PANIC-03", "WZ-BROKEN-04")
@pytest.mark.usefixtures("acting")
async def test_a_shot_can_say_that_no_enemy_is_in_sight(game: Skirmish) -> None:
    await game.under("Rex", "panicked")
    reply = await game.do(Shoot("Rex", "Bex", "8"), 20)
    assert "Rifle, SR: 7 or less (RC 8 -1)" in reply.lines, "+2 and -3"
    reply = await game.do(Shoot("Rex", "Bex", "8", hidden=True), 20)
    assert "Rifle, SR: 6 or less (RC 8 -2)" in reply.lines, "+2 and -4 after the fumble: no -3"
    assert "8 in, no cover, the firer sees no enemy" in " ".join(reply.lines)
    await game.under("Rex", "broken")
    await game.add("Red", "Gunner", MORTAR)
    await game.under("Gunner", "broken")
    await game.do(Move("Gunner", bearing="away"))
    odds = await game.asks(Template("Gunner", "Bex", "8", odds=True))
    assert "Mortar, SR: 2 or less (RC 8 -6)" in odds.lines
    odds = await game.asks(Template("Gunner", "Bex", "8", hidden=True, odds=True))
    assert "Mortar, SR: 8 or less (RC 8)" in odds.lines


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
