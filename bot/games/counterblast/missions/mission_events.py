"""Events of missions during the game: control, a captive carried off, the lost thing found."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.actions import Action, reference_by_number
from bot.games.counterblast.core.common import settings
from bot.games.counterblast.core.crews import apply_outcome, lay_token
from bot.games.counterblast.core.debts import is_upkeep_open
from bot.games.counterblast.core.fields import side_played, who
from bot.games.counterblast.core.narration import Telling
from bot.games.counterblast.missions.traps import captive, near_marker, nobody_near
from bot.games.counterblast.setup.deployment import crew_points
from bot.games.counterblast.state.missions import (
    BROUGHT,
    CAPTIVE,
    FOUND,
    Mission,
    add_objective_points,
    list_finders,
    require_mission,
    reveal_mission,
)
from bot.games.counterblast.state.models import block_text, fighter, fighters, with_equipment
from bot.games.counterblast.state.table_state import AbsenteeState, EncounterState, SideState
from bot.replies.reply import Button, Choice, Menu, Reply, say
from bot.store.rows import ModelRow, SideRow, ThingRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.encounter import GONE, OVER, Encounter
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.owners import in_play
from bot.table.session.arrivals import add_model
from rules.effects import Assign, Leave
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.missions.missions import (
    CAPTIVE_ALONG,
    after_finding,
    after_subduing,
    holders,
    is_subdued,
    score_invasion_turn,
)
from rules.systems.counterblast.missions.missions import mission as noted
from rules.wording import times

SUBDUED_BY = {
    "last_life_by_melee": "A model is captured only if it loses its last Life in melee.",
    "last_life": "A model is captured when it loses its last Life (in any way) or is hit in melee.",
    "any_melee": "A model is captured when it is hit in melee.",
}
"""Sentences about what subdues a model, by the setting."""


@dataclass(frozen=True, slots=True)
class Control(Action):
    """Score the marker of your Invasion after an Upkeep.

    near: everyone within 6 in of the marker; nobody: no one is. Neither: the bot asks.
    """

    command = "mission.control"
    typed = "mission control"
    titled = "Score the marker"
    bare = True
    said_first = ("near", "nobody", "side")
    decision_of = in_play("the side whose mission it is")

    near: tuple[Fighter, ...] = near_marker("Models within 6 in of the marker")
    side: SideRow = side_played()
    nobody: bool = nobody_near("No model is within 6 in of the marker")


@dataclass(frozen=True, slots=True)
class Subdue(Action):
    """Carry off the target of your Abduction when it is down.

    The target of an Abduction lost its last Life in melee: one of the attackers carries it off.
    """

    command = "mission.subdue"
    typed = "mission subdue"
    titled = "Carry off the target"

    holder: Fighter = who("Model that carries the target", called="model")
    by_melee: bool = fields.switch("The target went down in melee", called="melee", default=True)


@dataclass(frozen=True, slots=True)
class FoundIt(Action):
    """Choose which searcher takes the model or item that your Recovery has found.

    One of the searchers.
    """

    command = "mission.found"
    typed = "mission found"
    titled = "Pick up what was found"

    finder: Fighter = who("Searcher that takes what was found", called="model")


@dataclass(frozen=True, slots=True)
class BringCaptive(Action):
    """Bring a captive to this game for an Escort.

    One that was abducted in the encounter before.
    """

    command = "mission.captive"
    typed = "mission captive"
    titled = "Bring a captive"
    decision_of = in_play("the side whose mission it is")

    model: ThingRow = captive()
    side: SideRow = side_played()


def list_opponent_points(encounter: Encounter, side: int) -> list[int]:
    """Return the sizes of the opposing crews, in points."""
    return [crew_points(encounter, other.id) for other in encounter.sides() if other.id != side]


def required_of(encounter: Encounter, side: int, key: str) -> Mission:
    """Return the mission of a side, which must be this one. Raises InvalidInput."""
    mission = require_mission(encounter, side)
    if mission.key != key:
        raise InvalidInput(f"Only a side with the {noted(key).name} mission can do this.")
    return mission


# ------------------------------------------------------------------------------------ Invasion


def count_upkeeps(encounter: Encounter) -> int:
    """Return how many Upkeeps are over."""
    is_over = encounter.count(OVER) and not EncounterState(encounter.row).stopped_early
    return encounter.row.turn if is_over else encounter.row.turn - 1


def ask_who_is_near(encounter: Encounter, head: str, action: Action, nobody_action: Action) -> Reply:
    """Return who is within 6 in of an Invasion's marker, to the person who asks; nothing is counted yet."""
    able_models = [
        model for model in fighters(encounter) if not model.is_down and not model.has(Condition.PANICKED)
    ]
    choices = tuple(Choice(model.name, reference_by_number(model.id)) for model in able_models)
    menus = (
        (Menu("Models within 6 in of the marker", action, "near", choices, 1, len(choices)),)
        if choices
        else ()
    )
    lines = (head, "Which models are within 6 in of the marker?", "Panicked models don't count.")
    return Reply(lines, private=True, buttons=(Button("Nobody", nobody_action),), menus=menus)


