"""The Minder at the table: it grapples a living model, then takes its mind; the model changes sides."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core.common import again, carry_through, could, named, pay, settings, spend_order
from bot.games.counterblast.core.fields import order
from bot.games.counterblast.core.rolls import asked, finish, odds_reply, ref, require_between
from bot.games.counterblast.core.telling import Telling, offers
from bot.games.counterblast.core.throwers import at
from bot.games.counterblast.core.words import dice_words, why_check
from bot.games.counterblast.melee.contact import held_by, part, touch
from bot.games.counterblast.setup.departures import heirs_asked
from bot.replies.chances import bars, exactness
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.encounter import set_counter
from bot.table.handlers import handles
from rules.effects import Gain, Propose
from rules.refusals import Forbidden, forbid
from rules.systems.counterblast.building.crew import LEADER
from rules.systems.counterblast.core.fighter import BORROWED_FEATURE, Fighter
from rules.systems.counterblast.melee.minder import (
    after_control,
    after_grapple,
    control,
    grapple,
    prepare_control,
    prepare_grapple,
)

HOLDS = "minder holds:"
"""Counter of a Minder: 1 while it may try to take the mind of the model whose number follows."""


@dataclass(frozen=True, slots=True)
class Grapple(Action):
    """A Minder attaches itself to a living model.

    charging: inches to the target when it charges, 0 when it touches it.
    """

    command = "cb.minder.grip"
    typed = "psi grapple"

    minder: str = fields.words("The Minder", offering.own_model, needed=True, called="model")
    target: str = fields.words("Whom", offering.foe, needed=True)
    charging: float = fields.inches("Inches to the target, when it charges", 0.0, 200.0, default=0.0)
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class TakeMind(Action):
    """A Minder takes the mind that it holds."""

    command = "cb.minder.mind"
    typed = "psi control"

    minder: str = fields.words("The Minder", offering.own_model, needed=True, called="model")
    target: str = fields.words("Whom it holds", offering.foe, needed=True)
    order: bool = order()
    odds: bool = fields.odds()


@handles(Grapple)
def grip(act: Act, action: Grapple) -> Reply:
    """STR against the target as in melee, no shields. Rules: CB-FEAT-38."""
    minder, target = asked(act, action.minder), named(act, action.target)
    require_between(action.charging, 0, 200, "Inches")
    charging = action.charging > 0
    attack, defence, dice = prepare_grapple(minder, target, charging=charging, settings=settings(act))
    asks = replace(action, minder=ref(minder), target=ref(target), odds=False)
    act.canonical = asks
    against = f"against {dice_words(defence, 'STR')}" if defence else "against nothing"
    said = [dice_words(attack, "STR"), against]
    if action.odds:
        could(act, minder, "charge" if charging else "fight")
        odds = act.solve(grapple, dice)
        held = odds.chance(bool)
        lines = [f"{minder.name} -> {target.name}", *said, *bars([("holds it", held), ("misses", 1 - held)])]
        return odds_reply(act, minder.side, [*lines, exactness(odds)], "Grapple", asks)
    most = 2 * minder.profile.mv
    if action.charging > most:
        forbid(f"{minder.name} charges {most} in at most.", "CB-CHARGE-01")
    pay(act, minder, "charge" if charging else "fight")
    if charging and not minder.is_engaged_with(target):
        touch(act, minder, target)
    attached = act.roll(at(minder.name, target.name), grapple, dice)
    telling = Telling(why=why_check(attack, f"{minder.name} grapples"))
    telling.lines.append(
        f"{minder.name} {'attaches itself to' if attached else 'cannot hold'} {target.name}."
    )
    telling.follow(act, after_grapple(minder, target, attached))
    if attached:
        act.encounter.model(minder.id).counters[f"{HOLDS}{target.id}"] = 1
    return finish(act, telling, said)


@offers("mind_control")
def _control_button(proposal: Propose) -> tuple[str, Action]:
    target = int(dict(proposal.details)["target"])
    return "Take its mind", TakeMind(f"#{proposal.model}", f"#{target}")


@handles(TakeMind)
def take_mind(act: Act, action: TakeMind) -> Reply:
    """Psionic dice at the target's Defense; its shields count. Rules: CB-FEAT-39."""
    minder, target = asked(act, action.minder), named(act, action.target)
    asks = replace(action, minder=ref(minder), target=ref(target), odds=False)
    act.canonical = asks
    chosen = settings(act)
    check, hit = prepare_control(minder, target, order_token=action.order, settings=chosen)
    said = [dice_words(check, "PSI")]
    row = act.encounter.model(minder.id)
    with act.overridable():
        if not row.counters.get(f"{HOLDS}{target.id}"):
            raise Forbidden(f"{minder.name} does not hold {target.name}: grapple first.", "CB-FEAT-39")
    if action.odds:
        odds = act.solve(control, (check.throw,), hit)
        took = odds.chance(bool)
        lines = [f"{minder.name} -> {target.name}", *said, *bars([("takes it", took), ("fails", 1 - took)])]
        return odds_reply(act, minder.side, [*lines, exactness(odds)], "Control", asks)
    if action.order:
        spend_order(act, minder.side)
    set_counter(row.counters, f"{HOLDS}{target.id}", 0)
    taken = act.roll(at(minder.name, target.name), control, (check.throw,), hit)
    telling = Telling(why=why_check(check, f"{minder.name} takes a mind"))
    effects = after_control(minder, target, taken, chosen)
    if not taken:
        carry_through(act, effects)
        telling.lines += [
            f"{target.name} resists {minder.name}.",
            "They are engaged: grapple again.",
        ]
        return finish(act, telling, said)
    telling.follow(act, [one for one in effects if not isinstance(one, Propose)])
    led = act.encounter.side(target.side).counters.get(LEADER, 0) == target.id
    _joins(act, minder, target)
    if led:
        unled, asking = heirs_asked(act.encounter, target.side)
        telling.follow(act, unled)
        telling.proposals += asking
    side = act.encounter.side(minder.side).name
    telling.lines += [f"{minder.name} takes {target.name}.", f"It is of {side} now, Controlled."]
    return finish(act, telling, said)


def _joins(act: Act, minder: Fighter, target: Fighter) -> None:
    """The taken model is the Minder's player's, Controlled, and holds none of its new friends."""
    row = act.encounter.model(target.id)
    row.side, row.owner_id = minder.side, act.encounter.model(minder.id).owner_id
    carry_through(act, (Gain(target.id, BORROWED_FEATURE + "controlled", source="Minder"),))
    now = again(act, target)
    for other in held_by(act, target):
        if other.side == now.side:
            part(act, now, other)
