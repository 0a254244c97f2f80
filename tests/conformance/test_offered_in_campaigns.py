"""What is offered on messages about crews and campaigns may be pressed, as long as it stands.

An example is played on a local server. After each line, everything on the messages that changed is pressed on
a copy of the database: on a private message by its person, on a public one by everybody until somebody may.
At its end everything that stands is pressed once more.
"""

from __future__ import annotations

import io
import itertools
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest

from bot.actions import raw_of, with_text
from bot.config import Config
from bot.ids import Tag, unpack
from bot.local.script import Transcript, _Script, seed_of
from bot.local.seen import Message, walk
from bot.local.server import LocalServer
from bot.local.session import Session
from bot.programs import at_the_table
from bot.replies.fit import ASK, FORM
from bot.replies.reply import FORMS
from bot.table.act import Actor
from bot.table.desk import Desk
from bot.table.handlers import HANDLERS, Place
from bot.table.offers.legal_actions import Looking
from bot.table.request import Request
from rules.refusals import Forbidden, InvalidInput
from tests.bot.tables import opened, url_of
from tests.started import ROOT

PLACES = (Place.CREW, Place.CAMPAIGN, Place.HISTORY)

MAX_CHOICES = 2

IDS = itertools.count(10**15)


async def why_refused(desk: Desk, actor: Actor, tag: Tag, choice: str) -> str:
    """Why a press is refused, or the form that it would open."""
    action = tag.action
    name = {Place.CREW: "crew", Place.CAMPAIGN: "campaign"}.get(HANDLERS[action.command].place, "")
    if name and not getattr(action, name):
        action = with_text(action, {name: (str(tag.scope),)})
    if tag.part != ASK and not tag.part.startswith(FORM):
        action = with_text(action, {tag.part: (choice,)}) if choice else action
        answer = await desk.perform(Request(action, actor, next(IDS), tag.scope, tag.version))
        return answer.reply.text if answer.refusal else ""
    try:
        act = await desk.look(actor, action, opens=True)
    except (InvalidInput, Forbidden) as refusal:
        return refusal.sentence
    assert act is not None
    looking = Looking(act.book, act.actor)
    if tag.part.startswith(FORM):
        blanks = {blank.name for blank in FORMS[tag.part.removeprefix(FORM)].blanks}
        return looking.hopeless(action, blanks, act.extra)
    legal = looking.legal(type(action), raw_of(action), act.extra)
    return legal.reason if looking.refused_first(legal, raw_of(action), act.extra) else ""


@asynccontextmanager
async def copied(file: Path) -> AsyncIterator[Desk]:
    """A desk on a copy of a database that is in use."""
    copy = file.with_name(f"copy{next(IDS)}.db")
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    async with opened(copy) as table:
        yield table.desk


def pressed(message: Message) -> Iterator[tuple[str, Tag, str]]:
    """What may be pressed on it: each button with no choice, and the first choices of a menu."""
    for part in walk(list(message.components)):
        if "custom_id" in part and not part.get("disabled"):
            tag = unpack(part["custom_id"])
            label = part.get("label") or part["placeholder"]
            if HANDLERS[tag.action.command].place in PLACES:
                for option in part.get("options", [{"value": ""}])[:MAX_CHOICES]:
                    yield label, tag, option["value"]


async def refused(file: Path, session: Session, message: Message, guild: int) -> list[str]:
    """What is refused on a message to everybody who sees it."""
    found = []
    for label, tag, choice in pressed(message):
        told = ""
        async with copied(file) as desk:  # a refusal leaves it as it was
            for person in session.people.values():
                if message.visible_to(person.id):
                    actor = Actor(person.id, person.name, guild, message.channel_id)
                    told = await why_refused(desk, actor, tag, choice)
                    if not told:
                        break
        found += [f"{label}: {told}"] if told else []
    return found


@pytest.mark.parametrize("name", ["spoils"])
async def test_what_is_shown_of_a_campaign_may_be_pressed(file: Path, name: str) -> None:
    lines = (ROOT / "examples" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    seen: dict[int, Any] = {}
    tried = 0
    async with (
        LocalServer() as server,
        at_the_table(server, url_of(file), Config(), seed_of(lines), unhurried=True) as seated,
    ):
        session = Session(server, seated.idle)
        script = _Script(session, Transcript(io.StringIO()))
        for number, line in enumerate([*lines, ""], 1):
            await script.carry_out(number, line.strip())
            is_last = number > len(lines)
            for channel in list(server.world.channels.values()):
                for message in list(channel.messages.values()):
                    if is_last or seen.get(message.id) != message.components:
                        seen[message.id] = message.components
                        tried += len([*pressed(message)])
                        assert not await refused(file, session, message, channel.guild_id or 0), (
                            number,
                            line,
                        )
    assert tried > len(lines)
