"""Hide tokens: which of a set is real is known to who holds its side's cards, and to sides that found it.

Owns the secret rows of kind "token". A hidden figure stays in the list of models under the condition
"hidden"; where it stands is one of three tokens.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from bot.games.fracd_earth.state import encounter_state
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.store.rows import ConditionRow, ModelRow, SecretRow, SideRow
from bot.table.act import Act, ActView
from bot.table.encounter import Encounter, EncounterView
from rules.effects import Gain, Lose
from rules.refusals import InvalidInput
from rules.systems.fracd_earth import detection, store
from rules.systems.fracd_earth.detection import Token
from rules.systems.fracd_earth.profile import HIDDEN
from rules.wording import possessive

HIDE = "token"


SEEN = "seen by "
"""Source of the condition of a figure that hides without tokens: the sides that have detected it follow."""


def _rows(encounter: EncounterView) -> list[SecretRow]:
    return [row for row in encounter.book.all(SecretRow) if row.kind == HIDE]


def tokens(encounter: EncounterView) -> tuple[Token, ...]:
    """Return all tokens on the field: those of figures that are still hidden."""
    all_tokens = [store.read(Token, row.content) for row in _rows(encounter)]
    stand = {_set_number(token.id) for token in all_tokens if _still_hides(encounter, token)}
    return tuple(token for token in all_tokens if _set_number(token.id) in stand)


def _still_hides(encounter: EncounterView, token: Token) -> bool:
    return token.figure is not None and encounter.condition(token.figure, HIDDEN) is not None


def _set_number(number: int) -> int:
    """Return the lowest number of those that were laid together with a token: three in a row."""
    return number - (number - 1) % (detection.DECOYS + 1)


def keep(encounter: Encounter, tokens_after: tuple[Token, ...]) -> None:
    """Store these tokens and no others."""
    unwritten = {token.id: token for token in tokens_after}
    for row in _rows(encounter):
        token = unwritten.pop(store.read(Token, row.content).id, None)
        if token is None:
            encounter.book.remove(row)
        else:
            row.content = store.write(token)
    for token in unwritten.values():
        number = encounter.book.next_id(SecretRow)
        row = SecretRow(encounter.book.scope, number, 0, token.side, HIDE, store.write(token))
        encounter.book.add(row)


def learned_tokens(before: Encounter, now: Encounter) -> list[SecretRow]:
    """Return the tokens of which a side has learned between two states of a game what they are."""
    content_after = {row.id: row.content for row in _rows(now)}
    return [row for row in _rows(before) if content_after.get(row.id) != row.content]


def owner_of(encounter: Encounter, token: Token) -> int:
    """Return the person whose figure hides under one of the tokens that were laid together with this one."""
    laid = (other for other in tokens(encounter) if _set_number(other.id) == _set_number(token.id))
    figure = next((other.figure for other in laid if other.figure is not None), None)
    return encounter.model(figure).owner_id if figure is not None else 0


def token_named(encounter: EncounterView, text: str) -> Token:
    """Return the token meant: its number, with or without the word. Raises InvalidInput."""
    number = text.casefold().removeprefix("token").strip().removeprefix("#")
    match = next((token for token in tokens(encounter) if str(token.id) == number), None)
    if match is None:
        raise InvalidInput("Choose a token that /fe tokens shows.")
    return match


def lay(encounter: Encounter, model: ModelRow, order: tuple[int, ...]) -> list[int]:
    """Put a figure under a set of tokens; gives their numbers. Rules: FE-HID-01, FE-HID-03."""
    first = encounter_state(encounter).last_token + 1
    laid = detection.token_set(first, model.side, model.id, order)
    encounter_state(encounter).last_token = first + detection.DECOYS
    keep(encounter, (*tokens(encounter), *laid))
    encounter.apply([Gain(model.id, HIDDEN)])
    return [token.id for token in laid]


def mix(act: Act, side: int) -> None:
    """Mix which token of each of a side's sets is the real one, among those that no enemy has found."""
    encounter = act.encounter
    sets: dict[int, list[Token]] = {}
    for token in tokens(encounter):
        if token.side == side and not token.seen_by:
            sets.setdefault(_set_number(token.id), []).append(token)
    mixed = {
        token.id: replace(token, figure=laid[place].figure)
        for first, laid in sets.items()
        for token, place in zip(laid, act.dice.shuffle(len(laid), f"tokens {first} again"), strict=True)
    }
    keep(encounter, tuple(mixed.get(token.id, token) for token in tokens(encounter)))


def hidden_from(encounter: EncounterView, model: int, side: int) -> bool:
    """Return whether a figure is hidden from a side. Rules: FE-HID-04, FE-DET-01."""
    row = encounter.condition(model, HIDDEN)
    if row is None or encounter.model(model).side == side:
        return False
    laid = _real_token(encounter, model)
    return detection.hidden_from(laid, side) if laid is not None else side not in _seen_by(row)


def _real_token(encounter: EncounterView, model: int) -> Token | None:
    """Return the token under which a figure hides, None where it hides without tokens."""
    return next((token for token in tokens(encounter) if token.figure == model), None)


def _seen_by(row: ConditionRow) -> frozenset[int]:
    """The sides that have detected a figure which hides without tokens."""
    if not row.source.startswith(SEEN):
        return frozenset()
    return frozenset(int(number) for number in row.source.removeprefix(SEEN).split())


