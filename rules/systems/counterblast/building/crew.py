"""Crews: composition, alignment and leadership, and what Specialties give their members."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.counters import CounterName, PerWord
from rules.dice import Dice
from rules.effects import Assign, Count, Effect, Propose
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.counterblast.core.checks import PreparedCheck, Throw, roll_one_success
from rules.systems.counterblast.core.counters import ORDERS
from rules.systems.counterblast.core.dice_pools import prepare_check
from rules.systems.counterblast.core.fighter import CrewTraits, Fighter
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import AFFILIATIONS, Gear, Profile, Rating, Skill
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.wording import over_limit, times

COMMAND_INCHES = 12
PRESENCE_INCHES = 6
UPLINK_TARGET = 5
LEADER = CounterName("leader")

"""Counter of a side: the id of its leader, 0 without one."""
UNLED = CounterName("nobody leads")
"""Counter of a side whose player named no new leader after the old one was lost. Rules: CB-CREW-05."""


# ------------------------------------------------------------------------------------------- composition


@dataclass(frozen=True, slots=True)
class Member:
    """A model of a crew before play: its statblock and its points with equipment and upgrades."""

    profile: Profile
    points: int


def add_up_points(members: Iterable[Member]) -> int:
    """Return a crew's size: the requisition points of all members. Rules: CB-CREW-17."""
    return sum(member.points for member in members)


def name_size(points: int) -> str:
    """Return the name for a game of so many points a crew: small, average or large. Rules: CB-CREW-02."""
    if points < 400:
        return "small"
    return "average" if points < 800 else "large"


def require_size(members: Iterable[Member], limit: int) -> None:
    """Refuse, with Forbidden, a crew over the point limit. Rules: CB-CREW-01."""
    fault = over_limit(add_up_points(members), limit)
    if fault:
        raise Forbidden(fault, "CB-CREW-01")


def check_crew(members: tuple[Member, ...], limit: int, affiliation: str = "") -> None:
    """Refuse, with Forbidden, a crew without a Hero, over the point limit or with Lackeys of others.

    limit: points the players agreed. affiliation: the crew's faction, empty where none was named; Heroes may
    come from elsewhere. Rules: CB-CREW-01, CB-CREW-17.
    """
    if not any(member.profile.is_hero for member in members):
        raise Forbidden("Add a Hero, because a crew needs at least one.", "CB-CREW-01")
    require_size(members, limit)
    for member in members:
        profile = member.profile
        if affiliation and not profile.is_hero and affiliation not in profile.affiliations:
            raise Forbidden(
                f"Remove {profile.name}, because a crew can only have Lackeys of its own faction.",
                "CB-CREW-01",
            )


def list_affiliations_of_types(types: Iterable[str]) -> tuple[str, ...]:
    """Return the affiliations that models of any of these types may belong to. Rules: CB-CREW-08."""
    kinds = set(types)
    return tuple(note.key for note in load().affiliations if kinds & set(note.types))


def list_alignments(members: Iterable[Member]) -> tuple[str, ...]:
    """Return the affiliations whose benefits a crew may claim, one of them.

    Heroes of that affiliation make up more than half of the points of all its Heroes; Lackeys do not count.
    Rules: CB-CREW-07, CB-CREW-08.
    """
    heroes = [member for member in members if member.profile.is_hero]
    total = add_up_points(heroes)
    return tuple(
        affiliation
        for affiliation in AFFILIATIONS
        if 2 * add_up_points(member for member in heroes if affiliation in member.profile.affiliations)
        > total
    )


def require_alignment(members: Iterable[Member], affiliation: str) -> None:
    """Refuse, with Forbidden, benefits that a crew may not claim. Rules: CB-CREW-07."""
    if affiliation not in AFFILIATIONS:
        raise InvalidInput("Choose an affiliation: " + ", ".join(AFFILIATIONS) + ".")
    if affiliation not in list_alignments(members):
        raise Forbidden(
            "Choose another affiliation. More than half of your Heroes' points must come from Heroes of the "
            "affiliation that you choose.",
            "CB-CREW-07",
        )


