"""The Order under way and the reactions to it, as rows: what is declared openly, and what is still secret."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from bot.actions import Kind, Raw
from bot.actions import declared as field_of
from bot.store.rows import SecretRow
from bot.table.board.routes import BoardPath
from bot.table.encounter import Encounter, EncounterView
from rules.json_text import compact

ORDER, REACTION = "order", "reaction"
"""Kinds of secret rows; that of the Order is open to all from the start."""

WAIT, NOTHING = "wait", "nothing"
"""Reactions that are no Skill: hold the ARO, let it go."""

ATTACKS = frozenset({"shoot", "hack", "fight"})

DISCOVER, SENSOR = "discover", "sensor"
SEARCHES = frozenset({DISCOVER, SENSOR})
"""Skills that find who hides; as AROs they answer a Marker. Rules: INF-ORD-09."""

COVER_MATTERS = frozenset({"shoot", DISCOVER})
"""Reactions for which it matters whether the active trooper is in cover."""

SECOND_WINDOW = 2
"""The window in which AROs to the second Skill are declared."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One target: inches, dice at it (0: all), cover, and whether the attack is unseen."""

    model: int
    inches: float = 0.0
    dice: int = 0
    cover: bool = False
    unseen: bool = False


@dataclass(frozen=True, slots=True)
class Order:
    """An Order as it was declared.

    model: who was activated. was: the Marker state, or Hidden Deployment, it began in. entry: the journal's
    number of what opened the last window for AROs. parts: what the Skills so far take of the Order. skills:
    their words, in order; skill: the one that rolls, else the last. window: 1 while AROs to the first Skill
    are declared, 2 while those to the second are, else 0. waits: sides that have not said that is all. kept:
    sides whose other troopers could not react to the first Skill. over: no further Skill is declared. cover:
    the active trooper's own, from its targets. sight: it sees them. passed: rules that the organiser let pass
    when it was declared. patient: the subject of a Skill that is not an attack; behind_cover: it is in cover.
    area: Markers in the area. under: who is under the template beside its target. ground: the worst that its
    moves are on so far, as of a reaction. falls: inches that its Jumps fall at their ends. way: the corners
    of its moves on the board, east and north of each.
    """

    row: int
    side: int
    model: int
    entry: int = 0
    was: str = ""
    parts: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    skill: str = ""
    window: int = 0
    waits: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()
    over: bool = False
    ground: int = 0
    falls: tuple[float, ...] = ()
    way: tuple[float, ...] = ()
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
    range_mod: int = 0
    sight: bool = True
    passed: tuple[str, ...] = ()
    patient: int = 0
    behind_cover: bool = False
    area: tuple[int, ...] = ()
    under: tuple[int, ...] = ()

    def mark(self, model: int) -> Mark | None:
        """Return the mark on a model, or None if it is not a target."""
        return next((mark for mark in self.marks if mark.model == model), None)

    def with_terms(self, terms: Order) -> Order:
        """Return this Order with another one's details of the attack, or of the Skill that rolls."""
        return replace(self, **{name: getattr(terms, name) for name in _ATTACK_FIELDS})

    def with_way(self, walk: BoardPath | None) -> Order:
        """Return this Order with the corners of another move on the board, if there is one."""
        points = walk.points if walk is not None else ()
        return replace(self, way=(*self.way, *(part for point in points for part in point)))

    def affects(self, model: int) -> bool:
        """Return whether the attack is aimed at a model, or its template touches it. Rules: INF-BS-08."""
        return self.mark(model) is not None or model in self.under

    def as_aimed(self, model: int) -> Order:
        """Return this Order as if it were aimed at another model that its template touches."""
        if model not in self.under or not self.marks:
            return self
        target = self.marks[0]
        return replace(self, marks=(Mark(model, target.inches, target.dice),))

    @property
    def attacks(self) -> bool:
        """Return whether it is an attack."""
        return self.skill in ATTACKS


_ORDER_FIELDS = (
    "row",
    "side",
    "model",
    "entry",
    "was",
    "parts",
    "skills",
    "skill",
    "window",
    "waits",
    "kept",
    "over",
    "ground",
    "falls",
    "way",
)
_ATTACK_FIELDS = tuple(part.name for part in fields(Order) if part.name not in _ORDER_FIELDS)
_PROGRESS_FIELDS = ("row", "side", "entry", "window", "waits", "kept", "over")
"""Fields with the progress of an Order, and nothing that was declared."""


