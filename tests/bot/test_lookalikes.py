"""Names that only look alike are told apart: people, models, sides and crews."""

from __future__ import annotations

import pytest

from bot.lookalikes import look_of
from bot.table.names import find_free_name
from bot.table.rosters.crews import CreateCrew
from bot.table.session.encounters import JoinEncounter, StartDemo
from bot.table.session.models import DamageModel
from tests.bot.tables import Table

CYRILLIC_ANNA = "\u0430nn\u0430"
"""Anna with two Cyrillic letters."""


@pytest.mark.parametrize("name", [CYRILLIC_ANNA, "\uff21nna", "\u0391nna", "\U0001d400nna"])
def test_letters_of_other_alphabets_look_like_ours(name: str) -> None:
    assert look_of(name) == look_of("Anna")
    assert find_free_name(name, ["Anna"]) == f"{name} 2"


@pytest.mark.parametrize("name", ["\u00c4nna", "\u0412\u043e\u0432\u0430", "Anne"])
def test_other_names_look_otherwise(name: str) -> None:
    assert look_of(name) != look_of("Anna")


async def test_a_person_whose_name_looks_like_anothers_is_told_apart(table: Table) -> None:
    await table.done("anna", StartDemo())
    joined = await table.done(CYRILLIC_ANNA, JoinEncounter("Edo"))
    seats = (await table.encounter()).seats()
    assert [seat.name for seat in seats] == ["anna", f"{CYRILLIC_ANNA} 2"]
    assert f"{CYRILLIC_ANNA} 2" in joined.reply.text
    refused = await table.refused(CYRILLIC_ANNA, DamageModel("Sally"))
    assert "anna" in refused
    again = await table.done(CYRILLIC_ANNA, DamageModel("Trapper"))
    entry = await table.desk.store.entry(again.scope, again.version)
    assert entry is not None
    assert entry.actor == f"{CYRILLIC_ANNA} 2"


async def test_who_only_watches_or_asks_is_told_apart_too(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    for action in (JoinEncounter(watch=True), JoinEncounter("Edo")):
        assert f"{CYRILLIC_ANNA} 2 " in (await table.done(CYRILLIC_ANNA, action)).reply.text
    assert "cy 2" not in (await table.done("cy", JoinEncounter(watch=True))).reply.text


async def test_a_crew_is_not_called_as_another_looks(table: Table) -> None:
    await table.done("anna", CreateCrew("Ravens"))
    assert "already" in await table.refused("anna", CreateCrew("R\u0430v\u0435ns"))
