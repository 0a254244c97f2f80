"""Charges: their declaration, and contact at their end."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, cast

from bot.actions import Action, Raw, declared, number_of, raw_of, reference_by_number
from bot.games.counterblast.core import common
from bot.games.counterblast.core.common import again, carry_through, find_fighter, find_own_fighter, settings
from bot.games.counterblast.core.contact import join_names, mark_engaged
from bot.games.counterblast.core.fields import (
    UNNAMED_WEAPON,
    carried_melee_weapon,
    foe,
    get_named_weapon,
    melee_number,
    order,
    read_melee_weapon,
    who,
)
from bot.games.counterblast.core.narration import Telling
from bot.games.counterblast.core.wording import dice_words, trace_lines, why_check
from bot.games.counterblast.melee.answers import ask_or_fight
from bot.games.counterblast.melee.melees import Melee, Pairing, choose_weapons, flatten_pairings
from bot.games.counterblast.movement.moves import (
    apart,
    barriers_of,
    close_in,
    dangers_of,
    impassable_switch,
    meets_ground,
    ratings_of,
    touched,
)
from bot.games.counterblast.state.ground import Ground
from bot.games.counterblast.state.models import complete_next_name, fighter, fighters
from bot.games.counterblast.state.sight import forget_sightings
from bot.games.counterblast.vehicles.collisions import roll_charge_collision
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.table.act import Act, ActView
from bot.table.answering import Answered
from bot.table.asking import fields, measuring
from bot.table.asking.kinds import Asking, Numbers, TableKind
from bot.table.asking.table_kinds import split
from bot.table.board import facts
from bot.table.board.facts import Fact
from bot.table.board.routes import BoardPath, into_contact, straight_on
from bot.table.encounter import EncounterView
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.owners import in_play
from bot.table.throw_purposes import Whose
from rules.refusals import InvalidInput, forbid
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.melee.engagement import (
    after_fear,
    fear,
    may_step_in,
    prepare_fear,
    scares,
)
from rules.wording import possessive

NOBODY = "nobody"

MAX_CHARGERS = 6
CHARGERS_HINT = (
    "Enter the other chargers with their distances (inches), like this: `Skip at 5, HOpR at 7 with Sword`"
)
_CHARGER_PATTERN = re.compile(
    r"^(.+?)\s+at\s+(\d{1,3}(?:\.\d+)?)(?:\s*in)?(?:\s+with\s+(.+))?$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class OtherCharger:
    """One who charges too. inches: they contain what the ground costs. weapon: its number, or FIRST."""

    model: Fighter
    inches: float
    weapon: int = UNNAMED_WEAPON

    @property
    def numbers(self) -> tuple[int, int, int]:
        """Return the model, tenths of an inch, the weapon."""
        return self.model.id, round(self.inches * 10), self.weapon


def _build_charger(context: Asking, name: str, inches: float, weapon: str) -> OtherCharger:
    """One who charges too, played by who asks. Raises InvalidInput, NotAllowed, Forbidden."""
    act = context.act
    model = find_fighter(act, name) if act.action.looks or context.kept else find_own_fighter(act, name)
    return OtherCharger(model, inches, read_melee_weapon(model, weapon, settings(act)))


def _read_chargers(context: Asking, text: str) -> tuple[OtherCharger, ...]:
    """Read other chargers, as in: Skip at 5, HOpR at 7 with Sword. Raises InvalidInput. Rules: CB-ACT-08."""
    chargers = []
    for part in filter(None, (part.strip() for part in re.split(r"[,;\n]", text))):
        match = _CHARGER_PATTERN.match(part)
        if match is None:
            raise InvalidInput(f"{CHARGERS_HINT}.")
        chargers.append(_build_charger(context, match[1], float(match[2]), match[3] or ""))
    return tuple(chargers)


def _write_chargers(chargers: Iterable[OtherCharger]) -> str:
    return ", ".join(
        f"#{charger.model.id} at {charger.inches:g}" + (f" with @{charger.weapon}" if charger.weapon else "")
        for charger in chargers
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Chargers(TableKind):
    """The kind of other chargers, as three numbers each."""

    any_order: int = 1

    def rank(self, thing: Any) -> Any:
        return None if isinstance(thing, int) else super(Chargers, self).rank(thing)

    def write(self, thing: Any) -> Raw:
        return tuple(
            number for part in thing or () for number in ((part,) if isinstance(part, int) else part.numbers)
        )

    def read(self, raw: Raw, context: Asking) -> tuple[OtherCharger, ...]:
        """Return each of them. Raises InvalidInput, NotAllowed."""
        numbers = cast("tuple[int, ...]", raw)
        if len(numbers) % 3:
            raise InvalidInput(f"{CHARGERS_HINT}.")
        triples = zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True)
        return tuple(
            _build_charger(context, reference_by_number(model), tenths / 10, f"@{arm}" if arm else "")
            for model, tenths, arm in triples
        )


def _ids_and_weapons(threes: Raw) -> Raw:
    numbers = cast("tuple[int, ...]", threes)
    return tuple(number for place, number in enumerate(numbers) if place % 3 != 1)


@dataclass(frozen=True, slots=True)
class Helpers:
    """Models that step in, as entered beforehand. asked: no one was entered, and the player is asked."""

    models: tuple[Fighter, ...] = ()
    asked: bool = False


ASKED = Helpers(asked=True)


def _read_helpers(context: Asking, text: str) -> Helpers:
    if text == "?" and context.kept:
        return ASKED
    if text.casefold() in (NOBODY, "none"):
        return Helpers()
    return Helpers(tuple(find_fighter(context.act, name) for name in split(text)))


def _write_helpers(helpers: Helpers) -> str:
    if helpers.asked:
        return "?"
    return ",".join(reference_by_number(model.id) for model in helpers.models) or NOBODY


def _measure_on_charge(measure: Callable[[EncounterView, BoardPath], Fact]) -> measuring.Measures:
    """Return what the straight way of a charge tells of the ground."""
    return measuring.approached("charger", "target", measure)


@dataclass(frozen=True, slots=True)
class Charge(Action):
    """Charge into contact and attack.

    inches: along the way. rugged: ratings of the Rugged ground touched; ground: dangerous places and hazards
    touched; typed, the ratings stand among them. helpers: None: ask. also: who of the group charges too.
    more: the same as it is kept.
    """

    command = "cb.charge"
    typed = "cb charge"
    said_first = (
        *("charger", "target", "inches", "weapon", "terrain", "gap", "helpers", "ground", "burrow"),
        *("impassable", "also", "order", "odds"),
    )
    facts = frozenset({"rugged"})

    charger: Fighter = who("Model", called="model")
    target: Fighter = foe("Model you charge", needed=True)
    inches: float = fields.inches(
        "Distance (inches)",
        default=0.0,
        needed=True,
        fact=True,
        called="distance",
        measures=measuring.distance("charger", "target"),
    )
    weapon: Weapon | None = carried_melee_weapon("charger", "Weapon (default: the best)", alone=True)
    terrain: float = fields.inches(
        "Movement spent on barriers (inches)",
        default=0.0,
        fact=True,
        measures=_measure_on_charge(lambda _, walk: barriers_of(walk)),
    )
    gap: float = fields.inches("Final gap when using Reach (inches)", default=0.0, checked=True, fact=True)
    order: bool = order()
    helpers: Helpers | None = fields.sought(
        'Models that step in, or "nobody"', complete_next_name, _read_helpers, written=_write_helpers
    )
    odds: bool = fields.odds()
    rugged: tuple[int, ...] = declared(
        Numbers(
            wire=tuple[int, ...], any_order=1, measures=_measure_on_charge(lambda _, walk: ratings_of(walk))
        ),
        (),
    )
    burrow: bool = fields.switch("Charge underground")
    ground: tuple[Ground, ...] = touched(measures=_measure_on_charge(dangers_of))
    impassable: bool = impassable_switch()
    also: tuple[OtherCharger, ...] = fields.sought(
        'Other chargers (inches): "Skip at 5, HOpR at 7"',
        complete_next_name,
        _read_chargers,
        written=_write_chargers,
        default=lambda asking: (),
    )
    more: tuple[OtherCharger, ...] = declared(Chargers(wire=tuple[int, ...], decides=_ids_and_weapons), ())
    by_hand: tuple[str, ...] = fields.by_hand()

    def as_typed_action(self) -> Charge:
        return apart(self)

    @property
    def each(self) -> tuple[Charge, ...]:
        """Return every model's own charge, in the order declared; `join_charges` is the way back."""
        first = replace(self, more=(), also=())
        base_charge = replace(first, terrain=0.0, rugged=(), ground=(), gap=0.0, order=False)
        base_charge = replace(base_charge, burrow=False, impassable=False, by_hand=())
        others = [
            replace(
                base_charge,
                charger=other.model,
                inches=other.inches,
                weapon=get_named_weapon(other.model, other.weapon),
            )
            for other in self.others
        ]
        return (first, *others)

    @property
    def others(self) -> tuple[OtherCharger, ...]:
        """Return the other chargers."""
        return (*self.more, *self.also)

    @property
    def is_asked(self) -> bool:
        """Return whether it has arrived, and is asked who steps in."""
        return self.helpers is not None and self.helpers.asked

    def without(self, charger: int) -> Charge | None:
        """Return the charge of the others if one of them comes no farther, or None if no one is left."""
        remaining = [charge for charge in self.each if charge.charger.id != charger]
        return join_charges(remaining) if remaining else None

    @property
    def involved(self) -> tuple[int, ...]:
        """Return charger and target."""
        return (number_of(self.charger), number_of(self.target))

    @property
    def attackers(self) -> tuple[int, ...]:
        """Return all chargers."""
        return (number_of(self.charger), *cast("tuple[int, ...]", raw_of(self).get("more", ()))[::3])


