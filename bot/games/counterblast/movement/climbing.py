"""Up and over at the table: climbing, the height of models, jumping."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.counterblast.core.common import again, carry_through, price, settings
from bot.games.counterblast.core.contact import mark_engaged
from bot.games.counterblast.core.fields import foe, order, who
from bot.games.counterblast.core.narration import (
    Finishing,
    ReadyCheck,
    Telling,
    Throwing,
    due,
    finish,
    house_rule,
    pass_chances,
)
from bot.games.counterblast.core.wording import dice_words, why_check
from bot.games.counterblast.movement.falls import clear_owed_fall, store_falls
from bot.games.counterblast.movement.moves import (
    LOCOMOTION,
    close_in,
    goes_on,
    store_locomotion,
)
from bot.replies.chances import bars
from bot.replies.reply import Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields, measuring
from bot.table.handlers import handles
from bot.table.steps import Chances, in_steps, otherwise
from bot.table.throw_purposes import Whose
from rules.dice import Dice
from rules.effects import Assign, Effect
from rules.refusals import InvalidInput
from rules.systems.counterblast import vehicle_rules
from rules.systems.counterblast.core.checks import PreparedCheck
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.melee.engagement import require_leap, require_leaper
from rules.systems.counterblast.movement import movement
from rules.systems.counterblast.movement.movement import Jump, Locomotion
from rules.wording import possessive, times


@dataclass(frozen=True, slots=True)
class Climb(Action):
    """Climb up or down (one Move).

    inches: up, or down below 0.
    """

    command = "cb.climb"
    typed = "cb move climb"
    titled = "Climb"

    model: Fighter = who()
    inches: int = fields.whole(
        "Height to climb (inches, negative for down)", -20, 20, default=0, needed=True, fact=True
    )
    rugged: int = fields.whole("Rugged rating (default 3)", 1, 3, default=3, fact=True)
    order: bool = order()
    odds: bool = fields.odds()
    goes_on: Locomotion | None = fields.one_of("", LOCOMOTION)


@dataclass(frozen=True, slots=True)
class Leap(Action):
    """Jump over a gap.

    As part of a Move. drop: inches down at the edge; rise: the far side is higher.
    """

    command = "cb.jump"
    typed = "cb move jump"
    titled = "Jump"

    model: Fighter = who()
    gap: float = fields.inches(
        "Width of the gap (inches)", 0.0, 200.0, default=0.0, needed=True, checked=True, fact=True
    )
    drop: int = fields.whole("Depth of the gap (inches)", 0, 200, default=0, checked=True, fact=True)
    rise: float = fields.inches(
        "Extra height of the far side (inches)", 0.0, 200.0, default=0.0, checked=True, fact=True
    )
    goes_on: Locomotion | None = fields.one_of("Kind of movement", LOCOMOTION[:3], called="on")
    order: bool = order()
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class SetHeight(Action):
    """Record how high a model is.

    Above the ground.
    """

    command = "cb.height"
    typed = "cb move height"
    titled = "Set height above ground"
    waits_for_dice = True

    model: Fighter = who()
    inches: int = fields.whole("Height above ground (inches)", 0, 200, default=0, needed=True, checked=True)


@dataclass(frozen=True, slots=True)
class Pounce(Action):
    """Leap at an enemy within 6 in.

    Out of hiding, or as an Infiltrator from where it stands.
    """

    command = "cb.pounce"
    typed = "cb move pounce"
    titled = "Pounce"

    model: Fighter = who()
    target: Fighter = foe("Enemy", needed=True)
    inches: float = measuring.inches_between("model", "target", needed=True, checked=True)
    by_hand: tuple[str, ...] = fields.by_hand()


# ------------------------------------------------------------------------------------------- climbing


def _may_move(act: ActView, action: Climb | Leap) -> None:
    price(act, action.model, "move")


@in_steps(Climb, may=_may_move)
class Climbing(Throwing[Climb, ReadyCheck, bool]):
    """The check at the start of a Move spent climbing; without a success it falls."""

    label = "Climb"

    def prepare(self, act: ActView, action: Climb) -> ReadyCheck:
        """Return a climb within a Move's reach. Raises InvalidInput, Forbidden."""
        model = action.model
        if not action.inches or abs(action.inches) > model.profile.mv:
            raise InvalidInput(
                f"With one Move, {model.name} can climb 1 to {model.profile.mv} in (enter a number below 0 "
                "to climb down)."
            )
        prepared = movement.prepare_climb(
            model, action.rugged, order_token=action.order, settings=settings(act)
        )
        movement.require_climb(goes_on(model, action.goes_on))
        return ReadyCheck(prepared, due(act, model, "move", order=action.order))

    def whose(self, action: Climb, ready: ReadyCheck) -> Whose:
        return Whose(action.model.name, "climb", f"of {action.inches:g} in")

    def rule(self, dice: Dice, ready: ReadyCheck) -> bool:
        return movement.climb(dice, (ready.prepared.throw,))

    def settle(self, act: Act, action: Climb, ready: ReadyCheck, outcome: bool) -> Telling:
        model = action.model
        store_locomotion(act, model, action.goes_on)
        carry_through(act, ready.due)
        telling = Telling(
            why=why_check(ready.prepared, f"{model.name} tries to climb"),
            dice=[dice_words(ready.prepared, "AGL")],
        )
        height = model.count(Counter.HEIGHT)
        telling.follow(act, movement.after_climb(model, height, action.inches, held_on=outcome))
        if height:
            store_falls(act.encounter, telling.proposals)
        height_now = again(act, model).count(Counter.HEIGHT)
        outcome_text = f"climbs and is now {_describe_height(height_now)}." if outcome else "loses its grip."
        telling.lines.append(f"{model.name} {outcome_text}")
        return telling

    def chances(self, act: ActView, action: Climb, ready: ReadyCheck) -> Chances:
        odds = act.solve(movement.climb, (ready.prepared.throw,))
        return pass_chances(action.model.name, "keeps its grip", odds, dice_words(ready.prepared, "AGL"))


