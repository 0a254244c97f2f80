"""Choose missions before the game: in secret, looked at, revealed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from bot.actions import Action, reference_by_number
from bot.games.counterblast.core.crews import token_lines
from bot.games.counterblast.core.fields import anybody, side_played
from bot.games.counterblast.core.narration import house_rule
from bot.games.counterblast.missions.objectives import WITH_PLACES, LayPlaces
from bot.games.counterblast.missions.traps import (
    SPRING_BUTTON,
    TrapPlace,
    list_own_traps,
    list_trappable_sides,
    list_trapping_sides,
    mission,
)
from bot.games.counterblast.setup.deployment import crew_points
from bot.games.counterblast.state.missions import (
    AWAY_CAPTIVE,
    CHOSEN,
    describe_mission,
    find_mission,
    list_own_sides,
    may_see_secrets,
    place_lines,
    places,
    require_mission,
    reveal_mission,
    store_secret,
)
from bot.games.counterblast.state.models import fighters, game_of, settings_of
from bot.games.counterblast.state.table_state import AbsenteeState, SideState
from bot.replies.reply import Blank, Button, Choice, Menu, Reply, form, say
from bot.store.rows import SideRow, ThingRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.board.surface import has_board
from bot.table.encounter import NO_SIDE, Encounter, EncounterView
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.names import find, plain
from bot.table.offers.forms import title_of
from bot.table.owners import ANYONE, in_play
from bot.table.session.encounters import NextStep
from rules.refusals import Forbidden, InvalidInput, Missing, is_allowed, refuse_typed
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Note
from rules.systems.counterblast.missions.missions import (
    possible_missions,
    require_abduction,
    require_recovery_object,
)
from rules.wording import join_with_and, possessive, times

SET_UP = {
    "abduction": "When your target is down, carry it off with /mission subdue.",
    "escort": "Deploy within 12 in of one corner. Then set up the marker with /mission places. Enter the "
    "marker's x and y and its distance to the opposite corner in inches, such as `20 30 8`.",
    "invasion": "Set up the marker inside the enemy's deployment area with /mission places. Enter the "
    "marker's x and y in inches and 0 for its distance to that area, such as `20 30 0`.",
    "recovery": "With /mission places, set up one more place than there are players. Keep the places at "
    "least 12 in from your deployment area and at least 6 in apart.",
    "sabotage": "Set up the place with /mission places. Enter the place's x and y and its distance to the "
    "nearest deployment area in inches (12 or more), such as `20 30 12`.",
    "scouting": "Set up three places with /mission places. Keep them at least 12 in from your deployment "
    "area and from each other.",
}
"""What is to be done next, told to the crew that chose it."""

SET_UP_ON_BOARD = SET_UP | {
    "escort": "Deploy within 12 in of one corner. Then set up the marker with /mission places, within 12 in "
    "of the opposite corner.",
    "invasion": "Set up the marker inside the enemy's deployment area with /mission places.",
    "sabotage": "Set up the place with /mission places, at least 12 in from every deployment area.",
}
"""The same on a shared board, which measures the distances."""

CHARACTERS = "characters"
"""Section of the roster: persons with a name of their own."""

NEEDS_MODEL = {"abduction": "an enemy", "escort": "one of your own models"}
"""Missions that are about a model, and whose it is."""


@dataclass(frozen=True, slots=True)
class LostThing:
    """The thing that a Recovery looks for, by name. captive: the number of its row, if it is one."""

    name: str
    captive: int = 0


def _read_lost_thing(context: Asking, text: str) -> LostThing:
    """A statblock or piece of equipment worth a quarter of the crew at most, or a captive of any worth.

    Raises InvalidInput. Rules: CB-MISS-19.
    """
    encounter, side = context.act.encounter, context.before("side")
    captives, costs = _sought_captives(encounter, side.id), _load_costs()
    name = find(text, list({**captives, **costs}), str, "model, weapon or piece of gear")
    if name not in captives and name in _characters_in_play(encounter):
        raise InvalidInput(f"Choose something else to look for. {name} is already in this game.")
    try:
        points = crew_points(encounter, side.id)
        require_recovery_object(costs.get(name, 0), points, abducted=name in captives)
    except Forbidden as refusal:
        raise InvalidInput(refusal.sentence) from None
    return LostThing(name, captives.get(name, 0))


def _suggest_lost_things(context: Asking) -> Sequence[str]:
    if not game_of(context):
        return list(_load_costs())
    encounter, chosen_side, costs = context.act.encounter, context.so_far.get("side"), _load_costs()
    suggestions, names_in_play = dict[str, int](), _characters_in_play(encounter)
    for side in [chosen_side] if isinstance(chosen_side, SideRow) else list_own_sides(context.act):
        points = crew_points(encounter, side.id)
        affordable_names = [
            name for name in costs if is_allowed(require_recovery_object, costs[name], points)
        ]
        suggestions |= _sought_captives(encounter, side.id) | {
            name: 0 for name in affordable_names if name not in names_in_play
        }
    return list(suggestions)


def _sought_captives(encounter: EncounterView, side: int) -> dict[str, int]:
    """Captives of a side, who may be worth anything: their names and rows."""
    rows = encounter.book.all(ThingRow)
    return {
        row.name: row.id for row in rows if row.kind == AWAY_CAPTIVE and AbsenteeState(row).sought_by == side
    }


@cache
def _load_costs() -> dict[str, int]:
    library = load()
    costs = {profile.name: profile.points for profile in library.profiles}
    return costs | {item.name: item.cost for item in (*library.weapons, *library.gear)}


def _characters_in_play(encounter: EncounterView) -> set[str]:
    keys = {model.profile.key for model in fighters(encounter)}
    return {
        profile.name for profile in load().profiles if profile.section == CHARACTERS and profile.key in keys
    }


@dataclass(frozen=True, slots=True)
class ChooseSecretly(Action):
    """Choose your mission in secret.

    target: the model it is about; seeks: what a Recovery looks for. declared: everyone learns the target now.
    """

    command = "mission.choose"
    typed = "mission choose"
    titled = "Choose a mission"
    said_first = ("mission", "target", "seeks", "place", "declared", "side")
    decision_of = in_play("the side whose mission it is")

    mission: Note = mission()
    side: SideRow = side_played()
    target: Fighter | None = anybody("Target: an enemy (Abduction) or your own model (Escort)")
    seeks: LostThing | None = fields.sought(
        "Model or item to find (Recovery only)",
        _suggest_lost_things,
        _read_lost_thing,
        written=lambda thing: thing.name,
    )
    place: str = fields.text("Place of the mission on the table (in your own words)", None)
    declared: bool = fields.switch("Reveal your mission and its target to everyone now")


@dataclass(frozen=True, slots=True)
class ShowMissions(Action):
    """Show every mission you know about (visible only to you).

    Shows your own in full, and of the others what is public.
    """

    command = "mission.show"
    typed = "mission show"
    titled = "Missions"
    decision_of = ANYONE


@dataclass(frozen=True, slots=True)
class RevealMission(Action):
    """Reveal your mission to everyone."""

    command = "mission.reveal"
    typed = "mission reveal"
    titled = "Reveal your mission"
    decision_of = in_play("the side whose mission it is")

    side: SideRow = side_played()


def require_before_begin(encounter: Encounter) -> None:
    """Refuse to choose a mission once the game has begun. Raises InvalidInput."""
    if encounter.row.turn:
        raise InvalidInput("It is too late. Missions have to be chosen before the game begins.")


@handles(ChooseSecretly)
def choose(act: Act, action: ChooseSecretly) -> Reply:
    """Choose a mission once, before the first turn; everyone sees that it was chosen."""
    _require_undecided(act, action)
    encounter, side, note = act.encounter, action.side, action.mission
    row = store_secret(
        act, side.id, CHOSEN, {"mission": note.key, "declared": action.declared, **_mission_values(action)}
    )
    mission_line, *details = describe_mission(encounter, require_mission(encounter, side.id))
    if action.declared:
        row.revealed = True
        return say(f"{side.name} declares its mission: {mission_line}.", *details, buttons=[UNDO])
    announcement = say(f"{side.name} has chosen a mission.")
    set_up = SET_UP_ON_BOARD if has_board(encounter) else SET_UP
    return Reply(
        (
            f"Your mission: {mission_line}.",
            note.text,
            *details,
            *([set_up[note.key]] if note.key in set_up else []),
            "Only your side sees this.",
        ),
        private=True,
        buttons=(UNDO,),
        also=(announcement,),
    )


def _require_undecided(act: Act, action: ChooseSecretly | PickMission) -> None:
    """Refuse to choose a mission too late, or twice. Raises InvalidInput."""
    require_before_begin(act.encounter)
    if find_mission(act.encounter, action.side.id) is not None:
        raise InvalidInput("You have already chosen a mission. To choose again, undo that choice first.")


def _mission_values(action: ChooseSecretly) -> dict[str, str | int | bool]:
    values: dict[str, str | int | bool] = {}
    name = action.mission.name
    if action.mission.key not in NEEDS_MODEL:
        refuse_typed(f"Leave the target blank, because {name} has no target.", action.target)
    if action.mission.key != "recovery":
        refuse_typed(
            f'Leave "Model or item to find" blank, because there is nothing to find in {name}.', action.seeks
        )
    if action.mission.key in NEEDS_MODEL:
        values["model"] = _require_target(action).id
    if action.mission.key == "recovery":
        if action.seeks is None:
            raise Missing("Choose what to look for (a model or an item).")
        values["about"] = action.seeks.name
        if action.seeks.captive:
            values["captive"] = action.seeks.captive
    if action.place:
        values["place"] = plain(action.place, 60)
    return values


def _require_target(action: ChooseSecretly) -> Fighter:
    model, mission = action.target, action.mission.key
    if model is None:
        raise Missing(f"Choose {NEEDS_MODEL[mission]} as the target.")
    try:
        if mission == "abduction":
            require_abduction(action.side.id, model)
    except Forbidden as refusal:
        raise InvalidInput(refusal.sentence) from None
    if mission == "escort" and model.side != action.side.id:
        raise Missing("Choose a model of your own crew to escort.")
    return model


@handles(ShowMissions)
def show(act: Act, action: ShowMissions) -> Reply:
    """Show it to the person who asks."""
    encounter = act.encounter
    if not encounter.sides():
        return say(NO_SIDE, private=True)
    lines, buttons = list[str](), list[Button]()
    for side in encounter.sides():
        mission = find_mission(encounter, side.id)
        points = times(SideState(side).objective_points, "objective point")
        lines.append(f"**{side.name}**, {points}")
        if mission is None:
            lines.append("No mission chosen")
        elif mission.revealed or may_see_secrets(encounter, act.actor.user_id, side.id):
            lines += describe_mission(encounter, mission)
        else:
            lines.append("Mission chosen in secret")
        lines += place_lines(encounter, places(encounter, side.id))
        if may_see_secrets(encounter, act.actor.user_id, side.id) and encounter.row.turn:
            own_traps = list_own_traps(encounter, side.id)
            lines += own_traps
            buttons += [SPRING_BUTTON] if own_traps and SPRING_BUTTON not in buttons else []
    tokens = token_lines(encounter)
    shown_lines = (*lines, *house_rule(act, "objective_points"), *tokens)
    return Reply(shown_lines, private=True, buttons=tuple(buttons))


@handles(RevealMission)
def reveal_own_mission(act: Act, action: RevealMission) -> Reply:
    """Reveal the mission for the rest of the game; before the first turn this also declares it.

    Rules: CB-MISS-02, CB-MISS-09, CB-MISS-13.
    """
    encounter, side = act.encounter, action.side
    if require_mission(encounter, side.id).revealed:
        raise InvalidInput("Everyone already knows your mission.")
    if not encounter.row.turn:
        SideState(side).mission_declared = 1
    return say(*reveal_mission(encounter, require_mission(encounter, side.id)), buttons=[UNDO])


SEEKS_FORM = form("mission-seeks", "Recovery", Blank("seeks", "Model, weapon or gear to find"))


@dataclass(frozen=True, slots=True)
class AskMission(Action):
    """What is to be done of one's own mission before the game: chosen from a menu, its places laid."""

    command = "mission.ask"
    decision_of = in_play("the side whose mission it is")


