"""Write a draft as text and read it again: its outfit and its upgrades."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, TypeVar, cast

from bot.games.counterblast.core.wording import power_title
from bot.games.counterblast.state.drafts import draft_from_block, read_draft, write_base, write_draft
from bot.games.counterblast.state.models import with_equipment
from bot.table.names import find
from rules.refusals import InvalidInput, forbid
from rules.sections import format_rulebook_line
from rules.systems.counterblast.building.builder import list_draft_faults
from rules.systems.counterblast.building.draft import (
    RAISES,
    ModelDraft,
    Raise,
    build_profile,
    find_weapon,
    start_hero,
    start_improving,
)
from rules.systems.counterblast.building.equipment import Fault
from rules.systems.counterblast.building.profile_text import OWN_FIGURES
from rules.systems.counterblast.core.fighter import CrewTraits
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import AFFILIATIONS, Gear, Profile, Trait, Weapon, as_size
from rules.wording import times

RAISE_WORDS: dict[Raise, str] = {
    "mv": "Mv",
    "defense": "Defense",
    "life": "Life",
    "strength_dice": "STR dice",
    "strength_modifier": "STR modifier",
    "agility_dice": "AGL dice",
    "agility_modifier": "AGL modifier",
    "intellect_dice": "INT dice",
    "intellect_modifier": "INT modifier",
}

Steps = tuple[Raise, int]
"""What is raised, and by how many steps."""

_NAME_AND_COUNT = re.compile(r"(.*?)\s+\+?(\d{1,2})")


def trait_words(trait: Trait) -> str:
    """Return Features in words: Knack marksmanship, Psionic 2, Brave."""
    name = load().features[trait.key].name
    return " ".join(filter(None, (name, trait.choice, str(trait.level) if trait.level > 1 else "")))


def steps_words(raise_key: Raise, count: int) -> str:
    """Return steps in words: Mv, AGL dice 2."""
    return f"{RAISE_WORDS[raise_key]} {count}" if count > 1 else RAISE_WORDS[raise_key]


def _spellings() -> list[tuple[str, Raise]]:
    """Each thing that can be raised by its words, and by the longer ones where they differ."""
    spellings: list[tuple[str, Raise]] = [(RAISE_WORDS[raise_key], raise_key) for raise_key in RAISES]
    return spellings + [(raise_key.replace("_", " "), raise_key) for raise_key in RAISES if "_" in raise_key]


def steps_named(text: str) -> Steps:
    """Return what is raised by how many steps: Mv 2, agility dice. Raises InvalidInput."""
    match = _NAME_AND_COUNT.fullmatch(text.strip())
    raise_name, count = (match[1], int(match[2])) if match else (text, 1)
    return find(raise_name, _spellings(), lambda one: one[0], "upgrade")[1], count


def upgrade_exactly(text: str) -> Steps | Trait | None:
    """Return what these words clearly name: steps, or a Feature with its level or choice."""
    typed = " ".join(text.split())
    match = _NAME_AND_COUNT.fullmatch(typed)
    name, count = (match[1], int(match[2])) if match else (typed, 1)
    for spelling, raise_key in _spellings():
        if spelling.casefold() == name.casefold():
            return raise_key, count
    return _trait_exactly(typed)


def _trait_exactly(typed: str) -> Trait | None:
    match = re.fullmatch(r"(.*?)\s+(\d)", typed)
    name, level = (match[1], int(match[2])) if match else (typed, 0)
    features = load().features
    for feature in features:
        if name.casefold() == feature.name.casefold():
            return Trait(feature.key, level or int(len(feature.costs) > 1))
    for feature in features:
        head = f"{feature.name.casefold()} "
        if name.casefold().startswith(head):
            ending = name[len(head) :].casefold()
            choice = next(
                (feature_choice for feature_choice in feature.choices if feature_choice.casefold() == ending),
                "",
            )
            if choice:
                return Trait(feature.key, level, choice)
    return None


def trait_named(text: str) -> Trait:
    """Return a Feature with its choice or level: Knack marksmanship, Psionic 2. Raises InvalidInput."""
    typed = " ".join(text.split())
    exact = _trait_exactly(typed)
    if exact is not None:
        return exact
    match = re.fullmatch(r"(.*?)\s+(\d)", typed)
    name, level = (match[1], int(match[2])) if match else (typed, 0)
    feature = find(name, tuple(load().features), lambda one: one.name, "Feature")
    return Trait(feature.key, level or int(len(feature.costs) > 1))


def ends_with_level(text: str) -> bool:
    """Return whether the words of a Feature end with its level."""
    return text.strip()[-1:].isdecimal()


def upgrades() -> dict[str, Steps | Trait]:
    """Return what upgrade points can buy, by its words: a step, or a Feature with each of its choices.

    Rules: CB-CAMP-07, CB-BUILD-19.
    """
    by_name: dict[str, Steps | Trait] = {RAISE_WORDS[raise_key]: (raise_key, 1) for raise_key in RAISES}
    for feature in load().features:
        for choice in feature.choices or ("",):
            trait = Trait(feature.key, int(len(feature.costs) > 1), choice)
            by_name[trait_words(trait)] = trait
    return by_name


def upgrade_named(text: str) -> Steps | Trait:
    """Return a step or a Feature that is meant. Raises InvalidInput with the nearest names."""
    exact = upgrade_exactly(text)
    if exact is not None:
        return exact
    if ends_with_level(text):
        names = '", "'.join(list(upgrades())[:3])
        raise InvalidInput(
            f'There is no upgrade with that name. Enter, for example, "{names}" or "Psionic 2".'
        )
    by_name = upgrades()
    return by_name[find(text, list(by_name), str, "upgrade")]


T = TypeVar("T")

KEYS = (
    "from", "type", "base", "kind", "raised", "features", "free", "weapons", "gear", "powers", "earned",
    "watchdog",
)  # fmt: skip
"""What is said of a member, in the order in which it is written."""

NONE = "none"
"""What is said of a printed block that gave all its weapons, gear or powers back."""

DOG_KEYS = ("raised", "features", "free", "weapons", "gear")
PLAIN_DOG = "plain"


# ------------------------------------------------------------------------------------------- drafts of rows


@lru_cache(maxsize=1024)
def draft_of(text: str, crew: CrewTraits | None = None, faction: str = "") -> ModelDraft:
    """Return a member's row as a draft, in its crew. Raises InvalidInput."""
    try:
        stored = json.loads(text)
        draft = read_draft(stored["built"]) if "built" in stored else draft_from_block(stored)
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidInput("I can't read this model. Enter its statblock again.") from error
    gear = _read_list(stored, "gear")
    draft = replace(
        draft,
        weapons=(*draft.weapons, *_read_list(stored, "weapons")),
        gear=(*draft.gear, *gear),
        powers=(*draft.powers, *_read_list(stored, "powers")),
        crew=crew or CrewTraits(),
        faction=faction,
        mekkus=faction == "mekkus" and "mekkus" in draft.base.affiliations,
    )
    return require_readable(draft)


