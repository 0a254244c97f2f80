"""A message of the channel as HTML: its text, pictures, buttons and menus.

The same for all who may see it: addresses are relative to a seat's page, and what is pressed goes into
the page's one form `acts`, which carries the reader's own token.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from typing import Any
from urllib.parse import quote, unquote

from bot.local.seen import AttachedFile, Json, Message, MessageControl, control_from, walk
from bot.local.world import World
from bot.page.markup import html_of

PICTURES = {"image/png", "image/jpeg", "image/gif", "image/webp"}
_STYLES = {1: "main", 4: "danger"}


class MessageWriter:
    """Writes the messages of one world. files: where pictures stand, as seen from the page."""

    def __init__(self, world: World, files: str = "files") -> None:
        self._world = world
        self._files = files

    def named(self, mark: str, number: str) -> str:
        """A mention by its name."""
        if mark == "#":
            channel = self._world.channels.get(int(number))
            return f"#{channel.name if channel else '?'}"
        user = self._world.users.get(int(number))
        return f"@{user.display_name if user else '?'}"

    def article(self, message: Message, *, acts: bool = True) -> str:
        """The whole message; without `acts` nothing in it can be pressed."""
        kind = "private" if message.ephemeral else "public"
        parts = [f'<article class="message {kind}" id="m{message.id}" tabindex="-1">']
        if message.ephemeral:
            parts.append('<p class="note">Only you see this</p>')
        if not message.author.bot:
            parts.append(f'<p class="note">{escape(message.author.display_name)}</p>')
        parts.append(self.body(message, acts=acts))
        return "".join([*parts, "</article>"])

    def body(self, message: Message, *, acts: bool = True) -> str:
        """Return the message's words and controls as HTML."""
        if message.loading:
            return "<p>Adjutant is thinking...</p>"
        parts = [html_of(message.content, self.named)]
        parts += [self._embed(embed) for embed in message.embeds]
        placed = {name for each in walk(message.components) for name in _placed(each)}
        parts += [self.file(each) for each in message.attachments if each.filename not in placed]
        for component in message.components:
            parts += self._component(message, component, acts)
        return "".join(parts)

    def _embed(self, embed: Json) -> str:
        texts = [embed.get("title"), embed.get("description")]
        texts += [f"**{each['name']}**\n{each['value']}" for each in embed.get("fields", ())]
        texts.append((embed.get("footer") or {}).get("text"))
        return "".join(html_of(text, self.named) for text in texts if text)

    def file(self, each: AttachedFile) -> str:
        """A picture with its words, or the link to another file."""
        at = escape(f"{self._files}/{each.id}/{quote(each.filename)}")
        name = escape(each.description or each.filename)
        if each.content_type in PICTURES:
            return f'<figure><a href="{at}"><img src="{at}" alt="{name}"></a></figure>'
        return f'<p><a href="{at}" download>{escape(each.filename)}</a></p>'

    def _component(self, message: Message, component: Json, acts: bool) -> Iterator[str]:
        match component.get("type"):
            case 1:
                yield from self._row(message, component["components"], acts)
            case 2:
                yield from self._row(message, [component], acts)
            case 9:
                for inner in [*component["components"], component["accessory"]]:
                    yield from self._component(message, inner, acts)
            case 10:
                yield html_of(component["content"], self.named)
            case 12 | 13:
                names = _placed(component)
                yield from (self.file(each) for each in message.attachments if each.filename in names)
            case 14:
                yield "<hr>"
            case 17:
                accent = component.get("accent_color")
                colour = f" side-{accent:06x}" if isinstance(accent, int) else ""
                yield f'<div class="card{colour}">'
                for inner in component["components"]:
                    yield from self._component(message, inner, acts)
                yield "</div>"

    def _row(self, message: Message, components: Any, acts: bool) -> Iterator[str]:
        if not acts:
            return
        controls = [control_from(each) for each in components]
        buttons = "".join(_button(message, each) for each in controls if each.is_button)
        if buttons:
            yield f'<div class="buttons">{buttons}</div>'
        for control in controls:
            if control.type == 3:
                yield _menu(message, control)


def _placed(component: Json) -> list[str]:
    """The names of the files that a gallery or a file component shows."""
    media = [item["media"] for item in component.get("items", ())]
    media += [component["file"]] if "file" in component else []
    return [unquote(str(one["url"]).partition("?")[0].rpartition("/")[2]) for one in media]


def said(*parts: object) -> str:
    """Return the value that a press sends, escaped for an attribute."""
    return escape(json.dumps([str(part) for part in parts], ensure_ascii=False))


def _button(message: Message, control: MessageControl) -> str:
    label = escape(" ".join(part for part in (control.emoji, control.label) if part))
    if control.url:
        return f'<a class="button" rel="noreferrer" href="{escape(control.url)}">{label}</a>'
    style = _STYLES.get(control.style, "plain")
    off = " disabled" if control.disabled else ""
    value = said(message.id, control.custom_id)
    return f'<button form="acts" name="press" class="{style}" value="{value}"{off}>{label}</button>'


def _menu(message: Message, control: MessageControl) -> str:
    title = escape(control.placeholder or "Choose")
    if control.disabled:
        return f'<p class="note">{title} (off)</p>'
    several = control.max_values > 1
    made = [f'<details class="menu"><summary>{title}</summary><div role="group" aria-label="{title}">']
    box = said(message.id, control.custom_id)
    for option in control.options:
        label = escape(option.label)
        if option.description:
            label += f" <small>{escape(option.description)}</small>"
        if several:
            on = " checked" if option.default else ""
            value = escape(option.value)
            made.append(
                f'<label class="check"><input type="checkbox" form="acts" name="{box}" value="{value}"{on}>'
                f"<span>{label}</span></label>"
            )
        else:
            value = said(message.id, control.custom_id, option.value)
            made.append(f'<button form="acts" name="pick" value="{value}">{label}</button>')
    if several:
        count = f"{control.min_values} to {control.max_values}"
        made.append(f'<button form="acts" name="choose" class="main" value="{box}">Choose ({count})</button>')
    return "".join([*made, "</div></details>"])
