"""Order tokens of a side, and what a model carries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.actions import number_in
from bot.games.counterblast.core.fighters import WAS_LEADER, fighter
from bot.games.counterblast.missions.mission_state import CAPTIVE, RESERVE
from bot.games.counterblast.setup.departures import heirs_asked
from bot.games.counterblast.shooting.recalled import forget_moved
from bot.games.counterblast.turn.pairing import owners_lost
from bot.store.rows import ThingRow
from bot.table.encounter import GONE, Encounter, set_counter
from rules.effects import Effect, Gain, Harm, Leave, Propose
from rules.systems.counterblast.building.crew import LEADER
from rules.systems.counterblast.core.conditions import CASUALTY
from rules.systems.counterblast.core.counters import ENGAGED_WITH, Counter
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.gear.salvage import after_wreck
from rules.systems.counterblast.missions.missions import HELD, dropped
from rules.systems.counterblast.vehicle_rules import after_vehicle_lost

TOKEN = "mission token"  # noqa: S105
"""Kind of the rows of tokens on the table."""
SALVAGE = "Salvage"
"""Names of Salvage Tokens begin so."""


def lay_token(encounter: Encounter, name: str) -> ThingRow:
    """Put a token on the table."""
    book = encounter.book
    return book.add(ThingRow(book.scope, book.next_id(ThingRow), TOKEN, name))


def next_salvage(encounter: Encounter) -> str:
    """The name of the next Salvage Token."""
    return f"{SALVAGE} {1 + sum(row.name.startswith(SALVAGE) for row in tokens(encounter))}"


def is_salvage(token: str) -> bool:
    """Whether a token counts as one of Salvage, by its name."""
    return SALVAGE.casefold() in token.casefold()


def let_fall(encounter: Encounter, effects: Sequence[Effect]) -> list[Propose]:
    """After effects: tokens fall from who was lost or panics, and wrecks leave Salvage in a campaign.

    Rules: CB-MISS-03, CB-SALV-01, CB-SALV-04.
    """
    told = []
    for effect in effects:
        lost = isinstance(effect, Leave)
        panics = isinstance(effect, Gain) and effect.condition == Condition.PANICKED
        if not isinstance(effect, (Leave, Gain)) or not (lost or panics):
            continue
        row = encounter.model(effect.model)
        model = fighter(encounter, row)
        for token in held_by(encounter, row.id):
            for fallen in dropped(model, token, casualty=lost):
                set_counter(encounter.row.counters, fallen.key, fallen.value)
                told.append(Propose("fallen", row.id, f"{token} drops where {row.name} was."))
        if row.status == GONE and row.left_how == CASUALTY and encounter.setting("campaign"):
            name = next_salvage(encounter)
            wreck = after_wreck(fighter(encounter, row), row.left_how, name)
            if wreck:
                lay_token(encounter, name)
                told += [one for one in wreck if isinstance(one, Propose)]
    return told


def holder_of(encounter: Encounter, token: str) -> int:
    """The model that holds a token, 0 where it lies on the table."""
    return encounter.count(HELD.of(token))


def tokens(encounter: Encounter) -> list[ThingRow]:
    """The tokens of the table that can be carried."""
    return [row for row in encounter.book.all(ThingRow) if row.kind == TOKEN]


def captive_of(name: str) -> int:
    """The number of the model that the token of a captive stands for, 0 for any other token."""
    word, _, number = name.partition(" ")
    return (number_in(number, "") or 0) if word.casefold() == CAPTIVE else 0


def token_lines(encounter: Encounter) -> list[str]:
    """Who holds which token."""
    lines = []
    for row in tokens(encounter):
        holder = holder_of(encounter, row.name)
        captive = captive_of(row.name)
        name = f"{encounter.model(captive).name}, captive" if captive else row.name
        lines.append(f"{name}: {encounter.model(holder).name if holder else 'on the table'}")
    return lines


def held_by(encounter: Encounter, model: int) -> list[str]:
    """The tokens that a model holds."""
    return [row.name for row in tokens(encounter) if holder_of(encounter, row.name) == model]


def carried(encounter: Encounter, effects: Iterable[Effect], *, by: int = 0) -> list[Propose]:
    """Apply what an outcome does; gives what is to follow.

    A model that left play lets go of everybody, and whoever rides in it is lost with it; a crew whose leader
    left is asked for another. Who waits in reserve has left nobody.
    by: see `Encounter.apply`; a model that is down stays credited to the one that brought it down.
    Rules: CB-VEH-07, CB-CREW-05, CB-CREW-06, CB-GEAR-50, CB-MISS-03, CB-SCORE-02.
    """
    outcome = tuple(effects)
    aboard = _aboard(encounter, outcome)
    riders = after_vehicle_lost(aboard)
    effects = (*outcome, *riders)
    lost = [encounter.model(one.model) for one in effects if isinstance(one, Leave) and one.how != RESERVE]
    leaders = [row for row in lost if fighter(encounter, row).leader]
    for row in leaders:
        row.counters[WAS_LEADER] = 1
    harmed = [encounter.model(one.model) for one in outcome if isinstance(one, Harm)]
    down = [(row, row.hurt_by, row.hurt_side) for row in harmed if fighter(encounter, row).is_down]
    proposals = [*encounter.apply(outcome, by=by), *encounter.apply(riders)]
    for row, *felled in down:
        row.hurt_by, row.hurt_side = felled
    forget_moved(encounter, effects)
    proposals += let_fall(encounter, effects)
    follow, told = owners_lost(encounter, effects)
    proposals += told
    proposals += carried(encounter, follow) if follow else []
    proposals += [Propose("lost_aboard", one.id, f"{one.name} is lost aboard.") for one in aboard]
    for row in leaders:
        if encounter.side(row.side).counters.get(LEADER, 0) == row.id:
            unled, asked = heirs_asked(encounter, row.side)
            carried(encounter, unled)
            proposals += asked
    _let_go(encounter)
    return proposals


def _let_go(encounter: Encounter) -> None:
    """Nobody is engaged with a model that is out of play. Rules: CB-COND-03."""
    gone = {model.id for model in encounter.models(gone=True) if model.status == GONE}
    for model in encounter.models() if gone else ():
        for other in ENGAGED_WITH.among(model.counters.items()):
            if other in gone:
                del model.counters[ENGAGED_WITH.of(other)]


def _aboard(encounter: Encounter, effects: Iterable[Effect]) -> list[Fighter]:
    """Who rides in what leaves play by these effects, and does not leave by them itself."""
    leaving = {effect.model for effect in effects if isinstance(effect, Leave)}
    if not leaving:
        return []
    return [
        fighter(encounter, row)
        for row in encounter.models()
        if row.counters.get(Counter.RIDES, 0) in leaving and row.id not in leaving
    ]
