"""Asks which model was meant where a name means several: a button for each asks the same of that one."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from typing import Any

from bot.actions import Action
from bot.replies.reply import Button, Reply, say
from bot.table.names import Unclear

_PARTS = re.compile(r"([,;>])")
"""Between the names of a list."""


def which(unclear: Unclear, action: Action) -> Reply:
    """The question, to who asked; without buttons where the name stands in none of the action's fields."""
    buttons = []
    for label, number in unclear.choices:
        asked = _named(action, unclear, f"#{number}")
        if asked is not None:
            buttons.append(Button(label, asked, anytime=True))
    return say(unclear.sentence, private=True, buttons=buttons)


def _named(action: Action, unclear: Unclear, number: str) -> Action | None:
    """The action with the number in place of the name; None where no field holds it."""
    texts = {part.name: getattr(action, part.name) for part in fields(action)}
    holding = [name for name, value in texts.items() if _with(value, unclear.text, number) != value]
    if not holding:
        return None
    name = holding[0] if unclear.first else holding[-1]
    changed: dict[str, Any] = {name: _with(texts[name], unclear.text, number)}
    return replace(action, **changed)


def _with(value: object, text: str, number: str) -> object:
    """A field with the number in place of the name, the first time that it stands there."""
    if isinstance(value, tuple):
        place = next((at for at, one in enumerate(value) if _same(one, text)), None)
        return value if place is None else (*value[:place], number, *value[place + 1 :])
    if not isinstance(value, str):
        return value
    parts = _PARTS.split(value)
    place = next((at for at, part in enumerate(parts) if _same(part, text)), None)
    if place is None:
        return value
    return "".join((*parts[:place], number, *parts[place + 1 :]))


def _same(one: object, text: str) -> bool:
    return isinstance(one, str) and " ".join(one.split()).casefold() == " ".join(text.split()).casefold()
