"""Profiles typed and written out, squads, the sample forces."""

from __future__ import annotations

import pytest

from bot.games.warzone import GAME
from bot.games.warzone.roster_actions import AddModels, ExportModel, FormSquad
from bot.games.warzone.units import squads_of
from bot.table.offers.forms import REST_PART, build_form
from bot.table.offers.legal_actions import Looking
from bot.table.rosters.crews import CreateCrew, RecruitMember, ShowCrew
from bot.table.session.encounters import StartDemo, StartEncounter
from bot.table.session.joining import JoinWithSample
from bot.table.session.models import DamageModel, ShowModel
from tests.bot.tables import Table
from tests.bot.warzone.skirmish import GRUNT, RIFLE, Skirmish, profile


@pytest.mark.rule("WZ-STAT-01")
async def test_profiles_typed_and_written_out(game: Skirmish) -> None:
    reply = await game.asks(AddModels(side="Red"))
    assert "Sergeant Rock" in reply.lines
    reply = await game.do(AddModels(profile("Rock", "leader", RIFLE).replace("\n", "; "), "Rocks", 3, "Red"))
    assert reply.lines == ("Added to Red: Rock, Rock 2, Rock 3.", "Rocks: 3 models.")
    assert (await game.squad("Rock")).leading.name == "Rock"  # type: ignore[union-attr]
    text = "\n".join((await game.asks(ExportModel("Rock"))).lines[2:-1])
    await game.do(AddModels(text, "Rocks", 1, "Red"))
    as_json = "\n".join((await game.asks(ExportModel("Rock", json=True))).lines[2:-1])
    await game.do(AddModels(as_json, "Rocks", 1, "Red"))
    squad = await game.squad("Rock")
    assert squad.starting == 5
    assert len({model.profile for model in squad.models}) == 1


@pytest.mark.rule("WZ-STAT-01")
async def test_bad_profiles_are_refused(game: Skirmish) -> None:
    for text, word in (
        ("Rock", "Enter these characteristics for Rock: CC"),
        (profile("Rock", CC=41), "CC must be between 0 and 40"),
        (profile("Rock", "weapon Gun: SR 1"), "Enter a DM for Gun."),
        (profile("Rock", "wizard"), "no trait called wizard"),
        ("{", "isn't valid JSON"),
        (profile("@everyone"), "letters, digits"),
    ):
        assert word in await game.refused(AddModels(text, side="Red"))
    assert "Count must be between 1 and 20 (you entered 21)." in await game.refused(
        AddModels(profile("Rock"), count=21, side="Red")
    )


async def test_squads_of_models(game: Skirmish) -> None:
    await game.add("Red", "Sam")
    reply = await game.do(FormSquad("Wolves", "Rex, Sam", "Sam"))
    assert reply.lines == ("Wolves: 2 models.", "Leader: Sam.")
    assert (await game.squad("Rex")).starting == 2
    assert "Bex is not yours" in await game.refused(FormSquad("Odd", "Rex, Bex"))
    assert "a leader from this squad." in await game.refused(FormSquad("Wolves", "Rex", "Bex"))


async def test_common_commands_work_here(game: Skirmish) -> None:
    reply = await game.asks(ShowModel("Rex"))
    assert reply.lines[:3] == ("Rex, Red", "Squad: Rex", GRUNT)
    assert any("Sword" in line for line in reply.lines)
    assert reply.lines[-1] == "0 of 1 wounds taken, 0 actions left"
    await game.add("Red", "Ox", WD=3)
    await game.do(DamageModel("Ox"))
    reply = await game.asks(ShowModel("Ox"))
    assert sum("wounds taken" in line for line in reply.lines) == 1
    reply = await game.do(DamageModel("Rex"))
    assert "Rex is out of play." in reply.lines


async def test_the_demo_has_two_forces_with_squads(table: Table) -> None:
    await table.done("anna", StartDemo("warzone"))
    encounter = await table.encounter()
    assert [(squad.name, len(squad.models)) for squad in squads_of(encounter)] == [
        ("Colonel Voss", 1),
        ("Guard", 5),
        ("Crawler", 1),
        ("Maelgor", 1),
        ("Husks", 5),
        ("Whisper", 1),
        ("Iron Sow", 1),
    ]
    panel = GAME.panel(encounter)
    assert panel.lines[0] == "ULTIMATE WARZONE  not started"


async def test_a_crew_of_samples_brings_its_squads(table: Table) -> None:
    crew = (await table.done("anna", CreateCrew("Home Guard", "warzone"))).scope
    for name in ("Sgt Rook", "Adams", "Brandt", "Crawler"):
        await table.done("anna", RecruitMember(crew, name))
    shown = await table.do("anna", ShowCrew(crew))
    assert "Squads: Guard, Crawler." in shown.reply.lines
    await table.done("anna", StartEncounter("warzone", crew=crew))
    squads = squads_of(await table.encounter())
    assert [(squad.name, squad.starting) for squad in squads] == [("Guard", 3), ("Crawler", 1)]
    assert squads[0].leading is not None
    assert squads[0].leading.name == "Sgt Rook"


async def test_both_sides_may_bring_the_same_squads(table: Table) -> None:
    """The second side's squad goes under another name, and is one squad all the same."""
    await table.done("bo", StartEncounter("warzone"))
    for who in ("bo", "anna"):
        await table.done(who, JoinWithSample(1))
    squads = squads_of(await table.encounter(), 2)
    assert [(squad.name, len(squad.models), squad.starting) for squad in squads] == [
        ("Maelgor 2", 1, 1),
        ("Husks 2", 5, 5),
        ("Whisper 2", 1, 1),
        ("Iron Sow 2", 1, 1),
    ]
    assert squads[1].leading is not None


async def test_a_squad_is_made_of_ones_own(game: Skirmish) -> None:
    """A form that is handed in as it stands makes no squad of the enemy's name; a new name can be written."""
    looking = Looking((await game.table.loaded()).book(), game.table.actor("bo"))
    form = build_form(looking, FormSquad())
    named = next(one for one in form.controls if one.name == "name")
    assert [choice.value for choice in named.choices] == ["Bex"]
    assert REST_PART in [one.name for one in form.controls]
