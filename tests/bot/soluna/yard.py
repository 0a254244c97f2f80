"""Two people with models of their own on a board of their own, every die typed by hand."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.actions import Action
from bot.games.soluna.board_actions import AddObject, NewBoard
from bot.games.soluna.model_actions import AddModel
from bot.games.soluna.move_actions import PlaceModel
from bot.games.soluna.state import model_of
from bot.replies.reply import Reply
from bot.table.encounter import Encounter
from bot.table.request import Answer
from bot.table.rolling.dice_settings import DiceMode
from bot.table.session.encounters import JoinEncounter, NextStep, StartEncounter
from bot.table.session.settings import Settings
from rules.systems.soluna.models import Model
from tests.bot.tables import Table, waits

ANNA, BO = "anna", "bo"

MEENA = """Meena
Size 2, Mind 3, Health 3, Body 2, Shield 1, Speed 5, CP 2
Weapon: Gravity Saber, Reach 2, Power 4, Accuracy 2, Health 2, melee
Weapon: Pulse Laser Ring, Reach 4, Power 4, Accuracy 1
Weapon: Smoke Grenade, Reach 5, Power 1, burst 2, cloud 4
Weapon: Wave, Reach 6, Power 3, Accuracy 0, pulse 2"""

XUL = """Xul
Size 2, Mind 2, Health 3, Body 2, Speed 4, CP 2
Weapon: Claw, Reach 1, Power 5, Accuracy 1, Health 2, melee
Item: Medkit, Health 1"""

PAL = """Pal
Size 2, Mind 2, Health 2, Body 0, Speed 3
Weapon: Stick, Reach 1, Power 3, melee"""


@dataclass
class Yard:
    """Anna's side against Bo's, on a board of Anna's choosing."""

    table: Table
    answer: Answer = field(default_factory=lambda: Answer(Reply(())))

    async def ask(self, who: str, action: Action, *faces: int) -> list[str]:
        """Ask, type the faces of the dice that fall, and give the lines of the reply."""
        return await self._thrown(who, await self.table.do(who, action), faces)

    async def press(self, who: str, label: str, *faces: int) -> list[str]:
        return await self._thrown(who, await self.table.press(who, self.answer, label), faces)

    async def choose(self, who: str, value: str, *faces: int) -> list[str]:
        return await self._thrown(who, await self.table.choose(who, self.answer, value), faces)

    async def _thrown(self, who: str, answer: Answer, faces: tuple[int, ...]) -> list[str]:
        if faces:
            assert waits(answer), answer.reply.text
            answer = await self.table.enter(who, faces)
        assert not waits(answer), answer.reply.text
        self.answer = answer
        return [line for line in answer.reply.lines if line != "These are real dice."]

    async def refused(self, who: str, action: Action) -> str:
        return await self.table.refused(who, action)

    @property
    def why(self) -> str:
        return "\n".join(self.answer.reply.why)

    @property
    def choices(self) -> list[str]:
        return [choice.label for choice in self.answer.reply.menus[0].choices]

    async def model(self, name: str) -> Model:
        encounter = await self.table.encounter()
        return model_of(encounter, encounter.find_model(name, gone=True))

    async def encounter(self) -> Encounter:
        return await self.table.encounter()


async def opened(
    table: Table,
    *placed: tuple[str, str, str],
    board: str = "12x12",
    drawing: str = "",
    settings: dict[str, str] | None = None,
    begin: bool = True,
    objects: tuple[AddObject, ...] = (),
) -> Yard:
    """A yard. placed: (profile, square, facing); Meena and Pal are Anna's, everybody else is Bo's."""
    await table.done(ANNA, StartEncounter("soluna"))
    for profile, _, _ in placed:
        await table.done(ANNA, AddModel(profile, "Dawn" if profile.startswith(("Meena", "Pal")) else "Moon"))
    await table.done(BO, JoinEncounter("Moon"))
    await table.done(ANNA, NewBoard("" if drawing else board, drawing))
    for one in objects:
        await table.done(ANNA, one)
    for profile, square, facing in placed:
        name = profile.splitlines()[0]
        await table.done(
            ANNA if profile.startswith(("Meena", "Pal")) else BO, PlaceModel(name, square, facing)
        )
    for key, value in {"action_order": "manual", **(settings or {})}.items():
        if (key, value) == ("action_order", "speed"):
            continue
        await table.done(ANNA, Settings(key, value))
    await table.done(ANNA, DiceMode("real"))
    await table.done(BO, DiceMode("real"))
    if begin:
        await table.done(ANNA, NextStep())
    return Yard(table)
