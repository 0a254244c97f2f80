"""What the handlers of Warzone share: whom an act means, what it costs, what follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.games.warzone.core.acting import GRANT, GRANT_AT, check_order, note_deed
from bot.games.warzone.core.units import (
    LEADER,
    SOURCE,
    SQUAD,
    model_of,
    models_of,
    read_turn,
    settings_of,
    squad_of,
)
from bot.table.act import Act
from bot.table.encounter import GONE, Encounter, set_counter
from rules.counters import CounterName, PerNumber
from rules.effects import Count, Effect, Lose, Propose
from rules.refusals import Forbidden
from rules.systems.warzone.command import must_return, spend
from rules.systems.warzone.model import ACTIONS, Condition, Model
from rules.systems.warzone.morale import Act as Deed
from rules.systems.warzone.morale import refuse
from rules.systems.warzone.ranged import lose_aim
from rules.systems.warzone.settings import Settings
from rules.wording import times

CONTACT = PerNumber("contact.")
"""Counters of a model: 1 for each enemy with whom it is in base contact, `contact.<id>`."""
OUT = CounterName("out of command")
"""Counter of a model: it was found out of its leader's command distance."""
ABOARD = CounterName("aboard")
"""Counter of a model: the vehicle that carries it."""
CREW = CounterName("crew of")
"""Counter of a model: the vehicle that it serves."""
MADDENED = CounterName("direction rolled")
"""Counter of a model: its derangement has shown whom it attacks in this activation."""
LETS = PerNumber("lets go.")
"""Counters of a model: 1 for each enemy whom it lets leave close combat, `lets go.<id>`."""
TOUCHES = PerNumber("touches wreck.")
"""Counters of a model: it got out of this vehicle when it was wrecked and stands beside it."""
ASKED_TO_LET_GO = PerNumber("asked to let go.")
"""Counters of a model: 1 for each enemy that asks it for leave to go, `asked to let go.<id>`."""
REGROUPS = CounterName("regroups")
"""Counter of a model: it has rebooted its squad, and it is open who of it is near."""
DIRE_ON = PerNumber("dire tests.")
"""Counters of a Dire model, by whom it wounded: the test that is due in its area; 1 of that model alone, else
one more than the number of its squad."""
DIVING = CounterName("diving")
"""Counter of a model: it passed its test and dives."""
DIVED = CounterName("dived clear")
"""Counter of a model: it dived out from under a template or away from an explosion."""

_OF_CONTACT = (CONTACT, LETS, ASKED_TO_LET_GO)
"""What is kept of two models while they are in contact."""
_OF_ACTIVATION = (GRANT, GRANT_AT, LETS, ASKED_TO_LET_GO, DIRE_ON)
"""What ends with the activation in which it was given or asked."""

ATTACK_GRANT = "attack"
"""A grant that serves for shooting and for fighting."""
TOGETHER = "fight together"
"""A grant to fight in which both strike at once."""


def settings(act: Act) -> Settings:
    """The readings by which this encounter plays."""
    return settings_of(act.encounter)


def model_at(act: Act, number: int) -> Model:
    """The model of this number as it stands now, in play or out of it."""
    return model_of(act.encounter, act.encounter.model(number))


def again(act: Act, model: Model) -> Model:
    """The model as it stands after effects were applied."""
    return model_at(act, model.id)


def in_order(*models: Model) -> tuple[Model, ...]:
    """Models by their numbers, each once."""
    found = {model.id: model for model in models}
    return tuple(found[number] for number in sorted(found))


def is_out(act: Act, model: Model) -> bool:
    """Whether the model has left play."""
    return act.encounter.model(model.id).status == GONE


def leads(encounter: Encounter, model: Model) -> bool:
    """Whether the model leads its squad."""
    return bool(model.squad) and encounter.side(model.side).counters.get(LEADER.of(model.squad)) == model.id


# ------------------------------------------------------------------------------------------- contact


def in_contact(encounter: Encounter, model: Model) -> tuple[Model, ...]:
    """The enemies with whom a model is in base contact."""
    return tuple(
        other
        for other in models_of(encounter)
        if other.side != model.side and other.count(CONTACT.of(model.id))
    )


def touch(act: Act, one: Model, other: Model) -> None:
    """The two are in base contact now."""
    for model, enemy in ((one, other), (other, one)):
        act.encounter.model(model.id).counters[CONTACT.of(enemy.id)] = 1


def part(encounter: Encounter, model: Model) -> None:
    """The model is in contact with nobody any more; who held only it is free, too."""
    others = in_contact(encounter, model)
    for each in (model, *others):
        counters = encounter.model(each.id).counters
        keys = [key for key in counters if any(kind.counts(key) for kind in _OF_CONTACT)]
        for key in keys:
            if each.id == model.id or key in [kind.of(model.id) for kind in _OF_CONTACT]:
                del counters[key]
        if not in_contact(encounter, each):
            encounter.apply([Lose(each.id, Condition.ENGAGED)])


