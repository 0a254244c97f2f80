"""The steps of an Upkeep: what is asked, checked, offered and applied."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.actions import Action
from bot.games.counterblast.core.common import carry_through, orders_of, settings, spend_order, write_bag
from bot.games.counterblast.core.crews import SUCCESSION_KINDS
from bot.games.counterblast.state.ground import fire_names, write_fire
from bot.games.counterblast.state.missions import add_objective_points, result_lines
from bot.games.counterblast.state.models import fighter
from bot.games.counterblast.state.sight import clear_clouds
from bot.games.counterblast.upkeep.upkeep_draft import OUTCOMES, Note, Upkeep, close_draft, copy_act
from bot.replies.reply import Blank, Form, form
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.encounter import OVER, EncounterView
from bot.table.names import find
from bot.table.owners import ANYONE, in_play
from rules.effects import Assign, Effect, Propose
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.building.crew import LEADER, make_leaderless
from rules.systems.counterblast.core import counters
from rules.systems.counterblast.core.burning import MAX_INCHES
from rules.systems.counterblast.core.panic import may_panic
from rules.systems.counterblast.turn import activation, upkeep
from rules.systems.counterblast.turn.activation import after_succession
from rules.wording import possessive, times

STEP_TITLES: dict[str, str] = {
    "removed": "Step 1: models removed",
    "levels": "Step 2: Panic Levels",
    "tests": "Step 3: models that test",
    "results": "Step 3: test results",
    "ends": "Step 4: effects that end or change",
    "score": "Step 5: score",
    "bag": "Step 6: bag",
    "drawer": "Step 7: first draw",
    "back": "Withdraw a correction",
}
"""The steps of which something may be corrected, by key, as the menu lists them."""

_REASON_BLANK = Blank("reason", "Why? (everyone can read this)")

CORRECTION_FORMS: dict[str, Form] = {
    "keep": form(
        "cb.upkeep.keep",
        "Model that stays in play",
        Blank("value", "Life left (0 if the model is down)", "1", 2),
        _REASON_BLANK,
    ),
    "level": form("cb.upkeep.level", "Panic Level", Blank("value", "Panic Level", longest=2), _REASON_BLANK),
    "fire": form(
        "cb.upkeep.fire",
        "Size of the fire",
        Blank("value", "Size of the fire (inches, 0 if it is out)", longest=3),
        _REASON_BLANK,
    ),
    "score": form(
        "cb.upkeep.score",
        "Objective points",
        Blank("value", "Points to add (below 0 to take away)", longest=3),
        _REASON_BLANK,
    ),
    "bag": form(
        "cb.upkeep.bag",
        "Initiative tokens",
        Blank("value", "This side's tokens in the bag", longest=2),
        _REASON_BLANK,
    ),
    "": form("cb.upkeep.why", "Correction", _REASON_BLANK),
}
"""What is filled in for each kind of correction; those that need no figure share the last one."""


@dataclass(frozen=True, slots=True)
class AskCorrection(Action):
    """Show what can be corrected of a step, to the person who asks."""

    command = "cb.upkeep.ask"
    decision_of = in_play("the side that the correction affects")

    step: str = ""


@dataclass(frozen=True, slots=True)
class Correct(Action):
    """Correct one thing of the open Upkeep. about: the number of a model or side, or a fire's name."""

    command = "cb.upkeep.correct"
    decision_of = in_play("the side that the correction affects")

    kind: str = ""
    about: str = ""
    value: str = ""
    reason: str = ""

    @property
    def decides(self) -> str:
        return "correction"


@dataclass(frozen=True, slots=True)
class UpkeepOdds(Action):
    """Ask for each model's chance to hold in its panic test."""

    command = "cb.upkeep.odds"
    decision_of = ANYONE

    odds: bool = True


@dataclass(frozen=True, slots=True)
class WithdrawCorrection(Action):
    """Remove a correction.

    number: as the proposal counts them, from 1. reason: why, if another player made it.
    """

    command = "cb.upkeep.back"
    decision_of = in_play("the side that the correction affects")

    number: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ReportFled(Action):
    """Enter which Panicked models ran off the table in this turn."""

    command = "cb.upkeep.fled"
    decision_of = in_play("the models' side")

    models: tuple[int, ...] = fields.unordered()


