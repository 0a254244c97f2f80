"""The defender's answer to a melee: how its dice are split, who lends one, whose order token is spent.

Owns the question and its answers; the melee is rolled when every side that is attacked has answered.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core import common
from bot.games.counterblast.core.common import orders_of, settings, spend_order
from bot.games.counterblast.core.contact import join_names
from bot.games.counterblast.core.debts import Debt, register_finder
from bot.games.counterblast.core.fields import BARE, get_weapon, number_of
from bot.games.counterblast.core.narration import Telling
from bot.games.counterblast.melee.melee_resolution import fight_out, settle_identity
from bot.games.counterblast.melee.melees import (
    EVEN,
    Melee,
    Pairing,
    choose_weapons,
    possible_lenders,
    prepare_blows,
)
from bot.games.counterblast.state.models import fighter
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.table.act import Act, ActView
from bot.table.answering import Answered
from bot.table.asking import fields
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.owners import ANYONE, decided_by, side_in, side_of
from bot.table.session.drafts import Draft
from rules.refusals import Forbidden, InvalidInput, Missing
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.melee.fighting import defence_pool, fit_weapons
from rules.wording import possessive, times

MAX_SPLIT = 5
"""Models of one side whose dice can be split by hand."""

CHOICE_BASE = 100
"""In a menu of lenders a choice is the lender's number times this, plus the place of the pairing."""


@dataclass(frozen=True, slots=True)
class Defend(Action):
    """Finish a side's answer to an attack with its dice as they are. lend: everyone who can lends a die."""

    command = "cb.defend"
    decision_of = side_in("side")

    row: int = 0
    side: int = 0
    lend: bool = False


@dataclass(frozen=True, slots=True)
class SplitDefence(Action):
    """Split the dice of the models attacked: for each, numbers in the order of its attackers."""

    command = "cb.split"
    decision_of = side_in("side")

    row: int = 0
    side: int = 0
    first: str = ""
    second: str = ""
    third: str = ""
    fourth: str = ""
    fifth: str = ""


@dataclass(frozen=True, slots=True)
class Lend(Action):
    """Lend dice to pairings. choices: lender times 100 plus the pairing's place."""

    command = "cb.lend"
    decision_of = side_in("side")

    row: int = 0
    side: int = 0
    choices: tuple[int, ...] = fields.unordered()


@dataclass(frozen=True, slots=True)
class DefendWithOrder(Action):
    """A model that is attacked spends an order token."""

    command = "cb.defend-order"
    decision_of = side_of("model")

    row: int = 0
    model: int = 0


