"""Orders at the table: how many are left, what one pays for, declaring Skills and attacks with them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from bot.actions import Action
from bot.games.infinity import concealment, troops
from bot.games.infinity.chances import attack_chances
from bot.games.infinity.debts import check_debts, forget_debts
from bot.games.infinity.duels import pairs_of
from bot.games.infinity.narration import Declaring, join_into_line
from bot.games.infinity.order_resolution import check_finished, finish_quietly, go_on_from, waiting_sentence
from bot.games.infinity.order_rows import Order, new_order, order_of, store_order
from bot.games.infinity.reaction_windows import is_full
from bot.games.infinity.state import ModelState, side_state
from bot.games.infinity.troops import active_side_of, settings_for
from bot.replies.reply import Reply
from bot.table.act import Act, ActView
from bot.table.encounter import EncounterView
from bot.table.steps import Chances
from rules.refusals import Forbidden, InvalidInput
from rules.systems.infinity import orders
from rules.systems.infinity.orders import (
    OrderKind,
    OrderPool,
    Part,
    check_order,
    check_retreating,
    spend_effect,
)
from rules.systems.infinity.settings import Settings
from rules.systems.infinity.trooper import MARKERS, Condition, Trooper
from rules.wording import possessive, times

ORDER_KINDS = {
    "regular": OrderKind.REGULAR,
    "irregular": OrderKind.IRREGULAR,
    "lieutenant": OrderKind.LIEUTENANT,
}
"""Words for whose Order is spent; `auto` takes the trooper's own, else one of its group's."""


def pool_of(encounter: EncounterView, side: int) -> OrderPool:
    """Return the Orders of a side that are left."""
    pool, models = side_state(encounter, side), encounter.models(side)
    orders_by_group = {
        group: pool.regular_orders[group] for group in {1, *(ModelState(row).group for row in models)}
    }
    own_order_ids = {row.id for row in models if ModelState(row).own_order}
    lieutenant_id = concealment.lieutenant_of(encounter, side) if pool.lieutenant_order else 0
    return OrderPool(tuple(sorted(orders_by_group.items())), frozenset(own_order_ids), lieutenant_id)


def describe_pool(pool: OrderPool) -> str:
    """Return the Regular Orders by Combat Group."""
    counts = [f"{count} in Group {group}" for group, count in pool.regular]
    return ", ".join(counts)


def _choose_kind(pool: OrderPool, trooper: Trooper, kind_word: str, settings: Settings) -> OrderKind:
    """Return what pays: what was named, else its own Order, else its group's, else the Lieutenant's.

    Rules: INF-ORD-02, INF-ORD-03.
    """
    if kind_word in ORDER_KINDS:
        return ORDER_KINDS[kind_word]
    if trooper.id in pool.irregular:
        return OrderKind.IRREGULAR
    group_can_pay = pool.of_group(trooper.group) > 0 and not trooper.is_isolated(settings)
    return OrderKind.LIEUTENANT if pool.lieutenant == trooper.id and not group_can_pay else OrderKind.REGULAR


def _find_payment(act: ActView, trooper: Trooper, kind_word: str) -> OrderKind:
    """Return whose Order would activate a trooper; one in Hidden Deployment counts as placed.

    Raises Forbidden unless overridden. Rules: INF-ORD-01, INF-ORD-02, INF-ORD-03.
    """
    hidden_conditions = {
        (kind, value) for kind, value in trooper.conditions if kind == Condition.HIDDEN_DEPLOYMENT
    }
    placed_trooper = replace(trooper, conditions=trooper.conditions - hidden_conditions)
    pool = pool_of(act.encounter, trooper.side)
    kind = _choose_kind(pool, placed_trooper, kind_word, settings_for(act))
    with act.overridable():
        orders.spend(pool, placed_trooper, kind, settings_for(act))
    return kind


def _spend(act: Act, trooper: Trooper, kind: OrderKind) -> str:
    """Spend an Order on a trooper, which is on the table now; the line that says so."""
    concealment.apply_effects(act.encounter, [spend_effect(trooper, kind)])
    if kind is OrderKind.REGULAR:
        orders_left = pool_of(act.encounter, trooper.side).of_group(trooper.group)
        return f"It spends an Order from Combat Group {trooper.group} ({orders_left} left)."
    return (
        "It spends its own Irregular Order."
        if kind is OrderKind.IRREGULAR
        else "It spends the Special Lieutenant Order."
    )


def check_turn(act: ActView, trooper: Trooper) -> None:
    """Raise Forbidden unless it is the Active Turn of the trooper's side. Rules: INF-ORD-05."""
    active_side = active_side_of(act.encounter)
    if active_side and active_side != trooper.side:
        with act.overridable():
            name = act.encounter.side(active_side).name
            raise Forbidden(f"React with /inf aro. It is {possessive(name)} turn.", "INF-ORD-05")


