"""Reads a message of the channel into values that templates draw: what it tells, what comes next, the state.

The same for all who may see it: addresses are relative to a seat's page, and what is pressed goes into
the page's one form `acts`, which carries the reader's own token.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, unquote

from bot.local.seen import AttachedFile, Json, Message, MessageControl, control_from, walk
from bot.local.world import World
from bot.overview import Control, Look
from bot.page.frame import drawn
from bot.page.words import TextBlock, blocks

PICTURES = {"image/png", "image/jpeg", "image/gif", "image/webp"}
_STYLES = {1: "main", 4: "danger"}
ROW, BUTTON, MENU, SECTION, TEXT, GALLERY, FILE, SEPARATOR, CONTAINER = 1, 2, 3, 9, 10, 12, 13, 14, 17
"""Discord's types of components."""

_SAID_ALREADY = re.compile(r"\n?(?:-# )?[ ]?(?:\(only you(?: can)? see this\)|Only you(?: can)? see this\.)")
"""The first words of a private message, which the page shows above each."""


@dataclass(frozen=True, slots=True)
class FileLink:
    """A picture or another file. words: what a picture shows."""

    address: str
    name: str
    words: str
    is_picture: bool


@dataclass(frozen=True, slots=True)
class Pressable:
    """A button; value: what a press sends. does: what the bot says of it."""

    label: str
    style: str = "plain"
    value: str = ""
    url: str = ""
    disabled: bool = False
    does: Control = Control()


@dataclass(frozen=True, slots=True)
class MenuChoice:
    """One choice of a menu or a form."""

    label: str
    value: str
    note: str = ""
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class ChoiceMenu:
    """A menu. value: what a press of it sends, where several can be chosen."""

    title: str
    value: str
    choices: tuple[MenuChoice, ...]
    least: int
    most: int
    disabled: bool

    @property
    def several(self) -> bool:
        """Return whether more than one can be chosen."""
        return self.most > 1


@dataclass(frozen=True, slots=True)
class MessagePart:
    """One part of a message. kind: words, file, rule or controls; beside: the button beside words."""

    kind: str
    blocks: tuple[TextBlock, ...] = ()
    beside: Pressable | None = None
    file: FileLink | None = None
    buttons: tuple[Pressable, ...] = ()
    menus: tuple[ChoiceMenu, ...] = ()


@dataclass(slots=True)
class ShownMessage:
    """A message as a page shows it.

    told: what happened; next: what comes next and what can be pressed; state: how the game stands.
    accent: the colour of its side, or None. author: the person who wrote it, empty for the bot.
    recalls: it has no result of its own yet, and tells the one before.
    """

    id: int
    private: bool
    author: str = ""
    loading: bool = False
    recalls: bool = False
    accent: int | None = None
    told: list[MessagePart] = field(default_factory=list)
    next: list[MessagePart] = field(default_factory=list)
    state: list[MessagePart] = field(default_factory=list)

    @property
    def asked(self) -> MessagePart | None:
        """Return the first menu of a private answer, unless a button is likelier: it stands open, above them."""
        has_main = any(button.style == "main" for part in self.next for button in part.buttons)
        return (
            next((part for part in self.next if part.menus), None) if self.private and not has_main else None
        )

    @property
    def coming(self) -> list[MessagePart]:
        """Return what comes next, in the order in which it is pressed."""
        asked = self.asked
        if asked is None:
            return self.next
        return sorted(self.next, key=lambda part: (part.kind == "controls", not part.menus))


