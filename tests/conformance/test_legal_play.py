"""What the table calls legal can be done: games of all systems, chosen at random from that alone.

Never refused, never faulty, undone to the start byte for byte, and refereed: what may be done comes out the
same when it is asked anew. What a commit left for who acts next holds just what the database holds, at every
step there and back. `legal_play.py` has a longer form.
"""

from __future__ import annotations

import asyncio
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.app import ALL_GAMES
from bot.replies.reply import Reply
from bot.store.book import Book, Loaded
from bot.store.rows import ROWS
from bot.store.store import Store
from bot.table.act import Act
from bot.table.handlers import HANDLERS
from bot.table.journal.history import Redo, Undo
from bot.table.journal.log import Export
from bot.table.referee.game_replay import referee
from bot.table.referee.replay_story import EVERYBODY, retold
from bot.table.session.encounters import EndEncounter
from bot.table.throw_purposes import Whose
from rules.refusals import InvalidInput
from tests.bot.tables import opened
from tests.conformance import legal_play
from tests.conformance.legal_play import Wanderer, played, sat_down_again, taken_back
from tests.spared import spared

pytestmark = pytest.mark.usefixtures("odds_solved_once", "pictures_without_files")

SYSTEMS = [game.key for game in ALL_GAMES]

NUMBERS = {
    "counterblast": (7, 4),
    "infinity": (3, 2),
    "warzone": (3, 2),
    "soluna": (1, 6),
    "fracd_earth": (5, 6),
}
"""The two games of a system that show most in few steps, of six that were looked at; the second has begun."""

STEPS = {"infinity": 60, "warzone": 80, "soluna": 60, "fracd_earth": 60}
"""Steps of one game where they are fewer than in others: so many show nearly all that twice as many do."""

MANY = 120

PRESSED_EVERY = 2
"""After so many steps the panel's buttons are tried; after each in the long form."""

KINDS = {"counterblast": 50, "infinity": 26, "warzone": 32, "soluna": 18, "fracd_earth": 28}
"""Kinds of actions that a game of this length shows at the least, where that is more than a few.

Another action among the legal ones changes what is drawn, so each has room for some fewer.
"""

FEW = 5

Copy = Callable[[], Path]

LEFT = 4
"""Of so many steps one at the least goes on with a book that a commit left."""

_again: Counter[tuple[str, int]] = Counter()
"""How often a game was gone on with in such a book."""


def rows(book: Book) -> dict[str, str]:
    return {name: repr(book.all(kind)) for name, kind in ROWS.items()}


@contextmanager
def books_looked_at(system: str, number: int) -> Iterator[None]:
    """Each book that was left for who acts next is compared with one that is read anew.

    Nothing that was worked out before a row was altered is left in it.
    """
    left, leave = Store.book_of, Store.leave_book

    def looked_at(store: Store, loaded: Loaded) -> Book:
        book = left(store, loaded)
        _again[system, number] += bool(book._rows)
        assert rows(book) == rows(Book(loaded.scope.id, loaded.snapshot))
        assert book.snapshot() == loaded.snapshot
        return book

    def looked_at_then(store: Store, loaded: Loaded, book: Book) -> None:
        altered = book.is_touched
        leave(store, loaded, book)
        assert not (altered and book.worked_out)

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(Store, "book_of", looked_at)
        monkeypatch.setattr(Store, "leave_book", looked_at_then)
        yield


@pytest.fixture(
    scope="module",
    params=[(system, NUMBERS.get(system, (1, 2))[which]) for which in (0, 1) for system in SYSTEMS],
    ids=lambda param: f"{param[0]}-{param[1]}",
)
def game(
    request: pytest.FixtureRequest, migrated: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Wanderer, Copy]:
    """A game that was played, and what gives copies of its database."""
    system, number = request.param
    folder = tmp_path_factory.mktemp("played")
    file = Path(shutil.copy(migrated, folder / "game.db"))
    with spared(), books_looked_at(system, number):
        wanderer = asyncio.run(played(file, system, number, STEPS.get(system, MANY), PRESSED_EVERY))
    copies = iter(range(99))
    return wanderer, lambda: Path(shutil.copy(file, folder / f"copy{next(copies)}.db"))


def test_what_is_legal_is_never_refused(game: tuple[Wanderer, Copy]) -> None:
    wanderer, _ = game
    assert not wanderer.wrong
    assert len(wanderer.done) >= KINDS.get(wanderer.system, FEW)


async def test_all_of_it_is_undone(game: tuple[Wanderer, Copy]) -> None:
    wanderer, copy = game
    with books_looked_at(wanderer.system, wanderer.number):
        await taken_back(copy(), wanderer)


def test_a_book_that_was_left_is_as_fresh_as_a_new_one(game: tuple[Wanderer, Copy]) -> None:
    """Each was looked at while the game was played."""
    wanderer, _ = game
    assert _again[wanderer.system, wanderer.number] > sum(wanderer.done.values()) // LEFT


async def test_what_may_be_done_is_refereed(game: tuple[Wanderer, Copy]) -> None:
    wanderer, copy = game
    async with sat_down_again(copy(), wanderer) as table:
        await table.do("anna", Undo(3))
        await table.do("anna", Redo(1))
        await table.done("anna", EndEncounter())
        data = (await table.do("bo", Export())).reply.files[0].data
    verdict = await referee(data)
    assert verdict.undecided == ""
    assert verdict.whole
    assert verdict.entries >= sum(wanderer.done.values()) / 5
    assert retold(data, EVERYBODY)


async def test_a_refusal_after_the_dice_is_noticed(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def late(act: Act, action: Any) -> Reply:
        act.roll(Whose("Rook", "check", ""), lambda dice: dice.face(6, "late"))
        raise InvalidInput("Too late.")

    handler = HANDLERS["fe.check"]
    monkeypatch.setitem(HANDLERS, "fe.check", replace(handler, run=late, prepare=None, may=None))
    async with opened(file) as table:
        wanderer = Wanderer(table, "fracd_earth", 1, looks=False)
        await wanderer.begin()
        while not any("Too late." in one for one in wanderer.wrong):
            assert await wanderer.play(1), "over, and nothing was noticed"


async def test_a_die_that_is_not_shown_is_noticed(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def silent(act: Act, action: Any) -> Reply:
        act.roll(Whose("Rook", "check", ""), lambda dice: dice.face(6, "silent"))
        return Reply(("Rook holds.",))

    handler = HANDLERS["wz.ld"]
    monkeypatch.setitem(HANDLERS, "wz.ld", replace(handler, run=silent))
    async with opened(file) as table:
        wanderer = Wanderer(table, "warzone", 2)
        await wanderer.begin()
        while not any("not shown: " in one for one in wanderer.wrong):
            assert await wanderer.play(1), "over, and nothing was noticed"


@pytest.mark.parametrize(("wrong", "code"), [([], 0), (["bo FeCheck(): Too late."], 1)])
def test_the_long_form_ends_badly_where_something_was_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], wrong: list[str], code: int
) -> None:
    async def known(file: Path, system: str, number: int, steps: int) -> Wanderer:
        return Wanderer(None, system, number, wrong=wrong)  # type: ignore[arg-type]

    async def undone(file: Path, wanderer: Wanderer) -> None:
        pass

    monkeypatch.setattr(legal_play, "played", known)
    monkeypatch.setattr(legal_play, "taken_back", undone)
    assert legal_play.main(["--game", "fracd_earth", "--steps", "1"]) == code
    assert all(one in capsys.readouterr().out for one in wrong)
