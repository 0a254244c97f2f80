"""Vehicles at the table: wrecks, passengers, explosions, cascading failures, who is aboard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from bot.actions import Action
from bot.games.warzone import suggestions
from bot.games.warzone.attacks import describe_broken_systems, fate
from bot.games.warzone.blast_actions import build_model_menu
from bot.games.warzone.common import (
    Telling,
    carries_out,
    find_model,
    forget_dives,
    is_out,
    settings_for,
    sort_by_id,
)
from bot.games.warzone.fear import build_sight_menu, find_afraid
from bot.games.warzone.fields import friend, model_by_id_field, model_list_field, models_by_id_field, who
from bot.games.warzone.narration import describe_sum, find_sufferer_throws
from bot.games.warzone.reactions import build_blast_cause, build_dive_buttons
from bot.games.warzone.state import ModelState, WreckBlast, model_state, state_of
from bot.games.warzone.steps import Rolling, roll_counted
from bot.games.warzone.units import is_gone, model_of, models_of, read_turn
from bot.replies.chances import bars
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.store.rows import ModelRow
from bot.table.act import Act, ActView
from bot.table.answering import Answered
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.encounter import Encounter
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.owners import PLAYER
from bot.table.reaction_windows import Cause
from bot.table.session.drafts import Picker, PickField, register_picker
from bot.table.steps import Chances, in_steps
from bot.table.throw_purposes import Whose
from rules.dice import Odds
from rules.effects import Count, Effect, Propose
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput, Missing
from rules.systems.warzone.attacks import after_wounds, armour
from rules.systems.warzone.model import LOST_ACTIONS, SYSTEM_HITS, Model
from rules.systems.warzone.powers import find_row, roll_chart
from rules.systems.warzone.vehicles import (
    EXPLOSION_DM,
    Hull,
    after_cascade,
    after_hull,
    after_passenger,
    after_wreck,
    avoid_limit,
    avoid_modifiers,
    cascade,
    explosion,
    explosion_on_vehicle,
    hull_of,
    passenger,
    wreck_steps,
)
from rules.wording import possessive, times


@dataclass(frozen=True, slots=True)
class Board(Action):
    """Get into a vehicle, or out of it.

    As crew or passenger; leave: out of it again.
    """

    command = "wz.board"
    typed = "wz model board"
    titled = "Get in or out"

    model: Model = who()
    vehicle: Model | None = friend("Vehicle", suggestions.vehicles, wanted=True)
    crew: bool = fields.switch("The model joins the vehicle's crew")
    leave: bool = fields.switch("Get out of the vehicle instead")


def _wreck_pressed(context: Asking) -> ModelRow | None:
    vehicle = context.so_far["vehicle"]
    return context.act.encounter.model(vehicle.id) if vehicle else None


@dataclass(frozen=True, slots=True)
class Explosion(Action):
    """Roll for a wreck's explosion.

    near: everyone within 1 inch, apart from those who got out of it; soft, hard: in cover.

    hidden: who sees no enemy. wreck, near_names, soft_names, hard_names, hidden_names: the same as typed.
    roll: no one is asked any longer.
    """

    command = "wz.explode"
    typed = "wz state explode"
    titled = "Explosion of a wreck"
    facts = frozenset({"roll"})
    decision_of = PLAYER

    vehicle: Model | None = model_by_id_field(gone=True)
    near: tuple[Model, ...] = models_by_id_field(fact=True)
    soft: tuple[Model, ...] = models_by_id_field(fact=True)
    hard: tuple[Model, ...] = models_by_id_field(fact=True)
    roll: bool = False
    hidden: tuple[Model, ...] = models_by_id_field(fact=True)
    wreck: Model = fields.gone_model("Wreck", view=model_of, needed=True, default=_wreck_pressed)
    near_names: tuple[Model, ...] = model_list_field(
        "Models within 1 in of the wreck", called="near", fact=True
    )
    soft_names: tuple[Model, ...] = model_list_field("Models in soft cover", called="soft", fact=True)
    hard_names: tuple[Model, ...] = model_list_field("Models in hard cover", called="hard", fact=True)
    hidden_names: tuple[Model, ...] = model_list_field("Models that see no enemy", called="hidden", fact=True)
    odds: bool = fields.odds("Show only the odds")


register_picker(
    Explosion,
    Picker(
        lambda act: (PickField("near", "Which models are within 1 in of the wreck?", "Near"),),
        lambda act, action: (f"{action.wreck.name} blows up",),
        "Go on",
    ),
)


# ------------------------------------------------------------------------------------------- aboard


@handles(Board)
def board(act: Act, action: Board) -> Reply:
    """Apply the vehicle's fate to everyone aboard. Rules: WZ-WRECK-03, WZ-SYS-06."""
    model, vehicle = action.model, action.vehicle
    state = model_state(act.encounter, model.id)
    if action.leave:
        act.canonical = replace(action, vehicle=None)
        if not state.aboard:
            raise InvalidInput(f"Choose another model. {model.name} isn't aboard a vehicle.")
        state.aboard = state.crew_of = 0
        return Reply((f"{model.name} gets out.",), buttons=(UNDO,))
    if vehicle is None:
        raise Missing(f"Choose a vehicle for {model.name} to get into.")
    if not vehicle.vehicle or vehicle.side != model.side or vehicle.id == model.id:
        raise InvalidInput(f"Choose a friendly vehicle. {vehicle.name} isn't one.")
    state.aboard = vehicle.id
    if action.crew:
        state.crew_of = vehicle.id
    word = "is in the crew of" if action.crew else "is aboard"
    return Reply((f"{model.name} {word} {vehicle.name}.",), buttons=(UNDO,))


