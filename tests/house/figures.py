"""Figures of the house: lines, files, overhead, cycles among rooms, names. `make house` prints them.

A room of a package is one of its direct children, a folder or a module. A cycle is a set of rooms that can
all reach one another by imports, those inside functions and below TYPE_CHECKING included.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.source import program

ROOT = Path(__file__).parents[2]

_BANNED = """
again alone asked before begins begun beside browsing course days downs elsewhere fought_out found
further gathering going_on heard holding inside instead kept late leading life line meant meanwhile
noticing now_and_then opened past possible recalled retold said several specially standing telling
things thinking thrown_again throws ties told untold walks which whose worths
"""
BANNED_NAMES = frozenset(_BANNED.split())
"""Names of modules that are no nouns, or nouns that tell nothing."""


@dataclass(frozen=True, slots=True)
class Module:
    """One module of the product: its dotted name, its lines and its syntax tree."""

    name: str
    path: Path
    lines: tuple[str, ...]
    tree: ast.Module


@dataclass(frozen=True, slots=True)
class Figures:
    """What is measured. overhead: the share of blank lines, imports, docstrings and signatures, 0 to 1."""

    lines: int
    files: int
    overhead: float
    cycles: Mapping[str, tuple[frozenset[str], ...]]
    banned: tuple[str, ...]

    @property
    def rooms_in_cycles(self) -> dict[str, int]:
        """Return how many rooms of each package stand in a cycle."""
        return {package: sum(map(len, groups)) for package, groups in self.cycles.items()}


@cache
def modules() -> tuple[Module, ...]:
    found = []
    for path, source in program().items():
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        found.append(Module(name, path, tuple(source.text.splitlines()), source.tree))
    return tuple(found)


@cache
def measure() -> Figures:
    lines = sum(len(module.lines) for module in modules())
    return Figures(
        lines,
        len(modules()),
        sum(_overhead(module) for module in modules()) / lines,
        _cycles_by_package(),
        tuple(module.name for module in modules() if module.path.stem in BANNED_NAMES),
    )


def _overhead(module: Module) -> int:
    count = sum(not line.strip() for line in module.lines)
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            count += _length(node)
        elif isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if ast.get_docstring(node, clean=False) is not None and first is not None:
                count += _length(first)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                count += max(node.body[0].lineno - node.lineno, 0)
    return count


def _length(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def imports_of(module: Module) -> Iterator[str]:
    """Yield what a module imports: packages, modules and the names in them, wherever it does so."""
    package = module.name if module.path.stem == "__init__" else module.name.rpartition(".")[0]
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")
            base = ".".join(above[: len(above) - node.level + 1]) if node.level else ""
            source = ".".join(part for part in (base, node.module or "") if part)
            yield source
            yield from (f"{source}.{alias.name}" for alias in node.names)


def _cycles_by_package() -> dict[str, tuple[frozenset[str], ...]]:
    known = {module.name for module in modules()}
    edges = [(module.name, name) for module in modules() for name in imports_of(module) if name in known]
    packages = {name.rpartition(".")[0] for name in known} - {""}
    packages |= {package.rpartition(".")[0] for package in packages} - {""}
    found = {}
    for package in sorted(packages):
        inside = f"{package}."
        rooms = {
            (first.removeprefix(inside).split(".")[0], second.removeprefix(inside).split(".")[0])
            for first, second in edges
            if first.startswith(inside) and second.startswith(inside)
        }
        groups = tuple(_cycles((first, second) for first, second in rooms if first != second))
        if groups:
            found[package] = groups
    return found


def _cycles(edges: Iterable[tuple[str, str]]) -> Iterator[frozenset[str]]:
    """Yield the sets of rooms that all reach one another."""
    following: defaultdict[str, set[str]] = defaultdict(set)
    for first, second in edges:
        following[first].add(second)
    reached = {room: _reachable(room, following) for room in list(following)}
    seen: set[str] = set()
    for room in sorted(reached):
        group = frozenset(other for other in reached[room] if room in reached.get(other, ()))
        if group and room not in seen:
            seen |= group
            yield group


def _reachable(room: str, following: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = list(following.get(room, ()))
    while waiting:
        other = waiting.pop()
        if other not in found:
            found.add(other)
            waiting += following.get(other, ())
    return found


def main() -> None:
    """Print the figures beside what they should be."""
    figures = measure()
    print(f"lines            {figures.lines:7,}   at most 110,000")
    print(f"files            {figures.files:7,}   at most 520")
    print(f"overhead         {figures.overhead:7.1%}   at most 38%")
    print(f"rooms in cycles  {sum(figures.rooms_in_cycles.values()):7}   none")
    for package, count in figures.rooms_in_cycles.items():
        print(f"    {package}: {count}")
    print(f"banned names     {len(figures.banned):7}   none")
    for name in figures.banned:
        print(f"    {name}")


if __name__ == "__main__":
    main()
