"""Machines without uplink: which models must check before they act, and what they may do then.

Kept as a counter of the model for its activation; the check itself is in `uplink_play`.
"""

from __future__ import annotations

from bot.games.counterblast.core.fighters import fighters, read_block
from bot.table.encounter import Encounter
from rules.counters import CounterName
from rules.refusals import forbid
from rules.systems.counterblast.building.crew import needs_uplink, require_uplink_action
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Fighter

UPLINK = CounterName("uplink")
"""Counter of a model: 0 needs none, DUE before its check, LIMITED after one that was passed."""

DUE, LIMITED = 1, 2
FREE = frozenset({"rally", "order", "scan"})


def lacks_uplink(encounter: Encounter, model: Fighter) -> bool:
    """Whether the model must check: no living Hero came with its crew, and nobody able has a node.

    Rules: CB-CREW-13, CB-FEAT-60.
    """
    profiles = [read_block(row.profile).profile for row in encounter.models(model.side, gone=True)]
    heroes = [profile for profile in profiles if profile.is_hero]
    return needs_uplink(model.side, heroes, fighters(encounter))


def require_uplink(model: Fighter, key: str) -> None:
    """Refuse, with Forbidden, what a model without uplink may not do now. Rules: CB-CREW-13."""
    state = model.count(UPLINK)
    if not state or key in FREE:
        return
    if state == DUE:
        forbid(f"{model.name} has no uplink: it checks first.", "CB-CREW-13")
    require_uplink_action(key, moves_made=model.count(Counter.MOVES))
