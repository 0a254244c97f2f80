"""Checks of an exported file alone: its shape, chain of hashes, heads, seed and faces."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.store.book import EMPTY_CHAIN, Book, Mismatch, apply, from_json
from bot.store.errors import StoreError
from bot.store.journal import NOBODY, PUBLISHED, Bound, EntryReader, NotTheirs, bound_in, compact, link
from bot.store.people import ALIAS
from bot.store.rows import Columns, EncounterRow, Key, SealRow, from_columns
from bot.table.encounter import Encounter
from bot.table.game import gives_next_roll_undone_dice
from bot.table.journal.log import FORMAT
from bot.table.repeated_dice import with_earlier
from rules.dice import FairDice, Recorded, commitment


class Forged(Exception):
    """The file was changed; the message says where.

    entry: the wrong entry, or the number after the last if the entries belong to another game, or 0.
    """

    def __init__(self, words: str, entry: int = 0) -> None:
        super().__init__(words)
        self.entry = entry


class DoesNotFollow(Forged):
    """An entry that does not follow from its request by these rules."""

    def __init__(self, entry: int, why: str) -> None:
        super().__init__(f"Entry {entry} does not follow from the rules: {why}", entry)
        self.why = why


@dataclass(frozen=True, slots=True)
class Decided:
    """Something that people decided and no rule: entry, who, what kind of decision, and in words."""

    entry: int
    who: str
    kind: str
    words: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict about an export.

    heads: how many heads from the channel were compared with it. held: the ranges of entries that those
    confirm; surely_held: without the short heads. believed: entries that add something from elsewhere, taken
    as written. managing: people who asked as managers and not as organisers, with their entries. decided:
    what no rule decides. versions: versions of the rules that it was played under, in order; empty names for
    entries that don't say. refereed: how many entries were replayed with the same result, -1 if that was not
    tried. words: people who added secret phrases, in order, and whether the phrases were opened. rewritten:
    entries from which a name was removed, so that their old hash is only stated. faded: entries whose text
    can't be compared because it names a deleted person. undecided: why the next entry can't be replayed with
    these rules; empty if all could be.
    """

    encounter: str
    commitment: str
    entries: int
    rolls: int
    faces: int
    real: int
    heads: int = 0
    versions: Sequence[str] = ()
    decided: Sequence[Decided] = field(default=())
    refereed: int = -1
    undecided: str = ""
    words: Sequence[tuple[str, bool]] = ()
    held: Sequence[tuple[int, int]] = ()
    surely_held: Sequence[tuple[int, int]] = ()
    believed: Sequence[int] = ()
    managing: Sequence[tuple[str, Sequence[int]]] = ()
    rewritten: Sequence[int] = ()
    faded: Sequence[int] = ()

    @property
    def whole(self) -> bool:
        """Return whether every entry was replayed with the same result and nothing had to be believed."""
        return self.refereed == self.entries and not (self.rewritten or self.faded or self.believed)


READ_ERRORS = (
    KeyError,
    TypeError,
    ValueError,
    AttributeError,
    IndexError,
    ArithmeticError,
    RecursionError,
    StoreError,
)
"""Errors from reading a file that no version of the program wrote."""

NUMBER_COLUMNS = frozenset({"seq", "parent", "target", "number", "repeats", "actor_id", "at_ms"})
BOOLEAN_COLUMNS = frozenset({"minor", "quiet"})
COLUMN_TYPES: Mapping[str, type] = {
    name: int if name in NUMBER_COLUMNS else bool if name in BOOLEAN_COLUMNS else str
    for name in (*PUBLISHED, "stood")
}
"""Of what kind each column is."""

KEY = re.compile(r"[0-9a-f]{16}")
VERSION = re.compile(r"\d+\.\d+\.\d+-[0-9a-f]{8}")

KINDS_OF_ENTRY = frozenset({"do", "undo", "redo", "aside"})
DICE = frozenset({"", "bot", "real", "repeat"})


def check_shape(entry: Mapping[str, Any], place: int) -> None:
    """Check that an entry has the bot's form. Raises Forged, which names it."""
    try:
        fits = _fits(entry)
    except READ_ERRORS:
        fits = False
    if not fits:
        raise Forged(f"Entry {place} isn't in the bot's format.")


def _fits(entry: Mapping[str, Any]) -> bool:
    return (
        all(type(value) is COLUMN_TYPES[name] for name, value in entry.items())
        and entry["kind"] in KINDS_OF_ENTRY
        and entry["dice"] in DICE
        and all(look(entry[name]) for name, look in COLUMN_CHECKS.items())
    )


