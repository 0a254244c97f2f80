"""Asking for reactions: whose are awaited, what they may choose from, and AROs that were held back."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.infinity import troops
from bot.games.infinity.common import UNDO, players_of, settings
from bot.games.infinity.orders_row import (
    NOTHING,
    WAIT,
    Order,
    Reaction,
    drop_reaction,
    keep_order,
    reaction_of,
    reactions_of,
)
from bot.games.infinity.pairs import default_reaction, options
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.table.act import Act
from rules.refusals import Forbidden
from rules.systems.infinity.profile import Skill
from rules.systems.infinity.reactions import Activation, Exposure, Window, aro_window
from rules.systems.infinity.trooper import MARKERS

MOST_MENUS = 4
"""Troopers that are asked by menu; further ones answer with /inf aro."""


@dataclass(frozen=True, slots=True)
class React(Action):
    """Choose a reaction from what was offered. choice: the Skill and the weapon, as shoot:Combi Rifle."""

    command = "inf.react"
    secret = True

    order: int = 0
    model: int = 0
    choice: str = ""


@dataclass(frozen=True, slots=True)
class Resolve(Action):
    """End the Order under way. rest: nothing, where the reacting side lets the AROs that are left go.

    declared, choices: what was resolved, written down so that a repeat can be told from something else.
    """

    command = "inf.resolve"

    order: int = 0
    rest: str = ""
    declared: str = ""
    choices: str = ""


def blank_of(act: Act, order: Order, number: int) -> Reaction:
    """A trooper's reaction before it is chosen: as the attack lies to it, or as it said when it waited."""
    mark = order.mark(number)
    if mark is not None:
        return default_reaction(order, mark)
    known = reaction_of(act.encounter, number)
    return replace(known, does=NOTHING) if known else Reaction(number, NOTHING)


def choice_word(reaction: Reaction) -> str:
    """A reaction as the menu's value."""
    return f"{reaction.does}:{reaction.weapon}"


def choices_of(act: Act, order: Order, number: int) -> list[tuple[str, Reaction]]:
    """What a trooper may choose from, with the words for it."""
    return options(act.encounter, order, blank_of(act, order, number), settings(act))


def with_targets_asked(act: Act, order: Order) -> Order:
    """The Order with every target awaited that has a choice and has not made it. Rules: INF-ORD-05."""
    asked = list(order.asked)
    for mark in order.marks:
        known = reaction_of(act.encounter, mark.model)
        chosen = known is not None and known.does != WAIT
        if not chosen and mark.model not in asked and len(choices_of(act, order, mark.model)) > 1:
            drop_reaction(act.encounter, mark.model)
            asked.append(mark.model)
    order = replace(order, asked=tuple(asked))
    keep_order(act.encounter, order)
    return order


def recall_waiting(act: Act, order: Order) -> tuple[Order, list[str]]:
    """Who held an ARO declares it now, or has lost it. Rules: INF-ORD-07, INF-SIX-06."""
    encounter, chosen = act.encounter, settings(act)
    lines = []
    asked = list(order.asked)
    marker = order.was in MARKERS
    revealed = marker and not troops.trooper(encounter, encounter.model(order.model)).is_marker
    for reaction in reactions_of(encounter):
        if reaction.does != WAIT or reaction.model in asked:
            continue
        one = troops.by_id(encounter, reaction.model)
        exposure = Exposure(not reaction.unseen, reaction.inches)
        held = Activation(
            exposure,
            exposure,
            marker=marker,
            revealed=revealed,
            waited=True,
            sixth_sense=one.levels(Skill.SIXTH_SENSE, chosen),
        )
        if _window(held, act) is Window.SECOND:
            asked.append(reaction.model)
        else:
            drop_reaction(encounter, reaction.model)
            lines.append(f"{one.current.name} waited: its ARO is lost.")
    order = replace(order, asked=tuple(asked))
    keep_order(encounter, order)
    return order, lines


def _window(held: Activation, act: Act) -> Window:
    try:
        return aro_window(held, settings(act))
    except Forbidden:
        return Window.NONE


def open_to_aros(order: Order, lines: list[str]) -> Reply:
    """A Skill without a target is declared: enemies react of themselves, then Done."""
    lines = [*lines, "Enemies who see it: /inf aro. Then Done."]
    return Reply(tuple(lines), buttons=(Button("Done", Resolve(order.row), "main", anytime=True), UNDO))


def ask(act: Act, order: Order, lines: list[str]) -> Reply:
    """The public question: who is to choose, how long, a menu for each."""
    encounter = act.encounter
    models = [encounter.model(number) for number in order.asked]
    seconds = troops.table_setting(encounter, troops.SECONDS)
    late = troops.table_setting(encounter, troops.LATE)
    who = players_of(encounter, [model.side for model in models])
    lines = [*lines, f"{who}: choose a reaction ({seconds} s).", f"Nobody sees it yet. Late: {late}."]
    menus = []
    for model in models[:MOST_MENUS]:
        offered = choices_of(act, order, model.id)
        entries = tuple(Choice(label, choice_word(one)) for label, one in offered[:25])
        menus.append(
            Menu(f"{model.name} reacts", React(order.row, model.id), "choice", entries, anytime=True)
        )
    if len(models) > MOST_MENUS:
        lines.append("Others: /inf aro.")
    buttons = (
        Button("Time is up", Resolve(order.row), anytime=True),
        Button("No more AROs", Resolve(order.row, NOTHING), anytime=True),
        UNDO,
    )
    return Reply(tuple(lines), buttons=buttons, menus=tuple(menus))
