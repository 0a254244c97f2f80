"""The turn: initiative, rounds of alternating units, actions, orders, what ends when."""

from __future__ import annotations

import pytest

from bot.games.warzone.activation import Activate, BeginRound, Done
from bot.games.warzone.chart_actions import RollChart
from bot.games.warzone.close_combat_actions import Charge, Fight
from bot.games.warzone.move_actions import Move, SetPresence
from bot.games.warzone.power_actions import Channel
from bot.games.warzone.reactions import Wait
from bot.games.warzone.shooting_actions import Aim
from bot.games.warzone.shots import Shoot
from bot.games.warzone.turn_actions import build_unit_menus
from bot.games.warzone.unit_actions import CheckCommandDistance
from bot.games.warzone.waiting_actions import Conceal, Spot
from bot.table.rolling.dice_settings import DiceMode
from bot.table.session.encounters import NextStep
from bot.table.session.models import RemoveModel
from tests.bot.warzone.skirmish import RIFLE, Skirmish


@pytest.mark.rule("WZ-TURN-01", "WZ-TEST-05")
async def test_initiative_is_the_best_ld_and_a_die_and_ties_are_thrown_again(game: Skirmish) -> None:
    await game.add("Blue", "Chief", LD=12)
    reply = await game.do(NextStep(), 12, 10, 3, 2)
    assert reply.lines[0] == "Turn 1: Blue has the initiative."
    assert "Red: d20 + 10 (best LD)" in reply.lines
    assert "Initiative: 12+10 = 22, 10+12 = 22" in reply.lines
    assert "Initiative: 3+10 = 13, 2+12 = 14" in reply.lines


@pytest.mark.rule("WZ-TURN-02")
async def test_sides_alternate_and_a_turn_ends_when_every_unit_has_acted(game: Skirmish) -> None:
    await game.add("Blue", "Bud")
    await game.begin("Red")
    assert "It's the other side's turn to activate a unit." in await game.refused(Activate("Bex"), "bo")
    await game.act("Rex")
    assert "End the activation of the active unit first." in await game.refused(Activate("Bex"), "bo")
    assert "Blue: choose a unit to activate" in (await game.done()).lines
    await game.act("Bex", "bo")
    reply = await game.done("bo")
    assert "Blue: choose a unit to activate" in reply.lines, "Red has no unit left and is skipped"
    assert "That one has already acted this turn." in await game.refused(Activate("Bex"), "bo")
    assert "Wait until this unit has acted: Bud." in await game.refused(NextStep())
    await game.act("Bud", "bo")
    assert "Every unit has acted. The next turn can begin." in (await game.done("bo")).lines
    assert (await game.press("Next turn", 1, 20, who="bo")).lines[0] == "Turn 2: Blue has the initiative."


async def test_the_menu_offers_the_units_that_may_act(game: Skirmish) -> None:
    await game.begin("Red")
    assert game.last
    menu = game.last.reply.menus[0]
    assert [choice.label for choice in menu.choices] == ["Rex"]
    reply = await game.choose("#1")
    assert reply.lines == ("Active: Rex.", "Rex: 3 actions.")


async def test_units_acting_out_of_their_round_may_be_overridden(game: Skirmish) -> None:
    await game.begin("Red")
    answer = await game.table.do("anna", Activate("Bex"), reason="a duel")
    assert answer.changed
    assert "Override by anna: a duel" in answer.reply.lines
    assert "Active: Bex." in answer.reply.lines


@pytest.mark.rule("WZ-TURN-03")
async def test_actions_are_counted_and_models_act_one_after_another(game: Skirmish) -> None:
    await game.add("Red", "Sam", squad="Pair")
    await game.add("Red", "Tom", squad="Pair")
    assert "hasn't started" in await game.refused(Activate("Pair"))
    await game.begin("Red")
    assert "isn't active" in await game.refused(Move("Sam"))
    assert "Each model has 3 actions." in (await game.act("Pair")).lines
    for _ in range(3):
        await game.do(Move("Sam"))
    assert "needs 1 action to move (it has 0 left)" in await game.refused(Move("Sam"))
    await game.do(Move("Tom"))
    reply = await game.done()
    assert "Unused actions are lost: Tom (2 actions)." in reply.lines
    assert (await game.model("Tom")).count("actions") == 0


