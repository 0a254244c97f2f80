"""A script: lines as they are typed at the table, with the checks that a written game can make on itself.

Owns what a script may overlook and what fails it; docs/script-language.md is its manual. Knows nothing of the
terminal, and of the two forms of a report only that they listen.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Protocol, TextIO

from bot.local import record
from bot.local.feed import running
from bot.local.guide import HELP
from bot.local.lines import CHECKS, SEED, Mistyped, ScriptLine, read
from bot.local.people import ClientRefusal
from bot.local.render import Place, event_lines, file_name
from bot.local.seen import EventKind
from bot.local.session import Result, Session

PATIENCE = 5.0
MAX_DIGITS = 18


class ScriptError(Exception):
    """The script does not hold: `number` is its line, the text says what was expected and what came."""

    def __init__(self, number: int, sentence: str) -> None:
        super().__init__(f"line {number}: {sentence}")
        self.number = number


class Report(Protocol):
    """A listener to a script, line by line."""

    def remark(self, text: str) -> None:
        """Report a comment or blank line of the script."""

    def typed(self, number: int, line: ScriptLine, session: Session) -> None:
        """Report a line before it is carried out; the session is already where the line is spoken."""

    def came(self, result: Result, session: Session) -> None:
        """Report the result of the line."""

    def not_sent(self, sentence: str, session: Session) -> None:
        """Report that the table refused to send the line."""


class Transcript:
    """The game as readable text, the same from run to run: the form of golden games."""

    def __init__(self, output: TextIO, place: Place = file_name) -> None:
        self._out = output
        self._place = place

    def remark(self, text: str) -> None:
        """Print comments as headings of what follows; blank lines of the script are left out."""
        if text:
            print(text, end="\n\n", file=self._out)

    def typed(self, number: int, line: ScriptLine, session: Session) -> None:
        """Print the prompt and the line after it."""
        print(f"{session.prompt}{line.said}".rstrip(), file=self._out)

    def came(self, result: Result, session: Session) -> None:
        """Print the outcome and a blank line."""
        for line in result_lines(result, session, self._place):
            print(line.rstrip(), file=self._out)
        print(file=self._out)

    def not_sent(self, sentence: str, session: Session) -> None:
        """Print the sentence, marked as the table's own."""
        print(f"(not sent) {sentence}", end="\n\n", file=self._out)


class JsonReplies:
    """One JSON object for each reply."""

    def __init__(self, output: TextIO) -> None:
        self._out = output
        self._head: dict[str, Any] = {}

    def remark(self, text: str) -> None:
        """Leave comments out."""

    def typed(self, number: int, line: ScriptLine, session: Session) -> None:
        """Remember what the next objects answer."""
        self._head = {"line": number, "input": line.said, "who": session.speaker.name}

    def came(self, result: Result, session: Session) -> None:
        """Print one object for each note of the table and each event."""
        for note in result.notes:
            self._write({"kind": "note", "text": note})
        for event in result.events:
            self._write(record.reply(event, session.names))

    def not_sent(self, sentence: str, session: Session) -> None:
        """Print one object of kind "not sent"."""
        self._write({"kind": "not sent", "seen_by": session.speaker.name, "text": sentence})

    def _write(self, reply: dict[str, Any]) -> None:
        print(json.dumps(self._head | reply, ensure_ascii=False), file=self._out)


def result_lines(result: Result, session: Session, place: Place = file_name) -> list[str]:
    """Return a result as the terminal and the transcript show it."""
    lines = list(result.notes)
    for event in result.events:
        numbers = session.screen.numbers(event.message) if event.message else {}
        lines += event_lines(event, session.names, numbers, result.channel_id, place)
    return lines


def seed_of(lines: Iterable[str]) -> int | None:
    """Return the seed in a script's line `:seed 7`, or None if there is none.

    Only remarks stand before it: the dice are there before the first line is played.
    """
    for text in lines:
        with suppress(Mistyped):
            line = read(text)
            if line is not None:
                digits = line.rest.isascii() and line.rest.isdecimal() and len(line.rest) <= MAX_DIGITS
                return int(line.rest) if line.verb == SEED and digits else None
    return None


