"""Text that people type, in every option of every command and every form: no screen suffers by it."""

from __future__ import annotations

import logging
import re
import unicodedata
from collections.abc import Iterator
from itertools import zip_longest

import pytest
from discord import AppCommandOptionType

from bot.app import ALL_GAMES
from bot.panels.typed import cleaned_blank
from bot.replies.fit import fit_text
from bot.replies.reply import FORMS
from bot.table.game import game_of
from bot.table.names import make_harmless, remove_invisible
from bot.table.rolling.rolls import Roll
from tests.bot.house import House
from tests.bot.tables import Table
from tests.bot.typist import Command, Said, commands, unbolded
from tests.conformance.test_answers import Sweeper, at_the_table
from tests.games import words_of

SYSTEMS = [game.key for game in ALL_GAMES]

MARKS = (
    "zq**b**zq__u__zq~~s~~zq||h||zq`c`zq```f```zq@everyone zq@here zq<@1>zq<#2>zq<:x:3>zq"
    "[l](https://a.b)zq\\zqe"
)
HIDDEN = "zq\ud800zq\udc00\x00zq\x1b[31mzq\u202ezq\u2066zq\u200bzq\u2060zq\ufeffzq\u3164zqe" + "\u0301" * 100
BOTH = "".join(
    f"zq{hidden}zq{mark}"
    for hidden, mark in zip_longest(HIDDEN.split("zq")[1:], MARKS.split("zq")[1:], fillvalue="")
)
"""Marks and hidden letters in turn, each as far as to be seen by itself where it came through."""

LONG = "zq" + "x" * 5998
SHOWING = ("show", "status", "list", "log", "now", "score", "settings")
HOSTILE = (MARKS, HIDDEN, LONG)

FORMATTED = re.compile(r"zq[*_~`|\\]|@(everyone|here)|<[@#:]|\]\(http")
FENCED = re.compile(r"```\n.*?\n```|`[^`\n]+`", re.DOTALL)
MAX_RUN_LENGTH = re.compile(r"x{220}")


def text_options(command: Command) -> Iterator[str]:
    for part in command.parameters:
        if part.type is AppCommandOptionType.string and not part.choices:
            yield part.display_name


def harm(text: str) -> str:
    """What of a text that is shown could harm, or nothing."""
    open_text = FENCED.sub("", text)
    if "```" in open_text:
        return "a code block is open"
    if found := FORMATTED.search(open_text):
        return f"{found[0]!r} formats"
    if MAX_RUN_LENGTH.search(text):
        return "fills the screen"
    for letter in text:
        if letter != "\n" and unicodedata.category(letter)[0] == "C":
            return f"{letter!r} is hidden"
    if "\u0301" * 6 in unicodedata.normalize("NFD", text):
        return "accents are heaped"
    return ""


def harms(said: list[Said]) -> list[str]:
    """What of messages could harm as they were sent: fences hold what stands in them, the eye sees none."""
    texts = [text for one in said for text in (unbolded(one.raw or one.content), *one.labels)]
    return [f"{found}: {text[:200]!r}" for text in texts if (found := harm(text))]


def test_the_hostile_texts_are_hostile() -> None:
    for text in (*HOSTILE, BOTH):
        assert harm(text)
    assert all(one in BOTH for one in (*MARKS.split("zq"), *HIDDEN.split("zq")))
    assert not harm("**Lancers**, 2 points\n```\nz* q\n```\n`ab` ~~undone~~ it's -1 at [2]")


@pytest.mark.parametrize("text", HOSTILE, ids=["marks", "hidden", "long"])
def test_the_door_takes_what_harms(text: str) -> None:
    assert harm(make_harmless(text)) in ("", "fills the screen")
    assert not any(
        unicodedata.category(letter)[0] == "C" for letter in remove_invisible(text).replace("\n", "")
    )
    remove_invisible(text).encode()


