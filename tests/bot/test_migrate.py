"""A database is brought to this version, or a sentence says why not; the file is copied aside before."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from bot.app import open_desk
from bot.store import backups, engine, migration
from bot.store import schema as schema_module
from bot.store.doctor import examine
from bot.store.engine import database_url
from bot.store.errors import StoreError
from bot.store.schema import MIGRATIONS, head, metadata, revisions
from bot.table.act import Actor
from bot.table.request import Request
from bot.table.session.encounters import StartDemo
from tests.bot.tables import url_of


def schema(file: Path) -> list[tuple[str, ...]]:
    """Every table's columns and every index, by what SQLite says of them; its own ones in any order."""
    with closing(sqlite3.connect(file)) as connection:
        found: list[tuple[str, ...]] = []
        for kind, name, table, text in connection.execute(
            "SELECT type, name, tbl_name, sql FROM sqlite_master"
        ):
            if table == "alembic_version":
                continue
            if kind == "table":
                columns = connection.execute(f"PRAGMA table_info({name})").fetchall()
                found += [("column", name, *map(str, column[1:])) for column in columns]
            else:
                indexed = connection.execute(f"PRAGMA index_info({name})").fetchall()
                words = " ".join((text or "").replace('"', "").split())
                numbered = re.sub(r"^(sqlite_autoindex_\w+)_\d+$", r"\1", name)
                found.append((kind, numbered, table, str([column[2] for column in indexed]), words))
        return sorted(found)


def test_migrating_from_nothing_makes_the_tables_of_the_schema(migrated: Path, tmp_path: Path) -> None:
    made = tmp_path / "made.db"
    maker = create_engine(f"sqlite:///{made}")
    metadata.create_all(maker)
    maker.dispose()
    assert schema(migrated) == schema(made)


async def test_migrating_twice_changes_nothing(file: Path) -> None:
    before = file.read_bytes()
    done = await migration.migrate(url_of(file))
    assert (done.before, done.after, done.copy) == (head(), head(), None)
    assert schema(file)
    assert sorted(path.name for path in file.parent.iterdir() if "before" in path.name) == []
    assert file.read_bytes()[:100] == before[:100]


async def test_an_empty_file_and_a_new_folder_are_filled(tmp_path: Path) -> None:
    empty = tmp_path / "empty.db"
    empty.touch()
    assert (await migration.migrate(url_of(empty))).before == ""
    deep = tmp_path / "a" / "b" / "table.db"
    assert (await migration.migrate(url_of(deep))).after == head()