async def run(lines: Iterable[str], session: Session, report: Report) -> None:
    """Carry out every line, each after the one before it has settled.

    Raises ScriptError at the first check that does not hold, at a line that cannot be read, and at an
    outcome that a script must not overlook: a command that was not sent or not answered, unless the next
    line is a check that says so.
    """
    script = _Script(session, report)
    for number, text in enumerate(lines, 1):
        if not await script.carry_out(number, text.strip()):
            break
    script.overlook_nothing()


class _Script:
    def __init__(self, session: Session, report: Report) -> None:
        self._session = session
        self._report = report
        self._came: Result | str | None = None
        self._trouble: ScriptError | None = None
        self._begun = False

    async def carry_out(self, number: int, text: str) -> bool:
        """One line of the script; False when it ends there."""
        try:
            line = read(text)
        except Mistyped as refusal:
            raise ScriptError(number, str(refusal)) from None
        if line is None:
            self._report.remark(text)
            return True
        had_begun, self._begun = self._begun, True
        if line.verb == SEED:
            self._seed(number, line, had_begun)
        elif line.verb == "wait":
            await self._wait(number, line)
        elif line.verb in CHECKS:
            self._check(number, line)
        else:
            self.overlook_nothing()
            if line.verb == "quit":
                return False
            await self._act(number, line)
        return True

    @staticmethod
    def _seed(number: int, line: ScriptLine, has_begun: bool) -> None:
        if has_begun:
            raise ScriptError(number, "put `:seed` before the first command")
        if seed_of([line.said]) is None:
            raise ScriptError(
                number,
                f"after `:seed`, enter a number of up to {MAX_DIGITS} digits (you entered {line.rest!r})",
            )

    def overlook_nothing(self) -> None:
        """Raise what the last outcome held that no check has acknowledged."""
        if self._trouble is not None:
            raise self._trouble

    async def _act(self, number: int, line: ScriptLine) -> None:
        session = self._session
        try:
            session.turn_to(line)
            self._report.typed(number, line, session)
            result = await session.do(line) if line.verb != "help" else Result(session.speaker.here, (HELP,))
        except ClientRefusal as refusal:
            self._report.not_sent(str(refusal), session)
            self._came = str(refusal)
            self._trouble = ScriptError(number, f"this was not sent. {refusal}")
        else:
            self._take(number, result)

    async def _wait(self, number: int, line: ScriptLine) -> None:
        self.overlook_nothing()
        try:
            patience = float(line.rest or PATIENCE)
        except ValueError:
            raise ScriptError(
                number, f"after `wait`, enter a number of seconds (you entered {line.rest})"
            ) from None
        self._report.typed(number, line, self._session)
        old_tasks = running()
        try:
            async with asyncio.timeout(patience):
                await self._session.feed.next()
        except TimeoutError:
            pass
        await self._session.feed.rest(old_tasks)
        self._take(number, self._session.news())

    def _take(self, number: int, result: Result) -> None:
        session = self._session
        self._report.came(result, session)
        self._came = result
        unanswered = any(event.kind in (EventKind.UNANSWERED, EventKind.THINKING) for event in result.events)
        self._trouble = ScriptError(number, "the bot did not answer") if unanswered else None

    def _shown(self, result: Result | str) -> str:
        return result if isinstance(result, str) else "\n".join(result_lines(result, self._session))

    def _private(self, result: Result | str) -> list[str]:
        if isinstance(result, str):
            return [result]
        names, speaker = self._session.names, self._session.speaker.id
        return [
            "\n".join(event_lines(event, names, {}, result.channel_id))
            for event in result.events
            if event.only_for == speaker
        ]

    def _check(self, number: int, line: ScriptLine) -> None:
        result = self._came
        if result is None:
            raise ScriptError(number, f"put a command before `{line.verb}`")
        if not line.rest:
            raise ScriptError(number, f"after `{line.verb}`, enter the text to look for")
        if line.verb != "absent":
            self._trouble = None
        shown_text = self._shown(result)
        places = self._private(result) if line.verb == "refused" else [shown_text]
        is_found = any(_spaced(line.rest) in _spaced(place) for place in places)
        if is_found is not (line.verb != "absent"):
            raise ScriptError(number, _disappointed(line, shown_text))


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _disappointed(line: ScriptLine, shown_text: str) -> str:
    expectation = {
        "expect": f'expected "{line.rest}"',
        "absent": f'did not expect "{line.rest}"',
        "refused": f'expected a private refusal with "{line.rest}"',
    }[line.verb]
    return f"{expectation}. The outcome was:\n{shown_text or '(nothing)'}"
