"""sol'una's battle sheet: a card for each model, and the rules that a force needs in short."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.games.soluna.state import profile_of
from bot.replies.sheets.sheet import Card, picked
from bot.store.rows import CrewRow, MemberRow
from bot.table.rosters.printing import SHEET_MAKERS, describe_kind
from rules.systems.soluna.faces import FACES
from rules.systems.soluna.profile import Profile, Weapon

ALWAYS = (
    (
        "Reach, Power",
        (
            "Reach is the range in squares. Power is the number of dice to roll. The face of each die decides"
            " which location it hits."
        ),
    ),
    (
        "Accuracy",
        (
            "The number of times you can flip a die to a neighbouring face. If it is below 0, the target's"
            " player makes the flips instead."
        ),
    ),
    ("Grid", "Leftover hits move on to the location that the arrow points to."),
    (
        "Body, Shield",
        (
            "Each can stop a number of hits equal to its value on every location. An adjacent attacker"
            " ignores the Shield."
        ),
    ),
    (
        "At 0",
        (
            "A model with Health 0 is killed. With Mind 0 it can't act, and with Speed 0 it can't move."
            " A weapon with Health 0 is ruined."
        ),
    ),
)
"""Rules: SU-STAT-01, SU-FLIP-01, SU-FLIP-03, SU-GRID-04 to SU-GRID-08, SU-DMG-01 to SU-DMG-03."""

SIZES = {0: "-3", 1: "-1", 3: "+1", 4: "+3"}
"""Accuracy against a model of that Size. Rules: SU-ACC-02."""

OTHER = {
    "sees in the dark": ("Sees in the dark", "Darkness doesn't double the reach to this model's targets."),
    "sightless": ("Sightless", "Brightness doesn't affect this model."),
    "psionic": ("Psionic", "Resolve this model's powers yourself, without Adjutant."),
    "melee": ("Melee", "If both models have a melee weapon in reach, they can only use melee weapons."),
    "ranged": ("Not melee", "This weapon can't be used at reach 1 or 2."),
    "blast": ("Blast", "This weapon ignores the Shield."),
    "burst": ("Burst X", "A burst hits a block of X by X squares that includes the target's square."),
    "corridor": ("Corridor X", "A corridor hits a strip X squares wide that runs towards the target."),
    "fan": ("Fan X", "A fan hits a cone that is X squares wide at full Reach."),
    "star": ("Star X", "A star hits every square within reach X of the target's square."),
    "pulse": (
        "Pulse X",
        (
            "A pulse hits the target's square. In the next phase it hits squares at reach 1, then at reach 2,"
            " and so on up to X."
        ),
    ),
    "area": ("Areas", "An area hits every model inside it, friends too, with a separate roll for each."),
    "cloud": (
        "Cloud N",
        (
            "The cloud lasts N phases. Roll a D10 each phase. On a 0, the cloud disappears. On any other"
            " number, it drifts one square or stays where it is."
        ),
    ),
    "poor": ("Smoke, poor", "A target seen through this smoke counts as one and a half times as far away."),
    "abysmal": ("Smoke, abysmal", "A target seen through this smoke counts as twice as far away."),
}
"""Rules: SU-VIS-01, SU-VIS-03, SU-PSI-01, SU-MELEE-01, SU-TGT-04, SU-DMG-03, SU-BURST-01, SU-CORR-01,
SU-FAN-01, SU-STAR-01, SU-PULSE-01, SU-AREA-01, SU-CLOUD-01, SU-CLOUD-02, SU-VIS-05, SU-VIS-06.
"""


def build_quick_rows(profiles: Iterable[Profile]) -> list[tuple[str, str]]:
    """Return the rules that these profiles need, in short, as pairs of a term and its explanation."""
    force = list(profiles)
    rows_by_size = {
        size: (f"Size {size}", f"Attacks against this model get {change} Accuracy.")
        for size, change in SIZES.items()
    }
    entries = [
        key
        for profile in force
        for key in (
            *profile.traits,
            *(mark for weapon in profile.weapons for mark in _list_weapon_keys(weapon)),
        )
    ]
    return [*ALWAYS, *picked(rows_by_size, [profile.size for profile in force]), *picked(OTHER, entries)]


def _list_weapon_keys(weapon: Weapon) -> Iterable[str]:
    yield "melee" if weapon.melee else "ranged"
    yield from (key for key in ("blast", "cloud") if getattr(weapon, key))
    yield from (weapon.area, "area") if weapon.area else ()
    yield weapon.smoke


SHOWN = ("size", "mind", "health", "body", "shield", "speed")


class SolunaSheet:
    """See `bot.table.rosters.printing.SheetMaker`."""

    head: tuple[str, ...] = ("Weapon", "Reach", "Power", "Acc.", "Also")

    def heading(self, crew: CrewRow, members: Sequence[MemberRow]) -> Sequence[str]:
        """Explain how to read the grid."""
        return [
            "For each location, the grid lists the faces that hit it, its name, and where leftover hits go."
        ]

    def card(self, crew: CrewRow, member: MemberRow) -> Card:
        """Return a model's attributes, grid and Arsenal. Rules: SU-STAT-01, SU-GRID-01."""
        profile = profile_of(member.profile)
        figures = [(name.capitalize(), str(getattr(profile, name))) for name in SHOWN]
        figures += [("CP", str(profile.cp))] if profile.cp is not None else []
        traits = ", ".join(sorted(profile.traits))
        return Card(
            member.name,
            member.points,
            describe_kind(member, profile.name, traits or "no traits"),
            tuple(figures),
            tuple(map(_format_weapon, profile.weapons)),
            (("Grid", _format_grid(profile)),),
            boxes=(*_list_boxes(profile), ("Prone", 1), ("Done", 1)),
        )

    def quick(self, crew: CrewRow, members: Sequence[MemberRow]) -> Sequence[tuple[str, str]]:
        return build_quick_rows(profile_of(member.profile) for member in members)


def _format_grid(profile: Profile) -> str:
    squares = sorted(profile.grid.squares, key=lambda square: square.faces or FACES)
    row_texts = []
    for square in squares:
        faces = "".join(map(str, square.faces)) or "any"
        row_texts.append(
            f"{faces} {square.key.capitalize()}{f' > {square.arrow.capitalize()}' if square.arrow else ''}"
        )
    return "; ".join(row_texts)


def _list_boxes(profile: Profile) -> list[tuple[str, int]]:
    """Return every location with its value, and everything carried with its Health."""
    box_sizes = [(key.capitalize(), profile.attribute(key)) for key in profile.grid.keys]
    if not any(name == "Health" for name, _ in box_sizes):
        box_sizes.append(("Health", profile.health))
    box_sizes += [(weapon.name, weapon.health) for weapon in profile.weapons]
    box_sizes += [(item.name, item.health) for item in profile.items]
    return [(name, count) for name, count in box_sizes if count]


def _format_weapon(weapon: Weapon) -> tuple[str, ...]:
    extra_words = [flag for flag in ("melee", "blast") if getattr(weapon, flag)]
    extra_words += [f"{weapon.area} {weapon.area_size}"] if weapon.area else []
    extra_words += [f"cloud {weapon.cloud}"] if weapon.cloud else []
    extra_words += [weapon.smoke] if weapon.smoke else []
    return (
        weapon.name,
        str(weapon.reach),
        str(weapon.power),
        f"{weapon.accuracy:+d}",
        ", ".join(extra_words),
    )


SHEET_MAKERS["soluna"] = SolunaSheet()
