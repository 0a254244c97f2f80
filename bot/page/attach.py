"""Files that a person gives to a command: the form that asks for one, and what comes back of it.

A file is read once, goes to the command, and is not kept. Its size is bounded before anything reads it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from aiohttp.web import FileField

from bot.local.commands import ATTACHMENT, ClientRefusal, Command
from bot.local.people import Upload
from bot.local.typed import fill, find
from bot.page.frame import drawn

MAX_FILE_BYTES = 512_000
MAX_FILENAME_LENGTH = 100
NO_FILE = "Choose a file or paste its text, then send it."
BOUNDS = f"A file can be at most {MAX_FILE_BYTES // 1000} kB."
TOO_LARGE = f"Send a smaller file. {BOUNDS}"


class FileNeeded(Exception):
    """A command goes on with a file; `option` is what the command calls it."""

    def __init__(self, command: Command, option: str) -> None:
        super().__init__(f"/{command.path} needs a file.")
        self.command = command
        self.option = option


def read_line(text: str, commands: Sequence[Command]) -> tuple[Command, dict[str, str]]:
    """Return the command of a line without its slash, and its options but for files. Raises Mistyped."""
    command, arguments = find(text, commands)
    options = [option for option in command.options if option.kind != ATTACHMENT]
    return command, fill(arguments, options, f"/{command.path}")


def check_complete(command: Command, values: Mapping[str, Any]) -> None:
    """Raise FileNeeded where the command needs a file, or takes one and nothing else was said."""
    for option in command.options:
        if option.kind == ATTACHMENT and (option.required or not values):
            raise FileNeeded(command, option.name)


def form(needed: FileNeeded, line: str, token: str) -> str:
    """Return the form that asks for it; `token` is the reader's own."""
    description = needed.command.option(needed.option).description
    pictured = "JPEG" in description
    fields = {"command": needed.command.path, "line": line, "token": token, "about": description}
    return drawn("attach", **fields, bounds=BOUNDS, pictured=pictured)


def with_file(
    command: Command, values: Mapping[str, Any], posted: object, pasted: str = ""
) -> dict[str, Any]:
    """Return the options with the file that was sent, or with pasted text as one. Raises ClientRefusal."""
    option = next((needed.name for needed in command.options if needed.kind == ATTACHMENT), None)
    is_file = isinstance(posted, FileField) and posted.filename
    if option is None or not (is_file or pasted.strip()):
        raise ClientRefusal(NO_FILE)
    if isinstance(posted, FileField) and is_file:
        return {**values, option: read_upload(posted)}
    return {**values, option: _bounded(Upload("pasted.txt", pasted.encode("utf-8", "replace")))}


def read_upload(posted: FileField) -> Upload:
    """Return the file that was sent, without the folders in its name. Raises ClientRefusal."""
    name = posted.filename.replace("\\", "/").rpartition("/")[2][-MAX_FILENAME_LENGTH:]
    return _bounded(Upload(name, posted.file.read(MAX_FILE_BYTES + 1)))


def _bounded(file: Upload) -> Upload:
    if len(file.data) > MAX_FILE_BYTES:
        raise ClientRefusal(TOO_LARGE)
    return file
