"""Odds as they are told: what is impossible, what is certain, how far it may be off, least and most."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import bot
from bot.games.counterblast.setup_play import Terrain
from bot.replies.chances import exactness, percent
from bot.table import act as act_module
from bot.table.encounters import StartDemo
from bot.table.rolls import Roll
from rules.odds import HARDLY, Odds
from tests.bot.tables import Table


@pytest.mark.parametrize(
    ("chance", "said"),
    [
        (0.0, "0 %"),
        (1e-16, "0 %"),
        (HARDLY, "<1 %"),
        (0.004, "<1 %"),
        (0.005, "<1 %"),
        (0.0051, "1 %"),
        (0.34, "34 %"),
        (0.9949, "99 %"),
        (0.995, ">99 %"),
        (0.999, ">99 %"),
        (1 - HARDLY, ">99 %"),
        (1 - 1e-15, "100 %"),
        (1.0, "100 %"),
    ],
)
def test_a_chance_in_words(chance: float, said: str) -> None:
    assert percent(chance).strip() == said


def test_how_exact_in_words() -> None:
    solved, cut = Odds({1: 0.5, 2: 0.5}), Odds({1: 0.5, 2: 0.499}, whole=False)
    few, many = Odds({1: 1.0}, 10_000, whole=False), Odds({1: 1.0}, 20_000, whole=False)
    assert exactness(solved) == "Exact."
    assert exactness() == "Exact."
    assert exactness(solved, cut) == "Exact to 0.1 %."
    assert exactness(solved, few) == "Sampled, 10,000 throws: within 1 %."
    assert exactness(many) == "Sampled, 20,000 throws: within 0.7 %."
    assert exactness(many, few) == "Sampled, 10,000 throws: within 1 %."


def test_one_place_says_how_exact_odds_are() -> None:
    told = re.compile(r"\b(Exact|Sampled|sampled)\b")
    package = Path(bot.__file__).parent
    places = []
    for source in package.rglob("*.py"):
        tree = ast.parse(source.read_text(encoding="utf-8"))
        docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
                places += [source.name] if told.search(node.value) else []
    assert set(places) == {"chances.py"}


async def test_the_least_and_the_most_are_those_of_the_dice(table: Table) -> None:
    lines = (await table.do("anna", Roll("100d6", True))).reply.lines
    assert lines[1] == "Average 350.00, from 100 to 600"
    assert lines[-2:] == ("Exact.", "Nothing is rolled.")
    await table.done("anna", StartDemo())
    lines = (await table.do("anna", Terrain(12, 12, odds=True))).reply.lines
    assert lines[0] == "Terrain: 72 to 720 pieces, 396.0 on average."


async def test_a_roll_says_that_it_was_sampled(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(act_module, "SOLVER_WORK", 50)
    monkeypatch.setattr(act_module, "SAMPLES", 400)
    lines = (await table.do("anna", Roll("20d6", True))).reply.lines
    assert lines[1].endswith("from 20 to 120")
    assert "Sampled, 400 throws: within 5 %." in lines
    assert not [line for line in lines if line.endswith((" 0 %", "100 %"))]


async def test_what_hardly_happens_is_worked_out_too(table: Table) -> None:
    yes = (await table.do("anna", Roll("14d10 >= 140", True))).reply.lines
    assert yes[1].split() == ["yes", "<1", "%"]
    assert yes[2].split()[:3] == ["no", ">99", "%"]
    never = (await table.do("anna", Roll("14d10 > 140", True))).reply.lines
    assert never[1].split() == ["yes", "0", "%"]
    assert never[2].split()[:3] == ["no", "100", "%"]
