"""Templates that went astray: who is under them, the saves of models, and hits on vehicles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.warzone import narration
from bot.games.warzone.attacks import describe_broken_systems, fate, propose_dire_test
from bot.games.warzone.common import Telling, carries_out, find_model, settings_for, sort_by_id
from bot.games.warzone.fields import find_models_under, launcher_field, model_by_id_field, models_by_id_field
from bot.games.warzone.state import model_state, state_of
from bot.games.warzone.steps import CountedRoll, Rolling, roll_counted
from bot.games.warzone.units import Carried, carried_weapon, model_of, models_of, settings_of
from bot.replies.chances import bars
from bot.replies.fit import MAX_CHOICES
from bot.replies.reply import Button, Choice, Menu
from bot.table.act import Act, ActView
from bot.table.answering import Answered
from bot.table.board import facts
from bot.table.board.places import place_words
from bot.table.board.surface import kept, require_board
from bot.table.encounter import Encounter
from bot.table.owners import player_of
from bot.table.session.drafts import Picker, PickField, encode_piece, make_picker_draft, register_picker
from bot.table.steps import Chances, in_steps
from rules.dice import Odds
from rules.effects import Propose
from rules.measure import bearing, moved
from rules.refusals import InvalidInput
from rules.systems.warzone.attacks import Attack, after_wounds, armour, damage_modifiers
from rules.systems.warzone.model import Model
from rules.systems.warzone.profile import Weapon
from rules.systems.warzone.settings import Settings
from rules.systems.warzone.templates import blast
from rules.systems.warzone.vehicles import Hull, after_hull, hit_vehicle, hull_of
from rules.wording import possessive


@dataclass(frozen=True, slots=True)
class Blast(Action):
    """Land a template that went astray: everyone under it takes the hit, if anyone is."""

    command = "wz.blast"
    decision_of = player_of("firer")

    firer: Model = model_by_id_field(help="Model", gone=True, needed=True)
    weapon: Carried = launcher_field("firer")
    under: tuple[Model, ...] = models_by_id_field(fact=True)


def _gather_models_under(act: ActView) -> Sequence[PickField]:
    return (PickField("under", write_under_prompt(settings_for(act)), "Models under the template"),)


def _describe_landing(act: ActView, action: Blast) -> Sequence[str]:
    return (f"{possessive(action.firer.name)} template lands ({action.weapon.weapon.name})",)


register_picker(Blast, Picker(_gather_models_under, _describe_landing, "Roll"))


def roll_vehicle_hit(act: Act, firer: Model, vehicle: Model, numbers: Attack) -> CountedRoll[Hull]:
    """Roll the hit of a template on a vehicle: no further attack roll. Rules: WZ-TMPL-01, WZ-VEH-02."""
    same_margin = settings_for(act).chain_reroll == "same_margin"
    cast = narration.find_attack_thrower(firer.name, vehicle.name, "template")
    return roll_counted(
        act, cast, hit_vehicle, hull_of(vehicle), numbers.hits, numbers.ar, numbers.dm, same_margin
    )


def carry_out_vehicle_hit(
    telling: Telling, firer: Model, vehicle: Model, numbers: Attack, rolled_hit: CountedRoll[Hull]
) -> None:
    """Describe a rolled hit on a vehicle and carry it out."""
    hull = rolled_hit.result
    wounds = vehicle.wounds_left - hull.wounds
    telling.lines += [f"{vehicle.name}: {fate(vehicle, wounds)}", *describe_broken_systems(vehicle, hull)]
    save = f"Save: {numbers.ar - numbers.dm} or less (AR {numbers.ar} - DM {numbers.dm})"
    telling.thrown(save, throws=rolled_hit.throws)
    telling.follow(after_hull(vehicle, hull), source=firer)
    propose_dire_test(telling, firer, vehicle, wounds)


@carries_out("blast")
def _keep_astray(telling: Telling, proposal: Propose) -> None:
    """Store the template until it lands, and ask at once who is under it. Rules: WZ-TMPL-02."""
    encounter = telling.act.encounter
    firer = find_model(telling.act, proposal.model)
    weapon = carried_weapon(firer, firer.profile.weapon(str(dict(proposal.details)["weapon"])))
    model_state(encounter, firer.id).astray[weapon.weapon.name] += 1
    telling.next.append(proposal.reason)
    telling.buttons += _report_landing(telling, proposal, firer, weapon)
    telling.ask(*build_landing_controls(encounter, firer, weapon))


def _report_landing(telling: Telling, proposal: Propose, firer: Model, weapon: Carried) -> Iterator[Button]:
    """Report where it lands on the board, and offer to roll for everyone under it, if anyone is."""
    encounter, details = telling.act.encounter, dict(proposal.details)
    firer_and_target = facts.pair(encounter, firer.id, int(details["target"]))
    if firer_and_target is None:
        return
    ahead_bearing = 0.0 if details["from_north"] else bearing(firer_and_target[0].at, firer_and_target[1].at)
    landing_point = kept(
        moved(firer_and_target[1].at, ahead_bearing + int(details["degrees"]), int(details["inches"]))
    )
    covered_models = find_models_under(encounter, weapon.weapon, landing_point, firer_and_target[1].bottom)
    hit_ids = (
        *covered_models.wholly,
        *(covered_models.partly if settings_for(telling.act).partial_cover_counts else ()),
    )
    models = sort_by_id(*(model_of(encounter, encounter.model(number)) for number in hit_ids))
    names = ", ".join(model.name for model in models)
    landing_place = place_words(require_board(encounter), landing_point)
    telling.next.append(
        f"On the board, the template lands at {landing_place}, on {names}."
        if names
        else f"On the board, the template lands at {landing_place} and hits no model."
    )
    if models:
        label = "Roll for every model under the template"
        yield Button(label, Blast(firer, weapon, models), "main", anytime=True)


def build_landing_controls(encounter: Encounter, firer: Model, weapon: Carried) -> tuple[Menu, Button]:
    """Ask who is under a template that went astray, if anyone."""
    blast_action = Blast(firer, weapon)
    menu = build_model_menu(
        encounter, write_under_prompt(settings_of(encounter)), blast_action, "under", foes_first_of=firer
    )
    return menu, Button("No models under the template", blast_action, anytime=True)


def write_under_prompt(settings: Settings) -> str:
    """Return the question about who is hit, by the setting. Rules: WZ-TMPL-01."""
    return (
        "Which models are under the template, even partly?"
        if settings.partial_cover_counts
        else "Which models are completely under the template?"
    )


def build_model_menu(
    encounter: Encounter, prompt: str, action: Action, field_name: str, *, foes_first_of: Model | None = None
) -> Menu:
    """Return a menu of everyone in play, with several choices; it may be answered late.

    Where one menu does not hold them all, what is chosen is gathered first, from several.
    """
    all_models = sorted(
        models_of(encounter), key=lambda one: foes_first_of is not None and one.side == foes_first_of.side
    )
    has_too_many = len(all_models) > MAX_CHOICES
    menu_action, name = (make_picker_draft(action), "more") if has_too_many else (action, field_name)
    values = [encode_piece(action, model.id) if has_too_many else model.id for model in all_models]
    choices = [Choice(model.name, str(value)) for model, value in zip(all_models, values, strict=True)]
    return Menu(prompt, menu_action, name, tuple(choices), 1, min(len(choices), MAX_CHOICES), anytime=True)


@dataclass(frozen=True, slots=True)
class ReadyBlast:
    """A template that lands. dm: of its hit; under: who is under it."""

    firer: Model
    weapon: Weapon
    under: tuple[Model, ...]
    dm: int
    armours: tuple[int, ...]

    @property
    def soft(self) -> tuple[Model, ...]:
        """Return the models under it that aren't vehicles."""
        return tuple(model for model in self.under if not model.vehicle)

    @property
    def vehicles(self) -> tuple[Model, ...]:
        """Return the vehicles under it."""
        return tuple(model for model in self.under if model.vehicle)