def _read_list(written: Mapping[str, Any], key: str) -> tuple[str, ...]:
    listed = written.get(key, ())
    if not isinstance(listed, list | tuple) or not all(isinstance(entry, str) for entry in listed):
        raise InvalidInput("I can't read this model. Enter its statblock again.")
    return tuple(listed)


def require_readable(draft: ModelDraft) -> ModelDraft:
    """Return the draft, once everything that it names was looked up. Raises InvalidInput."""
    read_draft(write_draft(draft))
    return draft


def row_text(draft: ModelDraft) -> str:
    """Return a draft as a row keeps it: a printed block with what was added, or what was built."""
    base = draft.base
    plain_block = not draft.template and not draft.raises and not draft.features and not draft.earned
    unchanged = (
        draft.weapons[: len(base.weapons)] == base.weapons and draft.gear[: len(base.gear)] == base.gear
    )
    if plain_block and unchanged and not draft.watchdog:
        stored: dict[str, Any] = write_base(draft)
        extra = {
            "weapons": list(draft.weapons[len(base.weapons) :]),
            "gear": list(draft.gear[len(base.gear) :]),
            "powers": [power for power in draft.powers if power not in base.powers],
        }
        stored |= {key: value for key, value in extra.items() if value}
    else:
        stored = {"built": write_draft(replace(draft, faction="", mekkus=False))}
    return json.dumps(stored, sort_keys=True, separators=(",", ":"))


