"""Hidden figures and their tokens: decoys, what each side knows, what reveals.

Owns the frozen `Token` with its secret and `TokenView`, which never shows it; sides are the table's numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rules.refusals import InvalidInput

DECOYS = 2


@dataclass(frozen=True, slots=True)
class Token:
    """A Hide token on the field. `figure` is whom it hides, None for a blank: the secret of its owner.

    `seen_by` are the sides that have found it: they see the figure, or no token any more. To the others it
    looks as before.
    """

    id: int
    side: int
    figure: int | None
    seen_by: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class TokenView:
    """A token as one side sees it: `figure` only where that side may know it, which `known` says."""

    id: int
    side: int
    known: bool
    figure: int | None


def token_set(first_id: int, side: int, figure: int, order: tuple[int, ...]) -> tuple[Token, ...]:
    """Two blanks and the real token.

    order: a shuffle of three, so that numbers do not tell. Raises InvalidInput. Rules: FE-HID-01, FE-HID-03.
    """
    if sorted(order) != list(range(DECOYS + 1)):
        raise InvalidInput("A token set is shuffled: three tokens.")
    return tuple(
        Token(first_id + place, side, figure if kind == 0 else None) for place, kind in enumerate(order)
    )


def hidden_from(token: Token, side: int) -> bool:
    """Whether what the token is, is hidden from that side; never from its own. Rules: FE-HID-04."""
    return side != token.side and side not in token.seen_by


def view(tokens: Iterable[Token], side: int | None) -> tuple[TokenView, ...]:
    """The tokens as one side sees them, or as everybody does (None); without the blanks that the side found.

    Rules: FE-HID-03, FE-HID-04.
    """
    return tuple(
        TokenView(token.id, token.side, known, token.figure if known else None)
        for token in tokens
        for known in (side is not None and not hidden_from(token, side),)
        if token.figure is not None or side == token.side or not known
    )


@dataclass(frozen=True, slots=True)
class Found:
    """What a side's detection came to: `figure` is what lay under the token, None for a blank; `tokens` after
    it; `by_all`: every enemy of its owner has found it now, so that it may be told aloud.
    """

    figure: int | None
    tokens: tuple[Token, ...]
    by_all: bool


def refuse_found(token: Token, by_side: int) -> None:
    """Raise InvalidInput for one's own token and for one that the side has found, whatever it was.

    Rules: FE-HID-04.
    """
    if token.side == by_side:
        raise InvalidInput("That token is your own.")
    if not hidden_from(token, by_side):
        raise InvalidInput(f"Your side has found token {token.id} already.")


def detect(tokens: tuple[Token, ...], token_id: int, by_side: int, enemies: Iterable[int]) -> Found:
    """A side detects a token: the figure is seen by that side, a blank is gone for it, and for it alone.

    enemies: all sides against its owner; once each of them has found a blank it is off the table. Raises
    InvalidInput for no such token, and where the side has found it. Rules: FE-HID-03, FE-HID-04.
    """
    found = next((token for token in tokens if token.id == token_id), None)
    if found is None:
        raise InvalidInput("There is no such token.")
    refuse_found(found, by_side)
    seen = replace(found, seen_by=found.seen_by | {by_side})
    by_all = seen.seen_by.issuperset(enemies)
    kept = tuple(seen if token is found else token for token in tokens)
    if by_all and found.figure is None:
        kept = tuple(token for token in kept if token is not seen)
    return Found(found.figure, kept, by_all)


def reveal_by_attack(
    tokens: tuple[Token, ...], figure: int, sides_with_sight: Iterable[int]
) -> tuple[Token, ...]:
    """A hidden figure attacks: every side with a line of sight to it sees it. Rules: FE-DET-03, FE-HID-04."""
    sides = frozenset(sides_with_sight)
    return tuple(
        replace(token, seen_by=token.seen_by | (sides - {token.side})) if token.figure == figure else token
        for token in tokens
    )


def area_affects_hidden(legitimate_targets: int) -> bool:
    """Whether an area attack affects the hidden figures in it: another target, not hidden, must be there.

    legitimate_targets: targets in the area that are not hidden from the attacker. Rules: FE-HID-02.
    """
    return legitimate_targets > 0
