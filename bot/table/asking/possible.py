"""Of what may stand in a field: what is possible now, tried on the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.actions import ODDS, Action, Part, Raw, doer, raw_of
from bot.table.asking.kinds import MOST_CHOICES, Offer, OneOf, TableKind
from bot.table.asking.legal import Looking, asked_in_form, asks_back
from bot.table.asking.offering import foe, own_sides
from bot.table.asking.options import needed
from bot.table.asking.things import Models
from bot.table.handlers import HANDLERS


def in_form(part: Part, value: Raw) -> Raw:
    """What is offered for a field as the field holds it: where several are written apart, one of them."""
    apart = part.wire == tuple[str, ...] and isinstance(part.kind, TableKind)
    return part.kind.typed(value) if apart else value  # type: ignore[attr-defined]


def possible(looking: Looking, action: Action, part: Part, offers: Sequence[Offer]) -> list[Offer]:
    """Of what must be chosen, what is possible, or only asks for more; if nothing is, all that may be meant.

    Of words that need not be said, those that may be possible by what else is filled in.
    """
    if not needed(part):
        return _left_open(looking, action, part, offers)
    who, said = doer(action.command), raw_of(action)
    always = {who.name} if who is not None else set[str]()
    if action.looks:
        always |= {ODDS}
    kept = {name: said[name] for name in always & set(said) if name != part.name}

    def fits(value: Raw) -> bool:
        reason = looking.legal(type(action), {**kept, part.name: value}).reason
        return not reason or asks_back(reason)

    good = [one for one in offers[:MOST_CHOICES] if fits(in_form(part, one.value))]
    return good or _enemies(looking, action, part, offers) or list(offers)


def _left_open(looking: Looking, action: Action, part: Part, offers: Sequence[Offer]) -> list[Offer]:
    """Of a few words those that are not refused whatever the other fields say; where all are, all."""
    if not isinstance(part.kind, OneOf) or HANDLERS[action.command].beforehand is not None:
        return list(offers)
    others = asked_in_form(action) - {part.name}
    good = [one for one in offers if not looking.refuses(replace(action, **{part.name: one.value}), others)]
    return good or list(offers)


def _enemies(looking: Looking, action: Action, part: Part, offers: Sequence[Offer]) -> list[Offer]:
    """Of models offered as enemies first, the enemies alone: where nothing is possible no friend is meant."""
    act = looking.act(action)
    if not (isinstance(part.kind, Models) and part.kind.names is foe and act.has_encounter):
        return []
    own = own_sides(act, action)
    return [one for one in offers if act.encounter.find_model(str(one.value)).side not in own]
