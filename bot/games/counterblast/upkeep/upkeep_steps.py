"""The steps of an Upkeep: what is asked, checked, offered and applied."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.actions import Action
from bot.games.counterblast.core.common import carry_through, orders_of, settings, spend_order, write_bag
from bot.games.counterblast.core.crews import ASKED
from bot.games.counterblast.state.ground import fire_names, write_fire
from bot.games.counterblast.state.missions import gain, result_lines
from bot.games.counterblast.state.models import fighter
from bot.games.counterblast.state.sight import clear_clouds
from bot.games.counterblast.upkeep.upkeep_draft import OUTCOMES, Note, Upkeep, close_draft, copy_of
from bot.replies.reply import Blank, Form, form
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.encounter import OVER, EncounterView
from bot.table.names import find
from bot.table.owners import ANYONE, in_play
from rules.effects import Assign, Effect, Propose
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.building.crew import LEADER, goes_unled
from rules.systems.counterblast.core import counters
from rules.systems.counterblast.core.burning import MAX_INCHES
from rules.systems.counterblast.core.panic import may_panic
from rules.systems.counterblast.turn import activation, upkeep
from rules.systems.counterblast.turn.activation import after_succession
from rules.wording import possessive, times

STEPS: dict[str, str] = {
    "removed": "Step 1: models removed",
    "levels": "Step 2: Panic Levels",
    "tests": "Step 3: models that test",
    "results": "Step 3: test results",
    "ends": "Step 4: effects that end",
    "score": "Step 5: score",
    "bag": "Step 6: bag",
    "drawer": "Step 7: first draw",
    "back": "Withdraw a correction",
}
"""The steps of which something may be corrected, by key, as the menu lists them."""

_WHY = Blank("reason", "Why? (everyone can read this)")

FORMS: dict[str, Form] = {
    "keep": form(
        "cb.upkeep.keep",
        "Model that stays in play",
        Blank("value", "Life left (0 if the model is down)", "1", 2),
        _WHY,
    ),
    "level": form("cb.upkeep.level", "Panic Level", Blank("value", "Panic Level", longest=2), _WHY),
    "fire": form(
        "cb.upkeep.fire",
        "Size of the fire",
        Blank("value", "Size of the fire (inches, 0 if it is out)", longest=3),
        _WHY,
    ),
    "score": form(
        "cb.upkeep.score",
        "Objective points",
        Blank("value", "Points to add (below 0 to take away)", longest=3),
        _WHY,
    ),
    "bag": form("cb.upkeep.bag", "Initiative tokens", Blank("value", "Tokens in the bag", longest=2), _WHY),
    "": form("cb.upkeep.why", "Correction", _WHY),
}
"""What is filled in for each kind of correction; those that need no figure share the last one."""


@dataclass(frozen=True, slots=True)
class AskCorrection(Action):
    """Show what can be corrected of a step, to the person who asks."""

    command = "cb.upkeep.ask"
    decision_of = in_play("the models' side")

    step: str = ""


@dataclass(frozen=True, slots=True)
class Correct(Action):
    """Correct one thing of the open Upkeep. about: the number of a model or side, or a fire's name."""

    command = "cb.upkeep.correct"
    decision_of = in_play("the models' side")

    kind: str = ""
    about: str = ""
    value: str = ""
    reason: str = ""

    @property
    def decides(self) -> str:
        """See `Action.decides`."""
        return "correction"


@dataclass(frozen=True, slots=True)
class UpkeepOdds(Action):
    """Ask for the chances that each model which tests for panic holds."""

    command = "cb.upkeep.odds"
    decision_of = ANYONE

    odds: bool = True


@dataclass(frozen=True, slots=True)
class TakeBack(Action):
    """Remove a correction.

    number: as the proposal counts them, from 1. reason: why, if another player made it.
    """

    command = "cb.upkeep.back"
    decision_of = in_play("the models' side")

    number: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SayFled(Action):
    """Enter which Panicked models ran off the table in this turn."""

    command = "cb.upkeep.fled"
    decision_of = in_play("the models' side")

    models: tuple[int, ...] = fields.unordered()


