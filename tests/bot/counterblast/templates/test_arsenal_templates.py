"""Template weapons at the table, one effect after another."""

from __future__ import annotations

import pytest

from bot.games.counterblast.movement.moves import Move
from bot.games.counterblast.setup.surroundings import SetTable, ShowField
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.state.models import block_text
from bot.games.counterblast.templates.coverage import PLACE, WHOLLY
from bot.games.counterblast.templates.template_attacks import Template
from bot.games.counterblast.turn.overwatch import Interrupt
from bot.store.rows import ModelRow
from bot.table.encounter import GONE
from tests.bot.arranging import Step
from tests.bot.counterblast.psionics.test_psi_play import throws
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, block, change, hurt, touching, under

GUARDLING = "Edo Guardling"


def fires(*weapons: str) -> Step:
    def alter(row: ModelRow) -> None:
        row.profile = block_text("skip_westmoreland", weapons)

    return change("Skip", alter)


def fresh(row: ModelRow) -> None:
    row.counters.clear()


# ---------------------------------------------------------------- Overwatch


@pytest.mark.rule("CB-OVER-02", "CB-TMPL-08")
async def test_a_grenade_is_thrown_from_overwatch_at_the_active_enemy(ring: Ring) -> None:
    await ring.arrange(under("overwatch", "Skip"))
    thrown = Template("Skip", "Grenade", distance=6, mode="overwatch", target="Trapper", under="Trapper")
    assert "during its activation.\nRulebook: Overwatch (page 16; CB-OVER-02)" in await ring.refused(
        ANNA, thrown
    )
    await ring.arrange(active("Trapper", "Smap"))
    friend = Template("Skip", "Grenade", distance=6, mode="overwatch", target="Smap")
    assert "CB-OVER-02" in await ring.refused(ANNA, friend)
    blind = Template("Skip", "Grenade", distance=6, sight="blind", mode="overwatch", target="Trapper")
    assert "From Overwatch, you need line of sight to the spot" in await ring.refused(ANNA, blind)
    await ring.ask(ANNA, Interrupt())
    assert ring.labels == [
        "Overwatch: Skip Westmoreland at Trapper",
        "Overwatch: Skip Westmoreland, Grenade at Trapper",
    ]
    lines = await throws(ring, ANNA, thrown, 8, 2, 2, 8)
    assert lines[0] == "Skip Westmoreland's Grenade lands on target."
    assert lines[1] == "Grenade hits Trapper: 1 wound, and Trapper goes down."
    skip = await ring.model("Skip")
    assert not skip.has("overwatch")
    assert skip.count("actions spent") == 0
    assert "is not on Overwatch" in await ring.refused(ANNA, thrown)


@pytest.mark.rule("CB-ACT-11", "CB-TMPL-05")
async def test_a_round_template_may_be_aimed(ring: Ring) -> None:
    await ring.arrange(active("Skip"))
    await throws(ring, ANNA, Template("Skip", "Grenade", distance=6, mode="aim", under="Trapper"), 8)
    assert "+1 aimed CB-ACT-11" in ring.why
    assert (await ring.model("Skip")).count("actions spent") == 2


# ---------------------------------------------------------------- flames


@pytest.mark.rule("CB-TMPL-03", "CB-TMPL-10", "CB-WEAP-25")
async def test_a_flamethrower_sets_models_and_the_ground_on_fire(ring: Ring) -> None:
    await ring.arrange(fires("flamethrower"), active("Skip"))
    sprayed = Template("Skip", "Flamethrower", under="Trapper")
    await ring.ask(ANNA, SetTable(vacuum=1))
    assert "doesn't work" in await ring.refused(ANNA, sprayed)
    await ring.ask(ANNA, SetTable(vacuum=0))
    lines = await ring.ask(ANNA, sprayed, 6, 2)
    assert lines[0] == "Place the template of Skip Westmoreland's Flamethrower."
    assert 'The ground there catches fire (R5). The fire is named "flames".' in lines
    assert "Trapper burns." in lines
    assert (await ring.model("Trapper")).has("burning")
    assert "flames: fire R5, started in turn 1" in await ring.ask(ANNA, ShowField())


@pytest.mark.rule("CB-TMPL-10")
async def test_machines_suffer_less_from_flames(ring: Ring) -> None:
    await ring.arrange(fires("flamethrower"), active("Skip"))
    await ring.ask(ANNA, Template("Skip", "Flamethrower", under="HOpR"), 8, 2)
    # One die at +1 against Defense 9, stopped by shields at Power 5, not two dice at +2 and Power 7.
    assert "Power 5, damage 1" in ring.why


# ---------------------------------------------------------------- lines


