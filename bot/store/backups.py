"""Copies of an SQLite file that is in use: one by name, or dated ones in a folder of which the last stay.

A copy is written beside its place, looked through, and only then put there: one that was stopped leaves
nothing but a part, which the next one writes anew.
"""

from __future__ import annotations

import os
import re
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

from bot.progress import Told, unheard
from bot.store.errors import StoreError

PAGES = 1000
"""Pages that are copied between two tellings of how far it is."""

PART = ".part"
"""How the name of a copy ends that is not whole yet."""

STAMP = "%Y-%m-%dT%H%M%SZ"
STAMPED = re.compile(r"\d{4}-\d\d-\d\dT\d{6}Z")


def backup(path: Path, target: Path, told: Told = unheard) -> None:
    """Copy an SQLite file as it stands now, while it is in use. Raises StoreError."""
    if not path.exists():
        raise StoreError(f"There is no database at {path}.")
    if target.exists() and target.samefile(path):
        raise StoreError("The back-up would overwrite the database itself; name another file.")
    part = target.with_name(target.name + PART)
    try:
        if target.exists():
            _must_be_a_database(target)
        part.unlink(missing_ok=True)
        part.touch(mode=0o600)
        _copy(path, part, told)
        os.replace(part, target)
        _written_for_good(target.parent)
    except (sqlite3.Error, OSError) as error:
        raise StoreError(f"The back-up failed: {error}.") from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _copy(path: Path, part: Path, told: Told) -> None:
    """All pages as of one moment: what is written meanwhile neither counts nor makes it begin anew."""
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(part)) as into:
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()
        source.backup(
            into, pages=PAGES, progress=lambda status, remaining, total: told(total - remaining, total)
        )
        source.rollback()
        into.execute("PRAGMA journal_mode=DELETE")
        (found,) = into.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise sqlite3.DatabaseError(f"the copy is damaged ({found})")
    with part.open("rb") as file:
        os.fsync(file.fileno())


def _must_be_a_database(target: Path) -> None:
    """What is no database is not written over."""
    if target.is_dir():
        raise IsADirectoryError(f"{target} is a folder")
    with target.open("rb") as file:
        if file.read(15) not in (b"", b"SQLite format 3"):
            raise sqlite3.DatabaseError(f"{target} is no database, and stays as it is")


def _written_for_good(folder: Path) -> None:
    """A new name in a folder outlives a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def dated(path: Path, folder: Path, keep: int, told: Told = unheard, now: float | None = None) -> Path:
    """Copy into a folder under the time in its name; the oldest such copies beyond `keep` are dropped.

    Only after the new one is whole. keep: at least 1. now: seconds since 1970. Raises StoreError.
    """
    if keep < 1:
        raise StoreError("Keep at least one back-up: --keep 7.")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"The folder {folder} cannot be made: {error.strerror}.") from error
    stamp = time.strftime(STAMP, time.gmtime(time.time() if now is None else now))
    target = folder / f"{path.stem}-{stamp}{path.suffix or '.db'}"
    backup(path, target, told)
    copies = dated_copies(path, folder)
    for old in copies[:-keep]:
        old.unlink()
    for part in folder.glob(f"{path.stem}-*{PART}"):
        part.unlink()
    return target


def dated_copies(path: Path, folder: Path) -> list[Path]:
    """The dated copies of a database in a folder, the oldest first; nothing else that lies there."""
    suffix = path.suffix or ".db"
    return sorted(
        found
        for found in folder.glob(f"{path.stem}-*{suffix}")
        if STAMPED.fullmatch(found.name.removeprefix(f"{path.stem}-").removesuffix(suffix))
    )
