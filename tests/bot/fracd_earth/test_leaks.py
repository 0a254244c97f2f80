"""Nothing of anybody's cards shows where it must not: by text, length, presence, error, log, undo or panel.

The same game is played twice. What Bo holds and never turns up is different; everything that Anna, a
spectator and a stranger can read has to be the same, letter by letter.
"""

from __future__ import annotations

import logging
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot.actions import Action
from bot.games.fracd_earth import hide_tokens
from bot.games.fracd_earth.attack_actions import Attack
from bot.games.fracd_earth.check_actions import FigureCheck
from bot.games.fracd_earth.detect_actions import Detect, Hide, Tokens
from bot.games.fracd_earth.figures import profile_of
from bot.games.fracd_earth.hand_actions import Chances, LayBuff, Link, Morph, Select
from bot.games.fracd_earth.hand_panel import ShowProgress
from bot.games.fracd_earth.players import player_rows
from bot.games.fracd_earth.steps import Look, Pass, Push, TimeUp
from bot.panels.widgets import card_of
from bot.replies.reply import Reply
from bot.table.encounter import Encounter
from bot.table.game import game_of
from bot.table.journal.history import FreshDice, Redo, Undo
from bot.table.journal.log import Export, ShowLog, WhyEntry, WhyModel
from bot.table.rolling.dice_settings import ShowDice
from bot.table.session.encounters import EndEncounter, JoinEncounter, ShowEncounter
from bot.table.session.models import HandOverModel, ListConditions, ShowModel
from bot.table.session.settings import Settings
from tests.bot.fracd_earth.duel import ANNA, BO, Duel
from tests.bot.shown import items_of
from tests.bot.tables import all_lines, opened

CLEO, DAN = "cleo", "dan"
"""A spectator, and somebody who is not in the game at all."""


@dataclass
class Secrets:
    """What Bo holds, and what is laid face down at first and taken back. The cards that are turned up in the
    end are the same in both games.
    """

    top: str
    buff: str
    selected: str
    laid: str


ONE = Secrets("5S 2S 6D 3D", "4C 7C 8C 9C 10C", "5S", "reinforce 4C")
TWO = Secrets("5S QH 6D 3D", "4C KD 3H 2H VOID", "QH", "replace KD")
UNSEEN = {"2S", "7C", "8C", "9C", "10C", "QH", "KD", "3H", "2H", "VOID"}


@dataclass
class Watched:
    """A game with everything written down that others than Bo can see."""

    duel: Duel
    seen: list[str] = field(default_factory=list)

    async def step(self, who: str, action: Action | None = None, press: str = "", choose: str = "") -> None:
        """One step of the game; then everybody else tries everything."""
        duel = self.duel
        if press:
            answer = await duel.press(who, press)
        elif choose:
            menu, value = choose.split("=")
            answer = await duel.choose(who, menu, value)
        else:
            assert action is not None
            answer = await duel.ask(who, action)
        if not answer.reply.private:
            self._note(f"{who} in public", answer.reply, answer.scope)
        await self.look_around()

    def _note(self, head: str, reply: Reply, scope: int) -> None:
        self.seen += [head, *all_lines(reply)]
        for part in (reply, *reply.also):
            self.seen += [button.label for button in part.buttons]
            self.seen += [choice.label for menu in part.menus for choice in menu.choices]
            view = card_of(part, scope, 0)
            self.seen += map(str, items_of(view))

    async def look_around(self) -> None:
        """Every message, log, error and explanation, as each role."""
        encounter = await self.duel.encounter()
        panel = game_of(encounter).panel(encounter)
        self._note("panel", panel, 1)
        running = await self.duel.running()
        at = running.id if running else 0
        bo = next(row.id for row in player_rows(encounter) if row.side == 2)
        probes: list[Action] = [
            Look(), ShowProgress(), Tokens(), ShowLog(), ShowEncounter(), ListConditions(), Export(),
            ShowDice(), Settings(), ShowModel("Sable"), WhyModel("Sable"), Chances(bo), TimeUp(),
            FigureCheck("Sable", odds=True), Attack("Sable", "Rook", 4, odds=True),
            *(WhyEntry(number) for number in range(self.duel.answer.version - 2, self.duel.answer.version)),
            *(Select(at, bo, key) for key in ("2S", "7C", "QH", "5S", "nonsense")),
            *(LayBuff(at, bo, f"replace {key}") for key in ("7C", "KD", "4C")),
            Link(at, bo, "7C"), Morph(at, bo, "2S"), Push(at, bo), Pass(at, bo),
        ]  # fmt: skip
        for who in (ANNA, CLEO, DAN):
            for probe in probes if who == ANNA else probes[:: 3 if who == CLEO else 5]:
                answer = await self.duel.table.do(who, probe)
                assert not answer.changed, probe
                lines = all_lines(answer.reply)
                if who == ANNA and isinstance(probe, Look):
                    lines = []  # her own cards
                self.seen.append(f"{who} {type(probe).__name__} {lines}")
        for probe in (Select(at, bo, "2S"), LayBuff(at, bo, "replace 7C"), Chances(bo), Look()):
            answer = await self.duel.table.do(ANNA, probe, reason="I organise this")
            assert answer.reply.private
            assert not answer.changed
            if not isinstance(probe, Look):
                self.seen.append(f"override {all_lines(answer.reply)}")


