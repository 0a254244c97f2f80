"""What psionic powers lead to beyond their dice: what is lent, range, sight, shields, the prose."""

from __future__ import annotations

import pytest

from bot.games.counterblast.gear.tasks import Treat, Work
from bot.games.counterblast.psionics.power_choices import FeatureTaken, FloorAll
from bot.games.counterblast.psionics.power_rolls import TakeFocus
from bot.games.counterblast.psionics.power_use import UsePower
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.state.models import block_text, with_powers
from bot.games.counterblast.turn.bag import PassDraw
from bot.table.encounter import Encounter
from rules.systems.counterblast.shooting.templates import blast_inches
from tests.bot.counterblast.psionics.test_psi_play import knows, ready, throws
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, change, hurt, touching, under


def prose(encounter: Encounter) -> None:
    encounter.row.settings = {**encounter.row.settings, "psi_text": "prose"}


def drawn_for_bo(encounter: Encounter) -> None:
    """A token of Bo's crew has been drawn."""
    encounter.row.counters["drawn"] = 2


def anew(name: str):
    return change(name, lambda row: row.counters.clear())


@pytest.mark.rule("CB-PSI-19")
async def test_what_a_probe_lends_lasts_through_the_next_activation(ring: Ring) -> None:
    await ready(ring, "probe")
    await throws(ring, BO, UsePower("Prime", "Probe", "Wanda", "16"), 9, 2, 2)
    prime, wanda = await ring.model("Prime"), await ring.model("Wanda")
    key = wanda.profile.features[0].key
    assert not prime.has_feature(key)
    await ring.ask(BO, FeatureTaken(prime.id, wanda.id, key))
    await ring.arrange(drawn_for_bo)
    await ring.ask(BO, PassDraw())
    assert (await ring.model("Prime")).has_feature(key)  # its own activation is over, not the next one
    await ring.arrange(drawn_for_bo, active("Prime"))
    await ring.ask(BO, PassDraw())
    assert not (await ring.model("Prime")).has_feature(key)


@pytest.mark.rule("CB-PSI-03", "CB-PSI-04", "CB-GEAR-18")
async def test_shields_are_lowered_and_a_lead_helmet_counts_more(ring: Ring) -> None:
    def helmet(encounter: Encounter) -> None:
        encounter.find_model("Skip").profile = block_text("skip_westmoreland", (), ("lead_helmet",))

    await ready(ring, "blast")
    await ring.arrange(helmet)
    await throws(ring, BO, UsePower("Prime", "Blast", "Skip", "6"), 2, 2, 2)
    assert "Skip Westmoreland: Power 7 CB-PSI-03" in ring.why  # 3D: Power 7, shields 2 lower
    assert "-2 psionic rating of 3D CB-PSI-03" in ring.why
    assert "Lead Helmet CB-GEAR-18" in ring.why


@pytest.mark.rule("CB-PSI-15")
async def test_identify_needs_range_and_sight_and_helps_the_check_after_it(ring: Ring) -> None:
    await ready(ring, "identify")
    assert "in (you entered 13 in" in await ring.refused(BO, UsePower("Prime", "Identify", distance="13"))
    assert "Identify needs line of sight to the target" in await ring.refused(
        BO, UsePower("Prime", "Identify", distance="6", unseen=True)
    )
    lines = await throws(ring, BO, UsePower("Prime", "Identify", distance="6"), 8, 2, 2)
    assert lines[:2] == ["Identify gives the skill check +1.", "Make that check now. It costs no action."]
    assert (await ring.model("Prime")).count("actions spent") == 2
    await throws(ring, BO, Work("Prime", "technology", task="door"))
    assert "+1 Identify CB-PSI-15" in ring.why
    assert (await ring.model("Prime")).count("actions spent") == 2
    assert "costs 1 action" in await ring.refused(BO, Work("Prime", "technology", task="door"))


