"""Movement: rates, ground, obstacles, half Moves, climbing, passengers and Meta-Speed."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Literal, get_args

from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth.profile import BASIC_MOVE
from rules.systems.fracd_earth.settings import Settings
from rules.wording import times

ObstacleKind = Literal["soft", "dense", "hard"]
Cover = Literal["none", "soft", "hard"]
Ground = Literal["clear", "rough", "difficult", "impassable"]
Cost = Literal["half_move", "move"]

OBSTACLES: tuple[ObstacleKind, ...] = get_args(ObstacleKind)
THINGS: dict[str, Ground | ObstacleKind] = {
    **dict.fromkeys(("bush", "smoke"), "soft"),
    **dict.fromkeys(("hedge", "hedgerow", "jungle"), "dense"),
    **dict.fromkeys(("wall", "fence", "barrier", "barricade", "door"), "hard"),
    **dict.fromkeys(("stairs", "orchard", "furnished room", "shallow water"), "rough"),
    **dict.fromkeys(("swamp", "mud", "ice", "forest", "ladder"), "difficult"),
    **dict.fromkeys(("cliff", "chasm", "lava", "waterfall"), "impassable"),
}
"""Terrain and obstacles, by each of their names. Rules: FE-OBS-03 to FE-OBS-05, FE-TER-02 to FE-TER-04."""

SHORT_SIZE = 2
TALL_SIZE = 4


def crossing_cost(size: int) -> Cost:
    """Return the cost of crossing: half a Move up to size 2, a whole Move for 3 and 4.

    Raises Forbidden for larger ones, which are climbed or Impassable. Rules: FE-OBS-01, FE-OBS-02.
    """
    if size < 1:
        raise InvalidInput("An obstacle must have a size of 1 or more.")
    if size <= SHORT_SIZE:
        return "half_move"
    if size <= TALL_SIZE:
        return "move"
    raise Forbidden(
        f"You can't cross an obstacle of size {size}. Climb it, unless it is Impassable.", "FE-OBS-02"
    )


def ground_of(kind: ObstacleKind) -> Ground:
    """Return the ground inside it: soft Rough, dense Difficult. Raises InvalidInput for a hard one.

    Rules: FE-OBS-03, FE-OBS-04.
    """
    if kind == "hard":
        raise InvalidInput("Cross a hard obstacle with /fe half, or climb it. You can't move through it.")
    return "rough" if kind == "soft" else "difficult"


def cover_from(kind: ObstacleKind, *, adjacent_and_sees: bool = False) -> Cover:
    """Return the cover of an obstacle that the line crosses: concealment (soft), or Hard Cover (hard).

    A dense one gives what the players agree on, who then call it soft. adjacent_and_sees: the attacker stands
    next to it and sees over or around. Of several the best counts. Rules: FE-OBS-03, FE-OBS-05, FE-OBS-07,
    FE-OBS-08, FE-TER-07.
    """
    if adjacent_and_sees or kind == "dense":
        return "none"
    return kind


def protection_mark(cover: Cover) -> Modifier:
    """Return Hard Cover's card for the Protection Check. Rules: FE-PRO-02, FE-CMB-02, FE-OBS-05."""
    return Modifier(1 if cover == "hard" else 0, "Hard Cover", "FE-PRO-02")


def blocks_detection(cover: Cover, *, fully_covered: bool, looking_out: bool) -> bool:
    """Return whether cover may be declared Blocking for detection: hard, whole, and no one looks out.

    Rules: FE-OBS-06.
    """
    return cover == "hard" and fully_covered and not looking_out


Pace = Literal["move", "run", "rush", "crawl"]
Special = Literal["climb", "swim", "jump"]

PACES: dict[Pace, Fraction] = {"move": Fraction(1), "run": Fraction(3, 2), "rush": Fraction(2)}
CRAWL_INCHES = 2.0
PASSENGER_INCHES = 4.0
MAX_MOVE = 400
SHARES: dict[Ground, Fraction] = {"clear": Fraction(1), "rough": Fraction(2, 3), "difficult": Fraction(1, 3)}
WORST: tuple[Ground, ...] = ("clear", "rough", "difficult", "impassable")


def rate(basic: float, pace: Pace = "move") -> float:
    """Return the inches at a pace: Move, Run 1 1/2 times, Rush twice, Crawl 2 inches. Raises InvalidInput.

    Rules: FE-MOV-01, FE-MOV-02, FE-MOV-03, FE-MOV-04.
    """
    if not 0 < basic <= MAX_MOVE:
        raise InvalidInput(f"A Move must be above 0 and at most {MAX_MOVE} inches (you entered {basic:g}).")
    if pace == "crawl":
        return CRAWL_INCHES
    if pace not in PACES:
        raise InvalidInput("Choose a pace: move, run, rush or crawl.")
    return float(Fraction(basic) * PACES[pace])


def rounded(inches: Fraction) -> float:
    """Round to whole inches if thirds are left; halves and quarters stay. Rules: FE-TER-05."""
    if inches.denominator in (1, 2, 4):
        return float(inches)
    return float(floor(inches + Fraction(1, 2)))


