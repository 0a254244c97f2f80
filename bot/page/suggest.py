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
        (f"/{each.path}: {each.description}", f"/{each.path} ")
        for each in commands
        if each.path.startswith(text.lower())
    ]
    try:
        command, rest = find(text, commands)
    except Mistyped:
        return offers
    if rest or text.endswith(" "):
        return await _options(person, command, text, rest)
    return offers


async def _options(person: Person, command: Command, text: str, rest: str) -> list[Offer]:
    rest += " " if text.endswith(" ") and not rest.endswith(" ") else ""
    at = position(rest, command.options)
    before = f"/{text[: len(text) - len(at.part)]}"
    offers: list[Offer] = []
    option = at.option
    if option is not None:
        part = at.part.strip().strip('"')
        if option.autocomplete:
            given = {**at.given, option.name: part}
            found = await person.autocomplete(command.path, given, focused=option.name)
            offers = [(suggestion.name, before + quoted(str(suggestion.value))) for suggestion in found]
        else:
            fixed = [choice.name for choice in option.choices] or (
                ["true", "false"] if option.kind == BOOLEAN else []
            )
            offers = [(each, before + quoted(each)) for each in fixed if part.lower() in each.lower()]
    start = f"/{text[: len(text) - len(at.word)]}"
    for each in command.options:
        if f"{each.name}:" not in text and each.name.startswith(at.word.lower()):
            offers.append((f"{each.name}: {each.description}", f"{start}{each.name}:"))
    return offers
