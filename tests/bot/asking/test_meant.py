"""What is meant where nothing is said is known beforehand, unless the table decides it."""

from __future__ import annotations

from bot.actions import ACTIONS, Part, parts
from bot.app import ALL_GAMES
from bot.table.asking.kinds import Asking, TableKind
from bot.table.asking.reading import called
from bot.table.asking.table_kinds import Models
from bot.table.session.encounters import JoinEncounter, StartDemo
from tests.bot.tables import Table


def every_part() -> list[Part]:
    return [part for command in ACTIONS for part in parts(command)]


async def test_it_is_what_the_kind_says_at_a_table(table: Table) -> None:
    assert ALL_GAMES
    started = await table.done("anna", StartDemo())
    act = await table.desk.look(table.actor("anna"), JoinEncounter())
    assert started.changed
    assert act is not None
    known = 0
    for part in every_part():
        if isinstance(part.kind, TableKind) and part.meant:
            assert part.kind.unsaid(part.default, Asking(act, called(part))) == part.meant[0]
            known += 1
    assert known > len(ACTIONS)


def test_models_and_what_is_needed_are_asked_of_the_table() -> None:
    for part in every_part():
        if isinstance(part.kind, TableKind) and (part.kind.needed or isinstance(part.kind, Models)):
            assert not part.meant
