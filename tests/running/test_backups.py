"""Backups: whole while the bot writes, dated and rotated, put back, and begun again after being stopped."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from bot import __main__ as command_line
from bot import programs
from bot.app import open_desk
from bot.config import Config
from bot.retention_task import let_go
from bot.store import backups
from bot.store.backups import backup, copy_aside, dated, dated_copies, restore
from bot.store.doctor import examine
from bot.store.errors import StoreError
from bot.store.retention import DAY_MS
from bot.store.store import Keeping
from bot.table.rolling.rolls import Roll
from bot.table.session.encounters import StartDemo
from tests.bot.tables import opened, url_of

ROOT = Path(__file__).parents[2]
NOON = 1_767_268_800.0  # 2026-01-01 12:00 UTC
DAY = 86_400.0


async def entries(file: Path) -> int:
    report = await examine(url_of(file))
    assert report.faults == ()
    return report.entries


async def test_the_last_copies_stay_and_nothing_else_is_touched(file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    for name in ("table-notes.db", "table-2026-01-01.db", "other-2026-01-01T120000Z.db"):
        (folder / name).write_text("mine")
    for day in range(5):
        dated(file, folder, 3, now=NOON + day * DAY)
    assert [copy.name for copy in dated_copies(file, folder)] == [
        f"table-2026-01-0{day}T120000Z.db" for day in (3, 4, 5)
    ]
    assert (folder / "table-notes.db").read_text() == "mine"
    assert len(list(folder.iterdir())) == 6
    assert all(copy.stat().st_mode & 0o077 == 0 for copy in dated_copies(file, folder))


def test_an_old_copy_goes_only_when_the_new_one_is_whole(file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    first = dated(file, folder, 1, now=NOON)
    file.write_bytes(b"broken")
    with pytest.raises(StoreError, match="backup failed"):
        dated(file, folder, 1, now=NOON + DAY)
    assert list(folder.iterdir()) == [first]
    with pytest.raises(StoreError, match="at least 1"):
        dated(file, folder, -1)


async def test_a_copy_is_of_one_moment_while_the_bot_writes(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups, "PAGES", 1)
    target = tmp_path / "copy.db"
    async with opened(file) as table:
        await table.done("anna", StartDemo())
        told: list[tuple[int, int]] = []
        writes = sqlite3.connect(file)

        def meanwhile(done: int, of: int) -> None:
            told.append((done, of))
            writes.execute("CREATE TABLE IF NOT EXISTS noise (x)")
            writes.execute("INSERT INTO noise VALUES (zeroblob(5000))")
            writes.commit()

        backup(file, target, meanwhile)
        writes.execute("DROP TABLE noise")
        writes.commit()
        writes.close()
    assert [done for done, _ in told] == list(range(1, len(told) + 1))  # never begun anew
    assert await entries(target) == 1


async def test_what_was_stopped_leaves_the_last_copy_and_is_begun_again(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    backup(file, target)
    async with opened(file) as table:
        await table.done("anna", StartDemo())

    def stop(done: int, of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        backup(file, target, stop)
    assert not list(tmp_path.glob("*.part"))
    assert await entries(target) == 0
    backup(file, target)
    assert await entries(target) == 1


async def test_a_backup_is_put_back_and_what_stood_there_is_kept(file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    async with opened(file) as table:
        await table.done("anna", StartDemo())
        backup(file, copy)
        await table.done("anna", Roll("d6"))
        with pytest.raises(StoreError, match="Stop the bot first"):
            restore(copy, file)
    assert await entries(file) == 2
    aside = restore(copy, file)
    assert aside is not None
    assert (await entries(file), await entries(aside)) == (1, 2)
    async with opened(file) as table:
        await table.done("anna", Roll("d6"), interaction=20_000)
    assert await entries(file) == 2


def test_what_cannot_be_set_aside_is_not_said_to_be_in_use(file: Path, tmp_path: Path) -> None:
    """A file that its user may not write, a disk that fails: stopping the bot does not help."""
    copy = tmp_path / "copy.db"
    backup(file, copy)
    before = file.read_bytes()
    Path(f"{file}-shm").mkdir()
    with pytest.raises(StoreError, match=rf"{file} can't be moved out of the way: \w.*"):
        restore(copy, file)
    assert file.read_bytes() == before
    assert not list(file.parent.glob("*before-restore*"))


async def test_a_damaged_database_is_set_aside_as_it_is(file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    backup(file, copy)
    file.write_bytes(b"SQLite format 3\0 and nothing of it")
    aside = restore(copy, file)
    assert aside is not None
    assert aside.read_bytes().endswith(b"nothing of it")
    assert await entries(file) == 0


def test_a_restore_that_fails_leaves_all_as_it_was(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy.db"
    backup(file, copy)
    stood = {"": b"nothing at all of it!" * 4096, "-wal": b"what was written last"}

    def damaged(path: Path, *given: object, **more: object) -> None:
        for end, data in stood.items():
            Path(f"{file}{end}").write_bytes(data)
        raise sqlite3.DatabaseError("file is not a database")

    def full(*given: object) -> None:
        raise StoreError("The disk is full.")

    monkeypatch.setattr(backups, "_must_be_ours", lambda source: None)
    monkeypatch.setattr(backups.sqlite3, "connect", damaged)
    monkeypatch.setattr(backups, "backup", full)
    with pytest.raises(StoreError, match="full"):
        restore(copy, file)
    assert {end: Path(f"{file}{end}").read_bytes() for end in stood} == stood
    assert not list(file.parent.glob("*before-restore*"))


async def test_what_was_set_aside_goes_after_a_time(file: Path, tmp_path: Path) -> None:
    """Whoever was forgotten since then still stands in it."""
    backup(file, tmp_path / "mine.db")
    upgraded = copy_aside(file, "0001")
    async with opened(file):
        backup(file, file.with_name("mine.db"))
    aside = restore(tmp_path / "mine.db", file)
    assert aside is not None
    now = [int(time.time() * 1000)]
    async with open_desk(url_of(file), clock=lambda: now[0]) as desk:
        await let_go(desk.store)
        assert upgraded.exists()
        assert aside.exists()
        now[0] += 31 * DAY_MS
        desk.store.keeping = Keeping(copies_days=0)
        await let_go(desk.store)
        assert aside.exists()
        desk.store.keeping = Keeping(copies_days=Config().forget_copies_days)
        await let_go(desk.store)
    assert not upgraded.exists()
    assert not aside.exists()
    assert file.exists()
    assert file.with_name("mine.db").exists()


def test_what_is_no_backup_is_not_put_there(file: Path, tmp_path: Path) -> None:
    before = file.read_bytes()
    words = tmp_path / "words.db"
    words.write_text("Dear diary, " * 100)
    newer = Path(shutil.copy(file, tmp_path / "newer.db"))
    with closing(sqlite3.connect(newer)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    for wrong, said in (
        (words, "is not a backup of this bot's database"),
        (newer, "newer version"),
        (tmp_path / "none.db", "no backup at"),
        (file, "the database itself"),
    ):
        with pytest.raises(StoreError, match=said):
            restore(wrong, file)
    assert file.read_bytes() == before


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize("stands", [True, False])
def test_what_root_puts_back_belongs_to_whose_database_it_was(
    stands: bool, file: Path, tmp_path: Path
) -> None:
    """Root has not thought of runuser; the bot's own user has to write the file all the same."""
    folder = tmp_path / "adjutant"
    folder.mkdir()
    there = folder / "adjutant.db"
    if stands:
        shutil.copy(file, there)
        os.chown(there, 12345, 12346)
    else:
        os.chown(folder, 12345, 12346)
    restore(file, there)
    assert (there.stat().st_uid, there.stat().st_gid) == (12345, 12346)


