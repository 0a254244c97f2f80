"""The battle sheet: a card for each model, and in short its traits, movement and weapons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.games.warzone.samples import squad_name
from bot.games.warzone.units import read_profile
from bot.replies.sheets.sheet import Card, picked
from bot.store.rows import CrewRow, MemberRow
from bot.table.rosters.printing import SHEET_MAKERS, describe_kind
from rules.systems.warzone.profile import BANDS, LEVEL_BOUNDS, STATS, TRAITS, Profile, Weapon
from rules.systems.warzone.tables import Share, Terrain, charts, movements
from rules.systems.warzone.vehicles import LOCATIONS

ALWAYS = (
    ("CC, RC, PW, LD", "roll this number or less on a d20, after modifiers."),
    ("AC, WD, MV, SZ", "actions per turn, wounds, movement (inches) and size."),
    ("ST, AR", "strength in close combat and armour against damage."),
    ("DM, ROF", "damage modifier and shots per action."),
)
"""The letters of the characteristics. Rules: WZ-STAT-01."""

TRAIT_WORDS = {
    "leader": "commands models of its squad within 6 in.",
    "officer": "commands models within 8 in.",
    "individual": (
        "is a unit of its own, commands models within 8 in, and tests morale once half its wounds are gone."
    ),
    "force_commander": "commands models within 10 in.",
    "commander": "may activate another friendly unit once per turn, during its own activation.",
    "sniper": "stays in command up to 4 in beyond the usual command distance.",
    "para_deploy": "ignores command distance.",
    "ambush": "may wait with its last two actions, and reacts without an LD test.",
    "machine": "rolls on the amok table instead of becoming Panicked if it fails a morale test.",
    "vehicle": (
        "leaves close combat freely, shoots at +3 if it hasn't moved, and takes damage to a system "
        "if it fails a save."
    ),
}
"""Rules: WZ-CMD-01, WZ-MORALE-05, WZ-ORDER-01, WZ-WAIT-01, WZ-AMOK-01, WZ-BREAK-04, WZ-RC-10, WZ-VEH-02."""

OTHER = {
    "dire": ("Dire", "all models in its area subtract this level from their LD."),
    "close": ("Close", "a close combat weapon. Add ST to its damage."),
    "natural": ("Natural", "ST is already included in its DM."),
    "template": ("Template", "hits every model under it and deviates on a miss."),
    "no_roll": ("No roll", "place the template without an attack roll."),
    "no_deviation": ("No deviation", "the template doesn't deviate on a miss."),
    "hits": ("xN", "each successful shot causes this many hits, with a save for each."),
    "av": ("AV", "+3 DM against the rear of a vehicle."),
    "types": ("Damage types", "concussive, radiant and rending do more damage to some kinds of terrain."),
}
"""Rules: WZ-RALLY-06, WZ-STAT-01, WZ-DMG-06, WZ-VEH-01, WZ-TERRAIN-01."""

SHARES: dict[Share, str] = {
    "half": "half MV",
    "less": "MV-1",
    "more": "MV+1",
    "action": "costs an action",
    "stride": "steps over obstacles up to half its SZ",
    "none": "can't enter",
}
"""Words for a move action that does not allow the whole MV. Rules: WZ-TERR-01."""


def quick_of(profiles: Iterable[Profile]) -> list[tuple[str, str]]:
    """Return the rules that these profiles need, in short, as pairs of a term and its explanation."""
    force = list(profiles)
    traits = {key: (key.replace("_", " ").capitalize(), TRAIT_WORDS[key]) for key in TRAITS}
    moves = {
        key: (
            f"{key.capitalize()} movement",
            f"turns up to {row.turning} degrees per action{_describe_ground(row.shares)}.",
        )
        for key, row in movements().items()
    }
    return [
        *ALWAYS,
        *picked(traits, [key for profile in force for key in profile.traits]),
        *picked(moves, [profile.movement for profile in force]),
        *picked(OTHER, [key for profile in force for key in _list_mark_keys(profile)]),
        *(_list_system_failures() if any(profile.has("vehicle") for profile in force) else ()),
    ]


def _list_system_failures() -> Iterable[tuple[str, str]]:
    """Return what breaks when a vehicle fails a save, by how much. Rules: WZ-SYS-01 to WZ-SYS-08."""
    for row in charts()["system_failure"]:
        faces = f"{row.low}-{row.high}" if row.low != row.high else str(row.low)
        yield f"Save failed by {faces}", f"{row.name}. {row.says}"


def _describe_ground(shares: Iterable[tuple[Terrain, Share]]) -> str:
    return "".join(f"; {terrain}: {SHARES[share]}" for terrain, share in shares if share != "full")


def _list_mark_keys(profile: Profile) -> Iterable[str]:
    if profile.dire:
        yield "dire"
    for weapon in profile.weapons:
        yield from weapon.flags
        yield from (key for key in ("av", "types") if getattr(weapon, key))
        if weapon.hits > 1:
            yield "hits"


STATES = ("Waiting", "Aimed", "Panic", "Done")
MAX_SYSTEM_HITS = 3
"""The boxes for hits on a vehicle's system; after the third, steering and transmission never work."""


