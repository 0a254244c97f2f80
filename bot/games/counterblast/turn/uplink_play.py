"""The check of a machine that is activated without uplink."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action, numbered
from bot.games.counterblast.core.common import carry_through, settings, token_price
from bot.games.counterblast.core.fields import who
from bot.games.counterblast.core.narration import Finishing, ReadyCheck, Telling, offers, passing
from bot.games.counterblast.core.words import dice_words, why_check
from bot.games.counterblast.turn.uplink import DUE, LIMITED, UPLINK
from bot.table.act import Act
from bot.table.rolling.throws import Whose
from bot.table.steps import Chances, in_steps
from rules.dice import Dice
from rules.effects import Assign, Propose
from rules.refusals import InvalidInput
from rules.systems.counterblast.building.crew import prepare_uplink, uplink
from rules.systems.counterblast.core.conditions import Event, ended_by
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.turn.activation import ACTIONS


@dataclass(frozen=True, slots=True)
class Uplink(Action):
    """A machine without uplink checks whether it acts."""

    command = "cb.uplink"

    model: Fighter = who("")
    order: bool = False
    odds: bool = False


@in_steps(Uplink)
class CheckingUplink(Finishing[Uplink, ReadyCheck, bool]):
    """INT at 5: one basic Move and a shot at the closest, or nothing this turn."""

    def prepare(self, act: Act, action: Uplink) -> ReadyCheck:
        """Where it is due. Raises InvalidInput, Forbidden."""
        model = action.model
        if model.count(UPLINK) != DUE:
            raise InvalidInput(f"{model.name} needs no uplink check now.")
        check = prepare_uplink(model, order_token=action.order, settings=settings(act))
        return ReadyCheck(check, token_price(act, model, spent=action.order))

    def whose(self, action: Uplink, ready: ReadyCheck) -> Whose:
        """The machine's."""
        return Whose(action.model.name, "INT check", "for its uplink")

    def rule(self, dice: Dice, ready: ReadyCheck) -> bool:
        """Whether it acts."""
        return uplink(dice, (ready.prepared.throw,))

    def settle(self, act: Act, action: Uplink, ready: ReadyCheck, outcome: bool) -> Telling:
        """It acts a little, or idles."""
        model = action.model
        carry_through(act, (*ready.due, *ended_by(model, Event.INT_CHECKED)))
        why = why_check(ready.prepared, f"{model.name}, no uplink")
        telling = Telling(why=why, dice=[dice_words(ready.prepared, "INT")])
        carry_through(act, [Assign("model", model.id, UPLINK, LIMITED if outcome else 0)])
        if outcome:
            telling.lines += [f"{model.name} acts without uplink.", "One Move; shots at the closest only."]
        else:
            carry_through(act, [Assign("model", model.id, Counter.ACTIONS, ACTIONS)])
            telling.lines.append(f"{model.name} idles: no uplink.")
        return telling

    def chances(self, act: Act, action: Uplink, ready: ReadyCheck) -> Chances:
        """Whether it acts."""
        odds = act.solve(self.rule, ready)
        return passing(action.model.name, "acts", odds, dice_words(ready.prepared, "INT"))


@offers("uplink")
def _uplink(proposal: Propose) -> tuple[str, Action]:
    return "Uplink check", Uplink(numbered(proposal.model))
