"""The view of people at the table: messages, controls, modals, and the events that bring them.

Owns plain frozen values, each a snapshot: an edited message is a new value with the same id. Knows nothing of
sockets, of the bot, or of how a terminal prints.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Json = dict[str, Any]

EPHEMERAL = 1 << 6
LOADING = 1 << 7
COMPONENTS_V2 = 1 << 15


class EventKind(StrEnum):
    """What happened."""

    MESSAGE = "message"  # a new message, public or ephemeral
    EDIT = "edit"  # a message has a new form; `before` is the old one (a loading one: the late answer)
    DELETE = "delete"  # `before` is what was there
    MODAL = "modal"  # a form opened for one person
    CHOICES = "choices"  # autocomplete's suggestions for one person
    THINKING = "thinking"  # "Adjutant is thinking...": the bot deferred and owes an answer
    ACKNOWLEDGED = "acknowledged"  # a press was taken without a visible change so far
    UNANSWERED = "unanswered"  # "The application did not respond": three seconds passed
    TYPING = "typing"  # the bot is typing
    CHANNEL = "channel"  # a channel or thread was created, changed or deleted


@dataclass(frozen=True, slots=True)
class User:
    """A person or the bot, as others see them."""

    id: int
    name: str
    display_name: str
    bot: bool = False

    @property
    def mention(self) -> str:
        """Return the text that Discord turns into a mention of this user."""
        return f"<@{self.id}>"


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file on a message or in an option, with its bytes."""

    id: int
    filename: str
    data: bytes = field(repr=False)
    url: str
    content_type: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True)
class SelectOption:
    """One line of a select menu."""

    label: str
    value: str
    description: str = ""
    default: bool = False


@dataclass(frozen=True, slots=True)
class MessageControl:
    """A button or a select menu on a message; `row` counts from 0 in reading order."""

    type: int
    row: int
    custom_id: str | None = None
    label: str = ""
    emoji: str = ""
    style: int = 0
    url: str | None = None
    disabled: bool = False
    placeholder: str = ""
    min_values: int = 1
    max_values: int = 1
    options: tuple[SelectOption, ...] = ()

    @property
    def is_button(self) -> bool:
        """Return whether this is a button, a link button included."""
        return self.type == 2


