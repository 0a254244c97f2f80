"""Turns: initiative, waiting, the actions of one activation, Push tokens, minor figures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from rules.effects import Effect, Gain, Lose
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.fracd_earth import deck as decks
from rules.systems.fracd_earth.cards import Cards
from rules.systems.fracd_earth.deck import Deck
from rules.systems.fracd_earth.modifiers import stacked
from rules.systems.fracd_earth.movement import Pace
from rules.systems.fracd_earth.profile import REDRAW, WAIT, Figure, Profile
from rules.systems.fracd_earth.settings import Settings

MainUse = Literal["basic", "focused", "teamwork"]
Halves = Literal["stand", "lock", "mount", "cross", "jump"]

FREE_ACTIONS = ("drop item", "fall prone", "switch weapon", "alertness")
COMPATIBLE_ACTIONS = ("notice", "command", "short action")


@dataclass(frozen=True, slots=True)
class Activation:
    """The actions that a figure has used in its activation. `main` and `pace` are empty while unused;
    `halves` counts Half-Move actions; `frees` and `reactions` are counted for the record.
    """

    main: Literal["", "basic", "focused", "teamwork"] = ""
    pace: Literal["", "move", "run", "rush", "crawl"] = ""
    halves: int = 0
    compatible: str = ""
    frees: int = 0
    reactions: int = 0

    @property
    def passed(self) -> bool:
        """Return whether the figure has taken no action. Rules: FE-TURN-03."""
        return self == Activation()

    @property
    def idle(self) -> bool:
        """Return whether it has used nothing of its own activation: reactions and Free actions aside."""
        return not (self.main or self.moved or self.compatible)

    @property
    def moved(self) -> bool:
        """Return whether any of the Move action is used."""
        return bool(self.pace or self.halves)


def attack(activation: Activation, use: MainUse, *, opponent_near: bool = True) -> Activation:
    """Use the Main action: a Basic or Focused attack, or Teamwork for another's attack.

    opponent_near: for Teamwork after a Run, the opponent is in range or reach. Raises Forbidden.
    Rules: FE-ACT-01, FE-ACT-03, FE-ACT-04, FE-ACT-06, FE-CMB-03, FE-MOV-02, FE-MOV-03.
    """
    if use not in ("basic", "focused", "teamwork"):
        raise InvalidInput("Choose a Main action: basic, focused or teamwork.")
    if activation.main:
        forbid("The Main action has already been used.", "FE-ACT-01")
    if activation.pace == "rush":
        forbid(
            "You can't attack or give Teamwork after a Rush, because it takes the Main action.", "FE-MOV-03"
        )
    if use == "focused" and activation.moved:
        forbid(
            "You can't make a Focused attack after moving, because it takes the Move action too.", "FE-ACT-04"
        )
    if use == "teamwork" and activation.pace == "run" and not opponent_near:
        forbid("After a Run, you can give Teamwork only against an opponent in range or reach.", "FE-MOV-02")
    return replace(activation, main=use)


def move(activation: Activation, pace: Pace) -> Activation:
    """Use the Move action, or what one Half-Move action left of it. Raises Forbidden.

    Rules: FE-ACT-01, FE-ACT-04, FE-MOV-03, FE-MOV-04, FE-MOV-05.
    """
    if pace not in ("move", "run", "rush", "crawl"):
        raise InvalidInput("Choose a pace: move, run, rush or crawl.")
    _move_free(activation)
    if activation.pace or activation.halves > 1:
        forbid("The Move action has already been used.", "FE-ACT-01")
    if pace == "rush" and activation.main:
        forbid("You can't Rush, because the Main action has already been used.", "FE-MOV-03")
    if pace == "crawl" and activation.halves:
        forbid("You can't Crawl after a Half-Move, because a Crawl takes the whole Move action.", "FE-MOV-04")
    return replace(activation, pace=pace)


def half_move(activation: Activation, half: Halves) -> Activation:
    """Use a Half-Move action: two of them, or one and half a Move, Run or Rush. Raises Forbidden.

    Rules: FE-MOV-05, FE-MOV-07, FE-OBS-01, FE-OBS-09.
    """
    if half not in ("stand", "lock", "mount", "cross", "jump"):
        raise InvalidInput("Use a Half-Move to stand up, lock, mount, cross or jump.")
    _move_free(activation)
    if activation.halves + int(bool(activation.pace)) > 1 or activation.pace == "crawl":
        forbid("Both halves of the Move action have already been used.", "FE-MOV-05")
    return replace(activation, halves=activation.halves + 1)


def whole_move(activation: Activation) -> Activation:
    """Return the activation with its Move used for no pace: a tall obstacle, climbing, swimming.

    Raises Forbidden. Rules: FE-ACT-01, FE-MOV-05, FE-OBS-02, FE-OBS-09.
    """
    _move_free(activation)
    if activation.pace:
        forbid("The Move action has already been used.", "FE-ACT-01")
    if activation.halves:
        forbid("That takes a whole Move, and half of it has already been used.", "FE-MOV-05")
    return replace(activation, halves=2)


def _move_free(activation: Activation) -> None:
    if activation.main == "focused":
        forbid("You can't move, because the Focused attack took the Move action.", "FE-ACT-04")


def compatible(activation: Activation, action: str) -> Activation:
    """Use the one Compatible action, beside a Main or Move action. Raises Forbidden for a second one.

    Rules: FE-ACT-01, FE-ACT-08, FE-DET-02.
    """
    if action not in COMPATIBLE_ACTIONS:
        raise InvalidInput(f"Use one of these as a Compatible action: {', '.join(COMPATIBLE_ACTIONS)}.")
    if activation.compatible:
        forbid("You can use only one Compatible action in an activation.", "FE-ACT-08")
    return replace(activation, compatible=action)


def free(activation: Activation, action: str) -> Activation:
    """Use a Free action, of which there is no limit. Raises InvalidInput. Rules: FE-ACT-01, FE-ACT-09."""
    if action not in FREE_ACTIONS:
        raise InvalidInput(f"Use one of these as a Free action: {', '.join(FREE_ACTIONS)}.")
    return replace(activation, frees=activation.frees + 1)


def react(activation: Activation) -> Activation:
    """Return a reaction to a trigger, a Quick attack or a defence: any number.

    Rules: FE-ACT-01, FE-ACT-05, FE-ACT-10.
    """
    return replace(activation, reactions=activation.reactions + 1)


def half_paced(activation: Activation) -> bool:
    """Return whether the pace goes at half distance, because a Half-Move action took the other half.

    Rules: FE-MOV-05.
    """
    return bool(activation.pace) and activation.halves > 0


MAX_BONUS = 10
INITIATIVE = "initiative"
"""The name in a Crew Card's effect that gives its player more cards for initiative."""


