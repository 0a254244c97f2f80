"""Scoring a game: battle points, the fled, victory points, the result, campaign points.

Owns the counting at the end; the missions' own objective points come in as numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import ceil
from typing import Literal

from rules.modifiers import Modifier, total
from rules.refusals import Missing
from rules.systems.counterblast.core.profile import Profile
from rules.systems.counterblast.core.settings import Settings

How = Literal["casualty", "fled", "reserve", "panicked"]
"""Removed by damage; fled; never entered from reserve; in play but still Panicked at the end."""

HuntKind = Literal[
    "big_game_hunters", "bounty_hunters", "harbingers_of_doom", "masters_of_metal", "witch_hunters"
]


@dataclass(frozen=True, slots=True)
class Loss:
    """A model that counts at the end of the game: its crew's side, its statblock and how it was lost.

    `killer` is the side that struck the killing blow, None without one (own ground, falls). `model` is the
    table's id of it.
    """

    model: int
    side: int
    profile: Profile
    how: How
    killer: int | None = None

    @property
    def level(self) -> int:
        """Return 2 for a Hero, 1 for a Lackey. Rules: CB-STAT-07."""
        return self.profile.level


def scores_for(side: int, loss: Loss, sides: tuple[int, ...]) -> bool:
    """Return whether a side gets the battle points of a loss.

    With two players every casualty of the opponent counts; with more only the one who struck the killing blow
    scores it, and no one if no opponent did. Rules: CB-SCORE-01, CB-SCORE-02.
    """
    if loss.side == side or loss.how != "casualty":
        return False
    return len(sides) == 2 or loss.killer == side


def battle_score(side: int, losses: Iterable[Loss], sides: tuple[int, ...]) -> int:
    """Return the points for opposing casualties: 2 a Hero, 1 a Lackey. Rules: CB-SCORE-01, CB-SCORE-02."""
    return sum(loss.level for loss in losses if scores_for(side, loss, sides))


def fled_score(side: int, losses: Iterable[Loss], settings: Settings) -> int:
    """Return the points for opposing models that fled, stayed in reserve or are still Panicked.

    Half of each opposing crew's level total, rounded down; `settings.fled_score` halves each model or takes
    them in full, `settings.score_panicked_at_end` says whether the Panicked count. Every opponent scores
    them. Rules: CB-SCORE-03, CB-SCORE-04.
    """
    levels: dict[int, list[int]] = {}
    for loss in _list_fled(side, losses, settings):
        levels.setdefault(loss.side, []).append(loss.level)
    if settings.fled_score == "full":
        return sum(map(sum, levels.values()))
    if settings.fled_score == "half_each":
        return sum(level // 2 for crew in levels.values() for level in crew)
    return sum(sum(crew) // 2 for crew in levels.values())


FLED_WORDS: dict[How, str] = {"fled": "fled", "reserve": "in reserve", "panicked": "Panicked"}
"""Words for the models that count with the fled."""


def _list_fled(side: int, losses: Iterable[Loss], settings: Settings) -> list[Loss]:
    return [
        loss
        for loss in losses
        if loss.side != side
        and loss.how in FLED_WORDS
        and (loss.how != "panicked" or settings.score_panicked_at_end)
    ]


def _name_fled(side: int, losses: Iterable[Loss], settings: Settings) -> str:
    ways = {loss.how for loss in _list_fled(side, losses, settings)}
    return " and ".join(words for how, words in FLED_WORDS.items() if how in ways)


_HUNTED: dict[HuntKind, Callable[[Loss], bool]] = {
    "big_game_hunters": lambda loss: loss.how in ("casualty", "fled") and loss.profile.is_beast,
    "bounty_hunters": lambda loss: loss.how == "casualty" and loss.profile.is_hero,
    "harbingers_of_doom": lambda loss: loss.how == "casualty" and loss.profile.is_living,
    "masters_of_metal": lambda loss: (
        loss.how == "casualty" and (loss.profile.is_cyberform or loss.profile.is_robot)
    ),
    "witch_hunters": lambda loss: loss.how == "casualty" and loss.profile.psionic is not None,
}


def is_hunted(kind: HuntKind, loss: Loss) -> bool:
    """Return whether a lost model is of the kind that a Hunting Party chose.

    Big Game Hunters count Beasts removed in any way; the others count casualties only. Raises InvalidInput.
    Rules: CB-SPEC-08.
    """
    if kind not in _HUNTED:
        raise Missing("Choose the kind of hunters: " + ", ".join(_HUNTED).replace("_", " ") + ".")
    return _HUNTED[kind](loss)


def hunting_bonus(
    side: int,
    kind: HuntKind,
    losses: Iterable[Loss],
    sides: tuple[int, ...],
    victory_points: int,
    settings: Settings,
) -> int:
    """Return a Hunting Party's bonus: a tenth, rounded up, of what `settings.hunting_bonus` names.

    A number there is the bonus itself, given once any model of the kind is scored. victory_points: what the
    side has without the bonus. Rules: CB-SPEC-07, CB-SPEC-08.
    """
    hunted = [
        loss
        for loss in losses
        if is_hunted(kind, loss)
        and loss.side != side
        and (scores_for(side, loss, sides) or loss.how == "fled")
    ]
    base = settings.hunting_bonus
    if not hunted:
        return 0
    if isinstance(base, int):
        return base
    amounts = {
        "battle_points": sum(loss.level for loss in hunted),
        "requisition_points": sum(loss.profile.points for loss in hunted),
        "victory_points": victory_points,
    }
    return ceil(amounts[base] / 10)


def survey_squares(width_feet: int, depth_feet: int) -> int:
    """Return the squares of 12 in on a table, which a Survey Team can score. Sides in whole feet.

    Rules: CB-SPEC-23.
    """
    return width_feet * depth_feet


@dataclass(frozen=True, slots=True)
class Score:
    """One side's victory points with their parts. Rules: CB-SCORE-05."""

    side: int
    parts: tuple[Modifier, ...]

    @property
    def points(self) -> int:
        """Return all parts added up."""
        return total(self.parts)


