"""The guides' pictures show what is said today; `python -m docs.pictures.make` draws them anew."""

from __future__ import annotations

import pytest
from PIL import Image, PngImagePlugin

from docs.pictures.make import PICTURES, WORDS, file_of


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_shows_what_is_said_today(name: str) -> None:
    with Image.open(file_of(name)) as picture:
        assert isinstance(picture, PngImagePlugin.PngImageFile)
        assert picture.text[WORDS] == PICTURES[name].words
