"""What comes of refereeing an exported game again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


class Forged(Exception):
    """The export does not hold what it says; the message tells where.

    entry: the one that is wrong, the place behind the last where they are of another game; 0 for none.
    """

    def __init__(self, words: str, entry: int = 0) -> None:
        super().__init__(words)
        self.entry = entry


class DoesNotFollow(Forged):
    """An entry that does not come of what was asked by these rules."""

    def __init__(self, entry: int, why: str) -> None:
        super().__init__(f"Entry {entry} does not follow from the rules: {why}", entry)
        self.why = why


@dataclass(frozen=True, slots=True)
class Decided:
    """Something that people decided and no rule: entry, who, what kind of decision, and in words."""

    entry: int
    who: str
    kind: str
    words: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a verified export holds.

    heads: how many heads that were seen in the channel it was held against. held: the runs of entries that
    those hold; surely_held: without the short ones. believed: entries that brought what is taken as written.
    managing: who was no organiser and asked as one who manages the channel, and in which entries.
    decided: what no rule decides.
    versions: of the rules that it was played under, in order; empty names for those that did not say.
    refereed: how many entries were played again and came out the same, -1 where that was not tried.
    words: who gave words for the dice before the game, in order, and whether they were opened.
    rewritten: entries out of which a name was taken since: what their hash was is only told.
    faded: entries whose words cannot be compared, since they name somebody who is gone.
    undecided: why the entry after those cannot be played again by these rules; empty where all could be.
    """

    encounter: str
    commitment: str
    entries: int
    rolls: int
    faces: int
    real: int
    heads: int = 0
    versions: Sequence[str] = ()
    decided: Sequence[Decided] = field(default=())
    refereed: int = -1
    undecided: str = ""
    words: Sequence[tuple[str, bool]] = ()
    held: Sequence[tuple[int, int]] = ()
    surely_held: Sequence[tuple[int, int]] = ()
    believed: Sequence[int] = ()
    managing: Sequence[tuple[str, Sequence[int]]] = ()
    rewritten: Sequence[int] = ()
    faded: Sequence[int] = ()

    @property
    def whole(self) -> bool:
        """Whether every entry was played again and came out the same, and nothing had to be believed."""
        return self.refereed == self.entries and not (self.rewritten or self.faded or self.believed)