# ------------------------------------------------------------------------------------------- leader


def get_command_range(leader: Fighter) -> int:
    """Command Range in inches: 12, and 6 more with Commanding Presence.

    Rules: CB-CREW-04, CB-FEAT-17, CB-SPEC-09.
    """
    return COMMAND_INCHES + (PRESENCE_INCHES if leader.has_feature("commanding_presence") else 0)


WHO_MAY_LEAD = "Only a Hero can lead. In a Neiran crew without a Hero, any Neiran can lead."


def may_lead(model: Fighter, crew: Iterable[Fighter]) -> bool:
    """Return whether a model may lead: a Hero; without a Hero in play, any Neiran of a Neiran crew.

    crew: the crew's models in play. Rules: CB-CREW-03, CB-CREW-05, CB-CREW-06, CB-CREW-15.
    """
    if model.profile.is_hero:
        return True
    if model.crew.alignment != "neiran" or "neiran" not in model.profile.types:
        return False
    return not any(other.profile.is_hero for other in crew if other.side == model.side)


def name_leader(model: Fighter, crew: tuple[Fighter, ...]) -> tuple[Effect, ...]:
    """Name the one leader of a crew, before the game or when the leader was lost.

    Raises Forbidden for a model that may not lead. Rules: CB-CREW-03, CB-CREW-05, CB-CREW-15.
    """
    if not may_lead(model, crew):
        forbid(f"{model.name} can't lead. {WHO_MAY_LEAD}", "CB-CREW-03")
    return (Assign("side", model.side, LEADER, model.id),)


def find_leader(side: int, models: Iterable[Fighter]) -> Fighter | None:
    """Return the leader of a side among its models in play; one that is Incapacitated still is the leader.

    Rules: CB-CREW-03, CB-CREW-05.
    """
    return next((model for model in models if model.side == side and model.leader), None)


@dataclass(frozen=True, slots=True)
class Succession:
    """The consequence of losing a leader: the models that may be named instead, or none for no leader."""

    side: int
    candidates: tuple[int, ...]

    @property
    def leaderless(self) -> bool:
        """Return whether no leader is left: no Command Range, INT to lend or tokens. Rules: CB-CREW-06."""
        return not self.candidates


def find_succession(side: int, models: Iterable[Fighter], removed: frozenset[int]) -> Succession | None:
    """Return who may follow a leader that is removed with these models, or None if the leader stays.

    models: all in play before the removal; those removed in the same step cannot be named.
    Rules: CB-CREW-05, CB-CREW-06, CB-CREW-15.
    """
    everyone = tuple(model for model in models if model.side == side)
    lost_leader = find_leader(side, everyone)
    if lost_leader is None or lost_leader.id not in removed:
        return None
    survivors = tuple(model for model in everyone if model.id not in removed)
    return Succession(side, tuple(model.id for model in survivors if may_lead(model, survivors)))


def make_leaderless(side: int) -> tuple[Effect, ...]:
    """Return the effects of naming no new leader: the crew has no leader and no order tokens from then on.

    Rules: CB-CREW-05, CB-CREW-06.
    """
    return (Assign("side", side, UNLED, 1), Assign("side", side, ORDERS, 0))


def lose_leader(succession: Succession) -> tuple[Effect, ...]:
    """Return the effects of losing a leader: another is named, or there are no leader and no order tokens.

    Rules: CB-CREW-05, CB-CREW-06.
    """
    if succession.leaderless:
        return (Assign("side", succession.side, LEADER, 0), Assign("side", succession.side, ORDERS, 0))
    details: tuple[tuple[str, int | str], ...] = (("side", succession.side),)
    reason = "The leader is lost. Choose a new leader."
    return (Assign("side", succession.side, LEADER, 0), Propose("leader", 0, reason, details))


# ------------------------------------------------------------------------------------------- benefits


FREE_RECRUIT_KEYS: dict[str, tuple[str, ...]] = {"edofleini": (), "neiran": ("gladiator", "arnt")}
"""Keys of the models that a crew of an alignment recruits free after a win. Edofleini get Braindrones,
whose statblock is not printed. Rules: CB-CREW-09, CB-CREW-16.
"""
BRAINDRONE = "Braindrone"


