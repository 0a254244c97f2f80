"""Three sides: what one has found under the tokens of another, the third does not learn.

The same game is played thrice; only which of the tokens is real is different. What Cleo, who plays the third
side, a spectator and a stranger can read has to be the same, letter by letter, until Cleo finds it herself.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bot.actions import Action
from bot.games.fracd_earth import hide_tokens
from bot.games.fracd_earth.area_actions import AreaAttack
from bot.games.fracd_earth.attack_actions import Attack
from bot.games.fracd_earth.detect_actions import Detect, Hide, Tokens
from bot.games.fracd_earth.hand_panel import ShowProgress
from bot.games.fracd_earth.roster_actions import AddFigure
from bot.panels.widgets import card_of
from bot.replies.reply import Reply
from bot.table.encounter import Encounter
from bot.table.game import game_of
from bot.table.journal.history import Redo, Undo
from bot.table.journal.log import Export, ShowLog, WhyEntry, WhyModel
from bot.table.session.encounters import JoinEncounter, NextStep, ShowEncounter, StartDemo
from bot.table.session.models import AddCondition, ListConditions, ShowModel
from rules.systems.fracd_earth.detection import token_set
from tests.bot.fracd_earth.duel import ANNA, BO, SIDES, Duel, stacked
from tests.bot.shown import items_of
from tests.bot.tables import Table, all_lines, opened

CLEO, DAN, EVE = "cleo", "dan", "eve"
"""Cleo plays the Gulls, Dan watches, Eve is not in the game at all."""

GULL = "\n".join(
    (
        "name: Gull",
        "traits: cast 4, def 4, fight 4, manv 4, shoot 4",
        "resists: acts 3, body 3, mind 3, soul 3, dp 3, de 2",
        "weapon: 5 // Rifle // - // Range 24 // 2 M vs dp",
        "weapon: spades // Storm // - // Range 12 // 2 M vs de",
    )
)


async def open_three(table: Table) -> Duel:
    """Anna's Wardens, Bo's Prowlers and Cleo's Gulls in the first turn."""
    duel = Duel(table)
    await duel.ask(ANNA, StartDemo("fracd_earth"))
    await duel.ask(BO, JoinEncounter("Prowlers"))
    await duel.ask(ANNA, AddFigure(GULL, 2, "Gulls"))
    await duel.ask(CLEO, JoinEncounter("Gulls"))
    await duel.ask(DAN, JoinEncounter(watch=True))
    await duel.ask(ANNA, NextStep())
    return duel


def acting(name: str):  # type: ignore[no-untyped-def]
    def free(encounter: Encounter) -> None:
        encounter.row.counters["acting"] = encounter.find_model(name).id

    return free


def laid(real: int):  # type: ignore[no-untyped-def]
    """Sable lies under that token of the three."""

    def lay(encounter: Encounter) -> None:
        blanks = iter((1, 2))
        order = tuple(0 if place == real else next(blanks) for place in range(1, 4))
        sable = encounter.find_model("Sable")
        hide_tokens.store_tokens(encounter, token_set(1, sable.side, sable.id, order))

    return lay


async def find(duel: Duel, who: str, observer: str, token: int) -> None:
    """Detect a token, with a card that is good enough."""
    side = SIDES.get(who, 3)
    await duel.arrange(acting(observer), lambda encounter: stacked(encounter, side, "10S 9S"))
    await duel.ask(who, Detect(observer, f"token {token}", "alertness"))
    if (await duel.running()) is not None:
        key = "10S"
        await duel.choose(who, "Select", key)


