"""What the ground, the air and the fire do to a model when it is activated, and which conditions end then.

Used by the activation itself, so it knows neither the bag nor Upkeep.
"""

from __future__ import annotations

from types import MappingProxyType

from bot.games.counterblast.core.common import again, carry_through, settings
from bot.games.counterblast.core.fighters import fighters
from bot.games.counterblast.core.narration import Telling, wound
from bot.games.counterblast.core.owed import Debt, finds
from bot.games.counterblast.core.surroundings import CLIMATE, VACUUM, climate_here, went_under
from bot.games.counterblast.core.throwers import harmed
from bot.games.counterblast.core.tokens import carried
from bot.games.counterblast.gear.relics import reminders
from bot.games.counterblast.ground import flames
from bot.games.counterblast.ground.fire_play import InFire
from bot.games.counterblast.turn.pairing import is_stray
from bot.games.counterblast.turn.uplink import DUE, UPLINK, lacks_uplink
from bot.games.counterblast.vehicles.vehicle_state import burning_aboard, coasts, owes_move
from bot.replies.reply import Button
from bot.table.act import Act
from bot.table.encounter import Encounter
from rules.effects import Assign, Count, Lose, Propose
from rules.refusals import allows
from rules.systems.counterblast.core.burning import CONDITION, Kind, at_activation
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Condition, Fighter, Until
from rules.systems.counterblast.movement.environment import drowning_hit, vacuum_hit
from rules.systems.counterblast.movement.ground import climate, climate_hit
from rules.systems.counterblast.turn.activation import ACTIONS, actions_left, may_take, stray_acts
from rules.wording import possessive

OVER_AT_END = frozenset({Until.ACTIVATION_END, Until.NEXT_ACTIVATION_END})
"""What ends with an activation; Until.NEXT_ACTIVATION ends when it begins."""

TAKES = MappingProxyType({"put_out": "skill", "cleanse": "item", "break_free": "break_free"})
"""What a model may do before anything else, and the action that it takes."""


def begins(act: Act, model: Fighter) -> Telling:
    """Everything that awaits a model which has just become active.

    Rules: CB-BURN-05, CB-BURN-06, CB-ENV-06, CB-ENV-09, CB-HAZ-04, CB-FEAT-04, CB-COND-01,
    CB-CREW-13, CB-GEAR-50, CB-VEH-10, CB-VEH-37.
    """
    telling = Telling()
    over(act.encounter, model, frozenset({Until.NEXT_ACTIVATION}))
    if not model.has(Condition.ACTIVE):
        return telling
    if is_stray(act.encounter, model):
        telling.proposals += carry_through(act, stray_acts(model))
        model = again(act, model)
    turn = act.encounter.row.turn
    if act.encounter.count(VACUUM) and vacuum_hit(model, turn):
        model = wound(act, telling, model, 1, "in vacuum")
    if not model.is_down and drowning_hit(model, turn, went_under(act.encounter, model)):
        model = wound(act, telling, model, 1, "without air")
    if not model.is_down:
        model = _climate(act, telling, model)
    if not model.is_down:
        telling.proposals += _first_things(model)
        _fire(act, telling, model)
        _uplink(act, telling, model)
        _vehicle(act, telling, model)
        telling.lines += reminders(act.encounter, model)
    return telling


def _first_things(model: Fighter) -> list[Propose]:
    """What it has to do, or may do free, before anything else; the words are in how its activation begins.

    Rules: CB-PANIC-10, CB-COND-06, CB-FEAT-50, CB-MOVE-08, CB-FEAT-44.
    """
    found = []
    if model.has(Condition.PANICKED) and not model.count(Counter.RALLIED):
        found.append(Propose("rally", model.id, ""))
    if model.has(Condition.PINNED):
        found.append(Propose("break_free", model.id, ""))
    if model.has(Condition.PRONE) and not model.is_engaged:
        found.append(Propose("stand", model.id, ""))
    return found


def _uplink(act: Act, telling: Telling, model: Fighter) -> None:
    due = lacks_uplink(act.encounter, model)
    carry_through(act, [Assign("model", model.id, UPLINK, DUE if due else 0)])
    if due:
        telling.proposals.append(
            Propose("uplink", model.id, f"{model.name} has no uplink: INT vs 5, or idle.")
        )


