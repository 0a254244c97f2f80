"""Who sits at the page: names, who was let in, and the secret link of each.

Owns the step from a link to a seat, and from a seat to the person at the local server.
"""

from __future__ import annotations

import base64
import hmac
import re
import unicodedata

from bot.local.people import Person
from bot.local.server import LocalServer
from bot.page.kept import Kept, Seat

LONGEST_NAME = 24
MOST_SEATS = 64
"""Seats of one table, those that only ask counted."""

RESERVED = {"host", "wall", "adjutant", "everyone", "here"}
WALL = "wall"
_NAME = re.compile(r"[^\W_](?:[\w .'-]*[\w.])?")


class NotSeated(Exception):
    """Somebody cannot have this name or seat; the text is a sentence for the person."""


class Seats:
    """The seats of one table. anybody: who comes is let in without being asked for."""

    def __init__(self, server: LocalServer, kept: Kept, *, anybody: bool) -> None:
        self._server = server
        self._kept = kept
        self.anybody = anybody
        self._seats = {seat.id: seat for seat in kept.seats()}
        self._by_link: dict[str, Seat] = {}
        self.wall = server.person(WALL, "The wall")
        if not self._seats:
            self._add(Seat(1, standing="seated", opener=True))
        for seat in self._seats.values():
            self._by_link[self.link(seat)] = seat
            if seat.name:
                self._seat_down(seat)

    @property
    def opener(self) -> Seat:
        """Whoever opened the table."""
        return next(seat for seat in self._seats.values() if seat.opener)

    def all(self) -> list[Seat]:
        """Every seat, the oldest first."""
        return list(self._seats.values())

    def _mac(self, text: str) -> str:
        made = hmac.digest(self._kept.key, text.encode(), "sha256")
        return base64.urlsafe_b64encode(made).decode().rstrip("=")

    def link(self, seat: Seat) -> str:
        """The secret part of a seat's address: 43 characters, 256 bits."""
        return self._mac(f"seat {seat.id}")

    def token(self, seat: Seat | None) -> str:
        """What every form of a seat's page carries; None: of the page for those without a seat."""
        return self._mac(f"form {seat.id if seat else 0}")

    def with_link(self, link: str) -> Seat | None:
        """Whose link this is."""
        return self._by_link.get(link)

    def with_id(self, number: int) -> Seat | None:
        """The seat of that number."""
        return self._seats.get(number)

    def person(self, seat: Seat) -> Person:
        """The person at the local server."""
        return self._server.people[seat.name]

    def of_person(self, user_id: int) -> Seat | None:
        """The seat of a user of the local server."""
        named = (seat for seat in self._seats.values() if seat.name)
        return next((seat for seat in named if self.person(seat).id == user_id), None)

    def ask(self, display: str, *, watches: bool) -> Seat:
        """A new seat for somebody of that name. Raises NotSeated."""
        if len(self._seats) >= MOST_SEATS:
            raise NotSeated(f"This table has {MOST_SEATS} seats, and all are taken.")
        name, display = self._free(display)
        standing = "watching" if watches else "seated" if self.anybody else "asked"
        seat = self._add(Seat(max(self._seats) + 1, name, display, standing))
        self._seat_down(seat)
        return seat

    def call(self, seat: Seat, display: str) -> None:
        """Give a seat without a name its name. Raises NotSeated."""
        if seat.name:
            raise NotSeated(f"You are {seat.display} here.")
        seat.name, seat.display = self._free(display)
        self._kept.put_seat(seat)
        self._seat_down(seat)

    def let(self, seat: Seat, standing: str) -> None:
        """Let somebody in, or refuse the seat; never the opener's own."""
        if not seat.opener:
            seat.standing = standing
            self._kept.put_seat(seat)

    def _add(self, seat: Seat) -> Seat:
        self._seats[seat.id] = seat
        self._by_link[self.link(seat)] = seat
        self._kept.put_seat(seat)
        return seat

    def _seat_down(self, seat: Seat) -> None:
        self._server.person(seat.name, seat.display, admin=seat.opener)

    def _free(self, display: str) -> tuple[str, str]:
        display = " ".join(unicodedata.normalize("NFKC", display).split())
        if not display or len(display) > LONGEST_NAME or not _NAME.fullmatch(display):
            raise NotSeated(
                f"A name has 1 to {LONGEST_NAME} letters, digits, spaces, and begins with a letter."
            )
        name = display.casefold().replace(" ", "-")
        if name in RESERVED or name in self._server.people:
            raise NotSeated(f"Somebody is called {display} here already: choose another name.")
        return name, display
