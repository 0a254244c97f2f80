"""Suggestions in Infinity's fields, without other players' secrets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.actions import Raw
from bot.games.infinity import concealment
from bot.store.store import Store
from bot.table.act import Actor
from bot.table.asking.kinds import Asking, Names, Offer
from bot.table.asking.offering import friendly
from bot.table.asking.server_kinds import Elsewhere
from bot.table.encounter import EncounterView
from bot.table.rosters.statblocks import filter_by_game, load_library_rows
from rules.systems.infinity.profile import Weapon
from rules.systems.infinity.profile_text import samples

SYSTEM = "infinity"


def _infinity_encounter(context: Asking) -> EncounterView | None:
    encounter = context.act.encounter if context.act.has_encounter else None
    return encounter if encounter is not None and encounter.row.system == SYSTEM else None


def suggest_troopers(context: Asking) -> Sequence[Offer]:
    """Return the person's own troopers, hidden ones too, then everyone else as they show themselves."""
    encounter = _infinity_encounter(context)
    if encounter is None:
        return []
    own_names = _own_figures(encounter, context.act.actor.user_id)
    other_names = [model.name for model in encounter.models() if model.name not in own_names.values()]
    return [Offer(own_names.get(name, name), name) for name in [*own_names, *other_names]]


def _own_figures(encounter: EncounterView, user_id: int) -> dict[str, str]:
    figures: dict[str, str] = {}
    for side in encounter.sides():
        if not concealment.may_see_secrets(encounter, user_id, side.id):
            continue
        for model in encounter.models(side.id):
            secret_trooper = concealment.marker_of(encounter, model.id)
            figures[f"{secret_trooper.name} ({model.name})" if secret_trooper else model.name] = model.name
        figures |= {
            f"{secret_trooper.name} (hidden)": secret_trooper.name
            for secret_trooper in concealment.hidden_troopers(encounter, side.id)
        }
    return figures


def suggest_markers(context: Asking) -> Sequence[str]:
    """Suggest Markers on the table, those of the enemy."""
    encounter = _infinity_encounter(context)
    if encounter is None:
        return []
    own_sides = friendly(context)
    return [
        model.name
        for model in encounter.models()
        if model.side not in own_sides and concealment.is_marker(encounter, model.id)
    ]


def suggest_weapons(trooper_field: str, fits: Callable[[Weapon], bool]) -> Names:
    """Suggest the weapons of the trooper in another field."""

    def weapons(context: Asking) -> Sequence[str]:
        trooper = context.so_far.get(trooper_field)
        return [weapon.name for weapon in trooper.current.weapons if fits(weapon)] if trooper else []

    return weapons


def suggest_distances(context: Asking) -> Sequence[Offer]:
    """Return how far a BS Attack may go until its MOD changes, with each weapon's MOD. Rules: INF-BS-02."""
    shooter = context.so_far.get("shooter")
    weapons = [weapon for weapon in shooter.current.weapons if weapon.bands] if shooter else []
    limits = sorted({band.limit for gun in weapons for band in gun.bands})
    return [
        Offer(
            float(limit),
            f"up to {limit} in",
            "; ".join(filter(None, (_describe_mod(gun, limit) for gun in weapons)))[:100],
        )
        for limit in limits
    ]


def _describe_mod(weapon: Weapon, inches: int) -> str:
    """Return the MOD of a weapon at a distance; empty where it does not reach."""
    band = next((band for band in weapon.bands if inches <= band.limit), None)
    return f"{weapon.name} {band.mod:+d}" if band else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profiles(Elsewhere):
    """A profile by name: of the server's library, and of the samples where they count too."""

    with_samples: bool = False

    async def located(self, store: Store, actor: Actor, typed: str) -> Raw:
        return typed or None

    async def names(self, store: Store, actor: Actor) -> Sequence[str]:
        names = [row.name for row in filter_by_game(await load_library_rows(store, actor), SYSTEM)]
        if self.with_samples:
            names += [trooper.name for sample in samples() for trooper in sample.troopers]
        return names
