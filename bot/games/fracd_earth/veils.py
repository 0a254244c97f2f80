"""Hide tokens: which of a set is real is known to who holds its side's cards, and to whom it was shown.

Owns the secret rows of kind "token". A hidden figure stays in the list of models under the condition
"hidden"; where it stands is one of three tokens.
"""

from __future__ import annotations

from bot.store.rows import ModelRow, SecretRow
from bot.table.encounter import Encounter
from rules.effects import Gain, Lose
from rules.refusals import InvalidInput
from rules.systems.fracd_earth import hidden, store
from rules.systems.fracd_earth.hidden import Token
from rules.systems.fracd_earth.profile import HIDDEN

HIDE = "token"

LAST = "last token"
"""Counter of the encounter: the last number given to a token."""


def _rows(encounter: Encounter) -> list[SecretRow]:
    return [row for row in encounter.book.all(SecretRow) if row.kind == HIDE]


def tokens(encounter: Encounter) -> tuple[Token, ...]:
    """All tokens on the field."""
    return tuple(store.read(Token, row.content) for row in _rows(encounter))


def set_of(encounter: Encounter, number: int) -> list[int]:
    """The tokens that were laid together with one, by their numbers: three in a row."""
    first = number - (number - 1) % (hidden.DECOYS + 1)
    return [token.id for token in tokens(encounter) if first <= token.id <= first + hidden.DECOYS]


def keep(encounter: Encounter, kept: tuple[Token, ...]) -> None:
    """Keep these tokens and no others."""
    wanted = {token.id: token for token in kept}
    for row in _rows(encounter):
        token = wanted.pop(store.read(Token, row.content).id, None)
        if token is None:
            encounter.book.remove(row)
        else:
            row.content = store.write(token)
    for token in wanted.values():
        number = encounter.book.next_id(SecretRow)
        row = SecretRow(encounter.book.scope, number, 0, token.side, HIDE, store.write(token))
        encounter.book.add(row)


def token_named(encounter: Encounter, text: str) -> Token:
    """The token meant: its number, with or without the word. Raises InvalidInput."""
    number = text.casefold().removeprefix("token").strip().removeprefix("#")
    found = next((token for token in tokens(encounter) if str(token.id) == number), None)
    if found is None:
        raise InvalidInput("There is no such token. /fe tokens shows them.")
    return found


def lay(encounter: Encounter, model: ModelRow, order: tuple[int, ...]) -> list[int]:
    """Put a figure under a set of tokens; gives their numbers. Rules: FE-HID-01, FE-HID-03."""
    first = encounter.count(LAST) + 1
    laid = hidden.token_set(first, model.side, model.id, order)
    encounter.row.counters[LAST] = first + hidden.DECOYS
    keep(encounter, (*tokens(encounter), *laid))
    encounter.apply([Gain(model.id, HIDDEN)])
    return [token.id for token in laid]


def hidden_from(encounter: Encounter, model: int, side: int) -> bool:
    """Whether a figure is hidden from a side. Rules: FE-HID-04, FE-DET-01."""
    row = encounter.condition(model, HIDDEN)
    mine = next((token for token in tokens(encounter) if token.figure == model), None)
    if mine is not None:
        return hidden.hidden_from(mine, side)
    return row is not None and encounter.model(model).side != side


def other_sides(encounter: Encounter, side: int) -> list[int]:
    """The numbers of the other sides."""
    return [each.id for each in encounter.sides() if each.id != side]


def seen_by_all(encounter: Encounter, kept: tuple[Token, ...]) -> tuple[Token, ...]:
    """The tokens without the sets whose figure every other side has seen; such a figure is hidden no more."""
    gone: set[int] = set()
    for token in kept:
        if token.figure is None:
            continue
        if all(side in token.seen_by for side in other_sides(encounter, token.side)):
            first = token.id - (token.id - 1) % (hidden.DECOYS + 1)
            gone |= set(range(first, first + hidden.DECOYS + 1))
            encounter.apply([Lose(token.figure, HIDDEN)])
    return tuple(token for token in kept if token.id not in gone)


def shown_by_attack(encounter: Encounter, model: ModelRow) -> list[str]:
    """A hidden figure attacks: all others see it. Rules: FE-DET-03, FE-HID-04."""
    if encounter.condition(model.id, HIDDEN) is None:
        return []
    laid = next((token for token in tokens(encounter) if token.figure == model.id), None)
    after = hidden.reveal_by_attack(tokens(encounter), model.id, other_sides(encounter, model.side))
    keep(encounter, seen_by_all(encounter, after))
    encounter.apply([Lose(model.id, HIDDEN)])
    where = f" at token {laid.id}" if laid is not None else ""
    return [f"{model.name} is revealed{where}."]


def forget(encounter: Encounter, model: int) -> None:
    """Take the tokens of a figure off the field."""
    laid = next((token for token in tokens(encounter) if token.figure == model), None)
    if laid is not None:
        numbers = set_of(encounter, laid.id)
        keep(encounter, tuple(token for token in tokens(encounter) if token.id not in numbers))
    encounter.apply([Lose(model, HIDDEN)])


def public_lines(encounter: Encounter) -> list[str]:
    """The tokens as everybody sees them, by side."""
    lines = []
    for side in encounter.sides():
        numbers = [str(token.id) for token in tokens(encounter) if token.side == side.id]
        if numbers:
            lines.append(f"Tokens of {side.name}: {', '.join(numbers)}")
    return lines
