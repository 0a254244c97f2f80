"""Fire and acid at the table: areas that burn, models that catch fire, flames put out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

from bot.actions import Action, numbered, worded
from bot.games.counterblast.core.common import again, carry_through, pay, settings, token_price
from bot.games.counterblast.core.fields import anybody, order, who
from bot.games.counterblast.core.narration import (
    Finishing,
    FinishingOften,
    Telling,
    due,
    finish,
    house_rule,
    offers,
    wound,
)
from bot.games.counterblast.core.relics import luck
from bot.games.counterblast.core.wording import chance_lines, dice_words, harmed, why_check
from bot.games.counterblast.ground.places import burning, place_on_board, require_place
from bot.games.counterblast.state import ground
from bot.games.counterblast.state.ground import MAX_LENGTH, Burning, add_fire, fires_on, write_fire
from bot.games.counterblast.state.models import as_after
from bot.games.counterblast.state.table_state import ModelState
from bot.replies.reply import Button, Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.asking.measuring import Spot
from bot.table.handlers import handles
from bot.table.names import checked_name
from bot.table.owners import PLAYER
from bot.table.steps import Chances, as_done, in_steps
from bot.table.throw_purposes import Cast, Whose
from rules.dice import Dice
from rules.effects import Effect, Propose
from rules.refusals import InvalidInput, forbid
from rules.systems.counterblast.building.crew import after_reroll, may_reroll
from rules.systems.counterblast.core.burning import (
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
    put_out_by,
    safe_from,
    shrink,
    successes_for_area,
    successes_to_put_out,
)
from rules.systems.counterblast.core.checks import Prepared
from rules.systems.counterblast.core.conditions import Event, ended_by
from rules.systems.counterblast.core.dice_pools import prepare_check
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.impacts import Impact
from rules.systems.counterblast.gear.salvage import after_check
from rules.systems.counterblast.turn.activation import ACTIONS, actions_left
from rules.wording import possessive, times


def _kind() -> Any:
    return fields.one_of("Fire or acid", ("fire", "acid"), default="fire")


@dataclass(frozen=True, slots=True)
class StartFire(Action):
    """Add a fire to the table.

    Put a burning area, or a pool of acid, on the table. lasts: turns, 0 without limit. spot: its middle on
    the board.
    """

    command = "cb.fire.start"
    typed = "cb fire start"
    titled = "Add a fire"
    waits_for_dice = True
    decision_of = PLAYER

    name: str = fields.text("Name", None, default="fire")
    inches: int = fields.whole("Size (inches)", 1, MAX_INCHES, default=3, checked=True)
    kind: Kind = _kind()
    lasts: int = fields.whole("Duration (turns, 0 for no limit)", 0, 50, default=0, checked=True)
    spot: Spot | None = place_on_board()


@dataclass(frozen=True, slots=True)
class EndFire(Action):
    """Remove a fire, or stop it from growing.

    hem: say instead that fire breaks hem it in.
    """

    command = "cb.fire.end"
    typed = "cb fire end"
    titled = "Remove a fire"
    waits_for_dice = True
    decision_of = PLAYER

    name: Burning = burning("Burning area", needed=True)
    hem: bool = fields.switch("Stop the fire from growing instead")


@dataclass(frozen=True, slots=True)
class InFire(Action):
    """Roll for a model hit by fire or acid.

    Or it still burns: the hit of this turn. outside: it left the area.
    """

    command = "cb.burn"
    typed = "cb fire hit"
    titled = "Hit by fire or acid"

    model: Fighter = who()
    kind: Kind = _kind()
    outside: bool = fields.switch("The model left the area but still burns", fact=True)
    odds: bool = fields.odds()


# ------------------------------------------------------------------------------------------- areas


@handles(StartFire)
def start_fire(act: Act, action: StartFire) -> Reply:
    """Start a fire, which grows or ends at the end of each turn."""
    kind = action.kind
    typed = checked_name(action.name, "fire")
    if len(typed) > MAX_LENGTH:
        raise InvalidInput(f"Shorten the name. A fire's name can have at most {MAX_LENGTH} characters.")
    fire = Fire(max(1, act.encounter.row.turn), action.inches, kind, action.lasts)
    name = add_fire(act.encounter, typed, fire, require_place(act.encounter, action.spot))
    called = f"{name} ({kind} R{fire.inches})" if name != kind else f"{name} R{fire.inches}"
    lines = [f"{called[:1].upper()}{called[1:]} is on the table."]
    lines += [f"The {kind} lasts for {times(fire.lasts, 'turn')}."] if fire.lasts else []
    return finish(act, Telling([*lines, f"The {kind} can grow in the Upkeep."]))


@handles(EndFire)
def end_fire(act: Act, action: EndFire) -> Reply:
    """End a fire by hand; models in it go on burning."""
    area = action.name
    write_fire(act.encounter, area.name, replace(area.fire, hemmed=True) if action.hem else None)
    outcome_text = "is contained and can no longer grow" if action.hem else "is removed from the table"
    return finish(act, Telling([f"{area.name} {outcome_text}."]))


# ------------------------------------------------------------------------------------------- models in it


@dataclass(frozen=True, slots=True)
class ReadyFlames:
    """A model that is in fire or acid, and what hits it."""

    model: Fighter
    kind: Kind
    impact: Impact

    @property
    def dice(self) -> str:
        """Return in words what helps against it."""
        return f"Shield {self.impact.shields}D vs Power {self.impact.power}"


@in_steps(InFire)
class InFlames(Finishing[InFire, ReadyFlames, int]):
    """Catches fire, and takes this turn's hit: Power 5, one wound, shields help."""

    def prepare(self, act: ActView, action: InFire) -> ReadyFlames:
        """Return an unsafe model that was not hit this turn. Raises InvalidInput, Forbidden."""
        kind, model = action.kind, action.model
        safe = safe_from(model, kind)
        if safe:
            raise InvalidInput(f"{model.name} is safe from {kind} ({safe}).")
        already = model.count(ModelState.fire_turn.key) == max(1, act.encounter.row.turn)
        owes = kind in ground.owed(act.encounter, model)
        elsewhere = action.outside or owes or model.has(CONDITION[kind])
        if not elsewhere and all(area.fire.kind != kind for area in fires_on(act.encounter)):
            raise InvalidInput(f"There is no {kind} on the table. Add it first with /cb fire start.")
        if not owes and not must_suffer(model, in_fire=not action.outside, already_hit=already, kind=kind):
            forbid(f"{model.name} has already taken the hit from the {kind} this turn.", "CB-BURN-05")
        if not owes and ground.is_yet_to_come(act.encounter, model, kind):
            is_so = "is already burning" if kind == "fire" else "is already corroded"
            forbid(f"{model.name} {is_so}, so it takes the hit when it is activated.", "CB-BURN-05")
        return ReadyFlames(model, kind, burn_impact(model, settings(act)))

    def whose(self, action: InFire, ready: ReadyFlames) -> Cast:
        return harmed(ready.model.name, ready.kind)

    def rule(self, dice: Dice, ready: ReadyFlames) -> int:
        return burn(dice, ready.impact)

    def settle(self, act: Act, action: InFire, ready: ReadyFlames, outcome: int) -> Telling:
        """Set it on fire if it is still in there, and wound it."""
        model, kind = ready.model, ready.kind
        telling = Telling(dice=[ready.dice])
        if not action.outside:
            telling.follow(act, catch_fire(model, kind))
        ground.settle(act.encounter, model)
        burnt = wound(act, telling, again(act, model), outcome, f"from {kind}")
        burns = burnt.has(CONDITION[kind])
        telling.lines.append(
            f"{burnt.name} is {CONDITION[kind]}." if burns else f"{burnt.name} has left the {kind}."
        )
        return telling

    def chances(self, act: ActView, action: InFire, ready: ReadyFlames) -> Chances:
        odds = act.solve(self.rule, ready)
        lines = (
            f"{ready.model.name} in {ready.kind}",
            ready.dice,
            *chance_lines(odds, ["no wound", "1 wound"]),
        )
        return Chances(lines, "1 wound", odds.chance(bool), (odds,))


