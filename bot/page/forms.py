"""A form that the bot opened, as HTML, and what comes back of it.

Knows only the fields that the form declares.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, Protocol

from bot.local.seen import Field, Modal, User
from bot.page.markup import Named, html_of

TEXT, MENU, PEOPLE, FILE, RADIO, CHECKS, CHECK = 4, 3, (5, 7), 19, 21, 22, 23


class Posted(Protocol):
    """The values of a posted form, by name."""

    def getall(self, key: str, default: list[Any]) -> list[Any]:
        """Every value of that name."""
        ...


def form(modal: Modal, hidden: str, people: Iterable[User], named: Named) -> str:
    """The form as HTML; `hidden` are the inputs that every form of the page carries."""
    by_id = {field.custom_id: field for field in modal.fields}
    made = [
        f'<form class="sheet" method="post" action="form"><h2>{escape(modal.title)}</h2>{hidden}',
        f'<input type="hidden" name="opened" value="{modal.interaction_id}">',
    ]
    listed = list(people)
    for top in modal.components:
        if top.get("type") == 10:
            made.append(html_of(top["content"], named))
        for inner in top.get("components") or [top.get("component")]:
            if inner and inner.get("custom_id") in by_id:
                made.append(_field(by_id[inner["custom_id"]], bool(inner.get("default")), listed, len(made)))
    made.append('<div class="buttons"><button class="main">Send</button>')
    made.append('<a class="button" data-close href="./">Close</a></div></form>')
    return "".join(made)


def _field(field: Field, ticked: bool, people: Sequence[User], number: int) -> str:
    name, label = escape(f"f:{field.custom_id}"), escape(field.label or field.custom_id)
    note = escape(field.description)
    key = f"f{number}"
    about = f'<small id="{key}n">{note}</small>' if note else ""
    tied = f' aria-describedby="{key}n"' if note else ""
    must = " required" if field.required else ""
    head = f'<label for="{key}">{label}</label>{about}'
    match field.type:
        case 4:
            bounds = f'id="{key}" name="{name}" maxlength="{field.max_length}"{must}{tied}'
            if field.long:
                return (
                    f'<p class="field">{head}<textarea {bounds} rows="4">{escape(field.value)}</textarea></p>'
                )
            hint = escape(field.placeholder)
            return (
                f'<p class="field">{head}<input {bounds} value="{escape(field.value)}" placeholder="{hint}"'
                ' autocomplete="off"></p>'
            )
        case 3 if field.max_values == 1:
            empty = "" if field.required else '<option value="">(nothing)</option>'
            made = "".join(
                f'<option value="{escape(each.value)}"{" selected" if each.default else ""}>'
                f"{escape(_full(each.label, each.description))}</option>"
                for each in field.options
            )
            return f'<p class="field">{head}<select id="{key}" name="{name}"{must}{tied}>{empty}{made}</select></p>'
        case 5 | 7:
            made = "".join(
                f'<option value="{each.id}">{escape(each.display_name)}</option>' for each in people
            )
            return f'<p class="field">{head}<select id="{key}" name="{name}"{must}{tied}>{made}</select></p>'
        case 23:
            on = " checked" if ticked else ""
            return (
                f'<p class="field"><label class="check"><input type="checkbox" name="{name}" value="1"{on}{tied}>'
                f"<span>{label}</span></label>{about}</p>"
            )
        case _:
            return _group(field, name, label, about, must)


def _group(field: Field, name: str, label: str, about: str, must: str) -> str:
    kind = "radio" if field.type == RADIO else "checkbox"
    need = must if kind == "radio" else ""
    made = "".join(
        f'<label class="check"><input type="{kind}" name="{name}" value="{escape(each.value)}"'
        f"{' checked' if each.default else ''}{need}><span>{escape(each.label)}"
        f"{f' <small>{escape(each.description)}</small>' if each.description else ''}</span></label>"
        for each in field.options
    )
    return f'<fieldset class="field"><legend>{label}</legend>{about}{made}</fieldset>'


def _full(label: str, description: str) -> str:
    return f"{label}: {description}" if description else label


def values(modal: Modal, posted: Posted) -> dict[str, Any]:
    """What was filled in, by field."""
    found: dict[str, Any] = {}
    for field in modal.fields:
        given = [each for each in posted.getall(f"f:{field.custom_id}", []) if isinstance(each, str)]
        if field.type == TEXT:
            found[field.custom_id] = given[0].replace("\r\n", "\n") if given else ""
        elif field.type == CHECK:
            found[field.custom_id] = bool(given)
        elif field.type != FILE:
            found[field.custom_id] = [each for each in given if each]
    return found
