"""What whole games cost a channel and its readers: messages, mentions, and what stands to be pressed.

To write the table of the players' guide anew:
    python -m tests.golden.test_budgets
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from bot.actions import BadId
from bot.ids import unpack
from bot.local.seen import EventKind, Message, MessageControl, walk
from tests.cards import watch
from tests.golden.test_pressed_games import GAMES, GUIDE, script

WHOLE = ("Counterblast", "Infinity", "Warzone", "sol'una", "Frac'd Earth")

MAX_MESSAGES: Mapping[str, int] = {
    "Counterblast": 120,
    "Infinity": 40,
    "Warzone": 40,
    "sol'una": 120,
    "Frac'd Earth": 40,
}
"""Messages that a whole game may leave in its channel; Counterblast's is one of eight turns."""

MAX_CONTROLS = 12
"""Controls that stand at once."""

MAX_COMPONENTS, MAX_LETTERS = 40, 4000

HEAD = "| game | messages | mentions | most controls at once | largest message |\n|---|---|---|---|---|\n"


@dataclass(frozen=True, slots=True)
class Cost:
    """One whole game.

    messages: that stay in the channel. mentions: messages that notified somebody. controls: the most that
    could be pressed between two presses, those of one question counted once. components, letters:
    those of the largest message.
    """

    messages: int
    mentions: int
    controls: int
    components: int
    letters: int

    def row(self, game: str) -> str:
        largest = f"{self.components} components, {self.letters:,} characters"
        return f"| {game} | {self.messages} | {self.mentions} | {self.controls} | {largest} |\n"


def asked(control: MessageControl) -> str:
    """What a control asks: names, or faces, of one question ask the same."""
    try:
        tag = unpack(control.custom_id or "")
    except BadId:
        return control.custom_id or ""
    return (control.custom_id or "") if control.label.endswith("...") else f"{tag.action.command} {tag.part}"


def standing(messages: Mapping[int, Message]) -> int:
    controls = [one for message in messages.values() for one in message.controls if not one.disabled]
    return len({asked(one) for one in controls})


@cache
def cost(game: str) -> Cost:
    with tempfile.TemporaryDirectory() as folder:
        seen, _ = asyncio.run(watch(script(GAMES[game]), Path(folder)))
    public: dict[int, Message] = {}
    mentions = controls = components = letters = 0
    for _, came in seen.came_of:
        for event in came:
            shown = event.message
            if event.kind is EventKind.DELETE and event.before is not None:
                public.pop(event.before.id, None)
            if event.kind not in (EventKind.MESSAGE, EventKind.EDIT) or shown is None:
                continue
            components = max(components, len(list(walk(shown.components))))
            letters = max(letters, len(shown.text))
            if event.only_for is None:
                public[shown.id] = shown
                mentions += event.kind is EventKind.MESSAGE and bool(shown.pings)
        controls = max(controls, standing(public))
    return Cost(len(public), mentions, controls, components, letters)


def table() -> str:
    return HEAD + "".join(cost(game).row(game) for game in WHOLE)


@pytest.mark.parametrize("game", WHOLE)
def test_a_whole_game_keeps_within_its_budget(game: str) -> None:
    spent = cost(game)
    assert spent.messages <= MAX_MESSAGES[game]
    assert spent.controls <= MAX_CONTROLS
    assert (spent.components, spent.letters) <= (MAX_COMPONENTS, MAX_LETTERS)
    assert spent.row(game) in GUIDE.read_text(encoding="utf-8")


if __name__ == "__main__":
    before, _, after = GUIDE.read_text(encoding="utf-8").partition(HEAD)
    rest = after.splitlines(keepends=True)[len(WHOLE) :]
    GUIDE.write_text(before + table() + "".join(rest), encoding="utf-8")
