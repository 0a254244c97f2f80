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
    given = answer.get("type")
    if given is None:
        problems.add(("type",), "BASE_TYPE_REQUIRED", "This field is required")
        problems.raise_if_any()
    allowed = {CHOICES} if kind == AUTOCOMPLETE else {MESSAGE, DEFER}
    if kind != AUTOCOMPLETE and has_source:
        allowed |= {DEFER_UPDATE, UPDATE}
    if kind in (COMMAND, COMPONENT):
        allowed.add(MODAL)
    if given not in allowed or isinstance(given, bool):
        values = ", ".join(map(str, sorted(allowed)))
        problems.wrong(("type",), f"Value must be one of {{{values}}}.")
    if given in (MESSAGE, UPDATE, CHOICES, MODAL) and not isinstance(answer.get("data"), dict):
        problems.add(("data",), "BASE_TYPE_REQUIRED", "This field is required")
    problems.raise_if_any()
    assert isinstance(given, int)
    return given


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
    where: Path = ("data", "choices")
    if not isinstance(choices, list):
        problems.add(where, "BASE_TYPE_REQUIRED", "This field is required")
        choices = []
    problems.length(where, choices, 0, 25)
    for index, each in enumerate(choices):
        check_choice(problems, each, option_type, (*where, index))
    problems.raise_if_any()


def check_choice(problems: Problems, choice: Json, option_type: int, at: Path) -> None:
    """Note what is wrong with one choice of a text, whole number or number option."""
    problems.length((*at, "name"), choice.get("name"), 1, 100)
    value = choice.get("value")
    if option_type == 3:
        if not isinstance(value, str):
            problems.add((*at, "value"), "STRING_TYPE_CONVERT", "Could not interpret value as string.")
        else:
            problems.length((*at, "value"), value, 1, 100)
    elif isinstance(value, bool) or not isinstance(value, int if option_type == 4 else int | float):
        problems.add((*at, "value"), "NUMBER_TYPE_COERCE", "Value is not a number.")
    elif abs(value) > 2**53:
        problems.add((*at, "value"), "NUMBER_TYPE_MAX", "The number is out of range.")


def check_modal(data: Json) -> None:
    """Refuse a form with a wrong title, id, or inputs."""
    problems = Problems()
    problems.length(("data", "title"), data.get("title"), 1, 45)
    custom_id_of(problems, data, ("data",))
    components = data.get("components")
    where: Path = ("data", "components")
    if problems.length(where, components, 1, 5) and isinstance(components, list):
        for index, each in enumerate(components):
            _part(problems, each, (*where, index))
        check_ids(problems, components, where)
    problems.raise_if_any()


def _part(problems: Problems, it: Json, at: Path) -> None:
    kind = it.get("type")
    if kind == ROW:
        inputs = it.get("components")
        if problems.length((*at, "components"), inputs, 1, 1) and isinstance(inputs, list):
            if inputs[0].get("type") != TEXT_INPUT:
                problems.wrong(
                    (*at, "components", 0, "type"), "Value must be one of (4,).", "UNION_TYPE_CHOICES"
                )
            else:
                problems.length((*at, "components", 0, "label"), inputs[0].get("label"), 1, 45)
                _input(problems, inputs[0], (*at, "components", 0))
    elif kind == LABEL:
        problems.length((*at, "label"), it.get("label"), 1, 45)
        if it.get("description") is not None:
            problems.length((*at, "description"), it["description"], 1, 100)
        inner = it.get("component")
        if not isinstance(inner, dict) or inner.get("type") not in _INSIDE_LABEL:
            problems.wrong(
                (*at, "component", "type"), "This component cannot be in a label", "UNION_TYPE_CHOICES"
            )
        else:
            _input(problems, inner, (*at, "component"))
    elif kind == TEXT:
        check_text(problems, it, at)
    else:
        problems.wrong(
            (*at, "type"), 'Value of field "type" must be one of (1, 10, 18).', "UNION_TYPE_CHOICES"
        )


def _input(problems: Problems, it: Json, at: Path) -> None:
    kind = it["type"]
    if kind in SELECTS:
        check_select(problems, it, at)
        return
    custom_id_of(problems, it, at)
    if kind == TEXT_INPUT:
        _text_input(problems, it, at)
    elif kind == RADIO:
        check_options(problems, it, at, 2, 10)
    elif kind == CHECK_GROUP:
        check_options(problems, it, at, 1, 10)
    elif kind == FILE_UPLOAD:
        check_range(problems, it, at, 10, 10)


def _text_input(problems: Problems, it: Json, at: Path) -> None:
    if it.get("style") not in (1, 2):
        problems.wrong((*at, "style"), "Value must be one of {1, 2}.")
    low, high = it.get("min_length") or 0, it.get("max_length")
    if not 0 <= low <= 4000:
        problems.add((*at, "min_length"), "NUMBER_TYPE_MAX", "int value should be between 0 and 4000.")
    if high is not None and not 1 <= high <= 4000:
        problems.add((*at, "max_length"), "NUMBER_TYPE_MAX", "int value should be between 1 and 4000.")
    if high is not None and low > high:
        problems.add((*at, "min_length"), "TEXT_INPUT_MIN_OVER_MAX", "min_length must not exceed max_length")
    if it.get("placeholder") is not None:
        problems.length((*at, "placeholder"), it["placeholder"], 0, 100)
    if it.get("value") is not None:
        problems.length((*at, "value"), it["value"], 0, min(high or 4000, 4000))
