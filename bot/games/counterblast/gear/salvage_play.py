"""Salvage during an encounter: a check anywhere, each success one token in the searcher's hands."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.counterblast.core.common import carry_through, settings
from bot.games.counterblast.core.fields import order, who
from bot.games.counterblast.core.telling import Telling
from bot.games.counterblast.core.throwing import Throwing, due
from bot.games.counterblast.core.tokens import lay_token, next_salvage
from bot.games.counterblast.core.words import dice_words, why_check
from bot.games.counterblast.gear.relic_play import luck
from bot.replies.chances import bars
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.encounter import set_counter
from bot.table.rolling.throws import Whose
from bot.table.steps import Chances, in_steps
from rules.dice import Dice
from rules.effects import Effect
from rules.systems.counterblast.core.checks import Prepared
from rules.systems.counterblast.core.conditions import Event, ended_by
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.gear.salvage import Ground, prepare_search, search
from rules.systems.counterblast.missions.objectives import HELD
from rules.wording import times

GROUNDS: dict[str, Ground] = {"casualty": "casualty", "man-made": "man_made", "natural": "natural"}
"""Where one searches, in words, and as the rules call it."""


@dataclass(frozen=True, slots=True)
class SearchSalvage(Action):
    """Search for Salvage.

    With Technology. ground: casualty, man-made or natural.
    """

    command = "mission.salvage"
    typed = "mission salvage"
    titled = "Search for Salvage"

    model: Fighter = who()
    ground: Ground = fields.one_of("Where", GROUNDS, default="natural", fact=True)
    order: bool = order()
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class ReadySearch:
    """A search that may be tried, and what it costs."""

    model: Fighter
    prepared: Prepared
    due: tuple[Effect, ...] = ()


@in_steps(SearchSalvage)
class SearchingSalvage(Throwing[SearchSalvage, ReadySearch, int]):
    """Rules: CB-SALV-02, CB-SALV-03, CB-SALV-04."""

    label = "Search"

    def prepare(self, act: Act, action: SearchSalvage) -> ReadySearch:
        """The check at the ground's target. Raises InvalidInput, Forbidden."""
        model = action.model
        prepared = prepare_search(model, action.ground, order_token=action.order, settings=settings(act))
        return ReadySearch(model, prepared, due(act, model, "skill", order=action.order))

    def whose(self, action: SearchSalvage, ready: ReadySearch) -> Whose:
        """The model's own."""
        return Whose(ready.model.name, "search", f"of {_ground(action)} ground")

    def rule(self, dice: Dice, ready: ReadySearch) -> int:
        """How many tokens it finds."""
        return search(dice, (ready.prepared.throw,))

    def settle(self, act: Act, action: SearchSalvage, ready: ReadySearch, outcome: int) -> Telling:
        """It holds what it finds."""
        model, found = ready.model, max(0, outcome)
        carry_through(act, ready.due)
        for _ in range(found):
            name = next_salvage(act.encounter)
            lay_token(act.encounter, name)
            set_counter(act.encounter.row.counters, HELD.of(name), model.id)
        carry_through(act, ended_by(model, Event.INT_CHECKED))
        what = times(found, "Salvage Token") if found else "nothing"
        return Telling(
            [f"{model.name} finds {what}."],
            why_check(ready.prepared, f"{model.name}, Salvage"),
            dice=[dice_words(ready.prepared, "INT")],
            more=tuple(luck(act, model, failed=not found)),
        )

    def chances(self, act: Act, action: SearchSalvage, ready: ReadySearch) -> Chances:
        """How many tokens it finds."""
        odds = act.solve(self.rule, ready)
        shown = [(times(n, "token"), odds.chance(lambda found, n=n: max(0, found) == n)) for n in range(3)]  # type: ignore[misc]
        shown.append(("3 or more", odds.chance(lambda found: found > 2)))
        title = f"{ready.model.name} searches {_ground(action)} ground"
        lines = (title, dice_words(ready.prepared, "INT"), *bars(shown))
        return Chances(lines, "a token", odds.chance(lambda found: found > 0), (odds,))


def _ground(action: SearchSalvage) -> str:
    """The ground in words."""
    return next(word for word, ground in GROUNDS.items() if ground == action.ground)
