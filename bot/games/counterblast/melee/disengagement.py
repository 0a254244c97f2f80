"""Leaving a melee at the table: the contest, the free attacks of those who win it, and moving away."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from bot.actions import Action, number_of
from bot.games.counterblast.core import common
from bot.games.counterblast.core.common import carry_through, orders_of, settings, spend_order
from bot.games.counterblast.core.contact import join_names, list_engaged_enemies
from bot.games.counterblast.core.debts import Debt, register_finder
from bot.games.counterblast.core.fields import order, who
from bot.games.counterblast.core.narration import Telling, due
from bot.games.counterblast.core.wording import dice_words, trace_lines, why_check
from bot.games.counterblast.melee.answers import ask_or_fight
from bot.games.counterblast.melee.melee_resolution import move_away, parts_of
from bot.games.counterblast.melee.melees import Melee, Pairing, flatten_pairings, outnumbering
from bot.games.counterblast.state.models import fighters
from bot.games.counterblast.state.table_state import EncounterState
from bot.replies.chances import percent
from bot.replies.reply import Button, Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.owners import in_play
from bot.table.steps import Chances, Weighed, in_steps
from bot.table.throw_purposes import Whose, each
from rules.dice import Odds
from rules.effects import Effect
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.checks import PreparedCheck
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.melee.bouts import Bout
from rules.systems.counterblast.melee.engagement import (
    beaten,
    disengage,
    leave,
    leaver_successes,
    prepare_disengage,
    prepare_free_attacks,
    unopposed,
)

Attacks = tuple[tuple[tuple[int, ...], tuple[Bout, ...]], ...]
"""For every number of winners of each kind of enemy the blows that follow."""


@dataclass(frozen=True, slots=True)
class Disengage(Action):
    """Try to leave a melee.

    ask: let its enemies answer first, with an order token or not. held: in the written form only, the
    enemy with the token, 0 without one; against: who is asked.
    """

    command = "cb.disengage"
    typed = "cb disengage"

    model: Fighter = who("Model")
    order: bool = order()
    odds: bool = fields.odds()
    ask: bool = fields.switch("Enemies can use an order token")
    held: int = 0
    against: tuple[int, ...] = fields.unordered()

    @property
    def involved(self) -> tuple[int, ...]:
        """Return the numbers of the model and of its enemies."""
        return (number_of(self.model), *self.against)

    @property
    def attackers(self) -> tuple[int, ...]:
        """Return the model that disengages."""
        return (number_of(self.model),)

    @property
    def begun(self) -> Disengage:
        """Return it as it is declared, before anybody has answered."""
        return replace(self, odds=False, held=0, against=())


@dataclass(frozen=True, slots=True)
class HoldBack(Action):
    """The enemies answer a Disengage that waits: they hold back, the model named with an order token."""

    command = "cb.hold-back"
    decision_of = in_play("the side that can hold the model back")

    row: int = 0
    side: int = 0
    model: int = 0


@dataclass(frozen=True, slots=True)
class ReadyToLeave:
    """A model that may leave its melee, who holds it, and what it costs."""

    leaver: Fighter
    enemies: tuple[Fighter, ...]
    due: tuple[Effect, ...] = ()


@in_steps(Disengage)
class Leaving(Weighed[Disengage, ReadyToLeave]):
    """Rolls AGL against every engaged enemy; winners strike at half of its dice; then it moves away."""

    label = "Disengage"

    def prepare(self, act: ActView, action: Disengage) -> ReadyToLeave:
        """Return who is engaged and not Hidden. Raises InvalidInput, Forbidden."""
        leaver = action.model
        enemies = list_engaged_enemies(act, leaver)
        if not enemies:
            raise Forbidden(f"{leaver.name} is not engaged, so it can simply Move.", "CB-DISENG-01")
        if leaver.has(Condition.HIDDEN):
            with act.overridable():
                raise Forbidden(
                    (
                        f"{leaver.name} is Hidden, but it is in contact. Remove Hidden with /condition clear "
                        "first."
                    ),
                    "CB-HIDE-03",
                )
        act.canonical = action.begun
        return ReadyToLeave(leaver, enemies, due(act, leaver, "disengage", order=action.order))

    def do(self, act: Act, action: Disengage, ready: ReadyToLeave) -> Reply:
        leaver, enemies, declared = ready.leaver, ready.enemies, action.begun
        carry_through(act, ready.due)
        asks_enemies = action.ask and any(orders_of(act.encounter.side(enemy.side)) for enemy in enemies)
        return (
            _ask(act, declared, leaver, enemies)
            if asks_enemies
            else _roll_contest(act, declared, leaver, enemies)
        )

    def chances(self, act: ActView, action: Disengage, ready: ReadyToLeave) -> Chances:
        lines = [f"{ready.leaver.name} disengages from {join_names(ready.enemies)}"]
        results, odds = _chances(act, ready.leaver, ready.enemies, order=action.order)
        titles = ("no free attack", "hurt", "goes down")
        lines += [f"{title:<14} {percent(chance)}" for title, chance in zip(titles, results, strict=False)]
        if len(results) < len(titles):
            lines.append("There are too many different enemies to calculate the odds of their attacks.")
        return Chances(tuple(lines), titles[0], results[0], (odds,))


def _ask(act: Act, declared: Disengage, leaver: Fighter, enemies: tuple[Fighter, ...]) -> Reply:
    """Store it until the enemies have decided about an order token. Rules: CB-ORDER-05."""
    number = common.store_pending(
        act, leaver.side, replace(declared, against=tuple(enemy.id for enemy in enemies))
    )
    lines = (
        f"{leaver.name} wants to disengage from {join_names(enemies)}.",
        f"Spend an order token to hold {leaver.name} back?",
    )
    return Reply(lines, buttons=(*_answer_buttons(act, number, enemies), UNDO)).minor()


def _answer_buttons(act: Act, number: int, enemies: tuple[Fighter, ...]) -> tuple[Button, ...]:
    sides = [act.encounter.side(side) for side in dict.fromkeys(enemy.side for enemy in enemies)]
    with_order = [enemy for enemy in enemies if orders_of(act.encounter.side(enemy.side))]
    return (
        Button("Roll without a token", HoldBack(number, sides[0].id), "main", anytime=True),
        *(
            Button(
                f"{fighter.name} spends an order token (+1)",
                HoldBack(number, fighter.side, fighter.id),
                anytime=True,
            )
            for fighter in with_order
        ),
    )


@handles(HoldBack)
def hold_back(act: Act, action: HoldBack) -> Reply:
    """Decline for all, by one of the enemies' players; then roll. Rules: CB-ORDER-05, CB-DISENG-01."""
    declared = common.get_waiting_action(act, action.row, Disengage)
    leaver = declared.model
    enemies = list_engaged_enemies(act, leaver)
    holder = next((enemy for enemy in enemies if enemy.id == action.model), None)
    act.require_side(holder.side if holder else action.side)
    if action.side not in {enemy.side for enemy in enemies} or (action.model and holder is None):
        raise InvalidInput(f"This side can't hold {leaver.name} back.")
    if holder is not None:
        spend_order(act, holder.side)
    common.remove_waiting_action(act, action.row)
    answered_action = replace(declared, ask=False, held=action.model, against=())
    act.canonical = answered_action
    return _roll_contest(act, answered_action, leaver, enemies)