def test_the_door_leaves_what_people_mean() -> None:
    for text in (
        "Sally>Smap 2",
        "4d10[anna]+1 vs 7 # it's **mine**",
        'name: Vale\n{"a": [1]}',
        "heat_or_cold",
    ):
        assert remove_invisible(text) == text
    for text in ("heat_or_cold", "-1 to hit, +2 AV; O'Neill & co. (100%)", "Edo=2, 3,4-6,4", "ÅÄÖ 李 😀 é"):
        assert make_harmless(text) == text


def test_every_form_goes_through_the_door() -> None:
    for key, form in FORMS.items():
        for blank in form.blanks:
            text = cleaned_blank(key, blank.name, MARKS + HIDDEN)
            assert "\ud800" not in text
            assert blank.as_typed or not harm(text), f"{key} {blank.name}"
            assert blank.as_typed or not blank.lines, f"{key} {blank.name} would lose its lines"
    assert harm(cleaned_blank("a form of an older version", "text", MARKS)) == ""


@pytest.mark.usefixtures("few_weighed", "odds_solved_once", "pictures_without_files")
@pytest.mark.parametrize("stage", ["nothing", "demo", "acting"])
@pytest.mark.parametrize("system", SYSTEMS)
async def test_no_reply_repeats_what_could_harm(
    table: Table, caplog: pytest.LogCaptureFixture, system: str, stage: str
) -> None:
    """What fills the screen is typed once in each option: in a game's own where somebody acts."""
    caplog.set_level(logging.ERROR)
    sweeper = Sweeper(table, caplog)
    await sweeper.stage(stage, system)
    mine = words_of(system)
    found: list[str] = []
    everything = at_the_table(system, stage, once="demo")
    shows = [one for one in everything if not any(part.required for part in one.parameters)]
    shows = [one for one in shows if one.name in SHOWING]
    for command in everything:
        own = command.qualified_name.split()[0] in mine
        if stage != "demo" and not own:
            continue
        if any(part.type.name in ("attachment", "user") and part.required for part in command.parameters):
            continue
        given = await sweeper.filled(command)
        for option in text_options(command):
            for text in (BOTH, LONG) if stage == ("acting" if own else "demo") else (BOTH,):
                shown = f"/{command.qualified_name} {option}: {text[:12]!r}"
                before = await sweeper.tip()
                said = await sweeper.type(command, undo=False, **{**given, option: text})
                if await sweeper.tip() != before:
                    for show in shows:
                        said += await sweeper.type(show, undo=False)
                    encounter = await table.encounter()
                    said.append(Said(fit_text(game_of(encounter).panel(encounter).lines), private=False))
                    await sweeper.back_to(before)
                found += [f"{shown}: {harm}" for harm in harms(said)]
    assert not found
    assert not sweeper.faults


ENDLESS = "9" * 5000
"""A number of more digits than Python reads."""


@pytest.mark.usefixtures("few_weighed", "odds_solved_once", "pictures_without_files")
@pytest.mark.parametrize("system", SYSTEMS)
async def test_a_number_without_end_is_answered_with_words(
    table: Table, caplog: pytest.LogCaptureFixture, system: str
) -> None:
    """A model, squad, place, channel or count of so many digits is nobody's, nor is one with two minuses."""
    caplog.set_level(logging.ERROR)
    sweeper = Sweeper(table, caplog)
    await sweeper.stage("acting", system)
    for command in at_the_table(system, "acting"):
        if system != SYSTEMS[0] and command.qualified_name.split()[0] not in words_of(system):
            continue
        if any(part.type.name in ("attachment", "user") and part.required for part in command.parameters):
            continue
        given = await sweeper.filled(command)
        for option in text_options(command):
            for text in (ENDLESS, f"#{ENDLESS}", f"@{ENDLESS}", f"#{ENDLESS[:25]}", "--45"):
                await sweeper.type(command, **{**given, option: text})
    assert not [one[-200:] for one in sweeper.faults]


