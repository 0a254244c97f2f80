"""The exact chances of an attack against every answer the target has, before anything is declared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from operator import le

from bot.games.infinity import concealment, troops
from bot.games.infinity.duels import Pair, default_reaction, modifiers_of, options, pair_of
from bot.games.infinity.narration import falls, joined_line, loss_bars
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
from bot.games.infinity.outcome import title
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


def pair_odds(act: ActView, pair: Pair) -> Odds[Losses]:
    """Return the exact odds of one duel."""
    duel = pair.duel
    return act.solve(resolve, duel.a, duel.b, duel.save_a, duel.save_b, opposed=duel.opposed)


def attack_chances(act: ActView, order: Order) -> Chances:
    """Return what the attack does to each target, by what that may answer, and what declared AROs do to you.

    Attacks are compared by the fall of the first target.
    """
    lines: list[str] = []
    hurts = []
    risks: list[Odds[Losses]] = []
    for mark in order.marks:
        chances, hurt, risk = _on_target(act, order, mark)
        lines += chances
        hurts.append(hurt)
        risks += risk
    for number in order.under:
        lines += _under_template(act, order, number)
    for reaction in reactions_of(act.encounter) if order.row else ():
        if reaction.shown and reaction.does in ATTACKS and order.mark(reaction.model) is None:
            chances, risk = _from_bystander(act, order, reaction)
            lines += chances
            risks += risk
    if len(risks) > 1:
        me = troops.by_id(act.encounter, order.model)
        together = percent(_falls_to_all(me, risks)).strip()
        lines.append(f"Chance that all attacks together take {me.current.name} down: {together}")
    return Chances(tuple(lines), "target goes down", hurts[0].down, hurts=tuple(hurts))


def reaction_note(act: Act, order: Order, reaction: Reaction) -> str:
    """Return what an ARO may lead to, for the person who chooses it: the chances of hurting and of falling.

    Empty if nothing is rolled against anyone, if the active trooper has fallen meanwhile, and against a
    Marker, whose figures are secret. Of a search it tells the chance of its own roll.
    """
    if reaction.does in SEARCHES:
        return _search_note(act, order, reaction)
    active = act.encounter.model(order.model)
    if concealment.is_marker(act.encounter, active.id) or troops.trooper(act.encounter, active).is_null:
        return ""
    if reaction.does == WAIT:
        return ""
    if reaction.does == NOTHING:
        order = order.as_aimed(reaction.model)
    with LettingPass(Passing([], rules=set(order.passed))):
        pair = pair_of(act.encounter, order, reaction, settings_for(act))
    if not (pair.enemy.attacks or pair.active.attacks):
        return ""
    odds = pair_odds(act, pair)
    hurt = f"{_share(odds, lambda losses: losses.a > 0)} chance to wound {active.name}"
    hurts = [hurt] if pair.enemy.attacks else []
    reacting = pair.enemy.trooper
    risk = f"{falls(odds, reacting, active=True)} risk of going down"
    falls_too = [risk] if pair.active.attacks else []
    return ", ".join([*hurts, *falls_too])


def _search_note(act: Act, order: Order, reaction: Reaction) -> str:
    wip = troops.by_id(act.encounter, reaction.model).current.attribute("wip")
    value = modified(wip, modifiers_of(act.encounter, order, reaction, settings_for(act)), settings_for(act))
    return f"WIP {value}, {percent(act.solve(normal_roll, value).chance(bool)).strip()} chance of success"


def aros_to_dodge(act: ActView, order: Order | None) -> tuple[Pair, ...]:
    """Return the public attacks that a Dodge would meet. Raises InvalidInput without any."""
    encounter, settings = act.encounter, settings_for(act)
    declared = [reaction for reaction in reactions_of(encounter) if reaction.shown]
    if order is None or not declared:
        raise InvalidInput(
            "There is no ARO to dodge yet. Look at the odds again after AROs have been declared."
        )
    dodging = replace(order, skill="dodge")
    pairs = [pair_of(encounter, dodging, reaction, settings) for reaction in declared]
    attacks = [pair for pair in pairs if pair.enemy.attacks]
    if not attacks:
        raise InvalidInput("Choose another Skill. None of the declared AROs is an attack that can be dodged.")
    return tuple(attacks)


def dodge_chances(act: ActView, trooper: Trooper, attacks: tuple[Pair, ...]) -> Chances:
    """Return the harm of these attacks to a trooper that dodges them all."""
    value = min(pair.duel.a.value for pair in attacks)
    odds = act.solve(dodge_attacks, value, tuple((pair.duel.b, pair.duel.save_a) for pair in attacks))
    lost = odds.map(lambda points: Losses(a=points))
    names = [pair.enemy.trooper.current.name for pair in attacks]
    lines = [*joined_line([f"{trooper.current.name} dodges {names[0]}", *names[1:]]), f"PH {value}, 1 die"]
    lines += [*loss_bars(lost, trooper, active=False), exactness(odds)]
    return Chances(tuple(lines), "unharmed", lost.chance(lambda losses: not losses.a))


def _under_template(act: ActView, order: Order, number: int) -> list[str]:
    """Return how likely other models under the template fall, without and with a Dodge. Rules: INF-BS-08.

    The figure behind a Marker is not considered.
    """
    encounter = act.encounter
    row = encounter.model(number)
    if concealment.is_marker(encounter, number):
        return [f"{row.name} is also under the template. Its odds are hidden because it is a Marker."]
    settings, main = settings_for(act), order.marks[0]
    answer = _answers(act, order, main)[0][1]
    pair = pair_of(encounter, order, answer, settings)
    opposing_side = pair.duel.b if pair.duel.opposed else Side(0, 0, attacks=False)
    aimed = order.as_aimed(number)
    risks = []
    for label, reaction in _answers(act, order, Mark(number)):
        if reaction.does not in (NOTHING, "dodge"):
            continue
        aro = replace(default_reaction(aimed, aimed.marks[0], reaction.does), unseen=reaction.unseen)
        duel = pair_of(encounter, aimed, aro, settings).duel
        dodge = duel.b.value if reaction.does != NOTHING else 0
        odds = act.solve(under_template, duel.a, opposing_side, dodge, duel.save_b)
        wounds_left = max(1, troops.trooper(encounter, row).wounds)
        condition = "without an ARO" if reaction.does == NOTHING else f"if it chooses {label}"
        chance = percent(odds.chance(partial(le, wounds_left))).strip()
        risks.append(f"{chance} risk of going down {condition}")
    head = f"{row.name}, also under the template"
    return joined_line([f"{head}: {risks[0]}", *risks[1:]]) if risks else [head]


def _from_bystander(act: ActView, order: Order, reaction: Reaction) -> tuple[list[str], list[Odds[Losses]]]:
    try:
        pair = pair_of(act.encounter, order, reaction, settings_for(act))
    except (InvalidInput, Forbidden):
        return [], []
    odds, me = pair_odds(act, pair), pair.active.trooper
    name = pair.enemy.trooper.current.name
    risk_line = f"Your risk from {possessive(name)} ARO: {_risk(odds, me)}"
    return [risk_line], [odds]


def _falls_to_all(trooper: Trooper, risks: Sequence[Odds[Losses]]) -> float:
    """Return the chance that all attacks of an Order together take the last point of a trooper."""
    wounds_left = max(1, trooper.wounds)
    lost = {0: 1.0}
    for odds in risks:
        loss_chances = odds.map(lambda losses: min(losses.a, wounds_left)).each()
        together: dict[int, float] = {}
        for lost_before, share in lost.items():
            for lost_now, chance in loss_chances.items():
                total = min(wounds_left, lost_before + lost_now)
                together[total] = together.get(total, 0.0) + share * chance
        lost = together
    return lost.get(wounds_left, 0.0)


def _on_target(act: ActView, order: Order, mark: Mark) -> tuple[list[str], Hurt, list[Odds[Losses]]]:
    """Return what it does to one target, told and in numbers, and what the likeliest answer does to you."""
    offered = _answers(act, order, mark)
    first, *others = offered[:MAX_ANSWERS] if len(offered) > 1 else offered
    if others and NOTHING not in [answer.does for _, answer in (first, *others)]:
        others.append(offered[-1])
    pair = pair_of(act.encounter, order, first[1], settings_for(act))
    odds = pair_odds(act, pair)
    me, target = pair.active.trooper, pair.enemy.trooper
    lines = [f"{me.current.name} -> {target.current.name}, {mark.inches:g} in"]
    lines.append(title(pair.active, pair.duel.a))
    if first[1].does != NOTHING and not pair.duel.b.burst:
        lines.append(f"{possessive(target.current.name)} ARO ({first[0]}) doesn't oppose your attack.")
    elif first[1].does != NOTHING:
        lines += [f"{possessive(target.current.name)} ARO: {first[0]}", title(pair.enemy, pair.duel.b)]
    elif len(offered) == 1:
        lines.append(f"{target.current.name} has no ARO left.")
    lines += loss_bars(odds, target, active=True)
    if pair.enemy.attacks:
        lines.append(f"Your risk: {_risk(odds, me)}")
    for label, reaction in others:
        other = pair_of(act.encounter, order, reaction, settings_for(act))
        chances = pair_odds(act, other)
        own_risk = f"{possessive(me.current.name)} is {falls(chances, me, active=False)}"
        return_risk = f", and {own_risk}" if other.enemy.attacks else ""
        whose = possessive(target.current.name)
        fall_chances = f"{whose} risk of going down is {falls(chances, target, active=True)}{return_risk}"
        condition = "Without an ARO" if reaction.does == NOTHING else f'With "{label}" instead'
        lines.append(f"{condition}: {fall_chances}")
    wounds_left = max(1, target.wounds)
    falls_then = odds.chance(lambda losses: losses.b >= wounds_left)
    average = odds.mean(lambda losses: min(losses.b, wounds_left))
    risk = [odds] if pair.enemy.attacks else []
    return [*lines, exactness(odds)], Hurt(mark.model, falls_then, average), risk


def _answers(act: ActView, order: Order, mark: Mark) -> list[tuple[str, Reaction]]:
    """Return the target's possible answers; after the first Skill only what it declared to that, or none.

    Rules: INF-ORD-05.
    """
    encounter = act.encounter
    offered = list(options(encounter, order, default_reaction(order, mark), settings_for(act)))
    aro, under_way = reaction_of(encounter, mark.model), order_of(encounter)
    if under_way is None or (aro is not None and (aro.does == WAIT or not aro.shown)):
        return offered
    if aro is not None:
        labels = [
            label for label, reaction in offered if (reaction.does, reaction.weapon) == (aro.does, aro.weapon)
        ]
        return [(labels[0] if labels else aro.does, aro)]
    return offered if encounter.model(mark.model).side in under_way.kept else offered[-1:]


def _risk(odds: Odds[Losses], me: Trooper) -> str:
    hurt = _share(odds, lambda losses: losses.a > 0)
    return f"{hurt} chance to be wounded, {falls(odds, me, active=False)} to go down"


def _share(odds: Odds[Losses], counts: Callable[[Losses], bool]) -> str:
    return percent(odds.chance(counts)).strip()
