"""A game knows no other: neither its rules nor what it does at the table, wherever its packages lie."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tests.games import SYSTEMS
from tests.source import Source, sources


def imported(source: Source) -> Iterator[str]:
    """The modules that a source imports, and those of which it takes a name."""
    for node in source.every(ast.Import):
        yield from (alias.name for alias in node.names)
    for taken in source.every(ast.ImportFrom):
        if not taken.level:
            yield from (f"{taken.module}.{alias.name}" for alias in taken.names)


@pytest.mark.parametrize("floor", ["bot.games", "rules.systems"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_game_knows_no_other(system: str, floor: str) -> None:
    folder = Path(next(iter(import_module(f"{floor}.{system}").__path__)))
    others = {other for other in SYSTEMS if other != system}
    wrong = [
        f"{file.relative_to(folder)} of {system} imports {name}"
        for file, source in sources(folder).items()
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
