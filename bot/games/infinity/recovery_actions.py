"""After an Order: Guts, who goes on although it fell, healing, repair, Prone."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.infinity import concealment, troops
from bot.games.infinity.debts import Fall, FallLate, Guts, Prone, list_owed_falls, offer_prone, owe_guts
from bot.games.infinity.duels import agreed_modifiers
from bot.games.infinity.fields import figure, other_mod, paying_order, who
from bot.games.infinity.narration import (
    Declaring,
    Telling,
    Throwing,
    condition_name,
    describe_state,
    normal_lines,
    one_die_chances,
)
from bot.games.infinity.order_resolution import (
    describe_time_left,
    go_on_from,
    register_own_roll,
    seconds_left,
    seconds_since_question,
)
from bot.games.infinity.order_rows import Order
from bot.games.infinity.orders import declare, find_order_or_payment
from bot.games.infinity.state import Fallen, ModelState, model_state
from bot.games.infinity.troops import reload_trooper, settings_for
from bot.replies.reply import Reply
from bot.table.act import Act, ActView
from bot.table.answering import Answered
from bot.table.asking import fields
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.steps import Chances, as_done, in_steps
from bot.table.throw_purposes import Whose
from bot.table.waits import player_of
from rules.dice import Dice
from rules.effects import Gain, Lose
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.infinity.movement import Ground, effective_ground
from rules.systems.infinity.orders import Part
from rules.systems.infinity.reactions import GutsChoice, after_guts, guts, guts_choices
from rules.systems.infinity.rolls import modified
from rules.systems.infinity.states import (
    Means,
    State,
    after_healing,
    after_reconnect,
    heal,
    healing_attribute,
    likely_means,
    open_falls,
    reconnect,
    reconnect_attribute,
)
from rules.systems.infinity.trooper import Condition, Trooper
from rules.wording import possessive


@dataclass(frozen=True, slots=True)
class Heal(Action):
    """Heal or repair a trooper, or see the odds."""

    command = "inf.heal"
    typed = "inf heal"
    done_by = "healer"

    patient: Trooper = figure("Trooper to heal or repair", needed=True, helps=True)
    healer: Trooper | None = who("Helper (blank if the patient heals itself)", needed=False, called="model")
    means: Means | None = fields.one_of(
        "Means of healing (blank for the usual one)", {str(means): means for means in Means}
    )
    mod: int = other_mod()
    order: str = paying_order()
    odds: bool = fields.odds("Show only the odds")


@dataclass(frozen=True, slots=True)
class Reconnect(Action):
    """End the Isolated state with an Engineer, or see the odds."""

    command = "inf.reconnect"
    typed = "inf reconnect"

    engineer: Trooper = who("Your Engineer", called="model")
    patient: Trooper = figure("Isolated trooper to reconnect", needed=True, helps=True)
    mod: int = other_mod()
    order: str = paying_order()
    odds: bool = fields.odds("Show only the odds")


@dataclass(frozen=True, slots=True)
class ReadyGuts:
    """A Guts Roll that is owed: the trooper, its WIP, how it is met, and the ground under it."""

    trooper: Trooper
    wip: int
    how: GutsChoice
    ground: Ground


@in_steps(Guts)
class RollingGuts(Throwing[Guts, ReadyGuts, bool]):
    """The one Guts Roll of an Order: rolled, failed at will, with Courage passed at will."""

    def prepare(self, act: ActView, action: Guts) -> ReadyGuts:
        """Return a Guts Roll that is owed, met as the trooper chooses. Rules: INF-GUT-03, INF-VAL-01."""
        trooper = action.model
        wip = model_state(act.encounter, trooper.id).guts_wip if trooper.id > 0 else 0
        name = trooper.current.name
        if not wip:
            raise InvalidInput(f"Choose another trooper. {name} doesn't have to make a Guts Roll.")
        ground = effective_ground(trooper.current, action.ground, action.terrain)
        with act.overridable():
            if action.how not in guts_choices(trooper, settings_for(act)):
                raise Forbidden(f"Roll the dice. {name} needs Valor L1 to pass without a roll.", "INF-VAL-01")
        return ReadyGuts(trooper, wip, action.how, ground)

    def whose(self, action: Guts, ready: ReadyGuts) -> Whose:
        return Whose(ready.trooper.current.name, "Guts Roll", f"against WIP {ready.wip}")

    def rule(self, dice: Dice, ready: ReadyGuts) -> bool:
        return guts(dice, ready.wip) if ready.how is GutsChoice.ROLL else ready.how is GutsChoice.PASS

    def settle(self, act: Act, action: Guts, ready: ReadyGuts, outcome: bool) -> Telling:
        trooper, name, telling = ready.trooper, ready.trooper.current.name, Telling()
        if ready.how is GutsChoice.ROLL:
            telling.dice = normal_lines(act.dice.trace, f"Guts Roll, WIP {ready.wip}", ready.wip)
        model_state(act.encounter, trooper.id).guts_wip = 0
        telling.head.append(f"{name} {'stands its ground' if outcome else 'fails its Guts Roll'}.")
        effects = after_guts(
            trooper, stood_firm=outcome, can_move=True, can_go_prone=True, ground=ready.ground
        )
        telling.follow(act, effects)
        if not outcome:
            model_state(act.encounter, trooper.id).guts_failed = True
            offer_prone(telling, trooper)
        return telling

    def chances(self, act: ActView, action: Guts, ready: ReadyGuts) -> Chances:
        name = ready.trooper.current.name
        if ready.how is GutsChoice.ROLL:
            return one_die_chances(act, f"{name}, Guts Roll", (), ready.wip)
        will_pass = ready.how is GutsChoice.PASS
        sentence = f"{name} chooses to {'pass' if will_pass else 'fail'} its Guts Roll, so nothing is rolled."
        return Chances((sentence,), "success", float(will_pass), (act.solve(self.rule, ready),))


@handles(Prone)
def toggle_prone(act: Act, action: Prone) -> Reply:
    """Go prone or stand up."""
    trooper = action.model
    is_prone = trooper.has(Condition.PRONE)
    effect = Lose(trooper.id, Condition.PRONE) if is_prone else Gain(trooper.id, Condition.PRONE)
    if concealment.is_marker(act.encounter, trooper.id) or trooper.id < 0:
        raise InvalidInput(
            "Reveal the trooper first with /inf reveal. A hidden trooper doesn't show whether it is Prone."
        )
    concealment.apply_effects(act.encounter, [effect])
    model_state(act.encounter, trooper.id).guts_failed = False
    return Reply((f"{trooper.current.name} {'stands up' if is_prone else 'goes Prone'}.",), buttons=(UNDO,))


@handles(Fall)
def choose_fall(act: Act, action: Fall) -> Reply:
    """Announce Dogged or No Wound Incapacitation when the trooper falls, or never.

    Rules: INF-VAL-04, INF-VAL-09, INF-VAL-13.
    """
    return _resolve_fall(act, action.model, action.state)


@handles(FallLate, beforehand=seconds_since_question)
def leave_down(act: Act, action: FallLate) -> Reply:
    """Leave a trooper down once the time is over, by any player. Rules: INF-VAL-13."""
    row = action.model
    if not ModelState(row).fall:
        raise Answered(f"Nothing has changed. {possessive(row.name)} player has already chosen.")
    first = list_owed_falls(act.encounter)[0]
    if first.id != row.id:
        raise Forbidden(
            f"Wait until {possessive(first.name)} player has chosen. Each fallen trooper has its own time"
            " limit.",
            "INF-VAL-13",
        )
    if seconds_left(act) > 0:
        player_name = player_of(act.encounter, row.id)
        raise Forbidden(f"Wait for {player_name} to choose ({describe_time_left(act)}).", "INF-VAL-13")
    return _resolve_fall(act, troops.trooper(act.encounter, row), State.UNCONSCIOUS)


def _resolve_fall(act: Act, trooper: Trooper, state: State) -> Reply:
    """Carry out the player's choice for a trooper that has just fallen."""
    row = act.encounter.model(trooper.id)
    model_fall = ModelState(row)
    fall_kind = model_fall.fall
    name = trooper.current.name
    if not fall_kind:
        raise Forbidden(
            f"You can only choose this right after a trooper goes down. {name} hasn't just gone down.",
            "INF-VAL-13",
        )
    choices = open_falls(trooper, settings_for(act))
    if state not in choices:
        raise Forbidden(
            f"Choose another option. {condition_name(state).title()} isn't possible for {name}.", "INF-VAL-13"
        )
    guts_wip = model_fall.fall_guts_wip
    model_fall.forget_fall()
    if state is State.UNCONSCIOUS:
        return Reply((f"{name} stays down.",), buttons=(UNDO,))
    effects: list[Gain | Lose] = [Lose(trooper.id, Condition.UNCONSCIOUS)]
    effects += [Lose(trooper.id, Condition.PRONE)] if fall_kind == Fallen.STOOD else []
    duration = "the end of the Player Turn" if state is State.DOGGED else ""
    concealment.apply_effects(act.encounter, [*effects, Gain(trooper.id, state, until=duration)])
    telling = Telling([f"{name} keeps acting ({condition_name(state).title()})."])
    if duration:
        telling.head.append("It dies when this Player Turn ends.")
    if guts_wip:
        owe_guts(telling, row, reload_trooper(act, trooper), guts_wip, settings_for(act))
    return Reply(telling.lines(), buttons=telling.buttons(act, UNDO))


