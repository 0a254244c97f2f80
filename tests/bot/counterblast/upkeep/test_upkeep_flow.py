"""The presses of an Upkeep: one where nothing is to be decided, none that changes anything twice or late."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.games.counterblast.core.crews import NameLeader
from bot.games.counterblast.state.models import block_text
from bot.games.counterblast.upkeep.corrections import UpkeepNamed
from bot.games.counterblast.upkeep.upkeep_actions import ConfirmUpkeep, RollUpkeep
from bot.games.counterblast.upkeep.upkeep_steps import AskCorrection, Correct, ReportFled
from bot.store.doctor import examine
from bot.store.rows import ThingRow
from bot.table.encounter import Encounter
from bot.table.journal.history import Undo
from bot.table.journal.log import ShowLog
from bot.table.rolling.dice_settings import DiceMode
from bot.table.session.arrivals import add_model, add_side
from bot.table.session.encounters import NextStep, ShowEncounter
from bot.table.session.settings import Settings
from tests.bot.arranging import Step
from tests.bot.counterblast.ring import ANNA, BO, Ring, block, hurt, under
from tests.bot.tables import opened, url_of
from tests.bot.waited import waited_for

WHY = "seen by both"


def all_have_acted(encounter: Encounter) -> None:
    for model in encounter.models():
        model.counters["activated"] = 1


ONE_TESTS: tuple[Step, ...] = (all_have_acted, hurt("Dr. Helen", 2), block("Smap", "edo_spawnling"))
"""A Hero of the Lancers lies at 0 Life: level 2, and of them Smap alone, with INT 1D+0, has to test."""


@pytest.mark.rule("CB-TURN-04", "CB-CAS-03")
async def test_nothing_is_done_before_it_is_confirmed(ring: Ring) -> None:
    await ring.arrange(all_have_acted, hurt("Edo Guardling", 9))
    rows = ring.table.state()["models"]
    lines = await ring.ask(ANNA, NextStep())
    assert lines[:2] == ["Upkeep of turn 1. Next: press Confirm", "1. Removed: Edo Guardling"]
    assert ring.labels == ["Confirm", "Undo"]
    assert ring.table.state()["models"] == rows
    lines = await ring.press(BO, "Confirm")
    assert lines[:2] == ["Upkeep of turn 1", "Removed: Edo Guardling"]
    encounter = await ring.table.encounter()
    assert encounter.find_model("Edo Guardling", gone=True).status == "gone"
    assert encounter.row.turn == 2
    assert not encounter.count("upkeep")
    assert [row for row in encounter.book.all(ThingRow) if row.kind == "upkeep"] == []


async def test_asking_again_shows_it_and_writes_nothing(ring: Ring) -> None:
    await ring.arrange(*ONE_TESTS)
    first = await ring.ask(ANNA, NextStep())
    before = ring.table.state()
    again = await ring.ask(BO, UpkeepNamed())
    assert again == first
    assert ring.table.state() == before
    assert not ring.answer.changed
    await ring.press(ANNA, "Roll", 9)
    assert ring.labels[0] == "Confirm"


async def test_stale_presses_change_nothing(ring: Ring) -> None:
    await ring.arrange(*ONE_TESTS)
    await ring.ask(ANNA, NextStep())
    begun = ring.answer
    await ring.ask(ANNA, RollUpkeep(), 9)
    rolled = ring.answer
    await ring.ask(ANNA, Correct("level", "1", "1", WHY))
    before = ring.table.state()
    for old, label in ((begun, "Roll"), (rolled, "Confirm")):
        late = await ring.table.press(BO, old, label)
        assert "moved on" in late.reply.text
        assert ring.table.state() == before
    await ring.press(ANNA, "Confirm")
    await ring.press(BO, "Confirm")
    confirmed = ring.table.state()
    assert "Begin the Upkeep first with /upkeep." in await ring.refused(ANNA, ConfirmUpkeep())
    assert "Begin the Upkeep first with /upkeep." in await ring.refused(ANNA, RollUpkeep())
    assert ring.table.state() == confirmed


async def test_a_restart_between_two_presses_loses_nothing(file: Path) -> None:
    async with opened(file) as table:
        ring = await Ring.open(table)
        await ring.arrange(*ONE_TESTS)
        await ring.ask(ANNA, NextStep())
        await ring.ask(BO, Correct("bag", "2", "9", WHY))
        await ring.ask(ANNA, RollUpkeep(), 1)
        shown = ring.answer
        ids = dict(table.ids)
    async with opened(file, first_seed=99) as table:
        table.ids = ids
        after = Ring(table, shown)
        table.interactions = iter(range(50_000, 60_000))
        lines = await after.ask(BO, UpkeepNamed())
        assert [*lines[1:], "These are real dice."] == list(shown.reply.lines[1:])
        await after.press(ANNA, "Confirm")
        await after.press(BO, "Confirm")
        assert (await after.model("Smap")).has("shaken")
        assert {row.kind: row.inside for row in (await table.encounter()).tokens("initiative")} == {
            1: 6,
            2: 9,
        }
    assert (await examine(url_of(file))).faults == ()


def face_of(lines: list[str], name: str) -> str:
    """The face that fell for a model's panic test."""
    told = next(at for at, line in enumerate(lines) if line.startswith(f"{name}"))
    return lines[told + 1].split(": ")[1].split()[0]


