"""The menu of a drawn token: models to activate alone or led, without any that would be refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.actions import Action
from bot.games.counterblast.core.common import orders_of, read_bag, spend_order
from bot.games.counterblast.state.models import fighter, fighters, settings_of
from bot.games.counterblast.state.table_state import SideState
from bot.games.counterblast.turn.activations import Activate, drawn_side
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.store.rows import SideRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.encounter import Encounter
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.owners import in_play, side_of
from rules.refusals import Forbidden, InvalidInput, is_allowed
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.settings import Settings
from rules.systems.counterblast.turn import activation, bag
from rules.wording import times


@dataclass(frozen=True, slots=True)
class PrepareGroup(Action):
    """Spend order tokens, so that the next group of the crew whose token was drawn may be larger."""

    command = "order.group"
    decision_of = in_play("the side whose token was drawn")

    tokens: int = 1


@dataclass(frozen=True, slots=True)
class LeadGroup(Action):
    """Ask who goes with a leader. tokens: order tokens spent for a larger group."""

    command = "bag.lead"
    decision_of = side_of("leader")

    leader: int = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class ActivateWith(Action):
    """Activate a leader with the models it directs."""

    command = "bag.with"
    decision_of = side_of("leader", "members")

    leader: int = 0
    members: tuple[int, ...] = fields.unordered()
    tokens: int = 0


def list_able_models(encounter: Encounter, side: int) -> list[Fighter]:
    """Return the models of a side that have not been activated and may be. Rules: CB-BAG-03, CB-BAG-09."""
    return [
        model
        for model in fighters(encounter, side)
        if activation.needs_activation(model) or model.has(Condition.INCAPACITATED)
        if not model.is_down and not model.count(Counter.ACTIVATED)
    ]


def list_directed_models(leader: Fighter, models: Sequence[Fighter], chosen: Settings) -> list[Fighter]:
    """Return the models that a leader may direct. Rules: CB-ACT-04, CB-ACT-05, CB-ACT-07, CB-FEAT-18,
    CB-BUILD-08.
    """
    return [
        model
        for model in models
        if model.id != leader.id and is_allowed(activation.check_group, leader, (model,), 0, chosen)
    ]


def build_act_menus(encounter: Encounter, side: int) -> tuple[Menu, ...]:
    """Return menus for acting alone and for leading others, with order tokens spent for more of them."""
    tokens = SideState(encounter.side(side)).group_tokens
    models, rules = list_able_models(encounter, side), settings_of(encounter)
    lone_models = [model for model in models if is_allowed(activation.check_group, model, (), 0, rules)]
    leaders = [(model, len(list_directed_models(model, models, rules))) for model in models]
    leader_choices = [
        Choice(model.name, str(model.id), _describe_followers(_limit(model, tokens, rules), count))
        for model, count in leaders
        if count
    ]
    menus = (
        Menu("Who acts?", Activate(), "models", tuple(map(_build_choice, lone_models)), named=True),
        Menu("Which model leads a group?", LeadGroup(), "leader", tuple(leader_choices)),
    )
    return tuple(menu for menu in menus if menu.choices)


def _describe_followers(max_followers: int, follower_count: int) -> str:
    if max_followers >= follower_count:
        return "with 1 other" if follower_count == 1 else f"with all {follower_count} others"
    return f"with up to {max_followers} of {follower_count} others"


def _build_choice(model: Fighter) -> Choice:
    return Choice(model.name, str(model.id), ", ".join(sorted(kind for kind, _ in model.conditions)))


def _limit(leader: Fighter, tokens: int, rules: Settings) -> int:
    return activation.group_limit(leader, tokens, rules)


@handles(PrepareGroup)
def prepare_group(act: Act, action: PrepareGroup) -> Reply:
    """Spend tokens now, for the next activation of this crew. Rules: CB-ORDER-06."""
    side = _require_drawn_side(act, action.tokens)
    if not any(isinstance(menu.action, LeadGroup) for menu in build_act_menus(act.encounter, side.id)):
        raise InvalidInput(f"No model of {side.name} can lead a group now.")
    spend_order(act, side.id, action.tokens)
    SideState(side).group_tokens += action.tokens
    sentence = f"{side.name} spends {times(action.tokens, 'order token')}. Its next group can be larger."
    groups = [menu for menu in build_act_menus(act.encounter, side.id) if isinstance(menu.action, LeadGroup)]
    return Reply((sentence, "Choose who leads the group, or use /act."), buttons=(UNDO,), menus=tuple(groups))


def _require_drawn_side(act: Act, tokens: int) -> SideRow:
    """The side whose token was drawn, for who plays it. Raises Forbidden for tokens that it does not have."""
    side = act.encounter.side(drawn_side(act.encounter, bag.use(read_bag(act.encounter))))
    act.require_side(side.id)
    if not 0 <= tokens <= orders_of(side):
        raise Forbidden(
            f"The crew has {times(orders_of(side), 'order token')} (you need {tokens}).", "CB-ORDER-03"
        )
    return side


@handles(LeadGroup)
def lead_group(act: Act, action: LeadGroup) -> Reply:
    """Show the person the models that the leader may direct, as many as the group can hold.

    Rules: CB-ACT-04, CB-ACT-05, CB-ORDER-06.
    """
    encounter = act.encounter
    side = _require_drawn_side(act, action.tokens)
    orders, rules = orders_of(side), settings_of(encounter)
    leader = fighter(encounter, encounter.model(action.leader))
    followers = list_directed_models(leader, list_able_models(encounter, side.id), rules)
    if leader.side != side.id or not followers:
        raise InvalidInput(f"{leader.name} can't lead a group now.")
    limit = _limit(leader, SideState(side).group_tokens + action.tokens, rules)
    max_members = min(limit, len(followers))
    menu = Menu(
        f"Which models go with {leader.name}?"[:100],
        ActivateWith(leader.id, tokens=action.tokens),
        "members",
        tuple(map(_build_choice, followers)),
        1,
        max_members,
    )
    spent_text = f", with {times(action.tokens, 'order token')}" if action.tokens else ""
    larger_group = LeadGroup(leader.id, action.tokens + 1)
    add_button = (
        [Button("Add 1 order token", larger_group)]
        if limit < len(followers) and action.tokens < orders
        else []
    )
    limit_text = (
        f"{max_members} of {len(followers)} models"
        if max_members < len(followers)
        else times(max_members, "model")
    )
    sentence = f"{leader.name} can lead up to {limit_text}{spent_text}."
    return Reply((sentence,), private=True, buttons=tuple(add_button), menus=(menu,), replaces=True)
