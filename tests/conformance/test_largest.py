"""The largest replies: crowded games with the longest names, and every part of a card at once."""

from __future__ import annotations

import shutil
from dataclasses import fields, replace
from pathlib import Path
from random import Random

import pytest

from bot.actions import ACTIONS, ODDS, Action, parts
from bot.local.checks.messages import check_message
from bot.local.seen import COMPONENTS_V2, walk
from bot.panels.widgets import card_of
from bot.replies.fit import LARGEST_SCOPE, messages
from bot.replies.reply import Attachment, Button, Choice, Menu, Next, Reply, State
from bot.replies.weight import weighed
from bot.store.rows import ModelRow
from bot.table.encounter import Encounter
from bot.table.game import game_of
from bot.table.names import MAX_NAME_LENGTH
from bot.table.offers.legal_actions import Looking
from bot.table.session.card import make_game_card, read_results
from bot.table.session.possible_actions import WhatNow, WhyNot
from tests.bot.arranging import arrange
from tests.bot.tables import Table, opened
from tests.conformance.legal_play import Wanderer
from tests.games import SYSTEMS

CROWD = 13
"""Models of each side, so that menus of everybody are longer than Discord's."""

ROUNDS, STEPS = 3, 30
MIN_DONE = 0.5
MOST = LARGEST_SCOPE - 1
"""The largest number of a game, and of its version, which every id carries."""


def crowded(encounter: Encounter) -> None:
    """Everybody has the longest name, and each side many models of every kind that it had."""
    book = encounter.book
    for side in encounter.sides():
        side.name = f"{side.id}{'W' * MAX_NAME_LENGTH}"[:MAX_NAME_LENGTH]
        first = [row for row in encounter.models(side.id) if row.profile]
        for place in range(max(0, CROWD - len(first))):
            like = first[place % len(first)]
            values = {one.name: getattr(like, one.name) for one in fields(ModelRow)}
            book.add(ModelRow(**{**values, "id": book.next_id(ModelRow), "counters": dict(like.counters)}))
    for row in encounter.models():
        row.name = f"{row.id} {'M' * MAX_NAME_LENGTH}"[:MAX_NAME_LENGTH]
        row.note = "note " * 40
    for seat in encounter.seats():
        seat.name = f"{seat.name} {'P' * 24}"[:24]
    encounter.row.name = "G" * 100


def check(reply: Reply, what: str) -> None:
    """Each message of a reply, as Discord takes it or not."""
    for one in messages(weighed(reply), MOST, MOST):
        written = card_of(one, MOST, MOST).to_components()
        names = [file.name for file in one.files]
        body = {"flags": COMPONENTS_V2, "components": written}
        check_message(body, allowed_flags=COMPONENTS_V2, file_names=names)
        letters = sum(len(str(each.get("content", ""))) for each in walk(written))
        assert (len(list(walk(written))) <= 40, letters <= 4000) == (True, True), what


async def shown(table: Table, wanderer: Wanderer) -> None:
    """The card of the game, live and closed, as it is now."""
    loaded = await table.loaded()
    entries = await table.desk.store.all_entries(loaded.scope.id)
    card = make_game_card(Encounter(loaded.book()), loaded.scope.moved, list(read_results(entries)))
    check(card.live(), "card")
    check(card.closed(MOST, "", ""), "closed card")


def every_part() -> Reply:
    """A reply with the most of everything that a card can have."""
    buttons = [Button(f"{place} {'B' * 80}", WhatNow(f"#{place}"), anytime=True) for place in range(25)]
    undo, why = Button("Undo", WhyNot("undo")), Button("Why", WhyNot("why"))
    menu = Menu("P" * 200, WhatNow(), "model", tuple(Choice("L" * 200, str(n), "N" * 200) for n in range(40)))
    lines = ["**Headline**", "Summary", "", *("line " * 20 for _ in range(100))]
    coming, state = [Next("next " * 100)] * 3, [State("state " * 100)] * 3
    files = [Attachment(f"{place}.png", b"", "words") for place in range(3)]
    return Reply(
        (*lines, *coming, *state), buttons=(undo, why, *buttons), menus=(menu, menu), files=tuple(files)
    )


@pytest.mark.parametrize("menus", [0, 1, 2])
@pytest.mark.parametrize("files", [0, 1, 3])
def test_a_card_with_the_most_of_everything_is_taken(menus: int, files: int) -> None:
    whole = every_part()
    check(replace(whole, menus=whole.menus[:menus], files=whole.files[:files]), "every part")


