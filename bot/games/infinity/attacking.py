"""What all attacks of an Order share: whom they may be aimed at, how they are checked, declared, weighed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from bot.actions import Action
from bot.games.infinity import troops
from bot.games.infinity.chances import attack_chances
from bot.games.infinity.common import settings
from bot.games.infinity.order_play import declare, ready, state_of_hiding
from bot.games.infinity.orders_row import Order
from bot.games.infinity.pairs import pairs_of
from bot.games.infinity.resolve_play import go_on_from
from bot.games.infinity.throwing import Declaring
from bot.games.infinity.words import wrapped
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.steps import Chances
from rules.systems.infinity.orders import Part
from rules.systems.infinity.trooper import Trooper
from rules.wording import times

A = TypeVar("A", bound=Action)


@dataclass(frozen=True, slots=True)
class ReadyAttack:
    """An attack that may be declared: by whom, its Order as it will stand, what it takes of it.

    said: the sentence that tells it, with the attacker's name to be put in. label: on the button that does
    it. told: in place of chances, where nothing is rolled.
    """

    one: Trooper
    order: Order
    part: Part
    said: str
    label: str
    told: tuple[str, ...] = ()


def order_for(act: Act, one: Trooper, terms: Order, part: Part, kind: str) -> Order:
    """The Order as it will stand when the attack is declared. Raises what `ready` raises."""
    under_way, _ = ready(act, one, part, "attack", kind=kind)
    order = under_way or Order(0, one.side, one.id, was=state_of_hiding(one))
    return replace(order.with_terms(terms), skill=terms.skill)


def checked(act: Act, one: Trooper, order: Order, part: Part, said: str, label: str) -> ReadyAttack:
    """The attack, where the rules allow it. Raises Forbidden, InvalidInput."""
    pairs_of(act.encounter, order, (), settings(act))
    return ReadyAttack(one, order, part, said, label)


class Attacking(Declaring[A, ReadyAttack], Generic[A]):
    """An attack: declared, and resolved once all have chosen."""

    def labelled(self, plain: A, ready: ReadyAttack) -> str:
        """What kind of attack it is."""
        return ready.label

    def do(self, act: Act, action: A, ready: ReadyAttack) -> Reply:
        """Declare it."""
        kind = str(getattr(action, "order", "auto"))
        begun = declare(act, ready.one, ready.part, ready.order.skill, "attack", kind=kind)
        passed = tuple(one.rule for one in act.overridden if one.rule)
        order = replace(begun.order.with_terms(ready.order), passed=passed)
        said = ready.said.format(name=act.encounter.model(order.model).name)
        lines = [said, *terms_lines(act, order), *begun.lines]
        if order.surprise:
            lines.append("Out of hiding: it comes as a surprise.")
        return go_on_from(act, order, lines)

    def chances(self, act: Act, action: A, ready: ReadyAttack) -> Chances:
        """What it does to each target, by what the target may answer."""
        return attack_chances(act, ready.order)


def terms_lines(act: Act, order: Order) -> list[str]:
    """What was declared with an attack, for the opponent to check: weapon, inches, cover."""
    parts = [order.weapon]
    for mark in order.marks:
        if order.skill != "fight":
            name = f"{act.encounter.model(mark.model).name} " if len(order.marks) > 1 else ""
            dice = f", {times(mark.dice, 'die', 'dice')}" if len(order.marks) > 1 else ""
            parts.append(f"{name}{mark.inches:g} in{dice}{', in cover' if mark.cover else ''}")
        if mark.unseen:
            parts.append("from out of its sight")
    told = wrapped([*parts, *terms_words(order)], "")
    weapon = troops.by_id(act.encounter, order.model).current.weapon(order.weapon) if order.weapon else None
    if weapon is None or not weapon.template:
        return told
    names = [act.encounter.model(number).name for number in order.under] or ["nobody else"]
    told += wrapped([f"Also under the template: {names[0]}", *names[1:]], "")
    return [
        *told,
        *(["Our rules text is silent on the", "others, so the core rules apply."] if order.under else []),
    ]


def terms_words(order: Order) -> list[str]:
    """What was declared with an attack, whoever it is aimed at."""
    parts = ["no line of fire"] if not order.sight else []
    parts += ["own cover"] if order.cover else []
    parts += ["through Zero Visibility"] if order.zero_visibility else []
    parts += [f"visibility {order.visibility:+d}"] if order.visibility else []
    parts += [f"Martial Arts L{order.martial_arts}"] if order.martial_arts else []
    parts += [times(order.allies, "ally in contact", "allies in contact")] if order.allies else []
    return [*parts, f"MOD {order.mod:+d}"] if order.mod else parts
