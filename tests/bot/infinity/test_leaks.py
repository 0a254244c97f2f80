"""Nothing of a hidden trooper, a Marker's figure, a choice or a Lieutenant shows where it must not."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.actions import Action
from bot.games.infinity import concealment
from bot.games.infinity.attack_actions import Shoot
from bot.games.infinity.hiding_actions import Appoint, Hide, Mine, Reveal
from bot.games.infinity.movement_actions import FallDown, SpendOrder
from bot.games.infinity.profile_actions import AddModel
from bot.games.infinity.reaction_actions import Aro
from bot.games.infinity.reaction_menu import Resolve
from bot.games.infinity.recovery_actions import Heal
from bot.games.infinity.search_actions import Discover, Sensor
from bot.games.infinity.suggestions import _own_figures
from bot.store.rows import SecretRow
from bot.table.encounter import Encounter
from bot.table.game import game_of
from bot.table.journal.history import Redo, Undo
from bot.table.journal.log import Export, ShowLog, WhyEntry, WhyModel
from bot.table.rolling.dice_settings import DiceMode
from bot.table.rosters.crews import AppointLeader, CreateCrew, RecruitMember, ShowCrew
from bot.table.session.encounters import (
    EndEncounter,
    JoinEncounter,
    NextStep,
    ShowEncounter,
    StartDemo,
    StartEncounter,
)
from bot.table.session.models import (
    AddCondition,
    DamageModel,
    ListConditions,
    NoteModel,
    RenameModel,
    ShowModel,
)
from tests.bot.infinity.field import ANNA, BO, Field
from tests.bot.tables import Table, all_lines, opened, waits
from tests.bot.typist import Typist

PROBES: tuple[Action, ...] = (
    ShowEncounter(),
    ShowLog(),
    ListConditions(),
    Export(),
    Mine(),
    Mine("Wraith"),
    ShowModel("Wraith"),
    ShowModel("#6"),
    ShowModel("#-1"),
    ShowModel("~1"),
    ShowModel("xyz"),
    Reveal("Wraith"),
    Reveal("~1"),
    Hide("Wraith", "to"),
    Appoint("Wraith"),
    SpendOrder("Wraith"),
    Shoot("Wraith", "Tracker", 20),
    Shoot("Tracker", "Wraith", 20),
    Shoot("Tracker", "Wraith", 20, odds=True),
    Aro("Wraith", "shoot", 20),
    Discover("Tracker", "Wraith"),
    Heal("Wraith", "Tracker"),
    FallDown("Wraith", 10, odds=True),
    DamageModel("Wraith"),
    NoteModel("Wraith", "here"),
    RenameModel("Tracker", "Wraith 2"),
    Undo(),
    RenameModel("Tracker", "Sen"),
    AddCondition("Wraith", "prone"),
    WhyModel("Wraith"),
    WhyModel("Captain Reyes"),
    *(WhyEntry(number) for number in range(1, 12)),
    NextStep(),
    ShowEncounter(),
    SpendOrder("Sen"),
    Sensor("Sen"),
    ShowLog(),
)


def _without_wraith(encounter: Encounter) -> None:
    _as_it_is(encounter)
    for row in encounter.book.all(SecretRow):
        if row.kind == concealment.HIDDEN:
            encounter.book.remove(row)


def _as_it_is(encounter: Encounter) -> None:
    encounter.row.counters["arranged"] = 1


async def _told(file: Path, there: bool) -> list[list[str]]:
    """All that Bo and a stranger can get out of the bot, and what everybody reads."""
    async with opened(file) as table:
        field = await Field.open(table, first=False)
        await field.arrange(_as_it_is if there else _without_wraith)
        told = [field.heard]
        for who in (BO, "cleo"):
            for probe in PROBES:
                answer = await table.do(who, probe)
                if waits(answer):
                    from bot.table.realdice import EnterFaces

                    answer = await table.do(who, EnterFaces((5,)))
                told.append([type(probe).__name__, *all_lines(answer.reply), *_pressable(answer.reply)])
                encounter = await table.encounter()
                panel = game_of(encounter).panel(encounter)
                told.append([*panel.lines, *_pressable(panel)])
        return told


def _pressable(reply: object) -> list[str]:
    buttons = [button.label for button in reply.buttons]  # type: ignore[attr-defined]
    return buttons + [choice.label for menu in reply.menus for choice in menu.choices]  # type: ignore[attr-defined]


@pytest.mark.rule("INF-SS-02")
async def test_the_enemy_reads_the_same_whether_a_hidden_trooper_is_there_or_not(
    file: Path, migrated: Path, tmp_path: Path
) -> None:
    import shutil

    other = Path(shutil.copy(migrated, tmp_path / "other.db"))
    with_it, without = await _told(file, True), await _told(other, False)
    for one, two in zip(with_it, without, strict=True):
        assert one == two
    said = " ".join(line for lines in with_it for line in lines)
    assert "Hidden" not in said
    assert "Prowler" in said  # Bo reads of his own Marker


async def test_a_marker_is_a_marker_to_the_enemy(field: Field) -> None:
    told: list[str] = list(field.heard)
    encounter = await field.table.encounter()
    marker = encounter.find_model("Camo Marker 1")
    assert (marker.profile, marker.damage) == ("", 0)
    for probe in (
        ShowEncounter(),
        ShowModel("Camo Marker 1"),
        ShowModel("Prowler"),
        WhyModel("Camo Marker 1"),
        ListConditions(),
        ShowLog(),
        Mine(),
        Shoot("Angus", "Camo Marker 1", 10, odds=True),
        Shoot("Angus", "Camo Marker 1", 10),
        Shoot("Camo Marker 1", "Angus", 10, odds=True),
        Discover("Angus", "Camo Marker 1", odds=True),
        Discover("Angus", "Prowler", odds=True),
        FallDown("Camo Marker 1", 9, odds=True),
        Heal("Camo Marker 1", "Doc Ruiz"),
        DamageModel("Camo Marker 1"),
        Reveal("Camo Marker 1"),
        *(WhyEntry(number) for number in range(1, 12)),
    ):
        answer = await field.table.do(ANNA, probe)
        assert not answer.changed or not answer.reply.private
        told += all_lines(answer.reply)
    assert not [line for line in told if "Prowler" in line.replace("There is no model called Prowler.", "")]
    thrown = "Nightfall's Initiative Roll against WIP 13."  # of its Lieutenant, told to whoever throws
    told = [line.replace(thrown, "") for line in told]
    assert not [line for line in told if "Shotgun" in line or "WIP 13" in line or "Surprise" in line]


async def test_no_organiser_overrides_a_secret(field: Field) -> None:
    for probe in (
        Shoot("Camo Marker 1", "Angus", 10, odds=True),
        Shoot("Camo Marker 1", "Angus", 10),
        SpendOrder("Camo Marker 1"),
        Reveal("Camo Marker 1"),
        Mine("Camo Marker 1"),
        Hide("Camo Marker 1", "figure"),
        FallDown("Camo Marker 1", 10, odds=True),
        Discover("Angus", "Camo Marker 1", odds=True),
        Shoot("Angus", "Camo Marker 1", 10),
        Heal("Camo Marker 1", "Doc Ruiz"),
        Aro("Camo Marker 1", "dodge"),
        DamageModel("Camo Marker 1"),
    ):
        answer = await field.table.do(ANNA, probe, reason="let me see")
        assert "Prowler" not in " ".join(all_lines(answer.reply)), probe
        assert "Shotgun" not in " ".join(all_lines(answer.reply)), probe


async def test_suggestions_show_only_what_is_ones_own(field: Field) -> None:
    encounter = await field.table.encounter()
    anna, bo = field.table.ids[ANNA], field.table.ids[BO]
    assert "Wraith (hidden)" in _own_figures(encounter, anna)
    assert "Prowler (Camo Marker 1)" in _own_figures(encounter, bo)
    assert not [name for name in _own_figures(encounter, bo) if "Wraith" in name]
    assert not [name for name in _own_figures(encounter, anna) if "Prowler" in name]
    assert _own_figures(encounter, 424242) == {}
    typist = Typist(field.table)
    assert await typist.suggest(ANNA, "inf shoot", "weapon", "", model="Camo Marker 1") == []
    assert await typist.suggest(BO, "inf shoot", "weapon", "", model="Wraith") == []
    assert await typist.suggest(ANNA, "inf shoot", "weapon", "", model="Wraith")
    assert await typist.suggest(ANNA, "inf shoot", "target", "", model="Wraith")


async def test_the_lieutenant_stays_unknown(field: Field) -> None:
    told = list(field.heard)
    for probe in (ShowEncounter(), ShowModel("Captain Reyes"), WhyModel("Captain Reyes"), Mine(), ShowLog()):
        told += all_lines((await field.table.do(BO, probe)).reply)
    assert not [line for line in told if "Lieutenant" in line and "Voss" not in line and "WIP" not in line]


async def test_whose_dice_the_initiative_roll_takes_does_not_name_the_lieutenants(table: Table) -> None:
    field = Field(table)
    await field.ask(ANNA, StartDemo("infinity"))
    await field.ask(BO, JoinEncounter("Nightfall"))
    await table.done(ANNA, DiceMode("real"))
    asked = await table.done(ANNA, NextStep())
    assert "Vanguard" in asked.reply.text
    assert not [name for name in ("Reyes", "Voss") if name in asked.reply.text]


async def test_a_hidden_aro_changes_nothing_that_anybody_sees_before_the_dice(field: Field) -> None:
    await field.ask(ANNA, NextStep())
    await field.ask(BO, SpendOrder("Tracker"))
    before = await _views(field)
    await field.ask(ANNA, Aro("Wraith", "shoot", 40))
    assert field.answer.reply.private
    assert await _views(field) == before
    lines = await field.ask(ANNA, Resolve())
    assert "Wraith comes out of Hidden Deployment." in lines
    lines = await field.ask(BO, Resolve(), 9, 20, 20)
    assert lines[0].startswith("Wraith hits Tracker")


async def test_undo_and_redo_do_not_tell_of_a_hidden_aro(file: Path, migrated: Path, tmp_path: Path) -> None:
    import shutil

    other = Path(shutil.copy(migrated, tmp_path / "other.db"))
    reacted, silent = await _undone(file, True), await _undone(other, False)
    assert reacted == silent
    assert reacted[0][0] == "Undone: ~~Tracker moves up to 4 in.~~"


async def _undone(file: Path, reacts: bool) -> list[list[str]]:
    """What Bo reads of undo and redo after an Order that a hidden trooper reacts to, or does not."""
    told = []
    async with opened(file) as table:
        field = await Field.open(table, first=False)
        await field.ask(BO, SpendOrder("Tracker"))
        if reacts:
            await field.ask(ANNA, Aro("Wraith", "shoot", 40))
        for probe in (Undo(), Redo(), Redo(), Undo(2), Redo(2), Redo()):
            field.answer = await table.do(BO, probe)
            told.append([*all_lines(field.answer.reply), *_pressable(field.answer.reply)])
            if "Undo" in field.labels:
                again = await table.press(BO, field.answer, "Undo")
                told.append(all_lines(again.reply))
                await table.do(BO, Redo())
    return told


async def _views(field: Field) -> list[list[str]]:
    probes = (ShowEncounter(), ShowLog(), ListConditions(), Export())
    told = [all_lines((await field.table.do(BO, probe)).reply) for probe in probes]
    encounter = await field.table.encounter()
    panel = game_of(encounter).panel(encounter)
    return [*told, [*panel.lines, *_pressable(panel)]]


async def test_deployment_in_secret_is_logged_without_a_word_of_it(table: Table) -> None:
    field = await _mustered(table)
    await field.ask(ANNA, Hide("Ghost", "to"))
    assert field.answer.reply.private
    await field.ask(ANNA, Hide("Ghost", "hidden"))
    await field.ask(ANNA, Appoint("Rook"))
    told = []
    for probe in (ShowLog(), ShowEncounter(), Undo(), Redo(), *(WhyEntry(number) for number in range(1, 9))):
        told += all_lines((await table.do(BO, probe)).reply)
    assert not [line for line in told if "Ghost" in line or "hidden" in line.casefold()]


@pytest.mark.rule("INF-SS-02")
async def test_a_hidden_trooper_is_added_and_deployed_in_secret(table: Table) -> None:
    field = Field(table)
    await field.ask(ANNA, StartDemo("infinity"))
    await field.ask(BO, JoinEncounter("Nightfall"))

    async def views() -> list[list[str]]:
        probes = (ShowEncounter(), ListConditions(), ShowModel("Ghost"))
        told = [all_lines((await table.do(BO, probe)).reply) for probe in probes]
        encounter = await table.encounter()
        panel = game_of(encounter).panel(encounter)
        return [*told, [*panel.lines, *_pressable(panel)]]

    before = await views()
    lines = await field.ask(ANNA, AddModel("Wraith", "Ghost", hidden=True))
    assert lines[0] == "Added in secret (Hidden Deployment): Ghost."
    assert field.answer.reply.private
    assert await views() == before
    told = []
    for probe in (ShowLog(), Export(), Mine("Ghost"), *(WhyEntry(number) for number in range(1, 9))):
        answer = await table.do(BO, probe)
        told += [*all_lines(answer.reply), *(str(one) for one in answer.reply.files)]
    assert not [line for line in told if "Ghost" in line.replace("There is no model called Ghost.", "")]
    assert "Ghost is in Hidden Deployment" in await field.ask(ANNA, Mine())
    # who camouflages arrives as a Marker; who cannot hide is not added in secret
    heard = len(field.heard)
    await field.ask(BO, AddModel("Prowler", "Stalker", hidden=True))
    assert "Camo Marker 2 is Stalker" in await field.ask(BO, Mine())
    assert not [line for line in field.heard[heard:] if "Stalker" in line]
    assert "no skill" in await field.refused(ANNA, AddModel("Angus", hidden=True))


async def test_nobody_is_added_in_secret_once_the_game_is_under_way(field: Field) -> None:
    said = await field.refused(ANNA, AddModel("Wraith", "Ghost", hidden=True))
    assert "before the game" in said


async def test_a_crew_arrives_as_hidden_as_it_can_and_is_its_owners_alone(table: Table) -> None:
    field = await _mustered(table)
    assert "Watch: 1 model." in field.heard
    assert not [line for line in field.heard if "Ghost" in line]
    crew = (await table.desk.store.crews(900))[0][0]
    assert "Only the owner of Watch can see its list." in await field.refused(BO, ShowCrew(crew))


async def _mustered(table: Table) -> Field:
    field = Field(table)
    made = await table.done(ANNA, CreateCrew("Watch", "infinity"))
    for name, called in (("Angus", "Rook"), ("Wraith", "Ghost")):
        answer = await table.done(ANNA, RecruitMember(made.scope, name, 1, called))
        assert answer.reply.private
    await table.do(ANNA, AppointLeader(made.scope, "Ghost"))
    await field.ask(ANNA, StartEncounter("infinity", crew=made.scope))
    await field.ask(BO, JoinEncounter(watch=True))
    return field


async def test_at_the_end_everybody_may_know(field: Field) -> None:
    lines = await field.ask(ANNA, EndEncounter())
    assert "Never discovered: Wraith" in lines
    assert "Never discovered: Prowler" in lines
