"""Fights of several models, put together by pressing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

from bot.actions import Action, with_sorted_lists
from bot.games.counterblast.core import common
from bot.games.counterblast.core.common import (
    fighter_of,
    get_own_fighter,
    pay,
    price,
    require_plannable,
    settings,
    spend_order,
)
from bot.games.counterblast.core.contact import mark_engaged
from bot.games.counterblast.core.fields import ATTACK_EXAMPLE, TypedBlow, get_weapon
from bot.games.counterblast.core.narration import Telling
from bot.games.counterblast.core.wording import effect_word, hurt_words
from bot.games.counterblast.melee.answers import (
    MAX_SPLIT,
    Defend,
    SplitDefence,
    WaitingOdds,
    ask_or_fight,
    build_own_choices,
    defend,
    defending_sides,
    list_pairings_against,
    pool_of,
    require_unanswered_melee,
    split_defence,
    split_models,
)
from bot.games.counterblast.melee.attacks import blow_odds, build_contact_button, contact_question
from bot.games.counterblast.melee.melees import (
    EVEN,
    Melee,
    engaged_pairs,
    flatten_pairings,
    normalise_melee,
    prepare_blows,
    share_dice,
    strikers,
)
from bot.games.counterblast.shooting.arcs import require_mastery
from bot.games.counterblast.state.models import fighter, fighters
from bot.replies.chances import exactness
from bot.replies.reply import Button, Choice, Note, Reply
from bot.table.act import Act, ActView
from bot.table.board import facts
from bot.table.handlers import handles
from bot.table.session.drafts import DRAFT_OPENERS, Draft, DraftView, register_maker
from bot.table.steps import Chances, Weighed, in_steps
from rules.dice import Odds
from rules.refusals import Forbidden, InvalidInput, forbid, require_one
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.melee.bouts import wounds_by_bouts
from rules.systems.counterblast.melee.fighting import attack_pool, fit_weapons
from rules.wording import times


@dataclass(frozen=True, slots=True)
class Answering:
    """The defender's answer to a waiting melee: its number, the side, the words."""

    row: int
    side: int
    text: str


@dataclass(frozen=True, slots=True)
class ReadyMelee:
    """A melee of several that may begin.

    apart: who has to touch, and is not marked as engaged. unsaid: no one has entered whether they do.
    answers: set if it is an answer and not a melee of its own.
    """

    declared: Melee
    attackers: tuple[Fighter, ...] = ()
    apart: tuple[tuple[Fighter, Fighter], ...] = ()
    unsaid: bool = False
    answers: Answering | None = None


def _may_strike(act: ActView, action: Melee) -> None:
    if action.pairings or common.list_awaited_attacks(act.encounter):
        return
    engaged_attackers = [attacker for attacker, _ in engaged_pairs(act.encounter)]
    if not engaged_attackers:
        raise Forbidden(
            "No acting model is in contact with an enemy. Mark contact with /cb engage first.", "CB-FIGHT-01"
        )
    playable = [model for model in engaged_attackers if act.plays_on(model.side)]
    if not playable:
        act.require_side(engaged_attackers[0].side)
        return
    require_one(partial(price, act, attacker, "fight") for attacker in playable)


