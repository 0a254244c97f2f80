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
        f"cores, {platform.python_implementation()} {platform.python_version()}. Results of one run of",
        f"`make bench`. In the five minutes before it, the machine's load was {os.getloadavg()[1]:.1f}",
        "processes on average.",
        "",
        *engine_section(),
        "",
        *hostile.run_hostile(),
        "",
        *hostile.run_at_once(),
        "",
        *felt_section(),
        "",
        "## Checking what a model can do",
        "",
        "How long the bot needs to find out which actions a model can carry out and how their forms would be",
        "filled in, after the game has changed. The fastest of several rounds counts.",
        "",
        *asyncio.run(panel.run()),
        "",
        "## The board",
        "",
        *asyncio.run(board.lines()),
        "",
        "## Verifying a game",
        "",
        "`verify` replays the game of eight turns from its export. The fastest of several runs counts.",
        "",
        *refereeing.rows(),
        "",
        "## The whole path",
        "",
        "The server and the load run in one process and the bot in another. Each command goes through the",
        "gateway, the real discord.py client, the desk and the database (WAL, synchronous=FULL) to its",
        "answer. Discord's library answers `constant` by itself. `trivial` is a command of the bot that",
        "changes nothing and answers with one sentence and a button.",
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
    lines += ["", "`/cb shoot`, one at a time, by the number of entries in the journal:", ""]
    lines += ["| entries | per second | p50 ms | p99 ms | bot CPU µs |", "|---|---|---|---|---|"]
    for size, load in asyncio.run(path.measure_journals(sizes, total // 2)):
        times = f"{load.p50_ms:.2f} | {load.p99_ms:.2f}"
        lines.append(f"| {size:,} | {load.per_second:.0f} | {times} | {load.cpu_us:.0f} |")
    lines += ["", "Suggestions with 40 models, one at a time, each after a change of the game:", ""]
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
        f"{processes.COMMANDS} `damage` commands in {len(processes.CHANNELS)} channels, carried out by the",
        f"desk. The fastest of {processes.ROUNDS} rounds counts, without the database server's own",
        "processor time.",
        "",
        *processes.measure(),
    ]
    return "\n".join([*lines, ""])


def engine_section() -> list[str]:
    """The odds engine beside icepool, dyce and d20."""
    return [
        "## The odds engine",
        "",
        "Milliseconds of processor time without imports: the median of five fresh processes for each",
        "question and tool. `warm` is the same question, asked again in that process. We ask our engine as",
        "the bot does, with its deadline. It gives floats (`all`: every possible outcome; `cut`: without",
        "outcomes below 1e-11), and icepool and dyce give whole numbers. All answers agree to 1e-7.",
        "",
        *engine.run(),
    ]


def felt_section() -> list[str]:
    """What people wait for, over the whole path."""
    return [
        "## What people wait for",
        "",
        "Wall time over the whole path: the median of three fresh processes of the bot, each of which has",
        "answered one command in another channel. The last column shows how long other people had to wait:",
        "meanwhile we ask every 10 ms for something that Discord's library answers by itself, and show the",
        "longest wait.",
        "",
        *asyncio.run(felt.measure()),
    ]


def odds_section(times: int) -> list[str]:
    """How long every command with odds takes to tell them."""
    return [
        "## Odds",
        "",
        "Every Counterblast command that takes `odds:true`, and some large cases, over the whole path, one",
        f"at a time, {times} times each. A row is marked if one answer took longer than {odds.LIMIT_MS}",
        "ms.",
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
