"""Which words the program itself says: a person who is called by one is not found in texts by it."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache, lru_cache
from pathlib import Path

FOLDERS = ("rules", "bot/games", "bot/table", "bot/replies", "bot/store", "bot/panels", "bot/commands")
WORD = re.compile(r"\w+")

PATIENCE_SECONDS = 20.0
"""How long the process that reads the words may take, while new people wait for it. It takes less than
one.
"""


@lru_cache(maxsize=4096)
def is_word_of_the_program(name: str) -> bool:
    """Return whether a name is a word of the program or of a game's data, or too short to tell."""
    if len(name) < 2 or not any(letter.isalpha() for letter in name):
        return True
    return WORD.fullmatch(name) is not None and f"\n{name}\n" in words_of_the_program()


@cache
def words_of_the_program() -> str:
    """Return every word of the program, its texts and its data, one on each line. They are read from
    all its files once in a process, and one text takes a tenth of the memory of so many words.

    A separate process reads them, so that its memory is freed afterwards.
    """
    try:
        program = (sys.executable, "-I", __file__)
        process = subprocess.run(  # noqa: S603 - this file
            program, capture_output=True, check=True, stdin=subprocess.DEVNULL, timeout=PATIENCE_SECONDS
        )
    except (OSError, subprocess.SubprocessError):
        return _read()
    return process.stdout.decode()


def _read() -> str:
    root = Path(__file__).parents[2]
    words: set[str] = set()
    for folder in FOLDERS:
        for file in (root / folder).rglob("*"):
            if file.suffix in (".py", ".toml") and "__pycache__" not in file.parts:
                words.update(WORD.findall(file.read_text(encoding="utf-8")))
    return "\n".join(("", *sorted(words), ""))


if __name__ == "__main__":
    sys.stdout.buffer.write(_read().encode())
