"""Replies made to fit what Discord takes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.panels.widgets import card_of
from bot.replies.fit import (
    MAX_MESSAGE_LENGTH,
    MAX_MESSAGES,
    MORE,
    NOTHING,
    fit_text,
    messages,
    pages,
    rows,
    shorten,
)
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.table.journal.history import Undo
from bot.table.session.models import NoteModel
from tests.bot.properties import examples
from tests.bot.shown import items_of


@examples(200)
@given(st.lists(st.text("ab", max_size=60) | st.just("```"), min_size=1, max_size=12), st.integers(30, 200))
def test_text_fits_and_loses_whole_lines_only(lines: list[str], longest: int) -> None:
    text = fit_text(lines, longest)
    assert len(text) <= longest
    if not any("a" in line or "b" in line for line in lines):
        assert text == NOTHING
    elif len("\n".join(lines)) <= longest:
        assert text == "\n".join(lines)
    else:
        assert text.endswith(MORE)
        kept = text.removesuffix(MORE).splitlines()
        assert all(line in {*lines, "```"} or lines[0].startswith(line) for line in kept)


@pytest.mark.parametrize("lines", [(), ("",), ("  ", "\n"), ("```", "```"), ("****",)])
def test_nothing_empty_leaves(lines: tuple[str, ...]) -> None:
    assert [fit_text(part.lines) for part in messages(Reply(lines))] == [NOTHING]


def test_no_message_of_a_long_reply_is_empty() -> None:
    parts = messages(Reply(("```", *["x" * 99] * 19, "x" * 60, "```")))
    assert [fit_text(part.lines) for part in parts if fit_text(part.lines) == NOTHING] == []


def test_a_cut_text_closes_its_code_block() -> None:
    text = fit_text(["```", *["x" * 99] * 40, "```"])
    assert len(text) <= MAX_MESSAGE_LENGTH
    assert text.count("```") == 2


@examples(200)
@given(st.lists(st.text("ab", max_size=60) | st.just("```"), min_size=1, max_size=12), st.integers(70, 200))
def test_pages_lose_nothing_and_close_what_they_open(lines: list[str], longest: int) -> None:
    parts = pages(lines, longest)
    assert all(len("\n".join(part)) <= longest for part in parts)
    assert all(sum(line == "```" for line in part) % 2 == 0 for part in parts[:-1])
    assert [line for part in parts for line in part if line != "```"] == [
        line for line in lines if line != "```"
    ]


def test_a_long_reply_is_several_messages_with_one_set_of_buttons() -> None:
    lines = tuple(f"line {number} {'x' * 90}" for number in range(60))
    parts = messages(Reply(lines, True, (Button("Undo", Undo()),)))
    assert [len(part.buttons) for part in parts] == [1, *[0] * (len(parts) - 1)]
    assert len(parts) > 1
    assert all(part.private for part in parts)
    assert tuple(line for part in parts for line in part.lines) == lines
    assert all(fit_text(part.lines) == part.text for part in parts)
    endless = messages(Reply(lines * 9))
    assert len(endless) == MAX_MESSAGES
    (file,) = endless[-1].files
    kept = [line for part in endless[:-1] for line in part.lines] + file.data.decode().split("\n")
    assert kept == list(lines * 9), "nothing is lost"
    assert messages(Reply(("a",))) == (Reply(("a",)),)


def test_buttons_and_menus_in_rows() -> None:
    buttons = [Button(str(number), Undo(number)) for number in range(40)]
    menu = Menu("m", Undo(), "steps", (Choice("a", "1"),))
    laid = rows(buttons, [menu, menu])
    assert [len(row) if isinstance(row, list) else "menu" for row in laid] == [5, 5, 5, "menu", "menu"]
    assert shorten("x" * 90, 80) == "x" * 79 + "…"
    assert rows((), (Menu("m", Undo(), "steps", ()),)) == []


def test_a_menu_that_is_too_long_goes_on_below() -> None:
    choices = tuple(Choice(f"Model {number}", str(number)) for number in range(60))
    menu = Menu("Who?", Undo(), "steps", choices, 1, 60)
    buttons = tuple(Button(str(number), Undo()) for number in range(5))
    row, *parts = rows(buttons, (menu,))
    assert row == list(buttons)
    assert all(isinstance(part, Menu) for part in parts)
    shown = [part for part in parts if isinstance(part, Menu)]
    assert [part.prompt for part in shown] == ["Who? (1 of 3)", "Who? (2 of 3)", "Who? (3 of 3)"]
    assert tuple(one for part in shown for one in part.choices) == choices
    assert max(len(part.choices) for part in shown) == 25
    assert len(rows(buttons * 3, (menu,))) == 5, "no button makes room"


def test_what_finds_no_room_is_named() -> None:
    buttons = tuple(Button(f"B{number}", Undo(number)) for number in range(27))
    (shown,) = messages(Reply(("x",), buttons=buttons))
    assert shown.lines == (
        "x",
        "There isn't room for all the buttons. Type a command instead of pressing one of these: B25, B26.",
    )
    choices = tuple(Choice(f"Model {number}", str(number)) for number in range(52))
    menu = Menu("Who?", Undo(), "steps", choices, 1, 60)
    (shown,) = messages(Reply(("x",), buttons=buttons[:15], menus=(menu,)))
    told = " ".join(" ".join(shown.lines[1:]).split())
    assert told.endswith("Type a command instead of pressing one of these: Model 50, Model 51.")
    (shown,) = messages(Reply(("x",), buttons=(Button("long", NoteModel("Smap", "é" * 90)),)))
    assert shown.lines == (
        "x",
        "There isn't room for all the buttons. Type a command instead of pressing one of these: long.",
    )


@pytest.mark.parametrize("length", range(60, 90))
async def test_a_button_is_either_shown_or_named(length: int) -> None:
    """Around the longest that an id holds, in a young game and in an old one."""
    reply = Reply(("x",), buttons=(Button("long", NoteModel("Smap", "e" * length)),))
    for scope, version in ((1, 2), (1, -1), (36**3, 36**3)):
        (shown,) = messages(reply, scope, version)
        assert (not items_of(card_of(shown, scope, version))) == (len(shown.lines) > 1)


async def test_a_button_whose_action_is_too_long_is_left_out() -> None:
    long = Button("long", NoteModel("Smap", "é" * 90))
    assert items_of(card_of(Reply(("x",), buttons=(long,)), 1, 2)) == []
    view = card_of(Reply(("x",), buttons=(long, Button("Undo", Undo()))), 1, 2)
    assert [item["label"] for item in items_of(view)] == ["Undo"]
    assert view.is_finished()


async def test_equal_buttons_have_different_ids() -> None:
    view = card_of(Reply(("x",), buttons=(Button("Take back", Undo()),) * 7), 1, 2)
    assert len({item["custom_id"] for item in items_of(view)}) == 7
