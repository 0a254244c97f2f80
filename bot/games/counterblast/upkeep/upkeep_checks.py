"""What a correction of an open Upkeep must be: about something proposed, and within what a table has."""

from __future__ import annotations

from collections.abc import Callable

from bot.games.counterblast.core.fighters import fighter
from bot.games.counterblast.ground.fires import fire_names
from bot.games.counterblast.upkeep.upkeep_apply import is_last_turn
from bot.games.counterblast.upkeep.upkeep_asked import Correct
from bot.games.counterblast.upkeep.upkeep_draft import OUTCOMES, Upkeep
from bot.table.names import find
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.panic import may_panic
from rules.systems.counterblast.ground.burning import MAX_INCHES

MOST_LEVEL, MOST_TOKENS, MOST_POINTS = 40, 60, 99

Check = Callable[[Upkeep, Correct], str]


def _number(text: str, least: int, most: int, what: str) -> str:
    """A whole number as it is kept. Raises InvalidInput."""
    try:
        number = int(text)
    except ValueError:
        raise InvalidInput(f"{what}: a number, not {text or 'nothing'}.") from None
    if not least <= number <= most:
        raise InvalidInput(f"{what}: {least} to {most}, not {number}.")
    return str(number)


def _keep(open_one: Upkeep, action: Correct) -> str:
    model = open_one.encounter.model(int(action.about))
    kept = {note.about for note in open_one.draft.said("keep")}
    if not any(one.model == model.id for one in open_one.proposal.removed) and action.about not in kept:
        raise InvalidInput(f"{model.name} is not removed in this Upkeep.")
    if model.id in open_one.draft.fled:
        raise InvalidInput(f"{model.name} ran off the table: say anew who did, with fled.")
    return _number(action.value, 0, fighter(open_one.encounter, model).profile.life, "Life")


def _level(open_one: Upkeep, action: Correct) -> str:
    open_one.encounter.side(int(action.about))
    return _number(action.value, 0, MOST_LEVEL, "Panic Level")


def _test(open_one: Upkeep, action: Correct) -> str:
    model = open_one.proposal.scene.model(int(action.about))
    level = next(panic.level for panic in open_one.proposal.levels if panic.side == model.side)
    if level < 1:
        raise InvalidInput("Nobody tests at a Panic Level of 0: correct the level first.")
    if not may_panic(model):
        raise Forbidden(f"{model.name} cannot panic now, so it does not test.", "CB-PANIC-04")
    spared = {note.number for note in open_one.draft.said("spare")}
    if model.id not in spared and any(test.model == model.id for test in open_one.proposal.tests):
        raise InvalidInput(f"{model.name} tests already.")
    return ""


def _spare(open_one: Upkeep, action: Correct) -> str:
    model = open_one.proposal.scene.model(int(action.about))
    if not any(test.model == model.id for test in open_one.proposal.tests):
        raise InvalidInput(f"{model.name} does not test.")
    return ""


def _result(open_one: Upkeep, action: Correct) -> str:
    model = open_one.encounter.model(int(action.about))
    if not any(one.test.model == model.id for one in open_one.tested()):
        raise InvalidInput(f"{model.name} has not tested. Before the dice: spare.")
    return find(action.value, tuple(OUTCOMES), str, "result")


def _timer(open_one: Upkeep, action: Correct) -> str:
    model = open_one.proposal.scene.model(int(action.about))
    ending = [str(one.condition) for one in open_one.proposal.ending if one.model == model.id]
    if not ending:
        raise InvalidInput(f"Nothing of {model.name} ends in this Upkeep.")
    return find(action.value, ending, str, "condition")


def _fire(open_one: Upkeep, action: Correct) -> str:
    if action.about not in open_one.draft.fires or action.about not in fire_names(open_one.encounter):
        raise InvalidInput(f"No die has fallen for {action.about}: roll first.")
    return _number(action.value, 0, MAX_INCHES, "R")


def _cloud(open_one: Upkeep, action: Correct) -> str:
    if action.about not in open_one.clouds():
        raise InvalidInput(f"No cloud {action.about} is gone with this turn.")
    return ""


def _score(open_one: Upkeep, action: Correct) -> str:
    open_one.encounter.side(int(action.about))
    return _number(action.value, -MOST_POINTS, MOST_POINTS, "Points")


def _bag(open_one: Upkeep, action: Correct) -> str:
    _drawer(open_one, action)
    return _number(action.value, 0, MOST_TOKENS, "Tokens")


def _drawer(open_one: Upkeep, action: Correct) -> str:
    open_one.encounter.side(int(action.about))
    if is_last_turn(open_one.encounter):
        raise InvalidInput("This turn is the last: nobody draws any more.")
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
"""What each correction must be, and how its value is kept."""
