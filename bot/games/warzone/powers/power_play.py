"""Supernatural powers at the table: concentrating, channelling with its backlash, waking."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from bot.actions import Action
from bot.games.warzone.core.acting import note_deed
from bot.games.warzone.core.common import CONTACT, again, check_may_act, pay, settings
from bot.games.warzone.core.fear import (
    FREELY,
    NERVE,
    NERVE_TEST,
    after_nerve,
    by_ld,
    may_begin,
    tell_ld,
    weigh,
)
from bot.games.warzone.core.fields import foe, friend, no_enemy_seen, who
from bot.games.warzone.core.overrides import allowed, seen
from bot.games.warzone.core.telling import Telling
from bot.games.warzone.core.throwing import ReadyTest, Rolling, Throwing, passing
from bot.games.warzone.core.undertaking import Begin, Quiet, begin
from bot.games.warzone.core.words import short_sum, sum_lines
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.names import plain
from bot.table.rolling.throws import Whose
from bot.table.steps import Chances, as_done, in_steps
from rules.dice import Dice
from rules.effects import Effect
from rules.modifiers import Modifier
from rules.refusals import Forbidden
from rules.systems.warzone.characteristic import Grade, check
from rules.systems.warzone.model import Condition, Model
from rules.systems.warzone.morale import Act as Deed
from rules.systems.warzone.morale import ld_limit
from rules.systems.warzone.powers import Channel as Attempt
from rules.systems.warzone.powers import (
    after_channel,
    after_waking,
    channel_limit,
    channel_modifiers,
    concentrate,
    wake_friend,
    wake_modifiers,
)

TO_WAKE = "To wake"


@dataclass(frozen=True, slots=True)
class Concentrate(Action):
    """+2 PW for the next action.

    Spend an action: +2 PW for the next one. hidden: no enemy is in its line of sight.
    """

    command = "wz.concentrate"
    typed = "wz concentrate"

    model: Model = who("Who concentrates")
    hidden: bool = no_enemy_seen()
    odds: bool = fields.odds("Only the chances")


@dataclass(frozen=True, slots=True)
class Channel(Action):
    """Channel a supernatural power.

    cost: actions of a success. power: what it is called.
    """

    command = "wz.channel"
    typed = "wz channel"
    titled = "Channel a power"

    model: Model = who("Who channels")
    magnitude: int = fields.whole("How hard it is", 0, 40, default=0, needed=True)
    cost: int = fields.whole("Actions it takes", 1, 10, default=1)
    target: Model | None = foe("At whom")
    power: str = fields.text("What it is called", None)
    odds: bool = fields.odds("Only the chances")


@dataclass(frozen=True, slots=True)
class Wake(Action):
    """Wake from Mind Surge.

    friend: one in base contact, who spends an action; empty: by itself.
    """

    command = "wz.wake"
    typed = "wz state wake"
    titled = "Wake from Mind Surge"

    model: Model = who("Who sleeps")
    friend: Model | None = friend("Who wakes him; none: a test", mine=True)
    hidden: bool = fields.switch("No enemy in sight", fact=True)
    odds: bool = fields.odds("Chances")


@dataclass(frozen=True, slots=True)
class ReadyToConcentrate:
    """Who concentrates. effects: what that gives."""

    begin: Begin
    effects: tuple[Effect, ...]


@in_steps(Concentrate, may=may_begin("model", Deed.CONCENTRATE))
class Concentrating(Quiet[Concentrate, ReadyToConcentrate]):
    """For the very next action only. Rules: WZ-CONC-01, WZ-BACK-02."""

    def prepare(self, act: Act, action: Concentrate) -> ReadyToConcentrate:
        """Who concentrates. Raises Forbidden."""
        model = action.model
        effects = allowed(act, lambda who, _: concentrate(who), model)
        begun = begin(act, model, Deed.CONCENTRATE, hidden=action.hidden)
        return ReadyToConcentrate(begun, tuple(effects))

    def done(self, telling: Telling, action: Concentrate, ready: ReadyToConcentrate, result: bool) -> None:
        """+2 PW."""
        telling.follow(ready.effects)
        telling.lines.append(f"{ready.begin.model.name} concentrates: +2 PW.")
        telling.next.append("For a power with the next action only.")


@dataclass(frozen=True, slots=True)
class ReadyChannel(ReadyTest):
    """An attempt to channel that may be made; what: the power, in words."""

    attempt: Attempt = field(kw_only=True)
    what: str = ""

    @property
    def at(self) -> str:
        """At whom, in words."""
        return f" at {self.attempt.target.name}" if self.attempt.target else ""


@in_steps(Channel)
class Channelling(Throwing[Channel, ReadyChannel, Grade]):
    """The PW test, what it costs, and backlash. Rules: WZ-POW-01 to WZ-POW-03, WZ-CONC-01, WZ-BACK-01."""

    label = "Channel"

    def prepare(self, act: Act, action: Channel) -> ReadyChannel:
        """Who has power and the actions for it."""
        model, target, chosen = action.model, action.target, settings(act)
        power = plain(action.power, 32)
        act.canonical = replace(as_done(action), power=power)

        def rule(who: Model, overridden: bool) -> Attempt:
            aimed_at = seen(target) if overridden and target else target
            attempt = Attempt(who, action.magnitude, action.cost, aimed_at)
            channel_modifiers(attempt, chosen)
            return attempt

        attempt = allowed(act, rule, model)
        hurdle = FREELY
        if act.looks:
            hurdle = weigh(act, model, Deed.CHANNEL, actions=action.cost)
        else:
            with act.overridable():
                check_may_act(act, model, Deed.CHANNEL, action.cost)
        return ReadyChannel(
            model,
            channel_modifiers(attempt, chosen),
            channel_limit(attempt, chosen),
            hurdle,
            attempt=attempt,
            what=power or f"power of magnitude {action.magnitude}",
        )

    def whose(self, action: Channel, ready: ReadyChannel) -> Whose:
        """The channeler's own."""
        return Whose(
            ready.model.name, ready.what, f"{ready.at.strip() or 'against PW'}, {ready.limit} or less"
        )

    def rule(self, dice: Dice, ready: ReadyChannel) -> Grade:
        """The PW test."""
        return check(dice, ready.limit, label="power")

    def settle(self, act: Act, action: Channel, ready: ReadyChannel, outcome: Grade) -> Telling:
        """The actions it cost, and backlash."""
        model, telling = ready.model, Telling(act)
        what = plain(action.power, 32) or f"a {ready.what}"
        verb = "channels" if outcome.passed else "fails to channel"
        telling.lines.append(f"{model.name} {verb} {what}{ready.at}.")
        power = short_sum("PW", model.profile.pw, ready.modifiers)
        telling.thrown(f"Power: {ready.limit} or less ({power})")
        telling.why += [f"{model.name} channels {what}", *sum_lines("PW", model.profile.pw, ready.modifiers)]
        telling.note(note_deed(act.encounter, model))
        telling.follow(after_channel(ready.attempt, outcome, settings(act)))
        cheap = settings(act).channel_fail_cost == "one"
        if not outcome.passed and outcome is not Grade.FUMBLE and cheap:
            telling.next.append("It cost one action.")
        over = outcome.passed or again(act, model).has(Condition.UNCONSCIOUS)
        telling.more = () if over else (Button("Again", act.canonical),)
        return telling

    def tell(self, act: Act, action: Channel, ready: ReadyChannel, told: Telling) -> Reply:
        """With what is left to it."""
        return told.closing(ready.model, *told.more)

    def chances(self, act: Act, action: Channel, ready: ReadyChannel) -> Chances:
        """Whether it works."""
        title, odds = f"{ready.model.name} channels", act.solve(self.rule, ready)
        return passing(title, ready.limit, ("works", "fails"), odds, ready.hurdle)


