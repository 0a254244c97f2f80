"""Odds as they are told: what is impossible, what is certain, how far it may be off, least and most."""

from __future__ import annotations

import asyncio
import re
import threading
from typing import Any

import pytest

from bot.games.counterblast.setup.deployment import Terrain
from bot.replies.chances import bars, exactness, percent, sure_of
from bot.table import odds_budget
from bot.table.odds.attacks import list_attack_kinds
from bot.table.odds_budget import Thinking
from bot.table.offers.legal_actions import Looking
from bot.table.rolling.rolls import Roll
from bot.table.session.encounters import NextStep, StartDemo
from bot.table.session.models import RemoveModel
from bot.table.steps import as_asked
from rules.dice import HARDLY, Dice, Odds, add_up
from rules.notation import parse, summed
from tests.bot.tables import Table
from tests.bot.test_who_may import said
from tests.games import SYSTEMS
from tests.source import ROOT, about


@pytest.mark.parametrize(
    ("chance", "said"),
    [
        (0.0, "0%"),
        (1e-16, "0%"),
        (HARDLY, "<1%"),
        (0.004, "<1%"),
        (0.005, "<1%"),
        (0.0051, "1%"),
        (0.34, "34%"),
        (0.9949, "99%"),
        (0.995, ">99%"),
        (0.999, ">99%"),
        (1 - HARDLY, ">99%"),
        (1 - 1e-15, "100%"),
        (1.0, "100%"),
    ],
)
def test_a_chance_in_words(chance: float, said: str) -> None:
    assert percent(chance).strip() == said


def test_how_exact_in_words() -> None:
    solved, cut = Odds({1: 0.5, 2: 0.5}), Odds({1: 0.5, 2: 0.499}, whole=False)
    few, many = Odds({1: 1.0}, 10_000, whole=False), Odds({1: 1.0}, 20_000, whole=False)
    assert exactness(solved) == "Exact."
    assert exactness() == "Exact."
    assert exactness(solved, cut) == "Accurate to within 0.1 percentage points."
    assert exactness(solved, few) == "Estimated from 10,000 simulated rolls."
    assert exactness(many) == "Estimated from 20,000 simulated rolls."
    assert exactness(many, few) == "Estimated from 10,000 simulated rolls."


def test_a_sampled_chance_is_told_with_its_band() -> None:
    odds = Odds({1: 0.29, 2: 0.71}, 20_000, whole=False)
    assert percent(odds.chance(lambda value: value == 1)) == "28 to 30%"
    assert percent(1 - odds.chance(lambda value: value == 1)) == "70 to 72%"
    assert percent(Odds({1: 1.0}, 20, whole=False).chance(bool)) == "89 to 100%"
    assert bars([("one", odds.each()[1]), ("hit", 0.5)]) == [
        "one 28 to 30% ######",
        "hit       50% ##########",
    ]


def test_one_place_says_how_exact_odds_are() -> None:
    told = re.compile(r"\b(Exact|Sampled|sampled)\b")
    found = about(told.pattern, ROOT / "bot").items()
    places = {file.name for file, source in found if any(map(told.search, source.strings()))}
    assert places == {"chances.py"}


async def test_the_least_and_the_most_are_those_of_the_dice(table: Table) -> None:
    lines = (await table.do("anna", Roll("100d6", True))).reply.lines
    assert lines[1] == "Average 350.00, range 100 to 600"
    assert lines[-2:] == ("Exact.", "No dice were rolled.")
    await table.done("anna", StartDemo())
    lines = (await table.do("anna", Terrain(12, 12, odds=True))).reply.lines
    assert lines[0] == "Terrain: 72 to 720 pieces, 396.0 on average."


