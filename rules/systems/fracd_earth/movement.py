"""Movement: rates, ground, half Moves, climbing, passengers, bases in the way.

Owns the arithmetic. Distances are inches, exact to a quarter; what lies where is told.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Literal

from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth.obstacles import Ground
from rules.systems.fracd_earth.profile import BASIC_MOVE
from rules.systems.fracd_earth.settings import Settings

Pace = Literal["move", "run", "rush", "crawl"]
Special = Literal["climb", "swim", "jump"]

PACES: dict[Pace, Fraction] = {"move": Fraction(1), "run": Fraction(3, 2), "rush": Fraction(2)}
CRAWL_INCHES = 2.0
PASSENGER_INCHES = 4.0
MAX_MOVE = 400
SHARES: dict[Ground, Fraction] = {
    "clear": Fraction(1),
    "rough": Fraction(2, 3),
    "difficult": Fraction(1, 3),
}
WORST: tuple[Ground, ...] = ("clear", "rough", "difficult", "impassable")


def rate(basic: float, pace: Pace = "move") -> float:
    """Inches at a pace: Move, Run 1 1/2 times, Rush twice, Crawl 2 inches. Raises InvalidInput.

    Rules: FE-MOV-01, FE-MOV-02, FE-MOV-03, FE-MOV-04.
    """
    if not 0 < basic <= MAX_MOVE:
        raise InvalidInput(f"A Move is up to {MAX_MOVE} inches, not {basic:g}.")
    if pace == "crawl":
        return CRAWL_INCHES
    if pace not in PACES:
        raise InvalidInput("A figure moves, runs, rushes or crawls.")
    return float(Fraction(basic) * PACES[pace])


def rounded(inches: Fraction) -> float:
    """Whole inches where thirds are left, to the nearest; halves and quarters stay. Rules: FE-TER-05."""
    if inches.denominator in (1, 2, 4):
        return float(inches)
    return float(floor(inches + Fraction(1, 2)))


def on_ground(inches: float, grounds: tuple[Ground, ...], *, leaving_at_once: bool = False) -> float:
    """What a whole rate comes to on these grounds: the worst counts, once.

    inches: the rate, a multiple of 1/4. leaving_at_once: the figure only leaves ground that it starts in.
    Raises Forbidden for Impassable ground. Rules: FE-TER-01, FE-TER-02, FE-TER-03, FE-TER-04, FE-TER-05,
    FE-TER-06.
    """
    if any(ground not in WORST for ground in grounds):
        raise InvalidInput(f"Ground is one of {', '.join(WORST)}.")
    worst: Ground = max(grounds, key=WORST.index, default="clear")
    if worst == "impassable":
        raise Forbidden("That ground is Impassable: it cannot be crossed.", "FE-TER-04")
    if leaving_at_once:
        return inches
    return rounded(Fraction(inches) * SHARES[worst])


def refuse_prone(pace: Pace) -> None:
    """Raise Forbidden for any pace of a prone figure but a Crawl. Rules: FE-MOV-04."""
    if pace != "crawl":
        raise Forbidden("A prone figure crawls, or stands up with a Half-Move first.", "FE-MOV-04")


def distance(
    basic: float,
    pace: Pace,
    grounds: tuple[Ground, ...] = (),
    *,
    prone: bool = False,
    leaving_at_once: bool = False,
) -> float:
    """How far a figure may move in all: its rate on the ground it moves through.

    A crawl is 2 inches on any ground that can be crossed. A prone figure crawls, or stands up first. Raises
    Forbidden. Rules: FE-MOV-01, FE-MOV-02, FE-MOV-03, FE-MOV-04, FE-TER-05.
    """
    if prone:
        refuse_prone(pace)
    if pace == "crawl":
        on_ground(CRAWL_INCHES, grounds)
        return CRAWL_INCHES
    return on_ground(rate(basic, pace), grounds, leaving_at_once=leaving_at_once)


def half_rate(basic: float, pace: Pace, settings: Settings) -> float:
    """Inches of the other half, beside a Half-Move action: half a Move, Run or Rush.

    Half a standard Move follows the settings: half of it, or all of it. Raises Forbidden for a crawl.
    Rules: FE-MOV-05.
    """
    if pace == "crawl":
        raise Forbidden("A Crawl has no half.", "FE-MOV-05")
    if pace == "move":
        share = Fraction(settings.half_move_standard, BASIC_MOVE)
        return float(Fraction(rate(basic)) * share)
    return float(Fraction(rate(basic, pace)) / 2)


def special_rate(basic: float) -> float:
    """Inches of climbing, jumping or swimming: a third of the Move. Rules: FE-OBS-09, FE-TER-05."""
    return rounded(Fraction(rate(basic)) / 3)


def special_cost(kind: Special) -> Literal["half_move", "move"]:
    """What it costs: climbing and swimming a full Move, jumping a Half-Move. Rules: FE-OBS-09."""
    if kind not in ("climb", "swim", "jump"):
        raise InvalidInput("Climb, swim or jump.")
    return "half_move" if kind == "jump" else "move"


def passenger_inches(pace: Pace) -> float:
    """How far a passenger moves inside or on a moving vehicle. Raises Forbidden for Run and Rush.

    Rules: FE-MOV-07.
    """
    if pace in ("run", "rush"):
        raise Forbidden("Nobody runs or rushes on a moving vehicle.", "FE-MOV-07")
    return CRAWL_INCHES if pace == "crawl" else PASSENGER_INCHES


def may_cross(mover_side: int, base_side: int) -> bool:
    """Whether a move may go over that base: over allied ones only. Rules: FE-MOV-10."""
    return mover_side == base_side
