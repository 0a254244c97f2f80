"""The same text and the same faces, read by two independent programs: d20 (Avrae) and dice (borntyping)."""

from __future__ import annotations

import random
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.notation import evaluate, parse
from tests.rules.helpers import fed

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import d20
    import dice


@dataclass(frozen=True)
class Written:
    """One expression as each program writes it."""

    ours: str
    d20: str
    dice: str


def _same(text: str) -> Written:
    return Written(text, text, text)


@st.composite
def throws(draw: st.DrawFn) -> Written:
    count, sides = draw(st.integers(1, 6)), draw(st.sampled_from([4, 6, 8, 10, 12, 20, 100]))
    bare = f"{count}d{sides}"
    keep = draw(st.integers(1, count))
    match draw(st.sampled_from(["plain", "highest", "lowest", "drop"])):
        case "highest":
            return Written(f"{bare}kh{keep}", f"{bare}kh{keep}", f"({bare}h{keep}t)")
        case "lowest":
            return Written(f"{bare}kl{keep}", f"{bare}kl{keep}", f"({bare}l{keep}t)")
        case "drop" if keep < count:
            return Written(f"{bare}dl{keep}", f"{bare}pl{keep}", f"({bare}h{count - keep}t)")
        case _:
            return Written(bare, bare, f"({bare}t)")


def _joined(parts: tuple[Written, str, Written]) -> Written:
    left, sign, right = parts
    theirs = "//" if sign == "/" else sign
    return Written(
        f"{left.ours}{sign}{right.ours}",
        f"{left.d20}{theirs}{right.d20}",
        f"({left.dice}){sign}({right.dice})",
    )


def _grouped(inner: Written) -> Written:
    return Written(f"({inner.ours})", f"({inner.d20})", f"({inner.dice})")


atoms = throws() | st.integers(1, 30).map(str).map(_same)
products = st.tuples(atoms, st.just("*"), atoms).map(_joined) | atoms
quotients = st.tuples(products, st.just("/"), st.integers(1, 9).map(str).map(_same)).map(_joined) | products
expressions = st.recursive(
    quotients,
    lambda inner: (
        st.tuples(inner.map(_grouped), st.sampled_from("+-"), quotients).map(_joined)
        | st.tuples(inner.map(_grouped), st.just("*"), atoms).map(_joined)
    ),
    max_leaves=5,
)


class Faces:
    """Random faces that are written down, in the order in which dice ask for them."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.taken: list[int] = []

    def randrange(self, *bounds: int) -> int:
        """A face less one, as d20 asks for it."""
        face = self.random.randint(1, bounds[-1])
        self.taken.append(face)
        return face - 1

    def randint(self, low: int, high: int) -> int:
        face = self.random.randint(low, high)
        self.taken.append(face)
        return face


def _dice(text: str, faces: Faces) -> int:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)  # its grammar goes twenty-eight levels down for each parenthesis
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return int(dice.roll(text, random=faces))
    finally:
        sys.setrecursionlimit(before)


def _ours(text: str, faces: list[int]) -> int:
    return fed(evaluate, faces, parse(text)).value


def _agrees(written: Written, theirs: Callable[[Faces], int], seed: int) -> None:
    faces = Faces(seed)
    total = theirs(faces)
    assert _ours(written.ours, faces.taken) == total, written


@settings(max_examples=150, deadline=None, database=None, derandomize=True)
@given(written=expressions, seed=st.integers(0, 99))
def test_d20_comes_to_the_same(written: Written, seed: int) -> None:
    def theirs(faces: Faces) -> int:
        with patch("random.randrange", faces.randrange):
            return int(d20.roll(written.d20).total)

    _agrees(written, theirs, seed)


@settings(max_examples=25, deadline=None, database=None, derandomize=True)
@given(written=st.tuples(quotients, st.sampled_from("+-*"), throws()).map(_joined), seed=st.integers(0, 99))
def test_dice_comes_to_the_same(written: Written, seed: int) -> None:
    _agrees(written, lambda faces: _dice(written.dice, faces), seed)


@settings(max_examples=40, deadline=None, database=None, derandomize=True)
@given(count=st.integers(1, 8), sides=st.sampled_from([6, 8, 10]), data=st.data())
def test_successes_are_those_of_dice(count: int, sides: int, data: st.DataObject) -> None:
    reach = data.draw(st.integers(2, sides))
    faces = Faces(data.draw(st.integers(0, 99)))
    total = _dice(f"{count}d{sides}e{reach}", faces)
    assert _ours(f"{count}d{sides} t{reach}", faces.taken) == total


@settings(max_examples=150, deadline=None, database=None, derandomize=True)
@given(
    count=st.integers(1, 6),
    sides=st.sampled_from([4, 6, 10]),
    change=st.sampled_from(
        ["ro1", "ro<3", "rr1", "rr<3", "mi2", "ma3", "k>2", "p<3", "e>3", "rr1kh1", "mi2kl1"]
    ),
    bonus=st.sampled_from(["", "+3", "-2", "*2"]),
    seed=st.integers(0, 99),
)
def test_modifiers_are_those_of_d20(count: int, sides: int, change: str, bonus: str, seed: int) -> None:
    """The same text in both programs: one die, since re-rolls of several are thrown in another order."""
    number = 1 if change.startswith(("r", "e")) else count
    if change == "e>3" and sides == 4:
        change = "e4"
    text = f"{number}d{sides}{change}{bonus}"
    faces = Faces(seed)
    with patch("random.randrange", faces.randrange):
        total = int(d20.roll(text).total)
    if len(faces.taken) <= 13:
        assert _ours(text, faces.taken) == total, text