async def test_a_roll_says_that_it_was_sampled(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(odds_budget, "SOLVER_WORK", 50)
    monkeypatch.setattr(odds_budget, "SAMPLES", 400)
    lines = (await table.do("anna", Roll("20d6 explode >= 60", True))).reply.lines
    assert "Estimated from 400 simulated rolls." in lines
    assert [line for line in lines if " to " in line and line.split()[0] in ("yes", "no")] == list(lines[1:3])


class _Steps:
    """A clock that goes on by so many seconds whenever it is looked at."""

    def __init__(self, seconds: float) -> None:
        self.now = 0.0
        self.seconds = seconds

    def __call__(self) -> float:
        self.now += self.seconds
        return self.now


def _hard(dice: Dice) -> int:
    return sum(dice.face(6, "a die") for _ in range(9))


def test_what_takes_too_long_is_sampled_until_it_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = _Steps(0.001)
    monkeypatch.setattr(odds_budget, "measure_work", lambda: clock.now)
    monkeypatch.setattr(odds_budget, "MIN_SAMPLES", 20)
    odds = Thinking(0.5, clock=clock).odds(_hard, (), {})
    assert odds_budget.MIN_SAMPLES < odds.rolls < 500
    assert clock.now < 0.5
    for _ in range(3):
        late = Thinking(-1.0, clock=clock).odds(_hard, (), {})
        assert late.rolls == odds_budget.MIN_SAMPLES
    assert sum(odds.chances.values()) == pytest.approx(1)


def test_what_is_small_is_exact_however_late_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty unlike dice come to each number from 40 on, up to all their sides. Small is what costs little."""
    spent = _Steps(0.0)
    monkeypatch.setattr(odds_budget, "MIN_SAMPLES", 20)
    monkeypatch.setattr(odds_budget, "measure_work", spent)
    sides = range(900, 940)
    expression = parse("+".join(f"d{one}" for one in sides))
    asked = Thinking(-1.0, clock=_Steps(10.0))
    odds = asked.odds(add_up, summed(expression), {})
    assert (odds.rolls, odds.whole) == (0, True)
    assert (min(odds.chances), max(odds.chances)) == (40, sum(sides))
    assert odds.mean(float) == pytest.approx(sum((one + 1) / 2 for one in sides))
    spent.seconds = 0.01
    assert asked.odds(_hard, (), {}).rolls == odds_budget.MIN_SAMPLES
    assert odds_budget.MIN_SOLVING_SECONDS < spent.now < 2 * odds_budget.MIN_SOLVING_SECONDS


def test_what_cannot_be_thrown_often_enough_in_time_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """2,000 throws or nothing: fewer would say "18 to 62%"."""
    spent = _Steps(0.001)
    monkeypatch.setattr(odds_budget, "measure_work", spent)
    with pytest.raises(odds_budget.OddsTooLarge, match="this has too many possible results"):
        Thinking(-1.0, clock=_Steps(10.0)).odds(_hard, (), {})
    spent.seconds = 0.0
    monkeypatch.setattr(odds_budget, "SOLVER_WORK", 50)
    monkeypatch.setattr(odds_budget, "WHOLE_WORK", 50)
    odds = Thinking(-1.0, clock=_Steps(10.0)).odds(_hard, (), {})
    assert odds.rolls == odds_budget.MIN_SAMPLES == 2_000


def test_what_was_sampled_is_ranked_by_the_least_that_it_may_be() -> None:
    known, guess = 0.85, Odds({1: 0.86, 0: 0.14}, 2_000, whole=False).chance(bool)
    assert float(guess) > known
    assert sure_of(guess) < sure_of(known)


def test_nothing_new_is_thought_about_shortly_before_the_answer_is_due() -> None:
    """What is left of the time is for words and pictures."""
    clock = _Steps(0.0)
    asked = Thinking(0.7, clock=clock)
    for seconds, late in (
        (0.0, False),
        (0.6, False),
        (0.7 - odds_budget.SECONDS_PER_ASKER / 2, True),
        (0.8, True),
    ):
        clock.now = seconds
        assert asked.late is late


def test_who_ask_at_once_share_what_they_may_think_when_it_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    spent = _Steps(0.001)
    monkeypatch.setattr(odds_budget, "MIN_SAMPLES", 20)
    monkeypatch.setattr(odds_budget, "measure_work", spent)
    found = []
    for others in (0, 5):
        monkeypatch.setattr(odds_budget, "_asking", set(range(-others, 0)))
        before = spent.now
        assert Thinking(-1.0, apart=True).odds(_hard, (), {}).rolls == odds_budget.MIN_SAMPLES
        found.append(spent.now - before)
    assert found[0] == pytest.approx(odds_budget.MIN_SOLVING_SECONDS, abs=0.03)
    assert found[1] == pytest.approx(odds_budget.MIN_SOLVING_SECONDS / 6, abs=0.03)


def test_several_questions_share_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = _Steps(0.001)
    monkeypatch.setattr(odds_budget, "MIN_SAMPLES", 20)
    monkeypatch.setattr(odds_budget, "measure_work", lambda: clock.now)
    asked = Thinking(0.5, clock=clock)
    found = [asked.odds(_hard, (), {}) for _ in range(4)]
    assert clock.now < 0.55
    assert all(one.rolls >= odds_budget.MIN_SAMPLES for one in found)


def test_what_stands_beside_a_record_is_the_same_on_every_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A referee who plays it again finds the same words, however slow the table's machine was."""
    found = []
    for seconds in (0.0, 10.0):
        monkeypatch.setattr(odds_budget, "now", _Steps(seconds))
        aside = odds_budget.Aside()
        found.append([aside.odds(rule, (), {}) for rule in (_easy, _hard, _easy, _hard)])
    assert [one.chances for one in found[0]] == [one.chances for one in found[1]]
    assert [one.rolls for one in found[0]] == [0, odds_budget.ASIDE_SAMPLES, 0, odds_budget.ASIDE_SAMPLES]


def _easy(dice: Dice) -> int:
    return dice.face(6, "a die")


@pytest.mark.parametrize("begun", [True, False])
async def test_odds_hold_no_table_up(table: Table, monkeypatch: pytest.MonkeyPatch, begun: bool) -> None:
    if begun:
        await table.done("anna", StartDemo())
    thought, asked = threading.Event(), threading.Event()
    odds = Thinking.odds

    def slow(self: Thinking, *question: Any) -> Odds[Any]:
        asked.set()
        thought.wait(60)
        return odds(self, *question)

    monkeypatch.setattr(Thinking, "odds", slow)
    waiting = asyncio.create_task(table.do("anna", Roll("2d6", True)))
    try:
        await asyncio.to_thread(asked.wait, 30)
        assert (await asyncio.wait_for(table.do("anna", Roll("2d6")), 30)).changed
        assert not waiting.done()
    finally:
        thought.set()
    assert "Exact." in (await waiting).reply.lines


async def test_odds_leave_nothing_behind(table: Table) -> None:
    await table.do("anna", Roll("2d6", True))
    assert await table.desk.store.channel_scope(table.actor("anna").channel_id) == 0


async def test_what_hardly_happens_is_worked_out_too(table: Table) -> None:
    yes = (await table.do("anna", Roll("14d10 >= 140", True))).reply.lines
    assert yes[1].split() == ["yes", "<1%"]
    assert yes[2].split()[:2] == ["no", ">99%"]
    never = (await table.do("anna", Roll("14d10 > 140", True))).reply.lines
    assert never[1].split() == ["yes", "0%"]
    assert never[2].split()[:2] == ["no", "100%"]


async def test_a_roll_says_how_it_was_read_and_offers_the_other_way(table: Table) -> None:
    rolled = await table.do("anna", Roll("8d10>=7"))
    assert "Read as: 8d10, count dice that show 7 or more." in rolled.reply.lines
    assert (await table.press("anna", rolled, "Compare the total")).reply.lines[0] in (
        "anna: yes",
        "anna: no",
    )
    asked = await table.do("anna", Roll("8d10>=7", True))
    assert "Read as: 8d10, count dice that show 7 or more." in asked.reply.lines
    total = await table.press("anna", asked, "Compare the total")
    assert total.reply.lines[0] == "Odds of (8d10) >= 7"
    assert total.reply.lines[1].split()[:2] == ["yes", "100%"]


async def test_odds_of_repetitions_are_those_of_each_and_of_all(table: Table) -> None:
    """Two dice: the higher averages 161/36, and the sum 7; above 4 is one of two in 20 of 36 cases."""
    asked = await table.do("anna", Roll("2#d6", True))
    assert asked.reply.lines[0] == "Odds of d6 (each of 2 rolls)"
    assert "In 2 rolls, the highest result is 4.47 on average, and the sum is 7.00" in asked.reply.lines
    summed = await table.press("anna", asked, "Odds of the sum")
    assert summed.reply.lines[:2] == ("Odds of d6+d6", "Average 7.00, range 2 to 12")
    coins = (await table.do("anna", Roll("2x d6 > 4", True))).reply
    assert 'Chances in 2 rolls: at least one "yes" 56%, all "yes" 11%' in coins.lines
    assert "Odds of the sum" not in [button.label for button in coins.buttons]


@pytest.mark.parametrize("system", SYSTEMS)
async def test_the_chance_against_a_model_out_of_play_is_exactly_nothing(table: Table, system: str) -> None:
    await table.done("anna", StartDemo(system))
    encounter = await table.encounter()
    sides = encounter.sides()
    mine, foe = (encounter.models(side.id)[0] for side in sides)
    kind = list_attack_kinds(system)[0]
    attack = kind(**said(kind.command, mine, foe, sides[0].name))
    await table.do("anna", NextStep())
    assert "exactly 0%" not in (await table.do("anna", as_asked(attack))).reply.text
    await table.done("anna", RemoveModel(foe.name))
    out = f"{foe.name} is out of play ({(await table.encounter()).model(foe.id).left_how})."
    no_chance = "An attack on this model has no chance of success."
    assert await table.refused("anna", as_asked(attack)) == f"{out} {no_chance}"
    await table.refused("anna", attack)
    offers = Looking((await table.encounter()).book, table.actor("anna")).offers(attack, "target")
    assert foe.name not in {offer.label for offer in offers}