def aboard(act: Act, vehicle: int) -> tuple[Model, ...]:
    """Return everyone in a vehicle."""
    return tuple(model for model in models_of(act.encounter) if state_of(model).aboard == vehicle)


# ------------------------------------------------------------------------------------------- wrecks


@carries_out("wreck")
def _wreck(telling: Telling, proposal: Propose) -> None:
    """Passengers and hull, in the order of the settings. Rules: WZ-WRECK-01, WZ-WRECK-03, WZ-WRECK-04."""
    act = telling.act
    vehicle = find_model(act, proposal.model)
    inside = aboard(act, vehicle.id)
    for step in wreck_steps(settings_for(act), len(inside)):
        if step == "passengers":
            _passengers(telling, inside)
        else:
            cast = Whose(vehicle.name, "roll", "on the wreck chart")
            key = act.roll(cast, roll_chart, "wreck")
            telling.lines.append(f"Wreck chart for {vehicle.name}: {find_row('wreck', key).name.lower()}.")
            telling.thrown()
            telling.follow(after_wreck(vehicle, key))
    for model in inside:
        state = model_state(act.encounter, model.id)
        state.aboard = state.crew_of = 0
        if not is_out(act, model):
            state.touches_wreck[vehicle.id] = 1


def _passengers(telling: Telling, inside: tuple[Model, ...]) -> None:
    act = telling.act
    for model in inside:
        cast = Whose(model.name, "roll", "on the passenger chart")
        key = act.roll(cast, passenger)
        telling.lines.append(f"{model.name} (aboard): {find_row('passenger', key).name.lower()}.")
        telling.follow(after_passenger(model, key))
    telling.thrown()
    if any(not is_out(act, model) for model in inside):
        telling.next.append("Place every survivor in contact with the wreck.")


@carries_out("explosion")
def _blows_up(telling: Telling, proposal: Propose) -> None:
    """It is kept until it is rolled, and asked at once who is near. Rules: WZ-WRECK-01."""
    encounter = telling.act.encounter
    model_state(encounter, proposal.model).wreck_blast = WreckBlast.OWED
    telling.next.append(proposal.reason)
    telling.ask(*who_is_near(encounter, find_model(telling.act, proposal.model)))


def who_is_near(encounter: Encounter, wreck: Model) -> tuple[Menu, Button]:
    """Ask who is near a wreck that blows up, apart from those who got out of it."""
    blast = Explosion(wreck)
    menu = build_model_menu(encounter, "Which models are within 1 in of the wreck?", blast, "near")
    return menu, Button("No other models near the wreck", blast, anytime=True)


@dataclass(frozen=True, slots=True)
class Blown:
    """An explosion that was rolled on one model. hull: what it leaves of a vehicle."""

    wounds: int
    throws: int
    hull: Hull | None = None


@dataclass(frozen=True, slots=True)
class ReadyExplosion:
    """A wreck that blows up. asked: the action in its one form; models: those near who did not dive."""

    wreck: Model
    asked: Explosion
    models: tuple[Model, ...]


