"""Dates of fixtures in the campaign's time zone, and reminders that players ask for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from bot.actions import Action
from bot.replies.reply import Button, Reply, say
from bot.store.book import Book
from bot.store.row_types import CampaignRow, EntrantRow, FixtureRow, ProposalRow, ReminderRow
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.asking import fields
from bot.table.asking.kinds import Asking, nothing
from bot.table.handlers import Place, handles
from bot.table.journal.history import UNDO
from bot.table.ledger.campaign_book import ENDED, Campaign, CampaignView
from bot.table.ledger.campaign_fields import InCampaign, fixture_field
from bot.table.ledger.campaign_rules import get_rules
from bot.table.names import find, plain
from rules.refusals import Forbidden, InvalidInput, Missing
from rules.wording import possessive

DAY_SECONDS = 86_400
MAX_DAYS = 400
"""How many days ahead the date of a fixture can be."""

MAX_DAY_LENGTH = 40
HOW = "Enter the day and time like this: 2026-05-03 19:30"
_PLAIN_DATE = re.compile(
    r"(\d{4}-\d{2}-\d{2})[ T]+(\d{1,2}:\d{2})(?: *(UTC|Z)? *([+-]\d{1,2}(?::?\d{2})?)?)", re.I
)
_DISCORD_DATE = re.compile(r"<t:(\d{1,12})(?::\w)?>")


def _suggest_zones(context: Asking) -> list[str]:
    """Suggest time zones whose names contain what was typed; only those of the form continent/city."""
    typed_part = context.typed.casefold().replace(" ", "_")
    return sorted(
        zone_name
        for zone_name in available_timezones()
        if "/" in zone_name and typed_part in zone_name.casefold()
    )[:25]


def _find_zone(context: Asking, text: str) -> str:
    zone_names = sorted(zone_name for zone_name in available_timezones() if "/" in zone_name)
    name = find(text.replace(" ", "_"), zone_names, str, "time zone")
    _load_zone(name)
    return name


@dataclass(frozen=True, slots=True)
class SetDay(InCampaign):
    """Set the day and time of a game; everyone sees it in their own time zone.

    day: in seconds since 1970; None removes it.
    """

    command = "campaign.day"
    typed = "campaign day"
    titled = "Date of a fixture"

    day: int | None = fields.sought(
        "Day and time, such as 2026-05-03 19:30 (leave blank to remove)",
        nothing,
        lambda asking, text: moment(text, CampaignView(asking.act).row.zone),
        written=lambda day: f"<t:{day}>",
        most=MAX_DAY_LENGTH,
        notation=True,
    )
    fixture: FixtureRow = fixture_field(lambda asking: CampaignView(asking.act))


@dataclass(frozen=True, slots=True)
class SetZone(InCampaign):
    """Set the time zone for the times that players enter (organiser)."""

    command = "campaign.zone"
    typed = "organise zone"
    titled = "Time zone"

    zone: str | None = fields.sought(
        "Time zone, such as Europe/Berlin (leave blank to see the current one)", _suggest_zones, _find_zone
    )


def format_moment(day: int) -> str:
    """Return a moment so that each reader sees their own time, with how far off it is."""
    return f"<t:{day}:F> (<t:{day}:R>)"


def moment(text: str, zone: str) -> int:
    """Return the moment that was typed, in seconds since 1970. zone: the campaign's. Raises InvalidInput."""
    discord_match = _DISCORD_DATE.fullmatch(text.strip().removesuffix(".").split(" (")[0])
    if discord_match:
        return int(discord_match[1])
    match = _PLAIN_DATE.fullmatch(text.strip())
    try:
        typed_time = datetime.fromisoformat(f"{match[1]}T{match[2]:0>5}") if match else None
    except ValueError:
        typed_time = None
    if match is None or typed_time is None:
        raise InvalidInput(f"{HOW} (you entered {plain(text, 30)}).")
    if match[3] or match[4]:
        return int(typed_time.replace(tzinfo=_parse_offset(match[4] or "+0")).timestamp())
    if not zone:
        raise InvalidInput(f"{HOW} UTC+2. The organiser can set a time zone with /organise zone.")
    return _resolve_in_zone(typed_time, _load_zone(zone), zone)


