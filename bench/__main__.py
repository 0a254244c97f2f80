"""`make bench`: measures everything and writes bench/RESULTS.md.

`--quick`: less, `--odds`, `--engine`, `--felt`: those alone; none of them is written.
"""

from __future__ import annotations

import asyncio
import datetime
import os
import platform
import sys
from pathlib import Path

from bench import board, engine, felt, hostile, odds, panel, path, processes, refereeing, suggesting

RESULTS = Path(__file__).with_name("RESULTS.md")


def report(total: int, sizes: tuple[int, ...], encounters: tuple[int, ...]) -> str:
    """Everything measured, as a page."""
    rows, ready, memory = asyncio.run(path.measure(total))
    peers = {(name, load.at_once): load.cpu_us for name, load in rows}
    lines = [
        "# What was measured",
        "",
        f"{datetime.datetime.now(tz=datetime.UTC):%Y-%m-%d %H:%M}, {platform.machine()}, {os.cpu_count()}",
        f"cores, {platform.python_implementation()} {platform.python_version()}. One run of `make bench`; in",
        f"the five minutes before it {os.getloadavg()[1]:.1f} processes were at work on it on average.",
        "",
        *engine_section(),
        "",
        *hostile.run_hostile(),
        "",
        *hostile.run_at_once(),
        "",
        *felt_section(),
        "",
        "## What may be done",
        "",
        "Whether each action may be done by a model, and how it would be filled in, where something was done",
        "since somebody looked: the best of some rounds.",
        "",
        *asyncio.run(panel.run()),
        "",
        "## The board",
        "",
        *asyncio.run(board.lines()),
        "",
        "## A game refereed again",
        "",
        "The game of eight turns played again from its export by `verify`: the best of some times.",
        "",
        *refereeing.rows(),
        "",
        "## The whole path",
        "",
        "Server and load in one process, the bot in another: gateway, real discord.py client, desk, database",
        "(WAL, synchronous=FULL), answer. Discord's library answers `constant` by itself; `trivial` is a",
        "command of the bot that changes nothing: a sentence with a button.",
        "",
        "| command | at once | per second | p50 ms | p99 ms | bot CPU µs | of constant | of trivial |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, load in rows:
        ratios = (load.cpu_us / peers[peer, load.at_once] for peer in ("constant", "trivial"))
        lines.append(
            f"| {name} | {load.at_once} | {load.per_second:.0f} | {load.p50_ms:.2f} | {load.p99_ms:.2f} "
            f"| {load.cpu_us:.0f} | {' | '.join(f'{ratio:.1f}' for ratio in ratios)} |"
        )
    lines += ["", "`/cb shoot`, one at a time, with a journal of so many entries:", ""]
    lines += ["| entries | per second | p50 ms | p99 ms | bot CPU µs |", "|---|---|---|---|---|"]
    for size, load in asyncio.run(path.measure_journals(sizes, total // 2)):
        times = f"{load.p50_ms:.2f} | {load.p99_ms:.2f}"
        lines.append(f"| {size:,} | {load.per_second:.0f} | {times} | {load.cpu_us:.0f} |")
    lines += ["", "Suggestions, 40 models, one at a time, each after something was done:", ""]
    lines += asyncio.run(suggesting.measure())
    lines += ["", *odds_section(max(10, total // 200))]
    lines += [
        "",
        "## Start and memory",
        "",
        f"Start to ready: {ready:.2f} s. After the load: {memory:.0f} MiB.",
    ]
    for count in encounters:
        lines.append(f"With {count:,} encounters: {asyncio.run(path.measure_encounters(count)):.0f} MiB.")
    lines += [
        "",
        "## Several processes on one PostgreSQL",
        "",
        f"{processes.COMMANDS} `damage` commands in {len(processes.CHANNELS)} channels through the desk, the",
        f"best of {processes.ROUNDS} rounds. The server's own share of the processor is not in it.",
        "",
        *processes.measure(),
    ]
    return "\n".join([*lines, ""])


def engine_section() -> list[str]:
    """The odds engine beside icepool, dyce and d20."""
    return [
        "## The odds engine",
        "",
        "Milliseconds of the processor, imports left out: the middle of five fresh processes for each",
        "question and tool, in turn; `warm` is the same question again in that process. We are asked as the",
        "service asks, with its deadline, and give floats (`all`: every outcome that is possible; `cut`:",
        "without those below 1e-11); icepool and dyce give whole numbers. Answers agree to 1e-7.",
        "",
        *engine.run(),
    ]


def felt_section() -> list[str]:
    """What people wait for, over the whole path."""
    return [
        "## What people wait for",
        "",
        "Over the whole path, by the clock: the middle of three processes of the bot, fresh for each thing,",
        "that answered one command in another channel before. Meanwhile somebody else asks every 10 ms for",
        "what Discord's library answers by itself: the longest that this took stands last.",
        "",
        *asyncio.run(felt.measure()),
    ]


def odds_section(times: int) -> list[str]:
    """How long every command with odds takes to tell them."""
    return [
        "## Odds",
        "",
        "Every Counterblast command that answers `odds:true`, and big cases, through the whole path, one at",
        f"a time, {times} times each; marked where one of them took longer than {odds.LIMIT_MS} ms.",
        "",
        *odds.rows(asyncio.run(odds.measure(times))),
    ]


def main() -> None:
    """Measure and write, or only show."""
    if "--odds" in sys.argv:
        print("\n".join(odds_section(40)))
        return
    if "--felt" in sys.argv:
        print("\n".join(felt_section()))
        return
    if "--engine" in sys.argv:
        print("\n".join(engine_section()))
        return
    if "--quick" in sys.argv:
        print(report(400, (10, 1000), (10,)))
        return
    text = report(4000, (10, 1_000, 100_000), (10, 10_000))
    RESULTS.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
