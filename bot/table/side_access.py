"""Which sides a person has ever had a seat on, and whose secrets that person may therefore know."""

from __future__ import annotations

from bot.store.book import Book
from bot.store.rows import EncounterRow, SeatRow, SideRow, StandInRow, TieRow
from bot.table.encounter import Encounter


def keep(book: Book) -> None:
    """Note everyone who has a seat on a side now, and their stand-ins."""
    if book.get(EncounterRow) is None:
        return
    stand_ins = book.all(StandInRow)
    names = {side.id: side.name for side in book.all(SideRow)}
    for seat in book.all(SeatRow):
        if seat.role == "spectator" or seat.side not in names:
            continue
        known_to = [seat.user_id, *(row.user_id for row in stand_ins if row.as_id == seat.user_id)]
        for user in known_to:
            key = (user, seat.side, names[seat.side])
            if book.get(TieRow, *key) is None:
                book.add(TieRow(book.scope, *key))


def known(encounter: Encounter) -> set[tuple[int, int]]:
    """Return who has, or had, a seat on which of the sides that are here: person and side."""
    names = {side.id: side.name for side in encounter.sides()}
    ties = {(tie.user_id, tie.side) for tie in encounter.book.all(TieRow) if names.get(tie.side) == tie.name}
    return ties | {(seat.user_id, seat.side) for seat in encounter.players() if seat.side}


def tied_elsewhere(encounter: Encounter, user_id: int, side: int = 0) -> SideRow | None:
    """Return another side that a person has played for; None if no second person ever had a seat."""
    everybody = known(encounter)
    own_sides = sorted(
        tied_side for person, tied_side in everybody if person == user_id and tied_side != side
    )
    if not own_sides or all(person == user_id for person, _ in everybody):
        return None
    return encounter.side(own_sides[0])


def played_by_another(encounter: Encounter, user_id: int, side: int) -> bool:
    """Return whether a person other than this one and the organiser has played for this side."""
    others = {person for person, tied_side in known(encounter) if tied_side == side}
    return bool(others - {user_id, encounter.row.organiser_id})
