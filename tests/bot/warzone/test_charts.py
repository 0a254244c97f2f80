"""What the charts make of models: unhinged, amok, rampage, with all that follows."""

from __future__ import annotations

import pytest

from bot.games.warzone.activation import Activate
from bot.games.warzone.chart_actions import Dominate, Rampage, RollChart
from bot.games.warzone.morale_actions import Morale
from bot.games.warzone.move_actions import Move
from bot.games.warzone.roster_actions import FormSquad
from bot.games.warzone.shots import Shoot
from bot.games.warzone.unhinged_actions import Attack, Derangement, NobodyThere, Reboot, Regroup
from bot.table.session.encounters import NextStep
from rules.systems.warzone.model import Condition
from tests.bot.warzone.skirmish import RIFLE, SWORD, Skirmish


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
            assert "Rex moves directly away from what broke its morale (up to 2.5 in)." in fled.lines
    await game.do(RollChart("unhinged", "Rex"), 20)
    assert await game.gone("Rex") == "horror"


@pytest.mark.rule("WZ-UNH-04", "WZ-RC-07", "WZ-RALLY-04")
async def test_forced_regression(game: Skirmish) -> None:
    await game.under("Rex", "broken", "forced_regression")
    await game.begin()
    await game.act("Rex")
    await game.do(Move("Rex", bearing="away"))
    reply = await game.do(Shoot("Rex", "Bex", "8"), 1, 3)
    assert "Rifle, SR: 2 or less (RC 8 -6)" in reply.lines
    assert "-8 Forced Regression WZ-UNH-04" in reply.why
    assert "suffers Forced Regression" in await game.refused(Shoot("Rex", "Bex", "8"))


@pytest.mark.rule("WZ-UNH-05")
async def test_derangement(game: Skirmish) -> None:
    await game.under("Rex", "broken", "derangement")
    await game.begin()
    reply = await game.act("Rex")
    assert "Rex must roll to see which way it attacks." in reply.lines
    reply = await game.press("Roll Rex's direction", 6)
    assert reply.lines[0] == "Rex turns towards 6 o'clock."
    assert [button.label for button in reply.buttons][:2] == ["Rex attacks...", "No model in that direction"]
    assert "has already rolled its direction." in await game.refused(Derangement("Rex"))
    await game.add("Red", "Brute", SWORD)
    assert "has no ranged weapon" in await game.refused(Attack("Brute", "Bex", "8"))
    await game.do(FormSquad("Rex", "Brute"))
    assert "is in the same squad." in await game.refused(Attack("Rex", "Brute", "8"))
    reply = await game.do(Attack("Rex", "Bex", "8"), 20)
    assert "-6 Derangement WZ-UNH-05" in reply.why
    assert (await game.model("Rex")).count("actions") == 2
    await game.do(Move("Rex", bearing="away"))
    assert "isn't looking for a target" in await game.refused(NobodyThere("Rex"))
    await game.done()
    await game.act("Bex", "bo")
    await game.done("bo")
    await game.do(NextStep(), 20, 1)
    await game.act("Rex")
    await game.press("Roll Rex's direction", 12)
    reply = await game.do(NobodyThere("Rex"))
    assert reply.lines[0] == "Rex finds no target and loses the action."
    assert (await game.model("Rex")).count("actions") == 2


async def machines(game: Skirmish) -> None:
    await game.add("Red", "Bot", "machine, ai 2", RIFLE, squad="Bots", count=3)


@pytest.mark.rule("WZ-AMOK-01", "WZ-AMOK-02")
@pytest.mark.usefixtures("acting")
async def test_machines_roll_on_the_amok_table(game: Skirmish) -> None:
    await machines(game)
    await game.begin()
    reply = await game.do(Morale("Bots", effect="a virus"), 11, 3)
    assert reply.lines[:2] == (
        "Bots failed the morale test caused by a virus.",
        "Bots rolls Buffer Overflow on the amok table.",
    )
    assert not any("rally" in line for line in reply.lines), "machines are not Panicked"
    assert "Each model has 2 actions." in (await game.act("Bots")).lines


