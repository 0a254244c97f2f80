"""How an Order goes on and ends: AROs awaited, all dice thrown together, falls at the end of a Jump."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.infinity import concealment, troops
from bot.games.infinity.debts import list_owed_falls
from bot.games.infinity.duels import DOES_BY_SKILL, Pair, active_trooper, pairs_of, pairs_under_template
from bot.games.infinity.narration import Telling, describe_state, join_into_line
from bot.games.infinity.order_rows import (
    NOTHING,
    SEARCHES,
    WAIT,
    Order,
    Reaction,
    close_order,
    order_of,
    reactions_of,
    signature,
    store_order,
)
from bot.games.infinity.outcome import (
    Blow,
    Tally,
    record_melee,
    settle,
    spend_surprise,
    throw_dodge,
    throw_duel,
    throw_template,
)
from bot.games.infinity.reaction_menu import KEEP, TIME, Resolve, ask, asked_sides_of, offer_second_skill
from bot.games.infinity.reaction_windows import (
    choose_late_reactions,
    is_full,
    late_reactor_lines,
    open_aro_window,
    passing_lines,
    record_answers,
    reveal_aros,
)
from bot.games.infinity.state import ModelState
from bot.games.infinity.troops import reload_trooper, settings_for
from bot.replies.reply import Reply, say
from bot.store.store import Store, running_game
from bot.table.act import Act, Actor, ActView
from bot.table.answering import Answered
from bot.table.encounter import Encounter, EncounterView
from bot.table.game import reaction_seconds
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.session.reactions import seconds_since
from bot.table.throw_purposes import Whose
from bot.table.waits import players_of
from rules.dice import Dice, Entry, Thrown
from rules.refusals import Forbidden, InvalidInput
from rules.systems.infinity.duel import Does
from rules.systems.infinity.movement import fall, fall_damage, free_inches, survivable_inches
from rules.systems.infinity.profile import Profile, Skill
from rules.systems.infinity.states import deadly_points
from rules.systems.infinity.trooper import Trooper
from rules.wording import possessive, times


@dataclass(frozen=True, slots=True)
class ReadyFall:
    """A fall: the trooper, its depth, the Damage, and the points to lose."""

    trooper: Trooper
    inches: float
    damage: int
    left: int


def prepare_fall(trooper: Trooper, inches: float) -> ReadyFall:
    """Prepare a fall of so many inches. Rules: INF-SJ-06, INF-SJ-07, INF-SJ-09."""
    return ReadyFall(trooper, inches, fall_damage(trooper.current, inches), deadly_points(trooper) - 1)


def describe_fall(ready: ReadyFall) -> tuple[str, str]:
    """Return lines about a fall's depth and the depth that would be deadly. Rules: INF-SJ-11."""
    profile: Profile = ready.trooper.current
    note = f" (the first {free_inches(profile)} in are harmless)" if profile.has(Skill.SUPER_JUMP) else ""
    return (
        f"{profile.name} falls {ready.inches:g} in{note}. Damage {ready.damage}.",
        f"ARM {profile.arm}. A fall of more than {survivable_inches(profile)} in kills it.",
    )


def whose_fall(ready: ReadyFall) -> Whose:
    """Return the purpose of a fall's ARM Rolls."""
    return Whose(ready.trooper.current.name, "ARM Roll", f"for a fall of {ready.inches:g} in")


def roll_fall(dice: Dice, ready: ReadyFall) -> int:
    """Roll the ARM Rolls of a fall: points lost. Rules: INF-SJ-08, INF-SJ-11."""
    return fall(dice, ready.damage, ready.trooper.current.arm, ready.left)


def fall_dice_lines(ready: ReadyFall, trace: list[Entry]) -> list[str]:
    """Return lines about each die of a fall."""
    faces = [str(entry.waves[0][0]) for entry in trace if isinstance(entry, Thrown)]
    needed_text = f"need {ready.damage - ready.trooper.current.arm + 1}+"
    return join_into_line([f"ARM Rolls ({needed_text}): {faces[0]}", *faces[1:]]) if faces else []


def describe_fall_result(act: Act, ready: ReadyFall, points_lost: int) -> str:
    """Describe what a fall did to a trooper, once its wounds are carried out."""
    state_text = describe_state(reload_trooper(act, ready.trooper))
    name = ready.trooper.current.name
    if not points_lost:
        return f"{name} falls and is unhurt."
    return f"{name} falls: {times(points_lost, 'wound')}{f', {state_text}' if state_text else ''}."


# ------------------------------------------------------------------------------------ after a Jump


