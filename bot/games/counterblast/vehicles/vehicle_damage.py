"""Disabled vehicles: Critical Damage, running wild, explosions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.actions import Action, reference_by_number
from bot.games.counterblast.core.common import again, carry_through, settings
from bot.games.counterblast.core.debts import Debt, register_finder
from bot.games.counterblast.core.fields import anybody
from bot.games.counterblast.core.narration import (
    Finishing,
    FinishingOften,
    Telling,
    add_wounds,
    critical_words,
    hurt_chances,
    owes_critical,
    register_offer,
)
from bot.games.counterblast.core.wording import cast_automatic_hit, reasons
from bot.games.counterblast.state.models import fighter, fighters
from bot.games.counterblast.state.sight import forget_sightings
from bot.games.counterblast.state.table_state import ModelState
from bot.games.counterblast.state.vehicles import list_riders
from bot.games.counterblast.templates.coverage import HitsNear, ask_near
from bot.games.counterblast.vehicles.collisions import COLLISION_FORM, VehicleCrash
from bot.replies.chances import bars
from bot.replies.reply import Button, Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.encounter import EncounterView
from bot.table.names import plain
from bot.table.owners import PLAYER, decided_by
from bot.table.steps import Chances, in_steps
from bot.table.throw_purposes import Cast, Whose, counted
from rules.counters import AnyCounter
from rules.dice import Dice
from rules.effects import Leave, Propose
from rules.modifiers import Modifier
from rules.refusals import Forbidden
from rules.systems.counterblast.core.burning import roll_burn
from rules.systems.counterblast.core.conditions import CASUALTY
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.impacts import Impact
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.vehicle_rules import Careen as Careered
from rules.systems.counterblast.vehicle_rules import (
    after_critical,
    after_explosion,
    careen,
    crash,
    critical_damage,
    damage_beyond,
    explosion,
    explosion_impact,
    passengers_burnt,
    stays_in_play,
)
from rules.wording import possessive


@dataclass(frozen=True, slots=True)
class CriticalDamage(Action):
    """Roll Critical Damage for a disabled vehicle.

    By the Critical Damage Table.
    """

    command = "cb.veh.crit"
    typed = "vehicle critical"
    titled = "Critical Damage"
    decision_of = decided_by(lambda act, action: [side_that_disabled(act.encounter, action.vehicle.id)])

    vehicle: Fighter = anybody("Vehicle", needed=True, called="model")
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class Careens(Action):
    """A careening vehicle: three random Maneuvers."""

    command = "cb.veh.wild"
    decision_of = PLAYER

    vehicle: int = 0
    odds: bool = False


@dataclass(frozen=True, slots=True)
class FallsDown(Action):
    """A disabled flyer comes down."""

    command = "cb.veh.down"
    decision_of = PLAYER

    vehicle: int = 0
    odds: bool = False


EXPLOSION_INCHES = 3
"""Inches around a vehicle that its explosion reaches."""


@dataclass(frozen=True, slots=True)
class BlowsUp(HitsNear):
    """A vehicle explodes; near it is who is within 3 in."""

    command = "cb.veh.boom"
    decision_of = PLAYER

    vehicle: int = 0
    odds: bool = False


@dataclass(frozen=True, slots=True)
class BurnRiders(Action):
    """Roll for passengers of a burning vehicle at the start of a turn.

    They suffer once a turn.
    """

    command = "cb.veh.burn"
    typed = "vehicle burn"
    titled = "Roll for passengers"
    decision_of = PLAYER

    vehicle: Fighter = anybody("Vehicle", needed=True, called="model")
    odds: bool = fields.odds()


@register_offer("critical_damage")
def _critical_button(proposal: Propose) -> tuple[str, Action]:
    return "Critical Damage", CriticalDamage(reference_by_number(proposal.model))


@register_offer("careen", odds=True)
def _careen_button(proposal: Propose) -> tuple[str, Action]:
    return "Careen", Careens(proposal.model)


@register_offer("crash", odds=True)
def _crash_button(proposal: Propose) -> tuple[str, Action]:
    return "Fall", FallsDown(proposal.model)


@register_offer("burn_riders")
def _riders_button(proposal: Propose) -> tuple[str, Action]:
    return (f"Roll for {possessive(str(proposal.details[0][1]))} passengers"), BurnRiders(
        reference_by_number(proposal.model)
    )


@register_offer("vehicle_explodes", odds=True)
def _explodes_button(proposal: Propose) -> tuple[str, Action]:
    return "Explode...", BlowsUp(proposal.model)


WRECK_DEBTS: dict[AnyCounter, tuple[str, str, Callable[[int], Action]]] = {
    ModelState.wild_inches.key: ("careens", "Careen", Careens),
    ModelState.falls_from_air.key: ("falls out of the sky", "Fall", FallsDown),
    ModelState.explodes.key: ("explodes", "Explode...", BlowsUp),
}
"""Debts of a wreck: the words and the button of each."""


@register_finder
def list_wreck_debts(act: Act) -> list[Debt]:
    """Return vehicles that owe Critical Damage, and wrecks that have yet to careen, fall or explode.

    Rules: CB-VEH-31, CB-VEH-34, CB-VEH-36, CB-VEH-39.
    """
    debts = []
    for row in act.encounter.models():
        vehicle = fighter(act.encounter, row)
        if owes_critical(vehicle):
            roll = Button("Critical Damage", CriticalDamage(vehicle), "main", anytime=True)
            side = side_that_disabled(act.encounter, row.id) or row.side
            debts.append(Debt(side, critical_words(vehicle), (roll,)))
        for key, (state_text, label, kind) in WRECK_DEBTS.items():
            if row.counters.get(key, 0):
                button = Button(label, kind(row.id), "main", anytime=True)
                debts.append(Debt(row.side, f"{row.name} {state_text}.", (button,)))
    return debts


def side_that_disabled(encounter: EncounterView, vehicle_id: int) -> int:
    """Return the side whose attack disabled a vehicle, which rolls its Critical Damage, or 0."""
    row = encounter.model(vehicle_id)
    return row.hurt_side if row.hurt_side != row.side else 0


def _require_wreck(act: ActView, vehicle_id: int, counter: AnyCounter) -> Fighter:
    row = act.encounter.model(vehicle_id)
    if not row.counters.get(counter, 0):
        raise Forbidden(f"There is nothing left to roll for {row.name}.", "CB-VEH-31")
    return fighter(act.encounter, row)


def _clear_debt(act: Act, vehicle: Fighter, counter: AnyCounter) -> None:
    act.encounter.model(vehicle.id).counters.pop(counter, 0)


@dataclass(frozen=True, slots=True)
class ReadyCritical:
    """A disabled vehicle, and the damage beyond what disabled it. thrower: who rolls, by name."""

    vehicle: Fighter
    beyond: int
    thrower: str = ""


@in_steps(CriticalDamage)
class Crippling(Finishing[CriticalDamage, ReadyCritical, str]):
    """d10, 1 more for each point beyond what disabled it. Rules: CB-VEH-27, CB-VEH-31 to CB-VEH-36."""

    def prepare(self, act: ActView, action: CriticalDamage) -> ReadyCritical:
        """Return the roll, once for each vehicle. Raises InvalidInput, Forbidden."""
        vehicle = action.vehicle
        excess_damage = damage_beyond(vehicle.profile.life, vehicle.damage)
        if not vehicle.profile.is_vehicle or excess_damage is None:
            raise Forbidden(f"{vehicle.name} is not a disabled vehicle.", "CB-VEH-31")
        if vehicle.count(Counter.CRITICAL):
            raise Forbidden(f"Critical Damage has already been rolled for {vehicle.name}.", "CB-VEH-31")
        side = side_that_disabled(act.encounter, vehicle.id)
        attacker = act.encounter.captain(side) if side else None
        return ReadyCritical(vehicle, excess_damage, attacker.name if attacker else "")

    def whose(self, action: CriticalDamage, ready: ReadyCritical) -> Whose:
        """Return the attacker's, for the vehicle. Rules: CB-VEH-31."""
        bonus_text = f", {ready.beyond:+d}" if ready.beyond else ""
        return Whose(ready.vehicle.name, "roll", f"on the Critical Damage Table{bonus_text}", ready.thrower)

    def rule(self, dice: Dice, ready: ReadyCritical) -> str:
        return critical_damage(dice, ready.beyond)

    def settle(self, act: Act, action: CriticalDamage, ready: ReadyCritical, outcome: str) -> Telling:
        vehicle, excess_damage = ready.vehicle, ready.beyond
        row = act.encounter.model(vehicle.id)
        row.counters[Counter.CRITICAL] = 1
        telling = Telling([f"{vehicle.name}: {load().charts['critical_damage'].named(outcome).name}."])
        if excess_damage:
            telling.why += reasons(
                "Added to the d10", [Modifier(excess_damage, "damage beyond its Life", "CB-VEH-31")]
            )
            telling.dice = [f"d10, +{excess_damage} for damage beyond its Life"]
        telling.follow(act, after_critical(vehicle, outcome))
        counters_by_proposal = {
            "careen": ModelState.wild_inches.key,
            "vehicle_explodes": ModelState.explodes.key,
            "crash": ModelState.falls_from_air.key,
        }
        for proposal in telling.proposals:
            if proposal.action in counters_by_proposal:
                row.counters[counters_by_proposal[proposal.action]] = 1
        runaways = [proposal for proposal in telling.proposals if proposal.action == "runaway"]
        telling.more = tuple(
            Button(
                "It hits something...",
                VehicleCrash(runaway.model, float(vehicle.profile.mv), wild=True),
                form=COLLISION_FORM,
            )
            for runaway in runaways
        )
        if stays_in_play(outcome):
            telling.lines.append(f"{vehicle.name} stays on the table until the fire is out.")
        passengers = list_riders(act.encounter, vehicle.id)
        if passengers:
            telling.lines += [
                f"If {vehicle.name} leaves play, its passengers are lost: "
                f"{', '.join(rider.name for rider in passengers)}."
            ]
        return telling

    def chances(self, act: ActView, action: CriticalDamage, ready: ReadyCritical) -> Chances:
        odds = act.solve(self.rule, ready)
        chart = load().charts["critical_damage"]
        rows = [(row.name, odds.chance(lambda got, key=row.key: got == key)) for row in chart.rows]  # type: ignore[misc]
        head = f"{ready.vehicle.name}: Critical Damage, d10{f' +{ready.beyond}' if ready.beyond else ''}"
        return Chances((head, *bars(rows)), solved=(odds,))


