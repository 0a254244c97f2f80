"""What can be typed, what is offered while typing, and what the numbers on the screen mean."""

from typing import Any

import pytest

from bot.local.commands import ClientRefusal, Command, leaves
from bot.local.completion import position
from bot.local.filing import must_fit
from bot.local.forms import answers, names_of, picked, value_of
from bot.local.lines import Mistyped, ScriptLine, read
from bot.local.screen import Screen
from bot.local.seen import Event, EventKind, Message, Modal, SelectOption, User
from bot.local.typed import Typed, parse


def option(name: str, kind: int = 3, **more: Any) -> dict[str, Any]:
    return {"name": name, "description": name, "type": kind, **more}


def command(name: str, *options: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": "1", "name": name, "description": name, "options": list(options), **more}


COMMANDS: list[Command] = list(
    leaves(
        [
            command("help"),
            command("roll", option("dice", required=True), option("private", 5)),
            command(
                "cb",
                {
                    **option("shoot", 1),
                    "options": [
                        option("shooter", required=True, autocomplete=True),
                        option("target", required=True, autocomplete=True),
                        option("distance", 4, required=True),
                        option("cover", 4),
                        option("note"),
                    ],
                },
                {**option("rally", 1), "options": [option("model", autocomplete=True, required=True)]},
            ),
            command("bag", {**option("draw", 1)}, {**option("add", 1), "options": [option("count", 4)]}),
        ]
    )
)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("/roll 4d10", ScriptLine("slash", "roll 4d10", said="/roll 4d10")),
        ("@Anna /bag draw", ScriptLine("slash", "bag draw", "anna", said="/bag draw")),
        ("@anna #other 2", ScriptLine("press", "2", "anna", "other", "2")),
        ("#other @anna press Draw", ScriptLine("press", "Draw", "anna", "other", "press Draw")),
        ("@anna", ScriptLine("", "", "anna")),
        (":channel #Other", ScriptLine("", "", None, "other", ":channel #Other")),
        ("menu 3 2,4", ScriptLine("menu", "3 2,4", said="menu 3 2,4")),
        ("modal", ScriptLine("modal", said="modal")),
        ("Expect  a  b", ScriptLine("expect", "a  b", said="Expect  a  b")),
        (":SEE anna", ScriptLine("see", "anna", said=":SEE anna")),
        ("# a remark", None),
        ("#", None),
        ("## heading", None),
        ("   ", None),
    ],
)
def test_lines_are_read(text: str, line: ScriptLine | None) -> None:
    assert read(text) == line


@pytest.mark.parametrize("text", ["hello there", ":dance", ":channel", "@anna hello"])
def test_lines_without_meaning_get_a_sentence(text: str) -> None:
    with pytest.raises(Mistyped, match=r"\w+ \w+"):
        read(text)


SHOT = {"shooter": "Sally", "target": "Underling", "distance": "6"}


