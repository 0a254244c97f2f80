"""Campaigns to test with: crews that join, games played by hand, and what must hold after every act."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from bot.actions import Action
from bot.store.book import Book
from bot.store.row_types import CampaignRow, EntrantRow, LedgerRow, VeteranRow
from bot.table.act import Actor
from bot.table.campaign.campaign_games import PlayFixture
from bot.table.campaign.campaign_report import OpenReport
from bot.table.campaign.campaigns import CreateCampaign, JoinCampaign, Schedule
from bot.table.request import Answer
from bot.table.rosters.crews import AppointLeader, CreateCrew, RecruitMember
from bot.table.rosters.muster import SetTrait
from bot.table.session.encounters import EndEncounter, NextStep
from bot.table.session.models import DamageModel, RemoveModel
from tests.bot.tables import Table

CREWS = {
    "anna": ("Lancers", ("Sally Starfield", "Skip Westmoreland", "HOpR Bot", "GDF Ranger")),
    "bo": ("Edo", ("Prime Leader", "Spawnguard", "Edo Guardling", "Edo Guardling", "Trapper")),
    "cy": ("Mekkus", ("Dr. Zardov", "Aggressor", "Aggressor", "Cybot", "Picker")),
    "dee": ("Watch", ("GDF Lieutenant", "GDF Sentry", "GDF Sentry", "GDF Medical Officer", "Scout")),
    "eve": ("Loners", ("Neema", "Crew Bot")),
}


@dataclass
class League:
    """A campaign at a table. `checked` is how often the ledger was compared with the balances."""

    table: Table
    scope: int = 0
    crews: dict[str, int] = field(default_factory=dict)
    checked: int = 0

    async def crew(self, who: str, system: str = "counterblast") -> int:
        name, members = CREWS[who]
        made = await self.table.done(who, CreateCrew(name, system))
        for member in members:
            await self.table.done(who, RecruitMember(made.scope, member))
        await self.table.do(who, AppointLeader(made.scope, members[0]))
        self.crews[who] = made.scope
        return made.scope

    async def begin(self, *people: str, aligned: dict[str, str] | None = None, **more: object) -> None:
        for who in people:
            await self.crew(who)
        for who, alignment in (aligned or {}).items():
            await self.table.done(who, SetTrait(self.crews[who], "alignment", alignment))
        made = await self.table.done(people[0], CreateCampaign("Rust Belt", **more))  # type: ignore[arg-type]
        self.scope = made.scope
        for who in people:
            await self.done(who, JoinCampaign(self.scope, self.crews[who]))

    async def do(self, who: str | Actor, action: Action, **more: object) -> Answer:
        answer = await self.table.do(who, action, **more)  # type: ignore[arg-type]
        await self.balanced()
        return answer

    async def done(self, who: str | Actor, action: Action, **more: object) -> Answer:
        answer = await self.do(who, action, **more)
        assert answer.changed, answer.reply.text
        return answer

    async def press(self, who: str, answer: Answer, label: str, **more: object) -> Answer:
        pressed = await self.table.press(who, answer, label, **more)  # type: ignore[arg-type]
        await self.balanced()
        return pressed

    async def refused(self, who: str | Actor, action: Action, **more: object) -> str:
        return await self.table.refused(who, action, **more)

    async def book(self) -> Book:
        loaded = await self.table.desk.store.load(self.scope)
        assert loaded is not None
        return loaded.book()

    async def entrant(self, name: str) -> EntrantRow:
        return next(row for row in (await self.book()).all(EntrantRow) if row.name == name)

    async def veteran(self, name: str) -> VeteranRow:
        return next(row for row in (await self.book()).all(VeteranRow) if row.name == name)

    async def ledger(self) -> list[LedgerRow]:
        return (await self.book()).all(LedgerRow)

    async def balanced(self) -> None:
        """Every balance is the sum of its entries, and every entry begins where the one before ended."""
        if not self.scope:
            return
        self.checked += 1
        book = await self.book()
        if book.get(CampaignRow) is None:
            return
        sums: dict[tuple[int, int], dict[str, int]] = defaultdict(dict)
        stands: dict[tuple[int, int, str], str] = {}
        for row in book.all(LedgerRow):
            whose = (row.entrant, row.member)
            account = (*whose, row.account)
            if row.amount:
                assert int(row.after) - int(row.before) == row.amount
                assert stands.get(account, "0") == row.before
                total = sums[whose].get(row.account, 0) + row.amount
                sums[whose][row.account] = total
            assert row.actor
            assert row.cause
            assert row.before != row.after
            stands[account] = row.after
        for entrant in book.all(EntrantRow):
            assert entrant.counters == _kept(sums[entrant.id, 0])
            assert stands[entrant.id, 0, "status"] == entrant.status
        for veteran in book.all(VeteranRow):
            assert veteran.counters == _kept(sums[veteran.entrant, veteran.id])
            assert stands[veteran.entrant, veteran.id, "status"] == veteran.status

    async def played(self, who: str, *lost: tuple[str, str, int]) -> Answer:
        """Play who's fixture: each of the lost leaves so, with so many wounds. The encounter has ended."""
        await self.table.done(who, PlayFixture(self.scope), reason="to test")
        await self.table.done(who, NextStep())
        for name, how, wounds in lost:
            encounter = await self.table.encounter()
            owner = encounter.find_model(name).owner_id
            player = next(known for known, number in self.table.ids.items() if number == owner)
            if wounds:
                await self.table.done(player, DamageModel(name, wounds))
            await self.table.done(player, RemoveModel(name, how))
        return await self.table.done(who, EndEncounter())

    async def report(self, who: str, ended: Answer) -> Answer:
        return await self.press(who, ended, "Report this game")


def _kept(sums: dict[str, int]) -> dict[str, int]:
    return {account: amount for account, amount in sums.items() if amount}


__all__ = ["League", "OpenReport", "Schedule"]