@dataclass(frozen=True, slots=True)
class ReadyWreck:
    """A vehicle with something due; near: the models near an explosion."""

    vehicle: Fighter
    near: tuple[tuple[Fighter, Impact], ...] = ()


@in_steps(Careens)
class Careening(Finishing[Careens, ReadyWreck, Careered]):
    """Two moves with three random Maneuvers at thirds of the way. Rules: CB-VEH-34."""

    label = "Careen"

    def prepare(self, act: ActView, action: Careens) -> ReadyWreck:
        """Return one that is out of control. Raises Forbidden."""
        return ReadyWreck(_require_wreck(act, action.vehicle, ModelState.wild_inches.key))

    def whose(self, action: Careens, ready: ReadyWreck) -> Cast:
        maneuver_texts = (
            f"for its Maneuver {place}"
            for place in ("a third of the way along", "two thirds of the way along", "at the end")
        )
        return counted(*(Whose(ready.vehicle.name, "roll", place) for place in maneuver_texts))

    def rule(self, dice: Dice, ready: ReadyWreck) -> Careered:
        return careen(dice, ready.vehicle.profile.mv)

    def settle(self, act: Act, action: Careens, ready: ReadyWreck, outcome: Careered) -> Telling:
        vehicle = ready.vehicle
        _clear_debt(act, vehicle, ModelState.wild_inches.key)
        forget_sightings(act.encounter, vehicle.id)
        names = [load().charts["careening"].named(key).name for key in outcome.maneuvers]
        places = zip(
            ("A third of the way along", "Two thirds of the way along", "At the end"), names, strict=True
        )
        hit = Button(
            "It hits something...", VehicleCrash(vehicle.id, outcome.inches, wild=True), form=COLLISION_FORM
        )
        return Telling(
            [
                f"{vehicle.name} careens {outcome.inches:g} in.",
                *(f"{place}: {name}" for place, name in places),
            ],
            more=(hit,),
        )

    def chances(self, act: ActView, action: Careens, ready: ReadyWreck) -> Chances:
        inches = act.solve(self.rule, ready).map(lambda got: got.inches)
        rows = [(f"{inches_moved:g} in", chance) for inches_moved, chance in sorted(inches.each().items())]
        return Chances((f"Distance that {ready.vehicle.name} careens:", *bars(rows)), solved=(inches,))


