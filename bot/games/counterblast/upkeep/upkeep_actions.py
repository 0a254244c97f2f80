"""Propose and confirm an Upkeep, and the sides it concerns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core.common import count_left_to_act, read_bag
from bot.games.counterblast.core.crews import NameLeader, NameNobody
from bot.games.counterblast.core.debts import ask_about_debts, is_upkeep_open, settle_debts_first
from bot.games.counterblast.core.narration import Telling
from bot.games.counterblast.missions.scores import build_score_buttons, control_buttons, list_ending_lines
from bot.games.counterblast.state.models import fighters, settings_of
from bot.games.counterblast.state.vehicles import propose_burning_riders
from bot.games.counterblast.templates.coverage import explode_bombs_of_the_gone
from bot.games.counterblast.turn.activations import require_done, side_name
from bot.games.counterblast.turn.bag import DrawToken, is_bag_spent
from bot.games.counterblast.upkeep.upkeep_draft import OF_MODEL, OF_SIDE, Upkeep, agree, open_draft
from bot.games.counterblast.upkeep.upkeep_steps import (
    STEP_TITLES,
    AskCorrection,
    ReportFled,
    UpkeepOdds,
    carry_out_upkeep,
    list_correctable_steps,
    score_lines,
)
from bot.games.counterblast.upkeep.upkeep_wording import (
    correction_lines,
    ending_lines,
    explain_upkeep,
    is_long,
    step_lines,
)
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.table.act import Act, Actor, ActView
from bot.table.asking import fields
from bot.table.board import facts
from bot.table.encounter import OVER, Encounter, EncounterView
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.journal.log import why_button
from bot.table.names import format_names
from bot.table.offers.legal_actions import Looking
from bot.table.owners import in_play
from bot.table.session.encounters import NextStep
from bot.table.waits import players_of
from rules.refusals import InvalidInput, forbid
from rules.systems.counterblast.building.crew import find_leader, get_command_range
from rules.systems.counterblast.core.checks import PreparedCheck
from rules.systems.counterblast.core.conditions import FLED
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.panic import PanicResult, panic_test
from rules.systems.counterblast.turn import bag
from rules.systems.counterblast.turn.upkeep import PanicTest, propose
from rules.wording import join_with_and, times


def own_sides(act: ActView) -> set[int]:
    """Return the sides for which the person who asks decides."""
    return {side.id for side in act.encounter.sides() if act.decides_for(side.id)}


def require_models(act: ActView, models: Iterable[int]) -> None:
    """Refuse people who do not play the sides of these models. Raises NotAllowed."""
    for side in dict.fromkeys(act.encounter.model(number).side for number in models):
        require_side(act, side)


def require_side(act: ActView, side: int) -> None:
    """Refuse people who do not play a side, if anyone does. Raises NotAllowed."""
    if act.encounter.deciders(side):
        act.require_side(side)


def corrected_side(encounter: Encounter, kind: str, about: str) -> int:
    """Return the side that a correction is about, or 0 for one that all players may make."""
    if kind in OF_SIDE:
        return int(about)
    return encounter.model(int(about)).side if kind in OF_MODEL else 0


def may_correct(act: Act, kind: str, about: str) -> bool:
    """Return whether a correction is the decision of the person who asks."""
    side = corrected_side(act.encounter, kind, about)
    return not side or act.decides_for(side)


def group_by_players(encounter: Encounter, sides: Iterable[int]) -> Sequence[list[int]]:
    """Return these sides, those together that the same people play."""
    sides_by_players: dict[frozenset[int], list[int]] = {}
    for side in sides:
        sides_by_players.setdefault(encounter.deciders(side), []).append(side)
    return list(sides_by_players.values())


NOT_BEGUN = "Begin the Upkeep first with /upkeep."


@dataclass(frozen=True, slots=True)
class RollUpkeep(Action):
    """Roll what your sides need in the open Upkeep. commanded: models in their leader's Command Range.

    turn, fallen, sides: in the written form only, the turn, how many tests these sides had rolled before, and
    whose they are. Nothing else tells one roll from another, so that no correction after an undo brings
    other dice.
    """

    command = "cb.upkeep"
    finishes = "cb.upkeep"
    decision_of = in_play("the side that a step of the Upkeep affects")

    commanded: tuple[int, ...] = fields.unordered()
    turn: int = 0
    fallen: int = 0
    sides: tuple[int, ...] = fields.unordered()


@dataclass(frozen=True, slots=True)
class ConfirmUpkeep(Action):
    """Carry the open Upkeep out and begin the next turn."""

    command = "cb.upkeep.confirm"
    finishes = "cb.upkeep"
    decision_of = in_play("the side that a step of the Upkeep affects")


# ------------------------------------------------------------------------------------------- the proposal


def begin_upkeep(act: Act) -> Reply:
    """Propose the Upkeep of this turn; where one is proposed already, show it."""
    encounter = act.encounter
    if is_upkeep_open(encounter):
        return show_upkeep(act, changed=False)
    idle_names = [
        model.name
        for model in fighters(encounter)
        if not model.is_incapacitated and not model.count(Counter.ACTIVATED)
    ]
    if not bag.phase_over(count_left_to_act(encounter)) and not is_bag_spent(encounter):
        forbid(f"These models still have to act before the Upkeep: {format_names(idle_names)}.", "CB-BAG-07")
    require_done(act)
    debt_question = settle_debts_first(act)
    if debt_question is not None:
        return debt_question
    open_draft(encounter)
    return show_upkeep(act).minor()


def show_upkeep(act: Act, said: str = "", *, changed: bool = True) -> Reply:
    """Return the open Upkeep with its steps, and what can be pressed.

    said: what was just done, for the first line. changed: whether this act writes something.
    """
    upkeep = Upkeep.of(act)
    dice = {test.model: choose_dice(act, test) for test in upkeep.unrolled}
    score = score_lines(act) if upkeep.is_ready else []
    next_step = (
        "choose a new leader"
        if upkeep.proposal.vacant
        else "roll the dice"
        if upkeep.needs_dice
        else "press Confirm"
    )
    head = f"{said}. Next: {next_step}" if said else f"Next: {next_step}"
    all_lines = step_lines(upkeep, dice, score)
    steps = step_lines(upkeep, dice, score, short=True) if is_long(all_lines) else all_lines
    lines = [f"Upkeep of turn {act.encounter.row.turn}. {head}", *steps]
    questions, buttons, menus = _build_questions(act, upkeep)
    lines += questions
    in_full = ["In full:", *all_lines] if steps is not all_lines else []
    reasons = [*in_full, *explain_upkeep(upkeep, dice)] if changed else []
    buttons += [UNDO, *([why_button(act.entry)] if reasons else [])]
    return Reply(tuple(lines), buttons=tuple(buttons), menus=tuple(menus), why=tuple(reasons))


def open_panel(encounter: Encounter) -> Reply:
    """Return the buttons and menus of the open Upkeep, as everyone sees them."""

    def found() -> Reply:
        nobody = Actor(0, "", encounter.row.guild_id, encounter.row.channel_id)
        act = Looking(encounter.book, nobody).act(NextStep())
        _, buttons, menus = _build_questions(act, Upkeep.of(act))
        return Reply((), buttons=tuple(buttons), menus=tuple(menus))

    return encounter.worked_out(open_panel, found)


def _build_questions(act: Act, upkeep: Upkeep) -> tuple[list[str], list[Button], list[Menu]]:
    """Return the question that the open Upkeep asks, with its buttons and menus."""
    lines: list[str] = []
    menus: list[Menu] = []
    in_range: list[Fighter] | None = None
    near_leader = list_models_near_leader(act, upkeep)
    if near_leader and not upkeep.proposal.vacant:
        leaders = {find_leader(model.side, upkeep.proposal.scene.models) for model in near_leader}
        ranges = sorted(f"{leader.name} ({get_command_range(leader)} in)" for leader in leaders if leader)
        lines.append(f"Which models are in Command Range of {' or '.join(ranges)}?")
        in_range = _measure_in_range(act.encounter, near_leader, upkeep.proposal.scene.models)
        if in_range is not None:
            names = join_with_and([model.name for model in in_range]) if in_range else "no model"
            lines.append(f"On the board: {names}.")
        prompt = "Roll with these models in Command Range"
        menus += _menus(act, prompt, RollUpkeep(), "commanded", near_leader)
    running = [
        model for model in upkeep.proposal.scene.models if model.has(Condition.PANICKED) and not model.is_down
    ]
    menus += _menus(act, "Which models ran off the table?", ReportFled(), "models", running)
    steps_open = tuple(Choice(STEP_TITLES[step], step) for step in list_correctable_steps(upkeep))
    menus += [Menu("Correct...", AskCorrection(), "step", steps_open)] if steps_open else []
    buttons = _buttons(upkeep, was_asked=bool(near_leader))
    if in_range and upkeep.needs_dice and not upkeep.proposal.vacant:
        plain_buttons = [replace(button, style="plain") for button in buttons]
        buttons = [*_build_measured_rolls(act.encounter, in_range), *plain_buttons]
    return lines, buttons, menus


def _measure_in_range(
    encounter: EncounterView, doubtful: Sequence[Fighter], models: Sequence[Fighter]
) -> list[Fighter] | None:
    """Return those of these models that are in Command Range on the board; None if it can't be measured.

    Rules: CB-CREW-04.
    """
    in_range = []
    for model in doubtful:
        leader = find_leader(model.side, models)
        fact = facts.between(encounter, leader.id, model.id) if leader is not None else None
        if leader is None or fact is None:
            return None
        in_range += [model] if fact.value <= get_command_range(leader) else []
    return in_range


def _build_measured_rolls(encounter: Encounter, in_range: Sequence[Fighter]) -> list[Button]:
    """Return a button to roll with the models in Command Range, for each of their players."""
    groups = group_by_players(encounter, dict.fromkeys(model.side for model in in_range))
    buttons = []
    for sides in groups:
        prefix = f"{players_of(encounter, sides)}: " if len(groups) > 1 else ""
        numbers = tuple(model.id for model in in_range if model.side in sides)
        label = f"{prefix}Roll ({times(len(numbers), 'model')} in range)"
        buttons.append(Button(label[:80], RollUpkeep(numbers), "main"))
    return buttons


def _menus(act: Act, prompt: str, action: Action, fills: str, models: Sequence[Fighter]) -> list[Menu]:
    groups = group_by_players(act.encounter, dict.fromkeys(model.side for model in models))
    menus = []
    for sides in groups:
        prefix = f"{players_of(act.encounter, sides)}: " if len(groups) > 1 else ""
        menus.append(
            _menu(
                f"{prefix}{prompt}"[:100], action, fills, [model for model in models if model.side in sides]
            )
        )
    return menus


def _menu(prompt: str, action: Action, fills: str, models: Sequence[Fighter]) -> Menu:
    choices = tuple(Choice(model.name, str(model.id)) for model in models)
    return Menu(prompt, action, fills, choices, 1, len(choices))


def _buttons(upkeep: Upkeep, *, was_asked: bool) -> list[Button]:
    if upkeep.proposal.vacant:
        gaps = upkeep.proposal.vacant
        heirs = [number for gap in gaps for number in gap.candidates]
        named = [Button(upkeep.name(number), NameLeader(number)) for number in heirs]
        sides = [upkeep.encounter.side(gap.side) for gap in gaps]
        return [*named, *(Button(f"No new leader for {side.name}", NameNobody(side.id)) for side in sides)]
    if upkeep.needs_dice:
        odds = [Button("Odds", UpkeepOdds(), anytime=True)] if upkeep.needs_dice else []
        return [Button("Roll (no model in range)" if was_asked else "Roll", RollUpkeep(), "main"), *odds]
    return [Button("Confirm", ConfirmUpkeep(), "main")]


def list_models_near_leader(act: ActView, upkeep: Upkeep) -> list[Fighter]:
    """Return unnamed models whose test would change, or not be needed, in Command Range."""
    draft, scene = upkeep.draft, upkeep.proposal.scene
    sides_done = {upkeep.encounter.model(number).side for number in draft.near}
    everybody = replace(scene, commanded=frozenset(model.id for model in scene.models))
    widest = propose(everybody, draft.corrections(), settings_of(upkeep.encounter))
    lent_ids = {test.model for test in widest.tests if choose_dice(act, test) is test.borrowed}
    excused_ids = {test.model for test in upkeep.unrolled} - {test.model for test in widest.tests}
    doubtful_ids = (lent_ids | excused_ids) - draft.rolled.keys()
    return [model for model in scene.models if model.id in doubtful_ids and model.side not in sides_done]


# ------------------------------------------------------------------------------------------- the dice


def require_open_upkeep(act: ActView) -> Upkeep:
    """Return the open Upkeep for a person who plays. Raises InvalidInput, NotAllowed."""
    act.require_player()
    if not is_upkeep_open(act.encounter):
        raise InvalidInput(NOT_BEGUN)
    return Upkeep.of(act)


def require_leaders(upkeep: Upkeep) -> None:
    """Refuse what waits until it is said who leads. Raises InvalidInput."""
    if upkeep.proposal.vacant:
        raise InvalidInput("A crew has lost its leader. Choose a new leader first with /upkeep leader.")


def choose_dice(act: ActView, test: PanicTest) -> PreparedCheck:
    """Return the dice that a model tests with: its leader's INT only if offered and better than its own.

    Rules: CB-PANIC-05.
    """
    if test.borrowed is None:
        return test.own
    own_chance, lent_chance = (
        act.decide(panic_test, (throw_test.throw,)).chance(_holds) for throw_test in (test.own, test.borrowed)
    )
    return test.borrowed if lent_chance > own_chance else test.own


def _holds(result: PanicResult) -> bool:
    return not result.panicked


# ------------------------------------------------------------------------------------------- carried out


@handles(ConfirmUpkeep)
def confirm(act: Act, action: ConfirmUpkeep) -> Reply:
    """Carry out everything that is proposed, and begin the next turn.

    Every side that has something to decide confirms it as it is; the last one carries it out.
    """
    encounter = act.encounter
    upkeep = require_open_upkeep(act)
    require_leaders(upkeep)
    if upkeep.needs_dice:
        raise InvalidInput("Roll the dice first. Press Roll, or use /upkeep roll:true.")
    other_sides = [] if act.overrides else [side for side in upkeep.undecided if not act.decides_for(side)]
    if other_sides:
        return _confirm_for_own_sides(act, upkeep)
    reasons = explain_upkeep(upkeep, {})
    telling = Telling([f"Upkeep of turn {encounter.row.turn}", *_done_lines(upkeep)], reasons)
    turn = encounter.row.turn
    telling.proposals += carry_out_upkeep(act, upkeep)
    telling.proposals += propose_burning_riders(encounter)
    explode_bombs_of_the_gone(encounter, turn)
    telling.lines += [*telling.proposal_lines(), *_turn_lines(encounter)]
    draw = (Button("Draw", DrawToken(asks=True), "main"), *control_buttons(encounter), UNDO)
    next_buttons = build_score_buttons(encounter) if encounter.count(OVER) else draw
    debts = ask_about_debts(act)
    telling.lines += debts.lines if debts else ()
    all_buttons = (*(debts.buttons if debts else ()), *next_buttons)
    return Reply(tuple(telling.lines), buttons=telling.buttons(act, *all_buttons), why=tuple(reasons))


def _confirm_for_own_sides(act: Act, upkeep: Upkeep) -> Reply:
    """One player confirms; the others are still asked. Raises NotAllowed where it is not this one's word."""
    own_undecided = own_sides(act).intersection(upkeep.undecided)
    if not own_undecided:
        require_side(act, upkeep.undecided[0])
    agree(act.encounter, own_undecided)
    return show_upkeep(act, f"{act.actor.name} confirms").minor()


