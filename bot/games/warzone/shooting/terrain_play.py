"""Terrain as a target: hit without a roll, saved for like a model, its wounds kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.actions import Action
from bot.games.warzone.core.common import settings
from bot.games.warzone.core.fields import any_weapon, no_enemy_seen, who
from bot.games.warzone.core.telling import Telling
from bot.games.warzone.core.throwers import at
from bot.games.warzone.core.undertaking import Begin, Doing, begin
from bot.games.warzone.core.units import Carried
from bot.games.warzone.core.words import chance_lines, sum_lines
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.encounter import set_counter
from bot.table.rolling.throws import Cast
from bot.table.steps import Chances, in_steps
from rules.counters import CounterName, PerWord
from rules.dice import Dice
from rules.refusals import InvalidInput
from rules.systems.warzone.attacks import (
    Attack,
    AttackResult,
    attack,
    blocks_shots,
    damage_modifiers,
    obstacle_wounds,
)
from rules.systems.warzone.model import Model
from rules.systems.warzone.morale import Act as Deed
from rules.systems.warzone.profile import Weapon
from rules.systems.warzone.ranged import prepare_obstacle
from rules.systems.warzone.settings import Settings
from rules.systems.warzone.tables import Obstacle, obstacles
from rules.wording import times

TERRAIN = PerWord("terrain.")
"""Counters of the encounter: wounds taken by a piece of terrain, by its kind and number."""


def _obstacles(asking: Asking) -> Sequence[Obstacle]:
    return list(obstacles().values())


@dataclass(frozen=True, slots=True)
class AttackTerrain(Action):
    """Attack a piece of terrain.

    piece: its number among those of its kind; hidden: no enemy in sight.
    """

    command = "wz.terrain"
    typed = "wz terrain"
    titled = "Attack terrain"

    attacker: Model = who(called="model")
    kind: Obstacle = fields.among(
        "What it is", _obstacles, lambda kind: kind.name, what="kind of terrain", needed=True
    )
    weapon: Carried = any_weapon("attacker")
    piece: int = fields.whole("Its number among those of its kind", 1, 20, default=1, checked=True)
    hidden: bool = no_enemy_seen()
    odds: bool = fields.odds("Only the chances")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of terrain under attack; left: wounds until it is destroyed."""

    begin: Begin
    weapon: Weapon
    kind: Obstacle
    name: str
    left: int
    key: CounterName
    numbers: Attack

    @property
    def attacker(self) -> Model:
        """Who attacks it."""
        return self.begin.model


@in_steps(AttackTerrain)
class Wrecking(Doing[AttackTerrain, Piece, AttackResult]):
    """It is hit automatically and saves like a model; its wounds are kept.

    Rules: WZ-TERRAIN-01 to WZ-TERRAIN-03.
    """

    label = "Attack"

    def prepare(self, act: Act, action: AttackTerrain) -> Piece:
        """A piece that still stands, and a weapon for it."""
        attacker, kind, weapon = action.attacker, action.kind, action.weapon.weapon
        key = TERRAIN.of(f"{kind.key}.{action.piece}")
        left = kind.wd - act.encounter.count(key)
        name = kind.name if action.piece == 1 else f"{kind.name} {action.piece}"
        if left < 1:
            raise InvalidInput(f"{name} is destroyed. Another one of its kind: piece 2 and on.")
        deed = Deed.FIGHT if weapon.has("close") else Deed.SHOOT
        numbers = prepare_obstacle(weapon, attacker, kind, settings(act))
        begun = begin(act, attacker, deed, hidden=action.hidden)
        return Piece(begun, weapon, kind, name, left, key, numbers)

    def thrower(self, action: AttackTerrain, ready: Piece) -> Cast:
        """The attacker's weapon, the terrain's armour."""
        return at(ready.attacker.name, ready.name, ready.weapon.name)

    def throw(self, dice: Dice, ready: Piece) -> AttackResult:
        """The saves."""
        return attack(dice, ready.numbers)

    def done(self, telling: Telling, action: AttackTerrain, ready: Piece, result: AttackResult) -> None:
        """Its wounds."""
        act, kind, left, chosen = telling.act, ready.kind, ready.left, settings(telling.act)
        taken = min(left, obstacle_wounds(result.wounds, ready.weapon, kind, chosen))
        set_counter(act.encounter.row.counters, ready.key, taken, add=True)
        now = "destroyed" if taken == left else f"{kind.wd - left + taken}/{kind.wd}"
        lost = f"{times(taken, 'wound')}, {now}" if taken else "no wound"
        telling.lines.append(f"{ready.name}: {lost}.")
        telling.thrown(save_line(ready.numbers))
        telling.why += _why_terrain(ready, chosen)
        if blocks_shots(kind, chosen):
            telling.next.append("Nobody fires across it.")

    def chances(self, act: Act, action: AttackTerrain, ready: Piece) -> Chances:
        """Its wounds, up to the last."""
        chosen, left = settings(act), ready.left
        odds = act.solve(self.throw, ready).map(
            lambda done: min(left, obstacle_wounds(done.wounds, ready.weapon, ready.kind, chosen))
        )
        names = ["no wound", *(times(n, "wound") for n in range(1, left)), f"destroyed ({left})"]
        head = (f"{ready.attacker.name} -> {ready.name}", save_line(ready.numbers))
        lines = (*head, *chance_lines(odds, names), *ready.begin.hurdle.lines)
        gone = odds.chance(lambda taken: taken == left)
        return Chances(lines, "destroyed", gone, (odds,), not_yet=ready.begin.hurdle.not_yet)


def save_line(numbers: Attack) -> str:
    """What a save needs."""
    return f"Save: {numbers.ar - numbers.dm} or less (AR {numbers.ar} - DM {numbers.dm})"


def _why_terrain(piece: Piece, chosen: Settings) -> list[str]:
    parts = damage_modifiers(piece.weapon, piece.attacker, None, chosen)
    listed = sorted(set(piece.weapon.types) & set(piece.kind.types))
    more = [f"{', '.join(listed)}: {chosen.terrain_extra_damage} wounds each WZ-TERRAIN-02"] if listed else []
    return [*sum_lines("DM", piece.weapon.dm, parts), *more]
