"""What is set right by hand: it has an owner, everybody is told, and an undo asks whoever did it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

from bot.actions import Action, has_chances
from bot.games.counterblast.gear.items import DeclineDependable
from bot.games.counterblast.missions.scores import ScorePoints
from bot.games.counterblast.movement.climbing import SetHeight
from bot.games.counterblast.movement.falls import TakeFall
from bot.games.counterblast.turn.activations import Leash
from bot.games.infinity.debts import Prone
from bot.games.infinity.hiding_actions import Reveal
from bot.games.infinity.movement_actions import FallDown
from bot.games.soluna.close_actions import Grapple, Lunge
from bot.games.soluna.model_actions import ModeTest, SetValue
from bot.games.soluna.move_actions import Move, StandUp, Turn
from bot.games.warzone.chart_actions import Dominate, InDire, RollChart
from bot.games.warzone.close_combat_actions import SetContact
from bot.games.warzone.jump_actions import FallDown as FallOff
from bot.games.warzone.move_actions import SetPresence
from bot.store.rows import PendingRow
from bot.table.act import ANY_PLAYER, ENTERED_BY
from bot.table.encounter import Encounter
from bot.table.game import GAMES
from bot.table.handlers import HANDLERS
from bot.table.journal.history import Undo
from bot.table.odds.attacks import list_attack_kinds
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from bot.table.session.models import (
    AddCondition,
    ClearCondition,
    DamageModel,
    HealModel,
    RemoveModel,
    ReturnModel,
)
from bot.table.session.settings import Settings
from bot.table.steps import as_asked
from tests.bot.arranging import arrange
from tests.bot.tables import Table

Of = Callable[[str, str], Action]
"""Makes a correction of the captain's model, of its name and an enemy's."""


def condition(system: str) -> Of:
    known = list(GAMES[system].conditions())
    return lambda one, enemy: AddCondition(one, known[0])


def removed(one: str, enemy: str) -> Action:
    return RemoveModel(one, "removed")


def hurt(one: str, enemy: str) -> Action:
    return DamageModel(one)


class Case(NamedTuple):
    """A correction. first: what has to stand before it."""

    system: str
    of: Of
    first: Of | None = None


def cases() -> Iterator[Case]:
    for system in GAMES:
        yield Case(system, hurt)
        yield Case(system, lambda one, enemy: HealModel(one), hurt)
        yield Case(system, condition(system))
        yield Case(system, lambda one, enemy: ClearCondition(one), condition(system))
        yield Case(system, removed)
        yield Case(system, lambda one, enemy: ReturnModel(one), removed)
    yield Case("counterblast", lambda one, enemy: SetHeight(one, 4))
    yield Case("counterblast", lambda one, enemy: ScorePoints("Lancers", 2))
    yield Case("infinity", lambda one, enemy: Prone(one))
    yield Case("soluna", lambda one, enemy: SetValue(one, "mind", 1))
    yield Case("warzone", lambda one, enemy: SetContact(one, enemy))
    yield Case("warzone", lambda one, enemy: SetContact(one, enemy, apart=True), SetContact)
    yield Case("counterblast", lambda one, enemy: TakeFall(one, 6))
    yield Case("infinity", lambda one, enemy: FallDown(one, 6))
    yield Case("warzone", lambda one, enemy: FallOff(one, 6))
    yield Case("warzone", lambda one, enemy: RollChart("unhinged", one))
    yield Case("warzone", lambda one, enemy: InDire(one, 3))
    yield Case("warzone", lambda one, enemy: InDire(one, 0), lambda one, enemy: InDire(one, 3))


CASES = list(cases())
EACH = pytest.mark.parametrize(
    "case",
    CASES,
    ids=[f"{case.system}-{case.of('A', 'B').command}-{number}" for number, case in enumerate(CASES)],
)


async def begun(table: Table, case: Case) -> Action:
    """Ona organises and only watches; Anna plays the first side, Bo the second. Give the correction."""
    await table.done("ona", StartDemo(case.system))
    sides = (await table.encounter()).sides()
    await table.done("ona", JoinEncounter(watch=True))
    await table.done("anna", JoinEncounter(sides[0].name))
    await table.done("bo", JoinEncounter(sides[1].name))
    for who in ("anna", "bo"):
        await table.do(who, NextStep())
    encounter = await table.encounter()
    one, enemy = (encounter.models(side.id)[0].name for side in sides[:2])
    if case.first is not None:
        await table.done("anna", case.first(one, enemy))
    return case.of(one, enemy)


@EACH
async def test_what_is_set_right_by_hand_is_its_players_to_set_and_undone_with_their_word(
    table: Table, case: Case
) -> None:
    action = await begun(table, case)
    before = table.state()
    for who in ("bo", "ona", "cy"):
        assert not (await table.do(who, action)).changed
    assert table.state() == before
    told = await table.done("anna", action)
    assert told.reply.lines
    assert not told.reply.private
    after = table.state()
    assert after != before
    asked = await table.done("bo", Undo())
    assert asked.reply.lines[0] == "bo asks anna to agree to undo this:"
    assert table.state() == after
    await table.press("anna", asked, "Agree")
    assert table.state() == before
    await table.done("anna", action)
    await table.done("anna", Undo())
    assert table.state() == before


@EACH
async def test_an_organisers_correction_is_told_and_the_organiser_is_asked_before_it_is_undone(
    table: Table, case: Case
) -> None:
    action = await begun(table, case)
    before = table.state()
    told = await table.done("ona", action, reason="we forgot")
    assert "Override by ona: we forgot" in told.reply.lines
    assert not told.reply.private
    asked = await table.done("anna", Undo())
    assert asked.reply.lines[0] == "anna asks ona to agree to undo this:"
    await table.press("ona", asked, "Agree")
    assert table.state() == before


@EACH
async def test_what_one_person_enters_for_everybody_tells_whose_it_is(table: Table, case: Case) -> None:
    action = await begun(table, case)
    await table.done("ona", Settings(ENTERED_BY, ANY_PLAYER))
    told = await table.done("bo", action)
    assert "bo entered this for anna." in told.reply.lines
    assert not told.reply.private
    assert (await table.done("anna", Undo())).reply.lines[0] == "anna asks bo to agree to undo this:"


MEANWHILE: list[Action] = [
    *(case.of("", "") for case in CASES if not isinstance(case.of("", ""), ScorePoints)),
    *(Move(), Turn(), StandUp(), Lunge(), Grapple(), ModeTest()),
    *(Leash(), DeclineDependable(), Reveal(), SetPresence(), Dominate()),
]


@pytest.mark.parametrize("action", MEANWHILE, ids=[f"{one.command}-{n}" for n, one in enumerate(MEANWHILE)])
async def test_what_changes_a_roll_waits_for_the_dice_of_others(table: Table, action: Action) -> None:
    system = HANDLERS[action.command].system or "soluna"
    await table.done("anna", StartDemo(system))
    await table.done("bo", JoinEncounter((await table.encounter()).sides()[1].name))
    await table.do("anna", NextStep())
    roll = f"{list_attack_kinds(system)[0].command} {{}}"

    def wait(encounter: Encounter) -> None:
        seat = next(one for one in encounter.seats() if one.name == "bo")
        encounter.book.add(PendingRow(encounter.book.scope, 999, seat.user_id, roll))

    await arrange(table, "bo", wait)
    assert await table.refused("anna", action) == "Wait until the dice of the current roll have been entered."
    if has_chances(action.command):
        assert "Wait until" not in (await table.do("anna", as_asked(action))).reply.text
