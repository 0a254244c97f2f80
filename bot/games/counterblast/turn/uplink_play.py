"""The check of a machine that is activated without uplink."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core.common import carry_through, settings, spend_order
from bot.games.counterblast.core.rolls import asked, finish, passing_odds, ref
from bot.games.counterblast.core.telling import Telling, offers
from bot.games.counterblast.core.words import dice_words, why_check
from bot.games.counterblast.turn.uplink import DUE, LIMITED, UPLINK
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.handlers import handles
from bot.table.rolling.throws import Whose
from rules.effects import Assign, Propose
from rules.refusals import InvalidInput
from rules.systems.counterblast.building.crew import prepare_uplink, uplink
from rules.systems.counterblast.core.conditions import Event, ended_by
from rules.systems.counterblast.core.fighter import Counter
from rules.systems.counterblast.turn.activation import ACTIONS


@dataclass(frozen=True, slots=True)
class Uplink(Action):
    """A machine without uplink checks whether it acts."""

    command = "cb.uplink"

    model: str = ""
    order: bool = False
    odds: bool = False


@handles(Uplink)
def check_uplink(act: Act, action: Uplink) -> Reply:
    """INT at 5: one basic Move and a shot at the closest, or nothing this turn."""
    model = asked(act, action.model)
    if model.count(UPLINK) != DUE:
        raise InvalidInput(f"{model.name} needs no uplink check now.")
    plain, ordered = (
        prepare_uplink(model, order_token=order, settings=settings(act)) for order in (False, True)
    )
    asks = replace(action, model=ref(model), odds=False)
    act.canonical = asks
    if action.odds:
        return passing_odds(act, model, ("acts", "INT"), uplink, (plain, ordered), asks)
    if action.order:
        spend_order(act, model.side)
    prepared = ordered if action.order else plain
    acts = act.roll(Whose(model.name, "INT check", "for its uplink"), uplink, (prepared.throw,))
    carry_through(act, ended_by(model, Event.INT_CHECKED))
    telling = Telling(why=why_check(prepared, f"{model.name}, no uplink"))
    carry_through(act, [Assign("model", model.id, UPLINK, LIMITED if acts else 0)])
    if acts:
        telling.lines += [f"{model.name} acts without uplink.", "One Move; shots at the closest only."]
    else:
        carry_through(act, [Assign("model", model.id, Counter.ACTIONS, ACTIONS)])
        telling.lines.append(f"{model.name} idles: no uplink.")
    return finish(act, telling, [dice_words(prepared, "INT")])


@offers("uplink")
def _uplink(proposal: Propose) -> tuple[str, Action]:
    return "Uplink check", Uplink(f"#{proposal.model}")
