"""Discover and Sensor, as Skills of an Order and as AROs: who may use them, and with which MODs."""

from __future__ import annotations

from bot.games.infinity import troops, veils
from bot.games.infinity.orders_row import DISCOVER, SEARCHES, SENSOR, Order, Reaction
from bot.store.rows import ModelRow
from bot.table.encounter import Encounter
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput
from rules.systems.infinity.profile import Skill
from rules.systems.infinity.settings import Settings
from rules.systems.infinity.shooting import FOUND, Hiding, check_sensor, discover_modifiers, sensor_modifiers
from rules.systems.infinity.trooper import Condition, Trooper, in_zone

SHOWN_HIDING = {Condition.CAMOUFLAGED: Hiding.CAMOUFLAGE, Condition.TO_CAMOUFLAGED: Hiding.TO}
"""What a Marker's kind tells everybody; what its figure has beside that must not show in a MOD."""

RANGE_MODS = (0, 3, -3, -6)
"""MODs of the table's range chart that the menu offers for a Discover."""


def given(mod: int) -> tuple[Modifier, ...]:
    """Return a MOD that the table agreed on."""
    return (Modifier(mod, "given at the table"),) if mod else ()


def modifiers_to_discover(
    one: Trooper,
    marker: Trooper,
    settings: Settings,
    *,
    range_mod: int = 0,
    cover: bool = False,
    mod: int = 0,
) -> tuple[Modifier, ...]:
    """Return every MOD to WIP of a Discover on this Marker, from what everybody sees of it."""
    sensor = bool(one.levels(Skill.SENSOR, settings))
    hiding = next((found for state, found in SHOWN_HIDING.items() if marker.has(state)), Hiding.NONE)
    return (*discover_modifiers(hiding, range_mod=range_mod, cover=cover, sensor=sensor), *given(mod))


def modifiers_of(
    encounter: Encounter, order: Order, reaction: Reaction, settings: Settings
) -> tuple[Modifier, ...]:
    """Return every MOD to WIP of an ARO that searches."""
    if reaction.does == SENSOR:
        return sensor_modifiers(given(reaction.mod))
    one, marker = troops.by_id(encounter, reaction.model), troops.by_id(encounter, order.model)
    return modifiers_to_discover(one, marker, settings, range_mod=reaction.mod, cover=reaction.enemy_cover)


def require_marker(encounter: Encounter, one: Trooper, row: ModelRow) -> None:
    """Raise InvalidInput or Forbidden for what is no enemy Marker."""
    if not veils.is_marker(encounter, row.id):
        raise InvalidInput(f"{row.name} is no Marker.")
    if row.side == one.side:
        raise Forbidden(f"{row.name} is on the same side.")


def require_answer_to_marker(encounter: Encounter, order: Order, reaction: Reaction) -> None:
    """Raise Forbidden for an ARO that a Marker does not allow, or that only a Marker does.

    Rules: INF-ORD-09, INF-SEN-01.
    """
    does = reaction.does
    if order.attacks or not veils.is_marker(encounter, order.model):  # who attacks has shown itself
        if does in SEARCHES:
            raise Forbidden("Discover and Sensor answer a Marker, and there is none now.", "INF-ORD-09")
        return
    row = encounter.model(order.model)
    if does in ("shoot", "fight", "hack", "engage"):
        sentence = f"{row.name} is a Marker. Discover it, wait, or use a Skill that is no attack."
        raise Forbidden(sentence, "INF-ORD-09")
    one = troops.by_id(encounter, reaction.model)
    if does == DISCOVER and reaction.unseen:
        raise Forbidden("Discover needs a line of fire to the Marker.", "INF-ORD-09")
    if does != SENSOR:
        return
    check_sensor(one)
    if not any(encounter.condition(row.id, state) for state in FOUND):
        raise Forbidden(f"Sensor does not find {row.name}.", "INF-SEN-01")
    if not (in_zone(reaction.inches) or _has_sniffer(encounter, one)):
        raise Forbidden(f"Sensor needs {row.name} within 8 in.", "INF-SEN-01")


def _has_sniffer(encounter: Encounter, one: Trooper) -> bool:
    """Return whether an ally's Sniffer may carry its Sensor farther. Rules: INF-SEN-05."""
    return any(
        each.levels(Skill.SNIFFER) for each in troops.troopers(encounter, one.side) if each.id != one.id
    )
