"""What Discord refuses, as (name, form, where the error is reported) by kind of form."""

from __future__ import annotations

from typing import Any

Form = dict[str, Any]
Case = tuple[str, Any, str]


def command(**more: Any) -> Form:
    return {"name": "cmd", "description": "d", "type": 1, **more}


def option(name: str = "opt", kind: int = 3, **more: Any) -> Form:
    return {"name": name, "description": "d", "type": kind, **more}


def choices(count: int) -> list[Form]:
    return [{"name": f"c{each}", "value": f"v{each}"} for each in range(count)]


def with_option(**more: Any) -> list[Form]:
    return [command(options=[option(**more)])]


GROUP = option("g", 2, options=[option("s", 1)])

COMMANDS: list[Case] = [
    ("name: upper case", [command(name="Cmd")], "0.name"),
    ("name: space", [command(name="a b")], "0.name"),
    ("name: punctuation", [command(name="a!")], "0.name"),
    ("name: > 32", [command(name="a" * 33)], "0.name"),
    ("name: empty", [command(name="")], "0.name"),
    ("name: missing", [{"description": "d"}], "0.name"),
    ("description > 100", [command(description="d" * 101)], "0.description"),
    ("description empty", [command(description="")], "0.description"),
    ("option name: upper case", with_option(name="Opt"), "0.options.0.name"),
    ("option description > 100", with_option(description="d" * 101), "0.options.0.description"),
    ("option description empty", with_option(description=""), "0.options.0.description"),
    ("26 options", [command(options=[option(f"o{each}") for each in range(26)])], "0.options"),
    ("26 choices", with_option(choices=choices(26)), "0.options.0.choices"),
    (
        "choice name > 100",
        with_option(choices=[{"name": "n" * 101, "value": "v"}]),
        "0.options.0.choices.0.name",
    ),
    (
        "choice value > 100",
        with_option(choices=[{"name": "n", "value": "v" * 101}]),
        "0.options.0.choices.0.value",
    ),
    (
        "choice value wrong type",
        with_option(choices=[{"name": "n", "value": 3}]),
        "0.options.0.choices.0.value",
    ),
    (
        "number choice as text",
        with_option(kind=4, choices=[{"name": "n", "value": "3"}]),
        "0.options.0.choices.0.value",
    ),
    ("choice name twice", with_option(choices=[*choices(1), *choices(1)]), "0.options.0.choices.1.name"),
    ("choices and autocomplete", with_option(choices=choices(1), autocomplete=True), "0.options.0"),
    ("autocomplete of a person", with_option(kind=6, autocomplete=True), "0.options.0.autocomplete"),
    ("required after optional", [command(options=[option("a"), option("b", required=True)])], "0.options.1"),
    ("duplicate option name", [command(options=[option("a"), option("a")])], "0.options.1.name"),
    ("sub-command beside option", [command(options=[option("a", 1), option("b")])], "0.options"),
    (
        "group inside a group",
        [command(options=[option("g", 2, options=[GROUP])])],
        "0.options.0.options.0.type",
    ),
    ("unknown option type", with_option(kind=12), "0.options.0.type"),
    ("101 slash commands", [command(name=f"c{each}") for each in range(101)], ""),
    ("131 commands", [command(name=f"c{each}") for each in range(131)], ""),
    ("duplicate command name", [command(), command()], "1.name"),
    (
        "command > 8000 characters",
        [
            command(
                options=[
                    option(
                        f"o{each}",
                        choices=[{"name": "n" * 99 + str(c), "value": "v" * 100} for c in range(4)],
                    )
                    for each in range(10)
                ]
            )
        ],
        "0",
    ),
    ("min_length > 6000", with_option(min_length=6001), "0.options.0.min_length"),
    ("min_length > max_length", with_option(min_length=5, max_length=4), "0.options.0.min_length"),
    ("min_value > max_value", with_option(kind=4, min_value=5, max_value=4), "0.options.0.min_value"),
    ("min_value of a text", with_option(min_value=1), "0.options.0.min_value"),
    ("command type 9", [command(type=9)], "0.type"),
    ("menu with a description", [{"name": "Look", "type": 2, "description": "d"}], "0.description"),
    ("no list", {"name": "cmd"}, ""),
]


def button(**more: Any) -> Form:
    return {"type": 2, "style": 1, "label": "b", "custom_id": "b", **more}


def row(*components: Form) -> Form:
    return {"type": 1, "components": list(components)}


def buttons(*all_more: Form) -> Form:
    return {"content": "x", "components": [row(*(button(**each) for each in all_more))]}


def select(**more: Any) -> Form:
    menu = {
        "type": 3,
        "custom_id": "s",
        "options": [{"label": "a", "value": "a"}, {"label": "b", "value": "b"}],
    }
    return {"content": "x", "components": [row({**menu, **more})]}


