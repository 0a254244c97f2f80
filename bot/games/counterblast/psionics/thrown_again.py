"""Fahz Jiin at the table: failed psionic dice are thrown again while its one activation lasts."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core.common import carry_through
from bot.games.counterblast.core.fields import who
from bot.games.counterblast.core.rolls import finish
from bot.games.counterblast.core.telling import Telling
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.encounter import set_counter
from bot.table.handlers import handles
from bot.table.rolling.throws import Whose
from rules.counters import CounterName
from rules.dice import Thrown
from rules.systems.counterblast.core.checks import (
    CheckResult,
    Throw,
)
from rules.systems.counterblast.core.fighter import Counter, Fighter
from rules.systems.counterblast.core.rerolls import check_mending_failures
from rules.systems.counterblast.psionics.psionics import fahz_jiin_rerolls, take_fahz_jiin

MENDED = CounterName("Fahz Jiin re-rolls")
"""Counter of a model: failed dice that Fahz Jiin has let it throw again."""


@dataclass(frozen=True, slots=True)
class TakeFocus(Action):
    """Fahz Jiin: failed psionic dice again, in one activation."""

    command = "cb.psi.focus"
    typed = "psi focus"
    titled = "Fahz Jiin"

    psionic: Fighter = who("Who takes it", called="model")


@handles(TakeFocus)
def take_focus(act: Act, action: TakeFocus) -> Reply:
    """Once in an encounter. Rules: CB-GEAR-46."""
    psionic = action.psionic
    carry_through(act, take_fahz_jiin(psionic))
    return finish(
        act,
        Telling(
            [
                f"{psionic.name} takes Fahz Jiin.",
                f"Until its activation ends {fahz_jiin_rerolls(psionic)} failed",
                "psionic dice are thrown again.",
            ]
        ),
    )


def mended(act: Act, psionic: Fighter, result: CheckResult, throws: tuple[Throw, ...]) -> CheckResult:
    """The check after its failed dice were thrown again, natural 1s first; as it fell without Fahz Jiin.

    The psionic's own dice only; bonus dice are not among them. Rules: CB-GEAR-46, CB-PSI-05.
    """
    row = act.encounter.model(psionic.id)
    if psionic.count(Counter.FAHZ_JIIN) != 1 or act.roller is None or len(throws) > 1:
        return result
    left = fahz_jiin_rerolls(psionic) - row.counters.get(MENDED, 0)
    thrown = next((one for one in reversed(act.dice.trace) if isinstance(one, Thrown)), None)
    if left < 1 or thrown is None or throws[0].pool < 1:
        return result
    words = [word for _, word in thrown.words()[0]]
    ones = min(left, words.count("natural 1"))
    misses = min(left - ones, sum(word == "miss" for word in words))
    if ones + misses < 1:
        return result
    set_counter(row.counters, MENDED, ones + misses, add=True)
    fresh = act.roll(
        Whose(psionic.name, "Fahz Jiin", "for failed dice"),
        check_mending_failures,
        result,
        misses,
        ones,
        replace(throws[0], pool=ones + misses),
        label="Fahz Jiin",
    )
    return replace(fresh, criticals=result.criticals)
