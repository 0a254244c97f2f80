"""Overwatch: going on it, and when its models may fire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType

from bot.actions import Action, part_of_doer, reference_by_number
from bot.games.counterblast.core.common import carry_through, price
from bot.games.counterblast.core.fields import anybody, can_shoot, firearms, launchers, who
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.state.models import fighters
from bot.games.counterblast.templates.template_attacks import Template
from bot.games.counterblast.turn.activations import END_ACTIVATION, list_active
from bot.games.counterblast.turn.bag import PassDraw
from bot.replies.reply import Button, Reply
from bot.store.rows import ModelRow
from bot.table.act import Act, ActView
from bot.table.board import facts
from bot.table.board.places import cell_of
from bot.table.board.routes import BoardPath, places
from bot.table.board.surface import require_board
from bot.table.encounter import Encounter
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.owners import player_unless
from bot.table.reaction_windows import Cause
from rules.effects import Effect
from rules.measure import tenths
from rules.refusals import Forbidden, Missing
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.shooting.special_attacks import go_on_overwatch
from rules.systems.counterblast.turn.activation import end_activation
from rules.wording import join_with_and

ACTION_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "cb.breach": "attack a wall or door",
        "cb.charge": "charge",
        "cb.climb": "climb",
        "cb.disengage": "disengage",
        "cb.fight": "fight",
        "cb.flee": "flee",
        "cb.gear.use": "use gear",
        "cb.hide": "hide",
        "cb.jump": "jump",
        "cb.melee": "fight",
        "cb.minder.grip": "grapple an enemy",
        "cb.minder.mind": "take control of an enemy",
        "cb.move": "move",
        "cb.pounce": "pounce",
        "cb.overwatch": "go on Overwatch",
        "cb.psi": "use a psionic power",
        "cb.shoot": "shoot",
        "cb.team": "shoot",
        "cb.template": "fire a template weapon",
        "cb.veh.board": "board a vehicle",
        "cb.veh.drive": "drive",
        "cb.veh.ram": "ram",
    }
)
"""Moves, attacks, what takes a model out of sight, and what ends the activation: Overwatch interrupts them.

