"""Calls that are nearly right: what the table itself offers, with a value or two that nobody means.

Values that are all wrong are refused at the door; these go as far as there is anything to break.
"""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

from bot.actions import ACTIONS, Action, parts
from bot.games.infinity.profile_actions import ExportProfiles, SaveProfile
from bot.table.act import Actor
from bot.table.asking.server_kinds import Attached
from bot.table.bringing.list_export import ExportCrew
from bot.table.offers.legal_actions import Looking
from bot.table.request import Answer, Request
from bot.table.rosters.crews import ImportCrew
from bot.table.rosters.statblocks import ExportBlocks, SaveBlock
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from rules.refusals import Forbidden, InvalidInput
from tests.bot.counterblast.building.test_own_blocks import GRAK
from tests.bot.infinity.test_library import ISSUE
from tests.bot.test_handing_in import CREW
from tests.conformance.legal_play import PRESSED, Wanderer

NUMBERS = (0, 1, -1, 2, 3, 7, 99, 1000, 2**31, 2**53, 2**63 - 1, -(2**63), 10**12)
WORDS = (
    "",
    " ",
    "Smap",
    "smap",
    "Trapper",
    "Edo",
    "Lancers",
    "nobody",
    "all",
    "1d6",
    "999999d999999",
    "((((((((((1",
    "@everyone",
    "<@1>",
    "```",
    "\ud800",
    "\x00",
    "\u202egnp",
    "; DROP TABLE journal; --",
    "%s%n{0}{x}",
    "../../etc/passwd",
    "é" * 50,
    "x" * 4000,
    "-1",
    "1e309",
    "nan",
    "2,3,4",
    "a>b,c>d",
    "{}",
    '{"a":[[[[[[[1]]]]]]]}',
)
UNTOUCHED = 0.5
"""Of these calls, how many are just what the table offers."""

MEANT = 0.8
"""How many are asked by whom, where and when they are meant, and are of this game."""

FILED = 0.1
"""How many hand in a file."""

TAKE_FILES = ("crew.import", "block.import", "inf.profile.import")

MAX_FILES = 20
MAX_ANSWERS = 12


def value_of(wire: Any, dice: random.Random) -> Any:
    """Any value of the type in which a field is written down."""
    if wire is int:
        return dice.choice(NUMBERS)
    if wire is bool:
        return dice.random() < 0.5
    if wire is float:
        return dice.choice((0.0, -1.0, 0.5, 6.0, 1e308, 12.34567))
    if wire == tuple[int, ...]:
        return tuple(dice.choices(NUMBERS, k=dice.randint(0, 4)))
    if wire == tuple[str, ...]:
        return tuple(dice.choices(WORDS, k=dice.randint(0, 4)))
    return dice.choice(WORDS)


def altered(text: str, dice: random.Random) -> str:
    """A written file with something in it that nobody wrote."""
    try:
        whole = [json.loads(text)]
    except ValueError:
        place = dice.randrange(len(text) + 1)
        return text[:place] + dice.choice(WORDS) + text[place + dice.randint(0, 20) :]
    at, key = whole, 0
    while isinstance(at[key], dict | list) and at[key] and dice.random() < 0.85:
        at = at[key]
        key = dice.choice(sorted(at)) if isinstance(at, dict) else dice.randrange(len(at))
    if dice.random() < 0.2 and at is not whole:
        del at[key]
    else:
        at[key] = dice.choice((*NUMBERS, *WORDS, None, True, 0.5, [], {}, [[]], {"name": 1}, [at[key]] * 2))
    return json.dumps(whole[0])


