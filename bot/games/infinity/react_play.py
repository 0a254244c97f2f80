"""Choosing a reaction: locked in secret, shown when everybody who is asked has chosen."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.infinity import troops, veils
from bot.games.infinity.asking import React, choice_word, choices_of
from bot.games.infinity.common import own, pick_weapon, settings
from bot.games.infinity.orders_row import NOTHING, WAIT, Order, Reaction, keep_reaction, order_of
from bot.games.infinity.pairs import DOES, check_reaction, default_reaction
from bot.games.infinity.resolve_play import advance, keep_asked
from bot.replies.reply import Reply, say
from bot.table.act import Act
from bot.table.handlers import handles
from rules.refusals import Forbidden, InvalidInput
from rules.systems.infinity.profile import Skill
from rules.systems.infinity.reactions import Activation, Exposure, Window, aro_window, may_wait
from rules.systems.infinity.trooper import MARKERS, Trooper


@dataclass(frozen=True, slots=True)
class Aro(Action):
    """Declare an ARO that was not asked for, or answer with all details. does: see `pairs.DOES`."""

    command = "inf.aro"
    secret = True

    model: str = ""
    does: str = "dodge"
    distance: float = 0.0
    weapon: str = ""
    cover: bool = False
    enemy_cover: bool = False
    unseen: bool = False
    martial_arts: int = 0
    berserk: bool = False


CHOSEN = "Nobody sees it until the dice fall."


def _under_way(act: Act, row: int = 0) -> Order:
    order = order_of(act.encounter)
    if order is None or (row and order.row != row):
        raise InvalidInput("That Order is over." if row else "No Order is under way: nothing to react to.")
    return order


@handles(React)
def react(act: Act, action: React) -> Reply:
    """From the menu: only who plays the model, and only once. An organiser's reason changes nothing here."""
    encounter = act.encounter
    order = _under_way(act, action.order)
    model = encounter.model(action.model)
    seat = act.seat
    captain = seat is not None and seat.role == "captain" and seat.side == model.side
    if not captain and model.owner_id != act.actor.user_id:
        raise InvalidInput(f"{model.name} is not yours.")
    if model.id not in order.asked:
        raise InvalidInput(f"{model.name} has chosen already, and that stands.")
    offered = choices_of(act, order, model.id)
    found = [one for _, one in offered if choice_word(one) == action.choice]
    if not found:
        raise InvalidInput(f"{model.name} may: {', '.join(label for label, _ in offered)}.")
    return _lock(act, order, found[0], model.side, troops.trooper(encounter, model))


def _lock(act: Act, order: Order, reaction: Reaction, side: int, one: Trooper) -> Reply:
    """Keep a choice; the last of those that were awaited resolves the Order."""
    encounter = act.encounter
    keep_reaction(encounter, reaction, side, act.actor.user_id)
    was_asked = reaction.model in order.asked
    order = keep_asked(encounter, order, reaction.model)
    if was_asked and not order.asked:
        return advance(act, order, [])
    act.minor = True
    what = f"{reaction.does} ({reaction.weapon})" if reaction.weapon else reaction.does
    return say(f"{one.current.name}: {what}. It stands.", CHOSEN, private=True)


@handles(Aro)
def aro(act: Act, action: Aro) -> Reply:
    """An ARO with its details: by a target that was asked, by anybody else who may, also out of hiding."""
    encounter = act.encounter
    order = _under_way(act)
    one = _mine(act, action.model)
    if one.side == order.side:
        raise Forbidden("Only enemies of the active trooper have an ARO.", "INF-ORD-05")
    if action.does not in DOES:
        raise InvalidInput(f"Reactions: {', '.join(DOES)}.")
    reaction = _reaction(order, one, action)
    _check_window(act, order, one, reaction)
    if action.does == WAIT:
        keep_reaction(encounter, reaction, one.side, act.actor.user_id)
        return say(f"{one.current.name} holds its ARO.", "It is declared after the second Skill.")
    check_reaction(encounter, order, reaction, settings(act))
    return _lock(act, order, reaction, one.side, one)


def _mine(act: Act, text: str) -> Trooper:
    """The asker's own trooper; no organiser speaks for somebody else in secret."""
    one = own(act, text)
    if act.overridden:
        raise InvalidInput("A reaction is chosen by who plays the trooper.")
    return one


def _reaction(order: Order, one: Trooper, action: Aro) -> Reaction:
    weapon = ""
    if action.does == "shoot":
        weapon = pick_weapon(one, action.weapon, lambda weapon: not weapon.close, "shoot").name
    elif action.does == "fight":
        weapon = pick_weapon(one, action.weapon, lambda weapon: weapon.close, "fight").name
    mark = order.mark(one.id)
    fresh = Reaction(
        one.id, action.does, weapon, action.distance, action.cover, action.enemy_cover, action.unseen
    )
    if mark is not None:
        known = default_reaction(order, mark, action.does, weapon)
        fresh = replace(known, enemy_cover=known.enemy_cover or action.enemy_cover)
    return replace(fresh, martial_arts=action.martial_arts, berserk=action.berserk)


def _check_window(act: Act, order: Order, one: Trooper, reaction: Reaction) -> None:
    """Raise Forbidden where the trooper has no ARO, or none to hold. Rules: INF-ORD-05, INF-ORD-07."""
    chosen = settings(act)
    sixth_sense = one.levels(Skill.SIXTH_SENSE, chosen)
    exposure = Exposure(not reaction.unseen, reaction.inches)
    held = Activation(exposure, marker=order.was in MARKERS, sixth_sense=sixth_sense)
    if reaction.does == NOTHING or order.mark(one.id) is not None:
        return
    if aro_window(held, chosen) is Window.NONE:
        raise Forbidden("No line of fire, and farther than 8 in: no ARO.", "INF-ORD-05")
    if reaction.does == WAIT and not may_wait(held):
        raise Forbidden("Only against a Marker, or with Sixth Sense, may an ARO wait.", "INF-ORD-07")
    if reaction.does == WAIT and veils.hidden(act.encounter, one.side) and one.id < 0:
        raise Forbidden("Waiting is announced; who is hidden cannot announce it.", "INF-ORD-07")
