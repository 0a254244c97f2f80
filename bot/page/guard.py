"""Refusing requests that our pages never send, before anything reads them, and headers for every answer.

Owns hosts, origins, rates and headers. The seat decides what a person may do.
"""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import yarl
from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from bot.page.attach import MAX_FILE_BYTES

MAX_BYTES = 64 * 1024
"""Bytes of one request, but for one that brings a file."""

MAX_BYTES_WITH_FILE = MAX_FILE_BYTES + MAX_BYTES

MAX_KEYS = 2000

UTF_8 = "utf-8"
"""The only letters that our forms are written in."""

FOREIGN = "Open your link again; this form was ignored, because another site sent it."

NOT_OURS = "Use the forms on this table's pages; nothing else can be sent here."

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


@dataclass(frozen=True, slots=True)
class Rate:
    """How much of a thing one person may do: `burst` at once, then `each_second`."""

    burst: float
    each_second: float


ANY, ACTS, ASKS, JOINS = Rate(300, 50), Rate(20, 5), Rate(30, 10), Rate(5, 0.1)
"""Requests of one address; what a seat sends; suggestions of a seat; seats asked for from one address."""


class Rates:
    """The recent number of requests from everyone; those silent for longest are forgotten first."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left: OrderedDict[tuple[Rate, object], tuple[float, float]] = OrderedDict()

    def may(self, rate: Rate, caller: object) -> bool:
        """Return whether `who` may do it once more now; counts it."""
        now = self._clock()
        tokens_left, since = self._left.pop((rate, caller), (rate.burst, now))
        tokens_left = min(rate.burst, tokens_left + (now - since) * rate.each_second)
        self._left[rate, caller] = (tokens_left - 1 if tokens_left >= 1 else tokens_left, now)
        while len(self._left) > MAX_KEYS:
            self._left.popitem(last=False)
        return tokens_left >= 1

    def check(self, rate: Rate, caller: object) -> None:
        """Refuse what is too much: HTTPTooManyRequests."""
        if not self.may(rate, caller):
            raise web.HTTPTooManyRequests(
                text="Wait a moment; you sent too many requests at once.", headers={"Retry-After": "2"}
            )


def guarded(rates: Rates, names: frozenset[str]) -> Middleware:
    """Return the middleware. names: the names of this machine, apart from its addresses."""

    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        if not _is_ours(request.host, names):
            raise web.HTTPMisdirectedRequest(
                text="Open the address that the table shows; this address doesn't work."
            )
        rates.check(ANY, request.remote)
        if request.method == "POST":
            _check_origin(request)
            _check_body(request)
        response = await handler(request)
        if request.method == "GET" and not response.prepared and _is_to_shrink(request, response):
            response.enable_compression()
        return response

    return guard


def _is_to_shrink(request: web.Request, response: web.StreamResponse) -> bool:
    """Return whether a page is sent, or a style or script as a whole: these become much smaller.

    A file that the browser only asks about again may be answered without its content.
    """
    if isinstance(response, web.FileResponse):
        return not any(name in request.headers for name in ("If-None-Match", "If-Modified-Since", "Range"))
    return response.content_type == "text/html"


def _check_body(request: web.Request) -> None:
    may_bring_file = request.path.endswith("/form") and request.content_type == "multipart/form-data"
    brings_file = may_bring_file or request.path.endswith("/attach")
    kind = "multipart/form-data" if brings_file else "application/x-www-form-urlencoded"
    if request.content_type != kind or (request.charset or UTF_8).lower() != UTF_8:
        raise web.HTTPUnsupportedMediaType(text=NOT_OURS)
    if request.content_length is None:
        raise web.HTTPLengthRequired(text=NOT_OURS)
    most = MAX_BYTES_WITH_FILE if brings_file else MAX_BYTES
    if request.content_length > most:
        raise web.HTTPRequestEntityTooLarge(most, request.content_length, text="Send a smaller text or file.")


async def read_form(request: web.Request) -> Any:
    """Return the contents of a form. Raises HTTPBadRequest if it cannot be read."""
    try:
        return await request.post()
    except (LookupError, ValueError, RuntimeError):
        raise web.HTTPBadRequest(text="The form couldn't be read. Reload the page and try again.") from None


def _is_ours(host: str, names: frozenset[str]) -> bool:
    """Return whether a request was meant for us: by address or by a name of this machine.

    Someone else may have pointed any other name here, to read our pages under it.
    """
    try:
        name = yarl.URL(f"http://{host}").host or ""
    except ValueError:
        return False
    if name in names:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _check_origin(request: web.Request) -> None:
    """Refuse what another site sends.

    A form without script says `null`, since our pages tell no referrer: then its token alone decides.
    """
    origin = request.headers.get("Origin", "null")
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise web.HTTPForbidden(text=FOREIGN)
    if origin not in ("null", f"{request.scheme}://{request.host}"):
        raise web.HTTPForbidden(text=FOREIGN)


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Add the headers of every answer."""
    for name, value in HEADERS.items():
        response.headers[name] = value
    response.headers.setdefault("Cache-Control", "no-store")
    response.headers["Server"] = "Adjutant"
