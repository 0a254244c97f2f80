"""Free rolls of bare figures, and what each kind of roll is worth to the player who throws it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.infinity.narration import Declaring, Telling, Throwing, normal_lines, opposed_lines, save_lines
from bot.games.infinity.profile_actions import SYSTEM
from bot.games.infinity.troops import settings_for
from bot.replies.chances import bars
from bot.replies.reply import Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.handlers import Place
from bot.table.journal.history import UNDO
from bot.table.luck.outcome_values import register_save, register_value
from bot.table.owners import SELF
from bot.table.steps import Chances, in_steps
from bot.table.throw_purposes import Whose, hands
from rules.dice import Dice
from rules.modifiers import Modifier
from rules.refusals import InvalidInput
from rules.systems.infinity.armour import Save, exchange, wounds
from rules.systems.infinity.rolls import (
    FaceToFace,
    Hits,
    Reading,
    Side,
    dodge_all,
    dodge_landed,
    dodges_all,
    face_to_face,
    modified,
    normal_rolls,
)
from rules.systems.infinity.settings import DEFAULT
from rules.wording import times

MAX_BURST = 10


@dataclass(frozen=True, slots=True)
class RollD20(Action):
    """Make a Normal Roll, or see the odds.

    Dice against a value: the Attribute with all MODs.
    """

    command = "inf.roll"
    typed = "inf roll"
    titled = "Normal Roll"
    decision_of = SELF

    value: int = fields.whole("Attribute to roll against", 0, 30, default=12, needed=True, fact=True)
    burst: int = fields.whole("Number of dice", 1, 10, default=1)
    mod: int = fields.whole("MOD, such as -3", None, None, labelled="MOD", default=0, fact=True)
    odds: bool = fields.odds("Show only the odds")


@dataclass(frozen=True, slots=True)
class FaceToFaceRoll(Action):
    """Make a Face to Face Roll, or see the odds.

    Values with all MODs, bursts, damage and armour of each.
    """

    command = "inf.f2f"
    typed = "inf f2f"
    titled = "Face to Face"
    decision_of = SELF

    value: int = fields.whole(
        "First side's Attribute, including MODs", -12, 42, default=12, needed=True, fact=True
    )
    against: int = fields.whole(
        "Second side's Attribute, including MODs", -12, 42, default=12, needed=True, fact=True
    )
    burst: int = fields.whole("First side's dice", 1, 10, default=1)
    against_burst: int = fields.whole("Second side's dice", 1, 10, default=1)
    damage: int = fields.whole("First side's Damage", 0, 40, default=13, fact=True)
    armour: int = fields.whole("First side's ARM, including cover", 0, 20, default=0, fact=True)
    against_damage: int = fields.whole("Second side's Damage", 0, 40, default=13, fact=True)
    against_armour: int = fields.whole("Second side's ARM, including cover", 0, 20, default=0, fact=True)
    odds: bool = fields.odds("Show only the odds")


def _check_range(name: str, value: int, minimum: int, maximum: int) -> None:
    if not minimum <= value <= maximum:
        raise InvalidInput(f"{name} must be between {minimum} and {maximum} (you entered {value}).")


@dataclass(frozen=True, slots=True)
class ReadyD20:
    """A roll of so many d20 against a value, with its parts."""

    who: str
    burst: int
    value: int
    shown: str


@in_steps(RollD20, Place.CHANNEL)
class RollingD20(Throwing[RollD20, ReadyD20, Hits]):
    """A Normal Roll."""

    def prepare(self, act: ActView, action: RollD20) -> ReadyD20:
        """Return figures within their bounds. Rules: INF-ROLL-01, INF-ROLL-02."""
        _check_range("The Attribute", action.value, 0, 30)
        _check_range("Burst", action.burst, 1, MAX_BURST)
        _check_range("The total MOD", action.mod, -100, 100)
        is_infinity = act.has_encounter and act.encounter.row.system == SYSTEM
        modifiers = (Modifier(action.mod, "entered by hand"),)
        value = modified(action.value, modifiers, settings_for(act) if is_infinity else DEFAULT)
        act.canonical = replace(action, odds=False)
        target_text = f"{action.value} {value - action.value:+d} = {value}" if action.mod else str(value)
        return ReadyD20(act.actor.name, action.burst, value, target_text)

    def whose(self, action: RollD20, ready: ReadyD20) -> Whose:
        return Whose(ready.who, "roll", f"for {ready.value} or less")

    def rule(self, dice: Dice, ready: ReadyD20) -> Hits:
        """Return all dice. Rules: INF-ROLL-04, INF-ROLL-05."""
        return normal_rolls(dice, ready.burst, ready.value, label="d20")

    def settle(self, act: Act, action: RollD20, ready: ReadyD20, outcome: Hits) -> Telling:
        critical_note = f" ({outcome.critical} critical)" if outcome.critical else ""
        result = (
            f"{times(outcome.total, 'success', 'successes')}{critical_note}" if outcome else "no successes"
        )
        dice = normal_lines(act.dice.trace, f"Against {ready.shown}", ready.value)
        return Telling([f"{act.actor.name} rolls {result}.", *dice])

    def chances(self, act: ActView, action: RollD20, ready: ReadyD20) -> Chances:
        odds = act.solve(self.rule, ready)
        quantifier = "at least 1 " if ready.burst > 1 else ""
        success_label, critical_label = f"{quantifier}success", f"{quantifier}critical"
        rows = [
            (success_label, odds.chance(bool)),
            (critical_label, odds.chance(lambda got: got.critical > 0)),
        ]
        head = f"{times(ready.burst, 'die', 'dice')} against {ready.shown}"
        return Chances((head, *bars(rows)), success_label, odds.chance(bool), (odds,))


@dataclass(frozen=True, slots=True)
class ReadyOpposed:
    """Two sides with bare figures, and the saves of each."""

    a: Side
    b: Side
    save_a: Save
    save_b: Save


@in_steps(FaceToFaceRoll, Place.CHANNEL)
class RollingOpposed(Declaring[FaceToFaceRoll, ReadyOpposed]):
    """A Face to Face Roll of bare figures, and the saves of who loses it."""

    def prepare(self, act: ActView, action: FaceToFaceRoll) -> ReadyOpposed:
        for burst in (action.burst, action.against_burst):
            _check_range("Burst", burst, 1, MAX_BURST)
        for value in (action.value, action.against):
            _check_range("An Attribute including MODs", value, -12, 42)
        for armour in (action.armour, action.against_armour):
            _check_range("ARM including cover", armour, 0, 20)
        act.canonical = replace(action, odds=False)
        return ReadyOpposed(
            Side(action.burst, action.value),
            Side(action.against_burst, action.against),
            Save(action.against_damage, action.armour),
            Save(action.damage, action.against_armour),
        )

    def do(self, act: Act, action: FaceToFaceRoll, ready: ReadyOpposed) -> Reply:
        """Return both sides' dice, then the saves against what is left. Rules: INF-F2F-02 to INF-F2F-05."""
        a, b = ready.a, ready.b
        first_purpose = Whose(
            "the first side", "Face to Face Roll", f"against the second side ({a.value} or less succeeds)"
        )
        second_purpose = Whose(
            "the second side", "Face to Face Roll", f"against the first side ({b.value} or less succeeds)"
        )
        result = act.roll(
            hands(first_purpose, second_purpose), face_to_face, a, b, label="first side, then second"
        )
        titles = f"First side, {a.value} or less", f"Second side, {b.value} or less"
        lines = opposed_lines(act.dice.trace, (titles[0], a), (titles[1], b))
        if not (result.a or result.b):
            return Reply(("Neither side hits.", *lines), buttons=(UNDO,))
        winner, loser, hits, save = (
            ("First", "Second", result.a, ready.save_b)
            if result.a
            else ("Second", "First", result.b, ready.save_a)
        )
        trace_start = len(act.dice.trace)
        target_text = f"against {times(hits.total, 'hit')}, {save.limit} or less fails"
        purpose = Whose(f"the {loser.lower()} side", "ARM Rolls", target_text)
        points_lost = act.roll(purpose, wounds, hits, save, label="saves")
        score_text = f"{times(hits.total, 'hit')} and causes {times(points_lost, 'wound')}"
        head = f"The {winner.lower()} side scores {score_text}."
        saves_text = save_lines(act.dice.trace[trace_start:], f"{loser} side", save)
        return Reply((head, *lines, *saves_text), buttons=(UNDO,))

    def chances(self, act: ActView, action: FaceToFaceRoll, ready: ReadyOpposed) -> Chances:
        odds = act.solve(exchange, ready.a, ready.b, ready.save_a, ready.save_b)
        second_hurt_chance = odds.chance(lambda lost: lost.b > 0)
        rows = [
            ("first side takes 1+ wounds", odds.chance(lambda lost: lost.a > 0)),
            ("second side takes 1+ wounds", second_hurt_chance),
            ("second side takes 2+ wounds", odds.chance(lambda lost: lost.b > 1)),
            ("no wound", odds.chance(lambda lost: not (lost.a or lost.b))),
        ]
        a, b = ready.a, ready.b
        head = (
            f"{times(a.burst, 'die', 'dice')} on {a.value} or less against {times(b.burst, 'die', 'dice')} on"
            f" {b.value} or less"
        )
        return Chances((head, *bars(rows)), "second side takes 1+ wounds", second_hurt_chance, (odds,))


register_value(FaceToFace, lambda both: both.a.total - both.b.total)
register_value(Hits, lambda hits: hits.total)
register_value(dodge_all, lambda dodged: dodged.clean, lambda dodge, attacks: (dodges_all, (dodge, attacks)))
register_value(dodge_landed, lambda dodged: dodged.clean)
register_value(Reading, int)
register_save(wounds, float)