def describe_declared_fall(trooper: Trooper, inches: float, *, is_marker: bool) -> str:
    """Describe how a Jump ends in a fall, without its Damage if that would reveal a Marker.

    Rules: INF-SJ-07, INF-SJ-09.
    """
    if not inches:
        return "It lands on its feet."
    damage = fall_damage(trooper.current, inches)
    damage_note = "" if is_marker else f" ({f'Damage {damage}' if damage else 'no Damage'})"
    return f"At the end of the Jump, it falls {inches:g} in{damage_note}."


def roll_falls(act: Act, telling: Telling, tally: Tally, order: Order) -> list[tuple[ReadyFall, int]]:
    """Throw the ARM Rolls of the falls that the Jumps of an Order end in; a Marker that is hurt shows itself.

    Gives each fall with the points lost; they are carried through with all other wounds of the Order.
    Rules: INF-SJ-07, INF-SJ-08, INF-SJ-09.
    """
    falls = []
    for inches in order.falls:
        ready = prepare_fall(troops.as_shown(act.encounter, order.model), inches)
        if ready.damage and concealment.is_marker(act.encounter, order.model):
            row = act.encounter.model(order.model)
            marker_name = row.name
            telling.after.append(
                f"{marker_name} is revealed as {concealment.unveil(act.encounter, row.id).name}."
            )
            ready = prepare_fall(troops.by_id(act.encounter, order.model), inches)
        points_lost = 0
        if ready.damage:
            trace_start = len(act.dice.trace)
            points_lost = act.roll(whose_fall(ready), roll_fall, ready)
            telling.dice += [describe_fall(ready)[0], *fall_dice_lines(ready, act.dice.trace[trace_start:])]
            telling.why += [describe_fall(ready)[0], "Damage from the fall INF-SJ-07", "ARM Rolls INF-SJ-08"]
            tally.blows.setdefault(ready.trooper.id, Blow(ready.trooper)).lost += points_lost
        falls.append((ready, points_lost))
    return falls


SkillEffect = Callable[[Act, Telling, Order], None]

NO_ORDER = "Spend an Order first. No Order is under way."

OWN_ROLLS: dict[str, SkillEffect] = {}
"""The function for each Skill with an effect of its own that is not an attack; it uses the dice."""

END_EFFECTS: dict[str, SkillEffect] = {}
"""For each Skill that takes effect when the Order ends, and its user still stands, what carries it out."""


AroSearch = Callable[[Act, Telling, Order, Reaction], None]

ARO_SEARCHES: dict[str, AroSearch] = {}
"""For each ARO that searches, what rolls it."""


def register_aro_search(skill: str) -> Callable[[AroSearch], AroSearch]:
    """Register the function below as the roll of an ARO that searches."""

    def register(run: AroSearch) -> AroSearch:
        ARO_SEARCHES[skill] = run
        return run

    return register


def register_own_roll(skill: str) -> Callable[[SkillEffect], SkillEffect]:
    """Register the function below as the roll of a Skill."""

    def register(run: SkillEffect) -> SkillEffect:
        OWN_ROLLS[skill] = run
        return run

    return register


def register_end_effect(skill: str) -> Callable[[SkillEffect], SkillEffect]:
    """Register the function below as what a Skill does at the end of its Order."""

    def register(run: SkillEffect) -> SkillEffect:
        END_EFFECTS[skill] = run
        return run

    return register


async def seconds_since_question(store: Store, actor: Actor, action: Action) -> int:
    """Return the seconds since the open question was asked, or was put back, by the journal's clock."""
    running = await running_game(store, actor.channel_id)
    question_entry = _find_question_entry(Encounter(running.book())) if running is not None else 0
    if running is None or not question_entry:
        return 0
    return await seconds_since(store, running.scope.id, question_entry)


def _find_question_entry(encounter: Encounter) -> int:
    for model in list_owed_falls(encounter):
        return ModelState(model).fall_entry
    order = order_of(encounter)
    return order.entry if order is not None else 0


def seconds_left(act: Act) -> int:
    """Return the seconds that a side still has to answer, by `seconds_since_question`."""
    return reaction_seconds(act.encounter) - int(act.extra or 0)


def describe_time_left(act: Act) -> str:
    """Describe the time left to answer, rounded up to ten seconds, at the end to one."""
    seconds = seconds_left(act)
    if seconds <= 0:
        return "time is up"
    return f"{times(seconds if seconds < 10 else -(-seconds // 10) * 10, 'second')} left"


TOO_LATE_TO_REACT = "You can't react now. The AROs to this Order have already been declared."


