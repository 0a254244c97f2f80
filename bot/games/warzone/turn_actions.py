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
from bot.games.warzone.steps import Begin, Offered, dared, daring, throw_nerve
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
from bot.table.names import listed
from bot.table.realdice import thrown_first
from bot.table.session.encounters import NextStep
from bot.table.session.preparations import END, ask_first
from bot.table.steps import Chances, Rolled, in_steps
from bot.table.throw_purposes import Whose
from bot.table.waits import how_it_ends, one_side_left
from rules.effects import Effect, Lose
from rules.refusals import Forbidden, InvalidInput, require_unsaid
from rules.systems.warzone.characteristic import Grade, contest
from rules.systems.warzone.command import (
    Turn,
    activate,
    begin_activation,
    finish,
    initiative_bases,
    order_unit,
    start_turn,
)
from rules.systems.warzone.model import ACTIONS, ORDERED, Condition, Model, Squad, expire
from rules.systems.warzone.morale import Act as Deed
from rules.systems.warzone.morale import forget_rallies
from rules.systems.warzone.waiting import share_sightings, sightings_end
from rules.wording import possessive, times

# ------------------------------------------------------------------------------------------- the turn


def begin_turn(act: Act, number: int) -> Reply:
    """Roll for the initiative; the first round belongs to its winner. Rules: WZ-TURN-01, WZ-TURN-02."""
    encounter = act.encounter
    sides = tuple(side.id for side in encounter.sides() if encounter.models(side.id))
    if len(sides) < 2 and number > 1:
        left = f"only {encounter.side(sides[0]).name}" if sides else "neither side"
        raise InvalidInput(f"The game is over, because {left} has models left. {how_it_ends(act)}.")
    if len(sides) < 2:
        raise InvalidInput("Add models with /wz model add, or bring a crew. Both sides need models.")
    bases = initiative_bases(models_of(encounter), sides)
    telling = Telling(act)
    casts = [
        Whose(encounter.side(side).name, "initiative", f"in turn {number} ({base:+d})")
        for side, base in zip(sides, bases, strict=True)
    ]
    place = act.roll(find_contest_thrower(bases, casts), contest, bases, label="initiative")
    winner = encounter.side(sides[place])
    encounter.row.turn, encounter.row.status = number, "playing"
    units = read_turn(encounter).units
    order = tuple(side.id for side in encounter.sides())
    write_turn(encounter, start_turn(number, order, units, winner.id, settings_for(act)))
    telling.lines.append(f"Turn {number}: {winner.name} has the initiative.")
    telling.thrown(
        *(f"{encounter.side(s).name}: d20 + {b} (best LD)" for s, b in zip(sides, bases, strict=True)),
        adding=(bases,),
    )
    if settings_for(act).initiative_choice:
        telling.next.append(f"{winner.name}, which side starts?")
        telling.buttons += starting_buttons(encounter)
    return _with_menu(encounter, telling.reply())


def starting_buttons(encounter: Encounter) -> list[Button]:
    """Return buttons for who starts, by the winner of the initiative, until it is settled. Rules:
    WZ-TURN-02.
    """
    if not _may_choose_start(encounter, read_turn(encounter)):
        return []
    sides = [side for side in encounter.sides() if encounter.models(side.id)]
    return [Button(f"{side.name} starts", BeginRound(side.id)) for side in sides]


def _may_choose_start(encounter: Encounter, turn: Turn) -> bool:
    may_choose = settings_of(encounter).initiative_choice
    return may_choose and not turn.active and not any(unit.activated for unit in turn.units)


@handles(BeginRound)
def starts(act: Act, action: BeginRound) -> Reply:
    """Decide who starts, before the first unit of the turn acts. Rules: WZ-TURN-02."""
    encounter, turn = act.encounter, read_turn(act.encounter)
    if not _may_choose_start(encounter, turn):
        raise Forbidden("You can't choose the starting side now. Activate a unit instead.", "WZ-TURN-02")
    act.require_side(turn.order[0])
    first_side = encounter.side(action.side)
    started = start_turn(turn.number, turn.order, turn.units, turn.order[0], settings_for(act), first_side.id)
    write_turn(encounter, started)
    return _with_menu(encounter, Reply((f"{first_side.name} starts.",), buttons=(UNDO,)))


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
        _check_turn_over(encounter, turn)
    end_turn(act)
    if encounter.row.turns and encounter.row.turn >= encounter.row.turns:
        encounter_state(encounter).is_over = True
        return Reply(
            (f"Turn {encounter.row.turn} was the last turn.", "You can end the game now."),
            buttons=(END, UNDO),
        )
    return begin_turn(act, encounter.row.turn + 1)


def _check_turn_over(encounter: Encounter, turn: Turn) -> None:
    for name in list_names_owing_test(encounter, between_rounds=not turn.active):
        raise Forbidden(f"{name} must take its morale test first. Use /wz morale.", "WZ-TEST-07")
    if not turn.over:
        waiting_units = [squad_of(encounter, u).name for side in turn.order for u in turn.left(side)]
        raise Forbidden(f"Wait until these units have acted: {listed(waiting_units)}.", "WZ-TURN-02")


