"""Supernatural powers and their backlash, and the d20 charts of nerves and powers with what each row does."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from rules.dice import Dice, Die, Facet
from rules.effects import Assign, Count, Effect, Gain, Leave, Lose, Propose
from rules.modifiers import Modifier, total
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.warzone.attacks import after_wounds
from rules.systems.warzone.characteristic import Grade, check
from rules.systems.warzone.model import (
    ACTIONS,
    LOST_ACTIONS,
    UNHINGED,
    WAKE_ATTEMPTS,
    Condition,
    Model,
    Squad,
)
from rules.systems.warzone.morale import Act, check_may_act, ld_modifiers
from rules.systems.warzone.movement import knock_prone
from rules.systems.warzone.ranged import may_act_on
from rules.systems.warzone.settings import Settings
from rules.systems.warzone.tables import SIDES, ChartKey, Row, charts, look_up
from rules.wording import possessive

MAX_MAGNITUDE = 40


@dataclass(frozen=True, slots=True)
class Channel:
    """An attempt. magnitude: 0 to 40. cost: actions that a success takes. target: None for no model."""

    channeler: Model
    magnitude: int
    cost: int = 1
    target: Model | None = None


def concentrate(model: Model) -> tuple[Effect, ...]:
    """Spend an action: +2 PW for a channel attempt with the very next action. Raises Forbidden.

    Rules: WZ-CONC-01, WZ-BACK-02.
    """
    check_may_act(model, Act.CONCENTRATE)
    if not model.profile.pw:
        forbid(f"{model.name} has PW 0, so it can't channel powers.", "WZ-POW-01")
    if model.has(Condition.SCRAMBLED):
        raise Forbidden(f"{model.name} has Mind Scramble and can't concentrate this turn.", "WZ-BACK-02")
    return (Gain(model.id, Condition.CONCENTRATING, 0, "its next action"),)


def lose_concentration(model: Model) -> tuple[Effect, ...]:
    """Use up or lose the bonus after any action but concentrating. Rules: WZ-CONC-01."""
    return (Lose(model.id, Condition.CONCENTRATING),) if model.has(Condition.CONCENTRATING) else ()


def channel_modifiers(channel: Channel, settings: Settings) -> tuple[Modifier, ...]:
    """Return the modifiers on PW. Raises Forbidden, InvalidInput.

    Rules: WZ-POW-01, WZ-POW-03, WZ-CONC-01, WZ-BACK-02.
    """
    model, target = channel.channeler, channel.target
    check_may_act(model, Act.CHANNEL)
    if not 0 <= channel.magnitude <= MAX_MAGNITUDE or not 1 <= channel.cost <= 10:
        raise InvalidInput(
            f"The magnitude must be between 0 and {MAX_MAGNITUDE}, and the cost between 1 and 10 actions."
        )
    if not model.profile.pw:
        forbid(f"{model.name} has PW 0, so it can't channel powers.", "WZ-POW-01")
    if target is not None and not may_act_on(model, target):
        raise Forbidden(f"{target.name} is concealed. Spot it first.", "WZ-POW-03")
    modifiers = []
    if settings.channel_test == "pw_minus_magnitude":
        modifiers.append(Modifier(-channel.magnitude, f"magnitude {channel.magnitude}", "WZ-POW-01"))
    if model.has(Condition.CONCENTRATING):
        modifiers.append(Modifier(2, "concentrated", "WZ-CONC-01"))
    if model.has(Condition.SCRAMBLED):
        modifiers.append(Modifier(-3, "Mind Scramble", "WZ-BACK-02"))
    return tuple(modifiers)


def channel_limit(channel: Channel, settings: Settings) -> int:
    """Return the highest d20 result that passes the PW test, for `characteristic.check`. Rules: WZ-POW-01."""
    return channel.channeler.profile.pw + total(channel_modifiers(channel, settings))


def after_channel(channel: Channel, grade: Grade, settings: Settings) -> tuple[Effect, ...]:
    """Return the actions it costs, the concentration used, and backlash. Rules: WZ-POW-02, WZ-BACK-01."""
    model = channel.channeler
    one_action = not grade.passed and settings.channel_fail_cost == "one"
    spent_effect = Count("model", model.id, ACTIONS, -(1 if one_action else channel.cost))
    effects: list[Effect] = [spent_effect, *lose_concentration(model)]
    has_backlash = not grade.passed if settings.backlash_trigger == "any_failure" else grade is Grade.FUMBLE
    if has_backlash:
        details = (("magnitude", channel.magnitude),)
        effects.append(Propose("backlash", model.id, f"{model.name} suffers backlash.", details))
    return tuple(effects)


# -------------------------------------------------------------------------------- what backlash leaves


def storm_limit(model: Model, magnitude: int, *, enemy_in_sight: bool) -> int:
    """Return the LD limit of one model in a Mind Storm. Rules: WZ-BACK-04."""
    return model.profile.ld + total(storm_modifiers(model, magnitude, enemy_in_sight=enemy_in_sight))


def storm_modifiers(model: Model, magnitude: int, *, enemy_in_sight: bool) -> tuple[Modifier, ...]:
    """Return modifiers on that LD: nerves, and the magnitude of the power that failed. Rules: WZ-BACK-04."""
    own_modifiers = ld_modifiers(model, enemy_in_sight=enemy_in_sight)
    return (*own_modifiers, Modifier(-magnitude, f"magnitude {magnitude}", "WZ-BACK-04"))


def mind_storm(dice: Dice, limits: tuple[int, ...]) -> tuple[int, ...]:
    """Roll everyone's LD test in turn; a failure costs 1 wound without a save. Rules: WZ-BACK-04."""
    return tuple(int(not check(dice, limit, label="mind storm").passed) for limit in limits)