class MessageWriter:
    """Reads the messages of one world. look: tells what a button does. seal: returns a token for a text
    that does not reveal the text. files: the address of pictures, as seen from the page.
    """

    def __init__(self, world: World, look: Look, seal: Callable[[str], str], files: str = "files") -> None:
        self._world = world
        self._look = look
        self._seal = seal
        self._files = files

    def token(self, control: MessageControl, choice: str = "") -> str:
        """Return what pages send for a control, or for a choice of its menu.

        Its id has numbers of entries, which would tell how many secret ones there are between.
        """
        return self._seal(f"{control.custom_id} {choice}")

    def named(self, mark: str, number: str) -> str:
        """Return a mention by its name."""
        if mark == "#":
            channel = self._world.channels.get(int(number))
            return f"#{channel.name if channel else '?'}"
        user = self._world.users.get(int(number))
        return f"@{user.display_name if user else '?'}"

    def blocks(self, text: str) -> tuple[TextBlock, ...]:
        """Return the paragraphs of a text."""
        return tuple(blocks(text, self.named))

    def article(self, message: Message) -> str:
        """Return the whole message as HTML."""
        return drawn("message", shown=self.shown(message))

    def shown(self, message: Message) -> ShownMessage:
        """Return the message as a page shows it; a card without a result recalls the last one."""
        shown_message = self._read(message)
        if shown_message.state and not shown_message.told and not message.ephemeral:
            shown_message.told, shown_message.recalls = self._last_told(message), True
        return shown_message

    def _last_told(self, card: Message) -> list[MessagePart]:
        for message in reversed(self._world.channels[card.channel_id].messages.values()):
            if message.id == card.id or message.ephemeral or not message.author.bot:
                continue
            blocks = results(self._read(message).told)
            if blocks:
                return [
                    MessagePart(
                        "words", next((text for text in reversed(blocks) if is_rolled(text)), blocks[-1])
                    )
                ]
        return []

    def _read(self, message: Message) -> ShownMessage:
        author = "" if message.author.bot else message.author.display_name
        shown_message = ShownMessage(message.id, message.ephemeral, author, message.loading)
        if message.loading:
            return shown_message
        shown_message.told = [self._words(message, text) for text in _texts(message)]
        placed = {name for component in walk(message.components) for name in _placed(component)}
        shown_message.told += [
            self._file(attachment) for attachment in message.attachments if attachment.filename not in placed
        ]
        inner: list[Json] = []
        for component in message.components:
            if component["type"] == CONTAINER:
                shown_message.accent = component.get("accent_color")
                inner += component["components"]
            else:
                inner.append(component)
        told_parts, coming, state = _apart(inner)
        for message_parts, part in (
            (shown_message.told, told_parts),
            (shown_message.next, coming),
            (shown_message.state, state),
        ):
            message_parts += self._parts(message, part)
        return shown_message

    def _words(self, message: Message, text: str, button: Pressable | None = None) -> MessagePart:
        text = _SAID_ALREADY.sub("", text) if message.ephemeral else text
        return MessagePart("words", self.blocks(text), button)

    def _file(self, file: AttachedFile) -> MessagePart:
        return MessagePart("file", file=self.link(file))

    def link(self, file: AttachedFile) -> FileLink:
        """Return a file with its address."""
        address = f"{self._files}/{file.id}/{quote(file.filename)}"
        words = file.description or file.filename
        return FileLink(address, file.filename, words, file.content_type in PICTURES)

    def _parts(self, message: Message, components: Iterable[Json]) -> Iterator[MessagePart]:
        for component in components:
            match component.get("type"):
                case 1:
                    yield self._controls(message, component["components"])
                case 2:
                    yield self._controls(message, [component])
                case 9:
                    yield self._section(message, component)
                case 10:
                    yield self._words(message, component["content"])
                case 12 | 13:
                    names = _placed(component)
                    yield from (
                        self._file(attachment)
                        for attachment in message.attachments
                        if attachment.filename in names
                    )
                case 14:
                    yield MessagePart("rule")

    def _section(self, message: Message, section: Json) -> MessagePart:
        text = "\n".join(text["content"] for text in section["components"])
        accessory = section.get("accessory") or {}
        is_button = accessory.get("type") == BUTTON
        return self._words(
            message, text, self._button(message, control_from(accessory)) if is_button else None
        )

    def _controls(self, message: Message, components: Iterable[Any]) -> MessagePart:
        """Return what can be pressed, without the log, for which the page has a sheet."""
        controls = [*map(control_from, components)]
        buttons = [self._button(message, control) for control in controls if control.is_button]
        menus = tuple(self._menu(message, control) for control in controls if control.type == MENU)
        shown_buttons = tuple(button for button in buttons if not button.does.shows_log)
        return MessagePart("controls", buttons=shown_buttons, menus=menus)

    def _button(self, message: Message, control: MessageControl) -> Pressable:
        label = " ".join(part for part in (control.emoji, control.label) if part)
        style = _STYLES.get(control.style, "plain")
        does = self._look.control(control.custom_id or "")
        value = _sent(message.id, self.token(control))
        return Pressable(label, style, value, control.url or "", control.disabled, does)

    def _menu(self, message: Message, control: MessageControl) -> ChoiceMenu:
        value = _sent(message.id, self.token(control))
        choices = []
        for option in control.options:
            token = self.token(control, option.value)
            sent = token if control.max_values > 1 else _sent(message.id, self.token(control), token)
            choices.append(MenuChoice(option.label, sent, option.description, option.default))
        return ChoiceMenu(
            control.placeholder or "Choose",
            value,
            tuple(choices),
            control.min_values,
            control.max_values,
            control.disabled,
        )


