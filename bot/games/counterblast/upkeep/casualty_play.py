"""Casualties at the table: who is down, who is lost and how badly."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.counterblast.core.fighters import fighter
from bot.games.counterblast.core.words import summary
from bot.replies.reply import Reply, say
from bot.table.act import Act
from bot.table.encounter import GONE, NO_SIDE
from bot.table.handlers import handles
from bot.table.owners import ANYONE
from rules.systems.counterblast.core.conditions import category


@dataclass(frozen=True, slots=True)
class Casualties(Action):
    """Show who is down or lost, to you alone.

    With the category that counts after the game.
    """

    command = "cb.casualties"
    typed = "cb casualty"
    titled = "Casualties"
    decision_of = ANYONE


@handles(Casualties)
def casualties(act: Act, action: Casualties) -> Reply:
    """Side by side, to the person who asks."""
    encounter = act.encounter
    if not encounter.sides():
        return say(NO_SIDE, private=True)
    lines = []
    for side in encounter.sides():
        found = []
        for model in encounter.models(side.id, gone=True):
            shown = fighter(encounter, model)
            if model.status == GONE:
                found.append(f"{model.name}: {category(shown, model.left_how) or model.left_how}")
            elif shown.is_down:
                found.append(f"{summary(shown)}, {model.damage}/{shown.profile.life} wounds")
        lines += [f"**{side.name}**", *(found or ["nobody"])]
    return Reply(tuple(lines), private=True)