@pytest.mark.rule("CB-TMPL-04", "CB-TMPL-12", "CB-WEAP-27")
async def test_a_line_asks_for_one_after_the_other_and_ends_where_nobody_is_wounded(ring: Ring) -> None:
    await ring.arrange(fires("particle_beam_cannon"), active("Skip"))
    lines = await ring.ask(ANNA, Template("Skip", "Particle Beam Cannon"))
    assert "Which model is nearest on the line?" in lines
    trapper, guardling, prime = [(await ring.model(name)).id for name in ("Trapper", GUARDLING, "Prime")]
    await ring.choose(ANNA, guardling * PLACE + WHOLLY)
    assert ring.answer.reply.lines[0] == "On the line: Edo Guardling."
    await ring.choose(ANNA, trapper * PLACE + WHOLLY)
    assert ring.answer.reply.lines[0] == "On the line: Edo Guardling, Trapper."
    await ring.choose(ANNA, prime * PLACE + WHOLLY)
    rolled = next(one.action for one in ring.answer.reply.buttons if one.label == "Roll for these models")
    # The Guardling (Defense 7) is wounded, the Trapper (8) is not, so the line ends before the Prime Leader.
    lines = await throws(ring, ANNA, rolled, 9)
    assert ": 2 wounds on Edo Guardling." in "\n".join(lines), "one success, and one more against the Living"
    assert "Trapper is unhurt." in lines
    assert "Prime Leader is unhurt." in lines


# ---------------------------------------------------------------- void and deep


@pytest.mark.rule("CB-WEAP-31", "CB-TMPL-16", "CB-CREW-05")
async def test_the_void_takes_a_leader_whose_crew_names_another(ring: Ring) -> None:
    await ring.arrange(fires("void_cannon"), active("Skip"))
    fired = Template("Skip", "Void Cannon", distance=6, under="Prime", partly="Trapper")
    lines = await throws(ring, ANNA, fired, 8)
    assert "Prime Leader is lost." in lines
    assert "Trapper is moved to the edge of the void and falls Prone." in lines
    assert "Edo has lost its leader. Who leads now?" in lines
    assert "Spawnguard" in ring.labels
    encounter = await ring.table.encounter()
    assert encounter.find_model("Prime", gone=True).status == GONE
    assert (await ring.model("Trapper")).has("prone")


@pytest.mark.rule("CB-WEAP-31", "CB-COND-05")
async def test_who_can_make_no_check_is_gone_in_the_void(ring: Ring) -> None:
    await ring.arrange(fires("void_cannon"), active("Skip"), hurt("Trapper", 1))
    lines = await throws(ring, ANNA, Template("Skip", "Void Cannon", distance=6, under="Trapper"), 8)
    assert "Trapper is lost." in lines


@pytest.mark.rule("CB-TMPL-18", "CB-TMPL-08")
async def test_a_deep_grenade_floors_who_is_quick_enough(ring: Ring) -> None:
    await ring.arrange(fires("deep_grenade"), active("Skip"))
    lines = await throws(
        ring, ANNA, Template("Skip", "Deep Grenade", distance=6, under="Trapper"), 6, 2, 2, 2, 7
    )
    assert "Trapper is knocked down." in lines
    assert "template CB-TMPL-05" in ring.why
    assert "+5 template" in ring.why, "thrown as any grenade"


# ---------------------------------------------------------------- bursts


@pytest.mark.rule("CB-FEAT-24", "CB-FEAT-25", "CB-WEAP-05", "CB-GEAR-09")
async def test_an_emp_burst_drains_for_a_turn_once_an_encounter_in_melee_too(ring: Ring) -> None:
    await ring.arrange(fires("emp_burst_r8"), active("Skip"), touching(("Skip", GUARDLING)))
    burst = Template("Skip", "EMP Burst R8", under=f"{GUARDLING},HOpR")
    lines = await throws(ring, ANNA, burst, 7, 7, 2, 7)
    assert "EMP Burst R8 hits Edo Guardling: drained." in lines
    guardling = await ring.model(GUARDLING)
    assert guardling.has("drained")
    assert guardling.damage == 0
    assert (await ring.model("HOpR")).has("drained")
    await ring.arrange(active(GUARDLING, "HOpR"), change("Skip", fresh), change(GUARDLING, fresh))
    assert "is drained" in await ring.refused(BO, Shoot(GUARDLING, "Sally", 4))
    assert "is drained and can't do anything." in await ring.refused(ANNA, Move("HOpR"))


@pytest.mark.rule("CB-FEAT-24")
async def test_an_emp_burst_is_used_up(ring: Ring) -> None:
    await ring.arrange(fires("emp_burst_r4"), active("Skip"))
    await ring.ask(ANNA, Template("Skip", "EMP Burst R4", under="Trapper"), 2)
    await ring.arrange(
        change("Skip", lambda row: row.counters.update({"actions spent": 0, "attacks made": 0}))
    )
    again = Template("Skip", "EMP Burst R4", under="Trapper")
    assert "in this encounter.\nRulebook: Features (pages 27 to 34; CB-FEAT-24)" in await ring.refused(
        ANNA, again
    )


@pytest.mark.rule("CB-FEAT-62", "CB-WEAP-29", "CB-COND-04")
async def test_a_neuro_pulse_stuns(ring: Ring) -> None:
    await ring.arrange(active("HOpR"))
    lines = await ring.ask(ANNA, Template("HOpR", "Neuro Pulse R4", under="Trapper"), 7)
    assert "Neuro Pulse R4 hits Trapper: stunned." in lines
    trapper = await ring.model("Trapper")
    assert trapper.has("incapacitated")
    assert trapper.damage == 0