def _parse_offset(text: str) -> tzinfo:
    sign = -1 if text[0] == "-" else 1
    digits = text[1:].replace(":", "")
    hours, minutes = (int(digits[:-2]), int(digits[-2:])) if len(digits) > 2 else (int(digits), 0)
    if hours > 14 or minutes > 59:
        raise InvalidInput(f"{HOW} UTC+2 (there is no time zone UTC{text}).")
    return timezone(sign * timedelta(hours=hours, minutes=minutes))


def _load_zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InvalidInput(f"{HOW} UTC+2 (there is no time zone {plain(name, 30)}).") from None


def _resolve_in_zone(local: datetime, zone: tzinfo, name: str) -> int:
    """Return the one moment at which clocks there show it. Raises InvalidInput for two, or none."""
    first_moment, second_moment = (int(local.replace(tzinfo=zone, fold=fold).timestamp()) for fold in (0, 1))
    time_shown = datetime.fromtimestamp(first_moment, UTC).astimezone(zone).replace(tzinfo=None)
    if time_shown != local:
        raise InvalidInput(
            f"Choose another time; the clocks go forward and there is no {local:%H:%M} in {name} that day."
        )
    if first_moment != second_moment:
        raise InvalidInput(
            f'Add an offset such as "UTC+1"; the clocks in {name} go back, so {local:%H:%M} happens twice.'
        )
    return first_moment


async def _read_current_second(store: Store, actor: Actor, action: Action) -> int:
    return store.now() // 1000


@handles(SetDay, Place.CAMPAIGN, beforehand=_read_current_second)
def set_day(act: Act, action: SetDay) -> Reply:
    """Set a fixture's date, by its two players or the organiser; an earlier round's fixture comes first."""
    camp = Campaign(act)
    camp.require_running()
    fixture, day = action.fixture, action.day
    camp.require_fixture(fixture)
    camp.require_open(fixture)
    day_before, now = fixture.day, int(act.extra)
    previous_line = f"Previous date: {format_moment(day_before)}"
    if day is None:
        if not day_before:
            raise InvalidInput(f"{camp.versus(fixture)} has no date yet. {HOW}.")
        fixture.day = 0
        return say(f"{camp.versus(fixture)} no longer has a date.", previous_line, buttons=[UNDO])
    if day <= now:
        raise InvalidInput(f"Choose a time in the future; {format_moment(day)} is in the past.")
    if day > now + MAX_DAYS * DAY_SECONDS:
        raise InvalidInput(f"Choose an earlier day; {format_moment(day)} is more than {MAX_DAYS} days away.")
    if day == day_before:
        raise InvalidInput(f"{camp.versus(fixture)} already has that day and time.")
    fixture.day = day
    lines = (f"{camp.versus(fixture)}, round {fixture.round}:", format_moment(day))
    return say(
        *lines,
        *([previous_line] if day_before else []),
        "Use /campaign remind to get reminders.",
        buttons=[UNDO],
    )


@handles(SetZone, Place.CAMPAIGN)
def set_zone(act: Act, action: SetZone) -> Reply:
    """Set the zone for dates typed from now on; set dates stay the same moments."""
    camp, name = Campaign(act), action.zone
    if name is None:
        return say(f"Time zone of {camp.row.name}: {camp.row.zone or 'not set'}.", private=True)
    camp.require_running()
    camp.require_organiser()
    if name == camp.row.zone:
        raise InvalidInput(f"The time zone is already {name}.")
    camp.row.zone = name
    return say(f"Time zone of {camp.row.name}: {name}.", buttons=[UNDO])


DAY, WAITS = "day", "waits"
HOUR_SECONDS = 3_600
USUAL = (
    ("A day before my game", DAY, DAY_SECONDS),
    ("An hour before my game", DAY, HOUR_SECONDS),
    ("When a report has waited for me for 7 days", WAITS, 7 * DAY_SECONDS),
)
"""The reminders to choose from: the label, the kind, and the seconds."""

MAX_ASKED = 200
"""The largest number of reminders in a campaign."""


@dataclass(frozen=True, slots=True)
class MyReminders(InCampaign):
    """See, add or stop your reminders in a campaign (visible only to you)."""

    command = "campaign.reminders"
    typed = "campaign remind"
    titled = "My reminders"

    ping: bool = fields.switch("Ping me (otherwise the reminder only shows my name)")


@dataclass(frozen=True, slots=True)
class Remind(InCampaign):
    """Be reminded in this channel. kind and seconds: as in `USUAL`."""

    command = "campaign.remind"
    titled = "Remind me"

    kind: str = DAY
    seconds: int = DAY_SECONDS
    ping: bool = False


