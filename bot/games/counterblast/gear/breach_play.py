"""Breaching Charges at the table: placed by one action, set off by another, with what the blast does."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.building.draft_text import draft_of, row_text
from bot.games.counterblast.core.common import again, carry_through, named, own, pay, settings, spend_order
from bot.games.counterblast.core.fields import order
from bot.games.counterblast.core.fighters import fighters
from bot.games.counterblast.core.rolls import asked, finish, model_choices, passing_odds, ref, wound
from bot.games.counterblast.core.telling import Telling
from bot.games.counterblast.core.throwers import harmed
from bot.games.counterblast.core.words import dice_words, why_check
from bot.games.counterblast.gear.relic_play import luck
from bot.games.counterblast.ground.structures import kinds
from bot.games.counterblast.ground.suggestions import structure_kind
from bot.replies.reply import Menu, Reply
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.encounter import set_counter
from bot.table.handlers import handles
from bot.table.names import find
from bot.table.rolling.throws import Whose
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.conditions import Event, ended_by
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Gear
from rules.systems.counterblast.gear.breaching import (
    blast_impact,
    blast_wounds,
    breach,
    is_hit,
    prepare_breach,
    require_charge,
)
from rules.systems.counterblast.gear.items import require_item
from rules.systems.counterblast.gear.relics import after_check

CHARGE = "charge placed:"
"""Counters of a side that begin so: charges on the table, by key."""

TESTED = "breach tests:"
"""Counters of the encounter that begin so: charges set off in vain, by kind of structure and spot."""

LONGEST_SPOT = 20

CHARGES = ("breaching_charge", "heavy_breaching_charge")


@dataclass(frozen=True, slots=True)
class PlaceCharge(Action):
    """Place a Breaching Charge on a structure in contact."""

    command = "cb.charge.place"
    typed = "gear charge"

    model: str = fields.words("Who", offering.own_model, needed=True)
    heavy: bool = fields.switch("A heavy one")


@dataclass(frozen=True, slots=True)
class Detonate(Action):
    """Set off a Breaching Charge that your crew placed.

    near, far: models within 1 in, on this side and beyond. spot: which one of several structures of a
    kind.
    """

    command = "cb.charge.blow"
    typed = "gear breach"
    said_first = ("model", "structure", "near", "far", "heavy", "spot", "order", "odds")

    model: str = fields.words("Who", offering.own_model, needed=True)
    structure: str = fields.words("What is breached", structure_kind, needed=True)
    heavy: bool = fields.switch("A heavy one")
    near: tuple[str, ...] = fields.listed("Who is within 1 in, with commas", offering.several_models)
    far: tuple[str, ...] = fields.listed("Who is beyond it, within 1 in", offering.several_models)
    spot: str = fields.text("Which one, if there are several", None)
    order: bool = order()
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class BlastHits(Action):
    """Models within 1 in of a charge that a side set off. further: the other side is asked next."""

    command = "cb.charge.hits"

    heavy: bool = False
    side: str = ""
    models: tuple[int, ...] = ()
    by: int = 0
    further: bool = False


SIDES = ("this side", "the far side")
"""Of the structure that was breached."""


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
    model = asked(act, action.model)
    key = _key(heavy=action.heavy)
    charge = load().gear[key]
    kind = find(action.structure, kinds(), lambda row: row.name, "kind of structure")
    spot = " ".join(action.spot.split())[:LONGEST_SPOT].casefold()
    tests = f"{TESTED}{kind.key}{f':{spot}' if spot else ''}"
    earlier = act.encounter.count(tests)
    asks = replace(action, model=ref(model), structure=kind.name, spot=spot, odds=False)
    act.canonical = asks
    plain, ordered = (
        prepare_breach(model, kind.key, charge, earlier, order_token=order, settings=settings(act))
        for order in (False, True)
    )
    if action.odds:
        words = (f"breaches the {kind.name}", "INT")
        return passing_odds(act, model, words, breach, (plain, ordered), asks)
    counters = act.encounter.side(model.side).counters
    with act.overridable():
        if not counters.get(CHARGE + key):
            raise Forbidden("Its crew has placed no such charge.", "CB-GEAR-28")
    pay(act, model, "item")
    if action.order:
        spend_order(act, model.side)
    set_counter(counters, CHARGE + key, max(0, counters.get(CHARGE + key, 0) - 1))
    ready = ordered if action.order else plain
    opened = act.roll(Whose(model.name, "breach", f"of the {kind.name}"), breach, (ready.throw,))
    carry_through(act, [*ended_by(model, Event.INT_CHECKED), *after_check(model, "engineering")])
    set_counter(act.encounter.row.counters, tests, 0 if opened else earlier + 1)
    telling = Telling(why=why_check(ready, f"{model.name}, {charge.name}"))
    telling.lines.append(
        f"{model.name} {'blows a hole in' if opened else 'does not breach'} the {kind.name}."
    )
    telling.lines += (
        ["Bases up to Medium pass through it."]
        if opened
        else [f"The next charge there gets {earlier + 1:+d}."]
    )
    for names, far_side in ((action.near, False), (action.far, True)):
        for name in names:
            target = again(act, named(act, name))
            if is_hit(0, far_side=far_side, breached=opened):
                _hit(act, telling, target, charge, model.side)
    reply = finish(act, telling, [dice_words(ready, "INT")], *luck(act, model, failed=not opened))
    if action.near or action.far:
        return reply
    return replace(reply, menus=_who_is_near(act, model.side, heavy=action.heavy, opened=opened))


def _who_is_near(act: Act, by: int, *, heavy: bool, opened: bool) -> tuple[Menu, ...]:
    """Menus that ask whom the blast hits; beyond the structure only through a hole. Rules: CB-GEAR-30."""
    sides = SIDES if opened else SIDES[:1]
    asks = [BlastHits(heavy, side, by=by, further=opened) for side in sides]
    return tuple(menu for one in asks for menu in _near_menu(act, one))


def _near_menu(act: Act, asks: BlastHits) -> tuple[Menu, ...]:
    choices = model_choices(fighters(act.encounter))
    prompt = f"Who is within 1 in, {asks.side}?"
    return (Menu(prompt, asks, "models", choices, 1, len(choices)),) if choices else ()


@handles(BlastHits)
def blast_hits(act: Act, action: BlastHits) -> Reply:
    """Everybody chosen takes the hit. Rules: CB-GEAR-30, CB-GEAR-31."""
    act.require_player()
    if not action.models:
        raise InvalidInput("Choose who is within 1 in.")
    charge = load().gear[_key(heavy=action.heavy)]
    telling = Telling()
    for number in action.models:
        _hit(act, telling, named(act, f"#{number}"), charge, action.by)
    rest = [replace(action, side=side, models=(), further=False) for side in SIDES if side != action.side]
    menus = [menu for asks in rest if action.further for menu in _near_menu(act, asks)]
    return replace(finish(act, telling), menus=tuple(menus))


def _hit(act: Act, telling: Telling, target: Fighter, charge: Gear, by: int) -> None:
    """by: the side that set it off. Rules: CB-GEAR-30, CB-GEAR-31, CB-SCORE-02."""
    wounds = act.roll(
        harmed(target.name, f"the {charge.name}"), blast_wounds, blast_impact(target, charge, settings(act))
    )
    wound(act, telling, target, wounds, "by the blast", striker=by)