def _vehicle(act: Act, telling: Telling, model: Fighter) -> None:
    """What it has to do that is In Motion, or rides in what burns."""
    row = act.encounter.model(model.id)
    if model.profile.is_vehicle and coasts(row, act.encounter.row.turn):
        mv = model.profile.mv
        telling.lines += [
            f"{model.name} is In Motion: {mv} in or more,",
            "straight on; turns take Maneuvers.",
        ]
    aboard = model.count(Counter.RIDES)
    telling.proposals += [one for one in burning_aboard(act.encounter) if one.model == aboard]


def _climate(act: Act, telling: Telling, model: Fighter) -> Fighter:
    """The hit of an area comes with its own test. Rules: CB-HAZ-04."""
    grade = climate_here(act.encounter, model)
    lost = ACTIONS - climate(model, grade).actions if grade else 0
    if lost:
        carry_through(act, [Count("model", model.id, Counter.ACTIONS, lost)])
        telling.lines.append(f"{model.name} loses {lost} action to heat or cold.")
    table = act.encounter.count(CLIMATE)
    found = climate(model, table) if table else None
    if found is None or not found.power:
        return again(act, model)
    cancel = settings(act).shield_ones_cancel
    whose = harmed(model.name, "heat or cold")
    wounds = act.roll(whose, climate_hit, found.power, model.shield, model.has_feature("tough"), cancel)
    return wound(act, telling, again(act, model), wounds, "in heat or cold")


def _fire(act: Act, telling: Telling, model: Fighter) -> None:
    for kind in flames.become_due(act.encounter, model):
        due = carry_through(act, at_activation(model, in_fire=False, kind=kind))
        telling.proposals += [one for one in due if _may_take(model, one.action)]


def _may_take(model: Fighter, action: str) -> bool:
    """Whether a model may do now what it might; what takes no action it may."""
    return action not in TAKES or allows(may_take, model, TAKES[action])


def still_awaits(encounter: Encounter, model: Fighter) -> list[Propose]:
    """What an active model has to do, or to choose from, before anything else, and has not done.

    Rules: CB-BURN-06, CB-FEAT-04, CB-CREW-13, CB-PANIC-10, CB-COND-06.
    """
    found, left = [], actions_left(model)
    for kind in flames.owed(encounter, model):
        spares = "put_out" if kind == "fire" else "cleanse"
        carries = kind == "fire" or model.has(CONDITION[kind])
        if carries and _may_take(model, spares) and not flames.acted_elsewhere(encounter, model):
            found.append(Propose(spares, model.id, ""))
        found.append(Propose("burn", model.id, "", (("kind", kind),)))
    if model.count(UPLINK) == DUE:
        found.append(Propose("uplink", model.id, ""))
    if model.has(Condition.PINNED) and _may_take(model, "break_free"):
        found.append(Propose("break_free", model.id, ""))
    if left and model.has(Condition.PANICKED) and model.count(Counter.RALLIED) and not model.is_engaged:
        found.append(Propose("flee", model.id, ""))
    return found


def still_owed(encounter: Encounter, model: Fighter) -> list[str]:
    """What a model whose activation ends may still drive. Rules: CB-RUN-01."""
    owed = owes_move(encounter.model(model.id), encounter.row.turn)
    return [f"{model.name} may still drive its Move: /vehicle drive."] if owed else []


@finds
def hits_left(act: Act) -> list[Debt]:
    """Hits of fire or acid that models whose activation is over neither took nor were spared.

    Rules: CB-BURN-06, CB-FEAT-04.
    """
    return [
        _hit_left(model, kind)
        for model in fighters(act.encounter)
        if not model.has(Condition.ACTIVE) and not model.is_incapacitated
        for kind in flames.owed(act.encounter, model)
    ]


def _hit_left(model: Fighter, kind: Kind) -> Debt:
    takes = InFire(model, kind, outside=True)
    button = Button(f"{model.name}: take the hit", takes, "main", anytime=True)
    return Debt(model.side, f"{model.name} still takes the {possessive(kind)} hit.", (button,))


def over(encounter: Encounter, model: Fighter, when: frozenset[Until]) -> None:
    """End the conditions whose time has come; what outlasts one activation ends with the one after it."""
    longer = [row for row in encounter.conditions(model.id) if row.until == Until.SECOND_ACTIVATION_END]
    for row in longer if when == OVER_AT_END else ():
        row.until = Until.NEXT_ACTIVATION_END
    done = [row.kind for row in encounter.conditions(model.id) if row.until in when and row not in longer]
    carried(encounter, [Lose(model.id, kind) for kind in done])
