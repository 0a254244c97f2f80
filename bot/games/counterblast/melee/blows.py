"""Blows as people type them: Sally>Underling 2, Sally>Smap 1, Angus>Smap with Tentacle at 1."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from bot.games.counterblast.core.arms import FIRST, arm_of, melee_arm, number_of
from bot.games.counterblast.core.common import named, settings
from bot.games.counterblast.melee.melees import Melee, Pairing, flat, prepared
from bot.table.act import Act
from rules.refusals import Forbidden, InvalidInput, allows
from rules.systems.counterblast.core.allotment import even_shares
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.melee.arming import best, fit_weapons, harm
from rules.systems.counterblast.melee.blows import PreparedBlow
from rules.systems.counterblast.melee.fighting import attack_pool

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
        other = other_reading(act, text) if not one.dice and attackers.count(one.attacker) > 1 else None
        if other is not None and (one.attacker, other[0].id) not in pairs:
            raise_unclear(act, one.defender, *other)


def raise_unclear(act: Act, model: int, other: Fighter, dice: int) -> None:
    """Ask whether a number is the end of a name or dice at somebody else. Raises InvalidInput."""
    name = act.encounter.model(model).name
    raise InvalidInput(
        f"{name}: the model, or {dice} dice at {other.name}? "
        f"Write {other.name} x{dice} for the dice, #{model} for the model."
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
    defender, dice = named_with_dice(act, rest)
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


def _shared(act: Act, pairings: list[Pairing], given: list[bool]) -> tuple[Pairing, ...]:
    """Every attacker has one weapon; its dice that were not typed are shared evenly among its other blows."""
    shared = list(pairings)
    for number in dict.fromkeys(one.attacker for one in pairings):
        own = [place for place, one in enumerate(pairings) if one.attacker == number]
        fighter = named(act, f"#{number}")
        arms = {pairings[place].weapon for place in own} - {FIRST}
        if len(arms) > 1:
            raise Forbidden(f"{fighter.name} attacks with one weapon at a time.", "CB-FIGHT-01")
        if len(own) > 1:
            arm = arms.pop() if arms else _best_arm(act, shared, own, given, fighter)
            shared = _with_arm(act, shared, own, given, fighter, arm)
    return tuple(shared)


def _with_arm(
    act: Act, pairings: list[Pairing], own: list[int], given: list[bool], fighter: Fighter, arm: int
) -> list[Pairing]:
    """The blows of one attacker with a weapon, and the shares of the dice that it has with it."""
    armed = [replace(one, weapon=arm) if place in own else one for place, one in enumerate(pairings)]
    open_places = [place for place in own if not given[place]]
    pool = attack_pool(fighter, arm_of(fighter, arm, settings(act)), settings(act))
    left = pool.available - sum(pairings[place].dice for place in own if given[place])
    if open_places and left < len(open_places):
        raise Forbidden(
            f"{fighter.name} has {pool.available} dice: too few for {len(own)} blows.", "CB-FIGHT-02"
        )
    for place, dice in zip(open_places, even_shares(left, len(open_places)), strict=True):
        armed[place] = replace(armed[place], dice=dice)
    return armed


def _best_arm(act: Act, pairings: list[Pairing], own: list[int], given: list[bool], fighter: Fighter) -> int:
    """The weapon that serves an attacker best in all its blows together. Rules: CB-FIGHT-01."""
    weapons = fit_weapons(fighter)
    if settings(act).melee_weapon == "first":
        return number_of(fighter, weapons[0])

    def struck(weapon: Weapon) -> list[PreparedBlow]:
        tried = _with_arm(act, pairings, own, given, fighter, number_of(fighter, weapon))
        ready = prepared(act, Melee(pairs=flat(tried)), must_be_engaged=False).blows
        return [ready[place] for place in own]

    return number_of(
        fighter, best(weapons, lambda weapon: harm(struck(weapon)) if allows(struck, weapon) else None)
    )
