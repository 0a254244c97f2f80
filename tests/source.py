"""The source of the bot and of the rules, read and parsed once for all tests that look at it."""

from __future__ import annotations

import ast
import gc
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import NoneType
from typing import TypeVar

ROOT = Path(__file__).parents[1]

PLAIN = frozenset({int, str, NoneType, ast.Load, ast.Store, ast.Del})
"""What has nothing in it, and what tells only how a name is used: that is asked of the name."""

Node = TypeVar("Node", bound=ast.AST)


@dataclass(frozen=True)
class Source:
    """One module: its text, its tree, and the nodes of that by their classes."""

    text: str
    tree: ast.Module
    nodes: Mapping[type[ast.AST], list[ast.AST]]

    def every(self, *kinds: type[Node]) -> Iterator[Node]:
        for kind in kinds:
            yield from self.nodes.get(kind, ())  # type: ignore[misc]

    def strings(self) -> Iterator[str]:
        """Its strings, but those that stand there for whoever reads the code."""
        docs = {id(one.value) for one in self.every(ast.Expr)}
        for one in self.every(ast.Constant):
            if isinstance(one.value, str) and id(one) not in docs:
                yield one.value


def parsed(text: str) -> Source:
    tree = ast.parse(text)
    return Source(text, tree, _by_class(tree))


def _by_class(tree: ast.AST) -> Mapping[type[ast.AST], list[ast.AST]]:
    found, todo = defaultdict[type[ast.AST], list[ast.AST]](list), [tree]
    for node in todo:
        found[node.__class__].append(node)
        for value in node.__dict__.values():
            kind = value.__class__
            if kind is list:
                todo += [one for one in value if isinstance(one, ast.AST)]
            elif kind not in PLAIN and isinstance(value, ast.AST):
                todo.append(value)
    return found


@cache
def sources(*folders: Path) -> Mapping[Path, Source]:
    """Every module in these folders by its file, in order."""
    files = [file for folder in folders for file in sorted(folder.rglob("*.py"))]
    with _what_is_read_stays():
        return {file: source_of(file) for file in files}


def program() -> Mapping[Path, Source]:
    """Every module of the bot and of the rules by its file, in order."""
    return sources(ROOT / "bot", ROOT / "rules")


def about(words: str, *folders: Path) -> Mapping[Path, Source]:
    """Of the modules in these folders those in whose text such words stand; the others are not parsed."""
    told = re.compile(words)
    files = [file for folder in folders for file in sorted(folder.rglob("*.py"))]
    with _what_is_read_stays():
        return {file: source_of(file) for file in files if told.search(_text_of(file))}


@cache
def source_of(file: Path) -> Source:
    return parsed(_text_of(file))


@cache
def _text_of(file: Path) -> str:
    return file.read_text(encoding="utf-8")


@contextmanager
def _what_is_read_stays() -> Iterator[None]:
    """Nobody looks for garbage in a million nodes, now or later."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
