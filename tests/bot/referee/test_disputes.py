"""A player questions an entry, everybody sees it, the organiser rules, and all of it stays in the record."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from bot.actions import with_text
from bot.games.counterblast.missions.mission_choices import ChooseSecretly
from bot.store.journal import compact
from bot.table.journal import disputes
from bot.table.journal.disputes import MAX_OPEN, STANDS, WRONG, Question, Rule, list_open_questions
from bot.table.journal.history import Undo
from bot.table.journal.log import Export, ShowLog, WhyEntry, WhyModel
from bot.table.referee.checks import Forged
from bot.table.referee.game_replay import referee
from bot.table.referee.replay_story import WATCHER, Replay, retold
from bot.table.rolling.rolls import Roll
from bot.table.session.encounters import AskEnd, EndEncounter, JoinEncounter, NextStep, StartDemo
from bot.table.session.models import DamageModel
from tests.bot.house import House
from tests.bot.tables import Table
from tests.bot.test_fair_dice import sealed

DAMAGE = 6
"""The number of the entry that is questioned."""


async def played(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    await table.done("anna", NextStep())
    await table.done("bo", Roll("3d6"))
    await table.done("anna", DamageModel("Sally", 1))


async def test_why_shows_the_faces_and_the_rule_and_questions(table: Table) -> None:
    await played(table)
    entry = await table.desk.store.entry(1, 5)
    assert entry is not None
    faces = ", ".join(str(face) for _, face, *_ in entry.faces_shown())
    answer = await table.do("anna", WhyEntry(5))
    assert any(line.startswith(f"{faces} = ") for line in answer.reply.lines)
    (button,) = [one for one in answer.reply.buttons if one.label == "Question..."]
    assert button.form is not None
    asked = await table.done("anna", with_text(button.action, {"words": "that was my roll"}))
    assert asked.reply.lines[0] == "anna questions a result: that was my roll"
    assert not (await table.do("cy", WhyEntry(5))).reply.buttons


async def test_everybody_sees_what_is_questioned_and_what_is_ruled(table: Table) -> None:
    await played(table)
    asked = await table.done("bo", Question(DAMAGE, "it was **in** cover @everyone"))
    assert not asked.reply.private
    assert asked.reply.lines == (
        "bo questions a result: it was in cover everyone",
        "The result: Sally Starfield takes 1 wound (1 of 2 life left).",
        "anna has to decide.",
    )
    assert list_open_questions(await table.encounter()) == ["bo questions result 6 in /log."]
    mark = "[questioned by bo: it was in cover everyone]"
    for looks in (ShowLog(), WhyModel("Sally"), WhyEntry(DAMAGE)):
        assert mark in (await table.do("cy", looks)).reply.text
    stands = next(one for one in asked.reply.buttons if one.label == "The result stands...")
    ruled = await table.done("anna", with_text(stands.action, {"words": "cover is measured from the base"}))
    assert ruled.reply.lines == ("anna decides: the result stands. cover is measured from the base",)
    assert not ruled.reply.private
    assert list_open_questions(await table.encounter()) == []
    ruling = f"{mark} [anna decides: the result stands. cover is measured from the base]"
    assert ruling in (await table.do("cy", ShowLog())).reply.text


async def test_who_may_ask_and_who_rules(table: Table) -> None:
    await played(table)
    await table.done("cy", JoinEncounter(watch=True))
    for who in ("cy", "dee"):
        assert (
            await table.do(who, Question(DAMAGE, "no"))
        ).reply.text == "Only players can question a result."
    await table.done("bo", Question(DAMAGE, "no"))
    for who in ("bo", "cy"):
        assert (await table.do(who, Rule(DAMAGE, STANDS, "so be it"))).reply.text == "anna has to decide."
    answer = await table.done(table.actor("dee", manages=True), Rule(DAMAGE, WRONG, "it was in cover"))
    assert answer.reply.lines[-1] == "Undo the result, or correct it by hand."


async def test_no_undo_takes_a_question_or_a_ruling_away(table: Table) -> None:
    await played(table)
    await table.done("bo", Question(DAMAGE, "no"))
    await table.done("anna", Rule(DAMAGE, WRONG, "in cover"))
    undone = await table.done("anna", Undo())
    assert undone.reply.lines[0] == "Undone: ~~Sally Starfield takes 1 wound (1 of 2 life left).~~"
    told = (await table.do("cy", ShowLog())).reply.text
    assert "(undone) [questioned by bo: no] [anna decides: the result was wrong. in cover]" in told


async def test_it_offers_no_press_that_the_game_has_overtaken(table: Table) -> None:
    """A question is beside the game: what was offered before it stays good."""
    await played(table)
    hurt = await table.done("anna", DamageModel("Sally", 1))
    asked = await table.done("bo", Question(words="no"))
    assert asked.reply.lines[0] == "bo questions a result: no"
    assert (await table.press("anna", hurt, "Undo")).changed


async def test_what_waits_for_a_ruling_is_named_before_the_end_and_at_it(table: Table) -> None:
    await played(table)
    await table.done("bo", Question(DAMAGE, "it was in cover"))
    asked = (await table.do("anna", AskEnd())).reply.lines
    assert "bo questions result 6 in /log." in asked
    assert "Decide the open questions before the game ends." in asked
    assert "bo questions result 6 in /log." in (await table.done("anna", EndEncounter())).reply.lines
    await table.refused("anna", Rule(0, STANDS, "too late"))


async def test_nothing_is_said_of_rulings_where_none_waits(table: Table) -> None:
    await played(table)
    await table.done("bo", Question(DAMAGE, "it was in cover"))
    await table.done("anna", Rule(0, STANDS, "no"))
    assert not [
        line for line in (await table.do("anna", AskEnd())).reply.lines if "Decide the open questions" in line
    ]


@pytest.mark.parametrize("number", [-1, 7, 99, 2**62, -(2**62)])
async def test_what_nobody_read_is_not_questioned(table: Table, number: int) -> None:
    await played(table)
    answer = await table.do("bo", Question(number, "no"))
    assert not answer.changed


async def test_what_is_secret_is_not_questioned_and_takes_no_number(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    await table.done("bo", ChooseSecretly("Sabotage"))
    answer = await table.do("anna", Question(3, "no"))
    assert answer.reply.text == "Enter the number of a public result; /log shows the numbers."
    assert not (await table.do("anna", WhyEntry(3))).reply.buttons


async def test_questions_are_bounded(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    await played(table)
    assert (
        "Enter the reason; everyone can read it." in (await table.do("bo", Question(DAMAGE, "​ "))).reply.text
    )
    await table.done("bo", Question(1, "no" * 500))
    assert (
        "You have already questioned this. Wait until" in (await table.do("bo", Question(1, "no"))).reply.text
    )
    for number in range(2, MAX_OPEN + 1):
        await table.done("bo", Question(number, "no"))
    await table.done("bo", Roll("1d6"))
    seq = (await table.desk.store.latest(1, 1))[0].seq
    assert (await table.do("bo", Question(entry=seq, words="no"))).reply.text == (
        "Wait until the organiser has decided the open questions."
    )
    assert len((await table.do("cy", ShowLog())).reply.text) < 4000
    monkeypatch.setattr(disputes, "MAX_COUNT", MAX_OPEN)
    assert (await table.do("anna", Question(1, "no"))).reply.text == (
        f"Speak to anna instead; a game can have at most {MAX_OPEN} questions."
    )
    assert list_open_questions(await table.encounter())[-1] == "and 2 more (see /log)"
    nothing = await table.do("anna", Rule(99, STANDS, "so be it"))
    assert nothing.reply.text == "No question about that result is waiting for a decision."
    assert not (await table.do("anna", Rule(1, "perhaps", "so be it"))).changed


async def test_it_is_exported_verified_and_replayed(table: Table) -> None:
    await played(table)
    await table.done("bo", Question(DAMAGE, "in cover"))
    await table.done("anna", Rule(DAMAGE, WRONG, "it was"))
    assert "the result was wrong" in (await table.do("cy", Replay(WATCHER, at=-1))).reply.text
    await table.done("anna", EndEncounter())
    data = (await table.do("bo", Export())).reply.files[0].data
    verdict = await referee(data)
    assert verdict.whole
    decided = [
        (one.kind, one.who, one.words) for one in verdict.decided if one.kind in ("question", "ruling")
    ]
    assert decided == [
        ("question", "bo", "bo questions a result: in cover"),
        ("ruling", "anna", "anna decides: the result was wrong. it was"),
    ]
    assert any("bo questions a result: in cover" in line for line in retold(data))


async def test_the_panel_names_what_waits_for_a_ruling(house: House) -> None:
    await house.slash("demo")
    await house.slash("question", number=1, words="wrong crews")
    assert "questions a result" in (await house.panel()).content
    await house.slash("ruling", number=1, verdict="stands", words="those are right")
    assert "Questioned" not in (await house.panel()).content


def _asked(entry: dict[str, Any], **said: Any) -> None:
    entry["asked"] = compact({**json.loads(entry["asked"]), **said})


def _swap(entry: dict[str, Any], was: str, now: str, *columns: str) -> None:
    for name in columns:
        assert was in entry[name]
        entry[name] = entry[name].replace(was, now)


FORGERIES: dict[str, tuple[int, Callable[[list[dict[str, Any]]], None]]] = {
    "who may not rule rules": (
        8,
        lambda its: (its[7].update(actor="bo", actor_id=101), _asked(its[7], who=[101, "bo"]))[0],
    ),
    "another verdict": (8, lambda its: _swap(its[7], "wrong", "stands", "changes", "reply", "title")),
    "another ruling": (8, lambda its: _swap(its[7], "it was so", "it was not", "changes", "reply")),
    "other words": (7, lambda its: _swap(its[6], "in cover", "in error", "changes", "reply", "title")),
    "another entry": (7, lambda its: _swap(its[6], '[1,7,101,"bo",6,6,', '[1,7,101,"bo",4,4,', "changes")),
    "a question that nobody asked": (7, lambda its: _asked(its[6], who=[177, "cy"])),
    "a question that undo takes back": (7, lambda its: its[6].update(kind="do")),
}


@pytest.mark.parametrize("name", FORGERIES)
async def test_a_forged_dispute_is_refused_and_the_entry_named(name: str, table: Table) -> None:
    await played(table)
    await table.done("bo", Question(DAMAGE, "in cover"))
    await table.done("anna", Rule(DAMAGE, WRONG, "it was so"))
    await table.done("anna", EndEncounter())
    export = json.loads((await table.do("bo", Export())).reply.files[0].data)
    entry, forge = FORGERIES[name]
    forge(export["entries"])
    with pytest.raises(Forged, match=rf"^Entry {entry}\b"):
        await referee(sealed(export))
