"""The windows of an Order: whose AROs are awaited, who may still declare one, what is read when all have.

AROs are declared straight after the first Skill, or the Entire Order; only who could not react then, or holds
its ARO, declares after the second. Until every side that is asked has finished, or its time is over, no one
reads what was chosen. Throws no dice.
"""

from __future__ import annotations

from dataclasses import replace

from bot.games.infinity import concealment, troops
from bot.games.infinity.duels import late_reaction
from bot.games.infinity.narration import join_into_line
from bot.games.infinity.order_rows import (
    DISCOVER,
    NOTHING,
    SECOND_WINDOW,
    SENSOR,
    WAIT,
    Mark,
    Order,
    Reaction,
    reaction_of,
    reactions_of,
    replace_reaction,
    store_order,
    store_reaction,
)
from bot.games.infinity.settings import LATE_REACTION
from bot.games.infinity.troops import settings_for
from bot.table.act import Act
from bot.table.encounter import Encounter
from bot.table.waits import players_of
from rules.refusals import Forbidden
from rules.systems.infinity.orders import Part
from rules.systems.infinity.profile import Skill
from rules.systems.infinity.reactions import Activation, Exposure, Window, aro_window, may_wait
from rules.systems.infinity.trooper import MARKERS, Trooper
from rules.wording import join_with_and, possessive

NO_EXPOSURE = Exposure(False, float("inf"))
"""How the first Skill lay to who could not react to it."""

ARO_VERBS = {
    "shoot": "shoots",
    "fight": "fights",
    "dodge": "dodges",
    "change facing": "changes facing",
    "engage": "engages",
    "hack": "hacks",
    "reset": "resets",
    DISCOVER: "tries to discover",
    SENSOR: "uses Sensor",
}
"""The public names of AROs."""


def is_full(order: Order) -> bool:
    """Return whether an Order has no room for another Skill. Rules: INF-ORD-04."""
    return order.over or len(order.parts) > 1 or Part.ENTIRE in order.parts


def open_aro_window(act: Act, order: Order) -> tuple[Order, list[str]]:
    """Open the window that what was just declared calls for; a line for each held ARO that is lost.

    After the first Skill every enemy side is asked; after the second, or where none follows, those that hold
    an ARO, and after a second Skill those that could not react before.
    Rules: INF-ORD-05, INF-ORD-07, INF-SIX-06.
    """
    encounter = act.encounter
    enemies = [side.id for side in encounter.sides() if side.id != order.side]
    if len(order.parts) < 2 and not order.over:
        order = replace(order, window=1, waits=tuple(enemies), entry=act.entry)
        store_order(encounter, order)
        return order, []
    holding_sides, lines = _recall_held_aros(act, order)
    asked_sides = holding_sides if order.over else holding_sides | set(order.kept)
    waiting_sides = tuple(side for side in enemies if side in asked_sides)
    order = replace(order, window=SECOND_WINDOW if waiting_sides else 0, waits=waiting_sides, entry=act.entry)
    store_order(encounter, order)
    return order, lines


def _recall_held_aros(act: Act, order: Order) -> tuple[set[int], list[str]]:
    """Return the sides whose held AROs are declared now, and a line for each that was held in vain.

    A lost ARO stays with its trooper as one that was let go, so nothing gives it back. Rules: INF-ORD-07.
    """
    encounter, settings = act.encounter, settings_for(act)
    began_as_marker = order.was in MARKERS
    was_revealed = began_as_marker and not troops.trooper(encounter, encounter.model(order.model)).is_marker
    sides, lines = set(), []
    for reaction in reactions_of(encounter):
        if reaction.does != WAIT:
            continue
        trooper = troops.by_id(encounter, reaction.model)
        exposure = Exposure(not reaction.unseen, reaction.inches)
        levels = trooper.levels(Skill.SIXTH_SENSE, settings)
        activation = Activation(
            exposure, exposure, marker=began_as_marker, revealed=was_revealed, waited=True, sixth_sense=levels
        )
        if aro_window(activation, settings) is Window.SECOND:
            sides.add(trooper.side)
        else:
            replace_reaction(encounter, reaction.model, replace(reaction, does=NOTHING))
            lines.append(f"{encounter.model(trooper.id).name} loses its delayed ARO.")
    return sides, lines


def could_react_first(encounter: Encounter, order: Order, trooper: Trooper) -> bool:
    """Return whether, in the second window, a trooper could have reacted in the first. Rules: INF-ORD-05."""
    reaction = reaction_of(encounter, trooper.id)
    if reaction is not None:
        return reaction.window == 1 and reaction.does != WAIT
    if trooper.side not in order.kept:
        return True
    mark = order.as_aimed(trooper.id).mark(trooper.id)
    was_attacked_first = mark is not None and order.skills[0] == order.skill
    return was_attacked_first and mark is not None and Exposure(not mark.unseen, mark.inches).allows_aro


