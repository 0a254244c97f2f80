"""How a game of Infinity goes on: Initiative, deployment, player turns in alternation, their checks."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.infinity import concealment, troops
from bot.games.infinity.debts import check_debts, debt_buttons, failed_buttons, falls_owed, forget_debts
from bot.games.infinity.hiding_actions import Appoint
from bot.games.infinity.narration import read_line
from bot.games.infinity.order_resolution import finish_quietly
from bot.games.infinity.order_rows import order_of
from bot.games.infinity.orders import pool_of, pool_words
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
from bot.table.session.preparations import END, ask_first, begin_buttons, join_buttons, opening_buttons
from bot.table.throw_purposes import Whose, hands
from bot.table.waits import Wait, beginning, how_it_ends, one_side_left, players_of, unready
from rules.dice import Compared
from rules.effects import Assign, Count, Gain, Harm, Leave, Lose, Mend
from rules.refusals import InvalidInput
from rules.systems.infinity.orders import DEPLOYMENT_STEPS, initiative, reserve, strategos, tactical_phase
from rules.systems.infinity.states import end_of_player_turn
from rules.systems.infinity.trooper import Trooper
from rules.wording import possessive, times

MAX_ROLLS = 20

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
        won = encounter.side(encounter_state(encounter).initiative_winner).name
        raise Answered(f"Wait until {won} has chosen who plays first.")
    return _initiative(act)


def before_next(act: Act) -> Reply | None:
    """Ask the player of a turn whether it ends with Orders left."""
    encounter = act.encounter
    active = encounter_state(encounter).active_side
    if not encounter.row.turn or encounter_state(encounter).is_over or not active or not act.plays_on(active):
        return None
    count = pool_of(encounter, active).total
    return ask_first([f"You have {times(count, 'Order')} left."] if count else [], "End turn", NextStep())


def chief_of(encounter: Encounter, side: int) -> Trooper | None:
    """Return a side's Lieutenant."""
    number = concealment.lieutenant(encounter, side)
    return troops.by_id(encounter, number) if number else None


def _initiative(act: Act) -> Reply:
    """Roll the Lieutenants' WIP Face to Face until one wins. Rules: INF-DEP-01, INF-STR-05."""
    encounter = act.encounter
    sides = encounter.sides()
    if len(sides) != 2:
        raise InvalidInput("Infinity needs exactly two sides. Another player can join with /encounter join.")
    chiefs = [chief_of(encounter, side.id) for side in sides]
    for side, chief in zip(sides, chiefs, strict=True):
        if chief is None:
            raise InvalidInput(f"Choose a Lieutenant for {side.name} first with /inf lieutenant.")
    winner, lines = _roll_initiative(act, [chief for chief in chiefs if chief])
    won, lost = sides[winner - 1], sides[2 - winner]
    encounter_state(encounter).initiative_winner = won.id
    return Reply(
        (
            f"{won.name} wins the Initiative Roll.",
            *lines,
            *reserve_lines(encounter),
            (
                f"{won.name} can choose who plays first, or keep Deployment to choose who deploys first and"
                " where."
            ),
        ),
        buttons=(
            Button("Play first", PlayFirst(won.id), "main"),
            Button("Play second", PlayFirst(won.id, first=False)),
            Button("Keep Deployment", KeepDeployment()),
            UNDO,
        ),
        why=("The Lieutenants roll WIP Face to Face INF-DEP-01", f"{lost.name} makes the remaining choice"),
    )


def reserve_lines(encounter: Encounter) -> list[str]:
    """Return how many troopers each side may deploy last; Strategos counts where its player uses it.

    Rules: INF-DEP-02, INF-STR-03, INF-STR-04, INF-STR-05.
    """
    sides, settings = encounter.sides(), troops.settings_of(encounter)
    chiefs = [None if SideState(side).strategos_unused else chief_of(encounter, side.id) for side in sides]
    levels = [strategos(chief, settings) for chief in chiefs]
    reserves = [reserve(levels[0], levels[1]), reserve(levels[1], levels[0])]
    return [
        f"Troopers kept back to deploy last: {reserves[0]} for {sides[0].name},"
        f" {reserves[1]} for {sides[1].name}."
    ]


