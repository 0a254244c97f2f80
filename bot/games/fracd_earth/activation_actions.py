"""Activations: begun and ended, waiting, interrupting, and the questions to figures on Wait."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from bot.actions import Action, part_of_doer, reference_by_number
from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth import suggestions
from bot.games.fracd_earth.fields import acting_figure
from bot.games.fracd_earth.figures import (
    activation_of,
    describe_used,
    figure_of,
    is_inactive,
    keep_activation,
    require_acting,
    require_active,
)
from bot.games.fracd_earth.players import contest_initiative, draw_initiative
from bot.games.fracd_earth.settings import settings_of
from bot.games.fracd_earth.state import FigureState, encounter_state
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.encounter import GONE, Encounter
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.owners import in_play
from bot.table.reaction_windows import Cause
from bot.table.session.encounters import NextStep
from bot.table.session.preparations import build_question
from rules.effects import Gain
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.fracd_earth import turns
from rules.systems.fracd_earth.profile import PRONE, WAIT
from rules.systems.fracd_earth.turns import COMPATIBLE_ACTIONS, FREE_ACTIONS


def _find_chosen_figure(context: Asking) -> ModelRow | None:
    figure = context.so_far.get("figure")
    return context.act.encounter.find_model(reference_by_number(figure[0])) if figure else None


@dataclass(frozen=True, slots=True)
class Activate(Action):
    """Activate a figure."""

    command = "fe.activate"
    typed = "fe activate"

    figure: tuple[int, ...] = ()
    name: ModelRow = acting_figure(default=_find_chosen_figure)


@dataclass(frozen=True, slots=True)
class Done(Action):
    """End the acting figure's activation.

    asks: first ask where it has taken no action.
    """

    command = "fe.done"
    typed = "fe done"
    decision_of = in_play("the player whose figure is acting")

    asks: bool = False

    def as_typed_action(self) -> Done:
        return replace(self, asks=True)


DONE_BUTTON = Button("Done", Done(asks=True))
"""Ends the activation; asks first where nothing was done."""


@dataclass(frozen=True, slots=True)
class Hold(Action):
    """Delay a figure's activation until later.

    A figure waits with its activation.
    """

    command = "fe.wait"
    typed = "fe wait"

    figure: ModelRow = acting_figure("Figure that waits")


@dataclass(frozen=True, slots=True)
class Interrupt(Action):
    """Interrupt the opponent who is acting.

    A waiting figure, before an opponent's action: both draw for initiative.
    """

    command = "fe.interrupt"
    typed = "fe interrupt"

    figure: ModelRow = acting_figure("Waiting figure that interrupts")


@dataclass(frozen=True, slots=True)
class Use(Action):
    """Use a Compatible or Free action, a reaction or Teamwork.

    A Compatible or Free action, a reaction, or Teamwork given to another figure.
    """

    command = "fe.use"
    typed = "fe use"
    titled = "Use an action"

    figure: ModelRow = acting_figure()
    what: str = fields.among(
        "Action or reaction", suggestions.suggest_small_actions, what="action", needed=True
    )


def list_able_figures(encounter: Encounter, side: int) -> list[int]:
    """Return the figures of a side that may still act this turn."""
    rows = encounter.models(side)
    return [row.id for row in rows if not (FigureState(row).activated or is_inactive(encounter, row))]


def list_able_sides(encounter: Encounter) -> list[int]:
    """Return the sides that have a figure left to act."""
    return [side.id for side in encounter.sides() if list_able_figures(encounter, side.id)]


def find_side_to_act(encounter: Encounter) -> int:
    """Return the side that acts next: the one announced, else the next with a figure left, or 0.

    Rules: FE-TURN-01.
    """
    sides = [side.id for side in encounter.sides()]
    announced_side = encounter_state(encounter).to_act
    place = sides.index(announced_side) if announced_side in sides else 0
    return next((side for side in (*sides[place:], *sides[:place]) if list_able_figures(encounter, side)), 0)


def build_next_choices(encounter: Encounter) -> tuple[tuple[Button, ...], tuple[Menu, ...]]:
    """Return a menu of figures that act next on that side, or the button of the only one."""
    side = find_side_to_act(encounter)
    if encounter.row.turn < 1 or not side or encounter_state(encounter).acting:
        return (), ()
    rows = [encounter.model(number) for number in list_able_figures(encounter, side)]
    if len(rows) == 1:
        return (Button(f"{rows[0].name} acts", Activate((rows[0].id,)), "main"),), ()
    choices = tuple(Choice(row.name, str(row.id)) for row in rows[:25])
    return (), (Menu("Who acts?", Activate(), "figure", choices, named=True),) if rows else ()


@handles(Activate, bot_dice=True)
def activate(act: Act, action: Activate) -> Reply:
    """Activate a figure of the side whose turn it is, or one on Wait. Rules: FE-ACT-01, FE-TURN-02."""
    encounter = act.encounter
    row = action.name
    act.canonical = Activate((row.id,))
    if encounter.row.turn < 1:
        raise InvalidInput("Begin the game first (/encounter next).")
    exchanges.refuse_while_busy(encounter)
    with act.overridable():
        if encounter_state(encounter).acting:
            acting_name = encounter.model(encounter_state(encounter).acting).name
            raise Forbidden(f"Press Done for {acting_name} first.", "FE-ACT-01")
        if FigureState(row).activated:
            raise Forbidden(f"Choose another figure. {row.name} has already acted this turn.", "FE-ACT-01")
        require_active(encounter, row)
        next_side_id = find_side_to_act(encounter)
        if next_side_id != row.side and not figure_of(encounter, row).has(WAIT):
            raise Forbidden(f"Wait for {encounter.side(next_side_id).name} to act first.", "FE-TURN-01")
    return _begin_activation(encounter, row.id)


def _begin_activation(encounter: Encounter, number: int) -> Reply:
    row = encounter.model(number)
    figure = figure_of(encounter, row)
    encounter.apply(turns.release(figure))
    encounter_state(encounter).acting = number
    FigureState(row).activated = True
    move_inches = figure.profile.move_inches
    lines = (
        f"{row.name} acts.",
        f"It may take its Main, Move ({move_inches} in), Compatible and Free actions.",
    )
    return Reply(lines, buttons=(Button("Wait", Hold(row)), UNDO))


@handles(Done, bot_dice=True)
def done(act: Act, action: Done) -> Reply:
    """End the activation: the other side acts next, if it has a figure left; a pass is asked first.

    Rules: FE-TURN-01, FE-TURN-03.
    """
    encounter = act.encounter
    exchanges.refuse_while_busy(encounter)
    act.canonical = Done()
    number = encounter_state(encounter).acting
    if not number:
        raise InvalidInput("Activate a figure first. No figure is acting.")
    row = encounter.model(number)
    act.require_side(row.side)
    used = activation_of(row)
    if used.idle and action.asks and row.status != GONE:
        used_lines = [] if used.passed else [f"Used: {describe_used(used)}"]
        question = build_question(
            [f"{row.name} has not taken an action yet.", *used_lines], "Done", act.canonical
        )
        if question is not None:
            return question
    return _continue_or_pass(act, row, f"{row.name} is done. Used: {describe_used(used)}.")


def _continue_or_pass(act: Act, row: ModelRow, first_line: str) -> Reply:
    encounter = act.encounter
    encounter_state(encounter).acting = 0
    interrupted_id = FigureState(row).interrupts
    FigureState(row).interrupts = 0
    interrupted = next((model for model in encounter.models() if model.id == interrupted_id), None)
    if interrupted is None:
        return _announce_next_side(act, row.side, [first_line])
    encounter_state(encounter).acting = interrupted.id
    lines = (first_line, f"{interrupted.name} continues. Used: {describe_used(activation_of(interrupted))}")
    return Reply(lines, buttons=(DONE_BUTTON, UNDO))


def _announce_next_side(act: Act, side: int, lines: list[str]) -> Reply:
    encounter = act.encounter
    sides = [side_row.id for side_row in encounter.sides()]
    place = sides.index(side)
    order = [*sides[place + 1 :], *sides[: place + 1]]
    able_sides = [side_id for side_id in order if list_able_figures(encounter, side_id)]
    encounter_state(encounter).to_act = able_sides[0] if able_sides else 0
    if not able_sides:
        lines.append("Everyone has acted.")
        return Reply(tuple(lines), buttons=(Button("Next turn", NextStep(), "main"), UNDO))
    if settings_of(encounter).initiative == "activation" and len(able_sides) > 1:
        lines += draw_initiative(act, able_sides)
    else:
        lines.append(f"Next to act: {encounter.side(able_sides[0]).name}.")
    buttons, menus = build_next_choices(encounter)
    return Reply(tuple(lines), buttons=(*buttons, UNDO), menus=menus)


@handles(Hold, bot_dice=True)
def hold(act: Act, action: Hold) -> Reply:
    """Delay the figure's activation until later in the turn. Rules: FE-TURN-02."""
    encounter = act.encounter
    exchanges.refuse_while_busy(encounter)
    row = action.figure
    if FigureState(row).activated and encounter_state(encounter).acting != row.id:
        raise Forbidden(f"Choose another figure. {row.name} has already acted this turn.", "FE-TURN-02")
    if encounter.row.turn < 1:
        raise InvalidInput("Begin the game first (/encounter next).")
    with act.overridable():
        require_active(encounter, row)
        encounter.apply(turns.hold(figure_of(encounter, row), activation_of(row)))
    FigureState(row).activated = False
    line = f"{row.name} waits."
    if encounter_state(encounter).acting == row.id:
        return _continue_or_pass(act, row, line)
    if encounter_state(encounter).acting or encounter_state(encounter).to_act != row.side:
        return Reply((line,), buttons=(UNDO,))
    return _announce_next_side(act, row.side, [line])


