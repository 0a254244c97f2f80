"""`make faults`: the whole campaign, each part of it written to bench/FAULTS.md as soon as it is done.

What is stopped is begun again with `--only` the parts that are missing; the others stay in the report.
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
from tests.faults.campaign.section import Section

REPORT = Path(__file__).parents[3] / "bench" / "FAULTS.md"

Part = Callable[[argparse.Namespace, Path], Section]

PARTS: dict[str, Part] = {
    "sqlite-kills": kills_report.on_sqlite,
    "postgres-kills": kills_report.on_postgres,
    "hostile": hostile.part,
    "doors": doors.part,
    "troubles": troubles.part,
}

HEAD = """# What was broken on purpose

Written by `make faults`, each part when it was run; every number is counted by the program.
"""


def options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """What of the campaign is wanted, and how much."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.campaign", description=__doc__)
    parser.add_argument("--kills", type=int, default=1000, help="kills on SQLite (default 1000)")
    parser.add_argument("--postgres-kills", type=int, default=200, help="kills on PostgreSQL (default 200)")
    parser.add_argument("--calls", type=int, default=100_000, help="hostile calls (default 100000)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed, the same campaign")
    parser.add_argument("--report", type=Path, default=REPORT, help="where the report is written")
    parser.add_argument("--only", nargs="*", choices=list(PARTS), default=list(PARTS), help="these parts")
    return parser.parse_args(arguments)


def keep(report: Path, section: Section, given: argparse.Namespace) -> None:
    """Put a part into the report, in the place of what was there of it."""
    known = report.read_text(encoding="utf-8").split("\n## ")[1:] if report.exists() else []
    sections = {text.partition("\n")[0]: text.strip() for text in known}
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    when = f"{datetime.datetime.now(tz=datetime.UTC):%Y-%m-%d}, {platform.machine()}, {os.cpu_count()} cores"
    how = f"{when}, load {load:.0f}, Python {platform.python_version()}, seed {given.seed}."
    sections[section.title] = "\n".join((section.title, "", how, "", *section.lines))
    parts = [f"## {text}\n" for text in sections.values()]
    report.write_text("\n".join((HEAD, *parts)), encoding="utf-8")


def main() -> int:
    """Run the parts that are wanted; 0 where all held."""
    given, is_clean = options(), True
    logs.set_up("critical", "text")
    with tempfile.TemporaryDirectory(prefix="faults-") as name:
        for part in given.only:
            section = PARTS[part](given, Path(name))
            keep(given.report, section, given)
            is_clean &= section.is_clean
            sys.stdout.write(f"{section.title}: {'held' if section.is_clean else 'DID NOT HOLD'}\n")
    return 0 if is_clean else 1


if __name__ == "__main__":
    sys.exit(main())
