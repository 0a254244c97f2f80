"""Undo plans: which entries are one step, what undo or redo leaves in place, which secrets were revealed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.actions import ACTIONS
from bot.store.book import Change, Loaded, Mismatch, Snapshot, apply, from_json
from bot.store.journal import Entry
from bot.store.reads import EntryReply
from bot.store.rows import LASTING, EncounterRow, PendingRow, SecretRow, layout
from bot.store.store import Store
from bot.table.encounter import Encounter
from bot.table.game import Foresees, Opens, find_revealed_secrets, game_of
from bot.table.realdice import DropRoll, EnterFaces, TakeBackFace
from bot.table.waits import organiser_of

TYPED_DICE_COMMANDS = frozenset({EnterFaces.command, TakeBackFace.command})
"""Commands that enter dice for a waiting roll, or take one of them back."""

MAX_AHEAD = 100
"""Entries that are looked through for secret ones that stand again."""

_KIND = layout(SecretRow.table).names.index("kind")
_CHANNEL = layout(EncounterRow.table).names.index("channel_id")
_GUILD = layout(EncounterRow.table).names.index("guild_id")


@dataclass(frozen=True, slots=True)
class Walk:
    """The result of an undo or redo.

    entries: what is taken back, latest first, or redone, oldest first, with the secret entries and dropped
    rolls that go with them. rows: the scope afterwards; changes: what leads there; tip: the entry on top
    then. back: what each entry above the steps taken back did, reversed, latest first.
    """

    entries: tuple[Entry, ...]
    rows: Snapshot
    changes: tuple[Change, ...]
    tip: int
    back: tuple[tuple[Change, ...], ...] = ()

    @property
    def told(self) -> tuple[Entry, ...]:
        """Return the entries that are public and changed something."""
        silent = _find_abandoning_entries(self.entries)
        entries = tuple(entry for entry in self.entries if not is_secret(entry) and entry.seq not in silent)
        return entries or self.entries[-1:]

    @property
    def parts(self) -> tuple[Entry, ...]:
        """Return the entries that count as taking part.

        A person who only typed another's dice did not take part.
        """
        return tuple(
            entry for entry in self.told if not (entry.minor and entry.command in TYPED_DICE_COMMANDS)
        )

    @property
    def majors(self) -> tuple[Entry, ...]:
        """Return the entries that are told by name."""
        return tuple(entry for entry in self.told if not entry.minor) or self.told[-1:]


def find_abandoned_rolls(loaded: Loaded, walk: Walk) -> list[PendingRow]:
    """Return the rolls that wait for real dice and are given up once these steps are taken back."""
    book_after = replace(loaded, snapshot=walk.rows).book()
    return [row for row in loaded.book().all(PendingRow) if book_after.get(PendingRow, row.id) is None]


def is_secret(entry: Entry | EntryReply) -> bool:
    """Return whether an entry is secret, even after an undo."""
    known = ACTIONS.get(entry.command)
    return entry.minor and known is not None and known.secret


def finishes(entry: Entry, before: Entry) -> bool:
    """Return whether an entry carries through the one before it: the two are one step."""
    known = ACTIONS.get(entry.command)
    return known is not None and not before.minor and known.finishes == before.command


def _find_abandoning_entries(entries: Iterable[Entry]) -> set[int]:
    """Return the entries that gave up a waiting roll, with what led to it; they changed nothing."""
    abandoned_seqs: set[int] = set()
    dropped = False
    for entry in sorted(entries, key=lambda one: -one.seq):
        dropped = entry.minor and (dropped or entry.command == DropRoll.command)
        if dropped:
            abandoned_seqs.add(entry.seq)
    return abandoned_seqs


async def _iterate_current_entries(store: Store, loaded: Loaded) -> AsyncIterator[Entry]:
    undone = await store.undone_among(loaded.scope.id, 1)
    tip = loaded.scope.tip
    while tip:
        entry = await _load_entry(store, loaded, tip)
        if entry.seq not in undone:
            yield entry
        tip = entry.parent


async def _load_entry(store: Store, loaded: Loaded, seq: int) -> Entry:
    entry = await store.entry(loaded.scope.id, seq)
    assert entry is not None, "the journal is whole"
    return entry


# ------------------------------------------------------------------------------------ back


async def plan_undo(store: Store, loaded: Loaded, steps: int) -> Walk:
    """Return the last steps to undo, the start of an encounter only alone; empty if there are none."""
    taken: list[Entry] = []
    secret: list[Entry] = []
    major: Entry | None = None
    async for entry in _iterate_current_entries(store, loaded):
        if is_secret(entry):
            secret.append(entry)
            continue
        begins_a_step = not entry.minor or not (taken or entry.command == DropRoll.command)
        if begins_a_step and not (major and finishes(major, entry)):
            if steps == 0 or (taken and is_start(loaded, entry)):
                break
            steps -= 1
        major = entry if not entry.minor else major
        taken.append(entry)
    if not taken:
        return Walk((), loaded.snapshot, (), loaded.scope.tip)
    return _build_undo(loaded, taken, [entry for entry in secret if entry.seq > taken[-1].seq])


def is_start(loaded: Loaded, entry: Entry) -> bool:
    """Return whether an entry is the start of an encounter."""
    return loaded.scope.kind == "encounter" and not entry.parent


def _build_undo(loaded: Loaded, taken: Sequence[Entry], secret: Sequence[Entry]) -> Walk:
    rows, changes, reversed_changes = loaded.snapshot, [], []
    for entry in sorted((*taken, *secret), key=lambda one: -one.seq):
        reverse_changes = from_json(_list_game_changes(entry, loaded), rows, reverse=True)
        rows = apply(rows, reverse_changes)
        changes += reverse_changes
        reversed_changes.append(tuple(reverse_changes))
    tip, undone_entries = taken[-1].parent, list(taken)
    for entry in reversed(secret):
        entries_below = [one for one in undone_entries if one.seq < entry.seq]
        repeated_changes = (
            None if _depends_on(entry, entries_below, loaded.snapshot) else _reapply(entry, rows, loaded)
        )
        if repeated_changes is None:
            undone_entries.append(entry)
        else:
            rows = apply(rows, repeated_changes)
            changes += repeated_changes
            tip = entry.seq
    entries = tuple(sorted(undone_entries, key=lambda one: -one.seq))
    return Walk(entries, rows, tuple(changes), tip, tuple(reversed_changes))


def _list_game_changes(entry: Entry, loaded: Loaded) -> list[Any]:
    """Return the changes that undo and redo touch; a game goes and comes back where it was played last."""
    return [_update_place(one, loaded) for one in entry.changes_written() if one[0] not in LASTING]


def _update_place(written: list[Any], loaded: Loaded) -> list[Any]:
    """Return a change; a whole game that goes or comes back gets its present place."""
    table, *rows = written
    if table != EncounterRow.table or isinstance(rows[1], dict):
        return written
    standing = loaded.snapshot.get(table, {}).values()
    place = next((row[_CHANNEL] for row in standing), loaded.scope.channel_id)
    now = {_CHANNEL: place, _GUILD: loaded.scope.guild_id}
    return [table, *(row and [now.get(at, value) for at, value in enumerate(row)] for row in rows)]


def _reapply(entry: Entry, rows: Snapshot, loaded: Loaded) -> list[Change] | None:
    """Return the changes of an entry on these rows, or None if they do not fit."""
    try:
        changes = from_json(_list_game_changes(entry, loaded), rows)
        apply(rows, changes)
    except Mismatch:
        return None
    return changes


def _depends_on(entry: Entry, under: Iterable[Entry], rows: Snapshot) -> bool:
    """Return whether a secret entry answers what one of those under it put down."""
    kinds = ACTIONS[entry.command].answers
    return any(_touches(one, kinds, rows) for one in under)


def _touches(entry: Entry, kinds: frozenset[str], rows: Snapshot) -> bool:
    for table, first, second in entry.changes_written():
        if table != SecretRow.table:
            continue
        changed = isinstance(second, dict)
        found = rows.get(table, {}).get(tuple(first)) if changed else first or second
        if found is None or found[_KIND] in kinds:
            return True
    return False


# ------------------------------------------------------------------------------------ again


async def plan_redo(store: Store, loaded: Loaded, steps: int) -> Walk:
    """Return what was undone last, done again; no entries where there is nothing."""
    rows, changes = loaded.snapshot, []
    redone_entries: list[Entry] = []
    major: Entry | None = None
    tip = loaded.scope.tip
    entries_below, entries_above = await _find_entries_below_secrets(store, loaded)
    while True:
        entry = entries_below.pop(0) if entries_below else await store.newest_child(loaded.scope.id, tip)
        if entry is None:
            break
        if not steps and not is_secret(entry) and not await _leads_to_finish(store, loaded, major, entry):
            break
        higher = [one for one in entries_above if one.seq > entry.seq]
        again = _insert_below(entry, higher, rows, loaded)
        rows = apply(rows, again)
        changes += again
        redone_entries.append(entry)
        tip = max(tip, entry.seq)
        if not entry.minor:
            steps -= major is None or not finishes(entry, major)
            major = entry
    if redone_entries and not entries_below:
        rows, secret_changes, tip = await _redo_later_secrets(store, loaded, rows, tip, redone_entries)
        changes += secret_changes
    return Walk(tuple(redone_entries), rows, tuple(changes), tip)


async def _find_entries_below_secrets(store: Store, loaded: Loaded) -> tuple[list[Entry], list[Entry]]:
    """Return the entries taken from under secret ones on top, oldest first, and those on top.

    None once something else was done on top since.
    """
    undone = await store.undone_among(loaded.scope.id, 1)
    gaps: list[Entry] = []
    above: list[Entry] = []
    tip = loaded.scope.tip
    while tip:
        entry = await _load_entry(store, loaded, tip)
        if entry.seq in undone:
            gaps.insert(0, entry)
        elif is_secret(entry):
            above.insert(0, entry)
        else:
            break
        tip = entry.parent
    child = await store.newest_child(loaded.scope.id, loaded.scope.tip)
    if gaps and child and child.seq > await store.taken_back_with(loaded.scope.id, gaps[0].seq):
        return [], above
    return gaps, above


def _insert_below(entry: Entry, above: Sequence[Entry], rows: Snapshot, loaded: Loaded) -> list[Change]:
    """Return the changes that put an entry back under the secret ones on top."""
    changes: list[Change] = []
    for one in reversed(above):
        back = from_json(_list_game_changes(one, loaded), rows, reverse=True)
        rows = apply(rows, back)
        changes += back
    for one in (entry, *above):
        again = from_json(_list_game_changes(one, loaded), rows)
        rows = apply(rows, again)
        changes += again
    return changes


async def _leads_to_finish(store: Store, loaded: Loaded, major: Entry | None, entry: Entry) -> bool:
    """Return whether an undone entry is, or leads to, what carries the one through that was redone last."""
    while entry.minor:
        child = await store.newest_child(loaded.scope.id, entry.seq)
        if child is None:
            return False
        entry = child
    return major is not None and finishes(entry, major)


async def _redo_later_secrets(
    store: Store, loaded: Loaded, rows: Snapshot, tip: int, done: list[Entry]
) -> tuple[Snapshot, list[Change], int]:
    """Redo secret entries behind steps that stay undone, where they still fit; add them to `done`."""
    changes: list[Change] = []
    passed: list[Entry] = []
    seq = tip
    for _ in range(MAX_AHEAD):
        entry = await store.newest_child(loaded.scope.id, seq)
        if entry is None:
            break
        seq = entry.seq
        fits = is_secret(entry) and not _depends_on(entry, passed, loaded.snapshot)
        again = _reapply(entry, rows, loaded) if fits else None
        if again is None:
            passed.append(entry)
            continue
        rows = apply(rows, again)
        changes += again
        done.append(entry)
        tip = entry.seq
    return rows, changes, tip


Owners = dict[int, str]
"""Who has to agree: person and name."""


def find_secret_owners(loaded: Loaded, user_id: int, walk: Walk) -> Owners:
    """Return the people whose secrets the steps revealed to others: person and name."""
    encounter = Encounter(loaded.book())
    played, found = game_of(encounter), Owners()
    opened = played.laid_open if isinstance(played, Opens) else find_revealed_secrets
    for before, now in _iterate_undone_states(loaded, walk):
        for row in opened(before, now):
            found |= _find_secret_owner(encounter, row, user_id)
    return found


def _iterate_undone_states(loaded: Loaded, walk: Walk) -> Iterator[tuple[Encounter, Encounter]]:
    """Yield the game before and after every undone entry in which something hidden changed."""
    now = loaded.snapshot
    for back in walk.back:
        before = apply(now, back)
        if any(change.table == SecretRow.table and change.after for change in back):
            first, second = (Encounter(replace(loaded, snapshot=rows).book()) for rows in (before, now))
            yield first, second
        now = before


def find_foreseen(loaded: Loaded, walk: Walk) -> dict[int, list[str]]:
    """Return the sides that have seen what comes next once these steps are undone, and that in words."""
    played = game_of(Encounter(loaded.book()))
    found: dict[int, list[str]] = {}
    if isinstance(played, Foresees):
        for before, now in _iterate_undone_states(loaded, walk):
            for side, words in played.foreseen(before, now):
                found.setdefault(side, []).append(words)
    return found


def find_opponents(loaded: Loaded, user_id: int, walk: Walk) -> Owners:
    """Return the person who speaks for each side against one that has seen what comes next.

    Empty if the person who asks plays that side too.
    """
    encounter, found = Encounter(loaded.book()), Owners()
    sides_that_saw = find_foreseen(loaded, walk)
    for side in encounter.sides():
        if not sides_that_saw.keys() - {side.id}:
            continue
        seats = [seat for seat in encounter.seats() if seat.side == side.id and seat.role != "spectator"]
        if seats and all(seat.user_id != user_id for seat in seats):
            first = min(seats, key=lambda seat: seat.role != "captain")
            found[first.user_id] = first.name
    return found


def _find_secret_owner(encounter: Encounter, secret_row: SecretRow, user_id: int) -> Owners:
    """Return the person who speaks for a secret: the one who hid it while they play the side, or else its
    captain.

    None if the person who asks plays that side; the organiser if the side has no players.
    """
    seats = [seat for seat in encounter.seats() if seat.side == secret_row.side and seat.role != "spectator"]
    if any(seat.user_id == user_id for seat in seats):
        return {}
    if not seats:
        return {encounter.row.organiser_id: organiser_of(encounter)}
    ranked = sorted(seats, key=lambda seat: (seat.user_id != secret_row.owner_id, seat.role != "captain"))
    return {ranked[0].user_id: ranked[0].name}
