"""Who can do what to the dice by words, each tried by an attack (docs/decisions/0019).

Whoever runs the bot has the seed, everything that was typed and the code; here that is bo, who plays too.
"""

from __future__ import annotations

import hmac
import json
import random
from collections.abc import Sequence
from hashlib import sha256

import pytest

from bot.store.rows import SealRow
from bot.table.journal.history import Undo
from bot.table.journal.log import Export
from bot.table.referee.game_replay import referee
from bot.table.referee.verdict_text import verdict_lines
from bot.table.rolling.dice_settings import AddWords, OpenWords, ShowDice, seal_of
from bot.table.rolling.rolls import Roll
from bot.table.session.encounters import EndEncounter, JoinEncounter, NextStep, ShowEncounter, StartDemo
from bot.table.session.preparations import SetUp
from rules.dice import FairDice
from tests.bot.house import House, read
from tests.bot.tables import Table, all_lines

NEXT = 1
"""The number of the first roll after Begin, whose own roll-off has the number 0."""

TRIES = 4000

HOME = "a cup of tea at home 8 2 5 5 1 9"


async def begun(table: Table) -> None:
    """A game of two people that has not begun."""
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))


async def closed(table: Table, who: str, words: str) -> str:
    """What a person's words become: only whoever runs the bot can read it before the game begins."""
    await table.done(who, AddWords(words))
    rows = (await table.encounter()).seals()
    return next(row.text for row in rows if row.name == who)


def faces(seed: bytes, words: Sequence[str], number: int = NEXT) -> Sequence[int]:
    return FairDice(seed, words, number).faces(4, 10, "")


def salted(seed: bytes, seat: int, text: str) -> str:
    """Words as they are closed at a seat, worked out apart; the dice are without the letters behind."""
    return f"{text} {hmac.new(seed, f'words {seat}'.encode(), sha256).hexdigest()[:16]}"


def tried(seed: bytes, others: Sequence[str]) -> str:
    """The words after those of others that give the best next 4d10, of all that are tried."""
    found = (f"try {number}" for number in range(TRIES))
    return max(found, key=lambda text: sum(faces(seed, (*others, text))))


async def rolled(table: Table, who: str) -> Sequence[int]:
    await table.done(who, Roll("4d10"))
    (entry,) = await table.desk.store.latest(1, 1)
    return [face for _, face in entry.faces_shown()]


# ------------------------------------------------------------------------------------ who runs the bot


async def test_words_are_given_only_before_the_game_begins(table: Table) -> None:
    await begun(table)
    first = await closed(table, "anna", "tea")
    await table.done("bo", NextStep())
    seed = (await table.loaded()).seed
    best = tried(seed, (first,))
    late = await table.do("bo", AddWords(best))
    assert not late.changed
    assert late.reply.text == "It's too late to add or reveal a phrase."
    assert await rolled(table, "bo") == faces(seed, (first,))


async def test_not_even_when_the_beginning_is_taken_back(table: Table) -> None:
    await begun(table)
    first = await closed(table, "anna", "tea")
    await table.done("bo", NextStep())
    assert (await table.do("bo", Undo())).changed
    assert (await table.encounter()).row.turn == 0
    assert not (await table.do("bo", AddWords("after all"))).changed
    assert (await table.encounter()).words() == (first,)


async def test_where_no_words_counted_an_undone_beginning_leaves_the_faces_that_fell(table: Table) -> None:
    """Words given then are bound by the same rules, and are no second try."""
    await begun(table)
    await table.done("bo", NextStep())
    fell = await rolled(table, "bo")
    await table.agreed("bo", Undo(2))
    await closed(table, "anna", "tea")
    await closed(table, "bo", "ink")
    assert not (await table.do("bo", NextStep())).changed
    await table.done("anna", NextStep())
    assert await rolled(table, "bo") == fell