def count_new_recruits(leader_intellect: int, kept_recruits: int) -> int:
    """Free models that a win gives an Edofleini or Neiran crew whose leader is still on the table.

    As many as the leader's INT dice, but never so many that those kept exceed them. Edofleini add
    Braindrones, Neiran Gladiators and Arnts in any mix; they are outside the point limit. leader_intellect:
    dice of the present leader, 0 without one. kept_recruits: free models from earlier wins.
    Raises InvalidInput. Rules: CB-CREW-09, CB-CREW-16.
    """
    if leader_intellect < 0 or kept_recruits < 0:
        raise InvalidInput("The leader's INT dice and the number of free recruits you keep can't be below 0.")
    return max(0, leader_intellect - kept_recruits)


def name_free_recruit(alignment: str, profile: Profile) -> str:
    """Return the name of a model that a win brings. Raises Forbidden for any other model.

    For a Braindrone its player supplies the block of a Lackey. Rules: CB-CREW-09, CB-CREW-16.
    """
    if alignment not in FREE_RECRUIT_KEYS:
        raise Forbidden("Only Edofleini and Neiran crews can add free recruits.", "CB-CREW-16")
    if alignment == "edofleini":
        if profile.is_hero or profile.is_vehicle:
            raise Forbidden(f"{profile.name} isn't a Lackey, so it can't become a Braindrone.", "CB-CREW-09")
        return BRAINDRONE
    if profile.key not in FREE_RECRUIT_KEYS[alignment]:
        raise Forbidden(f"{profile.name} isn't a free recruit. Only Gladiators and Arnts are.", "CB-CREW-16")
    return profile.name


def is_immune_to_emp(model: Fighter) -> bool:
    """Return whether EMP Bursts leave the model alone: Mekkus of a Mekkus crew. Rules: CB-CREW-11."""
    return _is_mekkus(model)


def has_vehicle_slots(model: Fighter) -> bool:
    """Return whether its equipment slots count as a Vehicle's, although it is none. Rules: CB-CREW-12."""
    return model.profile.is_vehicle or _is_mekkus(model)


def _is_mekkus(model: Fighter) -> bool:
    return model.crew.alignment == "mekkus" and "mekkus" in model.profile.affiliations


# ------------------------------------------------------------------------------------------- uplink


def needs_uplink(side: int, heroes: Iterable[Profile], models: Iterable[Fighter]) -> bool:
    """Return whether a side's models must check before they act.

    So it is where none of the Heroes it came with is Living or a Cyberform, and no model with an Uplink Node
    is in play and able. heroes: with which the crew started. models: in play. Rules: CB-CREW-13, CB-FEAT-60.
    """
    if any(hero.is_living for hero in heroes):
        return False
    return not any(
        model.side == side and model.has_feature("uplink_node") and not model.is_incapacitated
        for model in models
    )


def prepare_uplink(
    model: Fighter, *, order_token: bool = False, settings: Settings = DEFAULTS
) -> PreparedCheck:
    """Prepare the check of a model without uplink when it is activated: INT, target 5.

    Raises Forbidden for a model that can make no checks. Rules: CB-CREW-13.
    """
    return prepare_check(
        model,
        "INT",
        UPLINK_TARGET,
        order_token=order_token,
        settings=settings,
        target_reason="no uplink",
        target_rule="CB-CREW-13",
    )


def roll_uplink(dice: Dice, throws: tuple[Throw, ...]) -> bool:
    """Roll for a model without uplink: true lets it make one basic Move and shoot the closest visible model,
    false leaves it idle this turn. Rules: CB-CREW-13, CB-FEAT-60.
    """
    return roll_one_success(dice, throws, "uplink")


def require_uplink_action(action: str, *, moves_made: int = 0, targets_closest: bool = True) -> None:
    """Refuse, with Forbidden, what a model without uplink may not do: more than one basic Move, shooting at
    any but the closest visible model, all else.

    action: "move" or "shoot" are possible. Rules: CB-CREW-13, CB-FEAT-60.
    """
    if action == "move" and moves_made == 0:
        return
    if action == "shoot" and targets_closest:
        return
    forbid(
        "Without an uplink, a model can only make one basic Move and shoot at the closest visible model.",
        "CB-CREW-13",
    )


