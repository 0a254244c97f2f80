"""Random play: what somebody at the table might ask next, from what the table shows."""

from __future__ import annotations

import random

from bot.actions import Action
from bot.games.counterblast.core.checks import Check, ClearPanic, Rally
from bot.games.counterblast.core.contact import Engage
from bot.games.counterblast.gear.items import HandItem, UseItem
from bot.games.counterblast.gear.tasks import Treat
from bot.games.counterblast.ground.flames import StartFire
from bot.games.counterblast.melee.attacks import Fight
from bot.games.counterblast.melee.charges import Charge
from bot.games.counterblast.melee.disengagement import Disengage
from bot.games.counterblast.melee.melees import Melee
from bot.games.counterblast.missions.mission_choices import ChooseSecretly
from bot.games.counterblast.missions.objectives import TakeToken
from bot.games.counterblast.missions.scores import ScorePoints, StopGame
from bot.games.counterblast.movement.climbing import Leap
from bot.games.counterblast.movement.hiding import Hide
from bot.games.counterblast.movement.moves import Move
from bot.games.counterblast.setup.infiltration import Reserve, Watch
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.turn.activations import Activate
from bot.games.counterblast.turn.bag import DrawToken, LetDraw, PassDraw, RedrawToken
from bot.games.counterblast.turn.overwatch import Overwatch
from bot.games.counterblast.upkeep.corrections import UpkeepNamed
from bot.games.counterblast.upkeep.leaders import NominateLeader
from bot.games.counterblast.upkeep.upkeep_actions import ConfirmUpkeep, RollUpkeep
from bot.table.game import UNDO_OF_OTHERS
from bot.table.journal.history import Redo, Undo
from bot.table.realdice import DropRoll, EnterFaces
from bot.table.request import Answer
from bot.table.rolling.dice_settings import AddWords, DiceMode
from bot.table.rolling.rolls import Roll
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from bot.table.session.models import (
    AddCondition,
    ClearCondition,
    DamageModel,
    HealModel,
    NoteModel,
    RemoveModel,
    RenameModel,
    ReturnModel,
)
from bot.table.session.settings import Settings
from tests.bot.tables import Table

LETTERS = "abcdefgh -'é"


