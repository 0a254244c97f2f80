"""Who is meant by the aliases and tokens of a journal, so that an export can say it beside what is hashed.

A name comes with the salt of its token: nobody can give a token another name. Numbers on Discord are not
told, only in which order they are, since rows stand in that order; but those that stand in entries of before,
with the salt that leads from them to their aliases.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import or_, select

from bot.store.journal import PUBLISHED, Entry, link
from bot.store.people import ALIAS, ALIASES_END, BIG, OPEN, TOKEN, alias_of, somebody, token_of
from bot.store.schema import names, people
from bot.store.scope import EMPTY_CHAIN

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

FIRST = 10**14
"""The numbers by which people go in a game that is read from a file: from here on, and no id of Discord's."""

MARKS = re.compile(f"{TOKEN.pattern}|{BIG}")


@dataclass(frozen=True, slots=True)
class Meant:
    """names: token, name and salt. order: aliases, by the numbers of those whom they mean.

    before: alias, number and salt of those whose numbers stand in entries of before. ids: the numbers of
    those in `order`; no file holds them.
    """

    names: Sequence[tuple[str, str, str]] = ()
    order: Sequence[int] = ()
    before: Sequence[tuple[int, int, str]] = ()
    ids: Sequence[int] = ()

    def written(self) -> dict[str, Any]:
        """As an export holds it."""
        return {
            "names": [list(one) for one in self.names],
            "order": list(self.order),
            "before": [list(one) for one in self.before],
        }


NOBODY = Meant()
"""Who is meant where no alias and no token stands."""


async def meant_by(connection: AsyncConnection, entries: Sequence[Entry]) -> Meant:
    """Look up who is meant."""
    tokens: set[str] = set()
    numbers: set[int] = set()
    for entry in entries:
        for name in PUBLISHED:
            for mark in MARKS.findall(str(getattr(entry, name))):
                if mark[0] == OPEN:
                    tokens.add(mark)
                elif int(mark) < ALIASES_END:
                    numbers.add(int(mark))
    found = await connection.execute(select(names).where(names.c.token.in_(sorted(tokens))))
    called = sorted((row.token, row.name, row.salt) for row in found)
    wanted = or_(people.c.alias.in_(sorted(numbers)), people.c.user_id.in_(sorted(numbers)))
    known = list(await connection.execute(select(people).where(wanted).order_by(people.c.user_id)))
    before = [(row.alias, row.user_id, row.salt) for row in known if row.user_id in numbers]
    return Meant(called, [row.alias for row in known], before, [row.user_id for row in known])


def numbers_of_people(meant: Meant) -> dict[int, int]:
    """Who is meant by the numbers by which people go in a game that is read from its file."""
    return {FIRST + place: user for place, user in enumerate(meant.ids)}


class NotTheirs(ValueError):
    """What is said of whom a token or an alias means is not so."""


class EntryReader:
    """Reads the entries of a file. Raises NotTheirs for names that are not those that were written."""

    def __init__(self, written: Mapping[str, Any]) -> None:
        self._tokens: dict[str, str] = {}
        self._besides: set[int] = set()
        for token, name, salt in written["names"]:
            if token_of(salt, name) != token:
                raise NotTheirs(f"{name} is not the name that was written.")
            self._tokens[token] = name
        self._numbers = {alias: FIRST + place for place, alias in enumerate(written["order"])}
        for alias, user_id, salt in written["before"]:
            if alias_of(salt, user_id) != alias:
                raise NotTheirs(f"{user_id} is not the person who was written.")
            self._numbers[user_id] = self._numbers[alias]
            self._besides.add(alias)

    def value(self, value: Any) -> Any:
        """A column as people read it."""
        if isinstance(value, str):
            return MARKS.sub(self._said, value)
        return self._numbers.get(value, value) if isinstance(value, int) else value

    def _said(self, found: re.Match[str]) -> str:
        mark = found[0]
        if mark[0] == OPEN:
            return self._tokens.get(mark) or somebody(mark)
        return str(self._numbers.get(int(mark), mark))

    def is_gone(self, entry: Mapping[str, Any]) -> bool:
        """Whether an entry names somebody of whom nothing is kept any more."""
        text = "\n".join(map(str, entry.values()))
        return any(token not in self._tokens for token in TOKEN.findall(text)) or any(
            int(alias) not in self._numbers for alias in ALIAS.findall(text)
        )

    def read(self, export: Mapping[str, Any]) -> dict[str, Any]:
        """A whole file as people read it.

        Each entry says whether it names somebody who is `gone`, and the `chain` after it.
        """
        entries, chain = [], EMPTY_CHAIN
        for entry in export["entries"]:
            chain = link(chain, entry)
            read = {name: self.value(value) for name, value in entry.items()}
            entries.append(read | {"gone": self.is_gone(entry), "chain": chain})
        self._must_occur(export["entries"])
        return {**export, "encounter": self.value(export["encounter"]), "entries": entries}

    def _must_occur(self, entries: Sequence[Mapping[str, Any]]) -> None:
        """Raises NotTheirs for whom no entry names."""
        there = {mark for entry in entries for value in entry.values() for mark in MARKS.findall(str(value))}
        said = {*self._tokens, *map(str, self._numbers)}
        if said - there - {str(alias) for alias in self._besides}:
            raise NotTheirs("Somebody is named whom no entry names.")
