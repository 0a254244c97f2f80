"""What the file of an exported game proves by itself: its bytes, the chain of hashes, the seed, the faces.

The chain is held against the heads that stood in the channel while the game was played.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from bot.store.book import Mismatch, apply, from_json
from bot.store.errors import StoreError
from bot.store.journal import CHAINED, PUBLISHED, compact, link
from bot.store.meant import NOBODY, NotTheirs, Reader
from bot.store.rows import Columns, EncounterRow, Key, SealRow, from_columns
from bot.store.scope import EMPTY_CHAIN
from bot.table.referee.verdict import Forged, Verdict
from rules.faces import Recorded
from rules.fair import FairDice, commitment

FORMATS = {1: CHAINED, 2: PUBLISHED, 3: (*PUBLISHED, "stood")}
"""The columns of an entry, by the format of the file."""

BEFORE_PEOPLE = 2
"""The last format whose entries hold people's own numbers and names."""

MOST_BYTES = 50_000_000

SHORTEST_HEAD = 12
"""Letters of a head that are enough to tell it."""

WHOLE_HEAD = re.compile(r"[0-9a-f]{64}")
HEAD = re.compile(rf"[0-9a-f]{{{SHORTEST_HEAD},64}}")
"""A head as the channel shows it, or how it begins."""

NO_EXPORT = (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError, StoreError)
"""What reading raises that no version of the program wrote."""


def read(data: bytes) -> dict[str, Any]:
    """The export as values. Raises Forged for what no bot writes."""
    if len(data) > MOST_BYTES:
        raise Forged("The file is too large to be an export.")
    try:
        export = json.loads(data)
        names = FORMATS.get(export["format"]) if type(export["format"]) is int else None
        if names is None:
            raise Forged("The export is of a format this version does not know.")
        if compact(export).encode() != data:
            raise Forged("The file was changed: it is not as the bot writes it.")
        if export["format"] > BEFORE_PEOPLE and set(export["people"]) != set(NOBODY.written()):
            raise Forged("The file was changed: it does not say who is meant as the bot writes it.")
        if any(set(entry) != set(names) for entry in export["entries"]):
            raise Forged("The file was changed: its entries are not as the bot writes them.")
    except NO_EXPORT as error:
        raise Forged(f"The file is no export, or was changed: {error}") from None
    return dict(export)


def readable(export: Mapping[str, Any]) -> dict[str, Any]:
    """The export as people read it. Raises Forged where a name is not the one that was written."""
    try:
        return Reader(export.get("people", NOBODY.written())).read(export)
    except NotTheirs as error:
        raise Forged(str(error)) from None
    except NO_EXPORT as error:
        raise Forged(f"The file is no export, or was changed: {error}") from None


def verify(data: bytes, heads: Sequence[str] = ()) -> Verdict:
    """Check an export byte for byte, and against heads of its chain as the channel showed them.

    Raises Forged.
    """
    export = read(data)
    try:
        return _verified(export, readable(export), heads)
    except NO_EXPORT as error:
        raise Forged(f"The file is no export, or was changed: {error}") from None


def _verified(written: Mapping[str, Any], export: Mapping[str, Any], heads: Sequence[str]) -> Verdict:
    """written: as it is hashed; export: as people read it."""
    chain = [EMPTY_CHAIN]
    for place, entry in enumerate(written["entries"], 1):
        if entry["seq"] != place:
            raise Forged(f"Entry {place} is missing.")
        if entry.get("stood") and not WHOLE_HEAD.fullmatch(entry["stood"]):
            raise Forged(f"Entry {place}: what is said to have stood there is no hash.")
        chain.append(link(chain[-1], entry))
    entries = export["entries"]
    seed = bytes.fromhex(export["seed"])
    if commitment(seed) != export["commitment"]:
        raise Forged("The seed does not fit the SHA-256 that was shown before the game.")
    rows: dict[str, dict[Key, Columns]] = {}
    thrown: dict[int, list[list[int]]] = {}
    rolls = faces = real = 0
    for place, entry in enumerate(entries, 1):
        recorded = json.loads(entry["faces"])
        rows = _after(entry, rows)
        if entry["dice"] == "real":
            real += len(recorded)
        elif recorded:
            if entry["number"] != rolls:
                raise Forged(f"Entry {place}: roll {rolls} was left out.")
            _check_faces(entry, recorded, seed, rows, thrown)
            rolls += 1
            faces += len(recorded)
        thrown[place] = recorded
    if chain[-1] != export["chain"]:
        raise Forged("An entry was changed: the chain of hashes does not fit.")
    _check_head(export, rows)
    _check_heads(chain, heads)
    seals = [from_columns("seals", columns) for _, columns in sorted(rows.get("seals", {}).items())]
    words = tuple((one.name, one.opened) for one in seals if isinstance(one, SealRow))
    versions = tuple(dict.fromkeys(entry.get("version", "") for entry in entries))
    return Verdict(
        export["encounter"],
        export["commitment"],
        len(entries),
        rolls,
        faces,
        real,
        len(heads),
        versions,
        words=words,
        rewritten=tuple(entry["seq"] for entry in entries if entry.get("stood")),
    )


def _check_heads(chain: Sequence[str], heads: Sequence[str]) -> None:
    """Every head that somebody saw is one of this chain. Raises Forged."""
    for said in heads:
        read = HEAD.fullmatch(_as_shown(said))
        if read is None:
            raise Forged(f"{said} is no head: it is {SHORTEST_HEAD} to 64 of 0-9 and a-f.")
        if not any(one.startswith(read[0]) for one in chain[1:]):
            raise Forged(f"The head {read[0]} that the channel showed is not in this file.")


def _as_shown(said: str) -> str:
    """A head without what stands around it in the channel."""
    return "".join(said.lower().removeprefix("record").replace("`", "").split())


def _check_head(export: Mapping[str, Any], rows: Mapping[str, Mapping[Key, Columns]]) -> None:
    columns = next(iter(rows.get("encounters", {}).values()), None)
    row = from_columns("encounters", columns) if columns else None
    head = tuple(export[name] for name in ("encounter", "system", "commitment", "seed"))
    if not isinstance(row, EncounterRow) or head != (
        row.name,
        row.system,
        row.commitment,
        row.revealed_seed,
    ):
        raise Forged("The head of the file does not fit its entries.")


def _check_faces(
    entry: dict[str, Any],
    recorded: list[list[int]],
    seed: bytes,
    rows: Mapping[str, Mapping[Key, Columns]],
    thrown: Mapping[int, list[list[int]]],
) -> None:
    """Against the seed and the words that stand after the entry: those that it opens count for its dice."""
    words = [str(columns[3]) for _, columns in sorted(rows.get("words", {}).items())]
    fresh = FairDice(seed, words, entry["number"])
    earlier = tuple((sides, face) for sides, face in thrown.get(entry["repeats"], ()))
    source = Recorded(earlier, fresh)
    for sides, face in recorded:
        if source.faces(1, sides, "")[0] != face:
            raise Forged(f"Entry {entry['seq']}: the dice are not those of the seed.")


def _after(entry: dict[str, Any], rows: Mapping[str, Mapping[Key, Columns]]) -> dict[str, dict[Key, Columns]]:
    try:
        return apply(rows, from_json(json.loads(entry["changes"]), rows))
    except Mismatch as error:
        raise Forged(f"Entry {entry['seq']}: {error}.") from None
