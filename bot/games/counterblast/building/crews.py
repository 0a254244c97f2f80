"""Crews and their statblocks: affiliation, alignment, Specialties, and the battle sheet."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.games.counterblast.building.draft_texts import (
    affiliation_words,
    draft_from,
    draft_of,
    draft_words,
    earned_point_faults,
    faction_named,
    fault_words,
    require_built,
    row_text,
)
from bot.games.counterblast.building.rulebook import bought_parts, crew_doubts, weapon_effects
from bot.games.counterblast.core.wording import power_title
from bot.games.counterblast.state.drafts import list_unknown_entries, write_base
from bot.games.counterblast.state.models import Block, read_block, traits_in
from bot.replies.sheets.sheet import Card, picked
from bot.store.rows import CrewRow, MemberRow
from bot.table.encounter import profile_text
from bot.table.names import MAX_NAME_LENGTH, find
from bot.table.rosters.crew_state import HOME
from bot.table.rosters.muster import CREW_FORMATS
from bot.table.rosters.printing import SHEET_MAKERS, describe_kind
from rules.json_text import json_values
from rules.refusals import Forbidden, InvalidInput
from rules.sections import format_rulebook_line
from rules.systems.counterblast.building.builder import list_draft_faults
from rules.systems.counterblast.building.crew import (
    SPECIALTY_NAMES,
    Member,
    check_crew,
    check_specialties,
    require_alignment,
    require_size,
)
from rules.systems.counterblast.building.custom_profile import (
    OwnStatblock,
    build_own,
    is_own,
    list_own_values,
)
from rules.systems.counterblast.building.draft import ModelDraft, build_profile, list_members, start_improving
from rules.systems.counterblast.building.profile_text import (
    OWN_FIGURES,
    OWN_KEYS,
    build_own_from_words,
    is_statblock,
    list_own_words,
    read_own,
    write_own,
)
from rules.systems.counterblast.core.fighter import CrewTraits, Fighter
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.panic import is_fearless
from rules.systems.counterblast.core.profile import (
    AFFILIATIONS,
    MODEL_TYPES,
    RANKS,
    ChartRow,
    Profile,
    Trait,
    Weapon,
)
from rules.systems.counterblast.turn.activation import starting_tokens

STATBLOCK, COST = "statblock", "cost"
"""Keys in a crew's written form for a member's own values: the name of its statblock, and its points."""


EXAMPLE = """Grak
lackey beast, base M, 20 points
Mv 6, STR 3D+1, AGL 2D, INT 1D
Def 8, Life 2, Shield 1
features: Brave, Knack melee
weapons: Pulsar Rifle, Grenade,
  Claws (natural, melee, reach 1, Pwr 5)
gear: Medkit"""
"""How a statblock is typed."""


def row_of(own: OwnStatblock) -> str:
    """Return the statblock as a model's row keeps it."""
    return json.dumps(
        write_base(start_improving(own.profile, 0, arms=own.arms)), sort_keys=True, separators=(",", ":")
    )


def typed(text: str, name: str) -> tuple[str, str, int] | None:
    """Return a statblock typed as words or as values: its name, its row, its points; None for what is none.

    name: what it is called instead, or where the text has none. Raises InvalidInput. Rules: CB-STAT-01.
    """
    if text.lstrip().startswith("{"):
        built = _values(text)
    elif is_statblock(text):
        built = read_own(text, name)
    else:
        return None
    if name and built.profile.name != name:
        built = build_own(list_own_values(built) | {"name": name})
    return built.profile.name[:MAX_NAME_LENGTH], row_of(built), built.profile.points


def complete_statblock(text: str) -> tuple[str, Sequence[str]]:
    """Return a typed statblock with rank, type and base, if it leaves them out, and those that were added."""
    words = set(re.findall(r"[a-z]+", text.casefold()))
    missing = [
        (usual, offered)
        for usual, offered in (("lackey", RANKS), ("human", MODEL_TYPES), ("base M", ("base", "size")))
        if words.isdisjoint(offered)
    ]
    added = [usual for usual, _ in missing]
    return (f"{text}\n{', '.join(added)}" if added else text), added


