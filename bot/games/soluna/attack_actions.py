"""The attack: on models, cover, Artifacts and areas, and its odds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from bot.games.soluna.activation import (
    ActionTurn,
    begin_action,
    check_begun,
    check_settled,
    settings_for,
    turn_for,
)
from bot.games.soluna.area_attacks import area_squares, attack_area
from bot.games.soluna.attack_declaration import Attack, Declared, check_weapon_of, declare, pay_attack
from bot.games.soluna.board import OBJECT, at, board_of, load_squares, remove_thing, thing_rows
from bot.games.soluna.board_picture import Marks, assign_letters, draw_board, window
from bot.games.soluna.flip_actions import resolve_strikes
from bot.games.soluna.look_actions import find_window_corner
from bot.games.soluna.narration import (
    Doable,
    Narration,
    describe_layers,
    dice_words,
    explain_plan,
    flip_budget,
)
from bot.games.soluna.state import ArtifactState, FallenState, ObjectState, model_of
from bot.games.soluna.strikes import fallen_row_of, model_before_fall, roll_strike
from bot.replies.chances import bars, percent
from bot.replies.reply import Attachment, Choice, Menu, Note, Reply
from bot.store.rows import ThingRow
from bot.table.act import Act, ActView
from bot.table.journal.history import UNDO
from bot.table.steps import Chances, Hurt, as_done, in_steps
from rules.dice import Odds
from rules.modifiers import total
from rules.refusals import Forbidden, InvalidInput
from rules.systems.soluna.areas import victims
from rules.systems.soluna.attack import Aim, Plan, aims, prepare_in_area, struck
from rules.systems.soluna.board import Board, Point
from rules.systems.soluna.damage import Target, damage_artifact
from rules.systems.soluna.models import Doing, Model
from rules.systems.soluna.prospects import MAX_DICE, Prospect, prospect
from rules.systems.soluna.situation import dice_rolled
from rules.wording import times

MAX_LINES = 12

RUIN_WORDS = {"health": "Kills", "mind": "Knocks unconscious"}
"""The fate of a target whose location is ruined."""

TOO_MANY_DICE = (
    f"There are no odds for more than {MAX_DICE} dice, because they can be flipped in too many ways."
)


def attack_chances(
    act: ActView,
    declared: Declared,
    location: str | None,
    not_yet: Sequence[str] = (),
    *,
    lunge: bool = False,
) -> Chances:
    """Return what the attack may do. location: the one that is looked at.

    not_yet: why it cannot be made just now. lunge: the attacker falls if nothing is harmed.
    """
    if declared.kind == "area":
        return Chances((*_area_lines(act, declared), _closing_note(act)), "", 0.0, not_yet=tuple(not_yet))
    if declared.kind != "model":
        return Chances(_certain_damage_lines(act, declared), "", 1.0, not_yet=tuple(not_yet))
    plan, target = declared.plan, declared.plan.target
    assert target is not None, "a model is attacked"
    options = aims(target, settings_for(act))
    chosen_aim = _chosen_aim(options, location)
    lines = [
        f"{declared.situation.attacker.name} -> {declared.mark.name}, {declared.weapon_name}",
        f"{dice_words(plan.power)}, {flip_budget(plan.accuracy)}",
    ]
    if plan.power > MAX_DICE:
        lines.append(TOO_MANY_DICE)
        return Chances(tuple(lines), not_yet=tuple(not_yet))
    odds = _odds(
        act, plan, spares_target=_is_friend(act, declared.situation.attacker.id, declared.mark.model)
    )
    lines += _location_lines(odds, target, chosen_aim)
    harmed = odds.chance(lambda one: one.harmed)
    if harmed:
        lines += ["Chance to remove 1 point or more with the best flips:"]
        rows = [(aim.location.capitalize(), _loss_chance(odds, target, aim.location, 1)) for aim in options]
        lines += bars([*rows, ("Any location", harmed)])
    if lunge:
        fall_chance = odds.chance(lambda one: not one.harmed)
        lines.append(
            f"Chance that the attacker falls because it does no damage: {percent(fall_chance).strip()}"
        )
    chance = _loss_chance(odds, target, chosen_aim.location, 1)
    expected_hurts = (_expected_hurt(declared, target, odds),)
    chance_lines = (*lines, _closing_note(act))
    return Chances(
        chance_lines, f"damages {chosen_aim.location}", chance, not_yet=tuple(not_yet), hurts=expected_hurts
    )


def _odds(act: ActView, plan: Plan, *, spares_target: bool) -> Odds[Prospect]:
    assert plan.target is not None, "a model is attacked"
    return act.solve(prospect, plan.power, plan.accuracy, plan.target, settings_for(act), spares_target)


def _is_friend(act: ActView, attacker: int, model: Model | None) -> bool:
    encounter = act.encounter
    return model is not None and encounter.model(attacker).side == encounter.model(model.id).side


def _loss_chance(odds: Odds[Prospect], target: Target, location: str, points: int) -> float:
    """Return the chance that the location loses so many points or more, with flips made for it."""
    place = target.grid.keys.index(location)
    return odds.chance(lambda one: one.lost[place] >= points)


def _expected_hurt(declared: Declared, target: Target, odds: Odds[Prospect]) -> Hurt:
    assert declared.mark.model is not None, "a model is attacked"
    kill_chance = odds.chance(lambda prospect: prospect.killed)
    keys = target.grid.keys
    place = keys.index("health") if "health" in keys else None
    wounds = 0.0 if place is None else odds.mean(lambda one: one.lost[place])
    return Hurt(declared.mark.model.id, kill_chance, wounds)


def _closing_note(act: ActView) -> Note:
    return Note(f"{act.exactness} No dice were rolled.")


def location_menu(act: ActView, action: Attack, declared: Declared, location: str | None) -> tuple[Menu, ...]:
    """Return the other locations whose chances may be looked at."""
    target = declared.plan.target
    if declared.kind != "model" or target is None:
        return ()
    options = aims(target, settings_for(act))
    current_aim = _chosen_aim(options, location)
    other_choices = tuple(
        Choice(aim.location.capitalize(), aim.location)
        for aim in options
        if aim.location != current_aim.location
    )
    if not other_choices:
        return ()
    return (Menu("Show the odds for another location", replace(action, odds=True), "aim", other_choices),)


def _chosen_aim(possible_aims: tuple[Aim, ...], location: str | None) -> Aim:
    """Return the location asked for, or Health, or the first there is. Raises InvalidInput."""
    for aim in possible_aims:
        if aim.location == (location or "health"):
            return aim
    if location:
        raise InvalidInput(
            f"Pick a location that this target has: {', '.join(aim.location for aim in possible_aims)}."
        )
    return possible_aims[0]


def _location_lines(odds: Odds[Prospect], target: Target, aim: Aim) -> list[str]:
    value = target.present()[aim.location]
    layer_note = f" ({describe_layers(target)})" if aim.protections else ""
    protection_line = f"Hits stopped on {aim.location.capitalize()}: {aim.protections}{layer_note}"
    if not _loss_chance(odds, target, aim.location, 1):
        return [protection_line, f"This attack can't remove any points from {aim.location.capitalize()}."]
    point_range = range(1, min(value, MAX_LINES) + 1)
    *other_faces, last_face = map(str, aim.faces)
    faces = f"{', '.join(other_faces)} or {last_face}" if other_faces else last_face
    lines = [f"Chance to remove {aim.location.capitalize()} points (hit on a {faces}) with the best flips:"]
    lines += bars([(f"{loss}+", _loss_chance(odds, target, aim.location, loss)) for loss in point_range])
    ruin_chance = percent(_loss_chance(odds, target, aim.location, value)).strip()
    ruin_text = RUIN_WORDS.get(aim.location, f"Ruins {aim.location.capitalize()}")
    return [*lines, protection_line, f"{ruin_text} ({times(value, 'point')}): {ruin_chance}"]


def _certain_damage_lines(act: ActView, declared: Declared) -> tuple[str, ...]:
    """Return the damage of an attack in which every die hits."""
    power = declared.plan.power
    harm, target_value, artifact = power, "Health", declared.mark.artifact
    if artifact is not None:
        harm = damage_artifact(artifact.name, artifact.health, power, settings_for(act)).total
        target_value = f"Health {artifact.health}"
    if declared.kind == "cover":
        cover = declared.situation.board.cover_at(declared.mark.square)
        body_left = struck(cover, power, settings_for(act)).body
        harm, target_value = cover.body - body_left, f"Body {cover.body}"
    return (
        f"{declared.situation.attacker.name} -> {declared.mark.name}, {declared.weapon_name}",
        f"Damage with {dice_words(power)} against {target_value}: {harm}",
        "Every die hits, so nothing is rolled.",
    )


def _attacked_squares(act: ActView, declared: Declared) -> tuple[Point, frozenset[Point]]:
    situation = declared.situation
    weapon = situation.gear
    assert weapon is not None, "bare hands have no area"
    source = situation.board.piece(situation.attacker.id).square
    power = declared.plan.power
    return area_squares(weapon, source, declared.mark.square, situation.board, power, settings_for(act))


def _area_title(act: ActView, declared: Declared) -> str:
    squares = _attacked_squares(act, declared)[1]
    return f"{declared.situation.attacker.name}: {declared.weapon_name}, {times(len(squares), 'square')}"


def _area_lines(act: ActView, declared: Declared) -> list[str]:
    situation, plan = declared.situation, declared.plan
    origin, squares = _attacked_squares(act, declared)
    lines = [_area_title(act, declared)]
    for piece in victims(squares, situation.board):
        model = model_of(act.encounter, act.encounter.model(piece.id))
        own_situation = replace(situation, square=piece.square, target=model, origin=origin)
        own_plan = prepare_in_area(own_situation, plan.distance, settings_for(act))
        assert own_plan.target is not None, "a model is struck"
        is_friend = _is_friend(act, situation.attacker.id, model)
        shown_name = f"{model.name} (friend)" if is_friend else model.name
        lines.append(f"{shown_name}: {dice_words(own_plan.power)}, {flip_budget(own_plan.accuracy)}")
        if own_plan.power > MAX_DICE:
            lines.append(f"  {TOO_MANY_DICE}")
            continue
        odds, keys = _odds(act, own_plan, spares_target=is_friend), own_plan.target.grid.keys
        fate_chances = [
            (f"lose {key.capitalize()}", _loss_chance(odds, own_plan.target, key, 1))
            for key in ("health", "mind")
            if key in keys
        ]
        fate_chances.append(("be killed", odds.chance(lambda prospect: prospect.killed)))
        lines += [f"  Chance to {fate}: {percent(chance).strip()}" for fate, chance in fate_chances]
    if len(lines) == 1:
        lines.append("There are no models in the area.")
    marks = Marks(area=squares)
    corner = find_window_corner(situation.board, declared.mark.square)
    return [*lines, "```", *window(situation.board, assign_letters(act.encounter), marks, corner), "```"]


def area_picture(act: ActView, declared: Declared) -> tuple[Attachment, ...]:
    """Return the board with the squares of an area."""
    if declared.kind != "area":
        return ()
    marks = Marks(area=_attacked_squares(act, declared)[1])
    title = [_area_title(act, declared)]
    return act.drawn(draw_board, act.encounter, declared.situation.board, marks, title)


@dataclass(frozen=True, slots=True)
class ReadyAttack:
    """A legal attack and the Action that it is made in.

    fallen: the row of one who fell and strikes back, 0 for none.
    """

    declared: Declared
    turn: ActionTurn
    fallen: int = 0


def _check_may_attack(act: ActView, action: Attack) -> None:
    """Refuse a model that can't attack now; one that fell in this phase may strike back."""
    if fallen_row_of(act.encounter, action.attacker.id) is None:
        turn_for(act, action.attacker, Doing.ATTACK)