@dataclass(frozen=True, slots=True)
class DefendWith(Action):
    """A model that is attacked fights with another weapon. choice: its number times 100, and the weapon's."""

    command = "cb.defend-with"
    decision_of = decided_by(lambda act, action: [act.encounter.model(action.choice // CHOICE_BASE).side])

    row: int = 0
    choice: int = 0


@dataclass(frozen=True, slots=True)
class WaitingOdds(Action):
    """The chances of the melee that waits for its answer, as its dice stand."""

    command = "cb.melee-odds"
    decision_of = ANYONE

    row: int = 0
    odds: bool = True


SPLIT_FIELDS = ("first", "second", "third", "fourth", "fifth")


# ---------------------------------------------------------------- asked


def ask_or_fight(
    act: Act, telling: Telling, melee: Melee, *, ask: bool = False, roll: str = "", needs_contact: bool = True
) -> Reply:
    """Roll at once where the defenders have nothing to decide, else keep the melee and ask them.

    ask: ask them anyway, for the sake of an order token. bound: contact is required.
    """
    melee = choose_weapons(act, melee)
    prepare_blows(act, melee, must_be_engaged=needs_contact)
    sides = defending_sides(act, melee)
    undecided_sides = [side for side in sides if ask or has_choice(act, melee, side)]
    if not undecided_sides:
        return fight_out(act, telling, melee)
    melee = replace(melee, locked=tuple(side for side in sides if side not in undecided_sides))
    attacker = act.encounter.model(melee.attackers[0])
    hidden = settings(act).melee_dice == "hidden" and melee.kind == "melee"
    melee_row = common.store_pending(act, attacker.side, melee, hidden=hidden)
    settle_identity(act, melee)
    return build_question(act, telling, melee_row, melee).minor(not act.has_rolled)


def defending_sides(act: ActView, melee: Melee) -> list[int]:
    """Return the sides that are attacked, in the order of the blows."""
    return list(dict.fromkeys(act.encounter.model(number).side for number in melee.defenders))


def list_pairings_against(melee: Melee, defender: int) -> list[tuple[int, Pairing]]:
    """Return the blows against a model with their places."""
    return [(place, pairing) for place, pairing in enumerate(melee.pairings) if pairing.defender == defender]


def split_models(act: Act, melee: Melee, side: int) -> list[Fighter]:
    """Return the models of a side that face several attackers."""
    return [
        fighter(act.encounter, act.encounter.model(number))
        for number in melee.defenders
        if act.encounter.model(number).side == side and len(list_pairings_against(melee, number)) > 1
    ]


def has_choice(act: Act, melee: Melee, side: int) -> bool:
    """Return whether a side has dice to split or to lend."""
    has_lender = any(lender.side == side for lender, _ in possible_lenders(act, melee))
    return has_lender or bool(split_models(act, melee, side))


def build_question(act: Act, telling: Telling, number: int, melee: Melee) -> Reply:
    """Return what is declared, and for the sides that have not answered what they may decide."""
    hidden = common.is_hidden(act, number)
    lines = [*telling.lines, *describe_attacks(act, melee, hidden=hidden)]
    buttons: list[Button] = []
    menus: list[Menu] = []
    for side in defending_sides(act, melee):
        if side in melee.locked:
            continue
        lines += ["", f"{act.encounter.side(side).name}: choose how to defend."]
        lines += _add_choices(act, number, melee, side, buttons, menus)
    if not hidden:
        buttons.append(Button("Odds", WaitingOdds(number), anytime=True))
    public = Reply(tuple(lines), buttons=(*buttons, UNDO), menus=tuple(menus), why=tuple(telling.why))
    if not hidden or act.action.command != Melee.command:
        return public
    reply = Reply(
        ("Your dice (hidden from the others until everyone has answered):", *_dice_lines(act, melee)),
        private=True,
    )
    return replace(reply, also=(public,))


@register_finder
def find_waiting_melees(act: Act) -> list[Debt]:
    """Return melees that wait for a defender's answer. Rules: CB-FIGHT-03, CB-FIGHT-04."""
    debts = []
    for number in common.list_waiting_ids(act, Melee):
        melee = common.get_waiting_action(act, number, Melee)
        if common.is_answerable(act, number):
            reply = build_question(act, Telling(), number, melee)
            side = next(row for row in defending_sides(act, melee) if row not in melee.locked)
            line = f"{possessive(_name(act, melee.attackers[0]))} attack is waiting for an answer."
            debts.append(Debt(side, line, tuple(b for b in reply.buttons if b != UNDO), reply.menus))
    return debts


def describe_attacks(act: Act, melee: Melee, *, hidden: bool) -> list[str]:
    """Return lines with the attacks and their dice."""
    attackers = [_model(act, number) for number in melee.attackers]
    defenders = [_model(act, number) for number in melee.defenders]
    verb = "attacks" if len(attackers) == 1 else "attack"
    free_text = " (free)" if melee.kind == "free" else ""
    lines = [f"{join_names(attackers)} {verb} {join_names(defenders)}{free_text}."]
    if hidden:
        pair_lines = [
            f"{_name(act, pairing.attacker)} > {_name(act, pairing.defender)}" for pairing in melee.pairings
        ]
        return [*lines, *pair_lines, "The attack dice are hidden for now."]
    return [*lines, *_dice_lines(act, melee)]


def _dice_lines(act: Act, melee: Melee) -> list[str]:
    lines = []
    for blow in prepare_blows(act, melee, must_be_engaged=False).blows:
        pool = blow.attack.throw.pool
        dice = times(pool, "die", "dice") if pool > 0 else "the lower of 2 dice"
        lines.append(f"{blow.attacker.name} > {blow.defender.name}: {dice}, {blow.weapon.name}")
    return lines


def build_own_choices(act: Act, number: int, melee: Melee) -> tuple[tuple[Button, ...], tuple[Menu, ...]]:
    """Return the person's possible answers to a melee that waits; empty for anyone else."""
    buttons: list[Button] = []
    menus: list[Menu] = []
    for side in defending_sides(act, melee):
        if side not in melee.locked and act.plays_on(side):
            _add_choices(act, number, melee, side, buttons, menus)
    return tuple(buttons), tuple(menus)


def _add_choices(
    act: Act, number: int, melee: Melee, side: int, buttons: list[Button], menus: list[Menu]
) -> list[str]:
    lines = []
    models_to_split = split_models(act, melee, side)
    for place, model in enumerate(models_to_split, 1):
        opponents = join_names(
            [_model(act, pairing.attacker) for _, pairing in list_pairings_against(melee, model.id)]
        )
        dice = times(pool_of(act, melee, model), "die", "dice")
        lines.append(f"{place}. {model.name}: {dice} against {opponents}")
    lenders = [(ally, place) for ally, place in possible_lenders(act, melee) if ally.side == side]
    lines += [f"{_name(act, lender)} lends a die." for lender, _ in melee.lenders]
    lines += [
        f"{_name(act, number)} spends an order token." for number in _list_order_spenders(act, melee, side)
    ]
    buttons.append(
        Button("Split evenly" if models_to_split else "Roll", Defend(number, side), "main", anytime=True)
    )
    if 0 < len(models_to_split) <= MAX_SPLIT:
        buttons.append(Button("Split...", Draft("cb.split", (number, side)), anytime=True))
    if lenders:
        lend_action = Defend(number, side, lend=True)
        buttons.append(Button("Borrow a die from each ally and roll", lend_action, anytime=True))
        menus.append(_lend_menu(act, number, melee, side, lenders))
    arms_menu = _arms_menu(act, number, melee, side)
    menus += [arms_menu] if arms_menu is not None else []
    if orders_of(act.encounter.side(side)):
        for model in (_model(act, number) for number in melee.defenders):
            if model.side == side and model.id not in melee.orders:
                order = DefendWithOrder(number, model.id)
                buttons.append(Button(f"{model.name} spends an order token (+1)", order, anytime=True))
    return lines


def _lend_menu(act: Act, number: int, melee: Melee, side: int, lenders: list[tuple[Fighter, int]]) -> Menu:
    choices = []
    for ally, place in lenders:
        pairing = melee.pairings[place]
        label = f"{ally.name} to {_name(act, pairing.defender)}"
        choices.append(
            Choice(label, str(ally.id * CHOICE_BASE + place), f"against {_name(act, pairing.attacker)}")
        )
    return Menu(
        "Who lends a die?", Lend(number, side), "choices", tuple(choices), 0, len(choices), anytime=True
    )


def _arms_menu(act: Act, number: int, melee: Melee, side: int) -> Menu | None:
    """The weapons that the models of a side may fight with instead; None where there is no other.

    Rules: CB-FIGHT-01.
    """
    choices = []
    for model in (
        _model(act, number) for number in melee.defenders if act.encounter.model(number).side == side
    ):
        weapon_now = _arm_of(act, melee, model)
        for weapon in fit_weapons(model):
            if weapon.key != weapon_now.key:
                value = model.id * CHOICE_BASE + number_of(model, weapon) - BARE
                choices.append(
                    Choice(
                        f"{model.name}: {weapon.name}"[:100],
                        str(value),
                        f"instead of {weapon_now.name}"[:100],
                    )
                )
    if not choices:
        return None
    return Menu("Change weapon", DefendWith(number), "choice", tuple(choices[:25]), anytime=True)


def _list_order_spenders(act: Act, melee: Melee, side: int) -> list[int]:
    return [
        number
        for number in melee.orders
        if number in melee.defenders and act.encounter.model(number).side == side
    ]


def pool_of(act: Act, melee: Melee, model: Fighter) -> int:
    """Return the dice that a model has to split."""
    return defence_pool(
        model, _arm_of(act, melee, model), settings(act), halved=melee.kind == "free"
    ).available


def _arm_of(act: Act, melee: Melee, model: Fighter) -> Weapon:
    arms = dict(zip(melee.arms[::2], melee.arms[1::2], strict=True))
    return get_weapon(model, arms.get(model.id, 0), settings(act))


def _model(act: Act, number: int) -> Fighter:
    return fighter(act.encounter, act.encounter.model(number))


def _name(act: Act, number: int) -> str:
    return act.encounter.model(number).name


# ---------------------------------------------------------------- answered


def require_unanswered_melee(act: Act, row: int, side: int) -> Melee:
    """Return the waiting melee for a person who may answer for the side."""
    melee = common.get_waiting_action(act, row, Melee)
    if side not in defending_sides(act, melee):
        raise InvalidInput("No one is attacking this side, so there is nothing to answer.")
    act.require_side(side)
    if side in melee.locked:
        raise Answered("This side has already answered.")
    return melee


def _record_answer(act: Act, row: int, side: int, melee: Melee) -> Reply:
    melee = replace(melee, locked=tuple(sorted({*melee.locked, side})))
    sides_left = [side for side in defending_sides(act, melee) if side not in melee.locked]
    if not sides_left:
        common.remove_waiting_action(act, row)
        return fight_out(act, Telling(), melee)
    prepare_blows(act, melee, must_be_engaged=False)
    common.replace_waiting_action(act, row, melee)
    return build_question(
        act, Telling([f"{act.encounter.side(side).name} has answered."]), row, melee
    ).minor()


@handles(Defend)
def defend(act: Act, action: Defend) -> Reply:
    """Defend with the dice as they are: shared evenly unless split before."""
    melee = require_unanswered_melee(act, action.row, action.side)
    if action.lend:
        lent: dict[int, int] = dict(melee.lenders)
        for ally, place in possible_lenders(act, melee):
            if ally.side == action.side:
                lent.setdefault(ally.id, place)
        melee = _with_lenders(melee, lent)
    return _record_answer(act, action.row, action.side, melee)


def _with_lenders(melee: Melee, lent: dict[int, int]) -> Melee:
    return replace(melee, lent=tuple(number for pair in sorted(lent.items()) for number in pair))


@handles(SplitDefence)
def split_defence(act: Act, action: SplitDefence) -> Reply:
    """Return the numbers as typed, for each model in the order of its attackers."""
    melee = require_unanswered_melee(act, action.row, action.side)
    pairings = list(melee.pairings)
    typed = [getattr(action, name) for name in SPLIT_FIELDS]
    for model, text in zip(split_models(act, melee, action.side), typed, strict=False):
        places = [place for place, _ in list_pairings_against(melee, model.id)]
        for place, dice in zip(places, _read_numbers(text, len(places), model), strict=True):
            pairings[place] = replace(pairings[place], defence=dice)
    return _record_answer(act, action.row, action.side, melee.with_pairings(pairings))


def _read_numbers(text: str, count: int, model: Fighter) -> tuple[int, ...]:
    parts = text.replace(",", " ").replace("/", " ").split()
    if not all(part.isdecimal() and len(part) < 3 for part in parts) or len(parts) > count:
        raise Missing(
            f"Enter how many dice {model.name} uses against each attacker ({count} numbers), such as "
            f"`{' '.join(['1'] * count)}`."
        )
    return tuple([int(part) for part in parts] + [0] * (count - len(parts))) if parts else (EVEN,) * count


@handles(Lend)
def lend(act: Act, action: Lend) -> Reply:
    """Lend one die from each ally engaged with an attacker; the question is asked again."""
    melee = require_unanswered_melee(act, action.row, action.side)
    possible = {(ally.id, place) for ally, place in possible_lenders(act, melee) if ally.side == action.side}
    sides = {number: act.encounter.model(number).side for number, _ in melee.lenders}
    lent = {number: place for number, place in melee.lenders if sides[number] != action.side}
    for choice in action.choices:
        lender, place = divmod(choice, CHOICE_BASE)
        if lender in lent:
            raise Forbidden(f"{_name(act, lender)} can lend only one die.", "CB-FIGHT-04")
        if (lender, place) not in possible:
            raise Forbidden("Choose another model. The chosen model can't lend a die here.", "CB-FIGHT-04")
        lent[lender] = place
    melee = _with_lenders(melee, lent)
    common.replace_waiting_action(act, action.row, melee)
    return build_question(act, Telling(), action.row, melee).minor()


@handles(DefendWith)
def defend_with(act: Act, action: DefendWith) -> Reply:
    """Record the player's choice, and ask the question again. Rules: CB-FIGHT-01."""
    number, place = divmod(action.choice, CHOICE_BASE)
    model = _model(act, number)
    melee = require_unanswered_melee(act, action.row, model.side)
    weapon = next((weapon for weapon in fit_weapons(model) if number_of(model, weapon) - BARE == place), None)
    if number not in melee.defenders or weapon is None:
        raise InvalidInput(f"Choose another weapon. {model.name} can't fight with that weapon here.")
    arms = dict(zip(melee.arms[::2], melee.arms[1::2], strict=True)) | {number: number_of(model, weapon)}
    melee = replace(melee, arms=tuple(part for pair in arms.items() for part in pair))
    prepare_blows(act, melee, must_be_engaged=False)
    common.replace_waiting_action(act, action.row, melee)
    return build_question(
        act, Telling([f"{model.name} will fight with {weapon.name}."]), action.row, melee
    ).minor()


@handles(DefendWithOrder)
def defend_with_order(act: Act, action: DefendWithOrder) -> Reply:
    """Spend the token now; the question is asked again."""
    side = act.encounter.model(action.model).side
    melee = require_unanswered_melee(act, action.row, side)
    if action.model not in melee.defenders:
        raise InvalidInput("Choose a model that is attacked here.")
    if action.model in melee.orders:
        raise Forbidden("You can spend only one order token on a check.", "CB-ORDER-05")
    spend_order(act, side)
    melee = replace(melee, orders=(*melee.orders, action.model))
    common.replace_waiting_action(act, action.row, melee)
    return build_question(act, Telling(), action.row, melee).minor()