def initiative_cards(bonus: int = 0) -> int:
    """Return the cards that a player draws for initiative: 1 and bonuses, 0 to 10. Rules: FE-TURN-01."""
    if not 0 <= bonus <= MAX_BONUS:
        raise InvalidInput(f"An initiative bonus must be between 0 and {MAX_BONUS} (you entered {bonus}).")
    return 1 + bonus


def initiative_bonus(figures: Iterable[Figure], settings: Settings) -> int:
    """Return the cards that a player's figures add to the initiative draw, 0 to 10: effects of Crew Cards on
    "initiative", of one kind only the best where the settings say so.

    Rules: FE-TURN-01, FE-MOD-03.
    """
    effects = tuple(
        effect
        for figure in figures
        for effect in figure.profile.effects
        if effect.target.casefold() == INITIATIVE
    )
    marks = sum(effect.marks for effect in stacked(effects, settings))
    return min(max(marks, 0), MAX_BONUS)


def draw_initiative(
    deck: Deck, count: int, settings: Settings, order: tuple[int, ...] = ()
) -> tuple[tuple[int, ...], Deck]:
    """Draw for initiative; gives the cards, and the deck with them discarded. Rules: FE-TURN-01."""
    cards, deck = decks.take(deck, count, settings, order)
    return cards, Deck(
        deck.pile, deck.draw_hand, deck.buff_hand, deck.played, (*deck.discards, *cards), deck.pushes
    )


def declared(cards: tuple[int, ...], settings: Settings) -> int:
    """Return the value declared: the highest drawn, an Ace counting 1. Rules: FE-TURN-01."""
    if not cards:
        raise InvalidInput("Draw a card first.")
    return max(settings.deck[card].value for card in cards)


@dataclass(frozen=True, slots=True)
class Priority:
    """`winner` is the place of the player with the highest value, or None; then those `tied` draw again."""

    winner: int | None
    tied: tuple[int, ...] = ()


def priority(values: tuple[int, ...]) -> Priority:
    """Return who acts first. values: as declared. Raises InvalidInput for fewer than two. Rules:
    FE-TURN-01.
    """
    if len(values) < 2:
        raise InvalidInput("Initiative needs at least two players.")
    best = tuple(place for place, value in enumerate(values) if value == max(values))
    return Priority(best[0]) if len(best) == 1 else Priority(None, best)


