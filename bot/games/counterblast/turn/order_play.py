"""Order tokens by one command: which action each use of them is."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.counterblast.core.check_play import ClearPanic
from bot.games.counterblast.turn.bag_play import RedrawToken
from bot.games.counterblast.turn.group_menu import AskGroup
from bot.replies.reply import Reply, say
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.handlers import Place, handles
from bot.table.owners import ANYONE

AGAIN, STEADY, LARGER, BETTER = "draw again", "clear panic", "larger group", "+1 to a check"
MOST_TOKENS = 10


@dataclass(frozen=True, slots=True)
class SpendOrder(Action):
    """Spend an order token."""

    command = "order.spend"
    typed = "order spend"
    titled = "Order token"
    decision_of = ANYONE

    use: str = fields.one_of("What for", (AGAIN, STEADY, LARGER, BETTER), needed=True)
    tokens: int = fields.whole("How many, for a larger group", 1, MOST_TOKENS, default=1)

    def when_typed(self) -> Action:
        """The action that spends it; itself where that is said with a roll."""
        uses: dict[str, Action] = {
            AGAIN: RedrawToken(),
            STEADY: ClearPanic(),
            LARGER: AskGroup(self.tokens),
        }
        return uses.get(self.use, self)


@handles(SpendOrder, Place.NOWHERE)
def spend(act: Act, action: SpendOrder) -> Reply:
    """How a token makes a roll better."""
    return say(
        "Give order:true with the roll: /cb shoot,",
        "check, fight, rally ... then one token is",
        "spent and each die gets +1.",
        private=True,
    )
