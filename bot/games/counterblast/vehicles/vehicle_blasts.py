"""Vehicles that explode, and passengers of those that burn."""

from __future__ import annotations

from dataclasses import dataclass

from bot.games.counterblast.core.common import again, carry_through, settings
from bot.games.counterblast.core.fighters import fighter, fighters
from bot.games.counterblast.core.narration import FinishingOften, Telling, suffered_by, wound
from bot.games.counterblast.core.throwers import harmed
from bot.games.counterblast.templates.near_play import ask_near
from bot.games.counterblast.vehicles.vehicle_damage import (
    BLOWN,
    BlowsUp,
    BurnRiders,
    ReadyWreck,
    _is_done,
    _vehicle,
)
from bot.games.counterblast.vehicles.vehicle_state import BURNT, riders
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.names import plain
from bot.table.steps import Chances, in_steps
from rules.effects import Leave
from rules.refusals import Forbidden
from rules.systems.counterblast.core.burning import burn
from rules.systems.counterblast.core.conditions import CASUALTY
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.impacts import Impact
from rules.systems.counterblast.vehicle_rules import (
    after_explosion,
    explosion,
    explosion_impact,
    passengers_burnt,
)


@in_steps(BlowsUp)
class BlowingUp(FinishingOften[BlowsUp, ReadyWreck, tuple[int, ...]]):
    """An automatic hit at Power 7 on everybody near, who burn too; passengers are lost. Rules: CB-VEH-36."""

    label = "Explode"

    def prepare(self, act: Act, action: BlowsUp) -> ReadyWreck:
        """One that explodes, and who is near. Raises Forbidden."""
        vehicle = _vehicle(act, action.vehicle, BLOWN)
        caught = (fighter(act.encounter, act.encounter.model(number)) for number in action.everybody)
        return ReadyWreck(vehicle, tuple((one, explosion_impact(one, settings(act))) for one in caught))

    def asks(self, act: Act, action: BlowsUp, ready: ReadyWreck) -> Reply | None:
        """Who is near."""
        if action.is_said:
            return None
        name, own = ready.vehicle.name, ready.vehicle.id
        others = [one for one in fighters(act.encounter) if one.id != own and not one.count(Counter.RIDES)]
        return ask_near(act, action, f"{name} explodes: 3 in around it.", "Who is within 3 in?", others)

    def odds(self, act: Act, action: BlowsUp, ready: ReadyWreck) -> Reply:
        """Nobody knows them before it is said who is near."""
        return self.asks(act, action, ready) or super().odds(act, action, ready)

    def thrown(self, act: Act, action: BlowsUp, ready: ReadyWreck) -> tuple[int, ...]:
        """The hit on each."""
        blast = f"the blast of {ready.vehicle.name}"
        return tuple(act.roll(harmed(one.name, blast), explosion, hit) for one, hit in ready.near)

    def settle(self, act: Act, action: BlowsUp, ready: ReadyWreck, outcome: tuple[int, ...]) -> Telling:
        """They burn, and the vehicle is gone with who is aboard."""
        vehicle = ready.vehicle
        _is_done(act, vehicle, BLOWN)
        telling = Telling([f"{vehicle.name} explodes."])
        for (target, hit), wounds in zip(ready.near, outcome, strict=True):
            telling.why.append(f"{target.name}: Power {hit.power}, damage 1, shield {hit.shields}D CB-VEH-36")
            wound(act, telling, target, wounds, "by the blast")
            carry_through(act, after_explosion(again(act, target), 0))
        telling.follow(act, (Leave(vehicle.id, CASUALTY),))
        return telling

    def chances(self, act: Act, action: BlowsUp, ready: ReadyWreck) -> Chances:
        """What it does to each."""
        hurt = [(one, act.solve(explosion, hit)) for one, hit in ready.near]
        return suffered_by(f"{ready.vehicle.name} explodes", hurt)


@dataclass(frozen=True, slots=True)
class ReadyRiders:
    """A vehicle that burns, and its passengers, each with the hit."""

    vehicle: Fighter
    hits: tuple[tuple[Fighter, Impact], ...]


@in_steps(BurnRiders)
class BurningRiders(FinishingOften[BurnRiders, ReadyRiders, tuple[int, ...]]):
    """As a turn starts, in an open or exposed vehicle. Rules: CB-VEH-37."""

    def prepare(self, act: Act, action: BurnRiders) -> ReadyRiders:
        """Once a turn. Raises InvalidInput, Forbidden."""
        if not act.looks:
            act.require_player()
        vehicle = action.vehicle
        riding = riders(act.encounter, vehicle.id)
        hits = passengers_burnt(vehicle, riding, settings(act))
        if not hits or vehicle.count(BURNT) == max(1, act.encounter.row.turn):
            raise Forbidden(f"{plain(vehicle.name)}: no passenger burns now.", "CB-VEH-37")
        aboard = {one.id: one for one in riding}
        return ReadyRiders(vehicle, tuple((aboard[number], hit) for number, hit in hits))

    def thrown(self, act: Act, action: BurnRiders, ready: ReadyRiders) -> tuple[int, ...]:
        """The hit on each."""
        fire = f"the fire of {ready.vehicle.name}"
        return tuple(act.roll(harmed(one.name, fire), burn, hit) for one, hit in ready.hits)

    def settle(self, act: Act, action: BurnRiders, ready: ReadyRiders, outcome: tuple[int, ...]) -> Telling:
        """They have suffered for this turn."""
        turn = max(1, act.encounter.row.turn)
        act.encounter.model(ready.vehicle.id).counters[BURNT] = turn
        telling = Telling()
        for (target, hit), wounds in zip(ready.hits, outcome, strict=True):
            telling.why.append(f"{target.name}: Power {hit.power}, shield {hit.shields}D CB-VEH-37")
            wound(act, telling, target, wounds, "by fire")
        return telling

    def chances(self, act: Act, action: BurnRiders, ready: ReadyRiders) -> Chances:
        """What it does to each."""
        return suffered_by(
            f"{ready.vehicle.name} burns", [(one, act.solve(burn, hit)) for one, hit in ready.hits]
        )
