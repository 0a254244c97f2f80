"""No line of `/do` and no chance beside one knows a secret: typed in two games that differ in it alone."""

from __future__ import annotations

import shutil
from pathlib import Path
from string import ascii_lowercase

import pytest

from bot.actions import ACTIONS
from bot.commands.do_command import suggested_lines
from bot.games.infinity.turn_actions import PlayFirst
from bot.table.game import game_of
from bot.table.odds_budget import stop_clock
from bot.table.offers.forms import title_of
from bot.table.offers.legal_actions import Looking
from bot.table.session.encounters import NextStep
from bot.table.session.possible_actions import WhatNow, find_acting
from tests.bot.tables import Table, opened
from tests.conformance.test_secret_odds import SECRETS
from tests.conformance.test_secret_suggestions import OTHERS, World


def gone_on(world: World) -> World:
    """The same in the first turn of whoever must not know the secret, where nothing is weighed before one."""

    async def make(table: Table) -> list[str]:
        names = await world(table)
        if (await table.encounter()).row.system == "infinity":
            await table.done("bo", NextStep())
            await table.done("bo", PlayFirst(1, first=False))
            await table.done("anna", NextStep())
        return names

    return make


async def lines_told(file: Path, world: World) -> dict[tuple[str, str], dict[str, str]]:
    """The lines of `/do` with their chances, as anybody but Bo types; he types the same before them."""
    found = {}
    async with opened(file) as table:
        names = await world(table)
        encounter = await table.encounter()
        book, now = encounter.book, WhatNow()
        heads = [title_of(ACTIONS[one]).lower() for one in game_of(encounter).likely]
        halves = sorted({name[:length].lower() for name in names for length in (2, 3)})
        whole = [*names, *(f"{head} " for head in heads), *(f"{head} {names[0]} " for head in heads)]
        for typed in ("", *ascii_lowercase, *halves, *heads, *whole):
            for who in ("bo", *OTHERS):
                looking = Looking(book, table.actor(who))
                with stop_clock():
                    found[who, typed] = suggested_lines(
                        looking, encounter, typed, find_acting(looking.act(now))
                    )
    return {(who, typed): lines for (who, typed), lines in found.items() if who != "bo"}


@pytest.mark.parametrize("secret", SECRETS)
async def test_lines_are_the_same_whatever_the_secret(
    file: Path, migrated: Path, tmp_path: Path, secret: str
) -> None:
    _, *worlds = SECRETS[secret]
    first = await lines_told(file, gone_on(worlds[0]))
    second = await lines_told(Path(shutil.copy(migrated, tmp_path / "other.db")), gone_on(worlds[1]))
    assert any(any(lines.values()) for lines in first.values()), "no chances are told"
    assert {asked: list(lines.items()) for asked, lines in first.items()} == {
        asked: list(lines.items()) for asked, lines in second.items()
    }