@dataclass(frozen=True, slots=True)
class ReadyWake:
    """Who may be woken. helps: how a friend begins, with what follows; None for the model's own test."""

    model: Model
    modifiers: tuple[Modifier, ...]
    helps: Begin | None = None
    waking: tuple[Effect, ...] = ()

    @property
    def limit(self) -> int:
        """What its own d20 must not exceed."""
        return ld_limit(self.model, self.modifiers)


@in_steps(Wake)
class Waking(Rolling[Wake, ReadyWake, "Grade | None"]):
    """By a friend in contact, or by a test at -4, once a turn. Rules: WZ-BACK-03."""

    label = "Try"

    def prepare(self, act: Act, action: Wake) -> ReadyWake:
        """Who wakes, and who wakes it. Raises InvalidInput, Forbidden."""
        model, friend = action.model, action.friend
        if friend is None:
            return ReadyWake(model, wake_modifiers(model, enemy_in_sight=not action.hidden))
        if not model.has(Condition.UNCONSCIOUS):
            raise Forbidden(f"{model.name} is awake.", "WZ-BACK-03")
        waking = wake_friend(friend, model, in_contact=_touching(act, friend.id, model.id))
        return ReadyWake(model, (), begin(act, friend, Deed.WAKE, hidden=action.hidden), tuple(waking))

    def thrown(self, act: Act, action: Wake, ready: ReadyWake) -> Grade | None:
        """The friend's nerve, None where it needs none; or the model's own test."""
        if ready.helps is None:
            whose = by_ld(ready.model, ready.modifiers, "test to wake")
            return act.roll(whose, check, ready.limit, label="leadership")
        helps = ready.helps
        if helps.nerve is None or helps.limit is None:
            return None
        return act.roll(by_ld(helps.model, helps.nerve, NERVE_TEST), check, helps.limit, label="leadership")

    def settle(self, act: Act, action: Wake, ready: ReadyWake, outcome: Grade | None) -> Telling:
        """It is awake, or not."""
        telling, model = Telling(act), ready.model
        if ready.helps is not None:
            self._helped(telling, ready, ready.helps, outcome)
        elif outcome is not None:
            tell_ld(telling, model, ready.modifiers, TO_WAKE)
            how = "wakes, still prone" if outcome.passed else "does not wake"
            telling.lines.append(f"{model.name} {how}.")
            telling.follow(after_waking(model, outcome))
        return telling

    @staticmethod
    def _helped(telling: Telling, ready: ReadyWake, helps: Begin, outcome: Grade | None) -> None:
        if helps.nerve is not None and outcome is not None:
            tell_ld(telling, helps.model, helps.nerve, NERVE)
            if not after_nerve(telling, helps.model, outcome):
                return
        telling.note(pay(telling.act, helps.model, helps.deed))
        telling.follow(ready.waking)
        telling.lines.append(f"{helps.model.name} wakes {ready.model.name}, who is still prone.")

    def tell(self, act: Act, action: Wake, ready: ReadyWake, told: Telling) -> Reply:
        """A friend has spent an action on it."""
        return told.reply() if ready.helps is None else told.closing(ready.helps.model)

    def chances(self, act: Act, action: Wake, ready: ReadyWake) -> Chances:
        """Of its own test; a friend needs none."""
        if ready.helps is not None:
            hurdle = ready.helps.hurdle
            lines = (f"{ready.helps.model.name} wakes {ready.model.name} without a test.", *hurdle.lines)
            return Chances(lines, "wakes", 1.0, not_yet=hurdle.not_yet)
        odds = act.solve(check, ready.limit)
        return passing(f"{ready.model.name} wakes", ready.limit, ("wakes", "no"), odds)


def _touching(act: Act, one: int, other: int) -> bool:
    return bool(act.encounter.model(one).counters.get(CONTACT.of(other)))
