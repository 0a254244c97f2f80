"""Nothing in a rule system lies there for the tests alone: every function and class is reached from the bot,
every setting and every field of its data is read by a rule or at the table.

Read from the source: a name counts as reached where code that is itself reached speaks of it. What only tests
need belongs into the tests.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from bot.table.game import game
from tests.games import SYSTEMS
from tests.source import ROOT, Source, about, sources

Name = tuple[str, str]
"""A module of a system, with its room (`core.checks`), and a name on its uppermost level."""


def folder_of(package: str) -> Path:
    return Path(next(iter(import_module(package).__path__)))


@dataclass
class System:
    """The source of one rule system and of the bot."""

    key: str

    def __post_init__(self) -> None:
        folder = folder_of(f"rules.systems.{self.key}")
        self.package = f"rules.systems.{self.key}"
        self.modules = {
            ".".join(file.relative_to(folder).with_suffix("").parts): source
            for file, source in sources(folder).items()
        }
        named = re.escape(self.package)
        self.bot = [*about(named, ROOT / "bot", folder_of(f"bot.games.{self.key}")).values()]
        self._known: dict[int, dict[str, tuple[str, str]]] = {}
        self._definitions = self._defined()
        self._own: dict[str, set[str]] = {}
        for module, name in self._definitions:
            self._own.setdefault(module, set()).add(name)

    def definitions(self) -> dict[Name, ast.stmt]:
        return self._definitions

    def _defined(self) -> dict[Name, ast.stmt]:
        kinds = (ast.FunctionDef, ast.ClassDef)
        return {
            (module, part.name): part
            for module, source in self.modules.items()
            for part in source.tree.body
            if isinstance(part, kinds)
        }

    def known(self, source: Source) -> dict[str, tuple[str, str]]:
        """What a file calls the system's modules (with an empty name) and their names."""
        if id(source) not in self._known:
            self._known[id(source)] = self._known_of(source)
        return self._known[id(source)]

    def _known_of(self, source: Source) -> dict[str, tuple[str, str]]:
        found = {}
        for part in source.every(ast.ImportFrom):
            if (part.module or "").startswith(self.package):
                tail = (part.module or "").removeprefix(self.package).lstrip(".")
                for alias in part.names:
                    module = f"{tail}.{alias.name}".lstrip(".")
                    meant = (module, "") if module in self.modules else (tail, alias.name)
                    found[alias.asname or alias.name] = meant
        return found

    def spoken_of(self, part: ast.AST, known: dict[str, tuple[str, str]], module: str = "") -> Iterator[Name]:
        """The system's names that a piece of code speaks of; those of its own module by themselves."""
        own, every = self._own.get(module, set()), list(ast.walk(part))
        bound = {one.arg for one in every if isinstance(one, ast.arg)}
        bound |= {one.id for one in every if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
        for one in every:
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
        todo = {
            name
            for source in self.bot
            for part in _pieces(source.tree)
            for name in self.spoken_of(part, self.known(source))
        }
        for module, source in self.modules.items():
            for part in source.tree.body:
                if not isinstance(part, (ast.FunctionDef, ast.ClassDef)):
                    todo.update(self.spoken_of(part, self.known(source), module))
        seen: set[Name] = set()
        while todo:
            name = todo.pop()
            if name in seen or name[0] not in self.modules:
                continue
            seen.add(name)
            known = self.known(self.modules[name[0]])
            if name in definitions:
                todo.update(self.spoken_of(definitions[name], known, name[0]))
                todo.update(self.answers_for(name))
            elif known.get(name[1], ("", ""))[1]:
                todo.add(known[name[1]])
        return seen

    def answers_for(self, rule: Name) -> Iterator[Name]:
        """The shorter ways to the chances of a rule: whoever asks them of the solver goes by these."""
        module = rule[0]
        for name in self._own.get(module, ()):
            marks = getattr(self._definitions[module, name], "decorator_list", ())
            if f"answers({rule[1]})" in map(ast.unparse, marks):
                yield module, name

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
        at_table = sources(folder_of(f"bot.games.{self.key}"))
        every = [*self.modules.values(), *at_table.values()]
        constants = [one.value for source in every for one in source.every(ast.Constant)]
        attributes = [one for source in every for one in source.every(ast.Attribute)]
        by_text = {value for value in constants if isinstance(value, str)}
        return by_text | {one.attr for one in attributes if isinstance(one.ctx, ast.Load)}


@cache
def source_of(key: str) -> System:
    return System(key)


def _pieces(tree: ast.Module) -> Iterator[ast.AST]:
    """A file's uppermost statements, classes by their parts: a name bound in one is bound only there."""
    for part in tree.body:
        if isinstance(part, ast.ClassDef):
            yield from (*part.body, *part.bases, *part.decorator_list)
        else:
            yield part


def _is_field(part: ast.stmt) -> bool:
    return isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)


@pytest.mark.parametrize("key", SYSTEMS)
def test_every_function_is_reached_from_the_bot(key: str) -> None:
    system = source_of(key)
    reached = system.reached()
    unreached = [(module, name) for module, name in system.definitions() if (module, name) not in reached]
    found = {f"{module.rpartition('.')[2]}.{name}" for module, name in unreached}
    assert not found


@pytest.mark.parametrize("key", SYSTEMS)
def test_every_setting_and_field_is_read(key: str) -> None:
    system = source_of(key)
    read = system.read()
    found = {
        f"{of}.{name}"
        for of, names in system.fields().items()
        for name in names
        if name not in read and not name.startswith("_")
    }
    assert not found


@pytest.mark.parametrize("key", SYSTEMS)
def test_every_setting_offers_a_choice(key: str) -> None:
    alone = [one.key for one in game(key).settings() if len(one.values) < 2 and not one.number]
    assert not alone, "a setting with a single value does nothing"
