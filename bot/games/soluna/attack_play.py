"""Attacks at the table: declared, paid, rolled; on models, cover, Artifacts and areas; or only their odds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

from bot.games.soluna.area_play import burst_out
from bot.games.soluna.common import ActionTurn, check_begun, check_settled, settings, take, turn_for
from bot.games.soluna.fallen import as_it_was, fallen
from bot.games.soluna.flip_play import go_on
from bot.games.soluna.ground import OBJECT, board_of, drop, read_squares, things
from bot.games.soluna.odds_play import area_picture, attack_chances, location_menu
from bot.games.soluna.plans import Attack, Declared, check_weapon_of, declare, spend
from bot.games.soluna.rolling import rolled
from bot.games.soluna.squares import at
from bot.games.soluna.state import ArtifactState, FallenState, ObjectState
from bot.games.soluna.telling import Telling
from bot.games.soluna.throwing import Doable
from bot.games.soluna.words import dice_words, why_plan
from bot.replies.reply import Reply
from bot.store.rows import ThingRow
from bot.table.act import Act
from bot.table.journal.history import UNDO
from bot.table.steps import Chances, as_done, in_steps
from rules.refusals import Forbidden, InvalidInput
from rules.systems.soluna.board import Board
from rules.systems.soluna.cover import struck
from rules.systems.soluna.damage import on_artifact
from rules.systems.soluna.models import Model
from rules.systems.soluna.phases import Doing
from rules.wording import times


@dataclass(frozen=True, slots=True)
class ReadyAttack:
    """A legal attack and the Action that it is made in.

    fallen: the row of one who fell and strikes back, 0 for none.
    """

    declared: Declared
    turn: ActionTurn
    fallen: int = 0


def _may_attack(act: Act, action: Attack) -> None:
    """Refuses one who cannot attack now; who fell in this phase may strike back."""
    if fallen(act.encounter, action.attacker.id) is None:
        turn_for(act, action.attacker, Doing.ATTACK)


@in_steps(Attack, may=_may_attack)
class Attacking(Doable[Attack, ReadyAttack]):
    """One attack: what it costs, dice, flips or the question for them."""

    label = "Attack"

    def prepare(self, act: Act, action: Attack) -> ReadyAttack:
        """Attacker, mark and weapon; that the Action may be taken with it, or a blow be struck back."""
        struck_down, attacker, board = _attacker(act, action)
        declared = declare(act, action, attacker, board)
        act.canonical = _settled(action, declared)
        if struck_down is not None:
            _strike_back(act, declared, struck_down)
            return ReadyAttack(declared, ActionTurn(attacker), struck_down.id)
        turn = turn_for(act, attacker, Doing.ATTACK)
        check_weapon_of(act, turn.model, declared.situation.weapon)
        return ReadyAttack(declared, turn)

    def do(self, act: Act, action: Attack, ready: ReadyAttack) -> Reply:
        """Pay for it, and roll."""
        passed: list[str] = []
        if ready.fallen:
            drop(act.encounter, ready.fallen)
        else:
            passed = take(act, ready.turn)
            spend(act, ready.turn.model, ready.declared.payment, ready.declared.situation.weapon)
        return carry_out(act, ready.declared, action).plus(*passed)

    def chances(self, act: Act, action: Attack, ready: ReadyAttack) -> Chances:
        """Of every location that can be struck, or of everybody in an area."""
        return attack_chances(act, ready.declared, action.aim, ready.turn.not_yet)

    def odds(self, act: Act, action: Attack, ready: ReadyAttack) -> Reply:
        """The chances, with a menu of the other locations, or a picture of the area."""
        menus = location_menu(act, as_done(cast(Attack, act.canonical)), ready.declared, action.aim)
        files = area_picture(act, ready.declared)
        return replace(super().odds(act, action, ready), menus=menus, files=files)


def _attacker(act: Act, action: Attack) -> tuple[ThingRow | None, Model, Board]:
    """Who attacks, and the board; one who fell in this phase is as it was before."""
    encounter = act.encounter
    kept = fallen(encounter, action.attacker.id)
    if kept is None:
        return None, action.attacker, board_of(encounter)
    check_begun(act)
    check_settled(act)
    return kept, *as_it_was(encounter, kept, action.attacker)


def _strike_back(act: Act, declared: Declared, kept: ThingRow) -> None:
    """Blows of one phase fall at the same time: once, in melee, at whom it was in melee with."""
    target = declared.mark.model
    with act.overridable():
        if not declared.situation.melee or target is None or target.id != FallenState(kept).striker:
            name = act.encounter.model(FallenState(kept).striker).name
            raise Forbidden(f"{kept.name} fell: it strikes {name} in melee, nobody else.", "SU-MELEE-01")


def _settled(action: Attack, declared: Declared) -> Attack:
    """The action with what was chosen for who asked it: which square of an object, which weapon."""
    mark = declared.mark
    target = mark.model if mark.model is not None else mark.square
    return replace(as_done(action), target=target, weapon=declared.place, aim=None)


# ------------------------------------------------------------------------------------------- carrying out


def carry_out(act: Act, declared: Declared, action: Attack, *, lunge: bool = False) -> Reply:
    """Roll an attack that is paid, by what it is aimed at. Rules: SU-TGT-06, SU-ATK-02."""
    telling = Telling()
    match declared.kind:
        case "cover":
            return _on_cover(act, telling, declared)
        case "artifact":
            return _on_artifact(act, telling, declared)
        case "area":
            return burst_out(act, telling, declared, action)
    strike = rolled(act, declared.situation, declared.plan, action.item, lunge=lunge)
    return go_on(act, telling, (strike,))


def _on_cover(act: Act, telling: Telling, declared: Declared) -> Reply:
    """Every face strikes it, so nothing is rolled. Rules: SU-COV-07, SU-COV-08."""
    obstacle = declared.situation.board.cover_at(declared.mark.square)
    row = next(
        row
        for row in things(act.encounter, OBJECT)
        if row.name == obstacle.name and declared.mark.square in read_squares(row.content)
    )
    power = declared.plan.power
    before, left = obstacle.body, struck(obstacle, power, settings(act)).body
    harm = before - left
    ObjectState(row).body = left
    attacker = declared.situation.attacker.name
    if harm and not left:
        telling.lines.append(f"{attacker} destroys {row.name}: debris.")
    elif harm:
        telling.lines.append(f"{attacker} hits {row.name}: {harm}, Body {left} left.")
    else:
        telling.lines.append(f"{attacker} does not harm {row.name}.")
    telling.lines.append(f"{dice_words(power)} against Body {before}, {declared.weapon_name}")
    telling.then.append("Every face strikes cover: no roll.")
    telling.why += why_plan(declared.plan, f"{attacker} at {row.name}, {declared.weapon_name}")
    telling.why.append(f"Damage {power} - {before} SU-COV-07")
    return telling.reply(act, UNDO)


def _on_artifact(act: Act, telling: Telling, declared: Declared) -> Reply:
    """One location that every face strikes. Rules: SU-TGT-06, SU-GRID-03."""
    mark, power = declared.mark, declared.plan.power
    if mark.artifact is None:
        raise InvalidInput(f"Nothing stands on {at(mark.square)}.")
    row = next(row for row in things(act.encounter, "artifact") if row.id == mark.artifact.row)
    state = ArtifactState(row)
    harm = on_artifact(row.name, state.health, power, settings(act))
    state.health -= harm.total
    attacker = declared.situation.attacker.name
    left = f"Health {state.health} left" if state.health else "ruined"
    telling.lines.append(f"{attacker} hits {row.name}: {harm.total}, {left}.")
    telling.lines.append(f"{times(power, 'hit')}, {declared.weapon_name}")
    telling.then.append("Every face strikes it: no roll.")
    telling.why += why_plan(declared.plan, f"{attacker} at {row.name}, {declared.weapon_name}")
    if not state.health:
        drop(act.encounter, row.id)
    return telling.reply(act, UNDO)
