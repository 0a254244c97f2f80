"""Where a template lands that went astray: who is under it, the saves of models, the hits on vehicles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.warzone import throwers
from bot.games.warzone.attacks import fate, offer_dire, system_lines
from bot.games.warzone.common import by_number, named, settings
from bot.games.warzone.telling import Telling, offers
from bot.games.warzone.throwing import Fell, rolled
from bot.games.warzone.units import models_of, weapon_key, weapon_of
from bot.replies.reply import Choice, Menu, Reply
from bot.table.act import Act
from bot.table.handlers import handles
from rules.effects import Propose
from rules.refusals import InvalidInput
from rules.systems.warzone.attacks import CRITICAL_DM, Attack
from rules.systems.warzone.damage import after_wounds, armour, damage_modifiers
from rules.systems.warzone.model import Model
from rules.systems.warzone.profile import Weapon
from rules.systems.warzone.settings import Settings
from rules.systems.warzone.templates import blast
from rules.systems.warzone.vehicles import Hull, after_hull, hull_of, vehicle_hit


@dataclass(frozen=True, slots=True)
class Blast(Action):
    """A template lands: everybody under it takes the hit. weapon: the firer's, by number."""

    command = "wz.blast"

    firer: int = 0
    weapon: str = ""
    under: tuple[int, ...] = ()


def throw_hull(act: Act, firer: Model, vehicle: Model, numbers: Attack) -> Fell[Hull]:
    """Roll the hit of a template on a vehicle: no further attack roll. Rules: WZ-TMPL-01, WZ-VEH-02."""
    same = settings(act).chain_reroll == "same_margin"
    whose = throwers.at(firer.name, vehicle.name, "template")
    return rolled(act, whose, vehicle_hit, hull_of(vehicle), numbers.hits, numbers.ar, numbers.dm, same)


def carry_hull(telling: Telling, firer: Model, vehicle: Model, numbers: Attack, fell: Fell[Hull]) -> None:
    """Tell that hit and carry it through."""
    hull = fell.result
    wounds = vehicle.wounds_left - hull.wounds
    telling.lines += [f"{vehicle.name}: {fate(vehicle, wounds)}", *system_lines(vehicle, hull)]
    save = f"Save: {numbers.ar - numbers.dm} or less (AR {numbers.ar} - DM {numbers.dm})"
    telling.thrown(save, throws=fell.throws)
    telling.follow(after_hull(vehicle, hull), source=firer)
    offer_dire(telling, firer, vehicle, wounds)


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
        carry_hull(telling, firer, vehicle, numbers, throw_hull(act, firer, vehicle, numbers))
