"""Campaigns: pairings, points to spend, the Underdog, mission rewards, and casualty rolls after a game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from rules.counters import AnyCounter, CounterName, PerWord
from rules.dice import Dice
from rules.effects import Assign, Count, Effect, Leave, Propose
from rules.modifiers import Modifier
from rules.pairings import MAX_PLAYERS
from rules.refusals import Forbidden, InvalidInput, Missing
from rules.systems.counterblast.building.crew import AfterWin
from rules.systems.counterblast.core.conditions import Category, find_category
from rules.systems.counterblast.core.fighter import Fighter, Standing
from rules.systems.counterblast.core.general import chart_roll
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Profile, Skill
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.wording import times

POINTS_PER_VICTORY = 10

PairingMethod = Literal["swiss", "round_robin"]


@dataclass(frozen=True, slots=True)
class Campaign:
    """The terms of a campaign that the players agreed on.

    encounters: 3 to 10. players: their ids, 2 to 16. start_points: of each crew. crew_limit: points that may
    be fielded in each encounter. Raises InvalidInput. Rules: CB-CAMP-01, CB-CAMP-02.
    """

    encounters: int
    players: tuple[int, ...]
    start_points: int
    crew_limit: int
    matching: PairingMethod = "swiss"

    def __post_init__(self) -> None:
        if not 3 <= self.encounters <= 10:
            raise InvalidInput("A campaign must have 3 to 10 encounters.")
        if not 2 <= len(self.players) <= MAX_PLAYERS or len(set(self.players)) < len(self.players):
            raise InvalidInput(f"A campaign must have 2 to {MAX_PLAYERS} different players.")
        if self.start_points < 1 or self.crew_limit < 1:
            raise InvalidInput("Crews must have at least 1 point.")


# ------------------------------------------------------------------------------------------- points to spend


def count_reinforcements(victory_points: int) -> int:
    """Return the Requisition points after an encounter: 10 for each Victory Point. Rules: CB-CAMP-05."""
    return POINTS_PER_VICTORY * max(0, victory_points)


def upgrade_points(
    profile: Profile, *, took_part: bool, survived: bool, injured: bool = False, settings: Settings = DEFAULTS
) -> int:
    """Upgrade points that a member earns by an encounter: a Hero 2 (1 by the setting), a Lackey 1.

    survived: it is not Dead; a casualty that lives counts. injured: it loses those of this encounter.
    Spend them with `draft.start_improving`. Rules: CB-CAMP-06, CB-CASU-08, CB-CASU-09.
    """
    if not took_part or not survived or injured:
        return 0
    return settings.hero_up_per_game if profile.is_hero else 1


@dataclass(frozen=True, slots=True)
class FreshStart:
    """A crew that starts over: its points, and the Campaign Points kept. Rules: CB-CAMP-09."""

    points: int
    campaign_points: int


def disband(
    campaign: Campaign, campaign_points: int, *, keep: bool, between_encounters: bool = True
) -> FreshStart:
    """Start over between encounters with the points of the campaign's beginning.

    campaign_points: what it has. keep: keep them. Raises Forbidden during an encounter. Rules: CB-CAMP-09.
    """
    if not between_encounters:
        raise Forbidden("You can only disband a crew between encounters.", "CB-CAMP-09")
    return FreshStart(campaign.start_points, campaign_points if keep else 0)


# ------------------------------------------------------------------------------------------- Underdog


@dataclass(frozen=True, slots=True)
class Underdog:
    """The benefits of an Underdog."""

    battle_points: int = 0
    campaign_points: int = 0


def count_points_below(fielded: int, unspent: int, opponents: Iterable[int]) -> int:
    """Return how many points a player is behind; below 0 where ahead.

    fielded: the own crew's points. unspent: own points not spent, those of the beginning among them, and
    those of fit members left out: they count as if they were fielded. opponents: points of all opposing
    crews; the largest counts. Rules: CB-UNDER-01.
    """
    return max(opponents) - fielded - unspent


def find_underdog_benefits(difference: int, settings: Settings = DEFAULTS) -> Underdog:
    """Return the benefits of being so many points `count_points_below`. Rules: CB-UNDER-01 to CB-UNDER-06."""
    row = load().charts["underdog"].row(max(0, difference))
    if not row.value("battle_points"):
        return Underdog()
    return Underdog(settings.underdog_battle_points, row.value("campaign_points"))


UPGRADE_POINTS = CounterName("upgrade points")
"""Account of a member: earned and not yet spent."""
INJURY = PerWord("injury: ")
"""Counters of a model: lasting injuries, by skill."""
ENCOUNTERS_OUT = CounterName("encounters out")
"""Counter of a model: encounters that it still misses."""
NO_UPGRADES = CounterName("no upgrades")
"""Counter of a model: 1 while it may not spend upgrade points in this campaign step."""

MAJOR_SKILLS: tuple[Skill, ...] = ("marksmanship", "melee")
MINOR_SKILLS: tuple[Skill, ...] = ("engineering", "medicine", "technology")


class Fate(StrEnum):
    """What happened to a casualty."""

    DEAD = "Dead"
    MAJOR_INJURY = "Major Injury"
    OUT_2 = "Out of Action for 2 encounters"
    MINOR_INJURY = "Minor Injury"
    OUT_1 = "Out of Action for 1 encounter"
    OKAY = "okay"

    @property
    def encounters_out(self) -> int:
        """Return encounters missed. Rules: CB-CASU-10."""
        return {Fate.OUT_2: 2, Fate.OUT_1: 1}.get(self, 0)

    @property
    def is_injury(self) -> bool:
        """Return whether it leaves a lasting injury. Rules: CB-CASU-08, CB-CASU-09."""
        return self in (Fate.MAJOR_INJURY, Fate.MINOR_INJURY)


# ------------------------------------------------------------------------------------------- the roll


def get_casualty_category(
    model: Fighter, removal: str, own: AfterWin | None = None, foe: AfterWin | None = None
) -> Category:
    """Return how a removed model is counted for the casualty roll: fled, wounded, severely wounded.

    own, foe: what a won encounter gives its crew or the opponent; Lancers soften their own, Pirates harshen
    the others'. Rules: CB-CASU-01, CB-CASU-02, CB-SPEC-11, CB-SPEC-17.
    """
    left_category = find_category(model, removal)
    if left_category == "severely wounded" and own is not None and own.softer:
        return "wounded"
    if left_category == "wounded" and foe is not None and foe.harsher:
        return "severely wounded"
    return left_category


def list_casualty_modifiers(
    model: Fighter,
    counted: Category,
    own: AfterWin | None = None,
    *,
    invaded: bool = False,
    timebomb: bool = False,
) -> tuple[Modifier, ...]:
    """Return everything added to a casualty roll.

    invaded: the crew chose that penalty after an Invasion. timebomb: the opponent's relic works on this roll.
    Rules: CB-CASU-03, CB-SPEC-03, CB-SPEC-14, CB-MISS-18, CB-RELIC-10.
    """
    modifiers = []
    chart = load().charts["casualty_modifiers"]
    for key, category_name in (("fled", "fled"), ("severely_wounded", "severely wounded")):
        if counted == category_name:
            modifiers.append(Modifier(chart.named(key).value("modifier"), category_name, "CB-CASU-03"))
    if own is not None and own.casualty_all:
        modifiers.append(Modifier(own.casualty_all, "Emergency Medical Team", "CB-SPEC-03"))
    if own is not None and own.casualty_robots and model.profile.is_robot:
        modifiers.append(Modifier(own.casualty_robots, "Engineering Team", "CB-SPEC-14"))
    if invaded:
        modifiers.append(Modifier(-1, "invaded and defeated", "CB-MISS-18"))
    if timebomb:
        modifiers.append(Modifier(-1, "Timebomb", "CB-RELIC-10"))
    return tuple(modifiers)


def roll_casualty_row(dice: Dice, modifier: int) -> str:
    """Roll on the Casualty Chart: d10 and the modifier. Gives the row. Rules: CB-CASU-02, CB-CASU-04."""
    return load().charts["casualty"].row(chart_roll(dice, modifier, "casualty")).key


def roll_injury(dice: Dice) -> bool:
    """Roll whether it is an injury (true) or Out of Action. Rules: CB-CASU-05."""
    return load().charts["injury_or_out"].row(chart_roll(dice, 0, "injury")).key == "injury"


def get_fate(row: str, injury: bool) -> Fate:
    """Return the fate that a row and the second roll, or the player's choice, give.

    Rules: CB-CASU-04, CB-CASU-05.
    """
    if row == "major_injury":
        return Fate.MAJOR_INJURY if injury else Fate.OUT_2
    if row == "minor_injury":
        return Fate.MINOR_INJURY if injury else Fate.OUT_1
    return Fate.DEAD if row == "dead" else Fate.OKAY


def needs_second_roll(row: str) -> bool:
    """Return whether a row leaves open if it is an injury or Out of Action. Rules: CB-CASU-05."""
    return row in ("major_injury", "minor_injury")


def roll_casualty(dice: Dice, modifier: int) -> Fate:
    """Roll a casualty's fate: the Casualty Chart and, on 2 to 5, the second die.

    With `settings.casualty_choice` "choose" roll `roll_casualty_row` and let the player choose instead.
    Rules: CB-CASU-02, CB-CASU-04, CB-CASU-05.
    """
    row = roll_casualty_row(dice, modifier)
    return get_fate(row, roll_injury(dice) if needs_second_roll(row) else False)


# ------------------------------------------------------------------------------------------- proposals


@dataclass(frozen=True, slots=True)
class FateProposal:
    """The fate that the campaign step suggests for one model.

    skill: of an injury, as its player chose, empty until then. upgrade_points: earned by this encounter.
    Every roll between encounters is made in the open.
    """

    model: int
    fate: Fate
    skill: Skill | None = None
    upgrade_points: int = 0

    @property
    def is_open(self) -> bool:
        """Return whether a choice is missing before it can be confirmed. Rules: CB-CASU-08, CB-CASU-09."""
        return self.fate.is_injury and self.skill is None


def list_injury_skills(fate: Fate, profile: Profile) -> tuple[Skill, ...]:
    """Return the skills that an injury may strike; every model has the ratings for all of them.

    Rules: CB-CASU-08, CB-CASU-09.
    """
    if fate is Fate.MAJOR_INJURY:
        return MAJOR_SKILLS
    return MINOR_SKILLS if fate is Fate.MINOR_INJURY else ()


def confirm_fate(proposal: FateProposal, lost_items: Iterable[str] = ()) -> tuple[Effect, ...]:
    """Return the effects of a confirmed proposal.

    Dead: the model leaves with all it carried when removed. Injury: a lasting -1 on the skill, no upgrade
    points of this encounter and none spent in this step. Out of Action: it misses encounters and spends none
    meanwhile, but keeps its points. lost_items: keys of its equipment. Raises Forbidden while a choice is
    missing. Rules: CB-CASU-06, CB-CASU-08, CB-CASU-09, CB-CASU-10.
    """
    if proposal.is_open:
        raise Forbidden("First choose the skill that the injury reduces.", "CB-CASU-08")
    model, fate = proposal.model, proposal.fate
    if fate is Fate.DEAD:
        items = ", ".join(lost_items)
        loss_effects = (
            (
                Propose(
                    "discard", model, f"These items are lost with the model: {items}.", (("items", items),)
                ),
            )
            if items
            else ()
        )
        return (Leave(model, "dead"), *loss_effects)
    if fate.is_injury:
        assert proposal.skill is not None
        return (Count("model", model, INJURY.of(proposal.skill), 1), Assign("model", model, NO_UPGRADES, 1))
    missed_encounters = fate.encounters_out
    miss_effects = (
        (Assign("model", model, ENCOUNTERS_OUT, missed_encounters), Assign("model", model, NO_UPGRADES, 1))
        if missed_encounters
        else ()
    )
    point_effects = (
        (Count("model", model, UPGRADE_POINTS, proposal.upgrade_points),) if proposal.upgrade_points else ()
    )
    return (*miss_effects, *point_effects)


def list_injury_modifiers(counters: Iterable[tuple[AnyCounter, int]]) -> tuple[Standing, ...]:
    """Return lasting modifiers of injuries among a member's counters, for its `Fighter` in the next game.

    Rules: CB-CASU-08, CB-CASU-09.
    """
    injuries = INJURY.among(counters)
    if not injuries:
        return ()
    return tuple(
        Standing(skill, Modifier(-injuries[skill], "injury", "CB-CASU-08"))
        for skill in (*MAJOR_SKILLS, *MINOR_SKILLS)
        if injuries.get(skill)
    )


def start_campaign_step(model: Fighter) -> tuple[Effect, ...]:
    """Return what changes when the next campaign step starts: one encounter less to miss, and models that
    are not Out of Action may upgrade again. Rules: CB-CASU-08, CB-CASU-09, CB-CASU-10.
    """
    encounters_left = max(0, model.count(ENCOUNTERS_OUT) - 1)
    fewer_effects = (
        (Assign("model", model.id, ENCOUNTERS_OUT, encounters_left),) if model.count(ENCOUNTERS_OUT) else ()
    )
    unblock_effects = (
        (Assign("model", model.id, NO_UPGRADES, 0),)
        if model.count(NO_UPGRADES) and not encounters_left
        else ()
    )
    return (*fewer_effects, *unblock_effects)


def require_fit(model: Fighter) -> None:
    """Refuse, with Forbidden, to field a model that is Out of Action. Rules: CB-CASU-10."""
    if model.count(ENCOUNTERS_OUT):
        more_encounters = times(model.count(ENCOUNTERS_OUT), "more encounter")
        raise Forbidden(f"Leave {model.name} out. It has to miss {more_encounters}.", "CB-CASU-10")


def require_can_spend(model: Fighter) -> None:
    """Refuse, with Forbidden, upgrade points to the injured of this step and those Out of Action.

    Rules: CB-CASU-08, CB-CASU-09, CB-CASU-10.
    """
    if model.count(NO_UPGRADES) or model.count(ENCOUNTERS_OUT):
        raise Forbidden(
            f"{model.name} is injured or Out of Action and can't spend upgrade points now.", "CB-CASU-08"
        )


# ------------------------------------------------------------------------------------------- leader


def list_leader_choices(members: Iterable[Profile]) -> tuple[str, ...]:
    """Return what a crew does without its leader: "choose" another Hero, "buy" one, or "disband".

    members: the crew that is left. Rules: CB-CASU-07.
    """
    return ("choose",) if any(member.is_hero for member in members) else ("buy", "disband")


def trade_successes(successes: int, upgrades: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Return what scouting successes buy for the next encounter; items may repeat, successes still score.

    upgrades: keys of the chart "scouting_trade". Gives everything bought, added up by name. Raises Forbidden
    for more than the successes pay. Rules: CB-MISS-33.
    """
    rows = [load().charts["scouting_trade"].named(key) for key in upgrades]
    price = sum(row.value("successes") for row in rows)
    if price > successes:
        raise Forbidden(
            f"You need {times(price, 'success', 'successes')}, but you have only {successes}.", "CB-MISS-33"
        )
    bought_amounts: dict[str, int] = {}
    for row in rows:
        for name, amount in row.values:
            if name != "successes":
                bought_amounts[name] = bought_amounts.get(name, 0) + amount
    return tuple(bought_amounts.items())


