"""Rosters of list builders: BattleScribe's XML and New Recruit's JSON, which are the same tree."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from bot.lists.entries import MAX_COUNT, ListEntry, ReadList, require_few_entries, unescaped
from bot.lists.names import is_leader
from rules.json_text import json_values
from rules.refusals import InvalidInput

MAX_JSON_DEPTH = 64
"""Brackets of JSON inside one another; a selection of a roster takes two or three."""

MAX_SELECTION_DEPTH = 10
NESTED = "This list can't be read because it is nested too deeply. Export it in another format."
COSTS = ("pts", "points", "point", "pt", " pts", "cost", "build")
STATBLOCK = "Statblock"
"""The type of a profile that holds a statblock as the product writes it."""

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Tree:
    """A node of either form: its attributes, and its children by the name of their list."""

    values: Mapping[str, Any]
    lists: Mapping[str, Sequence[_Tree]]

    def text(self, *keys: str) -> str:
        """Return the first of these attributes that is there."""
        value = next((self.values[key] for key in keys if self.values.get(key) not in (None, "")), "")
        return " ".join(str(value).split())[:200] if isinstance(value, str | int | float) else ""

    def below(self, key: str) -> Sequence[_Tree]:
        return self.lists.get(key, ())


def read_battlescribe(text: str) -> ReadList:
    """Read a roster in BattleScribe's XML. Raises InvalidInput."""
    try:
        root = fromstring(text.lstrip(), forbid_dtd=True)
    except DefusedXmlException:
        raise InvalidInput(
            "This file can't be read because it has a DOCTYPE. Export the roster in another format."
        ) from None
    except (ParseError, ValueError):
        raise InvalidInput("This XML is damaged. Export the roster again.") from None
    if _tag(root) != "roster":
        raise InvalidInput("Send a BattleScribe or New Recruit roster. This XML file isn't one.")
    return _roster(_xml_tree(root, 0), "battlescribe")


