"""A verdict in words, for whoever asked for it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.table.referee.checks import Verdict, spans
from bot.version import rules_version
from rules.wording import possessive

MAX_NAMED = 20
"""Entries that are named in one line."""


def told(verdict: Verdict) -> list[str]:
    """What was checked, what people decided, and what could not be checked."""
    lines = [
        f"{verdict.encounter}: {verdict.entries} entries, {verdict.rolls} rolls, {verdict.faces} faces.",
        f"Every face comes from the seed whose SHA-256 is {verdict.commitment}.",
    ]
    lines += _words(verdict)
    if verdict.real:
        lines.append(f"{verdict.real} faces were thrown at the table and typed in.")
    lines += _refereed(verdict)
    lines += _gone(verdict)
    lines += _decided(verdict)
    lines += [
        f"{name} asked as one who manages the channel, so the file says, in {_entries(found)}."
        for name, found in verdict.managing
    ]
    lines += _held(verdict)
    return lines


def _words(verdict: Verdict) -> list[str]:
    """Who gave words for the dice, whose were the last, and whose never counted."""
    names = [name for name, opened in verdict.words if opened]
    lines = [f"Words for the dice came from {', '.join(names)}, in this order."] if names else []
    return lines + [
        f"{possessive(name)} words were never opened." for name, opened in verdict.words if not opened
    ]


def _refereed(verdict: Verdict) -> list[str]:
    versions = " and ".join(verdict.versions)
    if verdict.refereed == verdict.entries:
        others = "" if set(verdict.versions) == {rules_version()} else f" It was played under {versions}."
        return [f"Played again by {rules_version()}: every entry follows from the rules.{others}"]
    so_far = f"Played again up to entry {verdict.refereed}: so far every entry follows from the rules."
    return [
        so_far if verdict.refereed else "It cannot be played again from its start.",
        f"Entry {verdict.refereed + 1} can't be replayed with {rules_version()}: {verdict.undecided}",
        f"The game was played under {versions}: that version can say more.",
        "Dice, chain and changes of the rest fit together.",
    ]


def _held(verdict: Verdict) -> list[str]:
    """Which entries the heads hold that were given, and by how many letters."""
    if not verdict.heads:
        return [
            "No head from the channel was given (--head): whoever made the file may have made up the game."
        ]
    found = _places(verdict.held)
    given = "The head given holds" if verdict.heads == 1 else f"The {verdict.heads} heads given hold"
    loose = sorted(set(range(1, verdict.entries + 1)) - set(found))
    lines = [f"{given} {_runs(found)}: so it stood in the channel." if found else f"{given} no entry."]
    if loose == [verdict.entries]:
        lines.append(f"No head given holds the ending, {_runs(loose)}: the last one of the panel does.")
    elif loose:
        lines.append(f"No head given holds {_runs(loose)}: whoever made the file may have made that up.")
    short = sorted(set(found) - set(_places(verdict.surely_held)))
    if short:
        lines.append(
            f"Only short check codes cover {_runs(short)}. Someone could forge a game with the same short "
            "codes, but not with the full code from the start of a turn."
        )
    return lines


def _places(spans: Sequence[tuple[int, int]]) -> list[int]:
    return [place for first, last in spans for place in range(first, last + 1)]


def _runs(found: Sequence[int]) -> str:
    """Places as runs: "entries 1 to 4, 7"."""
    runs = [str(first) if first == last else f"{first} to {last}" for first, last in spans(found)]
    return f"{'entry' if len(found) == 1 else 'entries'} {', '.join(runs)}"


def _gone(verdict: Verdict) -> list[str]:
    """What can no longer be checked, since somebody asked not to be kept any more."""
    lines = []
    if verdict.rewritten:
        lines.append(
            f"A name was taken out of {_entries(verdict.rewritten)}: what was hashed there cannot be checked "
            "any more, only that the entries before and after fit."
        )
    if verdict.faded:
        lines.append(
            f"The words of {_entries(verdict.faded)} cannot be compared: they name somebody who is gone."
        )
    return lines


def _entries(found: Sequence[int]) -> str:
    shown = ", ".join(str(one) for one in found[:MAX_NAMED])
    more = f" and {len(found) - MAX_NAMED} more" if len(found) > MAX_NAMED else ""
    return f"{'entry' if len(found) == 1 else 'entries'} {shown}{more}"


def _decided(verdict: Verdict) -> list[str]:
    if not verdict.decided:
        return []
    return ["What people decided:"] + [
        f"  entry {one.entry}, {one.who}, {one.kind}: {one.words}" for one in verdict.decided
    ]
