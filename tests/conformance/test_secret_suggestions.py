"""No suggestion knows what its reply would not tell: asked in two games that differ only in a secret.

Every list that any command suggests is asked for by the rival, somebody who watches and a stranger, with
nothing chosen and with whatever could be chosen; the two games must suggest the same, in the same order.
Whose secret it is asks before them: all who type share what was read of the table.
"""

from __future__ import annotations

import shutil
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.games.counterblast.missions.mission_choices import ChooseSecretly
from bot.games.fracd_earth import hide_tokens as fracd_veils
from bot.games.fracd_earth.detect_actions import Hide
from bot.games.infinity import concealment
from bot.store.rows import SecretRow
from bot.table.encounter import Encounter
from bot.table.game import game_of as of_encounter
from bot.table.rosters.crews import AppointLeader, CreateCrew, RecruitMember
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from bot.table.session.possible_actions import WhatNow, WhyNot, add_action_buttons
from tests.bot.arranging import arrange
from tests.bot.tables import Table, opened
from tests.bot.typist import Typist
from tests.conformance.test_suggestions import SUGGESTING
from tests.games import game_of_word, one_of_each

OTHERS = ("anna", "cy", "dan")
"""Bo's rival who organises the game, somebody who watches, a stranger."""

World = Callable[[Table], Awaitable[list[str]]]
"""Sets a table up; gives what may be chosen in any option, first what the secret is about."""

KNOWN_TO_ALL = 1
"""Who only watches and a stranger are asked with nothing chosen and with what the secret is about; the rival,
who has a side and models of his own, with everything that could be chosen."""


def unlike(first: Mapping[Any, Any], second: Mapping[Any, Any]) -> dict[Any, tuple[Any, Any]]:
    """What was asked in both games and answered in two ways."""
    return {
        key: (first[key], second[key]) for key in first.keys() & second.keys() if first[key] != second[key]
    }


async def seated(table: Table, system: str, side: str) -> None:
    await table.done("anna", StartDemo(system))
    await table.done("bo", JoinEncounter(side))
    await table.done("cy", JoinEncounter(watch=True))


def crew_of(*members: str) -> World:
    async def make(table: Table) -> list[str]:
        crew = (await table.done("bo", CreateCrew("Night Watch", "infinity"))).scope
        for name in members:
            await table.done("bo", RecruitMember(crew, "Angus", 1, name))
        await table.do("bo", AppointLeader(crew, members[0]))
        return ["Night Watch", *members]

    return make


def hidden_trooper(*, there: bool) -> World:
    async def make(table: Table) -> list[str]:
        await table.done("bo", StartDemo("infinity"))
        await table.done("anna", JoinEncounter("Nightfall"))
        await table.done("cy", JoinEncounter(watch=True))

        def without(encounter: Encounter) -> None:
            encounter.row.counters["arranged"] = 1
            for row in encounter.book.all(SecretRow):
                if row.kind == concealment.HIDDEN and not there:
                    encounter.book.remove(row)

        await arrange(table, "bo", without)
        return ["Wraith", "Wraith (hidden)", "Captain Reyes", "Tracker"]

    return make


def mission(name: str, **more: Any) -> World:
    async def make(table: Table) -> list[str]:
        await seated(table, "counterblast", "Edo")
        await table.done("bo", ChooseSecretly(name, **more))
        return ["Smap", "Trapper", "Edo", "Scouting", "Abduction", "Invasion"]

    return make


def real_token(place: int) -> World:
    async def make(table: Table) -> list[str]:
        await seated(table, "fracd_earth", "Prowlers")
        await table.done("anna", NextStep())
        await table.done("bo", Hide("Sable"))

        def swap(encounter: Encounter) -> None:
            laid = sorted(fracd_veils.tokens(encounter), key=lambda token: token.id)
            figure = next(token.figure for token in laid if token.figure is not None)
            fracd_veils.store_tokens(
                encounter,
                tuple(
                    replace(token, figure=figure if number == place else None)
                    for number, token in enumerate(laid)
                ),
            )

        await arrange(table, "bo", swap)
        return ["Sable", "Captain Vale", "Thug 2", "1", "2", "3"]

    return make


