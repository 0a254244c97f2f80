"""How long it takes to referee the game of eight turns again."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from sqlalchemy import select

from bot.app import open_desk
from bot.store.engine import database_url
from bot.store.rows import EncounterRow
from bot.store.schema import scopes
from bot.table.journal.log import build_document
from bot.table.referee.game_replay import referee

SCRIPT = Path(__file__).parents[1] / "examples" / "full_game.txt"
TIMES = 3


def rows() -> list[str]:
    """Lines of a table: the best of some times."""
    with tempfile.TemporaryDirectory(prefix="referee-") as folder:
        file = Path(folder) / "game.db"
        command = [sys.executable, "-m", "bot", "play", "--script", str(SCRIPT), "--database", str(file)]
        subprocess.run(command, check=True, capture_output=True)
        data = asyncio.run(_export(file))
    seconds, processor, entries = [], [], 0
    for _ in range(TIMES):
        start, busy = time.perf_counter(), time.process_time()
        verdict = asyncio.run(referee(data))
        seconds.append(time.perf_counter() - start)
        processor.append(time.process_time() - busy)
        assert verdict.whole, verdict.undecided
        entries = verdict.entries
    return [
        "| entries | KiB | seconds | CPU seconds |",
        "|---|---|---|---|",
        f"| {entries} | {len(data) // 1024} | {min(seconds):.2f} | {min(processor):.2f} |",
    ]


async def _export(file: Path) -> bytes:
    """The export of the game, which has ended."""
    async with open_desk(database_url(str(file))) as desk:
        query = select(scopes.c.id).where(scopes.c.kind == "encounter")
        async with desk.store._as_reader.connect() as connection:
            number = int((await connection.execute(query)).scalar_one())
        loaded = await desk.store.load(number)
        row = loaded.book().get(EncounterRow) if loaded else None
        assert loaded is not None
        assert row is not None
        entries = await desk.store.written_entries(number)
        return build_document(row, loaded, entries, await desk.store.meant(entries)).encode()


if __name__ == "__main__":
    print("\n".join(rows()))
