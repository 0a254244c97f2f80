"""Text from people: refused or made harmless, never able to ping, format or fill the screen."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.actions import Action
from bot.local.people import Person
from bot.table.asking.kinds import Offer
from bot.table.journal.history import Undo
from bot.table.names import MAX_NAME_LENGTH, check_name, find, find_free_name, plain, suggest_names
from bot.table.rolling.dice_settings import AddWords
from bot.table.rolling.rolls import Roll
from bot.table.rosters.crews import CreateCrew, RecruitMember
from bot.table.session.encounters import StartDemo, StartEncounter
from bot.table.session.models import AddCondition, DamageModel, NoteModel, RemoveModel, RenameModel
from bot.table.suggestions import fitting
from rules.refusals import InvalidInput
from tests.bot.house import House
from tests.bot.properties import examples
from tests.bot.tables import Table, all_lines

NASTY = [
    "@everyone",
    "<@1234567890123456789>",
    "<@&1234567890123456789>",
    "**bold** __under__ ~~struck~~ ||hidden||",
    "`code` ```block```",
    "a\nb\r\nc\x00\x1b[31md",
    "zero\u200bwidth\u2060joined\u202eright to left",
    "# a heading",
    "-# small",
    "> quoted",
    "- listed",
    "[a link](https://example.org)",
    "x" * 500,
    "é" * 6000,
    "\u3164\u3164",
    "𝕏" * 40,
    "",
    "   ",
    "\\",
]
FORBIDDEN = re.compile(r"[*_`|<>@\[\]\\{}\x00-\x1f\u200b\u2060\u202e\u3164]|~(?!~)")


@pytest.mark.parametrize("text", NASTY, ids=map(repr, range(len(NASTY))))
def test_names_are_safe_or_refused(text: str) -> None:
    try:
        name = check_name(text)
    except InvalidInput as refusal:
        name = refusal.sentence[:MAX_NAME_LENGTH]
    assert 1 <= len(name) <= MAX_NAME_LENGTH
    assert not FORBIDDEN.search(name)
    assert not name.startswith(("# ", "-# ", "- ", "#"))


@examples(400)
@given(st.text(max_size=300), st.integers(1, 60))
def test_plain_text_is_one_harmless_line(text: str, longest: int) -> None:
    said = plain(text, longest)
    assert len(said) <= longest
    assert not FORBIDDEN.search(said.replace("~~", ""))
    assert "~" not in said
    assert not any(unicodedata.category(letter)[0] == "C" for letter in said)
    assert said == said.strip()
    assert not re.match(r"(#{1,3}|-#|[-+]) ", said)
    assert plain(said, longest) == said


def test_plain_text_keeps_what_people_mean() -> None:
    assert (
        plain("-1 to hit, +2 AV; it's O'Neill & co. (100%)") == "-1 to hit, +2 AV; it's O'Neill & co. (100%)"
    )
    assert plain("  # Big   Ed ") == "Big Ed"


@examples(200)
@given(
    st.text("ab ", max_size=MAX_NAME_LENGTH), st.lists(st.text("ab 2", max_size=MAX_NAME_LENGTH), max_size=5)
)
def test_free_names_are_free(wanted: str, taken: list[str]) -> None:
    name = find_free_name(wanted, taken)
    assert name.casefold() not in {one.casefold() for one in taken}
    assert len(name) <= MAX_NAME_LENGTH


@pytest.mark.parametrize(
    ("wanted", "taken", "free"),
    [
        ("Tarn", ["tarn"], "Tarn 2"),
        ("Tarn 2", ["Tarn", "Tarn 2"], "Tarn 3"),
        ("Tarn 2", ["Tarn 2", "Tarn 3"], "Tarn 4"),
        ("Area 51", ["Area 51"], "Area 52"),
        ("Model 2000", ["Model 2000"], "Model 2000 2"),
    ],
)
def test_a_taken_name_with_a_number_gets_the_next(wanted: str, taken: list[str], free: str) -> None:
    assert find_free_name(wanted, taken) == free


def test_finding_by_name() -> None:
    names = ["Sally Starfield", "Skip", "Skipper", "Smap"]
    assert find("skip", names, str, "model") == "Skip"
    assert find(" SALLY ", names, str, "model") == "Sally Starfield"
    assert find("field", names, str, "model") == "Sally Starfield"
    for text, said in (
        ("s", "Which model"),
        ("Skop", "Did you mean Skip"),
        ("", "Which model"),
        (" \n", "Which model"),
        ("@everyone", "called everyone"),
    ):
        with pytest.raises(InvalidInput, match=said):
            find(text, names, str, "model")
    with pytest.raises(InvalidInput, match="no model here"):
        find("x", [], str, "model")
    with pytest.raises(InvalidInput) as refusal:
        find("y" * 6000, names * 30, str, "model")
    assert len(refusal.value.sentence) < 200


def test_suggestions_are_ranked_and_few() -> None:
    assert suggest_names("s", ["Ross", "Big Sam", "Sally"]) == ["Sally", "Big Sam", "Ross"]
    assert len(suggest_names("", map(str, range(99)))) == 25


def test_of_several_with_commas_the_last_is_suggested_and_a_comma_within_a_name_is_none() -> None:
    several = [Offer("Ross, Sally", "Ross, Sally"), Offer("Ross, Big Sam", "Ross, Big Sam")]
    assert [one.label for one in fitting("Ross, sa", several)] == ["Ross, Sally", "Ross, Big Sam"]
    alone = [Offer(name, name) for name in ("Sally", "Big Sam", "The Hon. Ross, Sally")]
    assert [one.label for one in fitting("ross, sa", alone)] == ["The Hon. Ross, Sally"]
    assert fitting("Nobody, sa", alone) == []


def asking(text: str) -> list[Action]:
    return [
        NoteModel("Smap", text),
        NoteModel(text, "note"),
        RenameModel("Smap", text),
        RenameModel(text, "Sam"),
        DamageModel(text),
        RemoveModel("Smap", text),
        AddCondition("Smap", text),
        AddWords(text),
        CreateCrew(text),
        CreateCrew("Fine", text),
        StartEncounter(text),
        StartEncounter("counterblast", name=text),
        StartDemo(text),
        Roll(text),
    ]


@pytest.mark.parametrize("typed", NASTY, ids=map(repr, range(len(NASTY))))
async def test_no_reply_repeats_what_could_harm(table: Table, typed: str) -> None:
    await table.done("anna", StartDemo())
    for action in asking(typed):
        answer = await table.do("anna", action)
        lines = all_lines(answer.reply)
        text = re.sub(r"```\n.*?\n```", "", "\n".join(lines), flags=re.DOTALL)
        assert len(text) < 2000
        assert not any("\n" in line for line in lines)
        for line in text.splitlines():
            assert not re.search(r"@(everyone|here)|<[@#:]", line), line
            assert not FORBIDDEN.search(re.sub(r"`[^`]*`", "", line).replace("~~", "")), line
        if answer.changed:
            await table.done("anna", Undo())


async def test_member_names_are_checked_too(table: Table) -> None:
    crew = (await table.done("anna", CreateCrew("The Fine"))).scope
    for text in NASTY:
        if text:
            answer = await table.do("anna", RecruitMember(crew, "smap", 1, text))
            assert not FORBIDDEN.search(" ".join(answer.reply.lines))
        await table.do("anna", RecruitMember(crew, text or "?"))


async def test_display_names_cannot_ping_or_format(house: House) -> None:
    nasty = house.server.person("nasty", "# @everyone **<@1>** `x`\u202e", admin=True)
    said = await house.slash("demo", nasty)
    assert said.pings == ()
    joined = await house.slash("encounter join", nasty)
    assert joined.content.startswith("everyone 1 x")


async def test_nothing_that_is_sent_may_ping(house: House) -> None:
    await house.slash("demo")
    note = "ping @everyone and <@1234567890123456789>"
    said = await house.slash("model note", model="Smap", text=note)
    await house.slash("model note", model="HOpR Bot", text=note)
    await house.slash("encounter status", bo(house))
    await house.panel()
    assert said.content.startswith("Smap: ping everyone and 1234567890123456789\n")
    bodies = [
        record.body.get("data", record.body)
        for record in house.server.requests
        if record.method in ("POST", "PATCH") and isinstance(record.body, dict)
    ]
    talking = [body for body in bodies if body.get("content") or body.get("embeds") or body.get("components")]
    assert len(talking) >= 4
    assert all(body["allowed_mentions"]["parse"] == [] for body in talking)
    assert all(message.pings == () for message in house.public)


def bo(house: House) -> Person:
    return house.bo
