"""Whom a template astray, a wreck's blast or a Mind Storm struck is asked on the panel until it is said."""

from __future__ import annotations

import pytest

from bot.games.warzone.duties import ShowOwed
from bot.games.warzone.power_actions import Channel
from bot.games.warzone.shots import Shoot, Template
from bot.replies.reply import Reply
from bot.table.game import game_of
from bot.table.journal.history import Undo
from bot.table.request import Answer
from bot.table.session.models import NoteModel
from bot.table.session.possible_actions import add_action_buttons
from tests.bot.waited import waited_for
from tests.bot.warzone.skirmish import CANNON, MORTAR, RIFLE, Skirmish, tank

UNDER, NEAR = "Choose models under the template...", "Choose models near Tank..."
ASTRAY = "Waiting for anna. Gunner's Mortar template deviated. Which models are under it?"
BLOWS = "Anyone can answer: Tank blows up. Which models are within 1 in?"


async def panel(game: Skirmish) -> Reply:
    encounter = await game.table.encounter()
    return add_action_buttons(encounter, game_of(encounter).panel(encounter))


async def first(game: Skirmish) -> tuple[str, str]:
    """The panel's first line, and its first button."""
    return waited_for(await game.table.encounter()), (await panel(game)).buttons[0].label


async def something_else(game: Skirmish) -> None:
    """What somebody does meanwhile: what was shown before is stale."""
    await game.bo(NoteModel("Bex", "limps"))


async def answered(game: Skirmish, who: str = "anna") -> Answer:
    """The question anew, as the panel's button asks it."""
    game.last = await game.table.do(who, ShowOwed())
    return game.last


async def goes_astray(game: Skirmish) -> None:
    await game.add("Red", "Gunner", MORTAR)
    await game.do(Template("Gunner", "Bex", "8"), 20, 14, 6)


async def is_settled(game: Skirmish) -> bool:
    said, button = await first(game)
    again = await game.table.do("anna", ShowOwed())
    return (
        "who" not in said
        and button not in (UNDER, NEAR)
        and "That question has already been answered, so nothing has changed." in again.reply.text
    )


@pytest.mark.rule("WZ-TMPL-02")
@pytest.mark.usefixtures("acting")
async def test_a_template_astray_is_asked_on_the_panel_until_it_lands(game: Skirmish) -> None:
    await goes_astray(game)
    assert await first(game) == (ASTRAY, UNDER)
    others = [one.label for one in (await panel(game)).buttons]
    assert others == [UNDER, "More...", "Undo", "Log"], "what goes on after the answer is left out"
    await something_else(game)
    await game.done()
    assert await first(game) == (ASTRAY, UNDER)
    asked = await answered(game)
    assert asked.reply.private
    assert asked.reply.menus[0].prompt == "Which models are under the template, even partly?"
    landed = await game.choose(await game.number("Rex"), faces=(11,))
    assert landed.lines[:2] == ("The Mortar template lands on Rex.", "Rex: 1 wound, out of play")
    assert await is_settled(game)
    await game.do(Undo())
    assert await first(game) == (ASTRAY, UNDER)
    assert not await game.gone("Rex")


@pytest.mark.rule("WZ-TMPL-02")
@pytest.mark.usefixtures("acting")
async def test_it_lands_from_its_reply_too_and_only_once(game: Skirmish) -> None:
    await goes_astray(game)
    shown = game.last
    await something_else(game)
    game.last = shown
    assert (await game.choose(await game.number("Rex"), faces=(11,))).lines[
        0
    ] == "The Mortar template lands on Rex."
    assert shown
    late = await game.table.choose("anna", shown, await game.number("Bex"))
    assert not late.changed
    assert "Gunner's Mortar template has already landed" in late.reply.text


