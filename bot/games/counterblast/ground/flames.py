"""Fire and acid at the table: areas that burn, models that catch fire, flames put out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

from bot.actions import Action, reference_by_name, reference_by_number
from bot.games.counterblast.core.common import again, carry_through, pay, settings, token_price
from bot.games.counterblast.core.fields import anybody, order, who
from bot.games.counterblast.core.narration import (
    Finishing,
    FinishingOften,
    Telling,
    add_wounds,
    due,
    finish,
    house_rule,
    register_offer,
)
from bot.games.counterblast.core.relics import list_relic_buttons
from bot.games.counterblast.core.wording import cast_automatic_hit, chance_lines, dice_words, why_check
from bot.games.counterblast.ground.places import fire_field, place_on_board, require_area_place
from bot.games.counterblast.state import ground
from bot.games.counterblast.state.ground import MAX_LENGTH, Burning, add_fire, list_fires, write_fire
from bot.games.counterblast.state.models import predict_after
from bot.games.counterblast.state.table_state import ModelState
from bot.replies.reply import Button, Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.asking.measuring import Spot
from bot.table.handlers import handles
from bot.table.names import check_name
from bot.table.owners import PLAYER
from bot.table.steps import Chances, as_done, in_steps
from bot.table.throw_purposes import Cast, Whose
from rules.dice import Dice
from rules.effects import Effect, Propose
from rules.refusals import InvalidInput, forbid
from rules.systems.counterblast.building.crew import may_reroll, use_reroll
from rules.systems.counterblast.core.burning import (
    CONDITION,
    DOUSING_SUCCESSES,
    MAX_INCHES,
    PUT_OUT_TARGET,
    Fire,
    Kind,
    build_burn_impact,
    catch_fire,
    count_successes_for_area,
    count_successes_to_put_out,
    douse,
    find_fire_protection,
    must_suffer,
    roll_burn,
    roll_checks_to_put_out,
    roll_to_put_out,
    shrink_fire,
    wash_off_acid,
)
from rules.systems.counterblast.core.checks import PreparedCheck
from rules.systems.counterblast.core.conditions import Event, end_conditions
from rules.systems.counterblast.core.dice_pools import prepare_check
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.impacts import Impact
from rules.systems.counterblast.gear.salvage import after_check
from rules.systems.counterblast.turn.activation import ACTIONS, actions_left
from rules.wording import possessive, times


def _kind_field() -> Any:
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
    kind: Kind = _kind_field()
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

    name: Burning = fire_field("Burning area", needed=True)
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
    kind: Kind = _kind_field()
    outside: bool = fields.switch("The model left the area but still burns", fact=True)
    odds: bool = fields.odds()


# ------------------------------------------------------------------------------------------- areas


@handles(StartFire)
def start_fire(act: Act, action: StartFire) -> Reply:
    """Start a fire, which grows or ends at the end of each turn."""
    kind = action.kind
    typed = check_name(action.name, "fire")
    if len(typed) > MAX_LENGTH:
        raise InvalidInput(f"Shorten the name. A fire's name can have at most {MAX_LENGTH} characters.")
    fire = Fire(max(1, act.encounter.row.turn), action.inches, kind, action.lasts)
    name = add_fire(act.encounter, typed, fire, require_area_place(act.encounter, action.spot))
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
    return finish(act, Telling([f"{area.words[:1].upper()}{area.words[1:]} {outcome_text}."]))


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
        safe = find_fire_protection(model, kind)
        if safe:
            raise InvalidInput(f"{model.name} is safe from {kind} ({safe}).")
        is_already_hit = model.count(ModelState.fire_turn.key) == max(1, act.encounter.row.turn)
        owes_hit = kind in ground.list_fires_owed(act.encounter, model)
        needs_no_area = action.outside or owes_hit or model.has(CONDITION[kind])
        if not needs_no_area and all(area.fire.kind != kind for area in list_fires(act.encounter)):
            raise InvalidInput(f"There is no {kind} on the table. Add it first with /cb fire start.")
        if not owes_hit and not must_suffer(
            model, in_fire=not action.outside, already_hit=is_already_hit, kind=kind
        ):
            forbid(f"{model.name} has already taken the hit from the {kind} this turn.", "CB-BURN-05")
        if not owes_hit and ground.is_hit_yet_to_come(act.encounter, model, kind):
            condition_text = "is already burning" if kind == "fire" else "is already corroded"
            forbid(f"{model.name} {condition_text}, so it takes the hit when it is activated.", "CB-BURN-05")
        return ReadyFlames(model, kind, build_burn_impact(model, settings(act)))

    def whose(self, action: InFire, ready: ReadyFlames) -> Cast:
        return cast_automatic_hit(ready.model.name, ready.kind)

    def rule(self, dice: Dice, ready: ReadyFlames) -> int:
        return roll_burn(dice, ready.impact)

    def settle(self, act: Act, action: InFire, ready: ReadyFlames, outcome: int) -> Telling:
        model, kind = ready.model, ready.kind
        telling = Telling(dice=[ready.dice])
        if not action.outside:
            telling.follow(act, catch_fire(model, kind))
        ground.mark_hit_settled(act.encounter, model)
        wounded = add_wounds(act, telling, again(act, model), outcome, f"from {kind}")
        still_burns = wounded.has(CONDITION[kind])
        telling.lines.append(
            f"{wounded.name} is {CONDITION[kind]}."
            if still_burns
            else f"{wounded.name} is no longer {CONDITION[kind]}."
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


@register_offer("burn")
def _offer_hit(proposal: Propose) -> tuple[str, Action]:
    details = dict(proposal.details)
    kind = reference_by_name(str(details.get("kind", "fire")))
    return "Take the hit", InFire(reference_by_number(proposal.model), kind, outside=True)


@register_offer("flammable")
def _offer_fire(proposal: Propose) -> tuple[str, Action]:
    spot = dict(proposal.details).get("spot")
    return "Start a fire", StartFire(spot=reference_by_name(str(spot)) if spot else None)


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
    model: Fighter | None = anybody("Another model that is burning", called="burning", helps=True)
    area: Burning | None = fire_field("Burning area")
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


def _find_blaze(act: ActView, action: PutOut) -> Blaze:
    worker, area = action.worker, action.area
    if area is not None:
        if area.fire.kind == "acid":
            raise InvalidInput("You can't put out acid. Move out of it, then wash it off with /cb fire wash.")
        return Blaze(area.words, count_successes_for_area(area.fire, settings(act)), area=area)
    burning_model = action.model or worker
    if action.whole and burning_model.id == worker.id and _owes_though_out(act, worker):
        return Blaze(burning_model.name, 0, model=burning_model)
    if not burning_model.has(Condition.BURNING):
        raise InvalidInput(f"{burning_model.name} is not burning, so there is no fire to put out.")
    needed = count_successes_to_put_out(burning_model.profile.size) - burning_model.count(DOUSING_SUCCESSES)
    return Blaze(burning_model.name, needed, model=burning_model)


def _owes_though_out(act: ActView, model: Fighter) -> bool:
    """Whether a model put itself out and owes the hit as long as it has not spent all actions on it."""
    return not model.has(Condition.BURNING) and "fire" in ground.list_fires_owed(act.encounter, model)


def _prepare_dousing(act: ActView, worker: Fighter, needed: int, *, order: bool) -> PreparedCheck:
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
    checks: tuple[PreparedCheck, ...]
    token: tuple[Effect, ...]

    @property
    def itself(self) -> bool:
        """Return whether it fights its own flames."""
        return self.blaze.model is not None and self.blaze.model.id == self.worker.id


@in_steps(PutOut)
class Dousing(FinishingOften[PutOut, ReadyDousing, tuple[int, ...]]):
    """Engineering at 7: a model takes 1 or 2 successes, an area shrinks with each."""

    def prepare(self, act: ActView, action: PutOut) -> ReadyDousing:
        worker, blaze = action.worker, _find_blaze(act, action)
        act.canonical = replace(as_done(action), model=blaze.model)
        if action.again and not worker.count(ModelState.may_retry_fire.key):
            raise InvalidInput("That check has already been resolved. Nothing was changed.")
        if not action.again:
            due(act, worker, "skill", order=False)
        needed, next_worker = max(1, blaze.needed), _predict_worker(worker)
        check_count = max(1, min(ACTIONS, actions_left(worker))) if action.whole and not action.again else 1
        checks = [
            _prepare_dousing(act, fighter, needed, order=action.order)
            for fighter in (worker, next_worker)[:check_count]
        ]
        token = token_price(act, worker, spent=action.order)
        return ReadyDousing(worker, blaze, tuple(checks), token)

    def thrown(self, act: Act, action: PutOut, ready: ReadyDousing) -> tuple[int, ...]:
        name, blaze, successes = ready.worker.name, ready.blaze, list[int]()
        for check in ready.checks:
            needed = blaze.needed - sum(successes)
            if needed:
                roller = Whose(
                    name,
                    "check",
                    f"to put out {blaze.fire} ({times(needed, 'success', 'successes')} needed)",
                )
                successes.append(act.roll(roller, roll_to_put_out, (check.throw,), needed))
        return tuple(successes)

    def settle(self, act: Act, action: PutOut, ready: ReadyDousing, outcome: tuple[int, ...]) -> Telling:
        """Spend an action for each check, and shrink the flames or put them out. Rules: CB-BURN-06."""
        worker, blaze, successes = ready.worker, ready.blaze, sum(outcome)
        spent = len(ready.checks) if ready.itself else max(1, len(outcome))
        counters = act.encounter.model(worker.id).counters
        counters.pop(ModelState.may_retry_fire.key, None)
        if action.again:
            carry_through(act, use_reroll(worker, "engineering"))
        else:
            _spend(act, worker, spent, itself=ready.itself)
        carry_through(act, ready.token)
        if outcome:
            carry_through(
                act, [*end_conditions(worker, Event.INT_CHECKED), *after_check(worker, "engineering")]
            )
        telling = Telling(why=why_check(ready.checks[0], f"{worker.name} tries to put out a fire"))
        telling.dice = [dice_words(ready.checks[0], "INT")] if blaze.needed else []
        _apply_dousing(act, telling, worker, blaze, successes)
        reroll_buttons = (
            _build_reroll_button(act, worker, cast(PutOut, act.canonical))
            if blaze.needed and not successes
            else ()
        )
        relics = (
            list_relic_buttons(act, worker, failed=not successes) if blaze.needed and not action.again else ()
        )
        telling.more = (*_ask_for_rest(act, telling, worker), *reroll_buttons, *relics)
        return telling

    def chances(self, act: ActView, action: PutOut, ready: ReadyDousing) -> Chances:
        needed = ready.blaze.needed
        if not needed:
            return Chances((f"The fire on {ready.blaze.words} is already out, so no check is needed.",))
        odds = act.solve(roll_checks_to_put_out, tuple((check.throw,) for check in ready.checks), needed)
        max_successes = min(needed, MAX_TOLD)
        last_name = "out" if max_successes == needed else f"{max_successes}+"
        row_names = [*(times(n, "success", "successes") for n in range(max_successes)), last_name]
        lines = (
            f"{ready.worker.name} -> {ready.blaze.words}",
            *(dice_words(prepared, "INT") for prepared in dict.fromkeys(ready.checks)),
            *chance_lines(odds, row_names),
        )
        aim = "out" if max_successes == needed else f"{max_successes} or more successes"
        return Chances(lines, aim, odds.chance(lambda won: won >= max_successes), (odds,))


def _predict_worker(worker: Fighter) -> Fighter:
    return predict_after(
        worker, (*end_conditions(worker, Event.INT_CHECKED), *after_check(worker, "engineering"))
    )


def _ask_for_rest(act: Act, telling: Telling, worker: Fighter) -> tuple[Button, ...]:
    """Rules: CB-BURN-06."""
    worker_now = again(act, worker)
    if not _owes_though_out(act, worker_now):
        return ()
    if not actions_left(worker_now) or ground.has_acted_elsewhere(act.encounter, worker_now):
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
            ground.fight_flames(act.encounter, worker)


def _apply_dousing(act: Act, telling: Telling, worker: Fighter, blaze: Blaze, won: int) -> None:
    if blaze.model is not None:
        itself = blaze.model.id == worker.id
        telling.follow(act, douse(blaze.model, won, itself=itself))
        still_needed = blaze.needed - won
        target_name = "itself" if itself else blaze.model.name
        if not blaze.needed:
            telling.lines.append(
                f"{worker.name} spends all its actions on the flames, so it takes no hit from them."
            )
        elif still_needed <= 0:
            telling.lines.append(f"{worker.name} puts out the fire on {target_name}.")
        else:
            need_text = times(still_needed, "success", "successes")
            telling.lines.append(
                f"{worker.name} still needs {need_text} to put out the fire on {target_name}."
            )
        return
    assert blaze.area is not None, "an area was named"
    new_fire = shrink_fire(blaze.area.fire, won, settings(act))
    write_fire(act.encounter, blaze.area.name, new_fire)
    if new_fire is None:
        telling.lines += [f"{worker.name} puts out {blaze.words}.", "Models that caught fire keep burning."]
    else:
        shrinks = new_fire.inches < blaze.area.fire.inches
        telling.lines.append(
            f"{worker.name} shrinks {blaze.words} to R{new_fire.inches}."
            if shrinks
            else f"{worker.name} doesn't shrink {blaze.words}."
        )
        telling.lines.append("The fire doesn't grow this turn.")
    telling.lines += house_rule(act, "fire_shrink_per_success")


def _build_reroll_button(act: Act, worker: Fighter, attempt: PutOut) -> tuple[Button, ...]:
    if attempt.again or not may_reroll(worker, "engineering"):
        return ()
    ModelState(act.encounter.model(worker.id)).may_retry_fire = 1
    return (Button("Roll again (once per game)", replace(attempt, again=True, whole=False), anytime=True),)


@handles(WashOff)
def wash_off(act: Act, action: WashOff) -> Reply:
    """Wash the acid off with all the model's actions, without a roll."""
    model = action.model
    effects = wash_off_acid(model)
    if not effects:
        raise InvalidInput(f"{model.name} is not corroded, so there is no acid to wash off.")
    if ground.has_acted_elsewhere(act.encounter, model):
        forbid(f"{model.name} has already acted, and washing off acid takes all its actions.", "CB-FEAT-04")
    for _ in range(max(1, actions_left(model))):
        pay(act, model, "item")
    carry_through(act, effects)
    ground.mark_hit_settled(act.encounter, model)
    return finish(act, Telling([f"{model.name} washes the acid off.", "This takes all its actions."]))


@register_offer("put_out")
def _offer_put_out(proposal: Propose) -> tuple[str, Action]:
    return "Put out the fire", PutOut(reference_by_number(proposal.model), whole=True)


@register_offer("cleanse")
def _offer_wash(proposal: Propose) -> tuple[str, Action]:
    return "Wash off the acid", WashOff(reference_by_number(proposal.model))
