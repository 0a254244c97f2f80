"""Initiative and deployment, the start of the Active Turn, the Order Pool and what an Order buys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from rules.counters import CounterName, PerNumber
from rules.dice import Dice
from rules.effects import Assign, Count, Effect, Gain, Lose
from rules.refusals import Forbidden, InvalidInput
from rules.systems.infinity.profile import Profile, Skill, TroopType
from rules.systems.infinity.rolls import Side, face_to_face, round_up
from rules.systems.infinity.settings import DEFAULT, Settings
from rules.systems.infinity.states import is_casualty
from rules.systems.infinity.trooper import Condition, Trooper


class Part(StrEnum):
    """The parts of an Order that a Skill can use."""

    SHORT_MOVEMENT = "short movement skill"
    SHORT = "short skill"
    ENTIRE = "entire order"
    AUTOMATIC = "automatic skill"


def check_order(parts: Iterable[Part]) -> None:
    """Raise Forbidden unless one Order pays for these Skills. Automatic Skills cost nothing.

    Rules: INF-ORD-04.
    """
    paid = [part for part in parts if part is not Part.AUTOMATIC]
    if Part.ENTIRE in paid and len(paid) > 1:
        raise Forbidden("You can't add a second Skill to an Entire Order.", "INF-ORD-04")
    if len(paid) > 2:
        raise Forbidden("You can declare at most two Skills with one Order.", "INF-ORD-04")
    if paid.count(Part.SHORT) > 1:
        raise Forbidden(
            "Choose a Short Movement Skill instead. One Order can't have two Short Skills.", "INF-ORD-04"
        )


@dataclass(frozen=True, slots=True)
class Army:
    """A player's side: its points and all its troopers, those lost or not yet deployed included."""

    side: int
    points: int
    troopers: tuple[Trooper, ...]

    @property
    def lieutenant(self) -> Trooper | None:
        """Return the Lieutenant, wherever it is."""
        return next((trooper for trooper in self.troopers if trooper.lieutenant), None)


def retreat_threshold(points: int) -> int:
    """Return the points of survivors at which, or below, an army is in Retreat!: a quarter, rounded up.

    Rules: INF-RET-01.
    """
    return round_up(points, 4)


def surviving_points(army: Army, *, game_over: bool = False) -> int:
    """Return the cost of all troopers that are no casualties. Rules: INF-RET-01, INF-SHA-03, INF-SHA-04."""
    survivors = (trooper for trooper in army.troopers if not is_casualty(trooper, game_over=game_over))
    return sum(trooper.profile.cost for trooper in survivors)


def in_retreat(army: Army) -> bool:
    """Return whether the count at the start of the own Active Turn puts, or leaves, the army in Retreat!.

    Rules: INF-RET-01, INF-RET-04.
    """
    return surviving_points(army) <= retreat_threshold(army.points)


def immune_to_retreat(trooper: Trooper, settings: Settings = DEFAULT) -> bool:
    """Return whether Retreat! does not touch the trooper. Rules: INF-RET-03, INF-VAL-02, INF-VET-02."""
    courage = 1 in trooper.levels(Skill.VALOR, settings)
    veteran = 1 in trooper.levels(Skill.VETERAN, settings)
    return courage or veteran or bool(trooper.levels(Skill.RELIGIOUS, settings))


RETREAT_SKILLS = frozenset({"short movement", "cautious movement", "change facing", "dodge", "reset"})
"""All that a trooper with a Retreat! Marker may do. Rules: INF-RET-02."""


def check_retreating(trooper: Trooper, skill: str, settings: Settings = DEFAULT) -> None:
    """Raise Forbidden where a Retreat! Marker does not let the trooper use the Skill. Rules: INF-RET-02."""
    barred = trooper.has(Condition.RETREAT) and not immune_to_retreat(trooper, settings)
    if barred and skill.strip().casefold() not in RETREAT_SKILLS:
        raise Forbidden(
            "During Retreat!, this trooper can only move, Change Facing, Dodge or Reset.", "INF-RET-02"
        )


def lost_lieutenant(army: Army, *, retreat: bool = False, settings: Settings = DEFAULT) -> bool:
    """Return whether the check of the Tactical Phase finds the army in Loss of Lieutenant.

    Rules: INF-LOL-01, INF-ISO-02, INF-RET-02, INF-VET-03.
    """
    chief = army.lieutenant
    if retreat or chief is None or not chief.on_table:
        return True
    return chief.is_null or chief.is_isolated(settings)


def can_lead(profile: Profile) -> bool:
    """Return whether a profile fits a Lieutenant: neither Irregular nor a Remote. Rules: INF-LOL-03."""
    return not profile.irregular and profile.type is not TroopType.REM