def carry_through(
    act: Act, effects: Iterable[Effect], source: Model | None = None, *, by: int = 0
) -> list[Propose]:
    """Apply what an outcome does; return what is to follow.

    source: the model whose attack it is, which a morale test asks for. by: the model that gets the credit for
    wounds outside an attack.

    Before the first turn actions are not counted.
    """
    encounter = act.encounter
    before = {row.id: row.damage for row in encounter.models(gone=True)}
    there = {row.id for row in encounter.models()}
    free = encounter.row.turn < 1
    kept = [
        effect for effect in effects if not (free and isinstance(effect, Count) and effect.key == ACTIONS)
    ]
    proposals = encounter.apply(kept, by=by if source is None else source.id)
    for row in encounter.models(gone=True):
        if source is not None and row.damage > before[row.id] and row.id != source.id:
            encounter.side(row.side).counters[SOURCE.of(row.counters.get(SQUAD, 0))] = source.id
        if row.status == GONE and any(map(CONTACT.counts, row.counters)):
            part(encounter, model_of(encounter, row))
    if left := there - {row.id for row in encounter.models()}:
        for model in models_of(encounter):
            encounter.apply(effect for number in left for effect in lose_aim(model, number))
    return proposals


# ------------------------------------------------------------------------------------------- actions


def granted(model: Model, deed: Deed) -> CounterName | None:
    """The counter of a permission to do this at once, nothing where there is none."""
    keys = [GRANT.of(deed.value)]
    if deed is Deed.FIGHT:
        keys.append(GRANT.of(TOGETHER))
    if deed in (Deed.SHOOT, Deed.FIGHT):
        keys.append(GRANT.of(ATTACK_GRANT))
    return next((key for key in keys if model.count(key)), None)


def grant(act: Act, model: Model, deed: str, times: int = 1, *, at: int = 0) -> None:
    """Let the model do this at once: no action is spent and its unit need not be acting.

    at: the number of whom it is done to, 0 where that is open.
    """
    counters = act.encounter.model(model.id).counters
    set_counter(counters, GRANT.of(deed), times)
    set_counter(counters, GRANT_AT.of(deed), at)


def end_grants(encounter: Encounter) -> None:
    """Permissions of the rules and of opponents end with the activation in which they were given."""
    for row in encounter.models(gone=True):
        for key in list(row.counters):
            if any(kind.counts(key) for kind in _OF_ACTIVATION) or key in (DIVED, MADDENED, REGROUPS):
                del row.counters[key]


def forget_dives(encounter: Encounter) -> None:
    """What was dived away from has struck: the next template finds whoever is under it. Rules: WZ-DIVE-01."""
    for row in encounter.models():
        row.counters.pop(DIVED, None)


def check_may_act(act: Act, model: Model, deed: Deed, actions: int = 1) -> None:
    """Refuse what the model may not do now: its unit does not act, it has finished, actions are short.

    Rules: WZ-TURN-02, WZ-TURN-03, WZ-CMD-04.
    """
    if act.encounter.row.turn < 1 or granted(model, deed):
        return
    with act.overridable():
        _check_round(act, model, deed, actions)


def _check_round(act: Act, model: Model, deed: Deed, actions: int) -> None:
    turn = read_turn(act.encounter)
    squad = squad_of(act.encounter, model.squad)
    if not turn.active or turn.active[-1] != model.squad:
        raise Forbidden(f"{squad.name} does not act now: /wz activate.", "WZ-TURN-02")
    check_order(act.encounter, model, deed)
    commanded = not model.count(OUT) and not model.has(Condition.REBOOTED)
    if deed is not Deed.MOVE and must_return(model, squad, settings(act), commanded=commanded):
        raise Forbidden(
            f"{model.name} is out of command: it must move into its leader's command distance first.",
            "WZ-CMD-04",
        )
    if actions > model.count(ACTIONS):
        raise Forbidden(
            f"{model.name} needs {times(actions, 'action')} to {deed.value} and has "
            f"{model.count(ACTIONS)} left.",
            "WZ-TURN-03",
        )


def pay(act: Act, model: Model, deed: Deed, actions: int = 1) -> str:
    """Spend what a deed costs: a permission, or actions of the activation. Raises Forbidden.

    Gives what was lost by whoever acted before, in words. Rules: WZ-TURN-03, WZ-CONC-01.
    """
    with act.overridable():
        refuse(model, deed)
    key = granted(model, deed)
    row = act.encounter.model(model.id)
    if key:
        set_counter(row.counters, key, -1, add=True)
        return ""
    check_may_act(act, model, deed, actions)
    if act.encounter.row.turn < 1:
        return ""
    if model.count(ACTIONS) >= actions:
        with act.overridable():
            act.encounter.apply(spend(model, deed, actions))
    return note_deed(act.encounter, model)


def actions_words(act: Act, model: Model) -> str:
    """How many actions a model has left; empty before the game, and out of its unit's round."""
    if act.encounter.row.turn < 1 or is_out(act, model):
        return ""
    if model.squad not in read_turn(act.encounter).active:
        return ""
    left = again(act, model).count(ACTIONS)
    return f"{model.name}: {times(left, 'action')} left."


def enemies_on_wait(act: Act, model: Model) -> Sequence[Model]:
    """Models of other sides that may react."""
    return [other for other in models_of(act.encounter) if other.side != model.side and may_react(other)]


def may_react(model: Model) -> bool:
    """Whether a model is on wait, and awake."""
    return model.has(Condition.WAITING) and not model.has(Condition.UNCONSCIOUS)
