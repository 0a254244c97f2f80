"""A reply: parts with a meaning, what may be pressed below them, and who may see them. No part has layout."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Literal

from bot.actions import Action, Typed, from_json, to_json

Style = Literal["plain", "main", "danger"]

Beside = Literal["", "headline", "details"]

Verdict = Literal["", "hit", "miss", "best"]

COLUMNS = 38
"""Width that a phone shows without breaking lines."""


@dataclass(frozen=True, slots=True)
class Blank:
    """One line to fill in on a form: `name` is the action's field that it fills.

    lines: it takes several. as_typed: a notation that keeps its signs; other text loses what could format.
    file: it takes a file, as the action's field reads it.
    """

    name: str
    label: str
    default: str = ""
    longest: int = 100
    required: bool = True
    lines: bool = False
    as_typed: bool = False
    file: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """A form that a button opens before its action is carried out. Known by its key after a restart."""

    key: str
    title: str
    blanks: tuple[Blank, ...]


FORMS: dict[str, Form] = {}
"""Every form by its key."""


def form(key: str, title: str, *blanks: Blank) -> Form:
    """Make a form known under its key."""
    if key in FORMS:
        raise ValueError(f"there is already a form with the key {key}")
    FORMS[key] = Form(key, title, blanks)
    return FORMS[key]


@dataclass(frozen=True, slots=True)
class Button:
    """Asks its action when pressed.

    anytime: also when the game has moved on since it was shown. form: it is filled in first. asks: the form
    that is made from the action's declaration is. typed: the contents of that form apart from the action's
    fields. beside: the part of the reply at whose side it stands, empty for the rows below.
    """

    label: str
    action: Action
    style: Style = "plain"
    anytime: bool = False
    form: Form | None = None
    disabled: bool = False
    asks: bool = False
    typed: Typed = ()
    beside: Beside = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """One entry of a menu."""

    label: str
    value: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Menu:
    """Fills one field of its action with what is chosen, then asks it.

    asks: what is chosen are the commands of actions, and the form of one is opened. named: its choices are
    names, which a card shows as buttons where they are few.
    """

    prompt: str
    action: Action
    fills: str
    choices: tuple[Choice, ...]
    least: int = 1
    most: int = 1
    anytime: bool = False
    asks: bool = False
    named: bool = False


class Note(str):
    """A line of a reply in smaller print: how exact, whose dice, that nothing is rolled."""

    __slots__ = ()


class Column(str):
    """A line of a reply that is aligned in columns with those above and below it."""

    __slots__ = ()


class Question(str):
    """A question to a player."""

    __slots__ = ()


class Next(str):
    """A line on what comes next and which player does it, above the buttons."""

    __slots__ = ()


class State(str):
    """A line on how the game stands, in smaller print below what can be pressed."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Die:
    """One die of a roll: its face, and what that came to in words, empty if nothing.

    sides: how many it has, 0 where that is not known. verdict: how it counts for the player who threw it.
    """

    face: int
    came_to: str = ""
    sides: int = 0
    verdict: Verdict = ""

    def told(self, bold: str = "") -> str:
        """Return the face, between the marks that make it bold, and what it came to: 9 hit, 4+6 success."""
        gap = "" if self.came_to.startswith("+") else " "
        return f"{bold}{self.face}{bold}{gap}{self.came_to}".rstrip()


class Rolled(str):
    """A roll: its name, its dice and their total in words. As text it reads as one line."""

    __slots__ = ("dice", "name", "total")

    name: str
    dice: tuple[Die, ...]
    total: str

    def __new__(cls, name: str, dice: Sequence[Die], total: str = "") -> Rolled:  # noqa: D102
        faces = ", ".join(die.told() for die in dice)
        rolled = super().__new__(cls, f"{name}: {faces}{f' ({total})' if total else ''}")
        rolled.name, rolled.dice, rolled.total = name, tuple(dice), total
        return rolled

    def __reduce__(self) -> tuple[type[Rolled], tuple[str, Sequence[Die], str]]:
        return Rolled, (self.name, self.dice, self.total)


class Changed(str):
    """A change of a number: of what, before and after. most: its limit, 0 for none."""

    __slots__ = ("after", "before", "most", "what")

    what: str
    before: int
    after: int
    most: int

    def __new__(cls, what: str, before: int, after: int, most: int = 0) -> Changed:  # noqa: D102
        changed = super().__new__(cls, f"{what}: {before} -> {after}{f' of {most}' if most else ''}")
        changed.what, changed.before, changed.after, changed.most = what, before, after, most
        return changed


PARTS: tuple[tuple[str, type[Note | Column | Question | Next | State]], ...] = (
    ("notes", Note),
    ("columns", Column),
    ("questions", Question),
    ("next", Next),
    ("state", State),
)
"""The lines with a meaning of their own, and under what the journal keeps which of them are such."""


