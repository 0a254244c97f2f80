"""The exact chances of an attack against every answer the target has, before anything is declared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from operator import le

from bot.games.infinity import concealment, troops
from bot.games.infinity.duels import Pair, default_reaction, list_options, pair_of, search_modifiers
from bot.games.infinity.narration import format_fall_chance, join_into_line, loss_bars
from bot.games.infinity.order_rows import (
    ATTACKS,
    NOTHING,
    SEARCHES,
    WAIT,
    Mark,
    Order,
    Reaction,
    order_of,
    reaction_of,
    reactions_of,
)
from bot.games.infinity.outcome import roll_title
from bot.games.infinity.troops import settings_for
from bot.replies.chances import exactness, percent
from bot.table.act import Act, ActView
from bot.table.steps import Chances, Hurt
from rules.dice import Odds
from rules.refusals import Forbidden, InvalidInput, LettingPass, Passing
from rules.systems.infinity.armour import Losses, dodge_attacks, under_template
from rules.systems.infinity.duel import resolve
from rules.systems.infinity.rolls import Side, modified, normal_roll
from rules.systems.infinity.trooper import Trooper
from rules.wording import possessive

MAX_ANSWERS = 5


def solve_pair(act: ActView, pair: Pair) -> Odds[Losses]:
    """Return the exact odds of one duel."""
    duel = pair.duel
    return act.solve(resolve, duel.a, duel.b, duel.save_a, duel.save_b, opposed=duel.opposed)


def attack_chances(act: ActView, order: Order) -> Chances:
    """Return what the attack does to each target, by its possible answers, and what declared AROs do to you.

    Attacks are compared by the fall of the first target.
    """
    lines: list[str] = []
    hurts = []
    risks: list[Odds[Losses]] = []
    for mark in order.marks:
        chances, hurt, risk = _target_chances(act, order, mark)
        lines += chances
        hurts.append(hurt)
        risks += risk
    for model_id in order.under:
        lines += _template_risk_lines(act, order, model_id)
    for reaction in reactions_of(act.encounter) if order.row else ():
        if reaction.shown and reaction.does in ATTACKS and order.mark(reaction.model) is None:
            chances, risk = _bystander_risk(act, order, reaction)
            lines += chances
            risks += risk
    if len(risks) > 1:
        attacker = troops.by_id(act.encounter, order.model)
        fall_chance = percent(_combined_fall_chance(attacker, risks)).strip()
        lines.append(f"Chance that all attacks together take {attacker.current.name} down: {fall_chance}")
    return Chances(tuple(lines), "target goes down", hurts[0].down, hurts=tuple(hurts))


def reaction_note(act: Act, order: Order, reaction: Reaction) -> str:
    """Return what an ARO may lead to, for the person who chooses it: the chances of hurting and of falling.

    Empty if nothing is rolled against anyone, if the active trooper has fallen meanwhile, and against a
    Marker, whose figures are secret. Of a search it tells the chance of its own roll.
    """
    if reaction.does in SEARCHES:
        return _search_note(act, order, reaction)
    active_row = act.encounter.model(order.model)
    if (
        concealment.is_marker(act.encounter, active_row.id)
        or troops.trooper(act.encounter, active_row).is_null
    ):
        return ""
    if reaction.does == WAIT:
        return ""
    if reaction.does == NOTHING:
        order = order.as_aimed(reaction.model)
    with LettingPass(Passing([], rules=set(order.passed))):
        pair = pair_of(act.encounter, order, reaction, settings_for(act))
    if not (pair.enemy.attacks or pair.active.attacks):
        return ""
    odds = solve_pair(act, pair)
    wound_text = f"{_format_chance(odds, lambda losses: losses.a > 0)} chance to wound {active_row.name}"
    wound_parts = [wound_text] if pair.enemy.attacks else []
    reacting_trooper = pair.enemy.trooper
    risk_text = f"{format_fall_chance(odds, reacting_trooper, by_active_side=True)} risk of going down"
    risk_parts = [risk_text] if pair.active.attacks else []
    return ", ".join([*wound_parts, *risk_parts])


def _search_note(act: Act, order: Order, reaction: Reaction) -> str:
    wip = troops.by_id(act.encounter, reaction.model).current.attribute("wip")
    value = modified(
        wip, search_modifiers(act.encounter, order, reaction, settings_for(act)), settings_for(act)
    )
    return f"WIP {value}, {percent(act.solve(normal_roll, value).chance(bool)).strip()} chance of success"


def aros_to_dodge(act: ActView, order: Order | None) -> tuple[Pair, ...]:
    """Return the public attacks that a Dodge would meet. Raises InvalidInput without any."""
    encounter, settings = act.encounter, settings_for(act)
    shown_reactions = [reaction for reaction in reactions_of(encounter) if reaction.shown]
    if order is None or not shown_reactions:
        raise InvalidInput(
            "There is no ARO to dodge yet. Look at the odds again after AROs have been declared."
        )
    dodge_order = replace(order, skill="dodge")
    pairs = [pair_of(encounter, dodge_order, reaction, settings) for reaction in shown_reactions]
    attacks = [pair for pair in pairs if pair.enemy.attacks]
    if not attacks:
        raise InvalidInput("Choose another Skill. None of the declared AROs is an attack that can be dodged.")
    return tuple(attacks)


def dodge_chances(act: ActView, trooper: Trooper, attacks: tuple[Pair, ...]) -> Chances:
    """Return the harm of these attacks to a trooper that dodges them all."""
    value = min(pair.duel.a.value for pair in attacks)
    odds = act.solve(dodge_attacks, value, tuple((pair.duel.b, pair.duel.save_a) for pair in attacks))
    lost_points = odds.map(lambda points: Losses(a=points))
    names = [pair.enemy.trooper.current.name for pair in attacks]
    lines = [*join_into_line([f"{trooper.current.name} dodges {names[0]}", *names[1:]]), f"PH {value}, 1 die"]
    lines += [*loss_bars(lost_points, trooper, by_active_side=False), exactness(odds)]
    return Chances(tuple(lines), "unharmed", lost_points.chance(lambda losses: not losses.a))


def _template_risk_lines(act: ActView, order: Order, model_id: int) -> list[str]:
    """Return how likely other models under the template fall, without and with a Dodge. Rules: INF-BS-08.

    The figure behind a Marker is not considered.
    """
    encounter = act.encounter
    row = encounter.model(model_id)
    if concealment.is_marker(encounter, model_id):
        return [f"{row.name} is also under the template. Its odds are hidden because it is a Marker."]
    settings, main_mark = settings_for(act), order.marks[0]
    answer = _list_answers(act, order, main_mark)[0][1]
    pair = pair_of(encounter, order, answer, settings)
    opposing_side = pair.duel.b if pair.duel.opposed else Side(0, 0, attacks=False)
    aimed_order = order.as_aimed(model_id)
    risk_texts = []
    for label, reaction in _list_answers(act, order, Mark(model_id)):
        if reaction.does not in (NOTHING, "dodge"):
            continue
        aro = replace(
            default_reaction(aimed_order, aimed_order.marks[0], reaction.does), unseen=reaction.unseen
        )
        duel = pair_of(encounter, aimed_order, aro, settings).duel
        dodge_value = duel.b.value if reaction.does != NOTHING else 0
        odds = act.solve(under_template, duel.a, opposing_side, dodge_value, duel.save_b)
        wounds_left = max(1, troops.trooper(encounter, row).wounds)
        condition = "without an ARO" if reaction.does == NOTHING else f"if it chooses {label}"
        chance = percent(odds.chance(partial(le, wounds_left))).strip()
        risk_texts.append(f"{chance} risk of going down {condition}")
    head = f"{row.name}, also under the template"
    return join_into_line([f"{head}: {risk_texts[0]}", *risk_texts[1:]]) if risk_texts else [head]


def _bystander_risk(act: ActView, order: Order, reaction: Reaction) -> tuple[list[str], list[Odds[Losses]]]:
    try:
        pair = pair_of(act.encounter, order, reaction, settings_for(act))
    except (InvalidInput, Forbidden):
        return [], []
    odds, trooper = solve_pair(act, pair), pair.active.trooper
    name = pair.enemy.trooper.current.name
    risk_line = f"Your risk from {possessive(name)} ARO: {_describe_risk(odds, trooper)}"
    return [risk_line], [odds]


def _combined_fall_chance(trooper: Trooper, risks: Sequence[Odds[Losses]]) -> float:
    """Return the chance that all attacks of an Order together take the last point of a trooper."""
    wounds_left = max(1, trooper.wounds)
    chance_by_loss = {0: 1.0}
    for odds in risks:
        loss_chances = odds.map(lambda losses: min(losses.a, wounds_left)).each()
        combined: dict[int, float] = {}
        for lost_before, chance_before in chance_by_loss.items():
            for lost_now, chance in loss_chances.items():
                total = min(wounds_left, lost_before + lost_now)
                combined[total] = combined.get(total, 0.0) + chance_before * chance
        chance_by_loss = combined
    return chance_by_loss.get(wounds_left, 0.0)


def _target_chances(act: ActView, order: Order, mark: Mark) -> tuple[list[str], Hurt, list[Odds[Losses]]]:
    """Return what it does to one target, in words and numbers, and the odds of its first answer."""
    answers = _list_answers(act, order, mark)
    main_answer, *other_answers = answers[:MAX_ANSWERS] if len(answers) > 1 else answers
    if other_answers and NOTHING not in [answer.does for _, answer in (main_answer, *other_answers)]:
        other_answers.append(answers[-1])
    pair = pair_of(act.encounter, order, main_answer[1], settings_for(act))
    odds = solve_pair(act, pair)
    attacker, target = pair.active.trooper, pair.enemy.trooper
    lines = [f"{attacker.current.name} -> {target.current.name}, {mark.inches:g} in"]
    lines.append(roll_title(pair.active, pair.duel.a))
    if main_answer[1].does != NOTHING and not pair.duel.b.burst:
        lines.append(f"{possessive(target.current.name)} ARO ({main_answer[0]}) doesn't oppose your attack.")
    elif main_answer[1].does != NOTHING:
        lines += [
            f"{possessive(target.current.name)} ARO: {main_answer[0]}",
            roll_title(pair.enemy, pair.duel.b),
        ]
    elif len(answers) == 1:
        lines.append(f"{target.current.name} has no ARO left.")
    lines += loss_bars(odds, target, by_active_side=True)
    if pair.enemy.attacks:
        lines.append(f"Your risk: {_describe_risk(odds, attacker)}")
    for label, reaction in other_answers:
        other_pair = pair_of(act.encounter, order, reaction, settings_for(act))
        chances = solve_pair(act, other_pair)
        own_risk_text = ""
        if other_pair.enemy.attacks:
            own_risk = format_fall_chance(chances, attacker, by_active_side=False)
            own_risk_text = f", and {possessive(attacker.current.name)} is {own_risk}"
        target_possessive = possessive(target.current.name)
        risk = format_fall_chance(chances, target, by_active_side=True)
        risk_text = f"{target_possessive} risk of going down is {risk}{own_risk_text}"
        condition = "Without an ARO" if reaction.does == NOTHING else f'With "{label}" instead'
        lines.append(f"{condition}: {risk_text}")
    wounds_left = max(1, target.wounds)
    fall_chance = odds.chance(lambda losses: losses.b >= wounds_left)
    average_loss = odds.mean(lambda losses: min(losses.b, wounds_left))
    own_odds = [odds] if pair.enemy.attacks else []
    return [*lines, exactness(odds)], Hurt(mark.model, fall_chance, average_loss), own_odds


def _list_answers(act: ActView, order: Order, mark: Mark) -> list[tuple[str, Reaction]]:
    """Return the target's possible answers; after the first Skill only what it declared to that, or none.

    Rules: INF-ORD-05.
    """
    encounter = act.encounter
    answers = list(list_options(encounter, order, default_reaction(order, mark), settings_for(act)))
    aro, under_way = reaction_of(encounter, mark.model), order_of(encounter)
    if under_way is None or (aro is not None and (aro.does == WAIT or not aro.shown)):
        return answers
    if aro is not None:
        labels = [
            label for label, reaction in answers if (reaction.does, reaction.weapon) == (aro.does, aro.weapon)
        ]
        return [(labels[0] if labels else aro.does, aro)]
    return answers if encounter.model(mark.model).side in under_way.kept else answers[-1:]


def _describe_risk(odds: Odds[Losses], trooper: Trooper) -> str:
    wound_chance = _format_chance(odds, lambda losses: losses.a > 0)
    fall_chance = format_fall_chance(odds, trooper, by_active_side=False)
    return f"{wound_chance} chance to be wounded, {fall_chance} to go down"


def _format_chance(odds: Odds[Losses], is_counted: Callable[[Losses], bool]) -> str:
    return percent(odds.chance(is_counted)).strip()
