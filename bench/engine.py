"""The odds engine beside icepool, dyce and d20: a fresh process for each question and tool, first and warm.

We are asked as the service asks: through `Thinking`, with its deadline and both of its solvers. Time is that
of the processor, without imports. A peer's answer must agree with ours, or the bench fails.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from statistics import median
from typing import Any

from bench.figures import MODIFIER, POWER, SHIELDS, TARGET, VALUE_A, VALUE_B

PROCESSES = 5
"""Fresh processes for each question and tool, the tools in turn; the middle one counts."""

WANTED = 2
"""Times as fast as each peer that we want to be, the first time."""

WARM = 5
"""Times that a question is asked again in the same process; the middle one counts."""

TOOLS = ("adjutant", "icepool", "dyce")
KINDS = {"icepool": "whole numbers", "dyce": "whole numbers"}
SEED = b"bench" * 6 + b"!!"
MAX_SECONDS = 15

Asked = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any], Callable[[Any], bool]]
"""A rule with its arguments, and the event whose chance is compared."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question: our rule with arguments and event; how peers answer it; the bare dice for d20."""

    ours: Callable[[], Asked]
    icepool: tuple[Any, ...] = ()
    dyce: tuple[Any, ...] = ()
    d20: str = ""


def _check(dice: int, least: int = 1) -> Question:
    def ours() -> Any:
        from rules.systems.counterblast.core.checks import Throw, throw

        return throw, ((Throw(dice, MODIFIER, TARGET),),), {}, lambda result: result.score >= least

    return Question(ours, ("icepool_check", dice, least), ("dyce_check", dice, least), f"{dice}d10")


def _melee() -> Any:
    from rules.systems.counterblast.core.checks import Throw
    from rules.systems.counterblast.core.impacts import Impact
    from rules.systems.counterblast.melee.bouts import Bout, fight_wounds

    eight = Throw(8, MODIFIER, TARGET)
    bout = Bout(1, eight, eight, Impact(power=POWER, shields=SHIELDS))
    return fight_wounds, (bout,), {}, lambda wounds: wounds >= 1


def _duel(dice: int) -> Question:
    def ours() -> Any:
        from rules.systems.infinity.rolls import Side, face_to_face

        sides = Side(dice, VALUE_A), Side(dice, VALUE_B)
        return face_to_face, sides, {}, lambda result: result.winner == 1

    return Question(ours, ("icepool_duel", dice), (), f"{2 * dice}d20")


def _grapple() -> Any:
    from rules.systems.soluna.movement import contest

    return contest, (12, 12), {}, lambda got: got.active > got.passive


def _seven_on_one() -> Any:
    from rules.systems.counterblast.core.checks import Throw
    from rules.systems.counterblast.core.impacts import Impact
    from rules.systems.counterblast.melee.bouts import Bout, wounds_by_bouts

    bouts = tuple(
        Bout(1, Throw(8, 1, 7), Throw(3, 1, 7), Impact(power=5 + place % 3, shields=4)) for place in range(7)
    )
    return wounds_by_bouts, (bouts, 5), {}, bool


def _team(**counted: Any) -> Callable[[], Any]:
    def ours() -> Any:
        from rules.systems.counterblast.core.checks import Throw, throw

        team = tuple(Throw(2 + n % 3, n % 5, 7, critical_from=10 - n % 2) for n in range(12))
        return throw, (team,), counted, lambda got: got.net > 2

    return ours


def _clash() -> Any:
    from rules.systems.fracd_earth.deck import Draw, Prepared
    from rules.systems.fracd_earth.playing import clash, unseen_side
    from rules.systems.fracd_earth.settings import Settings

    four = Prepared(Draw(4, penalty=False, points=0), 2, (), ())
    side = unseen_side(four, Settings(), push=True)
    return clash, (side, side), {}, lambda margin: margin > 0


def _roll(text: str, least: int = 1, icepool: tuple[Any, ...] = (), dyce: tuple[Any, ...] = ()) -> Question:
    def ours() -> Any:
        from rules.dice import add_up
        from rules.notation import once, parse, summed, value_reader

        single = once(parse(text))
        value = value_reader(single)
        return add_up, summed(single), {}, lambda total: value(total) >= least

    return Question(ours, icepool, dyce)


def _plain(text: str, name: str, *figures: int) -> Question:
    least = figures[-1]
    return _roll(text, least, (f"icepool_{name}", *figures), (f"dyce_{name}", *figures))


QUESTIONS: dict[str, Question] = {
    "Counterblast: check of 4 dice": _check(4),
    "Counterblast: check of 8 dice": _check(8),
    "Counterblast: check of 32 dice": _check(32, 20),
    "Counterblast: melee 8 against 8, 4 shields": Question(_melee, ("icepool_melee", 8), ("dyce_melee", 8)),
    "Infinity: face to face 5 against 5": _duel(5),
    "Infinity: face to face 10 against 10": _duel(10),
    "4d6 keep 3": _plain("4d6 keep 3", "highest", 4, 6, 3, 13),
    "10d10 keep 5": _plain("10d10 keep 5", "highest", 10, 10, 5, 40),
    "40d20 keep 20": _plain("40d20 keep 20", "highest", 40, 20, 20, 300),
    "20d6": _plain("20d6", "sum", 20, 6, 70),
    "100d100": _plain("100d100", "sum", 100, 100, 5050),
    "10d10 exploding": _plain("10d10!", "explode", 10, 10, 60),
    "3d6 > 2d8": _roll("3d6 > 2d8", 1, ("icepool_more",), ("dyce_more",)),
    "sol'una: grapple 12 against 12": Question(_grapple),
    "Counterblast: melee, seven on one": Question(_seven_on_one),
    "Counterblast: team of twelve unlike": Question(_team()),
    "Counterblast: the same, criticals counted": Question(_team(count=("criticals",))),
    "Frac'd Earth: clash of four cards a side": Question(_clash),
    "200d10 explode 2+": _roll("200d10 explode 2+", 8200),
    "d900+...+d939": _roll("+".join(f"d{size}" for size in range(900, 940)), 18400),
    "20d6 explode keep 10": _roll("20d6 explode keep 10", 60),
}


