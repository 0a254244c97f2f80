"""Which rules this program plays by: told in every entry of a journal, so that it can be played again."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

NUMBER = "0.2.0"
"""The version of the program, as the changelog has it."""

PLAYED_BY = ("rules", "bot/games", "bot/table", "bot/replies")
"""The folders on which the outcome of an action and its words depend."""


@cache
def rules_version() -> str:
    """The program's number and a hash of everything on which outcomes depend: `0.2.0-1a2b3c4d`."""
    return f"{NUMBER}-{_digest(Path(__file__).parents[1])}"


def _digest(root: Path) -> str:
    written = sha256()
    for folder in PLAYED_BY:
        for file in sorted((root / folder).rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                written.update(file.relative_to(root).as_posix().encode() + b"\0")
                written.update(sha256(file.read_bytes()).digest())
    return written.hexdigest()[:8]