def end_turn(act: Act) -> None:
    """End what lasts until the end of the turn. Rules: WZ-RALLY-05, WZ-SPOT-04, WZ-RAMP-02, WZ-BACK-02."""
    encounter = act.encounter
    everybody = models_of(encounter)
    for model in everybody:
        encounter.apply(expire(model, "turn"))
    encounter.apply(sightings_end(everybody, settings_for(act)))
    encounter.apply(forget_rallies(tuple(squad.id for squad in squads_of(encounter, gone=True))))
    for row in encounter.models(gone=True):
        ModelState(row).dominated = False
    _clear(encounter)


def _clear(encounter: Encounter) -> None:
    """Permissions and marks of one activation end, those of reactions among them."""
    end_grants(encounter)
    for model in encounter.models():
        encounter.apply([Lose(model.id, kind) for kind in (Condition.CHARGED, Condition.MOVED)])
    forget_all(encounter)


# ------------------------------------------------------------------------------------------- rounds


@dataclass(frozen=True, slots=True)
class ReadyRound:
    """A unit that may act now. turn: the turn once it does.

    order: how its commander begins to order it, None where it acts in its turn; effects: what that gives.
    """

    squad: Squad
    turn: Turn
    order: Begin | None = None
    effects: tuple[Effect, ...] = ()


@in_steps(Activate)
class Activating(Offered[Activate, ReadyRound], Rolled[Activate, ReadyRound, Grade | None, Telling]):
    """A unit begins its round, or acts by order, where its commander dares to give it.

    Rules: WZ-TURN-02, WZ-TURN-03, WZ-ORDER-01, WZ-SPOT-04, WZ-BROKEN-02.
    """

    label = "Activate"

    def prepare(self, act: ActView, action: Activate) -> ReadyRound:
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
            return _ordered(act, action, turn, action.by)
        require_unsaid(
            'Choose the commander who orders the unit to act, or untick "The commander sees no enemy".',
            action.hidden,
        )
        started = None
        with act.overridable():
            started = activate(turn, squad.id)
        return ReadyRound(squad, started or replace(turn, active=(*turn.active, squad.id)))

    def thrown(self, act: Act, action: Activate, ready: ReadyRound) -> Grade | None:
        return throw_nerve(act, ready.order) if ready.order else None

    def settle(self, act: Act, action: Activate, ready: ReadyRound, outcome: Grade | None) -> Telling:
        """Activate it, unless its commander's nerve failed."""
        encounter, squad, telling = act.encounter, ready.squad, Telling(act)
        if ready.order and not dared(telling, ready.order, outcome):
            return telling
        if ready.order:
            telling.lines.append(f"{ready.order.model.name} orders {squad.name} to act.")
            telling.follow(ready.effects)
        write_turn(encounter, ready.turn)
        if not ready.order:
            settle_owed_tests(encounter)
            _clear(encounter)
            telling.lines.append(f"Active: {squad.name}{_strength(squad)}.")
        begin(encounter, squad)
        telling.follow(effect for model in squad.models for effect in begin_activation(model))
        squad_now = squad_of(encounter, squad.id)
        telling.lines += _action_lines(squad_now)
        if together(encounter, squad_now):
            telling.lines.append("First all models move, then all attack, then all use their other actions.")
        telling.menus += () if telling.menus else build_next_menu(encounter)
        return telling

    def tell(self, act: Act, action: Activate, ready: ReadyRound, telling: Telling) -> Reply:
        if ready.order and ready.squad.id not in read_turn(act.encounter).active:
            return telling.closing(ready.order.model)
        return telling.reply()

    def chances(self, act: ActView, action: Activate, ready: ReadyRound) -> Chances:
        hurdle = ready.order.hurdle if ready.order else NO_PRECONDITIONS
        return daring(act, f"{ready.squad.name} can act now.", "acts", hurdle)


def _strength(squad: Squad) -> str:
    return f" ({times(len(squad.models), 'model')})" if len(squad.models) > 1 else ""


def _action_lines(squad: Squad) -> list[str]:
    counts: dict[int, list[str]] = {}
    for model in squad.models:
        counts.setdefault(model.count(ACTIONS), []).append(model.name)
    if len(counts) == 1 and len(squad.models) > 1:
        return [f"Each model has {times(next(iter(counts)), 'action')}."]
    return [f"{', '.join(names)}: {times(count, 'action')}." for count, names in counts.items()]


