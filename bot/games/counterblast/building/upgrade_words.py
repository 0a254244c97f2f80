"""What a model is raised in and which Features it has, in words, and such words read again.

Owns the spelling: Mv 2, AGL dice or agility dice, Knack marksmanship, Psionic 2.
"""

from __future__ import annotations

import re

from bot.table.names import find
from rules.refusals import InvalidInput
from rules.systems.counterblast.building.draft import RAISES, Raise
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Trait

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

_COUNTED = re.compile(r"(.*?)\s+\+?(\d{1,2})")


def trait_words(trait: Trait) -> str:
    """Knack marksmanship, Psionic 2, Brave."""
    name = load().features[trait.key].name
    return " ".join(filter(None, (name, trait.choice, str(trait.level) if trait.level > 1 else "")))


def steps_words(what: Raise, count: int) -> str:
    """Mv, AGL dice 2."""
    return f"{RAISE_WORDS[what]} {count}" if count > 1 else RAISE_WORDS[what]


def _spellings() -> list[tuple[str, Raise]]:
    """Each thing that can be raised by its words, and by the longer ones where they differ."""
    short: list[tuple[str, Raise]] = [(RAISE_WORDS[what], what) for what in RAISES]
    return short + [(what.replace("_", " "), what) for what in RAISES if "_" in what]


def steps_named(text: str) -> Steps:
    """What is raised by how many steps: Mv 2, agility dice. Raises InvalidInput."""
    match = _COUNTED.fullmatch(text.strip())
    what, count = (match[1], int(match[2])) if match else (text, 1)
    return find(what, _spellings(), lambda one: one[0], "thing to raise")[1], count


def upgrade_exactly(text: str) -> Steps | Trait | None:
    """What these words name without a doubt: steps, or a Feature with its level or choice."""
    wanted = " ".join(text.split())
    match = _COUNTED.fullmatch(wanted)
    name, count = (match[1], int(match[2])) if match else (wanted, 1)
    for known, what in _spellings():
        if known.casefold() == name.casefold():
            return what, count
    return _trait_exactly(wanted)


def _trait_exactly(wanted: str) -> Trait | None:
    match = re.fullmatch(r"(.*?)\s+(\d)", wanted)
    name, level = (match[1], int(match[2])) if match else (wanted, 0)
    features = load().features
    for feature in features:
        if name.casefold() == feature.name.casefold():
            return Trait(feature.key, level or int(len(feature.costs) > 1))
    for feature in features:
        head = f"{feature.name.casefold()} "
        if name.casefold().startswith(head):
            rest = name[len(head) :].casefold()
            choice = next((one for one in feature.choices if one.casefold() == rest), "")
            if choice:
                return Trait(feature.key, level, choice)
    return None


def trait_named(text: str) -> Trait:
    """A Feature with its choice or level: Knack marksmanship, Psionic 2. Raises InvalidInput."""
    wanted = " ".join(text.split())
    exact = _trait_exactly(wanted)
    if exact is not None:
        return exact
    match = re.fullmatch(r"(.*?)\s+(\d)", wanted)
    name, level = (match[1], int(match[2])) if match else (wanted, 0)
    found = find(name, tuple(load().features), lambda one: one.name, "Feature")
    return Trait(found.key, level or int(len(found.costs) > 1))


def says_level(text: str) -> bool:
    """Whether the words of a Feature end with its level."""
    return text.strip()[-1:].isdecimal()


def upgrades() -> dict[str, Steps | Trait]:
    """What upgrade points can buy, by its words: a step, or a Feature with each of its choices.

    Rules: CB-CAMP-07, CB-BUILD-19.
    """
    found: dict[str, Steps | Trait] = {RAISE_WORDS[what]: (what, 1) for what in RAISES}
    for feature in load().features:
        for choice in feature.choices or ("",):
            trait = Trait(feature.key, int(len(feature.costs) > 1), choice)
            found[trait_words(trait)] = trait
    return found


def upgrade_named(text: str) -> Steps | Trait:
    """A step or a Feature that is meant. Raises InvalidInput with the nearest names."""
    exact = upgrade_exactly(text)
    if exact is not None:
        return exact
    if says_level(text):
        raise InvalidInput(f"No upgrade is called so. As in: {', '.join(list(upgrades())[:3])}, Psionic 2.")
    every = upgrades()
    return every[find(text, list(every), str, "upgrade")]
