"""Every step of an Upkeep can be corrected before it is confirmed: in public, with an author and a reason."""

from __future__ import annotations

import pytest

from bot.actions import Action
from bot.games.counterblast import GAME
from bot.games.counterblast.ground.flames import StartFire
from bot.games.counterblast.state.models import block_text
from bot.games.counterblast.state.sight import add_cloud, cloud_names
from bot.games.counterblast.upkeep.corrections import UpkeepNamed
from bot.games.counterblast.upkeep.upkeep_actions import ConfirmUpkeep, RollUpkeep
from bot.games.counterblast.upkeep.upkeep_draft import read_draft
from bot.games.counterblast.upkeep.upkeep_steps import AskCorrection, Correct, ReportFled, WithdrawCorrection
from bot.replies.fit import fit_text
from bot.replies.reply import Reply
from bot.table.encounter import Encounter
from bot.table.journal.history import Redo, Undo
from bot.table.journal.log import WhyEntry
from bot.table.rolling.dice_settings import DiceMode
from bot.table.session.arrivals import add_model
from bot.table.session.encounters import NextStep
from rules.systems.counterblast.shooting.special_attacks import Cloud
from tests.bot.arranging import Step
from tests.bot.counterblast.ring import ANNA, BO, Ring, block, hurt, under
from tests.bot.waited import waited_for

WHY = "seen by both"


def all_have_acted(encounter: Encounter) -> None:
    for model in encounter.models():
        model.counters["activated"] = 1


def ends_in_upkeep(kind: str, name: str) -> Step:
    def step(encounter: Encounter) -> None:
        under(kind, name)(encounter)
        row = encounter.condition(encounter.find_model(name).id, kind)
        assert row is not None
        row.until = "Upkeep"

    return step


async def one_tests(ring: Ring, *more: Step) -> None:
    """A Hero of the Lancers lies at 0 Life: level 2, and of them Smap alone, with INT 1D+0, has to test."""
    await ring.arrange(all_have_acted, hurt("Dr. Helen", 2), block("Smap", "edo_spawnling"), *more)
    await ring.ask(ANNA, NextStep())


def step(reply: Reply, number: int) -> list[str]:
    lines = list(reply.lines)
    start = next(place for place, line in enumerate(lines) if line.startswith(f"{number}. "))
    ends = [place for place, line in enumerate(lines) if place > start and line[:3] == f"{number + 1}. "]
    return lines[start : ends[0] if ends else len(lines)]


async def said(ring: Ring, who: str, **options: str) -> list[str]:
    return await ring.ask(who, UpkeepNamed(**options))  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------- each kind


@pytest.mark.rule("CB-CAS-03", "CB-PANIC-03")
async def test_a_model_healed_in_time_is_kept_and_scares_nobody(ring: Ring) -> None:
    await one_tests(ring)
    lines = await said(ring, ANNA, keep="Dr. Helen", reason="healed in time")
    assert (
        lines[0]
        == "Upkeep of turn 1. Dr. Helen Salinger stays in play with 1 Life (corrected). Next: press Confirm"
    )
    assert step(ring.answer.reply, 1)[0] == "1. Removed: nobody"
    assert "Lancers: Panic Level 0" in lines
    assert "3. Tests: none" in lines
    await ring.confirmed()
    helen = await ring.model("Dr. Helen")
    assert (helen.life_left, helen.is_down, helen.count("turn it went down")) == (1, False, 0)


async def test_a_model_may_be_kept_where_it_lies(ring: Ring) -> None:
    await one_tests(ring)
    lines = await said(ring, ANNA, keep="Dr. Helen=0", reason="the medic is on her way")
    assert "  Dr. Helen Salinger stays in play, but is down (corrected)" in lines
    await ring.confirmed()
    encounter = await ring.table.encounter()
    assert encounter.find_model("Dr. Helen").status == "play"
    assert (await ring.model("Dr. Helen")).is_down
    assert "is not being removed in this Upkeep." not in ring.answer.reply.text


