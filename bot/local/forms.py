"""A modal's inputs as they are typed: a short name for each field, and the text given for it.

Owns the step from typed text to the values of a form; whether they may be sent is decided where they are.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bot.local.commands import STRING, CommandOption
from bot.local.lines import Mistyped, number_in
from bot.local.people import Upload
from bot.local.seen import Modal, ModalField, SelectOption
from bot.local.typed import fill

_TEXT, _FILE, _CHECKBOX = 4, 19, 23
_YES = ("yes", "true", "on", "1")


def names_of(modal: Modal) -> dict[str, ModalField]:
    """Return the fields by the name that is typed for them: the label in small letters with hyphens.

    A label that makes no such name, or one that is taken, is named by its place: `field2`.
    """
    fields: dict[str, ModalField] = {}
    for place, field in enumerate(modal.fields, 1):
        name = re.sub(r"[\W_]+", "-", field.label.lower()).strip("-")[:32]
        if not re.match(r"[^\W\d]", name) or name in fields:
            name = f"field{place}"
        fields[name] = field
    return fields


def answers(modal: Modal, text: str) -> dict[str, Any]:
    """Return the values by custom_id that `name:value ...` gives; one field alone takes the whole text.

    Fields left out keep what they were filled with. Raises Mistyped for an unknown field and a missing one.
    """
    fields = names_of(modal)
    options = [
        CommandOption(name, field.label, STRING, required=field.required and not filled_in(field))
        for name, field in fields.items()
    ]
    filled = fill(text, options, "modal")
    return {fields[name].custom_id: value_of(fields[name], value) for name, value in filled.items()}


def value_of(field: ModalField, text: str) -> str | bool | list[str] | list[Upload]:
    """Return the typed text as the field's value: text, yes or no, files by path, or choices between
    commas.
    """
    if field.type == _TEXT:
        return text.replace("\\n", "\n") if field.long else text
    if field.type == _CHECKBOX:
        return text.lower() in _YES
    parts = [part.strip() for part in text.split(",") if part.strip()]
    return [upload(part) for part in parts] if field.type == _FILE else picked(parts, field.options)


def picked(parts: Iterable[str], options: Sequence[SelectOption]) -> list[str]:
    """Return the options meant: by place, counted from 1, else by label or value as typed.

    Parts that are one label or value with a comma in it, such as the square 3,4, are one option.
    """
    said = [word for option in options for word in (option.label, option.value)]
    labels = {word.casefold().replace(", ", ","): word for word in said}
    picked_labels = []
    for part in _with_commas(list(parts), labels):
        if part.isdecimal() and part.casefold() not in labels and options:
            place = number_in(part)
            if place is None or not 1 <= place <= len(options):
                raise Mistyped(f"Choose an option from 1 to {len(options)} (you entered {part}).")
            part = options[place - 1].value
        picked_labels.append(part)
    return picked_labels


def _with_commas(parts: list[str], labels: Mapping[str, str]) -> list[str]:
    """Return the parts, those joined that are one label: the most at once first.

    labels: as they are shown, by their small letters without a space after a comma.
    """
    joined = []
    while parts:
        piece_count = next(
            (n for n in range(len(parts), 1, -1) if ",".join(parts[:n]).casefold() in labels), 1
        )
        piece = ",".join(parts[:piece_count])
        joined.append(labels[piece.casefold()] if piece_count > 1 else piece)
        del parts[:piece_count]
    return joined


def upload(path: str) -> Upload:
    """Return the file at `path`; Mistyped where there is none."""
    try:
        return Upload(Path(path).name, Path(path).expanduser().read_bytes())
    except OSError as error:
        raise Mistyped(f"{path} can't be read: {error.strerror}.") from None


def filled_in(field: ModalField) -> bool:
    """Return whether a field already has a value, which is sent if nothing else is typed."""
    return bool(field.value) or any(option.default for option in field.options)
