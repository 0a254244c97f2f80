"""Waiting and reacting: firing, spotting, diving, and what meets a charge."""

from __future__ import annotations

import re

import pytest

from bot.games.warzone.activation import Done
from bot.games.warzone.close_combat_actions import Charge, Fight
from bot.games.warzone.move_actions import Move
from bot.games.warzone.reactions import Dive, React, Wait
from bot.games.warzone.shots import Shoot, Template
from bot.games.warzone.waiting_actions import Conceal
from bot.table.referee.game_replay import referee
from rules.systems.warzone.model import Condition
from tests.bot.referee.exported import export
from tests.bot.tables import waits
from tests.bot.warzone.skirmish import RIFLE, SWORD, Skirmish


async def bex_waits(game: Skirmish) -> None:
    await game.begin("Blue")
    await game.act("Bex", "bo")
    assert "can wait only with its last action (it has 3 actions)" in await game.refused(Wait("Bex"), "bo")
    await game.bo(Move("Bex"))
    await game.bo(Move("Bex"))
    await game.bo(Wait("Bex"))
    await game.done("bo")
    await game.act("Rex")


@pytest.mark.rule("WZ-WAIT-01", "WZ-WAIT-02", "WZ-WAIT-03", "WZ-TURN-03")
async def test_firing_from_wait(game: Skirmish) -> None:
    await bex_waits(game)
    odds = await game.asks(React("Bex", "fire", "Rex", odds=True))
    assert "reacts     50% ##########" in odds.lines
    reply = await game.do(Move("Rex"))
    assert "bo can react with Bex (60 seconds)." in reply.lines
    assert "not yours" in (await game.table.press("anna", game.last, "Bex fires")).reply.text  # type: ignore[arg-type]
    reply = await game.press("Bex fires", 10, who="bo")
    assert reply.lines[0] == "Bex reacts and fires."
    reply = await game.bo(Shoot("Bex", "Rex", "8"), 20)
    assert reply.lines[0] == "Bex misses Rex."
    assert "isn't active" in await game.refused(Shoot("Bex", "Rex", "8"), "bo")
    assert "a model that is waiting" in await game.refused(React("Bex", "fire", "Rex"), "bo")


@pytest.mark.rule("WZ-WAIT-02")
async def test_a_failed_reaction_loses_the_action(game: Skirmish) -> None:
    await bex_waits(game)
    await game.do(Move("Rex"))
    reply = await game.press("Bex fires", 11, who="bo")
    assert reply.lines[0] == "Bex hesitates and loses its reaction."
    assert "isn't active" in await game.refused(Shoot("Bex", "Rex", "8"), "bo")


@pytest.mark.rule("WZ-WAIT-04")
async def test_countercharge_both_strike_at_once(game: Skirmish) -> None:
    await bex_waits(game)
    reply = await game.do(Charge("Rex", "Bex"))
    assert [button.label for button in reply.buttons][:4] == [
        "Bex fires",
        "Bex countercharges",
        "Bex braces",
        "Bex withdraws",
    ]
    await game.press("Bex countercharges", 5, who="bo")
    reply = await game.press("Both attack", 9, 20, 9, 20, who="bo")
    assert reply.lines[:2] == ("Bex hits Rex: 1 wound, out of play.", "Rex hits Bex: 1 wound, out of play.")


@pytest.mark.rule("WZ-WAIT-04")
async def test_odds_of_both_striking_tell_what_the_blow_back_does(game: Skirmish) -> None:
    """As the odds of that blow alone tell it; Bex has one wound, so what hurts takes out."""
    await bex_waits(game)
    await game.do(Charge("Rex", "Bex"))
    alone = await game.asks(Fight("Rex", "Bex", odds=True))
    out = next(re.search(r"(\d+)%", line) for line in alone.lines if line.startswith("out"))
    assert out is not None
    await game.do(React("Bex", "countercharge", "Rex"), 5, who="bo")
    both = await game.asks(Fight("Bex", "Rex", together=True, odds=True), "bo")
    at = both.lines.index("Rex strikes back:")
    assert both.lines[at + 1] == f"Bex: {out[1]}% chance to be wounded, {out[1]}% to be taken out"


@pytest.mark.rule("WZ-WAIT-04")
async def test_odds_of_a_fight_know_of_the_brace(game: Skirmish) -> None:
    await bex_waits(game)
    await game.do(Charge("Rex", "Bex"))
    charging = await game.asks(Fight("Rex", "Bex", odds=True))
    await game.do(React("Bex", "brace", "Rex"), 5, who="bo")
    braced = await game.asks(Fight("Rex", "Bex", odds=True))
    assert any(": 8 or less" in line for line in braced.lines), braced.lines
    assert charging.lines != braced.lines


