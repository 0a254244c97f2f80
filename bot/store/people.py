"""Who is meant by the numbers and names that are kept: what is written and hashed has pseudonyms.

A person's number on Discord is written as an alias, a number that no id of Discord can be; a name is written
as a token, in letters that no one can type. Separate tables beside the state say whose alias and token each
is, with a salt. Readers of a row get the person's number and name; once those lines are deleted, it names no
one. An alias is made of salt and number, a token of salt and name, so that an export shows that it names the
right ones.

Numbers below `MIN_ID` belong to no one on Discord and stay as they are.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeVar, cast

from sqlalchemy import BindParameter, Connection, bindparam, func, insert, select
from sqlalchemy.sql import ColumnElement

from bot.store.book import Change, Snapshot
from bot.store.rows import ROWS, Columns, EncounterRow, Key, TieRow, Value, layout
from bot.store.schema import forgettings, names, people
from bot.store.vocabulary import is_word_of_the_program

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

MIN_ID = 10**15
ALIASES, ALIASES_END = 9 * 10**18, 92 * 10**17
OPEN, CLOSE = "\ue000", "\ue001"
"""Around a token: letters for private use, which what is typed cannot hold."""

TOKEN = re.compile(f"{OPEN}[0-9a-f]{{16}}{CLOSE}")
ALIAS = re.compile(r"9(?<!\d9)[01]\d{17}(?!\d)")
"""It begins with a digit and then looks back: so texts are searched far faster."""

BIG = r"\d(?<!\d\d)\d{15,18}(?!\d)"
MARKED = re.compile(f"{TOKEN.pattern}|{ALIAS.pattern}")
SALT_BYTES = 16

LONG_TEXT = 60
"""Characters from which on a text of a row is kept once for all rows that have it."""

MAX_KNOWN = 100_000
"""People and names that are remembered; beyond that all are looked up again."""

T = TypeVar("T")


def alias_of(salt: str, user_id: int) -> int:
    """Return the number that is used for a person."""
    digest = sha256(f"{salt} {user_id}".encode()).digest()
    return ALIASES + int.from_bytes(digest[:12], "big") % (ALIASES_END - ALIASES)


def token_of(salt: str, name: str) -> str:
    """Return the token that is used for a name."""
    return f"{OPEN}{sha256(f'{salt} {name}'.encode()).hexdigest()[:16]}{CLOSE}"


def somebody(token: str) -> str:
    """Return the name that is shown for a person whose own is no longer stored."""
    return f"Somebody {token[1:5]}"


@lru_cache(maxsize=4096)
def forms_of(name: str) -> tuple[str, ...]:
    """Return a name as it is and as it begins a sentence, if both can occur in texts."""
    forms = dict.fromkeys((name, name[:1].upper() + name[1:]))
    return tuple(form for form in forms if may_be_written(form))


def may_be_written(name: str) -> bool:
    """Return whether a token can replace a name in texts: it has no characters that JSON escapes."""
    return bool(name) and not any(mark in name for mark in '"\\\n\r\t' + OPEN + CLOSE)


@dataclass(frozen=True, slots=True)
class Named:
    """A person's name and its token. stands_alone: the name is also a word of the program, so it is
    replaced only in places that contain nothing but a person's name.
    """

    token: str
    name: str
    alias: int
    salt: str
    stands_alone: bool

    def row(self) -> dict[str, Any]:
        """Return the row as the table stores it."""
        return {
            "token": self.token,
            "alias": self.alias,
            "name": self.name,
            "salt": self.salt,
            "word": self.stands_alone,
        }


@dataclass(frozen=True, slots=True)
class Introduced:
    """A person who was looked up, with all of his names."""

    user: int
    alias: int
    called: dict[str, Named]


def meet(connection: Connection, pairs: Iterable[tuple[int, str]]) -> list[Introduced]:
    """Look people up; give aliases and tokens to those who have none. Commit it, then learn them."""
    introductions: dict[int, Introduced] = {}
    for user, name in pairs:
        introduced = (
            introductions[user]
            if user in introductions
            else introductions.setdefault(user, _met(connection, user))
        )
        for form in forms_of(name):
            if form not in introduced.called:
                salt = secrets.token_hex(SALT_BYTES)
                new_name = Named(
                    token_of(salt, form), form, introduced.alias, salt, is_word_of_the_program(form)
                )
                connection.execute(insert(names), new_name.row())
                introduced.called[form] = new_name
    return [*introductions.values()]


def _met(connection: Connection, user: int) -> Introduced:
    met_rows = met_before(connection, user)
    if met_rows is not None:
        return met_rows
    salt = secrets.token_hex(SALT_BYTES)
    alias = alias_of(salt, user)
    connection.execute(insert(people), {"alias": alias, "user_id": user, "salt": salt})
    return Introduced(user, alias, {})


def met_before(connection: Connection, user: int) -> Introduced | None:
    """Return a person with the names that have tokens, or None for someone new."""
    met_rows = connection.execute(_MET, {"user": user}).all()
    if not met_rows:
        return None
    alias: int = met_rows[0][0]
    known_names = (
        Named(token, name, alias, salt, stands_alone)
        for token, name, salt, stands_alone in connection.execute(_CALLED, {"of": alias})
    )
    return Introduced(user, alias, {name.name: name for name in known_names})


_MET = select(people.c.alias).where(people.c.user_id == bindparam("user"))
_CALLED = select(names.c.token, names.c.name, names.c.salt, names.c.word).where(
    names.c.alias == bindparam("of")
)


HOW_OFTEN_FORGOTTEN = select(func.coalesce(func.max(forgettings.c.count), 0))
"""How often people have been removed from the database, by this process or another."""


class Nobody:
    """Leaves everything as it is: for who looks at what is written, and for games that are played again.

    forgotten: how many people were forgotten so far; what was worked out before may still name them.
    """

    forgotten: int = 0

    def read(self, value: T) -> T:
        """See `People.read`."""
        return value


@dataclass
class People(Nobody):
    """The owners of aliases and tokens, as far as they were looked up.

    shared: other processes take people out too. as_of: how often that had been done when what is known here
    was looked up; None while nothing is.
    """

    shared: bool = False
    as_of: int | None = None
    aliases: dict[int, int] = field(default_factory=dict)
    """The alias of a person."""
    ids: dict[int, int] = field(default_factory=dict)
    """The person of an alias, or the alias itself if it is no one's."""
    tokens: dict[str, str] = field(default_factory=dict)
    """The name of a token, or its replacement if it is no one's."""
    named: dict[int, dict[str, Named]] = field(default_factory=dict)
    """The names of a person."""
    _pens: dict[frozenset[int], Pen] = field(default_factory=dict)
    """Pens for writing a scope with these people, as long as no one is added or forgotten."""

    # ------------------------------------------------------------------------------------ reading

    def read(self, value: T) -> T:
        """Return a column as people read it; the people it names were looked up before."""
        if isinstance(value, str):
            if OPEN in value or (len(value) >= 19 and ALIAS.search(value)):
                return MARKED.sub(self._said, value)  # type: ignore[return-value]
        elif isinstance(value, int) and ALIASES <= value < ALIASES_END:
            return self.ids.get(value, value)  # type: ignore[return-value]
        return value

    def _said(self, match: re.Match[str]) -> str:
        marked = match[0]
        if marked[0] == OPEN:
            return self.tokens.get(marked) or somebody(marked)
        return str(self.ids.get(int(marked), marked))

    def unknown(self, values: Iterable[object]) -> tuple[list[int], list[str]]:
        """Return the aliases and tokens in some columns that were not looked up yet."""
        aliases, tokens = _marks_in(values)
        return sorted(aliases - self.ids.keys()), sorted(tokens - self.tokens.keys())

    def look_up(self, connection: Connection, values: Iterable[object]) -> None:
        """Look up the people in some columns."""
        if self.shared and any(_marks_in(values := [*values])):
            self.prove(connection.execute(HOW_OFTEN_FORGOTTEN).scalar_one())
        forgotten, (aliases, tokens) = self.forgotten, self.unknown(values)
        if not (aliases or tokens):
            return
        by_alias = select(people.c.alias, people.c.user_id).where(people.c.alias.in_(aliases))
        by_token = select(names.c.token, names.c.name).where(names.c.token.in_(tokens))
        rows = [tuple(row) for row in connection.execute(by_alias)] if aliases else []
        name_rows = [tuple(row) for row in connection.execute(by_token)] if tokens else []
        self._note(forgotten, aliases, rows, tokens, name_rows)

    def prove(self, count: int) -> None:
        """Forget everyone if another process has removed people since they were looked up.

        count: how often that was done by now.
        """
        if self.as_of is None:
            self.as_of = count
        elif count != self.as_of:
            self.forget_all()
            self.forgotten += 1
            self.as_of = count

    def _note(
        self,
        forgotten: int,
        aliases: Iterable[int],
        rows: Iterable[Any],
        tokens: Iterable[str],
        name_rows: Iterable[Any],
    ) -> None:
        if forgotten != self.forgotten:
            return
        self.ids.update((alias, alias) for alias in aliases)
        for alias, user in rows:
            self.ids[alias] = user
            self.aliases[user] = alias
        if aliases:
            self._pens.clear()
        self.tokens.update((token, somebody(token)) for token in tokens)
        self.tokens.update((token, name) for token, name in name_rows)

    # ------------------------------------------------------------------------------------ writing

    def strangers(self, pairs: Iterable[tuple[int, str]]) -> list[tuple[int, str]]:
        """Return those people, with their names, who are new or not looked up yet. A name may be empty."""
        return [(user, name) for user, name in dict.fromkeys(pairs) if self._is_strange(user, name)]

    def _is_strange(self, user: int, name: str) -> bool:
        if user < MIN_ID or ALIASES <= user < ALIASES_END:
            return False
        known_name = self.named.get(self.aliases.get(user, 0))
        return known_name is None or any(form not in known_name for form in forms_of(name))

    def make_room(self) -> None:
        """Forget everyone if too many are remembered."""
        if len(self.ids) + len(self.tokens) > MAX_KNOWN:
            self.forget_all()

    def learn(self, met: Iterable[Introduced]) -> None:
        """Know those who were met, once that is committed."""
        for introduced in met:
            self.aliases[introduced.user], self.ids[introduced.alias] = introduced.alias, introduced.user
            self.named.setdefault(introduced.alias, {})
            for name in introduced.called.values():
                self._know(name)
        self._pens.clear()

    def _know(self, name: Named) -> None:
        self.named[name.alias][name.name] = name
        self.tokens[name.token] = name.name

    def pen(self, users: Iterable[int]) -> Pen:
        """Return the pen for writing a scope with these people."""
        user_ids = frozenset(users)
        pen = self._pens.get(user_ids)
        if pen is None:
            aliases = {user: self.aliases[user] for user in user_ids if user in self.aliases}
            known_names = [name for alias in aliases.values() for name in self.named.get(alias, {}).values()]
            pen = self._pens[user_ids] = Pen(aliases, known_names)
        return pen

    def forget_all(self) -> None:
        """Forget everyone, so that people who are no longer stored are not found again.

        A name that was only ever read is known by its token alone, and not whose it is.
        """
        for mapping in (self.aliases, self.ids, self.tokens, self.named, self._pens):
            mapping.clear()


