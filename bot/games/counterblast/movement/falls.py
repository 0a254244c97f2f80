"""Falls and drifts at the table, and the models that are struck."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.actions import Action, reference_by_number
from bot.games.counterblast.core.common import again, carry_through, settings, spend_order, token_price
from bot.games.counterblast.core.fields import by_number, order, several_by_number, who
from bot.games.counterblast.core.narration import (
    Finishing,
    ReadyCheck,
    Telling,
    Throwing,
    add_wounds,
    finish,
    list_throws,
    model_choices,
    pass_chances,
    register_offer,
    require_between,
    wound_chances,
)
from bot.games.counterblast.core.pictures import draw_path
from bot.games.counterblast.core.wording import cast_by_label, cast_crash, dice_words, hurt_words, why_check
from bot.games.counterblast.state.ground import depth_of, gravity_here
from bot.games.counterblast.state.models import fighter, fighters
from bot.games.counterblast.state.sight import forget_sightings
from bot.games.counterblast.state.table_state import ModelState
from bot.replies.chances import percent
from bot.replies.reply import Blank, Button, Menu, Reply, form
from bot.store.rows import ModelRow
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.encounter import GONE, Encounter, set_counter
from bot.table.steps import Chances, as_done, in_steps
from bot.table.throw_purposes import Cast, Whose, each
from rules.dice import Dice, Odds
from rules.effects import Propose
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.checks import FOOTING_TARGET, Throw, roll_one_success
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.dice_pools import initiative_check
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.general import distance_dice, impact, struck_dice
from rules.systems.counterblast.core.profile import Size
from rules.systems.counterblast.movement.environment import (
    Collision,
    Drift,
    Fall,
    Faller,
    collide,
    drift,
    fall,
    is_met,
    keeps_down,
    must_check_drift,
    prepare_holding_on,
)
from rules.wording import possessive, times

MAX_STRUCK = 5


@dataclass(frozen=True, slots=True)
class Crash:
    """A model hits others after so many inches. deep: it is in deep water. gone: it has left play itself."""

    model: Fighter
    inches: float
    struck: tuple[Fighter, ...] = ()
    deep: bool = False
    gone: bool = False

    @property
    def names(self) -> list[str]:
        """Return the names of the models that are hit."""
        return [model.name for model in self.struck]

    @property
    def below(self) -> tuple[Faller, ...]:
        """Return the models that are hit, as the rules see them."""
        return tuple(Faller.of(model) for model in self.struck)


def crash_of(act: ActView, model: Fighter, inches: float, struck_ids: Sequence[int]) -> Crash:
    """Return the crash with everyone as they are now."""
    return Crash(
        model, inches, tuple(fighter(act.encounter, act.encounter.model(number)) for number in struck_ids)
    )


def ask_who_is_struck(act: ActView, action: Any, crash: Crash, crash_text: str) -> Reply:
    """Ask which other models it hits. action: has the fields struck, sure and odds."""
    other_models = [model for model in fighters(act.encounter) if model.id != crash.model.id]
    max_models = min(MAX_STRUCK, len(other_models))
    menus = (
        (
            Menu(
                f"Models that {crash.model.name} hits",
                action,
                "struck",
                model_choices(other_models),
                1,
                max_models,
            ),
        )
        if other_models
        else ()
    )
    nobody_hit = replace(action, sure=True)
    buttons = (
        Button("Roll (no model is hit)", nobody_hit, "main"),
        Button("Odds if it hits no model", replace(nobody_hit, odds=True)),
    )
    lines = (f"{crash_text} after moving {crash.inches:g} in.", f"Does {crash.model.name} hit a model too?")
    return Reply(lines, private=True, buttons=buttons, menus=menus)


def crash_chances(act: ActView, crash: Crash, headline: str) -> Chances:
    """Return the effects on the model, and on everyone it hits. Rules: CB-FALL-03, CB-FALL-04, CB-ENV-05."""
    model, inches = crash.model, crash.inches
    chances = Chances((headline,))
    if not crash.gone:
        faller = Faller.of(model)
        odds = act.solve(impact, distance_dice(inches), faller.defense, "fall", tough=faller.tough)
        chances = wound_chances(model, odds, headline)
    lines, all_odds = list(chances.lines), list[Odds[Any]](chances.solved)
    for struck_model in crash.struck:
        number = struck_dice(inches, model.profile.size, struck_model.profile.size)
        hit = Faller.of(struck_model)
        odds = act.solve(impact, number, hit.defense, "struck", tough=hit.tough)
        lines.append(f"{struck_model.name}: {hurt_words(odds, struck_model)}")
        all_odds.append(odds)
    return replace(chances, lines=tuple(lines), solved=tuple(all_odds))


FARTHEST = 200


@dataclass(frozen=True, slots=True)
class Collide(Action):
    """Crash a drifting model into something after so many inches. struck: models; sure: no one else.

    drifted: how far it drifted, in inches, or 0 if unknown.
    """

    command = "cb.collide"
    facts = frozenset({"inches", "drifted", "sure"})

    model: Fighter = by_number(mine=True, needed=True)
    inches: float = 0.0
    struck: tuple[Fighter, ...] = several_by_number(fact=True)
    sure: bool = False
    drifted: float = 0.0
    odds: bool = False


COLLISION_FORM = form(
    "cb.collide", "Collision", Blank("inches", "Distance moved before impact (inches)", longest=5)
)


def gravity_to_check(act: ActView, model: Fighter, inches: float) -> int:
    """Return the Low Gravity rating that a Move of so many inches has to be checked for, 0 for none.

    Rules: CB-ENV-02, CB-ENV-08, CB-ENV-10.
    """
    gravity = gravity_here(act.encounter, model)
    in_deep_water = depth_of(act.encounter, model)[0] > 0
    return gravity if gravity and must_check_drift(model, inches, deep_water=in_deep_water) else 0


def check_for_drift(
    act: Act, telling: Telling, model: Fighter, gravity: int, *extra_buttons: Button, order: bool = False
) -> Reply:
    """Roll the Initiative check of a long Move, and the drift if the model fails it.

    extra_buttons: offered if it keeps its feet. Rules: CB-ENV-02, CB-ENV-03.
    """
    keeps_feet, dice = _roll_to_keep_feet(act, telling, model, gravity, order=order)
    return (
        finish(act, telling, [dice], *extra_buttons)
        if keeps_feet
        else _roll_drift(act, telling, model, gravity, dice)
    )


def resolve_charge_drift(act: Act, telling: Telling, charger: Fighter, inches: float) -> Reply | None:
    """Return the drift that replaces a charge of more than half Mv in low gravity, or None if it goes on.

    Rules: CB-ENV-02, CB-ENV-03, CB-CHARGE-01.
    """
    gravity = gravity_to_check(act, charger, inches)
    if not gravity:
        return None
    trace_start = len(act.dice.trace)
    keeps_feet, dice = _roll_to_keep_feet(act, telling, charger, gravity)
    if keeps_feet:
        telling.lines += [dice, *list_throws(act.dice.trace[trace_start:])]
        return None
    return _roll_drift(act, telling, charger, gravity, dice)


def odds_of_keeping_feet(act: ActView, model: Fighter, *, order: bool = False) -> Odds[bool]:
    """Return the odds that a model keeps its feet in low gravity. Rules: CB-ENV-02."""
    prepared = initiative_check(model, FOOTING_TARGET, order_token=order, settings=settings(act))
    return act.solve(keeps_down, (prepared.throw,))


def describe_drift_odds(act: ActView, charger: Fighter, inches: float) -> list[str]:
    """Return the chance that a charge drifts away, where it has to be checked. Rules: CB-ENV-02."""
    if not gravity_to_check(act, charger, inches):
        return []
    drift_chance = odds_of_keeping_feet(act, charger).chance(lambda held: not held)
    return [f"Chance that {charger.name} drifts away in low gravity: {percent(drift_chance).strip()}"]


def _roll_to_keep_feet(
    act: Act, telling: Telling, model: Fighter, gravity: int, *, order: bool = False
) -> tuple[bool, str]:
    """Roll the Initiative check. Return whether the model keeps its feet, and its dice in words."""
    prepared = initiative_check(model, FOOTING_TARGET, order_token=order, settings=settings(act))
    if order:
        spend_order(act, model.side)
    telling.why += why_check(
        prepared, f"{possessive(model.name)} Initiative check in low gravity [{gravity}]"
    )
    roller = Whose(model.name, "Initiative check", f"in low gravity [{gravity}]")
    keeps_feet = act.roll(roller, keeps_down, (prepared.throw,))
    telling.lines += [f"{model.name} keeps its feet in low gravity."] if keeps_feet else []
    return keeps_feet, dice_words(prepared, settings(act).initiative_check_ability)


def _roll_drift(act: Act, telling: Telling, model: Fighter, gravity: int, dice: str) -> Reply:
    rollers = cast_by_label(
        Whose(model.name, "drift", f"in low gravity [{gravity}]"),
        direction=Whose(model.name, "roll", "for the direction of the drift"),
        scatter=Whose(model.name, "roll", "for the distance of the drift"),
    )
    result = act.roll(rollers, drift, gravity, model.mv)
    forget_sightings(act.encounter, model.id)
    tumbles = result.row is Drift.TUMBLE
    direction = f"towards {result.clock} o'clock" if tumbles else "straight ahead"
    telling.lines[:] = [f"{model.name} drifts {result.inches} in {direction}."]
    telling.lines += ["12 o'clock is straight ahead."] if tumbles else []
    if not result.collides:
        telling.lines.append(f"{model.name} lands safely.")
        return finish(act, telling, [dice])
    telling.lines += [f"{model.name} stops at the first object it hits, or at the edge of Impassable ground."]
    distance = float(result.inches)
    hit = Button("It hits something...", Collide(model, distance, drifted=distance), form=COLLISION_FORM)
    reply = finish(act, telling, [dice], hit)
    if not tumbles:
        return reply
    picture = draw_path(model.name, "drifts", result.clock, result.inches, "where it came from")
    return replace(reply, files=(picture,))


@in_steps(Collide)
class Colliding(Finishing[Collide, Crash, Collision]):
    """Rolls dice for every full 3 in on the drifting model and on everyone it hits."""

    def prepare(self, act: ActView, action: Collide) -> Crash:
        """Return the crash, within the distance that the model drifted. Raises InvalidInput."""
        model = action.model
        require_between(action.inches, 0, FARTHEST, "Distance (inches)")
        if action.drifted and not is_met(action.drifted, action.inches):
            drift_text = f"{model.name} drifted only {action.drifted:g} in"
            raise InvalidInput(f"{drift_text}. Enter that distance or less.")
        in_deep_water = depth_of(act.encounter, model)[0] > 0
        return Crash(model, action.inches, action.struck, deep=in_deep_water)

    def asks(self, act: Act, action: Collide, ready: Crash) -> Reply | None:
        if action.struck or action.sure:
            return None
        return ask_who_is_struck(act, action, ready, f"{ready.model.name} runs into something")

    def whose(self, action: Collide, ready: Crash) -> Cast:
        return cast_crash(ready.model.name, ready.names, "collision")

    def rule(self, dice: Dice, ready: Crash) -> Collision:
        return collide(dice, ready.inches, Faller.of(ready.model), ready.below, deep_water=ready.deep)

    def settle(self, act: Act, action: Collide, ready: Crash, outcome: Collision) -> Telling:
        telling = Telling()
        add_wounds(act, telling, ready.model, outcome.mover)
        for model, wounds in zip(ready.struck, outcome.struck, strict=True):
            add_wounds(act, telling, model, wounds)
        dice = f"{times(distance_dice(action.inches), 'die', 'dice')} for the collision (no shields)"
        telling.lines.append("Deep water prevents all damage." if ready.deep else dice)
        return telling

    def chances(self, act: ActView, action: Collide, ready: Crash) -> Chances:
        if ready.deep:
            return Chances(("Deep water prevents all damage.",))
        head = f"{ready.model.name} runs into something after moving {ready.inches:g} in"
        return crash_chances(act, ready, head)


HIGHEST = 1000


@dataclass(frozen=True, slots=True)
class TakeFall(Action):
    """Roll for a fall.

    Straight down. height 0: from its present height. onto: models that it strikes. ask: first ask who they
    are.
    """

    command = "cb.fall"
    typed = "cb move fall"
    titled = "Fall"
    waits_for_dice = True

    model: Fighter = who(gone=True)
    height: float = fields.inches("Height of the fall (inches)", default=0.0, fact=True)
    onto: tuple[Fighter, ...] = several_by_number(fact=True)
    ask: bool = fields.switch("Ask which models are below", called="onto")
    odds: bool = fields.odds()

    def as_typed_action(self) -> TakeFall:
        return replace(self, ask=self.ask and not self.odds)


@dataclass(frozen=True, slots=True)
class HoldOn(Action):
    """Try to hold on to an edge."""

    command = "cb.hold"
    typed = "cb move hold"
    titled = "Hold on to an edge"

    model: Fighter = who()
    height: float = fields.inches("Height above ground (inches)", 0.0, 200.0, default=0.0, fact=True)
    order: bool = order()
    odds: bool = fields.odds()


DEPTH = form("cb.fall", "Fall", Blank("height", "Height of the fall (inches)", longest=5))


@in_steps(TakeFall)
class TakingFall(Finishing[TakeFall, Crash, Fall]):
    """Rolls dice for every full 3 in on the falling model and on everyone below; no shields."""

    label = "Fall"

    def prepare(self, act: ActView, action: TakeFall) -> Crash:
        """Return a fall from its place, or the height entered. Raises InvalidInput, NotAllowed."""
        model = action.model
        height = action.height or float(model.count(Counter.HEIGHT))
        require_between(height, 0, HIGHEST, "Height of the fall (inches)")
        act.canonical = replace(as_done(action), height=height, ask=False)
        has_left_play = act.encounter.model(model.id).status == GONE
        return Crash(model, height, action.onto, gone=has_left_play)

    def asks(self, act: Act, action: TakeFall, ready: Crash) -> Reply | None:
        fall_action = act.canonical
        return _ask_who_is_below(act, ready, fall_action) if action.ask else None

    def whose(self, action: TakeFall, ready: Crash) -> Cast:
        if ready.gone:
            return each(
                *(
                    Whose(name, "damage", f"from {ready.model.name}, which falls on it")
                    for name in ready.names
                )
            )
        return cast_crash(ready.model.name, ready.names, "fall")

    def rule(self, dice: Dice, ready: Crash) -> Fall:
        if ready.gone:
            return _roll_for_models_below(dice, ready.inches, ready.model.profile.size, ready.below)
        return fall(dice, ready.inches, Faller.of(ready.model), ready.below)

    def settle(self, act: Act, action: TakeFall, ready: Crash, outcome: Fall) -> Telling:
        model, height = ready.model, ready.inches
        set_counter(act.encounter.model(model.id).counters, Counter.HEIGHT, 0)
        clear_owed_fall(act.encounter.model(model.id))
        forget_sightings(act.encounter, model.id)
        telling = Telling([f"{model.name} falls {height:g} in."] if ready.gone else [])
        if not ready.gone:
            add_wounds(act, telling, again(act, model), outcome.faller, f"from the fall ({height:g} in)")
        for struck_model, wounds in zip(ready.struck, outcome.struck, strict=True):
            add_wounds(act, telling, struck_model, wounds)
        telling.lines += _describe_fall_dice(model, height, ready.struck)
        return telling

    def chances(self, act: ActView, action: TakeFall, ready: Crash) -> Chances:
        dice = times(distance_dice(ready.inches), "die", "dice")
        return crash_chances(act, ready, f"{ready.model.name} falls {ready.inches:g} in: {dice}")


def _describe_fall_dice(model: Fighter, height: float, struck: Sequence[Fighter]) -> list[str]:
    dice_lines = [f"{times(distance_dice(height), 'die', 'dice')} for a fall of {height:g} in (no shields)"]
    for struck_model in struck:
        number = struck_dice(height, model.profile.size, struck_model.profile.size)
        dice_lines.append(f"{struck_model.name} (below): {times(number, 'die', 'dice')}")
    return dice_lines


def _ask_who_is_below(act: ActView, ready: Crash, fall_action: Action) -> Reply:
    model = ready.model
    other_models = [candidate for candidate in fighters(act.encounter) if candidate.id != model.id]
    menus = (
        Menu(
            "Which models are below?",
            fall_action,
            "onto",
            model_choices(other_models),
            1,
            min(MAX_STRUCK, len(other_models)),
        ),
    )
    number = distance_dice(ready.inches)
    lines = (
        f"{model.name} falls {ready.inches:g} in: {times(number, 'die', 'dice')}.",
        "Which models are below?",
    )
    roll = Button("Roll (no model is below)", fall_action, "main")
    return Reply(lines, private=True, buttons=(roll,), menus=menus)


def _roll_for_models_below(dice: Dice, height: float, size: Size, models_below: tuple[Faller, ...]) -> Fall:
    """Roll only for the models below: the one that falls has left play. Rules: CB-FALL-02, CB-FALL-04."""
    return Fall(
        0,
        tuple(
            impact(dice, struck_dice(height, size, faller.size), faller.defense, "struck", tough=faller.tough)
            for faller in models_below
        ),
    )


@in_steps(HoldOn)
class HoldingOn(Throwing[HoldOn, ReadyCheck, bool]):
    """One success on AGL at 5, or it falls."""

    def prepare(self, act: ActView, action: HoldOn) -> ReadyCheck:
        """Return the check to hold on. Raises InvalidInput, Forbidden."""
        height = _height_above_ground(action)
        require_between(height, 0, HIGHEST, "Height above ground (inches)")
        act.canonical = replace(as_done(action), height=height)
        prepared = prepare_holding_on(action.model, order_token=action.order, settings=settings(act))
        return ReadyCheck(prepared, token_price(act, action.model, spent=action.order))

    def whose(self, action: HoldOn, ready: ReadyCheck) -> Whose:
        return Whose(action.model.name, "AGL check", "to hold on")

    def rule(self, dice: Dice, ready: ReadyCheck) -> bool:
        return holds(dice, (ready.prepared.throw,))

    def settle(self, act: Act, action: HoldOn, ready: ReadyCheck, outcome: bool) -> Telling:
        model, height = action.model, _height_above_ground(action)
        carry_through(act, ready.due)
        telling = Telling(
            [f"{model.name} holds on." if outcome else f"{model.name} slips off the edge."],
            why_check(ready.prepared, f"{model.name} tries to hold on"),
            dice=[dice_words(ready.prepared, "AGL")],
        )
        if not outcome:
            details: tuple[tuple[str, int | str], ...] = (("height", f"{height:g}"),)
            sentence = (
                f"{model.name} falls {height:g} in." if height else f"{model.name} falls. Enter how far."
            )
            telling.proposals.append(Propose("fall", model.id, sentence, details))
            store_falls(act.encounter, telling.proposals)
        return telling

    def chances(self, act: ActView, action: HoldOn, ready: ReadyCheck) -> Chances:
        odds = act.solve(holds, (ready.prepared.throw,))
        return pass_chances(action.model.name, "holds on", odds, dice_words(ready.prepared, "AGL"))


def _height_above_ground(action: HoldOn) -> float:
    return action.height or float(action.model.count(Counter.HEIGHT))


def store_falls(encounter: Encounter, proposals: Iterable[Propose]) -> None:
    """Store who falls, and how far, until the dice are rolled. Rules: CB-FALL-01, CB-MOVE-04, CB-MOVE-06."""
    for proposal in proposals:
        if proposal.action == "fall":
            ModelState(encounter.model(proposal.model)).falls_tenths = 1 + round(10 * _fall_height(proposal))


def clear_owed_fall(row: ModelRow) -> None:
    """Clear the fall that a model owes, after it fell or its place was entered."""
    ModelState(row).falls_tenths = 0


def falls_owed(row: ModelRow) -> list[Propose]:
    """Return the fall of a model that has lost its hold and not come down."""
    tenths = ModelState(row).falls_tenths
    details: tuple[tuple[str, int | str], ...] = (("height", f"{(tenths - 1) / 10:g}"),)
    return [Propose("fall", row.id, "", details)] if tenths else []


def _fall_height(proposal: Propose) -> float:
    return float(dict(proposal.details).get("height", 0))


def holds(dice: Dice, throws: tuple[Throw, ...]) -> bool:
    """Roll to hold on. Rules: CB-FALL-01."""
    return roll_one_success(dice, throws, "hold on")


@register_offer("fall")
def _fall_button(proposal: Propose) -> tuple[str, Action] | Button:
    height = _fall_height(proposal)
    fall_action = TakeFall(reference_by_number(proposal.model), height, ask=True)
    return ("Fall", fall_action) if height else Button("Fall...", fall_action, "main", form=DEPTH)


@register_offer("avoid_fall")
def _hold_on_button(proposal: Propose) -> tuple[str, Action]:
    height = _fall_height(proposal)
    return "Hold on", HoldOn(reference_by_number(proposal.model), height)
