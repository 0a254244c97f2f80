"""An activation: two actions, one attack, what each costs, who may direct whom, what conditions forbid.

Owns the accounting of actions by a model's counters. What an action does is in the action's own module.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rules.effects import Assign, Count, Effect, Gain
from rules.refusals import Forbidden, InvalidInput, allows, forbid
from rules.systems.counterblast.core.casualties import missed_activation
from rules.systems.counterblast.core.conditions import Event, ended_by
from rules.systems.counterblast.core.fighter import Condition, Counter, Fighter, Until
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.turn.orders import extra_lackeys
from rules.wording import times

ACTIONS = 2
ATTACKS = 1
HERO_GROUP_MAX = 3

Kind = Literal["free", "move", "fight", "attack", "other"]


@dataclass(frozen=True, slots=True)
class Action:
    """An action: its words, what it costs (0 to 2), its kind, and whether it is the attack.

    `moves` says how many Moves it contains. Rules: CB-ACT-02, CB-ACT-03.
    """

    name: str
    cost: int
    kind: Kind
    attack: bool = False
    moves: int = 0


ACTION: dict[str, Action] = {
    "rally": Action("Rally", 0, "free"),
    "order": Action("Spend an order token", 0, "free"),
    "scan": Action("Spot with a Scanner", 0, "free"),
    "stand_quick": Action("Stand up (Quick)", 0, "move"),
    "move": Action("Move", 1, "move", moves=1),
    "disengage": Action("Disengage", 1, "move", moves=1),
    "hide": Action("Hide", 1, "other"),
    "spot": Action("Spot", 1, "other"),
    "skill": Action("Skill check", 1, "other"),
    "item": Action("Use item", 1, "other"),
    "psionic": Action("Psionic power", 1, "other"),
    "psionic_attack": Action("Psionic attack", 1, "attack", attack=True),
    "drop_prone": Action("Drop Prone", 1, "other"),
    "break_free": Action("Break free", 1, "other"),
    "steady": Action("Clear panic", 1, "other"),
    "fight": Action("Fight", 1, "fight", attack=True),
    "shoot": Action("Shoot", 1, "attack", attack=True),
    "burst": Action("Burst", 1, "attack", attack=True),
    "aim": Action("Aim", 2, "attack", attack=True),
    "charge": Action("Charge", 2, "attack", attack=True, moves=1),
    "overwatch": Action("Overwatch", 2, "attack", attack=True),
    "run_and_gun": Action("Run and Gun", 2, "attack", attack=True, moves=1),
    "slash_and_dash": Action("Slash and Dash", 2, "attack", attack=True, moves=1),
    "full_auto": Action("Full auto", 2, "attack", attack=True),
    "stand_up": Action("Stand up", 2, "move"),
}
"""Actions by key. Rules: CB-ACT-02, CB-ACT-03, CB-WEAP-36."""

WHILE_ENGAGED = frozenset({"fight", "burst", "disengage", "rally", "order", "stand_up", "stand_quick"})
AFTER_PANIC = frozenset({"move", "disengage"})
WHILE_PINNED = frozenset({"rally", "order", "scan", "break_free"})


# ---------------------------------------------------------------- beginning and end


def may_activate(model: Fighter) -> None:
    """Raise Forbidden for a model that cannot be activated now.

    Rules: CB-TURN-03, CB-COND-04, CB-COND-05, CB-BAG-07, CB-BAG-09.
    """
    if model.is_down:
        forbid(f"{model.name} is down.", "CB-COND-05")
    if model.count(Counter.ACTIVATED):
        forbid(f"{model.name} has been activated this turn.", "CB-TURN-03")


def needs_activation(model: Fighter) -> bool:
    """Whether the Activation phase waits for this model. Rules: CB-BAG-07, CB-BAG-09, CB-TURN-03."""
    return not model.is_incapacitated and not model.count(Counter.ACTIVATED)


def waits_for_nobody(model: Fighter, crew: tuple[Fighter, ...]) -> bool:
    """Whether nobody is left to activate a Controlled model in this turn, so that it holds nothing up.

    crew: the models of its crew in play. Rules: CB-FEAT-18, CB-BAG-07.
    """
    if not model.has_feature("controlled"):
        return False
    heroes = (one for one in crew if one.profile.is_hero and not one.has_feature("controlled"))
    return not any(needs_activation(hero) for hero in heroes if hero.id != model.id)


def start_activation(model: Fighter) -> tuple[Effect, ...]:
    """The model is chosen: it is active, its Overwatch ends, its actions are all before it.

    A stunned model misses the activation instead. Raises Forbidden as `may_activate`.
    Rules: CB-COND-07, CB-OVER-03, CB-TURN-03, CB-WEAP-29.
    """
    may_activate(model)
    marked = Assign("model", model.id, Counter.ACTIVATED, 1)
    if model.has(Condition.INCAPACITATED):
        return (marked, *missed_activation(model))
    fresh = (Counter.ACTIONS, Counter.ATTACKS, Counter.MOVES, Counter.RALLIED)
    return (
        marked,
        *(Assign("model", model.id, counter, 0) for counter in fresh if model.count(counter)),
        *ended_by(model, Event.ACTIVATED),
        Gain(model.id, Condition.ACTIVE, until=Until.ACTIVATION_END),
    )


def end_activation(model: Fighter) -> tuple[Effect, ...]:
    """Its actions are finished: the model is inactive until its next turn.

    A failed Scan burdens it no more, what Identify gave is lost, and its Fahz Jiin is used up.
    Rules: CB-COND-07, CB-ACT-06, CB-PSI-15, CB-PSI-23, CB-GEAR-46.
    """
    marks = (Counter.DAZED, Counter.INSIGHT, Counter.SPOILED, Counter.LIFTED)
    clear = tuple(Assign("model", model.id, mark, 0) for mark in marks if model.count(mark))
    used = (Assign("model", model.id, Counter.FAHZ_JIIN, 2),) if model.count(Counter.FAHZ_JIIN) == 1 else ()
    return (*ended_by(model, Event.ACTIVATION_ENDED), *clear, *used)


# ---------------------------------------------------------------- actions


def actions_left(model: Fighter) -> int:
    """Actions that an active model still has. Rules: CB-ACT-01."""
    return max(0, ACTIONS - model.count(Counter.ACTIONS))


def may_take(model: Fighter, key: str) -> Action:
    """Whether an active model may take the action now; gives it.

    Raises InvalidInput for an unknown key and Forbidden with the reason: not active, actions or the attack
    spent, engaged, Panicked, Pinned, Prone, Incapacitated.
    Rules: CB-ACT-01, CB-ACT-02, CB-ACT-03, CB-ACT-10, CB-COND-04, CB-COND-06, CB-PANIC-10, CB-OVER-01,
    CB-MOVE-07, CB-MOVE-08.
    """
    action = ACTION.get(key)
    if action is None:
        raise InvalidInput(f"There is no action called {key!r}.")
    if model.is_incapacitated:
        forbid(f"{model.name} is Incapacitated and can do nothing.", "CB-COND-04")
    if not model.has(Condition.ACTIVE):
        forbid(f"{model.name} is not active: activate it first.", "CB-COND-07")
    _fits_conditions(model, key, action)
    _fits_allowance(model, action)
    return action


def may_plan(model: Fighter, key: str) -> None:
    """Whether a model may take the action, now or once it is active as it stands: for chances.

    Raises as `may_take`, but not since the model is not active. Rules: CB-ACT-01, CB-ACT-10, CB-COND-04,
    CB-COND-06, CB-PANIC-10.
    """
    if model.has(Condition.ACTIVE) or model.is_incapacitated:
        may_take(model, key)
    else:
        _fits_conditions(model, key, ACTION[key])


def _fits_allowance(model: Fighter, action: Action) -> None:
    left = actions_left(model)
    if action.cost > left:
        forbid(f"{action.name} costs {times(action.cost, 'action')}; {model.name} has {left}.", "CB-ACT-01")
    if action.attack and model.count(Counter.ATTACKS) >= ATTACKS:
        forbid(f"{model.name} has attacked in this activation.", "CB-ACT-01")


def _fits_conditions(model: Fighter, key: str, action: Action) -> None:
    if model.has(Condition.PANICKED):
        if not model.count(Counter.RALLIED) and key not in ("rally", "order"):
            forbid(f"{model.name} is Panicked: Rally first.", "CB-PANIC-10")
        if model.count(Counter.RALLIED) and key not in AFTER_PANIC:
            forbid(f"{model.name} is Panicked and can only run for the edge.", "CB-PANIC-10")
    machine = model.profile.is_robot or model.profile.is_cyberform
    if machine and model.has(Condition.DRAINED) and action.cost:
        forbid(f"{model.name} is drained and can do nothing.", "CB-FEAT-25")
    if model.has(Condition.PINNED) and key not in WHILE_PINNED:
        forbid(f"{model.name} is Pinned: break free first.", "CB-COND-06")
    if model.is_engaged and key not in WHILE_ENGAGED:
        forbid(f"{model.name} is engaged: Fight or Disengage.", "CB-ACT-10")
    if key == "disengage" and not model.is_engaged:
        raise Forbidden(f"{model.name} is not engaged: it can simply Move.", "CB-DISENG-01")
    if key == "break_free" and not model.has(Condition.PINNED):
        raise Forbidden(f"{model.name} is not Pinned.", "CB-COND-06")
    prone = model.has(Condition.PRONE)
    if key in ("stand_up", "stand_quick") and not prone:
        raise Forbidden(f"{model.name} is not Prone.", "CB-MOVE-08")
    if key == "stand_quick" and not model.has_feature("quick"):
        forbid(f"{model.name} is not Quick: standing up takes 2 actions.", "CB-MOVE-08")
    if key == "drop_prone" and prone:
        raise Forbidden(f"{model.name} is Prone already.", "CB-MOVE-07")


def take(model: Fighter, key: str) -> tuple[Effect, ...]:
    """Take the action: what it costs; a second Move ends being Hidden. Raises as `may_take`.

    Rules: CB-ACT-01, CB-ACT-02, CB-ACT-03, CB-HIDE-03.
    """
    action = may_take(model, key)
    effects: list[Effect] = []
    if action.cost:
        effects.append(Count("model", model.id, Counter.ACTIONS, action.cost))
    if action.attack:
        effects.append(Count("model", model.id, Counter.ATTACKS, 1))
    if action.moves:
        effects.append(Count("model", model.id, Counter.MOVES, action.moves))
        if model.count(Counter.MOVES) + action.moves > 1:
            effects += ended_by(model, Event.MOVED_TWICE)
    if key in ("stand_up", "stand_quick"):
        effects += ended_by(model, Event.STOOD_UP)
    return tuple(effects)


def choices(model: Fighter) -> tuple[str, ...]:
    """Keys of the actions that an active model may take now, in the order of the table."""
    return tuple(key for key in ACTION if allows(may_take, model, key))


# ---------------------------------------------------------------- groups


def group_limit(leader: Fighter, tokens: int = 0, settings: Settings = DEFAULTS) -> int:
    """How many Lackeys a model may direct. tokens: order tokens spent on it.

    Rules: CB-ACT-04, CB-ACT-05, CB-ORDER-06.
    """
    base = HERO_GROUP_MAX if leader.profile.is_hero else settings.lackey_group_max
    return base + extra_lackeys(leader, tokens)


def group_rule(leader: Fighter) -> str:
    """The rule that limits how many a model directs. Rules: CB-ACT-04, CB-ACT-05."""
    return "CB-ACT-04" if leader.profile.is_hero else "CB-ACT-05"


def tokens_for(leader: Fighter, count: int, settings: Settings = DEFAULTS) -> int:
    """The order tokens that a group takes in which a model directs so many. Rules: CB-ORDER-06."""
    beyond = max(0, count - group_limit(leader, 0, settings))
    return -(-beyond // max(1, extra_lackeys(leader, 1)))


def check_group(
    leader: Fighter, members: tuple[Fighter, ...], tokens: int = 0, settings: Settings = DEFAULTS
) -> None:
    """Raise Forbidden for a group that the leader may not activate together.

    members: the others. Rules: CB-ACT-04, CB-ACT-05, CB-ACT-07, CB-FEAT-18, CB-BUILD-08.
    """
    may_activate(leader)
    if not members:
        if leader.has_feature("controlled"):
            forbid(f"{leader.name} is Controlled: a Hero must activate it.", "CB-FEAT-18")
        return
    if leader.has(Condition.PANICKED):
        forbid(f"{leader.name} is Panicked and directs nobody.", "CB-ACT-07")
    if leader.is_incapacitated:
        forbid(f"{leader.name} is Incapacitated and directs nobody.", "CB-COND-04")
    limit = group_limit(leader, tokens, settings)
    if len(members) > limit:
        forbid(f"{leader.name} directs up to {limit} Lackeys, not {len(members)}.", group_rule(leader))
    if len({leader.id, *(member.id for member in members)}) <= len(members):
        raise InvalidInput("Name each model of the group once.")
    for member in members:
        may_activate(member)
        _may_direct(leader, member)


def require_order_of_play(model: Fighter, acting: Fighter | None, *, begun: bool) -> None:
    """Raise Forbidden for a member of a group that acts on after another one has begun.

    acting: who took the last action. begun: the model has acted in this activation already. Joint actions,
    and a pair's, are not asked. Rules: CB-ACT-06.
    """
    if not begun or acting is None or acting.id == model.id or not acting.has(Condition.ACTIVE):
        return
    if acting.side == model.side and acting.count(Counter.PARTNER) != model.id:
        forbid(f"{model.name} finished its actions when {acting.name} began.", "CB-ACT-06")


def _may_direct(leader: Fighter, member: Fighter) -> None:
    if member.side != leader.side:
        raise Forbidden(f"{member.name} is of another crew.", "CB-ACT-07")
    if member.profile.is_hero:
        forbid(f"{member.name} is a Hero: nobody directs it.", "CB-ACT-04")
    if leader.profile.is_hero:
        return
    if member.has_feature("controlled"):
        forbid(f"{member.name} is Controlled: a Hero must activate it.", "CB-FEAT-18")
    if "edofleini" in leader.profile.types:
        if {"edofleini", "edokin"} & set(member.profile.types):
            return
        forbid(f"{leader.name} directs Edofleini Lackeys and Edokin only.", "CB-BUILD-08")
    if member.profile.key != leader.profile.key:
        forbid(f"{leader.name} directs only Lackeys like itself.", "CB-ACT-05")


def is_last_turn(turn: int, turns: int = DEFAULTS.turns) -> bool:
    """Whether the game ends after this turn's Upkeep. turns: 0 for no end. Rules: CB-TURN-01."""
    return bool(turns) and turn >= turns
