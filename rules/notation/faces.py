"""The faces of a rolled dice expression in short lines for players.

Reads a `Roller`'s trace together with the expression that made it; decides nothing about the result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from textwrap import wrap

from rules.dice import Compared, Entry, Thrown
from rules.notation.nodes import MAX_CHAIN, Expression, Term, Versus, iterate_noted_terms
from rules.notation.throwing import EXPLODED_LABEL, REROLLED_LABEL

COLUMNS = 38
"""Width that a phone shows without breaking lines."""

MANY = 24
"""From this many dice on, equal faces are shown once with their number."""

TOGETHER = "\N{NO-BREAK SPACE}"
"""Stands for a space at which no line breaks."""

Chain = list[tuple[int, str]]
"""The faces of one die in the order thrown, each with why it was: "", "again" or "explodes"."""

Item = tuple[int, str]
"""A die's worth, and its faces in words."""


def lines(expression: Expression, trace: Sequence[Entry]) -> tuple[str, ...]:
    """Return the faces of every throw, one throw after another, in lines of at most `COLUMNS` characters.

    trace: of the `Roller` that evaluated this expression and nothing else. Dropped dice and faces that were
    thrown again stand between ~~ and ~~ and are named; throws are named where there is more than one.
    """
    rolls = [roll for roll in expression.rolls for _ in range(roll.times)]
    throws = [
        (number, term, note, roll.test if isinstance(roll.test, Versus) else None)
        for number, roll in enumerate(rolls, 1)
        for term, note in iterate_noted_terms(roll.test)
    ]
    several = any(sum(1 for _ in iterate_noted_terms(roll.test)) > 1 for roll in rolls)
    texts: list[str] = []
    for (number, term, note, target), entries in zip(
        throws, _throws(trace, [term for _, term, _, _ in throws]), strict=True
    ):
        name = f"{number})" if len(rolls) > 1 else ""
        if several or expression.also:
            name += f" {_term_with_note(term, note)}:"
        elif note:
            name += f" {note}:"
        text = f"{name} {_throw(term, _chains(term, entries), target)}".strip()
        texts += wrap(text, COLUMNS, subsequent_indent="  ", break_on_hyphens=False)
    return tuple(line.replace(TOGETHER, " ") for line in texts)


def _term_with_note(term: Term, note: str) -> str:
    return f"{term} {note}" if note else str(term)


def _throws(trace: Iterable[Entry], throws: Sequence[Term]) -> list[list[Thrown | Compared]]:
    """Return the entries of each throw: the first, or one for each die, and those of its later waves."""
    groups: list[list[Thrown | Compared]] = []
    for entry in trace:
        if isinstance(entry, Thrown | Compared):
            term = throws[len(groups) - 1] if groups else None
            die = term is not None and term.chained and len(groups[-1]) < term.count
            if groups and (die or entry.label.endswith((REROLLED_LABEL, EXPLODED_LABEL))):
                groups[-1].append(entry)
            else:
                groups.append([entry])
    return groups


def _chains(term: Term, entries: Sequence[Thrown | Compared]) -> list[Chain]:
    """Return every die with the dice that followed it; later waves belong to the dice that earned them."""
    if term.chained and len(entries) > 1:
        return [chain for entry in entries for chain in _chains(term, [entry])]
    first = _waves(entries[0])[0]
    chains: list[Chain] = [[] for _ in first]
    order = list(range(len(first)))
    for entry in entries:
        if entry.label.endswith(REROLLED_LABEL):
            order = [place for place in range(len(chains)) if _again(term, chains[place])]
        elif entry.label.endswith(EXPLODED_LABEL):
            order = [place for place in range(len(chains)) if _explodes(term, chains[place])]
        for number, wave in enumerate(_waves(entry)):
            if number:
                order = [p for p in order if _again(term, chains[p]) or _explodes(term, chains[p])]
            for place, face in zip(order, wave, strict=True):
                chain = chains[place]
                chain.append((face, ("again" if _again(term, chain) else "explodes") if chain else ""))
    return chains


def _waves(entry: Thrown | Compared) -> tuple[tuple[int, ...], ...]:
    return entry.waves if isinstance(entry, Thrown) else (entry.hands[0][1],)


def _again(term: Term, chain: Chain) -> bool:
    """Return whether the die was just thrown for the first time and is to be thrown again."""
    if term.reroll is None or len(chain) > (MAX_CHAIN if term.until else 1):
        return False
    if term.apart and _earned(chain):
        return False
    return term.worth(chain[-1][0]) in term.reroll