def _describe_height(inches: int) -> str:
    return f"{inches} in above the ground" if inches else "on the ground"


@handles(SetHeight)
def set_height(act: Act, action: SetHeight) -> Reply:
    """Set the height by hand, for ladders, stairs and roofs."""
    model = action.model
    carry_through(act, [Assign("model", model.id, Counter.HEIGHT, action.inches)])
    clear_owed_fall(act.encounter.model(model.id))
    return finish(act, Telling([f"{model.name} is now {_describe_height(action.inches)}."]))


# ------------------------------------------------------------------------------------------- jumping


@dataclass(frozen=True, slots=True)
class ReadyJump:
    """A jump that may be tried, the successes that it takes, and what it costs."""

    model: Fighter
    prepared: PreparedCheck
    needed: int
    short_falls: bool
    due: tuple[Effect, ...]

    @property
    def need(self) -> str:
        """Return how far it jumps without a check, and what the rest takes."""
        free_text = f"{movement.free_jump(self.model.profile.mv):g} in"
        if not self.needed:
            return f"A jump of up to {free_text} needs no check."
        needed_text = times(self.needed, "success", "successes")
        return f"The first {free_text} need no check. The rest needs {needed_text}."


@in_steps(Leap, may=_may_move)
class Leaping(Finishing[Leap, ReadyJump, Jump]):
    """Half of Mv for nothing, an inch more for each success."""

    label = "Jump"

    def prepare(self, act: ActView, action: Leap) -> ReadyJump:
        """Return who can jump so far, and may move. Raises InvalidInput, Forbidden."""
        model, mv, rules = action.model, action.model.profile.mv, settings(act)
        vehicle_rules.require_jump(model)
        movement.require_jump(goes_on(model, action.goes_on), action.gap, action.rise, mv)
        needed = movement.jump_successes(mv, action.gap)
        prepared = movement.prepare_jump(model, order_token=action.order, settings=rules)
        costs = due(act, model, "move", order=action.order and bool(needed))
        return ReadyJump(model, prepared, needed, rules.short_jump == "fall", costs)

    def whose(self, action: Leap, ready: ReadyJump) -> Whose:
        return Whose(ready.model.name, "jump", f"of {action.gap:g} in")

    def rule(self, dice: Dice, ready: ReadyJump) -> Jump:
        return movement.jump(dice, (ready.prepared.throw,), ready.needed, short_falls=ready.short_falls)

    def settle(self, act: Act, action: Leap, ready: ReadyJump, outcome: Jump) -> Telling:
        model = ready.model
        store_locomotion(act, model, action.goes_on)
        carry_through(act, ready.due)
        telling = Telling([_describe_jump(model, outcome, action), ready.need])
        telling.follow(act, movement.after_jump(model, outcome, action.drop))
        store_falls(act.encounter, telling.proposals)
        telling.lines += house_rule(act, "short_jump")
        if ready.needed:
            telling.why += why_check(ready.prepared, f"{possessive(model.name)} jump")
            telling.dice = [dice_words(ready.prepared, "AGL")]
        return telling

    def chances(self, act: ActView, action: Leap, ready: ReadyJump) -> Chances:
        odds = act.solve(self.rule, ready)
        rows = [(word.value, odds.chance(lambda got, w=word: got is w)) for word in Jump]  # type: ignore[misc]
        headline = f"{ready.model.name} tries to jump {action.gap:g} in"
        lines = (headline, ready.need, dice_words(ready.prepared, "AGL"), *bars(rows))
        return Chances(lines, Jump.CLEARED.value, odds.chance(lambda got: got is Jump.CLEARED), (odds,))

    def turned(self, plain: Leap, ready: ReadyJump) -> Leap | None:
        return otherwise(plain) if ready.needed else None


def _describe_jump(model: Fighter, outcome: Jump, action: Leap) -> str:
    if outcome is Jump.CLEARED:
        return f"{model.name} jumps {action.gap:g} in."
    if outcome is Jump.STAYED:
        return f"{model.name} stops at the edge."
    return f"{model.name} fails the jump."


# ------------------------------------------------------------------------------------------- pouncing


@handles(Pounce)
def pounce(act: Act, action: Pounce) -> Reply:
    """Return one Move of up to 6 in that ends in contact; no charge.

    Rules: CB-FEAT-41, CB-HIDE-08, CB-TERR-07, CB-BURN-01.
    """
    model = action.model
    require_leaper(model)
    costs = price(act, model, "move")
    target = action.target
    require_leap(model, target, action.inches)
    carry_through(act, costs)
    mark_engaged(act, again(act, model), target)
    telling = Telling(
        [
            f"{model.name} leaps at {target.name} ({action.inches:g} in).",
            f"The leap is not a charge. {model.name} can now Fight for 1 action.",
        ]
    )
    close_in(act, telling, model, target)
    return finish(act, telling)