def _tag(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _xml_tree(element: Element, depth: int) -> _Tree:
    if depth > 2 * MAX_SELECTION_DEPTH + 6:
        raise InvalidInput(NESTED)
    lists: dict[str, list[_Tree]] = {}
    values: dict[str, Any] = dict(element.attrib)
    for child in element:
        tag = _tag(child)
        if len(child) or not (child.text or "").strip():
            lists.setdefault(tag, []).extend(_xml_tree(element, depth + 1) for element in child)
        elif child.text:
            values[tag] = child.text
    if element.text and element.text.strip():
        values.setdefault("value", element.text)
    return _Tree(values, lists)


def read_json(text: str) -> ReadList:
    """Read a roster in New Recruit's JSON, or any JSON that lists models by name. Raises InvalidInput."""
    if depth_of(text) > MAX_JSON_DEPTH:
        raise InvalidInput(NESTED)
    try:
        values = json_values(text)
    except (ValueError, RecursionError):
        raise InvalidInput("This JSON is damaged. Check its quotes, commas and braces.") from None
    roster = values.get("roster", values) if isinstance(values, dict) else values
    if isinstance(roster, dict) and isinstance(roster.get("forces"), list):
        return _roster(_json_tree(roster), "newrecruit")
    models = next(_lists_of_models(values, 0), None) or _names_alone(values)
    if not models:
        raise InvalidInput("Send JSON that contains a list of models. Each model needs a name.")
    roster_fields = roster if isinstance(roster, dict) else {}
    inner = [value for value in roster_fields.values() if isinstance(value, dict) and "name" in value]
    roster_fields = inner[0] if len(inner) == 1 and "name" not in roster_fields else roster_fields
    require_few_entries(len(models))
    head = _Tree(roster_fields, {})
    title, game = head.text("name", "title", "crew"), head.text("game", "system")
    return ReadList("json", title, game, entries=tuple(map(_plain_model, models)))


def depth_of(text: str) -> int:
    """Return how deep the brackets of a text go, whatever it is."""
    deepest = depth = 0
    for bracket in re.findall(r"[][{}]", text):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _names_alone(values: object) -> Sequence[Json]:
    """Return the models of a bare list of names, or of names with their counts."""
    if isinstance(values, list) and all(isinstance(value, str) for value in values):
        return [{"name": value} for value in values]
    if isinstance(values, dict) and len(values) > 1 and all(type(value) is int for value in values.values()):
        return [{"name": name, "count": count} for name, count in values.items()]
    return ()


NAMES = ("name", "model", "unit", "character")
"""Keys under which other programs name a model."""


def _lists_of_models(values: object, depth: int) -> Iterator[Sequence[Json]]:
    if depth > 6:
        return
    if isinstance(values, list):
        tables = (value for value in values if isinstance(value, dict))
        models = [table for table in tables if any(isinstance(table.get(key), str) for key in NAMES)]
        if models:
            yield models
    inner = values.values() if isinstance(values, dict) else values if isinstance(values, list) else ()
    for table in inner:
        if isinstance(table, dict | list):
            yield from _lists_of_models(table, depth + 1)


def _plain_model(values: Json) -> ListEntry:
    tree = _json_tree(values)
    equipment: list[str] = []
    for key in ("equipment", "gear", "weapons", "options", "upgrades"):
        raw = values.get(key)
        listed = raw.split(",") if isinstance(raw, str) else raw if isinstance(raw, list) else ()
        equipment += [str(item.get("name", "")) if isinstance(item, dict) else str(item) for item in listed]
    return ListEntry(
        tree.text(*NAMES),
        _count(tree.text("count", "quantity", "number", "qty")),
        _parse_points(tree.text("points", "pts", "cost")),
        tuple(filter(None, (" ".join(item.split())[:80] for item in equipment[:40]))),
        called=tree.text("nickname", "called", "customName"),
        leader=values.get("leader") is True,
        note=tree.text("note", "notes"),
        kind="model",
        written=tree.text(*NAMES),
    )


def _json_tree(values: Json, depth: int = 0) -> _Tree:
    if depth > MAX_SELECTION_DEPTH + 2:
        raise InvalidInput(NESTED)
    lists = {
        key: [_json_tree(item, depth + 1) for item in value if isinstance(item, dict)]
        for key, value in values.items()
        if isinstance(value, list)
    }
    return _Tree({key: value for key, value in values.items() if not isinstance(value, list | dict)}, lists)


def _roster(tree: _Tree, form: str) -> ReadList:
    count = [0]
    forces = list(_forces(tree, 0))
    entries = [_selection(selection, 0, count) for force in forces for selection in force.below("selections")]
    return ReadList(
        form,
        tree.text("name"),
        tree.text("gameSystemName", "gameSystem", "game"),
        _points(tree),
        next((name for name in (force.text("catalogueName") for force in forces) if name), ""),
        entries=tuple(entries),
    )


def _forces(tree: _Tree, depth: int) -> Iterator[_Tree]:
    for force in tree.below("forces"):
        yield force
        if depth < 4:
            yield from _forces(force, depth + 1)


def _selection(tree: _Tree, depth: int, count: list[int]) -> ListEntry:
    count[0] += 1
    require_few_entries(count[0])
    if depth > MAX_SELECTION_DEPTH:
        raise InvalidInput(NESTED)
    parts = [_selection(selection, depth + 1, count) for selection in tree.below("selections")]
    upgrades = [part for part in parts if part.kind == "upgrade"]
    leader = any(is_leader(upgrade.name) for upgrade in upgrades)
    own_points = _points(tree)
    extra = sum(upgrade.points or 0 for upgrade in upgrades)
    name = tree.text("name")
    return ListEntry(
        name,
        _count(tree.text("number")),
        None if own_points is None and not extra else (own_points or 0) + extra,
        tuple(
            piece
            for upgrade in upgrades
            if not is_leader(upgrade.name)
            for piece in (
                upgrade.name if upgrade.count == 1 else f"{upgrade.count}x {upgrade.name}",
                *upgrade.equipment,
            )
        ),
        called=tree.text("customName"),
        leader=leader,
        note=tree.text("customNotes"),
        kind=tree.text("type"),
        figures=_figures(tree, name),
        parts=tuple(part for part in parts if part.kind != "upgrade"),
        written=name,
    )


def _points(tree: _Tree) -> int | None:
    costs = {cost.text("name").casefold(): cost for cost in tree.below("costs")}
    points_cost = next((costs[name] for name in COSTS if name in costs), None)
    return _parse_points(points_cost.text("value")) if points_cost is not None else None


def _figures(tree: _Tree, name: str) -> str:
    """Return a statblock of the product's own, else the figures of the profile of that name."""
    rows = [
        (
            profile.text("typeName"),
            [(child.text("name"), _characteristic(child)) for child in profile.below("characteristics")],
        )
        for profile in tree.below("profiles")
        if profile.text("typeName") == STATBLOCK or profile.text("name") == name
    ]
    for kind, figures in rows:
        if kind == STATBLOCK and figures:
            return unescaped(figures[0][1])[:4000]
    return ", ".join(f"{key} {value}" for _, figures in rows[:1] for key, value in figures if key)[:1000]


def _characteristic(tree: _Tree) -> str:
    return str(tree.values.get("value", tree.values.get("$text", "")))


def _parse_points(text: str) -> int | None:
    match = re.fullmatch(r"\s*(\d{1,5})(?:[.,]\d+)?\s*(?:pts?|points?)?\s*", text, re.I)
    return int(match[1]) if match else None


def _count(text: str) -> int:
    return min(max(_parse_points(text.strip("x×")) or 1, 1), MAX_COUNT)
