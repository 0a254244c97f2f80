"""Hidden figures: tokens and decoys, what each side knows, detecting and what reveals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from rules.modifiers import Modifier, total
from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth.checks import DEFAULT_TN
from rules.systems.fracd_earth.deck import Prepared, prepare
from rules.systems.fracd_earth.modifiers import general_modifiers
from rules.systems.fracd_earth.movement import Cover
from rules.systems.fracd_earth.profile import INACTIVE, Figure
from rules.systems.fracd_earth.settings import Settings

Sense = Literal["notice", "alertness"]
Form = Literal["check", "challenge"]

STEALTH = "stealth"


@dataclass(frozen=True, slots=True)
class Subject:
    """What is looked for: a hidden figure, or a token, trap or item (figure None) of a size.

    `hide_successes` and `hide_edges` are those of the model that hid it; `random_icons` the Force icons drawn
    for it.
    """

    figure: Figure | None = None
    size: int = 4
    cover: Cover = "none"
    hide_successes: int = 0
    hide_edges: int = 0
    random_icons: int = 0

    @property
    def actual_size(self) -> int:
        """Return the figure's size, or that of the item."""
        return self.figure.profile.size if self.figure is not None else self.size


def refuse_detection(*, line_of_sight: bool, crosses_blocking: bool, other_sense: bool = False) -> None:
    """Raise Forbidden unless the observer may try. other_sense: an ability that needs no sight.

    Rules: FE-DET-02.
    """
    if not other_sense and (not line_of_sight or crosses_blocking):
        raise Forbidden(
            "You need a line of sight that crosses no Blocking terrain to detect a target.", "FE-DET-02"
        )


def action_of(sense: Sense) -> Literal["compatible", "free"]:
    """Return the cost: Notice is a Compatible action, Alertness is free. Rules: FE-DET-02, FE-ACT-08."""
    return "compatible" if sense == "notice" else "free"


def is_stealthy(figure: Figure) -> bool:
    """Return whether its Crew Card has Stealth. Rules: FE-DET-04, FE-DET-10."""
    return figure.profile.skill(STEALTH) is not None


def form(subject: Subject) -> Form:
    """Return a Challenge against a figure with Stealth that is not Inactive, a Check against all else.

    Rules: FE-DET-10.
    """
    figure = subject.figure
    opposes = figure is not None and is_stealthy(figure) and not figure.has(INACTIVE)
    return "challenge" if opposes else "check"


def tn_parts(observer: Figure, subject: Subject) -> tuple[Modifier, ...]:
    """Return the parts of the TN of a detection Check, which is All or Nothing.

    Raises InvalidInput. Rules: FE-DET-05, FE-DET-06, FE-DET-07.
    """
    counts = (subject.hide_successes, subject.hide_edges, subject.random_icons)
    if not all(0 <= count <= 20 for count in counts) or not 0 <= subject.size <= 20:
        raise InvalidInput("Sizes, successes, Edges and icons must be between 0 and 20.")
    parts = (
        Modifier(DEFAULT_TN, "basic", "FE-CHK-01"),
        Modifier(observer.profile.size - subject.actual_size, "size", "FE-DET-05"),
        Modifier(subject.hide_successes + subject.hide_edges, "well hidden", "FE-DET-06"),
        Modifier(subject.random_icons, "random difficulty", "FE-DET-07"),
    )
    return tuple(part for part in parts if part.amount)


def target_number(observer: Figure, subject: Subject) -> int:
    """Return the TN of the detection Check, never below 0. Rules: FE-DET-05, FE-DET-06, FE-DET-07."""
    return max(0, total(tn_parts(observer, subject)))


def observer_side(
    observer: Figure, sense: Sense, subject: Subject, trait: str, settings: Settings
) -> Prepared:
    """Return the observer's cards and trait.

    trait: the Attribute used with the skill. In a Check the subject's [+] for concealment or cover is a [-]
    here, once. Rules: FE-DET-08, FE-DET-09.
    """
    if sense not in ("notice", "alertness"):
        raise InvalidInput("Use Notice or Alertness to detect something.")
    modifiers = general_modifiers(observer, trait, settings, skill=sense)
    if form(subject) == "check" and subject.cover != "none":
        modifiers = modifiers.plus(Modifier(-1, "target concealed", "FE-DET-08"))
    return prepare(modifiers.marks, modifiers.points, settings)


