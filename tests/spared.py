"""What costs much, and is looked at by none of the tests that say so or comes out the same each time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from PIL import ImageDraw

from bot.games.counterblast.core import pictures
from bot.games.soluna import board_picture
from bot.replies import drawing
from bot.replies.sheets import paint
from bot.table.odds import matchup
from bot.table.odds_budget import Aside, Thinking
from bot.table.rosters import printing


@contextmanager
def spared() -> Iterator[None]:
    """Odds solved once and pictures without files, for what is made once for several tests."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        odds_solved_once(monkeypatch)
        pictures_without_files(monkeypatch)
        yield


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

    beside: dict[Any, Any] = {}
    answer = Aside._answer

    def once_aside(aside: Aside, rule: Callable[..., Any], args: Any, kwargs: dict[str, Any]) -> Any:
        """With as much left to spend as then, and as much spent for it."""
        question = aside._left, rule, args, tuple(sorted(kwargs.items()))
        if question not in beside:
            beside[question] = answer(aside, rule, args, kwargs), aside._left
        odds, aside._left = beside[question]
        return odds

    monkeypatch.setattr(Aside, "_answer", once_aside)


def pictures_without_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every picture is laid out and put into words; nobody looks at its file, which is empty, or its letters.

    So it is with those of a battle sheet.
    """
    monkeypatch.setattr(ImageDraw.ImageDraw, "text", lambda *_, **__: None)
    for module in (drawing, paint, board_picture, pictures):
        monkeypatch.setattr(module, "png", lambda image: b"")
    monkeypatch.setattr(printing, "pdf", lambda pages, paper, title: b"")


def few_weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two crews that are set against each other two models each are weighed; nobody looks at how well."""
    monkeypatch.setattr(matchup, "MAX_MODELS", 2)
