"""Dice are bound to a model and a purpose: neither order, correction nor a new name buys others."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations
from typing import Any

import pytest

from bot.actions import Action
from bot.games.counterblast.melee.melees import Melee
from bot.games.counterblast.shooting.team_shots import TeamShot
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.templates.template_attacks import Template
from bot.table.game import UNDONE_DICE
from bot.table.journal.history import Undo
from bot.table.realdice import EnterFaces
from bot.table.rolling.dice_settings import DiceMode
from bot.table.session.models import RenameModel
from bot.table.session.settings import Settings
from tests.bot.counterblast.ring import ANNA, Ring, active, block
from tests.bot.tables import waits

GUARDLING = "Edo Guardling"
THREE = ("Trapper", "Prime", GUARDLING)
LANDED = Template("Skip", "Grenade", distance=6, landed=True)

SAID = {
    "wholly": [replace(LANDED, under=", ".join(order)) for order in permutations(THREE)],
    "partly": [
        replace(LANDED, under="Prime", partly=", ".join(order))
        for order in permutations(("Trapper", GUARDLING))
    ],
    "team": [TeamShot("Skip, Smap", "Prime", "9 6", "0 2"), TeamShot("Smap, Skip", "Prime", "6 9", "2 0")],
    "targets": [
        Shoot("Skip", "Trapper", 6, dice=2, also="Prime 2 at 8 cover 1"),
        Shoot("Skip", "Prime", 8, 1, dice=2, also="Trapper 2 at 6"),
    ],
}
"""Rolls of several models, each said in every order."""


async def rolled(ring: Ring, action: Action) -> tuple[Counter[Any], str, str]:
    """Every face with what it is bound to, what makes the dice their own, and whose they were."""
    answer = await ring.table.done(ANNA, action)
    assert not waits(answer), answer.reply.text
    entry = await ring.table.desk.store.entry(answer.scope, answer.version)
    assert entry is not None
    return Counter(entry.faces_bound()), entry.action_key, entry.dice


@pytest.fixture
async def bots(ring: Ring) -> Ring:
    await ring.arrange(active("Skip", "Smap"))
    for who in ("anna", "bo"):
        await ring.table.done(who, DiceMode("bot"))
    return ring


async def set_strict(ring: Ring) -> None:
    await ring.table.done(ANNA, Settings(UNDONE_DICE.key, UNDONE_DICE.values[1]))


@pytest.mark.parametrize("strictly", [False, True], ids=["usual", "strict"])
@pytest.mark.parametrize("name", SAID)
async def test_each_model_gets_the_same_faces_in_every_order(name: str, strictly: bool, bots: Ring) -> None:
    if strictly:
        await set_strict(bots)
    found = []
    for action in SAID[name]:
        faces, key, _ = await rolled(bots, action)
        found.append((faces, key))
        await bots.agreed(ANNA, Undo())
    assert sum(found[0][0].values()) > 1
    assert found == [found[0]] * len(found)


@pytest.mark.parametrize("strictly", [False, True], ids=["usual", "strict"])
async def test_who_lies_under_it_after_all_keeps_its_own_faces(strictly: bool, bots: Ring) -> None:
    """Somebody is left out, somebody is added: nobody gets the faces of another, and none is lost."""
    if strictly:
        await set_strict(bots)
    all_three, _, _ = await rolled(bots, replace(LANDED, under=", ".join(THREE)))
    for under in ("Prime", f"{GUARDLING}, Prime", "Trapper", ", ".join(THREE)):
        await bots.agreed(ANNA, Undo())
        faces, _, dice = await rolled(bots, replace(LANDED, under=under))
        assert faces <= all_three
        assert dice == "repeat"


@pytest.mark.parametrize("strictly", [False, True], ids=["usual", "strict"])
@pytest.mark.parametrize("first", [*combinations(THREE, 1), *combinations(THREE, 2)])
async def test_who_comes_to_lie_under_it_takes_no_face_of_another(
    first: tuple[str, ...], strictly: bool, bots: Ring
) -> None:
    """The lowest number is thrown for first: it gets new dice, not those that fell for somebody else."""
    if strictly:
        await set_strict(bots)
    known: dict[str, list[int]] = {}
    for under in (", ".join(first), ", ".join(THREE), ", ".join(first), *THREE):
        faces, _, _ = await rolled(bots, replace(LANDED, under=under))
        of_now: dict[str, list[int]] = {}
        for (_, face, purpose), count in faces.items():
            of_now.setdefault(purpose, []).extend([face] * count)
        for purpose, shown in of_now.items():
            assert sorted(known.setdefault(purpose, shown)) == sorted(shown)
        await bots.agreed(ANNA, Undo())
    assert len(known) >= len(THREE)


async def test_a_new_name_buys_no_dice(bots: Ring) -> None:
    first = await rolled(bots, SAID["targets"][0])
    await bots.agreed(ANNA, Undo())
    await bots.agreed(ANNA, RenameModel("Skip", "Wanda"))
    again = await rolled(bots, replace(SAID["targets"][0], shooter="Wanda"))
    assert again[:2] == first[:2]


async def test_blows_in_another_order_are_the_same_melee(bots: Ring) -> None:
    keys = set()
    for text in ("Skip>Trapper 2, Smap>Prime 2", "Smap>Prime 2, Skip>Trapper 2"):
        asked = await bots.table.do(ANNA, Melee(text=text, odds=True))
        keys.add(tuple(button.action for button in asked.reply.buttons if isinstance(button.action, Melee)))
    assert len(keys) == 1


# ------------------------------------------------------------------------------------ dice of the table


async def test_real_dice_stay_where_a_distance_is_corrected(ring: Ring) -> None:
    await ring.arrange(active("Sally"))
    shot = Shoot("Sally", "Trapper", 5)
    lines = await ring.ask(ANNA, shot, 9, 2)
    await ring.agreed(ANNA, Undo())
    again = await ring.ask(ANNA, replace(shot, distance=4))
    assert "real dice" in " ".join(again)
    assert [line for line in again if line.startswith("shield")] == [
        line for line in lines if line.startswith("shield")
    ]


async def test_only_the_faces_of_who_was_left_out_are_typed(ring: Ring) -> None:
    """Of three models two were named, and one more is named after an undo: only its dice are asked for."""
    await ring.arrange(active("Skip", "Smap"))
    answer = await ring.table.do(ANNA, replace(LANDED, under="Trapper, Prime"))
    while waits(answer):
        answer = await ring.table.do("anna", EnterFaces((2,) * int(answer.reply.lines[0].split()[2])))
    await ring.agreed(ANNA, Undo())
    answer = await ring.table.do(ANNA, replace(LANDED, under=", ".join(THREE)))
    asked = []
    while waits(answer):
        asked.append(answer.reply.lines[0])
        answer = await ring.table.do("anna", EnterFaces((2,) * int(answer.reply.lines[0].split()[2])))
    assert asked
    assert all(GUARDLING in line for line in asked)


SPRAY = Template("Skip", "Flamethrower", under="Trapper, Prime")
THROWN = Template("Skip", "Grenade", distance=6, under="Trapper, Prime")


@pytest.mark.parametrize("strictly", [False, True], ids=["usual", "strict"])
@pytest.mark.parametrize("once", [SPRAY, THROWN], ids=["spray", "thrown"])
async def test_a_template_in_one_step_and_in_two_is_one_decision(
    once: Template, strictly: bool, bots: Ring
) -> None:
    """Who is under it is named at once, or asked for: the damage dice are the same, whichever came first."""
    await bots.arrange(block("Skip", "skip_westmoreland", "flamethrower", "grenade"))
    if strictly:
        await set_strict(bots)
    whole, _, _ = await rolled(bots, once)
    for _ in range(2):
        await bots.agreed(ANNA, Undo())
        answer = await bots.table.done(ANNA, replace(once, under=""))
        store = bots.table.desk.store
        fired = await store.entry(answer.scope, answer.version)
        assert fired is not None
        under, _, _ = await rolled(bots, replace(once, landed=True))
        assert Counter(fired.faces_bound()) + under == whole
        await bots.agreed(ANNA, Undo())
        assert (await rolled(bots, once))[0] == whole
    assert sum(under.values()) >= 2
