"""Special attacks at the table: the lunge, the grapple with its helpers, and breaking free."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.soluna import suggestions
from bot.games.soluna.attack_play import canonical, carry_out
from bot.games.soluna.common import (
    UNDO,
    carry_through,
    named,
    own,
    settings,
    several,
    start_action,
    weigh_action,
)
from bot.games.soluna.fields import adjacent_helpers, fewer_dice, forced_point
from bot.games.soluna.fighters import clock_of, models_of
from bot.games.soluna.ground import board_of, stand
from bot.games.soluna.odds_play import odds_reply
from bot.games.soluna.plans import Attack, Declared, check_weapon_of, declare, payment_of
from bot.games.soluna.squares import at, read_square, towards
from bot.games.soluna.telling import Telling
from bot.games.soluna.words import dice_words, faces_thrown, times
from bot.replies.chances import bars
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.handlers import handles
from bot.table.rolling.throws import Cast, Whose, hands
from rules.refusals import Forbidden, InvalidInput
from rules.systems.soluna.board import Board
from rules.systems.soluna.combat_points import Payment, after_payment
from rules.systems.soluna.geometry import Point
from rules.systems.soluna.grapple import (
    after_break,
    after_grapple,
    check_grapple,
    check_helpers,
    contest,
    grapple,
    grapple_dice,
    holder,
)
from rules.systems.soluna.lunge import check_cost, lunge_squares
from rules.systems.soluna.models import Model
from rules.systems.soluna.phases import Doing, points_left, record_move, use_weapon
from rules.systems.soluna.speed import path_to, speed_left, walk


@dataclass(frozen=True, slots=True)
class Lunge(Action):
    """Move next to a target and attack it.

    In one activation. square: where to, else the nearest that does.
    """

    command = "sol.lunge"
    typed = "sol lunge"

    attacker: str = fields.words("Who lunges", offering.own_model, needed=True, called="model")
    target: str = fields.words("At whom", offering.foe, needed=True)
    square: str = fields.text("Where to; none: the nearest", None)
    weapon: str = fields.words("With what; none: the first that can", suggestions.carried_weapon)
    dice: int = fewer_dice()
    force: bool = fields.switch("Force the Combat Point: -2")
    extra: str = fields.text("power+1 accuracy-2 ignore shield", None)
    item: str = fields.words("Arsenal hits go to this", suggestions.carried_thing)
    odds: bool = fields.odds("Only the chances, to you alone")


@dataclass(frozen=True, slots=True)
class Grapple(Action):
    """Take hold of a model next to you.

    helpers: others next to it, with commas between them.
    """

    command = "sol.grapple"
    typed = "sol grapple"

    attacker: str = fields.words("Who grapples", offering.own_model, needed=True, called="model")
    target: str = fields.words("Whom", offering.foe, needed=True)
    helpers: str = adjacent_helpers()
    force: bool = forced_point()
    odds: bool = fields.odds("Only the chances, to you alone")


@dataclass(frozen=True, slots=True)
class BreakFree(Action):
    """Break free of a grapple.

    The grapple that holds a model.
    """

    command = "sol.break"
    typed = "sol break"

    model: str = fields.words("Who is held", offering.own_model, needed=True)
    helpers: str = adjacent_helpers()
    force: bool = forced_point()
    odds: bool = fields.odds("Only the chances, to you alone")


# ------------------------------------------------------------------------------------------- lunge


@handles(Lunge)
def lunge(act: Act, action: Lunge) -> Reply:
    """The move and the attack, the one Combat Point, the fall where it does no harm. Rules: SU-LUNGE-01."""
    attacker = named(act, action.attacker) if action.odds else own(act, action.attacker)
    target = named(act, action.target)
    check_cost(1)
    board = board_of(act.encounter)
    asked = Attack(
        f"#{attacker.id}",
        f"#{target.id}",
        action.weapon,
        action.dice,
        action.force,
        extra=action.extra,
        item=action.item,
    )
    points = speed_left(attacker, clock_of(act.encounter), settings(act))
    end, declared = _landing(act, action, asked, attacker, board, target, points)
    shown = canonical(asked, declared)
    act.canonical = replace(
        action,
        attacker=shown.attacker,
        target=shown.target,
        weapon=shown.weapon,
        square=at(end),
        odds=False,
    )
    if action.odds:
        now, not_yet = weigh_action(act, attacker, Doing.LUNGE)
        check_weapon_of(act, now, declared.situation.weapon)
        reply = odds_reply(act, shown, declared)
        button = Button("Lunge", act.canonical, "main")
        lines = (*reply.lines, f"From {at(end)}.", *not_yet)
        return replace(reply, buttons=() if not_yet else (button,), menus=(), lines=lines)
    model, passed = start_action(act, attacker, Doing.LUNGE)
    return _go(act, asked, model, declared, end).plus(*passed)


def _landing(
    act: Act, action: Lunge, asked: Attack, attacker: Model, board: Board, target: Model, points: int
) -> tuple[Point, Declared]:
    """Where the lunge ends and the attack from there; the first square from which it can be made."""
    squares = lunge_squares(board, attacker.id, target.id, points, settings(act))
    if action.square:
        wanted = read_square(action.square)
        if wanted not in squares:
            raise Forbidden(f"{at(wanted)} is no free square next to {target.name} in reach.", "SU-LUNGE-01")
        squares = (wanted,)
    goal = board.piece(target.id).square
    refusal: Forbidden | None = None
    for square in squares:
        there = board.place(attacker.piece(square, towards(square, goal)))
        try:
            return square, declare(act, asked, attacker, there)
        except Forbidden as found:
            refusal = refusal or found
    assert refusal is not None, "there is a square"
    raise refusal


def _go(act: Act, asked: Attack, model: Model, declared: Declared, end: Point) -> Reply:
    encounter, chosen = act.encounter, settings(act)
    board, clock = board_of(encounter), clock_of(encounter)
    points = speed_left(model, clock, chosen)
    done = walk(board, model.id, path_to(board, model.id, end, points, chosen), points, chosen)
    stand(encounter, model.id, end, towards(end, declared.mark.square))
    carry_through(act, record_move(model, done.squares, done.cost, clock, chosen))
    weapon = declared.situation.weapon
    carry_through(act, use_weapon(model, -1 if weapon is None else weapon))
    carry_through(act, after_payment(model.id, points_left(model, clock, chosen), declared.payment))
    reply = carry_out(act, declared, asked, lunge=True)
    line = f"Lunge to {at(end)}, {times(done.cost, 'speed point')}."
    return replace(reply, lines=(reply.lines[0], line, *reply.lines[1:]))


# ------------------------------------------------------------------------------------------- grapple


def _both(active: Model, passive: Model, what: str) -> Cast:
    """Whose dice: who begins, then who resists."""
    mine = Whose(active.name, what, f"against {passive.name}")
    return hands(mine, Whose(passive.name, f"hold in the {what}", f"against {active.name}"))


def _may_grapple(act: Act, action: Grapple) -> None:
    """Refuses one who can take hold of nobody where it stands."""
    attacker, board = own(act, action.attacker), board_of(act.encounter)
    refused: list[Forbidden] = []
    standing = {piece.id for piece in board.pieces} - {attacker.id}
    for other in (model for model in models_of(act.encounter) if model.id in standing):
        try:
            check_grapple(board, attacker, other)
        except Forbidden as refusal:
            refused.append(refusal)
        else:
            return
    if refused:
        raise refused[0]


@handles(Grapple, may=_may_grapple)
def take_hold(act: Act, action: Grapple) -> Reply:
    """Both sides roll their Health in dice; more like faces win. Rules: SU-GRAP-01, SU-GRAP-02."""
    attacker = named(act, action.attacker) if action.odds else own(act, action.attacker)
    target = named(act, action.target)
    board = board_of(act.encounter)
    helpers = several(act, action.helpers, mine=not action.odds)
    if attacker.id == target.id:
        raise InvalidInput("A model does not grapple itself.")
    with act.overridable():
        check_grapple(board, attacker, target)
        check_helpers(board, target, attacker, helpers)
    payment = payment_of(act, attacker, 1, force=action.force)
    dice = grapple_dice(attacker, len(helpers)), grapple_dice(target)
    act.canonical = replace(
        action,
        attacker=f"#{attacker.id}",
        target=f"#{target.id}",
        helpers=",".join(f"#{helper.id}" for helper in helpers),
        odds=False,
    )
    if action.odds:
        not_yet = weigh_action(act, attacker, Doing.ATTACK)[1]
        return _odds(act, f"{attacker.name} grapples {target.name}", dice, "Grapple", not_yet)
    now, passed = start_action(act, attacker, Doing.ATTACK)
    _pay(act, now, payment)
    contest = act.roll(_both(attacker, target, "grapple"), grapple, *dice)
    winner = contest.winner(settings(act))
    carry_through(act, after_grapple(attacker.id, target.id, contest))
    told = {
        "active": f"{attacker.name} grapples {target.name}.",
        "passive": f"{target.name} shakes {attacker.name} off.",
        "none": f"{attacker.name} gets no hold of {target.name}.",
    }[winner]
    return _contest_reply(act, told, attacker, target, dice, helpers).plus(*passed)


@handles(BreakFree)
def break_free(act: Act, action: BreakFree) -> Reply:
    """The same roll, which the held model must win. Rules: SU-GRAP-02, SU-GRAP-03."""
    model = named(act, action.model) if action.odds else own(act, action.model)
    held_by = named(act, f"#{holder(model)}") if holder(model) else model
    if held_by.id == model.id:
        raise InvalidInput(f"Nobody is known to hold {model.name}: /condition clear.")
    helpers = several(act, action.helpers, mine=not action.odds)
    with act.overridable():
        check_helpers(board_of(act.encounter), model, held_by, helpers)
    payment = payment_of(act, model, 1, force=action.force)
    dice = grapple_dice(model, len(helpers)), grapple_dice(held_by)
    act.canonical = replace(
        action, model=f"#{model.id}", helpers=",".join(f"#{helper.id}" for helper in helpers), odds=False
    )
    if action.odds:
        not_yet = weigh_action(act, model, Doing.BREAK_GRAPPLE)[1]
        return _odds(act, f"{model.name} breaks free of {held_by.name}", dice, "Break free", not_yet)
    now, passed = start_action(act, model, Doing.BREAK_GRAPPLE)
    _pay(act, now, payment)
    contest = act.roll(_both(model, held_by, "break free"), grapple, *dice)
    carry_through(act, after_break(model.id, contest))
    free = contest.active > contest.passive
    told = f"{model.name} breaks free." if free else f"{model.name} stays grappled."
    return _contest_reply(act, told, model, held_by, dice, helpers).plus(*passed)


def _pay(act: Act, model: Model, payment: Payment) -> None:
    points = points_left(model, clock_of(act.encounter), settings(act))
    carry_through(act, after_payment(model.id, points, payment))


def _contest_reply(
    act: Act, told: str, active: Model, passive: Model, dice: tuple[int, int], helpers: tuple[Model, ...]
) -> Reply:
    telling = Telling([told])
    faces = faces_thrown(act.dice.trace, "grapple")
    for model, thrown in zip((active, passive), faces, strict=False):
        most = max((thrown.count(face) for face in set(thrown)), default=0)
        shown = " ".join(str(face) for face in sorted(thrown)) or "no dice"
        telling.dice.append(f"{model.name} {dice_words(len(thrown))}: {shown}: {most} alike")
    telling.why += [
        f"{active.name}: Health {active.value('health')} dice SU-GRAP-01",
        *(f"+1 {helper.name} helps SU-GRAP-02" for helper in helpers),
        f"{passive.name}: Health {passive.value('health')} dice SU-GRAP-01",
    ]
    return telling.reply(act, UNDO)


def _odds(act: Act, title: str, dice: tuple[int, int], label: str, not_yet: tuple[str, ...]) -> Reply:
    odds = act.solve(contest, *dice)
    chances = [
        ("wins", odds.chance(lambda one: one.active > one.passive)),
        ("level", odds.chance(lambda one: one.active == one.passive)),
        ("loses", odds.chance(lambda one: one.active < one.passive)),
    ]
    told = (
        title,
        f"{dice_words(dice[0])} against {dice[1]}",
        *bars(chances),
        f"{act.exactness} Nothing is rolled.",
    )
    button = Button(label, act.canonical, "main")
    return Reply((*told, *not_yet), private=True, buttons=() if not_yet else (button,))
