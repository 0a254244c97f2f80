"""What follows in a game of Frac'd Earth when players put a figure under a condition, or end one, by hand."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.fracd_earth import veils
from bot.replies.reply import Reply
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.encounter import Encounter
from rules.effects import Gain, Lose
from rules.systems.fracd_earth.profile import HIDDEN


class ByHand:
    """The part of the game that answers conditions set by hand."""

    def under(self, encounter: Encounter, model: ModelRow) -> Sequence[str]:
        """Its conditions."""
        return [row.kind for row in encounter.conditions(model.id)]

    def afflict(self, act: Act, model: ModelRow, kind: str, value: int) -> Reply:
        """The condition as it is."""
        act.encounter.apply([Gain(model.id, kind, value, source="by hand")])
        return Reply(())

    def relieve(self, act: Act, model: ModelRow, kinds: Sequence[str]) -> Reply:
        """Who is hidden no more leaves no tokens behind. Rules: FE-HID-01."""
        if HIDDEN in kinds:
            veils.forget(act.encounter, model.id)
        act.encounter.apply([Lose(model.id, kind) for kind in kinds])
        return Reply(())
