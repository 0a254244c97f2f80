"""What is made for a command goes with it: nothing of the program's own is left to the garbage collector."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from bot.actions import ACTIONS
from bot.app import ALL_GAMES
from bot.games.counterblast.shooting.volleys import Shoot
from bot.panels.widgets import CONTAINER, card_of
from bot.replies.reply import Button, Menu, Reply
from bot.store.book import Book
from bot.store.rows import ModelRow
from bot.table.act import Actor
from bot.table.game import Acts
from bot.table.journal.history import Undo
from bot.table.offers.legal_actions import Looking
from bot.table.session.encounters import NextStep, StartDemo
from rules.refusals import Forbidden, forbid
from tests.bot.counterblast.ring import ANNA, Ring, active
from tests.bot.tables import Table

OURS = ("bot.", "rules.", "discord.")


@pytest.fixture(autouse=True)
def what_is_there_stays() -> None:
    """What was made before a test is not looked through again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture
async def ring(table: Table) -> Ring:
    return await Ring.open(table)


@contextmanager
def left_behind() -> Iterator[list[str]]:
    """What the block leaves in circles, by the names of the kinds."""
    found: list[str] = []
    gc.collect()
    gc.disable()
    try:
        yield found
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        kinds = (type(one) for one in gc.garbage)
        found += sorted({kind.__qualname__ for kind in kinds if kind.__module__.startswith(OURS)})
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


def test_a_circle_is_seen() -> None:
    with left_behind() as found:
        reply = Reply(("x",))
        circle: list[Any] = [reply]
        circle.append(circle)
        del reply, circle
    assert found == ["Reply"]


async def test_a_shot_and_its_panel_leave_nothing_behind(ring: Ring) -> None:
    """Looked at a second time: at the first what every game needs is made."""
    await ring.arrange(active("Skip"))
    for _ in range(2):
        with left_behind() as found:
            assert (await ring.table.do(ANNA, Shoot("Skip", "Trapper", 6))).changed
            assert ring.table.state()
            await ring.table.do(ANNA, Undo())
    assert found == []


@pytest.mark.parametrize("system", ["counterblast", "infinity", "warzone", "soluna", "fracd_earth"])
async def test_a_look_at_the_table_leaves_nothing_behind(table: Table, system: str) -> None:
    await table.done("anna", StartDemo(system))
    await table.do("anna", NextStep())
    for _ in range(2):
        with left_behind() as found:
            _look((await table.loaded()).book(), table.actor("anna"), system)
    assert found == []


def _look(book: Book, actor: Actor, system: str) -> None:
    """What may be done now, and a row altered."""
    seen = Looking(book, actor)
    game = next(one for one in ALL_GAMES if one.key == system)
    assert isinstance(game, Acts)
    for command in game.likely:
        assert seen.legal(ACTIONS[command]).action.command == command
    book.all(ModelRow)[0].note = "told"
    assert book.is_touched


async def test_what_is_sent_is_written_down_at_once() -> None:
    reply = Reply(("x",), buttons=(Button("Undo", Undo()),), menus=(Menu("Which?", Undo(), "steps", ()),))
    with left_behind() as found:
        view = card_of(reply, 1, 2)
        assert [row["type"] for row in view.to_components()] == [CONTAINER]
        del view
    assert found == []


def test_a_refusal_does_not_hold_the_place_that_raised_it() -> None:
    with left_behind() as found, suppress(Forbidden):
        forbid("Not now.", "CB-X-01")
    assert found == []
