"""Traps of missions, and the fields that name places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from bot.actions import Action, raw_of
from bot.games.counterblast.core.common import settings
from bot.games.counterblast.core.fields import side_played
from bot.games.counterblast.core.narration import FinishingOften, Telling, add_wounds, hurt_chances
from bot.games.counterblast.core.wording import at, why_check
from bot.games.counterblast.missions.markers import (
    find_marker,
    find_under_trap,
    is_near_for_trap,
    measure_near_marker,
)
from bot.games.counterblast.state.missions import (
    AWAY_CAPTIVE,
    TRAP,
    find_mission,
    find_own_side,
    list_own_sides,
    places,
    read_search,
    read_secret,
    require_mission,
    store_secret,
)
from bot.games.counterblast.state.models import fighter, game_of, settings_of
from bot.games.counterblast.state.table_state import AbsenteeState, PlaceState
from bot.replies.reply import Button, Reply, say
from bot.store.rows import SecretRow, SideRow, ThingRow
from bot.table.act import Act, ActView
from bot.table.asking import fields, offering
from bot.table.asking.kinds import Asking, Names
from bot.table.asking.measuring import Measures
from bot.table.board.facts import Fact
from bot.table.encounter import Encounter, EncounterView
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.names import find
from bot.table.owners import in_play
from bot.table.steps import Chances, in_steps
from rules.refusals import InvalidInput, Missing
from rules.systems.counterblast.core.checks import PreparedCheck
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.impacts import MAX_COUNTED, Suffered
from rules.systems.counterblast.core.profile import Note
from rules.systems.counterblast.core.settings import DEFAULTS
from rules.systems.counterblast.missions.missions import (
    Search,
    possible_missions,
    prepare_trap,
    recovery_markers,
    trap,
    traps_sprung,
)
from rules.systems.counterblast.missions.missions import mission as noted
from rules.systems.counterblast.shooting.templates import Victim, engulf_wounds
from rules.wording import possessive


def mission() -> Any:
    """Return a mission that may be chosen."""
    return fields.among("Mission", _missions, lambda note: note.name, what="mission", needed=True)


def _missions(context: Asking) -> Sequence[Note]:
    encounter = game_of(context)
    return possible_missions(settings_of(encounter) if encounter else DEFAULTS)


def near(about: str, measures: Measures | None = None) -> Any:
    """Return several models with commas between them, as the rules see them."""
    names = offering.completing(offering.any_model)
    return fields.models(about, names, view=fighter, fact=True, measures=measures)


def near_marker(about: str) -> Any:
    """Return the models near the marker of an Invasion, which a board measures."""
    return near(about, _measure_near_own_marker)


def nobody_near(about: str) -> Any:
    """Return whether no model is near the marker of an Invasion: measured, if the models in `near` were."""

    def measure(context: Asking) -> Fact | None:
        fact = _measure_near_own_marker(context)
        return Fact(not context.so_far.get("near"), "") if fact is not None else None

    return fields.switch(about, fact=True, measures=measure)


def _measure_near_own_marker(context: Asking) -> Fact | None:
    side, encounter = meant_side(context), context.act.encounter
    mission = find_mission(encounter, side.id) if side is not None else None
    is_invasion = mission is not None and mission.key == "invasion"
    return measure_near_marker(encounter, side) if is_invasion and side is not None else None


def meant_side(context: Asking) -> SideRow | None:
    """Return the side of who asks that an action is about, also before its field is read; None for none."""
    with suppress(InvalidInput):
        return _meant_sides(context)[0]
    return None


def place(about: str, names: Names, side: Callable[[Asking], int] = lambda context: 0) -> Any:
    """Return a mission's place by its name, or how that begins. side: whose it has to be, 0 for anybody's."""

    def find(context: Asking, text: str) -> ThingRow:
        return _place(context, text, side(context))

    return fields.sought(about, names, find, written=lambda row: row.name, needed=True)


def _place(context: Asking, text: str, side: int) -> ThingRow:
    encounter = context.act.encounter
    typed = text.strip().casefold()
    matches = [row for row in places(encounter, side) if row.name.casefold().startswith(typed)]
    place = find(text, matches or places(encounter), lambda row: row.name, "place")
    owner = PlaceState(place).side
    if side and owner != side:
        owner_name = encounter.side(owner).name
        raise InvalidInput(f"Choose a place of your own mission. {place.name} belongs to {owner_name}.")
    return place


def captive() -> Any:
    """Return a captive that a side of the person who asks holds."""
    return fields.sought("Captive", _captives, _read_captive, written=lambda row: row.name, needed=True)


def _held_captives(context: Asking) -> list[ThingRow]:
    side_ids = {side.id for side in list_own_sides(context.act)}
    rows = context.act.encounter.book.all(ThingRow)
    return [row for row in rows if row.kind == AWAY_CAPTIVE and AbsenteeState(row).held_by in side_ids]


def _captives(context: Asking) -> Sequence[str]:
    return [row.name for row in _held_captives(context)] if game_of(context) else []


def _read_captive(context: Asking, text: str) -> ThingRow:
    captives = _held_captives(context)
    if not captives:
        raise InvalidInput("Your crew holds no captive.")
    return find(text, captives, lambda row: row.name, "captive")


MAX_UNDER = 20
TRAP_INCHES = noted("recovery").value("trap_inches")


def _suggest_trappable(context: Asking) -> Sequence[str]:
    """Places of others that one's side may still trap. Raises InvalidInput for who plays none."""
    encounter = game_of(context)
    if encounter is None:
        return []
    rivals = {
        rival.id: None for side in _meant_sides(context) for rival in list_trappable_sides(encounter, side.id)
    }
    return [row.name for other in rivals for row in places(encounter, other)]


