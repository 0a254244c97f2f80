"""The effects of losing and regaining Wounds on a trooper, and the rolls that heal or repair it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from rules.dice import Dice
from rules.effects import Effect, Gain, Harm, Leave, Lose, Mend
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.infinity.profile import NAMES, Profile, Skill, TroopType
from rules.systems.infinity.rolls import Reading, normal_roll
from rules.systems.infinity.settings import DEFAULT, Settings
from rules.systems.infinity.trooper import Condition, Trooper


class State(StrEnum):
    """Where a trooper stands between Normal and Dead."""

    NORMAL = "normal"
    UNCONSCIOUS = "unconscious"
    SPAWN_EMBRYO = "spawn_embryo"
    DOGGED = "dogged"
    NO_WOUND_INCAPACITATION = "no_wound_incapacitation"
    DEAD = "dead"


_FROM_CONDITION = (
    (Condition.DEAD, State.DEAD),
    (Condition.SPAWN_EMBRYO, State.SPAWN_EMBRYO),
    (Condition.DOGGED, State.DOGGED),
    (Condition.NO_WOUND_INCAPACITATION, State.NO_WOUND_INCAPACITATION),
    (Condition.UNCONSCIOUS, State.UNCONSCIOUS),
)

STANDING = frozenset({State.NORMAL, State.DOGGED, State.NO_WOUND_INCAPACITATION})
"""States in which a trooper acts as in the Normal state. Rules: INF-VAL-05, INF-VAL-10."""

_NEVER_PRONE = frozenset({TroopType.TAG, TroopType.REM})


def state_of(trooper: Trooper) -> State:
    """Return the state that the trooper's conditions say."""
    for condition, state in _FROM_CONDITION:
        if trooper.has(condition):
            return state
    return State.NORMAL


def transmutes(trooper: Trooper, lost: int) -> bool:
    """Return whether these points lost make the trooper change its form at the end of the Order.

    Rules: INF-TRA-01.
    """
    form = trooper.profile.alternate is not None and trooper.profile.has(Skill.TRANSMUTATION)
    return lost > 0 and form and not trooper.has(Condition.TRANSMUTED)


def wounds_after(trooper: Trooper, lost: int) -> int:
    """Return Wounds or STR left after an Order in which `lost` points went, in the new form if it changes.

    Rules: INF-ARM-03, INF-TRA-02, INF-TRA-03.
    """
    if transmutes(trooper, lost) and trooper.profile.alternate is not None:
        return trooper.profile.alternate.wounds - (trooper.lost + lost - 1)
    return trooper.wounds - lost


def deadly_points(trooper: Trooper) -> int:
    """Return the fewest points that kill the trooper at once, in its new form if it changes.

    Rules: INF-WND-01, INF-VAL-07, INF-VAL-11, INF-SHA-07, INF-TRA-03, INF-TRA-04.
    """
    lost = 1
    while state_after(trooper, lost) is not State.DEAD:
        lost += 1
    return lost


def fall_choices(trooper: Trooper, lost: int, settings: Settings = DEFAULT) -> tuple[State, ...]:
    """Return the states that the owner may choose when these points take a trooper to exactly 0.

    Spawn-Embryo is obligatory; Dogged and No Wound Incapacitation are chosen now or never.
    Rules: INF-WND-01, INF-SHA-01, INF-VAL-04, INF-VAL-09, INF-VAL-13.
    """
    if lost <= 0 or state_of(trooper) is not State.NORMAL or wounds_after(trooper, lost) != 0:
        return ()
    profile = trooper.profile.alternate if transmutes(trooper, lost) else trooper.current
    assert profile is not None
    return _falls(profile, settings)


def open_falls(trooper: Trooper, settings: Settings = DEFAULT) -> tuple[State, ...]:
    """Return the states that a trooper that has just fallen Unconscious may still have, Unconscious first.

    Rules: INF-VAL-04, INF-VAL-09, INF-VAL-13.
    """
    return _falls(trooper.current, settings)


def _falls(profile: Profile, settings: Settings) -> tuple[State, ...]:
    if profile.has(Skill.SHASVASTII):
        return (State.SPAWN_EMBRYO,)
    valor = profile.levels(Skill.VALOR, settings)
    dogged = (State.DOGGED,) if 2 in valor else ()
    nwi = (State.NO_WOUND_INCAPACITATION,) if 3 in valor else ()
    return (State.UNCONSCIOUS, *dogged, *nwi)