async def _play(file: Path, secrets: Secrets) -> tuple[list[str], list[str]]:
    """A duel with everything in it; what others saw, and what Bo saw."""
    async with opened(file) as table:
        duel = await Duel.open(table)
        watched = Watched(duel)
        await duel.ask(CLEO, JoinEncounter(watch=True))
        await duel.stack(ANNA, top="9S 3S AD 8D 10D JD", buff="6H 8H 10H")
        await duel.stack(BO, secrets.top, secrets.buff)

        def vale_acts(encounter: Encounter) -> None:
            encounter.row.counters["acting"] = 1

        await duel.arrange(vale_acts)
        await watched.step(ANNA, Attack("Captain Vale", "Sable", 6, cover="soft"))
        await watched.step(BO, press="Defence 5")
        await watched.step(BO, Look())
        await watched.step(BO, choose=f"Select a card={secrets.selected}")
        await watched.step(BO, Undo())
        await watched.step(BO, Redo())
        await watched.step(BO, Undo())
        await watched.step(BO, choose="Select a card=5S")
        assert not any("5S" in line for line in watched.seen), "selected, and face down"
        await watched.step(ANNA, choose="Select a card=9S")
        assert any("5S" in line for line in watched.seen)
        await watched.step(BO, choose=f"Play a Buff card={secrets.laid}")
        await watched.step(ANNA, Undo())
        await watched.step(BO, press="Agree")
        await watched.step(ANNA, Redo())
        await watched.step(BO, press="Agree")
        await watched.step(BO, Undo())
        await watched.step(BO, choose="Play a Buff card=reinforce 4C")
        assert not any("4C" in line for line in watched.seen), "laid, and face down"
        await watched.step(ANNA, press="Pass")
        await watched.step(BO, press="Push")
        await watched.step(ANNA, press="Pass")
        await watched.step(ANNA, FreshDice(1))
        assert duel.first == "Sable holds Captain Vale off with 6 to spare, earning 2 Edges."
        await watched.step(BO, press="Do nothing more")
        await watched.step(BO, FigureCheck("Thug", "body"))
        await watched.step(BO, press="Pass")
        told = duel.told[BO]
    return watched.seen, told


HEAD = re.compile(r"\b[0-9a-f]{64}\b")


async def test_others_read_the_same_whatever_bo_holds(
    file: Path, migrated: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "bot")
    caplog.set_level(logging.WARNING, "aiosqlite")
    other = Path(shutil.copy(migrated, tmp_path / "other.db"))
    one, bo_read = await _play(file, ONE)
    two, _ = await _play(other, TWO)
    for mine, theirs in zip(one, two, strict=True):
        # The record's head stands for everything that has happened, hands included, and tells none of it.
        assert HEAD.sub("", mine) == HEAD.sub("", theirs)
    seen = {word.strip("()+:;,'\"[]") for line in [*one, *two] for word in line.split()}
    # The typed probes name cards; what comes back must not.
    assert not UNSEEN & seen - {"nonsense"}
    assert any("7C" in line for line in bo_read)
    logged = " ".join(str(record.__dict__) for record in caplog.records if "bot" in record.name)
    assert not any(key in logged.split() for key in UNSEEN)