def _meant_sides(context: Asking) -> Sequence[SideRow]:
    raw_side = raw_of(context.act.action).get("side")
    if raw_side:
        return [find_own_side(context.act, str(raw_side))]
    sides = list_own_sides(context.act)
    seat = context.act.seat
    return [side for side in sides if seat is not None and side.id == seat.side] or sides


def _suggest_springable(context: Asking) -> Sequence[str]:
    encounter = game_of(context)
    if encounter is None:
        return []
    rows = [row for side in _meant_sides(context) for row in _traps_of(encounter, side.id)]
    trapped = {read_secret(row).get("place") for row in rows if not row.revealed}
    place_names = [
        row.name for row in places(encounter) if row.id in trapped and read_search(row) == Search()
    ]
    if not place_names:
        raise InvalidInput("You have no trap to spring.")
    return place_names


@dataclass(frozen=True, slots=True)
class TrapPlace(Action):
    """Secretly trap one of the places of another side's Recovery."""

    command = "mission.trap"
    typed = "mission trap"
    titled = "Trap a place"
    decision_of = in_play("the side whose trap it is")

    place: ThingRow = place("Place", _suggest_trappable)
    side: SideRow = side_played()


def _near_trap(about: str, coverage: str, words: str) -> Any:
    """Return the models wholly or partly under the template of the trap, which a board measures."""

    def measure(context: Asking) -> Fact | None:
        encounter, place = context.act.encounter, context.so_far.get("place")
        covered = find_under_trap(encounter, place) if place is not None else None
        if covered is None:
            return None
        models = tuple(fighter(encounter, encounter.model(number)) for number in getattr(covered, coverage))
        names = ", ".join(model.name for model in models)
        return Fact(models, f"{words}: {names}" if names else "")

    return near(about, measure)


@dataclass(frozen=True, slots=True)
class SpringTrap(Action):
    """Spring your trap before anyone searches the place.

    Declare a trap as a model comes within 1 in. under: everyone wholly under the template; partly: models
    partly under it, which may escape.
    """

    command = "mission.spring"
    typed = "mission spring"
    titled = "Spring a trap"
    said_first = ("place", "under", "partly", "side", "odds")
    decision_of = in_play("the side whose trap it is")

    place: ThingRow = place("Place", _suggest_springable)
    under: tuple[Fighter, ...] = _near_trap(
        "Models completely under the template, separated by commas", "wholly", "under the template"
    )
    side: SideRow = side_played()
    odds: bool = fields.odds()
    partly: tuple[Fighter, ...] = _near_trap(
        "Models partly under the template", "partly", "partly under the template"
    )


