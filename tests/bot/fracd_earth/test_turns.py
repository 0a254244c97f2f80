"""Whose activation it is: waiting, interrupting once, going on afterwards, more cards for initiative."""

from __future__ import annotations

import pytest

from bot.actions import Action
from bot.games.fracd_earth.activation_actions import Activate, Done, Hold, Interrupt, Use
from bot.games.fracd_earth.check_actions import Dodge, FigureCheck
from bot.games.fracd_earth.detect_actions import Hide
from bot.games.fracd_earth.figures import activation_of
from bot.games.fracd_earth.move_actions import HalfMove, Move
from bot.games.fracd_earth.roster_actions import AddFigure
from bot.games.fracd_earth.turn_actions import Redraw
from bot.table.encounter import Encounter
from bot.table.game import game_of
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from bot.table.session.models import AddCondition, DamageModel, RemoveModel
from bot.table.session.settings import Settings
from tests.bot.fracd_earth.duel import ANNA, BO, Duel, stacked
from tests.bot.fracd_earth.test_three_sides import CLEO, open_three
from tests.bot.tables import Table
from tests.bot.waited import waited_for


def to_act(side: int):  # type: ignore[no-untyped-def]
    def say(encounter: Encounter) -> None:
        encounter.row.counters["to act"] = side

    return say


async def waiting(duel: Duel, *cards: tuple[str, str]) -> None:
    """Rook waits and Ironjaw acts; these cards lie on top."""
    await duel.arrange(to_act(1))
    await duel.ask(ANNA, Hold("Rook"))
    await duel.ask(BO, Activate(name="Ironjaw"))
    for who, top in cards:
        await duel.stack(who, top=top)


@pytest.mark.rule("FE-TURN-02")
async def test_who_waits_tries_to_interrupt_once_in_an_activation(duel: Duel) -> None:
    await waiting(duel, (ANNA, "2S KD"), (BO, "9S 3S"))
    assert "Only a waiting figure can interrupt." in await duel.table.refused(ANNA, Interrupt("Ember"))
    await duel.ask(ANNA, Interrupt("Rook"))
    assert duel.first == "Rook fails to interrupt Ironjaw."
    assert "Initiative: Wardens 2, Prowlers 9" in duel.answer.reply.lines
    again = await duel.table.refused(ANNA, Interrupt("Rook"))
    assert again.startswith("Rook can't try to interrupt Ironjaw again.")
    assert (await duel.encounter()).condition(2, "wait") is not None
    await duel.ask(BO, Done())
    await duel.arrange(to_act(2))
    await duel.ask(BO, Activate(name="Sable"))
    await duel.stack(ANNA, top="KD")
    await duel.stack(BO, top="9S")
    await duel.ask(ANNA, Interrupt("Rook"))
    assert duel.first == "Rook interrupts Sable."


@pytest.mark.rule("FE-TURN-01")
async def test_the_other_side_acts_where_nobody_is_left_of_the_one_that_was_told(duel: Duel) -> None:
    """Its last figures left play in between: nobody could act, and the panel had no button."""
    await duel.arrange(to_act(2))
    await duel.ask(BO, Activate(name="Sable"))
    await duel.ask(BO, Done())
    await duel.arrange(to_act(2))
    for row in (await duel.encounter()).models(2):
        if row.name != "Sable":
            await duel.ask(BO, RemoveModel(row.name))
    encounter = await duel.encounter()
    panel = game_of(encounter).panel(encounter)
    assert waited_for(encounter) == "Waiting for anna to choose who acts."
    assert "Acts next: Wardens" in panel.lines
    assert [menu.prompt for menu in panel.menus] == ["Who acts?"]
    await duel.ask(ANNA, Activate(name="Ember"))
    assert duel.first == "Ember acts."


@pytest.mark.rule("FE-TURN-02")
async def test_equal_cards_are_drawn_again_between_the_two(duel: Duel) -> None:
    await waiting(duel, (ANNA, "9D 10D"), (BO, "9S 3S"))
    await duel.ask(ANNA, Interrupt("Rook"))
    assert duel.answer.reply.lines[:3] == (
        "Rook interrupts Ironjaw.",
        "Initiative: Wardens 9, Prowlers 9",
        "Initiative: Wardens 10, Prowlers 3",
    )


