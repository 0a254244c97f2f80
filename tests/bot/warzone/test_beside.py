"""What stands below a reply that may have scrolled away stands on the panel too, while it may be done."""

from __future__ import annotations

import pytest

from bot.games.warzone.activation import BeginRound, Done
from bot.games.warzone.break_away_actions import BreakAway, LetGo
from bot.games.warzone.chart_actions import RollChart
from bot.games.warzone.close_combat_actions import Charge, Fight, SetContact
from bot.games.warzone.duties import ShowOwed
from bot.games.warzone.move_actions import Move
from bot.games.warzone.reactions import React, Wait
from bot.games.warzone.unhinged_actions import Reboot, Regroup
from bot.games.warzone.unit_actions import CheckCommandDistance
from bot.replies.reply import Button, Reply
from bot.table.game import game_of
from bot.table.journal.history import Undo
from bot.table.session.models import NoteModel
from bot.table.session.possible_actions import add_action_buttons
from tests.bot.waited import waited_for
from tests.bot.warzone.skirmish import RIFLE, SWORD, Skirmish

LET_GO = "Rex wants to leave close combat. Will you let it go?"


async def panel(game: Skirmish) -> Reply:
    encounter = await game.table.encounter()
    return add_action_buttons(encounter, game_of(encounter).panel(encounter))


async def labels(game: Skirmish) -> list[str]:
    return [button.label for button in (await panel(game)).buttons]


async def press(game: Skirmish, label: str, *faces: int, who: str = "anna") -> Reply:
    found = next(one for one in (await panel(game)).buttons if one.label == label)
    return await game.do(found.action, *faces, who=who)


async def button(game: Skirmish, label: str) -> Button:
    return next(one for one in (await panel(game)).buttons if one.label == label)


async def waiting(game: Skirmish) -> None:
    await game.begin("Blue")
    await game.act("Bex", "bo")
    await game.bo(Move("Bex"))
    await game.bo(Move("Bex"))
    await game.bo(Wait("Bex"))
    await game.done("bo")
    assert "React..." not in await labels(game)
    await game.act("Rex")


@pytest.mark.rule("WZ-WAIT-02", "WZ-WAIT-03")
async def test_who_is_on_wait_reacts_and_fires_from_the_panel(game: Skirmish) -> None:
    await waiting(game)
    await game.do(Move("Rex"))
    react = await button(game, "React...")
    assert react.asks
    assert (react.action.model.name, react.action.enemy.name) == ("Bex", "Rex")  # type: ignore[attr-defined]
    await game.bo(React("Bex", "fire", "Rex"), 10)
    await game.do(NoteModel("Rex", "something else"))
    fires = await button(game, "Bex fires...")
    assert "React..." not in await labels(game)
    assert (fires.asks, fires.action.target) == (True, f"#{await game.number('Rex')}")  # type: ignore[attr-defined]
    assert "bo can react with Bex" in await game.refused(Done()), "it owes the shot"
    await game.bo((await button(game, "Nobody reacts")).action)
    await game.done()
    assert "Bex fires..." not in await labels(game), "what was permitted ends with the activation"


@pytest.mark.rule("WZ-WAIT-04")
async def test_blows_of_a_countercharge_stand_on_the_panel_until_they_are_struck(game: Skirmish) -> None:
    await waiting(game)
    await game.do(Charge("Rex", "Bex"))
    await game.press("Bex countercharges", 5, who="bo")
    reply = await press(game, "Both attack", 9, 20, 9, 20, who="bo")
    assert reply.lines[:2] == ("Bex hits Rex: 1 wound, out of play.", "Rex hits Bex: 1 wound, out of play.")
    assert "Both attack" not in await labels(game)


