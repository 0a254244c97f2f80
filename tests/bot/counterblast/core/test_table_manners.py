"""Whose activation it is, which refusals an organiser lets pass, and dice shared between two marks."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bot.games.counterblast import GAME
from bot.games.counterblast.melee.strikes import Explode
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.templates.coverage import Engulf
from bot.games.counterblast.templates.template_attacks import Template
from bot.games.counterblast.turn.activation_actions import ActNamed
from bot.games.counterblast.turn.bag import DrawToken, PassDraw, RedrawToken
from bot.games.counterblast.turn.overwatch import Overwatch
from bot.games.counterblast.upkeep.upkeep_actions import RollUpkeep
from bot.table.encounter import Encounter
from bot.table.journal.history import Redo, Undo
from bot.table.realdice import EnterFaces
from bot.table.rolling.dice_settings import DiceMode
from bot.table.session.arrivals import EquipModel
from bot.table.session.encounters import NextStep
from bot.table.session.models import DamageModel
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, block, change, hurt, touching, under
from tests.bot.waited import waited_for


def drawn_by_lancers(encounter: Encounter) -> None:
    """Anna drew a token of her own; Bo draws next."""
    encounter.row.counters.update({"drawn": 1, "drawer": 1})


def all_have_acted(encounter: Encounter) -> None:
    for model in encounter.models():
        model.counters["activated"] = 1


@pytest.mark.rule("CB-BAG-04")
async def test_nobody_else_ends_an_activation_that_has_actions_left(ring: Ring) -> None:
    await ring.arrange(active("Sally"), drawn_by_lancers)
    assert "Wait for Lancers to finish Sally Starfield's activation." in await ring.refused(BO, DrawToken())
    spent = change("Sally", lambda row: row.counters.update({"actions spent": 2}))
    await ring.arrange(spent)
    lines = await ring.ask(BO, DrawToken())
    assert lines[0] == "Done: Sally Starfield."


@pytest.mark.rule("CB-BAG-05")
async def test_a_token_whose_crew_is_gone_before_it_acts_stops_nobody(ring: Ring) -> None:
    def lancers_are_done(encounter: Encounter) -> None:
        for model in encounter.models(1):
            model.counters["activated"] = 1

    await ring.arrange(drawn_by_lancers)
    assert "was drawn. First choose who acts." in await ring.refused(ANNA, DrawToken())
    await ring.arrange(lancers_are_done, orders_for_all)
    assert not GAME.panel(await ring.table.encounter()).menus
    lines = await ring.ask(BO, DrawToken())
    assert lines[0] == "Lancers has no models left to act."
    assert lines[1].startswith("bo draws ")


@pytest.mark.rule("CB-BAG-03")
async def test_a_drawn_token_goes_unused_only_by_an_override(ring: Ring) -> None:
    await ring.arrange(drawn_by_lancers)
    ring.answer = await ring.table.do(ANNA, PassDraw())
    assert list(ring.answer.reply.lines) == [
        "One of your tokens was drawn, so choose a model to act.",
        "Rulebook: The initiative bag (page 11; CB-BAG-03).",
    ]
    assert ring.labels == ["Override..."]
    given = await ring.table.press(ANNA, ring.answer, "Override...", reason="the clock ran out")
    assert "Next draw: Edo." in given.reply.lines


@pytest.mark.rule("CB-BAG-04")
async def test_one_token_does_not_activate_twice(ring: Ring) -> None:
    await ring.arrange(drawn_by_lancers)
    await ring.ask(ANNA, ActNamed("Sally"))
    await ring.ask(ANNA, Overwatch("Sally"))
    assert "CB-BAG-04" in await ring.refused(ANNA, ActNamed("Skip"))
    assert "CB-ORDER-04" in await ring.refused(ANNA, RedrawToken())
    lines = await ring.ask(BO, DrawToken())
    assert lines[1].startswith("bo draws ")


@pytest.mark.rule("CB-BAG-03")
async def test_the_panel_offers_what_the_draw_allows(ring: Ring) -> None:
    async def panel() -> tuple[list[str], list[str]]:
        shown = GAME.panel(await ring.table.encounter())
        waits = waited_for(await ring.table.encounter())
        return [waits, *shown.lines], [button.label for button in shown.buttons]

    lines, labels = await panel()
    assert labels == ["Draw", "Undo", "Log"]
    await ring.arrange(drawn_by_lancers)
    lines, labels = await panel()
    assert lines[0] == "Waiting for anna to choose who acts for Lancers."
    assert labels == ["Undo", "Log"]
    await ring.ask(ANNA, ActNamed("Sally"))
    assert (await panel())[1] == ["End activation", "Undo", "Log"]
    await ring.ask(ANNA, Overwatch("Sally"))
    lines, labels = await panel()
    assert lines[0] == "Waiting for anna to end the activation."
    assert labels == ["End activation", "Draw", "Undo", "Log"]


def orders_for_all(encounter: Encounter) -> None:
    for side in encounter.sides():
        side.counters["orders"] = 3


@pytest.mark.rule("CB-TURN-02")
async def test_nobody_else_begins_upkeep_while_the_last_one_acts(ring: Ring) -> None:
    await ring.arrange(all_have_acted, active("Sally"), drawn_by_lancers)
    assert "'s activation" in await ring.refused(BO, NextStep())
    lines = await ring.ask(ANNA, NextStep())
    assert lines[0] == "Upkeep of turn 1. Next: press Confirm"


async def test_a_refusal_that_no_reason_lets_pass_offers_no_override(ring: Ring) -> None:
    answer = await ring.table.do(ANNA, ActNamed("Sally"))
    assert "CB-BAG-03" in answer.reply.text
    assert [button.label for button in answer.reply.buttons] == []
    answer = await ring.table.do(ANNA, Explode((await ring.model("Sally")).id))
    assert "CB-FEAT-16" in answer.reply.text
    assert [button.label for button in answer.reply.buttons] == []


@pytest.mark.rule("CB-SHOOT-01", "CB-HIDE-02")
async def test_the_organiser_lets_an_engaged_model_shoot_at_a_hidden_one(ring: Ring) -> None:
    await ring.arrange(active("Skip"), touching(("Skip", "Edo Guardling")), under("hidden", "Trapper"))
    ring.answer = await ring.table.do(ANNA, Shoot("Skip", "Trapper", 5))
    assert ring.labels == ["Override..."]
    answer = await ring.table.press(ANNA, ring.answer, "Override...", reason="agreed by both")
    assert "throws 4 d10" in answer.reply.text


@pytest.mark.rule("CB-SHOOT-06")
async def test_dice_are_shared_between_two_targets(ring: Ring) -> None:
    """Skip has four: one at the Trapper, three at the Prime Leader."""
    await ring.arrange(active("Skip"))
    few = Shoot("Skip", "Trapper", 5, target2="Prime", distance2=12, dice=4)
    assert "1 to 3" in await ring.refused(ANNA, few)
    one = Shoot("Skip", "Trapper", 5, target2="Prime", distance2=12, dice=1)
    lines = await ring.ask(ANNA, one, 2, 2, 9, 1, 8)
    assert lines[:2] == [
        "Skip Westmoreland shoots: Prime Leader takes 1 wound, Trapper goes down.",
        "Skip Westmoreland hits Prime Leader: 1 wound, 4 Life left.",
    ]
    assert "Skip Westmoreland hits Trapper: 1 wound, and Trapper goes down." in lines
    told = lines[lines.index("Trapper:") :]
    assert told[:2] == ["Trapper:", "attack: 8 -> 7 success"]


@pytest.mark.rule("CB-SHOOT-07")
async def test_two_pistols_share_the_dice_even_at_one_target(ring: Ring) -> None:
    await ring.ask(ANNA, EquipModel("Sally", "Gamma Disruptor Pistol"))
    await ring.arrange(active("Sally"))
    two = Shoot("Sally", "Trapper", 4, weapon="Particle", weapon2="Gamma")
    lines = await ring.ask(ANNA, two, 2, 2)
    assert [line.split(", ")[1] for line in lines if "vs 8" in line] == [
        "Particle Beam Pistol",
        "Gamma Disruptor Pistol",
    ]


@pytest.mark.rule("CB-SHOOT-07")
async def test_odds_of_two_pistols_at_one_target_tell_the_joint_chance(ring: Ring) -> None:
    """Trapper has one Life: it stays up if neither shot wounds it."""
    await ring.ask(ANNA, EquipModel("Sally", "Gamma Disruptor Pistol"))
    await ring.arrange(active("Sally"))
    two = Shoot("Sally", "Trapper", 4, weapon="Particle", weapon2="Gamma", odds=True)
    lines = await ring.ask(ANNA, two)
    first, second, both = (
        int(re.search(r"(\d+)%", line)[1]) for line in lines if line.startswith("goes down (1+)")
    )
    assert lines[lines.index("All shots at Trapper:") + 2].startswith("goes down (1+)")
    assert both == pytest.approx(100 - (100 - first) * (100 - second) / 100, abs=1.5)
    assert both > max(first, second)
    lines = await ring.ask(ANNA, replace(two, target="Prime Leader"))
    told = [[one for one in lines if one.startswith(f"{n} wound")] for n in ("no", 1, 2, 3)]
    each = [[float(re.search(r"(\d+)%", line)[1]) for line in found] for found in told]
    for wounds in (1, 2, 3):
        due = sum(each[n][0] * each[wounds - n][1] for n in range(wounds + 1)) / 100
        assert each[wounds][2] == pytest.approx(due, abs=1.5), wounds


async def test_a_weapon_named_or_not_is_the_same_shot(ring: Ring) -> None:
    await ring.ask(ANNA, DiceMode("bot"))
    await ring.arrange(active("Sally"))
    first = await ring.table.done(ANNA, Shoot("Sally", "Trapper", 4))
    await ring.table.done(ANNA, Undo())
    again = await ring.table.done(ANNA, Shoot("sally", "Trap", 4, weapon="Particle", dice=2))
    assert "These are the same dice as in the undone roll" in again.reply.text
    assert first.reply.lines[0] == again.reply.lines[0]


async def test_the_same_shot_has_the_same_dice_whoever_throws(ring: Ring) -> None:
    """The bot's, undone and asked with table dice; then table dice, undone and asked of the bot."""
    await ring.arrange(active("Skip"))
    shot = Shoot("Skip", "Trapper", 5)
    await ring.ask(ANNA, DiceMode("bot"))
    first = await ring.table.done(ANNA, shot)
    await ring.table.done(ANNA, Undo())
    await ring.ask(ANNA, DiceMode("real"))
    again = await ring.table.done(ANNA, shot)
    assert again.reply.lines[:4] == first.reply.lines[:4]
    undone = await ring.table.done(ANNA, Undo())
    assert [button.label for button in undone.reply.buttons] == ["Redo", "Allow new dice"]
    await ring.afresh(BO)
    typed = await ring.ask(ANNA, shot, 9, 9, 9, 9)
    await ring.table.done(ANNA, Undo())
    await ring.ask(ANNA, DiceMode("bot"))
    assert (await ring.table.done(ANNA, shot)).reply.lines[:4] == tuple(typed[:4])


