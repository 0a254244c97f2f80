"""Ways that are not tried, since some of their fields alone were refused, would have been refused."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import pytest

from bot.actions import ACTIONS, Action, parts
from bot.table.act import Act
from bot.table.asking.table_kinds import Models
from bot.table.game import game_of
from bot.table.handlers import HANDLERS
from bot.table.offers import legal_actions
from bot.table.offers.legal_actions import Barring, Legal, Looking, Trial
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from bot.table.session.possible_actions import WhatNow, list_kinds
from tests.bot.tables import Table
from tests.conformance.legal_play import Wanderer
from tests.games import SYSTEMS

STEPS = 40

SAMPLED = 7
"""Of what is kept every so many are found anew."""

pytestmark = pytest.mark.usefixtures("odds_solved_once", "pictures_without_files")


class Everything(Barring):
    """Knows nothing, so that every way is tried."""

    __slots__ = ()

    def knows(self, filled: Action) -> bool:
        return False

    def learn(self, filled: Action, depends_on: Collection[str]) -> bool:
        return True


def _reads_all(act: Act, action: Action, known: object) -> Trial:
    return Trial(act, action, None)


async def _all(table: Table) -> dict[tuple[str, int], Legal]:
    """What each model of each side may do, as its player sees it; in a book of its own."""
    encounter = await table.encounter()
    looking = Looking((await table.loaded()).book(), table.actor("anna"))
    firsts = {model.side: model for model in reversed(encounter.models())}
    acting = game_of(encounter).acting(encounter)[:1] if encounter.row.turn else ()
    found = {}
    for model in {model.id: model for model in (*firsts.values(), *acting)}.values():
        for kind in list_kinds(encounter):
            first = next(iter(parts(kind.command)), None)
            if HANDLERS[kind.command].beforehand is not None:
                continue  # it cannot be tried: who may is all that is known of it
            if first is not None and (first.wire is str or isinstance(first.kind, Models)):
                found[kind.command, model.id] = looking.legal(
                    ACTIONS[kind.command], {first.name: f"#{model.id}"}
                )
    return found


@pytest.mark.parametrize("system", SYSTEMS)
async def test_shortcuts_change_nothing(table: Table, system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    await table.done("anna", StartDemo(system))
    await table.do("anna", NextStep())
    monkeypatch.setattr(legal_actions, "MAX_TRIES", legal_actions.MAX_WAYS)
    for steps in (0, STEPS):
        await _play_on(table, system, steps)
        short = await _all(table)
        with monkeypatch.context() as patched:
            patched.setattr(legal_actions, "Barring", Everything)
            patched.setattr(legal_actions, "Trial", _reads_all)
            assert await _all(table) == short
            patched.setattr(
                legal_actions, "HANDLERS", {key: replace(one, may=None) for key, one in HANDLERS.items()}
            )
            whole = await _all(table)
        wrong = {key for key, one in short.items() if bool(one.reason) != bool(whole[key].reason)}
        assert wrong == set()
        assert any(not one.reason for one in short.values())


@pytest.mark.parametrize("system", SYSTEMS)
async def test_what_is_kept_of_what_may_be_done_is_found_anew(table: Table, system: str) -> None:
    """Everybody who asked before shares the book; what is kept in it is each one's own."""
    await table.done("anna", StartDemo(system))
    encounter = await table.encounter()
    await table.done("bo", JoinEncounter(encounter.sides()[1].name))
    await table.do("anna", NextStep())
    for who in ("bo", "anna", "cy"):
        await table.do(who, WhatNow(f"#{encounter.models()[-1].id}"))
    loaded = await table.loaded()
    kept = table.desk.store.book_of(loaded).worked_out
    ways = {name: way for name, way in kept.items() if isinstance(way, Legal)}
    assert len({actor for _, actor, *_ in ways}) == len(("bo", "anna", "cy"))
    for _, actor, kind, *said in [*ways][::SAMPLED]:
        anew = Looking(loaded.book(), actor).legal(kind, dict(said))
        assert anew == kept[Looking.legal, actor, kind, *said]


async def _play_on(table: Table, system: str, steps: int) -> None:
    wanderer = Wanderer(table, system, 5, people=("anna", "anna"), looks=False)
    for _ in range(steps):
        await wanderer.step()
