"""What the order of a turn and of a purchase does not allow; each is refused with its rule."""

from __future__ import annotations

import pytest

from bot.games.fracd_earth import hide_tokens
from bot.games.fracd_earth.activation_actions import (
    Activate,
    Done,
    Hold,
    Use,
    find_side_to_act,
    list_able_figures,
)
from bot.games.fracd_earth.attack_actions import Attack
from bot.games.fracd_earth.check_actions import Dodge
from bot.games.fracd_earth.detect_actions import Hide
from bot.games.fracd_earth.edge_actions import Spend
from bot.games.fracd_earth.move_actions import PassBy
from bot.games.fracd_earth.state import encounter_state
from bot.games.fracd_earth.turn_actions import Redraw
from bot.table.session.encounters import NextStep
from bot.table.session.models import AddCondition
from tests.bot.fracd_earth.duel import ANNA, BO, SIDES, Duel
from tests.bot.fracd_earth.test_edges import SHOT, won
from tests.bot.fracd_earth.test_previews import ROOK, VALE, acts


@pytest.mark.rule("FE-TURN-01")
async def test_a_turn_ends_when_everybody_has_acted(duel: Duel) -> None:
    refused = await duel.table.refused(ANNA, NextStep())
    assert refused.startswith("Wait for the rest to act: Captain Vale")
    assert "Rulebook: Turns (FE-TURN-01)." in refused


@pytest.mark.rule("FE-TURN-03")
async def test_a_redraw_comes_before_anybody_acts(duel: Duel) -> None:
    await duel.table.done(ANNA, AddCondition(ROOK, "redraw"), reason="to test")
    await acts(duel, VALE)
    assert "You can't redraw now, because a figure has already acted." in await duel.table.refused(
        ANNA, Redraw(ROOK)
    )


@pytest.mark.rule("FE-OUT-12")
async def test_no_more_further_targets_than_were_bought(duel: Duel) -> None:
    await acts(duel, VALE)
    await won(duel, SHOT, "10S 2S", "2C")
    await duel.choose(ANNA, "Buy", "extra_target")
    running = await duel.running()
    assert running is not None
    two = tuple(int(choice.value) for choice in duel.answer.reply.menus[0].choices[:2])
    assert "You can choose only 1 further target." in await duel.table.refused(
        ANNA, Spend(running.id, extra=two)
    )


async def test_nobody_attacks_its_own_side(duel: Duel) -> None:
    await acts(duel, VALE)
    assert "Pick an enemy. Rook is on Captain Vale's side." in await duel.table.refused(
        ANNA, Attack(VALE, ROOK, 6)
    )


@pytest.mark.rule("FE-DEF-04")
async def test_a_defence_buys_moves_alone(duel: Duel) -> None:
    await acts(duel, VALE)
    await won(duel, SHOT, "2S 3S", "KC")
    running = await duel.running()
    assert running is not None
    refused = await duel.table.refused(BO, Spend(running.id, ("abuse",)))
    assert "Without a counterattack, you can only buy moves." in refused


@pytest.mark.rule("FE-ACT-01", "FE-TURN-02")
async def test_one_figure_acts_at_a_time_and_once_a_turn(duel: Duel) -> None:
    running = await duel.table.encounter()
    who = BO if encounter_state(running).to_act == SIDES[BO] else ANNA
    first, second = (VALE, ROOK) if who == ANNA else ("Sable", "Ironjaw")
    await duel.ask(who, Activate(name=first))
    assert f"Press Done for {first} first." in await duel.table.refused(who, Activate(name=second))
    await duel.ask(who, Done())
    assert f"{first} has already acted this turn." in await duel.table.refused(who, Activate(name=first))
    assert f"{first} has already acted this turn." in await duel.table.refused(who, Hold(first))


@pytest.mark.rule("FE-MAN-01")
async def test_nobody_gets_past_its_own_side(duel: Duel) -> None:
    await acts(duel, VALE)
    assert "Pick an enemy. Rook is on Captain Vale's side." in await duel.table.refused(
        ANNA, Dodge(VALE, ROOK)
    )


@pytest.mark.rule("FE-ACT-01", "FE-HID-01")
async def test_nobody_hides_from_an_enemy_that_is_acting(duel: Duel) -> None:
    await acts(duel, VALE)
    assert f"Thug can't hide while {VALE} is acting." in await duel.table.refused(BO, Hide("Thug"))
    await duel.ask(ANNA, Hide(ROOK))
    await duel.ask(ANNA, Done())
    await duel.ask(BO, Hide("Thug"))
    assert (await duel.encounter()).find_model("Thug").id in {
        token.figure for token in hide_tokens.tokens(await duel.encounter())
    }


@pytest.mark.rule("FE-DET-01")
async def test_who_is_hidden_is_not_charged(duel: Duel) -> None:
    await duel.ask(BO, Hide("Thug"))
    await acts(duel, VALE)
    refused = await duel.table.refused(ANNA, PassBy(VALE, "Thug", charge=True))
    assert "Detect Thug before you charge it, because it is Hidden." in refused


@pytest.mark.rule("FE-DEF-02")
async def test_an_inactive_figure_neither_acts_nor_supports_nor_reacts(duel: Duel) -> None:
    await duel.ask(ANNA, AddCondition("Rook", "inactive"))
    said = "Rook can't do anything while it is Inactive."
    first = find_side_to_act(await duel.encounter())
    assert first
    for action in (
        Activate(name="Rook"),
        Use("Rook", "reaction"),
        Attack("Captain Vale", "Sable", 6, support="Rook"),
        Attack("Rook", "Sable", 6, manner="quick"),
    ):
        assert said in await duel.table.refused(ANNA, action), action
    rook = (await duel.encounter()).find_model("Rook")
    assert rook.id not in list_able_figures(await duel.encounter(), rook.side), "nobody offers it"