# ------------------------------------------------------------------------------------------- to words


def items_of(draft: ModelDraft) -> tuple[list[Weapon], list[Gear]]:
    """Return the weapons and gear of a draft."""
    library = load()
    gear = [library.vehicle_gear[k] if k in library.vehicle_gear else library.gear[k] for k in draft.gear]
    return [find_weapon(draft, key) for key in draft.weapons], gear


def draft_words(draft: ModelDraft) -> dict[str, str]:
    """Return a draft as words by key; what is empty is left out."""
    weapons, gear = items_of(draft)
    start: dict[str, str] = {}
    if draft.template:
        start = {"type": load().templates[draft.template].name, "base": draft.base.size}
        if draft.base.is_vehicle:
            start["kind"] = next(kind for kind in draft.base.types if kind != "vehicle")
    else:
        start = {"from": draft.base.name}
    words = start | {
        "raised": ", ".join(f"{RAISE_WORDS[raise_key]} {count}" for raise_key, count in draft.raises),
        "features": ", ".join(map(trait_words, draft.features)),
        "free": ", ".join(map(trait_words, draft.picks)),
        "weapons": ", ".join(item.name for item in weapons) or (NONE if draft.base.weapons else ""),
        "gear": ", ".join(item.name for item in gear) or (NONE if draft.base.gear else ""),
        "powers": ", ".join(map(power_title, draft.powers)) or (NONE if draft.base.powers else ""),
        "earned": str(draft.earned or ""),
    }
    if draft.watchdog:
        dog = draft_words(draft.watchdog)
        words["watchdog"] = "; ".join(f"{key} {dog[key]}" for key in DOG_KEYS if dog.get(key)) or PLAIN_DOG
    return {key: value for key, value in words.items() if value}


# ------------------------------------------------------------------------------------------- from words


@dataclass(slots=True)
class _Reading:
    """Words being read, and what is wrong with them so far."""

    words: Mapping[str, str]
    wrong: list[str] = field(default_factory=list)

    def one(self, key: str, read: Callable[[str], T]) -> T | None:
        """Return the value of a key, or None if it is missing or cannot be read."""
        text = self.words.get(key, "")
        if not text:
            return None
        try:
            return read(text)
        except (InvalidInput, ValueError) as refusal:
            self.wrong.append(refusal.sentence if isinstance(refusal, InvalidInput) else f"{key}: {refusal}")
            return None

    def refuse(self, keys: Sequence[str], why: str) -> None:
        """Note keys that say what would not be kept."""
        self.wrong += [f'Leave out "{key}", {why}.' for key in keys if key in self.words]

    def every(self, key: str, read: Callable[[str], T], *, unsaid: tuple[T, ...] = ()) -> tuple[T, ...]:
        """Return the values that a key lists with commas, `none` for none, or `unsaid`; unknown ones are
        noted.
        """
        if key not in self.words:
            return unsaid
        results: list[T] = []
        parts = [part.strip() for part in self.words[key].split(",") if part.strip()]
        for part in () if parts == [NONE] else parts:
            try:
                results.append(read(part))
            except InvalidInput as refusal:
                self.wrong.append(refusal.sentence)
        return tuple(results)


