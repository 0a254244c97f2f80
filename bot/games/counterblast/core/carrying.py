"""The one way by which effects reach the rows of a Counterblast game, with everything that follows from them.

Tokens fall, dogs run, riders are lost, crews ask for a leader: whatever brought the effects about. No other
module of the game applies effects.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.games.counterblast.core.fighters import WAS_LEADER, fighter
from bot.games.counterblast.core.tokens import let_fall
from bot.games.counterblast.missions.scoring import RESERVE
from bot.games.counterblast.setup.departures import heirs_asked
from bot.games.counterblast.shooting.recalled import forget_moved
from bot.games.counterblast.turn.pairing import owners_lost
from bot.table.encounter import GONE, Encounter
from rules.effects import Effect, Harm, Leave, Propose
from rules.systems.counterblast.building.crew import LEADER
from rules.systems.counterblast.core.fighter import ENGAGED_WITH, Counter, Fighter
from rules.systems.counterblast.vehicles.vehicle_move import after_vehicle_lost


def carried(encounter: Encounter, effects: Iterable[Effect], *, by: int = 0) -> list[Propose]:
    """Apply what an outcome does; gives what is to follow.

    A model that left play lets go of everybody, and whoever rides in it is lost with it; a crew whose leader
    left is asked for another. Who waits in reserve has left nobody.
    by: see `Encounter.apply`; a model that is down stays credited to the one that brought it down.
    Rules: CB-VEH-07, CB-CREW-05, CB-CREW-06, CB-GEAR-50, CB-MISS-03, CB-SCORE-02.
    """
    outcome = tuple(effects)
    aboard = _aboard(encounter, outcome)
    riders = after_vehicle_lost(aboard)
    effects = (*outcome, *riders)
    lost = [encounter.model(one.model) for one in effects if isinstance(one, Leave) and one.how != RESERVE]
    leaders = [row for row in lost if fighter(encounter, row).leader]
    for row in leaders:
        row.counters[WAS_LEADER] = 1
    harmed = [encounter.model(one.model) for one in outcome if isinstance(one, Harm)]
    down = [(row, row.hurt_by, row.hurt_side) for row in harmed if fighter(encounter, row).is_down]
    proposals = [*encounter.apply(outcome, by=by), *encounter.apply(riders)]
    for row, *felled in down:
        row.hurt_by, row.hurt_side = felled
    forget_moved(encounter, effects)
    proposals += let_fall(encounter, effects)
    follow, told = owners_lost(encounter, effects)
    proposals += told
    proposals += carried(encounter, follow) if follow else []
    proposals += [Propose("lost_aboard", one.id, f"{one.name} is lost aboard.") for one in aboard]
    for row in leaders:
        if encounter.side(row.side).counters.get(LEADER, 0) == row.id:
            unled, asked = heirs_asked(encounter, row.side)
            carried(encounter, unled)
            proposals += asked
    _let_go(encounter)
    return proposals


def _let_go(encounter: Encounter) -> None:
    """Nobody is engaged with a model that is out of play. Rules: CB-COND-03."""
    gone = {model.id for model in encounter.models(gone=True) if model.status == GONE}
    for model in encounter.models() if gone else ():
        for other in ENGAGED_WITH.among(model.counters.items()):
            if other in gone:
                del model.counters[ENGAGED_WITH.of(other)]


def _aboard(encounter: Encounter, effects: Iterable[Effect]) -> list[Fighter]:
    """Who rides in what leaves play by these effects, and does not leave by them itself."""
    leaving = {effect.model for effect in effects if isinstance(effect, Leave)}
    if not leaving:
        return []
    return [
        fighter(encounter, row)
        for row in encounter.models()
        if row.counters.get(Counter.RIDES, 0) in leaving and row.id not in leaving
    ]
