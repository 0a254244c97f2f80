"""What was seen in steps that are taken back: secrets that were laid open, and what comes next of a deck.

Whoever takes them back has seen it, and would decide anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bot.store.book import Loaded, apply
from bot.store.rows import SecretRow
from bot.table.encounter import Encounter
from bot.table.game import Foresees, Opens, game_of, rows_laid_open
from bot.table.journal.walks import Walk
from bot.table.session.waiting import organiser_of

Owners = dict[int, str]
"""Who has to agree: person and name."""


def keepers(loaded: Loaded, user_id: int, walk: Walk) -> Owners:
    """Whose secrets the steps that are taken back laid open to somebody else: person and name."""
    encounter = Encounter(loaded.book())
    played, found = game_of(encounter), Owners()
    opened = played.laid_open if isinstance(played, Opens) else rows_laid_open
    for before, now in _taken_back(loaded, walk):
        for row in opened(before, now):
            found |= _keeper(encounter, row, user_id)
    return found


def _taken_back(loaded: Loaded, walk: Walk) -> Iterator[tuple[Encounter, Encounter]]:
    """The game before and after every entry that is taken back and in which something hidden changed."""
    now = loaded.snapshot
    for back in walk.back:
        before = apply(now, back)
        if any(change.table == SecretRow.table and change.after for change in back):
            first, second = (Encounter(replace(loaded, snapshot=rows).book()) for rows in (before, now))
            yield first, second
        now = before


def foreseen(loaded: Loaded, walk: Walk) -> dict[int, list[str]]:
    """Return the sides that have seen what comes next once these steps are undone, and that in words."""
    played = game_of(Encounter(loaded.book()))
    found: dict[int, list[str]] = {}
    if isinstance(played, Foresees):
        for before, now in _taken_back(loaded, walk):
            for side, words in played.foreseen(before, now):
                found.setdefault(side, []).append(words)
    return found


def opponents(loaded: Loaded, user_id: int, walk: Walk) -> Owners:
    """Return who speaks for each side against one that has seen what comes next.

    Nobody where the person who asks plays that side too.
    """
    encounter, found = Encounter(loaded.book()), Owners()
    seers = foreseen(loaded, walk)
    for side in encounter.sides():
        if not seers.keys() - {side.id}:
            continue
        seats = [seat for seat in encounter.seats() if seat.side == side.id and seat.role != "spectator"]
        if seats and all(seat.user_id != user_id for seat in seats):
            first = min(seats, key=lambda seat: seat.role != "captain")
            found[first.user_id] = first.name
    return found


def _keeper(encounter: Encounter, hid: SecretRow, user_id: int) -> Owners:
    """Who speaks for a secret: who hid it while that person plays its side, else that side's captain.

    Nobody where who asks plays that side; the organiser where nobody plays it.
    """
    seats = [seat for seat in encounter.seats() if seat.side == hid.side and seat.role != "spectator"]
    if any(seat.user_id == user_id for seat in seats):
        return {}
    if not seats:
        return {encounter.row.organiser_id: organiser_of(encounter)}
    ranked = sorted(seats, key=lambda seat: (seat.user_id != hid.owner_id, seat.role != "captain"))
    return {ranked[0].user_id: ranked[0].name}