@dataclass(frozen=True, slots=True)
class StopReminding(InCampaign):
    """Stop a reminder. number: the reminder's."""

    command = "campaign.remind.stop"
    titled = "Stop reminding me"

    number: int = 0


# ------------------------------------------------------------------------------------ asked for


def words(row: ReminderRow) -> str:
    """Return what a reminder is about, and how."""
    ping_text = "with a ping" if row.ping else "without a ping"
    if row.kind == WAITS:
        return f"when a report has been waiting for you for {row.before // DAY_SECONDS} days, {ping_text}"
    time_ahead = {DAY_SECONDS: "a day", HOUR_SECONDS: "an hour"}[row.before]
    return f"{time_ahead} before your game, {ping_text}"


def _own_reminders(act: Act) -> list[ReminderRow]:
    return [reminder for reminder in act.book.all(ReminderRow) if reminder.user_id == act.actor.user_id]


@handles(MyReminders, Place.CAMPAIGN)
def my_reminders(act: Act, action: MyReminders) -> Reply:
    """Show each reminder with a button that stops it, and the reminders that can be added."""
    return _reminders_reply(act, action.ping)


def _reminders_reply(act: Act, ping: bool, head: str = "") -> Reply:
    camp, reminders = Campaign(act), _own_reminders(act)
    scope = camp.book.scope
    has_crew = any(entrant.owner_id == act.actor.user_id for entrant in camp.entrants())
    chosen_kinds = {(reminder.kind, reminder.before) for reminder in reminders}
    lines = [f"- {words(reminder)}, in <#{reminder.channel_id}>" for reminder in reminders]
    buttons = [
        Button(name, Remind(scope, kind, seconds, ping), "main", anytime=True)
        for name, kind, seconds in (USUAL if has_crew else ())
        if (kind, seconds) not in chosen_kinds
    ]
    switch_label = "Choose a reminder without a ping" if ping else "Choose a reminder with a ping"
    if buttons:
        buttons.append(Button(switch_label, MyReminders(scope, not ping), anytime=True))
    buttons += [
        Button(f"Stop reminder {place}", StopReminding(scope, reminder.id), anytime=True)
        for place, reminder in enumerate(reminders, 1)
    ]
    numbered_lines = [f"{place}. {line[2:]}" for place, line in enumerate(lines, 1)]
    ping_text = "with a ping" if ping else "without a ping"
    more_lines = (
        [f"Add a reminder in this channel, {ping_text}:"]
        if has_crew and len(chosen_kinds) < len(USUAL)
        else []
    )
    more_lines += [] if has_crew else ["Join with a crew to get reminders about its games."]
    heading = head or f"Your reminders in {camp.row.name}:"
    shown_lines = (heading, *(numbered_lines or ["You have no reminders yet."]), *more_lines)
    return Reply(shown_lines, private=True, buttons=tuple(buttons), replaces=True)


@handles(Remind, Place.CAMPAIGN)
def remind(act: Act, action: Remind) -> Reply:
    """Add a reminder for a player with a crew in it, one of each kind; no undo touches it."""
    camp, actor = Campaign(act), act.actor
    if (action.kind, action.seconds) not in {(kind, seconds) for _, kind, seconds in USUAL}:
        raise Missing("Choose one of the reminders that /campaign remind shows.")
    if camp.row.status == ENDED or camp.row.archived:
        raise InvalidInput(f"{camp.row.name} has ended or is archived, so it sends no reminders.")
    if not any(entrant.owner_id == actor.user_id for entrant in camp.entrants()):
        raise Forbidden(f"Join {camp.row.name} with a crew first.")
    if any(
        (own_reminder.kind, own_reminder.before) == (action.kind, action.seconds)
        for own_reminder in _own_reminders(act)
    ):
        raise InvalidInput("You already have that reminder. You can stop it with /campaign remind.")
    if len(act.book.all(ReminderRow)) >= MAX_ASKED:
        raise InvalidInput(f"Someone has to stop a reminder first; a campaign can have at most {MAX_ASKED}.")
    row = ReminderRow(
        act.book.scope,
        act.entry,
        actor.user_id,
        actor.name,
        actor.channel_id,
        action.kind,
        action.seconds,
        action.ping,
    )
    act.book.add(row)
    return _reminders_reply(act, action.ping, "You'll be reminded in this channel.").aside()


