"""Discord's Markdown as HTML. Whatever a text holds is escaped; only the marks known here become elements."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

Named = Callable[[str, str], str]
"""`@` or `#` and an id -> the name."""

_FENCE = re.compile(r"```(?:\w*\n)?(.*?)```", re.DOTALL)
_INLINE = re.compile(
    r"`(?P<code>[^`\n]+)`"
    r"|\\(?P<plain>[!-/:-@\[-`{-~])"
    r"|<(?P<mark>@!?|@&|#)(?P<id>\d+)>"
    r"|</(?P<command>[^:>]+):\d+>"
    r"|\*\*(?=\S)(?P<strong>.+?)(?<=\S)\*\*"
    r"|~~(?=\S)(?P<gone>.+?)(?<=\S)~~"
    r"|__(?=\S)(?P<under>.+?)(?<=\S)__"
    r"|(?<![\w*])(?P<star>[*_])(?=[^\s*_])(?P<soft>[^*_\n]+?)(?<=\S)(?P=star)(?![\w*])"
)
_HEAD = re.compile(r"(#{1,3}|-#) ")
_BULLET = re.compile(r"\s*[-*] ")


def html_of(text: str, named: Named) -> str:
    """A text as HTML blocks: one paragraph for each line, code blocks as they stand."""
    blocks = []
    for at, piece in enumerate(_FENCE.split(text)):
        if at % 2:
            code = piece.strip("\n")
            blocks.append(f'<pre tabindex="0"><code>{escape(code)}</code></pre>')
        else:
            blocks += [_line(line, named) for line in piece.split("\n") if line.strip()]
    return "".join(blocks)


def _line(line: str, named: Named) -> str:
    head = _HEAD.match(line)
    if head:
        small = head[1] == "-#"
        return f'<p class="{"small" if small else "head"}">{inline(line[head.end() :], named)}</p>'
    bullet = _BULLET.match(line)
    if bullet:
        return f'<p class="bullet">{inline(line[bullet.end() :], named)}</p>'
    return f"<p>{inline(line, named)}</p>"


def inline(text: str, named: Named) -> str:
    """One line's marks as HTML."""
    made, at = [], 0
    for found in _INLINE.finditer(text):
        made += [escape(text[at : found.start()]), _marked(found, named)]
        at = found.end()
    return "".join([*made, escape(text[at:])])


def _marked(found: re.Match[str], named: Named) -> str:
    if found["code"]:
        return f"<code>{escape(found['code'])}</code>"
    if found["plain"]:
        return escape(found["plain"])
    if found["id"]:
        return f"<b>{escape(named(found['mark'][0], found['id']))}</b>"
    if found["command"]:
        return f"<code>/{escape(found['command'])}</code>"
    for name, element in (("strong", "b"), ("gone", "s"), ("under", "u"), ("soft", "i")):
        if found[name]:
            return f"<{element}>{inline(found[name], named)}</{element}>"
    return escape(found[0])
