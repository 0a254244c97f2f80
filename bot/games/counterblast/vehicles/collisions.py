"""Vehicles that run into something: collisions by size and distance, in a charge, out of control."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from bot.actions import Action
from bot.games.counterblast.core.common import again, carry_through
from bot.games.counterblast.core.contact import mark_engaged
from bot.games.counterblast.core.fields import several, who
from bot.games.counterblast.core.narration import (
    Telling,
    add_wounds,
    finish,
    model_choices,
    register_offer,
    require_between,
)
from bot.games.counterblast.core.wording import cast_crash, reasons, wound_odds
from bot.games.counterblast.state.models import fighter, fighters
from bot.games.counterblast.state.sight import forget_sightings
from bot.games.counterblast.state.table_state import ModelState
from bot.games.counterblast.state.vehicles import read_inches_moved, store_drive
from bot.replies.reply import Blank, Button, Menu, Reply, form
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.owners import in_play
from bot.table.steps import Chances, Weighed, in_steps
from bot.table.throw_purposes import Whose
from rules.effects import Propose
from rules.modifiers import Modifier, total
from rules.refusals import forbid
from rules.systems.counterblast import vehicle_rules
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.general import distance_dice, impact, struck_dice
from rules.systems.counterblast.movement.environment import Collision, Faller, collide
from rules.wording import possessive, times

MAX_DISTANCE = 200
MAX_MODELS_HIT = 10
COLLISION_FORM = form(
    "cb.veh.hit", "Collision", Blank("inches", "Distance moved before impact (inches)", longest=5)
)


@dataclass(frozen=True, slots=True)
class VehicleCrash(Action):
    """A vehicle touches models or terrain after so many inches. sure: no model; wild: out of control.

    falls: a flyer comes down, onto the ground in any case. aside: further models of one collision, whose own
    damage the vehicle has taken. ram: it rams with a Power Ram, as its attack in melee. footprint: its area
    divided by that of what it strikes, where it was measured.
    """

    command = "cb.veh.hit"
    facts = frozenset({"inches", "struck", "footprint", "sure"})
    decision_of = in_play("the player of the vehicle (any player if it is out of control)")

    vehicle: int = 0
    inches: float = 0.0
    struck: tuple[int, ...] = fields.unordered()
    sure: bool = False
    wild: bool = False
    ram: bool = False
    falls: bool = False
    aside: bool = False
    footprint: float = 0.0
    odds: bool = False


@dataclass(frozen=True, slots=True)
class Ram(Action):
    """Collide with models or terrain.

    models: by name; ram: with its Power Ram.
    """

    command = "cb.veh.ram"
    typed = "vehicle ram"
    titled = "Collide"

    vehicle: Fighter = who("Vehicle", called="model")
    inches: float = fields.inches(
        "Distance driven before contact (inches)", 0.0, 200.0, default=0.0, needed=True, fact=True
    )
    models: tuple[Fighter, ...] = several("Models hit, separated by commas", fact=True)
    ram: bool = fields.switch("The vehicle attacks with its Power Ram", called="power_ram")
    footprint: float = fields.inches(
        "Vehicle's base area divided by that of the models hit", 0.0, 100.0, default=0.0, fact=True
    )
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class ReadyCollision:
    """A collision as it is stored, with its author and everyone in it."""

    crash: VehicleCrash
    vehicle: Fighter
    struck: tuple[Fighter, ...]


C = TypeVar("C", bound=Action)


class Ramming(Weighed[C, ReadyCollision], Generic[C]):
    """Dice for every full 3 in on the vehicle and on all that it touches.

    Rules: CB-VEH-04, CB-VEH-21 to CB-VEH-27, CB-VEH-33, CB-VEH-34, CB-VEH-39, CB-VEH-54.
    """

    label = "Collide"

    def asks(self, act: ActView, action: C, ready: ReadyCollision) -> Reply | None:
        crash = ready.crash
        return None if crash.struck or crash.sure else _ask_which_models(act, ready.vehicle, crash)

    def odds(self, act: ActView, action: C, ready: ReadyCollision) -> Reply:
        return self.asks(act, action, ready) or super().odds(act, action, ready)

    def do(self, act: Act, action: C, ready: ReadyCollision) -> Reply:
        telling, vehicle, struck_models = Telling(), ready.vehicle, ready.struck
        roll_collision(act, telling, vehicle, struck_models, ready.crash)
        next_steps = _end_collision(act, telling, vehicle, struck_models, ready.crash)
        return finish(act, telling, _dice_lines(vehicle, struck_models, ready.crash), *next_steps)

    def chances(self, act: ActView, action: C, ready: ReadyCollision) -> Chances:
        head = f"{ready.vehicle.name} collides after moving {ready.crash.inches:g} in"
        lines = collision_odds(act, ready.vehicle, ready.struck, ready.crash)
        return Chances((head, *lines), solved=tuple(act.told))


@in_steps(VehicleCrash)
class Crashing(Ramming[VehicleCrash]):
    """A collision whose models are chosen from a menu."""

    def prepare(self, act: ActView, action: VehicleCrash) -> ReadyCollision:
        """Return a vehicle fast enough, on the way that it drove. Raises InvalidInput, Forbidden."""
        return _prepare_collision(act, action)


@in_steps(Ram)
class RammingNamed(Ramming[Ram]):
    """A collision whose models are entered by name. Rules: CB-VEH-21."""

    def prepare(self, act: ActView, action: Ram) -> ReadyCollision:
        struck_ids = tuple(model.id for model in action.models)
        crash = VehicleCrash(
            action.vehicle.id, action.inches, struck_ids, ram=action.ram, footprint=action.footprint
        )
        act.canonical = crash
        return _prepare_collision(act, replace(crash, odds=action.odds))


def _prepare_collision(act: ActView, action: VehicleCrash) -> ReadyCollision:
    row = act.encounter.model(action.vehicle)
    if action.wild:
        act.require_player()
    elif not action.odds:
        act.require_model(row)
    vehicle = fighter(act.encounter, row)
    _require_collision(act, vehicle, action)
    struck_models = tuple(fighter(act.encounter, act.encounter.model(number)) for number in action.struck)
    return ReadyCollision(action, vehicle, struck_models)


def _require_collision(act: ActView, vehicle: Fighter, action: VehicleCrash) -> None:
    """Refuse what is not a collision, and what the vehicle did not drive. Raises Forbidden."""
    vehicle_rules.require_vehicle(vehicle)
    require_between(action.inches, 0, MAX_DISTANCE, "Distance (inches)")
    if vehicle.profile.is_cavalry and not action.wild:
        forbid(f"{vehicle.name} is Cavalry, so it doesn't collide.", "CB-VEH-04")
    is_fast_enough = vehicle_rules.collides(vehicle, action.inches, out_of_control=action.wild)
    if not is_fast_enough and not action.falls:
        half_move = vehicle.profile.mv / 2
        forbid(f"{vehicle.name} can only collide after it has moved at least {half_move:g} in.", "CB-VEH-21")
    row, turn = act.encounter.model(vehicle.id), max(1, act.encounter.row.turn)
    inches_driven, _ = read_inches_moved(row, turn)
    if not action.wild and not action.odds and action.inches > inches_driven:
        advice = f"Enter at most {inches_driven:g} in." if inches_driven else "Use /vehicle drive first."
        forbid(
            f"{advice} {vehicle.name} has driven {inches_driven:g} in so far this turn "
            f"(you entered {action.inches:g} in).",
            "CB-VEH-22",
        )
    is_own_path = not action.wild and not action.odds and not action.aside and not action.falls
    if is_own_path and ModelState(row).collision_turn == turn:
        forbid(
            f"{vehicle.name} has already collided and stopped. Undo that, then enter every model it hit.",
            "CB-VEH-25",
        )


def _ask_which_models(act: ActView, vehicle: Fighter, action: VehicleCrash) -> Reply:
    other_models = [
        model
        for model in fighters(act.encounter)
        if model.id != vehicle.id and not model.count(Counter.RIDES)
    ]
    max_models = min(MAX_MODELS_HIT, len(other_models))
    menu = Menu(
        f"Which models does {vehicle.name} hit?", action, "struck", model_choices(other_models), 1, max_models
    )
    inches = f"{action.inches:g} in"
    impact_text = f"runs into something after moving {inches}"
    crash_text = f"hits the ground {inches} ahead" if action.falls else impact_text
    nothing_else_button = Button(
        "Only the ground" if action.falls else "Only terrain", replace(action, sure=True), "main"
    )
    lines = (f"{vehicle.name} {crash_text}.", "It hits everything that its base touches.")
    return Reply(
        lines,
        private=True,
        buttons=() if action.aside else (nothing_else_button,),
        menus=(menu,) if other_models else (),
    )


# ------------------------------------------------------------------------------------------- dice


def _list_vehicle_dice(vehicle: Fighter, action: VehicleCrash) -> list[Modifier]:
    """Return the vehicle's own dice. Rules: CB-VEH-22, CB-VEH-54."""
    number = distance_dice(action.inches)
    modifiers = [Modifier(number, f"{action.inches:g} in", "CB-VEH-22")]
    absorbed = vehicle_rules.absorbed_dice(vehicle, ramming=action.ram)
    return [*modifiers, Modifier(-absorbed, "Power Ram", "CB-VEH-54")] if absorbed and number else modifiers


