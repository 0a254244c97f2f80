"""Shooting and aiming at the table: from the stored profiles to wounds, or to the exact chances of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.warzone import suggestions
from bot.games.warzone.attacking import Attacking, ReadyAttack
from bot.games.warzone.attacks import (
    Prepared,
    measured,
    parse_cover,
    parse_reach,
    reach_said,
    recognition_of,
)
from bot.games.warzone.common import CREW, named, own, settings
from bot.games.warzone.deeds import Begin, Quiet, begin
from bot.games.warzone.fields import (
    as_gunner,
    friends_apart,
    from_behind,
    no_enemy_seen,
    off_front,
    smoke_in_line,
    target_cover,
)
from bot.games.warzone.nerves import may_begin
from bot.games.warzone.overrides import allowed, seen
from bot.games.warzone.telling import Telling, offers
from bot.games.warzone.units import is_gone, weapon_key, weapon_of
from bot.replies.reply import Button
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.steps import in_steps
from rules.effects import Effect, Propose
from rules.refusals import InvalidInput
from rules.systems.warzone.model import Condition, Model
from rules.systems.warzone.morale import Act as Deed
from rules.systems.warzone.ranged import Shot, after_firing, aim, band_of, prepare_shot, shot_modifiers
from rules.systems.warzone.settings import Settings


@dataclass(frozen=True, slots=True)
class Shoot(Action):
    """Shoot at a model.

    Models by name or #number; distance in inches or a band; gap: -1 for none.

    hidden: no enemy is in the firer's line of sight.
    """

    command = "wz.shoot"
    typed = "wz shoot"

    firer: str = fields.words("Who shoots", offering.own_model, needed=True, called="model")
    target: str = fields.words("At whom", offering.foe, needed=True)
    distance: str = fields.words("Inches, or a band: PB, SR, MR, LR, ER", suggestions.reach, needed=True)
    cover: str = target_cover()
    weapon: str = fields.words("With what; none: its first", suggestions.gun)
    smoke: int = smoke_in_line()
    angle: int = off_front()
    gap: float = friends_apart()
    gunner: bool = as_gunner()
    rear: bool = from_behind()
    hidden: bool = no_enemy_seen()
    odds: bool = fields.odds("Only the chances, to you alone")


@dataclass(frozen=True, slots=True)
class Aim(Action):
    """Aim at one target: +3.

    It takes an action.
    """

    command = "wz.aim"
    typed = "wz aim"

    firer: str = fields.words("Who aims", offering.own_model, needed=True, called="model")
    target: str = fields.words("At whom", offering.foe, needed=True)


def shot_of(act: Act, action: Shoot, firer: Model, target: Model, *, template: bool = False) -> Shot:
    """The shot as the rules see it. Raises InvalidInput."""
    if firer.id == target.id:
        raise InvalidInput(f"{firer.name} does not shoot at itself.")
    return Shot(
        firer,
        target,
        weapon_of(firer, action.weapon, close=False, template=template),
        parse_reach(action.distance),
        parse_cover(action.cover),
        (action.smoke,) if action.smoke else (),
        action.angle,
        serves_gun(act, firer, gunner=action.gunner),
        action.rear,
        enemy_in_sight=not action.hidden,
        gap_inches=action.gap if action.gap >= 0 else None,
    )


def serves_gun(act: Act, firer: Model, *, gunner: bool) -> bool:
    """Whether it is a gunner of a vehicle that stands still: said, or stored as crew. Rules: WZ-RC-10."""
    vehicle = firer.count(CREW)
    if not vehicle or is_gone(act.encounter.model(vehicle)):
        return gunner
    return act.encounter.condition(vehicle, Condition.MOVED) is None


def canonical(action: Shoot, shot: Shot) -> Shoot:
    """The shot in one form, whatever was typed."""
    return replace(
        action,
        firer=f"#{shot.firer.id}",
        target=f"#{shot.target.id}",
        distance=reach_said(action.distance),
        cover="+".join(sorted(shot.covers)) or "none",
        weapon=weapon_key(shot.firer, shot.weapon),
        odds=False,
    )


def prepared_shot(act: Act, shot: Shot, chosen: Settings) -> Prepared:
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
        firer = named(act, action.firer) if action.odds else own(act, action.firer)
        target = named(act, action.target)
        shot, chosen = shot_of(act, action, firer, target), settings(act)
        act.canonical = canonical(action, shot)

        def rule(who: Model, overridden: bool) -> Prepared:
            aimed_at = seen(target) if overridden else target
            return prepared_shot(act, replace(shot, firer=who, target=aimed_at), chosen)

        blow = allowed(act, rule, firer)
        begun = begin(act, firer, Deed.SHOOT, hidden=action.hidden)
        said = tuple(terms_of(action.distance, shot))
        return ReadyAttack(begun, blow, said, recognition_of(firer, target))

    def after(self, act: Act, blow: Prepared, *, fumbled: bool) -> Sequence[Effect]:
        """Its aim is lost, and the like."""
        return after_firing(blow.attacker, blow.target, settings(act), fumbled=fumbled)


def terms_of(distance: str, shot: Shot) -> list[str]:
    """What was said of a shot or a template attack, for the opponent to check. distance: as it was said."""
    more = (
        *(f"smoke {level}" for level in shot.smoke),
        *([f"{shot.angle_degrees} degrees off its front"] if shot.angle_degrees else []),
        *([f"through a gap of {shot.gap_inches:g} in"] if shot.gap_inches is not None else []),
        *(["a gunner standing still"] if shot.gunner else []),
        *(["from the rear"] if shot.from_rear else []),
        *([] if shot.enemy_in_sight else ["no enemy in sight"]),
    )
    return measured(reach_said(distance), shot.covers, *more)


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
        firer, target = own(act, action.firer), named(act, action.target)
        act.canonical = replace(action, firer=f"#{firer.id}", target=f"#{target.id}")
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
        shot = Shoot(f"#{firer.id}", f"#{target.id}")
        if any(not weapon.has("close") and not weapon.has("template") for weapon in firer.profile.weapons):
            telling.more = (Button("Shoot...", shot, "main", asks=True),)


@offers("shoot")
def _offer_shot(act: Act, proposal: Propose) -> Button:
    details = dict(proposal.details)
    firer = act.encounter.model(proposal.model)
    action = Shoot(f"#{proposal.model}", f"#{details['target']}")
    return Button(f"{firer.name} fires...", action, "main", anytime=True, asks=True)