def _are_faces(text: str) -> bool:
    return all(
        type(sides) is int and type(face) is int and 1 <= face <= sides for sides, face, _ in bound_in(text)
    )


def _is_reply(text: str) -> bool:
    return _is_told(json.loads(text))


def _is_told(reply: Any) -> bool:
    texts = (reply["lines"], reply.get("why", []))
    return all(type(line) is str for lines in texts for line in lines) and all(
        _is_told(further) for further in reply.get("also", [])
    )


def _is_asked(text: str) -> bool:
    number, name = json.loads(text)["who"]
    return type(number) is int and type(name) is str


def _are_places(text: str) -> bool:
    return all(int(part) > 0 for part in text.split(",") if part)


COLUMN_CHECKS: Mapping[str, Callable[[str], bool]] = {
    "faces": _are_faces,
    "changes": lambda text: type(json.loads(text)) is list,
    "reply": _is_reply,
    "asked": _is_asked,
    "took": _are_places,
    "action_key": lambda text: KEY.fullmatch(text) is not None,
    "version": lambda text: VERSION.fullmatch(text) is not None,
}
"""Columns that hold more than letters, and whether it is what they hold."""


MIN_HEAD_LENGTH = 12
"""Letters of a head that are enough to tell it."""

SURE_HEAD_LENGTH = 32
"""The length of a head that can't be forged; shorter ones can be, with time."""

WHOLE_HEAD = re.compile(r"[0-9a-f]{64}")
HEAD = re.compile(rf"[0-9a-f]{{{MIN_HEAD_LENGTH},64}}")
"""A head as the channel shows it, or how it begins."""

Spans = tuple[tuple[int, int], ...]
"""Runs of entries, first and last."""


def held(chain: Sequence[str], entries: Sequence[Mapping[str, Any]], heads: Sequence[str]) -> Spans:
    """Return the entries that heads confirm; chain: the hash after each entry, from the one before the first.

    Raises Forged for text that isn't a head, and for a head of another chain.
    """
    confirmed: set[int] = set()
    places = [(said, _find_place(chain, said)) for said in heads]
    last_confirmed = max((place for _, place in places), default=0)
    for said, last in places:
        if not last:
            raise Forged(_describe_unknown_code(said, last_confirmed, len(chain) - 1), len(chain))
        first = last
        while first > 1 and not entries[first - 1]["stood"]:
            first -= 1
        if entries[first - 1]["stood"]:
            first += 1
        confirmed.update(range(first, last + 1))
    return spans(confirmed)


def list_sure_heads(heads: Iterable[str]) -> list[str]:
    """Return the heads that are too long to be forged."""
    return [said for said in heads if len(_normalise_code(said)) >= SURE_HEAD_LENGTH]


def spans(places: Iterable[int]) -> Spans:
    """Return places as runs."""
    runs: list[tuple[int, int]] = []
    for place in sorted(places):
        if runs and runs[-1][1] == place - 1:
            runs[-1] = (runs[-1][0], place)
        else:
            runs.append((place, place))
    return tuple(runs)


def _describe_unknown_code(said: str, good: int, entries: int) -> str:
    words = f"The record code {_normalise_code(said)} is not in this file."
    if not good:
        return words
    held = "Entry 1 is as you saw it" if good == 1 else f"Entries 1 to {good} are as you saw them"
    if good == entries:
        return f"{words} {held}; what came after is missing."
    first_wrong = good + 1
    wrong_entries = (
        f"entry {first_wrong}" if first_wrong == entries else f"one of entries {first_wrong} to {entries}"
    )
    return f"{words} {held}; {wrong_entries} was changed, or an entry after entry {good} is missing."


def _find_place(chain: Sequence[str], said: str) -> int:
    """Return the entry with this head, or 0 if the chain has none. Raises Forged if it isn't a head."""
    read = HEAD.fullmatch(_normalise_code(said))
    if read is None:
        raise Forged(
            f"{said} isn't a record code. Enter {MIN_HEAD_LENGTH} to 64 characters from 0-9 and a-f."
        )
    for place, one in enumerate(chain[1:], 1):
        if one.startswith(read[0]):
            return place
    return 0


def _normalise_code(said: str) -> str:
    return "".join(said.lower().removeprefix("record").replace("`", "").split())


COLUMNS = frozenset({*PUBLISHED, "stood"})
"""The columns of an exported entry."""

MAX_EXPORT_BYTES = 50_000_000


