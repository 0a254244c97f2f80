"""What the rolls between the attacks share: who asks, how a roll or its odds are told, what wounds do.

Knows no single rule; fires, falls, tasks and ground are in modules of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from bot.games.counterblast.core.common import again, named, own, settings
from bot.games.counterblast.core.place_effects import at_height
from bot.games.counterblast.core.telling import Telling
from bot.games.counterblast.core.words import life_words, trace_lines
from bot.replies.reply import Button, Choice, Reply
from bot.table.act import Act
from bot.table.journal.history import UNDO
from rules.dice import Entry, Shown
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.casualties import after_wounds
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.settings import DEFAULTS
from rules.wording import times


def asked(act: Act, text: str) -> Fighter:
    """The model that is meant; only who plays it rolls with it, anybody asks for its odds."""
    return named(act, text) if act.looks else own(act, text)


def ref(model: Fighter) -> str:
    """A model as actions name it in their one form."""
    return f"#{model.id}"


def require_between(value: float, least: float, most: float, what: str) -> None:
    """Refuse a number that no table has. Raises InvalidInput."""
    if not least <= value <= most:
        raise InvalidInput(f"{what}: {least:g} to {most:g}, not {value:g}.")


def house_rule(act: Act, key: str) -> list[str]:
    """The line that says that a setting which matters here is not the default one."""
    value = getattr(settings(act), key)
    if value == getattr(DEFAULTS, key):
        return []
    shown = ("on" if value else "off") if isinstance(value, bool) else value
    return [f"House rule: {key.replace('_', ' ')} {shown}"]


# ------------------------------------------------------------------------------------------- telling


def finish(act: Act, telling: Telling, dice: Sequence[str] = (), *more: Button) -> Reply:
    """The reply of a roll: what happened, the dice, what is proposed next, buttons."""
    thrown = compact(act.roller.trace) if act.roller else []
    if dice or thrown:
        telling.lines += ["", *dice, *thrown]
    telling.lines += telling.proposal_lines()
    buttons = telling.buttons(act, *more, UNDO)
    return Reply(tuple(telling.lines), buttons=buttons, why=tuple(telling.why))


def compact(trace: Sequence[Entry]) -> list[str]:
    """Every throw, single dice thrown for the same thing in one line."""
    lines: list[str] = []
    for (label, sides), group in groupby(trace, _single):
        if label:
            faces = ", ".join(str(entry.face) for entry in group if isinstance(entry, Shown))
            lines.append(f"{label}: {faces} (d{sides})")
        else:
            lines += trace_lines(group)
    return lines


def _single(entry: Entry) -> tuple[str, int]:
    return (entry.label, entry.sides) if isinstance(entry, Shown) else ("", 0)


def model_choices(models: Sequence[Fighter]) -> tuple[Choice, ...]:
    """Models as choices of a menu."""
    return tuple(Choice(model.name, str(model.id)) for model in models)


# ------------------------------------------------------------------------------------------- wounds


def wound(
    act: Act,
    telling: Telling,
    model: Fighter,
    wounds: int,
    cause: str = "",
    *,
    by: int = 0,
    side: int = 0,
) -> Fighter:
    """Give a model wounds outside an attack, with all that follows; return the model as it is then.

    by: the model that caused them, or side: the side, where no model of it did; 0 for an accident.
    Rules: CB-SCORE-02.
    """
    telling.follow(act, after_wounds(model, wounds, max(1, act.encounter.row.turn)), by=by)
    if side and wounds and not model.is_down:
        act.encounter.credit(act.encounter.model(model.id), side=side)
    now = again(act, model)
    suffix = f" {cause}" if cause else ""
    if not wounds:
        telling.lines.append(f"{model.name} is unhurt{suffix}.")
        return now
    down = now.is_down and not model.is_down
    left = "goes down" if down else life_words(now)
    telling.lines.append(f"{model.name} takes {times(wounds, 'wound')}{suffix}: {left}.")
    telling.proposals += at_height(now, wounds)
    return now
