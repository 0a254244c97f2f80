"""Crews of Counterblast: traits, the check of a whole crew, written and taken in again, the sheet."""

from __future__ import annotations

import json

import pytest

from bot.actions import part_of
from bot.games.counterblast.state.models import read_block
from bot.lists.entries import from_json
from bot.lists.files import MAX_BYTES
from bot.store.rows import CrewRow, MemberRow
from bot.table.asking.server_kinds import Attached
from bot.table.bringing.list_export import ExportCrew
from bot.table.rosters.crews import AppointLeader, CreateCrew, ImportCrew, RecruitMember
from bot.table.rosters.muster import CheckCrew, SetTrait
from bot.table.session.encounters import StartEncounter
from rules.refusals import InvalidInput
from tests.bot.lists.bringing import brought, shown_of
from tests.bot.tables import GUILD, Table

ANNA, BO = "anna", "bo"


async def made(table: Table, *recruits: str, name: str = "Lancers") -> int:
    """Anna's crew with these members, the first of them its leader."""
    crew = (await table.done(ANNA, CreateCrew(name))).scope
    for one in recruits:
        await table.done(ANNA, RecruitMember(crew, one))
    if recruits:
        await table.do(ANNA, AppointLeader(crew, recruits[0]))
    return crew


async def rows(table: Table, crew: int) -> tuple[CrewRow, list[MemberRow]]:
    loaded = await table.desk.store.load(crew)
    assert loaded is not None
    book = loaded.book()
    row = book.get(CrewRow)
    assert row is not None
    return row, book.all(MemberRow)


async def lines(table: Table, action: CheckCrew) -> tuple[str, ...]:
    return (await table.do(ANNA, action)).reply.lines


@pytest.mark.rule("CB-CREW-07", "CB-CREW-08", "CB-SPEC-01")
async def test_traits_are_kept_judged_and_go_to_the_table(table: Table) -> None:
    crew = await made(table, "Sally Starfield", "Skip Westmoreland")
    await table.done(ANNA, SetTrait(crew, "alignment", "gcw"))
    told = (await table.done(ANNA, SetTrait(crew, "specialties", "Lancers, Salvage"))).reply.lines
    assert told[0] == "Lancers, specialties: Lancers, Salvage Team."
    assert not any("CB-SPEC-01" in line for line in told)
    third = (await table.done(ANNA, SetTrait(crew, "specialties", "Lancers, Salvage, Pirates"))).reply.lines
    assert any("points can have at most" in line for line in third)
    wrong = (await table.done(ANNA, SetTrait(crew, "alignment", "neiran"))).reply.lines
    assert any("CB-CREW-07" in line for line in wrong)
    assert "Which" in await table.refused(ANNA, SetTrait(crew, "specialties", "team"))
    assert "not your crew" in await table.refused(BO, SetTrait(crew, "alignment", "gcw"))
    await table.done(ANNA, SetTrait(crew, "specialties", "none"))
    await table.done(ANNA, SetTrait(crew, "alignment", "gcw"))
    await table.done(ANNA, StartEncounter(crew=crew))
    side = (await table.encounter()).sides()[0]
    assert side.traits == {"alignment": "gcw"}


@pytest.mark.rule("CB-SPEC-12")
async def test_marauders_choose(table: Table) -> None:
    crew = await made(table, "Sally Starfield")
    told = (await table.done(ANNA, SetTrait(crew, "specialties", "Marauders"))).reply.text
    assert "strength or agility" in told
    assert "CB-SPEC-12" not in (await table.done(ANNA, SetTrait(crew, "marauder", "agility"))).reply.text


@pytest.mark.rule("CB-CREW-01", "CB-CREW-03", "CB-CREW-17", "CB-GEAR-10")
async def test_every_problem_of_a_crew_is_named(table: Table) -> None:
    crew = await made(table, "Edo Underling")
    four = RecruitMember(crew, "Edo Guardling", equipment="Scope, Scanner, Medkit, Respirator")
    assert "4 gear slots" in await table.refused(ANNA, four)
    await table.done(ANNA, RecruitMember(crew, "Edo Guardling", equipment="Extraction Tool"))
    await table.done(ANNA, SetTrait(crew, "affiliation", "gcw"))
    said = "\n".join(await lines(table, CheckCrew(crew, 20)))
    assert "can't lead the crew, because only a Hero can" in said
    assert "Remove Edo Underling, because only Galactic Council of Worlds Lackeys can join this crew." in said
    assert "Remove Edo Guardling, because only Galactic Council of Worlds Lackeys can join this crew." in said
    assert "Edo Guardling: This crew's faction can't have Extraction Tool." in said
    assert "can't lead the crew, because only a Hero can" in said
    hero = await made(table, "Sally Starfield", "Skip Westmoreland", name="Heroes")
    total = sum(one.points for one in (await rows(table, hero))[1])
    assert any("which is 5 over the limit" in line for line in await lines(table, CheckCrew(hero, total - 5)))
    assert (await lines(table, CheckCrew(hero, total)))[1] == "This crew is legal."


