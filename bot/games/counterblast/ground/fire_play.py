"""Fire at the table: areas that burn, models that catch fire, the hits, putting out."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core.common import again, carry_through, named, own, pay, settings, spend_order
from bot.games.counterblast.core.fields import order
from bot.games.counterblast.core.rolls import (
    asked,
    finish,
    house_rule,
    odds_reply,
    ref,
    require_between,
    wound,
)
from bot.games.counterblast.core.telling import Telling, offers
from bot.games.counterblast.core.throwers import harmed
from bot.games.counterblast.core.words import dice_words, times, why_check
from bot.games.counterblast.gear.relic_play import luck
from bot.games.counterblast.ground import flames
from bot.games.counterblast.ground.fires import LONGEST, add_fire, fire_named, write_fire
from bot.games.counterblast.ground.suggestions import any_fire
from bot.replies.chances import bars
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.handlers import handles
from bot.table.names import checked_name
from bot.table.rolling.throws import Whose
from rules.effects import Propose
from rules.refusals import InvalidInput, forbid
from rules.systems.counterblast.building.specialties import after_reroll, may_reroll
from rules.systems.counterblast.core.ability import prepare_check
from rules.systems.counterblast.core.checks import Prepared
from rules.systems.counterblast.core.conditions import Event, ended_by
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.gear.relics import after_check
from rules.systems.counterblast.ground.burning import (
    CONDITION,
    DOUSED,
    MAX_INCHES,
    PUT_OUT_TARGET,
    Fire,
    Kind,
    after_dousing,
    burn,
    burn_impact,
    catch_fire,
    cleanse,
    must_suffer,
    put_out,
    safe_from,
    shrink,
    successes_for_area,
    successes_to_put_out,
)
from rules.systems.counterblast.turn.activation import ACTIONS, actions_left

AGAIN = "fire not put out"
"""Counter of a model: its last check against fire failed and may be rolled again."""


@dataclass(frozen=True, slots=True)
class StartFire(Action):
    """A place burns.

    Put a burning area, or a pool of acid, on the table. lasts: turns, 0 without limit.
    """

    command = "cb.fire.start"
    typed = "cb fire start"

    name: str = fields.text("Its name", None, default="fire")
    inches: int = fields.whole("Its R number", 1, 200, default=3)
    kind: str = fields.word_of("What kind", ("fire", "acid"), default="fire")
    lasts: int = fields.whole("Turns; 0: until it ends by itself", 0, 50, default=0)


@dataclass(frozen=True, slots=True)
class EndFire(Action):
    """Take a fire off the table.

    hem: say instead that fire breaks hem it in.
    """

    command = "cb.fire.end"
    typed = "cb fire end"

    name: str = fields.words("Its name", any_fire, needed=True)
    hem: bool = fields.switch("It stays, but cannot grow")


@dataclass(frozen=True, slots=True)
class InFire(Action):
    """A model is in fire or acid.

    Or it still burns: the hit of this turn. outside: it left the area.
    """

    command = "cb.burn"
    typed = "cb fire hit"

    model: str = fields.words("Who", offering.own_model, needed=True)
    kind: str = fields.word_of("What kind", ("fire", "acid"), default="fire")
    outside: bool = fields.switch("It left the area but burns")
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class PutOut(Action):
    """Put out a model or an area.

    The model itself, another one, or an area. whole: with all actions left, which spares a burning model
    this turn's hit.
    """

    command = "cb.douse"
    typed = "cb fire out"

    worker: str = fields.words("Who", offering.own_model, needed=True, called="model")
    model: str = fields.words("Who burns; none: itself", offering.any_model, called="burning")
    area: str = fields.words("Or a burning area", any_fire)
    whole: bool = fields.switch("With all its actions")
    order: bool = order()
    again: bool = False
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class WashOff(Action):
    """Wash acid off.

    Takes all actions of a corroded model outside the pool.
    """

    command = "cb.wash"
    typed = "cb fire wash"

    model: str = fields.words("Who", offering.own_model, needed=True)


def _kind(text: str) -> Kind:
    for kind in CONDITION:
        if kind == text:
            return kind
    raise InvalidInput("It is fire or acid.")


# ------------------------------------------------------------------------------------------- areas


@handles(StartFire)
def start_fire(act: Act, action: StartFire) -> Reply:
    """It grows or ends by itself at the end of each turn."""
    act.require_player()
    kind = _kind(action.kind)
    require_between(action.inches, 1, MAX_INCHES, "Inches across")
    require_between(action.lasts, 0, 50, "Turns")
    wanted = checked_name(action.name, "fire")
    if len(wanted) > LONGEST:
        raise InvalidInput(f"A fire's name has at most {LONGEST} letters.")
    fire = Fire(max(1, act.encounter.row.turn), action.inches, kind, action.lasts)
    name = add_fire(act.encounter, wanted, fire)
    called = f"{name}: {kind}" if name != kind else name
    lines = [f"{called.capitalize()} R{fire.inches} on the table."]
    lines += [f"It dies out after {times(fire.lasts, 'turn')}."] if fire.lasts else []
    return finish(act, Telling([*lines, "Upkeep rolls whether it grows."]))


@handles(EndFire)
def end_fire(act: Act, action: EndFire) -> Reply:
    """By hand; models in it keep burning."""
    act.require_player()
    name, fire = fire_named(act.encounter, action.name)
    write_fire(act.encounter, name, replace(fire, hemmed=True) if action.hem else None)
    said = "is hemmed in and grows no more" if action.hem else "is off the table"
    return finish(act, Telling([f"{name} {said}."]))


# ------------------------------------------------------------------------------------------- models in it


@handles(InFire)
def in_fire(act: Act, action: InFire) -> Reply:
    """Catches fire, and takes this turn's hit: Power 5, one wound, shields help."""
    kind = _kind(action.kind)
    model = asked(act, action.model, odds=action.odds)
    asks = replace(action, model=ref(model), odds=False)
    act.canonical = asks
    turn = max(1, act.encounter.row.turn)
    safe = safe_from(model, kind)
    if safe:
        return Reply((f"{model.name} is safe from {kind}: {safe}.",), private=True)
    impact = burn_impact(model, settings(act))
    dice = f"Shield {impact.shields}D vs Power {impact.power}"
    if action.odds:
        odds = act.solve(burn, impact)
        shown = [(word, odds.chance(lambda w, n=n: w == n)) for n, word in enumerate(("no wound", "1 wound"))]  # type: ignore[misc]
        return odds_reply(
            act, model.side, [f"{model.name} in {kind}", dice, *bars(shown), act.exactness], "Roll", asks
        )
    telling = Telling()
    already = model.count(flames.HIT) == turn
    owes = kind in flames.owed(act.encounter, model)
    if not owes and not must_suffer(model, in_fire=not action.outside, already_hit=already, kind=kind):
        forbid(f"{model.name} has taken this turn's hit of the {kind}.", "CB-BURN-05")
    if not owes and flames.is_yet_to_come(act.encounter, model, kind):
        is_so = "burns already" if kind == "fire" else "is corroded already"
        forbid(f"{model.name} {is_so}: its hit comes when it is activated.", "CB-BURN-05")
    if not action.outside:
        telling.follow(act, catch_fire(model, kind))
    flames.settle(act.encounter, model)
    wounds = act.roll(harmed(model.name, kind), burn, impact)
    now = wound(act, telling, again(act, model), wounds, f"in {kind}")
    telling.lines.append(f"It is {CONDITION[kind]}." if now.has(CONDITION[kind]) else f"It left the {kind}.")
    return finish(act, telling, [dice])


