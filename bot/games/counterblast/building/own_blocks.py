"""Statblocks of a group's own as rows keep them: typed, told, written out, and in a crew's written form."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.games.counterblast.building.draft_texts import draft_of
from bot.games.counterblast.building.drafts import start_of
from bot.table.names import LONGEST_NAME
from rules.json_text import json_values
from rules.refusals import InvalidInput
from rules.systems.counterblast.building.custom_profile import Own, is_own, own_of, own_values
from rules.systems.counterblast.building.draft import ModelDraft, improving, profile_of
from rules.systems.counterblast.building.profile_text import (
    FIGURES,
    OWN_WORDS,
    is_typed,
    own_from_words,
    own_words,
    read_own,
    write_own,
)

STATBLOCK, COST = "statblock", "cost"
"""What a crew's written form says of a member besides: what its statblock is called, and its own points."""


EXAMPLE = """Grak
lackey beast, base M, 20 points
Mv 6, STR 3D+1, AGL 2D, INT 1D
Def 8, Life 2, Shield 1
features: Brave, Knack melee
weapons: Pulsar Rifle, Grenade,
  Claws (natural, melee, reach 1, Pwr 5)
gear: Medkit"""
"""How a statblock is typed."""


def row_of(own: Own) -> str:
    """The statblock as a model's row keeps it."""
    return json.dumps(
        start_of(improving(own.profile, 0, arms=own.arms)), sort_keys=True, separators=(",", ":")
    )


def typed(text: str, name: str) -> tuple[str, str, int] | None:
    """A statblock typed as words or as values: its name, its row, its points; None for what is none.

    name: what it is called instead, or where the text has none. Raises InvalidInput. Rules: CB-STAT-01.
    """
    if text.lstrip().startswith("{"):
        own = _values(text)
    elif is_typed(text):
        own = read_own(text, name)
    else:
        return None
    if name and own.profile.name != name:
        own = own_of(own_values(own) | {"name": name})
    return own.profile.name[:LONGEST_NAME], row_of(own), own.profile.points


def _values(text: str) -> Own:
    try:
        values = json_values(text)
    except (ValueError, RecursionError):
        raise InvalidInput("This is no JSON: check quotes, commas and braces.") from None
    if not isinstance(values, dict):
        raise InvalidInput("A statblock in JSON is an object.")
    return own_of(values)


def flat(draft: ModelDraft) -> Own:
    """A draft of a statblock of a group's own as such a statblock, with all that was bought and added."""
    profile = profile_of(draft)
    arms = tuple(arm for arm in draft.arms if arm.key in profile.weapons)
    return Own(replace(profile, size_options=(profile.size,)), arms)


def own_in(text: str) -> Own:
    """The statblock of a model's row. Raises InvalidInput for one that is printed or built."""
    draft = draft_of(text)
    if not is_own(draft.base.key):
        raise InvalidInput("That statblock is printed.")
    return flat(draft)


def told(text: str) -> str:
    """The statblock of a row as it can be typed again."""
    return write_own(own_in(text))


def values(text: str) -> dict[str, Any]:
    """The statblock of a row as values for programs."""
    return own_values(own_in(text))


def from_values(given: Mapping[str, Any]) -> tuple[str, str, int]:
    """Name, row and points of such values. Raises InvalidInput."""
    own = own_of(given)
    return own.profile.name, row_of(own), own.profile.points


def says_own(words: Mapping[str, str]) -> bool:
    """Whether the words of a crew's member give figures of its own."""
    return bool(FIGURES & set(words)) and "from" not in words


def member_words(draft: ModelDraft) -> dict[str, str]:
    """A member's statblock in words for a crew's written form."""
    own = flat(draft)
    said = own_words(own)
    said[COST] = said.pop("points", "0")
    return {STATBLOCK: own.profile.name, **said}


def member_row(name: str, words: Mapping[str, str]) -> str:
    """The row of a member from such words. Raises InvalidInput with every fault, one in a line."""
    given = {key: value for key, value in words.items() if key not in (STATBLOCK, COST)}
    if "points" in given:
        raise InvalidInput(f"Nobody knows 'points' here: {COST}. There are: {', '.join(member_keys())}.")
    given["points"] = words.get(COST, "0")
    return row_of(own_from_words(words.get(STATBLOCK) or name, given))


def member_keys() -> Sequence[str]:
    """What may be said of such a member."""
    return (STATBLOCK, *(COST if word == "points" else word for word in OWN_WORDS))