class Watched:
    """Everything that those can read who have found nothing."""

    def __init__(self, duel: Duel) -> None:
        self.duel = duel
        self.seen: list[str] = []

    def note(self, head: str, reply: Reply, scope: int, version: int) -> None:
        self.seen += [head, str(version), *all_lines(reply)]
        for part in (reply, *reply.also):
            view = card_of(part, scope, version)
            self.seen += map(str, items_of(view))

    async def look(self) -> None:
        duel = self.duel
        if not duel.answer.reply.private:
            self.note("public", duel.answer.reply, duel.answer.scope, duel.answer.version)
        encounter = await duel.encounter()
        self.note("panel", game_of(encounter).panel(encounter), 1, 0)
        probes: list[Action] = [
            Tokens(), ShowProgress(), ShowLog(), ShowEncounter(), ListConditions(), Export(),
            ShowModel("Sable"), WhyModel("Sable"), Attack("Gull", "Sable", 6, odds=True),
            Attack("Gull", "Sable", 6),
            Detect("Gull", "Sable", odds=True), AreaAttack("Gull", 6, 4, odds=True),
            *(Detect("Gull", f"token {number}", odds=True) for number in (1, 2, 3)),
            *(WhyEntry(number) for number in range(duel.answer.version - 2, duel.answer.version + 1)),
        ]  # fmt: skip
        for who in (CLEO, DAN, EVE):
            for probe in probes:
                answer = await duel.table.do(who, probe)
                assert not answer.changed, probe
                self.note(f"{who} {type(probe).__name__}", answer.reply, answer.scope, answer.version)


async def _play(file: Path, real: int) -> tuple[list[str], list[str]]:
    """Anna finds tokens 1 and 2; what others could read, and what Anna's own side then knows."""
    async with opened(file) as table:
        duel = await open_three(table)
        watched = Watched(duel)
        await duel.ask(BO, Hide("Sable"))
        await duel.arrange(laid(real))
        await watched.look()
        for token in (1, 2):
            await find(duel, ANNA, "Rook", token)
            await watched.look()
            await duel.ask(ANNA, Undo())
            await watched.look()
            await duel.ask(ANNA, Redo())
            await watched.look()
        known = (await duel.ask(ANNA, Tokens())).reply.lines
        for token in (1, 2):
            again = await table.refused(ANNA, Detect("Rook", f"token {token}", "alertness"))
            assert again == f"Your side has already found token {token}."
    return watched.seen, list(known)


@pytest.mark.rule("FE-HID-03", "FE-HID-04")
async def test_a_third_side_does_not_learn_what_was_found(file: Path, migrated: Path, tmp_path: Path) -> None:
    games = []
    for real in (1, 2, 3):
        copy = Path(shutil.copy(migrated, tmp_path / f"{real}.db"))
        games.append(await _play(copy, real))
    (one, first), (two, second), (three, third) = games
    assert "Rook detects token 1." in one
    assert not any("blank" in line for line in one)
    for lines in zip(one, two, three, strict=True):
        assert len(set(lines)) == 1, lines
    assert first[1:] == ["Token 1 (Prowlers): Sable", "Token 3 (Prowlers)", "Blanks found (Prowlers): 2"]
    assert second[1:] == ["Token 2 (Prowlers): Sable", "Token 3 (Prowlers)", "Blanks found (Prowlers): 1"]
    assert third[1:] == ["Token 3 (Prowlers)", "Blanks found (Prowlers): 1, 2"]


@pytest.mark.rule("FE-HID-03", "FE-HID-04", "FE-DET-01")
async def test_what_every_enemy_has_found_leaves_the_table(table: Table) -> None:
    duel = await open_three(table)
    await duel.ask(BO, Hide("Sable"))
    await duel.arrange(laid(2))
    await find(duel, ANNA, "Rook", 1)
    await find(duel, ANNA, "Rook", 2)
    assert duel.first == "Rook detects token 2."
    encounter = await duel.encounter()
    assert [token.id for token in hide_tokens.tokens(encounter)] == [1, 2, 3]
    assert encounter.condition(encounter.find_model("Sable").id, "hidden") is not None
    await duel.arrange(acting("Gull"))
    assert "is Hidden" in await table.refused(CLEO, Attack("Gull", "Sable", 6))
    await find(duel, CLEO, "Gull", 1)
    assert duel.first == "Gull finds that token 1 is a blank."
    assert [token.id for token in hide_tokens.tokens(await duel.encounter())] == [2, 3]
    await find(duel, CLEO, "Gull", 2)
    assert duel.first == "Gull finds that token 2 is Sable."
    encounter = await duel.encounter()
    assert hide_tokens.tokens(encounter) == ()
    assert encounter.condition(encounter.find_model("Sable").id, "hidden") is None


