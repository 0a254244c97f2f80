"""What stood below a reply that scrolled away stands on the panel, while it is owed or possible."""

from __future__ import annotations

import pytest

from bot.games.counterblast.ground.flames import PutOut
from bot.games.counterblast.ground.hazards import TOUCHED, RandomHazard
from bot.games.counterblast.ground.places import AddArea, DropArea
from bot.games.counterblast.movement.climbing import Climb, Leap, SetHeight
from bot.games.counterblast.movement.falls import HoldOn, TakeFall
from bot.games.counterblast.movement.hiding import Hide
from bot.games.counterblast.movement.moves import Move
from bot.games.counterblast.panel import MAX_COUNT
from bot.games.counterblast.state.table_state import ModelState
from bot.games.counterblast.turn.activations import Activate
from bot.replies.reply import Button
from bot.table.encounter import Encounter
from bot.table.game import game_of
from bot.table.journal.history import Undo
from bot.table.session.models import NoteModel
from bot.table.session.possible_actions import add_action_buttons
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Condition
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, change, touching, under
from tests.bot.counterblast.turn.test_features_pairs import drawn

SKIP, SMAP, WANDA, HELEN = "Skip", "Smap", "Wanda", "Dr. Helen"


async def panel(ring: Ring) -> tuple[Button, ...]:
    encounter = await ring.table.encounter()
    return add_action_buttons(encounter, game_of(encounter).panel(encounter)).buttons


async def labels(ring: Ring) -> list[str]:
    """Those of the panel after something else was said."""
    await ring.ask(ANNA, NoteModel(SALLY, "something else"))
    return [button.label for button in await panel(ring)]


async def press(ring: Ring, label: str, *faces: int, who: str = ANNA) -> list[str]:
    found = next(one for one in await panel(ring) if one.label == label)
    return await ring.ask(who, found.action, *faces)


SALLY = "Sally"


async def begun(ring: Ring, name: str) -> None:
    await ring.arrange(drawn(1))
    await ring.ask(ANNA, Activate(((await ring.model(name)).id,)))


@pytest.mark.rule("CB-MOVE-04", "CB-FALL-01")
async def test_a_lost_grip_is_a_fall_until_it_is_taken_or_said_otherwise(ring: Ring) -> None:
    fall = "Fall: Wanda Whitestar"
    await ring.arrange(active(WANDA))
    await ring.ask(ANNA, Climb(WANDA, 6), 3, 2, 2)
    assert fall not in await labels(ring)
    before = ring.table.state()
    await ring.ask(ANNA, Climb(WANDA, 3), 2, 2, 2)
    await ring.ask(ANNA, Undo())
    assert ring.table.state() == before
    await ring.ask(ANNA, Climb(WANDA, 3))
    assert fall in await labels(ring)
    await press(ring, fall)
    lines = await ring.press(ANNA, "Roll (no model is below)", 7, 3)
    assert lines[0] == "Wanda Whitestar takes 1 wound from the fall (6 in): 2 Life left."
    assert fall not in await labels(ring)


@pytest.mark.rule("CB-MOVE-04")
async def test_a_climb_that_never_left_the_ground_owes_no_fall(ring: Ring) -> None:
    await ring.arrange(active(WANDA))
    await ring.ask(ANNA, Climb(WANDA, 3), 2, 2, 2)
    assert not [label for label in await labels(ring) if label.startswith("Fall")]


@pytest.mark.rule("CB-MOVE-06")
async def test_a_jump_into_the_gap_asks_how_deep_it_is(ring: Ring) -> None:
    await ring.arrange(active(HELEN))
    await ring.ask(ANNA, Leap(HELEN, 5), 1, 2)
    fall = "Fall: Dr. Helen Salinger..."
    assert fall in await labels(ring)
    assert next(one for one in await panel(ring) if one.label == fall).form is not None
    await ring.ask(ANNA, SetHeight(HELEN, 0))
    assert fall not in await labels(ring), "it is said where it stands"


@pytest.mark.rule("CB-FALL-01")
async def test_who_slips_off_an_edge_falls_as_far_as_was_said(ring: Ring) -> None:
    await ring.ask(ANNA, HoldOn(SKIP, 4.5), 2, 2, 2, 2)
    assert "Fall: Skip Westmoreland" in await labels(ring)
    found = next(one for one in await panel(ring) if one.label == "Fall: Skip Westmoreland")
    assert isinstance(found.action, TakeFall)
    assert found.action.height == 4.5


@pytest.mark.rule("CB-TERR-07", "CB-HAZ-05")
async def test_a_check_is_owed_for_a_place_that_was_touched_until_it_is_made(ring: Ring) -> None:
    check = "Check: Skip Westmoreland"
    await ring.ask(ANNA, AddArea("oil", "slick"))
    await begun(ring, SKIP)
    assert check not in await labels(ring)
    await ring.ask(ANNA, Move(SKIP, ground=("oil",)))
    assert check in await labels(ring)
    lines = await press(ring, check, 2, 2, 2, 2)
    assert lines[0] == "Skip Westmoreland slips and falls prone."
    assert check not in await labels(ring)