@in_steps(Melee, may=_may_strike)
class Meleeing(Weighed[Melee, ReadyMelee]):
    """All blows are declared first; then the defenders split their dice; then all is rolled.

    A text without > answers the melee that waits: the defender's numbers, `;` between models, or `even`.
    """

    label = "Fight"

    def prepare(self, act: ActView, action: Melee) -> ReadyMelee:
        text = action.text
        if text and isinstance(text, str):
            if act.action.looks:
                raise InvalidInput("Enter who attacks which enemy, like this: `Sally>Smap 2, Angus>Smap`.")
            return ReadyMelee(action, answers=Answering(*_find_waiting_melee(act), text))
        if not action.pairings and not text:
            raise InvalidInput(f"{ATTACK_EXAMPLE}.")
        pairings = action.pairings or share_dice(act, cast("tuple[TypedBlow, ...]", text))
        declared = with_sorted_lists(
            Melee(pairs=flatten_pairings(replace(pairing, defence=EVEN) for pairing in pairings))
        )
        declared = replace(declared, orders=action.orders or _list_order_spenders(action, declared))
        if act.action.looks:
            act.canonical = normalise_melee(declared)
            attackers = tuple(fighter_of(act, number) for number in declared.attackers)
            for attacker in attackers:
                require_plannable(act, attacker, "fight")
            return ReadyMelee(declared, attackers)
        act.canonical = declared
        attackers = tuple(get_own_fighter(act, number) for number in declared.attackers)
        prepare_blows(act, declared, must_be_engaged=False)
        for number, arm in {pairing.attacker: pairing.weapon for pairing in declared.pairings}.items():
            attacker = fighter(act.encounter, act.encounter.model(number))
            require_mastery(act, attacker, get_weapon(attacker, arm, settings(act)))
        for attacker in attackers:
            price(act, attacker, "fight")
        not_touching = tuple(_list_apart(act, declared))
        unknown = tuple(pair for pair in not_touching if not _touch_on_board(act, *pair))
        if unknown and not action.contact:
            if not act.overrides:
                return ReadyMelee(declared, attackers, unknown, unsaid=True)
            for first, second in unknown:
                forbid(f"{first.name} and {second.name} are not in contact.", "CB-FIGHT-01")
        return ReadyMelee(declared, attackers, not_touching)

    def asks(self, act: Act, action: Melee, ready: ReadyMelee) -> Reply | None:
        """Return whether they touch, which only the players see. Rules: CB-FIGHT-01."""
        return _not_in_contact(act, ready.declared, ready.apart) if ready.unsaid else None

    def do(self, act: Act, action: Melee, ready: ReadyMelee) -> Reply:
        if ready.answers is not None:
            return _typed_answer(act, ready.answers)
        for first, second in ready.apart:
            mark_engaged(act, first, second)
        for attacker in ready.attackers:
            pay(act, attacker, "fight")
            if attacker.id in ready.declared.orders:
                spend_order(act, attacker.side)
        return ask_or_fight(act, Telling(), normalise_melee(ready.declared))

    def chances(self, act: ActView, action: Melee, ready: ReadyMelee) -> Chances:
        return melee_chances(act, ready.declared)


@handles(WaitingOdds)
def waiting_odds(act: Act, action: WaitingOdds) -> Reply:
    """Show the odds to the person while the attack dice are no secret."""
    declared = common.get_waiting_action(act, action.row, Melee)
    if common.is_hidden(act, action.row):
        raise InvalidInput("The attack dice stay hidden until everyone has answered.")
    result = melee_chances(act, normalise_melee(declared))
    exact = (exactness(*result.solved),) if result.solved else ()
    buttons, menus = build_own_choices(act, action.row, declared)
    lines = (*result.lines, *exact, Note("No dice were rolled."))
    return Reply(lines, private=True, buttons=buttons, menus=menus)


def _find_waiting_melee(act: ActView) -> tuple[int, int]:
    """The melee that waits for the person who asks, and the side that is attacked. Raises InvalidInput."""
    for row in common.list_waiting_ids(act, Melee):
        waiting = common.get_waiting_action(act, row, Melee)
        for side in defending_sides(act, waiting):
            if side not in waiting.locked and _plays(act, side):
                return row, side
    raise InvalidInput(
        "No melee is waiting for your answer. Enter an attack like this: `Sally>Smap 2, Angus>Smap`."
    )


def _typed_answer(act: Act, answer: Answering) -> Reply:
    row, side, text = answer.row, answer.side, answer.text
    if text.strip().casefold() == "even":
        return defend(act, Defend(row, side))
    parts = text.split(";")
    if len(parts) > MAX_SPLIT:
        raise InvalidInput(f"You can split the dice of at most {MAX_SPLIT} models.")
    return split_defence(act, SplitDefence(row, side, *parts))