async def test_whoever_else_begins_after_the_last_words_lets_them_count(table: Table) -> None:
    """Who runs the bot needs nobody's help for it: only not to be answered."""
    await begun(table)
    first = await closed(table, "anna", "tea")
    await closed(table, "bo", tried((await table.loaded()).seed, (first,)))
    await table.done("anna", NextStep())
    assert sum(await rolled(table, "bo")) > 36


async def test_who_gives_the_last_words_does_not_begin_and_others_may_give_theirs_anew(table: Table) -> None:
    """Of two people the one who does not run the bot can always be the last."""
    await begun(table)
    first = await closed(table, "anna", "tea")
    seed = (await table.loaded()).seed
    last = await closed(table, "bo", tried(seed, (first,)))
    assert sum(faces(seed, (first, last))) > 36
    refused = await table.do("bo", NextStep())
    assert not refused.changed
    assert refused.reply.lines[0] == "Let anna press Begin, because you added the last phrase."
    again = await closed(table, "anna", "more tea")
    await table.done("bo", NextStep())
    assert await rolled(table, "bo") == faces(seed, (last, again))
    assert (await table.encounter()).words() == (last, again)


async def test_the_organiser_may_let_it_pass_and_everybody_reads_it(table: Table) -> None:
    await begun(table)
    await closed(table, "bo", "tea")
    await closed(table, "anna", "ink")
    assert not (await table.do("anna", NextStep())).changed
    answer = await table.do("anna", NextStep(), reason="bo has gone to the bar")
    assert answer.changed
    assert "Override by anna: bo has gone to the bar" in answer.reply.text


def test_words_closed_at_home_leave_nothing_to_choose_by() -> None:
    """The attack with all tries, on many seeds: what it gains is what anybody has."""
    gained, usual = [], []
    for number in range(40):
        dice = random.Random(number)
        seed, secret = dice.randbytes(32), str(dice.random())
        found = [f"try {one}" for one in range(300)]
        best = max(found, key=lambda words: sum(faces(seed, (words,))))
        gained.append(sum(faces(seed, (secret, best))))
        usual.append(sum(faces(seed, (secret, found[0]))))
        assert sum(faces(seed, (best,))) >= 33
    assert abs(sum(gained) / len(gained) - 22) < 2.5
    assert abs(sum(usual) / len(usual) - 22) < 2.5


async def test_who_opens_words_from_home_has_seen_that_all_others_are_bound(table: Table) -> None:
    await begun(table)
    await table.done("anna", AddWords(seal_of(HOME)))
    seed = (await table.loaded()).seed
    first = await closed(table, "bo", "ink")
    assert HOME not in repr(await table.desk.store.all_entries(1))
    wrong = await table.do("anna", OpenWords(HOME + "0"))
    assert not wrong.changed
    waiting = await table.do("bo", NextStep())
    assert not waiting.changed
    assert "Wait for anna to reveal their secret phrase." in waiting.reply.lines
    opened = await table.done("anna", OpenWords(HOME))
    assert opened.reply.lines == ("anna reveals a phrase for the dice:", HOME)
    best = tried(seed, (HOME,))
    assert not (await table.do("bo", AddWords(best))).changed
    assert not (await table.do("bo", AddWords(seal_of(best)))).changed
    await table.done("anna", NextStep())
    assert (await table.encounter()).words() == (HOME, first)
    assert await rolled(table, "bo") == faces(seed, (HOME, first))


async def test_words_that_are_never_opened_are_passed_over_only_for_everybody_to_see(table: Table) -> None:
    """What is left to who runs the bot: of words closed at home, whether to open them."""
    await begun(table)
    await table.done("bo", AddWords(seal_of("mine")))
    first = await closed(table, "anna", "tea")
    assert not (await table.do("anna", NextStep())).changed
    answer = await table.do("anna", NextStep(), reason="bo forgot them")
    assert "bo's phrase was not revealed and doesn't count." in answer.reply.lines
    assert (await table.encounter()).words() == (first,)
    assert not (await table.do("bo", OpenWords("mine"))).changed
    await table.done("anna", EndEncounter())
    said = verdict_lines(await referee((await table.do("anna", Export())).reply.files[0].data))
    assert "The only secret phrase for the dice came from anna." in said
    assert "bo's phrase was never revealed." in said
    assert any("override: " in line and "bo forgot them" in line for line in said)