async def test_the_bots_dice_stay_when_the_same_is_rolled_again(ring: Ring) -> None:
    await ring.arrange(*ONE_TESTS)
    await ring.ask(ANNA, DiceMode("bot"))
    await ring.ask(ANNA, NextStep())
    first = await ring.ask(ANNA, RollUpkeep())
    await ring.table.done(ANNA, Undo())
    await ring.ask(ANNA, NextStep())
    again = await ring.ask(ANNA, RollUpkeep())
    assert again[: len(first)] == first
    assert "These are the same dice as in the undone roll" in again[-1]
    await ring.table.done(ANNA, Undo())
    await ring.ask(ANNA, NextStep())
    await ring.ask(ANNA, Correct("level", "1", "3", WHY))
    more = await ring.ask(ANNA, RollUpkeep(((await ring.model("Skip")).id,)))
    assert "These are the same dice as in the undone roll" in more[-1]
    assert face_of(first, "Smap") == face_of(more, "Smap")


@pytest.mark.rule("CB-CREW-05", "CB-ORDER-08", "CB-PANIC-02", "CB-PANIC-05")
async def test_a_successor_serves_in_the_same_upkeep(ring: Ring) -> None:
    """Sally led with INT 2D+0; Skip has 2D+1. The crew keeps as many tokens as the successor's INT, 2."""
    await ring.arrange(all_have_acted, hurt("Sally", 2), block("Smap", "edo_spawnling"))
    lines = await ring.ask(ANNA, NextStep())
    assert lines[0] == "Upkeep of turn 1. Next: choose a new leader"
    assert "Lancers: Panic Level 3" in lines
    assert "Only anna can do this for Lancers." in await ring.refused(
        BO, NameLeader((await ring.model("Skip")).id)
    )
    smap = (await ring.model("Smap")).id
    assert "can't lead. Only a Hero can lead" in await ring.refused(ANNA, NameLeader(smap))
    assert (await ring.table.encounter()).side(1).counters["leader"] == (await ring.model("Sally")).id
    lines = await ring.press(ANNA, "Skip Westmoreland")
    assert "  Skip Westmoreland leads Lancers (2 of 4 order tokens left)" in lines
    assert "Which models are in Command Range of Skip Westmoreland (12 in)?" in lines
    lines = await ring.ask(ANNA, UpkeepNamed(near="Smap", spare="GDF Medical", reason=WHY))
    assert "Smap (leader's INT): INT 2D+1 vs 3" in lines
    lines = await ring.ask(ANNA, UpkeepNamed(leader="Dr. Helen"))
    assert "  Dr. Helen Salinger leads Lancers (2 of 4 order tokens left)" in lines
    await ring.ask(ANNA, UpkeepNamed(leader="Skip"))
    tests = [line for line in ring.answer.reply.lines if " vs 3" in line]
    assert len(tests) == 3
    lines = await ring.ask(ANNA, RollUpkeep(), 9, 9, 9, 9, 9, 9)
    lent = lines[lines.index("Smap (leader's INT): holds") + 1]
    assert lent == "  INT 2D+1 vs 3: 9 -> 10 success, 9 -> 10 success"
    lines = await ring.ask(ANNA, UpkeepNamed(leader="Dr. Helen"))
    assert lines[lines.index("Smap (leader's INT): holds") + 1] == lent
    await ring.ask(ANNA, UpkeepNamed(leader="Skip"))
    await ring.press(ANNA, "Confirm")
    lines = await ring.press(BO, "Confirm")
    assert "New leader: Skip Westmoreland" in lines
    side = (await ring.table.encounter()).side(1)
    assert (side.counters["leader"], side.counters["orders"]) == ((await ring.model("Skip")).id, 2)