class WarzoneSheet:
    """See `bot.table.rosters.printing.SheetMaker`."""

    head: tuple[str, ...] = ("Weapon", "DM", "ROF", *BANDS, "Also")

    def heading(self, crew: CrewRow, members: Sequence[MemberRow]) -> Sequence[str]:
        """Explain the bands."""
        return ["The columns PB to ER show the RC modifier at each range (- means out of range)."]

    def card(self, crew: CrewRow, member: MemberRow) -> Card:
        """Return a model's characteristics, traits, weapons. Rules: WZ-STAT-01."""
        profile = read_profile(member.profile)
        levels = [f"{level} {getattr(profile, level)}" for level in LEVEL_BOUNDS if getattr(profile, level)]
        traits = ", ".join(trait.replace("_", " ") for trait in (*profile.traits, *levels))
        squad = squad_name(member.profile, "")
        movement_text = f"{profile.movement.replace('_', ' ')} movement"
        role = f"{squad}, {movement_text}" if squad not in ("", profile.name) else movement_text.capitalize()
        return Card(
            member.name,
            member.points,
            describe_kind(member, profile.name, role),
            tuple((stat_name, str(getattr(profile, stat_name.lower()))) for stat_name in STATS),
            tuple(map(_format_weapon, profile.weapons)),
            (("Traits", traits),) if traits else (),
            boxes=(
                ("Wounds", profile.wd),
                ("Actions", profile.ac),
                *((name, 1) for name in STATES),
                *((name.capitalize(), MAX_SYSTEM_HITS) for name in LOCATIONS if profile.has("vehicle")),
            ),
        )

    def quick(self, crew: CrewRow, members: Sequence[MemberRow]) -> Sequence[tuple[str, str]]:
        """Return the letters of the characteristics, and what the traits and weapons of this force do."""
        return quick_of(read_profile(member.profile) for member in members)


def _format_weapon(weapon: Weapon) -> tuple[str, ...]:
    rof_texts = [
        f"ROF {rof} at {band}" for band, rof in zip(BANDS, weapon.band_rof, strict=True) if rof is not None
    ]
    extra_words = [f"x{weapon.hits}"] if weapon.hits > 1 else []
    extra_words += [f"AV {weapon.av}"] if weapon.av else []
    extra_words += [*weapon.types, *(flag.replace("_", " ") for flag in weapon.flags), *rof_texts]
    band_texts = ("-" if modifier is None else f"{modifier:+d}" for modifier in weapon.bands)
    return (weapon.name, str(weapon.dm), str(weapon.rof), *band_texts, ", ".join(extra_words))


SHEET_MAKERS.update(warzone=WarzoneSheet())
