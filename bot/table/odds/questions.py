"""Questions about an action that is not done: the action written into them, and read from them again.

A button that asks one carries the action as its one argument, so that it is answered after a restart.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action, BadId, Raw, action_of, parts, raw_of, stamp, value_in
from bot.table.owners import ANYONE
from rules.refusals import InvalidInput

OLD = "This was shown by an older version. Ask for the odds again."

_LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
_BETWEEN = "\n"
"""What stands between several words of one field; no word holds it."""


@dataclass(frozen=True, slots=True)
class Compare(Action):
    """The odds of an action beside those of every other way to do it.

    of: the action, as `written` gives it. by: the field that is varied, empty for the first that can be.
    """

    command = "odds.compare"
    decision_of = ANYONE

    of: tuple[str, ...] = ()
    by: str = ""

    @property
    def looks(self) -> bool:
        """Nothing is done."""
        return True


def written(action: Action) -> tuple[str, ...]:
    """An action as words: its command, the stamp of its shape, and what is said in each field."""
    command, said = action.command, raw_of(action)
    fields = [
        letter + _text(said[part.name])
        for letter, part in zip(_LETTERS, parts(command), strict=False)
        if part.name in said
    ]
    return (command, stamp(command), *fields)


def read_again(words: tuple[str, ...]) -> Action:
    """The action that was written. Raises InvalidInput for one that is no more as it was."""
    try:
        command, shape, *fields = words
        known = dict(zip(_LETTERS, parts(command), strict=False))
        if shape != stamp(command):
            raise BadId(command)
        said: dict[str, Raw] = {}
        for field in fields:
            part = known[field[:1]]
            text: str | tuple[str, ...] = field[1:]
            if part.wire == tuple[str, ...]:
                text = tuple(field[1:].split(_BETWEEN))
            said[part.name] = value_in(text, part.wire)
        return action_of(command, said)
    except (ValueError, KeyError) as error:
        raise InvalidInput(OLD) from error


def _text(raw: Raw) -> str:
    match raw:
        case bool():
            return "1" if raw else "0"
        case float():
            return repr(raw).removesuffix(".0")
        case tuple():
            return (_BETWEEN if any(isinstance(one, str) for one in raw) else ",").join(map(str, raw))
    return str(raw)
