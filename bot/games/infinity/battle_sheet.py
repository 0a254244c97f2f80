"""Infinity's battle sheet: a card for each trooper; range bands stand with the weapons."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.infinity.quick_chart import quick_of
from bot.games.infinity.troops import profile_of
from bot.replies.sheets.sheet import Card
from bot.store.rows import CrewRow, MemberRow
from bot.table.rosters.printing import PRINTS, kind_of
from rules.systems.infinity.profile import Profile, Weapon
from rules.systems.infinity.profile_text import read_profile

STATES = ("Order", "Prone", "Suppressed", "Unconscious")
ATTRIBUTES = ("cc", "bs", "ph", "wip")


class InfinitySheet:
    """See `bot.table.rosters.printing.Prints`."""

    head: tuple[str, ...] = ("Weapon", "B", "Damage", "Ammo", "Range MODs")

    def heading(self, crew: CrewRow, members: Sequence[MemberRow]) -> Sequence[str]:
        """What an entry of a range band means."""
        return ["Range MODs: 8:+3 is +3 up to 8 inches, from the end of the band before."]

    def card(self, crew: CrewRow, member: MemberRow) -> Card:
        """A trooper's profile; the other form of one that transmutes stands below it."""
        profile = profile_of(member.profile, member.name)
        points = "STR" if profile.structure else "W"
        other = profile.alternate
        kind = f"{profile.type}{', Irregular' if profile.irregular else ''}"
        lines = [("Skills", ", ".join(map(str, profile.skills)))]
        if other is not None:
            told = ", ".join(f"{name} {value}" for name, value in _figures(other))
            lines.append((f"Turns into {other.name}", told))
        return Card(
            member.name,
            member.points,
            kind_of(member, read_profile(member.profile).name, kind),
            _figures(profile),
            tuple(map(_weapon, profile.weapons)),
            tuple((name, words) for name, words in lines if words),
            boxes=((points, profile.wounds), *((name, 1) for name in STATES)),
        )

    def quick(self, crew: CrewRow, members: Sequence[MemberRow]) -> Sequence[tuple[str, str]]:
        """The rolls that every trooper makes, and what the skills and weapons of this force do."""
        return quick_of(profile_of(one.profile, one.name) for one in members)


def _figures(profile: Profile) -> tuple[tuple[str, str], ...]:
    points = "STR" if profile.structure else "W"
    return (
        ("MOV", f"{profile.mov[0]}-{profile.mov[1]}"),
        *((name.upper(), str(getattr(profile, name) or "-")) for name in ATTRIBUTES),
        ("ARM", str(profile.arm)),
        ("BTS", str(profile.bts)),
        (points, str(profile.wounds)),
        ("S", str(profile.silhouette)),
    )


def _weapon(weapon: Weapon) -> tuple[str, ...]:
    damage = f"PH{weapon.damage:+d}" if weapon.damage else "PH"
    kinds = [word for word in ("template", "close") if getattr(weapon, word)]
    kinds += ["program"] if weapon.hacking else []
    kinds += [f"{weapon.rolls} saves"] if weapon.rolls > 1 else []
    kinds += ["BTS"] if weapon.bts else []
    bands = " ".join(f"{band.limit}:{band.mod:+d}" for band in weapon.bands)
    return (
        weapon.name,
        str(weapon.burst),
        damage if weapon.physical else str(weapon.damage),
        weapon.ammunition,
        ", ".join(filter(None, (bands, *kinds))),
    )


PRINTS.update(infinity=InfinitySheet())
