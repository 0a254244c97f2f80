"""A crew's battle sheet as values, and the same as text, JSON and CSV.

Owns the contents of a sheet and their order; their places on the paper are in `layout`. Knows no game.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TypeVar

from rules.wording import times

Key = TypeVar("Key")

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that a spreadsheet would take for a formula."""


@dataclass(frozen=True, slots=True)
class Card:
    """One model. kind: what it is, in a line. figures: its statblock as it stands, each with its name.

    weapons: one row each, as long as the sheet's head of weapons. lines: what else it has, each under a word.
    marks: what became of it, injuries first. boxes: what is ticked at the table, each with how many.
    away: it does not play the next game. statblock: the one of its own as it can be typed again; empty for a
    printed one.
    """

    name: str
    points: int
    kind: str
    figures: tuple[tuple[str, str], ...]
    weapons: tuple[tuple[str, ...], ...] = ()
    lines: tuple[tuple[str, str], ...] = ()
    marks: tuple[str, ...] = ()
    boxes: tuple[tuple[str, int], ...] = ()
    leader: bool = False
    away: bool = False
    statblock: str = ""

    @property
    def title(self) -> str:
        """Return the model's name, with its role in the crew."""
        return f"{self.name}{' (leader)' if self.leader else ''}{' (sits out)' if self.away else ''}"


@dataclass(frozen=True, slots=True)
class Sheet:
    """A crew. heading: lines below its name. head: what the columns of weapons are called.

    quick: what the rules of its members say, each under its name.
    """

    title: str
    heading: tuple[str, ...]
    head: tuple[str, ...]
    cards: tuple[Card, ...]
    quick: tuple[tuple[str, str], ...] = ()


def picked(chart: Mapping[Key, tuple[str, str]], had: Iterable[Key]) -> list[tuple[str, str]]:
    """Return the rows of a game's quick chart for the keys that are used, in the chart's order."""
    present = set(had)
    return [row for key, row in chart.items() if key in present]


def as_text(sheet: Sheet) -> str:
    """Return everything in reading order, one thing on each line, for screen readers."""
    lines = [sheet.title, *sheet.heading]
    for card in sheet.cards:
        lines += ["", f"{card.title}, {times(card.points, 'point')}" if card.points else card.title]
        lines += card_lines(card, sheet.head)
        lines += [f"Statblock: {escaped(card.statblock)}"] if card.statblock else []
        lines.append("Boxes to tick: " + ", ".join(f"{name} {count}" for name, count in card.boxes))
    lines += ["", "From the rules:"] if sheet.quick else []
    lines += [f"{name}: {words}" for name, words in sheet.quick]
    return "\n".join(lines) + "\n"


def card_lines(card: Card, head: Sequence[str]) -> list[str]:
    """Return what a card says below its name, a thing a line."""
    return [
        card.kind,
        ", ".join(f"{name} {value}" for name, value in card.figures),
        *([f"Now: {', '.join(card.marks)}"] if card.marks else []),
        *(f"Weapon: {_told(head, row)}" for row in card.weapons),
        *(f"{name}: {value}" for name, value in card.lines),
    ]


def escaped(text: str) -> str:
    """Return lines as one: a break becomes \\n, and a backslash two."""
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def _told(head: Sequence[str], row: Sequence[str]) -> str:
    pairs = ((name if name.isupper() else name.lower(), value) for name, value in zip(head, row, strict=True))
    return ", ".join([row[0], *(f"{name} {value}" for name, value in list(pairs)[1:] if value)])


def as_json(sheet: Sheet) -> str:
    """Return everything for programs, with weapons by the names of their columns."""
    fields = asdict(sheet)
    for card in fields["cards"]:
        card["figures"] = dict(card["figures"])
        card["boxes"] = dict(card["boxes"])
        card["weapons"] = [dict(zip(sheet.head, row, strict=True)) for row in card["weapons"]]
    del fields["head"]
    return json.dumps({"format": "adjutant-sheet", "version": 1, **fields}, ensure_ascii=False, indent=1)


def as_csv(sheet: Sheet) -> str:
    """Return one line for each model, for spreadsheets; no cell begins a formula."""
    names = list(dict.fromkeys(name for card in sheet.cards for name, _ in card.figures))
    also = list(dict.fromkeys(name for card in sheet.cards for name, _ in card.lines))
    extra_columns = ["Statblock"] if any(card.statblock for card in sheet.cards) else []
    rows = [["Name", "Points", "Leader", "Sits out", "Kind", *names, "Now", "Weapons", *extra_columns, *also]]
    for card in sheet.cards:
        figures, lines = dict(card.figures), dict(card.lines)
        weapons = "; ".join(_told(sheet.head, row) for row in card.weapons)
        row = [
            card.name,
            str(card.points),
            "yes" if card.leader else "",
            "yes" if card.away else "",
            card.kind,
        ]
        row += [*(figures.get(name, "") for name in names), ", ".join(card.marks), weapons]
        row += [escaped(card.statblock)] if extra_columns else []
        rows.append([*row, *(lines.get(name, "") for name in also)])
    return csv_text(rows)


def csv_text(rows: Iterable[Sequence[str]]) -> str:
    """Return rows as CSV; no cell begins a formula."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerows([_cell(text) for text in row] for row in rows)
    return stream.getvalue()


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(FORMULA) else text
