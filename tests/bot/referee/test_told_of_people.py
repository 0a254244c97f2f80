"""What a verdict tells of people: undo by consent, corrections; and where a file parts from the channel."""

from __future__ import annotations

from hashlib import sha256

import pytest

from bot.table.journal.history import Redo, Undo
from bot.table.referee import checks
from bot.table.referee.checks import Forged, Verdict, held
from bot.table.referee.game_replay import referee
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from bot.table.session.models import DamageModel
from tests.bot.referee.exported import export
from tests.bot.tables import Table


async def verdict(table: Table) -> Verdict:
    return await referee(await export(table.desk, 1))


async def test_undo_and_redo_by_consent_are_told(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    await table.done("anna", NextStep())
    await table.done("bo", DamageModel("Trapper"))
    await table.press("bo", await table.done("anna", Undo()), "Agree")
    await table.press("bo", await table.done("anna", Redo()), "Agree")
    decided = [(one.who, one.kind) for one in (await verdict(table)).decided if "consent" in one.kind]
    assert decided == [("bo", "undo by consent"), ("bo", "redo by consent")]


CHAIN = [sha256(str(number).encode()).hexdigest() for number in range(11)]
ENTRIES = [{"stood": ""} for _ in range(10)]
OTHER = sha256(b"other").hexdigest()


@pytest.mark.parametrize(
    ("heads", "told"),
    [
        ([OTHER], "is not in this file."),
        (
            [CHAIN[4], OTHER],
            "as you saw them; one of entries 5 to 10 was changed",
        ),
        ([OTHER, CHAIN[9]], "Entries 1 to 9 are as you saw them; entry 10 was changed"),
        ([CHAIN[1], OTHER], "Entry 1 is as you saw it"),
        ([CHAIN[10], OTHER], "what came after is missing."),
    ],
)
def test_the_entries_after_the_last_good_head_are_named(heads: list[str], told: str) -> None:
    with pytest.raises(Forged, match=told):
        held(CHAIN, ENTRIES, heads)


def test_a_file_is_read_only_as_far_as_an_export_may_go(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "MAX_EXPORT_BYTES", 10)
    with pytest.raises(Forged, match="too large"):
        checks.read_export(b"x" * 11)
