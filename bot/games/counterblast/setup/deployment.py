"""Before the first turn at the table: terrain, deployment, infiltrators, leaders, missions."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core.narration import FinishingOften, Telling, finish
from bot.games.counterblast.core.wording import cast_roll_off, trace_lines
from bot.games.counterblast.setup.infiltration import infiltrator_menus
from bot.games.counterblast.state.missions import find_mission
from bot.games.counterblast.state.models import fighters, read_block, traits_of
from bot.games.counterblast.state.table_state import EncounterState, SideState
from bot.replies.reply import Button, Reply
from bot.store.rows import ModelRow
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.encounter import NO_SIDE, EncounterView, set_counter
from bot.table.handlers import handles
from bot.table.owners import ANYONE, PLAYER, decided_by
from bot.table.steps import Chances, in_steps
from bot.table.throw_purposes import Whose
from rules.refusals import InvalidInput, forbid
from rules.systems.counterblast.building.crew import (
    Member,
    add_up_points,
    count_allowed_specialties,
    find_leader,
    list_alignments,
    name_size,
)
from rules.systems.counterblast.core.general import roll_off, roll_order
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.missions.score import survey_squares
from rules.systems.counterblast.missions.setup import (
    HEAVIEST_PIECE,
    average_terrain,
    deployment_order,
    deployment_steps,
    pieces_left,
    placing_player,
    roll_terrain,
    terrain_bounds,
    terrain_dice,
)
from rules.wording import times


@dataclass(frozen=True, slots=True)
class Terrain(Action):
    """Roll for the number of terrain pieces, and for who places first.

    The number is rolled, or the average.
    """

    command = "cb.terrain"
    typed = "game terrain"
    titled = "Terrain"
    decision_of = PLAYER

    width: int = fields.whole("Width of the table (feet)", 1, 12, default=4, fact=True)
    depth: int = fields.whole("Depth of the table (feet)", 1, 12, default=4, fact=True)
    average: bool = fields.switch("Use the average instead of rolling")
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class PlacePiece(Action):
    """Record that you placed a piece of terrain.

    counts: as how many pieces, 1 to 3.
    """

    command = "cb.terrain.piece"
    typed = "game piece"
    titled = "Place terrain"
    decision_of = decided_by(lambda act, action: (next_placing(act.encounter) or ())[:1])

    counts: int = fields.whole("Number of pieces that this piece counts as", 1, 3, default=1)


@dataclass(frozen=True, slots=True)
class Deploy(Action):
    """Roll to decide who chooses which side deploys first."""

    command = "cb.deploy"
    typed = "game deploy"
    titled = "Deployment"
    decision_of = PLAYER


@dataclass(frozen=True, slots=True)
class Dispute(Action):
    """Roll off when you disagree about a rule.

    The highest die decides for this game.
    """

    command = "cb.dispute"
    typed = "game dispute"
    titled = "Settle a dispute"
    decision_of = PLAYER


@dataclass(frozen=True, slots=True)
class DeployFirst(Action):
    """The winner's choice: the sides in this order."""

    command = "cb.deploy.order"
    decision_of = decided_by(lambda act, action: [EncounterState(act.encounter.row).deployer])

    sides: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CrewCheck(Action):
    """Compare the crews with the agreed points limit.

    limit: points, 0 for none.
    """

    command = "cb.crews"
    typed = "game crews"
    titled = "Compare the crews"
    decision_of = ANYONE

    limit: int = fields.whole("Agreed points limit (0 for none)", 0, 10000, default=0)


# ------------------------------------------------------------------------------------------- terrain


@dataclass(frozen=True, slots=True)
class ReadyTerrain:
    """How many dice of terrain there are, or how many pieces on average; and who places it."""

    number: int
    average: int
    sides: tuple[str, ...]


def _require_before_play(act: ActView, action_words: str) -> None:
    """Refuse what sets the table up once the first turn has begun. Raises Barred. Rules: CB-SETUP-01."""
    if act.encounter.row.turn:
        forbid(f"You can only {action_words} before the first turn.", "CB-SETUP-01")


