"""A reply as one JSON object, for machines that replay a game and compare.

Owns the shape that docs/script-language.md promises: everything a person could notice, nothing that changes
from one run to the next.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.local.render import NO_ANSWER
from bot.local.seen import AttachedFile, Event, Message, MessageControl, ModalField
from bot.local.words import Names

_EMBED_TEXTS = ("title", "description", "url")


def reply(event: Event, names: Names) -> dict[str, Any]:
    """Return an event: its kind, its place and reader, and the message, form or failure that came."""
    message = event.message or event.before
    record: dict[str, Any] = {
        "kind": str(event.kind),
        "channel": names.channel(event.channel_id),
        "seen_by": "everyone" if event.only_for is None else names.user(event.only_for),
    }
    if message is not None:
        record |= _message(message, names)
    elif event.modal is not None:
        fields = [_field(field, names) for field in event.modal.fields]
        record["form"] = {
            "title": names.stable(event.modal.title),
            "id": names.stable_id(event.modal.custom_id),
            "fields": fields,
        }
    else:
        record["text"] = NO_ANSWER
    return record


def _message(message: Message, names: Names) -> dict[str, Any]:
    return {
        "message": names.stable(str(message.id)),
        "text": names.stable("\n".join(message.texts)),
        "embeds": [_embed(embed, names) for embed in message.embeds],
        "buttons": [_button(control, names) for control in message.controls if control.is_button],
        "menus": [_menu(control, names) for control in message.controls if not control.is_button],
        "files": [_file(file, names) for file in message.attachments],
        "mentions": [names.user(ping) for ping in message.pings],
    }


def _embed(embed: Mapping[str, Any], names: Names) -> dict[str, Any]:
    record: dict[str, Any] = {key: names.stable(embed[key]) for key in _EMBED_TEXTS if embed.get(key)}
    for key, inner in (("author", "name"), ("footer", "text"), ("image", "url"), ("thumbnail", "url")):
        if embed.get(key):
            record[key] = names.stable(embed[key][inner])
    if embed.get("fields"):
        record["fields"] = [
            {key: names.stable(field[key]) for key in ("name", "value")} for field in embed["fields"]
        ]
    if embed.get("color") is not None:
        record["color"] = embed["color"]
    return record


def _button(button: MessageControl, names: Names) -> dict[str, Any]:
    label = " ".join(part for part in (button.emoji, button.label) if part)
    target = {"url": button.url} if button.url else {"id": names.stable_id(button.custom_id or "")}
    return {"label": label, **target, "disabled": button.disabled}


def _menu(menu: MessageControl, names: Names) -> dict[str, Any]:
    return {
        "label": menu.placeholder,
        "id": names.stable_id(menu.custom_id or ""),
        "disabled": menu.disabled,
        "min": menu.min_values,
        "max": menu.max_values,
        "options": [
            {"label": names.stable(option.label), "value": names.stable_id(option.value)}
            for option in menu.options
        ],
    }


def _file(file: AttachedFile, names: Names) -> dict[str, Any]:
    return {"name": file.filename, "size": len(file.data), "alt": names.stable(file.description or "")}


def _field(field: ModalField, names: Names) -> dict[str, Any]:
    return {
        "label": names.stable(field.label),
        "id": names.stable_id(field.custom_id),
        "required": field.required,
        "value": names.stable(field.value),
    }