@pytest.mark.rule("WZ-DIVE-01")
async def test_a_dive_is_asked_on_the_panel_until_it_is_said_where_it_ended(game: Skirmish) -> None:
    await waiting(game)
    await game.bo(React("Bex", "dive", "Rex", "template"), 5)
    assert (
        waited_for(await game.table.encounter())
        == "Waiting for bo. Bex dives for cover. Where does it end up?"
    )
    assert (await labels(game))[0] == "Choose where Bex's dive ends..."
    assert "not yours" in await game.refused(ShowOwed())
    asked = await game.asks(ShowOwed(), "bo")
    assert [one.label for one in asked.buttons] == [
        "Bex gets clear (moving up to 4 in)",
        "Bex gets clear but is Prone (moving up to 5 in)",
        "Bex doesn't get clear and is Prone",
    ]
    await game.press("Bex gets clear (moving up to 4 in)", who="bo")
    assert "Choose where Bex's dive ends..." not in await labels(game)


@pytest.mark.rule("WZ-BROKEN-01", "WZ-CMD-04")
async def test_a_broken_model_flees_from_the_panel_before_anything_else(game: Skirmish) -> None:
    await game.under("Rex", "broken")
    await game.begin()
    await game.act("Rex")
    reply = await press(game, "Rex flees")
    assert "directly away" in reply.lines[0]
    assert "Rex flees" not in await labels(game)


@pytest.mark.rule("WZ-UNH-05")
async def test_a_deranged_model_turns_and_attacks_from_the_panel(game: Skirmish) -> None:
    await game.under("Rex", "broken", "derangement")
    await game.begin()
    await game.act("Rex")
    await press(game, "Roll Rex's direction", 6)
    assert "Roll Rex's direction" not in await labels(game)
    assert "Rex attacks..." in await labels(game)
    await press(game, "No model in that direction")
    assert not {"Rex attacks...", "No model in that direction"} & set(await labels(game))


@pytest.mark.rule("WZ-BREAK-01")
async def test_whoever_is_asked_to_let_go_is_asked_on_the_panel(game: Skirmish) -> None:
    await game.begin()
    await game.act("Rex")
    await game.do(Charge("Rex", "Bex"))
    before = game.table.state()
    await game.do(BreakAway("Rex", let_go=True))
    assert waited_for(await game.table.encounter()) == f"Waiting for bo. {LET_GO}"
    await game.do(Undo())
    assert game.table.state() == before
    await game.do(BreakAway("Rex", let_go=True))
    assert "Only bo can do this" in await game.refused(ShowOwed())
    asked = await game.asks(ShowOwed(), "bo")
    assert [one.label for one in asked.buttons] == ["Let it go", "Try to hold it"]
    await game.press("Try to hold it", who="bo")
    assert "Decide whether Rex may leave..." not in await labels(game)
    await game.do(BreakAway("Rex", let_go=True))
    await game.do(LetGo("Rex"), who="bo")
    assert "Decide whether Rex may leave..." not in await labels(game)


@pytest.mark.rule("WZ-AMOK-04", "WZ-AMOK-05")
async def test_a_squad_reboots_and_regroups_from_the_panel(game: Skirmish) -> None:
    await game.add("Red", "Bot", "machine, ai 2", RIFLE, squad="Bots", count=3)
    await game.begin()
    await game.do(RollChart("amok", "Bot"), 19)
    await game.act("Bots")
    await press(game, "Bots reboots", 8)
    assert "Bots reboots" not in await labels(game)
    assert (
        waited_for(await game.table.encounter())
        == "Waiting for anna. Bot now leads Bots. Which models are within command distance?"
    )
    number = (await game.squad("Bot")).id
    assert "has already rebooted" in await game.refused(Reboot(number))
    await game.do(Regroup(number))
    assert "Choose models near Bot..." not in await labels(game)


