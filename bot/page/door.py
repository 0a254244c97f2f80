"""The door: the pages and addresses under a seat's secret link.

Owns the step from a request to what the seat's person does at the local server, once. Every address below a
link shows and does only what that person may; there is none that takes another's name.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from aiohttp import web

from bot.local.commands import ClientRefusal
from bot.local.outcomes import InteractionOutcome, NotAnswered
from bot.local.people import Person
from bot.local.seen import EventKind, MessageControl, Modal, Suggestion
from bot.local.world import World
from bot.page import attach, forms
from bot.page.entrance import seat_lines, tell_opener
from bot.page.frame import page
from bot.page.guard import ACTS, ASKS, Rates, read_form
from bot.page.messages import PICTURES, MessageWriter, is_panel
from bot.page.page_store import Kept, Seat
from bot.page.scene import Scene
from bot.page.seats import NotSeated, Seats
from bot.page.stream import Stream, TooMany
from bot.page.suggest import suggestions

DEMO = "demo"
MAX_DONE = 500
MAX_FORMS = 8
MAX_LINE_LENGTH = 1000
CHANGED = "Look at the message again before you press, because it has just changed."
NO_NAME = "Enter your name first."
NO_FORM = "Press the button again; that form is no longer open."

Result = dict[str, str]
"""The result of an act: `say` a sentence for the person alone, `form` a form that opened, or nothing."""


@dataclass(frozen=True, slots=True)
class SeatCall:
    """One request at a seat's address, its values checked for token and word."""

    request: web.Request
    seat: Seat
    person: Person
    posted: Any