def _earned(chain: Chain) -> bool:
    """Return whether a die of the chain was thrown because another exploded."""
    return any(reason == "explodes" for _, reason in chain)


def _explodes(term: Term, chain: Chain) -> bool:
    """Return whether the last face of the die explodes."""
    explode = term.explode
    if explode is None or _again(term, chain) or (term.once and _earned(chain)):
        return False
    return term.worth(chain[-1][0]) in explode


def _throw(term: Term, chains: Sequence[Chain], versus: Versus | None) -> str:
    stay, dropped = _split_by_keep(term, _items(term, chains))
    dropped_text = "; dropped " + _list((0, f"~~{text}~~") for _, text in dropped) if dropped else ""
    if term.counting or term.failing:
        upward = versus is not None or term.counting is None or term.counting.upward
        yes, no = ("success", "miss") if upward or term.failing else ("counted", "not")
        parts = [
            f"{word} {_list(item for item in stay if term.judged(item[0]) == hit)}"
            for word, hit in (("double", 2), (yes, 1), (no, 0), ("failure", -1))
            if any(term.judged(item[0]) == hit for item in stay)
        ]
        return "; ".join(parts) + dropped_text
    single = len(stay) == 1 and stay[0][1].isdigit()
    result = "" if single else f" ={TOGETHER}{sum(value for value, _ in stay)}"
    return _list(stay) + result + dropped_text


def _items(term: Term, chains: Sequence[Chain]) -> list[Item]:
    if term.chained:
        return [_chained(term, chain) for chain in chains]
    if term.counting or term.failing or term.apart:
        return [item for chain in chains for item in _single(term, chain)]
    return [_chain_item(term, chain) for chain in chains]


def _chained(term: Term, chain: Chain) -> Item:
    stripped = replace(term, counting=None, failing=None, double=None, only=None, each=0)
    value, text = _chain_item(stripped, chain)
    if term.each or (len(chain) > 1 and not term.keep):
        text += f"->{value + term.each}"
    value += term.each
    if term.only and value not in term.only:
        return 0, f"~~{text}~~"
    return value, text


def _split_by_keep(term: Term, items: list[Item]) -> tuple[list[Item], list[Item]]:
    if not term.keep:
        return items, []
    ranked = sorted(range(len(items)), key=lambda place: items[place][0], reverse=not term.keep.lowest)
    places = set(ranked[term.keep.skip : term.keep.skip + term.keep.count])
    stay = [item for place, item in enumerate(items) if place in places]
    return stay, [item for place, item in enumerate(items) if place not in places]


def _chain_item(term: Term, chain: Chain) -> Item:
    value = last = 0
    words: list[str] = []
    for face, reason in chain:
        if reason == "again":
            value -= last
            words[-1] = f"~~{words[-1]}~~ re-rolled"
        elif reason:
            words.append("explodes")
        bonus = reason == "explodes"
        last = term.adds(face, bonus=bonus) if term.only else term.value(face, bonus=bonus)
        value += last
        words.append(_face(term, face, bonus=bonus))
    return value, " ".join(words)


def _single(term: Term, chain: Chain) -> list[Item]:
    items: list[Item] = []
    for face, reason in chain:
        text = _face(term, face, bonus=reason == "explodes")
        if reason == "again":
            *earlier, replaced = items.pop()[1].split(" re-rolled ")
            text = " re-rolled ".join((*earlier, f"~~{replaced}~~", text))
        elif reason:
            text = f"extra {text}"
        items.append((term.value(face, bonus=reason == "explodes"), text))
    return items


def _face(term: Term, face: int, *, bonus: bool = False) -> str:
    shown, value = term.worth(face), term.value(face, bonus=bonus)
    text = {-1: "-", 0: "0", 1: "+"}[shown] if term.fate else str(shown)
    text = f"{text}->{value}" if value != shown else text
    return f"~~{text}~~" if term.only and value not in term.only else text


def _list(items: Iterable[Item]) -> str:
    """Return dice in words, in the order thrown; if there are many, the best first and equal ones
    together.
    """
    listed = [
        (value, text.replace(" ", TOGETHER) if len(text) < COLUMNS - 4 else text) for value, text in items
    ]
    if len(listed) <= MANY:
        return ", ".join(text for _, text in listed)
    counted = Counter(sorted(listed, key=lambda item: -item[0]))
    return ", ".join(f"{text}{TOGETHER}x{n}" if n > 1 else text for (_, text), n in counted.items())