@dataclass(frozen=True, slots=True)
class PickMission(Action):
    """Choose this mission, or be asked for what it is about."""

    command = "mission.pick"
    decision_of = in_play("the side whose mission it is")

    side: SideRow = side_played()
    mission: Note = mission()


def without_mission(encounter: Encounter) -> list[SideRow]:
    """Return the sides that have chosen none while one can still be chosen. Rules: CB-MISS-01."""
    if encounter.row.turn:
        return []
    return [side for side in encounter.sides() if find_mission(encounter, side.id) is None]


def mission_buttons(encounter: Encounter) -> tuple[Button, ...]:
    """Return the mission button. It is always there, so that no one learns which missions need places."""
    return (Button("Mission", AskMission(), anytime=True),) if encounter.sides() else ()


def ask_before_begin(act: Act) -> Reply | None:
    """Ask whether to begin without what is due, as far as the asker may know; None for nothing due.

    Missions come first, then places, then traps: these are set once all have chosen.

    Of traps it tells no more than the panel: who may set one, never at whose places. A person who tries
    sample crews alone is not asked for missions.
    Rules: CB-MISS-01, CB-MISS-21, CB-SETUP-11.
    """
    encounter = act.encounter
    undecided_sides = [] if _is_tried_alone(encounter) else without_mission(encounter)
    visible_sides = [
        side for side in encounter.sides() if may_see_secrets(encounter, act.actor.user_id, side.id)
    ]
    sides_without_places = [side for side in visible_sides if _lacks_places(encounter, side)]
    trap_sides = [] if undecided_sides else list_trapping_sides(encounter)
    if not (undecided_sides or sides_without_places or trap_sides) or len(encounter.sides()) < 2:
        return None
    lines = (
        [f"No mission chosen yet: {', '.join(side.name for side in undecided_sides)}."]
        if undecided_sides
        else []
    )
    lines += ["You can't choose a mission once the game begins."] if undecided_sides else []
    lines += [_no_places(encounter, side) for side in sides_without_places]
    lines += ["You can't set up places once the game begins."] if sides_without_places else []
    lines += (
        [f"{join_with_and([side.name for side in trap_sides])} can still trap a place."] if trap_sides else []
    )
    lines += ["You can't trap places once the game begins."] if trap_sides else []
    must_choose = any(side in undecided_sides for side in visible_sides)
    choose_buttons = (Button("Choose a mission", AskMission(), "main", anytime=True),) if must_choose else ()
    place_buttons = (_setup_button(LayPlaces(side=side), visible_sides) for side in sides_without_places)
    trap_buttons = (
        _setup_button(TrapPlace(side=side), visible_sides) for side in visible_sides if side in trap_sides
    )
    return Reply(
        tuple(lines),
        private=True,
        buttons=(*choose_buttons, *place_buttons, *trap_buttons, Button("Begin anyway", NextStep())),
    )


