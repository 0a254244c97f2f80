"""Shooting and aiming, terrain as a target, and which range band a distance is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.actions import Action, reference_by_number
from bot.games.warzone.attacks import Attacking, Prepared, ReadyAttack, find_recognition_modifiers
from bot.games.warzone.common import Telling, find_model, offers, settings_for
from bot.games.warzone.fear import build_deed_check
from bot.games.warzone.fields import any_weapon_field, no_enemy_seen_field, target_field, who
from bot.games.warzone.narration import build_chance_bars, describe_sum, find_attack_thrower
from bot.games.warzone.shots import Shoot, Template, build_shot, describe_shot_terms
from bot.games.warzone.state import encounter_state
from bot.games.warzone.steps import DeedStart, DeedWithoutRoll, SingleRollDeed, apply_rule, as_revealed, begin
from bot.games.warzone.units import Carried, weapons_for
from bot.replies.reply import Button, Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.handlers import handles
from bot.table.owners import ANYONE
from bot.table.steps import Chances, in_steps
from bot.table.throw_purposes import Cast
from rules.dice import Dice
from rules.effects import Effect, Propose
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
from rules.systems.warzone.ranged import (
    Shot,
    after_firing,
    aim,
    band_of,
    in_rear_arc,
    prepare_obstacle,
    prepare_shot,
    shot_modifiers,
)
from rules.systems.warzone.settings import Settings
from rules.systems.warzone.tables import Obstacle, obstacles
from rules.wording import times


@dataclass(frozen=True, slots=True)
class Aim(Action):
    """Aim at one target (+3 to hit it).

    It takes an action.
    """

    command = "wz.aim"
    typed = "wz aim"

    firer: Model = who("Model that aims", called="model")
    target: Model = target_field("Target", needed=True)


def build_prepared_shot(shot: Shot, settings: Settings) -> Prepared:
    """Return the attack with its reasons. Raises Forbidden."""
    numbers = prepare_shot(shot, settings)
    return Prepared(
        shot.firer,
        shot.target,
        shot.weapon,
        numbers,
        f"{shot.weapon.name}, {band_of(shot.distance_inches)}",
        "RC",
        shot.firer.profile.rc,
        shot_modifiers(shot, settings),
        shot.from_rear,
    )


@in_steps(Shoot, may=build_deed_check("firer", Deed.SHOOT))
class Shooting(Attacking[Shoot]):
    """One action of shooting at one target. Rules: WZ-RC-01 to WZ-RC-14, WZ-SPOT-06."""

    label = "Shoot"

    def prepare(self, act: ActView, action: Shoot) -> ReadyAttack:
        firer, target = action.firer, action.target
        shot, settings = build_shot(act, action), settings_for(act)

        def rule(shooter: Model, overridden: bool) -> Prepared:
            seen_target = as_revealed(target) if overridden else target
            return build_prepared_shot(replace(shot, firer=shooter, target=seen_target), settings)

        prepared_attack = apply_rule(act, rule, firer)
        deed_start = begin(act, firer, Deed.SHOOT, hidden=action.hidden)
        return ReadyAttack(
            deed_start,
            prepared_attack,
            describe_shot_terms(action.distance, shot),
            find_recognition_modifiers(firer, target),
        )

    def after(self, act: Act, blow: Prepared, *, fumbled: bool) -> Sequence[Effect]:
        return after_firing(blow.attacker, blow.target, settings_for(act), fumbled=fumbled)


@dataclass(frozen=True, slots=True)
class ReadyAim:
    """An aim. effects: its effects."""

    begin: DeedStart
    target: Model
    effects: tuple[Effect, ...]


@in_steps(Aim, may=build_deed_check("firer", Deed.AIM))
class Aiming(DeedWithoutRoll[Aim, ReadyAim]):
    """+3 at one target until the activation ends. Rules: WZ-AIM-01, WZ-AIM-02."""

    def prepare(self, act: ActView, action: Aim) -> ReadyAim:
        firer, target = action.firer, action.target
        if firer.id == target.id:
            raise InvalidInput(f"{firer.name} can't aim at itself. Choose an enemy.")
        if all(weapon.has("close") for weapon in firer.profile.weapons):
            raise InvalidInput(f"Choose another model. {firer.name} has no ranged weapon.")
        effects = apply_rule(
            act, lambda aimer, overridden: aim(aimer, as_revealed(target) if overridden else target), firer
        )
        return ReadyAim(begin(act, firer, Deed.AIM), target, tuple(effects))

    def done(self, telling: Telling, action: Aim, ready: ReadyAim, result: bool) -> None:
        firer, target = ready.begin.model, ready.target
        telling.lines.append(f"{firer.name} aims at {target.name} and gets +3 to hit it.")
        telling.follow(ready.effects)
        if settings_for(telling.act).aim_duration == "activation":
            telling.next.append("The bonus lasts until the activation ends.")
        if weapons_for(firer, close=False):
            telling.more = (Button("Shoot...", Shoot(firer, target), "main", asks=True),)


@offers("shoot")
def _offer_shot(act: Act, proposal: Propose) -> Button:
    return build_fire_button(find_model(act, proposal.model), int(dict(proposal.details)["target"]))


def build_fire_button(firer: Model, target: int) -> Button:
    """Return the button for an immediate shot, with a template if it has no other weapon."""
    only_templates = weapons_for(firer, close=False, template=True) and not weapons_for(firer, close=False)
    action = (Template if only_templates else Shoot)(firer, reference_by_number(target))
    return Button(f"{firer.name} fires...", action, "main", anytime=True, asks=True)


def _list_obstacles(context: Asking) -> Sequence[Obstacle]:
    return list(obstacles().values())


@dataclass(frozen=True, slots=True)
class AttackTerrain(Action):
    """Attack a piece of terrain, or see the odds.

    piece: its number among those of its kind; hidden: no enemy in sight.
    """

    command = "wz.terrain"
    typed = "wz terrain"
    titled = "Attack terrain"

    attacker: Model = who(called="model")
    kind: Obstacle = fields.among(
        "Kind of terrain", _list_obstacles, lambda kind: kind.name, what="kind of terrain", needed=True
    )
    weapon: Carried = any_weapon_field("attacker")
    piece: int = fields.whole("Which piece of this kind (1, 2, 3...)", 1, 20, default=1, checked=True)
    hidden: bool = no_enemy_seen_field()
    odds: bool = fields.odds("Show only the odds")

    by_hand: tuple[str, ...] = fields.by_hand()


@dataclass(frozen=True, slots=True)
class ReadyTerrainAttack:
    """A piece of terrain under attack; left: wounds until it is destroyed."""

    begin: DeedStart
    weapon: Weapon
    kind: Obstacle
    name: str
    left: int
    key: str
    numbers: Attack

    @property
    def attacker(self) -> Model:
        """Return the attacker."""
        return self.begin.model


@in_steps(AttackTerrain)
class AttackingTerrain(SingleRollDeed[AttackTerrain, ReadyTerrainAttack, AttackResult]):
    """It is hit automatically and saves like a model; its wounds are kept.

    Rules: WZ-TERRAIN-01 to WZ-TERRAIN-03.
    """

    label = "Attack"

    def prepare(self, act: ActView, action: AttackTerrain) -> ReadyTerrainAttack:
        attacker, kind, weapon = action.attacker, action.kind, action.weapon.weapon
        key = f"{kind.key}.{action.piece}"
        wounds_left = kind.wd - encounter_state(act.encounter).terrain_wounds[key]
        name = kind.name if action.piece == 1 else f"{kind.name} {action.piece}"
        if wounds_left < 1:
            raise InvalidInput(f"Choose another piece. This one is already destroyed: {name}.")
        deed = Deed.FIGHT if weapon.has("close") else Deed.SHOOT
        numbers = prepare_obstacle(weapon, attacker, kind, settings_for(act))
        deed_start = begin(act, attacker, deed, hidden=action.hidden)
        return ReadyTerrainAttack(deed_start, weapon, kind, name, wounds_left, key, numbers)

    def thrower(self, action: AttackTerrain, ready: ReadyTerrainAttack) -> Cast:
        return find_attack_thrower(ready.attacker.name, ready.name, ready.weapon.name)

    def throw(self, dice: Dice, ready: ReadyTerrainAttack) -> AttackResult:
        return attack(dice, ready.numbers)

    def done(
        self, telling: Telling, action: AttackTerrain, ready: ReadyTerrainAttack, result: AttackResult
    ) -> None:
        act, kind, wounds_left, settings = telling.act, ready.kind, ready.left, settings_for(telling.act)
        wounds_taken = min(wounds_left, obstacle_wounds(result.wounds, ready.weapon, kind, settings))
        encounter_state(act.encounter).terrain_wounds[ready.key] += wounds_taken
        condition = (
            ", destroyed"
            if wounds_taken == wounds_left
            else f" ({wounds_left - wounds_taken} of {kind.wd} left)"
        )
        result_text = f"{times(wounds_taken, 'wound')}{condition}" if wounds_taken else "no wound"
        telling.lines.append(f"{ready.name}: {result_text}.")
        telling.thrown(format_save(ready.numbers))
        telling.why += _explain_terrain_damage(ready, settings)
        if blocks_shots(kind, settings) and wounds_taken < wounds_left:
            telling.next.append(f"Models can't shoot across {ready.name}.")

    def chances(self, act: ActView, action: AttackTerrain, ready: ReadyTerrainAttack) -> Chances:
        settings, wounds_left = settings_for(act), ready.left
        odds = act.solve(self.throw, ready).map(
            lambda hit: min(wounds_left, obstacle_wounds(hit.wounds, ready.weapon, ready.kind, settings))
        )
        names = [
            "no wound",
            *(times(n, "wound") for n in range(1, wounds_left)),
            f"destroyed ({times(wounds_left, 'wound')})",
        ]
        heading_lines = (f"{ready.attacker.name} -> {ready.name}", format_save(ready.numbers))
        lines = (*heading_lines, *build_chance_bars(odds, names), *ready.begin.hurdle.lines)
        destroyed_chance = odds.chance(lambda taken: taken == wounds_left)
        return Chances(lines, "destroyed", destroyed_chance, (odds,), not_yet=ready.begin.hurdle.not_yet)


def format_save(numbers: Attack) -> str:
    """Return what a save needs."""
    return f"Save: {numbers.ar - numbers.dm} or less (AR {numbers.ar} - DM {numbers.dm})"


def _explain_terrain_damage(piece: ReadyTerrainAttack, settings: Settings) -> list[str]:
    parts = damage_modifiers(piece.weapon, piece.attacker, None, settings)
    listed_types = sorted(set(piece.weapon.types) & set(piece.kind.types))
    wounds_text = times(settings.terrain_extra_damage, "wound")
    types_text = " and ".join(listed_types)
    extra_wounds_line = f"Each failed save against a {types_text} hit causes {wounds_text}. WZ-TERRAIN-02"
    extra_lines = [extra_wounds_line] if listed_types else []
    return [*describe_sum("DM", piece.weapon.dm, parts), *extra_lines]


@dataclass(frozen=True, slots=True)
class Band(Action):
    """Check a range band, and whether a shot hits a vehicle's rear.

    bearing: from which a vehicle is seen.
    """

    command = "wz.band"
    typed = "wz check band"
    titled = "Check a range band"
    decision_of = ANYONE

    distance: float = fields.inches("Distance (inches)", 0.0, 200.0, default=0.0, needed=True)
    bearing: int = fields.whole("Angle from the front of a vehicle (degrees)", 0, 360, default=-1)


@handles(Band)
def band(act: Act, action: Band) -> Reply:
    """Show the range band. Rules: WZ-RANGE-01, WZ-VEH-01."""
    range_band = band_of(action.distance)
    band_text = "is base contact" if range_band == "CC" else f"belongs to range band {range_band}"
    lines = [f"A distance of {action.distance:g} in {band_text}."]
    if action.bearing >= 0:
        is_rear = in_rear_arc(action.bearing, settings_for(act))
        lines.append(
            f"{action.bearing} degrees from the front is {'' if is_rear else 'not '}in the rear arc."
        )
    return Reply(tuple(lines), private=True)
