"""Leaders of crews: named before the game, and replaced; casualties."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.counterblast.core.common import (
    again,
    carry_through,
    fighter_of,
    find_own_fighter,
    orders_of,
    settings,
)
from bot.games.counterblast.core.crews import HEIR, NOBODY, UNLED_OFFER, NameLeader, NameNobody, apply_outcome
from bot.games.counterblast.core.debts import is_upkeep_open
from bot.games.counterblast.core.narration import Telling, finish, ref, register_offer
from bot.games.counterblast.core.wording import summary
from bot.games.counterblast.state.models import fighter, fighters
from bot.games.counterblast.upkeep.upkeep_actions import show_upkeep
from bot.games.counterblast.upkeep.upkeep_draft import Upkeep, write_draft
from bot.replies.reply import Button, Reply, say
from bot.store.rows import SideRow
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.asking.kinds import Asking
from bot.table.encounter import GONE, NO_SIDE, set_counter
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.owners import ANYONE, in_play
from rules.effects import Propose
from rules.refusals import Forbidden, Missing, forbid
from rules.systems.counterblast.building.crew import (
    LEADER,
    UNLED,
    WHO_MAY_LEAD,
    find_leader,
    make_leaderless,
    may_lead,
    name_leader,
)
from rules.systems.counterblast.core.conditions import find_category
from rules.systems.counterblast.core.counters import ORDERS
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.turn.activation import after_succession, starting_tokens


def _read_leader(context: Asking, text: str) -> Fighter | str:
    return NOBODY if text.strip().casefold() == NOBODY else find_own_fighter(context.act, text)


@dataclass(frozen=True, slots=True)
class NominateLeader(Action):
    """Choose a crew's leader before the game, or when the crew has lost its leader."""

    command = "cb.nominate"
    typed = "game leader"
    titled = "Choose a leader"
    decision_of = in_play("the side whose leader is chosen")

    model: Fighter | str = fields.sought(
        'New leader, or "nobody"', offering.own_model, _read_leader, needed=True, written=ref
    )


@register_offer(HEIR)
def _build_heir_button(proposal: Propose) -> Button:
    return Button(str(dict(proposal.details)["name"]), NameLeader(proposal.model))


@handles(NameLeader)
def appoint_leader(act: Act, action: NameLeader) -> Reply:
    """Put the successor in charge; the crew's order tokens are trimmed.

    Rules: CB-CREW-05, CB-ORDER-08.
    """
    encounter = act.encounter
    model = fighter_of(act, action.model)
    act.require_side(model.side)
    if is_upkeep_open(encounter):
        return _lead_in_upkeep(act, model)
    side = encounter.side(model.side)
    if side.counters.get(LEADER):
        raise Forbidden("The crew already has a leader.", "CB-CREW-05")
    _require_right_to_choose(act, side)
    old_orders = orders_of(side)
    carry_through(act, name_leader(model, fighters(encounter, model.side)))
    carry_through(act, after_succession(side.id, old_orders, model, settings(act)))
    return Reply(
        (
            f"{model.name} now leads {side.name}.",
            f"The crew has {f'{orders_of(side)} of {old_orders}' if old_orders else 'no'} order tokens left.",
        ),
        buttons=(UNDO,),
    )


def _lead_in_upkeep(act: Act, model: Fighter) -> Reply:
    upkeep = Upkeep.of(act)
    draft, scene = upkeep.draft, upkeep.proposal.scene
    draft.leaders = [number for number in draft.leaders if act.encounter.model(number).side != model.side]
    present = scene.model(model.id)
    leader = find_leader(model.side, scene.models)
    if leader is not None and leader.id not in upkeep.proposal.named:
        raise Forbidden("The crew already has a leader.", "CB-CREW-05")
    with act.overridable():
        if not may_lead(present, scene.models):
            raise Forbidden(f"{model.name} can't lead. {WHO_MAY_LEAD}", "CB-CREW-03")
    _require_right_to_choose(act, act.encounter.side(model.side))
    draft.unled = [side for side in draft.unled if side != model.side]
    draft.leaders.append(model.id)
    write_draft(act.encounter, draft)
    return show_upkeep(act, f"{model.name} leads").minor()


def _require_right_to_choose(act: Act, side: SideRow) -> None:
    """Name no one later if no one was named when the leader was lost. Rules: CB-CREW-05."""
    with act.overridable():
        if side.counters.get(UNLED):
            raise Forbidden(
                f"{side.name} can no longer choose a leader, because it didn't choose one when it lost the "
                "previous one.",
                "CB-CREW-05",
            )


