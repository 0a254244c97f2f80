"""What the bot prints or suggests, it takes: suggestions, labels and names go back to where they belong."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from shutil import copy

import pytest

from bot.app import ALL_GAMES
from bot.games.counterblast.building.hero_building import EditMember, NameThing, StartHero
from bot.games.counterblast.building.hero_drafts import DiscardHero
from bot.games.counterblast.ground.flames import StartFire
from bot.games.counterblast.ground.places import AddArea
from bot.games.counterblast.ground.walls import AddStructure
from bot.games.counterblast.missions.mission_choices import ChooseSecretly
from bot.games.counterblast.missions.objectives import LayPlaces
from bot.games.counterblast.missions.traps import TrapPlace
from bot.replies.fit import FENCE
from bot.replies.reply import COLUMNS, Column, Reply
from bot.table.campaign.campaigns import CreateCampaign, JoinCampaign, Schedule
from bot.table.game import GAMES
from bot.table.names import Unknown
from bot.table.rosters.crews import AppointLeader, CreateCrew, RecruitMember
from bot.table.rosters.muster import SetTrait
from bot.table.session.arrivals import AddModel, EquipModel
from bot.table.session.encounters import NextStep, StartDemo
from bot.table.session.models import AddCondition, ClearCondition, DamageModel, RemoveModel
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import AFFILIATIONS
from tests.bot.asker import Asker
from tests.bot.columns import too_wide
from tests.bot.feeding import Heard, feed_back, press_all
from tests.bot.tables import Table, opened
from tests.bot.typist import Typist

ELSEWHERE = {
    ("mission control", "near"): "an Invasion is counted as an Upkeep ends",
    ("mission plans", "detail"): "plans come with the captive of an Abduction",
    ("mission captive", "side"): "captives come from an earlier game of a campaign",
    ("inf aro", "model"): "reactions answer an Order under way",
    ("inf aro", "weapon"): "reactions answer an Order under way",
}
"""Options that no situation here leads to, and why."""

Arranged = Callable[[Table, str], Awaitable[None]]


async def demo(table: Table, system: str) -> None:
    await table.done("anna", StartDemo(system))


async def begun(table: Table, system: str) -> None:
    await demo(table, system)
    await table.done("anna", NextStep())


async def at_work(table: Table, system: str) -> None:
    """Both have missions with places, one of them trapped; walls, fires and items wait to be used."""
    await demo(table, system)
    await table.done("anna", ChooseSecretly("Invasion", "Lancers"))
    await table.done("anna", LayPlaces("24 36 0", "Lancers"))
    await table.done("anna", ChooseSecretly("Recovery", "Edo", seeks="Grenade"))
    await table.done("anna", LayPlaces("6 20 12; 12 20 12; 18 20 12", "Edo"))
    await table.done("anna", TrapPlace("Edo A", "Lancers"))
    for action in (
        AddStructure("Gate", "Security Door"),
        AddArea("Pit", "acid"),
        StartFire("Brush", inches=3),
        EquipModel("Smap", "Bomb Kit Detonium"),
        AddModel("Lancers", "Rocket Bike"),
        AddModel("Lancers", "Psider"),
        AddCondition("Sally", "prone"),
        DamageModel("Skip"),
        NextStep(),
    ):
        await table.done("anna", action)


async def wrecked(table: Table, system: str) -> None:
    await begun(table, system)
    await table.done("anna", RemoveModel("Crawler", "wrecked"))


async def kept(table: Table, system: str) -> dict[str, int]:
    """Anna and Bo keep a crew each, which play in no campaign."""
    names = {one.key: one.name for one in GAMES[system].recruits()}
    found = {}
    for who, sample in zip(("anna", "bo"), GAMES[system].sample_crews(), strict=True):
        found[who] = (await table.done(who, CreateCrew(f"Crew of {who}", system))).scope
        for key in sample.recruits:
            await table.done(who, RecruitMember(found[who], names[key]))
        await table.do(who, AppointLeader(found[who], names[sample.recruits[0]]))
    return found


async def campaign(table: Table, system: str) -> None:
    """Anna's crew and Bo's are to meet; Anna organises."""
    crews = await kept(table, system)
    scope = (await table.done("anna", CreateCampaign("Rust Belt", system, start=9000))).scope
    for who, crew in crews.items():
        await table.done(who, JoinCampaign(scope, crew))
    await table.done("anna", Schedule(scope))


async def drafted(table: Table, system: str) -> None:
    mine = (await kept(table, system))["anna"]
    await table.done("anna", StartHero(mine, "Edofleini", "Zed"))
    for thing in ("Sure Footed 2", "Mv", "agility dice", "Knack melee", "Blast", "Arc Pistol"):
        await table.done("anna", NameThing(mine, thing))


def test_a_wide_column_is_seen() -> None:
    fits, wide = "x " * (COLUMNS // 2), "x " * (COLUMNS // 2) + "x"
    for lines in ((Column(fits), Column(wide)), (FENCE, fits, wide, FENCE)):
        assert too_wide(Reply(("Said.", wide, *lines, wide)), "soluna") == [wide]
    copied = ("0123456789abcdef" * 4, '{"key": "0123456789 0123456789 012345"}')
    assert not too_wide(Reply((FENCE, *copied, FENCE)), "soluna")


@pytest.mark.usefixtures("few_weighed", "odds_solved_once", "pictures_without_files")
@pytest.mark.parametrize("system", [one.key for one in ALL_GAMES])
async def test_whatever_is_suggested_is_taken(
    system: str, tmp_path: Path, migrated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard, wrong, wide = Heard(), list[str](), set[str]()
    more: dict[str, list[Arranged]] = {"counterblast": [at_work, drafted], "warzone": [wrecked]}
    situations: list[Arranged] = [demo, begun, kept, campaign, *more.get(system, [])]
    for number, arranged in enumerate(situations):
        async with opened(copy(migrated, tmp_path / f"{number}.db")) as table:
            await arranged(table, system)
            between = arranged in (kept, campaign, drafted)
            models = set() if between else {model.name for model in (await table.encounter()).models()}
            async with Asker.at(table, "anna", monkeypatch) as asker:
                await feed_back(asker, system, heard, models, between=between)
                wrong += await press_all(asker, heard)
                wide.update(line for one in heard.shown.values() for line in too_wide(one, system))
                heard.shown.clear()
    assert sum(map(bool, heard.taken.values())) > 20, "suggestions were heard"
    assert heard.unknown == []
    assert "\n".join(wrong) == ""
    assert "\n".join(sorted(wide)) == ""
    never = {place: list(values.items())[:2] for place, values in heard.never().items()}
    left = [
        f"/{path} {option}: {some}"
        for (path, option), some in never.items()
        if (path, option) not in ELSEWHERE
    ]
    assert "\n".join(left) == ""


async def test_every_name_on_the_sheet_of_a_hero_is_understood(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    crew = (await table.done("anna", CreateCrew("Heroes"))).scope
    heroes = [one for one in load().profiles if one.is_hero]
    for hero in heroes:
        await table.done("anna", RecruitMember(crew, hero.name))
    named = 0
    for hero in heroes:
        lines = (await table.done("anna", EditMember(crew, hero.name))).reply.lines
        sheet = [line for line in lines if line.startswith(("Features", "Weapons", "Gear", "Powers"))]
        names = [name for line in sheet for name in line.partition(": ")[2].split(", ") if name != "none"]
        async with Asker.at(table, "anna", monkeypatch) as asker:
            for name in names:
                for back in (True, False):
                    outcome = await asker.does(NameThing(crew, name, back))
                    assert not isinstance(outcome.refusal, Unknown), f"{hero.name}: {name}"
                    named += 1
        await table.done("anna", DiscardHero(crew))
    assert named > 100


@pytest.mark.parametrize("key", AFFILIATIONS)
async def test_a_faction_is_taken_by_its_name_and_by_the_short_one(table: Table, key: str) -> None:
    crew = (await table.done("anna", CreateCrew("Lancers"))).scope
    name = load().affiliations[key].name
    for typed in (key, name, name.lower()):
        told = (await table.done("anna", SetTrait(crew, "affiliation", typed))).reply.lines[0]
        assert told == f"Lancers, affiliation: {name}."
        await table.done("anna", SetTrait(crew, "affiliation", "none"))


async def test_a_condition_is_taken_in_words(table: Table) -> None:
    await table.done("anna", StartDemo("warzone"))
    for typed in ("crippling fear", "crippling_fear"):
        told = (await table.done("anna", AddCondition("Rook", typed))).reply.lines[0]
        assert told == "Sgt Rook now has the condition crippling fear."
        told = (await table.done("anna", ClearCondition("Rook", "crippling fear"))).reply.lines[0]
        assert told == "Sgt Rook no longer has the condition crippling fear."


@pytest.mark.parametrize(
    ("system", "command", "said", "suggested"),
    [
        ("counterblast", "cb template", {"model": "Skip"}, ["Grenade"]),
        ("counterblast", "cb shoot", {"model": "Skip"}, ["Pulsar Rifle"]),
        ("counterblast", "cb charge", {"model": "Spawnguard"}, ["Arc Pistol", "Arc Halberd"]),
        ("infinity", "inf cc", {"model": "Angus"}, ["Knife"]),
        ("warzone", "wz shoot", {"model": "Dietz"}, []),
        ("warzone", "wz fight", {"model": "Dietz"}, ["Knife"]),
        ("warzone", "wz template", {"model": "Dietz"}, ["Grenades"]),
        ("fracd_earth", "fe area", {"model": "Rook"}, ["Pistol"]),
    ],
)
async def test_a_weapon_is_suggested_where_it_can_be_used(
    table: Table, system: str, command: str, said: dict[str, str], suggested: list[str]
) -> None:
    await table.done("anna", StartDemo(system))
    assert await Typist(table).suggest("anna", command, "weapon", "", **said) == suggested
