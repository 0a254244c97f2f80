"""A melee that has every answer is rolled, and what it was part of is finished.

Owns what the act counts as, and the free attacks' end: who left a melee moves away.
"""

from __future__ import annotations

from bot.games.counterblast.core.common import again, carry_through
from bot.games.counterblast.core.fighters import fighter
from bot.games.counterblast.core.narration import Telling
from bot.games.counterblast.melee.contact import held_by
from bot.games.counterblast.melee.melee_told import fought
from bot.games.counterblast.melee.melees import Melee, settled, taken_up
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.journal.history import UNDO
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.melee.engagement import after_disengage


def has_rolled(act: Act) -> bool:
    """Whether dice have fallen in this act."""
    return act.roller is not None and bool(act.roller.record)


def settle_identity(act: Act, melee: Melee) -> None:
    """The act is the melee, whatever was pressed; unless dice fell before, which an undo must find again."""
    if not has_rolled(act):
        act.canonical = settled(melee)


def fight_out(act: Act, telling: Telling, melee: Melee) -> Reply:
    """Roll, and finish what the blows were part of."""
    melee = taken_up(act, melee)
    settle_identity(act, melee)
    act.minor = False
    leaving = melee.defenders if melee.kind == "free" else ()
    leavers = [fighter(act.encounter, act.encounter.model(number)) for number in leaving]
    held = {leaver.id: held_by(act, leaver) for leaver in leavers}
    before: list[str] = []
    if melee.kind == "charge" and not has_rolled(act):
        before, telling.lines = telling.lines, []
    fought(act, telling, melee)
    cut = telling.lines.index("")
    telling.lines[cut:cut] = before
    for leaver in leavers:
        moves_away(act, telling, leaver, held[leaver.id])
    telling.lines += telling.proposal_lines()
    return Reply(tuple(telling.lines), buttons=telling.buttons(act, UNDO), why=tuple(telling.why))


def moves_away(act: Act, telling: Telling, leaver: Fighter, enemies: tuple[Fighter, ...]) -> None:
    """A model that left a melee, if it is still able, is engaged no more and moves. Rules: CB-DISENG-04."""
    proposals = carry_through(act, after_disengage(again(act, leaver), enemies))
    telling.proposals += proposals
    if not proposals:
        telling.lines.append(f"{leaver.name} cannot move away.")
