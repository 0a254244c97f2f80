"""Salvage during an encounter: a check anywhere, each success one token in the searcher's hands."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core.common import carry_through, could, own, pay, settings, spend_order
from bot.games.counterblast.core.fields import order
from bot.games.counterblast.core.rolls import asked, finish, odds_reply, ref
from bot.games.counterblast.core.telling import Telling
from bot.games.counterblast.core.tokens import lay_token, next_salvage
from bot.games.counterblast.core.words import dice_words, times, why_check
from bot.games.counterblast.gear.relic_play import luck
from bot.replies.chances import bars
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.encounter import set_counter
from bot.table.handlers import handles
from bot.table.names import find
from bot.table.rolling.throws import Whose
from rules.systems.counterblast.core.conditions import Event, ended_by
from rules.systems.counterblast.gear.salvage import prepare_search, search
from rules.systems.counterblast.missions.objectives import HELD

GROUNDS = {"casualty": "casualty", "man-made": "man_made", "natural": "natural"}
"""Where one searches, in words, and as the rules call it."""


@dataclass(frozen=True, slots=True)
class SearchSalvage(Action):
    """Search for Salvage.

    With Technology. ground: casualty, man-made or natural.
    """

    command = "mission.salvage"
    typed = "mission salvage"

    model: str = fields.words("Who", offering.own_model, needed=True)
    ground: str = fields.word_of("Where", ("casualty", "man-made", "natural"), default="natural")
    order: bool = order()
    odds: bool = fields.odds()


@handles(SearchSalvage)
def search_salvage(act: Act, action: SearchSalvage) -> Reply:
    """Rules: CB-SALV-02, CB-SALV-03, CB-SALV-04."""
    model = asked(act, action.model, odds=action.odds)
    word = find(action.ground, list(GROUNDS), str, "ground")
    asks = replace(action, model=ref(model), ground=word, odds=False)
    act.canonical = asks
    plain, ordered = (
        prepare_search(model, GROUNDS[word], order_token=order, settings=settings(act))  # type: ignore[arg-type]
        for order in (False, True)
    )
    prepared = ordered if action.order else plain
    if action.odds:
        could(act, model, "skill")
        odds = act.solve(search, (prepared.throw,))
        shown = [(times(n, "token"), odds.chance(lambda found, n=n: max(0, found) == n)) for n in range(3)]  # type: ignore[misc]
        shown.append(("3 or more", odds.chance(lambda found: found > 2)))
        lines = [
            f"{model.name} searches {word} ground",
            dice_words(prepared, "INT"),
            *bars(shown),
            act.exactness,
        ]
        return odds_reply(act, model.side, lines, "Search", asks)
    pay(act, own(act, ref(model)), "skill")
    if action.order:
        spend_order(act, model.side)
    whose = Whose(model.name, "search", f"of {word} ground")
    found = max(0, act.roll(whose, search, (prepared.throw,)))
    for _ in range(found):
        name = next_salvage(act.encounter)
        lay_token(act.encounter, name)
        set_counter(act.encounter.row.counters, f"{HELD}:{name}", model.id)
    said = f"{model.name} finds {times(found, 'Salvage Token')}." if found else f"{model.name} finds nothing."
    carry_through(act, ended_by(model, Event.INT_CHECKED))
    telling = Telling([said], why_check(prepared, f"{model.name}, Salvage"))
    return finish(act, telling, [dice_words(prepared, "INT")], *luck(act, model, failed=not found))
