"""What was declared counts: in odds, in the menu of AROs, and in what a declaration may say at all."""

from __future__ import annotations

import pytest

from bot.actions import Action
from bot.games.infinity import concealment, troops
from bot.games.infinity.attack_actions import Fight, Shoot
from bot.games.infinity.hiding_actions import Reveal
from bot.games.infinity.movement_actions import JUMP, LONG_JUMP, SpendOrder
from bot.games.infinity.reaction_actions import Aro
from bot.games.infinity.reaction_menu import NOTHING, React, Resolve
from bot.table.encounter import Encounter
from bot.table.game import game_of
from bot.table.session.encounters import NextStep
from bot.table.session.possible_actions import WhatNow, add_action_buttons
from rules.effects import Leave
from rules.systems.infinity.trooper import Condition
from tests.bot.infinity.field import ANNA, BO, Field, chief, profile
from tests.bot.infinity.test_figures import ORDINARY, TARIK

# ---------------------------------------------------------------- odds


async def _notes(field: Field, who: str, model: str) -> dict[str, str]:
    number = (await field.table.encounter()).find_model(model).id
    answer = await field.table.do(who, React(0, number))
    return {choice.label: choice.note for choice in answer.reply.menus[0].choices}


@pytest.mark.rule("INF-BS-04")
async def test_the_menu_of_aros_weighs_the_cover_that_was_told(field: Field) -> None:
    await field.ask(ANNA, SpendOrder("Angus"))
    await field.choose(BO, "Morph", "shoot:Combi Rifle:16")
    await field.press(BO, "Mark Angus as in cover")
    # BS 11 +3 -3 = 11: 10/20 plain x 9/20 failed saves (13 - 1 - 3) + 1/20 Critical: 27.5%
    assert (await _notes(field, BO, "Morph"))[
        ("Shoot with Combi Rifle up to 16 in (+3)")
    ] == "28% chance to wound Angus"
    # another distance keeps the cover
    await field.choose(BO, "Morph", "shoot:Combi Rifle:8")
    assert "Mark Angus as in the open" in field.labels


@pytest.mark.rule("INF-BS-04", "INF-F2F-02")
async def test_odds_after_the_first_skill_count_the_cover_of_the_declared_aro(field: Field) -> None:
    async def lines_with(*, cover: bool) -> list[str]:
        await field.ask(ANNA, SpendOrder("Angus"))
        await field.ask(BO, Aro("Tracker", "shoot", 12, enemy_cover=cover))
        await field.ask(BO, Resolve(rest=NOTHING))
        lines = await field.ask(ANNA, Shoot("Angus", "Tracker", 12, odds=True))
        await field.ask(ANNA, Resolve(), 20)
        return lines

    plain, covered = await lines_with(cover=False), await lines_with(cover=True)
    assert "Tracker, BS 12 +3 = 15, 1 die" in plain
    assert "Tracker, BS 12, 1 die" in covered  # +3 range, -3 cover: as it is thrown


async def test_odds_count_the_aros_of_bystanders_that_were_declared(field: Field) -> None:
    await field.ask(ANNA, SpendOrder("Angus"))
    await field.ask(BO, Aro("Tracker", "dodge", 12))
    await field.ask(BO, Aro("Morph", "shoot", 12))
    await field.ask(BO, Aro("Leaper", "nothing"))
    await field.ask(BO, Resolve(rest=NOTHING))
    lines = await field.ask(ANNA, Shoot("Angus", "Tracker", 12, odds=True))
    # BS 14: 13/20 x 12/20 + 1/20 = 44%
    assert "Morph's ARO: 44% chance to be wounded, 44% to go down" in " ".join(lines)
    assert not [line for line in lines if "all attacks together" in line]


async def test_odds_tell_the_whole_risk_of_several_aros(field: Field) -> None:
    await field.ask(ANNA, SpendOrder("Angus"))
    await field.ask(BO, Aro("Morph", "shoot", 12))
    await field.ask(BO, Aro("Seedling", "shoot", 12))
    await field.ask(BO, Resolve(rest=NOTHING))
    lines = await field.ask(ANNA, Shoot("Angus", "Tracker", 12, odds=True))
    told = next(line for line in lines if line.startswith("Chance that all attacks together "))
    # two shots that each take Angus' one Wound in 44 of 100: 1 - 0.56 x 0.56
    assert told == "Chance that all attacks together take Angus down: 69%"


# ---------------------------------------------------------------- surprise


