"""Whatever is weighed is compared: every action of every game that is handled in steps and has other ways."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from bot.actions import ACTIONS
from bot.app import ALL_GAMES
from bot.replies.reply import Choice
from bot.table.handlers import HANDLERS, Place
from bot.table.session.encounters import NextStep, StartDemo
from bot.table.steps import as_asked
from tests.bot.tables import Table
from tests.bot.test_who_may import of_games, said
from tests.conformance.test_answers import Sweeper

SYSTEMS = [game.key for game in ALL_GAMES]
FIRST = {"infinity": "Angus", "soluna": "Vey"}
"""Who acts in the sample game where nobody is activated: of the active side, or the first of the phase."""

TOLD = re.compile(r"^(Your choice is the best|Best|Your choice is the only one)?.* ([<>]?\d+|\d+ to \d+)\s+%")


def unlike_choices(choices: Sequence[Choice]) -> list[Choice]:
    """The first and the last, and that of which most is written: its lines must fit a phone, too."""
    return list(dict.fromkeys((choices[0], max(choices, key=lambda one: len(one.label)), choices[-1])))


@pytest.mark.usefixtures("odds_solved_once", "pictures_without_files")
@pytest.mark.parametrize("system", SYSTEMS)
async def test_what_is_weighed_is_compared(
    table: Table, caplog: pytest.LogCaptureFixture, system: str
) -> None:
    sweeper = Sweeper(table, caplog)
    await table.done("anna", StartDemo(system))
    await (table.done("anna", NextStep()) if system == "soluna" else sweeper.begin())
    encounter = await table.encounter()
    models = encounter.models()
    acting = sweeper.acting or FIRST.get(system, "")
    mine = next((model for model in models if model.name == acting), models[0])
    foe = next(model for model in models if model.side != mine.side)
    commands = [
        command
        for command in of_games()
        if HANDLERS[command].system == system
        and HANDLERS[command].weigh is not None
        and HANDLERS[command].place is Place.ENCOUNTER
    ]
    compared = 0
    for command in commands:
        deed = ACTIONS[command](**said(command, mine, foe, encounter.side(mine.side).name))
        odds = await table.do("anna", as_asked(deed))
        if not any(button.label == "Compare" for button in odds.reply.buttons):
            continue
        before = table.state()
        answer = await table.press("anna", odds, "Compare")
        compared += 1
        lines = answer.reply.lines
        assert answer.reply.private
        assert table.state() == before
        assert re.search(r" by [^:]+: \w", " ".join(lines[:3])), "it is told what is hoped for"
        assert answer.reply.files[0].words
        for menu in answer.reply.menus:
            for choice in unlike_choices(menu.choices):
                further = await table.choose("anna", answer, choice.value)
                assert further.reply.lines[-1].endswith("No dice were rolled."), further.reply.text
    assert compared or len(commands) < 2, "one deed of two figures may have only one way"
