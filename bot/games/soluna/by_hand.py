"""What follows in a game of sol'una when players put a model under a condition, or end one, by hand."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.soluna.common import carry_through, release
from bot.replies.reply import Reply
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.encounter import Encounter
from rules.effects import Effect, Gain, Lose
from rules.systems.soluna.models import Condition

SOURCE = "by hand"


class ByHand:
    """The part of the game that answers conditions set by hand."""

    def under(self, encounter: Encounter, model: ModelRow) -> Sequence[str]:
        """Its conditions."""
        return [row.kind for row in encounter.conditions(model.id)]

    def afflict(self, act: Act, model: ModelRow, kind: str, value: int) -> Reply:
        """Who is unconscious lies prone and holds nobody. Rules: SU-GRID-06."""
        effects: list[Effect] = [Gain(model.id, kind, value, source=SOURCE)]
        if kind == Condition.UNCONSCIOUS:
            effects.append(Gain(model.id, Condition.PRONE, source=SOURCE))
        act.encounter.apply(effects)
        free = release(act.encounter)
        return Reply((f"Held no more: {', '.join(free)}.",) if free else ())

    def relieve(self, act: Act, model: ModelRow, kinds: Sequence[str]) -> Reply:
        """What is over is over; who comes round stays prone."""
        carry_through(act, [Lose(model.id, kind) for kind in kinds])
        return Reply(())