def build_charge_melee(act: ActView, action: Charge) -> Melee:
    """Return the melee that the charge leads to, of all who charge together."""
    pairings, orders = [], []
    for charge in action.each:
        arm = melee_number(charge.charger, charge.weapon)
        pairings.append(Pairing(charge.charger.id, charge.target.id, 0, arm, round(charge.gap * 10)))
        orders += [charge.charger.id] if charge.order else []
    return choose_weapons(act, Melee("charge", flatten_pairings(pairings), tuple(orders)))


def join_charges(charges: Iterable[Charge]) -> Charge:
    """Return charges of single models as one; the first leads."""
    first, *others = charges
    extra = (
        OtherCharger(other.charger, other.inches, melee_number(other.charger, other.weapon))
        for other in others
    )
    return replace(first, more=tuple(extra), also=())


def in_number_order(action: Charge) -> Charge:
    """Return the same charge in the order of model numbers.

    Fields that only the first may enter for its own way keep it first.
    """
    first, *others = action.each
    details = (
        first.terrain,
        first.rugged,
        first.ground,
        first.gap,
        first.order,
        first.burrow,
        first.impassable,
    )
    if not others or any(details):
        return action
    return join_charges(sorted((first, *others), key=lambda one: one.charger.id))


def require_waiting_charge(act: ActView, row: int) -> tuple[Charge, Fighter, Fighter]:
    """Return the waiting charge for a person who may answer for its target."""
    waiting_charge = common.get_waiting_action(act, row, Charge)
    able_charges = [charge for charge in waiting_charge.each if not charge.charger.is_incapacitated]
    if not able_charges:
        raise Answered(
            f"{waiting_charge.charger.name} is down, so the charge is already over. Nothing was changed."
        )
    waiting_charge = (
        join_charges(able_charges) if len(able_charges) < len(waiting_charge.each) else waiting_charge
    )
    return waiting_charge, waiting_charge.charger, waiting_charge.target


