"""The first line of a panel says what the game waits for, and from whom."""

from __future__ import annotations

import pytest

from bot.games.fracd_earth.activation_play import Activate
from bot.games.fracd_earth.attack_play import Attack
from bot.games.fracd_earth.steps import DECISIONS, WANTED
from bot.table.encounter import Encounter
from bot.table.session.encounters import EndEncounter, JoinEncounter, NextStep, StartDemo
from tests.bot.house import House
from tests.bot.tables import Table
from tests.bot.waited import waited_for

FREE = {
    "counterblast": "Edo",
    "infinity": "Nightfall",
    "warzone": "Hollow",
    "soluna": "Hollow Moon",
    "fracd_earth": "Prowlers",
}


@pytest.mark.parametrize("system", FREE)
async def test_before_the_beginning_it_waits_for_players_then_for_the_organiser(
    table: Table, system: str
) -> None:
    await table.done("anna", StartDemo(system))
    assert (
        waited_for(await table.encounter()) == f"Waiting for a player of {FREE[system]}: Join..., or Begin."
    )
    await table.done("bo", JoinEncounter(FREE[system]))
    said = waited_for(await table.encounter())
    due = "anna and bo: a mission, or Begin" if system == "counterblast" else "anna: Begin"
    assert said == f"Waiting for {due}."


@pytest.mark.parametrize("system", FREE)
async def test_a_game_that_began_waits_for_somebody_and_one_that_ended_for_nobody(
    table: Table, system: str
) -> None:
    await table.done("anna", StartDemo(system))
    await table.done("bo", JoinEncounter(FREE[system]))
    await table.done("anna", NextStep())
    said = waited_for(await table.encounter())
    assert said.startswith(("Waiting for anna", "Waiting for bo", "Waiting for anybody"))
    ended = await table.done("anna", EndEncounter())
    loaded = await table.desk.store.load(ended.scope)
    assert loaded is not None
    assert waited_for(Encounter(loaded.book())) == ""


async def test_it_stands_first_on_the_panel(house: House) -> None:
    await house.slash("demo")
    panel = await house.panel()
    assert panel.content.startswith("Waiting for a player of Edo: Join...,")


async def test_a_defence_and_cards_are_told_apart(table: Table) -> None:
    """What a defender owes is no card yet."""
    await table.done("anna", StartDemo("fracd_earth"))
    await table.done("bo", JoinEncounter("Prowlers"))
    await table.done("anna", NextStep())
    side = waited_for(await table.encounter())
    who, foe, name, whom = (
        ("anna", "bo", "Rook", "Sable") if "anna" in side else ("bo", "anna", "Sable", "Rook")
    )
    await table.done(who, Activate(name=name))
    asked = await table.done(who, Attack(name, whom, distance=0))
    assert waited_for(await table.encounter()) == f"Waiting for {foe}: Def or Manv."
    await table.press(foe, asked, next(one.label for one in asked.reply.buttons if "Def" in one.label))
    assert waited_for(await table.encounter()) == f"Waiting for {who}: select a card."


def test_all_that_an_exchange_asks_has_its_words() -> None:
    assert DECISIONS.keys() <= WANTED.keys()
