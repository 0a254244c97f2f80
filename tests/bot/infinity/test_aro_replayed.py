"""While an ARO is secret, neither /replay nor /since tells anybody else of it, not even by a number."""

from __future__ import annotations

import pytest

from bot.games.infinity.attack_actions import Shoot
from bot.table.referee.replay_story import WATCHER, Replay
from bot.table.session.possible_actions import Since
from tests.bot.infinity.field import ANNA, BO, Field
from tests.bot.tables import Table, all_lines


@pytest.mark.parametrize("looks", [Replay(at=-1), Replay(WATCHER, at=-1), Since()])
async def test_a_secret_reaction_changes_nothing_that_others_are_told(table: Table, looks: Replay) -> None:
    field = await Field.open(table)
    await field.ask(ANNA, Shoot("Angus", "Tracker", 12))
    before = all_lines((await table.do(ANNA, looks)).reply)
    await field.choose(BO, "Tracker", "dodge:")
    assert all_lines((await table.do(ANNA, looks)).reply) == before


async def test_who_chose_it_sees_it(table: Table) -> None:
    field = await Field.open(table)
    await field.ask(ANNA, Shoot("Angus", "Tracker", 12))
    before = (await table.do(BO, Replay(at=-1))).reply.lines
    await field.choose(BO, "Tracker", "dodge:")
    after = (await table.do(BO, Replay(at=-1))).reply.lines
    assert before != after
    assert after[1].startswith("(secret) bo: ")
