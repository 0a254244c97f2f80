"""Uploaded photos, made small: the right way up, and without the camera's metadata.

Owns which files are taken and how large a kept picture may be. Knows no game and no campaign.
"""

from __future__ import annotations

import io

from bot.replies.pillow import Image, ImageOps
from rules.refusals import InvalidInput

FORMATS = ("JPEG", "PNG", "WEBP")
MAX_BYTES = 8_000_000
"""Of the file that is sent."""
MAX_PIXELS = 25_000_000
SIDE = 1000
"""The longer side of what is kept, in pixels."""
KEPT_BYTES = 120_000
QUALITIES = (82, 70, 55, 40, 25)

NO_PICTURE = "Send a JPEG, PNG or WebP file."


def must_be_small(size: int) -> None:
    """Refuse a file that is too large to be read. Raises InvalidInput."""
    if size > MAX_BYTES:
        raise InvalidInput(f"Send a smaller picture; it can be at most {MAX_BYTES // 1_000_000} MB.")


def made_small(data: bytes) -> bytes:
    """Return the picture as a JPEG of at most `KEPT_BYTES`, on white. Raises InvalidInput."""
    must_be_small(len(data))
    try:
        with Image.open(io.BytesIO(data), formats=FORMATS) as image:
            image.draft("RGB", (SIDE, SIDE))
            if image.width * image.height > MAX_PIXELS:
                raise InvalidInput(
                    f"Send a smaller picture; it can have at most {MAX_PIXELS // 1_000_000} million pixels."
                )
            turned = ImageOps.exif_transpose(image).convert("RGBA")
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        raise InvalidInput(NO_PICTURE) from None
    turned.thumbnail((SIDE, SIDE))
    paper = Image.new("RGB", turned.size, "white")
    paper.paste(turned, mask=turned.getchannel("A"))
    while True:
        for quality in QUALITIES:
            stream = io.BytesIO()
            paper.save(stream, "JPEG", quality=quality, optimize=True)
            if stream.tell() <= KEPT_BYTES:
                return stream.getvalue()
        paper.thumbnail((paper.width // 2, paper.height // 2))
