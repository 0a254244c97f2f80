"""Markers, Hidden Deployment and the Lieutenant: taken up, shown, and looked at by their owner alone."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.infinity import concealment, troops
from bot.games.infinity.concealment import best_hiding_state
from bot.games.infinity.fields import paying_order, who
from bot.games.infinity.narration import Telling, describe_profile, summary
from bot.games.infinity.order_resolution import go_on_from, register_end_effect
from bot.games.infinity.order_rows import Order
from bot.games.infinity.orders import declare, reveal_figure
from bot.games.infinity.state import Appointment, SideState, side_state
from bot.games.infinity.troops import settings_for
from bot.replies.reply import Reply, say
from bot.store.rows import SideRow
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.board import facts
from bot.table.board.facts import Fact
from bot.table.encounter import Encounter
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.waits import players_of
from rules.effects import Lose
from rules.refusals import Forbidden, InvalidInput, Missing
from rules.systems.infinity.orders import Part, can_become_lieutenant, in_retreat
from rules.systems.infinity.profile import Skill
from rules.systems.infinity.trooper import Condition, Trooper, become_marker

HIDING_STATES = {
    "camouflaged": Condition.CAMOUFLAGED,
    "to": Condition.TO_CAMOUFLAGED,
    "impersonation": Condition.IMPERSONATION,
    "hidden": Condition.HIDDEN_DEPLOYMENT,
}
"""Words for how a trooper hides."""

NO_SENSOR = 99.0


def _measure_nearest_sensor(context: Asking) -> Fact | None:
    """Return how far the nearest enemy with Sensor is on the board, or None if it isn't measured.

    If there is none, or if no enemy can stop a trooper from hiding, no question is needed.
    """
    trooper, act = context.so_far.get("model"), context.act
    if not isinstance(trooper, Trooper) or facts.standing(act.encounter, trooper.id) is None:
        return None
    sensor_enemies = _enemies_with_sensor(act, trooper.side) if act.encounter.row.turn else []
    if not sensor_enemies:
        return Fact(NO_SENSOR, "", settles=True)
    distances = [facts.between(act.encounter, trooper.id, enemy.id) for enemy in sensor_enemies]
    known_distances = [fact for fact in distances if fact is not None]
    return (
        min(known_distances, key=lambda fact: float(fact.value))
        if len(known_distances) == len(distances)
        else None
    )


@dataclass(frozen=True, slots=True)
class Reveal(Action):
    """Reveal a Marker, or place a trooper from Hidden Deployment."""

    command = "inf.reveal"
    typed = "inf reveal"
    waits_for_dice = True

    model: Trooper = who()


@dataclass(frozen=True, slots=True)
class Hide(Action):
    """Hide a trooper in secret before the game, or turn it back into a Marker.

    state: a word of `STATES`, or figure. sensor: inches to the nearest enemy with Sensor.
    """

    command = "inf.hide"
    typed = "inf hide"
    waits_for_dice = True

    model: Trooper = who()
    state: str | None = fields.one_of(
        "Hiding ability (blank for the best)", ("hidden", "camouflaged", "to", "impersonation", "figure")
    )
    sensor: float = fields.inches(
        "Distance to the nearest enemy Sensor (inches)",
        0.0,
        200.0,
        default=99.0,
        fact=True,
        measures=_measure_nearest_sensor,
    )
    order: str = paying_order()


@dataclass(frozen=True, slots=True)
class Appoint(Action):
    """Choose your Lieutenant in secret."""

    command = "inf.lieutenant"
    typed = "inf lieutenant"
    titled = "Choose the Lieutenant"

    model: Trooper = who()


@dataclass(frozen=True, slots=True)
class Mine(Action):
    """Show your Lieutenant and hidden troopers (visible only to you).

    model: one trooper of the side, with its profile.
    """

    command = "inf.mine"
    typed = "inf mine"
    titled = "My hidden troopers"

    model: Trooper | None = who(needed=False)


@handles(Reveal)
def reveal_trooper(act: Act, action: Reveal) -> Reply:
    """Reveal a trooper at any time, by its owner."""
    trooper = action.model
    if trooper.id > 0 and not concealment.is_marker(act.encounter, trooper.id):
        raise InvalidInput(f"Choose a hidden trooper. {trooper.current.name} is already in the open.")
    _, line = reveal_figure(act, trooper)
    return Reply((line,), buttons=(UNDO,))


@handles(Hide)
def hide_trooper(act: Act, action: Hide) -> Reply:
    """Hide: before the game in secret and free, in the game as a public Entire Order."""
    trooper = action.model
    is_deploying = act.encounter.row.turn == 0
    state = HIDING_STATES.get(action.state) if action.state else _best_hiding_state(trooper, is_deploying)
    if is_deploying:
        return _deploy_secretly(act, trooper, state)
    if state is None or state is Condition.HIDDEN_DEPLOYMENT:
        raise Forbidden(
            "You can only use Hidden Deployment while deploying. Choose a Marker as the hiding ability"
            " instead, or use /inf reveal to reveal a trooper.",
            "INF-SS-02",
        )
    if trooper.id < 0 or concealment.is_marker(act.encounter, trooper.id):
        raise InvalidInput(f"Choose a trooper in the open. {trooper.current.name} is already hidden.")
    with act.overridable():
        become_marker(trooper, state)
        become_marker(trooper, state, _sensor_distances(act, trooper, state, action.sensor))
    declaration = declare(act, trooper, Part.ENTIRE, "hide", "hide", kind=action.order)
    order = declaration.order.with_terms(Order(0, trooper.side, trooper.id, mode=str(state)))
    lines = [f"{trooper.current.name} goes back into hiding.", *declaration.lines]
    return go_on_from(act, order, lines)


@register_end_effect("hide")
def _finish_hiding(act: Act, telling: Telling, order: Order) -> None:
    """Put the Marker in the figure's place at the end of the Order, if the figure still stands."""
    trooper = troops.by_id(act.encounter, order.model)
    if trooper.is_null or not trooper.on_table:
        return
    state = Condition(order.mode)
    effects = [effect for effect in become_marker(trooper, state, ()) if isinstance(effect, Lose)]
    telling.follow(act, effects)
    row = act.encounter.model(trooper.id)
    old_name = row.name
    concealment.become_marker(act.encounter, row, state)
    telling.head.append(f"{old_name} becomes {row.name}.")


