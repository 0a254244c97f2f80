"""What is typed is read at the door, each thing in one form, and what cannot be read is refused in words."""

from __future__ import annotations

import json

import pytest

from bot.actions import Action, from_json, to_json
from bot.games.warzone.activation import Activate
from bot.games.warzone.chart_actions import InDire
from bot.games.warzone.close_combat_actions import Charge, Fight, SetContact
from bot.games.warzone.morale_actions import Morale
from bot.games.warzone.move_actions import Move
from bot.games.warzone.rally_actions import Rally
from bot.games.warzone.reactions import React
from bot.games.warzone.roster_actions import AddModels
from bot.games.warzone.shots import Shoot
from bot.games.warzone.unit_actions import CheckCommandDistance
from bot.table.session.models import RemoveModel
from tests.bot.warzone.skirmish import RIFLE, SWORD, Skirmish


async def written(game: Skirmish, action: Action, *faces: int) -> dict[str, object]:
    await game.do(action, *faces)
    assert game.last is not None
    entry = await game.table.desk.store.entry(game.last.scope, game.last.version)
    assert entry is not None
    return dict(json.loads(entry.input))


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (Shoot("Rex", "Bex", "sr"), {"distance": "SR"}),
        (Shoot("Rex", "Bex", "7,5 in"), {"distance": "7.5"}),
        (Shoot("Rex", "Bex", "8", "hard+obscured"), {"distance": "8", "cover": "obscured+hard"}),
        (Shoot("Rex", "Bex", "8", "none", "rifle"), {"distance": "8"}),
    ],
)
@pytest.mark.usefixtures("acting")
async def test_a_shot(game: Skirmish, said: Shoot, kept: dict[str, object]) -> None:
    kept = {"firer": "#1", "target": "#2", "weapon": "#1", **kept}
    assert await written(game, said, 20) == kept


@pytest.mark.usefixtures("acting")
async def test_ground_and_who_is_named_twice(game: Skirmish) -> None:
    assert await written(game, Move("Rex", terrain="rough, normal")) == {
        "model": "#1",
        "terrain": "normal+rough",
    }
    assert await written(game, InDire("Rex; Bex, Rex", 2)) == {"models": "#1, #2", "level": 2}


@pytest.mark.usefixtures("acting")
async def test_bare_hands_are_not_written_and_a_blade_is(game: Skirmish) -> None:
    await game.add("Red", "Unarmed", RIFLE)
    for name, kept in (("Unarmed", {}), ("Rex", {"weapon": "#2"})):
        await game.do(SetContact(name, "Bex"))
        told = await written(game, Fight(name, "Bex"), 20)
        assert told.pop("attacker") == f"#{await game.number(name)}"
        assert told == {"target": "#2", **kept}


async def test_whoever_is_meant_where_nobody_is_named_is_written(game: Skirmish) -> None:
    await game.add("Red", "Boss", "leader", RIFLE, SWORD, squad="Pair")
    await game.add("Red", "Sam", squad="Pair")
    sam, boss = await game.number("Sam"), await game.number("Boss")
    assert await written(game, CheckCommandDistance("Sam", 30)) == {
        "model": f"#{sam}",
        "distance": 30,
        "of": f"#{boss}",
    }
    await game.do(CheckCommandDistance("Sam", 3))
    game.plays_on = True
    await game.under("Sam", "panicked")
    squad = f"#{(await game.squad('Boss')).id}"
    assert await written(game, Rally("Boss"), 1) == {"leader": f"#{boss}", "squad": squad}


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (Shoot("Rex"), "Enter the target."),
        (Shoot("Rex", "Bex"), "Enter the distance"),
        (Shoot("Rex", "Bex", "far"), "Enter the distance in inches, or a range band: PB, SR, MR, LR or ER."),
        (
            Shoot("Rex", "Bex", "8", "fog"),
            "Enter one of these for cover: none, obscured, soft, hard, impenetrable",
        ),
        (Shoot("Rex", "Bex", "8", weapon="Bow"), "There is no weapon called Bow."),
        (Charge("Rex", "Bex", terrain="lava"), "Enter one of these for terrain: normal"),
        (Move("Rex", gait="hop"), "How: move, crawl, climb."),
        (Activate("Nobody"), "no squad called Nobody."),
        (Morale(), "Which squad or model takes the test?"),
        (AddModels("Rock", count=21), "Count must be between 1 and 20 (you entered 21)."),
    ],
)
async def test_what_cannot_be_read_is_refused_in_a_sentence(
    game: Skirmish, said: Action, sentence: str
) -> None:
    await game.begin()
    assert sentence in await game.refused(said)


async def test_only_to_a_template_does_one_react_whose_firer_has_left(game: Skirmish) -> None:
    await game.add("Blue", "Bax")
    await game.begin()
    await game.do(RemoveModel("Bex"), who="bo")
    assert "a model that is waiting" in await game.refused(React("Rex", "fire", "Bax"))
    await game.under("Rex", "waiting", value=1)
    assert "Bex is out of play." in await game.refused(React("Rex", "fire", "Bex"))
    await game.do(React("Rex", "dive", "Bex"), 5)


def test_what_older_versions_wrote_is_read_and_written_alike() -> None:
    """Cover in another order, a weapon by its number, everybody under a template by numbers."""
    for command, text in (
        ("wz.shoot", '{"cover":"hard+obscured","distance":"SR","firer":"#1","target":"#2","weapon":"#1"}'),
        ("wz.template", '{"distance":"8","firer":"#1","numbers":[2,3],"target":"#2"}'),
        ("wz.explode", '{"hard":[3],"near":[2,3],"vehicle":7}'),
    ):
        assert to_json(from_json(command, text)) == text
