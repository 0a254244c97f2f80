"""The whole command tree against what Discord takes, counted before Discord counts it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from typing import Any

import discord
import pytest
from discord import app_commands

from bot.actions import ACTIONS
from bot.app import ALL_GAMES, add_commands
from bot.commands import typed
from bot.local.checks.commands import check_commands
from bot.table.asking.descriptions import GROUPS
from tests.source import ROOT, program

CHARACTERS = 8000
ENTRIES = 25
TOP_LEVEL = 100
NAME = re.compile(r"^[-_'\w]{1,32}$")

Json = Mapping[str, Any]
SUBCOMMAND, GROUP, TEXT = 1, 2, 3


class _Nobody(discord.Client):
    """A client that never connects: a tree needs one."""


@pytest.fixture(scope="module")
def tree() -> app_commands.CommandTree[Any]:
    tree: app_commands.CommandTree[Any] = app_commands.CommandTree(_Nobody(intents=discord.Intents.none()))
    add_commands(tree)
    return tree


@pytest.fixture(scope="module")
def commands(tree: app_commands.CommandTree[Any]) -> list[Json]:
    """Return the commands that are typed; the menu of a message has only a name."""
    slash = discord.AppCommandType.chat_input
    return [command.to_dict(tree) for command in tree.get_commands(type=slash)]


def parts(part: Json, path: str = "") -> Iterator[tuple[str, Json]]:
    """The command, its sub-commands and all options, each with its path."""
    here = f"{path} {part['name']}".strip()
    yield here, part
    for option in part.get("options") or ():
        yield from parts(option, here)


def leaves(commands: list[Json]) -> Iterator[tuple[str, list[Json]]]:
    """Every command that can be typed, with its options."""
    for command in commands:
        for path, part in parts(command):
            inner = part.get("options") or ()
            branches = any(option["type"] in (SUBCOMMAND, GROUP) for option in inner)
            if (part is command or part["type"] == SUBCOMMAND) and not branches:
                yield path, list(inner)


def weight(part: Json) -> int:
    """The characters Discord counts: names, descriptions and values, the longest translation of each."""
    count = _longest(part, "name") + _longest(part, "description")
    for choice in part.get("choices") or ():
        count += _longest(choice, "name") + len(str(choice["value"]))
    return count + sum(weight(option) for option in part.get("options") or ())


def _longest(part: Json, key: str) -> int:
    return max(len(text) for text in (part[key], *(part.get(f"{key}_localizations") or {}).values()))


def test_there_are_commands_for_every_module(commands: list[Json]) -> None:
    assert len(commands) <= TOP_LEVEL
    assert len({command["name"] for command in commands}) == len(commands)
    assert ALL_GAMES


def test_each_command_keeps_to_8000_characters(commands: list[Json]) -> None:
    weights = {command["name"]: weight(command) for command in commands}
    assert {name: count for name, count in weights.items() if count > CHARACTERS} == {}
    assert sum(weights.values()) > 1000


def test_no_level_has_more_than_25_entries(commands: list[Json]) -> None:
    for command in commands:
        for path, part in parts(command):
            for kind in ("options", "choices"):
                entries = part.get(kind) or ()
                assert len(entries) <= ENTRIES, path
                names = [entry["name"] for entry in entries]
                assert len(set(names)) == len(names), path


@pytest.mark.parametrize(("path", "full"), [("inf more", "inf"), ("wz more still", "wz")])
def test_a_command_that_has_no_room_is_named(monkeypatch: pytest.MonkeyPatch, path: str, full: str) -> None:
    kinds = tuple(kind for kind in ACTIONS.values() if kind.typed)
    more: Any = type("More", (), {"typed": path})
    monkeypatch.setitem(GROUPS, "wz more", "More")
    with pytest.raises(ValueError, match=rf"^no room for /{full} more; /{full} already has 25 commands$"):
        typed._build_commands((*kinds, more))


def test_names_and_descriptions(commands: list[Json]) -> None:
    for command in commands:
        for path, part in parts(command):
            assert NAME.match(part["name"]), path
            assert part["name"] == part["name"].lower(), path
            assert 1 <= len(part["description"]) <= 100, path
            assert part["description"].strip() == part["description"], path
            assert part["description"] != "…", f"{path} is not described"
            for choice in part.get("choices") or ():
                assert 1 <= len(choice["name"]) <= 100
                assert len(str(choice["value"])) <= 100


def test_options_stand_where_discord_wants_them(commands: list[Json]) -> None:
    for path, options in leaves(commands):
        required = [bool(option.get("required")) for option in options]
        assert required == sorted(required, reverse=True), path
        for option in options:
            assert not (option.get("autocomplete") and option.get("choices")), path


def test_people_carry_along_only_what_needs_no_game(commands: list[Json]) -> None:
    for command in commands:
        carried = command["name"] in ("book", "crew", "odds", "roll")
        assert command["contexts"] == ([0, 1, 2] if carried else [0]), command["name"]
        assert command["integration_types"] == ([0, 1] if carried else [0]), command["name"]


def test_the_local_server_takes_them_all(commands: list[Json]) -> None:
    check_commands(list(commands))


def test_every_typed_command_names_what_it_asks(tree: app_commands.CommandTree[Any]) -> None:
    """A command's function takes its options with plain types, so that nothing is guessed at registration."""
    found = 0
    for command in tree.walk_commands():
        if isinstance(command, app_commands.Group):
            continue
        found += 1
        named = list(inspect.signature(command.callback).parameters)[1:]
        assert len(named) == len(command.parameters), command.qualified_name
    assert found > 30


NAMED = re.compile(r"(?<![\w/.<>])/([a-z]+)((?: [a-z]+){0,2})")
"""A command as sentences name it."""


def test_every_command_that_a_sentence_names_can_be_typed(commands: list[Json]) -> None:
    paths = {path for command in commands for path, part in parts(command) if part.get("type", 1) in (1, 2)}
    groups = {path.rpartition(" ")[0] for path in paths}
    found = 0
    for file, source in program().items():
        if {"local", "page"} & set(file.relative_to(ROOT).parts):
            continue
        for text in source.strings():
            for match in NAMED.finditer(text):
                first, *more = (match[1] + match[2]).split(" ")
                known = " ".join([first, *more[:1]]) in paths or (first in paths and first not in groups)
                alone = not more and first in paths | groups
                assert known or alone, f"{file.name}: {match[0]}"
                found += 1
    assert found > 200


def test_the_menus_of_messages_and_people_have_few_commands(tree: app_commands.CommandTree[Any]) -> None:
    for kind, names in (
        (discord.AppCommandType.message, ["Make a crew from this", "Why?", "Undo", "Question this"]),
        (discord.AppCommandType.user, ["Their crews"]),
    ):
        menu = [one.to_dict(tree) for one in tree.get_commands(type=kind)]
        assert [one["name"] for one in menu] == names
        check_commands(menu)
        assert [one["name"] for one in menu if one["integration_types"] == [0, 1]] == names[: kind.value % 2]
