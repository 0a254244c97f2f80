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
from bot.table.names import find_free_name
from bot.table.session.arrivals import add_model
from rules.effects import Assign, Count, Effect, Gain, Harm, Leave, Lose, Mend, Propose
from rules.refusals import Missing
from rules.systems.infinity.profile import Profile, Skill
from rules.systems.infinity.trooper import MARKERS, Condition, Trooper

HIDDEN, MARKER, LIEUTENANT = "hidden", "marker", "lieutenant"
"""Kinds of secret rows."""

MARKER_NAMES = {
    Condition.CAMOUFLAGED: "Camo Marker",
    Condition.TO_CAMOUFLAGED: "TO Marker",
    Condition.IMPERSONATION: "Imp Marker",
}
"""The public name of a Marker; a number follows."""

HeldCondition = tuple[str, int, str, str]
"""A condition: kind, value, until, source."""


@dataclass(frozen=True, slots=True)
class SecretTrooper:
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
    conditions: tuple[HeldCondition, ...] = ()

    @property
    def id(self) -> int:
        """Return the trooper's id."""
        return self.model or -self.row


def _read_secret(row: SecretRow) -> SecretTrooper:
    return _parse_secret(row.content, row.id, row.side, row.owner_id)


@lru_cache(maxsize=256)
def _parse_secret(content: str, row: int, side: int, owner: int) -> SecretTrooper:
    values = json.loads(content)
    values["conditions"] = tuple(tuple(condition) for condition in values["conditions"])
    return SecretTrooper(row=row, side=side, owner=owner, **values)


def _store_secret(encounter: Encounter, secret: SecretTrooper) -> None:
    values = {key: value for key, value in asdict(secret).items() if key not in ("row", "side", "owner")}
    content = json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    row = encounter.book.get(SecretRow, secret.row)
    if row is None:
        kind = MARKER if secret.model else HIDDEN
        row = SecretRow(encounter.book.scope, secret.row, secret.owner, secret.side, kind, "")
        encounter.book.add(row)
    row.content = content


def _secret_rows(encounter: EncounterView, kind: str, side: int = 0) -> list[SecretRow]:
    rows = encounter.book.all(SecretRow)
    return [row for row in rows if row.kind == kind and (not side or row.side == side)]


def hidden_troopers(encounter: EncounterView, side: int) -> list[SecretTrooper]:
    """Return the troopers of a side in Hidden Deployment."""
    return [_read_secret(row) for row in _secret_rows(encounter, HIDDEN, side)]


def hidden_of(encounter: EncounterView, number: int) -> SecretTrooper:
    """Return the hidden trooper of that id, below 0. Raises InvalidInput."""
    row = encounter.book.get(SecretRow, -number)
    if row is None or row.kind != HIDDEN:
        raise Missing("Choose a model in this game.")
    return _read_secret(row)


def marker_of(encounter: EncounterView, model: int) -> SecretTrooper | None:
    """Return who is behind the Marker, or None for other models."""
    secrets = (_read_secret(row) for row in _secret_rows(encounter, MARKER))
    return next((secret for secret in secrets if secret.model == model), None)


def is_marker(encounter: EncounterView, model: int) -> bool:
    """Return whether a model is a Marker at present."""
    return marker_of(encounter, model) is not None


def may_see_secrets(encounter: EncounterView, user_id: int, side: int) -> bool:
    """Return whether a person may see a side's secrets: its player, or who plays for an untaken side."""
    seats = [seat for seat in encounter.seats() if seat.role != "spectator"]
    has_player = any(seat.side == side for seat in seats)
    if has_player:
        return any(seat.side == side and seat.user_id == user_id for seat in seats)
    return any(model.owner_id == user_id for model in encounter.models(side, gone=True))


# ------------------------------------------------------------------------------------ the Lieutenant


def lieutenant_of(encounter: EncounterView, side: int) -> int:
    """Return the id of a side's Lieutenant, 0 where it has none."""
    rows = _secret_rows(encounter, LIEUTENANT, side)
    return int(rows[0].content) if rows else 0


def appoint(encounter: Encounter, side: int, number: int, owner: int) -> None:
    """Make a trooper its side's Lieutenant, or none with 0."""
    rows = _secret_rows(encounter, LIEUTENANT, side)
    if rows:
        rows[0].content = str(number)
    else:
        row_id = encounter.book.next_id(SecretRow)
        encounter.book.add(SecretRow(encounter.book.scope, row_id, owner, side, LIEUTENANT, str(number)))


