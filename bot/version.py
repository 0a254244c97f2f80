"""Which rules this program plays by: told in every entry of a journal, so that it can be played again."""

from __future__ import annotations

import os
from functools import cache
from hashlib import sha256
from pathlib import Path

NUMBER = "0.2.0"
"""The version of the program, as the changelog has it."""

PLAYED_BY = ("rules", "bot/games", "bot/table", "bot/replies")
"""The folders on which the outcome of an action and its words depend."""


@cache
def rules_version() -> str:
    """Return the program's number and a hash of everything on which outcomes depend: `0.2.0-1a2b3c4d`."""
    return f"{NUMBER}-{_digest(Path(__file__).parents[1])}"


def _digest(root: Path) -> str:
    digest = sha256()
    for folder in PLAYED_BY:
        for path, folders, names in os.walk(root / folder):
            folders[:] = sorted(set(folders) - {"__pycache__"})
            relative = Path(path).relative_to(root).as_posix()
            for name in sorted(names):
                digest.update(f"{relative}/{name}\0".encode())
                with open(f"{path}/{name}", "rb") as file:
                    digest.update(sha256(file.read()).digest())
    return digest.hexdigest()[:8]