def _list_struck_dice(vehicle: Fighter, model: Fighter, action: VehicleCrash) -> list[Modifier]:
    """Return the dice on a model that is struck. Rules: CB-VEH-22 to CB-VEH-24."""
    number = distance_dice(action.inches)
    extra_dice = struck_dice(action.inches, vehicle.profile.size, model.profile.size) - number
    modifiers = [Modifier(number, f"{action.inches:g} in", "CB-VEH-22")]
    return [*modifiers, Modifier(extra_dice, "smaller base", "CB-VEH-23")] if extra_dice else modifiers


def _dice_lines(vehicle: Fighter, struck_models: Sequence[Fighter], action: VehicleCrash) -> list[str]:
    vehicle_dice = [] if action.aside else [(vehicle, total(_list_vehicle_dice(vehicle, action)))]
    dice_by_model = [
        *vehicle_dice,
        *((model, total(_list_struck_dice(vehicle, model, action))) for model in struck_models),
    ]
    lines = [
        f"{model.name}: {times(number, 'die', 'dice')} vs {model.defense}" for model, number in dice_by_model
    ]
    return [*lines, "Shields don't help."]


def _damage_roll(vehicle: Fighter, model: Fighter, action: VehicleCrash) -> tuple[int, int, str]:
    """Dice, Defense and label of the damage roll on a model that is struck."""
    return struck_dice(action.inches, vehicle.profile.size, model.profile.size), model.defense, "struck"