def draft_from(name: str, words: Mapping[str, str]) -> ModelDraft:
    """Return the draft that these words describe. Raises InvalidInput with every fault, one in a line."""
    reading = _Reading(words)
    reading.refuse(tuple(OWN_FIGURES & set(words)), "because only a custom statblock has it")
    unknown = [key for key in words if key not in KEYS and key not in OWN_FIGURES]
    reading.wrong += [f"I don't know {key!r}. You can use these keys: {', '.join(KEYS)}." for key in unknown]
    start = _start_draft(name, reading)
    if start is None:
        raise InvalidInput(
            "\n".join(
                reading.wrong or ['Add "from" to copy a model from the rulebook, or "type" to build one.']
            )
        )
    draft = _fill_draft(start, reading)
    dog = words.get("watchdog", "")
    if dog:
        draft = replace(draft, watchdog=_read_watchdog(dog, reading))
    if reading.wrong:
        raise InvalidInput("\n".join(dict.fromkeys(reading.wrong)))
    return require_readable(draft)


def _start_draft(name: str, reading: _Reading) -> ModelDraft | None:
    library = load()
    earned = reading.one("earned", _parse_earned_points) or 0
    if "from" in reading.words:
        reading.refuse(("type", "base", "kind"), 'because the model you copy with "from" already has it')
    block = reading.one(
        "from", lambda text: find(text, tuple(library.profiles), lambda one: one.name, "statblock")
    )
    if block is not None:
        return start_improving(block, earned)
    template = reading.one(
        "type", lambda text: find(text, tuple(library.templates), lambda one: one.name, "type")
    )
    if template is None:
        return None
    if template.key != "vehicle":
        reading.refuse(("kind",), "because only vehicles have it")
    size = reading.one("base", as_size)
    kinds = tuple(library.vehicle_kinds)
    kind = reading.one("kind", lambda text: find(text, kinds, lambda one: one.key, "kind"))
    try:
        return replace(
            start_hero(template.key, name, size=size, kind=kind.key if kind else ""), earned=earned
        )
    except InvalidInput as refusal:
        reading.wrong.append(refusal.sentence)
        return None


def _fill_draft(start: ModelDraft, reading: _Reading) -> ModelDraft:
    library, vehicle = load(), start.base.is_vehicle
    weapons: Sequence[Weapon] = [*(library.vehicle_weapons if vehicle else ()), *library.weapons]
    printed = [library.gear[key] for key in start.gear if key in library.gear]
    gear: Sequence[Gear] = [*library.vehicle_gear, *printed] if vehicle else tuple(library.gear)
    keys = library.power_keys()
    raises = reading.every("raised", steps_named)
    reading.wrong += [
        f"Enter {RAISE_WORDS[raise_key]} only once, as a total." for raise_key in _repeated_raises(raises)
    ]
    return replace(
        start,
        raises=raises,
        features=reading.every("features", trait_named),
        picks=reading.every("free", trait_named),
        weapons=reading.every("weapons", lambda text: item_named(text, weapons), unsaid=start.weapons),
        gear=reading.every("gear", lambda text: item_named(text, gear), unsaid=start.gear),
        powers=reading.every(
            "powers", lambda text: find(text, keys, power_title, "power"), unsaid=start.base.powers
        ),
    )


def _repeated_raises(raises: Sequence[tuple[Raise, int]]) -> list[Raise]:
    raise_keys = [raise_key for raise_key, _ in raises]
    return [raise_key for raise_key in dict.fromkeys(raise_keys) if raise_keys.count(raise_key) > 1]


def _read_watchdog(text: str, reading: _Reading) -> ModelDraft:
    values: dict[str, str] = {}
    for part in () if text.casefold() == PLAIN_DOG else filter(None, map(str.strip, text.split(";"))):
        key, _, value = part.partition(" ")
        if key in DOG_KEYS and key not in values:
            values[key] = value.strip()
        elif key in DOG_KEYS:
            reading.wrong.append(f'Enter "{key}" only once for the Watchdog.')
        else:
            keys = ", ".join(DOG_KEYS)
            reading.wrong.append(
                f"You can't enter {key!r} for the Watchdog, which is a small Beast. You can use these keys: "
                f'{keys}. For a Watchdog without changes, enter only "{PLAIN_DOG}".'
            )
    dog_reading = _Reading(values)
    dog = _fill_draft(start_hero("beast", "Watchdog", size="S"), dog_reading)
    reading.wrong += [f"Watchdog: {line}" for line in dog_reading.wrong]
    return dog


