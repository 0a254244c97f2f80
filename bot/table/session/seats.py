"""Handing a seat over: from a phone at the table to an account on Discord, back, or to another person.

The owner of the seat shows a code, valid once and for a few days; the person who enters it plays the seat
from then on. With the organiser's code the game itself moves to another server: from the table in a browser
to Discord, or back. None of it is a step of the game, so no undo touches it.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.replies.reply import Button, Reply, say
from bot.store.book import Loaded, changes_between
from bot.store.errors import Occupied
from bot.store.game_search import has_been_ended
from bot.store.rows import AskRow, SeatCodeRow, StandInRow, WatcherRow
from bot.table import side_access
from bot.table.act import Actor
from bot.table.asking import fields
from bot.table.carrying import Carrier
from bot.table.channels import ChannelRefusal, mention
from bot.table.encounter import ENDED, Encounter
from bot.table.handlers import Place
from bot.table.journal_actions import handles_specially
from bot.table.owners import SELF
from bot.table.request import Answer, Request, draft
from bot.table.scoping import CODE_CHARACTERS, CODE_LENGTH, NO_SUCH_CODE, find_stand_in, hash_code
from bot.table.session.encounters import EndEncounter
from bot.table.session.joining import explain_tie
from rules.refusals import Forbidden, InvalidInput
from rules.wording import possessive

GOOD_DAYS = 7
GOOD_MS = GOOD_DAYS * 86_400_000
"""How long a code is good."""

MAX_CODE_LENGTH = 40

_DOMAIN = b"adjutant seat 1\0"

IS_OVER = "That game has ended, so its seats can no longer change hands."


@dataclass(frozen=True, slots=True)
class GiveSeat(Action):
    """Get or enter a code that moves a seat to another account or phone.

    show: a code is wanted. sure: it was asked before whether the game comes here.
    """

    command = "encounter.seat"
    typed = "encounter seat"
    titled = "Move my seat"
    decision_of = SELF

    code: str = fields.text(
        "Code of the seat to take over (leave blank to see your own seat)", MAX_CODE_LENGTH
    )
    show: bool = False
    sure: bool = False


@dataclass(frozen=True, slots=True)
class TakeSeatBack(Action):
    """Play your own seat again, or give back the seat that you play for another person."""

    command = "encounter.seat.back"
    decision_of = SELF


@dataclass(frozen=True, slots=True)
class _Table:
    """A game as seen by a person who plays or owns one of its seats."""

    encounter: Encounter
    actor: Actor

    @property
    def stands_in(self) -> StandInRow | None:
        """Return the seat of another that the person plays."""
        return self.encounter.book.get(StandInRow, self.actor.user_id)

    @property
    def given_to(self) -> StandInRow | None:
        """Return who plays the person's own seat."""
        return find_stand_in(self.encounter.book, self.actor.user_id)

    @property
    def has_place(self) -> bool:
        """Return whether the person has a seat of the own, or organises."""
        user = self.actor.user_id
        return user in self.encounter.row.organisers or self.encounter.seat_of(user) is not None

    @property
    def holder(self) -> tuple[int, str]:
        """Number and name of whose seat the person has the say of. Raises Forbidden."""
        row = self.stands_in
        if row is not None:
            return row.as_id, row.as_name
        if not self.has_place:
            raise Forbidden(f"Join {self.encounter.row.name} first with /encounter join.")
        return self.actor.user_id, self.actor.name


def _looked_at(loaded: Loaded, actor: Actor) -> _Table:
    table = _Table(Encounter(loaded.book()), actor)
    if table.encounter.row.status == ENDED:
        raise InvalidInput(IS_OVER)
    return table


@handles_specially(GiveSeat, Place.SEAT)
async def give_seat(carrier: Carrier, loaded: Loaded, request: Request) -> Answer:
    """Show the state of one's seat, make a code for it, or take the seat of a code."""
    action = request.action
    assert isinstance(action, GiveSeat)
    table = _looked_at(loaded, request.actor)
    if action.code:
        return await _take_over_seat(carrier, loaded, request, table)
    if action.show:
        return await _code_shown(carrier, loaded, request, table)
    return Answer(_how_it_stands(table), loaded.scope.id)


# ------------------------------------------------------------------------------------ whose it is


def _how_it_stands(table: _Table) -> Reply:
    """Show only the person who plays their seat, and what they can do about it."""
    name = table.encounter.row.name
    show = Button("Show a code", GiveSeat(show=True), "main", anytime=True)
    stand_in, row = table.given_to, table.stands_in
    if stand_in is not None:
        back_button = Button("Take my seat back", TakeSeatBack(), "main", anytime=True)
        return say(f"{stand_in.name} is playing in your seat in {name}.", private=True, buttons=[back_button])
    if row is not None:
        back_button = Button("Give the seat back", TakeSeatBack(), anytime=True)
        return say(
            f"You are playing in {possessive(row.as_name)} seat in {name}.",
            private=True,
            buttons=[show, back_button],
        )
    table.holder  # noqa: B018 - raises Forbidden for who has none
    return say(
        f"You are in your own seat in {name}.",
        "To use your seat from another account or phone, or to let someone else use it, press Show a code.",
        "Then enter the code there with /encounter seat.",
        *(("Your code can also move the game to another server.",) if _leads(table) else ()),
        private=True,
        buttons=[show],
    )


