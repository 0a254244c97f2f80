"""A Challenge between two players as a state machine, and what a player may do in it or in a Check."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth import seat as seats
from rules.systems.fracd_earth.cards import card_number, may_reinforce, worth
from rules.systems.fracd_earth.checks import Check
from rules.systems.fracd_earth.outcomes import ChallengeResult
from rules.systems.fracd_earth.seat import Act, Buff, BuffKind, Seat
from rules.systems.fracd_earth.settings import Settings

Step = Literal["draw", "buff", "push", "resolve"]
Role = Literal["active", "reactive"]
Order = tuple[int, ...]

OTHER: dict[Role, Role] = {"active": "reactive", "reactive": "active"}


@dataclass(frozen=True, slots=True)
class Challenge:
    """A Challenge under way. `turn` is who has to act in the Buff and Push Steps; `placed` is the order in
    which Buff cards were laid; `final` the totals' difference once it stands.
    """

    active: Seat
    reactive: Seat
    all_or_nothing: bool = False
    step: Step = "draw"
    turn: Role | None = None
    placed: tuple[Role, ...] = ()
    final: int | None = None

    def seat(self, role: Role) -> Seat:
        """Return that side."""
        return self.active if role == "active" else self.reactive


def begin(active: Seat, reactive: Seat, *, all_or_nothing: bool = False) -> Challenge:
    """Return a Challenge of an active figure against a reactive one. Raises InvalidInput for one and the same
    player.

    Rules: FE-CHAL-01.
    """
    if active.entry.player == reactive.entry.player:
        raise InvalidInput("A Challenge needs two players.")
    return Challenge(active, reactive, all_or_nothing)


def role_of(challenge: Challenge, player: int) -> Role:
    """Return which side the player is. Raises Forbidden for anybody else."""
    if player == challenge.active.entry.player:
        return "active"
    if player == challenge.reactive.entry.player:
        return "reactive"
    raise Forbidden("You are not part of this Challenge.", "FE-CHAL-01")


def totals(challenge: Challenge, settings: Settings) -> tuple[int, int]:
    """Return the totals of the active and the reactive side from what lies face up. Rules: FE-CHAL-03."""
    return seats.total(challenge.active, settings), seats.total(challenge.reactive, settings)


def losing(challenge: Challenge, settings: Settings) -> Role:
    """Return who acts first: the side behind, or the reactive one if equal. Rules: FE-CHAL-04, FE-CHAL-06."""
    active, reactive = totals(challenge, settings)
    return "active" if active < reactive else "reactive"


def result(challenge: Challenge) -> ChallengeResult:
    """Return the outcome. Raises Forbidden before it stands. Rules: FE-OUT-01 to FE-OUT-07."""
    if challenge.final is None:
        raise Forbidden("Finish the Challenge first.", "FE-CHAL-01")
    return ChallengeResult(challenge.final, challenge.all_or_nothing)


# ---------------------------------------------------------------- draw and select


def draw(challenge: Challenge, player: int, settings: Settings, order: Order = ()) -> Challenge:
    """Draw the hand that the marks gave. Raises Forbidden. Rules: FE-CHAL-02, FE-DRAW-01."""
    role = _in_step(challenge, player, "draw", "FE-CHAL-02")
    return _with(challenge, role, seats.draw(challenge.seat(role), settings, order))


def select(challenge: Challenge, player: int, card: int, settings: Settings) -> Challenge:
    """Select one drawn card; when both have, the cards are flipped together.

    Where the settings let the opponent pick from a penalty hand, `player` is that opponent. Raises Forbidden.
    Rules: FE-CHAL-02, FE-DRAW-03, FE-DRAW-04.
    """
    role = _in_step(challenge, player, "draw", "FE-CHAL-02")
    if picks_for_opponent(challenge, role, settings):
        role = OTHER[role]
    elif not seats.picks_own(challenge.seat(role), settings):
        raise Forbidden("Wait for your opponent to pick the card from your penalty hand.", "FE-DRAW-03")
    challenge = _with(challenge, role, seats.select(challenge.seat(role), card, settings))
    if not (challenge.active.shown.ready and challenge.reactive.shown.ready):
        return challenge
    flipped = replace(
        challenge,
        active=seats.reveal(challenge.active),
        reactive=seats.reveal(challenge.reactive),
        step="buff",
    )
    return _set_turn(flipped, settings)


def picks_for_opponent(challenge: Challenge, role: Role, settings: Settings) -> bool:
    """Return whether this side now has to pick from its opponent's penalty hand.

    Its own card goes first unless the opponent picks that one too. Rules: FE-DRAW-03.
    """
    if settings.penalty_hand != "opponent_picks":
        return False
    seat, opponent = challenge.seat(role), challenge.seat(OTHER[role])
    mine_open = not seat.shown.ready and not seat.entry.draw.penalty
    return (
        opponent.entry.draw.penalty
        and opponent.shown.drawn > 0
        and not opponent.shown.ready
        and not mine_open
    )


# ---------------------------------------------------------------- Aces


def linker(challenge: Challenge, settings: Settings) -> Role | None:
    """Return who has to link a card to an Ace before anything else, the active side first, or None.

    Rules: FE-DECK-03.
    """
    if challenge.step == "draw":
        return None
    roles: tuple[Role, Role] = ("active", "reactive")
    return next((role for role in roles if seats.open_link(challenge.seat(role), settings)), None)


def take_link(challenge: Challenge, player: int, settings: Settings, order: Order = ()) -> Challenge:
    """Return the Challenge with the top card taken for an Ace. Raises Forbidden. Rules: FE-DECK-03."""
    role = _linking(challenge, player, settings)
    seat = seats.take_link(challenge.seat(role), settings, order)
    return _set_turn(_with(challenge, role, seat), settings)


def link(challenge: Challenge, player: int, card: int, settings: Settings) -> Challenge:
    """Link a card of the Buff Hand to the Ace. Raises Forbidden. Rules: FE-DECK-03."""
    role = _linking(challenge, player, settings)
    return _set_turn(_with(challenge, role, seats.link(challenge.seat(role), card, settings)), settings)


def _linking(challenge: Challenge, player: int, settings: Settings) -> Role:
    role = role_of(challenge, player)
    waiting = linker(challenge, settings)
    if waiting is None:
        raise Forbidden("There is no Ace to link a card to.", "FE-DECK-03")
    if waiting != role:
        raise Forbidden("Wait for your opponent to link a card to an Ace.", "FE-DECK-03")
    return role


# ---------------------------------------------------------------- buff and push


def buff(challenge: Challenge, player: int, card: Buff, settings: Settings) -> Challenge:
    """Lay one Buff card face down. Raises Forbidden out of turn, for a second card, for a card that may not.

    A Block aimed at a Buff card needs one lying there. Rules: FE-CHAL-04, FE-CHAL-05, FE-DECK-08, FE-DECK-10.
    """
    role = _on_turn(challenge, player, "buff", settings)
    if card.kind == "block" and card.target == "buff" and challenge.seat(OTHER[role]).shown.buff != "placed":
        raise Forbidden("There is no Buff card to block.", "FE-DECK-10")
    challenge = _with(challenge, role, seats.place_buff(challenge.seat(role), card, settings))
    return _after_act(replace(challenge, placed=(*challenge.placed, role)), role, settings)


def push(challenge: Challenge, player: int, settings: Settings, order: Order = ()) -> Challenge:
    """Spend a Push token: the top card is laid face down. Raises Forbidden. Rules: FE-CHAL-06, FE-CHAL-07."""
    role = _on_turn(challenge, player, "push", settings)
    challenge = _with(challenge, role, seats.place_push(challenge.seat(role), settings, order))
    return _after_act(challenge, role, settings)


def pass_step(challenge: Challenge, player: int, settings: Settings) -> Challenge:
    """Pass: neither buff nor push now, but answer later if possible. Raises Forbidden out of turn.

    Rules: FE-CHAL-04, FE-CHAL-05, FE-CHAL-06, FE-CHAL-07.
    """
    if challenge.step not in ("buff", "push"):
        raise Forbidden("You can pass only in the buff step or the push step.", "FE-CHAL-01")
    role = _on_turn(challenge, player, challenge.step, settings)
    seat = challenge.seat(role)
    face_up = (
        replace(seat.shown, buff="passed") if challenge.step == "buff" else replace(seat.shown, push="passed")
    )
    return _after_act(_with(challenge, role, replace(seat, shown=face_up)), role, settings)


def _act(challenge: Challenge, role: Role) -> Act:
    face_up = challenge.seat(role).shown
    return face_up.buff if challenge.step == "buff" else face_up.push


def _after_act(challenge: Challenge, role: Role, settings: Settings) -> Challenge:
    own_act, enemy_act = _act(challenge, role), _act(challenge, OTHER[role])
    if enemy_act == "" or (own_act == "placed" and enemy_act == "passed"):
        return replace(challenge, turn=OTHER[role])
    if challenge.step == "buff":
        return _end_buff(challenge, settings)
    return _end_push(challenge, settings)


def _end_buff(challenge: Challenge, settings: Settings) -> Challenge:
    """Reveal the Buff cards: reinforcements and replacements, then Blocks in the order laid."""
    challenge = replace(
        challenge,
        active=seats.reveal_buff(challenge.active, settings),
        reactive=seats.reveal_buff(challenge.reactive, settings),
    )
    for role in challenge.placed:
        laid = challenge.seat(role).hidden.buff
        if laid is not None and laid.kind == "block":
            other = OTHER[role]
            challenge = _with(challenge, other, seats.remove(challenge.seat(other), laid.target))
    return _set_turn(replace(challenge, step="push"), settings)


def _end_push(challenge: Challenge, settings: Settings) -> Challenge:
    challenge = replace(
        challenge,
        active=seats.reveal_push(challenge.active),
        reactive=seats.reveal_push(challenge.reactive),
        step="resolve",
    )
    return _set_turn(challenge, settings)


def _set_turn(challenge: Challenge, settings: Settings) -> Challenge:
    if linker(challenge, settings) is not None:
        return replace(challenge, turn=None)
    if challenge.step == "resolve":
        active, reactive = totals(challenge, settings)
        return replace(challenge, turn=None, final=active - reactive)
    return replace(challenge, turn=losing(challenge, settings))


# ---------------------------------------------------------------- the end


def morph(challenge: Challenge, player: int, card: int) -> Challenge:
    """Reveal one unused draw card of a Caster. Its effect is told, not computed. Rules: FE-CHAL-09."""
    role = _in_step(challenge, player, "resolve", "FE-CHAL-09")
    result(challenge)
    return _with(challenge, role, seats.morph(challenge.seat(role), card))


def morph_text(settings: Settings) -> str:
    """Return the effect of a Morph here; without a setting the players decide. Rules: FE-CHAL-09."""
    return settings.morph or "as the Caster's card says"


def _in_step(challenge: Challenge, player: int, step: Step, rule: str) -> Role:
    role = role_of(challenge, player)
    if challenge.step != step:
        raise Forbidden(f"You can only do this in the {step} step (this is the {challenge.step} step).", rule)
    return role


def _on_turn(challenge: Challenge, player: int, step: Step, settings: Settings) -> Role:
    rule = "FE-CHAL-04" if step == "buff" else "FE-CHAL-06"
    role = _in_step(challenge, player, step, rule)
    if linker(challenge, settings) is not None:
        raise Forbidden("Link a card to the Ace first.", "FE-DECK-03")
    if challenge.turn != role:
        raise Forbidden("Wait for your opponent to act.", rule)
    return role


def _with(challenge: Challenge, role: Role, seat: Seat) -> Challenge:
    return replace(challenge, active=seat) if role == "active" else replace(challenge, reactive=seat)


@dataclass(frozen=True, slots=True)
class Option:
    """A Buff card that may be laid now. totals: one's own and the opponent's, were it turned up at once and
    nothing else; of a Check one's own and 0.
    """

    kind: BuffKind
    card: str
    totals: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices of a player in a Challenge; cards are keys of the deck. `selectable` are the draw cards
    that may be selected, from the opponent's hand if `picks_for_opponent`; `linkable` are cards to link to
    an Ace; `options` are Buff cards.
    """

    selectable: tuple[str, ...]
    picks_for_opponent: bool
    linkable: tuple[str, ...]
    options: tuple[Option, ...]