@handles(Interrupt, bot_dice=True)
def interrupt(act: Act, action: Interrupt) -> Reply:
    """Draw for both sides; the waiting figure acts first if its side draws higher. It tries once against each
    activation. Rules: FE-TURN-02.
    """
    encounter = act.encounter
    row = action.figure
    acting_id = encounter_state(encounter).acting
    if not acting_id or encounter.model(acting_id).side == row.side:
        raise InvalidInput("You can only interrupt while an opponent is acting.")
    exchanges.refuse_while_busy(encounter)
    opponent = encounter.model(acting_id)
    require_active(encounter, row)
    turns.refuse_interrupt(figure_of(encounter, row))
    if FigureState(row).tried_to_interrupt == acting_id:
        forbid(f"{row.name} can't try to interrupt {opponent.name} again.", "FE-TURN-02")
    FigureState(row).tried_to_interrupt = acting_id
    winner, contest_lines = contest_initiative(act, (row.side, opponent.side))
    if winner != row.side:
        return Reply((f"{row.name} fails to interrupt {opponent.name}.", *contest_lines), buttons=(UNDO,))
    activation = _begin_activation(encounter, row.id)
    FigureState(row).interrupts = acting_id
    first_line = f"{row.name} interrupts {opponent.name}."
    return Reply(
        (first_line, *contest_lines, f"{opponent.name} continues afterwards."), buttons=activation.buttons
    )


