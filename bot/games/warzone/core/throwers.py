"""Whose dice are to be thrown, in words for the players who throw real ones; knows no action."""

from __future__ import annotations

from collections.abc import Sequence

from bot.table.rolling.throws import Cast, Throw, Whose, counted
from rules.dice import Compared, Heading
from rules.wording import possessive

LD_TESTS = ("leadership", "avoid")
"""The labels of LD tests that a rule makes on the way to something else."""


def at(attacker: str, target: str, weapon: str) -> Cast:
    """Who throws in one attack: the attacker its weapon, who is hit its armour and what breaks."""

    def of(throw: Throw) -> Whose:
        if throw.label.startswith("armour"):
            return Whose(target, throw.label, f"against {possessive(attacker)} {weapon}")
        if throw.label == "attack":
            return Whose(attacker, weapon, f"at {target}")
        return Whose(target, throw.label, f"after {possessive(attacker)} {weapon}")

    return of


def endured(model: str, cause: str, test: str = "") -> Cast:
    """Who throws where something befalls one model: its LD test, its armour and what breaks.

    cause: what its armour is thrown against; test: what its LD test is for.
    """

    def of(throw: Throw) -> Whose:
        if throw.label in LD_TESTS:
            return Whose(model, "LD test", test)
        return Whose(model, throw.label, f"against {cause}")

    return of


def under(attacker: str, weapon: str, aimed_at: str, models: Sequence[str], place: int = 0) -> Cast:
    """Who throws when a template lands: the attacker, then everybody under it in order.

    place: how many throws of the attacker come before the first save.
    """
    saves = [Whose(name, "armour", f"against {possessive(attacker)} {weapon}") for name in models]

    def of(throw: Throw) -> Whose:
        if throw.label == "armour":
            return counted(*([saves[0]] * place), *saves)(throw)
        what = weapon if throw.label == "attack" else f"{possessive(weapon)} {throw.label}"
        return Whose(attacker, what, f"at {aimed_at}")

    return of


def contested(bases: Sequence[int], whose: Sequence[Whose]) -> Cast:
    """Who throws in a contest of totals: everybody, then those who are tied for the highest.

    bases: what each adds to its die; both in the order in which the rule has them.
    """

    def of(throw: Throw) -> Whose:
        places = list(range(len(bases)))
        for entry in throw.before:
            if isinstance(entry, Compared):
                shown = zip(places, entry.hands, strict=True)
                totals = {place: bases[place] + faces[0] for place, (_, faces) in shown}
                places = [place for place in places if totals[place] == max(totals.values())]
        return whose[places[throw.hand]]

    return of


def opposed(mine: str, foes: Sequence[str], what: str) -> Cast:
    """Who throws when one model opposes several in turn: it and the foe whose turn it is."""

    def of(throw: Throw) -> Whose:
        tests = [one for one in throw.before if isinstance(one, Heading) and one.label == "opposition"]
        foe = foes[min(max(0, len(tests) - 1), len(foes) - 1)]
        if throw.hand == 0:
            return Whose(mine, what, f"against {foe}")
        return Whose(foe, f"hold in the {what}", f"against {mine}")

    return of
