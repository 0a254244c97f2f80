"""Pillow, loaded when the first picture is drawn: who draws none starts sooner and takes less memory."""

from __future__ import annotations

import io
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL import Image as Image
    from PIL import ImageChops as ImageChops
    from PIL import ImageDraw as ImageDraw
    from PIL import ImageFont as ImageFont
    from PIL import ImageOps as ImageOps
else:

    class _Later:
        """A module that is loaded when something of it is asked for."""

        def __init__(self, name: str) -> None:
            self._name = name

        def __getattr__(self, name: str) -> Any:
            return getattr(import_module(self._name), name)

    Image = _Later("PIL.Image")
    ImageChops = _Later("PIL.ImageChops")
    ImageDraw = _Later("PIL.ImageDraw")
    ImageFont = _Later("PIL.ImageFont")
    ImageOps = _Later("PIL.ImageOps")


PRESSED = 3
"""How hard a picture's file is pressed, of 9."""


def png(image: Image.Image) -> bytes:
    """Return the picture as a file, compressed as far as costs little time.

    The person who waits for it gains more than the person who loads it: a twentieth smaller takes twice as
    long.
    """
    stream = io.BytesIO()
    image.save(stream, "PNG", compress_level=PRESSED)
    return stream.getvalue()
