"""Breaching Charges at the table: placed by one action, set off by another, with what the blast does."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.building.draft_texts import draft_of, row_text
from bot.games.counterblast.core.common import again, carry_through, pay, settings
from bot.games.counterblast.core.fields import order, several, who
from bot.games.counterblast.core.narration import (
    Telling,
    add_wounds,
    due,
    finish,
    model_choices,
    pass_chances,
)
from bot.games.counterblast.core.relics import list_relic_buttons
from bot.games.counterblast.core.wording import cast_automatic_hit, dice_words, hurt_words, why_check
from bot.games.counterblast.ground.places import wall_kind
from bot.games.counterblast.state.models import fighter, fighters
from bot.replies.chances import percent
from bot.replies.reply import Menu, Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.encounter import set_counter
from bot.table.handlers import handles
from bot.table.owners import side_of
from bot.table.steps import Chances, Weighed, as_done, in_steps
from bot.table.throw_purposes import Whose
from rules.counters import CounterName, PerWord
from rules.effects import Effect
from rules.refusals import Forbidden, Missing
from rules.systems.counterblast.core.checks import PreparedCheck
from rules.systems.counterblast.core.conditions import Event, end_conditions
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import ChartRow, Gear
from rules.systems.counterblast.gear.items import (
    blast_impact,
    blast_wounds,
    breach,
    is_hit,
    prepare_breach,
    require_charge,
    require_item,
)
from rules.systems.counterblast.gear.salvage import after_check
from rules.wording import possessive

CHARGES_PLACED = PerWord("charge placed:")
"""Counters of a side: charges on the table, by key."""

FAILED_TESTS = PerWord("breach tests:")
"""Counters of the encounter: charges set off in vain, by kind of structure and spot."""

MAX_SPOT_LENGTH = 20

CHARGES = ("breaching_charge", "heavy_breaching_charge")


@dataclass(frozen=True, slots=True)
class PlaceCharge(Action):
    """Place a Breaching Charge on a structure in contact."""

    command = "cb.charge.place"
    typed = "gear charge"
    titled = "Place a charge"

    model: Fighter = who()
    heavy: bool = fields.switch("Use a Heavy Breaching Charge", fact=True)


@dataclass(frozen=True, slots=True)
class Detonate(Action):
    """Set off a Breaching Charge that your crew has placed.

    near, far: models within 1 in, on this side and beyond. spot: which one of several structures of a
    kind.
    """

    command = "cb.charge.blow"
    typed = "gear breach"
    titled = "Set off a charge"
    said_first = ("model", "structure", "near", "far", "heavy", "spot", "order", "odds")

    model: Fighter = who()
    structure: ChartRow = wall_kind("Structure to breach", "kind of structure", needed=True)
    heavy: bool = fields.switch("Use a Heavy Breaching Charge", fact=True)
    near: tuple[Fighter, ...] = several(
        "Models on this side within 1 in of the charge, separated by commas", fact=True
    )
    far: tuple[Fighter, ...] = several(
        "Models on the far side within 1 in of the charge, separated by commas", fact=True
    )
    spot: str = fields.text("Name of the structure (if there are several of this kind)", None, fact=True)
    order: bool = order()
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class BlastHits(Action):
    """Models within 1 in of a charge that a model set off. further: the other side is asked next."""

    command = "cb.charge.hits"
    decision_of = side_of("by")

    heavy: bool = False
    side: str = ""
    models: tuple[int, ...] = fields.unordered()
    by: int = 0
    further: bool = False


SIDES = ("this side", "the far side")
"""Of the structure that was breached."""


def _charge_key(*, heavy: bool) -> str:
    return CHARGES[int(heavy)]


@handles(PlaceCharge)
def place(act: Act, action: PlaceCharge) -> Reply:
    """Place a charge for one action; the model no longer carries it. Rules: CB-GEAR-28."""
    model, key = action.model, _charge_key(heavy=action.heavy)
    charge = require_item(model, key)
    require_charge(charge)
    pay(act, model, "item")
    row = act.encounter.model(model.id)
    draft = draft_of(row.profile)
    gear = list(draft.gear)
    gear.remove(key)
    row.profile = row_text(replace(draft, gear=tuple(gear)))
    set_counter(act.encounter.side(model.side).counters, CHARGES_PLACED.of(key), 1, add=True)
    return finish(act, Telling([f"{model.name} places a {charge.name}."]))


@dataclass(frozen=True, slots=True)
class ReadyToBlow:
    """A charge that may be set off. tests: the counter of the tries; earlier: those before.

    near, far: who is within 1 in, on this side and beyond.
    """

    model: Fighter
    charge: Gear
    structure: str
    tests: CounterName
    earlier: int
    check: PreparedCheck
    near: tuple[Fighter, ...]
    far: tuple[Fighter, ...]
    due: tuple[Effect, ...]

    def hit(self, *, opened: bool) -> list[Fighter]:
        """Return the models that the blast hits. Rules: CB-GEAR-30, CB-GEAR-31."""
        sides = ((self.near, False), (self.far, True))
        return [
            model
            for models, far_side in sides
            for model in models
            if is_hit(0, far_side=far_side, breached=opened)
        ]


@in_steps(Detonate)
class Detonating(Weighed[Detonate, ReadyToBlow]):
    """Engineering at the structure's number; who is within 1 in is hit. Rules: CB-GEAR-28 to CB-GEAR-31."""

    def prepare(self, act: ActView, action: Detonate) -> ReadyToBlow:
        """Return a charge that its crew placed. Raises InvalidInput, Forbidden."""
        model, kind, key = action.model, action.structure, _charge_key(heavy=action.heavy)
        charge = load().gear[key]
        spot = " ".join(action.spot.split())[:MAX_SPOT_LENGTH].casefold()
        tests = FAILED_TESTS.of(":".join(filter(None, (kind.key, spot))))
        tests_before = act.encounter.count(tests)
        act.canonical = replace(as_done(action), spot=spot)
        check = prepare_breach(
            model, kind.key, charge, tests_before, order_token=action.order, settings=settings(act)
        )
        if not act.action.looks and not act.encounter.side(model.side).counters.get(CHARGES_PLACED.of(key)):
            with act.overridable():
                raise Forbidden(
                    "Your crew hasn't placed this charge. Place it with /gear charge.", "CB-GEAR-28"
                )
        costs = due(act, model, "item", order=action.order)
        return ReadyToBlow(
            model, charge, kind.name, tests, tests_before, check, action.near, action.far, costs
        )

    def do(self, act: Act, action: Detonate, ready: ReadyToBlow) -> Reply:
        model, key = ready.model, _charge_key(heavy=action.heavy)
        carry_through(act, ready.due)
        counters = act.encounter.side(model.side).counters
        set_counter(counters, CHARGES_PLACED.of(key), max(0, counters.get(CHARGES_PLACED.of(key), 0) - 1))
        opened = act.roll(
            Whose(model.name, "breach", f"of the structure ({ready.structure})"), breach, (ready.check.throw,)
        )
        carry_through(act, [*end_conditions(model, Event.INT_CHECKED), *after_check(model, "engineering")])
        set_counter(act.encounter.row.counters, ready.tests, 0 if opened else ready.earlier + 1)
        verb = "blows a hole in" if opened else "does not breach"
        bonus = f"The check for the next charge at the same place gets {ready.earlier + 1:+d}."
        passage = "Models on Medium or smaller bases can pass through the hole."
        telling = Telling(
            [
                f"{model.name} {verb} the structure ({ready.structure}).",
                passage if opened else bonus,
            ],
            why_check(ready.check, f"{possessive(model.name)} check for the {ready.charge.name}"),
        )
        for target in ready.hit(opened=opened):
            _wound_by_blast(act, telling, again(act, target), ready.charge, model.id)
        reply = finish(
            act, telling, [dice_words(ready.check, "INT")], *list_relic_buttons(act, model, failed=not opened)
        )
        if action.near or action.far:
            return reply
        return replace(reply, menus=_ask_who_is_near(act, model.id, heavy=action.heavy, opened=opened))

    def chances(self, act: ActView, action: Detonate, ready: ReadyToBlow) -> Chances:
        opens = act.solve(breach, (ready.check.throw,))
        base = pass_chances(
            ready.model.name,
            f"breaches the structure ({ready.structure})",
            opens,
            dice_words(ready.check, "INT"),
        )
        chance = float(opens.chance(bool))
        lines, solved = list(base.lines), list(base.solved)
        always_hit = ready.hit(opened=False)
        for model in dict.fromkeys(ready.hit(opened=True)):
            odds = act.solve(blast_wounds, blast_impact(model, ready.charge, settings(act)))
            condition = "" if model in always_hit else f", if the breach succeeds ({percent(chance).strip()})"
            lines.append(f"{model.name}{condition}: {hurt_words(odds, model)}")
            solved.append(odds)
        return replace(base, lines=tuple(lines), solved=tuple(solved))


