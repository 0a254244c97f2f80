"""The meaning of totals: margins, hits, counterattacks, and what Edges buy."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from rules.refusals import Forbidden, InvalidInput, is_allowed
from rules.systems.fracd_earth.library import EdgeKind
from rules.systems.fracd_earth.profile import Figure
from rules.systems.fracd_earth.settings import Settings
from rules.wording import times

POINTS_PER_EDGE = 3


def edges(margin: int) -> int:
    """Return edges of a margin: one for every full 3 points, none below 3. Rules: FE-OUT-05, FE-CHK-07."""
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
        """Return whether totals are equal: a Partial Success of both."""
        return self.margin == 0

    @property
    def success(self) -> bool:
        """Return whether the active side achieves its action, even partly. Rules: FE-OUT-01, FE-OUT-02."""
        return self.margin > 0 or (self.margin == 0 and not self.all_or_nothing)

    @property
    def edges(self) -> int:
        """Return the edges of the winner. Rules: FE-OUT-03, FE-OUT-04, FE-OUT-06, FE-OUT-07."""
        return edges(abs(self.margin))


@dataclass(frozen=True, slots=True)
class AttackResult:
    """The result of an attack. `hit`: the target takes the effect; `column_shift` moves its Severity (-1
    after a partial hit); `edges` are the attacker's; `defence_edges` the defender's.
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
    """Return an attack Check against a target that can neither defend nor manoeuvre: 10 or more hits.

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
    active_total: int, reactive_total: int, attacker_def: int, *, able: bool = True, wild_strike: bool = False
) -> Counterattack | None:
    """Return the counterattack that a defence earned, or None.

    attacker_def: the basic Def of the original attacker, 0 to 30. able: for a Fight the defender has reach
    and a ready weapon, for a Shoot the attacker stands within Quick range of a ready loaded weapon. No one
    counters a Wild Strike. Raises InvalidInput. Rules: FE-DEF-04, FE-DEF-05, FE-RCH-02.
    """
    if not 0 <= attacker_def <= 30:
        raise InvalidInput(f"Def must be between 0 and 30 (you entered {attacker_def}).")
    margin = reactive_total - active_total - attacker_def
    if margin < 0 or not able or wild_strike:
        return None
    return Counterattack(edges(margin))


def must_counter(
    active_total: int, reactive_total: int, attacker_def: int, *, able: bool, wild_strike: bool = False
) -> Counterattack:
    """Return the counterattack that a player declares. Raises Forbidden where none was earned.

    Rules: FE-DEF-04, FE-RCH-02.
    """
    if wild_strike:
        raise Forbidden("You can defend against a Wild Strike, but not counter it.", "FE-RCH-02")
    if not able:
        raise Forbidden(
            ("To counterattack, you need a ready weapon with the attacker within its reach or Quick range."),
            "FE-DEF-04",
        )
    counter = counterattack(active_total, reactive_total, attacker_def)
    if counter is None:
        needed = active_total + attacker_def
        raise Forbidden(
            f"A counterattack needs a total of {needed} (you have {reactive_total}).", "FE-DEF-04"
        )
    return counter


EXTRA_TARGET_INCHES = 3
MAX_BOUGHT = 20


@dataclass(frozen=True, slots=True)
class Budget:
    """The Edges that can be spent and the primary success. `listed` are keys that the Crew Card names,
    `repeatable` those that the attack type allows several times, `team` shares alternating attacks.
    """

    edges: int
    primary: bool = True
    listed: tuple[str, ...] = ()
    repeatable: tuple[str, ...] = ("extra_hit", "extra_target")
    team: bool = False


@dataclass(frozen=True, slots=True)
class Purchase:
    """The result of spending Edges. `hits` on the main opponent (including the primary one), `targets`
    further opponents hit, `column_shift` of the Severity, `inches` of a move; `keeps_primary` and
    `edges_left` say what it cost.
    """

    keeps_primary: bool
    hits: int
    targets: int
    column_shift: int
    inches: int
    edges_left: int


def usable_edges(edges: int, user: Figure, opponent: Figure) -> int:
    """Return the Edges usable against this opponent: none for a Minion against others. Rules: FE-CREW-02."""
    return 0 if user.profile.rank == "minion" and opponent.profile.rank != "minion" else edges


def cost_of(kind: EdgeKind, budget: Budget) -> int:
    """Return its cost in Edges, one for a team's two hits. Rules: FE-OUT-08, FE-OUT-11, FE-TEAM-02."""
    return 1 if budget.team and kind.hits else kind.cost


