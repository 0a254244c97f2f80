"""Supernatural powers: concentrating, the channel attempt, when backlash strikes, waking from Mind Surge."""

from __future__ import annotations

from dataclasses import dataclass

from rules.dice import Dice
from rules.effects import Count, Effect, Gain, Lose, Propose
from rules.modifiers import Modifier, total
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.warzone.characteristic import Grade, check
from rules.systems.warzone.damage import after_wounds
from rules.systems.warzone.model import ACTIONS, WAKINGS, Condition, Model
from rules.systems.warzone.morale import Act, ld_modifiers, refuse
from rules.systems.warzone.ranged import may_act_on
from rules.systems.warzone.settings import Settings

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
    refuse(model, Act.CONCENTRATE)
    if not model.profile.pw:
        forbid(f"{model.name} has no power to channel: PW 0.", "WZ-POW-01")
    if model.has(Condition.SCRAMBLED):
        raise Forbidden(f"{model.name} is scrambled and may not concentrate this turn.", "WZ-BACK-02")
    return (Gain(model.id, Condition.CONCENTRATING, 0, "next action"),)


def lose_concentration(model: Model) -> tuple[Effect, ...]:
    """After any action but concentrating: the bonus is used or lost. Rules: WZ-CONC-01."""
    return (Lose(model.id, Condition.CONCENTRATING),) if model.has(Condition.CONCENTRATING) else ()


def channel_modifiers(channel: Channel, settings: Settings) -> tuple[Modifier, ...]:
    """Modifiers on PW. Raises Forbidden, InvalidInput.

    Rules: WZ-POW-01, WZ-POW-03, WZ-CONC-01, WZ-BACK-02.
    """
    model, target = channel.channeler, channel.target
    refuse(model, Act.CHANNEL)
    if not 0 <= channel.magnitude <= MAX_MAGNITUDE or not 1 <= channel.cost <= 10:
        raise InvalidInput(f"A magnitude is 0 to {MAX_MAGNITUDE}, a cost 1 to 10 actions.")
    if not model.profile.pw:
        forbid(f"{model.name} has no power to channel: PW 0.", "WZ-POW-01")
    if target is not None and not may_act_on(model, target):
        raise Forbidden(f"{target.name} is concealed and must be spotted first.", "WZ-POW-03")
    modifiers = []
    if settings.channel_test == "pw_minus_magnitude":
        modifiers.append(Modifier(-channel.magnitude, f"magnitude {channel.magnitude}", "WZ-POW-01"))
    if model.has(Condition.CONCENTRATING):
        modifiers.append(Modifier(2, "concentrated", "WZ-CONC-01"))
    if model.has(Condition.SCRAMBLED):
        modifiers.append(Modifier(-3, "Mind Scramble", "WZ-BACK-02"))
    return tuple(modifiers)


def channel_limit(channel: Channel, settings: Settings) -> int:
    """What the d20 of the PW test must not exceed, for `characteristic.check`. Rules: WZ-POW-01."""
    return channel.channeler.profile.pw + total(channel_modifiers(channel, settings))


def after_channel(channel: Channel, grade: Grade, settings: Settings) -> tuple[Effect, ...]:
    """The actions it costs, the concentration used, and backlash. Rules: WZ-POW-02, WZ-BACK-01."""
    model = channel.channeler
    one = not grade.passed and settings.channel_fail_cost == "one"
    spent = Count("model", model.id, ACTIONS, -(1 if one else channel.cost))
    effects: list[Effect] = [spent, *lose_concentration(model)]
    strikes = not grade.passed if settings.backlash_trigger == "any_failure" else grade is Grade.FUMBLE
    if strikes:
        details = (("magnitude", channel.magnitude),)
        effects.append(Propose("backlash", model.id, f"Backlash strikes {model.name}.", details))
    return tuple(effects)


# -------------------------------------------------------------------------------- what backlash leaves


def storm_limit(model: Model, magnitude: int, *, enemy_in_sight: bool) -> int:
    """LD limit of one model in a Mind Storm. Rules: WZ-BACK-04."""
    return model.profile.ld + total(storm_modifiers(model, magnitude, enemy_in_sight=enemy_in_sight))


def storm_modifiers(model: Model, magnitude: int, *, enemy_in_sight: bool) -> tuple[Modifier, ...]:
    """Modifiers on that LD: nerves, and the magnitude of the power that failed. Rules: WZ-BACK-04."""
    own = ld_modifiers(model, enemy_in_sight=enemy_in_sight)
    return (*own, Modifier(-magnitude, f"magnitude {magnitude}", "WZ-BACK-04"))


def mind_storm(dice: Dice, limits: tuple[int, ...]) -> tuple[int, ...]:
    """Everyone's LD test in turn; 1 wound for each who fails, no armour save. Rules: WZ-BACK-04."""
    return tuple(int(not check(dice, limit, label="mind storm").passed) for limit in limits)


def after_storm(models: tuple[Model, ...], wounds: tuple[int, ...]) -> tuple[Effect, ...]:
    """Wounds of the storm, model by model. Rules: WZ-BACK-04."""
    pairs = zip(models, wounds, strict=True)
    return tuple(effect for model, each in pairs for effect in after_wounds(model, each))


def wake_modifiers(model: Model, *, enemy_in_sight: bool) -> tuple[Modifier, ...]:
    """Modifiers of an unconscious model's LD test to wake, one try a turn. Raises Forbidden.

    Rules: WZ-BACK-03.
    """
    if not model.has(Condition.UNCONSCIOUS):
        raise Forbidden(f"{model.name} is awake.", "WZ-BACK-03")
    if model.count(WAKINGS):
        raise Forbidden(f"{model.name} has tried to wake this turn.", "WZ-BACK-03")
    own = ld_modifiers(model, enemy_in_sight=enemy_in_sight)
    return (*own, Modifier(-4, "waking", "WZ-BACK-03"))


def after_waking(model: Model, grade: Grade) -> tuple[Effect, ...]:
    """Its own attempt: counted, and on a success it wakes, still prone. Rules: WZ-BACK-03."""
    tried = Count("model", model.id, WAKINGS, 1)
    return (tried, Lose(model.id, Condition.UNCONSCIOUS)) if grade.passed else (tried,)


def wake_friend(friend: Model, sleeper: Model, *, in_contact: bool) -> tuple[Effect, ...]:
    """A friend in base contact wakes it; the action is spent with `command.spend`. Raises Forbidden.

    Rules: WZ-BACK-03.
    """
    refuse(friend, Act.WAKE)
    if friend.side != sleeper.side or not in_contact:
        raise Forbidden(f"Only a friend in base contact wakes {sleeper.name}.", "WZ-BACK-03")
    return (Lose(sleeper.id, Condition.UNCONSCIOUS),)
