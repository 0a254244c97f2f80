"""Low gravity at the table: the check of a long Move or charge, the drift, and whom a drifting model hits."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core.common import settings, spend_order
from bot.games.counterblast.core.fighters import fighter, fighters
from bot.games.counterblast.core.rolls import compact, finish, model_choices, require_between, wound
from bot.games.counterblast.core.surroundings import depth_of, gravity_here
from bot.games.counterblast.core.telling import Telling
from bot.games.counterblast.core.throwers import crashed, labelled
from bot.games.counterblast.core.words import dice_words, times, why_check
from bot.games.counterblast.shooting.recalled import forget
from bot.games.counterblast.templates.scatter_picture import way_picture
from bot.replies.chances import percent
from bot.replies.reply import Blank, Button, Menu, Reply, form
from bot.table.act import Act
from bot.table.handlers import handles
from bot.table.rolling.throws import Whose
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.ability import initiative_check
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.general import distance_dice
from rules.systems.counterblast.core.initiative import FOOTING_TARGET
from rules.systems.counterblast.movement.environment import (
    Drift,
    collide,
    drift,
    is_met,
    keeps_down,
    must_check_drift,
)
from rules.systems.counterblast.movement.falling import Faller

FARTHEST = 200


@dataclass(frozen=True, slots=True)
class Collide(Action):
    """A drifting model runs into something after so many inches. struck: models; sure: nobody else.

    drifted: how far it drifted, in inches; 0 where nobody knows.
    """

    command = "cb.collide"

    model: int = 0
    inches: float = 0.0
    struck: tuple[int, ...] = ()
    sure: bool = False
    drifted: float = 0.0


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


def drift_odds(act: Act, charger: Fighter, inches: float) -> list[str]:
    """The chance that a charge drifts away, where it has to be checked. Rules: CB-ENV-02."""
    if not may_drift(act, charger, inches):
        return []
    prepared = initiative_check(charger, FOOTING_TARGET, settings=settings(act))
    away = act.solve(keeps_down, (prepared.throw,)).chance(lambda held: not held)
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
    hit = Button("Meets something...", Collide(model.id, far, drifted=far), form=COLLISION)
    reply = finish(act, telling, [dice], hit)
    if not tumbles:
        return reply
    drawn = way_picture(model.name, "drifts", result.clock, result.inches, "where it came from")
    return replace(reply, files=(drawn,))


@handles(Collide)
def collision(act: Act, action: Collide) -> Reply:
    """Dice for every full 3 in on the one who drifted and on whom it struck."""
    model = fighter(act.encounter, act.encounter.model(action.model))
    act.require_model(act.encounter.model(model.id))
    require_between(action.inches, 0, FARTHEST, "Inches")
    if action.drifted and not is_met(action.drifted, action.inches):
        raise InvalidInput(f"{model.name} drifted {action.drifted:g} in: what lies farther it does not meet.")
    deep = depth_of(act.encounter, model)[0] > 0
    if not action.struck and not action.sure:
        others = [one for one in fighters(act.encounter) if one.id != model.id]
        menu = Menu("Whom does it hit?", action, "struck", model_choices(others), 1, min(5, len(others)))
        said = f"{model.name} runs into something after {action.inches:g} in."
        none = Button("No model", replace(action, sure=True), "main")
        return Reply((said, "A model too?"), private=True, buttons=(none,), menus=(menu,))
    struck = [fighter(act.encounter, act.encounter.model(number)) for number in action.struck]
    hits = act.roll(
        crashed(model.name, [one.name for one in struck], "collision"),
        collide,
        action.inches,
        Faller.of(model),
        tuple(Faller.of(one) for one in struck),
        deep_water=deep,
    )
    telling = Telling()
    wound(act, telling, model, hits.mover)
    for one, wounds in zip(struck, hits.struck, strict=True):
        wound(act, telling, one, wounds)
    number = distance_dice(action.inches)
    telling.lines.append("Deep water: no damage." if deep else f"{times(number, 'die', 'dice')}, no shields")
    return finish(act, telling)