async def test_a_template_with_all_that_it_does_is_one_step(ring: Ring) -> None:
    await ring.arrange(active("Skip"), block("Skip", "skip_westmoreland", "grenade"))
    skip, trapper = (await ring.model("Skip")).id, (await ring.model("Trapper")).id
    before = ring.table.state()
    lines = await ring.ask(ANNA, Template("Skip", "grenade", distance=5), 9, 9, 9)
    assert "Which models are under the template?" in lines
    landed = ring.table.state()
    await ring.ask(ANNA, Engulf(skip, "grenade", whole=(trapper,)), 9)
    hurt = ring.table.state()
    assert before != landed != hurt

    undone = await ring.table.done(ANNA, Undo())
    assert ring.table.state() == before
    assert len([line for line in undone.reply.lines if line.startswith("Undone:")]) == 2
    await ring.table.press(ANNA, undone, "Redo")
    assert ring.table.state() == hurt

    await ring.table.done(BO, DamageModel("Trapper"))
    await ring.table.agreed(ANNA, Undo(2))
    assert ring.table.state() == before
    await ring.table.done(ANNA, Redo())
    assert ring.table.state() == hurt
    await ring.table.agreed(ANNA, Redo())
    await ring.table.agreed(ANNA, Undo())
    assert ring.table.state() == hurt


