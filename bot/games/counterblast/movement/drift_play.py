"""Low gravity at the table: the check of a long Move or charge, the drift, and whom a drifting model hits."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core.common import settings, spend_order
from bot.games.counterblast.core.fields import by_number, several_by_number
from bot.games.counterblast.core.narration import Finishing, Telling, compact, finish, require_between, wound
from bot.games.counterblast.core.surroundings import depth_of, gravity_here
from bot.games.counterblast.core.throwers import crashed, labelled
from bot.games.counterblast.core.words import dice_words, why_check
from bot.games.counterblast.movement.crashes import Crash, ask_struck, crash_chances
from bot.games.counterblast.shooting.recalled import forget
from bot.games.counterblast.templates.template_attacks import way_picture
from bot.replies.chances import percent
from bot.replies.reply import Blank, Button, Reply, form
from bot.table.act import Act
from bot.table.rolling.throws import Cast, Whose
from bot.table.steps import Chances, in_steps
from rules.dice import Dice, Odds
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.checks import FOOTING_TARGET
from rules.systems.counterblast.core.dice_pools import initiative_check
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.general import distance_dice
from rules.systems.counterblast.movement.environment import (
    Collision,
    Drift,
    Faller,
    collide,
    drift,
    is_met,
    keeps_down,
    must_check_drift,
)
from rules.wording import times

FARTHEST = 200


@dataclass(frozen=True, slots=True)
class Collide(Action):
    """A drifting model runs into something after so many inches. struck: models; sure: nobody else.

    drifted: how far it drifted, in inches; 0 where nobody knows.
    """

    command = "cb.collide"
    facts = frozenset({"inches", "drifted", "sure"})

    model: Fighter = by_number(mine=True, needed=True)
    inches: float = 0.0
    struck: tuple[Fighter, ...] = several_by_number(fact=True)
    sure: bool = False
    drifted: float = 0.0
    odds: bool = False


COLLISION = form("cb.collide", "Runs into something", Blank("inches", "Inches before contact", longest=5))


def may_drift(act: Act, model: Fighter, inches: float) -> int:
    """The Low Gravity rating that a Move of so many inches has to be checked for, 0 for none.

    Rules: CB-ENV-02, CB-ENV-08, CB-ENV-10.
    """
    gravity = gravity_here(act.encounter, model)
    deep = depth_of(act.encounter, model)[0] > 0
    return gravity if gravity and must_check_drift(model, inches, deep_water=deep) else 0


def drifting(
    act: Act, telling: Telling, model: Fighter, gravity: int, *more: Button, order: bool = False
) -> Reply:
    """The Initiative check of a long Move, and the drift that replaces it.

    more: what is offered when it keeps its feet. Rules: CB-ENV-02, CB-ENV-03.
    """
    held, dice = _stays_down(act, telling, model, gravity, order=order)
    return finish(act, telling, [dice], *more) if held else _adrift(act, telling, model, gravity, dice)


def charge_drifts(act: Act, telling: Telling, charger: Fighter, inches: float) -> Reply | None:
    """The drift that replaces a charge of more than half Mv in low gravity; None where it goes on.

    Rules: CB-ENV-02, CB-ENV-03, CB-CHARGE-01.
    """
    gravity = may_drift(act, charger, inches)
    if not gravity:
        return None
    mark = len(act.dice.trace)
    held, dice = _stays_down(act, telling, charger, gravity)
    if held:
        telling.lines += [dice, *compact(act.dice.trace[mark:])]
        return None
    return _adrift(act, telling, charger, gravity, dice)


def stays_down(act: Act, model: Fighter, *, order: bool = False) -> Odds[bool]:
    """The odds that a model keeps its feet in low gravity. Rules: CB-ENV-02."""
    prepared = initiative_check(model, FOOTING_TARGET, order_token=order, settings=settings(act))
    return act.solve(keeps_down, (prepared.throw,))


def drift_odds(act: Act, charger: Fighter, inches: float) -> list[str]:
    """The chance that a charge drifts away, where it has to be checked. Rules: CB-ENV-02."""
    if not may_drift(act, charger, inches):
        return []
    away = stays_down(act, charger).chance(lambda held: not held)
    return [f"Low gravity: drifts away {percent(away).strip()}"]


def _stays_down(
    act: Act, telling: Telling, model: Fighter, gravity: int, *, order: bool = False
) -> tuple[bool, str]:
    """The Initiative check: whether it keeps its feet, and its dice in words."""
    prepared = initiative_check(model, FOOTING_TARGET, order_token=order, settings=settings(act))
    if order:
        spend_order(act, model.side)
    telling.why += why_check(prepared, f"{model.name}, low gravity [{gravity}]")
    whose = Whose(model.name, "Initiative check", f"in low gravity {gravity}")
    held = act.roll(whose, keeps_down, (prepared.throw,))
    telling.lines += ["It keeps its feet in low gravity."] if held else []
    return held, dice_words(prepared, settings(act).initiative_check_ability)


def _adrift(act: Act, telling: Telling, model: Fighter, gravity: int, dice: str) -> Reply:
    whose = labelled(
        Whose(model.name, "drift", f"in low gravity {gravity}"),
        direction=Whose(model.name, "drift", "for its direction"),
        scatter=Whose(model.name, "drift", "for its distance"),
    )
    result = act.roll(whose, drift, gravity, model.mv)
    forget(act.encounter, model.id)
    tumbles = result.row is Drift.TUMBLE
    way = f"towards {result.clock} o'clock" if tumbles else "the way it was going"
    telling.lines[:] = [f"{model.name} drifts {result.inches} in, {way}."]
    telling.lines += ["12 is the way it was going."] if tumbles else []
    if not result.collides:
        telling.lines.append("It lands safely.")
        return finish(act, telling, [dice])
    telling.lines += ["It stops at the first object it meets,", "and at the edge of Impassable ground."]
    far = float(result.inches)
    hit = Button("Meets something...", Collide(model, far, drifted=far), form=COLLISION)
    reply = finish(act, telling, [dice], hit)
    if not tumbles:
        return reply
    drawn = way_picture(model.name, "drifts", result.clock, result.inches, "where it came from")
    return replace(reply, files=(drawn,))


@in_steps(Collide)
class Colliding(Finishing[Collide, Crash, Collision]):
    """Dice for every full 3 in on the one who drifted and on whom it struck."""

    def prepare(self, act: Act, action: Collide) -> Crash:
        """Within the inches that it drifted. Raises InvalidInput, NotAllowed."""
        model = action.model
        require_between(action.inches, 0, FARTHEST, "Inches")
        if action.drifted and not is_met(action.drifted, action.inches):
            far = f"{model.name} drifted {action.drifted:g} in"
            raise InvalidInput(f"{far}: what lies farther it does not meet.")
        deep = depth_of(act.encounter, model)[0] > 0
        return Crash(model, action.inches, action.struck, deep=deep)

    def asks(self, act: Act, action: Collide, ready: Crash) -> Reply | None:
        """Whom it runs into."""
        if action.struck or action.sure:
            return None
        return ask_struck(act, action, ready, f"{ready.model.name} runs into something")

    def whose(self, action: Collide, ready: Crash) -> Cast:
        """Who drifted, then each who is struck."""
        return crashed(ready.model.name, ready.names, "collision")

    def rule(self, dice: Dice, ready: Crash) -> Collision:
        """The dice on everybody who is hit."""
        return collide(dice, ready.inches, Faller.of(ready.model), ready.below, deep_water=ready.deep)

    def settle(self, act: Act, action: Collide, ready: Crash, outcome: Collision) -> Telling:
        """Who was hit is wounded."""
        telling = Telling()
        wound(act, telling, ready.model, outcome.mover)
        for one, wounds in zip(ready.struck, outcome.struck, strict=True):
            wound(act, telling, one, wounds)
        dice = f"{times(distance_dice(action.inches), 'die', 'dice')}, no shields"
        telling.lines.append("Deep water: no damage." if ready.deep else dice)
        return telling

    def chances(self, act: Act, action: Collide, ready: Crash) -> Chances:
        """What it does to everybody who is hit."""
        if ready.deep:
            return Chances(("Deep water: no damage.",))
        return crash_chances(act, ready, f"{ready.model.name} runs into something after {ready.inches:g} in")