def read_export(data: bytes) -> dict[str, Any]:
    """Return the export as values. Raises Forged for what no bot writes."""
    if len(data) > MAX_EXPORT_BYTES:
        raise Forged("This file is too large to be an export.")
    try:
        export = json.loads(data)
        if type(export["format"]) is not int or export["format"] != FORMAT:
            raise Forged("This version can't read the format of this export.")
        if compact(export).encode() != data:
            raise Forged("The file was changed: it isn't in the bot's format.")
        if set(export["people"]) != set(NOBODY.written()):
            raise Forged("The file was changed: its list of people isn't in the bot's format.")
        if any(set(entry) != COLUMNS for entry in export["entries"]):
            raise Forged("The file was changed: its entries aren't in the bot's format.")
        for place, entry in enumerate(export["entries"], 1):
            check_shape(entry, place)
    except READ_ERRORS as error:
        raise Forged(f"This file isn't an export, or it was changed: {error}") from None
    return dict(export)


def restore_names(export: Mapping[str, Any]) -> dict[str, Any]:
    """Return the export as people read it. Raises Forged where a name is not the one that was written."""
    try:
        return EntryReader(export["people"]).read(export)
    except NotTheirs as error:
        raise Forged(str(error)) from None
    except READ_ERRORS as error:
        raise Forged(f"This file isn't an export, or it was changed: {error}") from None


def verify(data: bytes, heads: Sequence[str] = ()) -> Verdict:
    """Check an export byte for byte, and against heads of its chain as the channel showed them.

    Raises Forged.
    """
    export = read_export(data)
    return check_export(export, restore_names(export), heads)


def check_export(written: Mapping[str, Any], export: Mapping[str, Any], heads: Sequence[str] = ()) -> Verdict:
    """Return the verdict on a file that was read. written: as hashed; export: as people read it. Raises
    Forged.
    """
    try:
        return _check_export(written, export, heads)
    except READ_ERRORS as error:
        raise Forged(f"This file isn't an export, or it was changed: {error}") from None


def _check_export(written: Mapping[str, Any], export: Mapping[str, Any], heads: Sequence[str]) -> Verdict:
    chain, entries = _hash_entries(written["entries"]), export["entries"]
    _check_removed_names(entries)
    check_people(written)
    seed = bytes.fromhex(export["seed"])
    if commitment(seed) != export["commitment"]:
        raise Forged("The seed doesn't match the SHA-256 from /dice show.")
    game = _CheckedGame(seed, entries)
    for entry in entries:
        game.go_on(entry)
    if chain[-1] != export["chain"]:
        raise Forged("The chain of hashes doesn't match, so an entry must have been changed.")
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
        surely_held=held(chain, entries, list_sure_heads(heads)),
        words=words,
        rewritten=tuple(entry["seq"] for entry in entries if entry["stood"]),
    )


