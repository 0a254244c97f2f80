"""Heroes and vehicles built step by step: legal choices, points at every step, refusals with their rule."""

from __future__ import annotations

import pytest

from bot.games.counterblast.building.hero_building import (
    EditMember,
    GiveBack,
    NameThing,
    OpenStep,
    ShowDraft,
    StartHero,
    StepBack,
    TakeThing,
)
from bot.games.counterblast.building.hero_drafts import DiscardHero, FinishHero
from bot.games.counterblast.state.models import fighter, read_block
from bot.replies.reply import Reply
from bot.store.rows import CrewRow, MemberRow
from bot.table.bringing.list_export import ExportCrew
from bot.table.campaign.campaigns import CreateCampaign
from bot.table.rosters.crews import AppointLeader, CreateCrew, RecruitMember, ShowCrew
from bot.table.rosters.muster import CheckCrew
from bot.table.rosters.printing import PrintCrew
from bot.table.session.encounters import StartEncounter
from tests.bot.lists.bringing import brought
from tests.bot.tables import Table, opened

ANNA, BO = "anna", "bo"

TAKEN = ("STR dice", "Particle Beam Pistol")


async def begun(table: Table, kind_of: str = "Human", name: str = "Zed", **more: str) -> int:
    crew = (await table.done(ANNA, CreateCrew("Lancers"))).scope
    await table.done(ANNA, StartHero(crew, kind_of, name, **more))
    return crew


async def shown(table: Table, crew: int, *things: str) -> Reply:
    for thing in things:
        await table.done(ANNA, NameThing(crew, thing))
    return (await table.do(ANNA, ShowDraft(crew))).reply


async def test_what_nobody_could_check_is_said_in_one_line(table: Table) -> None:
    crew = await begun(table, "Cyberform")
    lines = (await shown(table, crew, "Brave", "Fearless")).lines
    assert [line for line in lines if "Check the rulebook" in line] == [
        "Check the rulebook, because I can't tell whether a model of this type can have Brave and Fearless."
    ]


async def member(table: Table, crew: int, name: str) -> MemberRow:
    loaded = await table.desk.store.load(crew)
    assert loaded is not None
    return next(row for row in loaded.book().all(MemberRow) if row.name == name)


@pytest.mark.rule("CB-BUILD-01", "CB-BUILD-09", "CB-BUILD-16", "CB-BUILD-17")
async def test_points_are_counted_at_every_step(table: Table) -> None:
    crew = await begun(table)
    lines = (await shown(table, crew)).lines
    assert lines[:2] == ("Zed: Human, base S, 13 points", "0 of 10 Upgrade Points spent")
    assert "Features: Resourceful" in lines
    answer = await table.done(ANNA, NameThing(crew, "STR dice"))
    assert answer.reply.private
    assert answer.reply.lines[0] == "STR dice added to Zed (+3 points)."
    lines = (await shown(table, crew, "Life", "Particle Beam Pistol")).lines
    assert lines[1] == "5 of 10 Upgrade Points spent"
    assert "Mv 6, STR 2D+0, AGL 1D+0" in lines
    assert "Weapons (1 of 1 slots): Particle Beam Pistol" in lines
    before = lines[0]
    await table.done(ANNA, NameThing(crew, "Life", True))
    assert (await shown(table, crew)).lines[1] == "3 of 10 Upgrade Points spent"
    await shown(table, crew, "Life")
    assert (await shown(table, crew)).lines[0] == before


@pytest.mark.rule("CB-BUILD-18", "CB-BUILD-22", "CB-WEAP-38")
async def test_refusals_name_their_rule(table: Table) -> None:
    crew = await begun(table)
    await shown(table, crew, "STR dice", "STR dice", "STR dice")
    assert "CB-BUILD-16" in await table.refused(ANNA, NameThing(crew, "AGL dice"))
    await shown(table, crew, "Particle Beam Pistol")
    assert "weapon slots" in await table.refused(ANNA, NameThing(crew, "Pulsar Rifle"))
    assert "no upgrade or item called" in await table.refused(ANNA, NameThing(crew, "Deathray 9"))
    assert "not your crew" in await table.refused(BO, NameThing(crew, "Life"))


@pytest.mark.rule("CB-BUILD-19", "CB-BUILD-21")
async def test_a_feature_that_it_has_is_refused_with_what_would_be_right(table: Table) -> None:
    crew = await begun(table)
    await shown(table, crew, "Psionic")
    for again in ("Psionic", "psionic 1"):
        said = await table.refused(ANNA, NameThing(crew, again))
        assert said == (
            "The model already has Psionic at level 1. You can take level 2 next.\n"
            "Rulebook: Building Heroes (pages 24 to 28; CB-BUILD-19)."
        )
    assert any("Psionic 2" in line for line in (await shown(table, crew, "Psionic 2")).lines)
    assert "Psionic at level 2" in await table.refused(ANNA, NameThing(crew, "Psionic")), "no level is lost"
    await shown(table, crew, "Brave")
    assert (
        await table.refused(ANNA, NameThing(crew, "Brave"))
        == "You can only take Brave once.\nRulebook: Building Heroes (pages 24 to 28; CB-BUILD-19)."
    )