def hider_side(observer: Figure, subject: Subject, trait: str, settings: Settings) -> Prepared:
    """Return the hider's cards and trait in a detection Challenge, with the difficulty of a Check.

    Raises Forbidden where it is a Check. Rules: FE-DET-05, FE-DET-08, FE-DET-09, FE-DET-10.
    """
    if form(subject) == "check" or subject.figure is None:
        raise Forbidden("Make a Check instead. Only a figure with Stealth opposes detection.", "FE-DET-10")
    modifiers = general_modifiers(subject.figure, trait, settings, skill=STEALTH)
    if subject.cover != "none":
        modifiers = modifiers.plus(Modifier(1, "concealed", "FE-DET-08"))
    modifiers = modifiers.plus_points(*tn_parts(observer, subject)[1:])
    return prepare(modifiers.marks, modifiers.points, settings)


def stays_hidden(*, stealth: bool, moves: bool, cover: Cover) -> bool:
    """Return whether a hidden figure is still hidden after this part of its activation.

    Moving needs Stealth and cover or concealment to move through or behind. Rules: FE-DET-04.
    """
    return not moves or (stealth and cover != "none")


DECOYS = 2


@dataclass(frozen=True, slots=True)
class Token:
    """A Hide token on the field. `figure` is the figure it hides, None for a blank: its owner's secret.

    `seen_by` are the sides that have found it: they see the figure, or no longer see a token. To the others
    it looks as before.
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
    """Return two blanks and the real token.

    order: a shuffle of three, so that numbers do not tell. Raises InvalidInput. Rules: FE-HID-01, FE-HID-03.
    """
    if sorted(order) != list(range(DECOYS + 1)):
        raise InvalidInput("A token set needs three shuffled tokens.")
    return tuple(
        Token(first_id + place, side, figure if kind == 0 else None) for place, kind in enumerate(order)
    )


def hidden_from(token: Token, side: int) -> bool:
    """Return whether what the token is, is hidden from that side; never from its own. Rules: FE-HID-04."""
    return side != token.side and side not in token.seen_by


def view(tokens: Iterable[Token], side: int | None) -> tuple[TokenView, ...]:
    """Return the tokens as one side or everyone (None) sees them, without the blanks that the side found.

    Rules: FE-HID-03, FE-HID-04.
    """
    return tuple(
        TokenView(token.id, token.side, visible, token.figure if visible else None)
        for token in tokens
        for visible in (side is not None and not hidden_from(token, side),)
        if token.figure is not None or side == token.side or not visible
    )


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a side's detection. `figure` was under the token, None for a blank. `tokens` are those
    left. `by_all`: every enemy of its owner has found it, so that everyone may be told.
    """

    figure: int | None
    tokens: tuple[Token, ...]
    by_all: bool


def refuse_found(token: Token, by_side: int) -> None:
    """Raise InvalidInput for one's own token and for one that the side has found, whatever it was.

    Rules: FE-HID-04.
    """
    if token.side == by_side:
        raise InvalidInput("Pick an enemy token. This one is yours.")
    if not hidden_from(token, by_side):
        raise InvalidInput(f"Your side has already found token {token.id}.")


def detect(tokens: tuple[Token, ...], token_id: int, by_side: int, enemies: Iterable[int]) -> Found:
    """Return what a side finds: that side sees the figure, and a blank is removed for that side only.

    enemies: all sides against its owner; once each of them has found a blank it is off the table. Raises
    InvalidInput for no such token, and where the side has found it. Rules: FE-HID-03, FE-HID-04.
    """
    target = next((token for token in tokens if token.id == token_id), None)
    if target is None:
        raise InvalidInput("There is no token with that number. Use /fe tokens to see all tokens.")
    refuse_found(target, by_side)
    seen_token = replace(target, seen_by=target.seen_by | {by_side})
    by_all = seen_token.seen_by.issuperset(enemies)
    new_tokens = tuple(seen_token if token is target else token for token in tokens)
    if by_all and target.figure is None:
        new_tokens = tuple(token for token in new_tokens if token is not seen_token)
    return Found(target.figure, new_tokens, by_all)


def reveal_by_attack(
    tokens: tuple[Token, ...], figure: int, sides_with_sight: Iterable[int]
) -> tuple[Token, ...]:
    """Reveal a hidden figure that attacks to every side that sees it. Rules: FE-DET-03, FE-HID-04."""
    sides = frozenset(sides_with_sight)
    return tuple(
        replace(token, seen_by=token.seen_by | (sides - {token.side})) if token.figure == figure else token
        for token in tokens
    )


def area_affects_hidden(legitimate_targets: int) -> bool:
    """Return whether an area attack affects hidden figures in it: a target that is not hidden must be there.

    legitimate_targets: targets in the area that are not hidden from the attacker. Rules: FE-HID-02.
    """
    return legitimate_targets > 0
