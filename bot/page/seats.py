"""People at the page: their names, who was let in, and the secret link of each.

Owns the step from a link to a seat, and from a seat to the person at the local server.
"""

from __future__ import annotations

import base64
import hmac
import re
import secrets
import unicodedata
from collections.abc import Callable

from bot.local.people import Person
from bot.local.server import LocalServer
from bot.lookalikes import look_of
from bot.page.page_store import Kept, Seat

MAX_NAME_LENGTH = 24
SEAL_LENGTH = 22
"""Characters of a token for a text: 132 bits."""

MAX_SEATS = 64
"""Seats of one table; those of people who left, were sent away or were never let in are free again."""

MAX_ASKING = 12
"""People who wait to be let in at once."""

MAX_ASKING_FROM_ONE = 4
"""How many of them may ask from one address, so that no one fills the queue alone."""

MAX_WATCHING = 24
"""People who only watch; they are not asked for."""

FREED = ("declined", "refused", "withdrawn")
"""Standings of people who take no seat."""

MAX_DECLINED = 12
"""Seats that were declined and are still known, so that they can be let in after all."""

RESERVED = {"host", "wall", "adjutant", "everyone", "here"}
_NAME = re.compile(r"[^\W_](?:[\w .'-]*[\w.])?")


class NotSeated(Exception):
    """A name or seat is not available; the text is a sentence for the person."""