@handles(Use)
def use(act: Act, action: Use) -> Reply:
    """Count an action for the figure. Rules: FE-ACT-06, FE-ACT-08, FE-ACT-09, FE-ACT-10."""
    row, small_action = action.figure, action.what
    used = activation_of(row)
    require_active(act.encounter, row)
    if small_action not in ("reaction", *FREE_ACTIONS):
        exchanges.refuse_while_busy(act.encounter)
        require_acting(act, row)
    if small_action in COMPATIBLE_ACTIONS:
        used = turns.compatible(used, small_action)
    elif small_action in FREE_ACTIONS:
        used = turns.free(used, small_action)
    else:
        used = turns.react(used) if small_action == "reaction" else turns.attack(used, "teamwork")
    keep_activation(row, used)
    if small_action == "fall prone":
        act.encounter.apply([Gain(row.id, PRONE)])
    return Reply((f"{row.name}: {small_action}.", f"Used: {describe_used(used)}"), buttons=(UNDO,))


INTERRUPTIBLE: Mapping[str, str] = MappingProxyType(
    {
        "fe.area": "attack an area",
        "fe.attack": "attack",
        "fe.check": "make a Check",
        "fe.detect": "search",
        "fe.dodge": "try to get past an opponent",
        "fe.half": "make a Half-Move",
        "fe.hide": "hide",
        "fe.move": "move",
        "fe.surge": "surge",
    }
)
"""Actions that a waiting figure may interrupt, in words."""