def describe_correction(encounter: EncounterView, note: Note) -> str:
    """Return a correction in a few words."""
    match note.kind:
        case "keep":
            outcome_text = (
                f"stays in play with {note.value} Life" if note.value != "0" else "stays in play, but is down"
            )
            return f"{_model_name(encounter, note)} {outcome_text}"
        case "level":
            return f"{_side_name(encounter, note)}: Panic Level {note.value}"
        case "test":
            return f"{_model_name(encounter, note)} takes a panic test"
        case "spare":
            return f"{_model_name(encounter, note)} takes no panic test"
        case "result":
            return f"{_model_name(encounter, note)}: {note.value}"
        case "timer":
            return f"{_model_name(encounter, note)}: {note.value} doesn't end"
        case "fire":
            return f"{note.about}: {f'R{note.value}' if note.value != '0' else 'out'}"
        case "cloud":
            return f"The cloud {note.about} stays"
        case "score":
            return f"{_side_name(encounter, note)}: {int(note.value):+d} for objectives"
        case "bag":
            return f"{_side_name(encounter, note)}: {times(int(note.value), 'token')}"
    return f"{_side_name(encounter, note)} draws first"


def _model_name(encounter: EncounterView, note: Note) -> str:
    return encounter.model(note.number).name


def _side_name(encounter: EncounterView, note: Note) -> str:
    return encounter.side(note.number).name


def is_last_turn(encounter: EncounterView) -> bool:
    """Return whether the game ends with this Upkeep. Rules: CB-TURN-01."""
    return activation.is_last_turn(encounter.row.turn, encounter.row.turns)


def carry_out_upkeep(act: Act, open_upkeep: Upkeep) -> list[Propose]:
    """Carry out what the Upkeep proposes, begin the next turn, and return what has to follow.

    Rules: CB-TURN-04, CB-TURN-01, CB-PANIC-08, CB-BAG-02, CB-BAG-08.
    """
    encounter, draft, proposal = act.encounter, open_upkeep.draft, open_upkeep.proposal
    results = open_upkeep.results()
    fires = open_upkeep.fires()
    clear_clouds(encounter, open_upkeep.clouds())
    follow_ups = carry_through(act, (*proposal.healed, *proposal.leaving))
    for number in proposal.named:
        _install_leader(act, number)
    for number in draft.unled:
        if not encounter.side(number).counters.get(LEADER):
            carry_through(act, make_leaderless(number))
    for number in draft.ordered:
        side = encounter.model(number).side
        if number in results and orders_of(encounter.side(side)):
            spend_order(act, side)
    levels = (Assign("side", level.side, counters.PANIC_LEVEL, level.level) for level in proposal.levels)
    follow_ups += carry_through(act, levels)
    follow_ups += carry_through(act, upkeep.step_tests(proposal.scene, results.items()))
    follow_ups += carry_through(act, proposal.ending)
    for name, (fire, _) in fires.items():
        write_fire(encounter, name, fire)
    for note in draft.said("score"):
        add_objective_points(encounter.side(note.number), int(note.value))
    follow_ups += carry_through(act, upkeep.step_reset_panic(proposal.scene))
    close_draft(encounter)
    _begin_next_turn(act, open_upkeep)
    return [proposal for proposal in follow_ups if proposal.action not in SUCCESSION_KINDS]


def _install_leader(act: Act, number: int) -> None:
    """Make the successor the leader and trim the crew's order tokens. Rules: CB-CREW-05, CB-ORDER-08."""
    model = fighter(act.encounter, act.encounter.model(number))
    old_order_tokens = orders_of(act.encounter.side(model.side))
    carry_through(act, (Assign("side", model.side, LEADER, model.id),))
    carry_through(act, after_succession(model.side, old_order_tokens, model, settings(act)))


def _begin_next_turn(act: Act, open_upkeep: Upkeep) -> None:
    encounter = act.encounter
    effects = upkeep.step_new_turn(open_upkeep.proposal.scene, encounter.row.turns)
    carry_through(act, [effect for effect in effects if not _sets_turn(effect)])
    if is_last_turn(encounter):
        encounter.row.counters[OVER] = 1
        return
    for token in encounter.tokens("initiative"):
        encounter.book.remove(token)
    encounter.row.turn += 1
    write_bag(encounter, open_upkeep.proposal.bag)


def _sets_turn(effect: Effect) -> bool:
    return isinstance(effect, Assign) and effect.owner == "encounter" and effect.key == counters.TURN


def score_lines(act: Act) -> list[str]:
    """Return the points of every side as they will stand: the Upkeep is carried out on a copy."""
    trial_act = copy_act(act)
    carry_out_upkeep(trial_act, Upkeep.of(trial_act))
    lines = result_lines(trial_act.encounter)
    return lines if is_last_turn(act.encounter) else lines[: len(trial_act.encounter.sides())]


