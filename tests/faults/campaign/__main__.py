"""`make faults`: the whole campaign, each part of it written to bench/FAULTS.md as soon as it is done.

What is stopped goes on where it was when it is begun again with the same seed and the same code.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from bot import logs
from tests.faults.campaign import doors, hostile, kills_report, troubles
from tests.faults.campaign.slices import ROOT, Section, Work, code_of

REPORT = ROOT / "bench" / "FAULTS.md"
BEGUN = ROOT / "build" / "faults"

Part = Callable[[argparse.Namespace, Path, Work], Section]

PARTS: dict[str, Part] = {
    "sqlite-kills": kills_report.on_sqlite,
    "postgres-kills": kills_report.on_postgres,
    "hostile": hostile.part,
    "doors": doors.part,
    "troubles": troubles.part,
}

HEAD = """# Tests that break things on purpose

`make faults` writes this page, part by part, and counts every number itself. Each part names the code that it
tested by a hash. `make faults ARGS=--code` shows which parts tested the present code.
"""


def options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """What of the campaign is wanted, and how much."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.campaign", description=__doc__)
    parser.add_argument("--kills", type=int, default=1000, help="kills on SQLite (default 1000)")
    parser.add_argument("--postgres-kills", type=int, default=200, help="kills on PostgreSQL (default 200)")
    parser.add_argument("--calls", type=int, default=100_000, help="hostile calls (default 100000)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed, the same campaign")
    parser.add_argument("--report", type=Path, default=REPORT, help="where the report is written")
    parser.add_argument("--begun", type=Path, default=BEGUN, help="where what was stopped is kept")
    parser.add_argument(
        "--code", action="store_true", help="tell of which code each part is, and run nothing"
    )
    parser.add_argument("--only", nargs="*", choices=list(PARTS), default=list(PARTS), help="these parts")
    return parser.parse_args(arguments)


def known(report: Path) -> dict[str, str]:
    """The parts that stand in a report, by title."""
    parts = report.read_text(encoding="utf-8").split("\n## ")[1:] if report.exists() else []
    return {text.partition("\n")[0]: text.strip() for text in parts}


def of_the_code(report: Path) -> list[str]:
    """Of each part, whether it was run on the code that is here."""
    code = code_of()
    told = {title: f"code {code}" in text for title, text in known(report).items()}
    return [
        f"{title}: {'of this code' if here else 'OF OTHER CODE'} ({code})" for title, here in told.items()
    ]


def keep(report: Path, section: Section, seed: int, code: str) -> None:
    """Put a part into the report, in the place of what was there of it."""
    sections = known(report)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    when = f"{datetime.datetime.now(tz=datetime.UTC):%Y-%m-%d}, {platform.machine()}, {os.cpu_count()} cores"
    how = f"{when}, load {load:.0f}, Python {platform.python_version()}, seed {seed}, code {code}."
    sections[section.title] = "\n".join((section.title, "", how, "", *section.lines))
    parts = [f"## {text}\n" for text in sections.values()]
    report.write_text("\n".join((HEAD, *parts)), encoding="utf-8")


def main() -> int:
    """Run the parts that are wanted; 0 where all held."""
    given, is_clean = options(), True
    if given.code:
        sys.stdout.write("\n".join(of_the_code(given.report)) + "\n")
        return 0
    logs.set_up("critical", "text")
    with tempfile.TemporaryDirectory(prefix="faults-") as name:
        code = code_of()
        of = f"{code} {given.seed} {given.kills} {given.postgres_kills} {given.calls}"
        works = {part: Work.begun(given.begun / f"{part}.json", of) for part in given.only}
        for part, work in works.items():
            section = PARTS[part](given, Path(name), work)
            keep(given.report, section, given.seed, code)
            is_clean &= section.is_clean
            sys.stdout.write(f"{section.title}: {'held' if section.is_clean else 'DID NOT HOLD'}\n")
    for work in works.values():
        work.file.unlink(missing_ok=True)
    return 0 if is_clean else 1


if __name__ == "__main__":
    sys.exit(main())
