"""Propose and confirm an Upkeep, and the sides it concerns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core.common import left_to_act, read_bag
from bot.games.counterblast.core.crews import NameLeader, NameNobody
from bot.games.counterblast.core.debts import is_upkeep_open, settled_first, unsettled
from bot.games.counterblast.core.narration import Telling
from bot.games.counterblast.missions.scores import control_buttons, count_buttons, over_lines
from bot.games.counterblast.state.models import fighters, settings_of
from bot.games.counterblast.state.vehicles import burning_aboard
from bot.games.counterblast.templates.coverage import of_the_gone
from bot.games.counterblast.turn.activations import require_done, side_name
from bot.games.counterblast.turn.bag import DrawToken, is_spent
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
from bot.table.encounter import OVER, Encounter
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.journal.log import why_button
from bot.table.names import listed
from bot.table.offers.legal_actions import Looking
from bot.table.owners import in_play
from bot.table.session.encounters import NextStep
from bot.table.waits import players_of
from rules.refusals import InvalidInput, forbid
from rules.systems.counterblast.building.crew import command_range, leader_of
from rules.systems.counterblast.core.checks import Prepared
from rules.systems.counterblast.core.conditions import FLED
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.panic import PanicResult, panic_test
from rules.systems.counterblast.turn import bag
from rules.systems.counterblast.turn.upkeep import PanicTest, propose
from rules.wording import times


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


def by_players(encounter: Encounter, sides: Iterable[int]) -> Sequence[list[int]]:
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
    decision_of = in_play("the side that the step of the Upkeep affects")

    commanded: tuple[int, ...] = fields.unordered()
    turn: int = 0
    fallen: int = 0
    sides: tuple[int, ...] = fields.unordered()


@dataclass(frozen=True, slots=True)
class ConfirmUpkeep(Action):
    """Carry the open Upkeep out and begin the next turn."""

    command = "cb.upkeep.confirm"
    finishes = "cb.upkeep"
    decision_of = in_play("the side that the step of the Upkeep affects")


# ------------------------------------------------------------------------------------------- the proposal


def begin(act: Act) -> Reply:
    """Propose the Upkeep of this turn; where one is proposed already, show it."""
    encounter = act.encounter
    if is_upkeep_open(encounter):
        return show(act, changed=False)
    waiting = [
        model.name
        for model in fighters(encounter)
        if not model.is_incapacitated and not model.count(Counter.ACTIVATED)
    ]
    if not bag.phase_over(left_to_act(encounter)) and not is_spent(encounter):
        forbid(f"These models still have to act before the Upkeep: {listed(waiting)}.", "CB-BAG-07")
    require_done(act)
    waits = settled_first(act)
    if waits is not None:
        return waits
    open_draft(encounter)
    return show(act).minor()


def show(act: Act, said: str = "", *, changed: bool = True) -> Reply:
    """Return the open Upkeep with its steps, and what can be pressed.

    said: what was just done, for the first line. changed: whether this act writes something.
    """
    open_one = Upkeep.of(act)
    dice = {test.model: dice_of(act, test) for test in open_one.unrolled}
    score = score_lines(act) if open_one.is_ready else []
    next_step = (
        "choose a new leader"
        if open_one.proposal.vacant
        else "roll the dice"
        if open_one.needs_dice
        else "press Confirm"
    )
    head = f"{said}. Next: {next_step}" if said else f"Next: {next_step}"
    all_lines = step_lines(open_one, dice, score)
    steps = step_lines(open_one, dice, score, short=True) if is_long(all_lines) else all_lines
    lines = [f"Upkeep of turn {act.encounter.row.turn}. {head}", *steps]
    questions, buttons, menus = _asked(act, open_one)
    lines += questions
    in_full = ["In full:", *all_lines] if steps is not all_lines else []
    reasons = [*in_full, *explain_upkeep(open_one, dice)] if changed else []
    buttons += [UNDO, *([why_button(act.entry)] if reasons else [])]
    return Reply(tuple(lines), buttons=tuple(buttons), menus=tuple(menus), why=tuple(reasons))


def open_panel(encounter: Encounter) -> Reply:
    """Return the buttons and menus of the open Upkeep, as everyone sees them."""

    def found() -> Reply:
        nobody = Actor(0, "", encounter.row.guild_id, encounter.row.channel_id)
        act = Looking(encounter.book, nobody).act(NextStep())
        _, buttons, menus = _asked(act, Upkeep.of(act))
        return Reply((), buttons=tuple(buttons), menus=tuple(menus))

    return encounter.worked_out(open_panel, found)


def _asked(act: Act, open_one: Upkeep) -> tuple[list[str], list[Button], list[Menu]]:
    """Return the question that the open Upkeep asks, with its buttons and menus."""
    lines: list[str] = []
    menus: list[Menu] = []
    near_leader = near_a_leader(act, open_one)
    if near_leader and not open_one.proposal.vacant:
        leaders = {leader_of(model.side, open_one.proposal.scene.models) for model in near_leader}
        ranges = sorted(f"{leader.name} ({command_range(leader)} in)" for leader in leaders if leader)
        lines.append(f"Which models are in Command Range of {' or '.join(ranges)}?")
        prompt = "Roll with these models in Command Range"
        menus += _menus(act, prompt, RollUpkeep(), "commanded", near_leader)
    running = [
        model
        for model in open_one.proposal.scene.models
        if model.has(Condition.PANICKED) and not model.is_down
    ]
    menus += _menus(act, "Which models ran off the table?", ReportFled(), "models", running)
    steps_open = tuple(Choice(STEP_TITLES[step], step) for step in list_correctable_steps(open_one))
    menus += [Menu("Correct...", AskCorrection(), "step", steps_open)] if steps_open else []
    return lines, _buttons(open_one, was_asked=bool(near_leader)), menus


def _menus(act: Act, prompt: str, action: Action, fills: str, models: Sequence[Fighter]) -> list[Menu]:
    groups = by_players(act.encounter, dict.fromkeys(model.side for model in models))
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


def _buttons(open_one: Upkeep, *, was_asked: bool) -> list[Button]:
    if open_one.proposal.vacant:
        gaps = open_one.proposal.vacant
        heirs = [number for gap in gaps for number in gap.candidates]
        named = [Button(open_one.name(number), NameLeader(number)) for number in heirs]
        sides = [open_one.encounter.side(gap.side) for gap in gaps]
        return [*named, *(Button(f"No new leader for {side.name}", NameNobody(side.id)) for side in sides)]
    if open_one.needs_dice:
        odds = [Button("Odds", UpkeepOdds(), anytime=True)] if open_one.needs_dice else []
        return [Button("Roll (no model in range)" if was_asked else "Roll", RollUpkeep(), "main"), *odds]
    return [Button("Confirm", ConfirmUpkeep(), "main")]


def near_a_leader(act: ActView, open_one: Upkeep) -> list[Fighter]:
    """Return unnamed models whose test would change, or not be needed, in Command Range."""
    draft, scene = open_one.draft, open_one.proposal.scene
    sides_done = {open_one.encounter.model(number).side for number in draft.near}
    everybody = replace(scene, commanded=frozenset(model.id for model in scene.models))
    widest = propose(everybody, draft.corrections(), settings_of(open_one.encounter))
    lent = {test.model for test in widest.tests if dice_of(act, test) is test.borrowed}
    excused = {test.model for test in open_one.unrolled} - {test.model for test in widest.tests}
    doubtful = (lent | excused) - draft.rolled.keys()
    return [model for model in scene.models if model.id in doubtful and model.side not in sides_done]


# ------------------------------------------------------------------------------------------- the dice


def opened(act: ActView) -> Upkeep:
    """Return the open Upkeep for a person who plays. Raises InvalidInput, NotAllowed."""
    act.require_player()
    if not is_upkeep_open(act.encounter):
        raise InvalidInput(NOT_BEGUN)
    return Upkeep.of(act)


def require_leaders(open_one: Upkeep) -> None:
    """Refuse what waits until it is said who leads. Raises InvalidInput."""
    if open_one.proposal.vacant:
        raise InvalidInput("A crew has lost its leader. Choose a new one first with /upkeep leader.")


def dice_of(act: ActView, test: PanicTest) -> Prepared:
    """Return the dice that a model tests with: its leader's INT only if offered and better than its own.

    Rules: CB-PANIC-05.
    """
    if test.borrowed is None:
        return test.own
    own_chance, lent = (
        act.decide(panic_test, (throw_test.throw,)).chance(_holds) for throw_test in (test.own, test.borrowed)
    )
    return test.borrowed if lent > own_chance else test.own


def _holds(result: PanicResult) -> bool:
    return not result.panicked


# ------------------------------------------------------------------------------------------- carried out


@handles(ConfirmUpkeep)
def confirm(act: Act, action: ConfirmUpkeep) -> Reply:
    """Carry out everything that is proposed, and begin the next turn.

    Every side that has something to decide confirms it as it is; the last one carries it out.
    """
    encounter = act.encounter
    open_one = opened(act)
    require_leaders(open_one)
    if open_one.needs_dice:
        raise InvalidInput("Roll the dice first. Press Roll, or use /upkeep roll:true.")
    others = [] if act.overrides else [side for side in open_one.undecided if not act.decides_for(side)]
    if others:
        return _agreed(act, open_one)
    reasons = explain_upkeep(open_one, {})
    telling = Telling([f"Upkeep of turn {encounter.row.turn}", *_done_lines(open_one)], reasons)
    turn = encounter.row.turn
    telling.proposals += carry_out_upkeep(act, open_one)
    telling.proposals += burning_aboard(encounter)
    of_the_gone(encounter, turn)
    telling.lines += [*telling.proposal_lines(), *_turn_lines(encounter)]
    draw = (Button("Draw", DrawToken(asks=True), "main"), *control_buttons(encounter), UNDO)
    after = count_buttons(encounter) if encounter.count(OVER) else draw
    debts = unsettled(act)
    telling.lines += debts.lines if debts else ()
    goes_on = (*(debts.buttons if debts else ()), *after)
    return Reply(tuple(telling.lines), buttons=telling.buttons(act, *goes_on), why=tuple(reasons))


def _agreed(act: Act, open_one: Upkeep) -> Reply:
    """One player confirms; the others are still asked. Raises NotAllowed where it is not this one's word."""
    own_undecided = own_sides(act).intersection(open_one.undecided)
    if not own_undecided:
        require_side(act, open_one.undecided[0])
    agree(act.encounter, own_undecided)
    return show(act, f"{act.actor.name} confirms").minor()


