"""Forms of other programs, from their documentation: nothing is read as something else without a word."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from rules.dice import Entered, Roller, Solver, add_up
from rules.notation import (
    Expression,
    bounds,
    describe,
    evaluate,
    kind,
    lines,
    once,
    parse,
    summed,
    value_reader,
)
from rules.refusals import InvalidInput
from tests.rules.helpers import fed

FORMS = Path(__file__).parent / "data" / "peer_forms.txt"
MIN_FORMS, MIN_SAME = 310, 260


class Form(NamedTuple):
    """A form of another program, and what it means there: an expression of ours, or "?"."""

    program: str
    text: str
    meaning: str


def _forms() -> list[Form]:
    found, program = [], ""
    for line in FORMS.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            program = line.strip("[]")
        elif "=>" in line and not line.startswith("#"):
            text, meaning = line.rsplit(" => ", 1)
            found.append(Form(program, text, meaning))
    return found


ALL = _forms()
"""Every form of the corpus."""


def chances(expression: Expression) -> list[tuple[int, dict[int, Fraction]]]:
    """Each roll of a line: how often, and the chance of every value."""
    found = []
    for roll in expression.rolls:
        single = once(roll)
        odds = Solver(exact=True).solve(add_up, *summed(single)).map(value_reader(single))
        found.append((roll.times, {value: Fraction(p) for value, p in odds.chances.items() if p}))
    return found


def same(left: Expression, right: Expression) -> bool:
    """Whether two lines mean the same: the same rolls with the same chances."""
    if left.rolls == right.rolls:
        return True
    times = [(roll.times, kind(roll) == "yes or no") for roll in left.rolls]
    theirs = [(roll.times, kind(roll) == "yes or no") for roll in right.rolls]
    return times == theirs and chances(left) == chances(right)


@cache
def fate(form: Form) -> str:
    """What becomes of a form: same meaning, another that is told, a refusal, or a silent misreading."""
    try:
        expression = parse(form.text)
    except InvalidInput:
        return "refused"
    if form.meaning != "?" and same(expression, parse(form.meaning)):
        return "same"
    return "told" if expression.reading else "silent"


@pytest.mark.parametrize("form", ALL, ids=[f"{form.program}: {form.text}" for form in ALL])
def test_nothing_is_read_as_something_else_without_a_word(form: Form) -> None:
    assert fate(form) != "silent", f"{describe(parse(form.text))}, there {form.meaning}"


def test_most_forms_mean_the_same() -> None:
    fates = Counter(map(fate, ALL))
    assert len(ALL) >= MIN_FORMS
    assert fates["same"] >= MIN_SAME, fates
    assert not fates["silent"]


@pytest.mark.parametrize(
    "form", [form for form in ALL if fate(form) == "refused"], ids=lambda form: form.text
)
def test_a_refusal_marks_the_place_and_names_what_works(form: Form) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse(form.text)
    sentence, *_, marks, fence = refused.value.sentence.split("\n")
    assert "^" in marks
    assert fence == "```"
    for works in re.findall(r"`(\d*d\d+[^`]*)`", sentence):
        parse(works)


@pytest.mark.parametrize(
    "form", [form for form in ALL if fate(form) != "refused"], ids=lambda form: form.text
)
def test_what_is_read_reads_back(form: Form) -> None:
    expression = parse(form.text)
    written = describe(expression)
    assert parse(written) == expression
    assert describe(parse(written)) == written
    other = expression.otherwise[1]
    assert not other or parse(other) != expression


@pytest.mark.parametrize(
    "form", [form for form in ALL if fate(form) != "refused"], ids=lambda form: form.text
)
def test_odds_are_those_of_the_dice(form: Form) -> None:
    """The parts that odds add up come to what the rule comes to, within the bounds."""
    asked = once(parse(form.text))
    parts = Solver(cut=0).solve(add_up, *summed(asked)).map(value_reader(asked))
    rolled = Solver(cut=1e-9).solve(evaluate, asked).map(lambda outcome: outcome.value)
    assert sum(parts.chances.values()) == pytest.approx(1)
    assert rolled.mean(float) == pytest.approx(parts.mean(float), rel=1e-5, abs=1e-3)
    if kind(asked) != "yes or no":
        low, high = bounds(asked.test)
        assert low <= min(parts.chances)
        assert max(parts.chances) <= high


EXAMPLES = [
    ("1d6 != 6", [6], "no"),
    ("1d6 != 6", [5], "yes"),
    ("3d6!>4", [5, 1, 6, 2, 3], "17"),
    ("6d10k>7", [7, 8, 9, 1, 10, 2], "27"),
    ("2d6r<=4", [4, 6, 1], "7"),
    ("2d6rr<3", [2, 6, 1, 2, 4], "10"),
    ("2d6 reroll until 1-2 keep 1", [2, 1, 1, 5, 3], "5"),
    ("2d6ra6", [6, 3, 6], "15"),
    ("2d6!p", [6, 3, 6, 2], "15"),
    ("4d6mi2", [1, 1, 3, 6], "13"),
    ("4d6ma5", [1, 1, 3, 6], "10"),
    ("8d10>=7", [7, 10, 1, 2, 3, 4, 5, 6], "2 successes"),
    ("(2d10) >= 7", [3, 4], "yes"),
    ("2d10 >= 11", [3, 4], "no"),
    ("4d10>=7f1", [7, 1, 1, 5], "-1 successes"),
    ("2d20kh1 >= 15", [3, 15], "yes"),
    ("{2d6, 1d10} kh1", [1, 2, 9], "9"),
    ("{2d6, 1d10} kl1", [1, 2, 9], "3"),
    ("max(d6, d8) + 1", [1, 2], "3"),
    ("ceil(d6/2)", [5], "3"),
    ("floor(d6/2)", [5], "2"),
    ("round(d6/4)", [6], "2"),
    ("round(d6/4)", [5], "1"),
    ("abs(d6-4)", [1], "3"),
    ("1d20 adv", [3, 17], "17"),
    ("d20 dis + 5", [3, 17], "8"),
    ("4dc", [1, 2, 2, 1], "2 successes"),
]


@pytest.mark.parametrize(("text", "faces", "word"), EXAMPLES)
def test_examples(text: str, faces: list[int], word: str) -> None:
    assert fed(evaluate, faces, parse(text)).words() == (word,)


def test_repetitions_of_other_programs() -> None:
    assert fed(evaluate, [1, 2, 3, 4], parse("2#2d6kh1")).words() == ("2", "4")
    assert parse("6 4d6kh3").times == parse("6#4d6kh3 # stats").times == 6
    assert parse("6#4d6kh3 # stats").comment == "stats"
    assert parse("2x 8d10>=7").otherwise == ("Compare the total", "2x (8d10) >= 7")


def test_repetitions_are_added_up_where_that_is_said() -> None:
    assert fed(evaluate, [1, 2, 3, 4], parse("2#2d6+1 together")).words() == ("12",)
    assert parse("2x 2d6-1 together") == parse("2d6-1+2d6-1")
    for text in ("d6 together", "2x d6 >= 3 together", "2x 4d10 vs 7 together"):
        with pytest.raises(InvalidInput):
            parse(text)


def test_what_is_read_otherwise_elsewhere_is_told() -> None:
    assert parse("8d10 >= 7").reading == "Read as: 8d10, count dice that show 7 or more."
    assert parse("8d10 >= 7").otherwise == ("Compare the total", "(8d10) >= 7")
    assert parse("1d6!=6").otherwise == ('Read != as "not equal"', "d6 != 6")
    assert parse("3d6! keep 2").reading == (
        "Read as: 3d6, exploding 6s, keep the highest 2 (extra dice are kept or dropped separately)."
    )
    assert parse("3d6! keep 2").otherwise == ("Keep each die with its extra dice", "3d6 compound keep 2")
    assert not parse("8d10 count 7+").reading
    assert parse("3d6 >= 10").reading == "Read as: is the total of 3d6 at least 10?"


def test_dice_that_do_not_show_a_face_are_counted_as_those_that_do() -> None:
    for text in ("4d6<>3", "4d6 != 3"):
        assert describe(parse(text)) == "4d6 count not 3"
        assert parse(text).reading == "Read as: 4d6, count dice that show anything but 3."
        assert parse(text).otherwise == ("Compare the total", "(4d6) != 3")
    assert fed(evaluate, [3, 3, 4, 1], parse("4d6<>3")).words() == ("2 counted",)
    assert describe(parse("2d6 != 12")) == "2d6 != 12"


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("3x 2d6!=5", "3x 2d6 count not 5"),
        ("2d6!=5", "2d6 count not 5"),
        ("2d10!=3 t7", ""),
        ("d6 + d6e6=5", "(d6 + d6 explode once) = 5"),
    ],
)
def test_the_other_reading_can_be_read_itself(text: str, other: str) -> None:
    expression = parse(text)
    assert expression.otherwise[1] == other
    if other:
        assert parse(other).times == expression.times
        assert parse(other) != expression


@pytest.mark.parametrize("text", ["{4d6, 2d8}k>3", "{4d6, 2d8}dl<3", "(4d6)k>3", "(4d6)p1", "{4d6+d8}kh>=4"])
def test_parts_are_not_kept_by_value(text: str) -> None:
    with pytest.raises(InvalidInput):
        parse(text)
    assert describe(parse("(4d6)ph1")) == "{4d6} keep lowest 3"


def test_words_without_a_sign_are_a_label_if_none_belongs_to_the_notation() -> None:
    for text, label in (
        ("1d20 hits the orc", "hits the orc"),
        ("4d6 for glory", "for glory"),
        ("1d20+5 fire damage and some more of it", "fire damage and some more of it"),
    ):
        expression = parse(text)
        assert expression.comment == label
        assert expression.reading.endswith(f'The label is "{label}".')
    with pytest.raises(
        InvalidInput, match="To add a label, write it after `#`, as in `d20 # I rolled a d20`"
    ):
        parse("d20 I rolled a d20")
    for text, word in (
        ("4d6 i 3", "Imploding"),
        ("4d6 mat 5", "Did you mean `4d6 max 5`"),
        ("4d6 kep three", "`keep`"),
    ):
        with pytest.raises(InvalidInput, match=word):
            parse(text)


@pytest.mark.parametrize(
    "text", ["{9d9, 8d8}<>2 +2", "d4 + {2d6, d8} >= 9", "d6!p >=3", "2d6!! <>12", "d6 + d6e6=5", "3x d6! > 4"]
)
def test_what_is_written_anew_reads_back(text: str) -> None:
    expression = parse(text)
    assert parse(describe(expression)) == expression


def test_odds_by_hand() -> None:
    def odds(text: str) -> dict[int, Fraction]:
        found = Solver(exact=True).solve(add_up, *summed(parse(text)))
        return {value: Fraction(p) for value, p in found.chances.items()}

    assert odds("d6 only 5+") == {0: Fraction(4, 6), 5: Fraction(1, 6), 6: Fraction(1, 6)}
    assert odds("2d10 count 10 fail 1")[0] == Fraction(64 + 2, 100)
    assert odds("d6 least 3 most 4") == {3: Fraction(1, 2), 4: Fraction(1, 2)}
    assert odds("{d2, d2} keep 1") == {1: Fraction(1, 4), 2: Fraction(3, 4)}
    assert odds("abs(d3-2)") == {0: Fraction(1, 3), 1: Fraction(2, 3)}
    assert odds("d2 explode once") == {1: Fraction(1, 2), 3: Fraction(1, 4), 4: Fraction(1, 4)}
    assert odds("d2 reroll until 1")[2] == 1 - Fraction(1, 2**13)


@pytest.mark.parametrize(
    ("text", "faces", "shown"),
    [
        ("4d6mi2", [1, 1, 3, 6], ("1->2, 1->2, 3, 6 = 13",)),
        ("3d10k>7", [7, 8, 9], ("~~7~~, 8, 9 = 17",)),
        ("4d10>=7f1", [7, 1, 1, 5], ("success 7; miss 5; failure 1, 1",)),
        ("2d6!p", [6, 3, 6, 2], ("6 explodes 6->5 explodes 2->1, 3 = 15",)),
        ("2d6rr<3 count 4+", [2, 5, 1, 4], ("success", "  ~~2~~ re-rolled ~~1~~ re-rolled 4, 5")),
        ("d6rr<3", [2, 1, 4], ("~~2~~ re-rolled ~~1~~ re-rolled 4 = 4",)),
    ],
)
def test_words_for_players(text: str, faces: list[int], shown: tuple[str, ...]) -> None:
    roller = Roller(Entered(faces))
    evaluate(roller, parse(text))
    assert lines(parse(text), roller.trace) == shown
