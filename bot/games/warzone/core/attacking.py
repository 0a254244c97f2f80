"""Attacks of one model in steps: the nerve, the test of a machine that may know no foe, then its blows."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from bot.actions import Action
from bot.games.warzone.core.attacks import (
    Prepared,
    Struck,
    attack_chances,
    carry_attack,
    throw_attack,
    with_blow_back,
)
from bot.games.warzone.core.common import is_out, pay
from bot.games.warzone.core.fear import by_ld, tell_ld
from bot.games.warzone.core.telling import Telling
from bot.games.warzone.core.undertaking import Begin, Performing
from bot.replies.reply import Button
from bot.table.act import Act
from bot.table.steps import Chances
from rules.effects import Effect
from rules.modifiers import Modifier
from rules.systems.warzone.characteristic import Grade, check
from rules.systems.warzone.model import Model
from rules.systems.warzone.morale import Act as Deed
from rules.systems.warzone.morale import ld_limit
from rules.systems.warzone.powers import after_recognition

A = TypeVar("A", bound=Action)

FAULT = "Recognition Fault"


@dataclass(frozen=True, slots=True)
class ReadyAttack:
    """An attack that may be made. said: what was measured for it; fault: modifiers of a machine's LD test.

    back: the blow of who strikes back at once.
    """

    begin: Begin
    blow: Prepared
    said: tuple[str, ...]
    fault: tuple[Modifier, ...] | None = None
    back: Prepared | None = None


@dataclass(frozen=True, slots=True)
class Attacked:
    """What was rolled for it. known: whether a machine knew its foe, None where it need not ask."""

    known: Grade | None
    blows: tuple[Struck, ...] = ()


class Attacking(Performing[A, ReadyAttack, Attacked], Generic[A]):
    """An attack on one model."""

    @abstractmethod
    def after(self, act: Act, blow: Prepared, *, fumbled: bool) -> Sequence[Effect]:
        """What a blow does to who strikes it."""

    def rolls(self, act: Act, action: A, ready: ReadyAttack) -> Attacked:
        """The machine's test, then the blow, then the one back."""
        known = throw_fault(act, ready.blow.attacker, ready.fault)
        if known is not None and not known.passed:
            return Attacked(known)
        both = (ready.blow, *([ready.back] if ready.back is not None else []))
        return Attacked(known, tuple(throw_attack(act, blow) for blow in both))

    def done(self, telling: Telling, action: A, ready: ReadyAttack, result: Attacked) -> None:
        """Each blow, which both have prepared before the first falls."""
        act, blow = telling.act, ready.blow
        if not carry_fault(telling, blow.attacker, ready.fault, result.known):
            return
        telling.dice += ready.said
        if ready.back is not None:
            pay(act, ready.back.attacker, Deed.FIGHT)
        both = (blow, *([ready.back] if ready.back is not None else []))
        for each, struck in zip(both, result.blows, strict=True):
            carry_attack(telling, each, struck, self.after(act, each, fumbled=struck.fumbled))
        telling.more = () if is_out(act, blow.target) else (Button("Again", act.canonical),)

    def chances(self, act: Act, action: A, ready: ReadyAttack) -> Chances:
        """Return those of the blow, and of the one that is struck back at once."""
        found = attack_chances(act, ready.blow, ready.begin.hurdle, ready.said)
        return found if ready.back is None else with_blow_back(act, found, ready.back)


def throw_fault(act: Act, attacker: Model, fault: tuple[Modifier, ...] | None) -> Grade | None:
    """The LD test of a machine under Recognition Fault, None where there is none. Rules: WZ-AMOK-03."""
    if fault is None:
        return None
    return act.roll(
        by_ld(attacker, fault, f"{FAULT} test"), check, ld_limit(attacker, fault), label="leadership"
    )


def carry_fault(
    telling: Telling, attacker: Model, fault: tuple[Modifier, ...] | None, known: Grade | None
) -> bool:
    """Tell that test and what it comes to; whether the attack follows."""
    if fault is None or known is None:
        return True
    tell_ld(telling, attacker, fault, FAULT)
    if known.passed:
        return True
    wild = known is Grade.FUMBLE
    word = "takes friend for foe" if wild else "knows no foe"
    telling.lines.append(f"{attacker.name} {word}: action lost.")
    if wild:
        telling.follow(after_recognition(attacker, known))
    return False