def _marks_in(values: Iterable[object]) -> tuple[set[int], set[str]]:
    aliases: set[int] = set()
    tokens: set[str] = set()
    for value in values:
        if isinstance(value, str):
            if OPEN in value:
                marks = MARKED.findall(value)
                tokens.update(marked for marked in marks if marked[0] == OPEN)
                aliases.update(int(marked) for marked in marks if marked[0] != OPEN)
            elif len(value) >= 19:
                aliases.update(map(int, ALIAS.findall(value)))
        elif isinstance(value, int) and ALIASES <= value < ALIASES_END:
            aliases.add(value)
    return aliases, tokens


class Pen:
    """Writes columns and texts of one scope: aliases and tokens in the place of numbers and names."""

    def __init__(self, aliases: Mapping[int, int], called: Sequence[Named]) -> None:
        self._aliases = aliases
        self._texts = {str(user): str(alias) for user, alias in aliases.items()}
        self._numbers = tuple(self._texts)
        self._whole = {(name.alias, name.name): name.token for name in called}
        token_by_name = {named.name: named.token for named in called if not named.stands_alone}
        self._texts |= token_by_name
        self._names = tuple(sorted(token_by_name, key=len, reverse=True))

    def text(self, text: str) -> str:
        """Return a text with every number and name in it replaced that is not part of a longer word."""
        for name in self._names:
            if name in text:
                return self._put_in(text, self._names)
        for number in self._numbers:
            if number in text:
                return self._put_in(text, ())
        return text

    def _put_in(self, text: str, names: tuple[str, ...]) -> str:
        return _pattern(names).sub(lambda match: self._texts.get(match[0], match[0]), text)

    def number(self, value: int) -> int:
        """Return a person's number; any other as it is."""
        return self._aliases.get(value, value) if value >= MIN_ID else value

    def value(self, value: Any) -> Any:
        """Return one column."""
        if isinstance(value, str):
            return self.text(value) if value else value
        if isinstance(value, int) and not isinstance(value, bool):
            return self.number(value)
        return value

    def name(self, user: int, name: str) -> str:
        """Return the name of a person, where nothing else stands."""
        return self._whole.get((self.number(user), name)) or self.text(name)