@pytest.mark.parametrize(
    ("text", "path", "options"),
    [
        ("help", "help", {}),
        ("HELP ", "help", {}),
        ("roll 4d10+1 vs 7", "roll", {"dice": "4d10+1 vs 7"}),
        ("roll note: 2d6 private:yes", "roll", {"dice": "note: 2d6", "private": "yes"}),
        ('roll "2d6"', "roll", {"dice": "2d6"}),
        ("roll dice:2d6 + 1 private: no", "roll", {"dice": "2d6 + 1", "private": "no"}),
        ("cb shoot shooter:Sally target:Underling distance:6", "cb shoot", SHOT),
        ("cb shoot Sally Underling 6", "cb shoot", SHOT),
        ("cb  shoot Sally distance:6 target:Underling", "cb shoot", SHOT),
        (
            "cb shoot Sally Underling 6 1 over the wall",
            "cb shoot",
            {**SHOT, "cover": "1", "note": "over the wall"},
        ),
        (
            'cb shoot shooter:Big Ed target:"Old: Underling" distance:6',
            "cb shoot",
            {"shooter": "Big Ed", "target": "Old: Underling", "distance": "6"},
        ),
        ("cb shoot Sally Underling 6 note:see https://x.example at 12:30", "cb shoot", None),
        ("cb rally Big Ed", "cb rally", {"model": "Big Ed"}),
        ("bag draw", "bag draw", {}),
    ],
)
def test_commands_are_cut_by_their_definitions(text: str, path: str, options: dict[str, str] | None) -> None:
    if options is None:
        options = {**SHOT, "note": "see https://x.example at 12:30"}
    assert parse(text, COMMANDS) == Typed(path, options)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rol 4d10", "There is no command /rol. Did you mean /roll?"),
        ("xyzzy", "The commands are /help, /roll, /cb, /bag."),
        ("bag", "The commands are /bag draw, /bag add."),
        ("bag drow", "There is no command /bag drow. Did you mean /bag draw?"),
        ("", "There is no command"),
        (
            "cb shoot Sally tarrget:Skip",
            "no option tarrget. Did you mean target? Options: shooter, target, distance",
        ),
        (
            "cb shoot shooter:Sally target:Skip",
            "still needs distance. Type: /cb shoot shooter: target: distance: [cover:]",
        ),
        ("cb shoot", "still needs shooter, target and distance"),
        ("cb shoot shooter:a shooter:b", "Enter the option shooter only once"),
        ("help me", "/help takes no options"),
        ("help me:1", "/help takes no options"),
        ("bag add 1 2", "You entered too many values. Type: /bag add [count:]"),
    ],
)
def test_what_cannot_be_typed_gets_a_sentence(text: str, said: str) -> None:
    with pytest.raises(Mistyped) as refusal:
        parse(text, COMMANDS)
    assert said in str(refusal.value)


def test_nothing_registered_says_so() -> None:
    with pytest.raises(Mistyped, match="registered no commands"):
        parse("roll", [])


SHOOT = next(one for one in COMMANDS if one.path == "cb shoot")


@pytest.mark.parametrize(
    ("text", "name", "part", "word", "given"),
    [
        ("", "shooter", "", "", {}),
        ("Sa", "shooter", "Sa", "Sa", {}),
        ("Sally ", "target", "", "", {"shooter": "Sally"}),
        ("shooter:Sa", "shooter", "Sa", "shooter:Sa", {}),
        ("shooter:Big E", "shooter", "Big E", "E", {}),
        ("shooter:Sally target:", "target", "", "target:", {"shooter": "Sally"}),
        ('shooter:"Big Ed" target:U', "target", "U", "target:U", {"shooter": "Big Ed"}),
    ],
)
def test_the_cursor_knows_its_option(
    text: str, name: str, part: str, word: str, given: dict[str, str]
) -> None:
    at = position(text, SHOOT.options)
    assert at.option is not None
    assert (at.option.name, at.part, at.word, at.given) == (name, part, word, given)


BOT = User(1, "adjutant", "Adjutant", bot=True)


def panel(number: int, *labels: str, only_for: int | None = None, off: str = "") -> Message:
    buttons = [
        {"type": 2, "style": 1, "label": label, "custom_id": label.lower(), "disabled": label == off}
        for label in labels
    ]
    row = {"type": 1, "components": buttons}
    return Message(number, 9, BOT, "text", components=(row,) if labels else (), only_for=only_for)


def shown(*messages: Message) -> list[Event]:
    return [Event(EventKind.MESSAGE, 0.0, 9, message) for message in messages]


def test_numbers_belong_to_the_newest_outcome_with_controls() -> None:
    screen = Screen()
    first = panel(1, "Draw", "Pass", "Undo", off="Undo")
    screen.show(shown(first))
    screen.show(shown(panel(2)))
    assert screen.numbers(first) == {"draw": 1, "pass": 2}
    assert screen.button("2", 5, 9).name == "pass"
    second = panel(3, "Why")
    screen.show(shown(second), renumber=False)
    assert screen.numbers(second) == {"why": 3}
    assert screen.button("1", 5, 9).name == "draw"
    screen.show(shown(panel(4, "Apply")))
    assert screen.button("1", 5, 9).name == "apply"
    with pytest.raises(Mistyped, match=r"Nothing has the number \[2\]\. Numbers go up to 1\."):
        screen.button("2", 5, 9)


