"""Activations: who acts, with how many actions, with what Orders, and in pairs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from rules.effects import Assign, Count, Effect, Gain, Lose, Propose
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput, forbid, is_allowed
from rules.systems.counterblast.core.conditions import LASTS_UNTIL, Event, end_conditions, miss_activation
from rules.systems.counterblast.core.counters import ORDERS, ORDERS_SPENT, Counter
from rules.systems.counterblast.core.fighter import Condition, Fighter, Until
from rules.systems.counterblast.core.panic import frightened
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.wording import times

TOKENS_PER_INT = 2
TACTICIAN_TOKENS = 2


def starting_tokens(leader: Fighter) -> int:
    """Order tokens at the start: twice the leader's INT dice, 2 more for a Tactician.

    Rules: CB-ORDER-01, CB-FEAT-55, CB-STAT-04.
    """
    extra = TACTICIAN_TOKENS if leader.has_feature("tactician") else 0
    return TOKENS_PER_INT * leader.profile.intellect.value + extra


def token_limit(leader: Fighter | None) -> int:
    """Return the largest number of tokens that a crew may hold under its present leader; 0 without one.

    Rules: CB-ORDER-02, CB-CREW-06.
    """
    return starting_tokens(leader) if leader is not None else 0


def gained(tokens: int, gain: int, leader: Fighter | None) -> int:
    """Return tokens after gaining some, within the limit; a crew keeps what it has. Rules: CB-ORDER-02."""
    return max(tokens, min(tokens + gain, token_limit(leader)))


def tokens_kept_by_new_leader(tokens: int, successor: Fighter | None, settings: Settings = DEFAULTS) -> int:
    """Return how many tokens a new leader keeps: as many as its INT dice; 0 without a successor.

    Rules: CB-ORDER-08, CB-CREW-06.
    """
    if successor is None:
        return 0
    return min(tokens, settings.order_keep_multiplier * successor.profile.intellect.value)


def spend(side: int, tokens: int, count: int = 1) -> tuple[Effect, ...]:
    """Spend tokens; they do not come back, but one by an Ancient Text.

    tokens: what the crew has. Raises Forbidden when there are too few. Rules: CB-ORDER-03.
    """
    if count < 1:
        raise InvalidInput("Spend at least one order token.")
    if count > tokens:
        held = f"only {times(tokens, 'order token')}" if tokens else "no order tokens left"
        forbid(f"The crew has {held} (you need {count}).", "CB-ORDER-03")
    spent = min(count, tokens)
    return (Count("side", side, ORDERS, -spent), Count("side", side, ORDERS_SPENT, spent))


def after_succession(
    side: int, tokens: int, successor: Fighter | None, settings: Settings = DEFAULTS
) -> tuple[Effect, ...]:
    """Trim the tokens to what the new leader may keep. Rules: CB-ORDER-08, CB-CREW-05."""
    kept_tokens = tokens_kept_by_new_leader(tokens, successor, settings)
    return (Assign("side", side, ORDERS, kept_tokens),) if kept_tokens != tokens else ()


def extra_lackeys(directing: Fighter, tokens: int) -> int:
    """Return the Lackeys that tokens add to a group: the director's level for each. Rules: CB-ORDER-06."""
    if tokens < 0:
        raise InvalidInput("You can't spend fewer than 0 order tokens.")
    return directing.profile.level * tokens


