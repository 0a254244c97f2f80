"""Long work in slices: each has a seed of its own and is kept when done, so that what is stopped goes on."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from bot.progress import progress

ROOT = Path(__file__).parents[3]

CODE = ("bot", "rules", "migrations")
"""What is broken on purpose: the report names a hash of it."""


def code_of(root: Path = ROOT) -> str:
    written = sha256()
    for folder in CODE:
        for file in sorted((root / folder).rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                written.update(file.relative_to(root).as_posix().encode() + b"\0" + file.read_bytes())
    return written.hexdigest()[:8]


@dataclass
class Found:
    """What was counted, by name, and what must not be, in words."""

    numbers: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


Slice = Callable[[int, int, str], Found]
"""Does some of the work: the first, how many, a seed."""


@dataclass
class Work:
    """One part of the campaign as far as it has come. of: what it was done with; another begins anew."""

    file: Path
    of: str
    done: int = 0
    seconds: float = 0.0
    found: Found = field(default_factory=Found)

    @classmethod
    def begun(cls, file: Path, of: str) -> Work:
        """What was done before with the same, or nothing."""
        work = cls(file, of)
        if file.exists() and (kept := json.loads(file.read_text(encoding="utf-8")))["of"] == of:
            work.done, work.seconds = kept["done"], kept["seconds"]
            work.found = Found(Counter(kept["numbers"]), kept["faults"])
        return work

    def go_on(self, words: str, count: int, size: int, seed: int, one: Slice) -> None:
        """Do what is left of so many, in slices of a size, and tell a terminal how far it is."""
        with progress(words, "") as told:
            while self.done < count:
                told(self.done, count)
                now, began = min(size, count - self.done), time.monotonic()
                found = one(self.done, now, f"{seed}-{self.done}")
                self.seconds += time.monotonic() - began
                self.found.numbers += found.numbers
                self.found.faults += found.faults
                self.done += now
                self._keep()

    def _keep(self) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        kept = {
            "of": self.of,
            "done": self.done,
            "seconds": self.seconds,
            "numbers": self.found.numbers,
            "faults": self.found.faults,
        }
        beside = self.file.with_suffix(".new")
        beside.write_text(json.dumps(kept), encoding="utf-8")
        beside.replace(self.file)

    @property
    def minutes(self) -> str:
        return f"{self.seconds / 60:.1f}"


@dataclass(frozen=True, slots=True)
class Section:
    """One part as it stands in the report. lines: below the title. is_clean: nothing that must not be."""

    title: str
    lines: Sequence[str]
    is_clean: bool
