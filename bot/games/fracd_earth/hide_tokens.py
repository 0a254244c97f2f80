"""Hide tokens: only those who hold a side's cards, and sides that found a token, know which one is real.

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

HIDE_MARKER = "token"


SEEN_BY_PREFIX = "seen by "
"""Source of the condition of a figure that hides without tokens: the sides that have detected it follow."""


def _token_rows(encounter: EncounterView) -> list[SecretRow]:
    return [row for row in encounter.book.all(SecretRow) if row.kind == HIDE_MARKER]


def tokens(encounter: EncounterView) -> tuple[Token, ...]:
    """Return all tokens on the field: those of figures that are still hidden."""
    all_tokens = [store.read(Token, row.content) for row in _token_rows(encounter)]
    hidden_sets = {_lowest_in_set(token.id) for token in all_tokens if _still_hides(encounter, token)}
    return tuple(token for token in all_tokens if _lowest_in_set(token.id) in hidden_sets)


def _still_hides(encounter: EncounterView, token: Token) -> bool:
    return token.figure is not None and encounter.condition(token.figure, HIDDEN) is not None


def _lowest_in_set(token_number: int) -> int:
    """Return the lowest number in a token's set; the numbers of a set are consecutive."""
    return token_number - (token_number - 1) % (detection.DECOYS + 1)


def store_tokens(encounter: Encounter, tokens_after: tuple[Token, ...]) -> None:
    """Store these tokens and no others."""
    tokens_to_store = {token.id: token for token in tokens_after}
    for row in _token_rows(encounter):
        token = tokens_to_store.pop(store.read(Token, row.content).id, None)
        if token is None:
            encounter.book.remove(row)
        else:
            row.content = store.write(token)
    for token in tokens_to_store.values():
        row_id = encounter.book.next_id(SecretRow)
        row = SecretRow(encounter.book.scope, row_id, 0, token.side, HIDE_MARKER, store.write(token))
        encounter.book.add(row)


def learned_tokens(before: Encounter, now: Encounter) -> list[SecretRow]:
    """Return the tokens that a side has identified between two states of a game."""
    content_after = {row.id: row.content for row in _token_rows(now)}
    return [row for row in _token_rows(before) if content_after.get(row.id) != row.content]


def owner_of(encounter: Encounter, token: Token) -> int:
    """Return the person whose figure hides under one of the tokens that were laid together with this one."""
    set_tokens = (
        other for other in tokens(encounter) if _lowest_in_set(other.id) == _lowest_in_set(token.id)
    )
    figure = next((other.figure for other in set_tokens if other.figure is not None), None)
    return encounter.model(figure).owner_id if figure is not None else 0


def token_named(encounter: EncounterView, text: str) -> Token:
    """Return the token meant: its number, with or without the word. Raises InvalidInput."""
    number = text.casefold().removeprefix("token").strip().removeprefix("#")
    match = next((token for token in tokens(encounter) if str(token.id) == number), None)
    if match is None:
        raise InvalidInput("Choose one of the tokens that are listed in /fe tokens.")
    return match


def lay_tokens(encounter: Encounter, model: ModelRow, order: tuple[int, ...]) -> list[int]:
    """Put a figure under a set of tokens and return their numbers. Rules: FE-HID-01, FE-HID-03."""
    first_number = encounter_state(encounter).last_token + 1
    new_tokens = detection.token_set(first_number, model.side, model.id, order)
    encounter_state(encounter).last_token = first_number + detection.DECOYS
    store_tokens(encounter, (*tokens(encounter), *new_tokens))
    encounter.apply([Gain(model.id, HIDDEN)])
    return [token.id for token in new_tokens]


def mix_tokens(act: Act, side: int) -> None:
    """Mix which token of each of a side's sets is the real one, among those that no enemy has found."""
    encounter = act.encounter
    tokens_by_set: dict[int, list[Token]] = {}
    for token in tokens(encounter):
        if token.side == side and not token.seen_by:
            tokens_by_set.setdefault(_lowest_in_set(token.id), []).append(token)
    mixed_tokens = {
        token.id: replace(token, figure=set_tokens[place].figure)
        for set_number, set_tokens in tokens_by_set.items()
        for token, place in zip(
            set_tokens, act.dice.shuffle(len(set_tokens), f"tokens {set_number} again"), strict=True
        )
    }
    store_tokens(encounter, tuple(mixed_tokens.get(token.id, token) for token in tokens(encounter)))


def is_hidden_from(encounter: EncounterView, model: int, side: int) -> bool:
    """Return whether a figure is hidden from a side. Rules: FE-HID-04, FE-DET-01."""
    row = encounter.condition(model, HIDDEN)
    if row is None or encounter.model(model).side == side:
        return False
    real_token = _real_token(encounter, model)
    return (
        detection.hidden_from(real_token, side) if real_token is not None else side not in _sides_seeing(row)
    )


def _real_token(encounter: EncounterView, model: int) -> Token | None:
    """Return the token under which a figure hides, None where it hides without tokens."""
    return next((token for token in tokens(encounter) if token.figure == model), None)


def _sides_seeing(row: ConditionRow) -> frozenset[int]:
    """The sides that have detected a figure which hides without tokens."""
    if not row.source.startswith(SEEN_BY_PREFIX):
        return frozenset()
    return frozenset(int(number) for number in row.source.removeprefix(SEEN_BY_PREFIX).split())


def enemy_sides(encounter: Encounter, side: int) -> list[int]:
    """Return the numbers of the other sides that have figures in play."""
    return [other.id for other in encounter.sides() if other.id != side and encounter.models(other.id)]


