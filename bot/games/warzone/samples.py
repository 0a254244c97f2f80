"""Two forces to try the game with, their profiles as text of our own making, and the squads in them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from bot.games.warzone.units import read_profile
from bot.table.game import SampleCrew
from rules.systems.warzone.notation import profile_text


@dataclass(frozen=True, slots=True)
class Sample:
    """A model of a sample force: its profile as text, the squad it belongs to, and its points."""

    key: str
    text: str
    squad: str
    points: int
    note: str


_GUARD_VALUES = "CC 8 RC 9 PW 0 LD 11 AC 3 WD 1 ST 5 MV 4 SZ 2 AR 21"
_HUSK_VALUES = "CC 9 RC 6 PW 0 LD 9 AC 3 WD 1 ST 6 MV 4 SZ 2 AR 20"

_CARBINE = "weapon Carbine: DM 12, ROF 2, PB +1, SR +2, MR 0, LR -3, concussive"
_KNIFE = "weapon Knife: DM 4, close"
_CLAWS = "weapon Claws: DM 12, close, natural, rending"

SAMPLES: tuple[Sample, ...] = (
    Sample(
        "colonel",
        "Colonel Voss\nCC 10 RC 11 PW 0 LD 15 AC 3 WD 3 ST 6 MV 4 SZ 2 AR 23\n"
        "force_commander, commander, individual\n"
        "weapon Pistol: DM 11, ROF 2, PB +2, SR 0\nweapon Sabre: DM 8, close",
        "Colonel Voss",
        60,
        "commander without a squad",
    ),
    Sample(
        "sergeant",
        f"Sgt Rook\nCC 9 RC 10 PW 0 LD 13 AC 3 WD 1 ST 5 MV 4 SZ 2 AR 22\nleader\n{_CARBINE}\n{_KNIFE}",
        "Guard",
        25,
        "leads the Guard",
    ),
    *(
        Sample(key, f"{name}\n{_GUARD_VALUES}\n{_CARBINE}\n{_KNIFE}", "Guard", 18, "member of the Guard")
        for key, name in (("adams", "Adams"), ("brandt", "Brandt"), ("cole", "Cole"))
    ),
    Sample(
        "mortar",
        f"Dietz\n{_GUARD_VALUES}\nweapon Grenades: DM 11, PB 0, SR +1, MR -2, template, concussive\n{_KNIFE}",
        "Guard",
        24,
        "member of the Guard, with grenades",
    ),
    Sample(
        "crawler",
        "Crawler\nCC 5 RC 10 PW 0 LD 12 AC 3 WD 5 ST 10 MV 8 SZ 5 AR 26\nvehicle, individual, tracked\n"
        "weapon Autocannon: DM 15, ROF 3, SR +1, MR +2, LR 0, ER -2, AV 3, concussive\n"
        "weapon Mortar: DM 12, MR 0, LR +1, ER 0, template, concussive",
        "Crawler",
        90,
        "armoured vehicle",
    ),
    Sample(
        "warlock",
        "Maelgor\nCC 9 RC 7 PW 13 LD 14 AC 3 WD 3 ST 6 MV 4 SZ 2 AR 22\nindividual, commander, dire 1\n"
        "weapon Dark Bolt: DM 13, PB +1, SR +1, MR -1, radiant\nweapon Staff: DM 7, close",
        "Maelgor",
        65,
        "channeller and commander",
    ),
    Sample(
        "reaver",
        f"Old Skarn\nCC 11 RC 6 PW 0 LD 11 AC 3 WD 1 ST 7 MV 4 SZ 2 AR 22\nleader\n{_CLAWS}",
        "Husks",
        22,
        "leads the Husks",
    ),
    *(
        Sample(key, f"{name}\n{_HUSK_VALUES}\n{_CLAWS}", "Husks", 12, "member of the Husks")
        for key, name in (("husk_a", "Ash"), ("husk_b", "Bile"), ("husk_c", "Crow"), ("husk_d", "Dreg"))
    ),
    Sample(
        "stalker",
        "Whisper\nCC 8 RC 12 PW 0 LD 12 AC 3 WD 1 ST 5 MV 4 SZ 2 AR 20\nindividual, sniper, ambush\n"
        "weapon Long rifle: DM 15, SR 0, MR +2, LR +3, ER +1, AV 2\nweapon Hook: DM 4, close",
        "Whisper",
        35,
        "sniper",
    ),
    Sample(
        "golem",
        "Iron Sow\nCC 8 RC 8 PW 0 LD 10 AC 3 WD 4 ST 11 MV 6 SZ 5 AR 25\nvehicle, individual, walker\n"
        "weapon Bile gun: DM 16, ROF 2, SR +1, MR 0, LR -2, AV 4, radiant\n"
        "weapon Tusks: DM 14, close, natural",
        "Iron Sow",
        80,
        "walking vehicle",
    ),
)

SAMPLES_BY_KEY = {sample.key: sample for sample in SAMPLES}

REPUBLIC = SampleCrew("Republic", ("colonel", "sergeant", "adams", "brandt", "cole", "mortar", "crawler"))
HOLLOW = SampleCrew(
    "Hollow", ("warlock", "reaver", "husk_a", "husk_b", "husk_c", "husk_d", "stalker", "golem")
)


@cache
def _map_profiles_to_squads() -> dict[str, str]:
    return {profile_text(read_profile(sample.text)): sample.squad for sample in reversed(SAMPLES)}


def squad_name(text: str, name: str) -> str:
    """Return the squad to which a sample belongs; anybody else is a unit under its own name."""
    return _map_profiles_to_squads().get(text, name)
