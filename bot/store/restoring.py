"""Puts a back-up in the place of the database; what stood there is set aside and never lost."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from bot.progress import Told, unheard
from bot.store.backups import STAMP, backup
from bot.store.errors import StoreError
from bot.store.migrate import BEFORE_UPGRADE, known

BEFORE_RESTORE = ".before-restore-"

ENDS = ("-wal", "-shm", "")
"""What belongs to a database file, itself the last."""

IN_USE = "The database is in use: stop the bot first, then restore."


def restore(source: Path, path: Path, told: Told = unheard) -> Path | None:
    """Make the database be as a copy of it is; gives where what stood there was set aside, if anything did.

    Raises StoreError for what is no copy of such a database, and while a program has the database open.
    """
    if not source.exists():
        raise StoreError(f"There is no back-up at {source}.")
    if path.exists() and source.samefile(path):
        raise StoreError("That is the database itself; name the back-up.")
    _must_be_ours(source)
    aside = _set_aside(path) if path.exists() else None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        backup(source, path, told)
        _given_to_whose(aside or path.parent, path)
    except (StoreError, OSError, KeyboardInterrupt):
        if aside is not None:
            _moved(aside, path)
        raise
    return aside


def _given_to_whose(before: Path, path: Path) -> None:
    """Where root restores, the file is of who had the one before: else the bot could not write it."""
    owner, now = before.stat(), path.stat()
    if os.geteuid() == 0 and (owner.st_uid, owner.st_gid) != (now.st_uid, now.st_gid):
        os.chown(path, owner.st_uid, owner.st_gid)


def _must_be_ours(source: Path) -> None:
    """Raises StoreError for a file that is no whole database of this program, or of a newer version."""
    try:
        with closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.Error as error:
        raise StoreError(f"{source} is no back-up of this bot's database: {error}.") from error
    if found != "ok":
        raise StoreError(f"{source} is damaged ({found}); take an older one.")
    if row is None or not known(row[0]):
        raise StoreError(f"{source} is of a newer version of the program; update that first.")


def let_go_aside(path: Path, before: float) -> list[Path]:
    """Drop what upgrades and restores put aside of a database before a time (seconds since 1970).

    Whoever asked to be forgotten since then still stands in it.
    """
    found = [
        one for mark in (BEFORE_UPGRADE, BEFORE_RESTORE) for one in path.parent.glob(f"{path.name}{mark}*")
    ]
    old = sorted(one for one in found if one.stat().st_ctime < before)
    for one in old:
        one.unlink()
    return old


def _set_aside(path: Path) -> Path:
    """Take the database out of use and put it beside itself under another name, with what belongs to it."""
    try:
        with closing(sqlite3.connect(path, timeout=1)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.OperationalError as error:
        in_use = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
        raise StoreError(IN_USE if in_use else f"{path} cannot be set aside: {error}.") from error
    except sqlite3.DatabaseError:
        pass  # it is damaged: all the more it is kept as it is
    stamp = time.strftime(STAMP, time.gmtime())
    aside = path.with_name(f"{path.name}{BEFORE_RESTORE}{stamp}")
    _moved(path, aside)
    return aside


def _moved(path: Path, to: Path) -> None:
    """Give a database another name, with what belongs to it."""
    for end in ENDS:
        part = path.with_name(path.name + end)
        if part.exists():
            part.replace(to.with_name(to.name + end))
