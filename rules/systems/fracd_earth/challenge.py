"""A Challenge between two players, as an explicit state machine.

Owns the frozen `Challenge` and its transitions; each takes the player who acts and refuses what is not
allowed with `Forbidden` or `InvalidInput`. Steps: "draw" (draw and select, until both cards are flipped),
"buff", "push", "resolve" (the result stands, Morph). A step ends by itself. While an Ace waits for
its second card nothing else may be done. Where a transition takes cards off a pile it also takes `order`,
a shuffle of the discards, needed where the pile is too short for them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth import seat as seats
from rules.systems.fracd_earth.outcome import ChallengeResult
from rules.systems.fracd_earth.seat import Act, Buff, Seat
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
        """That side."""
        return self.active if role == "active" else self.reactive


def begin(active: Seat, reactive: Seat, *, all_or_nothing: bool = False) -> Challenge:
    """A Challenge of an active figure against a reactive one. Raises InvalidInput for one and the same
    player.

    Rules: FE-CHAL-01.
    """
    if active.entry.player == reactive.entry.player:
        raise InvalidInput("A Challenge needs two players.")
    return Challenge(active, reactive, all_or_nothing)


def role_of(challenge: Challenge, player: int) -> Role:
    """Which side the player is. Raises Forbidden for anybody else."""
    if player == challenge.active.entry.player:
        return "active"
    if player == challenge.reactive.entry.player:
        return "reactive"
    raise Forbidden("You are not part of this Challenge.", "FE-CHAL-01")


def totals(challenge: Challenge, settings: Settings) -> tuple[int, int]:
    """Totals of the active and the reactive side from what lies face up. Rules: FE-CHAL-03."""
    return seats.total(challenge.active, settings), seats.total(challenge.reactive, settings)


def losing(challenge: Challenge, settings: Settings) -> Role:
    """Who acts first: the side behind, the reactive one on equal totals. Rules: FE-CHAL-04, FE-CHAL-06."""
    active, reactive = totals(challenge, settings)
    return "active" if active < reactive else "reactive"


def result(challenge: Challenge) -> ChallengeResult:
    """The outcome. Raises Forbidden before it stands. Rules: FE-OUT-01 to FE-OUT-07."""
    if challenge.final is None:
        raise Forbidden("The Challenge is not finished.", "FE-CHAL-01")
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
        raise Forbidden("Your opponent picks the card of your penalty hand.", "FE-DRAW-03")
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
    """Whether this side now has to pick from its opponent's penalty hand.

    Its own card goes first unless the opponent picks that one too. Rules: FE-DRAW-03.
    """
    if settings.penalty_hand != "opponent_picks":
        return False
    mine, theirs = challenge.seat(role), challenge.seat(OTHER[role])
    mine_open = not mine.shown.ready and not mine.entry.draw.penalty
    return theirs.entry.draw.penalty and theirs.shown.drawn > 0 and not theirs.shown.ready and not mine_open


# ---------------------------------------------------------------- Aces


def linker(challenge: Challenge, settings: Settings) -> Role | None:
    """Who has to link a card to an Ace before anything else, the active side first; None where nobody has.

    Rules: FE-DECK-03.
    """
    if challenge.step == "draw":
        return None
    roles: tuple[Role, Role] = ("active", "reactive")
    return next((role for role in roles if seats.open_link(challenge.seat(role), settings)), None)


def take_link(challenge: Challenge, player: int, settings: Settings, order: Order = ()) -> Challenge:
    """Take the top card for an Ace that lies face up. Raises Forbidden. Rules: FE-DECK-03."""
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
        raise Forbidden("No Ace waits for a link.", "FE-DECK-03")
    if waiting != role:
        raise Forbidden("Your opponent links an Ace first.", "FE-DECK-03")
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
    """Neither buff nor push now. Not final: who passed may still answer. Raises Forbidden out of turn.

    Rules: FE-CHAL-04, FE-CHAL-05, FE-CHAL-06, FE-CHAL-07.
    """
    if challenge.step not in ("buff", "push"):
        raise Forbidden("There is nothing to pass now.", "FE-CHAL-01")
    role = _on_turn(challenge, player, challenge.step, settings)
    seat = challenge.seat(role)
    shown = (
        replace(seat.shown, buff="passed") if challenge.step == "buff" else replace(seat.shown, push="passed")
    )
    return _after_act(_with(challenge, role, replace(seat, shown=shown)), role, settings)


def _act(challenge: Challenge, role: Role) -> Act:
    shown = challenge.seat(role).shown
    return shown.buff if challenge.step == "buff" else shown.push


def _after_act(challenge: Challenge, role: Role, settings: Settings) -> Challenge:
    """The other side's chance, or the end of the step."""
    mine, theirs = _act(challenge, role), _act(challenge, OTHER[role])
    if theirs == "" or (mine == "placed" and theirs == "passed"):
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
    """Once no Ace waits: who opens the step, or the final result."""
    if linker(challenge, settings) is not None:
        return replace(challenge, turn=None)
    if challenge.step == "resolve":
        active, reactive = totals(challenge, settings)
        return replace(challenge, turn=None, final=active - reactive)
    return replace(challenge, turn=losing(challenge, settings))


# ---------------------------------------------------------------- the end


def morph(challenge: Challenge, player: int, card: int) -> Challenge:
    """A Caster reveals one unused draw card. Its effect is told, not computed. Rules: FE-CHAL-09."""
    role = _in_step(challenge, player, "resolve", "FE-CHAL-09")
    result(challenge)
    return _with(challenge, role, seats.morph(challenge.seat(role), card))


def morph_text(settings: Settings) -> str:
    """What a Morph does at this table; the players tell it where nothing is set. Rules: FE-CHAL-09."""
    return settings.morph or "as the Caster's card says"


def _in_step(challenge: Challenge, player: int, step: Step, rule: str) -> Role:
    role = role_of(challenge, player)
    if challenge.step != step:
        raise Forbidden(f"This belongs to the {step} step, not to the {challenge.step} step.", rule)
    return role


def _on_turn(challenge: Challenge, player: int, step: Step, settings: Settings) -> Role:
    rule = "FE-CHAL-04" if step == "buff" else "FE-CHAL-06"
    role = _in_step(challenge, player, step, rule)
    if linker(challenge, settings) is not None:
        raise Forbidden("An Ace waits for its link first.", "FE-DECK-03")
    if challenge.turn != role:
        raise Forbidden("It is your opponent's turn to act.", rule)
    return role


def _with(challenge: Challenge, role: Role, seat: Seat) -> Challenge:
    return replace(challenge, active=seat) if role == "active" else replace(challenge, reactive=seat)
