"""How messages read as text and as JSON, made by hand, without server or bot."""

import json
import re
import time
from pathlib import Path

import pytest

from bot.local import record
from bot.local.album import Album
from bot.local.feed import collapsed
from bot.local.render import event_lines, field_line, message_lines
from bot.local.seen import LOADING, AttachedFile, Event, EventKind, Message, Modal, User
from bot.local.words import Names, plain

BOT = User(100000000000000001, "adjutant", "Adjutant", bot=True)
ANNA = User(100000000000000002, "anna", "Anna")
TABLE = User(200000000000000001, "table", "table")
MESSAGE_ID = 300000000000000007


def names() -> Names:
    return Names({BOT.id: BOT, ANNA.id: ANNA}, {TABLE.id: TABLE})


def message(content: str = "", **more: object) -> Message:
    number = more.pop("id", MESSAGE_ID)
    return Message(number, TABLE.id, BOT, content, **more)  # type: ignore[arg-type]


def event(kind: EventKind, shown: Message | None = None, **more: object) -> Event:
    only_for = shown.only_for if shown else None
    return Event(kind, 0.0, TABLE.id, shown, **{"only_for": only_for, **more})  # type: ignore[arg-type]


def button(label: str, custom_id: str, **more: object) -> dict[str, object]:
    return {"type": 2, "style": 2, "label": label, "custom_id": custom_id, **more}


ROW = {
    "type": 1,
    "components": [
        button("Draw", "draw"),
        button("Pass", "pass"),
        button("Undo", "undo", disabled=True),
        {"type": 2, "style": 5, "label": "Rules", "url": "https://rules.example"},
    ],
}
MENU = {
    "type": 1,
    "components": [
        {
            "type": 3,
            "custom_id": f"target:{MESSAGE_ID}",
            "placeholder": "Choose targets",
            "max_values": 2,
            "options": [
                {"label": "Sally", "value": "1", "description": "2/3"},
                {"label": "Skip", "value": "2", "default": True},
            ],
        }
    ],
}


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("**Sally** hits _Skip_", "Sally hits Skip"),
        ("# Turn 3\n-# small print", "Turn 3\nsmall print"),
        ("```\nAGL 2D+3 vs 8\n  *pistol*\n```\nafter", "AGL 2D+3 vs 8\n  *pistol*\nafter"),
        ("`a_b_c` and 2 * 3 * 4", "a_b_c and 2 * 3 * 4"),
        ("**`s*4*` stands _not_ here**", "s*4* stands not here"),
        ("~~7 undone~~", "~~7 undone~~"),
        ("[book](https://x.example/y)", "book (https://x.example/y)"),
        (r"\*not bold\*", "*not bold*"),
        ("snake_case_name stays", "snake_case_name stays"),
        ("||hidden||", "||hidden||"),
    ],
)
def test_markdown_becomes_words(markdown: str, text: str) -> None:
    assert plain(markdown) == text


def test_a_person_at_a_terminal_is_told_the_time_by_the_clock() -> None:
    known = names()
    assert known.plain("It ends <t:1700000000:R>.") == "It ends <time>."
    known.tells_time = True
    assert re.fullmatch(r"It ends 1[45] November 2023, \d\d:\d\d\.", known.plain("It ends <t:1700000000:R>."))
    assert re.fullmatch(r"at \d\d:\d\d:\d\d", known.plain(f"<t:{int(time.time())}:R>"))


def test_volatile_values_get_stable_stand_ins() -> None:
    known = names()
    text = f"<@{ANNA.id}> in <#{TABLE.id}>, </bag draw:{MESSAGE_ID}>, <t:1700000000:R>, <:die:{MESSAGE_ID}>"
    assert known.stable(text) == "@anna in #table, /bag draw, <time>, :die:"
    assert known.stable(f"x:{MESSAGE_ID}:{ANNA.id}:4") == "x:<1>:anna:4"
    assert known.stable("400000000000000000") == "<2>"
    assert known.stable(str(MESSAGE_ID)) == "<1>"
    assert known.stable(f"1d7fa{MESSAGE_ID}af0e") == f"1d7fa{MESSAGE_ID}af0e", (
        "digits of a hash are no number"
    )
    assert known.stable("http://127.0.0.1:4711/cdn/5/odds.png?ex=1") == "attachment://odds.png"


