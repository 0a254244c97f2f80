"""Frac'd Earth's battle sheet: the Crew Card of each figure with boxes for its Damage Capacity."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.fracd_earth.figures import profile_of
from bot.games.fracd_earth.quick_chart import quick_of
from bot.replies.sheets.sheet import Card
from bot.store.rows import CrewRow, MemberRow
from bot.table.rosters.printing import PRINTS, kind_of
from rules.systems.fracd_earth.profile import CrewEffect, Profile, Skill
from rules.systems.fracd_earth.weapons import Weapon

STATES = ("Prone", "Stunned", "Restrained", "Hidden", "Wait", "Done")


class FracdEarthSheet:
    """See `bot.table.rosters.printing.Prints`."""

    head: tuple[str, ...] = ("Weapon", "Source", "Rank", "Range", "Effect", "Also")

    def heading(self, crew: CrewRow, members: Sequence[MemberRow]) -> Sequence[str]:
        """The build total. Rules: FE-CREW-01."""
        return [f"Build total {sum(profile_of(one.profile).build for one in members)}"]

    def card(self, crew: CrewRow, member: MemberRow) -> Card:
        """A figure's traits, Attributes, skills, abilities, weapons. Rules: FE-MOD-02, FE-PRO-07."""
        profile = profile_of(member.profile)
        lines = [("Skills", ", ".join(map(_skill, profile.skills)))]
        lines.append(("Abilities", "; ".join(map(_effect, profile.effects))))
        second = [("Second track", profile.second_capacity)] if profile.second_capacity else []
        return Card(
            member.name,
            member.points,
            kind_of(member, profile.name, f"{profile.rank.capitalize()}, build {profile.build}"),
            _figures(profile),
            tuple(map(_weapon, profile.weapons)),
            tuple((name, words) for name, words in lines if words),
            boxes=(("Capacity", profile.capacity), *second, *((name, 1) for name in STATES)),
        )

    def quick(self, crew: CrewRow, members: Sequence[MemberRow]) -> Sequence[tuple[str, str]]:
        """How an effect is written, the Effects Table, and what this crew's weapons and ranks do."""
        return quick_of(profile_of(one.profile) for one in members)


def _figures(profile: Profile) -> tuple[tuple[str, str], ...]:
    found = [("Size", str(profile.size)), ("Move", str(profile.move_inches))]
    found += [(name.capitalize(), str(value)) for name, value in profile.traits]
    found += [
        (name.upper() if len(name) == 2 else name.capitalize(), str(value)) for name, value in profile.resists
    ]
    found += [("Surge", str(profile.surge_ranks))] if profile.surge_ranks else []
    return tuple(found)


def _rank(rank: int) -> str:
    return "+" * rank or "-"


def _skill(skill: Skill) -> str:
    return f"{skill.name} {_rank(skill.rank)}{f' {skill.points:+d}' if skill.points else ''}"


def _effect(effect: CrewEffect) -> str:
    marks = f" {effect.marks:+d} cards" if effect.marks else ""
    return f"{effect.title}: {effect.target}{marks}{f' {effect.points:+d}' if effect.points else ''}"


def _weapon(weapon: Weapon) -> tuple[str, ...]:
    reach = "1/2" if weapon.reach_inches == 0.5 else str(int(weapon.reach_inches or 0))
    far = f"{weapon.range_inches} in" if weapon.range_inches is not None else f"reach {reach}"
    effect = f"{weapon.force} {weapon.severity or 'AoN'} vs {weapon.versus}"
    source = str(weapon.tech) if weapon.tech else str(weapon.suit)
    return (weapon.title, source, _rank(weapon.rank), far, effect, "; ".join(weapon.abilities))


PRINTS["fracd_earth"] = FracdEarthSheet()
