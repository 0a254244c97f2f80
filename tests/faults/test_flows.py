"""Questions that wait for a press, with a new bot at every press and a death at every commit point.

The buttons are those that were shown before: what they ask goes through the ids that a client keeps.
"""

from __future__ import annotations

import itertools
import re
import shutil
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from bot.actions import Action, with_text
from bot.games.counterblast.melee.answers import SplitDefence
from bot.games.counterblast.melee.charges import Charge
from bot.games.counterblast.melee.melees import Melee
from bot.ids import Tag, pack, unpack
from bot.store.book import Loaded
from bot.store.row_types import ProposalRow
from bot.table.act import Actor
from bot.table.campaign.campaign_report import EditLine, PickLine
from bot.table.campaign.campaigns import Schedule
from bot.table.encounter import Encounter
from bot.table.request import Answer, Request
from bot.table.session.drafts import Draft
from tests.bot.campaign.league import League
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, gifted, touching
from tests.bot.tables import Table, contents, opened
from tests.faults.test_kill import check_deaths, deaths_of, without_scopes

UNDERLING = "Edo Underling 2"


@dataclass
class Restarting(Table):
    """A table whose bot is started anew for everything that is asked; `played` is what changed something."""

    played: list[Request] = field(default_factory=list)

    async def do(
        self,
        who: str | Actor,
        action: Action,
        *,
        scope: int = 0,
        version: int = -1,
        reason: str = "",
        interaction: int = 0,
    ) -> Answer:
        actor = self.actor(who) if isinstance(who, str) else who
        request = Request(action, actor, next(self.interactions), scope, version, reason)
        async with opened(self.file, first_seed=99) as later:
            answer = await later.desk.perform(request)
        if answer.changed:
            self.played.append(request)
        return answer

    async def loaded(self) -> Loaded:
        """Read by another bot each time: this one knows nothing of what the others wrote."""
        async with opened(self.file) as later:
            return await later.loaded()


async def thrown(ring: Ring, who: str, answer: Answer) -> None:
    """Throw a 2 with every die that is asked for."""
    while found := re.search(r"throws (\d+) d", answer.reply.text):
        answer = await ring.table.enter(who, (2,) * int(found[1]))
    assert answer.changed, answer.reply.text
    ring.answer = answer


async def hidden_melee_begins(table: Table) -> Callable[[Table], Awaitable[None]]:
    def hide(encounter: Encounter) -> None:
        encounter.row.settings["melee_dice"] = "hidden"

    ring = await Ring.open(table)
    pairs = (("Skip", "Spawnguard"), ("Wanda", "Spawnguard"), ("Skip", "Edo Spawnling"))
    await ring.arrange(hide, active("Skip", "Wanda"), touching(*pairs))
    return hidden_melee


async def hidden_melee(table: Table) -> None:
    """Both sides share their dice out, unseen until both have."""
    ring = Ring(table)
    await ring.ask(ANNA, Melee(text="Skip>Spawnguard 2, Skip>Spawnling 1, Wanda>Spawnguard"))
    public = ring.answer.reply.also[0]
    split = next(one for one in public.buttons if one.label == "Split...")
    assert isinstance(split.action, Draft)
    answered = SplitDefence(*split.action.about, "1 2")
    await thrown(ring, BO, await table.do(BO, answered))
    assert ring.answer.reply.lines[0].startswith("Melee: ")


async def charge_begins(table: Table) -> Callable[[Table], Awaitable[None]]:
    ring = await Ring.open(table)
    await ring.arrange(active("Skip"), gifted(UNDERLING, "ferocious"))
    return charge


async def charge(table: Table) -> None:
    """The shot before contact, who steps in, who lends, and the blow struck back."""
    ring = Ring(table)
    await ring.ask(ANNA, Charge("Skip", UNDERLING, 7))
    await thrown(ring, BO, await table.press(BO, ring.answer, "Shoot: Arc Rifle"))
    guard = (await ring.model("Edo Guardling")).id
    await thrown(ring, BO, await table.choose(BO, ring.answer, str(guard)))
    await thrown(ring, BO, await table.press(BO, ring.answer, "Borrow a die from each ally and roll"))
    await thrown(ring, BO, await table.press(BO, ring.answer, "Strike back"))
    assert ring.answer.reply.lines[0] == f"Skip Westmoreland holds off {UNDERLING}."


async def report_begins(table: Table) -> Callable[[Table], Awaitable[None]]:
    league = League(table)
    await league.begin("anna", "bo")
    await league.done("anna", Schedule(league.scope))
    lost = (("GDF Ranger", "casualty", 2), ("HOpR Bot", "fled", 0), ("Spawnguard", "casualty", 9))
    ended = await league.played("anna", *lost)

    async def report(later: Table) -> None:
        """The report: the organiser opens it and alters what was rolled, the other player confirms it."""
        shown = await later.press(ANNA, ended, "Report this game")
        book = await League(later, league.scope).book()
        fate = next(row for row in book.all(ProposalRow) if row.kind == "fate")
        other = "okay" if fate.text != "okay" else "Dead"
        picked = next(menu for menu in shown.reply.menus if isinstance(menu.action, PickLine))
        tag = unpack(pack(Tag(picked.action, shown.scope, shown.version, picked.fills)))
        asked = with_text(tag.action, {tag.part: (str(fate.id),)})
        question = await later.do(ANNA, asked, scope=tag.scope, version=tag.version)
        assert not question.changed
        edited = await later.done(ANNA, EditLine(league.scope, fate.id, other), scope=league.scope)
        assert "[changed by anna; before:" in " ".join(edited.reply.text.split())
        confirmed = await later.press(BO, edited, "Confirm")
        assert confirmed.changed, confirmed.reply.text

    return report


@pytest.mark.parametrize("begins", [hidden_melee_begins, charge_begins, report_begins])
async def test_no_restart_and_no_death_changes_what_is_waited_for(
    migrated: Path, tmp_path: Path, begins: Callable[[Table], Awaitable[Callable[[Table], Awaitable[None]]]]
) -> None:
    file, template = tmp_path / "steady.db", tmp_path / "template.db"
    file.write_bytes(migrated.read_bytes())
    async with opened(file) as table:
        plays = await begins(table)
        ids = dict(table.ids)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy(file, template)
    async with opened(file, first_seed=99) as reader:
        restarting = Restarting(reader.desk, file, ids=ids, interactions=itertools.count(20_001))
        await plays(restarting)
    folder = tmp_path / "deaths"
    folder.mkdir()
    moves = [replace(request, interaction=0) for request in restarting.played]
    deaths = await deaths_of(template, folder, moves)
    await check_deaths(deaths, moves)
    assert without_scopes(contents(deaths.file(deaths.last))) == without_scopes(contents(file))