STEP_IN_BASE = 1_000_000
"""In a menu of who steps in a choice is the helper's number, plus this times the place of the charger."""


@dataclass(frozen=True, slots=True)
class StepIn(Action):
    """Let friends of the target within 1 in step into contact with a charger, or no one.

    models: their numbers, each plus BESIDE times the place of the charger that it steps up to.
    """

    command = "cb.step-in"
    decision_of = in_play("the side being charged")

    row: int = 0
    models: tuple[int, ...] = fields.unordered()


Helper = tuple[Fighter, int, Fighter]
"""A model that may step in, the place of a charger among those who charge, and that charger."""


def helpers_menu(charge_row: int, possible_helpers: list[Helper]) -> Menu:
    """Ask who steps in, of those who may; number: the charge that waits. Rules: CB-CHARGE-05."""
    chargers = {charger.id: charger for _, _, charger in possible_helpers}
    single = len(chargers) == 1
    choices = tuple(
        Choice(
            helper.name if single else f"{helper.name} to {charger.name}",
            str(helper.id + STEP_IN_BASE * place),
        )
        for helper, place, charger in possible_helpers
    )
    charger_name = next(iter(chargers.values())).name if single else "a charging model"
    prompt = f"Which models within 1 in of {charger_name} step in?"
    return Menu(prompt, StepIn(charge_row), "models", choices, 1, len(choices), anytime=True)


