"""The registered slash commands, one line each; `python -m tests.golden.test_commands` writes them again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import discord
from discord import app_commands

from bot.app import add_commands

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


def test_the_registered_commands_change_only_on_purpose() -> None:
    assert registered() == KEPT.read_text(encoding="utf-8")


if __name__ == "__main__":
    KEPT.write_text(registered(), encoding="utf-8")
