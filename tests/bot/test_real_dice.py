"""Real dice: one message asks throw by throw; every face belongs to one roll and one place in it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.actions import Action
from bot.games.counterblast.core.contact import Engage
from bot.games.counterblast.movement.climbing import SetHeight
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.turn.bag import DrawToken, PassDraw
from bot.store.journal import bound_in
from bot.store.rows import PendingRow
from bot.table.encounter import Encounter
from bot.table.game import game_of
from bot.table.journal.history import Redo, Undo
from bot.table.journal.log import ShowLog
from bot.table.realdice import DropRoll, EnterFaces, TakeBackFace
from bot.table.request import Answer
from bot.table.rolling.dice_settings import DiceMode
from bot.table.rolling.rolls import Roll
from bot.table.session.arrivals import EquipModel
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from bot.table.session.models import (
    AddCondition,
    ClearCondition,
    DamageModel,
    HealModel,
    RemoveModel,
    RenameModel,
    ReturnModel,
)
from bot.table.session.possible_actions import add_action_buttons
from bot.table.session.settings import Settings
from tests.bot.arranging import arrange
from tests.bot.counterblast.ring import active
from tests.bot.house import House
from tests.bot.tables import Table, contents, opened, waits
from tests.bot.waited import waited_for

SHOT = Shoot("Sally", "Prime", 6)
TOGETHER = Settings("entered by", "any player")
"""Any player can enter rolls and answers for everyone."""


async def begun(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    await table.done("anna", NextStep())
    await table.done("anna", DiceMode("real"))


async def faces(table: Table) -> list[str]:
    return [row.faces for row in (await table.encounter()).book.all(PendingRow)]


async def tap(table: Table, who: str, answer: Answer, *labels: str) -> Answer:
    for label in labels:
        answer = await table.press(who, answer, label)
    return answer


# ---------------------------------------------------------------- one message


async def test_five_dice_are_one_message_with_a_step_back(house: House) -> None:
    await house.slash("demo")
    await house.slash("dice mode", dice="real")
    await house.quiet()
    asked = await house.slash("roll", dice="5d6 keep 3")
    await house.quiet()
    count = len(house.public)
    assert asked.content.splitlines()[0] == "Anna throws 5 d6 for Anna's roll of 5d6 keep 3."
    labels = ["Undo", "1", "2", "3", "4", "5", "6", "Back", "Enter all at once...", "Drop"]
    assert [control.label for control in asked.controls][: len(labels)] == labels
    for label, shown in (("4", "4 _ _ _ _"), ("2", "4 2 _ _ _"), ("Back", "4 _ _ _ _"), ("6", "4 6 _ _ _")):
        now = await house.press(asked, label)
        assert now.id == asked.id
        assert f"So far: {shown}" in now.content
    modal = await (await house.anna.press(asked, "Enter all at once...")).modal()
    said = await house.submit(modal, {"faces": "1, 1 5"})
    assert said.id == asked.id
    assert said.content.splitlines()[0] == "Anna: 15"
    assert len(house.public) == count
    assert not {"1", "Back", "Drop"} & {control.label for control in said.controls}


async def test_nothing_is_there_to_take_back_at_first(table: Table) -> None:
    await begun(table)
    asked = await table.do("anna", Roll("2d6"))
    back = next(button for button in asked.reply.buttons if button.label == "Back")
    assert back.disabled
    assert "No face has been entered yet" in await table.refused("anna", TakeBackFace())


async def test_it_waits_through_a_restart_whoever_taps(table: Table, file: Path) -> None:
    await begun(table)
    await table.done("anna", TOGETHER)
    asked = await table.done("anna", Roll("3d6"))
    one = await table.press("anna", asked, "4")
    async with opened(file, first_seed=9) as later:
        later.ids.update(table.ids)
        later.interactions = table.interactions
        done = await tap(later, "bo", one, "5", "6")
    assert done.reply.lines[0] == "anna: 15"
    typed = [row[19] for row in contents(file, "journal")["journal"] if row[16] == "real"]
    assert [[face for _, face, _ in bound_in(one)] for one in typed] == [[4, 5, 6]]


async def test_dice_of_more_faces_than_fit_are_typed(table: Table) -> None:
    await begun(table)
    asked = await table.done("anna", Roll("2d100"))
    assert [button.label for button in asked.reply.buttons] == ["Back", "Enter all at once...", "Drop"]
    assert (await table.done("anna", EnterFaces((100, 1)))).reply.lines[0] == "anna: 101"


# ---------------------------------------------------------------- one roll, one place


async def test_presses_by_two_at_once_never_double(table: Table) -> None:
    await begun(table)
    await table.done("anna", TOGETHER)
    asked = await table.done("anna", Roll("5d6"))
    presses = [table.press(who, asked, "4") for who in ("anna", "bo") * 5]
    answers = await asyncio.gather(*presses)
    assert sorted(answer.changed for answer in answers) == [False] * 9 + [True]
    told = {answer.reply.lines for answer in answers if not answer.changed}
    now = "Nothing was changed, because that die has already been entered. Next: "
    now += "anna throws 5 d6 for anna's roll of 5d6."
    assert told == {(now,)}
    assert await faces(table) == ["4"]


async def test_a_press_of_a_roll_that_is_over_enters_nothing_into_the_next(table: Table) -> None:
    await begun(table)
    old = await table.done("anna", Roll("3d6"))
    await table.done("anna", DropRoll())
    await table.done("anna", Roll("3d6"))
    pressed = await table.press("anna", old, "6")
    assert pressed.reply.lines[:2] == ("Nothing was changed, because that roll is over.", "Last steps:")
    assert pressed.reply.lines[-1] == "anna cancels the roll that was waiting for dice."
    assert [button.label for button in pressed.reply.buttons] == ["More..."]
    assert await faces(table) == [""]
    undone = await table.done("anna", Undo())
    assert "Undone" in undone.reply.text
    await table.done("anna", Roll("3d6"))
    assert not (await table.press("anna", old, "6")).changed, "an undone roll's number is not used again"


async def test_what_others_do_meanwhile_makes_no_tap_stale(table: Table) -> None:
    await begun(table)
    asked = await table.done("anna", Roll("3d6"))
    await table.done("bo", DamageModel("Trapper"))
    done = await tap(table, "anna", asked, "1", "2", "3")
    assert done.reply.lines[0] == "anna: 6"


async def test_faces_of_the_same_dice_stay_where_other_dice_are_wanted_meanwhile(table: Table) -> None:
    await begun(table)
    await arrange(table, "anna", active("Sally"))
    asked = await table.done("anna", SHOT)
    assert asked.reply.lines[0] == "anna throws 2 d10 for Sally Starfield's attack at Prime Leader."
    one = await table.press("anna", asked, "2")
    await table.done("anna", AddCondition("Sally", "hidden"))
    anew = await table.press("anna", one, "9")
    assert anew.reply.lines[0] == "anna throws 3 d10 for Sally Starfield's attack at Prime Leader."
    assert anew.reply.lines[1] == "The game has changed, so other dice are needed now."
    assert await faces(table) == ["2"]
    await table.done("anna", AddCondition("Sally", "blinded"))
    await table.done("anna", ClearCondition("Sally", "hidden"))
    done = await table.press("anna", anew, "9")
    assert done.reply.lines[0] == "Sally Starfield misses Prime Leader.", "with the 2 alone"


@pytest.mark.parametrize(
    "spoils",
    [
        AddCondition("Prime", "hidden"),
        ClearCondition("Prime"),
        RemoveModel("Prime"),
        ReturnModel("Trapper"),
        DamageModel("Prime", 9),
        HealModel("Prime"),
        SetHeight("Prime", 4),  # type: ignore[arg-type]
        EquipModel("Prime", ("grenade",)),  # type: ignore[arg-type]
        Engage("Sally", "Prime"),  # type: ignore[arg-type]
    ],
)
async def test_the_target_does_not_get_out_of_a_shot_under_its_dice(table: Table, spoils: Action) -> None:
    await begun(table)
    await arrange(table, "anna", active("Sally"))
    await table.done("bo", AddCondition("Prime", "prone"))
    await table.done("bo", DamageModel("Prime"))
    await table.done("bo", RemoveModel("Trapper"))
    await tap(table, "anna", await table.done("anna", SHOT), "9")
    assert await table.refused("bo", spoils) == "Wait until the dice of the current roll have been entered."
    await table.agreed("anna", Undo())
    await table.done("bo", spoils)


async def test_no_house_rule_changes_under_waiting_dice(table: Table) -> None:
    await begun(table)
    await arrange(table, "anna", active("Sally"))
    await table.done("anna", SHOT)
    waits = "Wait until anna has entered the dice, or cancel the roll."
    assert await table.refused("anna", Settings("initiative_check_ability", "INT")) == waits
    await table.done("anna", TOGETHER)


async def test_nobody_gets_rid_of_dice_that_are_in_by_leaving(table: Table) -> None:
    await begun(table)
    await arrange(table, "anna", active("Sally"))
    asked = await tap(table, "anna", await table.done("anna", SHOT), "9", "9")
    assert asked.reply.lines[0].startswith("bo throws")
    told = "Finish anna's roll first, or cancel it with /undo."
    assert await table.refused("anna", JoinEncounter(watch=True)) == told


async def test_a_new_name_saves_nobody_from_a_shot_under_its_dice(table: Table) -> None:
    await begun(table)
    await arrange(table, "anna", active("Sally"))
    await tap(table, "anna", await table.done("anna", Shoot("Sally", "Prime Leader", 6)), "2")
    await table.done("bo", RenameModel("Prime", "Somebody"))
    await table.done("bo", RenameModel("Trapper", "Prime Leader"))
    done = await table.done("anna", EnterFaces((2,)))
    assert "Sally Starfield's attack at Somebody" in done.reply.lines[0]
    assert "So far: 2 _" in done.reply.lines
    assert (await table.done("anna", EnterFaces((2,)))).reply.lines[0] == "Sally Starfield misses Somebody."


async def test_a_roll_that_waited_before_the_dice_were_told_apart_takes_its_faces(table: Table) -> None:
    await begun(table)
    await table.done("anna", Roll("3d6"))

    def as_before(encounter: object) -> None:
        row = encounter.book.all(PendingRow)[0]  # type: ignore[attr-defined]
        row.sides = row.told = row.asked = 0
        row.prompt, row.faces = "Roll: throw 3 d6 and tell me.", "4"

    await arrange(table, "anna", as_before)
    assert (await table.done("anna", EnterFaces((5, 6)))).reply.lines[0] == "anna: 15"


# ---------------------------------------------------------------- faces typed


async def test_faces_that_go_on_to_other_dice_are_shown_first(table: Table) -> None:
    await begun(table)
    await arrange(table, "anna", active("Sally"))
    asked = await table.done("anna", SHOT)
    roll = asked.version
    theirs = EnterFaces((10, 9, 8, 2), roll, 0, asks=True)
    assert await table.refused("anna", theirs) == "Only bo can enter those dice."
    await table.done("anna", TOGETHER)
    more = await table.do("anna", EnterFaces((10, 9, 8, 2), roll, 0, asks=True))
    assert not more.changed
    assert (more.reply.replaces, more.reply.private) == (True, False), "where the dice were asked for"
    assert more.reply.lines == (
        "You entered more faces than this roll needs.",
        "Sally Starfield's attack at Prime Leader: 10 9",
        "Sally Starfield's attack at Prime Leader, bonus die: 8",
        "Prime Leader's shield against Sally Starfield: 2",
        "Press Accept if these faces are right, or enter them again:",
        *asked.reply.lines,
    )
    assert more.reply.buttons[:-1] == asked.reply.buttons
    done = await table.press("anna", more, "Accept")
    assert done.reply.lines[0].startswith("Sally Starfield hits Prime Leader: ")


async def test_bonus_dice_belong_to_the_throw_that_earned_them(table: Table) -> None:
    await begun(table)
    await arrange(table, "anna", active("Sally"))
    await table.done("anna", SHOT)
    shield = await table.done("anna", EnterFaces((10, 9, 8), asks=True))
    assert shield.reply.lines[0] == "bo throws 1 d10 for Prime Leader's shield against Sally Starfield."
    assert "Sally Starfield's attack at Prime Leader: 10 9" in shield.reply.lines
    assert "Sally Starfield's attack at Prime Leader, bonus die: 8" in shield.reply.lines


async def test_too_many_faces_and_faces_no_die_has_are_refused(table: Table) -> None:
    await begun(table)
    await table.done("anna", Roll("2d6"))
    assert "1 die too many: 5" in await table.refused("anna", EnterFaces((3, 4, 5), asks=True))
    assert "each d6 must show 1 to 6 (you entered 7)" in await table.refused(
        "anna", EnterFaces((7,), asks=True)
    )
    assert 'Enter at least one face, for example "10 4 2".' in await table.refused(
        "anna", EnterFaces((), asks=True)
    )


async def test_whoever_rolls_again_is_shown_what_waits(table: Table) -> None:
    await begun(table)
    asked = await table.done("anna", Roll("3d6"))
    again = await table.do("anna", Roll("1d6"))
    assert not again.changed
    assert again.reply.private
    assert again.reply.lines == ("You already have a roll that is waiting for dice.", *asked.reply.lines)
    assert (await table.press("anna", again, "4")).changed


# ---------------------------------------------------------------- undo


async def test_a_dropped_roll_is_no_step_of_the_undo(table: Table) -> None:
    await begun(table)
    hurt = await table.done("anna", DamageModel("Smap"))
    before = table.state()
    asked = await table.done("anna", Roll("3d6"))
    one = await table.press("anna", asked, "4")
    dropped = await table.press("anna", one, "Drop")
    assert dropped.reply.replaces
    assert table.state() == before
    undone = await table.press("anna", hurt, "Undo")
    assert undone.reply.lines[0] == "Undone: ~~Smap takes 1 wound (1 of 2 life left).~~"
    redone = await table.done("anna", Redo())
    assert redone.reply.lines == ("Redone: Smap takes 1 wound (1 of 2 life left).",)
    assert table.state() == before
    assert not waits(redone)


async def test_a_dropped_roll_between_others_goes_with_the_step_behind_it(table: Table) -> None:
    await begun(table)
    start = table.state()
    await table.done("anna", Roll("3d6"))
    await table.done("bo", DamageModel("Trapper"))
    await table.done("anna", DropRoll())
    await table.done("bo", DamageModel("Trapper"))
    for left in (1, 0):
        undone = await table.agreed("bo", Undo())
        assert undone.reply.lines[0].startswith("Undone: ~~Trapper takes 1")
        trapper = (await table.encounter()).find_model("Trapper")
        assert trapper.damage == left
    assert table.state() == start


OVERRIDDEN = "Override by anna: bo left the room"


async def test_only_who_rolls_drops_a_roll_and_the_organiser_with_a_reason(table: Table) -> None:
    await begun(table)
    await table.done("bo", DiceMode("real"))
    asked = await table.done("bo", Roll("3d6"))
    before = table.state()
    only = "That is bo's roll, so only bo or their captain can cancel it."
    refused = await table.press("anna", asked, "Drop")
    assert refused.reply.lines == (only,), "anna is the organiser, and plays the other side"
    assert not refused.changed
    assert "You have no roll that is waiting for dice" in await table.refused("anna", DropRoll())
    assert table.state() == before
    overridden = await table.press("anna", refused, "Override...", reason="bo left the room")
    assert overridden.changed
    assert overridden.reply.lines[1:] == (OVERRIDDEN, f"Overridden: {only}")
    await table.done("anna", DiceMode("bot"))
    (logged,) = [
        line
        for line in (await table.do("bo", ShowLog())).reply.lines
        if "cancels the roll that was waiting for dice" in line
    ]
    assert logged.endswith("[override: bo left the room]")
    await table.done("anna", DiceMode("real"))
    asked = await table.done("anna", Roll("3d6"))
    refused = await table.press("bo", asked, "Drop")
    assert refused.reply.lines == (only.replace("bo", "anna"),)
    assert not refused.reply.buttons
    manager = table.actor("mo", manages=True)
    refused = await table.press(manager, asked, "Drop")
    assert [button.label for button in refused.reply.buttons] == ["Override..."]
    assert (await table.press(manager, refused, "Override...", reason="anna is away")).changed


async def test_a_captain_drops_what_waits_for_somebody_of_the_same_side(table: Table) -> None:
    await begun(table)
    await table.press("bo", await table.done("cy", JoinEncounter("Edo")), "Let in")
    await table.done("cy", DiceMode("real"))
    asked = await table.done("cy", Roll("3d6"))
    assert (await table.press("bo", asked, "Drop")).reply.lines == (
        "bo cancels the roll that was waiting for dice.",
    )
    await table.done("bo", DiceMode("real"))
    asked = await table.done("bo", Roll("3d6"))
    assert not (await table.press("cy", asked, "Drop")).changed


async def test_faces_that_another_entered_are_given_up_only_with_their_word(table: Table) -> None:
    await begun(table)
    await table.done("anna", TOGETHER)
    await table.done("bo", DiceMode("real"))
    start = table.state()
    asked = await table.done("bo", Roll("3d6"))
    one = await tap(table, "bo", asked, "3")
    both = await tap(table, "anna", one, "4")
    before = table.state()
    refused = await table.press("bo", both, "Drop")
    assert refused.reply.lines == (
        "Some of these faces were entered by anna. Use /undo, which asks anna first.",
    )
    assert table.state() == before
    undone = await table.press("bo", refused, "Undo")
    assert undone.reply.lines[0] == "bo asks anna to agree to undo this:"
    assert await faces(table) == ["3 4"]
    assert (await table.press("anna", undone, "Agree")).changed
    assert table.state() == start
    asked = await tap(table, "bo", await table.done("bo", Roll("3d6")), "3")
    back = await tap(table, "anna", asked, "4", "Back")
    assert (await table.press("bo", back, "Drop")).changed, "what was taken back is nobody's word"


async def test_a_face_is_taken_back_by_who_entered_it_alone(table: Table) -> None:
    await begun(table)
    await table.done("anna", TOGETHER)
    await table.done("bo", DiceMode("real"))
    one = await tap(table, "bo", await table.done("bo", Roll("3d6")), "3")
    both = await tap(table, "anna", one, "4")
    before = table.state()
    refused = await table.press("bo", both, "Back")
    assert refused.reply.lines == ("Only anna can remove that face.",)
    assert table.state() == before
    back = await tap(table, "anna", both, "Back")
    refused = await table.press("anna", back, "Back")
    assert refused.reply.lines == ("Only bo can remove that face.",)
    assert (await table.press("bo", back, "Back")).changed


async def test_who_entered_faces_for_another_is_told(table: Table) -> None:
    await begun(table)
    await table.done("anna", TOGETHER)
    await table.done("bo", DiceMode("real"))
    one = await tap(table, "bo", await table.done("bo", Roll("3d6")), "3")
    assert "So far: 3 _ _" in one.reply.lines
    both = await tap(table, "anna", one, "4")
    assert "So far: 3 4 _ (entered by anna)" in both.reply.lines
    done = await tap(table, "bo", both, "5")
    assert "anna entered bo's dice." in done.reply.lines
    own = await tap(table, "bo", await table.done("bo", Roll("2d6")), "3", "4")
    assert "entered by" not in own.reply.text


async def test_the_defender_throws_in_a_shot_and_cannot_give_it_up(table: Table) -> None:
    """Whose dice are due is named as who entered them only where it was somebody else."""
    await begun(table)
    await arrange(table, "anna", active("Sally"))
    shield = await tap(table, "anna", await table.done("anna", SHOT), "9", "9")
    while shield.reply.lines[0].startswith("anna throws "):
        shield = await table.press("anna", shield, "2")
    assert shield.reply.lines[0].startswith("bo throws 1 d10 for Prime Leader's shield ")
    refused = await table.press("bo", shield, "Drop")
    assert refused.reply.lines[0].startswith(
        "That is anna's roll, so only anna or their captain can cancel it."
    )
    undo = await table.done("bo", Undo())
    assert undo.reply.lines[0] == "bo asks anna to agree to undo this:"
    assert not (await table.refused("bo", DropRoll())).startswith("bo drops")
    done = await table.press("bo", shield, "9")
    while waits(done):
        done = await table.press("anna" if done.reply.lines[0].startswith("anna") else "bo", done, "2")
    assert "entered by" not in done.reply.text


async def test_a_throw_that_is_in_is_thrown_anew_only_with_the_word_of_the_other_side(table: Table) -> None:
    await begun(table)
    await arrange(table, "anna", active("Sally"))
    start = table.state()
    shield = await tap(table, "anna", await table.done("anna", SHOT), "9", "9")
    while shield.reply.lines[0].startswith("anna throws "):
        shield = await table.press("anna", shield, "2")
    refused = await table.press("anna", shield, "Drop")
    assert refused.reply.lines == (
        "Some of these dice have already been entered. Use /undo, which asks bo first.",
    )
    undone = await table.press("anna", refused, "Undo")
    assert undone.reply.lines[0] == "anna asks bo to agree to undo this:"
    assert (await table.press("bo", undone, "Agree")).changed
    assert table.state() == start


async def test_faces_entered_for_the_other_side_are_named_with_their_throw(table: Table) -> None:
    await begun(table)
    await table.done("anna", TOGETHER)
    await arrange(table, "anna", active("Sally"))
    shield = await tap(table, "bo", await table.done("anna", SHOT), "9", "9")
    assert "Sally Starfield's attack at Prime Leader: 9 9 (entered by bo)" in shield.reply.lines
    done = await table.press("anna", shield, "9")
    while waits(done):
        done = await table.press("bo", done, "2")
    assert "bo entered anna's dice." in done.reply.lines
    assert "anna entered bo's dice." in done.reply.lines


@pytest.mark.parametrize("taps", [1, 2])
async def test_undo_while_dice_are_missing_gives_the_roll_up(table: Table, taps: int) -> None:
    await begun(table)
    before = table.state()
    asked = await table.done("anna", Roll("3d6"))
    await tap(table, "anna", asked, *["4"] * taps)
    await table.done("anna", Undo())
    assert table.state() == before


@pytest.mark.parametrize("onwards", [DrawToken(asks=True), PassDraw(), NextStep()])
async def test_the_game_goes_on_when_the_dice_have_fallen(table: Table, onwards: Action) -> None:
    """Else the roll would be left behind with the faces that are in, and an undo would give it up."""
    await begun(table)
    await arrange(table, "anna", active("Sally"))
    asked = await table.do("anna", SHOT)
    await tap(table, "anna", asked, "3")
    told = await table.do("anna", onwards)
    assert not told.changed
    assert told.reply.lines[:2] == ("Enter these dice first:", asked.reply.lines[0])
    assert await faces(table) == ["3"]


async def test_what_waits_is_known_by_facts_whatever_people_are_called(table: Table) -> None:
    await begun(table)

    def renamed(encounter: Encounter) -> None:
        for seat in encounter.seats():
            seat.name = f"{seat.name} throws far"

    await arrange(table, "anna", active("Sally"), renamed)
    await table.do("anna", SHOT)
    encounter = await table.encounter()
    said = "Waiting for anna throws far to roll 2 d10 for Sally Starfield's attack at Prime Leader."
    assert waited_for(encounter) == said

    def before(encounter: Encounter) -> None:
        (row,) = encounter.book.all(PendingRow)
        row.thrower = row.wanted = ""

    await arrange(table, "anna", before)
    assert waited_for(await table.encounter()) == "Waiting for anna throws far to enter the dice."
    anew = await table.do("anna", EnterFaces((3,)))
    assert anew.reply.lines[0] == "anna throws far throws 2 d10 for Sally Starfield's attack at Prime Leader."
    assert waited_for(await table.encounter()) == said, "a roll that a version before asked for is asked anew"
    assert await faces(table) == [""]


async def test_the_panel_says_who_throws_what_and_types_it(table: Table) -> None:
    await begun(table)
    await arrange(table, "anna", active("Sally"))
    asked = await table.do("anna", SHOT)
    encounter = await table.encounter()
    whom, _, what = asked.reply.lines[0].partition(" throws ")
    assert waited_for(encounter) == f"Waiting for {whom} to roll {what}"
    shown = add_action_buttons(encounter, game_of(encounter).panel(encounter))
    assert shown.buttons[0].label == "Enter the faces..."
    assert shown.buttons[0].form is not None
    assert "Shoot" not in [button.label for button in shown.buttons]


async def test_the_opponent_types_no_faces_of_mine(table: Table) -> None:
    """Anna's attack is hers, Bo's shield his: he types neither her dice first, nor on beyond his own."""
    await begun(table)
    await table.done("bo", DiceMode("real"))
    await arrange(table, "anna", active("Sally"))
    asked = await table.done("anna", SHOT)
    told = "Only anna can enter those dice."
    assert (await table.press("bo", asked, "9")).reply.text == told
    assert await table.refused("bo", EnterFaces((9, 9))) == told
    shield = await tap(table, "anna", asked, "9", "9")
    assert shield.reply.lines[0].startswith("bo throws ")
    assert (await table.press("bo", shield, "2")).changed


async def test_an_organiser_enters_the_dice_of_another_with_a_reason_that_is_read(table: Table) -> None:
    await begun(table)
    await arrange(table, "anna", active("Sally"))
    shield = await tap(table, "anna", await table.done("anna", SHOT), "9", "9")
    refused = await table.press("anna", shield, "2")
    assert refused.reply.text == "Only bo can enter those dice."
    assert [one.label for one in refused.reply.buttons] == ["Override..."]
    (override,) = refused.reply.buttons
    done = await table.do("anna", override.action, reason="bo is fetching tea")
    assert "Override by anna: bo is fetching tea" in done.reply.lines
    assert any("anna entered" in line for line in done.reply.lines)