def _ask_who_is_near(act: Act, by: int, *, heavy: bool, opened: bool) -> tuple[Menu, ...]:
    """Rules: CB-GEAR-30."""
    sides = SIDES if opened else SIDES[:1]
    side_actions = [BlastHits(heavy, side, by=by, further=opened) for side in sides]
    return tuple(menu for side_action in side_actions for menu in _near_menu(act, side_action))


def _near_menu(act: Act, question: BlastHits) -> tuple[Menu, ...]:
    choices = model_choices(fighters(act.encounter))
    prompt = f"Which models on {question.side} of the structure are within 1 in of the charge?"
    return (Menu(prompt, question, "models", choices, 1, len(choices)),) if choices else ()


@handles(BlastHits)
def blast_hits(act: Act, action: BlastHits) -> Reply:
    """Hit all chosen models. Rules: CB-GEAR-30, CB-GEAR-31."""
    if not action.models:
        raise Missing("Choose the models that are within 1 in of the charge.")
    charge = load().gear[_charge_key(heavy=action.heavy)]
    telling = Telling()
    for number in action.models:
        _wound_by_blast(act, telling, fighter(act.encounter, act.encounter.model(number)), charge, action.by)
    other_sides = [
        replace(action, side=side, models=(), further=False) for side in SIDES if side != action.side
    ]
    menus = [menu for side_action in other_sides if action.further for menu in _near_menu(act, side_action)]
    return replace(finish(act, telling), menus=tuple(menus))


def _wound_by_blast(act: Act, telling: Telling, target: Fighter, charge: Gear, by: int) -> None:
    """Wound the target. by: the model that set it off. Rules: CB-GEAR-30, CB-GEAR-31, CB-SCORE-02."""
    wounds = act.roll(
        cast_automatic_hit(target.name, f"the {charge.name}"),
        blast_wounds,
        blast_impact(target, charge, settings(act)),
    )
    add_wounds(act, telling, target, wounds, "from the blast", by=by)
