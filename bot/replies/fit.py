"""Makes a reply fit what Discord takes, by shortening and never by failing; what finds no room is named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from bot.actions import Typed
from bot.ids import Tag, fits
from bot.replies.reply import Attachment, Button, Menu, Reply

T = TypeVar("T")

MAX_MESSAGE_LENGTH = 4000
"""Letters that one card shows."""

MAX_PLAIN_LENGTH = 2000
"""Letters of a message in plain words."""

MAX_LABEL_LENGTH = 80
MAX_CHOICE_LENGTH = 100
MAX_ROWS = 5
MAX_IN_ROW = 5
MAX_CHOICES = 25

MAX_COMPONENTS = 28
"""Components of what can be pressed: with all else that a card can have they are within 40."""

PHONE_LETTERS = 36
"""Letters of the buttons in one row for which a phone has room; each button's edges count as four."""

BUTTON_EDGES = 4
MAX_MESSAGES = 5

MAX_PLACE = MAX_ROWS * MAX_IN_ROW
LARGEST_SCOPE = 36**4
"""More than any game's number, or version, will be; ids grow with both."""

ASK = "ask"
"""The part of a tag whose button or menu opens the form of an action's declaration, and of that form."""

ASKED = "asked"
"""The part of such a form that is good at any time; its version tells where the game stood then."""

FORM = "form-"
"""The part of a tag whose button opens a form begins so; the form's key follows."""

NOTHING = "There is nothing to show."
"""What is said where a reply has no words."""

FENCE = "```"
MORE = "(shortened)"


def has_words(text: str) -> bool:
    """Return whether anything of a text is seen, marks and blanks apart."""
    return bool(text.strip("`*~_| \t\n"))


def fit_text(lines: Sequence[str], longest: int = MAX_MESSAGE_LENGTH) -> str:
    """Return the lines as one text, without the last whole lines if it would be too long.

    Never empty, because Discord refuses a message without words, and the person would get no answer.
    """
    text = "\n".join(lines)
    if not has_words(text):
        return NOTHING
    if len(text) <= longest:
        return text
    kept_lines: list[str] = []
    room = longest - len(MORE) - len(FENCE) - 2
    for line in lines:
        if len(line) + 1 > room:
            break
        kept_lines.append(line)
        room -= len(line) + 1
    if not kept_lines:
        kept_lines = [lines[0][: longest - len(MORE) - 2]]
    if sum(line.startswith(FENCE) for line in kept_lines) % 2:
        kept_lines.append(FENCE)
    return "\n".join([*kept_lines, MORE])


def pages(lines: Sequence[str], longest: int) -> list[list[str]]:
    """Return the lines in as many parts as are needed for each to be no longer than that; at least one.

    A code block that goes on in the next part is closed and opened again. A line that is longer than a part
    is broken between words.
    """
    page_lines: list[list[str]] = [[]]
    room, in_fence = longest, False
    for line in (piece for text in lines for piece in _broken(text, longest - 2 * len(FENCE) - 3)):
        if page_lines[-1] and len(line) + 1 > room - in_fence * (len(FENCE) + 1):
            page_lines[-1] += [FENCE] * in_fence
            page_lines.append([FENCE] * in_fence)
            room = longest - in_fence * (len(FENCE) + 1)
        page_lines[-1].append(line)
        room -= len(line) + 1
        in_fence ^= line.startswith(FENCE)
    return page_lines


def _broken(line: str, longest: int) -> Iterator[str]:
    while len(line) > longest:
        words = line.rfind(" ", 1, longest) + 1 or longest
        yield line[:words].rstrip()
        line = line[words:]
    yield line


def messages(reply: Reply, scope: int = LARGEST_SCOPE, version: int = LARGEST_SCOPE) -> tuple[Reply, ...]:
    """Return the reply as messages that are short enough; the first has everything that can be pressed.

    scope, version: those of the game, which the ids of buttons carry. Buttons and menus without room are
    named in a line of their own. What is too long for so many messages is a file.
    """
    lost = left_out(reply, scope, version)
    lines = [*reply.lines]
    if lost:
        reason = "There isn't room for all the buttons."
        lines.append(f"{reason} Type a command instead of pressing one of these: {', '.join(lost)}.")
    first, *later_pages = pages(lines, MAX_MESSAGE_LENGTH)
    shown_pages, later = later_pages, list[list[str]]()
    if len(later_pages) >= MAX_MESSAGES:
        shown_pages, later = later_pages[: MAX_MESSAGES - 2], later_pages[MAX_MESSAGES - 2 :]
    later_replies = [Reply(tuple(part), reply.private) for part in shown_pages if has_words("\n".join(part))]
    if later:
        text = "\n".join(line for part in later for line in part)
        file = Attachment("rest.txt", "The rest of this answer", text.encode())
        later_replies.append(Reply(("The rest is in this file.",), reply.private, files=(file,)))
    return (replace(reply, lines=tuple(first)), *later_replies)


