"""Odds that are asked with an order token: the first button carries out what was asked."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import bot.games.counterblast as counterblast
from bot.games.counterblast.core.checks import Check, Panic, Rally
from bot.games.counterblast.gear.tasks import Treat, Work
from bot.games.counterblast.ground.flames import PutOut
from bot.games.counterblast.ground.hazards import Enter
from bot.games.counterblast.melee.attacks import Fight
from bot.games.counterblast.melee.charges import Charge
from bot.games.counterblast.melee.disengagement import Disengage
from bot.games.counterblast.movement.climbing import Climb, Leap
from bot.games.counterblast.movement.falls import HoldOn
from bot.games.counterblast.movement.hiding import BreakFree, Spot
from bot.games.counterblast.shooting.team_shots import TeamShot
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.templates.template_attacks import Template
from bot.table.encounter import Encounter
from tests.bot.counterblast.ring import ANNA, Ring, active, block, hurt, touching, under

ASKED: dict[str, Any] = {
    "shoot": Shoot("Sally", "Prime", 5),
    "fight": Fight("Sally", "Prime"),
    "charge": Charge("Sally", "Prime", 6),
    "disengage": Disengage("Wanda"),
    "team": TeamShot("Sally, Smap", "Prime", "6"),
    "spot": Spot("Sally", "Trapper"),
    "free": BreakFree("HOpR"),
    "check": Check("Sally", "AGL"),
    "rally": Rally("Skip"),
    "panic": Panic("Smap", 3),
    "template": Template("Sally", "Grenade", distance=5),
    "climb": Climb("Sally", 2),
    "leap": Leap("Sally", 5),
    "hold on": HoldOn("Sally", height=3),
    "enter": Enter("Sally", "slick"),
    "put out": PutOut("Sally", "Skip"),
    "treat": Treat("Sally", skill="medicine", patient="Dr. Helen"),
    "work": Work("Sally", task="Lock", needed=2, skill="engineering"),
}


def spent(encounter: Encounter) -> None:
    for side in encounter.sides():
        side.counters.clear()


async def arranged(ring: Ring) -> None:
    await ring.arrange(
        active("Sally", "Smap", "Skip"),
        block("Sally", "sally_starfield", "grenade"),
        under("hidden", "Trapper"),
        under("pinned", "HOpR"),
        under("panicked", "Skip"),
        under("burning", "Skip"),
        hurt("Dr. Helen", 1),
        touching(("Wanda", "Spawnguard")),
    )


@pytest.mark.rule("CB-ORDER-05")
@pytest.mark.parametrize("name", ASKED)
async def test_the_first_button_keeps_the_order_that_was_asked(ring: Ring, name: str) -> None:
    await arranged(ring)
    asked = replace(ASKED[name], odds=True, order=True)
    answer = await ring.table.do(ANNA, asked)
    first, second = answer.reply.buttons[:2]
    assert first.label.endswith("with an order token"), answer.reply.text
    assert (first.style, second.style) == ("main", "plain")
    assert (first.action.order, second.action.order) == (True, False)  # type: ignore[attr-defined]
    assert not first.action.odds  # type: ignore[attr-defined]
    plain = await ring.table.do(ANNA, replace(asked, order=False))
    labels = [button.label for button in plain.reply.buttons[:2]]
    assert labels == [second.label, first.label]
    assert plain.reply.buttons[0].style == "main"


@pytest.mark.rule("CB-ORDER-03")
@pytest.mark.parametrize("name", ASKED)
async def test_odds_with_an_order_that_nobody_has_are_refused(ring: Ring, name: str) -> None:
    await arranged(ring)
    await ring.arrange(spent)
    said = await ring.refused(ANNA, replace(ASKED[name], odds=True, order=True))
    assert "CB-ORDER-03" in said


async def test_both_ways_are_weighed(ring: Ring) -> None:
    await arranged(ring)
    chances = {}
    for order, other in ((False, "With an order token"), (True, "Without the order token")):
        answer = await ring.table.do(ANNA, Shoot("Sally", "Prime", 5, order=order, odds=True))
        (line,) = (one for one in answer.reply.lines if one.startswith(other))
        (down,) = (one for one in answer.reply.lines if one.startswith("goes down ("))
        chances[order] = (re.findall(r"\d+%", down)[0], re.findall(r"\d+%", line)[0])
    assert chances[True] == (chances[False][1], chances[False][0])


@pytest.mark.parametrize(
    ("name", "own", "aim"),
    [
        ("work", "done  ", "done"),
        ("treat", "1 Life ", "Life restored"),
        ("free", "HOpR Bot breaks free", "breaks free"),
    ],
)
async def test_the_odds_of_work_and_of_breaking_free_tell_what_an_order_changes(
    ring: Ring, name: str, own: str, aim: str
) -> None:
    await arranged(ring)
    chances = {}
    for order, other in ((False, "With an order token"), (True, "Without the order token")):
        answer = await ring.table.do(ANNA, replace(ASKED[name], odds=True, order=order))
        told = [
            re.findall(r"\d+%", one)[0]
            for start in (own, f"{other}: {aim} ")
            for one in answer.reply.lines
            if one.startswith(start)
        ]
        chances[order] = told
    assert chances[True] == chances[False][::-1]
    assert chances[True][0] != chances[True][1]


def test_buttons_that_spend_an_order_are_made_by_the_steps_alone() -> None:
    folder = Path(counterblast.__path__[0])
    label = re.compile(r"\S with an order token\"")  # the words alone tell of dice, not of a button
    made = {path.name for path in folder.rglob("*.py") if label.search(path.read_text())}
    assert made == set()


@pytest.mark.rule("CB-FEAT-49")
async def test_goo_pins_with_an_order_too(ring: Ring) -> None:
    """It wounds nobody: its odds name what it does, with an order token as without."""
    await ring.arrange(active("Trapper"))
    chances = {}
    for order, other in ((False, "With an order token: pinned "), (True, "Without the order token: pinned ")):
        shot = Shoot("Trapper", "Sally", 5, weapon="Sticky Goo", order=order, odds=True)
        lines = (await ring.table.do("bo", shot)).reply.lines
        assert "down" not in " ".join(lines)
        (line,) = (one.removeprefix(other) for one in lines if one.startswith(other))
        (pinned,) = (one for one in lines if one.startswith("pinned"))
        chances[order] = (re.findall(r"\d+%", pinned)[0], line)
    assert chances[True] == (chances[False][1], chances[False][0])
    assert int(chances[True][0][:-1]) > int(chances[False][0][:-1])


@pytest.mark.rule("CB-SHOOT-10", "CB-SHIELD-01")
async def test_that_misses_hit_a_friend_is_one_chance_and_that_they_hurt_it_another(ring: Ring) -> None:
    """One die misses on 1 to 6, strays and hits; what is hurt is less by what a shield stops."""

    await ring.arrange(active("Sally"), touching(("Skip", "Trapper")))
    said = {}
    for name in ("skip_westmoreland", "gdf_envoy"):
        await ring.arrange(block("Skip", name))
        lines = (await ring.table.do(ANNA, Shoot("Sally", "Trapper", 5, odds=True))).reply.lines
        (line,) = (one for one in lines if one.startswith("Risk to "))
        hit, hurt_ = re.match(
            "Risk to Skip.* from misses: hit +(\\d+)%, hurt +(\\d+)%, down +<?\\d+%", line
        ).groups()
        said[name] = (int(hit), int(hurt_))
    assert said["skip_westmoreland"][0] > said["skip_westmoreland"][1]
    assert said["gdf_envoy"][0] == said["gdf_envoy"][1]
