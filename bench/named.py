"""The questions that were once slow or too large, cold, beside icepool and dyce where they can answer.

Besides, 500 hostile expressions, each with the patience of the table.

Measured in processor time, the best of several runs, so that other work on the machine does not count.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import dyce
import icepool

from bench.dice import _Duel, _duel_die, check_counts
from bot.table.rolling.thinking import PATIENCE, SOLVER_WORK, Thinking
from rules.dice import Solver, TooLarge, add_up
from rules.notation import once, parse, summed
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.checks import Throw, throw
from rules.systems.counterblast.core.shields import Impact
from rules.systems.counterblast.melee.bouts import Bout, wounds_by_bouts
from rules.systems.fracd_earth.draws import Draw, Prepared
from rules.systems.fracd_earth.playing import clash, unseen_side
from rules.systems.fracd_earth.settings import Settings
from rules.systems.infinity.f2f import Side, face_to_face
from rules.systems.soluna.grapple import contest
from rules.systems.warzone.templates import TemplateAttack, template_attack

HOSTILE = 500
Asked = Callable[[Solver], float]


@dataclass(frozen=True, slots=True)
class Named:
    """A question: our answer from a fresh solver, and how peers find the same chance."""

    name: str
    ours: Asked
    icepool: Callable[[], float] | None = None
    dyce: Callable[[], float] | None = None


def _free(text: str, least: int) -> Asked:
    parts = summed(parse(text))
    return lambda solver: solver.solve(add_up, *parts).chance(lambda total: total >= least)


def _rule(rule: Callable[..., Any], *args: Any, event: Callable[[Any], bool], **more: Any) -> Asked:
    return lambda solver: solver.solve(rule, *args, **more).chance(event)


def _template(models: int) -> Asked:
    """As the table asks it: model by model, each armour once."""

    def asked(solver: Solver) -> float:
        each = [TemplateAttack(12, 12, (10 + place % 12,)) for place in range(models)]
        return sum(solver.solve(template_attack, one).chance(lambda got: any(got.wounds)) for one in each)

    return asked


def _icepool_duel(dice: int) -> float:
    pools = _duel_die(14).pool(dice), _duel_die(12).pool(dice)
    return float(_Duel().evaluate(*pools).probability(1))


def _icepool_check(dice: int) -> float:
    return float(((dice @ icepool.Die(check_counts())) >= 20).probability(True))


def _dyce_check(dice: int) -> float:
    score = dice @ dyce.H(check_counts())
    return float(sum(count for value, count in score.items() if value >= 20) / score.total)


def questions() -> list[Named]:
    """What is asked, by name."""
    attack = Throw(8, 1, 7)
    bouts = tuple(
        Bout(1, attack, Throw(3, 1, 7), Impact(power=5 + place % 3, shields=4)) for place in range(7)
    )
    team = tuple(Throw(2 + place % 3, place % 5, 7, critical_from=10 - place % 2) for place in range(12))
    settings = Settings()
    ahead = lambda margin: margin > 0  # noqa: E731
    found = [
        Named("Warzone: template over 25 models", _template(25)),
        Named("Warzone: template over 17 models", _template(17)),
        Named(
            "sol'una: grapple 12 against 12",
            _rule(contest, 12, 12, event=lambda got: got.active > got.passive),
        ),
        Named(
            "Infinity: face to face, 10 against 10",
            _rule(face_to_face, Side(10, 14), Side(10, 12), event=lambda got: got.winner == 1),
            lambda: _icepool_duel(10),
        ),
        Named("Counterblast: melee, seven on one", _rule(wounds_by_bouts, bouts, 5, event=bool)),
        Named("Counterblast: team of twelve unlike", _rule(throw, team, event=lambda got: got.net > 2)),
        Named(
            "Counterblast: team of twelve unlike, criticals counted",
            _rule(throw, team, event=lambda got: got.net > 2, count=("criticals",)),
        ),
    ]
    for dice in (32, 60):
        found += [
            Named(
                f"Counterblast: check of {dice} dice",
                _rule(throw, (Throw(dice, 1, 7),), event=lambda got: got.score >= 20),
                (lambda: _icepool_check(32)) if dice == 32 else None,
                lambda dice=dice: _dyce_check(dice),
            ),
            Named(
                f"Counterblast: check of {dice} dice, criticals counted",
                _rule(throw, (Throw(dice, 1, 7),), event=lambda got: got.score >= 20, count=("criticals",)),
            ),
        ]
    for push in (False, True):
        four = Prepared(Draw(4, penalty=False, points=0), 2, (), ())
        side = unseen_side(four, settings, push=push)
        words = "with pushes" if push else "without"
        found.append(
            Named(
                f"Frac'd Earth: clash of four cards a side with Buff cards, {words}",
                _rule(clash, side, side, event=ahead),
            )
        )
    return [
        *found,
        Named("/roll 200d10 explode 2+", _free("200d10 explode 2+", 8200)),
        Named("/roll d900+...+d939", _free("+".join(f"d{size}" for size in range(900, 940)), 18400)),
        Named("/roll 100d100", _free("100d100", 5000)),
        Named("/roll 10d10 explode keep 5", _free("10d10 explode keep 5", 45)),
        Named("/roll 20d6 explode keep 10", _free("20d6 explode keep 10", 60)),
    ]


def _cpu_ms(run: Callable[[], object], tries: int) -> float:
    shortest = float("inf")
    for _ in range(tries):
        start = time.thread_time()
        run()
        shortest = min(shortest, time.thread_time() - start)
        if shortest > 1:
            break
    return shortest * 1e3


def run() -> list[str]:
    """Measure; gives the rows of a table. Raises ValueError where a peer's answer differs."""
    rows = ["| question | exact, cold | icepool | dyce |", "|---|---|---|---|"]
    for asked in questions():
        cells = []
        mine = 0.0
        try:
            mine = asked.ours(Solver(work=SOLVER_WORK))
            ours = f"{_cpu_ms(lambda a=asked: a.ours(Solver(work=SOLVER_WORK)), 5):.1f} ms"  # type: ignore[misc]
        except TooLarge:
            ours = "sampled"
        for peer in (asked.icepool, asked.dyce):
            if peer is None:
                cells.append("-")
                continue
            theirs = peer()
            if ours != "sampled" and abs(mine - theirs) > 1e-6:
                raise ValueError(f"{asked.name}: {mine} here, {theirs} there")
            cells.append(f"{_cpu_ms(peer, 2):.1f} ms")
        rows.append(f"| {asked.name} | {ours} | {cells[0]} | {cells[1]} |")
    return rows


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


def run_hostile() -> list[str]:
    """How long the answers to them take, as the table thinks."""
    took, drawn = [], 0
    for text in hostile():
        start = time.perf_counter()
        odds = Thinking(PATIENCE).odds(add_up, summed(once(parse(text))), {})
        took.append(((time.perf_counter() - start) * 1e3, text))
        drawn += bool(odds.rolls)
    took.sort()
    middle, (worst, text) = took[len(took) // 2][0], took[-1]
    return [
        f"{len(took)} hostile expressions: middle {middle:.1f} ms, longest {worst:.0f} ms (`{text}`), "
        f"{drawn} of them sampled."
    ]


AT_ONCE = 6


def run_at_once(count: int = 120) -> list[str]:
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
        Thinking(PATIENCE, apart=True).odds(add_up, summed(once(parse(text))), {})
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
        f"{count} of them, {AT_ONCE} at once: middle {1e3 * took[count // 2][0]:.0f} ms, longest "
        f"{1e3 * worst:.0f} ms (`{text}`), {late} over a second; anybody else waited at most "
        f"{1e3 * max(waited):.0f} ms."
    ]


if __name__ == "__main__":
    print("\n".join([*run(), "", *run_hostile(), "", *run_at_once()]))
