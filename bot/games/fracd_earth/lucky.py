"""What Frac'd Earth's cards are worth to who draws them. A Buff or a Push is not luck but a choice."""

from __future__ import annotations

from bot.games.fracd_earth.players import player
from bot.table.act import Act
from bot.table.luck.worths import counts
from bot.table.rolling.throws import Whose
from rules.systems.fracd_earth.deck import Deck, cards_drawn, top_card
from rules.systems.fracd_earth.settings import Settings

counts(top_card, float)


def drawn(act: Act, number: int, before: Deck, hand: tuple[int, ...], settings: Settings) -> None:
    """Tell who listens which cards a player drew of all that were left. before: his cards as they were."""
    whose = Whose(act.encounter.side(player(act.encounter, number).side).name, "card", "")
    for left, came in cards_drawn(before, hand, settings):
        act.drew(whose, top_card, came, left)
