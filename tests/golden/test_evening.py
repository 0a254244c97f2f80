"""An organiser's evening by presses, from the season's panel on. What it costs is counted and told.

To write the transcript and the guide's table anew:
    python -m tests.golden.test_evening
"""

from __future__ import annotations

import pytest

from tests.golden.test_pressed_games import GUIDE, acted, flows, script
from tests.golden.transcripts import Golden
from tests.played import Played

EVENING, SPOILS = Golden("evening"), Golden("spoils", panels=False)
BOTH = (EVENING, SPOILS)

DUE = {
    "pairing a round": 1,
    "typing in a result": 6,
    "entering a result and the models that went down": 7,
    "recruiting a member": 5,
    "spending points on a member": 4,
    "asking for a reminder": 3,
    "deciding for another player, as the organiser": 9,
    "pairing the next round": 2,
    "confirming a report after the game": 3,
    "offering a ransom": 4,
    "accepting a ransom": 1,
    "building a model from Salvage": 5,
}
"""Most presses and picks that each flow may take."""


def _counted() -> list[tuple[str, int]]:
    return [flow for golden in BOTH for flow in flows(golden)]


HEAD = "| an organiser's evening | presses | limit |\n|---|---|---|\n"


def table() -> str:
    """The table of the players' guide, with the whole evening last."""
    counted = _counted()
    rows = [f"| {flow} | {count} | {DUE[flow]} |\n" for flow, count in counted]
    whole = f"| the whole evening | {sum(count for _, count in counted)} | {sum(DUE.values())} |\n"
    return HEAD + "".join(rows) + whole


@pytest.mark.parametrize("golden", BOTH, ids=lambda one: one.name)
def test_the_evening_is_played_as_written(golden: Golden, played: Played) -> None:
    assert golden.as_played(played) == golden.kept


@pytest.mark.parametrize("golden", BOTH, ids=lambda one: one.name)
def test_nobody_types_a_command_once_the_season_is_shown(golden: Golden) -> None:
    lines = [acted(line) for line in script(golden) if line and line[0] not in "#:"]
    evening = lines[lines.index("/season") + 1 :]
    assert {line.split()[0] for line in evening} <= {"press", "menu", "modal", "expect"}
    assert any(line.startswith("press ") for line in evening)


def test_every_flow_keeps_within_its_budget() -> None:
    counted = dict(_counted())
    assert counted.keys() == DUE.keys()
    assert not [flow for flow, count in counted.items() if count > DUE[flow]]


def test_the_guide_tells_what_was_counted() -> None:
    assert table() in GUIDE.read_text(encoding="utf-8")


if __name__ == "__main__":
    for golden in BOTH:
        golden.keep(golden.play())
    guide = GUIDE.read_text(encoding="utf-8")
    before, _, after = guide.partition(HEAD)
    rows = after.splitlines(keepends=True)
    left = next(n for n, row in enumerate([*rows, ""]) if not row.startswith("|"))
    GUIDE.write_text(before + table() + "".join(rows[left:]), encoding="utf-8")
