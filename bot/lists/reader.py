"""The one way in: bytes or text of any format become a neutral list, or a sentence why not."""

from __future__ import annotations

from bot.lists.entries import FORMAT, ReadList, from_json, require_little_equipment
from bot.lists.files import MAX_UNPACKED, text_of, tidy
from bot.lists.lines import read_lines
from bot.lists.own import is_crew_text, is_sheet_text, read_crew_text, read_own_json, read_sheet_text
from bot.lists.rosters import read_battlescribe, read_json
from bot.lists.tables import read_table
from bot.lists.web import is_html, lines_of_html
from rules.refusals import InvalidInput

EMPTY = "No list was found. Write one model per line, or send a file from a list builder."


def read_file(data: bytes) -> ReadList:
    """Read a list from the bytes of a file, whatever its name says. Raises InvalidInput."""
    return read_text(text_of(data))


def read_text(text: str) -> ReadList:
    """Read a list from text. Raises InvalidInput with a sentence for what is none."""
    if len(text) > MAX_UNPACKED:
        raise InvalidInput(
            f"Use a smaller file. A list can be at most {MAX_UNPACKED // 1_000_000} MB of text."
        )
    text = tidy(text).strip("\n")
    start = text.lstrip()[:1]
    if not start:
        raise InvalidInput(EMPTY)
    read_list = _read(text, start)
    if not read_list.entries:
        raise InvalidInput(EMPTY)
    require_little_equipment(read_list.entries)
    return read_list


def _read(text: str, start: str) -> ReadList:
    if start in "{[" and text.rstrip()[-1:] in "}]" and '"' in text:
        if f'"format":"{FORMAT}"' in text[:40]:
            return from_json(text)
        return read_own_json(text) or read_json(text)
    if is_html(text):
        return _read_plain(lines_of_html(text))
    if start == "<" and text.rstrip()[-1:] == ">":
        return read_battlescribe(text)
    if is_crew_text(text):
        return read_crew_text(text)
    if is_sheet_text(text):
        return read_sheet_text(text)
    return _read_plain(text)


def _read_plain(text: str) -> ReadList:
    return read_table(text) or read_lines(text)