def clear_panic(leader: Fighter, members: tuple[Fighter, ...], tokens: int) -> tuple[Effect, ...]:
    """Return the effects when a leader spends 1 action and 1 token: members are no longer Panicked.

    members: at most as many as the leader's INT dice. The action itself is accounted by `activation`.
    Raises Forbidden for more, for the leader itself, for others than its own Panicked crew, and without a
    token. Rules: CB-ORDER-07, CB-STAT-04.
    """
    most = leader.profile.intellect.value
    if not leader.leader:
        forbid(f"Only the crew's leader can rally others, not {leader.name}.", "CB-ORDER-07")
    if not 1 <= len(members) <= most:
        forbid(
            f"{leader.name} can rally up to {times(most, 'model')} (you chose {len(members)}).", "CB-ORDER-07"
        )
    for member in members:
        if member.id == leader.id:
            forbid(f"{leader.name} can't rally itself this way. Use Rally.", "CB-ORDER-07")
        if member.side != leader.side or not member.has(Condition.PANICKED):
            forbid(f"{member.name} is not a Panicked model of this crew.", "CB-ORDER-07")
    cleared = tuple(Lose(member.id, Condition.PANICKED) for member in members)
    return (*spend(leader.side, tokens), *cleared)


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
    "item": Action("Use an item", 1, "other"),
    "psionic": Action("Psionic power", 1, "other"),
    "psionic_attack": Action("Psionic attack", 1, "attack", attack=True),
    "drop_prone": Action("Drop Prone", 1, "other"),
    "break_free": Action("Break free", 1, "other"),
    "steady": Action("Rally others", 1, "other"),
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
        forbid(f"{model.name} is down and can't be activated.", "CB-COND-05")
    if model.count(Counter.ACTIVATED):
        forbid(f"{model.name} has already been activated this turn.", "CB-TURN-03")


def needs_activation(model: Fighter) -> bool:
    """Return whether the Activation phase waits for this model. Rules: CB-BAG-07, CB-BAG-09, CB-TURN-03."""
    return not model.is_incapacitated and not model.count(Counter.ACTIVATED)


def waits_for_nobody(model: Fighter, crew: tuple[Fighter, ...]) -> bool:
    """Return whether no model is left to activate a Controlled model this turn, so that none waits for it.

    crew: the models of its crew in play. Rules: CB-FEAT-18, CB-BAG-07.
    """
    if not model.has_feature("controlled"):
        return False
    heroes = (
        fighter for fighter in crew if fighter.profile.is_hero and not fighter.has_feature("controlled")
    )
    return not any(needs_activation(hero) for hero in heroes if hero.id != model.id)


def start_activation(model: Fighter) -> tuple[Effect, ...]:
    """Activate the model: its Overwatch ends, and it has all its actions.

    A stunned model misses the activation instead. Raises Forbidden as `may_activate`.
    Rules: CB-COND-07, CB-OVER-03, CB-TURN-03, CB-WEAP-29.
    """
    may_activate(model)
    marked = Assign("model", model.id, Counter.ACTIVATED, 1)
    if model.has(Condition.INCAPACITATED):
        return (marked, *miss_activation(model))
    fresh = (Counter.ACTIONS, Counter.ATTACKS, Counter.MOVES, Counter.RALLIED)
    return (
        marked,
        *(Assign("model", model.id, counter, 0) for counter in fresh if model.count(counter)),
        *end_conditions(model, Event.ACTIVATED),
        Gain(model.id, Condition.ACTIVE, until=Until.ACTIVATION_END),
    )


def end_activation(model: Fighter) -> tuple[Effect, ...]:
    """Finish the model's actions: it is inactive until its next turn.

    It is no longer burdened by a failed Scan, its Identify result is lost, and its Fahz Jiin is used up.
    Rules: CB-COND-07, CB-ACT-06, CB-PSI-15, CB-PSI-23, CB-GEAR-46.
    """
    marks = (Counter.DAZED, Counter.INSIGHT, Counter.SPOILED, Counter.LIFTED)
    clear = tuple(Assign("model", model.id, mark, 0) for mark in marks if model.count(mark))
    used = (Assign("model", model.id, Counter.FAHZ_JIIN, 2),) if model.count(Counter.FAHZ_JIIN) == 1 else ()
    return (*end_conditions(model, Event.ACTIVATION_ENDED), *clear, *used)


# ---------------------------------------------------------------- actions


def actions_left(model: Fighter) -> int:
    """Return the actions that an active model still has. Rules: CB-ACT-01."""
    return max(0, ACTIONS - model.count(Counter.ACTIONS))


