"""sol'una's battle sheet: a card for each model, and the rules that a force needs in short."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.games.soluna.state import profile_of
from bot.replies.sheets.sheet import Card, picked
from bot.store.rows import CrewRow, MemberRow
from bot.table.rosters.printing import PRINTS, kind_of
from rules.systems.soluna.faces import FACES
from rules.systems.soluna.profile import Profile, Weapon

ALWAYS = (
    ("Reach, Power", "how far it strikes; dice that are thrown, each face strikes its location."),
    ("Accuracy", "flips of a die to a neighbouring face; below 0 the target flips."),
    ("Grid", "hits left over at a location go where its arrow points."),
    ("Body, Shield", "taken off the hits of every location; no Shield from a neighbouring square."),
    ("At 0", "Health: killed. Mind: no Actions. Speed: no move. A weapon: ruined."),
)
"""Rules: SU-STAT-01, SU-FLIP-01, SU-FLIP-03, SU-GRID-04 to SU-GRID-08, SU-DMG-01 to SU-DMG-03."""

SIZES = {0: "-3", 1: "-1", 3: "+1", 4: "+3"}
"""Accuracy against a model of that Size. Rules: SU-ACC-02."""

OTHER = {
    "sees in dark": ("Sees in dark", "darkness does not double its reach."),
    "sightless": ("Sightless", "brightness does not hinder it."),
    "psionic": ("Psionic", "its powers are played by hand."),
    "melee": ("Melee", "where both have such in reach, only these strike."),
    "ranged": ("Not melee", "not at reach 1 or 2."),
    "blast": ("Blast", "no Shield against it."),
    "burst": ("Burst X", "X by X squares with the target's."),
    "corridor": ("Corridor X", "X columns along the line to the target."),
    "fan": ("Fan X", "from one column to X at its full Reach."),
    "star": ("Star X", "all squares up to reach X from the target's."),
    "pulse": ("Pulse X", "in phase k what is at reach k, up to X."),
    "area": ("Areas", "everybody in them, friends too, each with a roll of his own."),
    "cloud": ("Cloud N", "stays N phases, a D10 each: 0 gone, else it drifts a square."),
    "poor": ("Smoke, poor", "reach half as far again through it."),
    "abysmal": ("Smoke, abysmal", "reach doubled through it."),
}
"""Rules: SU-VIS-01, SU-VIS-03, SU-PSI-01, SU-MELEE-01, SU-TGT-04, SU-DMG-03, SU-BURST-01, SU-CORR-01,
SU-FAN-01, SU-STAR-01, SU-PULSE-01, SU-AREA-01, SU-CLOUD-01, SU-CLOUD-02, SU-VIS-05, SU-VIS-06.
"""


def quick_of(profiles: Iterable[Profile]) -> list[tuple[str, str]]:
    """The rows of all that the profiles have."""
    force = list(profiles)
    sizes = {size: (f"Size {size}", f"Accuracy {change} against it.") for size, change in SIZES.items()}
    had = [
        key
        for one in force
        for key in (*one.traits, *(mark for weapon in one.weapons for mark in _marks(weapon)))
    ]
    return [*ALWAYS, *picked(sizes, [one.size for one in force]), *picked(OTHER, had)]


def _marks(weapon: Weapon) -> Iterable[str]:
    """Keys of `OTHER` that a weapon needs."""
    yield "melee" if weapon.melee else "ranged"
    yield from (key for key in ("blast", "cloud") if getattr(weapon, key))
    yield from (weapon.area, "area") if weapon.area else ()
    yield weapon.smoke


SHOWN = ("size", "mind", "health", "body", "shield", "speed")


class SolunaSheet:
    """See `bot.table.rosters.printing.Prints`."""

    head: tuple[str, ...] = ("Weapon", "Reach", "Power", "Acc.", "Also")

    def heading(self, crew: CrewRow, members: Sequence[MemberRow]) -> Sequence[str]:
        """How the grid is read."""
        return ["Grid: the faces that strike a location, its name, and where leftover hits go on."]

    def card(self, crew: CrewRow, member: MemberRow) -> Card:
        """A model's attributes, grid and Arsenal. Rules: SU-STAT-01, SU-GRID-01."""
        profile = profile_of(member.profile)
        figures = [(name.capitalize(), str(getattr(profile, name))) for name in SHOWN]
        figures += [("CP", str(profile.cp))] if profile.cp is not None else []
        traits = ", ".join(sorted(profile.traits))
        return Card(
            member.name,
            member.points,
            kind_of(member, profile.name, traits or "no traits"),
            tuple(figures),
            tuple(map(_weapon, profile.weapons)),
            (("Grid", _grid(profile)),),
            boxes=(*_boxes(profile), ("Prone", 1), ("Done", 1)),
        )

    def quick(self, crew: CrewRow, members: Sequence[MemberRow]) -> Sequence[tuple[str, str]]:
        """What the letters mean, and what the traits and weapons of this force do."""
        return quick_of(profile_of(one.profile) for one in members)


def _grid(profile: Profile) -> str:
    squares = sorted(profile.grid.squares, key=lambda square: square.faces or FACES)
    told = []
    for square in squares:
        faces = "".join(map(str, square.faces)) or "any"
        told.append(
            f"{faces} {square.key.capitalize()}{f' > {square.arrow.capitalize()}' if square.arrow else ''}"
        )
    return "; ".join(told)


def _boxes(profile: Profile) -> list[tuple[str, int]]:
    """Every location by its points, then what is carried by its Health."""
    found = [(key.capitalize(), profile.attribute(key)) for key in profile.grid.keys]
    if not any(name == "Health" for name, _ in found):
        found.append(("Health", profile.health))
    found += [(one.name, one.health) for one in profile.weapons]
    found += [(one.name, one.health) for one in profile.items]
    return [(name, count) for name, count in found if count]


def _weapon(weapon: Weapon) -> tuple[str, ...]:
    also = [flag for flag in ("melee", "blast") if getattr(weapon, flag)]
    also += [f"{weapon.area} {weapon.area_size}"] if weapon.area else []
    also += [f"cloud {weapon.cloud}"] if weapon.cloud else []
    also += [weapon.smoke] if weapon.smoke else []
    return (weapon.name, str(weapon.reach), str(weapon.power), f"{weapon.accuracy:+d}", ", ".join(also))


PRINTS["soluna"] = SolunaSheet()