# ------------------------------------------------------------------------------------------- offers


@offers("burn")
def _burn(proposal: Propose) -> tuple[str, Action]:
    details = dict(proposal.details)
    kind = worded(str(details.get("kind", "fire")))
    return "Take the hit", InFire(numbered(proposal.model), kind, outside=True)


@offers("flammable")
def _flammable(proposal: Propose) -> tuple[str, Action]:
    spot = dict(proposal.details).get("spot")
    return "Start a fire", StartFire(spot=worded(str(spot)) if spot else None)


MAX_TOLD = 4
"""Successes that the odds against a fire tell apart."""


@dataclass(frozen=True, slots=True)
class PutOut(Action):
    """Put out a burning model or area.

    The model itself, another one, or an area. whole: with all actions left, which spares a burning model
    this turn's hit.
    """

    command = "cb.douse"
    typed = "cb fire out"
    titled = "Put a fire out"

    worker: Fighter = who(called="model")
    model: Fighter | None = anybody("Another burning model", called="burning", helps=True)
    area: Burning | None = burning("Burning area")
    whole: bool = fields.switch("Spend all the model's actions")
    order: bool = order()
    again: bool = False
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class WashOff(Action):
    """Wash acid off a model.

    Takes all actions of a corroded model outside the pool.
    """

    command = "cb.wash"
    typed = "cb fire wash"
    titled = "Wash acid off"

    model: Fighter = who()


