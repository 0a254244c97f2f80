"""From a filled-in form or a choice in a menu to an interaction's data, as Discord's client would send it.

Owns which values each input takes and how many. Knows only the form or the menu that the bot sent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.local.checks.components import (
    CHANNEL_SELECT,
    CHECK,
    CHECK_GROUP,
    FILE_UPLOAD,
    LABEL,
    MENTIONABLE_SELECT,
    RADIO,
    ROLE_SELECT,
    ROW,
    STRING_SELECT,
    TEXT_INPUT,
    USER_SELECT,
)
from bot.local.commands import ClientRefusal
from bot.local.filling import Filler
from bot.local.seen import Json, MessageControl, Modal, ModalField, SelectOption


def chosen(filler: Filler, control: MessageControl | ModalField, values: Sequence[Any]) -> list[str]:
    """Return the values sent for a select: option values for a text select, ids for the others."""
    _must_be_as_many(control, values)
    if control.type in (STRING_SELECT, CHECK_GROUP):
        return [_option(control.options, value) for value in values]
    refer = {
        USER_SELECT: filler.add_user,
        ROLE_SELECT: filler.add_role,
        MENTIONABLE_SELECT: filler.add_mentionable,
        CHANNEL_SELECT: filler.add_channel,
    }[control.type]
    return [refer(value) for value in values]


def _must_be_as_many(control: MessageControl | ModalField, values: Sequence[Any]) -> None:
    low, high = control.min_values, control.max_values
    if not low <= len(values) <= high:
        range_text = str(low) if low == high else f"{low} to {high}"
        raise ClientRefusal(f"Choose {range_text} of the options here (you chose {len(values)}).")


def must_fit(field: ModalField, value: Any) -> None:
    """Raise ClientRefusal for what a field of a form does not take, as far as the field alone tells."""
    if field.type == TEXT_INPUT:
        _text(field, str(value))
    elif field.type in (STRING_SELECT, CHECK_GROUP, RADIO):
        values = _several(field, value)
        if field.type != RADIO:
            _must_be_as_many(field, values)
        for item in values:
            _option(field.options, item)


def _option(options: Sequence[SelectOption], value: Any) -> str:
    for option in options:
        if value == option.value:
            return option.value
    for option in options:
        if str(value).casefold() == option.label.casefold():
            return option.value
    labels = ", ".join(option.label for option in options)
    raise ClientRefusal(f"Choose one of these: {labels}. “{value}” is not in this menu.")


def submitted(filler: Filler, modal: Modal, given: Mapping[str, Any]) -> Json:
    """Return the data of a submitted form; the keys of `given` are custom ids or labels."""
    fields = {field.custom_id: field for field in modal.fields}
    values: dict[str, Any] = {}
    for name, value in given.items():
        values[_field_named(fields, name).custom_id] = value
    components = [_top(filler, component, fields, values) for component in modal.components]
    data: Json = {"custom_id": modal.custom_id, "components": components}
    if filler.resolved:
        data["resolved"] = filler.resolved
    return data


def _field_named(fields: Mapping[str, ModalField], name: str) -> ModalField:
    if name in fields:
        return fields[name]
    for field in fields.values():
        if field.label.casefold() == name.casefold():
            return field
    labels = ", ".join(f"“{value.label or value.custom_id}”" for value in fields.values())
    has = f"Its only field is {labels}." if len(fields) == 1 else f"Its fields are {labels}."
    raise ClientRefusal(f"This form has no field “{name}”. {has}")


def _top(
    filler: Filler, component: Json, fields: Mapping[str, ModalField], values: Mapping[str, Any]
) -> Json:
    answer: Json = {"type": component["type"], "id": component["id"]}
    if component["type"] == ROW:
        answer["components"] = [_input(filler, child, fields, values) for child in component["components"]]
    elif component["type"] == LABEL:
        answer["component"] = _input(filler, component["component"], fields, values)
    return answer


def _input(
    filler: Filler, component: Json, fields: Mapping[str, ModalField], values: Mapping[str, Any]
) -> Json:
    field = fields[component["custom_id"]]
    answer: Json = {"type": field.type, "id": component["id"], "custom_id": field.custom_id}
    value = values.get(field.custom_id)
    if field.type == TEXT_INPUT:
        answer["value"] = _text(field, field.value if value is None else str(value))
    elif field.type == CHECK:
        answer["value"] = bool(component.get("default", False) if value is None else value)
    elif field.type == RADIO:
        items = _several(field, value)
        answer["value"] = _option(field.options, items[0]) if items else None
    elif field.type == FILE_UPLOAD:
        files = _several(field, value)
        _check_count(field, len(files))
        answer["values"] = [str(filler.file(file).id) for file in files]
    else:
        several = _several(field, value)
        answer["values"] = chosen(filler, field, several) if several or field.required else []
    return answer


def _text(field: ModalField, value: str) -> str:
    name = field.label or field.custom_id
    if not value and field.required:
        raise ClientRefusal(f"Fill in “{name}”.")
    if value and not field.min_length <= len(value) <= field.max_length:
        raise ClientRefusal(
            f"“{name}” must have {field.min_length} to {field.max_length} characters (it has {len(value)})."
        )
    return value


def _several(field: ModalField, value: Any) -> list[Any]:
    if value is None:
        value = [option.value for option in field.options if option.default]
    values = list(value) if isinstance(value, list | tuple) else [value]
    if not values and field.required and field.type in (RADIO, FILE_UPLOAD):
        raise ClientRefusal(f"Fill in “{field.label or field.custom_id}”.")
    return values


def _check_count(field: ModalField, count: int) -> None:
    if count > field.max_values or (count < field.min_values and (count or field.required)):
        wanted = "1 file" if field.max_values == 1 else f"{field.min_values} to {field.max_values} files"
        raise ClientRefusal(f"Choose {wanted} for “{field.label}”.")
