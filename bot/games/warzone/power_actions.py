"""Supernatural powers: concentrating, channelling with its backlash, waking, and the Mind Storm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bot.actions import Action
from bot.games.warzone.activation import note_deed
from bot.games.warzone.attacks import fate
from bot.games.warzone.blast_actions import build_model_menu
from bot.games.warzone.common import (
    Telling,
    carries_out,
    check_can_act,
    find_model,
    pay,
    refresh,
    roll_on_chart,
    settings_for,
    sort_by_id,
)
from bot.games.warzone.fear import (
    NERVE_TEST,
    NERVE_TEST_TITLE,
    NO_PRECONDITIONS,
    build_deed_check,
    build_sight_menu,
    describe_ld_roller,
    find_afraid,
    find_preconditions,
    report_ld_test,
    report_nerve_test,
)
from bot.games.warzone.fields import (
    friend,
    model_by_id_field,
    models_by_id_field,
    no_enemy_seen_field,
    target_field,
    who,
)
from bot.games.warzone.narration import describe_sum, format_short_sum
from bot.games.warzone.state import model_state, state_of
from bot.games.warzone.steps import (
    DeedStart,
    DeedWithoutRoll,
    ReadyTest,
    Rolling,
    Throwing,
    apply_rule,
    as_revealed,
    begin,
    build_test_chances,
)
from bot.replies.chances import bars
from bot.replies.reply import Button, Menu, Reply
from bot.table.act import Act, ActView
from bot.table.answering import Answered
from bot.table.asking import fields
from bot.table.encounter import Encounter
from bot.table.names import plain
from bot.table.owners import player_of
from bot.table.session.drafts import Picker, PickField, register_picker
from bot.table.steps import Chances, as_done, in_steps
from bot.table.throw_purposes import Cast, Whose, counted
from rules.dice import Dice
from rules.effects import Effect, Propose
from rules.modifiers import Modifier
from rules.refusals import Forbidden
from rules.systems.warzone.characteristic import Grade, check
from rules.systems.warzone.model import Condition, Model
from rules.systems.warzone.morale import Act as Deed
from rules.systems.warzone.morale import ld_limit
from rules.systems.warzone.powers import Channel as Attempt
from rules.systems.warzone.powers import (
    after_backlash,
    after_channel,
    after_storm,
    after_waking,
    channel_limit,
    channel_modifiers,
    concentrate,
    mind_storm,
    storm_limit,
    storm_modifiers,
    wake_friend,
    wake_modifiers,
)
from rules.wording import possessive, times

WAKE_TEST_TITLE = "Test to wake up"


@dataclass(frozen=True, slots=True)
class Concentrate(Action):
    """Spend an action to get +2 PW for the next action.

    Spend an action: +2 PW for the next one. hidden: no enemy is in its line of sight.
    """

    command = "wz.concentrate"
    typed = "wz concentrate"

    model: Model = who("Model that concentrates")
    hidden: bool = no_enemy_seen_field()
    odds: bool = fields.odds("Show only the odds")

    by_hand: tuple[str, ...] = fields.by_hand()


@dataclass(frozen=True, slots=True)
class Channel(Action):
    """Channel a supernatural power, or see the odds.

    cost: actions of a success. power: what it is called.
    """

    command = "wz.channel"
    typed = "wz channel"
    titled = "Channel a power"

    model: Model = who("Model that channels")
    magnitude: int = fields.whole("Magnitude of the power", 0, 40, default=0, needed=True)
    cost: int = fields.whole("Number of actions the power takes", 1, 10, default=1)
    target: Model | None = target_field("Target")
    power: str = fields.text("Name of the power", None)
    odds: bool = fields.odds("Show only the odds")


@dataclass(frozen=True, slots=True)
class Wake(Action):
    """Wake a model from Mind Surge.

    friend: one in base contact, who spends an action, or "" for its own test.
    """

    command = "wz.wake"
    typed = "wz state wake"
    titled = "Wake from Mind Surge"

    model: Model = who("Unconscious model")
    friend: Model | None = friend("Friend who wakes the model (blank for its own test)", mine=True)
    hidden: bool = no_enemy_seen_field("The model sees no enemy")
    odds: bool = fields.odds("Show only the odds")

    by_hand: tuple[str, ...] = fields.by_hand()


@dataclass(frozen=True, slots=True)
class ReadyToConcentrate:
    """A model that concentrates. effects: its effects."""

    begin: DeedStart
    effects: tuple[Effect, ...]


@in_steps(Concentrate, may=build_deed_check("model", Deed.CONCENTRATE))
class Concentrating(DeedWithoutRoll[Concentrate, ReadyToConcentrate]):
    """For the very next action only. Rules: WZ-CONC-01, WZ-BACK-02."""

    def prepare(self, act: ActView, action: Concentrate) -> ReadyToConcentrate:
        model = action.model
        effects = apply_rule(act, lambda channeler, _: concentrate(channeler), model)
        deed_start = begin(act, model, Deed.CONCENTRATE, hidden=action.hidden)
        return ReadyToConcentrate(deed_start, tuple(effects))

    def done(self, telling: Telling, action: Concentrate, ready: ReadyToConcentrate, result: bool) -> None:
        telling.follow(ready.effects)
        name = ready.begin.model.name
        telling.lines.append(f"{name} concentrates and gets +2 PW.")
        telling.next.append(f"The bonus is lost unless {possessive(name)} next action channels a power.")


@dataclass(frozen=True, slots=True)
class ReadyChannel(ReadyTest):
    """An attempt to channel that may be made; what: the power, in words."""

    attempt: Attempt = field(kw_only=True)
    what: str = ""

    @property
    def at(self) -> str:
        """Return the target in words."""
        return f" at {self.attempt.target.name}" if self.attempt.target else ""


@in_steps(Channel)
class Channelling(Throwing[Channel, ReadyChannel, Grade]):
    """The PW test, what it costs, and backlash. Rules: WZ-POW-01 to WZ-POW-03, WZ-CONC-01, WZ-BACK-01."""

    label = "Channel"

    def prepare(self, act: ActView, action: Channel) -> ReadyChannel:
        model, target, settings = action.model, action.target, settings_for(act)
        power = plain(action.power, 32)
        act.canonical = replace(as_done(action), power=power)

        def rule(channeler: Model, overridden: bool) -> Attempt:
            attacked_model = as_revealed(target) if overridden and target else target
            attempt = Attempt(channeler, action.magnitude, action.cost, attacked_model)
            channel_modifiers(attempt, settings)
            return attempt

        attempt = apply_rule(act, rule, model)
        preconditions = NO_PRECONDITIONS
        if act.action.looks:
            preconditions = find_preconditions(act, model, Deed.CHANNEL, actions=action.cost)
        else:
            with act.overridable():
                check_can_act(act, model, Deed.CHANNEL, action.cost)
        return ReadyChannel(
            model,
            channel_modifiers(attempt, settings),
            channel_limit(attempt, settings),
            preconditions,
            attempt=attempt,
            what=power or f"power of magnitude {action.magnitude}",
        )

    def whose(self, action: Channel, ready: ReadyChannel) -> Whose:
        return Whose(
            ready.model.name, ready.what, f"{ready.at.strip() or 'against PW'} ({ready.limit} or less)"
        )

    def rule(self, dice: Dice, ready: ReadyChannel) -> Grade:
        return check(dice, ready.limit, label="power")

    def settle(self, act: Act, action: Channel, ready: ReadyChannel, outcome: Grade) -> Telling:
        model, telling = ready.model, Telling(act)
        power_name = plain(action.power, 32) or f"a {ready.what}"
        outcome_verb = "channels" if outcome.passed else "fails to channel"
        telling.lines.append(f"{model.name} {outcome_verb} {power_name}{ready.at}.")
        power_sum = format_short_sum("PW", model.profile.pw, ready.modifiers)
        telling.thrown(f"Power: {ready.limit} or less ({power_sum})")
        telling.why += [
            f"{model.name} tries to channel {power_name}",
            *describe_sum("PW", model.profile.pw, ready.modifiers),
        ]
        telling.note(note_deed(act.encounter, model))
        telling.follow(after_channel(ready.attempt, outcome, settings_for(act)))
        failure_costs_one = settings_for(act).channel_fail_cost == "one"
        if not outcome.passed and failure_costs_one:
            telling.next.append("The failed attempt cost 1 action.")
        is_finished = outcome.passed or refresh(act, model).has(Condition.UNCONSCIOUS)
        telling.more = () if is_finished else (Button("Again", act.canonical),)
        return telling

    def tell(self, act: Act, action: Channel, ready: ReadyChannel, telling: Telling) -> Reply:
        return telling.closing(ready.model, *telling.more)

    def chances(self, act: ActView, action: Channel, ready: ReadyChannel) -> Chances:
        title, odds = f"{ready.model.name} channels a power", act.solve(self.rule, ready)
        return build_test_chances(title, ready.limit, ("works", "fails"), odds, ready.hurdle)


@dataclass(frozen=True, slots=True)
class ReadyWake:
    """A model that may be woken. helps: a friend's start and its follow-ups; None for its own test."""

    model: Model
    modifiers: tuple[Modifier, ...]
    helps: DeedStart | None = None
    waking: tuple[Effect, ...] = ()

    @property
    def limit(self) -> int:
        """Return the highest result of its own d20 that passes."""
        return ld_limit(self.model, self.modifiers)


