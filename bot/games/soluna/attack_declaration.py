"""An attack as it is declared: who, with what, at what, its plan and its price."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from bot.actions import Action
from bot.games.soluna.activation import apply_effects, names_of, settings_for
from bot.games.soluna.board import AttackTarget, Mark, at, find_marks
from bot.games.soluna.fields import (
    Extras,
    arsenal_item_field,
    attacker_field,
    dice_field,
    extras_field,
    target_field,
    weapon_field,
)
from bot.games.soluna.narration import describe_sight_lines, find_best_view
from bot.games.soluna.state import clock_of, state_of
from bot.table.act import Act, ActView
from bot.table.asking import fields
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput, refuse_typed
from rules.systems.soluna.attack import Plan, prepare, prepare_in_area
from rules.systems.soluna.board import Board, area_reach, reach
from rules.systems.soluna.faces import LOCATIONS
from rules.systems.soluna.models import (
    Model,
    Payment,
    after_payment,
    forced_so_far,
    pay,
    points_left,
    use_weapon,
)
from rules.systems.soluna.settings import Settings
from rules.systems.soluna.sight import Sight, effective_reach, sight_of, surroundings
from rules.systems.soluna.situation import Distance, Situation


@dataclass(frozen=True, slots=True)
class Attack(Action):
    """Attack a model, cover, an Artifact or a square.

    A square only with an area weapon. weapon: its place, 0 for bare hands, None for the first usable one.
    dice: fewer than its Power. extra: what abilities and Artifacts give. item: the carried thing that
    Arsenal hits go to. aim: the location whose chances are wanted.
    """

    command = "sol.attack"
    typed = "sol attack"
    waits_for_dice = True
    facts = frozenset({"low", "item"})

    attacker: Model = attacker_field("Model that attacks")
    target: AttackTarget = target_field('Target (model, object or a square such as "3,4")')
    weapon: int | None = weapon_field("Weapon (blank for the first usable one)")
    dice: int = dice_field()
    force: bool = fields.switch("Force missing Combat Points (-2 Accuracy each)")
    low: bool = fields.switch("The weapon is low on power")
    cost: int = fields.whole("Cost in Combat Points (for a special attack)", 1, 20, default=1)
    extra: Extras = extras_field('Extras, such as "power+1 accuracy-2 ignore shield"')
    item: str | None = arsenal_item_field()
    aim: str | None = fields.one_of("Location to show the odds for", LOCATIONS)
    odds: bool = fields.odds()

    @property
    def looks(self) -> bool:
        return self.odds or bool(self.aim)


@dataclass(frozen=True, slots=True)
class Declared:
    """A legal attack on a mark, and what it costs."""

    mark: Mark
    situation: Situation
    plan: Plan
    payment: Payment
    kind: Literal["model", "cover", "artifact", "area"]

    @property
    def place(self) -> int:
        """Return the place of its weapon, from 1, or 0 for bare hands."""
        return 0 if self.situation.weapon is None else self.situation.weapon + 1

    @property
    def weapon_name(self) -> str:
        """Return the weapon's name."""
        return self.situation.gear.name if self.situation.gear else "bare hands"


# ------------------------------------------------------------------------------------------- weapons


def candidate_weapons(act: ActView, attacker: Model, weapon_number: int | None) -> list[int | None]:
    """Return the places of weapons that may be meant, None for bare hands; the first usable one is taken."""
    weapons = attacker.profile.weapons
    if weapon_number is not None:
        return [weapon_number - 1 if weapon_number else None]
    state = state_of(attacker)
    used_weapon = state.weapon_used
    if used_weapon and state.acted_phase == clock_of(act.encounter).count(settings_for(act)):
        return [None if used_weapon == 1 else used_weapon - 2]
    usable_weapons = [place for place in range(len(weapons)) if attacker.carried()[place][1]]
    return [*sorted(usable_weapons, key=lambda place: bool(weapons[place].area)), None]


def plan_payment(act: ActView, attacker: Model, cost: int, *, force: bool) -> Payment:
    """Return the price of the attack. Raises Forbidden unless overridden. Rules: SU-CP-01, SU-CP-02."""
    clock, settings = clock_of(act.encounter), settings_for(act)
    points = points_left(attacker, clock, settings)
    forced_before = forced_so_far(attacker, clock, settings)
    payments = [Payment(min(points, cost), 0, forced_before)]
    with act.overridable():
        payments.append(pay(points, forced_before, cost, force=force))
    refuse_typed(
        f"Don't force any Combat Points. {attacker.name} has enough of them.",
        force and not payments[-1].forced,
    )
    return payments[-1]


def check_weapon_of(act: ActView, attacker: Model, weapon: int | None) -> None:
    """Refuse another weapon than that of this Action. Rules: SU-CP-03."""
    with act.overridable():
        use_weapon(attacker, -1 if weapon is None else weapon)


