"""Kills on both databases, as parts of the campaign."""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.progress import progress
from bot.store.migrate import migrate
from tests.bot.tables import ELSEWHERE, url_of
from tests.faults.campaign import kills
from tests.faults.campaign.section import Section
from tests.postgres import Impossible, Postgres, serving

CRASH_EVERY = 20
"""After so many kills the PostgreSQL server itself is killed too, and started again."""

HOW = (
    f"`kill -9` up to {kills.LATEST_SECONDS} s after the first question to a bot that {kills.AT_ONCE} people",
    f"ask in {len(kills.CHANNELS)} channels at once, or while it starts; then the next one starts on the",
    "same database, tells what had not been answered, and is asked again what was under way. Lost: answered",
    "and not in the journal, or without its effect. Doubled: in the journal or in its effect twice. Untold:",
    "done, not answered, and not told after the start. Faults: what the doctor found.",
)


def on_sqlite(given: argparse.Namespace, folder: Path) -> Section:
    """Kills on an SQLite file."""
    template = folder / "template.db"
    asyncio.run(migrate(url_of(template)))
    began = time.monotonic()
    with progress("Killing on SQLite", " kills") as told:
        tally = kills.campaign(lambda: kills.copied(template), folder, given.kills, given.seed, told)
    return _section("Killed under load: SQLite", tally, began, *HOW)


def on_postgres(given: argparse.Namespace, folder: Path) -> Section:
    """Kills on a PostgreSQL server, which is killed now and then too."""
    title = "Killed under load: PostgreSQL"
    count, began = given.postgres_kills, time.monotonic()
    try:
        with progress("Killing on PostgreSQL", " kills") as told, serving("fsync=on") as server:
            server.tell("CREATE DATABASE migrated")
            asyncio.run(migrate(server.url("migrated")))

            def crash(kill: int) -> None:
                if kill % CRASH_EVERY == 0:
                    server.restart()

            tally = kills.campaign(lambda: _one(server, folder), folder, count, given.seed, told, crash)
    except Impossible as why:
        return Section(title, (f"Not run: {why}.",), False)
    crashes = f"The server itself was killed {tally.kills // CRASH_EVERY} times besides, between two lives."
    return _section(title, tally, began, "As above.", crashes)


@contextmanager
def _one(server: Postgres, folder: Path) -> Iterator[Path]:
    url = server.database("migrated")
    file = folder / f"killed{ELSEWHERE}"
    file.write_text(url.render_as_string(hide_password=False))
    yield file
    server.drop(url)


def _section(title: str, tally: kills.Tally, began: float, *how: str) -> Section:
    cells = (tally.kills, tally.answered, tally.told, tally.lost, tally.doubled, tally.untold)
    counted = " | ".join(f"{cell:,}" for cell in (*cells, len(tally.faults)))
    lines = (
        *how,
        "",
        "| kills | answered | told after a start | lost | doubled | untold | faults | minutes |",
        "|---|---|---|---|---|---|---|---|",
        f"| {counted} | {(time.monotonic() - began) / 60:.1f} |",
        *(("", *(f"- {fault}" for fault in tally.faults)) if tally.faults else ()),
    )
    return Section(title, lines, tally.is_clean)
