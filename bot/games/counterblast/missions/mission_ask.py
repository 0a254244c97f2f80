"""Missions that are still due, asked before the game begins and chosen step by step."""

from __future__ import annotations

from collections.abc import Sequence

from bot.actions import Action, numbered
from bot.games.counterblast.core.fields import side_played
from bot.games.counterblast.core.fighters import fighters, settings_of
from bot.games.counterblast.missions.fields import mission
from bot.games.counterblast.missions.mission_play import NEEDS_MODEL, ChooseSecretly, choose
from bot.games.counterblast.missions.mission_state import mission_of, own_sides, sees
from bot.replies.reply import Blank, Button, Choice, Menu, Reply, form
from bot.store.rows import SideRow
from bot.table.act import Act
from bot.table.encounter import Encounter
from bot.table.handlers import handles
from bot.table.session.encounters import NextStep
from rules.records import dataclass, replace
from rules.refusals import InvalidInput, allows
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Note
from rules.systems.counterblast.missions.missions import offered, require_abduction

SEEKS = form("mission-seeks", "Recovery", Blank("seeks", "What you look for: a model, weapon or gear"))


@dataclass(frozen=True, slots=True)
class AskMission(Action):
    """Choose a mission for a side that one plays, from a menu."""

    command = "mission.ask"


@dataclass(frozen=True, slots=True)
class PickMission(Action):
    """Choose this mission, or be asked for what it is about."""

    command = "mission.pick"

    side: SideRow = side_played()
    mission: Note = mission()


def without_mission(encounter: Encounter) -> list[SideRow]:
    """The sides that have chosen none while one can still be chosen. Rules: CB-MISS-01."""
    if encounter.row.turn:
        return []
    return [side for side in encounter.sides() if mission_of(encounter, side.id) is None]


def mission_buttons(encounter: Encounter) -> tuple[Button, ...]:
    """A mission, while one is due."""
    return (Button("Mission", AskMission(), anytime=True),) if without_mission(encounter) else ()


def before_begin(act: Act) -> Reply | None:
    """The question whether to begin without the missions that are due; None where none is."""
    encounter = act.encounter
    due = without_mission(encounter)
    if not due or len(encounter.sides()) < 2:
        return None
    mine = [side for side in due if sees(encounter, act.actor.user_id, side.id)]
    choosing = (Button("Choose a mission", AskMission(), "main", anytime=True),) if mine else ()
    return Reply(
        (
            f"No mission yet: {', '.join(side.name for side in due)}.",
            "After Begin none can be chosen.",
        ),
        private=True,
        buttons=(*choosing, Button("Begin without", NextStep())),
    )


@handles(AskMission)
def ask_mission(act: Act, action: AskMission) -> Reply:
    """To the person who asks, a menu for each of its sides that has none. Rules: CB-MISS-01."""
    encounter = act.encounter
    if encounter.row.turn:
        raise InvalidInput("The game has begun: missions are chosen before.")
    mine = [side for side in without_mission(encounter) if sees(encounter, act.actor.user_id, side.id)]
    if not mine:
        own_sides(act)
        raise InvalidInput("Your mission is chosen. To choose again, undo it.")
    notes = offered(settings_of(encounter))
    choices = tuple(Choice(note.name, note.name, note.text) for note in notes)
    menus = [
        Menu(f"{side.name}: which mission?", PickMission(side), "mission", choices, anytime=True)
        for side in mine
    ]
    return Reply(("Only your side sees what you choose.",), private=True, menus=tuple(menus))


@handles(PickMission)
def pick_mission(act: Act, action: PickMission) -> Reply:
    """What it is about is asked next. Rules: CB-MISS-07, CB-MISS-12, CB-MISS-19."""
    note = action.mission
    chosen = ChooseSecretly(note, action.side)
    if note.key in NEEDS_MODEL:
        found = _targets(act.encounter, action.side.id, note.key)
        choices = tuple(Choice(model.name, numbered(model.id)) for model in found)
        prompt = f"{note.name}: which one? {NEEDS_MODEL[note.key]}"
        menu = Menu(prompt, chosen, "target", choices, anytime=True)
        return Reply(
            (f"{note.name} is about {NEEDS_MODEL[note.key]}.",), private=True, menus=(menu,), replaces=True
        )
    if note.key == "recovery":
        asks = Button("What you look for...", chosen, "main", anytime=True, form=SEEKS)
        return Reply((f"{note.name}: {note.text}",), private=True, buttons=(asks,), replaces=True)
    act.canonical = chosen
    return replace(choose(act, chosen), replaces=True)


def _targets(encounter: Encounter, side: int, mission: str) -> Sequence[Fighter]:
    """Whom a mission may be about. Rules: CB-MISS-07, CB-MISS-12."""
    models = fighters(encounter)
    if mission == "abduction":
        return [model for model in models if allows(require_abduction, side, model)]
    return [model for model in models if model.side == side]
