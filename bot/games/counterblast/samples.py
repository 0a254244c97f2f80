"""The sample crews of Counterblast, and what their models carry."""

from __future__ import annotations

from bot.table.game import SampleCrew

LANCERS = SampleCrew(
    "Lancers",
    (
        "sally_starfield",
        "skip_westmoreland",
        "smap",
        "wanda_whitestar",
        "dr_helen_salinger",
        "hopr_bot",
        "gdf_medical_officer",
    ),
)


EDO = SampleCrew(
    "Edo",
    (
        "prime_leader",
        "spawnguard",
        "edo_underling",
        "edo_underling",
        "edo_guardling",
        "edo_guardling",
        "edo_spawnling",
        "trapper",
    ),
)


EQUIPMENT: dict[str, tuple[str, ...]] = {"skip_westmoreland": ("grenade",)}
"""Extra equipment of models in the sample crews."""
