"""Lunges, grapples and breaking free."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Generic, TypeVar

from bot.actions import Action
from bot.games.soluna.activation import ActionTurn, apply_effects, begin_action, settings_for, turn_for
from bot.games.soluna.attack_actions import area_picture, attack_chances, carry_out, dice_if_reduced
from bot.games.soluna.attack_declaration import Attack, Declared, check_weapon_of, declare, plan_payment
from bot.games.soluna.board import at, board_of, facing_towards, put_model
from bot.games.soluna.fields import (
    Extras,
    acting_model,
    arsenal_item_field,
    dice_field,
    enemy_field,
    extras_field,
    force_point_field,
    helpers_field,
    square_field,
    weapon_field,
)
from bot.games.soluna.narration import Doable, Narration, Throwing, dice_line, dice_words, find_faces
from bot.games.soluna.state import clock_of, model_of, models_of
from bot.replies.chances import bars
from bot.replies.reply import Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.luck.outcome_values import register_value
from bot.table.steps import Chances, as_done, in_steps
from bot.table.throw_purposes import Cast, Whose, hands
from rules.dice import Dice
from rules.refusals import Forbidden, InvalidInput, require_one
from rules.systems.soluna.board import Point
from rules.systems.soluna.models import (
    Doing,
    Model,
    Payment,
    after_payment,
    points_left,
    record_move,
    use_weapon,
)
from rules.systems.soluna.movement import (
    Contest,
    after_break_free,
    after_grapple,
    check_cost,
    check_grapple,
    check_helpers,
    check_path,
    contest,
    count_grapple_dice,
    grapple,
    holder,
    lunge_squares,
    path_to,
    speed_left,
)
from rules.wording import times


@dataclass(frozen=True, slots=True)
class Lunge(Action):
    """Move next to a target and attack it.

    In one activation. square: where to, else the nearest that does.
    """

    command = "sol.lunge"
    typed = "sol lunge"
    waits_for_dice = True
    facts = frozenset({"item"})

    attacker: Model = acting_model("Model that lunges", called="model")
    target: Model = enemy_field("Target")
    square: Point | None = square_field("Square to lunge to (blank for the nearest)")
    weapon: int | None = weapon_field("Weapon (blank for the first usable one)")
    dice: int = dice_field()
    force: bool = fields.switch("Force the Combat Point if the model has none left (-2 Accuracy)")
    extra: Extras = extras_field('Extras, such as "power+1 accuracy-2 ignore shield"')
    item: str | None = arsenal_item_field()
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class Grapple(Action):
    """Grapple an adjacent model."""

    command = "sol.grapple"
    typed = "sol grapple"
    waits_for_dice = True

    attacker: Model = acting_model("Model that grapples", called="model")
    target: Model = enemy_field("Model to grapple")
    helpers: tuple[Model, ...] = helpers_field("target")
    force: bool = force_point_field()
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class BreakFree(Action):
    """Break free of a grapple.

    The grapple that holds a model.
    """

    command = "sol.break"
    typed = "sol break"
    titled = "Break free"
    waits_for_dice = True

    model: Model = acting_model("Grappled model")
    helpers: tuple[Model, ...] = helpers_field("model")
    force: bool = force_point_field()
    odds: bool = fields.odds()


# ------------------------------------------------------------------------------------------- lunge


@dataclass(frozen=True, slots=True)
class ReadyLunge:
    """Where a lunge ends, the attack that is made from there, and the Action that both are."""

    asked: Attack
    declared: Declared
    end: Point
    turn: ActionTurn


def _require_lunge(act: ActView, action: Lunge) -> None:
    turn_for(act, action.attacker, Doing.LUNGE)


@in_steps(Lunge, may=_require_lunge)
class Lunging(Doable[Lunge, ReadyLunge]):
    """Move, attack for one Combat Point, and fall if the attack does no damage. Rules: SU-LUNGE-01."""

    label = "Lunge"

    def prepare(self, act: ActView, action: Lunge) -> ReadyLunge:
        attacker = action.attacker
        check_cost(1)
        attack = Attack(
            attacker,
            action.target,
            action.weapon,
            action.dice,
            action.force,
            extra=action.extra,
            item=action.item,
        )
        end, declared_attack = _find_landing(act, action, attack)
        dice = dice_if_reduced(action.dice, declared_attack.plan)
        act.canonical = replace(as_done(action), weapon=declared_attack.place, square=end, dice=dice)
        turn = turn_for(act, attacker, Doing.LUNGE)
        check_weapon_of(act, turn.model, declared_attack.situation.weapon)
        return ReadyLunge(attack, declared_attack, end, turn)

    def do(self, act: Act, action: Lunge, ready: ReadyLunge) -> Reply:
        passed_lines = begin_action(act, ready.turn)
        return _do_lunge(act, ready.asked, ready.turn.model, ready.declared, ready.end).plus(*passed_lines)

    def chances(self, act: ActView, action: Lunge, ready: ReadyLunge) -> Chances:
        attack_odds = attack_chances(act, ready.declared, ready.asked.aim, ready.turn.not_yet, lunge=True)
        return replace(attack_odds, apart=(f"The attack is made from {at(ready.end)}.",))

    def odds(self, act: ActView, action: Lunge, ready: ReadyLunge) -> Reply:
        return replace(super().odds(act, action, ready), files=area_picture(act, ready.declared))


def _find_landing(act: ActView, action: Lunge, attack: Attack) -> tuple[Point, Declared]:
    """Return where the lunge ends, and the attack from there: the first square that allows the attack."""
    attacker, target, chosen_square = action.attacker, action.target, action.square
    board, settings = board_of(act.encounter), settings_for(act)
    points = speed_left(attacker, clock_of(act.encounter), settings)
    landing_squares = lunge_squares(board, attacker.id, target.id, points, settings)
    if chosen_square is not None:
        if chosen_square not in landing_squares:
            raise Forbidden(
                f"Pick a free square next to {target.name} that you can reach. You can't lunge to"
                f" {at(chosen_square)}.",
                "SU-LUNGE-01",
            )
        landing_squares = (chosen_square,)
    target_square = board.piece(target.id).square
    refusal: Forbidden | None = None
    for square in landing_squares:
        landed_board = board.place(attacker.piece(square, facing_towards(square, target_square)))
        try:
            return square, declare(act, attack, attacker, landed_board, lunge=True)
        except Forbidden as error:
            refusal = refusal or error
    assert refusal is not None, "there is a square"
    raise refusal


def _do_lunge(act: Act, attack: Attack, model: Model, declared: Declared, end: Point) -> Reply:
    encounter, settings = act.encounter, settings_for(act)
    board, clock = board_of(encounter), clock_of(encounter)
    points = speed_left(model, clock, settings)
    lunge_walk = check_path(
        board, model.id, path_to(board, model.id, end, points, settings), points, settings
    )
    put_model(encounter, model.id, end, facing_towards(end, declared.mark.square))
    apply_effects(act, record_move(model, lunge_walk.squares, lunge_walk.cost, clock, settings))
    weapon = declared.situation.weapon
    apply_effects(act, use_weapon(model, -1 if weapon is None else weapon))
    apply_effects(act, after_payment(model.id, points_left(model, clock, settings), declared.payment))
    reply = carry_out(act, declared, attack, lunge=True)
    line = f"{model.name} lunges to {at(end)} ({times(lunge_walk.cost, 'speed point')})."
    return replace(reply, lines=(reply.lines[0], line, *reply.lines[1:]))


# ------------------------------------------------------------------------------------------- grapple


@dataclass(frozen=True, slots=True)
class ReadyContest:
    """Two models that roll their Health in dice, and what it costs the one whose Action it is.

    dice: of the active and the passive side. what: the word for it.
    """

    turn: ActionTurn
    passive: Model
    helpers: tuple[Model, ...]
    dice: tuple[int, int]
    payment: Payment
    what: str

    @property
    def active(self) -> Model:
        """Return the model whose Action it is."""
        return self.turn.model


C = TypeVar("C", bound=Action)


def _require_grapple(act: ActView, action: Grapple) -> None:
    attacker, board = action.attacker, board_of(act.encounter)
    ids_on_board = {piece.id for piece in board.pieces} - {attacker.id}
    other_models = (model for model in models_of(act.encounter) if model.id in ids_on_board)
    require_one(partial(check_grapple, board, attacker, other) for other in other_models)


class Contesting(Throwing[C, ReadyContest, Contest], Generic[C]):
    """Roll both models' Health in dice; more matching faces win. Rules: SU-GRAP-01, SU-GRAP-02."""

    title: ClassVar[str] = ""
    """The verb in the title of the odds."""

    def whose(self, action: C, ready: ReadyContest) -> Cast:
        active, passive = ready.active.name, ready.passive.name
        active_cast = Whose(active, ready.what, f"against {passive}")
        return hands(active_cast, Whose(passive, "defence", f"against {active}"))

    def rule(self, dice: Dice, ready: ReadyContest) -> Contest:
        return grapple(dice, *ready.dice)

    def settle(self, act: Act, action: C, ready: ReadyContest, outcome: Contest) -> Narration:
        passed_lines = begin_action(act, ready.turn)
        points = points_left(ready.active, clock_of(act.encounter), settings_for(act))
        apply_effects(act, after_payment(ready.active.id, points, ready.payment))
        narration = Narration([self.ended(act, ready, outcome)])
        narration.dice += _describe_hands(act, ready)
        narration.why += _explain_contest(ready)
        narration.then += passed_lines
        return narration

    @abstractmethod
    def ended(self, act: Act, ready: ReadyContest, outcome: Contest) -> str:
        """Carry out the result of the roll, and return the sentence that reports it."""

    def chances(self, act: ActView, action: C, ready: ReadyContest) -> Chances:
        odds = act.solve(contest, *ready.dice)
        win_chance = odds.chance(lambda one: one.active > one.passive)
        rows = [
            ("wins", win_chance),
            ("level", odds.chance(lambda one: one.active == one.passive)),
            ("loses", odds.chance(lambda one: one.active < one.passive)),
        ]
        lines = (
            f"{ready.active.name} {self.title} {ready.passive.name}",
            f"{dice_words(ready.dice[0])} against {ready.dice[1]}",
            *bars(rows),
        )
        return Chances(lines, "wins", win_chance, (odds,), not_yet=ready.turn.not_yet)


