"""The battle sheet: every game's crews as PDF, pictures, text, JSON, CSV; nothing runs out of its frame."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter

import pytest
from PIL import Image

from bot.games.counterblast.building import crews
from bot.games.fracd_earth import battle_sheet as fracd_earth
from bot.games.infinity import battle_sheet as infinity
from bot.games.soluna import battle_sheet as soluna
from bot.games.warzone import battle_sheet
from bot.replies.sheets.layout import PAPERS, Frame, TextAt, lay_out, lay_out_cards, width
from bot.replies.sheets.sheet import Card, Sheet, as_csv, as_text
from bot.store.rows import CrewRow, MemberRow
from bot.table.game import GAMES, Types
from bot.table.rosters import printing
from bot.table.rosters.crew_state import Standing
from bot.table.rosters.crews import AppointLeader, CreateCrew, RecruitMember
from bot.table.rosters.printing import PrintCrew, make_files, make_sheet
from rules.systems.counterblast.core.library import load
from rules.systems.fracd_earth.profile import Profile as CrewCard
from rules.systems.fracd_earth.weapons import Weapon as Effect
from rules.systems.infinity.profile import Skill
from rules.systems.infinity.profile_text import read_profile as trooper
from rules.systems.soluna.profile import AREAS as SHAPES
from rules.systems.soluna.profile import TRAITS as GIFTS
from rules.systems.soluna.profile import read_profile as fighter
from rules.systems.warzone.notation import parse_profile as soldier
from rules.systems.warzone.profile import TRAITS, WEAPON_FLAGS
from tests.bot.tables import Table


def samples(system: str) -> list[Standing]:
    """The crews to try of a game, with a note on their second member."""
    played, found = GAMES[system], []
    for sample in played.sample_crews():
        rows = []
        for place, key in enumerate(sample.recruits, 1):
            one = next(each for each in played.recruits() if each.key == key)
            note = "-1 melee, misses 1" if place == 2 else ""
            name = f"{one.name} {place}"
            rows.append(MemberRow(1, place, name, played.profile(key), one.points, place == 1, note))
        found.append(Standing(CrewRow(1, 1, 1, system, sample.name), rows))
    return found


@pytest.mark.parametrize("system", sorted(GAMES))
def test_the_card_of_a_renamed_member_names_its_statblock(table: Table, system: str) -> None:
    now = samples(system)[0]
    member = now.members[0]
    statblock = member.name.rsplit(" ", 1)[0]
    assert not make_sheet(now).cards[0].kind.startswith(statblock), "a number is no other name"
    member.name = "Old Bess"
    assert make_sheet(now).cards[0].kind.startswith(f"{statblock}: ")


def test_effects_of_counterblast_are_told_with_their_figures() -> None:
    """No comparative without a number: "better", "deeper" and "more easily" say nothing at the table."""
    library = load()
    lists = (library.features, library.weapons, library.gear, library.powers, library.specialties)
    texts = [one.text for things in lists for one in things]
    vague = re.compile(r"\b(better|worse|deeper|easily|harder|slower|farther|a little|many|slow)\b", re.I)
    assert [text for text in texts if vague.search(text) and not re.search(r"\d", text)] == []


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("system", sorted(GAMES))
def test_nothing_runs_out_of_the_paper_and_nobody_is_missing(table: Table, system: str, paper: str) -> None:
    across, down = PAPERS[paper]
    for now in samples(system):
        sheet = make_sheet(now)
        pages = lay_out(sheet, paper)
        told = " ".join(mark.words for page in pages for mark in page if isinstance(mark, TextAt))
        for member in now.members:
            assert member.name in told
        assert "-1 melee" in told
        for mark in (mark for page in pages for mark in page):
            if isinstance(mark, Frame):
                assert mark.x >= 0
                assert mark.x + mark.wide <= across - 9
                assert mark.y + mark.high <= down - 9
            else:
                assert mark.x + width(mark.words, mark.size, mark.bold) <= across - 9
                assert mark.y <= down - 4


@pytest.mark.parametrize("system", sorted(GAMES))
def test_a_box_for_each_point_of_life(table: Table, system: str) -> None:
    for now in samples(system):
        for card, member in zip(make_sheet(now).cards, now.members, strict=True):
            words = ("Life", "W", "STR", "Wounds", "Health", "Capacity")
            life = next(count for name, count in card.boxes if name in words)
            if system == "counterblast":
                assert str(life) == dict(card.figures)["Life"]
            assert life >= 1
            assert card.name == member.name


@pytest.mark.parametrize(
    ("system", "key", "has", "lacks"),
    [
        ("counterblast", "Rocket Bike", {"In Motion", "Burning"}, {"Prone"}),
        ("warzone", "Iron Sow", {"Steering", "Structural"}, set()),
    ],
)
def test_a_vehicle_has_boxes_of_its_own(
    table: Table, system: str, key: str, has: set[str], lacks: set[str]
) -> None:
    played = GAMES[system]
    rows = []
    for place, one in enumerate(played.recruits(), 1):
        if one.name == key or place == 1:
            rows.append(MemberRow(1, place, one.name, played.profile(one.key), one.points))
    sheet = make_sheet(Standing(CrewRow(1, 1, 1, system, "Drivers"), rows))
    walks, drives = (dict(card.boxes) for card in sheet.cards)
    assert has <= set(drives) - set(walks)
    assert not lacks & set(drives)
    told = dict(sheet.quick)
    assert {"Critical Damage", "In Motion", "Burning"} <= set(told) or "Save failed by 8-10" in told


def test_what_is_fearless_has_no_box_for_panic(table: Table) -> None:
    """But a Beast has: it may be a Watchdog, which is Panicked once its owner is gone."""
    cards = {card.name: dict(card.boxes) for now in samples("counterblast") for card in make_sheet(now).cards}
    assert "Panicked" not in cards["HOpR Bot 6"]
    assert "Panicked" in cards["Skip Westmoreland 2"]


def test_conditions_of_counterblast_are_told_with_figures_where_something_brings_them(table: Table) -> None:
    played = GAMES["counterblast"]
    burner = (
        "Rayne\nlackey human, base M, 20 points\nMv 6, STR 3D+1, AGL 2D, INT 1D\nDef 8, Life 2, Shield 1\n"
        "weapons: Torch (natural, melee, reach 1, Pwr 5, burning, knockback)"
    )
    rows = [MemberRow(1, 1, "Smap", played.profile("smap"), 31)]
    assert "Burning" not in dict(make_sheet(Standing(CrewRow(1, 1, 1, "counterblast", "x"), rows)).quick)
    assert isinstance(played, Types)
    typed = played.typed(burner, "")
    assert typed is not None
    rows.append(MemberRow(1, 2, typed[0], typed[1], typed[2]))
    told = dict(make_sheet(Standing(CrewRow(1, 1, 1, "counterblast", "x"), rows)).quick)
    assert "1 hit with Power 5" in told["Burning"]
    assert "7+" in told["Panicked"]
    assert "6 in (base S)" in told["Knockback"]


def test_every_effect_of_a_weapon_has_its_words() -> None:
    known = {*crews.EFFECTS, *crews.CONDITIONS}
    assert {effect for one in load().weapons for effect in one.effects} <= known


async def lancers(table: Table) -> int:
    crew = (await table.done("anna", CreateCrew("Lancers"))).scope
    for name in ("Sally Starfield", "Skip Westmoreland", "Smap"):
        await table.done("anna", RecruitMember(crew, name))
    await table.do("anna", AppointLeader(crew, "Sally Starfield"))
    return crew


async def test_it_is_a_pdf_and_a_picture_of_each_page(table: Table) -> None:
    crew = await lancers(table)
    for paper, size in (("A4", (1240, 1754)), ("Letter", (1275, 1650))):
        reply = (await table.do("anna", PrintCrew(crew, paper=paper))).reply
        assert reply.private
        whole, page = reply.files
        assert whole.name == "lancers.pdf"
        assert whole.data.startswith(b"%PDF-")
        assert Image.open(io.BytesIO(page.data)).size == size
        for name in ("Sally Starfield", "Skip Westmoreland", "Smap"):
            assert name in page.words
    again = (await table.do("anna", PrintCrew(crew))).reply.files
    assert again == (await table.do("anna", PrintCrew(crew))).reply.files


async def test_each_model_is_a_small_card_to_cut_out(table: Table) -> None:
    crew = await lancers(table)
    whole, page = (await table.do("anna", PrintCrew(crew, "cards"))).reply.files
    assert whole.data.startswith(b"%PDF-")
    assert page.words == "Cards to cut out, page 1 of 1: Sally Starfield (leader), Skip Westmoreland, Smap"


@pytest.mark.parametrize("system", sorted(GAMES))
def test_no_word_of_a_small_card_is_cut(table: Table, system: str) -> None:
    for now in samples(system):
        sheet = make_sheet(now)
        marks = [mark for page in lay_out_cards(sheet, "A4") for mark in page if isinstance(mark, TextAt)]
        told = Counter(word for mark in marks for word in mark.words.split())
        rows = (row for card in sheet.cards for row in card.weapons)
        assert Counter(word for row in rows for words in row for word in words.split()) <= told


async def test_the_text_says_all_of_it_in_order(table: Table) -> None:
    crew = await lancers(table)
    text = (await table.do("anna", PrintCrew(crew, "text"))).reply.files[0].data.decode()
    lines = text.splitlines()
    assert lines[0] == "Lancers"
    sally = lines.index("Sally Starfield (leader), 58 points")
    assert "Def 8, Life 2, Shield 2D" in lines[sally + 2]
    assert "Weapon: Particle Beam Pistol, range 4/8, melee, power 4" in lines[sally + 3]
    assert "Life 2, Orders 4" in text
    assert "Fearless: Never panics." in lines
    assert sally < lines.index("Smap, 31 points")


async def test_programs_and_spreadsheets_read_it(table: Table) -> None:
    crew = await lancers(table)
    whole = json.loads((await table.do("anna", PrintCrew(crew, "json"))).reply.files[0].data)
    assert [card["name"] for card in whole["cards"]] == ["Sally Starfield", "Skip Westmoreland", "Smap"]
    assert whole["cards"][0]["figures"]["Def"] == "8"
    assert whole["cards"][0]["weapons"][0]["Power"] == "4"
    rows = list(
        csv.DictReader(
            io.StringIO((await table.do("anna", PrintCrew(crew, "csv"))).reply.files[0].data.decode())
        )
    )
    assert [row["Name"] for row in rows] == ["Sally Starfield", "Skip Westmoreland", "Smap"]
    assert rows[0]["Leader"] == "yes"


def test_no_cell_begins_a_formula() -> None:
    card = Card("=1+1", 1, "@kind", (("Mv", "-1"),), marks=("+1",))
    rows = list(csv.reader(io.StringIO(as_csv(Sheet("x", (), ("Weapon", "Also"), (card,))))))
    assert not [cell for cell in rows[1] if cell.startswith(("=", "+", "-", "@"))]


def test_a_large_crew_takes_more_pages_and_each_card_stays_whole() -> None:
    card = Card(
        "Somebody " * 3, 10, "kind", (("Mv", "6"),) * 7, (("Gun", "8", "words " * 20),), boxes=(("Life", 60),)
    )
    pages = lay_out(Sheet("Many", (), ("Weapon", "Range", "Also"), (card,) * 40), "A4")
    assert len(pages) > 1
    assert sum(isinstance(mark, TextAt) and mark.words == "kind" for page in pages for mark in page) == 40
    assert any(mark.words == f"Many, page 1 of {len(pages)}" for mark in pages[0] if isinstance(mark, TextAt))


# ------------------------------------------------------------------------------------ quick charts


def test_every_word_of_a_profile_that_the_rules_know_has_its_row() -> None:
    assert {skill for skill, _ in infinity.SKILL_SENTENCES} == set(Skill)
    assert set(battle_sheet.TRAIT_WORDS) == set(TRAITS)
    assert set(WEAPON_FLAGS) <= set(battle_sheet.OTHER)
    assert {*GIFTS, *SHAPES, "melee", "blast", "cloud"} <= set(soluna.OTHER)
    assert {"henchman", "minion"} <= set(fracd_earth.OTHER_TERMS)


def test_an_infinity_chart_has_what_the_force_has_and_lower_levels() -> None:
    wraith = "Wraith: MOV 4-4, CC 13, BS 12, PH 11, WIP 13, ARM 1, BTS 0, W 1, S 2; Skills "
    told = dict(
        infinity.list_quick_rows([trooper(wraith + "CH: TO Camouflage, Martial Arts L3, Sixth Sense L1")])
    )
    assert told["CH: TO Camouflage"].startswith("Enemies get -6 to BS")
    assert told["Martial Arts L1"] == "Changes to CC Attacks: enemy's roll -3, Damage +1."
    assert told["Martial Arts L2"] == "Changes to CC Attacks: Damage +3."
    assert told["Martial Arts L3"] == "Changes to CC Attacks: CC +3, enemy's roll -3."
    assert "Martial Arts L4" not in told
    assert "Sixth Sense L1" in told
    assert "Sixth Sense L2" not in told
    assert "Doctor" not in told
    veteran = dict(infinity.list_quick_rows([trooper(wraith + "Veteran L2")]))
    assert {"Sixth Sense L2", "Valor L3", "Veteran L1"} <= set(veteran)


def test_a_warzone_chart_has_the_ground_of_its_movement_and_nobody_elses() -> None:
    bike = (
        "Rider\nCC 8 RC 9 PW 0 LD 11 AC 3 WD 1 ST 5 MV 8 SZ 2 AR 21\nbike, officer\nweapon Lance: DM 9, close"
    )
    told = dict(battle_sheet.quick_of([soldier(bike)]))
    assert (
        told["Bike movement"] == "turns up to 180 degrees per action; limiting: can't enter; "
        "impassable: can't enter; water: half MV."
    )
    assert told["Officer"] == "commands models within 8 in."
    assert "Close" in told
    assert not {"Foot movement", "Leader", "Template", "AV", "Dire"} & set(told)


def test_a_soluna_chart_has_sizes_shapes_and_smoke_of_its_own() -> None:
    text = "Ash\nSize 0, Health 2\nTraits: sightless\nWeapon: Pot, Reach 5, Power 1, burst 2, cloud 4, poor"
    told = dict(soluna.build_quick_rows([fighter(text)]))
    assert told["Size 0"] == "Attacks against this model get -3 Accuracy."
    assert {"Sightless", "Burst X", "Cloud N", "Smoke, poor", "Not melee", "Areas"} <= set(told)
    assert not {"Size 2", "Melee", "Blast", "Fan X", "Smoke, abysmal"} & set(told)


def test_a_fracd_earth_chart_has_the_effects_table_and_its_own_marks() -> None:
    knife = Effect("Knife", 2, None, "body", tech=1, reach_inches=1.0, abilities=("Touch", "row +1"))
    told = dict(fracd_earth.build_quick_reference([CrewCard("Pit", "minion", weapons=(knife,))]))
    assert told["Level 1"] == "VL 1, L 2, M 3, H 4, VH 5"
    assert told["Level 4"] == "VL 4, L 5, M 6, H 7, VH 8"
    assert {"Minion", "AoN", "Reach", "Touch", "row +N", "vs an Attribute"} <= set(told)
    assert not {"Henchman", "Surge", "vs dp, de", "column +N"} & set(told)


# ------------------------------------------------------------------------------------ how full a page is


def boxes_of(card: Card) -> list[tuple[TextAt, list[Frame]]]:
    """The names of a card's boxes, each with the boxes that stand in its line behind it, before the next."""
    marks = lay_out(Sheet("x", (), ("Weapon", "Also"), (card,)), "A4")[0]
    names = [one for one in marks if isinstance(one, TextAt) and one.words in dict(card.boxes)]
    frames = [one for one in marks if isinstance(one, Frame) and one.wide == one.high]
    found = []
    for place, name in enumerate(names):
        after = names[place + 1] if place + 1 < len(names) else None
        ends = after.x if after is not None and after.y == name.y else 999.0
        found.append((name, [one for one in frames if one.y < name.y < one.y + 4 and name.x < one.x < ends]))
    return found


