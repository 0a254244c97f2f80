"""Dice expressions: what is read, what comes of given faces, and the odds, against three other programs."""

from __future__ import annotations

import random
import re
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path
from typing import Any
from unittest.mock import patch

import dyce
import icepool
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rules.dice import Entered, MoreDice, Roller, Solver
from rules.notation import describe, evaluate, extremes, kind, lines, once, parse
from rules.notation.extremes import bounds
from rules.notation.nodes import MAX_LENGTH, Judged, Term, Versus
from rules.refusals import InvalidInput
from tests.rules.helpers import brute, fed

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    import d20

PAGE = Path(__file__).parents[2] / "docs" / "dice-expressions.md"


def rolled(text: str, faces: Sequence[int]) -> tuple[str, ...]:
    return fed(evaluate, list(faces), parse(text)).words()


def shown(text: str, faces: Sequence[int]) -> tuple[str, ...]:
    expression, roller = parse(text), Roller(Entered(faces))
    evaluate(roller, expression)
    return lines(expression, roller.trace)


def odds(text: str) -> dict[int, Fraction]:
    solved = Solver(exact=True).solve(evaluate, parse(text))
    chances = {outcome.value: Fraction(p) for outcome, p in solved.chances.items()}
    assert sum(chances.values()) == 1
    return chances


# ---------------------------------------------------------------- examples

