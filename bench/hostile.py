"""Hostile dice expressions, asked as the table asks them: how long each takes, and how long others wait."""

from __future__ import annotations

import threading
import time
from random import Random

from bot.table.odds_budget import PATIENCE, OddsTooLarge, Thinking
from rules.dice import Odds, add_up
from rules.notation import once, parse, summed
from rules.refusals import InvalidInput

HOSTILE = 120

PIECES = (
    "200d1000", "100d100 keep 50", "199d999", "200d10 explode 2+", "50d20 reroll 1 explode keep 20", "40d10",
    "d6", "+", "-", "*", "/", "(", ")", "{", "}", ",", ">=5", "kh3", "!", "!!", "!p", "r1", "rr<3",
    "count 7+",
    "fail 1", "3x ", "max(", "abs(", "100d2", "60d100 keep lowest 30", "2d6", " >= ", "9", "vs 7", "least 2",
    "penetrate", "100d20! keep 50", "60d10!! keep 30", "{50d10+50d6} keep 20", "{9d6, 9d8, 9d10} count 30+",
    "^3",
    "%7", "explode 5", "explode even", " double 9+", "200d6 explode not 1", "80d12 reroll 1 explode keep 40",
)  # fmt: skip


def hostile(count: int = HOSTILE) -> list[str]:
    """So many expressions that are read and mean harm, the same every time."""
    random, found = Random(15), []
    while len(found) < count:
        text = "".join(random.choice(PIECES) for _ in range(random.randint(1, 7)))
        try:
            parse(text)
        except InvalidInput:
            continue
        if "d" in text:
            found.append(text)
    return found


def _asked(text: str, *, apart: bool = False) -> Odds[int] | None:
    """The odds, or None if the question is too large."""
    try:
        return Thinking(PATIENCE, apart=apart).odds(add_up, summed(once(parse(text))), {})
    except OddsTooLarge:
        return None


def run_hostile() -> list[str]:
    """How long the answers to them take, as the table thinks."""
    took, drawn, refused = [], 0, 0
    for text in hostile():
        start = time.perf_counter()
        odds = _asked(text)
        took.append(((time.perf_counter() - start) * 1e3, text))
        refused += odds is None
        drawn += odds is not None and bool(odds.rolls)
    took.sort()
    middle, (worst, text) = took[len(took) // 2][0], took[-1]
    return [
        f"{len(took)} hostile expressions: median {middle:.1f} ms, longest {worst:.0f} ms (`{text}`). "
        f"{drawn} were sampled with at least 2,000 throws, and {refused} were refused as too large."
    ]


AT_ONCE = 6


def run_at_once(count: int = 60) -> list[str]:
    """Hostile expressions six at once, by the clock, and how long anybody else in the process waited."""
    texts = hostile(count)
    took: list[tuple[float, str]] = []
    waited: list[float] = []
    over = threading.Event()

    def others() -> None:
        while not over.is_set():
            start = time.perf_counter()
            time.sleep(0.001)
            waited.append(time.perf_counter() - start - 0.001)

    def asked(text: str) -> None:
        start = time.perf_counter()
        _asked(text, apart=True)
        took.append((time.perf_counter() - start, text))

    bystander = threading.Thread(target=others)
    bystander.start()
    for first in range(0, count, AT_ONCE):
        threads = [threading.Thread(target=asked, args=(text,)) for text in texts[first : first + AT_ONCE]]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    over.set()
    bystander.join()
    took.sort()
    worst, text = took[-1]
    late = sum(1 for seconds, _ in took if seconds > 1)
    return [
        f"{count} of them, {AT_ONCE} at once: median {1e3 * took[count // 2][0]:.0f} ms, longest "
        f"{1e3 * worst:.0f} ms (`{text}`). {late} took over a second. Everyone else waited at most "
        f"{1e3 * max(waited):.0f} ms."
    ]


if __name__ == "__main__":
    print("\n".join([*run_hostile(), "", *run_at_once()]))