def _check_may_end(act: ActView, action: Resolve) -> None:
    """Refuse an Order that is over, or that neither belongs to this person nor asks this person."""
    order = _require_order(act.encounter, action)
    own_sides = asked_sides_of(act.encounter, order, act.actor.user_id)
    if not own_sides or action.rest == TIME:
        act.require_side(order.side)
    if order.window and action.rest in (NOTHING, KEEP):
        _require_asked(act.encounter, order, own_sides, keeps_right=action.rest == KEEP)
    elif action.rest and not order.window:
        raise InvalidInput(TOO_LATE_TO_REACT)


def _require_order(encounter: EncounterView, action: Resolve) -> Order:
    """Return the Order under way. Raises InvalidInput if it is over, or not the one that is meant."""
    order = order_of(encounter)
    if order is None:
        if action.order:
            raise Answered("That Order is already over. Spend a new one.")
        raise InvalidInput(NO_ORDER)
    if action.order and order.entry != action.order:
        raise Answered("Use the latest message for this Order. This one is out of date.")
    return order


@handles(Resolve, beforehand=seconds_since_question, may=_check_may_end)
def resolve(act: Act, action: Resolve) -> Reply:
    """End a side's answers, or the Order of the side whose turn it is."""
    order = _require_order(act.encounter, action)
    if action.rest not in ("", NOTHING, KEEP, TIME):
        raise InvalidInput(
            f'Enter "{NOTHING}" if your troopers don\'t react, "{KEEP}" if they can\'t react yet or'
            f' "{TIME}" if the time is up. Leave the answer blank to end the Order.'
        )
    if order.window:
        own_sides = asked_sides_of(act.encounter, order, act.actor.user_id)
        if action.rest in (NOTHING, KEEP) or (own_sides and not action.rest):
            return _pass(act, order, own_sides, keeps_right=action.rest == KEEP)
        return _end_waiting(act, order, ends_order=not action.rest)
    if action.rest:
        raise InvalidInput(TOO_LATE_TO_REACT)
    act.require_side(order.side)
    return go_on_from(act, replace(order, over=True), [])


def _require_asked(
    encounter: EncounterView, order: Order, sides: Sequence[int], *, keeps_right: bool
) -> None:
    """Raise InvalidInput for people who aren't asked, or who wait for a second Skill that can't follow."""
    if not sides:
        raise InvalidInput(f"Only {players_of(encounter, order.waits)} can react to this Order.")
    if keeps_right and is_full(order):
        raise InvalidInput("Choose your AROs now, because there will be no second Skill.")


def _pass(act: Act, order: Order, sides: list[int], *, keeps_right: bool) -> Reply:
    _require_asked(act.encounter, order, sides, keeps_right=keeps_right)
    order = record_answers(act, order, sides, keeps_right=keeps_right)
    if order.waits:
        return say("Your choice is saved. Only you can see it for now.", private=True).minor()
    return close_aro_window(act, order)


def _end_waiting(act: Act, order: Order, *, ends_order: bool) -> Reply:
    """End the wait for AROs for the side whose Order it is, once the time is up."""
    act.require_side(order.side)
    if seconds_left(act) > 0:
        players = players_of(act.encounter, order.waits)
        raise Forbidden(f"Wait for {players} to choose AROs ({describe_time_left(act)}).", "INF-ORD-05")
    choose_late_reactions(act, order)
    order = record_answers(act, order, list(order.waits), keeps_right=False)
    return close_aro_window(act, replace(order, over=order.over or ends_order))


# ------------------------------------------------------------------------------------ going on


def go_on_from(act: Act, order: Order, lines: Sequence[str]) -> Reply:
    """Ask for reactions after a declaration, or resolve if no one is asked."""
    store_order(act.encounter, order)
    order, lost_aro_lines = open_aro_window(act, order)
    if order.waits:
        delayed_lines = ["Delayed AROs have to be declared now."] if order.over else []
        return ask(act, order, [*lines, *delayed_lines, *lost_aro_lines])
    return close_aro_window(act, order, [*lines, *lost_aro_lines])


def close_aro_window(act: Act, order: Order, lines: Sequence[str] = ()) -> Reply:
    """Reveal the reactions once all have chosen; then ask for the second Skill, or resolve."""
    window_before = order.window
    order, aro_texts, reveal_lines = reveal_aros(act, order)
    claims = late_reactor_lines(act.encounter)
    if not is_full(order):
        return offer_second_skill(
            act, order, [*lines, *aro_texts, *passing_lines(act.encounter, order), *reveal_lines]
        )
    telling = conclude(act, order)
    if not telling.head:
        end_lines = [f"{possessive(act.encounter.model(order.model).name)} Order is over."]
        no_reaction_lines = ["Nobody reacts."] if window_before else []
        telling.head, lines = [*lines, *end_lines, *no_reaction_lines], ()
    telling.after = [*lines, *claims, *reveal_lines, *telling.after]
    return Reply(telling.lines(), buttons=telling.buttons(act, UNDO), why=tuple(telling.why))


