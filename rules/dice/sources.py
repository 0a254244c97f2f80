"""Sources of faces: typed by a player, recorded of an earlier roll, or fair dice that anyone can check.

Fair dice are committed to and revealed: before the first roll the SHA-256 of a secret seed is published.
Every roll has a number of its own; its faces are read from the bytes of HMAC-SHA256(seed, words and number),
where the words are what the players added so far. When the seed is revealed, `FairDice` gives every face
again.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence
from hashlib import sha256

from .seam import Bound, DiceError, Faces, MoreDice, Source


class Entered:
    """Faces that a player typed, used up in order; `MoreDice` says what to throw next.

    Faces that a die does not have are refused with `DiceError`.

    >>> from rules.dice.seam import Roller
    >>> Roller(Entered([6, 2])).draw((5, 5), 1, "bag")
    (0, 1)
    """

    __slots__ = ("_given", "_used")

    def __init__(self, faces: Sequence[int]) -> None:
        self._given = tuple(faces)
        self._used = 0

    @property
    def left(self) -> int:
        """Return the faces that were given and not used."""
        return len(self._given) - self._used

    def faces(self, n: int, sides: int, label: str) -> Sequence[int]:
        """Return the next n faces that were entered."""
        taken = self._given[self._used : self._used + n]
        for face in taken:
            if not 1 <= face <= sides:
                raise DiceError(f"{label}: each d{sides} must show 1 to {sides} (you entered {face}).")
        if len(taken) < n:
            raise MoreDice(label, n - len(taken), sides, taken)
        self._used += n
        return taken

    def finish(self) -> None:
        """Refuse, with `DiceError`, faces that no rule asked for."""
        if self.left:
            extra = ", ".join(map(str, self._given[self._used :]))
            raise DiceError(
                f"You entered {self.left} {'die' if self.left == 1 else 'dice'} too many: {extra}."
            )


class Recorded:
    """The faces of an earlier roll, each for the purpose that it fell for, then faces of another source.

    purpose: what the present throw is for. It gets the faces of its own purpose in their order, while they
    are of the same die. anything: where none of its purpose are left, it gets others of such a die, in order.
    """

    __slots__ = ("_after", "_anything", "_left", "_purpose")

    def __init__(
        self,
        record: Bound | Faces,
        after: Source,
        purpose: Callable[[], str] = lambda: "",
        *,
        anything: bool = False,
    ) -> None:
        self._left = [(entry[0], entry[1], entry[2] if len(entry) > 2 else "") for entry in record]
        self._after = after
        self._purpose = purpose
        self._anything = anything

    @property
    def left(self) -> int:
        """Return the recorded faces that were not used."""
        return len(self._left)

    def taken(self, n: int, sides: int) -> list[int]:
        """Return up to n recorded faces for this throw and use them up."""
        faces: list[int] = []
        purpose = self._purpose()
        while len(faces) < n:
            match = next((place for place, entry in enumerate(self._left) if entry[2] == purpose), None)
            if match is not None and self._left[match][0] != sides:
                self._left = [one for one in self._left if one[2] != purpose]
                match = None
            if match is None and self._anything:
                match = next((place for place, one in enumerate(self._left) if one[0] == sides), None)
            if match is None:
                break
            faces.append(self._left.pop(match)[1])
        return faces

    def faces(self, n: int, sides: int, label: str) -> Sequence[int]:
        """See `Source.faces`."""
        given = self.taken(n, sides)
        return given if len(given) == n else [*given, *self._after.faces(n - len(given), sides, label)]


SEED_BYTES = 32

_DOMAIN = b"adjutant dice 1\0"


def commitment(seed: bytes) -> str:
    """Return the SHA-256 of the seed in hexadecimal, which fixes the seed without revealing it."""
    return sha256(seed).hexdigest()


class FairDice:
    """The faces of one numbered roll: a `Source`.

    seed: the secret, `SEED_BYTES` long. words: what the players added before this roll, in order.
    number: the roll's own number within the encounter, 0 or more; never used twice.
    Asking for faces one by one or all at once gives the same faces.
    """

    __slots__ = ("_at", "_block", "_bytes", "_key", "_message")

    def __init__(self, seed: bytes, words: Sequence[str], number: int) -> None:
        hashed = sha256()
        for word in words:
            encoded = word.encode()
            hashed.update(len(encoded).to_bytes(4, "big") + encoded)
        self._key = seed
        self._message = _DOMAIN + number.to_bytes(8, "big") + hashed.digest()
        self._block = 0
        self._bytes = b""
        self._at = 0

    def _more(self) -> None:
        """Read one more block of bytes behind those not used yet."""
        message = self._message + self._block.to_bytes(8, "big")
        self._bytes = self._bytes[self._at :] + hmac.new(self._key, message, "sha256").digest()
        self._block += 1
        self._at = 0

    def faces(self, n: int, sides: int, label: str) -> Sequence[int]:
        """Return n faces, 1 to sides with equal chances; bytes that would favour low faces are skipped."""
        width = (sides - 1).bit_length() // 8 + 1
        limit = 256**width - 256**width % sides
        faces: list[int] = []
        while len(faces) < n:
            if len(self._bytes) - self._at < width:
                self._more()
            end = self._at + width
            value = int.from_bytes(self._bytes[self._at : end], "big")
            self._at = end
            if value < limit:
                faces.append(value % sides + 1)
        return faces