class Door:
    """The addresses of seats."""

    def __init__(
        self,
        world: World,
        channel: int,
        seats: Seats,
        store: Kept,
        stream: Stream,
        writer: MessageWriter,
        rates: Rates,
        scene: Scene,
        address: str,
    ) -> None:
        self._world = world
        self._channel = channel
        self._seats = seats
        self._kept = store
        self._stream = stream
        self._writer = writer
        self._rates = rates
        self._scene = scene
        self._address = address
        self._doing: OrderedDict[tuple[int, str], asyncio.Future[Result]] = OrderedDict()
        self._forms: dict[int, OrderedDict[int, Modal]] = {}

    def add_to(self, app: web.Application) -> None:
        """Register the routes."""
        app.router.add_get("/s/{link}/", self.show)
        app.router.add_get("/s/{link}/events", self.events)
        app.router.add_get("/s/{link}/files/{id}/{name}", self.file)
        app.router.add_get("/s/{link}/suggest", self.suggest)
        app.router.add_get("/s/{link}/ground", self.ground)
        app.router.add_get("/s/{link}/way", self.way)
        for name, act in (
            ("act", self._act),
            ("form", self._submit),
            ("say", self._say),
            ("attach", self._attach),
        ):
            app.router.add_post(f"/s/{{link}}/{name}", self._doing_once(act))
        app.router.add_post("/s/{link}/seats", self.let)
        app.router.add_post("/s/{link}/name", self.name)
        app.router.add_post("/s/{link}/renew", self.renew)
        app.router.add_post("/s/{link}/withdraw", self.withdraw)

    def _seat(self, request: web.Request) -> Seat:
        seat = self._seats.with_link(request.match_info["link"])
        if seat is None:
            raise web.HTTPNotFound(
                text="Use your newest link, or open the table's address; this link doesn't work."
            )
        return seat

    def _sees(self, request: web.Request) -> tuple[Seat, Person]:
        seat = self._seat(request)
        if not seat.name:
            raise web.HTTPForbidden(text=NO_NAME)
        if seat.standing not in ("seated", "watching"):
            raise web.HTTPForbidden(
                text="Wait until you are let in." if seat.asks else "You were not let in."
            )
        return seat, self._seats.person(seat)

    async def _posted(self, request: web.Request, seat: Seat) -> Any:
        posted = await read_form(request)
        token = str(posted.get("token", "")).encode("utf-8", "replace")
        if not hmac.compare_digest(token, self._seats.token(seat).encode()):
            raise web.HTTPForbidden(text="Open your link again; this form belongs to someone else.")
        return posted

    # What is shown

    async def show(self, request: web.Request) -> web.Response:
        """Show the seat's page."""
        return await self._page(self._seat(request))

    async def _page(self, seat: Seat, *, notice: str = "", sheet: str = "") -> web.Response:
        token = self._seats.token(seat)
        if not seat.name:
            return page("name", token=token, notice=notice)
        person = self._seats.person(seat)
        if seat.asks or seat.standing in ("refused", "declined"):
            return page("waiting", name=seat.display, asked=seat.asks, at=self._stream.at(person.id))
        standing = await self._scene.now()
        ground = await self._scene.ground(person.id)
        position = self._stream.at(person.id)  # what was told up to here, this page shows
        visible = self._stream.seen_by(person.id)
        panel = next((message for message in reversed(visible) if is_panel(message)), None)
        others = [message for message in visible if message is not panel]
        newest = others[-1] if others else None
        has_question = panel and newest and newest.ephemeral and newest.id > panel.id
        aside = others.pop() if has_question else None
        return page(
            "table",
            seat=seat,
            token=token,
            at=position,
            notice=notice,
            sheet=sheet,
            user=person.id,
            address=self._address,
            standing=standing,
            parts_of=self._scene.parts,
            ground=ground,
            games=_games(person),
            log=[self._writer.shown(message) for message in others],
            panel=self._writer.shown(panel) if panel else None,
            aside=self._writer.shown(aside) if aside else None,
            seats=seat_lines(self._seats) if seat.opener else (),
            asking=sum(message.asks for message in self._seats.all()),
        )

    async def events(self, request: web.Request) -> web.StreamResponse:
        """Stream events to the page as they happen."""
        seat = self._seat(request)
        if not seat.name:
            raise web.HTTPForbidden(text=NO_NAME)
        try:
            return await self._stream.serve(
                request, self._seats.person(seat).id, lambda: self._opens(request, seat)
            )
        except TooMany:
            raise web.HTTPServiceUnavailable(
                text="Close another page of this table first; too many are open."
            ) from None

    def _opens(self, request: web.Request, seat: Seat) -> bool:
        """Return whether the link that was opened still shows the table."""
        valid = self._seats.with_link(request.match_info["link"]) is seat
        return valid and seat.standing in ("seated", "watching")

    async def file(self, request: web.Request) -> web.Response:
        """Send a picture or file of a message that this seat sees."""
        _, person = self._sees(request)
        number = request.match_info["id"]
        for message in person.messages(self._channel):
            for attachment in message.attachments:
                if str(attachment.id) == number:
                    return file_response(attachment.data, attachment.content_type)
        raise web.HTTPNotFound(text="That file doesn't exist.")

    async def suggest(self, request: web.Request) -> web.Response:
        """Return the suggestions for the line being typed."""
        seat, person = self._sees(request)
        self._rates.check(ASKS, seat.id)
        line = request.query.get("line", "")[:MAX_LINE_LENGTH]
        suggestions_found = await suggestions(person, line) if seat.standing == "seated" else []
        return web.json_response([{"shown": label, "line": text} for label, text in suggestions_found])

    async def ground(self, request: web.Request) -> web.Response:
        """Send the board in inches as this seat may see it."""
        seat, person = self._sees(request)
        self._rates.check(ASKS, seat.id)
        return web.Response(text=await self._scene.ground(person.id), content_type="text/html")

    async def way(self, request: web.Request) -> web.Response:
        """Return what bars a route on the board, or the game's own move along it, before it is sent."""
        seat, person = self._sees(request)
        self._rates.check(ASKS, seat.id)
        where = request.query.get("where", "")[:MAX_LINE_LENGTH]
        named, level = request.query.get("model", ""), request.query.get("level", "")
        model = -_number(named[1:]) if named.startswith("-") else _number(named)
        inches = float(level) if re.fullmatch(r"\d{1,3}(\.\d)?", level) else 0.0
        route = await self._scene.route(person.id, model, where, inches)
        return web.json_response(asdict(route))

    # What is done

    def _doing_once(
        self, act: Callable[[SeatCall], Awaitable[InteractionOutcome]]
    ) -> Callable[[web.Request], Awaitable[web.Response]]:
        async def do(request: web.Request) -> web.Response:
            seat, person = self._sees(request)
            posted = await self._posted(request, seat)
            press_id = str(posted.get("once", ""))
            if not 8 <= len(press_id) <= 64:
                raise web.HTTPBadRequest(text="Reload the page and try again.")
            if seat.standing != "seated":
                return await self._answer(
                    request, seat, {"say": "To play, ask for a seat; at the moment you are only watching."}
                )
            result = self._doing.get((seat.id, press_id))
            if result is None:
                self._rates.check(ACTS, seat.id)
                result = self._begin(SeatCall(request, seat, person, posted), press_id, act)
            return await self._answer(request, seat, await asyncio.shield(result))

        return do

    def _begin(
        self, call: SeatCall, token: str, act: Callable[[SeatCall], Awaitable[InteractionOutcome]]
    ) -> asyncio.Future[Result]:
        if self._kept.first_time(call.seat.id, token):
            result: asyncio.Future[Result] = asyncio.ensure_future(self._result(call, act))
        else:
            result = asyncio.get_running_loop().create_future()
            result.set_result({})
        self._doing[call.seat.id, token] = result
        while len(self._doing) > MAX_DONE:
            self._doing.popitem(last=False)
        return result

    async def _result(
        self, call: SeatCall, act: Callable[[SeatCall], Awaitable[InteractionOutcome]]
    ) -> Result:
        try:
            outcome = await act(call)
            event = await outcome.acknowledged()
        except attach.FileNeeded as needed:
            line = str(call.posted["line"])
            return {"form": attach.form(needed, line, self._seats.token(call.seat))}
        except (ClientRefusal, NotAnswered) as refusal:
            return {"say": str(refusal)}
        if event.kind is EventKind.UNANSWERED:
            return {
                "say": (
                    "There was no answer. Before you press again, check whether your action was carried out."
                )
            }
        if event.modal is None:
            return {}
        forms = self._forms.setdefault(call.seat.id, OrderedDict())
        forms[event.modal.interaction_id] = event.modal
        while len(forms) > MAX_FORMS:
            forms.popitem(last=False)
        return {"form": self._sheet(call.seat, event.modal)}

    def _sheet(self, seat: Seat, modal: Modal) -> str:
        people = [self._seats.person(seat).user for seat in self._seats.all() if seat.name]
        return forms.form(modal, self._seats.token(seat), people, self._writer.named, self._scene)

    async def _answer(self, request: web.Request, seat: Seat, result: Result) -> web.Response:
        if "application/json" in request.headers.get("Accept", ""):
            return web.json_response(result)
        if not result:
            raise web.HTTPSeeOther("./")
        return await self._page(seat, notice=result.get("say", ""), sheet=result.get("form", ""))

    async def _act(self, call: SeatCall) -> InteractionOutcome:
        posted = call.posted
        if "press" in posted:
            number, control = self._standing(call, *_said(posted["press"], 2))
            return await call.person.press(number, control.custom_id or "")
        if "pick" in posted:
            message_number, control_token, choice = _said(posted["pick"], 3)
            return await self._select(call, message_number, control_token, [choice])
        if "choose" in posted:
            message_number, control_token = _said(posted["choose"], 2)
            choices = [str(choice) for choice in posted.getall(posted["choose"], [])]
            return await self._select(call, message_number, control_token, choices)
        raise ClientRefusal("Press one of the buttons.")

    async def _select(
        self, call: SeatCall, message_number: str, control_token: str, tokens: Sequence[str]
    ) -> InteractionOutcome:
        number, control = self._standing(call, message_number, control_token)
        values = {self._writer.token(control, option.value): option.value for option in control.options}
        if not values.keys() >= set(tokens):
            raise ClientRefusal(CHANGED)
        return await call.person.select(number, control.custom_id or "", [values[token] for token in tokens])

    def _standing(self, call: SeatCall, message_number: str, token: str) -> tuple[int, MessageControl]:
        """Return the message and control that were pressed, where they still stand."""
        number = _number(message_number)
        for message in call.person.messages(self._channel):
            for control in message.controls if message.id == number else ():
                if self._writer.token(control) == token:
                    return number, control
        raise ClientRefusal(CHANGED)

    async def _submit(self, call: SeatCall) -> InteractionOutcome:
        number = str(call.posted.get("opened", ""))
        opened = self._forms.get(call.seat.id)
        modal = opened.get(_number(number)) if opened else None
        if modal is None:
            raise ClientRefusal(NO_FORM)
        return await call.person.submit(modal, forms.values(modal, call.posted))

    async def _say(self, call: SeatCall) -> InteractionOutcome:
        line = _line_of(call)
        if not line.startswith("/"):
            return await call.person.slash("do", {"line": line})
        command, values = attach.read_line(line[1:], call.person.commands())
        attach.check_complete(command, values)
        return await call.person.slash(command.path, values)

    async def _attach(self, call: SeatCall) -> InteractionOutcome:
        command, values = attach.read_line(_line_of(call)[1:], call.person.commands())
        pasted = str(call.posted.get("pasted", ""))
        filled = attach.with_file(command, values, call.posted.get("file"), pasted)
        return await call.person.slash(command.path, filled)

    async def let(self, request: web.Request) -> web.Response:
        """Admit a person, or turn them away; only the opener may."""
        seat = self._seat(request)
        if not seat.opener:
            raise web.HTTPForbidden(text="Only the person who opened the table can change the seats.")
        posted = await self._posted(request, seat)
        for standing in ("seated", "refused"):
            number = str(posted.get(standing, ""))
            other = (
                self._seats.with_id(int(number))
                if number.isascii() and number.isdigit() and len(number) < 9
                else None
            )
            if other is not None and other.name:
                self._seats.let(other, standing)
                self._stream.tell("again", {}, self._seats.person(other).id, told=True)
        tell_opener(self._seats, self._stream)
        return await self._answer(request, seat, {})

    async def name(self, request: web.Request) -> web.Response:
        """Return the opener's own name."""
        seat = self._seat(request)
        posted = await self._posted(request, seat)
        try:
            self._seats.call(seat, str(posted.get("name", "")))
            self._seats.announce()
        except NotSeated as refusal:
            return await self._page(seat, notice=str(refusal))
        raise web.HTTPSeeOther("./")

    async def renew(self, request: web.Request) -> web.Response:
        """Replace the link of the seat's holder; pages that the old link opened stop working."""
        seat = self._seat(request)
        await self._posted(request, seat)
        self._rates.check(ACTS, seat.id)
        link = self._seats.renew(seat)
        if seat.name:
            self._stream.end(self._seats.person(seat).id)
        raise web.HTTPSeeOther(f"/s/{link}/")

    async def withdraw(self, request: web.Request) -> web.Response:
        """Withdraw from the seat: its holder leaves, and no link opens it any longer."""
        seat = self._seat(request)
        await self._posted(request, seat)
        try:
            self._seats.withdraw(seat)
        except NotSeated as refusal:
            return await self._page(seat, notice=str(refusal))
        if seat.name:
            self._stream.end(self._seats.person(seat).id)
        tell_opener(self._seats, self._stream)
        raise web.HTTPSeeOther("/")