def described(encounter: EncounterView, note: Note) -> str:
    """Return a correction in a few words."""
    match note.kind:
        case "keep":
            stays = (
                f"stays in play with {note.value} Life" if note.value != "0" else "stays in play, but is down"
            )
            return f"{_model(encounter, note)} {stays}"
        case "level":
            return f"{_side(encounter, note)}: Panic Level {note.value}"
        case "test":
            return f"{_model(encounter, note)} takes a panic test"
        case "spare":
            return f"{_model(encounter, note)} takes no panic test"
        case "result":
            return f"{_model(encounter, note)}: {note.value}"
        case "timer":
            return f"{_model(encounter, note)}: {note.value} doesn't end"
        case "fire":
            return f"{note.about}: {f'R{note.value}' if note.value != '0' else 'out'}"
        case "cloud":
            return f"The cloud {note.about} stays"
        case "score":
            return f"{_side(encounter, note)}: {int(note.value):+d} for objectives"
        case "bag":
            return f"{_side(encounter, note)}: {times(int(note.value), 'token')}"
    return f"{_side(encounter, note)} draws first"


def _model(encounter: EncounterView, note: Note) -> str:
    return encounter.model(note.number).name


def _side(encounter: EncounterView, note: Note) -> str:
    return encounter.side(note.number).name


def is_last_turn(encounter: EncounterView) -> bool:
    """Return whether the game ends with this Upkeep. Rules: CB-TURN-01."""
    return activation.is_last_turn(encounter.row.turn, encounter.row.turns)


def carry_out(act: Act, open_one: Upkeep) -> list[Propose]:
    """Do what the Upkeep proposes and begin the next turn; gives what is to follow.

    Rules: CB-TURN-04, CB-TURN-01, CB-PANIC-08, CB-BAG-02, CB-BAG-08.
    """
    encounter, draft, proposal = act.encounter, open_one.draft, open_one.proposal
    results = open_one.results()
    fires = open_one.fires()
    clear_clouds(encounter, open_one.clouds())
    follow = carry_through(act, (*proposal.healed, *proposal.leaving))
    for number in proposal.named:
        _serves(act, number)
    for number in draft.unled:
        if not encounter.side(number).counters.get(LEADER):
            carry_through(act, goes_unled(number))
    for number in draft.ordered:
        side = encounter.model(number).side
        if number in results and orders_of(encounter.side(side)):
            spend_order(act, side)
    levels = (Assign("side", level.side, counters.PANIC_LEVEL, level.level) for level in proposal.levels)
    follow += carry_through(act, levels)
    follow += carry_through(act, upkeep.step_tests(proposal.scene, results.items()))
    follow += carry_through(act, proposal.ending)
    for name, (fire, _) in fires.items():
        write_fire(encounter, name, fire)
    for note in draft.said("score"):
        gain(encounter.side(note.number), int(note.value))
    follow += carry_through(act, upkeep.step_reset_panic(proposal.scene))
    close_draft(encounter)
    _next_turn(act, open_one)
    return [proposal for proposal in follow if proposal.action not in ASKED]


def _serves(act: Act, number: int) -> None:
    """The successor serves from this moment; the crew's order tokens are trimmed. CB-CREW-05, CB-ORDER-08."""
    model = fighter(act.encounter, act.encounter.model(number))
    old_orders = orders_of(act.encounter.side(model.side))
    carry_through(act, (Assign("side", model.side, LEADER, model.id),))
    carry_through(act, after_succession(model.side, old_orders, model, settings(act)))


def _next_turn(act: Act, open_one: Upkeep) -> None:
    encounter = act.encounter
    effects = upkeep.step_new_turn(open_one.proposal.scene, encounter.row.turns)
    carry_through(act, [effect for effect in effects if not _is_turn(effect)])
    if is_last_turn(encounter):
        encounter.row.counters[OVER] = 1
        return
    for token in encounter.tokens("initiative"):
        encounter.book.remove(token)
    encounter.row.turn += 1
    write_bag(encounter, open_one.proposal.bag)


def _is_turn(effect: Effect) -> bool:
    return isinstance(effect, Assign) and effect.owner == "encounter" and effect.key == counters.TURN


