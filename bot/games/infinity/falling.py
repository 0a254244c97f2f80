"""Falls at the table: how deep and how hard, their ARM Rolls, and the fall at the end of a declared Jump."""

from __future__ import annotations

from dataclasses import dataclass

from bot.games.infinity import troops, veils
from bot.games.infinity.common import Telling, again
from bot.games.infinity.orders_row import Order
from bot.games.infinity.outcome import Blow, Tally
from bot.games.infinity.words import state_word, wrapped
from bot.table.act import Act
from bot.table.rolling.throws import Whose
from rules.dice import Dice, Entry, Thrown
from rules.systems.infinity.movement import fall, fall_damage, free_inches, survivable_inches
from rules.systems.infinity.profile import Profile, Skill
from rules.systems.infinity.states import deadly_points
from rules.systems.infinity.trooper import Trooper
from rules.wording import times


@dataclass(frozen=True, slots=True)
class ReadyFall:
    """Who falls how deep, against which Damage, with how many points to lose."""

    one: Trooper
    inches: float
    damage: int
    left: int


def ready_fall(one: Trooper, inches: float) -> ReadyFall:
    """Prepare a fall of so many inches. Rules: INF-SJ-06, INF-SJ-07, INF-SJ-09."""
    return ReadyFall(one, inches, fall_damage(one.current, inches), deadly_points(one) - 1)


def fall_head(ready: ReadyFall) -> tuple[str, str]:
    """Tell how deep a fall is, and which would be deadly. Rules: INF-SJ-11."""
    profile: Profile = ready.one.current
    free = f" ({free_inches(profile)} in are free)" if profile.has(Skill.SUPER_JUMP) else ""
    return (
        f"{profile.name} falls {ready.inches:g} in{free}: damage {ready.damage}.",
        f"ARM {profile.arm}; deadly above {survivable_inches(profile)} in.",
    )


def whose_fall(ready: ReadyFall) -> Whose:
    """Return whose ARM Rolls a fall takes."""
    return Whose(ready.one.current.name, "ARM Roll", f"for a fall of {ready.inches:g} in")


def roll_fall(dice: Dice, ready: ReadyFall) -> int:
    """Roll the ARM Rolls of a fall: points lost. Rules: INF-SJ-08, INF-SJ-11."""
    return fall(dice, ready.damage, ready.one.current.arm, ready.left)


def fall_dice(ready: ReadyFall, trace: list[Entry]) -> list[str]:
    """Tell each die of a fall."""
    faces = [str(entry.waves[0][0]) for entry in trace if isinstance(entry, Thrown)]
    over = f"Over {ready.damage - ready.one.current.arm} saves"
    return wrapped([f"{over}: {faces[0]}", *faces[1:]], "") if faces else []


def fall_result(act: Act, ready: ReadyFall, lost: int) -> str:
    """Tell what a fall did to a trooper, once its wounds are carried through."""
    after = state_word(again(act, ready.one))
    said = f"{times(lost, 'wound')}{f', {after}' if after else ''}" if lost else "unhurt"
    return f"{ready.one.current.name} falls: {said}."


# ------------------------------------------------------------------------------------ after a Jump


def declared_fall(one: Trooper, inches: float, *, marker: bool) -> str:
    """Tell of the fall that ends a Jump, without its Damage where that would tell who a Marker is.

    Rules: INF-SJ-07, INF-SJ-09.
    """
    if not inches:
        return "It lands: no fall."
    damage = fall_damage(one.current, inches)
    hard = "" if marker else f": {f'damage {damage}' if damage else 'no damage'}"
    return f"It falls {inches:g} in at the end{hard}."


def throw_falls(act: Act, telling: Telling, tally: Tally, order: Order) -> list[tuple[ReadyFall, int]]:
    """Throw the ARM Rolls of the falls that the Jumps of an Order end in; a Marker that is hurt shows itself.

    Gives each fall with the points lost; they are carried through with all other wounds of the Order.
    Rules: INF-SJ-07, INF-SJ-08, INF-SJ-09.
    """
    thrown = []
    for inches in order.falls:
        ready = ready_fall(troops.as_shown(act.encounter, order.model), inches)
        if ready.damage and veils.is_marker(act.encounter, order.model):
            row = act.encounter.model(order.model)
            before = row.name
            telling.after.append(f"{before} is {veils.unveil(act.encounter, row.id).name}.")
            ready = ready_fall(troops.by_id(act.encounter, order.model), inches)
        lost = 0
        if ready.damage:
            since = len(act.dice.trace)
            lost = act.roll(whose_fall(ready), roll_fall, ready)
            telling.dice += [fall_head(ready)[0], *fall_dice(ready, act.dice.trace[since:])]
            telling.why += [fall_head(ready)[0], "Fall Damage INF-SJ-07", "Its ARM Rolls INF-SJ-08"]
            tally.blows.setdefault(ready.one.id, Blow(ready.one)).lost += lost
        thrown.append((ready, lost))
    return thrown
