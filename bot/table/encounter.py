"""An encounter as a table sees it: its sides, people, models and bags, read from and written to its book.

Knows how effects change rows; knows no rule of any game.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from typing import TypeVar

from bot.actions import number_in
from bot.store.book import Book, BookView, Snapshot
from bot.store.rows import (
    ConditionRow,
    Counters,
    EncounterRow,
    ModelRow,
    SealRow,
    SeatRow,
    SideRow,
    TokenRow,
    WatcherRow,
    WordRow,
    layout,
)
from bot.table.names import OutOfPlay, Unclear, base_name, find, find_fitting
from rules.counters import AnyCounter, CounterName
from rules.effects import Assign, Count, Effect, Gain, Harm, Leave, Lose, Mend, Owner, Propose
from rules.refusals import InvalidInput, Missing

T = TypeVar("T")

IN_PLAY, GONE = "play", "gone"

SETUP = "setup"
"""Status of an encounter that has not begun."""

ENDED = "ended"
"""Status of an encounter that is over."""

NO_SIDE = "There are no sides yet. Use /encounter join and choose a crew."

_STATUS = layout(EncounterRow.table).names.index("status")

OVER = CounterName("over")
"""Counter of an encounter: its last turn was played, and what is left is to count."""
GONE_IN_TURN = CounterName("gone in turn")
"""Counter of a model: the turn in which it left play."""


class EncounterView:
    """The rows of one encounter with the questions that are asked of them."""

    __slots__ = ("book", "row")

    def __init__(self, book: BookView) -> None:
        row = book.get(EncounterRow)
        if row is None:
            raise InvalidInput("There is no game here. Start one with /encounter start or /demo.")
        self.book = book
        self.row: EncounterRow = row

    # ------------------------------------------------------------- people and sides

    def sides(self) -> list[SideRow]:
        """Return all sides, in the order in which they were made."""
        return self.book.all(SideRow)

    def side(self, number: int) -> SideRow:
        """Return the side of that number. Raises InvalidInput."""
        row = self.book.get(SideRow, number)
        if row is None:
            raise Missing("Choose one of the sides in this game.")
        return row

    def find_side(self, text: str) -> SideRow:
        """Return the side that is meant by its name. Raises InvalidInput."""
        return find(text, self.sides(), lambda side: side.name, "side")

    def seats(self) -> list[SeatRow]:
        """Return all people who have a seat here."""
        return self.book.all(SeatRow)

    def seat_of(self, user_id: int) -> SeatRow | None:
        """Return the seat of a person, or None."""
        return next((seat for seat in self.seats() if seat.user_id == user_id), None)

    def players(self, side: int = 0) -> list[SeatRow]:
        """Return all players, or those of one side."""
        return [seat for seat in self.seats() if seat.role != "spectator" and (not side or seat.side == side)]

    def deciders(self, side: int) -> frozenset[int]:
        """Return the people who decide for a side: its players, and those who play a model of it."""
        player_ids = {seat.user_id for seat in self.players()}
        owner_ids = {model.owner_id for model in self.models(side)} & player_ids
        return frozenset(owner_ids.union(seat.user_id for seat in self.players(side)))

    def captain(self, side: int) -> SeatRow | None:
        """Return the captain of a side, or None."""
        return next((seat for seat in self.players(side) if seat.role == "captain"), None)

    def watches(self, user_id: int) -> bool:
        """Return whether a person watches, as a watcher or with a spectator's seat."""
        seat = self.seat_of(user_id)
        watcher = self.book.get(WatcherRow, user_id)
        return watcher is not None or (seat is not None and seat.role == "spectator")

    def words(self) -> tuple[str, ...]:
        """Return the phrases that players mixed into the dice, in order."""
        return tuple(word.text for word in self.book.all(WordRow))

    def seals(self) -> list[SealRow]:
        """Return the seals of secret phrases, in the order in which players gave them."""
        return self.book.all(SealRow)

    # ------------------------------------------------------------- models

    def models(self, side: int = 0, *, gone: bool = False) -> list[ModelRow]:
        """Return the models in play, of one side if given; with `gone` those that left too."""
        return [
            model
            for model in self.book.all(ModelRow)
            if (not side or model.side == side) and (gone or model.status != GONE)
        ]

    def worked_out(self, name: Hashable, work: Callable[[], T]) -> T:
        """Return a value computed from the rows. It is stored under a name until one of the rows changes."""
        return self.book.work_out(name, work)

    def model(self, number: int) -> ModelRow:
        """Return the model of that number. Raises InvalidInput."""
        row = self.book.get(ModelRow, number)
        if row is None:
            raise Missing("Choose a model in this game.")
        return row

    def find_model(self, text: str, *, gone: bool = False, user: int = 0) -> ModelRow:
        """Return the model that is meant, by name or #number. user: prefer a model that this person plays.

        A name that models of two sides share, apart from numbers after it, doesn't identify one of them.
        Raises Unclear if several are meant, and InvalidInput, also for a model out of play.
        """
        question = (EncounterView.find_model, text, gone, user)
        return self.worked_out(question, lambda: self._found(text, gone=gone, user=user))

    def _found(self, text: str, *, gone: bool, user: int) -> ModelRow:
        number = number_in(text)
        if number is not None:
            numbered_model = self.model(number)
            if not gone and numbered_model.status == GONE:
                raise OutOfPlay(f"{numbered_model.name} is out of play ({numbered_model.left_how}).")
            return numbered_model
        name = " ".join(text.split()).casefold()
        all_models = self.models(gone=True)
        namesakes = self._called(name, all_models)
        if len(namesakes) == 1 and namesakes[0].status != GONE and not self._is_shared(name, all_models):
            return namesakes[0]
        present_models = [model for model in all_models if gone or model.status != GONE]
        for model in all_models:
            if model.name.casefold() == name and model not in present_models:
                raise OutOfPlay(f"{model.name} is out of play ({model.left_how}).")
        models = self._meant(name, present_models)
        own_models = [model for model in models if user and self.plays(user, model)]
        if own_models:
            models = [model for model in own_models if model.name.casefold() == name] or own_models
        if len(models) > 1:
            labels = [(self._name_with_side(model_row), model_row.id) for model_row in models]
            raise Unclear(text, labels, first=bool(user))
        return models[0] if models else find(text, present_models, lambda model: model.name, "model")

    def _called(self, name: str, all_models: Sequence[ModelRow]) -> list[ModelRow]:
        has_side = name.endswith(")")
        return [
            model
            for model in all_models
            if model.name.casefold() == name or (has_side and self._name_with_side(model).casefold() == name)
        ]

    def _is_shared(self, name: str, all_models: Iterable[ModelRow]) -> bool:
        """Return whether models of two sides share this name, the number behind it aside."""
        if base_name(name) != name:
            return False
        matching_models = (model for model in all_models if model.name.casefold().startswith(name))
        return len({model.side for model in matching_models if base_name(model.name) == name}) > 1

    def _name_with_side(self, model: ModelRow) -> str:
        return f"{model.name} ({self.side(model.side).name})"

    def plays(self, user: int, model: ModelRow) -> bool:
        """Return whether a person plays a model, as its owner or as the captain of its side."""
        seat = self.seat_of(user)
        is_captain = seat is not None and seat.role == "captain" and seat.side == model.side
        return is_captain or model.owner_id == user

    def plays_on(self, user: int, side: int) -> bool:
        """Return whether a person has a seat on this side, or a model there."""
        seat = self.seat_of(user)
        has_seat = seat is not None and seat.role != "spectator" and seat.side == side
        return has_seat or any(model.owner_id == user for model in self.models(side))

    def _meant(self, name: str, present_models: list[ModelRow]) -> list[ModelRow]:
        """Return the models that a name may mean, including those of other sides."""
        models = [
            present_models[place] for place in find_fitting(name, [model.name for model in present_models])
        ]
        if len(models) != 1 or models[0].name.casefold() != name:
            return models
        namesakes = [model for model in present_models if base_name(model.name) == name]
        return namesakes if len({model.side for model in namesakes}) > 1 else models

    def conditions(self, model: int) -> list[ConditionRow]:
        """Return the conditions of a model, oldest first."""
        return list(self.worked_out(ConditionRow, self._conditions_by_model).get(model, ()))

    def _conditions_by_model(self) -> dict[int, list[ConditionRow]]:
        by_model: dict[int, list[ConditionRow]] = {}
        for row in self.book.all(ConditionRow):
            by_model.setdefault(row.model, []).append(row)
        return by_model

    def condition(self, model: int, kind: str) -> ConditionRow | None:
        """Return the condition of that kind on a model, or None."""
        return next((row for row in self.conditions(model) if row.kind == kind), None)

    # ------------------------------------------------------------- bags and pending rolls

    def tokens(self, bag: str) -> list[TokenRow]:
        """Return the kinds of token of one bag."""
        return [row for row in self.book.all(TokenRow) if row.bag == bag]

    # ------------------------------------------------------------- settings

    def setting(self, key: str, default: str = "") -> str:
        """Return a setting of this encounter."""
        return self.row.settings.get(key, default)

    def count(self, key: AnyCounter) -> int:
        """Return a counter of the encounter, or 0 before its first use."""
        return self.row.counters.get(key, 0)