def test_digits_within_a_hash_are_no_id() -> None:
    known = names()
    head = "63682e44cb2397723f5619d57f3ab" + "40000000000000000" + "ba88afe9b8791e2091"
    assert len(head) == 64
    assert known.stable(f"`{head}`") == f"`{head}`"


def test_a_message_reads_text_embed_file_buttons() -> None:
    shown = message(
        "Sally hits",
        embeds=(
            {
                "title": "**Dice**",
                "description": "10 -> 13 hit",
                "fields": [
                    {"name": "Shield", "value": "2D vs 4"},
                    {"name": "Why", "value": "short range\nno cover"},
                ],
                "footer": {"text": "entry 42"},
            },
        ),
        attachments=(
            AttachedFile(1, "odds.png", b"png", "http://127.0.0.1:1/odds.png", "image/png", "34% none"),
            AttachedFile(2, "log.txt", b"log", "http://127.0.0.1:1/log.txt", "text/plain"),
        ),
        components=(ROW, MENU),
    )
    assert message_lines(shown, names(), {"draw": 1, "pass": 2, f"target:{MESSAGE_ID}": 3}) == [
        "Sally hits",
        "Dice",
        "10 -> 13 hit",
        "Shield: 2D vs 4",
        "Why",
        "short range",
        "no cover",
        "entry 42",
        "(picture odds.png: 34% none)",
        "(file log.txt)",
        "[1] Draw  [2] Pass  [-] Undo (off)",
        "Rules: https://rules.example",
        "[3] Choose targets (1 to 2)",
        "    1 Sally: 2/3",
        "    2 Skip (chosen)",
    ]


def test_components_v2_read_in_their_order() -> None:
    shown = message(
        components=(
            {
                "type": 17,
                "components": [
                    {"type": 10, "content": "# Panel"},
                    {
                        "type": 9,
                        "components": [{"type": 10, "content": "Bag 9"}],
                        "accessory": button("Draw", "draw"),
                    },
                    {"type": 14},
                    {
                        "type": 12,
                        "items": [{"media": {"url": "attachment://map.png"}, "description": "the table"}],
                    },
                    ROW,
                ],
            },
        ),
        attachments=(AttachedFile(1, "map.png", b"png", "http://127.0.0.1:1/map.png", "image/png"),),
    )
    assert message_lines(shown, names(), {"draw": 1, "pass": 2})[:6] == [
        "Panel",
        "Bag 9",
        "[1] Draw",
        "--",
        "(picture map.png: the table)",
        "[1] Draw  [2] Pass  [-] Undo (off)",
    ]


def test_heads_say_who_sees_it_where_and_that_it_changed() -> None:
    private = event(EventKind.MESSAGE, message("no", only_for=ANNA.id))
    assert event_lines(private, names(), {}, TABLE.id) == ["(only anna sees this)", "no"]
    panel = message("Bag 8", components=(ROW,))
    changed = event(EventKind.EDIT, panel, before=message("Bag 9"))
    assert event_lines(changed, names(), {}, TABLE.id)[0] == "panel changed:"
    assert event_lines(changed, names(), {}, 7)[0] == "in #table: panel changed:"
    gone = event(EventKind.DELETE, None, before=message("Bag 8\nmore"))
    assert event_lines(gone, names(), {}, TABLE.id) == ["message deleted:", "Bag 8"]
    silent = event(EventKind.UNANSWERED, only_for=ANNA.id)
    assert event_lines(silent, names(), {}, TABLE.id) == [
        "(only anna sees this)",
        "The application did not respond.",
    ]


