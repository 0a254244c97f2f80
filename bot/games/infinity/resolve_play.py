"""The end of an Order: reactions shown, dice thrown together, what follows offered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.games.infinity import troops, veils
from bot.games.infinity.asking import Resolve, ask, recall_waiting
from bot.games.infinity.common import UNDO, Telling, players_of, settings
from bot.games.infinity.orders_row import (
    NOTHING,
    WAIT,
    Order,
    Reaction,
    close_order,
    drop_reaction,
    keep_order,
    keep_reaction,
    order_of,
    reactions_of,
    signature,
)
from bot.games.infinity.outcome import Tally, in_melee, settle, spend_surprise, throw, throw_dodge
from bot.games.infinity.pairs import DOES, Pair, active_trooper, default_reaction, late_reaction, pairs_of
from bot.replies.reply import Reply
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.encounter import Encounter
from bot.table.handlers import handles
from rules.refusals import InvalidInput, forbid
from rules.systems.infinity.duel import Does

Own = Callable[[Act, Telling, Order], None]

OWN_ROLLS: dict[str, Own] = {}
"""For each Skill with a roll of its own, but no attack, what throws it."""


def rolls_own(skill: str) -> Callable[[Own], Own]:
    """Register the function below as the roll of a Skill."""

    def register(run: Own) -> Own:
        OWN_ROLLS[skill] = run
        return run

    return register


async def _since(store: Store, actor: Actor, action: Resolve) -> int:
    """Seconds since the Order was declared, by the clock of the journal; 0 where none is under way."""
    scope = await store.running_encounter(actor.channel_id)
    loaded = await store.load(scope) if scope else None
    order = order_of(Encounter(loaded.book())) if loaded else None
    entry = await store.entry(scope, order.entry) if order else None
    return max(0, store.now() - entry.at_ms) // 1000 if entry else 0


@handles(Resolve, prepare=_since)
def resolve(act: Act, action: Resolve) -> Reply:
    """End it: at once where nobody is asked, else when time is up or the other side has no more AROs."""
    encounter = act.encounter
    order = order_of(encounter)
    if order is None or (action.order and order.row != action.order):
        raise InvalidInput("That Order is over.")
    lines: list[str] = []
    asked = sorted({encounter.model(number).side for number in order.asked})
    if action.rest == NOTHING and asked:
        for side in asked:
            act.require_side(side)
        _fill(act, order, NOTHING)
    else:
        act.require_side(order.side)
        if asked:
            _check_time(act, asked)
            _fill(act, order, troops.table_setting(encounter, troops.LATE))
        else:
            order, lines = recall_waiting(act, order)
            if order.asked:
                return ask(act, order, ["Held AROs are declared now.", *lines])
    telling = conclude(act, order)
    telling.head += lines
    return reply_of(act, telling)


def _check_time(act: Act, asked: list[int]) -> None:
    """Raise Forbidden while those who are asked have time left."""
    left = int(troops.table_setting(act.encounter, troops.SECONDS)) - int(act.extra or 0)
    if left > 0:
        forbid(f"{players_of(act.encounter, asked)} may still choose: {left} s left.")


def _fill(act: Act, order: Order, does: str) -> None:
    """Choose for those whose player chose nothing."""
    encounter = act.encounter
    for number in order.asked:
        mark = order.mark(number)
        if mark is None:
            drop_reaction(encounter, number)
            continue
        chosen = default_reaction(order, mark)
        if does != NOTHING:
            chosen = late_reaction(encounter, order, mark, does, settings(act))
        model = encounter.model(number)
        keep_reaction(encounter, chosen, model.side, model.owner_id)


def reply_of(act: Act, telling: Telling) -> Reply:
    """The resolved Order as a reply."""
    if not telling.head:
        telling.head.append("The Order is over.")
    return Reply(telling.lines(), buttons=telling.buttons(act, UNDO), why=tuple(telling.why))


def conclude(act: Act, order: Order) -> Telling:
    """Show the reactions, throw everything together, carry it through; the Order is over.

    Rules: INF-F2F-01, INF-F2F-08, INF-DOD-01, INF-GUT-01, INF-SS-04, INF-TRA-05.
    """
    encounter = act.encounter
    chosen = tuple(one for one in reactions_of(encounter) if one.does != WAIT)
    declared, choices = signature(order, chosen)
    act.canonical = Resolve(0, "", declared, choices)
    telling, tally = Telling(), Tally()
    reactions = tuple(_shown(act, telling, one) for one in chosen)
    close_order(encounter)
    actor = active_trooper(encounter, order)
    if actor.is_null:
        telling.head.append(f"{actor.current.name} is out: its Order comes to nothing.")
        return telling
    pairs, lost = pairs_of(encounter, order, reactions, settings(act))
    if order.skill in OWN_ROLLS:
        OWN_ROLLS[order.skill](act, telling, order)
    _throw(act, telling, tally, order, pairs)
    settle(act, telling, tally)
    in_melee(act, tally, pairs)
    spend_surprise(act, order)
    telling.head += [f"ARO lost: {sentence}" for sentence in lost]
    return telling


def _throw(act: Act, telling: Telling, tally: Tally, order: Order, pairs: tuple[Pair, ...]) -> None:
    if DOES.get(order.skill) is Does.DODGE and pairs:
        throw_dodge(act, telling, tally, pairs)
        return
    for pair in pairs:
        throw(act, telling, tally, pair)


def _shown(act: Act, telling: Telling, reaction: Reaction) -> Reaction:
    """A reaction comes into the open; whoever acts shows its figure."""
    encounter = act.encounter
    if reaction.does == NOTHING:
        return reaction
    veiled = reaction.model < 0 or veils.is_marker(encounter, reaction.model)
    before = encounter.model(reaction.model).name if reaction.model > 0 else ""
    row = veils.unveil(encounter, reaction.model)
    if veiled:
        told = f"{before} is {row.name}." if before else f"{row.name} comes out of Hidden Deployment."
        telling.after.append(told)
    return replace(reaction, model=row.id)


def advance(act: Act, order: Order, lines: list[str]) -> Reply:
    """After a declaration or a choice: ask who is left to choose, or resolve."""
    if order.asked:
        return ask(act, order, lines)
    telling = conclude(act, order)
    if telling.head:
        telling.after = [*lines, *telling.after]
    else:
        telling.head = lines
    return reply_of(act, telling)


def keep_asked(encounter: Encounter, order: Order, number: int) -> Order:
    """One trooper fewer is waited for."""
    order = replace(order, asked=tuple(one for one in order.asked if one != number))
    keep_order(encounter, order)
    return order
