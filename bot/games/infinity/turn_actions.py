"""How a game of Infinity goes on: Initiative, deployment, player turns in alternation, their checks."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.infinity import concealment, troops
from bot.games.infinity.debts import (
    build_prone_buttons,
    check_debts,
    debt_buttons,
    forget_debts,
    list_owed_falls,
)
from bot.games.infinity.hiding_actions import Appoint
from bot.games.infinity.narration import normal_die_line
from bot.games.infinity.order_resolution import finish_quietly
from bot.games.infinity.order_rows import order_of
from bot.games.infinity.orders import describe_pool, pool_of
from bot.games.infinity.reaction_menu import done_button, window_buttons
from bot.games.infinity.state import Appointment, SideState, encounter_state, side_state
from bot.replies.reply import Button, Reply
from bot.store.rows import SideRow
from bot.table.act import Act
from bot.table.answering import Answered
from bot.table.asking import fields
from bot.table.encounter import Encounter
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.journal.log import why_button
from bot.table.owners import in_play
from bot.table.session.arrivals import MAX_MODELS
from bot.table.session.encounters import NextStep
from bot.table.session.preparations import (
    END_BUTTON,
    build_begin_buttons,
    build_join_buttons,
    build_opening_buttons,
    build_question,
)
from bot.table.throw_purposes import Whose, hands
from bot.table.waits import Wait, beginning, how_it_ends, one_side_left, players_of, unready
from rules.dice import Compared
from rules.effects import Assign, Count, Gain, Harm, Leave, Lose, Mend
from rules.refusals import InvalidInput
from rules.systems.infinity.orders import DEPLOYMENT_STEPS, initiative, reserve, strategos, tactical_phase
from rules.systems.infinity.states import end_of_player_turn
from rules.systems.infinity.trooper import Trooper
from rules.wording import possessive, times

MAX_INITIATIVE_ROLLS = 20

FIRST_TURN = "First turn"


@dataclass(frozen=True, slots=True)
class PlayFirst(Action):
    """Decide who plays first. first: the side that decides plays first itself."""

    command = "inf.first"
    decision_of = in_play("the side that won the Initiative Roll")

    side: int = 0
    first: bool = True


@dataclass(frozen=True, slots=True)
class KeepDeployment(Action):
    """The winner of the Initiative Roll keeps Deployment; the other side decides who plays first."""

    command = "inf.deployment"
    decision_of = in_play("the side that won the Initiative Roll")


@dataclass(frozen=True, slots=True)
class UseStrategos(Action):
    """Choose whether to use Strategos L1 at the next Order count.

    Used: the Lieutenant's Order is a Regular one from the next count on.
    """

    command = "inf.strategos"
    typed = "inf strategos"
    titled = "Strategos L1"
    decision_of = in_play("the side that has Strategos")

    side: SideRow | None = fields.side("Side whose Lieutenant has Strategos")
    use: bool = fields.switch("Use Strategos L1", needed=True, default=True)


def next_step(act: Act) -> Reply:
    """Roll for Initiative, once, begin the first turn, or end the player turn and begin the next."""
    encounter = act.encounter
    if encounter_state(encounter).is_over:
        raise InvalidInput(f"The last turn is over. {how_it_ends(act)}.")
    if encounter.row.turn:
        return _end_turn(act)
    if encounter_state(encounter).first_side:
        encounter.row.turn, encounter.row.status = 1, "playing"
        return _begin_turn(act, encounter_state(encounter).first_side, [])
    if encounter_state(encounter).initiative_winner:
        winner_name = encounter.side(encounter_state(encounter).initiative_winner).name
        raise Answered(f"Wait until {winner_name} has chosen who plays first.")
    return _decide_initiative(act)


def confirm_end_turn(act: Act) -> Reply | None:
    """Ask the player of a turn whether it ends with Orders left."""
    encounter = act.encounter
    active_side = encounter_state(encounter).active_side
    if (
        not encounter.row.turn
        or encounter_state(encounter).is_over
        or not active_side
        or not act.plays_on(active_side)
    ):
        return None
    count = pool_of(encounter, active_side).total
    return build_question(
        [f"You have {times(count, 'Order')} left."] if count else [], "End turn", NextStep()
    )


def lieutenant_of_side(encounter: Encounter, side: int) -> Trooper | None:
    """Return a side's Lieutenant."""
    number = concealment.lieutenant_of(encounter, side)
    return troops.by_id(encounter, number) if number else None


