"""AROs: when a trooper may declare one against an Order, and with what.

Owns the two moments of declaration and the delays; Burst and MODs are elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.refusals import Forbidden
from rules.systems.infinity.settings import DEFAULT, Settings, SixthSenseDelay
from rules.systems.infinity.sixth_sense import answers_unseen, in_zone


@dataclass(frozen=True, slots=True)
class Exposure:
    """How one Skill of the active trooper lies to the reacting one: LoF, and distance in inches."""

    line_of_fire: bool
    distance_inches: float

    @property
    def allows_aro(self) -> bool:
        """LoF, or the Zone of Control. Rules: INF-ORD-05, INF-ORD-06."""
        return self.line_of_fire or in_zone(self.distance_inches)


class Window(StrEnum):
    """When the one ARO to an Order is declared."""

    FIRST = "after the first skill"
    SECOND = "after the second skill"
    NONE = "never"


@dataclass(frozen=True, slots=True)
class Activation:
    """An Order of an enemy as the reacting trooper meets it.

    first, second: the exposure of its Skills, second None for an Entire Order or while undeclared.
    marker: the active trooper is a camouflaged Marker. revealed: its second Skill unmasked it. waited: the
    reacting player announced the delay. sixth_sense: Levels of the reacting trooper.
    """

    first: Exposure
    second: Exposure | None = None
    marker: bool = False
    revealed: bool = False
    waited: bool = False
    sixth_sense: frozenset[int] = frozenset()


def may_wait(activation: Activation) -> bool:
    """Whether the ARO may be held until the second Skill: against a Marker, or Sixth Sense within its zone.

    Rules: INF-ORD-07, INF-SIX-06.
    """
    near = in_zone(activation.first.distance_inches)
    return activation.first.allows_aro and (activation.marker or (1 in activation.sixth_sense and near))


def aro_window(activation: Activation, settings: Settings = DEFAULT) -> Window:
    """When the reacting trooper declares its ARO, NONE where it has none or lost it by waiting.

    Raises Forbidden for a wait that no rule allows.
    Rules: INF-ORD-05, INF-ORD-06, INF-ORD-07, INF-SIX-06.
    """
    if not activation.first.allows_aro:
        late = activation.second is not None and activation.second.allows_aro
        return Window.SECOND if late else Window.NONE
    if not activation.waited:
        return Window.FIRST
    if not may_wait(activation):
        raise Forbidden("Only against a Marker, or with Sixth Sense, may an ARO wait.", "INF-ORD-07")
    unmasked = activation.revealed or not activation.marker
    sensed = 1 in activation.sixth_sense and in_zone(activation.first.distance_inches)
    if sensed and settings.sixth_sense_delay is SixthSenseDelay.KEPT:
        return Window.SECOND
    return Window.SECOND if unmasked else Window.NONE


class Reaction(StrEnum):
    """What kinds of Skill an ARO may be."""

    ANY = "any skill"
    ANSWER = "a face to face answer, or a skill that needs no line of fire"
    BLIND = "skills that need no line of fire"


def allowed_reaction(
    exposure: Exposure, *, attacked: bool, sixth_sense: frozenset[int] = frozenset()
) -> Reaction:
    """What the ARO may be, by LoF when it is declared; Sixth Sense answers attacks it cannot see.

    Rules: INF-ORD-05, INF-SIX-01, INF-SIX-02, INF-SIX-06, INF-SIX-09, INF-SIX-10.
    """
    if exposure.line_of_fire:
        return Reaction.ANY
    if answers_unseen(sixth_sense, exposure.distance_inches, attacked=attacked):
        return Reaction.ANSWER
    return Reaction.BLIND
