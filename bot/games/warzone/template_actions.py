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
from bot.games.warzone.reactions import dive_buttons, template_cause
from bot.games.warzone.shots import Template, shot_of, terms_of
from bot.games.warzone.state import state_of
from bot.games.warzone.steps import Begin, Fell, Performing, allowed, as_revealed, begin, rolled
from bot.games.warzone.units import first_weapon
from bot.replies.chances import bars
from bot.replies.reply import Button, Reply
from bot.table.act import Act, ActView
from bot.table.offers.forms import SEVERAL, Several
from bot.table.reaction_windows import Cause, played_by_others
from bot.table.session.drafts import Draft, Gathered, Gathering, gathering, gathers
from bot.table.steps import Chances, as_done, in_steps
from rules.dice import Odds
from rules.effects import Propose
from rules.modifiers import Modifier
from rules.refusals import InvalidInput
from rules.systems.warzone.attacks import CRITICAL_DM, FUMBLED, Attack, armour
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


def _under(act: ActView, action: Template) -> tuple[Model, ...]:
    """Return everyone under the template who did not dive clear. Rules: WZ-TMPL-01."""
    models = action.numbers
    if not models:
        wholly, partly, target = action.under, action.partly, action.target
        target_alone = () if any(model.id == target.id for model in partly) else (target,)
        models = under_template(wholly or target_alone, partly, settings_for(act))
        if not models:
            raise InvalidInput(
                "Move the template so that a model is completely under it. Under your house rules, models "
                "that are only partly under it aren't hit."
            )
    return tuple(model for model in models if not state_of(model).dived_clear)


def cause_of(act: Act, action: Template) -> Cause | None:
    """Return what a template gives cause for: dives, before anything is rolled. Rules: WZ-DIVE-01."""
    return template_cause(action.firer, _under(act, action))


def _may_fire(act: ActView, action: Template) -> None:
    """Refuses one who may not act, or carries nothing that fires templates."""
    first_weapon(action.firer, close=False, template=True)
    require_deed(act, action.firer, Deed.SHOOT)


@dataclass(frozen=True, slots=True)
class ReadyTemplate:
    """A template attack that may be made. under: who is under it; fault: of a machine's LD test before it."""

    begin: Begin
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
class Fired:
    """What was rolled for it: a machine's test, the attack with its saves, each vehicle under it."""

    known: Grade | None
    attack: Fell[TemplateResult] | None = None
    hulls: tuple[Fell[Hull], ...] = ()


