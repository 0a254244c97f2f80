"""A crew that lost its leader, however that came about: the successor is asked for at once.

Owns what is asked and the action that answers it; during Upkeep the Upkeep asks itself.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.counterblast.core.fighters import fighters
from bot.table.encounter import Encounter
from bot.table.owners import side_in, side_of
from rules.effects import Assign, Effect, Propose
from rules.systems.counterblast.building.crew import LEADER, UNLED, Succession, after_leader_lost, may_lead

NOBODY = "nobody"
"""What is typed where a crew goes on without a leader."""

HEIR = "heir"
"""The proposal of a model that may lead now; that of `LEADER` says that somebody has to."""

UNLED_OFFER = "no heir"
"""The proposal to name nobody."""

ASKED = frozenset({LEADER, HEIR, UNLED_OFFER})
"""The proposals that ask for a successor."""


@dataclass(frozen=True, slots=True)
class NameLeader(Action):
    """Name who leads a crew that lost its leader."""

    command = "cb.leader"
    decision_of = side_of("model")

    model: int = 0


@dataclass(frozen=True, slots=True)
class NameNobody(Action):
    """A crew that lost its leader goes on without one."""

    command = "cb.no-leader"
    decision_of = side_in("side")

    side: int = 0


def heirs_asked(encounter: Encounter, side: int) -> tuple[tuple[Effect, ...], list[Propose]]:
    """A crew's leader is lost: what that does, and what asks who leads now.

    Without anybody who may, no order tokens are left.

    side: id of the crew.
    Rules: CB-CREW-05, CB-CREW-06.
    """
    left = fighters(encounter, side)
    heirs = [model for model in left if may_lead(model, left)]
    gap = Succession(side, tuple(model.id for model in heirs))
    unled = (*after_leader_lost(gap), Assign("side", side, UNLED, 0))
    name = encounter.side(side).name
    if gap.leaderless:
        return unled, [Propose(LEADER, 0, f"{name} has no leader and no order tokens any more.")]
    asked = Propose(LEADER, 0, f"{name} lost its leader. Who leads now?")
    offered = [Propose(HEIR, model.id, "", (("name", model.name),)) for model in heirs]
    return unled, [asked, *offered, Propose(UNLED_OFFER, 0, "", (("side", side), ("name", name)))]