@pytest.mark.parametrize(
    ("taken", "back", "left"),
    [
        (("Psionic", "Psionic 2"), "Psionic 2", 0),
        (("Psionic 2",), "Psionic", 0),
        (("Sure Footed 2",), "Sure Footed 2", 0),
        (("Mv 2",), "Mv 2", 0),
        (("Mv", "Mv"), "Mv", 2),
        (("agility dice",), "AGL dice", 0),
        (("AGL dice",), "agility dice", 0),
        (("Knack melee", "Knack medicine"), "Knack melee", 2),
    ],
)
async def test_what_was_taken_is_given_back_in_each_spelling(
    table: Table, taken: tuple[str, ...], back: str, left: int
) -> None:
    crew = await begun(table)
    await shown(table, crew, *taken)
    told = (await table.done(ANNA, NameThing(crew, back, True))).reply.lines
    assert " removed from Zed (" in told[0]
    assert f"{left} of 10 Upgrade Points spent" in told


async def test_a_feature_open_without_cost_is_not_bought(table: Table) -> None:
    crew = await begun(table, "Beast", "Rex", base="M")
    told = (await shown(table, crew, "Acid Spit")).lines
    assert "0 of 10 Upgrade Points spent" in told
    told = (await shown(table, crew, "Tough")).lines
    assert "0 of 10 Upgrade Points spent" not in told, "one comes without cost, the next is bought"


async def test_menus_hold_what_is_legal_and_all_of_it_can_be_taken(table: Table) -> None:
    crew = await begun(table)
    for step in ("raise", "feature", "weapon", "gear"):
        reply = (await table.do(ANNA, OpenStep(crew, step))).reply
        assert reply.menus
        for choice in reply.menus[0].choices[:6]:
            await table.done(ANNA, TakeThing(crew, step, choice.value))
            key = choice.value.split(":")[0] if step == "feature" else choice.value
            back = (await table.do(ANNA, OpenStep(crew, "", back=True))).reply.menus[0].choices
            assert any(f"{step}/{key}" in one.value for one in back)
            gone = next(one.value for one in back if f"{step}/{key}" in one.value)
            await table.done(ANNA, GiveBack(crew, gone))
    assert (await shown(table, crew)).lines[1] == "0 of 10 Upgrade Points spent"


async def test_long_lists_have_pages(table: Table) -> None:
    crew = await begun(table)
    first = (await table.do(ANNA, OpenStep(crew, "feature"))).reply
    assert len(first.menus[0].choices) == 25
    assert first.buttons[0].label == "More"
    second = (await table.do(ANNA, first.buttons[0].action)).reply
    assert second.menus[0].choices[0] not in first.menus[0].choices


async def test_the_first_hero_leads_until_another_is_named(table: Table) -> None:
    crew = (await table.done(ANNA, CreateCrew("Lancers"))).scope
    await table.done(ANNA, RecruitMember(crew, "Sally Starfield"))
    await table.done(ANNA, RecruitMember(crew, "Skip Westmoreland"))
    assert "Sally Starfield (leader)" in (await table.do(ANNA, ShowCrew(crew))).reply.text
    await table.done(ANNA, AppointLeader(crew, "Skip Westmoreland"))
    assert "Skip Westmoreland (leader)" in (await table.do(ANNA, ShowCrew(crew))).reply.text


async def test_a_hero_is_built_in_one_message_by_pressing_alone(table: Table) -> None:
    crew = (await table.done(ANNA, CreateCrew("Lancers"))).scope
    shown = await table.do(ANNA, ShowCrew(crew))
    assert [one.label for one in shown.reply.buttons] == ["Build...", "Faction...", "More..."]
    assert shown.reply.buttons[0].asks
    at = await table.done(ANNA, StartHero(crew, "Human", "Zed"))
    assert "Undo last step" not in [one.label for one in at.reply.buttons], "nothing was taken yet"
    begun = at.reply.lines[1:]
    for step in ("Raise...", "Weapon..."):
        menu = await table.press(ANNA, at, step)
        again = await table.press(ANNA, await table.press(ANNA, menu, "Back"), step)
        assert again.reply.menus == menu.reply.menus
        key = next(one.value for one in menu.reply.menus[0].choices if one.label in TAKEN)
        at = await table.choose(ANNA, menu, key)
        assert at.changed
        assert menu.reply.replaces
        assert at.reply.replaces
    assert "Zed..." in [one.label for one in (await table.do(ANNA, ShowCrew(crew))).reply.buttons]
    back = await table.press(ANNA, at, "Undo last step")
    assert back.reply.lines[0] == "Your last step has been undone (-5 points)."
    assert "Weapons (0 of 1 slots): none" in back.reply.lines
    back = await table.press(ANNA, back, "Undo last step")
    assert back.reply.lines[1:] == begun
    at = await table.press(ANNA, at, "Remove...")
    assert at.reply.lines == ("There is nothing to remove from Zed.",)
    assert (await table.press(ANNA, await table.press(ANNA, at, "Back"), "Finish")).changed
    assert await member(table, crew, "Zed")