@in_steps(Explosion)
class Exploding(Rolling[Explosion, ReadyExplosion, tuple[Blown, ...]]):
    """Everyone within an inch: an LD test in cover, then a save against DM 9. Rules: WZ-WRECK-01, -02."""

    def prepare(self, act: ActView, action: Explosion) -> ReadyExplosion:
        """Return which wreck, and who is near. Raises InvalidInput, Forbidden."""
        wreck, row = action.wreck, act.encounter.model(action.wreck.id)
        if not is_gone(row) or row.left_how != "wrecked":
            raise Forbidden(f"Choose a wreck. {row.name} isn't one.", "WZ-WRECK-01")
        if state_of(wreck).wreck_blast == WreckBlast.BLOWN_UP:
            raise Answered(f"Nothing has changed. {row.name} has already blown up.")
        explosion = act.canonical = _in_one_form(act, action)
        models = tuple(model for model in explosion.near if not state_of(model).dived_clear)
        if not models and action.vehicle is None:
            raise Missing("Choose the models within 1 in of the wreck.")
        return ReadyExplosion(wreck, explosion, models)

    def asks(self, act: Act, action: Explosion, ready: ReadyExplosion) -> Reply | None:
        if ready.asked.roll or not ready.models:
            return None
        return _ask_cover(ready.asked, ready.models, ready.wreck)

    def thrown(self, act: Act, action: Explosion, ready: ReadyExplosion) -> tuple[Blown, ...]:
        explosion, wreck = ready.asked, ready.wreck.name
        return tuple(_throw_blast(act, model, _avoids(explosion, model)[0], wreck) for model in ready.models)

    def settle(
        self, act: Act, action: Explosion, ready: ReadyExplosion, outcome: tuple[Blown, ...]
    ) -> Telling:
        telling, settings = Telling(act), settings_for(act)
        telling.lines.append(f"{ready.wreck.name} blows up (DM {EXPLOSION_DM}).")
        telling.lines += [] if ready.models else ["No models are near the wreck."]
        model_state(act.encounter, ready.wreck.id).wreck_blast = WreckBlast.BLOWN_UP
        for model, blown in zip(ready.models, outcome, strict=True):
            limit, parts = _avoids(ready.asked, model)
            ar = armour(model, settings)
            needs = f"{model.name} saves on {ar - EXPLOSION_DM} or less"
            if limit is not None:
                telling.why += [model.name, *describe_sum("LD", model.profile.ld, parts)]
                needs = (
                    f"{model.name} avoids the blast on {limit} or less (LD). If not, it saves on "
                    f"{ar - EXPLOSION_DM} or less"
                )
            effects, broken = _blown(model, blown)
            telling.lines += [f"{model.name}: {fate(model, blown.wounds)}", *broken]
            telling.thrown(needs, throws=blown.throws)
            telling.follow(effects)
        for row in act.encounter.models(gone=True):
            ModelState(row).touches_wreck[ready.wreck.id] = 0
        forget_dives(act.encounter)
        return telling

    def chances(self, act: ActView, action: Explosion, ready: ReadyExplosion) -> Chances:
        solved = tuple(_hurt(act, model, _avoids(ready.asked, model)[0]) for model in ready.models)
        rows = [
            (f"{model.name} wounded", odds.chance(bool))
            for model, odds in zip(ready.models, solved, strict=True)
        ]
        if not rows:
            return Chances(
                (f"{ready.wreck.name} blows up, but no models are near it.",), "models wounded", 0.0
            )
        lines = (f"{ready.wreck.name} blows up (DM {EXPLOSION_DM})", *bars(rows))
        return Chances(lines, rows[0][0], rows[0][1], solved)


def _in_one_form(act: ActView, action: Explosion) -> Explosion:
    """What was typed as if it had been pressed, survivors among who is near."""
    soft = sort_by_id(*action.soft, *action.soft_names)
    hard = sort_by_id(*action.hard, *action.hard_names)
    hidden = sort_by_id(*action.hidden, *action.hidden_names)
    passengers_out = _got_out(act, action.wreck.id)
    return Explosion(
        action.wreck,
        sort_by_id(*action.near, *action.near_names, *soft, *hard, *hidden, *passengers_out),
        tuple(model for model in soft if model.id not in {other.id for other in hard}),
        hard,
        action.roll or action.vehicle is None or act.action.looks,
        hidden,
    )


def cause_of(act: Act, action: Explosion) -> Cause | None:
    """Return what a blast gives cause for: dives, before it is rolled. Rules: WZ-DIVE-01."""
    explosion = _in_one_form(act, action)
    return build_blast_cause(action.wreck, explosion.near) if explosion.roll else None


