"""The dice that a model rolls for a check, why, and how they are shared among opponents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rules.modifiers import Modifier, total
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.checks import (
    ORDER_TOKEN,
    SIDES,
    USUAL_FACES,
    FaceMeaning,
    PreparedCheck,
    list_counting_edges,
    prepare,
)
from rules.systems.counterblast.core.conditions import list_check_edges, require_able
from rules.systems.counterblast.core.counters import LOST_TECH_NOW, TRINKET_NOW, Counter
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Rating, Skill
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.wording import times

Ability = Literal["STR", "AGL", "INT", "PSI"]
Nerve = Literal["", "panic", "rally"]

MELEE, MARKSMANSHIP, PSIONICS = "melee", "marksmanship", "psionics"
INTELLECT_SKILLS: tuple[Skill, ...] = ("engineering", "technology", "medicine")

CRITICAL_NINES: dict[str, tuple[tuple[str, str], ...]] = {
    "melee": (("born_killer", "CB-FEAT-10"),),
    "marksmanship": (("deadeye", "CB-FEAT-19"),),
    "psionics": (("brainiac", "CB-FEAT-11"),),
    "engineering": (("prodigy", "CB-FEAT-42"),),
    "technology": (("prodigy", "CB-FEAT-42"),),
    "medicine": (("doc", "CB-FEAT-23"), ("prodigy", "CB-FEAT-42")),
}
"""Features that make a natural 9 a critical success, by skill."""

SKILLED: dict[str, Modifier] = {
    "surgical_strike": Modifier(1, "Surgical Strike", "CB-FEAT-54"),
    "sure_shot": Modifier(1, "Sure Shot", "CB-FEAT-57"),
    "focused": Modifier(1, "Focused", "CB-FEAT-63"),
    "master_mechanic": Modifier(1, "Master Mechanic", "CB-FEAT-37"),
    "tech_savvy": Modifier(1, "Tech Savvy", "CB-FEAT-58"),
    "surgeon": Modifier(1, "Surgeon", "CB-FEAT-56"),
}
SKILL_FEATURE: dict[str, str] = {
    "melee": "surgical_strike",
    "marksmanship": "sure_shot",
    "psionics": "focused",
    "engineering": "master_mechanic",
    "technology": "tech_savvy",
    "medicine": "surgeon",
}
"""The Feature that gives advantage on a skill."""

TEAM_SKILL: dict[str, tuple[str, str, str]] = {
    "medicine": ("emergency_medical_team", "Emergency Medical Team", "CB-SPEC-02"),
    "engineering": ("engineering_team", "Engineering Team", "CB-SPEC-13"),
    "technology": ("science_team", "Science Team", "CB-SPEC-21"),
    "psionics": ("psionic_experiment", "Psionic Experiment", "CB-SPEC-18"),
}
"""The Specialty that adds 1 to a skill."""

QUICK = Modifier(1, "Quick", "CB-FEAT-44")
DISCIPLINED = Modifier(1, "Disciplined", "CB-FEAT-21")
BRAVE = Modifier(1, "Brave", "CB-FEAT-12")


def rating_of(fighter: Fighter, ability: Ability) -> Rating:
    """Return the rating that a check rolls. Raises Forbidden without one. Rules: CB-STAT-03, CB-CHECK-08."""
    profile = fighter.profile
    if ability == "PSI":
        if profile.psionic is None:
            raise Forbidden(f"{fighter.name} has no psionic rating for this check.", "CB-CHECK-08")
        return profile.psionic
    return {"STR": profile.strength, "AGL": profile.agility, "INT": profile.intellect}[ability]


def rating_parts(rating: Rating, name: str) -> tuple[tuple[Modifier, ...], tuple[Modifier, ...]]:
    """Return a rating as its dice and its modifier, with their reasons. Rules: CB-STAT-02."""
    words = f"{name} {rating}"
    modifier = (Modifier(rating.modifier, words, "CB-STAT-02"),) if rating.modifier else ()
    return (Modifier(rating.dice, words, "CB-STAT-02"),), modifier


def faces_of(fighter: Fighter, skill: Skill | None, *, with_equipment: bool) -> FaceMeaning:
    """Return the meaning of natural faces: some Features make 9 critical, dependable gear forgives a 1.

    Rules: CB-FEAT-10, CB-FEAT-11, CB-FEAT-19, CB-FEAT-20, CB-FEAT-23, CB-FEAT-42, CB-SPEC-06.
    """
    nines = next((row for row in CRITICAL_NINES.get(skill or "", ()) if fighter.has_feature(row[0])), None)
    forgiven = dependable(fighter, with_equipment=with_equipment)
    reasons = []
    if nines is not None:
        feature, rule = nines
        reasons.append(
            f"A natural 9 is also a critical success because of {load().features[feature].name}. {rule}"
        )
    if forgiven:
        reasons.append(f"One natural 1 is ignored because of {forgiven}")
    return FaceMeaning(SIDES - 1 if nines else SIDES, bool(forgiven), tuple(reasons))


def knack(fighter: Fighter, skill: Skill | None) -> tuple[Modifier, ...]:
    """Return -1 to the target of the skill that the model has a Knack for. Rules: CB-FEAT-34."""
    if skill is not None and skill in fighter.choices("knack"):
        return (Modifier(-1, "Knack", "CB-FEAT-34"),)
    return ()


def dependable(fighter: Fighter, *, with_equipment: bool) -> str:
    """Return why one natural 1 is disregarded; empty where none is, or its player declines it.

    Rules: CB-SPEC-06, CB-FEAT-20.
    """
    if not with_equipment or fighter.count(Counter.UNDEPENDABLE):
        return ""
    if fighter.has_feature("dependable"):
        return "Dependable. CB-FEAT-20"
    traits = (key for key in ("galactic_defenders", "recovery_agents") if fighter.crew.has(key))
    return next((f"{load().specialties[key].name}. CB-SPEC-06" for key in traits), "")


def crew_modifiers(fighter: Fighter, ability: Ability, skill: Skill | None) -> tuple[Modifier, ...]:
    """Return the bonuses of Specialties to a check. Rules: CB-SPEC-02, CB-SPEC-12, CB-SPEC-13, CB-SPEC-18,
    CB-SPEC-21.
    """
    modifiers = []
    specialty, name, rule = TEAM_SKILL.get(skill or "", ("", "", ""))
    if specialty and fighter.crew.has(specialty):
        modifiers.append(Modifier(1, name, rule))
    marauder_ability = {"strength": "STR", "agility": "AGL"}.get(fighter.crew.marauder, "")
    if fighter.crew.has("marauders") and marauder_ability == ability:
        modifiers.append(Modifier(1, "Marauders", "CB-SPEC-12"))
    return tuple(modifiers)


def second_try(fighter: Fighter, skill: Skill | None, needed: int) -> int:
    """Return the most successes for which an Extraction Tool allows a second try; 0 without the tool.

    Rules: CB-GEAR-33, CB-VEH-51.
    """
    helped = skill in INTELLECT_SKILLS and fighter.has_gear("extraction_tool")
    return needed if helped else 0


def savant(fighter: Fighter, skill: Skill | None) -> tuple[tuple[Modifier, ...], tuple[Modifier, ...]]:
    """Return a Savant's bonuses to a check: one die to the chosen skill, or 1 to all three of Intellect.

    Beyond the limits of upgrades. Rules: CB-FEAT-46.
    """
    choices = fighter.choices("savant")
    dice = (Modifier(1, "Savant", "CB-FEAT-46"),) if skill in choices else ()
    skill_bonus = skill in INTELLECT_SKILLS and "skills" in choices
    return dice, ((Modifier(1, "Savant", "CB-FEAT-46"),) if skill_bonus else ())


def weapon_modifiers(fighter: Fighter, ability: Ability) -> tuple[Modifier, ...]:
    """Return the bonuses of weapons to INT checks: 1 per level of the Neiran Scepter. Rules: CB-WEAP-18."""
    if ability != "INT":
        return ()
    return tuple(
        Modifier(fighter.profile.level, weapon.name, "CB-WEAP-18")
        for weapon in fighter.weapons
        if weapon.has_effect("intellect_per_level") and fighter.profile.is_hero
    )


def feature_edges(
    fighter: Fighter, ability: Ability, skill: Skill | None, nerve: Nerve, settings: Settings
) -> tuple[Modifier, ...]:
    """Return advantages that Features give on a check. Rules: CB-FEAT-12, CB-FEAT-21, CB-FEAT-37, CB-FEAT-44,
    CB-FEAT-56, CB-FEAT-58, CB-FEAT-63, CB-SPEC-09.
    """
    edges = []
    feature = SKILL_FEATURE.get(skill or "", "")
    if feature and fighter.has_feature(feature):
        edges.append(SKILLED[feature])
    quick_here = skill != MARKSMANSHIP or settings.quick_shooting
    if ability == "AGL" and quick_here and fighter.has_feature("quick"):
        edges.append(QUICK)
    undisciplined_check = skill is None or settings.disciplined_skill_checks
    if ability == "INT" and undisciplined_check and fighter.has_feature("disciplined"):
        edges.append(DISCIPLINED)
    if nerve and fighter.has_feature("brave"):
        edges.append(BRAVE)
    return tuple(edges)


def prepare_check(
    fighter: Fighter,
    ability: Ability,
    target: int,
    *,
    skill: Skill | None = None,
    nerve: Nerve = "",
    needs_sight: bool = False,
    with_equipment: bool = False,
    rating: Rating | None = None,
    rating_name: str = "",
    edges: tuple[Modifier, ...] = (),
    modifiers: tuple[Modifier, ...] = (),
    target_reason: str = "target",
    target_rule: str = "",
    needed: int = 1,
    order_token: bool = False,
    settings: Settings = DEFAULTS,
) -> PreparedCheck:
    """Prepare a check that is not an attack.

    target: 1 or more. skill: engineering, technology, medicine or psionics where it is one. nerve: a panic
    test or a Rally. rating: another model's rating that it may use instead of its own. edges, modifiers: what
    the rule or the players add. target_reason, target_rule: what sets the target. needed: successes that are
    of use, 1 or more; an Extraction Tool stops there. Raises Forbidden for a model that can make no check.
    Rules: CB-CHECK-02, CB-CHECK-07, CB-CHECK-08, CB-ORDER-05, CB-STAT-03, CB-COND-02, CB-PANIC-11,
    CB-GEAR-33, CB-RELIC-07, CB-RELIC-08.
    """
    require_able(fighter)
    dice, rating_modifiers = rating_parts(rating or rating_of(fighter, ability), rating_name or ability)
    conditions = list_check_edges(fighter, intellect=ability == "INT", needs_sight=needs_sight)
    if nerve == "rally":
        conditions = tuple(edge for edge in conditions if edge.rule != "CB-PANIC-11")
    ordered = (ORDER_TOKEN,) if order_token else ()
    more_dice, savant_edges = savant(fighter, skill)
    return prepare(
        (*dice, *more_dice),
        (*feature_edges(fighter, ability, skill, nerve, settings), *conditions, *edges),
        (*rating_modifiers, *savant_edges, *_kept_modifiers(fighter, ability, skill), *modifiers, *ordered),
        (Modifier(target, target_reason, target_rule), *knack(fighter, skill)),
        advantage_stacks=settings.advantage_stacks,
        faces=faces_of(fighter, skill, with_equipment=with_equipment),
        second_try=second_try(fighter, skill, needed),
        lucky=fighter.count(TRINKET_NOW) > 0,
        sure=skill == "engineering" and fighter.count(LOST_TECH_NOW) > 0,
    )


def _kept_modifiers(fighter: Fighter, ability: Ability, skill: Skill | None) -> tuple[Modifier, ...]:
    gear = fighter.gear_modifiers(skill) if skill else ()
    crew = (*crew_modifiers(fighter, ability, skill), *weapon_modifiers(fighter, ability))
    return (*gear, *fighter.standing_modifiers(skill), *crew)


def initiative_check(
    fighter: Fighter, target: int, *, order_token: bool = False, settings: Settings = DEFAULTS
) -> PreparedCheck:
    """Prepare an Initiative check: AGL, or INT by the setting. Rules: CB-STAT-06."""
    return prepare_check(
        fighter,
        settings.initiative_check_ability,
        target,
        target_reason="Initiative check",
        target_rule="CB-STAT-06",
        order_token=order_token,
        settings=settings,
    )


@dataclass(frozen=True, slots=True)
class Pool:
    """The dice that a model has to share out: its sources of dice, and advantages that hold in general."""

    dice: tuple[Modifier, ...]
    edges: tuple[Modifier, ...] = ()
    advantage_stacks: bool = True

    @property
    def size(self) -> int:
        """Return the dice after advantages and disadvantages; may be 0 or less. Rules: CB-CHECK-07."""
        return total(self.dice) + total(
            list_counting_edges(self.edges, advantage_stacks=self.advantage_stacks)
        )

    @property
    def available(self) -> int:
        """Return the dice to allot: at least 1, which means the lower of two dice. Rules: CB-CHECK-05."""
        return max(1, self.size)

    def share(self, dice: tuple[int, ...], name: str, *, all_dice: bool = True) -> tuple[int, ...]:
        """Check a division of the dice; a single share of 0 means all of them.

        all_dice: none may be held back. Raises Forbidden when the sum is wrong, InvalidInput for negatives.
        Rules: CB-FIGHT-02, CB-FIGHT-03, CB-SHOOT-06.
        """
        if dice == (0,) and all_dice:
            return (self.available,)
        if any(share < 0 for share in dice):
            raise InvalidInput("You can't give a target fewer than 0 dice.")
        if sum(dice) > self.available or (all_dice and sum(dice) < self.available):
            raise Forbidden(
                (
                    f"{name} has {times(self.available, 'die', 'dice')} to share out (you entered "
                    f"{sum(dice)})."
                ),
                "CB-FIGHT-02",
            )
        return dice


def even_shares(dice: int, opponents: int) -> tuple[int, ...]:
    """Return dice split as evenly as possible, larger shares first. Rules: CB-FIGHT-02, CB-FIGHT-03."""
    if opponents < 1:
        return ()
    share, remainder = divmod(dice, opponents)
    return tuple(share + (1 if place < remainder else 0) for place in range(opponents))


def allotted(
    pool: Pool,
    dice: int,
    *,
    edges: tuple[Modifier, ...] = (),
    lent: tuple[Modifier, ...] = (),
    modifiers: tuple[Modifier, ...] = (),
    targets: tuple[Modifier, ...] = (),
    faces: FaceMeaning = USUAL_FACES,
    lucky: bool = False,
) -> PreparedCheck:
    """Prepare the check of one share of a pool.

    dice: the share, 1 or more. edges: advantages against this opponent only, which change its share alone.
    lent: dice that allies add to this share. lucky: a critical failure is a plain one.
    Rules: CB-FIGHT-04, CB-FIGHT-13, CB-CHECK-07.
    """
    whole_pool = dice == pool.available
    general = list_counting_edges(pool.edges, advantage_stacks=pool.advantage_stacks)
    if whole_pool:
        return prepare(
            (*pool.dice, *lent),
            (*general, *edges),
            modifiers,
            targets,
            advantage_stacks=pool.advantage_stacks,
            faces=faces,
            lucky=lucky,
        )
    signs = set() if pool.advantage_stacks else {edge.amount > 0 for edge in general}
    share_edges = tuple(edge for edge in edges if (edge.amount > 0) not in signs)
    return prepare(
        (Modifier(dice, "dice shared out", "CB-FIGHT-02"), *lent),
        share_edges,
        modifiers,
        targets,
        advantage_stacks=pool.advantage_stacks,
        faces=faces,
        lucky=lucky,
    )