def ask_arrived_side(act: Act, side: SideRow) -> Reply:
    """Return the missions to choose from, to who brought a side."""
    return _build_mission_menus(act.encounter, [side])


@handles(AskMission)
def ask_mission(act: Act, action: AskMission) -> Reply:
    """Show the asker a menu for each of its sides without a mission, and what the others need.

    Rules: CB-MISS-01, CB-MISS-21.
    """
    encounter = act.encounter
    require_before_begin(encounter)
    asker_sides = list_own_sides(act)
    lines: list[str] = []
    buttons: list[Button] = []
    for side in asker_sides:
        mission = find_mission(encounter, side.id)
        if mission is not None:
            lines.append(f"{side.name}: {', '.join(describe_mission(encounter, mission))}")
            lines += place_lines(encounter, places(encounter, side.id))
        if _lacks_places(encounter, side):
            lines.append(_no_places(encounter, side))
            buttons.append(_setup_button(LayPlaces(side=side), asker_sides))
        rival_names = (
            [other.name for other in list_trappable_sides(encounter, side.id)] if mission is not None else []
        )
        lines += [
            f"If {other} plays Recovery, {side.name} can trap one of {possessive(other)} places."
            for other in rival_names
        ]
        buttons += [_setup_button(TrapPlace(side=side), asker_sides)] if rival_names else []
    undecided = [side for side in asker_sides if find_mission(encounter, side.id) is None]
    question = _build_mission_menus(encounter, undecided)
    return replace(question, lines=(*lines, *question.lines), buttons=tuple(buttons))


