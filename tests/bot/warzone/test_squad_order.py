"""The models of a squad in its round: one after another by themselves, or all together step by step."""

from __future__ import annotations

import pytest

from bot.actions import Action
from bot.games.warzone.activation import Activate, ActNext, Done
from bot.games.warzone.break_away_actions import BreakAway
from bot.games.warzone.close_combat_actions import Charge
from bot.games.warzone.game import Warzone
from bot.games.warzone.jump_actions import FallDown
from bot.games.warzone.move_actions import Move, SetPresence
from bot.games.warzone.rally_actions import Rally
from bot.games.warzone.reactions import Wait
from bot.games.warzone.shooting_actions import Aim
from bot.games.warzone.shots import Shoot
from bot.games.warzone.state import EncounterState, encounter_state
from bot.games.warzone.unit_actions import CheckCommandDistance
from bot.replies.reply import Reply
from bot.table.journal.history import Undo
from tests.bot.tables import waits
from tests.bot.waited import waited_for
from tests.bot.warzone.skirmish import RIFLE, SWORD, Skirmish


async def three(game: Skirmish) -> None:
    await game.add("Red", "Ann", "leader", RIFLE, SWORD, squad="Trio")
    for name in ("Ben", "Cat"):
        await game.add("Red", name, squad="Trio")


async def panel(game: Skirmish) -> Reply:
    return Warzone().panel(await game.table.encounter())


def prompts(reply: Reply) -> list[str]:
    return [menu.prompt for menu in reply.menus]


@pytest.mark.rule("WZ-TURN-03")
async def test_a_squad_goes_on_from_model_to_model(game: Skirmish) -> None:
    await three(game)
    await game.begin()
    reply = await game.act("Trio")
    assert prompts(reply) == ["Which model of Trio acts next?"]
    assert [choice.label for choice in reply.menus[0].choices] == ["Ann", "Ben", "Cat"]
    assert prompts(await panel(game)) == ["Which model of Trio acts next?"]
    reply = await game.choose(reply.menus[0].choices[1].value)
    assert reply.lines[0] == "Ben acts now (3 actions)."
    assert "Now: Ben (3 actions)" in (await panel(game)).lines
    assert "Still to act: Ann, Cat (3 actions each)" in (await panel(game)).lines
    assert not prompts(await panel(game))
    await game.do(Move("Ben"))
    await game.do(Move("Ben"))
    reply = await game.do(Move("Ben"))
    assert "Which model of Trio acts next?" in reply.lines
    assert [choice.label for choice in reply.menus[0].choices] == ["Ann", "Cat"]
    for _ in range(3):
        reply = await game.do(Move("Ann"))
    assert reply.lines[-1] == "Next: Cat (3 actions).", "the last one acts by itself"
    assert not reply.menus
    assert "Now: Cat (3 actions)" in (await panel(game)).lines
    assert "Cat is done" not in [button.label for button in (await panel(game)).buttons], "the last one"
    for _ in range(3):
        reply = await game.do(Move("Cat"))
    assert reply.lines[-1] == "Trio has used all its actions."
    assert reply.buttons[0].label == "Done"
    assert not any("Unspent" in line for line in (await game.press("Done")).lines)


@pytest.mark.rule("WZ-TURN-03")
async def test_whoever_is_passed_over_loses_his_actions_in_words(game: Skirmish) -> None:
    await three(game)
    await game.begin()
    await game.act("Trio")
    await game.do(Move("Ann"))
    reply = await game.do(Move("Ben"))
    assert "Ann ends its activation with 2 actions unused." in reply.lines
    assert "Other models of Trio have acted since Ann did." in await game.refused(Aim("Ann", "Bex"))
    await game.do(Undo())
    await game.do(Aim("Ann", "Bex"))
    assert "End Ann's activation" in [button.label for button in (await panel(game)).buttons]
    reply = await game.do(Done("Ann"))
    assert reply.lines[0] == "Ann ends its activation with 1 action unused."
    assert "Which model of Trio acts next?" in reply.lines
    await game.do(ActNext("Cat"))
    reply = await game.do(ActNext("Ben"))
    assert not any("lost" in line for line in reply.lines), "Cat did nothing and may act yet"
    await game.do(Move("Ben"))
    await game.do(ActNext("Cat"))
    assert "Ben has finished" in await game.refused(ActNext("Ben"))
    assert "Choose a model from Trio" in await game.refused(ActNext("Rex"))
    assert "Choose a model from Trio" in await game.refused(Done("Rex"))
    assert "can do this for" in await game.refused(Done(), "bo")
    assert "one after another" in await game.refused(Done(step="attacks"))


