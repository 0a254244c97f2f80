"""From the table's rows to what the rules look at: profiles, models, squads, the turn, settings."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from bot.actions import number_in
from bot.games.warzone.state import SQUAD_NAME, ModelState, SideState, encounter_state, side_state
from bot.store.rows import ModelRow, SideRow
from bot.table.encounter import GONE, ChosenSettings, Encounter, EncounterView, played_by
from bot.table.names import find, find_free_name
from rules.refusals import InvalidInput
from rules.systems.warzone.command import Turn, Unit, remove_unit
from rules.systems.warzone.model import Model, Squad
from rules.systems.warzone.notation import parse_profile
from rules.systems.warzone.profile import Profile, Weapon
from rules.systems.warzone.settings import Settings, choices, with_setting


@lru_cache(maxsize=1024)
def read_profile(text: str) -> Profile:
    """Return the profile of a model's row. Raises InvalidInput."""
    return parse_profile(text)


def model_of(encounter: EncounterView, row: ModelRow) -> Model:
    """Return a model as the rules see it."""
    return Model(
        id=row.id,
        name=row.name,
        side=row.side,
        squad=ModelState(row).squad,
        profile=read_profile(row.profile),
        damage=row.damage,
        conditions=frozenset((condition.kind, condition.value) for condition in encounter.conditions(row.id)),
        counters=frozenset(row.counters.items()),
    )


def models_of(encounter: EncounterView, side: int = 0) -> tuple[Model, ...]:
    """Return all models in play, of one side if given."""
    everybody = encounter.worked_out(
        Model, lambda: tuple(model_of(encounter, row) for row in encounter.models())
    )
    return tuple(model for model in everybody if not side or model.side == side)


# ------------------------------------------------------------------------------------------- squads


def squad_numbers(side: SideRow) -> list[int]:
    """Return the numbers of a side's squads, in the order in which they were made."""
    return list(SQUAD_NAME.among(side.traits.items()))


def side_of_squad(encounter: EncounterView, number: int) -> SideRow:
    """Return the side to which a squad belongs. Raises InvalidInput."""
    for side in encounter.sides():
        if SQUAD_NAME.of(number) in side.traits:
            return side
    raise InvalidInput("Choose another squad. This one is no longer in the game.")


def squad_of(encounter: EncounterView, number: int) -> Squad:
    """Return a squad with its living models. Raises InvalidInput."""
    return encounter.worked_out((Squad, number), lambda: _squad(encounter, number))


def _squad(encounter: EncounterView, number: int) -> Squad:
    side = side_of_squad(encounter, number)
    models = tuple(model for model in models_of(encounter, side.id) if model.squad == number)
    return Squad(
        number,
        side.traits[SQUAD_NAME.of(number)],
        side.id,
        max(len(models), SideState(side).starting[number]),
        models,
        SideState(side).leader[number] or None,
    )


def squads_of(encounter: EncounterView, side: int = 0, *, gone: bool = False) -> tuple[Squad, ...]:
    """Return the squads with models in play, of one side if given; with `gone` those without, too."""
    squads = (
        squad_of(encounter, number)
        for row in encounter.sides()
        if not side or row.id == side
        for number in squad_numbers(row)
    )
    return tuple(squad for squad in squads if gone or squad.models)


def find_squad(encounter: EncounterView, text: str) -> Squad:
    """Return a squad by its name, by #number, or by one of its models. Raises InvalidInput."""
    number = number_in(text)
    if number is not None:
        return squad_of(encounter, number)
    squads = squads_of(encounter)
    try:
        return find(text, squads, lambda squad: squad.name, "squad")
    except InvalidInput:
        folded_name = " ".join(text.split()).casefold()
        for row in encounter.models():
            if row.name.casefold() == folded_name:
                return squad_of(encounter, ModelState(row).squad)
        raise


def squad_key(squad: Squad) -> str:
    """Return a squad as `find_squad` finds it again: #number."""
    return f"#{squad.id}"


def make_squad(encounter: Encounter, side: SideRow, name: str) -> int:
    """Return a new squad of a side, without models; gives its number."""
    number = encounter_state(encounter).last_squad + 1
    encounter_state(encounter).last_squad = number
    taken_names = [squad.name for squad in squads_of(encounter, gone=True)]
    side.traits[SQUAD_NAME.of(number)] = find_free_name(name, taken_names)
    return number


def join_squad(encounter: Encounter, row: ModelRow, number: int) -> None:
    """Put a model into a squad of its side; it leaves the one in which it was."""
    side = encounter.side(row.side)
    old_squad = ModelState(row).squad
    if old_squad == number:
        return
    if old_squad and SQUAD_NAME.of(old_squad) in side.traits:
        _leave_squad(encounter, side, row, old_squad)
    state = SideState(side)
    ModelState(row).squad = number
    state.starting[number] += 1
    if read_profile(row.profile).has("leader") and not state.leader[number]:
        state.leader[number] = row.id


