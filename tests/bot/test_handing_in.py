"""Nothing that is handed in is passed over: every form of every game refuses it, or keeps it."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from bot.games.infinity.profile_actions import FILE_FORMAT, read_profile_file
from bot.table.bringing.list_export import ExportCrew
from bot.table.bringing.list_import import KeepList
from bot.table.journal.history import Undo
from bot.table.rolling.dice_settings import AddWords
from bot.table.rosters.crews import CreateCrew, DisbandCrew, ImportCrew, ListCrews
from bot.table.session.encounters import ShowEncounter, StartEncounter
from rules.refusals import InvalidInput
from rules.systems.fracd_earth import profile as fracd
from rules.systems.infinity import profile_text
from rules.systems.soluna import profile as soluna
from rules.systems.warzone import notation as warzone
from tests.bot.handing_in import STRANGE, contradicted_lines, spoilt_lines, spoilt_values
from tests.bot.lists.bringing import brought
from tests.bot.tables import Table

INFINITY = (
    "Tracker: MOV 4-4, CC 13, BS 12, PH 10, WIP 12, ARM 1, BTS 3, STR 2, S 2, COST 10, TYPE LI, IRREGULAR; "
    "Combi Rifle B3 DAM 13 AMMO DA ROLLS 2 BTS TEMPLATE RANGE 8:+3 16:+3 32:-3; Knife CC B1 DAM PH-1; "
    "Skills Sensor, Sixth Sense L1, Terrain (Mountain) => Dog: MOV 6-4, CC 15, W 1, TYPE WB"
)
WARZONE = """Sgt Rook
CC 9 RC 10 PW 0 LD 13 AC 3 WD 1 ST 5 MV 4 SZ 2 AR 22
tracked, leader, vehicle, ai 2, dire 1
weapon Carbine: DM 12, ROF 2, PB +1, SR +2/3, LR -3, AV 2, x2, template, concussive
weapon Knife: DM 4, close"""
SOLUNA = """Ilka
Size 2, Mind 3, Health 3, Body 2, Shield 1, Speed 7, CP 2
Traits: sees in the dark, psionic
Grid: body 1 2 3 > health; health 4 5 6 > body
Weapon: Smoke Grenade, Reach 5, Power 1, Accuracy 1, Health 2, melee, blast, burst 2, cloud 4, poor
Item: Medkit, Health 1"""
FRACD = """name: Vale
rank: figure
size: 2
move: 5
capacity: 12
second capacity: 3
surge: 1
build: 14
traits: def 5, fight 4
resists: body 4, dp 4
skill: Notice [+ +] +3
effect: Keen Eye // sight // Shoot // +1 // +0
weapon: 5 // Carbine // [+] // Range 24 // 3 M vs dp"""
CREW = """Crew: Lancers
Game: counterblast
Affiliation: gcw
Specialties: Lancers

Member: Sally
  leader: yes
  from: Sally Starfield
  note: the first
Member: Rex Mundi
  type: Human
  base: S
  raised: Life 1
  features: Brave
  weapons: Pulsar Pistol
  gear: Watchdog
  watchdog: raised Life 1; features Brave
  leader: no"""


READERS: dict[str, tuple[Callable[[str], object], Callable[[object], str], str]] = {
    "infinity text": (profile_text.read_profile, profile_text.write_profile, INFINITY),  # type: ignore[dict-item]
    "warzone text": (warzone.parse_profile, warzone.profile_text, WARZONE),  # type: ignore[dict-item]
    "soluna text": (soluna.read_profile, soluna.write_profile, SOLUNA),  # type: ignore[dict-item]
    "fracd text": (fracd.read_text, fracd.write_text, FRACD),  # type: ignore[dict-item]
}
PROGRAMS: dict[str, tuple[Callable[[str], object], Callable[[object], str], str]] = {
    "infinity json": (profile_text.read_profile, profile_text.to_json, "infinity text"),  # type: ignore[dict-item]
    "warzone json": (warzone.parse_json, warzone.profile_json, "warzone text"),  # type: ignore[dict-item]
    "soluna json": (soluna.from_json, soluna.to_json, "soluna text"),  # type: ignore[dict-item]
    "fracd json": (fracd.read_json, fracd.write_json, "fracd text"),  # type: ignore[dict-item]
}


