"""Template weapons: the roll for the aiming point, everybody under it, and where a miss lands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.warzone import suggestions, throwers
from bot.games.warzone.attacks import (
    Prepared,
    fate,
    offer_dire,
    parse_cover,
    parse_reach,
    reach_said,
    system_lines,
    why_attack,
)
from bot.games.warzone.common import DIVED, by_number, forget_dives, named, own, settings, several
from bot.games.warzone.fields import (
    as_gunner,
    friends_apart,
    from_behind,
    no_enemy_seen,
    off_front,
    smoke_in_line,
    target_cover,
)
from bot.games.warzone.nerves import Hurdle, require, undertake, weigh
from bot.games.warzone.overrides import allowed, seen
from bot.games.warzone.reactions import dive_buttons
from bot.games.warzone.shoot_play import recognises, serves_gun, terms_of
from bot.games.warzone.telling import Telling, offers
from bot.games.warzone.units import models_of, weapon_key, weapon_of
from bot.games.warzone.words import short_sum
from bot.replies.chances import bars
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.handlers import handles
from rules.effects import Propose
from rules.modifiers import Modifier
from rules.refusals import InvalidInput
from rules.systems.warzone.attacks import CRITICAL_DM, FUMBLED, Attack
from rules.systems.warzone.characteristic import Grade
from rules.systems.warzone.damage import after_wounds, armour, damage_modifiers
from rules.systems.warzone.model import Condition, Model
from rules.systems.warzone.morale import Act as Deed
from rules.systems.warzone.profile import Weapon
from rules.systems.warzone.ranged import Shot, band_of, shot_modifiers
from rules.systems.warzone.settings import Settings
from rules.systems.warzone.templates import (
    TemplateAttack,
    TemplateResult,
    after_template,
    blast,
    on_vehicle,
    prepare_template,
    template_attack,
    under_template,
)
from rules.systems.warzone.vehicles import after_hull, hull_of, vehicle_hit


@dataclass(frozen=True, slots=True)
class Template(Action):
    """Fire a template weapon.

    under: names of all models under it, empty for the target alone.

    partly: those that it covers in part. numbers: all that count as under it, by number. gap: -1 for none.
    hidden: no enemy is in the firer's line of sight. now: those on wait have had their chance to dive.
    """

    command = "wz.template"
    typed = "wz template"

    firer: str = fields.words("Who fires", offering.own_model, needed=True, called="model")
    target: str = fields.words("The aiming point", offering.foe, needed=True)
    distance: str = fields.words("Inches, or a band", suggestions.reach, needed=True)
    under: str = fields.words("All under it, with commas; none: the target", offering.several_models)
    partly: str = fields.words("Covered in part, with commas", offering.several_models)
    cover: str = target_cover()
    weapon: str = fields.words("With what", suggestions.carried_weapon)
    smoke: int = smoke_in_line()
    angle: int = off_front()
    gap: float = friends_apart()
    gunner: bool = as_gunner()
    rear: bool = from_behind()
    hidden: bool = no_enemy_seen()
    numbers: tuple[int, ...] = ()
    now: bool = False
    odds: bool = fields.odds("Only the chances, to you alone")


@dataclass(frozen=True, slots=True)
class Blast(Action):
    """A template lands: everybody under it takes the hit. weapon: the firer's, by number."""

    command = "wz.blast"

    firer: int = 0
    weapon: str = ""
    under: tuple[int, ...] = ()


def _under(act: Act, action: Template, target: Model) -> tuple[Model, ...]:
    """Everybody under the template, without those who dived clear. Rules: WZ-TMPL-01."""
    if action.numbers:
        chosen = by_number(act, action.numbers)
    else:
        wholly, partly = several(act, action.under), several(act, action.partly)
        chosen = under_template(wholly or (() if target in partly else (target,)), partly, settings(act))
        if not chosen:
            raise InvalidInput(
                "Nobody is wholly under it, and in part does not count (partial_cover_counts)."
            )
    return tuple(model for model in chosen if not model.count(DIVED))


