"""Powers that move things: Deep Portal and Telekinesis.

Owns distances, and where a botched portal ends. The dice are prepared and rolled by `psionics`; what a thrown
model falls from or strikes is rolled by `falling.fall` and `environment.collide`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rules.counters import CounterName
from rules.dice import Dice
from rules.effects import Effect, Leave, Propose
from rules.refusals import forbid
from rules.systems.counterblast.core.casualties import CASUALTY
from rules.systems.counterblast.core.checks import CheckResult, Throw, throw
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.general import chart_roll
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Size
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.psionics.mind_powers import floored

CLOCK = 12
TELEKINESIS = CounterName("telekinesis used")
"""Counter of a model: Telekinesis was used on friends or objects in this activation."""

Arrival = Literal["free", "blocked"]
Place = Literal["arrives", "stays", "astray"]


# ------------------------------------------------------------------------------------------- Deep Portal


def portal_inches(psionic: Fighter) -> int:
    """How far Deep Portal reaches: twice Mv, in any direction. Rules: CB-PSI-09."""
    return 2 * psionic.profile.mv


def require_portal(psionic: Fighter, inches: float, *, blocked: bool = False) -> None:
    """Refuse, with Forbidden, a portal too far, or onto Impassable terrain, models, into a building or off
    the table (`blocked`). It may end in contact and engage, but is no charge. Rules: CB-PSI-09.
    """
    if inches > portal_inches(psionic):
        forbid(f"Deep Portal reaches {portal_inches(psionic)} in, not {inches:g} in.", "CB-PSI-09")
    if blocked:
        forbid("Deep Portal needs free, open ground to end on.", "CB-PSI-09")


@dataclass(frozen=True, slots=True)
class Portal:
    """Where a Deep Portal ends: at its spot, not at all, or astray by inches towards a clock point."""

    place: Place
    clock: int = 0
    inches: int = 0


def deep_portal(dice: Dice, throws: tuple[Throw, ...]) -> Portal:
    """Roll Deep Portal: a success arrives, a failure stays, a critical failure arrives 2, 4 or 6 in astray.

    Rules: CB-PSI-09, CB-PSI-10.
    """
    return opened(dice, throw(dice, throws, label="psionics"))


def opened(dice: Dice, result: CheckResult) -> Portal:
    """Where a Deep Portal ends after its check. Rules: CB-PSI-09, CB-PSI-10."""
    if result.critical_failure:
        return dice.call(astray)
    return Portal("arrives" if result.net else "stays")


def astray(dice: Dice) -> Portal:
    """Where a botched portal ends: a random direction, and d10 for the distance. Rules: CB-PSI-10."""
    clock = dice.face(CLOCK, "direction")
    row = load().charts["deep_portal"].row(chart_roll(dice, 0, "distance"))
    return Portal("astray", clock, row.value("inches"))


def after_portal(psionic: Fighter, portal: Portal, arrival: Arrival = "free") -> tuple[Effect, ...]:
    """What arriving astray leads to: on a building, a model, Impassable terrain or beyond the edge the
    psionic is lost. Rules: CB-PSI-10.
    """
    lost = portal.place == "astray" and arrival == "blocked"
    return (Leave(psionic.id, CASUALTY),) if lost else ()


# ------------------------------------------------------------------------------------------- Telekinesis


def telekinesis_inches(source: Size, moved: Size, successes: int, settings: Settings = DEFAULTS) -> int:
    """How far Telekinesis moves something: 3 in for each success on a small base, 2 medium, 1 large.

    By the prose 3 in for bases no larger than the source's, 2 for larger ones, 1 for the largest.
    Rules: CB-PSI-26, CB-PSI-06.
    """
    if settings.psi_text == "prose" and moved != "L":
        order = ("S", "M", "L")
        return successes * (3 if order.index(moved) <= order.index(source) else 2)
    row = load().charts["size_effects"].named(moved)
    return successes * row.value("telekinesis_inches")


def require_telekinesis(psionic: Fighter, *, engages: bool = False, moves_enemy: bool = False) -> None:
    """Refuse, with Forbidden, to move friends or objects twice in an activation, into contact with an enemy,
    or to move an enemy otherwise than by attack. Rules: CB-PSI-24.
    """
    if psionic.count(TELEKINESIS):
        forbid("Telekinesis moves friends and objects once per activation.", "CB-PSI-24")
    if engages:
        forbid("Telekinesis cannot carry a model into contact with an enemy.", "CB-PSI-24")
    if moves_enemy:
        forbid("An enemy is moved by Telekinesis as an attack.", "CB-PSI-25")


def after_lift(
    psionic: Fighter,
    moved: Fighter | None,
    result: CheckResult,
    size: Size = "S",
    settings: Settings = DEFAULTS,
) -> tuple[Effect, ...]:
    """Telekinesis on itself, an ally or an object (None, with its size): how far it may be moved, flying.

    A failure, critical or not, moves nothing. Rules: CB-PSI-24, CB-PSI-26.
    """
    if not result.net:
        return ()
    base = moved.profile.size if moved is not None else size
    inches = telekinesis_inches(psionic.profile.size, base, result.net, settings)
    name = moved.name if moved is not None else "The object"
    reason = f"{name} is moved up to {inches} in, flying; it engages nobody."
    return (Propose("lift", moved.id if moved is not None else 0, reason, (("inches", inches),)),)


def after_throw(
    psionic: Fighter, target: Fighter, result: CheckResult, settings: Settings = DEFAULTS
) -> tuple[Effect, ...]:
    """Telekinesis as an attack: how far the enemy is moved; a critical failure floors the psionic.

    What it falls from or strikes is rolled by `falling.fall` or `environment.collide`.
    Rules: CB-PSI-25, CB-PSI-26.
    """
    if result.critical_failure:
        return floored(psionic, "Telekinesis")
    if not result.net:
        return ()
    inches = telekinesis_inches(psionic.profile.size, target.profile.size, result.net, settings)
    reason = f"{target.name} is thrown up to {inches} in."
    return (Propose("throw", target.id, reason, (("inches", inches),)),)