# ------------------------------------------------------------------------------------------- putting out


@dataclass(frozen=True, slots=True)
class Blaze:
    """What is fought: a model or an area, and the successes that it still takes."""

    words: str
    needed: int
    model: Fighter | None = None
    area: str = ""
    fire: Fire | None = None


def _blaze(act: Act, action: PutOut, worker: Fighter) -> Blaze:
    if action.area:
        name, fire = fire_named(act.encounter, action.area)
        if fire.kind == "acid":
            raise InvalidInput("Acid is not put out. Leave it, then wash it off: /cb fire wash.")
        return Blaze(name, successes_for_area(fire, settings(act)), area=name, fire=fire)
    burning = named(act, action.model) if action.model else worker
    if action.whole and burning.id == worker.id and _owes_though_out(act, worker):
        return Blaze(burning.name, 0, model=burning)
    if not burning.has(Condition.BURNING):
        raise InvalidInput(f"{burning.name} does not burn.")
    needed = successes_to_put_out(burning.profile.size) - burning.count(DOUSED)
    return Blaze(burning.name, needed, model=burning)


def _owes_though_out(act: Act, model: Fighter) -> bool:
    """Whether a model put itself out and owes the hit as long as it has not spent all actions on it."""
    return not model.has(Condition.BURNING) and "fire" in flames.owed(act.encounter, model)


