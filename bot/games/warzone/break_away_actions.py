"""Leaving close combat: by a test, or with the opponent's consent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.actions import Action
from bot.games.warzone.common import Telling, end_contact, find_enemies_in_contact, refresh, settings_for
from bot.games.warzone.fields import any_model_field, target_field, who
from bot.games.warzone.narration import find_opposed_thrower
from bot.games.warzone.state import model_state, state_of
from bot.games.warzone.steps import DeedStart, SingleRollDeed, begin
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
    """Decide whether an enemy model leaves close combat.

    enemy: the only one who lets it go or holds it, or every enemy of the answering player if none is named.
    """

    command = "wz.letgo"
    decision_of = in_play("the players of the enemies in contact")

    model: Model = any_model_field("Model that breaks away", needed=True)
    hold: bool = False
    enemy: Model | None = target_field("")


@dataclass(frozen=True, slots=True)
class ReadyBreak:
    """A break away that may be tried. held: who touches it; holding: who must be beaten."""

    begin: DeedStart
    held: tuple[Model, ...]
    holding: tuple[Model, ...]
    numbers: Opposition

    @property
    def totals(self) -> list[str]:
        """Return the totals that the dice are added to, for each enemy."""
        numbers = self.numbers
        return [
            f"d20 + {own_total} against d20 + {enemy_total} ({enemy.name})"
            for own_total, enemy_total, enemy in zip(numbers.ours, numbers.theirs, self.holding, strict=False)
        ]


def _require_break(act: ActView, action: BreakAway) -> None:
    """Refuse a model without contact. Rules: WZ-BREAK-01."""
    _require_contact(act, action.model)


def _require_contact(act: ActView, model: Model) -> tuple[Model, ...]:
    touching_enemies = find_enemies_in_contact(act.encounter, model)
    if not touching_enemies and not model.has(Condition.ENGAGED):
        raise Forbidden(
            f"You don't need to break away. {model.name} isn't in base contact with an enemy.", "WZ-BREAK-01"
        )
    return touching_enemies


@in_steps(BreakAway, may=_require_break)
class Breaking(SingleRollDeed[BreakAway, ReadyBreak, bool]):
    """Roll an opposed test against every enemy that holds the model. Rules: WZ-BREAK-01 to WZ-BREAK-04,
    WZ-TEST-05.
    """

    label = "Break away"

    def prepare(self, act: ActView, action: BreakAway) -> ReadyBreak:
        model = action.model
        enemies = _require_contact(act, model)
        holding = tuple(
            enemy for enemy in enemies if not (action.let_go or state_of(enemy).lets_go[model.id])
        )
        numbers = prepare_break_away(model, holding, settings_for(act))
        return ReadyBreak(begin(act, model, Deed.BREAK_AWAY), enemies, holding, numbers)

    def asks(self, act: Act, action: BreakAway, ready: ReadyBreak) -> Reply | None:
        """Return the question to the enemies, if they are to be asked. Rules: WZ-BREAK-01."""
        return _ask_enemies(act, ready.begin.model, ready.held) if action.let_go else None

    def throw(self, dice: Dice, ready: ReadyBreak) -> bool:
        return break_away(dice, ready.numbers)

    def thrower(self, action: BreakAway, ready: ReadyBreak) -> Cast:
        return find_opposed_thrower(ready.begin.model.name, [enemy.name for enemy in ready.holding])

    def done(self, telling: Telling, action: BreakAway, ready: ReadyBreak, result: bool) -> None:
        act, model = telling.act, ready.begin.model
        names = ", ".join(enemy.name for enemy in ready.held)
        success_text = f"{model.name} breaks away from {names or 'close combat'}."
        telling.lines.append(success_text if result else f"{model.name} fails to break away.")
        numbers = ready.numbers
        totals_by_enemy = tuple(zip(numbers.ours, numbers.theirs, strict=True))
        telling.thrown(*ready.totals, adding=totals_by_enemy)
        telling.why += _explain_break(act, model, ready.holding)
        if result:
            end_contact(act.encounter, model)
            telling.follow(after_break_away(refresh(act, model), (), settings_for(act), broke_away=True))
        telling.more = () if result else (Button("Again", act.canonical),)

    def chances(self, act: ActView, action: BreakAway, ready: ReadyBreak) -> Chances:
        odds, hurdle = act.solve(self.throw, ready), ready.begin.hurdle
        free_chance = odds.chance(bool)
        rows = bars([("free", free_chance), ("held", 1 - free_chance)])
        lines = (f"{ready.begin.model.name} breaks away", *ready.totals, *rows, *hurdle.lines)
        return Chances(lines, "free", free_chance, (odds,), not_yet=hurdle.not_yet)


def _ask_enemies(act: ActView, model: Model, enemies: tuple[Model, ...]) -> Reply | None:
    """Ask the enemies of other players; None without any. Rules: WZ-BREAK-01."""
    sides = dict.fromkeys(enemy.side for enemy in enemies if not state_of(enemy).lets_go[model.id])
    other_sides = [side for side in sides if not act.plays_on(side)]
    if not other_sides:
        return None
    for enemy in enemies:
        if enemy.side in other_sides:
            model_state(act.encounter, enemy.id).asked_to_let_go[model.id] = 1
    side_names = " and ".join(act.encounter.side(side).name for side in other_sides)
    question = f"{side_names}, will you let {model.name} go or try to hold it?"
    models = tuple(enemy for enemy in enemies if enemy.side in other_sides)
    return Reply(
        (f"{model.name} wants to leave close combat without a test.", question),
        buttons=build_answer_buttons(model, models),
    )


def build_answer_buttons(model: Model, models: Sequence[Model]) -> tuple[Button, ...]:
    """Return the buttons with the enemies' answers: for all enemies, or for one of several."""
    hold_button = Button("Try to hold it", LetGo(model, hold=True), anytime=True)
    buttons = [
        Button(f"{enemy.name} {answer_text}", LetGo(model, does_hold, enemy), anytime=True)
        for enemy in (models if len(models) > 1 else ())
        for answer_text, does_hold in (("lets it go", False), ("tries to hold it", True))
    ]
    return Button("Let it go", LetGo(model), "main", anytime=True), hold_button, *buttons