def state_after(
    trooper: Trooper, lost: int, choice: State | None = None, settings: Settings = DEFAULT
) -> State:
    """Return the state after an Order in which the trooper lost `lost` points, all applied together.

    choice: one of `fall_choices`, None for the first of them (Unconscious, or the obligatory state).
    Raises Forbidden for any other choice, InvalidInput for a negative number.
    Rules: INF-WND-01, INF-SHA-01, INF-SHA-07, INF-TRA-03, INF-TRA-04, INF-VAL-04, INF-VAL-07, INF-VAL-09,
    INF-VAL-11, INF-VAL-13.
    """
    if lost < 0:
        raise InvalidInput(f"The points lost must be 0 or more (you entered {lost}).")
    choices = fall_choices(trooper, lost, settings)
    if choice is not None and choice not in choices:
        name = choice.replace("_", " ").title()
        raise Forbidden(
            f"Choose another state. {trooper.current.name} can't enter the {name} state now.", "INF-VAL-13"
        )
    state = state_of(trooper)
    if lost == 0:
        return state
    if state is not State.NORMAL:
        return State.DEAD
    if choices:
        return choice or choices[0]
    return State.NORMAL if wounds_after(trooper, lost) > 0 else State.DEAD


def after_wounds(
    trooper: Trooper, lost: int, choice: State | None = None, settings: Settings = DEFAULT
) -> tuple[Effect, ...]:
    """Return effects, at the end of the Order and after its Guts Roll, of the points lost in all of it.

    trooper: as it was before the Order. choice: see `state_after`, as what is raised.
    Rules: INF-ARM-03, INF-WND-01, INF-WND-02, INF-WND-03, INF-TRA-02, INF-TRA-03, INF-TRA-05, INF-VAL-13.
    """
    state = state_after(trooper, lost, choice, settings)
    if lost == 0:
        return ()
    effects: list[Effect] = [Harm(trooper.id, lost)]
    if transmutes(trooper, lost):
        effects += [Gain(trooper.id, Condition.TRANSMUTED), Mend(trooper.id, 1)]
    if state is State.DEAD:
        return (*effects, *_dies(trooper))
    if state is State.NORMAL:
        return tuple(effects)
    return (*effects, *entered(trooper, state))


def entered(trooper: Trooper, state: State) -> tuple[Effect, ...]:
    """Put the trooper into a state other than Normal and Dead, out of the one in which it was.

    Rules: INF-WND-01, INF-SHA-01, INF-VAL-06.
    """
    duration = "the end of the Player Turn" if state is State.DOGGED else ""
    old_state = state_of(trooper)
    effects: list[Effect] = []
    if old_state not in (State.NORMAL, State.DEAD, state):
        effects.append(Lose(trooper.id, Condition(old_state.value)))
    effects.append(Gain(trooper.id, Condition(state.value), until=duration))
    if state in (State.UNCONSCIOUS, State.SPAWN_EMBRYO) and trooper.current.type not in _NEVER_PRONE:
        effects.append(Gain(trooper.id, Condition.PRONE))
    return tuple(effects)


def _dies(trooper: Trooper) -> tuple[Effect, ...]:
    return Gain(trooper.id, Condition.DEAD), Leave(trooper.id, "dead")


def coup_de_grace(target: Trooper, settings: Settings = DEFAULT) -> tuple[Effect, ...]:
    """Kill without a roll by a CC Attack. Raises Forbidden if the target has to be attacked normally.

    Rules: INF-WND-05.
    """
    if not settings.coup_de_grace:
        raise Forbidden("Attack normally. Your house rules don't use Coup de Grace.", "INF-WND-05")
    if state_of(target) not in (State.UNCONSCIOUS, State.SPAWN_EMBRYO):
        raise Forbidden(
            "Attack normally. Coup de Grace only works on Unconscious or Spawn-Embryo troopers.", "INF-WND-05"
        )
    return _dies(target)


def end_of_player_turn(troopers: Iterable[Trooper]) -> tuple[Effect, ...]:
    """Kill troopers in Dogged as the Player Turn in progress ends, own or enemy's. Rules: INF-VAL-06."""
    fallen = (trooper for trooper in troopers if state_of(trooper) is State.DOGGED)
    return tuple(effect for trooper in fallen for effect in _dies(trooper))


def after_healing(trooper: Trooper, *, success: bool) -> tuple[Effect, ...]:
    """Return the effects of a healing roll: one point back and Normal again (Prone stays), or Dead.

    Raises Forbidden for troopers in other states, Dogged among them.
    Rules: INF-WND-04, INF-SHA-08, INF-VAL-08, INF-VAL-12.
    """
    check_healing(trooper)
    if not success:
        return _dies(trooper)
    return Mend(trooper.id, 1), Lose(trooper.id, Condition(state_of(trooper).value))


def check_healing(trooper: Trooper) -> None:
    """Raise Forbidden unless the trooper can be healed. Rules: INF-WND-04, INF-VAL-08."""
    state = state_of(trooper)
    if state is State.DOGGED:
        raise Forbidden("Choose another trooper. A Dogged trooper can't be healed.", "INF-VAL-08")
    if state in (State.NORMAL, State.DEAD):
        raise Forbidden(
            f"Choose an Unconscious trooper. {trooper.current.name} isn't Unconscious.", "INF-WND-04"
        )


