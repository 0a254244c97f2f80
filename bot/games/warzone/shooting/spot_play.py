"""Concealment at the table: hiding a model, spotting one, and who may use the sighting."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action, numbered
from bot.games.warzone.core.common import settings
from bot.games.warzone.core.fear import may_begin
from bot.games.warzone.core.fields import foe, who
from bot.games.warzone.core.overrides import allowed
from bot.games.warzone.core.telling import Telling
from bot.games.warzone.core.throwing import passing
from bot.games.warzone.core.undertaking import Begin, Doing, begin
from bot.games.warzone.core.units import models_of, squad_of
from bot.games.warzone.core.words import short_sum, sum_lines
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.handlers import handles
from bot.table.rolling.throws import Whose
from bot.table.steps import Chances, in_steps
from rules.dice import Dice
from rules.effects import Lose
from rules.modifiers import Modifier
from rules.refusals import InvalidInput
from rules.systems.warzone.characteristic import Grade, check
from rules.systems.warzone.model import Condition, Model
from rules.systems.warzone.morale import Act as Deed
from rules.systems.warzone.ranged import lose_aim
from rules.systems.warzone.waiting import Spot as Attempt
from rules.systems.warzone.waiting import after_spot, conceal, spot_limit, spot_modifiers


@dataclass(frozen=True, slots=True)
class Spot(Action):
    """Spot a concealed model.

    afraid: under Fear, Dire or the like.
    """

    command = "wz.spot"
    typed = "wz spot"

    spotter: Model = who("Who looks", called="model")
    target: Model = foe("For whom", needed=True)
    afraid: bool = fields.switch("Under Fear, Dire or the like", fact=True)
    odds: bool = fields.odds("Only the chances")


@dataclass(frozen=True, slots=True)
class Conceal(Action):
    """A model conceals itself.

    reveal: it no longer is concealed.
    """

    command = "wz.conceal"
    typed = "wz state hide"
    titled = "Conceal itself"

    model: Model = who()
    reveal: bool = fields.switch("It is in the open again")


@dataclass(frozen=True, slots=True)
class ReadySpot:
    """An attempt that may be made. stat, base: what is tested."""

    begin: Begin
    attempt: Attempt
    modifiers: tuple[Modifier, ...]
    limit: int
    stat: str
    base: int


@in_steps(Spot, may=may_begin("spotter", Deed.SPOT))
class Spotting(Doing[Spot, ReadySpot, Grade]):
    """The attempt; a success serves the spotter's whole unit. Rules: WZ-SPOT-01 to WZ-SPOT-07."""

    label = "Spot"

    def prepare(self, act: Act, action: Spot) -> ReadySpot:
        """One's own model that looks for a concealed one."""
        spotter, target, chosen = action.spotter, action.target, settings(act)
        if target.side == spotter.side:
            raise InvalidInput(f"{target.name} is of its own side.")

        def rule(who: Model, overridden: bool) -> Attempt:
            attempt = Attempt(who, target, afraid=action.afraid and not overridden)
            spot_modifiers(attempt)
            return attempt

        attempt = allowed(act, rule, spotter)
        base = spotter.profile.ld if chosen.spot_stat == "LD" else spotter.profile.rc
        return ReadySpot(
            begin(act, spotter, Deed.SPOT),
            attempt,
            spot_modifiers(attempt),
            spot_limit(attempt, chosen),
            chosen.spot_stat,
            base,
        )

    def thrower(self, action: Spot, ready: ReadySpot) -> Whose:
        """The spotter's own."""
        return Whose(
            ready.begin.model.name, "spotting", f"of {ready.attempt.target.name}, {ready.limit} or less"
        )

    def throw(self, dice: Dice, ready: ReadySpot) -> Grade:
        """The test."""
        return check(dice, ready.limit, label="spot")

    def done(self, telling: Telling, action: Spot, ready: ReadySpot, result: Grade) -> None:
        """What its unit knows now."""
        act, spotter, target = telling.act, ready.begin.model, ready.attempt.target
        verb = "spots" if result.passed else "does not see"
        telling.lines.append(f"{spotter.name} {verb} {target.name}.")
        telling.thrown(f"Spot: {ready.limit} or less ({short_sum(ready.stat, ready.base, ready.modifiers)})")
        telling.why += [f"{spotter.name} spots {target.name}"]
        telling.why += sum_lines(ready.stat, ready.base, ready.modifiers)
        telling.follow(after_spot(ready.attempt, result))
        if result.passed:
            squad = squad_of(act.encounter, spotter.squad)
            telling.next.append(f"All of {squad.name} may act on it.")
            return
        telling.next.append("The next attempt is easier.")
        telling.more = (Button("Again", act.canonical),)

    def chances(self, act: Act, action: Spot, ready: ReadySpot) -> Chances:
        """Whether it is seen."""
        spotter, odds = ready.begin.model, act.solve(self.throw, ready)
        title = f"{spotter.name} spots {ready.attempt.target.name}"
        return passing(title, ready.limit, ("seen", "no"), odds, ready.begin.hurdle)


def spot_button(spotter: Model, target: int) -> Button:
    """An attempt at once. target: the number of whom it is meant for."""
    return Button(f"{spotter.name} spots", Spot(spotter, numbered(target)), "main", anytime=True)


@handles(Conceal)
def hide(act: Act, action: Conceal) -> Reply:
    """Concealed again: sightings and attempts are forgotten. Rules: WZ-SPOT-02, WZ-SPOT-06."""
    telling, model = Telling(act), action.model
    if action.reveal:
        telling.follow([Lose(model.id, Condition.CONCEALED)])
        telling.lines.append(f"{model.name} is in the open.")
        return telling.reply()
    enemies = tuple(each for each in models_of(act.encounter) if each.side != model.side)
    telling.follow(conceal(model, enemies))
    telling.follow(effect for enemy in enemies for effect in lose_aim(enemy, model.id))
    telling.lines.append(f"{model.name} is concealed.")
    telling.next.append("It must be spotted before it is a target.")
    return telling.reply()