@pytest.mark.parametrize("life", range(1, 15))
def test_boxes_stand_in_the_line_of_their_name(life: int) -> None:
    kinds = (("Wounds", life), ("Actions", 3), *((name, 1) for name in ("Waiting", "Aimed", "Panic", "Done")))
    found = boxes_of(Card("Somebody", 1, "kind", (), boxes=kinds))
    assert [(name.words, len(frames)) for name, frames in found] == list(kinds)
    lines = {name.y for name, _ in found}
    assert len(lines) == 1 if life < 4 else len(lines) == 2, "no line is begun without need"


def test_the_chart_is_read_down_its_columns_and_below_one_title() -> None:
    card = Card("Somebody", 1, "kind", (("Mv", "6"),))
    quick = tuple((f"Rule {number}", "words") for number in range(400))
    pages = lay_out(Sheet("x", (), ("Weapon", "Also"), (card,), quick), "Letter")
    told = [one for page in pages for one in page if isinstance(one, TextAt)]
    names = [one.words for one in told if one.words.startswith("Rule ")]
    assert names == [name for name, _ in quick]
    assert [one.words for one in told].count("From the rules") == 1
    for page in pages:
        rows = [one for one in page if isinstance(one, TextAt) and one.words.startswith("Rule ")]
        down = [(one.x, one.y) for one in rows]
        assert down == sorted(down)


