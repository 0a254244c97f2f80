"""Leaving a melee at the table: the contest, the free attacks of those who win it, and moving away."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

from bot.actions import Action
from bot.games.counterblast.answers import ask_or_fight
from bot.games.counterblast.attacks import Telling
from bot.games.counterblast.common import UNDO, named, orders_of, own, pay, settings, spend_order
from bot.games.counterblast.contact import held_by, names
from bot.games.counterblast.fighters import fighters
from bot.games.counterblast.fought_out import moves_away
from bot.games.counterblast.marks import DARK, VACUUM
from bot.games.counterblast.melees import Melee, Pairing, by_heading, flat, outnumbering
from bot.games.counterblast.words import dice_words, trace_lines, why_check
from bot.replies.chances import percent
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.handlers import handles
from rules.refusals import Forbidden
from rules.systems.counterblast.bouts import Bout
from rules.systems.counterblast.checks import Prepared
from rules.systems.counterblast.disengage import (
    disengage,
    leave,
    prepare_disengage,
    prepare_free_attacks,
)
from rules.systems.counterblast.fighter import Fighter

MOST_ODDS = 5
"""Enemies for whose free attacks the odds are worked out; more only for the contest."""


@dataclass(frozen=True, slots=True)
class Disengage(Action):
    """A model leaves the melee that it is in."""

    command = "cb.disengage"

    model: str = ""
    order: bool = False
    odds: bool = False


@handles(Disengage)
def leave_melee(act: Act, action: Disengage) -> Reply:
    """AGL against everybody engaged with it; who wins strikes at half of its dice; then it moves away."""
    leaver = named(act, action.model) if action.odds else own(act, action.model)
    enemies = held_by(act, leaver)
    if not enemies:
        raise Forbidden(f"{leaver.name} is not engaged: it can simply Move.", "CB-DISENG-01")
    chosen = settings(act)
    mine = prepare_disengage(leaver, order_token=action.order, settings=chosen)
    theirs = tuple(prepare_disengage(enemy, settings=chosen) for enemy in enemies)
    act.canonical = Disengage(f"#{leaver.id}", action.order)
    if action.odds:
        return _odds_reply(act, leaver, enemies)
    pay(act, leaver, "disengage")
    if action.order:
        spend_order(act, leaver.side)
    with act.thrown_by(leaver.name, *(enemy.name for enemy in enemies)):
        won = act.roll(disengage, mine.throw, tuple(one.throw for one in theirs))
    free = [enemy for enemy, wins in zip(enemies, won, strict=True) if wins]
    telling = Telling()
    dice = _dice_lines(act, leaver, mine, enemies, theirs)
    telling.why += why_check(mine, f"{leaver.name} disengages")
    for enemy, one in zip(enemies, theirs, strict=True):
        telling.why += why_check(one, f"{enemy.name} holds back")
    if not free:
        telling.lines.append(f"{leaver.name} disengages: no free attack.")
        moves_away(act, telling, leaver, enemies)
        telling.lines += [*telling.proposal_lines(), "", *dice]
        return Reply(tuple(telling.lines), buttons=telling.buttons(act, UNDO), why=tuple(telling.why))
    telling.lines += [f"{leaver.name} disengages: {names(free)} may strike.", *dice, ""]
    attacks = Melee("free", flat(Pairing(enemy.id, leaver.id) for enemy in free))
    return ask_or_fight(act, telling, attacks, bound=False)


def _dice_lines(
    act: Act, leaver: Fighter, mine: Prepared, enemies: tuple[Fighter, ...], theirs: tuple[Prepared, ...]
) -> list[str]:
    trace = act.dice.trace
    lines = [f"{leaver.name}: {dice_words(mine, 'AGL')}"]
    lines += [said for part in by_heading(trace, "leaver successes")[:1] for said in trace_lines(part)]
    for enemy, one, part in zip(enemies, theirs, by_heading(trace, "beaten"), strict=True):
        lines += [f"{enemy.name}: {dice_words(one, 'AGL')}", *trace_lines(part)]
    return lines


# ---------------------------------------------------------------- odds


def _odds_reply(act: Act, leaver: Fighter, enemies: tuple[Fighter, ...]) -> Reply:
    """The chances to get away unhurt, hurt and not at all, its dice shared evenly."""
    assert isinstance(act.canonical, Disengage)
    lines = [f"{leaver.name} leaves {names(enemies)}"]
    free, hurt, down = _chances(act, leaver, enemies, order=act.canonical.order)
    lines += [f"no free attack {percent(free)}"]
    if len(enemies) <= MOST_ODDS:
        lines += [f"hurt           {percent(hurt)}", f"goes down      {percent(down)}"]
    buttons = [Button("Disengage", replace(act.canonical, order=False), "main")]
    if orders_of(act.encounter.side(leaver.side)):
        if not act.canonical.order:
            with_order = _chances(act, leaver, enemies, order=True)[0]
            lines.append(f"With an order: no free attack {percent(with_order).strip()}")
        buttons.append(Button("Disengage with order", replace(act.canonical, order=True)))
    return Reply((*lines, "Exact.", "Nothing is rolled."), private=True, buttons=tuple(buttons))


def _chances(
    act: Act, leaver: Fighter, enemies: tuple[Fighter, ...], *, order: bool
) -> tuple[float, float, float]:
    """The chances of no free attack at all, of wounds, and of going down."""
    chosen = settings(act)
    mine = prepare_disengage(leaver, order_token=order, settings=chosen).throw
    theirs = tuple(prepare_disengage(enemy, settings=chosen).throw for enemy in enemies)
    if len(enemies) > MOST_ODDS:
        return act.solve(disengage, mine, theirs).chance(lambda won: not any(won)), 0.0, 0.0
    life = max(1, leaver.life_left)
    odds = act.solve(leave, mine, theirs, _attacks(act, leaver, enemies), life)
    return (
        odds.chance(lambda got: not got[0]),
        odds.chance(lambda got: got[1] > 0),
        odds.chance(lambda got: got[1] >= life),
    )


def _attacks(
    act: Act, leaver: Fighter, enemies: tuple[Fighter, ...]
) -> tuple[tuple[tuple[bool, ...], tuple[Bout, ...]], ...]:
    """For every way in which the contest can end the blows that follow."""
    dark, vacuum = bool(act.encounter.count(DARK)), bool(act.encounter.count(VACUUM))
    models = fighters(act.encounter)
    found = []
    for won in product((False, True), repeat=len(enemies)):
        free = tuple(enemy for enemy, wins in zip(enemies, won, strict=True) if wins)
        if free:
            ready = prepare_free_attacks(
                leaver,
                free,
                dark=dark,
                vacuum=vacuum,
                outnumbering=outnumbering(models, {leaver.id, *(enemy.id for enemy in free)}),
                settings=settings(act),
            )
            found.append((won, ready.bouts))
    return tuple(found)