@pytest.mark.rule("CB-PANIC-04", "CB-PANIC-08")
@pytest.mark.parametrize(("level", "tested"), [(1, 0), (3, 3)])
async def test_a_level_is_raised_or_lowered(ring: Ring, level: int, tested: int) -> None:
    """At 1 nobody has fewer dice than that; at 3 Skip and the Medical Officer with 2 each test too."""
    await one_tests(ring)
    lines = await said(ring, ANNA, level=f"Lancers={level}", reason=WHY)
    assert f"Lancers: Panic Level {level} (corrected)" in lines
    assert f"  {level - 2:+d} corrected" in lines
    assert len([line for line in step(ring.answer.reply, 3) if f" vs {level}" in line]) == tested
    if not tested:
        await ring.confirmed()
        assert "panic level" not in (await ring.table.encounter()).side(1).counters


async def test_a_model_is_struck_from_the_tests(ring: Ring) -> None:
    await one_tests(ring)
    lines = await said(ring, ANNA, spare="Smap", reason=WHY)
    assert "Smap takes no panic test (corrected)" in lines
    assert ring.labels[0] == "Confirm"
    await ring.confirmed()
    assert not (await ring.model("Smap")).has("panicked")


async def test_a_model_added_after_the_dice_rolls_alone(ring: Ring) -> None:
    await one_tests(ring)
    await ring.ask(ANNA, RollUpkeep(), 1)
    lines = await said(ring, ANNA, test="Skip", reason=WHY)
    assert (
        lines[0] == "Upkeep of turn 1. Skip Westmoreland takes a panic test (corrected). Next: roll the dice"
    )
    assert "Smap: panics and is shaken" in lines
    lines = await ring.ask(ANNA, RollUpkeep(), 2, 9)
    assert "Smap: panics and is shaken" in lines
    assert lines[lines.index("Skip Westmoreland: holds (corrected)") + 1].startswith(
        "  INT 2D+1 vs 2: 2 -> 3"
    )
    await ring.confirmed()
    assert (await ring.model("Smap")).has("shaken")
    assert not (await ring.model("Skip")).has("panicked")


@pytest.mark.rule("CB-PANIC-06", "CB-PANIC-07")
@pytest.mark.parametrize(("face", "to", "panicked"), [(1, "holds", False), (9, "shaken", True)])
async def test_a_result_is_overturned(ring: Ring, face: int, to: str, panicked: bool) -> None:
    await one_tests(ring)
    assert (
        'hasn\'t rolled its test yet. To skip it, correct "Step 3: models that test".'
        in await ring.refused(ANNA, UpkeepNamed(result="Smap=holds", reason=WHY))
    )
    await ring.ask(ANNA, RollUpkeep(), face)
    lines = await said(ring, ANNA, result=f"Smap={to}", reason="the die was cocked")
    dice = "panics and is shaken" if face == 1 else "holds"
    shown = "panics and is shaken" if to == "shaken" else to
    assert f'Smap: {shown} (corrected from "{dice}")' in lines
    await ring.confirmed()
    smap = await ring.model("Smap")
    assert (smap.has("panicked"), smap.has("shaken")) == (panicked, panicked)


async def test_dice_that_fell_are_read_anew_and_not_rolled_again(ring: Ring) -> None:
    """A 3 holds at level 2 and fails at level 4; Skip and two more then have to roll, Smap does not."""
    await one_tests(ring)
    lines = await ring.ask(ANNA, RollUpkeep(), 3)
    assert "Smap: holds" in lines
    lines = await said(ring, ANNA, level="Lancers=4", reason=WHY)
    assert lines[lines.index("Smap: panics") + 1] == "  INT 1D+0 vs 4: 3 miss"
    assert "has already rolled its test" in await ring.refused(ANNA, UpkeepNamed(near="Smap"))
    lines = await said(ring, ANNA, level="Lancers=2", reason=WHY)
    assert lines[0].endswith("press Confirm")
    assert "Smap: holds" in lines
    assert "There is nothing left to roll. Confirm the Upkeep." in await ring.refused(ANNA, RollUpkeep())


@pytest.mark.rule("CB-TURN-04")
@pytest.mark.parametrize("held", [True, False])
async def test_a_timer_is_held(ring: Ring, held: bool) -> None:
    await ring.arrange(all_have_acted, ends_in_upkeep("blinded", "Smap"), under("warded", "Skip"))
    await ring.ask(ANNA, NextStep())
    assert step(ring.answer.reply, 4) == [
        "4. Effects that end or change",
        "Skip Westmoreland: warded ends",
        "Smap: blinded ends",
    ]
    if held:
        lines = await said(ring, ANNA, timer="Smap=blinded", reason="smoke stays")
        assert "Smap: blinded doesn't end (corrected)" in lines
    await ring.confirmed()
    assert (await ring.model("Smap")).has("blinded") is held
    assert not (await ring.model("Skip")).has("warded")


