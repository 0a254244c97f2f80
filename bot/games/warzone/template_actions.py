"""Template weapons: the roll for the aiming point, and everyone under it, put together by pressing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.actions import Action, action_of, raw_of
from bot.games.warzone import narration
from bot.games.warzone.attacks import (
    Prepared,
    describe_recognition_odds,
    explain_attack,
    fate,
    find_recognition_modifiers,
    propose_dire_test,
    report_recognition,
    roll_recognition,
)
from bot.games.warzone.blast_actions import carry_out_vehicle_hit, roll_vehicle_hit, write_under_prompt
from bot.games.warzone.common import Telling, forget_dives, settings_for
from bot.games.warzone.fear import require_deed
from bot.games.warzone.narration import format_short_sum
from bot.games.warzone.reactions import build_dive_buttons, build_template_cause
from bot.games.warzone.shots import Template, build_shot, describe_shot_terms
from bot.games.warzone.state import state_of
from bot.games.warzone.steps import (
    CountedRoll,
    DeedStart,
    MultiRollDeed,
    apply_rule,
    as_revealed,
    begin,
    roll_counted,
)
from bot.games.warzone.units import first_weapon
from bot.replies.chances import bars
from bot.replies.reply import Button, Reply
from bot.table.act import Act, ActView
from bot.table.offers.forms import SEVERAL_BY_COMMAND, Several
from bot.table.reaction_windows import Cause, played_by_others
from bot.table.session.drafts import Draft, Picker, PickField, make_picker_draft, register_picker
from bot.table.steps import Chances, as_done, in_steps
from rules.dice import Odds
from rules.effects import Propose
from rules.modifiers import Modifier
from rules.refusals import InvalidInput
from rules.systems.warzone.attacks import CRITICAL_DM, FUMBLE_MODIFIER, Attack, armour
from rules.systems.warzone.characteristic import Grade
from rules.systems.warzone.model import Condition, Model
from rules.systems.warzone.morale import Act as Deed
from rules.systems.warzone.ranged import Shot, band_of, shot_modifiers
from rules.systems.warzone.templates import (
    TemplateAttack,
    TemplateResult,
    after_template,
    on_vehicle,
    prepare_template,
    template_attack,
    under_template,
    vehicle_under,
)
from rules.systems.warzone.vehicles import Hull


def _find_models_under(act: ActView, action: Template) -> tuple[Model, ...]:
    """Return everyone under the template who did not dive clear. Rules: WZ-TMPL-01."""
    models = action.numbers
    if not models:
        wholly, partly, target = action.under, action.partly, action.target
        target_if_uncovered = () if any(model.id == target.id for model in partly) else (target,)
        models = under_template(wholly or target_if_uncovered, partly, settings_for(act))
        if not models:
            raise InvalidInput(
                "Move the template so that a model is completely under it. With your house rules, models "
                "that are only partly under it aren't hit."
            )
    return tuple(model for model in models if not state_of(model).dived_clear)


def find_template_cause(act: Act, action: Template) -> Cause | None:
    """Return what a template gives cause for: dives, before anything is rolled. Rules: WZ-DIVE-01."""
    return build_template_cause(action.firer, _find_models_under(act, action))


def _check_can_fire(act: ActView, action: Template) -> None:
    """Refuses one who may not act, or carries nothing that fires templates."""
    first_weapon(action.firer, close=False, template=True)
    require_deed(act, action.firer, Deed.SHOOT)


@dataclass(frozen=True, slots=True)
class ReadyTemplate:
    """A template attack that may be made. under: who is under it; fault: of a machine's LD test before it."""

    begin: DeedStart
    shot: Shot
    under: tuple[Model, ...]
    numbers: TemplateAttack
    said: tuple[str, ...]
    fault: tuple[Modifier, ...] | None = None

    @property
    def soft(self) -> tuple[Model, ...]:
        """Return those under it who are no vehicles."""
        return tuple(model for model in self.under if not model.vehicle)