# ------------------------------------------------------------------------------------ veiling, unveiling


def _marker_name(encounter: Encounter, state: Condition, model: int) -> str:
    taken_names = [row.name for row in encounter.models(gone=True) if row.id != model]
    numbered_name = f"{MARKER_NAMES[state]} 1"
    if numbered_name.casefold() not in {name.casefold() for name in taken_names}:
        return numbered_name
    return find_free_name(MARKER_NAMES[state], [*taken_names, MARKER_NAMES[state]])


def become_marker(encounter: Encounter, model: ModelRow, state: Condition) -> None:
    """Turn a figure into a Marker: its row forgets all that the enemy must not see."""
    conditions = tuple((row.kind, row.value, row.until, row.source) for row in encounter.conditions(model.id))
    for row in encounter.conditions(model.id):
        encounter.book.remove(row)
    row_id = encounter.book.next_id(SecretRow)
    lasting_conditions = tuple(condition for condition in conditions if condition[0] not in MARKERS)
    secret = SecretTrooper(
        row_id,
        model.side,
        model.owner_id,
        model.name,
        model.profile,
        model.id,
        model.damage,
        model.hurt_by,
        conditions=lasting_conditions,
    )
    _store_secret(encounter, secret)
    encounter.credit(model)
    model.name, model.profile, model.damage, model.note = (
        _marker_name(encounter, state, model.id),
        "",
        0,
        "",
    )
    encounter.apply([Gain(model.id, state)])


def hide(encounter: Encounter, model: ModelRow) -> SecretTrooper:
    """Put a figure or Marker into Hidden Deployment: its row disappears."""
    marker_secret = marker_of(encounter, model.id)
    name, profile = (
        (marker_secret.name, marker_secret.profile) if marker_secret else (model.name, model.profile)
    )
    if marker_secret is not None:
        _remove_secret(encounter, marker_secret.row)
    for row in encounter.conditions(model.id):
        encounter.book.remove(row)
    row_id, old_place = encounter.book.next_id(SecretRow), surface.place_of(model)
    surface.lift(model)
    hidden_secret = SecretTrooper(
        row_id, model.side, model.owner_id, name, profile, counters=dict(model.counters)
    )
    _store_secret(encounter, hidden_secret)
    if old_place is not None:
        surface.hide(encounter, model.side, model.owner_id, str(row_id), name, old_place)
    if lieutenant_of(encounter, model.side) == model.id:
        appoint(encounter, model.side, hidden_secret.id, model.owner_id)
    encounter.book.remove(model)
    return hidden_secret


def _remove_secret(encounter: Encounter, row_id: int) -> None:
    row = encounter.book.get(SecretRow, row_id)
    assert row is not None, "it was read"
    encounter.book.remove(row)


def unveil(encounter: Encounter, trooper_id: int, owner: int = 0) -> ModelRow:
    """Put the figure in a Marker's place, or a hidden trooper on the table; its row as it is now.

    number: the trooper's id; nothing changes for a figure. owner: who plays it where its side changed hands.
    """
    if trooper_id > 0:
        model = encounter.model(trooper_id)
        secret = marker_of(encounter, trooper_id)
        if secret is None:
            return model
        taken_names = [row.name for row in encounter.models(gone=True) if row.id != trooper_id]
        model.name, model.profile = find_free_name(secret.name, taken_names), secret.profile
        model.damage += secret.damage
        encounter.credit(model, secret.hurt_by)
        encounter.apply(Lose(trooper_id, state) for state in MARKERS)
    else:
        secret = hidden_of(encounter, trooper_id)
        owner = owner or _player_of(encounter, secret)
        model = add_model(encounter, secret.side, owner, secret.name, secret.profile)
        model.damage, model.counters = secret.damage, dict(secret.counters)
        surface.come_out(encounter, secret.side, str(secret.row), model)
        encounter.credit(model, secret.hurt_by)
        rename_reaction(encounter, trooper_id, model.id)
        if lieutenant_of(encounter, secret.side) == trooper_id:
            appoint(encounter, secret.side, model.id, owner)
    _remove_secret(encounter, secret.row)
    encounter.apply(
        Gain(model.id, kind, value, until, source) for kind, value, until, source in secret.conditions
    )
    return model


