"""Tokens that models carry, of missions and Salvage: who holds them, and when they fall."""

from __future__ import annotations

from collections.abc import Sequence

from bot.actions import number_in
from bot.games.counterblast.core.fighters import fighter
from bot.games.counterblast.missions.mission_state import CAPTIVE
from bot.store.rows import ThingRow
from bot.table.encounter import GONE, Encounter, set_counter
from rules.effects import Effect, Gain, Leave, Propose
from rules.systems.counterblast.core.casualties import CASUALTY
from rules.systems.counterblast.core.fighter import Condition
from rules.systems.counterblast.gear.salvage import after_wreck
from rules.systems.counterblast.missions.objectives import HELD, dropped

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
