"""What Upkeep looks at, from the encounter's rows; and a copy of them on which to see what would follow."""

from __future__ import annotations

from bot.games.counterblast.core.common import MORE_TOKENS, losses_this_turn, read_bag
from bot.games.counterblast.core.fighters import fighters, traits_of
from bot.store.book import Book
from bot.table.act import Act, no_dice
from bot.table.encounter import Encounter
from rules.systems.counterblast.building.crew import LEADER, UNLED
from rules.systems.counterblast.core.fighter import Until
from rules.systems.counterblast.upkeep.upkeep import Crew, Scene


def scene_of(
    encounter: Encounter, commanded: frozenset[int] = frozenset(), ordered: frozenset[int] = frozenset()
) -> Scene:
    """The models, losses, bag and timers as they stand. commanded: who is in Command Range; ordered: for
    whose test an order token is spent.
    """
    return Scene(
        encounter.row.turn,
        tuple(
            Crew(
                side.id,
                traits_of(side),
                side.counters.get(MORE_TOKENS, 0),
                bool(side.counters.get(UNLED)) and not side.counters.get(LEADER),
            )
            for side in encounter.sides()
        ),
        fighters(encounter),
        read_bag(encounter),
        losses_this_turn(encounter),
        commanded,
        expiring=tuple(
            (model.id, row.kind)
            for model in encounter.models()
            for row in encounter.conditions(model.id)
            if row.until == Until.UPKEEP
        ),
        ordered=ordered,
    )


def copy_of(act: Act) -> Act:
    """The act on a copy of the rows: what is done there is seen, and nothing of it is kept."""
    return Act(Book(act.book.scope, act.book.snapshot()), act.actor, act.action, no_dice)