@in_steps(FallsDown)
class FallingDown(Finishing[FallsDown, ReadyWreck, int]):
    """Straight ahead, into what is in between and the ground. Rules: CB-VEH-39."""

    label = "Fall"

    def prepare(self, act: ActView, action: FallsDown) -> ReadyWreck:
        """Return one that comes down. Raises Forbidden."""
        return ReadyWreck(_require_wreck(act, action.vehicle, ModelState.falls_from_air.key))

    def whose(self, action: FallsDown, ready: ReadyWreck) -> Whose:
        return Whose(ready.vehicle.name, "roll", "for how far ahead it hits the ground")

    def rule(self, dice: Dice, ready: ReadyWreck) -> int:
        return crash(dice)

    def settle(self, act: Act, action: FallsDown, ready: ReadyWreck, outcome: int) -> Telling:
        vehicle = ready.vehicle
        _clear_debt(act, vehicle, ModelState.falls_from_air.key)
        forget_sightings(act.encounter, vehicle.id)
        hit = Button(
            "It hits something...", VehicleCrash(vehicle.id, float(outcome), wild=True, falls=True), "main"
        )
        lines = [f"{vehicle.name} hits the ground {outcome} in ahead.", "It also hits everything in between."]
        return Telling(lines, more=(hit,))

    def chances(self, act: ActView, action: FallsDown, ready: ReadyWreck) -> Chances:
        odds = act.solve(self.rule, ready)
        rows = [(f"{inches} in", chance) for inches, chance in sorted(odds.each().items())]
        return Chances((f"{ready.vehicle.name} hits the ground this far ahead:", *bars(rows)), solved=(odds,))


