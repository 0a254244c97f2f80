"""The activation of a model: what begins and ends with it, and its partner."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from bot.actions import Action
from bot.games.counterblast.core.common import (
    again,
    carry_through,
    count_left_to_act,
    may_continue,
    settings,
    side_places,
)
from bot.games.counterblast.core.crews import apply_outcome, is_stray, pair, partner_of
from bot.games.counterblast.core.debts import Debt, register_finder
from bot.games.counterblast.core.fields import friend, who
from bot.games.counterblast.core.narration import Telling, add_wounds, finish
from bot.games.counterblast.core.relics import list_reminders
from bot.games.counterblast.core.wording import cast_automatic_hit
from bot.games.counterblast.ground.flames import InFire
from bot.games.counterblast.state import ground
from bot.games.counterblast.state.ground import climate_here, find_turn_under_water
from bot.games.counterblast.state.models import fighters, offer_other_half
from bot.games.counterblast.state.table_state import EncounterState, ModelState
from bot.games.counterblast.state.vehicles import (
    DUE,
    is_coasting,
    lacks_uplink,
    must_drive,
    owes_move,
    propose_burning_riders,
)
from bot.games.counterblast.templates.coverage import explode_due_bombs
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.asking import fields, measuring
from bot.table.encounter import Encounter
from bot.table.handlers import handles
from bot.table.owners import side_of
from rules.effects import Assign, Count, Lose, Propose
from rules.refusals import Forbidden, forbid, is_allowed
from rules.systems.counterblast.core.burning import CONDITION, Kind, burn_at_activation, catch_fire
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Condition, Fighter, Until
from rules.systems.counterblast.movement.environment import drowning_hit, vacuum_hit
from rules.systems.counterblast.movement.ground import climate, climate_hit
from rules.systems.counterblast.turn import activation, bag
from rules.systems.counterblast.turn.activation import (
    ACTIONS,
    LEASH_INCHES,
    actions_left,
    after_partner_activated,
    is_watchdog_of,
    leash,
    may_take,
    require_bond,
    start_activation,
    stray_acts,
)
from rules.wording import possessive, times

OVER_AT_END = frozenset({Until.ACTIVATION_END, Until.NEXT_ACTIVATION_END})
"""Conditions that end with an activation; Until.NEXT_ACTIVATION ends when it begins."""

FIRST_ACTION_PRICES = MappingProxyType({"put_out": "skill", "cleanse": "item", "break_free": "break_free"})
"""First actions of a model before anything else, and the price of each."""


def start_acting(act: Act, model: Fighter) -> Telling:
    """Return everything that awaits a model which has just become active.

    Rules: CB-BURN-05, CB-BURN-06, CB-ENV-06, CB-ENV-09, CB-HAZ-04, CB-FEAT-04, CB-COND-01,
    CB-CREW-13, CB-GEAR-50, CB-VEH-10, CB-VEH-37.
    """
    telling = Telling()
    end_conditions(act.encounter, model, frozenset({Until.NEXT_ACTIVATION}))
    if not model.has(Condition.ACTIVE):
        return telling
    if is_stray(act.encounter, model):
        telling.proposals += carry_through(act, stray_acts(model))
        model = again(act, model)
    turn = act.encounter.row.turn
    if EncounterState(act.encounter.row).vacuum and vacuum_hit(model, turn):
        model = add_wounds(act, telling, model, 1, "from the vacuum")
    if not model.is_down and drowning_hit(model, turn, find_turn_under_water(act.encounter, model)):
        model = add_wounds(act, telling, model, 1, "from lack of air")
    if not model.is_down:
        model = _apply_climate(act, telling, model)
    if not model.is_down:
        telling.proposals += _propose_first_actions(model)
        _apply_fire(act, telling, model)
        _propose_uplink(act, telling, model)
        _add_vehicle_lines(act, telling, model)
        telling.lines += list_reminders(act.encounter, model)
    return telling


def _propose_first_actions(model: Fighter) -> list[Propose]:
    """Return what it has to do, or may do free, before anything else; its activation says the words.

    Rules: CB-PANIC-10, CB-COND-06, CB-FEAT-50, CB-MOVE-08, CB-FEAT-44.
    """
    proposals = []
    if model.has(Condition.PANICKED) and not model.count(Counter.RALLIED):
        proposals.append(Propose("rally", model.id, ""))
    if model.has(Condition.PINNED):
        proposals.append(Propose("break_free", model.id, ""))
    if model.has(Condition.PRONE) and not model.is_engaged:
        proposals.append(Propose("stand", model.id, ""))
    return proposals


def _propose_uplink(act: Act, telling: Telling, model: Fighter) -> None:
    has_check = lacks_uplink(act.encounter, model)
    carry_through(act, [Assign("model", model.id, ModelState.uplink.key, DUE if has_check else 0)])
    if has_check:
        words = f"{model.name} has no uplink. It must pass an INT check (5+), or it does nothing."
        telling.proposals.append(Propose("uplink", model.id, words))


def _add_vehicle_lines(act: Act, telling: Telling, model: Fighter) -> None:
    row = act.encounter.model(model.id)
    if model.profile.is_vehicle and is_coasting(row, act.encounter.row.turn):
        mv = model.profile.mv
        telling.lines += [
            f"{model.name} is In Motion and must drive at least {mv} in straight ahead. It can only turn "
            "with Maneuvers."
        ]
    aboard = model.count(Counter.RIDES)
    telling.proposals += [
        proposal for proposal in propose_burning_riders(act.encounter) if proposal.model == aboard
    ]


def _apply_climate(act: Act, telling: Telling, model: Fighter) -> Fighter:
    """The hit of an area comes with its own test. Rules: CB-HAZ-04."""
    grade = climate_here(act.encounter, model)
    actions_lost = ACTIONS - climate(model, grade).actions if grade else 0
    if actions_lost:
        carry_through(act, [Count("model", model.id, Counter.ACTIONS, actions_lost)])
        telling.lines.append(f"{model.name} loses {times(actions_lost, 'action')} to heat or cold.")
    table = EncounterState(act.encounter.row).climate
    climate_now = climate(model, table) if table else None
    if climate_now is None or not climate_now.power:
        return again(act, model)
    cancel = settings(act).shield_ones_cancel
    roller = cast_automatic_hit(model.name, "heat or cold")
    wounds = act.roll(
        roller, climate_hit, climate_now.power, model.shield, model.has_feature("tough"), cancel
    )
    return add_wounds(act, telling, again(act, model), wounds, "from heat or cold")


def _apply_fire(act: Act, telling: Telling, model: Fighter) -> None:
    inside = ground.list_fires_touched(act.encounter, model)
    for kind in dict.fromkeys((*ground.become_due(act.encounter, model), *inside)):
        if kind in inside:
            telling.follow(act, catch_fire(model, kind))
            ground.owe_hit(act.encounter, model, kind)
        proposals = carry_through(act, burn_at_activation(model, in_fire=kind in inside, kind=kind))
        telling.proposals += [proposal for proposal in proposals if _may_take(model, proposal.action)]


def _may_take(model: Fighter, action: str) -> bool:
    """Return whether a model may do now what it might; what takes no action it may."""
    return action not in FIRST_ACTION_PRICES or is_allowed(may_take, model, FIRST_ACTION_PRICES[action])


def list_open_proposals(encounter: Encounter, model: Fighter) -> list[Propose]:
    """Return what an active model still has to do, or choose from, before anything else.

    Rules: CB-BURN-06, CB-FEAT-04, CB-CREW-13, CB-PANIC-10, CB-COND-06.
    """
    proposals, remaining = [], actions_left(model)
    for kind in ground.list_fires_owed(encounter, model):
        spares = "put_out" if kind == "fire" else "cleanse"
        carries = kind == "fire" or model.has(CONDITION[kind])
        is_bound = ground.has_acted_elsewhere(encounter, model) or kind in ground.list_fires_touched(
            encounter, model
        )
        if carries and not is_bound and _may_take(model, spares):
            proposals.append(Propose(spares, model.id, ""))
        proposals.append(Propose("burn", model.id, "", (("kind", kind),)))
    if model.count(ModelState.uplink.key) == DUE:
        proposals.append(Propose("uplink", model.id, ""))
    if model.has(Condition.PINNED) and _may_take(model, "break_free"):
        proposals.append(Propose("break_free", model.id, ""))
    if remaining and model.has(Condition.PANICKED) and model.count(Counter.RALLIED) and not model.is_engaged:
        proposals.append(Propose("flee", model.id, ""))
    return proposals


def list_owed_moves(encounter: Encounter, model: Fighter) -> list[str]:
    """Return how far a model whose activation ends may still drive. Rules: CB-RUN-01."""
    owes = owes_move(encounter.model(model.id), encounter.row.turn)
    return [f"{model.name} can still make its Move. Use /vehicle drive."] if owes else []


@register_finder
def find_owed_hits(act: Act) -> list[Debt]:
    """Return the hits of fire or acid that models whose activation is over neither took nor were spared.

    Rules: CB-BURN-06, CB-FEAT-04.
    """
    return [
        _build_owed_hit(model, kind)
        for model in fighters(act.encounter)
        if not model.has(Condition.ACTIVE) and not model.is_incapacitated
        for kind in ground.list_fires_owed(act.encounter, model)
    ]


def _build_owed_hit(model: Fighter, kind: Kind) -> Debt:
    takes_hit = InFire(model, kind, outside=True)
    button = Button(f"Apply the hit to {model.name}", takes_hit, "main", anytime=True)
    return Debt(model.side, f"{model.name} still has to take the hit from the {kind}.", (button,))


def end_conditions(encounter: Encounter, model: Fighter, when: frozenset[Until]) -> None:
    """End the conditions whose time has come; what outlasts one activation ends with the one after it."""
    outlasting_conditions = [
        row for row in encounter.conditions(model.id) if row.until == Until.SECOND_ACTIVATION_END
    ]
    for row in outlasting_conditions if when == OVER_AT_END else ():
        row.until = Until.NEXT_ACTIVATION_END
    ended_kinds = [
        row.kind
        for row in encounter.conditions(model.id)
        if row.until in when and row not in outlasting_conditions
    ]
    apply_outcome(encounter, [Lose(model.id, kind) for kind in ended_kinds])


@dataclass(frozen=True, slots=True)
class PairUp(Action):
    """Pair a Bonded Hero and Beast, or a Watchdog and its owner."""

    command = "cb.gear.pair"
    typed = "gear pair"
    titled = "Make a pair"

    first: Fighter = who("First model")
    second: Fighter = who("Second model", names=offer_other_half)


@dataclass(frozen=True, slots=True)
class ActTogether(Action):
    """Activate a model without a token while its partner acts."""

    command = "cb.gear.along"
    typed = "gear together"
    titled = "Act with a partner"

    model: Fighter = who()


@dataclass(frozen=True, slots=True)
class Leash(Action):
    """Check whether a Watchdog is too far from its owner.

    far: too many inches, however many.
    """

    command = "cb.gear.leash"
    typed = "gear leash"
    titled = "Distance to a Watchdog"
    waits_for_dice = True

    dog: Fighter = who("Watchdog", called="model")
    owner: Fighter = friend("Owner of the Watchdog", needed=True)
    inches: float = measuring.inches_between("dog", "owner", needed=True, checked=True)
    far: bool = False
    by_hand: tuple[str, ...] = fields.by_hand()


@handles(PairUp)
def pair_up(act: Act, action: PairUp) -> Reply:
    """Pair models: Bonded, or a Watchdog and its owner. Rules: CB-FEAT-08, CB-GEAR-49, CB-GEAR-50."""
    first, other = action.first, action.second
    owner, dog = (other, first) if first.profile.is_beast else (first, other)
    paired_ids = frozenset(row.id for row in act.encounter.models() if row.counters.get(Counter.PARTNER))
    if not owner.has_gear("watchdog"):
        require_bond(owner, dog, paired_ids)
    elif not is_watchdog_of(owner, dog):
        raise Forbidden(f"{dog.name} is not one of {possessive(owner.name)} Watchdogs.", "CB-GEAR-49")
    elif {owner.id, dog.id} & paired_ids:
        raise Forbidden(f"{owner.name} or {dog.name} already belongs to another pair.", "CB-GEAR-49")
    pair(act.encounter, owner, dog)
    lines = [f"{owner.name} and {dog.name} are now a pair.", "Neither blocks the other's line of sight."]
    return finish(act, Telling(lines))


# ------------------------------------------------------------------------------------------- together


def find_joining_dogs(act: Act, acting: tuple[Fighter, ...]) -> tuple[Fighter, ...]:
    """Return owners and Watchdogs that are activated with those who act, outside the limit, without a token.

    Rules: CB-GEAR-50.
    """
    partners = []
    for model in acting:
        partner = partner_of(act.encounter, model)
        if partner is None or partner in acting or not after_partner_activated(partner):
            continue
        if is_watchdog_of(model, partner) or is_watchdog_of(partner, model):
            partners.append(partner)
    return tuple(partners)


def bond_buttons(act: Act, acting: tuple[Fighter, ...]) -> tuple[Button, ...]:
    """Return a button for each Bonded partner of those who act that may act too, free. Rules: CB-FEAT-08."""
    partners = [partner_of(act.encounter, model) for model in acting]
    idle = [partner for partner in partners if partner is not None and after_partner_activated(partner)]
    return tuple(
        Button(f"{partner.name} acts too (free)", ActTogether(partner), anytime=True) for partner in idle
    )


@handles(ActTogether)
def act_together(act: Act, action: ActTogether) -> Reply:
    """Act while its partner acts. Rules: CB-FEAT-08, CB-GEAR-50."""
    model, partner = action.model, partner_of(act.encounter, action.model)
    if partner is None or not partner.has(Condition.ACTIVE) or not after_partner_activated(model):
        raise Forbidden(
            f"{model.name} can only act together with an active partner, and only once per turn.",
            "CB-FEAT-08",
        )
    carry_through(act, start_activation(model))
    telling = Telling([f"{model.name} acts with {partner.name}."])
    waits = start_acting(act, again(act, model))
    telling.lines += waits.lines
    telling.proposals += waits.proposals
    return finish(act, telling)


# ------------------------------------------------------------------------------------------- leash


def leash_buttons(encounter: Encounter, acted_models: tuple[Fighter, ...]) -> tuple[Button, ...]:
    """Return a button for every Watchdog that its own or its owner's moves may have left behind.

    Rules: CB-GEAR-50.
    """
    buttons = {}
    for model in acted_models:
        partner = partner_of(encounter, model)
        for owner, dog in ((model, partner), (partner, model)):
            if owner and dog and is_watchdog_of(owner, dog) and leash(owner, dog, LEASH_INCHES + 1):
                too_far = Leash(dog, owner, far=True)
                buttons[dog.id] = Button(f"{dog.name} is more than {LEASH_INCHES} in from its owner", too_far)
    return tuple(buttons.values())


@handles(Leash)
def check_leash(act: Act, action: Leash) -> Reply:
    """Make it panic if it is more than 6 in away. Rules: CB-GEAR-50."""
    dog = action.dog
    inches = LEASH_INCHES + 1 if action.far else action.inches
    telling = Telling()
    telling.follow(act, leash(action.owner, dog, inches))
    how_far = f"over {LEASH_INCHES} in" if action.far else f"{action.inches:g} in"
    if inches <= LEASH_INCHES:
        telling.lines.append(f"{dog.name} is close enough ({how_far}).")
        return finish(act, telling)
    panics = again(act, dog).has(Condition.PANICKED)
    outcome_text = "and panics" if panics else "but is Fearless, so it doesn't panic"
    telling.lines.append(f"{dog.name} is too far away ({how_far}) {outcome_text}.")
    return finish(act, telling)


@dataclass(frozen=True, slots=True)
class Activate(Action):
    """Activate models of the crew whose token was drawn: one, or a group. tokens: order tokens for more."""

    command = "bag.act"
    decision_of = side_of("models")

    models: tuple[int, ...] = ()
    tokens: int = 0


def side_name(encounter: Encounter, place: int) -> str:
    """Return the name of the side that draws at this place."""
    return encounter.sides()[place].name


def drawn_side(encounter: Encounter, bag_now: bag.Bag) -> int:
    """Return the side whose token was drawn. Raises Forbidden before a draw. Rules: CB-BAG-03."""
    if bag_now.drawn is None:
        raise Forbidden("Draw a token first.", "CB-BAG-03")
    return side_places(encounter)[bag_now.drawn]


def list_active(encounter: Encounter) -> tuple[Fighter, ...]:
    """Return the models that are being activated."""
    return tuple(model for model in fighters(encounter) if model.has(Condition.ACTIVE))


def list_continuing(encounter: Encounter) -> tuple[Fighter, ...]:
    """Return those that have not finished: of a group, once another one has begun. Rules: CB-ACT-06."""
    return tuple(model for model in list_active(encounter) if may_continue(encounter, model))


def list_next_to_act(encounter: Encounter) -> tuple[Fighter, ...]:
    """Return who of them has actions left; otherwise all who have not finished, or are activated."""
    going_on = list_continuing(encounter)
    return (
        tuple(model for model in going_on if activation.actions_left(model))
        or going_on
        or list_active(encounter)
    )


def unfinished(encounter: Encounter) -> list[Fighter]:
    """Return who is activated and could still take an action. Rules: CB-ACT-01."""
    return [
        model
        for model in list_continuing(encounter)
        if any(activation.ACTION[key].cost for key in activation.choices(model))
    ]


END_ACTIVATION = "End activation"
"""The label of the button that ends an activation."""


def require_done(act: Act) -> None:
    """Require its player to end an activation with actions left. Raises NotAllowed. Rules: CB-BAG-04."""
    busy_models = unfinished(act.encounter)
    if busy_models:
        side = act.encounter.side(busy_models[0].side)
        act.require(
            act.plays_on(side.id),
            f"Wait for {side.name} to finish {possessive(busy_models[0].name)} activation.",
        )


def require_driven(act: Act) -> None:
    """Require that a vehicle In Motion has travelled. Raises Forbidden. Rules: CB-VEH-10."""
    turn = act.encounter.row.turn
    undriven_vehicles = [
        model
        for model in list_active(act.encounter)
        if must_drive(act.encounter.model(model.id), model, turn)
        if activation.actions_left(model) or owes_move(act.encounter.model(model.id), turn)
    ]
    if undriven_vehicles:
        name, mv = undriven_vehicles[0].name, undriven_vehicles[0].profile.mv
        forbid(f"{name} is In Motion. Drive it at least {mv} in first, with /vehicle drive.", "CB-VEH-10")


def end_model_activation(encounter: Encounter, model: Fighter) -> None:
    """End what lasts until a model has acted; its bombs go off. Rules: CB-COND-07, CB-GEAR-51."""
    apply_outcome(encounter, activation.end_activation(model))
    end_conditions(encounter, model, OVER_AT_END)
    explode_due_bombs(encounter, encounter.model(model.id))


def next_drawer(encounter: Encounter, bag_now: bag.Bag) -> int:
    """Return the place that draws once all active models are done; an activation without a token, by hand
    and between two draws, does not pass the draw on.

    Rules: CB-BAG-04.
    """
    return (
        bag_now.drawer if bag_now.drawn is None else bag.pass_on(bag_now, count_left_to_act(encounter)).drawer
    )


def finish_activation(
    encounter: Encounter, bag_now: bag.Bag
) -> tuple[bag.Bag, list[str], tuple[Button, ...]]:
    """End the activation of all active models and pass the draw on if a token began it; return what is
    still to do.

    Rules: CB-BAG-04, CB-COND-07.
    """
    acted = list_active(encounter)
    for model in acted:
        end_model_activation(encounter, model)
    next_bag = bag_now if bag_now.drawn is None else bag.pass_on(bag_now, count_left_to_act(encounter))
    names = ", ".join(model.name for model in acted)
    names = names or ("" if bag_now.drawn is None else side_name(encounter, bag_now.drawn))
    sentence = f"Done: {names}." if names else "Done."
    lines = [sentence, *(line for model in acted for line in list_owed_moves(encounter, model))]
    return next_bag, lines, leash_buttons(encounter, acted)
