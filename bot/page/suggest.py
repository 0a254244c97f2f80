"""Suggestions for a line while it is typed: commands, their options, and the bot's own suggestions."""

from __future__ import annotations

from bot.local.commands import BOOLEAN, ClientRefusal, Command
from bot.local.completion import position
from bot.local.lines import Mistyped
from bot.local.outcomes import NotAnswered
from bot.local.people import Person
from bot.local.typed import find, quoted

MAX_COUNT = 12

Offer = tuple[str, str]
"""What is shown, and the line that it makes."""


async def suggestions(person: Person, line: str) -> list[Offer]:
    """Return the likeliest first, at most MAX_COUNT."""
    try:
        if not line.startswith("/"):
            choices = await person.autocomplete("do", {"line": line}, focused="line")
            return [(choice.name, str(choice.value)) for choice in choices][:MAX_COUNT]
        return (await _typed(person, line[1:]))[:MAX_COUNT]
    except (ClientRefusal, NotAnswered):
        return []


async def _typed(person: Person, text: str) -> list[Offer]:
    commands = person.commands()
    offers = [
        (f"/{command.path}: {command.description}", f"/{command.path} ")
        for command in commands
        if command.path.startswith(text.lower())
    ]
    try:
        command, arguments = find(text, commands)
    except Mistyped:
        return offers
    if arguments or text.endswith(" "):
        return await _options(person, command, text, arguments)
    return offers


async def _options(person: Person, command: Command, text: str, arguments: str) -> list[Offer]:
    arguments += " " if text.endswith(" ") and not arguments.endswith(" ") else ""
    cursor = position(arguments, command.options)
    line_start = f"/{text[: len(text) - len(cursor.part)]}"
    offers: list[Offer] = []
    option = cursor.option
    if option is not None:
        part = cursor.part.strip().strip('"')
        if option.autocomplete:
            values = {**cursor.given, option.name: part}
            suggestions = await person.autocomplete(command.path, values, focused=option.name)
            offers = [(match.name, line_start + quoted(str(match.value))) for match in suggestions]
        else:
            fixed = [choice.name for choice in option.choices] or (
                ["true", "false"] if option.kind == BOOLEAN else []
            )
            offers = [(value, line_start + quoted(value)) for value in fixed if part.lower() in value.lower()]
    start = f"/{text[: len(text) - len(cursor.word)]}"
    for each in command.options:
        if f"{each.name}:" not in text and each.name.startswith(cursor.word.lower()):
            offers.append((f"{each.name}: {each.description}", f"{start}{each.name}:"))
    return offers