def _shot(act: Act, action: Template, firer: Model, target: Model) -> Shot:
    weapon = weapon_of(firer, action.weapon, close=False, template=True)
    return Shot(
        firer,
        target,
        weapon,
        parse_reach(action.distance),
        parse_cover(action.cover),
        (action.smoke,) if action.smoke else (),
        action.angle,
        serves_gun(act, firer, gunner=action.gunner),
        action.rear,
        enemy_in_sight=not action.hidden,
        gap_inches=action.gap if action.gap >= 0 else None,
    )


def _may_fire(act: Act, action: Template) -> None:
    """Refuses one who may not act, or carries nothing that fires templates."""
    firer = own(act, action.firer)
    weapon_of(firer, action.weapon, close=False, template=True)
    require(act, firer, Deed.SHOOT)


@handles(Template, may=_may_fire)
def template(act: Act, action: Template) -> Reply:
    """One template attack. Rules: WZ-TMPL-01, WZ-TMPL-02, WZ-CRIT-02, WZ-DIVE-01."""
    firer = named(act, action.firer) if action.odds else own(act, action.firer)
    target = named(act, action.target)
    if firer.id == target.id:
        raise InvalidInput(f"{firer.name} does not shoot at itself.")
    shot, chosen = _shot(act, action, firer, target), settings(act)
    under = _under(act, action, target)

    def rule(who: Model, overridden: bool) -> tuple[Shot, TemplateAttack]:
        aimed = replace(shot, firer=who, target=seen(target)) if overridden else shot
        return aimed, prepare_template(aimed, under, chosen)

    shot, numbers = allowed(act, rule, firer)
    act.canonical = replace(
        action,
        firer=f"#{firer.id}",
        target=f"#{target.id}",
        distance=reach_said(action.distance),
        under="",
        partly="",
        numbers=tuple(model.id for model in under),
        weapon=weapon_key(firer, shot.weapon),
        odds=False,
    )
    said = terms_of(action.distance, shot)
    if action.odds:
        hurdle = weigh(act, firer, Deed.SHOOT, hidden=action.hidden)
        return _odds(act, shot, under, numbers, said, hurdle)
    dives = dive_buttons(under, firer)
    if dives and not action.now:
        require(act, firer, Deed.SHOOT)
        return _may_dive(act, shot, dives, under)
    return _fire(act, shot, under, numbers, said)


def _may_dive(act: Act, shot: Shot, dives: Sequence[Button], under: Sequence[Model]) -> Reply:
    """Who is on wait may dive before anything is rolled. Rules: WZ-DIVE-01."""
    assert isinstance(act.canonical, Template)
    fire = Button("Resolve", replace(act.canonical, now=True), "main", anytime=True)
    names = ", ".join(model.name for model in under if model.has(Condition.WAITING))
    return Reply(
        (
            f"{shot.firer.name} fires {shot.weapon.name} at {shot.target.name}.",
            f"May dive for cover first: {names}.",
            "Then: Resolve. Nothing is rolled yet.",
        ),
        buttons=(*dives, fire),
    )


def _modifiers(act: Act, shot: Shot, numbers: TemplateAttack) -> tuple[Modifier, ...]:
    return () if numbers.automatic else shot_modifiers(shot, settings(act))


def _heads(shot: Shot, numbers: TemplateAttack, modifiers: tuple[Modifier, ...]) -> list[str]:
    if numbers.automatic:
        return [f"{shot.weapon.name}: no attack roll"]
    limit = numbers.limit + (FUMBLED if numbers.fumbled else 0)
    title = f"{shot.weapon.name}, {band_of(shot.distance_inches)}"
    return [f"{title}: {limit} or less ({short_sum('RC', shot.firer.profile.rc, modifiers)})"]


def _saves(under: Sequence[Model], numbers: TemplateAttack, *, critical: bool) -> list[str]:
    """What everybody under it must throw. Rules: WZ-CRIT-02."""
    soft = [model for model in under if not model.vehicle]
    dm = numbers.dm + (CRITICAL_DM if critical else 0)
    needs = ", ".join(f"{model.name} {ar - dm}" for model, ar in zip(soft, numbers.armours, strict=True))
    more = [f"Natural 1: DM +{CRITICAL_DM} for all under it"] if critical else []
    return [*more, *([f"DM {dm}; saves at or under: {needs}"] if soft else [])]


