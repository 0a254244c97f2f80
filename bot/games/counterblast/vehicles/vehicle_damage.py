"""A disabled vehicle at the table: Critical Damage, running wild, coming down, exploding, burning."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core.common import again, carry_through, settings
from bot.games.counterblast.core.fighters import fighter, fighters
from bot.games.counterblast.core.owed import Debt, finds
from bot.games.counterblast.core.place_effects import critical_words, owes_critical
from bot.games.counterblast.core.rolls import finish, odds_reply, suffering_odds, wound
from bot.games.counterblast.core.telling import Telling, offers
from bot.games.counterblast.core.throwers import harmed
from bot.games.counterblast.core.words import reasons
from bot.games.counterblast.shooting.recalled import forget
from bot.games.counterblast.templates.near_play import HitsNear, ask_near
from bot.games.counterblast.vehicles.vehicle_crash import MET, Crash
from bot.games.counterblast.vehicles.vehicle_marks import BURNT, riders
from bot.replies.chances import bars, exactness
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.handlers import handles
from bot.table.names import plain
from bot.table.rolling.throws import Whose, counted
from rules.effects import Leave, Propose
from rules.modifiers import Modifier
from rules.refusals import Forbidden
from rules.systems.counterblast.core.casualties import CASUALTY
from rules.systems.counterblast.core.fighter import Counter, Fighter
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.ground.burning import burn
from rules.systems.counterblast.vehicles.vehicle_combat import (
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

WILD = "out of control inches"
BLOWN = "explodes"
FALLS = "falls out of the air"
"""Counters of a vehicle: what its Critical Damage still has to bring."""


@dataclass(frozen=True, slots=True)
class CriticalDamage(Action):
    """Critical Damage of a vehicle that was disabled.

    By the Critical Damage Table.
    """

    command = "cb.veh.crit"
    typed = "vehicle critical"

    vehicle: str = fields.words("Which", offering.any_model, needed=True, called="model")
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class Careens(Action):
    """A careening vehicle: three random Maneuvers."""

    command = "cb.veh.wild"

    vehicle: int = 0
    odds: bool = False


@dataclass(frozen=True, slots=True)
class FallsDown(Action):
    """A disabled flyer comes down."""

    command = "cb.veh.down"

    vehicle: int = 0
    odds: bool = False


@dataclass(frozen=True, slots=True)
class BlowsUp(HitsNear):
    """A vehicle explodes; near it is who is within 3 in."""

    command = "cb.veh.boom"

    vehicle: int = 0
    odds: bool = False


@dataclass(frozen=True, slots=True)
class BurnRiders(Action):
    """Passengers of a burning vehicle, as a turn starts.

    They suffer once a turn.
    """

    command = "cb.veh.burn"
    typed = "vehicle burn"

    vehicle: str = fields.words("Which", offering.any_model, needed=True, called="model")
    odds: bool = fields.odds()


@offers("critical_damage")
def _critical_button(proposal: Propose) -> tuple[str, Action]:
    return "Critical Damage", CriticalDamage(f"#{proposal.model}")


@offers("careen", odds=True)
def _careen_button(proposal: Propose) -> tuple[str, Action]:
    return "Careen", Careens(proposal.model)


@offers("crash", odds=True)
def _crash_button(proposal: Propose) -> tuple[str, Action]:
    return "Falls", FallsDown(proposal.model)


@offers("burn_riders")
def _riders_button(proposal: Propose) -> tuple[str, Action]:
    return f"Burns: {proposal.details[0][1]}", BurnRiders(f"#{proposal.model}")


@offers("vehicle_explodes", odds=True)
def _explodes_button(proposal: Propose) -> tuple[str, Action]:
    return "Explodes...", BlowsUp(proposal.model)


@finds
def wrecks_left(act: Act) -> list[Debt]:
    """Vehicles whose Critical Damage was not rolled, and wrecks that have yet to careen, fall or explode.

    Rules: CB-VEH-31, CB-VEH-34, CB-VEH-36, CB-VEH-39.
    """
    found = []
    for row in act.encounter.models():
        vehicle = fighter(act.encounter, row)
        if owes_critical(vehicle):
            roll = Button("Critical Damage", CriticalDamage(f"#{row.id}"), "main", anytime=True)
            found.append(Debt(row.side, critical_words(vehicle), (roll,)))
        due: dict[str, tuple[str, str, Action]] = {
            WILD: ("careens", "Careen", Careens(row.id)),
            FALLS: ("falls out of the air", "Falls", FallsDown(row.id)),
            BLOWN: ("explodes", "Explodes...", BlowsUp(row.id)),
        }
        for key, (said, label, action) in due.items():
            if row.counters.get(key, 0):
                button = Button(label, action, "main", anytime=True)
                found.append(Debt(row.side, f"{row.name} {said}.", (button,)))
    return found


def _vehicle(act: Act, number: int, due: str, *, odds: bool) -> Fighter:
    """A vehicle of whom something is due, which any player may carry through; odds: it stays due.

    Raises Forbidden.
    """
    if not odds:
        act.require_player()
    row = act.encounter.model(number)
    if not (row.counters.get(due, 0) if odds else row.counters.pop(due, 0)):
        raise Forbidden(f"{row.name}: there is nothing of the kind to do.", "CB-VEH-31")
    return fighter(act.encounter, row)


@handles(CriticalDamage)
def critical(act: Act, action: CriticalDamage) -> Reply:
    """d10, 1 more for each point beyond what disabled it. Rules: CB-VEH-27, CB-VEH-31 to CB-VEH-36."""
    if not action.odds:
        act.require_player()
    row = act.encounter.find_model(action.vehicle)
    vehicle = fighter(act.encounter, row)
    act.canonical = CriticalDamage(f"#{row.id}")
    beyond = damage_beyond(vehicle.profile.life, vehicle.damage)
    if not vehicle.profile.is_vehicle or beyond is None:
        raise Forbidden(f"{vehicle.name} is no disabled vehicle.", "CB-VEH-31")
    if row.counters.get(Counter.CRITICAL):
        raise Forbidden(f"{vehicle.name}: Critical Damage was rolled.", "CB-VEH-31")
    if action.odds:
        return _critical_odds(act, vehicle, beyond)
    row.counters[Counter.CRITICAL] = 1
    added = f", {beyond:+d}" if beyond else ""
    whose = Whose(vehicle.name, "roll", f"on the Critical Damage chart{added}")
    key = act.roll(whose, critical_damage, beyond)
    effects = after_critical(vehicle, key)
    telling = Telling([f"{vehicle.name}: {load().charts['critical_damage'].named(key).name}."])
    telling.why += reasons(
        "Added to the d10", [Modifier(beyond, "damage beyond", "CB-VEH-31")] if beyond else []
    )
    telling.follow(act, effects)
    due = {"careen": WILD, "vehicle_explodes": BLOWN, "crash": FALLS}
    for proposal in telling.proposals:
        if proposal.action in due:
            row.counters[due[proposal.action]] = 1
    runs = [one for one in telling.proposals if one.action == "runaway"]
    more = [
        Button("Touches something...", Crash(one.model, float(vehicle.profile.mv), wild=True), form=MET)
        for one in runs
    ]
    if stays_in_play(key):
        telling.lines.append("It stays on the table until it is put out.")
    riding = riders(act.encounter, vehicle.id)
    if riding:
        telling.lines += [f"Aboard: {', '.join(one.name for one in riding)},", "lost if it leaves play."]
    return finish(act, telling, [f"d10 +{beyond} for damage beyond"] if beyond else (), *more)


def _critical_odds(act: Act, vehicle: Fighter, beyond: int) -> Reply:
    odds = act.solve(critical_damage, beyond)
    chart = load().charts["critical_damage"]
    shown = [(row.name, odds.chance(lambda got, key=row.key: got == key)) for row in chart.rows]  # type: ignore[misc]
    lines = [f"{vehicle.name}: Critical Damage, d10 +{beyond}", *bars(shown), act.exactness]
    return odds_reply(act, vehicle.side, lines, "Roll", CriticalDamage(f"#{vehicle.id}"))


@handles(Careens)
def careens(act: Act, action: Careens) -> Reply:
    """Two moves with three random Maneuvers at thirds of the way. Rules: CB-VEH-34."""
    vehicle = _vehicle(act, action.vehicle, WILD, odds=action.odds)
    if action.odds:
        inches = act.solve(careen, vehicle.profile.mv).map(lambda got: got.inches)
        ways = [(f"{way:g} in", chance) for way, chance in sorted(inches.each().items())]
        lines = [f"{vehicle.name} careens so far:", *bars(ways), exactness(inches)]
        return odds_reply(act, vehicle.side, lines, "Careen", Careens(vehicle.id))
    maneuvers = (f"for its Maneuver at {place}" for place in ("1/3 of the way", "2/3 of the way", "the end"))
    whose = counted(*(Whose(vehicle.name, "careening", place) for place in maneuvers))
    rolled = act.roll(whose, careen, vehicle.profile.mv)
    forget(act.encounter, vehicle.id)
    names = [load().charts["careening"].named(key).name for key in rolled.maneuvers]
    telling = Telling([f"{vehicle.name} careens {rolled.inches:g} in."])
    telling.lines += [f"{place}: {name}" for place, name in zip(("1/3", "2/3", "end"), names, strict=True)]
    hit = Button("Touches something...", Crash(vehicle.id, rolled.inches, wild=True), form=MET)
    return finish(act, telling, (), hit)


@handles(FallsDown)
def falls_down(act: Act, action: FallsDown) -> Reply:
    """Straight ahead, into what is in between and the ground. Rules: CB-VEH-39."""
    vehicle = _vehicle(act, action.vehicle, FALLS, odds=action.odds)
    if action.odds:
        way = act.solve(crash)
        ways = [(f"{inches} in", chance) for inches, chance in sorted(way.each().items())]
        lines = [f"{vehicle.name} comes down so far ahead:", *bars(ways), exactness(way)]
        return odds_reply(act, vehicle.side, lines, "Falls", FallsDown(vehicle.id))
    inches = act.roll(Whose(vehicle.name, "fall", "for the inches ahead"), crash)
    forget(act.encounter, vehicle.id)
    telling = Telling(
        [f"{vehicle.name} comes down {inches} in ahead.", "The ground and all in between are hit."]
    )
    hit = Button("Strikes...", Crash(vehicle.id, float(inches), wild=True, falls=True), "main")
    return finish(act, telling, (), hit)


@handles(BlowsUp)
def blows_up(act: Act, action: BlowsUp) -> Reply:
    """An automatic hit at Power 7 on everybody near, who burn too; passengers are lost. Rules: CB-VEH-36."""
    if not action.odds:
        act.require_player()
    row = act.encounter.model(action.vehicle)
    if not action.is_said:
        others = [one for one in fighters(act.encounter) if one.id != row.id and not one.count(Counter.RIDES)]
        return ask_near(act, action, f"{row.name} explodes: 3 in around it.", "Who is within 3 in?", others)
    vehicle = _vehicle(act, action.vehicle, BLOWN, odds=action.odds)
    if action.odds:
        caught = [fighter(act.encounter, act.encounter.model(number)) for number in action.everybody]
        chances = [(one, act.solve(explosion, explosion_impact(one, settings(act)))) for one in caught]
        title, plain_ = f"{vehicle.name} explodes", replace(action, odds=False)
        return suffering_odds(act, vehicle.side, title, chances, "Explode", plain_)
    telling = Telling([f"{vehicle.name} explodes."])
    for number in action.everybody:
        target = fighter(act.encounter, act.encounter.model(number))
        hit = explosion_impact(target, settings(act))
        telling.why.append(f"{target.name}: Power {hit.power}, damage 1, shield {hit.shields}D CB-VEH-36")
        wounds = act.roll(harmed(target.name, f"the blast of {vehicle.name}"), explosion, hit)
        wound(act, telling, target, wounds, "by the blast")
        carry_through(act, after_explosion(again(act, target), 0))
    telling.follow(act, (Leave(vehicle.id, CASUALTY),))
    return finish(act, telling)


@handles(BurnRiders)
def burn_riders(act: Act, action: BurnRiders) -> Reply:
    """As a turn starts, in an open or exposed vehicle. Rules: CB-VEH-37."""
    if not action.odds:
        act.require_player()
    row = act.encounter.find_model(action.vehicle)
    vehicle = fighter(act.encounter, row)
    act.canonical = BurnRiders(f"#{row.id}")
    riding = riders(act.encounter, vehicle.id)
    hits = passengers_burnt(vehicle, riding, settings(act))
    turn = max(1, act.encounter.row.turn)
    if not hits or row.counters.get(BURNT, 0) == turn:
        raise Forbidden(f"{plain(vehicle.name)}: no passenger burns now.", "CB-VEH-37")
    if action.odds:
        aboard = {one.id: one for one in riding}
        chances = [(aboard[number], act.solve(burn, hit)) for number, hit in hits]
        title = f"{vehicle.name} burns"
        return suffering_odds(act, vehicle.side, title, chances, "Roll", act.canonical)
    row.counters[BURNT] = turn
    telling = Telling()
    for number, hit in hits:
        telling.why.append(
            f"{act.encounter.model(number).name}: Power {hit.power}, shield {hit.shields}D CB-VEH-37"
        )
        target = fighter(act.encounter, act.encounter.model(number))
        suffered = act.roll(harmed(target.name, f"the fire of {vehicle.name}"), burn, hit)
        wound(act, telling, target, suffered if isinstance(suffered, int) else suffered.through, "by fire")
    return finish(act, telling)
