"""What is asked of units in their round."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action


@dataclass(frozen=True, slots=True)
class Activate(Action):
    """A unit acts. by: a commander who orders it out of turn; hidden: no enemy is in his line of sight."""

    command = "wz.activate"

    unit: str = ""
    by: str = ""
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class ActNext(Action):
    """This model of the acting unit acts now; who acted before it has finished."""

    command = "wz.next"

    model: str = ""


@dataclass(frozen=True, slots=True)
class Done(Action):
    """The acting unit has finished. model: only that one of it. step: the unit goes on to that step."""

    command = "wz.done"

    model: str = ""
    step: str = ""


@dataclass(frozen=True, slots=True)
class BeginRound(Action):
    """The winner of the initiative says who starts."""

    command = "wz.starts"

    side: int = 0
