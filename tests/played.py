"""The example games, each played once in a run of the tests, by whichever test asks first.

Owns what was shown, the files among it and the database that was kept. Tests take a copy of the database.
"""

from __future__ import annotations

import json
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from tests.started import ROOT, program

PATIENCE_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Played:
    """A folder that all workers of a run share. migrated: a database with nothing in it, to begin on."""

    folder: Path
    migrated: Path

    def transcript(self, name: str) -> str:
        """What the script `examples/NAME.txt` shows. Fails where it does not end well or complains."""
        self._play(name)
        code, shown, complaints = json.loads(self._outcome(name).read_text(encoding="utf-8"))
        assert (code, complaints) == (0, ""), shown[-2000:]
        return str(shown)

    def database(self, name: str, file: Path) -> Path:
        """A copy of the database that its play left behind, in `file`."""
        self.transcript(name)
        return Path(shutil.copy(self.folder / name / "game.db", file))

    def pictures(self, name: str) -> Path:
        """The folder with the files that its play showed."""
        self.transcript(name)
        return self.folder / name / "pictures"

    def _play(self, name: str) -> None:
        try:
            (self.folder / name).mkdir(parents=True)
        except FileExistsError:
            self._wait(name)
            return
        here = self.folder / name
        kept = shutil.copy(self.migrated, here / "game.db")
        script = ("--script", str(ROOT / "examples" / f"{name}.txt"))
        done = program(
            "-m", "bot", "play", *script, "--database", str(kept), "--pictures", str(here / "pictures")
        )
        written = here / "writing.json"
        written.write_text(json.dumps([done.returncode, done.stdout, done.stderr]), encoding="utf-8")
        written.replace(self._outcome(name))

    def _wait(self, name: str) -> None:
        until = time.monotonic() + PATIENCE_SECONDS
        while not self._outcome(name).exists():
            assert time.monotonic() < until, f"{name} was begun by another worker and never ended"
            time.sleep(0.05)

    def _outcome(self, name: str) -> Path:
        return self.folder / name / "outcome.json"