@pytest.mark.rule("FE-TURN-03")
async def test_done_asks_where_nothing_was_done(duel: Duel) -> None:
    await duel.arrange(to_act(2))
    await duel.ask(BO, Activate(name="Ironjaw"))
    asked = await duel.ask(BO, Done().as_typed_action())
    assert asked.reply.private
    assert asked.reply.lines == ("Ironjaw has not taken an action yet.", "Press Done to continue anyway.")
    assert not asked.changed
    await duel.ask(BO, Use("Ironjaw", "reaction"))  # type: ignore[arg-type]
    asked = await duel.ask(BO, Done().as_typed_action())
    assert asked.reply.lines[:2] == ("Ironjaw has not taken an action yet.", "Used: 1 reaction"), (
        "it only reacted"
    )
    await duel.ask(BO, Move("Ironjaw", "run"))
    assert (await duel.ask(BO, Done().as_typed_action())).reply.lines[
        0
    ] == "Ironjaw is done. Used: Run, 1 reaction."


@pytest.mark.rule("FE-TURN-02", "FE-ACT-01")
async def test_who_was_interrupted_goes_on_with_what_is_left(duel: Duel) -> None:
    await waiting(duel, (ANNA, "KD"), (BO, "9S"))
    await duel.ask(BO, Move("Ironjaw", "run"))
    await duel.press(ANNA, "Nobody reacts")
    await duel.ask(ANNA, Interrupt("Rook"))
    assert duel.answer.reply.lines[-1] == "Ironjaw continues afterwards."
    refused = await duel.table.refused(BO, Use("Ironjaw", "command"))
    assert "It is not Ironjaw's activation (Rook is acting)." in refused
    await duel.ask(ANNA, Done())
    assert duel.answer.reply.lines == (
        "Rook is done. Used: nothing.",
        "Ironjaw continues. Used: Run",
    )
    encounter = await duel.encounter()
    assert encounter.count("acting") == encounter.find_model("Ironjaw").id
    assert activation_of(encounter.find_model("Ironjaw")).pace == "run"
    assert "The Move action has already been used." in await duel.table.refused(BO, Move("Ironjaw"))
    await duel.press(BO, "Done")
    assert (await duel.encounter()).count("to act") == 1


@pytest.mark.rule("FE-TURN-02")
async def test_an_action_waits_for_the_figure_that_may_interrupt_it(duel: Duel) -> None:
    await waiting(duel, (ANNA, "KD"), (BO, "9S"))
    await duel.ask(BO, Move("Ironjaw", "run"))
    assert duel.answer.reply.lines == (
        "Ironjaw is about to move.",
        "anna can react with Rook (60 seconds).",
    )
    assert "Wait for the answer" in await duel.table.refused(BO, Done())
    await duel.press(ANNA, "Rook interrupts")
    assert duel.first == "Rook interrupts Ironjaw."
    assert "can react with Rook" in (await duel.table.go_on(BO)).reply.text
    await duel.ask(ANNA, Done())
    assert "Finish that first" in await duel.table.refused(BO, Done())
    answer = await duel.table.go_on(BO)
    assert answer.reply.lines[0].startswith("Ironjaw")
    assert activation_of((await duel.encounter()).find_model("Ironjaw")).pace == "run"


@pytest.mark.rule("FE-TURN-02")
async def test_who_was_too_late_to_interrupt_is_not_asked_again(duel: Duel) -> None:
    await waiting(duel, (ANNA, "2S KD"), (BO, "9S 3S"))
    await duel.ask(ANNA, Interrupt("Rook"))
    assert duel.first == "Rook fails to interrupt Ironjaw."
    await duel.ask(BO, Move("Ironjaw", "run"))
    assert "can react" not in duel.text
    assert activation_of((await duel.encounter()).find_model("Ironjaw")).pace == "run"


@pytest.mark.rule("FE-TURN-02")
@pytest.mark.parametrize(
    ("action", "does"),
    [
        (Hide("Ironjaw"), "hide"),
        (HalfMove("Ironjaw", "jump"), "make a Half-Move"),
        (FigureCheck("Ironjaw", "manv", 9), "make a Check"),
        (Dodge("Ironjaw", "Rook"), "try to get past an opponent"),
    ],
)
async def test_whatever_it_does_waits_for_the_figure_that_may_interrupt_it(
    duel: Duel, action: Action, does: str
) -> None:
    await waiting(duel)
    await duel.ask(BO, action)
    assert duel.first == f"Ironjaw is about to {does}."


@pytest.mark.rule("FE-TURN-02")
async def test_who_was_interrupted_and_fell_does_not_go_on(duel: Duel) -> None:
    await waiting(duel, (ANNA, "KD"), (BO, "9S"))
    await duel.ask(ANNA, Interrupt("Rook"))
    await duel.ask(BO, DamageModel("Ironjaw", 14))
    await duel.ask(ANNA, Done())
    assert duel.answer.reply.lines == ("Rook is done. Used: nothing.", "Next to act: Prowlers.")


