"""Waiting at the table: going on wait, reacting to the enemy, diving for cover."""

from __future__ import annotations

from dataclasses import dataclass

from bot.games.warzone.core.common import DIVED, DIVING, grant, is_out, part, settings
from bot.games.warzone.core.fear import by_ld, tell_ld
from bot.games.warzone.core.overrides import allowed
from bot.games.warzone.core.telling import Telling
from bot.games.warzone.core.throwing import Rolling, passing
from bot.games.warzone.core.undertaking import Begin, Quiet, begin
from bot.games.warzone.shooting.shoot_play import fire_button
from bot.games.warzone.shooting.spot_play import spot_button
from bot.games.warzone.waiting.reactions import WORDS
from bot.games.warzone.waiting.wait_actions import Dive, React, Wait
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.handlers import handles
from bot.table.session.windows import require_no_dice
from bot.table.steps import Chances, in_steps
from rules.effects import Effect, Propose
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput
from rules.systems.warzone.characteristic import check
from rules.systems.warzone.model import ACTIONS, Model
from rules.systems.warzone.morale import Act as Deed
from rules.systems.warzone.morale import ld_limit, ld_modifiers
from rules.systems.warzone.movement import after_move, knock_prone
from rules.systems.warzone.waiting import (
    Reaction,
    after_reaction,
    answers_to,
    check_waits,
    dive_inches,
    go_on_wait,
    needs_test_to_react,
)

TO_REACT = "To react"


@dataclass(frozen=True, slots=True)
class ReadyToWait:
    """Who goes on wait, with how many actions. effects: what that gives."""

    begin: Begin
    left: int
    effects: tuple[Effect, ...]


@in_steps(Wait)
class Waiting(Quiet[Wait, ReadyToWait]):
    """The last action is kept for the enemy's turn. Rules: WZ-WAIT-01."""

    def prepare(self, act: Act, action: Wait) -> ReadyToWait:
        """Who waits. Raises Forbidden."""
        model = action.model
        left = model.count(ACTIONS) if act.encounter.row.turn else 1
        effects = allowed(act, lambda who, over: go_on_wait(who, 1 if over else left), model)
        return ReadyToWait(begin(act, model, Deed.WAIT, actions=max(1, left)), left, tuple(effects))

    def done(self, telling: Telling, action: Wait, ready: ReadyToWait, result: bool) -> None:
        """It may react from now on."""
        telling.follow(ready.effects)
        telling.lines.append(f"{ready.begin.model.name} goes on wait.")
        if ready.left > 1:
            telling.lines.append(f"It keeps {ready.left} actions (Ambush).")
        telling.next.append("When an enemy moves it may react.")


@dataclass(frozen=True, slots=True)
class ReadyReaction:
    """A reaction that may be made. test: modifiers of its LD test, None where it needs none."""

    model: Model
    enemy: Model
    how: Reaction
    test: tuple[Modifier, ...] | None

    @property
    def limit(self) -> int:
        """What the d20 of that test must not exceed."""
        return ld_limit(self.model, self.test or ())


@in_steps(React)
class Reacting(Rolling[React, ReadyReaction, bool]):
    """An LD test, then the kept action at once. Rules: WZ-WAIT-02 to WZ-WAIT-04, WZ-DIVE-01, WZ-SPOT-07."""

    label = "React"

    def prepare(self, act: Act, action: React) -> ReadyReaction:
        """Who reacts to whom and how. Raises InvalidInput, Forbidden."""
        model = action.model
        check_waits(model)
        if not act.looks:
            require_no_dice(act)
        enemy, how = action.enemy, action.how
        trigger = action.trigger or answers_to(how)
        if trigger != "template" and is_out(act, enemy):
            raise InvalidInput(f"{enemy.name} is out of play.")
        if enemy.side == model.side and trigger != "template":
            raise InvalidInput(f"{enemy.name} is of its own side.")
        tested = needs_test_to_react(model, how, trigger, enemy, settings(act))
        modifiers = ld_modifiers(model, enemy_in_sight=not action.hidden)
        return ReadyReaction(model, enemy, how, modifiers if tested else None)

    def thrown(self, act: Act, action: React, ready: ReadyReaction) -> bool:
        """The test, where one is needed; whether it reacts."""
        if ready.test is None:
            return True
        whose = by_ld(ready.model, ready.test, "test to react")
        return act.roll(whose, check, ready.limit, label="leadership").passed

    def settle(self, act: Act, action: React, ready: ReadyReaction, outcome: bool) -> Telling:
        """The kept action is done, or lost."""
        telling, model = Telling(act), ready.model
        if ready.test is not None:
            tell_ld(telling, model, ready.test, TO_REACT)
        if outcome:
            telling.lines.append(f"{model.name} reacts and {WORDS[ready.how]}.")
        else:
            telling.lines.append(f"{model.name} hesitates: the kept action is lost.")
        _carry(telling, model, ready.how, ready.enemy, passed=outcome)
        return telling

    def chances(self, act: Act, action: React, ready: ReadyReaction) -> Chances:
        """Whether it dares."""
        if ready.test is None:
            return Chances((f"{ready.model.name} reacts without a test.",), "reacts", 1.0)
        odds = act.solve(check, ready.limit)
        return passing(f"{ready.model.name} reacts", ready.limit, ("reacts", "hesitates"), odds)


def _carry(telling: Telling, model: Model, how: Reaction, enemy: Model, *, passed: bool) -> None:
    """The reaction itself: buttons for what needs figures, the rest at once."""
    act = telling.act
    effects = after_reaction(model, how, enemy, settings(act), passed=passed)
    mine = [e for e in effects if not (isinstance(e, Propose) and e.action in ("shoot", "spot", "move"))]
    telling.follow(mine)
    if not passed:
        return
    if how in ("withdraw", "dive"):
        telling.next += [e.reason for e in effects if isinstance(e, Propose)]
    if how == "fire":
        grant(act, model, Deed.SHOOT.value, at=enemy.id)
        telling.buttons.append(fire_button(model, enemy.id))
    elif how == "spot":
        grant(act, model, Deed.SPOT.value, at=enemy.id)
        telling.buttons.append(spot_button(model, enemy.id))
    elif how == "brace":
        telling.next.append(f"{enemy.name} has no charge bonus.")
    elif how == "withdraw":
        telling.follow(after_move(model))
        part(act.encounter, model)
        telling.next.append("It is in contact with nobody.")
    elif how == "dive":
        act.encounter.model(model.id).counters[DIVING] = 1
        telling.buttons += dive_ends(model)


def dive_ends(model: Model) -> tuple[Button, ...]:
    """Where a dive may end, as the table measures it. Rules: WZ-DIVE-01."""
    upright, full = dive_inches(model)
    return (
        Button(f"{upright:g} in, clear", Dive(model), "main", anytime=True),
        Button(f"{full:g} in prone, clear", Dive(model, prone=True), anytime=True),
        Button("Prone, still under it", Dive(model, True, False), anytime=True),
    )


@handles(Dive)
def dive(act: Act, action: Dive) -> Reply:
    """Where the dive ended, as the table measured it. Rules: WZ-DIVE-01."""
    model = action.model
    counters = act.encounter.model(model.id).counters
    if not counters.pop(DIVING, 0):
        raise Forbidden(f"{model.name} does not dive now.", "WZ-DIVE-01")
    telling = Telling(act)
    if action.prone:
        telling.follow(knock_prone(model))
    if action.clear:
        counters[DIVED] = 1
    where = "clear" if action.clear else "still under it"
    telling.lines.append(f"{model.name} dives{', prone' if action.prone else ''}: {where}.")
    return telling.reply()
