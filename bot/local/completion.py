"""What could be typed next: people, channels, commands, options, and the bot's own suggestions.

Owns the completions of the terminal; everything offered comes from the registered commands, from the screen
or from the bot. Sends nothing but autocomplete.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator
from dataclasses import dataclass

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from bot.local.commands import BOOLEAN, CHANNEL, MENTIONABLE, USER, Command, CommandOption
from bot.local.lines import ACTIONS, TABLE, Mistyped
from bot.local.people import ClientRefusal, NotAnswered, Person
from bot.local.session import Session
from bot.local.typed import TypedWord, find, quoted, tokens_of

_LEADING = re.compile(r"(?:[@#][^\s@#/:]+\s+)*")


@dataclass(frozen=True)
class Position:
    """Where in a command's options the cursor stands.

    `option` is the one whose value is being typed, `part` what stands of it; `word` is the last word, which
    may yet become an option's name; `given` holds the other options' texts.
    """

    option: CommandOption | None
    part: str
    word: str
    given: dict[str, str]


def position(text: str, options: Iterable[CommandOption]) -> Position:
    """Return where the cursor is after `text`, which follows the command's path."""
    options_by_name = {option.name: option for option in options}
    tokens = tokens_of(text)
    word = "" if not text or text[-1].isspace() else text[tokens[-1].start :]
    words = [token for token in tokens if token.name in options_by_name]
    if words:
        last = words[-1]
        assert last.name is not None
        part = text[last.start + len(last.name) + 1 :]
        typed_values = _given(text, words)
        return Position(options_by_name[last.name], part, word, typed_values)
    place = len(tokens) - bool(word)
    unfilled = list(options_by_name.values())
    option = unfilled[place] if place < len(unfilled) else None
    typed_values = {option.name: token.text for option, token in zip(unfilled, tokens[:place], strict=False)}
    return Position(option, word, word, typed_values)


def _given(text: str, words: list[TypedWord]) -> dict[str, str]:
    starts_after = [token.start for token in words[1:]]
    return {
        token.name: text[token.start + len(token.name) + 1 : end].strip().strip('"')
        for token, end in zip(words, starts_after, strict=False)
        if token.name
    }


class TableCompleter(Completer):
    """Completes a line as the speaker, or the person it names, could type it."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Return nothing: suggestions come from the bot, so completion is only asynchronous."""
        return ()

    async def get_completions_async(
        self, document: Document, complete_event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        """Yield every completion at the cursor, likeliest first."""
        text = document.text_before_cursor.lstrip()
        lead = _LEADING.match(text)
        assert lead is not None
        command_text = text[lead.end() :]
        person = self._person(lead[0])
        if command_text.startswith("/"):
            async for completion in self._slash(person, command_text[1:]):
                yield completion
            return
        for completion in self._word(person, command_text):
            yield completion

    def _person(self, lead: str) -> Person:
        names = re.findall(r"@(\S+)", lead)
        return self._session.people.get(names[-1].lower() if names else "", self._session.speaker)

    def _word(self, person: Person, text: str) -> Iterator[Completion]:
        session = self._session
        verb, space, part = text.partition(" ")
        if space and verb == "press":
            yield from _starting(part, session.screen.labels(person.id, person.here))
        elif space and verb == ":see":
            yield from _starting(part.lstrip("@"), session.people)
        elif space:
            return
        elif text.startswith("@"):
            yield from _starting(text, (f"@{name} " for name in session.people))
        elif text.startswith("#"):
            yield from _starting(text, (f"#{name} " for name in session.channels()))
        elif text:
            yield from _starting(text, [*(f"{word} " for word in ACTIONS), *(f":{word}" for word in TABLE)])

    async def _slash(self, person: Person, text: str) -> AsyncIterator[Completion]:
        commands = person.commands()
        for command in commands:
            if command.path.startswith(text.lower()):
                space = " " if command.options else ""
                yield Completion(command.path + space, -len(text), command.path, command.description)
        try:
            command, arguments = find(text, commands)
        except Mistyped:
            return
        if arguments or text[-1].isspace():
            tail = arguments + (
                " " if arguments and text[-1].isspace() and not arguments[-1].isspace() else ""
            )
            async for completion in self._options(person, command, tail):
                yield completion

    async def _options(self, person: Person, command: Command, text: str) -> AsyncIterator[Completion]:
        cursor = position(text, command.options)
        if cursor.option is not None and not cursor.part.endswith('"'):
            async for value, label in self._values(person, command, cursor.option, cursor):
                yield Completion(
                    value, -len(cursor.part), label, f"{cursor.option.name}: {cursor.option.description}"
                )
        names_used = {token.name for token in tokens_of(text)}
        for option in command.options:
            if option.name not in names_used and option.name.startswith(cursor.word.lower()):
                note = f"{'' if option.required else 'optional: '}{option.description}"
                yield Completion(f"{option.name}:", -len(cursor.word), None, note)

    async def _values(
        self, person: Person, command: Command, option: CommandOption, cursor: Position
    ) -> AsyncIterator[tuple[str, str]]:
        part = cursor.part.strip().lstrip('"')
        if option.autocomplete:
            values = {**cursor.given, option.name: part}
            try:
                choices = await self._session.suggest(person, command.path, values, option.name)
            except (ClientRefusal, NotAnswered):
                return
            for choice in choices:
                yield quoted(choice.name), choice.name
            return
        for name in self._fixed(option):
            if part.lower() in name.lower():
                yield quoted(name), name

    def _fixed(self, option: CommandOption) -> list[str]:
        if option.choices:
            return [choice.name for choice in option.choices]
        if option.kind == BOOLEAN:
            return ["true", "false"]
        if option.kind in (USER, MENTIONABLE):
            return [f"@{name}" for name in self._session.people]
        return [f"#{name}" for name in self._session.channels()] if option.kind == CHANNEL else []


def _starting(part: str, words: Iterable[str]) -> Iterator[Completion]:
    for word in words:
        if word.lower().startswith(part.lower()):
            yield Completion(word, -len(part), word.strip())