@dataclass(frozen=True, slots=True)
class Blaze:
    """What is fought: a model or an area, and the successes that it still takes."""

    words: str
    needed: int
    model: Fighter | None = None
    area: Burning | None = None

    @property
    def fire(self) -> str:
        """Return what is put out, in words."""
        return self.words if self.area is not None else f"the fire on {self.words}"


def _blaze(act: ActView, action: PutOut) -> Blaze:
    worker, area = action.worker, action.area
    if area is not None:
        if area.fire.kind == "acid":
            raise InvalidInput("You can't put out acid. Move out of it, then wash it off with /cb fire wash.")
        return Blaze(area.name, successes_for_area(area.fire, settings(act)), area=area)
    burns = action.model or worker
    if action.whole and burns.id == worker.id and _owes_though_out(act, worker):
        return Blaze(burns.name, 0, model=burns)
    if not burns.has(Condition.BURNING):
        raise InvalidInput(f"{burns.name} is not burning, so there is no fire to put out.")
    needed = successes_to_put_out(burns.profile.size) - burns.count(DOUSED)
    return Blaze(burns.name, needed, model=burns)


def _owes_though_out(act: ActView, model: Fighter) -> bool:
    """Whether a model put itself out and owes the hit as long as it has not spent all actions on it."""
    return not model.has(Condition.BURNING) and "fire" in ground.owed(act.encounter, model)


def _dice(act: ActView, worker: Fighter, needed: int, *, order: bool) -> Prepared:
    return prepare_check(
        worker,
        "INT",
        PUT_OUT_TARGET,
        skill="engineering",
        target_reason="putting out a fire",
        needed=needed,
        target_rule="CB-BURN-07",
        order_token=order,
        settings=settings(act),
    )


@dataclass(frozen=True, slots=True)
class ReadyDousing:
    """The model and the flames, with the dice of every possible check, and the price of a token."""

    worker: Fighter
    blaze: Blaze
    checks: tuple[Prepared, ...]
    token: tuple[Effect, ...]

    @property
    def itself(self) -> bool:
        """Return whether it fights its own flames."""
        return self.blaze.model is not None and self.blaze.model.id == self.worker.id


