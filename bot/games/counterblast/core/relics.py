"""Relics: finding, using and salvaging them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action, from_json
from bot.games.counterblast.core.common import carry_through, settings
from bot.games.counterblast.core.crews import lay_token, next_salvage
from bot.games.counterblast.core.fields import order, who
from bot.games.counterblast.core.narration import Telling, Throwing, due, finish
from bot.games.counterblast.core.wording import dice_words, why_check
from bot.games.counterblast.state.models import fighter
from bot.games.counterblast.state.table_state import ModelState
from bot.replies.chances import bars
from bot.replies.reply import Button, Reply
from bot.store.book import Book, Loaded, apply
from bot.store.book import from_json as changes_from_json
from bot.table.act import Act, ActView, no_dice
from bot.table.asking import fields
from bot.table.carrying import Carrier, Settle
from bot.table.encounter import Encounter, set_counter
from bot.table.handlers import HANDLERS, Place, handles
from bot.table.journal_actions import handles_specially
from bot.table.owners import player_of
from bot.table.realdice import find_waiting_roll
from bot.table.request import Answer, Request
from bot.table.steps import Chances, in_steps
from bot.table.throw_purposes import Whose
from rules.dice import Dice
from rules.effects import Effect
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.checks import PreparedCheck
from rules.systems.counterblast.core.conditions import Event, end_conditions
from rules.systems.counterblast.core.counters import ORDERS_SPENT, Counter
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.gear import salvage
from rules.systems.counterblast.gear.items import is_used_up
from rules.systems.counterblast.gear.salvage import Ground, prepare_search, search
from rules.systems.counterblast.missions.missions import HELD
from rules.wording import join_with_and, possessive, times

FREE_ONCE = ("body_boost", "brain_boost")
"""Items that are used once, for nothing, in an activation."""

RELICS_IN_PLAY = {"Ancient Text or Data": "ancient_text", "Lost Tech": "lost_tech"}
"""Relics with a use of their own during an encounter, by name."""


@dataclass(frozen=True, slots=True)
class UseRelicNow(Action):
    """Use an Ancient Text or Lost Tech."""

    command = "cb.relic.use"
    typed = "gear relic"
    titled = "Use a relic"

    model: Fighter = who()
    relic: str | None = fields.one_of("Relic", RELICS_IN_PLAY)


@dataclass(frozen=True, slots=True)
class SettleAnew(Action):
    """A Boon or a Trinket on the check of the entry before."""

    command = "cb.relic.anew"
    decision_of = player_of("model")

    entry: int = 0
    model: int = 0
    relic: str = "boon"


@dataclass(frozen=True, slots=True)
class LightBeacon(Action):
    """A Beacon: the failed Rally does not count."""

    command = "cb.relic.beacon"
    decision_of = player_of("model")

    model: int = 0


# ------------------------------------------------------------------------------------------- offered


def list_relic_buttons(
    act: Act, model: Fighter, *, failed: bool, critical: bool = False
) -> tuple[Button, ...]:
    """Return buttons for the relics that help after this check. Rules: CB-RELIC-05, CB-RELIC-07."""
    relic_offers = [
        ("boon", f"Use {possessive(model.name)} Boon", failed),
        ("trinket", f"Use {possessive(model.name)} Trinket", critical),
    ]
    usable = [(key, label) for key, label, applies in relic_offers if applies and salvage.unused(model, key)]
    if usable:
        ModelState(act.encounter.model(model.id)).failed_check_entry = act.entry
    return tuple(Button(label, SettleAnew(act.entry, model.id, key), anytime=True) for key, label in usable)


def beacon_button(model: Fighter) -> tuple[Button, ...]:
    """Return the button of a Beacon after a failed Rally. Rules: CB-RELIC-11."""
    if not salvage.unused(model, "beacon"):
        return ()
    return (Button(f"Use {possessive(model.name)} Beacon", LightBeacon(model.id), anytime=True),)


def list_reminders(encounter: Encounter, model: Fighter) -> list[str]:
    """Return relics and free items of one use that a model which becomes active still has.

    Rules: CB-RELIC-04, CB-RELIC-08, CB-GEAR-21, CB-GEAR-41, CB-GEAR-46.
    """
    orders_spent = encounter.side(model.side).counters.get(ORDERS_SPENT, 0)
    useful = ("ancient_text", "lost_tech") if orders_spent else ("lost_tech",)
    lines = [f"{salvage.relic(key).name} (/gear relic)" for key in useful if salvage.unused(model, key)]
    boosts = [item for item in model.gear if item.key in FREE_ONCE and model.works(item.key)]
    lines += [f"{item.name} (/gear use)" for item in boosts if not is_used_up(model, item)]
    if model.has_gear("fahz_jiin") and not model.count(Counter.FAHZ_JIIN):
        lines.append("Fahz Jiin (/psi focus)")
    return [f"{model.name} can use {join_with_and(lines)}."] if lines else []


# ------------------------------------------------------------------------------------------- used


@handles(UseRelicNow)
def use_relic(act: Act, action: UseRelicNow) -> Reply:
    """Restore an order token, or add an Engineering success to come. Rules: CB-RELIC-04, CB-RELIC-08."""
    model = action.model
    owned = [key for key in RELICS_IN_PLAY.values() if salvage.has(model, key)]
    if not owned:
        raise InvalidInput(f"{model.name} has no relic to use now.")
    key = action.relic or owned[0]
    if key not in owned:
        raise InvalidInput(f"{model.name} has no {salvage.relic(key).name}.")
    act.canonical = replace(action, relic=key)
    side = act.encounter.side(model.side)
    if key == "ancient_text":
        effects: tuple[Effect, ...] = salvage.recover_order(model, side.counters.get(ORDERS_SPENT, 0))
        sentence = f"{model.name} gets a spent order token back."
    else:
        effects = salvage.lost_tech(model)
        sentence = f"{model.name} uses Lost Tech and gets one success on its next Engineering check."
    carry_through(act, effects)
    return finish(act, Telling([sentence]))


@handles(LightBeacon)
def light_beacon(act: Act, action: LightBeacon) -> Reply:
    """Rally the model after all. Rules: CB-RELIC-11."""
    row = act.encounter.model(action.model)
    act.require_model(row)
    model = fighter(act.encounter, row)
    if not model.count(Counter.RALLIED) or not model.has(Condition.PANICKED):
        raise Forbidden(f"{model.name} hasn't failed a Rally, so it can't use a Beacon.", "CB-RELIC-11")
    carry_through(act, salvage.beacon(model, rallied=False))
    return finish(act, Telling([f"{model.name} lights a Beacon and rallies."]))


# ------------------------------------------------------------------------------------------- anew


@handles_specially(SettleAnew, Place.ENCOUNTER)
async def settle_anew(carrier: Carrier, loaded: Loaded, request: Request) -> Answer:
    """Undo the last action and settle it again. Rules: CB-RELIC-05, CB-RELIC-07, CB-CHECK-06."""
    action = request.action
    assert isinstance(action, SettleAnew)
    book_now = loaded.book()
    row = Encounter(book_now).model(action.model)
    Act(book_now, request.actor, action, no_dice, reason=request.reason).require_model(row)
    entry = await carrier.store.entry(loaded.scope.id, action.entry)
    if (
        entry is None
        or loaded.scope.tip != action.entry
        or ModelState(row).failed_check_entry != action.entry
    ):
        raise InvalidInput("You can only use this relic right after the check, before you do anything else.")
    reverse_changes = changes_from_json(entry.changes_written(), loaded.snapshot, reverse=True)
    book = Book(loaded.scope.id, apply(loaded.snapshot, reverse_changes))
    old_state = Encounter(book)
    roll = find_waiting_roll(book, entry.actor_id)
    if roll is not None:
        book.remove(roll)
    old_model = fighter(old_state, old_state.model(action.model))
    trinket = action.relic == "trinket"
    old_state.apply(salvage.trinket(old_model) if trinket else salvage.boon(old_model))
    original = from_json(entry.command, entry.input)
    name = salvage.relic(action.relic).name
    result = "natural 1s in this check don't count" if trinket else "this check is rolled again"
    note = f"{old_model.name} uses a {name}, so {result}."
    settle = Settle(note, entry if trinket else None, lambda rows: _end_trinket(rows, action.model))
    return await carrier.carry_out(HANDLERS[entry.command], loaded, request, original, None, book, settle)


def _end_trinket(book: Book, model: int) -> None:
    Encounter(book).apply(salvage.after_trinket(model))


GROUNDS: dict[str, Ground] = {"casualty": "casualty", "man-made": "man_made", "natural": "natural"}
"""Where one searches, in words, and as the rules call it."""
PLACE_WORDS: dict[Ground, str] = {
    "casualty": "a casualty",
    "man_made": "man-made terrain",
    "natural": "natural terrain",
}
"""The same places in a sentence."""


@dataclass(frozen=True, slots=True)
class SearchSalvage(Action):
    """Search for Salvage Tokens.

    With Technology. ground: casualty, man-made or natural.
    """

    command = "mission.salvage"
    typed = "mission salvage"
    titled = "Search for Salvage"

    model: Fighter = who()
    ground: Ground = fields.one_of("Place to search", GROUNDS, default="natural", fact=True)
    order: bool = order()
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class ReadySearch:
    """A search that may be tried, and what it costs."""

    model: Fighter
    prepared: PreparedCheck
    due: tuple[Effect, ...] = ()


@in_steps(SearchSalvage)
class SearchingSalvage(Throwing[SearchSalvage, ReadySearch, int]):
    """Rules: CB-SALV-02, CB-SALV-03, CB-SALV-04."""

    label = "Search"

    def prepare(self, act: ActView, action: SearchSalvage) -> ReadySearch:
        """Return the check at the ground's target. Raises InvalidInput, Forbidden."""
        model = action.model
        prepared = prepare_search(model, action.ground, order_token=action.order, settings=settings(act))
        return ReadySearch(model, prepared, due(act, model, "skill", order=action.order))

    def whose(self, action: SearchSalvage, ready: ReadySearch) -> Whose:
        return Whose(ready.model.name, "search", f"of {PLACE_WORDS[action.ground]}")

    def rule(self, dice: Dice, ready: ReadySearch) -> int:
        return search(dice, (ready.prepared.throw,))

    def settle(self, act: Act, action: SearchSalvage, ready: ReadySearch, outcome: int) -> Telling:
        model, tokens = ready.model, max(0, outcome)
        carry_through(act, ready.due)
        for _ in range(tokens):
            name = next_salvage(act.encounter)
            lay_token(act.encounter, name)
            set_counter(act.encounter.row.counters, HELD.of(name), model.id)
        carry_through(act, end_conditions(model, Event.INT_CHECKED))
        tokens_text = times(tokens, "Salvage Token") if tokens else "nothing"
        return Telling(
            [f"{model.name} finds {tokens_text}."],
            why_check(ready.prepared, f"{possessive(model.name)} search for Salvage"),
            dice=[dice_words(ready.prepared, "INT")],
            more=tuple(list_relic_buttons(act, model, failed=not tokens)),
        )

    def chances(self, act: ActView, action: SearchSalvage, ready: ReadySearch) -> Chances:
        odds = act.solve(self.rule, ready)
        rows = [(times(n, "token"), odds.chance(lambda found, n=n: max(0, found) == n)) for n in range(3)]  # type: ignore[misc]
        rows.append(("3 or more tokens", odds.chance(lambda found: found > 2)))
        title = f"{ready.model.name} searches {PLACE_WORDS[action.ground]}"
        lines = (title, dice_words(ready.prepared, "INT"), *bars(rows))
        return Chances(lines, "at least 1 token", odds.chance(lambda found: found > 0), (odds,))