def _got_out(act: ActView, wreck: int) -> list[Model]:
    """Survivors who stand touching the wreck. Rules: WZ-WRECK-04."""
    return [model for model in models_of(act.encounter) if state_of(model).touches_wreck[wreck]]


def _ask_cover(action: Explosion, models: tuple[Model, ...], wreck: Model) -> Reply:
    """Who is in cover, who sees no enemy, and who is on wait, before anything is rolled."""
    choices = tuple(Choice(model.name, str(model.id)) for model in models)[:25]
    roll = Button("Roll", replace(action, roll=True), "main", anytime=True)
    dives = build_dive_buttons(models, wreck)
    soft = "Models in soft cover (LD +2 to avoid the blast)"
    hard = "Models in hard cover (LD +4 to avoid the blast)"
    return Reply(
        (
            f"{wreck.name} blows up. Models near it: {', '.join((model.name for model in models))}.",
            "Choose the models in cover, then press Roll. Nothing has been rolled yet.",
        ),
        buttons=(roll, *dives),
        menus=(
            Menu(soft, action, "soft", choices, 1, len(choices), anytime=True),
            Menu(hard, action, "hard", choices, 1, len(choices), anytime=True),
            *([build_sight_menu(action, models)] if find_afraid(models) else []),
        ),
    )


def _avoids(action: Explosion, model: Model) -> tuple[int | None, tuple[Modifier, ...]]:
    """Return the limit of the LD test of a model in cover, with its reasons; None for one without."""
    hard = any(other.id == model.id for other in action.hard)
    if not hard and all(other.id != model.id for other in action.soft):
        return None, ()
    cover: Literal["soft", "hard"] = "hard" if hard else "soft"
    sees = all(other.id != model.id for other in action.hidden)
    return avoid_limit(model, cover, enemy_in_sight=sees), avoid_modifiers(model, cover, enemy_in_sight=sees)


def _hurt(act: ActView, model: Model, avoid: int | None) -> Odds[bool]:
    """Whether the explosion hurts a model."""
    ar = armour(model, settings_for(act))
    if not model.vehicle:
        return act.solve(explosion, ar, avoid).map(lambda wounds: wounds > 0)
    same_margin = settings_for(act).chain_reroll == "same_margin"
    hulls = act.solve(explosion_on_vehicle, hull_of(model), ar, avoid, same_margin)
    return hulls.map(lambda hull: hull.wounds < model.wounds_left)


def _throw_blast(act: Act, model: Model, avoid: int | None, wreck: str) -> Blown:
    """Roll the explosion on one model."""
    ar = armour(model, settings_for(act))
    blast = f"{possessive(wreck)} blast"
    cast = find_sufferer_throws(model.name, blast, f"to avoid {blast} ({avoid} or less)")
    if not model.vehicle:
        blast_roll = roll_counted(act, cast, explosion, ar, avoid)
        return Blown(blast_roll.result, blast_roll.throws)
    same_margin = settings_for(act).chain_reroll == "same_margin"
    hull = roll_counted(act, cast, explosion_on_vehicle, hull_of(model), ar, avoid, same_margin)
    return Blown(model.wounds_left - hull.result.wounds, hull.throws, hull.result)


def _blown(model: Model, blown: Blown) -> tuple[Sequence[Effect], list[str]]:
    if blown.hull is None:
        return after_wounds(model, blown.wounds), []
    return after_hull(model, blown.hull), describe_broken_systems(model, blown.hull)


# ------------------------------------------------------------------------------------------- cascade


@carries_out("cascade")
def _cascade(telling: Telling, proposal: Propose) -> None:
    """Before a damaged vehicle acts: a d20 for each hit. Rules: WZ-SYS-06."""
    act = telling.act
    vehicle = find_model(act, proposal.model)
    cast = Whose(vehicle.name, "roll", "for cascading failures")
    lost = act.roll(cast, cascade, vehicle.count(SYSTEM_HITS.of("cascade")))
    crew = (vehicle, *(model for model in aboard(act, vehicle.id) if state_of(model).crew_of))
    to_come = {unit.id for unit in read_turn(act.encounter).units if not unit.activated}
    later_models = [model for model in crew if model.squad != vehicle.squad and model.squad in to_come]
    telling.lines.append(
        f"{vehicle.name} loses {times(lost, 'action') if lost else 'no actions'} to cascading failures."
    )
    telling.thrown("Cascading failures: each 11+ costs an action")
    telling.follow(after_cascade(crew, lost))
    telling.follow(Count("model", model.id, LOST_ACTIONS, lost) for model in later_models if lost)