def _build_mission_menus(encounter: Encounter, undecided: Sequence[SideRow]) -> Reply:
    notes = possible_missions(settings_of(encounter))
    choices = tuple(Choice(note.name, note.name, note.text) for note in notes)
    menus = [
        Menu(f"{side.name}: choose a mission", PickMission(side), "mission", choices, anytime=True)
        for side in undecided
    ]
    privacy = "Only your side sees what you choose." if menus else "Only your side sees this."
    return Reply((privacy,), private=True, menus=tuple(menus))


def _is_tried_alone(encounter: Encounter) -> bool:
    sides = encounter.sides()
    people = {user for side in sides for user in encounter.deciders(side.id)}
    return len(people) == 1 and not any(side.crew or find_mission(encounter, side.id) for side in sides)


def _lacks_places(encounter: Encounter, side: SideRow) -> bool:
    """Return whether a side's mission is done at places on the table, and none is laid."""
    mission = find_mission(encounter, side.id)
    return mission is not None and mission.key in WITH_PLACES and not places(encounter, side.id)


def _no_places(encounter: Encounter, side: SideRow) -> str:
    return f"{side.name} has not set up the places for {require_mission(encounter, side.id).note.name}."


def _setup_button(action: LayPlaces | TrapPlace, own: Sequence[SideRow]) -> Button:
    label = title_of(type(action)) + (f": {action.side.name}" if len(own) > 1 else "")
    return Button(label, action, "main", anytime=True, asks=True)


