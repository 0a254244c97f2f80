"""Blows as people type them: Sally>Underling 2, Sally>Smap 1, Angus>Smap with Tentacle at 1."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from bot.games.counterblast.arms import arm_of, melee_arm
from bot.games.counterblast.common import named, settings
from bot.games.counterblast.melees import Pairing
from bot.table.act import Act
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.allotment import even_shares
from rules.systems.counterblast.fighter import Fighter
from rules.systems.counterblast.fighting import attack_pool

MOST_BLOWS = 12
HOW = "Write blows as in: Sally>Smap 2, Sally>Wanda 1, Angus>Smap"

_GAP = re.compile(r"\s+at\s+(\d{1,2}(?:\.\d)?)$", re.IGNORECASE)
_ARM = re.compile(r"\s+with\s+(.+)$", re.IGNORECASE)
_DICE = re.compile(r"\s+x?(\d{1,2})$", re.IGNORECASE)


def read_blows(act: Act, text: str) -> tuple[Pairing, ...]:
    """The blows that were typed, dice that were left out shared evenly. Raises InvalidInput, Forbidden."""
    parts = [part for part in (part.strip() for part in re.split(r"[,;\n]", text)) if part]
    if not parts:
        raise InvalidInput(f"{HOW}.")
    if len(parts) > MOST_BLOWS:
        raise InvalidInput(f"At most {MOST_BLOWS} blows in one melee.")
    read = [_read(act, part) for part in parts]
    _require_clear(act, parts, [one for one, _ in read])
    pairs = [(one.attacker, one.defender) for one, _ in read]
    if len(set(pairs)) < len(pairs):
        raise InvalidInput("Name each pair of models once.")
    return _shared(act, [one for one, _ in read], [given for _, given in read])


def _require_clear(act: Act, parts: list[str], read: list[Pairing]) -> None:
    """Refuse a number that may be dice or the end of a name, where an attacker shares its dice."""
    attackers = [one.attacker for one in read]
    pairs = {(one.attacker, one.defender) for one in read}
    for part, one in zip(parts, read, strict=True):
        text = _cut(_cut(part.partition(">")[2].strip(), _GAP)[0], _ARM)[0]
        short, number = _cut(text, _DICE)
        named_so = number and not text.casefold().endswith(f"x{number}") and not one.dice
        if not named_so or attackers.count(one.attacker) < 2:
            continue
        other = _unless_refused(lambda short=short: named(act, short))  # type: ignore[misc]
        if other is not None and (one.attacker, other.id) not in pairs:
            name = act.encounter.model(one.defender).name
            raise InvalidInput(
                f"{name}: the model, or {number} dice at {other.name}? "
                f"Write {other.name} x{number} for the dice, #{one.defender} for the model."
            )


def _read(act: Act, part: str) -> tuple[Pairing, bool]:
    """One blow, and whether its dice were given."""
    attacker_text, arrow, rest = part.partition(">")
    if not arrow:
        raise InvalidInput(f"{HOW}.")
    attacker = named(act, attacker_text.strip(" -"))
    rest, gap = _cut(rest.strip(), _GAP)
    rest, arm = _cut(rest, _ARM)
    if not gap:
        rest, gap = _cut(rest, _GAP)
    defender, dice = _target(act, rest)
    if dice == 0:
        raise InvalidInput("An attack needs at least one die.")
    pairing = Pairing(
        attacker.id,
        defender.id,
        dice or 0,
        melee_arm(attacker, arm, settings(act)),
        round(float(gap) * 10) if gap else 0,
    )
    return pairing, dice is not None


def _cut(text: str, mark: re.Pattern[str]) -> tuple[str, str]:
    found = mark.search(text)
    return (text[: found.start()], found[1]) if found else (text, "")


def _target(act: Act, text: str) -> tuple[Fighter, int | None]:
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


def _shared(act: Act, pairings: list[Pairing], given: list[bool]) -> tuple[Pairing, ...]:
    """Dice of an attacker that were not typed are shared evenly among its blows without a number."""
    shared = list(pairings)
    for number in dict.fromkeys(one.attacker for one in pairings):
        own = [place for place, one in enumerate(pairings) if one.attacker == number]
        open_places = [place for place in own if not given[place]]
        if len({pairings[place].weapon for place in own}) > 1:
            name = named(act, f"#{number}").name
            raise Forbidden(f"{name} attacks with one weapon at a time.", "CB-FIGHT-01")
        if len(own) == 1 or not open_places:
            continue
        fighter = named(act, f"#{number}")
        pool = attack_pool(fighter, arm_of(fighter, pairings[own[0]].weapon, settings(act)), settings(act))
        left = pool.available - sum(pairings[place].dice for place in own)
        if left < len(open_places):
            raise Forbidden(
                f"{fighter.name} has {pool.available} dice: too few for {len(own)} blows.", "CB-FIGHT-02"
            )
        for place, dice in zip(open_places, even_shares(left, len(open_places)), strict=True):
            shared[place] = replace(shared[place], dice=dice)
    return tuple(shared)