async def test_steps_are_taken_back_as_often_as_they_were_made(table: Table) -> None:
    crew = await begun(table)
    said = [(await shown(table, crew)).lines]
    steps = (("Life", False), ("Brave", False), ("Pulsar Rifle", False), ("Life", True), ("Psionic 2", False))
    for thing, back in steps:
        await table.done(ANNA, NameThing(crew, thing, back))
        said.append((await shown(table, crew)).lines)
    for before in reversed(said[:-1]):
        await table.done(ANNA, StepBack(crew))
        assert (await shown(table, crew)).lines == before
    assert "no step" in await table.refused(ANNA, StepBack(crew))
    assert "not your crew" in await table.refused(BO, StepBack(crew))


async def test_what_the_crew_cannot_afford_in_a_campaign_stands_behind_and_says_so(table: Table) -> None:
    crew = await begun(table)
    before = [one.label for one in (await table.do(ANNA, OpenStep(crew, "weapon"))).reply.menus[0].choices]
    await table.done(BO, CreateCampaign("Rust Belt", start=15))
    told = (await table.do(ANNA, OpenStep(crew, "weapon"))).reply
    assert told.lines[-2:] == (
        "Lancers with this model: 13 points",
        "Crews in Rust Belt start with 15 points (this crew would have 2 left)",
    )
    choices = told.menus[0].choices
    marks = ["too expensive for Rust Belt" in one.note for one in choices]
    costs = [int(one.note.split()[0]) for one in choices]
    assert marks == [cost > 2 for cost in costs]
    assert marks == sorted(marks)
    assert True in marks
    assert False in marks
    dear = next(one for one in choices if "too expensive for" in one.note)
    assert dear.label in before, "whoever builds for another game takes it all the same"
    after = (await table.done(ANNA, TakeThing(crew, "weapon", dear.value))).reply
    assert after.lines[-1].endswith("too many)")
    again = (await table.do(ANNA, OpenStep(crew, "gear"))).reply.menus[0].choices
    assert not any("too expensive for" in one.note for one in again), "it is over already"


async def test_what_an_open_campaign_lets_the_crew_cost_is_told(table: Table) -> None:
    crew = await begun(table)
    assert (await shown(table, crew)).lines[-1] == "Lancers with this model: 13 points"
    await table.done(BO, CreateCampaign("Rust Belt", start=15))
    await table.done(BO, CreateCampaign("Elsewhere", "warzone", start=15))
    last = (await shown(table, crew)).lines[-1]
    assert last == "Crews in Rust Belt start with 15 points (this crew would have 2 left)"
    assert (await shown(table, crew, "Pulsar Rifle")).lines[-1].endswith("too many)")


@pytest.mark.rule("CB-BUILD-05", "CB-BUILD-06")
async def test_a_beast_picks_a_free_feature_once(table: Table) -> None:
    crew = await begun(table, "Beast", "Rex", base="M")
    free = (await table.do(ANNA, OpenStep(crew, "free"))).reply.menus[0].choices
    await table.done(ANNA, TakeThing(crew, "free", free[0].value))
    assert (await shown(table, crew)).lines[0] == "Rex: Beast, base M, 24 points"
    assert "CB-BUILD-19" in await table.refused(ANNA, TakeThing(crew, "free", free[1].value))


@pytest.mark.rule("CB-BUILD-07", "CB-PSI-01")
async def test_a_psionic_chooses_as_many_powers_as_it_may(table: Table) -> None:
    crew = await begun(table, "Edofleini", "Ix")
    await shown(table, crew, "Blast", "Scan", "Heal", "Probe")
    lines = (await shown(table, crew)).lines
    assert any(line.startswith("Powers (4 of 4)") for line in lines), lines
    assert "CB-PSI-01" in await table.refused(ANNA, NameThing(crew, "Stun"))


