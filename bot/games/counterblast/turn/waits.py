"""What Counterblast waits for between two presses, and from whom."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.counterblast.core import pending
from bot.games.counterblast.core.common import left_to_act, read_bag
from bot.games.counterblast.core.owed import first_owed
from bot.games.counterblast.missions.mission_ask import without_mission
from bot.games.counterblast.missions.mission_state import uncounted
from bot.games.counterblast.turn.activations import acting_on, active
from bot.games.counterblast.turn.bag_play import is_spent
from bot.games.counterblast.upkeep.upkeep_draft import is_open
from bot.table.encounter import OVER, Encounter
from bot.table.session.waiting import Wait, player_of, players_of, to_end
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.turn import bag


def waits(encounter: Encounter) -> Wait | None:
    """An answer, who acts, the next draw, Upkeep; before the first turn the missions. Rules: CB-BAG-04."""
    if not encounter.row.turn:
        sides = [side.id for side in without_mission(encounter) if encounter.captain(side.id)]
        return Wait(players_of(encounter, sides), "a mission, or Begin") if sides else None
    answers = pending.answers(encounter)
    if answers:
        names, attacked = answers[0]
        return Wait(players_of(encounter, [attacked]), f"an answer to {names}", owed=True)
    debt = first_owed(encounter)
    if debt is not None:
        return Wait(players_of(encounter, [debt.side]), debt.line.rstrip("."), owed=True)
    if encounter.count(OVER):
        return _counted(encounter)
    if acting := acting_on(encounter) or active(encounter):
        return Wait(_players(encounter, acting), f"{', '.join(model.name for model in acting)} to act")
    now = read_bag(encounter)
    if now.drawn is not None:
        side = encounter.sides()[now.drawn]
        what = "Draw, or Done" if now.used else f"who of {side.name} acts?"
        return Wait(players_of(encounter, [side.id]), what)
    if is_open(encounter):
        return Wait("", "Upkeep is proposed, confirm it")
    if bag.phase_over(left_to_act(encounter)) or is_spent(encounter):
        return Wait("", "Upkeep")
    side = encounter.sides()[now.drawer]
    return Wait(players_of(encounter, [side.id]), f"Draw ({side.name})")


def _counted(encounter: Encounter) -> Wait:
    """The missions that are still to be counted, from who played them; then the end."""
    sides = [side.id for side in uncounted(encounter)]
    return Wait(players_of(encounter, sides), "Count the mission") if sides else to_end(encounter)


def _players(encounter: Encounter, acting: Sequence[Fighter]) -> str:
    return " and ".join(dict.fromkeys(player_of(encounter, model.id) for model in acting))
