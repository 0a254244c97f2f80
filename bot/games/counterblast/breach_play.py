"""Breaching Charges at the table: placed by one action, set off by another, with what the blast does."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.attacks import Telling
from bot.games.counterblast.checking import asked, finish, passing_odds, ref, wound
from bot.games.counterblast.common import again, named, own, pay, settings, spend_order
from bot.games.counterblast.draft_words import draft_of, row_text
from bot.games.counterblast.relic_play import luck
from bot.games.counterblast.structure_play import kinds
from bot.games.counterblast.words import dice_words, why_check
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.encounter import set_counter
from bot.table.handlers import handles
from bot.table.names import find
from rules.refusals import Forbidden
from rules.systems.counterblast.breaching import (
    blast_impact,
    blast_wounds,
    breach,
    is_hit,
    prepare_breach,
    require_charge,
)
from rules.systems.counterblast.conditions import Event, ended_by
from rules.systems.counterblast.items import require_item
from rules.systems.counterblast.library import load
from rules.systems.counterblast.relics import after_check

CHARGE = "charge placed:"
"""Counters of a side that begin so: charges on the table, by key."""

CHARGES = ("breaching_charge", "heavy_breaching_charge")


@dataclass(frozen=True, slots=True)
class PlaceCharge(Action):
    """Put a Breaching Charge on a structure in contact."""

    command = "cb.charge.place"

    model: str = ""
    heavy: bool = False


@dataclass(frozen=True, slots=True)
class Detonate(Action):
    """Set a charge off. near, far: models within 1 in, on this side and beyond; again: on the same spot."""

    command = "cb.charge.blow"

    model: str = ""
    structure: str = ""
    heavy: bool = False
    near: tuple[str, ...] = ()
    far: tuple[str, ...] = ()
    again: int = 0
    order: bool = False
    odds: bool = False


def _key(*, heavy: bool) -> str:
    return CHARGES[int(heavy)]


@handles(PlaceCharge)
def place(act: Act, action: PlaceCharge) -> Reply:
    """One action; the charge is carried no more. Rules: CB-GEAR-28."""
    model = own(act, action.model)
    key = _key(heavy=action.heavy)
    act.canonical = replace(action, model=ref(model))
    charge = require_item(model, key)
    require_charge(charge)
    pay(act, model, "item")
    row = act.encounter.model(model.id)
    draft = draft_of(row.profile)
    gear = list(draft.gear)
    gear.remove(key)
    row.profile = row_text(replace(draft, gear=tuple(gear)))
    set_counter(act.encounter.side(model.side).counters, CHARGE + key, 1, add=True)
    return finish(act, Telling([f"{model.name} places a {charge.name}."]))


@handles(Detonate)
def detonate(act: Act, action: Detonate) -> Reply:
    """Engineering at the structure's number; who is within 1 in is hit. Rules: CB-GEAR-28 to CB-GEAR-31."""
    model = asked(act, action.model, odds=action.odds)
    key = _key(heavy=action.heavy)
    charge = load().gear[key]
    kind = find(action.structure, kinds(), lambda row: row.name, "kind of structure")
    asks = replace(action, model=ref(model), structure=kind.name, odds=False)
    act.canonical = asks
    plain, ordered = (
        prepare_breach(model, kind.key, charge, action.again, order_token=order, settings=settings(act))
        for order in (False, True)
    )
    if action.odds:
        both = (replace(asks, order=False), replace(asks, order=True))
        words = (f"breaches the {kind.name}", dice_words(plain, "INT"))
        return passing_odds(act, model, words, breach, (plain, ordered), both)
    counters = act.encounter.side(model.side).counters
    with act.overridable():
        if not counters.get(CHARGE + key):
            raise Forbidden("Its crew has placed no such charge.", "CB-GEAR-28")
    pay(act, model, "item")
    if action.order:
        spend_order(act, model.side)
    set_counter(counters, CHARGE + key, max(0, counters.get(CHARGE + key, 0) - 1))
    ready = ordered if action.order else plain
    opened = act.roll(breach, (ready.throw,))
    act.encounter.apply([*ended_by(model, Event.INT_CHECKED), *after_check(model, "engineering")])
    telling = Telling(why=why_check(ready, f"{model.name}, {charge.name}"))
    telling.lines.append(
        f"{model.name} {'blows a hole in' if opened else 'does not breach'} the {kind.name}."
    )
    telling.lines += ["Bases up to Medium pass through it."] if opened else ["Another charge there gets +1."]
    for names, far_side in ((action.near, False), (action.far, True)):
        for name in names:
            target = again(act, named(act, name))
            if is_hit(0, far_side=far_side, breached=opened):
                wounds = act.roll(blast_wounds, blast_impact(target, charge, settings(act)))
                wound(act, telling, target, wounds, "by the blast")
    return finish(act, telling, [dice_words(ready, "INT")], *luck(act, model, failed=not opened))
