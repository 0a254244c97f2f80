"""Scripts of whole games, played as a player would, and the transcripts that they are held against.

`python -m tests.golden.test_NAME` writes the transcript of that test anew.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tests.played import Played
from tests.started import ROOT, program

CODE = re.compile(r"(Record code so far:(?:\n|\\n) *`?)[0-9a-f]{64}")


def without_codes(transcript: str) -> str:
    """Leave the record codes out: they depend on every word and on the version."""
    return CODE.sub(r"\1(code)", transcript)


CHANGED, CLOSED, RULE = "panel changed:", "message changed:", "--"
BEGINS = re.compile(r"\w+ #\w+> |#")
"""How a line begins that was typed, or a remark."""


def without_panels(transcript: str) -> str:
    """The results alone: what can be done next, and how the game stands, follow from them."""
    kept: list[str] = []
    is_result = True
    for line in transcript.split("\n"):
        if BEGINS.match(line):
            if not is_result and kept[-1]:
                kept.append("")
            is_result = True
        elif line in (CHANGED, CLOSED) or line.startswith("(only "):
            is_result = line != CLOSED
        is_result = is_result and line != RULE
        if is_result and line != CHANGED:
            kept.append(line)
    return "\n".join(kept).rstrip("\n") + "\n"


@dataclass(frozen=True, slots=True)
class Golden:
    """A script of `examples/` and its transcript here, both of this name; the script says its seed.

    panels: whether the transcript is kept with what can be done next below every result.
    """

    name: str
    panels: bool = True

    def play(self, *more: str) -> str:
        """What the script shows. Fails where it does not end well or complains."""
        script = ROOT / "examples" / f"{self.name}.txt"
        done = program("-m", "bot", "play", "--script", str(script), *more)
        assert (done.returncode, done.stderr) == (0, ""), done.stdout[-1500:] + done.stderr
        return self._told(done.stdout)

    def as_played(self, played: Played) -> str:
        """What the script shows, played once for all tests of a run."""
        return self._told(played.transcript(self.name))

    def _told(self, shown: str) -> str:
        told = without_codes(shown)
        return told if self.panels else without_panels(told)

    @property
    def kept(self) -> str:
        """The transcript as it was last read and committed."""
        return self._path.read_text(encoding="utf-8")

    def keep(self, transcript: str) -> None:
        self._path.write_text(transcript, encoding="utf-8")

    @property
    def _path(self) -> Path:
        return ROOT / "tests" / "golden" / f"{self.name}.txt"
