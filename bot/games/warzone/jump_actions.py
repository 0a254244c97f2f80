"""Jumps and falls at the table: across a gap or down a height, and what that breaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.actions import Action
from bot.games.warzone.attacks import describe_broken_systems, fate
from bot.games.warzone.common import Telling, find_enemies_in_contact, is_out, refresh, settings_for
from bot.games.warzone.fields import fear_direction_field, no_enemy_seen_field, who
from bot.games.warzone.narration import (
    build_chance_bars,
    describe_sum,
    find_sufferer_throws,
    format_short_sum,
    name_wounds,
)
from bot.games.warzone.reactions import offer_reactions
from bot.games.warzone.steps import CountedRoll, DeedStart, MultiRollDeed, Rolling, begin, roll_counted
from bot.replies.chances import bars
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.steps import Chances, in_steps
from bot.table.throw_purposes import Whose
from rules.dice import Odds
from rules.effects import Effect, Propose
from rules.modifiers import Modifier
from rules.refusals import Forbidden, Missing
from rules.systems.warzone.attacks import after_wounds, armour
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
from rules.systems.warzone.vehicles import Hull, after_hull, hit_vehicle, hull_of, vehicle_jump_down
from rules.wording import times


@dataclass(frozen=True, slots=True)
class Jump(Action):
    """Jump across a gap or down from a height.

    across: inches of the gap; down: inches of height; depth: of the gap; bearing: as of a move.
    """

    command = "wz.jump"
    typed = "wz jump"

    model: Model = who("Model that jumps")
    across: float = fields.inches("Width of the gap (inches)", 0.0, 200.0, default=0.0, fact=True)
    down: float = fields.inches("Height of the drop (inches)", 0.0, 200.0, default=0.0, fact=True)
    depth: float = fields.inches(
        "Depth of the gap (inches)", 0.0, 200.0, default=0.0, checked=True, fact=True
    )
    bearing: Bearing = fear_direction_field()
    hidden: bool = no_enemy_seen_field()
    odds: bool = fields.odds("Show only the odds")

    by_hand: tuple[str, ...] = fields.by_hand()


@dataclass(frozen=True, slots=True)
class FallDown(Action):
    """Roll for a model's fall, or see the odds."""

    command = "wz.fall"
    typed = "wz fall"
    waits_for_dice = True

    model: Model = who("Model that falls")
    height: float = fields.inches(
        "Height of the fall (inches)", 0.0, 200.0, default=0.0, needed=True, fact=True
    )
    odds: bool = fields.odds("Show only the odds")


# ------------------------------------------------------------------------------------------- jumps


@dataclass(frozen=True, slots=True)
class ReadyJump:
    """A jump that may be made. needed: across, it must be rolled; leap: down, else None.

    test: modifiers of the LD test before a jump down.
    """

    begin: DeedStart
    needed: bool
    leap: JumpDown | None = None
    test: tuple[Modifier, ...] = ()


@dataclass(frozen=True, slots=True)
class Jumped:
    """What was rolled for it. landing: across; tumble: the fall into the gap; down: how a jump down went."""

    landing: CountedRoll[Landing] | None = None
    tumble: RolledFall | None = None
    down: CountedRoll[JumpedDown] | None = None
    hull: Hull | None = None


