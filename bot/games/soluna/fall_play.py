"""Knockdown tests and other Mode tests at the table."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.soluna.common import carry_through, settings
from bot.games.soluna.fields import who
from bot.games.soluna.telling import Telling
from bot.games.soluna.throwing import Throwing
from bot.games.soluna.words import dice_words, faces_thrown
from bot.replies.chances import percent
from bot.replies.reply import Button
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.encounter import GONE
from bot.table.rolling.throws import Whose
from bot.table.steps import Chances, as_done, in_steps
from rules.dice import Dice
from rules.refusals import InvalidInput
from rules.systems.soluna.knockdown import Knockdown, after_knockdown, mode_test, traded_dice
from rules.systems.soluna.models import Model
from rules.wording import possessive, times

MOST_DICE = 30


@dataclass(frozen=True, slots=True)
class ModeTest(Action):
    """A Mode test: like faces.

    dice: 0 for the model's Mind; difficulty: like faces needed; flips: bought with dice. falls: who fails
    it is prone. psionic: dice may be traded for flips.
    """

    command = "sol.test"
    typed = "sol test"
    titled = "Mode test"

    model: Model = who("Who tests")
    difficulty: int = fields.whole("Like faces needed", 1, 20, default=2, fact=True)
    dice: int = fields.whole("How many dice; none: its Mind", 1, 30, default=0)
    flips: int = fields.whole("Flips, for two dice each", 0, 10, default=0)
    falls: bool = fields.switch("Who fails is prone")
    psionic: bool = fields.switch("A test of psionics")
    odds: bool = fields.odds("Only the chances, to you alone")


@dataclass(frozen=True, slots=True)
class ReadyTest:
    """A Mode test that may be rolled: whose, dice left after flips were bought, like faces needed, flips."""

    model: Model
    dice: int
    difficulty: int
    flips: int

    @property
    def needs(self) -> str:
        """What it is rolled with."""
        flips = f", {times(self.flips, 'flip')}" if self.flips else ""
        return f"{dice_words(self.dice)}, {self.difficulty} alike needed{flips}"


@in_steps(ModeTest)
class Testing(Throwing[ModeTest, ReadyTest, bool]):
    """One Mode test of any kind."""

    def prepare(self, act: Act, action: ModeTest) -> ReadyTest:
        """Dice and flips within their bounds. Rules: SU-MODE-02."""
        model = action.model
        if not 0 <= action.difficulty <= 20 or not 0 <= action.dice <= MOST_DICE:
            raise InvalidInput(f"A Mode test has 0 to {MOST_DICE} dice and needs 0 to 20 like faces.")
        whole = action.dice or model.value("mind")
        with act.overridable():
            traded_dice(whole, action.flips, settings(act), psionic=action.psionic)
        act.canonical = replace(as_done(action), dice=whole)
        return ReadyTest(model, max(0, whole - 2 * action.flips), action.difficulty, action.flips)

    def whose(self, action: ModeTest, ready: ReadyTest) -> Whose:
        """The model's own."""
        return Whose(ready.model.name, "Mode test", f"for {ready.needs}")

    def rule(self, dice: Dice, ready: ReadyTest) -> bool:
        """Whether enough faces are alike. Rules: SU-MODE-01."""
        return mode_test(dice, ready.dice, ready.difficulty, ready.flips)

    def settle(self, act: Act, action: ModeTest, ready: ReadyTest, outcome: bool) -> Telling:
        """Who fails is prone, where that hangs on it. Rules: SU-KO-01."""
        name = ready.model.name
        telling = Telling([f"{name} {'passes' if outcome else 'fails'} a Mode test.", ready.needs])
        telling.dice += _thrown(act, "Mode test")
        if action.falls and not outcome:
            carry_through(act, after_knockdown(ready.model.id, stood=False))
            telling.lines[0] = f"{name} is knocked down: prone."
        return telling

    def chances(self, act: Act, action: ModeTest, ready: ReadyTest) -> Chances:
        """Whether it passes."""
        odds = act.solve(mode_test, ready.dice, ready.difficulty, ready.flips)
        chance = odds.chance(bool)
        told = f"{possessive(ready.model.name)} Mode test: {percent(chance).strip()}"
        return Chances((told, ready.needs), "passes", chance, (odds,))


def _thrown(act: Act, label: str) -> list[str]:
    faces = faces_thrown(act.dice.trace, label)
    return [" ".join(str(face) for face in sorted(faces[-1]))] if faces else []


def knocked(act: Act, telling: Telling, model: Model, tests: tuple[Knockdown, ...]) -> None:
    """Roll the knockdown tests that damage called for; where dice may be traded first, offer them.

    Rules: SU-KO-01, SU-KO-02, SU-MODE-02.
    """
    if act.encounter.model(model.id).status == GONE:
        return
    for one in tests:
        if one.hopeless:
            carry_through(act, after_knockdown(model.id, stood=False))
            telling.lines.append(
                f"{model.name} falls, prone: {one.difficulty} alike on {dice_words(one.dice)}."
            )
            telling.why.append(f"Knockdown: no roll, {dice_words(one.dice)} cannot pass SU-KO-01")
            continue
        if settings(act).mode_test_trade_dice and one.dice > 2:
            telling.then.append(
                f"{model.name}: knockdown test, {one.difficulty} alike on {dice_words(one.dice)}."
            )
            for flips in range((one.dice - 1) // 2 + 1):
                label = f"Test with {times(flips, 'flip')}" if flips else "Knockdown test"
                action = ModeTest(model, one.difficulty, one.dice, flips, falls=True)
                telling.buttons.append(Button(label, action, "main"))
            continue
        label = f"knockdown {model.name}"
        whose = Whose(model.name, f"{one.location} knockdown test", f"for {one.difficulty} alike")
        stood = act.roll(whose, mode_test, one.dice, one.difficulty, 0, label)
        carry_through(act, after_knockdown(model.id, stood=stood))
        outcome = "stands" if stood else "falls, prone"
        telling.lines.append(f"Knockdown test: {model.name} {outcome}.")
        thrown = " ".join(_thrown(act, label)) or "no dice"
        telling.dice.append(f"Knockdown {dice_words(one.dice)}: {thrown}")
        telling.dice.append(f"needs {one.difficulty} alike ({one.location} hit)")
        telling.why.append(f"Knockdown: Mind {one.dice} dice SU-KO-01, difficulty {one.difficulty} SU-KO-02")