@pytest.mark.rule("FE-TURN-02")
async def test_only_the_two_sides_draw_and_a_third_keeps_its_turn(table: Table) -> None:
    duel = await open_three(table)
    await duel.arrange(to_act(2))
    before = len((await duel.deck(ANNA)).pile)
    await duel.ask(CLEO, Hold("Gull"))
    assert duel.answer.reply.lines == ("Gull waits.",)
    assert (await duel.encounter()).count("to act") == 2
    await duel.ask(BO, Activate(name="Ironjaw"))
    await duel.arrange(
        lambda encounter: stacked(encounter, 3, "KD"), lambda encounter: stacked(encounter, 2, "9S")
    )
    await duel.ask(CLEO, Interrupt("Gull"))
    assert duel.answer.reply.lines[:2] == ("Gull interrupts Ironjaw.", "Initiative: Prowlers 9, Gulls 10")
    assert len((await duel.deck(ANNA)).pile) == before


async def test_who_plays_two_sides_is_named_with_each(table: Table) -> None:
    duel = Duel(table)
    await duel.ask(ANNA, StartDemo("fracd_earth"))
    await duel.ask(ANNA, NextStep())
    assert "Cards are dealt to anna (Wardens) and anna (Prowlers)." in duel.answer.reply.lines


LEADER = "\n".join(("name: Leader", "traits: fight 3", "effect: Orders // voice // initiative // +2 // +0"))


@pytest.mark.rule("FE-TURN-01", "FE-TURN-03")
async def test_an_initiative_bonus_draws_more_cards(table: Table) -> None:
    duel = Duel(table)
    await duel.ask(ANNA, StartDemo("fracd_earth"))
    await duel.ask(BO, JoinEncounter("Prowlers"))
    await duel.ask(BO, AddFigure(LEADER, 1, "Prowlers"))
    await duel.ask(ANNA, NextStep())
    # 54 cards, 5 in the Buff Hand, 1 or 3 for initiative.
    assert len((await duel.deck(ANNA)).pile) == 48
    assert len((await duel.deck(BO)).pile) == 46
    assert len((await duel.deck(BO)).discards) == 3
    await duel.ask(BO, AddCondition("Sable", "redraw"))
    await duel.ask(BO, Redraw("Sable"))
    # One card again; on equal values three once more.
    drawn = 46 - len((await duel.deck(BO)).pile)
    assert drawn == 1 + 3 * (len(duel.answer.reply.lines) - 2)


@pytest.mark.rule("FE-TURN-01")
async def test_whoever_has_nobody_left_does_not_draw_for_initiative(table: Table) -> None:
    duel = await open_three(table)
    await duel.ask(ANNA, Settings("initiative", "activation"))
    await duel.arrange(to_act(1), done_all(3))
    await duel.ask(ANNA, Activate(name="Rook"))
    await duel.arrange(
        lambda encounter: stacked(encounter, 1, "9S"),
        lambda encounter: stacked(encounter, 2, "5S"),
        lambda encounter: stacked(encounter, 3, "FLOOD"),
    )
    await duel.ask(ANNA, Done())
    assert duel.answer.reply.lines[1:] == ("Priority goes to Wardens.", "Initiative: Wardens 9, Prowlers 5")
    assert (await duel.encounter()).count("to act") == 1


def done_all(side: int):  # type: ignore[no-untyped-def]
    def act(encounter: Encounter) -> None:
        for row in encounter.models(side):
            row.counters["activated"] = 1

    return act


@pytest.mark.rule("FE-TURN-01")
async def test_a_side_without_figures_has_no_priority(table: Table) -> None:
    duel = await open_three(table)
    for name in ("Gull", "Gull 2"):
        await duel.ask(CLEO, RemoveModel(name))
    for side in (1, 2):
        await duel.arrange(done_all(side))
    await duel.ask(ANNA, NextStep())
    assert "Gulls" not in " ".join(line for line in duel.answer.reply.lines if "Initiative" in line)
    assert (await duel.encounter()).count("to act") in (1, 2)


async def test_a_figure_that_fell_in_its_own_activation_is_only_done(duel: Duel) -> None:
    """The panel does not wait for it to act, and nobody is asked whether it has done enough."""
    await duel.arrange(to_act(1))
    await duel.ask(ANNA, Activate(name="Rook"))
    assert waited_for(await duel.encounter()) == "Waiting for anna to act with Rook."
    await duel.ask(ANNA, RemoveModel("Rook"))
    assert waited_for(await duel.encounter()) == "Waiting for anna to press Done for Rook (out of action)."
    await duel.ask(ANNA, Done(asks=True))
    assert duel.first == "Rook is done. Used: nothing."
