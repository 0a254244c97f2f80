"""Clouds of smoke and ink as the encounter keeps them, and what a shot past or into one of them meets.

Each is a handful of counters of the encounter, `cloud:<name>:<what>`, read into the rules' `Cloud`. Who
stands in one or touches it, and whether a line crosses it, is told by the players.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from bot.table.encounter import Encounter, set_counter
from bot.table.names import find, free_name
from rules.counters import PerPart
from rules.refusals import InvalidInput, forbid
from rules.systems.counterblast.shooting.special_attacks import Cloud, blocks_sight, cover_in

Part = Literal["inches", "cover", "began"]
"""What is counted of a cloud."""
CLOUD: PerPart[Part] = PerPart("cloud:")
PARTS: tuple[Part, ...] = get_args(Part)
MOST_CLOUDS = 20

CROSSES, TARGET_IN, SHOOTER_IN, BOTH_IN = "crosses it", "target in it", "shooter in it", "both in it"
WAYS: tuple[str, ...] = (CROSSES, TARGET_IN, SHOOTER_IN, BOTH_IN)
"""How a shot and a cloud may lie; touching it counts as in it."""


def cloud_names(encounter: Encounter) -> list[str]:
    """The clouds on the table, in the order of their names."""
    return CLOUD.things(encounter.row.counters)


def cloud_of(encounter: Encounter, name: str) -> Cloud:
    """The cloud of exactly this name."""
    return Cloud(*(encounter.count(CLOUD.of(name, part)) for part in PARTS))


def add_cloud(encounter: Encounter, wanted: str, cloud: Cloud) -> str:
    """Put a cloud on the table under a name that is free; gives the name. Raises InvalidInput."""
    names = cloud_names(encounter)
    if len(names) >= MOST_CLOUDS:
        raise InvalidInput(f"A table has at most {MOST_CLOUDS} clouds.")
    name = free_name(wanted, names)
    _write(encounter, name, (cloud.inches, cloud.cover, cloud.began))
    return name


def _write(encounter: Encounter, name: str, values: Sequence[int]) -> None:
    for part, value in zip(PARTS, values, strict=True):
        set_counter(encounter.row.counters, CLOUD.of(name, part), value)


def cloud_lines(encounter: Encounter) -> list[str]:
    """Every cloud: how wide, what cover it gives, when it is gone."""
    lines = []
    for name in cloud_names(encounter):
        cloud = cloud_of(encounter, name)
        lines.append(f"{name}: R{cloud.inches}, cover {cloud.cover}, to end of turn {cloud.began + 1}")
    return lines


def spent_clouds(encounter: Encounter, turn: int) -> list[str]:
    """The clouds that are gone as a turn ends. Rules: CB-GEAR-27, CB-FEAT-33."""
    return [name for name in cloud_names(encounter) if cloud_of(encounter, name).is_gone(turn)]


def clear_clouds(encounter: Encounter, names: Sequence[str]) -> None:
    """Take clouds off the table."""
    for name in names:
        _write(encounter, name, (0, 0, 0))


@dataclass(frozen=True, slots=True)
class InTheWay:
    """A cloud that the line of a shot meets: its name, one of WAYS, the Cover that it gives to the target."""

    name: str
    way: str
    cover: int

    def __str__(self) -> str:
        """As it is said, and read by `in_the_way`."""
        return f"{self.name}: {self.way}"

    @property
    def words(self) -> str:
        """What it does, for those who ask why."""
        return f"{self.name}, {self.way}: cover {self.cover}. CB-GEAR-27"


def in_the_way(encounter: Encounter, text: str) -> InTheWay:
    """The cloud of that name, after a colon one of WAYS; without a way the line crosses it.

    Raises InvalidInput. Rules: CB-GEAR-27, CB-FEAT-33, CB-LOS-02.
    """
    given, _, way_text = text.partition(":")
    name = find(given.strip(), cloud_names(encounter), str, "cloud")
    way = find(way_text.strip(), WAYS, str, "way") if way_text.strip() else CROSSES
    cover = cover_in(cloud_of(encounter, name), inside_or_touching=way in (TARGET_IN, BOTH_IN))
    return InTheWay(name, way, cover)


def cover_from(cloud: InTheWay | None, *, seen: bool = True) -> int:
    """The Cover that a cloud gives to the target of a shot; 0 without one.

    seen: whether the shot needs sight. Raises Forbidden where the cloud blocks it. Rules: CB-GEAR-27.
    """
    if cloud is None:
        return 0
    target_in, shooter_in = cloud.way in (TARGET_IN, BOTH_IN), cloud.way in (SHOOTER_IN, BOTH_IN)
    if seen and blocks_sight(crosses=True, viewer_touches=shooter_in, target_touches=target_in):
        forbid(f"The cloud {cloud.name} blocks the sight, unless one of them touches it.", "CB-GEAR-27")
    return cloud.cover


def cloud_choices(encounter: Encounter) -> list[str]:
    """Every cloud with every way, as players choose them."""
    return [f"{name}: {way}" for name in cloud_names(encounter) for way in WAYS]
