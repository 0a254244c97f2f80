"""A person who joins a side that somebody else played is told what was seen, and may lay it again once."""

from __future__ import annotations

from typing import Any

import pytest

from bot.games.counterblast.missions.mission_choices import ChooseSecretly
from bot.games.fracd_earth.detect_actions import Hide
from bot.games.fracd_earth.players import deck_of, player_rows
from bot.games.infinity.turn_actions import PlayFirst
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from bot.table.session.seen_secrets import LayAgain
from rules.wording import possessive
from tests.bot.tables import Table


async def _joins_late(table: Table, system: str, side: str, *before: Any) -> Any:
    """Anna plays both sides of a game under way; Bo asks for one, and is let in."""
    await table.done("anna", StartDemo(system))
    await table.done("anna", NextStep())
    for action in before:
        await table.done("anna", action)
    return await table.press("anna", await table.done("bo", JoinEncounter(side)), "Let in")


async def _hand(table: Table, side: int) -> tuple[int, ...]:
    encounter = await table.encounter()
    return deck_of(encounter, next(row.id for row in player_rows(encounter) if row.side == side)).buff_hand


async def test_a_seen_hand_is_shuffled_back_and_dealt_again_once(table: Table) -> None:
    joined = await _joins_late(table, "fracd_earth", "Prowlers", Hide("Sable"))
    assert "anna has seen Prowlers' hand and tokens." in joined.reply.lines
    before = await _hand(table, 2)
    again = await table.press("bo", joined, "Hide the secrets again")
    assert again.reply.lines[0] == "bo hides Prowlers' secrets again."
    after = await _hand(table, 2)
    assert len(after) == len(before)
    assert after != before
    assert "once" in (await table.press("bo", joined, "Hide the secrets again")).reply.text


async def test_nobody_else_lays_it_again(table: Table) -> None:
    joined = await _joins_late(table, "fracd_earth", "Prowlers")
    before = await _hand(table, 2)
    assert not (await table.press("anna", joined, "Hide the secrets again")).changed
    assert await _hand(table, 2) == before


async def test_the_right_ends_with_the_turn_and_is_not_there_without_a_seen_hand(table: Table) -> None:
    await table.done("anna", StartDemo("fracd_earth"))
    joined = await table.done("bo", JoinEncounter("Prowlers"))
    assert "has seen" not in joined.reply.text
    assert "once" in (await table.do("bo", LayAgain("Prowlers"))).reply.text


async def test_infinity_names_the_lieutenant_again(table: Table) -> None:
    await table.done("anna", StartDemo("infinity"))
    name = (await table.encounter()).sides()[1].name
    for action in (NextStep(), PlayFirst(1, True), NextStep()):
        await table.done("anna", action)
    joined = await table.press("anna", await table.done("bo", JoinEncounter(name)), "Let in")
    assert f"anna has seen {possessive(name)} Lieutenant and hidden troopers." in joined.reply.lines
    assert (
        "choose its Lieutenant again"
        in (await table.press("bo", joined, "Hide the secrets again")).reply.text
    )


@pytest.mark.parametrize("system", ["warzone", "soluna"])
async def test_a_game_without_secrets_tells_nothing(table: Table, system: str) -> None:
    await table.done("anna", StartDemo(system))
    name = (await table.encounter()).sides()[1].name
    await table.done("anna", NextStep())
    joined = await table.press("anna", await table.done("bo", JoinEncounter(name)), "Let in")
    assert "has seen" not in joined.reply.text


async def test_a_mission_that_was_seen_is_chosen_again_before_the_game(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("anna", ChooseSecretly("Sabotage", side="Edo"))
    joined = await table.done("bo", JoinEncounter("Edo"))
    assert "anna has seen Edo's mission." in joined.reply.lines
    await table.press("bo", joined, "Hide the secrets again")
    chosen = await table.done("bo", ChooseSecretly("Sabotage", side="Edo"))
    assert "has chosen a mission" in chosen.reply.also[0].text
