"""Days of fixtures: typed in the campaign's time zone, shown so that everybody reads his own time.

A day is said as 2026-05-03 19:30, with UTC+2 behind it where it is not of the campaign's zone, or as Discord
prints it. What would be two moments, or none, because clocks are changed then, is asked again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from bot.actions import Action
from bot.replies.reply import Reply, say
from bot.store.row_types import FixtureRow
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.asking import fields
from bot.table.asking.kinds import Asking, nothing
from bot.table.campaign.campaign_asked import InCampaign, fixture_named
from bot.table.campaign.campaign_book import Campaign
from bot.table.handlers import Place, handles
from bot.table.journal.history import UNDO
from bot.table.names import find, plain
from rules.refusals import InvalidInput

DAY_SECONDS = 86_400
MOST_DAYS = 400
"""How many days ahead a fixture is set."""

LONGEST_DAY = 40
HOW = "Say it as 2026-05-03 19:30"
_PLAIN = re.compile(
    r"(\d{4}-\d{2}-\d{2})[ T]+(\d{1,2}:\d{2})(?: *(UTC|Z)? *([+-]\d{1,2}(?::?\d{2})?)?)", re.I
)
_DISCORD = re.compile(r"<t:(\d{1,12})(?::\w)?>")


def _zones(asking: Asking) -> list[str]:
    """Time zones with what was typed in their names; those of continents, which people know."""
    wanted = asking.typed.casefold().replace(" ", "_")
    return sorted(one for one in available_timezones() if "/" in one and wanted in one.casefold())[:25]


def _known_zone(asking: Asking, text: str) -> str:
    known = sorted(one for one in available_timezones() if "/" in one)
    name = find(text.replace(" ", "_"), known, str, "time zone")
    _zone(name)
    return name


@dataclass(frozen=True, slots=True)
class SetDay(InCampaign):
    """Say when a fixture is played; everybody reads his own time.

    day: in seconds since 1970; none takes the day back.
    """

    command = "campaign.day"
    typed = "campaign day"
    titled = "Day of a fixture"

    day: int | None = fields.sought(
        "As 2026-05-03 19:30; none: no day",
        nothing,
        lambda asking, text: moment(text, Campaign(asking.act).row.zone),
        written=lambda day: f"<t:{day}>",
        most=LONGEST_DAY,
        notation=True,
    )
    fixture: FixtureRow = fixture_named(lambda asking: Campaign(asking.act))


@dataclass(frozen=True, slots=True)
class SetZone(InCampaign):
    """Organiser: the time zone in which days are typed."""

    command = "campaign.zone"
    typed = "organise zone"
    titled = "Time zone"

    zone: str | None = fields.sought("As Europe/Berlin; none: show it", _zones, _known_zone)


def shown(day: int) -> str:
    """A moment, so that everybody reads it in his own time, with how far off it is."""
    return f"<t:{day}:F> (<t:{day}:R>)"


def moment(text: str, zone: str) -> int:
    """The moment that was typed, in seconds since 1970. zone: the campaign's. Raises InvalidInput."""
    printed = _DISCORD.fullmatch(text.strip().removesuffix(".").split(" (")[0])
    if printed:
        return int(printed[1])
    found = _PLAIN.fullmatch(text.strip())
    try:
        at = datetime.fromisoformat(f"{found[1]}T{found[2]:0>5}") if found else None
    except ValueError:
        at = None
    if found is None or at is None:
        raise InvalidInput(f"{plain(text, 30)} is no day and hour. {HOW}.")
    if found[3] or found[4]:
        return int(at.replace(tzinfo=_offset(found[4] or "+0")).timestamp())
    if not zone:
        raise InvalidInput(
            f"Which time zone? {HOW} UTC+2, or the organiser sets one: /organise zone Europe/Berlin."
        )
    return _in_zone(at, _zone(zone), zone)


def _offset(text: str) -> tzinfo:
    sign = -1 if text[0] == "-" else 1
    digits = text[1:].replace(":", "")
    hours, minutes = (int(digits[:-2]), int(digits[-2:])) if len(digits) > 2 else (int(digits), 0)
    if hours > 14 or minutes > 59:
        raise InvalidInput(f"UTC{text} is no time zone. {HOW} UTC+2.")
    return timezone(sign * timedelta(hours=hours, minutes=minutes))


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InvalidInput(f"No time zone {plain(name, 30)} is known here. {HOW} UTC+2.") from None


def _in_zone(at: datetime, zone: tzinfo, name: str) -> int:
    """The one moment at which clocks there show it. Raises InvalidInput where there are two, or none."""
    first, second = (int(at.replace(tzinfo=zone, fold=fold).timestamp()) for fold in (0, 1))
    back = datetime.fromtimestamp(first, UTC).astimezone(zone).replace(tzinfo=None)
    if back != at:
        raise InvalidInput(f"Clocks go on then: there is no {at:%H:%M} in {name} that day.")
    if first != second:
        raise InvalidInput(f"Clocks go back then: {at:%H:%M} comes twice in {name}. Add UTC+1 or UTC+2.")
    return first


async def _now(store: Store, actor: Actor, action: Action) -> int:
    return store.now() // 1000


@handles(SetDay, Place.CAMPAIGN, beforehand=_now)
def set_day(act: Act, action: SetDay) -> Reply:
    """Its two players, or the organiser. The fixture of an earlier round first, as everywhere."""
    camp = Campaign(act)
    camp.require_quiet()
    fixture, day = action.fixture, action.day
    camp.require_fixture(fixture)
    if fixture.status != "open":
        raise InvalidInput(f"{camp.versus(fixture)} is {fixture.status} already.")
    before, now = fixture.day, int(act.extra)
    was = f"Before: {shown(before)}" if before else "Before: no day"
    if day is None:
        if not before:
            raise InvalidInput(f"{camp.versus(fixture)} has no day. {HOW}.")
        fixture.day = 0
        return say(f"{camp.versus(fixture)} has no day.", was, buttons=[UNDO])
    if day <= now:
        raise InvalidInput(f"{shown(day)} is past.")
    if day > now + MOST_DAYS * DAY_SECONDS:
        raise InvalidInput(f"{shown(day)} is more than {MOST_DAYS} days ahead.")
    if day == before:
        raise InvalidInput(f"{camp.versus(fixture)} is then already.")
    fixture.day = day
    lines = (f"{camp.versus(fixture)}, round {fixture.round}:", shown(day))
    return say(*lines, *([was] if before else []), "Reminders: /campaign remind.", buttons=[UNDO])


@handles(SetZone, Place.CAMPAIGN)
def set_zone(act: Act, action: SetZone) -> Reply:
    """For what is typed from now on; days that are set stay the moments that they are."""
    camp, name = Campaign(act), action.zone
    if name is None:
        return say(f"{camp.row.name}: days are of {camp.row.zone or 'no time zone yet'}.", private=True)
    camp.require_quiet()
    camp.require_organiser()
    if name == camp.row.zone:
        raise InvalidInput(f"It is {name} already.")
    camp.row.zone = name
    return say(f"{camp.row.name}: days are typed in the time of {name}.", buttons=[UNDO])
