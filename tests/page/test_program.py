"""The real program, two windows, no mouse: an activation. The whole turn: `python -m tests.page.program`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.page.browsers import MISSING, browser
from tests.page.program import activation, panel, program, sat_down

pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING or "a browser is there")


async def test_two_windows_play_on_the_program_with_the_keyboard_alone(file: Path) -> None:
    async with program(file) as link, browser() as opened:
        windows = await sat_down(opened, link)
        stands = await panel(windows)
        for shown in ("choose who acts", "act with", "draw for"):
            stands = await activation(windows, stands)
            assert shown in " ".join(stands.split())
        assert sum(window.pressed for window in windows.values()) == 3 + 4, "as on Discord"
        assert [window.page.faults for window in windows.values()] == [[], []]
