"""Everybody under a template: who may answer, who is hit, what odds say of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games.infinity.attack_actions import Shoot
from bot.games.infinity.movement_actions import SpendOrder
from bot.games.infinity.reaction_actions import Aro
from bot.games.infinity.reaction_menu import NOTHING, Resolve
from bot.table.journal.history import Undo
from tests.bot.infinity.field import ANNA, BO, Field, profile
from tests.bot.infinity.test_declared import _notes

LAUNCHER = "Launcher B2 DAM 13 TEMPLATE RANGE 8:+3 16:+0"
GRENADIER = f"Angus: MOV 4-4, CC 13, BS 12, PH 10, WIP 12, W 1; {LAUNCHER}; Rifle B3 DAM 13"
OTHERS = "Other models under the template"
AT_TRACKER = Shoot("Angus", "Tracker", 12, weapon="Launcher", under=("Morph", "Brute"))


@pytest.fixture
async def grenades(field: Field) -> Field:
    """Angus has a launcher; whoever it may hit has ARM 1, PH 11 and one Wound."""
    plain = "MOV 4-4, CC 13, BS 11, PH 11, WIP 12, ARM 1, W 1; Rifle B1 DAM 13 RANGE 8:+0 16:+0"
    names = ("Tracker", "Morph", "Brute", "Leaper")
    await field.arrange(profile("Angus", GRENADIER), *(profile(name, f"{name}: {plain}") for name in names))
    return field


@pytest.mark.rule("INF-BS-08", "INF-DOD-01")
async def test_everybody_under_a_template_is_hit_and_who_dodges_leaves_it(grenades: Field) -> None:
    field = grenades
    lines = await field.ask(ANNA, AT_TRACKER)
    assert "Also under the template: Morph, Brute" in " ".join(lines)
    assert "If the attack hits, it hits everyone under the template, as in the core rules." in lines
    await field.choose(BO, "Morph", "dodge:")
    # BS 12 twice against nothing: 5 and 9 hit; Morph's Dodge of 7 leaves the 9; Brute stands there
    # Tracker saves twice, Morph dodges and saves once, Brute saves twice
    lines = await field.pass_on(BO, 5, 9, 20, 20, 7, 20, 20, 20)
    assert "Angus hits Tracker but causes no wound." in lines
    assert "Angus hits Brute but causes no wound." in lines
    assert "Angus hits Morph but causes no wound." in lines
    assert "Morph's Dodge fails." in lines
    assert "INF-BS-08" in field.why


@pytest.mark.rule("INF-BS-08", "INF-F2F-02")
async def test_who_beats_every_die_of_the_template_is_out_of_it(grenades: Field) -> None:
    field = grenades
    await field.ask(ANNA, AT_TRACKER)
    await field.choose(BO, "Morph", "dodge:")
    # the saves fall model by model: Tracker 2, Brute 2
    lines = await field.pass_on(BO, 5, 9, 20, 20, 10, 3, 20)
    assert "Morph dodges and can move up to 2 in." in lines
    assert not [line for line in lines if "hits Morph" in line]
    assert "Angus hits Brute: 1 wound, unconscious." in lines


@pytest.mark.rule("INF-BS-08", "INF-F2F-01")
async def test_the_roll_at_the_target_decides_whether_the_template_lands(grenades: Field) -> None:
    field = grenades
    await field.ask(ANNA, AT_TRACKER)
    await field.choose(BO, "Tracker", "dodge:")
    # 5 and 9 against a Dodge of 10: nothing lands, nobody saves
    lines = await field.pass_on(BO, 5, 9, 10)
    assert "Angus misses Tracker." in lines
    assert not [line for line in lines if "Morph" in line or "Brute" in line]


@pytest.mark.rule("INF-BS-08", "INF-DOD-06", "INF-ORD-05")
async def test_each_under_it_has_its_own_aro(grenades: Field) -> None:
    field = grenades
    await field.ask(ANNA, AT_TRACKER)
    offered = await field.offered(BO, "Morph")
    assert {"Dodge", "Dodge without line of fire", "Nothing", "Shoot with Rifle up to 16 in (+0)"} <= set(
        offered
    )
    assert "Dodge without line of fire" not in await field.offered(BO, "Leaper")
    await field.choose(BO, "Morph", "dodge::unseen")
    await field.choose(BO, "Brute", "shoot:Rifle:16")
    # Brute's shot is a Normal Roll of its own, and it is hit like the rest; PH 11 - 3 from out of sight
    # Brute misses; 5 and 20 are one hit; Morph's Dodge fails; a save each
    told = await field.pass_on(BO, 20, 5, 20, 20, 20, 20, 20)
    assert "Morph, PH 11 -3 = 8, 1 die" in told
    assert "Brute misses Angus." in told
    assert "Angus hits Brute but causes no wound." in told


@pytest.mark.rule("INF-BS-08")
async def test_a_marker_under_a_template_shows_itself_when_it_lands_and_not_before(grenades: Field) -> None:
    field = grenades
    heard = len(field.heard)
    await field.ask(ANNA, Shoot("Angus", "Tracker", 12, weapon="Launcher", under=("Camo Marker 1",)))
    await field.pass_on(BO, 20, 20)
    assert not [line for line in field.heard[heard:] if "Prowler" in line]
    shot = Shoot("Angus", "Tracker", 12, weapon="Launcher", under=("Camo Marker 1",), odds=True)
    odds = await field.ask(ANNA, shot)
    assert "Camo Marker 1 is also under the template. Its odds are hidden because it is a Marker." in odds
    await field.ask(ANNA, Shoot("Angus", "Tracker", 12, weapon="Launcher", under=("Camo Marker 1",)))
    lines = await field.pass_on(BO, 5, 20, 20, 20)
    assert "Camo Marker 1 is revealed as Prowler." in lines
    assert "Angus hits Prowler but causes no wound." in lines


@pytest.mark.rule("INF-BS-08")
async def test_who_may_be_named_under_a_template(grenades: Field) -> None:
    field = grenades

    async def said(**more: object) -> str:
        return await field.refused(ANNA, Shoot("Angus", "Tracker", 12, **more))  # type: ignore[arg-type]

    assert "Rifle has no template" in await said(weapon="Rifle", under=("Morph",))
    assert "Tracker is already the target" in await said(weapon="Launcher", under=("Tracker",))
    friend = await said(weapon="Launcher", under=("Hammer",))
    assert (
        "Place the template so that it touches no ally. Hammer is on your side.\n"
        "Rulebook: BS Attacks (INF-BS-08)"
    ) in friend
    two = {"target2": "Brute", "distance2": 12.0}
    assert "Choose only one target" in await said(weapon="Launcher", under=("Morph",), **two)
    # the organiser may let a friend be touched, and then it is hit
    shot = Shoot("Angus", "Tracker", 12, weapon="Launcher", under=("Hammer",))
    answer = await field.table.do(ANNA, shot, reason="it scattered")
    assert answer.changed
    lines = await field.pass_on(BO, 5, 20, 20, 20)
    assert "Angus hits Hammer but causes no wound." in lines


@pytest.mark.rule("INF-BS-08")
async def test_without_others_the_reply_says_so(grenades: Field) -> None:
    lines = await grenades.ask(ANNA, Shoot("Angus", "Tracker", 12, weapon="Launcher"))
    assert "No one else is under the template." in lines


@pytest.mark.rule("INF-BS-08")
async def test_odds_weigh_everybody_under_the_template(grenades: Field) -> None:
    field = grenades
    shot = Shoot("Angus", "Tracker", 12, weapon="Launcher", dice=1, under=("Morph",), odds=True)
    await field.arrange(profile("Tracker", "Tracker: MOV 4-4, CC 13, BS 0, PH 11, WIP 12, ARM 1, W 1"))
    lines = " ".join(await field.ask(ANNA, shot))
    assert "Morph, also under the template" in lines
    await field.ask(ANNA, Shoot("Angus", "Tracker", 12, weapon="Launcher", dice=1, under=("Morph",)))
    # one die at 12, nothing in its way: 11/20 x 12/20 + 1/20
    assert (await _notes(field, BO, "Morph"))["Nothing"] == "38% risk of going down"


async def test_the_time_over_lets_who_is_under_it_dodge(file, migrated) -> None:  # type: ignore[no-untyped-def]
    from bot.app import open_desk
    from bot.store.engine import database_url
    from tests.bot.tables import Table, seeds

    now = [1_700_000_000_000]
    source = seeds()
    async with open_desk(database_url(str(file)), lambda: next(source), lambda: now[0]) as desk:
        field = await Field.open(Table(desk, file))
        await field.arrange(profile("Angus", GRENADIER))
        await field.ask(ANNA, AT_TRACKER)
        now[0] += 60_000
        lines = await field.ask(ANNA, Resolve(rest="time"))
        assert {f"ARO: {name} dodges." for name in ("Tracker", "Brute", "Morph")} <= set(lines)


@pytest.mark.rule("INF-BS-08", "INF-ORD-05")
async def test_who_is_under_the_template_of_the_first_skill_had_its_chance(grenades: Field) -> None:
    field = grenades
    await field.ask(ANNA, AT_TRACKER)
    await field.ask(BO, Resolve(rest="keep"))
    await field.ask(ANNA, SpendOrder("Angus"))
    assert "can't react to the second Skill" in await field.refused(BO, Aro("Morph", "dodge"))


@pytest.mark.rule("INF-BS-08")
async def test_everybody_under_the_template_of_an_aro_is_hit(field: Field) -> None:
    await field.arrange(profile("Tracker", GRENADIER.replace("Angus", "Tracker")))
    await field.ask(ANNA, SpendOrder("Angus"))

    def aro(**more: object) -> Aro:
        return Aro("Tracker", "shoot", 12, **more)  # type: ignore[arg-type]

    assert "Rifle has no template" in await field.refused(BO, aro(weapon="Rifle", under=("Hammer",)))
    assert "Morph is on your side" in await field.refused(BO, aro(weapon="Launcher", under=("Morph",)))
    assert "Angus is already the target" in await field.refused(BO, aro(weapon="Launcher", under=("Angus",)))
    await field.ask(BO, aro(weapon="Launcher"))
    lines = await field.ask(BO, Resolve(rest=NOTHING))
    assert "with no one else under the template" in " ".join(lines)
    await field.agreed(BO, Undo())
    await field.ask(BO, aro(weapon="Launcher", under=("Hammer",)))
    lines = await field.ask(BO, Resolve(rest=NOTHING))
    assert "with Hammer also under the template" in " ".join(lines)
    lines = await field.ask(ANNA, Resolve(), 5, 20, 20)
    assert "Tracker hits Angus but causes no wound." in lines
    assert "Tracker hits Hammer but causes no wound." in lines


@pytest.mark.rule("INF-BS-08")
async def test_who_else_is_under_the_template_of_an_aro_is_chosen(field: Field) -> None:
    await field.arrange(profile("Tracker", GRENADIER.replace("Angus", "Tracker")))
    await field.ask(ANNA, SpendOrder("Angus"))
    await field.choose(BO, "Tracker", "shoot:Rifle")
    assert OTHERS not in [menu.prompt for menu in field.answer.reply.menus]
    await field.choose(BO, "Tracker", "shoot:Launcher:16")
    menu = next(one for one in field.answer.reply.menus if one.prompt == OTHERS)
    hammer = next(choice.value for choice in menu.choices if choice.label == "Hammer")
    assert not {"Angus", "Morph"} & {choice.label for choice in menu.choices}
    field.answer = replace(field.answer, reply=replace(field.answer.reply, menus=(menu,)))
    chosen = await field.table.choose(BO, field.answer, hammer)
    assert chosen.changed, chosen.reply.text
    lines = await field.ask(BO, Resolve(rest=NOTHING))
    assert "with Hammer also under the template" in " ".join(lines)