@pytest.mark.rule("WZ-TURN-02")
async def test_who_starts_is_chosen_on_the_panel_until_a_unit_acts(game: Skirmish) -> None:
    await game.setting("initiative_choice", "yes")
    await game.begin()
    assert {"Red starts", "Blue starts"} <= set(await labels(game))
    assert (await button(game, "Blue starts")).action == BeginRound(2)
    await press(game, "Blue starts")
    await game.act("Bex", "bo")
    assert not {"Red starts", "Blue starts"} & set(await labels(game))


@pytest.mark.rule("WZ-CMD-04")
async def test_who_is_out_of_command_is_asked_on_the_panel_how_far_it_is(game: Skirmish) -> None:
    await game.add("Red", "Boss", "leader", RIFLE, squad="Squad")
    await game.add("Red", "Grunt", RIFLE, squad="Squad")
    await game.do(CheckCommandDistance("Grunt", 40))
    await game.begin()
    await game.act("Squad")
    await game.do(Move("Grunt"))
    assert (await button(game, "Check command distance")).action == CheckCommandDistance(
        await game.model("Grunt")
    )


@pytest.mark.rule("WZ-MORALE-01")
async def test_who_a_dire_model_wounded_in_its_area_tests_from_the_panel(game: Skirmish) -> None:
    await game.add("Red", "Fiend", "dire 2", RIFLE, SWORD, CC=12)
    await game.add("Blue", "Bull", WD=3)
    await game.begin()
    await game.act("Fiend")
    await game.do(SetContact("Fiend", "Bull"))
    await game.do(Fight("Fiend", "Bull"), 5, 20)
    test = "Morale (Dire area): Bull"
    assert test in await labels(game)
    reply = await press(game, test, 9, who="bo")
    assert reply.lines[:2] == ("Bull failed the morale test.", "Bull is Panicked.")
    assert "Morale: 8 or less (LD 10 -2)" in reply.lines
    assert test not in await labels(game)
    await game.do(Undo(), who="bo")
    assert test in await labels(game)
    await game.done()
    assert test not in await labels(game), "what the table does not say in the activation is let go"


@pytest.mark.rule("WZ-MORALE-01")
async def test_a_squad_tests_from_the_panel_for_whom_a_dire_model_killed(game: Skirmish) -> None:
    await game.add("Red", "Fiend", "dire 2", RIFLE, SWORD, CC=12)
    await game.add("Blue", "Cow", RIFLE, squad="Herd", count=4)
    await game.begin()
    await game.act("Fiend")
    await game.do(SetContact("Fiend", "Cow"))
    await game.do(Fight("Fiend", "Cow"), 5, 20)
    assert "Morale (Dire area): Herd" in await labels(game)
    await press(game, "Morale (Dire area): Herd", 5, who="bo")
    assert "Morale (Dire area): Herd" not in await labels(game)


@pytest.mark.rule("WZ-MORALE-01")
async def test_no_test_is_due_for_a_squad_whose_last_model_a_dire_model_killed(game: Skirmish) -> None:
    await game.add("Red", "Fiend", "dire 2", RIFLE, SWORD, CC=12)
    await game.begin()
    await game.act("Fiend")
    await game.do(SetContact("Fiend", "Bex"))
    reply = await game.do(Fight("Fiend", "Bex"), 5, 20)
    assert "out of play" in reply.lines[0]
    assert not any("morale test" in line for line in reply.lines)
    assert not any(label.startswith("Morale") for label in await labels(game))


@pytest.mark.rule("WZ-ORDER-01")
async def test_the_panel_names_the_commanders_who_can_still_give_an_order(game: Skirmish) -> None:
    async def commanders() -> list[str]:
        return [
            line.partition(": ")[2] for line in (await panel(game)).lines if line.startswith("Commanders")
        ]

    await game.add("Red", "Chief", "commander, individual", RIFLE)
    await game.begin()
    assert await commanders() == ["Chief"]
    await game.act("Chief")
    assert await commanders() == ["Chief"]
    for _ in range(3):
        await game.do(Move("Chief"))
    assert await commanders() == []
    await game.done()
    assert await commanders() == []