def _hash_entries(entries: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the hashes of the entries as they are written, each with those before it. Raises Forged."""
    chain = [EMPTY_CHAIN]
    for place, entry in enumerate(entries, 1):
        if entry["seq"] != place:
            raise Forged(f"Entry {place} is missing.")
        chain.append(link(chain[-1], entry))
    return chain


@dataclass(slots=True)
class _CheckedGame:
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
        """Add one entry. Raises Forged if its dice or its changes do not fit what came before."""
        place, recorded = entry["seq"], bound_in(entry["faces"])
        self.rows = _apply_changes(entry, self.rows)
        if entry["dice"] == "real":
            self.real += len(recorded)
        elif recorded:
            if entry["number"] != self.rolls:
                raise Forged(f"Entry {place}: roll {self.rolls} was left out.", place)
            _check_repeat(entry, self.entries, self.undone)
            _check_faces(
                entry, recorded, self.seed, self.rows, self._before(entry), anything=self._anything(entry)
            )
            self.rolls += 1
            self.faces += len(recorded)
        self.thrown[place] = with_earlier(recorded, self._before(entry), anything=self._anything(entry))
        _undo(entry, self.undone)

    def _before(self, entry: dict[str, Any]) -> Bound:
        return self.thrown.get(entry["repeats"], ())

    def _anything(self, entry: dict[str, Any]) -> bool:
        """Return whether those faces may be used for any purpose, because undone dice stay in place."""
        if entry["repeats"] not in self.thrown:
            return False
        earlier = self.entries[entry["repeats"] - 1]
        return entry["action_key"] != earlier["action_key"] and _do_undone_dice_stay(self.rows)


def _check_removed_names(entries: Sequence[Mapping[str, Any]]) -> None:
    """Check that only an entry that names a deleted person states its old hash."""
    for entry in entries:
        if entry["stood"] and not WHOLE_HEAD.fullmatch(entry["stood"]):
            raise Forged(f"Entry {entry['seq']}: the hash of the removed text isn't valid.", entry["seq"])
        if entry["stood"] and not entry["gone"]:
            raise Forged(
                f"Entry {entry['seq']}: a name was removed, but no one asked for their data to be deleted.",
                entry["seq"],
            )


def people_in(changes: str) -> list[int]:
    """Return the people that an entry puts in order, as the end of the game does; otherwise empty."""
    for table, _, after in json.loads(changes):
        if table == EncounterRow.table and isinstance(after, dict) and "people" in after:
            return [int(number) for number in after["people"][1].split()]
    return []


def check_people(written: Mapping[str, Any]) -> None:
    """Check that the file lists people in the order in which the end of the game put them. Raises Forged.

    People who came later may be anywhere, because no rule depends on them.
    """
    place = {alias: at for at, alias in enumerate(written["people"]["order"])}
    ends = [(entry["seq"], people_in(entry["changes"])) for entry in written["entries"]]
    end, people = next(((seq, them) for seq, them in reversed(ends) if them), (0, []))
    listed_places = [place[alias] for alias in people if alias in place]
    if listed_places != sorted(listed_places):
        raise Forged(f"The file does not list people in the same order as entry {end}.", end)
    entries_so_far = written["entries"][: end or len(ends)]
    mentioned_people = {
        int(one) for entry in entries_so_far for value in entry.values() for one in ALIAS.findall(str(value))
    }
    if mentioned_people & place.keys() - set(people):
        raise Forged(f"The file lists a person who isn't in entry {end}." if end else NO_ORDER, end)


NO_ORDER = "The order of the people in the file doesn't match any of its entries."


def _undo(entry: Mapping[str, Any], undone: set[int]) -> None:
    took = {int(part) for part in entry["took"].split(",") if part}
    if entry["kind"] == "undo":
        undone |= took
    elif entry["kind"] == "redo":
        undone -= took


def _check_repeat(entry: Mapping[str, Any], entries: Sequence[Mapping[str, Any]], undone: set[int]) -> None:
    """Check that repeated faces belong to an undone entry, or to the same action settled again."""
    earlier = entry["repeats"]
    if not earlier:
        return
    fits = 0 < earlier < entry["seq"] and (
        earlier in (*undone, entry["parent"]) or entry["action_key"] == entries[earlier - 1]["action_key"]
    )
    if not fits:
        raise Forged(
            f"Entry {entry['seq']} repeats the dice of entry {earlier}, which was not undone.", entry["seq"]
        )


def _check_head(export: Mapping[str, Any], rows: Mapping[str, Mapping[Key, Columns]]) -> None:
    columns = next(iter(rows.get("encounters", {}).values()), None)
    row = from_columns("encounters", columns) if columns else None
    head = tuple(export[name] for name in ("encounter", "system", "commitment", "seed"))
    if not isinstance(row, EncounterRow) or head != (row.name, row.system, row.commitment, row.revealed_seed):
        raise Forged("The name of the game or the seed in the file doesn't match the entries.")


def _do_undone_dice_stay(rows: Mapping[str, Mapping[Key, Columns]]) -> bool:
    """Return whether undone dice fall for whatever is rolled in their place."""
    scopes = (int(key[0]) for key in rows.get(EncounterRow.table, ()))
    return any(gives_next_roll_undone_dice(Encounter(Book(scope, rows))) for scope in scopes)


def _check_faces(
    entry: dict[str, Any],
    recorded: Bound,
    seed: bytes,
    rows: Mapping[str, Mapping[Key, Columns]],
    before: Bound,
    *,
    anything: bool,
) -> None:
    """Compare an entry's faces with the seed and the phrases; those that it reveals count for its dice."""
    words = [str(columns[3]) for _, columns in sorted(rows.get("words", {}).items())]
    new_dice = FairDice(seed, words, entry["number"])
    current_purpose = [""]
    source = Recorded(before, new_dice, lambda: current_purpose[0], anything=anything)
    for sides, face, current_purpose[0] in recorded:
        if source.faces(1, sides, "")[0] != face:
            raise Forged(f"Entry {entry['seq']}: the dice don't come from the seed.", entry["seq"])


def _apply_changes(
    entry: dict[str, Any], rows: Mapping[str, Mapping[Key, Columns]]
) -> dict[str, dict[Key, Columns]]:
    try:
        return apply(rows, from_json(json.loads(entry["changes"]), rows))
    except Mismatch as error:
        raise Forged(f"Entry {entry['seq']}: {error}.", entry["seq"]) from None
