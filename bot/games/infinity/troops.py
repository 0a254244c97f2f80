"""The troopers that the rules look at, read from the table's rows: all of them, or the one a player means.

Whatever this module returns is the truth: ask `concealment` before it is shown to anybody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import lru_cache
from itertools import count
from typing import Any, get_type_hints

from bot.games.infinity import concealment
from bot.games.infinity.state import ModelState, encounter_state, side_state
from bot.replies.reply import Reply
from bot.store.rows import ModelRow
from bot.table.act import Act, ActView
from bot.table.encounter import GONE, ChosenSettings, Encounter, EncounterView, played_by
from rules.effects import Effect, Gain, Lose
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.infinity.movement import Ground
from rules.systems.infinity.orders import Army
from rules.systems.infinity.profile import Profile, Weapon
from rules.systems.infinity.profile_text import read_profile
from rules.systems.infinity.settings import Settings
from rules.systems.infinity.states import State, entered
from rules.systems.infinity.trooper import Condition, Trooper


@lru_cache(maxsize=1024)
def profile_of(text: str, name: str) -> Profile:
    """Return the profile in a row, under the model's own name in either form. Raises InvalidInput."""
    return _rename_profile(read_profile(text), name)


_SILHOUETTE_SIZES = (25, 0.9), (25, 1.6), (40, 0.9), (40, 1.4), (40, 2.1), (55, 2.1), (55, 2.5), (70, 3.0)
SIZES_BY_SILHOUETTE: Mapping[int, tuple[float, float]] = dict(enumerate(_SILHOUETTE_SIZES, 1))
"""Base in millimetres and height in inches of each Silhouette."""


def _rename_profile(profile: Profile, name: str) -> Profile:
    try:
        alternate = None if profile.alternate is None else replace(profile.alternate, name=name)
        return replace(profile, name=name, alternate=alternate)
    except InvalidInput:
        return profile


def trooper(encounter: EncounterView, model: ModelRow) -> Trooper:
    """Return a trooper that is figure or Marker on the table, or left it, as it truly is."""
    secret = concealment.marker_of(encounter, model.id)
    conditions = [(row.kind, row.value) for row in encounter.conditions(model.id)]
    if secret is not None:
        conditions += [(kind, value) for kind, value, _, _ in secret.conditions]
    if model.status == GONE:
        conditions.append((Condition.DEAD, 0))
    name, text, points_lost = (
        (secret.name, secret.profile, secret.damage) if secret else (model.name, model.profile, 0)
    )
    return Trooper(
        id=model.id,
        side=model.side,
        profile=profile_of(text, name),
        group=ModelState(model).group,
        lost=points_lost + model.damage,
        conditions=frozenset(conditions),
        lieutenant=concealment.lieutenant_of(encounter, model.side) == model.id,
    )


def hidden_trooper(encounter: EncounterView, veil: concealment.SecretTrooper) -> Trooper:
    """Return a trooper in Hidden Deployment; its id is below 0."""
    conditions = {(kind, value) for kind, value, _, _ in veil.conditions}
    return Trooper(
        id=veil.id,
        side=veil.side,
        profile=profile_of(veil.profile, veil.name),
        group=ModelState.of_counters(veil.counters).group,
        lost=veil.damage,
        conditions=frozenset({*conditions, (Condition.HIDDEN_DEPLOYMENT, 0)}),
        lieutenant=concealment.lieutenant_of(encounter, veil.side) == veil.id,
    )


def by_id(encounter: EncounterView, trooper_id: int) -> Trooper:
    """Return the trooper of that id, hidden ones (below 0) too. Raises InvalidInput."""
    if trooper_id < 0:
        return hidden_trooper(encounter, concealment.hidden_of(encounter, trooper_id))
    return trooper(encounter, encounter.model(trooper_id))


def as_shown(encounter: EncounterView, trooper_id: int) -> Trooper:
    """Return the trooper of that id under its public name, a Marker's own if it is one.

    Use it for all that others are told; its figures stay those of the trooper itself.
    """
    model = by_id(encounter, trooper_id)
    if trooper_id < 0:
        return model
    return replace(model, profile=_rename_profile(model.profile, encounter.model(trooper_id).name))


def troopers(encounter: EncounterView, side: int = 0, *, include_gone: bool = False) -> tuple[Trooper, ...]:
    """Return figures and Markers on the table; with `gone` those that left it too."""
    return tuple(trooper(encounter, model) for model in encounter.models(side, gone=include_gone))