def _leave_squad(encounter: Encounter, side: SideRow, row: ModelRow, old_squad: int) -> None:
    state = SideState(side)
    state.starting[old_squad] -= 1
    if state.leader[old_squad] == row.id:
        state.leader[old_squad] = 0
    others = [model for model in encounter.models(side.id, gone=True) if ModelState(model).squad == old_squad]
    if [model.id for model in others] == [row.id]:
        del side.traits[SQUAD_NAME.of(old_squad)]
        state.forget_squad(old_squad)


# ------------------------------------------------------------------------------------------- the turn


def read_turn(encounter: EncounterView) -> Turn:
    """Return the turn under way. Rules: WZ-TURN-02."""
    return encounter.worked_out(Turn, lambda: _turn(encounter))


def _turn(encounter: EncounterView) -> Turn:
    state = encounter_state(encounter)
    sides = [side.id for side in encounter.sides()]
    first = state.first_side
    place = sides.index(first) if first in sides else 0
    order = tuple(sides[place:] + sides[:place])
    squads = squads_of(encounter, gone=True)
    units = tuple(
        Unit(squad.id, squad.side, bool(side_state(encounter, squad.side).activated[squad.id]))
        for squad in squads
    )
    unit_ids = {unit.id for unit in units}
    active = tuple(unit for unit in state.active.values() if unit in unit_ids)
    to_move = state.to_move or (order[0] if order else 0)
    turn = Turn(encounter.row.turn, order, units, to_move, active)
    for squad in squads:
        if not squad.models:
            turn = remove_unit(turn, squad.id)
    if not turn.active and not turn.left(turn.to_move):
        # models came late, or the round passed while nobody was left
        others = [side for side in turn.order if turn.left(side)]
        turn = Turn(turn.number, turn.order, turn.units, (others or [turn.to_move])[0], ())
    return turn


def write_turn(encounter: Encounter, turn: Turn) -> None:
    """Store the turn in the encounter's rows."""
    state = encounter_state(encounter)
    state.active.clear()
    for depth, unit in enumerate(turn.active):
        state.active[depth] = unit
    state.first_side, state.to_move = turn.order[0], turn.to_move
    for unit_now in turn.units:
        side_state(encounter, unit_now.side).activated[unit_now.id] = int(unit_now.activated)


# ------------------------------------------------------------------------------------------- settings


@played_by
def settings_of(stored: ChosenSettings) -> Settings:
    """Return the settings by which this encounter plays."""
    settings = Settings()
    for key, text in stored:
        if key in choices():
            settings = with_setting(settings, key, text)
    return settings


# ------------------------------------------------------------------------------------------- weapons


def weapons_for(model: Model, *, close: bool, template: bool = False) -> list[Weapon]:
    """Return a model's weapons for close combat, for shots, or for templates."""
    return [
        weapon
        for weapon in model.profile.weapons
        if weapon.has("close") == close and (close or weapon.has("template") == template)
    ]


@dataclass(frozen=True, slots=True)
class Carried:
    """A weapon, and its number among those that its model carries: 0 for bare hands."""

    number: int
    weapon: Weapon

    def __str__(self) -> str:
        return f"#{self.number}" if self.number else ""


FISTS = Carried(0, Weapon("bare hands", 0, flags=("close",)))
"""The attack of a model without a close combat weapon: its ST alone."""


def weapon_named(model: Model, text: str) -> Carried:
    """Return the weapon of that name, or #number. Raises InvalidInput."""
    weapons = model.profile.weapons
    place = number_in(text)
    if place is not None and 0 < place <= len(weapons):
        return Carried(place, weapons[place - 1])
    if not weapons:
        raise InvalidInput(f"Choose another model. {model.name} has no weapon.")
    return carried_weapon(model, find(text, weapons, lambda weapon: weapon.name, "weapon"))


def first_weapon(model: Model, *, close: bool, template: bool = False) -> Carried:
    """Return the first weapon of the kind that is asked for. Raises InvalidInput."""
    fit = weapons_for(model, close=close, template=template)
    if fit:
        return carried_weapon(model, fit[0])
    if close:
        return FISTS
    if not template and any(weapon.has("template") for weapon in model.profile.weapons):
        raise InvalidInput(f"Use /wz template. {model.name} has only template weapons.")
    weapon_kind = "template" if template else "ranged"
    raise InvalidInput(f"Choose another model. {model.name} has no {weapon_kind} weapon.")


def carried_weapon(model: Model, weapon: Weapon) -> Carried:
    """Return a weapon of its profile with its number."""
    return Carried(model.profile.weapons.index(weapon) + 1, weapon)


def is_gone(row: ModelRow) -> bool:
    """Return whether a model has left play."""
    return row.status == GONE
