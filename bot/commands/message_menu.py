"""The menus of messages and people, as a right-click opens them.

A message's makes a crew of its list, explains its result, undoes it or questions it; Discord sends that
message along, and nothing else. Which result a card tells of is read off its buttons. A person's shows their
crews.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

import discord
from discord import app_commands

from bot.actions import BadId, part_of
from bot.commands.typed import set_reach
from bot.ids import Tag, unpack
from bot.panels.answer import answer, send
from bot.panels.door import sent
from bot.panels.typed import file_text
from bot.panels.widgets import FormModal
from bot.replies.fit import FORM
from bot.replies.reply import say
from bot.table.asking.server_kinds import Attached
from bot.table.journal.disputes import QUESTION_FORM, Question
from bot.table.journal.history import Undo
from bot.table.journal.log import WhyEntry
from bot.table.names import remove_invisible
from bot.table.rosters.crews import ImportCrew, ListCrews
from rules.refusals import InvalidInput

MAKE_CREW = "Make a crew from this"
WHY, UNDO, QUESTION = "Why?", "Undo", "Question this"
THEIR_CREWS = "Their crews"

NO_RESULT = say(
    "I can't find a result in this message. Choose the bot's latest message in a game instead.",
    "Type /do log to see earlier results.",
    private=True,
)

It = discord.Interaction[discord.Client]


def add(tree: app_commands.CommandTree[discord.Client]) -> None:
    """Put the commands into a tree."""
    of_messages = ((MAKE_CREW, _make_crew), (WHY, _explain), (UNDO, _undo), (QUESTION, _question))
    for name, callback in (*of_messages, (THEIR_CREWS, _list_crews)):
        menu = app_commands.ContextMenu(name=name, callback=callback, auto_locale_strings=False)
        set_reach(menu, installable=name == MAKE_CREW)
        tree.add_command(menu)


def _buttons(components: Iterable[object]) -> Iterator[Tag]:
    for component in components:
        custom_id = getattr(component, "custom_id", None)
        if custom_id:
            with suppress(BadId):
                yield unpack(custom_id)
        yield from _buttons(getattr(component, "children", ()))
        yield from _buttons(filter(None, [getattr(component, "accessory", None)]))


async def _ask(interaction: It, message: discord.Message, command: str) -> None:
    """Ask what the button of this command on the message asks."""
    tag = next((button for button in _buttons(message.components) if button.action.command == command), None)
    if tag is None:
        await send(interaction, NO_RESULT)
    else:
        await answer(interaction, tag.action, scope=tag.scope, version=tag.version)


async def _explain(interaction: It, message: discord.Message) -> None:
    await _ask(interaction, message, WhyEntry.command)


async def _undo(interaction: It, message: discord.Message) -> None:
    await _ask(interaction, message, Undo.command)


async def _question(interaction: It, message: discord.Message) -> None:
    """Open the form that questions the result of a message."""
    result_buttons = (
        button for button in _buttons(message.components) if isinstance(button.action, WhyEntry | Undo)
    )
    question = next(((button, button.action.entry) for button in result_buttons if button.action.entry), None)  # type: ignore[attr-defined]
    if question is None:
        await send(interaction, NO_RESULT)
        return
    tag, entry = question
    form = FormModal(QUESTION_FORM, Tag(Question(entry=entry), tag.scope, part=FORM + QUESTION_FORM.key))
    await sent(lambda: interaction.response.send_modal(form))


async def _list_crews(interaction: It, person: discord.Member) -> None:
    await answer(interaction, ListCrews(person.id))


async def _make_crew(interaction: It, message: discord.Message) -> None:
    try:
        action = await _read_list(message)
    except InvalidInput as refusal:
        await send(interaction, say(refusal.sentence, private=True))
        return
    await answer(interaction, action)


async def _read_list(message: discord.Message) -> ImportCrew:
    """Return the list in the first file of a message, or in its text. Raises InvalidInput."""
    files = [
        attachment
        for attachment in message.attachments
        if not (attachment.content_type or "").startswith("image/")
    ]
    if files:
        kind = part_of(ImportCrew.command, "file").kind
        assert isinstance(kind, Attached), "a list is a file"
        return ImportCrew(file=await file_text(files[0], kind))
    texts = [message.content, *(embed.description or "" for embed in message.embeds)]
    text = remove_invisible("\n".join(filter(None, texts)))
    if not text.strip():
        raise InvalidInput(
            "There is no list in this message. Choose a message with your list as text or as a file."
        )
    return ImportCrew(text)