def reveal(encounter: Encounter, number: int) -> tuple[ModelRow, str]:
    """Unveil a trooper; returns its row, and the line that says who it is and when its place was noted."""
    if number > 0:
        marker_name = encounter.model(number).name
        row = unveil(encounter, number)
        return row, f"{marker_name} is revealed as {row.name}."
    secret = hidden_of(encounter, number)
    noted_text = surface.noted_when(encounter, secret.side, str(secret.row))
    row = unveil(encounter, number)
    line = f"{row.name} comes out of Hidden Deployment{f', at the place {noted_text}' if noted_text else ''}."
    body = surface.body_of(encounter, row)
    if body is not None and surface.misplaced(surface.require_board(encounter), body, row.id, {}):
        line += " There is no room for its base there. Drag it to a place nearby, or use /board place."
    return row, line


def show_all(encounter: Encounter, side: int) -> None:
    """Put all models of a side on the table as what they are."""
    marker_secrets = map(_read_secret, _secret_rows(encounter, MARKER, side))
    for secret in [*marker_secrets, *hidden_troopers(encounter, side)]:
        unveil(encounter, secret.id, secret.owner)


def _player_of(encounter: Encounter, secret: SecretTrooper) -> int:
    seats = [seat for seat in encounter.seats() if seat.side == secret.side and seat.role != "spectator"]
    if not seats or any(seat.user_id == secret.owner for seat in seats):
        return secret.owner
    return next((seat.user_id for seat in seats if seat.role == "captain"), seats[0].user_id)


# ------------------------------------------------------------------------------------ effects


def apply_effects(encounter: Encounter, effects: Iterable[Effect], *, by: int = 0) -> list[Propose]:
    """Apply the effects of an outcome; what happens to a hidden trooper stays secret.

    by: the trooper whose attack it is, 0 for an accident.
    """
    proposals: list[Propose] = []
    for effect in effects:
        secret = _secret_affected(encounter, effect)
        if secret is None:
            proposals += encounter.apply([effect], by=by)
        else:
            _apply_to_secret(encounter, secret, effect, by)
    return proposals


def _secret_affected(encounter: Encounter, effect: Effect) -> SecretTrooper | None:
    match effect:
        case Harm(model) | Mend(model) | Leave(model):
            trooper_id = model
        case Gain(model, kind) | Lose(model, kind):
            trooper_id = 0 if kind in MARKERS else model
        case Assign("model", model) | Count("model", model):
            trooper_id = model if model < 0 else 0
        case _:
            return None
    if trooper_id < 0:
        return hidden_of(encounter, trooper_id)
    return marker_of(encounter, trooper_id) if trooper_id else None


def _apply_to_secret(encounter: Encounter, secret: SecretTrooper, effect: Effect, by: int) -> None:
    match effect:
        case Harm(_, amount):
            _store_secret(encounter, replace(secret, damage=secret.damage + amount, hurt_by=by))
        case Mend(_, amount):
            _store_secret(encounter, replace(secret, damage=max(0, secret.damage - amount)))
        case Gain(_, kind, value, until, source):
            other_conditions = tuple(condition for condition in secret.conditions if condition[0] != kind)
            _store_secret(
                encounter, replace(secret, conditions=(*other_conditions, (kind, value, until, source)))
            )
        case Lose(_, kind):
            other_conditions = tuple(condition for condition in secret.conditions if condition[0] != kind)
            _store_secret(encounter, replace(secret, conditions=other_conditions))
        case Assign(_, _, key, value):
            counters = {name: number for name, number in secret.counters.items() if name != key}
            _store_secret(encounter, replace(secret, counters=counters | ({key: value} if value else {})))
        case Leave(model, how):
            unveil(encounter, model)
            encounter.apply([Leave(model, how)], by=by)


def best_hiding_state(profile: Profile) -> Condition | None:
    """Return the best state that these skills let a trooper be deployed in, None for a plain figure."""
    if profile.has(Skill.TO_CAMOUFLAGE):
        return Condition.HIDDEN_DEPLOYMENT
    if profile.has(Skill.CAMOUFLAGE) or profile.has(Skill.LIMITED_CAMOUFLAGE):
        return Condition.CAMOUFLAGED
    return Condition.IMPERSONATION if profile.has(Skill.IMPERSONATION) else None


def deploy_best(encounter: Encounter, trooper: Trooper) -> None:
    """Deploy a trooper as hidden as its skills allow, so that its arrival tells nothing."""
    state = best_hiding_state(trooper.profile)
    row = encounter.model(trooper.id)
    if state is Condition.HIDDEN_DEPLOYMENT:
        hide(encounter, row)
    elif state is not None:
        become_marker(encounter, row, state)