@in_steps(Jump)
class Jumping(MultiRollDeed[Jump, ReadyJump, Jumped]):
    """Across a gap or down a height. Rules: WZ-JUMP-01 to WZ-JUMP-04."""

    label = "Jump"

    def prepare(self, act: ActView, action: Jump) -> ReadyJump:
        model, settings = action.model, settings_for(act)
        if (action.across > 0) == (action.down > 0):
            raise Missing("Enter either the width of the gap or the height of the drop (in inches).")
        with act.overridable():
            if model.has(Condition.PRONE):
                raise Forbidden(f"{model.name} is Prone. Stand up first.", "WZ-PRES-03")
            if find_enemies_in_contact(act.encounter, model):
                raise Forbidden(
                    f"{model.name} is in close combat and has to break away first.", "WZ-BREAK-03"
                )
        is_roll_needed = action.across > 0 and long_jump_needed(model, action.across)
        jump_down_numbers: JumpDown | None = None
        test_modifiers: tuple[Modifier, ...] = ()
        if action.down > 0:
            numbers = prepare_fall(action.down, model.profile.sz, armour(model, settings), settings)
            test_modifiers = ld_modifiers(model, enemy_in_sight=not action.hidden)
            jump_down_numbers = JumpDown(
                ld_limit(model, test_modifiers), numbers, settings.jump_down_damage == "on_fail"
            )
        deed_start = begin(act, model, Deed.MOVE, bearing=action.bearing, hidden=action.hidden)
        return ReadyJump(deed_start, is_roll_needed, jump_down_numbers, test_modifiers)

    def rolls(self, act: Act, action: Jump, ready: ReadyJump) -> Jumped:
        model = ready.begin.model
        if ready.leap is not None:
            return _roll_jump_down(act, model, ready.leap, action.down)
        if not ready.needed:
            return Jumped()
        landing = roll_counted(act, Whose(model.name, "jump", f"across {action.across:g} in"), long_jump)
        for effect in after_long_jump(model, landing.result, action.depth):
            if isinstance(effect, Propose):
                inches = float(dict(effect.details)["inches"])
                return Jumped(landing, roll_fall(act, model, inches))
        return Jumped(landing)

    def done(self, telling: Telling, action: Jump, ready: ReadyJump, result: Jumped) -> None:
        if ready.leap is not None:
            self._report_jump_down(telling, action, ready, ready.leap, result)
        else:
            self._report_long_jump(telling, action, ready, result)

    @staticmethod
    def _report_long_jump(telling: Telling, action: Jump, ready: ReadyJump, result: Jumped) -> None:
        model = ready.begin.model
        landing = result.landing.result if result.landing is not None else Landing.ACROSS
        if landing is Landing.ACROSS:
            telling.lines.append(f"{model.name} lands safely after a jump of {action.across:g} in.")
        else:
            telling.lines.append(f"{model.name} {landing.value}.")
        if result.landing is not None:
            telling.thrown(
                "A long jump ends in a fall on a 19 (at the far edge) or a 20 (at the near edge)",
                throws=result.landing.throws,
            )
        telling.follow(after_move(model))
        for effect in after_long_jump(model, landing, action.depth):
            if not isinstance(effect, Propose):
                telling.follow([effect])
            elif result.tumble is not None:
                carry_out_fall(telling, refresh(telling.act, model), result.tumble)
        _offer_reactions_to_jump(telling, model)

    @staticmethod
    def _report_jump_down(
        telling: Telling, action: Jump, ready: ReadyJump, numbers: JumpDown, result: Jumped
    ) -> None:
        model, jump_down = ready.begin.model, result.down
        assert jump_down is not None, "a jump down is rolled"
        wound_effects, broken_system_lines = _describe_harm(model, jump_down.result, result.hull)
        if jump_down.result.jumped:
            fate_text = fate(model, jump_down.result.wounds)
            telling.lines.append(f"{model.name} jumps down {action.down:g} in: {fate_text}.")
            telling.lines += [
                *broken_system_lines,
                f"Place {model.name} up to {move_value(model):g} in from the edge.",
            ]
        else:
            telling.lines.append(f"{model.name} fails its LD test, doesn't jump and loses the action.")
        if numbers.fall.hits:
            telling.thrown(
                *_list_fall_headings(numbers.fall, numbers, ready.test, model), throws=jump_down.throws
            )
            telling.why += describe_sum("LD", model.profile.ld, ready.test)
        if jump_down.result.jumped:
            telling.follow(after_move(model))
        telling.follow(wound_effects)
        if jump_down.result.jumped:
            _offer_reactions_to_jump(telling, model)

    def chances(self, act: ActView, action: Jump, ready: ReadyJump) -> Chances:
        model, preconditions = ready.begin.model, ready.begin.hurdle
        if ready.leap is None:
            title = f"{model.name} jumps {action.across:g} in"
            odds = act.solve(long_jump) if ready.needed else None
            chances = odds.each() if odds is not None else {Landing.ACROSS: 1.0}
            rows = [(str(end), chances.get(end, 0.0)) for end in Landing]
            solved_odds: tuple[Odds[Any], ...] = (odds,) if odds is not None else ()
            lines = (title, *bars(rows), *preconditions.lines)
            return Chances(
                lines, "across", chances[Landing.ACROSS], solved_odds, not_yet=preconditions.not_yet
            )
        jump_odds = _solve_jump_down(act, model, ready.leap)
        jump_chance = jump_odds.chance(lambda got: got.jumped)
        lines = (
            f"{model.name} jumps down {action.down:g} in",
            *_list_fall_headings(ready.leap.fall, ready.leap, ready.test, model),
            *bars([("jumps", jump_chance)]),
            *build_chance_bars(jump_odds.map(lambda got: got.wounds), name_wounds(model)),
            *preconditions.lines,
        )
        unhurt_chance = jump_odds.chance(lambda got: got.jumped and not got.wounds)
        return Chances(lines, "unhurt", unhurt_chance, (jump_odds,), not_yet=preconditions.not_yet)


