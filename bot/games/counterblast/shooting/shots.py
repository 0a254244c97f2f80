"""Shooting at the table: from the stored statblocks to wounds, or to the exact chances of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.actions import Action, with_text
from bot.games.counterblast.core.common import (
    again,
    carry_through,
    price,
    require_plannable,
    settings,
    token_price,
)
from bot.games.counterblast.core.narration import Telling
from bot.games.counterblast.core.relics import list_relic_buttons
from bot.games.counterblast.core.wording import (
    dice_words,
    effect_word,
    find_worst,
    harm_lines,
    hurt,
    trace_lines,
    why_check,
    why_impact,
)
from bot.games.counterblast.shooting.arcs import attacked, require_mastery
from bot.games.counterblast.shooting.shot_fields import check_arc_of_fire, store_mounting
from bot.games.counterblast.shooting.shot_results import (
    Fallen,
    is_special,
    odds_of_void,
    overload_lines,
    stray_risk_lines,
    strike_volley,
    throw_volley,
    void_odds,
    wound_odds,
)
from bot.games.counterblast.shooting.volleys import MODES, Declared, Shoot, canonical, declared, drop_repeats
from bot.games.counterblast.state.sight import remember_sighting
from bot.games.counterblast.state.vehicles import find_moving_target, owes_move
from bot.replies.chances import exactness, percent
from bot.replies.reply import Button, Reply
from bot.table.act import Act, ActView
from bot.table.journal.history import UNDO
from bot.table.steps import Chances, Hurt, Rolled, in_steps
from rules.dice import Odds
from rules.effects import Assign, Effect
from rules.refusals import Forbidden, forbid
from rules.systems.counterblast.core.conditions import end_attacker_conditions
from rules.systems.counterblast.core.counters import Counter as Counted
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.impacts import MAX_COUNTED
from rules.systems.counterblast.shooting.shooting import (
    Mode,
    PreparedShot,
    PreparedVolley,
    Volley,
    has_full_auto,
    prepare_volley,
)
from rules.systems.counterblast.shooting.shots import at_one, wounds_by_shots
from rules.systems.counterblast.shooting.special_attacks import prepare_overwatch, require_waiting

OUT_OF_TURN = frozenset[Mode]({"snap", "overwatch"})
"""Shots that cost no action and wait for another model's."""


@dataclass(frozen=True, slots=True)
class ReadyShots:
    """A shot that may be fired: as it was declared, every full roll of it, what it costs.

    arc: the line that reminds of a narrow field of fire.
    """

    said: Declared
    rolls: tuple[PreparedVolley, ...]
    due: tuple[Effect, ...] = ()
    arc: tuple[str, ...] = ()

    @property
    def shooter(self) -> Fighter:
        """Return who shoots."""
        return self.said.volley.shooter

    @property
    def aimed(self) -> bool:
        return self.said.volley.mode == "aim"

    @property
    def shots(self) -> list[PreparedShot]:
        """Return every shot, those of equal rolls once."""
        return [shot for roll in drop_repeats(self.rolls) for shot in roll.shots]


def _may_shoot(act: ActView, action: Shoot) -> None:
    """Refuse a kind of shot that the model can't make now."""
    shooter, mode = action.shooter, MODES.get(action.mode)
    if mode in OUT_OF_TURN:
        _require_prompt(act, mode, shooter)
    elif mode is not None:
        price(act, shooter, _price_key(mode, shooter))
    if mode == "full_auto" and not any(map(has_full_auto, shooter.weapons)):
        raise Forbidden(f"{shooter.name} has no weapon with full auto.", "CB-WEAP-36")