@in_steps(Grapple, may=_require_grapple)
class TakingHold(Contesting[Grapple]):
    """Grapple an adjacent model, if the attacker wins the roll."""

    label, title = "Grapple", "grapples"

    def prepare(self, act: ActView, action: Grapple) -> ReadyContest:
        attacker, target, helpers = action.attacker, action.target, action.helpers
        board = board_of(act.encounter)
        if attacker.id == target.id:
            raise InvalidInput("Pick another model. A model can't grapple itself.")
        with act.overridable():
            check_grapple(board, attacker, target)
            check_helpers(board, target, attacker, helpers)
        payment = plan_payment(act, attacker, 1, force=action.force)
        dice = count_grapple_dice(attacker, len(helpers)), count_grapple_dice(target)
        turn = turn_for(act, attacker, Doing.ATTACK)
        return ReadyContest(turn, target, helpers, dice, payment, "grapple")

    def ended(self, act: Act, ready: ReadyContest, outcome: Contest) -> str:
        apply_effects(act, after_grapple(ready.active.id, ready.passive.id, outcome))
        attacker, target = ready.active.name, ready.passive.name
        return {
            "active": f"{attacker} grapples {target}.",
            "passive": f"{target} shakes off {attacker}.",
            "none": f"{attacker} fails to grapple {target}.",
        }[outcome.winner(settings_for(act))]


