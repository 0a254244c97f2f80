"""Cards that were seen go back to a hidden deck only with the other side's word, and everybody reads it."""

from __future__ import annotations

import pytest

from bot.actions import Action
from bot.games.fracd_earth.area_actions import AreaAttack
from bot.games.fracd_earth.check_actions import DrawByHand, FigureCheck
from bot.table.journal.history import Undo
from tests.bot.fracd_earth.duel import ANNA, BO, Duel
from tests.bot.fracd_earth.test_previews import acts

LOOKS: list[tuple[Action, str]] = [
    (FigureCheck("Rook", "body"), "anna has already seen the next"),
    (DrawByHand("Rook", 3), "anna has already seen the next 3 cards in their deck."),
    (AreaAttack("Ember", 6, 4), "anna has already seen the next"),
]


@pytest.mark.parametrize(("looks", "told"), LOOKS)
async def test_who_has_seen_cards_asks_before_they_go_back(duel: Duel, looks: Action, told: str) -> None:
    """Else the same cards, known by now, would serve another decision, or would be got rid of."""
    await acts(duel, "Ember")
    await duel.ask(ANNA, looks)
    asked = await duel.table.done(ANNA, Undo())
    assert asked.reply.lines[0] == "anna asks bo to agree to undo this:"
    assert any(line.startswith(told) for line in asked.reply.lines)
    assert "of clubs" not in asked.reply.text
    undone = await duel.table.press(BO, asked, "Agree")
    assert undone.reply.lines[0].startswith("Undone: ")
    assert any(line.startswith(told) for line in undone.reply.lines)


async def test_the_other_side_takes_it_back_with_the_word_of_who_drew(duel: Duel) -> None:
    await acts(duel, "Ember")
    await duel.ask(ANNA, FigureCheck("Rook", "body"))
    asked = await duel.table.done(BO, Undo())
    assert asked.reply.lines[0] == "bo asks anna to agree to undo this:"
    undone = await duel.table.press(ANNA, asked, "Agree")
    assert any(line.startswith("anna has already seen the next") for line in undone.reply.lines)
