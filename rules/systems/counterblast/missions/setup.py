"""The steps before the first turn."""

from __future__ import annotations

from dataclasses import dataclass

from rules.dice import Dice
from rules.effects import Effect, Gain
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.counterblast.core.checks import SIDES, PreparedCheck
from rules.systems.counterblast.core.dice_pools import prepare_check
from rules.systems.counterblast.core.fighter import Condition, Fighter, Until
from rules.systems.counterblast.core.settings import DEFAULTS, Settings

STEPS: tuple[str, ...] = (
    "agree on points and select crews",
    "choose missions",
    "agree on the number of turns",
    "choose and place terrain",
    "place objectives",
    "deploy crews",
    "deploy infiltrators",
    "first turn",
)
"""What is done before play, in order. Rules: CB-SETUP-01, CB-SETUP-11, CB-SETUP-12."""

ZONE_RADIUS_INCHES = 12
KEEP_AWAY_INCHES = 8
ENTRY_TURN = 2
ENTRY_TARGET = 5
AVERAGE_PIECES = 5
HEAVIEST_PIECE = 3


# ------------------------------------------------------------------------------------------- terrain


def terrain_dice(width_feet: int, depth_feet: int) -> int:
    """Return the dice for the number of terrain pieces: one for every two full square feet.

    Both sides 1 to 12 ft, at least two square feet in all. Raises InvalidInput. Rules: CB-SETUP-04.
    """
    if not (1 <= width_feet <= 12 and 1 <= depth_feet <= 12):
        raise InvalidInput("Each side of the table must be 1 to 12 feet long.")
    number = width_feet * depth_feet // 2
    if not number:
        raise InvalidInput("The table must have at least 2 square feet for terrain.")
    return number


def _one_die(dice: Dice) -> int:
    return dice.face(SIDES, "terrain")


def roll_terrain(dice: Dice, number: int) -> int:
    """Roll how many pieces of terrain: so many d10 added up. number: 1 or more. Rules: CB-SETUP-04."""
    return dice.total(number, _one_die)


def terrain_bounds(number: int) -> tuple[int, int]:
    """Return the fewest and the most pieces that so many dice come to. Rules: CB-SETUP-04."""
    return number, number * SIDES


def average_terrain(width_feet: int, depth_feet: int) -> int:
    """Return the pieces of terrain without rolling: 5 for every two full square feet. Rules: CB-SETUP-04."""
    return AVERAGE_PIECES * terrain_dice(width_feet, depth_feet)


def pieces_left(pieces: int, weight: int) -> int:
    """Return the pieces still to place after one that counts as 1 (a small dump) to 3 (a large building).

    Never below 0. Raises InvalidInput for other weights. Rules: CB-SETUP-05.
    """
    if not 1 <= weight <= HEAVIEST_PIECE:
        raise InvalidInput(f"A terrain piece can count as 1 to {HEAVIEST_PIECE} pieces.")
    return max(0, pieces - weight)


def placing_player(order: tuple[int, ...], placed: int) -> int:
    """Return who places the next piece after so many: the players take turns in their rolled order.

    Rules: CB-SETUP-06.
    """
    return order[placed % len(order)]


# ------------------------------------------------------------------------------------------- deployment


def deployment_order(players: tuple[int, ...], winner: int, order: tuple[int, ...] = ()) -> tuple[int, ...]:
    """Return the deployment order that the winner of the roll-off chose; by default the winner goes first.

    order: every player once. Raises InvalidInput. Rules: CB-SETUP-08.
    """
    if winner not in players:
        raise InvalidInput("The winner of the roll-off must be a side in this game.")
    if not order:
        place = players.index(winner)
        return players[place:] + players[:place]
    if sorted(order) != sorted(players):
        raise InvalidInput("The deployment order must list every side exactly once.")
    return order


@dataclass(frozen=True, slots=True)
class DeploymentStep:
    """A step of deployment: the player who sets up, and whether regular models or infiltrators."""

    player: int
    infiltrators: bool


def deployment_steps(order: tuple[int, ...], with_infiltrators: frozenset[int]) -> tuple[DeploymentStep, ...]:
    """Return who sets up when: each crew's regular models in one go, then the infiltrators in the same
    order.

    Rules: CB-SETUP-09, CB-SETUP-10.
    """
    regular = tuple(DeploymentStep(player, False) for player in order)
    return regular + tuple(DeploymentStep(player, True) for player in order if player in with_infiltrators)


def in_default_zone(inches_to_middle: float) -> bool:
    """Return whether a spot is in the half circle of 12 in around the middle of the player's table edge.

    Rules: CB-SETUP-07.
    """
    return inches_to_middle <= ZONE_RADIUS_INCHES


def require_in_zone(inside: bool, *, infiltrator: bool) -> None:
    """Refuse, with Forbidden, a regular model outside its deployment zone.

    Rules: CB-SETUP-09, CB-SETUP-10.
    """
    if not inside and not infiltrator:
        raise Forbidden(
            "Set up this model in its deployment zone. Only Infiltrators can start outside it.", "CB-SETUP-09"
        )


def require_infiltrator_spot(enemy_zone_inches: float, enemy_inches: float, objective_inches: float) -> None:
    """Refuse, with Forbidden, an infiltrator within 8 in of an enemy zone, an enemy or an objective.

    Distances in inches to the nearest of each; infinite where there is none. Rules: CB-SETUP-10.
    """
    distances = (
        (enemy_zone_inches, "an enemy deployment zone"),
        (enemy_inches, "an enemy model"),
        (objective_inches, "a mission objective"),
    )
    for inches, obstacle in distances:
        if inches <= KEEP_AWAY_INCHES:
            raise Forbidden(
                (
                    f"Infiltrators must start more than {KEEP_AWAY_INCHES} in from {obstacle} (this spot is "
                    f"{inches:g} in away)."
                ),
                "CB-SETUP-10",
            )


# ------------------------------------------------------------------------------------------- infiltrators


def start_on_overwatch(model: Fighter) -> tuple[Effect, ...]:
    """Put an Infiltrator on Overwatch at the start of the game. Raises Forbidden for others.

    Rules: CB-SETUP-10, CB-FEAT-31.
    """
    _require_infiltrator(model)
    return (Gain(model.id, Condition.OVERWATCH, until=Until.NEXT_ACTIVATION, source="infiltrator"),)


def _require_infiltrator(model: Fighter) -> None:
    if not model.has_feature("infiltrator"):
        forbid(f"{model.name} is not an Infiltrator.", "CB-SETUP-10")


def prepare_entry(
    model: Fighter, leader: Fighter, turn: int, *, order_token: bool = False, settings: Settings = DEFAULTS
) -> PreparedCheck:
    """Prepare to bring an Infiltrator in from reserve: its crew leader's INT at target 5, from turn 2 on.

    Roll it with `checks.roll_one_success`; a success lets it enter from any table edge, a failure may be
    followed by another try next turn and counts against those the leader may activate. Raises Forbidden.
    Rules: CB-SETUP-10, CB-FEAT-32.
    """
    _require_infiltrator(model)
    if turn < ENTRY_TURN:
        forbid(f"Reserves can enter from turn {ENTRY_TURN} onwards.", "CB-FEAT-32")
    if not leader.leader or leader.side != model.side:
        forbid("Only the crew's leader can call in a model from reserve.", "CB-FEAT-32")
    return prepare_check(
        leader,
        "INT",
        ENTRY_TARGET,
        order_token=order_token,
        settings=settings,
        target_reason="calling in from reserve",
        target_rule="CB-FEAT-32",
    )
