"""What the file of an exported game proves by itself: its bytes, the chain of hashes, the seed, the faces.

The chain is held against the heads that stood in the channel while the game was played.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.store.book import EMPTY_CHAIN, Book, Mismatch, apply, from_json
from bot.store.journal import NOBODY, PUBLISHED, Bound, EntryReader, NotTheirs, bound_in, compact, link
from bot.store.rows import Columns, EncounterRow, Key, SealRow, from_columns
from bot.table.encounter import Encounter
from bot.table.game import undone_in_place
from bot.table.journal.exports import FORMAT
from bot.table.referee.holding import WHOLE_HEAD, are_sure, held
from bot.table.referee.shapes import NO_EXPORT, check_shape
from bot.table.referee.verdict import Forged, Verdict
from bot.table.rolling.instead import with_earlier
from rules.dice import FairDice, Recorded, commitment

COLUMNS = frozenset({*PUBLISHED, "stood"})
"""The columns of an exported entry."""

MOST_BYTES = 50_000_000


def read(data: bytes) -> dict[str, Any]:
    """The export as values. Raises Forged for what no bot writes."""
    if len(data) > MOST_BYTES:
        raise Forged("The file is too large to be an export.")
    try:
        export = json.loads(data)
        if type(export["format"]) is not int or export["format"] != FORMAT:
            raise Forged("The export is of a format this version does not know.")
        if compact(export).encode() != data:
            raise Forged("The file was changed: it is not as the bot writes it.")
        if set(export["people"]) != set(NOBODY.written()):
            raise Forged("The file was changed: it does not say who is meant as the bot writes it.")
        if any(set(entry) != COLUMNS for entry in export["entries"]):
            raise Forged("The file was changed: its entries are not as the bot writes them.")
        for place, entry in enumerate(export["entries"], 1):
            check_shape(entry, place)
    except NO_EXPORT as error:
        raise Forged(f"The file is no export, or was changed: {error}") from None
    return dict(export)


def readable(export: Mapping[str, Any]) -> dict[str, Any]:
    """The export as people read it. Raises Forged where a name is not the one that was written."""
    try:
        return EntryReader(export["people"]).read(export)
    except NotTheirs as error:
        raise Forged(str(error)) from None
    except NO_EXPORT as error:
        raise Forged(f"The file is no export, or was changed: {error}") from None


def verify(data: bytes, heads: Sequence[str] = ()) -> Verdict:
    """Check an export byte for byte, and against heads of its chain as the channel showed them.

    Raises Forged.
    """
    export = read(data)
    return verified(export, readable(export), heads)


def verified(written: Mapping[str, Any], export: Mapping[str, Any], heads: Sequence[str] = ()) -> Verdict:
    """The same of one that was read. written: as it is hashed; export: as people read it. Raises Forged."""
    try:
        return _verified(written, export, heads)
    except NO_EXPORT as error:
        raise Forged(f"The file is no export, or was changed: {error}") from None


def _verified(written: Mapping[str, Any], export: Mapping[str, Any], heads: Sequence[str]) -> Verdict:
    chain, entries = _chain(written["entries"]), export["entries"]
    _check_stood(entries)
    seed = bytes.fromhex(export["seed"])
    if commitment(seed) != export["commitment"]:
        raise Forged("The seed does not fit the SHA-256 that was shown before the game.")
    game = _Played(seed, entries)
    for entry in entries:
        game.go_on(entry)
    if chain[-1] != export["chain"]:
        raise Forged("An entry was changed: the chain of hashes does not fit.")
    _check_head(export, game.rows)
    seals = [from_columns("seals", columns) for _, columns in sorted(game.rows.get("seals", {}).items())]
    words = tuple((one.name, one.opened) for one in seals if isinstance(one, SealRow))
    versions = tuple(dict.fromkeys(entry["version"] for entry in entries))
    return Verdict(
        export["encounter"],
        export["commitment"],
        len(entries),
        game.rolls,
        game.faces,
        game.real,
        len(heads),
        versions,
        held=held(chain, entries, heads),
        surely_held=held(chain, entries, are_sure(heads)),
        words=words,
        rewritten=tuple(entry["seq"] for entry in entries if entry["stood"]),
    )


def _chain(entries: Sequence[Mapping[str, Any]]) -> list[str]:
    """The hashes of the entries as they are written, each with those before it. Raises Forged."""
    chain = [EMPTY_CHAIN]
    for place, entry in enumerate(entries, 1):
        if entry["seq"] != place:
            raise Forged(f"Entry {place} is missing.")
        chain.append(link(chain[-1], entry))
    return chain


@dataclass(slots=True)
class _Played:
    """A game as far as its entries were gone through: its rows, its dice, what is undone of it.

    rolls, faces: of the bot's dice; real: faces that were typed. thrown: the faces of each entry.
    """

    seed: bytes
    entries: Sequence[dict[str, Any]]
    rows: dict[str, dict[Key, Columns]] = field(default_factory=dict)
    thrown: dict[int, Bound] = field(default_factory=dict)
    undone: set[int] = field(default_factory=set)
    rolls: int = 0
    faces: int = 0
    real: int = 0

    def go_on(self, entry: dict[str, Any]) -> None:
        """One entry more. Raises Forged where its dice or its changes do not fit what was before it."""
        place, recorded = entry["seq"], bound_in(entry["faces"])
        self.rows = _after(entry, self.rows)
        if entry["dice"] == "real":
            self.real += len(recorded)
        elif recorded:
            if entry["number"] != self.rolls:
                raise Forged(f"Entry {place}: roll {self.rolls} was left out.", place)
            _check_repeat(entry, self.entries, self.undone)
            _check_faces(entry, recorded, self.seed, self.rows, self.thrown)
            self.rolls += 1
            self.faces += len(recorded)
        before = self.thrown.get(entry["repeats"], ())
        self.thrown[place] = with_earlier(recorded, before, anything=_in_place(self.rows))
        _undo(entry, self.undone)


def _check_stood(entries: Sequence[Mapping[str, Any]]) -> None:
    """A hash is told only of an entry that names somebody who is gone."""
    for entry in entries:
        if entry["stood"] and not WHOLE_HEAD.fullmatch(entry["stood"]):
            raise Forged(f"Entry {entry['seq']}: what is said to have stood there is no hash.", entry["seq"])
        if entry["stood"] and not entry["gone"]:
            raise Forged(
                f"Entry {entry['seq']}: nobody is gone whose name was taken out of it.", entry["seq"]
            )


def _undo(entry: Mapping[str, Any], undone: set[int]) -> None:
    took = {int(part) for part in entry["took"].split(",") if part}
    if entry["kind"] == "undo":
        undone |= took
    elif entry["kind"] == "redo":
        undone -= took


def _check_repeat(entry: Mapping[str, Any], entries: Sequence[Mapping[str, Any]], undone: set[int]) -> None:
    """Faces fall again of an entry that is undone, or of the same action that is settled anew."""
    earlier = entry["repeats"]
    if not earlier:
        return
    fits = 0 < earlier < entry["seq"] and (
        earlier in (*undone, entry["parent"]) or entry["action_key"] == entries[earlier - 1]["action_key"]
    )
    if not fits:
        raise Forged(
            f"Entry {entry['seq']}: entry {earlier}, whose dice it repeats, was not undone.", entry["seq"]
        )


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


def _in_place(rows: Mapping[str, Mapping[Key, Columns]]) -> bool:
    """Whether undone dice fall for whatever is rolled in their place."""
    scopes = (int(key[0]) for key in rows.get(EncounterRow.table, ()))
    return any(undone_in_place(Encounter(Book(scope, rows))) for scope in scopes)


def _check_faces(
    entry: dict[str, Any],
    recorded: Bound,
    seed: bytes,
    rows: Mapping[str, Mapping[Key, Columns]],
    thrown: Mapping[int, Bound],
) -> None:
    """Against the seed and the words that stand after the entry: those that it opens count for its dice."""
    words = [str(columns[3]) for _, columns in sorted(rows.get("words", {}).items())]
    fresh = FairDice(seed, words, entry["number"])
    now = [""]
    source = Recorded(thrown.get(entry["repeats"], ()), fresh, lambda: now[0], anything=_in_place(rows))
    for sides, face, now[0] in recorded:
        if source.faces(1, sides, "")[0] != face:
            raise Forged(f"Entry {entry['seq']}: the dice are not those of the seed.", entry["seq"])


def _after(entry: dict[str, Any], rows: Mapping[str, Mapping[Key, Columns]]) -> dict[str, dict[Key, Columns]]:
    try:
        return apply(rows, from_json(json.loads(entry["changes"]), rows))
    except Mismatch as error:
        raise Forged(f"Entry {entry['seq']}: {error}.", entry["seq"]) from None
