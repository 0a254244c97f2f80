"""AROs, Dodge, Change Facing and Engage, and the Guts Roll at the end of an Order."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.dice import Dice
from rules.effects import Effect, Gain, Propose
from rules.modifiers import Modifier
from rules.refusals import Forbidden
from rules.systems.infinity.movement import Ground, reactive_inches
from rules.systems.infinity.profile import Profile, Skill, TroopType
from rules.systems.infinity.rolls import Reading, modified, normal_roll
from rules.systems.infinity.settings import DEFAULT, Settings, SixthSenseDelay
from rules.systems.infinity.states import STANDING, State
from rules.systems.infinity.trooper import (
    Condition,
    Handicap,
    Trooper,
    answers_unseen,
    ignores,
    in_zone,
    surprise_modifiers,
    visibility_modifier,
)
from rules.wording import times


@dataclass(frozen=True, slots=True)
class Exposure:
    """How one Skill of the active trooper lies to the reacting one: LoF, and distance in inches."""

    line_of_fire: bool
    distance_inches: float

    @property
    def allows_aro(self) -> bool:
        """Return whether there is LoF, or the Zone of Control. Rules: INF-ORD-05, INF-ORD-06."""
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
    """Return whether the ARO may wait for the second Skill: against a Marker, or with Sixth Sense.

    Rules: INF-ORD-07, INF-SIX-06.
    """
    near = in_zone(activation.first.distance_inches)
    return activation.first.allows_aro and (activation.marker or (1 in activation.sixth_sense and near))


def aro_window(activation: Activation, settings: Settings = DEFAULT) -> Window:
    """Return when the reacting trooper declares its ARO, NONE if it has none or lost it by waiting.

    Raises Forbidden for a wait that no rule allows.
    Rules: INF-ORD-05, INF-ORD-06, INF-ORD-07, INF-SIX-06.
    """
    if not activation.first.allows_aro:
        second_trigger = activation.second is not None and activation.second.allows_aro
        return Window.SECOND if second_trigger else Window.NONE
    if not activation.waited:
        return Window.FIRST
    if not may_wait(activation):
        raise Forbidden(
            "React now. You can only delay an ARO against a Marker, or with Sixth Sense against an enemy"
            " within 8 in.",
            "INF-ORD-07",
        )
    unmasked = activation.revealed or not activation.marker
    sensed = 1 in activation.sixth_sense and in_zone(activation.first.distance_inches)
    if sensed and settings.sixth_sense_delay is SixthSenseDelay.KEPT:
        return Window.SECOND
    return Window.SECOND if unmasked else Window.NONE


class Reaction(StrEnum):
    """The kinds of Skill that an ARO may be."""

    ANY = "any skill"
    ANSWER = "a face to face answer, or a skill that needs no line of fire"
    BLIND = "skills that need no line of fire"


def allowed_reaction(
    exposure: Exposure, *, attacked: bool, sixth_sense: frozenset[int] = frozenset()
) -> Reaction:
    """Return what the ARO may be, by LoF when it is declared; Sixth Sense answers attacks it cannot see.

    Rules: INF-ORD-05, INF-SIX-01, INF-SIX-02, INF-SIX-06, INF-SIX-09, INF-SIX-10.
    """
    if exposure.line_of_fire:
        return Reaction.ANY
    if answers_unseen(sixth_sense, exposure.distance_inches, attacked=attacked):
        return Reaction.ANSWER
    return Reaction.BLIND


CHANGE_FACING_MOD = -3
BLIND_TEMPLATE_MOD = -3
DODGE_INCHES = 2
ENGAGE_INCHES = 2


class Evasion(StrEnum):
    """The Skills that are rolled as a Dodge."""

    DODGE = "dodge"
    CHANGE_FACING = "change facing"
    ENGAGE = "engage"


@dataclass(frozen=True, slots=True)
class Evading:
    """One trooper evading one enemy's attacks.

    line_of_fire: to the attacker. template: the attack places a template. speculative: it is Speculative Fire
    or guided. alerted: an ally gave the alert. visibility: 0, -3 (low) or -6 (poor); a Zero Visibility Zone
    has no MOD here. surprise: Level of the Surprise Shot met, 0 for none. sixth_sense: Levels of the evading
    trooper. ground: under the trooper. others: any further MODs.
    """

    profile: Profile
    distance_inches: float
    skill: Evasion = Evasion.DODGE
    line_of_fire: bool = True
    template: bool = False
    speculative: bool = False
    alerted: bool = False
    visibility: int = 0
    opposed: bool = True
    surprise: int = 0
    sixth_sense: frozenset[int] = frozenset()
    ground: Ground = Ground.OPEN
    others: tuple[Modifier, ...] = ()


def troop_modifiers(profile: Profile) -> tuple[Modifier, ...]:
    """Return the penalties of the type of troop to every Dodge. Rules: INF-DOD-02."""
    if profile.type is TroopType.TAG:
        return (Modifier(-6, "TAG", "INF-DOD-02"),)
    if profile.type is TroopType.REM:
        return (Modifier(-3, "Remote", "INF-DOD-02"),)
    if profile.has(Skill.MOTORCYCLE):
        return (Modifier(-3, "motorcycle", "INF-DOD-02"),)
    return ()


def evasion_modifiers(evading: Evading, settings: Settings = DEFAULT) -> tuple[Modifier, ...]:
    """Return every MOD to PH, with its reason. Raises Forbidden where the Skill cannot be used.

    Rules: INF-DOD-01, INF-DOD-02, INF-DOD-04, INF-DOD-05, INF-DOD-06, INF-BS-06, INF-BS-07, INF-SIX-07,
    INF-SIX-12, INF-SS-03, INF-TER-02, INF-TER-03.
    """
    modifiers = [*troop_modifiers(evading.profile)]
    if evading.skill is Evasion.CHANGE_FACING:
        _check_change_facing(evading)
        modifiers.append(Modifier(CHANGE_FACING_MOD, "change facing", "INF-DOD-04"))
    else:
        modifiers += _blind(evading, settings)
    if evading.visibility:
        modifiers.append(visibility_modifier(evading.visibility))
    modifiers += surprise_modifiers(
        evading.surprise, evading.distance_inches, opposed=evading.opposed, sixth_sense=evading.sixth_sense
    )
    return (*modifiers, *evading.others)


def _check_change_facing(evading: Evading) -> None:
    if not (in_zone(evading.distance_inches) or evading.alerted):
        raise Forbidden(
            "Choose another ARO. Change Facing needs an enemy within 8 in or an ally's alert.", "INF-DOD-04"
        )


def _blind(evading: Evading, settings: Settings) -> tuple[Modifier, ...]:
    sixth_sense, distance = evading.sixth_sense, evading.distance_inches
    engaging = evading.skill is Evasion.ENGAGE
    reach = reactive_inches(ENGAGE_INCHES, evading.ground)
    if engaging and distance > reach:
        raise Forbidden(f"Choose another ARO. You can only Engage an enemy within {reach} in.", "INF-DOD-05")
    if evading.line_of_fire:
        return ()
    if evading.speculative:
        if ignores(sixth_sense, Handicap.BLIND_REACTION, distance):
            return ()
        return (Modifier(settings.blind_reaction, "no line of fire", "INF-BS-07"),)
    if evading.template and not engaging:
        if ignores(sixth_sense, Handicap.BLIND_TEMPLATE, distance):
            return ()
        return (Modifier(BLIND_TEMPLATE_MOD, "template without line of fire", "INF-DOD-06"),)
    if ignores(sixth_sense, Handicap.BLIND_REACTION, distance):
        return ()
    skill = "Engage" if engaging else "Dodge"
    rule = "INF-DOD-05" if engaging else "INF-DOD-01"
    raise Forbidden(f"Try Change Facing. {skill} needs line of fire to the attacker.", rule)


def evasion_value(evading: Evading, settings: Settings = DEFAULT) -> int:
    """Return the value to roll against: PH with all MODs. Rules: INF-DOD-01, INF-DOD-04, INF-DOD-05."""
    return modified(evading.profile.attribute("ph"), evasion_modifiers(evading, settings), settings)


def dodge_inches(*, success: bool, reactive: bool, ground: Ground = Ground.OPEN) -> int:
    """Return how far a Dodge in the Reactive Turn may move, never into base contact; 0 without success.

    Rules: INF-DOD-03, INF-TER-02, INF-TER-03.
    """
    return reactive_inches(DODGE_INCHES, ground) if success and reactive else 0


def after_engage(engager: Trooper, enemy: Trooper, *, success: bool) -> tuple[Effect, ...]:
    """Return the effects of Engage: success brings both into close combat, failure moves no one. Rules:
    INF-DOD-05.
    """
    if not success:
        return ()
    return (
        Gain(engager.id, Condition.CLOSE_COMBAT, enemy.id),
        Gain(enemy.id, Condition.CLOSE_COMBAT, engager.id),
    )


GUTS_INCHES = 2


class GutsChoice(StrEnum):
    """How the owner takes a Guts Roll."""

    ROLL = "roll"
    FAIL = "fail"
    PASS = "pass"  # noqa: S105  a word of the game


def guts_due(trooper: Trooper, attacks_survived: int, state_after: State = State.NORMAL) -> bool:
    """Return whether the trooper owes its one Guts Roll for the Order, however many attacks it survived.

    state_after: what the Order's wounds made of it. Rules: INF-GUT-01, INF-GUT-04, INF-TRA-05.
    """
    if attacks_survived <= 0 or trooper.has(Condition.CLOSE_COMBAT):
        return False
    return state_after in STANDING and not trooper.is_null


def guts_choices(trooper: Trooper, settings: Settings = DEFAULT) -> tuple[GutsChoice, ...]:
    """Return the owner's choices: roll, fail at will, and with Courage pass at will.

    Rules: INF-GUT-03, INF-VAL-01.
    """
    brave = (GutsChoice.PASS,) if 1 in trooper.levels(Skill.VALOR, settings) else ()
    return (GutsChoice.ROLL, GutsChoice.FAIL, *brave)


def guts(dice: Dice, value: int) -> bool:
    """Make one Normal WIP Roll: True where the trooper stands its ground. Rules: INF-GUT-01."""
    return normal_roll(dice, value, label="guts") is not Reading.FAILURE


def after_guts(
    trooper: Trooper, *, stood_firm: bool, can_move: bool, can_go_prone: bool, ground: Ground = Ground.OPEN
) -> tuple[Effect, ...]:
    """Return what a failed Guts Roll requires: a move to safety, else Prone, else nothing.

    The move is up to 2 inches (1 in Difficult Terrain), to Cover where there is any, neither towards the
    attacker nor into base contact with an enemy. Rules: INF-GUT-02, INF-TER-02, INF-TER-03.
    """
    if stood_firm:
        return ()
    if can_move:
        inches = reactive_inches(GUTS_INCHES, ground)
        reason = (
            f"after a failed Guts Roll, move {trooper.current.name} up to {times(inches, 'inch', 'inches')} "
            "to safety, but not towards the attacker"
        )
        return (Propose("move", trooper.id, reason, (("inches", inches),)),)
    return (Gain(trooper.id, Condition.PRONE),) if can_go_prone else ()
