"""Faces that somebody gives: typed by a player, or recorded of an earlier roll."""

from __future__ import annotations

from collections.abc import Sequence

from rules.dice import DiceError, Faces, MoreDice, Source


class Entered:
    """Faces that a player typed, used up in order; `MoreDice` says what to throw next.

    Faces that a die does not have are refused with `DiceError`.

    >>> from rules.dice import Roller
    >>> Roller(Entered([6, 2])).draw((5, 5), 1, "bag")
    (0, 1)
    """

    __slots__ = ("_given", "_used")

    def __init__(self, faces: Sequence[int]) -> None:
        self._given = tuple(faces)
        self._used = 0

    @property
    def left(self) -> int:
        """Faces given and not used."""
        return len(self._given) - self._used

    def faces(self, n: int, sides: int, label: str) -> Sequence[int]:
        """Give the next n faces entered."""
        taken = self._given[self._used : self._used + n]
        for face in taken:
            if not 1 <= face <= sides:
                raise DiceError(f"{label}: a d{sides} shows 1 to {sides}, not {face}.")
        if len(taken) < n:
            raise MoreDice(label, n - len(taken), sides, taken)
        self._used += n
        return taken

    def finish(self) -> None:
        """Refuse, with `DiceError`, faces that no rule asked for."""
        if self.left:
            extra = ", ".join(map(str, self._given[self._used :]))
            raise DiceError(f"{self.left} {'die' if self.left == 1 else 'dice'} too many: {extra}.")


class Recorded:
    """The faces of an earlier roll in order, then, where it ran longer, faces of another source."""

    __slots__ = ("_after", "_next", "_record")

    def __init__(self, record: Faces, after: Source) -> None:
        self._record = record
        self._next = 0
        self._after = after

    @property
    def left(self) -> int:
        """Recorded faces not used."""
        return len(self._record) - self._next

    def faces(self, n: int, sides: int, label: str) -> Sequence[int]:
        """Give recorded faces while they are of the same die, then those of the other source."""
        taken: list[int] = []
        while len(taken) < n and self.left and self._record[self._next][0] == sides:
            taken.append(self._record[self._next][1])
            self._next += 1
        if len(taken) < n:
            self._next = len(self._record)
            taken += self._after.faces(n - len(taken), sides, label)
        return taken
