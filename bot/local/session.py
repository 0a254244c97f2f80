"""Several people at one keyboard: carries out one typed line and returns all that came of it.

Owns who speaks, where, and what was last suggested to them. Knows nothing of prompts, files or colours.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from typing import Any

from bot.local.commands import ATTACHMENT, Command
from bot.local.feed import Feed, Idle, running
from bot.local.forms import answers, picked, upload
from bot.local.interactions import AUTOCOMPLETE
from bot.local.lines import Mistyped, ScriptLine
from bot.local.people import InteractionOutcome, Person
from bot.local.screen import Screen
from bot.local.seen import Event, EventKind, Modal, Suggestion
from bot.local.server import LocalServer
from bot.local.typed import parse, tokens_of
from bot.local.words import Names
from bot.local.world import TEXT

FIRST = "host"
NOTHING = "(nothing to see)"


@dataclass(frozen=True)
class Result:
    """The result of one line: the table's own words, then what happened, as seen from `channel_id`."""

    channel_id: int
    notes: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()


class Session:
    """The people at the keyboard and the one of them who speaks; the first is `host`, who runs the server."""

    def __init__(self, server: LocalServer, idle: Idle) -> None:
        self._server = server
        self.feed = Feed(idle)
        server.world.listeners.append(self._hear)
        self.people = server.people
        self.names = Names(server.world.users, server.world.channels)
        self.screen = Screen()
        self.speaker = self.person(FIRST)
        self._suggested: dict[tuple[str, str], Mapping[str, Suggestion]] = {}

    def person(self, name: str) -> Person:
        """Return the person of that name; one who is new sits down at once."""
        if name not in self.people:
            self._server.person(name, admin=name == FIRST)
        return self.people[name]

    @property
    def channel(self) -> str:
        """Return the name of the channel where the speaker acts."""
        return self.names.channel(self.speaker.here)

    @property
    def prompt(self) -> str:
        """Return who speaks and where: `anna #table> `."""
        return f"{self.speaker.name} #{self.channel}> "

    def channels(self) -> list[str]:
        """Return the names of the text channels."""
        return [channel.name for channel in self._server.world.channels.values() if channel.type == TEXT]

    def turn_to(self, line: ScriptLine) -> None:
        """Switch to the line's person and channel, which stay for the lines after it."""
        channel_id = self.speaker.here
        if line.who:
            self.speaker = self.person(line.who)
        if line.channel:
            channel_id = self._server.channel(line.channel)
        if self.speaker.here != channel_id:
            self.speaker.go(channel_id)

    async def do(self, line: ScriptLine) -> Result:
        """Carry the line out and wait until its outcome has settled.

        Raises ClientRefusal, with a sentence, for whatever a Discord client would not have sent.
        """
        self.turn_to(line)
        match line.verb:
            case "":
                return Result(self.speaker.here)
            case "who":
                return Result(self.speaker.here, notes=(self._who(),))
            case "see":
                return self._seen_by(line.rest)
        return await self._settled(self._send(line))

    async def submit(self, modal: Modal, values: Mapping[str, Any]) -> Result:
        """Submit the open form as the person for whom it was opened; one that cannot be sent stays open."""
        owner = next(person for person in self.people.values() if person.id == modal.only_for)
        return await self._settled(self._submit(owner, modal, values))

    def news(self, *, asked: bool = True) -> Result:
        """Return what happened since the last result; news that was not asked for doesn't change the
        numbers.
        """
        events = self.feed.take()
        self.screen.show(events, renumber=asked)
        return Result(self.speaker.here, () if events else (NOTHING,), tuple(events))

    def standing(self) -> Result:
        """Return what the speaker sees when a saved game continues: the bot's earlier messages."""
        result = self._seen_by("")
        return Result(result.channel_id, (), result.events)

    async def suggest(
        self, person: Person, path: str, options: Mapping[str, str], focused: str
    ) -> list[Suggestion]:
        """Return the bot's suggestions for an option, and remember the value of each suggested name."""
        choices = await person.autocomplete(path, options, focused=focused)
        self._suggested[path, focused] = {choice.name: choice for choice in choices}
        return choices

    async def _settled(self, sending: Awaitable[InteractionOutcome]) -> Result:
        old_tasks = running()
        outcome = await sending
        await self.feed.settle(outcome, old_tasks)
        return self.news()

    async def _submit(self, owner: Person, modal: Modal, values: Mapping[str, Any]) -> InteractionOutcome:
        outcome = await owner.submit(modal, values)
        self.screen.modal = None
        return outcome

    def _hear(self, event: Event) -> None:
        """Pass on what can be noticed; suggestions that never came cannot."""
        cause = self._server.interactions.get(event.interaction_id or 0)
        if cause is None or cause.kind != AUTOCOMPLETE:
            self.feed(event)

    async def _send(self, line: ScriptLine) -> InteractionOutcome:
        speaker = self.speaker
        if line.verb != "modal":
            self.screen.modal = None
        match line.verb:
            case "slash":
                typed = parse(line.rest, speaker.commands())
                command = speaker.command(typed.path)
                return await speaker.slash(typed.path, self._values(command, typed.options))
            case "press":
                shown_control = self.screen.button(_named(line.rest, "press"), speaker.id, speaker.here)
                return await speaker.press(shown_control.message, shown_control.name)
            case "menu":
                first, choices = _menu_words(line.rest)
                shown_control = self.screen.menu(first, speaker.id, speaker.here)
                return await speaker.select(
                    shown_control.message, shown_control.name, picked(choices, shown_control.control.options)
                )
            case "modal":
                modal = self.screen.modal
                if modal is None or modal.only_for != speaker.id:
                    raise Mistyped(f"No form is open for {speaker.name}.")
                return await self._submit(speaker, modal, answers(modal, line.rest))
        raise Mistyped(f"`{line.verb}` can only be used in a script.")

    def _values(self, command: Command, options: Mapping[str, str]) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for name, text in options.items():
            suggested = self._suggested.get((command.path, name), {}).get(text)
            if command.option(name).kind == ATTACHMENT:
                values[name] = upload(text)
            else:
                values[name] = suggested.value if suggested else text
        return values

    def _who(self) -> str:
        return f"People here: {', '.join(self.people)}. You speak as {self.speaker.name} in #{self.channel}."

    def _seen_by(self, name: str) -> Result:
        person = self.people.get(name.removeprefix("@").lower()) if name else self.speaker
        if person is None:
            raise Mistyped(f"There is no one called {name} here. {self._who()}")
        channel_id = self.speaker.here
        visible = [m for m in person.messages(channel_id) if m.author.bot]
        events = tuple(Event(EventKind.MESSAGE, 0.0, channel_id, m, only_for=m.only_for) for m in visible)
        self.screen.show(events)
        heading = f"sees this in #{self.channel}:" if events else f"sees nothing in #{self.channel}."
        return Result(channel_id, (f"{person.name} {heading}",), events)


def _named(text: str, verb: str) -> str:
    if not text:
        raise Mistyped(f"Enter the number or label of what you want to {verb}.")
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


def _menu_words(text: str) -> tuple[str, list[str]]:
    words = tokens_of(text)
    if len(words) < 2:
        raise Mistyped(
            'Enter the menu and what to choose, such as `menu 3 2,4` or `menu "Choose a target" Sally`.'
        )
    choices = text[words[1].start :].split(",")
    return _named(text[: words[0].end].strip(), "open"), [_named(part.strip(), "choose") for part in choices]
