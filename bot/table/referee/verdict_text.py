"""A verdict in words."""

from __future__ import annotations

from collections.abc import Sequence

from bot.table.referee.checks import Verdict, spans
from bot.version import rules_version
from rules.wording import possessive, times

MAX_NAMED = 20
"""Entries that are named in one line."""


def verdict_lines(verdict: Verdict) -> list[str]:
    """Return what was checked, what people decided, and what could not be checked."""
    lines = [
        f"{verdict.encounter}: {times(verdict.entries, 'entry', 'entries')}, {times(verdict.rolls, 'roll')}, "
        f"{times(verdict.faces, 'die face')}.",
        f"Every face that the bot rolled comes from the seed with this SHA-256: {verdict.commitment}.",
    ]
    lines += _words(verdict)
    if verdict.real:
        lines.append(f"Rolled with real dice and entered by hand: {times(verdict.real, 'die face')}.")
    lines += _refereed(verdict)
    lines += _gone(verdict)
    lines += _decided(verdict)
    lines += [
        f"According to the file, {name} could manage the channel at the time of {_entries(found)}."
        for name, found in verdict.managing
    ]
    lines += _record_code_lines(verdict)
    return lines


def _words(verdict: Verdict) -> list[str]:
    """Return who added phrases for the dice, in order, and whose never counted."""
    names = [name for name, opened in verdict.words if opened]
    lines = [f"Secret phrases for the dice came from {', '.join(names)}, in this order."] if names else []
    if len(names) == 1:
        lines = [f"The only secret phrase for the dice came from {names[0]}."]
    return lines + [
        f"{possessive(name)} phrase was never revealed." for name, opened in verdict.words if not opened
    ]


def _refereed(verdict: Verdict) -> list[str]:
    several = len(verdict.versions) > 1
    versions = f"{'versions' if several else 'version'} {' and '.join(verdict.versions)}"
    if verdict.refereed == verdict.entries:
        same = set(verdict.versions) == {rules_version()}
        others = "" if same else f" The game was played with {versions}."
        return [f"Replayed with version {rules_version()}: every entry follows from the rules.{others}"]
    so_far = f"Replayed up to entry {verdict.refereed}: every entry up to there follows from the rules."
    return [
        so_far if verdict.refereed else "The game can't be replayed from its start.",
        f"Entry {verdict.refereed + 1} can't be replayed with version {rules_version()}: {verdict.undecided}",
        f"The game was played with {versions}. Use {'those versions' if several else 'that version'} to "
        "check the rest.",
        "In all other entries, the dice come from the seed and the changes fit together.",
    ]


def _record_code_lines(verdict: Verdict) -> list[str]:
    """Return which entries the given heads confirm, and by how many letters."""
    if not verdict.heads:
        return [
            "Add the record codes that you copied from /dice show (--head CODE). Without a record code, no "
            "one can tell whether this file shows the game that you played."
        ]
    found = _places(verdict.held)
    given = "Your record code matches" if verdict.heads == 1 else f"Your {verdict.heads} record codes match"
    loose = sorted(set(range(1, verdict.entries + 1)) - set(found))
    seen = "This entry is as you saw it." if len(found) == 1 else "These entries are as you saw them."
    lines = [f"{given} {_runs(found)}. {seen}" if found else f"{given} no entry."]
    if loose == [verdict.entries]:
        lines.append(f"No record code covers the end ({_runs(loose)}). Add the code from after the game.")
    elif loose:
        lines.append(f"No record code covers {_runs(loose)}, so this part could be forged.")
    short = sorted(set(found) - set(_places(verdict.surely_held)))
    if short:
        lines.append(
            f"Only short record codes cover {_runs(short)}. Someone could forge a game with the same short "
            "codes, but not with the full code from /dice show."
        )
    return lines


def _places(spans: Sequence[tuple[int, int]]) -> list[int]:
    return [place for first, last in spans for place in range(first, last + 1)]


def _runs(found: Sequence[int]) -> str:
    runs = [str(first) if first == last else f"{first} to {last}" for first, last in spans(found)]
    return f"{'entry' if len(found) == 1 else 'entries'} {', '.join(runs)}"


def _gone(verdict: Verdict) -> list[str]:
    """Return lines about what can no longer be checked because a person's name was deleted."""
    lines = []
    if verdict.rewritten:
        lines.append(
            f"A name was removed from {_entries(verdict.rewritten)}, so only the entries before and after "
            "can be checked."
        )
    if verdict.faded:
        lines.append(
            f"The text of {_entries(verdict.faded)} can't be compared because it names "
            "a person whose name was deleted."
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
