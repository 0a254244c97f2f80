"""What Counterblast waits for between two presses, and from whom."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.counterblast.core import common
from bot.games.counterblast.core.common import left_to_act, read_bag
from bot.games.counterblast.core.owed import first_owed
from bot.games.counterblast.missions.mission_ask import without_mission
from bot.games.counterblast.missions.mission_state import uncounted
from bot.games.counterblast.missions.traps import trapping
from bot.games.counterblast.setup.setup_play import next_placing
from bot.games.counterblast.turn.activations import to_act
from bot.games.counterblast.turn.bag_play import is_spent, who_draws
from bot.games.counterblast.upkeep.upkeep_draft import is_open, leaderless, read_draft
from bot.table.encounter import OVER, Encounter
from bot.table.session.waiting import Wait, player_of, players_of, to_end
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.turn import bag


def waits(encounter: Encounter) -> Wait | None:
    """An answer, who acts, the next draw, Upkeep; what is left before the first turn. Rules: CB-BAG-04."""
    if not encounter.row.turn:
        return _before_begin(encounter)
    answers = common.answers(encounter)
    if answers:
        names, attacked = answers[0]
        return Wait(players_of(encounter, [attacked]), f"an answer to {names}", owed=True)
    debt = first_owed(encounter)
    if debt is not None:
        return Wait(players_of(encounter, [debt.side]), debt.line.rstrip("."), owed=True)
    if encounter.count(OVER):
        return _counted(encounter)
    if acting := to_act(encounter):
        return Wait(_players(encounter, acting), f"{', '.join(model.name for model in acting)} to act")
    now = read_bag(encounter)
    if now.drawn is not None:
        side = encounter.sides()[now.drawn]
        must = bag.must_use(now, left_to_act(encounter))
        what = f"who of {side.name} acts?" if must else "Draw, or Done"
        return Wait(players_of(encounter, [side.id]), what)
    if is_open(encounter):
        if sides := leaderless(encounter):
            return Wait(players_of(encounter, sides), "who leads?")
        return _upkeep(encounter)
    if bag.phase_over(left_to_act(encounter)) or is_spent(encounter):
        return Wait("", "Upkeep")
    side = encounter.sides()[who_draws(encounter)]
    return Wait(players_of(encounter, [side.id]), f"Draw ({side.name})")


def _upkeep(encounter: Encounter) -> Wait:
    """The sides that have to roll or to confirm, where some of them have."""
    agreed = read_draft(encounter).agreed
    sides = [side.id for side in encounter.sides() if agreed and side.id not in agreed]
    return Wait(players_of(encounter, sides) if sides else "", "Upkeep is proposed, confirm it")


def _before_begin(encounter: Encounter) -> Wait | None:
    """The next piece of terrain, missions, places to be trapped, as far as everybody knows of them.

    Rules: CB-SETUP-05, CB-MISS-01, CB-MISS-21.
    """
    placing = next_placing(encounter)
    if placing is not None:
        side, left = placing
        what = f"{encounter.side(side).name} to place terrain ({left} left), or Begin"
        return Wait(players_of(encounter, [side]), what)
    played = [side for side in encounter.sides() if encounter.captain(side.id)]
    due = without_mission(encounter)
    sides = [side.id for side in played if side in due]
    if sides:
        return Wait(players_of(encounter, sides), "a mission, or Begin")
    traps = trapping(encounter)
    if traps:
        names = " and ".join(side.name for side in traps)
        what = f"{names} to trap a place, or Begin"
        return Wait(players_of(encounter, [side.id for side in traps]), what)
    return None


def _counted(encounter: Encounter) -> Wait:
    """The missions that are still to be counted, from who played them; then the end."""
    sides = [side.id for side in uncounted(encounter)]
    return Wait(players_of(encounter, sides), "Count the mission") if sides else to_end(encounter)


def _players(encounter: Encounter, acting: Sequence[Fighter]) -> str:
    return " and ".join(dict.fromkeys(player_of(encounter, model.id) for model in acting))
