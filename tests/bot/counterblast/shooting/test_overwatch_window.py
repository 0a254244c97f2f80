"""The window for Overwatch: whoever keeps it is asked before an enemy acts, and cannot be outrun."""

from __future__ import annotations

import pytest

from bot.games.counterblast.gear.items import UseItem
from bot.games.counterblast.melee.charges import Charge
from bot.games.counterblast.movement.hiding import Hide
from bot.games.counterblast.movement.moves import Move
from bot.games.counterblast.setup.surroundings import SetTable
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.turn.bag import PassDraw
from bot.table.journal.history import Redo, Undo
from bot.table.offers.forms import build_form
from bot.table.offers.legal_actions import Looking
from bot.table.reaction_windows import waits, window_of
from bot.table.session.board_actions import PlaceModel
from bot.table.session.models import AddCondition, DamageModel, RemoveModel, RenameModel
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, hurt, touching, under
from tests.bot.tables import waits as awaits_dice


async def watched(ring: Ring, *more: str) -> None:
    """Bo's Trapper is activated while Anna's Sally is on Overwatch."""
    await ring.arrange(active("Trapper"), under("overwatch", "Sally", *more))


@pytest.mark.rule("CB-OVER-02")
async def test_a_move_waits_for_overwatch(ring: Ring) -> None:
    await watched(ring)
    lines = await ring.ask(BO, Move("Trapper"))
    assert lines == [
        "Trapper is about to move.",
        "anna can react with Sally Starfield (60 seconds).",
    ]
    assert ring.labels == [
        "Overwatch: Sally Starfield",
        "Nobody reacts",
        "Nobody reacts in this activation",
    ]
    asked = ring.answer
    assert "Wait for the answer" in await ring.refused(BO, PassDraw())
    assert "Wait for the answer" in await ring.refused(BO, Move("Trapper"))
    assert (
        "You have no model that can react" in (await ring.table.press(BO, asked, "Nobody reacts")).reply.text
    )
    assert (
        "Wait 60 more seconds. anna can react with Sally Starfield."
        in (await ring.table.go_on(BO)).reply.text
    )
    ring.answer = asked
    lines = await ring.press(ANNA, "Nobody reacts")
    assert lines[0].startswith("Trapper moves")
    assert "Sally Starfield won't react." in lines
    assert (await ring.model("Sally")).has("overwatch")
    assert (
        "Nothing was changed, because the time to react is over"
        in (await ring.table.press(ANNA, asked, "Nobody reacts")).reply.text
    )


@pytest.mark.parametrize("who", [ANNA, BO])
async def test_what_was_declared_is_not_changed_by_hand_meanwhile(ring: Ring, who: str) -> None:
    await watched(ring)
    await ring.ask(BO, Shoot("Trapper", "Skip", 6))
    own = "Skip" if who == ANNA else "Trapper"
    for by_hand in (
        DamageModel(own, 9),
        AddCondition(own, "hidden"),
        RemoveModel(own),
        PlaceModel(own, "D7"),
    ):
        assert "Trapper is about to shoot at Skip Westmoreland. Finish that first." in await ring.refused(
            who, by_hand
        )


async def test_a_new_name_saves_nobody_from_what_was_declared(ring: Ring) -> None:
    await watched(ring)
    await ring.ask(BO, Shoot("Trapper", "Skip Westmoreland", 6))
    asked = ring.answer
    await ring.ask(ANNA, RenameModel("Skip", "Somebody"))
    await ring.ask(ANNA, RenameModel("Wanda", "Skip Westmoreland"))
    ring.answer = asked
    assert (await ring.press(ANNA, "Nobody reacts", 2, 2))[0] == "Trapper misses Somebody."


@pytest.mark.rule("CB-OVER-02")
async def test_done_is_the_last_moment_to_fire(ring: Ring) -> None:
    await ring.arrange(active("Trapper"), under("overwatch", "Sally"))
    lines = await ring.ask(BO, PassDraw())
    assert lines[0] == "The activation of Trapper is about to end."
    await ring.ask(ANNA, Shoot("Sally", "Trapper", 4, mode="overwatch"), 2, 2)
    assert not (await ring.model("Sally")).has("overwatch")
    assert "The activation of Trapper is about to end." in await ring.refused(BO, Move("Trapper"))
    lines = (await ring.table.go_on(BO)).reply.lines
    assert lines[0] == "Done: Trapper."


