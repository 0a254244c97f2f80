"""Reminders that somebody asked for: before the day of a fixture, of a choice that waits for long.

Owns who is reminded of what, and when that is due. `bot.panels.reminding` tells it, in the channel in which
it was asked for; whoever asked stops it again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.replies.reply import Button, Reply
from bot.store.book import Book
from bot.store.row_types import CampaignRow, EntrantRow, FixtureRow, ProposalRow, ReminderRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.campaign.campaign_asked import InCampaign
from bot.table.campaign.campaign_book import ENDED, Campaign
from bot.table.campaign.campaign_report import OpenReport, RecordFixture
from bot.table.campaign.campaign_rules import rules_of
from bot.table.campaign.days import DAY_SECONDS, shown
from bot.table.handlers import Place, handles
from rules.refusals import Forbidden, InvalidInput
from rules.wording import possessive

DAY, WAITS = "day", "waits"
HOUR_SECONDS = 3_600
USUAL = (
    ("A day before my game", DAY, DAY_SECONDS),
    ("An hour before", DAY, HOUR_SECONDS),
    ("A choice of a week", WAITS, 7 * DAY_SECONDS),
)
"""What can be asked for: as a button says it, the kind, the seconds."""

MOST_ASKED = 200
"""Reminders that a campaign keeps."""

OPENED = (OpenReport.command, RecordFixture.command)
"""What opens a report: a choice waits since then."""


@dataclass(frozen=True, slots=True)
class MyReminders(InCampaign):
    """What you are reminded of, to you alone; ask for more here, or stop."""

    command = "campaign.reminders"
    typed = "campaign remind"
    titled = "My reminders"

    ping: bool = fields.switch("Ping me, else I am only named")


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
    """Be reminded no more. number: the reminder's."""

    command = "campaign.remind.stop"
    titled = "Stop reminding me"

    number: int = 0


# ------------------------------------------------------------------------------------ asked for


def words(row: ReminderRow) -> str:
    """What a reminder is about, and how."""
    named = "with a ping" if row.ping else "without a ping"
    if row.kind == WAITS:
        return f"a choice that waits for {row.before // DAY_SECONDS} days, {named}"
    ahead = {DAY_SECONDS: "a day", HOUR_SECONDS: "an hour"}[row.before]
    return f"{ahead} before my game, {named}"


def _mine(act: Act) -> list[ReminderRow]:
    return [one for one in act.book.all(ReminderRow) if one.user_id == act.actor.user_id]


@handles(MyReminders, Place.CAMPAIGN)
def my_reminders(act: Act, action: MyReminders) -> Reply:
    """Each with a button that stops it; and what can be asked for."""
    return _shown(act, action.ping)


def _shown(act: Act, ping: bool, head: str = "") -> Reply:
    camp, mine = Campaign(act), _mine(act)
    scope, plays = camp.book.scope, any(one.owner_id == act.actor.user_id for one in camp.entrants())
    has = {(one.kind, one.before) for one in mine}
    lines = [f"- {words(one)}, in <#{one.channel_id}>" for one in mine]
    buttons = [
        Button(name, Remind(scope, kind, seconds, ping), "main", anytime=True)
        for name, kind, seconds in (USUAL if plays else ())
        if (kind, seconds) not in has
    ]
    other = "Without a ping" if ping else "With a ping"
    if buttons:
        buttons.append(Button(other, MyReminders(scope, not ping), anytime=True))
    buttons += [
        Button(f"Stop {place}", StopReminding(scope, one.id), anytime=True)
        for place, one in enumerate(mine, 1)
    ]
    numbered = [f"{place}. {line[2:]}" for place, line in enumerate(lines, 1)]
    how = "with a ping" if ping else "without a ping"
    more = [f"In this channel, {how}:"] if plays and len(has) < len(USUAL) else []
    more += [] if plays else ["Reminders are of a crew's games: you have none in it."]
    first = head or f"{camp.row.name}: you are reminded of"
    shown_lines = (first, *(numbered or ["nothing yet"]), *more)
    return Reply(shown_lines, private=True, buttons=tuple(buttons), replaces=True)


