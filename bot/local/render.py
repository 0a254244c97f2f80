"""A message or event at the table as lines of plain text, read from the top, without colour or ids.

Owns the transcript's form, and so the form of golden games: stable from run to run. Knows nothing of the
keyboard, of what was typed, or of where pictures are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from bot.local.seen import AttachedFile, Event, EventKind, Message, MessageControl, ModalField, control_from
from bot.local.words import Names

WIDTH = 38
NO_ANSWER = "The application did not respond."
RULE = "--"
"""A separator between two parts of a message."""

Numbers = Mapping[str, int]
Place = Callable[[AttachedFile], str]

_HEADS = {EventKind.EDIT: "changed:", EventKind.DELETE: "deleted:"}


def file_name(attachment: AttachedFile) -> str:
    """Return a file by its name alone: what a transcript says, wherever the file was saved."""
    return attachment.filename


def event_lines(
    event: Event, names: Names, numbers: Numbers, channel_id: int | None = None, place: Place = file_name
) -> list[str]:
    """Return one event as lines: who alone sees it and where, what it says, and what can be pressed.

    `numbers` gives each control's number by custom_id; a control without one cannot be pressed. `here` is the
    channel that need not be named. Returns no lines for what leaves nothing to read.
    """
    lines = _body(event, names, numbers, place)
    if not lines:
        return []
    head = []
    if event.channel_id != channel_id:
        head.append(f"in #{names.channel(event.channel_id)}:")
    if event.only_for is not None:
        reader = names.user(event.only_for)
        head.append(f"(only {reader} sees this)")
    if event.kind in _HEADS:
        head.append(f"{_called(event)} {_HEADS[event.kind]}")
    message = event.message if event.kind is EventKind.MESSAGE else None
    pinged = message.pings if message is not None and message.interaction_id is None else ()
    if pinged:
        lines = [f"(mentions {' and '.join(map(names.user, pinged))})", *lines]
    return [" ".join(head), *lines] if head else lines


def message_lines(message: Message, names: Names, numbers: Numbers, place: Place = file_name) -> list[str]:
    """Return a message's text, embeds, files, then its components in reading order."""
    lines = [*names.plain(message.content).splitlines()]
    for embed in message.embeds:
        lines += _embed(embed, names)
    shown_names = {_last(media["url"]) for media in _media(message.components)}
    for attachment in message.attachments:
        if attachment.filename not in shown_names:
            lines.append(_file(attachment, place, names))
    lines += _components(message, message.components, names, numbers, place)
    return lines or ["(empty message)"]


def field_line(field: ModalField) -> str:
    """Return one input of a form as a line: its name, whether it may stay empty, and its value."""
    notes = [] if field.required else ["optional"]
    if field.options:
        how_many = "one of " if field.max_values == 1 else "any of "
        notes.append(how_many + ", ".join(option.label for option in field.options))
    if field.placeholder:
        notes.append(field.placeholder)
    shown_value = field.value or ", ".join(option.label for option in field.options if option.default)
    if shown_value:
        notes.append(f"now {shown_value}")
    return f"{field.label} ({'; '.join(notes)})" if notes else field.label


def menu_lines(control: MessageControl, number: int | None) -> list[str]:
    """Return a select menu and its numbered options."""
    range_note = "" if control.max_values == 1 else f" ({control.min_values} to {control.max_values})"
    title = control.placeholder or _MENUS.get(control.type, "Choose")
    lines = [f"{_number(number)} {title}{range_note}{' (off)' if control.disabled else ''}"]
    for place, option in enumerate(control.options, 1):
        description = f": {option.description}" if option.description else ""
        lines.append(f"    {place} {option.label}{description}{' (chosen)' if option.default else ''}")
    return lines


def button_text(control: MessageControl, number: int | None) -> str:
    """Return a button as it is shown in a row: `[2] Pass`, `[-] Undo (off)`, `Rules: https://...`."""
    label = " ".join(part for part in (control.emoji, control.label) if part)
    if control.url:
        return f"{label}: {control.url}"
    return f"{_number(number)} {label}{' (off)' if control.disabled else ''}"


_MENUS = {5: "Choose a person", 6: "Choose a role", 7: "Choose a person or role", 8: "Choose a channel"}