def can_become_lieutenant(trooper: Trooper, *, retreat: bool = False) -> bool:
    """Return whether the trooper may be appointed at the end of a turn in Loss of Lieutenant.

    Rules: INF-LOL-03, INF-RET-02.
    """
    return can_lead(trooper.current) and not retreat and trooper.on_table and not trooper.is_null


def is_irregular(trooper: Trooper, *, loss: bool, settings: Settings = DEFAULT) -> bool:
    """Return whether the trooper's Order is Irregular this turn.

    loss: the army is in Loss of Lieutenant, or in Retreat!, which brings it along.
    Rules: INF-ORD-02, INF-LOL-02, INF-ISO-01, INF-VET-01, INF-VET-02, INF-VAL-03.
    """
    if trooper.current.irregular or trooper.is_isolated(settings):
        return True
    return loss and 1 not in trooper.levels(Skill.VETERAN, settings)


@dataclass(frozen=True, slots=True)
class OrderPool:
    """Orders to spend: Regular ones by Combat Group, ids of troopers with their own, the Lieutenant's.

    lieutenant: id of the Lieutenant while its Special Order is there, else 0.
    """

    regular: tuple[tuple[int, int], ...] = ()
    irregular: frozenset[int] = frozenset()
    lieutenant: int = 0

    def of_group(self, group: int) -> int:
        """Return the Regular Orders left in a Combat Group."""
        return dict(self.regular).get(group, 0)

    @property
    def total(self) -> int:
        """Return all Orders left."""
        return sum(count for _, count in self.regular) + len(self.irregular) + bool(self.lieutenant)


def count_orders(
    army: Army, *, loss: bool = False, use_strategos: bool = True, settings: Settings = DEFAULT
) -> OrderPool:
    """Make the Order Count. loss: Loss of Lieutenant, Retreat! included. use_strategos: a choice.

    Raises InvalidInput for a Combat Group that is too large.
    Rules: INF-ORD-01, INF-ORD-02, INF-ORD-03, INF-ORD-08, INF-STR-01, INF-STR-02, INF-WND-02.
    """
    sizes = Counter(trooper.group for trooper in army.troopers)
    for group, size in sizes.items():
        if size > settings.max_group:
            raise InvalidInput(
                f"Move troopers to another group. Combat Group {group} has {size} troopers, but can"
                f" have at most {settings.max_group}."
            )
    regular: Counter[int] = Counter(dict.fromkeys(sizes, 0))
    irregular = set()
    for trooper in army.troopers:
        if not trooper.on_table or trooper.is_null:
            continue
        if is_irregular(trooper, loss=loss, settings=settings):
            irregular.add(trooper.id)
        else:
            regular[trooper.group] += 1
    special = 0
    chief = army.lieutenant
    if chief is not None and not loss and chief.on_table and not chief.is_null:
        if use_strategos and 1 in chief.levels(Skill.STRATEGOS, settings):
            regular[chief.group] += 1
        else:
            special = chief.id
    return OrderPool(tuple(sorted(regular.items())), frozenset(irregular), special)


@dataclass(frozen=True, slots=True)
class TacticalPhase:
    """The results of the start of an Active Turn, in this order: Retreat!, Loss of Lieutenant.

    effects: Retreat! Markers, and the Orders as counters.
    """

    retreat: bool
    loss: bool
    effects: tuple[Effect, ...]


def tactical_phase(army: Army, *, use_strategos: bool = True, settings: Settings = DEFAULT) -> TacticalPhase:
    """Make the checks and the count at the start of an Active Turn; later changes do not alter the count.

    Rules: INF-ORD-08, INF-RET-01, INF-RET-02, INF-RET-03, INF-RET-04, INF-LOL-01, INF-LOL-02, INF-ORD-01.
    """
    retreat = in_retreat(army)
    loss = lost_lieutenant(army, retreat=retreat, settings=settings)
    orders = count_orders(army, loss=loss, use_strategos=use_strategos, settings=settings)
    markers = _retreat_markers(army, retreat, settings)
    return TacticalPhase(retreat, loss, (*markers, *order_effects(army, orders)))


def _retreat_markers(army: Army, retreat: bool, settings: Settings) -> tuple[Effect, ...]:
    effects: list[Effect] = []
    for trooper in army.troopers:
        marked = trooper.has(Condition.RETREAT)
        retreating = retreat and not is_casualty(trooper) and not immune_to_retreat(trooper, settings)
        if retreating and not marked:
            effects.append(Gain(trooper.id, Condition.RETREAT, until="retreat"))
        elif marked and not retreating:
            effects.append(Lose(trooper.id, Condition.RETREAT))
    return tuple(effects)