def _leads(table: _Table) -> bool:
    return table.encounter.row.organiser_id == table.holder[0]


def _code(seed: bytes, entry: int) -> str:
    """Return the code that an entry makes. Only the secret of the dice reveals it."""
    mac = hmac.digest(seed, _DOMAIN + entry.to_bytes(8, "big"), "sha256")
    return "".join(CODE_CHARACTERS[byte % len(CODE_CHARACTERS)] for byte in mac[:CODE_LENGTH])


def _grouped(code: str) -> str:
    return "-".join(code[start : start + 4] for start in range(0, len(code), 4))


async def _code_shown(carrier: Carrier, loaded: Loaded, request: Request, table: _Table) -> Answer:
    """Make a code, in the place of an earlier one; the journal keeps neither it nor the reply with it."""
    if table.given_to is not None:
        raise InvalidInput(f"Take your seat back from {table.given_to.name} first.")
    if await has_been_ended(carrier.store, loaded.scope.id, EndEncounter.command):
        raise InvalidInput("No more codes can be made, because this game has already been ended once.")
    user, name = table.holder
    book, scope = table.encounter.book, loaded.scope
    code = _code(loaded.seed, scope.version + 1)
    now_ms = request.witness.looking(carrier.store, scope.id).now()
    _drop_code(table.encounter, user)
    book.add(SeatCodeRow(scope.id, user, name, hash_code(code), now_ms + GOOD_MS))
    reply = say(
        f"A code for {possessive(name)} seat was shown.",
        "Use /encounter seat to get another code.",
        private=True,
    )
    told = say(
        f"Code for {possessive(name)} seat:",
        f"`{_grouped(code)}`",
        f"It works once, within {GOOD_DAYS} days. Enter it with /encounter seat.",
        "Show it only to the person who should take over the seat.",
        private=True,
    )
    whose = "their own" if user == table.actor.user_id else possessive(name)
    title = f"{table.actor.name} made a code for {whose} seat"
    answer = await _write_aside(carrier, loaded, request, table, reply, title)
    return replace(answer, reply=told)


def _drop_code(encounter: Encounter, user_id: int) -> None:
    row = encounter.book.get(SeatCodeRow, user_id)
    if row is not None:
        encounter.book.remove(row)


# ------------------------------------------------------------------------------------ who takes it


async def _take_over_seat(carrier: Carrier, loaded: Loaded, request: Request, table: _Table) -> Answer:
    """Hand a code's seat to the person who enters it; the organiser's code may move the game."""
    action, actor, encounter = request.action, request.actor, table.encounter
    assert isinstance(action, GiveSeat)
    code = _must_be_good(carrier, loaded, request, encounter, action.code)
    _must_be_free(table, code)
    comes = loaded.scope.guild_id != actor.guild_id
    if comes:
        await _must_find_room(carrier, table, code)
        if not action.sure:
            letters = "".join(sign for sign in action.code.upper() if sign in CODE_CHARACTERS)
            return Answer(_ask(encounter, replace(action, code=letters, sure=True)), loaded.scope.id)
    book, row = encounter.book, encounter.row
    seat_before = find_stand_in(book, code.as_id)
    if seat_before is not None:
        book.remove(seat_before)
    is_own = code.as_id == actor.user_id
    if not is_own:
        for old_row in (book.get(WatcherRow, actor.user_id), book.get(AskRow, actor.user_id)):
            if old_row is not None:
                book.remove(old_row)
        book.add(StandInRow(book.scope, actor.user_id, actor.name, code.as_id, code.as_name))
    book.remove(code)
    if comes:
        row.guild_id, row.channel_id = actor.guild_id, actor.channel_id
    seat_words = (
        "is back in their own seat" if is_own else f"is now playing in {possessive(code.as_name)} seat"
    )
    sentence = f"{actor.name} {seat_words}."
    lines = [f"{row.name} continues here."] if comes else []
    reply = say(sentence, *lines)
    if row.channel_id != actor.channel_id:
        reply = say(sentence, f"{row.name} is being played in {mention(row.channel_id)}.", private=True)
    return await _write_aside(carrier, loaded, request, table, reply, sentence)


