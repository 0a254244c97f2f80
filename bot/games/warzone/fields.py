"""Fields that several actions of Warzone share, and what players measure and see, in their words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from math import ceil
from typing import Any, cast

from bot.actions import Raw, declared
from bot.games.warzone import suggestions
from bot.games.warzone.units import (
    Carried,
    find_squad,
    first_weapon,
    model_of,
    settings_of,
    squad_key,
    weapon_named,
    weapons_for,
)
from bot.table.asking import fields, measuring, offering
from bot.table.asking.kinds import Asking, Names, OneOf
from bot.table.board import facts
from bot.table.board.facts import Covered, Fact
from bot.table.board.routes import BoardPath
from bot.table.board.surface import require_board
from bot.table.encounter import EncounterView
from rules.measure import Body, Point, Sight, Template, relative_bearing, tenths
from rules.refusals import InvalidInput, Missing
from rules.systems.warzone.model import Model, Squad
from rules.systems.warzone.profile import Weapon
from rules.systems.warzone.ranged import Cover, in_rear_arc
from rules.systems.warzone.tables import TERRAINS, Terrain

BAND_ENDS = {"pb": 6.0, "sr": 12.0, "mr": 24.0, "lr": 36.0, "er": 48.0}
"""Inches for a range band that is named instead of a distance."""

COVER_NAMES: dict[Cover, str] = {
    "obscured": "obscured",
    "soft": "soft cover",
    "hard": "hard cover",
    "impenetrable": "impenetrable cover",
}
COVERS: tuple[Cover, ...] = tuple(COVER_NAMES)


@dataclass(frozen=True, slots=True)
class Reach:
    """How far a target is. band: named instead of the distance, of which its far end then counts."""

    inches: float
    band: str = ""

    def __str__(self) -> str:
        return self.band or f"{self.inches:g}"


def parse_reach(text: str) -> Reach:
    """Return a number of inches, or the name of a range band. Raises InvalidInput."""
    reach_text = text.strip().lower().removesuffix("in").strip()
    if reach_text in BAND_ENDS:
        return Reach(BAND_ENDS[reach_text], reach_text.upper())
    try:
        inches = float(reach_text.replace(",", "."))
    except ValueError:
        inches = -1.0
    if not 0 <= inches <= 1000:
        raise InvalidInput("Enter the distance in inches, or a range band: PB, SR, MR, LR or ER.")
    return Reach(inches)


def parse_cover(text: str) -> frozenset[Cover]:
    """Return the target's cover: none, or of COVERS, several with + between. Raises InvalidInput."""
    words = [word.strip().lower() for word in text.split("+")]
    if words in ([""], ["none"]):
        return frozenset()
    covers = frozenset(cover for cover in COVERS if cover in words)
    if len(covers) != len(set(words)):
        raise InvalidInput(f"Enter one of these for cover: none, {', '.join(COVERS)}. Join several with +.")
    return covers


def format_cover(covers: Collection[Cover]) -> str:
    """Return cover as `parse_cover` reads it."""
    return "+".join(cover for cover in COVERS if cover in covers) or "none"


def parse_ground(text: str) -> frozenset[Terrain]:
    """Return kinds of terrain with + or commas between. Raises InvalidInput."""
    words = {word.strip().lower() for word in text.replace(",", "+").split("+") if word.strip()}
    if not words or not words <= set(TERRAINS):
        raise InvalidInput(f"Enter one of these for terrain: {', '.join(TERRAINS)}. Join several with +.")
    return frozenset(cast(Terrain, word) for word in words)


def format_ground(kinds: Collection[Terrain]) -> str:
    """Return terrain as `parse_ground` reads it."""
    return "+".join(sorted(kinds))


def describe_measurements(reach: Reach, covers: Collection[Cover], *other_terms: str) -> list[str]:
    """Return what was measured for an attack, for the opponent to check: distance, cover, and more."""
    distance = reach.band or f"{reach} in"
    return [", ".join((distance, describe_covers(covers) or "no cover", *other_terms))]


def describe_covers(covers: Collection[Cover]) -> str:
    """Return all that covers a target; empty for nothing."""
    return ", ".join(COVER_NAMES[cover] for cover in COVERS if cover in covers)