@pytest.mark.rule("INF-SS-01", "INF-SS-02")
async def test_a_surprise_that_is_asked_for_without_the_right_to_it_is_refused(field: Field) -> None:
    said = await field.refused(ANNA, Shoot("Angus", "Tracker", 12, surprise=True))
    assert "doesn't have the skill.\nRulebook: Surprise Shot (page 96; INF-SS-01)" in said
    await field.ask(ANNA, Reveal("Wraith"))
    said = await field.refused(ANNA, Shoot("Wraith", "Tracker", 12, surprise=True, odds=True))
    assert "as a Marker or from Hidden Deployment.\nRulebook: Surprise Shot (page 96; INF-SS-02)" in said
    said = await field.refused(ANNA, Fight("Angus", "Tracker", surprise=True))
    assert "as a Camouflaged Marker.\nRulebook: CC Attacks (INF-CC-03)" in said
    # unsaid, it is a plain attack
    lines = await field.ask(ANNA, Shoot("Wraith", "Tracker", 12))
    assert "It attacks from hiding, so this is a Surprise Shot." not in lines


@pytest.mark.rule("INF-SS-02")
@pytest.mark.parametrize(("said", "told"), [(True, True), (None, True), (False, False)])
async def test_a_surprise_is_used_where_it_can_be_unless_declined(
    field: Field, said: bool | None, told: bool
) -> None:
    lines = await field.ask(ANNA, Shoot("Wraith", "Commander Voss", 40, surprise=said))
    assert ("It attacks from hiding, so this is a Surprise Shot." in lines) is told


@pytest.mark.rule("INF-SS-01", "INF-TRI-01")
async def test_triangulated_fire_from_a_marker_is_no_surprise_shot(field: Field) -> None:
    def prepared(encounter: Encounter) -> None:
        row = encounter.find_model("Angus")
        gear = "Combi Rifle B3 DAM 13 RANGE 8:+3 16:+3 32:-3 48:-6"
        skills = "Sensor, CH: Camouflage, Surprise Shot L1"
        row.profile = f"Angus: MOV 4-4, BS 12, PH 10, WIP 13, W 1; {gear}; Skills {skills}"
        concealment.become_marker(encounter, row, Condition.CAMOUFLAGED)

    await field.arrange(prepared)
    wanted = Shoot("Angus", "Tracker", 12, mode="triangulated")
    said = await field.refused(ANNA, Shoot("Angus", "Tracker", 12, mode="triangulated", surprise=True))
    assert "Choose either Triangulated Fire or a Surprise Shot" in said
    lines = await field.ask(ANNA, wanted)
    assert "It attacks from hiding, so this is a Surprise Shot." not in lines
    lines = await field.react(BO, "Tracker", "dodge:", 20, 20, 20, 20)
    assert "-3 surprise shot INF-SS-03" not in field.why
    assert not (await field.trooper("Angus")).has("surprise_used")


# ---------------------------------------------------------------- options that would be dropped


@pytest.mark.parametrize(
    ("action", "told"),
    [
        (Shoot("Angus", "Tracker", 12, distance2=12), "Choose the second target, or"),
        (Shoot("Angus", "Tracker", 12, cover2=True), "Choose the second target, or"),
        (SpendOrder("Angus", skill="move", path="roof, ground"), 'Choose "jump" as the Skill'),
        (SpendOrder("Angus", skill="reset", fall=4), 'Choose "jump" as the Skill'),
        (SpendOrder("Angus", skill="reset", ground="difficult"), 'Choose "move" as the Skill'),
    ],
)
async def test_what_an_order_would_pass_over_is_refused(field: Field, action: Action, told: str) -> None:
    assert told in await field.refused(ANNA, action)


@pytest.mark.parametrize(
    ("aro", "told"),
    [
        (Aro("Tracker", "dodge", weapon="Rifle"), "A weapon only matters for Fight, Hack or Shoot."),
        (Aro("Tracker", "dodge", berserk=True), "Berserk only matters for Fight."),
        (Aro("Tracker", "shoot", martial_arts=1), "Martial Arts only matters for Fight."),
        (Aro("Tracker", "shoot", alerted=True), "An ally's alert only matters for Change Facing."),
        (Aro("Tracker", "shoot", mod=3), "A MOD only matters for Discover or Sensor."),
        (Aro("Tracker", "shoot", ground="difficult"), "Terrain only matters for Dodge or Engage."),
        (Aro("Tracker", "shoot", 8), "was declared with Tracker 12 in away, in the open."),
        (Aro("Tracker", "shoot", cover=True), "was declared with Tracker 12 in away, in the open."),
        (Aro("Tracker", "dodge", unseen=True), "was declared with Tracker 12 in away, in the open."),
    ],
)
async def test_what_an_aro_would_pass_over_is_refused(field: Field, aro: Aro, told: str) -> None:
    await field.ask(ANNA, Shoot("Angus", "Tracker", 12))
    assert told in await field.refused(BO, aro)


async def test_which_order_pays_is_not_said_twice(field: Field) -> None:
    await field.spend(ANNA, SpendOrder("Angus"))
    said = await field.refused(ANNA, SpendOrder("Angus", "lieutenant"))
    assert said.startswith('Leave "Order to spend" blank.')


# ---------------------------------------------------------------- the Lieutenant's Order


def _no_orders_left(encounter: Encounter) -> None:
    for key in [key for key in encounter.side(1).counters if key.startswith("regular_orders")]:
        del encounter.side(1).counters[key]
    encounter.side(1).counters["lieutenant_orders"] = 1


