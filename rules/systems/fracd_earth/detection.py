"""Detecting the hidden: Check or Challenge, the TN, modifiers, the way to stay hidden.

Owns how a detection is prepared. Who and what is hidden from whom belongs to `hidden`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rules.modifiers import Modifier, total
from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth.checks import DEFAULT_TN
from rules.systems.fracd_earth.draws import Prepared, prepare
from rules.systems.fracd_earth.general import general_modifiers
from rules.systems.fracd_earth.obstacles import Cover
from rules.systems.fracd_earth.profile import INACTIVE, Figure
from rules.systems.fracd_earth.settings import Settings

Sense = Literal["notice", "alertness"]
Form = Literal["check", "challenge"]

STEALTH = "stealth"


@dataclass(frozen=True, slots=True)
class Subject:
    """What is looked for: a hidden figure, or a token, trap or item (figure None) of a size.

    `hide_successes` and `hide_edges` are those of whoever hid it; `random_icons` the Force icons drawn for
    it.
    """

    figure: Figure | None = None
    size: int = 4
    cover: Cover = "none"
    hide_successes: int = 0
    hide_edges: int = 0
    random_icons: int = 0

    @property
    def actual_size(self) -> int:
        """The figure's size, or that of the item."""
        return self.figure.profile.size if self.figure is not None else self.size


def refuse_detection(*, line_of_sight: bool, crosses_blocking: bool, other_sense: bool = False) -> None:
    """Raise Forbidden unless the observer may try. other_sense: an ability that needs no sight.

    Rules: FE-DET-02.
    """
    if not other_sense and (not line_of_sight or crosses_blocking):
        raise Forbidden("Detecting needs a line of sight that crosses no Blocking terrain.", "FE-DET-02")


def action_of(sense: Sense) -> Literal["compatible", "free"]:
    """What the attempt costs: Notice a Compatible action, Alertness nothing. Rules: FE-DET-02, FE-ACT-08."""
    return "compatible" if sense == "notice" else "free"


def is_stealthy(figure: Figure) -> bool:
    """Whether its Crew Card has Stealth. Rules: FE-DET-04, FE-DET-10."""
    return figure.profile.skill(STEALTH) is not None


def form(subject: Subject) -> Form:
    """A Challenge against a figure with Stealth that is not Inactive, a Check against all else.

    Rules: FE-DET-10.
    """
    figure = subject.figure
    opposes = figure is not None and is_stealthy(figure) and not figure.has(INACTIVE)
    return "challenge" if opposes else "check"


def tn_parts(observer: Figure, subject: Subject) -> tuple[Modifier, ...]:
    """What makes up the TN of a detection Check; it is All or Nothing.

    Raises InvalidInput. Rules: FE-DET-05, FE-DET-06, FE-DET-07.
    """
    counts = (subject.hide_successes, subject.hide_edges, subject.random_icons)
    if not all(0 <= count <= 20 for count in counts) or not 0 <= subject.size <= 20:
        raise InvalidInput("Sizes, successes, Edges and icons are 0 to 20.")
    parts = (
        Modifier(DEFAULT_TN, "basic", "FE-CHK-01"),
        Modifier(observer.profile.size - subject.actual_size, "size", "FE-DET-05"),
        Modifier(subject.hide_successes + subject.hide_edges, "well hidden", "FE-DET-06"),
        Modifier(subject.random_icons, "random difficulty", "FE-DET-07"),
    )
    return tuple(part for part in parts if part.amount)


def target_number(observer: Figure, subject: Subject) -> int:
    """TN of the detection Check, never below 0. Rules: FE-DET-05, FE-DET-06, FE-DET-07."""
    return max(0, total(tn_parts(observer, subject)))


def observer_side(
    observer: Figure, sense: Sense, subject: Subject, trait: str, settings: Settings
) -> Prepared:
    """The observer's cards and trait.

    trait: the Attribute used with the skill. In a Check the subject's [+] for concealment or cover is a [-]
    here, once. Rules: FE-DET-08, FE-DET-09.
    """
    if sense not in ("notice", "alertness"):
        raise InvalidInput("An observer uses Notice or Alertness.")
    found = general_modifiers(observer, trait, settings, skill=sense)
    if form(subject) == "check" and subject.cover != "none":
        found = found.plus(Modifier(-1, "subject concealed", "FE-DET-08"))
    return prepare(found.marks, found.points, settings)


def hider_side(observer: Figure, subject: Subject, trait: str, settings: Settings) -> Prepared:
    """The hider's cards and trait in a detection Challenge, the difficulty of a Check added to its total.

    Raises Forbidden where it is a Check. Rules: FE-DET-05, FE-DET-08, FE-DET-09, FE-DET-10.
    """
    if form(subject) == "check" or subject.figure is None:
        raise Forbidden("Only a figure with Stealth opposes detection: make a Check.", "FE-DET-10")
    found = general_modifiers(subject.figure, trait, settings, skill=STEALTH)
    if subject.cover != "none":
        found = found.plus(Modifier(1, "concealed", "FE-DET-08"))
    found = found.plus_points(*tn_parts(observer, subject)[1:])
    return prepare(found.marks, found.points, settings)


def stays_hidden(*, stealth: bool, moves: bool, cover: Cover) -> bool:
    """Whether a hidden figure is still hidden after this part of its activation.

    Moving needs Stealth and cover or concealment to move through or behind. Rules: FE-DET-04.
    """
    return not moves or (stealth and cover != "none")
