"""Whatever is called, with whatever values: it is answered, and no fault of the program comes of it."""

from __future__ import annotations

import itertools
import random
import shutil
from pathlib import Path

import pytest

from bot.actions import ACTIONS, Action, BadId, parts
from bot.games.infinity.profile_actions import ImportProfiles
from bot.ids import Tag, pack, unpack
from bot.table.asking.reading import read_part
from bot.table.offers.legal_actions import Looking
from bot.table.rosters.crews import CreateCrew, ImportCrew
from bot.table.session.drafts import MAKERS, Draft
from bot.table.session.encounters import NextStep, StartDemo
from bot.table.session.models import DamageModel
from bot.table.session.settings import Settings
from rules.refusals import InvalidInput
from tests.bot.tables import Table
from tests.faults.campaign import doors, hostile, troubles


async def test_hostile_calls_are_answered(migrated: Path, tmp_path: Path) -> None:
    numbers = itertools.count()
    found = await hostile.calls(lambda: Path(shutil.copy(migrated, tmp_path / f"{next(numbers)}.db")), 300, 5)
    assert found.faults == []
    assert sum(found.numbers.values()) == 300


async def test_hostile_calls_through_discord_are_answered(migrated: Path, tmp_path: Path) -> None:
    found = await doors.calls(hostile.copies(migrated, tmp_path / "doors.db"), 150, 5)
    assert found.faults == []
    assert sum(found.numbers.values()) == 150


async def test_nothing_is_lost_where_discord_misbehaves(migrated: Path, tmp_path: Path) -> None:
    tally = await troubles.calls(hostile.copies(migrated, tmp_path / "troubles.db"), 24, 3, storms=100)
    assert tally.is_clean, tally
    assert tally.stood >= 20


def test_an_id_with_a_letter_that_no_field_has_is_refused() -> None:
    good = pack(Tag(DamageModel("Smap", 1), 1, 1))
    head, _, values = good.rpartition(":")
    for letter in ("~", "z~z", "Z"):
        with pytest.raises(BadId):
            unpack(f"{head}:{values}~{letter}")


@pytest.mark.both_databases
async def test_a_scope_that_no_database_can_hold_is_not_there(table: Table) -> None:
    await table.done("anna", StartDemo())
    for scope in (2**63, 36**13, -1):
        assert ("Nothing was changed, because what you chose no longer exists") in await table.refused(
            "anna", DamageModel("Smap", 1), scope=scope
        )


def test_half_a_letter_fits_into_an_id() -> None:
    assert unpack(pack(Tag(DamageModel("a\ud800b", 1), 1, 1))).action == DamageModel("a?b", 1)


@pytest.mark.parametrize(
    "action", [ImportProfiles("Fusilier \ud800"), Settings("\ud800", "1"), CreateCrew("The \udfff Fine")]
)
async def test_half_a_letter_is_no_fault_wherever_it_stands(table: Table, action: Action) -> None:
    """No door lets one through; a program that calls the desk may."""
    await table.done("anna", StartDemo("infinity"))
    assert (await table.do("anna", action)).reply.lines


async def test_half_a_letter_in_a_file_is_named(table: Table) -> None:
    await table.done("anna", StartDemo("infinity"))
    written = '{"format": "adjutant infinity profiles 1", "profiles": [{"name": "\\ud800"}]}'
    assert "half of a surrogate pair" in await table.refused("anna", ImportProfiles(written))
    assert "half of a surrogate pair" in await table.refused("anna", ImportCrew('{"name": "\\uDc00"}'))


@pytest.mark.parametrize("number", [1e308, -1e308, float("nan"), float("inf")])
async def test_a_distance_that_nothing_has_is_refused_wherever_one_is_said(
    table: Table, number: float
) -> None:
    """Ten times as much, or rounded, it would be no number any more."""
    await table.done("anna", StartDemo())
    looking = Looking((await table.loaded()).book(), table.actor("anna"))
    measured = [
        (kind, part)
        for command, kind in ACTIONS.items()
        for part in parts(command)
        if part.wire is float and kind.__module__.startswith("bot.")
    ]
    assert len(measured) > 50
    for kind, part in measured:
        with pytest.raises(InvalidInput):
            read_part(looking.act(kind()), part, number, {})


@pytest.mark.parametrize("system", ["counterblast", "infinity", "warzone", "soluna", "fracd_earth"])
async def test_a_draft_that_nobody_was_shown_is_answered(table: Table, system: str) -> None:
    """Of another game, of another length, with numbers and words that mean nothing there."""
    await table.done("anna", StartDemo(system))
    await table.do("anna", NextStep())
    dice = random.Random(system)
    for of, making in sorted(MAKERS.items()):
        for _ in range(40):
            about = tuple(
                dice.randint(*dice.choice(((-3, 20), (0, 2))))
                for _ in range(dice.choice([*making.abouts, 1]))
            )
            pieces = tuple(dice.randint(-50, 400) for _ in range(dice.randint(0, 4)))
            words = dice.choice(("", "Pulsar Rifle", "12.0", "nan", "1e999", "a/b!1", "x:y", "grenade:"))
            drafted = Draft(of, about, pieces, words=words, does=dice.randint(0, 2))
            assert (await table.do("anna", drafted)).reply.lines
