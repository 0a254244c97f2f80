"""Kinds that name something on the table: whatever a game lists by name, models, sides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from bot.actions import Raw
from bot.store.rows import ModelRow, SideRow
from bot.table.asking.kinds import Asking, Offer, TableKind
from bot.table.encounter import GONE, Encounter
from bot.table.names import base_name, find

T = TypeVar("T")


def _nothing(thing: Any) -> str:
    return ""


# ------------------------------------------------------------------------------------ by name


@dataclass(frozen=True, slots=True, kw_only=True)
class Among(TableKind, Generic[T]):
    """One of the things that there are, by name.

    things: all that may be meant, likeliest first. named: the name of one. what: the word for one of them.
    note: what to know of one. loose: words that name none of them are taken as they are.
    """

    things: Callable[[Asking], Sequence[T]] = lambda asking: ()
    named: Callable[[T], str] = str
    what: str = ""
    note: Callable[[T], str] = _nothing
    loose: bool = False

    def write(self, thing: Any) -> Raw:
        """Its name; None for no thing."""
        if thing is None or isinstance(thing, str):
            return thing or None
        return self.named(thing)

    def read(self, raw: Raw, asking: Asking) -> Any:
        """The thing of that name. Raises InvalidInput that names the nearest ones."""
        things = self.things(asking)
        if self.loose:
            same = [thing for thing in things if self.named(thing).casefold() == str(raw).casefold()]
            return same[0] if same else raw
        return find(str(raw), things, self.named, self.what or asking.called)

    def offers(self, asking: Asking) -> Sequence[Offer]:
        """All of them."""
        return [
            Offer(self.named(thing), self.named(thing), self.note(thing)) for thing in self.things(asking)
        ]

    @property
    def suggests(self) -> bool:
        """Always: what there is depends on the table."""
        return True


# ------------------------------------------------------------------------------------ models


@dataclass(frozen=True, slots=True, kw_only=True)
class Models(TableKind):
    """A model by name or #number, read into what its game looks at.

    view: the model of a row. order: rows as they are offered, likeliest first; those left out are not offered
    and can be typed all the same. mine: only who plays it may name it, unless it is for odds. gone: models
    that left play are meant. default: who is meant where nobody is named, if that is clear.
    """

    view: Callable[[Encounter, ModelRow], Any] = lambda encounter, row: row
    order: Callable[[Asking], Sequence[ModelRow]] = lambda asking: asking.act.encounter.models()
    mine: bool = False
    gone: bool = False
    default: Callable[[Asking], ModelRow | None] = lambda asking: None

    def write(self, thing: Any) -> Raw:
        """#number; what was typed stays."""
        if thing is None or isinstance(thing, str):
            return thing or None
        return f"#{thing.id}"

    def read(self, raw: Raw, asking: Asking) -> Any:
        """The model. Raises InvalidInput, and NotAllowed for another's."""
        encounter = asking.act.encounter
        user = asking.act.actor.user_id if self.mine else 0
        return self._seen(encounter.find_model(str(raw), gone=self.gone, user=user), asking)

    asks_table: ClassVar[bool] = True

    def unsaid(self, default: Any, asking: Asking) -> Any:
        """Who is meant where nobody is named, or None."""
        row = self.default(asking) if asking.act.has_encounter else None
        return default if row is None else self._seen(row, asking)

    def _seen(self, row: ModelRow, asking: Asking) -> Any:
        if self.mine and not asking.act.looks:
            asking.act.require_model(row)
        return self.view(asking.act.encounter, row)

    def offers(self, asking: Asking) -> Sequence[Offer]:
        """Models, likeliest first."""
        if not asking.act.has_encounter:
            return []
        encounter = asking.act.encounter
        return [Offer(f"#{row.id}", label) for label, row in labelled(encounter, self.order(asking))]

    @property
    def suggests(self) -> bool:
        """Always."""
        return True


def labelled(encounter: Encounter, rows: Iterable[ModelRow]) -> list[tuple[str, ModelRow]]:
    """Models by name; where two sides have models of that name, with the side."""
    sides: dict[str, set[int]] = {}
    for row in encounter.models():
        sides.setdefault(base_name(row.name), set()).add(row.side)
    shared = {name for name, of in sides.items() if len(of) > 1}
    return [
        (f"{row.name}, {encounter.side(row.side).name}" if base_name(row.name) in shared else row.name, row)
        for row in rows
    ]


def gone_models(asking: Asking) -> Sequence[ModelRow]:
    """Models that left play."""
    return [row for row in asking.act.encounter.models(gone=True) if row.status == GONE]


def own_first(asking: Asking) -> Sequence[ModelRow]:
    """Models in play, those of the person who asks first."""
    mine = asking.act.actor.user_id
    return sorted(asking.act.encounter.models(), key=lambda row: row.owner_id != mine)


# ------------------------------------------------------------------------------------ sides


def sides(asking: Asking) -> Sequence[SideRow]:
    """The sides of the encounter."""
    return asking.act.encounter.sides() if asking.act.has_encounter else ()