@pytest.mark.rule("CB-HAZ-08", "CB-HAZ-05")
async def test_a_random_hazard_is_checked_from_the_panel_while_it_is_there(ring: Ring) -> None:
    check = "Check: Skip Westmoreland"
    await ring.ask(ANNA, RandomHazard(SKIP), 8)
    assert check in await labels(ring)
    await ring.ask(ANNA, DropArea("slick"))
    assert check not in await labels(ring)


@pytest.mark.rule("CB-BURN-06")
async def test_flames_are_fought_or_suffered_from_the_panel(ring: Ring) -> None:
    out, hit = "Put out the fire: Dr. Helen Salinger", "Take the hit: Dr. Helen Salinger"
    await ring.arrange(under("burning", HELEN))
    await begun(ring, HELEN)
    assert [label for label in await labels(ring) if label in (out, hit)] == [out, hit]
    await ring.ask(ANNA, PutOut(HELEN), 9, 9)
    assert {out, hit} <= set(await labels(ring)), "its other action too, or it takes the hit"
    await ring.ask(ANNA, Undo())
    await ring.ask(ANNA, Move(HELEN))
    assert out not in await labels(ring), "not with all its actions any more"
    await press(ring, hit, 2)
    assert hit not in await labels(ring)


@pytest.mark.rule("CB-BURN-06", "CB-ACT-10")
async def test_who_is_engaged_is_offered_no_fire_to_fight(ring: Ring) -> None:
    out, hit = "Put out the fire: Dr. Helen Salinger", "Take the hit: Dr. Helen Salinger"
    await ring.arrange(under("burning", HELEN), touching((HELEN, "Trapper")))
    await begun(ring, HELEN)
    shown = await labels(ring)
    assert hit in shown
    assert out not in shown
    assert "engaged" in await ring.refused(ANNA, PutOut(HELEN, whole=True))


@pytest.mark.rule("CB-BURN-06")
async def test_who_fought_its_flames_with_all_actions_is_asked_no_more(ring: Ring) -> None:
    await ring.arrange(under("burning", HELEN))
    await begun(ring, HELEN)
    await press(ring, "Put out the fire: Dr. Helen Salinger", 9, 9)
    assert not {"Put out the fire: Dr. Helen Salinger", "Take the hit: Dr. Helen Salinger"} & set(
        await labels(ring)
    )


@pytest.mark.rule("CB-PANIC-10", "CB-RALLY-01")
async def test_who_did_not_rally_runs_from_the_panel(ring: Ring) -> None:
    await ring.arrange(active(SMAP), under("panicked", SMAP))
    assert "Run: Smap" not in await labels(ring), "it rallies first"
    await ring.arrange(change(SMAP, lambda row: row.counters.update({Counter.RALLIED: 1})))
    lines = await press(ring, "Run: Smap")
    assert lines[0] == "Smap runs 12 in towards the table edge."
    assert "Run: Smap" not in await labels(ring)


@pytest.mark.rule("CB-COND-06")
async def test_who_is_pinned_breaks_free_from_the_panel(ring: Ring) -> None:
    await ring.arrange(under("pinned", SKIP, value=5))
    await begun(ring, SKIP)
    assert "Break free: Skip Westmoreland" in await labels(ring)


@pytest.mark.rule("CB-HIDE-03")
async def test_anybody_says_from_the_panel_that_a_hidden_model_moved_into_view(ring: Ring) -> None:
    await ring.arrange(active(SKIP, WANDA))
    await ring.ask(ANNA, Hide(SKIP))
    assert "Skip Westmoreland moved into view" in await labels(ring)
    await ring.ask(ANNA, Hide(WANDA))
    await press(ring, "A model moved into view...", who=BO)
    assert ring.answer.reply.private
    await ring.choose(BO, (await ring.model(WANDA)).id)
    assert not (await ring.model(WANDA)).has(Condition.HIDDEN)
    await press(ring, "Skip Westmoreland moved into view", who=BO)
    assert not [label for label in await labels(ring) if label.startswith("Moved")]


@pytest.mark.rule("CB-MOVE-04", "CB-HAZ-05")
async def test_many_duties_keep_within_what_a_message_holds(ring: Ring) -> None:
    await ring.ask(ANNA, AddArea("oil", "slick"))

    def all_owe(encounter: Encounter) -> None:
        for row in encounter.models():
            row.counters.update({ModelState.falls_tenths.key: 61, TOUCHED.of("oil"): 1})

    await ring.arrange(all_owe)
    found = await panel(ring)
    assert len([one for one in found if one.label.startswith("Fall: ")]) == MAX_COUNT
    assert [one.label for one in found][-3:] == ["Undo", "Log", "More..."]
    assert len(found) <= 20