@pytest.mark.rule("CB-BURN-03")
async def test_what_a_fire_does_is_corrected(ring: Ring) -> None:
    await ring.ask(ANNA, StartFire("Grass"))
    await ring.ask(ANNA, StartFire("Barn"))
    await ring.arrange(all_have_acted)
    await ring.ask(ANNA, NextStep())
    assert "Roll for Grass first." in await ring.refused(ANNA, UpkeepNamed(fire="Grass=3", reason=WHY))
    lines = await ring.ask(ANNA, RollUpkeep(), 2, 9)
    assert step(ring.answer.reply, 4)[1:] == ["Barn grows to R5 (d10 2)", "Grass goes out (d10 9)"]
    lines = await said(ring, ANNA, fire="Barn=3", reason="walls all round")
    assert "Barn is R3 (corrected, d10 2)" in lines
    assert (await ring.table.encounter()).count("fire:Barn:inches") == 3
    assert (await ring.table.encounter()).count("fire:Grass:inches") == 3
    await ring.confirmed()
    encounter = await ring.table.encounter()
    assert [encounter.count(f"fire:{name}:inches") for name in ("Barn", "Grass")] == [3, 0]


@pytest.mark.rule("CB-GEAR-27")
async def test_a_cloud_that_is_gone_may_stay(ring: Ring) -> None:
    """Clouds of turn 1 stay to the end of turn 2."""

    def turn_two(encounter: Encounter) -> None:
        for name in ("Smoke", "Ink"):
            add_cloud(encounter, name, Cloud(3, 2, 1))
        encounter.row.turn = 2

    await ring.arrange(all_have_acted, turn_two)
    await ring.ask(ANNA, NextStep())
    gone = ["4. Effects that end or change", "The cloud Ink disappears.", "The cloud Smoke disappears."]
    assert step(ring.answer.reply, 4) == gone
    lines = await said(ring, BO, cloud="Smoke", reason="no wind")
    assert "The cloud Smoke stays (corrected)" in lines
    await ring.confirmed()
    assert cloud_names(await ring.table.encounter()) == ["Smoke"]


@pytest.mark.rule("CB-SCORE-01")
async def test_the_score_shows_what_is_removed_and_is_corrected(ring: Ring) -> None:
    await ring.arrange(all_have_acted, hurt("HOpR", 1))
    await ring.ask(ANNA, NextStep())
    assert step(ring.answer.reply, 5)[1:] == ["Edo: 1 (1 battle)", "Lancers: 0"]
    lines = await said(ring, ANNA, score="Lancers=2", reason="the relic is theirs")
    assert "Lancers: 2 (2 objectives)" in lines
    assert "Lancers: +2 for objectives" in lines[0]
    assert (await ring.table.encounter()).side(1).counters.get("objective points", 0) == 0
    await ring.confirmed()
    assert (await ring.table.encounter()).side(1).counters["objective points"] == 2


@pytest.mark.rule("CB-BAG-02", "CB-BAG-08")
async def test_the_bag_and_who_draws_first_are_corrected(ring: Ring) -> None:
    def lancers_drew_last(encounter: Encounter) -> None:
        encounter.row.counters["last drawer"] = 1

    await ring.arrange(all_have_acted, lancers_drew_last)
    await ring.ask(ANNA, NextStep())
    reply = ring.answer.reply
    assert step(reply, 6) == ["6. Bag: 15 tokens (Lancers 7, Edo 8)"]
    assert step(reply, 7)[0] == "7. First draw: Edo"
    lines = await said(ring, BO, bag="Edo=9", drawer="Lancers", reason="a scout came in")
    assert "6. Bag: 16 tokens (Lancers 7, Edo 9) (corrected)" in lines
    assert "7. First draw: Lancers (corrected)" in lines
    waits = GAME.waits(await ring.table.encounter())
    assert waits is not None
    assert waits.whom == "anna and bo"
    await ring.ask(BO, ConfirmUpkeep())
    assert waited_for(await ring.table.encounter()) == "Waiting for anna to confirm the Upkeep."
    lines = await ring.ask(ANNA, ConfirmUpkeep())
    assert lines[-2:] == ["Turn 2. Bag: 16 tokens.", "Lancers draws first."]