def army(encounter: Encounter, side: int) -> Army:
    """Return a side with all its troopers: on the table, lost, and hidden."""
    hidden_troopers = tuple(
        hidden_trooper(encounter, secret) for secret in concealment.hidden_troopers(encounter, side)
    )
    all_troopers = troopers(encounter, side, include_gone=True) + hidden_troopers
    points = side_state(encounter, side).army_points
    return Army(side, points or sum(trooper.profile.cost for trooper in all_troopers), all_troopers)


def group_sizes(
    encounter: Encounter, side: int, *, include_hidden: bool = True, excluded_model: int = 0
) -> Counter[int]:
    """Return how many troopers of a side are in each Combat Group.

    excluded_model: a model that is not counted, because it is the one that needs a group.
    """
    sizes = Counter(ModelState(model).group for model in encounter.models(side) if model.id != excluded_model)
    if include_hidden:
        secrets = concealment.hidden_troopers(encounter, side)
        sizes.update(ModelState.of_counters(secret.counters).group for secret in secrets)
    return sizes


def group_with_room(
    encounter: Encounter,
    side: int,
    *,
    include_hidden: bool = True,
    excluded_model: int = 0,
    listed_group: int = 0,
) -> int:
    """Return the Combat Group that the list says, else the first, that takes another trooper.

    Rules: INF-ORD-01.
    """
    sizes = group_sizes(encounter, side, include_hidden=include_hidden, excluded_model=excluded_model)
    max_size = settings_of(encounter).max_group
    if listed_group and sizes[listed_group] < max_size:
        return listed_group
    return next(group for group in count(1) if sizes[group] < max_size)


@played_by
def settings_of(stored: ChosenSettings) -> Settings:
    """Return the readings that this encounter plays by."""
    field_types = get_type_hints(Settings)
    values: dict[str, Any] = {}
    for key, word in stored:
        field_type = field_types.get(key)
        if field_type is bool:
            values[key] = word == "on"
        elif field_type is int and word.lstrip("-").isdecimal():
            values[key] = int(word)
        elif isinstance(field_type, type) and issubclass(field_type, StrEnum) and word in set(field_type):
            values[key] = field_type(word)
    return Settings(**values)


ORDER_WORDS = ("auto", "regular", "irregular", "lieutenant")
"""Words for the Order that pays."""

GROUND_BY_WORD = {"open": Ground.OPEN, "difficult": Ground.DIFFICULT, "very difficult": Ground.VERY_DIFFICULT}
"""Words for the ground under a trooper."""


def settings_for(act: ActView) -> Settings:
    """Return the readings that this encounter plays by."""
    return settings_of(act.encounter)


def trooper_reference(trooper: Trooper) -> str:
    """Return a trooper in an action: #3 on the table, ~7 in Hidden Deployment."""
    return f"#{trooper.id}" if trooper.id > 0 else f"~{-trooper.id}"


def _own_secrets(act: ActView) -> list[concealment.SecretTrooper]:
    encounter = act.encounter
    secrets = []
    for side in encounter.sides():
        if concealment.may_see_secrets(encounter, act.actor.user_id, side.id):
            secrets += concealment.hidden_troopers(encounter, side.id)
            markers = (concealment.marker_of(encounter, model.id) for model in encounter.models(side.id))
            secrets += [secret for secret in markers if secret is not None]
    return secrets


def _find_own_secret(act: ActView, text: str) -> int:
    """Return the id of the veiled trooper of the asker's own that is meant, 0 for none."""
    folded_name = " ".join(text.split()).casefold()
    for secret in _own_secrets(act):
        if folded_name in (secret.name.casefold(), f"~{secret.row}") and folded_name:
            return secret.id
    return 0


def require_own_trooper(act: ActView, text: str) -> Trooper:
    """Return a trooper that the asker plays; also one that only the asker's side knows of.

    Raises InvalidInput, NotAllowed.
    """
    encounter = act.encounter
    folded_name = " ".join(text.split()).casefold()
    is_public_name = any(model.name.casefold() == folded_name for model in encounter.models())
    secret_id = 0 if is_public_name else _find_own_secret(act, text)
    if secret_id < 0:
        return by_id(encounter, secret_id)
    model = encounter.model(secret_id) if secret_id else encounter.find_model(text, user=act.actor.user_id)
    act.require_model(model)
    if concealment.is_marker(encounter, model.id) and not concealment.may_see_secrets(
        encounter, act.actor.user_id, model.side
    ):
        raise InvalidInput(f"Choose one of your own models. {model.name} is another side's Marker.")
    return trooper(encounter, model)