MAX_PANIC_LEVEL, MAX_TOKENS, MAX_POINTS = 40, 60, 99

CorrectionCheck = Callable[[Upkeep, Correct], str]


def _require_number(text: str, minimum: int, maximum: int, label: str) -> str:
    """Return a whole number between two bounds as text. Raises InvalidInput."""
    try:
        number = int(text)
    except ValueError:
        raise InvalidInput(f"{label} must be a whole number (you entered {text or 'nothing'}).") from None
    if not minimum <= number <= maximum:
        raise InvalidInput(f"{label} must be between {minimum} and {maximum} (you entered {number}).")
    return str(number)


def _check_kept_model(open_upkeep: Upkeep, action: Correct) -> str:
    model = open_upkeep.encounter.model(int(action.about))
    kept_ids = {note.about for note in open_upkeep.draft.said("keep")}
    if (
        not any(removal.model == model.id for removal in open_upkeep.proposal.removed)
        and action.about not in kept_ids
    ):
        raise InvalidInput(f"{model.name} is not being removed in this Upkeep.")
    if model.id in open_upkeep.draft.fled:
        raise InvalidInput(
            f"{model.name} ran off the table. To change that, choose again which models ran off."
        )
    return _require_number(action.value, 0, fighter(open_upkeep.encounter, model).profile.life, "Life")


def _check_level(open_upkeep: Upkeep, action: Correct) -> str:
    open_upkeep.encounter.side(int(action.about))
    return _require_number(action.value, 0, MAX_PANIC_LEVEL, "Panic Level")


def _check_added_test(open_upkeep: Upkeep, action: Correct) -> str:
    model = open_upkeep.proposal.scene.model(int(action.about))
    level = next(
        panic_level.level for panic_level in open_upkeep.proposal.levels if panic_level.side == model.side
    )
    if level < 1:
        raise InvalidInput("No model takes a panic test at Panic Level 0. Correct the level first.")
    if not may_panic(model):
        raise Forbidden(f"{model.name} can't panic now, so it takes no panic test.", "CB-PANIC-04")
    spared_ids = {note.number for note in open_upkeep.draft.said("spare")}
    if model.id not in spared_ids and any(test.model == model.id for test in open_upkeep.proposal.tests):
        raise InvalidInput(f"{model.name} already has to take a panic test.")
    return ""


def _check_spared_test(open_upkeep: Upkeep, action: Correct) -> str:
    model = open_upkeep.proposal.scene.model(int(action.about))
    if not any(test.model == model.id for test in open_upkeep.proposal.tests):
        raise InvalidInput(f"{model.name} doesn't have to take a panic test.")
    return ""


def _check_result(open_upkeep: Upkeep, action: Correct) -> str:
    model = open_upkeep.encounter.model(int(action.about))
    if not any(entry.test.model == model.id for entry in open_upkeep.tested()):
        raise InvalidInput(
            f'{model.name} hasn\'t rolled its test yet. To skip it, correct "Step 3: models that test".'
        )
    return find(action.value, tuple(OUTCOMES), str, "result")


def _check_condition(open_upkeep: Upkeep, action: Correct) -> str:
    model = open_upkeep.proposal.scene.model(int(action.about))
    ending_conditions = [
        str(loss.condition) for loss in open_upkeep.proposal.ending if loss.model == model.id
    ]
    if not ending_conditions:
        raise InvalidInput(f"No condition on {model.name} ends in this Upkeep.")
    return find(action.value, ending_conditions, str, "condition")


def _check_fire(open_upkeep: Upkeep, action: Correct) -> str:
    if action.about not in open_upkeep.draft.fires or action.about not in fire_names(open_upkeep.encounter):
        raise InvalidInput(f"Roll for {action.about} first.")
    return _require_number(action.value, 0, MAX_INCHES, "The size in inches")


def _check_cloud(open_upkeep: Upkeep, action: Correct) -> str:
    if action.about not in open_upkeep.clouds():
        raise InvalidInput(f"The cloud {action.about} doesn't disappear this turn.")
    return ""


def _check_score(open_upkeep: Upkeep, action: Correct) -> str:
    open_upkeep.encounter.side(int(action.about))
    return _require_number(action.value, -MAX_POINTS, MAX_POINTS, "The number of points")


def _check_bag(open_upkeep: Upkeep, action: Correct) -> str:
    _check_drawer(open_upkeep, action)
    return _require_number(action.value, 0, MAX_TOKENS, "The number of tokens")


