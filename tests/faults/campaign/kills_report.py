"""Kills on both databases, as parts of the campaign."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.store.migration import migrate
from tests.bot.tables import ELSEWHERE, url_of
from tests.faults.campaign import kills
from tests.faults.campaign.slices import Found, Section, Work
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


def on_sqlite(given: argparse.Namespace, folder: Path, work: Work) -> Section:
    template = folder / "template.db"
    asyncio.run(migrate(url_of(template)))

    def one(first: int, count: int, seed: str) -> Found:
        return kills.campaign(lambda: kills.copied(template), folder, count, seed).found()

    work.go_on("Killing on SQLite", given.kills, kills.KILLS_A_GAME, given.seed, one)
    return _section("Killed under load: SQLite", work, *HOW)


def on_postgres(given: argparse.Namespace, folder: Path, work: Work) -> Section:
    """Kills on a PostgreSQL server, which is killed now and then too."""
    title = "Killed under load: PostgreSQL"
    try:
        with serving("fsync=on") as server:
            server.tell("CREATE DATABASE migrated")
            asyncio.run(migrate(server.url("migrated")))

            def one(first: int, count: int, seed: str) -> Found:
                crashes = 0

                def crash(kill: int) -> None:
                    nonlocal crashes
                    if (first + kill) % CRASH_EVERY == 0:
                        server.restart()
                        crashes += 1

                found = kills.campaign(lambda: _one(server, folder), folder, count, seed, crash).found()
                found.numbers["crashes"] = crashes
                return found

            work.go_on("Killing on PostgreSQL", given.postgres_kills, kills.KILLS_A_GAME, given.seed, one)
    except Impossible as why:
        return Section(title, (f"Not run: {why}.",), False)
    crashes = work.found.numbers["crashes"]
    return _section(
        title,
        work,
        f"As above. The server itself was killed {crashes} times besides, between two lives.",
        "The minute in which another process may be about to answer is not waited for.",
    )


@contextmanager
def _one(server: Postgres, folder: Path) -> Iterator[Path]:
    url = server.database("migrated")
    file = folder / f"killed{ELSEWHERE}"
    file.write_text(url.render_as_string(hide_password=False))
    yield file
    server.drop(url)


def _section(title: str, work: Work, *how: str) -> Section:
    found = work.found
    cells = [found.numbers[name] for name in kills.COUNTED]
    counted = " | ".join(f"{cell:,}" for cell in (*cells, len(found.faults)))
    lines = (
        *how,
        "",
        "| kills | answered | told after a start | lost | doubled | untold | faults | minutes |",
        "|---|---|---|---|---|---|---|---|",
        f"| {counted} | {work.minutes} |",
        *(("", *(f"- {fault}" for fault in found.faults)) if found.faults else ()),
    )
    is_clean = not (sum(found.numbers[name] for name in ("lost", "doubled", "untold")) or found.faults)
    return Section(title, lines, is_clean)