@pytest.mark.rule("CB-PANIC-09", "CB-PANIC-10")
async def test_who_will_run_is_told(ring: Ring) -> None:
    await ring.arrange(*ONE_TESTS, under("panicked", "Trapper"))
    await ring.ask(ANNA, NextStep())
    lines = await ring.ask(ANNA, RollUpkeep(), 1)
    assert "Panicked (Rally or run when they act): Smap, Trapper" in lines
    await ring.press(ANNA, "Confirm")
    lines = await ring.press(BO, "Confirm")
    assert "Panicked (Rally or run when they act): Smap, Trapper" in lines


@pytest.mark.rule("CB-FALL-02")
async def test_a_model_removed_at_a_height_may_fall_on_others(ring: Ring) -> None:
    def on_the_roof(encounter: Encounter) -> None:
        encounter.find_model("Edo Guardling").counters["height"] = 6

    await ring.arrange(all_have_acted, hurt("Edo Guardling", 9), on_the_roof)
    lines = await ring.ask(ANNA, NextStep())
    assert (
        "  Edo Guardling is removed at a height of 6 in. If it was within 1 in of an edge, it falls onto "
        "what is below."
    ) in lines
    await ring.press(ANNA, "Confirm")
    assert ring.labels[0] == "Fall"


@pytest.mark.rule("CB-TURN-01", "CB-SCORE-09")
async def test_the_last_upkeep_tells_the_result_and_draws_no_more(ring: Ring) -> None:
    def last_turn(encounter: Encounter) -> None:
        encounter.row.turn = encounter.row.turns

    await ring.arrange(all_have_acted, last_turn, hurt("Edo Guardling", 9))
    lines = await ring.ask(ANNA, NextStep())
    at = lines.index("5. Score")
    assert lines[at + 1 : at + 5] == [
        "Lancers: 1 (1 battle)",
        "Edo: 0",
        "Draw.",
        "Turn 8 is the last turn.",
    ]
    assert "This is the last turn, so no one draws again." in await ring.refused(
        BO, UpkeepNamed(bag="Edo=3", reason=WHY)
    )
    lines = await ring.press(ANNA, "Confirm")
    assert lines[-2:] == ["Turn 8 was the last turn.", "End the game to see the final score."]
    assert ring.labels[0] == "End the game..."


@pytest.mark.rule("CB-BAG-08", "CB-PANIC-01", "CB-SCORE-02")
@pytest.mark.parametrize("crews", [3, 4])
async def test_more_than_two_crews(ring: Ring, crews: int) -> None:
    """Each has its own level, tests, score and tokens; the next in order after the last drawer begins."""

    def more_crews(encounter: Encounter) -> None:
        for number in range(3, crews + 1):
            side = add_side(encounter, f"Crew {number}")
            names = [
                add_model(encounter, side.id, 7, name, block_text(name)) for name in ("smap", "edo_spawnling")
            ]
            side.counters["leader"] = names[0].id
            side.counters["orders"] = 2
            names[0].damage = 9
            encounter.set_tokens("initiative", side.id, 0)
        encounter.row.counters["last drawer"] = 2

    await ring.arrange(more_crews, all_have_acted, hurt("Edo Guardling", 9))
    lines = await ring.ask(ANNA, NextStep())
    assert lines[0] == "Upkeep of turn 1. Next: roll the dice"
    for number in range(3, crews + 1):
        assert f"Crew {number}: Panic Level 3" in lines
    assert "Edo: Panic Level 1" in lines
    assert "Lancers: Panic Level 0" in lines
    tests = [line for line in lines if " vs 3" in line]
    assert len(tests) == crews - 2
    lines = await ring.ask(ANNA, RollUpkeep(), *(9 for _ in tests))
    score, bag_line = lines.index("5. Score"), next(n for n, one in enumerate(lines) if one.startswith("6. "))
    assert bag_line - score - 1 == crews
    bag = ", ".join(f"Crew {number} 1" for number in range(3, crews + 1))
    assert f"6. Bag: {14 + crews - 2} tokens (Lancers 7, Edo 7, {bag})" in lines
    assert "7. First draw: Crew 3" in lines
    await ring.press(BO, "Confirm")
    encounter = await ring.table.encounter()
    assert encounter.row.counters["drawer"] == 3
    for number in range(3, crews + 1):
        assert encounter.side(number).counters.get("orders", 0) == 0