def _roll_initiative(act: Act, chiefs: list[Trooper]) -> tuple[int, list[str]]:
    """Return who wins, 1 or 2, and every die; ties are rolled again. Raises InvalidInput if no one can
    win.
    """
    wips = [chief.current.attribute("wip") for chief in chiefs]
    names = [act.encounter.side(chief.side).name for chief in chiefs]
    casts = hands(
        *(
            Whose(name, "Initiative Roll", f"against WIP {wip}")  # never who the Lieutenant is
            for name, wip in zip(names, wips, strict=True)
        )
    )
    lines: list[str] = []
    for _ in range(MAX_ROLLS):
        trace_start = len(act.dice.trace)
        winner = act.roll(casts, initiative, wips[0], wips[1])
        thrown = [entry for entry in act.dice.trace[trace_start:] if isinstance(entry, Compared)]
        faces = [hand[1][0] for entry in thrown for hand in entry.hands]
        results = zip(names, wips, faces, strict=True)
        lines += [read_line(name, wip, face) for name, wip, face in results]
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
            f"Only {encounter.side(winner).name} can choose who plays first, because that side won the"
            " Initiative Roll."
        )
    act.require_side(winner)
    other = next(side for side in encounter.sides() if side.id != winner)
    encounter_state(encounter).first_side = winner if action.first else other.id
    first = encounter.side(encounter_state(encounter).first_side).name
    return Reply(
        (
            f"{first} plays first.",
            f"{other.name} chooses who deploys first and where.",
            *reserve_lines(encounter),
            (
                "Make your secret choices with /inf hide, /inf lieutenant and /inf strategos, then start"
                " the first turn."
            ),
        ),
        buttons=(*begin_buttons(encounter, FIRST_TURN), UNDO, why_button(act.entry)),
        why=tuple(f"{place}. {step} INF-DEP-02" for place, step in enumerate(DEPLOYMENT_STEPS, 1)),
    )


def leaderless_sides(encounter: Encounter) -> list[int]:
    """Return the sides that still need a Lieutenant for the Initiative Roll. Rules: INF-DEP-01."""
    if encounter.row.turn or encounter_state(encounter).initiative_winner:
        return []
    sides = [side.id for side in encounter.sides() if encounter.models(side.id)]
    return [side for side in sides if chief_of(encounter, side) is None]