def score_lines(act: Act) -> list[str]:
    """Return the points of every side as they will stand: the Upkeep is carried out on a copy."""
    copy = copy_of(act)
    carry_out(copy, Upkeep.of(copy))
    lines = result_lines(copy.encounter)
    return lines if is_last_turn(act.encounter) else lines[: len(copy.encounter.sides())]


MAX_LEVEL, MAX_TOKENS, MAX_POINTS = 40, 60, 99

Check = Callable[[Upkeep, Correct], str]


def _number(text: str, least: int, most: int, label: str) -> str:
    """Return a whole number as it is kept. Raises InvalidInput."""
    try:
        number = int(text)
    except ValueError:
        raise InvalidInput(f"{label} must be a whole number (you entered {text or 'nothing'}).") from None
    if not least <= number <= most:
        raise InvalidInput(f"{label} must be between {least} and {most} (you entered {number}).")
    return str(number)


def _keep(open_one: Upkeep, action: Correct) -> str:
    model = open_one.encounter.model(int(action.about))
    kept_names = {note.about for note in open_one.draft.said("keep")}
    if (
        not any(removal.model == model.id for removal in open_one.proposal.removed)
        and action.about not in kept_names
    ):
        raise InvalidInput(f"{model.name} is not being removed in this Upkeep.")
    if model.id in open_one.draft.fled:
        raise InvalidInput(
            f"{model.name} ran off the table. To change that, choose again which models ran off."
        )
    return _number(action.value, 0, fighter(open_one.encounter, model).profile.life, "Life")


def _level(open_one: Upkeep, action: Correct) -> str:
    open_one.encounter.side(int(action.about))
    return _number(action.value, 0, MAX_LEVEL, "Panic Level")


def _test(open_one: Upkeep, action: Correct) -> str:
    model = open_one.proposal.scene.model(int(action.about))
    level = next(panic.level for panic in open_one.proposal.levels if panic.side == model.side)
    if level < 1:
        raise InvalidInput("No model takes a panic test at Panic Level 0. Correct the level first.")
    if not may_panic(model):
        raise Forbidden(f"{model.name} can't panic now, so it takes no panic test.", "CB-PANIC-04")
    spared = {note.number for note in open_one.draft.said("spare")}
    if model.id not in spared and any(test.model == model.id for test in open_one.proposal.tests):
        raise InvalidInput(f"{model.name} already has to test.")
    return ""


def _spare(open_one: Upkeep, action: Correct) -> str:
    model = open_one.proposal.scene.model(int(action.about))
    if not any(test.model == model.id for test in open_one.proposal.tests):
        raise InvalidInput(f"{model.name} doesn't have to test.")
    return ""


def _result(open_one: Upkeep, action: Correct) -> str:
    model = open_one.encounter.model(int(action.about))
    if not any(tested.test.model == model.id for tested in open_one.tested()):
        raise InvalidInput(
            f'{model.name} hasn\'t rolled its test yet. To skip it, correct "Step 3: models that test".'
        )
    return find(action.value, tuple(OUTCOMES), str, "result")


def _timer(open_one: Upkeep, action: Correct) -> str:
    model = open_one.proposal.scene.model(int(action.about))
    ending = [str(loss.condition) for loss in open_one.proposal.ending if loss.model == model.id]
    if not ending:
        raise InvalidInput(f"No condition on {model.name} ends in this Upkeep.")
    return find(action.value, ending, str, "condition")


def _fire(open_one: Upkeep, action: Correct) -> str:
    if action.about not in open_one.draft.fires or action.about not in fire_names(open_one.encounter):
        raise InvalidInput(f"Roll for {action.about} first.")
    return _number(action.value, 0, MAX_INCHES, "The size in inches")


def _cloud(open_one: Upkeep, action: Correct) -> str:
    if action.about not in open_one.clouds():
        raise InvalidInput(f"The cloud {action.about} doesn't end this turn.")
    return ""


def _score(open_one: Upkeep, action: Correct) -> str:
    open_one.encounter.side(int(action.about))
    return _number(action.value, -MAX_POINTS, MAX_POINTS, "The number of points")


