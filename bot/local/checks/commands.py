"""Discord's checks of registered commands.

Owns names, descriptions, options, choices, their order and their sums, for a whole overwrite at once.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from bot.local.checks.answers import check_choice
from bot.local.refusals import Problems
from bot.local.seen import Json

SUB_COMMAND, GROUP, STRING, INTEGER, NUMBER, CHANNEL = 1, 2, 3, 4, 10, 7
_LIMITS = {1: 100, 2: 15, 3: 15}
_KINDS = {1: "slash", 2: "user", 3: "message"}
MAX_CHARACTERS = 8000

Path = tuple[str | int, ...]


def check_commands(commands: object) -> None:
    """Refuse a bulk overwrite: a list of command definitions."""
    problems = Problems()
    if not isinstance(commands, list):
        problems.add((), "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
        problems.raise_if_any()
        return
    names_seen: set[tuple[int, str]] = set()
    for index, command in enumerate(commands):
        if not isinstance(command, dict):
            problems.add((index,), "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")
            continue
        check_command(problems, command, (index,))
        key = (command.get("type") or 1, str(command.get("name")))
        if key in names_seen:
            problems.add(
                (index, "name"),
                "APPLICATION_COMMANDS_DUPLICATE_NAME",
                "Application command names must be unique",
            )
        names_seen.add(key)
    for kind, limit in _LIMITS.items():
        if sum(1 for other_kind, _ in names_seen if other_kind == kind) > limit:
            problems.add(
                (),
                "APPLICATION_COMMAND_TOO_MANY",
                f"Maximum number of {_KINDS[kind]} commands reached ({limit})",
            )
    problems.raise_if_any()


def check_command(problems: Problems, command: Json, path: Path) -> None:
    """Note what is wrong with one command definition."""
    kind = command.get("type") or 1
    if kind not in _LIMITS:
        problems.wrong((*path, "type"), "Value must be one of {1, 2, 3}.")
        return
    if kind != 1:
        problems.length((*path, "name"), command.get("name"), 1, 32)
        if command.get("description"):
            problems.wrong(
                (*path, "description"),
                "Context menu commands cannot have description",
                "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION",
            )
        return
    _name(problems, command.get("name"), (*path, "name"))
    problems.length((*path, "description"), command.get("description"), 1, 100)
    permissions = command.get("default_member_permissions")
    if permissions is not None and not str(permissions).isdigit():
        problems.add(
            (*path, "default_member_permissions"), "BITMASK_TYPE_INVALID", "Not a valid permission number."
        )
    _options(problems, command, (*path, "options"), depth=0)
    if sum(_characters(command)) > MAX_CHARACTERS:
        problems.add(path, "APPLICATION_COMMAND_TOO_LARGE", "Command exceeds maximum size (8000)")


def _name(problems: Problems, name: object, path: Path) -> None:
    if not problems.length(path, name, 1, 32):
        return
    assert isinstance(name, str)
    if not all(_fits(letter) for letter in name) or name != name.lower():
        problems.add(path, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")


def _fits(character: str) -> bool:
    if character in "-_'":
        return True
    if unicodedata.category(character)[0] in "LN":
        return True
    script = unicodedata.name(character, "").split(" ", 1)[0]
    return script in ("DEVANAGARI", "THAI") and unicodedata.category(character)[0] == "M"


def _options(problems: Problems, node: Json, path: Path, *, depth: int) -> None:
    options = node.get("options")
    if options is None:
        return
    if not isinstance(options, list) or not problems.length(path, options, 0, 25):
        return
    nested = [option.get("type") in (SUB_COMMAND, GROUP) for option in options]
    if any(nested) and not all(nested):
        problems.wrong(
            path, "Sub-commands and plain options cannot be mixed", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID"
        )
    names: set[object] = set()
    optional_seen = False
    for index, option in enumerate(options):
        inner_path = (*path, index)
        if option.get("name") in names:
            problems.add(
                (*inner_path, "name"),
                "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS",
                "Option names must be unique",
            )
        names.add(option.get("name"))
        if option.get("required") and optional_seen:
            problems.add(
                inner_path,
                "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                "Required options must be placed before non-required options",
            )
        optional_seen = optional_seen or not option.get("required")
        _option(problems, option, inner_path, depth=depth)


def _option(problems: Problems, option: Json, path: Path, *, depth: int) -> None:
    _name(problems, option.get("name"), (*path, "name"))
    problems.length((*path, "description"), option.get("description"), 1, 100)
    kind = option.get("type")
    allowed = {SUB_COMMAND, GROUP} if depth == 0 else {SUB_COMMAND} if depth == 1 else set()
    if isinstance(kind, bool) or kind not in allowed | set(range(3, 12)):
        problems.wrong((*path, "type"), "This option type is not allowed here")
        return
    if kind in (SUB_COMMAND, GROUP):
        if kind == GROUP and not option.get("options"):
            problems.add((*path, "options"), "BASE_TYPE_REQUIRED", "This field is required")
        _options(problems, option, (*path, "options"), depth=1 if kind == GROUP else 2)
        if kind == GROUP and any(child.get("type") != SUB_COMMAND for child in option.get("options") or []):
            problems.wrong(
                (*path, "options"),
                "A command group can only contain sub-commands",
                "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
            )
        return
    _choices(problems, option, kind, path)
    _bounds(problems, option, kind, path)


def _choices(problems: Problems, option: Json, kind: int, path: Path) -> None:
    choices = option.get("choices")
    if option.get("autocomplete"):
        if kind not in (STRING, INTEGER, NUMBER):
            problems.wrong(
                (*path, "autocomplete"),
                "This option type cannot have autocomplete",
                "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID",
            )
        if choices:
            problems.wrong(
                path,
                "Choices and autocomplete are mutually exclusive",
                "APPLICATION_COMMAND_AUTOCOMPLETE_WITH_CHOICES",
            )
    if not choices:
        return
    if kind not in (STRING, INTEGER, NUMBER):
        problems.wrong(
            (*path, "choices"),
            "This option type cannot have choices",
            "APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID",
        )
        return
    problems.length((*path, "choices"), choices, 0, 25)
    names: set[object] = set()
    for index, choice in enumerate(choices):
        check_choice(problems, choice, kind, (*path, "choices", index))
        if choice.get("name") in names:
            problems.add(
                (*path, "choices", index, "name"),
                "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS",
                "Choice names must be unique",
            )
        names.add(choice.get("name"))


def _bounds(problems: Problems, option: Json, kind: int, path: Path) -> None:
    for keys, kinds in (
        (("min_length", "max_length"), {STRING}),
        (("min_value", "max_value"), {INTEGER, NUMBER}),
    ):
        low, high = (option.get(key) for key in keys)
        for key, value in zip(keys, (low, high), strict=True):
            if value is None:
                continue
            if kind not in kinds:
                problems.wrong(
                    (*path, key),
                    "This option type cannot have this limit",
                    "APPLICATION_COMMAND_OPTIONS_BOUND_INVALID",
                )
            elif kind == STRING and not (
                isinstance(value, int) and int(key == "max_length") <= value <= 6000
            ):
                least = int(key == "max_length")
                problems.add(
                    (*path, key), "NUMBER_TYPE_MAX", f"int value should be between {least} and 6000."
                )
            elif kind != STRING and abs(value) > 2**53:
                problems.add((*path, key), "NUMBER_TYPE_MAX", "The number is out of range.")
        if low is not None and high is not None and low > high:
            problems.add(
                (*path, keys[0]),
                "APPLICATION_COMMAND_OPTIONS_MIN_OVER_MAX",
                "The minimum must not exceed the maximum",
            )
    types = option.get("channel_types")
    if types and kind != CHANNEL:
        problems.wrong(
            (*path, "channel_types"),
            "Only channel options have channel types",
            "APPLICATION_COMMAND_OPTIONS_BOUND_INVALID",
        )


def _characters(node: Json) -> Iterator[int]:
    """The lengths that count against 8000: names, descriptions and text values, options included."""
    yield _longest(node, "name")
    yield _longest(node, "description")
    for each in node.get("choices") or ():
        yield _longest(each, "name")
        yield len(each["value"]) if isinstance(each.get("value"), str) else 0
    for each in node.get("options") or ():
        yield from _characters(each)


def _longest(node: Json, key: str) -> int:
    texts = [node.get(key) or "", *(node.get(f"{key}_localizations") or {}).values()]
    return max(len(str(text)) for text in texts)
