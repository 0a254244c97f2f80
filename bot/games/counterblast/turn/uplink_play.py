"""The check of a machine that is activated without uplink."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core.common import carry_through, settings, token_price
from bot.games.counterblast.core.rolls import asked, ref
from bot.games.counterblast.core.telling import Telling, offers
from bot.games.counterblast.core.throwing import Finishing, ReadyCheck, passing
from bot.games.counterblast.core.words import dice_words, why_check
from bot.games.counterblast.turn.uplink import DUE, LIMITED, UPLINK
from bot.table.act import Act
from bot.table.rolling.throws import Whose
from bot.table.steps import Chances, as_done, in_steps
from rules.dice import Dice
from rules.effects import Assign, Propose
from rules.refusals import InvalidInput
from rules.systems.counterblast.building.crew import prepare_uplink, uplink
from rules.systems.counterblast.core.conditions import Event, ended_by
from rules.systems.counterblast.core.fighter import Counter, Fighter
from rules.systems.counterblast.turn.activation import ACTIONS


@dataclass(frozen=True, slots=True)
class Uplink(Action):
    """A machine without uplink checks whether it acts."""

    command = "cb.uplink"

    model: str = ""
    order: bool = False
    odds: bool = False


@dataclass(frozen=True, slots=True)
class ReadyUplink(ReadyCheck):
    """The check of a machine without uplink."""

    model: Fighter | None = None


@in_steps(Uplink)
class CheckingUplink(Finishing[Uplink, ReadyUplink, bool]):
    """INT at 5: one basic Move and a shot at the closest, or nothing this turn."""

    def prepare(self, act: Act, action: Uplink) -> ReadyUplink:
        """Where it is due. Raises InvalidInput, Forbidden."""
        model = asked(act, action.model)
        if model.count(UPLINK) != DUE:
            raise InvalidInput(f"{model.name} needs no uplink check now.")
        act.canonical = replace(as_done(action), model=ref(model))
        check = prepare_uplink(model, order_token=action.order, settings=settings(act))
        return ReadyUplink(check, token_price(act, model, spent=action.order), model)

    def whose(self, action: Uplink, ready: ReadyUplink) -> Whose:
        """The machine's."""
        return Whose(_machine(ready).name, "INT check", "for its uplink")

    def rule(self, dice: Dice, ready: ReadyUplink) -> bool:
        """Whether it acts."""
        return uplink(dice, (ready.prepared.throw,))

    def settle(self, act: Act, action: Uplink, ready: ReadyUplink, outcome: bool) -> Telling:
        """It acts a little, or idles."""
        model = _machine(ready)
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

    def chances(self, act: Act, action: Uplink, ready: ReadyUplink) -> Chances:
        """Whether it acts."""
        odds = act.solve(self.rule, ready)
        return passing(_machine(ready).name, "acts", odds, dice_words(ready.prepared, "INT"))


def _machine(ready: ReadyUplink) -> Fighter:
    assert ready.model is not None, "it is prepared"
    return ready.model


@offers("uplink")
def _uplink(proposal: Propose) -> tuple[str, Action]:
    return "Uplink check", Uplink(f"#{proposal.model}")