INTERRUPT_TRIGGER = "interrupt"
"""The trigger of a window in which a waiting figure may interrupt."""

CLOSING_COMMANDS = frozenset({"fe.activate", "fe.done", "encounter.next"})
"""Other actions that go on with the game."""


def waits_for_interrupts(action: Action) -> bool:
    """Return whether an action waits while a figure may interrupt."""
    return action.command in INTERRUPTIBLE or action.command in CLOSING_COMMANDS


def cause_of(act: Act, action: Action) -> Cause | None:
    """Return what the acting figure is about to do, with the opponents on Wait. Rules: FE-TURN-02."""
    encounter = act.encounter
    acting_id = encounter_state(encounter).acting
    part = part_of_doer(action.command)
    figure = getattr(action, part.name) if part is not None and action.command in INTERRUPTIBLE else None
    if not acting_id or not isinstance(figure, ModelRow) or figure.id != acting_id:
        return None
    if exchanges.find_exchange(encounter) is not None:
        return None
    waiting_ids = tuple(row.id for row in encounter.models() if _may_interrupt(encounter, row, figure))
    intent_text = f"{figure.name} is about to {INTERRUPTIBLE[action.command]}"
    during = f"{encounter.row.turn}: {acting_id}"
    return (
        Cause(intent_text, figure.side, waiting_ids, acting_id, trigger=INTERRUPT_TRIGGER, during=during)
        if waiting_ids
        else None
    )


def _may_interrupt(encounter: Encounter, row: ModelRow, acting: ModelRow) -> bool:
    is_waiting = encounter.condition(row.id, WAIT) is not None
    return is_waiting and row.side != acting.side and FigureState(row).tried_to_interrupt != acting.id


def may_react(encounter: Encounter, cause: Cause) -> Sequence[int]:
    """Return the figures of a window that may still interrupt, or are acting because they did."""
    interrupted = next((row for row in encounter.models() if row.id == cause.model), None)
    if interrupted is None:
        return ()
    acting_id = encounter_state(encounter).acting
    return [
        row.id
        for row in encounter.models()
        if row.id in cause.models
        and (
            (acting_id == row.id and FigureState(row).interrupts == interrupted.id)
            or (acting_id == interrupted.id and _may_interrupt(encounter, row, interrupted))
        )
    ]


def reaction_buttons(encounter: Encounter, cause: Cause) -> Sequence[Button]:
    """Return a button for each figure that may interrupt."""
    return [
        Button(
            f"{encounter.model(number).name} interrupts", Interrupt(reference_by_number(number)), anytime=True
        )
        for number in may_react(encounter, cause)
        if encounter_state(encounter).acting == cause.model
    ]
