"""Pictures of chances show what their words say: bars as long, points as high, marks as far on as that is."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from bot.replies.curve import Point, curve
from bot.replies.drawing import FILLS
from bot.replies.grid_picture import NEVER, UNKNOWN, Square, squares
from bot.replies.ladder import Amounts, Rung, ladder
from bot.replies.reply import Attachment
from bot.table.luck.luck_report import ToldLuck, draw_luck
from rules.dice import Luck

Pixel = tuple[int, ...]


def pixels(drawn: Attachment) -> Image.Image:
    return Image.open(BytesIO(drawn.data)).convert("RGB")


def colour(name: str) -> Pixel:
    return tuple(int(name[at : at + 2], 16) for at in (1, 3, 5))


def rows_of(image: Image.Image, ink: Pixel) -> list[int]:
    """How many dots of an ink stand in each row, of those that have any."""
    found = (sum(image.getpixel((x, y)) == ink for x in range(image.width)) for y in range(image.height))
    return [count for count in found if count]


def spots(image: Image.Image, ink: Pixel) -> list[tuple[int, int]]:
    every = ((x, y) for x in range(image.width) for y in range(image.height))
    return [at for at in every if image.getpixel(at) == ink]


LENGTHS: list[tuple[tuple[float, ...], Amounts | None]] = [
    ((1.0, 0.5, 0.25), None),
    ((24.0, 12.0, 6.0), Amounts(1)),
    ((0.4, 0.2, 0.1), Amounts(2)),
]


@pytest.mark.parametrize(("values", "amounts"), LENGTHS)
def test_a_bar_is_as_long_as_its_number_is_large(values: tuple[float, ...], amounts: Amounts | None) -> None:
    drawn = ladder("Shoot", "Goes down", [Rung("Trapper", value) for value in values], amounts)
    widths = sorted(set(rows_of(pixels(drawn), colour(FILLS[0]))), reverse=True)
    longest, middle, shortest = widths[0], widths[len(widths) // 2], widths[-1]
    assert middle / longest == pytest.approx(0.5, abs=0.02)
    assert shortest / longest == pytest.approx(0.25, abs=0.02)


def test_a_bar_of_a_chance_ends_where_the_scale_says() -> None:
    """Half of all is half of the scale, not of the longest bar."""
    whole, half = (
        max(rows_of(pixels(ladder("Shoot", "Goes down", [Rung("Trapper", chance)])), colour(FILLS[0])))
        for chance in (1.0, 0.5)
    )
    assert half / whole == pytest.approx(0.5, abs=0.02)


def test_a_point_stands_as_high_as_its_chance_and_as_far_on_as_its_number() -> None:
    points = [Point(0.0, 0.0), Point(5.0, 0.5), Point(10.0, 1.0)]
    image = pixels(curve("Shoot", "Goes down", "inches", points))
    found = spots(image, colour(FILLS[0]))
    left, right = min(found)[0], max(found)[0]
    heights = []
    for x in (left + 8, (left + right) // 2, right - 8):
        column = [y for at, y in found if at == x]
        heights.append(sum(column) / len(column))
    low, middle, high = heights
    assert high < middle < low
    assert (low - middle) / (low - high) == pytest.approx(0.5, abs=0.05)


def test_a_square_is_the_darker_the_likelier_it_is() -> None:
    row = [0.0, 0.3, 0.6, 1.0, NEVER, UNKNOWN]
    columns = [str(place) for place in range(len(row))]
    drawn = squares("Ours and theirs", [Square("Ours attack", ["Sally"], columns, [row])])
    image = pixels(drawn)
    lowest = next(
        y for y in range(image.height - 1, 0, -1) if image.getpixel((240, y)) != image.getpixel((1, 1))
    )
    wide = (image.width - 28 - 218) / len(row)
    corners = [(round(218 + min(90.0, wide) * place + 6), lowest - 5) for place in range(len(row))]
    shades = [sum(dots) for dots in map(image.getpixel, corners) if isinstance(dots, tuple)]
    assert shades[0] > shades[1] > shades[2] > shades[3]
    assert shades[4] == shades[5] == shades[0]


@pytest.mark.parametrize("place", [0.1, 0.5, 0.9])
def test_a_mark_of_luck_stands_where_its_share_of_fair_games_ends(place: float) -> None:
    told = ToldLuck("Lancers", 9, Luck(place, 0.0))
    found = spots(pixels(draw_luck("Luck", [told], [], [1])), colour(FILLS[0]))
    middle = sum(x for x, _ in found) / len(found)
    left, right = 38, 720 - 38
    assert (middle - left) / (right - left) == pytest.approx(place, abs=0.01)
