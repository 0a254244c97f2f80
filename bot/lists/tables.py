"""Tables: CSV with any separator, cells between tabs, and tables of Markdown."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.lists.entries import MAX_COUNT, ListEntry, ReadList, require_few_entries, unescaped
from bot.lists.names import LEADER, is_leader
from rules.wording import times

SEPARATORS = (";", "\t", ",", "|")
MAX_COLUMNS = 60

_WORDS = {
    "name": "name, model, miniature, character, trooper, fighter, figure, unit, profile, modell, einheit, "
    "figur, modèle, unité, figurine, modelo, unidad, modello, unità",
    "called": "called, nickname, own name, custom name, alias",
    "count": "qty, quantity, count, number, no, amount, x, models, how many, #, anzahl, menge, nombre, "
    "quantité, cantidad, quantità",
    "points": "points, pts, pt, cost, costs, price, value, total, point cost, punkte, kosten, coût, "
    "puntos, coste, punti",
    "equipment": "equipment, gear, wargear, weapons, weapon, options, upgrades, loadout, kit, ausrüstung, "
    "waffen, équipement, armes, equipo, armas, equipaggiamento",
    "leader": "leader, lieutenant, role, rank",
    "group": "group, squad, team, combat group, section, unit",
    "note": "note, notes, comment, comments, remarks, now",
    "figures": "statblock, stats",
    "kind": "kind",
}
HEADS = {key: tuple(words.split(", ")) for key, words in _WORDS.items()}
"""Names of columns, in several languages."""

MAX_ABOVE = 10
"""Rows above the one that names the columns."""

TITLES = (
    "crew",
    "crew name",
    "list",
    "list name",
    "army",
    "roster",
    "warband",
    "gang",
    "team",
    "force",
    "name",
)
FACTIONS = ("faction", "affiliation", "house", "allegiance", "sectorial", "army faction")
"""Words before the name of a list, and before its faction."""

KINDS = ("model", "miniature", "profile", "type", "class")
"""Names of columns that say which model it is, beside a column for its own name."""

YES = ("yes", "y", "true", "1", "x")


def read_table(text: str) -> ReadList | None:
    """Read a list in columns; None for any other text. Raises InvalidInput."""
    lines = [line for line in text.split("\n") if line.strip()]
    lines = lines[1:] if lines and re.fullmatch(r"sep=.", lines[0]) else lines
    piped = [line for line in lines if line.strip().startswith("|")]
    if len(piped) > 1:
        cells = [line.strip().strip("|") for line in piped if not re.fullmatch(r"[\s|:=-]+", line)]
        return _read([[re.sub(r"[*_`]", "", cell).strip() for cell in line.split("|")] for line in cells])
    if len(lines) < 2 or re.search(r"[(\[]\s*[\d.,]+\s*\|", lines[0]):
        return None
    for separator in SEPARATORS:
        if any(separator in line for line in lines[:MAX_ABOVE]):
            rows = _rows("\n".join(lines), separator)
            read_list = _read(rows) if rows else None
            if read_list is not None:
                return read_list
    return None


def _rows(text: str, separator: str) -> list[list[str]]:
    try:
        rows = list(csv.reader(text.split("\n"), delimiter=separator))
    except csv.Error:
        return []
    rows = [[_cell(cell) for cell in row] for row in rows if any(cell.strip() for cell in row)]
    return rows if all(len(row) <= MAX_COLUMNS for row in rows) else []


def _cell(text: str) -> str:
    text = " ".join(text.split(" ")).strip()
    return text[1:] if re.match(r"'[=+\-@]", text) else text


def _read(rows: Sequence[Sequence[str]]) -> ReadList | None:
    rows_above, rows = _above(rows)
    columns = _columns(rows[0]) if rows else {}
    body = rows[1:]
    if "name" not in columns or len(columns) < 2:
        columns, body = _guessed(rows), rows
    stats = _stat_columns(rows, columns) if body is not rows and rows else []
    unread = _unknown_columns(rows[0], [*columns.values(), *stats]) if body is not rows and rows else []
    if "name" not in columns and rows and not any(map(number_in, rows[0])):
        columns, body = _guessed(rows[1:]), rows[1:]
        unread.append(", ".join(filter(None, rows[0])))
    if "name" not in columns:
        return None
    require_few_entries(len(body))
    carried = _equipment_columns(rows[0], columns) if _columns(rows[0]) == columns else {}
    entries = []
    total, none = None, 0
    for row in body:
        cells = {key: row[place] for key, place in columns.items() if place < len(row)}
        if re.fullmatch(r"(grand )?(total|sum)s?:?", cells.get("name", ""), re.I):
            total = number_in(cells.get("points", ""))
        elif number_in(cells.get("count", "")) == 0:
            none += 1  # such a sheet names everything that there is
        elif cells.get("name"):
            entry = _entry(cells, row)
            stat_words = [
                piece
                for place, sign in carried.items()
                if place < len(row)
                for piece in pieces(row[place], sign)
            ]
            stats_shown = [f"{rows[0][n]} {row[n]}" for n in stats if n < len(row) and row[n]]
            figures = entry.figures or ", ".join(stats_shown)
            entries.append(replace(entry, equipment=(*entry.equipment, *stat_words), figures=figures))
        else:
            unread.append(", ".join(filter(None, row)))
    labels = {row[0].casefold().strip(" :"): row[1] for row in rows_above if len(row) > 1 and row[1]}
    titles = [row[0] for row in rows_above if len(list(filter(None, row))) == 1 and row[0]]
    title = next((labels.pop(key) for key in TITLES if key in labels), titles.pop(0) if titles else "")
    faction = next((labels.pop(key) for key in FACTIONS if key in labels), "")
    unread += [f"{times(none, 'row')} with a count of 0"] if none else []
    unread += [*(f"{key}: {text}" for key, text in labels.items()), *titles]
    return ReadList("csv", title, points=total, faction=faction, entries=tuple(entries), unread=tuple(unread))


def _above(rows: Sequence[Sequence[str]]) -> tuple[Sequence[Sequence[str]], Sequence[Sequence[str]]]:
    """Return what stands above the row that names the columns, and the table from that row on."""
    for place, row in enumerate(rows[:MAX_ABOVE]):
        columns = _columns(row)
        if "name" in columns and len(columns) > 1:
            return rows[:place], rows[place:]
    return (), rows


def _stat_columns(rows: Sequence[Sequence[str]], columns: Mapping[str, int]) -> list[int]:
    """Return the columns of figures, if there are enough for statblocks."""
    stat_places = [
        place
        for place, name in enumerate(rows[0])
        if place not in columns.values() and re.fullmatch(r"[A-Za-z]{1,9}", name)
        if all(re.fullmatch(r"[+-]?\d[\dD+/\-\".]*|", row[place]) for row in rows[1:] if place < len(row))
    ]
    return stat_places if len(stat_places) > 3 else []


def _columns(head: Sequence[str]) -> dict[str, int]:
    """The columns that the first row names; of two words for one thing the likelier is taken."""
    names = [re.sub(r"[^\w# ]|\d", "", cell.casefold()).strip() for cell in head]
    columns: dict[str, int] = {}
    for key, words in HEADS.items():
        place = next((names.index(word) for word in words if word in names), None)
        if place is not None and place not in columns.values():
            columns[key] = place
    kind = next((names.index(kind_name) for kind_name in KINDS if kind_name in names), None)
    if kind is not None and columns.get("name") not in (kind, None) and "called" not in columns:
        columns |= {"called": columns["name"], "name": kind}
    return columns


def _unknown_columns(head: Sequence[str], columns: Sequence[int]) -> list[str]:
    known_words = {word for words in HEADS.values() for word in words}
    names = [name for place, name in enumerate(head) if place not in columns and name]
    return [f"column {name}" for name in names if name.casefold().strip() not in known_words]


def _equipment_columns(head: Sequence[str], columns: dict[str, int]) -> dict[int, str]:
    """Every column of equipment, with the sign between its pieces: a sheet tells figures between commas."""
    columns.pop("equipment", None)
    names = [cell.casefold().strip() for cell in head]
    return {
        place: ";" if name == "weapons" and "kind" in columns else ""
        for place, name in enumerate(names)
        if name in HEADS["equipment"] and place not in columns.values()
    }


def _guessed(rows: Sequence[Sequence[str]]) -> dict[str, int]:
    """The columns of a table without a first row of names: a word, and a number that is a count or points."""
    width = len(rows[0])
    if len(rows) < 2 or width < 2 or any(len(row) != width for row in rows):
        return {}
    numbers = [place for place in range(width) if all(number_in(row[place]) is not None for row in rows)]
    words = [place for place in range(width) if place not in numbers and all(row[place] for row in rows)]
    if not numbers or not words or any(len(row[words[0]].split()) > 6 for row in rows):
        return {}
    guessed = {"name": words[0]}
    if numbers[0] == 0 and all(re.fullmatch(r"\d+[.)]", row[0]) for row in rows):
        return {}
    for place in numbers:
        is_count = place < words[0] or all((number_in(row[place]) or 0) < 10 for row in rows)
        guessed.setdefault("count" if is_count and "count" not in guessed else "points", place)
    others = [place for place in range(width) if place not in (*numbers, words[0])]
    return {**guessed, "equipment": others[0]} if others else guessed


def _entry(cells: Mapping[str, str], row: Sequence[str]) -> ListEntry:
    kind, colon, _ = cells.get("kind", "").partition(":")
    counted = re.match(r"(\d{1,2})\s*[x×]\s*(?=\D)", cells["name"], re.I) if "count" not in cells else None
    count = int(counted[1]) if counted else number_in(cells.get("count", ""))
    name, marks = re.subn(rf"\s*[\[(]\s*(?:{LEADER}|L)\s*[\])]", "", cells["name"], flags=re.I)
    entry = ListEntry(
        name[counted.end() :] if counted else name,
        min(max(count or 1, 1), MAX_COUNT),
        number_in(cells.get("points", "")),
        pieces(cells.get("equipment", "")),
        called=cells.get("called", ""),
        leader=bool(marks) or cells.get("leader", "").casefold() in YES or is_leader(cells.get("leader", "")),
        group=re.sub(r"^(\d+)$", r"Group \1", cells.get("group", "")),
        note=cells.get("note", ""),
        figures=unescaped(cells.get("figures", "")),
        written=", ".join(filter(None, row))[:200],
    )
    return replace(entry, name=kind.strip(), called=entry.called or entry.name) if colon else entry


def pieces(text: str, sign: str = "") -> tuple[str, ...]:
    """Return the pieces of equipment in a cell or at the end of a line, each by its name alone.

    Pieces stand between semicolons, or where there are none between commas; figures after a name go.
    sign: the sign that alone stands between them.
    """
    parts = re.split(r"[;•·]", text) if sign or ";" in text else re.split(r"[,/•·|]| & | \+ | and ", text)
    names = [" ".join(part.split(",")[0].split()).strip(" .-–—") for part in parts]
    return tuple(name[:80] for name in names[:40] if name and name != "-")


def number_in(text: str) -> int | None:
    """Return the number that a text is, with a unit or a sign of a count; None if it is another text."""
    match = re.fullmatch(r"\s*[x×]?\s*(\d{1,5})(?:[.,]0+)?\s*[x×]?\s*(?:pts?|points?)?[.)]?\s*", text, re.I)
    return int(match[1]) if match else None