def _values(text: str) -> OwnStatblock:
    try:
        values = json_values(text)
    except (ValueError, RecursionError):
        raise InvalidInput("I can't read this JSON. Check its quotes, commas and braces.") from None
    if not isinstance(values, dict):
        raise InvalidInput("Put the JSON statblock in braces: {...}.")
    return build_own(values)


def flatten_draft(draft: ModelDraft) -> OwnStatblock:
    """Return a draft of an own statblock as such a statblock, with all that was bought and added."""
    profile = build_profile(draft)
    arms = tuple(arm for arm in draft.arms if arm.key in profile.weapons)
    return OwnStatblock(replace(profile, size_options=(profile.size,)), arms)


def read_own_statblock(text: str) -> OwnStatblock:
    """Return the statblock of a model's row. Raises InvalidInput for one that is printed or built."""
    draft = draft_of(text)
    if not is_own(draft.base.key):
        raise InvalidInput(
            "Enter your own statblock here. To add a model from the rulebook, use /crew recruit."
        )
    return flatten_draft(draft)


def statblock_text(text: str) -> str:
    """Return the statblock of a row as it can be typed again."""
    return write_own(read_own_statblock(text))


def values(text: str) -> dict[str, Any]:
    """Return the statblock of a row as values for programs."""
    return list_own_values(read_own_statblock(text))


def from_values(given: Mapping[str, Any]) -> tuple[str, str, int]:
    """Return the name, row and points of a statblock. Raises InvalidInput."""
    built = build_own(given)
    return built.profile.name, row_of(built), built.profile.points


def has_own_figures(words: Mapping[str, str]) -> bool:
    """Return whether the words of a crew's member give figures of its own."""
    return bool(OWN_FIGURES & set(words)) and "from" not in words


def member_words(draft: ModelDraft) -> dict[str, str]:
    """Return a member's statblock in words for a crew's written form."""
    built = flatten_draft(draft)
    words = list_own_words(built)
    words[COST] = words.pop("points", "0")
    return {STATBLOCK: built.profile.name, **words}


def member_row(name: str, words: Mapping[str, str]) -> str:
    """Return the row of a member from such words. Raises InvalidInput with every fault, one in a line."""
    values = {key: value for key, value in words.items() if key not in (STATBLOCK, COST)}
    if "points" in values:
        keys = ", ".join(member_keys())
        raise InvalidInput(f'Use "{COST}" instead of "points" here. You can use these keys: {keys}.')
    values["points"] = words.get(COST, "0")
    return row_of(build_own_from_words(words.get(STATBLOCK) or name, values))


def member_keys() -> Sequence[str]:
    """Return the keys that such a member may have."""
    return (STATBLOCK, *(COST if word == "points" else word for word in OWN_KEYS))


TRAITS = (
    ("affiliation", "the faction whose equipment and Lackeys you can use"),
    ("alignment", "the faction whose benefits your crew gets"),
    ("specialties", "one Specialty, or several if the crew is large enough"),
    ("marauder", "+1 to strength or agility for Marauders"),
)
NO_LIMIT = 100_000


def crew_traits(crew: CrewRow) -> CrewTraits:
    """Return what the crew gives to its members."""
    traits = crew.traits
    specialties = frozenset(filter(None, traits.get("specialties", "").split(",")))
    return CrewTraits(specialties, traits.get("alignment", ""), traits.get("marauder", ""))


def faction_of(crew: CrewRow) -> str:
    """Return the affiliation whose equipment and Lackeys the crew has; empty where none was named."""
    return crew.traits.get("affiliation", "")


