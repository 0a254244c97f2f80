"""Suggestions in Frac'd Earth's fields: from Crew Cards, never from hands; and the words for ground."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth.figures import profile_of
from bot.games.fracd_earth.narration import inches, trait_word
from bot.table.asking.kinds import Asking, Names, Offer
from bot.table.asking.offering import completing, model_said, models_offered
from rules.refusals import InvalidInput
from rules.systems.fracd_earth import movement
from rules.systems.fracd_earth.combat import beyond_mid_range, breaks
from rules.systems.fracd_earth.movement import OBSTACLES, THINGS, Ground, ground_of
from rules.systems.fracd_earth.profile import TRAITS
from rules.systems.fracd_earth.turns import COMPATIBLE_ACTIONS, FREE_ACTIONS
from rules.systems.fracd_earth.weapons import VERSUS, Weapon

GROUNDS = (*movement.WORST, "soft obstacle", "dense obstacle")
"""Grounds that a figure goes through, as they may be typed."""


def parse_grounds(text: str) -> tuple[Ground, ...]:
    """Read grounds and obstacles typed with commas, by their first letters. Raises InvalidInput."""
    return tuple(_parse_ground(part.strip().casefold()) for part in text.split(",") if part.strip())


def _parse_ground(word: str) -> Ground:
    """One ground, that inside an obstacle, or that of a thing. Rules: FE-OBS-03, FE-OBS-04."""
    word = _thing_kind(word)
    ground = next((name for name in movement.WORST if name.startswith(word)), None)
    if ground is not None:
        return ground
    kind = next((name for name in OBSTACLES if name.startswith(word.removesuffix(" obstacle"))), None)
    if kind is None:
        raise InvalidInput(
            f'Use a kind of terrain ({", ".join(GROUNDS)}) or a feature, such as "hedge", "stairs" or "mud".'
        )
    return ground_of(kind)


def _thing_kind(word: str) -> str:
    name = word.removeprefix("thick ").removeprefix("dense ")
    for ending in ("", "s", "es"):
        kind = THINGS.get(name.removesuffix(ending))
        if kind is not None:
            return kind
    return word


def weapons_of_figure(field: str) -> Names:
    """Return the weapons of the figure that another field names."""

    def weapons(context: Asking) -> Sequence[str]:
        row = model_said(context, field)
        is_this_game = row is not None and context.act.encounter.row.system == "fracd_earth"
        return [weapon.title for weapon in profile_of(row.profile).weapons] if row and is_this_game else []

    return weapons


def suggest_ranged_weapons(context: Asking) -> Sequence[str]:
    """Suggest the attacker's ranged weapons."""
    return [
        weapon.title for weapon in _weapons_in_fields(context, "attacker") if weapon.range_inches is not None
    ]


def _weapons_in_fields(context: Asking, *fields: str) -> list[Weapon]:
    rows = [model_said(context, field) for field in fields]
    if not context.act.has_encounter or context.act.encounter.row.system != "fracd_earth":
        return []
    return [weapon for row in rows if row for weapon in profile_of(row.profile).weapons]


def _distance_bands(weapons: Sequence[Weapon]) -> list[Offer]:
    limits = sorted({limit for weapon in weapons for limit in breaks(weapon)})
    return [
        Offer(
            limit,
            f"up to {inches(limit)}" if limit else "in contact",
            "; ".join(_weapon_at_distance(arm, limit) for arm in weapons if limit <= breaks(arm)[-1])[:100],
        )
        for limit in limits
    ]


def _weapon_at_distance(weapon: Weapon, distance: float) -> str:
    is_beyond = weapon.reach_inches is None and beyond_mid_range(
        distance, breaks(weapon)[-1], power=bool(weapon.suit)
    )
    return f"{weapon.title}{' [-]' if is_beyond else ''}"


def attack_bands(context: Asking) -> Sequence[Offer]:
    """Return how far an attack may go until something changes, with what reaches there. Rules: FE-CMB-07."""
    return _distance_bands(_weapons_in_fields(context, "attacker"))


def ground_bands(context: Asking) -> Sequence[Offer]:
    """Return how far an attack at the ground may go until something changes. Rules: FE-AOE-01, FE-CMB-07."""
    return _distance_bands(
        [weapon for weapon in _weapons_in_fields(context, "attacker") if weapon.range_inches is not None]
    )


def reach_bands(context: Asking) -> Sequence[Offer]:
    """Return how near figures come until something changes: what either has in hand. Rules: FE-RCH-01."""
    melee_weapons = [
        weapon
        for weapon in _weapons_in_fields(context, "figure", "opponent")
        if weapon.reach_inches is not None
    ]
    bands = _distance_bands(melee_weapons)
    contact_offers = [] if any(not band.value for band in bands) else [Offer(0.0, "in contact")]
    return [*contact_offers, *bands] if melee_weapons else []


def suggest_defenders(context: Asking) -> Sequence[Offer]:
    """Suggest allies of the figure that is attacked now."""
    exchange = exchanges.find_exchange(context.act.encounter) if context.act.has_encounter else None
    target = exchange.facts.get("target") if exchange is not None else None
    if not target:
        return []
    side = context.act.encounter.model(target).side
    return models_offered(context, [row for row in context.act.encounter.models(side) if row.id != target])


def suggest_traits(context: Asking) -> Sequence[Offer]:
    """Suggest the Combat Traits, Attributes and armours."""
    return [Offer(name, trait_word(name)) for name in (*TRAITS, *VERSUS)]


def suggest_small_actions(context: Asking) -> Sequence[str]:
    """Suggest Compatible and Free actions, reactions, Teamwork."""
    return [*COMPATIBLE_ACTIONS, *FREE_ACTIONS, "reaction", "teamwork"]


def _suggest_grounds(context: Asking) -> Sequence[str]:
    return [*GROUNDS, *(name for name, kind in THINGS.items() if kind not in ("hard", "impassable"))]


grounds = completing(_suggest_grounds)
"""Grounds and obstacles with commas between them."""
