"""Turns a reply's buttons, menus and forms into Discord's, each with an id that says what it asks."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from itertools import groupby
from operator import attrgetter
from typing import Any

import discord
from discord import ui

from bot.actions import BadId, raw_of
from bot.ids import Tag, pack
from bot.replies.fit import ASK, LONGEST_CHOICE, LONGEST_LABEL, MOST_CHOICES, rows, shorten, tag_of
from bot.replies.reply import Blank, Button, Form, Menu, Reply, Style

log = logging.getLogger(__name__)

STYLES: Mapping[Style, discord.ButtonStyle] = {
    "plain": discord.ButtonStyle.secondary,
    "main": discord.ButtonStyle.primary,
    "danger": discord.ButtonStyle.danger,
}

LONGEST_TITLE = 45

ACTION_ROW = discord.ComponentType.action_row.value


class Components(ui.View):
    """Components as they are sent: the rows are written down at once. Items and view would hold one another,
    and every message would leave garbage behind that has to be looked for.
    """

    def __init__(self, items: Iterable[ui.Item[Any]]) -> None:
        super().__init__(timeout=None)
        self._written = [
            {"type": ACTION_ROW, "components": [item.to_component_dict() for item in row]}
            for _, row in groupby(items, key=attrgetter("row"))
        ]
        self.stop()

    def to_components(self) -> list[dict[str, Any]]:
        """See `discord.ui.View`."""
        return self._written


def view_of(reply: Reply, scope: int, version: int) -> Components | None:
    """The components of a reply, or None where it has none. The view is stopped: nothing is kept of it.

    A button whose action is too long for an id is left out; its command does the same.
    """
    laid = rows(reply.buttons, reply.menus)
    items: list[ui.Item[Any]] = []
    place = 0
    for number, row in enumerate(laid):
        for one in [row] if isinstance(row, Menu) else row:
            try:
                items.append(_item(one, scope, version, place, number))
            except BadId:
                log.warning("a button does not fit", extra={"command": one.action.command})
            place += 1
    return Components(items) if items else None


def _item(one: Button | Menu, scope: int, version: int, place: int, row: int) -> ui.Item[Any]:
    if isinstance(one, Menu):
        return _select(one, scope, version, place, row)
    return _button(one, scope, version, place, row)


def _button(button: Button, scope: int, version: int, place: int, row: int) -> ui.Button[ui.View]:
    return ui.Button(
        label=shorten(button.label, LONGEST_LABEL),
        style=STYLES[button.style],
        custom_id=pack(tag_of(button, scope, version), place),
        disabled=button.disabled,
        row=row,
    )


def _select(menu: Menu, scope: int, version: int, place: int, row: int) -> ui.Select[ui.View]:
    at = -1 if menu.anytime else version
    choices = menu.choices[:MOST_CHOICES]
    return ui.Select(
        placeholder=shorten(menu.prompt, LONGEST_CHOICE),
        custom_id=pack(Tag(menu.action, scope, at, ASK if menu.asks else menu.fills), place),
        min_values=min(menu.least, len(choices)),
        max_values=min(menu.most, len(choices)),
        options=[
            discord.SelectOption(
                label=shorten(choice.label, LONGEST_CHOICE),
                value=choice.value,
                description=shorten(choice.note, LONGEST_CHOICE) or None,
            )
            for choice in choices
        ],
        row=row,
    )


class FormModal(ui.Modal):
    """A form as Discord shows it; what is filled in arrives as an interaction of its own."""

    def __init__(self, form: Form, tag: Tag) -> None:
        super().__init__(title=shorten(form.title, LONGEST_TITLE), custom_id=pack(tag), timeout=None)
        for blank in form.blanks:
            style = discord.TextStyle.paragraph if blank.lines else discord.TextStyle.short
            box: ui.TextInput[FormModal] = ui.TextInput(
                label=shorten(blank.label, LONGEST_TITLE),
                custom_id=blank.name,
                default=shorten(_standing(blank, tag), blank.longest) or None,
                max_length=blank.longest,
                required=blank.required,
                style=style,
            )
            self.add_item(box)
        self.stop()


def _standing(blank: Blank, tag: Tag) -> str:
    """What a blank is opened with: what was typed or said of it before, else its default."""
    said = dict(tag.typed).get(blank.name) or raw_of(tag.action).get(blank.name)
    return str(said) if isinstance(said, str | int | float) and not isinstance(said, bool) else blank.default