def _fire(
    act: Act, shot: Shot, under: tuple[Model, ...], numbers: TemplateAttack, said: Sequence[str]
) -> Reply:
    chosen, telling = settings(act), Telling(act)
    ready = undertake(telling, shot.firer, Deed.SHOOT, hidden=not shot.enemy_in_sight)
    if not ready or not recognises(telling, shot.firer, shot.target):
        return telling.closing(shot.firer)
    telling.dice += said
    names = [model.name for model in under if not model.vehicle]
    aimed = shot.target.name if shot.target else "the aiming point"
    whose = throwers.under(shot.firer.name, shot.weapon.name, aimed, names, int(not numbers.automatic))
    result = act.roll(whose, template_attack, numbers)
    forget_dives(act.encounter)
    if result.deviation is not None:
        astray = f"{result.deviation.inches} in astray"
        telling.lines.append(f"{shot.firer.name} misses {shot.target.name}: {astray}.")
    elif not result.grade.passed:
        telling.lines.append(f"{shot.firer.name} misses {shot.target.name}.")
    elif not under:
        telling.lines.append(f"{shot.firer.name} fires at {shot.target.name}: nobody is under it.")
    else:
        telling.lines += [f"{shot.firer.name} hits {shot.target.name}.", *_fates(under, result)]
    saves = _saves(under, numbers, critical=result.grade is Grade.CRITICAL) if result.grade.passed else []
    telling.thrown(*_heads(shot, numbers, _modifiers(act, shot, numbers)), *saves)
    telling.why += _why(act, shot, numbers)
    soft = [model for model in under if not model.vehicle]
    telling.follow(
        [e for e in after_template(shot, under, result, chosen) if not _is(e, "vehicle_hit")],
        source=shot.firer,
    )
    if result.grade is Grade.FUMBLE:
        telling.next.append(f"{shot.firer.name} fumbles: its next attack is at -4.")
    for model, wounds in zip(soft, result.wounds, strict=False):
        offer_dire(telling, shot.firer, model, wounds)
    if result.grade.passed:
        for vehicle in (model for model in under if model.vehicle):
            critical = result.grade is Grade.CRITICAL
            hit_vehicle(telling, shot.firer, vehicle, on_vehicle(vehicle, numbers, chosen, critical=critical))
    return telling.closing(shot.firer)


def _is(effect: object, action: str) -> bool:
    return isinstance(effect, Propose) and effect.action == action


def _fates(under: Sequence[Model], result: TemplateResult) -> list[str]:
    soft = [model for model in under if not model.vehicle]
    return [f"{model.name}: {fate(model, n)}" for model, n in zip(soft, result.wounds, strict=True)]


def hit_vehicle(telling: Telling, firer: Model, vehicle: Model, numbers: Attack) -> None:
    """The hit of a template on a vehicle, without a further attack roll. Rules: WZ-TMPL-01, WZ-VEH-02."""
    act = telling.act
    same = settings(act).chain_reroll == "same_margin"
    whose = throwers.at(firer.name, vehicle.name, "template")
    hull = act.roll(whose, vehicle_hit, hull_of(vehicle), numbers.hits, numbers.ar, numbers.dm, same)
    wounds = vehicle.wounds_left - hull.wounds
    telling.lines += [f"{vehicle.name}: {fate(vehicle, wounds)}", *system_lines(vehicle, hull)]
    telling.thrown(f"Save: {numbers.ar - numbers.dm} or less (AR {numbers.ar} - DM {numbers.dm})")
    telling.follow(after_hull(vehicle, hull), source=firer)
    offer_dire(telling, firer, vehicle, wounds)


def _why(act: Act, shot: Shot, numbers: TemplateAttack) -> list[str]:
    base = Attack(1, numbers.limit, numbers.dm, armour(shot.target, settings(act)), numbers.hits)
    ready = Prepared(
        shot.firer,
        shot.target,
        shot.weapon,
        base,
        shot.weapon.name,
        "RC",
        shot.firer.profile.rc,
        _modifiers(act, shot, numbers),
        shot.from_rear,
    )
    return why_attack(ready, act)


