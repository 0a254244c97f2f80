"""Crews of Counterblast: affiliation, alignment, Specialties; judged as a whole; written down and read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from bot.games.counterblast.building import own_blocks
from bot.games.counterblast.building.draft_texts import (
    affiliation_words,
    draft_from,
    draft_of,
    draft_words,
    faction_named,
    fault_words,
    kept_faults,
    require_built,
    row_text,
)
from bot.games.counterblast.building.drafts import unknown_in
from bot.games.counterblast.core.fighters import read_block
from bot.store.rows import CrewRow, MemberRow
from bot.table.encounter import profile_text
from bot.table.names import find
from bot.table.rosters.muster import MUSTERS
from bot.table.rosters.standing import HOME
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.building.builder import draft_faults
from rules.systems.counterblast.building.crew import (
    NAMES,
    Member,
    check_crew,
    check_specialties,
    require_alignment,
)
from rules.systems.counterblast.building.custom_profile import is_own
from rules.systems.counterblast.building.draft import ModelDraft, members
from rules.systems.counterblast.core.fighter import CrewTraits
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import AFFILIATIONS

TRAITS = (
    ("affiliation", "whose equipment and Lackeys"),
    ("alignment", "whose benefits"),
    ("specialties", "one, more with points"),
    ("marauder", "strength or agility, for Marauders"),
)
NO_LIMIT = 100_000


def traits_kept(crew: CrewRow) -> CrewTraits:
    """What the crew gives to its members."""
    kept = crew.traits
    named = frozenset(filter(None, kept.get("specialties", "").split(",")))
    return CrewTraits(named, kept.get("alignment", ""), kept.get("marauder", ""))


def faction_of(crew: CrewRow) -> str:
    """The affiliation whose equipment and Lackeys the crew has; empty where none was named."""
    return crew.traits.get("affiliation", "")


class CrewRules:
    """What Counterblast knows of its crews: see `bot.table.rosters.muster.Musters`."""

    def traits(self) -> Sequence[tuple[str, str]]:
        """Affiliation, alignment, Specialties, the Marauders' choice."""
        return TRAITS

    def values(self, key: str) -> Sequence[str]:
        """What each may be."""
        if key == "specialties":
            return tuple(NAMES.values())
        if key == "marauder":
            return ("strength", "agility")
        return tuple(map(affiliation_words, AFFILIATIONS))

    def trait(self, key: str, text: str) -> Mapping[str, str]:
        """A trait as typed. Rules: CB-CREW-07, CB-SPEC-01, CB-SPEC-12."""
        if not text.strip() or text.casefold() == "none":
            return {key: ""}
        if key == "specialties":
            parts = [part.strip() for part in text.split(",") if part.strip()]
            keys = [find(part, tuple(NAMES), lambda one: NAMES[one], "Specialty") for part in parts]
            return {key: ",".join(dict.fromkeys(keys))}
        if key == "marauder":
            return {key: find(text, ("strength", "agility"), str, "ability")}
        return {key: faction_named(text)}

    def told(self, traits: Mapping[str, str]) -> Mapping[str, str]:
        """The traits in words."""
        named = [NAMES[key] for key in traits.get("specialties", "").split(",") if key in NAMES]
        told = {key: traits.get(key, "") for key, _ in TRAITS} | {"specialties": ", ".join(named)}
        return told | {key: affiliation_words(told[key]) for key in ("affiliation", "alignment") if told[key]}

    def words(self, profile: str) -> dict[str, str]:
        """A member in words; what a printed block has is not said again."""
        draft = draft_of(profile)
        if is_own(draft.base.key):
            return own_blocks.member_words(draft)
        said = draft_words(draft)
        printed = () if draft.template else ("weapons", "gear", "powers")
        same = {key for key in printed if getattr(draft, key) == getattr(draft.base, key)}
        return {key: value for key, value in said.items() if key not in same}

    def profile_values(self, profile: str) -> dict[str, Any]:
        """The row's own values."""
        values: dict[str, Any] = json.loads(profile)
        return values

    def from_words(self, name: str, words: Mapping[str, str], crew: CrewRow) -> tuple[str, int]:
        """A member's statblock and points. Raises InvalidInput, for all unknown names at once."""
        if own_blocks.says_own(words):
            text = own_blocks.member_row(name, words)
        else:
            text = row_text(draft_from(name, words))
        return _judged(draft_of(text, traits_kept(crew), faction_of(crew)))

    def from_values(self, name: str, values: Mapping[str, Any], crew: CrewRow) -> tuple[str, int]:
        """A member's statblock and points. Raises InvalidInput, for all unknown names at once."""
        known, starts = {"weapons", "gear", "powers"}, {"block", "built", "own"}
        if not (known | starts).issuperset(values) or len(starts & set(values)) != 1:
            raise InvalidInput('its profile has "block", "built" or "own", and weapons, gear, powers.')
        unknown = unknown_in(values)
        if unknown:
            raise InvalidInput("\n".join(unknown))
        text = profile_text(dict(values))
        return _judged(draft_of(text, traits_kept(crew), faction_of(crew)))