def check_skill(trooper: Trooper, parts: tuple[str, ...], part: Part, rules_word: str, act: ActView) -> None:
    """Raise Forbidden for a Skill that does not go into the Order. Rules: INF-ORD-04, INF-RET-02."""
    with act.overridable():
        if trooper.is_null:
            raise Forbidden(
                f"Choose another trooper. {trooper.current.name} can't act in its current state.",
                "INF-WND-02",
            )
        check_order((*(Part(earlier_part) for earlier_part in parts), part))
        check_retreating(trooper, rules_word, settings_for(act))


@dataclass(frozen=True, slots=True)
class Declaration:
    """An Order with a Skill declared, and what was said on the way."""

    order: Order
    lines: tuple[str, ...] = ()


def find_order_or_payment(
    act: ActView, trooper: Trooper, part: Part, rules_word: str, *, kind: str = "auto"
) -> tuple[Order | None, OrderKind | None]:
    """Return the Order that a Skill would be added to, or what would pay for a new one.

    word: the rules' word for it where Retreat! asks. Changes nothing: odds ask it too. Raises Forbidden and
    InvalidInput. Rules: INF-ORD-01, INF-ORD-04, INF-ORD-05, INF-GUT-01, INF-VAL-13.
    """
    check_turn(act, trooper)
    current_order = order_of(act.encounter)
    if current_order is not None and current_order.window:
        raise Forbidden(waiting_sentence(act.encounter, current_order), "INF-ORD-05")
    if current_order is not None and current_order.model == trooper.id and not is_full(current_order):
        if kind in ORDER_KINDS:
            raise InvalidInput(
                'Leave "Order to spend" blank. This is the second Skill of an Order that you have already'
                " spent."
            )
        check_skill(trooper, current_order.parts, part, rules_word, act)
        return current_order, None
    if current_order is not None:
        check_finished(act.encounter, current_order)
    check_skill(trooper, (), part, rules_word, act)
    check_debts(act)
    return None, _find_payment(act, trooper, kind) if active_side_of(act.encounter) else None


def declare(
    act: Act, trooper: Trooper, part: Part, skill: str, word: str, *, kind: str = "auto", reveals: bool = True
) -> Declaration:
    """Begin an Order with this Skill, or add it to the trooper's Order under way.

    reveals: a Marker that does this shows its figure. Raises what `find_order_or_payment` raises.
    Rules: INF-SS-02.
    """
    current_order, payment = find_order_or_payment(act, trooper, part, word, kind=kind)
    state = hiding_state(trooper)
    lines: list[str] = []
    if current_order is None:
        lines += finish_quietly(act)
        forget_debts(act.encounter)
    if trooper.id < 0 or (reveals and state):
        trooper, line = reveal_figure(act, trooper)
        lines.append(line)
    if payment is not None:
        lines.append(_spend(act, trooper, payment))
    current_order = current_order or new_order(act.encounter, trooper.side, trooper.id, state)
    is_second_move = part is Part.SHORT_MOVEMENT and Part.SHORT in current_order.parts
    order = replace(
        current_order,
        entry=act.entry,
        parts=(*current_order.parts, part.value),
        skills=(*current_order.skills, skill),
        skill=current_order.skill if is_second_move else skill,
    )
    store_order(act.encounter, order)
    return Declaration(order, tuple(lines))


def hiding_state(trooper: Trooper) -> str:
    """Return the Marker state, or Hidden Deployment, that a trooper is in."""
    for state in (*sorted(MARKERS), Condition.HIDDEN_DEPLOYMENT):
        if trooper.has(state):
            return str(state)
    return ""


def reveal_figure(act: Act, trooper: Trooper) -> tuple[Trooper, str]:
    """Place the figure; returns the trooper as it is now and the line that says so."""
    row, line = concealment.reveal(act.encounter, trooper.id)
    return troops.trooper(act.encounter, row), line


A = TypeVar("A", bound=Action)


