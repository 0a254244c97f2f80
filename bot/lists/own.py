"""The product's own written forms: a crew as text and as JSON, and a battle sheet as text and as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from bot.lists.entries import MAX_DEPTH, ListEntry, ReadList, escaped, require_few_entries, unescaped
from bot.lists.rosters import depth_of
from bot.lists.tables import pieces
from rules.json_text import json_values
from rules.refusals import InvalidInput

FORMAT = "adjutant-crew"
SHEET = "adjutant-sheet"
VERSION = 1
YES, NO = ("yes", "true", "1"), ("no", "false", "0")
CARRIED = ("gear", "weapons", "weapon")

_SHEET_HEAD = re.compile(r"(.+?)(?P<leader> \(leader\))?(?: \(sits out\))?(?:, (?P<points>\d{1,5}) points)?")
_TICKS = re.compile(r"^(?:Boxes to|To) tick: ", re.MULTILINE)
"""How a model's last line on a battle sheet begins; earlier versions wrote `To tick`."""

# ------------------------------------------------------------------------------------------- writing


def write_text(crew: ReadList) -> str:
    """Write a crew for people: a heading, then a paragraph for each member."""
    lines = [f"Crew: {crew.title}", f"Game: {crew.game}"]
    lines += [f"{key.capitalize()}: {value}" for key, value in crew.traits.items() if value]
    for entry in crew.entries:
        lines += ["", f"Member: {entry.called or entry.name}"]
        lines += ["  leader: yes"] if entry.leader else []
        lines += [f"  {key}: {escaped(value)}" for key, value in entry.words.items() if value]
        lines += [f"  points: {entry.points}"] if entry.points is not None else []
        lines += [f"  note: {entry.note}"] if entry.note else []
    return "\n".join(lines) + "\n"


