"""Leaving close combat at the table: by a test, or by the opponent's leave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.actions import Action
from bot.games.warzone.common import Telling, in_contact, part, refreshed, settings_for
from bot.games.warzone.fields import anybody, foe, who
from bot.games.warzone.narration import opposed
from bot.games.warzone.state import model_state, state_of
from bot.games.warzone.steps import Begin, Doing, begin
from bot.replies.chances import bars
from bot.replies.reply import Button, Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.owners import in_play
from bot.table.steps import Chances, in_steps
from bot.table.throw_purposes import Cast
from rules.dice import Dice
from rules.modifiers import Modifier
from rules.refusals import Forbidden
from rules.systems.warzone.close_combat import BreakAway as Opposition
from rules.systems.warzone.close_combat import (
    after_break_away,
    break_away,
    leaver_modifiers,
    prepare_break_away,
    side_modifiers,
)
from rules.systems.warzone.model import Condition, Model
from rules.systems.warzone.morale import Act as Deed


@dataclass(frozen=True, slots=True)
class BreakAway(Action):
    """Break away from close combat.

    let_go: the enemy is asked to let it go without a test.
    """

    command = "wz.break"
    typed = "wz break"
    titled = "Break away"

    model: Model = who("Model that breaks away")
    let_go: bool = fields.switch("Ask the enemy to waive the test")
    odds: bool = fields.odds("Show only the odds")


@dataclass(frozen=True, slots=True)
class LetGo(Action):
    """An enemy lets a model leave close combat, or holds it.

    enemy: the only one who lets it go or holds it, or every enemy of the answering player if none is named.
    """

    command = "wz.letgo"
    decision_of = in_play("the players of the enemies in contact")

    model: Model = anybody("Model that breaks away", needed=True)
    hold: bool = False
    enemy: Model | None = foe("")


@dataclass(frozen=True, slots=True)
class ReadyBreak:
    """A break away that may be tried. held: who touches it; holding: who must be beaten."""

    begin: Begin
    held: tuple[Model, ...]
    holding: tuple[Model, ...]
    numbers: Opposition

    @property
    def totals(self) -> list[str]:
        """Return what is thrown against what."""
        numbers = self.numbers
        return [
            f"d20 + {own_total} against d20 + {enemy_total} ({enemy.name})"
            for own_total, enemy_total, enemy in zip(numbers.ours, numbers.theirs, self.holding, strict=False)
        ]


def _may_break(act: ActView, action: BreakAway) -> None:
    """Refuse a model without contact. Rules: WZ-BREAK-01."""
    _refuse_free(act, action.model)


def _refuse_free(act: ActView, model: Model) -> tuple[Model, ...]:
    enemies = in_contact(act.encounter, model)
    if not enemies and not model.has(Condition.ENGAGED):
        raise Forbidden(
            f"You don't need to break away. {model.name} isn't in base contact with an enemy.", "WZ-BREAK-01"
        )
    return enemies


@in_steps(BreakAway, may=_may_break)
class Breaking(Doing[BreakAway, ReadyBreak, bool]):
    """Rolls an opposition test against everyone who holds it. Rules: WZ-BREAK-01 to WZ-BREAK-04,
    WZ-TEST-05.
    """

    label = "Break away"

    def prepare(self, act: ActView, action: BreakAway) -> ReadyBreak:
        model = action.model
        enemies = _refuse_free(act, model)
        holding = tuple(
            enemy for enemy in enemies if not (action.let_go or state_of(enemy).lets_go[model.id])
        )
        numbers = prepare_break_away(model, holding, settings_for(act))
        return ReadyBreak(begin(act, model, Deed.BREAK_AWAY), enemies, holding, numbers)

    def asks(self, act: Act, action: BreakAway, ready: ReadyBreak) -> Reply | None:
        """Return whether the enemies let it go, where that is hoped for. Rules: WZ-BREAK-01."""
        return _ask_to_let_go(act, ready.begin.model, ready.held) if action.let_go else None

    def throw(self, dice: Dice, ready: ReadyBreak) -> bool:
        """Return the test."""
        return break_away(dice, ready.numbers)

    def thrower(self, action: BreakAway, ready: ReadyBreak) -> Cast:
        """Return its own die, and one of each who holds it."""
        return opposed(ready.begin.model.name, [enemy.name for enemy in ready.holding])

    def done(self, telling: Telling, action: BreakAway, ready: ReadyBreak, result: bool) -> None:
        """Free the model, or hold it."""
        act, model = telling.act, ready.begin.model
        names = ", ".join(enemy.name for enemy in ready.held)
        success_line = f"{model.name} breaks away from {names or 'close combat'}."
        telling.lines.append(success_line if result else f"{model.name} fails to break away.")
        numbers = ready.numbers
        pairs = tuple(zip(numbers.ours, numbers.theirs, strict=True))
        telling.thrown(*ready.totals, adding=pairs)
        telling.why += _why_break(act, model, ready.holding)
        if result:
            part(act.encounter, model)
            telling.follow(after_break_away(refreshed(act, model), (), settings_for(act), broke_away=True))
        telling.more = () if result else (Button("Again", act.canonical),)

    def chances(self, act: ActView, action: BreakAway, ready: ReadyBreak) -> Chances:
        odds, hurdle = act.solve(self.throw, ready), ready.begin.hurdle
        free_chance = odds.chance(bool)
        rows = bars([("free", free_chance), ("held", 1 - free_chance)])
        lines = (f"{ready.begin.model.name} breaks away", *ready.totals, *rows, *hurdle.lines)
        return Chances(lines, "free", free_chance, (odds,), not_yet=hurdle.not_yet)


def _ask_to_let_go(act: ActView, model: Model, enemies: tuple[Model, ...]) -> Reply | None:
    """Return the question to other players' enemies, or None without any. Rules: WZ-BREAK-01.

    Rules: WZ-BREAK-01.
    """
    sides = dict.fromkeys(enemy.side for enemy in enemies if not state_of(enemy).lets_go[model.id])
    others = [side for side in sides if not act.plays_on(side)]
    if not others:
        return None
    for enemy in enemies:
        if enemy.side in others:
            model_state(act.encounter, enemy.id).asked_to_let_go[model.id] = 1
    names = " and ".join(act.encounter.side(side).name for side in others)
    question = f"{names}, will you let {model.name} go or try to hold it?"
    models = tuple(enemy for enemy in enemies if enemy.side in others)
    return Reply(
        (f"{model.name} wants to leave close combat without a test.", question),
        buttons=let_or_hold(model, models),
    )


def let_or_hold(model: Model, models: Sequence[Model]) -> tuple[Button, ...]:
    """Return the answers to a model that asks for leave to go: of all enemies, or of one of several."""
    hold = Button("Try to hold it", LetGo(model, hold=True), anytime=True)
    buttons = [
        Button(f"{enemy.name} {word}", LetGo(model, holds, enemy), anytime=True)
        for enemy in (models if len(models) > 1 else ())
        for word, holds in (("lets it go", False), ("tries to hold it", True))
    ]
    return Button("Let it go", LetGo(model), "main", anytime=True), hold, *buttons


def to_let_go(model: Model) -> str:
    """Return the question again, in few words."""
    return f"{model.name} wants to leave close combat. Will you let it go?"


@handles(LetGo)
def let_go(act: Act, action: LetGo) -> Reply:
    """Settle it by the opponent's word, or by the test. Rules: WZ-BREAK-01."""
    model = action.model
    enemies = [enemy for enemy in in_contact(act.encounter, model) if act.plays_on(enemy.side)]
    if action.enemy is not None:
        enemies = [enemy for enemy in enemies if enemy.id == action.enemy.id]
    if not enemies:
        raise Forbidden(
            f"You don't need to answer. None of your models is in close combat with {model.name}.",
            "WZ-BREAK-01",
        )
    names = " and ".join(enemy.name for enemy in enemies)
    many = len(enemies) > 1
    leave = Button("Break away", BreakAway(model), "main", anytime=True)
    for enemy in enemies:
        state = model_state(act.encounter, enemy.id)
        state.asked_to_let_go[model.id] = 0
        state.lets_go[model.id] = int(not action.hold)
    if action.hold:
        verb = "try" if many else "tries"
        held_fast = f"{names} {verb} to hold {model.name}, which must pass a test to break away."
        return Reply((held_fast,), buttons=(leave,))
    return Reply((f"{names} {'let' if many else 'lets'} {model.name} go.",), buttons=(leave, UNDO))


def _why_break(act: Act, model: Model, holding: tuple[Model, ...]) -> list[str]:
    lines = []
    for enemy in holding:
        for fighter, parts in (
            (model, leaver_modifiers(model, enemy, settings_for(act))),
            (enemy, side_modifiers(enemy, settings_for(act))),
        ):
            lines.append(f"{fighter.name}: CC {fighter.profile.cc} + ST {fighter.profile.st}")
            lines += [_named_reason(modifier) for modifier in parts]
    return lines


def _named_reason(modifier: Modifier) -> str:
    return f"{modifier.amount:+d} {modifier.reason} {modifier.rule}"