class Spiteful(Wanderer):
    """One who knows the game and means no good."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.own_commands = self.commands
        self.all_commands = sorted(
            command for command, kind in ACTIONS.items() if kind.typed and kind.__module__.startswith("bot.")
        )
        self.files: list[str] = []
        self.last: list[Answer] = []

    async def sit_down(self) -> None:
        """A new game in a channel of its own, a person on each side."""
        anna, bo = self.people
        self.table.channel += 1
        self.done.clear()
        await self.table.done(anna, StartDemo(self.system))
        free = (await self.table.encounter()).sides()[1].name
        await self.table.done(bo, JoinEncounter(free))
        if self.dice.random() < MEANT:
            await self.table.done(anna, NextStep())
        crew = (await self.table.do(anna, ImportCrew(CREW))).scope
        for written in (SaveBlock(GRAK, system="counterblast"), SaveProfile(ISSUE, "One")):
            await self.table.do(anna, written)
        for asked in (ExportCrew(crew), ExportCrew(crew, "json"), ExportBlocks(), ExportProfiles()):
            self._remember(self.table.actor(anna), asked, await self.table.do(anna, asked))

    async def call(self) -> Answer:
        name = self.dice.choice(self.people)
        action = await self._meant(name)
        if self.dice.random() > UNTOUCHED:
            action = self._spoilt(action)
        who = self.table.actor(name) if self.dice.random() < MEANT else self._somebody()
        scope, version = self._where()
        reason = self.dice.choice(("", "", "agreed"))
        answer = await self.table.desk.perform(
            Request(action, who, next(self.table.interactions), scope, version, reason)
        )
        self.done[action.command] += 1
        self._remember(who, action, answer)
        return answer

    def _somebody(self) -> Actor:
        user, guild = self.dice.choice((100, 101, 102)), self.dice.choice((900, 901))
        channel = self.dice.choice((self.table.channel, self.table.channel - 1, 7))
        return Actor(user, "x", guild, channel, manages=self.dice.random() < 0.3)

    def _where(self) -> tuple[int, int]:
        """A scope and a version, as a button carries them; mostly none, as a slash command has it."""
        if not self.last or self.dice.random() < MEANT:
            return 0, -1
        one = self.dice.choice(self.last)
        return one.scope, self.dice.choice((one.version, -1))

    def _remember(self, who: Actor, action: Action, answer: Answer) -> None:
        name = "anna" if who.user_id == 100 else "bo"
        self.told = [*self.told, (name, action, answer.reply)][-MAX_ANSWERS:]
        if answer.scope:
            self.last = [*self.last, answer][-MAX_ANSWERS:]
        for one in answer.reply.files:
            if one.name.endswith((".json", ".txt")):
                self.files = [*self.files, one.data.decode()][-MAX_FILES:]

    async def _meant(self, name: str) -> Action:
        """An action as somebody would ask it who plays."""
        self.commands = self.own_commands if self.dice.random() < MEANT else self.all_commands
        scope = await self.table.desk.store.running_encounter(self.table.channel)
        loaded = await self.table.desk.store.load(scope) if scope else None
        if loaded is None:
            return StartDemo(self.system)
        if self.files and self.dice.random() < FILED:
            return self._handed_in()
        _, _, panel = await self._stands()
        offered = self._offered(name, panel) if self.dice.random() < PRESSED else None
        looking = Looking(loaded.book(), self.table.actor(name))
        if offered or self.commands is self.all_commands:
            return offered or self._any_kind()()
        try:
            return self._filled(looking) or self._any_kind()()
        except (InvalidInput, Forbidden):
            return self._any_kind()()

    def _may_be_pressed(self, offer: Any) -> bool:
        return True

    def _handed_in(self) -> Action:
        """A written file, altered or not, by one of the commands that take one."""
        kind = ACTIONS[self.dice.choice(TAKE_FILES)]
        (filed,) = [one.name for one in parts(kind.command) if isinstance(one.kind, Attached)]
        written = self.dice.choice(self.files)
        for _ in range(self.dice.randint(0, 2)):
            written = altered(written, self.dice)
        return kind(**{filed: written, **({"name": str(self.dice.random())} if kind is ImportCrew else {})})

    def _spoilt(self, action: Action) -> Action:
        """The same with a value or two that nobody means."""
        names = {part.name: part.wire for part in parts(action.command)}
        chosen = self.dice.sample(sorted(names), min(len(names), self.dice.randint(1, 2)))
        return replace(action, **{name: value_of(names[name], self.dice) for name in chosen})