def _body(event: Event, names: Names, numbers: Numbers, place: Place) -> list[str]:
    match event:
        case Event(takes_away=True, message=Message() as message, before=Message() as before):
            return list(message.texts[len(before.texts) :])
        case Event(kind=EventKind.MESSAGE | EventKind.EDIT, message=Message() as message):
            return message_lines(message, names, numbers, place)
        case Event(kind=EventKind.DELETE, before=Message() as before) if not before.ephemeral:
            return message_lines(before, names, {}, place)[:1]
        case Event(kind=EventKind.MODAL, modal=modal) if modal is not None:
            return [f"form: {modal.title}", *(f"  {field_line(field)}" for field in modal.fields)]
        case Event(kind=EventKind.UNANSWERED):
            return [NO_ANSWER]
        case Event(kind=EventKind.THINKING):
            return ["The application is thinking..."]
        case _:
            return []


def _called(event: Event) -> str:
    message = event.message or event.before
    return "panel" if message is not None and message.controls else "message"


def _embed(embed: Mapping[str, Any], names: Names) -> Iterator[str]:
    author = (embed.get("author") or {}).get("name")
    footer = (embed.get("footer") or {}).get("text")
    for text in (author, embed.get("title"), embed.get("description")):
        if text:
            yield from names.plain(text).splitlines()
    for field in embed.get("fields") or ():
        name, value = (names.plain(field[key]).strip("\u200b ") for key in ("name", "value"))
        if name and value and "\n" not in value and len(name) + len(value) + 2 <= WIDTH:
            yield f"{name}: {value}"
        else:
            yield from [name] if name else []
            yield from value.splitlines()
    if footer:
        yield from names.plain(footer).splitlines()


def _components(
    message: Message, components: Any, names: Names, numbers: Numbers, place: Place
) -> Iterator[str]:
    for component in components:
        match component.get("type"):
            case 1:
                yield from _row(component["components"], numbers)
            case 9:
                yield from _components(message, component["components"], names, numbers, place)
                yield from _components(message, [component["accessory"]], names, numbers, place)
            case 2:
                yield from _row([component], numbers)
            case 10:
                yield from names.plain(component["content"]).splitlines()
            case 11 | 13:
                yield _shown(message, component, names, place)
            case 12:
                for item in component["items"]:
                    yield _shown(message, item, names, place)
            case 14:
                yield RULE
            case 17:
                yield from _components(message, component["components"], names, numbers, place)


def _row(components: Any, numbers: Numbers) -> Iterator[str]:
    line = ""
    for control in map(control_from, components):
        number = numbers.get(control.custom_id or "")
        if not control.is_button:
            yield from menu_lines(control, number)
            continue
        text = button_text(control, number)
        if line and len(line) + 2 + len(text) > WIDTH:
            yield line
            line = text
        else:
            line = f"{line}  {text}" if line else text
    if line:
        yield line


def _number(number: int | None) -> str:
    return "[-]" if number is None else f"[{number}]"


def _media(components: Any) -> Iterator[Mapping[str, Any]]:
    for component in components:
        yield from (item["media"] for item in component.get("items", ()))
        yield from (component[key] for key in ("media", "file") if key in component)
        yield from _media(component.get("components", ()))
        if "accessory" in component:
            yield from _media([component["accessory"]])


def _shown(message: Message, item: Mapping[str, Any], names: Names, place: Place) -> str:
    media = item.get("media") or item["file"]
    file_name = _last(media["url"])
    for attachment in message.attachments:
        if attachment.filename == file_name:
            return _file(attachment, place, names, item.get("description"))
    return _described("picture", names.stable(media["url"]), item.get("description"), names)


def _file(attachment: AttachedFile, place: Place, names: Names, description: str | None = None) -> str:
    kind = "picture" if (attachment.content_type or "").startswith("image/") else "file"
    return _described(kind, place(attachment), description or attachment.description, names)


def _described(kind: str, name: str, description: str | None, names: Names) -> str:
    if description:
        return f"({kind} {name}: {names.plain(description)})"
    return f"({kind} {name})"


def _last(url: str) -> str:
    return url.partition("?")[0].rstrip("/").rpartition("/")[2]