@dataclass(frozen=True, slots=True)
class ReadyAid:
    """A treatment: healer, patient, means, and the Attribute rolled against."""

    who: Trooper
    patient: Trooper
    base: int
    modifiers: tuple[Modifier, ...] = ()
    means: str = ""


@in_steps(Heal)
class Healing(Declaring[Heal, ReadyAid]):
    """A healing roll: one point back, or dead."""

    label = "Heal"

    def prepare(self, act: ActView, action: Heal) -> ReadyAid:
        """Return the healing as the rules see it. Rules: INF-ORD-04."""
        patient, healer = action.patient, action.healer or action.patient
        if healer.id == patient.id:
            act.require_model(act.encounter.model(patient.id))
        modifiers = agreed_modifiers(action.mod)
        other_healer = healer if healer.id != patient.id else None
        means = action.means or likely_means(patient, other_healer)
        base = healing_attribute(means, patient, other_healer)
        act.canonical = replace(as_done(action), means=means)
        if not _needs_no_order(healer, patient.id):
            find_order_or_payment(act, healer, Part.SHORT, "heal", kind=action.order)
        return ReadyAid(healer, patient, base, modifiers, means.value)

    def do(self, act: Act, action: Heal, ready: ReadyAid) -> Reply:
        terms = Order(
            0,
            ready.who.side,
            ready.who.id,
            patient=ready.patient.id,
            weapon=ready.means,
            mod=action.mod,
            mode=str(ready.base),
        )
        return _declare_treatment(
            act, ready.who, terms, "heal", f"{_describe_treatment(ready)}.", action.order
        )

    def chances(self, act: ActView, action: Heal, ready: ReadyAid) -> Chances:
        return one_die_chances(act, _describe_treatment(ready), ready.modifiers, ready.base)