def list_armed_sides(encounter: EncounterView, but: int = 0) -> list[int]:
    """Return the sides that have set a trap which hasn't sprung, as everyone knows. but: a side left out."""
    traps = [row for row in encounter.book.all(SecretRow) if row.kind == TRAP and not row.revealed]
    return sorted({row.side for row in traps} - {but})


def may_hold_trap(encounter: EncounterView, place: ThingRow) -> bool:
    """Return whether a place may be trapped, as far as everyone knows: no one has searched it."""
    owner = encounter.side(PlaceState(place).side)
    return read_search(place) == Search() and _may_be_trapped(encounter, owner)


def trap_buttons(encounter: Encounter) -> tuple[Button, ...]:
    """Return the button for a trap while a model on the board is near a place that may be trapped.

    It is there whether or not that place is trapped, so that nothing is told by it. Rules: CB-MISS-21.
    """
    is_near = any(
        may_hold_trap(encounter, place) and is_near_for_trap(encounter, place) for place in places(encounter)
    )
    return (SPRING_BUTTON,) if list_armed_sides(encounter) and is_near else ()


SPRING_BUTTON = Button("Spring a trap", SpringTrap(), anytime=True, asks=True)


def list_own_traps(encounter: EncounterView, side: int) -> list[str]:
    """Return the places that a side has trapped, in a line each, for its own players."""
    lines = []
    for row in _traps_of(encounter, side):
        place = encounter.book.get(ThingRow, int(read_secret(row)["place"]))
        if place is not None and not row.revealed:
            is_lost = read_search(place) != Search()
            lines.append(f"Trap at {place.name}" + (" (lost, because it was searched)" if is_lost else ""))
    return lines


def list_trappable_sides(encounter: EncounterView, side: int) -> list[SideRow]:
    """Return the other sides of whose places a side may still trap one. Rules: CB-MISS-21."""
    return [
        rival
        for rival in _list_trappable_rivals(encounter, side)
        if not _has_trapped(encounter, side, rival.id)
    ]


def _may_trap(encounter: Encounter, side: int) -> bool:
    """Rules: CB-MISS-21."""
    max_traps = len(_list_trappable_rivals(encounter, side))
    return not encounter.row.turn and len(_traps_of(encounter, side)) < max_traps


def list_trapping_sides(encounter: Encounter) -> list[SideRow]:
    """Return the played sides that may still trap a place; [] once the game has begun."""
    played_sides = [side for side in encounter.sides() if encounter.captain(side.id)]
    return [side for side in played_sides if _may_trap(encounter, side.id)]


def _list_trappable_rivals(encounter: EncounterView, side: int) -> list[SideRow]:
    return [rival for rival in encounter.sides() if rival.id != side and _may_be_trapped(encounter, rival)]


def _may_be_trapped(encounter: EncounterView, side: SideRow) -> bool:
    """Return whether a side's places are as many as those of a Recovery."""
    return len(places(encounter, side.id)) == recovery_markers(len(encounter.sides()))


def _traps_of(encounter: EncounterView, side: int) -> list[SecretRow]:
    return [row for row in encounter.book.all(SecretRow) if row.kind == TRAP and row.side == side]


def _has_trapped(encounter: EncounterView, side: int, rival_id: int) -> bool:
    """Return whether a side has trapped one of another's places."""
    rival_places = {place.id for place in places(encounter, rival_id)}
    return any(read_secret(row).get("place") in rival_places for row in _traps_of(encounter, side))


