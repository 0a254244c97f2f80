"""Two people with the sample crews, every die typed by hand, and rows arranged as a test needs them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from bot.actions import Action
from bot.games.counterblast.building.draft_texts import draft_of, row_text
from bot.games.counterblast.state.models import block_text, fighter
from bot.games.counterblast.upkeep.upkeep_actions import ConfirmUpkeep
from bot.replies.reply import Reply
from bot.store.rows import ConditionRow, ModelRow
from bot.table.encounter import Encounter
from bot.table.journal.history import FreshDice
from bot.table.realdice import EnterFaces
from bot.table.request import Answer
from bot.table.rolling.dice_settings import DiceMode
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Trait
from tests.bot.arranging import Step, arrange
from tests.bot.tables import Table, waits

ANNA, BO = "anna", "bo"
"""Anna plays the Lancers and is the organiser, Bo plays the Edo."""


def forbidden(answer: Answer) -> bool:
    """Whether the rules said no, and nothing is offered but the organiser's override."""
    lines, labels = answer.reply.lines, {button.label for button in answer.reply.buttons}
    said = len(lines) == 2 and lines[1].startswith("Rulebook: ")
    return said and not answer.changed and not labels - {"Override..."}


@dataclass
class Ring:
    """A game under way in turn 1."""

    table: Table
    answer: Answer = field(default_factory=lambda: Answer(Reply(())))

    @classmethod
    async def open(cls, table: Table) -> Ring:
        ring = cls(table)
        await table.done(ANNA, StartDemo())
        await table.done(BO, JoinEncounter("Edo"))
        await table.done(ANNA, NextStep())
        await table.done(ANNA, DiceMode("real"))
        await table.done(BO, DiceMode("real"))
        return ring

    async def arrange(self, *steps: Step) -> None:
        await arrange(self.table, ANNA, *steps)

    async def ask(self, who: str, action: Action, *faces: int) -> list[str]:
        """Ask, type the faces of the dice that fall, and give the lines of the reply; no refusal."""
        if isinstance(action, EnterFaces):
            return await self._thrown(who, await self.table.enter(who, action.faces), faces)
        return await self._thrown(who, await self.table.do(who, action), faces)

    async def confirmed(self) -> list[str]:
        """Confirm the Upkeep, Anna first, and Bo where he is asked too."""
        lines = await self.ask(ANNA, ConfirmUpkeep())
        return await self.ask(BO, ConfirmUpkeep()) if "anna confirms" in lines[0] else lines

    async def agreed(self, who: str, action: Action) -> list[str]:
        """Undo or redo, and everybody who is asked agrees."""
        return await self._thrown(who, await self.table.agreed(who, action), ())

    async def afresh(self, who: str) -> None:
        """Somebody of the other side allows fresh dice for every roll that was taken back."""
        store = self.table.desk.store
        for entry in await store.open_dice((await self.table.loaded()).scope.id):
            await self.table.done(who, FreshDice(entry.seq))

    async def press(self, who: str, label: str, *faces: int) -> list[str]:
        return await self._thrown(who, await self.table.press(who, self.answer, label), faces)

    async def choose(self, who: str, *values: int, faces: tuple[int, ...] = ()) -> list[str]:
        given = await self.table.choose(who, self.answer, *map(str, values))
        return await self._thrown(who, given, faces)

    async def _thrown(self, who: str, answer: Answer, faces: tuple[int, ...]) -> list[str]:
        if faces:
            assert waits(answer), answer.reply.text
            answer = await self.entered(who, faces)
        assert not waits(answer), answer.reply.text
        assert not forbidden(answer), answer.reply.text
        self.answer = answer
        return list(answer.reply.lines)

    async def entered(self, who: str, faces: tuple[int, ...]) -> Answer:
        """Enter faces, each by the player whose dice they are."""
        return await self.table.enter(who, faces)

    async def asked_for(self, who: str, *faces: int) -> list[str]:
        """Type the faces one by one; for what they were asked, in order."""
        asked = []
        for face in faces:
            asked.append(self.answer.reply.lines[0].partition(" for ")[2].rstrip("."))
            self.answer = await self.entered(who, (face,))
        assert not waits(self.answer), self.answer.reply.text
        return list(dict.fromkeys(asked))

    async def refused(self, who: str, action: Action) -> str:
        return await self.table.refused(who, action)

    @property
    def labels(self) -> list[str]:
        return [button.label for button in self.answer.reply.buttons]

    @property
    def why(self) -> str:
        return "\n".join(self.answer.reply.why)

    async def model(self, name: str) -> Fighter:
        encounter = await self.table.encounter()
        return fighter(encounter, encounter.find_model(name, gone=True))

    async def hurt_by(self, name: str) -> str:
        """Return the name of the model that hurt this one last; empty for nobody."""
        encounter = await self.table.encounter()
        other = encounter.find_model(name, gone=True).hurt_by
        return encounter.model(other).name if other else ""

    async def orders(self, side: int) -> int:
        return (await self.table.encounter()).side(side).counters.get("orders", 0)


def active(*names: str) -> Step:
    return under("active", *names)


def under(kind: str, *names: str, value: int = 0) -> Step:
    def step(encounter: Encounter) -> None:
        for name in names:
            row = ConditionRow(0, encounter.book.next_id(ConditionRow), 0, kind, value)
            row.scope, row.model = encounter.book.scope, encounter.find_model(name).id
            encounter.book.add(row)

    return step


def touching(*pairs: tuple[str, str]) -> Step:
    def step(encounter: Encounter) -> None:
        for one, other in pairs:
            first, second = encounter.find_model(one), encounter.find_model(other)
            first.counters[f"engaged:{second.id}"] = second.counters[f"engaged:{first.id}"] = 1

    return step


def change(name: str, alter: Callable[[ModelRow], None]) -> Step:
    return lambda encounter: alter(encounter.find_model(name))


def gone(row: ModelRow) -> None:
    row.status, row.left_how = "gone", "casualty"


def block(name: str, key: str, *weapons: str) -> Step:
    def step(encounter: Encounter) -> None:
        encounter.find_model(name).profile = block_text(key, weapons)

    return step


def gifted(name: str, *features: str) -> Step:
    """The model has further Features: a key, or key:level, or key:choice."""

    def step(encounter: Encounter) -> None:
        row = encounter.find_model(name)
        draft = draft_of(row.profile)
        more = []
        for text in features:
            key, _, rest = text.partition(":")
            more.append(Trait(key, int(rest)) if rest.isdecimal() else Trait(key, 0, rest))
        row.profile = row_text(replace(draft, features=(*draft.features, *more)))

    return step


def carrying(name: str, *gear: str) -> Step:
    def step(encounter: Encounter) -> None:
        row = encounter.find_model(name)
        draft = draft_of(row.profile)
        row.profile = row_text(replace(draft, gear=(*draft.gear, *gear)))

    return step


def hurt(name: str, damage: int) -> Step:
    def step(encounter: Encounter) -> None:
        encounter.find_model(name).damage = damage

    return step