async def test_looking_is_not_written_down(duel: Duel) -> None:
    before = duel.table.state()
    version = (await duel.table.loaded()).scope.version
    for who in (ANNA, BO):
        await duel.cards(who)
        await duel.ask(who, Tokens())
        await duel.ask(who, Chances(1))
        await duel.ask(who, FigureCheck("Sable" if who == BO else "Rook", odds=True))
    assert duel.table.state() == before
    assert (await duel.table.loaded()).scope.version == version


async def test_a_figure_handed_over_takes_no_cards_with_it(duel: Duel) -> None:
    await duel.ask(CLEO, JoinEncounter("Prowlers"))
    await duel.table.press(BO, duel.answer, "Let in")
    await duel.ask(BO, HandOverModel("Sable", duel.table.ids[CLEO]))
    assert "You have no cards in this game." in (await duel.cards(CLEO)).text
    await duel.ask(CLEO, FigureCheck("Sable", "body"))
    assert "bo: " in duel.text


async def test_who_changes_sides_by_override_sees_nothing(duel: Duel) -> None:
    before = (await duel.cards(BO)).text
    await duel.ask(ANNA, JoinEncounter("Prowlers"), reason="I want to see")
    assert before.splitlines()[1] not in (await duel.cards(ANNA)).text


async def test_who_changes_sides_by_override_learns_of_no_token(duel: Duel) -> None:
    await duel.ask(BO, Hide("Sable"))
    await duel.ask(ANNA, JoinEncounter("Prowlers"), reason="I want to see")
    told = (await duel.ask(ANNA, Tokens())).reply.lines
    assert list(told[1:]) == [f"Token {number} (Prowlers)" for number in (1, 2, 3)]


async def test_whose_figure_hides_sees_which_is_real_of_its_own_tokens(duel: Duel) -> None:
    await duel.ask(CLEO, JoinEncounter("Prowlers"))
    await duel.table.press(BO, duel.answer, "Let in")
    await duel.ask(BO, HandOverModel("Sable", duel.table.ids[CLEO]))
    await duel.ask(CLEO, Hide("Sable"))
    await duel.ask(BO, Hide("Thug"))
    told = (await duel.ask(CLEO, Tokens())).reply.lines
    assert sorted(line.partition(": ")[2] for line in told[1:]) == ["", "", "", "Sable", "blank", "blank"]
    told = (await duel.ask(BO, Tokens())).reply.lines
    assert sorted(line.partition(": ")[2] for line in told[1:]) == ["Sable", "Thug", *["blank"] * 4]
    told = (await duel.ask(ANNA, Tokens())).reply.lines
    assert not any(": " in line for line in told[1:])


async def test_which_token_is_real_is_told_to_its_side_alone(duel: Duel) -> None:
    await duel.ask(CLEO, JoinEncounter(watch=True))
    await duel.ask(BO, Hide("Sable"))
    encounter = await duel.encounter()
    real = next(token.id for token in hide_tokens.tokens(encounter) if token.figure is not None)
    for who in (ANNA, CLEO, DAN):
        for probe in (Tokens(), ShowEncounter(), WhyModel("Sable"), ShowLog(), Detect("Rook", "Sable")):
            answer = await duel.table.do(who, probe)
            said = " ".join(all_lines(answer.reply))
            assert f"{real} (Prowlers): Sable" not in said
            assert not any(f"Token {number} (Prowlers):" in said for number in (1, 2, 3))
    assert f"Token {real} (Prowlers): Sable" in (await duel.ask(BO, Tokens())).reply.text


async def test_suggestions_come_from_crew_cards(duel: Duel) -> None:
    encounter = await duel.encounter()
    titles = [weapon.title for row in encounter.models() for weapon in profile_of(row.profile).weapons]
    assert "Carbine" in titles


async def test_exports_wait_for_the_end_and_then_tell_all(duel: Duel) -> None:
    refused = await duel.table.do(ANNA, Export())
    assert "after it has ended" in refused.reply.text
    assert not refused.reply.files
    await duel.ask(ANNA, EndEncounter())
    assert (await duel.table.do(ANNA, Export())).reply.files
