"""What is still due of missions before the game begins, asked and done step by step: chosen, places laid,
places of others trapped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.actions import Action, numbered
from bot.games.counterblast.core.fields import side_played
from bot.games.counterblast.core.fighters import fighters, settings_of
from bot.games.counterblast.missions.mission_play import (
    NEEDS_MODEL,
    ChooseSecretly,
    choose,
    require_before_begin,
)
from bot.games.counterblast.missions.mission_state import (
    mission_of,
    own_sides,
    place_lines,
    places,
    required,
    sees,
    words,
)
from bot.games.counterblast.missions.mission_tasks import WITH_PLACES, LayPlaces
from bot.games.counterblast.missions.traps import TrapPlace, mission, to_trap, trapping
from bot.replies.reply import Blank, Button, Choice, Menu, Reply, form
from bot.store.rows import SideRow
from bot.table.act import Act
from bot.table.asking.forms import title_of
from bot.table.encounter import Encounter
from bot.table.handlers import handles
from bot.table.owners import in_play
from bot.table.session.encounters import NextStep
from rules.refusals import allows
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Note
from rules.systems.counterblast.missions.missions import offered, require_abduction

SEEKS = form("mission-seeks", "Recovery", Blank("seeks", "What you look for: a model, weapon or gear"))


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
    """The sides that have chosen none while one can still be chosen. Rules: CB-MISS-01."""
    if encounter.row.turn:
        return []
    return [side for side in encounter.sides() if mission_of(encounter, side.id) is None]


def mission_buttons(encounter: Encounter) -> tuple[Button, ...]:
    """One's mission. It stands there whatever was chosen, so that it tells nobody which need places."""
    return (Button("Mission", AskMission(), anytime=True),) if encounter.sides() else ()


def before_begin(act: Act) -> Reply | None:
    """The question whether to begin without what is due, as far as who asks may know; None for nothing due.

    Missions come first, then places, then traps: these are set once all have chosen.

    Of traps it tells no more than the panel: who may set one, never at whose places.
    Rules: CB-MISS-01, CB-MISS-21, CB-SETUP-11.
    """
    encounter = act.encounter
    due = without_mission(encounter)
    mine = [side for side in encounter.sides() if sees(encounter, act.actor.user_id, side.id)]
    bare = [side for side in mine if _lacks_places(encounter, side)]
    traps = [] if due else trapping(encounter)
    if not (due or bare or traps) or len(encounter.sides()) < 2:
        return None
    lines = [f"No mission yet: {', '.join(side.name for side in due)}."] if due else []
    lines += ["After Begin none can be chosen."] if due else []
    lines += [_no_places(encounter, side) for side in bare]
    lines += ["After Begin none can be laid."] if bare else []
    lines += [f"May still trap a place: {', '.join(side.name for side in traps)}."] if traps else []
    lines += ["After Begin none can be trapped."] if traps else []
    choosing = any(side in due for side in mine)
    chooses = (Button("Choose a mission", AskMission(), "main", anytime=True),) if choosing else ()
    lays = (_doing(LayPlaces(side=side), mine) for side in bare)
    sets = (_doing(TrapPlace(side=side), mine) for side in mine if side in traps)
    return Reply(
        tuple(lines),
        private=True,
        buttons=(*chooses, *lays, *sets, Button("Begin without", NextStep())),
    )


def arrived(act: Act, side: SideRow) -> Reply:
    """The missions to choose from, to who brought a side."""
    return _choosing(act.encounter, [side])


@handles(AskMission)
def ask_mission(act: Act, action: AskMission) -> Reply:
    """To the person who asks: a menu for each of its sides that has no mission, and what the others need.

    Rules: CB-MISS-01, CB-MISS-21.
    """
    encounter = act.encounter
    require_before_begin(encounter)
    mine = own_sides(act)
    lines: list[str] = []
    buttons: list[Button] = []
    for side in mine:
        found = mission_of(encounter, side.id)
        if found is not None:
            lines.append(f"{side.name}: {', '.join(words(encounter, found))}")
            lines += place_lines(encounter, places(encounter, side.id))
        if _lacks_places(encounter, side):
            lines.append(_no_places(encounter, side))
            buttons.append(_doing(LayPlaces(side=side), mine))
        others = [other.name for other in to_trap(encounter, side.id)] if found is not None else []
        lines += [f"If {other} have a Recovery, {side.name} trap one of their places." for other in others]
        buttons += [_doing(TrapPlace(side=side), mine)] if others else []
    due = [side for side in mine if mission_of(encounter, side.id) is None]
    asked = _choosing(encounter, due)
    return replace(asked, lines=(*lines, *asked.lines), buttons=tuple(buttons))


def _choosing(encounter: Encounter, due: Sequence[SideRow]) -> Reply:
    """A menu for each of these sides."""
    notes = offered(settings_of(encounter))
    choices = tuple(Choice(note.name, note.name, note.text) for note in notes)
    menus = [
        Menu(f"{side.name}: which mission?", PickMission(side), "mission", choices, anytime=True)
        for side in due
    ]
    seen = "Only your side sees what you choose." if menus else "Only your side sees this."
    return Reply((seen,), private=True, menus=tuple(menus))


def _lacks_places(encounter: Encounter, side: SideRow) -> bool:
    """Whether a side's mission is done at places on the table, and none is laid."""
    found = mission_of(encounter, side.id)
    return found is not None and found.key in WITH_PLACES and not places(encounter, side.id)


def _no_places(encounter: Encounter, side: SideRow) -> str:
    return f"{side.name}: no place is laid for {required(encounter, side.id).note.name}."


def _doing(action: LayPlaces | TrapPlace, mine: Sequence[SideRow]) -> Button:
    """What opens its form; of several sides of one's own it names the one that is meant."""
    label = title_of(type(action)) + (f": {action.side.name}" if len(mine) > 1 else "")
    return Button(label, action, "main", anytime=True, asks=True)


@handles(PickMission)
def pick_mission(act: Act, action: PickMission) -> Reply:
    """What it is about is asked next. Rules: CB-MISS-07, CB-MISS-12, CB-MISS-19."""
    require_before_begin(act.encounter)
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