def _roll_jump_down(act: Act, model: Model, numbers: JumpDown, height: float) -> Jumped:
    """Roll a jump down. Rules: WZ-JUMP-04."""
    unhurt = " unhurt" if numbers.on_fail else ""
    test_text = f"to jump down {height:g} in{unhurt} ({numbers.limit} or less)"
    thrower_of = find_sufferer_throws(model.name, f"a drop of {height:g} in", test_text)
    if not model.vehicle:
        return Jumped(down=roll_counted(act, thrower_of, jump_down, numbers))
    same_margin = settings_for(act).chain_reroll == "same_margin"
    hull_roll = roll_counted(act, thrower_of, vehicle_jump_down, numbers, hull_of(model), same_margin)
    wounds = model.wounds_left - hull_roll.result.hull.wounds
    return Jumped(
        down=CountedRoll(JumpedDown(hull_roll.result.jumped, wounds), hull_roll.throws),
        hull=hull_roll.result.hull,
    )


def _describe_harm(
    model: Model, outcome: JumpedDown, hull: Hull | None
) -> tuple[Sequence[Effect], list[str]]:
    if hull is None:
        return after_wounds(model, outcome.wounds), []
    return after_hull(model, hull), describe_broken_systems(model, hull)


def _solve_jump_down(act: ActView, model: Model, numbers: JumpDown) -> Odds[JumpedDown]:
    if not model.vehicle:
        return act.solve(jump_down, numbers)
    same_margin = settings_for(act).chain_reroll == "same_margin"
    hull_odds = act.solve(vehicle_jump_down, numbers, hull_of(model), same_margin)
    return hull_odds.map(lambda got: JumpedDown(got.jumped, model.wounds_left - got.hull.wounds))


def _offer_reactions_to_jump(telling: Telling, model: Model) -> None:
    """A jump is a move: enemies on wait may react to who is still there. Rules: WZ-WAIT-02."""
    if not is_out(telling.act, model):
        offer_reactions(telling, refresh(telling.act, model), "move")


def _list_fall_headings(
    numbers: Fall,
    jump: JumpDown | None = None,
    modifiers: tuple[Modifier, ...] = (),
    model: Model | None = None,
) -> list[str]:
    if not numbers.hits:
        return ["The height is within the model's SZ, so the model takes no damage."]
    hits = times(numbers.hits, "hit")
    save_line = f"Save against {hits} at DM {numbers.dm}: {numbers.ar - numbers.dm} or less"
    if jump is None or model is None:
        return [save_line]
    return [
        f"LD test to jump{' unhurt' if jump.on_fail else ''}: {jump.limit} or less "
        f"({format_short_sum('LD', model.profile.ld, modifiers)})",
        save_line,
    ]


