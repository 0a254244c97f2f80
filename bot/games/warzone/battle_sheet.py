"""The battle sheet: a card for each model, and in short its traits, movement and weapons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.games.warzone.samples import squad_name
from bot.games.warzone.units import read_profile
from bot.replies.sheets.sheet import Card, picked
from bot.store.rows import CrewRow, MemberRow
from bot.table.rosters.printing import PRINTS, kind_of
from rules.systems.warzone.profile import BANDS, LEVEL_BOUNDS, STATS, TRAITS, Profile, Weapon
from rules.systems.warzone.tables import Share, Terrain, movements

ALWAYS = (
    ("CC, RC, PW, LD", "d20, that number with its modifiers or less."),
    ("AC, WD, MV, SZ", "actions in a turn, wounds, inches of a move, size."),
    ("ST, AR", "strength in close combat; armour against damage."),
    ("DM, ROF", "damage modifier, shots in an action."),
)
"""The letters of the characteristics. Rules: WZ-STAT-01."""

TRAIT_WORDS = {
    "leader": "commands his squad to 6 in.",
    "officer": "commands to 8 in.",
    "individual": "a unit of his own, commands to 8 in; tests morale from half his wounds on.",
    "force_commander": "commands to 10 in.",
    "commander": "once a turn, in his own activation, has another unit of his side act.",
    "sniper": "in command 4 in further.",
    "para_deploy": "no command distance is checked.",
    "ambush": "may wait with two actions, and reacts without an LD test.",
    "machine": "rolls on the amok table where others would fail morale.",
    "vehicle": "leaves close combat untested; fires at +3 while stationary; a failed save fails a system.",
}
"""Rules: WZ-CMD-01, WZ-MORALE-05, WZ-ORDER-01, WZ-WAIT-01, WZ-AMOK-01, WZ-BREAK-04, WZ-RC-10, WZ-VEH-02."""

OTHER = {
    "dire": ("Dire", "friends and foes in its area: its level off rally and morale tests."),
    "close": ("Close", "for close combat: ST counts towards its damage."),
    "natural": ("Natural", "its DM counts ST already."),
    "template": ("Template", "hits all below it; a miss deviates."),
    "no_roll": ("No roll", "the template is placed without an attack roll."),
    "no_deviation": ("No deviation", "a miss does not deviate."),
    "hits": ("xN", "so many hits of one success, each with its own save."),
    "av": ("AV", "+3 DM against the rear of a vehicle."),
    "types": ("Damage types", "concussive, radiant, rending: what obstacles list does more harm to them."),
}
"""Rules: WZ-RALLY-06, WZ-STAT-01, WZ-DMG-06, WZ-VEH-01, WZ-TERRAIN-01."""

SHARES: dict[Share, str] = {
    "half": "half MV",
    "less": "MV-1",
    "more": "MV+1",
    "action": "an action",
    "stride": "strides over half its SZ",
    "none": "not",
}
"""What one move action gives where it is not the whole MV. Rules: WZ-TERR-01."""


def quick_of(profiles: Iterable[Profile]) -> list[tuple[str, str]]:
    """The rows of all that the profiles have."""
    force = list(profiles)
    traits = {key: (key.replace("_", " ").capitalize(), TRAIT_WORDS[key]) for key in TRAITS}
    moves = {
        key: (f"Moves as {key}", f"turns {row.turning} degrees{_ground(row.shares)}.")
        for key, row in movements().items()
    }
    return [
        *ALWAYS,
        *picked(traits, [key for one in force for key in one.traits]),
        *picked(moves, [one.movement for one in force]),
        *picked(OTHER, [key for one in force for key in _marks(one)]),
    ]


def _ground(shares: Iterable[tuple[Terrain, Share]]) -> str:
    return "".join(f"; {terrain} {SHARES[share]}" for terrain, share in shares if share != "full")


def _marks(one: Profile) -> Iterable[str]:
    """Keys of `OTHER` that a profile needs."""
    if one.dire:
        yield "dire"
    for weapon in one.weapons:
        yield from weapon.flags
        yield from (key for key in ("av", "types") if getattr(weapon, key))
        if weapon.hits > 1:
            yield "hits"


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
