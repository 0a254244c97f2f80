"""Dice after an undone roll: the same faces for the same model and purpose."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.actions import ACTIONS
from bot.store.book import Change
from bot.store.journal import Entry
from bot.store.rows import LASTING
from bot.table.act import Act
from bot.table.game import gives_next_roll_undone_dice
from bot.table.handlers import HANDLERS, Handler
from rules.dice import Bound, Entered, MoreDice, Recorded, Source


def is_typed(entry: Entry) -> bool:
    """Return whether its faces were thrown at the table."""
    return entry.dice == "real"


def in_place(act: Act) -> bool:
    """Return whether undone dice stay in their place here."""
    return act.has_encounter and gives_next_roll_undone_dice(act.encounter)


def waiting(undone: Sequence[Entry], act: Act, handler: Handler, kin: frozenset[int]) -> Sequence[Entry]:
    """Return the undone rolls whose faces may fall for an action, the likeliest first.

    kin: those of the same decision; of one decision what was carried through stands before what began it.

    Typed faces never become the bot's; a bag or deck, which the bot alone draws from, takes none of them.
    """
    if not undone:
        return []
    in_order = sorted(
        undone, key=lambda entry: (entry.seq not in kin, not ACTIONS[entry.command].finishes, entry.seq)
    )
    if not in_place(act):
        return [entry for entry in in_order if entry.seq in kin]
    fitting = [
        entry for entry in in_order if entry.seq in kin or HANDLERS[entry.command].place is handler.place
    ]
    return [entry for entry in fitting if not (handler.bot_dice and is_typed(entry))]


class Instead:
    """The faces of the first waiting roll of the same action or kind of dice, or else new dice.

    fallen: that roll, once a die was used.
    """

    def __init__(
        self,
        entries: Sequence[Entry],
        kin: frozenset[int],
        source_of: Callable[[Entry], Source],
        otherwise: Source,
    ) -> None:
        self.fallen: Entry | None = None
        self._entries = entries
        self._same = kin
        self._begun = source_of
        self._source: Source | None = None
        self._otherwise = otherwise

    def faces(self, n: int, sides: int, label: str) -> Sequence[int]:
        """See `Source.faces`."""
        if self._source is None:
            self.fallen = next((entry for entry in self._entries if self._fits(entry, sides)), None)
            self._source = self._begun(self.fallen) if self.fallen else self._otherwise
        return self._source.faces(n, sides, label)

    @property
    def typed(self) -> TypedBefore | None:
        """Return the faces of the table that fall again, where they do."""
        return self._source if isinstance(self._source, TypedBefore) else None

    def _fits(self, entry: Entry, sides: int) -> bool:
        return entry.seq in self._same or entry.faces_shown()[0][0] == sides


class TypedBefore:
    """Faces that were typed before an undo, each for its purpose, beside those that were typed since.

    record: the faces of before. given: what was typed for this roll so far, with those of before among it.
    shown: all faces so far. holds: no face that was typed now stands where another fell before.
    """

    def __init__(self, record: Recorded, entered: Entered | None) -> None:
        self.shown: list[int] = []
        self.holds = True
        self._record = record
        self._given = entered or Entered(())

    def faces(self, n: int, sides: int, label: str) -> Sequence[int]:
        """See `Source.faces`. Raises MoreDice."""
        given_faces = list(self._given.faces(min(n, self._given.left), sides, label))
        before = self._record.taken(n, sides)
        self.holds = self.holds and given_faces[: len(before)] == before[: len(given_faces)]
        all_faces = given_faces + before[len(given_faces) :]
        self.shown += all_faces
        if len(all_faces) < n:
            raise MoreDice(label, n - len(all_faces), sides, tuple(all_faces))
        return all_faces


def with_earlier(record: Bound, earlier: Bound, *, anything: bool) -> Bound:
    """Return the faces of a roll with those of the one it repeated that did not fall again.

    anything: faces of one purpose may have fallen for another.
    """
    left = list(earlier)
    for sides, face, purpose in record:
        matching = [face_left for face_left in left if face_left[2] == purpose]
        if not matching and anything:
            matching = [face_left for face_left in left if face_left[:2] == (sides, face)]
        if matching:
            left.remove(matching[0])
    return (*record, *left)


def spent(undone: Entry | None, kin: Sequence[Entry], act: Act, changes: Sequence[Change]) -> tuple[int, ...]:
    """Return the undone rolls that are used up: by an action of their kind, or by one that changed the game.

    undone: the roll whose faces were used. kin: all rolls that share these faces. An action that changes
    nothing, such as a roll-off in place of a shot, doesn't get rid of unwelcome faces.
    """
    if undone is None:
        return ()
    alters = any(change.table not in LASTING for change in changes)
    used_up = alters or undone.command == act.canonical.command
    return tuple(entry.seq for entry in kin) if used_up else ()