@in_steps(Attack, may=_check_may_attack)
class Attacking(Doable[Attack, ReadyAttack]):
    """One attack: what it costs, dice, flips or the question for them."""

    label = "Attack"

    def prepare(self, act: ActView, action: Attack) -> ReadyAttack:
        fallen_row, attacker, board = _find_attacker(act, action)
        declared = declare(act, action, attacker, board)
        act.canonical = _fill_in_choices(action, declared)
        if fallen_row is not None:
            _check_strike_back(act, declared, fallen_row)
            return ReadyAttack(declared, ActionTurn(attacker), fallen_row.id)
        turn = turn_for(act, attacker, Doing.ATTACK)
        check_weapon_of(act, turn.model, declared.situation.weapon)
        return ReadyAttack(declared, turn)

    def do(self, act: Act, action: Attack, ready: ReadyAttack) -> Reply:
        passed: list[str] = []
        if ready.fallen:
            remove_thing(act.encounter, ready.fallen)
        else:
            passed = begin_action(act, ready.turn)
            pay_attack(act, ready.turn.model, ready.declared.payment, ready.declared.situation.weapon)
        return carry_out(act, ready.declared, action).plus(*passed)

    def chances(self, act: ActView, action: Attack, ready: ReadyAttack) -> Chances:
        return attack_chances(act, ready.declared, action.aim, ready.turn.not_yet)

    def odds(self, act: ActView, action: Attack, ready: ReadyAttack) -> Reply:
        menus = location_menu(act, as_done(cast(Attack, act.canonical)), ready.declared, action.aim)
        files = area_picture(act, ready.declared)
        return replace(super().odds(act, action, ready), menus=menus, files=files)


