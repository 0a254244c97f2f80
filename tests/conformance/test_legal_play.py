"""What the table calls legal can be done: games of all systems, chosen at random from that alone.

Never refused, never faulty, and undone to the start byte for byte. `legal_play.py` has a longer form.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.app import ALL_GAMES
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.handlers import HANDLERS
from rules.refusals import InvalidInput
from tests.conformance import legal_play
from tests.conformance.legal_play import Wanderer, played

SYSTEMS = [game.key for game in ALL_GAMES]

STEPS = {"soluna": 80}
"""Steps of one game where they are fewer than in others: each looks at a whole board."""

KINDS = {"counterblast": 40, "infinity": 15, "warzone": 20, "soluna": 12, "fracd_earth": 20}
"""Kinds of actions that a game of this length shows at the least, where that is more than a few."""

FEW = 5


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("system", SYSTEMS)
async def test_what_is_legal_is_never_refused_and_all_of_it_is_undone(
    file: Path, system: str, number: int
) -> None:
    wanderer = await played(file, system, number, STEPS.get(system, 200))
    assert not wanderer.wrong
    assert len(wanderer.done) >= KINDS.get(system, FEW)


async def test_a_refusal_after_the_dice_is_noticed(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def late(act: Act, action: Any) -> Reply:
        act.roll("d6", lambda dice: dice.face(6, "late"))
        raise InvalidInput("Too late.")

    handler = HANDLERS["fe.check"]
    monkeypatch.setitem(HANDLERS, "fe.check", replace(handler, run=late, prepare=None, may=None))
    wanderer = await played(file, "fracd_earth", 1, 200)
    assert any("Too late." in one for one in wanderer.wrong)


@pytest.mark.parametrize(("wrong", "code"), [([], 0), (["bo FeCheck(): Too late."], 1)])
def test_the_long_form_ends_badly_where_something_was_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], wrong: list[str], code: int
) -> None:
    async def known(file: Path, system: str, number: int, steps: int) -> Wanderer:
        return Wanderer(None, system, number, wrong=wrong)  # type: ignore[arg-type]

    monkeypatch.setattr(legal_play, "played", known)
    assert legal_play.main(["--game", "fracd_earth", "--steps", "1"]) == code
    assert all(one in capsys.readouterr().out for one in wrong)