async def test_by_waiting_nobody_gets_other_letters_behind_the_same_words(table: Table) -> None:
    await begun(table)
    await table.done("anna", AddWords("tea"))
    (once,) = (await table.encounter()).seals()
    assert once.seal == seal_of(salted((await table.loaded()).seed, 1, "tea"))
    await table.done("bo", AddWords("ink"))
    await table.done("anna", AddWords("tea"))
    assert [row.seal for row in (await table.encounter()).seals() if row.name == "anna"] == [once.seal]


async def test_who_runs_the_bot_knows_the_faces_to_come(table: Table) -> None:
    """And may roll something beside the game so that the next roll has other ones; the log has it."""
    await begun(table)
    words = await closed(table, "anna", "tea")
    await table.done("bo", NextStep())
    seed = (await table.loaded()).seed
    best = max(range(NEXT, NEXT + 6), key=lambda number: sum(faces(seed, (words,), number)))
    for _ in range(NEXT, best):
        await table.done("bo", Roll("1d6"))
    assert await rolled(table, "bo") == faces(seed, (words,), best)
    entries = await table.desk.store.latest(1, best)
    assert sum(entry.command == "roll" for entry in entries) == best - NEXT + 1


async def test_what_falls_before_the_beginning_hangs_on_the_seed_alone(table: Table) -> None:
    await begun(table)
    await closed(table, "anna", "tea")
    seed = (await table.loaded()).seed
    assert await rolled(table, "bo") == faces(seed, (), 0)


def test_a_seed_that_was_tried_out_beforehand_is_worth_nothing_after_words() -> None:
    """Who runs the bot may choose the seed before its SHA-256 is shown: for what falls without words."""
    seeds = [number.to_bytes(32, "big") for number in range(TRIES)]
    best = max(seeds, key=lambda seed: sum(faces(seed, (), 0)))
    assert sum(faces(best, (), 0)) > 36
    after = [sum(faces(best, (f"words of somebody {number}",))) for number in range(200)]
    assert abs(sum(after) / len(after) - 22) < 2


# ------------------------------------------------------------------------------------ with other players


async def three(table: Table) -> None:
    """Bo, who runs the bot, and cy play together against anna."""
    await begun(table)
    await table.done("cy", JoinEncounter("Edo"))
    await table.press("bo", await table.do("bo", ShowEncounter()), "Let cy in")


async def test_two_who_play_together_come_after_words_that_were_typed(table: Table) -> None:
    """What the third can do against it is in the next test."""
    await three(table)
    first = await closed(table, "anna", "tea")
    last = await closed(table, "bo", tried((await table.loaded()).seed, (first,)))
    await table.done("cy", NextStep())
    assert (await table.encounter()).words() == (first, last)
    assert sum(await rolled(table, "bo")) > 36


async def test_but_not_after_words_that_were_closed_at_home(table: Table) -> None:
    await three(table)
    await table.done("anna", AddWords(seal_of(HOME)))
    seed = (await table.loaded()).seed
    await closed(table, "bo", tried(seed, ()))
    await closed(table, "cy", tried(seed, ("try 1",)))
    await table.done("anna", OpenWords(HOME))
    bound = [row.text for row in (await table.encounter()).seals()]
    for who in ("bo", "cy"):
        assert not (await table.do(who, AddWords("another"))).changed
    await table.done("bo", NextStep())
    assert await rolled(table, "bo") == faces(seed, bound)


# ------------------------------------------------------------------------------------ players