def on_ground(inches: float, grounds: tuple[Ground, ...], *, leaving_at_once: bool = False) -> float:
    """Return the distance that a whole rate allows on these grounds: the worst counts, once.

    inches: the rate, a multiple of 1/4. leaving_at_once: the figure only leaves ground that it starts in.
    Raises Forbidden for Impassable ground. Rules: FE-TER-01, FE-TER-02, FE-TER-03, FE-TER-04, FE-TER-05,
    FE-TER-06.
    """
    if any(ground not in WORST for ground in grounds):
        raise InvalidInput(f"Choose from these kinds of terrain: {', '.join(WORST)}.")
    worst: Ground = max(grounds, key=WORST.index, default="clear")
    if worst == "impassable":
        raise Forbidden("You can't cross Impassable terrain.", "FE-TER-04")
    if leaving_at_once:
        return inches
    return rounded(Fraction(inches) * SHARES[worst])


def refuse_prone(pace: Pace) -> None:
    """Raise Forbidden for any pace of a prone figure but a Crawl. Rules: FE-MOV-04."""
    if pace != "crawl":
        raise Forbidden("The figure is Prone. Crawl, or stand up with a Half-Move first.", "FE-MOV-04")


def distance(
    basic: float,
    pace: Pace,
    grounds: tuple[Ground, ...] = (),
    *,
    prone: bool = False,
    leaving_at_once: bool = False,
) -> float:
    """Return how far a figure may move in all: its rate on the ground it moves through.

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
    """Return the inches of the other half, beside a Half-Move action: half a Move, Run or Rush.

    Half a standard Move follows the settings: half of it, or all of it. Raises Forbidden for a crawl.
    Rules: FE-MOV-05.
    """
    if pace == "crawl":
        raise Forbidden("You can't combine a Half-Move with a Crawl.", "FE-MOV-05")
    if pace == "move":
        share = Fraction(settings.half_move_standard, BASIC_MOVE)
        return float(Fraction(rate(basic)) * share)
    return float(Fraction(rate(basic, pace)) / 2)


def special_rate(basic: float) -> float:
    """Return inches of climbing, jumping or swimming: a third of the Move. Rules: FE-OBS-09, FE-TER-05."""
    return rounded(Fraction(rate(basic)) / 3)


def special_cost(kind: Special) -> Literal["half_move", "move"]:
    """Return the cost: climbing and swimming a full Move, jumping a Half-Move. Rules: FE-OBS-09."""
    if kind not in ("climb", "swim", "jump"):
        raise InvalidInput("Choose one of these: climb, swim or jump.")
    return "half_move" if kind == "jump" else "move"


def passenger_inches(pace: Pace) -> float:
    """Return how far a passenger moves inside or on a moving vehicle. Raises Forbidden for Run and Rush.

    Rules: FE-MOV-07.
    """
    if pace in ("run", "rush"):
        raise Forbidden("You can't Run or Rush on a moving vehicle.", "FE-MOV-07")
    return CRAWL_INCHES if pace == "crawl" else PASSENGER_INCHES


def may_cross(mover_side: int, base_side: int) -> bool:
    """Return whether a move may go over that base: over allied ones only. Rules: FE-MOV-10."""
    return mover_side == base_side


MAX_RANKS = 20
FREE_VEER = Fraction(1, 2)


def multiples(ranks: int) -> tuple[Fraction, ...]:
    """Return the multiples of the basic Move, one per rank: 1 1/2, 2, 3, 4 ... Raises InvalidInput.

    Rules: FE-META-01.
    """
    if not 0 <= ranks <= MAX_RANKS:
        raise InvalidInput(f"A figure can have 0 to {MAX_RANKS} surge ranks (you entered {ranks}).")
    return (Fraction(3, 2), *(Fraction(number) for number in range(2, ranks + 1)))[:ranks]


def deviations_of(turn_degrees: float = 0, veer_bases: float = 0) -> int:
    """Return how many deviations one change of course counts.

    turn_degrees: 0 to 180; below 45 nothing, to 90 one, above two. veer_bases: how far the path leaves the
    straight line, in widths of the base; more than half counts one. Raises InvalidInput. Rules: FE-META-02.
    """
    if not 0 <= turn_degrees <= 180 or veer_bases < 0:
        raise InvalidInput("A turn must be between 0 and 180 degrees, and a veer must be 0 or more.")
    turned = 0 if turn_degrees < 45 else 1 if turn_degrees <= 90 else 2
    return max(turned, int(veer_bases > FREE_VEER))


def surge_multiple(ranks: int, deviations: int) -> Fraction:
    """Return the highest multiple left after deviations, never below 1. Rules: FE-META-01, FE-META-02."""
    if deviations < 0:
        raise InvalidInput("The number of deviations must be 0 or more.")
    steps = (Fraction(1), *multiples(ranks))
    return steps[max(0, len(steps) - 1 - deviations)]


def surge_through(basic: int, multiple: Fraction, grounds: tuple[Ground, ...]) -> float:
    """Return inches of a surge whose multiples are spent on these grounds, one ground for each Move multiple.

    multiple: as `surge_multiple` gives it; a half counts as the last, shorter part. grounds: those of the
    multiples, clear where fewer are given. Raises Forbidden for Impassable ground, InvalidInput for more
    grounds than multiples. Rules: FE-META-03.
    """
    parts = [Fraction(1)] * int(multiple) + ([multiple % 1] if multiple % 1 else [])
    if len(grounds) > len(parts) or any(ground not in WORST for ground in grounds):
        raise InvalidInput(
            f"Enter at most {times(len(parts), 'kind')} of terrain, one for each multiple of the Move."
        )
    if "impassable" in grounds:
        raise Forbidden("You can't cross Impassable terrain.", "FE-TER-04")
    clear: tuple[Ground, ...] = ("clear",)
    padded = (*grounds, *(clear * (len(parts) - len(grounds))))
    return sum(rounded(basic * part * SHARES[ground]) for part, ground in zip(parts, padded, strict=True))
