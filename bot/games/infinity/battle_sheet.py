"""The battle sheet: a card for each trooper, and in short what its skills, type and weapons do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.games.infinity.troops import profile_of
from bot.replies.sheets.sheet import Card, picked
from bot.store.rows import CrewRow, MemberRow
from bot.table.rosters.printing import SHEET_MAKERS, describe_kind
from rules.systems.infinity.profile import NAMES, Profile, Skill, Weapon
from rules.systems.infinity.profile_text import ChartRow, chart, read_profile

ROLL_ROWS = (
    (
        "Roll",
        (
            "Roll no higher than the Attribute plus MODs on a d20. Rolling exactly that number is a critical."
            " MODs are capped at 12."
        ),
    ),
    ("Face to Face", "The higher success wins and cancels the other. A critical beats any normal success."),
    (
        "Save",
        (
            "Roll more than Damage minus ARM (or BTS) on a d20. Cover adds 3 to ARM. Each failed save is a"
            " Wound."
        ),
    ),
)
"""The rolls that every trooper makes. Rules: INF-ROLL-01, INF-ROLL-02, INF-ARM-01."""

SKILL_SENTENCES: dict[tuple[Skill, int], str] = {
    (Skill.MIMETISM, 0): "Enemies get -3 to BS and to Discover against this trooper.",
    (Skill.CAMOUFLAGE, 0): (
        "Enemies get -3 to BS and to Discover against this trooper. It can be a Camouflaged Marker."
    ),
    (Skill.LIMITED_CAMOUFLAGE, 0): "This trooper can be a Camouflaged Marker.",
    (Skill.TO_CAMOUFLAGE, 0): (
        "Enemies get -6 to BS and to Discover against this trooper. It can be a TO Camouflaged Marker."
    ),
    (Skill.ODD, 0): "Enemies get -6 to BS and to Discover against this trooper.",
    (Skill.IMPERSONATION, 0): "This trooper can be an Impersonation Marker.",
    (Skill.SURPRISE_SHOT, 1): (
        "When this trooper attacks as a Marker, the enemy gets -3 to the Face to Face Roll."
    ),
    (Skill.SENSOR, 0): (
        "A successful WIP+6 roll discovers everything hidden within 8 in of this trooper or of an allied"
        " Sniffer. This trooper also gets +6 to Discover. Enemies within 8 in of it can't go back into"
        " camouflage."
    ),
    (Skill.SNIFFER, 0): "Allied Sensors also cover the area within 8 in of this trooper.",
    (Skill.SIXTH_SENSE, 1): (
        "If attacked from within 8 in, this trooper reacts without LoF. It then ignores Surprise Shot,"
        " Surprise Attack, Zero Visibility and the -3 for Dodging templates. It can delay its ARO."
    ),
    (Skill.SIXTH_SENSE, 2): (
        "This trooper reacts without LoF at any distance. It ignores Surprise Shot, Zero Visibility and the"
        " -3 for Dodging templates."
    ),
    (Skill.TOTAL_REACTION, 0): "In ARO, this trooper uses its full Burst against one target.",
    (Skill.STRATEGOS, 1): (
        "If this trooper is your Lieutenant, its Special Order can become a Regular Order for its group."
    ),
    (Skill.STRATEGOS, 2): (
        "If this trooper is your Lieutenant, you can keep two troopers back to deploy last."
    ),
    (Skill.STRATEGOS, 3): (
        "If this trooper is your Lieutenant, your opponent can't keep a trooper back to deploy last."
    ),
    (Skill.VALOR, 1): (
        "You choose the results of this trooper's Guts Rolls. It ignores Retreat! but not Loss of Lieutenant."
    ),
    (Skill.VALOR, 2): (
        "Dogged: this trooper can keep acting at 0 Wounds until the Player Turn ends. It then dies, and it"
        " can't be healed."
    ),
    (Skill.VALOR, 3): (
        "No Wound Incapacitation: this trooper can keep acting at 0 Wounds. It dies from one more Wound or a"
        " failed healing roll."
    ),
    (Skill.VETERAN, 1): (
        "This trooper stays Regular in Loss of Lieutenant. It ignores Retreat! and the Isolated state."
    ),
    (Skill.VETERAN, 2): "This trooper has Sixth Sense L2 and Valor L3.",
    (Skill.RELIGIOUS, 0): "This trooper ignores Retreat!",
    (Skill.DOCTOR, 0): (
        "A successful WIP roll in contact heals one Wound of an Unconscious trooper. A failed roll kills the"
        " patient."
    ),
    (Skill.ENGINEER, 0): (
        "A successful WIP roll in contact restores one point of STR or ends the Isolated state. A failed"
        " repair kills the patient."
    ),
    (Skill.PARAMEDIC, 0): (
        "MediKit: the patient makes a PH roll. It regains one Wound if it succeeds, and dies if it fails."
    ),
    (Skill.MEDIKIT, 0): (
        "The patient makes a PH roll. It regains one Wound if it succeeds, and dies if it fails."
    ),
    (Skill.AUTOMEDIKIT, 0): (
        "While Unconscious, this trooper can make a PH roll to heal itself. It dies if the roll fails."
    ),
    (Skill.REGENERATION, 0): (
        "While Unconscious, this trooper can make a PH roll to heal itself. It dies if the roll fails."
    ),
    (Skill.SHASVASTII, 0): (
        "At 0 Wounds, this trooper becomes a Spawn-Embryo instead of a casualty. One more Wound kills it."
    ),
    (Skill.TRANSMUTATION, 0): (
        "This trooper switches to its other profile at the end of the Order in which it loses its first"
        " Wound."
    ),
    (Skill.MOTORCYCLE, 0): "This trooper gets -3 to PH when it Dodges.",
    (Skill.SUPER_JUMP, 0): (
        "This trooper can jump up to its first MOV value as a Short Movement Skill, or up to the sum of both"
        " values as an Entire Order. A fall no longer than that sum does it no harm."
    ),
    (Skill.TERRAIN, 0): (
        "This trooper moves freely in Difficult and Very Difficult Terrain of the type named in its profile."
    ),
    (Skill.BERSERK, 0): "This trooper can make an Assault. Berserk changes its CC Attack",
    (Skill.ASSAULT, 0): (
        "As an Entire Order, this trooper charges up to the sum of both MOV values and makes a CC Attack with"
        " these changes"
    ),
    **{(Skill.MARTIAL_ARTS, level): "Changes to CC Attacks" for level in range(1, 6)},
}
"""Sentences by skill and Level, 0 for skills without one; a close combat chart's bonuses are there too.