def ask(name: str, tool: str) -> dict[str, Any]:
    """Ask one question of one tool in this process: milliseconds first and warm, the chance, its kind."""
    question = QUESTIONS[name]
    kind = KINDS.get(tool, "")
    if tool == "adjutant":
        from bot.table.odds_budget import PATIENCE, Thinking

        rule, args, kwargs, event = question.ours()

        def answer() -> float:
            nonlocal kind
            odds = Thinking(PATIENCE).odds(rule, args, kwargs)
            kind = f"{odds.rolls} throws" if odds.rolls else "floats, all" if odds.whole else "floats, cut"
            return odds.chance(event)
    else:
        asked = question.icepool if tool == "icepool" else question.dyce
        function = getattr(import_module("bench.peers"), asked[0])

        def answer() -> float:
            return float(function(*asked[1:]))

    times = []
    chance = 0.0
    for _ in range(1 + WARM):
        start = time.process_time()
        chance = answer()
        times.append((time.process_time() - start) * 1e3)
    return {"first": times[0], "warm": median(times[1:]), "chance": chance, "kind": kind}


def throw(name: str) -> dict[str, float]:
    """Microseconds for a roll with its whole trace from fair dice, and for d20 to roll the bare dice."""
    import d20

    from rules.dice import FairDice, Roller

    question = QUESTIONS[name]
    rule, args, kwargs, _ = question.ours()
    found = {}
    rolls: tuple[tuple[str, Callable[[int], object]], ...] = (
        ("ours", lambda n: rule(Roller(FairDice(SEED, (), n)), *args, **kwargs)),
        ("d20", lambda n: d20.roll(question.d20)),
    )
    for who, roll in rolls:
        start = time.process_time()
        for number in range(1000):
            roll(number)
        found[who] = (time.process_time() - start) * 1e3
    return found


def _in_a_process(*words: str) -> Any:
    try:
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-m", "bench.engine", *words],
            stdout=subprocess.PIPE,
            check=True,
            timeout=MAX_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return None
    return json.loads(done.stdout)


def _measured(name: str, tools: list[str]) -> dict[str, dict[str, Any] | None]:
    """What each tool took for a question; None for one that takes too long."""
    found: dict[str, list[Any]] = {tool: [] for tool in tools}
    for _ in range(PROCESSES):
        for tool, times in found.items():
            if None not in times:
                times.append(_in_a_process("ask", name, tool))
    middle = {
        tool: {key: median(one[key] for one in times) for key in ("first", "warm")}
        for tool, times in found.items()
        if None not in times
    }
    return {tool: times[0] | middle[tool] if tool in middle else None for tool, times in found.items()}


def run() -> list[str]:
    """Measure; gives the rows of tables. Raises ValueError if a peer's answer differs."""
    rows = [
        "| question | we compute | first ms | warm | icepool | warm | dyce | warm | how much faster, first |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    behind = []
    for name, question in QUESTIONS.items():
        peers = {"icepool": question.icepool, "dyce": question.dyce}
        found = _measured(name, ["adjutant", *(tool for tool, asked in peers.items() if asked)])
        mine = found.pop("adjutant")
        assert mine is not None
        cells, ahead = [], []
        for tool in peers:
            theirs = found.get(tool)
            if theirs is None:
                cells += [f"over {MAX_SECONDS} s" if tool in found else "-", "-"]
                continue
            if abs(mine["chance"] - theirs["chance"]) > 1e-7:
                raise ValueError(f"{name}: {mine['chance']} here, {theirs['chance']} there ({tool})")
            cells += [f"{theirs['first']:.2f}", f"{theirs['warm']:.2f}"]
            ahead.append(theirs["first"] / mine["first"])
        ratio = f"{min(ahead):.1f} times" if ahead else "-"
        behind += [f"{name} ({ratio})"] if ahead and min(ahead) < WANTED else []
        figures = [f"{mine['first']:.2f}", f"{mine['warm']:.2f}", *cells, ratio]
        rows.append(f"| {name} | {mine['kind']} | {' | '.join(figures)} |")
    rows += ["", f"First answers less than {WANTED} times as fast: {', '.join(behind) or 'none'}."]
    rows += ["", "| roll | our roll with its trace (µs) | d20 rolls only the dice (µs) |", "|---|---|---|"]
    for name, question in QUESTIONS.items():
        if question.d20:
            found = _in_a_process("throw", name)
            rows.append(f"| {name} | {found['ours']:.1f} | {found['d20']:.1f} |")
    return rows


if __name__ == "__main__":
    if sys.argv[1:2] == ["ask"]:
        print(json.dumps(ask(*sys.argv[2:])))
    elif sys.argv[1:2] == ["throw"]:
        print(json.dumps(throw(sys.argv[2])))
    else:
        print("\n".join(run()))