def _bag(open_one: Upkeep, action: Correct) -> str:
    _drawer(open_one, action)
    return _number(action.value, 0, MAX_TOKENS, "The number of tokens")


def _drawer(open_one: Upkeep, action: Correct) -> str:
    open_one.encounter.side(int(action.about))
    if is_last_turn(open_one.encounter):
        raise InvalidInput("This is the last turn, so no one draws again.")
    return ""


CHECKS: dict[str, Check] = {
    "keep": _keep,
    "level": _level,
    "test": _test,
    "spare": _spare,
    "result": _result,
    "timer": _timer,
    "fire": _fire,
    "cloud": _cloud,
    "score": _score,
    "bag": _bag,
    "drawer": _drawer,
}
"""The check of each correction, which also returns its stored value."""


AFTER_DICE = ("ends", "score", "bag", "drawer")
"""The steps that are told when all dice have fallen and it is known who leads."""

NEXT_TURN = ("bag", "drawer")
"""The steps of which there is nothing in the last turn."""


def open_steps(open_one: Upkeep) -> list[str]:
    """Return the steps in which something may be corrected now, in their order."""
    return [step for step in STEPS if offers(open_one, step)]


def offers(open_one: Upkeep, step: str) -> list[tuple[str, Correct | TakeBack]]:
    """Return the possible corrections of a step in words, except for dice that have not been rolled."""
    if step in AFTER_DICE and not open_one.is_ready:
        return []
    if step in NEXT_TURN and is_last_turn(open_one.encounter):
        return []
    proposal, name = open_one.proposal, open_one.name
    sides = open_one.encounter.sides()
    owners = [(possessive(side.name), str(side.id)) for side in sides]
    match step:
        case "removed":
            return [
                (f"Don't remove {name(removal.model)}", Correct("keep", str(removal.model)))
                for removal in proposal.removed
                if removal.model not in open_one.draft.fled
            ]
        case "levels":
            return [(f"Correct {owner} Panic Level", Correct("level", number)) for owner, number in owners]
        case "tests":
            return _tests(open_one)
        case "results":
            return _results(open_one)
        case "ends":
            kept_offers = [
                (
                    f"{name(loss.model)}: {loss.condition} doesn't end",
                    Correct("timer", str(loss.model), loss.condition),
                )
                for loss in proposal.ending
            ]
            fires = [(f"Correct the size of {fire}", Correct("fire", fire)) for fire in open_one.draft.fires]
            return [
                *kept_offers,
                *fires,
                *((f"{cloud} stays", Correct("cloud", cloud)) for cloud in open_one.clouds()),
            ]
        case "score":
            return [(f"Correct {owner} points", Correct("score", number)) for owner, number in owners]
        case "bag":
            return [(f"Correct {owner} tokens", Correct("bag", number)) for owner, number in owners]
        case "drawer":
            return [(f"{side.name} draws first", Correct("drawer", str(side.id))) for side in sides]
    return [
        (f"Withdraw correction {number} ({described(open_one.encounter, note)})", TakeBack(number))
        for number, note in enumerate(open_one.draft.notes, 1)
    ]


def _tests(open_one: Upkeep) -> list[tuple[str, Correct | TakeBack]]:
    testing = {test.model for test in open_one.proposal.tests}
    scared = {panic.side for panic in open_one.proposal.levels if panic.level}
    addable = [
        model
        for model in open_one.proposal.scene.models
        if model.id not in testing and model.side in scared and may_panic(model)
    ]
    return [
        *(
            (f"{open_one.name(number)} takes no panic test", Correct("spare", str(number)))
            for number in sorted(testing)
        ),
        *((f"{model.name} takes a panic test too", Correct("test", str(model.id))) for model in addable),
    ]


def _results(open_one: Upkeep) -> list[tuple[str, Correct | TakeBack]]:
    counted = open_one.results()
    return [
        (f"{open_one.name(tested.test.model)} {other}", Correct("result", str(tested.test.model), other))
        for tested in open_one.tested()
        for other in ("holds" if counted[tested.test.model].panicked else "panics",)
    ]