@dataclass(frozen=True, slots=True)
class FiredTemplate:
    """What was rolled for it: a machine's test, the attack with its saves, each vehicle under it."""

    known: Grade | None
    attack: CountedRoll[TemplateResult] | None = None
    hulls: tuple[CountedRoll[Hull], ...] = ()


@in_steps(Template, may=_check_can_fire)
class Firing(MultiRollDeed[Template, ReadyTemplate, FiredTemplate]):
    """One template attack. Rules: WZ-TMPL-01, WZ-TMPL-02, WZ-CRIT-02, WZ-DIVE-01."""

    label = "Fire"

    def prepare(self, act: ActView, action: Template) -> ReadyTemplate:
        firer, target, settings = action.firer, action.target, settings_for(act)
        shot = build_shot(act, action)
        models_under = _find_models_under(act, action)

        def rule(shooter: Model, overridden: bool) -> tuple[Shot, TemplateAttack]:
            aimed_shot = replace(shot, firer=shooter, target=as_revealed(target)) if overridden else shot
            return aimed_shot, prepare_template(aimed_shot, models_under, settings)

        shot, numbers = apply_rule(act, rule, firer)
        act.canonical = replace(as_done(action), under=(), partly=(), numbers=models_under)
        deed_start = begin(act, firer, Deed.SHOOT, hidden=not shot.enemy_in_sight)
        terms = describe_shot_terms(action.distance, shot)
        return ReadyTemplate(
            deed_start, shot, models_under, numbers, terms, find_recognition_modifiers(firer, target)
        )

    def asks(self, act: Act, action: Template, ready: ReadyTemplate) -> Reply | None:
        """Ask for dives of models whose player is asked by no window. Rules: WZ-DIVE-01."""
        ids_of_other_players = played_by_others(act, (model.id for model in ready.under))
        own_models = tuple(model for model in ready.under if model.id not in ids_of_other_players)
        dive_buttons = build_dive_buttons(own_models, ready.begin.model)
        return (
            None
            if action.now or not dive_buttons
            else _offer_dives(act, ready.shot, dive_buttons, own_models)
        )

    def rolls(self, act: Act, action: Template, ready: ReadyTemplate) -> FiredTemplate:
        shot, numbers, settings = ready.shot, ready.numbers, settings_for(act)
        recognition = roll_recognition(act, shot.firer, ready.fault)
        if recognition is not None and not recognition.passed:
            return FiredTemplate(recognition)
        names = [model.name for model in ready.soft]
        aimed_at = shot.target.name if shot.target else "the aiming point"
        throwers = narration.find_template_thrower(
            shot.firer.name, shot.weapon.name, aimed_at, names, int(not numbers.automatic)
        )
        attack_roll = roll_counted(act, throwers, template_attack, numbers)
        is_critical = attack_roll.result.grade is Grade.CRITICAL
        hull_rolls = [
            roll_vehicle_hit(
                act, shot.firer, vehicle, on_vehicle(vehicle, numbers, settings, critical=is_critical)
            )
            for vehicle in ready.under
            if vehicle.vehicle and attack_roll.result.grade.passed
        ]
        return FiredTemplate(recognition, attack_roll, tuple(hull_rolls))

    def done(self, telling: Telling, action: Template, ready: ReadyTemplate, result: FiredTemplate) -> None:
        act, shot = telling.act, ready.shot
        if not report_recognition(telling, shot.firer, ready.fault, result.known) or result.attack is None:
            return
        telling.dice += ready.said
        outcome, models_under, numbers = result.attack.result, ready.under, ready.numbers
        forget_dives(act.encounter)
        telling.lines += _describe_landing(ready, outcome)
        save_lines = (
            _list_saves(models_under, numbers, is_critical=outcome.grade is Grade.CRITICAL)
            if outcome.grade.passed
            else []
        )
        heading_lines = _list_headings(shot, numbers, _list_shot_modifiers(act, shot, numbers))
        telling.thrown(*heading_lines, *save_lines, throws=result.attack.throws)
        telling.why += _explain(act, shot, numbers)
        effects = after_template(shot, models_under, outcome, settings_for(act))
        telling.follow(
            [effect for effect in effects if not _is_proposal(effect, "vehicle_hit")], source=shot.firer
        )
        if outcome.grade is Grade.FUMBLE:
            telling.next.append(f"{shot.firer.name} fumbled, so its next attack gets -4.")
        for model, wounds in zip(ready.soft, outcome.wounds, strict=False):
            propose_dire_test(telling, shot.firer, model, wounds)
        is_critical = outcome.grade is Grade.CRITICAL
        vehicles = [model for model in models_under if model.vehicle]
        for vehicle, hull in zip(vehicles, result.hulls, strict=False):
            hit = on_vehicle(vehicle, numbers, settings_for(act), critical=is_critical)
            carry_out_vehicle_hit(telling, shot.firer, vehicle, hit, hull)

    def chances(self, act: ActView, action: Template, ready: ReadyTemplate) -> Chances:
        shot, numbers, preconditions = ready.shot, ready.numbers, ready.begin.hurdle
        odds = act.solve(template_attack, replace(numbers, armours=()))
        hits = odds.chance(lambda done: done.grade.passed)
        rows = [("hits", hits), ("deviates", 1 - hits)]
        all_odds: list[Odds[Any]] = [odds]
        odds_by_armour = {
            ar: act.solve(template_attack, replace(numbers, armours=(ar,)))
            for ar in dict.fromkeys(numbers.armours)
        }
        all_odds += odds_by_armour.values()
        rows += [
            (f"{model.name} wounded", odds_by_armour[ar].chance(lambda result: any(result.wounds)))
            for model, ar in zip(ready.soft, numbers.armours, strict=True)
        ]
        for vehicle in (model for model in ready.under if model.vehicle):
            wound_odds = act.solve(vehicle_under, numbers, vehicle, settings_for(act))
            rows.append((f"{vehicle.name} wounded", wound_odds.chance(bool)))
            all_odds.append(wound_odds)
        lines = (
            f"{shot.firer.name} -> {shot.target.name}",
            *ready.said,
            *_list_headings(shot, numbers, _list_shot_modifiers(act, shot, numbers)),
            *bars(rows),
            *describe_recognition_odds(act, shot.firer, shot.target),
            *preconditions.lines,
        )
        return Chances(lines, "hits", hits, tuple(all_odds), not_yet=preconditions.not_yet)