class CrewRules:
    """The rules for Counterblast's crews: see `bot.table.rosters.muster.CrewFormat`."""

    def traits(self) -> Sequence[tuple[str, str]]:
        """Return affiliation, alignment, Specialties, and the Marauders' choice."""
        return TRAITS

    def values(self, key: str) -> Sequence[str]:
        """Return the possible values of a trait."""
        if key == "specialties":
            return tuple(SPECIALTY_NAMES.values())
        if key == "marauder":
            return ("strength", "agility")
        return tuple(map(affiliation_words, AFFILIATIONS))

    def trait(self, key: str, text: str) -> Mapping[str, str]:
        """Return a trait as typed. Rules: CB-CREW-07, CB-SPEC-01, CB-SPEC-12."""
        if not text.strip() or text.casefold() == "none":
            return {key: ""}
        if key == "specialties":
            parts = [part.strip() for part in text.split(",") if part.strip()]
            keys = [
                find(part, tuple(SPECIALTY_NAMES), lambda one: SPECIALTY_NAMES[one], "Specialty")
                for part in parts
            ]
            return {key: ",".join(dict.fromkeys(keys))}
        if key == "marauder":
            return {key: find(text, ("strength", "agility"), str, "ability")}
        return {key: faction_named(text)}

    def told(self, traits: Mapping[str, str]) -> Mapping[str, str]:
        named = [
            SPECIALTY_NAMES[key] for key in traits.get("specialties", "").split(",") if key in SPECIALTY_NAMES
        ]
        shown = {key: traits.get(key, "") for key, _ in TRAITS} | {"specialties": ", ".join(named)}
        return shown | {
            key: affiliation_words(shown[key]) for key in ("affiliation", "alignment") if shown[key]
        }

    def words(self, profile: str) -> dict[str, str]:
        """Return a member in words; what a printed block has is not said again."""
        draft = draft_of(profile)
        if is_own(draft.base.key):
            return member_words(draft)
        all_words = draft_words(draft)
        printed = () if draft.template else ("weapons", "gear", "powers")
        unchanged = {key for key in printed if getattr(draft, key) == getattr(draft.base, key)}
        return {key: value for key, value in all_words.items() if key not in unchanged}

    def profile_values(self, profile: str) -> dict[str, Any]:
        """Return the row's own values."""
        values: dict[str, Any] = json.loads(profile)
        return values

    def from_words(self, name: str, words: Mapping[str, str], crew: CrewRow) -> tuple[str, int]:
        """Return a member's statblock and points. Raises InvalidInput, for all unknown names at once."""
        text = member_row(name, words) if has_own_figures(words) else row_text(draft_from(name, words))
        return _require_valid(draft_of(text, crew_traits(crew), faction_of(crew)))

    def from_values(self, name: str, values: Mapping[str, Any], crew: CrewRow) -> tuple[str, int]:
        """Return a member's statblock and points. Raises InvalidInput, for all unknown names at once."""
        lists, starts = {"weapons", "gear", "powers"}, {"block", "built", "own"}
        if not (lists | starts).issuperset(values) or len(starts & set(values)) != 1:
            raise InvalidInput(
                'A profile must have exactly one of "block", "built" and "own". It can also have "weapons", '
                '"gear" and "powers".'
            )
        unknown = list_unknown_entries(values)
        if unknown:
            raise InvalidInput("\n".join(unknown))
        text = profile_text(dict(values))
        return _require_valid(draft_of(text, crew_traits(crew), faction_of(crew)))


def faults(crew: CrewRow, rows: Sequence[MemberRow], limit: int) -> Sequence[str]:
    """Return everything wrong: each member's build, Heroes, points, faction, alignment, Specialties, leader.

    The campaign's own rules have judged what it gave to its members. Rules: CB-CREW-01, CB-CREW-03,
    CB-CREW-07, CB-CREW-17, CB-SPEC-01, CB-SPEC-12, CB-BUILD-01.
    """
    traits, faction = crew_traits(crew), faction_of(crew)
    drafts: list[ModelDraft] = []
    sentences: list[str] = []
    outsiders: list[str] = []
    for row in rows:
        try:
            draft = draft_of(row.profile, traits, faction)
        except InvalidInput as refusal:
            sentences.append(f"{row.name}: {refusal.sentence}")
            continue
        drafts.append(draft)
        if not draft.base.is_hero and faction and faction not in draft.base.affiliations:
            outsiders.append(row.name)
        draft_errors = () if HOME in crew.traits else (*list_draft_faults(draft), *earned_point_faults(draft))
        sentences += [f"{row.name}: {fault_words(fault)}" for fault in draft_errors]
    everyone = list_members(drafts)
    points = sum(member.points for member in everyone)
    sentences += _collect_refusal(lambda: check_crew(everyone, NO_LIMIT))
    sentences += _collect_refusal(lambda: require_size(everyone, limit or NO_LIMIT))
    sentences += [
        f"Remove {name}, because only {load().affiliations[faction].name} Lackeys can join this crew."
        for name in outsiders
    ]
    sentences += _collect_refusal(lambda: check_specialties(traits, points))
    if traits.alignment:
        sentences += _collect_refusal(lambda: require_alignment(everyone, traits.alignment))
    return [*sentences, *_leader_faults(rows, traits, everyone)]


