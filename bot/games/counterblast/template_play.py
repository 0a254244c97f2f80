"""Templates at the table: the roll to hit with its scatter, then everybody who lies under it in one go."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from bot.actions import Action
from bot.games.counterblast.attacks import Telling, strike
from bot.games.counterblast.bearings import within_arc
from bot.games.counterblast.checking import wound
from bot.games.counterblast.common import (
    UNDO,
    again,
    carry_through,
    named,
    orders_of,
    own,
    pay,
    settings,
    spend_order,
)
from bot.games.counterblast.fighters import fighter, fighters, weapon_named
from bot.games.counterblast.fires import add_fire
from bot.games.counterblast.scatter_picture import landing_words, picture
from bot.games.counterblast.shoot_play import DARK, UNDERWATER, VACUUM
from bot.games.counterblast.words import dice_words, exactness, hurt_words, trace_lines, why_check, why_impact
from bot.replies.chances import bars
from bot.replies.reply import Attachment, Button, Choice, Menu, Reply
from bot.table.act import Act
from bot.table.handlers import handles
from rules.dice import Entry
from rules.odds import Odds
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.burning import catch_fire
from rules.systems.counterblast.bursts import after_burst, is_burst, require_burst
from rules.systems.counterblast.casualties import after_attacking
from rules.systems.counterblast.fighter import Fighter
from rules.systems.counterblast.profile import Weapon
from rules.systems.counterblast.protection import protection
from rules.systems.counterblast.shields import suffer
from rules.systems.counterblast.spit import ACID_AREA, acid_hit, pool
from rules.systems.counterblast.templates import (
    Cast,
    Indirect,
    Landing,
    PreparedCast,
    PreparedVictim,
    Under,
    after_engulfing,
    after_void,
    blast,
    deliver,
    engulf_wounds,
    line,
    line_wounds,
    prepare_blast,
    prepare_cast,
    prepare_void,
    void,
)

SIGHT: dict[str, Indirect] = {"in sight": "", "spotter": "spotter", "blind": "blind"}
MOST_UNDER = 20
MOST_WOUNDS = 9
MOST_ODDS = 4
"""Models under a template whose odds are shown one by one."""


@dataclass(frozen=True, slots=True)
class Template(Action):
    """Fire a template at a spot. sight: in sight, spotter or blind; spotter: the crew mate who sees it.

    landed: it was fired before; roll for those who are named as under it. bearing, mount: as of a shot.
    """

    command = "cb.template"

    firer: str = ""
    weapon: str = ""
    distance: float = 0.0
    sight: str = "in sight"
    spotter: str = ""
    order: bool = False
    under: str = ""
    partly: str = ""
    cover: int = 0
    landed: bool = False
    odds: bool = False
    bearing: float = 0.0
    mount: str = ""


@dataclass(frozen=True, slots=True)
class Engulf(Action):
    """Roll for everybody under a template that has landed. whole, partly: how each is covered."""

    command = "cb.engulf"
    finishes = Template.command

    firer: int = 0
    weapon: str = ""
    sight: str = "in sight"
    cover: int = 0
    whole: tuple[int, ...] = ()
    partly: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Covered(Action):
    """Who is wholly under the template has been said; ask who is partly under it."""

    command = "cb.under"

    firer: int = 0
    weapon: str = ""
    sight: str = "in sight"
    cover: int = 0
    whole: tuple[int, ...] = ()


def template_weapon(firer: Fighter, text: str) -> Weapon:
    """The weapon named, or the first that fires templates. Raises InvalidInput."""
    if text:
        return weapon_named(firer, text)
    for weapon in firer.weapons:
        if weapon.template is not None:
            return weapon
    raise InvalidInput(f"{firer.name} carries nothing that fires templates.")


def declared(act: Act, firer: Fighter, weapon: Weapon, action: Template | Engulf | Covered) -> Cast:
    """The template as the rules see it."""
    if action.sight not in SIGHT:
        raise InvalidInput(f"Sight: {', '.join(SIGHT)}.")
    row = act.encounter.row.counters
    cast_ = Cast(
        firer,
        weapon,
        indirect=SIGHT[action.sight],
        dark=bool(row.get(DARK)),
        vacuum=bool(row.get(VACUUM)),
        underwater=bool(row.get(UNDERWATER)),
    )
    if isinstance(action, Template):
        spotter = named(act, action.spotter) if action.spotter else _only_spotter(act, firer, action.sight)
        return replace(cast_, inches=action.distance, spotter=spotter, order_token=action.order)
    return cast_


def _only_spotter(act: Act, firer: Fighter, sight: str) -> Fighter | None:
    """The one crew mate with Spotter, where a spotter is meant and none is named. Raises InvalidInput for
    several. Rules: CB-SHOOT-13, CB-FEAT-48.
    """
    if sight != "spotter":
        return None
    able = [one for one in fighters(act.encounter, firer.side) if one.has_feature("spotter")]
    able = [one for one in able if one.id != firer.id and not one.is_incapacitated]
    if len(able) > 1:
        raise InvalidInput(f"Name who sees the spot: {', '.join(one.name for one in able)}.")
    return able[0] if able else None


def _names(act: Act, text: str) -> tuple[int, ...]:
    """Models named one after another, separated by commas."""
    return tuple(act.encounter.find_model(part).id for part in text.split(",") if part.strip())


@handles(Template)
def fire(act: Act, action: Template) -> Reply:
    """Where it lands; who is under it is asked next, unless it was said and it landed on its spot."""
    firer = named(act, action.firer) if action.odds else own(act, action.firer)
    weapon = template_weapon(firer, action.weapon)
    cast_ = declared(act, firer, weapon, action)
    whole, partly = _names(act, action.under), _names(act, action.partly)
    act.canonical = replace(
        action,
        firer=f"#{firer.id}",
        weapon=weapon.name,
        under=",".join(f"#{one}" for one in whole),
        partly=",".join(f"#{one}" for one in partly),
        odds=False,
    )
    prepared = prepare_cast(cast_, settings(act))
    arc: list[str] = []
    if not action.landed:
        arc = within_arc(act, firer, weapon, action.bearing, action.mount, keep=not action.odds)
    then = Engulf(firer.id, weapon.key, action.sight, action.cover, whole, partly)
    if action.landed and not action.odds:
        act.canonical = then
        return engulf(act, then)
    if action.odds:
        return _odds_reply(act, act.canonical, cast_, prepared, then)
    require_burst(firer, weapon)
    pay(act, firer, "burst" if is_burst(weapon) else "shoot")
    if action.order:
        spend_order(act, firer.side)
    telling = Telling()
    landing = act.roll(deliver, prepared.throws, prepared.needed, prepared.width) if prepared.needed else None
    carry_through(act, (*after_attacking(again(act, firer)), *after_burst(firer, weapon)))
    telling.lines.append(f"{firer.name}, {weapon.name}: {_landed(landing)}.")
    telling.lines += [*_left_behind(act, weapon), *arc]
    if prepared.roll:
        telling.why += why_check(prepared.roll, f"{firer.name}, {weapon.name}")
    dice = _dice_lines(prepared, act.dice.trace) if landing else []
    thrown = len(act.dice.trace) if landing else 0
    files = (picture(landing, prepared.width),) if landing and landing.where == "scattered" else ()
    if (whole or partly) and (landing is None or landing.where == "on the spot"):
        engulfed(act, telling, then)
        names = [act.encounter.model(number).name for number in (*whole, *partly)]
        telling.lines += ["", *dice, *trace_lines(act.dice.trace[thrown:], names)]
        return Reply(tuple(telling.lines), buttons=telling.buttons(act, UNDO), why=tuple(telling.why))
    telling.lines += dice
    return _ask_whole(act, telling, replace(then, whole=(), partly=()), files)


def _left_behind(act: Act, weapon: Weapon) -> list[str]:
    """The pool that spat acid leaves where it lands. Rules: CB-FEAT-01."""
    if weapon.key != ACID_AREA.key:
        return []
    name = add_fire(act.encounter, "acid", pool(max(1, act.encounter.row.turn)))
    return [f"It leaves a pool there, R3: {name}."]


def _landed(landing: Landing | None) -> str:
    return landing_words(landing) if landing else "it lies where it is put"


def _dice_lines(prepared: PreparedCast, trace: list[Entry]) -> list[str]:
    if prepared.roll is None:
        return ["Out of sight: it always scatters.", *trace_lines(trace)]
    needed = f", {prepared.needed} needed" if prepared.needed > 1 else ""
    return [f"{dice_words(prepared.roll, 'AGL')}{needed}", *trace_lines(trace)]


def _model_choices(act: Act, without: tuple[int, ...] = ()) -> tuple[Choice, ...]:
    everybody = [model for model in fighters(act.encounter) if model.id not in without]
    return tuple(
        Choice(model.name, str(model.id), act.encounter.side(model.side).name) for model in everybody[:25]
    )


def _ask_whole(act: Act, telling: Telling, then: Engulf, files: tuple[Attachment, ...]) -> Reply:
    covered = Covered(then.firer, then.weapon, then.sight, then.cover)
    firer = fighter(act.encounter, act.encounter.model(then.firer))
    choices = _model_choices(act, (firer.id,) if is_burst(firer.weapon(then.weapon)) else ())
    menu = Menu("Wholly under it", covered, "whole", choices, 1, len(choices))
    return Reply(
        (*telling.lines, "Who is wholly under it?"),
        buttons=(Button("Nobody wholly", covered), *telling.buttons(act, UNDO)),
        menus=(menu,),
        files=files,
        why=tuple(telling.why),
    )


@handles(Covered)
def ask_partly(act: Act, action: Covered) -> Reply:
    """Who is only partly covered may escape."""
    then = Engulf(action.firer, action.weapon, action.sight, action.cover, action.whole)
    names = ", ".join(act.encounter.model(number).name for number in action.whole) or "nobody"
    firer = fighter(act.encounter, act.encounter.model(action.firer))
    spared = (firer.id,) if is_burst(firer.weapon(action.weapon)) else ()
    choices = _model_choices(act, (*action.whole, *spared))
    return Reply(
        (f"Wholly under it: {names}.", "Who is partly under it?"),
        private=True,
        buttons=(Button("Nobody partly: roll", then, "main"),),
        menus=(Menu("Partly under it, then roll", then, "partly", choices, 1, len(choices)),),
    )


@handles(Engulf)
def engulf(act: Act, action: Engulf) -> Reply:
    """One roll for each model under the template, one summary."""
    act.require_model(act.encounter.model(action.firer))
    telling = Telling()
    if not action.whole and not action.partly:
        return Reply(("Nobody is under the template.",), buttons=(UNDO,))
    engulfed(act, telling, action)
    names = [act.encounter.model(number).name for number in (*action.whole, *action.partly)]
    telling.lines += ["", *trace_lines(act.dice.trace, names), *telling.proposal_lines()]
    return Reply(tuple(telling.lines), buttons=telling.buttons(act, UNDO), why=tuple(telling.why))


def _unders(act: Act, action: Engulf) -> tuple[Under, ...]:
    if len(action.whole) + len(action.partly) > MOST_UNDER:
        raise InvalidInput(f"At most {MOST_UNDER} models under one template.")
    return tuple(
        Under(fighter(act.encounter, act.encounter.model(number)), partly, action.cover)
        for numbers, partly in ((action.whole, False), (action.partly, True))
        for number in numbers
    )


def engulfed(act: Act, telling: Telling, action: Engulf) -> None:
    """Roll and carry through what the template does to everybody under it."""
    firer = fighter(act.encounter, act.encounter.model(action.firer))
    weapon = firer.weapon(action.weapon)
    cast_ = declared(act, firer, weapon, action)
    unders = _unders(act, action)
    if weapon.key == ACID_AREA.key:
        _burnt_by_acid(act, telling, unders)
        return
    if weapon.damage_dice is None:
        _voided(act, telling, cast_, unders)
        return
    prepared = prepare_blast(cast_, unders, settings(act))
    if not prepared:
        raise Forbidden(f"{weapon.name} does nothing to any of them.", "CB-CREW-11")
    victims = tuple(one.victim for one in prepared)
    results = act.roll(line if weapon.template == "L" else blast, victims)
    turn = max(1, act.encounter.row.turn)
    hurt = [
        f"{one.target.name} {got.through}" for one, got in zip(prepared, results, strict=True) if got.through
    ]
    telling.lines.append(
        f"{weapon.name}: {', '.join(hurt) or 'nobody'} hurt." if weapon.damage else weapon.name
    )
    for one, suffered in zip(prepared, results, strict=True):
        target = again(act, one.target)
        if suffered.hits:
            effects = after_engulfing(cast_, target, suffered, turn)
            strike(act, telling, firer, target, weapon, suffered, effects)
        else:
            telling.lines.append(f"{target.name} is unhurt.")
        if one.escape:
            telling.why += why_check(one.escape, f"{target.name} escapes")
        telling.why += [f"{target.name}:", *why_impact(one.impact)]


def _burnt_by_acid(act: Act, telling: Telling, unders: tuple[Under, ...]) -> None:
    """Whoever lies in the fresh pool is struck by it. Rules: CB-FEAT-01, CB-FEAT-03, CB-FEAT-04."""
    for under in unders:
        target = again(act, under.target)
        suffered = act.roll(suffer, 1, 0, acid_hit(target, settings(act)))
        spared = protection(target, "acid")
        wounds = 0 if spared else suffered.through
        wound(act, telling, target, wounds, f"({spared})" if spared else "by the acid")
        if not spared:
            telling.follow(act, catch_fire(again(act, target), "acid"))


def _voided(act: Act, telling: Telling, cast_: Cast, unders: tuple[Under, ...]) -> None:
    for under in unders:
        escape = prepare_void(cast_, under, settings(act))
        fate = act.roll(void, escape.throw if escape else None)
        telling.follow(act, after_void(under.target, fate))
        words = "is gone" if fate == "removed" else "is put at the edge, prone"
        telling.lines.append(f"{under.target.name} {words}.")


def _odds_reply(act: Act, action: Template, cast_: Cast, prepared: PreparedCast, then: Engulf) -> Reply:
    lines = [f"{cast_.firer.name}, {cast_.weapon.name}"]
    solved: list[Odds[Any]] = []
    if prepared.needed and not action.landed:
        odds = act.solve(deliver, prepared.throws, prepared.needed, prepared.width)
        solved.append(odds)
        places = ("on the spot", "scattered", "on the firer")
        lines += bars([(place, odds.chance(lambda got, p=place: got.where == p)) for place in places])  # type: ignore[misc]
    if then.whole or then.partly:
        lines += [] if action.landed else ["If they are under it:"]
        for one, hurt in _wound_odds(act, cast_, then):
            solved.append(hurt)
            lines.append(f"{one.target.name}: {hurt_words(hurt, one.target)}")
    lines += [exactness(*solved), "Nothing is rolled."]
    buttons = [Button("Roll" if action.landed else "Fire", replace(action, order=False), "main")]
    if not action.order and not action.landed and orders_of(act.encounter.side(cast_.firer.side)):
        buttons.append(Button("Fire with order", replace(action, order=True)))
    return Reply(tuple(lines), private=True, buttons=tuple(buttons))


def _wound_odds(act: Act, cast_: Cast, then: Engulf) -> list[tuple[PreparedVictim, Odds[int]]]:
    """Odds of the wounds of the first few models: on a line those of one depend on the one before."""
    prepared = prepare_blast(cast_, _unders(act, then), settings(act))[:MOST_ODDS]
    if cast_.weapon.template != "L":
        return [(one, act.solve(engulf_wounds, one.victim, MOST_WOUNDS)) for one in prepared]
    together = act.solve(line_wounds, tuple(one.victim for one in prepared), MOST_WOUNDS)
    return [
        (one, together.map(lambda wounds, p=place: wounds[p]))  # type: ignore[misc]
        for place, one in enumerate(prepared)
    ]