WORLDS: dict[str, tuple[str, World, World]] = {
    "who is in a crew": ("infinity", crew_of("Ash", "Birch"), crew_of("Cedar", "Dogwood", "Elm")),
    "a hidden trooper": ("infinity", hidden_trooper(there=True), hidden_trooper(there=False)),
    "a mission and whom it is about": (
        "counterblast",
        mission("Abduction", target="Smap"),
        mission("Invasion", place="the old mill"),
    ),
    "a token": ("fracd_earth", real_token(0), real_token(1)),
}


async def suggested(file: Path, system: str, world: World) -> dict[tuple[str, ...], list[str]]:
    found: dict[tuple[str, ...], list[str]] = {}
    async with opened(file) as table:
        names = await world(table)
        typist = Typist(table)
        for command, options in SUGGESTING:
            if game_of_word(command.qualified_name.split()[0]) not in ("", system):
                continue
            everything = [part.display_name for part in command.parameters]
            for option in options:
                others = [other for other in everything if other != option]
                for number, name in enumerate(("", *(names if others else ()))):
                    chosen = {other: name for other in others if name}
                    await typist.suggest("bo", command.qualified_name, option, "", **chosen)
                    for who in OTHERS if number <= KNOWN_TO_ALL else OTHERS[:1]:
                        key = (command.qualified_name, option, name, who)
                        found[key] = await typist.suggest(who, command.qualified_name, option, "", **chosen)
    return found


@pytest.mark.parametrize("secret", WORLDS)
async def test_suggestions_are_the_same_whatever_the_secret(
    file: Path, migrated: Path, tmp_path: Path, secret: str
) -> None:
    system, *worlds = WORLDS[secret]
    first = await suggested(file, system, worlds[0])
    second = await suggested(Path(shutil.copy(migrated, tmp_path / "other.db")), system, worlds[1])
    assert len(first.keys() & second.keys()) > 500
    assert unlike(first, second) == {}


async def pressed(file: Path, world: World) -> list[tuple[str, str, list[str], list[list[str]]]]:
    """What anybody but Bo reads of what may be done, on the panel and behind it; he asks before them."""
    found = []
    async with opened(file) as table:
        await world(table)
        encounter = await table.encounter()
        panel = add_action_buttons(encounter, of_encounter(encounter).panel(encounter))
        found.append(("", "", list(panel.lines), [[button.label for button in panel.buttons]]))
        for who in OTHERS:
            models = one_of_each(encounter.models() if who == OTHERS[0] else encounter.models(2))
            for name in ("", *(f"#{model.id}" for model in models)):
                await table.do("bo", WhatNow(name))
                for asked in (WhatNow(name), WhyNot(name)):
                    reply = (await table.do(who, asked)).reply
                    menus = [[choice.label for choice in menu.choices] for menu in reply.menus]
                    found.append((who, name, list(reply.lines), menus))
    return found


@pytest.mark.parametrize("secret", [name for name in WORLDS if name != "who is in a crew"])
async def test_what_may_be_pressed_is_the_same_whatever_the_secret(
    file: Path, migrated: Path, tmp_path: Path, secret: str
) -> None:
    _, *worlds = WORLDS[secret]
    first = await pressed(file, worlds[0])
    second = await pressed(Path(shutil.copy(migrated, tmp_path / "other.db")), worlds[1])
    assert len(first) > 10
    assert first == second


async def test_whose_secret_it_is_is_suggested_it(table: Table) -> None:
    typist = Typist(table)
    await crew_of("Ash", "Birch")(table)
    assert await typist.suggest("bo", "crew dismiss", "member", "", crew="Night Watch") == ["Ash", "Birch"]
    assert await typist.suggest("anna", "crew dismiss", "member", "", crew="Night Watch") == []
