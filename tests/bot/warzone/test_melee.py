"""Charges, strikes and breaking away: modifiers from the state, wounds carried through."""

from __future__ import annotations

import pytest

from bot.games.warzone.break_away_actions import BreakAway, LetGo
from bot.games.warzone.close_combat_actions import Charge, Fight, SetContact
from bot.games.warzone.move_actions import Move, SetPresence
from bot.games.warzone.waiting_actions import Conceal
from bot.replies.chances import percent
from tests.bot.warzone.skirmish import RIFLE, TANK, Skirmish


@pytest.mark.rule("WZ-CC-01", "WZ-CC-03", "WZ-DMG-07", "WZ-CRIT-03")
async def test_a_charge_and_a_strike(game: Skirmish) -> None:
    await game.begin()
    await game.act("Rex")
    assert "isn't in base contact with Bex" in await game.refused(Fight("Rex", "Bex"))
    reply = await game.do(Charge("Rex", "Bex"))
    assert reply.lines[0] == "Rex charges Bex."
    reply = await game.press("Fight", 9, 12)
    assert reply.lines[0] == "Rex hits Bex: 1 wound, out of play."
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
    assert "The charge crossed cover, so it gives no bonus." in reply.lines
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
    assert "At most 2 models can attack" in await game.refused(Fight("Pal", "Bex", place="wall"))
    assert "WZ-CC-12" in await game.refused(Fight("Pal", "Bex", place="doorway"))
    assert "At most 4 models can attack" in await game.refused(Fight("Pal", "Bex", attackers=5))
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
    assert "is prone and can't attack. Stand up first." in await game.refused(Fight("Bex", "Rex"), "bo")


@pytest.mark.rule("WZ-BREAK-01", "WZ-BREAK-02", "WZ-BREAK-03")
async def test_breaking_away(game: Skirmish) -> None:
    await game.add("Blue", "Ogre", CC=10, ST=7, SZ=4)
    await game.begin()
    await game.do(SetContact("Rex", "Ogre"))
    await game.act("Rex")
    assert "is in close combat" in await game.refused(Move("Rex"))
    assert "is in close combat" in await game.refused(Charge("Rex", "Bex"))
    odds = await game.asks(BreakAway("Rex", odds=True))
    assert "d20 + 15 against d20 + 17 (Ogre)" in odds.lines
    better = sum(15 + a > 17 + b for a in range(1, 21) for b in range(1, 21))
    tied = sum(15 + a == 17 + b for a in range(1, 21) for b in range(1, 21))
    assert percent(better / (400 - tied)).strip() in odds.lines[2]
    reply = await game.do(BreakAway("Rex"), 5, 5)
    assert reply.lines[0] == "Rex fails to break away."
    assert "Opposition: 5+15 = 20, 5+17 = 22" in reply.lines
    reply = await game.press("Again", 10, 8, 12, 2)
    assert reply.lines[0] == "Rex breaks away from Ogre.", "10 + 15 ties 8 + 17 and is thrown again"
    assert "Opposition: 10+15 = 25, 8+17 = 25" in reply.lines
    assert "Opposition: 12+15 = 27, 2+17 = 19" in reply.lines
    assert "+2 2 SZ smaller than the opponent WZ-BREAK-02" in reply.why
    await game.do(Move("Rex"))


@pytest.mark.rule("WZ-BREAK-01", "WZ-BREAK-04")
@pytest.mark.usefixtures("acting")
async def test_let_go_and_vehicles_need_no_roll(game: Skirmish) -> None:
    await game.add("Red", "Tank", "vehicle, tracked", RIFLE, stats=TANK)
    await game.do(SetContact("Rex", "Bex"))
    reply = await game.do(BreakAway("Rex", let_go=True))
    assert reply.lines == (
        "Rex wants to leave close combat without a test.",
        "Blue, will you let Rex go or try to hold it?",
    )
    assert "None of your models is in close combat with Rex" in await game.refused(LetGo("Rex"))
    assert game.last
    held = await game.table.press("bo", game.last, "Try to hold it")
    assert held.reply.lines == ("Bex tries to hold Rex, which must pass a test to break away.",)
    await game.do(BreakAway("Rex"), 1, 20)
    assert (await game.bo(LetGo("Rex"))).lines == ("Bex lets Rex go.",)
    assert (await game.press("Break away")).lines[0] == "Rex breaks away from Bex."
    await game.do(SetContact("Tank", "Bex"))
    await game.do(Move("Tank"))
    assert not (await game.model("Bex")).has("engaged")


@pytest.mark.usefixtures("acting")
async def test_what_is_plain_in_close_combat_is_not_told(game: Skirmish) -> None:
    await game.do(SetContact("Rex", "Bex"))
    assert (await game.do(Fight("Rex", "Bex"), 20)).lines[2].startswith("Sword")
    reply = await game.do(Fight("Rex", "Bex", secondary=True, place="wall"), 20)
    assert reply.lines[2] == "at a wall, secondary attack"


@pytest.mark.rule("WZ-CC-03", "WZ-CC-09")
@pytest.mark.usefixtures("acting")
async def test_a_charge_s_odds_are_those_of_its_first_strike(game: Skirmish) -> None:
    odds = await game.asks(Charge("Rex", "Bex", odds=True))
    assert "Sword: 9 or less (CC 8 +1)" in odds.lines
    assert [button.label for button in odds.buttons] == ["Charge", "Compare", "Change..."]
    odds = await game.asks(Charge("Rex", "Bex", cover=True, odds=True))
    assert "Sword: 8 or less (CC 8)" in odds.lines
    assert (await game.press("Charge")).lines[0] == "Rex charges Bex."


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
    assert "can charge at most 5 in (you entered 6)" in await game.refused(Charge("Rex", "Bex", distance=6))
    far = Charge("Rex", "Bex", distance=3, terrain="rough")
    assert "can charge at most 2.5 in (you entered 3)" in await game.refused(far)
    assert (await game.do(Charge("Rex", "Bex", distance=5))).lines[0] == "Rex charges Bex from 5 in away."


@pytest.mark.rule("WZ-BREAK-01")
@pytest.mark.usefixtures("acting")
async def test_one_of_two_opponents_lets_go(game: Skirmish) -> None:
    await game.add("Blue", "Bud")
    await game.do(SetContact("Rex", "Bex"))
    await game.do(SetContact("Rex", "Bud"))
    await game.do(BreakAway("Rex", let_go=True))
    assert (await game.press("Bud lets it go", who="bo")).lines == ("Bud lets Rex go.",)
    await game.bo(LetGo("Rex", True, "Bex"))
    odds = await game.asks(BreakAway("Rex", odds=True))
    assert any("(Bex)" in line for line in odds.lines)
    assert not any("(Bud)" in line for line in odds.lines)
    assert (await game.bo(LetGo("Rex"))).lines == ("Bex and Bud let Rex go.",)