@pytest.mark.rule("WZ-WAIT-04")
async def test_bracing_and_withdrawing(game: Skirmish) -> None:
    await bex_waits(game)
    await game.do(Charge("Rex", "Bex"))
    await game.press("Bex braces", 5, who="bo")
    reply = await game.do(Fight("Rex", "Bex"), 9)
    assert reply.lines[0] == "Rex misses Bex.", "8 without the bonus"


@pytest.mark.rule("WZ-WAIT-04")
async def test_withdrawing(game: Skirmish) -> None:
    await bex_waits(game)
    await game.do(Charge("Rex", "Bex"))
    reply = await game.press("Bex withdraws", 5, who="bo")
    assert "Bex withdraws up to 5 in." in reply.lines
    assert "isn't in base contact" in await game.refused(Fight("Rex", "Bex"))


@pytest.mark.rule("WZ-SPOT-07")
async def test_spotting_from_wait(game: Skirmish) -> None:
    await game.do(Conceal("Rex"))
    await bex_waits(game)
    reply = await game.do(Move("Rex"))
    assert reply.buttons[0].label == "Bex tries to spot"
    reacted = await game.press("Bex tries to spot", 5, who="bo")
    assert reacted.lines[0] == "Bex reacts and tries to spot."
    reply = await game.press("Bex tries to spot the enemy", 5, who="bo")
    assert reply.lines[0] == "Bex spots Rex."


@pytest.mark.rule("WZ-DIVE-01")
async def test_diving_for_cover_before_the_template(game: Skirmish) -> None:
    await game.add("Red", "Mortar", "weapon Mortar: DM 14, SR 0, template")
    await game.add("Blue", "Bud")
    await game.begin("Blue")
    await game.act("Bex", "bo")
    await game.bo(Move("Bex"))
    await game.bo(Move("Bex"))
    await game.bo(Wait("Bex"))
    await game.done("bo")
    await game.act("Mortar")
    reply = await game.do(Template("Mortar", "Bud", "8", "Bud, Bex"))
    assert reply.lines == (
        "Mortar is about to fire a template weapon.",
        "bo can react with Bex (60 seconds).",
    )
    await game.press("Bex dives", 5, who="bo")
    assert game.last
    reply = await game.press("Bex gets clear (moving up to 4 in)", who="bo")
    assert reply.lines[0] == "Bex dives and gets clear."
    reply = await game.goes_on(8, 20)
    assert reply.lines[1] == "Bud: 1 wound, out of play"
    assert not any(line.startswith("Bex") for line in reply.lines[:3])
    assert "a model that is diving for cover" in await game.refused(Dive("Bex"), "bo")
    reply = await game.do(Template("Mortar", "Bex", "8"), 8, 1)
    assert reply.lines[:2] == ("Mortar hits Bex.", "Bex: no wound"), "the dive was from the one before"


@pytest.mark.rule("WZ-WAIT-01")
async def test_ambush_keeps_two_actions_and_needs_no_test(game: Skirmish) -> None:
    await game.add("Blue", "Shade", "ambush", RIFLE)
    await game.begin("Blue")
    await game.act("Shade", "bo")
    await game.bo(Move("Shade"))
    assert "Shade keeps 2 actions for reactions (Ambush)." in (await game.bo(Wait("Shade"))).lines
    await game.done("bo")
    await game.act("Rex")
    await game.do(Move("Rex"))
    await game.press("Shade fires", who="bo")
    assert (await game.model("Shade")).value(Condition.WAITING) == 1


@pytest.mark.rule("WZ-WAIT-02", "WZ-PANIC-03")
@pytest.mark.usefixtures("acting")
async def test_reacting_without_an_enemy_in_sight(game: Skirmish) -> None:
    await game.do(Wait("Rex"))
    await game.under("Rex", "panicked")
    seen = await game.asks(React("Rex", "dive", "Bex", "template", odds=True))
    assert seen.lines[0] == "Rex reacts: 7 or less"
    blind = await game.asks(React("Rex", "dive", "Bex", "template", hidden=True, odds=True))
    assert blind.lines[0] == "Rex reacts: 10 or less"


