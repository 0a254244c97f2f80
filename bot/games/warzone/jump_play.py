"""Jumps and falls at the table: across a gap or down a height, and what that breaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast, get_args

from bot.actions import Action
from bot.games.warzone.attacks import fate, system_lines
from bot.games.warzone.common import again, in_contact, is_out, named, own, settings
from bot.games.warzone.fields import no_enemy_seen, seen_from_fear
from bot.games.warzone.move_play import odds_reply
from bot.games.warzone.nerves import Hurdle, undertake, weigh
from bot.games.warzone.reactions import offer_reactions
from bot.games.warzone.telling import Telling
from bot.games.warzone.throwers import endured
from bot.games.warzone.words import chance_lines, short_sum, sum_lines, wound_names
from bot.replies.chances import bars
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.handlers import handles
from bot.table.rolling.throws import Whose
from rules.effects import Effect, Propose
from rules.modifiers import Modifier
from rules.odds import Odds
from rules.refusals import Forbidden, InvalidInput
from rules.systems.warzone.damage import after_wounds, armour
from rules.systems.warzone.model import Condition, Model
from rules.systems.warzone.morale import Act as Deed
from rules.systems.warzone.morale import Bearing, ld_limit, ld_modifiers
from rules.systems.warzone.movement import (
    Fall,
    JumpDown,
    JumpedDown,
    Landing,
    after_fall,
    after_long_jump,
    after_move,
    ends_prone,
    fall,
    jump_down,
    long_jump,
    long_jump_needed,
    move_value,
    prepare_fall,
)
from rules.systems.warzone.vehicles import after_hull, hull_of, vehicle_hit, vehicle_jump_down


@dataclass(frozen=True, slots=True)
class Jump(Action):
    """Jump across a gap, or down.

    across: inches of the gap; down: inches of height; depth: of the gap; bearing: as of a move.
    """

    command = "wz.jump"
    typed = "wz jump"

    model: str = fields.words("Who jumps", offering.own_model, needed=True)
    across: float = fields.inches("Inches of the gap", 0.0, 200.0, default=0.0)
    down: float = fields.inches("Or inches of height", 0.0, 200.0, default=0.0)
    depth: float = fields.inches("Inches the gap is deep", 0.0, 200.0, default=0.0)
    bearing: str = seen_from_fear()
    hidden: bool = no_enemy_seen()
    odds: bool = fields.odds("Only the chances")


@dataclass(frozen=True, slots=True)
class FallDown(Action):
    """A model falls."""

    command = "wz.fall"
    typed = "wz fall"

    model: str = fields.words("Who falls", offering.own_model, needed=True)
    height: float = fields.inches("Inches", 0.0, 200.0, default=0.0, needed=True)
    odds: bool = fields.odds("Only the chances")


# ------------------------------------------------------------------------------------------- jumps


@handles(Jump)
def jump(act: Act, action: Jump) -> Reply:
    """Across a gap or down a height. Rules: WZ-JUMP-01 to WZ-JUMP-04."""
    model = named(act, action.model) if action.odds else own(act, action.model)
    act.canonical = replace(action, model=f"#{model.id}", odds=False)
    if (action.across > 0) == (action.down > 0):
        raise InvalidInput("Jump either across a gap or down a height: give one of them in inches.")
    if not 0 <= action.depth <= 1000:
        raise InvalidInput("A depth is 0 to 1000 inches.")
    if action.bearing not in get_args(Bearing):
        raise InvalidInput("It jumps away, nearer or neither.")
    with act.overridable():
        if model.has(Condition.PRONE):
            raise Forbidden(f"{model.name} is prone. Stand up first.", "WZ-PRES-03")
        if in_contact(act.encounter, model):
            raise Forbidden(f"{model.name} is locked in close combat: break away first.", "WZ-BREAK-03")
    return _across(act, action, model) if action.across > 0 else _down(act, action, model)


def _across(act: Act, action: Jump, model: Model) -> Reply:
    needed = long_jump_needed(model, action.across)
    if action.odds:
        odds = act.solve(long_jump).each() if needed else {Landing.ACROSS: 1.0}
        ends = [(str(end), odds.get(end, 0.0)) for end in Landing]
        return odds_reply(
            act, f"{model.name} jumps {action.across:g} in", bars(ends), "Jump", _weigh(act, action, model)
        )
    telling = Telling(act)
    if not undertake(telling, model, Deed.MOVE, bearing=cast(Bearing, action.bearing), hidden=action.hidden):
        return telling.closing(model)
    whose = Whose(model.name, "jump", f"over {action.across:g} in")
    landing = act.roll(whose, long_jump) if needed else Landing.ACROSS
    if landing is Landing.ACROSS:
        telling.lines.append(f"{model.name} jumps {action.across:g} in across.")
    else:
        telling.lines.append(f"{model.name} {landing.value}.")
    telling.thrown(*(["Long jump: 19 falls far, 20 at the start"] if needed else []))
    telling.follow(after_move(model))
    for effect in after_long_jump(model, landing, action.depth):
        if isinstance(effect, Propose):
            falls(telling, again(act, model), float(dict(effect.details)["inches"]))
        else:
            telling.follow([effect])
    _seen_moving(telling, model)
    return telling.closing(model)


def _weigh(act: Act, action: Jump, model: Model) -> Hurdle:
    return weigh(act, model, Deed.MOVE, bearing=cast(Bearing, action.bearing), hidden=action.hidden)


def _down(act: Act, action: Jump, model: Model) -> Reply:
    chosen = settings(act)
    numbers = prepare_fall(action.down, model.profile.sz, armour(model, chosen), chosen)
    modifiers = ld_modifiers(model, enemy_in_sight=not action.hidden)
    leap = JumpDown(ld_limit(model, modifiers), numbers, chosen.jump_down_damage == "on_fail")
    heads = _fall_heads(numbers, leap, modifiers, model)
    if action.odds:
        odds = _leap_odds(act, model, leap)
        lines = [*heads, *bars([("jumps", odds.chance(lambda got: got.jumped))])]
        lines += chance_lines(odds.map(lambda got: got.wounds), wound_names(model))
        title = f"{model.name} jumps down {action.down:g} in"
        return odds_reply(act, title, lines, "Jump", _weigh(act, action, model))
    telling = Telling(act)
    if not undertake(telling, model, Deed.MOVE, bearing=cast(Bearing, action.bearing), hidden=action.hidden):
        return telling.closing(model)
    done, harm, broken = _leap(act, model, leap, action.down)
    if done.jumped:
        telling.lines.append(f"{model.name} jumps down {action.down:g} in: {fate(model, done.wounds)}.")
        telling.lines += [*broken, f"It lands up to {move_value(model):g} in from the edge."]
    else:
        telling.lines.append(f"{model.name} dares not jump: action lost.")
    if numbers.hits:
        telling.thrown(*heads)
        telling.why += sum_lines("LD", model.profile.ld, modifiers)
    if done.jumped:
        telling.follow(after_move(model))
    telling.follow(harm)
    if done.jumped:
        _seen_moving(telling, model)
    return telling.closing(model)


def _leap(
    act: Act, model: Model, leap: JumpDown, down: float
) -> tuple[JumpedDown, Sequence[Effect], list[str]]:
    """Roll a jump down: how it went, what it does, and what it breaks of a vehicle. Rules: WZ-JUMP-04."""
    inches = f"{down:g} in"
    whose = endured(model.name, f"a jump down of {inches}", f"to jump down {inches}, {leap.limit} or less")
    if not model.vehicle:
        done = act.roll(whose, jump_down, leap)
        return done, after_wounds(model, done.wounds), []
    same = settings(act).chain_reroll == "same_margin"
    got = act.roll(whose, vehicle_jump_down, leap, hull_of(model), same)
    wounds = model.wounds_left - got.hull.wounds
    return JumpedDown(got.jumped, wounds), after_hull(model, got.hull), system_lines(model, got.hull)


def _leap_odds(act: Act, model: Model, leap: JumpDown) -> Odds[JumpedDown]:
    if not model.vehicle:
        return act.solve(jump_down, leap)
    same = settings(act).chain_reroll == "same_margin"
    hulls = act.solve(vehicle_jump_down, leap, hull_of(model), same)
    return hulls.map(lambda got: JumpedDown(got.jumped, model.wounds_left - got.hull.wounds))


def _seen_moving(telling: Telling, model: Model) -> None:
    """A jump is a move: enemies on wait may react to who is still there. Rules: WZ-WAIT-02."""
    if not is_out(telling.act, model):
        offer_reactions(telling, again(telling.act, model), "move")


def _fall_heads(
    numbers: Fall,
    leap: JumpDown | None = None,
    modifiers: tuple[Modifier, ...] = (),
    model: Model | None = None,
) -> list[str]:
    if not numbers.hits:
        return ["No more than its SZ: nothing happens."]
    save = f"DM {numbers.dm} x{numbers.hits}: save {numbers.ar - numbers.dm} or less"
    if leap is None or model is None:
        return [save]
    return [f"To jump: {leap.limit} or less ({short_sum('LD', model.profile.ld, modifiers)})", save]


# ------------------------------------------------------------------------------------------- falls


def falls(telling: Telling, model: Model, height: float) -> None:
    """A fall with its saves, told and carried through; a vehicle's systems may break.

    Rules: WZ-FALL-01, WZ-FALL-02, WZ-VEH-02.
    """
    act, chosen = telling.act, settings(telling.act)
    numbers = prepare_fall(height, model.profile.sz, armour(model, chosen), chosen)
    whose = endured(model.name, f"a fall of {height:g} in")
    if model.vehicle:
        same = chosen.chain_reroll == "same_margin"
        hull = act.roll(whose, vehicle_hit, hull_of(model), numbers.hits, numbers.ar, numbers.dm, same)
        wounds, broken = model.wounds_left - hull.wounds, system_lines(model, hull)
        effects = (*after_hull(model, hull), *ends_prone(model, numbers, wounds, chosen))
    else:
        wounds, broken = act.roll(whose, fall, numbers), []
        effects = after_fall(model, numbers, wounds, chosen)
    telling.lines += [f"{model.name} falls {height:g} in: {fate(model, wounds)}.", *broken]
    telling.thrown(*_fall_heads(numbers))
    telling.follow(effects)


def _fall_odds(act: Act, model: Model, numbers: Fall) -> Odds[int]:
    """The odds of the wounds of a fall."""
    if not model.vehicle:
        return act.solve(fall, numbers)
    same = settings(act).chain_reroll == "same_margin"
    hulls = act.solve(vehicle_hit, hull_of(model), numbers.hits, numbers.ar, numbers.dm, same)
    return hulls.map(lambda hull: model.wounds_left - hull.wounds)


@handles(FallDown)
def fall_down(act: Act, action: FallDown) -> Reply:
    """A fall for whatever reason; or its odds. Rules: WZ-FALL-01, WZ-FALL-02."""
    model = named(act, action.model) if action.odds else own(act, action.model)
    act.canonical = replace(action, model=f"#{model.id}", odds=False)
    if action.odds:
        chosen = settings(act)
        numbers = prepare_fall(action.height, model.profile.sz, armour(model, chosen), chosen)
        odds = _fall_odds(act, model, numbers)
        lines = [*_fall_heads(numbers), *chance_lines(odds, wound_names(model))]
        return odds_reply(act, f"{model.name} falls {action.height:g} in", lines, "Fall")
    telling = Telling(act)
    falls(telling, model, action.height)
    return telling.reply()
