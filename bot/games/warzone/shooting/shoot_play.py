"""Shooting and aiming at the table: from the stored profiles to wounds, or to the exact chances of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.actions import Action, numbered
from bot.games.warzone.core.attacking import Attacking, ReadyAttack
from bot.games.warzone.core.attacks import Prepared, recognition_of
from bot.games.warzone.core.common import model_at, settings
from bot.games.warzone.core.fear import may_begin
from bot.games.warzone.core.fields import foe, who
from bot.games.warzone.core.overrides import allowed, seen
from bot.games.warzone.core.telling import Telling, offers
from bot.games.warzone.core.undertaking import Begin, Quiet, begin
from bot.games.warzone.core.units import weapons_for
from bot.games.warzone.shooting.shots import Shoot, shot_of, terms_of
from bot.replies.reply import Button
from bot.table.act import Act
from bot.table.steps import in_steps
from rules.effects import Effect, Propose
from rules.refusals import InvalidInput
from rules.systems.warzone.model import Model
from rules.systems.warzone.morale import Act as Deed
from rules.systems.warzone.ranged import Shot, after_firing, aim, band_of, prepare_shot, shot_modifiers
from rules.systems.warzone.settings import Settings


@dataclass(frozen=True, slots=True)
class Aim(Action):
    """Aim at one target: +3.

    It takes an action.
    """

    command = "wz.aim"
    typed = "wz aim"

    firer: Model = who("Who aims", called="model")
    target: Model = foe("At whom", needed=True)


def prepared_shot(shot: Shot, chosen: Settings) -> Prepared:
    """The attack with its reasons. Raises Forbidden."""
    numbers = prepare_shot(shot, chosen)
    return Prepared(
        shot.firer,
        shot.target,
        shot.weapon,
        numbers,
        f"{shot.weapon.name}, {band_of(shot.distance_inches)}",
        "RC",
        shot.firer.profile.rc,
        shot_modifiers(shot, chosen),
        shot.from_rear,
    )


@in_steps(Shoot, may=may_begin("firer", Deed.SHOOT))
class Shooting(Attacking[Shoot]):
    """One action of shooting at one target. Rules: WZ-RC-01 to WZ-RC-14, WZ-SPOT-06."""

    label = "Shoot"

    def prepare(self, act: Act, action: Shoot) -> ReadyAttack:
        """Who shoots at whom with what. Raises InvalidInput, Forbidden."""
        firer, target = action.firer, action.target
        shot, chosen = shot_of(act, action), settings(act)

        def rule(who: Model, overridden: bool) -> Prepared:
            aimed_at = seen(target) if overridden else target
            return prepared_shot(replace(shot, firer=who, target=aimed_at), chosen)

        blow = allowed(act, rule, firer)
        begun = begin(act, firer, Deed.SHOOT, hidden=action.hidden)
        return ReadyAttack(begun, blow, terms_of(action.distance, shot), recognition_of(firer, target))

    def after(self, act: Act, blow: Prepared, *, fumbled: bool) -> Sequence[Effect]:
        """Its aim is lost, and the like."""
        return after_firing(blow.attacker, blow.target, settings(act), fumbled=fumbled)


@dataclass(frozen=True, slots=True)
class ReadyAim:
    """Who aims at whom. effects: what that gives."""

    begin: Begin
    target: Model
    effects: tuple[Effect, ...]


@in_steps(Aim, may=may_begin("firer", Deed.AIM))
class Aiming(Quiet[Aim, ReadyAim]):
    """+3 at one target until the activation ends. Rules: WZ-AIM-01, WZ-AIM-02."""

    def prepare(self, act: Act, action: Aim) -> ReadyAim:
        """Who aims at whom. Raises InvalidInput, Forbidden."""
        firer, target = action.firer, action.target
        if firer.id == target.id:
            raise InvalidInput(f"{firer.name} does not aim at itself.")
        if all(weapon.has("close") for weapon in firer.profile.weapons):
            raise InvalidInput(f"{firer.name} has nothing to shoot with.")
        effects = allowed(act, lambda who, over: aim(who, seen(target) if over else target), firer)
        return ReadyAim(begin(act, firer, Deed.AIM), target, tuple(effects))

    def done(self, telling: Telling, action: Aim, ready: ReadyAim, result: bool) -> None:
        """It aims."""
        firer, target = ready.begin.model, ready.target
        telling.lines.append(f"{firer.name} aims at {target.name}: +3.")
        telling.follow(ready.effects)
        if settings(telling.act).aim_duration == "activation":
            telling.next.append("It holds until the activation ends.")
        if weapons_for(firer, close=False):
            telling.more = (Button("Shoot...", Shoot(firer, target), "main", asks=True),)


@offers("shoot")
def _offer_shot(act: Act, proposal: Propose) -> Button:
    return fire_button(model_at(act, proposal.model), int(dict(proposal.details)["target"]))


def fire_button(firer: Model, target: int) -> Button:
    """A shot at once. target: the number of whom it is meant for."""
    action = Shoot(firer, numbered(target))
    return Button(f"{firer.name} fires...", action, "main", anytime=True, asks=True)
