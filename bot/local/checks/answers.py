"""Discord's checks of the answers that are not messages: modals and autocomplete suggestions.

Owns which callback types fit which interaction.
"""

from __future__ import annotations

from bot.local.checks.components import (
    CHECK,
    CHECK_GROUP,
    FILE_UPLOAD,
    LABEL,
    RADIO,
    ROW,
    SELECTS,
    TEXT,
    TEXT_INPUT,
    check_ids,
    check_options,
    check_range,
    check_select,
    check_text,
    custom_id_of,
)
from bot.local.refusals import Problems
from bot.local.seen import EPHEMERAL, Json

COMMAND, COMPONENT, AUTOCOMPLETE, SUBMIT = 2, 3, 4, 5
MESSAGE, DEFER, DEFER_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9

_INSIDE_LABEL = SELECTS | {TEXT_INPUT, FILE_UPLOAD, RADIO, CHECK_GROUP, CHECK}
Path = tuple[str | int, ...]


def check_type(answer: Json, kind: int, *, has_source: bool) -> int:
    """Return the callback type of `answer`; refused where it does not fit an interaction of this `kind`.

    `has_source` tells whether the interaction came from a message (a press, or a form opened by a press).
    """
    problems = Problems()
    answer_type = answer.get("type")
    if answer_type is None:
        problems.add(("type",), "BASE_TYPE_REQUIRED", "This field is required")
        problems.raise_if_any()
    allowed = {CHOICES} if kind == AUTOCOMPLETE else {MESSAGE, DEFER}
    if kind != AUTOCOMPLETE and has_source:
        allowed |= {DEFER_UPDATE, UPDATE}
    if kind in (COMMAND, COMPONENT):
        allowed.add(MODAL)
    if answer_type not in allowed or isinstance(answer_type, bool):
        values = ", ".join(map(str, sorted(allowed)))
        problems.wrong(("type",), f"Value must be one of {{{values}}}.")
    if answer_type in (MESSAGE, UPDATE, CHOICES, MODAL) and not isinstance(answer.get("data"), dict):
        problems.add(("data",), "BASE_TYPE_REQUIRED", "This field is required")
    problems.raise_if_any()
    assert isinstance(answer_type, int)
    return answer_type


def check_deferral(data: Json) -> None:
    """Refuse a deferral with any flag but EPHEMERAL."""
    problems = Problems()
    if (data.get("flags") or 0) & ~EPHEMERAL:
        problems.wrong(("data", "flags"), "Only EPHEMERAL may be set on a deferral", "MESSAGE_FLAGS_INVALID")
    problems.raise_if_any()


def check_choices(data: Json, option_type: int) -> None:
    """Refuse suggestions that are too many, too long, unnamed, or not of the option's type (3, 4 or 10)."""
    problems = Problems()
    choices = data.get("choices")
    inner_path: Path = ("data", "choices")
    if not isinstance(choices, list):
        problems.add(inner_path, "BASE_TYPE_REQUIRED", "This field is required")
        choices = []
    problems.length(inner_path, choices, 0, 25)
    for index, choice in enumerate(choices):
        check_choice(problems, choice, option_type, (*inner_path, index))
    problems.raise_if_any()


def check_choice(problems: Problems, choice: Json, option_type: int, path: Path) -> None:
    """Note what is wrong with one choice of a text, whole number or number option."""
    problems.length((*path, "name"), choice.get("name"), 1, 100)
    value = choice.get("value")
    if option_type == 3:
        if not isinstance(value, str):
            problems.add((*path, "value"), "STRING_TYPE_CONVERT", "Could not interpret value as string.")
        else:
            problems.length((*path, "value"), value, 1, 100)
    elif isinstance(value, bool) or not isinstance(value, int if option_type == 4 else int | float):
        problems.add((*path, "value"), "NUMBER_TYPE_COERCE", "Value is not a number.")
    elif abs(value) > 2**53:
        problems.add((*path, "value"), "NUMBER_TYPE_MAX", "The number is out of range.")


def check_modal(data: Json) -> None:
    """Refuse a form with a wrong title, id, or inputs."""
    problems = Problems()
    problems.length(("data", "title"), data.get("title"), 1, 45)
    custom_id_of(problems, data, ("data",))
    components = data.get("components")
    inner_path: Path = ("data", "components")
    if problems.length(inner_path, components, 1, 5) and isinstance(components, list):
        for index, component in enumerate(components):
            _part(problems, component, (*inner_path, index))
        check_ids(problems, components, inner_path)
    problems.raise_if_any()


def _part(problems: Problems, component: Json, path: Path) -> None:
    kind = component.get("type")
    if kind == ROW:
        inputs = component.get("components")
        if problems.length((*path, "components"), inputs, 1, 1) and isinstance(inputs, list):
            if inputs[0].get("type") != TEXT_INPUT:
                problems.wrong(
                    (*path, "components", 0, "type"), "Value must be one of (4,).", "UNION_TYPE_CHOICES"
                )
            else:
                problems.length((*path, "components", 0, "label"), inputs[0].get("label"), 1, 45)
                _input(problems, inputs[0], (*path, "components", 0))
    elif kind == LABEL:
        problems.length((*path, "label"), component.get("label"), 1, 45)
        if component.get("description") is not None:
            problems.length((*path, "description"), component["description"], 1, 100)
        inner = component.get("component")
        if not isinstance(inner, dict) or inner.get("type") not in _INSIDE_LABEL:
            problems.wrong(
                (*path, "component", "type"), "This component cannot be in a label", "UNION_TYPE_CHOICES"
            )
        else:
            _input(problems, inner, (*path, "component"))
    elif kind == TEXT:
        check_text(problems, component, path)
    else:
        problems.wrong(
            (*path, "type"), 'Value of field "type" must be one of (1, 10, 18).', "UNION_TYPE_CHOICES"
        )


def _input(problems: Problems, component: Json, path: Path) -> None:
    kind = component["type"]
    if kind in SELECTS:
        check_select(problems, component, path)
        return
    custom_id_of(problems, component, path)
    if kind == TEXT_INPUT:
        _text_input(problems, component, path)
    elif kind == RADIO:
        check_options(problems, component, path, 2, 10)
    elif kind == CHECK_GROUP:
        check_options(problems, component, path, 1, 10)
    elif kind == FILE_UPLOAD:
        check_range(problems, component, path, 10, 10)


def _text_input(problems: Problems, component: Json, path: Path) -> None:
    if component.get("style") not in (1, 2):
        problems.wrong((*path, "style"), "Value must be one of {1, 2}.")
    low, high = component.get("min_length") or 0, component.get("max_length")
    if not 0 <= low <= 4000:
        problems.add((*path, "min_length"), "NUMBER_TYPE_MAX", "int value should be between 0 and 4000.")
    if high is not None and not 1 <= high <= 4000:
        problems.add((*path, "max_length"), "NUMBER_TYPE_MAX", "int value should be between 1 and 4000.")
    if high is not None and low > high:
        problems.add(
            (*path, "min_length"), "TEXT_INPUT_MIN_OVER_MAX", "min_length must not exceed max_length"
        )
    if component.get("placeholder") is not None:
        problems.length((*path, "placeholder"), component["placeholder"], 0, 100)
    if component.get("value") is not None:
        problems.length((*path, "value"), component["value"], 0, min(high or 4000, 4000))
