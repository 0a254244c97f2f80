"""Misbehaviour on demand: what the next requests meet instead of, before, or after being served.

Owns the list of armed faults and which request meets which. The gateway's faults are in the gateway itself.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Final

from aiohttp import web


class Trouble(StrEnum):
    """The ways in which a request can go wrong."""

    BUCKET_429 = "bucket 429"  # rate limited on this route, for `seconds`
    GLOBAL_429 = "global 429"  # rate limited everywhere, for `seconds`
    CLOUDFLARE_429 = "cloudflare 429"  # a text page without Via: the client takes it for a ban
    STATUS = "status"  # answered with `status` (500, 502, 503 ...) before anything is done
    DROP_BEFORE = "drop before"  # connection cut, nothing done
    DROP_AFTER = "drop after"  # done, then connection cut before the answer
    HANG = "hang"  # no answer for `seconds`, then cut, nothing done
    LATE = "late"  # served `seconds` later
    SLOW_ANSWER = "slow answer"  # done at once, answered `seconds` later


@dataclass(slots=True)
class Fault:
    """One armed fault: the next `times` requests whose "METHOD template" matches `route` meet it."""

    trouble: Trouble
    route: str
    seconds: float = 0.1
    status: int = 500
    times: int = 1
    met: int = 0


Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
JSON: Final = "application/json"
ANSWERS: Final = "POST /interactions/*/callback"


@dataclass(slots=True)
class Faults:
    """The armed faults, the oldest first."""

    armed: list[Fault] = field(default_factory=list)

    def arm(
        self, trouble: Trouble, route: str = "*", *, seconds: float = 0.1, status: int = 500, times: int = 1
    ) -> Fault:
        """Arm a fault for requests that match `route`: "POST /interactions/*", "* /channels/*/messages"."""
        fault = Fault(trouble, route, seconds, status, times)
        self.armed.append(fault)
        return fault

    def clear(self) -> None:
        """Disarm everything."""
        self.armed.clear()

    def _next(self, route: str) -> Fault | None:
        for fault in self.armed:
            if fnmatchcase(route, fault.route):
                fault.met += 1
                if fault.met >= fault.times:
                    self.armed.remove(fault)
                return fault
        return None

    async def serve(self, request: web.Request, route: str, handler: Handler) -> web.StreamResponse:
        """Serve a request, or let it meet the fault that waits for it."""
        fault = self._next(route) if self.armed else None
        if fault is None:
            return await handler(request)
        match fault.trouble:
            case Trouble.BUCKET_429 | Trouble.GLOBAL_429 | Trouble.CLOUDFLARE_429:
                return _limited(fault)
            case Trouble.STATUS:
                return web.Response(
                    status=fault.status, body=b'{"message": "Trouble", "code": 0}', content_type=JSON
                )
            case Trouble.DROP_BEFORE:
                return _cut(request)
            case Trouble.DROP_AFTER:
                await handler(request)
                return _cut(request)
            case Trouble.HANG:
                await asyncio.sleep(fault.seconds)
                return _cut(request)
            case Trouble.LATE:
                await asyncio.sleep(fault.seconds)
                return await handler(request)
            case Trouble.SLOW_ANSWER:
                response = await handler(request)
                await asyncio.sleep(fault.seconds)
                return response


def _limited(fault: Fault) -> web.Response:
    if fault.trouble is Trouble.CLOUDFLARE_429:
        return web.Response(status=429, text="error code: 1015", content_type="text/plain")
    everywhere = fault.trouble is Trouble.GLOBAL_429
    body = {"message": "You are being rate limited.", "retry_after": fault.seconds, "global": everywhere}
    headers = {"Via": "1.1 local", "Retry-After": str(int(fault.seconds) + 1)}
    headers["X-RateLimit-Scope"] = "global" if everywhere else "user"
    if everywhere:
        headers["X-RateLimit-Global"] = "true"
    return web.Response(status=429, body=json.dumps(body).encode(), content_type=JSON, headers=headers)


def _cut(request: web.Request) -> web.Response:
    if request.transport is not None:
        request.transport.abort()
    return web.Response(status=500)