@pytest.mark.rule("WZ-AMOK-03")
@pytest.mark.usefixtures("acting")
async def test_recognition_fault(game: Skirmish) -> None:
    await machines(game)
    await game.begin()
    await game.do(RollChart("amok", "Bot"), 13)
    await game.act("Bots")
    odds = await game.asks(Shoot("Bot", "Bex", "8", odds=True))
    assert "Bot must pass an LD test first (50% chance of passing)" in odds.lines
    reply = await game.do(Shoot("Bot", "Bex", "8"), 11)
    assert reply.lines[0] == "Bot doesn't recognise the enemy and loses the action."
    reply = await game.do(Shoot("Bot", "Bex", "8"), 20)
    assert reply.lines[0] == "Bot mistakes a friend for an enemy and loses the action."
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
    assert "Each model has 1 action." in reply.lines
    assert "is out of command and must first move back into its leader's command distance." not in reply.text
    assert [button.label for button in reply.buttons].count("Bots reboots") == 1
    number = (await game.squad("Bot")).id
    bots = [await game.model(name) for name in ("Bot", "Bot 2", "Bot 3")]
    assert "Reboot Bots first" in await game.refused(Regroup(number, (bots[2].id,)))
    reply = await game.press("Bots reboots", 9, 8)
    assert reply.lines[0] == "Bot 2 reboots Bots and leads it."
    assert "LD tests: Bot needs 8 or less, Bot 2 needs 8 or less, Bot 3 needs 8 or less" in reply.lines
    prompts = [menu.prompt for menu in reply.menus]
    assert prompts == ["Which models are within 6 in of Bot 2?"], "asked when it is known of whom"
    assert [choice.label for choice in reply.menus[0].choices] == ["Bot", "Bot 3"]
    assert "has already rebooted" in await game.refused(Reboot(number))
    reply = await game.choose(str(bots[2].id))
    assert reply.lines[:2] == ("Bot 2 commands Bot 3.", "Bot 3 has 1 action.")
    assert "Bot moves to get within Bot 2's command distance." in reply.lines
    assert (
        "is out of command and must first move back into its leader's command distance."
        in await game.refused(Shoot("Bot", "Bex", "8"))
    )
    await game.do(Shoot("Bot 3", "Bex", "8"), 20)
    await game.done()
    assert not (await game.model("Bot")).has(Condition.REBOOTED)


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
    assert "That one has already acted this turn." in await game.refused(Activate("Beast"))
    await game.act("Rex")
    reply = await game.do(Rampage("Beast", "Rex"), 20)
    assert reply.lines[0] == "Beast rampages: Turns on its summoner."
    for _ in range(3):
        await game.do(Attack("Beast", "Rex", "8"), 20)
    assert "isn't active" in await game.refused(Attack("Beast", "Rex", "8"))


@pytest.mark.rule("WZ-RAMP-01")
@pytest.mark.usefixtures("acting")
async def test_a_blinded_model_has_one_attack(game: Skirmish) -> None:
    await game.add("Red", "Beast", RIFLE)
    await game.begin()
    reply = await game.do(Rampage("Beast"), 20)
    assert "Beast is blinded instead, because it has no summoner in play." in reply.lines
    assert (await game.model("Beast")).has(Condition.BLINDED), "without a summoner it is blinded"
    assert "Beast: 2 actions." in (await game.act("Beast")).lines
    await game.do(Shoot("Beast", "Bex", "8"), 20)
    assert "is blinded by its rampage and has already made its one attack." in await game.refused(
        Shoot("Beast", "Bex", "8")
    )


@pytest.mark.rule("WZ-RAMP-01")
@pytest.mark.usefixtures("acting")
async def test_a_dominated_model_need_not_roll_by_that_setting(game: Skirmish) -> None:
    await game.setting("rampage trigger", "no domination")
    await game.do(Dominate("Rex"))
    assert "is dominated this turn" in await game.refused(Rampage("Rex"))


@pytest.mark.usefixtures("acting")
async def test_only_where_it_changes_anything_a_model_is_dominated(game: Skirmish) -> None:
    """Else it would be offered for every model of the table."""
    assert "isn't wracked." in await game.refused(Dominate("Rex"))
    await game.begin()
    await game.do(Rampage("Rex"), 11)
    await game.do(Dominate("Rex"))


@pytest.mark.rule("WZ-AMOK-02")
@pytest.mark.usefixtures("acting")
async def test_a_machine_that_tested_alone_runs_amok_alone(game: Skirmish) -> None:
    await game.add("Red", "Bot", "machine, ai 2", RIFLE, squad="Bots", count=2)
    reply = await game.do(Morale(model="Bot"), 11, 7)
    assert "Bot rolls Reboot on the amok table." in reply.lines
    assert (await game.model("Bot")).count("lost_actions") == 2
    assert (await game.model("Bot 2")).count("lost_actions") == 0


@pytest.mark.rule("WZ-RAMP-02")
async def test_a_rampage_uses_up_this_turn_s_activation_alone(game: Skirmish) -> None:
    await game.add("Red", "Imp", RIFLE, SWORD, squad="Imps", count=2)
    await game.begin()
    await game.act("Imps")
    await game.done()
    await game.do(Rampage("Imp"), 2)
    assert (await game.model("Imp")).count("lost_actions") == 0, "That one has already acted this turn."


async def test_odds_of_charts_are_their_rows(game: Skirmish) -> None:
    odds = await game.asks(RollChart("unhinged", "Rex", odds=True))
    assert odds.lines[1:5] == (
        "Crippling Fear     55% ########",
        "Forced Regression  30% ####",
        "Derangement        10% ##",
        "Horror              5% #",
    )
    odds = await game.asks(RollChart("wreck", "Rex", odds=True))
    assert "You can't roll on this chart yet, because Rex isn't a wreck." in odds.lines
    assert {button.label for button in odds.buttons} <= {"Compare", "Change..."}
