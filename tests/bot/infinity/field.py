"""Two people with the sample crews in the first turn, every die typed by hand, rows arranged as needed."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.actions import Action
from bot.games.infinity import troops, veils
from bot.games.infinity.asking import React
from bot.games.infinity.orders_row import order_of
from bot.games.infinity.turn_play import PlayFirst
from bot.replies.reply import Reply
from bot.table.dice import DiceMode
from bot.table.encounter import Encounter
from bot.table.encounters import JoinEncounter, NextStep, StartDemo
from bot.table.realdice import EnterFaces
from bot.table.request import Answer
from rules.effects import Gain
from rules.systems.infinity.trooper import Trooper
from tests.bot.arranging import Step, arrange
from tests.bot.tables import Table, all_lines

ANNA, BO = "anna", "bo"
"""Anna plays Vanguard and is the organiser, Bo plays Nightfall."""


@dataclass
class Field:
    """A game under way; `answer` is the last one, `heard` all that was said in public."""

    table: Table
    answer: Answer = field(default_factory=lambda: Answer(Reply(())))
    heard: list[str] = field(default_factory=list)

    @classmethod
    async def open(cls, table: Table, *, first: bool = True) -> Field:
        game = cls(table)
        await game.ask(ANNA, StartDemo("infinity"))
        await game.ask(BO, JoinEncounter("Nightfall"))
        await game.ask(ANNA, DiceMode("real"))
        await game.ask(BO, DiceMode("real"))
        await game.ask(ANNA, NextStep(), 9, 2)
        await game.ask(ANNA, PlayFirst(1, first))
        await game.ask(ANNA, NextStep())
        return game

    async def arrange(self, *steps: Step) -> None:
        await arrange(self.table, ANNA, *steps)

    async def ask(self, who: str, action: Action, *faces: int) -> list[str]:
        """Ask, type the faces of the dice that fall, and give the lines of the reply."""
        return await self._thrown(who, await self.table.do(who, action), faces)

    async def press(self, who: str, label: str, *faces: int) -> list[str]:
        return await self._thrown(who, await self.table.press(who, self.answer, label), faces)

    async def react(self, who: str, model: str, choice: str, *faces: int) -> list[str]:
        """Choose from the menu; the last one who is asked throws the dice."""
        encounter = await self.table.encounter()
        order = order_of(encounter)
        assert order is not None
        number = encounter.find_model(model).id
        return await self.ask(who, React(order.row, number, choice), *faces)

    async def _thrown(self, who: str, answer: Answer, faces: tuple[int, ...]) -> list[str]:
        if faces:
            assert "throw" in answer.reply.text, answer.reply.text
            answer = await self.table.do(who, EnterFaces(faces))
        assert "and tell me" not in answer.reply.text, answer.reply.text
        self.answer = answer
        if not answer.reply.private:
            self.heard += all_lines(answer.reply)
        return list(answer.reply.lines)

    async def refused(self, who: str, action: Action) -> str:
        return await self.table.refused(who, action)

    @property
    def labels(self) -> list[str]:
        return [button.label for button in self.answer.reply.buttons]

    @property
    def why(self) -> str:
        return "\n".join(self.answer.reply.why)

    def offered(self, model: str) -> list[str]:
        menu = next(one for one in self.answer.reply.menus if one.prompt == f"{model} reacts")
        return [choice.label for choice in menu.choices]

    async def trooper(self, name: str) -> Trooper:
        encounter = await self.table.encounter()
        return troops.trooper(encounter, encounter.find_model(name, gone=True))

    async def counter(self, side: int, key: str) -> int:
        return (await self.table.encounter()).side(side).counters.get(key, 0)


def under(kind: str, *names: str, value: int = 0) -> Step:
    def step(encounter: Encounter) -> None:
        encounter.apply(Gain(encounter.find_model(name).id, kind, value) for name in names)

    return step


def hurt(name: str, damage: int) -> Step:
    def step(encounter: Encounter) -> None:
        encounter.find_model(name).damage = damage

    return step


def profile(name: str, text: str) -> Step:
    """The model has another profile."""

    def step(encounter: Encounter) -> None:
        encounter.find_model(name).profile = text

    return step


def chief(side: int, name: str) -> Step:
    """The side has another Lieutenant."""

    def step(encounter: Encounter) -> None:
        veils.appoint(encounter, side, encounter.find_model(name).id if name else 0, 0)

    return step


def setting(key: str, value: str) -> Step:
    def step(encounter: Encounter) -> None:
        encounter.row.settings[key] = value

    return step
