"""The desk: what is refused changes nothing, old buttons are told so, scopes come and go as they should."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from itertools import product
from pathlib import Path
from weakref import ref

import pytest

from bot.actions import Action
from bot.games.counterblast.turn.bag import DrawToken
from bot.store.doctor import examine
from bot.table.act import Act
from bot.table.desk import MOVED_ON
from bot.table.journal.history import Undo
from bot.table.journal.log import Export, ShowLog
from bot.table.rolling.dice_settings import DiceMode
from bot.table.rolling.rolls import Roll
from bot.table.rosters.crews import AppointLeader, CreateCrew, RecruitMember
from bot.table.scoping import NO_ENCOUNTER
from bot.table.session import encounters
from bot.table.session.encounters import EndEncounter, JoinEncounter, NextStep, StartDemo, StartEncounter
from bot.table.session.models import AddCondition, DamageModel, HealModel, NoteModel, RemoveModel
from bot.table.session.possible_actions import WhatNow
from bot.table.suggestions import suggested
from rules.dice import MAX_DICE
from rules.refusals import InvalidInput
from tests.bot.tables import Table, contents, opened, url_of

pytestmark = pytest.mark.crowded


async def test_a_stale_button_changes_nothing_and_says_so(table: Table) -> None:
    await table.done("anna", StartDemo())
    begun = await table.done("anna", NextStep())
    hurt = await table.done("anna", DamageModel("Smap"))
    before = table.state()
    pressed = await table.press("anna", begun, "Draw")
    assert pressed.reply.lines == (MOVED_ON, f"anna: {hurt.reply.lines[0]}")
    assert pressed.reply.private
    assert table.state() == before
    await table.done("anna", Undo())
    assert not (await table.press("anna", begun, "Draw")).changed, "an undone version is an old one too"


async def test_a_button_that_is_good_at_any_time_survives_other_actions(table: Table) -> None:
    await table.done("anna", StartDemo())
    first = await table.done("anna", DamageModel("Smap", 1))
    await table.done("anna", DamageModel("Smap", 2))
    undone = await table.press("anna", first, "Undo")
    assert "Smap takes 2" in undone.reply.lines[0]


async def test_two_presses_of_one_button_are_one_step(table: Table) -> None:
    demo = await table.done("anna", StartDemo())
    answers = await asyncio.gather(*(table.press("anna", demo, "Begin") for _ in range(10)))
    assert sorted(answer.changed for answer in answers) == [False] * 9 + [True]
    (late,) = {answer.reply.lines for answer in answers if not answer.changed}
    assert late[0] == "Nothing was changed, because the game has already begun."
    assert late[-1].startswith("anna: Turn 1 of 8.")


async def test_a_repeat_is_answered_with_buttons_that_work(table: Table) -> None:
    await table.done("anna", StartDemo())
    began = await table.done("anna", NextStep(), interaction=77)
    again = await table.do("anna", NextStep(), interaction=77)
    assert again.repeated
    assert (again.reply, again.scope, again.version) == (began.reply, began.scope, began.version)
    label = again.reply.buttons[0].label
    first, second = await table.press("anna", again, label), await table.press("anna", began, label)
    assert (first.changed, second.changed) == (True, False)


async def test_what_goes_wrong_in_a_handler_leaves_nothing(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.done("anna", StartDemo())
    before, scopes = table.state(), contents(table.file, "scopes", "journal")
    monkeypatch.setattr(encounters, "game_of", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        await table.do("anna", NextStep())
    assert table.state() == before
    assert contents(table.file, "scopes", "journal") == scopes
    monkeypatch.undo()
    await table.done("anna", NextStep())
    assert (await examine(url_of(table.file))).faults == ()


async def test_refused_beginnings_leave_no_scope(table: Table) -> None:
    for action in (
        StartEncounter("chess"),
        StartEncounter(turns=99),
        StartEncounter(name="*"),
        StartEncounter(crew=7),
        StartDemo("chess"),
        CreateCrew(""),
        CreateCrew("The Fine", "chess"),
        Roll("2d"),
        Roll("2d6", odds=True),
    ):
        await table.refused("anna", action)
    assert contents(table.file, "scopes", "seeds") == {"scopes": [], "seeds": []}
    await table.done("anna", StartDemo())
    for action in (StartDemo(), StartEncounter()):
        assert "A game is already running in this channel." in await table.refused("anna", action)
    assert len(contents(table.file, "scopes")["scopes"]) == 1


async def test_one_channel_gets_one_encounter_and_one_scope_for_rolls(table: Table) -> None:
    demos = await asyncio.gather(*(table.do(f"p{number}", StartDemo()) for number in range(8)))
    assert sum(answer.changed for answer in demos) == 1
    elsewhere = table.actor("anna", channel=501)
    rolls = await asyncio.gather(*(table.done(elsewhere, Roll("1d6")) for _ in range(8)))
    assert len({answer.scope for answer in rolls}) == 1
    assert len(contents(table.file, "scopes")["scopes"]) == 2


async def test_rolls_go_into_the_running_encounter_and_out_of_an_ended_one(table: Table) -> None:
    demo = await table.done("anna", StartDemo())
    inside = await table.done("anna", Roll("1d6"))
    assert inside.scope == demo.scope
    await table.done("anna", EndEncounter())
    outside = await table.press("anna", inside, "Again")
    assert outside.changed
    assert outside.scope != demo.scope
    assert outside.scope == (await table.done("bo", Roll("1d6"))).scope
    assert "Undone" in (await table.done("bo", Undo())).reply.text


async def test_what_was_asked_of_a_game_that_ends_meanwhile_does_not_reach_it(table: Table) -> None:
    await table.done("anna", StartDemo())
    asked = [table.do("anna", DamageModel("Smap")) for _ in range(5)]
    answers = await asyncio.gather(table.do("anna", EndEncounter()), *asked)
    assert answers[0].changed
    late = [answer for answer in answers[1:] if not answer.changed]
    assert late
    assert {answer.reply.lines[0] for answer in late} == {NO_ENCOUNTER}
    entries = await table.desk.store.all_entries(answers[0].scope)
    assert entries[-1].command == "encounter.end"


async def test_exports_find_the_ended_game_behind_later_rolls_and_crews(table: Table) -> None:
    assert "No game has been played in this channel yet" in await table.refused("anna", Export())
    await table.done("anna", StartDemo())
    await table.done("anna", EndEncounter())
    await table.done("anna", Roll("1d6"))
    await table.done("anna", CreateCrew("The Fine"))
    assert (await table.do("bo", Export())).reply.files


async def test_nothing_to_log_undo_or_play(table: Table) -> None:
    assert "Nothing has happened" in await table.refused("anna", ShowLog())
    for action in (Undo(), DrawToken(), DamageModel("Smap")):
        assert (
            "There is no game in this channel. Start one with /encounter start, or try /demo"
            in await table.refused("anna", action)
        )


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (DamageModel("Smap", 0), "between 1 and 99"),
        (DamageModel("Smap", 100), "between 1 and 99"),
        (DamageModel("Smap", -5), "between 1 and 99"),
        (HealModel("Smap", 1), ""),
        (NoteModel("Smap", "x" * 201), "characters (you entered"),
        (AddCondition("Smap", "sleepy"), "no condition called sleepy"),
        (AddCondition("Smap", "hidden", 21), "between 0 and 20"),
        (DamageModel("Nobody"), "no model called Nobody"),
        (DamageModel("edo"), "Which one do you mean?"),
        (DamageModel(""), "Enter the model."),
        (DamageModel("#99"), "Choose a model in this game"),
        (DamageModel("#99999999999999999999999"), "Choose a model in this game"),
        (Roll("10000d10"), f"{MAX_DICE}"),
        (Roll("4d10 vvs 7"), "vvs"),
        (JoinEncounter("Nobody"), "no side called Nobody"),
        (Undo(1, 99), ". Use /undo to undo the last actions one by one"),
    ],
)
async def test_bad_input_gets_a_sentence(table: Table, action: object, said: str) -> None:
    await table.done("anna", StartDemo())
    assert said in await table.refused("anna", action)  # type: ignore[arg-type]


async def test_a_model_out_of_play_is_named_as_such(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("anna", RemoveModel("Smap", "casualty"))
    assert await table.refused("anna", DamageModel("Smap")) == "Smap is out of play (casualty)."


async def test_limits_of_crews_and_encounters(table: Table) -> None:
    crew = (await table.done("anna", CreateCrew("The Many"))).scope
    await table.done("anna", RecruitMember(crew, "sally"))
    await table.do("anna", AppointLeader(crew, "Sally"))
    for count in (10, 10, 10, 10, 10, 9):
        await table.done("anna", RecruitMember(crew, "smap", count))
    assert "a crew can have at most 60" in await table.refused("anna", RecruitMember(crew, "smap", 1))
    assert "between 1 and 10" in await table.refused("anna", RecruitMember(crew, "smap", 11))
    names = [row[2] for row in contents(table.file, "members")["members"]]
    assert len(set(names)) == 60
    assert max(map(len, names)) <= 32
    assert "there is already a crew called the many" in await table.refused("bo", CreateCrew("the many"))
    empty = (await table.done("bo", CreateCrew("The None"))).scope
    assert (
        await table.refused("bo", StartEncounter(crew=empty))
        == "Add a model to The None first with /crew recruit."
    )
    await table.done("anna", StartEncounter(crew=crew))
    assert "is already in this game" in await table.refused("anna", JoinEncounter(crew=crew))


async def test_a_restart_forgets_nothing(file: Path) -> None:
    async with opened(file) as table:
        await table.done("anna", StartDemo())
        began = await table.done("anna", NextStep(), interaction=5)
        hurt = await table.done("anna", DamageModel("Smap", 1))
        before = table.state()
    async with opened(file, first_seed=99) as table:
        table.actor("anna")
        table.interactions = iter(range(20_000, 30_000))
        assert table.state() == before
        again = await table.do("anna", NextStep(), interaction=5)
        assert again.repeated
        assert again.reply == began.reply
        assert not (await table.press("anna", began, began.reply.buttons[0].label)).changed
        assert (await table.press("anna", hurt, "Undo")).changed
        assert not (await table.do("anna", StartDemo())).changed


async def test_tables_that_another_program_changes_meanwhile(file: Path) -> None:
    async with opened(file, crowded=True) as mine, opened(file, 50, crowded=True) as theirs:
        await mine.done("anna", StartDemo())
        theirs.ids = mine.ids
        theirs.interactions = iter(range(50_000, 60_000))
        for number in range(6):
            one = mine if number % 2 else theirs
            await one.done("anna", DamageModel("Smap", 1))
        await mine.done("anna", NoteModel("Smap", "x"))
        model = (await mine.encounter()).find_model("Smap")
        assert model.damage == 6
    assert (await examine(url_of(file))).faults == ()


async def test_what_changed_nothing_says_so_and_offers_no_undo_of_what_came_before(table: Table) -> None:
    await table.done("anna", StartDemo())
    first = await table.done("anna", AddCondition("Sally", "prone"))
    assert [button.label for button in first.reply.buttons] == ["Undo"]
    again = await table.do("anna", AddCondition("Sally", "prone"))
    assert not again.changed
    assert again.reply.lines[-1] == "Nothing changed."
    assert again.reply.buttons == ()
    await table.press("anna", first, "Undo")
    assert not (await table.encounter()).conditions(1)


async def test_the_dice_that_somebody_throws_already_are_no_news(table: Table) -> None:
    await table.done("anna", StartDemo())
    assert await table.refused("anna", DiceMode("bot")) == "You already use the bot's dice."
    await table.done("anna", DiceMode("real"))
    assert await table.refused("anna", DiceMode("real")) == "You already use real dice."


async def test_what_tests_compare_is_read_anew_after_every_write(table: Table) -> None:
    """Also after another's, and what was read before stays as it was."""
    empty = table.state()
    assert table.state() is empty
    await table.done("anna", StartDemo())
    begun = table.state()
    assert begun == contents(table.file) != empty
    with closing(sqlite3.connect(table.file)) as connection:
        connection.execute("UPDATE models SET name = 'Nobody' WHERE id = 1")
        connection.commit()
    assert begun != contents(table.file) == table.state()


