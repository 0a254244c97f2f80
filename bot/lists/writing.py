"""The neutral list written as players and list builders write it; `reader` reads each of these again."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from bot.lists.entries import ListEntry, ReadList, escaped
from bot.lists.rosters import STATBLOCK

NAMESPACE = "http://www.battlescribe.net/schema/rosterSchema"
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that a spreadsheet would take for a formula."""

COLUMNS = ("Qty", "Name", "Own name", "Points", "Leader", "Equipment", "Notes", "Statblock")
_SIGNS = re.compile(r"[^\w\s'’.!?&#]")


def write_plain(read: ReadList) -> str:
    """Write a line for each model, as in a chat."""
    return "\n".join([_title(read), "", *(line for one in read.entries for line in _entry_lines(one))]) + "\n"


def write_markdown(read: ReadList) -> str:
    """Write the same with emphasis and bullets."""
    lines = [f"**{read.title}** | {read.points} pts" if read.points else f"## {read.title}", ""]
    for one in read.entries:
        first, *more = _entry_lines(one)
        lines += [f"- {first}", *more]
    return "\n".join(lines) + "\n"


def _title(read: ReadList) -> str:
    return f"# {read.title} ({read.points} pts)" if read.points else f"# {read.title}"


def _entry_lines(one: ListEntry) -> list[str]:
    name, called = one.name, one.called
    if _SIGNS.search(name) and one.figures:
        name, called = "Model", called or name
    parts = [f"{one.count}x " if one.count > 1 else "", name, f' "{called}"' if called else ""]
    parts += [" (leader)" if one.leader else "", f" with {', '.join(one.equipment)}" if one.equipment else ""]
    parts += [f" - {one.points} pts" if one.points else "", " each" if one.points and one.count > 1 else ""]
    more = [f"    Statblock: {escaped(one.figures)}"] if one.figures else []
    more += [f"    Note: {one.note}"] if one.note else []
    return ["".join(parts), *more]


def write_csv(read: ReadList) -> str:
    """Write a row for each model, for spreadsheets; no cell begins a formula."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for one in read.entries:
        cells = (
            str(one.count),
            one.name,
            one.called,
            "" if one.points is None else str(one.points),
            "yes" if one.leader else "",
            "; ".join(one.equipment),
            one.note,
            escaped(one.figures),
        )
        writer.writerow([f"'{cell}" if cell.startswith(FORMULA) else cell for cell in cells])
    return stream.getvalue()


def write_battlescribe(read: ReadList) -> str:
    """Write BattleScribe's roster."""
    root = Element("roster", _roster(read) | {"battleScribeVersion": "2.03", "xmlns": NAMESPACE})
    _costs(root, read.points)
    force = SubElement(SubElement(root, "forces"), "force", {"id": "f1", "name": "Crew"})
    if read.faction:
        force.set("catalogueName", read.faction)
    selections = SubElement(force, "selections")
    for place, one in enumerate(read.entries, 1):
        _selection(selections, one, f"s{place}")
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n{tostring(root, encoding="unicode")}\n'


def _roster(read: ReadList) -> dict[str, str]:
    return {"id": "r1", "name": read.title, "gameSystemName": read.game}


def _costs(parent: Element, points: int | None) -> None:
    if points is not None:
        costs = SubElement(parent, "costs")
        SubElement(costs, "cost", {"name": "pts", "typeId": "points", "value": f"{points}.0"})


def _selection(parent: Element, one: ListEntry, key: str) -> None:
    values = {"id": key, "name": one.name, "number": str(one.count), "type": "model"}
    values |= {"customName": one.called} if one.called else {}
    made = SubElement(parent, "selection", values)
    if one.note:
        SubElement(made, "customNotes").text = one.note
    _costs(made, None if one.points is None else one.points * one.count)
    upgrades = _upgrades(one)
    if upgrades:
        below = SubElement(made, "selections")
        for place, name in enumerate(upgrades):
            SubElement(
                below, "selection", {"id": f"{key}u{place}", "name": name, "number": "1", "type": "upgrade"}
            )
    if one.figures:
        profile = SubElement(
            SubElement(made, "profiles"), "profile", {"name": one.name, "typeName": STATBLOCK}
        )
        characteristics = SubElement(profile, "characteristics")
        SubElement(characteristics, "characteristic", {"name": "Text"}).text = escaped(one.figures)


def _upgrades(one: ListEntry) -> list[str]:
    return [*(["Leader"] if one.leader else []), *one.equipment]


def write_packed(read: ReadList) -> bytes:
    """Write BattleScribe's roster as a `.rosz`."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(zipfile.ZipInfo("roster.ros", (2020, 1, 1, 0, 0, 0)), write_battlescribe(read))
    return stream.getvalue()


def write_newrecruit(read: ReadList) -> str:
    """Write New Recruit's JSON."""
    force: dict[str, Any] = {"name": "Crew", "selections": [_selected(one) for one in read.entries]}
    if read.faction:
        force["catalogueName"] = read.faction
    roster = {"name": read.title, "gameSystemName": read.game, "costs": _cost(read.points), "forces": [force]}
    return json.dumps({"roster": roster}, ensure_ascii=False, indent=1) + "\n"


def _cost(points: int | None) -> list[dict[str, object]]:
    return [] if points is None else [{"name": "pts", "value": points}]


def _selected(one: ListEntry) -> Mapping[str, object]:
    made: dict[str, object] = {"name": one.name, "type": "model", "number": one.count}
    made |= {"customName": one.called} if one.called else {}
    made |= {"customNotes": one.note} if one.note else {}
    made["costs"] = _cost(None if one.points is None else one.points * one.count)
    made["selections"] = [{"name": name, "type": "upgrade", "number": 1} for name in _upgrades(one)]
    if one.figures:
        text = {"name": "Text", "$text": escaped(one.figures)}
        made["profiles"] = [{"name": one.name, "typeName": STATBLOCK, "characteristics": [text]}]
    return made


def write_army(read: ReadList) -> str:
    """Write an army list with Combat Groups, as Infinity's players do. Equipment is what each carries."""
    lines = [f"{read.title} | {read.points or 0} Points"]
    groups = list(dict.fromkeys(one.group for one in read.entries))
    for group in groups:
        some = [one for one in read.entries if one.group == group]
        lines += ["", group.upper()] if group else [""]
        lines += [line for one in some for line in _trooper(one)]
    return "\n".join(lines) + "\n"


def _trooper(one: ListEntry) -> Iterable[str]:
    name, called = one.name, one.called
    if one.figures:
        name, called = "MODEL" if _SIGNS.search(name) else name, called or name
    count, leader = f"{one.count}x " if one.count > 1 else "", " (Lieutenant)" if one.leader else ""
    own = f' "{called}"' if called else ""
    carried = f" {', '.join(one.equipment)}." if one.equipment else ""
    yield f"{count}{name.upper()}{own}{leader}{carried} (0 | {one.points or 0})"
    if one.figures:
        yield f"    Statblock: {escaped(one.figures)}"
    if one.note:
        yield f"    Note: {one.note}"


WRITERS: Mapping[str, tuple[str, Callable[[ReadList], str | bytes]]] = {
    "list": ("txt", write_plain),
    "markdown": ("md", write_markdown),
    "csv": ("csv", write_csv),
    "battlescribe": ("ros", write_battlescribe),
    "battlescribe_zip": ("rosz", write_packed),
    "new_recruit": ("json", write_newrecruit),
    "army_list": ("txt", write_army),
}
"""By the name of the form: how its files end, and what writes it."""

FORMS: Sequence[str] = tuple(WRITERS)