def _describe_landing(ready: ReadyTemplate, result: TemplateResult) -> list[str]:
    shot = ready.shot
    miss_text = f"{shot.firer.name} misses {shot.target.name}"
    if result.deviation is not None:
        return [f"{miss_text}. The template deviates {result.deviation.inches} in."]
    if not result.grade.passed:
        return [f"{miss_text}."]
    if not ready.under:
        return [f"{shot.firer.name} fires at {shot.target.name}, but no model is under the template."]
    return [f"{shot.firer.name} hits {shot.target.name}.", *_describe_fates(ready.under, result)]


def _offer_dives(
    act: ActView, shot: Shot, dive_buttons: Sequence[Button], models_under: Sequence[Model]
) -> Reply:
    """Who is on wait may dive before anything is rolled. Rules: WZ-DIVE-01."""
    assert isinstance(act.canonical, Template)
    fire = Button("Resolve", replace(act.canonical, now=True), "main", anytime=True)
    names = [model.name for model in models_under if model.has(Condition.WAITING)]
    return Reply(
        (
            f"{shot.firer.name} fires its {shot.weapon.name} at {shot.target.name}.",
            f"{names[0]} can dive for cover first."
            if len(names) == 1
            else f"These models can dive for cover first: {', '.join(names)}.",
            "Press Resolve afterwards. Nothing has been rolled yet.",
        ),
        buttons=(*dive_buttons, fire),
    )


