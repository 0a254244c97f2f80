"""What costs much and is looked at by none of these tests, or comes out the same whoever asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bot.replies import drawing
from bot.table.rolling.thinking import Thinking


@pytest.fixture
def odds_solved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A question is not solved again that was solved before: rules are pure, and here no clock ends it."""
    known: dict[Any, Any] = {}
    solve = Thinking._solved

    def once(thinking: Thinking, rule: Callable[..., Any], args: Any, kwargs: dict[str, Any]) -> Any:
        question = rule, args, tuple(sorted(kwargs.items()))
        if question not in known:
            known[question] = solve(thinking, rule, args, kwargs)
        return known[question]

    monkeypatch.setattr(Thinking, "_solved", once)


@pytest.fixture
def pictures_without_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every picture is drawn and put into words; its file, which nobody looks at here, is empty."""
    monkeypatch.setattr(drawing, "png", lambda image: b"")
