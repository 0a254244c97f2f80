"""Several against several: declared in one line of text, answered by the defenders, rolled in one act."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from bot.games.counterblast.core import pending
from bot.games.counterblast.core.arms import arm_of
from bot.games.counterblast.core.common import named, own, pay, settings, spend_order
from bot.games.counterblast.core.fighters import fighter
from bot.games.counterblast.core.telling import Telling
from bot.games.counterblast.core.words import effect_word, hurt_words
from bot.games.counterblast.melee.answers import (
    MOST_SPLIT,
    Defend,
    SplitDefence,
    WaitingOdds,
    ask_or_fight,
    defend,
    defending_sides,
    split,
)
from bot.games.counterblast.melee.blows import read_blows
from bot.games.counterblast.melee.contact import touch
from bot.games.counterblast.melee.fight_play import blow_odds
from bot.games.counterblast.melee.melees import EVEN, Melee, flat, prepared, settled
from bot.games.counterblast.shooting.arc_play import require_mastery
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.handlers import handles
from rules.refusals import InvalidInput, forbid
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.melee.bouts import wounds_by_bouts


@handles(Melee)
def melee(act: Act, action: Melee) -> Reply:
    """All blows are declared first; then the defenders split their dice; then all is rolled.

    A text without > answers the melee that waits: the defender's numbers, `;` between models, or `even`.
    """
    if action.text and ">" not in action.text:
        return _typed_answer(act, action.text)
    pairings = action.pairings or read_blows(act, action.text)
    declared = Melee(pairs=flat(replace(one, defence=EVEN) for one in pairings))
    declared = replace(declared, orders=action.orders or _ordering(act, action.order, declared))
    if action.odds:
        return replace(_odds_reply(act, declared), buttons=(Button("Fight", settled(declared), "main"),))
    act.canonical = declared
    attackers = [own(act, f"#{number}") for number in declared.attackers]
    prepared(act, declared, must_be_engaged=False)
    apart = list(_apart(act, declared))
    if apart and not action.contact:
        if not act.overrides:
            return _not_in_contact(declared, apart)
        for first, second in apart:
            forbid(f"{first.name} is not engaged with {second.name}.", "CB-FIGHT-01")
    for number, arm in {one.attacker: one.weapon for one in declared.pairings}.items():
        attacker = fighter(act.encounter, act.encounter.model(number))
        require_mastery(act, attacker, arm_of(attacker, arm, settings(act)))
    for first, second in apart:
        touch(act, first, second)
    for attacker in attackers:
        pay(act, attacker, "fight")
        if attacker.id in declared.orders:
            spend_order(act, attacker.side)
    return ask_or_fight(act, Telling(), settled(declared))


@handles(WaitingOdds)
def waiting_odds(act: Act, action: WaitingOdds) -> Reply:
    """To whoever asks, while the attack dice are no secret."""
    declared = pending.waiting(act, action.row, Melee)
    if pending.is_hidden(act, action.row):
        raise InvalidInput("The attack dice are hidden until all have answered.")
    return _odds_reply(act, settled(declared))


def _typed_answer(act: Act, text: str) -> Reply:
    """The defence dice as the defender typed them, for the melee that waits for this side."""
    for row in pending.rows(act, Melee):
        waiting = pending.waiting(act, row, Melee)
        for side in defending_sides(act, waiting):
            if side not in waiting.locked and _plays(act, side):
                if text.strip().casefold() == "even":
                    return defend(act, Defend(row, side))
                parts = text.split(";")
                if len(parts) > MOST_SPLIT:
                    raise InvalidInput(f"At most {MOST_SPLIT} models can split their dice.")
                return split(act, SplitDefence(row, side, *parts))
    raise InvalidInput("Say who attacks whom: Sally>Smap 2, Angus>Smap. No melee waits for your answer.")


def _plays(act: Act, side: int) -> bool:
    seat = act.seat
    mine = seat is not None and seat.role != "spectator" and seat.side == side
    return mine or any(model.owner_id == act.actor.user_id for model in act.encounter.models(side))


def _ordering(act: Act, text: str, declared: Melee) -> tuple[int, ...]:
    """Who spends an order token, named with commas between."""
    found = tuple(named(act, part).id for part in text.split(",") if part.strip())
    if not set(declared.attackers).issuperset(found):
        raise InvalidInput("Order tokens are for models that attack; defenders spend theirs when asked.")
    return tuple(dict.fromkeys(found))


def _apart(act: Act, declared: Melee) -> Iterable[tuple[Fighter, Fighter]]:
    """Pairs that have to touch and are not marked as engaged."""
    for one in declared.pairings:
        first = fighter(act.encounter, act.encounter.model(one.attacker))
        second = fighter(act.encounter, act.encounter.model(one.defender))
        if not one.tenths and not first.is_engaged_with(second):
            yield first, second


def _not_in_contact(declared: Melee, apart: list[tuple[Fighter, Fighter]]) -> Reply:
    pairs = [f"{first.name} and {second.name}" for first, second in apart]
    return Reply(
        ("Not engaged:", *pairs, "Rule CB-FIGHT-01.", "Nothing was changed. Do they all touch?"),
        private=True,
        buttons=(Button("They are in contact: fight", replace(declared, contact=True), "main"),),
    )


def _odds_reply(act: Act, declared: Melee) -> Reply:
    """For each model attacked the chance to be hurt and to go down; dice not split yet are shared evenly."""
    if len(declared.pairings) == 1:
        return Reply((*blow_odds(act, declared), "Nothing is rolled."), private=True)
    ready = prepared(act, declared, must_be_engaged=False)
    lines = ["Odds of the melee:"]
    for number in declared.defenders:
        target = fighter(act.encounter, act.encounter.model(number))
        blows = [blow for blow in ready.blows if blow.defender.id == number]
        for effect in dict.fromkeys(effect_word(blow.weapon) for blow in blows):
            alike = [blow for blow in blows if effect_word(blow.weapon) == effect]
            bouts = tuple(blow.bout for blow in alike)
            odds = act.solve(wounds_by_bouts, bouts, max(1, target.life_left))
            lines.append(f"{target.name}: {hurt_words(odds, target, alike[0].weapon)}")
    return Reply((*lines, act.exactness, "Nothing is rolled."), private=True)
