"""A server's own profiles: typed as text or JSON, kept for all channels, brought into games and crews."""

from __future__ import annotations

import json

import pytest

from bot.games.infinity.profile_actions import (
    AddModel,
    DropProfile,
    ExportProfiles,
    ImportProfiles,
    ListProfiles,
    RecruitProfile,
    SaveProfile,
)
from bot.table.journal.history import Undo
from bot.table.rosters.crews import CreateCrew, ShowCrew
from bot.table.session.arrivals import AddModel as Reinforce
from tests.bot.infinity.field import ANNA, BO, Field
from tests.bot.tables import Table

ISSUE = "BS 12, ARM 1, MOV 4-4, W 1; Combi Rifle B3 DAM 13"


async def test_a_line_of_text_is_saved_for_all_channels(table: Table) -> None:
    field = Field(table)
    lines = await field.ask(ANNA, SaveProfile(ISSUE, "Line Infantry"))
    assert lines[0] == "Line Infantry has been saved in the library."
    assert "Combi Rifle: B 3, Damage 13" in lines
    table.channel = 501
    lines = await field.ask(BO, ListProfiles())
    assert lines == ["1 profile:", "  0 Line Infantry"]
    lines = await field.ask(BO, ListProfiles("line"))
    assert ISSUE.split(";")[1].strip() in lines[-1]
    assert "omeone else has already saved" in await field.refused(BO, SaveProfile(ISSUE, "Line Infantry"))
    assert "omeone else saved" in await field.refused(BO, DropProfile("Line Infantry"))


async def test_json_and_undo(table: Table) -> None:
    field = Field(table)
    text = json.dumps({"name": "Scout", "bs": 11, "mov": [4, 4], "weapons": ["Rifle B3 DAM 13"]})
    await field.ask(ANNA, SaveProfile(text))
    assert "anna or a server manager" in await field.refused(BO, Undo())
    await field.ask(ANNA, Undo())
    lines = await field.ask(ANNA, ListProfiles())
    assert lines[0] == "The library is empty."


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("BS 31, W 1", "BS must be between 0 and 30 (you entered 31)."),
        ("BS 12, W 99", "W must be between 1 and 10 (you entered 99)."),
        ("BS 12; Gun B0 DAM 13", "Burst must be between 1 and 10 (you entered 0)."),
        ("BS 12; Gun B60 DAM 13", "Burst must be between 1 and 10 (you entered 60)."),
        ("hello", "There is no Attribute called"),
        ('{"name": "x"', "This isn't valid JSON"),
        ("@everyone: BS 12", "letters"),
    ],
)
async def test_bad_profiles_are_refused_with_the_reason(table: Table, text: str, reason: str) -> None:
    assert reason in await table.refused(ANNA, SaveProfile(text, ""))


async def test_export_and_import_are_inverse(table: Table) -> None:
    field = Field(table)
    await field.ask(ANNA, SaveProfile(ISSUE, "One"))
    await field.ask(ANNA, SaveProfile(ISSUE + "; Skills Sensor => BS 9, W 2", "Two"))
    await field.ask(ANNA, ExportProfiles())
    file = field.answer.reply.files[0].data.decode()
    before = await field.ask(ANNA, ListProfiles("Two"))
    await field.ask(ANNA, DropProfile("Two"))
    lines = await field.ask(ANNA, ImportProfiles(file))
    assert lines == ["1 profile saved, 1 replaced."]
    assert await field.ask(ANNA, ListProfiles("Two")) == before
    assert "Profile 2 has a mistake. BS must be between 0 and 30" in await field.refused(
        ANNA, ImportProfiles("A: BS 3\nB: BS 33")
    )
    assert "1 to 100 profiles" in await field.refused(ANNA, ImportProfiles("[]"))


async def test_into_a_game(field: Field) -> None:
    await field.ask(BO, SaveProfile("COST 12, " + ISSUE, "Line Infantry"))
    lines = await field.ask(ANNA, AddModel("line infantry", count=2))
    assert lines[0] == "Vanguard: Line Infantry, Line Infantry 2."
    lines = await field.ask(ANNA, AddModel(ISSUE, "Rookie", group=2))
    assert (await field.trooper("Rookie")).group == 2
    assert await field.counter(1, "army points") == 142 + 24
    assert "Only bo can do this for Nightfall" in await field.refused(
        ANNA, AddModel("Angus", side="Nightfall")
    )
    assert "BS must be between 0 and 30 (you entered 40)" in await field.refused(ANNA, AddModel("BS 40"))
    assert "Group must be between 0 and 9 (you entered 12)." in await field.refused(
        ANNA, AddModel("Angus", group=12)
    )


async def test_typed_with_the_command_of_all_games(field: Field) -> None:
    lines = await field.ask(ANNA, Reinforce("Vanguard", ISSUE, "Rookie", 2))
    assert lines[0] == "Added to Vanguard: Rookie, Rookie 2."
    assert (await field.trooper("Rookie 2")).current.attribute("bs") == 12
    plain = '{"name": "Jay", "mov": [4, 4], "bs": 11, "w": 1, "cost": 9}'
    lines = await field.ask(ANNA, Reinforce("Vanguard", plain))
    assert lines[:2] == ["Added to Vanguard: Jay.", "9 points"]
    assert await field.counter(1, "army points") == 142 + 9
    assert "BS must be between 0 and 30 (you entered 40)" in await field.refused(
        ANNA, Reinforce("Vanguard", "BS 40")
    )
    assert (await field.ask(ANNA, Reinforce("Vanguard", "Angus")))[0] == "Added to Vanguard: Angus 2."


async def test_into_ones_own_crew(table: Table) -> None:
    field = Field(table)
    made = await table.done(ANNA, CreateCrew("Watch", "infinity"))
    await field.ask(BO, SaveProfile("COST 12, " + ISSUE, "Line Infantry"))
    lines = await field.ask(ANNA, RecruitProfile(made.scope, "Line", 3))
    assert lines[1] == "Watch is now worth 36 points."
    assert field.answer.reply.private
    assert "your own crew" in await field.refused(BO, RecruitProfile(made.scope, "Line"))
    lines = await field.ask(ANNA, ShowCrew(made.scope))
    assert " 12 Line Infantry 3" in lines