@in_steps(Template, may=_may_fire)
class Firing(Performing[Template, ReadyTemplate, Fired]):
    """One template attack. Rules: WZ-TMPL-01, WZ-TMPL-02, WZ-CRIT-02, WZ-DIVE-01."""

    label = "Fire"

    def prepare(self, act: ActView, action: Template) -> ReadyTemplate:
        firer, target, settings = action.firer, action.target, settings_for(act)
        shot = shot_of(act, action)
        models_under = _under(act, action)

        def rule(shooter: Model, overridden: bool) -> tuple[Shot, TemplateAttack]:
            aimed = replace(shot, firer=shooter, target=as_revealed(target)) if overridden else shot
            return aimed, prepare_template(aimed, models_under, settings)

        shot, numbers = allowed(act, rule, firer)
        act.canonical = replace(as_done(action), under=(), partly=(), numbers=models_under)
        beginning = begin(act, firer, Deed.SHOOT, hidden=not shot.enemy_in_sight)
        terms = terms_of(action.distance, shot)
        return ReadyTemplate(
            beginning, shot, models_under, numbers, terms, find_recognition_modifiers(firer, target)
        )

    def asks(self, act: Act, action: Template, ready: ReadyTemplate) -> Reply | None:
        """Ask for dives of models whose player is asked by no window. Rules: WZ-DIVE-01."""
        others = played_by_others(act, (model.id for model in ready.under))
        own_models = tuple(model for model in ready.under if model.id not in others)
        dives = dive_buttons(own_models, ready.begin.model)
        return None if action.now or not dives else _may_dive(act, ready.shot, dives, own_models)

    def rolls(self, act: Act, action: Template, ready: ReadyTemplate) -> Fired:
        """Return the machine's test, the attack with the saves of models, the saves of vehicles."""
        shot, numbers, settings = ready.shot, ready.numbers, settings_for(act)
        recognition = roll_recognition(act, shot.firer, ready.fault)
        if recognition is not None and not recognition.passed:
            return Fired(recognition)
        names = [model.name for model in ready.soft]
        aimed = shot.target.name if shot.target else "the aiming point"
        cast = narration.find_template_thrower(
            shot.firer.name, shot.weapon.name, aimed, names, int(not numbers.automatic)
        )
        attack_roll = rolled(act, cast, template_attack, numbers)
        critical = attack_roll.result.grade is Grade.CRITICAL
        hulls = [
            roll_vehicle_hit(
                act, shot.firer, vehicle, on_vehicle(vehicle, numbers, settings, critical=critical)
            )
            for vehicle in ready.under
            if vehicle.vehicle and attack_roll.result.grade.passed
        ]
        return Fired(recognition, attack_roll, tuple(hulls))

    def done(self, telling: Telling, action: Template, ready: ReadyTemplate, result: Fired) -> None:
        act, shot = telling.act, ready.shot
        if not report_recognition(telling, shot.firer, ready.fault, result.known) or result.attack is None:
            return
        telling.dice += ready.said
        outcome, models_under, numbers = result.attack.result, ready.under, ready.numbers
        forget_dives(act.encounter)
        telling.lines += _landed(ready, outcome)
        saves = (
            _saves(models_under, numbers, critical=outcome.grade is Grade.CRITICAL)
            if outcome.grade.passed
            else []
        )
        needs = _heads(shot, numbers, _modifiers(act, shot, numbers))
        telling.thrown(*needs, *saves, throws=result.attack.throws)
        telling.why += _why(act, shot, numbers)
        after = after_template(shot, models_under, outcome, settings_for(act))
        telling.follow([e for e in after if not _is(e, "vehicle_hit")], source=shot.firer)
        if outcome.grade is Grade.FUMBLE:
            telling.next.append(f"{shot.firer.name} fumbled, so its next attack gets -4.")
        for model, wounds in zip(ready.soft, outcome.wounds, strict=False):
            propose_dire_test(telling, shot.firer, model, wounds)
        critical = outcome.grade is Grade.CRITICAL
        vehicles = [model for model in models_under if model.vehicle]
        for vehicle, hull in zip(vehicles, result.hulls, strict=False):
            hit = on_vehicle(vehicle, numbers, settings_for(act), critical=critical)
            carry_out_vehicle_hit(telling, shot.firer, vehicle, hit, hull)

    def chances(self, act: ActView, action: Template, ready: ReadyTemplate) -> Chances:
        """Return the chances of the roll, and of every model under the aiming point."""
        shot, numbers, hurdle = ready.shot, ready.numbers, ready.begin.hurdle
        odds = act.solve(template_attack, replace(numbers, armours=()))
        hits = odds.chance(lambda done: done.grade.passed)
        rows = [("hits", hits), ("deviates", 1 - hits)]
        solved: list[Odds[Any]] = [odds]
        odds_by_armour = {
            ar: act.solve(template_attack, replace(numbers, armours=(ar,)))
            for ar in dict.fromkeys(numbers.armours)
        }
        solved += odds_by_armour.values()
        rows += [
            (f"{model.name} wounded", odds_by_armour[ar].chance(lambda result: any(result.wounds)))
            for model, ar in zip(ready.soft, numbers.armours, strict=True)
        ]
        for vehicle in (model for model in ready.under if model.vehicle):
            hurt = act.solve(vehicle_under, numbers, vehicle, settings_for(act))
            rows.append((f"{vehicle.name} wounded", hurt.chance(bool)))
            solved.append(hurt)
        lines = (
            f"{shot.firer.name} -> {shot.target.name}",
            *ready.said,
            *_heads(shot, numbers, _modifiers(act, shot, numbers)),
            *bars(rows),
            *describe_recognition_odds(act, shot.firer, shot.target),
            *hurdle.lines,
        )
        return Chances(lines, "hits", hits, tuple(solved), not_yet=hurdle.not_yet)


def _landed(ready: ReadyTemplate, result: TemplateResult) -> list[str]:
    shot = ready.shot
    head = f"{shot.firer.name} misses {shot.target.name}"
    if result.deviation is not None:
        return [f"{head}. The template deviates {result.deviation.inches} in."]
    if not result.grade.passed:
        return [f"{head}."]
    if not ready.under:
        return [f"{shot.firer.name} fires at {shot.target.name}, but no model is under the template."]
    return [f"{shot.firer.name} hits {shot.target.name}.", *_fates(ready.under, result)]


