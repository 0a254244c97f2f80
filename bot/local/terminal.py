"""The table without Discord: opens the local server, connects the bot, and talks to the person who types.

Owns the loop of prompt and print, and forms asked field by field. The meaning, the effect and the display of
a line are decided in `lines`, `session` and `render`.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, Protocol

from prompt_toolkit import PromptSession
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.styles import Style
from prompt_toolkit.utils import is_dumb_terminal

from bot.local.album import Album
from bot.local.completion import TableCompleter
from bot.local.feed import Idle
from bot.local.filing import must_fit
from bot.local.forms import answers, filled_in, value_of
from bot.local.guide import HELP, WELCOME
from bot.local.interactions import ANSWER_SECONDS, UNHURRIED
from bot.local.lines import CHECKS, SEED, read
from bot.local.people import ClientRefusal
from bot.local.render import field_line
from bot.local.script import JsonReplies, Report, ScriptError, Transcript, result_lines, run
from bot.local.seen import AttachedFile, Modal, ModalField
from bot.local.server import LocalServer
from bot.local.session import Result, Session

StartBot = Callable[[LocalServer], AbstractAsyncContextManager[Idle]]

FAILED = 1
CANCEL = ":cancel"

QUIET = 0.005
"""Seconds after which what happens at once has happened, and is shown together."""


class LineSource(Protocol):
    """Where typed lines come from."""

    async def line(self, prompt: str) -> str | None:
        """Return the next line, empty when it was thrown away; None at the end of the input."""

    async def answer(self, prompt: str, default: str) -> str | None:
        """Ask for one field of a form, with `default` filled in; None if the form is cancelled."""


class Keyboard:
    """A person at a terminal: line editing, completion, a history that is forgotten at the end."""

    def __init__(self, session: Session) -> None:
        self._lines: PromptSession[str] = PromptSession(
            history=InMemoryHistory(), style=Style.from_dict({"prompt": "bold"}), reserve_space_for_menu=5
        )
        self._answers: PromptSession[str] = PromptSession(history=InMemoryHistory())
        self._completer = TableCompleter(session)

    async def line(self, prompt: str) -> str | None:
        """Read one line; Ctrl-C throws it away, Ctrl-D on an empty line ends the input."""
        try:
            with patch_stdout(raw=True):
                return await self._lines.prompt_async([("class:prompt", prompt)], completer=self._completer)
        except KeyboardInterrupt:
            return ""
        except EOFError:
            return None

    async def answer(self, prompt: str, default: str) -> str | None:
        """Read one answer; Ctrl-C and Ctrl-D give the form up.

        The default is ready to be edited; a dumb terminal, which cannot show it, takes it for an empty line.
        """
        blind = is_dumb_terminal()
        try:
            text = await self._answers.prompt_async(prompt, default="" if blind else default)
            return text or default if blind else text
        except (KeyboardInterrupt, EOFError):
            return None


class Pipe:
    """Lines from an input that is not a terminal, each repeated after its prompt so that the output is
    complete.
    """

    async def line(self, prompt: str) -> str | None:
        """Read one line."""
        text: str = await asyncio.to_thread(sys.stdin.readline)
        if not text:
            return None
        print(f"{prompt}{text.strip()}".rstrip())
        return text.strip()

    async def answer(self, prompt: str, default: str) -> str | None:
        """Read one line; an empty one leaves the default."""
        text = await self.line(prompt)
        return text or default if text is not None else None


class Terminal:
    """The conversation between the people at the keyboard and the bot."""

    def __init__(self, session: Session, reader: LineSource, album: Album) -> None:
        self._session = session
        self._as_reader = reader
        self._album = album

    async def talk(self) -> None:
        """Welcome people, then prompt and print until someone quits or the input ends."""
        print(WELCOME, end="\n\n")
        self._show(self._session.standing())
        while (text := await self._typed()) is not None:
            try:
                if not await self._obey(text):
                    return
            except ClientRefusal as refusal:
                print(refusal, end="\n\n")

    async def _typed(self) -> str | None:
        """Return the next line; what happens at the table meanwhile is shown above the prompt."""
        line_task = asyncio.ensure_future(self._as_reader.line(self._session.prompt))
        while not line_task.done():
            news = asyncio.ensure_future(self._session.feed.next())
            await asyncio.wait({line_task, news}, return_when=asyncio.FIRST_COMPLETED)
            if news.done():
                await asyncio.sleep(QUIET)
                self._show(self._session.news(asked=False))
            news.cancel()
        return line_task.result()

    async def _obey(self, text: str) -> bool:
        line = read(text)
        if line is None:
            return True
        if line.verb == "quit":
            return False
        if line.verb in CHECKS:
            print(f"`{line.verb}` can only be used in a script.", end="\n\n")
        elif line.verb == SEED:
            print("Enter the seed when you start the program, for example `play --seed 7`.", end="\n\n")
        elif line.verb == "help":
            print(HELP, end="\n\n")
        else:
            self._show(await self._session.do(line))
            while self._session.screen.modal is not None:
                await self._form(self._session.screen.modal)
        return True

    def _show(self, result: Result) -> None:
        lines = result_lines(result, self._session, self._album.place)
        if lines:
            print(*lines, sep="\n", end="\n\n")

    async def _form(self, modal: Modal) -> None:
        """Ask for the fields of an open form and send it; a form that cannot be sent is asked again."""
        print(f"({CANCEL} closes the form)")
        try:
            values = await self._answers(modal)
            if values is None:
                self._session.screen.modal = None
                print("(form closed)", end="\n\n")
            else:
                self._show(await self._session.submit(modal, values))
        except ClientRefusal as refusal:
            print(refusal)

    async def _answers(self, modal: Modal) -> dict[str, Any] | None:
        values: dict[str, Any] = {}
        for field in modal.fields:
            text = await self._field(field)
            if text is None:
                return None
            if _is_whole(text):
                return answers(modal, text.removeprefix("modal").strip())
            if text:
                values[field.custom_id] = value_of(field, text)
        return values

    async def _field(self, field: ModalField) -> str | None:
        if field.description:
            print(f"  {field.description}")
        while True:
            text = await self._as_reader.answer(f"  {field_line(field)}: ", field.value)
            if text is None or text.strip() == CANCEL:
                return None
            try:
                if not text.strip() and field.required and not filled_in(field):
                    raise ClientRefusal(f"Fill in {field.label}.")
                if text.strip() and not _is_whole(text.strip()):
                    must_fit(field, value_of(field, text.strip()))
                return text.strip()
            except ClientRefusal as refusal:
                print(f"  {refusal}")


def _is_whole(text: str) -> bool:
    """Return whether what is typed into a field answers the whole form."""
    return text == "modal" or text.startswith("modal ")


async def play(
    start_bot: StartBot, *, script: Path | None = None, as_json: bool = False, pictures: Path | None
) -> int:
    """Open the table and return the exit status: 0, or 1 when a script failed.

    `start_bot(server)` is entered once the server listens and must return when the bot is connected and has
    registered its commands; the bot runs in this event loop until it is left. Its result is awaited after
    each line; it returns once the bot has no work left in its own queues.

    Without `script` lines come from the standard input, with editing and completion where that is a terminal.
    With it, the script's transcript is printed, or with `as_json` one JSON object for each reply; where it
    fails is said on the standard error. Files that the bot shows are kept in the folder `pictures`; None:
    in `pictures` here, and for a script nowhere.
    """
    try:
        lines = None if script is None else _lines_of(script)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        print(f"{script} can't be read: {reason}.", file=sys.stderr)
        return FAILED
    seconds = ANSWER_SECONDS if lines is None else UNHURRIED
    async with LocalServer(answer_seconds=seconds) as server, start_bot(server) as idle:
        session = Session(server, idle)
        if lines is not None:
            return await _run_script(lines, session, as_json, pictures)
        session.names.tells_time = sys.stdin.isatty()
        reader: LineSource = Keyboard(session) if sys.stdin.isatty() else Pipe()
        await Terminal(session, reader, Album(pictures or Path("pictures"))).talk()
    return 0


def _lines_of(script: Path) -> list[str]:
    return script.read_text(encoding="utf-8").splitlines()


async def _run_script(lines: list[str], session: Session, as_json: bool, pictures: Path | None) -> int:
    album = Album(pictures) if pictures else None

    def keep(attachment: AttachedFile) -> str:
        if album:
            album.place(attachment)
        return attachment.filename

    report: Report = JsonReplies(sys.stdout) if as_json else Transcript(sys.stdout, keep)
    try:
        await run(lines, session, report)
    except ScriptError as failure:
        print(failure, file=sys.stderr)
        return FAILED
    return 0
