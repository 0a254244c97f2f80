"""Each game's typed state: fields with keys of their own and a sentence each."""

from __future__ import annotations

from collections import Counter

import pytest

from bot.table.state import Number, State, Table
from rules.counters import PerWord
from tests.games import GAMES_WITH_STATE, states_of


class Example(State):
    """A row for these tests."""

    wounds = Number("wounds", "Wounds taken.")
    shots = Table(PerWord("shots "), "Shots left, by weapon.")


class Row:
    """What a state needs of a row."""

    def __init__(self) -> None:
        self.counters: dict[str, int] = {}


def test_a_field_is_kept_in_the_row_and_not_at_all_at_its_default() -> None:
    row = Row()
    state = Example(row)
    assert state.wounds == 0
    state.wounds = 2
    state.shots["rifle"] = 3
    assert row.counters == {"wounds": 2, "shots rifle": 3}
    assert dict(state.shots) == {"rifle": 3}
    state.wounds = state.shots["rifle"] = 0
    assert row.counters == {}


def test_a_number_below_its_lowest_value_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="at least 0"):
        Example(Row()).wounds = -1


@pytest.mark.parametrize("system", GAMES_WITH_STATE)
def test_each_field_has_a_key_of_its_own_and_a_sentence(system: str) -> None:
    states = states_of(system)
    assert states
    for state in states:
        fields = state.fields()
        assert fields, state
        keys = Counter(str(getattr(field, "key", getattr(field, "kind", ""))) for field in fields.values())
        assert [key for key, count in keys.items() if count > 1] == []
        for name, field in fields.items():
            assert not field.about[0].islower(), (state, name)
            assert field.about.endswith("."), (state, name)
