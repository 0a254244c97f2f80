"""Rows, books and changes: what is altered is found, applied, taken back and written down without loss."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from functools import cache
from typing import Any, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.store.book import Book, Change, Mismatch, apply, changes_between, from_json, merged, to_json
from bot.store.journal import compact
from bot.store.rows import (
    ROWS,
    SCOPES,
    Counters,
    MemberRow,
    ModelRow,
    Row,
    SideRow,
    Texts,
    TokenRow,
    from_columns,
    layout,
    to_columns,
)
from bot.store.schema import STATE
from tests.bot.properties import examples

NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
VALUES: dict[Any, st.SearchStrategy[Any]] = {
    int: st.integers(-(2**63), 2**63 - 1),
    str: NAMES,
    bool: st.booleans(),
    Counters: st.dictionaries(NAMES, st.integers(-99, 99), max_size=3),
    Texts: st.dictionaries(NAMES, NAMES, max_size=3),
}


@cache
def rows(kind: type[Row]) -> st.SearchStrategy[Row]:
    hints = get_type_hints(kind)
    values = {
        part.name: st.integers(1, 4) if part.name in kind.key_fields else VALUES[hints[part.name]]
        for part in fields(kind)
    }
    return st.builds(kind, **{**values, "scope": st.just(7), **({"bag": NAMES} if kind is TokenRow else {})})


@cache
def few(kind: type[Row]) -> st.SearchStrategy[list[Row]]:
    return st.lists(rows(kind), max_size=2)


@st.composite
def books(draw: st.DrawFn) -> Book:
    book = Book(7, {})
    for kind in (SideRow, ModelRow, TokenRow, MemberRow):
        for row in draw(few(kind)):
            if row.key not in {known.key for known in book.all(kind)}:
                book.add(row)
    return book


@pytest.mark.parametrize("table", sorted(ROWS))
def test_rows_have_the_columns_of_the_schema(table: str) -> None:
    assert layout(table).names == tuple(column.name for column in STATE[table].columns)
    assert ROWS[table].key_fields == tuple(column.name for column in STATE[table].primary_key.columns)
    python = {"BIGINT": int, "BOOLEAN": bool, "TEXT": str}
    for column, of in zip(STATE[table].columns, layout(table).types, strict=True):
        assert python[str(column.type)] is (of if of in (int, bool) else str)
        assert not column.nullable


def test_every_table_belongs_to_one_kind_of_scope_but_those_of_real_dice_and_of_asks() -> None:
    shared = {"asks", "pendings", "throwers"}
    own = [table for tables in SCOPES.values() for table in tables if table not in shared]
    assert sorted((*own, *shared)) == sorted(ROWS)


@examples(200)
@given(st.data(), st.sampled_from(sorted(ROWS)))
def test_rows_travel_through_columns(data: st.DataObject, table: str) -> None:
    row = data.draw(rows(ROWS[table]))
    assert from_columns(table, to_columns(row)) == row


def test_json_columns_are_canonical() -> None:
    row = SideRow(1, 1, "a", traits={"b": "2", "a": "é"}, counters={})
    assert to_columns(row)[-2:] == ('{"a":"é","b":"2"}', "{}")


@examples(60)
@given(books(), books())
def test_changes_lead_from_one_book_to_the_other_and_back(old: Book, new: Book) -> None:
    before, after = old.snapshot(), new.snapshot()
    changes = changes_between(before, after)
    assert _rows(apply(before, changes)) == _rows(after)
    assert _rows(apply(after, [change.reversed() for change in reversed(changes)])) == _rows(before)
    assert changes_between(before, before) == []


@examples(60)
@given(books(), books(), books())
def test_merged_changes_do_the_same_in_one_step(first: Book, second: Book, third: Book) -> None:
    a, b, c = (book.snapshot() for book in (first, second, third))
    whole = merged([*changes_between(a, b), *changes_between(b, c)])
    assert _rows(apply(a, whole)) == _rows(c)
    assert len({(change.table, change.key) for change in whole}) == len(whole)


@examples(60)
@given(books(), books())
def test_the_journal_form_is_read_forwards_and_backwards(old: Book, new: Book) -> None:
    before, after = old.snapshot(), new.snapshot()
    changes = changes_between(before, after)
    written = json.loads(compact(to_json(changes)))
    assert from_json(written, before) == changes
    back = from_json(written, after, reverse=True)
    assert back == [change.reversed() for change in reversed(changes)]


@examples(25)
@given(books(), books())
def test_a_change_that_does_not_fit_is_refused(old: Book, new: Book) -> None:
    before, after = old.snapshot(), new.snapshot()
    changes = changes_between(before, after)
    if changes:
        with pytest.raises(Mismatch):
            apply(after, changes)


def _rows(snapshot: Any) -> dict[str, Any]:
    return {table: dict(rows) for table, rows in snapshot.items() if rows}


def test_one_changed_column_is_written_alone() -> None:
    book = Book(7, {})
    book.add(ModelRow(7, 1, 1, 100, "Sally", "{}"))
    before = book.snapshot()
    found = book.get(ModelRow, 1)
    assert found is not None
    found.damage = 2
    written = to_json(changes_between(before, book.snapshot()))
    assert written == [["models", [7, 1], {"damage": [0, 2]}]]
    with pytest.raises(Mismatch, match="damage does not match"):
        from_json(written, book.snapshot())
    with pytest.raises(Mismatch, match="missing"):
        from_json(written, {})


def test_two_changes_of_one_row_in_one_entry_are_read_in_order() -> None:
    key = (7, 1)
    old = to_columns(ModelRow(7, 1, 1, 100, "Sally", "{}"))
    row = from_columns("models", old)
    assert isinstance(row, ModelRow)
    steps = [to_columns(replace(row, damage=hurt)) for hurt in (1, 2)]
    changes = [Change("models", key, old, steps[0]), Change("models", key, steps[0], steps[1])]
    written = to_json(changes)
    assert from_json(written, {"models": {key: old}}) == changes
    back = from_json(written, {"models": {key: steps[1]}}, reverse=True)
    assert apply({"models": {key: steps[1]}}, back) == {"models": {key: old}}


def test_a_book_is_a_copy_and_knows_its_rows() -> None:
    book = Book(7, {})
    row = book.add(SideRow(7, 2, "b", counters={"orders": 3}))
    book.add(SideRow(7, 1, "a"))
    snapshot = book.snapshot()
    other = Book(7, snapshot)
    found = other.get(SideRow, 2)
    assert found is not None
    found.counters["orders"] = 0
    assert row.counters == {"orders": 3}
    assert book.snapshot() == snapshot
    assert [side.name for side in book.all(SideRow)] == ["a", "b"]
    assert book.next_id(SideRow) == 3
    assert book.next_id(ModelRow) == 1
    with pytest.raises(ValueError, match="already"):
        book.add(SideRow(7, 1, "c"))
    book.remove(row)
    assert book.get(SideRow, 2) is None


def test_what_is_put_back_is_the_same_row_that_was_worked_with() -> None:
    """What was worked out at the start holds rows; altered or taken out meanwhile, they are as they were."""
    start = Book(7, {})
    for number in (1, 2):
        start.add(SideRow(7, number, f"side {number}", counters={"a": number}))
    book = Book(7, start.snapshot())
    first, second = book.all(SideRow)
    book.worked_out["sides"] = [first, second]
    first.counters["a"] = 9
    first.name = "other"
    book.remove(second)
    book.add(SideRow(7, 2, "instead"))
    book.add(SideRow(7, 3, "third"))
    book.put_back()
    assert not book.is_touched
    assert book.worked_out["sides"] == [first, second]
    assert book.get(SideRow, 1) is first
    assert book.get(SideRow, 2) is second
    assert book.get(SideRow, 3) is None
    assert (first.name, first.counters["a"], second.name) == ("side 1", 1, "side 2")
    assert changes_between(start.snapshot(), book.snapshot()) == []
    first.counters["a"] = 5
    book.remove(second)
    assert len(changes_between(start.snapshot(), book.snapshot())) == 2


def test_a_book_that_goes_on_is_like_a_new_one() -> None:
    book = Book(7, {})
    for number in (1, 2, 3):
        book.add(SideRow(7, number, f"side {number}", counters={"a": number}))
    first, second, third = book.all(SideRow)
    third.counters["b"], third.counters["B"] = 1, 2
    book.remove(second)
    book.worked_out["sides"] = [first, third]
    after = book.snapshot()
    book.go_on(after)
    assert not book.is_touched
    assert not book.worked_out
    assert repr(book.all(SideRow)) == repr(Book(7, after).all(SideRow))
    assert book.snapshot() == after
    first.name = "other"
    third.name = "third"
    book.put_back()
    assert repr(book.all(SideRow)) == repr(Book(7, after).all(SideRow))


def test_the_same_value_put_again_alters_nothing() -> None:
    start = Book(7, {})
    start.add(SideRow(7, 1, "a", counters={"orders": 1}))
    book = Book(7, start.snapshot())
    row = book.all(SideRow)[0]
    book.worked_out["sides"] = [row]
    row.name = "a"
    row.counters["orders"] = 1
    assert not book.is_touched
    assert book.worked_out
    row.counters["orders"] = True
    assert book.is_touched


def test_books_of_one_snapshot_do_not_know_of_one_another() -> None:
    start = Book(7, {})
    start.add(SideRow(7, 1, "a"))
    snapshot = start.snapshot()
    one, other = Book(7, snapshot), Book(7, snapshot)
    one.remove(one.all(SideRow)[0])
    one.add(SideRow(7, 2, "b"))
    assert [side.id for side in other.all(SideRow)] == [1]
    assert [side.id for side in Book(7, snapshot).all(SideRow)] == [1]
