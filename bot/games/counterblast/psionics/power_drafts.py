"""A power on several put together by pressing: a die at a time; how far each is, is asked behind it."""

from __future__ import annotations

from bot.actions import Action, raw_of, worded
from bot.games.counterblast.core.common import played, settings
from bot.games.counterblast.core.fighters import fighters
from bot.games.counterblast.psionics.psi_play import UsePower
from bot.replies.reply import Button, Choice
from bot.table.act import Act
from bot.table.asking.several import SEVERAL, Several
from bot.table.session.drafting import Draft, Laid, makes
from rules.refusals import InvalidInput
from rules.systems.counterblast.core import ability
from rules.systems.counterblast.core.allotment import Pool
from rules.wording import times

SHARED = "cb.psi"

MOST_TARGETS = 4
"""Targets whose numbers and dice a button has room for."""


@makes(SHARED, 1)
def shared(act: Act, draft: Draft) -> Laid:
    """The dice of a power. about: who uses it; words: the power; a piece is the number of a target."""
    psionic = played(act, draft.about[0])
    rating, _ = ability.rating_parts(ability.rating_of(psionic, "PSI"), "PSI")
    pool = Pool(rating, (), settings(act).advantage_stacks).available
    everybody = {one.id: one for one in fighters(act.encounter) if not one.is_down}
    if not set(draft.pieces) <= set(everybody):
        raise InvalidInput("One of them is not in play any more. Begin anew: Power, Several...")
    given = {number: draft.pieces.count(number) for number in dict.fromkeys(draft.pieces)}
    left = pool - len(draft.pieces)
    lines = [f"{psionic.name}: {times(left, 'die', 'dice')} left", f"{draft.words}. Only you see this."]
    lines += [f"  {count} at {everybody[number].name}" for number, count in given.items()]
    order = sorted(everybody.values(), key=lambda one: (one.id not in given, one.side == psionic.side))
    choices = tuple(
        Choice(one.name, str(one.id))
        for one in order
        if left > 0 and one.id != psionic.id and (one.id in given or len(given) < MOST_TARGETS)
    )
    targets = ", ".join(f"#{number} {count}" for number, count in given.items())
    asked = UsePower(psionic, worded(draft.words), worded(targets))
    ready = (Button("How far...", asked, "main", anytime=True, asks=True),) if not left else ()
    return Laid(tuple(lines), "One die at", choices, ready)


def _several(act: Act, action: Action) -> Draft | None:
    """A power that is used by somebody, to be shared out over more than one target."""
    said = raw_of(action)
    number, power = str(said.get("psionic", "")).removeprefix("#"), str(said.get("power", ""))
    return Draft(SHARED, (int(number),), words=power) if number.isdecimal() and power else None


SEVERAL[UsePower.command] = Several("Several targets", "The dice are shared out next", _several)
