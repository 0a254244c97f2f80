"""One against one: contact, dice of both sides, what it costs, Reach, passing by, lent dice, orders."""

from __future__ import annotations

import pytest

from bot.games.counterblast.core.contact import Engage
from bot.games.counterblast.melee.answers import DefendWith
from bot.games.counterblast.melee.attacks import Fight
from bot.table.game import game_of
from bot.table.journal.history import Undo
from bot.table.realdice import EnterFaces
from bot.table.rolling.dice_settings import DiceMode
from bot.table.session.models import DamageModel, RemoveModel
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, block, change, hurt, touching, under

SALLY, GUARD = "Sally Starfield", "Edo Guardling"
FIGHT = Fight("Sally", "#12")


async def ready(ring: Ring, *, target: str = GUARD) -> None:
    await ring.arrange(active(SALLY), touching((SALLY, target)))


@pytest.mark.rule("CB-FIGHT-05", "CB-FIGHT-06", "CB-FIGHT-11", "CB-FIGHT-14")
async def test_the_difference_times_damage_then_one_shield_roll(ring: Ring) -> None:
    await ready(ring)
    lines = await ring.ask(ANNA, FIGHT, 5, 4, 7, 2, 4)
    assert lines[0] == "Sally Starfield hits Edo Guardling: 1 wound, 1 Life left."
    assert lines[1] == "1 hit, 2 damage, 1 stopped by the shield"
    assert lines[3:5] == ["STR 2D+3 vs 8, Particle Beam Pistol", "against STR 2D+0 vs 8"]
    assert (await ring.model(GUARD)).damage == 1


@pytest.mark.rule("CB-FIGHT-12", "CB-WEAP-27")
async def test_every_modifier_is_told_with_its_rule(ring: Ring) -> None:
    await ready(ring)
    await ring.ask(ANNA, FIGHT, 2, 2, 2, 2)
    for said in (
        "+1 flying CB-FIGHT-12",
        "-1 Chameleon CB-FEAT-14",
        "+8 Sally Starfield's Defense CB-FIGHT-05",
        "+1 shield CB-SHIELD-03",
        "+1 Particle Beam Pistol against the living CB-WEAP-27",
    ):
        assert said in ring.why


@pytest.mark.rule("CB-FIGHT-07")
async def test_a_tie_hurts_nobody(ring: Ring) -> None:
    await ready(ring)
    lines = await ring.ask(ANNA, FIGHT, 5, 2, 8, 2)
    assert lines[0] == "Edo Guardling holds off Sally Starfield."
    assert (await ring.model(GUARD)).damage == (await ring.model(SALLY)).damage == 0


@pytest.mark.rule("CB-FIGHT-10")
async def test_the_defenders_net_1s_are_the_attackers_successes(ring: Ring) -> None:
    """1, 1, 8 at target 8 against one success: 2 to 0."""
    await ring.arrange(
        active("Dr. Helen"), touching(("Dr. Helen", "Spawnguard")), block("Spawnguard", "skip_westmoreland")
    )
    lines = await ring.ask(ANNA, Fight("Dr. Helen", "Spawnguard"), 7, 2, 1, 1, 9, 2)
    assert lines[1] == "2 hits, 3 damage"
    assert lines[0] == "Dr. Helen Salinger hits Spawnguard: 3 wounds, and Spawnguard goes down."


@pytest.mark.rule("CB-FIGHT-09")
async def test_a_natural_10_earns_a_die_in_the_same_pairing(ring: Ring) -> None:
    await ready(ring)
    lines = await ring.ask(ANNA, FIGHT, 10, 2, 2, 10, 2, 2)
    assert lines[4:8] == [
        "attack: 10 (natural 10), 2 -> 5 miss",
        "bonus: 2 -> 5 miss",
        "defence: 10 (natural 10), 2 miss",
        "bonus: 2 miss",
    ]
    assert lines[0] == "Edo Guardling holds off Sally Starfield."


@pytest.mark.rule("CB-FIGHT-01", "CB-COND-03", "CB-OVER-03")
async def test_the_bot_asks_whether_they_touch_and_then_keeps_it(ring: Ring) -> None:
    await ring.arrange(active(SALLY), under("overwatch", GUARD))
    said = await ring.refused(ANNA, FIGHT)
    assert "are not marked as being in contact." in said
    await ring.ask(ANNA, FIGHT)
    await ring.press(ANNA, "Mark contact and fight")
    await ring.table.press(BO, ring.answer, "Nobody reacts")
    await ring.ask(ANNA, EnterFaces((2, 2, 2, 2)))
    sally, guard = await ring.model(SALLY), await ring.model(GUARD)
    assert sally.engaged_with == {guard.id}
    assert guard.engaged_with == {sally.id}
    assert not guard.has("overwatch")
    await ring.ask(ANNA, Undo())
    assert not (await ring.model(SALLY)).is_engaged
    assert (await ring.model(GUARD)).has("overwatch")


