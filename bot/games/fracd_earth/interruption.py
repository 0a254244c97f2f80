"""Figures on Wait: their players are asked whether they interrupt an opponent's action. Rules: FE-TURN-02."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from bot.actions import Action, doer, numbered
from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth.activation_play import INTERRUPTS, TRIED, Interrupt
from bot.games.fracd_earth.figures import ACTING
from bot.replies.reply import Button
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.encounter import Encounter
from bot.table.session.windows import Cause
from rules.systems.fracd_earth.profile import WAIT

DECLARED: Mapping[str, str] = MappingProxyType(
    {
        "fe.area": "attack an area",
        "fe.attack": "attack",
        "fe.detect": "search",
        "fe.hide": "hide",
        "fe.move": "move",
    }
)
"""Actions that a waiting figure may interrupt, in words."""

ENDS = frozenset({"fe.activate", "fe.done", "encounter.next"})
"""What else goes on with the game."""


def goes_on(action: Action) -> bool:
    """Return whether an action waits while somebody may interrupt."""
    return action.command in DECLARED or action.command in ENDS


def cause_of(act: Act, action: Action) -> Cause | None:
    """Return what the acting figure is about to do, with the opponents on Wait. Rules: FE-TURN-02."""
    encounter = act.encounter
    acting = encounter.count(ACTING)
    part = doer(action.command)
    figure = getattr(action, part.name) if part is not None and action.command in DECLARED else None
    if not acting or not isinstance(figure, ModelRow) or figure.id != acting:
        return None
    if exchanges.under_way(encounter) is not None:
        return None
    waiting = tuple(row.id for row in encounter.models() if _may_interrupt(encounter, row, figure))
    what = f"{figure.name} is about to {DECLARED[action.command]}"
    during = f"{encounter.row.turn}: {acting}"
    return Cause(what, figure.side, waiting, acting, trigger="interrupt", during=during) if waiting else None


def _may_interrupt(encounter: Encounter, row: ModelRow, acting: ModelRow) -> bool:
    waits = encounter.condition(row.id, WAIT) is not None
    return waits and row.side != acting.side and row.counters.get(TRIED, 0) != acting.id


def may_react(encounter: Encounter, cause: Cause) -> Sequence[int]:
    """Return the figures of a window that may still interrupt, or are acting because they did."""
    acting = next((row for row in encounter.models() if row.id == cause.model), None)
    if acting is None:
        return ()
    now = encounter.count(ACTING)
    return [
        row.id
        for row in encounter.models()
        if row.id in cause.models
        and (
            (now == row.id and row.counters.get(INTERRUPTS, 0) == acting.id)
            or (now == acting.id and _may_interrupt(encounter, row, acting))
        )
    ]


def reaction_buttons(encounter: Encounter, cause: Cause) -> Sequence[Button]:
    """Return a button for each figure that may interrupt."""
    return [
        Button(f"{encounter.model(number).name} interrupts", Interrupt(numbered(number)), anytime=True)
        for number in may_react(encounter, cause)
        if encounter.count(ACTING) == cause.model
    ]
