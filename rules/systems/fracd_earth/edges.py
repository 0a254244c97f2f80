"""Buying with Edges: what a won attack or defence may be turned into.

Owns the budget of a primary success and its Edges. The list with its costs is data.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from rules.refusals import Forbidden, InvalidInput, allows
from rules.systems.fracd_earth.library import EdgeKind
from rules.systems.fracd_earth.profile import Figure
from rules.systems.fracd_earth.settings import Settings

EXTRA_TARGET_INCHES = 3
MAX_BOUGHT = 20


@dataclass(frozen=True, slots=True)
class Budget:
    """What there is to spend: the primary success, and Edges. `listed` are keys that the Crew Card names,
    `repeatable` those of which the attack type allows several, `team` shares alternating attacks.
    """

    edges: int
    primary: bool = True
    listed: tuple[str, ...] = ()
    repeatable: tuple[str, ...] = ("extra_hit", "extra_target")
    team: bool = False


@dataclass(frozen=True, slots=True)
class Purchase:
    """What it came to. `hits` on the main opponent (the primary one included), `targets` further opponents
    hit, `column_shift` of the Severity, `inches` of a move; `keeps_primary` and `edges_left` say what it
    cost.
    """

    keeps_primary: bool
    hits: int
    targets: int
    column_shift: int
    inches: int
    edges_left: int


def usable_edges(edges: int, user: Figure, opponent: Figure) -> int:
    """Edges that the user has against this opponent: none for a Minion against others. Rules: FE-CREW-02."""
    return 0 if user.profile.rank == "minion" and opponent.profile.rank != "minion" else edges


def cost_of(kind: EdgeKind, budget: Budget) -> int:
    """Edges that it costs; a team's alternating hits cost one. Rules: FE-OUT-08, FE-OUT-11, FE-TEAM-02."""
    return 1 if budget.team and kind.hits else kind.cost


def kind_of(key: str, settings: Settings) -> EdgeKind:
    """The thing of that key. Raises InvalidInput. Rules: FE-OUT-08."""
    for kind in settings.edges:
        if kind.key == key:
            return kind
    names = ", ".join(kind.key for kind in settings.edges)
    raise InvalidInput(f"An Edge buys one of: {names}.")


def purchase(
    budget: Budget, wanted: tuple[str, ...], settings: Settings, *, give_up_primary: bool = False
) -> Purchase:
    """Spend Edges, and the primary success where they do not suffice or the player gives it up.

    wanted: keys of the settings' edges. A one-Edge effect may take the place of the primary success; a
    two-Edge effect may be paid with it and one Edge, or with two Edges where the settings say so. An Extra
    Hit follows the primary hit and is paid with Edges alone. Raises Forbidden for what cannot be paid or is
    not open, InvalidInput. Rules: FE-OUT-08, FE-OUT-09, FE-OUT-10, FE-OUT-11, FE-OUT-12.
    """
    if len(wanted) > MAX_BOUGHT:
        raise InvalidInput(f"At most {MAX_BOUGHT} effects at once.")
    kinds = tuple(kind_of(key, settings) for key in wanted)
    _refuse(kinds, budget)
    keeps, left = _pay(kinds, budget, settings, give_up_primary)
    if not keeps and any(kind.hits for kind in kinds):
        raise Forbidden("An Extra Hit follows the hit: it is not paid with it.", "FE-OUT-11")
    hits = int(keeps) + sum(kind.hits for kind in kinds)
    if hits < 1 and any(kind.needs_hit for kind in kinds):
        raise Forbidden("Abuse needs a hit: do not give the primary hit up for it.", "FE-OUT-10")
    return Purchase(
        keeps_primary=keeps,
        hits=hits,
        targets=sum(kind.targets for kind in kinds),
        column_shift=sum(kind.column for kind in kinds),
        inches=sum(kind.inches for kind in kinds),
        edges_left=left,
    )


def _refuse(kinds: tuple[EdgeKind, ...], budget: Budget) -> None:
    for kind, times in Counter(kinds).items():
        if kind.listed and kind.key not in budget.listed:
            raise Forbidden(f"{kind.name} must be on the Crew Card.", "FE-OUT-08")
        if times > 1 and (kind.once or kind.key not in budget.repeatable):
            raise Forbidden(f"{kind.name} is bought once at most here.", "FE-OUT-11")
    if sum(1 for kind in kinds if kind.column) > 1:
        raise Forbidden("A hit gets Abuse or Extra Abuse, not both.", "FE-OUT-10")


def _pay(
    kinds: tuple[EdgeKind, ...], budget: Budget, settings: Settings, give_up_primary: bool
) -> tuple[bool, int]:
    """Whether the primary success is kept, and the Edges left."""
    costs = [cost_of(kind, budget) for kind in kinds]
    dear = any(cost == 2 and not kind.hits for kind, cost in zip(kinds, costs, strict=True))
    pays_with_primary = dear and not settings.two_edges_keep_hit
    keeps = budget.primary and not give_up_primary and not pays_with_primary and sum(costs) <= budget.edges
    if keeps or not costs:
        return keeps, budget.edges - sum(costs)
    left = budget.edges + int(budget.primary) - sum(costs)
    if left < 0:
        raise Forbidden(
            f"That costs {sum(costs)}; there are {budget.edges} Edges"
            + (" and the primary success." if budget.primary else "."),
            "FE-OUT-09",
        )
    return False, left


def allowed(budget: Budget, wanted: tuple[str, ...], settings: Settings) -> bool:
    """Whether these could be bought together. Rules: FE-OUT-08, FE-OUT-09."""
    return allows(purchase, budget, wanted, settings)


def extra_target_refusal(
    trait: str, inches_from_target: float, inches_from_fighter: float, reach: float
) -> None:
    """Raise Forbidden unless a second opponent is near enough.

    For a shot (or power) within 3 inches of the main target, for a Fight within the fighter's reach.
    Rules: FE-OUT-12.
    """
    if trait == "fight":
        if inches_from_fighter > reach:
            raise Forbidden("The second opponent is out of the weapon's reach.", "FE-OUT-12")
    elif inches_from_target > EXTRA_TARGET_INCHES:
        raise Forbidden(f"A second target stands within {EXTRA_TARGET_INCHES} in of the first.", "FE-OUT-12")
