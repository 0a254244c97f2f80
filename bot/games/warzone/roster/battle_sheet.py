"""Warzone's battle sheet: a card for each model; range bands stand with the weapons."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.warzone.core.units import read_profile
from bot.games.warzone.roster.quick_chart import quick_of
from bot.games.warzone.roster.sample_squads import squad_name
from bot.replies.sheets.sheet import Card
from bot.store.rows import CrewRow, MemberRow
from bot.table.rosters.printing import PRINTS, kind_of
from rules.systems.warzone.profile import BANDS, LEVEL_BOUNDS, STATS, Weapon

STATES = ("Waiting", "Aimed", "Panic", "Done")


class WarzoneSheet:
    """See `bot.table.rosters.printing.Prints`."""

    head: tuple[str, ...] = ("Weapon", "DM", "ROF", *BANDS, "Also")

    def heading(self, crew: CrewRow, members: Sequence[MemberRow]) -> Sequence[str]:
        """What stands below the bands."""
        return ["PB to ER: what the band adds to RC, - where the weapon does not reach."]

    def card(self, crew: CrewRow, member: MemberRow) -> Card:
        """A model's characteristics, traits, weapons. Rules: WZ-STAT-01."""
        profile = read_profile(member.profile)
        levels = [f"{level} {getattr(profile, level)}" for level in LEVEL_BOUNDS if getattr(profile, level)]
        traits = ", ".join(one.replace("_", " ") for one in (*profile.traits, *levels))
        squad = squad_name(member.profile, "")
        of_squad = f"{squad}, m" if squad not in ("", profile.name) else "M"
        return Card(
            member.name,
            member.points,
            kind_of(member, profile.name, f"{of_squad}oves as {profile.movement.replace('_', ' ')}"),
            tuple((stat, str(getattr(profile, stat.lower()))) for stat in STATS),
            tuple(map(_weapon, profile.weapons)),
            (("Traits", traits),) if traits else (),
            boxes=(("Wounds", profile.wd), ("Actions", profile.ac), *((name, 1) for name in STATES)),
        )

    def quick(self, crew: CrewRow, members: Sequence[MemberRow]) -> Sequence[tuple[str, str]]:
        """The letters of the characteristics, and what the traits and weapons of this force do."""
        return quick_of(read_profile(one.profile) for one in members)


def _weapon(weapon: Weapon) -> tuple[str, ...]:
    rofs = [f"{band} ROF {rof}" for band, rof in zip(BANDS, weapon.band_rof, strict=True) if rof is not None]
    also = [f"x{weapon.hits}"] if weapon.hits > 1 else []
    also += [f"AV {weapon.av}"] if weapon.av else []
    also += [*weapon.types, *(flag.replace("_", " ") for flag in weapon.flags), *rofs]
    bands = ("-" if modifier is None else f"{modifier:+d}" for modifier in weapon.bands)
    return (weapon.name, str(weapon.dm), str(weapon.rof), *bands, ", ".join(also))


PRINTS.update(warzone=WarzoneSheet())
