"""Nothing in a rule system lies there for the tests alone: every function and class is reached from the bot,
every setting and every field of its data is read by a rule or at the table.

Read from the source: a name counts as reached where code that is itself reached speaks of it. What only tests
need belongs into the tests.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

REACHED = ("fracd_earth",)
"""The systems for which this holds."""

Name = tuple[str, str]
"""A module of a system, with its room (`core.checks`), and a name on its uppermost level."""


@dataclass
class System:
    """The source of one rule system and of the bot."""

    key: str

    def __post_init__(self) -> None:
        folder = ROOT / "rules" / "systems" / self.key
        self.package = f"rules.systems.{self.key}"
        self.modules = {
            ".".join(file.relative_to(folder).with_suffix("").parts): ast.parse(file.read_text())
            for file in sorted(folder.rglob("*.py"))
        }
        self.bot = [ast.parse(file.read_text()) for file in sorted((ROOT / "bot").rglob("*.py"))]

    def definitions(self) -> dict[Name, ast.stmt]:
        """Functions and classes by module and name."""
        kinds = (ast.FunctionDef, ast.ClassDef)
        return {
            (module, part.name): part
            for module, tree in self.modules.items()
            for part in tree.body
            if isinstance(part, kinds)
        }

    def known(self, tree: ast.AST) -> dict[str, tuple[str, str]]:
        """What a file calls the system's modules (with an empty name) and their names."""
        found = {}
        for part in ast.walk(tree):
            if isinstance(part, ast.ImportFrom) and (part.module or "").startswith(self.package):
                tail = (part.module or "").removeprefix(self.package).lstrip(".")
                for alias in part.names:
                    module = f"{tail}.{alias.name}".lstrip(".")
                    meant = (module, "") if module in self.modules else (tail, alias.name)
                    found[alias.asname or alias.name] = meant
        return found

    def spoken_of(self, part: ast.AST, known: dict[str, tuple[str, str]], module: str = "") -> Iterator[Name]:
        """The system's names that a piece of code speaks of; those of its own module by themselves."""
        own = {name for of, name in self.definitions() if of == module}
        bound = {arg.arg for arg in ast.walk(part) if isinstance(arg, ast.arg)}
        bound |= {
            one.id for one in ast.walk(part) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
        }
        for one in ast.walk(part):
            if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name):
                of, name = known.get(one.value.id, ("", ""))
                if of and not name:
                    yield of, one.attr
            elif isinstance(one, ast.Name) and one.id not in bound:
                of, name = known.get(one.id, ("", ""))
                if name:
                    yield of, name
                elif one.id in own:
                    yield module, one.id

    def reached(self) -> set[Name]:
        """All that the bot, or a module while it is loaded, leads to."""
        definitions = self.definitions()
        todo = {name for tree in self.bot for name in self.spoken_of(tree, self.known(tree))}
        for module, tree in self.modules.items():
            for part in tree.body:
                if not isinstance(part, (ast.FunctionDef, ast.ClassDef)):
                    todo.update(self.spoken_of(part, self.known(tree), module))
        seen: set[Name] = set()
        while todo:
            name = todo.pop()
            if name not in seen:
                seen.add(name)
                if name in definitions:
                    todo.update(self.spoken_of(definitions[name], self.known(self.modules[name[0]]), name[0]))
        return seen

    def fields(self) -> dict[str, set[str]]:
        """Fields and properties of its data classes, by class."""
        found: dict[str, set[str]] = {}
        for (_, name), part in self.definitions().items():
            if isinstance(part, ast.ClassDef):
                fields = {one.target.id for one in part.body if _is_field(one)}  # type: ignore[attr-defined]
                found[name] = fields | {one.name for one in part.body if isinstance(one, ast.FunctionDef)}
        return found

    def read(self) -> set[str]:
        """All attributes that the system or its games at the table read, or name as text."""
        folder = ROOT / "bot" / "games" / self.key
        trees = [*self.modules.values(), *(ast.parse(file.read_text()) for file in folder.rglob("*.py"))]
        return {
            one.attr
            for tree in trees
            for one in ast.walk(tree)
            if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Load)
        }


def _is_field(part: ast.stmt) -> bool:
    return isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)


@pytest.mark.parametrize("key", REACHED)
def test_every_function_is_reached_from_the_bot(key: str) -> None:
    system = System(key)
    reached = system.reached()
    assert [
        f"{module}.{name}" for module, name in system.definitions() if (module, name) not in reached
    ] == []


@pytest.mark.parametrize("key", REACHED)
def test_every_setting_and_field_is_read(key: str) -> None:
    system = System(key)
    read = system.read()
    unread = [
        f"{of}.{name}"
        for of, names in system.fields().items()
        for name in sorted(names)
        if name not in read and not name.startswith("_")
    ]
    assert unread == []
