"""Games are played again from their exports, entry by entry, to the same rows and the same words."""

from __future__ import annotations

import asyncio
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from bot import __main__ as command_line
from bot.store.journal import PUBLISHED, compact
from bot.table.referee.checks import DoesNotFollow
from bot.table.referee.game_replay import referee
from bot.version import NUMBER, rules_version
from rules.modifiers import Modifier
from rules.systems.counterblast.core import dice_pools
from rules.systems.fracd_earth import combat
from rules.systems.infinity import shooting
from rules.systems.soluna import situation
from rules.systems.warzone import ranged
from tests.bot.referee.exported import exports
from tests.bot.tables import opened
from tests.bot.test_fair_dice import exported
from tests.played import ROOT, Played

REPORTED = ("season", "evening")
"""The examples whose games are reported and not played: they have no journal of an encounter."""

LONG = frozenset({"pressed_counterblast"})
"""Games that take long to replay, and of whose rules another example has as many."""

EXAMPLES = sorted({path.stem for path in (ROOT / "examples").glob("*.txt")} - {*REPORTED, *LONG})


@pytest.fixture(scope="module")
def mixed(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Undo, repeats, leave for fresh dice, real dice, an override, things set right by hand."""
    file = Path(shutil.copy(migrated, tmp_path_factory.mktemp("mixed") / "table.db"))

    async def whole() -> bytes:
        async with opened(file) as table:
            return await exported(table)

    return asyncio.run(whole())


async def test_who_stops_it_is_heard_at_once(mixed: bytes) -> None:
    seen: list[int] = []

    def stop(done: int, of: int) -> None:
        seen.append(done)
        task.cancel()

    task = asyncio.create_task(referee(mixed, (), stop))
    with pytest.raises(asyncio.CancelledError):
        await task
    assert seen == [1]


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_game_follows_from_the_rules(name: str, played: Played, tmp_path: Path) -> None:
    found = exports(played.database(name, tmp_path / "game.db"))
    assert found
    for export in found:
        verdict = asyncio.run(referee(export))
        assert verdict.undecided == ""
        assert verdict.whole
        assert verdict.versions == (rules_version(),)


async def test_what_people_decided_is_listed_apart(mixed: bytes) -> None:
    verdict = await referee(mixed)
    assert verdict.whole
    kinds = {(one.kind, one.who) for one in verdict.decided}
    assert kinds == {("real dice", "bo"), ("override", "anna"), ("by hand", "anna"), ("by hand", "bo")}
    typed = next(one for one in verdict.decided if one.kind == "real dice")
    assert typed.words.endswith("(1 6 6)")


@pytest.fixture(scope="module")
def whole_evening(played: Played, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return exports(played.database("full_game", tmp_path_factory.mktemp("evening") / "game.db"))[0]


def test_a_changed_rule_is_found_at_the_first_entry_that_it_touches(
    whole_evening: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = json.loads(whole_evening)["entries"]
    first = next(entry["seq"] for entry in entries if "+1 Quick" in entry["reply"])
    monkeypatch.setattr(dice_pools, "QUICK", replace(dice_pools.QUICK, amount=2))
    with pytest.raises(DoesNotFollow) as wrong:
        asyncio.run(referee(whole_evening))
    assert wrong.value.entry == first


CONSTANTS = {
    "warzone_battle": (ranged, "WZ-RC-04"),
    "infinity_turn": (shooting, "INF-BS-04"),
    "soluna_fight": (situation, "SU-ACC-05"),
    "fracd_duel": (combat, "FE-CMB-01"),
}
"""For a game of each other system a modifier of one rule, in the module that has it."""


@pytest.mark.parametrize("name", CONSTANTS)
def test_in_every_system_a_changed_modifier_is_found_at_the_first_entry_that_it_touches(
    name: str, played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (export,) = exports(played.database(name, tmp_path / "game.db"))
    module, rule = CONSTANTS[name]
    entries = json.loads(export)["entries"]
    first = next(entry["seq"] for entry in entries if f" {rule}" in entry["reply"])

    def altered(amount: int, reason: str, of: str) -> Modifier:
        return Modifier(amount + (of == rule and amount != 0), reason, of)

    monkeypatch.setattr(module, "Modifier", altered)
    with pytest.raises(DoesNotFollow) as wrong:
        asyncio.run(referee(export))
    begins, command = first, entries[first - 1]["command"]
    while entries[begins - 2]["minor"] or entries[begins - 2]["command"] == command:
        begins -= 1
    assert begins <= wrong.value.entry <= first, "where its table dice or odds are asked for, or in it"


def test_the_command_line_says_what_it_found(
    mixed: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(mixed)
    assert command_line.main(["verify", str(file)]) == 0
    said = capsys.readouterr().out
    assert "every entry follows from the rules" in said
    assert "bo, real dice: " in said
    assert "Add the record codes that you copied" in said


def test_every_entry_says_its_version(mixed: bytes) -> None:
    export = json.loads(mixed)
    assert export["format"] == 1
    assert {entry["version"] for entry in export["entries"]} == {rules_version()}
    assert all(set(entry) == {*PUBLISHED, "stood"} for entry in export["entries"])
    assert compact(export).encode() == mixed


def test_the_version_is_that_of_the_changelog() -> None:
    assert f"## {NUMBER}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert rules_version().startswith(f"{NUMBER}-")
