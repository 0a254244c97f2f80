"""A form handed in as it stands helps no enemy and harms no friend, in every game."""

from __future__ import annotations

import pytest

from bot.actions import ACTIONS, part_of_doer, parts
from bot.app import ALL_GAMES
from bot.table.asking.kinds import TableKind
from bot.table.encounter import Encounter
from bot.table.offers.forms import build_form
from bot.table.offers.legal_actions import Looking
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from tests.bot.arranging import arrange
from tests.bot.tables import Table

pytestmark = pytest.mark.usefixtures("odds_solved_once", "pictures_without_files")

SIDED = [
    command
    for command, kind in ACTIONS.items()
    if kind.__module__.startswith("bot.games.")
    and any(isinstance(p.kind, TableKind) and (p.kind.against or p.kind.helps) for p in parts(command))
]


def everybody_is_hurt(encounter: Encounter) -> None:
    for model in encounter.models():
        model.damage = 1


def only_enemies_are_hurt(encounter: Encounter) -> None:
    for model in encounter.models(2):
        model.damage = 1


@pytest.mark.parametrize("system", [game.key for game in ALL_GAMES])
@pytest.mark.parametrize("step", [everybody_is_hurt, only_enemies_are_hurt])
async def test_what_a_form_fills_in_is_on_the_right_side(table: Table, system: str, step: object) -> None:
    await table.done("anna", StartDemo(system))
    second = (await table.encounter()).sides()[1]
    await table.done("bo", JoinEncounter(second.name))
    for who in ("anna", "bo"):
        await table.do(who, NextStep())
    await arrange(table, "anna", step)  # type: ignore[arg-type]
    looking = Looking((await table.loaded()).book(), table.actor("anna"))
    encounter = await table.encounter()
    wrong = []
    for command in SIDED:
        kind, who = ACTIONS[command], part_of_doer(command)
        if not kind.__module__.startswith(f"bot.games.{system}.") or who is None:
            continue
        for model in encounter.models(1):
            form = build_form(looking, kind(**{who.name: f"#{model.id}"}))
            kinds = {part.name: part.kind for part in parts(command)}
            for control in form.controls:
                meant = kinds.get(control.name)
                for said in control.said if isinstance(meant, TableKind) else ():
                    named = [one for one in encounter.models() if said in (one.name, f"#{one.id}")]
                    if len(named) == 1 and isinstance(meant, TableKind):
                        bad = meant.against if named[0].side == 1 else meant.helps
                        wrong += [(command, model.name, control.name, said)] if bad else []
    assert not wrong