@pytest.mark.rule("CB-COND-03", "CB-OVER-03")
async def test_contact_said_by_hand_and_taken_back(ring: Ring) -> None:
    await ring.arrange(under("overwatch", SALLY))
    await ring.ask(BO, Engage("Sally", "#12"))
    assert not (await ring.model(SALLY)).has("overwatch")
    assert "are already engaged." in await ring.refused(ANNA, Engage("#12", "Sally"))
    assert "same side" in await ring.refused(ANNA, Engage("Sally", "Skip"))
    await ring.ask(ANNA, Engage("Sally", "#12", apart=True))
    assert not (await ring.model(GUARD)).is_engaged


@pytest.mark.rule("CB-ACT-01", "CB-ACT-03")
async def test_one_action_and_the_one_attack(ring: Ring) -> None:
    await ready(ring)
    await ring.ask(ANNA, FIGHT, 2, 2, 2, 2)
    sally = await ring.model(SALLY)
    assert (sally.count("actions spent"), sally.count("attacks made")) == (1, 1)
    assert "has already attacked in this activation" in await ring.refused(ANNA, FIGHT)
    answer = await ring.table.do(ANNA, FIGHT)
    assert [button.label for button in answer.reply.buttons] == ["Override..."]


@pytest.mark.rule("CB-COND-07", "CB-PANIC-10", "CB-COND-04", "CB-COND-06")
async def test_who_may_not_fight_is_told_why(ring: Ring) -> None:
    await ring.arrange(touching((SALLY, GUARD)))
    assert "Activate" in await ring.refused(ANNA, FIGHT)
    await ring.arrange(active(SALLY), under("panicked", SALLY))
    assert "Rally first.\nRulebook: Panic (pages 12 and 13; CB-PANIC-10)" in await ring.refused(ANNA, FIGHT)
    await ring.arrange(under("pinned", SALLY), change(SALLY, lambda row: None))
    await ring.arrange(hurt(SALLY, 2))
    assert "CB-COND-05" in await ring.refused(ANNA, FIGHT)
    assert "is not yours" in await ring.refused(BO, FIGHT)


@pytest.mark.rule("CB-FIGHT-01", "CB-WEAP-07")
async def test_reach_needs_no_contact(ring: Ring) -> None:
    await ring.arrange(active("Prime"))
    prime = Fight("Prime", "Sally", "Tentacle", inches=1)
    lines = await ring.ask(BO, prime, 5, 5, 2, 2)
    assert "STR 2D+0 vs 8, Tentacle Pwr4 0-1" in lines
    assert not (await ring.model(SALLY)).is_engaged
    assert "in (you entered 2 in" in await ring.refused(BO, Fight("Prime", "Sally", "Tentacle", inches=2))


@pytest.mark.rule("CB-FIGHT-01")
async def test_each_player_names_the_weapon_of_their_own_model(ring: Ring) -> None:
    """The attacker's word for the defender's weapon is refused; the defender chooses where it is asked."""
    await ring.arrange(active("Skip"), touching(("Skip", "Spawnguard")))
    told = await ring.refused(ANNA, Fight("Skip", "Spawnguard", "bare hands", "Arc Pistol"))
    assert told.startswith("bo must choose Spawnguard's weapon.")
    lines = await ring.ask(ANNA, Fight("Skip", "Spawnguard", defence="Arc Pistol", odds=True))
    (fight,) = [one.action for one in ring.answer.reply.buttons if one.label == "Fight"]
    assert fight.defence is None, "what would be refused is not offered"  # type: ignore[attr-defined]
    await ring.ask(ANNA, Fight("Skip", "Spawnguard", "bare hands", ask=True))
    (menu,) = [one for one in ring.answer.reply.menus if one.prompt == "Change weapon"]
    hands = menu.choices[-1]
    assert hands.label == "Spawnguard: Bare hands"
    other = DefendWith(menu.action.row, int(hands.value))  # type: ignore[attr-defined]
    assert await ring.refused(ANNA, other) == "Only bo can do this for Edo."
    for spoils in (DamageModel("Spawnguard"), RemoveModel("Spawnguard")):
        assert (
            await ring.refused(BO, spoils)
            == "Wait for the answer to Skip Westmoreland's attack, or undo the attack."
        )
    lines = await ring.ask(BO, other)
    assert lines[0] == "Spawnguard will fight with Bare hands."
    lines = await ring.press(BO, "Roll", 2, 2, 2, 2, 2, 2)
    assert "STR 3D-1 vs 8, Bare hands" in lines
    assert "Pulsar Rifle in melee" not in ring.why


