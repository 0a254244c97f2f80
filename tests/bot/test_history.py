"""Undo and redo: back to the start and forth to the end byte for byte, and no fishing for dice."""

from __future__ import annotations

import random

import pytest

from bot.actions import Action
from bot.games.counterblast.core.checks import Check
from bot.games.counterblast.upkeep.upkeep_actions import ConfirmUpkeep
from bot.replies.fit import messages
from bot.store.doctor import examine
from bot.table.journal.history import MAX_STEPS, UNDO, FreshDice, Redo, Undo
from bot.table.journal.log import ShowLog, WhyModel
from bot.table.realdice import EnterFaces
from bot.table.rolling.dice_settings import DiceMode
from bot.table.rolling.rolls import Roll
from bot.table.rosters.crews import AppointLeader, CreateCrew, DisbandCrew, DismissMember, RecruitMember
from bot.table.session.arrivals import AddModel, EquipModel
from bot.table.session.encounters import EndEncounter, JoinEncounter, NextStep, StartDemo
from bot.table.session.models import DamageModel, NoteModel
from rules.json_text import compact
from tests.bot.play import Player, everybody_acts
from tests.bot.tables import Table, url_of

pytestmark = pytest.mark.both_databases

WHY = "all of us agree"
"""Why the organiser takes back what others did."""


async def undo_all(table: Table, who: str = "anna", dice: random.Random | None = None, **more: int) -> int:
    """Undo until nothing stands; how many steps it took."""
    steps = 0
    while True:
        answer = await table.do(who, Undo(dice.randint(1, 4) if dice else 1), reason=WHY, **more)
        if not answer.changed:
            assert answer.reply.lines == ("There is nothing to undo.",)
            return steps
        steps += sum(line.startswith("Undone") for line in answer.reply.lines)


async def redo_all(table: Table, who: str = "anna", **more: int) -> int:
    steps = 0
    while (answer := await table.do(who, Redo(), reason=WHY, **more)).changed:
        steps += sum(line.startswith("Redone") for line in answer.reply.lines)
    assert answer.reply.lines == ("There is nothing to redo.",)
    return steps


@pytest.mark.parametrize("number", range(1))
async def test_random_play_is_undone_to_the_start_and_redone_to_the_end(table: Table, number: int) -> None:
    player = Player(table, number)
    await player.begin(free=True)
    scope = (await table.loaded()).scope.id
    states = {0: {name: [] for name in table.state()}, (await table.loaded()).scope.tip: table.state()}
    for _ in range(60):
        await player.step()
        now, state = (await table.desk.store.load(scope)) or pytest.fail("gone"), table.state()
        assert state == states.setdefault(now.scope.tip, state), player.asked[-1]
    assert len(states) > 12
    await redo_all(table, scope=scope)
    now = (await table.desk.store.load(scope)) or pytest.fail("gone")
    end, tip = table.state(), now.scope.tip
    while (await table.do("anna", Undo(), scope=scope, reason=WHY)).changed:
        back, state = (await table.desk.store.load(scope)) or pytest.fail("gone"), table.state()
        assert back.scope.tip < tip
        assert state == states.setdefault(back.scope.tip, state)
    assert not any(table.state().values())
    await redo_all(table, scope=scope)
    assert table.state() == end
    assert ((await table.desk.store.load(scope)) or pytest.fail("gone")).scope.tip == tip
    await undo_all(table, dice=random.Random(number), scope=scope)
    assert not any(table.state().values())
    while (await table.do("anna", Redo(3), scope=scope, reason=WHY)).changed:
        pass
    assert table.state() == end
    assert (await examine(url_of(table.file))).faults == ()


async def test_crews_are_undone_and_redone(table: Table) -> None:
    crew = (await table.done("anna", CreateCrew("The Fine"))).scope
    actions: list[Action] = [
        RecruitMember(crew, "sally"),
        RecruitMember(crew, "smap", 3),
        DismissMember(crew, "smap 2"),
        AppointLeader(crew, "smap 3"),
        DisbandCrew(crew),
    ]
    for action in actions:
        await table.done("anna", action)
    end = table.state()
    assert await undo_all(table, scope=crew) == len(actions) + 1
    assert not any(table.state().values())
    assert await redo_all(table, scope=crew) == len(actions) + 1
    assert table.state() == end