def _may_dive(act: ActView, shot: Shot, dives: Sequence[Button], models_under: Sequence[Model]) -> Reply:
    """Who is on wait may dive before anything is rolled. Rules: WZ-DIVE-01."""
    assert isinstance(act.canonical, Template)
    fire = Button("Resolve", replace(act.canonical, now=True), "main", anytime=True)
    names = ", ".join(model.name for model in models_under if model.has(Condition.WAITING))
    return Reply(
        (
            f"{shot.firer.name} fires its {shot.weapon.name} at {shot.target.name}.",
            f"These models can dive for cover first: {names}.",
            "Press Resolve afterwards. Nothing has been rolled yet.",
        ),
        buttons=(*dives, fire),
    )


def _modifiers(act: ActView, shot: Shot, numbers: TemplateAttack) -> tuple[Modifier, ...]:
    return () if numbers.automatic else shot_modifiers(shot, settings_for(act))


def _heads(shot: Shot, numbers: TemplateAttack, modifiers: tuple[Modifier, ...]) -> list[str]:
    if numbers.automatic:
        return [f"No attack roll is needed ({shot.weapon.name})"]
    limit = numbers.limit + (FUMBLED if numbers.fumbled else 0)
    title = f"{shot.weapon.name}, {band_of(shot.distance_inches)}"
    return [f"{title}: {limit} or less ({format_short_sum('RC', shot.firer.profile.rc, modifiers)})"]


def _saves(models_under: Sequence[Model], numbers: TemplateAttack, *, critical: bool) -> list[str]:
    """Return what everyone under it must throw. Rules: WZ-CRIT-02."""
    soft = [model for model in models_under if not model.vehicle]
    dm = numbers.dm + (CRITICAL_DM if critical else 0)
    needs = ", ".join(
        f"{model.name} needs {ar - dm} or less" for model, ar in zip(soft, numbers.armours, strict=True)
    )
    critical_lines = (
        [f"Natural 1: DM +{CRITICAL_DM} against every model under the template"] if critical else []
    )
    return [*critical_lines, *([f"Saves against DM {dm}: {needs}"] if soft else [])]


def _is(effect: object, action: str) -> bool:
    return isinstance(effect, Propose) and effect.action == action


def _fates(models_under: Sequence[Model], result: TemplateResult) -> list[str]:
    soft = [model for model in models_under if not model.vehicle]
    return [f"{model.name}: {fate(model, n)}" for model, n in zip(soft, result.wounds, strict=True)]


def _why(act: Act, shot: Shot, numbers: TemplateAttack) -> list[str]:
    base = Attack(1, numbers.limit, numbers.dm, armour(shot.target, settings_for(act)), numbers.hits)
    ready = Prepared(
        shot.firer,
        shot.target,
        shot.weapon,
        base,
        shot.weapon.name,
        "RC",
        shot.firer.profile.rc,
        _modifiers(act, shot, numbers),
        shot.from_rear,
    )
    return explain_attack(ready, act)


def _fields(act: ActView) -> Sequence[Gathered]:
    return (Gathered("under", write_under_prompt(settings_for(act)), "Models under the template"),)


def _template_heading(act: ActView, action: Template) -> Sequence[str]:
    shot = shot_of(act, action)
    head = f"{shot.firer.name}: {shot.weapon.name} at {action.target.name}"
    in_part = (
        [(f"Partly under the template: {', '.join(model.name for model in action.partly)}.")]
        if action.partly
        else []
    )
    return (head, *terms_of(action.distance, shot), *in_part)


gathers(Template, Gathering(_fields, _template_heading, "Fire", least=1))


def _several(act: Act, action: Action) -> Draft | None:
    raw_values = raw_of(action)
    if not {"firer", "target"} <= raw_values.keys():
        return None
    numbers = raw_values.get("numbers")
    numbered = ", ".join(f"#{number}" for number in numbers) if isinstance(numbers, tuple) else ""
    models_under = numbered or raw_values.get("under", "" if "partly" in raw_values else raw_values["target"])
    return gathering(action_of(action.command, raw_values | {"under": models_under, "numbers": ()}))


SEVERAL.update(
    {
        Template.command: Several(
            "Several models under the template",
            "Choose the models in the next message",
            _several,
            frozenset({"under", "partly"}),
        )
    }
)