def find_for_side(encounter: Encounter, token: int, by_side: int) -> detection.Found:
    """Find a token for a side; it is removed once all enemies have found it. Raises InvalidInput.

    Rules: FE-HID-03, FE-HID-04.
    """
    found_token = token_named(encounter, str(token))
    detection_result = detection.detect(
        tokens(encounter), token, by_side, enemy_sides(encounter, found_token.side)
    )
    store_tokens(encounter, detection_result.tokens)
    if detection_result.figure is not None and detection_result.by_all:
        remove_tokens(encounter, detection_result.figure)
    return detection_result


def show_to_sides(encounter: Encounter, model: ModelRow, sides: Iterable[int]) -> None:
    """Show a hidden figure to these sides; it is no longer hidden once all enemies see it. Rules:
    FE-HID-04.
    """
    row = encounter.condition(model.id, HIDDEN)
    if row is None:
        return
    real_token = _real_token(encounter, model.id)
    if real_token is not None:
        store_tokens(encounter, detection.reveal_by_attack(tokens(encounter), model.id, sides))
    else:
        row.source = SEEN_BY_PREFIX + " ".join(
            map(str, sorted(_sides_seeing(row).union(sides) - {model.side}))
        )
    if not any(is_hidden_from(encounter, model.id, enemy) for enemy in enemy_sides(encounter, model.side)):
        remove_tokens(encounter, model.id)


def require_hidden_from(encounter: EncounterView, model: ModelRow, sides: Sequence[SideRow]) -> list[int]:
    """Return sides from which an attacker is hidden. Raises InvalidInput if one sees it."""
    for side in sides:
        if not is_hidden_from(encounter, model.id, side.id):
            raise InvalidInput(f"Leave out {side.name}. {model.name} is not Hidden from that side.")
    return [side.id for side in sides]


def ask_sight(act: ActView, action: Any, model: ModelRow) -> Reply | None:
    """Ask who has a line of sight to a hidden attacker; None if that was answered or isn't needed.

    action: with the fields `unseen` and `sight`. Rules: FE-DET-03, FE-HID-04.
    """
    encounter = act.encounter
    hidden_from_sides = [side for side in encounter.sides() if side.id != model.side]
    hidden_from_sides = [side for side in hidden_from_sides if is_hidden_from(encounter, model.id, side.id)]
    if action.sight or action.unseen is not None or not hidden_from_sides:
        return None
    answered_action = replace(action, sight=True)
    question = f"{model.name} is Hidden. Which sides have a line of sight to it?"
    if len(hidden_from_sides) == 1:
        (side,) = hidden_from_sides
        blind_button = Button(f"{side.name} can't see it", replace(answered_action, unseen=(side,)))
        return Reply(
            (question,),
            private=True,
            buttons=(Button(f"{side.name} can see it", answered_action, "main"), blind_button),
        )
    choices = tuple(Choice(side.name, side.name) for side in hidden_from_sides)
    menu = Menu("Sides that can't see it", answered_action, "unseen", choices, 1, len(choices))
    return Reply(
        (question,),
        private=True,
        buttons=(Button("All sides can see it", answered_action, "main"),),
        menus=(menu,),
    )


def reveal_attacker(encounter: Encounter, model: ModelRow, unseeing_sides: Iterable[int] = ()) -> list[str]:
    """Show a hidden figure that attacks to all who have a line of sight to it.

    blind: sides without one. Its token is named once it is hidden from no one. Rules: FE-DET-03, FE-HID-04.
    """
    if encounter.condition(model.id, HIDDEN) is None:
        return []
    real_token = _real_token(encounter, model.id)
    enemy_ids = enemy_sides(encounter, model.side)
    seeing_ids = [side for side in enemy_ids if side not in set(unseeing_sides)]
    show_to_sides(encounter, model, seeing_ids)
    if not is_hidden_from_anyone(encounter, model):
        place_text = f" at token {real_token.id}" if real_token is not None else ""
        return [f"{model.name} is revealed{place_text}."]
    if not seeing_ids:
        return [f"{model.name} stays Hidden."]
    return [f"{model.name} is revealed to {' and '.join(encounter.side(side).name for side in seeing_ids)}."]


def is_hidden_from_anyone(encounter: Encounter, model: ModelRow) -> bool:
    """Return whether any enemy does not see the figure."""
    return any(is_hidden_from(encounter, model.id, enemy) for enemy in enemy_sides(encounter, model.side))


def remove_tokens(encounter: Encounter, model: int) -> None:
    """Remove the tokens of a figure that is no longer hidden."""
    real_token = _real_token(encounter, model)
    if real_token is not None:
        other_tokens = (
            token for token in tokens(encounter) if _lowest_in_set(token.id) != _lowest_in_set(real_token.id)
        )
        store_tokens(encounter, tuple(other_tokens))
    encounter.apply([Lose(model, HIDDEN)])


def reveal_to_all(encounter: Encounter, model: int) -> str:
    """Show the figure to everyone, and return the words for its place, or ""."""
    real_token = _real_token(encounter, model)
    remove_tokens(encounter, model)
    return f" (token {real_token.id})" if real_token is not None else ""


def public_lines(encounter: Encounter) -> list[str]:
    """Return the tokens as everyone sees them, by side."""
    lines = []
    for side in encounter.sides():
        numbers = [str(token.id) for token in tokens(encounter) if token.side == side.id]
        if numbers:
            lines.append(f"{possessive(side.name)} tokens: {', '.join(numbers)}")
    return lines