def test_labels_mean_the_control_shown_last_that_the_person_sees() -> None:
    screen = Screen()
    screen.show(shown(panel(1, "Draw")))
    screen.show(shown(panel(2, "Draw", only_for=6)))
    assert screen.button("draw", 5, 9).message.id == 1
    assert screen.button("Draw", 6, 9).message.id == 2
    assert screen.labels(6, 9) == ["Draw"]
    screen.show([Event(EventKind.DELETE, 0.0, 9, before=panel(1, "Draw"))])
    with pytest.raises(Mistyped, match="Nothing here can be pressed"):
        screen.button("Draw", 5, 9)
    with pytest.raises(Mistyped, match=r"only someone else can see"):
        screen.button("1", 5, 9)


def test_a_label_of_digits_goes_before_a_number_while_it_is_numbered() -> None:
    screen = Screen()
    screen.show(shown(panel(1, "3", "2", "1")))
    assert screen.button("3", 5, 9).name == "3"
    screen.show(shown(panel(2, "Draw", "Pass")))
    assert screen.button("2", 5, 9).name == "pass"


def test_what_cannot_be_pressed_gets_a_sentence() -> None:
    screen = Screen()
    screen.show(shown(panel(1, "Draw", "Undo", "Draw", off="Undo")))
    for text, said in {
        "Undo": "Undo can no longer be pressed",
        "Fly": 'called "Fly" here. You can choose: Draw, Undo.',
        "Draw": "Enter a number",
        "9": "Numbers go up to 2",
        "9" * 5000: 'called "999',
    }.items():
        with pytest.raises(Mistyped, match=said.replace(".", r"\.")):
            screen.button(text, 5, 9)
    with pytest.raises(Mistyped, match="Type press 1"):
        screen.menu("1", 5, 9)


def form(*inputs: dict[str, Any]) -> Modal:
    rows = tuple({"type": 1, "components": [{"type": 4, **each}]} for each in inputs)
    return Modal(1, 9, 5, "form", "Form", rows)


@pytest.mark.parametrize("place", ["0", "3", "9" * 5000])
def test_an_option_that_is_not_there_is_named(place: str) -> None:
    with pytest.raises(Mistyped, match=rf"from 1 to 2 \(you entered {place}"):
        picked([place], [SelectOption("Ann", "a"), SelectOption("Bo", "b")])


def test_forms_are_answered_by_label_or_whole() -> None:
    faces = {"custom_id": "f", "label": "First faces (d10)"}
    why = {"custom_id": "w", "label": "10 reasons", "style": 2}
    kept = {"custom_id": "k", "label": "Kept", "value": "as is"}
    two = form(faces, why, kept)
    assert list(names_of(two)) == ["first-faces-d10", "field2", "kept"]
    assert answers(two, r"first-faces-d10:10 2 field2:a\nb") == {"f": "10 2", "w": "a\nb"}
    assert answers(form(faces), "10 2") == {"f": "10 2"}
    with pytest.raises(Mistyped, match="modal still needs field2"):
        answers(two, "first-faces-d10:10")
    with pytest.raises(Mistyped, match="no option reason"):
        answers(two, "reason:none")


@pytest.mark.parametrize("text", ["Everywhere", "Wound, Fear"])
def test_a_field_says_itself_what_it_does_not_take(text: str) -> None:
    options = [{"label": one, "value": one.lower()} for one in ("Wound", "Fear")]
    menu = {"type": 3, "id": 2, "custom_id": "why", "options": options}
    asked = Modal(1, 9, 5, "form", "Form", [{"type": 18, "id": 1, "label": "Why", "component": menu}])
    field = asked.fields[0]
    must_fit(field, value_of(field, "fear"))
    with pytest.raises(ClientRefusal):
        must_fit(field, value_of(field, text))


def test_a_square_is_one_entry_of_a_menu_and_not_two():
    squares = [SelectOption(label, label) for label in ("3,4", "3,5", "4")]
    assert picked(["3", "4"], squares) == ["3,4"]
    assert picked(["3", "5", "4"], squares) == ["3,5", "4"]
    waits = [SelectOption("Dodge", "d"), SelectOption("Wait (no line of fire, near)", "w")]
    assert picked(["Wait (no line of fire", "near)", "dodge"], waits) == [waits[1].label, "dodge"]
    people = [SelectOption("Ann", "a"), SelectOption("Bo", "b")]
    assert picked(["2", "1"], people) == ["b", "a"], "places stay places"
