"""Copies of an SQLite file that is in use, and how one is restored.

A copy is written beside its place, checked, and only then moved there. The file that a restore replaces is
set aside.
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
from bot.store.schema import known

PAGES = 1000
"""Pages that are copied between two tellings of how far it is."""

BEFORE_UPGRADE = ".before-upgrade-from-"
KEPT_COPIES = 5
"""How many copies from before a migration are kept."""

PART = ".part"
"""How the name of a copy ends that is not whole yet."""

STAMP = "%Y-%m-%dT%H%M%SZ"
STAMPED = re.compile(r"\d{4}-\d\d-\d\dT\d{6}Z")


def backup(path: Path, target: Path, progress: Told = unheard) -> None:
    """Copy an SQLite file as it stands now, while it is in use. Raises StoreError."""
    if not path.exists():
        raise StoreError(f"There is no database at {path}.")
    if target.exists() and target.samefile(path):
        raise StoreError("Enter another file; this one is the database itself.")
    part = target.with_name(target.name + PART)
    try:
        if target.exists():
            _must_be_a_database(target)
        part.unlink(missing_ok=True)
        part.touch(mode=0o600)
        _copy(path, part, progress)
        os.replace(part, target)
        _written_for_good(target.parent)
    except (sqlite3.Error, OSError) as error:
        raise StoreError(f"The backup failed: {error}.") from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _copy(path: Path, part: Path, progress: Told) -> None:
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(part)) as into:
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()
        source.backup(
            into, pages=PAGES, progress=lambda status, remaining, total: progress(total - remaining, total)
        )
        source.rollback()
        into.execute("PRAGMA journal_mode=DELETE")
        (check_result,) = into.execute("PRAGMA quick_check(1)").fetchone()
    if check_result != "ok":
        raise sqlite3.DatabaseError(f"the copy is damaged ({check_result})")
    with part.open("rb") as file:
        os.fsync(file.fileno())


def _must_be_a_database(target: Path) -> None:
    if target.is_dir():
        raise IsADirectoryError(f"{target} is a folder")
    with target.open("rb") as file:
        if file.read(15) not in (b"", b"SQLite format 3"):
            raise sqlite3.DatabaseError(f"{target} is not a database and was not changed")


def _written_for_good(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def dated(path: Path, folder: Path, keep: int, progress: Told = unheard, now: float | None = None) -> Path:
    """Copy into a folder under the time in its name; the oldest such copies beyond `keep` are dropped.

    Only after the new one is whole. keep: at least 1. now: seconds since 1970. Raises StoreError.
    """
    if keep < 1:
        raise StoreError("Enter a number of at least 1 after --keep, for example --keep 7.")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"The folder {folder} can't be created: {error.strerror}.") from error
    stamp = time.strftime(STAMP, time.gmtime(time.time() if now is None else now))
    target = folder / f"{path.stem}-{stamp}{path.suffix or '.db'}"
    backup(path, target, progress)
    copies = dated_copies(path, folder)
    for old in copies[:-keep]:
        old.unlink()
    for part in folder.glob(f"{path.stem}-*{PART}"):
        part.unlink()
    return target


def dated_copies(path: Path, folder: Path) -> list[Path]:
    """Return the dated copies of a database in a folder, oldest first, and no other files."""
    suffix = path.suffix or ".db"
    return sorted(
        copy
        for copy in folder.glob(f"{path.stem}-*{suffix}")
        if STAMPED.fullmatch(copy.name.removeprefix(f"{path.stem}-").removesuffix(suffix))
    )


BEFORE_RESTORE = ".before-restore-"

ENDS = ("-wal", "-shm", "")
"""The endings of the files of a database, the database itself last."""

IN_USE = "Stop the bot first, then restore; the database is in use."


def restore(source: Path, path: Path, progress: Told = unheard) -> Path | None:
    """Make the database be as a copy of it is; gives where what stood there was set aside, if anything did.

    Raises StoreError for anything but a copy of such a database, and while a program has the database open.
    """
    if not source.exists():
        raise StoreError(f"There is no backup at {source}.")
    if path.exists() and source.samefile(path):
        raise StoreError("Enter the file of a backup; this file is the database itself.")
    _must_be_ours(source)
    aside = _set_aside(path) if path.exists() else None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        backup(source, path, progress)
        _given_to_whose(aside or path.parent, path)
    except (StoreError, OSError, KeyboardInterrupt):
        if aside is not None:
            _moved(aside, path)
        raise
    return aside


def _given_to_whose(old_file: Path, path: Path) -> None:
    """Where root restores, the file is of who had the one before: else the bot could not write it."""
    owner, new_owner = old_file.stat(), path.stat()
    if os.geteuid() == 0 and (owner.st_uid, owner.st_gid) != (new_owner.st_uid, new_owner.st_gid):
        os.chown(path, owner.st_uid, owner.st_gid)


def _must_be_ours(source: Path) -> None:
    """Raise StoreError for a file that is not a whole database of this program, or is of a newer version."""
    try:
        with closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            (check_result,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.Error as error:
        raise StoreError(f"{source} is not a backup of this bot's database: {error}.") from error
    if check_result != "ok":
        raise StoreError(f"Use an older backup; {source} is damaged ({check_result}).")
    if row is None or not known(row[0]):
        raise StoreError(f"Update the program first; {source} is from a newer version.")


def let_go_aside(path: Path, before: float) -> list[Path]:
    """Drop what upgrades and restores put aside of a database before a time (seconds since 1970).

    People who have been forgotten since then are still in it.
    """
    paths = [
        leftover
        for mark in (BEFORE_UPGRADE, BEFORE_RESTORE)
        for leftover in path.parent.glob(f"{path.name}{mark}*")
    ]
    old = sorted(one for one in paths if one.stat().st_ctime < before)
    for one in old:
        one.unlink()
    return old


def _set_aside(path: Path) -> Path:
    try:
        with closing(sqlite3.connect(path, timeout=1)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.OperationalError as error:
        in_use = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
        raise StoreError(IN_USE if in_use else f"{path} can't be moved out of the way: {error}.") from error
    except sqlite3.DatabaseError:
        pass  # it is damaged: all the more it is kept as it is
    stamp = time.strftime(STAMP, time.gmtime())
    aside = path.with_name(f"{path.name}{BEFORE_RESTORE}{stamp}")
    _moved(path, aside)
    return aside


def _moved(path: Path, target: Path) -> None:
    for end in ENDS:
        part = path.with_name(path.name + end)
        if part.exists():
            part.replace(target.with_name(target.name + end))


def copy_aside(path: Path, revision: str) -> Path:
    """Copy an SQLite file, whole and consistent, beside itself; the oldest of such copies are dropped."""
    copy = path.with_name(f"{path.name}{BEFORE_UPGRADE}{revision}")
    backup(path, copy)
    copies = sorted(path.parent.glob(f"{path.name}{BEFORE_UPGRADE}*"), key=lambda copy: copy.stat().st_mtime)
    for old in copies[:-KEPT_COPIES]:
        old.unlink()
    return copy