COVER_CHOICES = (
    "none",
    "obscured",
    "soft",
    "hard",
    "impenetrable",
    "obscured+soft",
    "obscured+hard",
    "soft+hard",
    "obscured+soft+hard",
)


# ------------------------------------------------------------------------------------------- who


def who(label: str = "Model that acts", **more: Any) -> Any:
    """Declare the acting model, as the rules see it; only its player may name it, except for odds."""
    return fields.own_model(label, **{"view": model_of, "mine": True, "needed": True, **more})


def target_field(label: str, **more: Any) -> Any:
    """Return a field for the target, as the rules see it; enemies are offered first."""
    return fields.foe(label, view=model_of, **more)


def any_model_field(label: str, **options: Any) -> Any:
    """Return a model of any side, as the rules see it."""
    return fields.model(label, view=model_of, **options)


def friend(label: str, names: Names = offering.friends, **more: Any) -> Any:
    """Declare a model as the rules see it; those on the side of who acts are offered, but for that one."""
    return fields.model(label, names, view=model_of, **more)


def model_list_field(label: str, **options: Any) -> Any:
    """Declare the models as the rules see them, with commas between, each once: a tuple."""
    return fields.models(label, view=model_of, wire=str, once=True, **options)


def model_by_id_field(**options: Any) -> Any:
    """Declare a model that only buttons name, by its number, as the rules see it."""
    return fields.model_by_number(view=model_of, **options)


def under_template_field(label: str, part: str) -> Any:
    """Return a field for models under a template, as the rules see them; enemies are offered first.

    part: wholly or partly.
    """
    return model_list_field(
        label, names=offering.completing(offering.foe), fact=True, measures=_build_template_measure(part)
    )


def models_by_id_field(**options: Any) -> Any:
    """Declare models that only menus name, by number, each once, as the rules see them; enemies first."""
    return fields.models_by_number(view=model_of, once=True, names=offering.foe, **options)


def squad(label: str, **more: Any) -> Any:
    """Return a field for a squad: its name, #number, or one of its models; the acting side's are offered."""

    def find(context: Asking, text: str) -> Squad:
        return find_squad(context.act.encounter, text)

    return fields.sought(label, suggestions.own_squads, find, written=squad_key, **more)


# ------------------------------------------------------------------------------------------- with what


def gun_field(field: str, label: str = "Weapon", **options: Any) -> Any:
    """Return a field for a gun; the first by default. field: the field of its bearer."""
    return _declare_weapon(field, label, close=False, **options)


def launcher_field(field: str, label: str = "Weapon", **options: Any) -> Any:
    """Return a field for a template weapon; the first by default."""
    return _declare_weapon(field, label, close=False, template=True, **options)


def close_weapon_field(field: str, label: str = "Weapon", **options: Any) -> Any:
    """Return a field for a close combat weapon; the first, or bare hands, by default."""
    return _declare_weapon(field, label, close=True, **options)


def any_weapon_field(field: str, label: str = "Weapon", **options: Any) -> Any:
    """Declare any weapon; by default the first that fires at one target."""
    return _declare_weapon(field, label, close=False, offers_all=True, **options)


def _declare_weapon(
    field: str, label: str, *, close: bool, template: bool = False, offers_all: bool = False, **options: Any
) -> Any:
    """Return a weapon of the model that was said in an earlier field; all that it carries can be named.

    offers_all: offer all weapons, and not only those of the kind that is chosen by default.
    """

    def whose(context: Asking) -> Model:
        model = context.so_far.get(field)
        if not isinstance(model, Model):
            raise Missing("Whose weapon is it? Choose the model first.")
        return model

    def list_offers(context: Asking) -> Iterable[str]:
        model = context.so_far.get(field)
        if not isinstance(model, Model):
            return []
        matching_weapons: Iterable[Weapon] = weapons_for(model, close=close, template=template)
        return [weapon.name for weapon in (model.profile.weapons if offers_all else matching_weapons)]

    def find(context: Asking, text: str) -> Carried:
        return weapon_named(whose(context), text)

    def resolve(context: Asking) -> Carried:
        return first_weapon(whose(context), close=close, template=template)

    return fields.sought(label, list_offers, find, default=resolve, alone=True, **options)


def gunner_field() -> Any:
    """Declare whether it serves a mounted weapon."""
    return fields.switch("Fires a mounted weapon as its gunner", fact=True)