def is_casualty(trooper: Trooper, *, game_over: bool = False) -> bool:
    """Return whether the trooper counts as lost, for Retreat! and, when the game is over, for Victory
    Points.

    Troopers not yet deployed count as survivors; so does a Spawn-Embryo until the game ends.
    Rules: INF-WND-02, INF-WND-03, INF-RET-01, INF-SHA-03, INF-SHA-04, INF-SHA-06, INF-SHA-07, INF-VAL-10.
    """
    state = state_of(trooper)
    if state is State.SPAWN_EMBRYO:
        return game_over
    return state not in STANDING


class Means(StrEnum):
    """What heals."""

    DOCTOR = "doctor"
    ENGINEER = "engineer"
    MEDIKIT = "medikit"
    AUTOMEDIKIT = "automedikit"
    REGENERATION = "regeneration"


_OF_PATIENT = {Means.AUTOMEDIKIT: Skill.AUTOMEDIKIT, Means.REGENERATION: Skill.REGENERATION}
_BY_HEALER = {Means.DOCTOR: Skill.DOCTOR, Means.ENGINEER: Skill.ENGINEER}


def healing_attribute(means: Means, patient: Trooper, healer: Trooper | None = None) -> int:
    """Return the Attribute to roll: WIP of the Doctor or Engineer, otherwise the patient's PH.

    Raises Forbidden if the patient can't heal itself, if no fit healer is given, or if the patient cannot be
    healed as it is now. A MediKit is taken on the players' word. Rules: INF-WND-02, INF-WND-04, INF-VAL-08.
    """
    base = _attribute(means, patient, healer)
    check_healing(patient)
    return base


def _attribute(means: Means, patient: Trooper, healer: Trooper | None) -> int:
    if means not in _BY_HEALER:
        needed = _OF_PATIENT.get(means)
        if needed is not None and not patient.levels(needed):
            forbid(
                (
                    f"Choose another way of healing. {patient.current.name} doesn't have"
                    f" {NAMES.get(needed, needed.title())}."
                ),
                "INF-WND-04",
            )
        return patient.current.attribute("ph")
    structure = patient.current.structure
    if structure is not (means is Means.ENGINEER):
        attribute, who = ("STR, not Wounds", "an Engineer") if structure else ("Wounds, not STR", "a Doctor")
        forbid(f"You need {who} here, because {patient.current.name} has {attribute}.", "INF-WND-04")
    return _wip(healer, _BY_HEALER[means], "INF-WND-04")


def likely_means(patient: Trooper, healer: Trooper | None) -> Means:
    """Return what heals: the patient's own skill if no one treats it, else Engineer, Doctor or MediKit.

    Rules: INF-WND-04.
    """
    if healer is None:
        return Means.REGENERATION if patient.levels(Skill.REGENERATION) else Means.AUTOMEDIKIT
    if patient.current.structure:
        return Means.ENGINEER
    kit = any(healer.levels(skill) for skill in (Skill.MEDIKIT, Skill.PARAMEDIC))
    return Means.MEDIKIT if kit and not healer.levels(Skill.DOCTOR) else Means.DOCTOR


def _wip(healer: Trooper | None, skill: Skill, rule: str) -> int:
    refusal = (
        f"You need {'an' if skill is Skill.ENGINEER else 'a'} {skill.title()} that can act and is"
        " in base contact."
    )
    if healer is None:
        raise Forbidden(refusal, rule)
    if not healer.levels(skill):
        forbid(refusal, rule)
    return healer.current.attribute("wip")


def heal(dice: Dice, value: int) -> bool:
    """Make the healing roll against the Attribute with its MODs: True if it succeeds.

    Rules: INF-WND-04, INF-VAL-12, INF-SHA-08.
    """
    return normal_roll(dice, value, label="healing") is not Reading.FAILURE


def reconnect_attribute(engineer: Trooper) -> int:
    """Return the WIP of an Engineer who ends Isolated. Raises Forbidden for others. Rules: INF-ISO-03."""
    return _wip(engineer, Skill.ENGINEER, "INF-ISO-03")


def reconnect(dice: Dice, value: int) -> bool:
    """Make the Engineer's Normal WIP Roll that ends Isolated. Rules: INF-ISO-03."""
    return normal_roll(dice, value, label="engineer") is not Reading.FAILURE


def after_reconnect(patient: Trooper, *, success: bool) -> tuple[Effect, ...]:
    """End Isolated if the roll succeeded. Rules: INF-ISO-03."""
    return (Lose(patient.id, Condition.ISOLATED),) if success else ()
