"""A Warzone table at which every die is typed: what is asked, the faces, and what the reply says."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.actions import Action
from bot.games.warzone.activation import Activate, Done
from bot.games.warzone.game import ANYTIME_COMMANDS
from bot.games.warzone.morale_actions import Morale, list_names_owing_test
from bot.games.warzone.move_actions import Move
from bot.games.warzone.roster_actions import AddModels
from bot.games.warzone.state import state_of
from bot.games.warzone.units import model_of, read_turn, squad_of
from bot.replies.reply import Reply
from bot.table.request import Answer
from bot.table.rolling.dice_settings import DiceMode
from bot.table.session.encounters import JoinEncounter, NextStep, StartEncounter
from bot.table.session.models import AddCondition
from bot.table.session.settings import Settings
from rules.refusals import InvalidInput
from rules.systems.warzone.model import Model, Squad
from tests.bot.tables import Table, opened, waits

ACTORS = ("firer", "attacker", "model", "spotter", "leader", "channeler")

TAKES_TURNS = frozenset(
    {
        "wz.shoot", "wz.aim", "wz.fight", "wz.charge", "wz.move", "wz.jump", "wz.spot", "wz.channel",
        "wz.concentrate", "wz.rally", "wz.break", "wz.template", "wz.terrain", "wz.wait", "wz.presence",
        "wz.conceal", "wz.deranged",
    }
)  # fmt: skip
"""Deeds of a model's own activation."""

GRUNT = "CC 8 RC 8 PW 6 LD 10 AC 3 WD 1 ST 5 MV 5 SZ 2 AR 22"
RIFLE = "weapon Rifle: DM 13, PB +1, SR +2, MR 0, LR -2"
SWORD = "weapon Sword: DM 6, close"
MORTAR = "weapon Mortar: DM 12, SR 0, template"
CANNON = "weapon Cannon: DM 15, SR 0, LR 0, AV 3"
TANK = "CC 4 RC 10 PW 0 LD 12 AC 3 WD 6 ST 9 MV 8 SZ 5 AR 24"


def profile(name: str, *lines: str, stats: str = GRUNT, **changes: int) -> str:
    for stat, value in changes.items():
        words = stats.split()
        words[words.index(stat) + 1] = str(value)
        stats = " ".join(words)
    return "\n".join((name, stats, *(lines or (RIFLE, SWORD))))