class Player:
    """Plays at random, the same way for the same number; remembers the answers whose buttons still stand."""

    def __init__(self, table: Table, number: int) -> None:
        self.table = table
        self.dice = random.Random(number)
        self.last: Answer | None = None
        self.asked: list[str] = []

    async def begin(self, *, free: bool = False) -> None:
        """A game of two; free: each takes back what the other did without asking."""
        await self.table.done("anna", StartDemo())
        await self.table.done("bo", JoinEncounter("Edo"))
        if free:
            await self.table.done("anna", Settings(UNDO_OF_OTHERS.key, "free"))

    async def _action(self) -> tuple[str, Action]:
        if not await self.table.desk.store.running_encounter(self.table.channel):
            return "anna", Redo()
        dice, encounter = self.dice, await self.table.encounter()
        who = dice.choice(("anna", "bo"))
        side = 1 if who == "anna" else 2
        names = [model.name for model in encounter.models(side)] or ["nobody"]
        gone = [model.name for model in encounter.models(gone=True) if model.status == "gone"] or ["nobody"]
        numbers = [model.id for model in encounter.models(side)] or [0]
        name = dice.choice(names)
        words = "".join(dice.choices(LETTERS, k=dice.randint(1, 12)))
        game: list[Action] = [
            NextStep(),
            DrawToken(),
            PassDraw(),
            RedrawToken(),
            LetDraw(),
            RollUpkeep(),
            ConfirmUpkeep(),
            UpkeepNamed(level="Edo=2", reason="as agreed"),
            Activate((dice.choice(numbers),)),
            Activate(tuple(dice.sample(numbers, min(2, len(numbers))))),
            Check(name),
            Rally(name),
            Shoot(name, dice.choice([model.name for model in encounter.models(3 - side)] or ["nobody"]), 6),
        ]
        by_hand: list[Action] = [
            DamageModel(name, dice.randint(1, 4)),
            HealModel(name, dice.randint(1, 3)),
            AddCondition(name, dice.choice(("hidden", "panicked", "stunned", "prone")), dice.randint(0, 1)),
            ClearCondition(name),
            NoteModel(name, words),
            RenameModel(name, words),
            RemoveModel(name),
            ReturnModel(dice.choice(gone)),
            AddWords(words),
            DiceMode(dice.choice(("real", "bot", "bot"))),
            EnterFaces(tuple(dice.randint(1, 10) for _ in range(dice.randint(1, 3)))),
            DropRoll(),
            Roll("3d6"),
            Undo(dice.randint(1, 2)),
            Redo(),
        ]
        enemy = dice.choice([model.name for model in encounter.models(3 - side)] or ["nobody"])
        return who, dice.choice(dice.choice((game, by_hand, self._arsenal(name, enemy, words))))

    def _arsenal(self, name: str, enemy: str, words: str) -> list[Action]:
        """Blows, items, ground, missions and what is corrected; most of it asks something back."""
        dice = self.dice
        return [
            Charge(name, enemy, dice.randint(1, 12), helpers=dice.choice(("", "nobody"))),
            Fight(name, enemy),
            Melee(text=f"{name}>{enemy}"),
            Engage(name, enemy),
            Disengage(name),
            Move(name, dice.randint(1, 2)),
            Overwatch(name),
            Hide(name),
            Leap(name, dice.randint(1, 5)),
            Treat(name, patient=dice.choice((name, enemy))),
            UseItem(name, dice.choice(("med gel", "smoke", "body boost", "envirosuit")), name),
            HandItem(name, "Med Gel", enemy),
            StartFire(words, inches=dice.randint(1, 5)),
            TakeToken(words, dice.choice(("", name)), drop=dice.random() < 0.3),
            ScorePoints("Edo", dice.randint(-3, 3)),
            ChooseSecretly(dice.choice(("Scouting", "Invasion", "Sabotage"))),
            StopGame(sure=True),
            Reserve(name),
            Watch(name),
            NominateLeader(name),
            UpkeepNamed(spare=name, reason="as agreed"),
            UpkeepNamed(test=name, reason="as agreed"),
            UpkeepNamed(bag=f"Edo={dice.randint(0, 9)}", reason="as agreed"),
            UpkeepNamed(back=1),
            ClearPanic((dice.randint(1, 15),)),
        ]

    async def step(self) -> Answer:
        """Ask something; refusals are part of the game, and what the organiser lets pass."""
        if self.last is not None and self.last.reply.buttons and self.dice.random() < 0.5:
            button = self.dice.choice(self.last.reply.buttons)
            if not isinstance(button.action, (Undo, Redo)) and button.form is None:
                self.asked.append(button.action.command)
                return self._keep(await self.table.press(self._owner(), self.last, button.label))
        if self.last is not None and self.last.reply.menus and self.dice.random() < 0.5:
            choice = self.dice.choice(self.last.reply.menus[0].choices)
            return self._keep(await self.table.choose(self._owner(), self.last, choice.value))
        who, action = await self._action()
        self.asked.append(action.command)
        reason = self.dice.choice(("", "agreed"))
        return self._keep(await self.table.do(who, action, reason=reason))

    def _owner(self) -> str:
        return self.dice.choice(("anna", "bo"))

    def _keep(self, answer: Answer) -> Answer:
        if answer.changed:
            self.last = answer
        return answer


async def everybody_acts(table: Table) -> dict[str, list[tuple[object, ...]]]:
    """Every model is drawn and does nothing, by one who plays both sides; the rows as they stand then."""
    for _ in range(80):
        answer = await table.do("anna", DrawToken())
        if not answer.changed:
            return table.state()
        if answer.reply.menus:
            await table.choose("anna", answer, answer.reply.menus[0].choices[0].value)
    raise AssertionError("doesn't end")
