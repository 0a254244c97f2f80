"""A game knows no other: neither its rules nor what it does at the table, wherever its packages lie."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tests.games import SYSTEMS


def imported(source: Path) -> Iterator[str]:
    """The modules that a source imports, and those of which it takes a name."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("floor", ["bot.games", "rules.systems"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_game_knows_no_other(system: str, floor: str) -> None:
    folder = Path(next(iter(import_module(f"{floor}.{system}").__path__)))
    others = {other for other in SYSTEMS if other != system}
    wrong = [
        f"{source.relative_to(folder)} of {system} imports {name}"
        for source in sorted(folder.rglob("*.py"))
        for name in imported(source)
        if name.split(".")[:2] in (["bot", "games"], ["rules", "systems"]) and name.split(".")[2] in others
    ]
    assert wrong == []


def test_every_package_of_a_game_is_played() -> None:
    for floor in ("bot.games", "rules.systems"):
        found = {
            one.parent.name
            for path in import_module(floor).__path__
            for one in Path(path).glob("*/__init__.py")
        }
        assert found == set(SYSTEMS), floor
