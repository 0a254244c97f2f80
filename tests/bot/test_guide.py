"""/help: screens that fit a phone and name only what there is."""

from __future__ import annotations

import re
from pathlib import Path

import discord
import pytest
from discord import app_commands

from bot.actions import part_of
from bot.app import add_commands
from bot.commands.guide import pages
from bot.table.asking.kinds import MOST_CHOICES, TableKind
from tests.games import words_of

PAGES = pages()
COLUMNS = 38


def commands() -> set[str]:
    tree = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
    add_commands(tree)
    return {command.qualified_name for command in tree.walk_commands()}


def test_every_topic_has_its_page() -> None:
    topic = part_of("help", "topic").kind
    assert isinstance(topic, TableKind)
    assert set(PAGES) == {offer.value for offer in topic.listed()}
    assert len(PAGES) <= MOST_CHOICES


@pytest.mark.parametrize("topic", PAGES)
def test_a_page_fits_a_phone_and_names_commands_that_there_are(topic: str) -> None:
    known = commands()
    for line in PAGES[topic]:
        assert len(line) <= COLUMNS, line
        for named in re.findall(r"(?<!\w)/([a-z]+(?: [a-z]+)?)", line):
            assert named in known or named.split()[0] in known, named


OF_COUNTERBLAST = words_of("counterblast") | {"campaign", "crew"}


def test_every_command_of_counterblast_stands_on_a_page() -> None:
    pages = [" ".join(page) for page in PAGES.values()]
    for name in sorted(commands()):
        group, _, last = name.rpartition(" ")
        if name.split()[0] in OF_COUNTERBLAST:
            told = rf"/{group}\b.*\b{last}\b" if group else rf"/{last}\b"
            assert any(re.search(told, page) for page in pages), name


def test_the_readme_names_every_command() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    assert {name for name in commands() if " " not in name} <= set(re.findall(r"`/(\w+)`", readme))
