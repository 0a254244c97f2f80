"""Structures as targets: walls, doors and bulkheads with a Defense and a Life.

A structure is not a model: it never acts, has no token in the bag, scores nothing and cannot panic. It is
kept as counters of the encounter, `structure:<name>:kind` and `structure:<name>:damage`, and stands before
the rules of attacks as a target without shields that does not fight back. Rules: CB-TERR-13.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action, reference_by_name
from bot.games.counterblast.core.common import again, carry_through, settings
from bot.games.counterblast.core.fields import carried, first_firearm, order, who
from bot.games.counterblast.core.narration import Finishing, Telling, due, finish, wound_chances
from bot.games.counterblast.core.wording import at, dice_words, why_check
from bot.games.counterblast.ground.places import any_structure, wall, wall_kind
from bot.games.counterblast.state.ground import STRUCTURE, Standing, kinds, structure_names
from bot.games.counterblast.state.table_state import EncounterState
from bot.replies.reply import Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.encounter import Encounter, set_counter
from bot.table.handlers import handles
from bot.table.names import check_name, find_free_name, format_names
from bot.table.owners import PLAYER
from bot.table.steps import Chances, in_steps
from bot.table.throw_purposes import Cast
from rules.dice import Dice
from rules.effects import Effect
from rules.refusals import InvalidInput, Missing, forbid
from rules.systems.counterblast.core.checks import PreparedCheck
from rules.systems.counterblast.core.conditions import end_attacker_conditions
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.impacts import Suffered
from rules.systems.counterblast.core.profile import ChartRow, Weapon
from rules.systems.counterblast.melee.bouts import Blow, Bout, Melee, fight, fight_wounds
from rules.systems.counterblast.melee.fighting import prepare_melee
from rules.systems.counterblast.shooting.shooting import Mark, Volley, prepare_volley
from rules.systems.counterblast.shooting.shots import Shot, shot, shot_wounds
from rules.wording import times

MAX_STRUCTURES = 20
MAX_NAME_LENGTH = 16


@dataclass(frozen=True, slots=True)
class AddStructure(Action):
    """Add a wall or door.

    kind: what it is, as the chart names it. drop: typed, to take it off the table.
    """

    command = "cb.structure"
    typed = "cb field wall"
    titled = "Add a wall or door"
    waits_for_dice = True
    said_first = ("kind", "name", "drop")
    decision_of = PLAYER

    name: str = fields.words("Structure", any_structure)
    kind: ChartRow | None = wall_kind("Kind of structure")
    drop: bool = fields.switch("Remove the structure")

    def as_typed_action(self) -> Action:
        return DropStructure(reference_by_name(self.name)) if self.drop else self


@dataclass(frozen=True, slots=True)
class DropStructure(Action):
    """Remove a structure from the table."""

    command = "cb.structure.drop"
    waits_for_dice = True
    decision_of = PLAYER

    name: Standing = wall("Structure", needed=True)


@dataclass(frozen=True, slots=True)
class Breach(Action):
    """Attack a wall or door.

    distance 0: in base contact, with a melee weapon; otherwise a shot.
    """

    command = "cb.breach"
    typed = "cb field breach"
    titled = "Attack a wall or door"

    attacker: Fighter = who(called="model")
    structure: Standing = wall("Structure", called="wall", needed=True)
    distance: float = fields.inches(
        "Distance (inches, 0 if in contact)", 0.0, 200.0, default=0.0, checked=True, fact=True
    )
    weapon: Weapon | None = carried("attacker", "Weapon")
    order: bool = order()
    odds: bool = fields.odds()


@handles(AddStructure)
def add_structure(act: Act, action: AddStructure) -> Reply:
    """Add a structure, whose Defense and Life come from the chart."""
    encounter = act.encounter
    names = structure_names(encounter)
    if len(names) >= MAX_STRUCTURES:
        raise InvalidInput(
            f"Remove a structure first. The table can have at most {MAX_STRUCTURES} structures."
        )
    kind = action.kind
    if kind is None:
        raise Missing(f"Choose the kind of structure: {format_names([row.name for row in kinds()])}.")
    name = check_name(action.name or kind.name.split(",")[0], "structure")
    if len(name) > MAX_NAME_LENGTH:
        raise InvalidInput(
            f"Shorten the name. A structure's name can have at most {MAX_NAME_LENGTH} characters."
        )
    name = find_free_name(name, names)
    set_counter(encounter.row.counters, STRUCTURE.of(name, "kind"), kinds().index(kind) + 1)
    return finish(
        act, Telling([f"{name} is on the table: Def {kind.value('target')}, Life {kind.value('life')}."])
    )


@handles(DropStructure)
def drop_structure(act: Act, action: DropStructure) -> Reply:
    """Remove a structure by hand."""
    _remove(act.encounter, action.name.name)
    return finish(act, Telling([f"{action.name.name} is removed from the table."]))


def _remove(encounter: Encounter, name: str) -> None:
    STRUCTURE.forget(encounter.row.counters, name)


# ------------------------------------------------------------------------------------------- the attack


@dataclass(frozen=True, slots=True)
class Assault:
    """An attack on a structure ready to be rolled: a shot, or a blow without defence."""

    weapon: Weapon
    parts: tuple[PreparedCheck, ...]
    shot: Shot | None = None
    bout: Bout | None = None

    @property
    def ability(self) -> str:
        """Return what is rolled."""
        return "AGL" if self.shot else "STR"


def prepare_breach(act: ActView, action: Breach) -> Assault:
    """Return the dice of the attack, by the rules of shooting or of fighting."""
    attacker, target, rules = action.attacker, action.structure.as_target(), settings(act)
    counters = act.encounter.row.counters
    dark = bool(counters.get(EncounterState.dark.key))
    if action.distance:
        weapon = action.weapon or first_firearm(attacker)
        volley = Volley(
            attacker,
            (Mark(target, weapon, action.distance),),
            dark=dark,
            vacuum=bool(counters.get(EncounterState.vacuum.key)),
            underwater=bool(counters.get(EncounterState.underwater.key)),
            order_token=action.order,
        )
        ready = prepare_volley(volley, rules).shots[0]
        return Assault(weapon, ready.parts, shot=ready.shot)
    melee = Melee(
        (Blow(attacker, target, action.weapon, defence=0),),
        dark=dark,
        orders=frozenset({attacker.id} if action.order else ()),
        must_be_engaged=False,
    )
    blow = prepare_melee(melee, rules).blows[0]
    return Assault(blow.weapon, (blow.attack,), bout=blow.bout)


@dataclass(frozen=True, slots=True)
class ReadyBreach:
    """An attack on a structure that may be made, and what it costs."""

    attacker: Fighter
    standing: Standing
    assault: Assault
    due: tuple[Effect, ...]

    @property
    def dice(self) -> str:
        """Return what is rolled, in words."""
        return f"{dice_words(self.assault.parts[0], self.assault.ability)}, {self.assault.weapon.name}"


@in_steps(Breach)
class Breaching(Finishing[Breach, ReadyBreach, Suffered]):
    """The hits become wounds of the structure; where its Life is used up it gives way."""

    label = "Attack"

    def prepare(self, act: ActView, action: Breach) -> ReadyBreach:
        attacker = action.attacker
        if attacker.is_engaged:
            forbid(f"{attacker.name} is engaged, so it can only Fight or Disengage.", "CB-ACT-10")
        assault = prepare_breach(act, action)
        costs = due(act, attacker, "shoot" if action.distance else "fight", order=action.order)
        return ReadyBreach(attacker, action.structure, assault, costs)

    def whose(self, action: Breach, ready: ReadyBreach) -> Cast:
        return at(ready.attacker.name, ready.standing.name)

    def rule(self, dice: Dice, ready: ReadyBreach) -> Suffered:
        return _roll_assault(dice, ready.assault)

    def settle(self, act: Act, action: Breach, ready: ReadyBreach, outcome: Suffered) -> Telling:
        carry_through(act, ready.due)
        attacker, structure = ready.attacker, ready.standing
        reasons = why_check(ready.assault.parts[0], f"{attacker.name} at {structure.name}")
        telling = Telling(why=reasons, dice=[ready.dice])
        _apply_damage(act, telling, attacker, structure, outcome)
        telling.follow(act, end_attacker_conditions(again(act, attacker)))
        return telling

    def chances(self, act: ActView, action: Breach, ready: ReadyBreach) -> Chances:
        structure = ready.standing
        odds = act.solve(_wounds, ready.assault)
        life_left = structure.life - structure.damage
        headline = f"{ready.attacker.name} -> {structure.name}"
        return wound_chances(structure.as_target(), odds, headline, ready.dice, last="breaks", left=life_left)


def _roll_assault(dice: Dice, assault: Assault) -> Suffered:
    if assault.shot is not None:
        return shot(dice, assault.shot).suffered
    assert assault.bout is not None, "a shot or a blow"
    return fight(dice, assault.bout)


def _wounds(dice: Dice, assault: Assault) -> int:
    if assault.shot is not None:
        return shot_wounds(dice, assault.shot)
    assert assault.bout is not None, "a shot or a blow"
    return fight_wounds(dice, assault.bout)


def _apply_damage(
    act: Act, telling: Telling, attacker: Fighter, structure: Standing, suffered: Suffered
) -> None:
    if not suffered.through:
        telling.lines.append(f"{attacker.name} doesn't damage {structure.name}.")
        return
    damage = structure.damage + suffered.through
    set_counter(act.encounter.row.counters, STRUCTURE.of(structure.name, "damage"), damage)
    hit_text = f"{attacker.name} hits {structure.name}: {times(suffered.through, 'wound')}"
    if damage < structure.life:
        telling.lines.append(f"{hit_text}, {structure.life - damage} Life left.")
        return
    telling.lines += [f"{hit_text}.", f"{structure.name} breaks."]
    _remove(act.encounter, structure.name)