def pay_attack(act: Act, attacker: Model, payment: Payment, weapon: int | None) -> None:
    """Pay, and note the weapon of this Action. Rules: SU-CP-01, SU-CP-02, SU-CP-03."""
    with act.overridable():
        act.encounter.apply(use_weapon(attacker, -1 if weapon is None else weapon))
    points = points_left(attacker, clock_of(act.encounter), settings_for(act))
    apply_effects(act, after_payment(attacker.id, points, payment))


# ------------------------------------------------------------------------------------------- declaring


def declare(act: ActView, action: Attack, attacker: Model, board: Board, *, lunge: bool = False) -> Declared:
    """Return the attack as the rules see it. Raises Forbidden, with the blocked lines where sight fails."""
    payment = plan_payment(act, attacker, action.cost, force=action.force)
    marks = find_marks(act.encounter, board, action.target, board.piece(attacker.id).square)
    places = candidate_weapons(act, attacker, action.weapon)
    first_refusal: tuple[Mark, Situation, Forbidden] | None = None
    for place in places:
        for mark in marks:
            situation = _build_situation(act, action, attacker, board, mark, place, payment)
            situation = replace(situation, lunge=lunge)
            try:
                return _build_declared(mark, situation, prepare(situation, settings_for(act)), payment)
            except Forbidden as refusal:
                first_refusal = first_refusal or (mark, situation, refusal.with_traceback(None))
    assert first_refusal is not None, "bare hands are always among the weapons"
    return _refuse_attack(act, *first_refusal, payment)


def _build_situation(
    act: ActView,
    action: Attack,
    attacker: Model,
    board: Board,
    mark: Mark,
    place: int | None,
    payment: Payment,
) -> Situation:
    extras = action.extra

    def given(amount: int, reason: str, rule: str) -> tuple[Modifier, ...]:
        return (Modifier(amount, reason, rule),) if amount else ()

    weapon = attacker.profile.weapons[place] if place is not None else None
    if mark.model is None and not mark.cover and mark.artifact is None and not (weapon and weapon.area):
        raise InvalidInput(
            f"Pick a model or an object. {at(mark.square)} is empty, and only area weapons can "
            "target an empty square."
        )
    return Situation(
        board,
        attacker,
        mark.square,
        mark.model,
        place,
        clock_of(act.encounter),
        payment,
        low_power=action.low,
        dice=action.dice or None,
        power_effects=given(extras.power, "abilities and Artifacts", "SU-PWR-03"),
        accuracy_effects=given(extras.accuracy, "abilities and Artifacts", "SU-ACC-01"),
        target_reach_effects=given(extras.target_reach, "abilities and Artifacts", "SU-VIS-09"),
        weapon_reach_effects=given(extras.weapon_reach, "abilities and Artifacts", "SU-VIS-09"),
        ignored=extras.ignored,
        names=names_of(act.encounter),
    )


def _build_declared(mark: Mark, situation: Situation, plan: Plan, payment: Payment) -> Declared:
    kind: Literal["model", "cover", "artifact", "area"] = "model"
    if situation.gear is not None and situation.gear.area:
        kind = "area"
    elif mark.model is None:
        kind = "cover" if mark.cover else "artifact"
    return Declared(mark, situation, plan, payment, kind)


def _refuse_attack(
    act: ActView, mark: Mark, situation: Situation, refusal: Forbidden, payment: Payment
) -> Declared:
    """Refuse with what a player needs to see; an organiser's reason lets an attack on a model pass."""
    settings = settings_for(act)
    sentence = explain_refusal(refusal, situation, settings)
    if situation.target is None:
        raise Forbidden(sentence, refusal.rule)
    with act.overridable():
        _raise_forbidden(sentence, refusal.rule)
    return _build_declared(mark, situation, _overridden_plan(situation, settings), payment)


def _raise_forbidden(sentence: str, rule: str) -> None:
    raise Forbidden(sentence, rule)


def explain_refusal(refusal: Forbidden, situation: Situation, settings: Settings) -> str:
    """Return the refusal; where no line of sight is left, what blocks each line."""
    if refusal.rule != "SU-TGT-03":
        return refusal.sentence
    start = situation.board.piece(situation.attacker.id).square
    view = find_best_view(situation.board, start, situation.square, settings)
    return "\n".join([refusal.sentence, *(describe_sight_lines(view) if view else ())])


def _overridden_plan(situation: Situation, settings: Settings) -> Plan:
    """Return the plan of an attack that the rules refuse, for an organiser who overrides them."""
    board = situation.board
    piece = board.piece(situation.attacker.id)
    facing_reach = reach(piece.square, piece.facing, situation.square)
    plain_reach = facing_reach or area_reach(piece.square, situation.square)
    visibility = surroundings(board, piece.square, situation.square, situation.eyes)
    sight = min(sight_of(board, piece.square, situation.square, settings), Sight.HIDDEN)
    distance = Distance(
        plain_reach, effective_reach(plain_reach, visibility.factors, settings), visibility, sight
    )
    return prepare_in_area(replace(situation, origin=piece.square), distance, settings)