@in_steps(BlowsUp)
class BlowingUp(FinishingOften[BlowsUp, ReadyWreck, tuple[int, ...]]):
    """Hits everyone near at Power 7 and sets them on fire; passengers are lost. Rules: CB-VEH-36."""

    label = "Explode"

    def prepare(self, act: ActView, action: BlowsUp) -> ReadyWreck:
        """Return one that explodes, and who is near. Raises Forbidden."""
        vehicle = _require_wreck(act, action.vehicle, ModelState.explodes.key)
        near_models = (fighter(act.encounter, act.encounter.model(number)) for number in action.everybody)
        return ReadyWreck(
            vehicle, tuple((model, explosion_impact(model, settings(act))) for model in near_models)
        )

    def asks(self, act: ActView, action: BlowsUp, ready: ReadyWreck) -> Reply | None:
        if action.is_said:
            return None
        vehicle = ready.vehicle
        other_models = [
            model
            for model in fighters(act.encounter)
            if model.id != vehicle.id and not model.count(Counter.RIDES)
        ]
        return ask_near(act, action, vehicle, EXPLOSION_INCHES, other_models)

    def odds(self, act: ActView, action: BlowsUp, ready: ReadyWreck) -> Reply:
        return self.asks(act, action, ready) or super().odds(act, action, ready)

    def thrown(self, act: Act, action: BlowsUp, ready: ReadyWreck) -> tuple[int, ...]:
        cause = f"{possessive(ready.vehicle.name)} explosion"
        return tuple(
            act.roll(cast_automatic_hit(model.name, cause), explosion, hit) for model, hit in ready.near
        )

    def settle(self, act: Act, action: BlowsUp, ready: ReadyWreck, outcome: tuple[int, ...]) -> Telling:
        vehicle = ready.vehicle
        _clear_debt(act, vehicle, ModelState.explodes.key)
        telling = Telling([f"{vehicle.name} explodes."])
        for (target, hit), wounds in zip(ready.near, outcome, strict=True):
            telling.why.append(f"{target.name}: Power {hit.power}, damage 1, shield {hit.shields}D CB-VEH-36")
            add_wounds(act, telling, target, wounds, "from the blast")
            carry_through(act, after_explosion(again(act, target), 0))
        telling.follow(act, (Leave(vehicle.id, CASUALTY),))
        return telling

    def chances(self, act: ActView, action: BlowsUp, ready: ReadyWreck) -> Chances:
        odds_by_model = [(model, act.solve(explosion, hit)) for model, hit in ready.near]
        return hurt_chances(f"{ready.vehicle.name} explodes", odds_by_model)


