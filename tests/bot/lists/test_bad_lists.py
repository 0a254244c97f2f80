"""What is handed in to do harm, or is no list: one sentence, nothing kept, bounded work."""

from __future__ import annotations

import io
import zipfile

import pytest

from bot.lists.files import MAX_BYTES
from bot.lists.reader import read_file, read_text
from bot.store.rows import CrewRow, MemberRow
from bot.table.bringing.list_import import FillModel, KeepList, NameList, TakeModel
from bot.table.rosters.crews import ImportCrew
from rules.refusals import InvalidInput
from tests.bot.tables import Table

NAMESPACE = 'xmlns="http://www.battlescribe.net/schema/rosterSchema"'
LAUGHS = "".join(f'<!ENTITY l{place} "{f"&l{place - 1};" * 10}">' for place in range(1, 10))


def zipped(**files: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in files.items():
            packed.writestr(name.replace("_", "."), data)
    return stream.getvalue()


def nested(depth: int) -> bytes:
    inside = "<selections><selection name='A' number='1' type='model'>" * depth
    return f"<roster {NAMESPACE}><forces><force>{inside}".encode() + (
        b"</selection></selections>" * depth + b"</force></forces></roster>"
    )


BAD = {
    "nothing": (b"", "empty"),
    "blanks": (b" \n\t\n ", "No list"),
    "2 MB of one line": (b"x" * 2_000_000, "at most 500 kB"),
    "half a MB of one line": (b"x" * (MAX_BYTES - 1), "at most 1000 characters"),
    "half a MB of commas": (b"," * (MAX_BYTES - 1), "at most 1000 characters"),
    "a table without end": (b"Name;Qty\n" + b"Sally Starfield;1\n" * 5_000, "at most 200 entries"),
    "equipment without end": (
        b"Sally with a b, c d, e f, g h, i j\n" * 150,
        "at most 600 pieces of equipment",
    ),
    "lines without end": (b"Sally\n" * 20_000, "at most 1000 lines"),
    "a thousand models": (b"Sally\n" * 900, "at most 200 entries"),
    "a zip bomb": (zipped(a_ros=b"<" * 20_000_000), "at most 2 MB when unpacked"),
    "a zip of many": (zipped(a_ros=b"a", b_ros=b"b"), "exactly one list"),
    "a zip of a zip": (zipped(a_zip=zipped(a_ros=b"a")), "isn't text"),
    "a damaged zip": (b"PK\x03\x04 and no more", "damaged"),
    "an office document": (
        zipped(mimetype=b"application/vnd.oasis.opendocument.text"),
        "as CSV or plain text",
    ),
    "a picture": (b"\x89PNG\r\n\x1a\n0000", "a picture"),
    "a PDF": (b"%PDF-1.7", "a PDF"),
    "a code of another program": (b"axYKbmVwdHVuZQ5WYW5ndWFyZIEsAQEBAAA", "Paste the list as text"),
    "a link": (b"https://example.org/army/list/12345", "Paste the list as text"),
    "a rich text": (b"{\\rtf1 Sally}", "a rich text document"),
    "a program": (b"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x01\x02\xff\xfe\x00", "isn't text"),
    "billion laughs": (
        f'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY l0 "ha">{LAUGHS}]><roster>&l9;</roster>'.encode(),
        "has a DOCTYPE",
    ),
    "an external entity": (
        b'<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]><roster name="&e;"/>',
        "has a DOCTYPE",
    ),
    "deep XML": (nested(2_000), "nested too deeply"),
    "XML of another kind": (b"<rss><channel/></rss>", "Send a BattleScribe or New Recruit roster"),
    "a page of tags alone": (b"<ul>" * 100_000, "page is too large"),
    "a page whose tags never end": (b"<ul>" + b"<a " * 150_000, "at most 1000 characters"),
    "damaged XML": (b"<roster><forces></roster>", "damaged"),
    "deep JSON": (b'{"a":' * 5_000 + b"1" + b"}" * 5_000, "nested too deeply"),
    "damaged JSON": (b'{"roster": {"forces": [}}', "damaged"),
    "JSON of another kind": (b'{"answer": 42}', "list of models"),
    "JSON of hostile kinds": (
        b'{"format":"adjutant-list","form":1,"title":[],"entries":[7],"traits":{},"unread":[]}',
        "list of models",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_list_gets_one_sentence(name: str) -> None:
    data, why = BAD[name]
    with pytest.raises(InvalidInput) as refused:
        read_file(data)
    assert why in refused.value.sentence
    assert "\n" not in refused.value.sentence
    assert len(refused.value.sentence) < 160


async def test_of_a_refused_list_nothing_is_kept(table: Table) -> None:
    await table.refused("anna", ImportCrew("?!"))
    await table.refused("anna", ImportCrew('{"roster": {"forces": [}}'))
    assert not table.state()["crews"]
    assert not table.state()["members"]


HARM = "<@1> @everyone **Sally** \u202eevil\u200b <#5> `x` ||s|| [a](http://b.c)"


async def test_names_neither_ping_nor_format_nor_turn_the_text(table: Table) -> None:
    text = (
        f'# {HARM} (58 pts)\nSally Starfield "{HARM[:38]}"\n{HARM}\n2x GDF Ranger, {HARM}\n- note: {HARM}\n'
    )
    shown = await table.done("anna", ImportCrew(text))
    while "Which model is " in shown.reply.text:
        shown = await table.press("anna", shown, "Leave this entry out")
    kept = await table.done("anna", KeepList(shown.scope))
    loaded = await table.desk.store.load(shown.scope)
    assert loaded is not None
    crew, members = loaded.book().get(CrewRow), loaded.book().all(MemberRow)
    assert crew is not None
    told = [shown.reply.text, kept.reply.text, crew.name, *(f"{one.name} {one.note}" for one in members)]
    for words in told:
        assert not set("*`|<@[]\u202e\u200b") & set(words), words


async def test_each_step_is_undone_and_nothing_half_is_kept(table: Table) -> None:
    shown = await table.done("anna", ImportCrew("Sally Starfield (leader)\nZorblax\n2x GDF Ranger"))
    assert "First choose a statblock for Zorblax." in await table.refused("anna", KeepList(shown.scope))
    assert not table.state()["members"]
    assert "isn't a model in this game" in await table.refused("anna", TakeModel(shown.scope, 1, "Angus"))
    assert "Choose one of the models" in await table.refused("anna", TakeModel(shown.scope, 9, "Smap"))
    assert await table.refused("anna", FillModel(shown.scope, 1, "rubbish: 1"))
    assert await table.refused("anna", NameList(shown.scope, "*"))
    taken = await table.done("anna", TakeModel(shown.scope, 1, "Smap"))
    assert "Smap: 31 points (you wrote Zorblax)" in taken.reply.text
    kept = await table.done("anna", KeepList(shown.scope))
    assert len(table.state()["members"]) == 4
    assert "already" in await table.refused("anna", KeepList(shown.scope))
    undone = await table.press("anna", kept, "Undo")
    assert undone.changed
    assert not table.state()["members"]


async def test_a_list_is_its_owners_alone(table: Table) -> None:
    shown = await table.done("anna", ImportCrew("Sally Starfield\n2x GDF Ranger"))
    for action in (KeepList(shown.scope), NameList(shown.scope, "Mine"), TakeModel(shown.scope, 0)):
        assert "Only the person who imported this list" in await table.refused("bo", action)


@pytest.mark.parametrize(
    "text",
    [
        "a" * 900 + " (1)",
        "(" * 900,
        "x " * 450,
        "1x" * 400,
        "- " * 450,
        "A " * 400 + "a",
        "[" * 400 + "]" * 400,
        "~" * 900 + "a",
        "# " * 450,
        "a: " * 300,
        "( [" * 300,
        "\u2018" * 900,
    ],
)
def test_no_line_takes_long(text: str) -> None:
    """A pattern that goes back and forth would not end within the limit that every test has."""
    lines = "\n".join([text] * 150)
    for written in (lines, lines.replace(" ", "\t"), f"GROUP 1\n{lines}\n(0 | 5)"):
        try:
            read_text(written)
        except InvalidInput:
            continue