def _plays(act: ActView, side: int) -> bool:
    seat = act.seat
    has_seat = seat is not None and seat.role != "spectator" and seat.side == side
    return has_seat or any(model.owner_id == act.actor.user_id for model in act.encounter.models(side))


def _list_order_spenders(action: Melee, declared: Melee) -> tuple[int, ...]:
    numbers = tuple(model.id for model in action.order)
    if not set(declared.attackers).issuperset(numbers):
        raise InvalidInput("Only attackers can spend order tokens here. Defenders are asked later.")
    return tuple(dict.fromkeys(numbers))


def _list_apart(act: ActView, declared: Melee) -> Iterable[tuple[Fighter, Fighter]]:
    for pairing in declared.pairings:
        first = fighter(act.encounter, act.encounter.model(pairing.attacker))
        second = fighter(act.encounter, act.encounter.model(pairing.defender))
        if not pairing.tenths and not first.is_engaged_with(second):
            yield first, second


def _touch_on_board(act: ActView, first: Fighter, second: Fighter) -> bool:
    return bool(facts.in_contact(act.encounter, first.id, second.id))


def _not_in_contact(act: ActView, declared: Melee, not_touching: Sequence[tuple[Fighter, Fighter]]) -> Reply:
    pairs = [f"{first.name} and {second.name}" for first, second in not_touching]
    return Reply(
        (
            "These models are not marked as being in contact:",
            *pairs,
            contact_question(act.encounter, not_touching),
        ),
        private=True,
        buttons=(build_contact_button(act.encounter, not_touching, replace(declared, contact=True)),),
    )


def melee_chances(act: ActView, declared: Melee) -> Chances:
    """Return each defender's chance to be hurt and to go down; dice not split yet are shared evenly."""
    if len(declared.pairings) == 1:
        return Chances(tuple(blow_odds(act, declared)))
    ready = prepare_blows(act, declared, must_be_engaged=False)
    lines, solved = ["Odds for this melee:"], list[Odds[int]]()
    for number in declared.defenders:
        target = fighter(act.encounter, act.encounter.model(number))
        blows = [blow for blow in ready.blows if blow.defender.id == number]
        for effect in dict.fromkeys(effect_word(blow.weapon) for blow in blows):
            alike = [blow for blow in blows if effect_word(blow.weapon) == effect]
            bouts = tuple(blow.bout for blow in alike)
            odds = act.solve(wounds_by_bouts, bouts, max(1, target.life_left))
            solved.append(odds)
            lines.append(f"{target.name}: {hurt_words(odds, target, alike[0].weapon)}")
    return Chances(tuple(lines), solved=tuple(solved))


SPLIT, BLOWS = "cb.split", "cb.blows"

PIECE_BASE = 10_000
"""A piece of a melee is the attacker's number times this, and the defender's."""


@register_maker(SPLIT, 2)
def build_split_menu(act: Act, draft: Draft) -> DraftView:
    """Return the menu that splits a side's dice against its attackers. about: the melee's row, the side."""
    row, side = draft.about
    melee = require_unanswered_melee(act, row, side)
    lines, pieces, typed, complete = [], [], [], True
    for model in split_models(act, melee, side):
        pool = pool_of(act, melee, model)
        shares = []
        for place, pairing in list_pairings_against(melee, model.id):
            attacker = act.encounter.model(pairing.attacker).name
            dice = draft.pieces.count(place)
            shares.append(dice)
            lines.append(f"  {times(dice, 'die', 'dice')} against {attacker}")
            pieces.append((model, place, f"{model.name} against {attacker}"))
        dice_left = pool - sum(shares)
        complete = complete and dice_left <= 0
        lines.insert(len(lines) - len(shares), f"{model.name}: {times(dice_left, 'die', 'dice')} left")
        typed.append(" ".join(map(str, shares)))
        if dice_left <= 0:
            pieces = [piece for piece in pieces if piece[0] != model]
    ready_buttons = (
        (Button("Defend with this split", SplitDefence(row, side, *typed), "main", anytime=True),)
        if complete
        else ()
    )
    even_buttons = () if draft.pieces else (Button("Split evenly", Defend(row, side), anytime=True),)
    choices = tuple(Choice(label, str(place)) for _, place, label in pieces)
    return DraftView(
        ("Choose how many dice go against each attacker. Only you see this.", *lines),
        "Add one die",
        choices,
        (*ready_buttons, *even_buttons),
    )