EXAMPLES: list[tuple[str, list[int], tuple[str, ...]]] = [
    ("7", [], ("7",)),
    ("4d10", [1, 5, 10, 3], ("19",)),
    ("d20", [17], ("17",)),
    ("d%", [100], ("100",)),
    ("4dF", [1, 2, 3, 3], ("1",)),
    ("fate", [1, 1, 1, 1], ("-4",)),
    ("2 fate", [3, 3], ("2",)),
    ("1W6", [4], ("4",)),
    ("1k6", [4], ("4",)),
    ("2d6+3", [1, 2], ("6",)),
    ("2d6 - 1d4", [1, 2, 4], ("-1",)),
    ("2d6 – 1", [1, 2], ("2",)),
    ("2 * (d6 + 1)", [4], ("10",)),
    ("d6/2", [5], ("2",)),
    ("-d6/2", [5], ("-3",)),
    ("-7/2", [], ("-4",)),
    ("-7/d6", [2], ("-4",)),
    ("7/(-d6)", [2], ("-4",)),
    ("1+2*3", [], ("7",)),
    ("7-2-1", [], ("4",)),
    ("8/2/2", [], ("2",)),
    ("2*7/3", [], ("4",)),
    ("2*(7/3)", [], ("4",)),
    ("7/3*2", [], ("4",)),
    ("10/3*3", [], ("9",)),
    ("--5", [], ("5",)),
    ("4d6 keep 3", [1, 6, 2, 5], ("13",)),
    ("4d6kh3", [1, 6, 2, 5], ("13",)),
    ("4d6 keep highest 3", [1, 6, 2, 5], ("13",)),
    ("4d6 keep 3 highest", [1, 6, 2, 5], ("13",)),
    ("4d6 keep lowest", [3, 6, 2, 5], ("2",)),
    ("4d6kl1", [3, 6, 2, 5], ("2",)),
    ("4d6 drop lowest 1", [1, 6, 2, 5], ("13",)),
    ("4d6dl1", [1, 6, 2, 5], ("13",)),
    ("4d6 drop", [1, 6, 2, 5], ("13",)),
    ("4d6 drop highest 2", [1, 6, 2, 5], ("3",)),
    ("4d6 keep 4", [1, 6, 2, 5], ("14",)),
    ("2d20 best", [4, 17], ("17",)),
    ("2d20 worst", [4, 17], ("4",)),
    ("3d20 best 2", [4, 17, 9], ("26",)),
    ("2d6!", [6, 2, 6, 1], ("15",)),
    ("2d10 explode 9+", [9, 10, 1, 2], ("22",)),
    ("d10!9+", [9, 1], ("10",)),
    ("d6 explode 6", [6, 1], ("7",)),
    ("d6!", [6] * 13, ("78",)),
    ("4dF!", [3, 1, 2, 2, 2], ("0",)),
    ("3d6 reroll 1", [1, 4, 6, 1], ("11",)),
    ("3d6 reroll 1-2", [1, 2, 6, 1, 5], ("12",)),
    ("2d6 reroll <= 2", [2, 3, 6], ("9",)),
    ("2d6 reroll 1 explode", [1, 6, 6, 2, 3], ("17",)),
    ("4d10 count 7+", [7, 10, 6, 1], ("2 successes",)),
    ("4d10 count >= 7", [7, 10, 6, 1], ("2 successes",)),
    ("4d10 count > 7", [7, 10, 6, 1], ("1 success",)),
    ("4d10 count 7 +", [7, 10, 6, 1], ("2 successes",)),
    ("4d10 count 7 + keep 1", [7, 10, 6, 1], ("1 success",)),
    ("4d10 count 1", [1, 10, 6, 1], ("2 counted",)),
    ("4d10 count 1-2", [1, 2, 3, 1], ("3 counted",)),
    ("4d10 count < 3", [1, 2, 3, 1], ("3 counted",)),
    ("4dF count -1", [1, 2, 3, 1], ("2 counted",)),
    ("2d10 each +2 count 7+", [5, 4], ("1 success",)),
    ("3d10 keep 2 count 7+", [8, 9, 10], ("2 successes",)),
    ("4d10 count 7+ + 1", [7, 10, 6, 1], ("3 successes",)),
    ("4d10 count 7 + 1", [7, 10, 6, 1], ("2 counted",)),
    ("2d10 count 7+ + 2d6 count 5+", [7, 1, 5, 6], ("3 successes",)),
    ("2 * 2d10 count 7+", [7, 8], ("4",)),
    ("2d10! count 7+", [10, 1, 8], ("2 successes",)),
    ("2d6 each +1", [1, 2], ("5",)),
    ("2d6 each -1 keep 1", [3, 5], ("4",)),
    ("4d10+1 vs 7", [6, 5, 10, 1], ("2 successes",)),
    ("4d10 each +1 vs 7+", [6, 5, 10, 1], ("2 successes",)),
    ("4d10 - 2 + 1 vs 7", [8, 7, 10, 1], ("2 successes",)),
    ("3d10 keep 1 vs 7", [8, 9, 1], ("1 success",)),
    ("2d10! vs 7", [10, 1, 7], ("2 successes",)),
    ("4d10 vs 7 >= 2", [7, 8, 1, 1], ("yes",)),
    ("2d6+3 >= 8", [2, 3], ("yes",)),
    ("2d6+3 ≥ 8", [1, 3], ("no",)),
    ("2d6+3 < 8", [1, 3], ("yes",)),
    ("2d6 > 2d6", [1, 3, 2, 2], ("no",)),
    ("2d6 <= 2d6", [1, 3, 2, 2], ("yes",)),
    ("d6 = 3", [3], ("yes",)),
    ("3x 2d6", [1, 2, 3, 4, 5, 6], ("3", "7", "11")),
    ("3 X (2d6+1)", [1, 2, 3, 4, 5, 6], ("4", "8", "12")),
    ("2×d6", [3], ("6",)),
    ("2xd6", [1, 2], ("1", "2")),
    ("2 times d6 >= 4", [1, 4], ("no", "yes")),
    ("2d6 [fire] # comment", [1, 2], ("3",)),
    ("2d6[fire]+1[aim]", [1, 2], ("4",)),
    ("2d6! keep 1", [6, 5, 3], ("6",)),
    ("2d6!! keep 1", [6, 3, 5], ("9",)),
    ("3d6! keep 2", [6, 6, 5, 3, 2], ("12",)),
    ("3d6!! keep 2", [6, 3, 6, 2, 5], ("17",)),
    ("3d6! keep lowest 1", [6, 6, 5, 1, 2], ("1",)),
    ("3d6!! keep lowest 1", [6, 1, 6, 2, 5], ("5",)),
    ("2d6!! keep lowest 1", [6, 5, 6, 1], ("7",)),
    ("4d6 explode 5+ keep 2 count 5+", [5, 1, 1, 6, 4, 5, 2], ("2 successes",)),
    ("3d6 penetrate keep lowest 1", [6, 2, 3, 1], ("0",)),
    ("3d6!! count 8+", [6, 1, 6, 2, 3], ("1 success",)),
    ("2d6 compound each +1 only 8+", [6, 2, 5], ("9",)),
    ("3d6 reroll 1 keep 2", [1, 3, 5, 4], ("9",)),
    ("3d6 reroll 1 keep lowest 2", [1, 3, 5, 4], ("7",)),
    ("3d6 reroll 1 explode keep 1", [1, 3, 5, 6, 2], ("6",)),
    ("3d6 reroll 1 compound keep 1", [1, 6, 2, 3, 5], ("8",)),
]


@pytest.mark.parametrize(("text", "faces", "words"), EXAMPLES, ids=[text for text, _, _ in EXAMPLES])
def test_examples(text: str, faces: list[int], words: tuple[str, ...]) -> None:
    assert rolled(text, faces) == words


