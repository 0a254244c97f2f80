"""What follows in a game of Infinity when players put a figure under a state, or end one, by hand."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.infinity import troops, veils
from bot.replies.reply import Reply
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.encounter import Encounter
from rules.effects import Effect, Gain, Lose
from rules.refusals import InvalidInput
from rules.systems.infinity.states import State, entered
from rules.systems.infinity.trooper import Condition


class ByHand:
    """The part of the game that answers states set by hand."""

    def under(self, encounter: Encounter, model: ModelRow) -> Sequence[str]:
        """What the figure is under, as everybody sees it."""
        return [row.kind for row in encounter.conditions(model.id)]

    def afflict(self, act: Act, model: ModelRow, kind: str, value: int) -> Reply:
        """A trooper is in one state between Normal and Dead at a time; who falls lies prone.

        Raises InvalidInput for a Marker. Rules: INF-WND-01, INF-SHA-01, INF-VAL-06.
        """
        _must_be_figure(act, model)
        states = {state.value: state for state in State}
        effects: Sequence[Effect] = [Gain(model.id, kind, value, source="by hand")]
        if kind in states:
            effects = entered(troops.trooper(act.encounter, model), states[kind])
        act.encounter.apply(effects)
        return Reply(())

    def relieve(self, act: Act, model: ModelRow, kinds: Sequence[str]) -> Reply:
        """Who is in no close combat any more lets go of whom it fought. Raises InvalidInput for a Marker."""
        _must_be_figure(act, model)
        fought = act.encounter.condition(model.id, Condition.CLOSE_COMBAT)
        act.encounter.apply([Lose(model.id, kind) for kind in kinds])
        if fought is not None and Condition.CLOSE_COMBAT in kinds:
            both = [
                row.model
                for other in act.encounter.models()
                for row in act.encounter.conditions(other.id)
                if row.kind == Condition.CLOSE_COMBAT and row.value == model.id
            ]
            act.encounter.apply([Lose(number, Condition.CLOSE_COMBAT) for number in both])
        return Reply(())


def _must_be_figure(act: Act, model: ModelRow) -> None:
    """Nothing is said by hand of who stands behind a Marker. Rules: INF-SEN-06."""
    if veils.is_marker(act.encounter, model.id):
        raise InvalidInput(f"{model.name} is a Marker: /inf reveal it first.")
