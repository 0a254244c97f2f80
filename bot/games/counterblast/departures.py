"""Models that leave play between Upkeeps: what it means for their crew when the leader goes."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.counterblast.attacks import Telling
from bot.games.counterblast.fighters import fighters
from bot.replies.reply import Button
from bot.table.act import Act
from rules.systems.counterblast.crew import Succession, after_leader_lost, may_lead
from rules.systems.counterblast.fighter import Fighter


@dataclass(frozen=True, slots=True)
class NameLeader(Action):
    """Name who leads a crew that lost its leader."""

    command = "cb.leader"

    model: int = 0


def departed(act: Act, telling: Telling, gone: Fighter) -> tuple[Button, ...]:
    """A model has left play: where it led its crew the successor is asked for, with a button for each.

    gone: the model as it was. Rules: CB-CREW-05, CB-CREW-06.
    """
    if not gone.leader:
        return ()
    left = fighters(act.encounter, gone.side)
    candidates = [model for model in left if may_lead(model, left)]
    lost = Succession(gone.side, gone.id, tuple(model.id for model in candidates))
    act.encounter.apply(after_leader_lost(lost))
    name = act.encounter.side(gone.side).name
    if lost.leaderless:
        telling.lines.append(f"{name} has no leader and no order tokens any more.")
        return ()
    telling.lines.append(f"{name} lost its leader. Who leads now?")
    return tuple(Button(model.name, NameLeader(model.id)) for model in candidates[:10])
