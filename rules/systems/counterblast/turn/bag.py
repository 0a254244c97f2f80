"""The initiative bag: what is in it, who draws, what a draw means, when the phase ends.

Owns pure functions over a frozen `Bag`. Crews are told apart by their place, 0 for the first in the order in
which players draw; the table knows which side that is. Which models are left is told by the table.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.dice import Dice
from rules.refusals import Forbidden, InvalidInput

MAX_CREWS = 8
MAX_TOKENS = 500


@dataclass(frozen=True, slots=True)
class Bag:
    """Tokens of each crew in the bag, and where the draw stands.

    `drawer` is the one whose turn it is to draw; `drawn` the crew of the token on the table, None between
    draws; `redrawn` says that this draw was repeated; `last_drawer` made the turn's latest draw. `used` says
    that the activation which the drawn token is for has begun.
    """

    tokens: tuple[int, ...]
    drawer: int = 0
    drawn: int | None = None
    redrawn: bool = False
    last_drawer: int | None = None
    used: bool = False

    @property
    def size(self) -> int:
        """Return the tokens in the bag."""
        return sum(self.tokens)

    @property
    def crews(self) -> int:
        """Number of crews."""
        return len(self.tokens)


def fill(models: tuple[int, ...], extra: tuple[int, ...] = (), first: int = 0) -> Bag:
    """Return the bag at the start of a turn: one token for each model in play, and extra ones.

    models, extra: by crew; extra below 0 for tokens that a crew lacks. first: who draws first. Raises
    InvalidInput for impossible numbers.
    Rules: CB-BAG-02, CB-SPEC-10, CB-SPEC-22.
    """
    extra = extra or (0,) * len(models)
    if not 2 <= len(models) <= MAX_CREWS or len(extra) != len(models):
        raise InvalidInput(f"A game needs 2 to {MAX_CREWS} crews.")
    if min(models) < 0 or sum(models) + sum(extra) > MAX_TOKENS:
        raise InvalidInput(f"The bag can hold 0 to {MAX_TOKENS} tokens.")
    if not 0 <= first < len(models):
        raise InvalidInput("Choose one of the players to draw first.")
    tokens = tuple(max(0, count + extra_tokens) for count, extra_tokens in zip(models, extra, strict=True))
    return Bag(tokens, first)


def first_of_game(winner: int, draws: bool, players: int) -> int:
    """Return who draws first on turn 1: the winner of the roll-off, or the next player if it passes.

    Rules: CB-BAG-01.
    """
    return winner if draws else (winner + 1) % players


def draw(dice: Dice, bag: Bag) -> int:
    """Draw one token; gives its crew. Raises Forbidden for an empty bag or a token still lying there.

    Rules: CB-BAG-03.
    """
    if bag.drawn is not None:
        raise Forbidden("A token has already been drawn. Finish that activation first.", "CB-BAG-04")
    if bag.size == 0:
        raise Forbidden("The bag is empty. Go on to Upkeep.", "CB-BAG-07")
    return dice.draw(bag.tokens, 1, "initiative").index(1)


def after_draw(bag: Bag, crew: int) -> Bag:
    """Return the bag after a token of that crew is drawn; the crew it belongs to activates, whoever drew
    it.

    Rules: CB-BAG-03.
    """
    if bag.drawn is not None or bag.tokens[crew] < 1:
        raise Forbidden("You can't draw that token now.", "CB-BAG-03")
    tokens = tuple(count - (place == crew) for place, count in enumerate(bag.tokens))
    return replace(bag, tokens=tokens, drawn=crew, last_drawer=bag.drawer, used=False)


def use(bag: Bag) -> Bag:
    """Use the drawn token to activate a model or group of its crew, once.

    Raises Forbidden before a draw, or where that activation has begun. Rules: CB-BAG-03, CB-BAG-04.
    """
    if bag.drawn is None:
        raise Forbidden("Draw a token first.", "CB-BAG-03")
    if bag.used:
        raise Forbidden("This token's activation has begun. End that activation first.", "CB-BAG-04")
    return replace(bag, used=True)


def must_use(bag: Bag, models_left: tuple[int, ...]) -> bool:
    """Return whether the crew of the drawn token still has to activate a model with it.

    models_left: models not yet activated, by crew; one that has none lets the token go.
    Rules: CB-BAG-03, CB-BAG-05.
    """
    return bag.drawn is not None and not bag.used and not is_idle(bag, models_left)


def put_back(bag: Bag) -> Bag:
    """Put the token back for an order token; the next draw counts.

    Raises Forbidden when nothing is drawn or this draw was repeated already. Rules: CB-ORDER-04.
    """
    if bag.drawn is None:
        raise Forbidden("Draw a token first.", "CB-ORDER-04")
    if bag.used:
        raise Forbidden("The activation has begun, so you can't draw again.", "CB-ORDER-04")
    if bag.redrawn:
        raise Forbidden("You have to keep the second token you draw.", "CB-ORDER-04")
    tokens = tuple(count + (place == bag.drawn) for place, count in enumerate(bag.tokens))
    return replace(bag, tokens=tokens, drawn=None, redrawn=True)


def is_idle(bag: Bag, models_left: tuple[int, ...]) -> bool:
    """Return whether the drawn token does nothing, as its crew has no model left to activate.

    models_left: models not yet activated, by crew. Rules: CB-BAG-05, CB-BAG-06.
    """
    return bag.drawn is not None and models_left[bag.drawn] < 1


def pass_on(bag: Bag, models_left: tuple[int, ...]) -> Bag:
    """Finish the activation: the draw goes to the next player who has a model left.

    models_left: models not yet activated, by crew. A player without one passes. Rules: CB-BAG-04, CB-BAG-05.
    """
    if bag.drawn is None:
        raise Forbidden("Draw a token first.", "CB-BAG-04")
    return replace(bag, drawer=following(bag, models_left), drawn=None, redrawn=False, used=False)


def following(bag: Bag, models_left: tuple[int, ...], *, step: int = 1) -> int:
    """Return the next place whose crew has a model left; where none has, the first that was looked at.

    step: 1 for the places after who draws now, 0 for that one too. Rules: CB-BAG-05.
    """
    order = [(bag.drawer + offset) % bag.crews for offset in range(step, bag.crews + step)]
    return next((place for place in order if models_left[place] > 0), order[0])


def skip_idle(bag: Bag, models_left: tuple[int, ...]) -> Bag:
    """Return the bag with the draw passed to the next player who has a model left.

    models_left: models not yet activated, by crew. Rules: CB-BAG-05.
    """
    return replace(bag, drawer=following(bag, models_left, step=0))


def phase_over(models_left: tuple[int, ...]) -> bool:
    """Return whether the Activation phase ends because no one has a model left, whatever is in the bag.

    models_left: models in play, able to act and not yet activated, by crew. Rules: CB-BAG-07, CB-TURN-02.
    """
    return not any(models_left)


def draws_on(bag: Bag, models_left: tuple[int, ...]) -> bool:
    """Return whether a token may be drawn: there is one, and a model is left to act. Rules: CB-BAG-07."""
    return bag.size > 0 and not phase_over(models_left)


def first_of_next_turn(bag: Bag) -> int:
    """Return who draws first next turn: the player after the one who drew last. Rules: CB-BAG-08."""
    return bag.drawer if bag.last_drawer is None else (bag.last_drawer + 1) % bag.crews
