"""Area effects: the squares of bursts, corridors, fans, star bursts and pulses, and clouds that drift."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from rules.dice import Dice
from rules.refusals import Forbidden, InvalidInput
from rules.systems.soluna.board import Board, Cloud, Piece, Point, area_reach, sign
from rules.systems.soluna.profile import Weapon
from rules.systems.soluna.settings import Settings
from rules.systems.soluna.sight import blocked_lines

MAX_X = 20
MAX_REACH = 100
Growth = Literal["north_east", "north_west", "south_east", "south_west"]


def _checked(x: int) -> None:
    if not 1 <= x <= MAX_X:
        raise InvalidInput(f"The size (X) of an area must be between 1 and {MAX_X}.")


def burst(target: Point, x: int, settings: Settings, growth: Growth | None = None) -> frozenset[Point]:
    """Return Burst X: x by x squares around the target.

    growth: where an even block reaches one further; the attacker's to give with `burst_even_offset` =
    attacker_choice (north-east when left out). Raises InvalidInput, Forbidden. Rules: SU-BURST-01.
    """
    _checked(x)
    if growth is not None and settings.burst_even_offset != "attacker_choice":
        raise Forbidden(
            "Leave out the direction in which the burst reaches further. A house rule sets it.",
            "SU-BURST-01",
        )
    direction = growth or ("south_west" if settings.burst_even_offset == "south_west" else "north_east")
    small, large = (x - 1) // 2, x // 2
    west, east = (small, large) if direction.endswith("east") else (large, small)
    south, north = (small, large) if direction.startswith("north") else (large, small)
    return frozenset(
        (target[0] + i, target[1] + j) for i in range(-west, east + 1) for j in range(-south, north + 1)
    )


def centre_line(attacker: Point, target: Point, length: int) -> tuple[Point, ...]:
    """Return the first `length` squares of the straight line from attacker towards target, without its own.

    Raises Forbidden when both are the same square. Rules: SU-CORR-01, SU-FAN-01.
    """
    dx, dy = target[0] - attacker[0], target[1] - attacker[1]
    n, m = max(abs(dx), abs(dy)), min(abs(dx), abs(dy))
    if not n:
        raise Forbidden("Aim at a square other than the attacker's own.", "SU-CORR-01")
    squares = []
    for k in range(1, length + 1):
        side = (2 * k * m + n - 1) // (2 * n)
        a, b = (k, side) if abs(dx) >= abs(dy) else (side, k)
        squares.append((attacker[0] + sign(dx) * a, attacker[1] + sign(dy) * b))
    return tuple(squares)


def columns(attacker: Point, target: Point, width: int) -> tuple[Point, ...]:
    """Return shifts of the centre line for so many columns: itself, then right, left, right of it.

    Rules: SU-CORR-01.
    """
    dx, dy = target[0] - attacker[0], target[1] - attacker[1]
    side_step = (sign(dy), 0) if abs(dy) > abs(dx) else (0, -sign(dx))
    shifts = []
    for k in range(width):
        offset = (k + 1) // 2 if k % 2 else -(k // 2)
        shifts.append((side_step[0] * offset, side_step[1] * offset))
    return tuple(shifts)


def line_length(attacker: Point, target: Point, reach: int) -> int:
    """Return squares of the line through the target whose area reach is at most `reach`. Rules: SU-FAN-01."""
    line = centre_line(attacker, target, min(reach, MAX_REACH))
    return sum(area_reach(attacker, square) <= reach for square in line)


def corridor(attacker: Point, target: Point, x: int, reach: int, settings: Settings) -> frozenset[Point]:
    """Return Corridor X: x columns from the attacker to the target, or to the weapon's Reach by the setting.

    Raises InvalidInput, Forbidden. Rules: SU-CORR-01.
    """
    _checked(x)
    if settings.corridor_length == "reach":
        length = line_length(attacker, target, reach)
    else:
        length = max(abs(target[0] - attacker[0]), abs(target[1] - attacker[1]))
    line = centre_line(attacker, target, length)
    return _shifted(line, columns(attacker, target, x))


def _shifted(line: tuple[Point, ...], shifts: tuple[Point, ...]) -> frozenset[Point]:
    return frozenset((x + i, y + j) for x, y in line for i, j in shifts)


def fan_width(x: int, k: int, length: int, settings: Settings) -> int:
    """Return the squares in row k of `length` rows of a Fan X, at least 1. Rules: SU-FAN-01."""
    if settings.fan_profile == "two_steps":
        return x if 2 * k > length else max(1, x // 2)
    return max(1, x * k // length if x % 2 else -(-x * k // length))


def fan(attacker: Point, target: Point, x: int, reach: int, settings: Settings) -> frozenset[Point]:
    """Return Fan X: from the attacker through the target to the weapon's Reach, x columns wide at its end.

    Raises InvalidInput, Forbidden. Rules: SU-FAN-01.
    """
    _checked(x)
    length = line_length(attacker, target, reach)
    squares: set[Point] = set()
    for k, centre in enumerate(centre_line(attacker, target, length), 1):
        shifts = columns(attacker, target, fan_width(x, k, length, settings))
        squares |= _shifted((centre,), shifts)
    return frozenset(squares)


def star_burst(target: Point, x: int, settings: Settings) -> frozenset[Point]:
    """Return Star burst X: all squares within area reach x, or its eight arms by the setting.

    Rules: SU-STAR-01.
    """
    _checked(x)
    squares = []
    for i in range(-x, x + 1):
        for j in range(-x, x + 1):
            arm = not i or not j or abs(i) == abs(j)
            if area_reach((0, 0), (i, j)) <= x and (arm or settings.star_shape == "disc"):
                squares.append((target[0] + i, target[1] + j))
    return frozenset(squares)


def pulse(origin: Point, x: int, phase: int, settings: Settings) -> frozenset[Point]:
    """Return the squares that Pulse X reaches in its `phase`, 0 when it is set off; empty after phase x.

    Rules: SU-PULSE-01.
    """
    _checked(x)
    if not 0 <= phase <= x or (phase == 0 and not settings.pulse_hits_origin):
        return frozenset()
    offsets = range(-phase, phase + 1)
    return frozenset(
        (origin[0] + i, origin[1] + j)
        for i in offsets
        for j in offsets
        if area_reach((0, 0), (i, j)) == phase
    )


def reached(squares: frozenset[Point], origin: Point, board: Board, power: int) -> frozenset[Point]:
    """Return the squares on the board that the area gets to past the obstacles it cannot penetrate.

    origin: the target square of bursts, star bursts, pulses and clouds, the attacker's for corridors and
    fans. power: dice of the weapon. Rules: SU-AREA-02.
    """
    walls = board.walls(height=power)
    return frozenset(
        square for square in squares if board.holds(square) and blocked_lines(origin, square, walls) < 3
    )


def victims(squares: frozenset[Point], board: Board) -> tuple[Piece, ...]:
    """Return every model in the area, friends included, in the order of their ids. Rules: SU-AREA-01."""
    return tuple(
        sorted((piece for piece in board.pieces if piece.square in squares), key=lambda piece: piece.id)
    )


SIDES = 10
Due = Literal["nothing", "drift", "gone"]


def place(
    number: int, squares: frozenset[Point], weapon: Weapon, now: int, settings: Settings
) -> Cloud | None:
    """Return the cloud that an area weapon leaves behind, None when its area ends with the phase.

    now: phases since the game's start. Rules: SU-AREA-03, SU-CLOUD-01, SU-CLOUD-03.
    """
    if not weapon.cloud:
        return None
    return Cloud(number, squares, now, weapon.cloud, weapon.smoke or settings.smoke_factor)


def last_phase(cloud: Cloud, settings: Settings) -> int:
    """Return the last phase that the cloud is there. Rules: SU-CLOUD-01."""
    return cloud.placed + cloud.life - (1 if settings.cloud_first_phase else 0)


def due(cloud: Cloud, now: int, settings: Settings) -> Due:
    """Return what the cloud does at the start of phase `now`: nothing yet, a drift roll, or it disappears.

    Rules: SU-CLOUD-01, SU-CLOUD-02.
    """
    if now > last_phase(cloud, settings):
        return "gone"
    return "drift" if now > cloud.placed else "nothing"


def drift_roll(dice: Dice, label: str = "drift") -> int:
    """Roll the D10 of a cloud: 0 to 9, the die's 10 is 0. Rules: SU-CLOUD-02."""
    return dice.face(SIDES, label) % SIDES


def drift(cloud: Cloud, roll: int, board: Board, settings: Settings) -> Cloud | None:
    """Return the cloud after its roll: gone on 0 or off the board, shifted, or held by an obstacle.

    roll: 0 to 9. Raises InvalidInput. Rules: SU-CLOUD-02.
    """
    if not 0 <= roll <= 9:
        raise InvalidInput("Enter 0 to 9 for a drift roll.")
    if roll == 0:
        return None
    dx, dy = settings.cloud_directions[roll - 1]
    moved = frozenset((x + dx, y + dy) for x, y in cloud.squares)
    if moved & board.walls().keys():
        return cloud
    remaining = frozenset(filter(board.holds, moved))
    return replace(cloud, squares=remaining) if remaining else None
