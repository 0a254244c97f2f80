"""Weapon and effect profiles: their fields, the one-line text they are typed in, Severity columns.

Owns the frozen `Weapon`. It decides no attack.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

from rules.refusals import InvalidInput
from rules.systems.fracd_earth.cards import SUITS, Suit

Severity = Literal["VL", "L", "M", "H", "VH"]
Versus = Literal["acts", "body", "mind", "soul", "dp", "de"]

SEVERITIES: tuple[Severity, ...] = get_args(Severity)
VERSUS: tuple[Versus, ...] = get_args(Versus)
ARMOUR: tuple[Versus, ...] = ("dp", "de")
REACHES = (0.0, 0.5, 1.0, 2.0)
MIN_RANGE = 4
MAX_RANGE = 200
MAX_FORCE = 30
MAX_SHIFT = 4
RANKS = ("familiar", "specialist", "expert", "master")

_SUIT_SIGNS: dict[str, Suit] = {"♣": "clubs", "♦": "diamonds", "♥": "hearts", "♠": "spades"}
_RANK = re.compile(r"\[((?:\+ ?){1,3})\]")
_FORCE = re.compile(r"(\d{1,2}) (VL|L|M|H|VH|AON) VS (\w+)")
_SHIFT = re.compile(r"(row|column) ([+-][1-4])")
_FORM = 'Write a weapon like "5 // Rifle // [+] // Range 24 // 3 M vs dp // abilities".'


@dataclass(frozen=True, slots=True)
class Weapon:
    """A weapon or power as a Crew Card shows it.

    `tech` is the Tech Scale 1 to 10, or 0 with a `suit` as Source. `rank` is 0 to 3. Exactly one of
    `reach_inches` (0, 1/2, 1 or 2) and `range_inches` (4 to 200) is set. `force` is 1 to 30; `severity` is
    None for an All or Nothing effect; `versus` is the Attribute or Armour that resists. Raises InvalidInput.
    Rules: FE-WPN-01, FE-WPN-02, FE-WPN-03, FE-WPN-04, FE-DECK-05.
    """

    title: str
    force: int
    severity: Severity | None
    versus: Versus
    tech: int = 0
    suit: Suit = ""
    rank: int = 0
    reach_inches: float | None = None
    range_inches: int | None = None
    abilities: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= len(self.title) <= 40 or "//" in self.title:
            raise InvalidInput("A weapon's title must have 1 to 40 characters.")
        if not 0 <= self.tech <= 10 or bool(self.tech) == bool(self.suit) or self.suit not in SUITS:
            raise InvalidInput("A weapon needs a Tech Scale from 1 to 10 or a suit as its Source.")
        if not 0 <= self.rank <= 3:
            raise InvalidInput('A skill rank must be "-", "[+]", "[+ +]" or "[+ + +]".')
        if (self.reach_inches is None) == (self.range_inches is None):
            raise InvalidInput("A weapon needs either a Reach or a Range.")
        if self.reach_inches is not None and self.reach_inches not in REACHES:
            raise InvalidInput("A Reach must be 0, 1/2, 1 or 2 inches.")
        if self.range_inches is not None and not MIN_RANGE <= self.range_inches <= MAX_RANGE:
            raise InvalidInput(
                f"A Range must be between {MIN_RANGE} and {MAX_RANGE} inches "
                f"(you entered {self.range_inches})."
            )
        if not 1 <= self.force <= MAX_FORCE:
            raise InvalidInput(f"Force must be between 1 and {MAX_FORCE} (you entered {self.force}).")
        if self.severity is not None and self.severity not in SEVERITIES:
            raise InvalidInput("A Severity must be VL, L, M, H, VH or AoN.")
        if self.versus not in VERSUS:
            raise InvalidInput(f"An effect must be resisted by one of {', '.join(VERSUS)}.")
        if len(self.abilities) > 10 or any(not 1 <= len(text) <= 60 for text in self.abilities):
            raise InvalidInput("A weapon can have at most 10 abilities of 1 to 60 characters.")
        if abs(self.row_shift) > MAX_SHIFT or abs(self.column_shift) > MAX_SHIFT:
            raise InvalidInput(f"Abilities can shift rows and columns by at most {MAX_SHIFT}.")

    @property
    def all_or_nothing(self) -> bool:
        """Return whether the effect has no Severity column. Rules: FE-WPN-02."""
        return self.severity is None

    @property
    def by_armour(self) -> bool:
        """Return whether a Protection Check resists it, not a Resistance Check. Rules: FE-WPN-03."""
        return self.versus in ARMOUR

    @property
    def touch(self) -> bool:
        """Return whether it has a Touch effect. Rules: FE-CMB-08."""
        return any(text.casefold() == "touch" for text in self.abilities)

    @property
    def row_shift(self) -> int:
        """Return Effect shifts (rows) of its abilities, written like "row +1". Rules: FE-PRO-04."""
        return self._shift("row")

    @property
    def column_shift(self) -> int:
        """Return Severity columns to the right by abilities, written like "column +1". Rules: FE-PRO-03."""
        return self._shift("column")

    def _shift(self, of: str) -> int:
        matches = (_SHIFT.fullmatch(" ".join(text.casefold().split())) for text in self.abilities)
        return sum(int(match[2]) for match in matches if match is not None and match[1] == of)

    def __str__(self) -> str:
        source = str(self.tech) if self.tech else self.suit
        rank = f"[{' '.join('+' * self.rank)}]" if self.rank else "-"
        if self.range_inches is not None:
            distance = f"Range {self.range_inches}"
        else:
            distance = f"Reach {'1/2' if self.reach_inches == 0.5 else int(self.reach_inches or 0)}"
        effect = f"{self.force} {self.severity or 'AoN'} vs {self.versus}"
        parts = [source, self.title, rank, distance, effect]
        if self.abilities:
            parts.append("; ".join(self.abilities))
        return " // ".join(parts)


def read_weapon(text: str) -> Weapon:
    """Return a weapon typed as one line, as `str` writes it. Raises InvalidInput. Rules: FE-WPN-01."""
    if len(text) > 800:
        raise InvalidInput("Write a weapon as one line of at most 800 characters.")
    parts = [part.strip() for part in text.split("//")]
    if len(parts) not in (5, 6):
        raise InvalidInput(_FORM)
    tech, suit = _source(parts[0])
    reach, distance = _distance(parts[3])
    match = _FORCE.fullmatch(" ".join(parts[4].replace("↔", " vs ").upper().split()))
    if match is None:
        raise InvalidInput(f"{parts[4][:30]!r} is not a Force. {_FORM}")
    versus = next((name for name in VERSUS if name.upper() == match[3]), None)
    if versus is None:
        raise InvalidInput(f'Write one of these after "vs": {", ".join(VERSUS)}.')
    severity = next((name for name in SEVERITIES if name == match[2]), None)
    abilities = tuple(word.strip() for word in parts[5].split(";")) if len(parts) == 6 else ()
    return Weapon(
        parts[1], int(match[1]), severity, versus, tech, suit, read_rank(parts[2]), reach, distance, abilities
    )


def read_rank(text: str) -> int:
    """Return a skill rank, 0 to 3, typed as -, [+], [+ +], [+ + +] or by name. Raises InvalidInput.

    Rules: FE-MOD-01.
    """
    word = text.strip().casefold()
    if word in ("-", "–", "─", ""):
        return 0
    if word in RANKS:
        return RANKS.index(word)
    match = _RANK.fullmatch(word)
    if match is None:
        raise InvalidInput('A skill rank must be "-", "[+]", "[+ +]" or "[+ + +]".')
    return match[1].count("+")


def _source(text: str) -> tuple[int, Suit]:
    suit = _SUIT_SIGNS.get(text) or next((name for name in SUITS if name == text.casefold()), "")
    if suit:
        return 0, suit
    if text.isascii() and text.isdecimal() and len(text) <= 2:
        return int(text), ""
    raise InvalidInput("A weapon needs a Tech Scale from 1 to 10 or a suit as its Source.")


def _distance(text: str) -> tuple[float | None, int | None]:
    kind, _, number = text.replace('"', "").casefold().partition(" ")
    number = number.strip().replace("½", "1/2")
    if kind == "reach" and number in ("0", "1/2", "0.5", "1", "2"):
        return (0.5 if number in ("1/2", "0.5") else float(number)), None
    if kind == "range" and number.isascii() and number.isdecimal() and len(number) <= 3:
        return None, int(number)
    raise InvalidInput("A weapon needs a Reach of 0, 1/2, 1 or 2 inches, or a Range of 4 inches or more.")


def severity_column(base: Severity, shifts: int, *, clamp: bool = True) -> Severity | None:
    """Return the column after shifts: positive to the right, negative to the left.

    Beyond VH it stays at VH; beyond VL at VL, or None (no effect) without `clamp`.
    Rules: FE-PRO-03, FE-PRO-05, FE-OUT-10.
    """
    place = SEVERITIES.index(base) + shifts
    if place < 0 and not clamp:
        return None
    return SEVERITIES[min(max(place, 0), len(SEVERITIES) - 1)]
