"""Every suggestion of every command, by reflection: wherever it is asked for, it answers and never raises."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from bot.app import ALL_GAMES
from bot.table.rosters.crews import CreateCrew
from bot.table.session.encounters import JoinEncounter, StartDemo, StartEncounter
from tests.bot.tables import Table
from tests.bot.typist import Command, Typist, autocomplete_of, commands
from tests.conformance.test_answers import OF_A_CAMPAIGN, OF_A_CREW
from tests.games import game_at_the_table, game_of_word, place_of

SYSTEMS = [game.key for game in ALL_GAMES]
ODD = (
    "",
    "a",
    "\ud800 lone",
    "zero\u200bwidth \u202eturned",
    "@everyone **bold** `code`",
    ", ,a",
    "a>b,",
    "x" * 6000,
    "\x00\n",
    "-1",
)
HALF = ("", "a", ", ,a", "a>b,")
"""What is read part by part. The rest of what is odd meets the same lists in a game that has models."""

CARRIED = ("weapon", "defence", "item", "power")
"""Options whose suggestions are what a model that was named in another option has."""


def with_suggestions() -> list[tuple[Command, list[str]]]:
    found = [
        (command, [part.display_name for part in command.parameters if autocomplete_of(command, part.name)])
        for command in commands()
    ]
    return [(command, options) for command, options in found if options]


SUGGESTING = with_suggestions()


@pytest.fixture
async def typist(table: Table) -> Typist:
    await table.done("anna", CreateCrew("The Fine"))
    return Typist(table)


def asked_of(system: str) -> list[tuple[Command, list[str]]]:
    """What is asked while a game runs: of itself, of what all games share, of one that does not run.

    What knows no game, as campaigns do, is asked in the first alone; where none runs, everything is.
    """
    if not system:
        return SUGGESTING
    idle = SYSTEMS[SYSTEMS.index(system) - 1]
    return [
        (command, options)
        for command, options in SUGGESTING
        if game_of_word(command.qualified_name.split()[0]) in ("", system, idle)
        and (system == SYSTEMS[0] or place_of(command.qualified_name) not in OF_A_CREW + OF_A_CAMPAIGN)
    ]


async def ask_everything(typist: Typist, system: str = "", texts: Sequence[str] = ODD) -> None:
    """Ask for every suggestion: with nothing chosen, with what is suggested, and with odd text.

    texts: each where nothing is chosen, of commands of the game that runs; else an odd one.
    """
    chance = random.Random(1)
    faults: dict[str, str] = {}

    async def ask(name: str, option: str, typed: str, /, **chosen: Any) -> list[str]:
        try:
            return await typist.suggest("anna", name, option, typed, **chosen)
        except Exception as fault:
            faults.setdefault(f"{name} {option}", f"{typed[:20]!r}: {fault!r}")
            return []

    for command, options in asked_of(system):
        name = command.qualified_name
        offered: dict[str, Any] = {}
        for option in options:
            found = await ask(name, option, "")
            if found:
                offered[option] = found[0]
        odd = dict.fromkeys(options, chance.choice(ODD))
        here = game_at_the_table(name) in ("", system)
        for chosen in ({}, offered, odd) if offered else ({}, odd):
            for option in options:
                for typed in texts if here and not chosen else (chance.choice(ODD),):
                    await ask(name, option, typed, **chosen)
    assert not faults


async def test_there_are_suggestions_to_ask_for() -> None:
    assert len(SUGGESTING) > 200


async def test_no_suggestion_fails_in_a_channel_without_a_game(typist: Typist) -> None:
    await ask_everything(typist)


@pytest.mark.parametrize("system", SYSTEMS)
async def test_no_suggestion_fails_in_a_game_of_any_system(typist: Typist, system: str) -> None:
    await typist.table.done("anna", StartDemo(system))
    await ask_everything(typist, system)


@pytest.mark.parametrize("system", SYSTEMS)
async def test_no_suggestion_fails_in_a_game_that_has_only_just_begun(typist: Typist, system: str) -> None:
    await typist.table.done("anna", StartEncounter(system))
    await ask_everything(typist, system, HALF)
    await typist.table.done("bo", JoinEncounter(watch=True))
    await ask_everything(typist, system, ("",))


@pytest.mark.parametrize("system", SYSTEMS)
async def test_what_a_model_carries_is_suggested_for_it(typist: Typist, system: str) -> None:
    """Whatever the option is called that names the model: what somebody on the table has is offered."""
    await typist.table.done("anna", StartDemo(system))
    encounter = await typist.table.encounter()
    names = [model.name for model in encounter.models()]
    silent = []
    for command, options in SUGGESTING:
        if game_at_the_table(command.qualified_name) != system:
            continue
        for option in set(options) & set(CARRIED):
            people = [other for other in options if other not in CARRIED]
            said = [
                await typist.suggest(
                    "anna", command.qualified_name, option, "", **dict.fromkeys(people, name)
                )
                for name in names
            ]
            if not any(said):
                silent.append(f"{command.qualified_name} {option}")
    assert not silent