def _dice(act: Act, worker: Fighter, needed: int, *, order: bool) -> Prepared:
    return prepare_check(
        worker,
        "INT",
        PUT_OUT_TARGET,
        skill="engineering",
        target_reason="put out fire",
        wanted=needed,
        target_rule="CB-BURN-07",
        order_token=order,
        settings=settings(act),
    )


@handles(PutOut)
def fight_fire(act: Act, action: PutOut) -> Reply:
    """Engineering at 7: a model takes 1 or 2 successes, an area shrinks with each."""
    worker = asked(act, action.worker, odds=action.odds)
    blaze = _blaze(act, action, worker)
    target = ref(blaze.model) if blaze.model else ""
    asks = replace(action, worker=ref(worker), model=target, area=blaze.area, odds=False)
    act.canonical = asks
    prepared = _dice(act, worker, max(1, blaze.needed), order=action.order)
    if action.odds:
        return _out_odds(act, worker, blaze, prepared, asks)
    itself = blaze.model is not None and blaze.model.id == worker.id
    checks = _checks(act, worker, action, itself=itself)
    if action.order:
        spend_order(act, worker.side)
    telling = Telling(why=why_check(prepared, f"{worker.name}, putting out"))
    won = 0
    for number in range(checks):
        left = blaze.needed - won
        if number and (left or itself):
            _spend(act, worker, itself=itself)
        if not left:
            continue
        ready = prepared if not number else _dice(act, again(act, worker), left, order=action.order)
        whose = Whose(worker.name, "check", f"to put out {blaze.words}, {left} needed")
        won += act.roll(whose, put_out, (ready.throw,), left)
        carry_through(act, [*ended_by(worker, Event.INT_CHECKED), *after_check(worker, "engineering")])
    _doused(act, telling, worker, blaze, won)
    more = _roll_again(act, worker, asks) if blaze.needed and not won else ()
    relics = luck(act, worker, failed=not won) if blaze.needed and not action.again else ()
    said = [dice_words(prepared, "INT")] if blaze.needed else []
    return finish(act, telling, said, *_rest_of_it(act, telling, worker), *more, *relics)


def _rest_of_it(act: Act, telling: Telling, worker: Fighter) -> tuple[Button, ...]:
    """What a model hears that is out, and may yet spend its other actions on it. Rules: CB-BURN-06."""
    now = again(act, worker)
    if not _owes_though_out(act, now):
        return ()
    if not actions_left(now) or flames.acted_elsewhere(act.encounter, now):
        telling.lines.append("With a part of its actions: it takes the hit.")
        return (Button("Take the hit", InFire(ref(now), outside=True), "main"),)
    telling.lines.append("Its other action too, or it takes the hit.")
    whole = PutOut(ref(now), ref(now), whole=True)
    return (
        Button("All its actions", whole, "main"),
        Button("Take the hit", InFire(ref(now), outside=True)),
    )


def _checks(act: Act, worker: Fighter, action: PutOut, *, itself: bool) -> int:
    """Pay for the first check and say how many there may be. Rules: CB-BURN-06."""
    row = act.encounter.model(worker.id)
    if action.again:
        if not row.counters.pop(AGAIN, 0):
            raise InvalidInput("That check has been settled.")
        carry_through(act, after_reroll(worker, "engineering"))
        return 1
    row.counters.pop(AGAIN, None)
    checks = max(1, min(ACTIONS, actions_left(worker))) if action.whole else 1
    _spend(act, worker, itself=itself)
    return checks