@pytest.mark.rule("INF-ORD-03")
async def test_the_lieutenant_goes_on_with_its_own_order_when_the_pool_is_empty(field: Field) -> None:
    await field.arrange(chief(1, "Captain Reyes"), _no_orders_left)
    assert await field.counter(1, "lieutenant_orders") == 1
    assert "no Regular Orders left" in await field.refused(ANNA, SpendOrder("Angus"))
    encounter = await field.table.encounter()
    answer = await field.table.do(ANNA, WhatNow(f"#{encounter.find_model('Captain Reyes').id}"))
    assert "Move or Skill" in [button.label for button in answer.reply.buttons]
    lines = await field.ask(ANNA, SpendOrder("Captain Reyes"))
    assert "It spends the Special Lieutenant Order." in lines
    assert await field.counter(1, "lieutenant_orders") == 0


@pytest.mark.rule("INF-ORD-03")
async def test_the_panel_does_not_tell_that_the_last_figure_is_the_lieutenant(field: Field) -> None:
    def alone(encounter: Encounter) -> None:
        for row in encounter.models(1):
            if row.name != "Captain Reyes":
                encounter.apply([Leave(row.id, "dead")])

    await field.arrange(chief(1, "Captain Reyes"), alone)
    assert "Move or Skill" in await _panel_labels(field)
    await field.arrange(_no_orders_left)
    labels = await _panel_labels(field)
    await field.arrange(chief(1, ""))
    assert await _panel_labels(field) == labels


async def _panel_labels(field: Field) -> list[str]:
    encounter = await field.table.encounter()
    return [
        button.label for button in add_action_buttons(encounter, game_of(encounter).panel(encounter)).buttons
    ]


# ---------------------------------------------------------------- falls


@pytest.mark.rule("INF-SJ-07", "INF-SJ-08", "INF-SJ-09")
async def test_a_jump_that_ends_in_a_fall_is_thrown_with_its_order(field: Field) -> None:
    await field.arrange(
        profile("Leaper", ORDINARY.replace("W 2", "ARM 1, W 2").replace("ARM 1, ARM 1", "ARM 1"))
    )
    await field.ask(ANNA, NextStep())
    lines = await field.ask(BO, SpendOrder("Leaper", skill=LONG_JUMP, path="roof, air, ground", fall=5))
    assert "At the end of the Jump, it falls 5 in (Damage 20)." in lines
    await field.ask(ANNA, Resolve(), 5, 20)
    assert "Leaper falls: 1 wound, 1 of 2 W left." in field.heard
    assert "Damage from the fall INF-SJ-07" in field.why


@pytest.mark.rule("INF-SJ-06", "INF-SJ-07")
async def test_a_fall_stays_with_the_order_through_its_second_skill(field: Field) -> None:
    await field.arrange(profile("Leaper", TARIK.replace("CC Weapon", "Rifle B1 DAM 13; CC Weapon")))
    await field.ask(ANNA, NextStep())
    await field.spend(BO, SpendOrder("Leaper", skill=JUMP, path="edge, out, ground", fall=12))
    assert "Press Done or use /inf done" in await field.refused(BO, NextStep())
    lines = await field.ask(BO, Shoot("Leaper", "Angus", 12), 20, 3, 20)
    assert "Leaper misses Angus." in lines
    assert "Leaper falls: 1 wound, 1 of 2 W left." in lines


@pytest.mark.rule("INF-SJ-06", "INF-SJ-10")
async def test_a_jump_tells_how_it_ends(field: Field) -> None:
    await field.arrange(profile("Leaper", TARIK))
    await field.ask(ANNA, NextStep())
    lines = await field.ask(BO, SpendOrder("Leaper", skill=JUMP, path="edge, ground"))
    assert "It lands on its feet." in lines
    await field.ask(ANNA, Resolve(rest=NOTHING))
    lines = await field.ask(BO, SpendOrder("Leaper", skill=JUMP, path="edge, ground", fall=10))
    assert "At the end of the Jump, it falls 10 in (no Damage)." in lines


@pytest.mark.rule("INF-SJ-07")
async def test_a_marker_that_falls_hard_shows_itself_and_not_before(field: Field) -> None:
    def veiled(encounter: Encounter) -> None:
        row = encounter.find_model("Leaper")
        row.profile = ORDINARY
        concealment.become_marker(encounter, row, troops.Condition.CAMOUFLAGED)

    await field.arrange(veiled)
    await field.ask(ANNA, NextStep())
    heard = len(field.heard)
    await field.ask(BO, SpendOrder("Leaper", skill=LONG_JUMP, path="roof, ground", fall=5))
    assert "At the end of the Jump, it falls 5 in." in field.heard
    assert not [line for line in field.heard[heard:] if "Leaper" in line]
    lines = await field.ask(ANNA, Resolve(), 20)
    assert "Leaper falls and is unhurt." in lines
    assert any(line.endswith("is revealed as Leaper.") for line in lines)