class EntryKind(Enum):
    """The kinds of journal entries: see `Reply.entry`."""

    STEP = "step"
    MINOR = "minor"
    ASIDE = "aside"


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file, most often a picture; `words` say what it shows. draws: makes its data when it is sent."""

    name: str
    words: str
    data: bytes = b""
    draws: Callable[[], bytes] | None = field(default=None, compare=False)

    @property
    def content(self) -> bytes:
        """Return its data, drawn by now."""
        return self.draws() if self.draws is not None else self.data


@dataclass(frozen=True, slots=True)
class Reply:
    """What is answered. The first line alone tells what happened.

    lines: each is a part; `Note`, `Rolled` and the others say which, and `parts_of` reads what others mean.
    private: only the person who asked sees it. why: lines that explain the result, shown on request. side:
    the number of the side that did it, whose colour it has, or 0. replaces: it replaces the message on which
    it was requested, if the same people see one; otherwise it is a new message. tappable: commands that it
    names can be tapped where Discord knows them. plain: it is told in words alone, no line of it with weight.
    entry: what its journal entry is. A `MINOR` entry belongs to the next one that is not minor, and is undone
    with it. An entry `ASIDE` is not a step of the game, because it changes only what no undo touches.
    """

    lines: tuple[str, ...]
    private: bool = False
    buttons: tuple[Button, ...] = ()
    menus: tuple[Menu, ...] = ()
    files: tuple[Attachment, ...] = ()
    why: tuple[str, ...] = ()
    also: tuple[Reply, ...] = ()
    side: int = 0
    replaces: bool = False
    tappable: bool = False
    plain: bool = False
    entry: EntryKind = EntryKind.STEP

    @property
    def text(self) -> str:
        """Return all lines."""
        return "\n".join(self.lines)

    def plus(self, *lines: str) -> Reply:
        """Return the reply with more lines below."""
        return replace(self, lines=self.lines + lines)

    def minor(self, yes: bool = True) -> Reply:
        """Return the reply of a minor entry, or of a step if not `yes`."""
        return replace(self, entry=EntryKind.MINOR if yes else EntryKind.STEP)

    def aside(self) -> Reply:
        """Return the reply of an entry beside the game."""
        return replace(self, entry=EntryKind.ASIDE)


def say(*lines: str, private: bool = False, buttons: Sequence[Button] = ()) -> Reply:
    """Return a reply of these lines."""
    return Reply(lines, private, tuple(buttons))


def reply_to_json(reply: Reply) -> str:
    """Return the reply as the journal stores it, without its files."""
    return json.dumps(_plain(reply), separators=(",", ":"), ensure_ascii=False)


def reply_from_json(text: str) -> Reply:
    """Return the reply that the journal stored, without files."""
    return reply_of(json.loads(text))


def _plain(reply: Reply) -> dict[str, Any]:
    fields: dict[str, Any] = {"lines": reply.lines}
    if reply.private:
        fields["private"] = True
    if reply.replaces:
        fields["replaces"] = True
    if reply.plain:
        fields["plain"] = True
    for name, part in PARTS:
        places = [place for place, line in enumerate(reply.lines) if isinstance(line, part)]
        if places:
            fields[name] = places
    rolls = [
        [place, line.name, [[die.face, die.came_to, die.sides, die.verdict] for die in line.dice], line.total]
        for place, line in enumerate(reply.lines)
        if isinstance(line, Rolled)
    ]
    if rolls:
        fields["rolls"] = rolls
    changes = [
        [place, line.what, line.before, line.after, line.most]
        for place, line in enumerate(reply.lines)
        if isinstance(line, Changed)
    ]
    if changes:
        fields["changes"] = changes
    if reply.why:
        fields["why"] = reply.why
    if reply.buttons:
        fields["buttons"] = [_plain_button(button) for button in reply.buttons]
    if reply.menus:
        fields["menus"] = [_plain_menu(menu) for menu in reply.menus]
    if reply.also:
        fields["also"] = [_plain(extra_reply) for extra_reply in reply.also]
    return fields


def _plain_button(button: Button) -> dict[str, Any]:
    return {
        "label": button.label,
        "action": _action(button.action),
        "style": button.style,
        "anytime": button.anytime,
        "disabled": button.disabled,
        "form": button.form.key if button.form else "",
        **({"asks": True} if button.asks else {}),
        **({"typed": button.typed} if button.typed else {}),
        **({"beside": button.beside} if button.beside else {}),
    }


def _plain_menu(menu: Menu) -> dict[str, Any]:
    return {
        "prompt": menu.prompt,
        "action": _action(menu.action),
        "fills": menu.fills,
        "choices": [[choice.label, choice.value, choice.note] for choice in menu.choices],
        "least": menu.least,
        "most": menu.most,
        "anytime": menu.anytime,
        **({"asks": True} if menu.asks else {}),
        **({"named": True} if menu.named else {}),
    }


def _action(action: Action) -> list[str]:
    return [action.command, to_json(action)]


def reply_of(fields: Mapping[str, Any]) -> Reply:
    """Return the reply of which the journal stored these fields, without files."""
    lines: list[str] = list(fields["lines"])
    for name, part in PARTS:
        for place in fields.get(name, ()):
            lines[place] = part(lines[place])
    for place, name, dice, total in fields.get("rolls", ()):
        lines[place] = Rolled(name, [Die(*die) for die in dice], total)
    for place, *change in fields.get("changes", ()):
        lines[place] = Changed(*change)
    return Reply(
        lines=tuple(lines),
        private=fields.get("private", False),
        why=tuple(fields.get("why", ())),
        buttons=tuple(
            Button(
                button["label"],
                from_json(*button["action"]),
                button["style"],
                button["anytime"],
                FORMS.get(button["form"]),
                button["disabled"],
                button.get("asks", False),
                tuple((name, text) for name, text in button.get("typed", ())),
                button.get("beside", ""),
            )
            for button in fields.get("buttons", ())
        ),
        menus=tuple(
            Menu(
                menu["prompt"],
                from_json(*menu["action"]),
                menu["fills"],
                tuple(Choice(*choice) for choice in menu["choices"]),
                menu["least"],
                menu["most"],
                menu["anytime"],
                menu.get("asks", False),
                menu.get("named", False),
            )
            for menu in fields.get("menus", ())
        ),
        also=tuple(reply_of(extra_reply) for extra_reply in fields.get("also", ())),
        replaces=fields.get("replaces", False),
        plain=fields.get("plain", False),
    )