async def test_who_has_no_seed_learns_nothing_from_words(table: Table) -> None:
    """A player tries guesses of the seed and usual words: neither the words nor the faces come of it."""
    await begun(table)
    answer = await table.do("anna", AddWords("tea"))
    (public,) = answer.reply.also
    assert not public.private
    seal = (await table.encounter()).seals()[0].seal
    assert public.lines == ("anna added a secret phrase for the dice.",)
    assert f"`{seal}`" in (await table.do("bo", ShowDice())).reply.lines
    usual = ("", "tea", "coffee", "a cup of tea")
    assert seal not in {seal_of(word) for word in usual}
    assert seal not in {
        seal_of(salted(bytes([one]) * 32, 1, word)) for word in usual for one in range(1, 256)
    }


async def test_whoever_reads_it_gives_theirs_by_one_button(house: House) -> None:
    await house.slash("demo")
    await house.slash("encounter join", house.bo, side="Edo")
    await house.slash("dice words", text="tea")
    await house.quiet()
    told = [one for one in house.public if "added a secret phrase for the dice" in one.content][-1]
    form = await (await house.bo.press(told, "Add my phrase...")).modal()
    own = read(await (await house.bo.submit(form, {"text": "ink"})).message())
    assert own.ephemeral
    assert own.content.startswith("Your phrase: ink\n")


@pytest.mark.parametrize("looks", [ShowDice(), SetUp()])
async def test_nobody_else_reads_closed_words(table: Table, looks: ShowDice | SetUp) -> None:
    await begun(table)
    await table.done("anna", AddWords("a cup of tea"))
    for who in ("bo", "cy"):
        answer = await table.do(who, looks)
        assert "a cup of tea" not in "\n".join(all_lines(answer.reply))


async def test_who_gives_none_weakens_nobody_elses(table: Table) -> None:
    await begun(table)
    words = await closed(table, "anna", "tea")
    await table.done("bo", NextStep())
    assert (await table.encounter()).words() == (words,)


async def test_a_watcher_and_a_stranger_give_no_words(table: Table) -> None:
    await begun(table)
    await table.done("cy", JoinEncounter(watch=True))
    for who in ("cy", "dee"):
        assert not (await table.do(who, AddWords("ink"))).changed


@pytest.mark.parametrize("text", ["", "   ", "**", "​"])
async def test_words_of_no_letter_are_refused(table: Table, text: str) -> None:
    await begun(table)
    answer = await table.do("anna", AddWords(text))
    assert not answer.changed
    assert answer.reply.text == "Enter at least one letter or digit for your phrase."


# ------------------------------------------------------------------------------------ everybody afterwards


async def test_what_was_closed_is_what_was_opened_for_everybody_with_the_export(table: Table) -> None:
    await begun(table)
    await table.done("anna", AddWords(seal_of(HOME)))
    await table.done("bo", AddWords("ink"))
    await table.done("anna", OpenWords(HOME))
    await table.done("anna", NextStep())
    shown = (await table.do("bo", ShowDice())).reply.lines
    await table.done("anna", EndEncounter())
    data = (await table.do("bo", Export())).reply.files[0].data
    verdict = await referee(data)
    assert verdict.whole
    assert "Secret phrases for the dice came from anna, bo, in this order." in verdict_lines(verdict)
    told_of = {
        line.partition("'s phrase is ")[0]: line.partition("'s phrase is ")[2][1:-15]
        for line in shown
        if "'s phrase is " in line
    }
    given = {}
    for entry in json.loads(data)["entries"]:
        for table_name, was, now in json.loads(entry["changes"]):
            if table_name == SealRow.table and was is None:
                given[now[3]] = now[4]
    assert {name: seal_of(phrase) for name, phrase in told_of.items()} == given
    assert not [seal for seal in given.values() if f"`{seal}`" not in shown]


def test_the_attack_works_where_nothing_stands_against_it() -> None:
    """With the seed and all words known, words that are given last are worth a roll of mostly tens."""
    seed = bytes(31) + b"\1"
    assert sum(faces(seed, ("tea", tried(seed, ("tea",))))) > 36