async def test_the_draft_survives_a_restart_and_is_finished_into_a_member(table: Table) -> None:
    crew = await begun(table)
    await shown(table, crew, "AGL dice", "Pulsar Rifle", "Quick")
    async with opened(table.file, 50) as after:
        after.ids, after.interactions = table.ids, table.interactions
        done = (await after.done(ANNA, FinishHero(crew))).reply
        assert done.lines[0].startswith("Zed joins Lancers (")
        assert any("You lose" in line for line in done.lines)
        zed = await member(after, crew, "Zed")
        assert zed.points == read_block(zed.profile).profile.points
        await after.do(ANNA, AppointLeader(crew, "Zed"))
        assert (await after.do(ANNA, CheckCrew(crew, 100))).reply.lines[1] == "This crew is legal."
        await after.done(ANNA, StartEncounter(crew=crew))
        encounter = await after.encounter()
        there = fighter(encounter, encounter.find_model("Zed"))
        assert str(there.profile.agility) == "2D+0"
        assert there.has_feature("quick")
        assert there.leader
        assert [weapon.name for weapon in there.weapons] == ["Pulsar Rifle"]
        assert encounter.sides()[0].traits == {}


@pytest.mark.parametrize("form", ["text", "json"])
async def test_built_members_are_written_and_taken_in_again(table: Table, form: str) -> None:
    crew = await begun(table, "Edofleini", "Ix")
    await shown(table, crew, "STR dice", "Knack marksmanship", "Blast", "Scan")
    await table.done(ANNA, FinishHero(crew))
    await table.done(ANNA, StartHero(crew, "Vehicle", "Truck", kind="tracked"))
    await shown(table, crew, "Life")
    await table.done(ANNA, FinishHero(crew))
    text = (await table.do(ANNA, ExportCrew(crew, form))).reply.files[0].data.decode()
    other = await brought(table, text, "Second")
    for name in ("Ix", "Truck"):
        one, two = await member(table, crew, name), await member(table, other, name)
        assert (one.profile, one.points) == (two.profile, two.points)
    assert (await table.do(ANNA, PrintCrew(other))).reply.files


@pytest.mark.rule("CB-GEAR-05")
async def test_a_printed_hero_swaps_equipment(table: Table) -> None:
    crew = (await table.done(ANNA, CreateCrew("Lancers"))).scope
    await table.done(ANNA, RecruitMember(crew, "Skip Westmoreland"))
    await table.done(ANNA, EditMember(crew, "Skip"))
    assert "Upgrade Points" in await table.refused(ANNA, NameThing(crew, "Life"))
    await table.done(ANNA, NameThing(crew, "Pulsar Rifle", True))
    await table.done(ANNA, NameThing(crew, "Particle Beam Pistol"))
    await table.done(ANNA, FinishHero(crew))
    skip = await member(table, crew, "Skip Westmoreland")
    assert [weapon.name for weapon in read_block(skip.profile).weapons] == ["Particle Beam Pistol"]
    assert skip.points < 39


@pytest.mark.rule("CB-GEAR-49")
async def test_a_watchdog_comes_as_a_member(table: Table) -> None:
    crew = await begun(table)
    await table.done(ANNA, TakeThing(crew, "gear", "watchdog"))
    await table.done(ANNA, FinishHero(crew))
    dog = await member(table, crew, "Zed's dog")
    assert read_block(dog.profile).profile.types == ("beast",)


@pytest.mark.rule("CB-VEH-40", "CB-VEH-42")
async def test_a_vehicle_is_built_likewise(table: Table) -> None:
    crew = await begun(table, "Vehicle", "Truck", kind="tracked")
    lines = (await shown(table, crew)).lines
    assert lines[0] == "Truck: Vehicle (tracked), base M, 26 points"
    assert any(line.endswith(" slots free") for line in lines)
    for step in ("raise", "feature", "weapon", "gear"):
        choice = (await table.do(ANNA, OpenStep(crew, step))).reply.menus[0].choices[0]
        await table.done(ANNA, TakeThing(crew, step, choice.value))
    await table.done(ANNA, FinishHero(crew))
    truck = read_block((await member(table, crew, "Truck")).profile)
    assert truck.profile.is_vehicle
    assert truck.weapons
    assert truck.gear


async def test_a_draft_may_be_discarded_and_undone(table: Table) -> None:
    crew = await begun(table)
    assert "being built" in await table.refused(ANNA, StartHero(crew, "Human"))
    await table.done(ANNA, DiscardHero(crew))
    assert "You aren't building a model for" in await table.refused(ANNA, ShowDraft(crew))
    loaded = await table.desk.store.load(crew)
    assert loaded is not None
    row = loaded.book().get(CrewRow)
    assert row is not None
    assert row.traits == {}
