"""A form that the bot opened, as HTML, and what comes back of it.

Knows only the fields that the form declares.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from aiohttp.web import FileField

from bot.local.seen import Modal, ModalField, User
from bot.page.attach import BOUNDS, read_upload
from bot.page.frame import drawn
from bot.page.messages import MenuChoice
from bot.page.scene import Scene, board_name
from bot.page.words import Named, TextBlock, blocks

MAX_CHIPS = 25
"""Choices that are seen at once; more of them are a list that opens."""

TEXT, MENU, PEOPLE, FILE, RADIO, CHECKS, CHECK = 4, 3, (5, 7), 19, 21, 22, 23


class Posted(Protocol):
    """The values of a posted form, by name."""

    def getall(self, key: str, default: list[Any]) -> list[Any]:
        """Return every value of that name."""
        ...


@dataclass(frozen=True, slots=True)
class FormField:
    """One field of a form as the page shows it. kind: words, text, file, select, chips, radio, checkbox or tick.

    nothing: what is done if nothing is chosen. pointed: how it is pointed out on the board, see `Look`.
    """

    kind: str
    name: str = ""
    label: str = ""
    key: str = ""
    note: str = ""
    required: bool = False
    long: bool = False
    longest: int = 0
    value: str = ""
    hint: str = ""
    nothing: str = "nothing"
    choices: tuple[MenuChoice, ...] = ()
    blocks: tuple[TextBlock, ...] = ()
    pointed: str = ""


def form(modal: Modal, token: str, people: Iterable[User], named: Named, scene: Scene) -> str:
    """Return the form as HTML; `token` is the reader's own. scene: the game, whose models are shown as they
    are now.
    """
    standing = scene.standing
    form_fields = [
        replace(field, pointed=scene.look.pointed(modal.custom_id, field.name.removeprefix("f:")))
        for field in _fields_of_modal(modal, tuple(people), named)
    ]
    models = (
        {model.name: (side, model) for side in standing.sides for model in side.models} if standing else {}
    )
    return drawn(
        "form",
        title=modal.title,
        picture=board_name(standing) if standing else "",
        standing=standing,
        token=token,
        opened=modal.interaction_id,
        fields=form_fields,
        models=models,
        sides_of={
            side.number: {model.name for model in side.models}
            for side in (standing.sides if standing else ())
        },
    )


def _fields_of_modal(modal: Modal, people: Sequence[User], named: Named) -> Iterator[FormField]:
    by_id = {field.custom_id: field for field in modal.fields}
    for number, top in enumerate(modal.components):
        if top.get("type") == 10:
            yield FormField("words", blocks=tuple(blocks(top["content"], named)))
        for inner in top.get("components") or [top.get("component")]:
            if inner and inner.get("custom_id") in by_id:
                yield _field(by_id[inner["custom_id"]], bool(inner.get("default")), people, f"f{number}")


def _field(field: ModalField, ticked: bool, people: Sequence[User], key: str) -> FormField:
    choices = [
        MenuChoice(option.label, option.value, option.description, option.default) for option in field.options
    ]
    kind = "radio" if field.type == RADIO else "checkbox"
    if field.type in (TEXT, FILE):
        kind = "text" if field.type == TEXT else "file"
    elif field.type in PEOPLE or (field.type == MENU and field.max_values == 1):
        kind = "chips" if 0 < len(choices) <= MAX_CHIPS else "select"
    elif field.type == CHECK:
        kind = "tick"
    if field.type in PEOPLE:
        kind = "select"
        choices = [MenuChoice(person.display_name, str(person.id)) for person in people]
    return FormField(
        kind,
        f"f:{field.custom_id}",
        field.label or field.custom_id,
        key,
        field.description or (BOUNDS if kind == "file" else ""),
        field.required or field.type in PEOPLE,
        field.long,
        field.max_length,
        "1" if ticked else field.value,
        field.placeholder,
        _without(f"{field.label} {field.description or ''}"),
        tuple(choices),
    )


def _without(note: str) -> str:
    """Return what happens without a choice, if the field's label or its note explains it."""
    named_blank = re.search(r"(?:\bblank for|\bdefault:) ([^);]+)", note)
    return named_blank[1] if named_blank else "nothing"


def values(modal: Modal, posted: Posted) -> dict[str, Any]:
    """Return what was filled in, by field."""
    values_found: dict[str, Any] = {}
    for field in modal.fields:
        posted_here = posted.getall(f"f:{field.custom_id}", [])
        posted_values = [value for value in posted_here if isinstance(value, str)]
        if field.type == TEXT:
            values_found[field.custom_id] = posted_values[0].replace("\r\n", "\n") if posted_values else ""
        elif field.type == CHECK:
            values_found[field.custom_id] = bool(posted_values)
        elif field.type == FILE:
            files = (value for value in posted_here if isinstance(value, FileField) and value.filename)
            values_found[field.custom_id] = [read_upload(file) for file in files]
        else:
            values_found[field.custom_id] = [value for value in posted_values if value]
    return values_found
