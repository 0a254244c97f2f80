"""The best attacks of who acts: every target with every weapon, ranked by what is wanted."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from bot.games.counterblast.melee.charges import Charge
from bot.games.counterblast.psionics.power_use import UsePower
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.fracd_earth.attack_actions import Attack as Challenge
from bot.games.infinity.attack_actions import Shoot as BSAttack
from bot.games.soluna.close_actions import Lunge
from bot.games.soluna.model_actions import SetValue
from bot.games.warzone.shooting_actions import Shoot as Fire
from bot.replies.reply import Reply
from bot.table.odds import best
from bot.table.odds.best import Best
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from bot.table.session.models import DamageModel
from tests.bot.columns import too_wide
from tests.bot.counterblast.psionics.test_psi_play import ready
from tests.bot.counterblast.ring import ANNA, BO, Ring, block, touching, under
from tests.bot.odds.test_comparing import seen_before
from tests.bot.tables import Table

ROW = re.compile(r"^(?P<at>\S.*?) +(?P<first>[<>]?\d+%|\d+\.\d+) +(?P<other>[<>]?\d+%|\d+\.\d+)$")

WOUND_ROW = re.compile(r"^(?P<at>\S.*?) +(?P<down>[<>]?\d+)% (?P<wounds>\d+\.\d\d)$")
ONE_LIFE = {"Trapper", "Edo Spawnling"}


@pytest.fixture
async def ring(table: Table) -> Ring:
    return await Ring.open(table)


def rows(reply: Reply) -> list[tuple[str, str, str]]:
    """At whom, how, and the number that it is ranked by."""
    found = []
    for line, how in zip(reply.lines, reply.lines[1:], strict=False):
        match = ROW.match(line)
        if match and how.startswith("  "):
            found.append((match["at"], how.strip(), match["first"]))
    return found


def numbers(reply: Reply) -> list[float]:
    return [float(first.strip("<>% ")) for _, _, first in rows(reply)]


async def test_each_line_is_the_chance_that_the_attacks_own_odds_tell(ring: Ring) -> None:
    await ring.arrange(under("active", "Sally"), block("Sally", "sally_starfield", "pulsar_rifle"))
    reply = (await ring.table.do(ANNA, Best("Sally"))).reply
    found = rows(reply)
    assert len(found) == 10
    assert numbers(reply) == sorted(numbers(reply), reverse=True)
    assert too_wide(reply, "counterblast") == []
    for at, how, chance in found:
        kind, weapon = how.split(", ")[:2]
        asked = {"Shoot": Shoot("Sally", at, 8.0, 0), "Charge": Charge("Sally", at, 8.0)}[kind]
        alone = (await ring.table.do(ANNA, replace(asked, weapon=weapon, odds=True))).reply
        assert re.search(rf"goes down.*{chance}", alone.text), (at, how, alone.text)


async def test_who_has_one_life_loses_no_more_wounds_than_that(ring: Ring) -> None:
    """Hits beyond the last are none: wounds on average are the chance to go down."""
    await ring.arrange(under("active", "Sally"))
    reply = (await ring.table.do(ANNA, Best("Sally"))).reply
    frail = [match for match in map(WOUND_ROW.match, reply.lines) if match and match["at"] in ONE_LIFE]
    assert {match["at"] for match in frail} == ONE_LIFE
    for match in frail:
        assert round(100 * float(match["wounds"])) == int(match["down"])


async def test_powers_are_attacks_as_weapons_are(ring: Ring) -> None:
    """Each power that wounds is ranked at each foe, as its own odds tell; one that wounds nobody is not."""
    await ready(ring, "blast", "heal")
    reply = (await ring.table.do(BO, Best("Prime", "wounds"))).reply
    powers = [(at, how, worth) for at, how, worth in rows(reply) if how.startswith("Power")]
    assert powers, reply.text
    assert {how for _, how, _ in powers} == {"Power, Blast"}
    found = rows((await ring.table.do(BO, Best("Prime"))).reply)
    at, _, chance = next(one for one in found if one[1] == "Power, Blast")
    alone = (await ring.table.do(BO, UsePower("Prime", "Blast", at, "8", odds=True))).reply
    assert re.search(rf"goes down.*{chance}", alone.text), alone.text
    lines = (await ring.table.do(BO, Best("Prime"))).reply.lines
    frail = next(one for one, how in pairwise(lines) if one.startswith("HOpR Bot") and how.endswith("Blast"))
    down, wounds = re.findall(r"\d+%|\d\.\d\d", frail)
    assert int(down.removesuffix("%")) == round(100 * float(wounds)), "it has one wound to lose"


async def test_only_what_can_be_done_just_now_is_ranked_while_anything_can(ring: Ring) -> None:
    """Sally may shoot, and fights nobody whom she does not touch."""
    await ring.arrange(under("active", "Sally"))
    kinds = {how.split(",")[0] for _, how, _ in rows((await ring.table.do(ANNA, Best("Sally"))).reply)}
    assert "Shoot" in kinds
    assert "Fight" not in kinds
    await ring.arrange(touching(("Sally", "Trapper")))
    found = rows((await ring.table.do(ANNA, Best("Sally"))).reply)
    assert [at for at, how, _ in found if how.startswith("Fight")] == ["Trapper"]


async def test_who_cannot_act_yet_is_told_so_and_has_no_button(ring: Ring) -> None:
    reply = (await ring.table.do(ANNA, Best("Wanda"))).reply
    assert "You can't make any of these attacks right now." in reply.lines
    assert not reply.buttons
    assert rows(reply)


async def test_the_best_is_one_press_away(ring: Ring) -> None:
    await ring.arrange(under("active", "Sally"))
    answer = await ring.table.do(ANNA, Best())
    assert answer.reply.lines[0].startswith("Best: ")
    label = answer.reply.buttons[0].label
    at, how, _ = rows(answer.reply)[0]
    assert label.startswith(f"{how.split(',')[0]} {at}")
    pressed = await ring.table.press(ANNA, answer, label)
    assert pressed.changed or "throw" in pressed.reply.text


async def test_it_is_ranked_by_wounds_and_by_points(ring: Ring) -> None:
    await ring.arrange(under("active", "Sally"))
    answer = await ring.table.do(ANNA, Best("Sally"))
    first = {}
    for wanted in ("wounds", "points"):
        ranked = (await ring.table.choose(ANNA, answer, wanted)).reply
        assert numbers(ranked) == sorted(numbers(ranked), reverse=True)
        assert wanted in ranked.lines[0]
        assert f"{wanted.capitalize()} on average: " in ranked.files[0].words
        for at, how, number in rows(ranked):
            assert f"{at}, {how} {number}" in ranked.files[0].words
        first[wanted] = rows(ranked)[0][0]
    assert rows(answer.reply)[0][0] != first["wounds"]


async def test_a_distance_that_was_said_is_kept_and_others_are_assumed(ring: Ring) -> None:
    await ring.arrange(under("active", "Sally"), seen_before("Sally", "Trapper", 3.0, 0))
    reply = (await ring.table.do(ANNA, Best("Sally", inches=5.0))).reply
    how = next(how for at, how, _ in rows(reply) if at == "Trapper" and how.startswith("Shoot"))
    assert how.endswith(", 3 in")
    assert "Distance used where nothing was measured: 5 in." in reply.lines
    assert "Trapper" in reply.files[0].words


async def test_shots_of_infinity_are_taken_at_the_distance_that_was_said(table: Table) -> None:
    await table.done("anna", StartDemo("infinity"))
    await table.done("anna", NextStep())
    encounter = await table.encounter()
    mine, foe = (encounter.models(side.id)[1].name for side in encounter.sides())
    for inches in (8.0, 24.0):
        reply = (await table.do("anna", Best(mine, inches=inches))).reply
        assert f"Distance used where nothing was measured: {inches:g} in." in reply.lines
        at, how, chance = rows(reply)[0]
        shot = BSAttack(mine, at, inches, weapon=how.split(", ")[1], odds=True)
        assert chance in (await table.do("anna", shot)).reply.text
    assert foe


async def test_who_has_one_wound_loses_it_as_often_as_he_falls(table: Table) -> None:
    """Hits beyond the last wound are none: of troopers with one, wounds on average are the chance."""
    await table.done("anna", StartDemo("infinity"))
    await table.done("anna", NextStep())
    reply = (await table.do("anna", Best("Hammer"))).reply
    found = [match for match in map(WOUND_ROW.match, reply.lines) if match and match["at"] != "Leaper"]
    assert len(found) > 4
    for match in found:
        assert round(100 * float(match["wounds"])) == int(match["down"])


async def test_an_attack_of_soluna_kills_as_its_own_odds_tell(table: Table) -> None:
    """With one point of Health left who loses it dies: then both are one number."""
    await table.done(ANNA, StartDemo("soluna"))
    await table.done(BO, JoinEncounter("Hollow Moon"))
    await table.done(ANNA, NextStep())
    for health in (0, 1):
        if health:
            await table.done(ANNA, SetValue("Brin", "health", health))
        reply = (await table.do(BO, Best("Vey"))).reply
        match = next(
            match
            for line, how in pairwise(reply.lines)
            if (match := WOUND_ROW.match(line)) and "Brin" in line and how.endswith("Lunge, Gravity Saber")
        )
        alone = (await table.do(BO, Lunge("Vey", "Brin", weapon="Gravity Saber", odds=True))).reply.text
        told = re.search(r"Kills \(\d+ points?\): (\d+)%", alone)
        assert told is not None, alone
        assert told[1] == match["down"]
        wounds = float(match["wounds"])
        assert (round(100 * wounds) == int(match["down"])) == bool(health)
        assert wounds > 0


async def test_nobody_acts_so_somebody_is_to_be_named(ring: Ring) -> None:
    assert await ring.table.refused(ANNA, Best()) == "Use /odds best and choose the model that attacks."
    assert "goes down, wounds, points" in await ring.table.refused(BO, Best("Prime", "glory"))


async def test_where_no_points_are_known_it_is_ranked_by_who_goes_down_and_says_so(
    ring: Ring, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is offered is not refused."""
    monkeypatch.setattr(best, "points_of", lambda system, profile: 0)
    await ring.arrange(under("active", "Sally"))
    told = (await ring.table.do(ANNA, Best("Sally", "points"))).reply
    usual = (await ring.table.do(ANNA, Best("Sally"))).reply
    unknown = "The average number of points isn't known. These are the chances to take the target down."
    assert unknown in told.lines
    assert [line for line in told.lines if line != unknown] == list(usual.lines)