def may_take(model: Fighter, key: str) -> Action:
    """Return the action if an active model may take it now.

    Raises InvalidInput for an unknown key and Forbidden with the reason: not active, actions or the attack
    spent, engaged, Panicked, Pinned, Prone, Incapacitated.
    Rules: CB-ACT-01, CB-ACT-02, CB-ACT-03, CB-ACT-10, CB-COND-04, CB-COND-06, CB-PANIC-10, CB-OVER-01,
    CB-MOVE-07, CB-MOVE-08.
    """
    action = ACTION.get(key)
    if action is None:
        raise InvalidInput(f"There is no action called {key!r}.")
    if model.is_incapacitated:
        forbid(f"{model.name} is Incapacitated and can't do anything.", "CB-COND-04")
    if not model.has(Condition.ACTIVE):
        forbid(f"Activate {model.name} first.", "CB-COND-07")
    _fits_conditions(model, key, action)
    _fits_allowance(model, action)
    return action


def may_plan(model: Fighter, key: str) -> None:
    """Check that a model may take the action, now or once it is active as it is: for chances.

    Raises as `may_take`, but not since the model is not active. Rules: CB-ACT-01, CB-ACT-10, CB-COND-04,
    CB-COND-06, CB-PANIC-10.
    """
    if model.has(Condition.ACTIVE) or model.is_incapacitated:
        may_take(model, key)
    else:
        _fits_conditions(model, key, ACTION[key])


def _fits_allowance(model: Fighter, action: Action) -> None:
    remaining = actions_left(model)
    if action.cost > remaining:
        left = f"only {remaining}" if remaining else "none left"
        forbid(
            f"{action.name} costs {times(action.cost, 'action')}, but {model.name} has {left}.", "CB-ACT-01"
        )
    if action.attack and model.count(Counter.ATTACKS) >= ATTACKS:
        forbid(f"{model.name} has already attacked in this activation.", "CB-ACT-01")


def _fits_conditions(model: Fighter, key: str, action: Action) -> None:
    if model.has(Condition.PANICKED):
        if not model.count(Counter.RALLIED) and key not in ("rally", "order"):
            forbid(f"{model.name} is Panicked and has to Rally first.", "CB-PANIC-10")
        if model.count(Counter.RALLIED) and key not in AFTER_PANIC:
            forbid(f"{model.name} is Panicked and can only run for the table edge.", "CB-PANIC-10")
    machine = model.profile.is_robot or model.profile.is_cyberform
    if machine and model.has(Condition.DRAINED) and action.cost:
        forbid(f"{model.name} is drained and can't do anything.", "CB-FEAT-25")
    if model.has(Condition.PINNED) and key not in WHILE_PINNED:
        forbid(f"{model.name} is Pinned and has to break free first.", "CB-COND-06")
    if model.is_engaged and key not in WHILE_ENGAGED:
        forbid(f"{model.name} is engaged. It can Fight or Disengage.", "CB-ACT-10")
    if key == "disengage" and not model.is_engaged:
        raise Forbidden(f"{model.name} is not engaged, so it can simply Move.", "CB-DISENG-01")
    if key == "break_free" and not model.has(Condition.PINNED):
        raise Forbidden(f"{model.name} is not Pinned, so it doesn't have to break free.", "CB-COND-06")
    prone = model.has(Condition.PRONE)
    if key in ("stand_up", "stand_quick") and not prone:
        raise Forbidden(f"{model.name} is not Prone.", "CB-MOVE-08")
    if key == "stand_quick" and not model.has_feature("quick"):
        forbid(f"{model.name} is not Quick, so standing up takes 2 actions.", "CB-MOVE-08")
    if key == "drop_prone" and prone:
        raise Forbidden(f"{model.name} is already Prone.", "CB-MOVE-07")