POINTS_FOR_FIRST_SPECIALTY = 200
POINTS_PER_SPECIALTY = 100

SPECIALTY_NAMES: dict[str, str] = {
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

REROLL_SPECIALTIES: dict[str, tuple[str, str]] = {
    "medicine": ("emergency_medical_team", "CB-SPEC-02"),
    "engineering": ("engineering_team", "CB-SPEC-13"),
    "technology": ("science_team", "CB-SPEC-21"),
}
"""Which Specialty lets a Hero roll a failed check of a skill again, once per encounter."""

_PURPOSE_MODIFIERS: dict[tuple[str, str], tuple[str, Modifier]] = {
    ("technology", "salvage"): ("recovery_agents", Modifier(1, "Recovery Agents", "CB-SPEC-19")),
    ("engineering", "build"): ("salvage_team", Modifier(1, "Salvage Team", "CB-SPEC-20")),
}


def count_allowed_specialties(points: int, *, gcw_aligned: bool = False) -> int:
    """Return how many Specialties a crew may take: 1, and 1 for each full 100 points above 200 and for GCW.

    points: the crew's own size. Raises InvalidInput below 0. Rules: CB-SPEC-01, CB-CREW-10.
    """
    if points < 0:
        raise InvalidInput("A crew's points can't be below 0.")
    return 1 + max(0, points - POINTS_FOR_FIRST_SPECIALTY) // POINTS_PER_SPECIALTY + int(gcw_aligned)


def check_specialties(crew: CrewTraits, points: int) -> None:
    """Refuse unknown Specialties (InvalidInput), too many or an open choice (Forbidden).

    Rules: CB-SPEC-01, CB-SPEC-12, CB-CREW-10.
    """
    unknown_specialties = crew.specialties - SPECIALTY_NAMES.keys()
    if unknown_specialties:
        raise InvalidInput(f"There is no Specialty called {min(unknown_specialties)}.")
    max_specialties = count_allowed_specialties(points, gcw_aligned=crew.alignment == "gcw")
    if len(crew.specialties) > max_specialties:
        raise Forbidden(
            (
                f"A crew of {points} points can have at most "
                f"{times(max_specialties, 'Specialty', 'Specialties')} (you chose {len(crew.specialties)})."
            ),
            "CB-SPEC-01",
        )
    if crew.has("marauders") and crew.marauder not in ("strength", "agility"):
        raise Forbidden("Choose strength or agility for the Marauders' +1.", "CB-SPEC-12")


# ------------------------------------------------------------------------------------------- checks


LOCKPICK = Modifier(2, "Electronic Lockpick", "CB-GEAR-32")


def list_purpose_modifiers(model: Fighter, skill: Skill, purpose: str) -> tuple[Modifier, ...]:
    """Return what is added to a skill check made for a certain purpose.

    purpose: "objective" (the Scanner's +1 on Technology), "salvage" (Recovery Agents), "build" from Salvage
    (Salvage Team) or "lock" that is not purely mechanical (the Electronic Lockpick's +2 on Technology).
    Rules: CB-SPEC-19, CB-SPEC-20, CB-GEAR-32, CB-GEAR-38.
    """
    specialty, modifier = _PURPOSE_MODIFIERS.get((skill, purpose), ("", Modifier(0, "")))
    modifiers = [modifier] if specialty and model.crew.has(specialty) else []
    if skill == "technology" and purpose == "objective" and model.has_gear("scanner"):
        modifiers.append(Modifier(1, "Scanner", "CB-GEAR-38"))
    if skill == "technology" and purpose == "lock" and model.has_gear("electronic_lockpick"):
        modifiers.append(LOCKPICK)
    return tuple(modifiers)


REROLL_COUNTERS = PerWord("re-roll:")
"""Counters of a model: its re-rolls of a skill, by skill."""


def may_reroll(model: Fighter, skill: Skill) -> bool:
    """Return whether this Hero may roll a failed check of the skill again: once per encounter.

    Rules: CB-SPEC-02, CB-SPEC-13, CB-SPEC-21.
    """
    specialty, _ = REROLL_SPECIALTIES.get(skill, ("", ""))
    if not specialty or not model.crew.has(specialty) or not model.profile.is_hero:
        return False
    return model.count(REROLL_COUNTERS.of(skill)) == 0


def use_reroll(model: Fighter, skill: Skill) -> tuple[Effect, ...]:
    """Mark the re-roll as used for this encounter. Rules: CB-SPEC-02, CB-SPEC-13, CB-SPEC-21."""
    return (Count("model", model.id, REROLL_COUNTERS.of(skill), 1),)


def find_outnumbering_sides(melee: Iterable[Fighter]) -> frozenset[int]:
    """Return the sides that have more models in a melee than all their opponents in it together.

    melee: all models of the cluster of engaged models; those out of action do not count. Pirates have a
    bonus while they do. Rules: CB-SPEC-16.
    """
    able_sides = [model.side for model in melee if not model.is_incapacitated]
    return frozenset(
        side for side in able_sides if able_sides.count(side) > len(able_sides) - able_sides.count(side)
    )


def count_psionic_powers(crew: CrewTraits, rating: Rating) -> int:
    """Return how many powers a psionic picks: its dice, +1 in a Psionic Experiment. Rules: CB-SPEC-18."""
    return rating.value + int(crew.has("psionic_experiment"))


# ------------------------------------------------------------------------------------------- crew


def count_extra_tokens(crew: CrewTraits) -> int:
    """Return the crew's tokens beyond one for each model: two for Lancers and for a Scouting Party.

    Rules: CB-SPEC-10, CB-SPEC-22.
    """
    return 2 * (crew.has("lancers") + crew.has("scouting_party"))


# ------------------------------------------------------------------------------------------- campaign


@dataclass(frozen=True, slots=True)
class AfterWin:
    """The benefits that a crew's Specialties give it after a win, for the steps between games.

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


def find_win_benefits(crew: CrewTraits, survivors: Iterable[Fighter], *, leader_survived: bool) -> AfterWin:
    """Return the benefits of a Victory or Mighty Victory from Specialties.

    survivors: the crew's models still on the table; those out of action do not count. leader_survived: the
    leader it started with is among them.
    Rules: CB-SPEC-03, CB-SPEC-11, CB-SPEC-14, CB-SPEC-17, CB-SPEC-20.
    """
    able_models = tuple(model for model in survivors if not model.is_incapacitated)
    has_medic = any(map(_is_medic, able_models))
    has_mechanic = any(model.has_feature("master_mechanic") for model in able_models)
    return AfterWin(
        casualty_all=int(crew.has("emergency_medical_team") and has_medic),
        casualty_robots=int(crew.has("engineering_team") and has_mechanic),
        softer=crew.has("lancers") and leader_survived,
        harsher=crew.has("pirates") and leader_survived,
        searches=int(crew.has("salvage_team") and leader_survived),
    )


def count_allowed_powers(
    profile: Profile, gear: Iterable[Gear], crew: CrewTraits, settings: Settings = DEFAULTS
) -> int:
    """Return how many powers a model chooses, once for the game or campaign; 0 without Psionic.

    As many as its psionic rating has dice, or INT by the setting; one more each for Edofleini and Edokin, a
    Psionic Experiment and a Deepstone; a Deep Savant knows all.
    Rules: CB-PSI-01, CB-BUILD-07, CB-SPEC-18, CB-GEAR-44, CB-VEH-48, CB-FEAT-46.
    """
    if profile.psionic is None:
        return 0
    if "deep" in profile.feature_choices("savant"):
        return len(load().power_keys())
    rating = profile.intellect if settings.psi_powers_from == "int" else profile.psionic
    affiliation_powers = int(bool({"edofleini", "edokin"} & set(profile.types)))
    stone_powers = max((item.value("powers") for item in gear), default=0)
    return count_psionic_powers(crew, rating) + affiliation_powers + stone_powers
