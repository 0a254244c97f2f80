"""Knockdown tests and other Mode tests at the table."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.soluna.common import UNDO, carry_through, own, settings
from bot.games.soluna.telling import Telling
from bot.games.soluna.words import dice_words, faces_thrown, times
from bot.replies.chances import percent
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.encounter import GONE
from bot.table.handlers import handles
from bot.table.rolling.throws import Whose
from rules.refusals import InvalidInput
from rules.systems.soluna.knockdown import Knockdown, after_knockdown, mode_test, traded_dice
from rules.systems.soluna.models import Model

MOST_DICE = 30


@dataclass(frozen=True, slots=True)
class ModeTest(Action):
    """A Mode test: like faces.

    dice: 0 for the model's Mind; difficulty: like faces needed; flips: bought with dice. falls: who fails
    it is prone. psionic: dice may be traded for flips.
    """

    command = "sol.test"
    typed = "sol test"

    model: str = fields.words("Who tests", offering.own_model, needed=True)
    difficulty: int = fields.whole("Like faces needed", 1, 20, default=2)
    dice: int = fields.whole("How many dice; none: its Mind", 1, 30, default=0)
    flips: int = fields.whole("Flips, for two dice each", 0, 10, default=0)
    falls: bool = fields.switch("Who fails is prone")
    psionic: bool = fields.switch("A test of psionics")
    odds: bool = fields.odds("Only the chances, to you alone")


@handles(ModeTest)
def test(act: Act, action: ModeTest) -> Reply:
    """One Mode test of any kind. Rules: SU-MODE-01, SU-MODE-02, SU-KO-01."""
    model = own(act, action.model)
    if not 0 <= action.difficulty <= 20 or not 0 <= action.dice <= MOST_DICE:
        raise InvalidInput(f"A Mode test has 0 to {MOST_DICE} dice and needs 0 to 20 like faces.")
    whole = action.dice or model.value("mind")
    with act.overridable():
        traded_dice(whole, action.flips, settings(act), psionic=action.psionic)
    dice = max(0, whole - 2 * action.flips)
    needs = f"{dice_words(dice)}, {action.difficulty} alike needed"
    needs += f", {times(action.flips, 'flip')}" if action.flips else ""
    act.canonical = ModeTest(
        f"#{model.id}", action.difficulty, whole, action.flips, action.falls, action.psionic
    )
    if action.odds:
        chance = act.solve(mode_test, dice, action.difficulty, action.flips).chance(bool)
        lines = (
            f"{model.name}'s Mode test: {percent(chance).strip()}",
            needs,
            f"{act.exactness} Nothing is rolled.",
        )
        return Reply(lines, private=True, buttons=(Button("Roll", act.canonical, "main"),))
    whose = Whose(model.name, "Mode test", f"for {needs}")
    passed = act.roll(whose, mode_test, dice, action.difficulty, action.flips)
    telling = Telling([f"{model.name} {'passes' if passed else 'fails'} a Mode test.", needs])
    telling.dice += _thrown(act, "Mode test")
    if action.falls and not passed:
        carry_through(act, after_knockdown(model.id, stood=False))
        telling.lines[0] = f"{model.name} is knocked down: prone."
    return telling.reply(act, UNDO)


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
                action = ModeTest(f"#{model.id}", one.difficulty, one.dice, flips, falls=True)
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
