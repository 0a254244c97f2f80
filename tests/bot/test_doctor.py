"""The doctor: silent after any play, and loud about whatever was tampered with."""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot import __main__ as command_line
from bot.games.counterblast.turn.bag import DrawToken
from bot.store.doctor import examine
from bot.store.errors import StoreError
from bot.store.reads import CardPlace
from bot.store.schema import STATE, metadata
from bot.table.campaign.campaigns import CreateCampaign
from bot.table.journal.history import FreshDice, Redo, Undo
from bot.table.rolling.rolls import Roll
from bot.table.rosters.crews import CreateCrew, RecruitMember
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from bot.table.session.models import AddCondition, DamageModel
from tests.bot.play import Player
from tests.bot.tables import Table, opened, url_of


async def played(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    await table.done("anna", NextStep())
    await table.done("anna", AddCondition("Smap", "hidden"))
    await table.done("anna", DamageModel("Smap", 2))
    await table.done("anna", Roll("4d10"))
    undone = await table.done("anna", Undo(2))
    await table.done("anna", Roll("4d10"))
    await table.done("anna", Undo())
    await table.press("bo", undone, "Allow new dice")
    await table.done("anna", Roll("5d10"))
    crew = (await table.done("bo", CreateCrew("The Fine"))).scope
    await table.done("bo", RecruitMember(crew, "smap", 3))
    await table.done("bo", RecruitMember(crew, "sally"))
    await table.done("bo", Undo(), scope=crew)


@pytest.fixture(scope="module")
def played_once(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = Path(shutil.copy(migrated, tmp_path_factory.mktemp("doctor") / "table.db"))

    async def play() -> None:
        async with opened(file) as table:
            await played(table)

    asyncio.run(play())
    return file


@pytest.fixture
def database(played_once: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(played_once, tmp_path / "table.db"))


async def test_nothing_is_found_after_play(database: Path) -> None:
    report = await examine(url_of(database))
    assert report.faults == ()
    assert (report.scopes, report.entries) == (2, 16)


@pytest.mark.parametrize("number", range(20, 24))
async def test_nothing_is_found_after_random_play(table: Table, number: int) -> None:
    player = Player(table, number)
    await player.begin()
    for _ in range(60):
        await player.step()
        if player.dice.random() < 0.2:
            await table.do("anna", Undo(player.dice.randint(1, 5)), scope=1)
        if player.dice.random() < 0.1:
            await table.do("bo", Redo(player.dice.randint(1, 3)), scope=1)
        if player.dice.random() < 0.1:
            await table.do("bo", FreshDice(player.dice.randint(1, 40)), scope=1)
        await table.do("anna", DrawToken())
    report = await examine(url_of(table.file))
    assert report.entries > 15
    assert report.faults == ()


TAMPERED = [
    ("UPDATE models SET damage = 9 WHERE id = 3", "models (1, 3) does not match its journal"),
    ("UPDATE models SET damage = 'none' WHERE id = 3", "the table models has a value of the wrong type"),
    ("UPDATE models SET counters = '{\"x\":1}' WHERE id = 3", "models (1, 3) does not match"),
    ("DELETE FROM models WHERE id = 5", "models (1, 5) does not match"),
    ("INSERT INTO words VALUES (1, 1, 100, 'lucky')", "words (1, 1) does not match"),
    ("UPDATE tokens SET inside = inside + 1", "tokens"),
    ("UPDATE members SET points = 0 WHERE id = 1", "members (2, 1) does not match"),
    ("UPDATE crews SET owner_id = 1", "crews (2,) does not match"),
    ("DELETE FROM journal WHERE scope = 1 AND seq = 4", "entry 4 is missing"),
    ("DELETE FROM journal WHERE scope = 1 AND seq = 12", "its journal has 11 entries"),
    ("DELETE FROM journal WHERE scope = 1", "its journal has 0 entries"),
    ("UPDATE journal SET faces = replace(faces, '[10,', '[9,') WHERE seq = 7", "chain of hashes"),
    ("UPDATE journal SET faces = '[]' WHERE seq = 12", "chain of hashes"),
    ("UPDATE journal SET title = 'nothing' WHERE scope = 1 AND seq = 5", "chain of hashes"),
    ("UPDATE journal SET actor = 'bo' WHERE scope = 1 AND seq = 5", "chain of hashes"),
    ("UPDATE journal SET reason = 'x' WHERE scope = 1 AND seq = 5", "chain of hashes"),
    ("UPDATE journal SET changes = '[]' WHERE scope = 1 AND seq = 4", ""),
    ("UPDATE journal SET changes = 'no json' WHERE scope = 1 AND seq = 4", "entry 4 does not fit"),
    ("UPDATE journal SET changes = '[[\"nothing\",null,[1]]]' WHERE seq = 4", "entry 4 does not fit"),
    ("UPDATE journal SET changes = '[1]' WHERE scope = 1 AND seq = 4", "entry 4 does not fit"),
    ("UPDATE journal SET parent = 99 WHERE scope = 1 AND seq = 8", "entry 8 does not fit"),
    ("UPDATE journal SET parent = 5 WHERE scope = 1 AND seq = 5", "entry 5 does not fit"),
    ("UPDATE journal SET parent = 7 WHERE scope = 1 AND seq = 7", "entry 7 does not fit"),
    ("UPDATE journal SET kind = 'do' WHERE scope = 1 AND seq = 8", "entry 8 does not fit"),
    (
        "UPDATE journal SET number = -1 WHERE scope = 1 AND seq = 7",
        "the scope counts 4 rolls, but its journal has 3",
    ),
    ("UPDATE journal SET id = 100000 WHERE scope = 1 AND seq = 7", "entry 8 was written before entry 7"),
    ("UPDATE scopes SET version = version - 1 WHERE id = 1", "is at entry"),
    ("UPDATE scopes SET tip = 1 WHERE id = 1", "is at entry"),
    ("UPDATE scopes SET rolls = 0 WHERE id = 1", "counts 0 rolls"),
    ("UPDATE scopes SET chain = 'x' WHERE id = 1", "chain of hashes"),
    ("UPDATE undone SET open = 1 WHERE seq = 7", "list of undone entries"),
    ("DELETE FROM undone WHERE seq = 9", "list of undone entries"),
    ("INSERT INTO undone VALUES (1, 1, 'x', 0)", "list of undone entries"),
    ("UPDATE scopes SET open_dice = 7 WHERE id = 1", "list of undone entries"),
    ("DELETE FROM scopes WHERE id = 2", "the table crews still has rows from it"),
]


@pytest.mark.parametrize(("statement", "said"), TAMPERED, ids=[statement for statement, _ in TAMPERED])
async def test_what_was_tampered_with_is_found(database: Path, statement: str, said: str) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        assert connection.execute(statement).rowcount > 0
    faults = (await examine(url_of(database))).faults
    assert faults
    assert said in "\n".join(faults)


Cell = tuple[str, str]


def cells(file: Path) -> list[Cell]:
    """Every column of every table that holds something; of the tables of the state, one."""
    with closing(sqlite3.connect(file)) as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return [
            (table, column[1])
            for table in tables
            if not table.startswith("sqlite_")
            and connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for column in connection.execute(f"PRAGMA table_info({table})").fetchall()[
                -1 if table in STATE else 0 :
            ]
        ]


def one_bit(value: object) -> object:
    """The value with its lowest bit turned, of a text that of its last sign."""
    if isinstance(value, int):
        return value ^ 1
    text = str(value)
    return text[:-1] + chr(ord(text[-1]) ^ 1) if text else "x"


WITHIN_A_GAP = ("journal", "id")
"""The number by which entries of all scopes are in order: one more, in a gap, alters nothing."""


async def test_one_bit_in_any_column_is_found(database: Path, tmp_path: Path) -> None:
    async with opened(database) as table:
        await table.desk.store.set_panel(1, CardPlace(table.channel, 7, 9))
    found = cells(database)
    assert len(found) > 50
    unnoticed = []
    for number, (name, column) in enumerate(found):
        file = tmp_path / f"{number}.db"
        shutil.copy(database, file)
        with closing(sqlite3.connect(file)) as connection, connection:
            last = f"SELECT max(rowid) FROM {name}"
            before = connection.execute(f"SELECT {column} FROM {name} WHERE rowid = ({last})").fetchone()[0]
            try:
                connection.execute(
                    f"UPDATE {name} SET {column} = ? WHERE rowid = ({last})", (one_bit(before),)
                )
            except sqlite3.IntegrityError:
                continue
        if not await faulty(file):
            unnoticed.append((name, column))
        file.unlink()
    assert {*unnoticed} <= {WITHIN_A_GAP}


async def faulty(file: Path) -> bool:
    """Whether the doctor finds something, or refuses to look."""
    try:
        return bool((await examine(url_of(file))).faults)
    except StoreError:
        return True


def everything(file: Path) -> object:
    """All rows of all tables; None where they cannot be read."""
    try:
        with closing(sqlite3.connect(file)) as connection:
            connection.text_factory = bytes
            return {
                name: connection.execute(f"SELECT * FROM {name} NOT INDEXED").fetchall()
                for name in metadata.tables
            }
    except (sqlite3.Error, UnicodeDecodeError):
        return None


async def test_files_with_a_turned_bit_are_clean_only_where_they_hold_the_same(
    database: Path, tmp_path: Path
) -> None:
    whole, chance = database.read_bytes(), random.Random(25)
    same = everything(database)
    assert isinstance(same, dict)
    assert not await faulty(database)
    clean = 0
    used = [place for place, byte in enumerate(whole) if byte and place >= 100]
    for number in range(40):
        file = tmp_path / f"{number}.db"
        flipped = bytearray(whole)
        place = chance.choice(used)
        flipped[place] ^= 1 << chance.randrange(8)
        file.write_bytes(flipped)
        if not await faulty(file):
            clean += 1
            assert everything(file) == same, (place, whole[place - 40 : place + 40])
        for path in tmp_path.glob(f"{number}.db*"):
            path.unlink()
    assert 0 < clean < 20


@pytest.mark.parametrize(
    ("was", "now"),
    [
        (b"scope BIGINT NOT NULL", b"scope BIGINT NOT$NULL"),
        (b"scope BIGINT NOT NULL", b"scope BIGINV NOT NULL"),
        (b"PRIMARY KEY (scope, id)", b"PRIMARY KEY (scope    )"),
    ],
)
async def test_tables_laid_out_otherwise_are_found(database: Path, was: bytes, now: bytes) -> None:
    """One letter of what the file says of its tables, in every table that says it."""
    whole = database.read_bytes()
    assert was in whole
    assert len(was) == len(now)
    database.write_bytes(whole.replace(was, now))
    assert await faulty(database)


async def test_a_secret_that_is_not_the_published_one_is_found(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE seeds SET seed = ?", (f"{2:064x}",))
    assert (
        "Scope 1: the seed of its dice does not match the hash that was published."
        in (await examine(url_of(database))).faults
    )
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("DELETE FROM seeds")
    assert len((await examine(url_of(database))).faults) == 1


async def test_a_campaigns_secret_is_compared_too(table: Table) -> None:
    scope = (await table.done("anna", CreateCampaign("The Long Road", "counterblast"))).scope
    assert not await faulty(table.file)
    with closing(sqlite3.connect(table.file)) as connection, connection:
        assert connection.execute("UPDATE seeds SET seed = ?", (f"{99:064x}",)).rowcount == 1
    faults = (await examine(url_of(table.file))).faults
    assert faults == (f"Scope {scope}: the seed of its dice does not match the hash that was published.",)


async def test_a_database_of_another_version_is_not_called_clean(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0000'")
    with pytest.raises(StoreError, match="needs revision 0001, but the database has 0000"):
        await examine(url_of(database))


def test_the_command_line_tells(database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "config.toml"
    config.write_text(f"database = '{database}'")
    assert command_line.main(["--config", str(config), "doctor"]) == 0
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE models SET damage = 9 WHERE id = 3")
    assert command_line.main(["--config", str(config), "doctor"]) == 1
    assert "Scope 1: models (1, 3) does not match its journal." in capsys.readouterr().out