def _require_valid(draft: ModelDraft) -> tuple[str, int]:
    text, points = require_built(draft)
    read_block(text)
    return text, points


def _collect_refusal(check: Any) -> list[str]:
    try:
        check()
    except Forbidden as refusal:
        return [f"{refusal.sentence} {format_rulebook_line(refusal.rule)}"]
    except InvalidInput as wrong:
        return [wrong.sentence]
    return []


def _leader_faults(rows: Sequence[MemberRow], traits: CrewTraits, everyone: Sequence[Member]) -> list[str]:
    leaders = [row for row in rows if row.leader]
    if not leaders:
        return (
            ["Choose a leader with /crew leader."]
            if rows
            else ["This crew has no members yet. Add one with /crew recruit."]
        )
    profile = read_block(leaders[0].profile).profile
    if profile.is_hero:
        return []
    has_heroes = any(member.profile.is_hero for member in everyone)
    if not has_heroes and traits.alignment == "neiran" and "neiran" in profile.types:
        return []
    return [f"{leaders[0].name} can't lead the crew, because only a Hero can. Choose one with /crew leader."]


CREW_FORMATS["counterblast"] = CrewRules()


PANICKED = "Panicked"
STATES = (PANICKED, "Prone", "Aim", "Overwatch", "Done")
"""States with a box to tick on every model's card."""

VEHICLE_STATES = ("In Motion", "Burning", PANICKED, "Aim", "Overwatch", "Done")
"""What is ticked of a vehicle, but for Cavalry, which is ticked as a model. Rules: CB-VEH-02, CB-VEH-10."""

CONDITIONS = {
    "panicked": (
        "Panicked",
        "the model gets -1 die on checks and attacks. It can try to Rally (INT, 7+) for free once in each "
        "activation.",
    ),
    "prone": (
        "Prone",
        "the model moves at half Mv and gets +1 die on its own shots. Enemies get -1 die when they "
        "shoot at it and +1 die against it in melee.",
    ),
    "burning": (
        "Burning",
        "the model takes 1 hit with Power 5 in each activation, unless it spends all its actions putting the "
        "fire out (Engineering, 7+). A model on an S base needs 1 success, and one on a larger base needs 2.",
    ),
    "incapacitates": (
        "Incapacitated",
        "the model can't do anything, can't be targeted, and misses its next activation.",
    ),
    "motion": (
        "In Motion",
        "a vehicle that drove at least its full Mv last turn must do so again and can only turn with "
        "Maneuvers. Models that aren't vehicles get -1 die when they shoot at it, unless it moves straight "
        "towards or away from them.",
    ),
}
"""Conditions with their figures, under what brings them.

Rules: CB-PANIC-11, CB-RALLY-01, CB-MOVE-05, CB-MOVE-10, CB-MOVE-11, CB-BURN-05 to CB-BURN-07, CB-COND-04,
CB-VEH-10, CB-VEH-30.
"""

