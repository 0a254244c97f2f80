"""Checks against a Target Number as a small state machine of one player, and Manoeuvres."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth import outcomes
from rules.systems.fracd_earth import seat as seats
from rules.systems.fracd_earth.deck import Prepared, prepare
from rules.systems.fracd_earth.modifiers import general_modifiers
from rules.systems.fracd_earth.outcomes import ChallengeResult
from rules.systems.fracd_earth.profile import Figure
from rules.systems.fracd_earth.seat import Buff, Seat
from rules.systems.fracd_earth.settings import Settings
from rules.systems.fracd_earth.weapons import ARMOUR, VERSUS

DEFAULT_TN = 10
MAX_TN = 60

Verdict = Literal["success", "partial", "failure"]
Step = Literal["draw", "reinforce", "push", "resolve"]
Order = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """How a Check ended: `margin` is total less TN.

    Rules: FE-CHK-03, FE-CHK-04, FE-CHK-07.
    """

    margin: int
    all_or_nothing: bool = False

    @property
    def verdict(self) -> Verdict:
        """Return success above the TN, partial at it (a failure if All or Nothing), and failure below."""
        if self.margin > 0:
            return "success"
        return "partial" if self.margin == 0 and not self.all_or_nothing else "failure"

    @property
    def achieved(self) -> bool:
        """Return whether the action comes about: a success, or a Partial Success."""
        return self.verdict != "failure"

    @property
    def success_margin(self) -> int:
        """Return the Margin of Success, 0 if the TN was not exceeded."""
        return max(0, self.margin)

    @property
    def failure_margin(self) -> int:
        """Return the Margin of Failure, 0 if the TN was reached."""
        return max(0, -self.margin)

    @property
    def edges(self) -> int:
        """Return one Edge for each full 3 points of success."""
        return outcomes.edges(self.margin)


def check_result(total: int, tn: int = DEFAULT_TN, *, all_or_nothing: bool = False) -> CheckResult:
    """Compare a total with a Target Number.

    tn: 10 unless another is given; 0 to 60. Raises InvalidInput. Rules: FE-CHK-01, FE-CHK-03, FE-CHK-04.
    """
    if not 0 <= tn <= MAX_TN:
        raise InvalidInput(f"A Target Number must be between 0 and {MAX_TN} (you entered {tn}).")
    return CheckResult(total - tn, all_or_nothing)


@dataclass(frozen=True, slots=True)
class Check:
    """A Check under way."""

    seat: Seat
    tn: int = DEFAULT_TN
    all_or_nothing: bool = False
    step: Step = "draw"


def begin(seat: Seat, tn: int = DEFAULT_TN, *, all_or_nothing: bool = False) -> Check:
    """Begin a Check of one player. Raises InvalidInput for a TN out of range. Rules: FE-CHK-01, FE-CHK-02."""
    check_result(0, tn)
    return Check(seat, tn, all_or_nothing)


def draw(check: Check, settings: Settings, order: Order = ()) -> Check:
    """Draw the hand. Raises Forbidden. Rules: FE-CHK-02, FE-DRAW-01."""
    _in_step(check, "draw")
    return replace(check, seat=seats.draw(check.seat, settings, order))


def select(check: Check, card: int, settings: Settings, picker: int | None = None) -> Check:
    """Select one drawn card, which is turned up at once.

    picker: who selects, the checking player where None; an opponent must, from a penalty hand where the
    settings say so. Raises Forbidden. Rules: FE-CHK-02, FE-DRAW-03, FE-DRAW-04.
    """
    _in_step(check, "draw")
    owner = check.seat.entry.player
    picks_own = seats.picks_own(check.seat, settings)
    if picks_own != (picker in (None, owner)):
        raise Forbidden(
            "Only the player who makes this Check can select its card."
            if picks_own
            else "Wait for your opponent to pick a card from the penalty hand.",
            "FE-DRAW-03",
        )
    seat = seats.reveal(seats.select(check.seat, card, settings))
    return replace(check, seat=seat, step="reinforce" if seat.entry.combined else "push")


def take_link(check: Check, settings: Settings, order: Order = ()) -> Check:
    """Return the Check after the top card is taken for a face-up Ace. Raises Forbidden. Rules: FE-DECK-03."""
    return replace(check, seat=seats.take_link(check.seat, settings, order))


def link(check: Check, card: int, settings: Settings) -> Check:
    """Link a card of the Buff Hand to the Ace. Raises Forbidden. Rules: FE-DECK-03."""
    return replace(check, seat=seats.link(check.seat, card, settings))


def reinforce(check: Check, card: int, settings: Settings) -> Check:
    """Reinforce with an unused draw card, where a group acts together; Buff cards have no place in a Check.

    Raises Forbidden. Rules: FE-DECK-09, FE-CHK-02.
    """
    if not check.seat.entry.combined:
        raise Forbidden(
            "You can't play Buff cards in a Check. Only a group acting together can reinforce.", "FE-DECK-09"
        )
    _in_step(check, "reinforce")
    _require_no_open_link(check, settings)
    if card not in check.seat.hidden.deck.draw_hand:
        raise Forbidden("Reinforce with an unused card from the Draw Hand.", "FE-DECK-09")
    seat = seats.place_buff(check.seat, Buff("reinforce", card), settings)
    return replace(check, seat=seats.reveal_buff(seat, settings), step="push")


def push(check: Check, settings: Settings, order: Order = ()) -> Check:
    """Spend one Push token to add the top card. Raises Forbidden. Rules: FE-CHK-05."""
    if check.step == "reinforce":
        check = replace(check, step="push")
    _in_step(check, "push")
    _require_no_open_link(check, settings)
    return replace(
        check, seat=seats.reveal_push(seats.place_push(check.seat, settings, order)), step="resolve"
    )


def resolve(check: Check, settings: Settings) -> CheckResult:
    """Return the result of the Check. Raises Forbidden before a card counts, or while an Ace waits.

    Rules: FE-CHK-02, FE-CHK-03, FE-CHK-04.
    """
    if check.step == "draw":
        raise Forbidden("Draw and select a card first.", "FE-CHK-02")
    _require_no_open_link(check, settings)
    return check_result(seats.total(check.seat, settings), check.tn, all_or_nothing=check.all_or_nothing)


def _in_step(check: Check, step: Step) -> None:
    if check.step != step:
        raise Forbidden(
            f"You can only do this in the {step} step (this is the {check.step} step).", "FE-CHK-02"
        )


def _require_no_open_link(check: Check, settings: Settings) -> None:
    if seats.open_link(check.seat, settings) is not None:
        raise Forbidden("Link a card to the Ace first.", "FE-DECK-03")


OPPOSED = ("manv", *(name for name in VERSUS if name not in ARMOUR))


def side(
    figure: Figure,
    settings: Settings,
    *,
    trait: str = "manv",
    skill: str = "",
    marks: tuple[Modifier, ...] = (),
) -> Prepared:
    """Return one side of a Manoeuvre Challenge or Check: Manv or an Attribute. Raises InvalidInput.

    Rules: FE-MAN-01, FE-MAN-02.
    """
    if trait not in OPPOSED:
        raise InvalidInput(f"Use one of these for a Manoeuvre: {', '.join(OPPOSED)}.")
    modifiers = general_modifiers(figure, trait, settings, skill=skill).plus(*marks)
    return prepare(modifiers.marks, modifiers.points, settings)


def gets_past(result: ChallengeResult) -> bool:
    """Return whether the mover, the active side, gets past: it must score higher. Rules: FE-MAN-01."""
    return result.margin > 0