@pytest.mark.rule("CB-CAS-06", "CB-PANIC-03")
async def test_who_ran_off_the_table_is_asked_and_counts(ring: Ring) -> None:
    await ring.arrange(all_have_acted, under("panicked", "Wanda"), block("Smap", "edo_spawnling"))
    await ring.ask(ANNA, NextStep())
    assert [menu.prompt for menu in ring.answer.reply.menus] == [
        "Which models ran off the table?",
        "Correct...",
    ]
    skip, wanda = (await ring.model("Skip")).id, (await ring.model("Wanda")).id
    assert "is not Panicked" in await ring.refused(ANNA, ReportFled((skip,)))
    lines = await ring.choose(ANNA, wanda)
    assert "  Ran off the table: Wanda Whitestar" in lines
    assert "Lancers: Panic Level 2" in lines
    assert "Smap: INT 1D+0 vs 2" in lines
    await ring.ask(ANNA, RollUpkeep(), 9)
    await ring.confirmed()
    row = (await ring.table.encounter()).find_model("Wanda", gone=True)
    assert (row.status, row.left_how) == ("gone", "fled")


@pytest.mark.rule("CB-ORDER-05", "CB-ORDER-03")
async def test_an_order_token_helps_a_test(ring: Ring) -> None:
    await one_tests(ring)
    before = await ring.orders(1)
    assert "can do this for Lancers" in await ring.refused(BO, UpkeepNamed(order="Smap"))
    lines = await said(ring, ANNA, order="Smap")
    assert "Smap: INT 1D+1 vs 2" in lines
    assert await ring.orders(1) == before
    await ring.ask(ANNA, RollUpkeep(), 5)
    await ring.confirmed()
    assert await ring.orders(1) == before - 1


async def test_what_one_side_orders_leaves_the_orders_of_the_other_as_they_were(ring: Ring) -> None:
    await ring.arrange(all_have_acted, hurt("Dr. Helen", 2), under("panicked", "Wanda"))
    await ring.ask(ANNA, NextStep())
    smap, leader = (await ring.model("Smap")).id, (await ring.model("Prime Leader")).id
    for orders, kept in (("Smap", [leader, smap]), ("nobody", [leader])):
        await said(ring, BO, order="Prime Leader")
        await said(ring, ANNA, order=orders)
        assert read_draft(await ring.table.encounter()).ordered == kept


# ------------------------------------------------------------------------------------------- in the open


async def test_a_correction_has_its_author_and_reason_everywhere(ring: Ring) -> None:
    await one_tests(ring)
    lines = await said(ring, ANNA, level="Lancers=1", reason="Helen was a hologram")
    assert not ring.answer.reply.private
    told = ["Corrected:", "1. Lancers: Panic Level 1", "  anna: Helen was a hologram"]
    assert lines[lines.index("Corrected:") :][:3] == told
    assert "\n".join(told) in ring.why
    entry = (await ring.table.desk.store.all_entries(ring.answer.scope))[-1]
    assert (entry.actor, "Helen was a hologram" in entry.input) == ("anna", True)
    lines = await ring.confirmed()
    assert lines[lines.index("Corrected:") :][:3] == told
    assert "\n".join(told) in ring.why