EFFECTS = {
    "absorbs_collision": (
        "Absorbs collision",
        "a vehicle with this weapon takes 1 fewer die of collision damage when it rams.",
    ),
    "arc": (
        "Arc",
        "if this weapon causes a wound, roll 1 attack die against another model within 2 in of the target.",
    ),
    "armor_piercing": (
        "Armor piercing",
        "the target gets -2 Defense at short range and in melee, and -1 at long range.",
    ),
    "deep": ("Deep", "a model completely under the template must pass an Initiative check (7+) or be lost."),
    "emp": ("EMP", "energy weapons and machines that this weapon hits are switched off for one turn."),
    "fires_twice": ("Fires twice", "this weapon fires 2 shots in one attack."),
    "hero_only": ("Hero only", "Lackeys can't carry this weapon."),
    "immune_to_emp": ("Immune to EMP", "an EMP can't switch this weapon off."),
    "intellect_per_level": ("Intellect per level", "+1 on INT checks for each level of the model."),
    "knockback": (
        "Knockback",
        "this weapon pushes the target back 6 in (base S), 4 in (base M) or 2 in (base L).",
    ),
    "knockdown": ("Knockdown", "a target that is hit falls Prone, even without a wound."),
    "knockdown_on_critical": ("Knockdown on critical", "a target hit with a critical success falls Prone."),
    "needs_air": ("Needs air", "this weapon doesn't work in a vacuum or under water."),
    "rapid_fire": ("Rapid fire", "+4 dice in a burst for 1 action, or +8 dice for 2 actions."),
    "slows": ("Slows", "Mv -1 in."),
    "team_carry": ("Team carry", "two models that carry this weapon together lose no Mv."),
    "void": (
        "Void",
        "the target makes an Initiative check (7+). On a success it falls Prone; otherwise it is lost.",
    ),
    "while_engaged": (
        "While engaged",
        "an engaged model can use this weapon, but the attack isn't a melee attack.",
    ),
}
"""Effects of custom weapons; printed ones have a text. Rules: CB-WEAP-19 to CB-WEAP-38."""


class CounterblastSheet:
    """See `bot.table.rosters.printing.SheetMaker`."""

    head: tuple[str, ...] = ("Weapon", "Range", "Power", "Dmg", "Also")

    def heading(self, crew: CrewRow, members: Sequence[MemberRow]) -> Sequence[str]:
        """Return the crew's traits, and what of it could not be read safely."""
        blocks = [read_block(row.profile) for row in members]
        doubts = crew_doubts(
            doubtful
            for block in blocks
            for doubtful in bought_parts(block.profile, block.weapons, block.gear)
        )
        trait_lines = [f"{key}: {value}" for key, value in CrewRules().told(crew.traits).items() if value]
        return [*trait_lines, *doubts]

    def card(self, crew: CrewRow, member: MemberRow) -> Card:
        """Return a member with statblock, weapons, gear, Features, powers and boxes. Rules: CB-STAT-01."""
        block = read_block(member.profile)
        profile = block.profile
        carried = [("Gear", ", ".join(item.name for item in block.gear))]
        carried.append(("Features", ", ".join(map(_feature, profile.features))))
        carried.append(("Powers", ", ".join(map(power_title, profile.powers))))
        boxes = [("Life", profile.life)]
        kind = f"{profile.rank.capitalize()}, {', '.join(profile.types)}, base {profile.size}"
        fighter = Fighter(0, member.name, 0, profile, block.weapons, block.gear, crew=traits_in(crew.traits))
        if member.leader:
            boxes.append(("Orders", starting_tokens(fighter)))
        states = VEHICLE_STATES if _is_driven(profile) else STATES
        return Card(
            member.name,
            member.points,
            describe_kind(member, profile.name, kind),
            _figures(profile),
            tuple(map(_weapon, block.weapons)),
            tuple((name, words) for name, words in carried if words),
            boxes=(*boxes, *((name, 1) for name in states if name != PANICKED or _can_panic(fighter))),
        )

    def quick(self, crew: CrewRow, members: Sequence[MemberRow]) -> Sequence[tuple[str, str]]:
        """Return Features, weapons, gear, powers and Specialties that the crew has, each once."""
        library, blocks = load(), [read_block(row.profile) for row in members]
        traits = traits_in(crew.traits)
        entries: list[tuple[str, str]] = []
        entries += [
            (SPECIALTY_NAMES[key], library.specialties[key].text) for key in sorted(traits.specialties)
        ]
        features = [feature.key for block in blocks for feature in block.profile.features]
        entries += [
            (library.features[key].name, library.features[key].text) for key in _sort_unique(features)
        ]
        entries += [(weapon.name, weapon.text) for block in blocks for weapon in block.weapons]
        entries += [(gear.name, gear.text) for block in blocks for gear in block.gear]
        powers = [key for block in blocks for key in block.profile.powers]
        entries += [
            (power.name, power.text)
            for key in _sort_unique(powers)
            for power in library.powers
            if power.power == key
        ]
        effects = [
            key for block in blocks for weapon in block.weapons if not weapon.text for key in weapon.effects
        ]
        entries += picked(EFFECTS, effects)
        entries += picked(CONDITIONS, [key for block in blocks for key in _conditions(block)])
        if any(_is_driven(block.profile) for block in blocks):
            damage = library.charts["critical_damage"]
            rows = "; ".join(
                f"{_faces(row)}: {row.name.lower()}{_row_explanation(row)}" for row in damage.rows
            )
            entries.append(
                (
                    "Critical Damage",
                    "roll a d10 and add 1 for each wound beyond the vehicle's Life. "
                    f"{rows[:1].upper()}{rows[1:]}.",
                )
            )
        return [pair for pair in dict.fromkeys(entries) if pair[1]]