@pytest.mark.rule("CB-PSI-15")
async def test_identify_may_harm_or_spoil_the_check(ring: Ring) -> None:
    await ready(ring, "identify")
    lines = await throws(ring, BO, UsePower("Prime", "Identify", distance="6"), 2, 2, 2)
    assert lines[0] == "Identify gives the skill check -1."
    await ring.arrange(anew("Prime"))
    lines = await throws(ring, BO, UsePower("Prime", "Identify", distance="6"), 1, 2, 2)
    assert lines[0] == "The skill check after Identify will fail, but you still have to make it now."
    await ring.arrange(hurt("Spawnguard", 1))
    lines = await ring.ask(BO, Treat("Prime", "medicine", patient="Spawnguard"))
    assert lines[0] == "Prime Leader treats Spawnguard and causes 1 wound."
    assert (await ring.model("Spawnguard")).damage == 2


@pytest.mark.rule("CB-PSI-15")
async def test_identify_is_lost_with_the_activation(ring: Ring) -> None:
    await ready(ring, "identify")
    await throws(ring, BO, UsePower("Prime", "Identify", distance="6"), 8, 2, 2)
    await ring.arrange(drawn_for_bo)
    await ring.ask(BO, PassDraw())
    await ring.arrange(anew("Prime"), active("Prime"))
    await throws(ring, BO, Work("Prime", "technology", task="door"))
    assert "Identify" not in ring.why


@pytest.mark.rule("CB-PSI-22", "CB-PSI-06")
async def test_by_the_prose_a_critical_power_blast_floors_everybody_in_range(ring: Ring) -> None:
    await ready(ring, "power_blast")
    blast = UsePower("Prime", "Power Blast", "Skip", "6")
    await throws(ring, BO, blast, 10, 2, 2, 2)
    assert "Knock down models in range..." not in ring.labels
    prime, trapper, wanda = [(await ring.model(name)).id for name in ("Prime", "Trapper", "Wanda")]
    assert "new critical" in await ring.refused(BO, FloorAll(prime, (wanda,)))
    await ring.arrange(anew("Prime"), prose)
    await throws(ring, BO, blast, 10, 2, 2, 2)
    assert "House rule: Wording of psionic powers. Use the longer text." in ring.answer.reply.text
    await ring.press(BO, "Knock down models in range...")
    lines = await ring.choose(BO, trapper, wanda)
    assert lines == ["Wanda Whitestar is knocked down.", "Trapper is knocked down."]
    assert (await ring.model("Wanda")).has("prone")
    assert "new critical" in await ring.refused(BO, FloorAll(prime, (wanda,)))


@pytest.mark.rule("CB-PSI-11", "CB-PSI-06")
async def test_by_the_prose_frighten_must_reach_intellect(ring: Ring) -> None:
    await ready(ring, "frighten")
    await ring.arrange(prose)
    assert (await ring.model("Skip")).profile.intellect.value > 1
    lines = await throws(ring, BO, UsePower("Prime", "Frighten", "Skip", "8"), 9, 2, 2)
    assert lines[0] == "Skip Westmoreland holds firm."


@pytest.mark.rule("CB-PSI-19", "CB-PSI-06")
async def test_by_the_prose_a_probe_takes_orders_beyond_intellect(ring: Ring) -> None:
    await ready(ring, "probe")
    await ring.arrange(prose, lambda encounter: encounter.side(2).counters.update(orders=0))
    assert (await ring.model("Sally")).profile.intellect.value == 2
    lines = await throws(ring, BO, UsePower("Prime", "Probe", "Sally", "16"), 9, 9, 2)
    assert lines[0] == "Sally Starfield keeps its secrets. The power needed 3 successes."
    before = await ring.orders(1)
    await throws(ring, BO, UsePower("Prime", "Probe", "Sally", "16"), 10, 9, 9, 9)
    assert "Order token" in ring.labels
    await ring.press(BO, "Order token")
    assert await ring.orders(1) == before - 2  # 4 successes, 2 dice of INT