def _spend(act: Act, worker: Fighter, *, itself: bool) -> None:
    """One action on the flames; spared this turn's hit who spends them all on its own. Rules: CB-BURN-06."""
    pay(act, again(act, worker), "skill")
    if itself:
        flames.fight(act.encounter, worker)


def _doused(act: Act, telling: Telling, worker: Fighter, blaze: Blaze, won: int) -> None:
    if blaze.model is not None:
        itself = blaze.model.id == worker.id
        telling.follow(act, after_dousing(blaze.model, won, itself=itself))
        left = blaze.needed - won
        who = "itself" if itself else blaze.model.name
        if not blaze.needed:
            telling.lines += [
                f"{worker.name} spent all its actions on the flames.",
                "It takes no hit of them.",
            ]
        elif left <= 0:
            telling.lines.append(f"{worker.name} puts {who} out.")
        else:
            need = times(left, "success", "successes")
            telling.lines.append(f"{worker.name} does not put {who} out yet: {need} left.")
        return
    assert blaze.fire is not None, "an area was named"
    after = shrink(blaze.fire, won, settings(act))
    write_fire(act.encounter, blaze.area, after)
    if after is None:
        telling.lines += [f"{worker.name} puts {blaze.area} out.", "Models that burn still burn."]
    else:
        telling.lines.append(f"{worker.name} fights {blaze.area}: R{after.inches} is left.")
        telling.lines.append("It does not grow this turn.")
    telling.lines += house_rule(act, "fire_shrink_per_success")


def _roll_again(act: Act, worker: Fighter, asks: PutOut) -> tuple[Button, ...]:
    if asks.again or not may_reroll(worker, "engineering"):
        return ()
    act.encounter.model(worker.id).counters[AGAIN] = 1
    return (Button("Roll again (once a game)", replace(asks, again=True, whole=False), anytime=True),)


def _out_odds(act: Act, worker: Fighter, blaze: Blaze, prepared: Prepared, asks: PutOut) -> Reply:
    odds = act.solve(put_out, (prepared.throw,), blaze.needed)
    most = min(blaze.needed, 4)
    shown = [(times(n, "success", "successes"), odds.chance(lambda w, n=n: w == n)) for n in range(most)]  # type: ignore[misc]
    shown.append(("out" if most == blaze.needed else f"{most}+", odds.chance(lambda w: w >= most)))
    lines = [f"{worker.name} -> {blaze.words}", dice_words(prepared, "INT"), *bars(shown), act.exactness]
    return odds_reply(act, worker.side, lines, "Roll", asks)


@handles(WashOff)
def wash(act: Act, action: WashOff) -> Reply:
    """All its actions; no roll."""
    model = own(act, action.model)
    effects = cleanse(model)
    if not effects:
        raise InvalidInput(f"{model.name} is not corroded.")
    if flames.acted_elsewhere(act.encounter, model):
        forbid(f"{model.name} has acted: washing takes all its actions.", "CB-FEAT-04")
    for _ in range(max(1, actions_left(model))):
        pay(act, model, "item")
    carry_through(act, effects)
    flames.settle(act.encounter, model)
    return finish(act, Telling([f"{model.name} washes the acid off.", "All its actions are spent."]))


# ------------------------------------------------------------------------------------------- offers


@offers("burn")
def _burn(proposal: Propose) -> tuple[str, Action]:
    details = dict(proposal.details)
    return "Take the hit", InFire(f"#{proposal.model}", str(details.get("kind", "fire")), outside=True)


@offers("put_out")
def _out(proposal: Propose) -> tuple[str, Action]:
    return "Put it out", PutOut(f"#{proposal.model}", whole=True)


@offers("flammable")
def _flammable(proposal: Propose) -> tuple[str, Action]:
    return "It burns there", StartFire()


@offers("cleanse")
def _wash(proposal: Propose) -> tuple[str, Action]:
    return "Wash it off", WashOff(f"#{proposal.model}")
