"""What follows in a game of Counterblast when players change a model by hand: wounds, conditions, leaving."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.counterblast.core.common import again, carry_through
from bot.games.counterblast.core.fighters import WAS_LEADER, fighter
from bot.games.counterblast.core.narration import Telling
from bot.games.counterblast.ground import flames
from bot.games.counterblast.turn.activations import ended_activation
from bot.replies.reply import Reply
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.encounter import Encounter
from rules.effects import Assign, Leave, Lose
from rules.systems.counterblast.building.crew import LEADER
from rules.systems.counterblast.core.conditions import going_down
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Condition
from rules.systems.counterblast.turn.manual_conditions import ended, put_under


class ByHand:
    """The part of the game that answers changes by hand."""

    def harmed(self, act: Act, model: ModelRow) -> Sequence[str]:
        """A model whose Life is used up goes down; one that was healed stands again."""
        shown = fighter(act.encounter, model)
        if shown.is_down and not shown.count(Counter.DOWN):
            carry_through(act, going_down(shown, max(1, act.encounter.row.turn)))
            return ["It goes down. Heal it before Upkeep."]
        if not shown.is_down and model.counters.pop(Counter.DOWN, 0):
            return ["It is up again."]
        return []

    def leave(self, act: Act, model: ModelRow, how: str) -> Reply:
        """It lets go of everybody, tokens drop, and a crew that lost its leader names another.

        Rules: CB-MISS-03, CB-CREW-05, CB-CREW-06, CB-PANIC-02.
        """
        telling = Telling()
        telling.follow(act, [Leave(model.id, how)])
        return Reply(tuple(telling.proposal_lines()), buttons=telling.buttons(act))

    def returned(self, act: Act, model: ModelRow) -> Sequence[str]:
        """Who led its crew leads it again, unless somebody else does. Rules: CB-CREW-05."""
        led = model.counters.pop(WAS_LEADER, 0)
        side = act.encounter.side(model.side)
        if not led or side.counters.get(LEADER):
            return []
        carry_through(act, (Assign("side", side.id, LEADER, model.id),))
        return [f"It leads {side.name} again."]

    def under(self, encounter: Encounter, model: ModelRow) -> Sequence[str]:
        """Its conditions, and being engaged, which models keep of one another. Rules: CB-COND-03."""
        kinds = [row.kind for row in encounter.conditions(model.id)]
        engaged = fighter(encounter, model).is_engaged and Condition.ENGAGED not in kinds
        return [*kinds, *([Condition.ENGAGED] if engaged else [])]

    def afflict(self, act: Act, model: ModelRow, kind: str, value: int) -> Reply:
        """What a rule does that brings the condition about: tokens drop on panic, the stunned let go."""
        telling = Telling()
        telling.follow(act, put_under(fighter(act.encounter, model), Condition(kind), value))
        return Reply(tuple(telling.proposal_lines()), buttons=telling.buttons(act))

    def relieve(self, act: Act, model: ModelRow, kinds: Sequence[str]) -> Reply:
        """What a rule does that ends them: an activation is over, the engaged part."""
        telling, named = Telling(), set(Condition)
        for kind in kinds:
            now = again(act, fighter(act.encounter, model))
            if kind == Condition.ACTIVE:
                ended_activation(act.encounter, now)
            flames.forgive(act.encounter, now, kind)
            telling.follow(act, ended(now, Condition(kind)) if kind in named else [Lose(model.id, kind)])
        return Reply(tuple(telling.proposal_lines()), buttons=telling.buttons(act))