def _games(person: Person) -> Sequence[Suggestion]:
    """Return the games that there are, as the command that tries one offers them."""
    demo = next((command for command in person.commands() if command.path == DEMO), None)
    return next((option.choices for option in demo.options if option.choices), ()) if demo else ()


def file_response(data: bytes, kind: str | None) -> web.Response:
    """Return a file, to be shown if it is a picture and otherwise only to be saved."""
    if kind in PICTURES:
        return web.Response(body=data, content_type=kind, headers={"Cache-Control": "private, max-age=86400"})
    headers = {"Content-Disposition": "attachment"}
    return web.Response(body=data, content_type="application/octet-stream", headers=headers)


def _said(text: object, count: int) -> list[str]:
    try:
        parts = json.loads(str(text))
    except (ValueError, RecursionError):
        parts = None
    if not isinstance(parts, list) or len(parts) != count or not all(isinstance(part, str) for part in parts):
        raise ClientRefusal("Press a button on this page.")
    return parts


def _line_of(call: SeatCall) -> str:
    line = " ".join(str(call.posted.get("line", "")).split())
    if not line or len(line) > MAX_LINE_LENGTH:
        raise ClientRefusal(f"Enter a line of 1 to {MAX_LINE_LENGTH} characters.")
    return line


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 21 else 0