@pytest.mark.rule("WZ-TURN-04")
@pytest.mark.usefixtures("acting")
async def test_lost_actions_are_taken_off_once(game: Skirmish) -> None:
    await game.add("Red", "Unit", "machine", RIFLE)
    await game.add("Red", "Unit", "machine", RIFLE, count=1)
    await game.begin("Red")
    reply = await game.do(RollChart("amok", "Unit"), 7)
    assert "Reboot" in reply.lines[0]
    assert "Unit: 1 action." in (await game.act("Unit")).lines
    await game.done()
    for unit, who in (("Bex", "bo"), ("Rex", "anna"), ("Unit 2", "anna")):
        await game.act(unit, who)
        await game.done(who)
    await game.do(NextStep(), 20, 1)
    assert "Unit: 3 actions." in (await game.act("Unit")).lines


@pytest.mark.rule("WZ-ORDER-01", "WZ-SPOT-04")
async def test_a_commander_activates_a_unit_inside_his_own_activation(game: Skirmish) -> None:
    await game.add("Red", "Chief", "commander, individual", RIFLE)
    await game.bo(Conceal("Bex"))
    await game.begin("Red")
    assert "can give orders only during its own activation." in await game.refused(Activate("Rex", "Chief"))
    reply = await game.act("Chief")
    await game.do(Spot("Chief", "Bex"), 5)
    assert "doesn't have the Commander ability." not in reply.text
    ordered = await game.do(Activate("Rex", "Chief"))
    assert ordered.lines[0] == "Chief orders Rex to act."
    assert (await game.model("Chief")).count("actions") == 1
    await game.do(Shoot("Rex", "Bex", "8"), 20)
    reply = await game.done()
    assert "Chief continues its activation." in reply.lines
    await game.do(Move("Chief"))
    await game.done()
    await game.act("Bex", "bo")
    reply = await game.done("bo")
    assert "Every unit has acted. The next turn can begin." in reply.lines, "the ordered unit has acted"


@pytest.mark.rule("WZ-ORDER-01")
async def test_one_order_a_turn_and_only_by_commanders(game: Skirmish) -> None:
    await game.add("Red", "Chief", "commander", RIFLE)
    await game.add("Red", "Sam")
    await game.begin("Red")
    await game.act("Rex")
    assert "doesn't have the Commander ability." in await game.refused(Activate("Sam", "Rex"))
    await game.done()
    await game.act("Bex", "bo")
    await game.done("bo")
    await game.act("Chief")
    await game.do(Activate("Sam", "Chief"))
    await game.done()
    await game.add("Red", "Late")
    assert "has already given an order this turn." in await game.refused(Activate("Late", "Chief"))


async def test_an_order_is_offered_while_an_action_is_left_for_it(game: Skirmish) -> None:
    await game.add("Red", "Chief", "commander, individual", RIFLE)
    await game.begin("Red")
    reply = await game.act("Chief")
    for left in (2, 1, 0):
        assert any("give an order" in menu.prompt for menu in build_unit_menus(await game.table.encounter()))
        reply = await game.do(Move("Chief"))
        assert f"Chief: {left} action{'s' * (left != 1)} left." in reply.lines
    assert not build_unit_menus(await game.table.encounter())


@pytest.mark.rule("WZ-ORDER-01", "WZ-BROKEN-02")
async def test_who_dares_not_orders_nobody_and_the_odds_say_how_likely_that_is(game: Skirmish) -> None:
    await game.add("Red", "Chief", "commander, individual", RIFLE)
    await game.under("Chief", "broken")
    await game.begin("Red")
    await game.act("Chief")
    await game.do(Move("Chief", bearing="away"))
    odds = await game.asks(Activate("Rex", "Chief", odds=True))
    assert odds.lines[:2] == (
        "Rex can act now.",
        "Chief must pass a nerve test first (20% chance of passing)",
    ), "LD 10 - 6"
    reply = await game.do(Activate("Rex", "Chief"), 5)
    assert reply.lines[0] == "Chief fails its nerve test and flees."
    assert "actions" not in dict((await game.model("Rex")).counters), "it was not activated"


@pytest.mark.rule("WZ-TURN-02")
async def test_the_winner_may_choose_who_starts(game: Skirmish) -> None:
    await game.setting("initiative choice", "yes")
    await game.begin("Red")
    assert game.last
    labels = [button.label for button in game.last.reply.buttons]
    assert labels[:2] == ["Red starts", "Blue starts"]
    assert "can do this for Red" in await game.refused(BeginRound(2), "bo")
    reply = await game.do(BeginRound(2))
    assert reply.lines == ("Blue starts.", "Blue: choose a unit to activate")


