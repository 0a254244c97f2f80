"""Two crews and a board to try the game with: models of our own making, some with the text's weapons."""

from __future__ import annotations

from dataclasses import dataclass

from bot.table.game import SampleCrew


@dataclass(frozen=True, slots=True)
class Sample:
    """A model of a sample crew: its profile as text, and a few words about it."""

    key: str
    text: str
    note: str


_SABER = "Weapon: Gravity Saber, Reach 2, Power 4, Accuracy 2, Health 2, melee"
_PULSE = "Weapon: Pulse Laser Ring, Reach 4, Power 4, Accuracy 1, Health 1"
_FOCUS = "Weapon: Focus Ring, Reach 4, Power 5, Accuracy 2, Health 1"
_CANNON = "Weapon: Particle Accelerator Cannon, Reach 10, Power 6, Accuracy 4, Health 3, blast"
_SMOKE = "Weapon: Smoke Grenade, Reach 5, Power 1, Accuracy 0, Health 1, burst 2, cloud 4"
_CARBINE = "Weapon: Rail Carbine, Reach 7, Power 5, Accuracy 2, Health 2"
_MAUL = "Weapon: Breach Maul, Reach 1, Power 6, Accuracy 1, Health 3, melee"
_SHATTER = "Weapon: Shatter Charge, Reach 5, Power 5, Accuracy 1, Health 1, star 1"
_NEEDLE = "Weapon: Needle Pistol, Reach 5, Power 3, Accuracy 4, Health 1"

SAMPLES: tuple[Sample, ...] = (
    Sample(
        "ilka",
        f"Ilka\nSize 2, Mind 3, Health 3, Body 2, Shield 1, Speed 7, CP 2\n{_SABER}\n{_PULSE}\n{_SMOKE}",
        "leader with a Gravity Saber and smoke grenades",
    ),
    Sample(
        "tarn",
        f"Tarn\nSize 3, Mind 2, Health 4, Body 3, Speed 3, CP 1\n{_CANNON}\nItem: Medkit, Health 1",
        "heavy gunner",
    ),
    Sample(
        "brin",
        f"Brin\nSize 2, Mind 3, Health 3, Body 1, Shield 2, Speed 5, CP 2\nTraits: sees in the dark\n"
        f"{_CARBINE}\n{_NEEDLE}",
        "scout that sees in the dark",
    ),
    Sample(
        "oska",
        f"Oska\nSize 3, Mind 2, Health 5, Body 3, Speed 4, CP 2\n{_MAUL}",
        "destroys cover and weapons",
    ),
    Sample(
        "vey",
        f"Vey\nSize 1, Mind 4, Health 2, Body 1, Shield 2, Speed 8, CP 1\nTraits: sightless\n"
        f"{_FOCUS}\n{_SABER}",
        "small and fast",
    ),
    Sample(
        "rurik",
        f"Rurik\nSize 2, Mind 3, Health 3, Body 2, Shield 1, Speed 6, CP 1\n{_CARBINE}\n{_SHATTER}",
        "carbine and shatter charges",
    ),
)

BY_KEY = {sample.key: sample for sample in SAMPLES}

DAWNWATCH = SampleCrew("Dawnwatch", ("ilka", "tarn", "brin"))
HOLLOW_MOON = SampleCrew("Hollow Moon", ("oska", "vey", "rurik"))

SAMPLE_DRAWING = """
. . . . . . . . . . . .
. . . . . . . . . . . .
. . # # . . . . % % . .
. . # . . . . . . . . .
. . . . . X . . . . . .
. . . . . . . . . # . .
. . % % . . . . # # . .
. . . . . . . . . . . .
. . . . . . . . . . . .
. . . . . . . . . . . .
"""
"""The sample board: two corners of wall, two rows of boxes, a column in the middle."""

NAMES = {"%": "boxes", "#": "wall", "X": "column"}

SOUTH_PLACES = ((3, 1), (5, 0), (8, 1))
NORTH_PLACES = ((8, 8), (6, 9), (3, 8))
"""The starting places of the first and the second side's models."""