@dataclass(frozen=True, slots=True)
class FollowUp:
    """The reward that a mission brings in the next encounter.

    after: the mission played. role: "own" or "target" (the crew it was played against). next: missions one of
    which has to be chosen then. when: at its beginning, as it is completed whatever the result, or only on
    success. campaign_points, relic_rolls: what is earned. needs: what the first mission must have brought.
    frees: the abducted model comes back on success.
    """

    after: str
    role: Literal["own", "target"]
    next: tuple[str, ...]
    when: Literal["begin", "completed", "success"]
    campaign_points: int = 0
    relic_rolls: int = 0
    needs: Literal["", "won", "model", "equipment"] = ""
    frees: bool = False
    rule: str = ""


RESCUE_MISSIONS = ("search_and_rescue", "recovery")
"""The missions for a rescue. Search and Rescue is not printed, so Recovery replaces it. Rules: CB-MISS-11."""

FOLLOW_UPS: tuple[FollowUp, ...] = (
    FollowUp("abduction", "own", ("escort",), "completed", 1, rule="CB-MISS-11"),
    FollowUp("abduction", "target", RESCUE_MISSIONS, "completed", 1, frees=True, rule="CB-MISS-11"),
    FollowUp("escort", "own", ("colonize", "sabotage"), "success", 1, rule="CB-MISS-14"),
    FollowUp("invasion", "own", ("colonize",), "success", 1, needs="won", rule="CB-MISS-17"),
    FollowUp("invasion", "target", ("sabotage",), "success", 1, rule="CB-MISS-17"),
    FollowUp("recovery", "own", ("escort", "colonize"), "begin", 1, needs="model", rule="CB-MISS-25"),
    FollowUp(
        "recovery",
        "own",
        ("invasion", "sabotage"),
        "begin",
        relic_rolls=1,
        needs="equipment",
        rule="CB-MISS-25",
    ),
)
"""Bonuses for the next encounter. Rules: CB-MISS-06, CB-MISS-11, CB-MISS-14, CB-MISS-17, CB-MISS-25."""


