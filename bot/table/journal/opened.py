"""Whose secrets steps laid open: whoever takes them back has seen what another hid, and would decide anew."""

from __future__ import annotations

from dataclasses import replace

from bot.store.book import apply
from bot.store.rows import SecretRow
from bot.store.scope import Loaded
from bot.table.encounter import Encounter
from bot.table.game import Opens, game_of, rows_laid_open
from bot.table.journal.walks import Walk
from bot.table.session.waiting import organiser_of

Owners = dict[int, str]
"""Who has to agree: person and name."""


def keepers(loaded: Loaded, user_id: int, walk: Walk) -> Owners:
    """Whose secrets the steps that are taken back laid open to somebody else: person and name."""
    encounter = Encounter(loaded.book())
    played, found, now = game_of(encounter), Owners(), loaded.snapshot
    opened = played.laid_open if isinstance(played, Opens) else rows_laid_open
    for back in walk.back:
        before = apply(now, back)
        if any(change.table == SecretRow.table and change.after for change in back):
            both = [Encounter(replace(loaded, snapshot=rows).book()) for rows in (before, now)]
            for row in opened(*both):
                found |= _keeper(encounter, row, user_id)
        now = before
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