def _is_driven(profile: Profile) -> bool:
    """Return whether it is a vehicle other than Cavalry. Rules: CB-VEH-02."""
    return profile.is_vehicle and not profile.is_cavalry


def _can_panic(model: Fighter) -> bool:
    """Return whether it can be Panicked: not if Fearless, but a Watchdog can. Rules: CB-PANIC-04,
    CB-GEAR-50.
    """
    return not is_fearless(model) or model.profile.is_beast


def _conditions(block: Block) -> Iterable[str]:
    driven = _is_driven(block.profile)
    if _can_panic(Fighter(0, "", 0, block.profile)):
        yield "panicked"
    yield from ("motion", "burning") if driven else ("prone",)
    yield from (effect for weapon in block.weapons for effect in weapon.effects)


def _faces(row: ChartRow) -> str:
    if row.low is None or row.high is None:
        return f"{row.low}+" if row.high is None else f"up to {row.high}"
    return f"{row.low}-{row.high}" if row.low != row.high else str(row.low)


def _row_explanation(row: ChartRow) -> str:
    return f" ({row.text[0].lower()}{row.text[1:].rstrip('.')})" if row.text else ""


def _sort_unique(keys: Iterable[str]) -> list[str]:
    return sorted(set(keys))


def _figures(profile: Profile) -> tuple[tuple[str, str], ...]:
    ratings = (("STR", profile.strength), ("AGL", profile.agility), ("INT", profile.intellect))
    psi = [("PSI", str(profile.psionic))] if profile.psionic else []
    return (
        ("Mv", str(profile.mv)),
        *((name, str(rating)) for name, rating in ratings),
        *psi,
        ("Def", str(profile.defense)),
        ("Life", str(profile.life)),
        ("Shield", f"{profile.shield}D"),
    )


def _feature(trait: Trait) -> str:
    return f"{load().features[trait.key].name} {trait.choice or trait.level or ''}".strip()


def _weapon(weapon: Weapon) -> tuple[str, ...]:
    """Return a weapon as a table row; its range is written as short range/full range."""
    reach = [f"{weapon.short_range_inches:g}/{weapon.range_inches}"] if weapon.range_inches else []
    reach += [f"reach {weapon.reach_inches}"] if weapon.reach_inches else []
    reach += ["melee"] if weapon.melee and not weapon.reach_inches else []
    power = "-" if weapon.power is None else str(weapon.power)
    power = f"{weapon.power_short}/{power}" if weapon.power_short else power
    damage = str(weapon.damage)
    damage = f"{weapon.damage_short}/{damage}" if weapon.damage_short > weapon.damage else damage
    special_effects = [f"template {weapon.template}{weapon.template_inches or ''}"] if weapon.template else []
    special_effects += [str(weapon.damage_dice)] if weapon.damage_dice else []
    sealed = weapon.sealed_power and weapon.sealed_dice
    special_effects += (
        [f"Power {weapon.sealed_power} and {weapon.sealed_dice} damage against sealed suits"]
        if sealed
        else []
    )
    return (
        weapon.name,
        ", ".join(reach),
        power,
        damage,
        ", ".join([*special_effects, *weapon_effects(weapon)]),
    )


SHEET_MAKERS["counterblast"] = CounterblastSheet()
