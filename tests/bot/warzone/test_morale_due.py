"""When morale is tested, and by whom: for losses, for an ability or power, alone out of command."""

from __future__ import annotations

import pytest

from bot.games.warzone.activation import Activate
from bot.games.warzone.game import Warzone
from bot.games.warzone.morale_actions import Morale
from bot.games.warzone.unit_actions import CheckCommandDistance
from bot.table.session.encounters import NextStep
from bot.table.session.models import DamageModel, RemoveModel
from tests.bot.waited import waited_for
from tests.bot.warzone.skirmish import RIFLE, SWORD, Skirmish


async def five(game: Skirmish) -> None:
    await game.add("Blue", "Lead", "leader", RIFLE, SWORD, squad="Five", LD=11)
    await game.add("Blue", "Man", squad="Five", count=4)


@pytest.mark.rule("WZ-MORALE-01")
async def test_a_squad_that_owes_no_test_takes_none(game: Skirmish) -> None:
    await five(game)
    await game.begin()
    await game.act("Rex")
    for name in ("Man", "Man 2"):
        await game.bo(RemoveModel(name))
    refusal = await game.refused(Morale("Five"), "bo")
    assert "if it has lost at least 3 of its 5 models by then (2 lost so far)." in refusal
    assert "WZ-MORALE-01" in refusal
    await game.bo(RemoveModel("Man 3"))
    assert "(3 lost so far)" in await game.refused(Morale("Five"), "bo"), "due when the activation ends"
    await game.done()
    await game.bo(Morale("Five"), 11)
    assert "doesn't need a morale test" in await game.refused(Morale("Five"), "bo"), (
        "one test for one activation"
    )


@pytest.mark.rule("WZ-MORALE-05")
async def test_nor_does_a_single_model(game: Skirmish) -> None:
    await game.add("Blue", "Hero", WD=3)
    await game.begin()
    assert "was wounded, if it has taken at least 2 wounds" in await game.refused(Morale("Hero"), "bo")


@pytest.mark.rule("WZ-MORALE-01", "WZ-MORALE-02")
async def test_an_ability_or_power_calls_for_a_test_at_once(game: Skirmish) -> None:
    await five(game)
    await game.begin()
    reply = await game.bo(Morale("Five", effect="Howl"), 12)
    assert reply.lines[:2] == (
        "Five failed the morale test caused by Howl.",
        "5 models of Five are Panicked.",
    )
    await game.act("Rex")
    for name in ("Man", "Man 2", "Man 3"):
        await game.bo(RemoveModel(name))
    await game.done()
    await game.bo(Morale("Five", effect="Howl"), 8)
    assert "Five must take its morale test first" in await game.refused(Activate("Bex"), "bo"), (
        "the losses' test"
    )
    assert (await game.bo(Morale("Man 4"), 7)).lines[0] == ("Five passed the morale test."), (
        "named by its model"
    )


async def test_odds_of_a_test_that_is_not_owed_offer_no_roll(game: Skirmish) -> None:
    await five(game)
    await game.begin()
    odds = await game.asks(Morale("Five", odds=True), "bo")
    assert odds.lines[0] == "Morale test for Five: 11 or less"
    assert "This test isn't due yet." in odds.lines
    assert {button.label for button in odds.buttons} <= {"Compare", "Change..."}
    assert [b.label for b in (await game.asks(Morale("Five", effect="Howl", odds=True))).buttons] == [
        "Test",
        "Compare",
        "Change...",
    ]


@pytest.mark.rule("WZ-MORALE-02", "WZ-CMD-04", "WZ-TEST-07")
async def test_who_is_out_of_command_tests_alone_on_its_own_ld(game: Skirmish) -> None:
    await five(game)
    await game.bo(CheckCommandDistance("Man 4", 7))
    await game.begin()
    await game.act("Rex")
    for name in ("Man", "Man 2", "Man 3"):
        await game.bo(RemoveModel(name))
    await game.done()
    reply = await game.bo(Morale("Five"), 12)
    assert reply.lines[:2] == ("Five failed the morale test.", "Lead is Panicked.")
    assert "Man 4 is out of command and must take its own morale test." in reply.lines
    assert not (await game.model("Man 4")).panicked
    panel = Warzone().panel(await game.table.encounter())
    assert "Morale test due: Man 4" in panel.lines
    labels = [button.label for button in panel.buttons]
    assert "Morale: Man 4" in labels
    assert "Next turn" not in labels, "it would be refused"
    assert "Man 4 must take its morale test first" in await game.refused(Activate("Bex"), "bo")
    assert "Man 4 must take its morale test first" in await game.refused(NextStep())
    reply = await game.press("Morale: Man 4", 11, who="bo")
    assert "Morale: 10 or less (LD 10)" in reply.lines
    assert reply.lines[:2] == ("Man 4 failed the morale test.", "Man 4 is Panicked.")
    await game.act("Bex", "bo")


@pytest.mark.rule("WZ-CMD-04")
async def test_without_a_leader_nobody_is_out_of_command(game: Skirmish) -> None:
    await five(game)
    await game.bo(CheckCommandDistance("Man 4", 7))
    await game.begin()
    await game.act("Rex")
    for name in ("Lead", "Man", "Man 2"):
        await game.bo(RemoveModel(name))
    await game.done()
    assert "2 models of Five are Panicked." in (await game.bo(Morale("Five"), 11)).lines


@pytest.mark.rule("WZ-MORALE-05")
async def test_half_the_wounds_are_tested_when_the_activation_ends(game: Skirmish) -> None:
    await game.add("Blue", "Hero", WD=3)
    await game.begin()
    await game.act("Rex")
    await game.bo(DamageModel("Hero", 2))
    assert "doesn't need a morale test" in await game.refused(Morale("Hero"), "bo")
    await game.done()
    await game.bo(Morale("Hero"), 1)


async def test_the_panel_waits_for_whoever_plays_the_side_that_tests(game: Skirmish) -> None:
    await five(game)
    await game.begin()
    await game.act("Rex")
    for name in ("Man", "Man 2", "Man 3"):
        await game.bo(RemoveModel(name))
    await game.done()
    assert waited_for(await game.table.encounter()) == "Waiting for bo to take the morale test for Five."


@pytest.mark.rule("WZ-TEST-07")
async def test_no_unit_is_offered_before_the_test_is_taken(game: Skirmish) -> None:
    await five(game)
    await game.begin()
    await game.act("Rex")
    for name in ("Man", "Man 2", "Man 3"):
        await game.bo(RemoveModel(name))
    done = await game.done()
    assert not done.menus
    panel = Warzone().panel(await game.table.encounter())
    assert not panel.menus
    assert panel.buttons[0].label == "Morale: Five"
    assert "must take its morale test first. Use /wz morale." in await game.refused(Activate("Bex"), "bo")
    await game.bo(Morale("Five"), 11)
    assert [menu.prompt for menu in Warzone().panel(await game.table.encounter()).menus] == [
        "Blue: choose a unit to activate"
    ]


async def test_rallying_is_offered_where_somebody_may(game: Skirmish) -> None:
    """A vehicle or beast without an officer is told nothing that nobody can do."""
    await game.add("Blue", "Hero", WD=2)
    await game.begin()
    await game.act("Rex")
    await game.bo(DamageModel("Hero", 1))
    await game.done()
    failed = await game.bo(Morale("Hero"), 20)
    assert "Hero is Panicked." in failed.lines
    assert "rally" not in failed.text
