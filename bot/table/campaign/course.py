"""The course of a season: what ranks each crew, at the start and after each round, read from the ledger.

An entry belongs to the round that it names; a correction to the round that it corrects; what names none to
the round that was reported last. So what a crew has after the last round is what it stands at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bot.store.row_types import EntrantRow, LedgerRow
from bot.table.campaign.campaign_book import Campaign
from bot.table.campaign.campaign_rules import rules_of

Worth = tuple[int, ...]
"""What ranks a crew: the accounts that do, in their order."""

NAMED = re.compile(r"(correction of )?round (\d+)\b")


@dataclass(frozen=True, slots=True)
class Standings:
    """rounds: those that were played. worths: of each entrant, at the start and after each of them.

    there: after which rounds each took part.
    """

    rounds: tuple[int, ...]
    worths: Mapping[int, tuple[Worth, ...]]
    there: Mapping[int, frozenset[int]]

    def places(self, entrant: int) -> dict[int, int]:
        """Its place after each round after which it took part; equal crews share one."""
        found = {}
        for number, played in enumerate(self.rounds, 1):
            if played in self.there[entrant]:
                mine = self.worths[entrant][number]
                others = (worths[number] for one, worths in self.worths.items() if played in self.there[one])
                found[played] = 1 + sum(worth > mine for worth in others)
        return found


def course_of(camp: Campaign) -> Standings:
    """How the season went."""
    accounts = rules_of(camp.row.system).ranked
    rounds = sorted({one.round for one in camp.fixtures() if one.status == "played"})
    entrants = [one.id for one in camp.book.all(EntrantRow)]
    gained = {one: {number: [0] * len(accounts) for number in (0, *rounds)} for one in entrants}
    there: dict[int, set[int]] = {one: set() for one in entrants}
    for row, at, last in _dated(camp, rounds):
        if not row.member and row.account in accounts:
            gained[row.entrant][at][accounts.index(row.account)] += row.amount
        elif not row.member and row.account == "status":
            later = {one for one in rounds if one > last}
            there[row.entrant] = there[row.entrant] - later | (later if row.after == "in" else set())
    worths = {one: _summed([gained[one][number] for number in (0, *rounds)]) for one in entrants}
    return Standings(tuple(rounds), worths, {one: frozenset(numbers) for one, numbers in there.items()})


def _dated(camp: Campaign, rounds: list[int]) -> Iterator[tuple[LedgerRow, int, int]]:
    """Each entry with the round that it belongs to, and the last that was reported before it; 0 for none."""
    last = 0
    for row in camp.ledger():
        named = NAMED.match(row.cause)
        number = int(named[2]) if named else 0
        at = number if number in rounds else last
        yield row, at, last
        if named and not named[1]:
            last = max(last, at)


def _summed(gained: list[list[int]]) -> tuple[Worth, ...]:
    found = [tuple(gained[0])]
    for more in gained[1:]:
        found.append(tuple(have + one for have, one in zip(found[-1], more, strict=True)))
    return tuple(found)


def standings_over_rounds(camp: Campaign) -> dict[str, tuple[int, ...]]:
    """What counts first, at the start and after each round, by crew."""
    worths = course_of(camp).worths
    return {one.name: tuple(worth[0] for worth in worths[one.id]) for one in camp.book.all(EntrantRow)}


def beside(rounds: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[float, ...]]:
    """Return how far each crew's mark is moved to the side after each round, in steps, so that all are seen.

    The marks of crews with the same points stand side by side at these points, in the order given; at the
    start all begin in one spot.
    """
    found: dict[str, tuple[float, ...]] = {}
    for name, points in rounds.items():
        steps = [0.0]
        for number in range(1, len(points)):
            same = [one for one, others in rounds.items() if others[number] == points[number]]
            steps.append(same.index(name) - (len(same) - 1) / 2)
        found[name] = tuple(steps[: len(points)])
    return found
