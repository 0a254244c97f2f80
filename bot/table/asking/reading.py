"""From an action as it was asked to the same action with the things themselves, once, at the door."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, TypeVar

from bot.actions import Action, Part, in_one_order, parts
from bot.table.act import Act
from bot.table.asking.kinds import Asking, TableKind
from rules.refusals import Forbidden, InvalidInput

A = TypeVar("A", bound=Action)

BEYOND_ALL = 10.0**9
"""What everything that is measured is below: no rule that reckons with it leaves what a number can be."""


def called(part: Part) -> str:
    """How a field is called in a slash command, a form and a refusal."""
    return part.kind.called or part.name


def understood(act: Act, action: A) -> A:
    """The action with the things that its fields name, as what the act is about.

    Raises InvalidInput, Forbidden.
    """
    if _is_plain(action.command):
        act.action = act.canonical = asked = in_one_order(action)
        return asked
    act.action = act.canonical = asked = read(act, action)
    if act.looks and hasattr(asked, "odds"):
        act.canonical = replace(asked, odds=False)  # type: ignore[call-arg]
    return asked


@cache
def _is_plain(command: str) -> bool:
    return not any(isinstance(part.kind, TableKind) for part in parts(command))


def read(act: Act, action: A, *, kept: bool = False) -> A:
    """The action with the things that its fields name. Raises InvalidInput, Forbidden.

    kept: see `Asking`.
    """
    things = read_up_to(act, action, "", kept=kept)
    read_so = {name: thing for name, thing in things.items() if thing is not getattr(action, name)}
    return in_one_order(replace(action, **read_so) if read_so else action)


def read_up_to(act: Act, action: Action, before: str, *, kept: bool = False) -> dict[str, Any]:
    """The things of the fields that stand before one. Raises InvalidInput, Forbidden."""
    so_far: dict[str, Any] = {}
    for part in parts(action.command):
        if part.name == before:
            break
        so_far[part.name] = read_part(act, part, getattr(action, part.name), so_far, kept=kept)
    return so_far


def read_leniently(act: Act, action: Action, before: str) -> dict[str, Any]:
    """The things of the fields that stand before one, None for what cannot be read."""
    so_far: dict[str, Any] = {}
    for part in parts(action.command):
        if part.name == before:
            break
        try:
            so_far[part.name] = read_part(act, part, getattr(action, part.name), so_far)
        except (InvalidInput, Forbidden):
            so_far[part.name] = None
    return so_far


def read_part(act: Act, part: Part, value: Any, so_far: Mapping[str, Any], *, kept: bool = False) -> Any:
    """The thing of one field, by the things of those before it. Raises InvalidInput, Forbidden."""
    if part.meant and value is part.default:
        return part.meant[0]
    if isinstance(value, float) and not abs(value) < BEYOND_ALL:
        raise InvalidInput(f"{called(part).capitalize()} is no number that can be measured.")
    kind = part.kind
    if not isinstance(kind, TableKind):
        return value
    raw = kind.write(value)
    asking = Asking(act, called(part), so_far, kept=kept)
    if raw is None or raw == part.unsaid:
        meant = kind.unsaid(part.default, asking)
        if meant is None and kind.needed:
            about = kind.help.lower()
            more = "" if about.removeprefix("the ") in ("", called(part)) else f": {about}"
            raise InvalidInput(f"{called(part).capitalize()} is missing{more}.")
        return meant
    return kind.read(raw, asking)
