"""Suggestions for the fields of an action, likeliest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.actions import Action, action_of, part_of
from bot.table.act import Actor
from bot.table.asking.kinds import Asking, Offer, TableKind
from bot.table.asking.reading import called, read_leniently, written
from bot.table.asking.server_kinds import Elsewhere
from bot.table.desk import Desk
from bot.table.names import rank_names
from rules.refusals import Forbidden, InvalidInput

MAX_COUNT = 25
"""Suggestions that Discord shows."""


async def suggested(
    desk: Desk, actor: Actor, kind: type[Action], name: str, typed: str, values: Mapping[str, Any]
) -> list[Offer]:
    """Return suggestions for one field; empty if the table refuses. values: the other fields by name."""
    part = part_of(kind.command, name)
    if isinstance(part.kind, Elsewhere):
        return [
            Offer(name, name)
            for name in rank_names(typed, await part.kind.names(desk.store, actor))[:MAX_COUNT]
        ]
    assert isinstance(part.kind, TableKind)
    try:
        action = await _so_far(desk, actor, kind, values)
        act = await desk.look(actor, action, briefly=True)
        if act is None:
            return []
        asking = Asking(act, called(part), read_leniently(act, action, part.name), typed)
        offers = part.kind.offers(asking)
    except (InvalidInput, Forbidden):
        return []
    return fitting(typed, offers)


def fitting(typed: str, offers: Sequence[Offer]) -> list[Offer]:
    """Return the offers that fit the typed text, best first; offers that fit equally well keep their order.

    In a list with commas, the last name is matched.
    """
    before, comma, last = typed.rpartition(",")
    head = f"{before.strip()}{comma} " if comma else ""
    begun = {
        offer.label.removeprefix(head): offer for offer in reversed(offers) if offer.label.startswith(head)
    }
    if not begun:
        head, last = "", typed
        begun = {offer.label: offer for offer in reversed(offers)}
    names = dict.fromkeys(offer.label.removeprefix(head) for offer in offers)
    return [begun[name] for name in rank_names(last, names) if name in begun][:MAX_COUNT]


async def _so_far(desk: Desk, actor: Actor, kind: type[Action], said: Mapping[str, Any]) -> Action:
    """Return the action of what was said; what cannot be understood is left out."""
    values = {}
    for name, value in said.items():
        part = part_of(kind.command, name)
        try:
            if isinstance(part.kind, Elsewhere):
                raw = await part.kind.located(desk.store, actor, value or "")
            else:
                raw = None if value is None else written(part, value)
        except InvalidInput:
            continue
        if raw is not None:
            values[part.name] = raw
    return action_of(kind.command, values)