def _ordered(act: ActView, action: Activate, turn: Turn, commander: Model) -> ReadyRound:
    """A commander who may activate a unit inside his own activation. Raises InvalidInput, Forbidden."""
    squad = action.unit
    after, effects = order_unit(turn, commander, squad.id)
    concealed = tuple(model for model in models_of(act.encounter) if model.has(Condition.CONCEALED))
    shared = share_sightings(commander, squad.id, concealed)
    return ReadyRound(
        squad, after, begin_deed(act, commander, Deed.ORDER, hidden=action.hidden), (*effects, *shared)
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
    thrown = thrown_first(act)
    if thrown is not None:
        return thrown
    if action.model is not None:
        return model_done(act, action.model, squad)
    if action.step is not None:
        return go_to_step(act, action.step, squad)
    label = build_done_button(encounter).label
    question = ask_first(_still_to_act(squad), label, act.canonical) if action.asks else None
    if question is not None:
        return question
    telling = Telling(act)
    waiting = to_come(squad)
    for model in squad.models:
        encounter.apply(expire(model, "activation"))
    forget(encounter, squad)
    after = finish(turn)
    write_turn(encounter, after)
    settle_owed_tests(encounter)
    if after.active:
        end_grants(encounter)
    else:
        _clear(encounter)
    telling.lines.append(f"{possessive(squad.name)} activation ends.")
    if waiting:
        telling.lines.append(f"Unused actions are lost: {join_names_with_actions(waiting)}.")
    offer_morale(telling)
    return _with_menu(encounter, telling.reply())


def _still_to_act(squad: Squad) -> tuple[str, ...]:
    """Return in words who has actions left in the acting unit. Rules: WZ-TURN-03."""
    waiting = to_come(squad)
    return (f"Still to act: {join_names_with_actions(waiting)}.",) if waiting else ()


def offer_morale(telling: Telling) -> None:
    """Offer a button for every squad that owes a morale test. Rules: WZ-MORALE-01, WZ-TEST-07."""
    encounter = telling.act.encounter
    for squad in squads_owing_test(encounter, between_rounds=False):
        lost = (
            f"after losing {squad.lost} of {squad.starting} models"
            if squad.starting > 1
            else "after losing half its wounds"
        )
        telling.next.append(f"{squad.name} must take a morale test {lost}.")
        telling.buttons.append(Button(f"Morale: {squad.name}", Morale(squad), "main", anytime=True))
    offer_lone_tests(telling)


# ------------------------------------------------------------------------------------------- what next


def next_lines(encounter: Encounter) -> list[str]:
    """Return whose round it is, or that the turn is over."""
    turn = read_turn(encounter)
    if turn.over:
        is_over = one_side_left(encounter)
        follows = "Only one side has models left." if is_over else "The next turn can begin."
        return [f"Every unit has acted. {follows}"]
    if turn.active:
        return [f"{squad_of(encounter, turn.active[-1]).name} continues its activation."]
    return [f"{encounter.side(turn.to_move).name}: choose a unit to activate"]


def unit_menus(encounter: Encounter) -> tuple[Menu, ...]:
    """Return the menu of units that may act now; of those that a commander may order while his unit acts."""
    turn = read_turn(encounter)
    if encounter.row.turn < 1 or turn.over or encounter_state(encounter).is_over:
        return ()
    if list_names_owing_test(encounter, between_rounds=not turn.active):
        return build_next_menu(encounter)
    if not turn.active:
        choices = _choices(encounter, turn.left(turn.to_move))
        side = encounter.side(turn.to_move).name
        menu = Menu(f"{side}: choose a unit to activate", Activate(), "unit", choices, named=True)
        return (menu,) if choices else ()
    acting = squad_of(encounter, turn.active[-1])
    menus = []
    for commander in acting.models:
        may_choose = (
            commander.profile.has("commander") and commander.count(ACTIONS) and not commander.count(ORDERED)
        )
        choices = _choices(encounter, [u for u in turn.left(acting.side) if u not in turn.active])
        if may_choose and choices:
            order = Activate(by=commander)
            menus.append(Menu(f"Which unit does {commander.name} give an order to?", order, "unit", choices))
    return (*build_next_menu(encounter), *menus[:2])


def _choices(encounter: Encounter, units: Sequence[int]) -> tuple[Choice, ...]:
    squads = [squad_of(encounter, unit) for unit in units]
    return tuple(
        Choice(
            squad.name,
            squad_key(squad),
            f"{len(squad.models)} of {squad.starting}" if squad.starting > 1 else "",
        )
        for squad in squads[:25]
    )


def _with_menu(encounter: Encounter, reply: Reply) -> Reply:
    turn = read_turn(encounter)
    buttons = reply.buttons
    if turn.over:
        goes_on = END if one_side_left(encounter) else Button("Next turn", NextStep(), "main")
        buttons = (*(b for b in buttons if b is not UNDO), goes_on, UNDO)
    elif turn.active:
        steps = build_step_buttons(encounter)
        buttons = (*(b for b in buttons if b is not UNDO), *steps, build_done_button(encounter), UNDO)
    return replace(
        reply,
        lines=(*reply.lines, *next_lines(encounter)),
        buttons=buttons,
        menus=(*reply.menus, *unit_menus(encounter)),
    )