def require_visible_trooper(act: ActView, text: str) -> Trooper:
    """Return the named figure of any side under its public name.

    Raises InvalidInput, and Forbidden for an enemy Marker.
    """
    model = act.encounter.find_model(text)
    if not concealment.may_see_secrets(act.encounter, act.actor.user_id, model.side):
        _check_not_marker(act, model)
    return as_shown(act.encounter, model.id)


def _check_not_marker(act: ActView, model: ModelRow) -> None:
    """Raise Forbidden for a Marker."""
    if concealment.is_marker(act.encounter, model.id):
        raise Forbidden(f"Discover {model.name} first. It is a Marker.", "INF-SEN-06")


def require_target(act: ActView, attacker: Trooper, text: str) -> Trooper:
    """Return an enemy figure on the table that is meant. Raises InvalidInput, Forbidden."""
    model = act.encounter.find_model(text)
    _check_not_marker(act, model)
    target = trooper(act.encounter, model)
    if target.side == attacker.side:
        forbid(f"Choose an enemy. {target.current.name} is on your side.")
    return target


def reload_trooper(act: Act, trooper: Trooper) -> Trooper:
    """Return the trooper as it stands now."""
    return by_id(act.encounter, trooper.id)


def active_side_of(encounter: EncounterView) -> int:
    """Return the side whose Active Turn it is, 0 while no turns are counted."""
    return encounter_state(encounter).active_side if encounter.row.turn else 0


def is_shooting(weapon: Weapon) -> bool:
    """Return whether a weapon is shot or thrown."""
    return not (weapon.close or weapon.hacking)


def is_melee(weapon: Weapon) -> bool:
    """Return whether a weapon is for close combat."""
    return weapon.close


def is_program(weapon: Weapon) -> bool:
    """Return whether a weapon is a program."""
    return weapon.hacking


def find_weapon(trooper: Trooper, text: str) -> Weapon:
    """Return the weapon of a trooper's profile that is meant. Raises InvalidInput."""
    profile, name_start = trooper.current, text.strip().casefold()
    matches = [weapon for weapon in profile.weapons if weapon.name.casefold().startswith(name_start)]
    return matches[0] if len(matches) == 1 else profile.weapon(text)


def require_weapon(trooper: Trooper, fits: Callable[[Weapon], bool], purpose: str) -> Weapon:
    """Return the first weapon of a trooper's profile that fits. Raises InvalidInput."""
    first = next((weapon for weapon in trooper.current.weapons if fits(weapon)), None)
    if first is None:
        raise InvalidInput(f"Choose another trooper. {trooper.current.name} has no weapon to {purpose} with.")
    return first


class ByHand:
    """The part of the game that answers states set by hand."""

    def under(self, encounter: Encounter, model: ModelRow) -> Sequence[str]:
        """Return the figure's conditions, as everyone sees them."""
        return [row.kind for row in encounter.conditions(model.id)]

    def afflict(self, act: Act, model: ModelRow, kind: str, value: int) -> Reply:
        """Put a trooper into its one state between Normal and Dead; a trooper that falls is prone.

        Raises InvalidInput for a Marker. Rules: INF-WND-01, INF-SHA-01, INF-VAL-06.
        """
        _require_figure(act, model)
        states = {state.value: state for state in State}
        effects: Sequence[Effect] = [Gain(model.id, kind, value, source="by hand")]
        if kind in states:
            effects = entered(trooper(act.encounter, model), states[kind])
        act.encounter.apply(effects)
        return Reply(())

    def relieve(self, act: Act, model: ModelRow, kinds: Sequence[str]) -> Reply:
        """End conditions; a model that leaves close combat releases its enemies. Raises InvalidInput for
        a Marker.
        """
        _require_figure(act, model)
        contact = act.encounter.condition(model.id, Condition.CLOSE_COMBAT)
        act.encounter.apply([Lose(model.id, kind) for kind in kinds])
        if contact is not None and Condition.CLOSE_COMBAT in kinds:
            enemy_ids = [
                row.model
                for enemy in act.encounter.models()
                for row in act.encounter.conditions(enemy.id)
                if row.kind == Condition.CLOSE_COMBAT and row.value == model.id
            ]
            act.encounter.apply([Lose(number, Condition.CLOSE_COMBAT) for number in enemy_ids])
        return Reply(())


def _require_figure(act: Act, model: ModelRow) -> None:
    """Raise InvalidInput for a Marker, whose trooper is secret. Rules: INF-SEN-06."""
    if concealment.is_marker(act.encounter, model.id):
        raise InvalidInput(f"Reveal {model.name} first with /inf reveal. It is a Marker.")
