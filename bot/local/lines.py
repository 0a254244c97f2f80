"""The meaning of one typed line: the speaker, the channel, and the action.

The grammar shared by the terminal and by scripts. Owns the words a line may begin with; knows neither
the commands the bot registered nor what is on the screen.
"""

import re
from dataclasses import dataclass

from bot.local.commands import ClientRefusal

ACTIONS = ("press", "menu", "modal")
CHECKS = ("expect", "absent", "refused", "wait")
TABLE = ("help", "who", "see", "channel", "quit")
SEED = "seed"
"""The word of a script's first line, `:seed 7`, before the table is begun."""

MAX_DIGITS = 20
"""Digits that the largest of Discord's numbers has."""

_SPEAKER = re.compile(r"([@#])([^\s@#/:]+)(?:\s+|$)")
_VERB = re.compile(r"(\S+)\s*(.*)", re.DOTALL)


def number_in(text: str) -> int | None:
    """Return the whole number that is written, or None for other words and for one that is too long."""
    return int(text) if text.isdecimal() and len(text) <= MAX_DIGITS else None


class Mistyped(ClientRefusal):
    """The line cannot be carried out as typed; its text is the sentence to show to the person."""


@dataclass(frozen=True)
class ScriptLine:
    """One input: `verb` is "slash", one of ACTIONS, CHECKS, TABLE and SEED, or "" for a new speaker.

    `who` and `channel` are None where the line does not name them; `said` is the line without them.
    """

    verb: str
    rest: str = ""
    who: str | None = None
    channel: str | None = None
    said: str = ""


def read(text: str) -> ScriptLine | None:
    """Return the meaning of one line; None for a blank line or a comment.

    `@name` and `#name` may stand first, in either order; a comment is a `#` followed by a space, another
    `#` or nothing. Raises Mistyped when the line begins with no word of the grammar.
    """
    text = text.strip()
    if not text or re.match(r"#(?:[\s#!]|$)", text):
        return None
    marks: dict[str, str] = {}
    while (match := _SPEAKER.match(text)) and match[1] not in marks:
        marks[match[1]] = match[2].lower()
        text = text[match.end() :]
    person, channel = marks.get("@"), marks.get("#")
    verb, arguments = _verb(text)
    if verb == "channel":
        if not arguments:
            raise Mistyped("Enter the name of a channel too, as in `:channel table`.")
        return ScriptLine("", "", person, arguments.removeprefix("#").lower(), text)
    return ScriptLine(verb, arguments, person, channel, text)


def _verb(text: str) -> tuple[str, str]:
    if not text:
        return "", ""
    if text.startswith("/"):
        return "slash", text[1:].strip()
    if text.isdecimal():
        return "press", text
    match = _VERB.fullmatch(text)
    assert match is not None
    word, arguments = match[1].lower(), match[2].strip()
    if word.startswith(":"):
        if word[1:] in (*TABLE, SEED):
            return word[1:], arguments
        raise Mistyped(f"There is no {word}. Use one of these: {', '.join(':' + verb for verb in TABLE)}")
    if word in ACTIONS or word in CHECKS:
        return word, arguments
    raise Mistyped(f'Begin a command with /, for example /help. "{word}" is not a command; see :help.')