@pytest.mark.parametrize("form", ["text", "json"])
async def test_what_is_written_is_taken_in_again(table: Table, form: str) -> None:
    crew = await made(table, "Sally Starfield", "Skip Westmoreland", "Smap")
    await table.done(
        ANNA, RecruitMember(crew, "Wanda Whitestar", called="Wanda the Third", equipment="Grenade")
    )
    await table.done(ANNA, SetTrait(crew, "alignment", "gcw"))
    await table.done(ANNA, SetTrait(crew, "specialties", "Lancers, Marauders"))
    reply = (await table.do(ANNA, ExportCrew(crew, form))).reply
    assert reply.private
    text = reply.files[0].data.decode()
    other = await brought(table, text, "Second")
    (before, old), (after, new) = await rows(table, crew), await rows(table, other)
    assert after.traits == before.traits
    assert [(m.name, m.profile, m.points, m.leader) for m in new] == [
        (m.name, m.profile, m.points, m.leader) for m in old
    ]
    again = (await table.do(ANNA, ExportCrew(other, form))).reply.files[0].data.decode()
    assert again.replace("Second", "Lancers") == text


async def test_an_import_that_does_not_fit_is_not_kept_as_it_stands(table: Table) -> None:
    text = """Crew: Odd Lot
    Game: counterblast
    Specialties: Lancer Team
    Member: Zed
      from: Sally Starfeld
    Member: Amy
      from: Skip Westmoreland
      gear: Scopes
      hat: red
    Member: Roy
      from: Smap
      points: 999
    Member: Roy
      from: Smapp
    nonsense
    """
    said = await shown_of(table, text)
    assert "Not recognised: Zed. There is no statblock called Sally Starfeld." in said
    assert ". You can use" in said
    assert "Roy costs 999 points in the list, but 31 here" in said
    assert "Not recognised: Roy. There is no statblock called Smapp." in said
    assert "specialties (Lancer Team)" in said
    assert "nonsense" in said
    assert not await table.desk.store.crews(900)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("?!", "No list was found"),
        ("{" * 50 + '"' + "}" * 50, "damaged"),
        ("[" * 70 + '""' + "]" * 70, "nested"),
        ('{"format": "other"}', "list of models"),
        ('{"format": "adjutant-crew", "version": 9}', "version"),
        ('{"not json"}', "damaged"),
        ("x" * 60_001, "at most"),
    ],
)
async def test_what_is_no_crew_is_refused_at_once(table: Table, text: str, why: str) -> None:
    assert why in await table.refused(ANNA, ImportCrew(text))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            '{"format":"adjutant-crew","version":1,"game":"counterblast","name":"A","members":[{"name":"B",'
            '"profile":{"built":{"template":"human","raises":{"mv":9999}}}}]}',
            "Not recognised: B. I can't read this model",
        ),
        (
            '{"format":"adjutant-crew","version":1,"game":"counterblast","name":"A","members":[{"name":"B",'
            '"profile":{"built":{"template":"human","raises":{"strength_dice":4}}}}]}',
            "Upgrade Points, but you have only",
        ),
    ],
)
async def test_a_member_that_may_not_be_is_told_and_not_kept(table: Table, text: str, why: str) -> None:
    assert why in await shown_of(table, text)


FILE = part_of("crew.import", "file").kind


@pytest.mark.parametrize(
    ("size", "data", "why"),
    [
        (10_000_000, None, r"kB \(yours is"),
        (0, None, "The file is empty."),
        (100, b"", "The file is empty."),
        (100, b"PK\x03\x04rest", "damaged"),
        (100, b"\x1f\x8b\x08rest", "compressed"),
        (100, b"x" * (MAX_BYTES + 1), "A list can be at most"),
    ],
)
def test_what_is_no_list_is_refused_as_a_file(size: int, data: bytes | None, why: str) -> None:
    assert isinstance(FILE, Attached)
    with pytest.raises(InvalidInput, match=why):
        FILE.text_in(size, data)


def test_a_file_is_looked_at_before_it_is_read() -> None:
    assert isinstance(FILE, Attached)
    assert FILE.text_in(100) == ""
    assert from_json(FILE.text_in(100, "\ufeffCrew: Ä\nMember: B".encode())).title == "Ä"


async def test_neither_file_nor_text_is_refused(table: Table) -> None:
    assert "Attach your list" in await table.refused(ANNA, ImportCrew())


async def test_a_file_is_taken_in_as_text_is(table: Table) -> None:
    await table.done(ANNA, CreateCrew("Red"))
    crew = (await table.desk.store.crews(GUILD))[0][0]
    written = (await table.do(ANNA, ExportCrew(crew, "json"))).reply.files[0].data.decode()
    taken = await table.refused(ANNA, ImportCrew(file=written, name="Blue"))
    assert "No list was found" in taken, "Red has no members"


async def test_an_import_may_be_held_to_a_limit(table: Table) -> None:
    crew = await made(table, "Sally Starfield")
    text = (await table.do(ANNA, ExportCrew(crew))).reply.files[0].data.decode()
    shown = await table.done(ANNA, ImportCrew(text, "Small", 10))
    assert "points, which is" in shown.reply.text


