"""A slash command as typed: which registered command it names, and which words go to which option.

People can type what the bot registered. Whether a value fits its option is decided where the command is sent;
this module only cuts the line. Knows nothing of people, messages or the server.
"""

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.local.commands import STRING, Command, CommandOption
from bot.local.lines import Mistyped

_TOKEN = re.compile(r"""(?:(?P<name>[^\W\d][\w'-]{0,31}):(?!//))?(?P<value>"[^"]*"(?=\s|$)|\S*)""")
_GAP = re.compile(r"\s*")


@dataclass(frozen=True)
class Typed:
    """A command ready to be sent: its path ("bag draw") and the options' texts by name."""

    path: str
    options: Mapping[str, str]


@dataclass(frozen=True)
class TypedWord:
    """A word of the line, or `name:value`; `start` and `end` delimit it in the text."""

    name: str | None
    value: str
    start: int
    end: int

    @property
    def text(self) -> str:
        """Return the value without its quotes."""
        quoted = len(self.value) > 1 and self.value[0] == self.value[-1] == '"'
        return self.value[1:-1] if quoted else self.value


def parse(text: str, commands: Sequence[Command]) -> Typed:
    """Return the command that `text` (without its slash) asks for.

    Values are given by `name:value`, or by position before the first name. A named value runs to the next
    name, so spaces need no quotes. When one free text is all that the command must have, every word before
    the first name belongs to it. Raises Mistyped for an unknown command or option, an option given twice,
    more values than options, and a required option that is missing.
    """
    command, arguments = find(text, commands)
    return Typed(command.path, fill(arguments, command.options, f"/{command.path}"))


def find(text: str, commands: Sequence[Command]) -> tuple[Command, str]:
    """Return the command whose path the first words spell, and the text after them."""
    words = text.split()
    for command in commands:
        path = command.path.split(" ")
        if [word.lower() for word in words[: len(path)]] == path:
            return command, text.split(maxsplit=len(path))[len(path)] if len(words) > len(path) else ""
    raise Mistyped(_unknown_command(words, commands))


def fill(text: str, options: Sequence[CommandOption], command: str) -> dict[str, str]:
    """Return the options' texts out of `text`; sentences call what is filled in `command`."""
    names = [option.name for option in options]
    text_option = whole_text(options)
    words = [token for token in tokens_of(text) if token.name and (token.name in names or not text_option)]
    values = _by_position(text[: words[0].start] if words else text, options, text_option, command)
    stops = [token.start for token in words[1:]] + [len(text)]
    for token, end in zip(words, stops, strict=False):
        assert token.name is not None
        if token.name not in names:
            raise Mistyped(_unknown_option(token.name, names, command))
        if token.name in values:
            raise Mistyped(f"Enter the option {token.name} only once.")
        value = text[token.start + len(token.name) + 1 : end].strip()
        values[token.name] = token.text if value == token.value else _unquoted(value)
    missing = [option.name for option in options if option.required and option.name not in values]
    if missing:
        names_missing = " and ".join(filter(None, (", ".join(missing[:-1]), missing[-1])))
        raise Mistyped(f"{command} still needs {names_missing}. Type: {usage(command, options)}")
    return values


def tokens_of(text: str) -> list[TypedWord]:
    """Return the words of `text`: quoted parts whole, `name:` split off where a word begins so."""
    tokens = []
    place = 0
    while (gap := _GAP.match(text, place)) and gap.end() < len(text):
        word = _TOKEN.match(text, gap.end())
        assert word is not None
        tokens.append(TypedWord(word["name"], word["value"], word.start(), word.end()))
        place = word.end()
    return tokens


def whole_text(options: Sequence[CommandOption]) -> CommandOption | None:
    """Return the option that takes every unnamed word: the only free text, if nothing else is required."""
    texts = [option for option in options if option.kind == STRING and not option.choices]
    if len(options) == 1 and texts:
        return texts[0]
    free_texts = [option for option in texts if not option.autocomplete]
    required = [option for option in options if option.required]
    return free_texts[0] if len(free_texts) == 1 and free_texts == required else None


def usage(command: str, options: Iterable[CommandOption]) -> str:
    """Return how the command is typed, optional parts in brackets: `/roll dice: [private:]`."""
    return " ".join(
        [command, *(f"{option.name}:" if option.required else f"[{option.name}:]" for option in options)]
    )


def quoted(value: str) -> str:
    """Return the value as it must be typed to be one word."""
    return f'"{value}"' if not value or re.search(r"\s|^\w+:", value) else value


def near(word: str, names: Iterable[str], limit: int = 3) -> list[str]:
    """Return the names most like `word`, best first."""
    lowered = {name.lower(): name for name in names}
    return [lowered[match] for match in difflib.get_close_matches(word.lower(), lowered, n=limit, cutoff=0.5)]


def _by_position(
    text: str, options: Sequence[CommandOption], text_option: CommandOption | None, command: str
) -> dict[str, str]:
    words = tokens_of(text)
    if not words:
        return {}
    if text_option is not None:
        return {text_option.name: _unquoted(text.strip())}
    if len(options) == 1 and options[0].kind == STRING:
        return {options[0].name: _unquoted(text.strip())}
    if not options:
        raise Mistyped(f"{command} takes no options.")
    *leading, last = options
    values = {option.name: word.text for option, word in zip(options, words, strict=False)}
    if len(words) > len(options):
        if last.kind != STRING or last.choices:
            raise Mistyped(f"You entered too many values. Type: {usage(command, options)}")
        values[last.name] = text[words[len(leading)].start :].strip()
    return values


def _unquoted(value: str) -> str:
    tokens = tokens_of(value)
    return tokens[0].text if len(tokens) == 1 and tokens[0].name is None else value


def _unknown_command(words: Sequence[str], commands: Sequence[Command]) -> str:
    if not commands:
        return "The bot has registered no commands."
    first = words[0].lower() if words else ""
    endings = [command.path.partition(" ")[2] for command in commands if command.path.split(" ")[0] == first]
    if endings:
        nearest = near(words[1], endings) if len(words) > 1 else []
        offered = _suggested_paths(
            [f"{first} {rest}" for rest in nearest], [f"{first} {ending}" for ending in endings]
        )
        return f"There is no command /{' '.join(words[:2])}. {offered}"
    tops = list(dict.fromkeys(command.path.split(" ")[0] for command in commands))
    return f"There is no command /{first}. {_suggested_paths(near(first, tops), tops)}"


def _suggested_paths(nearest: Sequence[str], paths: Sequence[str]) -> str:
    commands = ", ".join(f"/{path}" for path in nearest or paths)
    if nearest:
        return f"Did you mean {commands}?"
    return f"The commands are {commands}." if len(paths) > 1 else f"The only command is {commands}."


def _unknown_option(name: str, names: Sequence[str], command: str) -> str:
    if not names:
        return f"{command} takes no options."
    hint = "".join(f"Did you mean {similar}? " for similar in near(name, names, 1))
    return f"{command} has no option {name}. {hint}Options: {', '.join(names)}."