async def test_undo_steps_and_their_bounds(table: Table) -> None:
    await table.done("anna", StartDemo())
    for hurt in (1, 2, 3):
        await table.done("anna", DamageModel("Smap", hurt))
    for steps in (0, -1, MAX_STEPS + 1):
        assert "1 to 50" in await table.refused("anna", Undo(steps))
        assert "1 to 50" in await table.refused("anna", Redo(steps))
    answer = await table.done("anna", Undo(2))
    assert [line.partition(" takes ")[2][:1] for line in answer.reply.lines] == ["3", "2"]
    assert "nothing to redo" not in (await table.done("anna", Redo(2))).reply.text
    assert "nothing to redo" in await table.refused("anna", Redo())
    tip = (await table.loaded()).scope.tip
    assert ". Use /undo to undo the last actions one by one" in await table.refused(
        "anna", Undo(entry=tip - 1)
    )
    await table.done("anna", Undo(entry=tip))


async def test_a_new_action_after_an_undo_ends_what_could_be_redone(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("anna", DamageModel("Smap", 1))
    await table.done("anna", Undo())
    await table.done("anna", DamageModel("Smap", 2))
    assert "nothing to redo" in await table.refused("anna", Redo())
    await table.done("anna", Undo())
    assert "Smap takes 2" in (await table.done("anna", Redo())).reply.text


async def begun(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    await table.done("anna", NextStep())


async def faces(table: Table) -> tuple[str, str, int]:
    loaded = await table.loaded()
    entry = await table.desk.store.entry(loaded.scope.id, loaded.scope.tip)
    assert entry is not None
    return compact(entry.faces_shown()), entry.dice, entry.repeats


async def test_the_same_action_gets_the_same_dice(table: Table) -> None:
    await begun(table)
    first = await table.done("anna", Roll("8d10"))
    seen, dice, _ = await faces(table)
    assert dice == "bot"
    tip = (await table.loaded()).scope.tip
    for _ in range(3):
        undone = await table.done("anna", Undo())
        assert "If you repeat the action, it gets the same dice." in undone.reply.lines
        again = await table.done("anna", Roll("8 d10"))
        assert again.reply.lines[0] == first.reply.lines[0]
        assert "These are the same dice as in the undone roll." in again.reply.lines
        assert await faces(table) == (seen, "repeat", tip)
        tip = (await table.loaded()).scope.tip


async def test_whoever_asks_gets_the_same_dice_again(table: Table) -> None:
    await begun(table)
    await table.done("anna", Roll("8d10"))
    seen, _, _ = await faces(table)
    await table.done("anna", Undo())
    await table.done("bo", Roll("8d10"))
    assert (await faces(table))[0] == seen


async def test_another_action_gets_fresh_dice_and_a_note(table: Table) -> None:
    await begun(table)
    await table.done("anna", Roll("8d10"))
    seen, _, _ = await faces(table)
    await table.done("anna", Undo())
    other = await table.done("anna", Roll("9d10"))
    assert "These are new dice; another roll was undone before this one." in other.reply.lines
    assert (await faces(table))[0][:20] != seen[:20]
    later = await table.done("anna", Roll("7d10"))
    assert "These are new dice; another roll was undone before this one." not in later.reply.lines
    again = await table.done("anna", Roll("8d10"))
    assert (await faces(table))[0] == seen
    assert "These are the same dice" in again.reply.text
    anew = await table.done("anna", Roll("8d10"))
    assert (await faces(table))[0] != seen
    assert "These are the same dice" not in anew.reply.text


async def test_the_mark_of_fresh_dice_also_comes_where_another_step_lies_between(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("anna", NoteModel("Sally", "near"))
    await table.done("anna", Check("Sally"))
    await table.done("anna", Undo(2))
    await table.done("anna", NoteModel("Sally", "far"))
    other = await table.done("anna", Check("Skip"))
    assert "These are new dice; another roll was undone before this one." in other.reply.lines
    later = await table.done("anna", Check("Smap"))
    assert "These are new dice; another roll was undone before this one." not in later.reply.lines


async def test_dice_of_several_undone_steps_all_wait(table: Table) -> None:
    await begun(table)
    for expression in ("5d10", "6d10", "7d10"):
        await table.done("anna", Roll(expression))
    numbered = {
        entry.input: entry.faces
        for entry in await table.desk.store.all_entries((await table.loaded()).scope.id)
    }
    await table.done("anna", Undo(3))
    for expression in ("7d10", "5d10", "6d10"):
        await table.done("anna", Roll(expression))
        entry = (await table.desk.store.all_entries((await table.loaded()).scope.id))[-1]
        assert entry.faces == numbered[entry.input]


@pytest.mark.parametrize(
    ("who", "may"),
    [("bo", True), ("mate", False), ("anna", False), ("watcher", False), ("stranger", False)],
)
async def test_fresh_dice_are_allowed_by_another_side_than_the_one_that_rolled(
    table: Table, who: str, may: bool
) -> None:
    """Not by the roller's own side, nor by who watches or has no seat."""
    await begun(table)
    await table.press("anna", await table.done("mate", JoinEncounter("Lancers")), "Let in")
    await table.done("watcher", JoinEncounter(watch=True))
    await table.done("anna", Roll("8d10"))
    undone = await table.done("anna", Undo())
    assert (await table.press(who, undone, "Allow new dice")).changed is may


async def test_an_organiser_who_only_watches_allows_no_fresh_dice(table: Table) -> None:
    await begun(table)
    await table.press("anna", await table.done("mate", JoinEncounter("Lancers")), "Let in")
    await table.done("anna", JoinEncounter(watch=True))
    await table.done("mate", Roll("8d10"))
    undone = await table.done("mate", Undo())
    assert not (await table.press("anna", undone, "Allow new dice")).changed
    assert (await table.press("bo", undone, "Allow new dice")).changed


async def test_a_roller_who_left_gets_no_fresh_dice_from_the_side_they_left(table: Table) -> None:
    await begun(table)
    await table.press("anna", await table.done("mate", JoinEncounter("Lancers")), "Let in")
    await table.done("mate", Roll("8d10"))
    undone = await table.done("mate", Undo())
    await table.done("mate", JoinEncounter(watch=True))
    assert not (await table.press("anna", undone, "Allow new dice")).changed
    assert (await table.press("bo", undone, "Allow new dice")).changed


async def test_who_plays_alone_allows_fresh_dice(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("watcher", JoinEncounter(watch=True))
    await table.done("anna", Roll("8d10"))
    undone = await table.done("anna", Undo())
    assert not (await table.press("watcher", undone, "Allow new dice")).changed
    assert (await table.press("anna", undone, "Allow new dice")).changed


async def test_only_the_other_side_allows_fresh_dice(table: Table) -> None:
    await begun(table)
    await table.done("anna", Roll("8d10"))
    seen, _, _ = await faces(table)
    number = (await table.loaded()).scope.tip
    assert await table.refused("bo", FreshDice(number)) == "That roll wasn't undone."
    undone = await table.done("anna", Undo())
    for who in ("anna", "stranger"):
        answer = await table.press(who, undone, "Allow new dice")
        assert not answer.changed
        assert "another side" in answer.reply.text
    allowed = await table.press("bo", undone, "Allow new dice")
    assert "allows new dice for this roll" in allowed.reply.lines[0]
    assert not allowed.reply.private
    before = table.state()
    rolled = await table.done("anna", Roll("8d10"))
    assert (await faces(table))[:2] != (seen, "repeat")
    assert "These are the same dice" not in rolled.reply.text
    await table.agreed("anna", Undo(2))
    assert table.state() == before
    await table.done("anna", Roll("8d10"))
    assert (await faces(table))[1] == "repeat"
    assert (await examine(url_of(table.file))).faults == ()


async def test_leave_to_throw_afresh_that_is_undone_is_no_leave(table: Table) -> None:
    await begun(table)
    await table.done("anna", Roll("8d10"))
    seen, _, _ = await faces(table)
    number = (await table.loaded()).scope.tip
    await table.done("anna", Undo())
    await table.done("bo", FreshDice(number))
    await table.done("bo", Undo())
    await table.done("anna", Roll("8d10"))
    assert (await faces(table))[0] == seen
    assert (await examine(url_of(table.file))).faults == ()


async def test_who_plays_alone_speaks_for_both_sides(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("anna", NextStep())
    await table.done("anna", Roll("8d10"))
    undone = await table.done("anna", Undo())
    assert (await table.press("anna", undone, "Allow new dice")).changed


async def test_the_log_strikes_out_what_is_undone(table: Table) -> None:
    await begun(table)
    await table.done("anna", DamageModel("Smap", 2))
    await table.done("anna", Undo())
    await table.done("anna", DamageModel("Smap", 1))
    lines = (await table.do("bo", ShowLog())).reply.lines
    assert lines[2] == "3 bo: bo is ready to begin (Edo)."
    assert lines[4].startswith("5 anna: ~~Smap takes 2")
    assert lines[4].endswith("~~ (undone)")
    assert lines[5].startswith("6 anna: Undone: ~~Smap takes 2")
    assert "(undone)" not in lines[5]
    assert lines[6].startswith("7 anna: Smap takes 1")
    assert "~~" not in lines[6]
    why = (await table.do("bo", WhyModel("Smap"))).reply.lines
    assert "  damage: 2 (was 0)" in why
    assert "  damage: 1 (was 0)" in why


async def test_the_log_goes_back_page_by_page(table: Table) -> None:
    await table.done("anna", StartDemo())
    for number in range(30):
        await table.done("anna", NoteModel("Smap", f"note {number}"))
    answer = await table.do("anna", ShowLog())
    seen = list(answer.reply.lines)
    while "Earlier" in [button.label for button in answer.reply.buttons]:
        answer = await table.press("anna", answer, "Earlier")
        seen = [*answer.reply.lines, *seen]
    assert (await table.press("anna", answer, "Latest")).reply.lines[-1] == seen[-1]
    assert [int(line.split()[0]) for line in seen] == list(range(1, 32))


async def test_a_log_of_taps_alone_still_shows_something(table: Table) -> None:
    await begun(table)
    await table.done("anna", DiceMode("real"))
    await table.done("anna", Roll("20d10"))
    for _ in range(15):
        await table.done("anna", EnterFaces((5,)))
    lines = (await table.do("anna", ShowLog())).reply.lines
    assert len(lines) == 5
    await table.done("anna", EnterFaces((5,) * 5))
    lines = (await table.do("anna", ShowLog())).reply.lines
    assert lines[-1].endswith("[real dice]")


async def test_a_roll_of_real_dice_is_one_step_with_its_taps(table: Table) -> None:
    await begun(table)
    await table.done("anna", DiceMode("real"))
    before, tip = table.state(), (await table.loaded()).scope.tip
    asked = await table.done("anna", Roll("3d6"))
    assert "throws 3 d6" in asked.reply.lines[0]
    await table.press("anna", asked, "4")
    assert "too many" in await table.refused("anna", EnterFaces((1, 2, 3)))
    assert "must show 1 to 6 (you entered 9)" in await table.refused("anna", EnterFaces((9,)))
    assert "You already have a roll that is waiting for dice" in await table.refused("anna", Roll("1d6"))
    assert "Only players can enter dice" in await table.refused("cy", EnterFaces((1, 2)))
    await table.done("bo", DamageModel("Trapper"))
    rolled = await table.done("anna", EnterFaces((1, 2)))
    assert "These are real dice." in rolled.reply.lines
    assert (await faces(table))[:2] == ("[[6,4],[6,1],[6,2]]", "real")
    after = table.state()
    await table.agreed("anna", Undo(2))
    assert (table.state(), (await table.loaded()).scope.tip) == (before, tip)
    await table.agreed("anna", Redo(2))
    assert table.state() == after


async def test_an_override_keeps_its_reason_while_real_dice_fall(table: Table) -> None:
    await begun(table)
    await table.done("anna", DiceMode("real"))
    await table.refused("anna", Check("Trapper"))
    await table.done("anna", Check("Trapper"), reason="bo is away")
    rolled = await table.enter("anna", (5, 6))
    assert rolled.changed
    assert "Override by anna: bo is away" in rolled.reply.lines
    loaded = await table.loaded()
    entry = await table.desk.store.entry(loaded.scope.id, loaded.scope.tip)
    assert entry is not None
    assert entry.reason == "bo is away"


async def test_half_a_roll_of_real_dice_is_undone_by_itself(table: Table) -> None:
    await begun(table)
    await table.done("anna", DiceMode("real"))
    before = table.state()
    await table.done("anna", Roll("3d6"))
    await table.done("anna", EnterFaces((4,)))
    await table.done("anna", Undo())
    assert table.state() == before
    await table.done("anna", Redo())
    await table.done("anna", EnterFaces((1, 2)))
    assert (await faces(table))[0] == "[[6,4],[6,1],[6,2]]"


async def test_upkeep_is_one_step(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("anna", NextStep())
    before = await everybody_acts(table)
    await table.done("anna", NextStep())
    await table.done("anna", ConfirmUpkeep())
    after = table.state()
    assert (await table.encounter()).row.turn == 2
    undone = await table.done("anna", Undo())
    assert len(undone.reply.lines) == 1
    assert table.state() == before
    await table.done("anna", Redo())
    assert table.state() == after


async def test_an_ended_game_stays_ended(table: Table) -> None:
    await begun(table)
    hurt = await table.done("anna", DamageModel("Smap"))
    await table.done("anna", EndEncounter())
    ended = table.state()
    for scope in (0, hurt.scope):
        assert "Start a new game; this one can't go on" in await table.refused("anna", Undo(), scope=scope)
    assert "has ended" in await table.refused("anna", DamageModel("Smap"), scope=hurt.scope)
    assert (
        "There is no game in this channel. Start one with /encounter start, or try /demo"
        in await table.refused("anna", DamageModel("Smap"))
    )
    await table.done("anna", StartDemo())
    await table.done("anna", Undo())
    assert table.state() == ended


async def test_why_a_model_tells_no_column_and_no_number_of_a_person(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    await table.done("anna", EquipModel("Smap", "Breaching Charge"))
    for name, change in (
        ("Prime Leader", "  now controlled by someone else"),
        ("Smap", "  its statblock changed"),
    ):
        why = (await table.do("anna", WhyModel(name))).reply
        assert change in why.lines
        for raw in ("_", "{", str(table.ids["bo"])):
            assert raw not in why.text


async def test_a_second_press_of_an_undo_that_the_panel_shows_takes_back_nothing_more(table: Table) -> None:
    """The button belongs to the step that was the last one when it was shown; so does Redo."""
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    await table.done("anna", NextStep())
    await table.done("anna", DamageModel("Smap"))
    await table.done("bo", DamageModel("Trapper"))
    await table.done("anna", DamageModel("Smap"))
    panel = await table.shown(UNDO)
    undone = await table.press("anna", panel, "Undo")
    assert undone.reply.lines[0].startswith("Undone: ~~Smap takes 1")
    again = await table.press("anna", panel, "Undo")
    assert not again.changed
    assert again.reply.private
    assert again.reply.lines[0] == "Nothing was changed, because that has already been undone."
    redone = await table.press("anna", undone, "Redo")
    assert redone.changed
    again = await table.press("anna", undone, "Redo")
    assert not again.changed
    assert again.reply.lines[0] == "Nothing was changed, because that has already been redone."
    later = await table.press("anna", panel, "Undo")
    assert later.reply.lines[0] == "Nothing was changed, because the game has moved on since this was shown."


async def test_a_double_tap_on_the_undo_of_a_result_takes_one_step_back(table: Table) -> None:
    """It belongs to its entry, also while the step before it is somebody else's."""
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    earlier = await table.done("anna", DamageModel("Smap"))
    await table.done("bo", DamageModel("Trapper"))
    last = await table.done("anna", DamageModel("Smap", 2))
    assert "Undone: ~~Smap takes 2" in (await table.press("anna", last, "Undo")).reply.text
    before = table.state()
    for answer, told in (
        (last, "already been undone"),
        (earlier, "This button is too old, because more has happened since: Trapper"),
    ):
        again = await table.press("anna", answer, "Undo")
        assert told in again.reply.text
        assert not again.changed
    assert table.state() == before


async def test_the_log_tells_every_step_whole(table: Table) -> None:
    """However long titles are, no letter is missing on any page of the log."""
    await table.done("anna", StartDemo())
    adding = [AddModel("Lancers", "Smap", called=mark * 30, count=10) for mark in "abcdefghi"]
    titles = [(await table.done("anna", one)).reply.lines[0] for one in adding]
    assert min(map(len, titles)) > 300
    answer = await table.do("anna", ShowLog())
    shown = ""
    while answer:
        shown += "\n".join(line for part in messages(answer.reply) for line in part.lines)
        more = any(one.label == "Earlier" for one in answer.reply.buttons)
        answer = await table.press("anna", answer, "Earlier") if more else None
    assert not [title for title in titles if f": {title}" not in shown]
