"""The battle sheet: a card for each trooper, and in short what its skills, type and weapons do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.games.infinity.troops import profile_of
from bot.replies.sheets.sheet import Card, picked
from bot.store.rows import CrewRow, MemberRow
from bot.table.rosters.printing import PRINTS, kind_of
from rules.systems.infinity.profile import NAMES, Profile, Skill, Weapon
from rules.systems.infinity.profile_text import ChartRow, chart, read_profile

ALWAYS = (
    ("Roll", "d20, the Attribute with its MODs or less; just the number is a critical. MODs: 12 at most."),
    ("Face to Face", "the higher success wins and cancels the other; criticals win over all else."),
    ("Save", "d20 over Damage less ARM or BTS, cover adds 3 to ARM; each failure is a Wound."),
)
"""The rolls that every trooper makes. Rules: INF-ROLL-01, INF-ROLL-02, INF-ARM-01."""

SKILLS: dict[tuple[Skill, int], str] = {
    (Skill.MIMETISM, 0): "-3 to BS and to Discover against it.",
    (Skill.CAMOUFLAGE, 0): "-3 to BS and to Discover against it; may be a Camouflaged Marker.",
    (Skill.LIMITED_CAMOUFLAGE, 0): "may be a Camouflaged Marker.",
    (Skill.TO_CAMOUFLAGE, 0): "-6 to BS and to Discover against it; may be a TO Marker.",
    (Skill.ODD, 0): "-6 to BS and to Discover against it.",
    (Skill.IMPERSONATION, 0): "may be an Impersonation Marker.",
    (Skill.SURPRISE_SHOT, 1): "out of a Marker: -3 to the enemy's roll, Face to Face; anew after re-hiding.",
    (Skill.SENSOR, 0): (
        "WIP+6 Discovers all that hide within 8 in of it and of allied Sniffers; +6 to Discover; no enemy"
        " goes back into camouflage within 8 in."
    ),
    (Skill.SNIFFER, 0): "8 in around it are part of an allied Sensor's area.",
    (Skill.SIXTH_SENSE, 1): (
        "attacked from within 8 in: answers without LoF, ignores Surprise Shot and Surprise Attack, Zero"
        " Visibility, -3 to Dodge templates; may delay its ARO."
    ),
    (
        Skill.SIXTH_SENSE,
        2,
    ): "answers and ignores Surprise Shot, Zero Visibility, templates' -3 at any distance.",
    (Skill.TOTAL_REACTION, 0): "full Burst in ARO, at one target.",
    (Skill.STRATEGOS, 1): "Lieutenant: the Special Order may join its group's pool as a Regular Order.",
    (Skill.STRATEGOS, 2): "Lieutenant: may set aside two troopers to deploy last.",
    (Skill.STRATEGOS, 3): "Lieutenant: may keep the opponent from setting one trooper aside.",
    (Skill.VALOR, 1): "chooses how each Guts Roll ends; ignores Retreat!, not Loss of Lieutenant.",
    (Skill.VALOR, 2): "Dogged: at 0 Wounds acts on to the end of the Player Turn, then Dead; no healing.",
    (
        Skill.VALOR,
        3,
    ): "No Wound Incapacitation: at 0 Wounds acts on; one Wound more, or failed healing: Dead.",
    (Skill.VETERAN, 1): "stays Regular in Loss of Lieutenant; ignores Retreat! and Isolated.",
    (Skill.VETERAN, 2): "has Sixth Sense L2 and Valor L3.",
    (Skill.RELIGIOUS, 0): "ignores Retreat!",
    (Skill.DOCTOR, 0): "in contact, WIP: one Wound back to an Unconscious trooper; failed: Dead.",
    (Skill.ENGINEER, 0): "in contact, WIP: one STR back, failed: Dead; or ends Isolated.",
    (Skill.PARAMEDIC, 0): "MediKit, rolled on the patient's PH: one Wound back; failed: Dead.",
    (Skill.MEDIKIT, 0): "rolled on the patient's PH: one Wound back; failed: Dead.",
    (Skill.AUTOMEDIKIT, 0): "heals itself while Unconscious, on PH; failed: Dead.",
    (Skill.REGENERATION, 0): "heals itself while Unconscious, on PH; failed: Dead.",
    (Skill.SHASVASTII, 0): "at 0 Wounds a Spawn-Embryo: out of action, no casualty; one Wound more: Dead.",
    (Skill.TRANSMUTATION, 0): "after its first Wound, at the end of the Order, takes its other profile.",
    (Skill.MOTORCYCLE, 0): "-3 PH to Dodge.",
    (
        Skill.SUPER_JUMP,
        0,
    ): "jumps its first MOV as a Short Movement Skill, both in an Order; as far falls unhurt.",
    (Skill.TERRAIN, 0): "moves freely in Difficult and Very Difficult Terrain of its type.",
    (Skill.BERSERK, 0): "charges as with Assault; or a CC Attack",
    (Skill.ASSAULT, 0): "Entire Order: a charge of up to both MOV values and a CC Attack",
    **{(Skill.MARTIAL_ARTS, level): "CC" for level in range(1, 6)},
}
"""By skill and Level, 0 for skills without one; what a close combat chart adds stands there.