@dataclass(frozen=True, slots=True)
class Landed:
    """The rolls of a template: the models' wounds in order, None without models; then each vehicle."""

    wounds: CountedRoll[tuple[int, ...]] | None
    hulls: tuple[CountedRoll[Hull], ...]


@in_steps(Blast)
class Landing(Rolling[Blast, ReadyBlast, Landed]):
    """Where a template that went astray lands. Rules: WZ-TMPL-02, WZ-DMG-01."""

    def prepare(self, act: ActView, action: Blast) -> ReadyBlast:
        firer, weapon, settings = action.firer, action.weapon.weapon, settings_for(act)
        act.require_model(act.encounter.model(firer.id))
        if not weapon.has("template"):
            raise InvalidInput(f"Choose a template weapon. {weapon.name} isn't one.")
        if not state_of(firer).astray[weapon.name]:
            raise Answered(
                f"Nothing has changed. {possessive(firer.name)} {weapon.name} template has already landed."
            )
        models_under = sort_by_id(*action.under)
        act.canonical = replace(action, under=models_under)
        dm = weapon.dm + sum(m.amount for m in damage_modifiers(weapon, firer, None, settings))
        armours = tuple(armour(model, settings) for model in models_under if not model.vehicle)
        return ReadyBlast(firer, weapon, models_under, dm, armours)

    def thrown(self, act: Act, action: Blast, ready: ReadyBlast) -> Landed:
        names, wounds = [model.name for model in ready.soft], None
        if names:
            place = "the place where the template lands"
            cast = narration.find_template_thrower(ready.firer.name, ready.weapon.name, place, names)
            wounds = roll_counted(act, cast, blast, ready.dm, ready.armours, ready.weapon.hits)
        hulls = [
            roll_vehicle_hit(act, ready.firer, vehicle, _build_vehicle_attack(act, ready, vehicle))
            for vehicle in ready.vehicles
        ]
        return Landed(wounds, tuple(hulls))

    def settle(self, act: Act, action: Blast, ready: ReadyBlast, outcome: Landed) -> Telling:
        telling, dm = Telling(act), ready.dm
        model_state(act.encounter, ready.firer.id).astray[ready.weapon.name] -= 1
        names = ", ".join(model.name for model in ready.under)
        telling.lines.append(
            f"The {ready.weapon.name} template {f'lands on {names}' if names else 'hits no model'}."
        )
        wounds = outcome.wounds.result if outcome.wounds is not None else ()
        telling.lines += [
            f"{model.name}: {fate(model, wounds_taken)}"
            for model, wounds_taken in zip(ready.soft, wounds, strict=True)
        ]
        if outcome.wounds is not None:
            saves = zip(ready.soft, ready.armours, strict=True)
            save_needs = ", ".join(f"{model.name} needs {ar - dm} or less" for model, ar in saves)
            telling.thrown(f"Saves against DM {dm}: {save_needs}", throws=outcome.wounds.throws)
        for model, wounds_taken in zip(ready.soft, wounds, strict=True):
            telling.follow(after_wounds(model, wounds_taken), source=ready.firer)
        for model, wounds_taken in zip(ready.soft, wounds, strict=True):
            propose_dire_test(telling, ready.firer, model, wounds_taken)
        for vehicle, hull in zip(ready.vehicles, outcome.hulls, strict=True):
            carry_out_vehicle_hit(
                telling, ready.firer, vehicle, _build_vehicle_attack(act, ready, vehicle), hull
            )
        return telling

    def chances(self, act: ActView, action: Blast, ready: ReadyBlast) -> Chances:
        same_margin = settings_for(act).chain_reroll == "same_margin"
        wound_odds: list[tuple[str, Odds[bool]]] = []
        for model, ar in zip(ready.soft, ready.armours, strict=True):
            odds = act.solve(blast, ready.dm, (ar,), ready.weapon.hits)
            wound_odds.append((f"{model.name} wounded", odds.map(any)))
        for vehicle in ready.vehicles:
            hit, wounds_left = _build_vehicle_attack(act, ready, vehicle), vehicle.wounds_left
            hulls = act.solve(hit_vehicle, hull_of(vehicle), hit.hits, hit.ar, hit.dm, same_margin)
            wounded = hulls.map(lambda hull, left=wounds_left: hull.wounds < left)  # type: ignore[misc]
            wound_odds.append((f"{vehicle.name} wounded", wounded))
        rows = [(name, odds.chance(bool)) for name, odds in wound_odds]
        if not rows:
            return Chances((f"The {ready.weapon.name} template hits no model.",), "hurt", 0.0)
        lines = (f"Chances when the {ready.weapon.name} template lands", *bars(rows))
        return Chances(lines, rows[0][0], rows[0][1], tuple(odds for _, odds in wound_odds))


def _build_vehicle_attack(act: ActView, ready: ReadyBlast, vehicle: Model) -> Attack:
    return Attack(1, 0, ready.dm, armour(vehicle, settings_for(act)), ready.weapon.hits, automatic=True)