def shorten(text: str, longest: int) -> str:
    """Return the text, cut to a length."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def left_out(reply: Reply, scope: int, version: int) -> list[str]:
    """Return the labels of buttons, and the choices of menus, for which a message or an id has no room."""
    shown_rows = rows(reply.buttons, reply.menus)
    laid = [button for row in shown_rows if not isinstance(row, Menu) for button in row]
    buttons = {id(control) for control in laid if has_room(control, scope, version)}
    lost = [button.label for button in reply.buttons if id(button) not in buttons]
    offered = [choice for row in shown_rows if isinstance(row, Menu) for choice in row.choices[:MAX_CHOICES]]
    choices = {id(choice) for choice in offered}
    lost += [choice.label for menu in reply.menus for choice in menu.choices if id(choice) not in choices]
    return list(dict.fromkeys(lost))


def tag_of(button: Button, scope: int, version: int) -> Tag:
    """Return the tag that a button's id carries."""
    part = ASK if button.asks else FORM + button.form.key if button.form else ""
    return Tag(button.action, scope, -1 if button.anytime else version, part, button.typed)


def has_room(button: Button, scope: int = LARGEST_SCOPE, version: int = LARGEST_SCOPE) -> bool:
    """Return whether a button's action fits into an id that carries the game's number and version."""
    return fits(tag_of(button, scope, version), MAX_PLACE)


def with_typed(button: Button, typed: Typed) -> list[Button]:
    """Return the button with as much of what was typed as its id has room for, or [] if it has none."""
    for count in range(len(typed), -1, -1):
        if has_room(shortened := replace(button, typed=typed[:count])):
            return [shortened]
    return []


def cut(items: Sequence[T], limit: int) -> list[Sequence[T]]:
    """Split things, in their order, into groups for which there is room."""
    return [items[first : first + limit] for first in range(0, len(items), limit)]


def rows(buttons: Sequence[Button], menus: Sequence[Menu]) -> list[list[Button] | Menu]:
    """Return buttons and menus in rows, menus last, without empty menus and buttons that find no room.

    A menu with more choices than one shows goes on in others below it, while rows are free.
    """
    menus = [menu for menu in menus if menu.choices]
    room = MAX_ROWS - min(len(menus), MAX_ROWS)
    laid = _laid(buttons[: room * MAX_IN_ROW], MAX_COMPONENTS - 2 * len(menus))
    free_rows = max(0, room - len(laid))
    shown_menus: list[Menu] = []
    for menu in menus[:MAX_ROWS]:
        parts = _parts(menu, 1 + free_rows)
        free_rows -= len(parts) - 1
        shown_menus += parts
    return [*laid, *shown_menus]


def _laid(buttons: Sequence[Button], room: int) -> list[list[Button]]:
    """Buttons in rows as wide as a phone; five in a row where these would be too many components."""
    laid: list[list[Button]] = []
    width = PHONE_LETTERS
    for button in buttons:
        button_width = len(button.label) + BUTTON_EDGES
        width += button_width
        if width > PHONE_LETTERS or len(laid[-1]) == MAX_IN_ROW:
            laid.append([])
            width = button_width
        laid[-1].append(button)
    return laid if len(buttons) + len(laid) <= room else [list(part) for part in cut(buttons, MAX_IN_ROW)]


def _parts(menu: Menu, limit: int) -> list[Menu]:
    """Return the menu in as many as its choices need, no more than that; each of several says which it is."""
    count = min(limit, -(-len(menu.choices) // MAX_CHOICES))
    if count < 2:
        return [menu]
    return [
        replace(menu, prompt=f"{menu.prompt} ({number} of {count})", choices=tuple(choices))
        for number, choices in enumerate(cut(menu.choices, MAX_CHOICES)[:count], 1)
    ]