class Encounter(EncounterView):
    """An encounter whose rows may be altered."""

    __slots__ = ()

    book: Book

    def __init__(self, book: Book) -> None:
        super().__init__(book)

    def set_tokens(self, bag: str, kind: int, inside: int, outside: int = 0) -> None:
        """Set how many tokens of a kind are in the bag and outside it."""
        row = self.book.get(TokenRow, bag, kind)
        if row is None:
            row = self.book.add(TokenRow(self.book.scope, bag, kind))
        row.inside, row.outside = inside, outside

    def counters(self, owner: Owner, number: int) -> Counters:
        """Return the counters of a model, a side or the encounter."""
        if owner == "encounter":
            return self.row.counters
        return self.side(number).counters if owner == "side" else self.model(number).counters

    def apply(self, effects: Iterable[Effect], *, by: int = 0) -> list[Propose]:
        """Apply the effects of an outcome and return what it proposes to do next.

        by: the model whose attack wounds or removes others, 0 for an accident. Wounds by accident credit no
        model. A model removed without a new wound is credited to the last model that hurt it.
        """
        proposals = []
        for effect in effects:
            match effect:
                case Harm(model, amount):
                    row = self.model(model)
                    row.damage += amount
                    self.credit(row, by)
                case Mend(model, amount):
                    row = self.model(model)
                    row.damage = max(0, row.damage - amount)
                    if not row.damage:
                        self.credit(row)
                case Gain():
                    self._gain(effect)
                case Lose(model, kind):
                    for condition in self.conditions(model):
                        if condition.kind == kind:
                            self.book.remove(condition)
                case Leave(model, reason):
                    row = self.model(model)
                    self._leave(row, reason)
                    if by:
                        self.credit(row, by)
                case Count(owner, number, key, amount):
                    set_counter(self.counters(owner, number), key, amount, add=True)
                case Assign(owner, number, key, value):
                    set_counter(self.counters(owner, number), key, value)
                case Propose():
                    proposals.append(effect)
        return proposals

    def credit(self, model: ModelRow, doer: int = 0, side: int = 0) -> None:
        """Store what hurt a model: another model, a side alone, or neither."""
        attacker = self.book.get(ModelRow, doer) if doer else None
        model.hurt_by = attacker.id if attacker is not None else 0
        model.hurt_side = attacker.side if attacker is not None else side

    def _gain(self, gain: Gain) -> None:
        row = self.condition(gain.model, gain.condition)
        if row is None:
            number = self.book.next_id(ConditionRow)
            row = self.book.add(ConditionRow(self.book.scope, number, gain.model, gain.condition))
        row.value, row.until, row.source, row.turn = gain.value, gain.until, gain.source, self.row.turn

    def _leave(self, model: ModelRow, reason: str) -> None:
        model.status, model.left_how = GONE, reason
        set_counter(model.counters, GONE_IN_TURN, self.row.turn)
        for condition in self.conditions(model.id):
            self.book.remove(condition)


def has_ended(snapshot: Snapshot) -> bool:
    """Return whether these rows are those of an encounter that has ended."""
    return any(row[_STATUS] == ENDED for row in snapshot.get(EncounterRow.table, {}).values())


def set_counter(counters: Counters, key: AnyCounter, value: int, *, add: bool = False) -> None:
    """Set a counter or add to it. A counter at 0 is not stored."""
    new_value = counters.get(key, 0) + value if add else value
    if new_value:
        counters[key] = new_value
    else:
        counters.pop(key, None)


def profile_text(values: dict[str, object]) -> str:
    """Return a statblock as text for a model's row: canonical JSON."""
    return json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


ChosenSettings = tuple[tuple[str, str], ...]
"""The settings that an encounter has chosen, by their keys, in order."""


def played_by(compute: Callable[[ChosenSettings], T]) -> Callable[[EncounterView], T]:
    """Cache what a game makes of its settings, for all encounters that chose the same."""
    cached_compute = lru_cache(maxsize=256)(compute)

    def value_of(encounter: EncounterView) -> T:
        return encounter.worked_out(
            value_of, lambda: cached_compute(tuple(sorted(encounter.row.settings.items())))
        )

    return value_of