def test_all_options_are_looked_at() -> None:
    assert sum(len(list(text_options(command))) for command in commands()) > 400


@pytest.mark.parametrize(
    "typed",
    [
        f"2d6 # {MARKS}",
        f"2d6 # {HIDDEN}",
        f"2d6 [{MARKS}]",
        f"2d6 [{HIDDEN}]",
        f"2d6 ``` {MARKS}",
        "2d6 [zq**b**]+1d8 [zq__u__] # zq`c`",
    ],
)
async def test_what_is_written_beside_dice_is_harmless(table: Table, typed: str) -> None:
    for action in (Roll(remove_invisible(typed)), Roll(remove_invisible(typed), odds=True)):
        answer = await table.do("anna", action)
        for text in ("\n".join(answer.reply.lines), "\n".join(answer.reply.why)):
            assert not harm(text), text


async def test_text_is_cleaned_on_its_way_through_the_whole_bot(house: House) -> None:
    await house.slash("demo")
    said = await house.slash("model note", model="Smap", text=MARKS + " \ud800\u202e")
    assert said.content.startswith("Smap: zqbzquzqszqhzq")
    assert not harm(said.content)
    refused = await house.slash("model damage", model="\ud800**Nobody**")
    assert "no model called Nobody." in refused.content
    found = await house.anna.autocomplete("model damage", {"model": "\ud800Ski"}, focused="model")
    assert [choice.name for choice in found] == ["Skip Westmoreland"]


COLONEL = (
    "Voss Two\nCC 10 RC 11 PW 0 LD 15 AC 3 WD 3 ST 6 MV 4 SZ 2 AR 23\nfoot, individual, commander\n"
    "weapon Pistol: DM 11, ROF 2, PB +2, SR +0\nweapon Sabre: DM 8, ROF 1, close"
)
COLONEL_JSON = (
    '{"name": "Voss Two", "CC": 10, "RC": 11, "PW": 0, "LD": 15, "AC": 3, "WD": 3, "ST": 6, "MV": 4,'
    ' "SZ": 2, "AR": 23, "traits": ["individual"], "weapons":'
    ' [{"name": "Pistol", "DM": 11, "ROF": 2, "bands": {"PB": 2}}]}'
)
ILKA = (
    "Ilka Two\nSize 2, Mind 3, Health 3, Body 2, Shield 1, Speed 7, CP 2\n"
    "Weapon: Saber, Reach 2, Power 4, Accuracy 2, Health 2, melee"
)
ILKA_JSON = (
    '{"name": "Ilka Two", "size": 2, "mind": 3, "health": 3, "body": 2, "shield": 1, "speed": 7, "cp": 2,'
    ' "weapons": [{"name": "Saber", "reach": 2, "power": 4, "accuracy": 2, "health": 2, "melee": true}],'
    ' "items": []}'
)
VALE = (
    "name: Vale Two\nrank: figure\nsize: 4\nmove: 6\ncapacity: 12\nbuild: 14\n"
    "traits: cast 0, def 5, fight 4, manv 5, shoot 5\nskill: Notice [+]\n"
    "weapon: 5 // Carbine // [+] // Range 24 // 3 M vs dp"
)
ANGUS = (
    "Angus Two: MOV 4-4, CC 13, BS 12, PH 10, WIP 13, ARM 1, BTS 0, W 1;"
    " Combi Rifle B3 DAM 13; Skills Sixth Sense L1"
)
GRAK = (
    "Grak; lackey beast, base M, 20 points; Mv 6, STR 3D+1, AGL 2D, INT 1D; Def 8, Life 2, Shield 1;"
    " features: Brave; weapons: Pulsar Rifle, Claws (natural, melee, reach 1, Pwr 5)"
)
GRAK_JSON = (
    '{"name": "Grak", "rank": "lackey", "types": ["beast"], "size": ["M"], "mv": 6, "strength": "3D+1",'
    ' "agility": "2D", "intellect": "1D", "defense": 8, "life": 2, "points": 20, "weapons": ["own_claws"],'
    ' "arms": [{"name": "Claws", "group": "natural", "deliveries": ["melee"], "melee": true, "power": 5}]}'
)
CREW = "Crew: The Others\nGame: counterblast\n\nMember: Thulle\n  from: Thulle\n  points: 35\n  note: brave\n"
CREW_JSON = (
    '{"format": "adjutant-crew", "game": "counterblast", "name": "The Others", "traits": {}, "version": 1,'
    ' "members": [{"leader": false, "name": "Thulle", "note": "brave", "points": 35,'
    ' "profile": {"block": "thulle"}}]}'
)
NOTATIONS = [
    ("warzone", "wz model add", "text", COLONEL, ("Voss Two", "Pistol", "foot", "DM 11")),
    ("warzone", "wz model add", "text", COLONEL_JSON, ("Voss Two", "Pistol", "individual", '"AR"')),
    ("soluna", "sol model add", "profile", ILKA, ("Ilka Two", "Saber", "melee", "Reach 2")),
    ("soluna", "sol model add", "profile", ILKA_JSON, ("Ilka Two", "Saber", '"cp"')),
    ("fracd_earth", "fe figure add", "text", VALE, ("Vale Two", "Notice", "Carbine", "figure", "3 M vs dp")),
    ("infinity", "inf model add", "profile", ANGUS, ("Angus Two", "Combi Rifle", "Sixth Sense", "BS 12")),
    ("infinity", "inf model save", "text", ANGUS, ("Angus Two", "Combi Rifle", "Sixth Sense", "BS 12")),
    ("counterblast", "crew import", "text", CREW, ("The Others", "Thulle", "brave", "counterblast")),
    ("counterblast", "crew import", "text", CREW_JSON, ("The Others", "Thulle", "brave", "thulle")),
    ("counterblast", "crew own save", "text", GRAK, ("Grak", "Claws", "beast", "Brave", "reach 1")),
    ("counterblast", "crew own save", "text", GRAK_JSON, ("Grak", "Claws", "beast", "own_claws")),
    ("counterblast", "cb melee", "blows", "Smap>Trapper 2", ("Smap", "Trapper")),
]


