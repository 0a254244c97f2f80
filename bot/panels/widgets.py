"""Turns a reply's buttons, menus and forms into Discord's, each with an id that says what it asks."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import discord
from discord import ui

from bot.actions import BadId, raw_of
from bot.ids import Tag, pack, unpack
from bot.replies.drawing import FILLS
from bot.replies.fit import (
    ASK,
    FENCE,
    MAX_CHOICE_LENGTH,
    MAX_CHOICES,
    MAX_LABEL_LENGTH,
    MAX_MESSAGE_LENGTH,
    fit_text,
    has_words,
    rows,
    shorten,
    tag_of,
)
from bot.replies.reply import Attachment, Blank, Button, Choice, Form, Menu, Next, Reply, State, Style

log = logging.getLogger(__name__)

STYLES: Mapping[Style, int] = {
    "plain": discord.ButtonStyle.secondary.value,
    "main": discord.ButtonStyle.primary.value,
    "danger": discord.ButtonStyle.danger.value,
}

MAX_TITLE_LENGTH = 45

ACTION_ROW, BUTTON, SELECT, SECTION, TEXT, GALLERY, FILE, SEPARATOR, CONTAINER = (
    discord.ComponentType[name].value
    for name in (
        *("action_row", "button", "select", "section", "text_display"),
        *("media_gallery", "file", "separator", "container"),
    )
)

LAST_PLACE = 35
"""The place that a button beside the first line has in its id; those in rows are counted from 0."""

PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp")

SIDES = tuple(int(colour.removeprefix("#"), 16) for colour in FILLS)
"""The accent colours of the sides, by number, as pictures draw them."""

Json = dict[str, Any]


class Card(ui.LayoutView):
    """Components of the second kind, written down at once. Items and view would hold one another, and every
    message would leave garbage behind that has to be looked for.
    """

    def __init__(self, written: list[Json]) -> None:
        super().__init__(timeout=None)
        self._written = written
        self.stop()

    def to_components(self) -> list[Json]:  # noqa: D102
        return self._written

    def has_components_v2(self) -> bool:  # noqa: D102
        return True


def card_of(reply: Reply, scope: int, version: int) -> Card:
    """Return the reply as a card that Discord takes. The view is stopped: nothing is kept of it.

    A button whose action is too long for an id is left out; its command does the same.
    """
    return Card(_framed(reply, _body(reply, scope, version)))


def _framed(reply: Reply, body: list[Json]) -> list[Json]:
    """The parts in a container with the side's colour; without any where words alone were chosen."""
    if reply.plain:
        return body
    accent = {"accent_color": SIDES[(reply.side - 1) % len(SIDES)]} if reply.side else {}
    return [{"type": CONTAINER, **accent, "components": body}]


def _body(reply: Reply, scope: int, version: int) -> list[Json]:
    """Headline and lines, pictures, what can be pressed, then how the game stands."""
    told_lines = [line for line in reply.lines if not isinstance(line, Next | State)]
    next_lines = [line for line in reply.lines if isinstance(line, Next)]
    state = [line for line in reply.lines if isinstance(line, State)]
    side_buttons, body = _beside(reply, told_lines, scope, version)
    if not body and not next_lines and not state:
        body = [_text(fit_text(told_lines))]
    body += _files(reply.files)
    if next_lines:
        body += [*([{"type": SEPARATOR}] if body else []), _text(fit_text(next_lines))]
    others = [button for button in reply.buttons if all(button is not other for other in side_buttons)]
    body += _controls(others, reply.menus, scope, version)
    if state:
        body += [{"type": SEPARATOR}, _text(fit_text(state))]
    return body


def _beside(reply: Reply, told_lines: list[str], scope: int, version: int) -> tuple[list[Button], list[Json]]:
    """The buttons that stand beside a line, and the lines with them: Undo beside the headline, Why beside
    what follows it.
    """
    if not told_lines:
        return [], []
    first = {button.beside: button for button in reversed(reply.buttons)}
    undo, why = first.get("headline"), first.get("details")
    head, rest = (
        (told_lines[:1], told_lines[1:]) if has_words("\n".join(told_lines[1:])) else (told_lines, [])
    )
    if (rest and any(line.startswith(FENCE) for line in head)) or not has_words("\n".join(head)):
        head, rest = told_lines, []
    if not rest and undo is not None:
        why = None
    room = MAX_MESSAGE_LENGTH - sum(len(line) + 1 for line in reply.lines if isinstance(line, Next | State))
    words = fit_text(rest, room - len(head[0]) - 1) if rest else ""
    summary, gap, details = words.partition("\n\n")
    if FENCE in summary or not gap:
        summary, details = words, ""
    parts = [(undo if rest else undo or why, fit_text(head, room)), (why, summary), (None, details)]
    body = [
        _section(words, button, scope, version, place) for place, (button, words) in enumerate(parts) if words
    ]
    return [button for button in (undo, why) if button is not None], body


def _section(words: str, button: Button | None, scope: int, version: int, place: int) -> Json:
    if button is None:
        return _text(words)
    accessory = _button(button, scope, version, LAST_PLACE - place)
    return {"type": SECTION, "components": [_text(words)], "accessory": accessory}


def _text(words: str) -> Json:
    return {"type": TEXT, "content": words}


def _files(files: Sequence[Attachment]) -> list[Json]:
    pictures = [file for file in files if file.name.endswith(PICTURES)]
    parts: list[Json] = []
    if pictures:
        items = [{"media": {"url": _attached(picture)}, "description": picture.words} for picture in pictures]
        parts.append({"type": GALLERY, "items": items})
    others = (file for file in files if file not in pictures)
    return parts + [{"type": FILE, "file": {"url": _attached(attachment)}} for attachment in others]


