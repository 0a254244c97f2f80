"""A process that has loaded what programs need, and forks for each that a test asks for.

python -m tests.keeper MODULES...: loads these, and reads one order a line: words after `python`, environment,
files for what is said and complained. Answers with the exit code. `tests.started` gives the orders.
"""

from __future__ import annotations

import gc
import json
import os
import runpy
import sys
import threading
from importlib import import_module
from typing import Any


def become(words: list[str], environment: dict[str, str], said: str, complained: str) -> None:
    """Go on as the program of these words: `-c CODE` or `-m MODULE WORDS...`."""
    os.environ.clear()
    os.environ.update(environment)
    writes = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    for number, opened in enumerate(
        (os.open(os.devnull, os.O_RDONLY), os.open(said, writes), os.open(complained, writes))
    ):
        os.dup2(opened, number)
        os.close(opened)
    kind, what, *more = words
    sys.argv = [kind if kind == "-c" else what, *more]
    if kind == "-c":
        exec(compile(what, "<string>", "exec"), {"__name__": "__main__"})
    else:
        runpy.run_module(what, run_name="__main__", alter_sys=True)


def next_order() -> dict[str, Any] | None:
    """In the process that is to carry it out: an order; in the keeper, in the end: None."""
    for line in iter(sys.stdin.readline, ""):
        child = os.fork()
        if child == 0:
            order: dict[str, Any] = json.loads(line)
            return order
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()
    return None


if __name__ == "__main__":
    for name in sys.argv[1:]:
        import_module(name)
    assert threading.active_count() == 1, "only who has a single thread may fork"
    gc.freeze()
    gc.set_threshold(20_000)
    order = next_order()
    if order is not None:
        become(**order)
