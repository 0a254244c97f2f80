"""Models of any figures, with weapons of their own: typed, kept, imported, played like others."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.actions import with_text
from bot.games.counterblast.melee.attacks import Fight
from bot.games.counterblast.shooting.shots import Shoot
from bot.games.counterblast.state.models import read_block
from bot.games.counterblast.templates.template_attacks import Template
from bot.store.rows import MemberRow
from bot.table.bringing.list_export import ExportCrew
from bot.table.journal.history import Undo
from bot.table.rosters.crews import CreateCrew, ListRecruits, RecruitMember
from bot.table.rosters.statblocks import (
    MAX_IMPORTED,
    DropBlock,
    ExportBlocks,
    ImportBlocks,
    ListBlocks,
    SaveBlock,
)
from bot.table.session.arrivals import AddModel
from tests.bot.counterblast.psionics.test_psi_play import throws
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, touching
from tests.bot.lists.bringing import brought, shown_of
from tests.bot.tables import Table

GRAK = """Grak
lackey beast, base M, 20 points
Mv 6, STR 3D+1, AGL 2D, INT 1D
Def 8, Life 2, Shield 1
features: Brave, Knack melee
weapons: Pulsar Rifle, Claws (natural, melee, reach 1, Pwr 5)
gear: Medkit"""

ZAPPER = (
    "Thing; robot, base S, 10 points; Mv 5; STR 2D; AGL 3D; INT 2D; Def 7; Life 1;"
    " weapons: Zapper (range 12, Pwr 6, damage 2), Fog (template R3, range 8, Pwr 4, dice 1D+1)"
)


async def members(table: Table, crew: int) -> list[MemberRow]:
    loaded = await table.desk.store.load(crew)
    assert loaded is not None
    return loaded.book().all(MemberRow)


def figures(row: MemberRow) -> dict[str, Any]:
    profile = read_block(row.profile).profile
    return {
        "name": profile.name,
        "rank": profile.rank,
        "types": profile.types,
        "mv": profile.mv,
        "dice": (str(profile.strength), str(profile.agility), str(profile.intellect)),
        "def": profile.defense,
        "life": profile.life,
        "shield": profile.shield,
        "features": [str(trait) for trait in profile.features],
        "points": row.points,
    }


# ---------------------------------------------------------------- kept for a server


@pytest.mark.rule("CB-STAT-01")
async def test_a_statblock_is_kept_for_all_channels_and_taken_by_name(table: Table) -> None:
    kept = await table.done(ANNA, SaveBlock(GRAK))
    assert kept.reply.lines[0] == "Grak has been saved (20 points)."
    table.channel = 501
    listed = await table.do(BO, ListRecruits(find="Grak"))
    assert any("Grak" in line for line in listed.reply.lines)
    crew = (await table.done(BO, CreateCrew("Wild"))).scope
    taken = await table.done(BO, RecruitMember(crew, "grak", 2))
    assert taken.reply.lines[:2] == ("Grak and Grak 2 join Wild.", "Wild: 2 members, 40 points.")
    assert [figures(row) for row in await members(table, crew)] == 2 * [
        {
            "name": "Grak",
            "rank": "lackey",
            "types": ("beast",),
            "mv": 6,
            "dice": ("3D+1", "2D+0", "1D+0"),
            "def": 8,
            "life": 2,
            "shield": 1,
            "features": ["brave", "knack:melee"],
            "points": 20,
        }
    ]
    block = read_block((await members(table, crew))[0].profile)
    assert [weapon.name for weapon in block.weapons] == ["Pulsar Rifle", "Claws"]
    assert (block.weapons[1].power, block.weapons[1].reach_inches) == (5, 1)
    assert [item.name for item in block.gear] == ["Medkit"]


async def test_the_example_that_is_shown_is_taken(table: Table) -> None:
    shown = await table.do(ANNA, SaveBlock())
    assert shown.reply.private
    example = "\n".join(shown.reply.lines[2:-1])
    button = shown.reply.buttons[0]
    assert button.form is not None
    kept = await table.done(ANNA, with_text(button.action, {"text": example}))
    assert kept.reply.lines[0] == "Grak has been saved (20 points)."


async def test_what_is_shown_of_one_can_be_typed_again(table: Table) -> None:
    await table.done(ANNA, SaveBlock(GRAK))
    lines = (await table.do(ANNA, ListBlocks("grak"))).reply.lines
    again = "\n".join(lines[lines.index("```") + 1 : -1])
    await table.done(ANNA, DropBlock("Grak"))
    await table.done(ANNA, SaveBlock(again))
    assert (await table.do(ANNA, ListBlocks("grak"))).reply.lines == lines


async def test_who_kept_it_replaces_and_drops_it_and_undo_brings_it_back(table: Table) -> None:
    await table.done(ANNA, SaveBlock(GRAK))
    assert "someone else made a model called Grak" in await table.refused(BO, SaveBlock(GRAK))
    assert "Only the person who made" in await table.refused(BO, DropBlock("Grak"))
    replaced = await table.done(ANNA, SaveBlock(GRAK.replace("Life 2", "Life 3")))
    assert replaced.reply.lines[0] == "Grak has been updated (20 points)."
    dropped = await table.done(ANNA, DropBlock("Grak"))
    assert [button.label for button in dropped.reply.buttons] == ["Undo"]
    assert (await table.do(ANNA, ListBlocks())).reply.lines[0] == "There are no custom models here yet."
    await table.press(ANNA, dropped, "Undo")
    assert (await table.do(ANNA, ListBlocks())).reply.lines[1] == " 20 Grak"
    assert "Choose another name" in await table.refused(ANNA, SaveBlock(GRAK, "Sally Starfield"))


async def test_as_a_file_to_another_server_and_back(table: Table) -> None:
    await table.done(ANNA, SaveBlock(GRAK))
    await table.done(ANNA, SaveBlock(ZAPPER))
    file = (await table.do(ANNA, ExportBlocks())).reply.files[0].data.decode()
    told = (await table.do(ANNA, ListBlocks("thing"))).reply.lines
    await table.done(ANNA, DropBlock("Thing"))
    taken = await table.done(ANNA, ImportBlocks(file))
    assert taken.reply.lines == ("Custom models added: 1. Updated: 1.",)
    assert (await table.do(ANNA, ListBlocks("thing"))).reply.lines == told
    assert (await table.do(ANNA, ExportBlocks())).reply.files[0].data.decode() == file
    await table.done(ANNA, Undo())
    assert "Thing" not in "".join((await table.do(ANNA, ListBlocks())).reply.lines)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda whole: whole["statblocks"][0].update(life=0), "Custom model 1: Life must be"),
        (
            lambda whole: whole["statblocks"][0].update(features=["brave:" + "9" * 4400]),
            "a level of at most 3 digits",
        ),
        (lambda whole: whole["statblocks"][0].update(luck=3), "Luck"),
        (lambda whole: whole["statblocks"][0].pop("types"), "Custom model 1:"),
        (lambda whole: whole["statblocks"][0]["arms"][0].update(power=99), "Custom model 1: Power must be"),
        (lambda whole: whole["statblocks"][0]["arms"][0].pop("power"), "add its Power, such as `Pwr 5`."),
        (lambda whole: whole.update(version=2), "only version 1 "),
        (lambda whole: whole.update(more=2), "exactly these keys"),
        (lambda whole: whole.update(statblocks=[]), f"1 to {MAX_IMPORTED} custom models (it has 0)"),
        (lambda whole: whole.update(game="infinity"), "You can't make custom models for"),
    ],
)
async def test_a_file_is_taken_whole_or_not_at_all(table: Table, change: Any, said: str) -> None:
    await table.done(ANNA, SaveBlock(GRAK))
    whole = json.loads((await table.do(ANNA, ExportBlocks())).reply.files[0].data)
    before = (await table.do(ANNA, ListBlocks("grak"))).reply.lines
    change(whole)
    assert said in await table.refused(ANNA, ImportBlocks(json.dumps(whole)))
    assert (await table.do(ANNA, ListBlocks("grak"))).reply.lines == before
    assert "Correct the JSON" in await table.refused(ANNA, ImportBlocks("{" * 5000))


# ---------------------------------------------------------------- what is wrong


@pytest.mark.rule("CB-STAT-01", "CB-STAT-02", "CB-WEAP-01")
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("Life 2", "Life 0", "Life must be"),
        ("Life 2", "Life 500", "Life must be"),
        ("Def 8", "Def 80", "Defense must be"),
        ("Mv 6", "Mv 600", "Mv must be"),
        ("Mv 6, ", "", "Add what is still missing: mv."),
        ("STR 3D+1", "STR 30D", "Strength is wrong"),
        ("STR 3D+1", "STR strong", "isn't a rating such as 2D+1"),
        ("beast", "dragon", "with its name, as in `Mv 6, STR 3D+1, Def 8, Life 2`"),
        ("base M", "base Q", "base sizes"),
        ("20 points", "99999 points", "99999"),
        ("features: Brave", "features: Bravest", "Bravest"),
        ("Knack melee", "Knack dancing", "Knack"),
        ("Pulsar Rifle", "Sword of Doom", "There is no"),
        ("gear: Medkit", "gear: Kitchen", "Kitchen"),
        ("gear: Medkit", "luck: 3", ". You can use"),
        ("Pwr 5", "Pwr 500", "A weapon can have `melee`, `range 12`, `Pwr 5`, `damage 2` and so on"),
        ("Pwr 5", "Pwr 99", "Power must be"),
        (", Pwr 5", "", "add its Power, such as `Pwr 5`"),
        (
            "natural, melee, reach 1",
            "reach 1",
            "add a way to use it, such as `melee`, `range 12` or `template R3`",
        ),
        ("melee, reach 1", "melee, melee", "only once"),
        ("Mv 6", "Mv 6, Mv 7", "only once"),
        ("Shield 1", "Shield 1, PSI 99D", "Psionic is wrong"),
        ("Grak", "Grak (the first)", "letters, digits"),
        ("Grak", "G" * 60, "1 to 32 characters"),
    ],
)
async def test_what_is_wrong_is_said_and_nothing_is_kept(table: Table, old: str, new: str, said: str) -> None:
    assert said in await table.refused(ANNA, SaveBlock(GRAK.replace(old, new, 1)))
    assert "no custom models" in (await table.do(ANNA, ListBlocks())).reply.lines[0]


async def test_every_fault_is_told_at_once(table: Table) -> None:
    said = await table.refused(ANNA, SaveBlock(GRAK.replace("Medkit", "Kitchen").replace("Brave", "Bold")))
    assert "Kitchen" in said
    assert "Bold" in said
    assert "Add what is still missing: type, base, mv, str, int, def, life." in await table.refused(
        ANNA, SaveBlock("agl: 3D+1", "Grak")
    )
    assert "It can have at most 4000" in await table.refused(ANNA, SaveBlock(GRAK + " " * 4000))


# ---------------------------------------------------------------- in crews


@pytest.mark.rule("CB-STAT-01", "CB-WEAP-01")
@pytest.mark.parametrize("form", ["text", "json"])
async def test_a_crew_with_them_is_written_out_and_read_again(table: Table, form: str) -> None:
    crew = (await table.done(ANNA, CreateCrew("Wild"))).scope
    for text in (GRAK, ZAPPER):
        await table.done(ANNA, RecruitMember(crew, text))
    await table.done(ANNA, RecruitMember(crew, "Sally Starfield"))
    file = (await table.do(ANNA, ExportCrew(crew, form))).reply.files[0].data.decode()
    again = await brought(table, file, "Again")
    before, after = await members(table, crew), await members(table, again)
    assert [figures(row) for row in after] == [figures(row) for row in before]
    assert [read_block(row.profile) for row in after] == [read_block(row.profile) for row in before]


async def test_figures_typed_into_a_crews_text_make_a_model_of_ones_own(table: Table) -> None:
    text = (
        "Crew: Wild\nGame: counterblast\n\nMember: Grak\n  type: beast\n  base: M\n  mv: 6\n  str: 3D+1\n"
        "  agl: 2D\n  int: 1D\n  def: 8\n  life: 2\n  weapons: Claws (natural, melee, Pwr 5)\n  cost: 20\n"
    )
    crew = await brought(table, text)
    row = (await members(table, crew))[0]
    assert (figures(row)["dice"], row.points) == (("3D+1", "2D+0", "1D+0"), 20)
    said = await shown_of(table, text.replace("agl: 2D", "agl: 40D"))
    assert "Agility is wrong" in said
    said = await shown_of(table, text.replace("  type", "  from: Thulle\n  type"))
    assert "because only a custom statblock has it." in said


# ---------------------------------------------------------------- at the table


@pytest.mark.rule("CB-WEAP-01", "CB-SHOOT-02")
async def test_one_that_is_typed_comes_into_a_game_and_shoots_with_its_own_weapon(ring: Ring) -> None:
    added = await ring.table.done(ANNA, AddModel("Lancers", ZAPPER))
    assert added.reply.lines == ("Added to Lancers: Thing.", "10 points")
    await ring.arrange(active("Thing"))
    far = await ring.refused(ANNA, Shoot("Thing", "Spawnguard", 13, 0, weapon="Zapper"))
    assert far.startswith("Zapper only reaches 12 in (you entered 13 in).")
    # AGL 3D against Defense: one hit; it does 2 damage where no shield stops it.
    before = (await ring.model("Spawnguard")).life_left
    await throws(ring, ANNA, Shoot("Thing", "Spawnguard", 6, 0, weapon="zapper"), 9, 2, 2)
    assert (await ring.model("Spawnguard")).life_left == before - 2


NAMELESS = "lackey beast, base M, 20 points; Mv 6; STR 3D+1; AGL 2D; INT 1D; Def 8; Life 2"


async def test_one_that_is_typed_without_a_name_has_the_one_beside_it(ring: Ring) -> None:
    crew = (await ring.table.done(ANNA, CreateCrew("Wild"))).scope
    assert "Name must be text" in await ring.table.refused(ANNA, RecruitMember(crew, NAMELESS))
    taken = await ring.table.done(ANNA, RecruitMember(crew, NAMELESS, called="Grak"))
    assert taken.reply.lines[0] == "Grak joins Wild."
    added = await ring.table.done(ANNA, AddModel("Lancers", NAMELESS, "Grak"))
    assert added.reply.lines[0] == "Added to Lancers: Grak."


async def test_one_that_is_kept_is_taken_by_name_and_odds_know_its_weapon(ring: Ring) -> None:
    await ring.table.done(BO, SaveBlock(GRAK))
    added = await ring.table.done(ANNA, AddModel("Lancers", "Grak"))
    assert added.reply.lines == ("Added to Lancers: Grak.", "20 points, custom model")
    await ring.arrange(active("Grak"), touching(("Grak", "Trapper")))
    odds = await ring.table.do(ANNA, Fight("Grak", "Trapper", weapon="Claws", odds=True))
    assert odds.reply.lines[1] == "STR 3D+0 vs 7, Claws"  # Chameleon -1, Knack at melee


@pytest.mark.rule("CB-TMPL-08")
async def test_its_own_template_falls(ring: Ring) -> None:
    await ring.table.done(ANNA, AddModel("Lancers", ZAPPER))
    await ring.arrange(active("Thing"))
    lines = await throws(ring, ANNA, Template("Thing", "Fog", distance=6, under="Trapper"), 9, 9, 2, 9)
    assert lines[:2] == ["Thing's Fog lands on target.", "Fog hits Trapper: 1 wound, and Trapper goes down."]


async def test_of_one_name_on_two_sides_it_is_asked_which(ring: Ring) -> None:
    await ring.table.done(ANNA, AddModel("Lancers", GRAK))
    await ring.table.done(BO, AddModel("Edo", GRAK))
    await ring.arrange(active("Sally"))
    said = await ring.refused(ANNA, Shoot("Sally", "Grak", 6, 0))
    assert "Lancers" in said
    assert "Edo" in said


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ("Mv nan", "mv must be a number (you entered 'nan')."),
        ("Def x", "must be a number (you entered"),
        ("pts nan", "must be a number (you entered"),
    ],
)
async def test_a_figure_that_is_no_number_is_named(table: Table, wrong: str, sentence: str) -> None:
    crew = (await table.done(ANNA, CreateCrew("Pack"))).scope
    text = f"Grak; lackey beast, base M; STR 3D+1, AGL 2D, INT 1D; Life 2; {wrong}"
    assert sentence in await table.refused(ANNA, RecruitMember(crew, text))
