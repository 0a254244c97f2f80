"""What the steps of Counterblast's rolls share: what is frozen of a check, how it is told."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from bot.actions import Action
from bot.games.counterblast.core.common import could, price, token_price
from bot.games.counterblast.core.rolls import compact, finish
from bot.games.counterblast.core.telling import Telling
from bot.games.counterblast.core.words import hurt_words, wound_odds
from bot.replies.chances import percent
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.journal.history import UNDO
from bot.table.steps import Chances, Rolled, Steps, Weighed
from rules.dice import Odds
from rules.effects import Effect
from rules.systems.counterblast.core.checks import Prepared
from rules.systems.counterblast.core.fighter import Fighter

A = TypeVar("A", bound=Action)
P = TypeVar("P", bound=Hashable)
O = TypeVar("O", bound=Hashable)  # noqa: E741 - an outcome


class FinishingOften(Rolled[A, P, O, Telling], Generic[A, P, O]):
    """Rolls that are told with their dice above what is proposed."""

    def tell(self, act: Act, action: A, ready: P, told: Telling) -> Reply:
        """What happened, the dice, then what follows from it."""
        return finish(act, told, told.dice, *told.more)


class Finishing(FinishingOften[A, P, O], Steps[A, P, O, Telling], Generic[A, P, O]):
    """One roll that is told so."""


class Lasting(Weighed[A, P], Generic[A, P]):
    """What is done at its button whatever has happened since its odds were asked."""

    def odds(self, act: Act, action: A, ready: P) -> Reply:
        """With buttons that last."""
        reply = super().odds(act, action, ready)
        return replace(reply, buttons=tuple(replace(one, anytime=True) for one in reply.buttons))


class Throwing(Steps[A, P, O, Telling], Generic[A, P, O]):
    """A roll that is told like any other of Counterblast."""

    def tell(self, act: Act, action: A, ready: P, told: Telling) -> Reply:
        """What happened and what follows from it, then the dice."""
        thrown = [*told.dice, *compact(act.dice.trace)]
        lines = [*told.lines, *told.proposal_lines(), *([""] if thrown else []), *thrown]
        return Reply(tuple(lines), buttons=told.buttons(act, *told.more, UNDO), why=tuple(told.why))


@dataclass(frozen=True, slots=True)
class ReadyCheck:
    """A check that may be rolled, with every reason for its dice; due: what it costs."""

    prepared: Prepared
    due: tuple[Effect, ...] = ()


def due(act: Act, model: Fighter, key: str, *, order: bool) -> tuple[Effect, ...]:
    """What an action costs, and an order token with it. Raises Forbidden, unless overridden.

    For odds, all but whose turn it is may refuse, and only the token is priced.
    """
    if act.looks:
        could(act, model, key)
    costs = () if act.looks else price(act, model, key)
    return (*costs, *token_price(act, model, spent=order))


def suffering(
    model: Fighter, odds: Odds[int], *before: str, last: str = "goes down", left: int = 0
) -> Chances:
    """The chances of so many wounds. last: what comes of as many as it has Life left, or `left`."""
    life = max(1, left or model.life_left)
    lines = wound_odds(odds, life, last)
    return Chances((*before, *lines), last, odds.chance(lambda wounds: wounds >= life), (odds,))


def suffered_by(head: str, hurt: Sequence[tuple[Fighter, Odds[int]]]) -> Chances:
    """The chances that what needs no check of theirs hurts these models."""
    lines = [f"{one.name}: {hurt_words(odds, one)}" for one, odds in hurt]
    return Chances((head, *lines), solved=tuple(odds for _, odds in hurt))


def passing(name: str, does: str, odds: Odds[bool], dice: str) -> Chances:
    """The chances of a check that is passed or failed. does: what a model does that passes it."""
    chance = odds.chance(bool)
    return Chances((f"{name} {does}: {percent(chance).strip()}", dice), does, chance, (odds,))
