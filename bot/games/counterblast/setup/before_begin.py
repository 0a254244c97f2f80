"""What may be asked before the first turn, and what waits until the game has begun: decided here for all.

Whoever sets the table up, builds, notes by hand or only looks need not wait; whatever a model does in its
activation, and whatever follows from that, does. Odds may be asked at any time.
"""

from __future__ import annotations

from bot.actions import Action
from bot.table.act import Act
from bot.table.session.begun import wait_for_begin

ANYTIME = frozenset(
    {
        # looked at
        "bag.peek", "cb.casualties", "cb.compare", "cb.cover", "cb.crews", "cb.field", "cb.gear.show",
        "cb.score", "mission.show", "upkeep", "act", "bag.act", "bag.draw", "bag.group", "bag.lead",
        "bag.let", "bag.pass", "bag.redraw", "bag.with",
        # the table and its terrain
        "cb.area", "cb.area.drop", "cb.fire.end", "cb.fire.start", "cb.hazard", "cb.structure",
        "cb.structure.drop", "cb.table", "cb.task.drop", "cb.terrain", "cb.terrain.piece",
        # deployment, and what belongs to a crew before it plays
        "cb.deploy", "cb.deploy.order", "cb.gear", "cb.gear.pair", "cb.leader", "cb.no-leader", "cb.nominate",
        "cb.placed", "cb.psi.know", "cb.reserve", "cb.score.hunt", "cb.scout", "cb.spot.check",
        "cb.veh.board", "cb.veh.out", "cb.watch", "mission.ask", "mission.captive",
        "mission.choose", "mission.pick", "mission.places", "mission.plans", "mission.reveal", "mission.trap",
        # told or settled by hand
        "cb.check", "cb.dispute", "cb.engage", "cb.height", "cb.score.points", "cb.score.squares", "cb.waive",
        "cb.water", "mission.stop", "mission.token",
    }
)  # fmt: skip
"""Commands of Counterblast that do not wait for the first turn; the bag's say themselves that it has not
begun."""

RULE = "CB-TURN-02"


def require_begun(act: Act, action: Action) -> None:
    """Refuse, before the first turn, what a model does in its activation; an organiser may let it pass.

    Raises Barred. Rules: CB-TURN-02, CB-COND-07.
    """
    wait_for_begin(act, action, ANYTIME, RULE)