@in_steps(Terrain)
class RollingTerrain(FinishingOften[Terrain, ReadyTerrain, tuple[int, tuple[int, ...]]]):
    """One die for every two full square feet, or 5 pieces each; then the order of placing."""

    def prepare(self, act: ActView, action: Terrain) -> ReadyTerrain:
        """Return the terrain for a table of that size. Raises InvalidInput, NotAllowed."""
        _require_before_play(act, "roll for terrain")
        average = average_terrain(action.width, action.depth) if action.average else 0
        number = terrain_dice(action.width, action.depth)
        return ReadyTerrain(number, average, tuple(side.name for side in act.encounter.sides()))

    def thrown(self, act: Act, action: Terrain, ready: ReadyTerrain) -> tuple[int, tuple[int, ...]]:
        pieces = ready.average
        if not action.average:
            pieces = act.roll(
                Whose("the table", "roll", "for the number of terrain pieces"), roll_terrain, ready.number
            )
        if len(ready.sides) < 2:
            return pieces, ()
        rollers = cast_roll_off(ready.sides, "roll-off", "to place terrain")
        return pieces, act.roll(rollers, roll_order, len(ready.sides))

    def settle(
        self, act: Act, action: Terrain, ready: ReadyTerrain, outcome: tuple[int, tuple[int, ...]]
    ) -> Telling:
        (pieces, order), counters = outcome, act.encounter.row.counters
        set_counter(counters, EncounterState.square_feet.key, survey_squares(action.width, action.depth))
        source_text = "average" if action.average else times(ready.number, "die", "dice")
        telling = Telling(
            [
                f"Terrain: {times(pieces, 'piece')} ({source_text}).",
                "A large piece can count as 2 or 3 pieces.",
            ]
        )
        if not order:
            return telling
        telling.lines.append(
            f"Place pieces one at a time, in this order: {', '.join(ready.sides[place] for place in order)}."
        )
        for turn, place in enumerate(order, 1):
            SideState(act.encounter.sides()[place]).terrain_place = turn
        set_counter(counters, EncounterState.terrain_left.key, pieces)
        set_counter(counters, EncounterState.terrain_placed.key, 0)
        telling.more = tuple(_piece_buttons())
        return telling

    def chances(self, act: ActView, action: Terrain, ready: ReadyTerrain) -> Chances:
        odds = act.solve(roll_terrain, ready.number)
        min_pieces, max_pieces = terrain_bounds(ready.number)
        return Chances(
            (f"Terrain: {min_pieces} to {max_pieces} pieces, {odds.mean(float):.1f} on average.",),
            solved=(odds,),
        )


def _piece_buttons() -> list[Button]:
    return [
        Button(f"Piece placed (counts as {count})", PlacePiece(count))
        for count in range(1, HEAVIEST_PIECE + 1)
    ]


def next_placing(encounter: EncounterView) -> tuple[int, int] | None:
    """Return the side that places next, and how many are left, or None. Rules: CB-SETUP-05."""
    pieces_to_place = EncounterState(encounter.row).terrain_left
    placing_sides = [side for side in encounter.sides() if SideState.terrain_place.key in side.counters]
    order = tuple(
        side.id for side in sorted(placing_sides, key=lambda side: side.counters[SideState.terrain_place.key])
    )
    return (
        (placing_player(order, EncounterState(encounter.row).terrain_placed), pieces_to_place)
        if pieces_to_place and order
        else None
    )


@handles(PlacePiece)
def place_piece(act: Act, action: PlacePiece) -> Reply:
    """Place a piece by the next side in the rolled order. Rules: CB-SETUP-05, CB-SETUP-06."""
    encounter = act.encounter
    placement = next_placing(encounter)
    if placement is None:
        raise InvalidInput(
            "There is no terrain left to place. To roll for more, press Terrain or use /game terrain."
        )
    side, pieces_before = placement
    act.require_side(side)
    pieces_after, counters = pieces_left(pieces_before, action.counts), encounter.row.counters
    set_counter(counters, EncounterState.terrain_left.key, pieces_after)
    set_counter(counters, EncounterState.terrain_placed.key, EncounterState(encounter.row).terrain_placed + 1)
    lines = [f"{encounter.side(side).name} places a piece ({pieces_after} left)."]
    next_placement = next_placing(encounter)
    if next_placement is None:
        return finish(act, Telling([*lines, "All terrain is placed."]))
    lines.append(f"{encounter.side(next_placement[0]).name} places the next piece.")
    return finish(act, Telling(lines), (), *_piece_buttons())


# ------------------------------------------------------------------------------------------- deployment


