"""Kinds of fields that name something on the table: models, sides, whatever a game lists by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar, cast

from bot.actions import Raw, reference_by_number
from bot.store.rows import ModelRow, SideRow
from bot.table.asking.kinds import Asking, Names, Offer, TableKind, nothing, sayable
from bot.table.encounter import GONE, EncounterView
from bot.table.names import base_name, find
from rules.refusals import Missing

T = TypeVar("T")


def _nothing(value: Any) -> str:
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

    def write(self, value: Any) -> Raw:
        """Return its name; None for no thing."""
        if value is None or isinstance(value, str):
            return value or None
        return self.named(value)

    def read(self, raw: Raw, context: Asking) -> Any:
        """Return the thing of that name. Raises InvalidInput that names the nearest ones."""
        values = self.things(context)
        if self.loose:
            namesakes = [thing for thing in values if self.named(thing).casefold() == str(raw).casefold()]
            return namesakes[0] if namesakes else raw
        return find(str(raw), values, self.named, self.what or context.called)

    def offers(self, context: Asking) -> Sequence[Offer]:
        """Return all of them."""
        return [
            Offer(self.named(value), self.named(value), self.note(value)) for value in self.things(context)
        ]

    @property
    def suggests(self) -> bool:
        """Return True: there are always suggestions, which depend on the table."""
        return True


# ------------------------------------------------------------------------------------ by a game's own reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought(TableKind):
    """Something that the table finds by its own reading of words: a carried weapon, a cloud, a squad.

    names: what is suggested, likeliest first. find: the thing that is meant, by what was said before it, or
    InvalidInput. written: its one form, which `find` reads as the same thing. default: what is meant where
    nothing is said, and the field has no default in words that `find` reads.
    """

    names: Names = nothing
    find: Callable[[Asking, str], Any] = lambda asking, text: text
    written: Callable[[Any], str] = str
    default: Callable[[Asking], Any] | None = None

    def write(self, value: Any) -> Raw:
        """Return its one form; what was typed stays."""
        if value is None or isinstance(value, str):
            return value or None
        return self.written(value) or None

    def read(self, raw: Raw, context: Asking) -> Any:
        """Return the thing. Raises InvalidInput."""
        return self.find(context, str(raw))

    def unsaid(self, default: Any, context: Asking) -> Any:
        """Return what is meant where nothing is said, or None."""
        if default is not None:
            return self.find(context, default)
        return self.default(context) if self.default is not None else None

    def always_meant(self, default: Any) -> tuple[Any, ...]:
        """See `Kind.always_meant`: nothing, where the table does not decide it."""
        return () if self.needed or self.default is not None or default is not None else (None,)

    def offers(self, context: Asking) -> Sequence[Offer]:
        """Return what is suggested, as far as it can be said in an option."""
        return sayable(self.names(context))

    @property
    def suggests(self) -> bool:
        """Return where there is something to suggest."""
        return self.names is not nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class SeveralSought(Sought):
    """Things with commas between them, each found as one alone is: a tuple, empty where nothing is said.

    wire: one text, or a tuple with each.
    """

    joins: str = ","
    any_order: int = 1

    def typed(self, text: Any) -> Any:
        """Return each text separately, if they are written apart."""
        return split(text) if self.wire is not str and isinstance(text, str) else text

    def write(self, value: Any) -> Raw:
        """Return the one form of each."""
        if isinstance(value, str):
            return value or None
        forms = tuple(item if isinstance(item, str) else self.written(item) for item in value or ())
        return forms if self.wire is not str else ", ".join(forms) or None

    def read(self, raw: Raw, context: Asking) -> Any:
        """Return every one. Raises InvalidInput."""
        words = split(raw) if isinstance(raw, str) else cast("tuple[str, ...]", raw)
        if self.needed and not words:
            raise Missing(f'Enter at least one name for "{context.called}".')
        return tuple(self.find(context, word) for word in words)

    def unsaid(self, default: Any, context: Asking) -> Any:
        """Return no models; what is needed has to be entered."""
        return None if self.needed else ()


# ------------------------------------------------------------------------------------ models


@dataclass(frozen=True, slots=True, kw_only=True)
class Models(TableKind):
    """A model by name or #number, read into the value that its game uses.

    wire: a text; or a number, 0 for none, which only buttons fill in. view: makes that value from a row.
    names: the suggestions, likeliest first; other names can be typed too. mine: only its player may name it,
    except for odds. mine_meant: anyone may name it; among models with the same name, those that the person
    plays are meant. gone: models that left play are meant. default: the model that is meant if the field is
    blank, if that is clear.
    """

    view: Callable[[EncounterView, ModelRow], Any] = lambda encounter, row: row
    names: Names = nothing
    mine: bool = False
    mine_meant: bool = False
    gone: bool = False
    default: Callable[[Asking], ModelRow | None] = lambda asking: None

    def write(self, value: Any) -> Raw:
        """Return #number, or the number alone; what was already written is unchanged."""
        if value is None or isinstance(value, str):
            return value or None
        number = value if isinstance(value, int) else value.id
        return number if self.wire is int else reference_by_number(number)

    def read(self, raw: Raw, context: Asking) -> Any:
        """Return the model. Raises InvalidInput, and NotAllowed for another's."""
        encounter = context.act.encounter
        user = context.act.actor.user_id if self.mine or self.mine_meant else 0
        text = reference_by_number(raw) if isinstance(raw, int) else str(raw)
        return self._seen(encounter.find_model(text, gone=self.gone, user=user), context)

    asks_table: ClassVar[bool] = True

    def unsaid(self, default: Any, context: Asking) -> Any:
        """Return the model that is meant if the field is blank, or None."""
        row = self.default(context) if context.act.has_encounter else None
        return None if row is None else self._seen(row, context)

    def _seen(self, row: ModelRow, context: Asking) -> Any:
        if self.mine and not (context.act.action.looks or context.kept):
            context.act.require_model(row)
        return self.view(context.act.encounter, row)

    def offers(self, context: Asking) -> Sequence[Offer]:
        """Return models, likeliest first."""
        return sayable(self.names(context)) if context.act.has_encounter else []

    @property
    def suggests(self) -> bool:
        """Return True: there are always suggestions."""
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class SeveralModels(Models):
    """Models separated by commas, each read as a single one is: a tuple, empty if the field is blank.

    wire: one text, or a tuple with the name or number of each. once: a model that is named twice counts once;
    otherwise it is in the tuple twice.
    """

    joins: str = ","
    any_order: int = 1
    once: bool = False

    def typed(self, text: Any) -> Any:
        """Return each name, where they are written apart."""
        return split(text) if self.wire is not str and isinstance(text, str) else text

    def write(self, value: Any) -> Raw:
        """Return the #number of each, or the numbers alone."""
        if isinstance(value, str):
            return value or None
        if self.wire == tuple[int, ...]:
            return tuple(model if isinstance(model, int) else model.id for model in value or ())
        names = tuple(
            model if isinstance(model, str) else reference_by_number(model.id) for model in value or ()
        )
        return names if self.wire is not str else ", ".join(names) or None

    def read(self, raw: Raw, context: Asking) -> Any:
        """Return every model. Raises InvalidInput, and NotAllowed for another's."""
        names = split(raw) if isinstance(raw, str) else cast("tuple[str | int, ...]", raw)
        models = [super(SeveralModels, self).read(name, context) for name in names]
        return tuple({model.id: model for model in models}.values()) if self.once else tuple(models)

    def unsaid(self, default: Any, context: Asking) -> Any:
        """Return nobody."""
        return ()


