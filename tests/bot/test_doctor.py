"""The doctor: silent after any play, and loud about whatever was tampered with."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot import __main__ as command_line
from bot.games.counterblast.bag_play import DrawToken
from bot.store.doctor import examine
from bot.table.crews import CreateCrew, RecruitMember
from bot.table.encounters import JoinEncounter, NextStep, StartDemo
from bot.table.history import FreshDice, Redo, Undo
from bot.table.models import AddCondition, DamageModel
from bot.table.rolls import Roll
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
    await table.press("bo", undone, "Allow fresh dice")
    await table.done("anna", Roll("5d10"))
    crew = (await table.done("bo", CreateCrew("The Fine"))).scope
    await table.done("bo", RecruitMember(crew, "smap", 3))
    await table.done("bo", RecruitMember(crew, "sally"))
    await table.done("bo", Undo(), scope=crew)


@pytest.fixture
async def database(file: Path) -> Path:
    async with opened(file) as table:
        await played(table)
    return file


async def test_nothing_is_found_after_play(database: Path) -> None:
    report = await examine(url_of(database))
    assert report.faults == ()
    assert (report.scopes, report.entries) == (2, 15)


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
    ("UPDATE models SET damage = 9 WHERE id = 3", "models (1, 3) is not what its journal says"),
    ("UPDATE models SET counters = '{\"x\":1}' WHERE id = 3", "models (1, 3) is not"),
    ("DELETE FROM models WHERE id = 5", "models (1, 5) is not"),
    ("INSERT INTO words VALUES (1, 1, 100, 'lucky')", "words (1, 1) is not"),
    ("UPDATE tokens SET inside = inside + 1", "tokens"),
    ("UPDATE members SET points = 0 WHERE id = 1", "members (2, 1) is not"),
    ("UPDATE crews SET owner_id = 1", "crews (2,) is not"),
    ("DELETE FROM journal WHERE scope = 1 AND seq = 4", "entry 4 is missing"),
    ("DELETE FROM journal WHERE scope = 1 AND seq = 11", "its journal at 10/"),
    ("DELETE FROM journal WHERE scope = 1", "its journal at 0/0"),
    ("UPDATE journal SET faces = replace(faces, '[10,', '[9,') WHERE seq = 6", "chain of hashes"),
    ("UPDATE journal SET faces = '[]' WHERE seq = 11", "chain of hashes"),
    ("UPDATE journal SET title = 'nothing' WHERE scope = 1 AND seq = 5", "chain of hashes"),
    ("UPDATE journal SET actor = 'bo' WHERE scope = 1 AND seq = 5", "chain of hashes"),
    ("UPDATE journal SET reason = 'x' WHERE scope = 1 AND seq = 5", "chain of hashes"),
    ("UPDATE journal SET changes = '[]' WHERE scope = 1 AND seq = 4", ""),
    ("UPDATE journal SET changes = 'no json' WHERE scope = 1 AND seq = 4", "entry 4 does not fit"),
    ("UPDATE journal SET changes = '[[\"nothing\",null,[1]]]' WHERE seq = 4", "entry 4 does not fit"),
    ("UPDATE journal SET changes = '[1]' WHERE scope = 1 AND seq = 4", "entry 4 does not fit"),
    ("UPDATE journal SET parent = 99 WHERE scope = 1 AND seq = 7", "entry 7 does not fit"),
    ("UPDATE journal SET parent = 5 WHERE scope = 1 AND seq = 5", "entry 5 does not fit"),
    ("UPDATE journal SET parent = 7 WHERE scope = 1 AND seq = 7", "entry 7 does not fit"),
    ("UPDATE journal SET kind = 'do' WHERE scope = 1 AND seq = 7", "entry 7 does not fit"),
    ("UPDATE journal SET number = -1 WHERE scope = 1 AND seq = 6", "counts 4 rolls, its journal 3"),
    ("UPDATE scopes SET version = version - 1 WHERE id = 1", "stands at"),
    ("UPDATE scopes SET tip = 1 WHERE id = 1", "stands at"),
    ("UPDATE scopes SET rolls = 0 WHERE id = 1", "counts 0 rolls"),
    ("UPDATE scopes SET chain = 'x' WHERE id = 1", "chain of hashes"),
    ("UPDATE undone SET open = 1 WHERE seq = 6", "list of undone entries"),
    ("DELETE FROM undone WHERE seq = 8", "list of undone entries"),
    ("INSERT INTO undone VALUES (1, 1, 'x', 0)", "list of undone entries"),
    ("UPDATE scopes SET open_dice = 7 WHERE id = 1", "list of undone entries"),
    ("DELETE FROM scopes WHERE id = 2", "Scope 2: crews has rows of it"),
]


@pytest.mark.parametrize(("statement", "said"), TAMPERED, ids=[statement for statement, _ in TAMPERED])
async def test_what_was_tampered_with_is_found(database: Path, statement: str, said: str) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        assert connection.execute(statement).rowcount > 0
    faults = (await examine(url_of(database))).faults
    assert faults
    assert said in "\n".join(faults)


def test_the_command_line_tells(database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "config.toml"
    config.write_text(f"database = '{database}'")
    assert command_line.main(["--config", str(config), "doctor"]) == 0
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE models SET damage = 9 WHERE id = 3")
    assert command_line.main(["--config", str(config), "doctor"]) == 1
    assert "Scope 1: models (1, 3) is not what its journal says." in capsys.readouterr().out
