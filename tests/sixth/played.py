"""The sixth game played by people, through slash commands and presses. Run in a process of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from bot.games.blades.strike_play import Guard, Strike
from rules.systems.blades.blow import Blow, prepare_blow, strike

from bot.table.journal.history import Undo
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from rules.dice import solve
from tests.bot.house import House, read
from tests.bot.tables import Table


def test_the_odds_of_a_blow_are_those_of_one_die() -> None:
    plain = solve(strike, prepare_blow(struck=False, guarded=False)).each()
    assert [round(plain[wounds] * 6) for wounds in (0, 1, 2)] == [3, 2, 1]
    guarded = solve(strike, Blow(5)).each()
    assert [round(guarded[wounds] * 6) for wounds in (0, 1, 2)] == [4, 1, 1]


async def test_a_duel_is_fought_to_its_end_by_typing_and_pressing(house: House) -> None:
    await house.slash("demo", system="blades")
    assert "BLADES  not begun" in (await house.panel()).content
    await house.slash("encounter join", house.bo, side="South")
    await house.press(await house.everybody_ready(await house.panel(), house.anna), "Begin")
    odds = await house.slash("blades strike", model="Rapier", odds=True)
    assert odds.ephemeral
    assert "misses        50%" in odds.content
    assert "wounds twice  17%" in odds.content
    assert "Exact." in odds.content
    state = "BLADES  turn 1\nRapier 3/3 · Sabre 3/3"
    assert (await house.panel()).content.endswith(state)
    struck = await house.press(odds, "Strike")
    assert struck.content.startswith("Rapier ")
    await house.slash("undo")
    assert (await house.panel()).content.endswith(state)
    assert "not yours" in (await house.slash("blades strike", house.bo, model="Rapier")).content
    told = await fought(house)
    assert "is down." in told
    asked = await house.slash("encounter end")
    await house.press(asked, asked.controls[0].label)
    ended = (await house.panel()).content
    assert "BLADES  ended" in ended
    assert "stands." in ended
    assert "nobody stands." in ended


async def fought(house: House) -> str:
    """Blow for blow, one pressed and one typed, until somebody is down: what was told last."""
    for _ in range(60):
        modal = await (await house.anna.press(await house.panel(), "Strike")).modal()
        assert [field.custom_id for field in modal.fields] == ["target", "also."]
        told = read(await (await house.anna.submit(modal, {})).message())
        if "is down." not in told.content:
            told = await house.slash("blades strike", house.bo, model="Sabre")
        if "is down." in told.content:
            return told.content
        await house.press(await house.panel(), "Next turn")
    pytest.fail("nobody went down")


async def test_it_is_undone_to_the_start_and_suggests_its_figures(table: Table) -> None:
    await table.done("anna", StartDemo("blades"))
    await table.done("bo", JoinEncounter("South"))
    await table.done("anna", NextStep())
    start = table.state()
    await table.done("anna", Guard("Rapier"))
    assert "struck this turn" in await table.refused("anna", Strike("Rapier"))
    await table.done("bo", Strike("Sabre"))
    await table.agreed("anna", Undo(2))
    assert table.state() == start


def test_the_document_says_what_was_done() -> None:
    text = (Path(__file__).parents[2] / "docs" / "adding-a-system.md").read_text(encoding="utf-8")
    for named in ("rules/systems/<key>", "bot/games/<key>", "bot/games/__init__.py", "tests/sixth"):
        assert named in text