@pytest.mark.parametrize(("system", "name", "option", "text", "words"), NOTATIONS)
async def test_no_notation_carries_harm_to_the_table(
    table: Table,
    caplog: pytest.LogCaptureFixture,
    system: str,
    name: str,
    option: str,
    text: str,
    words: tuple[str, ...],
) -> None:
    caplog.set_level(logging.ERROR)
    sweeper = Sweeper(table, caplog)
    await sweeper.stage("demo", system)
    typist, known = sweeper.typist, sweeper.typist.known
    shows = [known[one] for one in ("encounter status", "crew list", "inf model list", "log")]
    filled = {"name": "Somebody"} if name == "inf model save" else {}
    found: list[str] = []
    for hostile in ("", MARKS, "zq**b**zqe", "zq```zqe", "zq\ud800\u202e\u200bzqe", "zq`c`zqe"):
        for word in words:
            before = await sweeper.tip()
            typed = text.replace(word, word + hostile)
            said = await sweeper.type(known[name], undo=False, **{**filled, option: typed})
            taken = hostile or word != words[0] or name in ("cb melee", "crew import") or not said[0].private
            assert taken, said[0].content
            for show in shows:
                said += await sweeper.type(show, undo=False)
            encounter = await table.encounter()
            said.append(Said(fit_text(game_of(encounter).panel(encounter).lines), private=False))
            for model in encounter.models()[-1:]:
                for label in ("model show", "wz model export", "sol model write", "fe figure write"):
                    part = known[label].parameters[0].display_name
                    said += await typist.slash("anna", label, **{part: model.name})
            found += [f"{word}, {hostile[:9]!r}: {one}" for one in harms(said)]
            await sweeper.back_to(before)
    assert not found
    assert not sweeper.faults