@pytest.mark.parametrize("text", [text for text, _, _ in EXAMPLES])
def test_canonical_text_reads_the_same(text: str) -> None:
    expression = parse(text)
    assert parse(describe(expression)) == expression
    assert describe(parse(describe(expression))) == describe(expression)
    assert parse(text.upper().replace(" ", "  ")).test == parse(text.upper()).test


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("  4W10 ", "4d10"),
        ("1d%", "d100"),
        ("fate", "4dF"),
        ("4d6 dl1", "4d6 keep 3"),
        ("4d6 count 5+ r1!", "4d6 reroll 1 explode count 5+"),
        ("2d20 worst", "2d20 keep lowest 1"),
        ("4d10 each +1 vs 7", "4d10+1 vs 7"),
        ("4d10 + 3 - 2 vs 7", "4d10+1 vs 7"),
        ("4d10! - 2 vs 7", "4d10 explode - 2 vs 7"),
        ("((2d6))", "2d6"),
        ("(1+2)+3", "(1+2)+3"),
        ("2*(3*4)/-(5)", "2*(3*4)/-5"),
        ("3x(2d6 + 1)# two  words", "3x 2d6+1 # two words"),
        ("(2d6 [a]) [ b  c ]", "2d6 [a, b c]"),
        ("4d10 count 7 - 1", "4d10 count 7 - 1"),
        ("4d10 count 7-8 - 1", "4d10 count 7-8 - 1"),
        ("4d10 count <7", "4d10 count <=6"),
    ],
)
def test_canonical_text(text: str, canonical: str) -> None:
    assert describe(parse(text)) == canonical


def test_what_an_expression_gives() -> None:
    assert kind(parse("2d6")) == "total"
    assert kind(parse("2d6 + 2d10 count 7+")) == "total"
    assert kind(parse("2d10 count 7+ [a] + 1")) == "successes"
    assert kind(parse("2d10 count 7-8 + 1")) == "counted"
    assert kind(parse("4d10 vs 7")) == "successes"
    assert kind(parse("4d10 vs 7 > 1")) == "yes or no"
    assert isinstance(parse("4d10 vs 7").test, Versus)
    assert isinstance(parse("4d10 vs 7 > 1").test, Judged)
    assert parse("2d8").test == Term(2, 8)


# ---------------------------------------------------------------- refusals

REFUSED = [
    ("4d10 kep 2", "I understand `4d10`, but not `kep` after it. Did you mean `4d10 keep 2`?", "     ^^^"),
    ("10,000d10", "Write numbers without commas: `10000d10`.", "  ^"),
    ("0d6", "You can roll 1 to 200 dice at once (you entered 0).", "^"),
    ("201d6", "You can roll 1 to 200 dice at once (you entered 201).", "^^^"),
    ("1d1e9", "A die can have 2 to 1000 sides (you entered 1).", "  ^"),
    ("d1001", "A die can have 2 to 1000 sides (you entered 1001).", " ^^^^"),
    ("1000001", "Use numbers up to 1,000,000.", "^^^^^^^"),
    ("9" * 60, "Use numbers up to 1,000,000.", "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"),
    ("2.5", "Use whole numbers only.", " ^"),
    ("1,00", "Use whole numbers only.", " ^"),
    ("", "This roll is not finished. Add a number or dice, such as `2d6`.", "^"),
    ("2d6 +", "This roll is not finished. Add a number or dice, such as `2d6`.", "     ^"),
    (
        "2d6 keep count",
        "This roll is not finished. Add the faces, as in `count 7+` or `reroll 1`.",
        "              ^",
    ),
    ("2d", "This roll is not finished. Add the number of sides, as in `d6`.", "  ^"),
    ("(2d6", "Close this `(` with `)`.", "^"),
    ("2d6)", "I understand `2d6`, but not `)` after it. Did you mean `2d6`?", "   ^"),
    ("2d6 [fire", "Close this note with `]`.", "    ^"),
    ("2d6 3", "I understand `2d6`, but not `3` after it. Did you mean `2d6 + 3`?", "    ^"),
    ("2d6 x 3", "Put the number of rolls first, as in `3x 2d6`. To multiply, write `*`.", "    ^"),
    ("11x d6", "You can repeat a roll 1 to 10 times (you entered 11).", "^^"),
    ("0x d6", "You can repeat a roll 1 to 10 times (you entered 0).", "^"),
    ("4d6 keep 5", "You can keep or drop 1 to 4 dice here (you entered 5).", "    ^^^^^^"),
    ("4d6 keep 0", "You can keep or drop 1 to 4 dice here (you entered 0).", "    ^^^^^^"),
    ("4d6 drop 4", "Keep at least one die.", "    ^^^^^^"),
    ("4d6! e", "Use `explode` only once for the same dice.", "     ^"),
    ("4d6 r1 r2", "Use `reroll` only once for the same dice.", "       ^^"),
    ("4d6 c1 c2", "Use `count` only once for the same dice.", "       ^^"),
    ("4d6 each +1 each +1", "Use `each` only once for the same dice.", "            ^^^^^^^"),
    ("4d6 each 1", "Write `+` or `-` and a number after `each`, as in `4d6 each +1`.", "    ^^^^"),
    (
        "4d6 each +0",
        "Leave out this part, because it repeats another part or changes nothing.",
        "    ^^^^^^^",
    ),
    ("4d6 reroll 7", "Use a number from 1 to 6, because that is what a d6 shows.", "    ^^^^^^^^"),
    (
        "4d6 reroll 3-2",
        "Write the lower number first, as in `2-3`. To subtract, put spaces around `-`.",
        "           ^^^",
    ),
    (
        "4d6 explode 1+",
        "Leave at least one face that does not explode, as in `4d6 explode 6`.",
        "    ^^^^^^^^^^",
    ),
    ("4d6 explode 7", "Use a number from 1 to 6, because that is what a d6 shows.", "    ^^^^^^^^^"),
    (
        "4d6!! keep 2 count 5+",
        "You can't both keep and count dice that compound. Use `explode` instead of `compound`.",
        "^^^^^^^^^^^^^^^^^^^^^",
    ),
    (
        "4d6!! keep 2 vs 5",
        "You can't both keep and count dice that compound. Use `explode` instead of `compound`.",
        "^^^^^^^^^^^^",
    ),
    (
        "4d6! drop 1",
        "Write how many dice to keep, as in `4d6 explode keep 3`, because exploding adds dice.",
        "^^^^^^^^^^^",
    ),
    ("4d10 vs 3d10", "Write a number after `vs`. To compare two totals, write `2d6 > 2d6`.", "         ^"),
    (
        "2d10+2d6 vs 7",
        "Put only one group of dice before `vs`, as in `4d10+1 vs 7`.",
        "^^^^^^^^",
    ),
    (
        "2*2d10 vs 7",
        "Put only one group of dice before `vs`, as in `4d10+1 vs 7`.",
        "^^^^^^",
    ),
    (
        "7 - 2d10 vs 7",
        "Put only one group of dice before `vs`, as in `4d10+1 vs 7`.",
        "^^^^^^^^",
    ),
    ("2d10 count 7+ vs 7", "Use either `count` or `vs`, not both.", "^^^^^^^^^^^^^"),
    ("1/0", "Divide by a value that can't be 0.", "  ^"),
    ("6/(d6-1)", "Divide by a value that can't be 0.", "  ^^^^^^"),
    ("6/4dF", "Divide by a value that can't be 0.", "  ^^^"),
    (
        "4d10 count 7+1",
        "Put spaces around the second `+`. `count 7+ + 1` means 7 or more, and `count 7 + 1` means only 7.",
        "           ^",
    ),
    (
        "2d6 ``` 1",
        "I understand `2d6`, but not `'` after it. Continue with `+` or a comparison, or end the roll.",
        "    ^",
    ),
    ("keep 2", "I don't understand `keep` here. Start with a number or dice, such as `2d6`.", "^^^^"),
    ("(" * 21 + "1" + ")" * 21, "Use at most 20 levels of parentheses.", "                   ^"),
    ("-" * 21 + "1", "Use at most 20 plus or minus signs in a row.", "                    ^"),
    ("1" + "*1" * 21, "Use at most 20 `*` or `/` signs in a row.", "                                    ^"),
    (
        "d6" + " " * 100 + "kep",
        "I understand `d6`, but not `kep` after it. Did you mean `keep`?",
        "                                   ^^^",
    ),
]


