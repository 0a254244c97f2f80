"""Games by presses alone: nobody types more than `/demo`, `/help` or `/games`. What a flow costs is counted.

The scripts mark flows by remarks, `# flow: NAME` and `# end`. To write transcripts and the guide's table
anew:
    python -m tests.golden.test_pressed_games
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.golden.transcripts import ROOT, Golden
from tests.played import Played

GAMES = {
    "Counterblast": Golden("pressed_counterblast", panels=False),
    "Infinity": Golden("pressed_infinity"),
    "Warzone": Golden("pressed_warzone", panels=False),
    "sol'una": Golden("pressed_soluna", panels=False),
    "Frac'd Earth": Golden("pressed_fracd_earth", panels=False),
    "Counterblast, set up first": Golden("pressed_setup"),
    "Counterblast, your own crews": Golden("pressed_flows", panels=False),
}

DUE = {
    "two newcomers, from the demo to Begin": 5,
    "an activation: draw, choose a model, move, shoot into cover, end": 12,
    "one shot, after looking at its odds": 7,
    "a melee of two against two, with the defender's split": 12,
    "a grenade that scatters onto three models": 9,
    "a heal": 6,
    "a hidden move": 6,
    "Upkeep without panic tests": 3,
    "entering five real dice": 6,
    "an Order and its ARO, both sides": 12,
    "a squad's activation with a shot": 12,
    "a template over three models": 9,
    "a lunge (a move and an attack), with flips": 10,
    "an attack, the target's flips, and a move": 10,
    "a whole attack, with hands and pushes": 10,
    "terrain: how much there is, and who places it first": 6,
    "deployment: who deploys first": 4,
    "a secret phrase for the dice": 5,
    "switching to real dice and back": 4,
    "two saved crews with missions, up to Begin": 10,
    "a power": 6,
    "a repair": 6,
    "an item": 6,
    "a group shot": 7,
    "a charge, and the snap shot at it": 7,
    "a shot at two targets, die by die": 9,
    "a shot with its dice split over two targets": 9,
    "Upkeep with panic tests": 3,
}
"""Most presses and picks that each flow may take."""

GUIDE = ROOT / "docs" / "playing.md"
HEAD = "| game | task | presses | limit |\n|---|---|---|---|\n"


def script(golden: Golden) -> list[str]:
    return (ROOT / "examples" / f"{golden.name}.txt").read_text(encoding="utf-8").splitlines()


def acted(line: str) -> str:
    """What a line does, without who is at it."""
    return re.sub(r"^@\w+\s*", "", line)


def presses(line: str) -> int:
    """Presses of buttons, options chosen, fields filled in and forms handed in."""
    word, _, rest = acted(line).partition(" ")
    if word == "press" or word.isdecimal():
        return 1
    if word == "menu":
        chosen = re.sub(r'^(?:"[^"]*"|\S+)\s*', "", rest)
        return len(re.sub(r'"[^"]*"', "one", chosen).split(","))
    if word == "modal":
        said = re.sub(r'"[^"]*"', "one", rest)
        return 1 + (len(re.findall(r"(?:^|\s)[a-z][\w-]*:", said)) or bool(said))
    return 0


def flows(golden: Golden) -> Iterator[tuple[str, int]]:
    """Every flow that a script marks, and its presses."""
    name, count = "", 0
    for line in script(golden):
        if line.startswith("# flow: "):
            assert not name, f"{name} has no end"
            name, count = line.removeprefix("# flow: "), 0
        elif line == "# end":
            assert name
            yield name, count
            name = ""
        else:
            count += presses(line)
    assert not name


def counted() -> list[tuple[str, str, int]]:
    return [(game, flow, count) for game, golden in GAMES.items() for flow, count in flows(golden)]


def table() -> str:
    rows = [f"| {game} | {flow} | {count} | {DUE[flow]} |\n" for game, flow, count in counted()]
    return HEAD + "".join(rows)


@pytest.mark.parametrize("golden", GAMES.values(), ids=GAMES)
def test_the_game_is_played_as_written(golden: Golden, played: Played) -> None:
    assert golden.as_played(played) == golden.kept


@pytest.mark.parametrize("golden", GAMES.values(), ids=GAMES)
def test_nothing_but_the_first_line_is_typed(golden: Golden) -> None:
    lines = [acted(line) for line in script(golden) if line and line[0] not in "#:"]
    assert lines[0].split()[0] in ("/demo", "/games", "/help")
    assert not [line for line in lines[1:] if line.startswith("/")]
    assert {line.split()[0] for line in lines[1:]} <= {
        "press",
        "menu",
        "modal",
        "expect",
        "absent",
        "refused",
    }
    played = [line for line in lines if line.split()[0] in ("press", "menu", "modal")]
    assert played[-2:] == ['press "End the game"', "press Export"], "the game is played to its end"


def test_every_flow_keeps_within_its_budget() -> None:
    over = [(game, flow, count) for game, flow, count in counted() if count > DUE[flow]]
    assert not over
    assert {flow for _, flow, _ in counted()} == set(DUE)


def test_the_guide_tells_what_was_counted() -> None:
    assert table() in GUIDE.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("press Draw", 1),
        ('@bo menu "Wholly under the template" "Spawnguard", "Edo Underling"', 2),
        ('menu "Who acts?" Sally, Skip', 2),
        ("modal", 1),
        ('modal weapon:Grenade distance:8 more:"sight: blind"', 4),
        ("modal blows:Edo Guardling>Sally 2, Edo Guardling 2>Sally 1", 2),
        ('modal "1 1"', 2),
        ("expect bo plays Edo", 0),
    ],
)
def test_presses_are_counted(line: str, count: int) -> None:
    assert presses(line) == count


if __name__ == "__main__":
    for each in GAMES.values():
        each.keep(each.play())
    guide = GUIDE.read_text(encoding="utf-8")
    before, _, after = guide.partition(HEAD)
    rows = after.splitlines(keepends=True)
    left = next(n for n, row in enumerate([*rows, ""]) if not row.startswith("|"))
    GUIDE.write_text(before + table() + "".join(rows[left:]), encoding="utf-8")