@handles(StopReminding, Place.CAMPAIGN)
def stop(act: Act, action: StopReminding) -> Reply:
    """Stop a reminder, only by the person who asked for it."""
    row = act.book.get(ReminderRow, action.number)
    if row is None:
        raise InvalidInput("That reminder has already been stopped.")
    if row.user_id != act.actor.user_id:
        raise Forbidden(f"You can't stop {possessive(row.name)} reminder.")
    act.book.remove(row)
    return _reminders_reply(act, row.ping, f"You stopped this reminder: {words(row)}.").aside()


# ------------------------------------------------------------------------------------ due


@dataclass(frozen=True, slots=True)
class Due:
    """A reminder whose time has come. about: what tells it from the same reminder another time."""

    row: ReminderRow
    about: str
    lines: tuple[str, ...]


def due(book: Book, now: int, opened: Mapping[int, int]) -> Iterator[Due]:
    """Yield the reminders that are due now, in seconds since 1970; it does not check whether they were sent.

    opened: when the open report of each fixture was opened. A game whose day is over is not announced.
    """
    row = book.get(CampaignRow)
    if row is None or row.archived or row.status == ENDED:
        return
    entrants = {entrant_row.id: entrant_row for entrant_row in book.all(EntrantRow)}
    for reminder in book.all(ReminderRow):
        own_entrants = {number for number, entrant in entrants.items() if _plays(entrant, reminder.user_id)}
        for fixture in book.all(FixtureRow):
            if fixture.status == "open" and own_entrants & {fixture.home, fixture.away}:
                due_reminder = _game_reminder(row, reminder, fixture, entrants, now)
                due_reminder = due_reminder or _choice_reminder(
                    book, row, reminder, fixture, own_entrants, now, opened.get(fixture.id, 0)
                )
                if due_reminder:
                    yield due_reminder


def days_ahead(book: Book, now: int) -> dict[str, int]:
    """Return the days of games that are still to be played, in seconds since 1970, by crews and round."""
    row = book.get(CampaignRow)
    if row is None or row.archived or row.status == ENDED:
        return {}
    entrants = {entrant.id: entrant for entrant in book.all(EntrantRow)}
    coming_fixtures = (
        fixture for fixture in book.all(FixtureRow) if fixture.status == "open" and fixture.day > now
    )
    return {_versus(fixture, entrants): fixture.day for fixture in coming_fixtures}


def _plays(entrant: EntrantRow, user: int) -> bool:
    return entrant.owner_id == user and entrant.status == "in"


def _versus(fixture: FixtureRow, entrants: dict[int, EntrantRow]) -> str:
    return f"{entrants[fixture.home].name} - {entrants[fixture.away].name}, round {fixture.round}"


def _game_reminder(
    row: CampaignRow, reminder: ReminderRow, fixture: FixtureRow, entrants: dict[int, EntrantRow], now: int
) -> Due | None:
    if reminder.kind != DAY or not fixture.day - reminder.before <= now < fixture.day:
        return None
    lines = (
        f"{_versus(fixture, entrants)}:",
        format_moment(fixture.day),
        f"You asked for this reminder ({row.name}).",
    )
    return Due(reminder, f"fixture {fixture.id} {fixture.day}", lines)


def _choice_reminder(
    book: Book,
    row: CampaignRow,
    reminder: ReminderRow,
    fixture: FixtureRow,
    own_entrants: set[int],
    now: int,
    opened_at: int,
) -> Due | None:
    if reminder.kind != WAITS or not 0 < opened_at <= now - reminder.before:
        return None
    rules = get_rules(row.system)
    entrant_ids = (fixture.home, fixture.away)
    open_lines = [
        line for line in book.all(ProposalRow) if line.entrant in entrant_ids and rules.is_open(line)
    ]
    awaited_ids = {line.entrant for line in open_lines} or {*entrant_ids} - {fixture.reporter}
    if not awaited_ids & own_entrants:
        return None
    entrants = {entrant.id: entrant for entrant in book.all(EntrantRow)}
    waiting_text = "for your choice" if open_lines else "to be confirmed"
    lines = (
        f"{_versus(fixture, entrants)}: the report has been waiting {waiting_text} since <t:{opened_at}:f>.",
        f"To open it in {row.name}, use /campaign after.",
    )
    return Due(reminder, f"report {fixture.id} {opened_at}", lines)
