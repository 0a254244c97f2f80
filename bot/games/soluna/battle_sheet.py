"""sol'una's battle sheet: a card for each model with its damage grid and a box for each point."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.soluna.fighters import profile_of
from bot.games.soluna.quick_chart import quick_of
from bot.replies.sheets.sheet import Card
from bot.store.rows import CrewRow, MemberRow
from bot.table.rosters.printing import PRINTS, kind_of
from rules.systems.soluna.grid import FACES
from rules.systems.soluna.profile import Profile, Weapon

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