@pytest.mark.rule("CB-OVER-02")
async def test_a_model_that_overwatch_puts_down_does_not_move(ring: Ring) -> None:
    await watched(ring)
    await ring.ask(BO, Move("Trapper"))
    await ring.ask(ANNA, Shoot("Sally", "Trapper", 4, mode="overwatch"), 9, 2)
    assert (await ring.model("Trapper")).is_down
    lines = (await ring.table.go_on(BO)).reply.lines
    assert lines[0].startswith("The action that was waiting has been cancelled (Trapper is about to move).")


@pytest.mark.rule("CB-OVER-02", "CB-CHARGE-04")
async def test_a_charger_that_overwatch_puts_down_waits_for_no_answer(ring: Ring) -> None:
    await watched(ring)
    await ring.ask(BO, Charge("Trapper", "Skip", 8, helpers="nobody"))
    lines = await ring.press(ANNA, "Nobody reacts")
    assert "Skip Westmoreland can shoot first, with a -2 penalty." in lines
    asked = ring.answer
    await ring.ask(ANNA, Shoot("Sally", "Trapper", 4, mode="overwatch"), 9, 2)
    assert (await ring.model("Trapper")).is_down
    assert (
        "is down, so the charge is already over. Nothing was changed."
        in (await ring.table.press(ANNA, asked, "Don't shoot")).reply.text
    )
    wait = waits(await ring.table.encounter())
    assert wait is not None
    assert not wait.owed


@pytest.mark.rule("CB-OVER-02", "CB-HIDE-02")
async def test_a_model_that_hides_is_shot_at_first(ring: Ring) -> None:
    await watched(ring)
    assert (await ring.ask(BO, Hide("Trapper")))[0] == "Trapper is about to hide."
    await ring.press(ANNA, "Nobody reacts")
    assert (await ring.model("Trapper")).has("hidden")
    # it can't be shot at any more, so nobody is asked in vain
    assert (await ring.ask(BO, PassDraw()))[0] == "Done: Trapper."


@pytest.mark.rule("CB-OVER-02")
async def test_nobody_is_asked_about_what_would_be_refused(ring: Ring) -> None:
    await watched(ring)
    await ring.refused(BO, Charge("Trapper", "Skip", 60, helpers="nobody"))
    assert window_of(await ring.table.encounter()) is None


@pytest.mark.rule("CB-OVER-02")
async def test_using_gear_waits_for_overwatch(ring: Ring) -> None:
    await ring.arrange(active("GDF Medical Officer"), under("overwatch", "Trapper"), hurt("Sally", 1))
    lines = await ring.ask(ANNA, UseItem("GDF Medical Officer", "med gel", "Sally"))
    assert lines[0] == "GDF Medical Officer is about to use gear."


async def test_a_held_move_is_undone_redone_and_refereed(ring: Ring) -> None:
    await watched(ring)
    await ring.ask(BO, Move("Trapper"))
    await ring.press(ANNA, "Nobody reacts")
    before = ring.table.state()
    await ring.agreed(BO, Undo())
    encounter = await ring.table.encounter()
    assert window_of(encounter) is None
    await ring.agreed(BO, Redo())
    assert ring.table.state() == before


@pytest.mark.rule("CB-SHOOT-10")
async def test_an_enemy_in_a_melee_stands_in_the_menu_of_targets(ring: Ring) -> None:
    """Which friend misses hit is asked back; it is no reason to leave the enemy out."""
    await ring.arrange(active("Skip"), touching(("Smap", "Trapper"), ("Wanda", "Trapper")))
    looking = Looking((await ring.table.loaded()).book(), ring.table.actor(ANNA))
    skip = (await ring.model("Skip")).id
    form = build_form(looking, Shoot(f"#{skip}"))  # type: ignore[call-arg, arg-type]
    target = next(control for control in form.controls if control.name == "target")
    assert "Trapper" in [choice.label for choice in target.choices]
    refused = await ring.refused(ANNA, Shoot(f"#{skip}", "Trapper", 6))  # type: ignore[arg-type]
    assert refused == "Which friend is hit by shots that miss? Choose one of these: Smap, Wanda Whitestar."


async def test_light_does_not_change_under_waiting_dice(ring: Ring) -> None:
    await ring.arrange(active("Skip"))
    assert awaits_dice(await ring.table.do(ANNA, Shoot("Skip", "Trapper", 6)))
    assert "has entered the dice, or cancel the roll" in await ring.refused(BO, SetTable(dark=1))