# ------------------------------------------------------------------------------------------- falls


@dataclass(frozen=True, slots=True)
class RolledFall:
    """A fall that was rolled. hull: what it leaves of a vehicle."""

    height: float
    numbers: Fall
    wounds: CountedRoll[int]
    hull: Hull | None = None


def roll_fall(act: Act, model: Model, height: float) -> RolledFall:
    """Roll a fall with its saves. Rules: WZ-FALL-01, WZ-FALL-02, WZ-VEH-02."""
    settings = settings_for(act)
    numbers = prepare_fall(height, model.profile.sz, armour(model, settings), settings)
    thrower_of = find_sufferer_throws(model.name, f"a fall of {height:g} in")
    if not model.vehicle:
        return RolledFall(height, numbers, roll_counted(act, thrower_of, fall, numbers))
    same_margin = settings.chain_reroll == "same_margin"
    hull_roll = roll_counted(
        act, thrower_of, hit_vehicle, hull_of(model), numbers.hits, numbers.ar, numbers.dm, same_margin
    )
    wounds = model.wounds_left - hull_roll.result.wounds
    return RolledFall(height, numbers, CountedRoll(wounds, hull_roll.throws), hull_roll.result)


def carry_out_fall(telling: Telling, model: Model, rolled_fall: RolledFall) -> None:
    """Describe a fall and carry it out; a vehicle's systems may break."""
    settings, numbers, wounds = settings_for(telling.act), rolled_fall.numbers, rolled_fall.wounds.result
    broken_system_lines: list[str] = []
    effects: Sequence[Effect] = after_fall(model, numbers, wounds, settings)
    if rolled_fall.hull is not None:
        broken_system_lines = describe_broken_systems(model, rolled_fall.hull)
        effects = (*after_hull(model, rolled_fall.hull), *ends_prone(model, numbers, wounds, settings))
    telling.lines += [
        f"{model.name} falls {rolled_fall.height:g} in: {fate(model, wounds)}.",
        *broken_system_lines,
    ]
    telling.thrown(*_list_fall_headings(numbers), throws=rolled_fall.wounds.throws)
    telling.follow(effects)


def _solve_fall(act: ActView, model: Model, numbers: Fall) -> Odds[int]:
    if not model.vehicle:
        return act.solve(fall, numbers)
    same_margin = settings_for(act).chain_reroll == "same_margin"
    hull_odds = act.solve(hit_vehicle, hull_of(model), numbers.hits, numbers.ar, numbers.dm, same_margin)
    return hull_odds.map(lambda hull: model.wounds_left - hull.wounds)


@dataclass(frozen=True, slots=True)
class ReadyFall:
    """A fall from that height."""

    model: Model
    height: float
    numbers: Fall


@in_steps(FallDown)
class Falling(Rolling[FallDown, ReadyFall, RolledFall]):
    """A fall for whatever reason. Rules: WZ-FALL-01, WZ-FALL-02."""

    label = "Fall"

    def prepare(self, act: ActView, action: FallDown) -> ReadyFall:
        model, settings = action.model, settings_for(act)
        numbers = prepare_fall(action.height, model.profile.sz, armour(model, settings), settings)
        return ReadyFall(model, action.height, numbers)

    def thrown(self, act: Act, action: FallDown, ready: ReadyFall) -> RolledFall:
        return roll_fall(act, ready.model, ready.height)

    def settle(self, act: Act, action: FallDown, ready: ReadyFall, outcome: RolledFall) -> Telling:
        telling = Telling(act)
        carry_out_fall(telling, ready.model, outcome)
        return telling

    def chances(self, act: ActView, action: FallDown, ready: ReadyFall) -> Chances:
        odds = _solve_fall(act, ready.model, ready.numbers)
        lines = [*_list_fall_headings(ready.numbers), *build_chance_bars(odds, name_wounds(ready.model))]
        title = f"{ready.model.name} falls {ready.height:g} in"
        return Chances((title, *lines), "unhurt", odds.chance(lambda wounds: not wounds), (odds,))