# ----------------------------------------------------------------------------------------- as it was measured


def reach_field(label: str, **options: Any) -> Any:
    """Declare how far it is, in inches or by the name of a range band."""
    return fields.sought(label, suggestions.list_bands, lambda context, text: parse_reach(text), **options)


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverKind(OneOf):
    """The kind of cover as covers add up; also in the order of older versions."""

    def write(self, cover: Any) -> Raw:
        return cover if cover is None or isinstance(cover, str) else format_cover(cover)

    def read(self, raw: Raw, context: Asking) -> frozenset[Cover]:
        """Return all that covers it. Raises InvalidInput."""
        return parse_cover(str(raw))


def target_cover_field(**options: Any) -> Any:
    """Return a field for the target's cover, as covers add up."""
    covers_by_choice = {word: parse_cover(word) for word in COVER_CHOICES}
    kind = CoverKind(
        help="Cover of the target", words=covers_by_choice, choices=COVER_CHOICES, fact=True, **options
    )
    return declared(kind, frozenset())


COVER_BY_RATING: tuple[Cover, ...] = ("obscured", "soft", "hard")
"""The cover of terrain rated 1 to 3."""
MIN_COVERED_SHARE = 0.25
"""The share of a target that has to be covered."""


def cover_by_board(encounter: EncounterView, firer: int, target: int, sight: Sight) -> Fact:
    """Return the cover that the board gives a target, or that nothing of it is seen. Rules: WZ-RC-03."""
    if sight.is_blocked:
        return facts.unseen(encounter, target, sight)
    rating, source_name = facts.cover_rating(require_board(encounter), sight, MIN_COVERED_SHARE)
    covers = frozenset(COVER_BY_RATING[rating - 1 : rating]) if rating else frozenset()
    return Fact(
        covers, f"{COVER_NAMES[COVER_BY_RATING[rating - 1]]}: {source_name}" if covers else "no cover"
    )


TEMPLATE_INCHES = 3
"""Inches across a template on the board if its weapon says nothing else."""


def find_models_under(encounter: EncounterView, weapon: Weapon, centre_point: Point, level: float) -> Covered:
    """Return who lies under the template of a weapon whose middle is at a place on the board."""
    radius = (weapon.across or TEMPLATE_INCHES) / 2
    return facts.covered(encounter, Template(middle=centre_point, radius=radius, level=level), centre_point)


def _build_template_measure(extent: str) -> Callable[[Asking], Fact | None]:
    """Return who lies under a template, wholly or partly, if all templates of the firer are as large."""

    def measured(context: Asking) -> Fact | None:
        bodies, firer = _find_bodies(context, "firer", "target"), context.so_far.get("firer")
        if bodies is None or not isinstance(firer, Model):
            return None
        template_weapons = [weapon for weapon in firer.profile.weapons if weapon.has("template")]
        if len({weapon.across for weapon in template_weapons}) != 1 or any(
            weapon.has("no_roll") for weapon in template_weapons
        ):
            return None
        encounter = context.act.encounter
        covered = find_models_under(encounter, template_weapons[0], bodies[1].at, bodies[1].bottom)
        models = tuple(
            model_of(encounter, encounter.model(model_id)) for model_id in getattr(covered, extent)
        )
        names = ", ".join(model.name for model in models)
        return Fact(
            models, f"{'' if extent == 'wholly' else 'partly '}under the template: {names}" if models else ""
        )

    return measured


def cover_if_seen(encounter: EncounterView, firer: int, target: int, sight: Sight) -> Fact | None:
    """Return the cover of the target of a template; None if nothing of it is seen."""
    return None if sight.is_blocked else cover_by_board(encounter, firer, target, sight)


def measure_reach(context: Asking) -> Fact | None:
    """Return how far the board shows that it is."""
    pair = measuring.both(context, "firer", "target")
    distance = facts.between(context.act.encounter, *pair) if pair else None
    return None if distance is None else replace(distance, value=Reach(distance.value))


def read_ground(route: BoardPath) -> Fact:
    """Return the ground of a way: rough, water, and limiting over obstacles. Rules: WZ-TERR-01."""
    kinds: set[Terrain] = {
        "water" if area.kind == "water" else "rough" for area in route.ground if area.rough
    }
    kinds |= {"limiting"} if route.barriers else set()
    names = [*(area.name for area in route.ground if area.rough), *(area.name for area, _ in route.barriers)]
    return Fact(frozenset(kinds or {"normal"}), ", ".join(names))