def choices(challenge: Challenge, player: int, settings: Settings) -> Choices:
    """Return the choices of one of the two players. Raises Forbidden for anyone else.

    Rules: FE-CHAL-02, FE-DRAW-03, FE-HAND-02.
    """
    role = role_of(challenge, player)
    seat = challenge.seat(role)
    picking = picks_for_opponent(challenge, role, settings)
    picked_from = challenge.seat(OTHER[role]) if picking else seat
    may_pick = picking or seats.picks_own(seat, settings)
    own_buff_step = challenge.step == "buff" and challenge.turn == role
    options = buff_options(seat, settings, challenge.seat(OTHER[role])) if own_buff_step else ()
    return Choices(
        selectable=_keys(selectable(picked_from, settings), settings) if may_pick else (),
        picks_for_opponent=picking,
        linkable=_keys(seat.hidden.deck.buff_hand, settings) if seat.shown.linking else (),
        options=options,
    )


@dataclass(frozen=True, slots=True)
class CheckChoices:
    """The choices of the checking player. `reinforcing` are draw cards that may reinforce now."""

    selectable: tuple[str, ...]
    linkable: tuple[str, ...]
    reinforcing: tuple[Option, ...]


def check_choices(check: Check, player: int, settings: Settings) -> CheckChoices:
    """Return the checking player's choices. Raises Forbidden for others. Rules: FE-CHK-02, FE-HAND-02."""
    seat = check.seat
    if player != seat.entry.player:
        raise Forbidden("You can't do this in another player's Check.", "FE-CHK-02")
    own_choice = check.step == "draw" and seats.picks_own(seat, settings)
    reinforcing = buff_options(seat, settings) if check.step == "reinforce" else ()
    drawn = _keys(seat.hidden.deck.draw_hand, settings)
    return CheckChoices(
        selectable=_keys(selectable(seat, settings), settings) if own_choice else (),
        linkable=_keys(seat.hidden.deck.buff_hand, settings) if seat.shown.linking else (),
        reinforcing=tuple(option for option in reinforcing if option.card in drawn),
    )