async def test_who_only_looks_shares_what_was_read_until_something_is_altered(table: Table) -> None:
    """One who altered what he looked at leaves it to nobody, and what was done since is seen."""
    await table.done("anna", StartDemo())

    async def seen(who: str, *, briefly: bool = True) -> Act:
        act = await table.desk.look(table.actor(who), WhatNow(), briefly=briefly)
        assert act is not None
        return act

    first = await seen("anna")
    assert (await seen("bo")).book is first.book
    assert (await seen("bo", briefly=False)).book is not first.book
    first.encounter.find_model("Skip").note = "altered"
    after = await seen("bo")
    assert after.book is not first.book
    assert after.encounter.find_model("Skip").note == ""
    await table.done("anna", DamageModel("Skip"))
    assert (await seen("anna")).encounter.find_model("Skip").damage == 1


async def test_who_left_play_is_found_only_where_such_a_one_is_meant(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("anna", RemoveModel("Smap"))
    encounter = await table.encounter()
    for text in ("Smap", "#3"):
        assert encounter.find_model(text, gone=True).name == "Smap"
        with pytest.raises(InvalidInput, match=r"Smap is out of play"):
            encounter.find_model(text)


async def test_no_number_of_names_that_are_typed_fills_the_memory(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.store.book.MAX_WORKED_OUT", 10)
    await table.done("anna", StartDemo())
    encounter = await table.encounter()
    for letters in product("sS", "mM", "aA", "pP"):
        assert encounter.find_model("".join(letters)).name == "Smap"
        assert len(encounter.book.worked_out) <= 10


async def test_what_was_worked_out_for_who_looked_stays_of_few_tables_and_until_something_is_done(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.store.store.KEPT_SEEN", 1)

    async def kept(action: Action) -> set[object]:
        await table.do("anna", action)
        loaded = await table.loaded()
        book = table.desk.store.book_of(loaded)
        table.desk.store.leave_book(loaded, book)
        return {*book.worked_out}

    await table.done("anna", StartDemo())
    assert not await kept(DamageModel("Skip"))
    of_the_game = await kept(WhatNow())
    assert await kept(WhatNow("Skip")) > of_the_game > set()
    assert not await kept(DamageModel("Skip"))
    first = await table.loaded()
    await table.do("anna", WhatNow())
    table.channel += 1
    await table.done("anna", StartDemo())
    assert await kept(WhatNow())
    assert not table.desk.store.book_of(first).worked_out


async def test_nothing_stays_in_memory_of_what_was_looked_at_and_is_forgotten(table: Table) -> None:
    await table.done("anna", StartDemo())
    act = await table.desk.look(table.actor("anna"), WhatNow(), briefly=True)
    assert act is not None
    book = ref(act.book)
    del act
    assert book() is not None
    table.desk.store.forget_all()
    assert book() is None


async def test_who_types_after_another_is_offered_his_own_models_first(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    encounter = await table.encounter()
    for who in ("anna", "bo", "anna"):
        offered = await suggested(table.desk, table.actor(who), DamageModel, "model", "", {})
        seat = encounter.seat_of(table.ids[who])
        assert seat is not None
        assert encounter.find_model(offered[0].label).side == seat.side


async def test_the_last_roll_is_the_latest_entry_in_which_dice_fell(table: Table) -> None:
    store = table.desk.store
    await table.done("anna", StartDemo())
    scope = (await table.loaded()).scope.id
    assert await store.last_roll(scope) == 0
    for _ in range(2):
        await table.done("anna", Roll("2d6"))
    rolled = (await table.loaded()).scope.version
    await table.done("anna", DamageModel("Skip"))
    assert await store.last_roll(scope) == rolled
    await table.done("anna", Undo(2))
    assert await store.last_roll(scope) == rolled