@dataclass(frozen=True, slots=True)
class ReadyAttack:
    """An attack that may be declared: its attacker, its future Order, and the part that it needs.

    said: the sentence that tells it, with the attacker's name to be put in. label: on the button that does
    it. told: in place of chances, where nothing is rolled.
    """

    trooper: Trooper
    order: Order
    part: Part
    said: str
    label: str
    told: tuple[str, ...] = ()


def build_order(act: ActView, trooper: Trooper, terms: Order, part: Part, kind: str) -> Order:
    """Return the Order as it will stand when the attack is declared.

    Raises what `find_order_or_payment` raises.
    """
    current_order, _ = find_order_or_payment(act, trooper, part, "attack", kind=kind)
    order = current_order or Order(0, trooper.side, trooper.id, was=hiding_state(trooper))
    return replace(order.with_terms(terms), skill=terms.skill)


def build_ready_attack(
    act: ActView, trooper: Trooper, order: Order, part: Part, sentence: str, label: str
) -> ReadyAttack:
    """Return the attack, where the rules allow it. Raises Forbidden, InvalidInput."""
    pairs_of(act.encounter, order, (), settings_for(act))
    return ReadyAttack(trooper, order, part, sentence, label)


class Attacking(Declaring[A, ReadyAttack], Generic[A]):
    """An attack: declared, and resolved once all have chosen."""

    def labelled(self, action: A, ready: ReadyAttack) -> str:
        return ready.label

    def do(self, act: Act, action: A, ready: ReadyAttack) -> Reply:
        kind = str(getattr(action, "order", "auto"))
        declaration = declare(act, ready.trooper, ready.part, ready.order.skill, "attack", kind=kind)
        passed = tuple(exception.rule for exception in act.overridden if exception.rule)
        order = self.declared(act, action, replace(declaration.order.with_terms(ready.order), passed=passed))
        sentence = ready.said.format(name=act.encounter.model(order.model).name)
        lines = [sentence, *terms_lines(act, order), *declaration.lines]
        if order.surprise:
            attack_word = "Attack" if order.skill == "fight" else "Shot"
            lines.append(f"It attacks from hiding, so this is a Surprise {attack_word}.")
        return go_on_from(act, order, lines)

    def declared(self, act: Act, action: A, order: Order) -> Order:
        """Return the Order once whatever comes with its declaration is done."""
        return order

    def chances(self, act: ActView, action: A, ready: ReadyAttack) -> Chances:
        return attack_chances(act, ready.order)


def terms_lines(act: Act, order: Order) -> list[str]:
    """Return what was declared with an attack, for the opponent to check: weapon, inches, cover."""
    parts = [order.weapon]
    for target_mark in order.marks:
        if order.skill != "fight":
            name = f"{act.encounter.model(target_mark.model).name} " if len(order.marks) > 1 else ""
            dice = f", {times(target_mark.dice, 'die', 'dice')}" if len(order.marks) > 1 else ""
            parts.append(f"{name}{target_mark.inches:g} in{dice}{', in cover' if target_mark.cover else ''}")
        if target_mark.unseen:
            parts.append("the target has no line of fire")
    lines = join_into_line([*parts, *list_terms(order)])
    weapon = troops.by_id(act.encounter, order.model).current.weapon(order.weapon) if order.weapon else None
    if weapon is None or not weapon.template:
        return lines
    if not order.under:
        return [*lines, "No one else is under the template."]
    first_name, *other_names = (act.encounter.model(number).name for number in order.under)
    lines += join_into_line([f"Also under the template: {first_name}", *other_names])
    return [*lines, "If the attack hits, it hits everyone under the template, as in the core rules."]


def list_terms(order: Order) -> list[str]:
    """Return what was declared with an attack, whatever its target."""
    parts = ["the shooter has no line of fire"] if not order.sight else []
    parts += ["the shooter is in cover"] if order.cover else []
    parts += ["through a Zero Visibility Zone"] if order.zero_visibility else []
    parts += [f"visibility {order.visibility:+d}"] if order.visibility else []
    parts += [f"range {order.range_mod:+d}"] if order.range_mod else []
    parts += [f"Martial Arts L{order.martial_arts}"] if order.martial_arts else []
    parts += [times(order.allies, "ally in contact", "allies in contact")] if order.allies else []
    return [*parts, f"MOD {order.mod:+d}"] if order.mod else parts
