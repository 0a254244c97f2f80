"""Drawing cards in steps: how an action begins a Challenge or a Check, and its chances.

Chances come from the cards of who asks, and are told to that person alone. Of other players' cards nothing
is used: their decks count as whole, their Buff Hands as dealt from such a deck, their Aces as linked to the
card that follows. Both sides are taken to want the highest total, and so to buff and push.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Generic, TypeVar

from bot.actions import Action
from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth.players import deck_of, player_of, pushes_of, require_holder
from bot.games.fracd_earth.settings import settings_of
from bot.replies.chances import bars, exactness, percent
from bot.replies.reply import COLUMNS
from bot.store.rows import ModelRow
from bot.table.act import ActView
from bot.table.steps import Chances, Weighed
from rules.dice import Odds
from rules.refusals import InvalidInput
from rules.systems.fracd_earth import chances, playing
from rules.systems.fracd_earth.chances import Hand
from rules.systems.fracd_earth.deck import Prepared
from rules.systems.fracd_earth.settings import Settings

A = TypeVar("A", bound=Action)
P = TypeVar("P", bound=Hashable)


class Drawing(Weighed[A, P], Generic[A, P]):
    """An action that begins a Challenge or a Check; `prepare` writes it in its one form."""

    label = "Draw"

    def closing(self, chances: Chances) -> tuple[str, ...]:
        return (*chances.not_yet, *wrap(" ".join((*chances.apart, "Only you can see this.")), COLUMNS))


def require_no_exchange(act: ActView, action: Action) -> None:
    """Refuse whatever draws while a Challenge or a Check is under way. Raises InvalidInput."""
    exchanges.refuse_while_busy(act.encounter)


def hand_words(hand: Hand) -> str:
    """Return a hand with what it adds: which of its cards counts, and the trait."""
    card_choice = "lowest" if hand.penalty else "best"
    cards = f"{card_choice} of {hand.cards} cards" if hand.cards > 1 else "1 card"
    return f"{cards} {hand.trait:+d}"


def _require_own_cards(act: ActView, number: int) -> None:
    """Chances come from cards, so they go to who holds these; never out into the open by an override."""
    require_holder(act, number)
    if act.overridden:
        raise InvalidInput("You can't see the odds of an action that the rules don't allow.")


def check_chances(
    act: ActView,
    number: int,
    prepared: Prepared,
    tn: int,
    *,
    all_or_nothing: bool,
    edges: bool = True,
    tn_text: str = "",
    not_yet: str = "",
) -> Chances:
    """Return the chances of a Check of a player, with a Push where there is a token for it.

    strictly: All or Nothing. edges: whether it earns any; head: what the TN is called, where it has another
    name. Rules: FE-CHK-02, FE-CHK-03, FE-CHK-05.
    """
    _require_own_cards(act, number)
    settings = settings_of(act.encounter)
    deck = deck_of(act.encounter, number)
    hand = chances.hand_of(prepared.draw, prepared.trait, deck, settings, push=deck.pushes > 0)
    supply = chances.own_supply(deck, settings)
    odds = act.solve(chances.check, supply, hand, tn, all_or_nothing=all_or_nothing)
    success_chance = odds.chance(lambda result: result.verdict == "success")
    rows = [("success", success_chance)]
    if not all_or_nothing:
        rows.append(("partial", odds.chance(lambda result: result.verdict == "partial")))
    if edges:
        rows.append(("an Edge", odds.chance(lambda result: result.edges > 0)))
    heading = tn_text or f"TN {tn}{' (all or nothing)' if all_or_nothing else ''}"
    push_text = "The odds include a Push." if hand.push else "You have no Push tokens left."
    return Chances(
        (f"{heading}: {hand_words(hand)}", *bars(rows)),
        "success",
        success_chance,
        (odds,),
        apart=(f"{push_text} {exactness(odds)} The odds are based on the cards left in your deck.",),
        not_yet=(not_yet,) if not_yet else (),
    )


@dataclass(frozen=True, slots=True)
class Answer:
    """One way to answer in a Challenge. name: of the trait, empty where there is no choice."""

    side: Prepared
    name: str = ""


@dataclass(frozen=True, slots=True)
class Equal:
    """The meaning of equal totals in words; partial: whether that is a Partial Success."""

    words: str
    partial: bool = False


def clash_chances(
    act: ActView,
    model: ModelRow,
    opponent: ModelRow,
    prepared: Prepared,
    answers: Sequence[Answer],
    *,
    equal: Equal,
    edges: bool = True,
    combined: bool = False,
    not_yet: str = "",
) -> Chances:
    """Return the chances of a Challenge of a figure, both sides playing as well as they can.

    answers: how the other may answer: the one told is that against which least is won. edges: whether one's
    own figure earns any. combined: a group acts. Rules: FE-CHAL-03 to FE-CHAL-07, FE-CMB-10, FE-CREW-02.
    """
    number = player_of(act.encounter, model)
    _require_own_cards(act, number)
    settings = settings_of(act.encounter)
    own_side = playing.own_side(prepared, deck_of(act.encounter, number), settings, combined=combined)
    opponent_pushes = pushes_of(act.encounter, opponent.side) > 0
    opposing_sides = [playing.unseen_side(answer.side, settings, push=opponent_pushes) for answer in answers]
    all_odds = [act.solve(playing.clash, own_side, side) for side in opposing_sides]
    min_margin = 0 if equal.partial else 1
    worst_index = min(
        range(len(all_odds)),
        key=lambda place: (all_odds[place].chance(lambda m: m >= min_margin), _win_chance(all_odds[place])),
    )
    odds = all_odds[worst_index]
    opposing_hand = opposing_sides[worst_index].hand
    lines = [f"Win {_percent(odds)}: {hand_words(own_side.hand)} against {hand_words(opposing_hand)}"]
    lines += _answer_lines(opponent.name, answers, all_odds, worst_index)
    return Chances(
        (*lines, *bars(_margin_bars(odds, equal, edges=edges))),
        "win",
        _win_chance(odds),
        tuple(all_odds),
        apart=assumption_lines(
            settings,
            own_push=own_side.hand.push,
            opponent_push=opponent_pushes,
            exactness_text=exactness(*all_odds),
        ),
        not_yet=(not_yet,) if not_yet else (),
    )


def _answer_lines(
    name: str, answers: Sequence[Answer], all_odds: Sequence[Odds[int]], worst_index: int
) -> list[str]:
    lines = [
        "the odds above apply" if place == worst_index else f"you win {_percent(odds)}"
        for place, odds in enumerate(all_odds)
    ]
    answer_lines = zip(answers, lines, strict=True)
    return [f"If {name} defends with {answer.name}, {words}" for answer, words in answer_lines if answer.name]


def _margin_bars(odds: Odds[int], equal: Equal, *, edges: bool) -> list[tuple[str, float]]:
    rows = [("win", _win_chance(odds)), (equal.words, odds.chance(lambda margin: margin == 0))]
    if edges:
        rows += [(f"{count}+ Edges", odds.chance(lambda m, c=count: m >= 3 * c)) for count in (1, 2)]  # type: ignore[misc]
    return rows


def assumption_lines(
    settings: Settings, *, own_push: bool, opponent_push: bool, exactness_text: str
) -> tuple[str, ...]:
    """Return how both play, and of which cards. exactness: how exact that is."""
    push_text = {
        (True, True): "both sides push",
        (True, False): "only you push",
        (False, True): "only your opponent pushes",
        (False, False): "neither side can push",
    }[own_push, opponent_push]
    blocks = ("Blocks are not included.",) if any(card.blocks for card in settings.deck) else ()
    return (
        (
            f"This assumes that each side plays its best Buff card and {push_text}. {exactness_text} "
            "The odds use your real cards and a full deck for your opponent."
        ),
        "Each of your opponent's Aces is linked to the next card in that deck.",
        *blocks,
    )


def _win_chance(odds: Odds[int]) -> float:
    return odds.chance(lambda margin: margin > 0)


def _percent(odds: Odds[int]) -> str:
    return percent(_win_chance(odds)).strip()