def _parse_earned_points(text: str) -> int:
    if not text.isdecimal() or len(text) > 3:
        raise InvalidInput("Earned Upgrade Points must be a whole number between 0 and 999.")
    return int(text)


def item_named(text: str, items: Sequence[Weapon] | Sequence[Gear]) -> str:
    """Return the key of the weapon or gear of that name, also by an older name. Raises InvalidInput."""
    typed = text.casefold()
    for item in items:
        if typed == item.name.casefold() or typed in (alias.casefold() for alias in item.aliases):
            return item.key
    return find(text, cast(Sequence[Weapon], items), lambda item: item.name, "item").key


# ------------------------------------------------------------------------------------------- judged


def fault_words(fault: Fault) -> str:
    """Return a fault with its rule."""
    return f"{fault.sentence} {format_rulebook_line(fault.rule)}"


def earned_point_faults(draft: ModelDraft) -> tuple[Fault, ...]:
    """Return what a model may not have outside a campaign: earned Upgrade Points. Rules: CB-BUILD-18,
    CB-STAT-11.
    """
    earned = draft.earned + (draft.watchdog.earned if draft.watchdog else 0)
    if not earned:
        return ()
    rule = "CB-BUILD-18" if draft.base.is_hero else "CB-STAT-11"
    return (
        Fault(
            f"Leave out the {times(earned, 'earned Upgrade Point')}. Earned points only count in a campaign.",
            rule,
        ),
    )


def require_built(draft: ModelDraft) -> tuple[str, int]:
    """Return a finished draft as a row's text with its points. Raises InvalidInput with every fault."""
    faults = (*list_draft_faults(draft), *earned_point_faults(draft))
    if faults:
        raise InvalidInput("\n".join(map(fault_words, faults)))
    return row_text(draft), build_profile(draft).points


def faction_named(text: str) -> str:
    """Return an affiliation's key, by its name or its short one. Raises InvalidInput."""
    if text.strip().casefold() in AFFILIATIONS:
        return text.strip().casefold()
    return find(text, AFFILIATIONS, affiliation_words, "affiliation")


def affiliation_words(key: str) -> str:
    """Return an affiliation's name."""
    return load().affiliations[key].name


def add_equipment(profile: str, names: Sequence[str]) -> str:
    """Return the statblock of a model's row with further weapons and gear, by name.

    Raises InvalidInput for unknown names, and Forbidden for what the model may not carry.
    Rules: CB-BUILD-22, CB-GEAR-07, CB-GEAR-08, CB-GEAR-10 to CB-GEAR-12, CB-WEAP-38.
    """
    text = with_equipment(profile, names)
    printed_faults = list_draft_faults(draft_of(profile))
    for fault in list_draft_faults(draft_of(text)):
        if fault not in printed_faults:
            forbid(fault.sentence, fault.rule)
    return text


def points_of(profile: str) -> int:
    """Return the points of a model as it stands written. Rules: CB-BUILD-01, CB-GEAR-46."""
    return build_profile(draft_of(profile)).points


def statblock(profile: Profile) -> list[str]:
    """Return a block in a few lines, as the roster prints it."""
    first_line = f"{profile.rank.capitalize()}, {', '.join(profile.types)}, base {profile.size}"
    ratings = f"Mv {profile.mv}, STR {profile.strength}, AGL {profile.agility}, INT {profile.intellect}"
    if profile.psionic:
        ratings += f", PSI {profile.psionic}"
    lines = [first_line, ratings, f"Def {profile.defense}, Life {profile.life}, Shield {profile.shield}D"]
    if profile.features:
        lines.append(f"Features: {', '.join(map(trait_words, profile.features))}")
    return lines