Rules: INF-BS-05, INF-SEN-01, INF-SEN-04, INF-SEN-05, INF-SEN-06, INF-SIX-01 to INF-SIX-11, INF-SS-03,
INF-SS-04, INF-TRX-01, INF-STR-02 to INF-STR-04, INF-VAL-01 to INF-VAL-12, INF-VET-01 to INF-VET-04,
INF-RET-03, INF-WND-04, INF-ISO-03, INF-SHA-01, INF-SHA-07, INF-TRA-02, INF-DOD-02, INF-SJ-01, INF-SJ-03,
INF-SJ-06, INF-TER-01, INF-CCS-11, INF-ASL-03.
"""

OTHER: dict[str, tuple[str, str]] = {
    "REM": ("REM", "-3 PH to Dodge; cannot be appointed Lieutenant."),
    "TAG": ("TAG", "-6 PH to Dodge."),
    "irregular": ("Irregular", "keeps its Order to itself; the group's may be spent on it."),
    "structure": ("STR", "mended by an Engineer, not by a Doctor."),
    "template": ("Template", "cover gives no bonus; -3 to Dodge from out of LoF; Speculative Fire at BS-6."),
    "saves": ("Saves", "so many for each hit."),
    "bts": ("BTS", "saved with BTS in place of ARM."),
    "program": ("Program", "rolled on WIP, without LoF."),
}
"""Rules: INF-DOD-02, INF-DOD-06, INF-LOL-03, INF-ORD-02, INF-WND-04, INF-BS-04, INF-BS-07, INF-ARM-04."""


def quick_of(profiles: Iterable[Profile]) -> list[tuple[str, str]]:
    """The rows of all that the profiles have, their other forms too; a skill with its lower Levels.

    Rules: INF-LVL-01.
    """
    forms = [form for one in profiles for form in (one, one.alternate) if form is not None]
    skills = {(key, level) for form in forms for key, level in SKILLS if _has(form, key, level)}
    rows = {key: (_title(*key), words + _charted(*key)) for key, words in SKILLS.items()}
    return [*ALWAYS, *picked(rows, skills), *picked(OTHER, [key for form in forms for key in _marks(form)])]


def _title(skill: Skill, level: int) -> str:
    name = NAMES.get(skill) or skill.replace("_", " ").title()
    return f"{name} L{level}" if level else name


def _has(form: Profile, skill: Skill, level: int) -> bool:
    """Whether a row is of use to a profile; Berserk may be an Assault. Rules: INF-LVL-01, INF-CCS-11."""
    if skill is Skill.ASSAULT and form.has(Skill.BERSERK):
        return True
    return level <= max(form.levels(skill), default=-1)


def _charted(skill: Skill, level: int) -> str:
    """What the close combat chart gives. Rules: INF-CCS-05 to INF-CCS-10, INF-ASL-04."""
    if skill not in (Skill.MARTIAL_ARTS, Skill.BERSERK, Skill.ASSAULT):
        return ""
    row: ChartRow = chart(skill, level)
    named = (("own CC", row.attack), ("enemy", row.opponent), ("Damage", row.damage), ("Burst", row.burst))
    told = ", ".join(f"{name} {value:+d}" for name, value in named if value)
    return f": {told}.{f' {row.special}' if row.special and skill is not Skill.ASSAULT else ''}"


def _marks(form: Profile) -> Iterable[str]:
    """Keys of `OTHER` that a profile needs."""
    yield form.type
    if form.irregular:
        yield "irregular"
    if form.structure:
        yield "structure"
    for weapon in form.weapons:
        named = (
            ("template", weapon.template),
            ("saves", weapon.rolls > 1),
            ("bts", weapon.bts),
            ("program", weapon.hacking),
        )
        yield from (key for key, there in named if there)


STATES = ("Order", "Prone", "Suppressed", "Unconscious")
ATTRIBUTES = ("cc", "bs", "ph", "wip")


class InfinitySheet:
    """See `bot.table.rosters.printing.Prints`."""

    head: tuple[str, ...] = ("Weapon", "B", "Damage", "Ammo", "Range MODs")

    def heading(self, crew: CrewRow, members: Sequence[MemberRow]) -> Sequence[str]:
        """What an entry of a range band means."""
        return ["Range MODs: 8:+3 is +3 up to 8 inches, from the end of the band before."]

    def card(self, crew: CrewRow, member: MemberRow) -> Card:
        """A trooper's profile; the other form of one that transmutes stands below it."""
        profile = profile_of(member.profile, member.name)
        points = "STR" if profile.structure else "W"
        other = profile.alternate
        kind = f"{profile.type}{', Irregular' if profile.irregular else ''}"
        lines = [("Skills", ", ".join(map(str, profile.skills)))]
        if other is not None:
            told = ", ".join(f"{name} {value}" for name, value in _figures(other))
            lines.append((f"Turns into {other.name}", told))
        return Card(
            member.name,
            member.points,
            kind_of(member, read_profile(member.profile).name, kind),
            _figures(profile),
            tuple(map(_weapon, profile.weapons)),
            tuple((name, words) for name, words in lines if words),
            boxes=((points, profile.wounds), *((name, 1) for name in STATES)),
        )

    def quick(self, crew: CrewRow, members: Sequence[MemberRow]) -> Sequence[tuple[str, str]]:
        """The rolls that every trooper makes, and what the skills and weapons of this force do."""
        return quick_of(profile_of(one.profile, one.name) for one in members)


def _figures(profile: Profile) -> tuple[tuple[str, str], ...]:
    points = "STR" if profile.structure else "W"
    return (
        ("MOV", f"{profile.mov[0]}-{profile.mov[1]}"),
        *((name.upper(), str(getattr(profile, name) or "-")) for name in ATTRIBUTES),
        ("ARM", str(profile.arm)),
        ("BTS", str(profile.bts)),
        (points, str(profile.wounds)),
        ("S", str(profile.silhouette)),
    )


def _weapon(weapon: Weapon) -> tuple[str, ...]:
    damage = f"PH{weapon.damage:+d}" if weapon.damage else "PH"
    kinds = [word for word in ("template", "close") if getattr(weapon, word)]
    kinds += ["program"] if weapon.hacking else []
    kinds += [f"{weapon.rolls} saves"] if weapon.rolls > 1 else []
    kinds += ["BTS"] if weapon.bts else []
    bands = " ".join(f"{band.limit}:{band.mod:+d}" for band in weapon.bands)
    return (
        weapon.name,
        str(weapon.burst),
        damage if weapon.physical else str(weapon.damage),
        weapon.ammunition,
        ", ".join(filter(None, (bands, *kinds))),
    )


PRINTS.update(infinity=InfinitySheet())
