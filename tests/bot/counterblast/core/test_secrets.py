"""What one side keeps secret is told to nobody else: whatever it is, the others read the same."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from bot.actions import Action
from bot.games.counterblast.melee.melees import Melee
from bot.games.counterblast.missions.mission_choices import ChooseSecretly, RevealMission, ShowMissions
from bot.games.counterblast.missions.mission_events import Control, FoundIt, Subdue
from bot.games.counterblast.missions.objectives import SearchPlace, TakeToken
from bot.games.counterblast.missions.scores import DetailPlans, ScoreMission, StopGame
from bot.replies.reply import Reply
from bot.table.encounter import Encounter
from bot.table.journal.history import Redo, Undo
from bot.table.journal.log import Export, ShowLog, WhyEntry, WhyModel
from bot.table.rolling.dice_settings import ShowDice
from bot.table.session.encounters import AskEnd, JoinEncounter, NextStep, ShowEncounter, StartDemo
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, touching
from tests.bot.tables import Table, opened

CY = "cy"
"""Who only watches."""

READING: tuple[Action, ...] = (
    ShowLog(),
    ShowEncounter(),
    ShowDice(),
    Export(),
    AskEnd(),
    WhyModel("Sally"),
    WhyModel("Prime Leader"),
    *(WhyEntry(number) for number in range(1, 16)),
)
"""What anybody may ask of what happened."""

MISSIONS: tuple[Action, ...] = (
    ShowMissions(),
    Subdue("Sally"),
    Control(side="Edo"),
    ScoreMission(side="Edo"),
    RevealMission("Edo"),
    FoundIt("Sally"),
    DetailPlans("Med Gel", "Edo"),
    SearchPlace("Sally", place="Edo A"),
    ChooseSecretly("Scouting", side="Edo"),
)
"""What others may ask of a mission that is not theirs."""

CHOICES = (
    ChooseSecretly("Abduction", target="Sally"),
    ChooseSecretly("Escort", target="Trapper"),
    ChooseSecretly("Scouting"),
    ChooseSecretly("Invasion", place="the old mill"),
    ChooseSecretly("Recovery", seeks="Med Gel"),
)


def shown(reply: Reply) -> tuple[object, ...]:
    text = re.sub(r"[0-9a-f]{8,}", "#", reply.text)
    labels = tuple(button.label for button in reply.buttons)
    return text, labels, tuple(menu.prompt for menu in reply.menus), len(reply.also), len(reply.why)


async def asked(table: Table, *actions: Action) -> list[tuple[object, ...]]:
    """What Anna, who is the organiser, and a watcher read; with a reason to override too."""
    read = []
    for action in actions:
        for who in (ANNA, CY):
            for reason in ("", "because"):
                answer = await table.do(who, action, reason=reason)
                assert not answer.changed, answer.reply.text
                read.append((action, who, *shown(answer.reply)))
    return read


async def what_others_read(file: Path, choice: ChooseSecretly) -> list[tuple[object, ...]]:
    async with opened(file) as table:
        await table.done(ANNA, StartDemo())
        await table.done(BO, JoinEncounter("Edo"))
        chosen = await table.done(BO, choice)
        assert chosen.reply.private
        read = [shown(reply) for reply in chosen.reply.also]
        read += await asked(table, ShowMissions(), *READING)
        for action in (Undo(), Redo()):
            asked_for = await table.done(ANNA, action)
            read.append(shown(asked_for.reply))
            read.append(shown((await table.press(BO, asked_for, "Agree")).reply))
        read.append(shown((await table.done(ANNA, NextStep())).reply))
        read += await asked(table, *MISSIONS, *READING)
        read.append(shown((await table.done(ANNA, StopGame(sure=True))).reply))
        return read + await asked(table, *MISSIONS, *READING)


@pytest.mark.rule("CB-MISS-02")
async def test_the_others_read_the_same_whatever_the_mission_is(migrated: Path, tmp_path: Path) -> None:
    read = []
    for number, choice in enumerate(CHOICES):
        file = tmp_path / f"{number}.db"
        file.write_bytes(migrated.read_bytes())
        read.append(await what_others_read(file, choice))
    for other in read[1:]:
        for first, second in zip(read[0], other, strict=True):
            assert first == second


@pytest.mark.rule("CB-FIGHT-02")
async def test_hidden_attack_dice_are_read_nowhere(migrated: Path, tmp_path: Path) -> None:
    declared = Melee(text="Sally>Trapper 1, Sally>Edo Underling, Skip>Trapper")
    read = []
    for number, text in enumerate((declared.text, "Sally>Trapper, Sally>Edo Underling 1, Skip>Trapper")):
        file = tmp_path / f"{number}.db"
        file.write_bytes(migrated.read_bytes())
        async with opened(file) as table:
            ring = await Ring.open(table)
            pairs = (("Sally", "Trapper"), ("Sally", "Edo Underling"), ("Skip", "Trapper"))
            await ring.arrange(_hidden_dice, touching(*pairs), active("Sally", "Skip"))
            answer = await table.done(ANNA, replace(declared, text=text))
            lines = [shown(reply) for reply in answer.reply.also]
            for action in READING:
                lines += [shown((await table.do(who, action)).reply) for who in (BO, CY)]
            for button in answer.reply.also[0].buttons:
                if not isinstance(button.action, Undo) and button.form is None:
                    pressed = await table.press(CY, replace(answer, reply=answer.reply.also[0]), button.label)
                    assert not pressed.changed
                    lines.append(shown(pressed.reply))
            for action in (Undo(), Redo()):
                asked_for = await table.done(BO, action)
                lines.append(shown(asked_for.reply))
                lines.append(shown((await table.press(ANNA, asked_for, "Agree")).reply))
            read.append(lines)
    assert read[0] == read[1]


def _hidden_dice(encounter: Encounter) -> None:
    encounter.row.settings["melee_dice"] = "hidden"


@pytest.mark.rule("CB-SCORE-09", "CB-MISS-13")
async def test_what_is_asked_of_a_mission_stays_private_when_it_is_counted_early(table: Table) -> None:
    await table.done(ANNA, StartDemo())
    await table.done(BO, JoinEncounter("Edo"))
    await table.done(ANNA, ChooseSecretly("Escort", target="Smap"))
    await table.done(ANNA, NextStep())
    assert (
        "Missions are scored after the last turn. To end the game earlier, use /mission stop."
        in await table.refused(ANNA, ScoreMission())
    )
    question = await table.do(ANNA, ScoreMission(), reason="we stop early")
    assert "within 2 in" in question.reply.text
    assert question.reply.private
    assert not question.changed
    refused = await table.press(ANNA, question, "Yes")
    assert (
        "Missions are scored after the last turn. To end the game earlier, use /mission stop."
        in refused.reply.text
    )
    counted = await table.press(ANNA, refused, "Override...", reason="we stop early")
    assert counted.changed
    assert "Override by anna: we stop early" in counted.reply.text


@pytest.mark.rule("CB-MISS-08")
async def test_nobody_lays_a_captive_by_hand(ring: Ring) -> None:
    for name in ("captive 8", "Captive 99999", "captive  12"):
        text = await ring.refused(ANNA, TakeToken(name, "Sally"))
        assert "/mission subdue" in text
    await ring.ask(ANNA, TakeToken("captive of war", "Sally"))
    shows = await ring.ask(BO, ShowMissions())
    assert "captive of war: Sally Starfield" in shows
