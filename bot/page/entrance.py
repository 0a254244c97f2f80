"""The entrance for people without a seat: a name, a seat or only watching, and the code to scan."""

from __future__ import annotations

import hmac
import io
from dataclasses import dataclass

import segno
from aiohttp import web

from bot.page.frame import drawn, page
from bot.page.guard import JOINS, Rates, read_form
from bot.page.page_store import ASKING
from bot.page.seats import MAX_NAME_LENGTH, NotSeated, Seats
from bot.page.stream import Stream


@dataclass(frozen=True, slots=True)
class Entrance:
    """The pages without a secret link. address: what others type or scan."""

    seats: Seats
    stream: Stream
    rates: Rates
    address: str

    def add_to(self, app: web.Application) -> None:
        """Register the routes."""
        app.router.add_get("/", self.show)
        app.router.add_post("/join", self.join)
        app.router.add_get("/qr.svg", self.code)

    async def show(self, _: web.Request) -> web.Response:
        """Show the entrance."""
        return self._page()

    def _page(self, notice: str = "") -> web.Response:
        return page(
            "entrance",
            notice=notice,
            token=self.seats.token(None),
            anybody=self.seats.anybody,
            longest=MAX_NAME_LENGTH,
            address=self.address,
        )

    async def join(self, request: web.Request) -> web.Response:
        """Join in a seat, or ask for one, and redirect to a secret link."""
        posted = await read_form(request)
        self.rates.check(JOINS, request.remote)
        if not hmac.compare_digest(
            str(posted.get("token", "")).encode("utf-8", "replace"), self.seats.token(None).encode()
        ):
            raise web.HTTPForbidden(text="Open the address again; this form belongs to another table.")
        try:
            name, watches = str(posted.get("name", "")), posted.get("as") == "watch"
            seat = self.seats.ask(name, watches=watches, address=request.remote or "")
        except NotSeated as refusal:
            return self._page(str(refusal))
        tell_opener(self.seats, self.stream)
        raise web.HTTPSeeOther(f"/s/{self.seats.link(seat)}/")

    async def code(self, _: web.Request) -> web.Response:
        """Send the address as a picture."""
        image = io.BytesIO()
        segno.make(self.address, micro=False).save(image, kind="svg", scale=8, border=4, light="#fff")
        return web.Response(body=image.getvalue(), content_type="image/svg+xml")


_STANDS = {
    "asked": "is asking for a seat",
    "returning": "left and is asking to come back",
    "seated": "plays",
    "watching": "watches",
    "refused": "was not let in",
    "declined": "was not let in",
}


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A person at the table, as the opener sees them."""

    id: int
    display: str
    standing: str

    @property
    def stands(self) -> str:
        """Return in words what they do here."""
        return _STANDS[self.standing]

    @property
    def asks(self) -> bool:
        """Return whether they wait to be let in."""
        return self.standing in ASKING

    @property
    def can_come(self) -> bool:
        """Return whether they can be let in to play."""
        return self.standing != "seated"

    @property
    def can_go(self) -> bool:
        """Return whether they can be sent away."""
        return self.standing in ("seated", "watching")


def seat_lines(seats: Seats) -> list[SeatLine]:
    """Return everyone but the opener."""
    others = (seat for seat in seats.all() if not seat.opener and seat.standing != "withdrawn")
    return [SeatLine(seat.id, seat.display, seat.standing) for seat in others]


def tell_opener(seats: Seats, stream: Stream) -> None:
    """Show the opener who is here now, and announce the change."""
    seats.announce()
    opener = seats.opener
    if opener.name:
        waits = sum(seat.asks for seat in seats.all())
        data = {"html": drawn("seats", seats=seat_lines(seats)), "waits": waits}
        stream.tell("seats", data, seats.person(opener).id, told=True)
