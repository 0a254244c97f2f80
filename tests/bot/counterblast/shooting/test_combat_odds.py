"""Odds of everything that is rolled in a fight: exact, to the asker alone, nothing changed."""

from __future__ import annotations

import pytest

from bot.actions import Action
from bot.games.counterblast.melee.attacks import Fight
from bot.games.counterblast.melee.charges import Charge
from bot.games.counterblast.melee.disengagement import Disengage
from bot.games.counterblast.melee.melees import Melee
from bot.games.counterblast.movement.hiding import BreakFree, Spot
from bot.games.counterblast.shooting.team_shots import TeamShot
from bot.games.counterblast.templates.template_attacks import Template
from rules.systems.counterblast.core.library import load
from tests.bot.counterblast.ring import ANNA, Ring, block, touching, under

MANY = ", ".join(f"{name}>Trapper" for name in ("Skip", "Wanda", "Smap", "Sally", "Dr. Helen"))

ASKED: dict[str, Action] = {
    "fight": Fight("Sally", "Prime", odds=True),
    "fight with an order token": Fight("Sally", "Prime", order=True, odds=True),
    "slash": Fight("Prime", "Sally", "Tentacle", inches=1, how="slash and dash", odds=True),
    "strong": Fight("Skip", "Spawnguard", odds=True),
    "charge": Charge("Skip", "Prime", 6, odds=True),
    "melee": Melee(text="Sally>Prime 1, Sally>Trapper 1, Wanda>Prime, Smap>Prime", odds=True),
    "many": Melee(text=MANY, odds=True),
    "disengage": Disengage("Wanda", odds=True),
    "disengage with an order token": Disengage("Wanda", order=True, odds=True),
    "disengage from four": Disengage("Smap", odds=True),
    "team": TeamShot("Wanda, Smap, Sally, HOpR, GDF", "Prime", "6", odds=True),
    "spot": Spot("Prime", "Dr. Helen", odds=True),
    "free": BreakFree("HOpR", odds=True),
    "wrestle": BreakFree("HOpR", "Trapper", odds=True),
}


async def arranged(ring: Ring) -> None:
    await ring.arrange(
        block("Skip", "kraken"),
        block("Spawnguard", "kraken"),
        under("hidden", "Dr. Helen"),
        under("pinned", "HOpR"),
        touching(("Wanda", "Trapper"), ("Wanda", "Edo Guardling"), ("Wanda", "Spawnguard")),
        touching(*(("Smap", name) for name in ("Trapper", "Spawnguard", "Edo Guardling", "Edo Spawnling"))),
    )


@pytest.mark.parametrize("name", ASKED)
async def test_odds_are_exact_private_and_change_nothing(ring: Ring, name: str) -> None:
    if name != "team":
        await arranged(ring)
    before = ring.table.state()
    answer = await ring.table.do(ANNA, ASKED[name])
    assert answer.reply.private
    assert not answer.changed
    assert ring.table.state() == before
    assert "No dice were rolled." in answer.reply.lines, answer.reply.text
    assert answer.reply.buttons
    assert "ampled" not in answer.reply.text


@pytest.mark.rule("CB-FIGHT-05")
async def test_a_button_of_the_odds_asks_the_same_fight(ring: Ring) -> None:
    await ring.arrange(under("active", "Prime"), touching(("Prime", "Sally")))
    answer = await ring.table.do("bo", Fight("Prime", "Sally", "Tentacle", odds=True))
    assert [button.label for button in answer.reply.buttons] == [
        "Fight",
        "Fight with an order token",
        "Arc Rod",
        "Compare",
        "Change...",
    ]
    rolled = await ring.table.press("bo", answer, "Fight")
    assert "throws 2 d10" in rolled.reply.text


@pytest.mark.rule("CB-DISENG-02", "CB-DISENG-03")
async def test_odds_of_leaving_eight_tell_all_that_those_of_leaving_one_tell(ring: Ring) -> None:
    foes = [row.name for row in (await ring.table.encounter()).models(2)]
    told = []
    for number in (1, 8):
        await ring.arrange(touching(*(("Wanda", name) for name in foes[:number])))
        lines = (await ring.table.do(ANNA, Disengage("Wanda", odds=True))).reply.lines
        told.append([line[:14].strip() for line in lines if line.endswith("%")])
        assert "Exact." in lines
    assert told[0] == told[1]
    assert told[0][:3] == ["no free attack", "hurt", "goes down"]


@pytest.mark.rule("CB-TMPL-02", "CB-TMPL-04")
@pytest.mark.parametrize("weapon", ["grenade", "particle_beam_cannon"])
async def test_odds_of_a_template_tell_of_everybody_under_it(ring: Ring, weapon: str) -> None:
    await ring.arrange(under("active", "Sally"), block("Sally", "sally_starfield", weapon))
    foes = [row.name for row in (await ring.table.encounter()).models(2)]
    name = load().weapons[weapon].name
    shot = Template("Sally", name, distance=5, under=",".join(foes), odds=True)
    lines = (await ring.table.do(ANNA, shot)).reply.lines
    assert [line.split(": ")[0] for line in lines if ": hurt " in line] == foes
    assert "Exact." in lines


async def test_nobody_in_contact_is_hidden_so_it_leaves_only_when_that_is_settled(ring: Ring) -> None:
    """Said before a die falls: the free attack could not name it."""
    await ring.arrange(under("hidden", "Wanda"), touching(("Wanda", "Trapper")))
    for odds in (False, True):
        told = await ring.table.refused(ANNA, Disengage("Wanda", odds=odds))
        assert "is Hidden, but it is in contact. Remove Hidden with /condition clear first." in told