@pytest.mark.rule("WZ-TURN-03")
async def test_done_asks_while_somebody_may_still_act(game: Skirmish) -> None:
    await three(game)
    await game.begin()
    await game.act("Trio")
    await game.do(Move("Ann"))
    await game.do(Move("Ben"))
    asked = await game.asks(Done().as_typed_action())
    told = (
        "Still to act: Ben (2 actions), Cat (3 actions).",
        "Press Done (all of Trio) to continue anyway.",
    )
    assert asked.lines == told, "Ann has finished"
    reply = await game.press("Done (all of Trio)")
    assert reply.lines[:2] == (
        "Trio's activation ends.",
        ("Unused actions are lost: Ben (2 actions), Cat (3 actions)."),
    ), "Ann's were told before"
    await game.bo(Activate("Bex"))
    for _ in range(3):
        await game.bo(Move("Bex"))
    assert (await game.bo(Done().as_typed_action())).lines[0] == "Bex's activation ends."


@pytest.mark.rule("WZ-TURN-03", "WZ-WAIT-01")
async def test_waiting_or_dying_goes_on_too(game: Skirmish) -> None:
    await three(game)
    await game.begin()
    await game.act("Trio")
    await game.do(Done("Ben"))
    await game.do(Move("Ann"))
    await game.do(Move("Ann"))
    assert (await game.do(Wait("Ann"))).lines[-1] == "Next: Cat (3 actions)."
    await game.do(FallDown("Cat", 20), *(20,) * 10)
    assert await game.gone("Cat")
    assert (await game.done()).lines[0] == "Trio's activation ends."


@pytest.mark.rule("WZ-TURN-03", "WZ-ORDER-01")
async def test_an_order_within_a_round_keeps_who_acts(game: Skirmish) -> None:
    await game.add("Red", "Chief", "leader, commander", RIFLE, squad="Staff")
    await game.add("Red", "Aide", squad="Staff")
    await game.begin()
    await game.act("Staff")
    await game.do(Move("Chief"))
    await game.do(Activate("Rex", "Chief"))
    assert "Active: Rex (3 actions)" in (await panel(game)).lines
    await game.done()
    assert "Now: Chief (1 action)" in (await panel(game)).lines
    assert (await game.do(Move("Chief"))).lines[-1] == "Next: Aide (3 actions)."


@pytest.mark.rule("WZ-TURN-03")
async def test_together_all_move_then_all_attack_then_the_rest(game: Skirmish) -> None:
    await game.setting("squad order", "together")
    await three(game)
    await game.under("Cat", "panicked")
    await game.begin()
    reply = await game.act("Trio")
    assert "First all models move, then all attack, then all use their other actions." in reply.lines
    assert not reply.menus
    stands = await panel(game)
    assert [button.label for button in stands.buttons][:3] == [
        "All moves done",
        "Move and fire...",
        "Done (all of Trio)",
    ]
    assert not [button for button in stands.buttons if button.style == "main"], "actions are left"
    assert "Active: Trio (moving)" in stands.lines
    assert "Still to act: Ann, Ben, Cat (3 actions each)" in stands.lines
    await game.do(Move("Ann"))
    await game.do(Move("Ben"))
    await game.do(SetPresence("Ann", "minimized"))
    assert "WZ-TURN-03" in await game.refused(Shoot("Ben", "Bex", "8"))
    answer = await game.table.do("anna", Aim("Ben", "Bex"))
    assert answer.reply.lines[0].startswith('Press "All moves done" first.')
    pressed = await game.table.press("anna", answer, "All moves done")
    assert pressed.reply.lines == ("Trio has finished its moves.", "", "All of Trio's models attack now.")
    assert "Active: Trio (attacking)" in (await panel(game)).lines
    for refused in (Move("Cat"), Charge("Cat", "Bex"), SetPresence("Cat", "prone")):
        refusal = await game.refused(refused)
        assert "finished" in refusal or "Panicked" in refusal
    await game.do(Shoot("Ben", "Bex", "8"), 20)
    await game.do(Shoot("Ann", "Bex", "8"), 20)
    assert "are still making their attacks" in await game.refused(Rally("Ann"))
    await game.do(Done(step="rest"))
    assert "Still to act: Ben (1 action), Cat (3 actions)" in (await panel(game)).lines
    assert "Trio has already finished its attacks" in await game.refused(Shoot("Ben", "Bex", "8"))
    assert "already" in await game.refused(Done(step="attacks"))
    assert "Step: attacks, rest." in await game.refused(Done(step="moves"))
    assert "Trio's models act together." in await game.refused(ActNext("Cat"))


