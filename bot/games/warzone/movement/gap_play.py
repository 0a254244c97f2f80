"""Whether a model may pass between others."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.handlers import handles
from bot.table.owners import ANYONE
from rules.systems.warzone.movement import Between, check_gap


@dataclass(frozen=True, slots=True)
class Gap(Action):
    """May a model pass?

    between: same_squad, friends or enemies; overlap: bases at the end.
    """

    command = "wz.gap"
    typed = "wz check gap"
    titled = "Pass a gap"
    decision_of = ANYONE

    between: Between = fields.one_of(
        "Whom", ("same_squad", "friends", "enemies"), needed=True, default="friends"
    )
    inches: float = fields.inches("How wide", 0.0, 200.0, default=0.0, needed=True, checked=True)
    overlap: bool = fields.switch("Bases would overlap at the end")


@handles(Gap)
def gap(act: Act, action: Gap) -> Reply:
    """Rules: WZ-SPACE-01, WZ-SPACE-02, WZ-SPACE-04."""
    check_gap(action.between, action.inches, overlaps_at_end=action.overlap)
    words = action.between.replace("_", " ")
    return Reply((f"A gap of {action.inches:g} in between {words}: it may pass.",), private=True)