@pytest.mark.rule("WZ-PANIC-04")
@pytest.mark.usefixtures("acting")
async def test_a_frightened_model_on_wait_is_offered_no_countercharge(game: Skirmish) -> None:
    await game.add("Blue", "Cex", SWORD)
    await game.bo(Wait("Bex"))
    await game.under("Bex", "panicked")
    reply = await game.do(Charge("Rex", "Bex"))
    labels = [button.label for button in reply.buttons]
    assert "Bex braces" in labels
    assert "Bex countercharges" not in labels
    assert "can't charge" in await game.refused(React("Bex", "countercharge", "Rex", "charge"), "bo")
    assert (await game.model("Bex")).has("waiting"), "nothing is lost by asking"


@pytest.mark.rule("WZ-WAIT-02", "WZ-WAIT-04")
async def test_blows_after_a_charge_wait_for_the_answer(game: Skirmish) -> None:
    await bex_waits(game)
    await game.do(Charge("Rex", "Bex"))
    charged = game.last
    assert "bo can react with Bex" in await game.refused(Fight("Rex", "Bex"))
    assert "bo can react with Bex" in await game.refused(Done())
    await game.bo(React("Bex", "brace", "Rex", "charge"), 5)
    reply = await game.do(Fight("Rex", "Bex"), 9)
    assert reply.lines[0] == "Rex misses Bex.", "braced before the blow: 8 without the bonus"
    game.last = charged
    assert (
        "Nothing was changed, because the time to react is over"
        in (await game.table.press("bo", charged, "Nobody reacts")).reply.text
    )  # type: ignore[arg-type]


@pytest.mark.rule("WZ-WAIT-02", "WZ-SPOT-01")
async def test_who_has_moved_is_not_concealed_before_the_answer(game: Skirmish) -> None:
    await bex_waits(game)
    await game.do(Move("Rex"))
    assert "bo can react with Bex" in await game.refused(Conceal("Rex"))
    await game.press("Nobody reacts", who="bo")
    await game.do(Conceal("Rex"))


@pytest.mark.rule("WZ-WAIT-02", "WZ-WAIT-03")
async def test_a_shot_after_a_move_waits_for_the_answer(game: Skirmish) -> None:
    await bex_waits(game)
    await game.do(Move("Rex"))
    moved = game.last
    assert "bo can react with Bex" in await game.refused(Shoot("Rex", "Bex", "8"))
    await game.press("Bex fires", 5, who="bo")
    assert "bo can react with Bex" in await game.refused(Shoot("Rex", "Bex", "8")), "it owes the shot"
    await game.bo(Shoot("Bex", "Rex", "8"), 20)
    reply = await game.do(Shoot("Rex", "Bex", "8"), 20)
    assert reply.lines[0] == "Rex misses Bex."
    game.last = moved


@pytest.mark.rule("WZ-WAIT-02")
async def test_nobody_reacts_and_the_game_goes_on(game: Skirmish) -> None:
    await bex_waits(game)
    await game.do(Move("Rex"))
    assert (await game.press("Nobody reacts", who="bo")).lines == ("Bex won't react.",)
    await game.do(Move("Rex"))
    await game.press("Nobody reacts in this activation", who="bo")
    reply = await game.do(Move("Rex"))
    assert not any("can react" in line for line in reply.lines)
    assert (await game.model("Bex")).has(Condition.WAITING)


@pytest.mark.rule("WZ-WAIT-04")
async def test_nobody_reacts_while_dice_are_thrown(game: Skirmish) -> None:
    await bex_waits(game)
    await game.do(Charge("Rex", "Bex"))
    await game.press("Nobody reacts", who="bo")
    assert waits(await game.table.do("anna", Fight("Rex", "Bex")))
    assert "has entered the dice, or cancel the roll" in await game.refused(
        React("Bex", "brace", "Rex", "charge"), "bo"
    )
    assert "Wait until the dice" in await game.refused(Conceal("Bex"), "bo")


async def test_a_template_that_was_held_follows_from_its_export(game: Skirmish) -> None:
    await game.add("Red", "Mortar", "weapon Mortar: DM 14, SR 0, template")
    await game.begin("Blue")
    await game.act("Bex", "bo")
    await game.bo(Move("Bex"))
    await game.bo(Move("Bex"))
    await game.bo(Wait("Bex"))
    await game.done("bo")
    await game.act("Mortar")
    await game.do(Template("Mortar", "Bex", "8"))
    await game.table.press("bo", game.last, "Nobody reacts")  # type: ignore[arg-type]
    hit = await game.table.enter("anna", (8, 20))
    assert hit.changed, hit.reply.text
    assert not waits(hit), hit.reply.text
    await game.done()
    number = (await game.table.loaded()).scope.id
    verdict = await referee(await export(game.table.desk, number))
    assert verdict.whole
    assert verdict.undecided == ""