def embed(**more: Any) -> Form:
    return {"embeds": [{"description": "d", **more}]}


def layout(*components: Form, **more: Any) -> Form:
    return {"flags": 1 << 15, "components": list(components), **more}


def text(content: str = "t") -> Form:
    return {"type": 10, "content": content}


def section(count: int) -> Form:
    return {"type": 9, "components": [text()] * count, "accessory": button()}


_E = "embeds.0"
_B = "components.0.components.0"

MESSAGES: list[Case] = [
    ("content > 2000", {"content": "x" * 2001}, "content"),
    ("content > 4000", {"content": "x" * 4001}, "content"),
    ("content a number", {"content": 5}, "content"),
    ("empty message", {}, "50006"),
    ("empty content", {"content": ""}, "50006"),
    ("11 embeds", {"embeds": [{"title": "t"}] * 11}, "embeds"),
    ("empty embed", {"embeds": [{}]}, "embeds.0.description"),
    ("embed title > 256", embed(title="t" * 257), f"{_E}.title"),
    ("embed description > 4096", embed(description="d" * 4097), f"{_E}.description"),
    ("26 embed fields", embed(fields=[{"name": "n", "value": "v"}] * 26), f"{_E}.fields"),
    ("embed field name empty", embed(fields=[{"name": "", "value": "v"}]), f"{_E}.fields.0.name"),
    ("embed field value blank", embed(fields=[{"name": "n", "value": "  "}]), f"{_E}.fields.0.value"),
    ("embed field name > 256", embed(fields=[{"name": "n" * 257, "value": "v"}]), f"{_E}.fields.0.name"),
    ("embed field value > 1024", embed(fields=[{"name": "n", "value": "v" * 1025}]), f"{_E}.fields.0.value"),
    ("embed footer > 2048", embed(footer={"text": "f" * 2049}), f"{_E}.footer.text"),
    ("embed author > 256", embed(author={"name": "a" * 257}), f"{_E}.author.name"),
    ("embeds > 6000 in all", {"embeds": [{"description": "d" * 3001}] * 2}, "embeds"),
    ("embed colour", embed(color=0x1000000), f"{_E}.color"),
    ("embed url not a URL", embed(url="nowhere"), f"{_E}.url"),
    ("embed image not a URL", embed(image={"url": "ftp://a/b"}), f"{_E}.image.url"),
    ("custom_id > 100", buttons({"custom_id": "c" * 101}), f"{_B}.custom_id"),
    ("custom_id empty", buttons({"custom_id": ""}), f"{_B}.custom_id"),
    ("custom_id twice", buttons({}, {}), "components"),
    ("button without custom_id", buttons({"custom_id": None}), f"{_B}.custom_id"),
    ("link button with custom_id", buttons({"style": 5, "url": "https://a.b"}), _B),
    ("link button without url", buttons({"style": 5, "custom_id": None}), f"{_B}.url"),
    ("plain button with url", buttons({"url": "https://a.b"}), f"{_B}.url"),
    ("button style 9", buttons({"style": 9}), f"{_B}.style"),
    ("button label > 80", buttons({"label": "l" * 81}), f"{_B}.label"),
    ("button without label and emoji", buttons({"label": None}), _B),
    (
        "6 buttons in a row",
        buttons(*({"custom_id": str(each)} for each in range(6))),
        "components.0.components",
    ),
    (
        "6 rows",
        {"content": "x", "components": [row(button(custom_id=str(each))) for each in range(6)]},
        "components",
    ),
    ("empty row", {"content": "x", "components": [row()]}, "components.0.components"),
    ("button without a row", {"content": "x", "components": [button()]}, "components.0.type"),
    (
        "select and button in one row",
        {"content": "x", "components": [row(button(), select()["components"][0]["components"][0])]},
        "components.0.components",
    ),
    (
        "select: 26 options",
        select(options=[{"label": str(each), "value": str(each)} for each in range(26)]),
        f"{_B}.options",
    ),
    ("select: no options", select(options=[]), f"{_B}.options"),
    (
        "select: option label > 100",
        select(options=[{"label": "l" * 101, "value": "v"}]),
        f"{_B}.options.0.label",
    ),
    (
        "select: option value > 100",
        select(options=[{"label": "l", "value": "v" * 101}]),
        f"{_B}.options.0.value",
    ),
    ("select: placeholder > 150", select(placeholder="p" * 151), f"{_B}.placeholder"),
    ("select: duplicate values", select(options=[{"label": "l", "value": "v"}] * 2), f"{_B}.options.1.value"),
    ("select: max_values > options", select(max_values=3), f"{_B}.max_values"),
    ("select: min > max", select(min_values=2, max_values=1), f"{_B}.min_values"),
    ("text display without the flag", {"content": "x", "components": [text()]}, "components.0.type"),
    ("V2 with content", layout(text(), content="x"), "content"),
    ("V2 with embeds", layout(text(), embeds=[{"title": "t"}]), "embeds"),
    ("V2: 41 top-level", layout(*[text()] * 41), "components"),
    ("V2: 41 counting nested", layout(*[{"type": 17, "components": [text()] * 20}] * 2), "components"),
    ("V2: text > 4000 in all", layout(text("t" * 2001), text("t" * 2001)), "components"),
    ("V2: text > 4000", layout(text("t" * 4001)), "components.0.content"),
    ("V2: text empty", layout(text("")), "components.0.content"),
    ("V2: section with 4 texts", layout(section(4)), "components.0.components"),
    ("V2: section without accessory", layout({"type": 9, "components": [text()]}), "components.0.accessory"),
    (
        "V2: container in container",
        layout({"type": 17, "components": [{"type": 17, "components": [text()]}]}),
        "components.0.components.0.type",
    ),
    (
        "V2: a file that is not there",
        layout({"type": 13, "file": {"url": "attachment://a.txt"}}),
        "components.0.file.url",
    ),
    ("V2: id twice", layout({**text(), "id": 3}, {**text(), "id": 3}), "components"),
    ("V2: empty", layout(), "50006"),
    (
        "allowed_mentions: unknown parse",
        {"content": "x", "allowed_mentions": {"parse": ["all"]}},
        "allowed_mentions.parse.0",
    ),
    (
        "allowed_mentions: exclusive",
        {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        "allowed_mentions",
    ),
    ("attachment that is not there", {"content": "x", "attachments": [{"id": 0}]}, "attachments.0.id"),
    ("flags unknown", {"content": "x", "flags": 1}, "flags"),
]


def modal(*components: Form, **more: Any) -> Form:
    return {"title": "t", "custom_id": "m", "components": list(components) or [row(field())], **more}


def field(**more: Any) -> Form:
    return {"type": 4, "custom_id": "f", "label": "l", "style": 1, **more}


def label(component: Form, **more: Any) -> Form:
    return {"type": 18, "label": "l", "component": component, **more}


_L = "data.components.0.component"
_F = "data.components.0.components.0"

MODALS: list[Case] = [
    ("title > 45", modal(title="t" * 46), "data.title"),
    ("title empty", modal(title=""), "data.title"),
    ("custom_id > 100", modal(custom_id="m" * 101), "data.custom_id"),
    ("6 rows", modal(*(row(field(custom_id=str(each))) for each in range(6))), "data.components"),
    ("no components", {**modal(), "components": []}, "data.components"),
    ("label > 45", modal(row(field(label="l" * 46))), f"{_F}.label"),
    ("label missing", modal(row(field(label=None))), f"{_F}.label"),
    ("button inside", modal(row(button())), f"{_F}.type"),
    ("button as a part", modal(button()), "data.components.0.type"),
    ("value > 4000", modal(row(field(value="v" * 4001))), f"{_F}.value"),
    ("value > max_length", modal(row(field(value="vvv", max_length=2))), f"{_F}.value"),
    ("placeholder > 100", modal(row(field(placeholder="p" * 101))), f"{_F}.placeholder"),
    ("min_length > max_length", modal(row(field(min_length=3, max_length=2))), f"{_F}.min_length"),
    ("custom_id twice", modal(row(field()), row(field())), "data.components"),
    ("label part > 45", modal(label(field(), label="l" * 46)), "data.components.0.label"),
    ("button in a label", modal(label(button())), "data.components.0.component.type"),
    *(
        (f"files: {range_}", modal(label({"type": 19, "custom_id": "a", **range_})), f"{_L}.{key}")
        for key, range_ in (
            ("min_values", {"min_values": 11, "max_values": 10}),
            ("min_values", {"min_values": 2, "max_values": 1}),
            ("max_values", {"max_values": 0}),
            ("max_values", {"max_values": 11}),
        )
    ),
    (
        "radio group of one",
        modal(label({"type": 21, "custom_id": "r", "options": [{"label": "a", "value": "a"}]})),
        "data.components.0.component.options",
    ),
]

SUGGESTIONS: list[Case] = [
    ("26 choices", choices(26), "data.choices"),
    ("name > 100", [{"name": "n" * 101, "value": "v"}], "data.choices.0.name"),
    ("name empty", [{"name": "", "value": "v"}], "data.choices.0.name"),
    ("value > 100", [{"name": "n", "value": "v" * 101}], "data.choices.0.value"),
    ("value a number", [{"name": "n", "value": 5}], "data.choices.0.value"),
    ("no list", None, "data.choices"),
]
