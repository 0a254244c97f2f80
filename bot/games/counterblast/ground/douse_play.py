"""Flames fought at the table: a model or an area put out, acid washed off."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

from bot.actions import Action, numbered
from bot.games.counterblast.core.common import again, carry_through, pay, settings, token_price
from bot.games.counterblast.core.fields import anybody, order, who
from bot.games.counterblast.core.fighters import as_after
from bot.games.counterblast.core.narration import FinishingOften, Telling, due, finish, house_rule, offers
from bot.games.counterblast.core.words import chance_lines, dice_words, why_check
from bot.games.counterblast.gear.relics import luck
from bot.games.counterblast.ground import flames
from bot.games.counterblast.ground.fields import burning
from bot.games.counterblast.ground.fire_play import InFire
from bot.games.counterblast.ground.fires import Burning, write_fire
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.handlers import handles
from bot.table.rolling.throws import Whose
from bot.table.steps import Chances, as_done, in_steps
from rules.counters import CounterName
from rules.effects import Effect, Propose
from rules.refusals import InvalidInput, forbid
from rules.systems.counterblast.building.crew import after_reroll, may_reroll
from rules.systems.counterblast.core.burning import (
    DOUSED,
    PUT_OUT_TARGET,
    after_dousing,
    cleanse,
    put_out,
    put_out_by,
    shrink,
    successes_for_area,
    successes_to_put_out,
)
from rules.systems.counterblast.core.checks import Prepared
from rules.systems.counterblast.core.conditions import Event, ended_by
from rules.systems.counterblast.core.dice_pools import prepare_check
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.gear.salvage import after_check
from rules.systems.counterblast.turn.activation import ACTIONS, actions_left
from rules.wording import times

MOST_TOLD = 4
"""Successes that the odds against a fire tell apart."""


AGAIN = CounterName("fire not put out")
"""Counter of a model: its last check against fire failed and may be rolled again."""


@dataclass(frozen=True, slots=True)
class PutOut(Action):
    """Put out a model or an area.

    The model itself, another one, or an area. whole: with all actions left, which spares a burning model
    this turn's hit.
    """

    command = "cb.douse"
    typed = "cb fire out"
    titled = "Put a fire out"

    worker: Fighter = who(called="model")
    model: Fighter | None = anybody("Who burns; none: itself", called="burning", helps=True)
    area: Burning | None = burning("Or a burning area")
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
    titled = "Wash acid off"

    model: Fighter = who()


@dataclass(frozen=True, slots=True)
class Blaze:
    """What is fought: a model or an area, and the successes that it still takes."""

    words: str
    needed: int
    model: Fighter | None = None
    area: Burning | None = None


def _blaze(act: Act, action: PutOut) -> Blaze:
    worker, area = action.worker, action.area
    if area is not None:
        if area.fire.kind == "acid":
            raise InvalidInput("Acid is not put out. Leave it, then wash it off: /cb fire wash.")
        return Blaze(area.name, successes_for_area(area.fire, settings(act)), area=area)
    burns = action.model or worker
    if action.whole and burns.id == worker.id and _owes_though_out(act, worker):
        return Blaze(burns.name, 0, model=burns)
    if not burns.has(Condition.BURNING):
        raise InvalidInput(f"{burns.name} does not burn.")
    needed = successes_to_put_out(burns.profile.size) - burns.count(DOUSED)
    return Blaze(burns.name, needed, model=burns)


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


@dataclass(frozen=True, slots=True)
class ReadyDousing:
    """Who fights which flames, with the dice of every check that may be made, and what a token costs."""

    worker: Fighter
    blaze: Blaze
    checks: tuple[Prepared, ...]
    token: tuple[Effect, ...]

    @property
    def itself(self) -> bool:
        """Whether it fights its own flames."""
        return self.blaze.model is not None and self.blaze.model.id == self.worker.id


@in_steps(PutOut)
class Dousing(FinishingOften[PutOut, ReadyDousing, tuple[int, ...]]):
    """Engineering at 7: a model takes 1 or 2 successes, an area shrinks with each."""

    def prepare(self, act: Act, action: PutOut) -> ReadyDousing:
        """What burns, and the checks that it may take. Raises InvalidInput, Forbidden."""
        worker, blaze = action.worker, _blaze(act, action)
        act.canonical = replace(as_done(action), model=blaze.model)
        if action.again and not worker.count(AGAIN):
            raise InvalidInput("That check has been settled.")
        if not action.again:
            due(act, worker, "skill", order=False)
        needed, later = max(1, blaze.needed), _after_one(worker)
        number = max(1, min(ACTIONS, actions_left(worker))) if action.whole and not action.again else 1
        checks = [_dice(act, one, needed, order=action.order) for one in (worker, later)[:number]]
        token = token_price(act, worker, spent=action.order)
        return ReadyDousing(worker, blaze, tuple(checks), token)

    def thrown(self, act: Act, action: PutOut, ready: ReadyDousing) -> tuple[int, ...]:
        """One check after the other, as long as it burns: the successes of each."""
        name, blaze, won = ready.worker.name, ready.blaze, list[int]()
        for one in ready.checks:
            left = blaze.needed - sum(won)
            if left:
                whose = Whose(name, "check", f"to put out {blaze.words}, {left} needed")
                won.append(act.roll(whose, put_out, (one.throw,), left))
        return tuple(won)

    def settle(self, act: Act, action: PutOut, ready: ReadyDousing, outcome: tuple[int, ...]) -> Telling:
        """An action for each check; the flames are smaller, or out. Rules: CB-BURN-06."""
        worker, blaze, won = ready.worker, ready.blaze, sum(outcome)
        spent = len(ready.checks) if ready.itself else max(1, len(outcome))
        counters = act.encounter.model(worker.id).counters
        counters.pop(AGAIN, None)
        if action.again:
            carry_through(act, after_reroll(worker, "engineering"))
        else:
            _spend(act, worker, spent, itself=ready.itself)
        carry_through(act, ready.token)
        if outcome:
            carry_through(act, [*ended_by(worker, Event.INT_CHECKED), *after_check(worker, "engineering")])
        telling = Telling(why=why_check(ready.checks[0], f"{worker.name}, putting out"))
        telling.dice = [dice_words(ready.checks[0], "INT")] if blaze.needed else []
        _doused(act, telling, worker, blaze, won)
        more = _roll_again(act, worker, cast(PutOut, act.canonical)) if blaze.needed and not won else ()
        relics = luck(act, worker, failed=not won) if blaze.needed and not action.again else ()
        telling.more = (*_rest_of_it(act, telling, worker), *more, *relics)
        return telling

    def chances(self, act: Act, action: PutOut, ready: ReadyDousing) -> Chances:
        """How many successes are won, and whether it is out."""
        needed = ready.blaze.needed
        if not needed:
            return Chances((f"{ready.blaze.words} is out already; no check is needed.",))
        odds = act.solve(put_out_by, tuple((one.throw,) for one in ready.checks), needed)
        most = min(needed, MOST_TOLD)
        last = "out" if most == needed else f"{most}+"
        named = [*(times(n, "success", "successes") for n in range(most)), last]
        lines = (
            f"{ready.worker.name} -> {ready.blaze.words}",
            *(dice_words(one, "INT") for one in dict.fromkeys(ready.checks)),
            *chance_lines(odds, named),
        )
        aim = "out" if most == needed else f"{most} or more"
        return Chances(lines, aim, odds.chance(lambda won: won >= most), (odds,))


def _after_one(worker: Fighter) -> Fighter:
    """Who has made one check against the flames, and makes another."""
    return as_after(worker, (*ended_by(worker, Event.INT_CHECKED), *after_check(worker, "engineering")))


def _rest_of_it(act: Act, telling: Telling, worker: Fighter) -> tuple[Button, ...]:
    """What a model hears that is out, and may yet spend its other actions on it. Rules: CB-BURN-06."""
    now = again(act, worker)
    if not _owes_though_out(act, now):
        return ()
    if not actions_left(now) or flames.acted_elsewhere(act.encounter, now):
        telling.lines.append("With a part of its actions: it takes the hit.")
        return (Button("Take the hit", InFire(now, outside=True), "main"),)
    telling.lines.append("Its other action too, or it takes the hit.")
    whole = PutOut(now, now, whole=True)
    return (
        Button("All its actions", whole, "main"),
        Button("Take the hit", InFire(now, outside=True)),
    )


def _spend(act: Act, worker: Fighter, actions: int, *, itself: bool) -> None:
    """Actions on the flames; spared this turn's hit who spends them all on its own. Rules: CB-BURN-06."""
    for _ in range(actions):
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
    assert blaze.area is not None, "an area was named"
    after = shrink(blaze.area.fire, won, settings(act))
    write_fire(act.encounter, blaze.words, after)
    if after is None:
        telling.lines += [f"{worker.name} puts {blaze.words} out.", "Models that burn still burn."]
    else:
        telling.lines.append(f"{worker.name} fights {blaze.words}: R{after.inches} is left.")
        telling.lines.append("It does not grow this turn.")
    telling.lines += house_rule(act, "fire_shrink_per_success")


def _roll_again(act: Act, worker: Fighter, asks: PutOut) -> tuple[Button, ...]:
    if asks.again or not may_reroll(worker, "engineering"):
        return ()
    act.encounter.model(worker.id).counters[AGAIN] = 1
    return (Button("Roll again (once a game)", replace(asks, again=True, whole=False), anytime=True),)


@handles(WashOff)
def wash(act: Act, action: WashOff) -> Reply:
    """All its actions; no roll."""
    model = action.model
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


@offers("put_out")
def _out(proposal: Propose) -> tuple[str, Action]:
    return "Put it out", PutOut(numbered(proposal.model), whole=True)


@offers("cleanse")
def _wash(proposal: Propose) -> tuple[str, Action]:
    return "Wash it off", WashOff(numbered(proposal.model))