def kind_of(key: str, settings: Settings) -> EdgeKind:
    """Return the thing of that key. Raises InvalidInput. Rules: FE-OUT-08."""
    for kind in settings.edges:
        if kind.key == key:
            return kind
    names = ", ".join(kind.key for kind in settings.edges)
    raise InvalidInput(f"Spend Edges on one of these: {names}.")


def purchase(
    budget: Budget, purchases: tuple[str, ...], settings: Settings, *, give_up_primary: bool = False
) -> Purchase:
    """Spend Edges, and the primary success where they do not suffice or the player gives it up.

    purchases: keys of the settings' edges. A one-Edge effect may take the place of the primary success; a
    two-Edge effect may be paid with it and one Edge, or with two Edges where the settings say so. An Extra
    Hit follows the primary hit and is paid with Edges alone. Raises Forbidden for what cannot be paid or is
    not open, InvalidInput. Rules: FE-OUT-08, FE-OUT-09, FE-OUT-10, FE-OUT-11, FE-OUT-12.
    """
    if len(purchases) > MAX_BOUGHT:
        raise InvalidInput(f"Buy at most {MAX_BOUGHT} effects at once.")
    kinds = tuple(kind_of(key, settings) for key in purchases)
    _refuse(kinds, budget)
    keeps_primary, edges_left = _pay(kinds, budget, settings, give_up_primary)
    if not keeps_primary and any(kind.hits for kind in kinds):
        raise Forbidden("You can buy an Extra Hit only if you keep the primary hit.", "FE-OUT-11")
    hits = int(keeps_primary) + sum(kind.hits for kind in kinds)
    if hits < 1 and any(kind.needs_hit for kind in kinds):
        raise Forbidden("You can buy Abuse only if you keep the primary hit.", "FE-OUT-10")
    return Purchase(
        keeps_primary=keeps_primary,
        hits=hits,
        targets=sum(kind.targets for kind in kinds),
        column_shift=sum(kind.column for kind in kinds),
        inches=sum(kind.inches for kind in kinds),
        edges_left=edges_left,
    )


def _refuse(kinds: tuple[EdgeKind, ...], budget: Budget) -> None:
    for kind, count in Counter(kinds).items():
        if kind.listed and kind.key not in budget.listed:
            raise Forbidden(
                f'You can only buy "{kind.name}" if it is on the figure\'s Crew Card.', "FE-OUT-08"
            )
        if count > 1 and (kind.once or kind.key not in budget.repeatable):
            raise Forbidden(f'You can buy "{kind.name}" only once per attack.', "FE-OUT-11")
    if sum(1 for kind in kinds if kind.column) > 1:
        raise Forbidden("Buy either Abuse or Extra Abuse for a hit, not both.", "FE-OUT-10")


def _pay(
    kinds: tuple[EdgeKind, ...], budget: Budget, settings: Settings, give_up_primary: bool
) -> tuple[bool, int]:
    """Whether the primary success is kept, and the Edges left."""
    costs = [cost_of(kind, budget) for kind in kinds]
    dear = any(cost == 2 and not kind.hits for kind, cost in zip(kinds, costs, strict=True))
    pays_with_primary = dear and not settings.two_edges_keep_hit
    keeps_primary = (
        budget.primary and not give_up_primary and not pays_with_primary and sum(costs) <= budget.edges
    )
    if keeps_primary or not costs:
        return keeps_primary, budget.edges - sum(costs)
    edges_left = budget.edges + int(budget.primary) - sum(costs)
    if edges_left < 0:
        raise Forbidden(
            f"That costs {times(sum(costs), 'Edge')} (you have {budget.edges}"
            + (" and the primary success)." if budget.primary else ")."),
            "FE-OUT-09",
        )
    return False, edges_left


def allowed(budget: Budget, purchases: tuple[str, ...], settings: Settings) -> bool:
    """Return whether these could be bought together. Rules: FE-OUT-08, FE-OUT-09."""
    return is_allowed(purchase, budget, purchases, settings)


def extra_target_refusal(
    trait: str, inches_from_target: float, inches_from_fighter: float, reach: float
) -> None:
    """Raise Forbidden unless a second opponent is near enough.

    For a shot (or power) within 3 inches of the main target, for a Fight within the fighter's reach.
    Rules: FE-OUT-12.
    """
    if trait == "fight":
        if inches_from_fighter > reach:
            raise Forbidden("Pick a second opponent within the weapon's reach.", "FE-OUT-12")
    elif inches_from_target > EXTRA_TARGET_INCHES:
        raise Forbidden(f"Pick a second target within {EXTRA_TARGET_INCHES} in of the first.", "FE-OUT-12")