def _sensor_distances(
    act: Act, trooper: Trooper, state: Condition, inches: float
) -> list[tuple[Trooper, float]]:
    """Return the enemies in the open whose Sensor can stop it from hiding, with the entered distance.

    Raises InvalidInput if there is one and no one entered how far away it is. Rules: INF-SEN-04.
    """
    if state is Condition.IMPERSONATION:
        return []
    sensor_enemies = _enemies_with_sensor(act, trooper.side)
    if sensor_enemies and inches == NO_SENSOR:
        names = ", ".join(enemy.current.name for enemy in sensor_enemies)
        raise Missing(
            f"How far away is the nearest enemy with Sensor ({names})? Enter the distance under"
            ' "Distance to the nearest enemy Sensor". A trooper with Sensor can stop you from hiding nearby.'
        )
    return [(enemy, inches) for enemy in sensor_enemies]


def _enemies_with_sensor(act: ActView, side: int) -> list[Trooper]:
    """Return the enemies of a side in the open who have Sensor."""
    encounter = act.encounter
    figures = [model for model in encounter.models() if not concealment.is_marker(encounter, model.id)]
    enemies = [troops.trooper(encounter, model) for model in figures if model.side != side]
    return [enemy for enemy in enemies if enemy.levels(Skill.SENSOR, settings_for(act))]


def _best_hiding_state(trooper: Trooper, is_deploying: bool) -> Condition:
    condition = best_hiding_state(trooper.profile)
    if condition is None:
        sentence = f"Choose another trooper. {trooper.current.name} has no skill that lets it hide."
        raise Forbidden(sentence, "INF-SS-02")
    if condition is Condition.HIDDEN_DEPLOYMENT and not is_deploying:
        return Condition.TO_CAMOUFLAGED
    return condition