@register_finder
def find_waiting_departures(act: Act) -> list[Debt]:
    """Return the models that wait to leave a melee. Rules: CB-DISENG-01, CB-ORDER-05."""
    debts = []
    for number in common.list_waiting_ids(act, Disengage):
        if common.is_answerable(act, number):
            leaver = common.get_waiting_action(act, number, Disengage).model
            enemies = list_engaged_enemies(act, leaver)
            line = f"{leaver.name} wants to disengage and is waiting for an answer."
            debts.append(Debt(enemies[0].side, line, _answer_buttons(act, number, enemies)))
    return debts


def _roll_contest(act: Act, declared: Disengage, leaver: Fighter, enemies: tuple[Fighter, ...]) -> Reply:
    """The dice of the contest and what follows. Rules: CB-DISENG-01, CB-DISENG-02, CB-DISENG-04."""
    rules = settings(act)
    prepared = prepare_disengage(leaver, order_token=declared.order, settings=rules)
    enemy_throws = tuple(
        prepare_disengage(enemy, order_token=enemy.id == declared.held, settings=rules) for enemy in enemies
    )
    rollers = each(
        Whose(leaver.name, "check", f"to disengage from {join_names(enemies)}"),
        *(Whose(enemy.name, "check", f"to hold {leaver.name} back") for enemy in enemies),
    )
    results = act.roll(
        rollers, disengage, prepared.throw, tuple(prepared_enemy.throw for prepared_enemy in enemy_throws)
    )
    attackers = [enemy for enemy, wins in zip(enemies, results, strict=True) if wins]
    telling = Telling()
    dice = _dice_lines(act, leaver, prepared, enemies, enemy_throws)
    telling.why += why_check(prepared, f"{leaver.name} tries to disengage")
    for enemy, enemy_dice in zip(enemies, enemy_throws, strict=True):
        telling.why += why_check(enemy_dice, f"{enemy.name} tries to hold {leaver.name} back")
    if not attackers:
        telling.lines.append(f"{leaver.name} disengages without facing a free attack.")
        move_away(act, telling, leaver, enemies)
        telling.lines += [*telling.proposal_lines(), "", *dice]
        return Reply(tuple(telling.lines), buttons=telling.buttons(act, UNDO), why=tuple(telling.why))
    telling.lines += [f"{leaver.name} disengages, but {join_names(attackers)} can strike.", *dice, ""]
    attacks = Melee("free", flatten_pairings(Pairing(enemy.id, leaver.id) for enemy in attackers))
    return ask_or_fight(act, telling, attacks, needs_contact=False)