@dataclass(frozen=True, slots=True)
class Message:
    """One message at one moment.

    `only_for` is the id of the one person who sees an ephemeral message, None for a public one. `embeds` and
    `components` are Discord's own JSON objects. `created` and `edited` are seconds since 1970 by the server's
    clock. `pings` are the ids of the users it notified.
    """

    id: int
    channel_id: int
    author: User
    content: str = ""
    embeds: tuple[Json, ...] = ()
    components: tuple[Json, ...] = ()
    attachments: tuple[AttachedFile, ...] = ()
    flags: int = 0
    only_for: int | None = None
    interaction_id: int | None = None
    created: float = 0.0
    edited: float | None = None
    pinned: bool = False
    reply_to: int | None = None
    pings: tuple[int, ...] = ()

    @property
    def ephemeral(self) -> bool:
        """Return whether one person alone sees it."""
        return self.only_for is not None

    @property
    def loading(self) -> bool:
        """Return whether it still says that the bot is thinking."""
        return bool(self.flags & LOADING)

    def visible_to(self, person_id: int) -> bool:
        """Return whether the person with this id may see it, channel permissions aside."""
        return self.only_for is None or self.only_for == person_id

    @property
    def controls(self) -> tuple[MessageControl, ...]:
        """Return every button and select in reading order, also inside sections and containers."""
        message_controls: list[MessageControl] = []
        row = -1
        for component in self.components:
            for group in _groups(component):
                row += 1
                message_controls.extend(control_from(child, row) for child in group)
        return tuple(message_controls)

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the content, then each text display of a components-v2 message, in reading order."""
        displayed = [part["content"] for part in walk(self.components) if part.get("type") == 10]
        return tuple([self.content, *displayed] if self.content else displayed)

    @property
    def text(self) -> str:
        """Return all it says, in reading order: its content, or what its text displays show."""
        return self.content or "\n".join(self.texts)


@dataclass(frozen=True, slots=True)
class ModalField:
    """One thing to fill in on a modal.

    `type` is Discord's component type: 4 text, 3 and 5-8 selects, 19 files, 21 radio group, 22 check boxes,
    23 one check box. `long` means a text of several lines.
    """

    custom_id: str
    label: str
    type: int
    description: str = ""
    placeholder: str = ""
    required: bool = True
    value: str = ""
    long: bool = False
    min_length: int = 0
    max_length: int = 4000
    min_values: int = 1
    max_values: int = 1
    options: tuple[SelectOption, ...] = ()


@dataclass(frozen=True, slots=True)
class Modal:
    """A form opened for one person, in answer to the interaction `interaction_id`."""

    interaction_id: int
    channel_id: int
    only_for: int
    custom_id: str
    title: str
    components: tuple[Json, ...]

    @property
    def fields(self) -> tuple[ModalField, ...]:
        """Return the inputs in reading order; plain text between them is in `components`."""
        return tuple(_fields(self.components))


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One autocomplete suggestion: what is shown, and what is sent."""

    name: str
    value: str | int | float


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened in a channel, at `at` seconds since 1970 by the server's clock.

    `only_for` is the id of the one person who can notice it, None when everyone in the channel can.
    `interaction_id` is the interaction that caused it, where one did.
    """

    kind: EventKind
    at: float
    channel_id: int
    message: Message | None = None
    before: Message | None = None
    modal: Modal | None = None
    choices: tuple[Suggestion, ...] = ()
    interaction_id: int | None = None
    only_for: int | None = None
    user: User | None = None

    def visible_to(self, person_id: int) -> bool:
        """Return whether the person with this id can notice it, channel permissions aside."""
        return self.only_for is None or self.only_for == person_id

    @property
    def takes_away(self) -> bool:
        """Return whether a private message lost some of its controls, and still says all that it said."""
        before, message = self.before, self.message
        if before is None or message is None or not message.ephemeral:
            return False
        return _choices(message) < _choices(before) and message.texts[: len(before.texts)] == before.texts


def _choices(message: Message) -> set[tuple[str | None, str]]:
    """Return what can be pressed: each button, and each option of a menu."""
    return {
        (control.custom_id, option.value)
        for control in message.controls
        for option in control.options or (SelectOption("", ""),)
    }


def walk(components: object) -> Iterator[Json]:
    """Yield every component object under `components`, depth first, in reading order."""
    if isinstance(components, Mapping):
        components = (components,)
    if not isinstance(components, list | tuple):
        return
    for component in components:
        if isinstance(component, dict):
            yield component
            for key in ("components", "component", "accessory"):
                if key in component:
                    yield from walk(component[key])


def control_from(component: Mapping[str, Any], row: int = 0) -> MessageControl:
    """Read one button or select object."""
    emoji = component.get("emoji") or {}
    return MessageControl(
        type=int(component["type"]),
        row=row,
        custom_id=component.get("custom_id"),
        label=component.get("label") or "",
        emoji=emoji.get("name") or "",
        style=int(component.get("style", 0)),
        url=component.get("url"),
        disabled=bool(component.get("disabled", False)),
        placeholder=component.get("placeholder") or "",
        min_values=int(component.get("min_values", 1)),
        max_values=int(component.get("max_values", 1)),
        options=_options(component),
    )


def _options(component: Mapping[str, Any]) -> tuple[SelectOption, ...]:
    return tuple(
        SelectOption(o["label"], o["value"], o.get("description") or "", bool(o.get("default", False)))
        for o in component.get("options") or ()
    )


def _groups(component: Json) -> Iterator[list[Json]]:
    match component.get("type"):
        case 1:
            yield component.get("components", [])
        case 9:
            accessory = component.get("accessory") or {}
            yield [accessory] if accessory.get("type") == 2 else []
        case 17:
            for inner in component.get("components", []):
                yield from _groups(inner)
        case _:
            return


def _fields(components: tuple[Json, ...]) -> Iterator[ModalField]:
    for top in components:
        inputs = top.get("components", []) if top.get("type") == 1 else [top.get("component")]
        for part in inputs:
            if part is None or "custom_id" not in part:
                continue
            yield ModalField(
                custom_id=part["custom_id"],
                label=top.get("label") or part.get("label") or "",
                type=int(part["type"]),
                description=top.get("description") or "",
                placeholder=part.get("placeholder") or "",
                required=bool(part.get("required", True)),
                value=part.get("value") or "",
                long=part.get("style") == 2,
                min_length=int(part.get("min_length") or 0),
                max_length=int(part.get("max_length") or 4000),
                min_values=int(part.get("min_values", 1)),
                max_values=int(part.get("max_values", 1)),
                options=_options(part),
            )
