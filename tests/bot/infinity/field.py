"""Two people with the sample crews in the first turn, every die typed by hand, rows arranged as needed."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.actions import Action
from bot.games.infinity import concealment, troops
from bot.games.infinity.order_rows import NOTHING, order_of
from bot.games.infinity.reaction_menu import React, Resolve
from bot.games.infinity.reaction_windows import is_full
from bot.games.infinity.turn_actions import PlayFirst
from bot.replies.reply import Reply
from bot.table.encounter import Encounter
from bot.table.request import Answer
from bot.table.rolling.dice_settings import DiceMode
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from rules.effects import Gain
from rules.systems.infinity.trooper import Trooper
from tests.bot.arranging import Step, arrange
from tests.bot.tables import Table, all_lines, waits

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

    async def agreed(self, who: str, action: Action) -> list[str]:
        """Undo or redo, and everybody who is asked agrees."""
        return await self._thrown(who, await self.table.agreed(who, action), ())

    async def press(self, who: str, label: str, *faces: int) -> list[str]:
        return await self._thrown(who, await self.table.press(who, self.answer, label), faces)

    async def choose(self, who: str, model: str, choice: str) -> list[str]:
        """Choose in the private menu: nothing is thrown, nobody else reads it."""
        encounter = await self.table.encounter()
        order = order_of(encounter)
        assert order is not None
        number = encounter.find_model(model).id
        lines = await self.ask(who, React(order.entry, number, choice))
        assert self.answer.reply.private
        assert self.answer.changed, lines
        return lines

    async def react(self, who: str, model: str, choice: str, *faces: int) -> list[str]:
        """Choose for one trooper, let the others pass, and end the Order; then the dice fall."""
        await self.choose(who, model, choice)
        return await self.pass_on(who, *faces)

    async def pass_on(self, who: str, *faces: int, rest: str = NOTHING) -> list[str]:
        """Say that is all; where the Order could go on, its player says that it is done."""
        order = order_of(await self.table.encounter())
        assert order is not None
        if is_full(order):
            return await self.ask(who, Resolve(order.entry, rest), *faces)
        await self.ask(who, Resolve(order.entry, rest))
        return await self.ask(BO if who == ANNA else ANNA, Resolve(), *faces)

    async def spend(self, who: str, action: Action, *, rest: str = NOTHING) -> list[str]:
        """A first Skill to which nobody reacts: the other one lets it pass, or could not react yet."""
        lines = await self.ask(who, action)
        await self.ask(ANNA if who == BO else BO, Resolve(rest=rest))
        return lines

    async def _thrown(self, who: str, answer: Answer, faces: tuple[int, ...]) -> list[str]:
        if faces:
            assert waits(answer), answer.reply.text
            answer = await self.table.enter(who, faces)
        assert not waits(answer), answer.reply.text
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

    async def offered(self, who: str, model: str) -> list[str]:
        """What a trooper may choose, as its player alone reads it."""
        encounter = await self.table.encounter()
        order = order_of(encounter)
        assert order is not None
        answer = await self.table.do(who, React(order.entry, encounter.find_model(model).id))
        assert answer.reply.private
        menus = [one for one in answer.reply.menus if one.prompt.startswith("Choose an ARO for")]
        return [choice.label for choice in menus[-1].choices] if menus else []

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
    def step(encounter: Encounter) -> None:
        encounter.find_model(name).profile = text

    return step


def chief(side: int, name: str) -> Step:
    def step(encounter: Encounter) -> None:
        concealment.appoint(encounter, side, encounter.find_model(name).id if name else 0, 0)

    return step


def setting(key: str, value: str) -> Step:
    def step(encounter: Encounter) -> None:
        encounter.row.settings[key] = value

    return step
