"""Commit-and-reveal dice: faces that nobody could choose and everybody can check afterwards.

Before the first roll the SHA-256 of a secret seed is published. Every roll has a number of its own; its faces
are read from the bytes of HMAC-SHA256(seed, words and number), where the words are what the players added so
far. When the seed is revealed, `FairDice` gives every face again.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from hashlib import sha256

SEED_BYTES = 32

_DOMAIN = b"adjutant dice 1\0"


def commitment(seed: bytes) -> str:
    """The SHA-256 of the seed in hexadecimal: shown before play, it binds the seed without telling it."""
    return sha256(seed).hexdigest()


class FairDice:
    """The faces of one numbered roll: a `Source`.

    seed: the secret, `SEED_BYTES` long. words: what the players added before this roll, in order.
    number: the roll's own number within the encounter, 0 or more; never used twice.
    Asking for faces one by one or all at once gives the same faces.
    """

    __slots__ = ("_at", "_block", "_bytes", "_key", "_message")

    def __init__(self, seed: bytes, words: Sequence[str], number: int) -> None:
        said = sha256()
        for word in words:
            encoded = word.encode()
            said.update(len(encoded).to_bytes(4, "big") + encoded)
        self._key = seed
        self._message = _DOMAIN + number.to_bytes(8, "big") + said.digest()
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
        """Give n faces, 1 to sides equally likely; bytes that would favour low faces are passed over."""
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