def arrive(act: Act, telling: Telling, declared: Charge) -> Reply:
    """Bring the bases into contact: fear, then helpers are asked for, or the blows fall.

    Who does not come so far leaves the charges of the others as they are. Rules: CB-CHARGE-04, CB-CHARGE-06.
    """
    target = again(act, declared.target)
    if declared.gap:
        _comes_up(act, telling, declared, target)
        return ask_or_fight(act, telling, build_charge_melee(act, declared))
    arrived_charges = [
        charge for charge in declared.each if _bring_into_contact(act, telling, charge, target)
    ]
    if not arrived_charges or again(act, target).is_incapacitated:
        telling.lines += ["The charge ends.", *telling.proposal_lines()]
        return Reply(tuple(telling.lines), buttons=telling.buttons(act, UNDO), why=tuple(telling.why))
    declared = join_charges(arrived_charges)
    if declared.helpers is not None:
        helpers = [again(act, number) for number in declared.helpers.models]
        return _step_in_and_fight(
            act, telling, declared, [(stepper, _charger_place(act, declared, stepper)) for stepper in helpers]
        )
    possible_helpers = list_possible_helpers(act, declared, target)
    if not possible_helpers:
        return ask_or_fight(act, telling, build_charge_melee(act, declared))
    number = common.store_pending(act, declared.charger.side, replace(declared, helpers=ASKED))
    menu = helpers_menu(number, possible_helpers)
    telling.lines += telling.proposal_lines()
    telling.lines.append(f"The charge makes contact. {act.encounter.side(target.side).name}, who steps in?")
    nobody = Button("Nobody", StepIn(number), "main", anytime=True)
    return Reply(
        tuple(telling.lines),
        buttons=telling.buttons(act, nobody, UNDO),
        menus=(menu,),
        why=tuple(telling.why),
    ).minor(not act.has_rolled)


def _bring_into_contact(act: Act, telling: Telling, charge: Charge, target: Fighter) -> bool:
    """One of those who charge touches the target, which may be frightened; whether it came so far."""
    charger, target = again(act, charge.charger), again(act, target)
    if target.is_incapacitated:
        return False
    roll_charge_collision(act, telling, charger, target, charge.inches)
    charger, target = again(act, charger), again(act, target)
    if charger.is_incapacitated or target.is_incapacitated:
        return False
    mark_engaged(act, charger, target)
    _comes_up(act, telling, charge, target)
    if scares(charger, target, settings=settings(act)):
        _frighten(act, telling, again(act, target))
    return True