def _find_attacker(act: ActView, action: Attack) -> tuple[ThingRow | None, Model, Board]:
    encounter = act.encounter
    fallen_row = fallen_row_of(encounter, action.attacker.id)
    if fallen_row is None:
        return None, action.attacker, board_of(encounter)
    check_begun(act)
    check_settled(act)
    return fallen_row, *model_before_fall(encounter, fallen_row, action.attacker)


def _check_strike_back(act: ActView, declared: Declared, fallen_row: ThingRow) -> None:
    target = declared.mark.model
    with act.overridable():
        if not declared.situation.melee or target is None or target.id != FallenState(fallen_row).striker:
            name = act.encounter.model(FallenState(fallen_row).striker).name
            raise Forbidden(
                f"{fallen_row.name} fell, so it can only strike back at {name} in melee.", "SU-MELEE-01"
            )


def _fill_in_choices(action: Attack, declared: Declared) -> Attack:
    """Return the action with what was chosen for the player: the object's square, the weapon."""
    mark = declared.mark
    target = mark.model if mark.model is not None else mark.square
    dice = dice_if_reduced(action.dice, declared.plan)
    return replace(as_done(action), target=target, weapon=declared.place, dice=dice, aim=None)


def dice_if_reduced(dice: int, plan: Plan) -> int:
    """Return the number of dice asked for, or 0 if that is the full Power."""
    return dice if dice < dice_rolled(total(plan.power_modifiers), None) else 0