Rules: CB-OVER-02."""

ENDING_COMMANDS = frozenset({"bag.pass", "bag.draw", "encounter.next"})
"""Actions that end an activation, the last moment to fire. Rules: CB-OVER-02."""

MAX_BUTTONS = 10
"""Most buttons of this kind in a message about something else."""


@dataclass(frozen=True, slots=True)
class Interrupt(Action):
    """Show who may fire from Overwatch now, with a button for each; `model`: only what this one may."""

    command = "cb.interrupt"
    decision_of = player_unless(lambda action: True)

    model: Fighter | None = anybody("")


def triggers_overwatch(action: Action) -> bool:
    """Return whether an action is a move or an attack, or ends the activation."""
    return action.command in ACTION_WORDS or action.command in ENDING_COMMANDS


def find_cause(act: Act, action: Action) -> Cause | None:
    """Return what an active model is about to do, with the enemies on Overwatch. Rules: CB-OVER-02."""
    encounter = act.encounter
    if not triggers_overwatch(action) or not any(
        map(partial(_has_condition, encounter, Condition.OVERWATCH), encounter.models())
    ):
        return None
    acting = [row for row in encounter.models() if _has_condition(encounter, Condition.ACTIVE, row)]
    if not _targets(encounter):
        return None
    number, event = 0, f"The activation of {join_with_and([model.name for model in acting])} is about to end"
    if action.command not in ENDING_COMMANDS:
        model = _find_doer(action)
        if model is None or not model.has(Condition.ACTIVE):
            return None
        act_words = f"{ACTION_WORDS[action.command]}{_describe_goal(encounter, action)}"
        number, event = model.id, f"{model.name} is about to {act_words}"
    side = acting[0].side
    watchers = tuple(model.id for model in _watchers(encounter) if model.side != side)
    if number:
        watchers = tuple(watcher for watcher in watchers if _may_see(encounter, watcher, number, action))
    during = f"{encounter.row.turn}: {','.join(str(model.id) for model in acting)}"
    return Cause(event, side, watchers, number, trigger="overwatch", during=during) if watchers else None


TARGET_WORDS: Mapping[str, str] = MappingProxyType({"cb.charge": " ", "cb.fight": " ", "cb.shoot": " at "})
"""The word before the name of a target."""


def _describe_goal(encounter: Encounter, action: Action) -> str:
    """Return how far and where to a declared way on the board goes, or the target of an attack."""
    path, target = getattr(action, "where", None), getattr(action, "target", None)
    if isinstance(path, BoardPath):
        return f" {tenths(path.length):g} in to {cell_of(require_board(encounter), path.after.at)}"
    if action.command in TARGET_WORDS and isinstance(target, Fighter):
        return f"{TARGET_WORDS[action.command]}{target.name}"
    return ""


def _may_see(encounter: Encounter, watcher: int, mover: int, action: Action) -> bool:
    """Return whether a model on Overwatch sees the one that acts, where it is or on its way on the board.

    True if nothing is measured. Rules: CB-OVER-02, CB-LOS-02.
    """
    path = getattr(action, "where", None)
    route = places(path.before, path.points, path.after) if isinstance(path, BoardPath) else ()
    return facts.sees_any(encounter, watcher, mover, route)


def _has_condition(encounter: Encounter, condition: Condition, row: ModelRow) -> bool:
    return encounter.condition(row.id, condition) is not None


def _find_doer(action: Action) -> Fighter | None:
    part = part_of_doer(action.command)
    value = getattr(action, part.name) if part is not None else None
    doer = value[0] if isinstance(value, tuple) and value else value
    return doer if isinstance(doer, Fighter) else None


def _watchers(encounter: Encounter) -> list[Fighter]:
    return [
        model
        for model in fighters(encounter)
        if model.has(Condition.OVERWATCH) and can_shoot(model) and not model.is_incapacitated
    ]


def _targets(encounter: Encounter) -> list[Fighter]:
    """Return the active models that an attack can target: not those that are down or Hidden."""
    return [
        model
        for model in fighters(encounter)
        if model.has(Condition.ACTIVE) and not model.is_incapacitated and not model.has(Condition.HIDDEN)
    ]


def list_reactors(encounter: Encounter, cause: Cause) -> Sequence[int]:
    """Return the models of a window that may still fire at a model that is activated. Rules: CB-OVER-02."""
    if not _targets(encounter):
        return ()
    return [model.id for model in _watchers(encounter) if model.id in cause.models]


def reaction_buttons(encounter: Encounter, cause: Cause) -> Sequence[Button]:
    """Return the shots from Overwatch that may answer."""
    watching = list_reactors(encounter, cause)
    buttons = [button for number in watching for button in build_interrupt_buttons(encounter, number)]
    return buttons if len(buttons) <= MAX_BUTTONS else [Button("Overwatch...", Interrupt(), anytime=True)]


def list_offered_buttons(encounter: Encounter) -> tuple[Button, ...]:
    """Return the buttons of those who may fire now."""
    buttons = build_interrupt_buttons(encounter)
    return buttons if len(buttons) <= MAX_BUTTONS else (Button("Overwatch...", Interrupt(), anytime=True),)


def build_interrupt_buttons(encounter: Encounter, watcher: int = 0) -> tuple[Button, ...]:
    """Return a button for each model on Overwatch that can shoot at each active enemy, and one for each
    weapon with a template.

    If a group makes them too many, each watcher has one button that asks for the target. watcher: only this
    model's. Rules: CB-OVER-02.
    """
    acting = _targets(encounter)
    pairs = [
        (model, target)
        for model in _watchers(encounter)
        if watcher in (0, model.id)
        for target in acting
        if model.side != target.side
    ]
    if len(pairs) > MAX_BUTTONS and len(acting) > 1 and not watcher:
        able = {model.id: model for model, _ in pairs}
        asking = [
            Button(f"Overwatch: {model.name} at...", Interrupt(model), anytime=True)
            for model in able.values()
        ]
        return tuple(asking)
    has_one_target = len(acting) == 1
    shots = [
        _build_shot_button(model, target, has_one_target=has_one_target)
        for model, target in pairs
        if firearms(model)
    ]
    casts = [
        _build_template_button(
            model,
            target,
            weapon,
            has_one_target=has_one_target,
            on_board=facts.between(encounter, model.id, target.id) is not None,
        )
        for model, target in pairs
        for weapon in launchers(model)
    ]
    return (*shots, *casts)


def _build_template_button(
    watcher: Fighter, target: Fighter, weapon: Weapon, *, has_one_target: bool, on_board: bool
) -> Button:
    label = f"Overwatch: {watcher.name}, {weapon.name}" + ("" if has_one_target else f" at {target.name}")
    fired = Template(watcher, weapon, mode="overwatch", target=target)
    if on_board:
        return Button(label[:80], replace(fired, spot=reference_by_number(target.id)), anytime=True)
    return Button(label[:80], fired, anytime=True, asks=True)


def _build_shot_button(watcher: Fighter, target: Fighter, *, has_one_target: bool) -> Button:
    label = f"Overwatch: {watcher.name}" + ("" if has_one_target else f" at {target.name}")
    shot = Shoot(watcher, target, mode="overwatch")
    return Button(label, shot, anytime=True, asks=True)


@dataclass(frozen=True, slots=True)
class Overwatch(Action):
    """Go on Overwatch, or fire from it.

    The model waits for an enemy to shoot at.
    """

    command = "cb.overwatch"
    typed = "cb overwatch"

    model: Fighter | None = who("Model (leave blank to fire from Overwatch)", needed=False)

    def as_typed_action(self) -> Action:
        return self if self.model else Interrupt()


@dataclass(frozen=True, slots=True)
class ReadyToWatch:
    """The model that goes on Overwatch, with all consequences."""

    model: Fighter
    effects: tuple[Effect, ...]


def _ready_to_watch(act: ActView, action: Overwatch) -> ReadyToWatch:
    model = action.model
    if model is None:
        raise Missing("Choose the model that goes on Overwatch.")
    waits = go_on_overwatch(model)
    return ReadyToWatch(model, (*price(act, model, "overwatch"), *waits, *end_activation(model)))


@handles(Overwatch, prepare=_ready_to_watch)
def watch(act: Act, action: Overwatch) -> Reply:
    """Return two actions, which are its attack; its activation ends."""
    ready = _ready_to_watch(act, action)
    carry_through(act, ready.effects)
    model = ready.model
    goes_on = list_active(act.encounter) or act.encounter.row.turn < 1
    end_buttons = () if goes_on else (Button(END_ACTIVATION, PassDraw(), "main"),)
    fire_text = (
        "It can fire once while an enemy acts." if can_shoot(model) else "It has no weapon to shoot with."
    )
    end_text = f"Overwatch ends when {model.name} is wounded, engaged or activated."
    lines = (f"{model.name} is on Overwatch.", fire_text, end_text)
    return Reply(lines, buttons=(*end_buttons, UNDO))


@handles(Interrupt)
def interrupt(act: Act, action: Interrupt) -> Reply:
    """Show the asker the models that may fire."""
    acting = list_active(act.encounter)
    if not acting:
        raise Forbidden("No model is active, so you can't fire from Overwatch now.", "CB-OVER-02")
    watcher = action.model.id if action.model else 0
    buttons = build_interrupt_buttons(act.encounter, watcher)
    watchers = [row for row in act.encounter.models() if act.encounter.condition(row.id, Condition.OVERWATCH)]
    if not buttons:
        refusal = f"No model on Overwatch can fire at {' or '.join(model.name for model in acting)}."
        return Reply(
            (refusal, f"On Overwatch: {', '.join(row.name for row in watchers) or 'nobody'}."), private=True
        )
    return Reply(("Which model fires from Overwatch?",), private=True, buttons=buttons)