@pytest.mark.rule("WZ-TMPL-02")
@pytest.mark.usefixtures("acting")
async def test_it_may_hit_nobody_and_is_gone_with_its_shot(game: Skirmish) -> None:
    await goes_astray(game)
    shown = game.last
    await answered(game)
    assert (await game.press("No models under the template")).lines == (
        ("The Mortar template hits no model."),
    )
    assert await is_settled(game)
    await game.do(Undo())
    assert await first(game) == (ASTRAY, UNDER)
    await game.do(Undo())
    assert await is_settled(game)
    assert shown
    assert not (await game.table.choose("anna", shown, await game.number("Bex"))).changed


@pytest.mark.rule("WZ-TMPL-02")
@pytest.mark.usefixtures("acting")
async def test_each_of_two_is_asked_for_and_by_who_shot_alone(game: Skirmish) -> None:
    await goes_astray(game)
    await game.do(Template("Gunner", "Bex", "8"), 19, 14, 6)
    assert "not yours" in (await answered(game, "bo")).reply.text
    for _ in range(2):
        assert await first(game) == (ASTRAY, UNDER)
        await answered(game)
        await game.press("No models under the template")
    assert await is_settled(game)


@pytest.mark.rule("WZ-WRECK-01")
@pytest.mark.usefixtures("acting")
async def test_a_wreck_that_blows_up_is_asked_on_the_panel_until_it_is_rolled(game: Skirmish) -> None:
    await tank(game, WD=1)
    await game.add("Red", "Gunner", CANNON)
    await game.do(Shoot("Gunner", "Tank", "8"), 5, 15, 20)
    assert await first(game) == (BLOWS, NEAR)
    await something_else(game)
    asked = await answered(game)
    near = await game.table.choose("anna", asked, await game.number("Rex"))
    assert await first(game) == (BLOWS, NEAR), "nothing is rolled yet"
    game.last = near
    assert (await game.press("Roll", 13)).lines[:2] == ("Tank blows up (DM 9).", "Rex: no wound")
    assert await is_settled(game)
    late = await game.table.press("anna", near, "Roll")
    assert not late.changed
    assert "Tank has already blown up" in late.reply.text
    await game.do(Undo())
    assert await first(game) == (BLOWS, NEAR)
    await answered(game)
    blown = await game.press("No other models near the wreck")
    assert blown.lines == ("Tank blows up (DM 9).", "No models are near the wreck.")
    assert await is_settled(game)


@pytest.mark.rule("WZ-BACK-04")
@pytest.mark.usefixtures("acting")
async def test_a_mind_storm_is_asked_on_the_panel_until_it_is_rolled(game: Skirmish) -> None:
    await game.add("Red", "Mage", RIFLE, PW=12, WD=2)
    await game.do(Channel("Mage", 4), 20, 20)
    question = "Waiting for anna. Which other models are in Mage's Mind Storm?"
    asks = (question, "Choose models in the Mind Storm...")
    assert await first(game) == asks
    await something_else(game)
    await answered(game)
    storm = await game.press("No other models in the storm", 7)
    assert storm.lines[:2] == ("Mind Storm: 1 wound.", "Mage: 1 wound (1 of 2 left)")
    assert await is_settled(game)
    await game.do(Undo())
    assert await first(game) == asks


@pytest.mark.rule("WZ-WRECK-01", "WZ-DIVE-01")
@pytest.mark.usefixtures("acting")
async def test_a_blast_waits_for_the_dives_of_models_on_wait(game: Skirmish) -> None:
    await tank(game, WD=1)
    await game.add("Red", "Gunner", CANNON)
    await game.do(Shoot("Gunner", "Tank", "8"), 5, 15, 20)
    await game.under("Bex", "waiting")
    asked = await answered(game)
    game.last = await game.table.choose("anna", asked, await game.number("Bex"))
    held = await game.press("Roll")
    assert held.lines == ("Tank is about to blow up.", "bo can react with Bex (60 seconds).")
    assert held.buttons[0].label == "Bex dives"
    reply = await game.press("Nobody reacts", 13, who="bo")
    assert reply.lines[:2] == ("Tank blows up (DM 9).", "Bex: no wound")