@pytest.mark.parametrize(("text", "why", "carets"), REFUSED, ids=[text[:30] for text, _, _ in REFUSED])
def test_refusals_mark_the_place(text: str, why: str, carets: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse(text)
    sentence, fence, line, marks, end = refused.value.sentence.split("\n")
    assert why in sentence
    assert (fence, end) == ("```", "```")
    assert marks.strip() == carets.strip()
    assert len(text) > 38 or marks == carets
    assert len(line) <= 38
    assert len(marks) <= 39
    assert "`" not in line


def test_everything_on_the_reference_page_can_be_typed() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    for row in rows:
        for written in re.findall(r"`([^`]+)`", row.rpartition(" | ")[0]):
            assert any(_can_be_read(f"{dice}{written}") for dice in ("", "4d10 ", "4d10", "d20 ")), written


def _can_be_read(text: str) -> bool:
    try:
        parse(text)
    except InvalidInput:
        return False
    return True


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("4d6 kep 3", "4d6 keep 3"),
        ("4d6 5+", "4d6 count 5+"),
        ("2d6 3", "2d6 + 3"),
        ("2d6)+1", "2d6+1"),
        ("2d6 x 4", "4x 2d6"),
        ("roll me 4d6 keep 3", "4d6 keep 3"),
    ],
)
def test_refusals_offer_the_nearest_form(text: str, meant: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse(text)
    assert f"`{meant}`" in refused.value.sentence
    parse(meant)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1" * 201, "Enter at most 200 characters (you entered 201)."),
        ("6x 200d6", "Roll at most 1000 dice in all (this takes 1200)."),
        ("200d6+" * 5 + "d6", "Roll at most 1000 dice in all (this takes 1001)."),
        ("1000000*1001", "Use smaller numbers, because the result could go beyond 1,000,000,000."),
        ("1 >= -1000000*1001", "Use smaller numbers, because the result could go beyond 1,000,000,000."),
        ("1+" * 30 + "4d6kl1" + "+1d6kl1" * 19, "Make the roll shorter. Written out in full"),
    ],
)
def test_refusals_of_size(text: str, sentence: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse(text)
    assert refused.value.sentence.startswith(sentence)


def test_limits_are_reached() -> None:
    assert rolled("(" * 20 + "1" + ")" * 20, []) == ("1",)
    assert rolled("-" * 20 + "1", []) == ("1",)
    assert rolled("1" + "*1" * 20, []) == ("1",)
    assert rolled("1000000*1000", []) == ("1000000000",)
    assert rolled("5x 200d6", [1] * 1000) == ("200",) * 5
    assert rolled("1+" * 99 + "10", []) == ("109",)
    assert parse("2d6" + " " * (MAX_LENGTH - 3)) == parse("2d6")


# ---------------------------------------------------------------- dice typed in


def test_missing_faces_name_the_throw() -> None:
    with pytest.raises(MoreDice) as asked:
        fed(evaluate, [1, 2], parse("4d10+1 [Sally] vs 7"))
    assert (asked.value.label, asked.value.count, asked.value.sides) == ("4d10+1 vs 7 [Sally]", 2, 10)
    with pytest.raises(MoreDice) as asked:
        fed(evaluate, [6, 6, 1], parse("3d6! keep 2"))
    assert (asked.value.label, asked.value.count) == ("3d6 explode keep 2, exploded", 2)
    with pytest.raises(MoreDice) as asked:
        fed(evaluate, [1, 1, 2], parse("3d6 reroll 1 keep 2"))
    assert (asked.value.label, asked.value.count) == ("3d6 reroll 1 keep 2, re-rolled", 2)
    with pytest.raises(MoreDice, match="1 is minus, 2 is blank, 3 is plus"):
        fed(evaluate, [], parse("4dF"))


# ---------------------------------------------------------------- odds


def spread(expected: dict[int, int]) -> dict[int, Fraction]:
    whole = sum(expected.values())
    return {value: Fraction(n, whole) for value, n in expected.items()}


def test_odds_by_hand() -> None:
    assert odds("2d6") == spread({2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1})
    assert odds("2d10 vs 7") == spread({0: 36, 1: 48, 2: 16})
    assert odds("2d10+1 vs 7") == spread({0: 25, 1: 50, 2: 25})
    assert odds("2d6 >= 11") == spread({0: 33, 1: 3})
    assert odds("2d2 best") == spread({1: 1, 2: 3})
    assert odds("d6 reroll 1") == spread({1: 1, 2: 7, 3: 7, 4: 7, 5: 7, 6: 7})
    assert odds("d6/2") == spread({0: 1, 1: 2, 2: 2, 3: 1})
    assert odds("d2!")[2 * 12 + 1] == odds("d2!")[2 * 13] == Fraction(1, 2**13)
    assert odds("d6-d6")[0] == Fraction(1, 6)
    assert odds("2d6 > 2d6")[1] == Fraction(575, 1296)


@pytest.mark.parametrize(
    "text",
    [
        "2d4+d6", "d4*d4-2", "3d4 keep 2", "3d4 keep lowest 2", "3d3 reroll 1", "3d3 reroll 1 keep 2",
        "3d4 reroll 2-3 keep lowest 1", "3d4 count 2-3", "3dF keep 1", "d4 >= d4",
        "2d4 each +1 keep 1 count 3+",
        "2d4-1 vs 3", "(d4+d3)*(d2-3)", "2x d3+1", "2d4 reroll 4", "3d4 keep 2 vs 3", "d9/(d3+1)",

    ],
)  # fmt: skip
def test_odds_are_those_of_all_faces(text: str) -> None:
    expression = parse(text)
    assert dict(Solver(exact=True).solve(evaluate, expression).chances) == brute(evaluate, expression)


def chain(sides: int, followers: int) -> dict[int, Fraction]:
    """What an exploding die comes to, followed by at most so many others."""
    values = {face: Fraction(1, sides) for face in range(1, sides + 1)}
    if followers:
        del values[sides]
        for value, p in chain(sides, followers - 1).items():
            values[sides + value] = p / sides
    return values


@pytest.mark.parametrize(("count", "keep"), [(2, 1), (3, 1), (3, 2)])
@pytest.mark.parametrize("lowest", [False, True])
def test_exploding_dice_kept_are_kept_whole(count: int, keep: int, lowest: bool) -> None:
    falls = 3**13
    one = {value: int(p * falls) for value, p in chain(3, 12).items()}
    ways: Counter[int] = Counter()
    for values in product(one, repeat=count):
        kept = sorted(values, reverse=not lowest)[:keep]
        ways[sum(kept)] += prod(one[value] for value in values)
    expected = {total: Fraction(number, falls**count) for total, number in ways.items()}
    assert odds(f"{count}d3!! keep {'lowest' if lowest else ''} {keep}") == expected


@pytest.mark.parametrize("lowest", [False, True])
def test_exploding_dice_rerolled_and_kept(lowest: bool) -> None:
    once_more = chain(3, 11)
    one: dict[int, Fraction] = {value: p for value, p in chain(3, 12).items() if value != 1}
    for value, p in once_more.items():
        one[value] = one.get(value, Fraction(0)) + p / 3
    expected: dict[int, Fraction] = {}
    for (a, p), (b, q), (c, r) in product(one.items(), repeat=3):
        total = sum(sorted((a, b, c), reverse=not lowest)[:2])
        expected[total] = expected.get(total, Fraction(0)) + p * q * r
    assert odds(f"3d3 reroll 1 compound keep {'lowest' if lowest else ''} 2") == expected


def test_dice_rerolled_and_kept() -> None:
    one = {1: 1, 2: 5, 3: 5, 4: 5}
    expected: dict[int, int] = {}
    for values in product(one, repeat=3):
        weight = one[values[0]] * one[values[1]] * one[values[2]]
        total = sum(sorted(values)[1:])
        expected[total] = expected.get(total, 0) + weight
    assert odds("3d4 reroll 1 keep 2") == spread(expected)


def of_icepool(die: Any) -> dict[int, Fraction]:
    return {int(value): p for value, p in zip(die.outcomes(), die.probabilities(), strict=True)}


ICEPOOL = [
    ("4d6 keep 3", lambda: icepool.d6.highest(4, 3)),
    ("5d10 drop highest 2", lambda: icepool.d10.lowest(5, 3)),
    ("3d6!", lambda: 3 @ icepool.d6.explode(depth=12)),
    ("3d10 explode 9+", lambda: 3 @ icepool.d10.explode([9, 10], depth=12)),
    ("4d6 reroll 1-2", lambda: 4 @ icepool.d6.reroll([1, 2], depth=1)),
    ("4d6!! keep 2", lambda: icepool.d6.explode(depth=12).highest(4, 2)),
    ("4d6!! keep lowest 2", lambda: icepool.d6.explode(depth=12).lowest(4, 2)),
    ("4d6 reroll 1 keep 3", lambda: icepool.d6.reroll([1], depth=1).highest(4, 3)),
    ("8d10+1 vs 7", lambda: 8 @ (icepool.d10 + 1 >= 7)),
    ("4d6 keep 2 count 5+", lambda: (icepool.d6 >= 5).map({True: 1, False: 0}).highest(4, 2)),
    ("2d6*2-d4", lambda: 2 @ icepool.d6 * 2 - icepool.d4),
    ("2d20 best", lambda: icepool.d20.highest(2)),
    ("20d10", lambda: 20 @ icepool.d10),
    ("2d6+3 >= 8", lambda: (2 @ icepool.d6 + 3 >= 8).map({True: 1, False: 0})),
]  # fmt: skip


@pytest.mark.parametrize(("text", "die"), ICEPOOL, ids=[text for text, _ in ICEPOOL])
def test_odds_agree_with_icepool(text: str, die: Any) -> None:
    assert odds(text) == of_icepool(die())


DYCE = [
    ("4d6 keep 3", lambda: dyce.P(6, 6, 6, 6).at(1, 2, 3)),
    ("4d6 keep lowest 1", lambda: dyce.P(6, 6, 6, 6).at(0)),
    ("2d20 worst", lambda: dyce.P(20, 20).at(0)),
    ("3d6+d4-1", lambda: 3 @ dyce.H(6) + dyce.H(4) - 1),
    ("d8*d6", lambda: dyce.H(8) * dyce.H(6)),
    ("d20/3", lambda: dyce.H(20) // 3),
    ("4dF", lambda: 4 @ dyce.H((-1, 0, 1))),
    ("5d10 count 7+", lambda: 5 @ dyce.H(10).ge(7)),
    ("3d6 > 2d8", lambda: (3 @ dyce.H(6)).gt(2 @ dyce.H(8))),
]


@pytest.mark.parametrize(("text", "histogram"), DYCE, ids=[text for text, _ in DYCE])
def test_odds_agree_with_dyce(text: str, histogram: Any) -> None:
    solved = histogram()
    whole = solved.total
    assert odds(text) == {int(value): Fraction(int(n), int(whole)) for value, n in solved.items() if n}


D20 = [
    ("4d6 keep 3", "4d6kh3"),
    ("4d6 drop highest 1", "4d6ph1"),
    ("2d20 worst + 3", "2d20kl1+3"),
    ("5d6!", "5d6e6"),
    ("5d10 explode 9+", "5d10e>8"),
    ("5d6 reroll 1-2", "5d6ro<3"),
    ("(2d6+1)*d4/3 - -2", "(2d6+1)*1d4//3 - -2"),
    ("3 + 2*d8 - 7/2", "3 + 2*1d8 - 7//2"),
    ("2d6+3 >= 8", "2d6+3 >= 8"),
    ("d% [luck]", "1d100 [luck]"),
]


@pytest.mark.parametrize(("text", "theirs"), D20)
def test_rolls_agree_with_d20(text: str, theirs: str) -> None:
    """The same faces in the same order come to the same total in Avrae's dice."""
    chance = random.Random(20)
    for _ in range(100):
        taken: list[int] = []

        def randrange(sides: int, taken: list[int] = taken) -> int:
            taken.append(chance.randrange(sides))
            return taken[-1]

        with patch("random.randrange", randrange):
            total = d20.roll(theirs).total
        outcome = fed(evaluate, [face + 1 for face in taken], parse(text))
        assert outcome.value == total


def test_large_sums_take_little_work() -> None:
    for text in ("200d10", "100d6+100d6-50d4", "200d100 vs 30", "20d10 keep 10", "+".join(["d6"] * 60)):
        solver = Solver(work=250_000)
        solved = solver.solve(evaluate, parse(text))
        assert solved.error < 1e-5


def test_odds_of_one_repetition() -> None:
    expression = parse("10x 4d10 vs 7")
    assert len(Solver().solve(evaluate, once(expression)).chances) == 5


# ---------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("text", "faces", "expected"),
    [
        ("d20", [14], ("14",)),
        ("2d6+3", [1, 2], ("1, 2 = 3",)),
        ("4d6 keep 3", [1, 6, 2, 5], ("6, 2, 5 = 13; dropped ~~1~~",)),
        ("2d20 worst", [4, 17], ("4; dropped ~~17~~",)),
        ("2d6!", [6, 2, 6, 1], ("6 explodes 6 explodes 1, 2 = 15",)),
        ("3d6 reroll 1", [1, 4, 1, 3, 6], ("~~1~~ re-rolled 3, 4,", "  ~~1~~ re-rolled 6 = 13")),
        ("2d6 reroll 1 explode", [6, 1, 2, 6, 5], ("6 explodes 2,", "  ~~1~~ re-rolled 6 explodes 5 = 19")),
        ("4dF", [1, 2, 3, 3], ("-, 0, +, + = 1",)),
        ("4d10+1 vs 7", [6, 5, 10, 1], ("success 6->7, 10->11; miss 5->6, 1->2",)),
        ("2d10! vs 7", [10, 1, 7], ("success 10, extra 7; miss 1",)),
        ("2d10 reroll 1 vs 7", [1, 8, 9], ("success ~~1~~ re-rolled 9, 8",)),
        ("3d10 count 1", [1, 2, 3], ("counted 1; not 2, 3",)),
        ("3d10 keep 2 count 7+", [8, 9, 10], ("success 9, 10; dropped ~~8~~",)),
        ("2d6 [fire] + d4", [1, 2, 3], ("2d6 fire: 1, 2 = 3", "d4: 3")),
        ("2x d6+1", [4, 5], ("1) 4", "2) 5")),
        ("2x d6+d4", [4, 3, 5, 2], ("1) d6: 4", "1) d4: 3", "2) d6: 5", "2) d4: 2")),
        ("3d6! keep 1", [6, 6, 5, 2, 3], ("6; dropped ~~extra 2~~, ~~6~~,", "  ~~extra 3~~, ~~5~~")),
        ("2d6!! keep lowest 1", [6, 5, 6, 1], ("6 explodes 1 = 7; dropped", "  ~~6 explodes 5~~")),
        ("3d6!! count 8+", [6, 1, 6, 2, 3], ("success 6 explodes 2->8; miss", "  6 explodes 1->7, 3")),
        (
            "3d6 reroll 1 explode keep 1",
            [1, 3, 5, 6, 2],
            ("~~1~~ re-rolled 6 = 6; dropped", "  ~~extra 2~~, ~~3~~, ~~5~~"),
        ),
        ("30d6", [6] * 20 + [1] * 10, ("6 x20, 1 x10 = 130",)),
        ("7", [], ()),
    ],
)  # fmt: skip
def test_words_for_players(text: str, faces: list[int], expected: tuple[str, ...]) -> None:
    assert shown(text, faces) == expected


class Chance:
    """Faces of Python's generator with a fixed seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def faces(self, n: int, sides: int, label: str) -> list[int]:
        return [self.random.randint(1, sides) for _ in range(n)]


# ---------------------------------------------------------------- any text at all

numbers = st.integers(0, 12).map(str)


def spaced(*parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(*(st.tuples(st.sampled_from(["", " "]), part).map("".join) for part in parts)).map(
        "".join
    )


modifiers = st.sampled_from(
    ["keep 2", "kl1", "keep lowest", "dl1", "drop highest", "best", "worst", "!", "explode 5+", "r1",
     "reroll 1-2", "count 4+", "count 1", "c<3", "each +1", "each -2", "kep", "!6", "[note]", "vs 4", "+1"]
)  # fmt: skip
throws = spaced(
    st.sampled_from(["2d6", "d20", "3w8", "1k6", "4dF", "d%", "fate", "200d1000", "5d10"]),
    st.lists(modifiers, max_size=3).map(" ".join),
)
sums = st.recursive(
    throws | numbers,
    lambda inner: (
        spaced(st.just("("), inner, st.just(")"))
        | spaced(inner, st.sampled_from("+-*/"), inner)
        | spaced(st.just("-"), inner)
        | spaced(inner, st.sampled_from(["[a]", "[b # c]"]))
    ),
    max_leaves=6,
)
whole = spaced(
    st.sampled_from(["", "3x", "2 times"]),
    sums,
    st.sampled_from(["", "vs 7", ">= 8", "< 2d6", "# words", "vs 7 >= 2 # x"]),
)
junk = st.text(st.sampled_from("0123456789dwkxfF%!+-*/()[]<>=#., keplrcountdv²٣`\x00\n"), max_size=40)


@settings(max_examples=200, deadline=None, database=None, derandomize=True)
@given(text=whole | junk | st.text(max_size=210))
@example(text="4d10count7+-1")
@example(text="²d6")
@example(text="2d6 [`@everyone`]")
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        expression = parse(text)
    except InvalidInput as refusal:
        sentence = refusal.sentence
        expression = None
    if expression is None:
        assert 10 < len(sentence) < 300
        return
    canonical = describe(expression)
    assert parse(canonical) == expression
    assert describe(parse(canonical)) == canonical
    assert len(canonical) <= MAX_LENGTH
    roller = Roller(Chance(len(text)))
    outcome = evaluate(roller, expression)
    assert len(outcome.values) == sum(roll.times for roll in expression.rolls)
    assert fed(evaluate, [face for _, face in roller.record], expression) == outcome
    assert all(len(line) <= 38 for line in lines(expression, roller.trace) if " " in line.strip())


def _small() -> Iterator[str]:
    yield from (
        "2d3",
        "d4 keep 1",
        "2d3 keep 1",
        "2d3 keep lowest 1 count 2+",
        "d3 reroll 1",
        "2d3 each +1 count 3+",
    )


@settings(max_examples=60, deadline=None, database=None, derandomize=True)
@given(
    left=st.sampled_from(list(_small())),
    sign=st.sampled_from(["+", "-", "*"]),
    right=st.sampled_from(["d4", "2d3"]),
)
def test_solved_parts_are_those_of_all_faces(left: str, sign: str, right: str) -> None:
    expression = parse(f"{left} {sign} {right}")
    assert dict(Solver(exact=True).solve(evaluate, expression).chances) == brute(evaluate, expression)


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("100d6", (100, 600)),
        ("4d6 keep 3", (3, 18)),
        ("2dF", (-2, 2)),
        ("3d10 count 7+", (0, 3)),
        ("3d4 count 1-4", (3, 3)),
        ("d6!", (1, 13 * 6)),
        ("2d6 reroll 1-2", (2, 12)),
        ("d4 each -6", (-5, -2)),
        ("d6 * d6 - 3", (-2, 33)),
        ("d6 - d4", (-3, 5)),
        ("20 / d4", (5, 20)),
        ("4d10+1 vs 7", (0, 4)),
    ],
)
def test_the_least_and_the_most_by_hand(text: str, due: tuple[int, int]) -> None:
    test = parse(text).test
    assert not isinstance(test, Judged)
    assert bounds(test) == due


@settings(max_examples=150, deadline=None, database=None, derandomize=True)
@given(data=st.data())
def test_the_least_and_the_most_are_those_of_the_odds(data: st.DataObject) -> None:
    count, sides = data.draw(st.integers(1, 3)), data.draw(st.integers(2, 4))
    words = [f"{count}d{sides}"]
    if data.draw(st.booleans()):
        low = data.draw(st.integers(1, sides))
        words.append(f"reroll {low}" if data.draw(st.booleans()) else f"reroll {low}-{sides}")
    if data.draw(st.booleans()):
        words.append(f"explode {data.draw(st.integers(2, sides))}+")
    if data.draw(st.booleans()):
        words.append(data.draw(st.sampled_from(["each +2", "each -3", "count 2+", "count 2", "keep 1"])))
    try:
        expression = parse(" ".join(words))
    except InvalidInput:
        return
    assert not isinstance(expression.test, Judged)
    found = Solver(cut=0).solve(evaluate, expression)
    assert found.whole
    values = [outcome.value for outcome in found.chances]
    assert bounds(expression.test) == (min(values), max(values)), describe(expression)


def test_like_dice_of_a_pool_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two hundred large dice are bounded by the faces of two."""
    asked = list[int]()
    of_one = extremes._one_die

    def counting(term: Term, *args: Any, **kwargs: Any) -> tuple[int, int]:
        asked.append(term.sides)
        return of_one(term, *args, **kwargs)

    monkeypatch.setattr(extremes, "_one_die", counting)
    extremes._term_bounds.cache_clear()
    pool = parse("{100d1000+100d999} keep 100").test
    assert bounds(pool) == (100, 100_000)  # type: ignore[arg-type]
    assert sorted(asked) == [999, 1000]