def _is_tough(model: Fighter) -> bool:
    return model.has_feature("tough")


def _explain_dice(vehicle: Fighter, struck_models: Sequence[Fighter], action: VehicleCrash) -> list[str]:
    lines = (
        [] if action.aside else reasons(f"Dice against {vehicle.name}", _list_vehicle_dice(vehicle, action))
    )
    for model in struck_models:
        lines += reasons(f"Dice against {model.name}", _list_struck_dice(vehicle, model, action))
    return lines


def roll_collision(
    act: Act, telling: Telling, vehicle: Fighter, struck_models: Sequence[Fighter], action: VehicleCrash
) -> None:
    """Roll a collision and add the wounds for everyone; a vehicle out of control has no author.

    Rules: CB-VEH-22 to CB-VEH-27, CB-SCORE-02.
    """
    fallers = tuple(Faller.of(model) for model in struck_models)
    if action.aside:
        hits = Collision(
            0,
            tuple(
                act.roll(
                    Whose(model.name, "damage", f"from {possessive(vehicle.name)} collision"),
                    impact,
                    *_damage_roll(vehicle, model, action),
                    tough=_is_tough(model),
                )
                for model in struck_models
            ),
        )
    else:
        absorbed = vehicle_rules.absorbed_dice(vehicle, ramming=action.ram)
        purposes = cast_crash(vehicle.name, [model.name for model in struck_models], "collision")
        hits = act.roll(purposes, collide, action.inches, Faller.of(vehicle), fallers, absorbed=absorbed)
        add_wounds(act, telling, vehicle, hits.mover, "from the collision")
    attacker_id = 0 if action.wild else vehicle.id
    for hit_model, wounds in zip(struck_models, hits.struck, strict=True):
        add_wounds(act, telling, again(act, hit_model), wounds, by=attacker_id)
        if _is_pushed_aside(vehicle, hit_model, action):
            prone_effects = vehicle_rules.after_push(hit_model, wounds)
            carry_through(act, prone_effects)
            forget_sightings(act.encounter, hit_model.id)
            telling.lines += [f"{hit_model.name} is pushed aside and falls Prone."] if prone_effects else []
    telling.why += _explain_dice(vehicle, struck_models, action)


def _is_pushed_aside(vehicle: Fighter, model: Fighter, action: VehicleCrash) -> bool:
    size = vehicle_rules.size_of(vehicle.profile.size)
    return vehicle_rules.pushes_through(size, model.profile.size, action.footprint)


