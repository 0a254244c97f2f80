"""Leaving a melee, hiding and being spotted, breaking free."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games.counterblast.melee.disengagement import Disengage, group_alike
from bot.games.counterblast.movement.hiding import BreakFree, Hide, Spot
from bot.games.counterblast.movement.moves import Move
from bot.games.counterblast.setup.surroundings import SetTable
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.state.models import block_text
from bot.store.rows import ModelRow
from bot.table.journal.history import Undo
from bot.table.rolling.dice_settings import DiceMode
from tests.bot.counterblast.psionics.test_psi_play import throws
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, block, change, touching, under

LEAVE = Disengage("Wanda")


async def held(ring: Ring, *enemies: str) -> None:
    await ring.arrange(active("Wanda"), touching(*(("Wanda", enemy) for enemy in enemies)))


@pytest.mark.rule("CB-DISENG-01", "CB-DISENG-02", "CB-DISENG-04", "CB-FEAT-44")
async def test_ties_favour_the_leaver_who_then_moves_away(ring: Ring) -> None:
    await held(ring, "Edo Guardling", "Trapper")
    lines = await ring.ask(ANNA, LEAVE, 4, 2, 2, 7, 6, 2)
    assert lines[0] == "Wanda Whitestar disengages without facing a free attack."
    assert "Wanda Whitestar gets away and can move up to 6 in." in lines
    assert "Wanda Whitestar: AGL 3D+3 vs 7" in lines
    assert lines.index("hold the enemy back: 7 success") == lines.index("Edo Guardling: AGL 1D+0 vs 7") + 1
    wanda = await ring.model("Wanda")
    assert not wanda.is_engaged
    assert wanda.count("actions spent") == 1
    assert not (await ring.model("Trapper")).is_engaged


@pytest.mark.rule("CB-DISENG-02", "CB-DISENG-03")
async def test_one_free_attack_meets_half_of_the_dice(ring: Ring) -> None:
    await held(ring, "Edo Guardling", "Trapper")
    lines = await ring.ask(ANNA, LEAVE, 2, 2, 2, 7, 2, 2, *(7, 7), 7, 2)
    assert lines[0] == "Wanda Whitestar disengages, but Edo Guardling can strike."
    assert "Edo Guardling hits Wanda Whitestar: 1 wound, 2 Life left." in lines
    assert "+1 half of 2 dice CB-DISENG-03" in ring.why
    assert not (await ring.model("Wanda")).is_engaged


@pytest.mark.rule("CB-DISENG-02", "CB-DISENG-03", "CB-FIGHT-03")
async def test_two_free_attacks_share_the_half(ring: Ring) -> None:
    """STR 2D+2, bare hands: one die at +2, placed against one of them; the other attack meets no defence."""
    await held(ring, "Edo Guardling", "Edo Guardling 2")
    lines = await ring.ask(ANNA, LEAVE, 2, 2, 2, 7, 7)
    assert "1. Wanda Whitestar: 1 die against Edo Guardling and Edo Guardling 2" in lines
    assert (
        "Only anna can do this for Lancers."
        in (await ring.table.press(BO, ring.answer, "Split evenly")).reply.text
    )
    lines = await ring.press(ANNA, "Split evenly", *(2, 2), 5, *(7, 2), 2)
    assert "against STR 1D+2 vs 8" in lines
    assert "against no defense dice" in lines
    assert "Wanda Whitestar gets away and can move up to 6 in." in lines
    assert not (await ring.model("Wanda")).is_engaged


@pytest.mark.rule("CB-DISENG-04", "CB-COND-05")
async def test_a_leaver_that_goes_down_stays(ring: Ring) -> None:
    await held(ring, "Edo Guardling")
    await ring.arrange(change("Wanda", lambda row: setattr(row, "damage", 2)))
    lines = await ring.ask(ANNA, LEAVE, 2, 2, 2, 7, *(7, 7), 2, 2)
    assert "Edo Guardling hits Wanda Whitestar: 2 wounds, and Wanda Whitestar goes down." in lines
    assert "Wanda Whitestar can't move away." in lines


@pytest.mark.rule("CB-DISENG-01", "CB-ORDER-05")
async def test_who_may_leave_and_the_order_token(ring: Ring) -> None:
    await ring.arrange(active("Wanda"))
    assert "can simply Move.\nRulebook: Disengaging (page 14; CB-DISENG-01)" in await ring.refused(
        ANNA, LEAVE
    )
    await ring.arrange(touching(("Wanda", "Trapper")))
    before = await ring.orders(1)
    lines = await ring.ask(ANNA, Disengage("Wanda", order=True), 2, 2, 3, 2, 2)
    assert "Wanda Whitestar: AGL 3D+4 vs 7" in lines
    assert await ring.orders(1) == before - 1


@pytest.mark.rule("CB-DISENG-01", "CB-DISENG-03")
async def test_odds_of_leaving(ring: Ring) -> None:
    await held(ring, "Edo Guardling", "Trapper")
    lines = await ring.ask(ANNA, Disengage("Wanda", odds=True))
    assert ring.answer.reply.private
    assert lines[0] == "Wanda Whitestar disengages from Edo Guardling and Trapper"
    assert ring.labels == ["Disengage", "Disengage with an order token", "Compare", "Change..."]
    assert not (await ring.model("Wanda")).count("actions spent")


async def test_enemies_that_are_alike_are_weighed_once(ring: Ring) -> None:
    """Eight alike need the blows of 8 endings prepared, not those of 255."""
    trapper = await ring.model("Trapper")
    alike = tuple(replace(trapper, id=100 + number, name=f"Trapper {number}") for number in range(8))
    assert group_alike(alike) == (alike,)
    assert group_alike((*alike[:4], replace(alike[4], damage=1))) == (
        alike[:4],
        (replace(alike[4], damage=1),),
    )


@pytest.mark.rule("CB-ENV-07", "CB-DISENG-02")
async def test_odds_of_leaving_know_of_the_vacuum_as_the_blows_do(ring: Ring) -> None:
    """Every blow has 1 more Power there: Wanda's shields stop fewer of its hits."""
    await held(ring, "Spawnguard", "Prime")
    await ring.arrange(lambda encounter: encounter.row.settings.update(melee_weapon="first"))
    await ring.arrange(under("prone", "Wanda"))
    in_air = await ring.ask(ANNA, Disengage("Wanda", odds=True))
    await ring.ask(ANNA, SetTable(vacuum=1))
    outside = await ring.ask(ANNA, Disengage("Wanda", odds=True))
    assert in_air[1] == outside[1]
    assert in_air[2] != outside[2]


