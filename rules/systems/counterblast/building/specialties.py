"""Specialties: how many a crew may take, and what each gives where no other module asks for it already.

Owns the numbers beside the dice: counts, tokens, ranges, re-rolls, purposes of checks, the campaign's
bonuses. What a Specialty adds to every check of a kind is prepared by `ability`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.counters import PerWord
from rules.effects import Count, Effect
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.fighter import CrewTraits, Fighter
from rules.systems.counterblast.core.profile import Rating, Skill

FREE_POINTS = 200
STEP_POINTS = 100

NAMES: dict[str, str] = {
    "emergency_medical_team": "Emergency Medical Team",
    "engineering_team": "Engineering Team",
    "galactic_defenders": "Galactic Defenders",
    "hunting_party": "Hunting Party",
    "intrepid_explorers": "Intrepid Explorers",
    "lancers": "Lancers",
    "marauders": "Marauders",
    "pirates": "Pirates",
    "psionic_experiment": "Psionic Experiment",
    "recovery_agents": "Recovery Agents",
    "salvage_team": "Salvage Team",
    "science_team": "Science Team",
    "scouting_party": "Scouting Party",
    "survey_team": "Survey Team",
}
"""Every Specialty by key."""

REROLLS: dict[str, tuple[str, str]] = {
    "medicine": ("emergency_medical_team", "CB-SPEC-02"),
    "engineering": ("engineering_team", "CB-SPEC-13"),
    "technology": ("science_team", "CB-SPEC-21"),
}
"""Which Specialty lets a Hero roll a failed check of a skill again, once per encounter."""

_PURPOSES: dict[tuple[str, str], tuple[str, Modifier]] = {
    ("technology", "salvage"): ("recovery_agents", Modifier(1, "Recovery Agents", "CB-SPEC-19")),
    ("engineering", "build"): ("salvage_team", Modifier(1, "Salvage Team", "CB-SPEC-20")),
}


def specialties_allowed(points: int, *, gcw_aligned: bool = False) -> int:
    """How many Specialties a crew may take: 1, one more for each full 100 points above 200, one for the GCW.

    points: the crew's own size. Raises InvalidInput below 0. Rules: CB-SPEC-01, CB-CREW-10.
    """
    if points < 0:
        raise InvalidInput("A crew's points are 0 or more.")
    return 1 + max(0, points - FREE_POINTS) // STEP_POINTS + int(gcw_aligned)


def check_specialties(crew: CrewTraits, points: int) -> None:
    """Refuse unknown Specialties (InvalidInput), too many or an open choice (Forbidden).

    Rules: CB-SPEC-01, CB-SPEC-12, CB-CREW-10.
    """
    unknown = crew.specialties - NAMES.keys()
    if unknown:
        raise InvalidInput(f"There is no Specialty called {min(unknown)}.")
    allowed = specialties_allowed(points, gcw_aligned=crew.alignment == "gcw")
    if len(crew.specialties) > allowed:
        raise Forbidden(
            f"A crew of {points} points takes {allowed} at most, not {len(crew.specialties)} Specialties.",
            "CB-SPEC-01",
        )
    if crew.has("marauders") and crew.marauder not in ("strength", "agility"):
        raise Forbidden("Marauders choose strength or agility for their +1.", "CB-SPEC-12")


# ------------------------------------------------------------------------------------------- checks


LOCKPICK = Modifier(2, "Electronic Lockpick", "CB-GEAR-32")


def purpose_modifiers(model: Fighter, skill: Skill, purpose: str) -> tuple[Modifier, ...]:
    """What is added to a skill check made for a certain purpose.

    purpose: "objective" (the Scanner's +1 on Technology), "salvage" (Recovery Agents), "build" from Salvage
    (Salvage Team) or "lock" that is not purely mechanical (the Electronic Lockpick's +2 on Technology).
    Rules: CB-SPEC-19, CB-SPEC-20, CB-GEAR-32, CB-GEAR-38.
    """
    specialty, modifier = _PURPOSES.get((skill, purpose), ("", Modifier(0, "")))
    found = [modifier] if specialty and model.crew.has(specialty) else []
    if skill == "technology" and purpose == "objective" and model.has_gear("scanner"):
        found.append(Modifier(1, "Scanner", "CB-GEAR-38"))
    if skill == "technology" and purpose == "lock" and model.has_gear("electronic_lockpick"):
        found.append(LOCKPICK)
    return tuple(found)


REROLLED = PerWord("re-roll:")
"""Counters of a model: its re-rolls of a skill, by skill."""


def may_reroll(model: Fighter, skill: Skill) -> bool:
    """Whether this Hero may roll a failed check of the skill again: once per encounter.

    Rules: CB-SPEC-02, CB-SPEC-13, CB-SPEC-21.
    """
    specialty, _ = REROLLS.get(skill, ("", ""))
    if not specialty or not model.crew.has(specialty) or not model.profile.is_hero:
        return False
    return model.count(REROLLED.of(skill)) == 0


def after_reroll(model: Fighter, skill: Skill) -> tuple[Effect, ...]:
    """Marks the re-roll as used for this encounter. Rules: CB-SPEC-02, CB-SPEC-13, CB-SPEC-21."""
    return (Count("model", model.id, REROLLED.of(skill), 1),)


def outnumbering_sides(melee: Iterable[Fighter]) -> frozenset[int]:
    """The sides that have more models in a melee than all their opponents in it together.

    melee: all models of the cluster of engaged models; those out of action do not count. Pirates have a
    bonus while they do. Rules: CB-SPEC-16.
    """
    able = [model.side for model in melee if not model.is_incapacitated]
    return frozenset(side for side in able if able.count(side) > len(able) - able.count(side))


def psionic_powers(crew: CrewTraits, rating: Rating) -> int:
    """How many powers a psionic picks: its dice, one more in a Psionic Experiment. Rules: CB-SPEC-18."""
    return rating.value + int(crew.has("psionic_experiment"))


# ------------------------------------------------------------------------------------------- crew


def extra_tokens(crew: CrewTraits) -> int:
    """Initiative tokens the crew has in the bag beyond one per model: two each for Lancers, Scouting Party.

    Rules: CB-SPEC-10, CB-SPEC-22.
    """
    return 2 * (crew.has("lancers") + crew.has("scouting_party"))


def panic_reduction(crew: CrewTraits) -> tuple[Modifier, ...]:
    """What lowers the crew's Panic Level at the start of Upkeep; the level never falls below 0.

    Rules: CB-SPEC-05.
    """
    if crew.has("galactic_defenders"):
        return (Modifier(-1, "Galactic Defenders", "CB-SPEC-05"),)
    return ()


# ------------------------------------------------------------------------------------------- campaign


@dataclass(frozen=True, slots=True)
class AfterWin:
    """What a won encounter gives a crew by its Specialties, for the steps between games.

    casualty_all, casualty_robots: added to Casualty Chart rolls of all models or of Robots. softer: its
    Severely Wounded are treated as Wounded. harsher: the opponents' Wounded as Severely Wounded. searches:
    further Salvage searches with the leader's INT.
    """

    casualty_all: int = 0
    casualty_robots: int = 0
    softer: bool = False
    harsher: bool = False
    searches: int = 0


def _is_medic(model: Fighter) -> bool:
    if model.profile.key == "gdf_medical_officer" or "heal" in model.profile.powers:
        return True
    return model.has_feature("doc") or model.has_feature("surgeon")


def after_win(crew: CrewTraits, survivors: Iterable[Fighter], *, leader_survived: bool) -> AfterWin:
    """What a Victory or Mighty Victory gives by Specialties.

    survivors: the crew's models still on the table; those out of action do not count. leader_survived: the
    leader it started with is among them.
    Rules: CB-SPEC-03, CB-SPEC-11, CB-SPEC-14, CB-SPEC-17, CB-SPEC-20.
    """
    able = tuple(model for model in survivors if not model.is_incapacitated)
    medic = any(map(_is_medic, able))
    fixer = any(model.has_feature("master_mechanic") for model in able)
    return AfterWin(
        casualty_all=int(crew.has("emergency_medical_team") and medic),
        casualty_robots=int(crew.has("engineering_team") and fixer),
        softer=crew.has("lancers") and leader_survived,
        harsher=crew.has("pirates") and leader_survived,
        searches=int(crew.has("salvage_team") and leader_survived),
    )
