"""Every command typed, by reflection: whatever is asked, when and with which number, words answer it."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Iterator
from typing import Any

import pytest
from discord import AppCommandOptionType

from bot.table.handlers import Place
from bot.table.journal.history import Undo
from bot.table.rosters.crews import CreateCrew
from bot.table.session.encounters import EndEncounter, NextStep, StartDemo, StartEncounter
from tests.bot.tables import Table
from tests.bot.typist import Command, Refused, Said, Typist, autocomplete_of, bounds, commands
from tests.games import SYSTEMS, place_of, words_of

STAGES = ("nothing", "fresh", "demo", "acting", "ended")
ENEMIES = ("target", "opponent", "enemy", "against")
NUMBERS = (AppCommandOptionType.integer, AppCommandOptionType.number)
SAMPLES = {"dice": "4d10 vs 7", "faces": "1 2", "squares": "A1", "spots": "a, b"}
USUAL = {"distance": 6, "value": 10}


PLAYED = "acting"
"""The stage in which there is most that a number or a switch can change."""


OF_A_CREW = (Place.CREW, Place.NEW_CREW, Place.LIBRARY, Place.NOWHERE)
"""What does not know which stage its game, if any, has reached: asked at one of them, in each game."""

OF_A_CAMPAIGN = (Place.CAMPAIGN, Place.NEW_CAMPAIGN)
"""What does not know which game is on: asked at one stage of one game."""


def at_the_table(system: str, stage: str, once: str = PLAYED) -> list[Command]:
    """The commands of a game and those that all games share, as far as they know this stage of this game.

    once: the stage at which whatever knows none is asked; it is asked where there is no game, too.
    """
    own = [one for one in commands() if one.qualified_name.split()[0] in words_of(system)]
    others = {root for key in SYSTEMS for root in words_of(key)}
    shared = [one for one in commands() if one.qualified_name.split()[0] not in others]
    if stage == "nothing":
        return own + (shared if system == SYSTEMS[0] else [])
    left_out = OF_A_CREW + OF_A_CAMPAIGN if stage != once else () if system == SYSTEMS[0] else OF_A_CAMPAIGN
    return own + [one for one in shared if place_of(one.qualified_name) not in left_out]


class Sweeper:
    """Types commands with what is suggested, and notes what may never be said."""

    def __init__(self, table: Table, caplog: pytest.LogCaptureFixture) -> None:
        self.typist = Typist(table)
        self.table = table
        self.caplog = caplog
        self.faults: list[str] = []
        self.acting = ""
        self.enemies: list[str] = []
        self.asked = 0

    async def stage(self, name: str, system: str) -> None:
        await self.table.done("anna", CreateCrew("The Fine", system))
        if name == "fresh":
            await self.table.done("anna", StartEncounter(system))
        elif name != "nothing":
            await self.table.done("anna", StartDemo(system))
        if name in ("acting", "ended"):
            await self.begin()
        await self.look_round()
        if name == "ended":
            await self.table.done("anna", EndEncounter())

    async def begin(self) -> None:
        """Begin, and go on by what is offered until a model acts."""
        answer = await self.table.done("anna", NextStep())
        names = [model.name for model in (await self.table.encounter()).models()]
        for _ in range(3):
            told = " ".join(answer.reply.lines[:2])
            self.acting = next((name for name in names if f"{name} acts" in told or f"{name}." in told), "")
            labels = [one.label for one in answer.reply.buttons if one.label not in ("Undo", "End turn")]
            if self.acting or not (labels or answer.reply.menus):
                return
            if answer.reply.menus:
                first = answer.reply.menus[0].choices[0].value
                answer = await self.table.choose("anna", answer, first)
            else:
                answer = await self.table.press("anna", answer, labels[0])
            assert answer.changed, answer.reply.text

    async def look_round(self) -> None:
        """Note who is an enemy of who acts, or of whoever comes first."""
        if not await self.table.desk.store.running_encounter(self.table.channel):
            return
        models = (await self.table.encounter()).models()
        mine = [model.side for model in models if self.acting in ("", model.name)][:1]
        self.enemies = [model.name for model in models if model.side not in mine]

    async def filled(self, command: Command, who: str = "anna") -> dict[str, Any]:
        """What the required options are given: what is suggested or offered first."""
        given: dict[str, Any] = {}
        for part in command.parameters:
            option = part.display_name
            if not part.required:
                continue
            if part.choices:
                given[option] = part.choices[0].value
            elif autocomplete_of(command, option):
                found = await self.typist.suggest(who, command.qualified_name, option, "", **given)
                taken = [one for one in found if one not in given.values()] or found
                given[option] = self._picked(taken, enemy=option in ENEMIES) if taken else "nobody"
            elif part.type in NUMBERS:
                least, most = bounds(part)
                given[option] = type(least)(min(most, max(least, USUAL.get(option, 1))))
            elif part.type is AppCommandOptionType.boolean:
                given[option] = True
            elif part.type is AppCommandOptionType.string:
                given[option] = SAMPLES.get(option, "1")
        return given

    def _picked(self, names: list[str], *, enemy: bool) -> str:
        """Who acts, where he is among them; an enemy where one is wanted."""
        if enemy:
            return next((name for name in names if name in self.enemies), names[0])
        return self.acting if self.acting in names else names[0]

    async def type(self, command: Command, /, undo: bool = True, **options: Any) -> list[Said]:
        """Type it, note what may not be, and take back what it did to the game, unless that is to stand."""
        before = await self.tip() if undo else 0
        typed = self.typist.slash("anna", command.qualified_name, **options)
        said = await self.checked(f"/{command.qualified_name} {options}", typed)
        if undo:
            await self.back_to(before)
        return said

    async def checked(self, shown: str, asking: Awaitable[list[Said]]) -> list[Said]:
        self.caplog.clear()
        self.asked += 1
        said: list[Said] = []
        try:
            said = await asking
        except Refused as refused:
            self.faults.append(f"{shown}: {refused}")
        else:
            errors = [str(one.exc_info[1]) for one in self.caplog.records if one.exc_info and one.exc_info[1]]
            if errors or not said or any("went wrong in the bot" in one.content for one in said):
                self.faults.append(f"{shown}: {errors or said}")
        for custom_id in [one for message in said for one in message.overrides]:
            let_pass = self.typist.press("anna", custom_id, reason="agreed")
            said = [*said, *await self.checked(f"{shown}, let pass", let_pass)]
        return said

    async def back_to(self, before: int) -> None:
        while await self.tip() > before:
            if not (await self.table.do("anna", Undo())).changed:
                break

    async def tip(self) -> int:
        """The entry whose outcome stands in the game."""
        scope = await self.table.desk.store.running_encounter(self.table.channel)
        return (await self.table.loaded()).scope.tip if scope else 0


def numbers(command: Command, given: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The options with every number at its bounds, one by one and all at once."""
    parts = [part for part in command.parameters if part.type in NUMBERS and not part.choices]
    for part in parts:
        for bound in bounds(part):
            yield {**given, part.display_name: bound}
    if len(parts) > 1:
        for end in (0, 1):
            yield {**given, **{part.display_name: bounds(part)[end] for part in parts}}


def switches(command: Command, given: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The options with each thing switched on, and with each choice."""
    for part in command.parameters:
        if part.type is AppCommandOptionType.boolean:
            yield {**given, part.display_name: True}
        for choice in part.choices:
            yield {**given, part.display_name: choice.value}


@pytest.mark.usefixtures("few_weighed", "odds_solved_once", "pictures_without_files")
@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("system", SYSTEMS)
async def test_every_command_is_answered_with_words(
    table: Table, caplog: pytest.LogCaptureFixture, system: str, stage: str
) -> None:
    caplog.set_level(logging.ERROR)
    sweeper = Sweeper(table, caplog)
    await sweeper.stage(stage, system)
    for command in at_the_table(system, stage):
        if any(part.type.name in ("attachment", "user") and part.required for part in command.parameters):
            continue
        given = await sweeper.filled(command)
        await sweeper.type(command, **given)
        for options in (*numbers(command, given), *switches(command, given)) if stage == PLAYED else ():
            await sweeper.type(command, **options)
    assert not sweeper.faults
    assert sweeper.asked > (100 if stage == PLAYED else 1)
