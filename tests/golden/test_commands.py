"""The registered slash commands, one line each; `python -m tests.golden.test_commands` writes them again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import discord
import pytest
from discord import app_commands

from bot.app import ALL_GAMES, add_commands
from bot.commands.do_command import kind_outside_games
from bot.commands.registering import game_of_command, in_picker
from bot.panels.named import press_for
from bot.panels.tapping import typed_kinds
from bot.table.session.possible_actions import is_table_action

KEPT = Path(__file__).with_name("commands.txt")
TYPES = {3: "text", 4: "whole number", 5: "yes/no", 6: "person", 7: "channel", 10: "number", 11: "file"}


def lines_of(command: Mapping[str, Any], path: str = "/") -> Iterator[str]:
    here = f"{path}{command['name']}"
    options = command.get("options") or ()
    inner = [option for option in options if option["type"] <= 2]
    if not inner:
        told = "".join(
            f"  {option['name']}{'' if option.get('required') else '?'}: {TYPES[option['type']]}"
            for option in options
        )
        yield f"{here}{told}"
    for one in inner:
        yield from lines_of(one, f"{here} ")


def registered() -> str:
    client = discord.Client(intents=discord.Intents.none())
    tree: app_commands.CommandTree[Any] = app_commands.CommandTree(client)
    add_commands(tree)
    commands = [json.loads(json.dumps(command.to_dict(tree))) for command in tree.get_commands()]
    return "".join(f"{line}\n" for line in sorted(line for one in commands for line in lines_of(one)))


def picked(*systems: str) -> list[dict[str, Any]]:
    """The slash commands in the picker of a server that plays these games."""
    client = discord.Client(intents=discord.Intents.none())
    tree: app_commands.CommandTree[Any] = app_commands.CommandTree(client)
    add_commands(tree)
    found = [in_picker(json.loads(json.dumps(command.to_dict(tree)))) for command in tree.get_commands()]
    here = [one for one in found if one is not None and game_of_command(one["name"]) in ("", *systems)]
    return [one for one in here if one.get("type", 1) == 1]


def sizes(command: Mapping[str, Any]) -> Iterator[int]:
    """How many options each command has at and below this one."""
    options = command.get("options", ())
    if any(option["type"] <= 2 for option in options):
        for one in options:
            yield from sizes(one)
    else:
        yield len(options)


@pytest.mark.parametrize("system", [game.key for game in ALL_GAMES])
def test_the_picker_is_short(system: str) -> None:
    assert len(picked(system)) <= 12
    assert len(picked(*(game.key for game in ALL_GAMES))) <= 20
    assert max(size for command in picked(system) for size in sizes(command)) <= 8


def test_what_the_picker_leaves_out_is_a_line_of_do() -> None:
    """Where it is no action at a table, the line answers with the button or form that asks it."""
    there = {one["name"] for one in picked(*(game.key for game in ALL_GAMES))}
    left = [kind for kind in typed_kinds().values() if kind.typed.split()[0] not in there]
    assert left
    for kind in left:
        pressed = kind_outside_games(f"{kind.typed} and more") is kind and press_for(kind()) is not None
        assert is_table_action(kind) or pressed, kind.typed


def test_the_registered_commands_change_only_on_purpose() -> None:
    assert registered() == KEPT.read_text(encoding="utf-8")


if __name__ == "__main__":
    KEPT.write_text(registered(), encoding="utf-8")
