"""What Warzone's battle sheet says in short of the traits, movement and weapons that a force has."""

from __future__ import annotations

from collections.abc import Iterable

from bot.replies.sheets.sheet import picked
from rules.systems.warzone.profile import TRAITS, Profile
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