def enemies(encounter: Encounter, side: int) -> list[int]:
    """Return the numbers of the other sides that have figures in play."""
    return [other.id for other in encounter.sides() if other.id != side and encounter.models(other.id)]


def find(encounter: Encounter, token: int, by_side: int) -> detection.Found:
    """Find a token for a side; it is removed once all enemies have found it. Raises InvalidInput.

    Rules: FE-HID-03, FE-HID-04.
    """
    laid = token_named(encounter, str(token))
    detected = detection.detect(tokens(encounter), token, by_side, enemies(encounter, laid.side))
    keep(encounter, detected.tokens)
    if detected.figure is not None and detected.by_all:
        forget(encounter, detected.figure)
    return detected


def show(encounter: Encounter, model: ModelRow, sides: Iterable[int]) -> None:
    """Show a hidden figure to these sides; it is no longer hidden once all enemies see it. Rules:
    FE-HID-04.
    """
    row = encounter.condition(model.id, HIDDEN)
    if row is None:
        return
    laid = _real_token(encounter, model.id)
    if laid is not None:
        keep(encounter, detection.reveal_by_attack(tokens(encounter), model.id, sides))
    else:
        row.source = SEEN + " ".join(map(str, sorted(_seen_by(row).union(sides) - {model.side})))
    if not any(hidden_from(encounter, model.id, enemy) for enemy in enemies(encounter, model.side)):
        forget(encounter, model.id)


def blind_sides(encounter: EncounterView, model: ModelRow, sides: Sequence[SideRow]) -> list[int]:
    """Return sides from which an attacker is hidden. Raises InvalidInput if one sees it."""
    for side in sides:
        if not hidden_from(encounter, model.id, side.id):
            raise InvalidInput(f"Leave out {side.name}. {model.name} is not hidden from that side.")
    return [side.id for side in sides]


def ask_sight(act: ActView, action: Any, model: ModelRow) -> Reply | None:
    """Ask who has a line of sight to a hidden attacker; None if that was answered or isn't needed.

    action: with the fields `unseen` and `sight`. Rules: FE-DET-03, FE-HID-04.
    """
    encounter = act.encounter
    detection = [side for side in encounter.sides() if side.id != model.side]
    detection = [side for side in detection if hidden_from(encounter, model.id, side.id)]
    if action.sight or action.unseen is not None or not detection:
        return None
    seen_action = replace(action, sight=True)
    head = f"{model.name} is hidden. Which sides have a line of sight to it?"
    if len(detection) == 1:
        (side,) = detection
        blind = Button(f"{side.name} can't see it", replace(seen_action, unseen=(side,)))
        return Reply(
            (head,), private=True, buttons=(Button(f"{side.name} can see it", seen_action, "main"), blind)
        )
    choices = tuple(Choice(side.name, side.name) for side in detection)
    menu = Menu("Sides that can't see it", seen_action, "unseen", choices, 1, len(choices))
    return Reply(
        (head,), private=True, buttons=(Button("All sides can see it", seen_action, "main"),), menus=(menu,)
    )


def shown_by_attack(encounter: Encounter, model: ModelRow, blind: Iterable[int] = ()) -> list[str]:
    """Show a hidden figure that attacks to all who have a line of sight to it.

    blind: sides without one. Its token is named once it is hidden from no one. Rules: FE-DET-03, FE-HID-04.
    """
    if encounter.condition(model.id, HIDDEN) is None:
        return []
    laid = _real_token(encounter, model.id)
    others = enemies(encounter, model.side)
    seeing = [side for side in others if side not in set(blind)]
    show(encounter, model, seeing)
    if not hidden_from_anybody(encounter, model):
        place_text = f" at token {laid.id}" if laid is not None else ""
        return [f"{model.name} is revealed{place_text}."]
    if not seeing:
        return [f"{model.name} stays hidden."]
    return [f"{model.name} is revealed to {' and '.join(encounter.side(side).name for side in seeing)}."]


def hidden_from_anybody(encounter: Encounter, model: ModelRow) -> bool:
    """Return whether any enemy does not see the figure."""
    return any(hidden_from(encounter, model.id, enemy) for enemy in enemies(encounter, model.side))


def forget(encounter: Encounter, model: int) -> None:
    """Remove the tokens of a figure that is no longer hidden."""
    laid = _real_token(encounter, model)
    if laid is not None:
        other_tokens = (token for token in tokens(encounter) if _set_number(token.id) != _set_number(laid.id))
        keep(encounter, tuple(other_tokens))
    encounter.apply([Lose(model, HIDDEN)])


def reveal(encounter: Encounter, model: int) -> str:
    """Show the figure to everyone, and return the words for its place, or ""."""
    laid = _real_token(encounter, model)
    forget(encounter, model)
    return f" (token {laid.id})" if laid is not None else ""


def public_lines(encounter: Encounter) -> list[str]:
    """Return the tokens as everyone sees them, by side."""
    lines = []
    for side in encounter.sides():
        numbers = [str(token.id) for token in tokens(encounter) if token.side == side.id]
        if numbers:
            lines.append(f"{possessive(side.name)} tokens: {', '.join(numbers)}")
    return lines