@handles(Deploy)
def deploy(act: Act, action: Deploy) -> Reply:
    """Roll, and roll ties again; the winner chooses the order."""
    _require_before_play(act, "roll for deployment")
    sides = act.encounter.sides()
    if len(sides) < 2:
        raise InvalidInput("Deployment needs two sides. Another player can join with /encounter join.")
    rollers = cast_roll_off([side.name for side in sides], "roll-off", "for deployment")
    winner = sides[act.roll(rollers, roll_off, len(sides))]
    players = tuple(side.id for side in sides)
    orders = [deployment_order(players, first_side.id) for first_side in sides]
    buttons = [
        Button(f"{first_side.name} deploys first", DeployFirst(order))
        for first_side, order in zip(sides, orders, strict=True)
    ]
    lines = [f"{winner.name} chooses who deploys first.", "", *trace_lines(act.dice.trace)]
    EncounterState(act.encounter.row).deployer = winner.id
    return Reply(tuple(lines), buttons=tuple(buttons))


@handles(Dispute)
def dispute(act: Act, action: Dispute) -> Reply:
    """Roll one die each, ties again; talk it over after the game."""
    sides = act.encounter.sides()
    rollers = cast_roll_off([side.name for side in sides], "roll-off", "for the dispute")
    winner = sides[act.roll(rollers, roll_off, len(sides))]
    lines = [f"{winner.name} wins the dispute.", "The decision holds for this game."]
    return finish(act, Telling(lines))


@handles(DeployFirst)
def deploy_first(act: Act, action: DeployFirst) -> Reply:
    """Deploy regular models of each crew in one go, then the infiltrators in the same order."""
    encounter = act.encounter
    winner = EncounterState(encounter.row).deployer
    if not winner:
        raise InvalidInput(
            "Use /game deploy before this. That roll decides who picks the side that deploys first."
        )
    act.require_side(winner)
    players = tuple(side.id for side in encounter.sides())
    order = deployment_order(players, winner, action.sides)
    infiltrating_sides = frozenset(
        model.side for model in fighters(encounter) if model.has_feature("infiltrator")
    )
    lines = [f"{encounter.side(order[0]).name} deploys first."]
    for number, step in enumerate(deployment_steps(order, infiltrating_sides), 1):
        name = encounter.side(step.player).name
        if step.infiltrators:
            names = [m.name for m in fighters(encounter, step.player) if m.has_feature("infiltrator")]
            place = "more than 8 in from objectives, enemies and enemy deployment zones"
            lines.append(f"{number}. {name} sets up its Infiltrators ({', '.join(names)}) {place}.")
        else:
            place = "within 12 in of the middle of its table edge (in Escort, of its corner)"
            lines.append(f"{number}. {name} deploys {place}.")
    return replace(finish(act, Telling(lines)), menus=infiltrator_menus(act))


# ------------------------------------------------------------------------------------------- crews


def _build_member(row: ModelRow) -> Member:
    """Return a model with the points of its statblock and of everything added to it."""
    block = read_block(row.profile)
    extra_points = sum(weapon.cost for weapon in block.weapons[len(block.profile.weapons) :])
    extra_points += sum(item.cost for item in block.gear[len(block.profile.gear) :])
    return Member(block.profile, block.profile.points + extra_points)


def crew_points(encounter: EncounterView, side: int) -> int:
    """Return the points of all models of a side, including lost ones."""
    return add_up_points([_build_member(row) for row in encounter.models(side, gone=True)])


@handles(CrewCheck)
def crews(act: Act, action: CrewCheck) -> Reply:
    """Return the points, Heroes, leader, alignment, Specialties and mission of every side."""
    encounter = act.encounter
    lines = []
    for side in encounter.sides():
        rows = encounter.models(side.id, gone=True)
        members = [_build_member(row) for row in rows]
        size = add_up_points(members)
        excess = size - action.limit if action.limit else 0
        excess_text = f", {excess} over the limit" if excess > 0 else ""
        lines.append(f"**{side.name}** {size} points ({name_size(size)} game){excess_text}")
        if not any(member.profile.is_hero for member in members):
            lines.append("  no Hero")
        leader = find_leader(side.id, fighters(encounter, side.id))
        lines.append(f"  leader: {leader.name if leader else 'none'}")
        affiliation_names = [load().affiliations[key].name for key in list_alignments(members)]
        lines.append(f"  can align with: {', '.join(affiliation_names) or 'none'}")
        traits = traits_of(side)
        max_specialties = count_allowed_specialties(size, gcw_aligned=traits.alignment == "gcw")
        lines.append(f"  Specialties: {len(traits.specialties)} of {max_specialties}")
        mission = find_mission(encounter, side.id)
        mission_text = mission.note.name if mission and mission.revealed else "chosen in secret"
        lines.append(f"  mission: {mission_text if mission else 'none chosen'}")
    return Reply(tuple(lines or [NO_SIDE]), private=True)