def score(
    side: int,
    losses: tuple[Loss, ...],
    sides: tuple[int, ...],
    settings: Settings,
    *,
    objective: int = 0,
    bonuses: tuple[Modifier, ...] = (),
    hunting: HuntKind | None = None,
) -> Score:
    """Return a side's victory points: battle score, the fled, its mission's objective points, bonuses.

    objective: primary and secondary points of its own mission. bonuses: of Specialties, such as the Survey
    Team's. hunting: what a Hunting Party chose. Rules: CB-SCORE-05, CB-SCORE-09, CB-GEN-05.
    """
    parts = [
        Modifier(battle_score(side, losses, sides), "battle", "CB-SCORE-01"),
        Modifier(fled_score(side, losses, settings), _name_fled(side, losses, settings), "CB-SCORE-03"),
        Modifier(objective, "objectives", "CB-SCORE-05"),
        *bonuses,
    ]
    if hunting is not None:
        bonus = hunting_bonus(side, hunting, losses, sides, total(parts), settings)
        parts.append(Modifier(bonus, "Hunting Party", "CB-SPEC-07"))
    return Score(side, tuple(part for part in parts if part.amount))


class Result(StrEnum):
    """How a game between two players ended."""

    MIGHTY_VICTORY = "Mighty Victory"
    VICTORY = "Victory"
    DRAW = "Draw"
    DEFEAT = "Defeat"

    @property
    def is_win(self) -> bool:
        """Return whether this counts as a win for other rules. Rules: CB-SCORE-06."""
        return self in (Result.MIGHTY_VICTORY, Result.VICTORY)

    @property
    def campaign_points(self) -> int:
        """Return the Campaign points: 3, 2, 1 and nothing for the loser. Rules: CB-SCORE-07."""
        return {Result.MIGHTY_VICTORY: 3, Result.VICTORY: 2, Result.DRAW: 1, Result.DEFEAT: 0}[self]


MIN_WIN = 4
"""Smallest lead that wins."""


def result(own_points: int, enemy_points: int, settings: Settings) -> Result:
    """Return how the game ended for me, by the difference of the victory points.

    A lead of `settings.mighty_from` is a Mighty Victory, one of at least 4 a Victory, anything less either
    way a Draw. Rules: CB-SCORE-06.
    """
    lead = own_points - enemy_points
    if lead >= settings.mighty_from:
        return Result.MIGHTY_VICTORY
    if lead >= MIN_WIN:
        return Result.VICTORY
    return Result.DEFEAT if lead <= -MIN_WIN else Result.DRAW


def ranking(scores: Iterable[Score]) -> tuple[tuple[int, Score], ...]:
    """Return every score with its rank, best first; equal points share a rank. Rules: CB-SCORE-08."""
    ordered = sorted(scores, key=lambda entry: -entry.points)
    points = [entry.points for entry in ordered]
    return tuple((points.index(entry.points) + 1, entry) for entry in ordered)