def after_storm(models: tuple[Model, ...], wounds: tuple[int, ...]) -> tuple[Effect, ...]:
    """Apply the wounds of the storm, model by model. Rules: WZ-BACK-04."""
    pairs = zip(models, wounds, strict=True)
    return tuple(effect for model, wounds in pairs for effect in after_wounds(model, wounds))


def wake_modifiers(model: Model, *, enemy_in_sight: bool) -> tuple[Modifier, ...]:
    """Return the modifiers of an unconscious model's LD test to wake, one try a turn. Raises Forbidden.

    Rules: WZ-BACK-03.
    """
    if not model.has(Condition.UNCONSCIOUS):
        raise Forbidden(f"{model.name} is already awake.", "WZ-BACK-03")
    if model.count(WAKE_ATTEMPTS):
        raise Forbidden(f"{model.name} has already tried to wake up this turn.", "WZ-BACK-03")
    own_modifiers = ld_modifiers(model, enemy_in_sight=enemy_in_sight)
    return (*own_modifiers, Modifier(-4, "waking", "WZ-BACK-03"))


def after_waking(model: Model, grade: Grade) -> tuple[Effect, ...]:
    """Count its own attempt; on a success it wakes, still prone. Rules: WZ-BACK-03."""
    attempt = Count("model", model.id, WAKE_ATTEMPTS, 1)
    return (attempt, Lose(model.id, Condition.UNCONSCIOUS)) if grade.passed else (attempt,)


def wake_friend(friend: Model, sleeper: Model, *, in_contact: bool) -> tuple[Effect, ...]:
    """Make a friend in base contact wake it; the action is spent with `command.spend_actions`.

    Raises Forbidden. Rules: WZ-BACK-03.
    """
    check_may_act(friend, Act.WAKE)
    if friend.side != sleeper.side or not in_contact:
        raise Forbidden(f"Only a friend in base contact can wake {sleeper.name}.", "WZ-BACK-03")
    return (Lose(sleeper.id, Condition.UNCONSCIOUS),)


DERANGED_ARC = 90
"""Degrees around the rolled direction in which a deranged model looks for a target."""


@cache
def chart_die(chart: ChartKey) -> Die:
    """Return the d20 of a chart: every face carries the name of its row, a tally for each row."""
    rows = charts()[chart]

    def facet(row: Row) -> Facet:
        return Facet(row.name, tuple(int(row is other) for other in rows))

    return Die(tuple(row.key for row in rows), tuple(facet(look_up(chart, n + 1)) for n in range(SIDES)))