def candidates(encounter: Encounter, order: Order, side: int) -> list[Trooper]:
    """Return the troopers of a side that may declare an ARO in the open window, hidden ones last."""
    all_troopers = [*troops.troopers(encounter, side)]
    all_troopers += [
        troops.hidden_trooper(encounter, secret_trooper)
        for secret_trooper in concealment.hidden_troopers(encounter, side)
    ]
    able_troopers = [trooper for trooper in all_troopers if not trooper.is_null]
    if order.window != SECOND_WINDOW:
        return able_troopers
    return [trooper for trooper in able_troopers if not could_react_first(encounter, order, trooper)]


def check_may_react(act: Act, order: Order, trooper: Trooper) -> None:
    """Raise Forbidden where a trooper has no ARO now, whatever it would be. Rules: INF-ORD-05."""
    name = trooper.current.name
    if trooper.side == order.side:
        raise Forbidden("Choose an enemy of the active trooper. Its allies can't react.", "INF-ORD-05")
    if trooper.side not in order.waits:
        raise Forbidden(
            "You can't react now. The AROs to this Order have already been declared.", "INF-ORD-05"
        )
    reaction = reaction_of(act.encounter, trooper.id)
    if reaction is not None and reaction.shown and reaction.does != WAIT:
        raise Forbidden(
            f"Choose another trooper. {name} has already declared its one ARO to this Order.", "INF-ORD-05"
        )
    if order.window == SECOND_WINDOW and could_react_first(act.encounter, order, trooper):
        raise Forbidden(
            f"Choose another trooper. {name} can't react to the second Skill because it could have reacted to"
            " the first.",
            "INF-ORD-05",
        )


def check_window(act: Act, order: Order, trooper: Trooper, reaction: Reaction) -> None:
    """Raise Forbidden where a trooper cannot declare this now. Rules: INF-ORD-05, INF-ORD-06, INF-ORD-07."""
    check_may_react(act, order, trooper)
    is_second_window = order.window == SECOND_WINDOW
    if reaction.does == NOTHING or (order.affects(trooper.id) and reaction.does != WAIT):
        return
    if reaction.alerted and reaction.does == "change facing":
        return
    exposure = Exposure(not reaction.unseen, reaction.inches)
    levels = trooper.levels(Skill.SIXTH_SENSE, settings_for(act))
    activation = Activation(exposure, marker=order.was in MARKERS, sixth_sense=levels)
    current_activation = Activation(NO_EXPOSURE, exposure) if is_second_window else activation
    if aro_window(current_activation, settings_for(act)) is Window.NONE:
        name = trooper.current.name
        raise Forbidden(
            f"Choose another trooper. {name} has no line of fire and is more than 8 in away.", "INF-ORD-05"
        )
    if reaction.does == WAIT and is_second_window:
        raise Forbidden("React now. You can't delay an ARO any longer.", "INF-ORD-07")
    if reaction.does == WAIT and not may_wait(activation):
        raise Forbidden(
            "React now. You can only delay an ARO against a Marker, or with Sixth Sense against an enemy"
            " within 8 in.",
            "INF-ORD-07",
        )
    if reaction.does == WAIT and trooper.id < 0:
        raise Forbidden(
            "Choose another ARO. A hidden trooper can't delay its ARO, because the delay would reveal it.",
            "INF-ORD-07",
        )


# ------------------------------------------------------------------------------------ closing


def record_answers(act: Act, order: Order, sides: list[int], *, keeps_right: bool) -> Order:
    """Note that these sides have answered. keeps_right: their other troopers could not react yet."""
    keeping_sides = (*order.kept, *sides) if keeps_right else order.kept
    order = replace(order, waits=tuple(side for side in order.waits if side not in sides), kept=keeping_sides)
    store_order(act.encounter, order)
    return order


def choose_late_reactions(act: Act, order: Order) -> None:
    """Choose for targets whose player chose nothing in time, as the table agreed on."""
    encounter, settings = act.encounter, settings_for(act)
    late_choice = LATE_REACTION.of(encounter)
    for mark in (*order.marks, *(Mark(number) for number in order.under)):
        model = encounter.model(mark.model)
        reaction = reaction_of(encounter, mark.model)
        if model.side not in order.waits or (reaction is not None and reaction.does != WAIT):
            continue
        if mark.model not in [candidate.id for candidate in candidates(encounter, order, model.side)]:
            continue
        late_aro = late_reaction(encounter, order, mark, late_choice, settings)
        store_reaction(encounter, replace(late_aro, window=order.window), model.side, model.owner_id)


