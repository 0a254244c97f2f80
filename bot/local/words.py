"""Discord's markup in words: names for ids, plain text for Markdown, one stable stand-in per volatile value.

Owns the rules that make two replays of one game equal: ids that Discord assigns by the clock never appear.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Protocol

_MENTION = re.compile(r"<(@[!&]?|#)(\d+)>")
_COMMAND = re.compile(r"</([^:>]+):\d+>")
_EMOJI = re.compile(r"<a?(:\w+:)\d+>")
_TIME = re.compile(r"<t:(-?\d+)(?::\w)?>")
_LOOPBACK = re.compile(r"https?://(?:127\.0\.0\.1|localhost)(?::\d+)?/\S*?([^/\s?]+)(?:\?\S*)?(?=$|[\s)>])")
_RANDOM = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")
_SNOWFLAKE = re.compile(r"(?<![0-9a-fA-F])\d{17,20}(?![0-9a-fA-F])")

_FENCE = re.compile(r"```(?:\w*\n)?(.*?)```", re.DOTALL)
_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_LINK = re.compile(r"\[([^\]\n]+)\]\(<?(https?://[^)\s>]+)>?\)")
_BOLD = re.compile(r"(\*\*\*|\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_ITALIC = re.compile(r"(?<![\w*])([*_])(?=[^\s*_])([^*_\n]+?)(?<=\S)\1(?![\w*])")
_LEAD = re.compile(r"^(?:#{1,3}|-#) ", re.MULTILINE)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")

_HIDDEN = 0xE000  # escaped characters stand in Unicode's private use area while marks are taken away
_SHOWN = re.compile("[\ue021-\ue07e]")
_KEPT = "\ue000"
"""Stands for a piece of code meanwhile: its signs are no marks, but what is around it may go over it."""


class HasName(Protocol):
    """Anything with a name."""

    @property
    def name(self) -> str:
        """Return the name without `@` or `#`."""


class Names:
    """The names for the ids at this table.

    Ids that belong to no one become `<1>`, `<2>`, ... in the order in which they first appear.
    """

    def __init__(self, users: Mapping[int, HasName], channels: Mapping[int, HasName]) -> None:
        self._users = users
        self._channels = channels
        self._strangers: dict[str, int] = {}
        self.tells_time = False
        """Whether times are shown by this machine's clock: to a person, but not in a transcript."""

    def user(self, user_id: int) -> str:
        """Return the person's name, without `@`."""
        return self._name(self._users, str(user_id))

    def channel(self, channel_id: int) -> str:
        """Return the channel's name, without `#`."""
        return self._name(self._channels, str(channel_id))

    def stable(self, text: str) -> str:
        """Return the text with mentions by name and every other volatile value replaced by its stand-in."""
        text = _MENTION.sub(self._mention, text)
        text = _COMMAND.sub(r"/\1", text)
        text = _EMOJI.sub(r"\1", text)
        text = _TIME.sub("<time>", text)
        text = _LOOPBACK.sub(r"attachment://\1", text)
        return _SNOWFLAKE.sub(lambda match: self._known(match[0]), text)

    def stable_id(self, text: str) -> str:
        """Return an id of the bot's making, such as a button's, without parts that are random."""
        return _RANDOM.sub(lambda match: self._stranger(match[0]), self.stable(text))

    def plain(self, text: str) -> str:
        """Return the text as a terminal shows it, without Markdown; struck-through text keeps its `~~`."""
        if self.tells_time:
            text = _TIME.sub(lambda match: clock_time(int(match[1])), text)
        return plain(self.stable(text))

    def _mention(self, match: re.Match[str]) -> str:
        number = int(match[2])
        return f"#{self.channel(number)}" if match[1] == "#" else f"@{self.user(number)}"

    def _known(self, digits: str) -> str:
        return self._name(self._users if int(digits) in self._users else self._channels, digits)

    def _name(self, names: Mapping[int, HasName], digits: str) -> str:
        return names[int(digits)].name if int(digits) in names else self._stranger(digits)

    def _stranger(self, digits: str) -> str:
        return f"<{self._strangers.setdefault(digits, len(self._strangers) + 1)}>"


def clock_time(seconds: int) -> str:
    """Return a moment by this machine's clock; only the time if it is today. seconds: since 1970."""
    moment, now = datetime.fromtimestamp(seconds).astimezone(), datetime.now().astimezone()
    return f"at {moment:%H:%M:%S}" if moment.date() == now.date() else f"{moment:%-d %B %Y, %H:%M}"


def plain(text: str) -> str:
    """Return the words of a Markdown text without its marks; code blocks are left as they are."""
    texts = []
    for index, text_piece in enumerate(_FENCE.split(text)):
        texts.append(text_piece.strip("\n") if index % 2 else _unmarked(text_piece))
    return "".join(texts).strip("\n")


def _unmarked(text: str) -> str:
    codes: list[str] = []

    def kept(match: re.Match[str]) -> str:
        codes.append(match[1])
        return _KEPT

    text = _CODE.sub(kept, text)
    text = _ESCAPE.sub(lambda match: chr(_HIDDEN + ord(match[1])), text)
    text = _LEAD.sub("", text)
    text = _LINK.sub(r"\1 (\2)", text)
    text = _BOLD.sub(r"\2", text)
    text = _ITALIC.sub(r"\2", text)
    text = _SHOWN.sub(lambda match: chr(ord(match[0]) - _HIDDEN), text)
    originals = iter(codes)
    return re.sub(_KEPT, lambda _: next(originals, ""), text)