@pytest.mark.parametrize("name", ["backup", "doctor", "verify", "copy"])
def test_what_is_stopped_says_so_and_nothing_else(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(*_: object) -> int:
        raise KeyboardInterrupt

    words = {"backup": ["x"], "verify": ["x"], "copy": ["x", "y"]}.get(name, [])
    with monkeypatch.context() as patch:
        patch.setitem(programs.COMMANDS, name, stopped)
        assert command_line.main([name, *words]) == 130
    with monkeypatch.context() as patch:
        patch.setattr(command_line, "load", stopped)
        assert command_line.main([name, *words]) == 130
    assert capsys.readouterr() == ("", "Stopped.\nStopped.\n")


def test_who_reads_no_further_is_no_fault(file: Path) -> None:
    """As in `python -m bot doctor | head -1`: what is left unread is not told as a traceback."""
    asked = f"{sys.executable} -m bot doctor"
    done = subprocess.run(
        ["sh", "-c", f"{{ sleep 0.1; {asked}; echo $? >&2; }} | true"],
        cwd=ROOT,
        env=os.environ | {"ADJUTANT_DATABASE": str(file)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == "141\n"


def test_the_command_line_copies_and_puts_back(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = tmp_path / "config.toml"
    settings.write_text(f"database = '{file}'")

    def said(*words: str) -> tuple[int, str]:
        status = command_line.main(["--config", str(settings), *words])
        given = capsys.readouterr()
        return status, given.out + given.err

    assert said("backup")[0] == 2
    status, words = said("backup", "--keep", "0", str(tmp_path / "copies"))
    assert (status, words) == (1, "Enter a number of at least 1 after --keep, for example --keep 7.\n")
    assert not (tmp_path / "copies").exists()
    status, words = said("backup", "--keep", "7")
    assert status == 0
    (copy,) = dated_copies(file, tmp_path / "backups")
    assert str(copy) in words
    status, words = said("restore", str(copy))
    assert status == 0
    assert "The old database was kept as" in words
    assert said("doctor")[0] == 0
