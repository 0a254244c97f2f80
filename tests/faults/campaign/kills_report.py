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
    f"{kills.AT_ONCE} people use a bot in {len(kills.CHANNELS)} channels at once. It is killed with `kill",
    f"-9` up to {kills.LATEST_SECONDS} s after the first command, or while it starts. Then a new bot",
    "starts on the same database, reports what had not been answered, and gets the interrupted commands",
    "again. *Lost* means answered, but missing from the journal or without effect. *Doubled* means twice",
    "in the journal, or with twice the effect. *Untold* means done, but neither answered nor reported",
    "after the start. *Faults* are those that `doctor` found.",
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
        f"The same test. Between two starts of the bot, the database server was also killed, {crashes}",
        "times in all. The bot didn't wait for the minute in which another process might still answer.",
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
        "| kills | answered | reported after a start | lost | doubled | untold | faults | minutes |",
        "|---|---|---|---|---|---|---|---|",
        f"| {counted} | {work.minutes} |",
        *(("", *(f"- {fault}" for fault in found.faults)) if found.faults else ()),
    )
    is_clean = not (sum(found.numbers[name] for name in ("lost", "doubled", "untold")) or found.faults)
    return Section(title, lines, is_clean)
