"""The odds of every way in which one model can shoot at another, side by side."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.counterblast.core.common import named, settings
from bot.games.counterblast.core.words import hurt_words
from bot.games.counterblast.vehicles.vehicle_marks import as_target
from bot.replies.chances import exactness
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.handlers import handles
from rules.odds import Odds
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.shooting.shooting import Mark, Mode, Volley, prepare_volley
from rules.systems.counterblast.shooting.shots import shot_wounds

WAYS: tuple[tuple[Mode, bool, str], ...] = (
    ("shoot", False, ""),
    ("shoot", True, ", order"),
    ("aim", False, ", aimed"),
    ("aim", True, ", aimed, order"),
    ("run_and_gun", False, ", running"),
)
"""How one can shoot: the mode, an order token or not, and how it is told."""


@dataclass(frozen=True, slots=True)
class CompareShots(Action):
    """Compare weapons and ways to shoot at one target."""

    command = "cb.compare"

    shooter: str = ""
    target: str = ""
    distance: float = 0.0
    cover: int = 0


@handles(CompareShots)
def compare(act: Act, action: CompareShots) -> Reply:
    """Chance to hurt and to bring down, for each weapon that reaches and each way that is allowed."""
    shooter, target = named(act, action.shooter), named(act, action.target)
    lines = [f"{shooter.name} -> {target.name}, {action.distance:g} in, cover {action.cover}"]
    solved: list[Odds[int]] = []
    for weapon in shooter.weapons:
        for mode, order, words in WAYS:
            plain = Mark(target, weapon, action.distance, cover=action.cover)
            mark = as_target(act.encounter, shooter, plain)
            odds = _odds(act, Volley(shooter, (mark,), mode, order_token=order))
            if odds is None:
                continue
            solved.append(odds)
            lines += [f"{weapon.name}{words}", f"  {hurt_words(odds, target, weapon)}"]
    if not solved:
        raise InvalidInput(f"{shooter.name} has no way to shoot {target.name} from there.")
    return Reply((*lines, exactness(*solved)), private=True)


def _odds(act: Act, volley: Volley) -> Odds[int] | None:
    try:
        prepared = prepare_volley(volley, settings(act))
    except (Forbidden, InvalidInput):
        return None
    return act.solve(shot_wounds, prepared.shots[0].shot)


def compare_button(shooter: Fighter, target: Fighter, distance: float, cover: int) -> Button:
    """The button that compares."""
    return Button("Compare", CompareShots(f"#{shooter.id}", f"#{target.id}", distance, cover), anytime=True)