@in_steps(Shoot, may=_may_shoot)
class Shooting(Rolled[Shoot, ReadyShots, tuple[Fallen, ...], Telling]):
    """One attack: dice, shields, wounds and what follows."""

    label = "Shoot"

    def prepare(self, act: ActView, action: Shoot) -> ReadyShots:
        """Return the shot as the rules see it, with what it costs. Raises InvalidInput, Forbidden."""
        shooter, declaration = action.shooter, declared(act, action)
        act.canonical = canonical(action, declaration)
        rolls = tuple(prepare_volley(volley, settings(act)) for volley in declaration.volleys)
        arc_lines = check_arc_of_fire(act, shooter, action.weapon, action.bearing, action.mount)
        if not act.action.looks:
            require_mastery(act, shooter, action.weapon)
        cost = shot_price(act, declaration.volley)
        return ReadyShots(
            declaration, rolls, (*cost, *token_price(act, shooter, spent=action.order)), tuple(arc_lines)
        )

    def asks(self, act: Act, action: Shoot, ready: ReadyShots) -> Reply | None:
        """Ask how a moving vehicle moves. Rules: CB-VEH-30."""
        vehicle = find_moving_target(ready.said.marks)
        if action.straight is not None or not vehicle:
            return None
        return ask_direction(act.canonical, vehicle, ready.shooter.name, anytime=action.mode == "overwatch")

    def thrown(self, act: Act, action: Shoot, ready: ReadyShots) -> tuple[Fallen, ...]:
        """Return every full roll of the weapon. Rules: CB-WEAP-34."""
        return tuple(throw_volley(act, ready.shooter, roll, aimed=ready.aimed) for roll in ready.rolls)

    def settle(self, act: Act, action: Shoot, ready: ReadyShots, outcome: tuple[Fallen, ...]) -> Telling:
        shooter, declaration, telling = ready.shooter, ready.said, Telling()
        store_mounting(act, shooter, action.weapon, action.mount)
        carry_through(act, ready.due)
        for place in declaration.places:
            remember_sighting(act.encounter, shooter.id, place)
        for roll, fallen in zip(ready.rolls, outcome, strict=True):
            strike_volley(act, telling, shooter, roll, fallen)
        telling.add_headline(shooter)
        attacked(act, shooter.id)
        on_overwatch = declaration.volley.mode == "overwatch"
        telling.follow(act, end_attacker_conditions(again(act, shooter), overwatch=on_overwatch))
        for shot in ready.shots:
            telling.why += why_check(
                shot.parts[0], f"{shooter.name} at {shot.target.name}, {shot.weapon.name}"
            )
            telling.why += why_impact(shot.impact)
        if owes_move(act.encounter.model(shooter.id), act.encounter.row.turn):
            telling.lines.append(f"{shooter.name} can now make its Move with /vehicle drive.")
        telling.why += [action.cloud.words] if action.cloud else []
        telling.more = tuple(list_relic_buttons(act, shooter, failed=not telling.hits))
        return telling

    def tell(self, act: Act, action: Shoot, ready: ReadyShots, told: Telling) -> Reply:
        all_shots = [shot for roll in ready.rolls for shot in roll.shots]
        target_names = (
            [prepared_shot.target.name for prepared_shot in all_shots] if len(all_shots) > 1 else []
        )
        dice = [f"{dice_words(shot.parts[0], 'AGL')}, {shot.weapon.name}" for shot in ready.shots]
        dice_lines = [*dice, *ready.said.told, *ready.arc, *trace_lines(act.dice.trace, target_names)]
        lines = (*told.lines, "", *dice_lines, *told.proposal_lines())
        return Reply(lines, buttons=told.buttons(act, *told.more, UNDO), why=tuple(told.why))

    def chances(self, act: ActView, action: Shoot, ready: ReadyShots) -> Chances:
        shots = [(shot, repeats) for roll, repeats in Counter(ready.rolls).items() for shot in roll.shots]
        lines = [line for shot, repeats in shots for line in shot_odds(act, ready.shooter, shot, repeats)]
        joint_odds = _joint_odds(act, shots)
        for (prepared_shot, _), odds in joint_odds.values():
            lines += [
                f"All shots at {prepared_shot.target.name}:",
                *harm_lines(odds, prepared_shot.weapon, prepared_shot.target),
            ]
        lines += ready.said.told
        lines += stray_risk_lines(act, ready.rolls, aimed=ready.aimed)
        lines += overload_lines(act, ready.shooter, ready.rolls)
        vehicle = find_moving_target(ready.said.marks) if action.straight is None else ""
        notes = (f"This assumes that {vehicle} moves across the line of fire.",) if vehicle else ()
        by_target = {shot.target.id: (shot, repeats) for shot, repeats in reversed(shots)}
        first_shots = [by_target[number] for number in dict.fromkeys(shot.target.id for shot, _ in shots)]
        worst_chances = [
            find_worst(joint_odds[shot.target.id][1], shot.weapon, shot.target)
            if shot.target.id in joint_odds
            else _worst_chance(act, shot, repeats)
            for shot, repeats in first_shots
        ]
        summaries = [f"{word} {percent(chance).strip()}" for word, chance in worst_chances]
        if len(first_shots) > 1:
            summaries = [
                f"{shot.target.name} {words}" for (shot, _), words in zip(first_shots, summaries, strict=True)
            ]
        hurts = tuple(
            hurt(joint_odds[shot_at_target.target.id][1], shot_at_target.weapon, shot_at_target.target)
            if shot_at_target.target.id in joint_odds
            else _expected_hurt(act, shot_at_target, repeats)
            for shot_at_target, repeats in first_shots
        )
        return Chances(tuple(lines), *worst_chances[0], apart=notes, brief=tuple(summaries), hurts=hurts)

    def more(self, act: ActView, plain: Shoot, ready: ReadyShots) -> Sequence[Button]:
        if plain.straight is not None or not find_moving_target(ready.said.marks):
            return ()
        return (
            Button(
                "Odds if it moves straight towards or away from the shooter",
                replace(plain, straight=True, odds=True),
            ),
        )


