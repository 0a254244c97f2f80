"""Shooting, fighting, templates, breaking away: modifiers from the state, wounds carried through."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from bot.games.warzone.melee.break_play import BreakAway, LetGo
from bot.games.warzone.melee.fight_play import Charge, Fight, SetContact
from bot.games.warzone.movement.move_play import Move, SetPresence
from bot.games.warzone.shooting.shoot_play import Aim
from bot.games.warzone.shooting.shots import Shoot, Template
from bot.games.warzone.shooting.spot_play import Conceal, Spot
from bot.games.warzone.shooting.terrain_play import AttackTerrain
from bot.games.warzone.templates.blast_play import Blast
from bot.replies.chances import percent
from bot.table.asking.forms import form_of
from bot.table.asking.legal import Looking
from bot.table.journal.history import Undo
from bot.table.rolling.dice import DiceMode
from rules.systems.warzone.model import Condition
from tests.bot.tables import all_lines
from tests.bot.warzone.skirmish import RIFLE, TANK, Skirmish


@pytest.mark.rule("WZ-RC-01", "WZ-RC-03", "WZ-TEST-02", "WZ-DMG-01", "WZ-DMG-04")
@pytest.mark.usefixtures("acting")
async def test_the_rulebooks_shot(game: Skirmish) -> None:
    reply = await game.do(Shoot("Rex", "Bex", "8", "hard"), 7, 10)
    assert reply.lines[0] == "Rex hits Bex: 1 wound, out."
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
    assert "Rex fumbles: its next attack is at -4." in reply.lines
    await game.bo(SetPresence("Giant", "prone", knocked=True))
    reply = await game.do(Shoot("Rex", "Giant", "MR"), 9, 1)
    assert {"+4 target prone WZ-RC-09", "+1 target 2 SZ larger WZ-RC-11"} <= set(reply.why)
    assert "-4 first roll after a fumble WZ-RC-12" in reply.why
    assert not any("aimed" in line for line in reply.why)
    reply = await game.do(Shoot("Rex", "Bex", "MR"), 20)
    assert not any("aimed" in line for line in reply.why), "another target was shot at in between"


@pytest.mark.rule("WZ-AIM-01")
@pytest.mark.usefixtures("acting")
async def test_who_aims_has_something_to_shoot_with_and_is_asked_how_far(game: Skirmish) -> None:
    await game.add("Red", "Fist", "weapon Claws: DM 12, close")
    assert "nothing to shoot with" in await game.refused(Aim("Fist", "Bex"))
    reply = await game.do(Aim("Rex", "Bex"))
    (shot,) = [button for button in reply.buttons if button.label == "Shoot..."]
    assert shot.asks, "the form with the bands of the weapon"
    looking = Looking((await game.table.loaded()).book(), game.table.actor("anna"))
    whom = next(one for one in form_of(looking, shot.action).controls if one.name == "target")
    assert whom.said == ("Bex",), "by name, once"
    assert [choice.value for choice in whom.choices].count("Bex") == 1


@pytest.mark.rule("WZ-CRIT-01", "WZ-CRIT-04", "WZ-RC-12")
@pytest.mark.usefixtures("acting")
async def test_a_natural_one_and_a_natural_twenty(game: Skirmish) -> None:
    await game.add("Red", "Gunner", "weapon Gun: DM 13, ROF 3, SR -20")
    reply = await game.do(Shoot("Gunner", "Bex", "8"), 20, 1, 12, 6)
    assert reply.lines[:2] == ("Gunner hits Bex: 1 wound, out.", "1 of 3 shots hit")
    assert "Natural 1, DM +4: save 5 or less" in reply.lines
    assert "Natural 1, DM +4: save 5 or less (WZ-CRIT-01)" in reply.why
    assert "Armour, critical hit: 6 wound" in reply.lines
    assert not (await game.model("Gunner")).has("fumbled"), "the last roll was none"


@pytest.mark.rule(
    "WZ-RANGE-01", "WZ-RANGE-03", "WZ-RC-09", "WZ-RC-13", "WZ-RC-14", "WZ-SPACE-03", "WZ-SPOT-06"
)
@pytest.mark.usefixtures("acting")
async def test_shots_that_are_refused(game: Skirmish) -> None:
    assert "cannot fire there" in await game.refused(Shoot("Rex", "Bex", "ER"))
    assert "out of range" in await game.refused(Shoot("Rex", "Bex", "49"))
    assert "base contact" in await game.refused(Shoot("Rex", "Bex", "0"))
    assert "its band" in await game.refused(Shoot("Rex", "Bex", "near"))
    assert "Cover is" in await game.refused(Shoot("Rex", "Bex", "8", "thin"))
    assert "gap of 1 in" in await game.refused(Shoot("Rex", "Bex", "8", gap=0.5))
    assert "not yours" in await game.refused(Shoot("Bex", "Rex", "8"))
    assert "does not shoot at itself" in await game.refused(Shoot("Rex", "Rex", "8"))
    assert "does not aim at itself" in await game.refused(Aim("Rex", "Rex"))
    await game.bo(Conceal("Bex"))
    assert "must be spotted first" in await game.refused(Shoot("Rex", "Bex", "8"))
    assert "must be spotted first" in await game.refused(Aim("Rex", "Bex"))
    await game.do(SetPresence("Rex", "minimized"))
    await game.do(Spot("Rex", "Bex"), 8)
    assert "fires within 90 degrees" in await game.refused(Shoot("Rex", "Bex", "8", angle=46))
    await game.do(SetPresence("Rex", "prone"))
    assert "is prone and may not fire" in await game.refused(Shoot("Rex", "Bex", "8"))


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
    assert any("Same dice" in line for line in again.lines)


# ------------------------------------------------------------------------------------------- close combat


@pytest.mark.rule("WZ-CC-01", "WZ-CC-03", "WZ-DMG-07", "WZ-CRIT-03")
async def test_a_charge_and_a_strike(game: Skirmish) -> None:
    await game.begin()
    await game.act("Rex")
    assert "not in contact with Bex" in await game.refused(Fight("Rex", "Bex"))
    reply = await game.do(Charge("Rex", "Bex"))
    assert reply.lines[0] == "Rex charges Bex."
    reply = await game.press("Fight", 9, 12)
    assert reply.lines[0] == "Rex hits Bex: 1 wound, out."
    assert "Sword: 9 or less (CC 8 +1)" in reply.lines
    assert "Save: 11 or less (AR 22 - DM 11)" in reply.lines
    assert "+5 strength WZ-DMG-07" in reply.why
    assert not (await game.model("Rex")).has("engaged"), "whom it held has left play"


@pytest.mark.rule("WZ-CC-03", "WZ-CC-09")
async def test_the_bonus_counts_once_and_not_across_cover(game: Skirmish) -> None:
    await game.begin()
    await game.act("Rex")
    await game.do(Charge("Rex", "Bex"))
    await game.do(Fight("Rex", "Bex"), 20)
    reply = await game.do(Fight("Rex", "Bex"), 5)
    assert "Sword: 4 or less (CC 8 -4)" in reply.lines
    assert "-4 first attack after a fumble WZ-CC-07" in reply.why
    assert not any("charging" in line for line in reply.why)


@pytest.mark.rule("WZ-CC-09")
@pytest.mark.usefixtures("acting")
async def test_across_cover_there_is_no_bonus(game: Skirmish) -> None:
    reply = await game.do(Charge("Rex", "Bex", cover=True))
    assert "Across cover: no charge bonus." in reply.lines
    reply = await game.do(Fight("Rex", "Bex"), 9)
    assert reply.lines[0] == "Rex misses Bex."


@pytest.mark.rule("WZ-CC-02", "WZ-CC-10", "WZ-CC-11", "WZ-CC-12", "WZ-CC-08")
@pytest.mark.usefixtures("acting")
async def test_attackers_are_counted_from_who_is_in_contact(game: Skirmish) -> None:
    await game.add("Red", "Pal", count=4)
    for name in ("Rex", "Pal", "Pal 2"):
        await game.do(SetContact(name, "Bex"))
    reply = await game.do(Fight("Rex", "Bex"), 20)
    assert "+2 3 attackers WZ-CC-02" in reply.why
    assert "At most 2 may attack" in await game.refused(Fight("Pal", "Bex", place="wall"))
    assert "WZ-CC-12" in await game.refused(Fight("Pal", "Bex", place="doorway"))
    assert "At most 4 may attack" in await game.refused(Fight("Pal", "Bex", attackers=5))
    reply = await game.do(Fight("Pal", "Bex", secondary=True), 20)
    assert "-4 secondary attack WZ-CC-08" in reply.why


@pytest.mark.rule("WZ-CC-04", "WZ-CC-06", "WZ-PRES-01", "WZ-PRES-02")
@pytest.mark.usefixtures("acting")
async def test_concealment_and_presence_in_close_combat(game: Skirmish) -> None:
    await game.do(Conceal("Rex"))
    await game.do(SetContact("Rex", "Bex"))
    await game.bo(SetPresence("Bex", "prone"))
    await game.do(SetPresence("Rex", "minimized"))
    reply = await game.do(Fight("Rex", "Bex"), 20)
    assert {"+2 first attack from concealment WZ-CC-04", "+4 target prone WZ-CC-06"} <= set(reply.why)
    assert "-2 minimizing presence WZ-CC-06" in reply.why
    assert not (await game.model("Rex")).has("concealed")
    assert "may not attack" in await game.refused(Fight("Bex", "Rex"), "bo")


@pytest.mark.rule("WZ-BREAK-01", "WZ-BREAK-02", "WZ-BREAK-03")
async def test_breaking_away(game: Skirmish) -> None:
    await game.add("Blue", "Ogre", CC=10, ST=7, SZ=4)
    await game.begin()
    await game.do(SetContact("Rex", "Ogre"))
    await game.act("Rex")
    assert "locked in close combat" in await game.refused(Move("Rex"))
    assert "locked in close combat" in await game.refused(Charge("Rex", "Bex"))
    odds = await game.asks(BreakAway("Rex", odds=True))
    assert "15 + d20 against 17 + d20 (Ogre)" in odds.lines
    better = sum(15 + a > 17 + b for a in range(1, 21) for b in range(1, 21))
    tied = sum(15 + a == 17 + b for a in range(1, 21) for b in range(1, 21))
    assert percent(better / (400 - tied)).strip() in odds.lines[2]
    reply = await game.do(BreakAway("Rex"), 5, 5)
    assert reply.lines[0] == "Rex does not get away."
    reply = await game.press("Again", 10, 8, 12, 2)
    assert reply.lines[0] == "Rex breaks away from Ogre.", "10 + 15 ties 8 + 17 and is thrown again"
    assert "+2 2 SZ smaller WZ-BREAK-02" in reply.why
    await game.do(Move("Rex"))


@pytest.mark.rule("WZ-BREAK-01", "WZ-BREAK-04")
@pytest.mark.usefixtures("acting")
async def test_let_go_and_vehicles_need_no_roll(game: Skirmish) -> None:
    await game.add("Red", "Tank", "vehicle, tracked", RIFLE, stats=TANK)
    await game.do(SetContact("Rex", "Bex"))
    reply = await game.do(BreakAway("Rex", let_go=True))
    assert reply.lines == ("Rex asks to leave close combat.", "Blue: let it go, or hold it?")
    assert "You hold Rex nowhere" in await game.refused(LetGo("Rex"))
    assert game.last
    held = await game.table.press("bo", game.last, "Hold it")
    assert held.reply.lines == ("Bex holds Rex: a test decides.",)
    await game.do(BreakAway("Rex"), 1, 20)
    assert (await game.bo(LetGo("Rex"))).lines == ("Bex lets Rex go.",)
    assert (await game.press("Break away")).lines[0] == "Rex breaks away from Bex."
    await game.do(SetContact("Tank", "Bex"))
    await game.do(Move("Tank"))
    assert not (await game.model("Bex")).has("engaged")


# ------------------------------------------------------------------------------------------- templates

MORTAR = "weapon Mortar: DM 12, SR 0, template"


@pytest.mark.rule("WZ-TMPL-01", "WZ-CRIT-02")
@pytest.mark.usefixtures("acting")
async def test_everybody_under_a_template_saves(game: Skirmish) -> None:
    await game.add("Red", "Gunner", MORTAR)
    await game.add("Blue", "Bud", WD=2)
    reply = await game.do(Template("Gunner", "Bex", "8", "Bex, Bud"), 8, 11, 10)
    assert reply.lines[:3] == ("Gunner hits Bex.", "Bex: 1 wound, out", "Bud: no wound")
    reply = await game.do(Template("Gunner", "Bud", "8", "Bud; Rex"), 1, 7, 6)
    assert reply.lines[1:3] == ("Bud: 1 wound (1/2)", "Rex: no wound")
    assert "Natural 1: DM +4 for all under it" in reply.lines
    assert "DM 16; saves at or under: Bud 6, Rex 6" in reply.lines
    assert "Mortar, SR: 8 or less (RC 8)" in reply.lines
    reply = await game.do(Template("Gunner", "Rex", "8", cover="soft"), 6, 1)
    assert {"Mortar, SR: 6 or less (RC 8 -2)", "DM 12; saves at or under: Rex 10"} <= set(reply.lines)


@pytest.mark.rule("WZ-TMPL-02", "WZ-DEV-01")
@pytest.mark.usefixtures("acting")
async def test_a_miss_goes_astray_and_lands_on_somebody(game: Skirmish) -> None:
    await game.add("Red", "Gunner", MORTAR)
    reply = await game.do(Template("Gunner", "Bex", "8"), 20, 14, 6)
    assert reply.lines[0] == "Gunner misses Bex: 4 in astray."
    assert "The template lands 4 in towards 6 o'clock." in reply.lines
    assert game.last
    assert game.last.reply.menus[0].prompt == "Who is under it, even partly?"
    reply = await game.choose(await game.number("Rex"), faces=(11,))
    assert reply.lines[:2] == ("Mortar lands on Rex.", "Rex: 1 wound, out")


@pytest.mark.rule("WZ-TMPL-01")
@pytest.mark.usefixtures("acting")
async def test_odds_of_a_template(game: Skirmish) -> None:
    await game.add("Red", "Gunner", MORTAR)
    await game.add("Blue", "Bud")
    reply = await game.asks(Template("Gunner", "Bex", "8", "Bex, Bud", odds=True))
    hurt = Fraction(7, 20) * Fraction(10, 20) + Fraction(1, 20) * Fraction(14, 20)
    for name in ("Bex", "Bud"):
        line = next(each for each in reply.lines if each.startswith(f"{name} hurt"))
        assert percent(float(hurt)).strip() in line
    assert "use the template" in await game.refused(Shoot("Gunner", "Bex", "8", weapon="Mortar"))
    assert "shoot with it" in await game.refused(Template("Rex", "Bex", "8", weapon="Rifle"))
    assert "no template weapon" in await game.refused(Template("Rex", "Bex", "8"))


@pytest.mark.rule("WZ-TMPL-01", "WZ-CRIT-02", "WZ-VEH-02", "WZ-AMOK-03")
async def test_a_vehicle_under_a_template_and_a_machine_that_may_know_no_foe_are_in_its_odds(
    game: Skirmish,
) -> None:
    await game.add("Red", "Gunner", MORTAR)
    await game.add("Blue", "Tank", "vehicle", RIFLE, stats=TANK)
    shot = Template("Gunner", "Bex", "8", "Bex, Tank", odds=True)
    lines = (await game.asks(shot)).lines
    # AR 24 less DM 12 saves on 12 or less, after a natural 1 (DM +4) on 8 or less.
    hurt = Fraction(7, 20) * Fraction(8, 20) + Fraction(1, 20) * Fraction(12, 20)
    told = [" ".join(line.split()) for line in lines]
    assert any(line.startswith(f"Tank hurt {percent(float(hurt)).strip()}") for line in told)
    assert not any("LD test" in line for line in lines)
    await game.under("Gunner", Condition.RECOGNITION_FAULT)
    # LD 10: a d20 of 10 or less.
    assert "But first an LD test: 50 %" in (await game.asks(shot)).lines


@pytest.mark.rule("WZ-TMPL-02")
@pytest.mark.usefixtures("acting")
async def test_only_the_firers_player_lands_a_template(game: Skirmish) -> None:
    await game.add("Red", "Gunner", MORTAR)
    number = int(await game.number("Gunner"))
    assert "not yours" in await game.refused(Blast(number, "#1", (1,)), "bo")


@pytest.mark.usefixtures("acting")
async def test_a_jet_needs_no_roll(game: Skirmish) -> None:
    await game.add("Red", "Gunner", "weapon Jet: DM 12, PB 0, template, no_roll")
    reply = await game.do(Template("Gunner", "Bex", "5"), 11)
    assert "Jet: no attack roll" in reply.lines
    assert "Bex: 1 wound, out" in reply.lines


# ------------------------------------------------------------------------------------------- terrain


@pytest.mark.rule("WZ-TERRAIN-01", "WZ-TERRAIN-02")
async def test_terrain_is_shot_to_pieces(game: Skirmish) -> None:
    await game.add("Red", "Gunner", "weapon Gun: DM 15, ROF 2, SR 0, concussive")
    reply = await game.do(AttackTerrain("Gunner", "Stone"), 8, 7)
    assert reply.lines[0] == "Stone: 2 wounds, 2/5."
    assert "Save: 7 or less (AR 22 - DM 15)" in reply.lines
    odds = await game.asks(AttackTerrain("Gunner", "Stone", odds=True))
    assert any(line.startswith("destroyed (3)") for line in odds.lines)
    reply = await game.do(AttackTerrain("Gunner", "Stone"), 20, 20)
    assert reply.lines[0] == "Stone: 3 wounds, destroyed."
    assert "is destroyed" in await game.refused(AttackTerrain("Gunner", "Stone"))
    assert (await game.do(AttackTerrain("Gunner", "Stone", piece=2), 1, 1)).lines[0] == "Stone 2: no wound."
    assert "kind of terrain" in await game.refused(AttackTerrain("Gunner", "Glass"))


@pytest.mark.usefixtures("acting")
async def test_every_reply_tells_its_modifiers(game: Skirmish) -> None:
    reply = await game.do(Shoot("Rex", "Bex", "8"), 20)
    assert "RC 8" in all_lines(reply)