@in_steps(Wake)
class Waking(Rolling[Wake, ReadyWake, "Grade | None"]):
    """By a friend in contact, or by a test at -4, once a turn. Rules: WZ-BACK-03."""

    label = "Try"

    def prepare(self, act: ActView, action: Wake) -> ReadyWake:
        model, friend = action.model, action.friend
        if friend is None:
            return ReadyWake(model, wake_modifiers(model, enemy_in_sight=not action.hidden))
        if not model.has(Condition.UNCONSCIOUS):
            raise Forbidden(f"{model.name} is already awake.", "WZ-BACK-03")
        waking_effects = wake_friend(friend, model, in_contact=_are_in_contact(act, friend.id, model.id))
        return ReadyWake(
            model, (), begin(act, friend, Deed.WAKE, hidden=action.hidden), tuple(waking_effects)
        )

    def thrown(self, act: Act, action: Wake, ready: ReadyWake) -> Grade | None:
        if ready.helps is None:
            roller = describe_ld_roller(ready.model, ready.modifiers, "test to wake up")
            return act.roll(roller, check, ready.limit, label="leadership")
        helper_start = ready.helps
        if helper_start.nerve is None or helper_start.limit is None:
            return None
        return act.roll(
            describe_ld_roller(helper_start.model, helper_start.nerve, NERVE_TEST),
            check,
            helper_start.limit,
            label="leadership",
        )

    def settle(self, act: Act, action: Wake, ready: ReadyWake, outcome: Grade | None) -> Telling:
        telling, model = Telling(act), ready.model
        if ready.helps is not None:
            self._wake_by_friend(telling, ready, ready.helps, outcome)
        elif outcome is not None:
            report_ld_test(telling, model, ready.modifiers, WAKE_TEST_TITLE)
            result = "wakes up but is still Prone" if outcome.passed else "doesn't wake up"
            telling.lines.append(f"{model.name} {result}.")
            telling.follow(after_waking(model, outcome))
        return telling

    @staticmethod
    def _wake_by_friend(
        telling: Telling, ready: ReadyWake, helper_start: DeedStart, outcome: Grade | None
    ) -> None:
        if helper_start.nerve is not None and outcome is not None:
            report_ld_test(telling, helper_start.model, helper_start.nerve, NERVE_TEST_TITLE)
            if not report_nerve_test(telling, helper_start.model, outcome):
                return
        telling.note(pay(telling.act, helper_start.model, helper_start.deed))
        telling.follow(ready.waking)
        telling.lines.append(f"{helper_start.model.name} wakes {ready.model.name}, which is still Prone.")

    def tell(self, act: Act, action: Wake, ready: ReadyWake, telling: Telling) -> Reply:
        return telling.reply() if ready.helps is None else telling.closing(ready.helps.model)

    def chances(self, act: ActView, action: Wake, ready: ReadyWake) -> Chances:
        if ready.helps is not None:
            preconditions = ready.helps.hurdle
            lines = (
                f"{ready.helps.model.name} wakes {ready.model.name}, which needs no test.",
                *preconditions.lines,
            )
            return Chances(lines, "wakes", 1.0, not_yet=preconditions.not_yet)
        odds = act.solve(check, ready.limit)
        return build_test_chances(f"{ready.model.name} wakes", ready.limit, ("wakes", "fails"), odds)