@pytest.mark.rule("CB-PSI-07", "CB-PSI-06")
async def test_by_the_prose_a_botched_calm_panics_its_source(ring: Ring) -> None:
    await ready(ring, "calm")
    calm = UsePower("Prime", "Calm", "Trapper", "8")
    assert "not Panicked" in await ring.refused(BO, calm)
    await ring.arrange(under("panicked", "Trapper"))
    await throws(ring, BO, calm, 1, 2, 2)
    assert not (await ring.model("Prime")).has("panicked")
    await ring.arrange(prose)
    await throws(ring, BO, calm, 1, 2, 2)
    assert (await ring.model("Prime")).has("panicked")


@pytest.mark.rule("CB-PSI-08")
async def test_calm_takes_ferocity_until_the_next_activation_is_over(ring: Ring) -> None:
    await ready(ring, "calm")
    await ring.arrange(under("borrowed feature: ferocious", "Skip"))
    assert "can't see" in await ring.refused(BO, UsePower("Prime", "Calm", "Skip", "8", unseen=True))
    lines = await throws(ring, BO, UsePower("Prime", "Calm", "Skip", "8"), 9, 2, 2)
    assert lines[0] == "Skip Westmoreland loses Ferocious until the end of its next activation."
    assert not (await ring.model("Skip")).has_feature("ferocious")


@pytest.mark.rule("CB-PSI-25", "CB-PSI-26")
async def test_a_thrown_enemy_is_torn_from_its_melee(ring: Ring) -> None:
    await ready(ring, "telekinesis")
    await ring.arrange(
        touching(("Skip", "Trapper")), change("Skip", lambda row: row.counters.update(height=6))
    )
    lines = await throws(ring, BO, UsePower("Prime", "Telekinesis", "Skip", "8"), 9, 2, 2)
    assert "Skip Westmoreland is no longer engaged with Trapper." in lines
    assert not (await ring.model("Skip")).is_engaged
    assert "Fall" in ring.labels


@pytest.mark.rule("CB-PSI-25")
async def test_a_botched_throw_floors_its_source(ring: Ring) -> None:
    await ready(ring, "telekinesis")
    await throws(ring, BO, UsePower("Prime", "Telekinesis", "Skip", "8"), 1, 2, 2)
    prime = await ring.model("Prime")
    assert prime.has("prone")
    assert not prime.damage


@pytest.mark.rule("CB-PSI-24")
async def test_lifted_it_runs_and_guns_for_the_other_action(ring: Ring) -> None:
    await ready(ring, "telekinesis")
    await ring.arrange(active("Spawnguard"))
    assert "in (you entered 9 in" in await ring.refused(
        BO, UsePower("Prime", "telekinesis_ally", distance="9")
    )
    lines = await throws(ring, BO, UsePower("Prime", "Telekinesis", "Spawnguard", "8"), 9, 2, 2)
    assert "If Spawnguard reaches the table edge, it stops there." in lines
    assert "Spawnguard can Run and Gun for 1 action." in lines
    await throws(ring, BO, Shoot("Spawnguard", "Skip", 6, mode="run and gun"))
    assert "-1 Run and Gun CB-RUN-01" in ring.why
    assert (await ring.model("Spawnguard")).count("actions spent") == 1


@pytest.mark.rule("CB-PSI-12", "CB-PSI-17")
async def test_dice_are_shared_out_evenly_where_none_are_named(ring: Ring) -> None:
    await ready(ring, "blast")
    await throws(ring, BO, UsePower("Prime", "Blast", "Skip, Wanda", "6"), 9, 9, 9)
    assert "dice shared out" in ring.why
    assert "dice shared out" in ring.why