@handles(PickMission)
def pick_mission(act: Act, action: PickMission) -> Reply:
    """Ask next what the mission is about. Rules: CB-MISS-07, CB-MISS-12, CB-MISS-19."""
    _require_undecided(act, action)
    note = action.mission
    choice = ChooseSecretly(note, action.side)
    if note.key in NEEDS_MODEL:
        targets = _targets(act.encounter, action.side.id, note.key)
        choices = tuple(Choice(model.name, reference_by_number(model.id)) for model in targets)
        prompt = f"{note.name}: choose {NEEDS_MODEL[note.key]}"
        menu = Menu(prompt, choice, "target", choices, anytime=True)
        return Reply(
            (f"{note.name} needs {NEEDS_MODEL[note.key]} as its target.",),
            private=True,
            menus=(menu,),
            replaces=True,
        )
    if note.key == "recovery":
        choose_button = Button("Choose what to look for...", choice, "main", anytime=True, form=SEEKS_FORM)
        return Reply((f"{note.name}: {note.text}",), private=True, buttons=(choose_button,), replaces=True)
    act.canonical = choice
    return replace(choose(act, choice), replaces=True)


def _targets(encounter: Encounter, side: int, mission: str) -> Sequence[Fighter]:
    """Rules: CB-MISS-07, CB-MISS-12."""
    models = fighters(encounter)
    if mission == "abduction":
        return [model for model in models if is_allowed(require_abduction, side, model)]
    return [model for model in models if model.side == side]