@lru_cache(maxsize=4096)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """Numbers as long as an id, and these names, the longest first; after the escape of a new line too."""
    listed = "|".join(re.escape(name) for name in names)
    either = rf"|(?:(?<=\\n)|(?<![^\W_]))(?:{listed})(?![^\W_])" if listed else ""
    return re.compile(BIG + either)


async def readable(people: Nobody, connection: AsyncConnection, query: Any) -> list[tuple[Any, ...]]:
    """Return the rows that a query finds, as people read them."""
    rows: list[tuple[Any, ...]] = [tuple(row) for row in await connection.execute(query)]
    if not isinstance(people, People):
        return rows
    values = [value for row in rows for value in row]
    await connection.run_sync(lambda sync: people.look_up(sync, values))
    return [tuple(people.read(value) for value in row) for row in rows]


def is_person(column: ColumnElement[Any], user_id: int | BindParameter[int]) -> Any:
    """Return whether a column names a person, by alias or, in old rows, by number."""
    alias = select(people.c.alias).where(people.c.user_id == user_id).scalar_subquery()
    return (column == user_id) | (column == alias)


# ------------------------------------------------------------------------------------ where people stand

NAMED_BY = {
    "user_id": "name",
    "owner_id": "owner",
    "author_id": "author",
    "actor_id": "actor",
    "as_id": "as_name",
}
"""Columns that hold people's numbers, with the one that holds the name where a table has it; a tie's name is
its side's."""

