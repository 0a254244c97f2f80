"""No option is dropped without a word: set, it makes a difference, or it is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.options import set_options

AS_IT_STANDS = "said as it stands already, which the reply shows"
EXCEPTIONS: dict[str, str] = {
    "cb.table climate": AS_IT_STANDS,
    "cb.table dark": AS_IT_STANDS,
    "cb.table gravity": AS_IT_STANDS,
    "cb.table underwater": AS_IT_STANDS,
    "cb.table vacuum": AS_IT_STANDS,
    "fe.passby charge": "seen at the table, though at some distances it decides nothing",
    "fe.passby front": "seen at the table, though at some distances it decides nothing",
    "inf.jump lands": "it is told only where the model would fall otherwise",
}
"""Options that may change nothing, and why."""


@pytest.mark.parametrize("system", ["counterblast", "fracd_earth", "infinity", "soluna", "warzone"])
@pytest.mark.parametrize("number", [11, 12])
async def test_no_option_is_dropped_without_a_word(file: Path, system: str, number: int) -> None:
    setter = await set_options(file, system, number, 60)
    assert len(setter.told) >= 5, "the game was played, and options were set"
    assert {name: where for name, where in setter.faults().items() if name not in EXCEPTIONS} == {}
