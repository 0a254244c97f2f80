"""What falls in the place of an undone roll.

Usually the faces of the same action fall again; where the table plays so, those of whatever was undone, by
whomever they were thrown, so that an undo is no second try.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.store.book import Change
from bot.store.journal import Entry
from bot.store.rows import LASTING
from bot.table.act import Act
from bot.table.game import undone_in_place
from bot.table.handlers import HANDLERS, Handler
from bot.table.request import action_key
from rules.dice import Faces, MoreDice, Source


def is_typed(entry: Entry) -> bool:
    """Whether its faces were thrown at the table."""
    return entry.dice == "real"


def in_place(act: Act) -> bool:
    """Whether undone dice stay in their place here."""
    return act.has_encounter and undone_in_place(act.encounter)


def waiting(undone: Sequence[Entry], act: Act, handler: Handler, *, by_hand: bool) -> Sequence[Entry]:
    """The undone rolls whose faces may fall for an action, the likeliest first. by_hand: real dice are due.

    Typed faces never become the bot's; a bag or deck, which the bot alone draws from, takes none of them.
    """
    if not undone:
        return []
    key = action_key(act.canonical)
    if not in_place(act):
        return [] if by_hand else [one for one in undone if one.action_key == key and not is_typed(one)]
    alike = [one for one in undone if one.action_key == key or HANDLERS[one.command].place is handler.place]
    return sorted(
        (one for one in alike if not (handler.bot_dice and is_typed(one))),
        key=lambda one: (one.action_key != key, one.seq),
    )


class Instead:
    """The faces of the first roll that waits and is of the same action or such dice; else other dice.

    fallen: that roll, once anything was thrown.
    """

    def __init__(
        self, entries: Sequence[Entry], key: str, begun: Callable[[Entry], Source], otherwise: Source
    ) -> None:
        self.fallen: Entry | None = None
        self._entries = entries
        self._key = key
        self._begun = begun
        self._source: Source | None = None
        self._otherwise = otherwise

    def faces(self, n: int, sides: int, label: str) -> Sequence[int]:
        """See `Source.faces`."""
        if self._source is None:
            self.fallen = next((one for one in self._entries if self._fits(one, sides)), None)
            self._source = self._begun(self.fallen) if self.fallen else self._otherwise
        return self._source.faces(n, sides, label)

    @property
    def typed(self) -> Sequence[int]:
        """Typed faces that fell again so far."""
        return tuple(self._source.shown) if isinstance(self._source, TypedBefore) else ()

    def _fits(self, entry: Entry, sides: int) -> bool:
        return entry.action_key == self._key or entry.faces_shown()[0][0] == sides


class TypedBefore:
    """Faces that were typed before an undo, while they are of the same die; then more are asked for."""

    def __init__(self, record: Faces) -> None:
        self.shown: list[int] = []
        self._left = list(record)

    def faces(self, n: int, sides: int, label: str) -> Sequence[int]:
        """See `Source.faces`. Raises MoreDice."""
        taken: list[int] = []
        while len(taken) < n and self._left and self._left[0][0] == sides:
            taken.append(self._left.pop(0)[1])
        self.shown += taken
        if len(taken) < n:
            raise MoreDice(label, n - len(taken), sides, tuple(taken))
        return taken


def typed_anew(entries: Sequence[Entry], faces: Faces) -> Entry | None:
    """The undone roll with whose typed faces those begin that were typed now."""
    for one in entries:
        shown = one.faces_shown()
        if is_typed(one) and faces[: len(shown)] == shown[: len(faces)]:
            return one
    return None


def spent(undone: Entry | None, act: Act, changes: Sequence[Change]) -> tuple[int, ...]:
    """The undone roll whose faces are used up: by an action of its kind, or by any that altered the game.

    What alters nothing, a roll-off in place of a shot, is no way to get rid of faces that are not liked.
    """
    if undone is None:
        return ()
    alters = any(change.table not in LASTING for change in changes)
    return (undone.seq,) if alters or undone.command == act.canonical.command else ()
