"""The Order under way and the reactions to it, as rows: what is declared openly, and what is still secret."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from bot.store.rows import SecretRow
from bot.table.encounter import Encounter
from rules.refusals import InvalidInput

ORDER, REACTION = "order", "reaction"
"""Kinds of secret rows; that of the Order is open to all from the start."""

WAIT, NOTHING = "wait", "nothing"
"""Reactions that are no Skill: hold the ARO, let it go."""

ATTACKS = frozenset({"shoot", "fight"})


@dataclass(frozen=True, slots=True)
class Mark:
    """One target: inches, dice at it (0: all), whether it is in cover, whether the attack comes unseen."""

    model: int
    inches: float = 0.0
    dice: int = 0
    cover: bool = False
    unseen: bool = False


@dataclass(frozen=True, slots=True)
class Order:
    """An Order as it was declared.

    model: who was activated. was: the Marker state, or Hidden Deployment, it began in. parts: what the Skills
    so far take of the Order. first, skill: the Skills' words. entry: the journal's number of the declaration.
    asked: models whose reaction is waited for. cover: the active trooper's own, from its targets.
    patient: whom a Skill that is no attack is about; behind_cover: it is in cover. area: Markers in the area.
    """

    row: int
    side: int
    model: int
    entry: int = 0
    was: str = ""
    parts: tuple[str, ...] = ()
    first: str = ""
    skill: str = ""
    weapon: str = ""
    mode: str = "direct"
    marks: tuple[Mark, ...] = ()
    cover: bool = False
    surprise: bool = False
    martial_arts: int = 0
    berserk: bool = False
    assault: bool = False
    allies: int = 0
    mod: int = 0
    zero_visibility: bool = False
    visibility: int = 0
    patient: int = 0
    behind_cover: bool = False
    area: tuple[int, ...] = ()
    asked: tuple[int, ...] = ()

    def mark(self, model: int) -> Mark | None:
        """The mark on a model, None where it is no target."""
        return next((mark for mark in self.marks if mark.model == model), None)

    @property
    def attacks(self) -> bool:
        """Whether it is an attack."""
        return self.skill in ATTACKS


@dataclass(frozen=True, slots=True)
class Reaction:
    """One ARO: who (below 0: out of Hidden Deployment), what, how it lies to the active trooper.

    cover: its own cover. enemy_cover: the active trooper's, from here. unseen: no line of fire.
    """

    model: int
    does: str
    weapon: str = ""
    inches: float = 0.0
    cover: bool = False
    enemy_cover: bool = False
    unseen: bool = False
    martial_arts: int = 0
    berserk: bool = False


def _pack(thing: Order | Reaction) -> str:
    kept = {key: value for key, value in asdict(thing).items() if key not in ("row", "side")}
    return json.dumps(kept, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def signature(order: Order, reactions: tuple[Reaction, ...]) -> tuple[str, str]:
    """The Order and the reactions in the one form that tells a repeat from something else."""
    told = {key: value for key, value in asdict(order).items() if key not in ("row", "entry", "asked")}
    declared = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return declared, "|".join(sorted(_pack(reaction) for reaction in reactions))


def order_of(encounter: Encounter) -> Order | None:
    """The Order under way, None where there is none."""
    row = next((row for row in encounter.book.all(SecretRow) if row.kind == ORDER), None)
    if row is None:
        return None
    kept: dict[str, Any] = json.loads(row.content)
    kept["marks"] = tuple(Mark(**mark) for mark in kept["marks"])
    for name in ("parts", "asked", "area"):
        kept[name] = tuple(kept[name])
    return Order(row=row.id, side=row.side, **kept)


def keep_order(encounter: Encounter, order: Order) -> None:
    """Write the Order; everybody may read it."""
    row = encounter.book.get(SecretRow, order.row)
    if row is None:
        row = SecretRow(encounter.book.scope, order.row, 0, order.side, ORDER, "", revealed=True)
        encounter.book.add(row)
    row.content = _pack(order)


def new_order(encounter: Encounter, side: int, model: int, was: str) -> Order:
    """An Order that has just been spent."""
    return Order(encounter.book.next_id(SecretRow), side, model, was=was)


def reactions_of(encounter: Encounter) -> tuple[Reaction, ...]:
    """The reactions chosen so far, secret until the Order is resolved."""
    rows = [row for row in encounter.book.all(SecretRow) if row.kind == REACTION]
    return tuple(Reaction(**json.loads(row.content)) for row in rows)


def reaction_of(encounter: Encounter, model: int) -> Reaction | None:
    """What a model has chosen, None where it has not."""
    return next((one for one in reactions_of(encounter) if one.model == model), None)


def keep_reaction(encounter: Encounter, reaction: Reaction, side: int, owner: int) -> None:
    """Lock a reaction in. Raises InvalidInput where the model has chosen already."""
    known = reaction_of(encounter, reaction.model)
    if known is not None and known.does != WAIT:
        raise InvalidInput("It has chosen already, and that stands.")
    drop_reaction(encounter, reaction.model)
    place = encounter.book.next_id(SecretRow)
    encounter.book.add(SecretRow(encounter.book.scope, place, owner, side, REACTION, _pack(reaction)))


def drop_reaction(encounter: Encounter, model: int) -> None:
    """Take a reaction back."""
    for row in encounter.book.all(SecretRow):
        if row.kind == REACTION and json.loads(row.content)["model"] == model:
            encounter.book.remove(row)


def close_order(encounter: Encounter) -> None:
    """The Order is over: it and its reactions are gone."""
    for row in encounter.book.all(SecretRow):
        if row.kind in (ORDER, REACTION):
            encounter.book.remove(row)
