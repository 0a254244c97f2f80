"""What totals mean: margins, Partial Successes, how many Edges, whether an attack hits, counterattacks.

Owns the frozen results of Challenges. It knows no cards.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth.settings import Settings

POINTS_PER_EDGE = 3


def edges(margin: int) -> int:
    """Edges of a margin: one for every full 3 points, none below 3. Rules: FE-OUT-05, FE-CHK-07."""
    return max(0, margin) // POINTS_PER_EDGE


@dataclass(frozen=True, slots=True)
class ChallengeResult:
    """How a Challenge ended: `margin` is the active total less the reactive one; `all_or_nothing` as
    declared.

    Rules: FE-OUT-01, FE-OUT-02.
    """

    margin: int
    all_or_nothing: bool = False

    @property
    def partial(self) -> bool:
        """Equal totals: a Partial Success of both."""
        return self.margin == 0

    @property
    def success(self) -> bool:
        """Whether the active side achieves its action at least in part. Rules: FE-OUT-01, FE-OUT-02."""
        return self.margin > 0 or (self.margin == 0 and not self.all_or_nothing)

    @property
    def edges(self) -> int:
        """Edges of the winner. Rules: FE-OUT-03, FE-OUT-04, FE-OUT-06, FE-OUT-07."""
        return edges(abs(self.margin))


@dataclass(frozen=True, slots=True)
class AttackResult:
    """What an attack came to. `hit`: the target takes the effect; `column_shift` moves its Severity (-1 after
    a partial hit); `edges` are the attacker's; `defence_edges` the defender's.
    """

    hit: bool
    column_shift: int = 0
    edges: int = 0
    defence_edges: int = 0


def attack_result(result: ChallengeResult, settings: Settings) -> AttackResult:
    """Read a Challenge as an attack and its defence.

    Equal totals: a partial hit one column to the left, or no hit, as the settings say; never for an All or
    Nothing effect. Rules: FE-OUT-01, FE-OUT-02, FE-OUT-03, FE-OUT-04, FE-OUT-06, FE-OUT-07, FE-DEF-03.
    """
    if result.margin > 0:
        return AttackResult(hit=True, edges=result.edges)
    if result.margin < 0:
        return AttackResult(hit=False, defence_edges=result.edges)
    if result.all_or_nothing or settings.tie_rule == "defender_wins":
        return AttackResult(hit=False)
    return AttackResult(hit=True, column_shift=-1)


def inactive_target_result(total: int, *, all_or_nothing: bool = False) -> AttackResult:
    """An attack Check against a target that can neither defend nor manoeuvre: 10 or more hits.

    Exactly 10 is a Partial Success: one column left, no hit for an All or Nothing effect. Rules: FE-DEF-02.
    """
    margin = total - 10
    if margin < 0 or (margin == 0 and all_or_nothing):
        return AttackResult(hit=False)
    return AttackResult(hit=True, column_shift=-1 if margin == 0 else 0, edges=edges(margin))


@dataclass(frozen=True, slots=True)
class Counterattack:
    """The original attacker has been hit; `edges` are the defender's to spend."""

    edges: int


def counterattack(
    active_total: int,
    reactive_total: int,
    attacker_def: int,
    *,
    able: bool = True,
    wild_strike: bool = False,
) -> Counterattack | None:
    """The counterattack that a defence earned, or None.

    attacker_def: the basic Def of the original attacker, 0 to 30. able: for a Fight the defender has reach
    and a ready weapon, for a Shoot the attacker stands within Quick range of a ready loaded weapon. Nobody
    counters a Wild Strike. Raises InvalidInput. Rules: FE-DEF-04, FE-DEF-05, FE-RCH-02.
    """
    if not 0 <= attacker_def <= 30:
        raise InvalidInput(f"Def is 0 to 30, not {attacker_def}.")
    left = reactive_total - active_total - attacker_def
    if left < 0 or not able or wild_strike:
        return None
    return Counterattack(edges(left))


def must_counter(
    active_total: int, reactive_total: int, attacker_def: int, *, able: bool, wild_strike: bool = False
) -> Counterattack:
    """The counterattack that a player declares. Raises Forbidden where none was earned.

    Rules: FE-DEF-04, FE-RCH-02.
    """
    if wild_strike:
        raise Forbidden("A Wild Strike may be defended against, not countered.", "FE-RCH-02")
    if not able:
        raise Forbidden(
            "A counterattack needs a ready weapon and the attacker in reach or in Quick range.", "FE-DEF-04"
        )
    found = counterattack(active_total, reactive_total, attacker_def)
    if found is None:
        needed = active_total + attacker_def
        raise Forbidden(f"A counterattack needs a total of {needed}, not {reactive_total}.", "FE-DEF-04")
    return found
