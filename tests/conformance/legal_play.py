"""Random play of any game, chosen from what the table says is legal and from nothing else.

Each step fills in an action from its own offers and bounds, or takes one from a button, tries it on the table
as it stands, and does it only where nothing refuses it: so the desk must not refuse it either, whatever the
dice show.

    python -m tests.conformance.legal_play --game infinity --steps 5000 --seed 7
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bot.actions import ACTIONS, Action, Part, Raw, parts, raw_of, to_json, with_text
from bot.app import ALL_GAMES
from bot.replies.reply import Button, Menu, Reply
from bot.store.book import Book, Loaded
from bot.store.migration import migrate
from bot.table import desk
from bot.table.asking.kinds import Grade, Number, Switch, TableKind
from bot.table.asking.server_kinds import Elsewhere
from bot.table.board.surface import HIDDEN_PLACE
from bot.table.encounter import ENDED, Encounter
from bot.table.game import GAMES, UNDO_OF_OTHERS, Shuffles, game_of
from bot.table.handlers import HANDLERS, Place
from bot.table.journal.history import Undo
from bot.table.journal.undo_plan import plan_undo
from bot.table.journal_actions import SPECIAL
from bot.table.offers.legal_actions import Looking
from bot.table.request import Answer
from bot.table.session.drafts import Draft
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from bot.table.session.possible_actions import WhatNow, add_action_buttons
from bot.table.session.settings import Settings
from rules.refusals import InvalidInput
from tests.bot.columns import too_wide
from tests.bot.tables import Table, opened, url_of

assert ALL_GAMES, "every game has registered what it handles"

SAID = 0.2
"""How often something is said that need not be."""

PRESSED = 0.5
"""How often what an answer offers is pressed."""

LIKELIEST = 0.5
"""How often what is typed is what the table itself would fill in."""

REMEMBERED = 6
"""Answers whose buttons are still looked at."""

TRIES = 60
"""Ways to go on that are tried before a step is given up."""

SAVED_TABLES = frozenset({"board.drop", "board.load", "board.save"})
"""What keeps tables for the whole server."""

LEFT_OUT = SAVED_TABLES | frozenset(
    {
        "encounter.ask_end",
        "encounter.end",
        "encounter.join",
        "encounter.hand",
        "encounter.remove",
        "encounter.second",
        "encounter.settings",
        "dice.mode",
        "mission.stop",
    }
)
"""What would end the play or make it wait for somebody."""

LARGEST = 12
"""The largest number that is said where more may be."""


@contextmanager
def refusals() -> Iterator[list[str]]:
    found: list[str] = []
    refuse = desk.refused

    def noted(refusal: Exception) -> Reply:
        found.append(f"{type(refusal).__name__}: {refuse(refusal).text}")
        return refuse(refusal)

    desk.refused = noted
    try:
        yield found
    finally:
        desk.refused = refuse


class Stuck(AssertionError):
    """Nothing that was tried may be done."""


def typed_value(part: Part, value: Raw) -> Any:
    """What was typed, as the field has it; its default where that is nothing it can be."""
    assert isinstance(part.kind, TableKind)
    try:
        said = part.kind.typed(value)
    except InvalidInput:
        return part.default
    return part.default if said is None else said


def _asked(action: Action | None) -> Action | None:
    """What is asked by an action that was typed; nothing where its options do not go together."""
    try:
        return action.as_typed_action() if action else None
    except InvalidInput:
        return None


def _panel_of(encounter: Encounter) -> Reply:
    return game_of(encounter).panel(encounter)


def _why_not(looking: Looking, button: Button) -> str:
    """Why what a button does may not be done; empty where it may, and where its form asks what is missing."""
    asked = button.action
    if not button.asks:
        return looking.refusal(asked)
    found = looking.legal(type(asked), raw_of(asked))
    return "" if found.may_be_tried else found.reason


@dataclass
class Wanderer:
    """Plays one game with two people, the same way for the same number."""

    table: Table
    system: str
    number: int
    people: tuple[str, str] = ("anna", "bo")
    left_out: frozenset[str] = LEFT_OUT
    looks: bool = True
    """Whether each reply and panel is looked at: as wide as a phone, with every die, and nothing in vain."""
    pressed_every: int = 1
    """After so many steps all buttons of the panel are tried, whether one of them is there in vain."""
    done: Counter[str] = field(default_factory=Counter)
    told: list[tuple[str, Action, Reply]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    tip: int = 0
    start: dict[str, Any] = field(default_factory=dict)
    stands: tuple[Loaded, Book, Reply] | None = None
    """The game as it was left by the last step, its rows to try things on, and its panel."""

    def __post_init__(self) -> None:
        self.dice = random.Random(self.number)
        self.commands = sorted(
            command
            for command, kind in ACTIONS.items()
            if kind.typed
            and command in HANDLERS
            and command not in SPECIAL
            and command not in self.left_out
            and HANDLERS[command].place is Place.ENCOUNTER
            and HANDLERS[command].system in ("", self.system)
        )

    # ------------------------------------------------------------- the whole

    async def begin(self) -> None:
        """The demo of the game, a person on each side; each takes back what the other did.

        Games with an even number have begun; in the others what is set up before is tried as well.
        """
        anna, bo = self.people
        await self.table.done(anna, StartDemo(self.system))
        encounter = await self.table.encounter()
        free = encounter.sides()[1].name
        await self.table.done(bo, JoinEncounter(free))
        await self.table.done(anna, Settings(UNDO_OF_OTHERS.key, "free"))
        if self.number % 2 == 0:
            await self.table.done(anna, NextStep())
        self.tip = (await self.table.loaded()).scope.tip
        self.start = self.table.state()

    async def play(self, steps: int) -> int:
        """So many steps, or until the game ends; how many were made."""
        for step in range(steps):
            if not await self.table.desk.store.running_encounter(self.table.channel):
                return step
            await self.step()
        return steps

    async def undo_all(self) -> None:
        """Everything back to where it began, as the organiser; what a side noted in secret stays."""
        while (await self._next_back()) > self.tip:
            await self.table.done(self.people[0], Undo())

    async def _next_back(self) -> int:
        """The entry that the next undo would take back."""
        walk = await plan_undo(self.table.desk.store, await self._scope(), 1)
        return walk.told[-1].seq

    async def _scope(self) -> Any:
        loaded = await self.table.desk.store.load(self._number)
        assert loaded is not None
        return loaded

    # ------------------------------------------------------------- one step

    async def step(self) -> None:
        """Something that is legal now, done. Raises Stuck."""
        loaded, book, panel = self.stands or await self._stands()
        self._number = loaded.scope.id
        reasons: Counter[str] = Counter()
        for _ in range(TRIES):
            who = self.dice.choice(self.people)
            actor = self.table.actor(who)
            looking = Looking(book, actor)
            if self.dice.random() < PRESSED:
                action = self._offered(who, panel)
            elif self.dice.random() < LIKELIEST:
                kind = self._any_kind()
                found = looking.legal(kind, None, await self.read_beforehand(who, kind()))
                action = _asked(None if found.reason else found.action)
            else:
                action = _asked(self._filled(looking))
            if action is None:
                continue
            refusal = looking.refusal(action, await self.read_beforehand(who, action))
            if refusal:
                reasons[refusal] += 1
                continue
            await self._do(who, action)
            return
        for who in self.people:
            looking = Looking(book, self.table.actor(who))
            for command in self.commands:
                extra = await self.read_beforehand(who, ACTIONS[command]())
                found = looking.legal(ACTIONS[command], None, extra)
                asked = _asked(None if found.reason else found.action)
                if asked is not None and not looking.refusal(asked, extra):
                    await self._do(who, asked)
                    return
        raise Stuck(f"{self.system} {self.number}: {reasons.most_common(8)}")

    async def read_beforehand(self, who: str, action: Action) -> Any:
        """What the handler of an action reads beforehand."""
        read = HANDLERS[action.command].beforehand
        return await read(self.table.desk.store, self.table.actor(who), action) if read else None

    async def _do(self, who: str, action: Action) -> None:
        with refusals() as refused:
            answer = await self.table.do(who, action)
        if refused and not isinstance(action, Draft):
            self.wrong.append(f"{who} {action}: {refused[0]}")
        _, book, panel = self.stands = await self._stands()
        self.done[action.command] += 1
        self.told = [*self.told, (who, action, answer.reply)][-REMEMBERED:]
        if self.looks:
            shown = [one for one in (answer.reply, *answer.reply.also, panel) if not one.private]
            found = [f"wide: {line}" for one in shown for line in too_wide(one, self.system)]
            found += [f"not shown: {face}" for face in await self._faces_not_shown(answer)]
            if not sum(self.done.values()) % self.pressed_every:
                found += [f"in vain: {one}" for one in self._in_vain(book, panel)]
            self.wrong += [f"{who} {action}: {one}" for one in found]

    async def _faces_not_shown(self, answer: Answer) -> list[int]:
        """The faces of dice that the reply does not show. Cards and tokens are shown by their names."""
        at = (await self._scope()).scope
        entry = await self.table.desk.store.entry(at.id, at.version) if answer.changed else None
        cards = isinstance(GAMES[self.system], Shuffles)
        if entry is None or cards or HANDLERS[entry.command].bot_dice:
            return []
        text = "\n".join([answer.reply.text, *(one.text for one in answer.reply.also)])
        shown = Counter(int(number) for number in re.findall(r"\d+", text))
        return [*(Counter(face for _, face, _ in entry.faces_bound()) - shown).elements()]

    # ------------------------------------------------------------- pressed

    async def _stands(self) -> tuple[Loaded, Book, Reply]:
        """The game as it stands, its rows and its panel."""
        loaded = await self.table.loaded()
        book = loaded.book()
        return loaded, book, _panel_of(Encounter(book))

    def _in_vain(self, book: Book, panel: Reply) -> list[str]:
        """The panel's buttons that are refused to everybody, whatever is filled in, each with why.

        `More...` is left out: it tries all that may be done, and refuses nothing.
        """
        encounter, found = Encounter(book), []
        shown = add_action_buttons(encounter, panel)
        every = [Looking(book, self.table.actor(who)) for who in self.people]
        for button in shown.buttons if encounter.row.status != ENDED else ():
            asked = button.action
            if button.disabled or button.form or asked.command in SPECIAL or isinstance(asked, WhatNow):
                continue
            if HANDLERS[asked.command].beforehand is None:
                refused = [*takewhile(bool, (_why_not(looking, button) for looking in every))]
                found += [f"{button.label}: {refused[0]}"] if len(refused) == len(every) else []
        return found

    def _offered(self, who: str, panel: Reply) -> Action | None:
        """One of the buttons and menus that this person sees, each once wherever it is offered."""
        shown = [(who, panel), *((asker, reply) for asker, _, reply in self.told)]
        seen = {
            (offer.action.command, to_json(offer.action), isinstance(offer, Menu)): offer
            for asker, reply in shown
            for one in (reply, *reply.also)
            if not one.private or asker == who
            for offer in (*one.buttons, *one.menus)
            if self._may_be_pressed(offer)
        }
        if not seen:
            return None
        every = list(seen.values())
        (offer,) = self.dice.choices(every, [self._seldom(one.action.command) for one in every])
        if isinstance(offer, Button):
            return offer.action
        count = self.dice.randint(offer.least, min(offer.most, len(offer.choices)))
        values = [choice.value for choice in self.dice.sample(offer.choices, count)]
        return with_text(offer.action, {offer.fills: values})

    def _may_be_pressed(self, offer: Button | Menu) -> bool:
        command = offer.action.command
        if isinstance(offer.action, Draft):
            return True
        if command in SPECIAL or command in LEFT_OUT or HANDLERS[command].place is not Place.ENCOUNTER:
            return False
        return isinstance(offer, Menu) or not (offer.form or offer.disabled)

    # ------------------------------------------------------------- typed

    def _seldom(self, command: str) -> float:
        """The less an action was done, the likelier it is chosen."""
        return 1 / (1 + self.done[command]) ** 2

    def _any_kind(self) -> type[Action]:
        weights = [self._seldom(command) for command in self.commands]
        return ACTIONS[self.dice.choices(self.commands, weights)[0]]

    def _filled(self, looking: Looking) -> Action | None:
        """An action that may be typed, with what may stand in its fields."""
        action = self._any_kind()()
        for part in parts(action.command):
            kind = part.kind
            if not isinstance(kind, TableKind) or isinstance(kind, Elsewhere) or not kind.help:
                continue
            if not kind.needed and self.dice.random() > SAID:
                continue
            values = self.values_of(looking, action, part)
            if values:
                action = replace(action, **{part.name: typed_value(part, self.dice.choice(values))})
            elif kind.needed:
                return None
        return action

    def values_of(self, looking: Looking, action: Action, part: Part) -> list[Raw]:
        kind = part.kind
        assert isinstance(kind, TableKind)
        if isinstance(kind, Switch):
            return [not part.default]
        if isinstance(kind, Number) or kind.wire in (int, float):
            if isinstance(kind, Grade):
                return list(kind.choices)
            low = int(kind.least or 0)
            high = LARGEST if kind.most is None else int(min(kind.most, low + LARGEST))
            return [self.dice.randint(low, high)]
        offers = [offer.value for offer in looking.offers(action, part.name)]
        return list(offers) or (["words"] if not kind.suggests else [])


# ------------------------------------------------------------------------------------ the long form


async def played(file: Path, system: str, number: int, steps: int, pressed_every: int = 1) -> Wanderer:
    """A game of so many steps on a migrated database."""
    async with opened(file) as table:
        wanderer = Wanderer(table, system, number, pressed_every=pressed_every)
        await wanderer.begin()
        made = await wanderer.play(steps)
        assert made == sum(wanderer.done.values())
        return wanderer


@asynccontextmanager
async def sat_down_again(file: Path, wanderer: Wanderer) -> AsyncIterator[Table]:
    """The table of a game that was played, by another desk on that file or a copy of it."""
    async with opened(file) as table:
        table.ids, table.interactions = wanderer.table.ids, wanderer.table.interactions
        yield table


async def taken_back(file: Path, wanderer: Wanderer) -> None:
    """A game that was played is taken back to its start, byte for byte."""
    async with sat_down_again(file, wanderer) as table:
        wanderer.table = table
        await wanderer.undo_all()
        now = {name: [row for row in rows if HIDDEN_PLACE not in row] for name, rows in table.state().items()}
        assert now == wanderer.start, f"{wanderer.system} {wanderer.number}: not as it began"


def main(argv: Sequence[str] | None = None) -> int:
    """Play a game as long as asked and tell what was refused; 1 where something was."""
    asked = argparse.ArgumentParser(description="Random legal play")
    asked.add_argument("--game", choices=[one.key for one in ALL_GAMES], required=True)
    asked.add_argument("--steps", type=int, default=1000)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args(argv)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "table.db"
        asyncio.run(migrate(url_of(file)))
        wanderer = asyncio.run(played(file, given.game, given.seed, given.steps))
        asyncio.run(taken_back(file, wanderer))
    left = sorted(set(wanderer.commands) - set(wanderer.done))
    told = [
        f"{sum(wanderer.done.values())} steps of {len(wanderer.done)} kinds, all taken back.",
        f"Never done: {', '.join(left) or 'none'}.",
        *wanderer.wrong,
    ]
    sys.stdout.write("\n".join(told) + "\n")
    return 1 if wanderer.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