@dataclass(frozen=True, slots=True)
class Reaction:
    """One ARO: the model (below 0: out of Hidden Deployment), its Skill, its position.

    cover: its own cover. enemy_cover: the active trooper's, from here. unseen: no line of fire. window: which
    Skill it answers, 1 or 2. held: it waited for the second. shown: everyone has read it. ground: 0 open, 1
    difficult, 2 very difficult. alerted: an ally gave the alert. mod: MODs of a Discover or a Sensor. area:
    further Markers in the area of a Sensor. under: who is under its template beside the active trooper.
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
    ground: int = 0
    alerted: bool = False
    mod: int = 0
    area: tuple[int, ...] = ()
    under: tuple[int, ...] = ()
    window: int = 1
    held: bool = False
    shown: bool = False


def _pack(record: Order | Reaction, left_out_fields: tuple[str, ...] = ("row", "side")) -> str:
    values = {key: value for key, value in asdict(record).items() if key not in left_out_fields}
    if not values.get("way", True):
        del values["way"]
    return json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def write_declaration(order: Order) -> str:
    """Return what was declared of an Order, in one form."""
    return _pack(order, _PROGRESS_FIELDS)


def signature(order: Order, reactions: tuple[Reaction, ...]) -> tuple[str, str]:
    """Return the Order and the reactions in the one form that tells a repeat from something else."""
    marks = tuple(sorted(order.marks, key=lambda mark: mark.model))
    full_order = replace(order, marks=marks, area=tuple(sorted(order.area)), under=tuple(sorted(order.under)))
    packed = [json.loads(_pack(reaction, ("window", "held", "shown"))) for reaction in reactions]
    return write_declaration(full_order), compact(
        sorted(packed, key=lambda one: (one["model"], compact(one)))
    )


_MEASURED_FIELDS = frozenset(
    {
        *("inches", "cover", "unseen", "enemy_cover", "behind_cover", "sight", "ground", "allies", "area"),
        *("mod", "visibility", "range_mod", "zero_visibility", "passed", "was", "alerted", "falls", "under"),
    }
)
"""Fields of an Order or a reaction that people measured or saw."""


def _without_measurements(signature: Raw) -> Raw:
    def without(value: Any) -> Any:
        if isinstance(value, list):
            return [without(item) for item in value]
        if isinstance(value, dict):
            return {name: without(item) for name, item in value.items() if name not in _MEASURED_FIELDS}
        return value

    return compact(without(json.loads(str(signature)))) if signature else signature


def signature_field() -> Any:
    """Return what was declared, written down so that a repeat can be told from something else."""
    return field_of(Kind(decides=_without_measurements), "")


def order_of(encounter: EncounterView) -> Order | None:
    """Return the Order under way, None where there is none."""
    row = next((row for row in encounter.book.all(SecretRow) if row.kind == ORDER), None)
    if row is None:
        return None
    values = _read_known_fields(Order, row.content)
    values["marks"] = tuple(Mark(**mark) for mark in values.get("marks", ()))
    for name in ("parts", "skills", "waits", "kept", "passed", "area", "falls", "under", "way"):
        values[name] = tuple(values.get(name, ()))
    values["skills"] = values["skills"] or (values.get("skill", ""),)
    return Order(row=row.id, side=row.side, **values)


def _read_known_fields(kind: type[Order] | type[Reaction], content: str) -> dict[str, Any]:
    """The fields that were written; what an earlier version wrote beside them is passed over."""
    names = {part.name for part in fields(kind)}
    return {name: value for name, value in json.loads(content).items() if name in names}


def store_order(encounter: Encounter, order: Order) -> None:
    """Store the Order, which everyone may read."""
    row = encounter.book.get(SecretRow, order.row)
    if row is None:
        row = SecretRow(encounter.book.scope, order.row, 0, order.side, ORDER, "", revealed=True)
        encounter.book.add(row)
    row.content = _pack(order)


def new_order(encounter: Encounter, side: int, model: int, hiding_state: str) -> Order:
    """Return an Order that has just been spent."""
    return Order(encounter.book.next_id(SecretRow), side, model, was=hiding_state)


def reactions_of(encounter: EncounterView) -> tuple[Reaction, ...]:
    """Return the reactions chosen so far, secret until the Order is resolved."""
    rows = [row for row in encounter.book.all(SecretRow) if row.kind == REACTION]
    return tuple(_read_reaction(row) for row in rows)


def _read_reaction(row: SecretRow) -> Reaction:
    values = _read_known_fields(Reaction, row.content)
    tuples = {name: tuple(values.get(name, ())) for name in ("area", "under")}
    return Reaction(**values | tuples)


def reaction_of(encounter: EncounterView, model: int) -> Reaction | None:
    """Return a model's choice, or None without one."""
    return next((reaction for reaction in reactions_of(encounter) if reaction.model == model), None)


def store_reaction(encounter: Encounter, reaction: Reaction, side: int, owner: int) -> None:
    """Store a reaction in place of the model's last choice."""
    drop_reaction(encounter, reaction.model)
    place = encounter.book.next_id(SecretRow)
    encounter.book.add(SecretRow(encounter.book.scope, place, owner, side, REACTION, _pack(reaction)))


def drop_reaction(encounter: Encounter, model: int) -> None:
    """Remove a reaction."""
    for row in _reaction_rows(encounter, model):
        encounter.book.remove(row)


def replace_reaction(encounter: Encounter, model: int, reaction: Reaction) -> None:
    """Replace a model's choice, keeping its side and owner."""
    for row in _reaction_rows(encounter, model):
        row.content = _pack(reaction)


def rename_reaction(encounter: Encounter, model: int, new_model_id: int) -> None:
    """Rename the reaction of a hidden trooper that has another number on the table now."""
    reaction = reaction_of(encounter, model)
    if reaction is not None:
        replace_reaction(encounter, model, replace(reaction, model=new_model_id))


def _reaction_rows(encounter: Encounter, model: int) -> list[SecretRow]:
    rows = [row for row in encounter.book.all(SecretRow) if row.kind == REACTION]
    return [row for row in rows if json.loads(row.content)["model"] == model]


def newly_public_reactions(encounter_before: Encounter, encounter_after: Encounter) -> list[SecretRow]:
    """Return the reactions that were secret before and are public now, except released ones."""
    rows_after = {row.id: row for row in encounter_after.book.all(SecretRow)}
    return [
        row
        for row in encounter_before.book.all(SecretRow)
        if row.kind == REACTION
        and _is_secret(row)
        and _read_reaction(row).does != NOTHING
        and (row.id not in rows_after or not _is_secret(rows_after[row.id]))
    ]


def _is_secret(row: SecretRow) -> bool:
    return not _read_reaction(row).shown


def close_order(encounter: Encounter) -> None:
    """Delete the Order and its reactions."""
    for row in encounter.book.all(SecretRow):
        if row.kind in (ORDER, REACTION):
            encounter.book.remove(row)