def _dice_lines(
    act: Act,
    leaver: Fighter,
    prepared: PreparedCheck,
    enemies: tuple[Fighter, ...],
    enemy_throws: tuple[PreparedCheck, ...],
) -> list[str]:
    trace = act.dice.trace
    lines = [f"{leaver.name}: {dice_words(prepared, 'AGL')}"]
    lines += [line for part in parts_of(trace, leaver_successes)[:1] for line in trace_lines(part)]
    for enemy, prepared_enemy, part in zip(enemies, enemy_throws, parts_of(trace, beaten), strict=True):
        lines += [f"{enemy.name}: {dice_words(prepared_enemy, 'AGL')}", *trace_lines(part)]
    return lines


# ---------------------------------------------------------------- odds


def _chances(
    act: ActView, leaver: Fighter, enemies: tuple[Fighter, ...], *, order: bool
) -> tuple[tuple[float, ...], Odds[Any]]:
    """The chances of no free attack at all, of wounds, and of going down, with the odds that they come from;
    the first alone where there is no time to weigh the blows of so many enemies.
    """
    rules = settings(act)
    throw = prepare_disengage(leaver, order_token=order, settings=rules).throw
    throws = tuple(prepare_disengage(enemy, settings=rules).throw for enemy in enemies)
    enemy_kinds = group_alike(enemies)
    blows = act.encounter.worked_out(
        (_attacks, leaver, enemy_kinds), lambda: _attacks(act, leaver, enemy_kinds)
    )
    if blows is None:
        unopposed_odds = act.solve(unopposed, throw, throws)
        return (unopposed_odds.chance(bool),), unopposed_odds
    life = max(1, leaver.life_left)
    dice = dict(zip(enemies, throws, strict=True))
    holders = tuple((dice[kind[0]], len(kind)) for kind in enemy_kinds)
    odds = act.solve(leave, throw, holders, blows, life)
    chances = (
        odds.chance(lambda got: not got[0]),
        odds.chance(lambda got: got[1] > 0),
        odds.chance(lambda got: got[1] >= life),
    )
    return chances, odds


def group_alike(enemies: tuple[Fighter, ...]) -> tuple[tuple[Fighter, ...], ...]:
    """Sort enemies by what they are and the state they are in, whatever they are called."""
    kinds: dict[Fighter, list[Fighter]] = {}
    for enemy in enemies:
        kinds.setdefault(replace(enemy, id=0, name=""), []).append(enemy)
    return tuple(map(tuple, kinds.values()))


def _attacks(act: ActView, leaver: Fighter, enemy_kinds: tuple[tuple[Fighter, ...], ...]) -> Attacks | None:
    """Return the blows that follow; None if there is no time: of eight different enemies 255 ways."""
    dark = bool(EncounterState(act.encounter.row).dark)
    vacuum = bool(EncounterState(act.encounter.row).vacuum)
    models = fighters(act.encounter)
    attacks = []
    for win_counts in product(*(range(len(kind) + 1) for kind in enemy_kinds)):
        if act.thinking.late:
            return None
        attackers = tuple(
            enemy for kind, wins in zip(enemy_kinds, win_counts, strict=True) for enemy in kind[:wins]
        )
        if attackers:
            ready = prepare_free_attacks(
                leaver,
                attackers,
                dark=dark,
                vacuum=vacuum,
                outnumbering=outnumbering(models, {leaver.id, *(enemy.id for enemy in attackers)}),
                settings=settings(act),
            )
            attacks.append((win_counts, ready.bouts))
    return tuple(attacks)
