"""A power on several put together by pressing: a die at a time; how far each is, is asked behind it."""

from __future__ import annotations

from dataclasses import replace

from bot.actions import Action, action_of, number_in, raw_of, worded
from bot.games.counterblast.core.common import own, settings
from bot.games.counterblast.core.fighters import fighters
from bot.games.counterblast.psionics.psi_play import UsePower
from bot.replies.reply import Button, Choice
from bot.table.act import Act
from bot.table.asking.inside import inside
from bot.table.asking.reading import read_leniently
from bot.table.asking.several import SEVERAL, Several
from bot.table.session.drafting import Draft, Laid, makes, said_in
from rules.refusals import InvalidInput
from rules.systems.counterblast.core import dice_pools
from rules.systems.counterblast.core.dice_pools import Pool
from rules.wording import times

SHARED = "cb.psi"

MOST_TARGETS = 4
"""Targets whose numbers and dice a button has room for."""

LAST = ("helpers", "skill", "number", "size")
"""What a form says that a draft has no room for; the form at its end asks it."""


@makes(SHARED, 0, 1)
def shared(act: Act, draft: Draft) -> Laid:
    """The dice of a power. words: what the form said but for its targets; a piece is a target's number.

    about: nothing; the psionic in drafts of the version before, which are refused as such.
    """
    said = said_in(draft, UsePower.command)
    assert isinstance(said, UsePower)
    psionic = own(act, str(raw_of(said).get("psionic", "")))
    rating, _ = dice_pools.rating_parts(dice_pools.rating_of(psionic, "PSI"), "PSI")
    pool = Pool(rating, (), settings(act).advantage_stacks).available
    everybody = {one.id: one for one in fighters(act.encounter) if not one.is_down}
    if not set(draft.pieces) <= set(everybody):
        raise InvalidInput("One of them is not in play any more. Begin anew: Power, Several...")
    given = {number: draft.pieces.count(number) for number in dict.fromkeys(draft.pieces)}
    left = pool - len(draft.pieces)
    lines = [f"{psionic.name}: {times(left, 'die', 'dice')} left", f"{said.power}. Only you see this."]
    lines += [f"  {count} at {everybody[number].name}" for number, count in given.items()]
    order = sorted(everybody.values(), key=lambda one: (one.id not in given, one.side == psionic.side))
    choices = tuple(
        Choice(one.name, str(one.id))
        for one in order
        if left > 0 and one.id != psionic.id and (one.id in given or len(given) < MOST_TARGETS)
    )
    asked = replace(said, targets=worded(", ".join(f"#{number} {count}" for number, count in given.items())))
    ready = (Button("How far...", asked, "main", anytime=True, asks=True),) if not left else ()
    return Laid(tuple(lines), "One die at", choices, ready)


def _several(act: Act, action: Action) -> Draft | None:
    """A power that is used by somebody, to be shared out over more than one target. Raises InvalidInput."""
    said = raw_of(action)
    if not {"psionic", "power"} <= said.keys() or number_in(str(said["psionic"])) is None:
        return None
    for name in LAST:
        if name in said:
            raise InvalidInput(f"At several, {name} is said at the end: How far...")
    named = read_leniently(act, action, "")["targets"] or ()
    pieces = tuple(one.model.id for one in named for _ in range(one.number or 1))
    rest = {name: raw for name, raw in said.items() if name != "targets"}
    return Draft(SHARED, pieces=pieces, words=inside(action_of(action.command, rest)))


SEVERAL[UsePower.command] = Several("Several targets", "The dice are shared out next", _several)