@handles(TrapPlace)
def trap_place(act: Act, action: TrapPlace) -> Reply:
    """Trap one place, as each opponent may, without conferring. Rules: CB-MISS-21."""
    place, side = action.place, action.side
    owner = PlaceState(place).side
    if owner == side.id:
        raise InvalidInput("Choose another side's place. That place is yours.")
    if not _may_be_trapped(act.encounter, act.encounter.side(owner)):
        raise InvalidInput("You can only trap the places of a Recovery mission.")
    if act.encounter.row.turn:
        raise InvalidInput("You can only trap a place before the game begins.")
    if _has_trapped(act.encounter, side.id, owner):
        name = act.encounter.side(owner).name
        raise InvalidInput(
            f"You have already trapped one of {possessive(name)} places. To choose again, undo that trap "
            "first."
        )
    store_secret(act, side.id, TRAP, {"place": place.id})
    reply = say(f"{side.name} has trapped a place.")
    return Reply(
        (
            f"You have trapped {place.name}.",
            "Spring the trap with /mission spring.",
            "Only your side sees this.",
        ),
        private=True,
        buttons=(UNDO,),
        also=(reply,),
    )


@dataclass(frozen=True, slots=True)
class ReadyTrap:
    """A trap that may be sprung. secrets: every trap there. caught: who is under it, with what helps."""

    side: int
    place: str
    secrets: tuple[int, ...]
    caught: tuple[tuple[Fighter, Victim, PreparedCheck | None], ...]


@in_steps(SpringTrap)
class Springing(FinishingOften[SpringTrap, ReadyTrap, tuple[Suffered, ...]]):
    """Before any search there, once, however many trapped it. Rules: CB-MISS-21, CB-TMPL-01."""

    label = "Spring the trap"

    def prepare(self, act: ActView, action: SpringTrap) -> ReadyTrap:
        place, side, fully_under, partly_under = action.place, action.side, action.under, action.partly
        traps = [row for row in act.book.all(SecretRow) if row.kind == TRAP and not row.revealed]
        traps_here = [row for row in traps if read_secret(row).get("place") == place.id]
        if not any(row.side == side.id for row in traps_here):
            raise InvalidInput(f"Choose another place. You have no trap at {place.name}.")
        if require_mission(act.encounter, PlaceState(place).side).key != "recovery":
            raise InvalidInput("Nothing happens, because this place doesn't belong to a Recovery mission.")
        under_count = len(fully_under) + len(partly_under)
        if not under_count and find_marker(act.encounter, place) is not None:
            raise InvalidInput(f"Wait until a model is within {TRAP_INCHES} in of {place.name}.")
        if not 1 <= under_count <= MAX_UNDER:
            raise Missing(f"Choose 1 to {MAX_UNDER} models under the template.")
        if not traps_sprung([row.side for row in traps_here], read_search(place) == Search()):
            raise InvalidInput("That place has already been searched, so its trap is lost.")
        rules = settings(act)
        caught = tuple(
            (model, *prepare_trap(model, partly=model in partly_under, settings=rules))
            for model in (*fully_under, *partly_under)
        )
        return ReadyTrap(side.id, place.name, tuple(row.id for row in traps_here), caught)

    def thrown(self, act: Act, action: SpringTrap, ready: ReadyTrap) -> tuple[Suffered, ...]:
        return tuple(act.roll(at("the trap", model.name), trap, victim) for model, victim, _ in ready.caught)

    def settle(
        self, act: Act, action: SpringTrap, ready: ReadyTrap, outcome: tuple[Suffered, ...]
    ) -> Telling:
        traps_here = [row for row in act.book.all(SecretRow) if row.id in ready.secrets]
        for row in traps_here:
            row.revealed = True
        telling = Telling([f"{act.encounter.side(ready.side).name} springs a trap at {ready.place}."])
        for (model, _, escape_check), suffered in zip(ready.caught, outcome, strict=True):
            if escape_check is not None:
                telling.why += why_check(escape_check, f"{model.name} tries to escape")
            add_wounds(act, telling, model, suffered.through, "from the trap", side=ready.side)
        telling.dice = ["Trap: 3D+2 against Defense, Power 5"]
        return telling

    def chances(self, act: ActView, action: SpringTrap, ready: ReadyTrap) -> Chances:
        odds_by_model = [
            (model, act.solve(engulf_wounds, victim, MAX_COUNTED)) for model, victim, _ in ready.caught
        ]
        return hurt_chances(f"Trap at {ready.place}", odds_by_model)