def _attached(file: Attachment) -> str:
    return f"attachment://{file.name}"


def _controls(buttons: Sequence[Button], menus: Sequence[Menu], scope: int, version: int) -> list[Json]:
    """The rows of buttons and menus."""
    written: list[Json] = []
    place = 0
    for row in rows(buttons, menus):
        items: list[Json] = []
        for widget in [row] if isinstance(row, Menu) else row:
            try:
                items.append(_item(widget, scope, version, place))
            except BadId:
                log.warning("a button does not fit", extra={"command": widget.action.command})
            place += 1
        if items:
            written.append({"type": ACTION_ROW, "components": items})
    return written


def _item(widget: Button | Menu, scope: int, version: int, place: int) -> Json:
    if isinstance(widget, Button):
        return _button(widget, scope, version, place)
    return _select(widget, scope, version, place)


def _button(button: Button, scope: int, version: int, place: int) -> Json:
    return {
        "type": BUTTON,
        "style": STYLES[button.style],
        "label": shorten(button.label, MAX_LABEL_LENGTH),
        "custom_id": pack(tag_of(button, scope, version), place),
        "disabled": button.disabled,
    }


def _select(menu: Menu, scope: int, version: int, place: int) -> Json:
    pinned_version = -1 if menu.anytime else version
    choices = menu.choices[:MAX_CHOICES]
    return {
        "type": SELECT,
        "placeholder": shorten(menu.prompt, MAX_CHOICE_LENGTH),
        "custom_id": pack(Tag(menu.action, scope, pinned_version, ASK if menu.asks else menu.fills), place),
        "min_values": min(menu.least, len(choices)),
        "max_values": min(menu.most, len(choices)),
        "options": [_option(choice) for choice in choices],
    }


def _option(choice: Choice) -> Json:
    note = {"description": shorten(choice.note, MAX_CHOICE_LENGTH)} if choice.note else {}
    return {"label": shorten(choice.label, MAX_CHOICE_LENGTH), "value": choice.value, **note}


Still = Callable[[Tag, Sequence[str], bool], Sequence[str]]
"""A control, its choices ("" alone for a button), and whether several may be chosen: what is still open."""

OVER = "The game has moved on, so this choice no longer applies."


TOO_MANY = "You have opened newer replies, so this one can no longer be used."


def still_pressable(written: Sequence[Json], still: Still, over: str = OVER) -> list[Json]:
    """Return the components of a message without what would be refused. over: what it says if nothing is
    left, empty for nothing.
    """
    left = [part for component in written for part in _still(component, still)]
    if left == [*written] or is_pressable(left) or not over:
        return left
    inner = left[0]["components"] if left and left[0]["type"] == CONTAINER else left
    inner.append(_text(over))
    return left


def is_pressable(written: Sequence[Json]) -> bool:
    """Return whether anything in these components can be pressed."""
    inner = [[*part.get("components", ()), *filter(None, [part.get("accessory")])] for part in written]
    enabled_controls = ("custom_id" in part and not part.get("disabled") for part in written)
    return any(enabled_controls) or any(map(is_pressable, inner))


def scopes_on(written: Sequence[Json]) -> Iterator[int]:
    """Yield the scope of everything that can be pressed in these components."""
    for part in written:
        yield from scopes_on([*part.get("components", ()), *filter(None, [part.get("accessory")])])
        with suppress(BadId):
            if "custom_id" in part:
                yield unpack(part["custom_id"]).scope


def _still(component: Json, still: Still) -> Iterator[Json]:
    if component["type"] in (CONTAINER, ACTION_ROW):
        inner = [part for child in component["components"] for part in _still(child, still)]
        yield from [{**component, "components": inner}] if inner else []
    elif component["type"] == SECTION:
        is_kept = any(True for _ in _still(component["accessory"], still))
        yield from [component] if is_kept else component["components"]
    elif "custom_id" not in component:
        yield component
    else:
        yield from _still_chosen(component, still)


def _still_chosen(control: Json, still: Still) -> Iterator[Json]:
    with suppress(BadId):
        tag, options = unpack(control["custom_id"]), control.get("options", [{"value": ""}])
        values = still(tag, [option["value"] for option in options], control.get("max_values", 1) > 1)
        kept = [option for option in options if option["value"] in values]
        if len(kept) == len(options):
            yield control
        elif kept and len(kept) >= control["min_values"]:
            yield {**control, "options": kept, "max_values": min(control["max_values"], len(kept))}


class FormModal(ui.Modal):
    """A form as Discord shows it; what is filled in arrives as an interaction of its own."""

    def __init__(self, form: Form, tag: Tag) -> None:
        super().__init__(title=shorten(form.title, MAX_TITLE_LENGTH), custom_id=pack(tag), timeout=None)
        for blank in form.blanks:
            label = shorten(blank.label, MAX_TITLE_LENGTH)
            self.add_item(ui.Label(text=label, component=_input(blank, tag)))
        self.stop()


def _input(blank: Blank, tag: Tag) -> ui.FileUpload[FormModal] | ui.TextInput[FormModal]:
    if blank.file:
        return ui.FileUpload(custom_id=blank.name, required=blank.required)
    return ui.TextInput(
        custom_id=blank.name,
        default=shorten(_standing(blank, tag), blank.longest) or None,
        max_length=blank.longest,
        required=blank.required,
        style=discord.TextStyle.paragraph if blank.lines else discord.TextStyle.short,
    )


def _standing(blank: Blank, tag: Tag) -> str:
    value = dict(tag.typed).get(blank.name) or raw_of(tag.action).get(blank.name)
    return (
        str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else blank.default
    )
