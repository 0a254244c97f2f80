"""Secrets of a side: who is behind a Marker, who is in Hidden Deployment, who is Lieutenant.

The truth lives in secret rows and nowhere else. A Marker's model row has the Marker's name and no profile; a
trooper in Hidden Deployment has no model row at all. So whatever lists, finds or suggests models has nothing
to leak.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache

from bot.games.infinity.order_rows import rename_reaction
from bot.store.rows import Counters, ModelRow, SecretRow
from bot.table.board import surface
from bot.table.encounter import Encounter, EncounterView
from bot.table.names import free_name
from bot.table.session.arrivals import add_model
from rules.effects import Assign, Count, Effect, Gain, Harm, Leave, Lose, Mend, Propose
from rules.refusals import Missing
from rules.systems.infinity.profile import Profile, Skill
from rules.systems.infinity.trooper import MARKERS, Condition, Trooper

HIDDEN, MARKER, LIEUTENANT = "hidden", "marker", "lieutenant"
"""Kinds of secret rows."""

SHOWN = {
    Condition.CAMOUFLAGED: "Camo Marker",
    Condition.TO_CAMOUFLAGED: "TO Marker",
    Condition.IMPERSONATION: "Imp Marker",
}
"""The public name of a Marker; a number follows."""

Held = tuple[str, int, str, str]
"""A condition: kind, value, until, source."""


@dataclass(frozen=True, slots=True)
class Veil:
    """The truth behind a Marker or about a hidden trooper.

    model: the Marker's row, 0 in Hidden Deployment. id: how the trooper is called in the rules: the model's
    number, or below 0 in Hidden Deployment.
    """

    row: int
    side: int
    owner: int
    name: str
    profile: str
    model: int = 0
    damage: int = 0
    hurt_by: int = 0
    counters: Counters = field(default_factory=dict)
    conditions: tuple[Held, ...] = ()

    @property
    def id(self) -> int:
        """Return the trooper's id."""
        return self.model or -self.row


def _read(row: SecretRow) -> Veil:
    return _veil(row.content, row.id, row.side, row.owner_id)


@lru_cache(maxsize=256)
def _veil(content: str, row: int, side: int, owner: int) -> Veil:
    veil_data = json.loads(content)
    veil_data["conditions"] = tuple(tuple(condition) for condition in veil_data["conditions"])
    return Veil(row=row, side=side, owner=owner, **veil_data)