@in_steps(BreakFree)
class BreakingFree(Contesting[BreakFree]):
    """Make the same roll, which the grappled model must win. Rules: SU-GRAP-03."""

    label, title = "Break free", "breaks free of"

    def prepare(self, act: ActView, action: BreakFree) -> ReadyContest:
        model, helpers = action.model, action.helpers
        if not holder(model):
            raise InvalidInput(
                f"Use /condition clear to free {model.name}. There is no record of who is grappling it."
            )
        holder_model = model_of(act.encounter, act.encounter.model(holder(model)))
        with act.overridable():
            check_helpers(board_of(act.encounter), model, holder_model, helpers)
        payment = plan_payment(act, model, 1, force=action.force)
        dice = count_grapple_dice(model, len(helpers)), count_grapple_dice(holder_model)
        turn = turn_for(act, model, Doing.BREAK_GRAPPLE)
        return ReadyContest(turn, holder_model, helpers, dice, payment, "struggle")

    def ended(self, act: Act, ready: ReadyContest, outcome: Contest) -> str:
        apply_effects(act, after_break_free(ready.active.id, outcome))
        breaks_free = outcome.active > outcome.passive
        return f"{ready.active.name} {'breaks free' if breaks_free else 'stays grappled'}."


def _describe_hands(act: Act, ready: ReadyContest) -> list[str]:
    lines: list[str] = []
    faces_of_hands = find_faces(act.dice.trace, "grapple")
    for model, hand_faces in zip((ready.active, ready.passive), faces_of_hands, strict=False):
        largest_group = max((hand_faces.count(face) for face in set(hand_faces)), default=0)
        match = f"{largest_group} of a kind" if largest_group > 1 else "no match"
        lines.append(dice_line(f"{model.name} rolls {dice_words(len(hand_faces))}", hand_faces, match))
    return lines


def _explain_contest(ready: ReadyContest) -> list[str]:
    return [
        f"{ready.active.name}: {dice_words(ready.active.value('health'))} (Health) SU-GRAP-01",
        *(f"+1 die ({helper.name} helps) SU-GRAP-02" for helper in ready.helpers),
        f"{ready.passive.name}: {dice_words(ready.passive.value('health'))} (Health) SU-GRAP-01",
    ]


register_value(Contest, lambda contest: contest.active - contest.passive)
