"""Combat Points: what an attack costs, forcing points, and what forcing does to Accuracy.

Owns the purse of one model. Knows no weapons; when points come back is said in `phases`.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.effects import Assign, Effect
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput
from rules.systems.soluna.models import Counter

MAX_COST = 20
FORCED_PENALTY = -2


@dataclass(frozen=True, slots=True)
class Payment:
    """Points paid for one attack: from the purse, forced now, and forced so far this turn, these included."""

    own: int
    forced: int
    forced_so_far: int

    @property
    def modifier(self) -> Modifier | None:
        """What forcing does to this attack's Accuracy; None when nothing was forced for it.

        Rules: SU-CP-02, SU-ACC-10.
        """
        if not self.forced:
            return None
        return Modifier(FORCED_PENALTY * self.forced_so_far, "forced Combat Points", "SU-ACC-10")


def pay(points: int, forced_so_far: int, cost: int = 1, *, force: bool = False) -> Payment:
    """Pay an attack: own points first, the rest forced when `force` is set.

    points: Combat Points left; forced_so_far: forced this turn; cost: 1 to 20.
    Raises Forbidden when the points do not suffice. Rules: SU-CP-01, SU-CP-02.
    """
    if not 1 <= cost <= MAX_COST:
        raise InvalidInput(f"An attack costs 1 to {MAX_COST} Combat Points.")
    own = min(points, cost)
    missing = cost - own
    if missing and not force:
        penalty = FORCED_PENALTY * (forced_so_far + missing)
        raise Forbidden(
            f"{points} Combat Points left, {cost} needed. Say force: Accuracy {penalty}.", "SU-CP-01"
        )
    return Payment(own, missing, forced_so_far + missing)


def after_payment(model: int, points: int, payment: Payment) -> tuple[Effect, ...]:
    """The purse after the attack, hit or miss. Rules: SU-CP-01, SU-CP-02."""
    return (
        Assign("model", model, Counter.POINTS, points - payment.own),
        Assign("model", model, Counter.FORCED, payment.forced_so_far),
    )