@pytest.mark.parametrize("form", READERS)
def test_a_strange_word_is_refused_or_kept(form: str) -> None:
    read, write, text = READERS[form]
    whole = write(read(text))
    assert write(read(whole)) == whole
    for what, spoilt in spoilt_lines(whole):
        try:
            found = write(read(spoilt))
        except InvalidInput:
            continue
        assert STRANGE in found.casefold(), what


@pytest.mark.parametrize("form", READERS)
def test_a_figure_said_twice_is_refused(form: str) -> None:
    read, write, text = READERS[form]
    whole = write(read(text)).replace("; ", "\n" if form.startswith("infinity") else "; ")
    tried = 0
    for what, spoilt in contradicted_lines(whole):
        tried += 1
        joined = spoilt.replace("\n", "; ") if form.startswith("infinity") else spoilt
        try:
            found = write(read(joined))
        except InvalidInput:
            continue
        assert len(found) > len(write(read(text))), what
    assert tried > 2


@pytest.mark.parametrize("form", PROGRAMS)
def test_values_of_no_use_are_refused(form: str) -> None:
    read, write, of = PROGRAMS[form]
    whole = write(READERS[of][0](READERS[of][2]))
    assert write(read(whole)) == whole
    for what, spoilt in spoilt_values(whole):
        try:
            found = write(read(spoilt))
        except InvalidInput:
            continue
        assert found != whole, what
        assert "twice" not in what, what
        assert not what.startswith(STRANGE) or STRANGE in found.casefold(), what


def test_a_file_of_profiles_holds_nothing_else() -> None:
    one = json.loads(profile_text.to_json(profile_text.read_profile(INFINITY)))
    whole = json.dumps({"format": FILE_FORMAT, "profiles": [one]})
    assert len(read_profile_file(whole)) == 1
    for what, spoilt in spoilt_values(whole):
        try:
            found = read_profile_file(spoilt)
        except InvalidInput:
            continue
        assert found != read_profile_file(whole), what


async def test_a_disbanded_crew_is_listed_nowhere_until_that_is_undone(table: Table) -> None:
    kept = (await table.done("anna", CreateCrew("The Fine"))).scope
    gone = (await table.done("anna", CreateCrew("The Gone"))).scope
    await table.done("anna", DisbandCrew(gone))
    assert "The Gone" not in (await table.do("anna", ListCrews())).reply.text
    assert [crew[0] for crew in await table.desk.store.crews(900)] == [kept]
    await table.done("anna", Undo())
    assert "The Gone" in (await table.do("anna", ListCrews())).reply.text


async def test_what_is_done_beside_the_game_is_nothing_to_undo(table: Table) -> None:
    """Words for the dice are given in the game; what was done last is the crew."""
    await table.done("anna", StartEncounter("counterblast"))
    await table.done("anna", CreateCrew("The Fine"))
    await table.done("anna", AddWords("a word of my own"))
    await table.done("anna", Undo())
    assert "The Fine" not in (await table.do("anna", ListCrews())).reply.text
    assert "COUNTERBLAST" in (await table.do("anna", ShowEncounter())).reply.text.upper()


@pytest.mark.parametrize("form", ["text", "json"])
async def test_a_crew_is_taken_in_whole_or_not_at_all(table: Table, form: str) -> None:
    first = await brought(table, CREW)
    whole = (await table.do("anna", ExportCrew(first, form))).reply.files[0].data.decode()
    await table.done("anna", DisbandCrew(first))
    spoilings = [*spoilt_lines(whole), *contradicted_lines(whole)] if form == "text" else spoilt_values(whole)
    for what, spoilt in spoilings:
        shown = await table.do("anna", ImportCrew(spoilt))
        answer = await table.do("anna", KeepList(shown.scope)) if shown.changed else shown
        if not answer.changed:
            assert answer.reply.text.strip(), what
            continue
        again = (await table.do("anna", ExportCrew(answer.scope, form))).reply.files[0].data.decode()
        told = shown.reply.text
        assert again != whole or "Not used from this list: " in told or "Note: " in told, what
        assert STRANGE not in what or STRANGE in again or STRANGE in told.casefold(), what
        await table.done("anna", DisbandCrew(answer.scope))
