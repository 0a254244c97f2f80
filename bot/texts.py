"""Collect every sentence that the program can show, with its place, so that they can be read together."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

ROOT = Path(__file__).parents[1]

AREAS = ("commands", "games", "local", "page", "panels", "replies", "store", "table")
"""The packages below `bot` that contain texts; texts in none of them belong to the area `program`."""

MIN_WORDS = 2
"""Shorter strings are keys, labels of one word, or no language at all."""

_CODE = re.compile(
    r"^[\w.\-/:{}<>%#&=?]*$|SELECT |INSERT |UPDATE |DELETE |PRAGMA |[{;]\s*[\w-]+:[^;]+[;}]|</|^\s*<\w"
    r"|^(?:select|insert or|update \w+ set|delete from|pragma|create table) "
)
_CODED = ("cast", "re.compile", "CounterName", "PerNumber", "PerPart", "PerWord")
"""Calls whose first argument is written for the program."""

_FIELDS_OF_STATE = ("Number", "Flag", "Table")
"""Fields of a game's state, each with a sentence for people who read the code."""

_LETTERS = re.compile(r"[A-Za-z]{3}")


class TextKind(StrEnum):
    """The purpose of a text."""

    SHOWN = "string"
    DOCSTRING = "docstring"
    DESCRIPTION = "description"


@dataclass(frozen=True, slots=True)
class ShownText:
    """One text of the program; `line` counts from 1.

    Values that are filled in stand as `{}` in `words` and by their names, such as `{model}`, in `template`.
    `used_in` names the function or class that shows the text, and what it is passed to there.
    """

    kind: TextKind
    words: str
    path: str
    line: int
    template: str = ""
    used_in: str = ""


def area_of(path: str) -> str:
    """Return the area of a file: a game's key, a package below `bot`, or `program`."""
    parts = path.split("/")
    if parts[:2] == ["bot", "games"] and len(parts) > 3:
        return parts[2]
    if parts[:2] == ["rules", "systems"] and len(parts) > 3:
        return parts[2]
    if parts[0] == "rules":
        return "rules"
    return parts[1] if len(parts) > 2 and parts[1] in AREAS else "program"


def texts(area: str = "") -> Iterator[ShownText]:
    """Yield the texts of an area, or of all areas, in the order of files and lines."""
    for folder in ("bot", "rules"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            path = file.relative_to(ROOT).as_posix()
            if not area or area_of(path) == area:
                yield from texts_of(file.read_text(encoding="utf-8"), path)


def texts_of(source: str, path: str) -> list[ShownText]:
    """Return the texts of one module, in the order of its lines."""
    module = ast.parse(source)
    nodes = list(ast.walk(module))
    uses = dict(_uses(module, ""))
    docstrings = dict(_docstrings(nodes))
    shown_texts, inner = [], set[int]()
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            inner.update(id(part) for part in ast.walk(node) if part is not node)
        for unseen in _unseen(node):
            inner.update(id(part) for part in ast.walk(unseen))
    for node in nodes:
        words = _words_of(node)
        if words is None or id(node) in inner:
            continue
        kind = docstrings.get(id(node), TextKind.SHOWN)
        if kind is TextKind.DESCRIPTION:
            words, _, _ = words.partition("\n")
        line = getattr(node, "lineno", 0)
        if kind is not TextKind.SHOWN or _is_language(words):
            shown, template = " ".join(words.split()), " ".join(_template_of(node, words).split())
            shown_texts.append(ShownText(kind, shown, path, line, template, uses[id(node)]))
    return sorted(shown_texts, key=lambda text: text.line)


def _unseen(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Assert):
        return [node.msg] if node.msg is not None else []
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return [node.value] if node.targets[0].id in ("command", "typed", "GRAMMAR") else []
    if not isinstance(node, ast.Call):
        return []
    function = ast.unparse(node.func)
    return node.args if function in _FIELDS_OF_STATE else node.args[:1] if function in _CODED else []


def _words_of(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
        return "".join(str(part) for part in parts)
    return None


def _template_of(node: ast.AST, words: str) -> str:
    if not isinstance(node, ast.JoinedStr):
        return words
    return "".join(
        f"{{{_slot_name(part.value)}}}" if isinstance(part, ast.FormattedValue) else str(part.value)  # type: ignore[attr-defined]
        for part in node.values
    )


def _slot_name(value: ast.expr) -> str:
    """Name a value that is filled in: its variable and attribute, or the function that makes it."""
    if isinstance(value, ast.Call):
        first = _slot_name(value.args[0]) if value.args else ""
        return f"{_slot_name(value.func)}({first})"
    return ast.unparse(value) if isinstance(value, (ast.Name, ast.Attribute)) else "..."


def _uses(node: ast.AST, inside: str) -> Iterator[tuple[int, str]]:
    """Yield each node with the function or class around it and the call or argument that it is passed to."""
    for child in ast.iter_child_nodes(node):
        around = inside
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            around = child.name
        elif isinstance(child, ast.Call):
            around = f"{inside.partition(' > ')[0]} > {ast.unparse(child.func)}".removeprefix(" > ")
        elif isinstance(child, ast.keyword) and child.arg is not None:
            around = f"{inside} {child.arg}="
        yield id(child), around
        yield from _uses(child, around)


def _is_language(words: str) -> bool:
    return len(words.split()) >= MIN_WORDS and bool(_LETTERS.search(words)) and not _CODE.search(words)


def _docstrings(nodes: list[ast.AST]) -> Iterator[tuple[int, TextKind]]:
    """Yield each docstring's node; an action's is the description of its slash command."""
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield id(node.value), TextKind.DOCSTRING
    for node in nodes:
        if isinstance(node, ast.ClassDef) and _is_typed_action(node):
            yield id(node.body[0].value), TextKind.DESCRIPTION  # type: ignore[attr-defined]


def _is_typed_action(node: ast.ClassDef) -> bool:
    names = {
        target.id
        for statement in node.body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }
    return {"command", "typed"} <= names and ast.get_docstring(node) is not None
