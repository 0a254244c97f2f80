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

COLUMNS = ("Qty", "Name", "Custom name", "Points", "Leader", "Equipment", "Notes", "Statblock")
_SIGNS = re.compile(r"[^\w\s'’.!?&#]")


def write_plain(army: ReadList) -> str:
    """Write a line for each model, as in a chat."""
    return (
        "\n".join([_title(army), "", *(line for entry in army.entries for line in _entry_lines(entry))])
        + "\n"
    )


def write_markdown(army: ReadList) -> str:
    """Write the same with emphasis and bullets."""
    lines = [f"**{army.title}** | {army.points} pts" if army.points else f"## {army.title}", ""]
    for entry in army.entries:
        first, *details = _entry_lines(entry)
        lines += [f"- {first}", *details]
    return "\n".join(lines) + "\n"


def _title(army: ReadList) -> str:
    return f"# {army.title} ({army.points} pts)" if army.points else f"# {army.title}"


def _entry_lines(entry: ListEntry) -> list[str]:
    name, label = entry.name, entry.called
    if _SIGNS.search(name) and entry.figures:
        name, label = "Model", label or name
    parts = [f"{entry.count}x " if entry.count > 1 else "", name, f' "{label}"' if label else ""]
    parts += [
        " (leader)" if entry.leader else "",
        f" with {', '.join(entry.equipment)}" if entry.equipment else "",
    ]
    parts += [
        f" - {entry.points} pts" if entry.points else "",
        " each" if entry.points and entry.count > 1 else "",
    ]
    details = [f"    Statblock: {escaped(entry.figures)}"] if entry.figures else []
    details += [f"    Note: {entry.note}"] if entry.note else []
    return ["".join(parts), *details]


def write_csv(army: ReadList) -> str:
    """Write a row for each model, for spreadsheets; no cell begins a formula."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for entry in army.entries:
        cells = (
            str(entry.count),
            entry.name,
            entry.called,
            "" if entry.points is None else str(entry.points),
            "yes" if entry.leader else "",
            "; ".join(entry.equipment),
            entry.note,
            escaped(entry.figures),
        )
        writer.writerow([f"'{cell}" if cell.startswith(FORMULA) else cell for cell in cells])
    return stream.getvalue()


def write_battlescribe(army: ReadList) -> str:
    """Write BattleScribe's roster."""
    root = Element("roster", _roster(army) | {"battleScribeVersion": "2.03", "xmlns": NAMESPACE})
    _costs(root, army.points)
    force = SubElement(SubElement(root, "forces"), "force", {"id": "f1", "name": "Crew"})
    if army.faction:
        force.set("catalogueName", army.faction)
    selections = SubElement(force, "selections")
    for place, entry in enumerate(army.entries, 1):
        _selection(selections, entry, f"s{place}")
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n{tostring(root, encoding="unicode")}\n'


def _roster(army: ReadList) -> dict[str, str]:
    return {"id": "r1", "name": army.title, "gameSystemName": army.game}


def _costs(parent: Element, points: int | None) -> None:
    if points is not None:
        costs = SubElement(parent, "costs")
        SubElement(costs, "cost", {"name": "pts", "typeId": "points", "value": f"{points}.0"})


def _selection(parent: Element, entry: ListEntry, key: str) -> None:
    values = {"id": key, "name": entry.name, "number": str(entry.count), "type": "model"}
    values |= {"customName": entry.called} if entry.called else {}
    element = SubElement(parent, "selection", values)
    if entry.note:
        SubElement(element, "customNotes").text = entry.note
    _costs(element, None if entry.points is None else entry.points * entry.count)
    upgrades = _upgrades(entry)
    if upgrades:
        children = SubElement(element, "selections")
        for place, name in enumerate(upgrades):
            SubElement(
                children,
                "selection",
                {"id": f"{key}u{place}", "name": name, "number": "1", "type": "upgrade"},
            )
    if entry.figures:
        profile = SubElement(
            SubElement(element, "profiles"), "profile", {"name": entry.name, "typeName": STATBLOCK}
        )
        characteristics = SubElement(profile, "characteristics")
        SubElement(characteristics, "characteristic", {"name": "Text"}).text = escaped(entry.figures)


def _upgrades(entry: ListEntry) -> list[str]:
    return [*(["Leader"] if entry.leader else []), *entry.equipment]


def write_packed(army: ReadList) -> bytes:
    """Write BattleScribe's roster as a `.rosz`."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(zipfile.ZipInfo("roster.ros", (2020, 1, 1, 0, 0, 0)), write_battlescribe(army))
    return stream.getvalue()


def write_newrecruit(army: ReadList) -> str:
    """Write New Recruit's JSON."""
    force: dict[str, Any] = {"name": "Crew", "selections": [_selected(entry) for entry in army.entries]}
    if army.faction:
        force["catalogueName"] = army.faction
    roster = {"name": army.title, "gameSystemName": army.game, "costs": _cost(army.points), "forces": [force]}
    return json.dumps({"roster": roster}, ensure_ascii=False, indent=1) + "\n"


def _cost(points: int | None) -> list[dict[str, object]]:
    return [] if points is None else [{"name": "pts", "value": points}]


def _selected(entry: ListEntry) -> Mapping[str, object]:
    fields: dict[str, object] = {"name": entry.name, "type": "model", "number": entry.count}
    fields |= {"customName": entry.called} if entry.called else {}
    fields |= {"customNotes": entry.note} if entry.note else {}
    fields["costs"] = _cost(None if entry.points is None else entry.points * entry.count)
    fields["selections"] = [{"name": name, "type": "upgrade", "number": 1} for name in _upgrades(entry)]
    if entry.figures:
        text = {"name": "Text", "$text": escaped(entry.figures)}
        fields["profiles"] = [{"name": entry.name, "typeName": STATBLOCK, "characteristics": [text]}]
    return fields


def write_army(army: ReadList) -> str:
    """Write an army list with Combat Groups, as Infinity's players do. Equipment is what each carries."""
    lines = [f"{army.title} | {army.points or 0} Points"]
    groups = list(dict.fromkeys(entry.group for entry in army.entries))
    for group in groups:
        group_entries = [entry for entry in army.entries if entry.group == group]
        lines += ["", group.upper()] if group else [""]
        lines += [line for entry in group_entries for line in _trooper(entry)]
    return "\n".join(lines) + "\n"


def _trooper(entry: ListEntry) -> Iterable[str]:
    name, label = entry.name, entry.called
    if entry.figures:
        name, label = "MODEL" if _SIGNS.search(name) else name, label or name
    count, leader = f"{entry.count}x " if entry.count > 1 else "", " (Lieutenant)" if entry.leader else ""
    quoted_name = f' "{label}"' if label else ""
    carried = f" {', '.join(entry.equipment)}." if entry.equipment else ""
    yield f"{count}{name.upper()}{quoted_name}{leader}{carried} (0 | {entry.points or 0})"
    if entry.figures:
        yield f"    Statblock: {escaped(entry.figures)}"
    if entry.note:
        yield f"    Note: {entry.note}"


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
