"""A model that players made active by hand holds the draw up as one that a token activated."""

from __future__ import annotations

import pytest

from bot.games.counterblast.core.common import read_bag
from bot.games.counterblast.turn.bag import DrawToken, PassDraw
from bot.table.encounter import Encounter
from bot.table.game import game_of
from bot.table.journal.history import Undo
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from bot.table.session.models import AddCondition
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Condition
from tests.bot.arranging import arrange
from tests.bot.tables import Table


@pytest.fixture
async def game(table: Table) -> Table:
    """Turn 1 of the demo: anna's Sally acts, by hand, before anybody drew."""
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    await table.done("anna", NextStep())
    await table.done("anna", AddCondition("Sally", "active"))
    return table


async def acting(table: Table) -> list[str]:
    encounter = await table.encounter()
    return [row.name for row in encounter.models() if encounter.condition(row.id, Condition.ACTIVE)]


@pytest.mark.rule("CB-BAG-04")
async def test_a_draw_asks_whether_her_activation_ends_and_then_ends_it(game: Table) -> None:
    before = read_bag(await game.encounter())
    assert before.drawer == 0, "anna draws first"
    asked = await game.do("anna", DrawToken(asks=True))
    assert asked.reply.lines[0] == "Sally Starfield has 2 actions left."
    assert not asked.changed
    assert "'s activation." in await game.refused("bo", DrawToken())
    done = await game.press("anna", asked, "Draw")
    assert done.reply.lines[0] == "Done: Sally Starfield."
    assert await acting(game) == []
    now = read_bag(await game.encounter())
    assert (now.drawer, now.drawn is None) == (0, False), "no token began it: the draw is still anna's"
    await game.done("anna", Undo())
    assert await acting(game) == ["Sally Starfield"]


@pytest.mark.rule("CB-BAG-04", "CB-BAG-05")
async def test_done_ends_it_and_the_same_player_still_draws(game: Table) -> None:
    before = read_bag(await game.encounter())
    await game.refused("bo", PassDraw())
    await game.done("anna", PassDraw())
    assert await acting(game) == []
    assert read_bag(await game.encounter()) == before


async def test_no_draw_is_offered_while_she_acts_after_everybody_has_acted(game: Table) -> None:
    def acted(encounter: Encounter) -> None:
        for model in encounter.models():
            model.counters[Counter.ACTIVATED] = 1

    await arrange(game, "anna", acted)
    labels = [
        button.label for button in game_of(await game.encounter()).panel(await game.encounter()).buttons
    ]
    assert "End activation" in labels
    assert "Draw" not in labels, "it is refused: Upkeep comes"
    assert "Upkeep" in (await game.refused("anna", DrawToken()))
    asked = await game.do("anna", DrawToken(asks=True))
    assert [button.label for button in asked.reply.buttons] == ["End activation"], "she ends her turn with it"
    assert (await game.press("anna", asked, "End activation")).reply.lines[0] == "Done: Sally Starfield."