def roll_chart(dice: Dice, chart: ChartKey) -> str:
    """Roll one d20 on a chart and return the key of its row. Natural 1 and 20 mean nothing more.

    Rules: WZ-AMOK-02, WZ-UNH-02, WZ-BACK-02, WZ-RAMP-01, WZ-WRECK-01, WZ-WRECK-03.
    """
    return charts()[chart][dice.pool(1, chart_die(chart), chart.replace("_", " ")).index(1)].key


def find_row(chart: ChartKey, key: str) -> Row:
    """Return a row by its key."""
    return next(row for row in charts()[chart] if row.key == key)


# ------------------------------------------------------------------------------------------------- amok


def after_amok(squad: Squad, key: str, lone_id: int = 0) -> tuple[Effect, ...]:
    """Return the effects of a row of the amok table on every machine of the squad that rolled.

    lone_id: the id of the one machine that tested for itself, 0 for the squad; a System Reboot concerns the
    whole squad in any case. Rules: WZ-AMOK-02, WZ-AMOK-03, WZ-AMOK-04, WZ-TURN-04.
    """
    models = [model for model in squad.models if model.profile.has("machine")]
    if lone_id and key != "system_reboot":
        models = [model for model in models if model.id == lone_id]
    actions_lost = {"buffer_overflow": 1, "reboot": 2, "system_reboot": 2}.get(key, 0)
    effects: list[Effect] = []
    for model in models:
        if actions_lost:
            effects.append(Count("model", model.id, LOST_ACTIONS, actions_lost))
        if key == "recognition_fault":
            effects.append(Gain(model.id, Condition.RECOGNITION_FAULT, 0, "the end of its next activation"))
        if key == "system_reboot":
            effects.append(Gain(model.id, Condition.REBOOTED, 0, "the end of its next activation"))
    return tuple(effects)


def after_recognition(model: Model, grade: Grade) -> tuple[Effect, ...]:
    """Apply the LD test before an attack under Recognition Fault. Rules: WZ-AMOK-03."""
    if grade.passed:
        return ()
    if grade is Grade.FUMBLE:
        return (Propose("attack_nearest_friend", model.id, f"{model.name} attacks the nearest friend."),)
    return (Count("model", model.id, ACTIONS, -1),)


def reboot_modifiers(model: Model, *, enemy_in_sight: bool) -> tuple[Modifier, ...]:
    """Return the modifiers on LD in a System Reboot, the A.I. level among them. Rules: WZ-AMOK-04."""
    own_modifiers = ld_modifiers(model, enemy_in_sight=enemy_in_sight)
    level = model.profile.ai_level
    return (*own_modifiers, Modifier(-level, f"A.I. level {level}", "WZ-AMOK-04")) if level else own_modifiers


def reboot_limit(model: Model, *, enemy_in_sight: bool) -> int:
    """Return the highest d20 result that passes. Rules: WZ-AMOK-04."""
    return model.profile.ld + total(reboot_modifiers(model, enemy_in_sight=enemy_in_sight))


def reboot(dice: Dice, limits: tuple[int, ...]) -> int:
    """Test one model after another until one passes: its place from 0, or -1.

    Rules: WZ-AMOK-04, WZ-AMOK-05.
    """
    for place, limit in enumerate(limits):
        if check(dice, limit, label="reboot").passed:
            return place
    return -1


def after_reboot(models: tuple[Model, ...], passed_place: int) -> tuple[Effect, ...]:
    """Return the effects of a reboot: the first that passed leads; if none did, all move together.

    models: in the order tested. passed: place of the first success, -1 for none.
    Rules: WZ-AMOK-04, WZ-AMOK-05.
    """
    if passed_place < 0:
        reason = "{} moves towards the nearest squad member."
        return tuple(Propose("move", model.id, reason.format(model.name)) for model in models)
    leader = models[passed_place]
    return (Lose(leader.id, Condition.REBOOTED), Gain(leader.id, Condition.LEADING))