def find_highest_obstacle(route: BoardPath) -> Fact:
    """Return the height of the highest obstacle on a way; -1 for none. Rules: WZ-TERR-03."""
    level = max(route.before.bottom, route.after.bottom)
    max_height = max((tenths(barrier.top - level) for barrier, _ in route.barriers), default=-1.0)
    return Fact(max_height, f"highest obstacle {max_height:g} in high" if max_height >= 0 else "")


def worst_ground_field(**options: Any) -> Any:
    """Declare the worst ground of a way."""
    return fields.sought(
        "Terrain crossed (join several kinds with +)",
        suggestions.terrain_kinds,
        lambda context, text: parse_ground(text),
        joins="+",
        written=format_ground,
        unsaid="normal",
        fact=True,
        **options,
    )


def smoke_level_field() -> Any:
    """Declare the highest level of smoke on the line. Rules: WZ-RC-05."""
    return fields.whole(
        "Highest smoke level along the line of fire", 0, 20, default=0, fact=True, measures=_measure_smoke
    )


def _measure_smoke(context: Asking) -> Fact | None:
    pair = measuring.both(context, "firer", "target")
    if pair is None or facts.pair(context.act.encounter, *pair) is None:
        return None
    level, name = find_smoke_level(context.act.encounter, *pair)
    return Fact(level, f"smoke level {level}: {name}" if level else "")


def find_smoke_level(encounter: EncounterView, firer: int, target: int) -> tuple[int, str]:
    """Return the highest level of smoke on the line between two models, and its name: 0 for none."""
    smoke = facts.find_smoke(encounter, firer, target)
    return max(((piece.cover, piece.name) for piece in smoke), default=(0, ""))


def front_angle_field() -> Any:
    """Declare the degrees off the front of the firer."""

    def measured(context: Asking) -> Fact | None:
        bodies = _find_bodies(context, "firer", "target")
        if bodies is None or bodies[0].facing is None:
            return None
        degrees = ceil(abs(relative_bearing(bodies[0], bodies[1].at)) - 1e-6)
        return Fact(degrees, f"{degrees} degrees from the front of the firer" if degrees else "")

    return fields.whole(
        "Angle from the front to the target (degrees)",
        0,
        180,
        default=0,
        fact=True,
        measures=measured,
    )


def _find_bodies(context: Asking, first_field: str, second_field: str) -> tuple[Body, Body] | None:
    """Return two models as they are on the board, or None if unknown."""
    pair = measuring.both(context, first_field, second_field)
    return facts.pair(context.act.encounter, *pair) if pair else None


def friendly_gap_field() -> Any:
    """Declare the inches between friends in the way, -1 for none there."""
    return fields.inches(
        "Gap between friendly models in the way (inches)", 0.0, 200.0, default=-1.0, fact=True
    )


def rear_field() -> Any:
    """Declare whether a vehicle is attacked from behind."""

    def measured(context: Asking) -> Fact | None:
        bodies = _find_bodies(context, "firer" if "firer" in context.so_far else "attacker", "target")
        target = context.so_far.get("target")
        if bodies is None or bodies[1].facing is None or not isinstance(target, Model):
            return None
        angle = relative_bearing(bodies[1], bodies[0].at)
        from_rear = target.vehicle and in_rear_arc(angle, settings_of(context.act.encounter))
        return Fact(from_rear, "from the rear" if from_rear else "")

    return fields.switch("Attacks a vehicle from the rear", fact=True, measures=measured)


def no_enemy_seen_field(label: str = "The model sees no enemy") -> Any:
    """Declare whether no enemy is in sight of the model."""
    return fields.switch(label, fact=True, measures=measuring.sees_nobody)


def dire_level_field() -> Any:
    """Return the level of a Dire effect, 0 for none."""
    return fields.whole("Level of the Dire effect on the model", 0, 10, default=0, checked=True, fact=True)


def fear_direction_field() -> Any:
    """Declare which way it goes from what frightened it."""
    directions = ("away", "nearer", "other")
    return fields.one_of(
        "Direction relative to what broke its morale", directions, called="toward", default="other", fact=True
    )
