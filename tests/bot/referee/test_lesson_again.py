"""Steps that Show me did are refereed, and nobody puts another request in the place of one."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path

import pytest

from bot.actions import to_json
from bot.app import ALL_GAMES
from bot.store.journal import compact
from bot.table.journal.history import Undo
from bot.table.journal.log import Export
from bot.table.referee.checks import Forged
from bot.table.referee.game_replay import referee
from bot.table.rolling.rolls import Roll
from bot.table.session.encounters import EndEncounter, JoinEncounter, NextStep, StartDemo
from bot.table.session.lesson import ShowMe
from bot.table.session.models import DamageModel
from tests.bot.tables import opened
from tests.bot.test_fair_dice import sealed

STEPS = 7


@pytest.fixture(scope="module", params=[game.key for game in ALL_GAMES])
def lesson(request: pytest.FixtureRequest, migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A game to try of which Show me plays the first steps."""
    file = Path(shutil.copy(migrated, tmp_path_factory.mktemp("lesson") / "table.db"))

    async def shown() -> bytes:
        async with opened(file) as table:
            await table.done("anna", StartDemo(request.param))
            answer = await table.do("anna", ShowMe())
            for _ in range(STEPS):
                answer = await table.press("anna", answer, "Next step")
            await table.done("anna", EndEncounter())
            return (await table.do("anna", Export())).reply.files[0].data

    return asyncio.run(shown())


def steps_of(export: bytes) -> list[int]:
    entries = json.loads(export)["entries"]
    return [one["seq"] for one in entries if json.loads(one["asked"])["do"][0] == ShowMe.command]


def test_its_steps_follow_from_the_rules(lesson: bytes) -> None:
    assert len(steps_of(lesson)) >= 3
    assert asyncio.run(referee(lesson)).whole


OTHERS = [
    Roll("1d6"),
    Undo(),
    NextStep(),
    JoinEncounter(watch=True),
    DamageModel("#1", 1),
    EndEncounter(),
    ShowMe("left", 3),
]


@pytest.mark.parametrize("other", OTHERS, ids=lambda action: action.command)
def test_another_request_in_the_place_of_one_is_noticed(other: Roll, lesson: bytes) -> None:
    export = json.loads(lesson)
    steps = [seq for seq in steps_of(lesson) if export["entries"][seq - 1]["command"] != other.command]
    seq = steps[OTHERS.index(other) % len(steps)]
    entry = export["entries"][seq - 1]
    said = {**json.loads(entry["asked"]), "do": [other.command, to_json(other)]}
    entry["asked"] = compact(said)
    with pytest.raises(Forged, match=rf"^Entry {seq}\b"):
        asyncio.run(referee(sealed(export)))


def test_another_action_than_the_one_that_was_shown_is_noticed(lesson: bytes) -> None:
    """The forger leaves the request, and writes that something else was done."""
    for seq in steps_of(lesson):
        export = json.loads(lesson)
        export["entries"][seq - 1].update(command="roll", input='{"expression":"1d6"}')
        with pytest.raises(Forged, match=rf"^Entry {seq}\b"):
            asyncio.run(referee(sealed(export)))


def test_the_action_itself_in_its_place_changes_the_record(lesson: bytes) -> None:
    """Who did by hand what Show me did has the same game, under other heads."""
    export = json.loads(lesson)
    seq = steps_of(lesson)[-1]
    head = export["chain"]
    entry = export["entries"][seq - 1]
    said = {**json.loads(entry["asked"]), "do": [entry["command"], entry["input"]]}
    entry["asked"] = compact(said)
    with pytest.raises(Forged):
        asyncio.run(referee(sealed(export), [head]))