def waiting_sentence(encounter: EncounterView, order: Order) -> str:
    """Return whose reactions the current Order waits for."""
    name = encounter.model(order.model).name
    return f"Wait for {players_of(encounter, order.waits)} to choose AROs to {possessive(name)} Order."


def has_effects_left(encounter: EncounterView, order: Order) -> bool:
    """Return whether ending the Order does anything: AROs declared or held, or a Skill to carry out."""
    has_reactions = any(reaction.does != NOTHING for reaction in reactions_of(encounter))
    return (
        has_reactions
        or bool(order.falls)
        or order.attacks
        or order.skill in OWN_ROLLS
        or order.skill in END_EFFECTS
    )


def check_finished(encounter: EncounterView, order: Order) -> None:
    """Raise Forbidden while reactions to an Order are awaited, or something of it is to be resolved."""
    if order.window:
        raise Forbidden(waiting_sentence(encounter, order), "INF-ORD-05")
    if has_effects_left(encounter, order):
        name = encounter.model(order.model).name
        raise Forbidden(f"Finish {possessive(name)} Order first. Press Done or use /inf done.", "INF-ORD-05")


def finish_quietly(act: Act) -> list[str]:
    """End the Order under way, if there is one, because something else begins. Raises what it still owes."""
    order = order_of(act.encounter)
    if order is None:
        return []
    check_finished(act.encounter, order)
    close_order(act.encounter)
    return [f"{possessive(act.encounter.model(order.model).name)} Order is over."]


# ------------------------------------------------------------------------------------ the dice


def conclude(act: Act, order: Order) -> Telling:
    """Throw everything together, carry it through; the Order is over.

    Rules: INF-F2F-01, INF-F2F-08, INF-DOD-01, INF-GUT-01, INF-SS-04, INF-TRA-05.
    """
    encounter = act.encounter
    act.let_pass(order.passed)
    reactions = tuple(aro for aro in reactions_of(encounter) if aro.does not in (WAIT, NOTHING))
    declared, choices = signature(order, reactions)
    act.canonical = Resolve(0, "", declared, choices)
    telling, tally = Telling(), Tally()
    close_order(encounter)
    actor = active_trooper(encounter, order)
    if actor.is_null:
        telling.head.append(f"{actor.current.name} can no longer act, so its Order is lost.")
        return telling
    pairs, refused_aros = pairs_of(encounter, order, reactions, settings_for(act))
    if order.skill in OWN_ROLLS:
        OWN_ROLLS[order.skill](act, telling, order)
    template_ranks = _throw_duels(act, telling, tally, order, pairs)
    template_pairs, refused_dodges = pairs_under_template(encounter, order, reactions, settings_for(act))
    throw_template(act, telling, tally, template_pairs, template_ranks)
    falls = roll_falls(act, telling, tally, order)
    settle(act, telling, tally)
    telling.head += [describe_fall_result(act, ready, points) for ready, points in falls]
    for reaction in reactions:
        if reaction.does in SEARCHES:
            ARO_SEARCHES[reaction.does](act, telling, order, reaction)
    record_melee(act, tally, pairs)
    spend_surprise(act, order)
    if order.skill in END_EFFECTS:
        END_EFFECTS[order.skill](act, telling, order)
    telling.head += [
        f"ARO cancelled. {drop_advice(sentence)}" for sentence in (*refused_aros, *refused_dodges)
    ]
    return telling


def drop_advice(refusal: str) -> str:
    """Return why something was refused, without what to do instead, which a refusal says first."""
    return refusal.partition(". ")[2] or refusal


def _throw_duels(
    act: Act, telling: Telling, tally: Tally, order: Order, pairs: tuple[Pair, ...]
) -> tuple[int, ...]:
    """Throw all duels; gives what the attack at its first target left, for who else is under a template."""
    if DOES_BY_SKILL.get(order.skill) is Does.DODGE and pairs:
        throw_dodge(act, telling, tally, pairs)
        return ()
    ranks: tuple[int, ...] = ()
    for pair in pairs:
        first_ranks = throw_duel(act, telling, tally, pair)
        if order.marks and pair.enemy.trooper.id == order.marks[0].model:
            ranks = first_ranks
    return ranks
