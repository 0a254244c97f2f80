"""Missions at the table: chosen in secret, looked at, shown to everybody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from bot.actions import Action
from bot.games.counterblast.core.fields import anybody, side_played
from bot.games.counterblast.core.fighters import fighters, game_of, settings_of
from bot.games.counterblast.core.tokens import token_lines
from bot.games.counterblast.missions.mission_state import (
    AWAY,
    CHOSEN,
    DECLARED,
    OBJECTIVE,
    SOUGHT_BY,
    hide,
    mission_of,
    own_sides,
    place_lines,
    places,
    required,
    reveal,
    sees,
    words,
)
from bot.games.counterblast.missions.traps import mission
from bot.games.counterblast.setup.setup_play import crew_points
from bot.replies.reply import Reply, say
from bot.store.rows import SecretRow, SideRow, ThingRow
from bot.table.act import Act
from bot.table.answering import Void
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.encounter import NO_SIDE, Encounter
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.names import find, plain
from bot.table.owners import ANYONE, in_play
from rules.refusals import Forbidden, InvalidInput, allows
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Note
from rules.systems.counterblast.missions.missions import require_abduction, require_recovery_object
from rules.wording import times

SET_UP = {
    "abduction": ("Its last Life taken in melee: /mission subdue.",),
    "escort": (
        "Deploy within 12 in of one corner.",
        'Its marker: /mission places "x y c",',
        "c: inches to the opposite corner.",
    ),
    "invasion": ('Then its marker: /mission places "x y 0",', "0: inside the enemy's area."),
    "recovery": ("Then: /mission places, one more than", "players; 12 in from your area, 6 apart."),
    "sabotage": (
        'Then: /mission places "x y z".',
        "z, 12 or more: inches to the nearest",
        "deployment area.",
    ),
    "scouting": ("Then: /mission places, three of them,", "12 in from your area and each other."),
}
"""What is to be done next, told to the crew that chose it."""

CHARACTERS = "characters"
"""Section of the roster: persons with a name of their own."""

NEEDS_MODEL = {"abduction": "an enemy", "escort": "one of your own"}
"""Missions that are about a model, and whose it is."""


@dataclass(frozen=True, slots=True)
class LostThing:
    """What a Recovery looks for, by name. captive: the number of its row, where it is one."""

    name: str
    captive: int = 0


def _lost_thing(asking: Asking, text: str) -> LostThing:
    """A statblock or piece of equipment worth a quarter of the crew at most, or a captive of any worth.

    Raises InvalidInput. Rules: CB-MISS-19.
    """
    encounter, side = asking.act.encounter, asking.before("side")
    captives, worth = _sought_captives(encounter, side.id), _worth()
    name = find(text, list({**captives, **worth}), str, "thing to look for")
    if name not in captives and name in _at_the_table(encounter):
        raise InvalidInput(f"{name} is at this table already, and is not lost.")
    try:
        points = crew_points(encounter, side.id)
        require_recovery_object(worth.get(name, 0), points, abducted=name in captives)
    except Forbidden as refusal:
        raise InvalidInput(refusal.sentence) from None
    return LostThing(name, captives.get(name, 0))


def _sought(asking: Asking) -> Sequence[str]:
    """What a Recovery of the side that was said, or else of one's own, may look for: captives first."""
    if not game_of(asking):
        return list(_worth())
    encounter, said, worth = asking.act.encounter, asking.so_far.get("side"), _worth()
    found, here = dict[str, int](), _at_the_table(encounter)
    for side in [said] if isinstance(said, SideRow) else own_sides(asking.act):
        points = crew_points(encounter, side.id)
        fit = [one for one in worth if allows(require_recovery_object, worth[one], points)]
        found |= _sought_captives(encounter, side.id) | {one: 0 for one in fit if one not in here}
    return list(found)


def _sought_captives(encounter: Encounter, side: int) -> dict[str, int]:
    """Captives of a side, who may be worth anything: their names and rows."""
    rows = encounter.book.all(ThingRow)
    return {row.name: row.id for row in rows if row.kind == AWAY and row.counters.get(SOUGHT_BY) == side}


@cache
def _worth() -> dict[str, int]:
    """What can be lost at all, by name, with its points."""
    library = load()
    worth = {one.name: one.points for one in library.profiles}
    return worth | {one.name: one.cost for one in (*library.weapons, *library.gear)}


def _at_the_table(encounter: Encounter) -> set[str]:
    """Characters who play in this game: there is one of each."""
    keys = {one.profile.key for one in fighters(encounter)}
    return {one.name for one in load().profiles if one.section == CHARACTERS and one.key in keys}


