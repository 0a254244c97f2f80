"""The turn at the table: initiative, rounds of alternating squads, orders out of turn, the end of a turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.games.warzone.activation import (
    Activate,
    BeginRound,
    Done,
    begin,
    build_done_button,
    build_next_menu,
    build_step_buttons,
    forget,
    forget_all,
    join_names_with_actions,
    to_come,
    together,
)
from bot.games.warzone.common import Telling, end_grants, settings_for
from bot.games.warzone.fear import NO_PRECONDITIONS
from bot.games.warzone.morale_actions import (
    Morale,
    list_names_owing_test,
    offer_lone_tests,
    settle_owed_tests,
    squads_owing_test,
)
from bot.games.warzone.narration import find_contest_thrower
from bot.games.warzone.state import ModelState, encounter_state
from bot.games.warzone.steps import (
    DeedStart,
    WarzoneWeighed,
    build_nerve_chances,
    report_nerve_and_pay,
    roll_nerve_test,
)
from bot.games.warzone.steps import begin as begin_deed
from bot.games.warzone.unit_actions import acting_squad, go_to_step, model_done
from bot.games.warzone.units import (
    models_of,
    read_turn,
    settings_of,
    squad_key,
    squad_of,
    squads_of,
    write_turn,
)
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.table.act import Act, ActView
from bot.table.encounter import Encounter
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.names import format_names
from bot.table.realdice import ask_waiting_roll_first
from bot.table.session.encounters import NextStep
from bot.table.session.preparations import END_BUTTON, build_question
from bot.table.steps import Chances, Rolled, in_steps
from bot.table.throw_purposes import Whose
from bot.table.waits import how_it_ends, one_side_left
from rules.effects import Effect, Lose
from rules.refusals import Forbidden, InvalidInput, refuse_typed
from rules.systems.warzone.characteristic import Grade, contest
from rules.systems.warzone.command import (
    Turn,
    activate,
    begin_activation,
    finish_activation,
    initiative_bases,
    order_unit,
    start_turn,
)
from rules.systems.warzone.model import ACTIONS, ORDERS_GIVEN, Condition, Model, Squad, expire
from rules.systems.warzone.morale import Act as Deed
from rules.systems.warzone.morale import forget_rallies
from rules.systems.warzone.waiting import end_sightings, share_sightings
from rules.wording import possessive, times

# ------------------------------------------------------------------------------------------- the turn


def begin_turn(act: Act, number: int) -> Reply:
    """Roll for the initiative; the first round belongs to its winner. Rules: WZ-TURN-01, WZ-TURN-02."""
    encounter = act.encounter
    sides = tuple(side.id for side in encounter.sides() if encounter.models(side.id))
    if len(sides) < 2 and number > 1:
        remaining_text = f"only {encounter.side(sides[0]).name}" if sides else "no side"
        raise InvalidInput(f"The game is over, because {remaining_text} has models left. {how_it_ends(act)}.")
    if len(sides) < 2:
        raise InvalidInput("Add models with /wz model add, or bring a crew. At least two sides need models.")
    bases = initiative_bases(models_of(encounter), sides)
    telling = Telling(act)
    throwers = [
        Whose(encounter.side(side).name, "initiative", f"in turn {number} ({base:+d})")
        for side, base in zip(sides, bases, strict=True)
    ]
    winner_place = act.roll(find_contest_thrower(bases, throwers), contest, bases, label="initiative")
    winner = encounter.side(sides[winner_place])
    encounter.row.turn, encounter.row.status = number, "playing"
    turn_units = read_turn(encounter).units
    order = tuple(side.id for side in encounter.sides())
    write_turn(encounter, start_turn(number, order, turn_units, winner.id, settings_for(act)))
    telling.lines.append(f"Turn {number}: {winner.name} has the initiative.")
    telling.thrown(
        *(
            f"{encounter.side(side_id).name}: d20 + {b} (best LD)"
            for side_id, b in zip(sides, bases, strict=True)
        ),
        adding=(bases,),
    )
    if settings_for(act).initiative_choice:
        telling.next.append(f"{winner.name}, which side starts?")
        telling.buttons += build_starting_buttons(encounter)
    return _add_next_step(encounter, telling.reply())


def build_starting_buttons(encounter: Encounter) -> list[Button]:
    """Return buttons for who starts, by the winner of the initiative, until it is settled. Rules:
    WZ-TURN-02.
    """
    if not _may_choose_start(encounter, read_turn(encounter)):
        return []
    sides = [side for side in encounter.sides() if encounter.models(side.id)]
    return [Button(f"{side.name} starts", BeginRound(side.id)) for side in sides]


def _may_choose_start(encounter: Encounter, turn: Turn) -> bool:
    winner_chooses = settings_of(encounter).initiative_choice
    return winner_chooses and not turn.active and not any(unit.activated for unit in turn.units)


@handles(BeginRound)
def choose_starting_side(act: Act, action: BeginRound) -> Reply:
    """Decide who starts, before the first unit of the turn acts. Rules: WZ-TURN-02."""
    encounter, turn = act.encounter, read_turn(act.encounter)
    if not _may_choose_start(encounter, turn):
        raise Forbidden("You can't choose the starting side now. Activate a unit instead.", "WZ-TURN-02")
    act.require_side(turn.order[0])
    first_side = encounter.side(action.side)
    new_turn = start_turn(
        turn.number, turn.order, turn.units, turn.order[0], settings_for(act), first_side.id
    )
    write_turn(encounter, new_turn)
    return _add_next_step(encounter, Reply((f"{first_side.name} starts.",), buttons=(UNDO,)))


def next_step(act: Act) -> Reply:
    """Begin the game, or end the turn and begin the next. Rules: WZ-TURN-02."""
    encounter = act.encounter
    if encounter.row.turn == 0:
        settle_owed_tests(encounter)
        return begin_turn(act, 1)
    if encounter_state(encounter).is_over:
        raise InvalidInput(f"The last turn is over. {how_it_ends(act)}.")
    turn = read_turn(encounter)
    with act.overridable():
        _require_turn_over(encounter, turn)
    end_turn(act)
    if encounter.row.turns and encounter.row.turn >= encounter.row.turns:
        encounter_state(encounter).is_over = True
        return Reply(
            (f"Turn {encounter.row.turn} was the last turn.", "You can end the game now."),
            buttons=(END_BUTTON, UNDO),
        )
    return begin_turn(act, encounter.row.turn + 1)


def _require_turn_over(encounter: Encounter, turn: Turn) -> None:
    for name in list_names_owing_test(encounter, between_rounds=not turn.active):
        raise Forbidden(f"{name} must take its morale test first. Use /wz morale.", "WZ-TEST-07")
    if not turn.over:
        unit_names = [squad_of(encounter, unit_id).name for side in turn.order for unit_id in turn.left(side)]
        which = "this unit has" if len(unit_names) == 1 else "these units have"
        raise Forbidden(f"Wait until {which} acted: {format_names(unit_names)}.", "WZ-TURN-02")


def end_turn(act: Act) -> None:
    """End what lasts until the end of the turn. Rules: WZ-RALLY-05, WZ-SPOT-04, WZ-RAMP-02, WZ-BACK-02."""
    encounter = act.encounter
    models_in_play = models_of(encounter)
    for model in models_in_play:
        encounter.apply(expire(model, "turn"))
    encounter.apply(end_sightings(models_in_play, settings_for(act)))
    encounter.apply(forget_rallies(tuple(squad.id for squad in squads_of(encounter, gone=True))))
    for row in encounter.models(gone=True):
        ModelState(row).dominated = False
    _end_activation_marks(encounter)


def _end_activation_marks(encounter: Encounter) -> None:
    """End the permissions and marks of one activation, with those of reactions."""
    end_grants(encounter)
    for model in encounter.models():
        encounter.apply([Lose(model.id, kind) for kind in (Condition.CHARGED, Condition.MOVED)])
    forget_all(encounter)


# ------------------------------------------------------------------------------------------- rounds


@dataclass(frozen=True, slots=True)
class ReadyActivation:
    """A unit that may act now. turn: the turn once it does.

    order: how its commander begins to order it, None where it acts in its turn; effects: what that gives.
    """

    squad: Squad
    turn: Turn
    order: DeedStart | None = None
    effects: tuple[Effect, ...] = ()


@in_steps(Activate)
class Activating(
    WarzoneWeighed[Activate, ReadyActivation], Rolled[Activate, ReadyActivation, Grade | None, Telling]
):
    """A unit begins its round, or acts by order, where its commander dares to give it.

    Rules: WZ-TURN-02, WZ-TURN-03, WZ-ORDER-01, WZ-SPOT-04, WZ-BROKEN-02.
    """

    label = "Activate"

    def prepare(self, act: ActView, action: Activate) -> ReadyActivation:
        """Return whether it may act now. Raises InvalidInput, Forbidden."""
        encounter, squad = act.encounter, action.unit
        act.require_side(squad.side)
        if encounter.row.turn < 1:
            raise Forbidden("Press Begin or use /encounter next. The game hasn't started.", "WZ-TURN-02")
        turn = read_turn(encounter)
        with act.overridable():
            for name in list_names_owing_test(encounter, between_rounds=not turn.active):
                raise Forbidden(f"{name} must take its morale test first. Use /wz morale.", "WZ-TEST-07")
        if action.by is not None:
            return _prepare_order(act, action, turn, action.by)
        refuse_typed(
            'Choose the commander who orders the unit to act, or untick "The commander sees no enemy".',
            action.hidden,
        )
        turn_after = None
        with act.overridable():
            turn_after = activate(turn, squad.id)
        return ReadyActivation(squad, turn_after or replace(turn, active=(*turn.active, squad.id)))

    def thrown(self, act: Act, action: Activate, ready: ReadyActivation) -> Grade | None:
        return roll_nerve_test(act, ready.order) if ready.order else None

    def settle(self, act: Act, action: Activate, ready: ReadyActivation, outcome: Grade | None) -> Telling:
        encounter, squad, telling = act.encounter, ready.squad, Telling(act)
        if ready.order and not report_nerve_and_pay(telling, ready.order, outcome):
            return telling
        if ready.order:
            telling.lines.append(f"{ready.order.model.name} orders {squad.name} to act.")
            telling.follow(ready.effects)
        write_turn(encounter, ready.turn)
        if not ready.order:
            settle_owed_tests(encounter)
            _end_activation_marks(encounter)
            telling.lines.append(f"Active: {squad.name}{_describe_strength(squad)}.")
        begin(encounter, squad)
        telling.follow(effect for model in squad.models for effect in begin_activation(model))
        squad_now = squad_of(encounter, squad.id)
        telling.lines += _describe_actions(squad_now)
        if together(encounter, squad_now):
            telling.lines.append("First all models move, then all attack, then all use their other actions.")
        telling.menus += () if telling.menus else build_next_menu(encounter)
        return telling

    def tell(self, act: Act, action: Activate, ready: ReadyActivation, telling: Telling) -> Reply:
        if ready.order and ready.squad.id not in read_turn(act.encounter).active:
            return telling.closing(ready.order.model)
        return telling.reply()

    def chances(self, act: ActView, action: Activate, ready: ReadyActivation) -> Chances:
        preconditions = ready.order.hurdle if ready.order else NO_PRECONDITIONS
        return build_nerve_chances(act, f"{ready.squad.name} can act now.", "acts", preconditions)


def _describe_strength(squad: Squad) -> str:
    return f" ({times(len(squad.models), 'model')})" if len(squad.models) > 1 else ""


def _describe_actions(squad: Squad) -> list[str]:
    counts: dict[int, list[str]] = {}
    for model in squad.models:
        counts.setdefault(model.count(ACTIONS), []).append(model.name)
    if len(counts) == 1 and len(squad.models) > 1:
        return [f"Each model has {times(next(iter(counts)), 'action')}."]
    return [f"{', '.join(names)}: {times(count, 'action')}." for count, names in counts.items()]


def _prepare_order(act: ActView, action: Activate, turn: Turn, commander: Model) -> ReadyActivation:
    """A commander who may activate a unit inside his own activation. Raises InvalidInput, Forbidden."""
    squad = action.unit
    turn_after, effects = order_unit(turn, commander, squad.id)
    concealed_models = tuple(model for model in models_of(act.encounter) if model.has(Condition.CONCEALED))
    sighting_effects = share_sightings(commander, squad.id, concealed_models)
    return ReadyActivation(
        squad,
        turn_after,
        begin_deed(act, commander, Deed.ORDER, hidden=action.hidden),
        (*effects, *sighting_effects),
    )


@handles(Done)
def done(act: Act, action: Done) -> Reply:
    """End the round, and make morale tests due; asks first if actions are left.

    Rules: WZ-TURN-02, WZ-TURN-03, WZ-MORALE-01.
    """
    encounter, turn = act.encounter, read_turn(act.encounter)
    squad = acting_squad(encounter)
    act.require_side(squad.side)
    act.canonical = Done(action.model, None if action.model else action.step)
    discard_reply = ask_waiting_roll_first(act)
    if discard_reply is not None:
        return discard_reply
    if action.model is not None:
        return model_done(act, action.model, squad)
    if action.step is not None:
        return go_to_step(act, action.step, squad)
    label = build_done_button(encounter).label
    question = build_question(_describe_unused_actions(squad), label, act.canonical) if action.asks else None
    if question is not None:
        return question
    telling = Telling(act)
    models_with_actions = to_come(squad)
    for model in squad.models:
        encounter.apply(expire(model, "activation"))
    forget(encounter, squad)
    turn_after = finish_activation(turn)
    write_turn(encounter, turn_after)
    settle_owed_tests(encounter)
    if turn_after.active:
        end_grants(encounter)
    else:
        _end_activation_marks(encounter)
    telling.lines.append(f"{possessive(squad.name)} activation ends.")
    if models_with_actions:
        telling.lines.append(f"Unused actions are lost: {join_names_with_actions(models_with_actions)}.")
    offer_morale_tests(telling)
    return _add_next_step(encounter, telling.reply())


def _describe_unused_actions(squad: Squad) -> tuple[str, ...]:
    """Return in words who has actions left in the acting unit. Rules: WZ-TURN-03."""
    models_with_actions = to_come(squad)
    return (f"Still to act: {join_names_with_actions(models_with_actions)}.",) if models_with_actions else ()


def offer_morale_tests(telling: Telling) -> None:
    """Offer a button for every squad that owes a morale test. Rules: WZ-MORALE-01, WZ-TEST-07."""
    encounter = telling.act.encounter
    for squad in squads_owing_test(encounter, between_rounds=False):
        loss_text = (
            f"after losing {squad.lost} of {squad.starting} models"
            if squad.starting > 1
            else "after losing at least half its wounds"
        )
        telling.next.append(f"{squad.name} must take a morale test {loss_text}.")
        telling.buttons.append(Button(f"Morale: {squad.name}", Morale(squad), "main", anytime=True))
    offer_lone_tests(telling)


# ------------------------------------------------------------------------------------------- what next


def describe_next_step(encounter: Encounter) -> list[str]:
    """Return whose round it is, or that the turn is over."""
    turn = read_turn(encounter)
    if turn.over:
        one_side_remains = one_side_left(encounter)
        next_text = "Only one side has models left." if one_side_remains else "The next turn can begin."
        return [f"Every unit has acted. {next_text}"]
    if turn.active:
        return [f"{squad_of(encounter, turn.active[-1]).name} continues its activation."]
    return [f"{encounter.side(turn.to_move).name}: choose a unit to activate"]


def build_unit_menus(encounter: Encounter) -> tuple[Menu, ...]:
    """Return the menu of units that may act now; of those that a commander may order while his unit acts."""
    turn = read_turn(encounter)
    if encounter.row.turn < 1 or turn.over or encounter_state(encounter).is_over:
        return ()
    if list_names_owing_test(encounter, between_rounds=not turn.active):
        return build_next_menu(encounter)
    if not turn.active:
        choices = _build_unit_choices(encounter, turn.left(turn.to_move))
        side = encounter.side(turn.to_move).name
        menu = Menu(f"{side}: choose a unit to activate", Activate(), "unit", choices, named=True)
        return (menu,) if choices else ()
    active_squad = squad_of(encounter, turn.active[-1])
    menus = []
    for commander in active_squad.models:
        may_order = (
            commander.profile.has("commander")
            and commander.count(ACTIONS)
            and not commander.count(ORDERS_GIVEN)
        )
        choices = _build_unit_choices(
            encounter, [unit_id for unit_id in turn.left(active_squad.side) if unit_id not in turn.active]
        )
        if may_order and choices:
            order = Activate(by=commander)
            menus.append(Menu(f"Which unit does {commander.name} give an order to?", order, "unit", choices))
    return (*build_next_menu(encounter), *menus[:2])


def _build_unit_choices(encounter: Encounter, squad_ids: Sequence[int]) -> tuple[Choice, ...]:
    squads = [squad_of(encounter, unit) for unit in squad_ids]
    return tuple(
        Choice(
            squad.name,
            squad_key(squad),
            f"{len(squad.models)} of {squad.starting} models" if squad.starting > 1 else "",
        )
        for squad in squads[:25]
    )


def _add_next_step(encounter: Encounter, reply: Reply) -> Reply:
    turn = read_turn(encounter)
    buttons = reply.buttons
    if turn.over:
        next_button = END_BUTTON if one_side_left(encounter) else Button("Next turn", NextStep(), "main")
        buttons = (*(button for button in buttons if button is not UNDO), next_button, UNDO)
    elif turn.active:
        steps = build_step_buttons(encounter)
        buttons = (
            *(button for button in buttons if button is not UNDO),
            *steps,
            build_done_button(encounter),
            UNDO,
        )
    return replace(
        reply,
        lines=(*reply.lines, *describe_next_step(encounter)),
        buttons=buttons,
        menus=(*reply.menus, *build_unit_menus(encounter)),
    )
