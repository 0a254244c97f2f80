"""Sample games pressed on until somebody acts, and made as large as games get."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from bot.actions import Action
from bot.replies.reply import Reply
from bot.store.book import Book
from bot.store.rows import ModelRow
from bot.table.act import Actor
from bot.table.desk import Desk
from bot.table.encounter import Encounter
from bot.table.game import game_of
from bot.table.request import Request
from bot.table.session.encounters import NextStep, StartDemo
from bot.table.session.possible_actions import list_acting

MODELS = 40


async def played_on(desk: Desk, system: str, actor: Actor) -> Book:
    """The sample game of one person, pressed on until somebody acts."""
    numbers = count(1)
    started = await desk.perform(Request(StartDemo(system), actor, next(numbers)))
    asked: Action | None = NextStep()
    while asked is not None:
        reply = (await desk.perform(Request(asked, actor, next(numbers)))).reply
        loaded = await desk.store.load(started.scope)
        assert loaded is not None
        book = loaded.book()
        panel = game_of(encounter := Encounter(book)).panel(encounter)
        asked = None if list_acting(encounter) else _first_of(reply) or _first_of(panel)
    desk.store.deliveries.arrived(range(1, next(numbers)))
    return book


def _first_of(reply: Reply) -> Action | None:
    """What is done by the first choice, or by the button that stands out; None for neither."""
    for menu in reply.menus:
        chosen, held = menu.choices[0].value, getattr(menu.action, menu.fills)
        return replace(menu.action, **{menu.fills: (int(chosen),) if isinstance(held, tuple) else chosen})
    return next((button.action for button in reply.buttons if button.style == "main"), None)


def more_of_the_same(book: Book) -> list[ModelRow]:
    """The models that fill a game up, on both sides, each like one that plays."""
    rows = book.all(ModelRow)
    like = [row for row in rows if row.profile]
    numbers = range(len(rows) + 1, MODELS + 1)
    copies = [(number, like[number % len(like)]) for number in numbers]
    return [replace(row, id=number, name=f"{row.name} {number}") for number, row in copies]