def count_control(act: Act, side: SideRow, near: Sequence[Fighter]) -> int:
    """Score the Upkeep that is over; gives the points. near: who is at the marker. Rules: CB-MISS-16."""
    encounter, models = act.encounter, [(model, 0.0) for model in near]
    parts = score_invasion_turn(side.id, models, list_opponent_points(encounter, side.id), settings(act))
    SideState(side).control_turn = count_upkeeps(encounter)
    SideState(side).invaders = holders(models).get(side.id, 0)
    points = sum(part.amount for part in parts)
    add_objective_points(side, points)
    return points


@handles(Control)
def control(act: Act, action: Control) -> Reply:
    """Score 1 point for more models there than all opponents, once each Upkeep. Rules: CB-MISS-16."""
    encounter, side = act.encounter, action.side
    mission = required_of(encounter, side.id, "invasion")
    upkeeps_over = count_upkeeps(encounter)
    if upkeeps_over < 1 or is_upkeep_open(encounter):
        raise InvalidInput("Finish the Upkeep first. You can score the Invasion marker only after an Upkeep.")
    if SideState(side).control_turn >= upkeeps_over:
        raise InvalidInput(f"You have already scored the marker for the Upkeep of turn {upkeeps_over}.")
    if not action.near and not action.nobody:
        return ask_who_is_near(
            encounter, f"Upkeep of turn {upkeeps_over}", action, replace(action, nobody=True)
        )
    points = count_control(act, side, () if action.nobody else action.near)
    revealed_lines = reveal_mission(encounter, mission) if not mission.revealed else []
    sentence = (
        f"{side.name} holds the marker and scores {times(points, 'objective point')}."
        if points
        else f"{side.name} doesn't hold the marker."
    )
    total = SideState(side).objective_points
    return say(
        sentence, f"{side.name} now has {times(total, 'objective point')}.", *revealed_lines, buttons=[UNDO]
    )


# ------------------------------------------------------------------------------------ Abduction


@handles(Subdue)
def subdue(act: Act, action: Subdue) -> Reply:
    """End its game alive and unhurt, carried by one of the attackers. Rules: CB-MISS-08."""
    encounter, holder = act.encounter, action.holder
    mission = required_of(encounter, holder.side, "abduction")
    row, rules = encounter.model(mission.model), settings(act)
    target = fighter(encounter, row)
    if row.status == GONE:
        raise InvalidInput(f"{row.name} is out of play ({row.left_how}), so no model can carry it off.")
    if not target.is_down and rules.abduction_by == "last_life_by_melee":
        raise InvalidInput(f"{row.name} still has Life left, so no model can carry it off.")
    with act.overridable():
        if not is_subdued(
            replace(target, damage=0), row.damage, "melee" if action.by_melee else "other", rules, hit=True
        ):
            raise Forbidden(SUBDUED_BY[rules.abduction_by], "CB-MISS-08")
    telling = Telling([f"{holder.name} carries off {row.name} alive."])
    telling.follow(act, [Leave(row.id, CAPTIVE)])
    effects = after_subduing(target, (holder,), holder.id)
    apply_outcome(encounter, [effect for effect in effects if isinstance(effect, Assign)])
    row.damage = 0
    lay_token(encounter, f"{CAPTIVE} {row.id}")
    revealed_lines = reveal_mission(encounter, mission) if not mission.revealed else []
    return say(*telling.lines, *telling.proposal_lines(), *revealed_lines, buttons=telling.buttons(act, UNDO))


