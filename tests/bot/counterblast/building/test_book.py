"""/book, and doubts about figures: named wherever somebody relies on them, with their reason in the book."""

from __future__ import annotations

import pytest

from bot.games.counterblast.building.crews import CounterblastSheet
from bot.games.counterblast.building.hero_building import ShowDraft, StartHero
from bot.games.counterblast.building.rulebook import LookUp, pages
from bot.replies.fit import MAX_MESSAGE_LENGTH
from bot.store.rows import CrewRow, MemberRow
from bot.table.rosters.crews import CreateCrew, ListRecruits, RecruitMember, ShowCrew
from bot.table.session.models import ShowModel
from rules.systems.counterblast.core.library import load
from tests.bot.counterblast.ring import Ring
from tests.bot.tables import Table

ANNA = "anna"


async def said(table: Table, thing: str) -> str:
    reply = (await table.do(ANNA, LookUp(thing))).reply
    assert reply.private
    return " ".join(line.strip() for line in reply.lines)


def test_everything_has_a_page_of_its_own_that_fits_a_message() -> None:
    assert len({page.name.casefold() for page in pages()}) == len(pages())
    for page in pages():
        assert len("\n".join([page.name, *page.lines])) <= MAX_MESSAGE_LENGTH, page.name


def test_every_doubt_of_the_data_stands_in_the_book() -> None:
    library = load()
    kinds = (
        library.profiles, library.weapons, library.vehicle_weapons, library.gear, library.vehicle_gear,
        library.features, library.powers, library.templates, library.affiliations, library.specialties,
        library.missions, library.charts,
    )  # fmt: skip
    told = [line for page in pages() for line in page.lines]
    found = 0
    for kind in kinds:
        for row in kind:
            for note in row.unsure:
                reason = note.partition(": ")[2]
                assert any("Unclear in the rulebook" in line and reason[1:] in line for line in told), note
                found += 1
    assert found > 60


@pytest.mark.rule("CB-STAT-05")
async def test_older_words_are_told_by_their_present_ones(table: Table) -> None:
    assert (
        await said(table, "Seriously Wounded")
        == '"Seriously Wounded" is an old term. The rulebook now says "severely wounded".'
    )
    repair = '"Repair check" is an old term. The rulebook now says "engineering".'
    assert await said(table, "Repair check") == repair
    operational = '"operational action" is an old term. The rulebook now says "any action but an attack".'
    assert await said(table, "operational action") == operational


async def test_a_statblock_is_shown_with_its_doubts(table: Table) -> None:
    clipper = await said(table, "clipper")
    assert clipper.startswith("Clipper 51 points, base S For Galactic Council of Worlds")
    assert "Mv 6, STR 2D+2, AGL 3D+2, INT 1D+0 Def 8, Life 2, Shield 1D" in clipper
    assert "Unclear in the rulebook: points. 51" in clipper
    assert ". 6" in await said(table, "Ascensor")
    assert "Unclear in the rulebook" not in await said(table, "Brute")


async def test_same_names_are_told_apart(table: Table) -> None:
    assert "1 point, energized" in await said(table, "Night Vision")
    assert "Upgrade Points: Heroes 1" in await said(table, "Night Vision (Feature)")
    assert "vehicle weapon" not in await said(table, "Sniper Rifle")
    assert "vehicle weapon" in await said(table, "vehicle weapon")
    assert (await said(table, "jetpack")).startswith("Rocket Pack")
    assert (await said(table, "force field")).startswith("Force Field 2 points, energized")
    assert (await said(table, "hvy force field")).startswith("Heavy Force Field")
    assert (await said(table, "Force Field (power)")).startswith("Force Field (power) 1 action, 8 in")
    assert "spoon" in (await table.refused(ANNA, LookUp("spoon"))).casefold()


@pytest.mark.rule("CB-GEN-03")
async def test_the_book_tells_how_wide_the_bases_of_each_size_are(table: Table) -> None:
    bases = await said(table, "Base sizes")
    assert "Small (25 to 30 mm, 20 mm at 15 mm scale): The size of a human or smaller." in bases
    assert "Medium (40 mm, 30 mm at 15 mm scale)" in bases
    assert "Large (50 mm or more, 40 mm or more at 15 mm scale)" in bases


async def test_the_book_tells_figures_in_words(table: Table) -> None:
    assert "5 at short range" in await said(table, "Neiran Pistol")
    assert "template R5, 1D+3, arc" in await said(table, "Rocket Launcher Arc Burst")
    assert "1D+1 damage against sealed suits" in await said(table, "Flamethrower")
    assert "+1 STR die," in await said(table, "Neiran Glaive")
    assert "+3 damage against living models" in await said(table, "Rocket Launcher Particle Burst")
    assert "-1 shield" in await said(table, "Gamma Disruptor Pistol")
    assert "5 points for each psionic die" in await said(table, "Fahz Jiin")
    assert "attack, 8 in, needs line of sight, against Defense" in await said(table, "Stun")
    assert "2 actions, 12 in, needs line of sight, target number 7" in await said(table, "Identify")
    assert "4-5: Victory (campaign points 2)" in await said(table, "Result by difference of Victory Points")
    assert "Not for these types: flyer, mech, tracked, wheeled" in await said(table, "Bonded")


async def test_a_crew_names_what_is_unsure_once(table: Table) -> None:
    crew = (await table.done(ANNA, CreateCrew("Lancers"))).scope
    await table.done(ANNA, RecruitMember(crew, "GDF Commander"))  # its Envirosuit is in its printed Pts
    assert "Unclear in the rulebook" not in (await table.do(ANNA, ShowCrew(crew))).reply.text
    await table.done(ANNA, RecruitMember(crew, "Clipper", 2, equipment="Envirosuit"))
    lines = (await table.do(ANNA, ShowCrew(crew))).reply.lines
    assert [line for line in lines if "Unclear in the rulebook" in line] == [
        "Unclear in the rulebook: Clipper (points); Envirosuit (price). Use /book to see which reading the "
        "bot uses."
    ]
    lines = (await table.do(ANNA, ListRecruits(find="unclear"))).reply.lines
    assert " 51 Clipper, lackey human, unclear in the rulebook" in lines
    assert not any("Brute" in line for line in lines)


async def test_a_draft_names_what_is_unsure(table: Table) -> None:
    crew = (await table.done(ANNA, CreateCrew("Machines"))).scope
    await table.done(ANNA, StartHero(crew, "Vehicle", "Truck", kind="wheeled"))
    assert "Unclear in the rulebook" in (await table.do(ANNA, ShowDraft(crew))).reply.text


async def test_a_model_in_play_tells_what_matters_in_play(ring: Ring) -> None:
    shown = (await ring.table.do(ANNA, ShowModel("Sally"))).reply.text
    assert "Unclear in the rulebook" in shown
    assert "Envirosuit" in shown
    assert "price" not in shown


async def test_a_printed_sheet_names_what_is_unsure(table: Table) -> None:
    crew = (await table.done(ANNA, CreateCrew("Edo"))).scope
    for name in ("Undermind", "Prime Leader", "Edo Underling"):
        await table.done(ANNA, RecruitMember(crew, name))
    loaded = await table.desk.store.load(crew)
    assert loaded is not None
    row = loaded.book().get(CrewRow)
    assert row is not None
    heading = CounterblastSheet().heading(row, loaded.book().all(MemberRow))
    assert heading == [
        (
            "Unclear in the rulebook: Undermind (shield); Prime Leader (points). Use /book to see "
            "which reading the bot uses."
        )
    ]
