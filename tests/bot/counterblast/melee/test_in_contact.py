"""Whom a fight is offered at: who touches whoever attacks, before all others."""

from __future__ import annotations

import pytest

from bot.games.counterblast.core.contact import Engage
from bot.games.counterblast.melee.attacks import Fight
from bot.table.offers.legal_actions import Looking
from bot.table.session.encounters import NextStep, StartDemo
from tests.bot.tables import Table


async def test_who_touches_the_attacker_is_offered_first(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("anna", NextStep())
    looking = Looking((await table.loaded()).book(), table.actor("anna"))
    before = [offer.label for offer in looking.offers(Fight("Smap"), "target")]
    assert before[0] != "Trapper"
    await table.done("anna", Engage("Smap", "Trapper"))
    looking = Looking((await table.loaded()).book(), table.actor("anna"))
    offered = [offer.label for offer in looking.offers(Fight("Smap"), "target")]
    assert offered[0] == "Trapper"
    assert sorted(offered) == sorted(before)


@pytest.mark.rule("CB-FIGHT-01")
async def test_odds_of_a_fight_are_offered_where_the_fight_would_be_and_nowhere_else(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("anna", NextStep())
    looking = Looking((await table.loaded()).book(), table.actor("anna"))
    itself = Fight("Smap", "Smap", odds=True)
    assert looking.refusal(itself) == "Smap can't attack itself."
    assert "can't attack itself." in await table.refused("anna", itself)
    assert not looking.refusal(Fight("Smap", "Trapper", odds=True))
