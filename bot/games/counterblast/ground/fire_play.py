"""Fire at the table: areas that burn, models that catch fire, the hits. Putting out is in `douse_play`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from bot.actions import Action, numbered, worded
from bot.games.counterblast.core.common import again, settings
from bot.games.counterblast.core.fields import who
from bot.games.counterblast.core.narration import Finishing, Telling, finish, offers, wound
from bot.games.counterblast.core.throwers import harmed
from bot.games.counterblast.core.words import chance_lines
from bot.games.counterblast.ground import flames
from bot.games.counterblast.ground.fields import burning
from bot.games.counterblast.ground.fires import LONGEST, Burning, add_fire, fires_on, write_fire
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.handlers import handles
from bot.table.names import checked_name
from bot.table.owners import PLAYER
from bot.table.rolling.throws import Cast
from bot.table.steps import Chances, in_steps
from rules.dice import Dice
from rules.effects import Propose
from rules.refusals import InvalidInput, forbid
from rules.systems.counterblast.core.burning import (
    CONDITION,
    MAX_INCHES,
    Fire,
    Kind,
    burn,
    burn_impact,
    catch_fire,
    must_suffer,
    safe_from,
)
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.impacts import Impact
from rules.wording import times


def _kind() -> Any:
    return fields.one_of("What kind", ("fire", "acid"), default="fire")


@dataclass(frozen=True, slots=True)
class StartFire(Action):
    """A place burns.

    Put a burning area, or a pool of acid, on the table. lasts: turns, 0 without limit.
    """

    command = "cb.fire.start"
    typed = "cb fire start"
    titled = "A place burns"
    decision_of = PLAYER

    name: str = fields.text("Its name", None, default="fire")
    inches: int = fields.whole("Its R number", 1, MAX_INCHES, default=3, checked=True)
    kind: Kind = _kind()
    lasts: int = fields.whole("Turns; 0: until it ends by itself", 0, 50, default=0, checked=True)


@dataclass(frozen=True, slots=True)
class EndFire(Action):
    """Take a fire off the table.

    hem: say instead that fire breaks hem it in.
    """

    command = "cb.fire.end"
    typed = "cb fire end"
    titled = "A fire ends"
    decision_of = PLAYER

    name: Burning = burning("Its name", needed=True)
    hem: bool = fields.switch("It stays, but cannot grow")


@dataclass(frozen=True, slots=True)
class InFire(Action):
    """A model is in fire or acid.

    Or it still burns: the hit of this turn. outside: it left the area.
    """

    command = "cb.burn"
    typed = "cb fire hit"
    titled = "In fire or acid"

    model: Fighter = who()
    kind: Kind = _kind()
    outside: bool = fields.switch("It left the area but burns", fact=True)
    odds: bool = fields.odds()


# ------------------------------------------------------------------------------------------- areas


@handles(StartFire)
def start_fire(act: Act, action: StartFire) -> Reply:
    """It grows or ends by itself at the end of each turn."""
    act.require_player()
    kind = action.kind
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
    area = action.name
    write_fire(act.encounter, area.name, replace(area.fire, hemmed=True) if action.hem else None)
    said = "is hemmed in and grows no more" if action.hem else "is off the table"
    return finish(act, Telling([f"{area.name} {said}."]))


# ------------------------------------------------------------------------------------------- models in it


@dataclass(frozen=True, slots=True)
class ReadyFlames:
    """A model that is in fire or acid, and what hits it."""

    model: Fighter
    kind: Kind
    impact: Impact

    @property
    def dice(self) -> str:
        """What helps against it, in words."""
        return f"Shield {self.impact.shields}D vs Power {self.impact.power}"


@in_steps(InFire)
class InFlames(Finishing[InFire, ReadyFlames, int]):
    """Catches fire, and takes this turn's hit: Power 5, one wound, shields help."""

    def prepare(self, act: Act, action: InFire) -> ReadyFlames:
        """Who is not safe from it, and has not taken this turn's hit. Raises InvalidInput, Forbidden."""
        kind, model = action.kind, action.model
        safe = safe_from(model, kind)
        if safe:
            raise InvalidInput(f"{model.name} is safe from {kind}: {safe}.")
        already = model.count(flames.HIT) == max(1, act.encounter.row.turn)
        owes = kind in flames.owed(act.encounter, model)
        elsewhere = action.outside or owes or model.has(CONDITION[kind])
        if not elsewhere and all(area.fire.kind != kind for area in fires_on(act.encounter)):
            raise InvalidInput(f"There is no {kind} on the table. Add it first with /cb fire start.")
        if not owes and not must_suffer(model, in_fire=not action.outside, already_hit=already, kind=kind):
            forbid(f"{model.name} has taken this turn's hit of the {kind}.", "CB-BURN-05")
        if not owes and flames.is_yet_to_come(act.encounter, model, kind):
            is_so = "burns already" if kind == "fire" else "is corroded already"
            forbid(f"{model.name} {is_so}: its hit comes when it is activated.", "CB-BURN-05")
        return ReadyFlames(model, kind, burn_impact(model, settings(act)))

    def whose(self, action: InFire, ready: ReadyFlames) -> Cast:
        """The model's own."""
        return harmed(ready.model.name, ready.kind)

    def rule(self, dice: Dice, ready: ReadyFlames) -> int:
        """The hit of this turn."""
        return burn(dice, ready.impact)

    def settle(self, act: Act, action: InFire, ready: ReadyFlames, outcome: int) -> Telling:
        """It burns from now on if it is still in there, and is wounded."""
        model, kind = ready.model, ready.kind
        telling = Telling(dice=[ready.dice])
        if not action.outside:
            telling.follow(act, catch_fire(model, kind))
        flames.settle(act.encounter, model)
        now = wound(act, telling, again(act, model), outcome, f"in {kind}")
        burns = now.has(CONDITION[kind])
        telling.lines.append(f"It is {CONDITION[kind]}." if burns else f"It left the {kind}.")
        return telling

    def chances(self, act: Act, action: InFire, ready: ReadyFlames) -> Chances:
        """Whether it is wounded."""
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
    return "It burns there", StartFire()