def find_follow_ups(
    before: str, role: Literal["own", "target"], now: str, *, success: bool, brought: Iterable[str] = ()
) -> tuple[FollowUp, ...]:
    """Return the bonuses that the encounter just completed earns from the one before.

    before: the mission of the encounter before, by the crew itself (`role` "own") or against it. now: the
    mission chosen this time. success: whether that one scored. brought: what the earlier mission brought:
    "won", "model", "equipment". Rules: CB-MISS-06, CB-MISS-11, CB-MISS-14, CB-MISS-17, CB-MISS-25.
    """
    gains = set(brought)
    return tuple(
        follow
        for follow in FOLLOW_UPS
        if follow.after == before
        and follow.role == role
        and now in follow.next
        and (success or follow.when != "success")
        and (not follow.needs or follow.needs in gains)
    )


def is_captive_freed(follows: Iterable[FollowUp], *, success: bool) -> bool:
    """Return whether a model abducted in the encounter before returns to its crew: rescued by a success.

    Rules: CB-MISS-11.
    """
    return success and any(follow.frees for follow in follows)


def get_base_price() -> int:
    """Return the Campaign Points that destroying a base costs. Rules: CB-MISS-17."""
    return -load().charts["mission_bonuses"].named("invasion_base").value("campaign_points")


def destroy_base(campaign_points: int) -> int:
    """Return the Campaign Points left after a winning invader destroyed a base of that opponent, for 2.

    Raises Forbidden with fewer. Rules: CB-MISS-17.
    """
    price = get_base_price()
    if campaign_points < price:
        raise Forbidden(f"You need {price} Campaign Points to destroy a base.", "CB-MISS-17")
    return campaign_points - price


def get_invasion_penalty(key: str) -> tuple[tuple[str, int], ...]:
    """Return the penalties of a defeated invaded crew: casualty rolls, Initiative, dearer models or gear.

    key: of the chart "invasion_penalties". Raises InvalidInput. Rules: CB-MISS-18.
    """
    try:
        return load().charts["invasion_penalties"].named(key).values
    except LookupError:
        raise Missing("Choose a penalty: casualty, initiative, reinforcements or equipment.") from None