@dataclass(frozen=True, slots=True)
class ChooseSecretly(Action):
    """Choose your mission in secret.

    target: the model it is about; seeks: what a Recovery looks for. declared: the target is told to
    everybody now.
    """

    command = "mission.choose"
    typed = "mission choose"
    titled = "Choose a mission"
    said_first = ("mission", "target", "seeks", "place", "declared", "side")
    decision_of = in_play("the side whose mission it is")

    mission: Note = mission()
    side: SideRow = side_played()
    target: Fighter | None = anybody("Abduction: an enemy; Escort: one of yours")
    seeks: LostThing | None = fields.sought(
        "Recovery: what you look for", _sought, _lost_thing, written=lambda thing: thing.name
    )
    place: str = fields.text("Where, in words", None)
    declared: bool = fields.switch("Tell everybody now")


@dataclass(frozen=True, slots=True)
class ShowMissions(Action):
    """Show the missions as far as you know them, to you alone.

    One's own in full, of the others what everybody may know.
    """

    command = "mission.show"
    typed = "mission show"
    titled = "Missions"
    decision_of = ANYONE


@dataclass(frozen=True, slots=True)
class RevealMission(Action):
    """Show your mission to everybody."""

    command = "mission.reveal"
    typed = "mission reveal"
    titled = "Reveal the mission"
    decision_of = in_play("the side whose mission it is")

    side: SideRow = side_played()


def require_before_begin(encounter: Encounter) -> None:
    """Refuse to choose a mission once the game has begun. Raises Void."""
    if encounter.row.turn:
        raise Void("Too late: missions have to be chosen before the game begins.")


@handles(ChooseSecretly)
def choose(act: Act, action: ChooseSecretly) -> Reply:
    """Before the first turn, once; everybody sees that it was chosen, and a hash of it."""
    encounter, side, note = act.encounter, action.side, action.mission
    require_before_begin(encounter)
    if mission_of(encounter, side.id) is not None:
        raise InvalidInput("Your mission is chosen. To choose again, undo it.")
    row = hide(act, side.id, CHOSEN, {"mission": note.key, "declared": action.declared, **_about(action)})
    first, *more = words(encounter, required(encounter, side.id))
    if action.declared:
        row.revealed = True
        return say(f"{side.name} declares its mission: {first}.", *more, buttons=[UNDO])
    told = say(f"{side.name}: a mission is chosen.", "SHA-256 of it:", f"`{row.proof}`")
    return Reply(
        (
            f"Your mission: {first}.",
            note.text,
            *more,
            *SET_UP.get(note.key, ()),
            "Only your side sees this.",
        ),
        private=True,
        buttons=(UNDO,),
        also=(told,),
    )


def _about(action: ChooseSecretly) -> dict[str, str | int | bool]:
    """What a mission is about, as its row keeps it. Raises InvalidInput."""
    found: dict[str, str | int | bool] = {}
    if action.mission.key in NEEDS_MODEL:
        found["model"] = _target(action).id
    if action.mission.key == "recovery":
        if action.seeks is None:
            raise InvalidInput("Say what you look for: equipment or a crew member.")
        found["about"] = action.seeks.name
        if action.seeks.captive:
            found["captive"] = action.seeks.captive
    if action.place:
        found["place"] = plain(action.place, 60)
    return found


def _target(action: ChooseSecretly) -> Fighter:
    model, mission = action.target, action.mission.key
    if model is None:
        raise InvalidInput(f"Name the target: {NEEDS_MODEL[mission]}.")
    try:
        if mission == "abduction":
            require_abduction(action.side.id, model)
    except Forbidden as refusal:
        raise InvalidInput(refusal.sentence) from None
    if mission == "escort" and model.side != action.side.id:
        raise InvalidInput("Escort one of your own crew.")
    return model


@handles(ShowMissions)
def show(act: Act, action: ShowMissions) -> Reply:
    """To the person who asks."""
    encounter = act.encounter
    if not encounter.sides():
        return say(NO_SIDE, private=True)
    lines = []
    for side in encounter.sides():
        found = mission_of(encounter, side.id)
        points = times(side.counters.get(OBJECTIVE, 0), "objective point")
        lines.append(f"**{side.name}**, {points}")
        if found is None:
            lines.append("no mission chosen")
        elif found.revealed or sees(encounter, act.actor.user_id, side.id):
            lines += words(encounter, found)
        else:
            row = encounter.book.get(SecretRow, found.row)
            lines += ["chosen in secret", f"SHA-256 `{row.proof[:16] if row else ''}...`"]
        lines += place_lines(encounter, places(encounter, side.id))
    tokens = token_lines(encounter)
    house = settings_of(encounter)
    if house.objective_points != "flat":
        lines.append("House rule: objective points in percent")
    return Reply((*lines, *tokens), private=True)


@handles(RevealMission)
def show_all(act: Act, action: RevealMission) -> Reply:
    """For good, with what its hash was made of; before the first turn it is declared by that.

    Rules: CB-MISS-02, CB-MISS-09, CB-MISS-13.
    """
    encounter, side = act.encounter, action.side
    if required(encounter, side.id).revealed:
        raise InvalidInput("Your mission is known already.")
    if not encounter.row.turn:
        side.counters[DECLARED] = 1
    return say(*reveal(encounter, required(encounter, side.id)), buttons=[UNDO])
