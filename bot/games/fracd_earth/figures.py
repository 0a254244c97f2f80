"""From the table's rows to figures as the rules see them, and what a figure has used in its activation."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

from bot.games.fracd_earth.state import FigureState, encounter_state
from bot.store.rows import ModelRow
from bot.table.act import ActView
from bot.table.encounter import EncounterView
from rules.refusals import InvalidInput, Missing, forbid
from rules.systems.fracd_earth.movement import Pace
from rules.systems.fracd_earth.profile import INACTIVE, Figure, Profile, read_json, read_text, write_text
from rules.systems.fracd_earth.turns import COMPATIBLE_ACTIONS, Activation, MainUse
from rules.systems.fracd_earth.weapons import Weapon
from rules.wording import possessive, times

_MAIN_USES: tuple[MainUse | Literal[""], ...] = ("", "basic", "focused", "teamwork")
_PACES: tuple[Pace | Literal[""], ...] = ("", "move", "run", "rush", "crawl")
_COMPATIBLE = ("", *COMPATIBLE_ACTIONS)


@lru_cache(maxsize=512)
def profile_of(text: str) -> Profile:
    """Return the Crew Card of a model's row. Raises InvalidInput."""
    return read_typed(text)


def read_typed(text: str) -> Profile:
    """Return a Crew Card typed as lines, or pasted as JSON. Raises InvalidInput."""
    return read_json(text) if text.lstrip().startswith("{") else read_text(text)


def card_text(profile: Profile) -> str:
    """Return a Crew Card as a model's row keeps it."""
    return write_text(profile)


def figure_of(encounter: EncounterView, row: ModelRow) -> Figure:
    """Return a model as the rules see it, under the name that it has at this table."""
    conditions = frozenset((condition.kind, condition.value) for condition in encounter.conditions(row.id))
    return Figure(
        row.id,
        row.side,
        profile_of(row.profile),
        row.damage,
        FigureState(row).second_damage,
        conditions,
        sum(sustained_by(row).values()),
    )


def sustained_by(row: ModelRow) -> dict[str, int]:
    """Return the power effects that a figure maintains, by name, and how often each."""
    return dict(sorted(FigureState(row).sustained.items()))


def describe_life(figure: Figure) -> str:
    """Return what is left of a figure."""
    profile = figure.profile
    words = f"{max(0, profile.capacity - figure.damage)} of {profile.capacity} Capacity left"
    if profile.second_capacity:
        second_left = profile.second_capacity - figure.second_damage
        words += f", second track {second_left} of {profile.second_capacity} left"
    return words


def find_weapon(figure: Figure, name: str, text: str, *, for_fight: bool = False) -> Weapon:
    """Return the weapon meant by its title. fights: it must be one for a Fight. Raises InvalidInput."""
    weapons = _require_weapons(figure, name)
    title = " ".join(text.split()).casefold()
    matches = [weapon for weapon in weapons if weapon.title.casefold().startswith(title)]
    exact_matches = (
        matches if len(matches) == 1 else [weapon for weapon in matches if weapon.title.casefold() == title]
    )
    if not exact_matches:
        titles = ", ".join(weapon.title for weapon in weapons)
        raise Missing(f"Choose a weapon. {name} has {titles}.")
    if for_fight and exact_matches[0].reach_inches is None:
        raise InvalidInput(f"Choose another weapon. {exact_matches[0].title} can't be used in a Fight.")
    return exact_matches[0]


def _require_weapons(figure: Figure, name: str) -> tuple[Weapon, ...]:
    if not figure.profile.weapons:
        raise InvalidInput(f"Choose another figure. {name} has no weapon on its Crew Card.")
    return figure.profile.weapons


def pick_reaching_weapon(figure: Figure, name: str, distance: float) -> Weapon:
    """Return the first weapon that reaches so far, one for a Fight before others. Raises InvalidInput."""
    weapons = _require_weapons(figure, name)
    melee_weapons = [
        weapon for weapon in weapons if weapon.reach_inches is not None and weapon.reach_inches >= distance
    ]
    ranged_weapons = [weapon for weapon in weapons if weapon.range_inches is not None]
    suitable_weapons = (
        melee_weapons
        or [weapon for weapon in ranged_weapons if (weapon.range_inches or 0) >= distance]
        or ranged_weapons
    )
    return (suitable_weapons or list(weapons))[0]