# ------------------------------------------------------------------------------------ Recovery


@handles(FoundIt)
def found_it(act: Act, action: FoundIt) -> Reply:
    """Carry equipment at once; a crew member joins and acts from the next turn. Rules: CB-MISS-23."""
    encounter, finder = act.encounter, action.finder
    mission = required_of(encounter, finder.side, "recovery")
    side = encounter.side(finder.side)
    if side.traits.get(BROUGHT):
        raise InvalidInput(f"{mission.about} has already been found.")
    searchers = list_finders(encounter, side.id)
    if not searchers:
        raise InvalidInput(f"You need 10 successes in total to find {mission.about}.")
    profile = next((candidate for candidate in load().profiles if candidate.name == mission.about), None)
    team = tuple(model for model in fighters(encounter, side.id, gone=True) if model.id in searchers)
    try:
        effects = after_finding(finder, team, profile or mission.about)
    except Forbidden as refusal:
        names = ", ".join(model.name for model in team)
        raise InvalidInput(f"{refusal.sentence} Choose one of these: {names}.") from None
    reasons = [effect.reason for effect in effects if hasattr(effect, "reason")]
    row, taker = encounter.model(finder.id), finder.id
    if mission.captive or profile is not None:
        taker = _add_found_model(encounter, mission, row, block_text(profile.key) if profile else "").id
        side.traits[BROUGHT] = "model"
    else:
        row.profile = with_equipment(row.profile, [mission.about])
        side.traits[BROUGHT] = "equipment"
    side.traits[FOUND] = mission.about
    SideState(side).mission_finder = taker
    revealed_lines = reveal_mission(encounter, mission) if not mission.revealed else []
    return say(f"{finder.name} finds {mission.about}.", *reasons, *revealed_lines, buttons=[UNDO])


def _add_found_model(encounter: Encounter, mission: Mission, finder: ModelRow, block: str) -> ModelRow:
    """Who was found is one of the crew; a captive is as it was when it was lost.

    Rules: CB-MISS-19, CB-MISS-23.
    """
    captive = encounter.book.get(ThingRow, mission.captive) if mission.captive else None
    content: dict[str, Any] = json.loads(captive.content) if captive else {"profile": block, "counters": {}}
    model = add_model(encounter, finder.side, finder.owner_id, mission.about, content["profile"])
    model.counters = {**content["counters"], Counter.ACTIVATED: 1}
    return model


# ------------------------------------------------------------------------------------ captives of a campaign


@handles(BringCaptive)
def bring_captive(act: Act, action: BringCaptive) -> Reply:
    """Bring a captive before the first turn; it cannot attack. Rules: CB-MISS-11, CB-MISS-12."""
    encounter, row, side = act.encounter, action.model, action.side
    if encounter.row.turn:
        raise InvalidInput("You can bring a captive only before the game begins.")
    if AbsenteeState(row).held_by != side.id:
        raise InvalidInput(f"{side.name} doesn't hold {row.name} captive.")
    if AbsenteeState(row).came_along:
        raise InvalidInput(f"{row.name} is already in this game.")
    row.counters = {**row.counters, AbsenteeState.came_along.key: 1}
    owner = next((model.owner_id for model in encounter.models(side.id)), act.actor.user_id)
    model = add_model(encounter, side.id, owner, row.name, json.loads(row.content)["profile"])
    model.counters[CAPTIVE_ALONG] = 1
    return say(
        f"{model.name} comes along with {side.name} as a captive.",
        f"You can move {model.name}, but it can't attack.",
        buttons=[UNDO],
    )
