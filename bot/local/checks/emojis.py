"""Discord's checks of an application's emojis."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Collection

from bot.local.refusals import Problems, Refused
from bot.local.world import Emoji

MAX_EMOJIS = 2000
MAX_BYTES = 256 * 1024

_NAME = re.compile(r"\w{2,32}", re.ASCII)
_IMAGE = re.compile(r"data:image/(?:png|jpeg|gif|webp|avif);base64,(.*)", re.DOTALL)


def check_emoji(name: object, image: object, existing: Collection[Emoji]) -> None:
    """Raise Refused for a name, a picture or a number of emojis that Discord does not take."""
    problems = Problems()
    if problems.length(("name",), name, 2, 32) and not _NAME.fullmatch(str(name)):
        problems.wrong(("name",), "String value did not match validation regex.", "STRING_TYPE_REGEX")
    elif any(emoji.name == name for emoji in existing):
        problems.wrong(("name",), "This emoji name is already taken.", "APPLICATION_EMOJI_NAME_ALREADY_TAKEN")
    match = _IMAGE.fullmatch(str(image))
    if match is None:
        problems.wrong(("image",), "Invalid image data", "IMAGE_INVALID")
    else:
        try:
            size = len(base64.b64decode(match[1], validate=True))
        except binascii.Error:
            problems.wrong(("image",), "Invalid image data", "IMAGE_INVALID")
        else:
            if size > MAX_BYTES:
                problems.wrong(("image",), "File cannot be larger than 256.0 kb.", "BINARY_TYPE_MAX_SIZE")
    problems.raise_if_any()
    if len(existing) >= MAX_EMOJIS:
        raise Refused(400, 30008)
