"""Dice that can be checked afterwards: an export verifies, and not with one byte changed; no seed leaks."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot import __main__ as command_line
from bot.games.counterblast.turn.activations import Activate
from bot.games.counterblast.turn.bag import DrawToken, PassDraw
from bot.store.book import EMPTY_CHAIN
from bot.store.journal import PUBLISHED, compact, link, salted, unsalted
from bot.table.journal.history import FreshDice, Undo
from bot.table.journal.log import Export, ShowLog, WhyEntry, WhyModel
from bot.table.realdice import EnterFaces
from bot.table.referee.checks import Forged, verify
from bot.table.request import Answer
from bot.table.rolling.dice_settings import VERIFY, AddWords, DiceMode, ShowDice
from bot.table.rolling.rolls import Roll
from bot.table.session.encounters import EndEncounter, JoinEncounter, NextStep, ShowEncounter, StartDemo
from bot.table.session.models import DamageModel, NoteModel
from tests.bot.tables import Table, all_lines, opened


async def whole_game(table: Table) -> list[Answer]:
    """Words, undo, repeats, leave for fresh dice, real dice, a bag, an override: all an export may hold."""
    answers = []

    async def go(who: str, action: Any, **more: Any) -> Answer:
        answers.append(await table.do(who, action, **more))
        return answers[-1]

    async def either(action: Any) -> Answer:
        for who in ("anna", "bo"):
            if (await go(who, action)).changed:
                return answers[-1]
        raise AssertionError(answers[-1].reply.text)

    await go("anna", StartDemo())
    await go("bo", JoinEncounter("Edo"))
    await go("bo", AddWords("é ~ über"))
    await go("anna", AddWords("a cup of tea"))
    await go("bo", NextStep())
    await go("anna", Roll("8d10"))
    await go("anna", NoteModel("Smap", "a cup of tea"))
    await go("anna", Roll("3d6+2d20"))
    await go("anna", Undo(2))
    await go("anna", Roll("3d6+2d20"))
    await go("anna", Roll("2d1000"))
    undone = await go("anna", Undo())
    await table.press("bo", undone, "Allow new dice")
    await go("anna", Roll("2d1000"))
    await go("anna", NoteModel("Smap", "a second cup"))
    await go("bo", DiceMode("real"))
    await go("bo", Roll("3d6"))
    await go("bo", EnterFaces((1,)))
    await go("bo", EnterFaces((6, 6)))
    await either(DrawToken())
    drew = (await table.desk.store.latest(1, 1))[0].actor
    await go(drew, Undo())
    drawn = await either(DrawToken())
    await either(Activate((int(drawn.reply.menus[0].choices[0].value),)))
    await either(PassDraw())
    await either(DrawToken())
    await go("anna", DamageModel("Trapper", 1), reason="the tape measure slipped")
    await go("bo", NoteModel("Trapper", "a trap"))
    await go("bo", FreshDice(10))
    for action in (ShowDice(), ShowLog(), WhyModel("Trapper"), WhyEntry(10), ShowEncounter(), Export()):
        await go("bo", action)
    return answers


async def exported(table: Table) -> bytes:
    await whole_game(table)
    await table.done("anna", EndEncounter())
    answer = await table.do("bo", Export())
    assert answer.reply.private
    return answer.reply.files[0].data


@pytest.fixture(scope="module")
def export(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    import asyncio
    import shutil

    file = Path(shutil.copy(migrated, tmp_path_factory.mktemp("export") / "table.db"))

    async def play() -> bytes:
        async with opened(file) as table:
            return await exported(table)

    return asyncio.run(play())


def test_an_export_verifies(export: bytes) -> None:
    verdict = verify(export)
    assert verdict.encounter == "Counterblast"
    assert verdict.rolls >= 8
    assert verdict.real == 3
    dice = {entry["dice"] for entry in json.loads(export)["entries"]}
    assert dice == {"", "bot", "real", "repeat"}


def test_the_command_line_verifies(export: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(export)
    assert command_line.main(["verify", str(file)]) == 0
    said = capsys.readouterr().out
    assert "Counterblast: " in said
    assert "Rolled with real dice and entered by hand: 3 die faces." in said
    file.write_bytes(export.replace(b'"title":"', b'"title":"not ', 1))
    assert command_line.main(["verify", str(file)]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert "changed" in said.err


def test_one_changed_byte_fails_anywhere(export: bytes) -> None:
    dice = random.Random(7)
    head = [*range(120), *range(len(export) - 200, len(export))]
    places = {*dice.sample(range(len(export)), 150), *dice.sample(head, 120)}
    for place in places:
        changed = bytearray(export)
        changed[place] ^= 1 << dice.randrange(7)
        with pytest.raises(Forged):
            verify(bytes(changed))


def test_changed_case_in_the_head_fails(export: bytes) -> None:
    head = json.loads(export)
    for name in ("encounter", "system", "commitment", "seed", "chain", "format"):
        for value in (head["system"], head["encounter"], head["commitment"], "", "0", 1, None, True):
            if value != head[name] or type(value) is not type(head[name]):
                with pytest.raises(Forged):
                    verify(compact({**head, name: value}).encode())


@pytest.mark.parametrize("cut", [0, 1, 100, -1])
def test_shorter_and_longer_files_fail(export: bytes, cut: int) -> None:
    with pytest.raises(Forged):
        verify(export[:cut])
    with pytest.raises(Forged):
        verify(export + b"\n")


def sealed(document: dict[str, Any]) -> bytes:
    """The document with a chain that fits it: what a forger who knows the format would hand out."""
    chain = EMPTY_CHAIN
    for entry in document["entries"]:
        chain = link(chain, entry)
    return compact({**document, "chain": chain}).encode()


def test_a_forger_who_seals_anew_is_still_found(export: bytes) -> None:
    whole = json.loads(export)
    assert sealed(whole) == export
    for place, entry in enumerate(whole["entries"]):
        if entry["dice"] not in ("bot", "repeat"):
            continue
        faces = json.loads(entry["faces"])
        sides, face, *of = faces[-1]
        other = [*faces[:-1], [sides, face % sides + 1, *of]]
        for forged in (
            {**entry, "faces": compact(other)},
            {**entry, "number": entry["number"] + 1},
            {**entry, "number": 0 if entry["number"] else 5},
        ):
            entries = [*whole["entries"][:place], forged, *whole["entries"][place + 1 :]]
            with pytest.raises(Forged):
                verify(sealed({**whole, "entries": entries}))
    with pytest.raises(Forged):
        verify(sealed({**whole, "entries": whole["entries"][:-1]}))
    with pytest.raises(Forged):
        verify(sealed({**whole, "entries": whole["entries"][1:]}))


@pytest.mark.parametrize(
    "data",
    [b"", b"{}", b"[]", b"null", b"\xff", b'{"entries":[]}', b'{"entries":{}}', b"7", b"[" * 100_000],
)
def test_what_is_no_export_is_refused(data: bytes) -> None:
    with pytest.raises(Forged):
        verify(data)


async def test_the_seed_is_told_to_nobody_before_the_end(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", "bot")
    answers = await whole_game(table)
    seed = (await table.loaded()).seed
    secrets = (seed.hex(), repr(seed), str(int.from_bytes(seed, "big")).zfill(3) + " ")
    said = "\n".join(line for answer in answers for line in all_lines(answer.reply))
    with closing(sqlite3.connect(table.file)) as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        kept = {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in tables}
    assert kept.pop("seeds") == [(1, seed.hex())]
    everything = said + repr(kept) + caplog.text
    assert not any(secret in everything for secret in secrets[:2])
    assert "The game is still running. You can export it after it has ended" in answers[-1].reply.text
    assert answers[-1].reply.files == ()
    ended = await table.done("anna", EndEncounter())
    assert seed.hex() not in ended.reply.text
    assert f"Seed: `{seed.hex()}`" in (await table.do("bo", ShowDice())).reply.lines


async def test_the_seed_that_is_shown_is_the_one_that_was_bound(table: Table) -> None:
    started = await table.done("anna", StartDemo())
    bound = (await table.encounter()).row.commitment
    assert VERIFY in started.reply.lines
    assert bound not in started.reply.text
    assert bound in (await table.do("bo", ShowDice())).reply.text
    await table.done("anna", EndEncounter())
    data = (await table.do("bo", Export())).reply.files[0].data
    assert verify(data).commitment == bound


async def test_words_change_every_roll_from_the_beginning_on_and_none_before(
    file: Path, tmp_path: Path
) -> None:
    import shutil

    rolls = []
    for number, words in enumerate(("", "tea", "tea ")):
        copy = Path(shutil.copy(file, tmp_path / f"{number}.db"))
        async with opened(copy) as table:
            await table.done("anna", StartDemo())
            if words:
                await table.done("anna", AddWords(words))
            before = await table.done("anna", Roll("9d10"))
            await table.done("anna", NextStep())
            after = await table.done("anna", Roll("9d10"))
            rolls.append((before.reply.lines, after.reply.lines))
    assert rolls[0][0] == rolls[1][0] == rolls[2][0]
    assert rolls[0][1] != rolls[1][1] == rolls[2][1]


async def test_every_roll_of_a_game_has_its_own_number(table: Table) -> None:
    await whole_game(table)
    entries = await table.desk.store.all_entries(1)
    numbers = [entry.number for entry in entries if entry.number >= 0]
    assert numbers == list(range(len(numbers)))
    assert all((entry.number >= 0) == (entry.dice in ("bot", "repeat")) for entry in entries)


async def test_two_games_are_bound_to_different_seeds(table: Table) -> None:
    await table.done("anna", StartDemo())
    there = table.actor("anna", channel=501)
    await table.done(there, StartDemo())
    assert (await table.desk.store.load(1)).seed != (await table.desk.store.load(2)).seed  # type: ignore[union-attr]


async def test_nobody_tries_out_what_an_entry_hides(table: Table) -> None:
    """With the hash before and after a step, and all else known: the salt follows from the seed alone."""
    await table.done("anna", StartDemo())
    await table.done("anna", NextStep())
    entries = await table.desk.store.all_entries(1)
    salts = [json.loads(entry.asked)["salt"] for entry in entries]
    assert len(set(salts)) == len(entries) > 1
    loaded = await table.loaded()
    row = {name: getattr(entries[-1], name) for name in PUBLISHED} | {"stood": ""}
    before = loaded.scope.chain
    assert link(before, row) != link(before, row | {"asked": unsalted(entries[-1].asked)})
    assert salted(unsalted(entries[-1].asked), loaded.seed, entries[-1].seq) == entries[-1].asked
    assert salted(unsalted(entries[-1].asked), bytes(32), entries[-1].seq) != entries[-1].asked