def _write(encounter: Encounter, veil: Veil) -> None:
    veil_data = {key: value for key, value in asdict(veil).items() if key not in ("row", "side", "owner")}
    content = json.dumps(veil_data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    row = encounter.book.get(SecretRow, veil.row)
    if row is None:
        kind = MARKER if veil.model else HIDDEN
        row = SecretRow(encounter.book.scope, veil.row, veil.owner, veil.side, kind, "")
        encounter.book.add(row)
    row.content = content


def _secrets(encounter: EncounterView, kind: str, side: int = 0) -> list[SecretRow]:
    rows = encounter.book.all(SecretRow)
    return [row for row in rows if row.kind == kind and (not side or row.side == side)]


def hidden(encounter: EncounterView, side: int) -> list[Veil]:
    """Return the troopers of a side in Hidden Deployment."""
    return [_read(row) for row in _secrets(encounter, HIDDEN, side)]


def hidden_of(encounter: EncounterView, number: int) -> Veil:
    """Return the hidden trooper of that id, below 0. Raises InvalidInput."""
    row = encounter.book.get(SecretRow, -number)
    if row is None or row.kind != HIDDEN:
        raise Missing("Choose a model in this game.")
    return _read(row)


def marker_of(encounter: EncounterView, model: int) -> Veil | None:
    """Return who is behind the Marker, or None for other models."""
    veils = (_read(row) for row in _secrets(encounter, MARKER))
    return next((veil for veil in veils if veil.model == model), None)


def is_marker(encounter: EncounterView, model: int) -> bool:
    """Return whether a model is a Marker at present."""
    return marker_of(encounter, model) is not None


def sees(encounter: EncounterView, user_id: int, side: int) -> bool:
    """Return whether a person may see a side's secrets: its player, or who plays for an untaken side."""
    seats = [seat for seat in encounter.seats() if seat.role != "spectator"]
    has_player = any(seat.side == side for seat in seats)
    if has_player:
        return any(seat.side == side and seat.user_id == user_id for seat in seats)
    return any(model.owner_id == user_id for model in encounter.models(side, gone=True))


# ------------------------------------------------------------------------------------ the Lieutenant


def lieutenant(encounter: EncounterView, side: int) -> int:
    """Return the id of a side's Lieutenant, 0 where it has none."""
    rows = _secrets(encounter, LIEUTENANT, side)
    return int(rows[0].content) if rows else 0


def appoint(encounter: Encounter, side: int, number: int, owner: int) -> None:
    """Make a trooper its side's Lieutenant, or none with 0."""
    rows = _secrets(encounter, LIEUTENANT, side)
    if rows:
        rows[0].content = str(number)
    else:
        place = encounter.book.next_id(SecretRow)
        encounter.book.add(SecretRow(encounter.book.scope, place, owner, side, LIEUTENANT, str(number)))


# ------------------------------------------------------------------------------------ veiling, unveiling


def _marker_name(encounter: Encounter, state: Condition, model: int) -> str:
    taken_names = [row.name for row in encounter.models(gone=True) if row.id != model]
    numbered = f"{SHOWN[state]} 1"
    if numbered.casefold() not in {name.casefold() for name in taken_names}:
        return numbered
    return free_name(SHOWN[state], [*taken_names, SHOWN[state]])


def become_marker(encounter: Encounter, model: ModelRow, state: Condition) -> None:
    """Turn a figure into a Marker: its row forgets all that the enemy must not see."""
    conditions = tuple((row.kind, row.value, row.until, row.source) for row in encounter.conditions(model.id))
    for row in encounter.conditions(model.id):
        encounter.book.remove(row)
    place = encounter.book.next_id(SecretRow)
    lasting = tuple(condition for condition in conditions if condition[0] not in MARKERS)
    veil = Veil(
        place,
        model.side,
        model.owner_id,
        model.name,
        model.profile,
        model.id,
        model.damage,
        model.hurt_by,
        conditions=lasting,
    )
    _write(encounter, veil)
    encounter.credit(model)
    model.name, model.profile, model.damage, model.note = (
        _marker_name(encounter, state, model.id),
        "",
        0,
        "",
    )
    encounter.apply([Gain(model.id, state)])


def hide(encounter: Encounter, model: ModelRow) -> Veil:
    """Put a figure or Marker into Hidden Deployment: its row disappears."""
    veil = marker_of(encounter, model.id)
    name, profile = (veil.name, veil.profile) if veil else (model.name, model.profile)
    if veil is not None:
        _drop(encounter, veil.row)
    for row in encounter.conditions(model.id):
        encounter.book.remove(row)
    place, stood = encounter.book.next_id(SecretRow), surface.place_of(model)
    surface.lift(model)
    hidden_veil = Veil(place, model.side, model.owner_id, name, profile, counters=dict(model.counters))
    _write(encounter, hidden_veil)
    if stood is not None:
        surface.hide(encounter, model.side, model.owner_id, str(place), name, stood)
    if lieutenant(encounter, model.side) == model.id:
        appoint(encounter, model.side, hidden_veil.id, model.owner_id)
    encounter.book.remove(model)
    return hidden_veil


def _drop(encounter: Encounter, place: int) -> None:
    row = encounter.book.get(SecretRow, place)
    assert row is not None, "it was read"
    encounter.book.remove(row)


def unveil(encounter: Encounter, number: int, owner: int = 0) -> ModelRow:
    """Put the figure in a Marker's place, or a hidden trooper on the table; its row as it is now.

    number: the trooper's id; nothing changes for a figure. owner: who plays it where its side changed hands.
    """
    if number > 0:
        model = encounter.model(number)
        veil = marker_of(encounter, number)
        if veil is None:
            return model
        taken_names = [row.name for row in encounter.models(gone=True) if row.id != number]
        model.name, model.profile = free_name(veil.name, taken_names), veil.profile
        model.damage += veil.damage
        encounter.credit(model, veil.hurt_by)
        encounter.apply(Lose(number, state) for state in MARKERS)
    else:
        veil = hidden_of(encounter, number)
        owner = owner or _player(encounter, veil)
        model = add_model(encounter, veil.side, owner, veil.name, veil.profile)
        model.damage, model.counters = veil.damage, dict(veil.counters)
        surface.come_out(encounter, veil.side, str(veil.row), model)
        encounter.credit(model, veil.hurt_by)
        rename_reaction(encounter, number, model.id)
        if lieutenant(encounter, veil.side) == number:
            appoint(encounter, veil.side, model.id, owner)
    _drop(encounter, veil.row)
    encounter.apply(
        Gain(model.id, kind, value, until, source) for kind, value, until, source in veil.conditions
    )
    return model


def reveal(encounter: Encounter, number: int) -> tuple[ModelRow, str]:
    """Unveil a trooper; returns its row, and the line that says who it is and when its place was noted."""
    if number > 0:
        marker = encounter.model(number).name
        row = unveil(encounter, number)
        return row, f"{marker} is revealed as {row.name}."
    veil = hidden_of(encounter, number)
    when = surface.noted_when(encounter, veil.side, str(veil.row))
    row = unveil(encounter, number)
    line = f"{row.name} comes out of Hidden Deployment{f', at the place {when}' if when else ''}."
    body = surface.body_of(encounter, row)
    if body is not None and surface.misplaced(surface.require_board(encounter), body, row.id, {}):
        line += " There is no room for its base there. Drag it to a place nearby, or use /board place."
    return row, line


def show_all(encounter: Encounter, side: int) -> None:
    """Put all models of a side on the table as what they are."""
    markers = map(_read, _secrets(encounter, MARKER, side))
    for veil in [*markers, *hidden(encounter, side)]:
        unveil(encounter, veil.id, veil.owner)


def _player(encounter: Encounter, veil: Veil) -> int:
    seats = [seat for seat in encounter.seats() if seat.side == veil.side and seat.role != "spectator"]
    if not seats or any(seat.user_id == veil.owner for seat in seats):
        return veil.owner
    return next((seat.user_id for seat in seats if seat.role == "captain"), seats[0].user_id)


# ------------------------------------------------------------------------------------ effects


def carry(encounter: Encounter, effects: Iterable[Effect], *, by: int = 0) -> list[Propose]:
    """Do what an outcome does; what happens to a veiled trooper stays behind the veil.

    by: the trooper whose attack it is, 0 for an accident.
    """
    proposals: list[Propose] = []
    for effect in effects:
        veil = _veil_of(encounter, effect)
        if veil is None:
            proposals += encounter.apply([effect], by=by)
        else:
            _behind(encounter, veil, effect, by)
    return proposals


def _veil_of(encounter: Encounter, effect: Effect) -> Veil | None:
    match effect:
        case Harm(model) | Mend(model) | Leave(model):
            number = model
        case Gain(model, kind) | Lose(model, kind):
            number = 0 if kind in MARKERS else model
        case Assign("model", model) | Count("model", model):
            number = model if model < 0 else 0
        case _:
            return None
    if number < 0:
        return hidden_of(encounter, number)
    return marker_of(encounter, number) if number else None


def _behind(encounter: Encounter, veil: Veil, effect: Effect, by: int) -> None:
    match effect:
        case Harm(_, amount):
            _write(encounter, replace(veil, damage=veil.damage + amount, hurt_by=by))
        case Mend(_, amount):
            _write(encounter, replace(veil, damage=max(0, veil.damage - amount)))
        case Gain(_, kind, value, until, source):
            other_conditions = tuple(condition for condition in veil.conditions if condition[0] != kind)
            _write(encounter, replace(veil, conditions=(*other_conditions, (kind, value, until, source))))
        case Lose(_, kind):
            other_conditions = tuple(condition for condition in veil.conditions if condition[0] != kind)
            _write(encounter, replace(veil, conditions=other_conditions))
        case Assign(_, _, key, value):
            counters = {name: number for name, number in veil.counters.items() if name != key}
            _write(encounter, replace(veil, counters=counters | ({key: value} if value else {})))
        case Leave(model, how):
            unveil(encounter, model)
            encounter.apply([Leave(model, how)], by=by)


def best_state(profile: Profile) -> Condition | None:
    """Return the best state that these skills let a trooper be deployed in, None for a plain figure."""
    if profile.has(Skill.TO_CAMOUFLAGE):
        return Condition.HIDDEN_DEPLOYMENT
    if profile.has(Skill.CAMOUFLAGE) or profile.has(Skill.LIMITED_CAMOUFLAGE):
        return Condition.CAMOUFLAGED
    return Condition.IMPERSONATION if profile.has(Skill.IMPERSONATION) else None


def deploy_best(encounter: Encounter, trooper: Trooper) -> None:
    """Deploy a trooper as hidden as its skills allow, so that its arrival tells nothing."""
    state = best_state(trooper.profile)
    row = encounter.model(trooper.id)
    if state is Condition.HIDDEN_DEPLOYMENT:
        hide(encounter, row)
    elif state is not None:
        become_marker(encounter, row, state)