def list_weapons_in_hand(figure: Figure, named_weapon: Weapon | None) -> tuple[Weapon, ...]:
    """Return the weapons for a Fight that a figure may have in hand: the one named, else all it carries."""
    if named_weapon is not None:
        return (named_weapon,)
    return tuple(weapon for weapon in figure.profile.weapons if weapon.reach_inches is not None)


def require_own_weapon(act: ActView, row: ModelRow, named_weapon: Weapon | None) -> None:
    """Refuse another player's choice of a figure's weapon. Raises NotAllowed."""
    if named_weapon is not None and not act.action.looks:
        act.require_weapon_of(
            row.side, row.name, "Leave the weapon blank to count all of the figure's weapons."
        )


def trait_of(weapon: Weapon) -> str:
    """Return the trait of an attack with it: Cast for powers, Fight within reach, Shoot at a distance."""
    if weapon.suit:
        return "cast"
    return "fight" if weapon.reach_inches is not None else "shoot"


# ------------------------------------------------------------------------------------ activations


def activation_of(row: ModelRow) -> Activation:
    """Return the actions that the figure has used this turn."""
    state = FigureState(row)
    return Activation(
        _MAIN_USES[state.main],
        _PACES[state.pace],
        state.halves,
        _COMPATIBLE[state.compatible],
        state.frees,
        state.reactions,
    )


def keep_activation(row: ModelRow, activation: Activation) -> None:
    """Write down what the figure has used."""
    state = FigureState(row)
    state.main, state.pace = _MAIN_USES.index(activation.main), _PACES.index(activation.pace)
    state.compatible = _COMPATIBLE.index(activation.compatible)
    state.halves, state.frees, state.reactions = activation.halves, activation.frees, activation.reactions


def describe_used(activation: Activation) -> str:
    """Return what is used, in words."""
    parts = [f"Main action ({activation.main})"] if activation.main else []
    parts += [activation.pace.capitalize()] if activation.pace else []
    if activation.halves:
        parts.append(times(activation.halves, "Half-Move"))
    parts += [f"Compatible action ({activation.compatible})"] if activation.compatible else []
    parts += [times(activation.frees, "Free action")] if activation.frees else []
    parts += [times(activation.reactions, "reaction")] if activation.reactions else []
    return ", ".join(parts) or "nothing"


def is_inactive(encounter: EncounterView, row: ModelRow) -> bool:
    """Return whether a figure does nothing at present: it neither acts nor supports, avoids or reacts.

    Rules: FE-DEF-02.
    """
    return encounter.condition(row.id, INACTIVE) is not None


def explain_inactive(row: ModelRow) -> str:
    """Return why an Inactive figure does nothing."""
    return f"{row.name} can't do anything while it is Inactive."


def require_active(encounter: EncounterView, *rows: ModelRow) -> None:
    """Refuse what an Inactive figure would do. Raises Forbidden. Rules: FE-DEF-02."""
    for row in rows:
        if is_inactive(encounter, row):
            forbid(explain_inactive(row), "FE-DEF-02")


def explain_not_acting(encounter: EncounterView, row: ModelRow) -> str:
    """Return why what belongs to a figure's own activation cannot be done now; empty where it can.

    Rules: FE-ACT-01, FE-DEF-02.
    """
    if is_inactive(encounter, row):
        return explain_inactive(row)
    acting_id = encounter_state(encounter).acting
    if encounter.row.turn < 1 or acting_id == row.id:
        return ""
    names = {model.id: model.name for model in encounter.models(gone=True)}
    acting_text = f"{names[acting_id]} is acting" if acting_id in names else "no figure is acting"
    return f"It is not {possessive(row.name)} activation ({acting_text})."


def require_acting(act: ActView, row: ModelRow) -> None:
    """Refuse what belongs to a figure's own activation while another acts. Rules: FE-ACT-01."""
    refusal = explain_not_acting(act.encounter, row)
    if refusal:
        forbid(refusal, "FE-ACT-01")


def keep_activations(activations: Iterable[tuple[ModelRow, Activation]]) -> None:
    """Write down what several figures have used."""
    for row, activation in activations:
        keep_activation(row, activation)