@dataclass(frozen=True, slots=True)
class ReadyRiders:
    """A vehicle that burns, and its passengers, each with the hit."""

    vehicle: Fighter
    hits: tuple[tuple[Fighter, Impact], ...]


@in_steps(BurnRiders)
class BurningRiders(FinishingOften[BurnRiders, ReadyRiders, tuple[int, ...]]):
    """As a turn starts, in an open or exposed vehicle. Rules: CB-VEH-37."""

    def prepare(self, act: ActView, action: BurnRiders) -> ReadyRiders:
        """Return the hits, once a turn. Raises InvalidInput, Forbidden."""
        vehicle = action.vehicle
        passengers = list_riders(act.encounter, vehicle.id)
        hits = passengers_burnt(vehicle, passengers, settings(act))
        if not hits or vehicle.count(ModelState.passengers_burnt_turn.key) == max(1, act.encounter.row.turn):
            raise Forbidden(f"{plain(vehicle.name)} has no passengers that need a roll now.", "CB-VEH-37")
        passengers_by_id = {model.id: model for model in passengers}
        return ReadyRiders(vehicle, tuple((passengers_by_id[number], hit) for number, hit in hits))

    def thrown(self, act: Act, action: BurnRiders, ready: ReadyRiders) -> tuple[int, ...]:
        cause = f"the fire on {ready.vehicle.name}"
        return tuple(
            act.roll(cast_automatic_hit(model.name, cause), roll_burn, hit) for model, hit in ready.hits
        )

    def settle(self, act: Act, action: BurnRiders, ready: ReadyRiders, outcome: tuple[int, ...]) -> Telling:
        turn = max(1, act.encounter.row.turn)
        ModelState(act.encounter.model(ready.vehicle.id)).passengers_burnt_turn = turn
        telling = Telling()
        for (target, hit), wounds in zip(ready.hits, outcome, strict=True):
            telling.why.append(f"{target.name}: Power {hit.power}, shield {hit.shields}D CB-VEH-37")
            add_wounds(act, telling, target, wounds, "from the fire")
        return telling

    def chances(self, act: ActView, action: BurnRiders, ready: ReadyRiders) -> Chances:
        return hurt_chances(
            f"{ready.vehicle.name} is burning",
            [(model, act.solve(roll_burn, hit)) for model, hit in ready.hits],
        )