def _decide_initiative(act: Act) -> Reply:
    """Roll the Lieutenants' WIP Face to Face until one wins. Rules: INF-DEP-01, INF-STR-05."""
    encounter = act.encounter
    sides = encounter.sides()
    if len(sides) != 2:
        raise InvalidInput("Infinity needs exactly two sides. Another player can join with /encounter join.")
    lieutenants = [lieutenant_of_side(encounter, side.id) for side in sides]
    for side, lieutenant in zip(sides, lieutenants, strict=True):
        if lieutenant is None:
            raise InvalidInput(f"Choose a Lieutenant for {side.name} first with /inf lieutenant.")
    winner, lines = _roll_initiative(act, [lieutenant for lieutenant in lieutenants if lieutenant])
    winning_side, losing_side = sides[winner - 1], sides[2 - winner]
    encounter_state(encounter).initiative_winner = winning_side.id
    return Reply(
        (
            f"{winning_side.name} wins the Initiative Roll.",
            *lines,
            *reserve_lines(encounter),
            f"{winning_side.name} can choose who plays first,"
            " or keep Deployment to choose who deploys first and where.",
        ),
        buttons=(
            Button("Play first", PlayFirst(winning_side.id), "main"),
            Button("Play second", PlayFirst(winning_side.id, first=False)),
            Button("Keep Deployment", KeepDeployment()),
            UNDO,
        ),
        why=(
            "The Lieutenants roll WIP Face to Face. INF-DEP-01",
            f"{losing_side.name} makes the remaining choice.",
        ),
    )


def reserve_lines(encounter: Encounter) -> list[str]:
    """Return how many troopers each side may deploy last; Strategos counts where its player uses it.

    Rules: INF-DEP-02, INF-STR-03, INF-STR-04, INF-STR-05.
    """
    sides, settings = encounter.sides(), troops.settings_of(encounter)
    lieutenants = [
        None if SideState(side).strategos_unused else lieutenant_of_side(encounter, side.id) for side in sides
    ]
    levels = [strategos(chief, settings) for chief in lieutenants]
    reserves = [reserve(levels[0], levels[1]), reserve(levels[1], levels[0])]
    return [
        f"Troopers kept back to deploy last: {reserves[0]} for {sides[0].name},"
        f" {reserves[1]} for {sides[1].name}."
    ]


def _roll_initiative(act: Act, lieutenants: list[Trooper]) -> tuple[int, list[str]]:
    """Return who wins, 1 or 2, and every die; ties are rolled again. Raises InvalidInput if no one can
    win.
    """
    wips = [lieutenant.current.attribute("wip") for lieutenant in lieutenants]
    names = [act.encounter.side(lieutenant.side).name for lieutenant in lieutenants]
    purposes = hands(
        *(
            Whose(name, "Initiative Roll", f"against WIP {wip}")  # never who the Lieutenant is
            for name, wip in zip(names, wips, strict=True)
        )
    )
    lines: list[str] = []
    for _ in range(MAX_INITIATIVE_ROLLS):
        trace_start = len(act.dice.trace)
        winner = act.roll(purposes, initiative, wips[0], wips[1])
        comparisons = [entry for entry in act.dice.trace[trace_start:] if isinstance(entry, Compared)]
        faces = [hand[1][0] for entry in comparisons for hand in entry.hands]
        results = zip(names, wips, faces, strict=True)
        lines += [normal_die_line(name, wip, face) for name, wip, face in results]
        if winner:
            return winner, lines
    raise InvalidInput("Roll again. No one won the Initiative Roll.")


@handles(PlayFirst)
def play_first(act: Act, action: PlayFirst) -> Reply:
    """Carry out the choice of the side with the Initiative."""
    encounter = act.encounter
    if not encounter_state(encounter).initiative_winner or encounter.row.turn:
        raise InvalidInput("You can only choose who plays first right after the Initiative Roll.")
    winner = encounter_state(encounter).initiative_winner
    if action.side not in (0, winner):
        raise InvalidInput(
            f"Only {encounter.side(winner).name} can choose who plays first. The other side lost the"
            " Initiative Roll or kept Deployment."
        )
    act.require_side(winner)
    other_side = next(side for side in encounter.sides() if side.id != winner)
    encounter_state(encounter).first_side = winner if action.first else other_side.id
    first_name = encounter.side(encounter_state(encounter).first_side).name
    return Reply(
        (
            f"{first_name} plays first.",
            f"{other_side.name} chooses who deploys first and where.",
            *reserve_lines(encounter),
            (
                "Use /inf hide and /inf lieutenant for your secret choices, and /inf strategos for your"
                " reserve. Then start the first turn."
            ),
        ),
        buttons=(*build_begin_buttons(encounter, FIRST_TURN), UNDO, why_button(act.entry)),
        why=tuple(f"{place}. {step} INF-DEP-02" for place, step in enumerate(DEPLOYMENT_STEPS, 1)),
    )