def split(text: str) -> tuple[str, ...]:
    """Return the words between commas or semicolons, none of them empty."""
    return tuple(word.strip() for word in text.replace(";", ",").split(",") if word.strip())


def labelled(encounter: EncounterView, rows: Iterable[ModelRow]) -> list[tuple[str, ModelRow]]:
    """Return models by name; where two sides have models of that name, with the side."""
    sides: dict[str, set[int]] = {}
    for row in encounter.models():
        sides.setdefault(base_name(row.name), set()).add(row.side)
    shared = {name for name, owners in sides.items() if len(owners) > 1}
    return [
        (f"{row.name}, {encounter.side(row.side).name}" if base_name(row.name) in shared else row.name, row)
        for row in rows
    ]


def gone_models(context: Asking) -> Sequence[ModelRow]:
    """Return models that left play."""
    return [row for row in context.act.encounter.models(gone=True) if row.status == GONE]


def own_first(context: Asking) -> Sequence[ModelRow]:
    """Return models in play, those of the person who asks first."""
    user_id = context.act.actor.user_id
    return sorted(context.act.encounter.models(), key=lambda row: row.owner_id != user_id)


# ------------------------------------------------------------------------------------ sides


def sides(context: Asking) -> Sequence[SideRow]:
    """Return the sides of the encounter."""
    return context.act.encounter.sides() if context.act.has_encounter else ()


@dataclass(frozen=True, kw_only=True)
class Sides(Among[SideRow]):
    """A side by its name. mine: only who plays on it may name it, unless it is for odds."""

    things: Callable[[Asking], Sequence[SideRow]] = sides
    named: Callable[[SideRow], str] = lambda row: row.name
    what: str = "side"
    mine: bool = False

    def offers(self, context: Asking) -> Sequence[Offer]:
        """Return those of who asks, where others may not be named."""
        offers = super().offers(context)
        if not self.mine or context.act.action.looks or not context.act.has_encounter:
            return offers
        own_names = {row.name for row in sides(context) if context.act.plays_on(row.id)}
        return [offer for offer in offers if not own_names or offer.value in own_names]

    def read(self, raw: Raw, context: Asking) -> SideRow:
        """Return the side. Raises InvalidInput, and NotAllowed for another's."""
        row: SideRow = super().read(raw, context)
        if self.mine and not context.act.action.looks:
            context.act.require_side(row.id)
        return row
