"""What missions score, and when: control after each Upkeep, everything else at the end of the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.common import UNDO, named, own, settings
from bot.games.counterblast.fighters import block_text, fighter, with_equipment
from bot.games.counterblast.mission_state import (
    Mission,
    my_side,
    places,
    required,
    reveal,
    search_of,
)
from bot.games.counterblast.mission_work import SUCCESSES
from bot.games.counterblast.scoring import OBJECTIVE, result_lines
from bot.games.counterblast.setup_play import MISSION, crew_points
from bot.games.counterblast.tokens import holder_of, lay_token
from bot.games.counterblast.words import times
from bot.replies.fit import folded
from bot.replies.reply import Reply, say
from bot.table.act import Act
from bot.table.encounter import GONE, Encounter, set_counter
from bot.table.encounters import add_model
from bot.table.handlers import handles
from rules.effects import Assign, Leave
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.library import load
from rules.systems.counterblast.missions import (
    Abducted,
    after_finding,
    after_subduing,
    is_found,
    is_subdued,
    keeps_invasion,
    score_abduction,
    score_escort,
    score_invasion_turn,
    score_recovery,
    score_sabotage,
    score_scouting,
)
from rules.systems.counterblast.objectives import stored

BROUGHT = "mission brought"
"""Trait of a side: what its mission brought for the campaign, with commas: model, equipment."""
SCORED = "mission scored"
"""Trait of a side: its mission was counted."""
LAST_CONTROL = "control scored"
"""Counter of a side: the turn whose Upkeep its Invasion was last counted for, and 1."""
CAPTIVE = "captive"

Parts = tuple[tuple[Modifier, ...], tuple[Modifier, ...]]


@dataclass(frozen=True, slots=True)
class Control(Action):
    """Count an Invasion at the end of an Upkeep. near: everybody within 6 in of the marker."""

    command = "mission.control"

    near: tuple[str, ...] = ()
    side: str = ""


@dataclass(frozen=True, slots=True)
class Subdue(Action):
    """The target of an Abduction lost its last Life in melee: one of the attackers carries it off."""

    command = "mission.subdue"

    holder: str = ""
    by_melee: bool = True


@dataclass(frozen=True, slots=True)
class FoundIt(Action):
    """One of the searchers takes what a Recovery looked for."""

    command = "mission.found"

    finder: str = ""


@dataclass(frozen=True, slots=True)
class ScoreMission(Action):
    """Count one's mission at the end. home: what it is about is in the own deployment area.

    inches: an escorted model's to its marker, -1 where it left play. near: who is within 6 in of an
    Invasion's marker. plans: the captive carries Secret Plans.
    """

    command = "mission.score"

    home: bool = False
    inches: float = -1.0
    near: tuple[str, ...] = ()
    plans: bool = False
    side: str = ""


def _opponents(encounter: Encounter, side: int) -> list[int]:
    return [crew_points(encounter, one.id) for one in encounter.sides() if one.id != side]


def _mine(act: Act, text: str, *keys: str) -> Mission:
    side = my_side(act, text)
    mission = required(act.encounter, side)
    if mission.key not in keys:
        names = " or ".join(load().missions[key].name for key in keys)
        raise InvalidInput(f"That is for {names}.")
    return mission


# ------------------------------------------------------------------------------------ during the game


@handles(Control)
def control(act: Act, action: Control) -> Reply:
    """1 point with more models there than all opponents together, once for each Upkeep. CB-MISS-16."""
    encounter = act.encounter
    mission = _mine(act, action.side, "invasion")
    side = encounter.side(mission.side)
    upkeeps = encounter.row.turn if encounter.row.counters.get("over") else encounter.row.turn - 1
    if upkeeps < 1 or encounter.row.counters.get("upkeep"):
        raise InvalidInput("Invasion is counted when an Upkeep is over.")
    if side.counters.get(LAST_CONTROL, 0) >= upkeeps:
        raise InvalidInput(f"The Upkeep of turn {upkeeps} is counted.")
    models = [(named(act, name), 0.0) for name in action.near]
    parts = score_invasion_turn(side.id, models, _opponents(encounter, side.id), settings(act))
    set_counter(side.counters, LAST_CONTROL, upkeeps)
    points = sum(part.amount for part in parts)
    set_counter(side.counters, OBJECTIVE, points, add=True)
    told = reveal(encounter, mission) if not mission.revealed else []
    said = f"{side.name} holds the place: +{points}." if points else f"{side.name} does not hold the place."
    return say(
        said, f"Upkeep of turn {upkeeps}, {side.counters.get(OBJECTIVE, 0)} in all.", *told, buttons=[UNDO]
    )


@handles(Subdue)
def subdue(act: Act, action: Subdue) -> Reply:
    """It ends alive and unhurt, carried by one of the attackers. Rules: CB-MISS-08."""
    encounter = act.encounter
    holder = own(act, action.holder)
    mission = required(encounter, holder.side)
    if mission.key != "abduction":
        raise InvalidInput("That is for Abduction.")
    row = encounter.model(mission.model)
    target = fighter(encounter, row)
    if row.status == GONE or not target.is_down:
        raise InvalidInput("Your target is not at its last Life.")
    alive = replace(target, damage=0)
    with act.overridable():
        if not is_subdued(
            alive, row.damage, "melee" if action.by_melee else "other", settings(act), hit=True
        ):
            raise Forbidden("Only melee takes the last Life of a captive.", "CB-MISS-08")
    effects = after_subduing(target, (holder,), holder.id)
    encounter.apply([effect for effect in effects if isinstance(effect, Assign)])
    encounter.apply([Leave(row.id, CAPTIVE)])
    row.damage = 0
    lay_token(encounter, f"{CAPTIVE} {row.id}")
    told = reveal(encounter, mission) if not mission.revealed else []
    return say(f"{holder.name} carries {row.name} off, alive.", *told, buttons=[UNDO])


@handles(FoundIt)
def found_it(act: Act, action: FoundIt) -> Reply:
    """Equipment is carried at once; a crew member joins and acts from the next turn. Rules: CB-MISS-23."""
    encounter = act.encounter
    finder = own(act, action.finder)
    mission = required(encounter, finder.side)
    side = encounter.side(finder.side)
    if mission.key != "recovery":
        raise InvalidInput("That is for Recovery.")
    if not is_found(stored(search_of(row) for row in places(encounter, side.id))):
        raise InvalidInput("It takes 10 successes in all to find it.")
    if side.traits.get(BROUGHT):
        raise InvalidInput("It was found already.")
    profiles = {one.name: one for one in load().profiles}
    profile = profiles.get(mission.about)
    row = encounter.model(finder.id)
    reasons = [
        effect.reason
        for effect in after_finding(finder, (finder,), profile or mission.about)
        if hasattr(effect, "reason")
    ]
    if profile is not None:
        add_model(encounter, side.id, row.owner_id, profile.name, block_text(profile.key))
        encounter.model(max(model.id for model in encounter.models(side.id))).counters["activated"] = 1
        side.traits[BROUGHT] = "model"
    else:
        row.profile = with_equipment(row.profile, [mission.about])
        side.traits[BROUGHT] = "equipment"
    told = reveal(encounter, mission) if not mission.revealed else []
    return say(f"{finder.name} finds it: {mission.about}.", *folded(reasons), *told, buttons=[UNDO])


# ------------------------------------------------------------------------------------ at the end


@handles(ScoreMission)
def score_mission(act: Act, action: ScoreMission) -> Reply:
    """Once, when the last turn is over; the mission is shown to everybody."""
    encounter = act.encounter
    side = encounter.side(my_side(act, action.side))
    mission = required(encounter, side.id)
    if side.traits.get(SCORED):
        raise InvalidInput("Your mission is counted. To count it anew, undo it.")
    if not encounter.row.turn:
        raise InvalidInput("The game has not begun.")
    mine, theirs = _parts(act, mission, action)
    lines = [f"{side.name}, {mission.note.name}: {times(_sum(mine), 'objective point')}."]
    lines += [f"{part.amount:+d} {part.reason} {part.rule}" for part in mine]
    set_counter(side.counters, OBJECTIVE, _sum(mine), add=True)
    for other in encounter.sides():
        if other.id != side.id and theirs:
            set_counter(other.counters, OBJECTIVE, _sum(theirs), add=True)
            lines += [f"{other.name} {part.amount:+d} {part.reason} {part.rule}" for part in theirs]
    side.traits[MISSION], side.traits[SCORED] = mission.key, "yes"
    lines += reveal(encounter, mission) if not mission.revealed else []
    return Reply((*lines, *result_lines(encounter)), buttons=(UNDO,))


def _sum(parts: Sequence[Modifier]) -> int:
    return sum(part.amount for part in parts)


def _parts(act: Act, mission: Mission, action: ScoreMission) -> Parts:
    encounter, house = act.encounter, settings(act)
    sizes = _opponents(encounter, mission.side)
    side = encounter.side(mission.side)
    successes = side.counters.get(SUCCESSES, 0)
    match mission.key:
        case "abduction":
            return _abduction(act, mission, action, sizes)
        case "escort":
            gone = encounter.model(mission.model).status == GONE
            inches = None if gone or action.inches < 0 else action.inches
            return score_escort(inches, mission.secret, sizes, house)
        case "invasion":
            return _invasion(act, mission, action), ()
        case "recovery":
            found = bool(side.traits.get(BROUGHT))
            return score_recovery(found, at_home=action.home, opponents=sizes, settings=house), ()
        case "sabotage":
            return score_sabotage(successes, sizes, house), ()
    return score_scouting(successes, crew_points(encounter, mission.side), house), ()


def _abduction(act: Act, mission: Mission, action: ScoreMission, sizes: list[int]) -> Parts:
    """The captive counts where one of the own models holds it."""
    encounter = act.encounter
    holder = holder_of(encounter, f"{CAPTIVE} {mission.model}")
    held = bool(holder) and encounter.model(holder).side == mission.side
    plans = action.plans and any(
        item.key == "secret_plans" for item in fighter(encounter, encounter.model(mission.model)).gear
    )
    end = Abducted(held, action.home, mission.secret, plans)
    return score_abduction(end, sizes, settings(act))


def _invasion(act: Act, mission: Mission, action: ScoreMission) -> tuple[Modifier, ...]:
    """Nothing more is scored at the end; all is lost where nobody is left there. Rules: CB-MISS-16."""
    earned = act.encounter.side(mission.side).counters.get(OBJECTIVE, 0)
    models = [(named(act, name), 0.0) for name in action.near]
    if keeps_invasion(mission.side, models) or not earned:
        return ()
    return (Modifier(-earned, "nobody holds the place", "CB-MISS-16"),)
