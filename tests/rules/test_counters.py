"""Counters of one kind: what is counted is written into a name, and read from it again."""

from __future__ import annotations

from rules.counters import PerCounter, PerNumber, PerPart, PerWord

SPOTTED = PerNumber("spotted.")
SYSTEM = PerWord("system.")
FIRE: PerPart[str] = PerPart("fire:")
OWED = PerCounter(" owed")


def test_a_number_is_read_from_the_name_that_was_made_of_it() -> None:
    assert SPOTTED.of(12) == "spotted.12", "as games before kept it"
    assert SPOTTED.number(SPOTTED.of(12)) == 12
    assert SYSTEM.rest(SYSTEM.of("steering")) == "steering"


def test_of_many_counters_those_of_one_kind_are_found_in_the_order_of_their_numbers() -> None:
    counters = {"spotted.10": 1, "spotted.9": 4, "spotter": 3, "system.engine": 2}
    assert list(SPOTTED.among(counters.items()).items()) == [(9, 4), (10, 1)]
    assert SYSTEM.among(counters.items()) == {"engine": 2}
    assert not SPOTTED.counts("spotter")


def test_what_is_counted_of_a_thing_is_found_and_forgotten_together() -> None:
    counters = {
        FIRE.of("barn", "inches"): 3,
        FIRE.of("barn", "acid"): 1,
        FIRE.of("bar", "inches"): 2,
        "fires": 1,
    }
    assert FIRE.of("barn", "inches") == "fire:barn:inches", "as games before kept it"
    assert FIRE.split("fire:barn:inches") == ("barn", "inches")
    assert FIRE.things(counters) == ["bar", "barn"]
    FIRE.forget(counters, "bar")
    assert sorted(counters) == ["fire:barn:acid", "fire:barn:inches", "fires"]


def test_a_counter_beside_another_has_its_name_and_a_word() -> None:
    assert OWED.of("requisition") == "requisition owed", "as campaigns before kept it"
    assert OWED.counts(OWED.of("requisition"))
    assert not OWED.counts("requisition")
