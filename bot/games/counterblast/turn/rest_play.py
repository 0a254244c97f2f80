"""The rest of a turn let pass, so that who is shown the game comes to its Upkeep."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.counterblast.core.common import read_bag, write_bag
from bot.games.counterblast.core.fighters import fighters
from bot.games.counterblast.core.owed import settled_first
from bot.games.counterblast.core.tokens import carried
from bot.games.counterblast.turn.activations import active, ended_activation, require_driven
from bot.games.counterblast.turn.bag_play import done
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.handlers import handles
from bot.table.owners import decided_by
from rules.effects import Assign
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.turn import activation
from rules.systems.counterblast.turn.bag import Bag


@dataclass(frozen=True, slots=True)
class LetRestPass(Action):
    """Everybody who has not acted yet is done, by who plays all sides."""

    command = "bag.rest"
    decision_of = decided_by(lambda act, action: [side.id for side in act.encounter.sides()])


@handles(LetRestPass)
def let_rest_pass(act: Act, action: LetRestPass) -> Reply:
    """The bag is empty and nobody is left to act. Rules: CB-BAG-07."""
    encounter = act.encounter
    for side in encounter.sides():
        act.require_side(side.id)
    now, waits = read_bag(encounter), settled_first(act)
    if waits is not None:
        return waits
    require_driven(act)
    for model in active(encounter):
        ended_activation(encounter, model)
    idle = [model.id for model in fighters(encounter) if activation.needs_activation(model)]
    carried(encounter, [Assign("model", number, Counter.ACTIVATED, 1) for number in idle])
    write_bag(encounter, Bag((0,) * now.crews, now.drawer, last_drawer=now.last_drawer))
    return done(act, ["The others pass."])