def _deploy_secretly(act: Act, trooper: Trooper, state: Condition | None) -> Reply:
    encounter = act.encounter
    row = concealment.unveil(encounter, trooper.id)
    revealed_trooper = troops.trooper(encounter, row)
    name = row.name
    if state is Condition.HIDDEN_DEPLOYMENT:
        if not revealed_trooper.profile.has(Skill.TO_CAMOUFLAGE):
            sentence = f"Choose another hiding ability. {name} needs TO Camouflage for Hidden Deployment."
            raise Forbidden(sentence, "INF-SS-02")
        concealment.hide(encounter, row)
        return say(f"{name} is in Hidden Deployment.", "Only your side knows.", private=True)
    if state is None:
        return say(f"{name} is deployed in the open.", private=True)
    become_marker(revealed_trooper, state)
    concealment.become_marker(encounter, row, state)
    return say(f"{name} is deployed as {row.name}.", "Only your side knows.", private=True)


@handles(Appoint)
def appoint(act: Act, action: Appoint) -> Reply:
    """Appoint a Lieutenant before the game, or after Loss of Lieutenant. Rules: INF-LOL-03, INF-RET-02."""
    encounter = act.encounter
    trooper = action.model
    side = encounter.side(trooper.side)
    has_begun = encounter.row.turn > 0
    if has_begun and side_state(encounter, side.id).appointment != Appointment.NOW:
        sentence = "You can only choose a Lieutenant before the game or after Loss of Lieutenant."
        raise Forbidden(f"{sentence}{_who_may_appoint(encounter)}", "INF-LOL-03")
    if has_begun:
        is_in_retreat = in_retreat(troops.army(encounter, trooper.side))
        if not can_become_lieutenant(trooper, retreat=is_in_retreat):
            raise Forbidden(
                f"{trooper.current.name} can't be Lieutenant now. Choose another trooper.", "INF-LOL-03"
            )
    elif not can_become_lieutenant(replace(trooper, conditions=frozenset())):
        raise Forbidden(f"{trooper.current.name} can't be Lieutenant. Choose another trooper.", "INF-LOL-03")
    concealment.appoint(encounter, trooper.side, trooper.id, act.actor.user_id)
    side_state(encounter, side.id).appointment = Appointment.NONE
    return say(f"{trooper.current.name} is your Lieutenant.", "Only your side knows.", private=True)


def _who_may_appoint(encounter: Encounter) -> str:
    sides = [side for side in encounter.sides() if SideState(side).appointment == Appointment.NOW]
    names = []
    for side in sides:
        players = players_of(encounter, [side.id])
        names.append(side.name if players == side.name else f"{side.name} ({players})")
    return f" {' and '.join(names)} can choose one now." if names else ""


@handles(Mine)
def show_secrets(act: Act, action: Mine) -> Reply:
    """Show only the asker hidden troopers, the troopers behind Markers, and the Lieutenant."""
    encounter = act.encounter
    trooper = action.model
    if trooper is not None:
        if act.overridden or not concealment.may_see_secrets(encounter, act.actor.user_id, trooper.side):
            raise InvalidInput("You can only look at your own side's troopers.")
        lines = [summary(trooper), *describe_profile(trooper.current), f"Combat Group {trooper.group}"]
        return Reply(tuple(lines), private=True)
    sides = [
        side
        for side in encounter.sides()
        if concealment.may_see_secrets(encounter, act.actor.user_id, side.id)
    ]
    if not sides:
        raise InvalidInput("Join a side first with /encounter join. You aren't in this game yet.")
    lines = []
    for side in sides:
        lines += _secret_lines(encounter, side)
    return Reply(tuple(lines), private=True)


def _secret_lines(encounter: Encounter, side: SideRow) -> list[str]:
    lieutenant_id = concealment.lieutenant_of(encounter, side.id)
    name = troops.by_id(encounter, lieutenant_id).profile.name if lieutenant_id else "not chosen yet"
    lines = [f"**{side.name}**", f"Lieutenant: {name}"]
    for model in encounter.models(side.id):
        secret = concealment.marker_of(encounter, model.id)
        if secret is not None:
            lines.append(f"{model.name} is {secret.name}")
    lines += [
        f"{secret.name} is in Hidden Deployment" for secret in concealment.hidden_troopers(encounter, side.id)
    ]
    return lines