def modal() -> Modal:
    inputs = (
        {
            "type": 1,
            "components": [{"type": 4, "custom_id": "faces", "label": "Faces", "placeholder": "10 2"}],
        },
        {
            "type": 18,
            "label": "Reason",
            "component": {"type": 4, "custom_id": "why", "required": False, "value": "a"},
        },
    )
    return Modal(1, TABLE.id, ANNA.id, f"form:{MESSAGE_ID}", "Real dice", inputs)


def test_a_form_names_its_fields() -> None:
    opened = event(EventKind.MODAL, modal=modal(), only_for=ANNA.id)
    assert event_lines(opened, names(), {}, TABLE.id) == [
        "(only anna sees this)",
        "form: Real dice",
        "  Faces (10 2)",
        "  Reason (optional; now a)",
    ]
    assert field_line(modal().fields[0]) == "Faces (10 2)"


def test_one_outcome_shows_each_message_once_new_before_changed() -> None:
    loading = message("", id=5, flags=LOADING)
    late = message("here", id=5)
    old, newer, newest = (message(text, id=3) for text in ("one", "two", "three"))
    events = [
        event(EventKind.EDIT, newer, before=old),
        event(EventKind.THINKING, loading),
        event(EventKind.EDIT, late, before=loading),
        event(EventKind.EDIT, newest, before=newer),
        event(EventKind.MESSAGE, message("brief", id=6)),
        event(EventKind.DELETE, None, before=message("brief", id=6)),
        event(EventKind.EDIT, message("same", id=4), before=message("same", id=4)),
    ]
    first, second = collapsed(events)
    assert (first.kind, first.message) == (EventKind.MESSAGE, late)
    assert (second.kind, second.message, second.before) == (EventKind.EDIT, newest, old)


def test_an_edit_that_is_taken_back_is_no_news() -> None:
    one, two = message("one"), message("two")
    assert collapsed([event(EventKind.EDIT, two, before=one), event(EventKind.EDIT, one, before=two)]) == []


def test_json_holds_everything_and_no_raw_id() -> None:
    shown = message(
        f"<@{ANNA.id}> draws",
        embeds=({"title": "T", "color": 5, "image": {"url": "http://127.0.0.1:9/cdn/odds.png"}},),
        attachments=(AttachedFile(1, "odds.png", b"1234", "http://x", "image/png", "odds"),),
        components=(ROW, MENU),
        only_for=ANNA.id,
    )
    made = record.reply(event(EventKind.MESSAGE, shown), names())
    assert made["seen_by"] == "anna"
    assert made["channel"] == "table"
    assert made["message"] == "<1>"
    assert made["text"] == "@anna draws"
    assert made["embeds"] == [{"title": "T", "image": "attachment://odds.png", "color": 5}]
    assert made["buttons"][0] == {"label": "Draw", "id": "draw", "disabled": False}
    assert made["buttons"][2]["disabled"] is True
    assert made["buttons"][3] == {"label": "Rules", "url": "https://rules.example", "disabled": False}
    assert made["menus"][0]["id"] == "target:<1>"
    assert made["menus"][0]["options"][0] == {"label": "Sally", "value": "1"}
    assert made["files"] == [{"name": "odds.png", "size": 4, "alt": "odds"}]
    assert str(MESSAGE_ID) not in json.dumps(made)
    form = record.reply(event(EventKind.MODAL, modal=modal(), only_for=ANNA.id), names())["form"]
    assert form["id"] == "form:<1>"
    assert form["fields"][1] == {"label": "Reason", "id": "why", "required": False, "value": "a"}


def test_the_album_never_overwrites_nor_leaves_its_folder(tmp_path: Path) -> None:
    album = Album(tmp_path / "pictures")
    one = AttachedFile(1, "odds.png", b"one", "")
    two = AttachedFile(2, "odds.png", b"two", "")
    sly = AttachedFile(3, "../../odds.png", b"three", "")
    assert [Path(album.place(file)).name for file in (one, two, sly, one)] == [
        "odds.png",
        "odds-2.png",
        "odds-3.png",
        "odds.png",
    ]
    assert {path.parent for path in tmp_path.rglob("*.png")} == {tmp_path / "pictures"}
