"""What is offered may be pressed: every button of the card and of a private question, in random play."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.actions import ACTIONS
from bot.games.counterblast.missions.scores import HIDDEN_CONTROL
from bot.replies.reply import Button, Reply
from bot.table.encounter import Encounter
from bot.table.handlers import HANDLERS, Place
from bot.table.journal_actions import SPECIAL
from bot.table.offers.legal_actions import Looking
from bot.table.session.card import drawn, told_by
from bot.table.session.encounters import NextStep
from bot.table.session.possible_actions import WhatNow
from tests.bot.tables import opened
from tests.bot.waited import buttons_named, waited_for
from tests.conformance.legal_play import LEFT_OUT, SAVED_TABLES, Wanderer
from tests.games import SYSTEMS

STEPS = 30

MIN_TRIED = 20

TOLD = 12
"""Results that the card tells of, at most."""

CLOCK = "Time is up"
"""Offered before it may be pressed: no message is edited by the clock alone."""


def _deeds(wanderer: Wanderer, card: tuple[Button, ...]) -> list[Button]:
    """The buttons that ask something of the game; what is told in private and asks nothing is for later."""
    _, asked, reply = wanderer.told[-1] if wanderer.told else ("", None, Reply(()))
    asks = isinstance(asked, NextStep) or reply.text.rstrip().endswith("?")
    told = reply.buttons if reply.private and asks else ()
    unknown = (CLOCK, HIDDEN_CONTROL.label)
    return [
        one
        for one in (*card, *told)
        if not (one.form or one.asks or one.disabled or one.label.startswith(unknown))
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
            loaded, book, _ = wanderer.stands
            _, entries = await table.desk.store.card(loaded.scope.id, 1, TOLD)
            card = drawn(Encounter(book), loaded.scope.version, [*told_by(entries)]).live()
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
