"""Fields that several actions of Frac'd Earth share: see `bot.table.asking.fields`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bot.actions import declared
from bot.games.fracd_earth import suggestions
from bot.games.fracd_earth.figures import figure_of, find_weapon
from bot.games.fracd_earth.narration import trait_named, trait_word
from bot.games.fracd_earth.suggestions import parse_grounds
from bot.store.rows import ModelRow, SideRow
from bot.table.asking import fields, offering
from bot.table.asking.kinds import Asking, Names
from bot.table.asking.table_kinds import Models, split
from bot.table.board import facts
from bot.table.board.facts import Fact
from bot.table.board.surface import require_board
from bot.table.encounter import EncounterView
from rules.measure import Sight
from rules.refusals import InvalidInput, Missing
from rules.systems.fracd_earth import movement
from rules.systems.fracd_earth.movement import Ground
from rules.systems.fracd_earth.profile import TRAITS, Figure
from rules.systems.fracd_earth.weapons import VERSUS, Weapon

# ------------------------------------------------------------------------------------ who


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures(Models):
    """A figure that the person who asks plays, also where odds are asked: they come of its player's cards.

    asked: any figure may be asked about; the handler refuses to move it.
    """

    asked: bool = False

    def _seen(self, row: ModelRow, context: Asking) -> ModelRow:
        if not self.asked:
            context.act.require_model(row)
        return row


def acting_figure(label: str = "Figure", **more_options: Any) -> Any:
    """Declare the figure that acts; only its player may name it, even for odds."""
    options = {"names": offering.own_model, "mine": True, "needed": True, "called": "model", **more_options}
    return declared(Figures(help=label, **options), None)


def allies(label: str, names: Names = offering.several_models, **more_options: Any) -> Any:
    """Declare figures with commas between them, each once."""
    return fields.models(label, names=names, wire=str, once=True, **more_options)


def teamwork_field() -> Any:
    """Declare allies who spend their Main action."""
    return allies("Allies who give Teamwork, separated by commas", offering.several_friends)


def away_field() -> Any:
    """Declare supporters who have the target out of range and reach."""
    label = "Allies who help although the target is out of their range and reach"
    return allies(label, offering.several_friends, fact=True)


def blind_sides_field() -> Any:
    """Declare sides that do not see a hidden attacker."""

    def find(context: Asking, text: str) -> tuple[SideRow, ...]:
        return tuple(context.act.encounter.find_side(name) for name in split(text))

    def write(sides: tuple[SideRow, ...]) -> str:
        return ", ".join(side.name for side in sides)

    label = "Sides that can't see the Hidden attacker"
    return fields.sought(label, offering.any_side, find, written=write, joins=",", fact=True, any_order=1)


# ------------------------------------------------------------------------------------ with what


def weapon_field(
    label: str,
    field: str,
    default: Callable[[Asking, Figure], Weapon] | None = None,
    names: Names | None = None,
) -> Any:
    """Declare a weapon of the figure in the field `of`, by its title. default: which if none is named."""

    def find(context: Asking, text: str) -> Weapon:
        row = _require_carrier(context, field)
        return find_weapon(figure_of(context.act.encounter, row), row.name, text)

    def resolve(context: Asking) -> Any:
        return default and default(
            context, figure_of(context.act.encounter, _require_carrier(context, field))
        )

    suggested = names or suggestions.weapons_of_figure(field)
    return fields.sought(
        label, suggested, find, written=_write_title, default=resolve if default else None, alone=True
    )


def in_hand_field(label: str, field: str) -> Any:
    """Declare a weapon for a Fight that the figure in the field `of` has in hand; None for any it carries."""

    def find(context: Asking, text: str) -> Weapon:
        row = _require_carrier(context, field)
        return find_weapon(figure_of(context.act.encounter, row), row.name, text, for_fight=True)

    return fields.sought(label, suggestions.weapons_of_figure(field), find, written=_write_title)


def _require_carrier(context: Asking, field: str) -> ModelRow:
    row = context.so_far.get(field)
    if not isinstance(row, ModelRow):
        raise Missing("Choose the figure before its weapon.")
    return row


def _write_title(weapon: Weapon) -> str:
    return weapon.title


# ------------------------------------------------------------------------------------ how


def trait_field(label: str, unsaid: str) -> Any:
    """Declare a trait, Attribute or armour."""
    return fields.sought(label, suggestions.suggest_traits, _find_trait, unsaid=unsaid)


def _find_trait(context: Asking, text: str) -> str:
    trait = trait_named(text)
    if trait not in (*TRAITS, *VERSUS):
        raise InvalidInput(f"Use one of these traits: {', '.join(map(trait_word, (*TRAITS, *VERSUS)))}.")
    return trait


def agreed_marks_field() -> Any:
    """Declare marks that the table agrees on."""
    label = "Extra [+] cards (below 0 for [-] cards)"
    return fields.whole(label, -20, 20, default=0, checked=True, fact=True)


def ground(label: str, unsaid: str | None = None, **more: Any) -> Any:
    """Declare grounds and things on the way, separated by commas."""

    def find(context: Asking, text: str) -> tuple[Ground, ...]:
        return parse_grounds(text)

    return fields.sought(label, suggestions.grounds, find, written=", ".join, unsaid=unsaid, **more)


def moving_field() -> Any:
    """Declare whether the attacker moves."""
    return fields.switch("Attacks while moving")


def platform_field() -> Any:
    """Declare whether it attacks from a vehicle or a mount."""
    return fields.switch("Attacks from a vehicle or mount", fact=True)


OBSTACLES_BY_COVER: tuple[movement.ObstacleKind, ...] = ("soft", "dense", "hard")
"""The obstacle that terrain of cover 1 to 3 is."""
MIN_CROSSED_SHARE = 0.05
"""The share of a target that something has to cover for the line to cross it."""


def find_obstacle(encounter: EncounterView, attacker: int, target: int, sight: Sight) -> Fact:
    """Return the obstacle on the line, or that nothing is seen. Rules: FE-OBS-03 to FE-OBS-05."""
    if sight.is_blocked:
        return facts.unseen(encounter, target, sight)
    rating, cause_text = facts.cover_rating(require_board(encounter), sight, MIN_CROSSED_SHARE)
    return (
        Fact(OBSTACLES_BY_COVER[rating - 1], f"{OBSTACLES_BY_COVER[rating - 1]}: {cause_text}")
        if rating
        else Fact("none", "no obstacle")
    )
