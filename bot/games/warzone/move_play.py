"""Moving at the table: how far, what has to be rolled first, presence, jumps and falls."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, cast, get_args

from bot.actions import Action
from bot.games.warzone.attacks import fate
from bot.games.warzone.common import OUT, again, in_contact, is_out, named, own, part, settings
from bot.games.warzone.fight_play import BreakAway
from bot.games.warzone.nerves import FREELY, Weighed, undertake, weigh
from bot.games.warzone.overrides import allowed
from bot.games.warzone.reactions import offer_reactions
from bot.games.warzone.systems import works
from bot.games.warzone.telling import Telling, offers
from bot.games.warzone.words import chance_lines, exactness, short_sum, sum_lines, wound_names
from bot.replies.chances import bars
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.handlers import handles
from bot.table.throws import Whose, counted
from rules.effects import Count, Effect, Propose
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput
from rules.systems.warzone.damage import after_wounds, armour
from rules.systems.warzone.model import ACTIONS, SYSTEM, Condition, Model
from rules.systems.warzone.morale import Act as Deed
from rules.systems.warzone.morale import Bearing, ld_limit, ld_modifiers
from rules.systems.warzone.movement import (
    Fall,
    Gait,
    Ground,
    JumpDown,
    Landing,
    Presence,
    after_fall,
    after_long_jump,
    after_move,
    change_presence,
    check_turn,
    fall,
    jump_down,
    knock_prone,
    long_jump,
    long_jump_needed,
    move_allowance,
    move_value,
    prepare_fall,
)
from rules.systems.warzone.tables import TERRAINS, Terrain
from rules.systems.warzone.vehicles import check_reverse, system_works


@dataclass(frozen=True, slots=True)
class Move(Action):
    """A move action. terrain: kinds with + between; turn: degrees; obstacle: its height, -1 for none.

    bearing: away from, nearer to, or neither, seen from what frightened it. deep: the water is impassable.
    hidden: no enemy is in its line of sight.
    """

    command = "wz.move"

    model: str = ""
    terrain: str = "normal"
    gait: str = "move"
    bearing: str = "other"
    turn: int = 0
    reverse: bool = False
    obstacle: float = -1.0
    deep: bool = False
    hidden: bool = False
    odds: bool = False


@dataclass(frozen=True, slots=True)
class SetPresence(Action):
    """Stand, minimize presence, or go prone. knocked: by an effect, without an action."""

    command = "wz.presence"

    model: str = ""
    to: str = "standing"
    knocked: bool = False
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Jump(Action):
    """Jump. across: inches of the gap; down: inches of height; depth: of the gap; bearing: as of a move."""

    command = "wz.jump"

    model: str = ""
    across: float = 0.0
    down: float = 0.0
    depth: float = 0.0
    bearing: str = "other"
    hidden: bool = False
    odds: bool = False


@dataclass(frozen=True, slots=True)
class FallDown(Action):
    """A model falls."""

    command = "wz.fall"

    model: str = ""
    height: float = 0.0
    odds: bool = False


def parse_terrain(text: str) -> frozenset[Terrain]:
    """Kinds of terrain with + or commas between. Raises InvalidInput."""
    words = {word.strip().lower() for word in text.replace(",", "+").split("+") if word.strip()}
    if not words or not words <= set(TERRAINS):
        raise InvalidInput(f"Terrain is {', '.join(TERRAINS)}; several with + between.")
    return frozenset(cast(Terrain, word) for word in words)


@handles(Move)
def move(act: Act, action: Move) -> Reply:
    """How far one action takes a model, with what must be rolled first.

    Rules: WZ-MOVE-01, WZ-MOVE-03, WZ-MOVE-04, WZ-TERR-01 to WZ-TERR-08, WZ-SYS-02, WZ-SYS-05, WZ-BREAK-03.
    """
    model, chosen = named(act, action.model) if action.odds else own(act, action.model), settings(act)
    act.canonical = replace(action, model=f"#{model.id}", odds=False)
    if action.gait not in get_args(Gait) or action.bearing not in get_args(Bearing):
        raise InvalidInput("A model moves, crawls or climbs; away, nearer or neither.")
    obstacle = action.obstacle if action.obstacle >= 0 else None
    ground = Ground(parse_terrain(action.terrain), obstacle, action.deep)
    with act.overridable():
        _check_move(act, model, action)
    allowance = move_allowance(model, chosen, ground, cast(Gait, action.gait))
    bearing = cast(Bearing, action.bearing)
    if action.odds:
        weighed = weigh(act, model, Deed.MOVE, bearing=bearing, hidden=action.hidden)
        return _move_odds(act, action, model, allowance.inches, weighed)
    telling = Telling(act)
    if not undertake(telling, model, Deed.MOVE, bearing=bearing, hidden=action.hidden):
        return telling.closing(model)
    if model.vehicle:
        part(act.encounter, model)
    turns = not action.turn or works(telling, model, "steering")
    moves = works(telling, model, "transmission")
    telling.lines += _moved_lines(model, action, allowance.inches, turns=turns, moves=moves)
    if allowance.crossing and moves:
        telling.lines.append("This action takes it just over the feature.")
    if moves or turns:
        telling.follow(after_move(model, cast(Gait, action.gait)))
    if model.count(OUT):
        telling.next.append("Out of command: move towards the leader.")
    offer_reactions(telling, again(act, model), "move")
    return telling.closing(model, Button("Again", act.canonical))


def _move_odds(act: Act, action: Move, model: Model, inches: float, weighed: Weighed) -> Reply:
    """The chances of everything that must be rolled before this move."""
    rows = []
    systems: list[tuple[Literal["steering", "transmission"], str]] = [("transmission", "moves")]
    if action.turn:
        systems.append(("steering", "turns"))
    for system, word in systems:
        rows.append((word, act.solve(system_works, system, model.count(f"{SYSTEM}{system}")).chance(bool)))
    return _odds(act, f"{model.name} moves up to {inches:g} in", bars(rows), "Move", weighed)


def _check_move(act: Act, model: Model, action: Move) -> None:
    if in_contact(act.encounter, model) and not model.vehicle:
        raise Forbidden(f"{model.name} is locked in close combat: break away first.", "WZ-BREAK-03")
    check_turn(model, action.turn)
    if action.reverse:
        check_reverse(model)


def _moved_lines(model: Model, action: Move, inches: float, *, turns: bool, moves: bool) -> list[str]:
    word = {"move": "moves", "crawl": "crawls", "climb": "climbs"}[action.gait]
    way = " straight away," if action.bearing == "away" and action.gait == "move" else ""
    first = f"{model.name} {word}{way} up to {inches:g} in."
    if not moves:
        first = f"{model.name} does not move."
    if not action.turn:
        return [first]
    if turns:
        return [first, f"It turns up to {action.turn} degrees."]
    return [f"{model.name} may not turn.", first] if moves else [f"{model.name} neither moves nor turns."]


@offers("flee")
def _offer_flee(act: Act, proposal: Propose) -> Button:
    model = named(act, f"#{proposal.model}")
    if in_contact(act.encounter, model) and not model.vehicle:
        return Button(f"{model.name} breaks away", BreakAway(f"#{model.id}"), "main", anytime=True)
    return Button(f"{model.name} flees", Move(f"#{model.id}", bearing="away"), "main", anytime=True)


# ------------------------------------------------------------------------------------------- presence


@handles(SetPresence)
def set_presence(act: Act, action: SetPresence) -> Reply:
    """Any presence into any other for one action. Rules: WZ-MOVE-02, WZ-PRES-01 to WZ-PRES-03."""
    model = own(act, action.model)
    act.canonical = replace(action, model=f"#{model.id}")
    if action.to not in get_args(Presence):
        raise InvalidInput(f"A model is {', '.join(get_args(Presence))}.")
    telling = Telling(act)
    if action.knocked:
        telling.follow(knock_prone(model))
        telling.lines.append(f"{model.name} is knocked prone.")
        return telling.reply()
    to = cast(Presence, action.to)
    effects = change_presence(model, to) if action.to != "minimized" else _minimize(act, model)
    deed = Deed.MINIMIZE if action.to == "minimized" else Deed.STAND
    if not undertake(telling, model, deed, hidden=action.hidden):
        return telling.closing(model)
    telling.follow(e for e in effects if not (isinstance(e, Count) and e.key == ACTIONS))
    telling.lines.append(f"{model.name} {_PRESENCE[action.to]}")
    return telling.closing(model)


def _minimize(act: Act, model: Model) -> tuple[Effect, ...]:
    """What frightened models may not do."""
    return allowed(act, lambda who, _: change_presence(who, "minimized"), model)


_PRESENCE = {
    "standing": "stands.",
    "minimized": "minimizes presence: -2 to be shot.",
    "prone": "goes prone: +4 to be hit, no attacks.",
}


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
        odds = act.solve(long_jump).chances if needed else {Landing.ACROSS: 1.0}
        ends = [(str(end), float(odds.get(end, 0))) for end in Landing]
        return _odds(
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


def _weigh(act: Act, action: Jump, model: Model) -> Weighed:
    return weigh(act, model, Deed.MOVE, bearing=cast(Bearing, action.bearing), hidden=action.hidden)


def _down(act: Act, action: Jump, model: Model) -> Reply:
    chosen = settings(act)
    numbers = prepare_fall(action.down, model.profile.sz, armour(model, chosen), chosen)
    modifiers = ld_modifiers(model, enemy_in_sight=not action.hidden)
    leap = JumpDown(ld_limit(model, modifiers), numbers, chosen.jump_down_damage == "on_fail")
    heads = _fall_heads(numbers, leap, modifiers, model)
    if action.odds:
        odds = act.solve(jump_down, leap)
        lines = [*heads, *bars([("jumps", odds.chance(lambda got: got.jumped))])]
        lines += chance_lines(odds.map(lambda got: got.wounds), wound_names(model))
        title = f"{model.name} jumps down {action.down:g} in"
        return _odds(act, title, [*lines, exactness(odds)], "Jump", _weigh(act, action, model))
    telling = Telling(act)
    if not undertake(telling, model, Deed.MOVE, bearing=cast(Bearing, action.bearing), hidden=action.hidden):
        return telling.closing(model)
    test = Whose(model.name, "LD test", f"to jump down {action.down:g} in, {leap.limit} or less")
    harm = Whose(model.name, "armour", f"against a jump down of {action.down:g} in")
    done = act.roll(counted(test, harm), jump_down, leap)
    if done.jumped:
        telling.lines.append(f"{model.name} jumps down {action.down:g} in: {fate(model, done.wounds)}.")
        telling.lines.append(f"It lands up to {move_value(model):g} in from the edge.")
    else:
        telling.lines.append(f"{model.name} dares not jump: action lost.")
    if numbers.hits:
        telling.thrown(*heads)
        telling.why += sum_lines("LD", model.profile.ld, modifiers)
    if done.jumped:
        telling.follow(after_move(model))
    telling.follow(after_wounds(model, done.wounds))
    if done.jumped:
        _seen_moving(telling, model)
    return telling.closing(model)


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


def _odds(act: Act, title: str, lines: list[str], button: str, weighed: Weighed = FREELY) -> Reply:
    exact = [] if lines and lines[-1].startswith("Exact") else ["Exact."]
    return Reply(
        (title, *lines, *exact, *weighed.lines, "Nothing is rolled."),
        private=True,
        buttons=weighed.buttons(Button(button, act.canonical, "main")),
    )


# ------------------------------------------------------------------------------------------- falls


def falls(telling: Telling, model: Model, height: float) -> None:
    """A fall with its saves, told and carried through. Rules: WZ-FALL-01, WZ-FALL-02."""
    act, chosen = telling.act, settings(telling.act)
    numbers = prepare_fall(height, model.profile.sz, armour(model, chosen), chosen)
    whose = Whose(model.name, "armour", f"against a fall of {height:g} in")
    wounds = act.roll(whose, fall, numbers)
    telling.lines.append(f"{model.name} falls {height:g} in: {fate(model, wounds)}.")
    telling.thrown(*_fall_heads(numbers))
    telling.follow(after_fall(model, numbers, wounds, chosen))


@handles(FallDown)
def fall_down(act: Act, action: FallDown) -> Reply:
    """A fall for whatever reason; or its odds. Rules: WZ-FALL-01, WZ-FALL-02."""
    model = named(act, action.model) if action.odds else own(act, action.model)
    act.canonical = replace(action, model=f"#{model.id}", odds=False)
    if action.odds:
        chosen = settings(act)
        numbers = prepare_fall(action.height, model.profile.sz, armour(model, chosen), chosen)
        odds = act.solve(fall, numbers)
        lines = [*_fall_heads(numbers), *chance_lines(odds, wound_names(model)), exactness(odds)]
        return _odds(act, f"{model.name} falls {action.height:g} in", lines, "Fall")
    telling = Telling(act)
    falls(telling, model, action.height)
    return telling.reply()