@pytest.mark.rule("CB-SLASH-01", "CB-SLASH-02")
async def test_slash_and_dash_in_passing(ring: Ring) -> None:
    await ring.arrange(active("Spawnguard"))
    slash = Fight("Spawnguard", "Sally", "Arc Halberd", inches=2, how="slash and dash")
    await ring.ask(BO, slash, 2, 2, 2, 2, 2)
    assert "-1 Slash and Dash CB-SLASH-01" in ring.why
    guard = await ring.model("Spawnguard")
    assert not guard.is_engaged
    assert guard.count("actions spent") == 2
    touching_bases = Fight("Spawnguard", "Sally", "Arc Halberd", how="slash and dash")
    assert "CB-SLASH-02" in await ring.refused(BO, touching_bases)
    pistol = Fight("Spawnguard", "Sally", "Arc Pistol", inches=1, how="slash and dash")
    assert "CB-SLASH-01" in await ring.refused(BO, pistol)


@pytest.mark.rule("CB-FIGHT-04")
async def test_an_ally_engaged_with_the_attacker_is_asked_for_its_die(ring: Ring) -> None:
    await ring.arrange(active(SALLY), touching((SALLY, GUARD), (SALLY, "Trapper")))
    lines = await ring.ask(ANNA, FIGHT)
    assert lines[0] == "Sally Starfield attacks Edo Guardling."
    assert ring.labels == [
        "Roll",
        "Borrow a die from each ally and roll",
        "Edo Guardling spends an order token (+1)",
        "Odds",
        "Undo",
    ]
    assert "Only bo can do this for Edo." in (await ring.table.press(ANNA, ring.answer, "Roll")).reply.text
    lines = await ring.press(BO, "Borrow a die from each ally and roll", 5, 5, 2, 2, 8, 4)
    assert "against STR 3D+0 vs 8" in lines
    assert "+1 lent by Trapper CB-FIGHT-04" in ring.why
    assert lines[0] == "Sally Starfield hits Edo Guardling: 1 wound, 1 Life left."
    again = await ring.agreed(BO, Undo())
    assert again[0].startswith("Undone")
    assert (await ring.model(SALLY)).count("actions spent") == 0


@pytest.mark.rule("CB-ORDER-05")
async def test_both_sides_may_spend_an_order_token(ring: Ring) -> None:
    await ready(ring)
    edo, lancers = await ring.orders(2), await ring.orders(1)
    await ring.ask(ANNA, Fight("Sally", "#12", order=True, ask=True))
    await ring.press(BO, "Edo Guardling spends an order token (+1)")
    assert "Edo Guardling spends an order token (+1)" not in ring.labels
    lines = await ring.press(BO, "Roll", 2, 2, 2, 2)
    assert "STR 2D+4 vs 8, Particle Beam Pistol" in lines
    assert "against STR 2D+1 vs 8" in lines
    assert (await ring.orders(2), await ring.orders(1)) == (edo - 1, lancers - 1)
    await ring.agreed(ANNA, Undo())
    assert (await ring.orders(2), await ring.orders(1)) == (edo, lancers)


async def test_the_same_fight_after_undo_gets_the_same_dice(ring: Ring) -> None:
    await ring.table.done(ANNA, DiceMode("bot"))
    await ready(ring)
    first = await ring.ask(ANNA, FIGHT)
    await ring.agreed(ANNA, Undo())
    second = await ring.ask(ANNA, Fight("Sally Starfield", "Edo Guardling", "Particle Beam Pistol"))
    assert second[: len(first)] == first
    assert "These are the same dice" in second[-1]


@pytest.mark.rule("CB-COND-03", "CB-COND-04", "CB-WEAP-29")
async def test_a_stunned_model_holds_nobody(ring: Ring) -> None:
    await ready(ring)
    await ring.arrange(block(SALLY, "sally_starfield", "neuralizer_baton"))
    lines = await ring.ask(ANNA, Fight("Sally", "#12", "Neuralizer"), 9, 9, 2, 2, 1)
    assert lines[0] == "Sally Starfield hits Edo Guardling: stunned."
    assert (await ring.model(GUARD)).has("incapacitated")
    assert not (await ring.model(SALLY)).is_engaged


@pytest.mark.rule("CB-HIDE-08")
async def test_an_attack_from_hiding_has_advantage_and_reveals(ring: Ring) -> None:
    await ready(ring)
    await ring.arrange(under("hidden", SALLY))
    lines = await ring.ask(ANNA, FIGHT, 2, 2, 2, 2, 2)
    assert "STR 3D+3 vs 8, Particle Beam Pistol" in lines
    assert "+1 attack from hiding CB-HIDE-08" in ring.why
    assert not (await ring.model(SALLY)).has("hidden")


@pytest.mark.rule("CB-ACT-10", "CB-SHOOT-01")
async def test_engaged_models_are_shown_as_such(ring: Ring) -> None:
    await ready(ring)
    encounter = await ring.table.encounter()
    assert any(line.startswith("Engaged: Sally") for line in game_of(encounter).panel(encounter).lines)
    assert "engaged" in game_of(encounter).model_summary(encounter, encounter.find_model(SALLY))
