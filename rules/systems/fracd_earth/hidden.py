"""Hidden figures and their tokens: decoys, what each side knows, what reveals.

Owns the frozen `Token` with its secret and `TokenView`, which never shows it; sides are the table's numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rules.refusals import Forbidden, InvalidInput

DECOYS = 2


@dataclass(frozen=True, slots=True)
class Token:
    """A Hide token on the field. `figure` is whom it hides, None for a blank: the secret of its owner.

    `seen_by` are the sides that have detected it.
    """

    id: int
    side: int
    figure: int | None
    seen_by: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class TokenView:
    """A token as one side sees it: `figure` only where that side may know, `known` says so."""

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
    """Whether the token's figure is hidden from that side; never from its own. Rules: FE-HID-04."""
    return side != token.side and side not in token.seen_by


def view(tokens: Iterable[Token], side: int | None) -> tuple[TokenView, ...]:
    """The tokens as one side sees them, or as everybody does (None). Rules: FE-HID-03, FE-HID-04."""
    return tuple(
        TokenView(token.id, token.side, known, token.figure if known else None)
        for token in tokens
        for known in (side is not None and not hidden_from(token, side),)
    )


@dataclass(frozen=True, slots=True)
class Flipped:
    """What detection turned up: `figure` stands where the token lay, or None for a blank; `tokens` after
    it.
    """

    figure: int | None
    tokens: tuple[Token, ...]


def detect(tokens: tuple[Token, ...], token_id: int, by_side: int) -> Flipped:
    """A side detects a token: a blank is removed, a real one is seen by that side, and by it alone.

    Raises InvalidInput for no such token, Forbidden where it is known. Rules: FE-HID-03, FE-HID-04.
    """
    found = next((token for token in tokens if token.id == token_id), None)
    if found is None:
        raise InvalidInput("There is no such token.")
    if not hidden_from(found, by_side):
        raise Forbidden("That token is no secret to you.", "FE-HID-04")
    if found.figure is None:
        return Flipped(None, tuple(token for token in tokens if token is not found))
    seen = replace(found, seen_by=found.seen_by | {by_side})
    return Flipped(found.figure, tuple(seen if token is found else token for token in tokens))


def reveal_by_attack(
    tokens: tuple[Token, ...], figure: int, sides_with_sight: Iterable[int]
) -> tuple[Token, ...]:
    """A hidden figure attacks: every side with a line of sight to it sees it. Rules: FE-DET-03, FE-HID-04."""
    sides = frozenset(sides_with_sight)
    return tuple(
        replace(token, seen_by=token.seen_by | (sides - {token.side})) if token.figure == figure else token
        for token in tokens
    )


def refuse_target(token: Token, side: int) -> None:
    """Raise Forbidden for a charge or a direct target that is hidden from that side.

    Rules: FE-DET-01, FE-HID-01, FE-OBS-06.
    """
    if hidden_from(token, side):
        raise Forbidden("That is hidden: detect it before you charge or target it.", "FE-DET-01")


def area_affects_hidden(legitimate_targets: int) -> bool:
    """Whether an area attack affects the hidden figures in it: another target, not hidden, must be there.

    legitimate_targets: targets in the area that are not hidden from the attacker. Rules: FE-HID-02.
    """
    return legitimate_targets > 0