def ask_direction(action: Action, vehicle: str, shooter: str, *, anytime: bool = False) -> Reply:
    """Ask how a moving vehicle moves, which only the players see; `action` has the field straight.

    anytime: the shot may be fired although the game has moved on. Rules: CB-VEH-30.
    """
    across_action = with_text(action, {"straight": "no"})
    straight_action = with_text(action, {"straight": "yes"})
    return Reply(
        (f"How does {vehicle} move, as seen by {shooter}?",),
        private=True,
        buttons=(
            Button("Across (disadvantage)", across_action, "main", anytime=anytime),
            Button("Straight towards or away", straight_action, "main", anytime=anytime),
        ),
    )


def shot_price(act: ActView, declaration: Volley, *, joint: bool = False) -> tuple[Effect, ...]:
    """Return the price of the shot; out of turn it is free, and Telekinesis was the Move of a Run and Gun.

    A snap attack is asked for when a charge is declared: typed, it would be a free shot at any time.
    joint: several shoot together. Where its chances are asked, it is free, and only what its model could
    not do whenever it acted is refused. Raises Forbidden. Rules: CB-ACT-08, CB-CHARGE-04, CB-OVER-02,
    CB-PSI-24.
    """
    mode, shooter = declaration.mode, declaration.shooter
    turn = act.encounter.row.turn
    key = _price_key(mode, shooter)
    if mode in OUT_OF_TURN:
        _require_prompt(act, mode, shooter)
        if mode == "overwatch" and turn and not act.action.looks:
            prepare_overwatch(shooter, declaration.marks[0], dark=declaration.dark, settings=settings(act))
        return ()
    if act.action.looks:
        require_plannable(act, shooter, key)
        return ()
    used_up_lift = (Assign("model", shooter.id, Counted.LIFTED, 0),) if key != mode else ()
    return (*price(act, shooter, key, joint=joint), *used_up_lift)


def _require_prompt(act: ActView, mode: Mode, shooter: Fighter) -> None:
    """Refuse a shot out of turn that nothing asked for. Rules: CB-CHARGE-04, CB-OVER-02."""
    if act.action.looks or not act.encounter.row.turn:
        return
    if mode == "snap":
        forbid("You can only make a snap attack when an enemy charges. Choose Shoot instead.", "CB-CHARGE-04")
    require_waiting(shooter)


def _price_key(mode: Mode, shooter: Fighter) -> str:
    """Return the key of the shot's price: Telekinesis was the Move of a Run and Gun. Rules: CB-PSI-24."""
    return "shoot" if mode == "run_and_gun" and shooter.count(Counted.LIFTED) else mode


def shot_odds(act: ActView, shooter: Fighter, prepared_shot: PreparedShot, rolls: int = 0) -> list[str]:
    """Return a shot's dice and its chances of each number of wounds. rolls: full ones, or 0 for usual."""
    target = prepared_shot.target
    cover = next((part.amount for part in prepared_shot.impact.shields if part.rule == "CB-TERR-05"), 0)
    lines = [
        f"{shooter.name} -> {target.name}{f', cover {cover}' if cover else ''}",
        f"{dice_words(prepared_shot.parts[0], 'AGL')}, {prepared_shot.weapon.name}",
    ]
    if prepared_shot.weapon.has_effect("void"):
        return [*lines, *void_odds(act, prepared_shot)]
    odds = wound_odds(act, prepared_shot, rolls)
    return [*lines, *harm_lines(odds, prepared_shot.weapon, target), exactness(odds)]


Shots = Sequence[tuple[PreparedShot, int]]
"""Every shot of an attack that differs, and how often it is rolled."""


def _joint_odds(act: ActView, shots: Shots) -> dict[int, tuple[tuple[PreparedShot, int], Odds[int]]]:
    """Return the wounds on each model that several unlike shots are aimed at, by its number.

    Only of weapons that wound: what does something else is told of each shot.
    """
    by_target: dict[int, list[tuple[PreparedShot, int]]] = {}
    for prepared_shot, repeats in shots:
        by_target.setdefault(prepared_shot.target.id, []).append((prepared_shot, repeats))
    joint_odds = {}
    for number, target_shots in by_target.items():
        all_wound = not any(is_special(shot.weapon) or effect_word(shot.weapon) for shot, _ in target_shots)
        if len(target_shots) > 1 and all_wound:
            all_shots = at_one(shot.shot for shot, repeats in target_shots for _ in range(repeats))
            joint_odds[number] = target_shots[0], act.solve(wounds_by_shots, all_shots, MAX_COUNTED)
    return joint_odds


def _worst_chance(act: ActView, prepared_shot: PreparedShot, rolls: int) -> tuple[str, float]:
    if prepared_shot.weapon.has_effect("void"):
        return "lost", odds_of_void(act, prepared_shot).chance(lambda fate: fate == "removed")
    return find_worst(wound_odds(act, prepared_shot, rolls), prepared_shot.weapon, prepared_shot.target)


def _expected_hurt(act: ActView, prepared_shot: PreparedShot, rolls: int) -> Hurt:
    if prepared_shot.weapon.has_effect("void"):
        return Hurt(prepared_shot.target.id, _worst_chance(act, prepared_shot, rolls)[1], 0.0)
    return hurt(wound_odds(act, prepared_shot, rolls), prepared_shot.weapon, prepared_shot.target)