def after_regrouping(
    leader: Model, models: tuple[Model, ...], near_ids: frozenset[int]
) -> tuple[Effect, ...]:
    """Put squad mates within the new leader's command distance in command again, with one action left.

    models: the others that rebooted. near_ids: ids of those in distance. Rules: WZ-AMOK-05.
    """
    effects: list[Effect] = []
    for model in models:
        if model.id in near_ids:
            effects += [Lose(model.id, Condition.REBOOTED), Assign("model", model.id, ACTIONS, 1)]
        else:
            reason = f"{model.name} moves to get within {possessive(leader.name)} command distance."
            effects.append(Propose("move", model.id, reason))
    return tuple(effects)


# --------------------------------------------------------------------------------------------- unhinged


def after_unhinged(model: Model, key: str) -> tuple[Effect, ...]:
    """Return the effects of a row of the unhinged chart. Rules: WZ-UNH-01 to WZ-UNH-05."""
    if key == "horror":
        return (Leave(model.id, "horror"),)
    condition = Condition(key)
    old = tuple(Lose(model.id, other) for other in UNHINGED if other is not condition and model.has(other))
    return (*old, Gain(model.id, condition, 0, "rally"))


def after_finding_nobody(model: Model) -> tuple[Effect, ...]:
    """Return the effects if a deranged model finds no other squad: its action is lost. Rules: WZ-UNH-05."""
    return (Count("model", model.id, ACTIONS, -1),)


# --------------------------------------------------------------------------------- backlash and rampage


def after_backlash(model: Model, key: str, magnitude: int) -> tuple[Effect, ...]:
    """Return the effects of a row of the backlash chart on the channeler. Rules: WZ-BACK-02, WZ-BACK-03."""
    match key:
        case "mind_scramble":
            return (Gain(model.id, Condition.SCRAMBLED, 0, "turn"),)
        case "mind_spike":
            return (Assign("model", model.id, ACTIONS, 0),)
        case "mind_surge":
            return (Gain(model.id, Condition.UNCONSCIOUS, 0, "woken"), *knock_prone(model))
        case _:
            details = (("inches", model.profile.sz), ("magnitude", magnitude))
            reason = f"Every model within {model.profile.sz} in of {model.name} must test LD."
            return (Propose("mind_storm", model.id, reason, details),)


def check_rampage(model: Model, settings: Settings, *, dominated: bool) -> None:
    """Raise Forbidden where a summoned model need not roll. Rules: WZ-RAMP-01."""
    if settings.rampage_trigger == "no_domination" and dominated:
        raise Forbidden(f"{model.name} is dominated this turn, so it doesn't rampage.", "WZ-RAMP-01")


def after_rampage(model: Model, key: str, summoner: int | None) -> tuple[Effect, ...]:
    """Return the effects of a row of the rampage table. summoner: id, None if dead.

    Rules: WZ-RAMP-01, WZ-RAMP-02.
    """
    if key == "turns_on_summoner" and summoner is None:
        key = "blinded"
    uses_activation = ("uses_activation", 1)
    match key:
        case "reckless":
            return (Gain(model.id, Condition.RECKLESS, 0, "turn"),)
        case "lash_out":
            return (
                Propose(
                    "attack_nearest", model.id, f"{model.name} lashes out immediately.", (uses_activation,)
                ),
            )
        case "wracked":
            return (Gain(model.id, Condition.WRACKED, 0, "dominated"),)
        case "blinded":
            action_lost = Count("model", model.id, LOST_ACTIONS, 1)
            return (action_lost, Gain(model.id, Condition.BLINDED, 0, "the end of its next activation"))
        case _:
            details = (("target", summoner or 0), ("all_actions", 1), uses_activation)
            return (Propose("attack", model.id, f"{model.name} turns on its summoner.", details),)


def after_domination(model: Model) -> tuple[Effect, ...]:
    """Return the effects of its summoner dominating it: no longer wracked. Rules: WZ-RAMP-01, WZ-RAMP-02."""
    return (Lose(model.id, Condition.WRACKED),) if model.has(Condition.WRACKED) else ()