REGULAR_ORDERS = PerNumber("regular_orders_")
"""Counters of a side: Regular Orders left, by Combat Group."""
IRREGULAR_ORDERS = CounterName("irregular_orders")
"""Counter of a model: its own Order is left."""
LIEUTENANT_ORDERS = CounterName("lieutenant_orders")
"""Counter of a side: the Special Lieutenant Order is left."""


def order_effects(army: Army, orders: OrderPool) -> tuple[Effect, ...]:
    """Return the pool as counters: Regular Orders by group, Lieutenant Order, troopers' own Orders.

    The Lieutenant Order is a counter of the side, so that nothing public names the Lieutenant.
    Rules: INF-ORD-01, INF-ORD-02, INF-ORD-03.
    """
    side = army.side
    groups = (Assign("side", side, REGULAR_ORDERS.of(group), count) for group, count in orders.regular)
    own_effects = (
        Assign("model", trooper.id, IRREGULAR_ORDERS, int(trooper.id in orders.irregular))
        for trooper in army.troopers
        if trooper.on_table
    )
    return (*groups, *own_effects, Assign("side", side, LIEUTENANT_ORDERS, int(bool(orders.lieutenant))))


class OrderKind(StrEnum):
    """The kinds of Orders by the troopers that may spend them."""

    REGULAR = "regular"
    IRREGULAR = "irregular"
    LIEUTENANT = "lieutenant"


def spend(pool: OrderPool, trooper: Trooper, kind: OrderKind, settings: Settings = DEFAULT) -> OrderPool:
    """Spend such an Order for the trooper and return the pool. Raises Forbidden if it cannot be spent.

    Rules: INF-ORD-01, INF-ORD-02, INF-ORD-03, INF-WND-02, INF-ISO-01, INF-SHA-02.
    """
    if trooper.is_null or not trooper.on_table:
        raise Forbidden(
            f"Choose another trooper. {trooper.current.name} can't act in its current state.", "INF-WND-02"
        )
    if kind is OrderKind.LIEUTENANT:
        if pool.lieutenant != trooper.id:
            raise Forbidden(
                "Spend another kind of Order. This trooper has no Special Lieutenant Order left.",
                "INF-ORD-03",
            )
        return replace(pool, lieutenant=0)
    if kind is OrderKind.IRREGULAR:
        if trooper.id not in pool.irregular:
            raise Forbidden(
                "Spend another kind of Order. This trooper has no Irregular Order left.", "INF-ORD-02"
            )
        return replace(pool, irregular=pool.irregular - {trooper.id})
    if trooper.is_isolated(settings):
        raise Forbidden("This trooper can only spend its own Order because it is Isolated.", "INF-ISO-01")
    pool_orders = pool.of_group(trooper.group)
    if pool_orders < 1:
        raise Forbidden(
            f"Activate another trooper. Combat Group {trooper.group} has no Regular Orders left.",
            "INF-ORD-01",
        )
    counts = dict(pool.regular) | {trooper.group: pool_orders - 1}
    return replace(pool, regular=tuple(sorted(counts.items())))


def spend_effect(trooper: Trooper, kind: OrderKind) -> Effect:
    """Return the counter that an Order spent lowers. Rules: INF-ORD-01, INF-ORD-02, INF-ORD-03."""
    if kind is OrderKind.IRREGULAR:
        return Count("model", trooper.id, IRREGULAR_ORDERS, -1)
    key = LIEUTENANT_ORDERS if kind is OrderKind.LIEUTENANT else REGULAR_ORDERS.of(trooper.group)
    return Count("side", trooper.side, key, -1)


DEPLOYMENT_STEPS = (
    "The first player deploys everything except the troopers kept back.",
    "The second player deploys everything except the troopers kept back.",
    "The first player deploys the troopers kept back.",
    "The second player deploys the troopers kept back.",
)
"""Order of deployment. Rules: INF-DEP-02."""


def initiative(dice: Dice, wip_a: int, wip_b: int) -> int:
    """Roll the Lieutenants' WIP Face to Face: 1 or 2 for the winner, 0 for a tie or double failure.

    Rules: INF-DEP-01.
    """
    return face_to_face(dice, Side(1, wip_a, attacks=False), Side(1, wip_b, attacks=False)).winner


def strategos(trooper: Trooper | None, settings: Settings = DEFAULT) -> frozenset[int]:
    """Return working Levels of Strategos: those of the army's Lieutenant. Rules: INF-STR-01, INF-LVL-01."""
    if trooper is None or not trooper.lieutenant:
        return frozenset()
    return trooper.levels(Skill.STRATEGOS, settings)


def reserve(own: frozenset[int], enemy: frozenset[int]) -> int:
    """Return the most troopers a player may deploy after the opponent; both as `strategos` gives them.

    Rules: INF-DEP-02, INF-STR-03, INF-STR-04, INF-STR-05.
    """
    return max(0, (2 if 2 in own else 1) - (1 if 3 in enemy else 0))