@pytest.mark.rule("CB-PSI-18")
async def test_the_backlash_is_explained(ring: Ring) -> None:
    await ready(ring, "blast")
    await throws(ring, BO, UsePower("Prime", "Blast", "Skip", "6"), 1, 1, 2)
    prime = await ring.model("Prime")
    assert f"Backlash: 2 dice against Defense {prime.profile.defense}, Power 7" in ring.why


@pytest.mark.rule("CB-PSI-14")
async def test_a_botched_heal_may_lose_the_leader(ring: Ring) -> None:
    await ring.arrange(knows("Spawnguard", "heal", key="prime_leader"), active("Spawnguard"))
    life = (await ring.model("Prime")).profile.life
    await ring.arrange(hurt("Prime", life - 1))
    lines = await throws(ring, BO, UsePower("Spawnguard", "Heal", "Prime"), 1, 2, 2)
    assert "removed from play" in lines[0]
    assert "Edo has lost its leader. Who leads now?" in lines or "Edo has no leader" in "\n".join(lines)


@pytest.mark.rule("CB-PSI-05", "CB-GEAR-46")
async def test_fahz_jiin_helps_a_portal_too(ring: Ring) -> None:
    def stone(encounter: Encounter) -> None:
        row = encounter.find_model("Prime")
        row.profile = with_powers(block_text("prime_leader", (), ("fahz_jiin",)), ("deep_portal",))

    await ring.arrange(stone, active("Prime"))
    await ring.ask(BO, TakeFocus("Prime"))
    lines = await throws(ring, BO, UsePower("Prime", "Deep Portal", distance="4"), 1, 2, 2, 9, 2, 2)
    assert lines[0] == "Prime Leader appears 4 in away."


@pytest.mark.rule("CB-PSI-06")
async def test_who_helps_and_from_where(ring: Ring) -> None:
    await ready(ring, "identify", "heal")
    await ring.arrange(knows("Spawnguard", "identify", "heal", key="spawnguard"), active("Spawnguard"))
    helped = UsePower("Prime", "Identify", distance="6", helpers="Spawnguard 1")
    assert "Leave out the helpers, because only one model at a time can use" in await ring.refused(BO, helped)
    await ring.arrange(hurt("Trapper", 1))
    heal = UsePower("Prime", "Heal", "Trapper", helpers="Spawnguard 1")
    assert "in contact with the patient" in await ring.refused(BO, heal)


async def test_the_button_under_odds_uses_what_was_asked(ring: Ring) -> None:
    await ready(ring, "telekinesis", "calm")
    await ring.arrange(under("panicked", "Trapper"))
    for power, target in (("Telekinesis", "Trapper"), ("Telekinesis", "Skip"), ("Calm", "Trapper")):
        await ring.ask(BO, UsePower("Prime", power, target, "6", odds=True))
        use = ring.answer.reply.buttons[0].action
        lines = await throws(ring, BO, use)
        assert lines[0].startswith(("Prime Leader", "Skip")), lines
        await ring.arrange(anew("Prime"))


async def test_odds_of_identify_alone(ring: Ring) -> None:
    await ready(ring, "identify")
    lines = await ring.ask(ANNA, UsePower("Prime", "Identify", distance="6", odds=True))
    assert any("+1 to the skill check" in line and "%" in line for line in lines)
    assert any("the skill check fails" in line for line in lines)


@pytest.mark.rule("CB-PSI-19", "CB-FEAT-24", "CB-FEAT-62", "CB-FEAT-16")
async def test_a_borrowed_burst_is_of_the_level_printed_for_its_owner(ring: Ring) -> None:
    """Skip stands on a small base; what he borrows is of the third level."""
    lent = [f"borrowed feature: {key}" for key in ("emp_burst", "neuro_pulse", "combustible")]
    await ring.arrange(*(under(kind, "Skip", value=3) for kind in lent))
    skip = await ring.model("Skip")
    assert skip.profile.size == "S"
    assert {"emp_burst_r12", "neuro_pulse_r12"} <= {weapon.key for weapon in skip.weapons}
    assert blast_inches(skip) == 6