def take(model: Fighter, key: str) -> tuple[Effect, ...]:
    """Return the cost of an action; a second Move also ends being Hidden. Raises as `may_take`.

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
            effects += end_conditions(model, Event.MOVED_TWICE)
    if key in ("stand_up", "stand_quick"):
        effects += end_conditions(model, Event.STOOD_UP)
    return tuple(effects)


def choices(model: Fighter) -> tuple[str, ...]:
    """Return the keys of the actions that an active model may take now, in the order of the table."""
    return tuple(key for key in ACTION if is_allowed(may_take, model, key))


# ---------------------------------------------------------------- groups


def group_limit(leader: Fighter, tokens: int = 0, settings: Settings = DEFAULTS) -> int:
    """Return how many Lackeys a model may direct. tokens: order tokens spent on it.

    Rules: CB-ACT-04, CB-ACT-05, CB-ORDER-06.
    """
    base = HERO_GROUP_MAX if leader.profile.is_hero else settings.lackey_group_max
    return base + extra_lackeys(leader, tokens)


def group_rule(leader: Fighter) -> str:
    """Return the rule that limits how many a model directs. Rules: CB-ACT-04, CB-ACT-05."""
    return "CB-ACT-04" if leader.profile.is_hero else "CB-ACT-05"


def tokens_for(leader: Fighter, count: int, settings: Settings = DEFAULTS) -> int:
    """Return the order tokens that a group takes in which a model directs so many. Rules: CB-ORDER-06."""
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
            forbid(f"{leader.name} is Controlled, so a Hero has to activate it.", "CB-FEAT-18")
        return
    if leader.has(Condition.PANICKED):
        forbid(f"{leader.name} is Panicked, so it can't lead a group.", "CB-ACT-07")
    if leader.is_incapacitated:
        forbid(f"{leader.name} is Incapacitated, so it can't lead a group.", "CB-COND-04")
    limit = group_limit(leader, tokens, settings)
    if len(members) > limit:
        forbid(
            f"{leader.name} can direct up to {times(limit, 'Lackey')} (you chose {len(members)}).",
            group_rule(leader),
        )
    if len({leader.id, *(member.id for member in members)}) <= len(members):
        raise InvalidInput("List each model in the group only once.")
    for member in members:
        may_activate(member)
        _may_direct(leader, member)


def require_order_of_play(model: Fighter, acting: Fighter | None, *, activation_begun: bool) -> None:
    """Raise Forbidden for a member of a group that acts on after another one has begun.

    acting: who took the last action. activation_begun: the model has already acted in this activation. Joint
    actions, and a pair's, are not asked. Rules: CB-ACT-06.
    """
    if not activation_begun or acting is None or acting.id == model.id or not acting.has(Condition.ACTIVE):
        return
    if acting.side == model.side and acting.count(Counter.PARTNER) != model.id:
        forbid(
            f"{model.name} can no longer act, because {acting.name} has already begun to act.", "CB-ACT-06"
        )


def _may_direct(leader: Fighter, member: Fighter) -> None:
    if member.side != leader.side:
        raise Forbidden(f"{member.name} belongs to another crew.", "CB-ACT-07")
    if member.profile.is_hero:
        forbid(f"{member.name} is a Hero, so no model can direct it.", "CB-ACT-04")
    if leader.profile.is_hero:
        return
    if member.has_feature("controlled"):
        forbid(f"{member.name} is Controlled, so a Hero has to activate it.", "CB-FEAT-18")
    if "edofleini" in leader.profile.types:
        if {"edofleini", "edokin"} & set(member.profile.types):
            return
        forbid(f"{leader.name} can only direct Edofleini Lackeys and Edokin.", "CB-BUILD-08")
    if member.profile.key != leader.profile.key:
        forbid(f"{leader.name} can only direct Lackeys of its own kind.", "CB-ACT-05")


def is_last_turn(turn: int, turns: int = DEFAULTS.turns) -> bool:
    """Return whether the game ends after this turn's Upkeep. turns: 0 for no end. Rules: CB-TURN-01."""
    return bool(turns) and turn >= turns


LEASH_INCHES = 6
PAIR = Modifier(1, "bonded pair", "CB-FEAT-09")


# ------------------------------------------------------------------------------------------- Bonded


