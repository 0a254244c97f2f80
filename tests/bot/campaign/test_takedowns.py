"""Who took down whom: stored with the wound, in every game and by hand."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.table.campaign.records import takedowns
from bot.table.encounter import Encounter
from bot.table.game import GAMES
from bot.table.journal.history import Undo
from bot.table.session.encounters import NextStep, StartDemo
from bot.table.session.models import DamageModel, HealModel, RemoveModel, ReturnModel
from tests.bot.tables import Table, opened
from tests.played import Played

ANNA = "anna"

KILLS: dict[str, set[tuple[str, str]]] = {
    "first_game": {("Sally Starfield", "Edo Guardling 2"), ("GDF Ranger", "Edo Guardling")},
    "infinity_turn": {("Prowler", "Sentry"), ("Wraith", "Commander Voss"), ("Hammer", "Brute")},
    "soluna_fight": {("Ilka", "Oska")},
    "warzone_battle": {
        ("Sgt Rook", "Ash"),
        ("Adams", "Bile"),
        ("Brandt", "Crow"),
        ("Crawler", "Dreg"),
        ("Cole", "Old Skarn"),
    },
}
"""What the transcripts of the example games say, by game: victor and victim."""


def credited(encounter: Encounter) -> set[tuple[str, str]]:
    return {(down.victor, down.victim) for down in takedowns(encounter)}


@pytest.mark.parametrize("name", KILLS)
async def test_each_example_game_credits_its_takedowns(tmp_path: Path, played: Played, name: str) -> None:
    """An attack that waited for flips, an ARO or an answer is credited to the attacker, too."""
    file = played.database(name, tmp_path / "game.db")
    with closing(sqlite3.connect(file)) as connection:
        ((scope,),) = connection.execute("SELECT scope FROM encounters").fetchall()
    async with opened(file) as table:
        loaded = await table.desk.store.load(scope)
        assert loaded is not None
        assert credited(Encounter(loaded.book())) == KILLS[name]


@pytest.mark.parametrize("system", GAMES)
async def test_wounds_and_removals_by_hand_are_credited(table: Table, system: str) -> None:
    """To a model or a side; healing, bringing back and undoing take the credit away."""
    await table.done(ANNA, StartDemo(system))
    await table.done(ANNA, NextStep())
    encounter = await table.encounter()
    mine, theirs = (encounter.models(side.id)[0] for side in encounter.sides())
    target, doer = f"#{theirs.id}", f"#{mine.id}"
    life = GAMES[system].life(theirs)
    down = {(mine.name, theirs.name)}
    await table.done(ANNA, DamageModel(target, life, doer))
    assert credited(await table.encounter()) == down
    await table.done(ANNA, Undo())
    assert credited(await table.encounter()) == set()
    for gone in GAMES[system].downed:
        await table.done(ANNA, RemoveModel(target, gone, doer))
        assert credited(await table.encounter()) == down
        await table.done(ANNA, ReturnModel(target))
        assert credited(await table.encounter()) == set()
    await table.done(ANNA, DamageModel(target, 1, doer))
    await table.done(ANNA, HealModel(target, 1))
    assert not (await table.encounter()).model(theirs.id).hurt_by
    await table.done(ANNA, DamageModel(target, 1, encounter.sides()[0].name))
    hurt = (await table.encounter()).model(theirs.id)
    assert (hurt.hurt_by, hurt.hurt_side) == (0, mine.side)
