"""The campaign itself: what is stopped goes on, what takes for ever is told, the report names its code."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.faults.campaign import __main__ as campaign
from tests.faults.campaign.hostile import no_longer_than
from tests.faults.campaign.slices import Found, Section, Work, code_of


def counting(first: int, count: int, seed: str) -> Found:
    """Done in slices that know where they are."""
    return Found(Counter({"calls": count, seed: 1}), [f"fault {first}"] if first == 4 else [])


def test_what_is_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    file, asked = tmp_path / "begun" / "part.json", list[int]()

    def stopped(first: int, count: int, seed: str) -> Found:
        asked.append(first)
        if first == 8 and asked.count(8) == 1:
            raise KeyboardInterrupt
        return counting(first, count, seed)

    with pytest.raises(KeyboardInterrupt):
        Work.begun(file, "a").go_on("x", 10, 4, 7, stopped)
    again = Work.begun(file, "a")
    assert again.done == 8
    again.go_on("x", 10, 4, 7, stopped)
    assert asked == [0, 4, 8, 8]
    assert again.found.numbers == {"calls": 10, "7-0": 1, "7-4": 1, "7-8": 1}
    assert again.found.faults == ["fault 4"]
    assert Work.begun(file, "a").done == 10
    assert Work.begun(file, "other code").done == 0


def test_a_call_without_an_end_is_stopped_and_told() -> None:
    def for_ever() -> None:
        with no_longer_than(0.05):
            while True:
                pass

    with pytest.raises(TimeoutError, match="no end"):
        for_ever()
    with no_longer_than(30):
        pass


def test_the_report_tells_which_parts_are_of_the_code_that_is_here(tmp_path: Path) -> None:
    report = tmp_path / "report.md"
    campaign.keep(report, Section("Old", ("1 kill.",), True), 1, "0" * 8)
    campaign.keep(report, Section("New", ("2 kills.",), True), 1, code_of())
    old, new = campaign.of_the_code(report)
    assert old == f"Old: OF OTHER CODE ({code_of()})"
    assert new == f"New: of this code ({code_of()})"


def test_the_code_is_another_when_any_file_of_it_is(tmp_path: Path) -> None:
    for name in ("bot/a.py", "rules/b.toml", "migrations/c.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("1")
    first = code_of(tmp_path)
    assert code_of(tmp_path) == first
    for name in ("bot/a.py", "rules/b.toml", "migrations/c.py"):
        (tmp_path / name).write_text("2")
        assert code_of(tmp_path) != first
        (tmp_path / name).write_text("1")