@pytest.mark.rule("CB-SHOOT-01")
async def test_the_organiser_lets_an_engaged_model_throw_a_grenade(ring: Ring) -> None:
    grenadier = block("Skip", "skip_westmoreland", "grenade")
    await ring.arrange(active("Skip"), grenadier, touching(("Skip", "Edo Guardling")))
    ring.answer = await ring.table.do(ANNA, Template("Skip", "grenade", distance=5))
    assert "Rulebook: Shooting (page 17; CB-SHOOT-01)." in ring.answer.reply.lines
    assert ring.labels == ["Override..."]
    answer = await ring.table.press(ANNA, ring.answer, "Override...", reason="agreed by both")
    assert "throws 3 d10" in answer.reply.text
    lines = await ring.ask(ANNA, EnterFaces((9, 9, 9)))
    assert "Override by anna: agreed by both" in lines


@pytest.mark.rule("CB-CREW-05")
async def test_upkeep_waits_until_somebody_leads(ring: Ring) -> None:
    await ring.arrange(all_have_acted, hurt("Sally", 9), under("incapacitated", "Sally"))
    lines = await ring.ask(ANNA, NextStep())
    assert "Lancers has lost its leader. Who leads now?" in lines
    asked = ring.answer
    assert "A crew has lost its leader. Choose a new leader first with /upkeep leader." in await ring.refused(
        ANNA, RollUpkeep()
    )
    ring.answer = asked
    lines = await ring.press(ANNA, "Smap")
    assert lines[0] == "Upkeep of turn 1. Smap leads. Next: roll the dice"
    assert "  Smap leads Lancers (2 of 4 order tokens left)" in lines
    assert "Lancers: Panic Level 3" in lines
