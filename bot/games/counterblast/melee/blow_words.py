"""Blows as people type them: Sally>Underling 2, Sally>Smap 1, Angus>Smap with Tentacle at 1.

Finds who and what is meant; how the dice that were left out are shared is in `blows`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from bot.actions import numbered
from bot.games.counterblast.core.common import named, settings
from bot.games.counterblast.core.fields import FIRST, melee_arm
from bot.table.act import Act
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.fighter import Fighter

MOST_BLOWS = 12
HOW = "Write blows as in: Sally>Smap 2, Sally>Wanda 1, Angus>Smap"

_GAP = re.compile(r"\s+at\s+(\d{1,2}(?:\.\d)?)$", re.IGNORECASE)
_ARM = re.compile(r"\s+with\s+(.+)$", re.IGNORECASE)
_DICE = re.compile(r"\s+x?(\d{1,2})$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TypedBlow:
    """One attacker at one defender as it was typed. dice: 0 where they were left out. weapon: its number."""

    attacker: Fighter
    defender: Fighter
    dice: int = 0
    weapon: int = FIRST
    tenths: int = 0

    @property
    def words(self) -> str:
        """The same as it is typed, by numbers."""
        dice = f" x{self.dice}" if self.dice else ""
        arm = f" with @{self.weapon}" if self.weapon else ""
        gap = f" at {self.tenths / 10:g}" if self.tenths else ""
        return f"{numbered(self.attacker.id)}>{numbered(self.defender.id)}{dice}{arm}{gap}"


def read_blows(act: Act, text: str) -> tuple[TypedBlow, ...]:
    """The blows that were typed. Raises InvalidInput, Forbidden."""
    parts = [part for part in (part.strip() for part in re.split(r"[,;\n]", text)) if part]
    if not parts:
        raise InvalidInput(f"{HOW}.")
    if len(parts) > MOST_BLOWS:
        raise InvalidInput(f"At most {MOST_BLOWS} blows in one melee.")
    read = [_read(act, part) for part in parts]
    _require_clear(act, parts, read)
    pairs = [(one.attacker.id, one.defender.id) for one in read]
    if len(set(pairs)) < len(pairs):
        raise InvalidInput("Name each pair of models once.")
    return tuple(read)


def _require_clear(act: Act, parts: list[str], read: list[TypedBlow]) -> None:
    """Refuse a number that may be dice or the end of a name, where an attacker shares its dice."""
    attackers = [one.attacker.id for one in read]
    pairs = {(one.attacker.id, one.defender.id) for one in read}
    for part, one in zip(parts, read, strict=True):
        text = _cut(_cut(part.partition(">")[2].strip(), _GAP)[0], _ARM)[0]
        other = other_reading(act, text) if not one.dice and attackers.count(one.attacker.id) > 1 else None
        if other is not None and (one.attacker.id, other[0].id) not in pairs:
            raise_unclear(act, one.defender.id, *other)


def raise_unclear(act: Act, model: int, other: Fighter, dice: int) -> None:
    """Ask whether a number is the end of a name or dice at somebody else. Raises InvalidInput."""
    name = act.encounter.model(model).name
    raise InvalidInput(
        f"{name}: the model, or {dice} dice at {other.name}? "
        f"Write {other.name} x{dice} for the dice, #{model} for the model."
    )


def _read(act: Act, part: str) -> TypedBlow:
    attacker_text, arrow, rest = part.partition(">")
    if not arrow:
        raise InvalidInput(f"{HOW}.")
    attacker = named(act, attacker_text.strip(" -"))
    rest, gap = _cut(rest.strip(), _GAP)
    rest, arm = _cut(rest, _ARM)
    if not gap:
        rest, gap = _cut(rest, _GAP)
    defender, dice = named_with_dice(act, rest)
    if dice == 0:
        raise InvalidInput("An attack needs at least one die.")
    weapon = melee_arm(attacker, arm, settings(act))
    return TypedBlow(attacker, defender, dice or 0, weapon, round(float(gap) * 10) if gap else 0)


def other_reading(act: Act, text: str) -> tuple[Fighter, int] | None:
    """Who else is meant, and with how many dice, where a name's number may be dice; None if that is clear."""
    short, number = _cut(text, _DICE)
    if not number or text.casefold().endswith(f"x{number}"):
        return None
    other = _unless_refused(lambda: named(act, short))
    return (other, int(number)) if other is not None else None


def _cut(text: str, mark: re.Pattern[str]) -> tuple[str, str]:
    found = mark.search(text)
    return (text[: found.start()], found[1]) if found else (text, "")


def named_with_dice(act: Act, text: str) -> tuple[Fighter, int | None]:
    """Whom, and with how many dice. A number that belongs to a name is part of the name."""
    short, dice = _cut(text, _DICE)
    if not dice:
        return named(act, text), None
    whole = _unless_refused(lambda: named(act, text))
    if whole is not None and not text.casefold().endswith(f"x{dice}"):
        return whole, None
    return named(act, short), int(dice)


def _unless_refused(find: Callable[[], Fighter]) -> Fighter | None:
    try:
        return find()
    except InvalidInput:
        return None
