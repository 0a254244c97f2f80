"""Buttons of the version before mean what they meant, or say that they are old, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import bot.app
from bot.actions import ACTIONS, Action, BadId, parts, raw_of, stamp
from bot.ids import Tag, pack, unpack

assert bot.app.ALL_GAMES

WRITTEN = json.loads((Path(__file__).parent / "ids.json").read_text(encoding="utf-8"))


def test_there_are_ids_of_every_action_of_that_version() -> None:
    assert len(WRITTEN) > 800
    assert len({command for _, command, _ in WRITTEN}) > 380


def test_an_id_means_what_it_meant_or_is_refused() -> None:
    understood = 0
    for custom_id, command, fields in WRITTEN:
        try:
            tag = unpack(custom_id)
        except BadId:
            continue
        understood += 1
        assert (tag.action.command, tag.scope, tag.version, tag.part) == (command, 9, 12, ""), custom_id
        raw = raw_of(tag.action).items()
        assert {name: list(one) if isinstance(one, tuple) else one for name, one in raw} == fields, custom_id
    assert understood > 200, "what was not altered is still understood"


@pytest.fixture
def unshaped() -> Iterator[Callable[[], None]]:
    """Forgets the action that the test makes, at its end too: no other test meets it."""

    def forget() -> None:
        ACTIONS.pop("test.shape", None)
        parts.cache_clear()
        stamp.cache_clear()

    yield forget
    forget()


def test_a_field_put_in_between_makes_an_id_old(unshaped: Callable[[], None]) -> None:
    def shaped(*names: str) -> Action:
        unshaped()
        space = {"command": "test.shape", "__annotations__": dict.fromkeys(names, str)} | dict.fromkeys(
            names, ""
        )
        made: Any = dataclass(frozen=True)(type("Shape", (Action,), space))
        return made(**{names[-1]: "Trapper"})  # type: ignore[no-any-return]

    old = pack(Tag(shaped("shooter", "target"), 9))
    assert raw_of(unpack(old).action) == {"target": "Trapper"}
    shaped("shooter", "weapon", "target")
    with pytest.raises(BadId):
        unpack(old)
