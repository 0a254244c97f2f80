"""The entrance: for whoever has no seat yet. A name, a seat or only watching, and the code to scan."""

from __future__ import annotations

import hmac
import io
from dataclasses import dataclass
from html import escape

import segno
from aiohttp import web

from bot.page.frame import hidden, page
from bot.page.guard import JOINS, Rates, read_form
from bot.page.page_store import Seat
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
        """The entrance."""
        return self._page()

    def _page(self, notice: str = "") -> web.Response:
        asks = "" if self.seats.anybody else " Who opened the table lets you in."
        said = f'<p class="notice" role="alert">{escape(notice)}</p>' if notice else ""
        return page(
            "The table",
            f"<main class='narrow'><h1>The table</h1>{said}"
            f'<form method="post" action="/join" class="sheet">{hidden(self.seats.token(None))}'
            f'<p class="field"><label for="name">Your name</label><input id="name" name="name" required'
            f' maxlength="{MAX_NAME_LENGTH}" autocomplete="nickname"></p>'
            '<fieldset class="field"><legend>You</legend>'
            '<label class="check"><input type="radio" name="as" value="play" checked>'
            f"<span>play <small>{asks.strip()}</small></span></label>"
            '<label class="check"><input type="radio" name="as" value="watch"><span>watch</span></label></fieldset>'
            '<div class="buttons"><button class="main">Sit down</button></div></form>'
            f'<figure class="code"><img src="/qr.svg" alt="The address of this table as a code to scan">'
            f"<figcaption>{escape(self.address)}</figcaption></figure>"
            '<p><a href="/wall">The wall, for a television</a></p></main>',
        )

    async def join(self, request: web.Request) -> web.Response:
        """Take a seat, or ask for one; leads to a secret link."""
        posted = await read_form(request)
        self.rates.check(JOINS, request.remote)
        if not hmac.compare_digest(
            str(posted.get("token", "")).encode("utf-8", "replace"), self.seats.token(None).encode()
        ):
            raise web.HTTPForbidden(text="Open the address again; this form isn't from this table.")
        try:
            name, watches = str(posted.get("name", "")), posted.get("as") == "watch"
            seat = self.seats.ask(name, watches=watches, address=request.remote or "")
        except NotSeated as refusal:
            return self._page(str(refusal))
        tell_opener(self.seats, self.stream)
        raise web.HTTPSeeOther(f"/s/{self.seats.link(seat)}/")

    async def code(self, _: web.Request) -> web.Response:
        """The address as a picture."""
        made = io.BytesIO()
        segno.make(self.address, micro=False).save(made, kind="svg", scale=8, border=4, light="#fff")
        return web.Response(body=made.getvalue(), content_type="image/svg+xml")


def seats_html(seats: Seats) -> str:
    """Who sits here, for whoever opened the table, with buttons to let in and to send away."""
    rows = [_row(seat) for seat in seats.all() if not seat.opener and seat.standing != "withdrawn"]
    if not rows:
        return "<p class='note'>Nobody else is here yet.</p>"
    return "".join(rows)


_STANDS = {
    "asked": "asks for a seat",
    "seated": "plays",
    "watching": "watches",
    "refused": "is not let in",
    "declined": "is not let in",
}


def _row(seat: Seat) -> str:
    name = escape(seat.display)
    let = f'<button form="seats" name="seated" value="{seat.id}" class="main">Let {name} in</button>'
    away = f'<button form="seats" name="refused" value="{seat.id}">{"No seat" if seat.standing == "asked" else "Send away"}'
    away += (
        f'<span class="hidden"> for {name}</span></button>'
        if seat.standing == "asked"
        else f" {name}</button>"
    )
    shown = {"asked": let + away, "seated": away, "watching": let + away, "refused": let, "declined": let}[
        seat.standing
    ]
    return f'<div class="seat"><p>{name} {_STANDS[seat.standing]}</p><div class="buttons">{shown}</div></div>'


def tell_opener(seats: Seats, stream: Stream) -> None:
    """Show the opener who is here now."""
    opener = seats.opener
    if opener.name:
        waits = sum(seat.standing == "asked" for seat in seats.all())
        data = {"html": seats_html(seats), "waits": waits}
        stream.tell("seats", data, seats.person(opener).id, told=True)
