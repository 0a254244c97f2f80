"""Activate models, and check machines without uplink."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action, reference_by_number
from bot.games.counterblast.core.common import (
    again,
    carry_through,
    orders_of,
    read_bag,
    settings,
    spend_order,
    token_price,
    write_bag,
)
from bot.games.counterblast.core.crews import apply_outcome, exclude_partners, pair_models
from bot.games.counterblast.core.fields import several, who
from bot.games.counterblast.core.narration import Finishing, ReadyCheck, Telling, pass_chances, register_offer
from bot.games.counterblast.core.wording import dice_words, why_check
from bot.games.counterblast.setup.infiltration import reserve_buttons
from bot.games.counterblast.state.models import fighter
from bot.games.counterblast.state.table_state import ModelState, SideState
from bot.games.counterblast.state.vehicles import DUE, LIMITED
from bot.games.counterblast.templates.coverage import explode_due_bombs
from bot.games.counterblast.turn.activation_menu import ActivateWith
from bot.games.counterblast.turn.activations import (
    END_ACTIVATION,
    Activate,
    bond_buttons,
    drawn_side,
    find_joining_dogs,
    finish_activation,
    list_active,
    start_acting,
    unfinished,
)
from bot.games.counterblast.turn.bag import PassDraw, build_end_reply
from bot.games.counterblast.turn.overwatch import list_offered_buttons
from bot.replies.reply import Button, Reply
from bot.table.act import Act, ActView, Barred
from bot.table.asking import fields, offering
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.owners import side_of
from bot.table.steps import Chances, in_steps
from bot.table.throw_purposes import Whose
from rules.dice import Dice
from rules.effects import Assign, Propose
from rules.refusals import InvalidInput, is_allowed
from rules.systems.counterblast.building.crew import prepare_uplink, roll_uplink
from rules.systems.counterblast.core.conditions import Event, end_conditions
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.settings import Settings
from rules.systems.counterblast.turn import activation, bag
from rules.systems.counterblast.turn.activation import ACTIONS
from rules.wording import possessive, times


@dataclass(frozen=True, slots=True)
class ActNamed(Action):
    """Activate a model, or a group (name its leader first)."""

    command = "act"
    typed = "act"
    titled = "Activate"
    decision_of = side_of("who")

    who: tuple[Fighter, ...] = several(
        "Models that act, separated by commas (the leader first)",
        names=offering.own_model,
        wire=str,
        mine_meant=True,
        needed=True,
        any_order=0,
    )
    tokens: int = fields.whole("Order tokens to spend for a larger group", 0, 10, default=0, called="orders")


@handles(Activate)
def activate(act: Act, action: Activate) -> Reply:
    """Return one model, or a leader with the Lackeys it directs."""
    encounter = act.encounter
    bag_now = bag.use(read_bag(encounter))
    side = drawn_side(encounter, bag_now)
    models = [fighter(encounter, encounter.model(number)) for number in action.models]
    if not models or any(model.side != side for model in models):
        name = possessive(encounter.side(side).name)
        raise InvalidInput(f"One of {name} tokens was drawn, so choose {name} models.")
    act.require_side(side)
    pair_models(encounter, side)
    leader, others = _choose_leader([again(act, model) for model in models], settings(act))
    _offer_tokens(act, leader, others, action)
    if action.tokens:
        spend_order(act, side, action.tokens)
    group = tuple(again(act, model) for model in (leader, *others))
    counted = tuple(model for model in exclude_partners(group) if model.id != leader.id)
    state = SideState(encounter.side(side))
    activation.check_group(leader, counted, state.group_tokens + action.tokens, settings(act))
    if others:
        state.group_tokens = 0
    write_bag(encounter, bag_now)
    telling = Telling()
    lines = telling.lines
    if others:
        lines.append(f"{leader.name} and {times(len(others), 'other')} act together.")
    for model in (*group, *find_joining_dogs(act, group)):
        apply_outcome(encounter, activation.start_activation(model))
        now_active = again(act, model)
        lines.append(_describe_start(now_active))
        start_telling = start_acting(act, now_active)
        lines += [*start_telling.lines, *start_telling.proposal_lines()]
        telling.proposals += start_telling.proposals
    if not list_active(encounter):
        next_bag, done_lines, _ = finish_activation(encounter, bag_now)
        for model in group:
            explode_due_bombs(encounter, encounter.model(model.id))
        write_bag(encounter, next_bag)
        return build_end_reply(act, [*lines, *done_lines[1:]])
    free_buttons = (*bond_buttons(act, group), *reserve_buttons(act, group))
    end_buttons = [] if unfinished(encounter) else [Button(END_ACTIVATION, PassDraw(), "main")]
    buttons = telling.buttons(act, *end_buttons, *free_buttons, *list_offered_buttons(encounter), UNDO)
    return Reply(tuple(lines), buttons=buttons)


def _offer_tokens(act: Act, leader: Fighter, others: tuple[Fighter, ...], action: Activate) -> None:
    """Refuse a group that takes order tokens which were not spent, with the button that spends them.

    Raises Barred, and Forbidden where no tokens would help. Rules: CB-ORDER-06, CB-ACT-04, CB-ACT-05.
    """
    rules = settings(act)
    directed = [model for model in exclude_partners((leader, *others)) if model.id != leader.id]
    side = act.encounter.side(leader.side)
    spent = SideState(side).group_tokens
    needed = activation.tokens_for(leader, len(directed), rules) - spent
    if not action.tokens < needed <= orders_of(side):
        return
    activation.check_group(leader, tuple(directed), spent + needed, rules)
    limit = activation.group_limit(leader, spent + action.tokens, rules)
    spend_button = Button(f"Spend {times(needed, 'order token')}", replace(action, tokens=needed), "main")
    with act.overridable():
        raise Barred(
            f"{leader.name} can direct up to {times(limit, 'Lackey')} (you chose {len(directed)}).",
            activation.group_rule(leader),
            spend_button,
        )


@handles(ActNamed)
def activate_named(act: Act, action: ActNamed) -> Reply:
    """Return the same as choosing them from the menu."""
    act.canonical = Activate(tuple(model.id for model in action.who), action.tokens)
    return activate(act, act.canonical)


@handles(ActivateWith)
def activate_with(act: Act, action: ActivateWith) -> Reply:
    """Return the same, its leader chosen before."""
    act.canonical = Activate((action.leader, *action.members), action.tokens)
    return activate(act, act.canonical)


def _choose_leader(group: list[Fighter], rules: Settings) -> tuple[Fighter, tuple[Fighter, ...]]:
    able_leaders = [
        candidate
        for candidate in group
        if all(
            is_allowed(activation.check_group, candidate, (other,), 0, rules)
            for other in group
            if other is not candidate
        )
    ]
    leader = next((model for model in group if model.profile.is_hero), (able_leaders or group)[0])
    return leader, tuple(model for model in group if model.id != leader.id)


def _describe_start(model: Fighter) -> str:
    if model.is_incapacitated:
        return f"{model.name} is Incapacitated and misses this activation."
    if model.has(Condition.PANICKED):
        return f"{model.name} acts. It is Panicked and has to Rally first."
    if model.has(Condition.PINNED):
        return f"{model.name} acts. It is Pinned and has to break free first."
    if model.is_engaged:
        return f"{model.name} acts. It is engaged, so it can Fight or Disengage."
    prone = " (Prone)" if model.has(Condition.PRONE) else ""
    return f"{model.name} acts{prone}: 2 actions, 1 attack."


@dataclass(frozen=True, slots=True)
class Uplink(Action):
    """A machine without uplink checks whether it acts."""

    command = "cb.uplink"

    model: Fighter = who("")
    order: bool = False
    odds: bool = False


@in_steps(Uplink)
class CheckingUplink(Finishing[Uplink, ReadyCheck, bool]):
    """INT at 5: one basic Move and a shot at the closest, or nothing this turn."""

    def prepare(self, act: ActView, action: Uplink) -> ReadyCheck:
        """Return where it is due. Raises InvalidInput, Forbidden."""
        model = action.model
        if model.count(ModelState.uplink.key) != DUE:
            raise InvalidInput(f"{model.name} doesn't need an uplink check now.")
        check = prepare_uplink(model, order_token=action.order, settings=settings(act))
        return ReadyCheck(check, token_price(act, model, spent=action.order))

    def whose(self, action: Uplink, ready: ReadyCheck) -> Whose:
        return Whose(action.model.name, "INT check", "for its uplink")

    def rule(self, dice: Dice, ready: ReadyCheck) -> bool:
        return roll_uplink(dice, (ready.prepared.throw,))

    def settle(self, act: Act, action: Uplink, ready: ReadyCheck, outcome: bool) -> Telling:
        model = action.model
        carry_through(act, (*ready.due, *end_conditions(model, Event.INT_CHECKED)))
        reasons = why_check(ready.prepared, f"{possessive(model.name)} uplink check")
        telling = Telling(why=reasons, dice=[dice_words(ready.prepared, "INT")])
        carry_through(act, [Assign("model", model.id, ModelState.uplink.key, LIMITED if outcome else 0)])
        if outcome:
            telling.lines += [
                f"{model.name} acts without an uplink.",
                "It can make one Move and can only shoot at the closest enemy.",
            ]
        else:
            carry_through(act, [Assign("model", model.id, Counter.ACTIONS, ACTIONS)])
            telling.lines.append(f"{model.name} has no uplink and does nothing.")
        return telling

    def chances(self, act: ActView, action: Uplink, ready: ReadyCheck) -> Chances:
        odds = act.solve(self.rule, ready)
        return pass_chances(action.model.name, "acts", odds, dice_words(ready.prepared, "INT"))


@register_offer("uplink")
def _offer_uplink(proposal: Propose) -> tuple[str, Action]:
    return "Uplink check", Uplink(reference_by_number(proposal.model))