def selectable(seat: Seat, settings: Settings) -> tuple[int, ...]:
    """Return the draw cards that may be selected now. Rules: FE-DRAW-03, FE-DRAW-04."""
    hand = seat.hidden.deck.draw_hand
    if seat.shown.ready or not hand:
        return ()
    if seat.entry.draw.penalty and settings.penalty_hand == "lowest":
        return seats.lowest(hand, settings)
    return hand


def buff_options(seat: Seat, settings: Settings, opponent: Seat | None = None) -> tuple[Option, ...]:
    """Return every Buff card with each use it may be put to, and what would come of it.

    against: the other side of a Challenge. Rules: FE-DECK-06, FE-DECK-07, FE-DECK-09, FE-DECK-10.
    """
    group = seat.shown.active.draw
    if group is None or seat.shown.buff == "placed":
        return ()
    value, deck = worth(settings.deck, group), seat.hidden.deck
    options: list[Option] = []
    for number in deck.buff_hand:
        card = settings.deck[number]
        options += [Option("reinforce", card.key)] if may_reinforce(card, value) else []
        options += [Option("replace", card.key)] if card.replaces else []
        options += [Option("block", card.key)] if card.blocks else []
    for number in deck.draw_hand if seat.entry.combined else ():
        card = settings.deck[number]
        if number != seat.hidden.selected and may_reinforce(card, value):
            options.append(Option("reinforce", card.key))
    return tuple(replace(option, totals=_made_of(seat, option, settings, opponent)) for option in options)


def _made_of(seat: Seat, option: Option, settings: Settings, opponent: Seat | None) -> tuple[int, int]:
    laid = seats.place_buff(seat, Buff(option.kind, card_number(settings.deck, option.card)), settings)
    own_total = seats.total(seats.reveal_buff(laid, settings), settings)
    if opponent is None:
        return own_total, 0
    hit = seats.remove(opponent, "draw") if option.kind == "block" else opponent
    return own_total, seats.total(hit, settings)


def _keys(cards: tuple[int, ...], settings: Settings) -> tuple[str, ...]:
    return tuple(settings.deck[card].key for card in cards)
