"""Models on bad ground: dangerous places and random hazards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from bot.actions import Action, reference_by_name, reference_by_number
from bot.games.counterblast.core.common import again, carry_through, settings, token_price
from bot.games.counterblast.core.fields import order, who
from bot.games.counterblast.core.narration import (
    Finishing,
    FinishingOften,
    Telling,
    add_wounds,
    finish,
    pass_chances,
    register_offer,
    wound_chances,
)
from bot.games.counterblast.core.wording import cast_automatic_hit, cast_by_label, dice_words, why_check
from bot.games.counterblast.ground.places import HAZARD_INCHES, danger_field
from bot.games.counterblast.state.ground import (
    ROCKS,
    AreaPlace,
    Ground,
    add_area,
    add_fire,
    area_names,
    climate_here,
    read_area,
)
from bot.games.counterblast.state.table_state import ModelState
from bot.replies.chances import bars
from bot.replies.reply import Reply
from bot.store.rows import ModelRow
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.board.surface import place_of
from bot.table.encounter import Encounter
from bot.table.handlers import handles
from bot.table.steps import Chances, in_steps, otherwise
from bot.table.throw_purposes import Cast, Whose
from rules.counters import PerWord
from rules.dice import Dice
from rules.effects import Assign, Count, Effect, Propose
from rules.refusals import InvalidInput, forbid, refuse_typed
from rules.systems.counterblast.core.burning import find_protection
from rules.systems.counterblast.core.checks import DANGER_TARGET, FOOTING_TARGET, PreparedCheck, throw
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.dice_pools import initiative_check
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.movement.ground import (
    SUGGESTED_POWER,
    Climate,
    Exposure,
    Hazard,
    HazardArea,
    acid_on_gear,
    after_footing,
    after_random_hazard,
    climate,
    climate_hit,
    danger,
    danger_damage,
    exposure,
    hazard_exposure,
    hazard_fire,
    is_at_risk,
    keeps_footing,
    random_hazard,
    reset_acid,
)
from rules.systems.counterblast.turn.activation import ACTIONS, actions_left
from rules.wording import possessive, times

EXPOSED = PerWord("exposed:")
"""Counters of a model, by place: the turn in which it was last tested there."""

TOUCHED = PerWord("touched:")
"""Counters of a model, by place: the turn in which it touched it and has to be tested there."""


@dataclass(frozen=True, slots=True)
class Enter(Action):
    """Roll for a model that enters a dangerous place.

    area: its name, or a kind with grade and Power. air: it is gas or
    radiation, which reaches models off the ground. moved: the danger was moved onto the model.
    """

    command = "cb.enter"
    typed = "cb field enter"
    titled = "Enter a dangerous place"
    waits_for_dice = True

    model: Fighter = who()
    area: Ground = danger_field("Place or kind of danger", needed=True, unsaid=ROCKS)
    grade: int = fields.whole("Grade (1 to 3)", 1, 3, default=1, checked=True, fact=True)
    power: int = fields.whole("Power (default 5)", 0, 10, default=0, checked=True, fact=True)
    air: bool = fields.switch("The danger is gas or radiation", fact=True)
    moved: bool = fields.switch("The danger was moved onto the model", fact=True)
    order: bool = order()
    odds: bool = fields.odds()

    @property
    def ground(self) -> Ground:
        """Return the place that is meant: one on the table, or a kind of danger as it is told."""
        if self.area.name:
            return self.area
        return replace(self.area, grade=self.grade, power=self.power or SUGGESTED_POWER)


# ------------------------------------------------------------------------------------------- entering


@dataclass(frozen=True, slots=True)
class ReadyEntry:
    """A model that touches a place, and what is rolled there; `safe`: why nothing is.

    check: the Initiative check. exposed: the dice that hurt, where it fails. hit: the one of heat or cold.
    """

    model: Fighter
    ground: Ground
    check: PreparedCheck | None = None
    exposed: Exposure | None = None
    found: Climate | None = None
    hit: bool = False
    ones_cancel: bool = False
    safe: str = ""
    token: tuple[Effect, ...] = ()

    def dice(self, ability: str) -> list[str]:
        """Return what is rolled, in words."""
        words = [dice_words(self.check, ability)] if self.check else []
        if self.exposed is not None:
            rating = times(self.exposed.rating, "die", "dice")
            words.append(
                f"then {rating} against Defense {self.exposed.defense}, shield {self.exposed.shields}D "
                f"against Power {self.exposed.power}"
            )
        return words


@dataclass(frozen=True, slots=True)
class Entered:
    """The result. passed: the check; more: dice from its critical failure; wounds: of it."""

    passed: bool = True
    more: int = 0
    wounds: int = 0


def _find_exposure(act: ActView, model: Fighter, ground: Ground, *, air: bool) -> Exposure | None:
    rules = settings(act)
    if ground.kind in (Hazard.ACID, Hazard.TOXIC):
        return hazard_exposure(model, HazardArea(Hazard(ground.kind), ground.grade), rules)
    if not is_at_risk(model, on_ground=not model.flies, airborne_danger=air):
        return None
    return exposure(model, ground.grade, ground.power, rules)


@in_steps(Enter)
class Entering(FinishingOften[Enter, ReadyEntry, Entered]):
    """The check that the place asks for, and what it does."""

    def prepare(self, act: ActView, action: Enter) -> ReadyEntry:
        """Return who was not tested there in this turn. Raises Forbidden."""
        model, ground = action.model, action.ground
        has_rolled_here = model.count(EXPOSED.of(ground.name)) == max(1, act.encounter.row.turn)
        if ground.name and has_rolled_here and not action.moved and not act.action.looks:
            forbid(
                (
                    f"{model.name} has already rolled for {ground.words} this turn. If the danger has been "
                    'moved onto the model since that roll, tick "The danger was moved onto the model".'
                ),
                "CB-TERR-07",
            )
        refuse_typed(
            'Don\'t tick "The danger was moved onto the model", because '
            f"{model.name} has not rolled for this danger this turn.",
            action.moved and not (ground.name and has_rolled_here),
        )
        if ground.kind in (Hazard.ACID, Hazard.TOXIC, Hazard.HEAT_OR_COLD, Hazard.SLICK):
            refuse_typed(
                'Don\'t tick "The danger is gas or radiation", because it makes no difference for '
                f"{ground.words}.",
                action.air,
            )
        if ground.kind == Hazard.HEAT_OR_COLD:
            return _prepare_climate(act, model, ground)
        exposure_here = None
        if ground.kind != Hazard.SLICK:
            exposure_here = _find_exposure(act, model, ground, air=action.air)
            if exposure_here is None:
                safe_text = (
                    'Don\'t tick "Order token (+1)" or "The danger is gas or radiation", because '
                    f"{model.name} is safe from {ground.words}."
                )
                refuse_typed(safe_text, action.order, action.air)
                return ReadyEntry(model, ground, safe=_describe_protection(model, ground) or "off the ground")
        target = FOOTING_TARGET if exposure_here is None else DANGER_TARGET
        check = initiative_check(model, target, order_token=action.order, settings=settings(act))
        token = token_price(act, model, spent=action.order)
        return ReadyEntry(model, ground, check, exposure_here, token=token)

    def thrown(self, act: Act, action: Enter, ready: ReadyEntry) -> Entered:
        name, words = ready.model.name, ready.ground.words
        if ready.check is None:
            return (
                Entered(wounds=act.roll(cast_automatic_hit(name, words), _freezes, ready))
                if ready.hit
                else Entered()
            )
        throws = (ready.check.throw,)
        if ready.exposed is None:
            return Entered(
                act.roll(Whose(name, "Initiative check", "on slick ground"), keeps_footing, throws)
            )
        roller = Whose(name, "Initiative check", f"against {words}")
        result = act.roll(roller, throw, throws, label="initiative")
        if result.net:
            return Entered()
        extra_ones = result.net_ones
        return Entered(
            False,
            extra_ones,
            act.roll(cast_automatic_hit(name, words), danger_damage, ready.exposed, extra_ones),
        )

    def settle(self, act: Act, action: Enter, ready: ReadyEntry, outcome: Entered) -> Telling:
        model, ground = ready.model, ready.ground
        if ground.name:
            turn = max(1, act.encounter.row.turn)
            act.encounter.model(model.id).counters[EXPOSED.of(ground.name)] = turn
        carry_through(act, ready.token)
        if ready.found is not None:
            return _apply_climate(act, ready, ready.found, outcome)
        if ready.check is not None and ready.exposed is None:
            return _resolve_footing(act, ready, ready.check, kept_footing=outcome.passed)
        return _resolve_danger(act, ready, outcome)

    def tell(self, act: Act, action: Enter, ready: ReadyEntry, told: Telling) -> Reply:
        reply = super().tell(act, action, ready, told)
        named = bool(ready.ground.name) and not _is_climate(ready.ground)
        is_public = not ready.safe or len(told.lines) > 1 or named
        return reply if is_public else replace(reply, private=True)

    def chances(self, act: ActView, action: Enter, ready: ReadyEntry) -> Chances:
        model, words = ready.model, ready.ground.words
        if ready.safe:
            return Chances((f"{model.name} is safe from {words} ({ready.safe}).",))
        if ready.check is None:
            lines = _climate_lines(ready)
            return wound_chances(model, act.solve(_freezes, ready), *lines) if ready.hit else Chances(lines)
        dice_lines, throws = ready.dice(settings(act).initiative_check_ability), (ready.check.throw,)
        if ready.exposed is None:
            return pass_chances(
                model.name, "stays on its feet", act.solve(keeps_footing, throws), dice_lines[0]
            )
        odds = act.solve(danger, throws, ready.exposed)
        return wound_chances(model, odds, f"{model.name} -> {words}", *dice_lines)

    def turned(self, plain: Enter, ready: ReadyEntry) -> Enter | None:
        return otherwise(plain) if ready.check is not None else None


def _describe_protection(model: Fighter, ground: Ground) -> str:
    kind = "acid" if ground.kind == Hazard.ACID else "toxic" if ground.kind == Hazard.TOXIC else ROCKS
    return find_protection(model, kind)  # type: ignore[arg-type]


def _resolve_danger(act: Act, ready: ReadyEntry, outcome: Entered) -> Telling:
    """Initiative check, damage dice, shields. Rules: CB-TERR-07 to CB-TERR-10, CB-HAZ-01, CB-HAZ-06."""
    model, ground, telling, acid_telling = ready.model, ready.ground, Telling(), Telling()
    _damage_gear(act, acid_telling, model, ground)
    telling.proposals += acid_telling.proposals
    if ready.check is None:
        telling.lines += [f"{model.name} is safe from {ground.words} ({ready.safe}).", *acid_telling.lines]
        return telling
    dice = ready.dice(settings(act).initiative_check_ability)
    telling.why += why_check(ready.check, f"{possessive(model.name)} Initiative check")
    if outcome.passed:
        telling.lines += [f"{model.name} avoids {ground.words}.", *acid_telling.lines]
        telling.dice = dice[:1]
        return telling
    telling.dice = dice
    add_wounds(
        act, telling, again(act, model), outcome.wounds, f"from {CAUSES.get(ground.kind, ground.words)}"
    )
    telling.lines += acid_telling.lines
    extra_dice_text = times(outcome.more, "extra die", "extra dice")
    telling.lines += [f"Critical failure: {extra_dice_text}."] if outcome.more else []
    return telling


CAUSES = {ROCKS: "dangerous ground", Hazard.ACID: "the acid", Hazard.TOXIC: "toxins"}
"""The cause of wounds in such a place."""


def _damage_gear(act: Act, telling: Telling, model: Fighter, ground: Ground) -> None:
    """Damage gear for a turn in acid, except gear that protects. Rules: CB-HAZ-02."""
    if ground.kind != Hazard.ACID:
        return
    treated = find_protection(model, "acid") not in ("", "Robot")
    effects = acid_on_gear(model, treated=treated)
    telling.follow(act, effects)
    if effects:
        dice_left_text = times(again(act, model).shield, "shield die", "shield dice")
        telling.lines.append(f"The acid destroys a shield die. {model.name} has {dice_left_text} left.")


def _resolve_footing(act: Act, ready: ReadyEntry, check: PreparedCheck, *, kept_footing: bool) -> Telling:
    """Initiative check at 7, or Prone. Rules: CB-HAZ-05."""
    name = ready.model.name
    telling = Telling(
        [f"{name} stays on its feet." if kept_footing else f"{name} slips and falls prone."],
        why_check(check, f"{possessive(name)} Initiative check"),
        dice=ready.dice(settings(act).initiative_check_ability),
    )
    telling.follow(act, after_footing(ready.model, kept_footing=kept_footing))
    return telling


def _is_climate(ground: Ground) -> bool:
    return ground.kind == Hazard.HEAT_OR_COLD


def _prepare_climate(act: ActView, model: Fighter, ground: Ground) -> ReadyEntry:
    """Heat or cold; the hit of the worst comes once, whatever the table already takes. Rules: CB-HAZ-04."""
    safe = find_protection(model, "heat_or_cold")
    if safe:
        return ReadyEntry(model, ground, safe=safe)
    climate_now, old_climate = climate(model, ground.grade), _find_old_climate(act, model)
    hit = bool(climate_now.power and not old_climate.power)
    return ReadyEntry(model, ground, found=climate_now, hit=hit, ones_cancel=settings(act).shield_ones_cancel)


def _find_old_climate(act: ActView, model: Fighter) -> Climate:
    old_grade = climate_here(act.encounter, model)
    return climate(model, old_grade) if old_grade else Climate(float(model.mv), ACTIONS)


def _freezes(dice: Dice, ready: ReadyEntry) -> int:
    """The hit of the worst heat or cold. Rules: CB-HAZ-04."""
    assert ready.found is not None, "a place of heat or cold"
    model = ready.model
    return climate_hit(dice, ready.found.power, model.shield, model.has_feature("tough"), ready.ones_cancel)


def _climate_lines(ready: ReadyEntry) -> tuple[str, ...]:
    assert ready.found is not None, "a place of heat or cold"
    mv_line = f"Mv {ready.found.mv_inches:g} in{_describe_lost_actions(ready.found)}"
    return (f"{ready.model.name} in {ready.ground.words}:", mv_line)


def _apply_climate(act: Act, ready: ReadyEntry, climate_now: Climate, outcome: Entered) -> Telling:
    """Mv and actions lost for this turn, and the hit of the worst; what the table already takes counts once.

    An active model loses the action now, another when it is activated. Rules: CB-HAZ-04.
    """
    model, old_climate = ready.model, _find_old_climate(act, ready.model)
    telling = Telling(list(_climate_lines(ready)))
    grade = max(ready.ground.grade, climate_here(act.encounter, model))
    new_counters = {
        ModelState.climate.key: grade,
        ModelState.climate_turn.key: max(1, act.encounter.row.turn),
    }
    carry_through(act, [Assign("model", model.id, key, value) for key, value in new_counters.items()])
    actions_lost = min(old_climate.actions - climate_now.actions, actions_left(model))
    if actions_lost > 0 and model.has(Condition.ACTIVE):
        carry_through(act, [Count("model", model.id, Counter.ACTIONS, actions_lost)])
        telling.lines.append(f"{model.name} loses {times(actions_lost, 'action')} to heat or cold.")
    if ready.hit:
        add_wounds(act, telling, again(act, model), outcome.wounds, "from heat or cold")
    return telling


def _describe_lost_actions(climate_now: Climate) -> str:
    actions_lost = ACTIONS - climate_now.actions
    return f", {times(actions_lost, 'action')} lost" if actions_lost else ", no actions lost"


# ------------------------------------------------------------------------------------------- owed


def note_checks(encounter: Encounter, proposals: Iterable[Propose]) -> None:
    """Store which checks of places on the table are owed from now on, in this turn.

    Rules: CB-TERR-07, CB-HAZ-01, CB-HAZ-05.
    """
    for proposal in proposals:
        area = str(dict(proposal.details).get("area", ""))
        if proposal.action in ("danger", "footing") and area:
            encounter.model(proposal.model).counters[TOUCHED.of(area)] = max(1, encounter.row.turn)


def list_owed_checks(encounter: Encounter, row: ModelRow) -> list[Propose]:
    """Return owed checks of places that a model touched this turn. Rules: CB-TERR-07."""
    turn, turns_touched = max(1, encounter.row.turn), TOUCHED.among(row.counters.items())
    if not turns_touched:
        return []
    names = [name for name in area_names(encounter) if turns_touched.get(name) == turn]
    owed_places = [name for name in names if row.counters.get(EXPOSED.of(name)) != turn]
    return [Propose("danger", row.id, "", (("area", name),)) for name in owed_places]


# ------------------------------------------------------------------------------------------- offers


@register_offer("danger")
def _danger_offer(proposal: Propose) -> tuple[str, Action]:
    details = dict(proposal.details)
    area = reference_by_name(str(details.get("area", details.get("hazard", ROCKS))))
    return "Check", Enter(reference_by_number(proposal.model), area, int(details.get("grade", 1)))


@register_offer("footing")
def _footing_offer(proposal: Propose) -> tuple[str, Action]:
    area = reference_by_name(str(dict(proposal.details).get("area", Hazard.SLICK)))
    return "Check", Enter(reference_by_number(proposal.model), area)


@dataclass(frozen=True, slots=True)
class RandomHazard(Action):
    """Roll a random hazard for a model.

    It is 5 in across, centred on the model.
    """

    command = "cb.hazard"
    typed = "cb field hazard"
    titled = "Random hazard"
    waits_for_dice = True

    model: Fighter = who()
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class MendGear(Action):
    """Repair gear damaged by acid.

    It is repaired or replaced.
    """

    command = "cb.gear"
    typed = "cb field gear"
    titled = "Repair acid damage"

    model: Fighter = who()


@dataclass(frozen=True, slots=True)
class ReadyHazard:
    """The model that a random hazard hits."""

    model: Fighter


@in_steps(RandomHazard)
class HazardComing(Finishing[RandomHazard, ReadyHazard, HazardArea]):
    """Kind and grade by the chart; it stays on the table, and what it does at once is asked for."""

    def prepare(self, act: ActView, action: RandomHazard) -> ReadyHazard:
        return ReadyHazard(action.model)

    def whose(self, action: RandomHazard, ready: ReadyHazard) -> Cast:
        return cast_by_label(
            Whose(ready.model.name, "roll", "for a random hazard"),
            grade=Whose(ready.model.name, "roll", "for the grade of the hazard"),
        )

    def rule(self, dice: Dice, ready: ReadyHazard) -> HazardArea:
        return random_hazard(dice)

    def settle(self, act: Act, action: RandomHazard, ready: ReadyHazard, outcome: HazardArea) -> Telling:
        model, area = ready.model, outcome
        kind, telling = area.hazard.value.replace("_", " "), Telling()
        at = place_of(act.encounter.model(model.id))
        if area.hazard is Hazard.FIRE:
            name = add_fire(act.encounter, "fire", hazard_fire(area, max(1, act.encounter.row.turn)), at)
            telling.lines.append(
                f"{name.capitalize()} R5 burns around {model.name} for {times(area.grade, 'turn')}."
            )
        else:
            patch = AreaPlace(at, HAZARD_INCHES)
            name = add_area(act.encounter, kind, area.hazard.value, area.grade, at=patch)
            words = read_area(act.encounter, name).words
            telling.lines.append(f"{words.capitalize()} R5 is centred on {model.name}.")
        for effect in after_random_hazard(model, area):
            telling.follow(act, (_named(effect, name) if isinstance(effect, Propose) else effect,))
        note_checks(act.encounter, telling.proposals)
        if area.hazard is Hazard.FIRE and again(act, model).conditions != model.conditions:
            telling.lines.append(f"{model.name} is burning.")
        return telling

    def chances(self, act: ActView, action: RandomHazard, ready: ReadyHazard) -> Chances:
        kinds = act.solve(self.rule, ready).map(lambda area: area.hazard)
        rows = [(kind.value.replace("_", " "), chance) for kind, chance in kinds.each().items()]
        return Chances((f"Random hazard for {ready.model.name}:", *bars(rows)), solved=(kinds,))


def _named(proposal: Propose, area: str) -> Propose:
    return replace(proposal, details=(*proposal.details, ("area", area)))


@handles(MendGear)
def mend_gear(act: Act, action: MendGear) -> Reply:
    """Restore all its shield dice."""
    model = action.model
    effects = reset_acid(model)
    if not effects:
        raise InvalidInput(f"{possessive(model.name)} gear has no acid damage to repair.")
    carry_through(act, effects)
    return finish(
        act,
        Telling([f"{model.name} has {times(again(act, model).shield, 'shield die', 'shield dice')} again."]),
    )