def _describe_treatment(ready: ReadyAid) -> str:
    patient_name = "itself" if ready.who.id == ready.patient.id else ready.patient.current.name
    return f"{ready.who.current.name} treats {patient_name} ({ready.means})"


def _needs_no_order(trooper: Trooper, patient: int) -> bool:
    """Return whether a helpless trooper tends itself: it cannot be activated, and spends no Order."""
    return trooper.is_null and trooper.id == patient


def _declare_treatment(
    act: Act, trooper: Trooper, terms: Order, skill: str, sentence: str, kind: str
) -> Reply:
    """Declare a Skill on a friend; a helpless patient that heals itself spends no Order of its own."""
    if _needs_no_order(trooper, terms.patient):
        telling = Telling()
        _roll_healing(act, telling, replace(terms, model=trooper.id))
        return Reply(telling.lines(), buttons=telling.buttons(act, UNDO), why=tuple(telling.why))
    declaration = declare(act, trooper, Part.SHORT, skill, skill, kind=kind)
    return go_on_from(act, declaration.order.with_terms(terms), [sentence, *declaration.lines])


@register_own_roll("heal")
def _roll_healing(act: Act, telling: Telling, order: Order) -> None:
    patient = troops.as_shown(act.encounter, order.patient)
    base = int(order.mode)
    value = modified(base, agreed_modifiers(order.mod), settings_for(act))
    trace_start = len(act.dice.trace)
    healer_name = troops.by_id(act.encounter, order.model).current.name
    purpose = Whose(healer_name, order.weapon, f"roll on {patient.current.name}, {value} or less")
    is_success = act.roll(purpose, heal, value)
    telling.dice += normal_lines(
        act.dice.trace[trace_start:], f"{order.weapon.capitalize()}, needs {value} or less", value
    )
    telling.follow(act, after_healing(patient, success=is_success))
    name = patient.current.name
    if is_success:
        state_text = describe_state(reload_trooper(act, patient))
        telling.head.append(f"{name} is healed{f' ({state_text})' if state_text else ''}.")
    else:
        telling.head.append(f"The healing roll fails, and {name} dies.")