def test_a_long_name_is_told_of_its_page(table: Table) -> None:
    """Also one that takes two lines of its card, and nobody of another page."""
    long = "Wilhelmina of the Seven Harbours and of all that lies Between them"
    rows = [
        MemberRow(1, place, name, samples("soluna")[0].members[0].profile, 0, False, "")
        for place, name in enumerate((*(f"Crew Bot {n}" for n in range(20)), long, "Crew Bot"), 1)
    ]
    now = Standing(CrewRow(1, 1, 1, "soluna", "Many"), rows)
    _, *pages = make_files(make_sheet(now), "print", "A4")
    named = [one.words.partition(": ")[2].split(", ") for one in pages]
    assert [name for page in named for name in page] == [one.name for one in rows]


async def test_pages_without_pictures_are_not_promised(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printing, "MAX_PICTURES", 2)
    crew = (await table.done("anna", CreateCrew("Many"))).scope
    for pictures in ("pictures", "pictures of the first 2 pages"):
        for _ in range(2):
            await table.done("anna", RecruitMember(crew, "GDF Ranger", 5))
        printed = (await table.do("anna", PrintCrew(crew))).reply
        assert f"as a PDF and as {pictures}." in printed.text


def test_width_is_what_a_pdf_draws(table: Table) -> None:
    """Letter by letter: where a picture draws two nearer to each other, a PDF does not."""
    for words in ("AV Savvy Tool", "To Wa Ya"):
        assert width(words) == pytest.approx(sum(width(sign) for sign in words))


def test_words_of_a_weapon_say_what_each_figure_is() -> None:
    card = Card("Kraken", 1, "kind", (), (("Pulse", "", "4", "stuns"), ("Claw", "reach 1", "6", "")))
    sheet = Sheet("x", (), ("Weapon", "Range", "ROF", "Also"), (card,))
    text, whole = as_text(sheet), list(csv.DictReader(io.StringIO(as_csv(sheet))))
    assert "Weapon: Pulse, ROF 4, also stuns" in text.splitlines()
    assert whole[0]["Weapons"] == "Pulse, ROF 4, also stuns; Claw, range reach 1, ROF 6"