@pytest.mark.rule("WZ-TURN-03", "WZ-ORDER-01")
@pytest.mark.parametrize("order", ["one by one", "together"])
async def test_what_a_squad_came_to_is_forgotten_while_its_commander_goes_on(
    game: Skirmish, order: str
) -> None:
    await game.setting("squad order", order)
    await three(game)
    await game.add("Red", "Chief", "commander, individual", RIFLE)
    await game.begin("Red")
    await game.act("Chief")
    await game.do(Activate("Trio", "Chief"))
    await game.do(Done(step="attacks") if order == "together" else ActNext("Ben"))
    kept = EncounterState.step if order == "together" else EncounterState.acting
    trio = (await game.model("Ben")).squad
    assert kept.__get__(encounter_state(await game.table.encounter()), EncounterState)[trio]
    await game.do(Done())
    assert "Chief" in "".join((await panel(game)).lines), "his round goes on"
    assert not kept.__get__(encounter_state(await game.table.encounter()), EncounterState)[trio]


@pytest.mark.rule("WZ-TURN-03")
async def test_together_concerns_no_model_on_its_own(game: Skirmish) -> None:
    await game.setting("squad order", "together")
    await game.begin()
    await game.act("Rex")
    await game.do(Shoot("Rex", "Bex", "8"), 20)
    await game.do(Move("Rex"))


@pytest.mark.rule("WZ-TURN-03", "WZ-BREAK-01")
async def test_together_breaking_away_comes_with_the_moves(game: Skirmish) -> None:
    await game.setting("squad order", "together")
    await three(game)
    await game.do(CheckCommandDistance("Ben", 3))
    await game.begin()
    await game.act("Trio")
    await game.do(Charge("Ann", "Bex"))
    await game.do(BreakAway("Ann"), 20, 1)
    await game.do(Move("Ann"))


async def test_the_panel_waits_for_done_when_every_action_is_spent(game: Skirmish) -> None:
    await game.begin()
    await game.act("Rex")
    assert waited_for(await game.table.encounter()) == "Waiting for anna to act with Rex."
    for _ in range(3):
        await game.do(Move("Rex"))
    assert (
        waited_for(await game.table.encounter())
        == "Waiting for anna to press Done (Rex has no actions left)."
    )


@pytest.mark.parametrize("onwards", [Done(asks=True), Done("Ann"), Done(), ActNext("Ben")])
async def test_nobody_is_done_while_dice_are_half_thrown(game: Skirmish, onwards: Action) -> None:
    """Else the faces that are in would be left behind, and the panel would wait for a throw of the past."""
    await three(game)
    await game.begin()
    await game.act("Trio")
    asked = await game.table.do("anna", Shoot("Ann", "Bex", distance="SR"))
    assert waits(asked)
    told = await game.table.do("anna", onwards)
    assert not told.changed
    assert told.reply.lines[:2] == ("Enter these dice first:", asked.reply.lines[0])


async def test_done_says_whether_it_ends_the_round_of_others(game: Skirmish) -> None:
    await three(game)
    await game.begin()
    await game.act("Trio")
    await game.do(ActNext("Ben"))
    labels = [button.label for button in (await panel(game)).buttons]
    assert "End Ben's activation" in labels
    assert "Done (all of Trio)" in labels
    await game.do(Done())
    await game.bo(Activate("Bex"))
    assert "Done" in [button.label for button in (await panel(game)).buttons], "Bex is alone"


async def test_names_with_numbers_are_not_taken_for_actions(game: Skirmish) -> None:
    await game.add("Red", "Ann", squad="Trio", count=3)
    await game.begin()
    await game.act("Trio")
    told = " ".join(" ".join((await panel(game)).lines).split())
    assert "Still to act: Ann, Ann 2, Ann 3 (3 actions each)" in told