@pytest.mark.rule("WZ-CMD-01", "WZ-CMD-02", "WZ-CMD-04")
async def test_out_of_command_a_model_must_come_back(game: Skirmish) -> None:
    await game.add("Red", "Sarge", "leader", RIFLE, squad="Pair")
    await game.add("Red", "Sam", squad="Pair")
    await game.begin("Red")
    await game.act("Pair")
    reply = await game.do(CheckCommandDistance("Sam", 6.5))
    assert reply.lines[0] == "Sam is out of command."
    assert (
        "is out of command and must first move back into its leader's command distance."
        in await game.refused(Shoot("Sam", "Bex", "8"))
    )
    await game.do(Move("Sam"))
    reply = await game.do(CheckCommandDistance("Sam", 6))
    assert reply.lines[0] == "Sam is within command distance of Sarge."
    await game.do(Shoot("Sam", "Bex", "8"), 20)


@pytest.mark.rule("WZ-CMD-04")
async def test_another_commander_s_distance_is_told_and_not_remembered(game: Skirmish) -> None:
    await game.add("Red", "Sarge", "leader", RIFLE, squad="Pair")
    await game.add("Red", "Sam", squad="Pair")
    await game.add("Red", "Chief", "officer", RIFLE)
    reply = await game.asks(CheckCommandDistance("Sam", 9, of="Chief"))
    assert reply.lines == (
        "Sam is out of command.",
        "Chief's command distance is 8 in, and Sam is 9 in away.",
    )
    await game.begin("Red")
    await game.act("Pair")
    await game.do(Shoot("Sam", "Bex", "8"), 20)


@pytest.mark.rule("WZ-CMD-04")
async def test_out_of_command_may_be_a_mark_only(game: Skirmish) -> None:
    await game.setting("out of command", "mark only")
    await game.add("Red", "Sarge", "leader", RIFLE, squad="Pair")
    await game.add("Red", "Sam", squad="Pair")
    await game.begin("Red")
    await game.act("Pair")
    await game.do(CheckCommandDistance("Sam", 20))
    await game.do(Shoot("Sam", "Bex", "8"), 20)


async def test_a_turn_needs_two_sides_with_models(game: Skirmish) -> None:
    await game.bo(RemoveModel("Bex"))
    assert "At least two sides need models" in await game.refused(NextStep())


async def test_done_needs_a_unit_that_acts(game: Skirmish) -> None:
    await game.begin()
    assert "No unit is active. Activate one first." in await game.refused(Done())


async def test_an_organiser_may_let_pass_what_the_rules_refuse(game: Skirmish) -> None:
    await game.do(DiceMode("bot"))
    await game.under("Rex", "panicked", "prone")
    await game.bo(Conceal("Bex"))
    await game.do(NextStep())
    if "Blue: choose a unit" in (game.last.reply.text if game.last else ""):
        await game.bo(Activate("Bex"))
        await game.done("bo")
    await game.act("Rex")
    for action, said in (
        (Charge("Rex", "Bex"), "Overridden: Rex is Panicked and can't charge. Rally it first."),
        (Shoot("Rex", "Bex", "8"), "Overridden: Rex is prone and can't shoot. Stand up first."),
        (Spot("Rex", "Bex"), "Overridden: Rex is Panicked and can't spot. Rally it first."),
        (Aim("Rex", "Bex"), "Overridden: Rex is Panicked and can't aim. Rally it first."),
        (Fight("Rex", "Bex"), "Overridden: Rex is prone and can't attack. Stand up first."),
        (SetPresence("Rex", "minimized"), "Rex minimizes presence (-2 to shots at it)."),
        (
            Channel("Rex", 3),
            "Overridden: Rex is Panicked and can't channel a power. Rally it first.",
        ),
        (Wait("Rex"), "Rex waits."),
    ):
        answer = await game.table.do("anna", action, reason="a story")
        assert answer.changed, answer.reply.text
        assert said in answer.reply.lines, answer.reply.text
        assert answer.reply.lines.count(said) == 1


@pytest.mark.rule("WZ-CMD-04")
@pytest.mark.usefixtures("acting")
async def test_a_model_out_of_command_is_asked_how_far_it_came(game: Skirmish) -> None:
    await game.add("Red", "Sarge", "leader", RIFLE, squad="Pair")
    await game.add("Red", "Sam", squad="Pair")
    await game.do(CheckCommandDistance("Sam", 9))
    reply = await game.do(Move("Sam", terrain="rough"))
    assert reply.lines[:2] == ("Sam moves up to 2.5 in.", "The move crosses rough terrain.")
    button = next(one for one in reply.buttons if one.label == "Check command distance")
    assert button.form
    await game.do(CheckCommandDistance("Sam", 6))
    assert not any(one.label == "Check command distance" for one in (await game.do(Move("Sam"))).buttons)
