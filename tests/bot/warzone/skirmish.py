"""A Warzone table at which every die is typed: what is asked, the faces, and what the reply says."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from unittest.mock import patch

from bot.actions import ACTIONS, Action
from bot.games.warzone import game as warzone
from bot.games.warzone.roster_play import AddModels
from bot.games.warzone.turn_actions import Activate, Done
from bot.games.warzone.units import model_of, squad_of
from bot.replies.reply import Reply
from bot.table.request import Answer
from bot.table.rolling.dice import DiceMode
from bot.table.rolling.realdice import EnterFaces
from bot.table.session.encounters import JoinEncounter, NextStep, StartEncounter
from bot.table.session.models import AddCondition
from bot.table.session.settings import Settings
from rules.systems.warzone.model import Model, Squad
from tests.bot.tables import Table, opened, waits

GRUNT = "CC 8 RC 8 PW 6 LD 10 AC 3 WD 1 ST 5 MV 5 SZ 2 AR 22"
RIFLE = "weapon Rifle: DM 13, PB +1, SR +2, MR 0, LR -2"
SWORD = "weapon Sword: DM 6, close"
TANK = "CC 4 RC 10 PW 0 LD 12 AC 3 WD 6 ST 9 MV 8 SZ 5 AR 24"


def profile(name: str, *lines: str, stats: str = GRUNT, **changes: int) -> str:
    for stat, value in changes.items():
        words = stats.split()
        words[words.index(stat) + 1] = str(value)
        stats = " ".join(words)
    return "\n".join((name, stats, *(lines or (RIFLE, SWORD))))


class Skirmish:
    """Red is anna's, Blue is bo's; both throw real dice."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.last: Answer | None = None

    async def add(
        self,
        side: str,
        name: str,
        *lines: str,
        squad: str = "",
        count: int = 1,
        stats: str = GRUNT,
        **changes: int,
    ) -> Reply:
        text = profile(name, *lines, stats=stats, **changes)
        return await self.do(AddModels(text, squad, count, side), who=self.owner(side))

    @staticmethod
    def owner(side: str) -> str:
        return "anna" if side == "Red" else "bo"

    async def begin(self, first: str = "Red") -> None:
        """The first turn, whose initiative this side wins."""
        faces = (20, 1) if first == "Red" else (1, 20)
        await self.do(NextStep(), *faces)

    async def do(self, action: Action, *faces: int, who: str = "anna") -> Reply:
        """Do it, type the faces, give the reply; faces left over or missing fail."""
        answer = await self.table.do(who, action)
        if faces:
            assert waits(answer), answer.reply.text
            answer = await self.table.do(who, EnterFaces(faces))
        assert not waits(answer), answer.reply.text
        assert answer.changed or not answer.reply.private, answer.reply.text
        self.last = answer
        return answer.reply

    async def bo(self, action: Action, *faces: int) -> Reply:
        return await self.do(action, *faces, who="bo")

    async def asks(self, action: Action, who: str = "anna") -> Reply:
        """A private answer that changes nothing."""
        answer = await self.table.do(who, action)
        assert not answer.changed
        assert answer.reply.private
        self.last = answer
        return answer.reply

    async def refused(self, action: Action, who: str = "anna") -> str:
        return await self.table.refused(who, action)

    async def press(self, label: str, *faces: int, who: str = "anna") -> Reply:
        assert self.last is not None
        answer = await self.table.press(who, self.last, label)
        if faces:
            assert waits(answer), answer.reply.text
            answer = await self.table.do(who, EnterFaces(faces))
        assert answer.changed, answer.reply.text
        self.last = answer
        return answer.reply

    async def choose(self, *values: str, faces: tuple[int, ...] = (), who: str = "anna") -> Reply:
        assert self.last is not None
        answer = await self.table.choose(who, self.last, *values)
        if faces:
            answer = await self.table.do(who, EnterFaces(faces))
        self.last = answer
        return answer.reply

    async def model(self, name: str) -> Model:
        encounter = await self.table.encounter()
        return model_of(encounter, encounter.find_model(name, gone=True))

    async def gone(self, name: str) -> str:
        """How a model left play; empty while it is in."""
        encounter = await self.table.encounter()
        return encounter.find_model(name, gone=True).left_how

    async def number(self, name: str) -> str:
        return str((await self.model(name)).id)

    async def squad(self, name: str) -> Squad:
        encounter = await self.table.encounter()
        return squad_of(encounter, (await self.model(name)).squad)

    async def under(self, name: str, *conditions: str, value: int = 0) -> None:
        """Put a model under conditions by hand."""
        owner = "anna" if (await self.model(name)).side == 1 else "bo"
        for condition in conditions:
            await self.do(AddCondition(name, condition, value), who=owner)

    async def act(self, unit: str, who: str = "anna") -> Reply:
        return await self.do(Activate(unit), who=who)

    async def done(self, who: str = "anna") -> Reply:
        return await self.do(Done(), who=who)

    async def setting(self, key: str, value: str) -> None:
        await self.do(Settings(key, value))


@asynccontextmanager
async def skirmish(file: Path, *, waits_for_begin: bool = False) -> AsyncIterator[Skirmish]:
    """Rex of Red and Bex of Blue, each a unit of its own; the game has not begun.

    A rule is tried before Begin, where nothing costs actions, as if an organiser had let each deed pass;
    waits_for_begin: the table refuses it there, as it does for players.
    """
    anytime = warzone.ANYTIME if waits_for_begin else ACTIONS
    with patch.object(warzone, "ANYTIME", anytime):
        async with _seated(file) as game:
            yield game


@asynccontextmanager
async def _seated(file: Path) -> AsyncIterator[Skirmish]:
    async with opened(file) as table:
        game = Skirmish(table)
        await game.do(StartEncounter("warzone"))
        await game.do(AddModels(profile("Rex"), side="Red"))
        await game.do(AddModels(profile("Bex"), side="Blue"))
        await game.bo(JoinEncounter("Blue"))
        for who in ("anna", "bo"):
            await game.do(DiceMode("real"), who=who)
        yield game
