"""Every die is typed by the person who throws it, in all games, also within one roll."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from pathlib import Path

import pytest

from bot.app import ALL_GAMES
from bot.store.rows import PendingRow
from bot.table.act import ANY_PLAYER, ENTERED_BY
from bot.table.game import GAMES, Shuffles
from bot.table.realdice import DropRoll, EnterFaces, list_entered_faces
from bot.table.rolling.dice_settings import DiceMode
from bot.table.session.settings import Settings
from rules.wording import possessive
from tests.bot.tables import opened
from tests.conformance.fishing import Fisher
from tests.conformance.legal_play import Stuck, Wanderer

STEPS = 60

OPPOSED = frozenset({"counterblast", "infinity", "soluna", "warzone"})
"""Games in which one roll has dice of both sides."""

GAMES_PLAYED = 12
"""Games that are played at the most until enough dice were asked for."""

ENOUGH = 3
"""Dice that each game asks of the person who rolls, and of the other side within that roll, at the least."""

MAX_DICE = 60
"""Dice of one roll; what asks for more is cancelled."""

pytestmark = pytest.mark.usefixtures("odds_solved_once", "pictures_without_files")


class Thrower(Fisher):
    """Plays a game at random with real dice on both sides, and has somebody else type every die first.

    asked: how many dice were asked of the person who rolls, and of another person.
    """

    async def play(self, steps: int) -> None:
        """So many steps; each roll is entered as it is asked for."""
        self.dice = random.Random(self.number)
        self.asked: Counter[bool] = Counter()
        self.game = Wanderer(self.table, self.system, self.number, looks=False)
        await self.game.begin()
        for who in self.game.people:
            await self.table.do(who, DiceMode("real"))
        for _ in range(steps):
            self.game.stands = None
            try:
                await self._step()
            except Stuck:
                return
            await self._enter_all()

    async def _enter_all(self) -> None:
        for _ in range(MAX_DICE):
            pending = next(iter((await self.table.encounter()).book.all(PendingRow)), None)
            if pending is None:
                return
            owner = pending.thrower
            await self._enter(pending, owner)
            self.asked[pending.user_id == self.table.actor(owner).user_id] += 1
        for who in self.game.people:
            await self.table.do(who, DropRoll())

    async def _enter(self, pending: PendingRow, owner: str) -> None:
        """One die, by its owner, once everybody else was refused."""
        (other,) = {*self.game.people} - {owner}
        face = EnterFaces(
            (self.dice.randint(1, pending.sides),), pending.id, len(list_entered_faces(pending))
        )
        before = self.table.state()
        refusals = {other: f"Only {owner} can enter those dice.", "cy": "Only players can enter dice."}
        for who, said in refusals.items():
            answer = await self.table.do(who, face)
            assert (answer.changed, answer.reply.lines[0]) == (False, said), pending.prompt
        assert self.table.state() == before
        assert (await self.table.do(owner, face)).changed, pending.prompt


class Together(Thrower):
    """The same with one person who enters for everybody, which everybody sees."""

    async def _enter(self, pending: PendingRow, owner: str) -> None:
        await self.table.do(self.game.people[0], Settings(ENTERED_BY, ANY_PLAYER))
        (other,) = {*self.game.people} - {owner}
        face = EnterFaces(
            (self.dice.randint(1, pending.sides),), pending.id, len(list_entered_faces(pending))
        )
        answer = await self.table.do(other, face)
        assert answer.changed, pending.prompt
        ways = f"(entered by {other})", f"{other} entered {possessive(owner)} dice."
        assert any(way in answer.reply.text for way in ways), answer.reply.text


@pytest.mark.parametrize("thrower", [Thrower, Together])
@pytest.mark.parametrize("system", [game.key for game in ALL_GAMES])
async def test_nobody_but_their_owner_types_any_die(
    migrated: Path, tmp_path: Path, system: str, thrower: type[Thrower]
) -> None:
    asked = Counter[bool]()
    for number in range(GAMES_PLAYED):
        async with opened(Path(shutil.copy(migrated, tmp_path / f"{number}.db"))) as table:
            played = thrower(table, system, number)
            await played.play(STEPS)
            asked += played.asked
        if isinstance(GAMES[system], Shuffles):
            assert not asked, "its cards are the bot's"
            return
        theirs = asked[False] if system in OPPOSED else ENOUGH
        if min(asked[True], theirs) >= ENOUGH:
            return
    raise AssertionError(f"too few dice were asked for: {asked}")
