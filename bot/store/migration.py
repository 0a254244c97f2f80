"""Bring a database to the tables of this version, after copying the file aside; lock a file for one process.

Refuse, with a sentence, a database that is newer than this program, locked, read-only or no database at all.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from bot.store.backups import copy_aside
from bot.store.engine import is_sqlite, make_engines
from bot.store.errors import Busy, Lost, StoreError, Unwritable
from bot.store.postgres import code_of, is_postgres, lock_for_migrating, told_of
from bot.store.schema import MIGRATIONS, head, known

if TYPE_CHECKING:
    from alembic.config import Config


LOCKED = "The database is locked by another program; stop that program first."


@dataclass(frozen=True, slots=True)
class Migrated:
    """The revision before and after, and the copy made of the file (None where there was nothing to copy)."""

    before: str
    after: str
    copy: Path | None


def _config(connection: Connection) -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config


def _upgrade(connection: Connection) -> None:
    from alembic import command

    if connection.dialect.name == "postgresql":
        lock_for_migrating(connection)
    command.upgrade(_config(connection), "head")


async def migrate(url: URL) -> Migrated:
    """Bring the database to this version's tables. Raises StoreError."""
    check_file(url)
    keep_private(url)
    writer, reader = make_engines(url, patient=True)
    try:
        with telling(url):
            old_revision = await writer.run(_revision)
            if old_revision and not known(old_revision):
                raise StoreError(
                    "Update the program, or use the copy that was made before the upgrade; the database "
                    f"is from a newer version (revision {old_revision})."
                )
            if old_revision == head():
                return Migrated(old_revision, old_revision, None)
            file = url.database if is_sqlite(url) and old_revision else None
            copy = copy_aside(Path(file), old_revision) if file else None
            await writer.run(_upgrade)
            return Migrated(old_revision, head(), copy)
    finally:
        await writer.close()
        await reader.close()


@contextmanager
def telling(url: URL) -> Iterator[None]:
    """Raise StoreError, with a sentence for the operator, for every error of the database."""
    try:
        yield
    except Busy:
        raise StoreError(LOCKED) from None
    except Exception as error:
        cause = error.__cause__ if isinstance(error, Unwritable) and error.__cause__ else error
        if is_postgres(url) and (isinstance(cause, Lost | DBAPIError) or code_of(cause)):
            raise StoreError(told_of(cause, url)) from error
        if isinstance(cause, DBAPIError):
            raise StoreError(_sentence(str(cause.orig))) from error
        raise


async def revision_of(url: URL) -> str:
    """Return the revision of a database; empty for an empty one. Raises StoreError."""
    writer, reader = make_engines(url)
    try:
        with telling(url):
            return await reader.read(_revision)
    finally:
        await writer.close()
        await reader.close()


def _revision(connection: Connection) -> str:
    """The revision; empty for an empty database. Raises StoreError for one of another program."""
    tables = inspect(connection).get_table_names()
    versioned = "alembic_version" in tables
    current = (
        connection.execute(text("SELECT version_num FROM alembic_version")).scalar() if versioned else ""
    )
    if tables and not current:
        raise StoreError("The database belongs to another program; give the bot its own.")
    return str(current or "")


def check_file(url: URL) -> None:
    """Raise StoreError if an SQLite file cannot be used; makes its folder."""
    if not is_sqlite(url) or not url.database or url.database.startswith((":memory:", "file:")):
        return
    path = Path(url.database)
    if path.is_dir():
        raise StoreError(f"Enter a file for the database; {path} is a folder.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"The folder {path.parent} can't be created: {error.strerror}.") from error
    if path.exists() and not os.access(path, os.W_OK):
        raise StoreError(f"The database {path} is read-only; give the bot's user write access to it.")
    if not os.access(path.parent, os.W_OK):
        raise StoreError(f"The folder {path.parent} is read-only; give the bot's user write access to it.")
    if path.exists() and not _looks_right(path):
        raise StoreError(f"The file {path} is not an SQLite database.")


def keep_private(url: URL) -> None:
    """Make an SQLite file readable by its owner only. SQLite gives the files beside it the same permissions.

    A file that another user owns stays as it is.
    """
    if not is_sqlite(url) or not url.database or url.database.startswith((":memory:", "file:")):
        return
    path = Path(url.database)
    path.touch(mode=0o600, exist_ok=True)
    for file in (path, *(path.with_name(path.name + ending) for ending in ("-wal", "-shm"))):
        with suppress(OSError):
            file.chmod(0o600)


def _looks_right(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(15) in (b"", b"SQLite format 3")


def _sentence(reason: str) -> str:
    low = reason.lower()
    if "locked" in low or "busy" in low:
        return LOCKED
    if "readonly" in low or "read-only" in low:
        return "The database is read-only; give the bot's user write access to it."
    if "malformed" in low or "not a database" in low:
        return "The database file is damaged; restore a backup."
    return f"The database can't be used: {reason}."


PATIENCE_SECONDS = 30.0
"""How long the next process waits for the one before it to end."""

LOOKING_SECONDS = 0.2

LOCK_SUFFIX = ".serving"
"""How the name of the lock ends."""

SERVED = (
    "Stop the other bot that uses {file}, or move to PostgreSQL (python -m bot copy); an "
    "SQLite file can only serve one bot."
)


@contextmanager
def serving_alone(url: URL, sleep: Callable[[float], None] = time.sleep) -> Iterator[None]:
    """Be the only process that serves from a file, while the block runs; waits for another one to end.

    Raises StoreError where it does not. Any number serve from other databases.
    """
    if not is_sqlite(url) or not url.database or url.database.startswith(":memory:"):
        yield
        return
    check_file(url)
    path = Path(url.database)
    try:
        lock = path.with_name(path.name + LOCK_SUFFIX).open("a")
    except OSError as error:
        raise StoreError(f"The folder {path.parent} can't be written to: {error.strerror}.") from error
    with lock:
        waited = 0.0
        while not _locked(lock.fileno()):
            if waited >= PATIENCE_SECONDS:
                raise StoreError(SERVED.format(file=path))
            sleep(LOOKING_SECONDS)
            waited += LOOKING_SECONDS
        yield


def _locked(handle: int) -> bool:
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
