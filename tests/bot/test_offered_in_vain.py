"""`More...` offers what can be done: nothing that only asks for dice again, and no place to who has one."""

from __future__ import annotations

import pytest

from bot.app import ALL_GAMES
from bot.games.warzone.roster_actions import AddModels
from bot.table.rolling.dice_settings import DiceMode
from bot.table.rolling.rolls import Roll
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo, StartEncounter
from bot.table.session.possible_actions import WhatNow
from tests.bot.asking.test_friends import FREE
from tests.bot.tables import Table, waits
from tests.bot.warzone.skirmish import profile

SYSTEMS = [game.key for game in ALL_GAMES]

SECOND = {"counterblast": "Edo", "infinity": "Nightfall", **FREE}

GOES_ON = {
    "encounter.next", "bag.draw", "bag.pass", "bag.rest", "bag.let", "wz.done", "wz.next", "sol.pass",
}  # fmt: skip
"""What leads a game on, and waits for dice that are owed."""


async def offered(table: Table, who: str, model: str = "") -> set[str]:
    menus = (await table.do(who, WhatNow(model))).reply.menus
    return {choice.value for menu in menus if menu.fills == "what" for choice in menu.choices}


async def begun(table: Table, system: str) -> None:
    await table.done("anna", StartDemo(system))
    await table.done("bo", JoinEncounter(SECOND[system]))  # type: ignore[arg-type]
    answer = await table.do("anna", NextStep())
    if not answer.changed:
        await table.press("anna", answer, answer.reply.buttons[0].label)


@pytest.mark.parametrize("system", [system for system in SYSTEMS if system != "fracd_earth"])
async def test_what_leads_on_is_not_offered_while_real_dice_wait(table: Table, system: str) -> None:
    await begun(table, system)
    await table.done("anna", DiceMode("real"))
    before = {who: await offered(table, who) for who in ("anna", "bo", "cy")}
    assert waits(await table.do("anna", Roll("2d10")))
    for who in ("anna", "bo", "cy"):
        now = await offered(table, who)
        assert not now & GOES_ON
        assert now <= before[who], "nothing is offered besides"


@pytest.mark.parametrize("system", SYSTEMS)
async def test_a_place_is_offered_to_who_has_none(table: Table, system: str) -> None:
    await begun(table, system)
    assert "encounter.join" not in await offered(table, "anna")
    assert "encounter.join" not in await offered(table, "bo")
    assert "encounter.join" in await offered(table, "cy")
    await table.done("bo", JoinEncounter(watch=True))
    assert "encounter.join" in await offered(table, "bo"), "who only watches may play again"


async def test_a_stranger_is_offered_nothing_for_the_sake_of_a_name_that_is_not_clear(table: Table) -> None:
    """Two sides with models of one name: what only a player may do was offered, and asked which one."""
    await table.done("anna", StartEncounter("warzone"))
    for side in ("Red", "Blue"):
        await table.done("anna", AddModels(profile("Rex"), count=2, side=side))
    for who in ("anna", "cy"):
        assert "wz.dire" not in await offered(table, who), "it is said of a model"
    rex = next(iter((await table.encounter()).models()))
    assert "wz.dire" in await offered(table, "anna", f"#{rex.id}")
