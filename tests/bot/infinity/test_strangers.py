"""Somebody who never joined adds nothing to a game of Infinity."""

from __future__ import annotations

from bot.games.infinity.profile_actions import AddModel
from bot.table.session.encounters import StartEncounter
from tests.bot.tables import Table


async def test_a_stranger_adds_no_troopers_and_makes_no_side(table: Table) -> None:
    await table.done("anna", StartEncounter("infinity"))
    await table.done("anna", AddModel("Sentry", side="Vanguard"))
    before = table.state()
    for side in ("Vanguard", "Nobody's Own"):
        told = await table.refused("eve", AddModel("Sentry", side=side))
        assert told == "Join this game first with /encounter join."
    assert table.state() == before