def faults(crew: CrewRow, rows: Sequence[MemberRow], limit: int) -> Sequence[str]:
    """Return everything wrong: each member's build, Heroes, points, faction, alignment, Specialties, leader.

    What a campaign gave to its members was judged by the campaign's own rules.
    Rules: CB-CREW-01, CB-CREW-03, CB-CREW-07, CB-CREW-17, CB-SPEC-01, CB-SPEC-12, CB-BUILD-01.
    """
    traits, faction = traits_kept(crew), faction_of(crew)
    drafts: list[ModelDraft] = []
    found: list[str] = []
    for row in rows:
        try:
            drafts.append(draft_of(row.profile, traits, faction))
        except InvalidInput as refusal:
            found.append(f"{row.name}: {refusal.sentence}")
            continue
        wrong = () if HOME in crew.traits else (*draft_faults(drafts[-1]), *kept_faults(drafts[-1]))
        found += [f"{row.name}: {fault_words(fault)}" for fault in wrong]
    everyone = members(drafts)
    points = sum(member.points for member in everyone)
    found += _refused(lambda: check_crew(everyone, limit or NO_LIMIT))
    for row, draft in zip(rows, drafts, strict=False):
        outsider = not draft.base.is_hero and faction and faction not in draft.base.affiliations
        found += (
            [f"{row.name}: is no Lackey of {load().affiliations[faction].name}. CB-CREW-01"]
            if outsider
            else []
        )
    found += _refused(lambda: check_specialties(traits, points))
    if traits.alignment:
        found += _refused(lambda: require_alignment(everyone, traits.alignment))
    return [*found, *_leader_faults(rows, traits, everyone)]


def _judged(draft: ModelDraft) -> tuple[str, int]:
    text, points = require_built(draft)
    read_block(text)
    return text, points


def _refused(check: Any) -> list[str]:
    try:
        check()
    except Forbidden as refusal:
        return [f"{refusal.sentence} {refusal.rule}"]
    except InvalidInput as wrong:
        return [wrong.sentence]
    return []


def _leader_faults(rows: Sequence[MemberRow], traits: CrewTraits, everyone: Sequence[Member]) -> list[str]:
    leaders = [row for row in rows if row.leader]
    if not leaders:
        return ["Nobody leads it: /crew leader. CB-CREW-03"] if rows else ["Nobody is in it."]
    profile = read_block(leaders[0].profile).profile
    if profile.is_hero:
        return []
    heroes = any(member.profile.is_hero for member in everyone)
    if not heroes and traits.alignment == "neiran" and "neiran" in profile.types:
        return []
    return [f"{leaders[0].name} is no Hero and may not lead. CB-CREW-03"]


MUSTERS["counterblast"] = CrewRules()