def reveal_aros(act: Act, order: Order) -> tuple[Order, list[str], list[str]]:
    """Reveal what was declared once everyone has chosen; veiled models that act show themselves.

    Gives the Order with its window closed, a line for each ARO, and a line for each figure that came out.
    """
    encounter = act.encounter
    aro_texts, reveal_texts = [], []
    for reaction in reactions_of(encounter):
        if reaction.shown or reaction.does == NOTHING:
            continue
        model_id = reaction.model
        if reaction.does != WAIT:
            model_id, reveal_lines = _reveal_if_hidden(act, model_id)
            reveal_texts += reveal_lines
        shown_reaction = replace(reaction, model=model_id, shown=True)
        replace_reaction(encounter, model_id, shown_reaction)
        aro_texts += aro_lines(encounter, order, shown_reaction)
    order = replace(order, window=0, waits=())
    store_order(encounter, order)
    return order, aro_texts, reveal_texts


def _reveal_if_hidden(act: Act, model_id: int) -> tuple[int, list[str]]:
    """Return the figure of a trooper that acts, and the line that says so where it was hidden or a Marker."""
    encounter = act.encounter
    if model_id > 0 and not concealment.is_marker(encounter, model_id):
        return model_id, []
    row, line = concealment.reveal(encounter, model_id)
    return row.id, [line]


def aro_lines(encounter: Encounter, order: Order, reaction: Reaction) -> list[str]:
    """Return an ARO as everyone reads it, with what the opponent may want to check."""
    name = encounter.model(reaction.model).name
    mark = order.mark(reaction.model)
    inches = mark.inches if mark else reaction.inches
    is_waiting = reaction.does == WAIT
    parts = [f"{name} delays its ARO" if is_waiting else f"ARO: {name} {ARO_VERBS[reaction.does]}"]
    parts[0] += f" with {reaction.weapon}" if reaction.weapon else ""
    parts[0] += f" {encounter.model(order.model).name}" if reaction.does == DISCOVER else ""
    parts += [f"MOD {reaction.mod:+d}"] if reaction.mod else []
    profile = troops.by_id(encounter, reaction.model).current
    if reaction.does == "shoot" and profile.weapon(reaction.weapon).template:
        names = [encounter.model(number).name for number in reaction.under]
        under_text = f"with {join_with_and(names)} also under the template" if names else ""
        parts.append(under_text or "with no one else under the template")
    if inches and (reaction.does == "shoot" or reaction.unseen):
        is_exact = mark is not None or reaction.unseen or not _is_band(encounter, reaction)
        parts.append(f"{inches:g} in" if is_exact else f"up to {inches:g} in")
    parts += [f"{encounter.model(order.model).name} in cover"] if reaction.enemy_cover else []
    parts += ["no line of fire"] if reaction.unseen else []
    parts += ["berserk"] if reaction.berserk else []
    parts += ["alerted by an ally"] if reaction.alerted else []
    lines = join_into_line(parts)
    lines[-1] += "."
    return lines


def _is_band(encounter: Encounter, reaction: Reaction) -> bool:
    """Return whether the distance of a shot is the end of a range band, as the menu tells it."""
    trooper = troops.by_id(encounter, reaction.model)
    return reaction.inches in [band.limit for band in trooper.current.weapon(reaction.weapon).bands]


def late_reactor_lines(encounter: Encounter) -> list[str]:
    """Return who reacts to the second Skill because they could not to the first, for the opponent to
    check.
    """
    late_aros = [
        reaction
        for reaction in reactions_of(encounter)
        if reaction.shown and reaction.window == SECOND_WINDOW and not reaction.held
    ]
    return [f"{encounter.model(aro.model).name} couldn't react to the first Skill." for aro in late_aros]


def passing_lines(encounter: Encounter, order: Order) -> list[str]:
    """Return that the rest of each enemy side lets the first Skill pass, or could not react yet."""
    reacting_sides = [encounter.model(aro.model).side for aro in reactions_of(encounter) if aro.shown]
    lines = []
    for side in encounter.sides():
        if side.id == order.side:
            continue
        player = players_of(encounter, [side.id])
        if side.id in order.kept:
            lines.append(
                f"{possessive(player)} other troopers haven't been able to react yet."
                if side.id in reacting_sides
                else f"{possessive(player)} troopers haven't been able to react yet."
            )
        else:
            lines.append(
                f"{possessive(player)} other troopers don't react."
                if side.id in reacting_sides
                else f"{possessive(player)} troopers don't react."
            )
    return lines