NUMBERS = ("user_id", "owner_id", "organiser_id", "second_id", "author_id", "actor_id", "as_id")


@cache
def places(table: str) -> tuple[tuple[int, int], ...]:
    """Return which columns of a table hold a person's number, and which hold the same one's name, or -1."""
    columns = layout(table).names
    return tuple(
        (columns.index(number), columns.index(name) if name in columns and table != TieRow.table else -1)
        for number in NUMBERS
        if number in columns and (name := NAMED_BY.get(number, "")) is not None
    )


def pairs_in(snapshot: Snapshot) -> Iterator[tuple[int, str]]:
    """Yield everyone in the rows of a scope: the number, and the name if it is there too."""
    listed = layout(EncounterRow.table).names.index("people")
    for columns in snapshot.get(EncounterRow.table, {}).values():
        yield from ((int(number), "") for number in str(columns[listed]).split())
    for table, rows in snapshot.items():
        for number, name in places(table):
            for columns in rows.values():
                yield cast(int, columns[number]), cast(str, columns[name]) if name >= 0 else ""


def read_rows(people: Nobody, snapshot: Snapshot) -> tuple[Snapshot, dict[tuple[str, Key], Columns]]:
    """Return rows as people read them, and by their keys those that are written differently."""
    readable_rows: dict[str, dict[Key, Columns]] = {}
    written: dict[tuple[str, Key], Columns] = {}
    for table, rows in snapshot.items():
        keys = [layout(table).names.index(name) for name in ROWS[table].key_fields]
        into = readable_rows[table] = {}
        for key, columns in rows.items():
            readable_row = tuple(people.read(value) for value in columns)
            if readable_row == columns:
                into[key] = tuple([_once(value) for value in columns])
                continue
            new = tuple(cast("int | str", readable_row[place]) for place in keys)
            into[new] = readable_row
            written[table, new] = columns
    return readable_rows, written


def _once(value: Value) -> Value:
    """A value; a long text that was read before is that very one: many tables have figures of a kind."""
    return _known_text(value) if type(value) is str and len(value) > LONG_TEXT else value


@lru_cache(maxsize=1024)
def _known_text(text: str) -> str:
    return text


def write_changes(
    pen: Pen, changes: Iterable[Change], written: Mapping[tuple[str, Key], Columns]
) -> tuple[list[Change], dict[tuple[str, Key], Columns]]:
    """Return changes as they are written, and the rows after them that are read differently.

    A column that does not change stays as it is written: what was not known for a name then is not now.
    """
    changes_written, standing = [], dict(written)
    for change in changes:
        row_key = (change.table, change.key)
        old_columns = standing.pop(row_key, change.before) if change.before is not None else None
        after = _written(pen, change, old_columns)
        keys = [layout(change.table).names.index(name) for name in ROWS[change.table].key_fields]
        columns = after if after is not None else old_columns
        assert columns is not None, "a change has a row before or after"
        changes_written.append(
            Change(
                change.table, tuple(cast("int | str", columns[place]) for place in keys), old_columns, after
            )
        )
        if after is not None and after != change.after:
            standing[row_key] = after
    return changes_written, standing


def _written(pen: Pen, change: Change, old_columns: Columns | None) -> Columns | None:
    if change.after is None:
        return None
    after = [
        old_columns[place]
        if old_columns is not None and change.before is not None and change.before[place] == value
        else pen.value(value)
        for place, value in enumerate(change.after)
    ]
    for number, name in places(change.table):
        is_same = (
            old_columns is not None
            and change.before is not None
            and change.before[name] == change.after[name]
        )
        if name >= 0 and not is_same:
            after[name] = pen.name(cast(int, change.after[number]), cast(str, change.after[name]))
    return tuple(after)
