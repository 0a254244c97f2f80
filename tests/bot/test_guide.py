"""/help: screens that fit a phone and name only what there is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path

import discord
import pytest
from discord import app_commands

from bot.actions import ACTIONS, part_of
from bot.app import add_commands
from bot.commands.guide import pages
from bot.commands.registering import game_of_command
from bot.panels.tapping import NAMED, as_the_server_has_them
from bot.replies.fit import messages
from bot.replies.reply import Reply
from bot.table.asking.descriptions import described, on_pages
from bot.table.asking.kinds import TableKind
from bot.table.game import EVERYWHERE, HelpPage
from tests.games import SYSTEMS

PAGES = pages()


@cache
def commands() -> set[str]:
    tree = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
    add_commands(tree)
    return {command.qualified_name for command in tree.walk_commands()}


def test_every_topic_has_its_page() -> None:
    topic = part_of("help", "topic").kind
    assert isinstance(topic, TableKind)
    assert list(PAGES) == [offer.value for offer in topic.listed()]


@pytest.mark.parametrize("topic", PAGES)
def test_a_page_fits_a_phone_and_names_commands_that_there_are(topic: str) -> None:
    known = commands()
    for line in PAGES[topic]:
        assert not line.startswith("/:"), "what only buttons ask is no command"
        for named in re.findall(r"(?<!\w)/([a-z]+(?: [a-z]+)?)", line):
            assert named in known or named.split()[0] in known, named


@pytest.mark.parametrize("topic", PAGES)
def test_a_page_is_one_message_or_goes_on_in_a_second(topic: str) -> None:
    ids = {name.split()[0]: 10**18 for name in commands()}
    assert len(messages(as_the_server_has_them(Reply(PAGES[topic], private=True, tappable=True), ids))) <= 2


def choices() -> Iterator[tuple[str, ...]]:
    for count in range(len(SYSTEMS) + 1):
        yield from combinations(SYSTEMS, count)


@pytest.mark.parametrize("topic", PAGES)
def test_a_page_names_only_what_the_server_has_whatever_it_shows(topic: str) -> None:
    words = {name.split()[0] for name in commands()}
    belongs = {word: game_of_command(word) for word in words}
    for shown in choices():
        there = {name for name in commands() if belongs[name.split()[0]] in ("", *shown)}
        ids = {name.split()[0]: 7 for name in there}
        page = as_the_server_has_them(Reply(tuple(PAGES[topic]), tappable=True), ids)
        named = {found[1].split()[0] for line in page.lines for found in NAMED.finditer(line)}
        assert not {first for first in named if first in words - ids.keys()}, shown
        assert set(re.findall(r"</([^:]+):", page.text)) <= there


def test_every_command_stands_on_one_page_with_what_it_does() -> None:
    typed = {kind.typed: described(kind) for kind in ACTIONS.values() if kind.typed}
    text = {topic: re.sub(r"\s+", " ", " ".join(lines)) for topic, lines in PAGES.items()}
    for name, does in typed.items():
        told = [topic for topic, page in text.items() if f"/{name}: {does}" in page]
        assert len(told) == 1, f"{name}: {told}"
    assert len(typed) > 300
    assert "/do: " in text["start"]


def test_a_page_has_the_commands_of_its_rooms_and_the_nearest_room_counts() -> None:
    pages = {"near": HelpPage(("words",), ("shooting",)), "far": HelpPage((), (EVERYWHERE,))}
    found = on_pages(pages, "bot.games.counterblast")
    assert found["near"][0] == "words"
    assert "/cb shoot: Shoot at a model" in found["near"]
    assert not any(line.startswith("/cb shoot") for line in found["far"])
    assert "/cb fight: Attack one model in melee" in found["far"]
    assert not any("/inf" in line for line in found["far"])


def test_the_readme_names_every_command() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    assert {name for name in commands() if " " not in name} <= set(re.findall(r"`/(\w+)`", readme))