def require_bond(hero: Fighter, beast: Fighter, bonded: frozenset[int] = frozenset()) -> None:
    """Raise Forbidden unless the pair is a Bonded Hero and a Bonded Beast of its crew and neither belongs
    to another pair. bonded: ids of models in pairs. Rules: CB-FEAT-08.
    """
    if not hero.profile.is_hero or hero.profile.is_beast:
        raise Forbidden(f"{hero.name} is not a Hero that can be bonded with a Beast.", "CB-FEAT-08")
    if not beast.profile.is_beast:
        raise Forbidden(f"{beast.name} is not a Beast.", "CB-FEAT-08")
    for model in (hero, beast):
        if not model.has_feature("bonded"):
            forbid(f"{model.name} is not Bonded.", "CB-FEAT-08")
        if model.id in bonded:
            raise Forbidden(f"{model.name} already belongs to another pair.", "CB-FEAT-08")
    if hero.side != beast.side:
        raise Forbidden("Both models of a pair must belong to the same crew.", "CB-FEAT-08")


def bonds(models: tuple[Fighter, ...]) -> tuple[tuple[Fighter, Fighter], ...]:
    """Return the pairs that these models can be bonded as, each Hero with each Beast. Rules: CB-FEAT-08."""
    able = [model for model in models if model.has_feature("bonded")]
    beasts = [model for model in able if model.profile.is_beast]
    heroes = [model for model in able if model.profile.is_hero and model not in beasts]
    return tuple((hero, beast) for hero in heroes for beast in beasts)


def after_partner_activated(partner: Fighter) -> tuple[Effect, ...]:
    """Activate the other one of a pair too, without a token and outside group limits.

    Rules: CB-FEAT-08, CB-GEAR-50.
    """
    if partner.is_incapacitated or partner.count(Counter.ACTIVATED):
        return ()
    return (Propose("activate", partner.id, f"{partner.name} can act with its partner for free."),)


def pair_modifier(model: Fighter, members: Iterable[Fighter]) -> tuple[Modifier, ...]:
    """Return +1 for a model whose partner takes part in the same shared action, beside usual Teamwork.

    So the pair alone has +1 each, with a third model the pair +2 and the third +1. The same holds for Bonded
    pairs and for a Watchdog with its owner. members: all who take part. Rules: CB-FEAT-09, CB-GEAR-50,
    CB-ACT-09.
    """
    partner = model.count(Counter.PARTNER)
    return (PAIR,) if partner and any(member.id == partner for member in members) else ()


# ------------------------------------------------------------------------------------------- Watchdog


def leash(owner: Fighter, dog: Fighter, inches: float) -> tuple[Effect, ...]:
    """Make a Watchdog that is more than 6 in from its owner Panicked. Rules: CB-GEAR-50."""
    if owner.side != dog.side or inches <= LEASH_INCHES:
        return ()
    return frightened(dog, "too far from its owner")


def is_watchdog_of(owner: Fighter, dog: Fighter) -> bool:
    """Return whether the one may own the other as its Watchdog. Rules: CB-GEAR-49."""
    return owner.has_gear("watchdog") and dog.profile.is_beast and owner.side == dog.side


def after_owner_removed(dog: Fighter) -> tuple[Effect, ...]:
    """Make a Watchdog whose owner left play run for the nearest edge: it is Panicked, Fearless or not.

    Rules: CB-GEAR-50, CB-PANIC-10.
    """
    reason = f"{dog.name} has lost its owner and runs for the nearest table edge."
    panics = Gain(
        dog.id, Condition.PANICKED, until=LASTS_UNTIL[Condition.PANICKED], source="its owner is gone"
    )
    return (*(() if dog.has(Condition.PANICKED) else (panics,)), Propose("stray", dog.id, reason))


def stray_acts(dog: Fighter) -> tuple[Effect, ...]:
    """Make an activated Watchdog without its owner run; it cannot Rally. Rules: CB-GEAR-50, CB-PANIC-10."""
    panics = tuple(effect for effect in after_owner_removed(dog) if isinstance(effect, Gain))
    reason = f"{dog.name} has no owner, so it can only run."
    return (*panics, Assign("model", dog.id, Counter.RALLIED, 1), Propose("flee", dog.id, reason))