def first_decided(encounter: Encounter) -> Wait | None:
    """Return what is waited for before the first turn: a Lieutenant, who plays first; None if nothing is."""
    leaderless = leaderless_sides(encounter)
    if leaderless:
        return Wait(players_of(encounter, leaderless), "choose a Lieutenant with Set up...")
    if encounter_state(encounter).first_side:
        choosing = [side.id for side in unready(encounter)]
        if not choosing:
            return Wait("", f"press {FIRST_TURN}")
        return Wait(players_of(encounter, choosing), f"press {beginning(encounter, FIRST_TURN)}")
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
    other = next(side for side in encounter.sides() if side.id != winner)
    encounter_state(encounter).initiative_winner = other.id
    return Reply(
        (f"{encounter.side(winner).name} keeps Deployment.", f"{other.name} chooses who plays first."),
        buttons=(
            Button("Play first", PlayFirst(other.id), "main"),
            Button("Play second", PlayFirst(other.id, first=False)),
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
    if not concealment.sees(encounter, act.actor.user_id, side.id):
        raise InvalidInput(
            f"You can only decide about Strategos for your own side. You don't play {side.name}."
        )
    SideState(side).strategos_unused = not action.use
    use_text = "used" if action.use else "not used"
    if encounter_state(encounter).initiative_winner and not encounter.row.turn:
        lines = (f"{side.name}: Strategos L1 is {use_text}.", *reserve_lines(encounter))
        return Reply(lines, buttons=(UNDO,))
    return Reply((f"Strategos L1 will be {use_text} from the next Order count.",), private=True)


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
    concealment.carry(encounter, (effect for effect in phase.effects if _owner(effect) not in removed))
    encounter_state(encounter).active_side = number
    state = SideState(side)
    state.in_retreat, state.lost_lieutenant = phase.retreat, phase.loss
    names_later = phase.loss and not phase.retreat
    state.appointment = Appointment.AFTER_TURN if names_later else Appointment.NONE
    head = f"Round {encounter.row.turn}: {possessive(side.name)} turn."
    return Reply(
        (head, *lines, *found_lines(encounter, number), *order_lines(encounter, number)),
        buttons=(Button("End turn", NextStep(asks=True)), UNDO),
        why=_why_orders(encounter, number),
    )


def _owner(effect: object) -> int:
    match effect:
        case Harm(model) | Mend(model) | Gain(model) | Lose(model) | Leave(model):
            return model
        case Assign("model", model) | Count("model", model):
            return model
    return 0


def found_lines(encounter: Encounter, number: int) -> list[str]:
    """Return the results of the Tactical Phase."""
    side = side_state(encounter, number)
    lines = ["Retreat!"] if side.in_retreat else []
    return [*lines, "Loss of Lieutenant"] if side.lost_lieutenant else lines


def order_lines(encounter: Encounter, number: int) -> list[str]:
    """Return the Orders of a side that are left."""
    pool = pool_of(encounter, number)
    lines = [f"Orders: {pool_words(pool)}"]
    if pool.irregular:
        names = [encounter.model(number).name for number in sorted(pool.irregular)]
        lines.append(f"Irregular Orders: {', '.join(names)}")
    if pool.lieutenant:
        lines.append("Lieutenant Order: 1")
    return lines


def _why_orders(encounter: Encounter, number: int) -> tuple[str, ...]:
    """How the count came about, without a word on who is hidden or Lieutenant."""
    side = side_state(encounter, number)
    lines = ["Each trooper that is on the table and can act provides an Order INF-ORD-01"]
    if side.in_retreat:
        lines.append("The army has at most a quarter of its points left INF-RET-01")
    if side.lost_lieutenant:
        lines.append("All Orders are Irregular INF-LOL-02")
    return tuple(lines)


def _end_turn(act: Act) -> Reply:
    """Who is Dogged dies; then the other side's turn, or the next round. Rules: INF-VAL-06, INF-LOL-03."""
    encounter = act.encounter
    active = encounter_state(encounter).active_side
    act.require_side(active)
    lines: list[str] = []
    lines += finish_quietly(act)
    check_debts(act)
    forget_debts(encounter)
    everybody = troops.troopers(encounter)
    effects = end_of_player_turn(everybody)
    dead = {effect.model for effect in effects if isinstance(effect, Leave)}
    lines += [
        f"{member.current.name} dies now, because it was Dogged." for member in everybody if member.id in dead
    ]
    concealment.carry(encounter, effects)
    ended = encounter.side(active)
    if SideState(ended).appointment:
        SideState(ended).appointment = Appointment.NOW
        lines.append(f"{ended.name} can choose a new Lieutenant in secret with /inf lieutenant.")
    other = next(side.id for side in encounter.sides() if side.id != active)
    state = encounter_state(encounter)
    played = state.turns_played + 1
    last = played >= len(encounter.sides())
    state.turns_played = 0 if last else played
    if last and encounter.row.turns and encounter.row.turn >= encounter.row.turns:
        encounter_state(encounter).is_over = True
        return Reply(("The last turn is over.", *lines, "You can end the game now."), buttons=(END, UNDO))
    encounter.row.turn += last
    return _begin_turn(act, other, lines)


def buttons(encounter: Encounter) -> tuple[Button, ...]:
    """Return the buttons that the panel offers now."""
    undo = UNDO
    order, debt_choices = order_of(encounter), debt_buttons(encounter)
    if order is not None and not falls_owed(encounter):
        return window_buttons(order) if order.window else (done_button(order), undo)
    if debt_choices:
        return (*debt_choices, undo)
    failed = failed_buttons(encounter)
    if encounter_state(encounter).is_over:
        return (*failed, END, undo)
    winner = encounter_state(encounter).initiative_winner
    if winner and not encounter_state(encounter).first_side:
        return (
            Button("Play first", PlayFirst(winner), "main"),
            Button("Play second", PlayFirst(winner, first=False)),
            *join_buttons(encounter),
            undo,
        )
    if not encounter.row.turn:
        label = FIRST_TURN if encounter_state(encounter).first_side else "Begin"
        return opening_buttons(encounter, is_ready=not leaderless_sides(encounter), label=label)
    end_buttons = (END,) if one_side_left(encounter) else ()
    names = any(SideState(side).appointment == Appointment.NOW for side in encounter.sides())
    named = (Button(Appoint.titled, Appoint(), asks=True, anytime=True),) if names else ()
    return (*failed, *end_buttons, Button("End turn", NextStep(asks=True)), *named, undo)