def _done_lines(upkeep: Upkeep) -> list[str]:
    removed = upkeep.proposal.removed
    by_heading = {
        "Removed": [upkeep.name(removal.model) for removal in removed if removal.how != FLED],
        "Ran off the table": [upkeep.name(removal.model) for removal in removed if removal.how == FLED],
        "New leader": [upkeep.name(number) for number in upkeep.proposal.named],
        "Panicked (Rally or run when they act)": [upkeep.name(number) for number in upkeep.panicked()],
    }
    lines = [f"{head}: {', '.join(names)}" for head, names in by_heading.items() if names]
    lines += ending_lines(upkeep)
    lines += [line for _, line in upkeep.fires().values()]
    lines += [f"The cloud {name} disappears." for name in upkeep.clouds()]
    corrected = correction_lines(upkeep)
    return [*lines, *correction_lines(upkeep, reasons=not is_long([*lines, *corrected]))]


def _turn_lines(encounter: Encounter) -> list[str]:
    if encounter.count(OVER):
        return [f"Turn {encounter.row.turn} was the last turn.", *list_ending_lines(encounter)]
    bag_now = read_bag(encounter)
    return [
        f"Turn {encounter.row.turn}. Bag: {times(bag_now.size, 'token')}.",
        f"{side_name(encounter, bag_now.drawer)} draws first.",
    ]
