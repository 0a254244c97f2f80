"""Packages with rooms: each says what it holds, the map names it, its name is the same on all floors."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import pytest

from tests.source import ROOT, program

MAX_SHARED_NAMES = 8
"""How many class names still mean two things; this number may only fall."""


def rooms(package: str) -> dict[str, str]:
    """The rooms of a package, each with the first line of what it says of itself."""
    inner = sorted((ROOT / package).glob("*/__init__.py"))
    said = {one.parent.name: ast.get_docstring(ast.parse(one.read_text())) or "" for one in inner}
    return {name: (text.splitlines() or [""])[0] for name, text in said.items()}


def games(floor: str) -> list[str]:
    """The packages of games with rooms in a folder."""
    inner = sorted(one.name for one in (ROOT / floor).iterdir() if one.is_dir())
    return [name for name in inner if rooms(f"{floor}/{name}")]


AT_TABLE, RULES = games("bot/games"), games("rules/systems")
FLOORS = [*(f"bot/games/{one}" for one in AT_TABLE), *(f"rules/systems/{one}" for one in RULES)]


def test_the_games_of_many_modules_have_rooms() -> None:
    assert {"counterblast"} <= set(AT_TABLE)
    assert set(RULES) <= set(AT_TABLE)


@pytest.mark.parametrize("package", ["bot/table", *FLOORS])
def test_the_map_names_every_room_with_what_it_holds(package: str) -> None:
    lines = (ROOT / package / "README.md").read_text(encoding="utf-8").splitlines()
    missing = [name for name, holds in rooms(package).items() if f"| `{name}` | {holds} |" not in lines]
    assert missing == []


@pytest.mark.parametrize("game", AT_TABLE)
def test_the_rooms_of_rules_and_tests_are_those_of_the_table(game: str) -> None:
    names = set(rooms(f"bot/games/{game}"))
    assert game not in RULES or set(rooms(f"rules/systems/{game}")) & names
    assert set(rooms(f"tests/bot/{game}")) <= names


@pytest.mark.parametrize("game", sorted({*AT_TABLE} - {*RULES}))
def test_where_rules_have_no_rooms_the_map_of_the_table_tells_which_room_asks_them(game: str) -> None:
    told = (ROOT / "bot/games" / game / "README.md").read_text(encoding="utf-8")
    modules = {one.stem for one in (ROOT / "rules/systems" / game).glob("*.py")} - {"__init__"}
    assert [name for name in sorted(modules) if f"`{name}`" not in told] == []


def floor_of(module: Path) -> str:
    """The game's package that a module belongs to, else all that the games share."""
    inner = module.relative_to(ROOT).parts
    of_game = inner[:2] in (("bot", "games"), ("rules", "systems")) and len(inner) > 3
    return "/".join(inner[:3]) if of_game else "shared"


def test_a_class_name_means_one_thing_in_a_game_and_in_what_games_share() -> None:
    """Each game has its own words; within one, and within what games share, a word is one class."""
    found = defaultdict[tuple[str, str], list[str]](list)
    for module, source in program().items():
        for node in source.every(ast.ClassDef):
            found[floor_of(module), node.name].append(f"{module.relative_to(ROOT)}:{node.lineno}")
    shared = {name: where for (_, name), where in found.items() if len(where) > 1}
    assert len(shared) <= MAX_SHARED_NAMES, shared