def write_let_go_question(model: Model) -> str:
    """Return the question in one line."""
    return f"{model.name} wants to leave close combat. Will you let it go?"


@handles(LetGo)
def let_go(act: Act, action: LetGo) -> Reply:
    """Store the opponent's answer, and offer to break away. Rules: WZ-BREAK-01."""
    model = action.model
    enemies = [enemy for enemy in find_enemies_in_contact(act.encounter, model) if act.plays_on(enemy.side)]
    if action.enemy is not None:
        enemies = [enemy for enemy in enemies if enemy.id == action.enemy.id]
    if not enemies:
        raise Forbidden(
            f"You don't need to answer. None of your models is in close combat with {model.name}.",
            "WZ-BREAK-01",
        )
    names = " and ".join(enemy.name for enemy in enemies)
    is_plural = len(enemies) > 1
    leave_button = Button("Break away", BreakAway(model), "main", anytime=True)
    for enemy in enemies:
        state = model_state(act.encounter, enemy.id)
        state.asked_to_let_go[model.id] = 0
        state.lets_go[model.id] = int(not action.hold)
    if action.hold:
        verb = "try" if is_plural else "tries"
        hold_line = f"{names} {verb} to hold {model.name}, which must pass a test to break away."
        return Reply((hold_line,), buttons=(leave_button,))
    return Reply(
        (f"{names} {'let' if is_plural else 'lets'} {model.name} go.",), buttons=(leave_button, UNDO)
    )


def _explain_break(act: Act, model: Model, holding: tuple[Model, ...]) -> list[str]:
    lines = []
    for enemy in holding:
        for fighter, parts in (
            (model, leaver_modifiers(model, enemy, settings_for(act))),
            (enemy, side_modifiers(enemy, settings_for(act))),
        ):
            lines.append(f"{fighter.name}: CC {fighter.profile.cc} + ST {fighter.profile.st}")
            lines += [_format_modifier(modifier) for modifier in parts]
    return lines


def _format_modifier(modifier: Modifier) -> str:
    return f"{modifier.amount:+d} {modifier.reason} {modifier.rule}"
