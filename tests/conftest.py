"""What holds for every test."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, cast

import pytest
from PIL import ImageDraw

from bot.local.interactions import UNHURRIED
from bot.logs import JsonLines, TextLines
from bot.panels import answer
from bot.store.migration import migrate
from bot.table import odds_budget
from tests import spared
from tests.bot.begun import Beginnings
from tests.bot.house import House
from tests.bot.tables import ELSEWHERE, Table, opened, url_of
from tests.engines import share_compiled
from tests.played import Played
from tests.postgres import Impossible, Postgres, serving

MEMORY = Path("/dev/shm")
"""A folder in memory, where the system has one: databases of tests outlive a process there, not the power."""

ENOUGH_BYTES = 2**30

LONGEST = Path(__file__).parent / "sixth"


def pytest_configure(config: pytest.Config) -> None:
    """Keep what tests write in memory, where there is room: no commit waits for a disk.

    Where a machine keeps no compiled modules, the processes that tests start keep theirs for one another.
    Until all tests are loaded there is no garbage.
    """
    if config.option.basetemp is None and os.access(MEMORY, os.W_OK) and _has_room(MEMORY):
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
    share_compiled()
    gc.disable()
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        os.environ["PYTHONPYCACHEPREFIX"] = str(Path(tempfile.gettempdir()) / "adjutant-compiled")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The file that takes longest begins first: else one worker is left alone with it in the end."""
    items.sort(key=lambda item: not item.path.is_relative_to(LONGEST))


def pytest_collection_finish() -> None:
    """What was loaded stays: no collection of garbage walks through it, as in the bot that runs.

    Tests make much and keep little of it: garbage is looked for less often than Python does by itself.
    """
    gc.freeze()
    gc.set_threshold(20_000)
    gc.enable()


def _has_room(folder: Path) -> bool:
    return shutil.disk_usage(folder).free > ENOUGH_BYTES


@pytest.fixture(scope="session")
def played(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The example games, played once in this run, in a folder that its workers share."""
    here = tmp_path_factory.getbasetemp()
    return Played((here.parent if "PYTEST_XDIST_WORKER" in os.environ else here) / "played", migrated)


@pytest.fixture(autouse=True, scope="session")
def no_hurry() -> Iterator[None]:
    """Odds are bounded by their work alone, however slow the machine is: their clock stands still.

    So it does while what many tests share is made. Answers come when they come; a test that is about late
    ones sets how long is waited for them.
    """
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(odds_budget, "now", lambda: 0.0)
        monkeypatch.setattr(answer, "PATIENCE_SECONDS", UNHURRIED)
        yield


@pytest.fixture(autouse=True)
def no_logs_of_others() -> Iterator[None]:
    """What a test lets the program log goes where that test reads; not to a stream that is closed by then."""
    yield
    root = logging.getLogger()
    for handler in [one for one in root.handlers if isinstance(one.formatter, (JsonLines, TextLines))]:
        root.removeHandler(handler)
        root.setLevel(logging.WARNING)


@pytest.fixture
def odds_solved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A question is not solved again that was solved before."""
    spared.odds_solved_once(monkeypatch)


@pytest.fixture
def pictures_without_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every picture is drawn and put into words; its file, which nobody looks at here, is empty."""
    spared.pictures_without_files(monkeypatch)


@pytest.fixture
def few_weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a crew that is set against another two models are weighed."""
    spared.few_weighed(monkeypatch)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """What is marked `both_databases` runs on an SQLite file and on a PostgreSQL server."""
    if metafunc.definition.get_closest_marker("both_databases") and "file" in metafunc.fixturenames:
        metafunc.parametrize("file", ("sqlite", "postgresql"), indirect=True)


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file at this version with nothing in it, made once."""
    file = tmp_path_factory.mktemp("migrated") / "table.db"
    asyncio.run(migrate(url_of(file)))
    return file


@pytest.fixture(scope="session")
def beginnings(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Beginnings:
    """What many tests begin with, each begun once in a run."""
    return Beginnings(migrated, tmp_path_factory.mktemp("begun"))


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server, whose database `migrated` is at this version with nothing in it."""
    with ExitStack() as stack:
        try:
            server = stack.enter_context(serving())
        except Impossible as why:
            pytest.skip(str(why))
        server.migrate()
        yield server


@pytest.fixture
def elsewhere(postgres: Postgres, tmp_path: Path) -> Iterator[Path]:
    """A database of the server's, by the file that names it; tests that are over lend it to later ones."""
    url = postgres.lent()
    file = tmp_path / f"table{ELSEWHERE}"
    file.write_text(url.render_as_string(hide_password=False))
    yield file
    postgres.take_back(url)


@pytest.fixture(autouse=True)
def _letters_within_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is written in a picture fits it from left to right."""
    write = ImageDraw.ImageDraw.text

    def within(pen: ImageDraw.ImageDraw, xy: Any, text: Any, *rest: Any, **named: Any) -> None:
        left, _, right, _ = pen.textbbox(xy, text, named.get("font"), named.get("anchor"))
        assert 0 <= left <= right <= pen.im.size[0], f"cut off: {text}"
        write(pen, xy, text, *rest, **named)

    monkeypatch.setattr(ImageDraw.ImageDraw, "text", within)


@pytest.fixture
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A database at this version; tests that are marked `both_databases` get one of either kind."""
    if getattr(request, "param", "sqlite") == "postgresql":
        return cast(Path, request.getfixturevalue("elsewhere"))
    return Path(shutil.copy(request.getfixturevalue("migrated"), tmp_path / "table.db"))


@pytest.fixture
async def table(file: Path, request: pytest.FixtureRequest) -> AsyncIterator[Table]:
    async with opened(file, crowded=request.node.get_closest_marker("crowded") is not None) as table:
        yield table


@pytest.fixture
async def house(file: Path) -> AsyncIterator[House]:
    async with House.open(file) as house:
        yield house
