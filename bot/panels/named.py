"""Buttons for commands that a reply tells people to type."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from bot.actions import Action, action_of, parts
from bot.panels.tapping import NAMED, path_in, typed_kinds
from bot.replies.fit import MAX_IN_ROW, MAX_ROWS, has_room, rows
from bot.replies.reply import FORMS, Button, Reply
from bot.table.asking.descriptions import needed, options_of
from bot.table.asking.kinds import Switch
from bot.table.asking.reading import called
from bot.table.asking.server_kinds import Attached, Elsewhere
from bot.table.handlers import HANDLERS
from bot.table.offers.forms import open_parts, title_of
from bot.table.scoping import NEW_SCOPE_PLACES

MAX_NAMED = 5
"""Commands of one reply that get a button of their own: one row."""

OFFERS_ITSELF = frozenset(
    {"encounter.join", "undo", "redo", "upkeep", "inf.mine", "inf.resolve", "sol.show", "help"}
)
"""Commands that say or do what is expected where nothing is filled in, although something might be."""

_SAID = re.compile(r" ([a-z][\w-]*):true\b")


def with_named(reply: Reply) -> Reply:
    """Return the reply with a button for each command that it names and that has no button yet.

    Those for which there is no room get none; nor do pages of help, whose commands are tapped in place, or a
    list of all that can be done.
    """
    if reply.tappable or any(menu.asks for menu in reply.menus):
        return reply
    present = {button.action.command for button in reply.buttons}
    present |= {menu.action.command for menu in reply.menus}
    buttons = list(reply.buttons)
    for action in named_in(" ".join(line.strip() for line in reply.lines)):
        button = press_for(action)
        if button is None or action.command in present or len(buttons) - len(reply.buttons) == MAX_NAMED:
            continue
        if has_room(button) and _fit([*buttons, button], reply):
            present.add(action.command)
            buttons.append(button)
    return replace(reply, buttons=tuple(buttons))


def _fit(buttons: list[Button], reply: Reply) -> bool:
    """Return whether all of these find a place above the reply's menus."""
    return len(buttons) <= (MAX_ROWS - len(rows((), reply.menus))) * MAX_IN_ROW


def named_in(text: str) -> Iterator[Action]:
    """Return the actions of the commands that a text names, with switches that it sets, as `watch:true`."""
    for match in NAMED.finditer(text):
        kind = typed_kinds().get(path_in(match))
        if kind is not None:
            rest = text[match.start() + 1 + len(kind.typed) :]
            yield action_of(kind.command, _switched(kind, rest))


def _switched(kind: type[Action], rest: str) -> dict[str, bool]:
    switches = {}
    while match := _SAID.match(rest):
        part = next((option for option in options_of(kind) if called(option) == match[1]), None)
        if part is None or not isinstance(part.kind, Switch):
            break
        switches[part.name] = True
        rest = rest[match.end() :]
    return switches


def press_for(action: Action) -> Button | None:
    """Return the button that asks an action, with its form first if there is something to fill in.

    None where it takes a file, which no press can bring.
    """
    kind = type(action)
    if HANDLERS.get(kind.command) is None or any(
        isinstance(part.kind, Attached) and needed(part) for part in options_of(kind)
    ):
        return None
    if kind.opens:
        return Button(title_of(kind), kind(), anytime=True, form=FORMS[kind.opens])
    somewhere = any(isinstance(part.kind, Elsewhere) for part in parts(kind.command))
    plain = action != kind() or kind.command in OFFERS_ITSELF
    asks = not plain and (
        somewhere or bool(open_parts(kind.command)) or HANDLERS[kind.command].place in NEW_SCOPE_PLACES
    )
    return Button(title_of(kind), action, anytime=True, asks=asks)