def _check_drawer(open_upkeep: Upkeep, action: Correct) -> str:
    open_upkeep.encounter.side(int(action.about))
    if is_last_turn(open_upkeep.encounter):
        raise InvalidInput("This is the last turn, so no one draws again.")
    return ""


CORRECTION_CHECKS: dict[str, CorrectionCheck] = {
    "keep": _check_kept_model,
    "level": _check_level,
    "test": _check_added_test,
    "spare": _check_spared_test,
    "result": _check_result,
    "timer": _check_condition,
    "fire": _check_fire,
    "cloud": _check_cloud,
    "score": _check_score,
    "bag": _check_bag,
    "drawer": _check_drawer,
}
"""The check of each correction, which also returns its stored value."""


STEPS_AFTER_DICE = ("ends", "score", "bag", "drawer")
"""The steps that are shown once all dice are rolled and every leader is known."""

NEXT_TURN_STEPS = ("bag", "drawer")
"""The steps that the last turn does not have."""


def list_correctable_steps(open_upkeep: Upkeep) -> list[str]:
    """Return the steps in which something may be corrected now, in their order."""
    return [step for step in STEP_TITLES if list_corrections(open_upkeep, step)]


def list_corrections(open_upkeep: Upkeep, step: str) -> list[tuple[str, Correct | WithdrawCorrection]]:
    """Return the possible corrections of a step in words, except for dice that have not been rolled."""
    if step in STEPS_AFTER_DICE and not open_upkeep.is_ready:
        return []
    if step in NEXT_TURN_STEPS and is_last_turn(open_upkeep.encounter):
        return []
    proposal, name = open_upkeep.proposal, open_upkeep.name
    sides = open_upkeep.encounter.sides()
    possessives = [(possessive(side.name), str(side.id)) for side in sides]
    match step:
        case "removed":
            return [
                (f"Don't remove {name(removal.model)}", Correct("keep", str(removal.model)))
                for removal in proposal.removed
                if removal.model not in open_upkeep.draft.fled
            ]
        case "levels":
            return [
                (f"Correct {owner} Panic Level", Correct("level", number)) for owner, number in possessives
            ]
        case "tests":
            return _list_test_corrections(open_upkeep)
        case "results":
            return _list_result_corrections(open_upkeep)
        case "ends":
            condition_corrections = [
                (
                    f"{name(loss.model)}: {loss.condition} doesn't end",
                    Correct("timer", str(loss.model), loss.condition),
                )
                for loss in proposal.ending
            ]
            fire_corrections = [
                (f"Correct the size of {fire}", Correct("fire", fire)) for fire in open_upkeep.draft.fires
            ]
            return [
                *condition_corrections,
                *fire_corrections,
                *((f"{cloud} stays", Correct("cloud", cloud)) for cloud in open_upkeep.clouds()),
            ]
        case "score":
            return [(f"Correct {owner} points", Correct("score", number)) for owner, number in possessives]
        case "bag":
            return [(f"Correct {owner} tokens", Correct("bag", number)) for owner, number in possessives]
        case "drawer":
            return [(f"{side.name} draws first", Correct("drawer", str(side.id))) for side in sides]
    return [
        (
            f"Withdraw correction {number} ({describe_correction(open_upkeep.encounter, note)})",
            WithdrawCorrection(number),
        )
        for number, note in enumerate(open_upkeep.draft.notes, 1)
    ]


def _list_test_corrections(open_upkeep: Upkeep) -> list[tuple[str, Correct | WithdrawCorrection]]:
    testing_ids = {test.model for test in open_upkeep.proposal.tests}
    scared_sides = {panic_level.side for panic_level in open_upkeep.proposal.levels if panic_level.level}
    addable_models = [
        model
        for model in open_upkeep.proposal.scene.models
        if model.id not in testing_ids and model.side in scared_sides and may_panic(model)
    ]
    return [
        *(
            (f"{open_upkeep.name(number)} takes no panic test", Correct("spare", str(number)))
            for number in sorted(testing_ids)
        ),
        *(
            (f"{model.name} takes a panic test too", Correct("test", str(model.id)))
            for model in addable_models
        ),
    ]


def _list_result_corrections(open_upkeep: Upkeep) -> list[tuple[str, Correct | WithdrawCorrection]]:
    results = open_upkeep.results()
    return [
        (
            f"{open_upkeep.name(entry.test.model)} {other_result}",
            Correct("result", str(entry.test.model), other_result),
        )
        for entry in open_upkeep.tested()
        for other_result in ("holds" if results[entry.test.model].panicked else "panics",)
    ]
