"""Where undone dice stay in place, no undo of random play is a second try, in any game and whoever throws."""

from __future__ import annotations

import pytest

from bot.app import ALL_GAMES
from bot.store.journal import Entry
from bot.table.game import UNDONE_DICE
from bot.table.handlers import HANDLERS, Place
from bot.table.journal.history import Undo
from bot.table.rolling.dice_settings import DiceMode
from bot.table.session.encounters import NextStep
from bot.table.session.settings import Settings
from tests.bot.tables import Table
from tests.conformance.legal_play import Wanderer

STEPS = 80

pytestmark = pytest.mark.usefixtures("odds_solved_once", "pictures_without_files")


@pytest.fixture(params=[game.key for game in ALL_GAMES])
async def wanderer(request: pytest.FixtureRequest, table: Table) -> Wanderer:
    wanderer = Wanderer(table, request.param, 3, looks=False)
    await wanderer.begin()
    await table.done("anna", NextStep())
    await table.done("anna", Settings(UNDONE_DICE.key, UNDONE_DICE.values[1]))
    return wanderer


async def next_roll(wanderer: Wanderer) -> Entry | None:
    """The next entry of the game itself in which dice fall, if there is one soon."""
    store = wanderer.table.desk.store
    seen = (await wanderer.table.loaded()).scope.version
    for _ in range(STEPS):
        await wanderer.step()
        before, seen = seen, (await wanderer.table.loaded()).scope.version
        for number in range(before + 1, seen + 1):
            entry = await store.entry(1, number)
            assert entry is not None
            rolled = entry.kind == "do" and not entry.minor and entry.faces != "[]"
            if rolled and HANDLERS[entry.command].place is Place.ENCOUNTER:
                return entry
    return None


@pytest.mark.parametrize("mode", ["bot", "real"])
async def test_the_same_action_gets_the_same_faces_whoever_throws(mode: str, wanderer: Wanderer) -> None:
    table, tried = wanderer.table, 0
    for _ in range(3):
        entry = await next_roll(wanderer)
        if entry is None:
            break
        who, action, _ = wanderer.told[-1]
        await table.done("anna", Undo())
        if mode == "real" and wanderer.system != "fracd_earth":  # it knows no real cards
            await table.done(who, DiceMode("real"))
        await table.done(who, action)
        again = (await table.desk.store.all_entries(1))[-1]
        assert (again.faces, again.repeats) == (entry.faces, entry.seq)
        await table.do(who, DiceMode("bot"))
        tried += 1
    assert tried