# ---------------------------------------------------------------- what templates add


@pytest.mark.rule("CB-TMPL-17", "CB-WEAP-30", "CB-FEAT-35", "CB-FEAT-36")
async def test_a_sonic_cannon_drives_back_and_floors_at_once(ring: Ring) -> None:
    await ring.arrange(fires("sonic_blaster_cannon"), active("Skip"))
    lines = await throws(ring, ANNA, Template("Skip", "Sonic Blaster Cannon", under="Prime"), 8, 2, 8)
    assert "Sonic Blaster Cannon hits Prime Leader: no wound." in lines
    assert "Prime Leader is knocked down." in lines, "even if every wound was stopped"
    assert "Prime Leader is pushed back 6 in." in lines


@pytest.mark.rule("CB-TMPL-13", "CB-WEAP-23")
async def test_each_model_that_a_burst_of_arcs_wounds_passes_one_die_on(ring: Ring) -> None:
    await ring.arrange(fires("rocket_launcher_arc_burst"), active("Skip"))
    fired = Template("Skip", "Arc Burst", distance=6, under=f"Trapper,{GUARDLING}")
    await throws(ring, ANNA, fired, 8, 2, 2, 7, 2, 6)
    assert {"Arc from Trapper...", "Arc from Edo Guardling..."} <= set(ring.labels)
    await ring.press(ANNA, "Arc from Trapper...")
    lines = await ring.choose(ANNA, (await ring.model("Prime")).id, faces=(2,))
    assert "Arc from Trapper: 1D+3 vs 8" in lines, "with the modifier of the damage dice"


@pytest.mark.rule("CB-TMPL-14", "CB-WEAP-29")
async def test_a_neuralizer_rocket_stuns(ring: Ring) -> None:
    await ring.arrange(fires("rocket_launcher_neuralizer"), active("Skip"))
    lines = await throws(ring, ANNA, Template("Skip", "Neuralizer", distance=6, under="Trapper"), 8, 2, 2, 6)
    assert "Rocket Launcher Neuralizer hits Trapper: stunned." in lines
    assert (await ring.model("Trapper")).has("incapacitated")


@pytest.mark.rule("CB-TMPL-15", "CB-WEAP-27")
async def test_a_particle_rocket_does_three_more_to_the_living(ring: Ring) -> None:
    await ring.arrange(fires("rocket_launcher_particle_burst"), active("Skip"))
    await throws(ring, ANNA, Template("Skip", "Particle Burst", distance=6, under="Prime"), 8, 2, 2, 6)
    assert (await ring.model("Prime")).damage == 4


@pytest.mark.rule("CB-TMPL-11", "CB-WEAP-26")
async def test_a_gamma_cannon_takes_three_shield_dice(ring: Ring) -> None:
    await ring.arrange(fires("gamma_disruptor_cannon"), active("Skip"))
    cast = Template("Skip", "Gamma Disruptor Cannon", distance=6, under="Prime", cover=2)
    await throws(ring, ANNA, cast, 8, 2, 2, 7, 2, rest=9)
    assert (await ring.model("Prime")).damage == 1, "1 of its own and 2 of cover, less 3: none is rolled"
    assert "-3 Gamma Disruptor Cannon CB-WEAP-26" in ring.why


@pytest.mark.rule("CB-TMPL-05", "CB-TMPL-06", "CB-TMPL-07")
async def test_a_round_template_scatters_or_comes_down_on_its_firer(ring: Ring) -> None:
    await ring.arrange(fires("gamma_disruptor_cannon"), active("Skip", "Smap"))
    far = Template("Skip", "Gamma Disruptor Cannon", distance=20)
    lines = await throws(ring, ANNA, far, 8)
    assert lines[0].startswith("Skip Westmoreland's Gamma Disruptor Cannon ")
    assert "on target" not in lines[0], "one success, and two are needed at long range"
    await ring.arrange(block("Smap", "smap", "gamma_disruptor_cannon"))
    lines = await throws(ring, ANNA, Template("Smap", "Gamma Disruptor Cannon", distance=6), 1)
    assert "lands on the shooter" in lines[0]


@pytest.mark.rule("CB-TMPL-01")
async def test_the_odds_of_a_template_are_asked_once_it_is_said_who_is_under_it(ring: Ring) -> None:
    await ring.arrange(fires("rocket_launcher_arc_burst"), active("Skip"))
    await throws(ring, ANNA, Template("Skip", "Arc Burst", distance=6), 8, 8)
    trapper = await ring.model("Trapper")
    await ring.choose(ANNA, trapper.id * PLACE + WHOLLY)
    lines = await ring.press(ANNA, "Odds")
    assert any(line.startswith("Trapper: hurt ") for line in lines)
    assert "No dice were rolled." in lines
    assert (await ring.model("Trapper")).damage == trapper.damage
    assert ring.labels[0] == "Roll"
