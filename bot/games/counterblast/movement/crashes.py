"""A model that strikes others, falling, drifting or driven back: whom it strikes, and what may come of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.games.counterblast.core.fighters import fighter, fighters
from bot.games.counterblast.core.narration import model_choices, suffering
from bot.games.counterblast.core.words import hurt_words
from bot.replies.reply import Button, Menu, Reply
from bot.table.act import Act
from bot.table.steps import Chances
from rules.dice import Odds
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.general import distance_dice, impact, struck_dice
from rules.systems.counterblast.movement.environment import Faller

MOST_STRUCK = 5


@dataclass(frozen=True, slots=True)
class Crash:
    """A model strikes others after so many inches. deep: in deep water. gone: it has left play itself."""

    model: Fighter
    inches: float
    struck: tuple[Fighter, ...] = ()
    deep: bool = False
    gone: bool = False

    @property
    def names(self) -> list[str]:
        """Who is struck, by name."""
        return [one.name for one in self.struck]

    @property
    def below(self) -> tuple[Faller, ...]:
        """Who is struck, as the rules look at them."""
        return tuple(Faller.of(one) for one in self.struck)


def crash_of(act: Act, model: Fighter, inches: float, struck: Sequence[int]) -> Crash:
    """With everybody as they stand."""
    return Crash(
        model, inches, tuple(fighter(act.encounter, act.encounter.model(number)) for number in struck)
    )


def ask_struck(act: Act, action: Any, crash: Crash, said: str) -> Reply:
    """Whom it strikes besides. action: has the fields struck, sure and odds."""
    others = [one for one in fighters(act.encounter) if one.id != crash.model.id]
    most = min(MOST_STRUCK, len(others))
    menus = (Menu("Whom does it hit?", action, "struck", model_choices(others), 1, most),) if others else ()
    alone = replace(action, sure=True)
    buttons = (
        Button("No model", alone, "main"),
        Button("Odds for no model", replace(alone, odds=True)),
    )
    lines = (f"{said} after {crash.inches:g} in.", "A model too?")
    return Reply(lines, private=True, buttons=buttons, menus=menus)


def crash_chances(act: Act, crash: Crash, head: str) -> Chances:
    """What it does to the model, and to everybody it strikes. Rules: CB-FALL-03, CB-FALL-04, CB-ENV-05."""
    model, inches = crash.model, crash.inches
    found = Chances((head,))
    if not crash.gone:
        mine = Faller.of(model)
        odds = act.solve(impact, distance_dice(inches), mine.defense, "fall", tough=mine.tough)
        found = suffering(model, odds, head)
    lines, solved = list(found.lines), list[Odds[Any]](found.solved)
    for one in crash.struck:
        number, hit = struck_dice(inches, model.profile.size, one.profile.size), Faller.of(one)
        odds = act.solve(impact, number, hit.defense, "struck", tough=hit.tough)
        lines.append(f"{one.name}: {hurt_words(odds, one)}")
        solved.append(odds)
    return replace(found, lines=tuple(lines), solved=tuple(solved))