def _done_lines(open_one: Upkeep) -> list[str]:
    removed = open_one.proposal.removed
    by_heading = {
        "Removed": [open_one.name(removal.model) for removal in removed if removal.how != FLED],
        "Ran off the table": [open_one.name(removal.model) for removal in removed if removal.how == FLED],
        "New leader": [open_one.name(number) for number in open_one.proposal.named],
        "Panicked (Rally or run when they act)": [open_one.name(number) for number in open_one.panicked()],
    }
    lines = [f"{head}: {', '.join(names)}" for head, names in by_heading.items() if names]
    lines += ending_lines(open_one)
    lines += [line for _, line in open_one.fires().values()]
    lines += [f"The cloud {name} disappears." for name in open_one.clouds()]
    corrected = correction_lines(open_one)
    return [*lines, *correction_lines(open_one, reasons=not is_long([*lines, *corrected]))]


def _turn_lines(encounter: Encounter) -> list[str]:
    if encounter.count(OVER):
        return [f"Turn {encounter.row.turn} was the last turn.", *over_lines(encounter)]
    bag_now = read_bag(encounter)
    return [
        f"Turn {encounter.row.turn}. Bag: {times(bag_now.size, 'token')}.",
        f"{side_name(encounter, bag_now.drawer)} draws first.",
    ]
