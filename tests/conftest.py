"""What holds for every test."""

from __future__ import annotations

import pytest

from bot.table.rolling import thinking


@pytest.fixture(autouse=True)
def no_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Odds are bounded by their work alone, however slow the machine is: their clock stands still."""
    monkeypatch.setattr(thinking, "now", lambda: 0.0)