@pytest.mark.rule("CB-ORDER-05", "CB-DISENG-01")
async def test_an_enemy_may_hold_back_with_an_order_token(ring: Ring) -> None:
    await ring.arrange(active("Skip"), touching(("Skip", "Trapper")))
    before = await ring.orders(2)
    lines = await ring.ask(ANNA, Disengage("Skip", ask=True))
    assert lines[0] == "Skip Westmoreland wants to disengage from Trapper."
    assert "Trapper spends an order token (+1)" in ring.labels
    assert (await ring.model("Skip")).count("actions spent") == 1
    asked = ring.answer
    refused = await ring.table.press(ANNA, asked, "Trapper spends an order token (+1)")
    assert "Only bo can do this for Edo." in refused.reply.text
    await throws(ring, BO, asked.reply.buttons[1].action, rest=2)
    assert await ring.orders(2) == before - 1
    assert "+1 order token" in ring.why
    late = await ring.table.press(BO, asked, "Roll without a token")
    assert "disengages without facing a free attack" in late.reply.text
    assert late.reply.lines[-1].startswith("bo: Skip Westmoreland "), "it says who answered"
    assert [button.label for button in late.reply.buttons] == ["More..."], "it leads on"


# ---------------------------------------------------------------- hiding


@pytest.mark.rule("CB-HIDE-01", "CB-HIDE-02")
async def test_a_hidden_model_is_no_target(ring: Ring) -> None:
    await ring.arrange(active("Skip", "Prime"))
    await ring.ask(ANNA, Hide("Skip"))
    skip = await ring.model("Skip")
    assert skip.has("hidden")
    assert skip.count("actions spent") == 1
    assert "CB-HIDE-02" in await ring.refused(BO, Shoot("Prime", "Skip", 5))
    assert "CB-HIDE-01" in await ring.refused(ANNA, Hide("Skip"))


@pytest.mark.rule("CB-HIDE-03")
async def test_one_move_keeps_it_hidden_two_moves_or_being_seen_do_not(ring: Ring) -> None:
    await ring.arrange(active("Skip", "Wanda"))
    await ring.ask(ANNA, Hide("Wanda"))
    await ring.press(BO, "Wanda Whitestar moved into view")
    assert not (await ring.model("Wanda")).has("hidden")
    await ring.arrange(under("hidden", "Skip"))
    await ring.ask(ANNA, Move("Skip"))
    assert (await ring.model("Skip")).has("hidden")
    await ring.ask(ANNA, Move("Skip"))
    assert not (await ring.model("Skip")).has("hidden")


@pytest.mark.rule("CB-HIDE-01", "CB-ACT-10")
async def test_nobody_hides_from_a_melee(ring: Ring) -> None:
    await ring.arrange(active("Skip"), touching(("Skip", "Trapper")))
    assert "CB-ACT-10" in await ring.refused(ANNA, Hide("Skip"))


@pytest.mark.rule("CB-HIDE-04", "CB-HIDE-07")
async def test_spotting_takes_an_action_and_reveals_to_all(ring: Ring) -> None:
    await ring.arrange(active("Prime"), under("hidden", "Skip"))
    lines = await ring.ask(BO, Spot("Prime", "Skip"), 6)
    assert lines[0] == "Prime Leader spots Skip Westmoreland, which is no longer Hidden."
    assert "INT 1D+1 vs 7" in lines
    assert not (await ring.model("Skip")).has("hidden")
    assert (await ring.model("Prime")).count("actions spent") == 1
    assert "is not Hidden.\nRulebook: Hiding (pages 15 and 20; CB-HIDE-04)" in await ring.refused(
        BO, Spot("Prime", "Skip")
    )


