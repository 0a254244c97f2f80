"""Whose dice are to be thrown, in words for the players who throw real ones; knows no action."""

from __future__ import annotations

from collections.abc import Sequence

from bot.table.rolling.throws import Cast, Throw, Whose, cast_of, each
from rules.dice import Compared, Die, Entry, Heading, Thrown
from rules.systems.counterblast.core import checks
from rules.wording import possessive

SAVES = ("shield", "tough")
"""How the labels of dice begin that stop wounds."""


def at(striker: str, struck: str, beside: str = "", attack: Cast | None = None) -> Cast:
    """Who throws in one attack: the striker its attack and damage, who is struck its defence and shields.

    beside: whom the dice that stray seek, who throws the shields against them. attack: for the first dice,
    where they are more than its attack. Rules: CB-SHOOT-10.
    """

    def owner(throw: Throw) -> Whose:
        what = _plain(throw.label)
        if what in SAVES:
            return Whose(beside if _strayed(throw.before) else struck, what, f"against {striker}")
        if what == "defence":
            return Whose(struck, what, f"against {striker}")
        if what == "escape":
            return Whose(struck, what, f"from {possessive(striker)} attack")
        if what == "stray":
            return Whose(striker, "dice that stray", f"to {beside}")
        return attack(throw) if attack and what == "attack" else Whose(striker, what, f"at {struck}")

    return owner


def harmed(struck: str, source: str) -> Cast:
    """Who throws when something hits by itself: whoever is struck, and what it does to it."""

    def owner(throw: Throw) -> Whose:
        what = _plain(throw.label)
        return Whose(struck, what, f"against {source}" if what in SAVES else f"in {source}")

    return owner


def crashed(mover: str, struck: Sequence[str], what: str) -> Cast:
    """Who throws when one falls or runs into others: the dice on it, then those on each that it strikes."""
    first = Whose(mover, what, "on itself")
    return each(first, *(Whose(one, "hit", f"by {possessive(mover)} {what}") for one in struck))


def labelled(first: Whose | Cast, **others: Whose | Cast) -> Cast:
    """One cast for each label of the rule; the first for those that are not named."""

    def owner(throw: Throw) -> Whose:
        return cast_of(others.get(_plain(throw.label).replace(" ", "_"), first))(throw)

    return owner


def together(what: str, against: str, throws: Sequence[checks.Throw], names: Sequence[str]) -> Cast:
    """Who throws in one check of several: those whose dice are alike throw them together.

    throws and names: of each who takes part, in order. Rules: CB-ACT-08.
    """
    dice = [checks.plain_die(one) for one in throws]

    def owner(throw: Throw) -> Whose:
        alike = [_worth(throw.die) == _worth(die) for die in dice]
        mine = [place for place, same in enumerate(alike) if same] or range(len(names))
        pools = [f"{names[place]} {throws[place].pool}" for place in mine]
        by = " and ".join(names[place] for place in mine)
        shares = ", ".join(pools) if len(pools) > 1 and not throw.wave else ""
        return Whose(by, what, against, bound=" and ".join(names), shares=shares)

    return owner


def _worth(die: Die | None) -> tuple[int, list[str]]:
    """What dice have in common that are thrown at once: what is added to them, and what each face does."""
    return (die.shift, [facet.word for facet in die.facets]) if die else (0, [])


def one_by_one(what: str, against: str, names: Sequence[str]) -> Cast:
    """Who throws in one check of several whose dice are thrown apart, each in turn. Rules: CB-SHOOT-10."""

    def owner(throw: Throw) -> Whose:
        begun = sum(isinstance(one, Heading) and one.label.strip() == "together" for one in throw.before)
        return Whose(names[max(0, begun - 1)], what, against)

    return owner


def rolled_off(names: Sequence[str], what: str, against: str) -> Cast:
    """Who throws when all throw and who is equal throws again, each group by itself, the higher one first."""

    def owner(throw: Throw) -> Whose:
        groups = [list(range(len(names)))]
        for entry in throw.before:
            if isinstance(entry, Compared):
                shown = dict(zip(groups.pop(0), (faces[0] for _, faces in entry.hands), strict=True))
                equal = [[one for one in shown if shown[one] == face] for face in set(shown.values())]
                groups[:0] = sorted((one for one in equal if len(one) > 1), key=lambda one: -shown[one[0]])
        if throw.label != "roll-off":
            return Whose(" and ".join(names), throw.label, against)
        return Whose(names[groups[0][throw.hand]], what, against)

    return owner


def _plain(label: str) -> str:
    """The label without how it is thrown: attack of "attack, lower of two"."""
    return label.partition(",")[0]


def _strayed(before: Sequence[Entry]) -> bool:
    return any(isinstance(one, Thrown | Compared) and one.label.startswith("stray") for one in before)
