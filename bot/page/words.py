"""Reads Discord's Markdown into values that templates draw: paragraphs, spans, rolls of dice, odds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

Named = Callable[[str, str], str]
"""`@` or `#` and an id -> the name."""

_FENCE = re.compile(r"```(?:\w*\n)?(.*?)```", re.DOTALL)
_INLINE = re.compile(
    r"`(?P<code>[^`\n]+)`"
    r"|\\(?P<plain>[!-/:-@\[-`{-~])"
    r"|<(?P<mark>@!?|@&|#)(?P<id>\d+)>"
    r"|<a?:(?P<emoji>\w+):\d+>"
    r"|</(?P<command>[^:>]+):\d+>"
    r"|\*\*(?=\S)(?P<strong>.+?)(?<=\S)\*\*"
    r"|~~(?=\S)(?P<gone>.+?)(?<=\S)~~"
    r"|__(?=\S)(?P<under>.+?)(?<=\S)__"
    r"|(?<![\w*])(?P<star>[*_])(?=[^\s*_])(?P<soft>[^*_\n]+?)(?<=\S)(?P=star)(?![\w*])"
)
_HEAD = re.compile(r"(#{1,3}|-#) ")
_BULLET = re.compile(r"\s*[-*] ")
_ELEMENTS = (("strong", "b"), ("gone", "s"), ("under", "u"), ("soft", "i"))


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a line. element: the HTML element around it, empty for none; inner: what it holds."""

    element: str
    text: str
    inner: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph or a block of code. kind: plain, head, small, bullet or code."""

    kind: str
    spans: tuple[Span, ...] = ()
    code: str = ""


def blocks(text: str, named: Named) -> Iterator[Block]:
    """Return a text's blocks: one paragraph for each line, code blocks as they are."""
    for at, piece in enumerate(_FENCE.split(text)):
        if at % 2:
            yield Block("code", code=piece.strip("\n"))
        else:
            yield from (_line(line, named) for line in piece.split("\n") if line.strip())


def _line(line: str, named: Named) -> Block:
    head, bullet = _HEAD.match(line), _BULLET.match(line)
    if head:
        return Block("small" if head[1] == "-#" else "head", tuple(spans(line[head.end() :], named)))
    if bullet:
        return Block("bullet", tuple(spans(line[bullet.end() :], named)))
    return Block("plain", tuple(spans(line, named)))


def spans(text: str, named: Named) -> Iterator[Span]:
    """Return the spans of one line."""
    at = 0
    for found in _INLINE.finditer(text):
        if found.start() > at:
            yield Span("", text[at : found.start()])
        yield _marked(found, named)
        at = found.end()
    if at < len(text):
        yield Span("", text[at:])


def _marked(found: re.Match[str], named: Named) -> Span:
    if found["code"]:
        return Span("code", found["code"])
    if found["plain"]:
        return Span("", found["plain"])
    if found["emoji"]:
        return Span("", found["emoji"].rpartition("_")[2])
    if found["id"]:
        return Span("b", named(found["mark"][0], found["id"]))
    if found["command"]:
        return Span("code", f"/{found['command']}")
    name, element = next(each for each in _ELEMENTS if found[each[0]])
    return Span(element, "", tuple(spans(found[name], named)))
