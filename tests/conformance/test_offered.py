"""What is offered may be pressed: every button of the card and of a private question, in random play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from bot.actions import ACTIONS, raw_of, with_text
from bot.games.counterblast.missions.mission_choices import AskMission
from bot.games.counterblast.missions.scores import HIDDEN_CONTROL
from bot.games.fracd_earth.steps import Look
from bot.ids import Tag, unpack
from bot.local.seen import Json, walk
from bot.panels.door import left_to_press, open_to
from bot.panels.named import with_named
from bot.panels.widgets import card_of
from bot.replies.fit import ASK, FORM
from bot.replies.reply import Button, Reply
from bot.table.desk import MOVED_ON
from bot.table.encounter import Encounter
from bot.table.game import UNDO_OF_OTHERS
from bot.table.handlers import HANDLERS, Place
from bot.table.journal.history import Undo
from bot.table.journal_actions import SPECIAL
from bot.table.offers.legal_actions import Looking
from bot.table.owners import ANYONE, owner_of
from bot.table.request import Answer
from bot.table.session.card import GameCard, make_game_card, read_results
from bot.table.session.drafts import Draft
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from bot.table.session.possible_actions import WhatNow
from bot.table.session.preparations import SetUp
from bot.table.session.reactions import time_over_ms
from bot.table.session.settings import Settings
from tests.bot.tables import Table, opened
from tests.bot.waited import buttons_named, waited_for
from tests.conformance.legal_play import LEFT_OUT, SAVED_TABLES, Wanderer
from tests.games import SYSTEMS

STEPS = 30

MIN_TRIED = 20

HOUR_MS = 3_600_000

TOLD = 12
"""Results that the card tells of, at most."""


async def _card(table: Table) -> GameCard:
    """The card as it stands, once the time to react is over."""
    loaded = await table.loaded()
    scope, encounter, now_ms = loaded.scope.id, Encounter(loaded.book()), table.desk.store.now() + HOUR_MS
    table.desk.store._clock = lambda: now_ms
    _, entries = await table.desk.store.card(scope, 1, TOLD)
    over_ms = await time_over_ms(table.desk.store, scope, encounter)
    return make_game_card(encounter, loaded.scope.version, [*read_results(entries)], over_ms, now_ms)


def _deeds(wanderer: Wanderer, card: tuple[Button, ...]) -> list[Button]:
    """The buttons that ask something of the game; what is told in private and asks nothing is for later."""
    _, asked, reply = wanderer.told[-1] if wanderer.told else ("", None, Reply(()))
    asks = isinstance(asked, NextStep) or reply.text.rstrip().endswith("?")
    told = reply.buttons if reply.private and asks else ()
    return [
        one
        for one in (*card, *told)
        if not (one.form or one.asks or one.disabled or one.label == HIDDEN_CONTROL.label)
        and one.action.command not in SPECIAL
        and HANDLERS[one.action.command].place is Place.ENCOUNTER
    ]


@pytest.mark.parametrize("steps", [0, 6])
@pytest.mark.parametrize("system", SYSTEMS)
async def test_more_offers_nobody_what_is_another_s(file: Path, system: str, steps: int) -> None:
    """What reads the database before it is tried, too: whoever leads either side, and who only looks on."""
    async with opened(file) as table:
        wanderer = Wanderer(table, system, 2, looks=False)
        await wanderer.begin()
        await wanderer.play(steps)
        book = (await table.loaded()).book()
        for who in ("anna", "bo", "stranger"):
            more = (await table.do(who, WhatNow())).reply
            looking = Looking(book, table.actor(who))
            for command in [one.value for menu in more.menus if menu.fills == "what" for one in menu.choices]:
                kind = ACTIONS[command]
                found = looking.legal(kind, None, await wanderer.read_beforehand(who, kind()))
                assert not found.not_theirs, (who, command, found.reason)


@pytest.mark.parametrize("system", SYSTEMS)
async def test_what_the_card_shows_may_be_pressed_by_somebody(file: Path, system: str) -> None:
    """And the buttons that its sentence names are on it."""
    async with opened(file) as table:
        wanderer = Wanderer(table, system, 2, looks=False, left_out=LEFT_OUT - SAVED_TABLES)
        await wanderer.begin()
        tried = 0
        for _ in range(STEPS):
            await wanderer.step()
            assert wanderer.stands is not None
            _, book, _ = wanderer.stands
            card = (await _card(table)).live()
            labels = {one.label.partition(" (only")[0].rstrip(".").casefold() for one in card.buttons}
            said = waited_for(Encounter(book))
            assert not [one for one in buttons_named(said) if one.casefold() not in labels], (said, labels)
            for button in _deeds(wanderer, card.buttons):
                every = [
                    Looking(book, table.actor(who)).refusal(
                        button.action, await wanderer.read_beforehand(who, button.action)
                    )
                    for who in (*wanderer.people, "stranger")
                ]
                assert not all(every), (button.label, every)
                tried += 1
        assert tried >= MIN_TRIED


async def _interrupt(wanderer: Wanderer, step: int) -> None:
    """Now and then a stranger asks to join, or somebody asks to undo: others must answer before all else."""
    if step == STEPS // 3:
        side = (await wanderer.table.encounter()).sides()[0].name
        await wanderer.table.do("stranger", JoinEncounter(side))
    elif step == 2 * STEPS // 3:
        wanderer.left_out |= {"undo"}
        await wanderer.table.do("anna", Settings(UNDO_OF_OTHERS.key, "ask"))
        await wanderer.table.do("bo", Undo())
    else:
        return
    wanderer.stands = None


@pytest.mark.parametrize("number", [6, 7])
@pytest.mark.parametrize("system", SYSTEMS)
async def test_what_the_awaited_player_is_refused_says_whose_it_is(
    file: Path, system: str, number: int
) -> None:
    """And a button that says whose it is is not refused to them."""
    async with opened(file) as table:
        wanderer = Wanderer(table, system, number, looks=False, left_out=LEFT_OUT - SAVED_TABLES)
        await wanderer.begin()
        tried = 0
        for step in range(STEPS):
            await wanderer.step()
            await _interrupt(wanderer, step)
            book, card = (await table.loaded()).book(), await _card(table)
            names = {seat.user_id: seat.name for seat in Encounter(book).players()}
            for button in card.live().buttons:
                handler = HANDLERS[button.action.command]
                if button.disabled or button.form or button.asks:
                    continue
                if handler.place is not Place.ENCOUNTER or isinstance(button.action, Draft):
                    continue
                _, marked, whom = button.label.rpartition("only ")
                meant = [one for one, name in names.items() if name in whom] if marked else card.people
                for who in (*wanderer.people, "stranger"):
                    actor = table.actor(who)
                    if actor.user_id not in meant:
                        continue
                    looking = Looking(book, actor)
                    extra = await wanderer.read_beforehand(who, button.action)
                    refusal = looking.refusal(button.action, extra)
                    assert not refusal, (button.label, who, refusal)
                    tried += 1
        assert tried >= MIN_TRIED // 2


ASKED = (WhatNow(), SetUp(), AskMission(), Look(), NextStep(), StartDemo("warzone"))
"""What shows one person alone what can be pressed, in one game or in all, or refuses it with a way on."""

OPENED_EVERY = 4


@dataclass
class Opened:
    """A private message, and what is left of it."""

    who: str
    written: list[Json]

    def pressed(self) -> Iterator[tuple[Tag, tuple[str, ...]]]:
        """What may be pressed: each button with no choice, and each choice of a menu."""
        for part in walk(self.written):
            for option in part.get("options", [{"value": ""}]) if "custom_id" in part else ():
                yield unpack(part["custom_id"]), tuple(filter(None, [option["value"]]))


async def _why_refused(wanderer: Wanderer, who: str, tag: Tag, chosen: tuple[str, ...]) -> str:
    """Why a press is refused; empty where it is not, or only shows something, or opens a form first."""
    table, loaded = wanderer.table, await wanderer.table.loaded()
    action = with_text(tag.action, {tag.part: chosen}) if chosen and tag.part != ASK else tag.action
    if isinstance(action, Draft) and not action.does:
        answer = await table.do(who, action, scope=tag.scope, version=tag.version)
        return answer.reply.text if answer.refusal else ""
    handler, shows = HANDLERS[action.command], action.looks or owner_of(action.command) is ANYONE
    if handler.place is Place.NEW_ENCOUNTER:
        return "A game is already running."
    if isinstance(action, Undo) and 0 < action.entry < loaded.scope.moved:
        return MOVED_ON
    if shows or handler.place is not Place.ENCOUNTER or tag.part.startswith(FORM):
        return ""
    if tag.version >= 0 and loaded.scope.moved > tag.version:
        return MOVED_ON
    looking, extra = (
        Looking(loaded.book(), table.actor(who)),
        await wanderer.read_beforehand(who, action),
    )
    if tag.part == ASK:
        legal = looking.legal(type(action), raw_of(action), extra)
        return legal.reason if legal.not_theirs or looking.refused_first(legal, raw_of(action), extra) else ""
    return looking.refusal(action, extra)


@pytest.mark.parametrize("number", [1, 2, 7])
@pytest.mark.parametrize("system", SYSTEMS)
async def test_what_is_left_of_a_private_message_is_not_refused(file: Path, system: str, number: int) -> None:
    """Whatever was answered in private, however long ago: it stays open while the game goes on."""
    async with opened(file) as table:
        wanderer = Wanderer(table, system, number, looks=False, left_out=LEFT_OUT - SAVED_TABLES)
        await wanderer.begin()
        messages: list[Opened] = []
        tried = 0
        for step in range(STEPS):
            await wanderer.step()
            who, _, told = wanderer.told[-1]
            loaded = await table.loaded()
            answers = [
                (who, Answer(one, loaded.scope.id, loaded.scope.version)) for one in (told, *told.also)
            ]
            if not step % OPENED_EVERY:
                answers += [
                    (who, await table.do(who, asked))
                    for who in (*wanderer.people, "stranger")
                    for asked in ASKED
                    if not (isinstance(asked, NextStep) and who in wanderer.people)
                ]
            loaded = await table.loaded()
            for who, answer in answers:
                if answer.reply.private:
                    place = answer.scope, answer.version
                    named = with_named(answer.reply)
                    buttons = open_to(table.desk.store, loaded, table.actor(who), named.buttons, *place)
                    card = card_of(replace(named, buttons=buttons), *place)
                    messages.append(Opened(who, card.to_components()))
            loaded = await table.loaded()
            for message in messages:
                actor = table.actor(message.who)
                message.written = left_to_press(table.desk.store, loaded, actor, message.written)
                for tag, chosen in message.pressed():
                    assert not await _why_refused(wanderer, message.who, tag, chosen), (tag, chosen)
                    tried += 1
        assert tried >= MIN_TRIED