def write_json(crew: ReadList) -> str:
    """Write a crew for programs."""
    members = [
        {
            "name": entry.called or entry.name,
            "points": entry.points,
            "leader": entry.leader,
            "note": entry.note,
            "profile": dict(entry.values),
        }
        for entry in crew.entries
    ]
    document = {
        "format": FORMAT,
        "version": VERSION,
        "game": crew.game,
        "name": crew.title,
        "traits": dict(crew.traits),
        "members": members,
    }
    return json.dumps(document, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


# ------------------------------------------------------------------------------------------- reading


def is_crew_text(text: str) -> bool:
    """Return whether a text is a crew as `write_text` writes it."""
    begins = re.match(r"\s*(?:#.*\n\s*)*(?:crew|game|member):", text, re.I)
    return begins is not None and re.search(r"^\s*member:", text, re.I | re.M) is not None


def read_crew_text(text: str) -> ReadList:
    """Read a crew as text."""
    head: dict[str, str] = {}
    members: list[dict[str, str]] = []
    unread = []
    for line in text.split("\n"):
        key, colon, value = line.partition(":")
        key, value = key.strip().casefold(), value.strip()
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if key == "member" and colon:
            members.append({"member": value})
            continue
        target = members[-1] if members else head
        is_unclear = (key == "leader" and value.casefold() not in (*YES, *NO)) or (
            key == "points" and not re.fullmatch(r"[0-9]{1,5}", value)
        )
        if not colon or not key or len(key) > 30 or key in target or is_unclear:
            unread.append(line.strip())
        else:
            target[key] = value
    require_few_entries(len(members))
    title, game = head.pop("crew", ""), head.pop("game", "")
    return ReadList(
        "crew", title, game, traits=head, entries=tuple(map(_member, members)), unread=tuple(unread)
    )


def _member(fields: dict[str, str]) -> ListEntry:
    name, points = fields.pop("member"), fields.pop("points", "")
    leader, note = fields.pop("leader", "").casefold() in YES, fields.pop("note", "")
    return ListEntry(
        fields.get("from", "") or name,
        points=int(points) if points else None,
        called=name,
        leader=leader,
        note=note,
        kind="member",
        words={key: unescaped(value) for key, value in (fields or {"from": name}).items()},
        written=name,
    )


def read_own_json(text: str) -> ReadList | None:
    """Read a crew or a sheet as JSON; None for other JSON. Raises InvalidInput for a damaged one."""
    if FORMAT not in text[:100_000] and SHEET not in text[:200]:
        return None
    if depth_of(text) > MAX_DEPTH:
        return None
    try:
        values = json_values(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(values, dict) or values.get("format") not in (FORMAT, SHEET):
        return None
    if values.get("version") != VERSION:
        raise InvalidInput(f"Export this list again. Only version {VERSION} of its format can be read.")
    try:
        return _crew(values) if values["format"] == FORMAT else _sheet(values)
    except (KeyError, TypeError, AttributeError, ValueError):
        raise InvalidInput("This JSON is damaged. Export the list again.") from None


CREW_KEYS: Mapping[str, type] = {
    "format": str,
    "version": int,
    "game": str,
    "name": str,
    "traits": dict,
    "members": list,
}
MEMBER_KEYS: Mapping[str, type] = {"name": str, "points": int, "leader": bool, "note": str, "profile": dict}


def _crew(values: Mapping[str, Any]) -> ReadList:
    members = values["members"]
    require_few_entries(len(members))
    unread = _strange("", values, CREW_KEYS)
    for member in members:
        unread += _strange(f"{member['name']}: ", member, MEMBER_KEYS)
    entries = tuple(
        ListEntry(
            str(member["name"]),
            points=_points(member.get("points")),
            called=str(member["name"]),
            leader=member.get("leader") is True,
            note=str(member.get("note") or ""),
            kind="member",
            values=dict(member["profile"]),
            written=str(member["name"]),
        )
        for member in members
    )
    traits = {str(key): str(value) for key, value in values.get("traits", {}).items()}
    title, game = str(values.get("name", "")), str(values.get("game", ""))
    return ReadList("crew", title, game, traits=traits, entries=entries, unread=tuple(unread))


def _points(value: object) -> int | None:
    return value if type(value) is int and 0 <= value < 100_000 else None


def _strange(place: str, values: Mapping[str, Any], allowed: Mapping[str, type]) -> list[str]:
    """List the keys that are unknown, and those with a value of another kind."""
    unknown = [key for key in values if key not in allowed]
    wrong_values = [
        key for key, kind in allowed.items() if values.get(key) is not None and type(values[key]) is not kind
    ]
    return [f"{place}{key}: {values[key]}"[:200] for key in (*unknown, *wrong_values)]


def _sheet(values: Mapping[str, Any]) -> ReadList:
    cards = values["cards"]
    require_few_entries(len(cards))
    entries = []
    for card in cards:
        carried = [str(row.get("Weapon", "")) for row in card["weapons"]]
        for name, words in card["lines"]:
            if str(name).casefold() in CARRIED:
                carried += pieces(str(words))
        kind, colon, _ = str(card["kind"]).partition(":")
        name = str(card["name"])
        entries.append(
            ListEntry(
                kind if colon else name,
                points=int(card["points"]) or None,
                equipment=tuple(filter(None, carried)),
                called=name if colon else "",
                leader=card["leader"] is True,
                note=", ".join(map(str, card["marks"])),
                kind="model",
                figures=str(card.get("statblock", "")),
                written=name,
            )
        )
    game = str(next(iter(values["heading"]), "")).partition(",")[0]
    return ReadList("sheet", str(values["title"]), game, entries=tuple(entries))


def is_sheet_text(text: str) -> bool:
    """Return whether a text is a battle sheet as this product writes it."""
    return _TICKS.search(text) is not None


def read_sheet_text(text: str) -> ReadList:
    """Read a battle sheet as text: a paragraph a card, each with its boxes to tick."""
    head, *paragraphs = [block.split("\n") for block in re.split(r"\n\s*\n", text.strip())]
    entries = []
    for block in paragraphs:
        if not any(map(_TICKS.match, block)):
            continue
        first = _SHEET_HEAD.fullmatch(block[0].strip())
        assert first is not None, "it takes any line"
        kind, colon, _ = block[1].partition(":")
        pairs = [line.partition(": ") for line in block[2:]]
        weapons = [value.split(",")[0] for key, _, value in pairs if key == "Weapon"]
        gear = [item for key, _, value in pairs if key == "Gear" for item in pieces(value)]
        block_text = next((value for key, _, value in pairs if key == "Statblock"), "")
        entries.append(
            ListEntry(
                kind.strip() if colon else first[1],
                points=int(first["points"]) if first["points"] else None,
                equipment=(*weapons, *gear),
                called=first[1] if colon else "",
                leader=first["leader"] is not None,
                note=next((value for key, _, value in pairs if key == "Now"), ""),
                kind="model",
                figures=unescaped(block_text),
                written=block[0].strip(),
            )
        )
    require_few_entries(len(entries))
    game = head[1].partition(",")[0] if len(head) > 1 else ""
    return ReadList("sheet", head[0].strip(), game, entries=tuple(entries))
