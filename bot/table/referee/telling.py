"""A verdict in words, for whoever asked for it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.table.referee.verdict import Verdict
from bot.version import rules_version
from rules.wording import possessive

MOST_NAMED = 20
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
    lines.append(
        f"It holds all {verdict.heads} heads given: it is the game that stood in the channel."
        if verdict.heads
        else "No head from the channel was given (--head): whoever made the file may have made up the game."
    )
    return lines


def _words(verdict: Verdict) -> list[str]:
    """Who gave words for the dice, whose were the last, and whose never counted."""
    names = [name for name, opened in verdict.words if opened]
    lines = [f"Words for the dice came from {', '.join(names)}, in this order."] if names else []
    return lines + [
        f"{possessive(name)} words were never opened." for name, opened in verdict.words if not opened
    ]


def _refereed(verdict: Verdict) -> list[str]:
    versions = " and ".join(version or "one that did not say" for version in verdict.versions)
    if verdict.refereed == verdict.entries:
        others = "" if set(verdict.versions) == {rules_version()} else f" It was played under {versions}."
        return [f"Played again by {rules_version()}: every entry follows from the rules.{others}"]
    return [
        f"Played again up to entry {verdict.refereed}: so far every entry follows from the rules.",
        f"Entry {verdict.refereed + 1} does not by {rules_version()}: {verdict.undecided}",
        f"The game was played under {versions}: that version can say more.",
        "Dice, chain and changes of the rest fit together.",
    ]


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
    shown = ", ".join(str(one) for one in found[:MOST_NAMED])
    more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
    return f"{'entry' if len(found) == 1 else 'entries'} {shown}{more}"


def _decided(verdict: Verdict) -> list[str]:
    if not verdict.decided:
        return []
    return ["What people decided:"] + [
        f"  entry {one.entry}, {one.who}, {one.kind}: {one.words}" for one in verdict.decided
    ]