Rules: INF-BS-05, INF-SEN-01, INF-SEN-04, INF-SEN-05, INF-SEN-06, INF-SIX-01 to INF-SIX-11, INF-SS-03,
INF-SS-04, INF-TRX-01, INF-STR-02 to INF-STR-04, INF-VAL-01 to INF-VAL-12, INF-VET-01 to INF-VET-04,
INF-RET-03, INF-WND-04, INF-ISO-03, INF-SHA-01, INF-SHA-07, INF-TRA-02, INF-DOD-02, INF-SJ-01, INF-SJ-03,
INF-SJ-06, INF-TER-01, INF-CCS-11, INF-ASL-03.
"""

TYPE_ROWS: dict[str, tuple[str, str]] = {
    "REM": ("REM", "A REM gets -3 to PH when it Dodges. It can't be Lieutenant."),
    "TAG": ("TAG", "A TAG gets -6 to PH when it Dodges."),
    "irregular": (
        "Irregular",
        "Only this trooper can use its own Order. You can spend its Combat Group's Orders on it too.",
    ),
    "structure": ("STR", "An Engineer can repair this trooper. A Doctor can't heal it."),
    "template": (
        "Template",
        (
            "Cover gives no bonus against a template. Targets without LoF get -3 to Dodge it. Speculative"
            " Fire is at BS-6."
        ),
    ),
    "saves": ("Saves", "The number of saves that each hit causes."),
    "bts": ("BTS", "Saves against this weapon use BTS instead of ARM."),
    "program": ("Program", "Roll against WIP. You don't need LoF."),
}
"""Rules: INF-DOD-02, INF-DOD-06, INF-LOL-03, INF-ORD-02, INF-WND-04, INF-BS-04, INF-BS-07, INF-ARM-04."""


def list_quick_rows(profiles: Iterable[Profile]) -> list[tuple[str, str]]:
    """Return the rows of all that the profiles have, their other forms too; a skill with its lower Levels.

    Rules: INF-LVL-01.
    """
    forms = [form for profile in profiles for form in (profile, profile.alternate) if form is not None]
    skills = {
        (key, level) for form in forms for key, level in SKILL_SENTENCES if _applies_to(form, key, level)
    }
    rows = {
        key: (_skill_title(*key), words + _describe_chart(*key)) for key, words in SKILL_SENTENCES.items()
    }
    return [
        *ROLL_ROWS,
        *picked(rows, skills),
        *picked(TYPE_ROWS, [key for form in forms for key in _list_row_keys(form)]),
    ]


def _skill_title(skill: Skill, level: int) -> str:
    name = NAMES.get(skill) or skill.replace("_", " ").title()
    return f"{name} L{level}" if level else name


def _applies_to(form: Profile, skill: Skill, level: int) -> bool:
    """Whether a row is of use to a profile; Berserk may be an Assault. Rules: INF-LVL-01, INF-CCS-11."""
    if skill is Skill.ASSAULT and form.has(Skill.BERSERK):
        return True
    return level <= max(form.levels(skill), default=-1)


def _describe_chart(skill: Skill, level: int) -> str:
    """Rules: INF-CCS-05 to INF-CCS-10, INF-ASL-04."""
    if skill not in (Skill.MARTIAL_ARTS, Skill.BERSERK, Skill.ASSAULT):
        return ""
    row: ChartRow = chart(skill, level)
    mod_values = (
        ("CC", row.attack),
        ("enemy's roll", row.opponent),
        ("Damage", row.damage),
        ("Burst", row.burst),
    )
    mod_words = ", ".join(f"{name} {value:+d}" for name, value in mod_values if value)
    return f": {mod_words}.{f' {row.special}' if row.special and skill is not Skill.ASSAULT else ''}"


def _list_row_keys(form: Profile) -> Iterable[str]:
    yield form.type
    if form.irregular:
        yield "irregular"
    if form.structure:
        yield "structure"
    for weapon in form.weapons:
        key_flags = (
            ("template", weapon.template),
            ("saves", weapon.rolls > 1),
            ("bts", weapon.bts),
            ("program", weapon.hacking),
        )
        yield from (key for key, applies in key_flags if applies)


TICK_BOXES = ("Order", "Prone", "Suppressed", "Unconscious")
ATTRIBUTES = ("cc", "bs", "ph", "wip")


class InfinitySheet:
    """See `bot.table.rosters.printing.SheetMaker`."""

    head: tuple[str, ...] = ("Weapon", "B", "Damage", "Ammo", "Range MODs")

    def heading(self, crew: CrewRow, members: Sequence[MemberRow]) -> Sequence[str]:
        """Explain the entries of a range band."""
        return ["A range MOD of 8:+3 means +3 from the end of the previous range band up to 8 inches."]

    def card(self, crew: CrewRow, member: MemberRow) -> Card:
        """Return a trooper's profile, with its other form below it if it transmutes."""
        profile = profile_of(member.profile, member.name)
        points_label = "STR" if profile.structure else "W"
        alternate_form = profile.alternate
        kind = f"{profile.type}{', Irregular' if profile.irregular else ''}"
        lines = [("Skills", ", ".join(map(str, profile.skills)))]
        if alternate_form is not None:
            stats_text = ", ".join(f"{name} {value}" for name, value in _list_stats(alternate_form))
            lines.append((f"Turns into {alternate_form.name}", stats_text))
        return Card(
            member.name,
            member.points,
            describe_kind(member, read_profile(member.profile).name, kind),
            _list_stats(profile),
            tuple(map(_weapon_row, profile.weapons)),
            tuple((name, words) for name, words in lines if words),
            boxes=((points_label, profile.wounds), *((name, 1) for name in TICK_BOXES)),
        )

    def quick(self, crew: CrewRow, members: Sequence[MemberRow]) -> Sequence[tuple[str, str]]:
        """Return the rolls of every trooper, and what the skills and weapons of this force do."""
        return list_quick_rows(profile_of(member.profile, member.name) for member in members)


def _list_stats(profile: Profile) -> tuple[tuple[str, str], ...]:
    points_label = "STR" if profile.structure else "W"
    return (
        ("MOV", f"{profile.mov[0]}-{profile.mov[1]}"),
        *((name.upper(), str(getattr(profile, name) or "-")) for name in ATTRIBUTES),
        ("ARM", str(profile.arm)),
        ("BTS", str(profile.bts)),
        (points_label, str(profile.wounds)),
        ("S", str(profile.silhouette)),
    )


def _weapon_row(weapon: Weapon) -> tuple[str, ...]:
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


SHEET_MAKERS.update(infinity=InfinitySheet())