async def test_the_file_is_copied_before_an_upgrade(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = tmp_path / "migrations"
    shutil.copytree(Path(migration.__file__).parents[2] / "migrations", scripts)
    first = head()
    (scripts / "versions" / "9999_more.py").write_text(
        f"""
import sqlalchemy as sa
from alembic import op
revision, down_revision = "9999", {first!r}
def upgrade():
    op.create_table("more", sa.Column("id", sa.Integer, primary_key=True))
"""
    )

    with monkeypatch.context() as patch:
        patch.setattr(migration, "MIGRATIONS", scripts)
        patch.setattr(schema_module, "MIGRATIONS", scripts)
        done = await migration.migrate(url_of(file))
        assert (done.before, done.after) == (first, "9999")
        assert done.copy is not None
        assert not any("more" in row for row in schema(done.copy))
        assert any("more" in row for row in schema(file))
        again = await migration.migrate(url_of(done.copy))
        assert again.copy is not None
    with pytest.raises(StoreError, match="newer version"):
        await migration.migrate(url_of(file))


def test_each_migration_is_named_by_its_revision() -> None:
    scripts = list(ScriptDirectory(str(MIGRATIONS)).walk_revisions())
    assert [script.revision for script in reversed(scripts)] == revisions()


def test_only_the_last_copies_are_kept(file: Path) -> None:
    for number in range(8):
        copy = backups.copy_aside(file, f"r{number}")
        os.utime(copy, (number, number))
    kept = sorted(path.name for path in file.parent.glob("*.before-upgrade-from-*"))
    assert [name[-2:] for name in kept] == ["r3", "r4", "r5", "r6", "r7"]


async def refused(file: Path | str) -> str:
    with pytest.raises(StoreError) as refusal:
        await migration.migrate(database_url(str(file)))
    return str(refusal.value)


async def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    words = tmp_path / "words.db"
    words.write_text("Dear diary")
    assert "is not an SQLite database" in await refused(words)
    assert words.read_text() == "Dear diary"
    assert "is a folder" in await refused(tmp_path)
    blocked = words / "table.db"
    assert "can't be created" in await refused(blocked)
    torn = tmp_path / "torn.db"
    torn.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    assert "damaged" in await refused(torn) or "can't be used" in await refused(torn)


async def test_the_database_of_another_program_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "cookies.db"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE cookies (id INTEGER)")
    assert "another program" in await refused(other)
    assert [row[1] for row in schema(other)] == ["cookies"]


async def test_a_newer_database_is_refused(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    assert "the database is from a newer version (revision 9999)" in await refused(file)


async def test_a_locked_database_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "BUSY_MS", 1)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        assert "locked by another program" in await refused(file)


@contextmanager
def as_nobody() -> Iterator[None]:
    """Give up the rights of root, which no file is closed to, for a while."""
    if os.getuid() != 0:
        yield
        return
    os.setresuid(65534, 65534, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody can reach; the test's own one is its user's alone."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        folder.chmod(0o755)


async def test_read_only_files_and_folders_are_refused(migrated: Path, open_folder: Path) -> None:
    file = Path(shutil.copy(migrated, open_folder / "table.db"))
    file.chmod(0o444)
    open_folder.chmod(0o555)
    with as_nobody():
        assert "read-only" in await refused(file)
        assert "read-only" in await refused(open_folder / "new.db")
        with pytest.raises(StoreError):
            await migration.migrate(database_url(str(open_folder / "deeper" / "new.db")))
    assert sorted(path.name for path in open_folder.iterdir()) == ["table.db"]


def test_urls() -> None:
    assert database_url("a/b.db").database == "a/b.db"
    assert database_url("sqlite:///a.db").drivername == "sqlite+aiosqlite"
    for scheme in ("postgresql", "postgresql+asyncpg", "postgres"):
        assert database_url(f"{scheme}://u:p@h/d?sslmode=require").render_as_string(hide_password=False) == (
            "postgresql+asyncpg://u:p@h/d?ssl=require"
        )
    with pytest.raises(StoreError, match="SQLite file or a PostgreSQL"):
        database_url("mysql://u:p@h/d")
    with pytest.raises(StoreError, match="Set database to a file or a valid URL") as refusal:
        database_url("://secret@")
    assert "secret" not in str(refusal.value)


async def test_a_backup_holds_everything(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    backups.backup(file, target)
    assert schema(target) == schema(file)
    assert (await examine(url_of(target))).faults == ()
    for wrong in (tmp_path / "none" / "copy.db", tmp_path):
        with pytest.raises(StoreError, match="backup failed"):
            backups.backup(file, wrong)
    with pytest.raises(StoreError, match="no database at"):
        backups.backup(tmp_path / "missing.db", target)
    words = tmp_path / "words.txt"
    words.write_text("Dear diary, " * 100)
    with pytest.raises(StoreError, match="backup failed"):
        backups.backup(file, words)
    with pytest.raises(StoreError, match="backup failed"):
        backups.backup(words, target)
    assert words.read_text().startswith("Dear diary")


async def test_a_backup_onto_itself_is_refused(file: Path) -> None:
    with pytest.raises(StoreError, match="itself"):
        backups.backup(file, file.parent / "." / file.name)


async def test_the_doctor_makes_no_database(tmp_path: Path) -> None:
    missing = tmp_path / "missing.db"
    with pytest.raises(StoreError, match="no database at"):
        await examine(url_of(missing))
    assert not missing.exists()


@pytest.mark.skipif(os.name != "posix", reason="permissions of files")
async def test_the_database_and_the_files_beside_it_are_readable_by_their_owner_only(tmp_path: Path) -> None:
    path, copy = tmp_path / "bot.db", tmp_path / "copy.db"
    before = os.umask(0o022)
    try:
        path.touch(mode=0o644)
        url = database_url(str(path))
        await migration.migrate(url)
        async with open_desk(url) as desk:
            await desk.perform(Request(StartDemo(), Actor(1, "anna", 1, 2), 1))
            backups.backup(path, copy)
            found = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    finally:
        os.umask(before)
    assert found.keys() >= {"bot.db", "bot.db-wal", "copy.db"}
    assert set(found.values()) == {0o600}