@pytest.mark.parametrize("seed", range(60))
def test_any_reply_at_all_is_taken(seed: int) -> None:
    """Whatever an action answers, each of its messages is within Discord's limits."""
    chance = Random(seed)
    buttons = [
        Button(f"{place} {'B' * chance.randint(0, 90)}", WhatNow(f"#{place}"), anytime=True)
        for place in range(chance.randint(0, 60))
    ]
    menus = [
        Menu(
            f"{place} {'P' * chance.randint(0, 200)}",
            WhatNow(),
            "model",
            tuple(
                Choice("L" * chance.randint(1, 200), str(number), "N" * chance.randint(0, 200))
                for number in range(chance.randint(1, 60))
            ),
        )
        for place in range(chance.randint(0, 8))
    ]
    lines = [
        ("w" * chance.randint(0, 12) + " ") * chance.randint(0, 60) for _ in range(chance.randint(0, 200))
    ]
    check(
        Reply(tuple(lines), private=bool(seed % 2), buttons=tuple(buttons), menus=tuple(menus)), "any reply"
    )


async def ask_everything(table: Table, wanderer: Wanderer, asked: set[str]) -> None:
    """Do each action that may be done now and was not asked before, likely ones first; ask its chances."""
    likely = game_of(await table.encounter()).likely
    for command in sorted(set(wanderer.commands) - asked, key=lambda one: (one not in likely, one)):
        kind = ACTIONS[command]
        for who in wanderer.people:
            extra = await wanderer.read_beforehand(who, kind())
            found = Looking((await table.loaded()).book(), table.actor(who)).legal(kind, None, extra)
            if found.reason:
                continue
            has_odds = any(part.name == ODDS for part in parts(command))
            for action in (*([replace(found.action, **{ODDS: True})] if has_odds else []), found.action):
                answer = await table.do(who, action)
                for one in (answer.reply, *answer.reply.also):
                    check(one, f"{command} {one.lines[:1]}")
            asked.add(command)
            break
        if not await table.desk.store.running_encounter(table.channel):
            return


class Checking(Wanderer):
    """Plays at random, and looks whether each reply is taken."""

    async def _do(self, who: str, action: Action) -> None:
        await super()._do(who, action)
        _, _, reply = self.told[-1]
        for one in (reply, *reply.also):
            check(one, f"{action.command} {one.lines[:1]}")


async def refused_in_words(table: Table, wanderer: Wanderer, commands: set[str]) -> None:
    """What could not be done is asked as it would be filled in, and its refusal looked at."""
    for command in sorted(commands):
        kind = ACTIONS[command]
        looking = Looking((await table.loaded()).book(), table.actor("anna"))
        found = looking.legal(kind, None, await wanderer.read_beforehand("anna", kind()))
        answer = await table.do("anna", found.action)
        for one in (answer.reply, *answer.reply.also):
            check(one, f"{command} {one.lines[:1]}")


@pytest.mark.parametrize("system", SYSTEMS)
async def test_the_largest_reply_of_every_action_is_taken(
    migrated: Path, tmp_path: Path, system: str
) -> None:
    """In a game that is set up and in one that has begun; most is done, and all else refused."""
    done, every = set[str](), set[str]()
    for number in (3, 2):
        async with opened(Path(shutil.copy(migrated, tmp_path / f"{number}.db"))) as table:
            wanderer = Checking(table, system, number, looks=False)
            await wanderer.begin()
            await arrange(table, "anna", crowded)
            asked = set[str]()
            for _ in range(ROUNDS):
                await ask_everything(table, wanderer, asked)
                wanderer.stands = None
                await wanderer.play(STEPS)
                await shown(table, wanderer)
                for who in wanderer.people:
                    for model in (await table.encounter()).models()[:: CROWD // 2]:
                        check((await table.do(who, WhatNow(f"#{model.id}"))).reply, "More...")
            done |= asked | wanderer.done.keys()
            every |= set(wanderer.commands)
            await refused_in_words(table, wanderer, every - done)
    assert len(done) >= len(every) * MIN_DONE, sorted(every - done)


def test_a_reply_that_is_too_long_goes_on_in_messages_and_a_file_between_words() -> None:
    """Nothing is lost of it, and no word is broken."""
    words = [f"word{place}" for place in range(9000)]
    told = messages(Reply((" ".join(words[:3000]), *words[3000:]), private=True))
    assert 2 < len(told) <= 5
    for one in told:
        check(one, "long")
    (file,) = [file for one in told for file in one.files]
    lines = " ".join(line for one in told for line in one.lines[: None if not one.files else 0])
    assert f"{lines} {file.data.decode()}".split() == words
    assert all(one.private for one in told)
