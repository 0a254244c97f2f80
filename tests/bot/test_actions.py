"""How actions and replies are written down: in ids, in the journal, and back."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bot.app
from bot.actions import (
    ACTIONS,
    MAX_NUMBER,
    Action,
    BadId,
    from_json,
    number_in,
    parts,
    raw_of,
    reference_by_number,
    to_json,
    with_text,
)
from bot.games.infinity.movement_actions import Jump
from bot.ids import MAX_ID, Tag, fits, pack, unpack
from bot.replies.reply import FORMS, Button, Choice, Menu, Reply, reply_from_json, reply_to_json
from bot.table.handlers import HANDLERS
from bot.table.journal.history import Undo
from tests.bot.properties import examples

assert bot.app.ALL_GAMES

WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
VALUES: dict[Any, st.SearchStrategy[Any]] = {
    int: st.integers(-(2**63), 2**63 - 1),
    float: st.floats(allow_nan=False, allow_infinity=False),
    bool: st.booleans(),
    str: WORDS | st.sampled_from(["", "~", "~~", ":", ",", "%7E", "a~b:c", "é", "-1", "0"]),
    tuple[int, ...]: st.lists(st.integers(-5, 2**40), max_size=6).map(tuple),
    tuple[str, ...]: st.lists(WORDS.filter(bool), max_size=4).map(tuple),
}
KINDS = sorted(key for key, kind in ACTIONS.items() if kind.__module__.startswith("bot."))


@cache
def actions(command: str) -> st.SearchStrategy[Action]:
    return st.builds(ACTIONS[command], **{part.name: VALUES[part.wire] for part in parts(command)})


def same(one: Tag, other: Tag) -> bool:
    """Whether two ids tell the same: the same action, written alike, at the same place."""
    return _told(one) == _told(other)


def _told(tag: Tag) -> tuple[Any, ...]:
    return tag.action.command, raw_of(tag.action), tag.scope, tag.version, tag.part


ANY = st.sampled_from(KINDS).flatmap(actions)
SCOPES = st.integers(0, 2**40)


def test_every_action_has_a_handler_and_a_default_for_every_field() -> None:
    assert set(KINDS) <= HANDLERS.keys()
    for command in KINDS:
        assert from_json(command, to_json(ACTIONS[command]())) == ACTIONS[command](), command


def test_the_plainest_id_of_every_action_fits() -> None:
    longest = max(len(key) for key in FORMS) + len("form-")
    plainest = {command: Tag(ACTIONS[command](), 2**40, 10**6, "f" * longest) for command in KINDS}
    assert [command for command, tag in plainest.items() if not fits(tag, 24)] == []


@examples(400)
@given(ANY)
def test_json_round_trip(action: Action) -> None:
    assert raw_of(from_json(action.command, to_json(action))) == raw_of(action)


@examples(600)
@given(ANY, SCOPES, st.integers(-1, 10**9), st.sampled_from(["", "form-x", "models"]), st.integers(0, 30))
def test_id_round_trip(action: Action, scope: int, version: int, part: str, place: int) -> None:
    tag = Tag(action, scope, version, part)
    try:
        custom_id = pack(tag, place)
    except BadId:
        return
    assert 1 <= len(custom_id) <= MAX_ID
    assert custom_id.isascii()
    assert same(unpack(custom_id), tag)


@examples(200)
@given(ANY, st.lists(st.tuples(st.integers(0, 9), st.text(max_size=20)), max_size=3))
def test_what_was_typed_and_could_not_be_read_round_trips(
    action: Action, said: list[tuple[int, str]]
) -> None:
    names = ["", *(part.name for part in parts(action.command))]
    whole = [text.encode("utf-8", "ignore").decode() for _, text in said]
    typed = tuple((names[n % len(names)], text) for (n, _), text in zip(said, whole, strict=True))
    try:
        custom_id = pack(Tag(action, 1, typed=typed))
    except BadId:
        return
    assert unpack(custom_id).typed == typed
    assert same(unpack(custom_id), Tag(action, 1, typed=typed))


def test_every_command_round_trips_with_every_field_set() -> None:
    samples: dict[Any, Any] = {
        int: -7,
        float: 2.5,
        bool: True,
        str: "a~b",
        tuple[int, ...]: (3, 40),
        tuple[str, ...]: ("a", "b,~c"),
    }
    for command in KINDS:
        action = ACTIONS[command](**{part.name: samples[part.wire] for part in parts(command)})
        assert raw_of(from_json(command, to_json(action))) == raw_of(action)
        for part in parts(command):
            one = ACTIONS[command](**{part.name: samples[part.wire]})
            assert same(unpack(pack(Tag(one, 1))), Tag(one, 1))


def test_a_whole_number_in_a_field_of_inches_reads_back() -> None:
    action = Jump(up=12, start=3.5)
    assert unpack(pack(Tag(action, 1))) == Tag(action, 1)


@examples(200)
@given(st.text(max_size=100))
def test_foreign_ids_are_refused(custom_id: str) -> None:
    with pytest.raises(BadId):
        unpack("x" + custom_id)


@pytest.mark.parametrize(
    "custom_id",
    [
        "",
        "10",
        "10:undo",
        "10:undo:1:2",
        "10:nothing:1:2:",
        "00:undo:1:2:",
        "30:undo:1:2:",
        "20:undo:1:2::zz01",
        "10:undo:!:2:",
        "10:undo:1:!:",
        "20:undo:1:2::1~2~3~4",
        "20:undo:1:2::#",
        "10:undo::2:",
        "roll|4d6|7",
    ],
)
def test_old_and_broken_ids_are_refused(custom_id: str) -> None:
    with pytest.raises(BadId):
        unpack(custom_id)


@pytest.mark.parametrize(
    ("command", "text"),
    [("no.such", "{}"), ("undo", '{"paces":2}'), ("undo", "[]"), ("undo", '["steps"]'), ("undo", "7")],
)
def test_unknown_json_is_refused(command: str, text: str) -> None:
    with pytest.raises(BadId):
        from_json(command, text)


def test_what_is_typed_or_chosen_fills_a_field() -> None:
    enter = ACTIONS["dice.enter"]
    assert with_text(enter(), {"faces": " 10, 2 7"}) == enter((10, 2, 7))  # type: ignore[call-arg]
    assert with_text(enter(), {"faces": ("10", "2")}) == enter((10, 2))  # type: ignore[call-arg]
    assert with_text(ACTIONS["undo"](), {"steps": " 3 "}) == ACTIONS["undo"](3)  # type: ignore[call-arg]
    assert with_text(ACTIONS["model.note"](), {"text": "a, b"}) == ACTIONS["model.note"](text="a, b")  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="invalid literal"):
        with_text(enter(), {"faces": "ten"})
    with pytest.raises(BadId):
        with_text(enter(), {"eyes": "1"})


BUTTONS = st.builds(
    Button,
    WORDS,
    ANY,
    st.sampled_from(["plain", "main", "danger"]),
    st.booleans(),
    st.none() | st.sampled_from(sorted(FORMS.values(), key=lambda form: form.key)),
    st.booleans(),
)
MENUS = st.builds(
    Menu,
    WORDS,
    ANY,
    st.sampled_from(["models", "to"]),
    st.lists(st.builds(Choice, WORDS, WORDS, WORDS), max_size=3).map(tuple),
    st.integers(0, 3),
    st.integers(1, 9),
    st.booleans(),
)
LINES = st.lists(WORDS, max_size=4).map(tuple)
REPLIES = st.recursive(
    st.builds(
        Reply,
        lines=LINES,
        private=st.booleans(),
        buttons=st.lists(BUTTONS, max_size=2).map(tuple),
        menus=st.lists(MENUS, max_size=1).map(tuple),
        why=LINES,
    ),
    lambda inner: st.builds(Reply, lines=LINES, also=st.lists(inner, max_size=2).map(tuple)),
    max_leaves=3,
)


@examples(150)
@given(REPLIES)
def test_replies_round_trip(reply: Reply) -> None:
    written = reply_to_json(reply)
    assert reply_to_json(reply_from_json(written)) == written


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 10**30])
def test_numbers_that_no_database_keeps_are_none(number: int) -> None:
    with pytest.raises(BadId):
        unpack(pack(Tag(Undo(number), 1)))
    with pytest.raises(ValueError, match=str(number)):
        with_text(Undo(), {"steps": str(number)})


@pytest.mark.parametrize("inches", ["nan", "inf", "-inf", "1e999"])
def test_numbers_without_end_are_none(inches: str) -> None:
    with pytest.raises(BadId):
        unpack(pack(Tag(Jump("Smap", start=1.0), 1)).replace("1.0", inches))
    with pytest.raises(ValueError, match=r"inf|nan"):
        with_text(Jump(), {"start": inches})


@pytest.mark.parametrize("number", [0, 7, 10**15, MAX_NUMBER - 1])
def test_what_is_called_by_its_number_is_read_again(number: int) -> None:
    assert number_in(reference_by_number(number)) == number
    assert number_in(str(number), "") == number


@pytest.mark.parametrize("text", ["", "#", "Smap", "7", "#-7", "##7", "# 7", "#7a"])
def test_other_words_are_no_number(text: str) -> None:
    assert number_in(text) is None


@pytest.mark.parametrize("digits", [str(MAX_NUMBER), "9" * 19, "9" * 25, "9" * 5000])
def test_of_what_is_larger_than_any_number_that_is_kept_nothing_is_called(digits: str) -> None:
    assert number_in(f"#{digits}") == MAX_NUMBER