def _list_shot_modifiers(act: ActView, shot: Shot, numbers: TemplateAttack) -> tuple[Modifier, ...]:
    return () if numbers.automatic else shot_modifiers(shot, settings_for(act))


def _list_headings(shot: Shot, numbers: TemplateAttack, modifiers: tuple[Modifier, ...]) -> list[str]:
    if numbers.automatic:
        return [f"No attack roll is needed ({shot.weapon.name})"]
    limit = numbers.limit + (FUMBLE_MODIFIER if numbers.fumbled else 0)
    title = f"{shot.weapon.name}, {band_of(shot.distance_inches)}"
    return [f"{title}: {limit} or less ({format_short_sum('RC', shot.firer.profile.rc, modifiers)})"]


def _list_saves(models_under: Sequence[Model], numbers: TemplateAttack, *, is_critical: bool) -> list[str]:
    """Return what everyone under it must throw. Rules: WZ-CRIT-02."""
    non_vehicles = [model for model in models_under if not model.vehicle]
    dm = numbers.dm + (CRITICAL_DM if is_critical else 0)
    needed_rolls = ", ".join(
        f"{model.name} needs {ar - dm} or less"
        for model, ar in zip(non_vehicles, numbers.armours, strict=True)
    )
    critical_lines = (
        [f"Natural 1: DM +{CRITICAL_DM} against every model under the template"] if is_critical else []
    )
    return [*critical_lines, *([f"Saves against DM {dm}: {needed_rolls}"] if non_vehicles else [])]


def _is_proposal(effect: object, action: str) -> bool:
    return isinstance(effect, Propose) and effect.action == action


def _describe_fates(models_under: Sequence[Model], result: TemplateResult) -> list[str]:
    non_vehicles = [model for model in models_under if not model.vehicle]
    return [f"{model.name}: {fate(model, n)}" for model, n in zip(non_vehicles, result.wounds, strict=True)]


def _explain(act: Act, shot: Shot, numbers: TemplateAttack) -> list[str]:
    base = Attack(1, numbers.limit, numbers.dm, armour(shot.target, settings_for(act)), numbers.hits)
    prepared_attack = Prepared(
        shot.firer,
        shot.target,
        shot.weapon,
        base,
        shot.weapon.name,
        "RC",
        shot.firer.profile.rc,
        _list_shot_modifiers(act, shot, numbers),
        shot.from_rear,
    )
    return explain_attack(prepared_attack, act)


def _list_gathered_fields(act: ActView) -> Sequence[PickField]:
    return (PickField("under", write_under_prompt(settings_for(act)), "Models under the template"),)


def _describe_template(act: ActView, action: Template) -> Sequence[str]:
    shot = build_shot(act, action)
    heading = f"{shot.firer.name}: {shot.weapon.name} at {action.target.name}"
    partly_lines = (
        [(f"Partly under the template: {', '.join(model.name for model in action.partly)}.")]
        if action.partly
        else []
    )
    return (heading, *describe_shot_terms(action.distance, shot), *partly_lines)


register_picker(Template, Picker(_list_gathered_fields, _describe_template, "Fire", least=1))


def _gather_several_models(act: Act, action: Action) -> Draft | None:
    raw_values = raw_of(action)
    if not {"firer", "target"} <= raw_values.keys():
        return None
    model_ids = raw_values.get("numbers")
    ids_text = ", ".join(f"#{number}" for number in model_ids) if isinstance(model_ids, tuple) else ""
    models_under = ids_text or raw_values.get("under", "" if "partly" in raw_values else raw_values["target"])
    return make_picker_draft(action_of(action.command, raw_values | {"under": models_under, "numbers": ()}))


SEVERAL_BY_COMMAND.update(
    {
        Template.command: Several(
            "Several models under the template",
            "Choose the models in the next message",
            _gather_several_models,
            frozenset({"under", "partly"}),
        )
    }
)