async def test_a_hidden_list_stays_hidden_in_json_too(table: Table) -> None:
    crew = await made(table, "Sally Starfield")
    whole = json.loads((await table.do(ANNA, ExportCrew(crew, "json"))).reply.files[0].data)
    assert set(whole) == {"format", "version", "game", "name", "traits", "members"}


@pytest.mark.parametrize("form", ["text", "json"])
async def test_a_printed_vehicle_keeps_the_gear_of_its_block_when_written(table: Table, form: str) -> None:
    crew = await made(table, "Sally Starfield")
    await table.done(ANNA, RecruitMember(crew, "Scutter", equipment="Void Rifle"))
    written = (await table.do(ANNA, ExportCrew(crew, form))).reply.files[0].data.decode()
    again = await brought(table, written, "Again")
    assert [one.profile for one in (await rows(table, again))[1]] == [
        one.profile for one in (await rows(table, crew))[1]
    ]


async def test_every_fault_of_a_member_is_named_at_once(table: Table) -> None:
    written = (
        "Crew: Bad\nGame: counterblast\n\nMember: B\n  type: Human\n  raised: STR dice 9, Luck 1\n"
        "  features: Bravery\n  weapons: Lasblade\n  gear: Medkitt\n  colour: red\n"
    )
    said = await shown_of(table, written)
    for part in ("'colour'", "Luck", "Bravery", "Lasblade", "Medkitt"):
        assert part in said


async def test_every_fault_of_a_member_in_json_is_named_at_once(table: Table) -> None:
    crew = await made(table, "Sally Starfield")
    written = json.loads((await table.do(ANNA, ExportCrew(crew, "json"))).reply.files[0].data)
    written["name"] = "Bad"
    (member,) = written["members"]
    dog = {"template": "beast", "weapons": ["fangz"]}
    built = {
        "template": "human",
        "weapons": ["lasblade"],
        "gear": ["medkitt"],
        "powers": ["blst"],
        "dog": dog,
    }
    member["profile"] = {"built": built | {"features": [["bravery", 0, ""]], "raises": {"luck": 1}}}
    del member["points"]
    said = await shown_of(table, json.dumps(written))
    for name in ("lasblade", "medkitt", "blst", "bravery", "luck", "fangz"):
        assert f"I don't know '{name}'" in said


@pytest.mark.rule("CB-STAT-11")
async def test_outside_a_campaign_no_upgrade_points_change_a_lackey(table: Table) -> None:
    written = "Crew: Rich\nGame: counterblast\n\nMember: B\n  from: GDF Sentry\n"
    bought = written + "  raised: STR dice 1\n"
    said = await shown_of(table, bought + "  earned: 5\n")
    assert "earned Upgrade Points. Earned points only count in a campaign." in said
    assert "CB-STAT-11" in said
    await shown_of(table, bought)
    await brought(table, written)


@pytest.mark.rule("CB-BUILD-18")
async def test_upgrade_points_are_earned_in_campaigns_only(table: Table) -> None:
    written = "Crew: Rich\nGame: counterblast\n\nMember: B\n  type: Human\n  raised: STR dice 1\n"
    said = await shown_of(table, written + "  earned: 500\n")
    assert "earned Upgrade Points. Earned points only count in a campaign." in said
    assert "CB-BUILD-18" in said
    await brought(table, written)


async def test_what_would_not_be_kept_of_an_import_is_told(table: Table) -> None:
    text = """Crew: Odd Lot
    Game: counterblast
    Game: warzone
    Member: Rex
      type: Human
      base: S
      kind: mech
      raised: Mv 1, Mv 2
      gear: Watchdog
      watchdog: base M; raised Life 1; raised Mv 1
    Member: Amy
      from: Skip Westmoreland
      base: M
      leader: maybe
      note: one
      note: *two*
    """
    said = await shown_of(table, text)
    for line in (
        "Game: warzone",
        "because only vehicles have it.",
        "Enter Mv only once, as a total.",
        ", which is a small Beast. You can use",
        'Enter "raised" only once for the Watchdog.',
        'because the model you copy with "from" already has it.',
        "leader: maybe",
        "note: two",
    ):
        assert line in said


async def test_what_is_not_said_of_a_block_stays_as_printed(table: Table) -> None:
    crew = await made(table, "Sally Starfield")
    text = "Crew: Second\nMember: Sally\n  from: Sally Starfield\n  "
    more = await brought(table, text + "gear: none")
    (_, old), (_, new) = await rows(table, crew), await rows(table, more)
    before, after = read_block(old[0].profile), read_block(new[0].profile)
    assert before.gear
    assert not after.gear
    assert after.weapons == before.weapons
    written = (await table.do(ANNA, ExportCrew(more, "text"))).reply.files[0].data.decode()
    assert "  gear: none" in written
    assert "weapons" not in written
    again = await brought(table, written, "Third")
    assert (await rows(table, again))[1][0].profile == new[0].profile