@pytest.mark.rule("CB-HIDE-04")
async def test_spotting_can_fail_and_be_tried_again(ring: Ring) -> None:
    await ring.arrange(active("Prime"), under("hidden", "Skip"))
    assert (await ring.ask(BO, Spot("Prime", "Skip"), 5))[0] == "Prime Leader doesn't spot Skip Westmoreland."
    assert (await ring.model("Skip")).has("hidden")
    await ring.ask(BO, Spot("Prime", "Skip", order=True), 5)
    assert not (await ring.model("Skip")).has("hidden")
    await ring.arrange(under("hidden", "Trapper"))
    assert "same crew" in await ring.refused(BO, Spot("Prime", "Trapper"))


@pytest.mark.rule("CB-HIDE-05")
async def test_a_scanner_is_free_and_reaches_8_in(ring: Ring) -> None:
    await ring.arrange(active("Prime"), under("hidden", "Skip"))
    assert "carries no Scanner.\nRulebook: Hiding (pages 15 and 20; CB-HIDE-05)" in await ring.refused(
        BO, Spot("Prime", "Skip", 5)
    )
    await ring.arrange(block("Prime", "prime_leader"), change("Prime", give_scanner))
    assert "reaches 8 in" in await ring.refused(BO, Spot("Prime", "Skip", 9))
    await ring.ask(BO, Spot("Prime", "Skip", 8), 9)
    assert not (await ring.model("Skip")).has("hidden")
    assert (await ring.model("Prime")).count("actions spent") == 0


def give_scanner(row: ModelRow) -> None:
    row.profile = block_text("prime_leader", (), ("scanner",))


@pytest.mark.rule("CB-HIDE-08")
async def test_a_shot_from_hiding_reveals(ring: Ring) -> None:
    await ring.table.done(ANNA, DiceMode("bot"))
    await ring.arrange(active("Skip"), under("hidden", "Skip"))
    await ring.ask(ANNA, Shoot("Skip", "Prime", 5))
    assert "+1 attack from hiding CB-HIDE-08" in ring.why
    assert not (await ring.model("Skip")).has("hidden")


@pytest.mark.rule("CB-HIDE-04")
async def test_odds_of_spotting(ring: Ring) -> None:
    await ring.arrange(active("Prime"), under("hidden", "Skip"))
    lines = await ring.ask(BO, Spot("Prime", "Skip", odds=True))
    assert lines[0] == "Prime Leader spots Skip Westmoreland: 50%"
    assert ring.labels == ["Roll", "Roll with an order token", "Compare", "Change..."]


# ---------------------------------------------------------------- pinned


@pytest.mark.rule("CB-COND-06")
async def test_breaking_free_twice_in_an_activation(ring: Ring) -> None:
    await ring.arrange(active("Skip"), under("pinned", "Skip"))
    assert (await ring.ask(ANNA, BreakFree("Skip"), 4, 4, 2))[0] == "Skip Westmoreland stays Pinned."
    lines = await ring.ask(ANNA, BreakFree("Skip"), 5, 4, 2)
    assert lines[0] == "Skip Westmoreland is free."
    assert not (await ring.model("Skip")).has("pinned")
    assert (
        "is not Pinned, so it doesn't have to break free.\nRulebook: Conditions (pages 19 to 21; CB-COND-06)"
        in await ring.refused(ANNA, BreakFree("Skip"))
    )


@pytest.mark.rule("CB-COND-06", "CB-CHECK-16")
async def test_breaking_free_from_a_grappler(ring: Ring) -> None:
    await ring.arrange(active("Skip"), under("pinned", "Skip"))
    assert "stays Pinned" in (await ring.ask(ANNA, BreakFree("Skip", "Trapper"), 5, 4, 2, 5, 2))[0]
    assert "is free" in (await ring.ask(ANNA, BreakFree("Skip", "Trapper"), 5, 5, 2, 5, 2))[0]
    await ring.ask(ANNA, Undo())
    assert (await ring.model("Skip")).has("pinned")


@pytest.mark.rule("CB-COND-06")
async def test_a_pinned_model_does_nothing_else(ring: Ring) -> None:
    await ring.arrange(active("Skip"), under("pinned", "Skip"))
    assert "CB-COND-06" in await ring.refused(ANNA, Hide("Skip"))
    assert "CB-COND-06" in await ring.refused(ANNA, Shoot("Skip", "Prime", 5))


@pytest.mark.rule("CB-PANIC-07")
async def test_any_int_check_uses_up_the_mark_of_a_shaken_model(ring: Ring) -> None:
    await ring.arrange(active("Prime"), under("hidden", "Skip"), under("shaken", "Prime"))
    await ring.ask(BO, Spot("Prime", "Skip"), 9, 2)
    assert (await ring.model("Skip")).has("hidden"), "the lower of two dice counts"
    assert not (await ring.model("Prime")).has("shaken")
    await ring.ask(BO, Spot("Prime", "Skip"), 6)
    assert not (await ring.model("Skip")).has("hidden")
