"""Melees and their defence put together by pressing: whose dice strike whom, and which dice meet them."""

from __future__ import annotations

from bot.actions import Action
from bot.games.counterblast.core.common import settings
from bot.games.counterblast.core.fighters import fighters
from bot.games.counterblast.melee.answers import (
    Defend,
    SplitDefence,
    answered_by,
    pool_of,
    shared_by,
    split_models,
)
from bot.games.counterblast.melee.blow_words import TypedBlow
from bot.games.counterblast.melee.blows import shared
from bot.games.counterblast.melee.melees import Melee, engaged_pairs, flat, strikers
from bot.replies.reply import Button, Choice
from bot.table.act import Act
from bot.table.session.drafting import OPENS, Draft, Laid, makes
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.melee.fighting import attack_pool, fit_weapons
from rules.wording import times

SPLIT, BLOWS = "cb.split", "cb.blows"

PLACE = 10_000
"""A piece of a melee is the attacker's number times this, and the defender's."""


@makes(SPLIT, 2)
def splitting(act: Act, draft: Draft) -> Laid:
    """The dice of a side's models, die by die against their attackers. about: the melee's row, the side."""
    row, side = draft.about
    melee = answered_by(act, row, side)
    lines, pieces, typed, whole = [], [], [], True
    for model in split_models(act, melee, side):
        pool = pool_of(act, melee, model)
        given = []
        for place, one in shared_by(melee, model.id):
            attacker = act.encounter.model(one.attacker).name
            dice = draft.pieces.count(place)
            given.append(dice)
            lines.append(f"  {times(dice, 'die', 'dice')} against {attacker}")
            pieces.append((model, place, f"{model.name}: against {attacker}"))
        left = pool - sum(given)
        whole = whole and left <= 0
        lines.insert(len(lines) - len(given), f"{model.name}: {times(left, 'die', 'dice')} left")
        typed.append(" ".join(map(str, given)))
        if left <= 0:
            pieces = [piece for piece in pieces if piece[0] != model]
    ready = (Button("Defend so", SplitDefence(row, side, *typed), "main", anytime=True),) if whole else ()
    even = () if draft.pieces else (Button("Even split", Defend(row, side), anytime=True),)
    choices = tuple(Choice(label, str(place)) for _, place, label in pieces)
    return Laid(("Which dice against whom? Only you see this.", *lines), "One die", choices, (*ready, *even))


@makes(BLOWS)
def striking(act: Act, draft: Draft) -> Laid:
    """The dice of all who are activated and touch an enemy, die by die."""
    everybody = {one.id: one for one in fighters(act.encounter)}
    touching = _pairs(act)
    if not touching:
        raise InvalidInput("Nobody who acts is engaged. Say who touches whom: /cb engage.")
    struck = [divmod(piece, PLACE) for piece in draft.pieces]
    if not set(struck) <= {(one.id, other.id) for one, other in touching}:
        raise InvalidInput("Not all of them touch and may strike any more. Begin anew: More..., Melee.")
    left = {one.id: _pool(act, one) - sum(piece[0] == one.id for piece in struck) for one, _ in touching}
    lines = ["Who strikes whom? Only you see this."]
    for number in left:
        lines.append(f"{everybody[number].name}: {times(left[number], 'die', 'dice')} left")
        mine = [other for one, other in struck if one == number]
        lines += [f"  {mine.count(other)} at {everybody[other].name}" for other in dict.fromkeys(mine)]
    choices = tuple(
        Choice(f"{one.name} > {other.name}", str(one.id * PLACE + other.id))
        for one, other in touching
        if left[one.id] > 0
    )
    blows = [(everybody[one], everybody[other]) for one, other in struck]
    return Laid(tuple(lines), "One die", choices, _fight(act, blows, left))


def _fight(act: Act, struck: list[tuple[Fighter, Fighter]], left: dict[int, int]) -> tuple[Button, ...]:
    """The melee, once all who strike have shared out their dice; its odds beside it."""
    if not struck or any(left[one.id] > 0 for one, _ in struck):
        return ()
    blows = [TypedBlow(*pair, dice=struck.count(pair)) for pair in dict.fromkeys(struck)]
    pairs = flat(shared(act, blows))
    return (
        Button("Fight", Melee(pairs=pairs), "main", anytime=True),
        Button("Odds", Melee(pairs=pairs, odds=True), anytime=True),
    )


def _pairs(act: Act) -> list[tuple[Fighter, Fighter]]:
    """Who of one's own is activated, with each enemy that it touches: those who may strike, where any may."""
    everybody = [one for one in fighters(act.encounter) if not one.is_down]
    able = strikers(act.encounter)
    pairs = [
        (one, other)
        for one, _ in engaged_pairs(act.encounter)
        if one.has(Condition.ACTIVE) and act.plays_on(one.side)
        for other in everybody
        if other.side != one.side and other.is_engaged_with(one)
    ]
    return [pair for pair in pairs if pair[0].id in able] or pairs


def _pool(act: Act, one: Fighter) -> int:
    """Dice to share out, with the weapon that has most of them."""
    chosen = settings(act)
    return max(attack_pool(one, weapon, chosen).available for weapon in fit_weapons(one))


def _opened(action: Action) -> Draft | None:
    """A melee of which nothing is said is put together."""
    return Draft(BLOWS) if isinstance(action, Melee) and not action.text and not action.pairs else None


OPENS[Melee.command] = _opened