@in_steps(PutOut)
class Dousing(FinishingOften[PutOut, ReadyDousing, tuple[int, ...]]):
    """Engineering at 7: a model takes 1 or 2 successes, an area shrinks with each."""

    def prepare(self, act: ActView, action: PutOut) -> ReadyDousing:
        worker, blaze = action.worker, _blaze(act, action)
        act.canonical = replace(as_done(action), model=blaze.model)
        if action.again and not worker.count(ModelState.may_retry_fire.key):
            raise InvalidInput("That check has already been resolved. Nothing was changed.")
        if not action.again:
            due(act, worker, "skill", order=False)
        needed, next_worker = max(1, blaze.needed), _after_one(worker)
        number = max(1, min(ACTIONS, actions_left(worker))) if action.whole and not action.again else 1
        checks = [
            _dice(act, fighter, needed, order=action.order) for fighter in (worker, next_worker)[:number]
        ]
        token = token_price(act, worker, spent=action.order)
        return ReadyDousing(worker, blaze, tuple(checks), token)

    def thrown(self, act: Act, action: PutOut, ready: ReadyDousing) -> tuple[int, ...]:
        """Return one check after the other, as long as it burns: the successes of each."""
        name, blaze, won = ready.worker.name, ready.blaze, list[int]()
        for check in ready.checks:
            needed = blaze.needed - sum(won)
            if needed:
                roller = Whose(
                    name,
                    "check",
                    f"to put out {blaze.fire} ({times(needed, 'success', 'successes')} needed)",
                )
                won.append(act.roll(roller, put_out, (check.throw,), needed))
        return tuple(won)

    def settle(self, act: Act, action: PutOut, ready: ReadyDousing, outcome: tuple[int, ...]) -> Telling:
        """Return an action for each check; the flames are smaller, or out. Rules: CB-BURN-06."""
        worker, blaze, won = ready.worker, ready.blaze, sum(outcome)
        spent = len(ready.checks) if ready.itself else max(1, len(outcome))
        counters = act.encounter.model(worker.id).counters
        counters.pop(ModelState.may_retry_fire.key, None)
        if action.again:
            carry_through(act, after_reroll(worker, "engineering"))
        else:
            _spend(act, worker, spent, itself=ready.itself)
        carry_through(act, ready.token)
        if outcome:
            carry_through(act, [*ended_by(worker, Event.INT_CHECKED), *after_check(worker, "engineering")])
        telling = Telling(why=why_check(ready.checks[0], f"{worker.name} tries to put out a fire"))
        telling.dice = [dice_words(ready.checks[0], "INT")] if blaze.needed else []
        _doused(act, telling, worker, blaze, won)
        reroll_buttons = (
            _roll_again(act, worker, cast(PutOut, act.canonical)) if blaze.needed and not won else ()
        )
        relics = luck(act, worker, failed=not won) if blaze.needed and not action.again else ()
        telling.more = (*_rest_of_it(act, telling, worker), *reroll_buttons, *relics)
        return telling

    def chances(self, act: ActView, action: PutOut, ready: ReadyDousing) -> Chances:
        """Return how many successes are won, and whether it is out."""
        needed = ready.blaze.needed
        if not needed:
            return Chances((f"The fire on {ready.blaze.words} is already out, so no check is needed.",))
        odds = act.solve(put_out_by, tuple((check.throw,) for check in ready.checks), needed)
        most = min(needed, MAX_TOLD)
        last = "out" if most == needed else f"{most}+"
        named = [*(times(n, "success", "successes") for n in range(most)), last]
        lines = (
            f"{ready.worker.name} -> {ready.blaze.words}",
            *(dice_words(prepared, "INT") for prepared in dict.fromkeys(ready.checks)),
            *chance_lines(odds, named),
        )
        aim = "out" if most == needed else f"{most} or more successes"
        return Chances(lines, aim, odds.chance(lambda won: won >= most), (odds,))


def _after_one(worker: Fighter) -> Fighter:
    return as_after(worker, (*ended_by(worker, Event.INT_CHECKED), *after_check(worker, "engineering")))