def _are_in_contact(act: ActView, model_id: int, other_id: int) -> bool:
    return bool(model_state(act.encounter, model_id).contacts[other_id])


@dataclass(frozen=True, slots=True)
class MindStorm(Action):
    """Test LD for everyone near a channeler. hidden: those who see no enemy; roll: no further question."""

    command = "wz.storm"
    facts = frozenset({"roll"})
    decision_of = player_of("model")

    model: Model = model_by_id_field(help="Model at the centre of the storm", needed=True)
    magnitude: int = 0
    near: tuple[Model, ...] = models_by_id_field(fact=True)
    hidden: tuple[Model, ...] = models_by_id_field(fact=True)
    roll: bool = False


WHO_IS_NEAR_STORM = "Which other models are in the Mind Storm?"

register_picker(
    MindStorm,
    Picker(
        lambda act: (PickField("near", WHO_IS_NEAR_STORM, "Near"),),
        lambda act, action: (f"Mind Storm around {action.model.name}",),
        "Go on",
    ),
)


@carries_out("backlash")
def _carry_out_backlash(telling: Telling, proposal: Propose) -> None:
    model = find_model(telling.act, proposal.model)
    roller = Whose(model.name, "roll", "on the backlash chart")
    key = roll_on_chart(telling, "backlash", roller, f"Backlash for {model.name}: ")
    telling.follow(after_backlash(model, key, int(dict(proposal.details)["magnitude"])))