def leaderless_sides(encounter: Encounter) -> list[int]:
    """Return the sides that still need a Lieutenant for the Initiative Roll. Rules: INF-DEP-01."""
    if encounter.row.turn or encounter_state(encounter).initiative_winner:
        return []
    sides = [side.id for side in encounter.sides() if encounter.models(side.id)]
    return [side for side in sides if lieutenant_of_side(encounter, side) is None]


def wait_before_first_turn(encounter: Encounter) -> Wait | None:
    """Return what is waited for before the first turn: a Lieutenant, who plays first; None if nothing is."""
    leaderless = leaderless_sides(encounter)
    if leaderless:
        return Wait(players_of(encounter, leaderless), "choose a Lieutenant with Set up...")
    if encounter_state(encounter).first_side:
        unready_sides = [side.id for side in unready(encounter)]
        if not unready_sides:
            return Wait("", f"press {FIRST_TURN}")
        return Wait(players_of(encounter, unready_sides), f"press {beginning(encounter, FIRST_TURN)}")
    winner = encounter_state(encounter).initiative_winner
    return Wait(players_of(encounter, [winner]), "choose who plays first", owed=True) if winner else None


@handles(KeepDeployment)
def keep_deployment(act: Act, action: KeepDeployment) -> Reply:
    """Pass the Initiative to the other side. Rules: INF-DEP-01."""
    encounter = act.encounter
    winner = encounter_state(encounter).initiative_winner
    if not winner or encounter.row.turn:
        raise InvalidInput("You can only keep Deployment right after the Initiative Roll.")
    act.require_side(winner)
    other_side = next(side for side in encounter.sides() if side.id != winner)
    encounter_state(encounter).initiative_winner = other_side.id
    return Reply(
        (f"{encounter.side(winner).name} keeps Deployment.", f"{other_side.name} chooses who plays first."),
        buttons=(
            Button("Play first", PlayFirst(other_side.id), "main"),
            Button("Play second", PlayFirst(other_side.id, first=False)),
            UNDO,
        ),
    )


@handles(UseStrategos)
def use_strategos(act: Act, action: UseStrategos) -> Reply:
    """Store the player's choice in secret between turns; while troopers are deployed, everyone reads the
    reserve that it leaves. Rules: INF-STR-01, INF-STR-02, INF-STR-05.
    """
    act.require_player()
    encounter = act.encounter
    own_side = act.seat.side if act.seat is not None else 0
    side = action.side or encounter.side(own_side)
    if not concealment.may_see_secrets(encounter, act.actor.user_id, side.id):
        raise InvalidInput(
            f"You can only decide about Strategos for your own side. You don't play {side.name}."
        )
    SideState(side).strategos_unused = not action.use
    use_text = "uses" if action.use else "doesn't use"
    if encounter_state(encounter).initiative_winner and not encounter.row.turn:
        lines = (f"{side.name} {use_text} Strategos L1.", *reserve_lines(encounter))
        return Reply(lines, buttons=(UNDO,))
    future_text = "will" if action.use else "won't"
    return Reply((f"Strategos L1 {future_text} be used from the next Order count.",), private=True)


# ------------------------------------------------------------------------------------ player turns


def _begin_turn(act: Act, number: int, lines: list[str]) -> Reply:
    """The Tactical Phase: Retreat!, Loss of Lieutenant, Order Count. Rules: INF-ORD-08."""
    encounter = act.encounter
    side = encounter.side(number)
    # whoever is one too many in a Combat Group was let in: no turn is refused for it
    settings = replace(troops.settings_of(encounter), max_group=MAX_MODELS)
    phase = tactical_phase(
        troops.army(encounter, number), use_strategos=not SideState(side).strategos_unused, settings=settings
    )
    removed = {model.id for model in encounter.models(gone=True)} - {model.id for model in encounter.models()}
    concealment.apply_effects(
        encounter, (effect for effect in phase.effects if _affected_model(effect) not in removed)
    )
    encounter_state(encounter).active_side = number
    state = SideState(side)
    state.in_retreat, state.lost_lieutenant = phase.retreat, phase.loss
    can_appoint_later = phase.loss and not phase.retreat
    state.appointment = Appointment.AFTER_TURN if can_appoint_later else Appointment.NONE
    head = f"Round {encounter.row.turn}: {possessive(side.name)} turn."
    return Reply(
        (head, *lines, *tactical_phase_lines(encounter, number), *order_lines(encounter, number)),
        buttons=(Button("End turn", NextStep(asks=True)), UNDO),
        why=_why_orders(encounter, number),
    )