@register_maker(BLOWS)
def build_blows_menu(act: Act, draft: Draft) -> DraftView:
    """Return the dice of all who are activated and touch an enemy, die by die."""
    everybody = {model.id: model for model in fighters(act.encounter)}
    touching = _list_pairs(act)
    if not touching:
        raise InvalidInput("No acting model is in contact with an enemy. Mark contact with /cb engage.")
    chosen_blows = [divmod(piece, PIECE_BASE) for piece in draft.pieces]
    if not set(chosen_blows) <= {(attacker.id, other.id) for attacker, other in touching}:
        raise InvalidInput("Some of these models are no longer in contact. Press More... and Melee again.")
    dice_left = {
        attacker.id: _max_pool(act, attacker) - sum(piece[0] == attacker.id for piece in chosen_blows)
        for attacker, _ in touching
    }
    lines = ["Choose who attacks which enemy. Only you see this."]
    for number in dice_left:
        lines.append(f"{everybody[number].name}: {times(dice_left[number], 'die', 'dice')} left")
        targets = [other for attacker, other in chosen_blows if attacker == number]
        lines += [
            f"  {times(targets.count(other), 'die', 'dice')} against {everybody[other].name}"
            for other in dict.fromkeys(targets)
        ]
    choices = tuple(
        Choice(f"{attacker.name} > {other.name}", str(attacker.id * PIECE_BASE + other.id))
        for attacker, other in touching
        if dice_left[attacker.id] > 0
    )
    blow_pairs = [(everybody[one], everybody[other]) for one, other in chosen_blows]
    return DraftView(tuple(lines), "Add one die", choices, _fight_buttons(act, blow_pairs, dice_left))


def _fight_buttons(
    act: Act, blow_pairs: list[tuple[Fighter, Fighter]], dice_left: dict[int, int]
) -> tuple[Button, ...]:
    """Return the melee, once all who strike have shared out their dice; its odds beside it."""
    if not blow_pairs or any(dice_left[attacker.id] > 0 for attacker, _ in blow_pairs):
        return ()
    blows = [TypedBlow(*pair, dice=blow_pairs.count(pair)) for pair in dict.fromkeys(blow_pairs)]
    pairs = flatten_pairings(share_dice(act, blows))
    return (
        Button("Fight", Melee(pairs=pairs), "main", anytime=True),
        Button("Odds", Melee(pairs=pairs, odds=True), anytime=True),
    )


def _list_pairs(act: Act) -> list[tuple[Fighter, Fighter]]:
    everybody = [model for model in fighters(act.encounter) if not model.is_down]
    able_ids = strikers(act.encounter)
    pairs = [
        (attacker, other)
        for attacker, _ in engaged_pairs(act.encounter)
        if attacker.has(Condition.ACTIVE) and act.plays_on(attacker.side)
        for other in everybody
        if other.side != attacker.side and other.is_engaged_with(attacker)
    ]
    return [pair for pair in pairs if pair[0].id in able_ids] or pairs


def _max_pool(act: Act, model: Fighter) -> int:
    rules = settings(act)
    return max(attack_pool(model, weapon, rules).available for weapon in fit_weapons(model))


def _open_blows_draft(action: Action) -> Draft | None:
    return Draft(BLOWS) if isinstance(action, Melee) and not action.text and not action.pairs else None


DRAFT_OPENERS[Melee.command] = _open_blows_draft