def _texts(message: Message) -> Iterator[str]:
    if message.content:
        yield message.content
    for embed in message.embeds:
        texts = [embed.get("title"), embed.get("description")]
        texts += [f"**{field['name']}**\n{field['value']}" for field in embed.get("fields", ())]
        texts.append((embed.get("footer") or {}).get("text"))
        yield from (text for text in texts if text)


def results(message_parts: Iterable[MessagePart]) -> list[tuple[TextBlock, ...]]:
    """Return the results that a message tells of, the oldest first: each begins with a headline."""
    result_blocks: list[list[TextBlock]] = []
    for block in (text_block for part in message_parts for text_block in part.blocks):
        if not result_blocks or (block.kind == "plain" and block.spans[:1] and block.spans[0].element == "b"):
            result_blocks.append([])
        result_blocks[-1].append(block)
    return [tuple(text) for text in result_blocks]


def is_rolled(result: Iterable[TextBlock]) -> bool:
    """Return whether dice were rolled for a result."""
    return any(block.kind == "roll" for block in result)


def is_panel(message: Message) -> bool:
    """Return whether a message is the card of a game: public, with buttons, and the state below a line."""
    parts = [component for part in message.components for component in (part, *part.get("components", ()))]
    lined = any(part["type"] == SEPARATOR for part in parts)
    return lined and not message.ephemeral and message.author.bot and bool(message.controls)


def _apart(components: Sequence[Json]) -> tuple[Sequence[Json], Sequence[Json], Sequence[Json]]:
    """Return what happened, what comes next with its buttons, and how the game stands, without the lines between.

    Where one text alone stands above the buttons of a card, it says what comes next.
    """
    types = [component["type"] for component in components]
    rows = [place for place, kind in enumerate(types) if kind in (ROW, BUTTON)]
    lines = [place for place, kind in enumerate(types) if kind == SEPARATOR]
    if not rows:
        return components, (), ()
    state = next((place for place in lines if place > rows[-1]), len(types))
    only_text = state < len(types) and types[: rows[0]] == [TEXT]
    split = 0 if only_text else next((place for place in lines if place < rows[0]), rows[0])
    return components[:split], components[split + (split in lines) : state], components[state + 1 :]


def _placed(component: Json) -> list[str]:
    """Return the names of the files that a gallery or a file component shows."""
    media = [item["media"] for item in component.get("items", ())]
    media += [component["file"]] if "file" in component else []
    return [unquote(str(item["url"]).partition("?")[0].rpartition("/")[2]) for item in media]


def _sent(*parts: object) -> str:
    return json.dumps([str(part) for part in parts], ensure_ascii=False)