def redraw(
    figure: Figure,
    cards: tuple[int, ...],
    drop: int,
    deck: Deck,
    settings: Settings,
    order: tuple[int, ...] = (),
) -> tuple[tuple[int, ...], Deck]:
    """Discard and redraw an initiative card of a figure that passed last turn, once.

    cards: those drawn for initiative. drop: the card given up. Raises Forbidden. The table then applies
    `Lose` of the redraw. Rules: FE-TURN-03.
    """
    if not figure.has(REDRAW):
        raise Forbidden("Only a figure that passed last turn can redraw, and only once.", "FE-TURN-03")
    if drop not in cards:
        raise Forbidden("Discard a card that was drawn for initiative.", "FE-TURN-03")
    fresh, deck = draw_initiative(deck, 1, settings, order)
    return (*(card for card in cards if card != drop), *fresh), deck


def after_redraw(figure: Figure) -> tuple[Effect, ...]:
    """Use up the redraw. Rules: FE-TURN-03."""
    return (Lose(figure.id, REDRAW),)


def hold(figure: Figure, activation: Activation) -> tuple[Effect, ...]:
    """Delay a figure's activation. Raises Forbidden once it has acted. Rules: FE-TURN-02."""
    if not activation.passed:
        raise Forbidden("It is too late to wait, because this figure has begun to act.", "FE-TURN-02")
    return (Gain(figure.id, WAIT),)


def refuse_interrupt(figure: Figure) -> None:
    """Raise Forbidden for a figure that does not wait. Rules: FE-TURN-02."""
    if not figure.has(WAIT):
        forbid("Only a waiting figure can interrupt.", "FE-TURN-02")


def release(figure: Figure) -> tuple[Effect, ...]:
    """Activate a waiting figure. Rules: FE-TURN-02."""
    return (Lose(figure.id, WAIT),)


def end_of_turn(figure: Figure, activation: Activation) -> tuple[Effect, ...]:
    """Return the end of the turn: a figure without an action may begin the next on Wait, and redraw once.

    Rules: FE-TURN-03.
    """
    if not activation.passed:
        return tuple(Lose(figure.id, kind) for kind in (WAIT, REDRAW) if figure.has(kind))
    return (Gain(figure.id, WAIT, source="passed"), Gain(figure.id, REDRAW, source="passed"))


def start_turn(deck: Deck, settings: Settings, order: tuple[int, ...] = ()) -> Deck:
    """Return a player's cards at the start of a turn: the Buff Hand filled up, where the settings say so.

    Rules: FE-HAND-01.
    """
    return decks.refill(deck, settings, order) if settings.refill == "turn" else deck


SoloAction = Literal["attack", "defend", "interact", "move"]
SOLO: dict[str, SoloAction] = {
    "clubs": "attack",
    "diamonds": "defend",
    "hearts": "interact",
    "spades": "move",
}


def push_tokens(builds: tuple[int, ...], settings: Settings) -> tuple[int, ...]:
    """Push tokens of each crew: the pool, and the underdog's bonus for the one lowest build total.

    builds: build totals by crew, two or more, 0 to 9999. Raises InvalidInput.
    Rules: FE-HAND-03, FE-CREW-03.
    """
    if len(builds) < 2 or not all(0 <= build <= 9999 for build in builds):
        raise InvalidInput("You need at least two crews, each with a build total from 0 to 9999.")
    least = min(builds)
    single_build = builds.count(least) == 1
    bonus = settings.underdog_pushes if single_build else 0
    return tuple(settings.push_tokens + (bonus if build == least else 0) for build in builds)


def counts_for_victory(profile: Profile) -> bool:
    """Return whether the figure counts for victory points; Henchmen and Minions do not.

    Rules: FE-CREW-01, FE-CREW-02.
    """
    return profile.rank == "figure"


@dataclass(frozen=True, slots=True)
class SoloOrder:
    """An automated figure's orders: `order` is when (the value), `prefers` breaks ties of how it attacks."""

    action: SoloAction
    order: int
    prefers: Literal["fight", "shoot"]


def solo_order(card: int, deck: Cards) -> SoloOrder:
    """Return what a card of the priority deck orders one automated figure to do.

    Raises InvalidInput for a card without a suit, which that deck does not hold. Rules: FE-CREW-04.
    """
    drawn = deck[card]
    if not drawn.suit:
        raise InvalidInput("Draw another card. The priority deck has no Void or Flood.")
    return SoloOrder(SOLO[drawn.suit], drawn.value, "fight" if drawn.value % 2 == 0 else "shoot")
