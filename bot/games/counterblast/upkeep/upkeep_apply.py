"""Carrying an Upkeep out: all that was proposed, in the order of its steps, and the turn that follows."""

from __future__ import annotations

from bot.games.counterblast.core.common import carry_through, orders_of, settings, spend_order, write_bag
from bot.games.counterblast.core.fighters import fighter
from bot.games.counterblast.ground.fires import write_fire
from bot.games.counterblast.missions.mission_state import gain
from bot.games.counterblast.missions.scoring import result_lines
from bot.games.counterblast.setup.departures import ASKED
from bot.games.counterblast.shooting.cloud_marks import clear_clouds
from bot.games.counterblast.upkeep.upkeep_draft import Upkeep, close_draft
from bot.games.counterblast.upkeep.upkeep_scene import copy_of
from bot.table.act import Act
from bot.table.encounter import OVER, Encounter
from rules.effects import Assign, Effect, Propose
from rules.systems.counterblast.building.crew import LEADER, goes_unled
from rules.systems.counterblast.turn import activation
from rules.systems.counterblast.turn.orders import after_succession
from rules.systems.counterblast.upkeep import upkeep


def is_last_turn(encounter: Encounter) -> bool:
    """Whether the game ends with this Upkeep. Rules: CB-TURN-01."""
    return activation.is_last_turn(encounter.row.turn, encounter.row.turns)


def carry_out(act: Act, open_one: Upkeep) -> list[Propose]:
    """Do what the Upkeep proposes and begin the next turn; gives what is to follow.

    Rules: CB-TURN-04, CB-TURN-01, CB-PANIC-08, CB-BAG-02, CB-BAG-08.
    """
    encounter, draft, proposal = act.encounter, open_one.draft, open_one.proposal
    results = open_one.results()
    fires = open_one.fires()
    clear_clouds(encounter, open_one.clouds())
    follow = carry_through(act, (*proposal.healed, *proposal.leaving))
    for number in proposal.named:
        _serves(act, number)
    for number in draft.unled:
        if not encounter.side(number).counters.get(LEADER):
            carry_through(act, goes_unled(number))
    for number in draft.ordered:
        side = encounter.model(number).side
        if number in results and orders_of(encounter.side(side)):
            spend_order(act, side)
    levels = (Assign("side", one.side, upkeep.PANIC_LEVEL, one.level) for one in proposal.levels)
    follow += carry_through(act, levels)
    follow += carry_through(act, upkeep.step_tests(proposal.scene, results.items()))
    follow += carry_through(act, proposal.ending)
    for name, (fire, _) in fires.items():
        write_fire(encounter, name, fire)
    for note in draft.said("score"):
        gain(encounter.side(note.number), int(note.value))
    follow += carry_through(act, upkeep.step_reset(proposal.scene))
    close_draft(encounter)
    _next_turn(act, open_one)
    return [one for one in follow if one.action not in ASKED]


def _serves(act: Act, number: int) -> None:
    """The successor serves from this moment; the crew's order tokens are trimmed. CB-CREW-05, CB-ORDER-08."""
    model = fighter(act.encounter, act.encounter.model(number))
    before = orders_of(act.encounter.side(model.side))
    carry_through(act, (Assign("side", model.side, LEADER, model.id),))
    carry_through(act, after_succession(model.side, before, model, settings(act)))


def _next_turn(act: Act, open_one: Upkeep) -> None:
    encounter = act.encounter
    effects = upkeep.step_new_turn(open_one.proposal.scene, encounter.row.turns)
    carry_through(act, [effect for effect in effects if not _is_turn(effect)])
    if is_last_turn(encounter):
        encounter.row.counters[OVER] = 1
        return
    for token in encounter.tokens("initiative"):
        encounter.book.remove(token)
    encounter.row.turn += 1
    write_bag(encounter, open_one.proposal.bag)


def _is_turn(effect: Effect) -> bool:
    return isinstance(effect, Assign) and effect.owner == "encounter" and effect.key == upkeep.TURN


def score_lines(act: Act) -> list[str]:
    """The points of every side as they will stand: the Upkeep is carried out on a copy."""
    copy = copy_of(act)
    carry_out(copy, Upkeep.of(copy))
    lines = result_lines(copy.encounter)
    return lines if is_last_turn(act.encounter) else lines[: len(copy.encounter.sides())]