def _odds(
    act: Act,
    shot: Shot,
    under: tuple[Model, ...],
    numbers: TemplateAttack,
    said: Sequence[str],
    hurdle: Hurdle,
) -> Reply:
    """The chances of the roll, and of every model under the aiming point."""
    odds = act.solve(template_attack, replace(numbers, armours=()))
    lines = [
        f"{shot.firer.name} -> {shot.target.name}",
        *said,
        *_heads(shot, numbers, _modifiers(act, shot, numbers)),
    ]
    hits = odds.chance(lambda done: done.grade.passed)
    chances = [("hits", hits), ("goes astray", 1 - hits)]
    soft = [model for model in under if not model.vehicle]
    alone = {
        ar: act.solve(template_attack, replace(numbers, armours=(ar,))).chance(lambda done: any(done.wounds))
        for ar in dict.fromkeys(numbers.armours)
    }
    chances += [(f"{model.name} hurt", alone[ar]) for model, ar in zip(soft, numbers.armours, strict=True)]
    lines += [*bars(chances), *hurdle.told, act.exactness, "Nothing is rolled."]
    fire = Button("Fire", act.canonical, "main")
    return Reply(tuple(lines), private=True, buttons=hurdle.buttons(fire))


# ------------------------------------------------------------------------------------------- blasts


@offers("blast")
def _offer_blast(act: Act, proposal: Propose) -> Menu:
    firer = named(act, f"#{proposal.model}")
    weapon = firer.profile.weapon(str(dict(proposal.details)["weapon"]))
    return who_menu(act, under_prompt(settings(act)), Blast(firer.id, weapon_key(firer, weapon)), "under")


def under_prompt(chosen: Settings) -> str:
    """The question who is hit, as the table reads it. Rules: WZ-TMPL-01."""
    return "Who is under it, even partly?" if chosen.partial_cover_counts else "Who is wholly under it?"


def who_menu(act: Act, prompt: str, action: Action, fills: str) -> Menu:
    """A menu of everybody in play, several at once."""
    choices = [Choice(model.name, str(model.id)) for model in models_of(act.encounter)][:25]
    return Menu(prompt, action, fills, tuple(choices), 1, len(choices))


@handles(Blast)
def land(act: Act, action: Blast) -> Reply:
    """Where a template that went astray lands. Rules: WZ-TMPL-02, WZ-DMG-01."""
    row = act.encounter.model(action.firer)
    act.require_model(row)
    firer = named(act, f"#{action.firer}", gone=True)
    weapon = weapon_of(firer, action.weapon, close=False, template=True)
    if not weapon.has("template"):
        raise InvalidInput(f"{weapon.name} is no template weapon.")
    under = by_number(act, action.under)
    act.canonical = replace(action, under=tuple(sorted(action.under)))
    telling = Telling(act)
    telling.lines.append(f"{weapon.name} lands on {', '.join(model.name for model in under)}.")
    blasted(telling, firer, weapon, under)
    return telling.reply()


def blasted(
    telling: Telling, firer: Model, weapon: Weapon, under: Sequence[Model], *, critical: bool = False
) -> None:
    """The saves of everybody under a template that has landed."""
    act, chosen = telling.act, settings(telling.act)
    dm = weapon.dm + sum(m.amount for m in damage_modifiers(weapon, firer, None, chosen))
    dm += CRITICAL_DM if critical else 0
    soft = [model for model in under if not model.vehicle]
    armours = tuple(armour(model, chosen) for model in soft)
    names = [model.name for model in soft]
    whose = throwers.under(firer.name, weapon.name, "where it lands", names)
    wounds = act.roll(whose, blast, dm, armours, weapon.hits) if soft else ()
    telling.lines += [f"{model.name}: {fate(model, n)}" for model, n in zip(soft, wounds, strict=True)]
    if soft:
        needs = ", ".join(f"{model.name} {ar - dm}" for model, ar in zip(soft, armours, strict=True))
        telling.thrown(f"DM {dm}; saves at or under: {needs}")
    for model, n in zip(soft, wounds, strict=True):
        telling.follow(after_wounds(model, n), source=firer)
        offer_dire(telling, firer, model, n)
    for vehicle in (model for model in under if model.vehicle):
        numbers = Attack(1, 0, dm, armour(vehicle, chosen), weapon.hits, automatic=True)
        hit_vehicle(telling, firer, vehicle, numbers)