def _affected_model(effect: object) -> int:
    match effect:
        case Harm(model) | Mend(model) | Gain(model) | Lose(model) | Leave(model):
            return model
        case Assign("model", model) | Count("model", model):
            return model
    return 0


def tactical_phase_lines(encounter: Encounter, number: int) -> list[str]:
    """Return the results of the Tactical Phase."""
    side = side_state(encounter, number)
    lines = ["Retreat!"] if side.in_retreat else []
    return [*lines, "Loss of Lieutenant"] if side.lost_lieutenant else lines


def order_lines(encounter: Encounter, number: int) -> list[str]:
    """Return the Orders of a side that are left."""
    pool = pool_of(encounter, number)
    lines = [f"Orders: {describe_pool(pool)}"]
    if pool.irregular:
        names = [encounter.model(number).name for number in sorted(pool.irregular)]
        lines.append(f"Irregular Orders: {', '.join(names)}")
    if pool.lieutenant:
        lines.append("Lieutenant Order: 1")
    return lines


def _why_orders(encounter: Encounter, number: int) -> tuple[str, ...]:
    """How the count came about, without a word on who is hidden or Lieutenant."""
    side = side_state(encounter, number)
    lines = ["Each trooper that is on the table and can act provides an Order. INF-ORD-01"]
    if side.in_retreat:
        lines.append("The army has at most a quarter of its points left. INF-RET-01")
    if side.lost_lieutenant:
        lines.append("All Orders are Irregular. INF-LOL-02")
    return tuple(lines)


def _end_turn(act: Act) -> Reply:
    """Who is Dogged dies; then the other side's turn, or the next round. Rules: INF-VAL-06, INF-LOL-03."""
    encounter = act.encounter
    active_side = encounter_state(encounter).active_side
    act.require_side(active_side)
    lines: list[str] = []
    lines += finish_quietly(act)
    check_debts(act)
    forget_debts(encounter)
    all_troopers = troops.troopers(encounter)
    effects = end_of_player_turn(all_troopers)
    dead_ids = {effect.model for effect in effects if isinstance(effect, Leave)}
    lines += [
        f"{member.current.name} dies now, because it was Dogged."
        for member in all_troopers
        if member.id in dead_ids
    ]
    concealment.apply_effects(encounter, effects)
    ended_side = encounter.side(active_side)
    if SideState(ended_side).appointment:
        SideState(ended_side).appointment = Appointment.NOW
        lines.append(f"{ended_side.name} can choose a new Lieutenant in secret with /inf lieutenant.")
    next_side = next(side.id for side in encounter.sides() if side.id != active_side)
    state = encounter_state(encounter)
    turns_played = state.turns_played + 1
    is_last_of_round = turns_played >= len(encounter.sides())
    state.turns_played = 0 if is_last_of_round else turns_played
    if is_last_of_round and encounter.row.turns and encounter.row.turn >= encounter.row.turns:
        encounter_state(encounter).is_over = True
        return Reply(
            ("The last turn is over.", *lines, "You can end the game now."), buttons=(END_BUTTON, UNDO)
        )
    encounter.row.turn += is_last_of_round
    return _begin_turn(act, next_side, lines)


def buttons(encounter: Encounter) -> tuple[Button, ...]:
    """Return the buttons that the panel offers now."""
    undo = UNDO
    order, debt_choices = order_of(encounter), debt_buttons(encounter)
    if order is not None and not list_owed_falls(encounter):
        return window_buttons(order) if order.window else (done_button(order), undo)
    if debt_choices:
        return (*debt_choices, undo)
    prone_buttons = build_prone_buttons(encounter)
    if encounter_state(encounter).is_over:
        return (*prone_buttons, END_BUTTON, undo)
    winner = encounter_state(encounter).initiative_winner
    if winner and not encounter_state(encounter).first_side:
        return (
            Button("Play first", PlayFirst(winner), "main"),
            Button("Play second", PlayFirst(winner, first=False)),
            *build_join_buttons(encounter),
            undo,
        )
    if not encounter.row.turn:
        label = FIRST_TURN if encounter_state(encounter).first_side else "Begin"
        return build_opening_buttons(encounter, is_ready=not leaderless_sides(encounter), label=label)
    end_buttons = (END_BUTTON,) if one_side_left(encounter) else ()
    can_appoint = any(SideState(side).appointment == Appointment.NOW for side in encounter.sides())
    appoint_buttons = (Button(Appoint.titled, Appoint(), asks=True, anytime=True),) if can_appoint else ()
    return (*prone_buttons, *end_buttons, Button("End turn", NextStep(asks=True)), *appoint_buttons, undo)