def collision_odds(
    act: ActView, vehicle: Fighter, struck_models: Sequence[Fighter], action: VehicleCrash
) -> list[str]:
    """Return the chances of every number of wounds on the vehicle and on each that it strikes."""
    rolls = [(model, _damage_roll(vehicle, model, action)) for model in struck_models]
    if not action.aside:
        rolls = [
            (vehicle, (total(_list_vehicle_dice(vehicle, action)), vehicle.defense, "collision")),
            *rolls,
        ]
    lines = []
    for hit_model, (number, defense, label) in rolls:
        odds = act.solve(impact, number, defense, label, tough=_is_tough(hit_model))
        lines += [f"{hit_model.name}, {times(number, 'die', 'dice')} vs {defense}:"]
        lines += wound_odds(odds, max(1, hit_model.life_left))
    return lines


# ------------------------------------------------------------------------------------------- afterwards


def _end_collision(
    act: Act, telling: Telling, vehicle: Fighter, struck_models: Sequence[Fighter], action: VehicleCrash
) -> tuple[Button, ...]:
    """Rules: CB-VEH-10, CB-VEH-26, CB-COND-03."""
    pushes_through = bool(struck_models) and all(
        _is_pushed_aside(vehicle, model, action) for model in struck_models
    )
    if pushes_through or action.wild:
        next_crash = replace(action, struck=(), sure=False)
        return (
            (Button("It hits something else...", next_crash, form=COLLISION_FORM),)
            if pushes_through and not action.falls
            else ()
        )
    row, turn = act.encounter.model(vehicle.id), max(1, act.encounter.row.turn)
    is_moving = vehicle_rules.in_motion(vehicle, action.inches)
    store_drive(row, turn, action.inches, moving=is_moving)
    if ModelState(row).collision_turn != turn:
        state = "will" if is_moving else "won't"
        telling.lines.append(
            f"{vehicle.name} stops after moving {action.inches:g} in and {state} be In Motion next turn."
        )
    ModelState(row).collision_turn = turn
    for hit_model in struck_models:
        _engage_struck_model(act, telling, again(act, vehicle), again(act, hit_model))
    return ()


def _engage_struck_model(act: Act, telling: Telling, vehicle: Fighter, struck_model: Fighter) -> None:
    already_engaged = vehicle.is_engaged_with(struck_model)
    if (
        vehicle.side == struck_model.side
        or already_engaged
        or vehicle.is_incapacitated
        or struck_model.is_incapacitated
    ):
        return
    mark_engaged(act, vehicle, struck_model)
    telling.lines.append(f"{vehicle.name} and {struck_model.name} are engaged.")


# ------------------------------------------------------------------------------------------- in a charge


def charge_crash(vehicle: Fighter, target: Fighter, inches: float) -> VehicleCrash | None:
    """Return the collision that a charge causes, or None for Cavalry, short moves and non-vehicles.

    A Power Ram helps, since it is the attack in melee. Rules: CB-VEH-21, CB-VEH-54.
    """
    if not vehicle.profile.is_vehicle or not vehicle_rules.collides(vehicle, inches):
        return None
    return VehicleCrash(vehicle.id, inches, (target.id,), ram=True)


def roll_charge_collision(
    act: Act, telling: Telling, vehicle: Fighter, target: Fighter, inches: float
) -> None:
    """Note how far a charge drove into contact, and roll the collision.

    Further models that its base touches are asked for. Rules: CB-VEH-10, CB-VEH-21, CB-VEH-25, CB-VEH-54.
    """
    if not vehicle.profile.is_vehicle:
        return
    row, turn = act.encounter.model(vehicle.id), max(1, act.encounter.row.turn)
    store_drive(row, turn, inches, moving=vehicle_rules.in_motion(vehicle, inches))
    crash = charge_crash(vehicle, target, inches)
    if crash is None:
        return
    roll_collision(act, telling, vehicle, [target], crash)
    telling.lines += _dice_lines(vehicle, [target], crash)
    others_text = f"{vehicle.name} also hits any other model that its base touches."
    telling.proposals.append(
        Propose("touches_more", vehicle.id, others_text, (("tenths", round(10 * inches)),))
    )


@register_offer("touches_more")
def _further_hit_button(proposal: Propose) -> tuple[str, Action]:
    inches = int(dict(proposal.details)["tenths"]) / 10
    return "It hits something else...", VehicleCrash(proposal.model, inches, aside=True, ram=True)