@pytest.mark.rule("FE-DET-03", "FE-HID-04")
async def test_an_attacker_is_revealed_to_those_who_see_it(table: Table) -> None:
    duel = await open_three(table)
    await duel.ask(BO, Hide("Sable"))
    await duel.arrange(laid(2), acting("Sable"))
    assert "no side called Herons" in await table.refused(BO, Attack("Sable", "Rook", 6, unseen="Herons"))
    await duel.ask(BO, Attack("Sable", "Rook", 6, unseen="Gulls"))
    assert "Sable is revealed to Wardens." in duel.answer.reply.lines
    assert "token" not in duel.text
    assert "Token 2 (Prowlers): Sable" in (await duel.ask(ANNA, Tokens())).reply.lines
    assert "Token 2 (Prowlers)" in (await duel.ask(CLEO, Tokens())).reply.lines
    await duel.press(ANNA, "Defence 4")
    await duel.table.agreed(BO, Undo(2))
    await duel.ask(BO, Attack("Sable", "Rook", 6, unseen="Wardens, Gulls"))
    assert "Sable stays Hidden." in duel.answer.reply.lines
    await duel.ask(BO, Undo())
    asked = await table.do(BO, Attack("Sable", "Rook", 6))
    assert asked.reply.lines == ("Sable is Hidden. Which sides have a line of sight to it?",)
    assert asked.reply.private
    assert not asked.changed
    seen = await table.press(BO, asked, "All sides can see it")
    assert "Sable is revealed at token 2." in seen.reply.lines
    assert hide_tokens.tokens(await duel.encounter()) == ()
    await duel.ask(BO, Undo())
    await duel.ask(BO, AreaAttack("Sable", 6, 4, delivery="grenade", unseen="Gulls"))
    assert "Sable is revealed to Wardens." in duel.answer.reply.lines


@pytest.mark.rule("FE-HID-04", "FE-DET-10")
async def test_without_tokens_too_detection_is_each_sides_own(table: Table) -> None:
    duel = await open_three(table)
    await duel.ask(BO, AddCondition("Thug", "hidden"))
    await duel.arrange(acting("Rook"), lambda encounter: stacked(encounter, 1, "9S"))
    await duel.ask(ANNA, Detect("Rook", "Thug", "alertness"))
    await duel.press(ANNA, "Pass") if (await duel.running()) is not None else None
    assert duel.first == "Rook detects Thug."
    await duel.ask(ANNA, Attack("Rook", "Thug", 6, "Pistol"))
    assert duel.first == "Rook shoots at Thug."
    await duel.ask(ANNA, Undo())
    await duel.arrange(acting("Gull"))
    assert "it is Hidden" in await table.refused(CLEO, Attack("Gull", "Thug", 6))
    await duel.arrange(lambda encounter: stacked(encounter, 3, "9S"))
    await duel.ask(CLEO, Detect("Gull", "Thug", "alertness"))
    assert duel.first == "Gull detects Thug."
    encounter = await duel.encounter()
    assert encounter.condition(encounter.find_model("Thug").id, "hidden") is None


@pytest.mark.rule("FE-HID-03")
async def test_who_hides_before_the_game_begins_sees_which_is_real(table: Table) -> None:
    duel = Duel(table)
    await duel.ask(ANNA, StartDemo("fracd_earth"))
    await duel.ask(BO, JoinEncounter("Prowlers"))
    await duel.ask(BO, Hide("Sable"))
    encounter = await duel.encounter()
    real = next(token.id for token in hide_tokens.tokens(encounter) if token.figure is not None)
    told = (await duel.ask(BO, Tokens())).reply.lines
    blanks = [f"Token {number} (Prowlers): blank" for number in (1, 2, 3) if number != real]
    assert {f"Token {real} (Prowlers): Sable", *blanks} == set(told[1:])
    for who in (ANNA, EVE):
        told = (await duel.ask(who, Tokens())).reply.lines
        assert list(told[1:]) == [f"Token {number} (Prowlers)" for number in (1, 2, 3)]
    await duel.ask(ANNA, NextStep())
    assert f"Token {real} (Prowlers): Sable" in (await duel.ask(BO, Tokens())).reply.lines