def _comes_up(act: Act, telling: Telling, charge: Charge, target: Fighter) -> None:
    """Move a charger on the board; the ground on its way is checked as that of any move, unless it digs.

    Rules: CB-TERR-07, CB-BURN-01, CB-WEAP-07.
    """
    encounter, charger = act.encounter, charge.charger
    between = facts.apart(encounter, charger.id, target.id) - charge.gap
    walk = (
        straight_on(encounter, charger.id, target.id, between)
        if charge.gap
        else into_contact(encounter, charger.id, target.id)
    )
    if charge.burrow:
        return
    places = charge.ground
    if walk is not None and not places and "ground" not in charge.by_hand:
        places = dangers_of(encounter, walk).value
    meets_ground(act, telling, charger, places, walk)


def _frighten(act: Act, telling: Telling, target: Fighter) -> None:
    ready = prepare_fear(target, settings=settings(act))
    trace_start = len(act.dice.trace)
    passed = act.roll(Whose(target.name, "INT check", "against fear"), fear, (ready.throw,))
    telling.proposals += carry_through(act, after_fear(target, passed))
    reaction = "holds firm, although" if passed else "panics, because"
    telling.lines.append(f"{target.name} {reaction} the charger is Scary.")
    telling.lines += [dice_words(ready, "INT"), *trace_lines(act.dice.trace[trace_start:])]
    telling.why += why_check(ready, f"{possessive(target.name)} INT check against fear")


def list_possible_helpers(act: ActView, declared: Charge, target: Fighter) -> list[Helper]:
    """Return friends of the target who may step up to a charger, if they are near enough."""
    chargers = [again(act, charge.charger) for charge in declared.each]
    return [
        (model, place, charger)
        for place, charger in enumerate(chargers)
        for model in fighters(act.encounter, target.side)
        if model.id != target.id and may_step_in(model, charger, _inches_apart(act, model, charger))
    ]


def _inches_apart(act: ActView, model: Fighter, charger: Fighter) -> float:
    """Return the inches between them on the board, or 0 if nothing is measured."""
    return facts.inches(facts.apart(act.encounter, model.id, charger.id))


def _charger_place(act: Act, declared: Charge, helper: Fighter) -> int:
    chargers = [again(act, charge.charger) for charge in declared.each]
    return next((place for place, charger in enumerate(chargers) if may_step_in(helper, charger, 0)), 0)


@handles(StepIn)
def step_in(act: Act, action: StepIn) -> Reply:
    """Name the helpers, by the target's player; then the blows fall."""
    declared, _, target = require_waiting_charge(act, action.row)
    act.require_side(target.side)
    if not declared.is_asked:
        raise InvalidInput("The charge hasn't made contact yet, so no model can step in.")
    helpers = []
    for number in action.models:
        place, model = divmod(number, STEP_IN_BASE)
        if place >= len(declared.each):
            raise InvalidInput("Choose which of the charging models to step in against.")
        helpers.append((fighter(act.encounter, act.encounter.model(model)), place))
    common.remove_waiting_action(act, action.row)
    chargers = join_names([charge.charger for charge in declared.each])
    telling = Telling([f"{chargers} {'charge' if declared.more else 'charges'} {target.name}."])
    return _step_in_and_fight(act, telling, declared, helpers)


def _step_in_and_fight(
    act: Act, telling: Telling, declared: Charge, stepping_in: list[tuple[Fighter, int]]
) -> Reply:
    target = declared.target
    for stepper, place in stepping_in:
        helper, charger = again(act, stepper), again(act, declared.each[place].charger)
        if helper.side != target.side or not may_step_in(helper, charger, 0):
            forbid(f"{helper.name} can't step in, because it is engaged or out of action.", "CB-CHARGE-05")
        mark_engaged(act, helper, charger)
        close_in(act, telling, helper, charger)
        forget_sightings(act.encounter, helper.id)
    if stepping_in:
        helpers = join_names([stepper for stepper, _ in stepping_in])
        telling.lines.append(f"{helpers} {'steps' if len(stepping_in) == 1 else 'step'} in.")
    return ask_or_fight(act, telling, build_charge_melee(act, declared))
