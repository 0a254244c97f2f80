"""Discord's checks of a message's components: rows, buttons, selects, and the second version's layout.

Owns which component may stand where, their texts, and the sums over a whole message.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

from bot.local.refusals import Problems
from bot.local.seen import Json, walk

ROW, BUTTON, STRING_SELECT, TEXT_INPUT, USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT = range(
    1, 9
)
SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR = range(9, 15)
CONTAINER, LABEL, FILE_UPLOAD, RADIO, CHECK_GROUP, CHECK = 17, 18, 19, 21, 22, 23
SELECTS = {STRING_SELECT, USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT}

_TOP_V2 = {ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR, CONTAINER}
_IN_CONTAINER = _TOP_V2 - {CONTAINER}
_LINK, _PREMIUM = 5, 6
MAX_ROWS, MAX_COMPONENTS, MAX_TEXT = 5, 40, 4000

Path = tuple[str | int, ...]


def check_components(
    problems: Problems,
    components: object,
    *,
    v2: bool,
    file_names: Sequence[str] = (),
    path: Path = ("components",),
) -> None:
    """Note what is wrong with a message's components; `v2` tells whether the message has the flag."""
    if not components:
        return
    if not isinstance(components, list | tuple):
        problems.add(path, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
        return
    limit = MAX_COMPONENTS if v2 else MAX_ROWS
    problems.length(path, components, 1, limit)
    for index, node in enumerate(components):
        _component(problems, node, _TOP_V2 if v2 else {ROW}, (*path, index), file_names)
    check_ids(problems, components, path)
    if v2:
        everything = list(walk(components))
        if len(everything) > MAX_COMPONENTS:
            problems.add(
                path, "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", "The maximum number of components is 40"
            )
        if (
            sum(len(str(node.get("content", ""))) for node in everything if node.get("type") == TEXT)
            > MAX_TEXT
        ):
            problems.add(
                path, "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", "The maximum displayable text size is 4000"
            )


def check_ids(problems: Problems, components: object, path: Path) -> None:
    """Note a custom_id or a number id that occurs twice."""
    for key, code, text in (
        ("custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated"),
        ("id", "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated"),
    ):
        ids_found: set[object] = set()
        for part in walk(components):
            value = part.get(key)
            if value in (None, 0):
                continue
            if value in ids_found:
                problems.add(path, code, text)
            ids_found.add(value)


def _component(
    problems: Problems, component: object, allowed: set[int], path: Path, file_names: Sequence[str]
) -> None:
    if not isinstance(component, dict):
        problems.add(path, "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")
        return
    kind = component.get("type")
    if kind not in allowed:
        values = ", ".join(map(str, sorted(allowed)))
        problems.wrong(
            (*path, "type"), f'Value of field "type" must be one of ({values}).', "UNION_TYPE_CHOICES"
        )
        return
    number = component.get("id")
    if number is not None and not (isinstance(number, int) and 0 <= number < 2**31):
        problems.add((*path, "id"), "NUMBER_TYPE_COERCE", "Value is not int32.")
    if kind == CONTAINER:
        _container(problems, component, path, file_names)
    elif kind == SECTION:
        _section(problems, component, path, file_names)
    else:
        _SIMPLE[kind](problems, component, path, file_names)


def _container(problems: Problems, component: Json, path: Path, file_names: Sequence[str]) -> None:
    colour = component.get("accent_color")
    if colour is not None and not (isinstance(colour, int) and 0 <= colour <= 0xFFFFFF):
        problems.add(
            (*path, "accent_color"), "NUMBER_TYPE_MAX", "int value should be less than or equal to 16777215."
        )
    inner = component.get("components")
    if problems.length((*path, "components"), inner, 1, MAX_COMPONENTS) and isinstance(inner, list):
        for index, child in enumerate(inner):
            _component(problems, child, _IN_CONTAINER, (*path, "components", index), file_names)


def _section(problems: Problems, component: Json, path: Path, file_names: Sequence[str]) -> None:
    texts = component.get("components")
    if problems.length((*path, "components"), texts, 1, 3) and isinstance(texts, list):
        for index, text in enumerate(texts):
            _component(problems, text, {TEXT}, (*path, "components", index), file_names)
    _component(problems, component.get("accessory"), {BUTTON, THUMBNAIL}, (*path, "accessory"), file_names)


def _row(problems: Problems, component: Json, path: Path, file_names: Sequence[str]) -> None:
    inner = component.get("components")
    inner_path = (*path, "components")
    if not problems.length(inner_path, inner, 1, 5) or not isinstance(inner, list):
        return
    for index, child in enumerate(inner):
        _component(problems, child, SELECTS | {BUTTON}, (*inner_path, index), file_names)
    kinds = [child.get("type") for child in inner if isinstance(child, dict)]
    if len(kinds) > 1 and SELECTS.intersection(kinds):
        problems.add(
            inner_path, "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "The specified component exceeds the maximum width"
        )


def _button(problems: Problems, component: Json, path: Path, _: Sequence[str]) -> None:
    style = component.get("style")
    if style not in range(1, 7):
        problems.wrong((*path, "style"), "Value must be one of {1, 2, 3, 4, 5, 6}.")
        return
    label, url, custom_id = component.get("label"), component.get("url"), component.get("custom_id")
    if label is not None:
        problems.length((*path, "label"), label, 0, 80)
    if not label and not component.get("emoji") and style != _PREMIUM:
        problems.add(path, "BUTTON_COMPONENT_MISSING_LABEL", "A button must have a label or an emoji")
    if style == _LINK:
        if custom_id is not None:
            problems.add(
                path,
                "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
                "A custom id and url cannot both be specified",
            )
        if not url:
            problems.add((*path, "url"), "BASE_TYPE_REQUIRED", "A url is required")
        elif urlsplit(str(url)).scheme not in ("http", "https", "discord") or len(str(url)) > 512:
            problems.add((*path, "url"), "URL_TYPE_INVALID_URL", "Not a well formed URL.")
    elif style == _PREMIUM:
        if component.get("sku_id") is None:
            problems.add((*path, "sku_id"), "BASE_TYPE_REQUIRED", "A sku id is required")
    else:
        if url is not None:
            problems.add(
                (*path, "url"), "BUTTON_COMPONENT_INVALID_URL", "A url is only allowed on a link button"
            )
        custom_id_of(problems, component, path)


def custom_id_of(problems: Problems, component: Json, path: Path) -> None:
    """Note a custom_id that is missing, empty, or over 100 characters."""
    custom_id = component.get("custom_id")
    if not isinstance(custom_id, str) or not custom_id:
        problems.add((*path, "custom_id"), "BASE_TYPE_REQUIRED", "A custom id is required")
    else:
        problems.length((*path, "custom_id"), custom_id, 1, 100)


def check_select(problems: Problems, component: Json, path: Path, _: Sequence[str] = ()) -> None:
    """Note what is wrong with a select menu, in a message or in a modal."""
    custom_id_of(problems, component, path)
    if component.get("placeholder") is not None:
        problems.length((*path, "placeholder"), component["placeholder"], 0, 150)
    if component.get("type") == STRING_SELECT:
        check_options(problems, component, path, 1, 25)
    else:
        check_range(problems, component, path, 25, 25)


def check_options(problems: Problems, component: Json, path: Path, low: int, high: int) -> None:
    """Note what is wrong with the options of a select, radio group or check box group."""
    options = component.get("options")
    inner_path = (*path, "options")
    if not problems.length(inner_path, options, low, high) or not isinstance(options, list):
        return
    values = [option.get("value") for option in options]
    for index, option in enumerate(options):
        problems.length((*inner_path, index, "label"), option.get("label"), 1, 100)
        problems.length((*inner_path, index, "value"), option.get("value"), 1, 100)
        if option.get("description") is not None:
            problems.length((*inner_path, index, "description"), option["description"], 0, 100)
        if option.get("value") in values[:index]:
            problems.add(
                (*inner_path, index, "value"),
                "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
                "The specified option value is already used",
            )
    default_count = sum(1 for option in options if option.get("default"))
    limit = check_range(problems, component, path, len(options), high)
    if default_count > limit:
        problems.add(
            inner_path, "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", "Too many options are selected by default"
        )


def check_range(problems: Problems, component: Json, path: Path, count: int, least: int) -> int:
    """Note min_values outside 0..least, max_values outside 1..most, or crossed; return the max_values."""
    low, high = component.get("min_values", 1), component.get("max_values", 1)
    low, high = 1 if low is None else low, 1 if high is None else high
    if not 0 <= low <= least:
        problems.add((*path, "min_values"), "NUMBER_TYPE_MAX", f"int value should be between 0 and {least}.")
    if not 1 <= high <= count:
        problems.add((*path, "max_values"), "NUMBER_TYPE_MAX", f"int value should be between 1 and {count}.")
    if low > high:
        problems.add(
            (*path, "min_values"), "SELECT_COMPONENT_MIN_OVER_MAX", "min_values must not exceed max_values"
        )
    return int(high)


def check_text(problems: Problems, component: Json, path: Path, _: Sequence[str] = ()) -> None:
    """Note a text display that is empty or over 4000 characters."""
    problems.length((*path, "content"), component.get("content"), 1, MAX_TEXT)


def _media(
    problems: Problems, media: object, path: Path, file_names: Sequence[str], *, attached: bool = False
) -> None:
    url = str(media.get("url", "")) if isinstance(media, dict) else ""
    scheme, _, name = url.partition("://")
    if scheme == "attachment":
        if name not in file_names:
            problems.add(
                (*path, "url"),
                "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
                "The attachment was not found",
            )
    elif attached or scheme not in ("http", "https"):
        problems.add((*path, "url"), "URL_TYPE_INVALID_SCHEME", f'Scheme "{scheme}" is not supported.')


def _thumbnail(problems: Problems, component: Json, path: Path, file_names: Sequence[str]) -> None:
    _media(problems, component.get("media"), (*path, "media"), file_names)


def _gallery(problems: Problems, component: Json, path: Path, file_names: Sequence[str]) -> None:
    items = component.get("items")
    if problems.length((*path, "items"), items, 1, 10) and isinstance(items, list):
        for index, item in enumerate(items):
            _media(problems, item.get("media"), (*path, "items", index, "media"), file_names)


def _file(problems: Problems, component: Json, path: Path, file_names: Sequence[str]) -> None:
    is_stored = isinstance(component.get("file"), dict) and "proxy_url" in component["file"]
    _media(problems, component.get("file"), (*path, "file"), file_names, attached=not is_stored)


def _separator(problems: Problems, component: Json, path: Path, _: Sequence[str]) -> None:
    if component.get("spacing") not in (None, 1, 2):
        problems.wrong((*path, "spacing"), "Value must be one of {1, 2}.")


_SIMPLE: dict[int, Callable[[Problems, Json, Path, Sequence[str]], None]] = {
    ROW: _row,
    BUTTON: _button,
    **dict.fromkeys(SELECTS, check_select),
    TEXT: check_text,
    THUMBNAIL: _thumbnail,
    GALLERY: _gallery,
    FILE: _file,
    SEPARATOR: _separator,
}