@register_offer(UNLED_OFFER)
def _build_nobody_button(proposal: Propose) -> Button:
    details = dict(proposal.details)
    return Button(f"No new leader for {details['name']}", NameNobody(int(details["side"])))


@handles(NameNobody)
def name_nobody(act: Act, action: NameNobody) -> Reply:
    """Name no leader: no Command Range, INT to lend or order tokens. Rules: CB-CREW-05, CB-CREW-06."""
    side = act.encounter.side(action.side)
    act.require_side(side.id)
    if is_upkeep_open(act.encounter):
        return _nobody_in_upkeep(act, side)
    if side.counters.get(LEADER):
        raise Forbidden(f"{side.name} already has a leader.", "CB-CREW-05")
    carry_through(act, make_leaderless(side.id))
    return Reply((f"{side.name} now has no leader and loses its order tokens.",), buttons=(UNDO,))


def _nobody_in_upkeep(act: Act, side: SideRow) -> Reply:
    upkeep = Upkeep.of(act)
    if side.id not in {gap.side for gap in upkeep.proposal.vacant}:
        raise Forbidden(f"{side.name} doesn't need a new leader.", "CB-CREW-05")
    upkeep.draft.unled.append(side.id)
    write_draft(act.encounter, upkeep.draft)
    return show_upkeep(act, f"{side.name} has no leader").minor()


# ------------------------------------------------------------------------------------------- by name


@handles(NominateLeader)
def nominate(act: Act, action: NominateLeader) -> Reply:
    """Nominate a leader before the game, or once the crew has lost its leader."""
    encounter, model = act.encounter, action.model
    if isinstance(model, str):
        return _go_unled(act)
    if encounter.row.turn and not encounter.side(model.side).counters.get(LEADER):
        act.canonical = NameLeader(model.id)
        return appoint_leader(act, act.canonical)
    if encounter.row.turn:
        forbid(
            "You can only choose a leader before the game, or when the crew has lost its leader.",
            "CB-CREW-03",
        )
    apply_outcome(encounter, name_leader(model, fighters(encounter, model.side)))
    side = encounter.side(model.side)
    set_counter(side.counters, ORDERS, starting_tokens(again(act, model)))
    lines = [f"{model.name} is now the leader of {side.name}.", f"Order tokens: {side.counters[ORDERS]}"]
    return finish(act, Telling(lines))


def _go_unled(act: Act) -> Reply:
    """Go on without a leader in the person's crew. Raises InvalidInput. Rules: CB-CREW-05."""
    leaderless = [
        side
        for side in act.encounter.sides()
        if not side.counters.get(LEADER) and not side.counters.get(UNLED)
    ]
    own_sides = [side for side in leaderless if act.plays_on(side.id) or act.enters_for_everybody]
    if not act.encounter.row.turn or not leaderless:
        raise Missing("Choose a model. A crew can only go on without a leader after it has lost one.")
    if len(own_sides) > 1:
        buttons = tuple(Button(side.name, NameNobody(side.id)) for side in own_sides)
        return Reply(("Choose the crew that goes on without a leader.",), private=True, buttons=buttons)
    act.canonical = NameNobody((own_sides or leaderless)[0].id)
    return name_nobody(act, act.canonical)


@dataclass(frozen=True, slots=True)
class Casualties(Action):
    """Show who is down or lost (visible only to you).

    With the category that counts after the game.
    """

    command = "cb.casualties"
    typed = "cb casualty"
    titled = "Casualties"
    decision_of = ANYONE


@handles(Casualties)
def casualties(act: Act, action: Casualties) -> Reply:
    """Show the asker the casualties, side by side."""
    encounter = act.encounter
    if not encounter.sides():
        return say(NO_SIDE, private=True)
    lines = []
    for side in encounter.sides():
        loss_lines = []
        for model in encounter.models(side.id, gone=True):
            state = fighter(encounter, model)
            if model.status == GONE:
                loss_lines.append(f"{model.name}: {find_category(state, model.left_how) or model.left_how}")
            elif state.is_down:
                loss_lines.append(f"{summary(state)}, {model.damage} of {state.profile.life} Life lost")
        lines += [f"**{side.name}**", *(loss_lines or ["nobody"])]
    return Reply(tuple(lines), private=True)
