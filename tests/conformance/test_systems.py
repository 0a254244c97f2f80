"""Every rule system, by reflection: what is public is described, and rules take chance from their dice."""

from __future__ import annotations

import ast
import inspect
import re
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

import rules.systems
from bot.games import PLAYED
from tests.source import source_of

MAX_LINES = 620
FORBIDDEN = {
    "asyncio", "datetime", "logging", "multiprocessing", "os", "random", "secrets", "socket", "subprocess",
    "sys", "threading", "time", "uuid", "bot", "discord", "sqlalchemy", "aiosqlite", "aiohttp", "PIL",
}  # fmt: skip
ITEM = re.compile(r"\b([A-Z]{2,4})-[A-Z]+-\d\d\b")
"""The number of a rule item, as `CB-CHECK-03`; what it begins with is its game's own."""

FOLDERS = [Path(path) for path in rules.systems.__path__]
SYSTEMS = sorted(
    path.name for folder in FOLDERS for path in folder.iterdir() if (path / "__init__.py").exists()
)
SOURCES = sorted(source for folder in FOLDERS for source in folder.rglob("*.py"))
DATA = sorted(path for folder in FOLDERS for path in folder.rglob("data/*.toml"))


def below(source: Path) -> Path:
    """The place of a source below the systems."""
    return next(source.relative_to(folder) for folder in FOLDERS if source.is_relative_to(folder))


def name_of(source: Path) -> str:
    """The place of a source below the systems, for the test's name."""
    return str(below(source))


def module_of(source: Path) -> ModuleType:
    parts = below(source).with_suffix("").parts
    return import_module(".".join(("rules.systems", *(part for part in parts if part != "__init__"))))


def public(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """Public functions and classes that the module itself defines, and the public methods of its classes."""
    for name, found in vars(module).items():
        found = inspect.unwrap(found) if callable(found) else found
        if name.startswith("_") or getattr(found, "__module__", None) != module.__name__:
            continue
        if isinstance(found, FunctionType) and found.__name__ != "<lambda>":
            yield name, found
        elif inspect.isclass(found):
            yield name, found
            for inner, method in vars(found).items():
                method = (
                    method.fget
                    if isinstance(method, property)
                    else inspect.unwrap(method)
                    if callable(method)
                    else method
                )
                method = method.__func__ if isinstance(method, classmethod | staticmethod) else method
                if (
                    isinstance(method, FunctionType)
                    and not inner.startswith("_")
                    and method.__qualname__.startswith(name)
                ):
                    yield f"{name}.{inner}", method


def is_rule(found: Any) -> bool:
    """Whether a function draws from dice: its first parameter is `dice: Dice`."""
    if not isinstance(found, FunctionType):
        return False
    first = next(iter(inspect.signature(found).parameters.values()), None)
    return first is not None and str(first.annotation) in ("Dice", "<class 'rules.dice.seam.Dice'>")


def test_all_systems_are_seen() -> None:
    assert set(PLAYED) == set(SYSTEMS)
    assert len(SOURCES) > 50
    rules_seen = [name for source in SOURCES for name, found in public(module_of(source)) if is_rule(found)]
    assert len(rules_seen) > 100


@pytest.mark.parametrize("source", SOURCES, ids=name_of)
def test_what_is_public_has_a_docstring(source: Path) -> None:
    module = module_of(source)
    assert (module.__doc__ or "").strip(" .\n"), f"{source.name} does not say what it owns"
    missing = [name for name, found in public(module) if not _described(found)]
    assert not missing, f"without a docstring: {', '.join(missing)}"


def _described(found: Any) -> bool:
    """Whether there is a docstring of its own; the text that a dataclass makes of its fields is none."""
    text = found.__doc__ or ""
    return bool(text.strip(" .")) and not (inspect.isclass(found) and text.startswith(f"{found.__name__}("))


@pytest.mark.parametrize("source", SOURCES, ids=name_of)
def test_every_rule_names_the_items_that_it_decides(source: Path) -> None:
    named = {
        name: set(ITEM.findall(found.__doc__ or ""))
        for name, found in public(module_of(source))
        if is_rule(found)
    }
    silent = [name for name, prefixes in named.items() if not prefixes]
    assert not silent, f"no ledger id in: {', '.join(silent)}"
    assert len(set().union(*named.values())) <= 1, f"items of several games: {named}"


@pytest.mark.parametrize("source", SOURCES, ids=name_of)
def test_rules_know_no_clock_no_chance_of_their_own_and_no_sibling(source: Path) -> None:
    system = below(source).parts[0]
    for node in source_of(source).every(ast.Import, ast.ImportFrom):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            names = [f"{'.' * node.level}{node.module or ''}"]
            assert node.level <= 1, f"line {node.lineno}: import by the full name"
        for name in names:
            assert name.split(".")[0] not in FORBIDDEN, f"line {node.lineno} imports {name}"
            parts = name.split(".")
            if parts[:2] == ["rules", "systems"] and len(parts) > 2:
                assert parts[2] == system, f"line {node.lineno} imports the sibling {parts[2]}"


@pytest.mark.parametrize("source", SOURCES, ids=name_of)
def test_rules_ask_the_dice_and_never_the_trace(source: Path) -> None:
    """A rule is handed `Dice`, so it may not look at what only a roller has."""
    for function in source_of(source).every(ast.FunctionDef):
        if not function.args.args:
            continue
        first = function.args.args[0]
        if first.annotation is None or ast.unparse(first.annotation) != "Dice":
            continue
        for node in ast.walk(function):
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id == first.arg
            ):
                known = ("pool", "face", "total", "sweep", "draw", "call")
                assert node.attr in known, f"line {node.lineno}: {function.name} asks dice.{node.attr}"


@pytest.mark.parametrize("path", DATA, ids=name_of)
def test_data_files_are_read(path: Path) -> None:
    assert tomllib.loads(path.read_text("utf-8")), "an empty data file"


def test_modules_are_short() -> None:
    lengths = {name_of(source): len(source.read_text("utf-8").splitlines()) for source in SOURCES}
    long = {name: lines for name, lines in lengths.items() if lines > MAX_LINES}
    assert not long, f"more than {MAX_LINES} lines: {long}"