@handles(Remind, Place.CAMPAIGN)
def remind(act: Act, action: Remind) -> Reply:
    """For who has a crew in it, once of each kind; no undo touches it."""
    camp, actor = Campaign(act), act.actor
    if (action.kind, action.seconds) not in {(kind, seconds) for _, kind, seconds in USUAL}:
        raise InvalidInput("There is no such reminder: /campaign remind.")
    if camp.row.status == ENDED or camp.row.archived:
        raise InvalidInput(f"{camp.row.name} is over: there is nothing to be reminded of.")
    if not any(one.owner_id == actor.user_id for one in camp.entrants()):
        raise Forbidden(f"You have no crew in {camp.row.name}.")
    if any((one.kind, one.before) == (action.kind, action.seconds) for one in _mine(act)):
        raise InvalidInput("You are reminded of that already. Stop it first: /campaign remind.")
    if len(act.book.all(ReminderRow)) >= MOST_ASKED:
        raise InvalidInput(f"{camp.row.name} keeps {MOST_ASKED} reminders at most.")
    act.aside = True
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
    return _shown(act, action.ping, "You will be reminded, in this channel.")


@handles(StopReminding, Place.CAMPAIGN)
def stop(act: Act, action: StopReminding) -> Reply:
    """Only who asked for it stops it."""
    row = act.book.get(ReminderRow, action.number)
    if row is None:
        raise InvalidInput("That reminder is stopped already.")
    if row.user_id != act.actor.user_id:
        raise Forbidden(f"That is {possessive(row.name)} reminder.")
    act.aside = True
    act.book.remove(row)
    return _shown(act, row.ping, f"Stopped: {words(row)}.")


# ------------------------------------------------------------------------------------ due


@dataclass(frozen=True, slots=True)
class Due:
    """A reminder whose time has come. about: what tells it from the same reminder another time."""

    row: ReminderRow
    about: str
    lines: tuple[str, ...]


def due(book: Book, now: int, opened: int) -> Iterator[Due]:
    """What is to be told now, in seconds since 1970; whoever was told is not looked up here.

    opened: when the report was opened that is open. A game that is over its day is not told of any more.
    """
    row = book.get(CampaignRow)
    if row is None or row.archived or row.status == ENDED:
        return
    entrants = {one.id: one for one in book.all(EntrantRow)}
    for one in book.all(ReminderRow):
        mine = {number for number, entrant in entrants.items() if _plays(entrant, one.user_id)}
        for fixture in book.all(FixtureRow):
            if fixture.status == "open" and mine & {fixture.home, fixture.away}:
                told = _of_day(row, one, fixture, entrants, now)
                told = told or _of_choice(book, row, one, fixture, mine, now, opened)
                if told:
                    yield told


def _plays(entrant: EntrantRow, user: int) -> bool:
    return entrant.owner_id == user and entrant.status == "in"


def _versus(fixture: FixtureRow, entrants: dict[int, EntrantRow]) -> str:
    return f"{entrants[fixture.home].name} - {entrants[fixture.away].name}, round {fixture.round}"


def _of_day(
    row: CampaignRow, one: ReminderRow, fixture: FixtureRow, entrants: dict[int, EntrantRow], now: int
) -> Due | None:
    if one.kind != DAY or not fixture.day - one.before <= now < fixture.day:
        return None
    lines = (f"{_versus(fixture, entrants)}:", shown(fixture.day), f"{row.name}. You asked for this.")
    return Due(one, f"fixture {fixture.id} {fixture.day}", lines)


def _of_choice(
    book: Book,
    row: CampaignRow,
    one: ReminderRow,
    fixture: FixtureRow,
    mine: set[int],
    now: int,
    opened: int,
) -> Due | None:
    if one.kind != WAITS or row.report != fixture.id or not 0 < opened <= now - one.before:
        return None
    rules = rules_of(row.system)
    still = [line for line in book.all(ProposalRow) if rules.is_open(line)]
    if still and not any(line.entrant in mine for line in still):
        return None
    entrants = {other.id: other for other in book.all(EntrantRow)}
    what = "a choice of yours waits" if still else "the report waits to be confirmed"
    lines = (f"{_versus(fixture, entrants)}: {what} since <t:{opened}:R>.", f"{row.name}: /campaign after")
    return Due(one, f"report {fixture.id} {opened}", lines)