@in_steps(Reconnect)
class Reconnecting(Declaring[Reconnect, ReadyAid]):
    """An Engineer's WIP Roll that ends the Isolated state."""

    def prepare(self, act: ActView, action: Reconnect) -> ReadyAid:
        """Return the reconnection as the rules see it. Rules: INF-ISO-03."""
        engineer = action.engineer
        base = reconnect_attribute(engineer)
        patient = action.patient
        if not patient.has(Condition.ISOLATED):
            forbid(f"Choose an Isolated trooper. {patient.current.name} isn't Isolated.", "INF-ISO-03")
        modifiers = agreed_modifiers(action.mod)
        find_order_or_payment(act, engineer, Part.SHORT, "reconnect", kind=action.order)
        return ReadyAid(engineer, patient, base, modifiers)

    def do(self, act: Act, action: Reconnect, ready: ReadyAid) -> Reply:
        terms = Order(
            0, ready.who.side, ready.who.id, patient=ready.patient.id, mod=action.mod, mode=str(ready.base)
        )
        sentence = f"{ready.who.current.name} tries to reconnect {ready.patient.current.name}."
        return _declare_treatment(act, ready.who, terms, "reconnect", sentence, action.order)

    def chances(self, act: ActView, action: Reconnect, ready: ReadyAid) -> Chances:
        title = f"{ready.who.current.name} tries to reconnect {ready.patient.current.name}"
        return one_die_chances(act, title, ready.modifiers, ready.base)


@register_own_roll("reconnect")
def _roll_reconnection(act: Act, telling: Telling, order: Order) -> None:
    patient = troops.as_shown(act.encounter, order.patient)
    value = modified(int(order.mode), agreed_modifiers(order.mod), settings_for(act))
    trace_start = len(act.dice.trace)
    engineer_name = troops.by_id(act.encounter, order.model).current.name
    purpose = Whose(engineer_name, "WIP Roll", f"to reconnect {patient.current.name}, {value} or less")
    is_success = act.roll(purpose, reconnect, value)
    telling.dice += normal_lines(act.dice.trace[trace_start:], f"WIP {value}", value)
    telling.follow(act, after_reconnect(patient, success=is_success))
    name = patient.current.name
    telling.head.append(f"{name} is no longer Isolated." if is_success else f"{name} stays Isolated.")