class Seats:
    """The seats of one table. anybody: who comes is let in without being asked for.

    listeners: are told when the people who play may have changed.
    """

    def __init__(self, server: LocalServer, store: Kept, *, anybody: bool) -> None:
        self._server = server
        self._kept = store
        self.anybody = anybody
        self._seats = {seat.id: seat for seat in store.seats()}
        self._by_link: dict[str, Seat] = {}
        self._address: dict[int, str] = {}
        self.listeners: list[Callable[[], None]] = []
        if not self._seats:
            self._add(Seat(1, standing="seated", opener=True))
        for seat in self._seats.values():
            self._by_link[self.link(seat)] = seat
            if seat.name:
                self._seat_down(seat)

    @property
    def opener(self) -> Seat:
        """Return the seat of the person who opened the table."""
        return next(seat for seat in self._seats.values() if seat.opener)

    def all(self) -> list[Seat]:
        """Return every seat, the oldest first."""
        return list(self._seats.values())

    @property
    def seated(self) -> list[str]:
        """Return the names of the people who play."""
        return [seat.display for seat in self._seats.values() if seat.name and seat.standing == "seated"]

    def announce(self) -> None:
        """Announce a change to the listeners."""
        for listener in self.listeners:
            listener()

    def _mac(self, text: str) -> str:
        digest = hmac.digest(self._kept.key, text.encode(), "sha256")
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")

    def seal(self, text: str) -> str:
        """Return a token for a text that does not reveal the text."""
        return self._mac(f"seal {text}")[:SEAL_LENGTH]

    def link(self, seat: Seat) -> str:
        """Return the secret part of a seat's address: 43 characters, 256 bits."""
        return self._mac(f"seat {seat.id} {seat.edition}")

    def token(self, seat: Seat | None) -> str:
        """Return the token in every form of a seat's page, or for None of the page without a seat."""
        return self._mac(f"form {seat.id} {seat.edition}" if seat else "form 0")

    def with_link(self, link: str) -> Seat | None:
        """Return the seat that this link opens."""
        return self._by_link.get(link)

    def with_id(self, number: int) -> Seat | None:
        """Return the seat of that number."""
        return self._seats.get(number)

    def person(self, seat: Seat) -> Person:
        """Return the person at the local server."""
        return self._server.people[seat.name]

    def ask(self, display: str, *, watches: bool, address: str = "") -> Seat:
        """Create a seat for a person of that name. address: where they ask from. Raises NotSeated."""
        standing = "watching" if watches else "seated" if self.anybody else "asked"
        left = None if watches else self._left(display)
        if left is not None:
            self._require_room("asked", address)
            left.standing = "returning"
            self._kept.put_seat(left)
            return left
        self._require_room(standing, address)
        name, display = self._free(display)
        edition = secrets.randbelow(2**31)
        seat = self._add(Seat(max(self._seats) + 1, name, display, standing, edition=edition))
        self._address[seat.id] = address
        self._seat_down(seat)
        return seat

    def _left(self, display: str) -> Seat | None:
        """Return the seat that was given up under that name. The opener has to let its holder in again."""
        name = _name_of(display)
        given_up = (seat for seat in self._seats.values() if seat.standing == "withdrawn")
        return next((seat for seat in given_up if seat.name == name), None)

    def _require_room(self, standing: str, address: str) -> None:
        seats = [seat for seat in self._seats.values() if seat.standing not in FREED]
        rivals = [seat for seat in seats if seat.standing == standing or (standing == "asked" and seat.asks)]
        if len(seats) >= MAX_SEATS:
            raise NotSeated(
                f"Try again when someone has left; all {MAX_SEATS} seats of this table are taken."
            )
        if standing == "watching" and len(rivals) >= MAX_WATCHING:
            raise NotSeated(f"Try again when someone has left; {MAX_WATCHING} people are already watching.")
        if standing != "asked":
            return
        from_here = [seat for seat in rivals if address and self._address.get(seat.id) == address]
        if len(rivals) >= MAX_ASKING or len(from_here) >= MAX_ASKING_FROM_ONE:
            raise NotSeated("Try again later; too many people are waiting to be let in.")

    def call(self, seat: Seat, display: str) -> None:
        """Set the name of a seat that has none. Raises NotSeated."""
        if seat.name:
            raise NotSeated(f"You already have a name here: {seat.display}.")
        seat.name, seat.display = self._free(display)
        self._kept.put_seat(seat)
        self._seat_down(seat)

    def let(self, seat: Seat, standing: str) -> None:
        """Admit a person, or refuse the seat; never the opener's own.

        A seat that was never let in takes no room, and the oldest of such seats are forgotten.
        """
        if seat.opener:
            return
        if (seat.standing, standing) == ("returning", "refused"):
            self.withdraw(seat)
            return
        never_in = seat.standing in ("asked", "declined")
        seat.standing = "declined" if standing == "refused" and never_in else standing
        self._kept.put_seat(seat)
        declined = [seat for seat in self._seats.values() if seat.standing == "declined"]
        for one in declined[:-MAX_DECLINED]:
            self._drop(one)

    def _drop(self, seat: Seat) -> None:
        del self._seats[seat.id], self._by_link[self.link(seat)]
        self._address.pop(seat.id, None)
        self._kept.drop_seat(seat)

    def renew(self, seat: Seat) -> str:
        """Replace the link of a seat, so that the old one opens nothing, and return the new one."""
        del self._by_link[self.link(seat)]
        seat.edition += 1
        self._by_link[self.link(seat)] = seat
        self._kept.put_seat(seat)
        return self.link(seat)

    def withdraw(self, seat: Seat) -> None:
        """Withdraw a seat, so that no link opens it any longer. Raises NotSeated for the opener's."""
        if seat.opener:
            raise NotSeated("You opened this table, so you can't give up your seat. You can renew its link.")
        if seat.standing in ("asked", "declined", "watching"):
            self._drop(seat)
            return
        seat.standing = "withdrawn"
        self.renew(seat)

    def _add(self, seat: Seat) -> Seat:
        self._seats[seat.id] = seat
        self._by_link[self.link(seat)] = seat
        self._kept.put_seat(seat)
        return seat

    def _seat_down(self, seat: Seat) -> None:
        self._server.person(seat.name, seat.display, admin=seat.opener)

    def _free(self, display: str) -> tuple[str, str]:
        display = _spaced(display)
        if not display or len(display) > MAX_NAME_LENGTH or not _NAME.fullmatch(display):
            raise NotSeated(
                f"Enter a name of 1 to {MAX_NAME_LENGTH} letters, digits and spaces. "
                "It must begin with a letter or digit."
            )
        name = _name_of(display)
        taken_looks = {look_of(person) for person in (*RESERVED, *self._server.people)}
        if look_of(name) in taken_looks:
            raise NotSeated(
                f"Choose another name; {display} is already taken or too similar to another name."
            )
        return name, display


def _spaced(display: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", display).split())


def _name_of(display: str) -> str:
    return _spaced(display).casefold().replace(" ", "-")
