"""Frac'd Earth's battle sheet: the Crew Card of each figure, and the rules that a crew needs in short."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.games.fracd_earth.figures import profile_of
from bot.replies.sheets.sheet import Card, picked
from bot.store.rows import CrewRow, MemberRow
from bot.table.rosters.printing import SHEET_MAKERS, describe_kind
from rules.systems.fracd_earth.library import standard_effects
from rules.systems.fracd_earth.profile import CrewEffect, Profile, Skill
from rules.systems.fracd_earth.weapons import SEVERITIES, Weapon

COMMON_TERMS = (
    ("Effect", "its Force, its Severity (VL to VH, or all or nothing) and the trait that resists it."),
    ("Resisting", "make a Check against 10 + Force; on a tie, the effect shifts one column left."),
    (
        "Capacity",
        "a figure below half its Capacity draws one card fewer for everything. At 0 it is Out of Action.",
    ),
    ("Rank", "the extra cards to draw (- means none). Each one beyond three counts as 2 points."),
    ("Source", "a Tech Scale from 1 to 10, or the suit of a power."),
)
"""Rules: FE-WPN-01, FE-WPN-02, FE-PRO-01, FE-PRO-08, FE-PRO-07, FE-MOD-01, FE-MOD-04, FE-DRAW-02."""

OTHER_TERMS = {
    "henchman": (
        "Henchman",
        "if it fails to resist, it is Stunned and takes the column's highest damage. "
        "If it resists, it takes no damage.",
    ),
    "minion": ("Minion", "the same as a Henchman, except that it gains and uses Edges only against Minions."),
    "surge": ("Surge", "a straight move of 1 1/2 times Move, or 2, 3 or more times Move at a higher rank."),
    "armour": ("vs dp, de", "resisted with a Protection Check (physical or energy). Hard Cover adds a card."),
    "attribute": ("vs an Attribute", "resisted with a Resistance Check of that Attribute."),
    "aon": ("AoN", "all or nothing. It has no Severity, and only beating the Target Number avoids it."),
    "reach": ("Reach", "how far a figure threatens to its front. A figure without Reach is an Easy Target."),
    "touch": ("Touch", "in a Fight, the target of this weapon is an Easy Target."),
    "row": ("row +N", "the effect is N levels higher."),
    "column": ("column +N", "the effect is N Severity columns further right."),
    "effects": ("Abilities", "only the best of each kind counts."),
}
"""Rules: FE-CREW-01, FE-CREW-02, FE-META-01, FE-WPN-03, FE-PRO-02, FE-WPN-02, FE-PRO-08, FE-RCH-01,
FE-CMB-08, FE-PRO-03, FE-PRO-04, FE-MOD-03.
"""


def build_quick_reference(profiles: Iterable[Profile]) -> list[tuple[str, str]]:
    """Return the Effects Table, and the rows of all that the profiles have. Rules: FE-PRO-06."""
    crew = list(profiles)
    chart = standard_effects()
    points = chart.margin_per_level
    table = [
        (
            "Capacity lost",
            f"depends on the level, which rises by one for every {points} points by which a Check fails.",
        )
    ]
    table += [
        (f"Level {number}", ", ".join(f"{name} {loss}" for name, loss in zip(SEVERITIES, row, strict=True)))
        for number, row in enumerate(chart.damage, 1)
    ]
    return [
        *COMMON_TERMS,
        *table,
        *picked(OTHER_TERMS, [key for profile in crew for key in _list_profile_terms(profile)]),
    ]


def _list_profile_terms(profile: Profile) -> Iterable[str]:
    yield profile.rank
    if profile.surge_ranks:
        yield "surge"
    if profile.effects:
        yield "effects"
    for weapon in profile.weapons:
        yield from (key for key, applies in _check_weapon_terms(weapon) if applies)


def _check_weapon_terms(weapon: Weapon) -> tuple[tuple[str, bool], ...]:
    return (
        ("armour", weapon.by_armour),
        ("attribute", not weapon.by_armour),
        ("aon", weapon.all_or_nothing),
        ("reach", bool(weapon.reach_inches)),
        ("touch", weapon.touch),
        ("row", bool(weapon.row_shift)),
        ("column", bool(weapon.column_shift)),
    )


STATES = ("Prone", "Stunned", "Restrained", "Hidden", "Wait", "Done")


class FracdEarthSheet:
    """See `bot.table.rosters.printing.SheetMaker`."""

    head: tuple[str, ...] = ("Weapon", "Source", "Rank", "Range", "Effect", "Also")

    def heading(self, crew: CrewRow, members: Sequence[MemberRow]) -> Sequence[str]:
        """Return the build total. Rules: FE-CREW-01."""
        return [f"Build total {sum(profile_of(member.profile).build for member in members)}"]

    def card(self, crew: CrewRow, member: MemberRow) -> Card:
        """Return a figure's traits, Attributes, skills, abilities, weapons. Rules: FE-MOD-02, FE-PRO-07."""
        profile = profile_of(member.profile)
        lines = [("Skills", ", ".join(map(_format_skill, profile.skills)))]
        lines.append(("Abilities", "; ".join(map(_format_effect, profile.effects))))
        second_track = [("Second track", profile.second_capacity)] if profile.second_capacity else []
        return Card(
            member.name,
            member.points,
            describe_kind(member, profile.name, f"{profile.rank.capitalize()}, build {profile.build}"),
            _list_values(profile),
            tuple(map(_build_weapon_row, profile.weapons)),
            tuple((name, words) for name, words in lines if words),
            boxes=(("Capacity", profile.capacity), *second_track, *((name, 1) for name in STATES)),
        )

    def quick(self, crew: CrewRow, members: Sequence[MemberRow]) -> Sequence[tuple[str, str]]:
        """Return how an effect is written, the Effects Table, and what this crew's weapons and ranks do."""
        return build_quick_reference(profile_of(member.profile) for member in members)


def _list_values(profile: Profile) -> tuple[tuple[str, str], ...]:
    values = [("Size", str(profile.size)), ("Move", str(profile.move_inches))]
    values += [(name.capitalize(), str(value)) for name, value in profile.traits]
    values += [
        (name.upper() if len(name) == 2 else name.capitalize(), str(value)) for name, value in profile.resists
    ]
    values += [("Surge", str(profile.surge_ranks))] if profile.surge_ranks else []
    return tuple(values)


def _format_rank(rank: int) -> str:
    return "+" * rank or "-"


def _format_skill(skill: Skill) -> str:
    return f"{skill.name} {_format_rank(skill.rank)}{f' {skill.points:+d}' if skill.points else ''}"


def _format_effect(effect: CrewEffect) -> str:
    marks_text = f" {effect.marks:+d} card{'s' * (abs(effect.marks) > 1)}" if effect.marks else ""
    return f"{effect.title}: {effect.target}{marks_text}{f' {effect.points:+d}' if effect.points else ''}"


def _build_weapon_row(weapon: Weapon) -> tuple[str, ...]:
    reach_text = "1/2" if weapon.reach_inches == 0.5 else str(int(weapon.reach_inches or 0))
    range_text = f"{weapon.range_inches} in" if weapon.range_inches is not None else f"reach {reach_text}"
    effect = f"{weapon.force} {weapon.severity or 'AoN'} vs {weapon.versus}"
    source = str(weapon.tech) if weapon.tech else str(weapon.suit)
    return (weapon.title, source, _format_rank(weapon.rank), range_text, effect, "; ".join(weapon.abilities))


SHEET_MAKERS["fracd_earth"] = FracdEarthSheet()