@carries_out("mind_storm")
def _start_mind_storm(telling: Telling, proposal: Propose) -> None:
    """Store a Mind Storm until it is rolled, and ask who is near. Rules: WZ-BACK-04."""
    encounter = telling.act.encounter
    magnitude = int(dict(proposal.details)["magnitude"])
    model_state(encounter, proposal.model).mind_storm = 1 + magnitude
    telling.next.append(proposal.reason)
    telling.ask(*build_storm_question(encounter, find_model(telling.act, proposal.model), magnitude))


def build_storm_question(encounter: Encounter, channeler: Model, magnitude: int) -> tuple[Menu, Button]:
    """Ask who else is near a Mind Storm."""
    storm = MindStorm(channeler, magnitude)
    menu = build_model_menu(encounter, WHO_IS_NEAR_STORM, storm, "near", foes_first_of=channeler)
    return menu, Button("No other models in the storm", storm, anytime=True)


@dataclass(frozen=True, slots=True)
class ReadyStorm:
    """A Mind Storm. asked: the action in its one form; models: everyone near; limits: of their LD tests."""

    channeler: Model
    asked: MindStorm
    models: tuple[Model, ...]
    limits: tuple[int, ...]

    @property
    def seeing(self) -> list[bool]:
        """Return for each whether it sees an enemy."""
        ids_without_enemy = {model.id for model in self.asked.hidden}
        return [model.id not in ids_without_enemy for model in self.models]