async def test_an_upkeep_is_decided_by_each_side_for_itself(ring: Ring) -> None:
    """Bo neither corrects Anna's level, nor answers for her, nor rolls her tests, nor confirms for her."""
    await ring.arrange(*ONE_TESTS, under("panicked", "Wanda"))
    await ring.ask(BO, NextStep())
    smap, wanda = (await ring.model("Smap")).id, (await ring.model("Wanda")).id
    theirs = (
        Correct("level", "1", "6", WHY),
        UpkeepNamed(level="Lancers=6", reason=WHY),
        UpkeepNamed(near="Smap"),
        UpkeepNamed(fled="Wanda"),
        UpkeepNamed(spare="Smap", reason=WHY),
        ReportFled((wanda,)),
        RollUpkeep((smap,)),
        RollUpkeep(),
    )
    for action in theirs:
        assert await ring.refused(BO, action) == "Only anna can do this for Lancers."
    told = await ring.table.do(BO, AskCorrection("levels"))
    assert [button.label for button in told.reply.buttons] == ["Correct Edo's Panic Level"]
    await ring.ask(ANNA, RollUpkeep(), 1)
    lines = await ring.ask(BO, Correct("score", "2", "1", WHY))
    assert lines[0].endswith("(corrected). Next: press Confirm")
    lines = await ring.press(BO, "Confirm")
    assert lines[0] == "Upkeep of turn 1. bo confirms. Next: press Confirm"
    assert waited_for(await ring.table.encounter()) == "Waiting for anna to confirm the Upkeep."
    assert await ring.refused(BO, ConfirmUpkeep()) == "Only anna can do this for Lancers."
    lines = await ring.press(ANNA, "Confirm")
    assert lines[0] == "Upkeep of turn 1"


async def test_each_side_rolls_its_own_panic_tests_and_undo_brings_no_other_dice(ring: Ring) -> None:
    await ring.arrange(*ONE_TESTS, hurt("Prime Leader", 9), block("Trapper", "edo_spawnling"))
    for who in (ANNA, BO):
        await ring.ask(who, DiceMode("bot"))
    await ring.ask(ANNA, NextStep())
    await ring.press(BO, "Spawnguard")
    first = await ring.ask(ANNA, RollUpkeep())
    assert waited_for(await ring.table.encounter()) == "Waiting for bo to roll the Upkeep tests."
    assert await ring.refused(ANNA, RollUpkeep()) == "Only bo can do this for Edo."
    told = [line for line in first if line.startswith("Smap")]
    await ring.agreed(ANNA, Undo())
    await ring.ask(BO, NextStep())
    await ring.ask(BO, NameLeader((await ring.model("Spawnguard")).id))
    await ring.ask(BO, RollUpkeep())
    again = await ring.ask(ANNA, RollUpkeep())
    assert [line for line in again if line.startswith("Smap")] == told


async def test_one_person_may_enter_for_everybody_where_the_game_is_played_so(ring: Ring) -> None:
    await ring.arrange(*ONE_TESTS)
    await ring.ask(ANNA, Settings("entered by", "any player"))
    await ring.ask(BO, NextStep())
    lines = await ring.ask(BO, Correct("level", "1", "1", WHY))
    assert lines[-1] == "bo entered this for anna."
    status = await ring.table.do(ANNA, ShowEncounter())
    assert "Any player can enter rolls and answers for everyone." in status.reply.lines
    log = await ring.table.do(ANNA, ShowLog())
    assert any("House rule changed: Entering rolls and answers" in line for line in log.reply.lines)
