"""One HTTP request as the routes see it, and the way it is served: route, faults, token, parsing, records.

Owns everything that is the same for every route. Knows no particular route.
"""

from __future__ import annotations

import json
import mimetypes
import re
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from aiohttp import BodyPartReader, web

from bot.local import wire
from bot.local.compose import Received
from bot.local.faults import JSON, Faults
from bot.local.pointing import API
from bot.local.refusals import Refused
from bot.local.seen import Json

_HEADERS = {
    "Via": "1.1 local",
    "X-RateLimit-Limit": "1000",
    "X-RateLimit-Remaining": "999",
    "X-RateLimit-Reset-After": "1.000",
}

LARGE_BYTES = 100_000

_LARGE: deque[tuple[bytes, Any]] = deque(maxlen=4)
"""Large bodies that came lately: every client of a process registers the same commands."""


@dataclass(slots=True)
class Call:
    """A request: path parameters, query, JSON body and files; `status` is what success is answered with."""

    params: Mapping[str, str]
    query: Mapping[str, str]
    body: Any = None
    files: list[Received] = field(default_factory=list)
    status: int = 200

    def number(self, name: str, unknown: int) -> int:
        """Return a snowflake from the path; refused with 404 and the code `unknown` when it is none."""
        value = self.params[name]
        if not value.isdigit():
            raise Refused(404, unknown)
        return int(value)

    @property
    def form(self) -> Json:
        """Return the body, which must be a JSON object."""
        if not isinstance(self.body, dict):
            errors = {"_errors": [{"code": "MODEL_TYPE_CONVERT", "message": "Only dictionaries may be used"}]}
            raise Refused(400, 50035, errors=errors)
        return self.body


@dataclass(frozen=True, slots=True)
class Record:
    """One request and its answer; `template` is the path with its parameters' names."""

    method: str
    template: str
    query: Mapping[str, str]
    body: Any
    files: tuple[Received, ...]
    status: int
    answer: Any


Action = Callable[[Call], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Route:
    """What is done at one address; `template` is its path with the parameters' names in braces."""

    method: str
    template: str
    action: Action
    needs_token: bool

    @property
    def name(self) -> str:
        """Return the method and the template."""
        return f"{self.method} {self.template}"

    def met(self, path: str) -> Mapping[str, str] | None:
        """Return the parameters in a path; None for the path of another route."""
        match = _pattern(self.template).fullmatch(path)
        return None if match is None else match.groupdict()


@cache
def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(template)))


class RequestDesk:
    """Serves requests; `clock` gives seconds since 1970, `records` keeps the latest `keep` requests."""

    def __init__(self, token: str, clock: Callable[[], float], faults: Faults, keep: int) -> None:
        self._authorization = f"Bot {token}"
        self._clock = clock
        self._faults = faults
        self._routes: list[Route] = []
        self.records: deque[Record] = deque(maxlen=keep)

    def add(self, method: str, template: str, action: Action, *, needs_token: bool = True) -> None:
        """Register one route; where several are met, the one that was registered first."""
        self._routes.append(Route(method, template, action, needs_token))

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Serve any request: by its route, or by telling that it has none."""
        path = request.path.removeprefix(API) if request.path.startswith(API) else ""
        for route in self._routes:
            if route.method == request.method and (params := route.met(path)) is not None:
                return await self._guarded(request, route, params)
        return self._unknown(request, known=any(route.met(path) is not None for route in self._routes))

    async def _guarded(
        self, request: web.Request, route: Route, params: Mapping[str, str]
    ) -> web.StreamResponse:
        async def serve(request: web.Request) -> web.StreamResponse:
            return await self._serve(request, route, params)

        return await self._faults.serve(request, route.name, serve)

    async def _serve(
        self, request: web.Request, route: Route, params: Mapping[str, str]
    ) -> web.StreamResponse:
        call = Call(params, request.query)
        try:
            if route.needs_token:
                self._admit(request)
            await _read(request, call)
            answer = await route.action(call)
            status = 204 if answer is None else call.status
        except Refused as refusal:
            answer, status = refusal.body, refusal.status
        if self.records.maxlen:
            self.records.append(
                Record(route.method, route.template, call.query, call.body, tuple(call.files), status, answer)
            )
        headers = {
            **_HEADERS,
            "X-RateLimit-Bucket": f"{hash(route.name) & 0xFFFFFFFFFFFFFFFF:016x}",
            "X-RateLimit-Reset": f"{self._clock() + 1:.3f}",
        }
        if answer is None:
            return web.Response(status=204, headers=headers)
        body = wire.encode(answer).encode()
        return web.Response(status=status, body=body, content_type=JSON, headers=headers)

    def _unknown(self, request: web.Request, *, known: bool) -> web.StreamResponse:
        """Answer a path, or a method of a known one, that no route has."""
        status, text = (405, "405: Method Not Allowed") if known else (404, "404: Not Found")
        body: Json = {"message": text, "code": 0}
        if self.records.maxlen:
            self.records.append(Record(request.method, request.path, request.query, None, (), status, body))
        return web.Response(
            status=status, body=wire.encode(body).encode(), content_type=JSON, headers=_HEADERS
        )

    def _admit(self, request: web.Request) -> None:
        if not request.headers.get("User-Agent", "").startswith("DiscordBot ("):
            raise Refused(403, 40333)
        if request.headers.get("Authorization") != self._authorization:
            raise Refused(401, 0)


async def _read(request: web.Request, call: Call) -> None:
    if not request.can_read_body:
        return
    if request.content_type == "multipart/form-data":
        await _read_parts(request, call)
    elif request.content_type == JSON:
        call.body = _parsed(await request.read())
    else:
        raise Refused(400, 50035, errors={"_errors": [{"code": "CONTENT_TYPE", "message": "Expected JSON"}]})


async def _read_parts(request: web.Request, call: Call) -> None:
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            continue
        data = bytes(await part.read())
        if part.name == "payload_json":
            call.body = _parsed(data)
        else:
            kind, _ = mimetypes.guess_type(part.filename or "")
            call.files.append(Received(part.name or "", part.filename or "unknown", data, kind))
    if call.body is None:
        call.body = {}


def _parsed(raw: bytes) -> Any:
    for route, body in _LARGE:
        if route == raw:
            return body
    try:
        body = json.loads(raw)
    except ValueError:
        raise Refused(400, 50109) from None
    if len(raw) > LARGE_BYTES:
        _LARGE.append((raw, body))
    return body