@in_steps(MindStorm)
class Storming(Throwing[MindStorm, ReadyStorm, tuple[int, ...]]):
    """Rolls an LD test for the channeler and everyone near; a failure is a wound. Rules: WZ-BACK-04."""

    def prepare(self, act: ActView, action: MindStorm) -> ReadyStorm:
        """Prepare the LD tests of everyone near. Raises InvalidInput, NotAllowed."""
        channeler = action.model
        act.require_model(act.encounter.model(channeler.id))
        if not state_of(channeler).mind_storm:
            raise Answered(
                f"Nothing has changed. {possessive(channeler.name)} Mind Storm has already been resolved."
            )
        models = sort_by_id(*action.near, *action.hidden, channeler)
        storm = act.canonical = replace(action, near=models, hidden=sort_by_id(*action.hidden))
        ids_without_enemy = {model.id for model in storm.hidden}
        limits = tuple(
            storm_limit(model, action.magnitude, enemy_in_sight=model.id not in ids_without_enemy)
            for model in models
        )
        return ReadyStorm(channeler, storm, models, limits)

    def asks(self, act: Act, action: MindStorm, ready: ReadyStorm) -> Reply | None:
        needs_sight_answer = not action.roll and find_afraid(ready.models)
        return _ask_sight(ready.asked, ready.channeler, ready.models) if needs_sight_answer else None

    def whose(self, action: MindStorm, ready: ReadyStorm) -> Cast:
        return counted(
            *(
                Whose(model.name, "LD test", f"against the Mind Storm ({limit} or less)")
                for model, limit in zip(ready.models, ready.limits, strict=True)
            )
        )

    def rule(self, dice: Dice, ready: ReadyStorm) -> tuple[int, ...]:
        return mind_storm(dice, ready.limits)

    def settle(self, act: Act, action: MindStorm, ready: ReadyStorm, outcome: tuple[int, ...]) -> Telling:
        telling, models = Telling(act), ready.models
        model_state(act.encounter, ready.channeler.id).mind_storm = 0
        telling.lines.append(f"Mind Storm: {times(sum(outcome), 'wound')}.")
        telling.lines += [
            f"{model.name}: {fate(model, 1) if is_wounded else 'resists'}"
            for model, is_wounded in zip(models, outcome, strict=True)
        ]
        limits = ", ".join(f"{m.name} needs {n} or less" for m, n in zip(models, ready.limits, strict=True))
        telling.thrown(f"LD tests: {limits}")
        for model, sees_an_enemy in zip(models, ready.seeing, strict=True):
            parts = storm_modifiers(model, action.magnitude, enemy_in_sight=sees_an_enemy)
            telling.why += [model.name, *describe_sum("LD", model.profile.ld, parts)]
        telling.follow(after_storm(models, outcome), source=ready.channeler)
        return telling

    def chances(self, act: ActView, action: MindStorm, ready: ReadyStorm) -> Chances:
        ld_odds = tuple(act.solve(mind_storm, (limit,)) for limit in ready.limits)
        rows = [
            (f"{model.name} wounded", odds.chance(any))
            for model, odds in zip(ready.models, ld_odds, strict=True)
        ]
        return Chances(("Mind Storm", *bars(rows)), rows[0][0], rows[0][1], ld_odds)


def _ask_sight(action: MindStorm, channeler: Model, models: Sequence[Model]) -> Reply:
    roll = Button("Roll", replace(action, roll=True), "main", anytime=True)
    lines = (
        f"Mind Storm around {channeler.name}: {', '.join(model.name for model in models)}.",
        "Choose the Panicked and Broken models that see no enemy, then press Roll.",
        "Nothing has been rolled yet.",
    )
    return Reply(lines, buttons=(roll,), menus=(build_sight_menu(action, models),))
