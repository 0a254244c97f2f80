"""Python programs in processes of their own, forked from one that has loaded what all of them need.

They end, die, speak and complain as if started by themselves; loading the bot takes longer than most of them.
That a program starts from nothing is seen where a test starts one with `subprocess`.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]

PATIENCE_SECONDS = 300

WHOLE = (
    "bot.app",
    "bot.supervise",
    "bot.local.terminal",
    "bot.panels.widgets",
    "alembic.command",
    "tests.worked_out",
)
"""What the command line loads for a game, and works out for itself."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended (a signal's number is negative), what it said and what it complained of."""

    returncode: int
    stdout: str
    stderr: str


class Keeper:
    """The process that forks, one program at a time; ended with the process that began it."""

    def __init__(self, loaded: tuple[str, ...]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.keeper", *loaded],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, words: tuple[str, ...], environment: dict[str, str], patience: float) -> Ended:
        """Run one program to its end. Raises TimeoutError."""
        with tempfile.TemporaryDirectory() as folder:
            said, complained = Path(folder) / "said", Path(folder) / "complained"
            files = {"said": str(said), "complained": str(complained)}
            code = self._ask(json.dumps({"words": words, "environment": environment, **files}), patience)
            return Ended(code, said.read_text("utf-8"), complained.read_text("utf-8"))

    def _ask(self, order: str, patience: float) -> int:
        asked, answers = self._process.stdin, self._process.stdout
        assert asked is not None
        assert answers is not None
        print(order, file=asked, flush=True)
        if not select.select([answers], [], [], patience)[0]:
            raise TimeoutError(order)
        return int(answers.readline())

    def kill(self) -> None:
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.communicate()


_keepers: dict[tuple[str, ...], Keeper] = {}


def program(
    *words: str, loaded: tuple[str, ...] = WHOLE, patience: float = PATIENCE_SECONDS, **said: str
) -> Ended:
    """Run `python WORDS...` in the project. loaded: modules that are there already; said: variables."""
    if loaded not in _keepers:
        _keepers[loaded] = Keeper(loaded)
    try:
        return _keepers[loaded].run(words, {**os.environ, **said}, patience)
    except BaseException:
        _keepers.pop(loaded).kill()
        raise


@atexit.register
def _end() -> None:
    while _keepers:
        _keepers.popitem()[1].kill()