async def test_attacks_of_fracd_earth_are_weighed_at_the_distance_and_else_in_contact(table: Table) -> None:
    """A club strikes in contact however far it is said to be; nothing unknown is offered to rank by."""
    await table.done(ANNA, StartDemo("fracd_earth"))
    await table.done(BO, JoinEncounter("Prowlers"))
    await table.done(ANNA, NextStep())
    for inches in (8.0, 20.0):
        reply = (await table.do(BO, Best("Thug", inches=inches))).reply
        assert not reply.menus
        told = {
            how: chance
            for line, how in pairwise(reply.lines)
            for chance in re.findall(r"^Rook +(\d+%)$", line)
        }
        assert set(told) == {"  Attack, Rifle", "  Attack, Club, in contact"}
        far = Challenge("Thug", "Rook", inches, "Rifle", odds=True)
        near = Challenge("Thug", "Rook", weapon="Club", odds=True)
        for asked, how in ((far, "Rifle"), (near, "Club, in contact")):
            alone = (await table.do(BO, asked)).reply
            assert alone.lines[0].startswith(f"Win {told[f'  Attack, {how}']}"), alone.text
        assert f"Distance used where nothing was measured: {inches:g} in." in reply.lines


async def test_a_weapon_that_cannot_be_used_hides_none_of_the_others(table: Table) -> None:
    """Vey's first weapon shoots only, and nobody is near enough: she may lunge with her saber at once."""
    await table.done(ANNA, StartDemo("soluna"))
    await table.done(BO, JoinEncounter("Hollow Moon"))
    await table.done(ANNA, NextStep())
    reply = (await table.do(BO, Best("Vey"))).reply
    assert "You can't make any of these attacks right now." not in reply.lines
    assert reply.buttons[0].label == "Lunge Brin, Gravity Saber"


@pytest.mark.parametrize("attack", [Shoot, BSAttack, Fire, Lunge, Challenge], ids=lambda kind: kind.command)
async def test_no_attack_has_a_chance_at_the_dead(table: Table, attack: type[Any]) -> None:
    """Its odds are refused with why, and the best attacks leave that target out."""
    await table.done(ANNA, StartDemo(attack.__module__.split(".")[2]))
    await table.done(ANNA, NextStep())
    encounter = await table.encounter()
    mine, foe = (encounter.models(side.id)[0].name for side in encounter.sides()[:2])
    more = {} if attack is Lunge else {"distance": 6.0}
    dead = re.compile(f"{foe} is (out of play|Incapacitated)")
    assert not dead.search((await table.do(ANNA, attack(mine, foe, **more, odds=True))).reply.text)
    await table.done(ANNA, DamageModel(foe, 30))
    refusal = await table.refused(ANNA, attack(mine, foe, **more, odds=True))
    assert dead.search(refusal)
    assert "%" not in refusal.removesuffix("An attack on this model has no chance of success.")
    assert foe not in (await table.do(ANNA, Best(mine))).reply.text