# ------------------------------------------------------------------------------------------- carrying out


def carry_out(act: Act, declared: Declared, action: Attack, *, lunge: bool = False) -> Reply:
    """Roll an attack that is paid, by what it is aimed at. Rules: SU-TGT-06, SU-ATK-02."""
    narration = Narration()
    match declared.kind:
        case "cover":
            return _attack_cover(act, narration, declared)
        case "artifact":
            return _attack_artifact(act, narration, declared)
        case "area":
            return attack_area(act, narration, declared, action)
    strike = roll_strike(act, declared.situation, declared.plan, action.item, lunge=lunge)
    return resolve_strikes(act, narration, (strike,))


def _attack_cover(act: Act, narration: Narration, declared: Declared) -> Reply:
    """Every face strikes it, so nothing is rolled. Rules: SU-COV-07, SU-COV-08."""
    obstacle = declared.situation.board.cover_at(declared.mark.square)
    row = next(
        row
        for row in thing_rows(act.encounter, OBJECT)
        if row.name == obstacle.name and declared.mark.square in load_squares(row.content)
    )
    power = declared.plan.power
    body_before, body_left = obstacle.body, struck(obstacle, power, settings_for(act)).body
    harm = body_before - body_left
    ObjectState(row).body = body_left
    attacker = declared.situation.attacker.name
    if harm and not body_left:
        narration.lines.append(f"{attacker} destroys {row.name}, which becomes debris.")
    elif harm:
        narration.lines.append(f"{attacker} hits {row.name} for {harm} damage (Body {body_left} left).")
    else:
        narration.lines.append(f"{attacker} does no damage to {row.name}.")
    narration.lines.append(f"{declared.weapon_name}: {dice_words(power)} against Body {body_before}")
    narration.then.append("Every die hits cover, so nothing is rolled.")
    narration.why += explain_plan(declared.plan, f"{attacker} at {row.name}, {declared.weapon_name}")
    protection = f" minus Body {body_before}" if settings_for(act).cover_protects_itself else ""
    narration.why.append(f"Damage: {dice_words(power)}{protection} SU-COV-07")
    return narration.reply(act, UNDO)


def _attack_artifact(act: Act, narration: Narration, declared: Declared) -> Reply:
    """One location that every face strikes. Rules: SU-TGT-06, SU-GRID-03."""
    mark, power = declared.mark, declared.plan.power
    if mark.artifact is None:
        raise InvalidInput(f"Pick a square with a model or an object. {at(mark.square)} is empty.")
    row = next(row for row in thing_rows(act.encounter, "artifact") if row.id == mark.artifact.row)
    state = ArtifactState(row)
    harm = damage_artifact(row.name, state.health, power, settings_for(act))
    state.health -= harm.total
    attacker = declared.situation.attacker.name
    health_text = f"Health {state.health} left" if state.health else "ruined"
    narration.lines.append(f"{attacker} hits {row.name} for {harm.total} damage ({health_text}).")
    narration.lines.append(f"{times(power, 'hit')}, {declared.weapon_name}")
    narration.then.append("Every die hits an Artifact, so nothing is rolled.")
    narration.why += explain_plan(declared.plan, f"{attacker} at {row.name}, {declared.weapon_name}")
    if not state.health:
        remove_thing(act.encounter, row.id)
    return narration.reply(act, UNDO)