def _must_be_good(
    carrier: Carrier, loaded: Loaded, request: Request, encounter: Encounter, typed: str
) -> SeatCodeRow:
    """Return the row of a code that is still good. Raises InvalidInput."""
    typed_digest = hash_code(typed)
    seat_code = next((row for row in encounter.book.all(SeatCodeRow) if row.digest == typed_digest), None)
    now_ms = request.witness.looking(carrier.store, loaded.scope.id).now()
    if seat_code is None:
        raise InvalidInput(NO_SUCH_CODE)
    if seat_code.until_ms < now_ms:
        raise InvalidInput(f"Ask for a new code; that one was only valid for {GOOD_DAYS} days.")
    return seat_code


def _must_be_free(table: _Table, code: SeatCodeRow) -> None:
    """Refuse a person who has another seat or has known another side's secrets. Raises Forbidden."""
    encounter, user = table.encounter, table.actor.user_id
    name = encounter.row.name
    row = table.stands_in
    if row is not None:
        seat_owner = "that" if row.as_id == code.as_id else possessive(row.as_name)
        raise Forbidden(f"You are already playing in {seat_owner} seat in {name}.")
    if user == code.as_id:
        if table.given_to is None:
            raise InvalidInput("That is your own seat. Give the code to the person who should take it over.")
        return
    if table.given_to is not None:
        raise Forbidden(f"Take your own seat in {name} back from {table.given_to.name} first.")
    own_seat = encounter.seat_of(user)
    if own_seat is not None and own_seat.role != "spectator":
        raise Forbidden(f"You can't play in two seats; you have your own in {name}.")
    if table.has_place:
        raise Forbidden(
            f"To play in {name}, use /encounter join. You can't take over another person's seat, because you "
            "already have a place in that game."
        )
    seat = encounter.seat_of(code.as_id)
    tied = side_access.tied_elsewhere(encounter, user, seat.side if seat else 0)
    if tied is not None:
        raise Forbidden(explain_tie(encounter, user, tied))


async def _must_find_room(carrier: Carrier, table: _Table, code: SeatCodeRow) -> None:
    """Check that the game can come to the person's place. Raises InvalidInput."""
    row, actor = table.encounter.row, table.actor
    if code.as_id != row.organiser_id:
        raise InvalidInput(
            f"The organiser has to move {row.name} here first, with a code for the organiser's own "
            "seat. Your code stays valid."
        )
    if "campaign" in row.settings:
        raise InvalidInput(f"{row.name} can't be moved to another server, because it belongs to a campaign.")
    channel = await actor.channels.seen(actor.channel_id)
    if channel is not None and channel.barred:
        raise InvalidInput(channel.barred)
    if await carrier.store.running_encounter(actor.channel_id):
        raise ChannelRefusal(_occupied(actor))


def _occupied(actor: Actor) -> str:
    return (
        "Enter the code in another channel; there is already a game in "
        f"{mention(actor.channel_id)}. The code stays valid."
    )


def _ask(encounter: Encounter, action: GiveSeat) -> Reply:
    return say(
        f"Bring {encounter.row.name} here?",
        "The game, its log and its undo history will move to this channel and leave the old one.",
        "Anyone who can read this channel can follow the game.",
        "The other players need codes of their own.",
        private=True,
        buttons=[Button("Bring the game here", action, "main", anytime=True)],
    )


# ------------------------------------------------------------------------------------ and back


@handles_specially(TakeSeatBack, Place.SEAT)
async def take_back(carrier: Carrier, loaded: Loaded, request: Request) -> Answer:
    """End the stand-in, at the owner's or the stand-in's request."""
    table = _looked_at(loaded, request.actor)
    row = table.stands_in or table.given_to
    if row is None:
        raise InvalidInput("There is nothing to take back; no one else is playing in your seat.")
    book, actor = table.encounter.book, table.actor
    book.remove(row)
    _drop_code(table.encounter, row.as_id)
    sentence = f"{row.as_name} is back in their own seat."
    how = "gave the seat back" if row.user_id == actor.user_id else "took the seat back"
    reply = say(sentence, f"{actor.name} {how}.")
    if table.encounter.row.channel_id != actor.channel_id:
        reply = replace(reply, private=True)
    return await _write_aside(carrier, loaded, request, table, reply, sentence)


# ------------------------------------------------------------------------------------ written down


async def _write_aside(
    carrier: Carrier, loaded: Loaded, request: Request, table: _Table, reply: Reply, title: str
) -> Answer:
    """Write an entry that is not a step of the game. Raises InPlace if a game just began here."""
    book, row = table.encounter.book, table.encounter.row
    side_access.keep(book)
    after = book.snapshot()
    entry = replace(
        draft(request, request.action, reply),
        kind="aside",
        reason="",
        again=False,
        title=title,
        channel=row.channel_id,
        guild=row.guild_id,
    )
    try:
        committed = await carrier.store.commit(loaded, after, changes_between(loaded.snapshot, after), entry)
    except Occupied:
        raise ChannelRefusal(_occupied(request.actor)) from None
    loud = row.channel_id != loaded.scope.channel_id
    return Answer(reply, committed.scope.id, committed.scope.version, changed=True, loud=loud)