OF_BO, MORE_OF_BO = UpkeepNamed(test="Trapper", reason=WHY), UpkeepNamed(bag="Edo=61", reason=WHY)


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (UpkeepNamed(level="Lancers=1"), "Add a reason. Everyone will be able to read it"),
        (UpkeepNamed(level="Lancers=many", reason=WHY), "must be a whole number (you entered"),
        (UpkeepNamed(level="Lancers=99", reason=WHY), "must be between 0"),
        (UpkeepNamed(keep="Skip", reason=WHY), "is not being removed in this Upkeep"),
        (UpkeepNamed(keep="Dr. Helen=3", reason=WHY), "must be between 0"),
        (UpkeepNamed(test="Wanda", reason=WHY), "can't panic now, so it takes no panic test."),
        (UpkeepNamed(test="Smap", reason=WHY), "already has to take a panic test"),
        (OF_BO, "No model takes a panic test at Panic Level 0."),
        (UpkeepNamed(spare="Skip", reason=WHY), "doesn't have to take a panic test"),
        (UpkeepNamed(timer="Smap=blinded", reason=WHY), "ends in this Upkeep."),
        (MORE_OF_BO, "must be between 0"),
        (UpkeepNamed(score="Edo", reason=WHY), "score:NAME=VALUE"),
        (UpkeepNamed(back=1), "no correction number 1"),
        (UpkeepNamed(confirm=True), "Roll the dice first. Press Roll, or use /upkeep roll:true."),
        (
            UpkeepNamed(level="Edo=1", reason=WHY, confirm=True),
            "Do one thing at a time. First correct, then roll, then confirm.",
        ),
        (Correct("weather", "1", "2", WHY), "Choose what to correct"),
    ],
)
async def test_what_makes_no_sense_is_refused(ring: Ring, asked: Action, why: str) -> None:
    await one_tests(ring)
    who = BO if asked in (OF_BO, MORE_OF_BO) else ANNA
    assert why in await ring.refused(who, asked)


async def test_players_correct_and_watchers_do_not(ring: Ring) -> None:
    await one_tests(ring)
    for action in (Correct("level", "1", "3", WHY), RollUpkeep(), ConfirmUpkeep(), AskCorrection("levels")):
        assert "Join this game" in await ring.refused("eve", action)


async def test_the_menu_leads_to_what_can_be_corrected(ring: Ring) -> None:
    await one_tests(ring)
    asked = await ring.table.do(ANNA, AskCorrection("removed"))
    assert asked.reply.private
    (keep,) = asked.reply.buttons
    assert (keep.label, keep.form is not None) == ("Don't remove Dr. Helen Salinger", True)
    assert isinstance(keep.action, Correct)
    tests = await ring.table.do(ANNA, AskCorrection("tests"))
    labels = [button.label for button in tests.reply.buttons]
    assert labels[0] == "Smap takes no panic test"
    assert "Skip Westmoreland takes a panic test too" in labels
    assert "Wanda Whitestar takes a panic test too" not in labels
    await ring.ask(ANNA, Correct("keep", keep.action.about, "1", WHY))
    dropped = await ring.table.do(ANNA, AskCorrection("back"))
    assert dropped.reply.buttons[0].form is None
    lines = (
        await ring.table.press(
            ANNA, dropped, "Withdraw correction 1 (Dr. Helen Salinger stays in play with 1 Life)"
        )
    ).reply.lines
    assert lines[:2] == (
        "Upkeep of turn 1. Correction withdrawn. Next: roll the dice",
        "1. Removed: Dr. Helen Salinger",
    )


async def test_the_correction_of_another_is_taken_back_for_a_reason_that_everybody_reads(ring: Ring) -> None:
    await one_tests(ring)
    await said(ring, BO, drawer="Edo", reason=WHY)
    told = await ring.refused(ANNA, WithdrawCorrection(1))
    assert told == "bo made this correction. To withdraw it, add a reason that everyone can read."
    assert await ring.refused(ANNA, UpkeepNamed(back=1)) == told
    (drop,) = (await ring.table.do(ANNA, AskCorrection("back"))).reply.buttons
    assert drop.form is not None
    assert [blank.name for blank in drop.form.blanks] == ["reason"]
    lines = await said(ring, ANNA, back=1, reason="nobody healed her")  # type: ignore[arg-type]
    assert lines[0] == "Upkeep of turn 1. Correction withdrawn (anna: nobody healed her). Next: roll the dice"
    assert not ring.answer.reply.private


async def test_only_steps_with_something_to_correct_are_offered(ring: Ring) -> None:
    """Nobody is removed and nobody tests: neither is a step to correct, nor what is not rolled yet."""
    await ring.arrange(all_have_acted)
    await ring.ask(ANNA, NextStep())
    for also in ([], ["back"]):
        (menu,) = [one for one in ring.answer.reply.menus if one.prompt == "Correct..."]
        steps = [choice.value for choice in menu.choices]
        assert steps == ["levels", "score", "bag", "drawer", *also]
        for step_asked in steps:
            told = (await ring.table.do(ANNA, AskCorrection(step_asked))).reply
            assert told.buttons, step_asked
        if not also:
            await said(ring, ANNA, score="Lancers=1", reason=WHY)
    await ring.table.agreed(ANNA, Undo())
    await one_tests(ring)
    (menu,) = [one for one in ring.answer.reply.menus if one.prompt == "Correct..."]
    assert [choice.value for choice in menu.choices] == ["removed", "levels", "tests"]