class Skirmish:
    """Red is anna's, Blue is bo's; both throw real dice.

    plays_on: before a deed the game is begun and played, round by round, until whoever does it acts and has
    an action left.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.last: Answer | None = None
        self.plays_on = False

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
        await self.do(NextStep(), *self._first(first))

    async def do(self, action: Action, *faces: int, who: str = "anna") -> Reply:
        """Do it, type the faces, give the reply; faces left over or missing fail."""
        await self._play_on(action)
        answer = await self.table.do(who, action)
        if faces:
            assert waits(answer), answer.reply.text
            answer = await self.table.enter(who, faces)
        assert not waits(answer), answer.reply.text
        assert answer.changed or not answer.reply.private, answer.reply.text
        self.last = answer
        return answer.reply

    async def bo(self, action: Action, *faces: int) -> Reply:
        return await self.do(action, *faces, who="bo")

    async def asks(self, action: Action, who: str = "anna") -> Reply:
        await self._play_on(action)
        answer = await self.table.do(who, action)
        assert not answer.changed
        assert answer.reply.private
        self.last = answer
        return answer.reply

    async def refused(self, action: Action, who: str = "anna") -> str:
        await self._play_on(action)
        return await self.table.refused(who, action)

    async def goes_on(self, *faces: int, who: str = "anna") -> Reply:
        """Go on with what waits for a reaction; see `Table.go_on`."""
        answer = await self.table.go_on(who)
        if faces:
            answer = await self.table.enter(who, faces)
        assert answer.changed, answer.reply.text
        self.last = answer
        return answer.reply

    async def press(self, label: str, *faces: int, who: str = "anna") -> Reply:
        assert self.last is not None
        answer = await self.table.press(who, self.last, label)
        if faces:
            assert waits(answer), answer.reply.text
            answer = await self.table.enter(who, faces)
        assert answer.changed, answer.reply.text
        self.last = answer
        return answer.reply

    async def choose(self, *values: str, faces: tuple[int, ...] = (), who: str = "anna") -> Reply:
        assert self.last is not None
        answer = await self.table.choose(who, self.last, *values)
        if faces:
            answer = await self.table.enter(who, faces)
        self.last = answer
        return answer.reply

    async def _play_on(self, action: Action) -> None:
        """Play until the game lets whoever does this act now, as far as that can be."""
        if (
            not self.plays_on
            or action.command in ANYTIME_COMMANDS - TAKES_TURNS
            or not action.command.startswith("wz.")
        ):
            return
        name = next((str(getattr(action, part)) for part in ACTORS if getattr(action, part, "")), "")
        if not (await self.table.encounter()).row.turn:
            if action.command in ANYTIME_COMMANDS:
                return
            await self._step(NextStep(), *self._first(await self._side(name)))
        if action.command in TAKES_TURNS and not getattr(action, "knocked", False):
            for _ in range(40):
                if not await self._towards(name):
                    break
        if action.command == "wz.wait":
            while (await self.model(name)).count("actions") > 1 and await self._step(
                Move(name), who=self.owner(await self._side(name))
            ):
                pass

    async def _towards(self, name: str) -> bool:
        """One step of the game towards this model's action; whether there was one to take."""
        encounter = await self.table.encounter()
        try:
            model = model_of(encounter, encounter.find_model(name))
        except InvalidInput:
            return False
        if state_of(model).grants:
            return False
        turn = read_turn(encounter)
        acts = bool(turn.active) and turn.active[-1] == model.squad
        if acts and (model.count("actions") or not model.count("deeds")):
            return False
        if turn.over:
            return await self._step(NextStep(), *self._first(encounter.side(model.side).name))
        return await self._pass(model.squad)

    async def _pass(self, squad: int = 0) -> bool:
        """The unit that acts is done, or the next one begins: this squad, where it may."""
        encounter = await self.table.encounter()
        turn = read_turn(encounter)
        if turn.active:
            side = squad_of(encounter, turn.active[-1]).side
            return await self._step(Done(), who=self.owner(encounter.side(side).name))
        left = turn.left(turn.to_move)
        unit = squad if squad in left else left[0]
        return await self._step(Activate(f"#{unit}"), who=self.owner(encounter.side(turn.to_move).name))

    async def next_turn(self, first: str = "Red") -> None:
        """Who has not acted does nothing in this turn; this side wins the initiative of the next."""
        while not read_turn(await self.table.encounter()).over:
            assert await self._pass()
        await self.do(NextStep(), *self._first(first))

    async def _step(self, action: Action, *faces: int, who: str = "anna") -> bool:
        answer = await self.table.do(who, action)
        if "must take its morale test first. Use /wz morale." in answer.reply.text:
            for name in list_names_owing_test(await self.table.encounter(), between_rounds=True):
                await self.do(Morale(name), 1, who=self.owner(await self._side(name)))
            answer = await self.table.do(who, action)
        if faces and waits(answer):
            answer = await self.table.enter(who, faces)
        return answer.changed

    async def _side(self, name: str) -> str:
        encounter = await self.table.encounter()
        try:
            return encounter.side(encounter.find_model(name).side).name
        except InvalidInput:
            return "Red"

    @staticmethod
    def _first(side: str) -> tuple[int, int]:
        """Faces of an initiative that this side wins."""
        return (20, 1) if side == "Red" else (1, 20)

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
        owner = "anna" if (await self.model(name)).side == 1 else "bo"
        for condition in conditions:
            await self.do(AddCondition(name, condition, value), who=owner)

    async def act(self, unit: str, who: str = "anna") -> Reply:
        return await self.do(Activate(unit), who=who)

    async def done(self, who: str = "anna") -> Reply:
        return await self.do(Done(), who=who)

    async def setting(self, key: str, value: str) -> None:
        await self.do(Settings(key, value))


async def begin(table: Table) -> Skirmish:
    """Rex of Red and Bex of Blue, each a unit of its own; the game has not begun."""
    game = Skirmish(table)
    await game.do(StartEncounter("warzone"))
    await game.do(AddModels(profile("Rex"), side="Red"))
    await game.do(AddModels(profile("Bex"), side="Blue"))
    await game.bo(JoinEncounter("Blue"))
    for who in ("anna", "bo"):
        await game.do(DiceMode("real"), who=who)
    return game


@asynccontextmanager
async def skirmish(file: Path) -> AsyncIterator[Skirmish]:
    """The same, on a database of its own."""
    async with opened(file) as table:
        yield await begin(table)


async def tank(game: Skirmish, side: str = "Blue", **changes: int) -> None:
    await game.add(side, "Tank", "vehicle, tracked", RIFLE, stats=TANK, **changes)
