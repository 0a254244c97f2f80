"""The effects that an outcome can have on the game, independent of how the game is stored.

A rule system turns outcomes into these values; the table applies them, and the journal records what
changed. Ids are the table's own: models, sides and the encounter are told apart by `Owner`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rules.counters import AnyCounter

Owner = Literal["model", "side", "encounter"]


@dataclass(frozen=True, slots=True)
class Harm:
    """The model takes `amount` wounds, 1 or more."""

    model: int
    amount: int


@dataclass(frozen=True, slots=True)
class Mend:
    """The model gets back `amount` wounds, 1 or more, never more than it lost."""

    model: int
    amount: int


@dataclass(frozen=True, slots=True)
class Gain:
    """The model comes under a condition; `value` is its grade where it has one, `until` names what ends it.

    A condition the model already has is replaced.
    """

    model: int
    condition: str
    value: int = 0
    until: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Lose:
    """The condition on the model ends; nothing happens where it has none."""

    model: int
    condition: str


@dataclass(frozen=True, slots=True)
class Leave:
    """The model is removed from play; `how` is the game's word for it (casualty, fled ...)."""

    model: int
    how: str


@dataclass(frozen=True, slots=True)
class Count:
    """A counter of a model, a side or the encounter changes by `amount`; it is 0 before its first use.

    The encounter's own counters have owner id 0.
    """

    owner: Owner
    id: int
    key: AnyCounter
    amount: int


@dataclass(frozen=True, slots=True)
class Assign:
    """A counter of a model, a side or the encounter is set to `value`."""

    owner: Owner
    id: int
    key: AnyCounter
    value: int


@dataclass(frozen=True, slots=True)
class Propose:
    """Something has to be rolled or decided next: `action` is the command's key, `details` its inputs.

    `model` is the one that does it, or 0; `reason` is a short sentence for the players.
    """

    action: str
    model: int
    reason: str
    details: tuple[tuple[str, int | str], ...] = ()


Effect = Harm | Mend | Gain | Lose | Leave | Count | Assign | Propose