async def test_a_later_correction_takes_the_place_of_an_earlier_one(ring: Ring) -> None:
    await one_tests(ring)
    await said(ring, ANNA, level="Lancers=4", reason="first thought")
    await said(ring, ANNA, level="Lancers=3", reason="second thought")
    await said(ring, ANNA, spare="Smap", reason=WHY)
    lines = await said(ring, ANNA, test="Smap", reason=WHY)
    assert lines[lines.index("Corrected:") + 1 :][:4] == [
        "1. Lancers: Panic Level 3",
        "  anna: second thought",
        "2. Smap takes a panic test",
        f"  anna: {WHY}",
    ]
    await ring.ask(ANNA, WithdrawCorrection(1))
    assert "Lancers: Panic Level 2" in ring.answer.reply.lines


async def test_undo_takes_the_whole_upkeep_back_with_its_corrections(ring: Ring) -> None:
    await ring.arrange(all_have_acted, hurt("Dr. Helen", 2), block("Smap", "edo_spawnling"))
    before = ring.table.state()
    await ring.ask(ANNA, NextStep())
    await said(ring, ANNA, level="Lancers=3", reason=WHY)
    await said(ring, ANNA, spare="Skip", reason=WHY)
    await said(ring, ANNA, spare="GDF Medical", reason=WHY)
    await ring.ask(ANNA, RollUpkeep(), 1)
    await said(ring, ANNA, result="Smap=holds", reason=WHY)
    await ring.confirmed()
    after = ring.table.state()
    assert (await ring.table.encounter()).row.turn == 2
    await ring.table.agreed(ANNA, Undo())
    assert ring.table.state() == before
    await ring.table.agreed(ANNA, Redo())
    assert ring.table.state() == after


async def test_a_long_upkeep_is_told_in_short_and_whole_in_why(ring: Ring) -> None:
    def many(encounter: Encounter) -> None:
        for side in (1, 2):
            owner = encounter.models(side)[0].owner_id
            for number in range(13):
                name = f"Wonderful Spawnling {side} {number}"
                add_model(encounter, side, owner, name, block_text("edo_spawnling"))
        for model in encounter.models():
            model.counters["activated"] = 1

    lost = (hurt("Dr. Helen", 9), hurt("Skip", 9), hurt("Prime Leader", 9))
    await ring.arrange(many, *lost)
    for who in (ANNA, BO):
        await ring.table.done(who, DiceMode("bot"))
    await ring.ask(ANNA, NextStep())
    await ring.press(BO, "Spawnguard")
    await ring.ask(ANNA, RollUpkeep())
    await ring.ask(BO, RollUpkeep())
    for number in range(13):
        name = f"Wonderful Spawnling 1 {number}"
        lines = await said(ring, ANNA, result=f"{name}=holds", reason="the little wall stopped the die " * 3)
    text = "\n".join(lines)
    assert fit_text(lines) == text
    assert "\n13. Wonderful Spawnling 1 12: holds" in text
    assert "7. First draw" in text
    assert "\nholds: " in text
    assert ", Wonderful Spawnling 1 12" in next(line for line in lines if line.startswith("holds: "))
    shown, entry, told = 0, ring.answer.version, ""
    while shown >= 0:
        page = await ring.table.do(BO, WhyEntry(entry, shown))
        assert fit_text(page.reply.lines) == page.reply.text
        told += page.reply.text
        shown = shown + 1 if page.reply.buttons else -1
    assert told.count("  INT 1D+0 vs ") > 20
    assert told.count("  anna: the little wall") >= 13
    await ring.press(ANNA, "Confirm")
    lines = await ring.press(BO, "Confirm")
    assert fit_text(lines) == "\n".join(lines)
    assert any(line.endswith(" draws first.") for line in lines)
    assert "Enter a page from 1 to " in await ring.refused(BO, WhyEntry(entry, 99))
