"""Dice that nobody could choose and everybody can check."""

from __future__ import annotations

import hmac
from collections import Counter
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.dice import SEED_BYTES, FairDice, Roller, commitment, solve
from tests.rules.sources import fits
from tests.rules.toys import higher

SEED = bytes(range(SEED_BYTES))


def faces(
    sides: int = 10, n: int = 20, *, seed: bytes = SEED, words: tuple[str, ...] = (), number: int = 0
) -> list[int]:
    return list(FairDice(seed, words, number).faces(n, sides, "x"))


def test_the_commitment_is_the_hash_that_anybody_can_take() -> None:
    assert commitment(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert commitment(SEED) == sha256(SEED).hexdigest()
    assert commitment(SEED) != commitment(SEED[::-1])


def test_the_faces_are_those_of_the_published_recipe() -> None:
    """Computed here from the description alone; a change of the recipe breaks every earlier proof."""
    said = sha256(b"\0\0\0\5lucky\0\0\0\2\xc3\xa9")
    message = b"adjutant dice 1\0" + (7).to_bytes(8, "big") + said.digest()
    stream = b"".join(hmac.digest(SEED, message + block.to_bytes(8, "big"), "sha256") for block in range(3))
    expected = [byte % 10 + 1 for byte in stream if byte < 250][:60]
    assert faces(10, 60, words=("lucky", "é"), number=7) == expected
    wide = [int.from_bytes(stream[at : at + 2], "big") for at in range(0, 80, 2)]
    assert faces(1000, 30, words=("lucky", "é"), number=7) == [v % 1000 + 1 for v in wide if v < 65000][:30]


def test_anything_else_gives_other_faces() -> None:
    same = faces(1000)
    assert faces(1000) == same
    others = [
        faces(1000, seed=SEED[:-1] + b"\xff"),
        faces(1000, number=1),
        faces(1000, number=2**40),
        faces(1000, words=("a",)),
        faces(1000, words=("",)),
        faces(1000, words=("a", "b")),
        faces(1000, words=("ab",)),
        faces(1000, words=("b", "a")),
    ]
    assert len({tuple(found) for found in [same, *others]}) == len(others) + 1


@settings(max_examples=80, deadline=None, database=None, derandomize=True)
@given(
    throws=st.lists(
        st.tuples(st.integers(0, 9), st.sampled_from([1, 2, 6, 10, 256, 257, 1000, 10_000])), max_size=6
    )
)
def test_one_by_one_or_all_at_once(throws: list[tuple[int, int]]) -> None:
    whole, single = FairDice(SEED, ("w",), 3), FairDice(SEED, ("w",), 3)
    for n, sides in throws:
        together = list(whole.faces(n, sides, "x"))
        assert together == [single.faces(1, sides, "x")[0] for _ in range(n)]
        assert all(1 <= face <= sides for face in together)


@pytest.mark.parametrize("sides", [2, 3, 6, 7, 10, 20, 100, 200, 255, 256, 257, 300])
def test_every_face_is_equally_likely(sides: int) -> None:
    seen = Counter(faces(sides, 60 * sides))
    assert fits(seen, dict.fromkeys(range(1, sides + 1), 1 / sides))


class Bytes(FairDice):
    """Fair dice whose bytes are given."""

    def __init__(self, given: bytes) -> None:
        super().__init__(SEED, (), 0)
        self._bytes += given


@pytest.mark.parametrize("sides", [1, 2, 3, 6, 7, 10, 100, 128])
def test_no_face_is_favoured_by_the_division(sides: int) -> None:
    """Over every byte there is each face comes equally often; the bytes left over are passed over."""
    counted = Counter(Bytes(bytes(range(256))).faces(256 - 256 % sides, sides, "x"))
    assert set(counted.values()) == {256 // sides}
    assert set(counted) == set(range(1, sides + 1))


@pytest.mark.parametrize("sides", [200, 256, 1000, 9999])
def test_no_face_of_a_large_die_is_favoured(sides: int) -> None:
    every = b"".join(value.to_bytes(2, "big") for value in range(65536))
    counted = Counter(Bytes(every).faces(65536 - 65536 % sides, sides, "x"))
    assert set(counted.values()) == {65536 // sides}


def test_rules_rolled_with_fair_dice_fit_their_odds() -> None:
    seen = Counter(higher(Roller(FairDice(SEED, ("a", "b"), number)), 2, 3) for number in range(2000))
    assert fits(seen, solve(higher, 2, 3).chances)