def _rest_of_it(act: Act, telling: Telling, worker: Fighter) -> tuple[Button, ...]:
    """Rules: CB-BURN-06."""
    worker_now = again(act, worker)
    if not _owes_though_out(act, worker_now):
        return ()
    if not actions_left(worker_now) or ground.acted_elsewhere(act.encounter, worker_now):
        telling.lines.append(
            f"{worker_now.name} spent only some of its actions on the fire, so it takes the hit."
        )
        return (Button("Take the hit", InFire(worker_now, outside=True), "main"),)
    telling.lines.append(
        f"Spend {possessive(worker_now.name)} other action on the fire too, or the model takes the hit."
    )
    all_actions = PutOut(worker_now, worker_now, whole=True)
    return (
        Button("Spend all the model's actions", all_actions, "main"),
        Button("Take the hit", InFire(worker_now, outside=True)),
    )


def _spend(act: Act, worker: Fighter, actions: int, *, itself: bool) -> None:
    """Actions on the flames; spared this turn's hit who spends them all on its own. Rules: CB-BURN-06."""
    for _ in range(actions):
        pay(act, again(act, worker), "skill")
        if itself:
            ground.fight(act.encounter, worker)


def _doused(act: Act, telling: Telling, worker: Fighter, blaze: Blaze, won: int) -> None:
    if blaze.model is not None:
        itself = blaze.model.id == worker.id
        telling.follow(act, after_dousing(blaze.model, won, itself=itself))
        still_needed = blaze.needed - won
        target_name = "itself" if itself else blaze.model.name
        if not blaze.needed:
            telling.lines.append(
                f"{worker.name} spends all its actions on the flames, so it takes no hit from them."
            )
        elif still_needed <= 0:
            telling.lines.append(f"{worker.name} puts out the fire on {target_name}.")
        else:
            need = times(still_needed, "success", "successes")
            telling.lines.append(f"{worker.name} still needs {need} to put out the fire on {target_name}.")
        return
    assert blaze.area is not None, "an area was named"
    after = shrink(blaze.area.fire, won, settings(act))
    write_fire(act.encounter, blaze.words, after)
    if after is None:
        telling.lines += [f"{worker.name} puts out {blaze.words}.", "Models that caught fire keep burning."]
    else:
        shrinks = after.inches < blaze.area.fire.inches
        telling.lines.append(
            f"{worker.name} shrinks {blaze.words} to R{after.inches}."
            if shrinks
            else f"{worker.name} doesn't shrink {blaze.words}."
        )
        telling.lines.append("The fire doesn't grow this turn.")
    telling.lines += house_rule(act, "fire_shrink_per_success")


def _roll_again(act: Act, worker: Fighter, attempt: PutOut) -> tuple[Button, ...]:
    if attempt.again or not may_reroll(worker, "engineering"):
        return ()
    ModelState(act.encounter.model(worker.id)).may_retry_fire = 1
    return (Button("Roll again (once per game)", replace(attempt, again=True, whole=False), anytime=True),)


@handles(WashOff)
def wash(act: Act, action: WashOff) -> Reply:
    """Return all its actions; no roll."""
    model = action.model
    effects = cleanse(model)
    if not effects:
        raise InvalidInput(f"{model.name} is not corroded, so there is no acid to wash off.")
    if ground.acted_elsewhere(act.encounter, model):
        forbid(f"{model.name} has already acted, and washing off acid takes all its actions.", "CB-FEAT-04")
    for _ in range(max(1, actions_left(model))):
        pay(act, model, "item")
    carry_through(act, effects)
    ground.settle(act.encounter, model)
    return finish(act, Telling([f"{model.name} washes the acid off.", "This takes all its actions."]))


@offers("put_out")
def _out(proposal: Propose) -> tuple[str, Action]:
    return "Put out the fire", PutOut(numbered(proposal.model), whole=True)


@offers("cleanse")
def _wash(proposal: Propose) -> tuple[str, Action]:
    return "Wash off the acid", WashOff(numbered(proposal.model))
