"""General modifiers of every Check and Challenge: skill rank, trait, abilities, injury, conditions."""

from __future__ import annotations

from dataclasses import dataclass

from rules.modifiers import Modifier
from rules.systems.fracd_earth.profile import LESS, PENALTY, CrewEffect, Figure
from rules.systems.fracd_earth.settings import Settings
from rules.systems.fracd_earth.weapons import RANKS


@dataclass(frozen=True, slots=True)
class Modifiers:
    """Marks and points of one side, not yet added up."""

    marks: tuple[Modifier, ...] = ()
    points: tuple[Modifier, ...] = ()

    def plus(self, *marks: Modifier) -> Modifiers:
        """Return the same with more marks, without those of 0."""
        return Modifiers((*self.marks, *(mark for mark in marks if mark.amount)), self.points)

    def plus_points(self, *points: Modifier) -> Modifiers:
        """Return the same with more points; those of 0 are left out."""
        return Modifiers(self.marks, (*self.points, *(point for point in points if point.amount)))


def rank_mark(rank: int, noun: str = "skill") -> Modifier:
    """Draw cards of a skill rank, 0 to 3. Rules: FE-MOD-01."""
    return Modifier(rank, f"{RANKS[rank]} {noun}", "FE-MOD-01")


def injured(figure: Figure) -> bool:
    """Return whether less than half of the damage points of either track are left. Rules: FE-MOD-04."""
    profile = figure.profile
    first = 2 * (profile.capacity - figure.damage) < profile.capacity
    second = profile.second_capacity > 0
    return first or (
        second and 2 * (profile.second_capacity - figure.second_damage) < profile.second_capacity
    )


def stacked(effects: tuple[CrewEffect, ...], settings: Settings) -> tuple[CrewEffect, ...]:
    """Return the Crew Card effects that count: only the best of each kind, if the settings say so.

    Rules: FE-MOD-03.
    """
    if settings.crew_stacking == "all":
        return effects
    best: dict[str, int] = {}
    for place, effect in enumerate(effects):
        stronger = effects[best.setdefault(effect.kind.casefold(), place)]
        if (effect.marks, effect.points) > (stronger.marks, stronger.points):
            best[effect.kind.casefold()] = place
    return tuple(effects[place] for place in sorted(best.values()))


def ability_modifiers(figure: Figure, names: tuple[str, ...], settings: Settings) -> Modifiers:
    """Return the Crew Card's modifiers of these skills, Attributes or traits. Rules: FE-MOD-03."""
    ability_names = {name.casefold() for name in names}
    fitting = tuple(effect for effect in figure.profile.effects if effect.target.casefold() in ability_names)
    modifiers = Modifiers()
    for effect in stacked(fitting, settings):
        modifiers = modifiers.plus(Modifier(effect.marks, effect.title, "FE-MOD-03"))
        modifiers = modifiers.plus_points(Modifier(effect.points, effect.title, "FE-MOD-03"))
    return modifiers


def condition_modifiers(figure: Figure, names: tuple[str, ...]) -> Modifiers:
    """Return the penalties of injury and conditions to a use of these traits. Rules: FE-MOD-04, FE-MOD-05."""
    modifiers = Modifiers()
    if injured(figure):
        modifiers = modifiers.plus(Modifier(-1, "injured", "FE-MOD-04"))
    for name in dict.fromkeys((*(name.casefold() for name in names), "all")):
        cards, points = figure.grade(PENALTY + name), figure.grade(LESS + name)
        reason = f"condition affecting {'everything' if name == 'all' else name}"
        modifiers = modifiers.plus(Modifier(-cards, reason, "FE-MOD-05"))
        modifiers = modifiers.plus_points(Modifier(-points, reason, "FE-MOD-05"))
    return modifiers


def general_modifiers(
    figure: Figure, trait: str, settings: Settings, *, skill: str = "", rank: int | None = None
) -> Modifiers:
    """Return everything the figure itself brings to a Check or Challenge.

    trait: the Attribute, armour or Combat Trait that is added. skill: the skill used; the points printed
    after its rank replace the basic trait where there are any. rank: that of the weapon in hand where it
    is not a skill's. Every effect that the figure sustains takes a card, whatever is tested.
    Rules: FE-MOD-01, FE-MOD-02, FE-MOD-03, FE-MOD-04, FE-MOD-05, FE-CMB-06.
    """
    skill_rank = figure.profile.skill(skill) if skill else None
    value = skill_rank.points if skill_rank is not None and skill_rank.points else figure.profile.trait(trait)
    modifiers = Modifiers().plus_points(
        Modifier(value, skill if skill_rank and skill_rank.points else trait, "FE-MOD-02")
    )
    used_rank = rank if rank is not None else skill_rank.rank if skill_rank is not None else 0
    modifiers = modifiers.plus(rank_mark(used_rank, skill or "skill"))
    names = (trait, skill) if skill else (trait,)
    for more in (ability_modifiers(figure, names, settings), condition_modifiers(figure, names)):
        modifiers = modifiers.plus(*more.marks).plus_points(*more.points)
    return modifiers.plus(Modifier(-figure.sustained, "sustained effects", "FE-CMB-06"))
