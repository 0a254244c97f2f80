"""What a person typed, field by field, as an action that can be asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bot.actions import Action, Part, Raw, action_of, part_of, value_in
from bot.table.asking.elsewhere import Elsewhere
from bot.table.asking.kinds import TableKind
from bot.table.asking.reading import called
from rules.refusals import InvalidInput

if TYPE_CHECKING:
    from bot.store.store import Store
    from bot.table.act import Actor


async def typed_action(store: Store, actor: Actor, kind: type[Action], given: Mapping[str, Any]) -> Action:
    """The action that is asked by what was typed, by the fields' names; what is None was not.

    Raises InvalidInput.
    """
    values: dict[str, Raw] = {}
    for name, value in given.items():
        part = part_of(kind.command, name)
        if isinstance(part.kind, Elsewhere):
            raw = await part.kind.located(store, actor, value or "")
        else:
            raw = None if value is None else written(part, value)
        if raw is not None:
            values[part.name] = raw
    return action_of(kind.command, values).when_typed()


def written(part: Part, value: Any) -> Raw:
    """A typed value as the field is written. Raises InvalidInput."""
    if isinstance(part.kind, TableKind):
        value = part.kind.typed(value)
    if isinstance(value, str) and part.wire is not str:
        if isinstance(part.kind, TableKind) and part.wire == tuple[str, ...]:
            return part.kind.write(value)
        try:
            value = value_in(value, part.wire)
        except ValueError:
            raise InvalidInput(f"{called(part).capitalize()}: numbers, as in 10 2.") from None
    return part.kind.write(float(value) if part.wire is float and value is not None else value)
